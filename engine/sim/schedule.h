/* When periodic events fall.
 *
 * Event n is at offset + n period, always by multiplication from the index, so that nothing drifts.
 * Two times that differ by no more than the rounding of such products are one instant: 0.1 * 3 and
 * 0.3.
 *
 * Thread: *any*.
 */
#pragma once

#include <math.h>

#include <glib.h>

G_BEGIN_DECLS

/* Each of two times has at most two roundings of half a unit in the last place, and one of the
 * period it was made from: four units cover both. */
#define WEIR_INSTANT_TOLERANCE (4 * 2.220446049250313e-16)

static inline gboolean
weir_is_same_instant (double a, double b)
{
  return a == b || fabs (a - b) <= WEIR_INSTANT_TOLERANCE * fmin (fabs (a), fabs (b));
}

static inline double
weir_periodic_time (double period, double offset, gint64 n)
{
  return offset + (double) n * period;
}

/* The least n >= 0 whose event is at @t (as an instant) or later; @after: strictly later. */
gint64 weir_periodic_find (double period, double offset, double t, gboolean after);

G_END_DECLS
