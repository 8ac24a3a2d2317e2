/* The ink of formulas: letters by Pango, and the signs that grow with what they stand beside as
 * paths. */
#include "paint/text/formula-private.h"

#include <string.h>

static void
draw_root (cairo_t *cr, const WeirInk *ink)
{
  double w = ink->width, h = ink->height, hook = MIN (0.42 * ink->size, 0.5 * h);

  cairo_move_to (cr, 0.08 * w, h - hook);
  cairo_line_to (cr, 0.26 * w, h - 1.15 * hook);
  cairo_line_to (cr, 0.54 * w, h);
  cairo_line_to (cr, w, 0.0275 * ink->size);
  cairo_set_line_width (cr, 0.055 * ink->size);
  cairo_stroke (cr);
}

static void
draw_brace (cairo_t *cr, double w, double h)
{
  double m = 0.5 * w, r = MIN (0.5 * w, h / 4);

  cairo_move_to (cr, 0.95 * w, 0);
  cairo_curve_to (cr, m, 0, m, 0, m, r);
  cairo_line_to (cr, m, h / 2 - r);
  cairo_curve_to (cr, m, h / 2, m, h / 2, 0.05 * w, h / 2);
  cairo_curve_to (cr, m, h / 2, m, h / 2, m, h / 2 + r);
  cairo_line_to (cr, m, h - r);
  cairo_curve_to (cr, m, h, m, h, 0.95 * w, h);
}

static void
draw_fence (cairo_t *cr, const WeirInk *ink)
{
  static const char *const opening[] = { "(", "[", "{", "⟨", "⌊", "⌈" };
  static const char *const closing[] = { ")", "]", "}", "⟩", "⌋", "⌉" };
  double w = ink->width, h = ink->height;
  const char *kind = ink->text;

  for (guint i = 0; i < G_N_ELEMENTS (closing); i++)
    if (strcmp (kind, closing[i]) == 0)
      {
        cairo_translate (cr, w, 0);
        cairo_scale (cr, -1, 1);
        kind = opening[i];
      }
  cairo_set_line_width (cr, 0.07 * ink->size);
  if (strcmp (kind, "(") == 0)
    {
      /* Thick in the middle, thin at the ends. */
      cairo_move_to (cr, 0.85 * w, 0);
      cairo_curve_to (cr, 0.1 * w, 0.25 * h, 0.1 * w, 0.75 * h, 0.85 * w, h);
      cairo_curve_to (cr, 0.1 * w + 0.1 * ink->size, 0.75 * h, 0.1 * w + 0.1 * ink->size, 0.25 * h,
                      0.85 * w, 0);
      cairo_close_path (cr);
      cairo_fill_preserve (cr);
      cairo_set_line_width (cr, 0.03 * ink->size);
    }
  else if (strcmp (kind, "{") == 0)
    draw_brace (cr, w, h);
  else if (strcmp (kind, "⟨") == 0)
    {
      cairo_move_to (cr, 0.8 * w, 0);
      cairo_line_to (cr, 0.25 * w, h / 2);
      cairo_line_to (cr, 0.8 * w, h);
    }
  else if (strcmp (kind, "|") == 0 || strcmp (kind, "‖") == 0)
    for (int i = 0; i < (kind[0] == '|' ? 1 : 2); i++)
      {
        double x = kind[0] == '|' ? w / 2 : (0.3 + 0.4 * i) * w;

        cairo_move_to (cr, x, 0);
        cairo_line_to (cr, x, h);
      }
  else
    {
      cairo_move_to (cr, 0.85 * w, 0);
      if (strcmp (kind, "⌊") == 0)
        cairo_move_to (cr, 0.3 * w, 0);
      else
        cairo_line_to (cr, 0.3 * w, 0);
      cairo_line_to (cr, 0.3 * w, h);
      if (strcmp (kind, "⌈") != 0)
        cairo_line_to (cr, 0.85 * w, h);
    }
  cairo_stroke (cr);
}

static void
draw_over (cairo_t *cr, const WeirInk *ink)
{
  double w = ink->width, h = ink->height;

  cairo_set_line_width (cr, 0.06 * ink->size);
  switch (ink->kind)
    {
    case WEIR_INK_HAT:
      cairo_move_to (cr, 0.1 * w, h);
      cairo_line_to (cr, w / 2, 0);
      cairo_line_to (cr, 0.9 * w, h);
      break;
    case WEIR_INK_TILDE:
      cairo_move_to (cr, 0, 0.8 * h);
      cairo_curve_to (cr, 0.35 * w, -0.6 * h, 0.65 * w, 1.6 * h, w, 0.2 * h);
      break;
    default:
      cairo_move_to (cr, 0, h / 2);
      cairo_line_to (cr, w, h / 2);
      cairo_move_to (cr, w - 0.8 * h, 0);
      cairo_line_to (cr, w, h / 2);
      cairo_line_to (cr, w - 0.8 * h, h);
      break;
    }
  cairo_stroke (cr);
}

void
weir_ink_draw (WeirPen *pen, const WeirInk *ink)
{
  cairo_t *cr = pen->cr;

  switch (ink->kind)
    {
    case WEIR_INK_TEXT:
      weir_ink_set_font (pen->layout, ink->face, ink->size);
      pango_layout_set_width (pen->layout, -1);
      pango_layout_set_text (pen->layout, ink->text, -1);
      cairo_move_to (cr, ink->x, ink->y);
      pango_cairo_show_layout_line (cr, pango_layout_get_line_readonly (pen->layout, 0));
      return;
    case WEIR_INK_RULE:
      cairo_rectangle (cr, ink->x, ink->y, ink->width, ink->height);
      cairo_fill (cr);
      return;
    case WEIR_INK_DOT:
      cairo_new_sub_path (cr);
      cairo_arc (cr, ink->x + ink->width / 2, ink->y + ink->height / 2, ink->width / 2, 0,
                 2 * G_PI);
      cairo_fill (cr);
      return;
    case WEIR_INK_ROOT:
    case WEIR_INK_HAT:
    case WEIR_INK_TILDE:
    case WEIR_INK_ARROW:
    case WEIR_INK_FENCE:
    default:
      break;
    }
  cairo_save (cr);
  cairo_translate (cr, ink->x, ink->y);
  if (ink->kind == WEIR_INK_ROOT)
    draw_root (cr, ink);
  else if (ink->kind == WEIR_INK_FENCE)
    draw_fence (cr, ink);
  else
    draw_over (cr, ink);
  cairo_restore (cr);
}
