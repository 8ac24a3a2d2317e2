/* Marks of analysis points, on the wire, in the order in which its signal passes them.
 *
 * A point of an output is drawn once, where its first wire leaves the block; one of an input where
 * its wire arrives. The marks stay within the reach of the block (kept.c), whose change draws them
 * anew.
 */
#include <math.h>

#include "paint/drawing/diagram.h"

#define RADIUS 5.0
#define APART 12.0
#define FIRST 13.0 /* from the port */
#define LAST 20.0  /* the same, past the arrow */

/* So far along the wire, from either end. */
static WeirPoint
find_place (const WeirWireShape *shape, double way, gboolean from_end)
{
  guint n = shape->n_points;

  for (guint i = 0; i + 1 < n; i++)
    {
      WeirPoint a = shape->points[from_end ? n - 1 - i : i];
      WeirPoint b = shape->points[from_end ? n - 2 - i : i + 1];
      double length = hypot (b.x - a.x, b.y - a.y);

      if (length >= way && length > 0)
        return (WeirPoint) { a.x + (b.x - a.x) * way / length, a.y + (b.y - a.y) * way / length };
      way -= length;
    }
  return shape->points[from_end ? 0 : n - 1];
}

/* An arrow of this height about @at: downwards, or upwards. */
static void
draw_arrow (cairo_t *cr, WeirPoint at, double way)
{
  cairo_move_to (cr, at.x, at.y - 3 * way);
  cairo_line_to (cr, at.x, at.y + 2.6 * way);
  cairo_move_to (cr, at.x - 2.2, at.y + 0.5 * way);
  cairo_line_to (cr, at.x, at.y + 2.8 * way);
  cairo_line_to (cr, at.x + 2.2, at.y + 0.5 * way);
  cairo_stroke (cr);
}

static void
draw_cross (cairo_t *cr, WeirPoint at)
{
  cairo_move_to (cr, at.x - 2.4, at.y - 2.4);
  cairo_line_to (cr, at.x + 2.4, at.y + 2.4);
  cairo_move_to (cr, at.x + 2.4, at.y - 2.4);
  cairo_line_to (cr, at.x - 2.4, at.y + 2.4);
  cairo_stroke (cr);
}

/* What enters points down to the wire, what is measured up from it. */
static void
draw_kind (cairo_t *cr, WeirPoint at, WeirPointKinds kind, const WeirPalette *palette)
{
  WeirColor color = kind == WEIR_POINT_BREAK ? palette->error : palette->curves[0];

  cairo_new_path (cr);
  cairo_arc (cr, at.x, at.y, RADIUS, 0, 2 * G_PI);
  weir_set_source (cr, palette->background);
  cairo_fill_preserve (cr);
  weir_set_source (cr, color);
  cairo_set_line_width (cr, 1.3 * palette->line_width);
  cairo_stroke (cr);
  if (kind == WEIR_POINT_BREAK)
    draw_cross (cr, at);
  else
    draw_arrow (cr, at, kind == WEIR_POINT_INPUT ? 1 : -1);
}

static void
draw_points (cairo_t *cr, const WeirWireShape *shape, WeirPointKinds kinds, gboolean at_end,
             const WeirPalette *palette)
{
  static const WeirPointKinds order[] = { WEIR_POINT_OUTPUT, WEIR_POINT_BREAK, WEIR_POINT_INPUT,
                                          WEIR_POINT_AFTER };
  guint n = G_N_ELEMENTS (order);
  double way = at_end ? LAST : FIRST;

  for (guint i = 0; i < n; i++)
    {
      WeirPointKinds kind = order[at_end ? n - 1 - i : i];

      if ((kinds & kind) == 0)
        continue;
      draw_kind (cr, find_place (shape, way, at_end), kind, palette);
      way += APART;
    }
}

static WeirPointKinds
get_points (WeirScene *scene, WeirWireEnd end)
{
  WeirBlock *block = end.block != 0
                         ? weir_diagram_find_block (weir_scene_get_diagram (scene), end.block)
                         : NULL;

  return block != NULL && weir_block_get_metadata (block) != NULL
             ? weir_block_get_points (block, end.port)
             : 0;
}

void
weir_draw_analysis_points (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style)
{
  g_autoptr (GHashTable)
      done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL); /* ports */
  guint n = weir_scene_get_n_wires (scene);

  for (guint i = weir_style_next_wire (style, scene, 0); i < n;
       i = weir_style_next_wire (style, scene, i + 1))
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);
      WeirWireEnd from = weir_wire_get_from (shape->wire), to = weir_wire_get_to (shape->wire);
      WeirPointKinds kinds;

      if (weir_wire_get_id (shape->wire) == style->hidden_wire
          || !weir_style_is_visible (style, weir_rect_grow (shape->reach, 2 * RADIUS)))
        continue;
      kinds = shape->from_connected ? get_points (scene, from) : 0;
      if (kinds != 0 && g_hash_table_add (done, g_strdup_printf ("%u.%s", from.block, from.port)))
        draw_points (cr, shape, kinds, FALSE, style->palette);
      kinds = shape->to_connected ? get_points (scene, to) : 0;
      if (kinds != 0)
        draw_points (cr, shape, kinds, TRUE, style->palette);
    }
}
