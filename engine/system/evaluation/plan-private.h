/* The plan of the derivatives where kernels are all that it takes, as one list of calls whose
 * arguments are ready: what most right-hand sides are made of, at the least cost for small and
 * mixed models.
 *
 * Calls follow each other in stages. What a stage's calls read from here and there is gathered
 * before them at one go, since a loop of some ten turns costs more by the jump mispredicted at its
 * end than by its work. Plans with other calculations in them run step by step (run-plan.c); both
 * give the same bits, flags and counters.
 */
#pragma once

#include "system/evaluation/evaluator-private.h"

G_BEGIN_DECLS

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
weir_plan_can_run (const WeirEvaluator *self, const WeirContext *context)
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

/* rhs.c: the calls alone; flags and counters are left as they are. */
void weir_plan_run_calls (const WeirEvaluator *self, WeirContext *context);

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

G_END_DECLS
