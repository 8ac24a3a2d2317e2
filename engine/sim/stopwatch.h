/* How long something takes that is done very often: the first times are measured, then one in
 * sixteen, so that looking at the clock costs next to nothing.
 *
 * Thread: *owner*.
 */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

typedef struct {
  guint64 n, n_measured;
  gint64 ns; /* of those measured */
} WeirStopwatch;

#define WEIR_STOPWATCH_FIRST 64
#define WEIR_STOPWATCH_EVERY 16

/* ns that this thread has waited for somebody, within what is being measured. */
extern _Thread_local gint64 weir_stopwatch_idle;

static inline gint64
weir_stopwatch_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec - weir_stopwatch_idle;
}

/* What weir_stopwatch_end() is to get. */
static inline gint64
weir_stopwatch_begin (WeirStopwatch *self)
{
  guint64 n = self->n++;

  return G_LIKELY (n >= WEIR_STOPWATCH_FIRST && n % WEIR_STOPWATCH_EVERY != 0)
             ? 0
             : weir_stopwatch_now ();
}

static inline void
weir_stopwatch_end (WeirStopwatch *self, gint64 begin)
{
  if (G_LIKELY (begin == 0))
    return;
  self->ns += weir_stopwatch_now () - begin;
  self->n_measured++;
}

/* All of it, in seconds, as far as it is known. */
static inline double
weir_stopwatch_get_total (const WeirStopwatch *self)
{
  return self->n_measured > 0
             ? 1e-9 * (double) self->ns / (double) self->n_measured * (double) self->n
             : 0;
}

G_END_DECLS
