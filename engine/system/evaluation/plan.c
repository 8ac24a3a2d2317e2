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
weir_evaluator_collect (const WeirLayout *layout, const guint64 *stale, const guint64 *disabled,
                        guint64 *set, guint32 entry)
{
  guint32 low = entry / 64;

  weir_bit_set (set, entry);
  for (guint32 w = low + 1; w-- > low;)
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
}

void
weir_plan_clear (WeirEvaluator *self)
{
  g_array_unref (self->plan_calls);
  g_array_unref (self->plan_stages);
  g_array_unref (self->plan_offsets);
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
