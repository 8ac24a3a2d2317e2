/* What flows at the pins of parts, and the power that parts take up.
 *
 * The arrow stands on the line right before its pin and points where the flow goes, so that no sign
 * need be known; how much it is stands beside, on the other side than the potential of a node. The
 * power tints the ground behind a part: warm where it takes power up, cool where it gives.
 */
#include <math.h>

#include "paint/drawing/diagram.h"
#include "paint/ground/symbols.h"

#define ARROW_AT 9.0 /* from the pin */
#define ARROW 4.0    /* half its length */
#define GAP 6.0
#define MOST_TINT 0.5
#define LEAST_TINT 0.08

/* --- Flows ----------------------------------------------------------------------------------- */

static void
flow_clear (gpointer data)
{
  g_free (((WeirPinFlow *) data)->text);
}

WeirPartFlows *
weir_part_flows_new (void)
{
  WeirPartFlows *self = g_new0 (WeirPartFlows, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->flows = g_array_new (FALSE, FALSE, sizeof (WeirPinFlow));
  g_array_set_clear_func (self->flows, flow_clear);
  self->powers = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return self;
}

WeirPartFlows *
weir_part_flows_ref (WeirPartFlows *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_part_flows_unref (WeirPartFlows *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->flows);
  g_hash_table_unref (self->powers);
  g_free (self);
}

/* --- Drawing --------------------------------------------------------------------------------- */

static const WeirPortShape *
find_pin (const WeirBlockShape *shape, const char *name)
{
  for (guint i = 0; shape != NULL && i < shape->n_ports; i++)
    if (shape->ports[i].is_pin && g_str_equal (shape->ports[i].name, name))
      return &shape->ports[i];
  return NULL;
}

/* A text of this width beside the line that leaves the pin there. */
static WeirRect
place_flow (WeirPoint at, WeirPoint normal, double width)
{
  if (fabs (normal.x) > fabs (normal.y))
    return (WeirRect) { normal.x > 0 ? at.x - ARROW : at.x + ARROW - width,
                        at.y - GAP - WEIR_VALUE_HEIGHT, width, WEIR_VALUE_HEIGHT };
  return (WeirRect) { at.x - GAP - width, at.y - WEIR_VALUE_HEIGHT / 2, width, WEIR_VALUE_HEIGHT };
}

static void
draw_arrow (WeirPen *pen, WeirPoint at, WeirPoint towards, const WeirDomain *domain)
{
  cairo_move_to (pen->cr, at.x + ARROW * towards.x, at.y + ARROW * towards.y);
  cairo_line_to (pen->cr, at.x - ARROW * (towards.x + towards.y),
                 at.y - ARROW * (towards.y - towards.x));
  cairo_line_to (pen->cr, at.x - ARROW * (towards.x - towards.y),
                 at.y - ARROW * (towards.y + towards.x));
  cairo_close_path (pen->cr);
  weir_set_source (pen->cr, weir_domain_get_color (domain, pen->palette));
  cairo_fill (pen->cr);
}

void
weir_draw_flows (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  for (guint i = 0; i < style->flows->flows->len; i++)
    {
      const WeirPinFlow *flow = &g_array_index (style->flows->flows, WeirPinFlow, i);
      const WeirBlockShape *shape = weir_scene_find_block (scene, flow->block);
      const WeirPortShape *pin = find_pin (shape, flow->pin);
      WeirPoint at, towards;

      if (pin == NULL || !weir_style_is_visible (style, weir_rect_grow (shape->box, 80)))
        continue;
      at = (WeirPoint) { pin->position.x + ARROW_AT * pin->normal.x,
                         pin->position.y + ARROW_AT * pin->normal.y };
      towards = (WeirPoint) { -flow->direction * pin->normal.x, -flow->direction * pin->normal.y };
      if (flow->direction != 0)
        draw_arrow (pen, at, towards, pin->domain);
      weir_draw_value (pen, place_flow (at, pin->normal, weir_value_get_width (pen, flow->text)),
                       flow->text);
    }
}

void
weir_draw_powers (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  GHashTableIter iter;
  gpointer id, value;

  g_hash_table_iter_init (&iter, style->flows->powers);
  while (g_hash_table_iter_next (&iter, &id, &value))
    {
      const WeirBlockShape *shape = weir_scene_find_block (scene, GPOINTER_TO_UINT (id));
      double share = *(const double *) value;

      if (shape == NULL || share == 0 || !weir_style_is_visible (style, shape->box))
        continue;
      weir_rounded_path (pen->cr, weir_rect_grow (shape->box, 3), 8);
      weir_set_source_alpha (pen->cr, pen->palette->curves[share > 0 ? 1 : 0],
                             LEAST_TINT + (MOST_TINT - LEAST_TINT) * sqrt (fabs (share)));
      cairo_fill (pen->cr);
    }
}
