/* Requests: what is to be brought up to date, and whether by the scan or the plan; requests within
 * calculations. See evaluator-private.h.
 */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "system/observation/observation-private.h"

/* One request in so many is timed, the more seldom the more have been: reading the clock around
 * each kernel of a small plan takes thirty times as long as the plan, so that one in 509 makes it 8
 * to 13 % slower. Primes: runs repeat the same few requests over and over, and each of them must
 * get its turn. */
static const guint16 timing_intervals[] = { 509, 1021, 2039, 4093, 8191 };

static void
begin_unusual_request (WeirContext *context)
{
  if (weir_context_is (context, WEIR_MODE_UNCACHED))
    weir_context_set_all_out_of_date (context);
  else if (weir_context_is (context, WEIR_MODE_FORGETS))
    for (guint32 w = 0; w < context->layout->n_words; w++)
      context->stale[w] |= context->forgotten[w];
  if (weir_context_is (context, WEIR_MODE_FAILED))
    weir_context_forget_failure (context);
  if (!weir_context_is (context, WEIR_MODE_TIMES))
    weir_context_count_untimed (context);
  else
    {
      context->modes = (context->modes & ~(guint32) WEIR_MODE_TIMES) | WEIR_MODE_TIMING;
      context->until_timed = timing_intervals[context->timing_interval] - 1u;
      if (context->timing_interval + 1u < G_N_ELEMENTS (timing_intervals))
        context->timing_interval++;
    }
}

void
weir_context_begin_request (WeirContext *context)
{
  if (weir_context_is (context, WEIR_MODE_FROZEN)) /* nothing of it is written, for others
                                                      may be reading it */
    return;
  context->modes &= ~(guint32) WEIR_MODE_TIMING;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODES_OF_BEGINNINGS)))
    begin_unusual_request (context);
  else
    weir_context_count_untimed (context);
}

/* A frozen context answers what is up to date, and changes nothing of itself, counters included. */
static WeirStatus
request_frozen (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  gboolean is_disabled = weir_context_is (context, WEIR_MODE_UNCACHED)
                         || weir_bit (context->disabled, entry);
  g_autofree char *path = NULL;

  if (!is_disabled && !weir_bit (context->stale, entry))
    return WEIR_OK;
  path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
  weir_context_set_failure (context, "%s is %s, and the context is frozen", path,
                            is_disabled ? "not cached" : "out of date");
  return WEIR_FAILED;
}

static WeirStatus
request (const WeirEvaluator *self, WeirContext *context, guint32 entry, const guint64 *plan,
         guint64 *need)
{
  WeirStatus status;

  if (weir_context_is (context, WEIR_MODE_FROZEN))
    return request_frozen (self, context, entry);
  if (weir_bit (context->stale, entry) || weir_bit (context->disabled, entry))
    {
      guint32 end = entry / 64 + 1;

      if (plan == NULL || weir_context_is (context, WEIR_MODES_OF_PULLS))
        {
          guint32 low = weir_evaluator_collect (self->layout, context->stale, context->disabled,
                                                need, entry);

          status = weir_scan_needed (self, context, need, need, low, end);
        }
      else if (self->plan_is_lazy)
        {
          memcpy (need, plan, end * sizeof *need);
          status = weir_scan_needed (self, context, need, need, 0, end);
        }
      else if (weir_scan_can_take_plan (self, context, end))
        status = weir_scan_whole_plan (self, context, end);
      else
        status = weir_scan_needed (self, context, plan, NULL, 0, end);
      if (status == WEIR_OK && weir_bit (context->disabled, entry))
        status = weir_scan_disabled (self, context, entry);
      if (status != WEIR_OK)
        return status;
    }
  if (!weir_context_is (context, WEIR_MODE_UNCACHED))
    context->reads[entry]++;
  return WEIR_OK;
}

WeirStatus
weir_evaluator_request (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                        const guint64 *plan)
{
  WeirStatus status;

  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
    weir_log_ring_note_request (context, entry,
                                plan != NULL && !weir_context_is (context, WEIR_MODES_OF_PULLS));
  if (G_LIKELY (!weir_context_is (context, WEIR_MODE_WATCHED)))
    return request (self, context, entry, plan, context->need);
  weir_watch_begin_request (context, entry);
  status = request (self, context, entry, plan, context->need);
  weir_watch_end_request (context);
  return status;
}

WeirStatus
weir_evaluator_request_nested (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  guint32 outer = context->awaited;
  guint64 *need;
  WeirStatus status;

  if (weir_context_is (context, WEIR_MODE_FROZEN))
    return request_frozen (self, context, entry);
  if (context->depth >= WEIR_MAX_DEPTH)
    return weir_scan_fail_too_deep (self, context, entry);
  if (weir_evaluator_fail_before_cycle (self, context, entry))
    return WEIR_FAILED;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_LOGGED)))
    weir_log_ring_note_nested (context, entry);
  context->n_nested++;
  need = weir_context_take_spare (context);
  context->depth++;
  context->awaited = entry;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_WATCHED)))
    weir_watch_begin_request (context, entry);
  status = request (self, context, entry, NULL, need);
  context->awaited = outer;
  context->depth--;
  g_ptr_array_add (context->spare, need);
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_WATCHED)))
    weir_watch_end_request (context);
  return status;
}
