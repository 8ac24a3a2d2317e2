/* What is unusual about a context, as the bits of one word, and which of them each way of answering
 * cannot do with. Bits are kept where what they tell of changes, and nowhere else; whoever chooses
 * a way asks its mask. All ways give the same bits, flags and counters.
 *
 * Ways and masks, the fastest way first:
 *
 * - Change events: weir_context_note() and rhs.c set the flags of what is reached in place and tell
 *   a log; WEIR_MODES_OF_FULL_EVENTS: as part of a joint change, watched, or marking nothing
 *   (context-change.c).
 * - Requests: weir_eval_entry() answers at once where the entry is up to date, or a kernel serves
 * it and all that it reads is; WEIR_MODES_OF_FULL_REQUESTS: weir_evaluator_request().
 * - The derivatives, where all that they need is out of date: one list of kernel calls
 *   (weir_plan_can_call(), rhs.c); WEIR_MODES_BEYOND_LISTS: the plan step by step (whole-plan.c);
 *   WEIR_MODES_BEYOND_STEPS, or where only a part is out of date: the plan as a set of bits
 *   (run.c); WEIR_MODES_OF_PULLS: pulled like any entry.
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
#pragma once

#include <glib.h>

G_BEGIN_DECLS

enum {
  /* What the owner has asked for. */
  WEIR_MODE_UNCACHED = 1 << 0, /* caching is off as a whole */
  WEIR_MODE_DISABLED = 1 << 1, /* or of some entries */
  WEIR_MODE_FORGETS = 1 << 2,  /* some entries are out of date at each request */
  WEIR_MODE_FROZEN = 1 << 3,   /* nothing is written: no counter, no failure, no evaluation */
  WEIR_MODE_HELD = 1 << 4,     /* some entries are frozen (watch.h) */
  WEIR_MODE_PULLS = 1 << 5,    /* the plan is not used */
  WEIR_MODE_REWIRED = 1 << 6,  /* some inputs are fixed against their wiring */
  WEIR_MODE_MISSING = 1 << 7,  /* some inputs have no value but are read by an entry */
  /* Who observes. */
  WEIR_MODE_LOGGED = 1 << 8,     /* events and requests */
  WEIR_MODE_LOGGED_ALL = 1 << 9, /* evaluations too; beside the former */
  WEIR_MODE_SKIPS = 1 << 10,     /* one event is to mark nothing */
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

#define WEIR_MODES_OF_FULL_EVENTS (WEIR_MODES_BUSY | WEIR_MODE_SKIPS | WEIR_MODE_WATCHED)

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
/* A right-hand side that may be refused, or whose derivatives are compared where they lie. */
#define WEIR_MODES_OF_CHECKED_RHS (WEIR_MODES_BUSY | WEIR_MODE_FROZEN | WEIR_MODE_LOGGED_ALL)

/* What a clone takes over; it is observed by nobody. */
#define WEIR_MODES_OF_CLONES                                                                       \
  (WEIR_MODE_UNCACHED | WEIR_MODE_DISABLED | WEIR_MODE_FROZEN | WEIR_MODE_PULLS                    \
   | WEIR_MODES_OF_TRACING)

G_END_DECLS
