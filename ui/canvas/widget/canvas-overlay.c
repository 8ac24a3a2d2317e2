/* What the canvas shows of the cache, and hover cards.
 *
 * The canvas knows nothing about caches: it draws an overlay that others fill, says what the
 * pointer is on, and asks them what a card is to say.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/minimap.h"
#include "paint/scene/describe.h"

/* --- The overlay ----------------------------------------------------------------------------- */

void
weir_canvas_set_overlay_mode (WeirCanvas *self, WeirOverlayMode mode)
{
  if (self->overlay_mode == mode)
    return;
  self->overlay_mode = mode;
  g_object_notify (G_OBJECT (self), "overlay");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

WeirOverlayMode
weir_canvas_get_overlay_mode (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), WEIR_OVERLAY_OFF);
  return self->overlay_mode;
}

void
weir_canvas_set_overlay (WeirCanvas *self, WeirOverlay *overlay)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (overlay != NULL)
    weir_overlay_ref (overlay);
  g_clear_pointer (&self->overlay, weir_overlay_unref);
  self->overlay = overlay;
  weir_minimap_set_overlay (WEIR_MINIMAP (self->minimap), overlay);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_canvas_set_values (WeirCanvas *self, GHashTable *values, gboolean is_settled)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (self->values == NULL && values == NULL)
    return;
  if (values != NULL)
    g_hash_table_ref (values);
  g_clear_pointer (&self->values, g_hash_table_unref);
  self->values = values;
  weir_canvas_describe_values (self, is_settled);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_canvas_set_flows (WeirCanvas *self, WeirPartFlows *flows)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (self->flows == NULL && flows == NULL)
    return;
  if (flows != NULL)
    weir_part_flows_ref (flows);
  g_clear_pointer (&self->flows, weir_part_flows_unref);
  self->flows = flows;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const WeirPartFlows *
weir_canvas_get_flows (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return self->flows;
}

GHashTable *
weir_canvas_get_values (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return self->values;
}

void
weir_canvas_on_cycle_overlay (GtkWidget *widget, const char *name, GVariant *value)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_set_overlay_mode (self, (self->overlay_mode + 1) % WEIR_N_OVERLAYS);
}

void
weir_canvas_on_clear (GtkWidget *widget, const char *name, GVariant *value)
{
  weir_canvas_set_overlay_mode (WEIR_CANVAS (widget), WEIR_OVERLAY_OFF);
  weir_canvas_on_view_command (widget, name, value);
}

void
weir_canvas_on_view_command (GtkWidget *widget, const char *name, GVariant *value)
{
  g_signal_emit (widget, weir_canvas_signals[WEIR_CANVAS_VIEW_COMMAND], 0,
                 name + strlen ("canvas."));
}

/* --- What is pointed at ---------------------------------------------------------------------- */

static WeirCanvasSubject
wire_subject (const WeirWireShape *wire)
{
  WeirWireEnd from = weir_wire_get_from (wire->wire);

  return wire->from_connected && wire->node == 0
             ? (WeirCanvasSubject) { from.block, weir_wire_get_id (wire->wire), from.port, TRUE }
             : (WeirCanvasSubject) { 0 };
}

static WeirCanvasSubject
hit_subject (WeirCanvas *self, WeirHit hit)
{
  switch (hit.kind)
    {
    case WEIR_HIT_BLOCK:
      return (WeirCanvasSubject) { .block = hit.id };
    case WEIR_HIT_PORT:
      if (hit.port->is_pin)
        return (WeirCanvasSubject) { .block = hit.id };
      return (WeirCanvasSubject) { hit.id, 0, hit.port->name, hit.port->is_output };
    case WEIR_HIT_WIRE:
      return wire_subject (weir_scene_find_wire (self->scene, hit.id));
    case WEIR_HIT_NOTHING:
    case WEIR_HIT_NOTE:
    default:
      return (WeirCanvasSubject) { 0 };
    }
}

WeirCanvasSubject
weir_canvas_get_pointed (WeirCanvas *self, gboolean *exploring)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), (WeirCanvasSubject) { 0 });

  if (exploring != NULL)
    *exploring = self->alt_held;
  if (!self->pointer_inside || weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE)
    return (WeirCanvasSubject) { 0 };
  return hit_subject (self, weir_tool_get_hover (self->tool));
}

WeirCanvasSubject
weir_canvas_get_subject (WeirCanvas *self)
{
  WeirElements what;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), (WeirCanvasSubject) { 0 });

  what = weir_canvas_get_elements (self);
  if (what.n_blocks == 1)
    return (WeirCanvasSubject) { .block = what.blocks[0],
                                 .port = self->chosen_block == what.blocks[0] ? self->chosen_port
                                                                              : NULL,
                                 .is_output = TRUE };
  if (what.n_wires == 1 && what.n_blocks == 0)
    return wire_subject (weir_scene_find_wire (self->scene, what.wires[0]));
  return weir_canvas_get_pointed (self, NULL);
}

void
weir_canvas_note_pointed (WeirCanvas *self, WeirHit before)
{
  WeirHit after = weir_tool_get_hover (self->tool);

  if (before.kind != after.kind || before.id != after.id || before.port != after.port)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_POINTED_CHANGED], 0);
}

void
weir_canvas_note_alt (WeirCanvas *self, gboolean held)
{
  if (self->alt_held == held)
    return;
  self->alt_held = held;
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_POINTED_CHANGED], 0);
}

/* --- Hover cards ----------------------------------------------------------------------------- */

void
weir_canvas_set_card_func (WeirCanvas *self, WeirCanvasCardFunc func, gpointer data)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));
  self->card_func = func;
  self->card_data = data;
}

/* Where a wire leads, how much it carries, and what while values are shown. */
static char *
describe_wire (WeirCanvas *self, guint32 id)
{
  g_autofree char *text = weir_canvas_describe_wire (self,
                                                     weir_scene_find_wire (self->scene, id)->wire);
  const char *value = self->show_values && self->values != NULL
                          ? g_hash_table_lookup (self->values, GUINT_TO_POINTER (id))
                          : NULL;
  g_autofree char *line = value != NULL ? g_strdup_printf (_ ("Value: %s"), value) : NULL;

  return line != NULL ? g_strdup_printf ("%s\n%s", text, line) : g_steal_pointer (&text);
}

/* "R1.p, electrical: node of R1.p, C1.p". */
static char *
describe_pin (WeirCanvas *self, const WeirBlockShape *shape, const WeirPortShape *pin)
{
  g_autofree char *joined = weir_scene_describe_pin (self->scene, weir_block_get_id (shape->block),
                                                     pin);

  return g_strdup_printf ("%s: %s", weir_block_get_name (shape->block), joined);
}

/* "p: 5 mA in" of each flow that is shown at the part; NULL: none is. */
static char *
describe_flows (WeirCanvas *self, guint32 block)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GArray *flows = self->show_values && self->flows != NULL ? self->flows->flows : NULL;

  for (guint i = 0; flows != NULL && i < flows->len; i++)
    {
      const WeirPinFlow *flow = &g_array_index (flows, WeirPinFlow, i);

      if (flow->block != block)
        continue;
      g_string_append (text, text->len > 0 ? "\n" : "");
      g_string_append_printf (text,
                              flow->direction > 0   ? _ ("Into pin %s: %s")
                              : flow->direction < 0 ? _ ("Out of pin %s: %s")
                                                    : _ ("At pin %s: %s"),
                              flow->pin, flow->text);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* What the model says about it; NULL if nothing. */
static char *
describe_hit (WeirCanvas *self, WeirHit hit)
{
  const WeirBlockShape *shape = hit.kind != WEIR_HIT_WIRE
                                    ? weir_scene_find_block (self->scene, hit.id)
                                    : NULL;
  g_autofree char *problems = weir_canvas_dup_problems (self, hit.id);

  if (hit.kind == WEIR_HIT_PORT)
    {
      g_autofree char *wrong = weir_canvas_dup_port_problems (self, hit.id, hit.port);
      g_autofree char *name = hit.port->is_pin
                                  ? describe_pin (self, shape, hit.port)
                                  : g_strdup_printf (hit.port->is_output ? _ ("%s: output %s")
                                                                         : _ ("%s: input %s"),
                                                     weir_block_get_name (shape->block),
                                                     hit.port->name);

      return wrong != NULL ? g_strdup_printf ("%s\n%s", name, wrong) : g_steal_pointer (&name);
    }
  if (hit.kind == WEIR_HIT_WIRE)
    return describe_wire (self, hit.id);
  if (problems != NULL)
    return g_steal_pointer (&problems);
  if (shape != NULL && shape->type != NULL)
    {
      g_autofree char *flows = describe_flows (self, hit.id);

      return g_strdup_printf ("%s (%s)\n%s%s%s", weir_block_get_name (shape->block),
                              _ (shape->type->title), _ (shape->type->summary),
                              flows != NULL ? "\n" : "", flows != NULL ? flows : "");
    }
  if (shape != NULL)
    return g_strdup_printf (_ ("%s: there is no block type %s."),
                            weir_block_get_name (shape->block),
                            weir_block_get_type_name (shape->block));
  return NULL;
}

gboolean
weir_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  g_autofree char *text = NULL, *escaped = NULL, *card = NULL, *both = NULL;
  const char *breaks;
  WeirHit hit;

  if (keyboard || weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE)
    return FALSE;
  hit = weir_scene_hit (self->scene,
                        weir_viewport_to_diagram (&self->viewport, (WeirPoint) { x, y }),
                        6 / self->viewport.zoom);
  if (hit.kind == WEIR_HIT_NOTHING)
    return FALSE;
  text = describe_hit (self, hit);
  breaks = g_hash_table_lookup (self->breaks, GUINT_TO_POINTER (hit.id));
  if (breaks != NULL && hit.kind == WEIR_HIT_BLOCK)
    {
      g_autofree char *said = g_steal_pointer (&text);

      text = said != NULL ? g_strdup_printf ("%s\n%s", said, breaks) : g_strdup (breaks);
    }
  if (self->card_func != NULL)
    {
      WeirCanvasSubject subject = hit_subject (self, hit);

      card = subject.block != 0 ? self->card_func (subject, self->card_data) : NULL;
    }
  if (text == NULL && card == NULL)
    return FALSE;
  escaped = text != NULL ? g_markup_escape_text (text, -1) : NULL;
  both = escaped != NULL && card != NULL ? g_strconcat (escaped, "\n\n", card, NULL)
                                         : g_strdup (card != NULL ? card : escaped);
  gtk_tooltip_set_markup (tooltip, both);
  return TRUE;
}

void
weir_canvas_set_late_wires (WeirCanvas *self, GHashTable *wires)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (wires != NULL)
    g_hash_table_ref (wires);
  g_clear_pointer (&self->late, g_hash_table_unref);
  self->late = wires;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GHashTable *
weir_canvas_get_late_wires (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);
  return self->late;
}
