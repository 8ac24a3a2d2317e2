/* Setting the sources of a context: time, accuracy, states, parameters, fixed inputs. Every setter
 * is one change event, or part of the joint one under way; within it a source is marked before
 * anything can read it. Setting time, accuracy or a parameter of one value to the same bytes is no
 * event.
 */
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "system/context/context-private.h"

/* Is there such a thing, and of that kind of value? A handle of another block compiles as well. */

static gboolean
has_group (const WeirContext *self, WeirNode node, WeirGroup group, gboolean is_abstract)
{
  return node.i < self->layout->n_nodes && group.i < self->layout->nodes[node.i].shape->groups->len
         && (weir_shape_group (self->layout->nodes[node.i].shape, group.i)->type != NULL)
                == is_abstract;
}

static gboolean
has_parameter (const WeirContext *self, WeirNode node, WeirParameter parameter,
               gboolean is_abstract)
{
  return node.i < self->layout->n_nodes
         && parameter.i < self->layout->nodes[node.i].shape->parameters->len
         && (weir_shape_parameter (self->layout->nodes[node.i].shape, parameter.i)->type != NULL)
                == is_abstract;
}

static gboolean
has_input (const WeirContext *self, WeirNode node, WeirInput in)
{
  return node.i < self->layout->n_nodes && in.i < self->layout->nodes[node.i].shape->inputs->len;
}

static gboolean
has_number_input (const WeirContext *self, WeirNode node, WeirInput in)
{
  return has_input (self, node, in)
         && weir_shape_input (self->layout->nodes[node.i].shape, in.i)->type == NULL;
}

/* --- Defaults -------------------------------------------------------------------------------- */

/* Default or initial value of a vector or abstract value at @word of the arena. */
static void
put_default (WeirContext *self, guint32 word, const WeirVectorDecl *decl)
{
  if (decl->type != NULL)
    weir_context_take_abstract (self, word, decl->abstract);
  else if (decl->value != NULL)
    memcpy (self->arena + word, decl->value, decl->size * sizeof (double));
}

/* Time, states and parameters as they begin. */
static void
put_sources (WeirContext *self)
{
  const WeirLayout *layout = self->layout;

  for (guint32 n = 0; n < layout->n_nodes; n++)
    {
      const WeirNodeInfo *node = &layout->nodes[n];
      const WeirShape *shape = node->shape;

      if (shape->initial_state != NULL)
        memcpy (self->arena + layout->arena.state + node->state_offset, shape->initial_state,
                node->n_states * sizeof (double));
      for (guint g = 0; g < shape->groups->len; g++)
        put_default (self, layout->group_slots[node->first_group + g], weir_shape_group (shape, g));
      for (guint p = 0; p < shape->parameters->len; p++)
        put_default (self, layout->parameter_slots[node->first_parameter + p],
                     weir_shape_parameter (shape, p));
    }
  self->arena[WEIR_ARENA_TIME] = 0;
  self->now = 0;
}

void
weir_context_put_input_default (WeirContext *self, guint32 n, guint in)
{
  put_default (self, self->layout->input_slots[self->layout->nodes[n].first_input + in],
               weir_shape_input (self->layout->nodes[n].shape, in));
}

void
weir_context_put_defaults (WeirContext *self)
{
  put_sources (self);
  for (guint32 n = 0; n < self->layout->n_nodes; n++)
    for (guint i = 0; i < self->layout->nodes[n].shape->inputs->len; i++)
      weir_context_put_input_default (self, n, i);
}

void
weir_context_reset (WeirContext *self)
{
  put_sources (self);
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ALL });
}

/* --- Time, accuracy, state ------------------------------------------------------------------- */

/* Bytes, not values: 0.0 and -0.0 differ, equal NaNs do not. */
static gboolean
same_bytes (const double *a, const double *b, gsize n)
{
  return memcmp (a, b, n * sizeof *a) == 0;
}

double
weir_context_get_time (const WeirContext *self)
{
  return self->arena[WEIR_ARENA_TIME];
}

gboolean
weir_context_put_time (WeirContext *self, double time)
{
  gboolean is_same = same_bytes (&self->arena[WEIR_ARENA_TIME], &time, 1);

  self->arena[WEIR_ARENA_TIME] = self->now = time;
  return !is_same;
}

void
weir_context_set_time (WeirContext *self, double time)
{
  if (weir_context_put_time (self, time))
    weir_context_note (self, (WeirSource) { WEIR_SOURCE_TIME });
}

void
weir_context_set_common (WeirContext *self, WeirTicket ticket, double value)
{
  double *word = &self->arena[weir_word_of_common (ticket.i)];

  if (same_bytes (word, &value, 1))
    return;
  *word = value;
  weir_context_note (self, weir_source_of_common (ticket));
}

/* Time has more to it: the base of a solve. */
WEIR_COVERS_COMMON (WEIR_TICKET_ACCURACY);

double
weir_context_get_accuracy (const WeirContext *self)
{
  return self->arena[WEIR_ARENA_ACCURACY];
}

void
weir_context_set_accuracy (WeirContext *self, double accuracy)
{
  weir_context_set_common (self, WEIR_ACCURACY, accuracy);
}

const double *
weir_context_get_state (const WeirContext *self)
{
  return self->arena + self->layout->arena.state;
}

static void
put_state (WeirContext *self, const double *x)
{
  memmove (self->arena + self->layout->arena.state, x, self->layout->n_states * sizeof *x);
}

void
weir_context_set_state (WeirContext *self, const double *x)
{
  put_state (self, x);
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_STATE });
}

void
weir_context_set_time_and_state (WeirContext *self, double time, const double *x)
{
  gboolean same_time = !weir_context_put_time (self, time);

  put_state (self, x);
  weir_context_note (self, (WeirSource) { same_time ? WEIR_SOURCE_STATE : WEIR_SOURCE_TIME_STATE });
}

/* --- Discrete groups and parameters ---------------------------------------------------------- */

static double *
group_word (const WeirContext *self, WeirNode node, WeirGroup group)
{
  return self->arena + self->layout->group_slots[self->layout->nodes[node.i].first_group + group.i];
}

static double *
parameter_word (const WeirContext *self, WeirNode node, WeirParameter parameter)
{
  return self->arena
         + self->layout->parameter_slots[self->layout->nodes[node.i].first_parameter + parameter.i];
}

const double *
weir_context_get_discrete (const WeirContext *self, WeirNode node, WeirGroup group)
{
  g_return_val_if_fail (has_group (self, node, group, FALSE), NULL);

  return group_word (self, node, group);
}

void
weir_context_set_discrete (WeirContext *self, WeirNode node, WeirGroup group, const double *value)
{
  g_return_if_fail (has_group (self, node, group, FALSE));

  memmove (group_word (self, node, group), value,
           weir_shape_group (self->layout->nodes[node.i].shape, group.i)->size * sizeof *value);
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, group.i));
}

const double *
weir_context_get_parameter (const WeirContext *self, WeirNode node, WeirParameter parameter)
{
  g_return_val_if_fail (has_parameter (self, node, parameter, FALSE), NULL);

  return parameter_word (self, node, parameter);
}

static G_GNUC_NO_INLINE void
put_values (WeirContext *self, WeirSource source, double *slot, const double *values, gsize n)
{
  memmove (slot, values, n * sizeof *values);
  weir_context_note (self, source);
}

void
weir_context_set_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                            const double *value)
{
  WeirSource source;
  double *slot;
  gsize size;

  g_return_if_fail (has_parameter (self, node, parameter, FALSE));

  source = weir_layout_parameter_source (self->layout, node.i, parameter.i);
  slot = parameter_word (self, node, parameter);
  size = weir_shape_parameter (self->layout->nodes[node.i].shape, parameter.i)->size;
  if (size != 1)
    put_values (self, source, slot, value, size);
  else if (!same_bytes (slot, value, 1))
    {
      *slot = *value;
      weir_context_note (self, source);
    }
}

double *
weir_context_change_discrete (WeirContext *self, WeirNode node, WeirGroup group)
{
  g_return_val_if_fail (has_group (self, node, group, FALSE), NULL);

  weir_context_note (self, weir_layout_group_source (self->layout, node.i, group.i));
  return group_word (self, node, group);
}

double *
weir_context_change_parameter (WeirContext *self, WeirNode node, WeirParameter parameter)
{
  g_return_val_if_fail (has_parameter (self, node, parameter, FALSE), NULL);

  weir_context_note (self, weir_layout_parameter_source (self->layout, node.i, parameter.i));
  return parameter_word (self, node, parameter);
}

/* --- Abstract values ------------------------------------------------------------------------- */

void
weir_context_take_abstract (WeirContext *self, guint32 word, GVariant *value)
{
  GVariant **at = &self->abstract[((const guint64 *) (const void *) self->arena)[word]];
  GVariant *old = *at;

  *at = value == NULL ? NULL : g_variant_ref_sink (value);
  g_clear_pointer (&old, g_variant_unref);
}

static gboolean
check_type (const WeirContext *self, WeirNode node, const char *what, const WeirVectorDecl *decl,
            GVariant *value, GError **error)
{
  g_autoptr (WeirMessage) expected = NULL;
  g_autofree char *path = NULL;

  if (decl->type != NULL && g_variant_is_of_type (value, decl->type))
    return TRUE;
  path = weir_layout_dup_path (self->layout, node);
  expected = decl->type == NULL
                 ? weir_message_new (N_ ("%u numbers"), decl->size)
                 : weir_message_new (N_ ("an abstract value of type \"%.*s\""),
                                     (int) g_variant_type_get_string_length (decl->type),
                                     g_variant_type_peek_string (decl->type));
  weir_error_set (error, WEIR_ERROR_MISMATCH,
                  "%s: %s \"%s\" takes %s, not an abstract value of type \"%s\".",
                  *path != '\0' ? path : weir_phrase (N_ ("the root")), weir_phrase (what),
                  decl->name, weir_message_get_text (expected), g_variant_get_type_string (value));
  return FALSE;
}

GVariant *
weir_context_get_abstract_state (const WeirContext *self, WeirNode node, WeirGroup state)
{
  g_return_val_if_fail (has_group (self, node, state, TRUE), NULL);

  return weir_context_abstract_at (self, group_word (self, node, state));
}

gboolean
weir_context_set_abstract_state (WeirContext *self, WeirNode node, WeirGroup state, GVariant *value,
                                 GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  const WeirNodeInfo *info;

  g_return_val_if_fail (node.i < self->layout->n_nodes, FALSE);
  info = &self->layout->nodes[node.i];
  g_return_val_if_fail (state.i < info->shape->groups->len, FALSE);

  if (!check_type (self, node, N_ ("abstract state"), weir_shape_group (info->shape, state.i),
                   value, error))
    return FALSE;
  weir_context_take_abstract (self, self->layout->group_slots[info->first_group + state.i], value);
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, state.i));
  return TRUE;
}

GVariant *
weir_context_get_abstract_parameter (const WeirContext *self, WeirNode node,
                                     WeirParameter parameter)
{
  g_return_val_if_fail (has_parameter (self, node, parameter, TRUE), NULL);

  return weir_context_abstract_at (self, parameter_word (self, node, parameter));
}

gboolean
weir_context_set_abstract_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                                     GVariant *value, GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  const WeirNodeInfo *info;

  g_return_val_if_fail (node.i < self->layout->n_nodes, FALSE);
  info = &self->layout->nodes[node.i];
  g_return_val_if_fail (parameter.i < info->shape->parameters->len, FALSE);

  if (!check_type (self, node, N_ ("parameter"), weir_shape_parameter (info->shape, parameter.i),
                   value, error))
    return FALSE;
  weir_context_take_abstract (
      self, self->layout->parameter_slots[info->first_parameter + parameter.i], value);
  weir_context_note (self, weir_layout_parameter_source (self->layout, node.i, parameter.i));
  return TRUE;
}

/* --- Fixed inputs ---------------------------------------------------------------------------- */

static gboolean
is_wired (const WeirContext *self, WeirNode node, WeirInput in)
{
  WeirOrigin origin = self->layout->inputs[self->layout->nodes[node.i].first_input + in.i];

  return origin.kind != WEIR_ORIGIN_FIXED || origin.node != node.i || origin.index != in.i;
}

static gboolean
is_required (const WeirContext *self, guint32 input)
{
  for (guint i = 0; i < self->layout->required->len; i++)
    if (g_array_index (self->layout->required, guint32, i) == input)
      return TRUE;
  return FALSE;
}

/* Marks an input as fixed; its value is put by the caller. */
static void
mark_fixed (WeirContext *self, WeirNode node, WeirInput in)
{
  guint32 input = self->layout->nodes[node.i].first_input + in.i;

  if (weir_bit (self->fixed, input))
    return;
  weir_bit_set (self->fixed, input);
  if (is_wired (self, node, in))
    weir_context_count (self, &self->n_overrides, TRUE, WEIR_MODE_REWIRED);
  else if (is_required (self, input))
    weir_context_count (self, &self->n_missing, FALSE, WEIR_MODE_MISSING);
}

void
weir_context_fix_input (WeirContext *self, WeirNode node, WeirInput in, const double *value)
{
  const WeirNodeInfo *info;

  g_return_if_fail (has_number_input (self, node, in));

  info = &self->layout->nodes[node.i];
  mark_fixed (self, node, in);
  memmove (self->arena + self->layout->input_slots[info->first_input + in.i], value,
           weir_shape_input (info->shape, in.i)->size * sizeof *value);
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
}

gboolean
weir_context_fix_abstract_input (WeirContext *self, WeirNode node, WeirInput in, GVariant *value,
                                 GError **error)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);
  const WeirNodeInfo *info;

  g_return_val_if_fail (has_input (self, node, in), FALSE);
  info = &self->layout->nodes[node.i];

  if (!check_type (self, node, N_ ("input"), weir_shape_input (info->shape, in.i), value, error))
    return FALSE;
  mark_fixed (self, node, in);
  weir_context_take_abstract (self, self->layout->input_slots[info->first_input + in.i], value);
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
  return TRUE;
}

double *
weir_context_change_input (WeirContext *self, WeirNode node, WeirInput in)
{
  g_return_val_if_fail (has_number_input (self, node, in), NULL);
  g_return_val_if_fail (weir_context_is_input_fixed (self, node, in), NULL);

  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
  return self->arena + self->layout->input_slots[self->layout->nodes[node.i].first_input + in.i];
}

void
weir_context_unfix_input (WeirContext *self, WeirNode node, WeirInput in)
{
  guint32 input;

  g_return_if_fail (has_input (self, node, in));

  input = self->layout->nodes[node.i].first_input + in.i;
  if (!weir_bit (self->fixed, input))
    return;
  weir_bit_clear (self->fixed, input);
  weir_context_put_input_default (self, node.i, in.i);
  if (is_wired (self, node, in))
    weir_context_count (self, &self->n_overrides, FALSE, WEIR_MODE_REWIRED);
  else if (is_required (self, input))
    weir_context_count (self, &self->n_missing, TRUE, WEIR_MODE_MISSING);
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
}

gboolean
weir_context_is_input_fixed (const WeirContext *self, WeirNode node, WeirInput in)
{
  g_return_val_if_fail (has_input (self, node, in), FALSE);

  return weir_bit (self->fixed, self->layout->nodes[node.i].first_input + in.i);
}

void
weir_context_count_bits (WeirContext *self)
{
  const WeirLayout *layout = self->layout;

  self->n_disabled = 0;
  for (guint32 w = 0; w < layout->n_words; w++)
    self->n_disabled += (guint32) __builtin_popcountll (self->disabled[w]);
  self->n_overrides = 0;
  self->n_missing = layout->required->len;
  for (guint32 n = 0; n < layout->n_nodes; n++)
    for (guint16 i = 0; i < layout->nodes[n].shape->inputs->len; i++)
      if (!weir_bit (self->fixed, layout->nodes[n].first_input + i))
        continue;
      else if (is_wired (self, (WeirNode) { n }, (WeirInput) { i }))
        self->n_overrides++;
      else if (is_required (self, layout->nodes[n].first_input + i))
        self->n_missing--;
  weir_context_set_mode (self, WEIR_MODE_DISABLED, self->n_disabled > 0);
  weir_context_set_mode (self, WEIR_MODE_REWIRED, self->n_overrides > 0);
  weir_context_set_mode (self, WEIR_MODE_MISSING, self->n_missing > 0);
}
