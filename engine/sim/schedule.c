/* When periodic events fall. See schedule.h. */
#include "sim/schedule.h"

gint64
weir_periodic_find (double period, double offset, double t, gboolean after)
{
  double quotient = (t - offset) / period;
  gint64 n = quotient > 0 ? (gint64) floor (quotient) : 0;

  /* The quotient is rounded: begin one early and let the events' own times decide. */
  n = MAX (n - 1, 0);
  for (;;)
    {
      double time = weir_periodic_time (period, offset, n);

      if (weir_is_same_instant (time, t) ? !after : time > t)
        return n;
      n++;
    }
}
