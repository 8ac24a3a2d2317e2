/* Values that wires carry, where they leave their source.
 *
 * Wires from one port carry one value, which is drawn once: below the first piece of the wire, so
 * that it keeps clear of labels, which are above.
 */
#include <math.h>

#include "paint/drawing/diagram.h"

#define MAX_ELEMENTS 3
#define MAX_WHOLE 1e7

static void
append_number (GString *text, double value)
{
  if (isnan (value))
    g_string_append (text, "NaN");
  else if (isinf (value))
    g_string_append (text, value > 0 ? "∞" : "-∞");
  else if (value == 0)
    g_string_append (text, "0"); /* of either sign */
  else if (value == rint (value) && fabs (value) < MAX_WHOLE)
    g_string_append_printf (text, "%.0f", value);
  else
    g_string_append_printf (text, "%.4g", value);
}

char *
weir_value_dup_text (const double *values, guint size)
{
  GString *text = g_string_new (NULL);

  if (size > MAX_ELEMENTS)
    g_string_append_printf (text, "[%u] ", size);
  for (guint i = 0; i < MIN (size, MAX_ELEMENTS); i++)
    {
      if (i > 0)
        g_string_append (text, "; ");
      append_number (text, values[i]);
    }
  if (size > MAX_ELEMENTS)
    g_string_append (text, "; …");
  return g_string_free (text, FALSE);
}

#define VALUE_SIZE 9.5
#define GAP 5.0 /* from the port, and from the wire */
#define HEIGHT WEIR_VALUE_HEIGHT

double
weir_value_get_width (WeirPen *pen, const char *text)
{
  return weir_pen_get_text_width (pen, text, VALUE_SIZE) + 8;
}

void
weir_draw_value (WeirPen *pen, WeirRect box, const char *text)
{
  weir_rounded_path (pen->cr, box, 4);
  weir_set_source (pen->cr, pen->palette->background);
  cairo_fill_preserve (pen->cr);
  weir_set_source (pen->cr, pen->palette->wire);
  cairo_set_line_width (pen->cr, 0.8 * pen->palette->line_width);
  cairo_stroke (pen->cr);
  weir_set_source (pen->cr, pen->palette->text);
  weir_pen_text (pen, text, VALUE_SIZE, box.x + box.width / 2, box.y + box.height / 2, 0.5, 0.5, 0);
}

/* Where a text of this width goes. */
static WeirRect
place_value (const WeirWireShape *shape, double width)
{
  WeirPoint a = shape->points[0], b = shape->points[1];

  if (a.x == b.x && a.y != b.y) /* beside it */
    return (WeirRect) { a.x + GAP, b.y > a.y ? a.y + GAP : a.y - GAP - HEIGHT, width, HEIGHT };
  return (WeirRect) { b.x >= a.x ? a.x + GAP : a.x - GAP - width, a.y + GAP, width, HEIGHT };
}

void
weir_draw_values (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style)
{
  g_autoptr (GHashTable)
      done = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL); /* ports */
  guint n = weir_scene_get_n_wires (scene);

  for (guint i = weir_style_next_wire (style, scene, 0); i < n;
       i = weir_style_next_wire (style, scene, i + 1))
    {
      const WeirWireShape *shape = weir_scene_get_wire (scene, i);
      guint32 id = weir_wire_get_id (shape->wire);
      const char *text = g_hash_table_lookup (style->values, GUINT_TO_POINTER (id));
      WeirWireEnd from = weir_wire_get_from (shape->wire);
      gboolean is_line = shape->node != 0; /* once a node */

      if (text != NULL && (is_line || shape->from_connected) && id != style->hidden_wire
          && weir_style_is_visible (style, weir_rect_grow (shape->reach, 40))
          && g_hash_table_add (done, is_line ? g_strdup_printf ("%u", shape->node)
                                             : g_strdup_printf ("%u.%s", from.block, from.port)))
        weir_draw_value (pen, place_value (shape, weir_value_get_width (pen, text)), text);
    }
}
