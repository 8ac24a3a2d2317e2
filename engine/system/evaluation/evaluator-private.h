/* The code of a whole tree, numbered like its layout: what a root system evaluates with.
 *
 * Made once per root; immutable, thread *any*. Because numbers ascend from prerequisites to
 * dependents, every request is the same two scans over the out-of-date bits: down, to collect what
 * the requested entry needs; up, to bring it up to date, whole segments in one kernel call. The
 * plan of the derivatives is a collection made beforehand. There is no recursion: a lazy
 * calculation that demands a value sends the scan back down to it. Uncached is the same after
 * everything was marked out of date.
 */
#pragma once

#include "system/evaluation/calc.h"
#include "system/context/context-private.h"
#include "system/evaluation/event.h"

G_BEGIN_DECLS

#define WEIR_MAX_OPERANDS_ON_STACK 64

/* A segment as it runs: all that a kernel call needs lies together, for plans are bound by finding
 * it. */
typedef struct {
  WeirKernel kernel; /* serves the whole segment; NULL: its entries are computed one by one */
  guint64 variant;
  guint32 first, end; /* entries */
  guint32 out;        /* place of the first result in the arena */
  gint32 out_stride;
  guint32 operand; /* place of the first operand */
  guint16 n_operands;
  guint8 is_gathered; /* some operand is */
  guint8 is_derivative;
  gboolean is_idle; /* a diagram's own derivatives or update: they lie where its children's are */
} WeirStep;

typedef struct {
  guint32 offset;   /* of the first entry's operand; 0 where they are gathered */
  guint32 space;    /* WeirSpace */
  gint32 stride;    /* or WEIR_GATHERED */
  guint32 gathered; /* then: where their offsets begin, one an entry */
  guint32 place; /* in context->gathered, where a plan gathers them beforehand; or WEIR_NO_INDEX */
} WeirStepOperand;

typedef struct {
  guint32 first, end;
} WeirEntryRange;

typedef struct _WeirEvaluator WeirEvaluator;
struct _WeirEvaluator {
  WeirLayout *layout;         /* the root's */
  WeirSystem **systems;       /* by node; borrowed from the root */
  const WeirEntryCode **code; /* by entry; NULL for a diagram's own */
  WeirStep *steps;            /* by segment */
  WeirStepOperand *operands;  /* numbered by the layout alone */
  guint32 n_operands;
  GArray *gathered;       /* guint32: offsets of operands that do not lie in a row */
  GArray *state_operands; /* guint32: those that lie in the state vector */
  guint64 *plan;          /* upstream closure of the root's derivatives, as bits */
  GArray *plan_steps;     /* guint32: its segments; empty if some are only partly in it */
  GArray *plan_kernels;   /* WeirEntryRange: what of it kernels compute */
  GArray *plan_calls, *plan_stages, *plan_offsets; /* the same where that is all (scan-private.h) */
  guint32 plan_room;                               /* doubles of context->gathered */
  gboolean plan_is_direct; /* its derivatives may go straight to a solver's vector */
  gboolean plan_is_lazy;   /* has lazy calculations in it */
  guint64 code_id;         /* tells which functions calculate, within this process */
  guint32 derivatives;     /* the root's xcdot entry, or WEIR_NO_INDEX */
  GArray *events;          /* WeirDeclaredEvent */
  GArray *event_locals;    /* guint32: place in the leaf's event_code */
};

/* The evaluator of @root if @context fits it, else NULL and a failure of the context. */
const WeirEvaluator *weir_system_get_fitting_evaluator (WeirSystem *root, WeirContext *context);

WeirEvaluator *weir_system_get_evaluator (WeirSystem *self);

/* loop.c: how entry @local of a loop's leaf is computed. */
const WeirEntryCode *weir_loop_get_code (guint32 local);

/* Adds to @set @entry and what must be up to date before it can be computed, reads of lazy
 * calculations excepted: only what is out of date or disabled, or everything where @stale is NULL.
 * Returns the lowest word touched. */
guint32 weir_evaluator_collect (const WeirLayout *layout, const guint64 *stale,
                                const guint64 *disabled, guint64 *set, guint32 entry);

/* From the one to the other the context answers for a trial time and state (@x: n_states values),
 * which are no accepted ones. Both are change events. */
void weir_context_begin_trial (WeirContext *context, double time, const double *x);
void weir_context_end_trial (WeirContext *context);

/* Begins a request from outside. */
void weir_context_begin_request (WeirContext *context);
/* Calls the kernel of @step for @entry of it alone; what that reads is up to date. Flags and
 * counters are left as they are. */
void weir_evaluator_call_single (const WeirEvaluator *self, WeirContext *context,
                                 const WeirStep *step, guint32 entry);
/* Brings @entry up to date with all it needs; @plan: its collection, or NULL. Counts one read. */
WeirStatus weir_evaluator_request (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                                   const guint64 *plan);
/* The same from within a calculation. */
WeirStatus weir_evaluator_request_nested (const WeirEvaluator *self, WeirContext *context,
                                          guint32 entry);
/* @entry is asked for while it is computed: says by whom. Returns WEIR_FAILED. */
WeirStatus weir_evaluator_fail_in_cycle (const WeirEvaluator *self, WeirContext *context,
                                         guint32 entry);

/* The calculation of @entry is under way from here on, and no longer. */
static inline void
weir_context_enter (WeirContext *context, guint32 entry)
{
  weir_bit_set (context->busy, entry);
  weir_context_count (context, &context->n_calling, TRUE, WEIR_MODE_CALLING);
  g_array_append_val (context->calling, entry);
}

static inline void
weir_context_leave (WeirContext *context, guint32 entry)
{
  weir_bit_clear (context->busy, entry);
  weir_context_count (context, &context->n_calling, FALSE, WEIR_MODE_CALLING);
  g_array_set_size (context->calling, context->n_calling);
}

/* Calls an entry's calculation into @out: doubles, or a GVariant * whose old value is released.
 * @pending: set with WEIR_PENDING. */
WeirStatus weir_evaluator_compute (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                                   gpointer out, guint32 *pending);

G_END_DECLS
