/* Code of a plan: load, operate, store, entry by entry, with values kept in registers. See
 * evaluator-private.h and template.h.
 *
 * Steps that follow each other become one part, as long as each can be said by a template. Where
 * code cannot be had, a part is run step by step.
 */
#include "system/evaluation/evaluator-private.h"

#include "base/sync.h"
#include "system/evaluation/template.h"

/* Measured: eight entries in a row cost what one call of their kernel does; where operands are
 * gathered first, code wins far longer, until it leaves the caches. */
#define FEWER_THAN 8
#define MOST_GATHERED 1024

#define MOST_OF_PART 4096   /* entries, so that making one costs little */
#define MOST_OF_PLAN 100000 /* some 3 MB */

/* --- Making ---------------------------------------------------------------------------------- */

typedef struct {
  const WeirEvaluator *evaluator;
  GArray *parts;              /* WeirNativePart */
  WeirNativeBuilder *builder; /* of the part under way; NULL: none is */
  guint first;                /* its first step, of the plan's */
  guint32 n_entries, n_in_all;
} Maker;

static const WeirTemplate *
find_template (const Maker *m, const WeirStep *step)
{
  guint32 n = step->end - step->first;

  if (step->kernel == NULL || n >= (step->is_gathered ? MOST_GATHERED : FEWER_THAN)
      || m->n_in_all + n > MOST_OF_PLAN)
    return NULL;
  return weir_template_get (step->kernel, step->n_operands, step->variant);
}

static WeirNativeValue
load_operand (const Maker *m, const WeirStepOperand *operand, guint32 i)
{
  static const guint bases[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = WEIR_CODE_BASE_ARENA,
                                              [WEIR_SPACE_STATE] = WEIR_CODE_BASE_STATE,
                                              [WEIR_SPACE_TIME] = WEIR_CODE_BASE_TIME };
  guint32 place = operand->stride == WEIR_GATHERED
                      ? g_array_index (m->evaluator->gathered, guint32, operand->gathered + i)
                      : operand->offset + (guint32) ((gint32) i * operand->stride);

  if (operand->space == WEIR_SPACE_TIME)
    place = 0;
  return weir_native_load (m->builder, bases[operand->space], place);
}

static void
add_step (Maker *m, const WeirStep *step, const WeirTemplate *template)
{
  const WeirEvaluator *self = m->evaluator;
  gboolean is_derivative = step->is_derivative && self->plan_is_direct;
  guint32 out = is_derivative ? step->out - (guint32) self->layout->arena.xdot : step->out;

  for (guint32 i = 0; i < step->end - step->first; i++)
    {
      WeirNativeValue operands[WEIR_MAX_OPERANDS_ON_STACK], value;

      for (guint k = 0; k < step->n_operands; k++)
        operands[k] = load_operand (m, &self->operands[step->operand + k], i);
      value = weir_template_build (template, m->builder, operands);
      weir_native_store (m->builder,
                         is_derivative ? WEIR_CODE_BASE_DERIVATIVES : WEIR_CODE_BASE_ARENA,
                         out + (guint32) ((gint32) i * step->out_stride), value);
    }
  m->n_entries += step->end - step->first;
  m->n_in_all += step->end - step->first;
}

static void
end_part (Maker *m, guint end)
{
  WeirNativePart part = { .first = m->first, .end = end };

  if (m->builder == NULL)
    return;
  part.code = weir_native_builder_end (m->builder);
  if (part.code != NULL)
    part.func = weir_native_code_get_func (part.code);
  g_array_append_val (m->parts, part);
  g_clear_pointer (&m->builder, weir_native_builder_free);
}

static void
make_parts (Maker *m)
{
  const WeirEvaluator *self = m->evaluator;

  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[g_array_index (self->plan_steps, guint32, i)];
      const WeirTemplate *template = find_template (m, step);

      if (step->is_idle)
        continue;
      if (template == NULL || m->n_entries >= MOST_OF_PART)
        end_part (m, i);
      if (template == NULL)
        {
          WeirNativePart alone = { .first = i, .end = i + 1 };

          g_array_append_val (m->parts, alone);
          continue;
        }
      if (m->builder == NULL)
        {
          m->builder = weir_native_builder_new ();
          m->first = i;
          m->n_entries = 0;
        }
      add_step (m, step, template);
    }
  end_part (m, self->plan_steps->len);
}

/* Lists of kernel calls join the copies of derivatives, or leave them to what is copied; running by
 * parts makes each. */
#define NS_OF_CALL 3.0
#define NS_OF_GATHERED 0.5
#define NS_OF_COPY 0.15

static gboolean
is_worthwhile (const Maker *m)
{
  const WeirEvaluator *self = m->evaluator;
  double gain = 0;

  for (guint p = 0; p < m->parts->len; p++)
    {
      const WeirNativePart *part = &g_array_index (m->parts, WeirNativePart, p);

      for (guint i = part->first; i < part->end; i++)
        {
          const WeirStep *step = &self->steps[g_array_index (self->plan_steps, guint32, i)];
          guint32 n = step->end - step->first;

          if (step->kernel == NULL)
            continue;
          if (part->func != NULL)
            gain += NS_OF_CALL + (step->is_gathered ? n * NS_OF_GATHERED : 0.0);
          else if (self->plan_calls->len > 0 && step->kernel == weir_kernel_copy)
            gain -= n * NS_OF_COPY;
        }
    }
  return gain > 0;
}

static WeirNativePlan *
native_plan_new (const WeirEvaluator *evaluator)
{
  WeirNativePlan *self = g_new0 (WeirNativePlan, 1);
  WeirNativePart none = { .first = G_MAXUINT };
  Maker maker = { .evaluator = evaluator };

  if (!weir_native_is_on () || weir_native_is_refused ())
    return self;
  maker.parts = g_array_new (FALSE, FALSE, sizeof (WeirNativePart));
  make_parts (&maker);
  self->n_parts = maker.parts->len;
  self->has_code = is_worthwhile (&maker);
  if (self->n_parts == 1)
    self->whole = g_array_index (maker.parts, WeirNativePart, 0).func;
  g_array_append_val (maker.parts, none);
  self->parts = (WeirNativePart *) (gpointer) g_array_free (maker.parts, FALSE);
  return self;
}

const WeirNativePlan *
weir_native_plan_make (const WeirEvaluator *self)
{
  WeirNativeSlot *slot = self->native;

  weir_sync_lock (&slot->mutex);
  if (slot->value == NULL)
    g_atomic_pointer_set (&slot->value, native_plan_new (self));
  weir_sync_unlock (&slot->mutex);
  return slot->value;
}

WeirNativeSlot *
weir_native_slot_new (void)
{
  WeirNativeSlot *slot = g_new0 (WeirNativeSlot, 1);

  g_mutex_init (&slot->mutex);
  return slot;
}

void
weir_native_slot_free (WeirNativeSlot *slot)
{
  WeirNativePlan *plan = slot->value;

  for (guint i = 0; plan != NULL && i < plan->n_parts; i++)
    weir_native_code_free (plan->parts[i].code);
  if (plan != NULL)
    g_free (plan->parts);
  g_free (plan);
  g_mutex_clear (&slot->mutex);
  g_free (slot);
}

/* --- Running --------------------------------------------------------------------------------- */

static void
run_step (const WeirEvaluator *self, WeirContext *context, const WeirStep *step,
          double *derivatives)
{
  const double *const of_space[WEIR_N_SPACES] = { [WEIR_SPACE_ARENA] = context->arena,
                                                  [WEIR_SPACE_STATE] = context->x,
                                                  [WEIR_SPACE_TIME] = &context->now };
  const WeirStepOperand *operands = self->operands + step->operand;
  double *out = step->is_derivative ? derivatives + (step->out - self->layout->arena.xdot)
                                    : context->arena + step->out;
  WeirStream streams[WEIR_MAX_OPERANDS_ON_STACK];

  if (step->kernel == NULL)
    return;
  for (guint k = 0; k < step->n_operands; k++)
    streams[k] = (WeirStream) { of_space[operands[k].space] + operands[k].offset,
                                operands[k].stride };
  if (step->is_gathered)
    weir_call_gathered (self, step, streams, out, 0, step->end - step->first);
  else
    step->kernel (streams, step->n_operands, step->variant, out, step->out_stride,
                  step->end - step->first);
}

void
weir_native_plan_run_parts (const WeirEvaluator *self, const WeirNativePlan *plan,
                            WeirContext *context, double *derivatives)
{
  const guint32 *steps = (const guint32 *) (gconstpointer) self->plan_steps->data;

  for (guint p = 0; p < plan->n_parts; p++)
    {
      const WeirNativePart *part = &plan->parts[p];

      if (part->func != NULL)
        {
          weir_native_call (part->func, context, derivatives);
          continue;
        }
      for (guint i = part->first; i < part->end; i++)
        run_step (self, context, &self->steps[steps[i]], derivatives);
    }
}
