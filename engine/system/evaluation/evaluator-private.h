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

#include "native/native.h"
#include "system/observation/observation-private.h"
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

typedef struct _WeirSpread WeirSpread;

/* The code of a plan, and that of trials, made when they are first asked for. */
typedef struct {
  GMutex mutex;
  gpointer value;  /* WeirNativePlan; NULL: not made yet */
  gpointer trials; /* WeirTrialCodes; NULL: not made yet */
} WeirNativeSlot;

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
  GArray *plan_calls, *plan_stages, *plan_offsets; /* the same where that is all: below */
  GArray *direct_calls, *direct_stages; /* the same where derivatives go to a solver's vector */
  WeirSpread *spread;                   /* the latter by several threads; NULL: not worth it */
  guint32 plan_room;                    /* doubles of context->gathered */
  WeirNativeSlot *native;
  gboolean plan_is_direct; /* its derivatives may go straight to a solver's vector */
  gboolean looks_at_pairs; /* its calls look whether they are finite */
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
/* The same for all entries that are in @set, in its words [low, end). */
guint32 weir_evaluator_collect_all (const WeirLayout *layout, const guint64 *stale,
                                    const guint64 *disabled, guint64 *set, guint32 low,
                                    guint32 end);

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
/* A request for the value at @origin, whose place it returns; NULL: it has none. */
const double *weir_evaluator_eval_origin (const WeirEvaluator *self, WeirContext *context,
                                          WeirOrigin origin);
/* Brings @entry up to date with all it needs; @plan: its collection, or NULL. Counts one read. */
WeirStatus weir_evaluator_request (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                                   const guint64 *plan);
/* The same from within a calculation. */
WeirStatus weir_evaluator_request_nested (const WeirEvaluator *self, WeirContext *context,
                                          guint32 entry);
/* Zero words, a bit for each entry, to be zero again when added to context->spare. */
static inline guint64 *
weir_context_take_spare (WeirContext *context)
{
  if (context->spare->len == 0)
    return g_new0 (guint64, MAX (context->layout->n_words, 1));
  return g_ptr_array_steal_index_fast (context->spare, context->spare->len - 1);
}

/* @entry is asked for while it is computed: says by whom. Returns WEIR_FAILED. */
WeirStatus weir_evaluator_fail_in_cycle (const WeirEvaluator *self, WeirContext *context,
                                         guint32 entry);
/* FALSE: nothing that @entry depends on is under way. Otherwise says who reads it. */
gboolean weir_evaluator_fail_before_cycle (const WeirEvaluator *self, WeirContext *context,
                                           guint32 entry);

/* The calculation of @entry is under way from here on, and no longer. */
static inline void
weir_context_enter (WeirContext *context, guint32 entry)
{
  weir_bit_set (context->busy, entry);
  if (G_UNLIKELY (context->n_calling == context->calling->len))
    g_array_set_size (context->calling, 2 * context->n_calling);
  g_array_index (context->calling, guint32, context->n_calling) = entry;
  weir_context_count (context, &context->n_calling, TRUE, WEIR_MODE_CALLING);
}

static inline void
weir_context_leave (WeirContext *context, guint32 entry)
{
  weir_bit_clear (context->busy, entry);
  weir_context_count (context, &context->n_calling, FALSE, WEIR_MODE_CALLING);
}

/* Calls an entry's calculation into @out: doubles, or a GVariant * whose old value is released.
 * @pending: set with WEIR_PENDING. */
WeirStatus weir_evaluator_compute (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                                   gpointer out, guint32 *pending);

/* --- Requests -------------------------------------------------------------------------------- */

/* How requests are answered, among the files that do: scan.c brings up to date what was collected,
 * whole-plan.c runs a plan whole, request.c chooses between them; and the plan of the derivatives
 * (plan.c) where kernels are all that it takes, as one list of calls whose arguments are ready:
 * what most right-hand sides are made of, at the least cost for small and mixed models.
 *
 * Calls follow each other in stages. What a stage's calls read from here and there is gathered
 * before them at one go, since a loop of some ten turns costs more by the jump mispredicted at its
 * end than by its work. Long calls to a solver's vector go in tiles (tiles.c). Plans with other
 * calculations in them run step by step; all give the same bits, flags and counters. */

/* --- The plan -------------------------------------------------------------------------------- */

typedef struct {
  WeirKernel kernel;
  guint64 variant;
  guint32 first;           /* entry */
  guint32 operand, out, n; /* place of the first operand, of the first result, number of results */
  gint32 out_stride;
  guint16 n_operands;
  gboolean is_derivative; /* the result is relative to where derivatives go, not to the arena */
  gboolean is_of_pairs;   /* weir_plan_copy_pairs() serves it too */
} WeirPlanCall;

typedef struct {
  guint32 end;              /* of its calls */
  guint32 n_arena, n_state; /* values gathered from there, and from the state vector */
  const WeirStep *large;    /* its one call, which gathers its operands itself; else NULL */
} WeirStage;

/* Lists the calls of a plan that has its steps; none if it takes more than kernels. */
void weir_plan_make (WeirEvaluator *self);
void weir_plan_clear (WeirEvaluator *self);
/* Does @call read what is gathered before it? */
gboolean weir_plan_is_gathered (const WeirEvaluator *self, const WeirPlanCall *call);
/* Puts @operands behind those that there are. Returns the place of the first. */
guint32 weir_plan_append_operands (WeirEvaluator *self, const WeirStepOperand *operands, guint n);

/* tiles.c: cuts the direct calls, where they are long, into parts in an order that keeps what they
 * leave to each other in the first-level cache. */
void weir_plan_tile (WeirEvaluator *self);

/* Brings context->streams up to date: the operands of every step, ready for its kernel. They stay
 * as they are until the state vector moves. */
void weir_plan_resolve (const WeirEvaluator *self, WeirContext *context);

static inline const WeirStream *
weir_plan_get_streams (const WeirEvaluator *self, WeirContext *context)
{
  if (G_UNLIKELY (context->streams_x != context->x))
    weir_plan_resolve (self, context);
  return context->streams;
}

/* Is a request for the derivatives the whole plan, and nothing unusual about it? */
static inline gboolean
weir_plan_can_call (const WeirEvaluator *self, const WeirContext *context)
{
  const guint64 *plan = self->plan, *stale = context->stale;
  guint64 up_to_date;

  if (self->plan_calls->len == 0 || weir_context_is (context, WEIR_MODES_BEYOND_LISTS))
    return FALSE;
  up_to_date = plan[0] & ~stale[0];
  for (guint32 w = 1; w <= self->derivatives / 64; w++)
    up_to_date |= plan[w] & ~stale[w];
  return up_to_date == 0;
}

/* Values from @n places. Two are stored at a time: the kernel that reads them at once would wait
 * for single ones. */
static inline void
weir_gather (double *restrict values, const double *restrict base, const guint32 *restrict offsets,
             guint32 n)
{
  typedef double Pair __attribute__ ((vector_size (16)));
  guint32 i = 0;

  for (; i + 2 <= n; i += 2)
    {
      Pair pair = { base[offsets[i]], base[offsets[i + 1]] };

      __builtin_memcpy (values + i, &pair, sizeof pair);
    }
  if (i < n)
    values[i] = base[offsets[i]];
}

/* Calls a step's kernel for @n entries, the first of them @skip after the step's own, gathering
 * what does not lie in a row. @resolved: the operands from the step's first entry on, where those
 * that are gathered begin at their base; @out: the result of that. */
void weir_call_gathered (const WeirEvaluator *self, const WeirStep *step,
                         const WeirStream *resolved, double *out, guint32 skip, guint32 n);

/* Copies values of two streams by turns. Are all finite? */
gboolean weir_plan_copy_pairs (const WeirStream *in, double *restrict out, gsize n);

/* The calls alone; flags and counters are left as they are. @may_skip: what nothing but a copied
 * derivative reads need not be stored where the derivatives go to a solver's vector. */
static inline __attribute__ ((always_inline)) void
weir_plan_make_calls (const WeirEvaluator *self, WeirContext *context, gboolean may_skip)
{
  gboolean is_direct = self->plan_is_direct && context->xdot != NULL;
  const GArray *calls = may_skip && is_direct ? self->direct_calls : self->plan_calls;
  const GArray *stages = may_skip && is_direct ? self->direct_stages : self->plan_stages;
  const WeirPlanCall *call = (const WeirPlanCall *) (gconstpointer) calls->data;
  const WeirPlanCall *first = call;
  const guint32 *offsets = (const guint32 *) (gconstpointer) self->plan_offsets->data;
  const WeirStream *streams = weir_plan_get_streams (self, context);
  double *bases[2] = { context->arena, context->arena + self->layout->arena.xdot };
  gboolean is_finite = is_direct && self->looks_at_pairs;

  if (is_direct)
    bases[1] = g_steal_pointer (&context->xdot);
  for (guint i = 0; i < stages->len; i++)
    {
      const WeirStage *stage = &g_array_index (stages, WeirStage, i);
      const WeirPlanCall *end = first + stage->end;

      if (stage->n_arena + stage->n_state > 0)
        {
          weir_gather (context->gathered, context->arena, offsets, stage->n_arena);
          weir_gather (context->gathered + stage->n_arena, context->x, offsets + stage->n_arena,
                       stage->n_state);
          offsets += stage->n_arena + stage->n_state;
        }
      if (G_UNLIKELY (stage->large != NULL))
        {
          weir_call_gathered (self, stage->large, streams + call->operand,
                              bases[call->is_derivative] + call->out, 0, call->n);
          call++;
        }
      for (; call < end; call++)
        if (G_UNLIKELY (call->is_of_pairs))
          is_finite &= weir_plan_copy_pairs (streams + call->operand, bases[TRUE] + call->out,
                                             call->n);
        else
          call->kernel (streams + call->operand, call->n_operands, call->variant,
                        bases[call->is_derivative] + call->out, call->out_stride, call->n);
    }
  context->is_finite = is_finite;
}

/* --- Native code ----------------------------------------------------------------------------- */

/* The steps of a plan, of which code computes what it can: classes of few entries, or of such as
 * are gathered, for a kernel's call costs as much as some of them. Values, flags and counters are
 * those of the steps. Immutable; shared by all contexts. */
typedef struct {
  guint first, end;     /* of plan_steps */
  WeirNativeCode *code; /* NULL: run the steps */
  WeirNativeFunc func;
} WeirNativePart;

typedef struct {
  WeirNativePart *parts;
  guint n_parts;
  gboolean has_code;
  WeirNativeFunc whole; /* where one code is all */
} WeirNativePlan;

/* The bases of the code. */
enum {
  WEIR_CODE_BASE_ARENA,
  WEIR_CODE_BASE_STATE,
  WEIR_CODE_BASE_DERIVATIVES,
  WEIR_CODE_BASE_TIME,                          /* the one number there */
  WEIR_CODE_BASE_CONTEXT = WEIR_CODE_BASE_TIME, /* of trials' code, to which time is an argument */
};

/* trial-code.c: the change event by which a context comes to a trial, what of the plan that puts
 * out of date, and the event by which it leaves, as one code. Immutable; shared by all contexts. */
typedef struct {
  WeirNativeUsual func; /* NULL: something of it is no code, or it is better done in turn */
  WeirNativeCode *code; /* NULL: it is a function of ours */
} WeirTrialCode;

typedef struct {
  WeirTrialCode at[2]; /* by whether a trial is at the accepted time */
} WeirTrialCodes;

/* @in_turn: what they stand in for, of a system, a context, a time, a state and derivatives.
 * @whole: the same where all of the plan is kernels and out of date by the first event. */
const WeirTrialCodes *weir_trial_codes_make (const WeirEvaluator *evaluator,
                                             WeirNativeUsual in_turn, WeirNativeUsual whole);
void weir_trial_codes_free (WeirTrialCodes *self);

static inline void
weir_native_call (WeirNativeFunc func, const WeirContext *context, const double *derivatives)
{
  func (context->arena, context->x, derivatives, &context->now, NULL);
}

const WeirNativePlan *weir_native_plan_make (const WeirEvaluator *self);
WeirNativeSlot *weir_native_slot_new (void);
void weir_native_slot_free (WeirNativeSlot *slot);

/* NULL: the steps are all there is. */
static inline const WeirNativePlan *
weir_native_plan_get (const WeirEvaluator *self, const WeirContext *context)
{
  const WeirNativePlan *plan = g_atomic_pointer_get (&self->native->value);

  if (weir_context_is (context, WEIR_MODE_INTERPRETS))
    return NULL;
  if (G_UNLIKELY (plan == NULL))
    plan = weir_native_plan_make (self);
  return plan->has_code ? plan : NULL;
}

/* Where derivatives go: the solver's vector if it may be, else the arena. */
static inline double *
weir_plan_take_derivatives (const WeirEvaluator *self, WeirContext *context)
{
  return self->plan_is_direct && context->xdot != NULL ? g_steal_pointer (&context->xdot)
                                                       : context->arena + self->layout->arena.xdot;
}

/* Runs a plan of kernels alone; flags and counters are left as they are. */
void weir_native_plan_run_parts (const WeirEvaluator *self, const WeirNativePlan *plan,
                                 WeirContext *context, double *derivatives);

static inline void
weir_native_plan_run (const WeirEvaluator *self, const WeirNativePlan *plan, WeirContext *context)
{
  double *derivatives = weir_plan_take_derivatives (self, context);

  if (G_LIKELY (plan->whole != NULL))
    weir_native_call (plan->whole, context, derivatives);
  else
    weir_native_plan_run_parts (self, plan, context, derivatives);
}

/* A plan of kernels alone, by this thread; flags and counters are left as they are. */
static inline __attribute__ ((always_inline)) void
weir_plan_run (const WeirEvaluator *self, WeirContext *context)
{
  const WeirNativePlan *native = weir_native_plan_get (self, context);

  if (native != NULL)
    weir_native_plan_run (self, native, context);
  else
    weir_plan_make_calls (self, context, TRUE);
}

/* spread.c: the direct calls by several threads; the same bits. NULL: the plan is too small. */
WeirSpread *weir_spread_new (const WeirEvaluator *evaluator);
void weir_spread_free (WeirSpread *self);
/* In place of weir_plan_run(); FALSE: there is one thread, or nobody to give derivatives to.
 */
gboolean weir_spread_make_calls (const WeirSpread *self, const WeirEvaluator *evaluator,
                                 WeirContext *context);

/* --- Answering ------------------------------------------------------------------------------- */

#define WEIR_MAX_DEPTH 1000 /* of undeclared or disabled reads within each other */

/* Entries [first, end) were computed; with @first behind @end, takes that back. */
static inline void
weir_scan_count (WeirContext *context, guint32 first, guint32 end)
{
  guint64 *steps = weir_context_is (context, WEIR_MODE_UNCACHED) ? context->off_steps
                                                                 : context->calc_steps;

  steps[first]++;
  steps[end]--;
}

/* A lazy calculation waits for another entry. */
static inline void
weir_scan_note_demand (WeirContext *context, guint32 e, guint32 pending)
{
  context->demander = e;
  context->demanded = pending;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
    weir_log_ring_note_inner (context, WEIR_LOG_DEMAND, pending, e);
}

/* The end of the run of set bits of @a & @b that begins at @first, at most @limit. */
static inline guint32
weir_scan_find_end (const guint64 *a, const guint64 *b, guint32 first, guint32 limit)
{
  guint32 at = first;

  while (at < limit)
    {
      guint64 clear = ~(a[at / 64] & b[at / 64]) >> (at % 64);

      if (clear != 0)
        return MIN (at + (guint32) __builtin_ctzll (clear), limit);
      at += 64 - at % 64;
    }
  return limit;
}

/* Brings every entry of @need up to date, in words [first_word, end_word). @growing: the same bits
 * where lazy calculations may demand more, cleared at the end; NULL for a plan, which is shared. */
WeirStatus weir_scan_needed (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                             guint64 *growing, guint32 first_word, guint32 end_word);

/* Computes one entry whose reads are up to date, bringing up to date what it waits for. */
WeirStatus weir_scan_entry (const WeirEvaluator *self, WeirContext *context, guint32 e);
/* Computes an entry whose caching is disabled, at a read. What it reads is up to date, but for
 * other disabled entries, which are computed again. */
WeirStatus weir_scan_disabled (const WeirEvaluator *self, WeirContext *context, guint32 e);

/* Calls a step's kernel for @n entries, the first of them @skip after the step's own. Flags and
 * counters are left as they are. */
void weir_scan_kernel (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                       guint32 skip, guint32 n);

/* After a failure: consumers that never ran have read what was computed for them. */
void weir_scan_settle_failure (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                               guint32 first_word, guint32 end_word, guint32 failed);
WeirStatus weir_scan_fail_too_deep (const WeirEvaluator *self, WeirContext *context, guint32 e);

/* May the plan run step by step, because all of it is out of date and nothing is unusual? */
gboolean weir_scan_can_take_plan (const WeirEvaluator *self, const WeirContext *context,
                                  guint32 end_word);
/* Runs every step of the plan in order. */
WeirStatus weir_scan_whole_plan (const WeirEvaluator *self, WeirContext *context, guint32 end_word);

G_END_DECLS
