/* How requests are answered, among the files that do: run.c brings up to date what was collected,
 * run-plan.c runs a plan whole, request.c chooses between them.
 */
#pragma once

#include "system/observation/change-log-private.h"
#include "system/evaluation/plan-private.h"

G_BEGIN_DECLS

#define WEIR_MAX_DEPTH 1000 /* of undeclared or disabled reads within each other */

/* Entries [first, end) were computed; with @first behind @end, takes that back. */
static inline void
weir_run_count (WeirContext *context, guint32 first, guint32 end)
{
  guint64 *steps = weir_context_is (context, WEIR_MODE_UNCACHED) ? context->off_steps
                                                                 : context->calc_steps;

  steps[first]++;
  steps[end]--;
}

/* A lazy calculation waits for another entry. */
static inline void
weir_run_note_demand (WeirContext *context, guint32 e, guint32 pending)
{
  context->demander = e;
  context->demanded = pending;
  if (G_UNLIKELY (weir_context_is (context, WEIR_MODE_RECORDED)))
    weir_recording_note_inner (context, WEIR_LOG_DEMAND, pending, e);
}

/* The end of the run of set bits of @a & @b that begins at @first, at most @limit. */
static inline guint32
weir_run_find_end (const guint64 *a, const guint64 *b, guint32 first, guint32 limit)
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
WeirStatus weir_run_needed (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                            guint64 *growing, guint32 first_word, guint32 end_word);

/* Computes one entry whose reads are up to date, bringing up to date what it waits for. */
WeirStatus weir_run_entry (const WeirEvaluator *self, WeirContext *context, guint32 e);
/* Computes an entry whose caching is disabled, at a read. What it reads is up to date, but for
 * other disabled entries, which are computed again. */
WeirStatus weir_run_disabled (const WeirEvaluator *self, WeirContext *context, guint32 e);

/* Calls a step's kernel for @n entries, the first of them @skip after the step's own. Flags and
 * counters are left as they are. */
void weir_run_kernel (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                      guint32 skip, guint32 n);

/* After a failure: consumers that never ran have read what was computed for them. */
void weir_run_settle_failure (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                              guint32 first_word, guint32 end_word, guint32 failed);
WeirStatus weir_run_fail_too_deep (const WeirEvaluator *self, WeirContext *context, guint32 e);

/* May the plan run step by step, because all of it is out of date and nothing is unusual? */
gboolean weir_run_can_run_plan (const WeirEvaluator *self, const WeirContext *context,
                                guint32 end_word);
/* Runs every step of the plan in order. */
WeirStatus weir_run_whole_plan (const WeirEvaluator *self, WeirContext *context, guint32 end_word);

G_END_DECLS
