/* How long something takes that is done very often: the first times are measured, then one in
 * sixteen, so that looking at the clock costs next to nothing. The first ones, which touch memory
 * that nobody touched before, and those that were interrupted stand for themselves alone.
 *
 * Thread: *owner*.
 */
#pragma once

#include <glib.h>
#include <time.h>

G_BEGIN_DECLS

typedef struct {
  guint64 n, n_samples; /* samples: measured later than the first, and as others of their kind */
  gint64 ns;            /* of the samples */
  gint64 ns_alone;      /* of what stands for itself */
} WeirStopwatch;

#define WEIR_STOPWATCH_FIRST 16
#define WEIR_STOPWATCH_EVERY 16
#define WEIR_STOPWATCH_INTERRUPTED 20 /* so many times as long as others are on average */

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
  gint64 ns;

  if (G_LIKELY (begin == 0))
    return;
  ns = weir_stopwatch_now () - begin;
  if (self->n <= WEIR_STOPWATCH_FIRST
      || (double) ns * (double) (WEIR_STOPWATCH_FIRST + self->n_samples)
             > WEIR_STOPWATCH_INTERRUPTED * (double) (self->ns_alone + self->ns))
    self->ns_alone += ns;
  else
    {
      self->ns += ns;
      self->n_samples++;
    }
}

/* All of it, in seconds, as far as it is known. */
static inline double
weir_stopwatch_get_total (const WeirStopwatch *self)
{
  double ns = (double) self->ns_alone;

  if (self->n_samples > 0)
    ns += (double) self->ns / (double) self->n_samples * (double) (self->n - WEIR_STOPWATCH_FIRST);
  return 1e-9 * ns;
}

G_END_DECLS
