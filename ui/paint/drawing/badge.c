/* The signs of a cache entry's state. See badge.h. */
#include "paint/drawing/badge.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/ground/pen.h"

const char *
weir_badge_get_name (WeirBadge badge)
{
  static const char *const names[WEIR_N_BADGES] = {
    [WEIR_BADGE_NONE] = N_ ("not cached"),     [WEIR_BADGE_NEVER] = N_ ("never computed"),
    [WEIR_BADGE_FRESH] = N_ ("up to date"),    [WEIR_BADGE_STALE] = N_ ("out of date"),
    [WEIR_BADGE_COMPUTING] = N_ ("computing"), [WEIR_BADGE_DISABLED] = N_ ("not cached"),
    [WEIR_BADGE_HELD] = N_ ("held"),           [WEIR_BADGE_FAULT] = N_ ("faulty"),
  };

  g_return_val_if_fail (badge < WEIR_N_BADGES, "");
  return _ (names[badge]);
}

WeirColor
weir_badge_get_color (WeirBadge badge, const WeirPalette *palette)
{
  g_return_val_if_fail (badge < WEIR_N_BADGES, palette->dim_text);
  return badge == WEIR_BADGE_NONE ? palette->dim_text : palette->states[badge - 1];
}

const double *
weir_badge_get_dashes (WeirBadge badge, int *n)
{
  static const double never[] = { 1, 2.4 }, stale[] = { 5, 2.2 }, disabled[] = { 6, 2, 1.4, 2 },
                      held[] = { 9, 1.6 };

  switch (badge)
    {
    case WEIR_BADGE_NEVER:
      *n = G_N_ELEMENTS (never);
      return never;
    case WEIR_BADGE_STALE:
      *n = G_N_ELEMENTS (stale);
      return stale;
    case WEIR_BADGE_DISABLED:
      *n = G_N_ELEMENTS (disabled);
      return disabled;
    case WEIR_BADGE_HELD:
      *n = G_N_ELEMENTS (held);
      return held;
    case WEIR_BADGE_NONE:
    case WEIR_BADGE_FRESH:
    case WEIR_BADGE_COMPUTING:
    case WEIR_BADGE_FAULT:
    case WEIR_N_BADGES:
    default:
      *n = 0;
      return NULL;
    }
}

/* Left half full, right half hatched: chords of the right half, at 45 degrees. */
static void
draw_stale (cairo_t *cr, double x, double y, double r)
{
  double inner = r * 0.86;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x, y, r, 0.5 * G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_arc (cr, x, y, inner, -0.5 * G_PI, 0.5 * G_PI);
  cairo_set_line_width (cr, r * 0.22);
  /* The line u = (px - py) / sqrt 2 = shift meets the circle at px = (shift +- h) / sqrt 2. */
  for (double shift = -0.35; shift <= 0.75; shift += 0.42)
    {
      double u = shift * inner, h = sqrt (inner * inner - u * u);
      double right = (u + h) / M_SQRT2, left = MAX ((u - h) / M_SQRT2, 0);

      cairo_move_to (cr, x + right, y + u * M_SQRT2 - right);
      cairo_line_to (cr, x + left, y + u * M_SQRT2 - left);
    }
  cairo_stroke (cr);
}

/* A stroke in the background's colour, so that it is seen on the sign. */
static void
draw_sign (cairo_t *cr, double x, double y, double r, WeirBadge badge, const WeirPalette *palette)
{
  weir_set_source (cr, palette->background);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_width (cr, r * 0.34);
  if (badge == WEIR_BADGE_DISABLED)
    {
      cairo_move_to (cr, x - r * 0.55, y + r * 0.55);
      cairo_line_to (cr, x + r * 0.55, y - r * 0.55);
    }
  else if (badge == WEIR_BADGE_HELD)
    {
      cairo_move_to (cr, x - r * 0.5, y);
      cairo_line_to (cr, x + r * 0.5, y);
    }
  else
    {
      cairo_move_to (cr, x, y - r * 0.55);
      cairo_line_to (cr, x, y + r * 0.1);
      cairo_move_to (cr, x, y + r * 0.55);
      cairo_line_to (cr, x, y + r * 0.55);
    }
  cairo_stroke (cr);
}

void
weir_badge_draw (cairo_t *cr, WeirBadge badge, double x, double y, double r,
                 const WeirPalette *palette)
{
  if (badge == WEIR_BADGE_NONE)
    return;
  cairo_save (cr);
  cairo_new_path (cr);
  weir_set_source (cr, weir_badge_get_color (badge, palette));
  cairo_set_line_width (cr, r * 0.28);
  switch (badge)
    {
    case WEIR_BADGE_NEVER:
      cairo_set_dash (cr, (const double[]) { r * 0.55, r * 0.4 }, 2, 0);
      weir_circle_path (cr, x, y, r * 0.86);
      cairo_stroke (cr);
      break;
    case WEIR_BADGE_STALE:
      draw_stale (cr, x, y, r);
      break;
    case WEIR_BADGE_COMPUTING:
      weir_circle_path (cr, x, y, r * 0.5);
      cairo_fill (cr);
      cairo_arc (cr, x, y, r * 0.86, -0.5 * G_PI, G_PI);
      cairo_stroke (cr);
      break;
    case WEIR_BADGE_FAULT:
      cairo_rectangle (cr, x - r * 0.9, y - r * 0.9, r * 1.8, r * 1.8);
      cairo_fill (cr);
      draw_sign (cr, x, y, r, badge, palette);
      break;
    case WEIR_BADGE_FRESH:
    case WEIR_BADGE_DISABLED:
    case WEIR_BADGE_HELD:
      weir_circle_path (cr, x, y, r);
      cairo_fill (cr);
      if (badge != WEIR_BADGE_FRESH)
        draw_sign (cr, x, y, r, badge, palette);
      break;
    case WEIR_BADGE_NONE:
    case WEIR_N_BADGES:
    default:
      break;
    }
  cairo_restore (cr);
}
