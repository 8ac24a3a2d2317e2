/* A tally: how often each entry was computed, read and put out of date while a trace is replayed,
 * as the engine counts it (engine/system/context/counters.c).
 *
 * Counts are kept by binary digit, 64 entries a word, so that counting a set of entries costs two
 * or three operations a word however many are in it. All of a tally is one block, so that keeping
 * one for later is a memcpy. Thread: *owner*.
 */
#pragma once

#include "analysis/trace.h"
#include "base/bits.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_TALLY_COMPUTED,  /* with caching on, for the entry too */
  WEIR_TALLY_ENTRY_OFF, /* computed with the entry's caching off */
  WEIR_TALLY_OFF,       /* computed with caching off as a whole */
  WEIR_TALLY_READ,      /* but by the declared reads of eager calculations */
  WEIR_TALLY_INVALIDATED,
  WEIR_N_TALLIES,
} WeirTallyKind;

#define WEIR_TALLY_DIGITS 32

typedef struct {
  guint n_entries, n_sources;
  gsize n_words;     /* of 64 entries */
  gsize size;        /* of the block, in words */
  guint64 *block;    /* all of the following */
  guint64 *n_events; /* number of the last change event; 0 = none yet */
  guint64 *last;     /* by source: number of its last change event; 0 = none yet */
  guint64 *digits;   /* by kind, word and digit */
} WeirTally;

WeirTally *weir_tally_new (const WeirTrace *trace);
void weir_tally_free (WeirTally *self);
void weir_tally_clear (WeirTally *self);

/* Counts the entries whose bits are set in word @w. */
static inline void
weir_tally_add (WeirTally *self, WeirTallyKind kind, gsize w, guint64 bits)
{
  guint64 *digit = self->digits + (kind * self->n_words + w) * WEIR_TALLY_DIGITS;

  for (const guint64 *end = digit + WEIR_TALLY_DIGITS; bits != 0 && digit < end; digit++)
    {
      guint64 carried = *digit & bits;

      *digit ^= bits;
      bits = carried;
    }
}

static inline void
weir_tally_add_one (WeirTally *self, WeirTallyKind kind, guint32 entry)
{
  weir_tally_add (self, kind, entry / 64, G_GUINT64_CONSTANT (1) << (entry % 64));
}

/* The engine's counters, from 0 at the trace's beginning. @known: entries that had a value there.
 * @counters: by entry. */
void weir_tally_read (const WeirTally *self, const WeirTrace *trace, const guint64 *known,
                      WeirCounters *counters);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTally, weir_tally_free)

G_END_DECLS
