/* Writing with a pen. See pen.h. */
#include "paint/ground/pen.h"

void
weir_pen_init (WeirPen *pen, cairo_t *cr, const WeirPalette *palette, double scale)
{
  cairo_font_options_t *options = cairo_font_options_create ();

  *pen = (WeirPen) { cr, palette, scale, pango_cairo_create_layout (cr) };
  /* Text scales with the diagram: no hinting, which would make widths depend on the zoom. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (pango_layout_get_context (pen->layout), options);
  pango_layout_context_changed (pen->layout);
  cairo_font_options_destroy (options);
}

void
weir_pen_clear (WeirPen *pen)
{
  g_clear_object (&pen->layout);
}

static void
set_text (WeirPen *pen, const char *text, double size)
{
  PangoFontDescription *font = pango_font_description_from_string (WEIR_FONT);

  pango_font_description_set_absolute_size (font, size * PANGO_SCALE);
  pango_layout_set_font_description (pen->layout, font);
  pango_font_description_free (font);
  pango_layout_set_width (pen->layout, -1);
  pango_layout_set_text (pen->layout, text, -1);
}

double
weir_pen_get_text_width (WeirPen *pen, const char *text, double size)
{
  int width;

  set_text (pen, text, size);
  pango_layout_get_size (pen->layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

void
weir_pen_text (WeirPen *pen, const char *text, double size, double x, double y, double align_x,
               double align_y, double width)
{
  int w, h;

  set_text (pen, text, size);
  pango_layout_get_size (pen->layout, &w, &h);
  if (width > 0 && (double) w / PANGO_SCALE > width)
    {
      pango_layout_set_ellipsize (pen->layout, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (pen->layout, (int) (width * PANGO_SCALE));
      pango_layout_get_size (pen->layout, &w, &h);
    }
  cairo_move_to (pen->cr, x - align_x * w / PANGO_SCALE, y - align_y * h / PANGO_SCALE);
  pango_cairo_show_layout (pen->cr, pen->layout);
}

void
weir_rounded_path (cairo_t *cr, WeirRect rect, double radius)
{
  double r = MIN (radius, MIN (rect.width, rect.height) / 2);

  cairo_new_sub_path (cr);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + r, r, -0.5 * G_PI, 0);
  cairo_arc (cr, rect.x + rect.width - r, rect.y + rect.height - r, r, 0, 0.5 * G_PI);
  cairo_arc (cr, rect.x + r, rect.y + rect.height - r, r, 0.5 * G_PI, G_PI);
  cairo_arc (cr, rect.x + r, rect.y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}
