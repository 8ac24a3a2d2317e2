/* Answering requests: the scan up over what is out of date, the plan run whole, and what is counted
 * and timed on the way. See evaluator-private.h. */
#include "system/evaluator-private.h"

#include <string.h>
#include <time.h>

#include "system/change-log-private.h"
#include "system/plan-private.h"
#include "system/watch-private.h"

#define MAX_DEPTH 1000 /* of undeclared or disabled reads within each other */
/* One request in so many is timed; at 64, small plans took 7 % longer. A prime: runs repeat the
 * same few requests over and over, and each of them must get its turn. */
#define TIMING_INTERVAL 509

/* --- Counting and timing --------------------------------------------------------------------- */

static inline void
count_calcs (WeirContext *context, guint32 first, guint32 end)
{
  guint64 *steps = context->caching ? context->calc_steps : context->off_steps;

  steps[first]++;
  steps[end]--;
}

guint64
weir_clock_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (guint64) t.tv_sec * 1000000000 + (guint64) t.tv_nsec;
}

guint64
weir_clock_cost (void)
{
  static gsize cost; /* ns + 1 once known */

  if (g_once_init_enter (&cost))
    {
      guint64 best = G_MAXUINT64;

      for (guint i = 0; i < 64; i++)
        {
          guint64 start = weir_clock_ns ();

          best = MIN (best, weir_clock_ns () - start);
        }
      g_once_init_leave (&cost, best + 1);
    }
  return cost - 1;
}

/* ns; at least 1, for 0 is not sampled. */
static guint64
note_duration (WeirContext *context, guint32 segment, guint64 start, guint64 n)
{
  guint64 ns = weir_clock_ns () - start, cost = weir_clock_cost ();

  context->segment_ns[segment] += ns > cost ? ns - cost : 0;
  context->segment_timed[segment] += n;
  return MAX (ns > cost ? ns - cost : 0, 1);
}

void
weir_evaluator_begin (G_GNUC_UNUSED const WeirEvaluator *self, WeirContext *context)
{
  if (context->frozen) /* nothing of it is written, for others may be reading it */
    return;
  if (!context->caching)
    weir_context_set_all_out_of_date (context);
  else if (G_UNLIKELY (context->forgotten != NULL))
    for (guint32 w = 0; w < context->layout->n_words; w++)
      context->stale[w] |= context->forgotten[w];
  if (context->failure != NULL)
    g_clear_pointer (&context->failure, g_free);
  context->is_timing = context->until_timed == 0;
  context->until_timed = context->is_timing ? TIMING_INTERVAL - 1 : context->until_timed - 1;
}

/* --- The scan up ----------------------------------------------------------------------------- */

static WeirStatus run_one (const WeirEvaluator *self, WeirContext *context, guint32 e,
                           guint32 *pending);

/* A lazy calculation waits for another entry. */
static inline void
note_demand (WeirContext *context, guint32 e, guint32 pending)
{
  if (G_UNLIKELY (context->recording != NULL))
    weir_recording_note_inner (context, WEIR_LOG_DEMAND, pending, e);
}

static WeirStatus
fail_too_deep (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { e });

  weir_context_set_failure (context,
                            "reads that are not declared, or not cached, nest too deeply "
                            "at %s",
                            path);
  return WEIR_FAILED;
}

/* Computes an entry whose caching is disabled, at a read. What it reads is up to date, but for
 * other disabled entries, which are computed again. */
static WeirStatus
run_disabled (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  guint32 pending = WEIR_NO_INDEX;
  WeirStatus status;

  if (context->depth >= MAX_DEPTH)
    {
      if (context->recording != NULL)
        weir_recording_note_inner (context, WEIR_LOG_FAILED, e, 1);
      return fail_too_deep (self, context, e);
    }
  context->depth++;
  while ((status = run_one (self, context, e, &pending)) == WEIR_PENDING)
    {
      note_demand (context, e, pending);
      if ((status = weir_evaluator_request_nested (self, context, pending)) != WEIR_OK)
        break;
    }
  context->depth--;
  return status;
}

static WeirStatus
run_disabled_reads (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  const WeirLayout *layout = self->layout;
  WeirStatus status = WEIR_OK;

  for (guint32 k = layout->up_first[e]; status == WEIR_OK && k < layout->up_first[e + 1]; k++)
    if (weir_bit (context->disabled, layout->ups[k]))
      status = run_disabled (self, context, layout->ups[k]);
  return status;
}

/* Computes one entry whose reads are up to date. */
static WeirStatus
run_one (const WeirEvaluator *self, WeirContext *context, guint32 e, guint32 *pending)
{
  double *word = context->arena + self->layout->value_offset[e];
  gpointer out = weir_layout_decl (self->layout, e)->type == NULL
                     ? (gpointer) word
                     : &context->abstract[*(const guint64 *) (const void *) word];
  guint64 start = 0, ns = 0;
  WeirStatus status = WEIR_OK;

  if (context->n_disabled > 0 && !weir_bit (self->layout->lazy, e))
    status = run_disabled_reads (self, context, e);
  if (status != WEIR_OK)
    return status;
  if (G_UNLIKELY (context->n_frozen > 0) && !weir_watch_let_compute (context, e))
    {
      if (context->recording != NULL)
        weir_recording_note_inner (context, WEIR_LOG_FAILED, e, 1);
      return WEIR_FAILED;
    }
  if (G_UNLIKELY (context->is_timing))
    start = weir_clock_ns ();
  status = weir_evaluator_compute (self, context, e, out, pending);
  if (status == WEIR_PENDING)
    return status;
  if (G_UNLIKELY (context->is_timing))
    ns = note_duration (context, self->layout->segment_of[e], start, 1);
  if (context->caching && weir_bit (context->disabled, e))
    context->entry_off[e]++;
  else
    count_calcs (context, e, e + 1);
  if (G_UNLIKELY (context->recording != NULL)
      && (context->recording->stores_all || status != WEIR_OK))
    weir_recording_note_calc (context, e, status, ns);
  if (status == WEIR_OK)
    weir_bit_clear (context->stale, e);
  return status;
}

/* What operands are relative to, by WeirSpace. */
typedef struct {
  const double *of_space[WEIR_N_SPACES];
} Bases;

static inline Bases
get_bases (const WeirContext *context)
{
  return (Bases) { { [WEIR_SPACE_ARENA] = context->arena,
                     [WEIR_SPACE_STATE] = context->x,
                     [WEIR_SPACE_TIME] = &context->now } };
}

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

/* Calls a step's kernel for @n entries, the first of them @skip after the step's own. */
static inline __attribute__ ((always_inline)) void
call_kernel (const WeirEvaluator *self, const WeirStep *step, const Bases *bases, double *arena,
             guint32 skip, guint32 n)
{
  const WeirStepOperand *operands = self->operands + step->operand;
  WeirStream streams[WEIR_MAX_OPERANDS_ON_STACK];
  guint32 in_place = step->is_gathered ? 0 : skip;

  for (guint k = 0; k < step->n_operands; k++)
    {
      streams[k].base = bases->of_space[operands[k].space] + operands[k].offset
                        + (gssize) in_place * operands[k].stride;
      streams[k].stride = operands[k].stride;
    }
  if (step->is_gathered)
    weir_call_gathered (self, step, streams, arena + step->out, skip, n);
  else
    step->kernel (streams, step->n_operands, step->variant,
                  arena + step->out + (gssize) skip * step->out_stride, step->out_stride, n);
}

/* Entries [first, end) of a segment in one call. */
static void
run_batch (const WeirEvaluator *self, WeirContext *context, guint32 s, guint32 first, guint32 end)
{
  const WeirStep *step = &self->steps[s];
  Bases bases = get_bases (context);
  guint64 start = 0, ns = 0;

  if (G_UNLIKELY (context->is_timing))
    start = weir_clock_ns ();
  call_kernel (self, step, &bases, context->arena, first - step->first, end - first);
  if (G_UNLIKELY (context->is_timing))
    ns = note_duration (context, s, start, end - first);
  count_calcs (context, first, end);
  if (weir_is_recording_all (context))
    weir_recording_note_range (context, NULL, first, end, ns);
}

/* One entry within a segment. */
static G_GNUC_NO_INLINE void
run_within_step (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                 guint32 entry)
{
  Bases bases = get_bases (context);

  call_kernel (self, step, &bases, context->arena, entry - step->first, 1);
}

/* The end of the run of set bits of @a & @b that begins at @first, at most @limit. */
static inline guint32
run_end (const guint64 *a, const guint64 *b, guint32 first, guint32 limit)
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

/* After a failure: consumers that never ran have read what was computed for them. */
static void
settle_failure (const WeirEvaluator *self, WeirContext *context, const guint64 *need,
                guint32 first_word, guint32 end_word, guint32 failed)
{
  const WeirLayout *layout = self->layout;

  for (guint32 w = first_word; w < end_word && context->caching; w++)
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

/* Brings every entry of @need up to date, in words [first_word, end_word). @growing: the same bits
 * where lazy calculations may demand more, cleared at the end; NULL for a plan, which is shared. */
static WeirStatus
run (const WeirEvaluator *self, WeirContext *context, const guint64 *need, guint64 *growing,
     guint32 first_word, guint32 end_word)
{
  const WeirLayout *layout = self->layout;
  gboolean batches = (context->n_disabled | context->n_overrides | context->n_missing
                      | context->n_frozen)
                     == 0;
  guint32 low = first_word;

  for (guint32 w = first_word; w < end_word; w++)
    {
      guint64 left;

      while ((left = context->stale[w] & need[w]) != 0)
        {
          guint32 e = w * 64 + (guint) __builtin_ctzll (left), s, pending = WEIR_NO_INDEX;
          WeirStatus status;

          if (G_UNLIKELY (context->n_disabled > 0))
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
              guint32 end = run_end (context->stale, need, e, layout->segment_first[s + 1]);

              run_batch (self, context, s, e, end);
              clear_range (context->stale, e, end);
              continue;
            }
          status = run_one (self, context, e, &pending);
          if (status == WEIR_PENDING)
            {
              /* What it waits for lies below: collect that and scan up again from there. */
              guint32 lowest = weir_evaluator_collect (layout, context->stale, context->disabled,
                                                       growing, pending);

              note_demand (context, e, pending);
              low = MIN (low, lowest);
              w = lowest - 1;
              break;
            }
          if (status != WEIR_OK)
            {
              settle_failure (self, context, need, low, end_word, e);
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

/* --- The whole plan -------------------------------------------------------------------------- */

/* May the plan run step by step, because all of it is out of date and nothing is unusual? */
static gboolean
can_run_plan (const WeirEvaluator *self, const WeirContext *context, guint32 end_word)
{
  guint64 up_to_date = 0;

  if (self->plan_steps->len == 0
      || (context->n_overrides | context->n_missing | context->n_frozen) != 0 || context->is_timing)
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

  if (weir_is_recording_all (context))
    weir_recording_note_range (context, plan, first, end, 0);
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

/* Calculates an entry of the plan that no kernel serves. */
static WeirStatus
run_alone (const WeirEvaluator *self, WeirContext *context, guint32 e)
{
  guint32 pending = WEIR_NO_INDEX;
  WeirStatus status;

  while ((status = run_one (self, context, e, &pending)) == WEIR_PENDING)
    {
      note_demand (context, e, pending);
      if ((status = weir_evaluator_request_nested (self, context, pending)) != WEIR_OK)
        break;
    }
  return status;
}

static inline const WeirStream *
get_streams (const WeirEvaluator *self, WeirContext *context)
{
  if (context->streams_x != context->x)
    weir_plan_resolve (self, context);
  return context->streams;
}

/* The same of a step of which some entries were computed already, by reads that were not declared.
 * Those have been counted; the plan as a whole is counted at its end. */
static void
run_rest_of_step (const WeirEvaluator *self, WeirContext *context, const WeirStep *step)
{
  Bases bases = get_bases (context);

  for (guint32 e = step->first, end; e < step->end; e = end)
    {
      end = run_end (context->stale, self->plan, e, step->end);
      if (end > e)
        call_kernel (self, step, &bases, context->arena, e - step->first, end - e);
      else
        {
          end = e + 1;
          count_calcs (context, end, e);
        }
    }
}

static void
count_kernels (const WeirEvaluator *self, WeirContext *context)
{
  for (guint k = 0; k < self->plan_kernels->len; k++)
    {
      WeirEntryRange range = g_array_index (self->plan_kernels, WeirEntryRange, k);

      count_calcs (context, range.first, range.end);
    }
}

/* Every step of the plan in order. Flags and counters are settled for many steps at once: before a
 * calculation that may look at them, and at the end. */
static WeirStatus
run_plan (const WeirEvaluator *self, WeirContext *context, guint32 end_word)
{
  const guint32 *segments = (const guint32 *) (const void *) self->plan_steps->data;
  double *derivatives = context->arena + self->layout->arena.xdot;
  guint32 settled = 0, n_nested = context->n_nested;
  const WeirStream *streams;

  if (self->plan_calls->len > 0)
    {
      weir_plan_run_calls (self, context);
      settle_plan (self, context, 0, MIN (end_word * 64, self->layout->n_entries));
      count_kernels (self, context);
      return WEIR_OK;
    }
  streams = get_streams (self, context);
  if (self->plan_is_direct && context->xdot != NULL)
    derivatives = g_steal_pointer (&context->xdot);

  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[segments[i]];

      if (G_LIKELY (step->kernel != NULL))
        {
          double *out = step->is_derivative ? derivatives + (step->out - self->layout->arena.xdot)
                                            : context->arena + step->out;

          if (G_UNLIKELY (context->n_nested != n_nested) && !step->is_derivative)
            run_rest_of_step (self, context, step);
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
            status = run_alone (self, context, e);
          if (G_LIKELY (status == WEIR_OK))
            continue;
          for (guint k = 0; k < i; k++)
            {
              const WeirStep *done = &self->steps[segments[k]];

              if (done->kernel != NULL || done->is_idle)
                count_calcs (context, done->first, done->end);
            }
          settle_failure (self, context, self->plan, 0, end_word, e);
          return status;
        }
    }
  settle_plan (self, context, settled, MIN (end_word * 64, self->layout->n_entries));
  count_kernels (self, context);
  return WEIR_OK;
}

/* --- Requests -------------------------------------------------------------------------------- */

/* A frozen context answers what is up to date, and changes nothing of itself, counters included. */
static WeirStatus
request_frozen (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  gboolean is_disabled = !context->caching || weir_bit (context->disabled, entry);
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

  if (context->frozen)
    return request_frozen (self, context, entry);
  if (weir_bit (context->stale, entry) || weir_bit (context->disabled, entry))
    {
      guint32 end = entry / 64 + 1;

      if (plan == NULL || context->n_disabled > 0 || context->pull_only)
        {
          guint32 low = weir_evaluator_collect (self->layout, context->stale, context->disabled,
                                                need, entry);

          status = run (self, context, need, need, low, end);
        }
      else if (self->plan_is_lazy)
        {
          memcpy (need, plan, end * sizeof *need);
          status = run (self, context, need, need, 0, end);
        }
      else if (can_run_plan (self, context, end))
        status = run_plan (self, context, end);
      else
        status = run (self, context, plan, NULL, 0, end);
      if (status == WEIR_OK && weir_bit (context->disabled, entry))
        status = run_disabled (self, context, entry);
      if (status != WEIR_OK)
        return status;
    }
  if (context->caching)
    context->reads[entry]++;
  return WEIR_OK;
}

void
weir_evaluator_call_single (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
                            guint32 entry)
{
  if (entry == step->first && !step->is_gathered)
    step->kernel (get_streams (self, context) + step->operand, step->n_operands, step->variant,
                  context->arena + step->out, step->out_stride, 1);
  else
    run_within_step (self, context, step, entry);
}

WeirStatus
weir_evaluator_request (const WeirEvaluator *self, WeirContext *context, guint32 entry,
                        const guint64 *plan)
{
  WeirStatus status;

  if (G_UNLIKELY (context->recording != NULL))
    weir_recording_note_request (context, entry,
                                 plan != NULL && context->n_disabled == 0 && !context->pull_only);
  if (G_LIKELY (context->watch == NULL))
    return request (self, context, entry, plan, context->need);
  weir_watch_begin_request (context, entry);
  status = request (self, context, entry, plan, context->need);
  weir_watch_end_request (context);
  return status;
}

static guint64 *
take_spare (WeirContext *context)
{
  if (context->spare->len == 0)
    return g_new0 (guint64, MAX (context->layout->n_words, 1));
  return g_ptr_array_steal_index_fast (context->spare, context->spare->len - 1);
}

/* The place in context->calling of the first calculation under way that @entry depends on,
 * or -1. */
static int
find_cycle (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  guint64 *upstream = take_spare (context);
  guint32 low = weir_evaluator_collect (self->layout, context->stale, context->disabled, upstream,
                                        entry);
  gboolean closes = FALSE;
  guint from = 0;

  for (guint32 w = low; w <= entry / 64; w++)
    closes |= (upstream[w] & context->busy[w]) != 0;
  while (closes && !weir_bit (upstream, g_array_index (context->calling, guint32, from)))
    from++;
  memset (upstream + low, 0, (entry / 64 + 1 - low) * sizeof *upstream);
  g_ptr_array_add (context->spare, upstream);
  return closes ? (int) from : -1;
}

/* Prerequisites that were declared cannot form a cycle, so a read closes it that was not. */
static void
explain_cycle (const WeirEvaluator *self, WeirContext *context, guint from, guint32 entry)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint k = from; k < context->calling->len; k++)
    {
      WeirEntry reader = { g_array_index (context->calling, guint32, k) };
      g_autofree char *path = weir_layout_dup_entry_path (self->layout, reader);

      g_string_append_printf (text, "%s reads ", path);
    }
  {
    g_autofree char *path = weir_layout_dup_entry_path (self->layout, (WeirEntry) { entry });
    g_autofree char *first = weir_layout_dup_entry_path (
        self->layout, (WeirEntry) { g_array_index (context->calling, guint32, from) });

    g_string_append (text, path);
    if (g_strcmp0 (path, first) != 0)
      g_string_append_printf (text, ", which depends on %s", first);
  }
  weir_context_set_failure (context, "%s: a cycle, closed by a read that is not declared",
                            text->str);
}

WeirStatus
weir_evaluator_request_nested (const WeirEvaluator *self, WeirContext *context, guint32 entry)
{
  guint64 *need;
  WeirStatus status;
  int from;

  if (context->frozen)
    return request_frozen (self, context, entry);
  if (context->depth >= MAX_DEPTH)
    return fail_too_deep (self, context, entry);
  from = find_cycle (self, context, entry);
  if (from >= 0)
    {
      explain_cycle (self, context, (guint) from, entry);
      return WEIR_FAILED;
    }
  if (G_UNLIKELY (context->recording != NULL))
    weir_recording_note_nested (context, entry);
  context->n_nested++;
  need = take_spare (context);
  context->depth++;
  if (G_UNLIKELY (context->watch != NULL))
    weir_watch_begin_request (context, entry);
  status = request (self, context, entry, NULL, need);
  context->depth--;
  g_ptr_array_add (context->spare, need);
  if (G_UNLIKELY (context->watch != NULL))
    weir_watch_end_request (context);
  return status;
}
