/* Building an evaluator: the code of each entry, the steps of its segments, the plan of the
 * derivatives. See evaluator-private.h. */
#include "system/evaluation/event.h"
#include "system/evaluation/evaluator-private.h"

#include <string.h>

/* --- Building -------------------------------------------------------------------------------- */

static void
list_systems (WeirEvaluator *self, WeirSystem *system, guint32 *at)
{
  guint32 n = (*at)++;

  self->systems[n] = system;
  for (guint32 c = 0; c < system->shape->n_children; c++)
    list_systems (self, system->children[c], at);
}

static void
list_events (WeirEvaluator *self)
{
  self->events = g_array_new (FALSE, FALSE, sizeof (WeirDeclaredEvent));
  self->event_locals = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 n = 0; n < self->layout->n_nodes; n++)
    {
      const WeirShape *shape = self->systems[n]->shape;

      for (guint32 k = 0; k < shape->events->len; k++)
        {
          const WeirEventDecl *decl = &g_array_index (shape->events, WeirEventDecl, k);
          WeirDeclaredEvent event = {
            .node = { n },
            .trigger = decl->trigger,
            .action = decl->action,
            .group = decl->group,
            .period = decl->period,
            .offset = decl->offset,
            .n_points = decl->n_points,
            .witness = { WEIR_NO_INDEX },
            .direction = decl->direction,
            .leaves_zero = decl->leaves_zero,
            .rank = decl->rank,
            .n_limits = decl->n_limits,
          };

          if (decl->action == WEIR_ACTION_DISCRETE_UPDATE)
            event.size = weir_shape_group (shape, decl->group.i)->size;
          else if (decl->action == WEIR_ACTION_RESET)
            event.size = self->layout->nodes[n].n_states;
          if (decl->trigger == WEIR_TRIGGER_CROSSING)
            {
              event.witness.i = self->layout->entry_of_local[self->layout->nodes[n].first_entry
                                                             + decl->witness.i];
              event.n_witnesses = weir_shape_entry (shape, decl->witness.i)->size;
            }
          g_array_append_val (self->events, event);
          g_array_append_val (self->event_locals, k);
        }
    }
}

/* Classes are equal by name; one call for a segment needs the very same kernel. */
static gboolean
is_batch (const WeirEvaluator *self, guint32 first, guint32 end)
{
  const WeirLayout *layout = self->layout;
  const WeirEntryCode *code = self->code[first];
  const WeirEntryDecl *decl = weir_layout_decl (layout, first);

  if (code == NULL || code->kernel == NULL || decl->size != 1
      || decl->n_depends > WEIR_MAX_OPERANDS_ON_STACK)
    return FALSE;
  for (guint32 e = first + 1; e < end; e++)
    if (self->code[e]->kernel != code->kernel
        || weir_layout_decl (layout, e)->variant != decl->variant)
      return FALSE;
  return TRUE;
}

/* Where operand @k of each entry of a step lies. */
static void
list_gathered (WeirEvaluator *self, WeirStep *step, guint32 k)
{
  WeirStepOperand *operand = &self->operands[self->n_operands - 1];
  const WeirLayout *layout = self->layout;

  step->is_gathered = TRUE;
  operand->offset = 0;
  operand->gathered = self->gathered->len;
  for (guint32 e = step->first; e < step->end; e++)
    g_array_append_val (self->gathered, layout->operands[layout->operand_first[e] + k].offset);
}

static void
make_operands (WeirEvaluator *self, WeirStep *step, const gint32 *strides)
{
  const WeirLayout *layout = self->layout;
  guint32 k = layout->operand_first[step->first], end = layout->operand_first[step->first + 1];

  step->operand = self->n_operands;
  for (; k < end; k++, strides++)
    {
      WeirAddress address = layout->operands[k];

      if (address.space == WEIR_SPACE_STATE)
        g_array_append_val (self->state_operands, self->n_operands);
      self->operands[self->n_operands++] = (WeirStepOperand) { address.offset, address.space,
                                                               *strides, 0, WEIR_NO_INDEX };
      if (*strides == WEIR_GATHERED)
        list_gathered (self, step, k - layout->operand_first[step->first]);
    }
}

static void
make_steps (WeirEvaluator *self)
{
  const WeirLayout *layout = self->layout;
  guint32 n_operands = 0;

  for (guint32 s = 0; s < layout->n_segments; s++)
    n_operands += layout->operand_first[layout->segment_first[s] + 1]
                  - layout->operand_first[layout->segment_first[s]];
  self->steps = g_new0 (WeirStep, MAX (layout->n_segments, 1));
  self->operands = g_new (WeirStepOperand, MAX (n_operands, 1));
  self->gathered = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->state_operands = g_array_new (FALSE, FALSE, sizeof (guint32));
  for (guint32 s = 0; s < layout->n_segments; s++)
    {
      WeirStep *step = &self->steps[s];
      guint32 first = layout->segment_first[s];
      const gint32 *strides = layout->strides + layout->stride_first[s];

      step->first = first;
      step->end = layout->segment_first[s + 1];
      step->is_derivative = weir_layout_decl (layout, first)->kind == WEIR_ENTRY_DERIVATIVES;
      step->is_idle = self->code[first] == NULL
                      && weir_layout_decl (layout, first)->kind != WEIR_ENTRY_ENERGY;
      make_operands (self, step, strides);
      if (!is_batch (self, first, step->end))
        continue;
      step->kernel = self->code[first]->kernel;
      step->variant = weir_layout_decl (layout, first)->variant;
      step->n_operands = (guint16) weir_layout_decl (layout, first)->n_depends;
      step->out = layout->value_offset[first];
      step->out_stride = step->end - first > 1 ? strides[step->n_operands] : 1;
    }
}

/* Lists the steps of the plan if whole segments make it up. */
static void
list_plan_steps (WeirEvaluator *self)
{
  for (guint32 s = 0; s < self->layout->n_segments; s++)
    {
      const WeirStep *step = &self->steps[s];
      WeirEntryRange range = { step->first, step->end };
      guint32 n = 0;

      for (guint32 e = step->first; e < step->end; e++)
        n += weir_bit (self->plan, e);
      if (n == 0)
        continue;
      if (n < step->end - step->first)
        {
          g_array_set_size (self->plan_steps, 0);
          return;
        }
      g_array_append_val (self->plan_steps, s);
      if (step->kernel == NULL && !step->is_idle)
        continue;
      if (self->plan_kernels->len > 0)
        {
          WeirEntryRange *last = &g_array_index (self->plan_kernels, WeirEntryRange,
                                                 self->plan_kernels->len - 1);

          if (last->end == range.first)
            {
              last->end = range.end;
              continue;
            }
        }
      g_array_append_val (self->plan_kernels, range);
    }
}

/* Derivatives that bypass the arena must be kernels' results, out of date again as soon as the
 * trial ends, and read by nothing but diagrams' own. */
static gboolean
can_be_direct (const WeirEvaluator *self)
{
  const WeirLayout *layout = self->layout;
  g_autofree guint64 *by_state = g_new0 (guint64, MAX (layout->n_words, 1));
  g_autofree guint64 *scratch = g_new0 (guint64, MAX (layout->n_words, 1));

  weir_masks_sweep (layout->masks, WEIR_SOURCE_STATE, by_state, scratch);
  for (guint i = 0; i < self->plan_steps->len; i++)
    {
      const WeirStep *step = &self->steps[g_array_index (self->plan_steps, guint32, i)];

      if (step->is_idle)
        continue;
      for (guint32 e = step->first; e < step->end; e++)
        {
          if (step->is_derivative && (step->kernel == NULL || !weir_bit (by_state, e)))
            return FALSE;
          for (guint32 k = layout->up_first[e]; k < layout->up_first[e + 1]; k++)
            if (weir_layout_decl (layout, layout->ups[k])->kind == WEIR_ENTRY_DERIVATIVES)
              return FALSE;
        }
    }
  return TRUE;
}

static void
make_plan (WeirEvaluator *self)
{
  const WeirLayout *layout = self->layout;
  int local = weir_shape_find_entry (layout->shape, WEIR_TICKET_XCDOT);

  self->plan = g_new0 (guint64, MAX (layout->n_words, 1));
  self->plan_steps = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->plan_kernels = g_array_new (FALSE, FALSE, sizeof (WeirEntryRange));
  self->derivatives = WEIR_NO_INDEX;
  if (local < 0)
    {
      weir_plan_make (self);
      return;
    }
  self->derivatives = layout->entry_of_local[local];
  weir_evaluator_collect (layout, NULL, NULL, self->plan, self->derivatives);
  for (guint32 w = 0; w < layout->n_words; w++)
    self->plan_is_lazy |= (self->plan[w] & layout->lazy[w]) != 0;
  if (!self->plan_is_lazy)
    list_plan_steps (self);
  self->plan_is_direct = self->plan_steps->len > 0 && can_be_direct (self);
  weir_plan_make (self);
  if (self->direct_calls == NULL)
    return;
  self->spread = weir_spread_new (self);
  if (self->spread == NULL)
    weir_plan_tile (self);
}

/* Differs between processes, where the same addresses may be other functions. */
static guint64
process_id (void)
{
  static gsize id;

  if (g_once_init_enter (&id))
    g_once_init_leave (&id, (gsize) g_random_int () << 16 | 1);
  return id;
}

static guint64
hash_step (guint64 hash, guintptr value)
{
  hash = (hash ^ value) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static guint64
calc_code_id (const WeirEvaluator *self)
{
  guint64 hash = process_id ();

  for (guint32 e = 0; e < self->layout->n_entries; e++)
    if (self->code[e] != NULL)
      {
        hash = hash_step (hash, (guintptr) self->code[e]->calc);
        hash = hash_step (hash, (guintptr) self->code[e]->kernel);
        hash = hash_step (hash, (guintptr) self->code[e]->abstract);
      }
  return hash;
}

static gpointer
evaluator_new (WeirSystem *root)
{
  WeirEvaluator *self = g_new0 (WeirEvaluator, 1);
  guint32 n = 0;

  self->layout = weir_system_get_layout (root);
  self->systems = g_new (WeirSystem *, self->layout->n_nodes);
  list_systems (self, root, &n);
  self->code = g_new (const WeirEntryCode *, MAX (self->layout->n_entries, 1));
  for (guint32 e = 0; e < self->layout->n_entries; e++)
    {
      const WeirSystem *system = self->systems[self->layout->node_of[e]];

      guint32 local = self->layout->local_of[e];

      self->code[e] = system->shape->is_diagram ? NULL
                      : system->shape->is_loop
                          ? weir_loop_get_code (local)
                          : &g_array_index (system->code, WeirEntryCode, local);
    }
  self->code_id = calc_code_id (self);
  make_steps (self);
  list_events (self);
  make_plan (self);
  self->native = weir_native_slot_new ();
  return self;
}

static void
evaluator_free (gpointer data)
{
  WeirEvaluator *self = data;

  g_free (self->systems);
  g_free (self->code);
  g_free (self->steps);
  g_free (self->operands);
  g_array_unref (self->gathered);
  g_array_unref (self->state_operands);
  g_free (self->plan);
  g_array_unref (self->plan_steps);
  g_array_unref (self->plan_kernels);
  weir_spread_free (self->spread);
  weir_plan_clear (self);
  weir_trial_codes_free (self->native->trials);
  weir_native_slot_free (self->native);
  g_array_unref (self->events);
  g_array_unref (self->event_locals);
  g_free (self);
}

WeirEvaluator *
weir_system_get_evaluator (WeirSystem *self)
{
  WeirEvaluator *evaluator = g_atomic_pointer_get (&self->evaluator.value);

  if (G_LIKELY (evaluator != NULL))
    return evaluator;
  weir_system_get_layout (self); /* before, for one part is made at a time */
  return weir_system_get_root_part (self, &self->evaluator, evaluator_new, evaluator_free);
}
