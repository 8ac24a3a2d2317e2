/* A clock that only goes forward, for timing calculations of some ten nanoseconds: what reading it
 * costs is taken off.
 */
#include <time.h>

#include "system/context/context-private.h"

guint64
weir_clock_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (guint64) t.tv_sec * 1000000000 + (guint64) t.tv_nsec;
}

/* Of two readings, one right after the other. */
static guint64
measure_cost (void)
{
  static gsize cost; /* ns + 1 once known */

  if (g_once_init_enter (&cost))
    {
      guint64 best = G_MAXUINT64;

      for (guint i = 0; i < 64; i++)
        {
          guint64 start = weir_clock_ns ();

          best = MIN (best, weir_clock_ns () - start);
        }
      g_once_init_leave (&cost, best + 1);
    }
  return cost - 1;
}

guint64
weir_clock_since (guint64 start)
{
  guint64 ns = weir_clock_ns () - start, cost = measure_cost ();

  return ns > cost ? ns - cost : 0;
}
