/* A context's own view of its block of memory, for engine/system. */
#pragma once

#include "base/crew.h"
#include "base/message.h"
#include "system/context/context.h"
#include "system/layout/layout-private.h"

G_BEGIN_DECLS

/* --- Modes ------------------------------------------------------------------------------------ */

/* What is unusual about a context, as the bits of one word, and which of them each way of answering
 * cannot do with. Bits are kept where what they tell of changes, and nowhere else; whoever chooses
 * a way asks its mask. All ways give the same bits, flags and counters.
 *
 * Ways and masks, the fastest way first:
 *
 * - Change events: weir_context_note() and rhs.c set the flags of what is reached in place and tell
 *   a log; WEIR_MODES_OF_FULL_EVENTS: as part of a joint change, watched, or marking nothing
 *   (context-change.c).
 * - Right-hand sides: both change events and the request between them at one go, where one code is
 *   all that they put out of date (rhs.c); WEIR_MODES_OF_FULL_TRIALS: in turn, as follows.
 * - Requests: weir_eval_entry() answers at once where the entry is up to date, or a kernel serves
 * it and all that it reads is; WEIR_MODES_OF_FULL_REQUESTS: weir_evaluator_request().
 * - Lists of values: one check, one scan and one copy for all of them; WEIR_MODES_OF_FULL_REQUESTS:
 *   request by request (value-list.c).
 * - The derivatives, where all that they need is out of date: one list of kernel calls
 *   (weir_plan_can_call(), rhs.c); WEIR_MODES_BEYOND_LISTS: the plan step by step (whole-plan.c);
 * on both, code made at run time instead of kernels (native-plan.c), but for WEIR_MODE_INTERPRETS;
 *   WEIR_MODES_BEYOND_STEPS, or where only a part is out of date: the plan as a set of bits
 *   (scan.c); WEIR_MODES_OF_PULLS: pulled like any entry.
 * - A pull: what is needed is collected down and computed up, whole segments in one kernel call
 *   (weir_scan_needed()); WEIR_MODES_ONE_BY_ONE: entry by entry, those that are not cached at each
 *   read.
 * - A kernel's operands lie where the layout says; WEIR_MODES_OF_TRACING: where its inputs are
 *   traced to (compute.c).
 *
 * Disabled entries thus are computed one by one, by pull. A frozen context answers what is up to
 * date and refuses the rest (request_frozen()). Events and requests are logged on every way,
 * evaluations off the fastest two; a watcher is told around events and requests in full (watch.c).
 * WEIR_MODES_BUSY refuses every request.
 */

enum {
  /* What the owner has asked for. */
  WEIR_MODE_UNCACHED = 1 << 0,    /* caching is off as a whole */
  WEIR_MODE_DISABLED = 1 << 1,    /* or of some entries */
  WEIR_MODE_FORGETS = 1 << 2,     /* some entries are out of date at each request */
  WEIR_MODE_FROZEN = 1 << 3,      /* nothing is written: no counter, no failure, no evaluation */
  WEIR_MODE_HELD = 1 << 4,        /* some entries are held (watch.h) */
  WEIR_MODE_PULLS = 1 << 5,       /* the plan is not used */
  WEIR_MODE_REWIRED = 1 << 6,     /* some inputs are fixed against their wiring */
  WEIR_MODE_MISSING = 1 << 7,     /* some inputs have no value but are read by an entry */
  WEIR_MODE_INTERPRETS = 1 << 18, /* native code is not used */
  /* Who observes. */
  WEIR_MODE_LOGGED = 1 << 8,       /* events and requests */
  WEIR_MODE_LOGGED_ALL = 1 << 9,   /* evaluations too; beside the former */
  WEIR_MODE_SKIPS_EVENT = 1 << 10, /* one event is to mark nothing */
  WEIR_MODE_WATCHED = 1 << 11,
  /* What is under way. */
  WEIR_MODE_CHANGING = 1 << 12, /* a joint change */
  WEIR_MODE_CALLING = 1 << 13,  /* calculations */
  WEIR_MODE_HANDLING = 1 << 14, /* an event handler */
  WEIR_MODE_TIMING = 1 << 15,   /* a request that is timed */
  WEIR_MODE_TIMES = 1 << 16,    /* the next request will be */
  WEIR_MODE_FAILED = 1 << 17,   /* a failure is told of until the next request */
};

/* In the middle of something: nothing is evaluated within a joint change, and calculations and
 * handlers neither ask for nor change anything of their own context. */
#define WEIR_MODES_BUSY (WEIR_MODE_CHANGING | WEIR_MODE_CALLING | WEIR_MODE_HANDLING)

#define WEIR_MODES_OF_FULL_EVENTS (WEIR_MODES_BUSY | WEIR_MODE_SKIPS_EVENT | WEIR_MODE_WATCHED)

#define WEIR_MODES_OF_TRACING (WEIR_MODE_REWIRED | WEIR_MODE_MISSING)
#define WEIR_MODES_ONE_BY_ONE (WEIR_MODES_OF_TRACING | WEIR_MODE_DISABLED | WEIR_MODE_HELD)
#define WEIR_MODES_OF_PULLS (WEIR_MODE_DISABLED | WEIR_MODE_PULLS)
#define WEIR_MODES_BEYOND_STEPS (WEIR_MODES_OF_TRACING | WEIR_MODE_HELD | WEIR_MODE_TIMING)

/* A request begins with more than counting itself. */
#define WEIR_MODES_OF_BEGINNINGS                                                                   \
  (WEIR_MODE_UNCACHED | WEIR_MODE_FORGETS | WEIR_MODE_TIMES | WEIR_MODE_FAILED)
#define WEIR_MODES_OF_FULL_REQUESTS                                                                \
  (WEIR_MODES_BUSY | WEIR_MODES_OF_BEGINNINGS | WEIR_MODES_ONE_BY_ONE | WEIR_MODE_FROZEN           \
   | WEIR_MODE_LOGGED_ALL | WEIR_MODE_WATCHED)
#define WEIR_MODES_BEYOND_LISTS (WEIR_MODES_OF_FULL_REQUESTS | WEIR_MODE_PULLS)
/* A right-hand side's events and request one by one. */
#define WEIR_MODES_OF_FULL_TRIALS                                                                  \
  (WEIR_MODES_BEYOND_LISTS | WEIR_MODES_OF_FULL_EVENTS | WEIR_MODE_LOGGED | WEIR_MODE_INTERPRETS)
/* A right-hand side that may be refused, or whose derivatives are compared where they lie. */
#define WEIR_MODES_OF_CHECKED_RHS (WEIR_MODES_BUSY | WEIR_MODE_FROZEN | WEIR_MODE_LOGGED_ALL)

/* What a clone takes over; it is observed by nobody. */
#define WEIR_MODES_OF_CLONES                                                                       \
  (WEIR_MODE_UNCACHED | WEIR_MODE_DISABLED | WEIR_MODE_FROZEN | WEIR_MODE_PULLS                    \
   | WEIR_MODE_INTERPRETS | WEIR_MODES_OF_TRACING)

/* --- The context ------------------------------------------------------------------------------ */

/* What a context knows of those who observe it: whom to tell, and of what. Both tables come from
 * the room above, as does what they are kept in; NULL while there is nobody. */

/* Whoever logs is told of changes and switches before they happen (change-log.h). */
typedef struct {
  void (*note_event) (WeirContext *self, WeirSource source);
  void (*note_part) (WeirContext *self, WeirSource source); /* of a joint event */
  void (*note_joint) (WeirContext *self);
  void (*note_all_out_of_date) (WeirContext *self);
  void (*note_mark) (WeirContext *self, guint32 entry, gboolean up_to_date);
  void (*note_write) (WeirContext *self, guint32 entry);
  void (*note_entry_caching) (WeirContext *self, guint32 entry, gboolean enabled);
  void (*note_caching) (WeirContext *self, gboolean enabled);
  void (*end) (WeirContext *self);
} WeirLogSide;

/* Who watches is told what change events reach (watch.h). */
typedef struct {
  void (*mark) (WeirContext *self, WeirSource source); /* instead of the context */
  void (*begin_joint) (WeirContext *self, const guint64 *reached);
  void (*end_joint) (WeirContext *self);
  void (*end) (WeirContext *self);
} WeirWatchSide;

typedef struct _WeirLogRing WeirLogRing;
typedef struct _WeirWatch WeirWatch;

struct _WeirContext {
  WeirLayout *layout;
  gpointer memory;     /* that the arena lies in */
  double *arena;       /* 64-byte aligned; everything that a clone or checkpoint copies, but for */
  GVariant **abstract; /* abstract values, by the number in their word of the arena */

  /* The time and state in force: the accepted ones, or a solver's trial within weir_eval_rhs(). */
  double now;
  const double *x;
  /* Where a plan may put the derivatives instead of the arena; NULL outside of weir_eval_rhs(). Set
   * back to NULL by a plan that has done so. */
  double *xdot;

  /* Into the arena. */
  guint64 *stale, *disabled, *fixed;
  guint64 *calc_steps, *off_steps, *entry_off, *reads; /* counters.c */
  guint64 *segment_ns, *segment_timed;
  guint64 *joint_steps, *source_events, *source_last, *rewrites, *n_events;

  guint32 modes;          /* WEIR_MODE_... */
  guint open_changes;     /* weir_context_begin_change() without its end */
  guint n_calling;        /* calculations under way */
  gboolean has_reentered; /* one of them has asked the context for a value, which fails it */
  gboolean has_joined;    /* something changed within them */
  guint32 n_disabled;     /* entries */
  guint32 n_overrides;    /* inputs fixed against their wiring */
  guint32 n_missing;      /* inputs that have no value but are read by some entry */

  /* Working memory of evaluation; between calls it holds nothing. */
  guint64 *scratch; /* n_words zeros, for sweeps */
  guint64
      *joint; /* n_words zeros: what the joint change under way reaches; NULL until there is one */
  guint64 *need;       /* n_words zeros: what a request must bring up to date */
  guint64 *forgotten;  /* n_words: entries out of date at the start of each request; NULL = none */
  WeirStream *streams; /* the operands of kernels resolved, by segment; NULL until a plan runs */
  const double *streams_x; /* the state vector that they are resolved for */
  double *gathered;        /* operands of a plan's stage that do not lie in a row; as streams */
  WeirCrew *crew;          /* who runs a large plan; NULL until it does */
  gboolean is_finite;      /* the derivatives just computed are known to be */
  WeirMaskSpan state_span, time_state_span; /* what right-hand sides put out of date, once known */
  /* Buffers of n_words zeros for requests within calculations; made as needed, then kept. */
  GPtrArray *spare;
  GArray *calling;            /* guint32: which those are, the outermost first, and room */
  guint64 *busy;              /* entries whose calculation is under way, as bits */
  guint depth;                /* of requests within calculations: undeclared or disabled reads */
  guint32 awaited;            /* what the innermost of them asks for */
  guint32 demander, demanded; /* the last lazy calculation that had to wait, and for what */
  guint64 until_timed;        /* requests before one that is timed */
  guint8 timing_interval;     /* how many lie between two, by its number (request.c) */
  guint32 n_nested;           /* requests within calculations, ever */
  guint64 sweep_ns, n_sweeps_timed; /* of change events */
  struct _WeirObserver *observer;   /* borrowed; NULL: nobody observes what calculations read */
  WeirMessage *failure;
  WeirFailurePlace failure_place; /* of it; node WEIR_NO_INDEX: not known */
  guint failed_element;           /* of what is being computed; G_MAXUINT: none in particular */
  const WeirLogSide *logger;      /* NULL while nobody logs */
  WeirLogRing *log_ring;          /* its memory */
  guint64 skipped;                /* number of the event that marks nothing; 0 = none */
  const WeirWatchSide *watcher;   /* NULL: nobody watches */
  WeirWatch *watch;               /* its memory */
  guint64 *held_entries; /* n_words: entries that may not be computed; NULL until there was one */
  guint32 n_held;        /* of them */
  guint8 phase;          /* WeirLogPhase */
  const gint *cancel;    /* weir_context_set_cancel() */
};

static inline gboolean
weir_context_is (const WeirContext *self, guint32 any_of_modes)
{
  return (self->modes & any_of_modes) != 0;
}

static inline void
weir_context_set_mode (WeirContext *self, guint32 mode, gboolean on)
{
  self->modes = on ? self->modes | mode : self->modes & ~mode;
}

/* One more or less of what @n counts and @mode tells of. */
static inline void
weir_context_count (WeirContext *self, guint32 *n, gboolean more, guint32 mode)
{
  *n += more ? 1 : G_MAXUINT32;
  weir_context_set_mode (self, mode, *n > 0);
}

/* One request less until one is timed. */
static inline void
weir_context_count_untimed (WeirContext *self)
{
  if (G_UNLIKELY (--self->until_timed == 0))
    self->modes |= WEIR_MODE_TIMES;
}

/* The abstract value whose word of the arena is @word; NULL while it was never computed. */
static inline GVariant *
weir_context_abstract_at (const WeirContext *self, const double *word)
{
  return self->abstract[*(const guint64 *) (const void *) word];
}

static inline guint64
weir_context_get_code (const WeirContext *self)
{
  return ((const guint64 *) (const void *) self->arena)[WEIR_ARENA_CODE];
}

static inline void
weir_context_set_code (WeirContext *self, guint64 code)
{
  ((guint64 *) (void *) self->arena)[WEIR_ARENA_CODE] = code;
}

/* One change event that begins at @source, or part of the joint one under way. */
void weir_context_note (WeirContext *self, WeirSource source);

/* One event in 512 is timed, scattered so that steps which repeat the same few events get them all
 * sampled. */
static inline gboolean
weir_is_event_sampled (guint64 event)
{
  return (event * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 55 == 0;
}

void weir_context_note_and_learn (WeirContext *self, WeirSource source, WeirMaskSpan *span);

/* May an event be noted by weir_context_note_span()? It begins @span once that is known, and is
 * timed now and then. */
static inline gboolean
weir_context_can_note_span (const WeirContext *self, const WeirMaskSpan *span)
{
  return span->words != NULL && !weir_is_event_sampled (*self->n_events + 1);
}

/* The same as weir_context_note() where that marks in place, but for logging. @span: of the
 * context; what @source marks. */
static inline void
weir_context_note_span (WeirContext *self, WeirSource source, const WeirMaskSpan *span)
{
  const guint64 *restrict from = span->words;
  guint64 *restrict to = self->stale + span->first;

  self->source_last[source.i] = ++*self->n_events;
  self->source_events[source.i]++;
  to[0] |= from[0];
  for (guint32 w = 1; w < span->n_words; w++)
    to[w] |= from[w];
}

/* A calculation or handler under way @does ("evaluates", "changes": N_()) what it may not with its
 * own context: it could ask for itself, and no declaration tells of what it does. It fails when it
 * returns. */
void weir_context_fail_within (WeirContext *self, const char *does);

/* The catalogues know the format. */
void weir_context_set_failure (WeirContext *self, const char *format, ...) G_GNUC_PRINTF (2, 3);
void weir_context_forget_failure (WeirContext *self);
/* Which element of what is being computed the failure that was just set is about; until the next. A
 * frozen context does not know. */
void weir_context_set_failed_element (WeirContext *self, guint element);
guint weir_context_get_failed_element (const WeirContext *self);
/* Says where the failure was that was told of last, unless that is known by now. */
void weir_context_set_failure_place (WeirContext *self, WeirFailurePlace place);

/* The failure of a right-hand side at the state @x whose values are not all finite. */
void weir_context_explain_not_finite (WeirContext *self, const double *x, guint32 derivatives);

/* The words of abstract values never change: each holds its place in the table. */
void weir_context_number_abstract (WeirContext *self);
/* Counts anew what the bits of fixed inputs and of caching say. */
void weir_context_count_bits (WeirContext *self);
/* Time, states, parameters and inputs as they begin, and input @in of node @n alone; no event. */
void weir_context_put_defaults (WeirContext *self);
void weir_context_put_input_default (WeirContext *self, guint32 n, guint in);
/* Puts @time in force; no event. FALSE: its bytes are the same. */
gboolean weir_context_put_time (WeirContext *self, double time);
/* Puts @value, whose floating reference is sunk, at @word of the arena; no event. */
void weir_context_take_abstract (WeirContext *self, guint32 word, GVariant *value);
/* Notes a part of every leaf at or under @node, in the change event under way. */
void weir_context_note_part (WeirContext *self, WeirNode node, WeirStatePart part);
WeirContext *weir_context_new (WeirLayout *layout);

/* ns, of a clock that only goes forward; from @start on, without what reading it twice costs. */
guint64 weir_clock_ns (void);
guint64 weir_clock_since (guint64 start);

/* @text, which is taken over, and " (inputs: u = 1, v = 2)": what @entry reads through its block's
 * inputs; nothing if it reads none. (transfer full) */
WeirMessage *weir_context_add_inputs (const WeirContext *context, guint32 entry, WeirMessage *text);
gboolean weir_context_has_value (const WeirContext *context, WeirOrigin origin);
WeirStatus weir_context_fail_without_value (WeirContext *context, guint32 node, guint in);

/* Where input @in of a node gets its value now. */
static inline WeirOrigin
weir_context_trace (const WeirContext *context, guint32 node, guint32 in)
{
  const WeirLayout *layout = context->layout;

  return G_LIKELY (!weir_context_is (context, WEIR_MODE_REWIRED))
             ? layout->inputs[layout->nodes[node].first_input + in]
             : weir_layout_trace_input (layout, context->fixed, node, in);
}

static inline const double *
weir_context_resolve (const WeirContext *context, WeirAddress address)
{
  return address.space == WEIR_SPACE_ARENA   ? context->arena + address.offset
         : address.space == WEIR_SPACE_STATE ? context->x + address.offset
                                             : &context->now;
}

/* Sets another value than time that the whole tree has once; the same bytes are no change. */
void weir_context_set_common (WeirContext *self, WeirTicket ticket, double value);

/* What a computation sees during one call (calc.h). */
struct _WeirCalc {
  const struct _WeirEvaluator *evaluator;
  WeirContext *context;
  const WeirNodeInfo *node;
  guint32 node_index;
  guint32 entry;       /* WEIR_NO_INDEX in an event handler */
  guint32 event;       /* of the leaf, in an event handler */
  guint64 demanded;    /* lazy: inputs read so far, as bits */
  guint32 pending;     /* lazy: the entry waited for */
  gboolean has_failed; /* a read found no value */
  guint64 *seen; /* tickets read so far, as bits, while somebody observes; else NULL (observe.h) */
  struct _WeirOccurrence *occurrence; /* of a handler */
};

/* Of the leaf @node; what else it is of is for the caller to say. */
static inline WeirCalc
weir_calc_of (const struct _WeirEvaluator *evaluator, WeirContext *context, guint32 node)
{
  return (WeirCalc) {
    .evaluator = evaluator,
    .context = context,
    .node = &context->layout->nodes[node],
    .node_index = node,
    .entry = WEIR_NO_INDEX,
    .pending = WEIR_NO_INDEX,
  };
}

G_END_DECLS
