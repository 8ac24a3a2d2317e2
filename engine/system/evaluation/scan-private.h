/* How requests are answered, among the files that do: scan.c brings up to date what was collected,
 * whole-plan.c runs a plan whole, request.c chooses between them; and the plan of the derivatives
 * (plan.c) where kernels are all that it takes, as one list of calls whose arguments are ready:
 * what most right-hand sides are made of, at the least cost for small and mixed models.
 *
 * Calls follow each other in stages. What a stage's calls read from here and there is gathered
 * before them at one go, since a loop of some ten turns costs more by the jump mispredicted at its
 * end than by its work. Plans with other calculations in them run step by step; both give the same
 * bits, flags and counters.
 */
#pragma once

#include "system/evaluation/evaluator-private.h"
#include "system/observation/observation-private.h"

G_BEGIN_DECLS

/* --- The plan -------------------------------------------------------------------------------- */

typedef struct {
  WeirKernel kernel;
  guint64 variant;
  guint32 operand, out, n; /* place of the first operand, of the first result, number of results */
  gint32 out_stride;
  guint16 n_operands;
  gboolean is_derivative; /* the result is relative to where derivatives go, not to the arena */
} WeirPlanCall;

typedef struct {
  guint32 end;              /* of its calls */
  guint32 n_arena, n_state; /* values gathered from there, and from the state vector */
  const WeirStep *large;    /* its one call, which gathers its operands itself; else NULL */
} WeirStage;

/* Lists the calls of a plan that has its steps; none if it takes more than kernels. */
void weir_plan_make (WeirEvaluator *self);
void weir_plan_clear (WeirEvaluator *self);

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

/* The calls alone; flags and counters are left as they are. */
static inline __attribute__ ((always_inline)) void
weir_plan_make_calls (const WeirEvaluator *self, WeirContext *context)
{
  const WeirPlanCall *call = (const WeirPlanCall *) (gconstpointer) self->plan_calls->data;
  const WeirPlanCall *first = call;
  const guint32 *offsets = (const guint32 *) (gconstpointer) self->plan_offsets->data;
  const WeirStream *streams = weir_plan_get_streams (self, context);
  double *bases[2] = { context->arena, context->arena + self->layout->arena.xdot };

  if (self->plan_is_direct && context->xdot != NULL)
    bases[1] = g_steal_pointer (&context->xdot);
  for (guint i = 0; i < self->plan_stages->len; i++)
    {
      const WeirStage *stage = &g_array_index (self->plan_stages, WeirStage, i);
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
        call->kernel (streams + call->operand, call->n_operands, call->variant,
                      bases[call->is_derivative] + call->out, call->out_stride, call->n);
    }
}

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
