/* The plan run whole, step by step: what a request for the derivatives is where all of the plan is
 * out of date. See evaluator-private.h.
 */
#include "system/evaluation/evaluator-private.h"

gboolean
weir_scan_can_take_plan (const WeirEvaluator *self, const WeirContext *context, guint32 end_word)
{
  guint64 up_to_date = 0;

  if (self->plan_steps->len == 0 || weir_context_is (context, WEIR_MODES_BEYOND_STEPS))
    return FALSE;
  for (guint32 w = 0; w < end_word; w++)
    up_to_date |= self->plan[w] & ~context->stale[w];
  return up_to_date == 0;
}

/* Clears the bits of the plan's entries in [first, end), which kernels have computed. */
static void
settle_plan (const WeirEvaluator *self, WeirContext *context, guint32 first, guint32 end)
{
  guint64 *restrict stale = context->stale;
  const guint64 *restrict plan = self->plan;
  guint32 w = first / 64, last = end / 64;
  guint64 head = G_MAXUINT64 << (first % 64), tail = (G_GUINT64_CONSTANT (1) << (end % 64)) - 1;

  if (weir_is_logging_all (context))
    weir_log_ring_note_range (context, plan, first, end, 0);
  if (w == last)
    {
      if ((head & tail) != 0)
        stale[w] &= ~(plan[w] & head & tail);
      return;
    }
  stale[w] &= ~(plan[w] & head);
  for (w++; w < last; w++)
    stale[w] &= ~plan[w];
  if (tail != 0)
    stale[w] &= ~(plan[w] & tail);
}

/* A step of which some entries were computed already, by reads that were not declared. Those have
 * been counted; the plan as a whole is counted at its end. */
static void
scan_rest_of_step (const WeirEvaluator *self, WeirContext *context, const WeirStep *step)
{
  for (guint32 e = step->first, end; e < step->end; e = end)
    {
      end = weir_scan_find_end (context->stale, self->plan, e, step->end);
      if (end > e)
        weir_scan_kernel (self, context, step, e - step->first, end - e);
      else
        {
          end = e + 1;
          weir_scan_count (context, end, e);
        }
    }
}

static void
count_kernels (const WeirEvaluator *self, WeirContext *context)
{
  for (guint k = 0; k < self->plan_kernels->len; k++)
    {
      WeirEntryRange range = g_array_index (self->plan_kernels, WeirEntryRange, k);

      weir_scan_count (context, range.first, range.end);
    }
}

/* Flags and counters are settled for many steps at once: before a calculation that may look at
 * them, and at the end. */
WeirStatus
weir_scan_whole_plan (const WeirEvaluator *self, WeirContext *context, guint32 end_word)
{
  const guint32 *segments = (const guint32 *) (const void *) self->plan_steps->data;
  double *derivatives;
  guint32 settled = 0, n_nested = context->n_nested, part = 0;
  const WeirNativePlan *native = weir_native_plan_get (self, context);
  const WeirStream *streams;

  if (self->plan_calls->len > 0)
    {
      if (native != NULL)
        weir_native_plan_run (self, native, context);
      else
        weir_plan_make_calls (self, context, FALSE);
      settle_plan (self, context, 0, MIN (end_word * 64, self->layout->n_entries));
      count_kernels (self, context);
      return WEIR_OK;
    }
  streams = weir_plan_get_streams (self, context);
  derivatives = weir_plan_take_derivatives (self, context);

  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[segments[i]];

      if (native != NULL && i == native->parts[part].first)
        {
          const WeirNativePart *made = &native->parts[part++];

          if (made->func != NULL && G_LIKELY (context->n_nested == n_nested))
            {
              weir_native_call (made->func, context, derivatives);
              i = made->end - 1;
              continue;
            }
        }
      if (G_LIKELY (step->kernel != NULL))
        {
          double *out = step->is_derivative ? derivatives + (step->out - self->layout->arena.xdot)
                                            : context->arena + step->out;

          if (G_UNLIKELY (context->n_nested != n_nested) && !step->is_derivative)
            scan_rest_of_step (self, context, step);
          else if (step->is_gathered)
            weir_call_gathered (self, step, streams + step->operand, out, 0,
                                step->end - step->first);
          else
            step->kernel (streams + step->operand, step->n_operands, step->variant, out,
                          step->out_stride, step->end - step->first);
          continue;
        }
      if (step->is_idle)
        continue;
      settle_plan (self, context, settled, step->first);
      settled = step->end;
      for (guint32 e = step->first; e < step->end; e++)
        {
          WeirStatus status = WEIR_OK;

          if (G_LIKELY (weir_bit (context->stale, e))) /* else an undeclared read came first */
            status = weir_scan_entry (self, context, e);
          if (G_LIKELY (status == WEIR_OK))
            continue;
          for (guint k = 0; k < i; k++)
            {
              const WeirStep *done = &self->steps[segments[k]];

              if (done->kernel != NULL || done->is_idle)
                weir_scan_count (context, done->first, done->end);
            }
          weir_scan_settle_failure (self, context, self->plan, 0, end_word, e);
          return status;
        }
    }
  settle_plan (self, context, settled, MIN (end_word * 64, self->layout->n_entries));
  count_kernels (self, context);
  return WEIR_OK;
}
