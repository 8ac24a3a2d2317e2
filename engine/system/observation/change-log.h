/* The change log: what happened in a context, logged while it runs.
 *
 * Logging is off until weir_context_start_log() and may begin and end between any two
 * calls. It keeps change events with their cause (the source), phase, number and time, and
 * requests; what follows from them (who was notified, what was computed) is rebuilt from the graph
 * by engine/analysis. Where a calculation decides for itself what it reads, the decision is
 * logged too. Logging everything (WEIR_LOG_MODE_ALL) stores every evaluation as well, with its
 * reason, sampled duration, and whether it gave other bytes.
 *
 * Records go to a ring of fixed size whose newest part is kept; what was overwritten is counted.
 * Nothing is allocated between start and stop, values of calculations apart. Steps of units of
 * co-simulation, which other threads make meanwhile, are kept beside the records. Every so often a
 * keyframe notes all flags, so that any part of the log can be read by itself. Logging changes no
 * value, flag, counter or order of evaluation. A frozen context's requests are not logged: they
 * write nothing.
 *
 * Thread: the context's *owner*; a WeirChangeLog is immutable.
 */
#pragma once

#include "system/context/context.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_LOG_MODE_EVENTS, /* events and requests */
  WEIR_LOG_MODE_ALL,    /* evaluations too */
} WeirLogMode;

/* What was going on. The simulator says; a solver's trials say so themselves. */
typedef enum {
  WEIR_LOG_PHASE_OUTSIDE, /* of any run */
  WEIR_LOG_PHASE_INITIALIZATION,
  WEIR_LOG_PHASE_PUBLISH,
  WEIR_LOG_PHASE_DISCRETE_UPDATE,
  WEIR_LOG_PHASE_UNRESTRICTED_UPDATE,
  WEIR_LOG_PHASE_INTEGRATION, /* solver, between trials: accepted steps */
  WEIR_LOG_PHASE_TRIAL,       /* a trial state of the solver */
  WEIR_LOG_PHASE_LOCATION,    /* finding when an event happens */
  WEIR_LOG_PHASE_MONITOR,     /* logging and displays */
  WEIR_LOG_PHASE_EDIT,        /* by the user, while the run goes on */
  WEIR_LOG_N_PHASES,
} WeirLogPhase;

/* A record's subject is a source (S) or an entry (E). */
typedef enum {
  WEIR_LOG_EVENT,       /* S changed: one change event */
  WEIR_LOG_PART,        /* S changed, within a joint change */
  WEIR_LOG_JOINT,       /* the joint change's event, of the parts with the same number before it */
  WEIR_LOG_REQUEST,     /* E was asked for from outside or by an event handler */
  WEIR_LOG_CALCULATION, /* E was calculated beside the cache (weir_calc_entry()) */
  WEIR_LOG_ALL_OUT_OF_DATE, /* as caching switched off does before each request */
  WEIR_LOG_MARK,            /* E's flag alone was set: detail 1 = up to date */
  WEIR_LOG_WRITE,           /* E's value was written from outside */
  WEIR_LOG_ENTRY_CACHING,   /* E's caching was switched: detail 1 = on */
  WEIR_LOG_CACHING,         /* caching as a whole: detail 1 = on */
  WEIR_LOG_RESTORED,        /* everything was replaced; a keyframe follows */
  /* Within a request or calculation, in order. */
  WEIR_LOG_NESTED, /* E was asked for by the calculation of entry `detail`, which had not declared
                      it */
  WEIR_LOG_DEMAND, /* the lazy calculation of entry `detail` waits for E */
  WEIR_LOG_FAILED, /* E could not be computed; detail 1 = was not even tried */
  WEIR_LOG_EVALUATED, /* E and what follows it, `detail` entries, were computed; bits of `number`:
                         bytes that differ from those before */
  WEIR_LOG_READ,      /* the lazy calculation of entry `detail` read E: what it decided to read */
  WEIR_LOG_MEMBER,    /* the solution `detail` of an algebraic loop is looked for, of which E is a
                         member */
  WEIR_LOG_TRY, /* E, such a solution, counts as up to date and its members as out of date: one try.
                   When E was computed, the members are out of date once more, or as they were if E
                   was up to date */
  WEIR_LOG_N_KINDS,
} WeirLogKind;

typedef enum {
  WEIR_LOG_FIRST, /* computed for the first time */
  WEIR_LOG_OUT_OF_DATE,
  WEIR_LOG_DISABLED, /* caching was off, for the entry or as a whole */
  WEIR_LOG_N_REASONS,
} WeirLogReason;

enum {
  WEIR_LOG_FLAG_PLAN = 1,       /* REQUEST: all the entry is made from was brought up to date */
  WEIR_LOG_FLAG_LEFT_TRIAL = 2, /* EVENT: the solver's trial was left */
  WEIR_LOG_FLAG_FAILED = 4,     /* EVALUATED: in vain, the entry stays out of date */
  WEIR_LOG_ALL_FLAGS = 7,
};

typedef struct {
  double time; /* simulated, in force when it happened (s) */
  guint64
      number; /* of the change event, counted from the context's beginning; EVALUATED: see there */
  guint32 subject;
  guint32 detail;
  guint32 ns; /* EVALUATED: sampled duration of all of it, 0 = not sampled */
  guint8 kind, phase, reason, flags;
} WeirLogRecord;

/* All flags as they were before the record at @index: bits by entry, 64 a word. */
typedef struct {
  gsize index;
  gboolean caching;
  const guint64 *out_of_date, *disabled;
  const guint64 *known; /* computed or written at least once */
} WeirLogKeyframe;

/* One as it is stored, here and in files: index, caching, then three times @n_words words of flags.
 */
#define WEIR_LOG_KEYFRAME_SIZE(n_words) (2 + 3 * (gsize) (n_words))
WeirLogKeyframe weir_log_keyframe_read (const guint64 *frame, gsize n_words);

/* A step that a unit of co-simulation has made, on whatever thread, while other things happened. */
typedef struct {
  guint64 first, end;       /* records: those before which it could begin, and its outputs came */
  gint64 first_at, end_at;  /* us since logging began: when that was, */
  gint64 begin_at, done_at; /* and in between, when it began and was done */
  double t, t_end;          /* s */
  guint32 node;
  guint32 thread; /* 0: the run's own */
} WeirLogStep;

#define WEIR_LOG_DEFAULT_CAPACITY (1u << 20) /* records */

/* Begins to log, forgetting what was logged before. @capacity: records kept, rounded up to a
 * power of two of at least 64; 0 = the default. */
void weir_context_start_log (WeirContext *self, WeirLogMode mode, gsize capacity);
gboolean weir_context_is_logging (const WeirContext *self);
/* How many records there have been since logging began; 0 while off. @n_lost: of them those given
 * up. */
guint64 weir_context_get_n_logged (const WeirContext *self, guint64 *n_lost);
/* Notes a step that a unit has made, whose outputs come next. @step: its times are monotonic, as
 * yet; first and first_at are as weir_context_get_log_place() gave them, end and end_at are found
 * here. Does nothing while logging is off, or if it was when the step could begin. */
void weir_context_log_step (WeirContext *self, const WeirLogStep *step);
/* The next record, counted since logging began, G_MAXUINT64 while it is off; and the present, us.
 */
guint64 weir_context_get_log_place (const WeirContext *self, gint64 *now);
/* For finding out what an event is good for: change event @number (0 = none) marks nothing out of
 * date. It is counted and logged as any other. What is up to date afterwards may be wrong, so the
 * context is one that nothing else depends on. Ends with the log; with WEIR_LOG_MODE_ALL only.
 */
void weir_context_skip_event (WeirContext *self, guint64 number);
/* Ends logging and gives what was logged. (transfer full) NULL if it was off. */
WeirChangeLog *weir_context_stop_log (WeirContext *self);
/* What was logged until now; logging goes on. (transfer full) NULL if it is off. */
WeirChangeLog *weir_context_copy_log (const WeirContext *self);

/* Says what is going on; returns what was before. Logged with everything that follows. */
WeirLogPhase weir_context_set_phase (WeirContext *self, WeirLogPhase phase);

/* Leaves out the request at the end, if there is one, as it may not have come to its end. */
void weir_change_log_drop_last_request (WeirChangeLog *self);
void weir_change_log_free (WeirChangeLog *self);
WeirLayout *weir_change_log_get_layout (const WeirChangeLog *self);
WeirLogMode weir_change_log_get_mode (const WeirChangeLog *self);
/* The oldest first. There is a keyframe before the first. */
const WeirLogRecord *weir_change_log_get_records (const WeirChangeLog *self, gsize *n);
gsize weir_change_log_get_n_keyframes (const WeirChangeLog *self);
WeirLogKeyframe weir_change_log_get_keyframe (const WeirChangeLog *self, gsize i);
/* Steps of units, in the order in which they ended; the oldest are given up like records. */
const WeirLogStep *weir_change_log_get_steps (const WeirChangeLog *self, gsize *n);
/* How many older records were given up. */
guint64 weir_change_log_get_n_lost (const WeirChangeLog *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirChangeLog, weir_change_log_free)

G_END_DECLS
