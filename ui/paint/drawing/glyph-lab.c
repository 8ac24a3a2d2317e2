/* Pictograms of the cache lab, and the mark that tells blocks which break a rule on purpose from
 * sound ones.
 *
 * What is not declared, or declared without need, is dashed. The mark is a striped band along the
 * lower edge, told by its shape in any colours.
 */
#include "paint/drawing/glyph.h"

#include <math.h>

#define BAND_HEIGHT 6.0
#define BAND_STRIPE 5.0

static void
stroke_dashed (WeirPen *pen)
{
  cairo_save (pen->cr);
  cairo_set_dash (pen->cr, (const double[]) { 2.5, 3 }, 2, 0);
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}

static void
move_into (cairo_t *cr, WeirRect f, double x, double y)
{
  cairo_move_to (cr, f.x + f.width * x, f.y + f.height * (1 - y));
}

static void
line_into (cairo_t *cr, WeirRect f, double x, double y)
{
  cairo_line_to (cr, f.x + f.width * x, f.y + f.height * (1 - y));
}

/* A value under the magnifying glass. */
static void
draw_probe (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.6);
  double r = f.width * 0.33;
  WeirPoint c = { f.x + f.width * 0.4, f.y + f.height * 0.4 };

  cairo_arc (pen->cr, c.x, c.y, r, 0, 2 * G_PI);
  cairo_stroke (pen->cr);
  cairo_move_to (pen->cr, c.x + r * G_SQRT2 / 2, c.y + r * G_SQRT2 / 2);
  cairo_line_to (pen->cr, f.x + f.width, f.y + f.height);
  cairo_stroke (pen->cr);
  cairo_rectangle (pen->cr, c.x - r * 0.4, c.y - r * 0.4, r * 0.8, r * 0.8);
  cairo_fill (pen->cr);
}

/* Two lines into a sum, the second one forgotten on the way. */
static void
draw_forgetful (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.6);
  double size = f.height * 0.75;

  weir_pen_text (pen, "Σ", size, f.x + f.width * 0.75, f.y + f.height / 2, 0.5, 0.5, 0);
  move_into (pen->cr, f, 0, 0.85);
  line_into (pen->cr, f, 0.45, 0.6);
  cairo_stroke (pen->cr);
  move_into (pen->cr, f, 0, 0.15);
  line_into (pen->cr, f, 0.3, 0.32);
  stroke_dashed (pen);
  weir_pen_text (pen, "?", size * 0.55, f.x + f.width * 0.42, f.y + f.height * 0.66, 0.5, 0.5, 0);
}

/* The factor in a ring of arrows that come from everywhere. */
static void
draw_cautious (WeirPen *pen, const WeirBlockShape *shape)
{
  const char *gain = weir_block_get_effective_parameter (shape->block, "gain");
  WeirRect f = weir_glyph_get_field (shape, 0.72);
  WeirPoint c = weir_rect_get_center (f);
  const int n = 8;

  for (int i = 0; i < n; i++)
    {
      double angle = 2 * G_PI * i / n, dx = cos (angle), dy = sin (angle);
      double outer = f.width * 0.5, inner = f.width * 0.36, barb = f.width * 0.07;
      double x = c.x + inner * dx, y = c.y + inner * dy;

      cairo_move_to (pen->cr, c.x + outer * dx, c.y + outer * dy);
      cairo_line_to (pen->cr, x, y);
      cairo_move_to (pen->cr, x + barb * (dx - dy), y + barb * (dy + dx));
      cairo_line_to (pen->cr, x, y);
      cairo_line_to (pen->cr, x + barb * (dx + dy), y + barb * (dy - dx));
    }
  cairo_stroke (pen->cr);
  weir_pen_text (pen, gain != NULL ? gain : "?", f.height * 0.3, c.x, c.y, 0.5, 0.5, f.width * 0.5);
}

/* A circle that leads back into itself, around a number that should not be there. */
static void
draw_memory (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.58);
  WeirPoint c = weir_rect_get_center (f);
  double r = f.width * 0.45, barb = f.width * 0.15, end = -0.25 * G_PI;
  WeirPoint tip = { c.x + r * cos (end), c.y + r * sin (end) };

  cairo_arc (pen->cr, c.x, c.y, r, 0.05 * G_PI, 2 * G_PI + end);
  stroke_dashed (pen);
  cairo_move_to (pen->cr, tip.x - barb * 1.3, tip.y - barb * 0.1);
  cairo_line_to (pen->cr, tip.x, tip.y);
  cairo_line_to (pen->cr, tip.x + barb * 0.1, tip.y - barb * 1.3);
  cairo_stroke (pen->cr);
  weir_pen_text (pen, "n", f.height * 0.46, c.x, c.y, 0.5, 0.5, 0);
}

/* An hourglass. */
static void
draw_slow (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.56);

  move_into (pen->cr, f, 0.15, 1);
  line_into (pen->cr, f, 0.85, 1);
  line_into (pen->cr, f, 0.15, 0);
  line_into (pen->cr, f, 0.85, 0);
  line_into (pen->cr, f, 0.15, 1);
  cairo_stroke (pen->cr);
  move_into (pen->cr, f, 0.3, 0.1);
  line_into (pen->cr, f, 0.7, 0.1);
  line_into (pen->cr, f, 0.5, 0.3);
  cairo_close_path (pen->cr);
  cairo_fill (pen->cr);
}

/* One line that becomes many. */
static void
draw_fan (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect f = weir_glyph_get_field (shape, 0.6);

  move_into (pen->cr, f, 0, 0.5);
  line_into (pen->cr, f, 0.35, 0.5);
  for (int i = 0; i < 4; i++)
    {
      move_into (pen->cr, f, 0.35, 0.5);
      line_into (pen->cr, f, 0.95, i / 3.0);
    }
  cairo_stroke (pen->cr);
  cairo_arc (pen->cr, f.x + f.width * 0.35, f.y + f.height * 0.5, f.width * 0.07, 0, 2 * G_PI);
  cairo_fill (pen->cr);
}

static const struct {
  const char *type;
  void (*draw) (WeirPen *pen, const WeirBlockShape *shape);
} glyphs[] = {
  { "CacheProbe", draw_probe },
  { "ForgetfulSum", draw_forgetful },
  { "CautiousGain", draw_cautious },
  { "HiddenMemory", draw_memory },
  { "Slow", draw_slow },
  { "FanOut", draw_fan },
};

gboolean
weir_glyph_draw_lab (WeirPen *pen, const WeirBlockShape *shape)
{
  for (guint i = 0; i < G_N_ELEMENTS (glyphs); i++)
    if (g_str_equal (glyphs[i].type, weir_block_get_type_name (shape->block)))
      {
        glyphs[i].draw (pen, shape);
        return TRUE;
      }
  return FALSE;
}

void
weir_glyph_draw_diagnostic_mark (WeirPen *pen, const WeirBlockShape *shape)
{
  WeirRect box = shape->box;
  double top = box.y + box.height - BAND_HEIGHT;

  cairo_save (pen->cr);
  weir_outline_path (pen->cr, shape);
  cairo_clip (pen->cr);
  cairo_rectangle (pen->cr, box.x, top, box.width, BAND_HEIGHT);
  cairo_clip (pen->cr);
  weir_set_source (pen->cr, pen->palette->stroke);
  cairo_set_line_cap (pen->cr, CAIRO_LINE_CAP_BUTT);
  cairo_set_line_width (pen->cr, BAND_STRIPE * 0.45);
  for (double x = box.x - BAND_HEIGHT; x < box.x + box.width + BAND_HEIGHT; x += BAND_STRIPE)
    {
      cairo_move_to (pen->cr, x, top + BAND_HEIGHT + 1);
      cairo_line_to (pen->cr, x + BAND_HEIGHT + 2, top - 1);
    }
  cairo_stroke (pen->cr);
  cairo_restore (pen->cr);
}
