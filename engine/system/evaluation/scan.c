/* The scan up over what is out of date: each entry is computed when all that it reads is up to
 * date, whole segments in one kernel call; what is counted and timed on the way. See
 * evaluator-private.h.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "system/observation/observation-private.h"

/* --- Kernels --------------------------------------------------------------------------------- */

#define GATHERED_AT_ONCE 128 /* entries */

G_GNUC_NO_INLINE void
weir_call_gathered (const WeirEvaluator *self, const WeirStep *step, const WeirStream *resolved,
                    double *out, guint32 skip, guint32 n)
{
  const guint32 *offsets = (const guint32 *) (const void *) self->gathered->data;
  const WeirStepOperand *operands = self->operands + step->operand;

  for (guint32 at = skip, end = skip + n; at < end; at += GATHERED_AT_ONCE)
    {
      double values[WEIR_MAX_GATHERED][GATHERED_AT_ONCE];
      WeirStream streams[WEIR_MAX_GATHERED];
      guint32 count = MIN (end - at, GATHERED_AT_ONCE);

      for (guint k = 0; k < step->n_operands; k++)
        if (resolved[k].stride == WEIR_GATHERED)
          {
            weir_gather (values[k], resolved[k].base, offsets + operands[k].gathered + at, count);
            streams[k] = (WeirStream) { values[k], 1 };
          }
        else
          streams[k] = (WeirStream) { resolved[k].base + (gssize) at * resolved[k].stride,
                                      resolved[k].stride };
      step->kernel (streams, step->n_operands, step->variant, out + (gssize) at * step->out_stride,
                    step->out_stride, count);
    }
}

static inline __attribute__ ((always_inline)) void
call_kernel (const WeirEvaluator *self, WeirContext *context, const WeirStep *step, guint32 skip,
             guint32 n)
{
  const double *const of_space[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = context->arena,
                                                  [WEIR_SPACE_STATE] = context->x,
                                                  [WEIR_SPACE_TIME] = &context->now };
  double *arena = context->arena;
  const WeirStepOperand *operands = self->operands + step->operand;
  WeirStream streams[WEIR_MAX_OPERANDS_ON_STACK];
  guint32 in_place = step->is_gathered ? 0 : skip;

  for (guint k = 0; k < step->n_operands; k++)
    {
      streams[k].base = of_space[operands[k].space] + operands[k].offset
                        + (gssize) in_place * operands[k].stride;
      streams[k].stride = operands[k].stride;
    }
  if (step->is_gathered)
    weir_call_gathered (self, step, streams, arena + step->out, skip, n);
  else
    step->kernel (streams, step->n_operands, step->variant,
                  arena + step->out + (gssize) skip * step->out_stride, step->out_stride, n);
}

void
weir_scan_kernel (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                  guint32 skip, guint32 n)
{
  call_kernel (self, context, step, skip, n);
}

void
weir_evaluator_call_single (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                            guint32 entry)
{
  if (entry == step->first && !step->is_gathered)
    step->kernel (weir_plan_get_streams (self, context) + step->operand, step->n_operands,
                  step->variant, context->arena + step->out, step->out_stride, 1);
  else
    weir_scan_kernel (self, context, step, entry - step->first, 1);
}

/* --- The scan up ----------------------------------------------------------------------------- */

/* ns; at least 1, for 0 is not sampled. */
static guint64
note_duration (WeirContext *context, guint32 segment, guint64 start, guint64 n)
{
  guint64 ns = weir_clock_since (start);

  context->segment_ns[segment] += ns;
  context->segment_timed[segment] += n;
  return MAX (ns, 1);
}

WeirStatus
weir_scan_fail_too_deep (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { e });

  weir_context_set_failure (context,
                            "reads that are not declared, or not cached, nest too deeply "
                            "at %s",
                            path);
  return WEIR_FAILED;
}

static WeirStatus scan_entry (const WeirEvaluator *self, WeirContext *context, guint32 e,
                              guint32 *pending);

/* Brings @pending up to date while the calculation of @e, which demands it, counts as under way: so
 * that a cycle which they close is found. */
static WeirStatus
await (const WeirEvaluator *self, WeirContext *context, guint32 e, guint32 pending)
{
  WeirStatus status;

  weir_scan_note_demand (context, e, pending);
  weir_context_enter (context, e);
  status = weir_evaluator_request_nested (self, context, pending);
  weir_context_leave (context, e);
  return status;
}

WeirStatus
weir_scan_entry (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  guint32 pending = WEIR_NO_INDEX;
  WeirStatus status;

  while ((status = scan_entry (self, context, e, &pending)) == WEIR_PENDING
         && (status = await (self, context, e, pending)) == WEIR_OK)
    ;
  return status;
}

WeirStatus
weir_scan_disabled (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  WeirStatus status;

  if (context->depth >= WEIR_MAX_DEPTH)
    {
      if (weir_context_is (context, WEIR_MODE_LOGGED))
        weir_log_ring_note_inner (context, WEIR_LOG_FAILED, e, 1);
      return weir_scan_fail_too_deep (self, context, e);
    }
  context->depth++;
  status = weir_scan_entry (self, context, e);
  context->depth--;
  return status;
}

static WeirStatus
scan_disabled_reads (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  const WeirLayout *layout = self->layout;
  WeirStatus status = WEIR_OK;

  for (guint32 k = layout->up_first[e]; status == WEIR_OK && k < layout->up_first[e + 1]; k++)
    if (weir_bit (context->disabled, layout->ups[k]))
      status = weir_scan_disabled (self, context, layout->ups[k]);
  return status;
}

/* Computes one entry whose reads are up to date; WEIR_PENDING: it waits for @pending. */
static WeirStatus
scan_entry (const WeirEvaluator *self, WeirContext *context, guint32 e, guint32 *pending)
{
  double *word = context->arena + self->layout->value_offset[e];
  gpointer out = self->layout->abstract_slots->len == 0
                         || weir_layout_decl (self->layout, e)->type == NULL
                     ? (gpointer) word
                     : &context->abstract[*(const guint64 *) (const void *) word];
  guint64 start = 0, ns = 0;
  WeirStatus status = WEIR_OK;

  if (weir_context_is (context, WEIR_MODE_DISABLED) && !weir_bit (self->layout->lazy, e))
    status = scan_disabled_reads (self, context, e);
  if (status != WEIR_OK)
    return status;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_HELD))
      && !weir_watch_let_compute (context, e))
    {
      if (weir_context_is (context, WEIR_MODE_LOGGED))
        weir_log_ring_note_inner (context, WEIR_LOG_FAILED, e, 1);
      return WEIR_FAILED;
    }
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_TIMING)))
    start = weir_clock_ns ();
  status = weir_evaluator_compute (self, context, e, out, pending);
  if (status == WEIR_PENDING)
    return status;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_TIMING)))
    ns = note_duration (context, self->layout->segment_of[e], start, 1);
  if (!weir_context_is (context, WEIR_MODE_UNCACHED) && weir_bit (context->disabled, e))
    context->entry_off[e]++;
  else
    weir_scan_count (context, e, e + 1);
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED))
      && (weir_is_logging_all (context) || status != WEIR_OK))
    weir_log_ring_note_calc (context, e, status, ns);
  if (status == WEIR_OK)
    weir_bit_clear (context->stale, e);
  return status;
}

/* Entries [first, end) of a segment in one call. */
static void
run_batch (const WeirEvaluator *self, WeirContext *context, guint32 s, guint32 first, guint32 end)
{
  const WeirStep *step = &self->steps[s];
  guint64 start = 0, ns = 0;

  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_TIMING)))
    start = weir_clock_ns ();
  call_kernel (self, context, step, first - step->first, end - first);
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_TIMING)))
    ns = note_duration (context, s, start, end - first);
  weir_scan_count (context, first, end);
  if (weir_is_logging_all (context))
    weir_log_ring_note_range (context, NULL, first, end, ns);
}

#define MODES_OF_NOTES (WEIR_MODE_UNCACHED | WEIR_MODE_LOGGED_ALL | WEIR_MODE_TIMING)

/* One entry of a segment: what is out of date here and there is found as fast as it is computed, so
 * that it is worth no call besides that of the kernel. */
static inline __attribute__ ((always_inline)) void
run_single (const WeirEvaluator *self, WeirContext *context, guint32 s, guint32 e)
{
  const WeirStep *step = &self->steps[s];

  if (G_UNLIKELY (weir_context_is (context, MODES_OF_NOTES)))
    {
      run_batch (self, context, s, e, e + 1);
      return;
    }
  call_kernel (self, context, step, e - step->first, 1);
  context->calc_steps[e]++;
  context->calc_steps[e + 1]--;
}

static inline void
clear_range (guint64 *bits, guint32 first, guint32 end)
{
  while (first < end)
    {
      guint32 in_word = first % 64, n = MIN (64 - in_word, end - first);
      guint64 mask = n == 64 ? G_MAXUINT64 : ((G_GUINT64_CONSTANT (1) << n) - 1) << in_word;

      bits[first / 64] &= ~mask;
      first += n;
    }
}

/* --- Here and there --------------------------------------------------------------------------- */

/* Of a large step entries may be out of date that do not follow each other. Nothing within a step
 * reads another of its entries, so they are computed many at a time: what they read is brought
 * together, and their results are spread. That takes half the time of a kernel call for each. */

#define LEAST_SCATTERED 256 /* entries of a step */
#define SCATTERED_AT_ONCE 128

/* @at: entries, counted from the step's first. */
static void
call_scattered (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                const guint32 *at, guint32 n)
{
  const double *const of_space[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = context->arena,
                                                  [WEIR_SPACE_STATE] = context->x,
                                                  [WEIR_SPACE_TIME] = &context->now };
  const guint32 *gathered = (const guint32 *) (const void *) self->gathered->data;
  double values[WEIR_MAX_GATHERED][SCATTERED_AT_ONCE], results[SCATTERED_AT_ONCE];
  double *out = context->arena + step->out;
  WeirStream streams[WEIR_MAX_GATHERED];

  for (guint k = 0; k < step->n_operands; k++)
    {
      const WeirStepOperand *operand = &self->operands[step->operand + k];
      const double *base = of_space[operand->space] + operand->offset;
      gssize stride = operand->stride;

      streams[k] = stride == 0 ? (WeirStream) { base, 0 } : (WeirStream) { values[k], 1 };
      if (stride == WEIR_GATHERED)
        for (guint32 i = 0; i < n; i++)
          values[k][i] = base[gathered[operand->gathered + at[i]]];
      else if (stride != 0)
        for (guint32 i = 0; i < n; i++)
          values[k][i] = base[at[i] * stride];
    }
  step->kernel (streams, step->n_operands, step->variant, results, 1, n);
  for (guint32 i = 0; i < n; i++)
    out[at[i] * (gssize) step->out_stride] = results[i];
}

/* Computes what is alone among the entries of the step in words [w, end_word). Returns the first
 * word in which others are left, or the step's last. */
static G_GNUC_NO_INLINE guint32
run_scattered (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
               const WeirStep *step, guint32 w, guint32 end_word)
{
  guint64 *stale = context->stale, *counts = context->calc_steps;
  guint32 at[SCATTERED_AT_ONCE], n = 0, last_word = MIN ((step->end - 1) / 64, end_word - 1);
  guint32 first_left = last_word;

  for (; w <= last_word; w++)
    {
      guint64 left = stale[w] & need[w], alone;

      if (left == 0)
        continue;
      if (step->end - 1 < w * 64 + 63)
        left &= (G_GUINT64_CONSTANT (1) << step->end % 64) - 1;
      alone = left & ~(left << 1) & ~(left >> 1);
      if (alone != left)
        first_left = MIN (first_left, w);
      stale[w] &= ~alone;
      for (; alone != 0; alone &= alone - 1)
        {
          guint32 e = w * 64 + (guint) __builtin_ctzll (alone);

          counts[e]++;
          counts[e + 1]--;
          at[n++] = e - step->first;
          if (n == SCATTERED_AT_ONCE)
            {
              call_scattered (self, context, step, at, n);
              n = 0;
            }
        }
    }
  if (n > 0)
    call_scattered (self, context, step, at, n);
  return first_left;
}

static inline gboolean
may_be_scattered (const WeirContext *context, const WeirStep *step, guint32 e)
{
  return G_UNLIKELY (step->end - e >= LEAST_SCATTERED) && step->n_operands <= WEIR_MAX_GATHERED
         && !weir_context_is (context, MODES_OF_NOTES);
}

void
weir_scan_settle_failure (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                          guint32 first_word, guint32 end_word, guint32 failed)
{
  const WeirLayout *layout = self->layout;

  for (guint32 w = first_word; w < end_word && !weir_context_is (context, WEIR_MODE_UNCACHED); w++)
    for (guint64 left = need[w] & context->stale[w]; left != 0; left &= left - 1)
      {
        guint32 e = w * 64 + (guint) __builtin_ctzll (left);

        if (e == failed || weir_bit (layout->lazy, e))
          continue;
        for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
          if (layout->ups[k] == failed || !weir_bit (context->stale, layout->ups[k]))
            context->reads[layout->ups[k]]++;
      }
}

WeirStatus
weir_scan_needed (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                  guint64 *growing, guint32 first_word, guint32 end_word)
{
  const WeirLayout *layout = self->layout;
  gboolean batches = !weir_context_is (context, WEIR_MODES_ONE_BY_ONE);
  guint32 low = first_word;

  for (guint32 w = first_word; w < end_word; w++)
    {
      guint64 left;

      while ((left = context->stale[w] & need[w]) != 0)
        {
          guint32 e = w * 64 + (guint) __builtin_ctzll (left), s, pending = WEIR_NO_INDEX;
          WeirStatus status;

          if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_DISABLED)))
            {
              /* Disabled entries are computed where they are read. */
              left &= ~context->disabled[w];
              if (left == 0)
                break;
              e = w * 64 + (guint) __builtin_ctzll (left);
            }
          s = layout->segment_of[e];
          if (batches && self->steps[s].kernel != NULL)
            {
              guint64 lowest = left & -left;
              guint32 end;

              if ((left & lowest << 1) == 0 && e % 64 < 63) /* none follows */
                {
                  if (may_be_scattered (context, &self->steps[s], e))
                    {
                      w = run_scattered (self, context, need, &self->steps[s], w, end_word) - 1;
                      break;
                    }
                  run_single (self, context, s, e);
                  context->stale[w] &= ~lowest;
                  continue;
                }
              end = weir_scan_find_end (context->stale, need, e, layout->segment_first[s + 1]);
              run_batch (self, context, s, e, end);
              clear_range (context->stale, e, end);
              continue;
            }
          status = scan_entry (self, context, e, &pending);
          if (status == WEIR_PENDING && (growing == NULL || pending >= e))
            {
              /* Nothing that a lazy calculation declares comes after it, and no other waits. */
              status = await (self, context, e, pending);
              if (status == WEIR_OK)
                continue;
            }
          else if (status == WEIR_PENDING)
            {
              /* What it waits for lies below: collect that and scan up again from there. */
              guint32 lowest = weir_evaluator_collect (layout, context->stale, context->disabled,
                                                       growing, pending);

              weir_scan_note_demand (context, e, pending);
              low = MIN (low, lowest);
              w = lowest - 1;
              break;
            }
          if (status != WEIR_OK)
            {
              weir_scan_settle_failure (self, context, need, low, end_word, e);
              if (growing != NULL)
                memset (growing + low, 0, (end_word - low) * sizeof *growing);
              return status;
            }
        }
    }
  if (growing != NULL)
    memset (growing + low, 0, (end_word - low) * sizeof *growing);
  return WEIR_OK;
}
