/* Marks of problems. See problem.h. */
#include "paint/drawing/problem.h"

#include <math.h>

#include "paint/drawing/diagram.h"

#define HEAD_SPACING 44.0 /* pixels between the arrow heads of a lit wire */

static void
sign_path (cairo_t *cr, WeirPoint at, double r, guint marks)
{
  cairo_new_path (cr);
  if (marks & WEIR_MARK_ERROR)
    cairo_rectangle (cr, at.x - r, at.y - r, 2 * r, 2 * r);
  else if (marks & WEIR_MARK_WARNING)
    {
      cairo_move_to (cr, at.x, at.y - 1.25 * r);
      cairo_line_to (cr, at.x + 1.25 * r, at.y + r);
      cairo_line_to (cr, at.x - 1.25 * r, at.y + r);
      cairo_close_path (cr);
    }
  else
    cairo_arc (cr, at.x, at.y, r, 0, 2 * G_PI);
}

void
weir_draw_problem_sign (cairo_t *cr, WeirPoint at, double r, guint marks,
                        const WeirPalette *palette)
{
  gboolean calls = (marks & (WEIR_MARK_ERROR | WEIR_MARK_WARNING)) != 0; /* "!", else "i" */

  sign_path (cr, at, r, marks);
  weir_set_source (cr, palette->background);
  cairo_set_line_width (cr, r * 0.4);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke_preserve (cr);
  weir_set_source (cr, weir_palette_get_problem_color (palette, marks));
  cairo_fill (cr);

  weir_set_source (cr, palette->on_mark);
  cairo_set_line_width (cr, r * 0.3);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_move_to (cr, at.x, at.y + (calls ? -0.5 : -0.05) * r);
  cairo_line_to (cr, at.x, at.y + (calls ? 0.15 : 0.55) * r);
  cairo_stroke (cr);
  cairo_arc (cr, at.x, at.y + (calls ? 0.58 : -0.5) * r, r * 0.16, 0, 2 * G_PI);
  cairo_fill (cr);
}

void
weir_draw_port_problem (cairo_t *cr, const WeirPortShape *port, guint marks, double scale,
                        const WeirPalette *palette)
{
  sign_path (cr, port->position, MAX (5.5, 4 / scale), marks);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_MITER);
  weir_set_source_alpha (cr, weir_palette_get_problem_color (palette, marks), 0.2);
  cairo_fill_preserve (cr);
  weir_set_source (cr, weir_palette_get_problem_color (palette, marks));
  cairo_set_line_width (cr, weir_style_get_width (1.6, scale, palette));
  cairo_stroke (cr);
}

void
weir_draw_wire_problem (cairo_t *cr, const WeirWireShape *wire, guint marks, double scale,
                        const WeirPalette *palette)
{
  double longest = -1;
  WeirPoint at = wire->points[0];

  for (guint i = 0; i + 1 < wire->n_points; i++)
    {
      WeirPoint a = wire->points[i], b = wire->points[i + 1];
      double length = fabs (b.x - a.x) + fabs (b.y - a.y);

      if (length <= longest)
        continue;
      longest = length;
      at = (WeirPoint) { (a.x + b.x) / 2, (a.y + b.y) / 2 };
    }
  weir_draw_problem_sign (cr, at, MAX (6, 5 / scale), marks, palette);
}

static void
draw_head (cairo_t *cr, WeirPoint at, double dx, double dy, double size)
{
  cairo_move_to (cr, at.x - dx * size - dy * size, at.y - dy * size + dx * size);
  cairo_line_to (cr, at.x, at.y);
  cairo_line_to (cr, at.x - dx * size + dy * size, at.y - dy * size - dx * size);
}

void
weir_draw_lit_wire (cairo_t *cr, const WeirWireShape *wire, double scale,
                    const WeirPalette *palette)
{
  double width = MAX (9, 6 / scale), left = HEAD_SPACING / 2 / scale;

  cairo_new_path (cr);
  for (guint i = 0; i < wire->n_points; i++)
    cairo_line_to (cr, wire->points[i].x, wire->points[i].y);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  weir_set_source_alpha (cr, palette->warning, 0.35);
  cairo_set_line_width (cr, width);
  cairo_stroke (cr);

  weir_set_source (cr, palette->text);
  cairo_set_line_width (cr, weir_style_get_width (1.5, scale, palette));
  for (guint i = 0; i + 1 < wire->n_points; i++)
    {
      WeirPoint a = wire->points[i], b = wire->points[i + 1];
      double length = hypot (b.x - a.x, b.y - a.y), at = left;

      for (; at < length; at += HEAD_SPACING / scale)
        draw_head (cr,
                   (WeirPoint) { a.x + (b.x - a.x) * at / length, a.y + (b.y - a.y) * at / length },
                   (b.x - a.x) / length, (b.y - a.y) / length, width / 2.5);
      left = at - length;
    }
  cairo_stroke (cr);
}
