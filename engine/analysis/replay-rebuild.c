/* Rebuilding what a request computed, from the flags before it.
 *
 * This follows engine/system/evaluation/request.c and run.c step by step on bits alone: collect
 * what is needed downwards, compute it upwards in ascending order, disabled entries at each read.
 * Wherever a calculation decided for itself (a lazy demand, an undeclared read, a failure), the log
 * holds a record, which is consumed just when that calculation's turn comes.
 */
#include "analysis/replay-private.h"

#include <string.h>

#define MAX_DEPTH 3000 /* of reads within each other; the engine stops at a third of it */
/* Of one request. Disabled entries are computed at each read, so that a graph of few can ask for
 * more of them than anybody waits for. */
#define MAX_RUNS (1u << 24)

typedef enum {
  DONE,
  IN_VAIN, /* failed, as it did then */
  WAITING, /* a lazy calculation demanded an entry */
  DAMAGED, /* cannot have happened */
} Outcome;

static Outcome run_one (WeirReplay *self, guint32 entry, guint32 *pending);
static Outcome request (WeirReplay *self, guint32 entry, gboolean is_plan);

/* The next record within the request; NULL if there is none. Stored evaluations are passed over. */
static const WeirLogRecord *
peek (WeirReplay *self)
{
  const WeirTrace *trace = self->trace;

  while (self->at < trace->n_records && trace->records[self->at].kind == WEIR_LOG_EVALUATED)
    self->at++;
  return self->at < trace->n_records && weir_log_kind_is_inner (trace->records[self->at].kind)
             ? &trace->records[self->at]
             : NULL;
}

static void
note_read (WeirReplay *self, guint32 entry, guint32 reader)
{
  WeirReplayItem item = { .is_read = TRUE, .entry = entry, .reader = reader };

  if (self->items != NULL)
    g_array_append_val (self->items, item);
}

static guint64 *
take_spare (WeirReplay *self)
{
  return self->spare->len > 0 ? g_ptr_array_steal_index_fast (self->spare, self->spare->len - 1)
                              : g_new0 (guint64, MAX (self->trace->n_words, 1));
}

/* Adds to @set the entry and what must be up to date before it: all of it, or where @only_stale
 * what is out of date or disabled. Returns the lowest word touched. */
static guint32
collect (const WeirReplay *self, guint32 entry, gboolean only_stale, guint64 *set)
{
  const WeirTrace *trace = self->trace;
  guint32 low = entry / 64;

  weir_bit_put (set, entry, TRUE);
  for (guint32 w = low + 1; w-- > low;)
    {
      guint64 done = 0, left;

      while ((left = set[w] & ~done) != 0)
        {
          guint bit = 63 - (guint) __builtin_clzll (left);
          const guint32 *reads;
          guint n;

          done |= G_GUINT64_CONSTANT (1) << bit;
          if (weir_trace_is_lazy (trace, w * 64 + bit))
            continue;
          reads = weir_trace_get_reads (trace, w * 64 + bit, &n);
          for (guint k = 0; k < n; k++)
            {
              if (only_stale && !weir_bit (self->stale, reads[k])
                  && !weir_bit (self->disabled, reads[k]))
                continue;
              weir_bit_put (set, reads[k], TRUE);
              low = MIN (low, reads[k] / 64);
            }
        }
    }
  return low;
}

static Outcome
run_disabled (WeirReplay *self, guint32 entry)
{
  const WeirLogRecord *record = peek (self);
  guint32 pending = 0;
  Outcome outcome;

  if (record != NULL && record->kind == WEIR_LOG_FAILED && record->subject == entry
      && record->detail == 1)
    {
      self->at++;
      return IN_VAIN;
    }
  if (self->depth >= MAX_DEPTH)
    return DAMAGED;
  self->depth++;
  while ((outcome = run_one (self, entry, &pending)) == WAITING)
    {
      record = peek (self);
      if (record == NULL || record->kind != WEIR_LOG_NESTED || record->subject != pending)
        {
          outcome = IN_VAIN; /* it waited in a circle */
          break;
        }
      self->at++;
      note_read (self, pending, entry);
      outcome = request (self, pending, FALSE);
      if (outcome != DONE)
        break;
    }
  self->depth--;
  return outcome;
}

/* Calls an entry's calculation, so to speak: takes the records of what it decided. */
static Outcome
compute (WeirReplay *self, guint32 entry, guint32 *pending)
{
  WeirLogReason reason = weir_replay_get_reason (self, entry);
  const WeirLogRecord *record;

  while ((record = peek (self)) != NULL)
    {
      if (record->kind == WEIR_LOG_NESTED && record->detail == entry)
        {
          Outcome outcome;

          self->at++;
          if (self->depth >= MAX_DEPTH)
            return DAMAGED;
          self->depth++;
          note_read (self, record->subject, entry);
          outcome = request (self, record->subject, FALSE);
          self->depth--;
          if (outcome == DAMAGED)
            return outcome;
        }
      else if (record->kind == WEIR_LOG_DEMAND && record->detail == entry)
        {
          self->at++;
          note_read (self, record->subject, entry);
          *pending = record->subject;
          return WAITING;
        }
      else if (record->kind == WEIR_LOG_READ && record->detail == entry)
        {
          self->at++;
          weir_replay_note_read (self, record->subject);
        }
      else if ((record->kind == WEIR_LOG_MEMBER || record->kind == WEIR_LOG_TRY)
               && record->detail == entry)
        {
          self->at++;
          weir_replay_take_loop (self, record);
        }
      else if (record->kind == WEIR_LOG_FAILED && record->subject == entry)
        {
          self->at++;
          weir_replay_end_loop (self, entry);
          weir_replay_settle (self, entry, reason, TRUE, -1, 0);
          return IN_VAIN;
        }
      else
        break;
    }
  weir_replay_end_loop (self, entry);
  weir_replay_settle (self, entry, reason, FALSE, -1, 0);
  return DONE;
}

static Outcome
run_one (WeirReplay *self, guint32 entry, guint32 *pending)
{
  guint n;
  const guint32 *reads = weir_trace_get_reads (self->trace, entry, &n);
  Outcome outcome = DONE;

  if (++self->n_runs > MAX_RUNS)
    return DAMAGED;
  if (!weir_trace_is_lazy (self->trace, entry))
    for (guint k = 0; k < n && outcome == DONE; k++)
      if (weir_bit (self->disabled, reads[k]))
        outcome = run_disabled (self, reads[k]);
  return outcome == DONE ? compute (self, entry, pending) : outcome;
}

/* After a failure: consumers that never ran have read what was computed for them. */
static void
settle_failure (WeirReplay *self, const guint64 *need, guint32 low, guint32 end, guint32 failed)
{
  for (guint32 w = low; w < end && self->tally != NULL; w++)
    for (guint64 left = need[w] & self->stale[w]; left != 0; left &= left - 1)
      {
        guint32 e = w * 64 + (guint) __builtin_ctzll (left);
        guint n;
        const guint32 *reads = weir_trace_get_reads (self->trace, e, &n);

        for (guint k = 0; k < n && e != failed && !weir_trace_is_lazy (self->trace, e); k++)
          if (reads[k] == failed || !weir_bit (self->stale, reads[k]))
            weir_replay_note_read (self, reads[k]);
      }
}

/* Computes what of @need is out of date, in words [low, end). */
static Outcome
run (WeirReplay *self, guint64 *need, guint32 *low, guint32 end)
{
  for (guint32 w = *low; w < end; w++)
    {
      guint64 left;

      while ((left = self->stale[w] & need[w] & ~self->disabled[w]) != 0)
        {
          guint32 pending = 0, entry = w * 64 + (guint) __builtin_ctzll (left);
          Outcome outcome = run_one (self, entry, &pending);

          if (outcome == WAITING)
            {
              guint32 lowest;

              if (pending / 64 >= end)
                return DAMAGED;
              lowest = collect (self, pending, TRUE, need);
              *low = MIN (*low, lowest);
              w = lowest - 1;
              break;
            }
          if (outcome == IN_VAIN)
            settle_failure (self, need, *low, end, entry);
          if (outcome != DONE)
            return outcome;
        }
    }
  return DONE;
}

static const guint64 *
get_closure (WeirReplay *self, guint32 entry)
{
  if (self->closure_entry != entry)
    {
      memset (self->closure, 0, self->trace->n_words * sizeof *self->closure);
      collect (self, entry, FALSE, self->closure);
      self->closure_entry = entry;
    }
  return self->closure;
}

/* Nothing was decided on the way and nobody asks for the list: what was out of date no
 * longer is. */
static gboolean
run_at_once (WeirReplay *self, const guint64 *need, guint32 low, guint32 end)
{
  guint64 disabled = 0;

  for (guint32 w = low; w < end; w++)
    disabled |= need[w] & self->disabled[w];
  if (self->items != NULL || disabled != 0 || peek (self) != NULL)
    return FALSE;
  for (guint32 w = low; w < end; w++)
    {
      guint64 computed = need[w] & self->stale[w];

      self->known[w] |= computed;
      self->stale[w] &= ~need[w];
      self->n_touched += (guint32) __builtin_popcountll (computed);
      if (self->tally != NULL)
        weir_tally_add (self->tally, self->caching ? WEIR_TALLY_COMPUTED : WEIR_TALLY_OFF, w,
                        computed);
    }
  return TRUE;
}

static Outcome
request (WeirReplay *self, guint32 entry, gboolean is_plan)
{
  guint32 end = entry / 64 + 1, low = 0;
  Outcome outcome = DONE;
  guint64 *need;

  if (!weir_bit (self->stale, entry) && !weir_bit (self->disabled, entry))
    {
      weir_replay_note_read (self, entry);
      return DONE;
    }
  need = take_spare (self);
  if (is_plan)
    memcpy (need, get_closure (self, entry), end * sizeof *need);
  else
    low = collect (self, entry, TRUE, need);
  if (!run_at_once (self, need, low, end))
    outcome = run (self, need, &low, end);
  memset (need + low, 0, (end - low) * sizeof *need);
  g_ptr_array_add (self->spare, need);
  if (outcome == DONE && weir_bit (self->disabled, entry))
    outcome = run_disabled (self, entry);
  if (outcome == DONE)
    weir_replay_note_read (self, entry);
  return outcome;
}

/* A calculation beside the cache: only what its calculation asked for is kept. */
static Outcome
calculate (WeirReplay *self, guint32 entry)
{
  const WeirLogRecord *record;
  Outcome outcome = DONE;

  while (outcome != DAMAGED && (record = peek (self)) != NULL && record->detail == entry
         && record->kind != WEIR_LOG_FAILED)
    {
      self->at++;
      if (record->kind == WEIR_LOG_READ)
        weir_replay_note_read (self, record->subject);
      else if (record->kind == WEIR_LOG_MEMBER || record->kind == WEIR_LOG_TRY)
        weir_replay_take_loop (self, record);
      else if (record->kind == WEIR_LOG_NESTED)
        {
          note_read (self, record->subject, entry);
          outcome = request (self, record->subject, FALSE);
        }
      else
        outcome = DAMAGED;
    }
  weir_replay_end_loop (self, entry);
  return outcome;
}

gboolean
weir_replay_rebuild (WeirReplay *self, GError **error)
{
  gsize index = self->at++;
  const WeirLogRecord *record = &self->trace->records[index];
  Outcome outcome;

  self->n_runs = 0;
  outcome = record->kind == WEIR_LOG_CALCULATION
                ? calculate (self, record->subject)
                : request (self, record->subject, (record->flags & WEIR_LOG_FLAG_PLAN) != 0);

  if (outcome != DAMAGED && peek (self) == NULL)
    return TRUE;
  self->depth = 0;
  return weir_replay_refuse (error, outcome == DAMAGED ? index : self->at);
}
