/* The signs of a cache entry's state: a shape and a colour each (Okabe and Ito's), the same on the
 * canvas, in the table, in graphs and legends. Thread: *owner* of the cairo context.
 */
#pragma once

#include "paint/ground/palette.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_BADGE_NONE,
  WEIR_BADGE_NEVER,     /* hollow dashed ring: no value yet */
  WEIR_BADGE_FRESH,     /* disc: usable as it is */
  WEIR_BADGE_STALE,     /* half disc, half hatched: something it is made from changed */
  WEIR_BADGE_COMPUTING, /* disc within an arc */
  WEIR_BADGE_DISABLED,  /* disc with a slash: recomputed at each request */
  WEIR_BADGE_HELD,      /* disc with a bar: may not be recomputed */
  WEIR_BADGE_FAULT,     /* square with a sign */
  WEIR_N_BADGES,
} WeirBadge;

const char *weir_badge_get_name (WeirBadge badge); /* "out of date", translated */
WeirColor weir_badge_get_color (WeirBadge badge, const WeirPalette *palette);
void weir_badge_draw (cairo_t *cr, WeirBadge badge, double x, double y, double radius,
                      const WeirPalette *palette);
/* The dash pattern of a line that carries a value of this state, in line widths; n is 0 for a solid
 * one. */
const double *weir_badge_get_dashes (WeirBadge badge, int *n);

G_END_DECLS
