/* Counting while a trace is replayed. See replay-private.h. */
#include "analysis/replay-private.h"

#include <string.h>

WeirTally *
weir_tally_new (const WeirTrace *trace)
{
  WeirTally *self = g_new0 (WeirTally, 1);

  self->n_entries = weir_trace_get_n_entries (trace);
  self->n_sources = weir_trace_get_n_sources (trace);
  self->n_words = weir_bits_n_words (self->n_entries);
  self->size = 1 + self->n_sources + WEIR_N_TALLIES * self->n_words * WEIR_TALLY_DIGITS;
  self->block = g_new0 (guint64, self->size);
  self->n_events = self->block;
  self->last = self->n_events + 1;
  self->digits = self->last + self->n_sources;
  return self;
}

void
weir_tally_free (WeirTally *self)
{
  if (self == NULL)
    return;
  g_free (self->block);
  g_free (self);
}

void
weir_tally_clear (WeirTally *self)
{
  memset (self->block, 0, self->size * sizeof *self->block);
}

/* Spreads the digits of one kind; @counts: by entry. */
static void
spread (const WeirTally *self, WeirTallyKind kind, guint64 *counts)
{
  const guint64 *digit = self->digits + kind * self->n_words * WEIR_TALLY_DIGITS;

  memset (counts, 0, self->n_entries * sizeof *counts);
  for (gsize w = 0; w < self->n_words; w++)
    for (guint k = 0; k < WEIR_TALLY_DIGITS; k++, digit++)
      for (guint64 left = *digit; left != 0; left &= left - 1)
        counts[w * 64 + (guint) __builtin_ctzll (left)] += G_GUINT64_CONSTANT (1) << k;
}

void
weir_tally_read (const WeirTally *self, const WeirTrace *trace, const guint64 *known,
                 WeirCounters *counters)
{
  gsize n = MAX (self->n_entries, 1);
  g_autofree guint64 *computed = g_new (guint64, n), *entry_off = g_new (guint64, n);
  g_autofree guint64 *off = g_new (guint64, n), *reads = g_new (guint64, n);
  g_autofree guint64 *invalidated = g_new (guint64, n);

  spread (self, WEIR_TALLY_COMPUTED, computed);
  spread (self, WEIR_TALLY_ENTRY_OFF, entry_off);
  spread (self, WEIR_TALLY_OFF, off);
  spread (self, WEIR_TALLY_READ, reads);
  spread (self, WEIR_TALLY_INVALIDATED, invalidated);
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      guint64 made = computed[e] + entry_off[e];
      guint n_reads = 0;
      const guint32 *list = made > 0 && !weir_trace_is_lazy (trace, e)
                                ? weir_trace_get_reads (trace, e, &n_reads)
                                : NULL;

      for (guint k = 0; k < n_reads; k++)
        reads[list[k]] += made;
    }
  for (guint32 e = 0; e < self->n_entries; e++)
    {
      guint64 made = computed[e] + entry_off[e];
      guint64 first = computed[e] > 0 && !weir_bit (known, e);

      counters[e] = (WeirCounters) {
        .hits = reads[e] > made ? reads[e] - made : 0,
        .first = first,
        .stale = computed[e] - first,
        .disabled = entry_off[e] + off[e],
        .invalidations = invalidated[e],
      };
    }
}
