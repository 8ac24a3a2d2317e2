/* A replay's inside: where it is, the flags there, and what it counts on the way. */
#pragma once

#include "analysis/replay.h"
#include "analysis/trace-private.h"
#include "analysis/trace.h"
#include "base/bits.h"

G_BEGIN_DECLS

/* --- Tally ----------------------------------------------------------------------------------- */

/* A tally: how often each entry was computed, read and put out of date while a trace is replayed,
 * as the engine counts it (engine/system/context/counters.c).
 *
 * Counts are kept by binary digit, 64 entries a word, so that counting a set of entries costs two
 * or three operations a word however many are in it. All of a tally is one block, so that keeping
 * one for later is a memcpy. Thread: *owner*.
 */

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

/* --- Replay ---------------------------------------------------------------------------------- */

/* What happened within a request, in order. */
typedef struct {
  gboolean is_read; /* a read that is known by name: of entry by reader; else an evaluation */
  guint32 entry, reader;
  WeirLogReason reason;
  gboolean has_failed;
  gint changed;
  guint32 ns;
} WeirReplayItem;

/* A tracker on the way to where a walk is, and the subscriber that is next. */
typedef struct {
  guint32 tracker, next;
} WeirReplayVisit;

/* The solution of an algebraic loop while it is looked for. */
typedef struct {
  guint32 entry;
  gboolean was_stale, was_disabled;
  GArray *members;    /* guint32 */
  GArray *were_stale; /* gboolean, by member */
} WeirReplayLoop;

struct _WeirReplay {
  WeirTrace *trace;
  gboolean rebuilding; /* evaluations */
  gsize at;            /* the next record */
  guint64 *stale, *disabled, *known;
  gboolean caching;
  GArray *parts; /* guint32: sources of the joint change under way */

  /* What each source reaches, as far as it was asked for: pairs of a word's place and its bits. */
  GArray **reach;
  /* Walking: which event a tracker heard of last, and the way to where the walk is. */
  guint64 event;
  guint64 *heard;
  GArray *stack; /* WeirReplayVisit */

  /* Rebuilding. */
  GPtrArray *spare;      /* buffers of n_words zeros */
  guint32 closure_entry; /* whose closure that is, or WEIR_NO_INDEX */
  guint64 *closure;
  guint depth;
  guint n_runs;     /* calculations in the request under way */
  GArray *items;    /* WeirReplayItem; NULL: not asked for */
  GPtrArray *loops; /* WeirReplayLoop: being solved, each within the one before */

  /* Counting: only along a way that began where the tally did, see weir_replay_run_to(). */
  WeirTally *tally; /* borrowed; NULL: nothing is counted */
  GArray
      *expected; /* guint32: entries asked for in the request under way that stores evaluations */
  guint32 *n_expected; /* by entry: such reads that have not succeeded yet */
  guint64 *joined;     /* bits that a joint change reaches */
  guint32 n_touched;   /* entries put out of date, or computed, since this was set to 0 */
};

static inline gboolean
weir_log_kind_is_inner (guint8 kind)
{
  return kind >= WEIR_LOG_NESTED;
}

/* All that a change of @source notifies, as part of the event under way: sets the bits of entries
 * reached in @reached, and lists notifications (WeirNotification) in @list. Both: (nullable) */
void weir_replay_walk (WeirReplay *self, guint32 source, guint64 *reached, GArray *list);

/* The entry was computed, for @reason; notes it if that was asked for. */
void weir_replay_settle (WeirReplay *self, guint32 entry, WeirLogReason reason, gboolean has_failed,
                         gint changed, guint32 ns);
WeirLogReason weir_replay_get_reason (const WeirReplay *self, guint32 entry);

/* @entry was read, but by a declared read. */
static inline void
weir_replay_note_read (WeirReplay *self, guint32 entry)
{
  if (self->tally != NULL && self->caching)
    weir_tally_add_one (self->tally, WEIR_TALLY_READ, entry);
}

/* MEMBER and TRY, and the end of the calculation of @entry: flags as the search for a solution sets
 * them. */
void weir_replay_take_loop (WeirReplay *self, const WeirLogRecord *record);
void weir_replay_end_loop (WeirReplay *self, guint32 entry);

/* Lets records happen from where the replay is until just before @index, as weir_replay_seek()
 * does. */
gboolean weir_replay_run_to (WeirReplay *self, gsize index, GError **error);

/* All that holds at a place between two requests, the tally included, as n_saved_words words. */
gsize weir_replay_get_n_saved_words (const WeirReplay *self);
void weir_replay_save (const WeirReplay *self, guint64 *saved);
void weir_replay_restore (WeirReplay *self, gsize index, const guint64 *saved);

/* Says that a record cannot have happened. Returns FALSE. */
gboolean weir_replay_refuse (GError **error, gsize index);
/* Rebuilds the request or calculation at the replay's place and moves beyond it. FALSE and @error
 * if the records there do not follow from the graph. */
gboolean weir_replay_rebuild (WeirReplay *self, GError **error);

G_END_DECLS
