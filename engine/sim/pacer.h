/* Keeping a run to the wall clock: when a simulated time is due.
 *
 * A run that falls more than a second behind does not try to catch up: the clock starts again.
 * Thread: the caller's; it sleeps itself.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double rate; /* simulated seconds per second; 0 = as fast as possible */
  double time; /* s; simulated time that was due at ... */
  gint64 wall; /* us, monotonic; 0 = to be set by the next look */
} WeirPacer;

#define WEIR_PACER_MAX_LAG G_USEC_PER_SEC

/* The clock starts again at the next look: after a pause, or where nothing is to be made up for. */
static inline void
weir_pacer_restart (WeirPacer *self)
{
  self->wall = 0;
}

static inline void
weir_pacer_set_rate (WeirPacer *self, double rate)
{
  self->rate = rate;
  self->wall = 0;
}

/* When @time is due (us, monotonic), looked at @now; at most @now: go on. */
static inline gint64
weir_pacer_look (WeirPacer *self, double time, gint64 now)
{
  double due;

  if (self->rate <= 0)
    return now;
  due = (double) self->wall + (time - self->time) / self->rate * (double) G_USEC_PER_SEC;
  if (self->wall == 0 || (double) now - due > (double) WEIR_PACER_MAX_LAG)
    {
      self->wall = now;
      self->time = time;
      return now;
    }
  return due < 9e18 ? (gint64) due : G_MAXINT64; /* a tiny rate: never */
}

G_END_DECLS
