/* When periodic events fall. See schedule.h. */
#include "sim/schedule.h"

#define MOST_PERIODS 0x1p61
#define USUAL_TRIES 8

gint64
weir_periodic_find (double period, double offset, double t, gboolean after)
{
  double quotient = (t - offset) / period;
  gint64 n = quotient > 0 ? (gint64) fmin (floor (quotient), MOST_PERIODS) : 0, step = 1;

  /* The quotient is rounded: begin one early and let the events' own times decide. Where the period
   * is lost in their rounding, the way to the first that is told apart is long. */
  n = MAX (n - 1, 0);
  for (guint i = 0; n < (gint64) MOST_PERIODS; i++)
    {
      double time = weir_periodic_time (period, offset, n);

      if (weir_is_same_instant (time, t) ? !after : time > t)
        break;
      step = i < USUAL_TRIES ? 1 : 2 * step;
      n += step;
    }
  return n;
}
