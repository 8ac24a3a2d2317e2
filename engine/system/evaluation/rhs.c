/* Requests for the derivatives: the plan run whole, and right-hand sides, for which the state of a
 * solver stands in for the accepted one. See eval.h and evaluator-private.h.
 *
 * A right-hand side of a small model takes some hundred instructions in all, so what is usual is
 * inlined into one function, which ends with a call of the code that does the rest.
 */
#include "system/evaluation/eval.h"

#include <string.h>

#include "base/finite.h"
#include "system/observation/observation-private.h"
#include "system/evaluation/evaluator-private.h"

/* --- Running a plan -------------------------------------------------------------------------- */

/* A request for the derivatives has computed all that they need. */
static inline void
count_request (const WeirEvaluator *self, WeirContext *context)
{
  const WeirEntryRange *ranges = (const WeirEntryRange *) (gconstpointer) self->plan_kernels->data;
  guint64 *steps = context->calc_steps;

  for (guint k = 0; k < self->plan_kernels->len; k++)
    {
      steps[ranges[k].first]++;
      steps[ranges[k].end]--;
    }
  weir_context_count_untimed (context);
  context->reads[self->derivatives]++;
}

/* Nothing looks at flags until all calls are done. */
static inline void
clear_plan (const WeirEvaluator *self, WeirContext *context)
{
  guint32 n_words = self->derivatives / 64 + 1;
  const guint64 *restrict plan = self->plan;
  guint64 *restrict stale = context->stale;

  stale[0] &= ~plan[0];
  for (guint32 w = 1; w < n_words; w++)
    stale[w] &= ~plan[w];
}

static inline __attribute__ ((always_inline)) void
run_plan (const WeirEvaluator *self, WeirContext *context)
{
  if (G_LIKELY (self->spread == NULL) || !weir_spread_make_calls (self->spread, self, context))
    weir_plan_run (self, context);
}

static inline __attribute__ ((always_inline)) void
take_plan (const WeirEvaluator *self, WeirContext *context)
{
  run_plan (self, context);
  clear_plan (self, context);
  count_request (self, context);
}

/* --- Requests for the derivatives ------------------------------------------------------------ */

static inline __attribute__ ((always_inline)) WeirStatus
request_derivatives (const WeirEvaluator *evaluator, WeirContext *context)
{
  if (G_LIKELY (weir_plan_can_call (evaluator, context)))
    {
      if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
        weir_log_ring_note_request (context, evaluator->derivatives, TRUE);
      take_plan (evaluator, context);
      return WEIR_OK;
    }
  weir_context_begin_request (context);
  return weir_evaluator_request (evaluator, context, evaluator->derivatives, evaluator->plan);
}

const double *
weir_eval_derivatives (WeirSystem *root, WeirContext *context)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);

  if (evaluator == NULL)
    return NULL;
  if (evaluator->derivatives != WEIR_NO_INDEX
      && request_derivatives (evaluator, context) != WEIR_OK)
    return NULL;
  return context->arena + context->layout->arena.xdot;
}

/* --- The state of others --------------------------------------------------------------------- */

static inline void
note_time_and_state (WeirContext *context, double time)
{
  gboolean same_time = memcmp (&context->now, &time, sizeof time) == 0;
  WeirSource source = { same_time ? WEIR_SOURCE_STATE : WEIR_SOURCE_TIME_STATE };
  WeirMaskSpan *run = same_time ? &context->state_span : &context->time_state_span;

  context->now = time;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODES_OF_FULL_EVENTS)
                  || !weir_context_can_note_span (context, run)))
    {
      weir_context_note_and_learn (context, source, run);
      return;
    }
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
    weir_log_ring_note_event (context, source);
  weir_context_note_span (context, source, run);
}

/* Some of those who compute many derivatives look whether they are finite on the way. */
static inline gboolean
are_finite (WeirContext *context, const double *xdot)
{
  gboolean is_known = context->is_finite;

  context->is_finite = FALSE;
  return is_known || weir_all_finite (context->layout->n_states, xdot);
}

/* Puts into the arena what went straight to @xdot, for those who look for a cause. */
static G_GNUC_NO_INLINE void
complete_arena (const WeirEvaluator *evaluator, WeirContext *context, const double *xdot)
{
  if (evaluator->plan_calls->len > 0)
    weir_plan_make_calls (evaluator, context, FALSE);
  else
    memcpy (context->arena + context->layout->arena.xdot, xdot,
            context->layout->n_states * sizeof *xdot);
}

/* --- Right-hand sides ------------------------------------------------------------------------- */

static inline gboolean
has_same_bits (double a, double b)
{
  guint64 x, y;

  memcpy (&x, &a, sizeof x);
  memcpy (&y, &b, sizeof y);
  return x == y;
}

static inline gboolean
overlap (guint32 n, const double *x, const double *xdot)
{
  return x < xdot + n && xdot < x + n;
}

/* The change event by which the context comes to a trial, the request, and the event by which it
 * leaves, at one go: where one code computes what of the plan the first event puts out of date, or
 * that is all of it, and all else is up to date, flags need neither be looked at nor set in
 * between; the second event puts out of date what the first did, so that they are at the end what
 * both make them. NULL: there is no such code, or something is unusual that it does not look for
 * itself. */
static inline __attribute__ ((always_inline)) WeirNativeUsual
find_code_at_one_go (const WeirEvaluator *self, const WeirContext *context, double time)
{
  double accepted = context->arena[WEIR_ARENA_TIME];
  const WeirTrialCodes *codes = g_atomic_pointer_get (&self->native->trials);
  guint64 n_events = *context->n_events;

  if (G_UNLIKELY (codes == NULL || weir_context_is (context, WEIR_MODES_OF_FULL_TRIALS)
                  || context->until_timed <= 1 || context->observer != NULL
                  || weir_is_event_sampled (n_events + 1) || weir_is_event_sampled (n_events + 2)
                  || !has_same_bits (context->now, accepted)))
    return NULL;
  return codes->at[has_same_bits (time, accepted)].func;
}

static int eval_rhs_in_turn (gpointer root_data, gpointer context_data, double time,
                             const double *x, double *xdot);

/* At one go where that is all of the plan. */
static int
eval_rhs_whole (gpointer root_data, gpointer context_data, double time, const double *x,
                double *xdot)
{
  WeirSystem *root = root_data;
  WeirContext *context = context_data;
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);
  double accepted = context->arena[WEIR_ARENA_TIME];
  guint32 source = has_same_bits (time, accepted) ? WEIR_SOURCE_STATE : WEIR_SOURCE_TIME_STATE;

  context->x = x;
  context->now = time;
  context->xdot = xdot;
  run_plan (evaluator, context);
  context->x = context->arena + context->layout->arena.state;
  context->now = accepted;
  if (G_UNLIKELY (!are_finite (context, xdot)))
    return eval_rhs_in_turn (root, context, time, x, xdot);
  *context->n_events += 2;
  context->source_last[source] = *context->n_events;
  context->source_events[source] += 2;
  weir_masks_mark (context->layout->masks, source, context->stale, context->scratch);
  count_request (evaluator, context);
  return WEIR_OK;
}

/* The first event, the request, and the second. */
static G_GNUC_NO_INLINE int
eval_rhs_in_turn (gpointer root_data, gpointer context_data, double time, const double *x,
                  double *xdot)
{
  WeirSystem *root = root_data;
  WeirContext *context = context_data;
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);
  guint32 n = context->layout->n_states;
  gboolean overlaps = overlap (n, x, xdot);
  gboolean is_direct;
  WeirStatus status;

  if (G_UNLIKELY (evaluator == NULL || evaluator->layout != context->layout
                  || weir_context_is (context, WEIR_MODES_OF_CHECKED_RHS)))
    {
      /* Where everything is logged, derivatives are compared with those before in the arena. */
      overlaps |= weir_is_logging_all (context);
      evaluator = weir_system_get_fitting_evaluator (root, context);
      if (evaluator == NULL)
        return WEIR_FAILED;
      if (weir_context_is (context, WEIR_MODE_FROZEN) && evaluator->derivatives != WEIR_NO_INDEX)
        {
          weir_context_set_failure (context, "the context is frozen: no trial state can be tried");
          return WEIR_FAILED;
        }
    }
  if (evaluator->derivatives == WEIR_NO_INDEX)
    return WEIR_OK;

  if (G_UNLIKELY (g_atomic_pointer_get (&evaluator->native->trials) == NULL)
      && !weir_context_is (context, WEIR_MODE_INTERPRETS))
    weir_trial_codes_make (evaluator, eval_rhs_in_turn, eval_rhs_whole); /* for what follows */
  context->x = x;
  context->xdot = overlaps ? NULL : xdot;
  note_time_and_state (context, time);
  status = request_derivatives (evaluator, context);
  is_direct = context->xdot == NULL && !overlaps;
  context->xdot = NULL;
  if (status == WEIR_OK)
    {
      double *derivatives = context->arena + context->layout->arena.xdot;

      if (!is_direct)
        memcpy (xdot, derivatives, n * sizeof *xdot);
      if (G_UNLIKELY (!are_finite (context, xdot)))
        {
          if (is_direct)
            complete_arena (evaluator, context, xdot);
          weir_context_explain_not_finite (context, x, evaluator->derivatives);
          status = WEIR_FAILED;
        }
    }
  /* Leaving the trial vector is an event too: nothing computed from it may stay valid. */
  context->x = context->arena + context->layout->arena.state;
  note_time_and_state (context, context->arena[WEIR_ARENA_TIME]);
  return status;
}

/* Needs no register of its caller's, as what is usual ends with a call. */
WeirStatus
weir_eval_rhs (WeirSystem *root, WeirContext *context, double time, const double *x, double *xdot)
{
  const WeirEvaluator *evaluator = g_atomic_pointer_get (&root->evaluator.value);

  if (G_LIKELY (evaluator != NULL && evaluator->layout == context->layout
                && !overlap (context->layout->n_states, x, xdot)))
    {
      WeirNativeUsual func = find_code_at_one_go (evaluator, context, time);

      if (G_LIKELY (func != NULL))
        return (WeirStatus) func (root, context, time, x, xdot);
    }
  return (WeirStatus) eval_rhs_in_turn (root, context, time, x, xdot);
}

void
weir_context_begin_trial (WeirContext *context, double time, const double *x)
{
  context->x = x;
  note_time_and_state (context, time);
}

void
weir_context_end_trial (WeirContext *context)
{
  context->x = context->arena + context->layout->arena.state;
  note_time_and_state (context, context->arena[WEIR_ARENA_TIME]);
}

WeirStatus
weir_eval_entries_at (WeirSystem *root, WeirContext *context, double time, const double *x, guint n,
                      const WeirEntry *entries, double *const *out)
{
  const WeirEvaluator *evaluator = weir_system_get_fitting_evaluator (root, context);
  WeirStatus status = WEIR_OK;

  if (evaluator == NULL)
    return WEIR_FAILED;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_FROZEN)))
    {
      weir_context_set_failure (context, "the context is frozen: no trial state can be tried");
      return WEIR_FAILED;
    }
  weir_context_begin_trial (context, time, x);
  weir_context_begin_request (context);
  for (guint i = 0; i < n && status == WEIR_OK; i++)
    {
      status = weir_evaluator_request (evaluator, context, entries[i].i, NULL);
      if (status == WEIR_OK)
        memcpy (out[i], context->arena + context->layout->value_offset[entries[i].i],
                weir_layout_decl (context->layout, entries[i].i)->size * sizeof (double));
    }
  weir_context_end_trial (context);
  return status;
}
