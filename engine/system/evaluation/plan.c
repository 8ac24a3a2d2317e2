/* What is to be brought up to date: collected for a request, or beforehand as the plan of kernels
 * alone, ready to run. See evaluator-private.h. */
#include "system/evaluation/evaluator-private.h"

#include <string.h>

#include "system/observation/observation-private.h"

/* Gathered values of one stage stay in the first-level cache; what is larger is gathered call by
 * call. */
#define MAX_GATHERED 2048

/* --- Collecting ------------------------------------------------------------------------------ */

guint32
weir_evaluator_collect_all (const WeirLayout *layout, const guint64 *stale, const guint64 *disabled,
                            guint64 *set, guint32 low, guint32 end)
{
  for (guint32 w = end; w-- > low;)
    {
      guint64 done = 0, left;

      /* Prerequisites may lie in this very word, all below the one in hand. */
      while ((left = set[w] & ~done) != 0)
        {
          guint bit = 63 - (guint) __builtin_clzll (left);
          guint32 e = w * 64 + bit;

          done |= G_GUINT64_CONSTANT (1) << bit;
          if (weir_bit (layout->lazy, e))
            continue;
          for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
            {
              guint32 up = layout->ups[k];

              if (stale != NULL && !weir_bit (stale, up) && !weir_bit (disabled, up))
                continue;
              weir_bit_set (set, up);
              low = MIN (low, up / 64);
            }
        }
    }
  return low;
}

guint32
weir_evaluator_collect (const WeirLayout *layout, const guint64 *stale, const guint64 *disabled,
                        guint64 *set, guint32 entry)
{
  weir_bit_set (set, entry);
  return weir_evaluator_collect_all (layout, stale, disabled, set, entry / 64, entry / 64 + 1);
}

/* --- Making ---------------------------------------------------------------------------------- */

typedef struct {
  WeirEvaluator *evaluator;
  WeirStage stage;     /* under way */
  guint32 first_call;  /* of it */
  guint32 first_entry; /* what it computes begins there */
  guint32 room;        /* values gathered for it */
} Maker;

static guint32
count_gathered (const WeirEvaluator *self, const WeirStep *step)
{
  guint32 n = 0;

  for (guint k = 0; k < step->n_operands; k++)
    if (self->operands[step->operand + k].stride == WEIR_GATHERED)
      n += step->end - step->first;
  return n;
}

/* Does a step read what the stage computes? */
static gboolean
reads_stage (const Maker *m, const WeirStep *step)
{
  const WeirLayout *layout = m->evaluator->layout;

  for (guint32 k = layout->up_first[step->first]; k < layout->up_first[step->end]; k++)
    if (layout->ups[k] >= m->first_entry)
      return TRUE;
  return FALSE;
}

/* Gives the stage's gathered operands that lie in @space their places. */
static guint32
place_gathered (Maker *m, guint32 space, guint32 at)
{
  WeirEvaluator *self = m->evaluator;
  const guint32 *offsets = (const guint32 *) (const void *) self->gathered->data;

  for (guint i = m->first_call; i < self->plan_calls->len; i++)
    {
      const WeirPlanCall *call = &g_array_index (self->plan_calls, WeirPlanCall, i);

      for (guint k = 0; k < call->n_operands && m->stage.large == NULL; k++)
        {
          WeirStepOperand *operand = &self->operands[call->operand + k];

          if (operand->stride != WEIR_GATHERED || operand->space != space)
            continue;
          operand->place = at;
          g_array_append_vals (self->plan_offsets, offsets + operand->gathered, call->n);
          at += call->n;
        }
    }
  return at;
}

static void
end_stage (Maker *m)
{
  WeirEvaluator *self = m->evaluator;
  WeirStage *stage = &m->stage;

  stage->end = self->plan_calls->len;
  stage->n_arena = place_gathered (m, WEIR_SPACE_ARENA, 0);
  stage->n_state = place_gathered (m, WEIR_SPACE_STATE, stage->n_arena) - stage->n_arena;
  self->plan_room = MAX (self->plan_room, stage->n_arena + stage->n_state);
  g_array_append_val (self->plan_stages, *stage);
}

static void
begin_stage (Maker *m, const WeirStep *step)
{
  m->stage = (WeirStage) { 0 };
  m->first_call = m->evaluator->plan_calls->len;
  m->first_entry = step->first;
  m->room = 0;
}

static void
add_call (Maker *m, const WeirStep *step)
{
  WeirEvaluator *self = m->evaluator;
  guint32 n = count_gathered (self, step);
  WeirPlanCall call = {
    .kernel = step->kernel,
    .variant = step->variant,
    .first = step->first,
    .operand = step->operand,
    .out = step->is_derivative ? step->out - (guint32) self->layout->arena.xdot : step->out,
    .n = step->end - step->first,
    .out_stride = step->out_stride,
    .n_operands = step->n_operands,
    .is_derivative = step->is_derivative,
  };
  gboolean is_large = n > MAX_GATHERED;

  if (self->plan_calls->len == 0)
    begin_stage (m, step);
  else if (m->stage.large != NULL
           || (n > 0 && (n + m->room > MAX_GATHERED || reads_stage (m, step))))
    {
      end_stage (m);
      begin_stage (m, step);
    }
  m->stage.large = is_large ? step : NULL;
  m->room += n;
  g_array_append_val (self->plan_calls, call);
}

/* --- Copies into the derivatives ------------------------------------------------------------- */

/* The derivative of an integrator is a copy of what it reads. Where two classes of them alternate
 * in the state vector, such as positions and velocities, one pass that writes both takes half the
 * time of two that leave gaps, and looks whether they are finite at no cost. */

#define MIN_PAIRS 8 /* derivatives of a class */

typedef double Four __attribute__ ((vector_size (32)));
typedef guint64 FourBits __attribute__ ((vector_size (32)));

static inline guint64
get_bits (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* The bits are those of zeros unless a value is not finite. */
WEIR_SIMD_BODY guint64
copy_pairs_from (const double *a, gssize step_a, const double *b, gssize step_b,
                 double *restrict out, gsize n)
{
  guint64 bad = 0;

  for (gssize i = 0; i < (gssize) n; i++)
    {
      double x = a[i * step_a], y = b[i * step_b];

      out[2 * i] = x;
      out[2 * i + 1] = y;
      bad |= get_bits (x - x) | get_bits (y - y);
    }
  return bad;
}

/* The same for 2 and 1 as steps with half of the compiler's shuffles; for all but some at the end,
 * since it reads a value too many. Returns how many it has copied. */
WEIR_FOR_AVX2 static gsize
copy_fours (const double *a, const double *b, double *restrict out, gsize n, guint64 *bad)
{
  FourBits zeros[2] = { { 0 } };
  gsize i = 0;

  for (; i + 4 < n; i += 4)
    {
      Four first, second, of_b;

      memcpy (&first, a + 2 * i, sizeof first);
      memcpy (&second, a + 2 * i + 4, sizeof second);
      memcpy (&of_b, b + i, sizeof of_b);
      first = __builtin_shufflevector (first, of_b, 0, 4, 2, 5);
      second = __builtin_shufflevector (second, of_b, 0, 6, 2, 7);
      memcpy (out + 2 * i, &first, sizeof first);
      memcpy (out + 2 * i + 4, &second, sizeof second);
      zeros[0] |= (FourBits) (first - first);
      zeros[1] |= (FourBits) (second - second);
    }
  zeros[0] |= zeros[1];
  *bad |= zeros[0][0] | zeros[0][1] | zeros[0][2] | zeros[0][3];
  return i;
}

WEIR_SIMD_BODY gboolean
weir_plan_copy_pairs_body (const WeirStream *in, double *restrict out, gsize n)
{
  WeirStream a = in[0], b = in[1];
  guint64 bad = 0;

  if ((guintptr) out / sizeof *out % 4 == 2) /* else stores of four cross lines of the caches */
    {
      bad = copy_pairs_from (a.base, 1, b.base, 1, out, 1);
      a.base += a.stride;
      b.base += b.stride;
      out += 2;
      n--;
    }
  if (a.stride == 2 && b.stride == 1 && weir_simd == WEIR_SIMD_AVX2)
    {
      gsize done = copy_fours (a.base, b.base, out, n, &bad);

      a.base += 2 * done;
      b.base += done;
      out += 2 * done;
      n -= done;
    }
  if (a.stride == 1 && b.stride == 1)
    bad |= copy_pairs_from (a.base, 1, b.base, 1, out, n);
  else if (a.stride == 2 && b.stride == 1)
    bad |= copy_pairs_from (a.base, 2, b.base, 1, out, n);
  else if (a.stride == 1 && b.stride == 2)
    bad |= copy_pairs_from (a.base, 1, b.base, 2, out, n);
  else
    bad |= copy_pairs_from (a.base, a.stride, b.base, b.stride, out, n);
  return bad << 1 == 0; /* rounding downward, the zeros are negative */
}

WEIR_SIMD_FORMS (return, gboolean, weir_plan_copy_pairs,
                       (const WeirStream *in, double *restrict out, gsize n), (in, out, n))

static void
copy_pairs (const WeirStream *in, G_GNUC_UNUSED guint n_in, G_GNUC_UNUSED guint64 variant,
            double *restrict out, G_GNUC_UNUSED gssize step, gsize n)
{
  weir_plan_copy_pairs (in, out, n);
}

static gboolean
is_copy_with_gaps (const WeirEvaluator *self, const WeirPlanCall *call)
{
  return call->kernel == weir_kernel_copy && call->is_derivative && call->out_stride == 2
         && call->n >= MIN_PAIRS && self->operands[call->operand].stride != WEIR_GATHERED;
}

gboolean
weir_plan_is_gathered (const WeirEvaluator *self, const WeirPlanCall *call)
{
  for (guint k = 0; k < call->n_operands; k++)
    if (self->operands[call->operand + k].stride == WEIR_GATHERED)
      return TRUE;
  return FALSE;
}

guint32
weir_plan_append_operands (WeirEvaluator *self, const WeirStepOperand *operands, guint n)
{
  guint32 first = self->n_operands;

  self->operands = g_renew (WeirStepOperand, self->operands, first + n);
  for (guint k = 0; k < n; k++, self->n_operands++)
    {
      self->operands[self->n_operands] = operands[k];
      if (operands[k].space == WEIR_SPACE_STATE)
        g_array_append_val (self->state_operands, self->n_operands);
    }
  return first;
}

static void
remove_call (GArray *calls, GArray *stages, guint which)
{
  g_array_remove_index (calls, which);
  for (guint s = 0; s < stages->len; s++)
    {
      WeirStage *stage = &g_array_index (stages, WeirStage, s);

      stage->end -= stage->end > which;
    }
}

/* Nothing of the plan reads its derivatives, so that the first of two may wait for the second. */
static void
join_pairs (WeirEvaluator *self)
{
  guint32 n = 0;

  for (guint i = 0; i < self->plan_calls->len; i++)
    for (guint j = i + 1; j < self->plan_calls->len; j++)
      {
        const WeirPlanCall *first = &g_array_index (self->plan_calls, WeirPlanCall, i);
        WeirPlanCall *second = &g_array_index (self->plan_calls, WeirPlanCall, j);
        gboolean in_order = first->out + 1 == second->out;
        WeirStepOperand operands[2];

        if (!is_copy_with_gaps (self, first))
          break;
        if (!is_copy_with_gaps (self, second) || first->n != second->n
            || (!in_order && second->out + 1 != first->out))
          continue;
        operands[!in_order] = self->operands[first->operand];
        operands[in_order] = self->operands[second->operand];
        second->operand = weir_plan_append_operands (self, operands, 2);
        second->out = MIN (first->out, second->out);
        second->kernel = copy_pairs;
        second->is_of_pairs = TRUE;
        second->n_operands = 2;
        n += 2 * second->n;
        remove_call (self->plan_calls, self->plan_stages, i--);
        break;
      }
  self->looks_at_pairs = n == self->layout->n_states;
}

typedef struct {
  const WeirEvaluator *evaluator;
  guint64 *by_state; /* entries that depend on the state */
  guint8 *n_readers; /* of an entry, among the plan's; 2: or more */
} Readers;

static void
count_readers (Readers *r, const WeirEvaluator *self)
{
  const WeirLayout *layout = self->layout;
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));

  r->evaluator = self;
  r->by_state = g_new0 (guint64, MAX (layout->n_words, 1));
  r->n_readers = g_new0 (guint8, MAX (layout->n_entries, 1));
  weir_masks_sweep (layout->masks, WEIR_SOURCE_STATE, r->by_state, scratch);
  for (guint32 e = 0; e < layout->n_entries; e++)
    for (guint32 k = layout->up_first[e]; weir_bit (self->plan, e) && k < layout->up_first[e + 1];
         k++)
      r->n_readers[layout->ups[k]] = (guint8) MIN (r->n_readers[layout->ups[k]] + 1, 2);
}

/* Does @copy put the results of @call, which nothing else reads and which are out of date as soon
 * as the trial ends, where @call may write them itself? With gaps it would write slower. */
static gboolean
can_write_derivatives (const Readers *r, const WeirPlanCall *call, const WeirPlanCall *copy)
{
  const WeirStepOperand *operand = &r->evaluator->operands[copy->operand];

  if (copy->kernel != weir_kernel_copy || !copy->is_derivative
      || (copy->out_stride != 1 && copy->n >= MIN_PAIRS) || call->is_derivative
      || call->n != copy->n || operand->space != WEIR_SPACE_ARENA || operand->offset != call->out
      || (call->n > 1 && operand->stride != call->out_stride))
    return FALSE;
  for (guint32 e = call->first; e < call->first + call->n; e++)
    if (r->n_readers[e] != 1 || !weir_bit (r->by_state, e))
      return FALSE;
  return TRUE;
}

/* The calls where derivatives go to a solver's vector: their last producers write there. */
static void
make_direct_calls (WeirEvaluator *self)
{
  Readers readers = { 0 };
  g_autoptr (GHashTable) of_out = g_hash_table_new (NULL, NULL); /* place of the call, and one */

  self->direct_calls = g_array_copy (self->plan_calls);
  self->direct_stages = g_array_copy (self->plan_stages);
  count_readers (&readers, self);
  for (guint s = 0, i = 0; s < self->direct_stages->len; s++)
    for (; i < g_array_index (self->direct_stages, WeirStage, s).end; i++)
      {
        WeirPlanCall *call = &g_array_index (self->direct_calls, WeirPlanCall, i), *before;
        const WeirStepOperand *operand = &self->operands[call->operand];
        guint at;

        if (g_array_index (self->direct_stages, WeirStage, s).large != NULL)
          continue;
        if (!call->is_derivative)
          g_hash_table_insert (of_out, GUINT_TO_POINTER (call->out), GUINT_TO_POINTER (i + 1));
        at = call->n_operands == 0 ? 0
                                   : GPOINTER_TO_UINT (g_hash_table_lookup (
                                       of_out, GUINT_TO_POINTER (operand->offset)));
        if (at == 0)
          continue;
        before = &g_array_index (self->direct_calls, WeirPlanCall, at - 1);
        if (!can_write_derivatives (&readers, before, call))
          continue;
        before->out = call->out;
        before->out_stride = call->out_stride;
        before->is_derivative = TRUE;
        remove_call (self->direct_calls, self->direct_stages, i--);
      }
  g_free (readers.by_state);
  g_free (readers.n_readers);
}

void
weir_plan_make (WeirEvaluator *self)
{
  Maker maker = { .evaluator = self };

  self->plan_calls = g_array_new (FALSE, FALSE, sizeof (WeirPlanCall));
  self->plan_stages = g_array_new (FALSE, FALSE, sizeof (WeirStage));
  self->plan_offsets = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[g_array_index (self->plan_steps, guint32, i)];

      if (step->kernel == NULL && !step->is_idle)
        return;
    }
  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[g_array_index (self->plan_steps, guint32, i)];

      if (step->kernel != NULL)
        add_call (&maker, step);
    }
  if (self->plan_calls->len > 0)
    end_stage (&maker);
  if (self->plan_is_direct)
    {
      join_pairs (self);
      make_direct_calls (self);
    }
}

void
weir_plan_clear (WeirEvaluator *self)
{
  g_array_unref (self->plan_calls);
  g_array_unref (self->plan_stages);
  g_array_unref (self->plan_offsets);
  g_clear_pointer (&self->direct_calls, g_array_unref);
  g_clear_pointer (&self->direct_stages, g_array_unref);
}

/* --- Operands -------------------------------------------------------------------------------- */

static WeirStream
resolve (const WeirEvaluator *self, const WeirContext *context, const WeirStepOperand *operand)
{
  const double *of_space[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = context->arena,
                                            [WEIR_SPACE_STATE] = context->x,
                                            [WEIR_SPACE_TIME] = &context->now };

  if (operand->place != WEIR_NO_INDEX)
    return (WeirStream) { context->gathered + operand->place, 1 };
  return (WeirStream) { of_space[operand->space] + operand->offset, operand->stride };
}

void
weir_plan_resolve (const WeirEvaluator *self, WeirContext *context)
{
  if (context->streams == NULL)
    {
      context->streams = g_new (WeirStream, MAX (self->n_operands, 1));
      context->gathered = g_new (double, self->plan_room + 1);
      for (guint32 k = 0; k < self->n_operands; k++)
        context->streams[k] = resolve (self, context, &self->operands[k]);
    }
  for (guint i = 0; i < self->state_operands->len; i++)
    {
      guint32 k = g_array_index (self->state_operands, guint32, i);

      context->streams[k] = resolve (self, context, &self->operands[k]);
    }
  context->streams_x = context->x;
}
