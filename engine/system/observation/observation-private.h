/* What evaluation tells those who observe a context: the log, the watcher, the observer of
 * calculations. Each caller tests the context's modes first, which is all that observing costs
 * while there is nobody.
 */
#pragma once

#include "system/context/context-private.h"
#include "system/observation/change-log.h"
#include "system/observation/observe.h"
#include "system/observation/watch.h"

G_BEGIN_DECLS

/* --- Logging --------------------------------------------------------------------------------- */

/* Notes of events, requests and switches come before what they tell of, so that a keyframe taken
 * with one shows the flags before it; notes of evaluations come after. */

struct _WeirLogRing {
  WeirLayout *layout;
  WeirLogRecord *records; /* a ring: number n lies at n & mask */
  guint64 n, mask;
  gboolean is_in_trial;

  WeirLogStep *steps; /* a ring: number n lies at n % max_steps; NULL: there are no units */
  guint64 n_steps, max_steps;
  gint64 began_at; /* us, monotonic */

  guint64 keyframe_interval, next_keyframe;
  guint64 n_keyframes, max_keyframes; /* a ring too: number k lies at k % max_keyframes */
  guint64 *keyframes; /* per keyframe: record number, caching, then three times n_words */

  /* Where everything is stored: what each entry's last evaluation gave, by entry. */
  guint64 *known;  /* bits: was computed before */
  guint64 *single; /* bits: one double */
  guint64 *even; /* bits: so are the two before, and all three are equally far apart in the arena */
  guint32 *copy_first; /* place in copies, and one more */
  double *copies;
  GVariant **abstract; /* by place in the context's table */
};

static inline gboolean
weir_is_logging_all (const WeirContext *context)
{
  return G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED_ALL));
}

void weir_log_ring_take_keyframe (WeirLogRing *self, const WeirContext *context);

static inline void
weir_log_ring_append (WeirContext *context, WeirLogRecord record)
{
  WeirLogRing *self = context->log_ring;

  record.time = context->now;
  record.phase = self->is_in_trial ? WEIR_LOG_PHASE_TRIAL : context->phase;
  self->records[self->n++ & self->mask] = record;
}

/* Before a record between requests. */
static inline void
weir_log_ring_meet_keyframe (WeirContext *context)
{
  WeirLogRing *self = context->log_ring;

  if (G_UNLIKELY (self->n >= self->next_keyframe && !weir_context_is (context, WEIR_MODE_CHANGING)))
    weir_log_ring_take_keyframe (self, context);
}

/* At the top: between requests. */
static inline void
weir_log_ring_note_event (WeirContext *context, WeirSource source)
{
  gboolean was_in_trial = context->log_ring->is_in_trial;

  weir_log_ring_meet_keyframe (context);
  context->log_ring->is_in_trial = context->x != context->arena + context->layout->arena.state;
  weir_log_ring_append (
      context,
      (WeirLogRecord) {
          .kind = WEIR_LOG_EVENT,
          .number = *context->n_events + 1,
          .subject = source.i,
          .flags = was_in_trial && !context->log_ring->is_in_trial ? WEIR_LOG_FLAG_LEFT_TRIAL : 0,
      });
}

static inline void
weir_log_ring_note_request (WeirContext *context, guint32 entry, gboolean is_plan)
{
  if (weir_context_is (context, WEIR_MODE_FROZEN))
    return;
  weir_log_ring_meet_keyframe (context);
  weir_log_ring_append (context, (WeirLogRecord) { .kind = WEIR_LOG_REQUEST,
                                                   .number = *context->n_events,
                                                   .subject = entry,
                                                   .flags = is_plan ? WEIR_LOG_FLAG_PLAN : 0 });
}

/* At the top too. */
void weir_log_ring_note_calculation (WeirContext *context, guint32 entry);
void weir_log_ring_note_restored (WeirContext *context);

/* After a value was written: the next evaluation is compared with that. */
void weir_log_ring_take_copy (WeirContext *context, guint32 e);

/* Within requests. */
void weir_log_ring_note_inner (WeirContext *context, WeirLogKind kind, guint32 subject,
                               guint32 detail);
/* @entry was asked for by the calculation under way, or by the one that waits for it. */
void weir_log_ring_note_nested (WeirContext *context, guint32 entry);
/* One entry was computed or failed to be. @ns: 0 = not sampled. */
void weir_log_ring_note_calc (WeirContext *context, guint32 entry, WeirStatus status, guint64 ns);
/* Entries [first, end) were computed, or where @set is not NULL, those of it that are out of date;
 * where everything is stored only. */
void weir_log_ring_note_range (WeirContext *context, const guint64 *set, guint32 first, guint32 end,
                               guint64 ns);

/* --- Watching --------------------------------------------------------------------------------- */

/* Around a request; requests within requests are part of the outermost. */
void weir_watch_begin_request (WeirContext *context, guint32 entry);
void weir_watch_end_request (WeirContext *context);

/* FALSE, with a failure, if @entry is held and must stay so. */
gboolean weir_watch_let_compute (WeirContext *context, guint32 entry);

/* --- Observing calculations ------------------------------------------------------------------- */

/* A calculation is about to be called; where to note the tickets that it reads, as bits. */
guint64 *weir_observer_begin (WeirObserver *self, const WeirContext *context, guint32 entry);
/* The same for an event handler, whose reads are not kept. */
guint64 *weir_observer_begin_event (WeirObserver *self);

/* Is there such a thing in the block, of that kind of value? If not, the call fails and that is
 * listed. TRUE while nobody observes. */
gboolean weir_observer_check (const WeirCalc *c, WeirItemKind kind, guint index,
                              gboolean is_abstract);
/* Of any kind of value. */
gboolean weir_observer_check_exists (const WeirCalc *c, WeirItemKind kind, guint index);
/* Element @k of the witness of a handler that asks how it crossed. */
gboolean weir_observer_check_crossing (const WeirCalc *c, guint k);
/* For whoever reads on after that: zeros, more than anybody asks for, or an empty tuple. */
const double *weir_observer_get_zeros (const WeirObserver *self);
GVariant *weir_observer_get_nothing (const WeirObserver *self);

/* Room for a result of @size doubles with guards around it. @old: what is there beforehand, or NULL
 * for what no calculation gives. (transfer full) */
double *weir_observer_make_room (guint size, const double *old);
/* Ends the room and puts the result at @to, unless the call failed. Adds to the call's misuses. */
WeirStatus weir_observer_take_result (const WeirCalc *c, WeirStatus status, double *room,
                                      guint size, double *to);

static inline gboolean
weir_calc_has (const WeirCalc *c, WeirItemKind kind, guint index, gboolean is_abstract)
{
  return G_LIKELY (c->seen == NULL) || weir_observer_check (c, kind, index, is_abstract);
}

static inline void
weir_calc_observe (const WeirCalc *c, guint16 ticket)
{
  if (G_UNLIKELY (c->seen != NULL))
    weir_bit_set (c->seen, ticket);
}

G_END_DECLS
