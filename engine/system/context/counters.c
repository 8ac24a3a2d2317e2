/* Counters, derived on reading.
 *
 * What runs counts only calculations, as steps: a kernel call over entries [a, b) adds one at a and
 * takes one away at b, so that the running sum at an entry is how often it was calculated. An
 * entry's requests follow: each calculation of a consumer reads it once per declared read; reads
 * from outside, and lazy and undeclared ones, are counted as they come. A request that did not
 * compute was a hit. With caching off as a whole nothing is reused between requests, so no hits are
 * counted and calculations count as misses of their own kind. Invalidations are the events of each
 * source, spread over what is downstream of it, and the joint events, kept as steps too.
 */
#include "system/change/explain.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"

#include <string.h>
#include <time.h>

void
weir_context_read_counters (const WeirContext *self, WeirCounters *counters)
{
  const WeirLayout *layout = self->layout;
  guint32 n = layout->n_entries;
  guint64 calcs = 0, off = 0, joint = 0;
  g_autofree guint64 *requests = g_memdup2 (self->reads, MAX (n, 1) * sizeof (guint64));
  g_autofree guint64 *invalidations = g_new0 (guint64, MAX (n, 1));
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));

  for (guint32 s = 0; s < layout->n_sources; s++)
    if (self->source_events[s] > 0)
      weir_masks_count (layout->masks, s, self->source_events[s], invalidations, scratch);
  for (guint32 e = 0; e < n; e++)
    {
      guint64 made;

      calcs += self->calc_steps[e];
      made = calcs + self->entry_off[e];
      if (made > 0 && !weir_bit (layout->lazy, e))
        for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
          requests[layout->ups[k]] += made;
    }
  calcs = 0;
  for (guint32 e = 0; e < n; e++)
    {
      guint64 made, first;

      calcs += self->calc_steps[e];
      off += self->off_steps[e];
      joint += self->joint_steps[e];
      made = calcs + self->entry_off[e];
      first = calcs > 0 ? 1 : 0;
      counters[e] = (WeirCounters) {
        .hits = requests[e] > made ? requests[e] - made : 0,
        .first = first,
        .stale = calcs - first,
        .disabled = self->entry_off[e] + off,
        .invalidations = invalidations[e] + joint,
      };
    }
}

void
weir_context_clear_counters (WeirContext *self)
{
  const WeirLayout *layout = self->layout;
  guint64 calcs = 0;

  for (guint32 e = 0; e < layout->n_entries; e++) /* serial numbers go on */
    {
      calcs += self->calc_steps[e] + self->off_steps[e];
      self->rewrites[e] += calcs + self->entry_off[e];
    }
  memset (self->calc_steps, 0,
          (gsize) (layout->arena.size - layout->arena.calc_steps) * sizeof (guint64));
}

guint64
weir_context_get_n_events (const WeirContext *self)
{
  return *self->n_events;
}

gboolean
weir_context_has_changed_since (const WeirContext *self, guint64 event)
{
  if (*self->n_events == event)
    return FALSE;
  for (guint32 s = 0; s < self->layout->n_sources; s++)
    if (self->source_last[s] > event && s != WEIR_SOURCE_TIME && s != WEIR_SOURCE_STATE
        && s != WEIR_SOURCE_TIME_STATE)
      return TRUE;
  return FALSE;
}

void
weir_context_read_source_events (const WeirContext *self, guint64 *last)
{
  memcpy (last, self->source_last, self->layout->n_sources * sizeof *last);
}

double
weir_context_get_mean_sweep_ns (const WeirContext *self)
{
  if (self->n_sweeps_timed == 0)
    return 0;
  return MAX ((double) self->sweep_ns / (double) self->n_sweeps_timed, 0.01);
}

double
weir_context_get_mean_ns (const WeirContext *self, WeirEntry entry)
{
  guint32 s = self->layout->segment_of[entry.i];

  if (self->segment_timed[s] == 0)
    return 0;
  /* Timed, but too short for the clock, is not the same as never timed. */
  return MAX ((double) self->segment_ns[s] / (double) self->segment_timed[s], 0.01);
}

/* --- Snapshots of flags ---------------------------------------------------------------------- */

WeirFlags *
weir_context_copy_flags (const WeirContext *context)
{
  const WeirLayout *layout = context->layout;
  gsize bytes = MAX (layout->n_words, 1) * sizeof (guint64);
  WeirFlags *self = g_new0 (WeirFlags, 1);
  guint64 calcs = 0;

  self->n_entries = layout->n_entries;
  self->n_sources = layout->n_sources;
  self->stale = g_memdup2 (context->stale, bytes);
  self->disabled = g_memdup2 (context->disabled, bytes);
  self->computed = g_malloc0 (bytes);
  self->source_last = g_memdup2 (context->source_last, layout->n_sources * sizeof (guint64));
  self->n_events = *context->n_events;
  for (guint32 e = 0; e < layout->n_entries; e++)
    {
      calcs += context->calc_steps[e] + context->off_steps[e];
      if (calcs + context->entry_off[e] + context->rewrites[e] > 0)
        weir_bit_set (self->computed, e);
    }
  return self;
}

/* --- The clock: costs of calculations, some ten nanoseconds each ------------------------------ */

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
