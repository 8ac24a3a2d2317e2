/* Setting the sources of a context: time, accuracy, states, parameters, fixed inputs. Every setter
 * is one change event, or part of the joint one under way; within it a source is marked before
 * anything can read it. Setting time, accuracy or a parameter of one value to the same bytes is no
 * event.
 */
#include <string.h>

#include "system/change-log-private.h"
#include "system/extra-private.h"
#include "system/watch-private.h"

/* --- Defaults -------------------------------------------------------------------------------- */

static void
take_abstract (WeirContext *self, guint32 word, GVariant *value)
{
  GVariant **at = &self->abstract[((const guint64 *) (const void *) self->arena)[word]];
  GVariant *old = *at;

  *at = value == NULL ? NULL : g_variant_ref_sink (value);
  g_clear_pointer (&old, g_variant_unref);
}

/* Default or initial value of a vector or abstract value at @word of the arena. */
static void
put_default (WeirContext *self, guint32 word, const WeirVectorDecl *decl)
{
  if (decl->type != NULL)
    take_abstract (self, word, decl->abstract);
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

static void
put_input_default (WeirContext *self, guint32 n, guint in)
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
      put_input_default (self, n, i);
}

/* --- Change events --------------------------------------------------------------------------- */

static void G_GNUC_NO_INLINE
mark_timed (WeirContext *self, WeirSource source)
{
  guint64 start = weir_clock_ns (), ns, cost = weir_clock_cost ();

  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
  ns = weir_clock_ns () - start;
  self->sweep_ns += ns > cost ? ns - cost : 0;
  self->n_sweeps_timed++;
}

/* Is the newest event one that is to mark nothing? */
static inline gboolean
is_skipped (const WeirContext *self)
{
  return G_UNLIKELY (self->recording != NULL) && self->recording->skipped == *self->n_events;
}

static void
note_unusual (WeirContext *self, WeirSource source)
{
  if (G_UNLIKELY (self->extras != NULL))
    weir_extras_note (self->extras, source, *self->n_events + 1);
  if (G_UNLIKELY (self->open_changes > 0))
    {
      if (self->recording != NULL)
        weir_recording_note_part (self, source);
      self->source_last[source.i] = *self->n_events + 1;
      self->has_joined = TRUE;
      weir_masks_mark (self->layout->masks, source.i, self->joint, self->scratch);
      return;
    }
  if (G_UNLIKELY (self->recording != NULL))
    weir_recording_note_event (self, source);
  self->source_last[source.i] = ++*self->n_events;
  self->source_events[source.i]++;
  if (is_skipped (self))
    return;
  if (G_UNLIKELY (self->watch != NULL))
    weir_watch_mark (self, source);
  else if (G_UNLIKELY (weir_is_event_sampled (*self->n_events)))
    mark_timed (self, source);
  else
    weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

static inline void
note (WeirContext *self, WeirSource source)
{
  guint64 event = *self->n_events + 1;
  gboolean is_usual = weir_context_is_usual (self);

  if (G_UNLIKELY ((!is_usual && !weir_context_only_records_events (self))
                  || weir_is_event_sampled (event)))
    {
      note_unusual (self, source);
      return;
    }
  if (G_UNLIKELY (!is_usual))
    weir_recording_note_event (self, source);
  *self->n_events = self->source_last[source.i] = event;
  self->source_events[source.i]++;
  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
}

void
weir_context_note (WeirContext *self, WeirSource source)
{
  note (self, source);
}

void
weir_context_note_and_learn (WeirContext *self, WeirSource source, WeirMaskRun *run)
{
  weir_context_note (self, source);
  *run = weir_masks_get_run (self->layout->masks, source.i);
}

void
weir_context_begin_change (WeirContext *self)
{
  if (self->joint == NULL)
    self->joint = g_new0 (guint64, MAX (self->layout->n_words, 1));
  self->open_changes++;
  weir_context_present_front (self);
}

/* Several sources may reach one entry, which the event reaches once: so it is counted by entry, in
 * runs. */
static void
apply_joint (WeirContext *self)
{
  gboolean in_run = FALSE;

  for (guint32 w = 0; w < self->layout->n_words; w++)
    {
      guint64 word = self->joint[w];
      guint64 edges = word ^ (word << 1 | (in_run ? 1 : 0));

      for (guint64 left = edges; left != 0; left &= left - 1)
        {
          in_run = !in_run;
          self->joint_steps[w * 64 + (guint) __builtin_ctzll (left)] += in_run ? 1 : G_MAXUINT64;
        }
      self->stale[w] |= word;
      self->joint[w] = 0;
    }
  if (in_run)
    self->joint_steps[self->layout->n_entries]--;
}

void
weir_context_end_change (WeirContext *self)
{
  g_return_if_fail (self->open_changes > 0);

  if (--self->open_changes > 0)
    return;
  weir_context_present_front (self);
  if (!self->has_joined)
    return;
  self->has_joined = FALSE;
  if (self->recording != NULL)
    weir_recording_note_joint (self);
  ++*self->n_events;
  if (is_skipped (self))
    {
      memset (self->joint, 0, self->layout->n_words * sizeof *self->joint);
      return;
    }
  if (self->watch != NULL)
    weir_watch_begin_joint (self, self->joint);
  apply_joint (self);
  if (self->watch != NULL)
    weir_watch_end_joint (self);
}

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

void
weir_context_set_time (WeirContext *self, double time)
{
  if (same_bytes (&self->arena[WEIR_ARENA_TIME], &time, 1))
    return;
  self->arena[WEIR_ARENA_TIME] = self->now = time;
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_TIME });
}

double
weir_context_get_accuracy (const WeirContext *self)
{
  return self->arena[WEIR_ARENA_ACCURACY];
}

void
weir_context_set_accuracy (WeirContext *self, double accuracy)
{
  if (same_bytes (&self->arena[WEIR_ARENA_ACCURACY], &accuracy, 1))
    return;
  self->arena[WEIR_ARENA_ACCURACY] = accuracy;
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ACCURACY });
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
  gboolean same_time = same_bytes (&self->arena[WEIR_ARENA_TIME], &time, 1);

  self->arena[WEIR_ARENA_TIME] = self->now = time;
  put_state (self, x);
  weir_context_note (self, (WeirSource) { same_time ? WEIR_SOURCE_STATE : WEIR_SOURCE_TIME_STATE });
}

/* --- State of a subtree ---------------------------------------------------------------------- */

/* The slices of the leaves at or under @node: [first, end) in the order of the state vector. */
static void
find_slices (const WeirLayout *layout, WeirNode node, guint *first, guint *end)
{
  const WeirNodeInfo *info = &layout->nodes[node.i];
  guint low = 0, high = layout->slices->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (layout->slices, WeirStateSlice, middle).offset < info->state_offset)
        low = middle + 1;
      else
        high = middle;
    }
  *first = low;
  while (low < layout->slices->len
         && g_array_index (layout->slices, WeirStateSlice, low).offset
                < info->state_offset + info->n_states)
    low++;
  *end = low;
}

static guint32
part_size (const WeirStateSlice *slice, WeirOriginKind part)
{
  return part == WEIR_ORIGIN_Q   ? slice->nq
         : part == WEIR_ORIGIN_V ? slice->nv
         : part == WEIR_ORIGIN_Z ? slice->nz
                                 : slice->nq + slice->nv + slice->nz;
}

static guint32
part_offset (const WeirStateSlice *slice, WeirOriginKind part)
{
  return slice->offset
         + (part == WEIR_ORIGIN_V   ? slice->nq
            : part == WEIR_ORIGIN_Z ? slice->nq + slice->nv
                                    : 0);
}

guint
weir_context_get_n_part (const WeirContext *self, WeirNode node, WeirStatePart part)
{
  guint first, end, n = 0;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    n += part_size (&g_array_index (self->layout->slices, WeirStateSlice, first),
                    WEIR_ORIGIN_Q + part);
  return n;
}

void
weir_context_read_part (const WeirContext *self, WeirNode node, WeirStatePart part, double *values)
{
  const double *x = weir_context_get_state (self);
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);
      guint32 n = part_size (slice, WEIR_ORIGIN_Q + part);

      memcpy (values, x + part_offset (slice, WEIR_ORIGIN_Q + part), n * sizeof *values);
      values += n;
    }
}

static void
put_part (WeirContext *self, WeirNode node, WeirStatePart part, const double *values)
{
  double *x = self->arena + self->layout->arena.state;
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);
      guint32 n = part_size (slice, WEIR_ORIGIN_Q + part);

      memmove (x + part_offset (slice, WEIR_ORIGIN_Q + part), values, n * sizeof *values);
      values += n;
    }
}

/* A part of every leaf at or under @node, in the change event under way. */
static void
note_part (WeirContext *self, WeirNode node, WeirStatePart part)
{
  guint first, end;

  find_slices (self->layout, node, &first, &end);
  for (; first < end; first++)
    {
      const WeirStateSlice *slice = &g_array_index (self->layout->slices, WeirStateSlice, first);

      if (part_size (slice, WEIR_ORIGIN_Q + part) > 0)
        weir_context_note (
            self, weir_layout_state_source (self->layout, slice->node.i, WEIR_ORIGIN_Q + part));
    }
}

/* The whole tree's parts have sources of their own: integrators set them at every step. */
static void
note_part_change (WeirContext *self, WeirNode node, WeirStatePart part)
{
  if (node.i == 0 && (part == WEIR_STATE_Q || part == WEIR_STATE_XC))
    {
      weir_context_note (self,
                         (WeirSource) { part == WEIR_STATE_Q ? WEIR_SOURCE_Q : WEIR_SOURCE_STATE });
      return;
    }
  weir_context_begin_change (self);
  note_part (self, node, part);
  weir_context_end_change (self);
}

void
weir_context_set_part (WeirContext *self, WeirNode node, WeirStatePart part, const double *values)
{
  put_part (self, node, part, values);
  note_part_change (self, node, part);
}

void
weir_context_set_v_and_z (WeirContext *self, WeirNode node, const double *v, const double *z)
{
  put_part (self, node, WEIR_STATE_V, v);
  put_part (self, node, WEIR_STATE_Z, z);
  if (node.i == 0)
    {
      weir_context_note (self, (WeirSource) { WEIR_SOURCE_VZ });
      return;
    }
  weir_context_begin_change (self);
  note_part (self, node, WEIR_STATE_V);
  note_part (self, node, WEIR_STATE_Z);
  weir_context_end_change (self);
}

void
weir_context_set_time_and_q (WeirContext *self, double time, const double *q)
{
  gboolean same_time = same_bytes (&self->arena[WEIR_ARENA_TIME], &time, 1);

  self->arena[WEIR_ARENA_TIME] = self->now = time;
  put_part (self, WEIR_ROOT, WEIR_STATE_Q, q);
  weir_context_note (self, (WeirSource) { same_time ? WEIR_SOURCE_Q : WEIR_SOURCE_TIME_Q });
}

void
weir_context_note_state_change (WeirContext *self, WeirNode node)
{
  note_part_change (self, node, WEIR_STATE_XC);
}

double *
weir_context_change_state (WeirContext *self, WeirNode node)
{
  weir_context_note_state_change (self, node);
  return self->arena + self->layout->arena.state + self->layout->nodes[node.i].state_offset;
}

/* --- Discrete groups and parameters ---------------------------------------------------------- */

const double *
weir_context_get_discrete (const WeirContext *self, WeirNode node, WeirGroup group)
{
  return self->arena + self->layout->group_slots[self->layout->nodes[node.i].first_group + group.i];
}

void
weir_context_set_discrete (WeirContext *self, WeirNode node, WeirGroup group, const double *value)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];

  memmove (self->arena + self->layout->group_slots[info->first_group + group.i], value,
           weir_shape_group (info->shape, group.i)->size * sizeof *value);
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, group.i));
}

const double *
weir_context_get_parameter (const WeirContext *self, WeirNode node, WeirParameter parameter)
{
  return self->arena
         + self->layout->parameter_slots[self->layout->nodes[node.i].first_parameter + parameter.i];
}

void
weir_context_set_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                            const double *value)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  double *slot = self->arena + self->layout->parameter_slots[info->first_parameter + parameter.i];
  gsize size = weir_shape_parameter (info->shape, parameter.i)->size;

  if (size == 1)
    {
      if (same_bytes (slot, value, 1))
        return;
      *slot = *value;
    }
  else
    memmove (slot, value, size * sizeof *value);
  note (self, weir_layout_parameter_source (self->layout, node.i, parameter.i));
}

double *
weir_context_change_discrete (WeirContext *self, WeirNode node, WeirGroup group)
{
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, group.i));
  return self->arena + self->layout->group_slots[self->layout->nodes[node.i].first_group + group.i];
}

double *
weir_context_change_parameter (WeirContext *self, WeirNode node, WeirParameter parameter)
{
  weir_context_note (self, weir_layout_parameter_source (self->layout, node.i, parameter.i));
  return self->arena
         + self->layout->parameter_slots[self->layout->nodes[node.i].first_parameter + parameter.i];
}

/* --- Abstract values ------------------------------------------------------------------------- */

static gboolean
check_type (const WeirContext *self, WeirNode node, const char *what, const WeirVectorDecl *decl,
            GVariant *value, GError **error)
{
  g_autofree char *path = NULL, *expected = NULL;

  if (decl->type != NULL && g_variant_is_of_type (value, decl->type))
    return TRUE;
  path = weir_layout_dup_path (self->layout, node);
  expected = decl->type == NULL
                 ? g_strdup_printf ("%u numbers", decl->size)
                 : g_strdup_printf ("an abstract value of type \"%.*s\"",
                                    (int) g_variant_type_get_string_length (decl->type),
                                    g_variant_type_peek_string (decl->type));
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
               "%s: %s \"%s\" takes %s, not an abstract value of type \"%s\".",
               *path != '\0' ? path : "the root", what, decl->name, expected,
               g_variant_get_type_string (value));
  return FALSE;
}

GVariant *
weir_context_get_abstract_state (const WeirContext *self, WeirNode node, WeirGroup state)
{
  return weir_context_abstract_at (self, weir_context_get_discrete (self, node, state));
}

gboolean
weir_context_set_abstract_state (WeirContext *self, WeirNode node, WeirGroup state, GVariant *value,
                                 GError **error)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);

  if (!check_type (self, node, "abstract state", weir_shape_group (info->shape, state.i), value,
                   error))
    return FALSE;
  take_abstract (self, self->layout->group_slots[info->first_group + state.i], value);
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, state.i));
  return TRUE;
}

GVariant *
weir_context_get_abstract_parameter (const WeirContext *self, WeirNode node,
                                     WeirParameter parameter)
{
  return weir_context_abstract_at (self, weir_context_get_parameter (self, node, parameter));
}

gboolean
weir_context_set_abstract_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                                     GVariant *value, GError **error)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);

  if (!check_type (self, node, "parameter", weir_shape_parameter (info->shape, parameter.i), value,
                   error))
    return FALSE;
  take_abstract (self, self->layout->parameter_slots[info->first_parameter + parameter.i], value);
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
    self->n_overrides++;
  else if (is_required (self, input))
    self->n_missing--;
}

void
weir_context_fix_input (WeirContext *self, WeirNode node, WeirInput in, const double *value)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];

  mark_fixed (self, node, in);
  memmove (self->arena + self->layout->input_slots[info->first_input + in.i], value,
           weir_shape_input (info->shape, in.i)->size * sizeof *value);
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
}

gboolean
weir_context_fix_abstract_input (WeirContext *self, WeirNode node, WeirInput in, GVariant *value,
                                 GError **error)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  g_autoptr (GVariant) owned = g_variant_ref_sink (value);

  if (!check_type (self, node, "input", weir_shape_input (info->shape, in.i), value, error))
    return FALSE;
  mark_fixed (self, node, in);
  take_abstract (self, self->layout->input_slots[info->first_input + in.i], value);
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
  return TRUE;
}

double *
weir_context_change_input (WeirContext *self, WeirNode node, WeirInput in)
{
  g_return_val_if_fail (weir_context_is_input_fixed (self, node, in), NULL);

  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
  return self->arena + self->layout->input_slots[self->layout->nodes[node.i].first_input + in.i];
}

void
weir_context_unfix_input (WeirContext *self, WeirNode node, WeirInput in)
{
  guint32 input = self->layout->nodes[node.i].first_input + in.i;

  if (!weir_bit (self->fixed, input))
    return;
  weir_bit_clear (self->fixed, input);
  put_input_default (self, node.i, in.i);
  if (is_wired (self, node, in))
    self->n_overrides--;
  else if (is_required (self, input))
    self->n_missing++;
  weir_context_note (self, weir_layout_input_source (self->layout, node.i, in.i));
}

gboolean
weir_context_is_input_fixed (const WeirContext *self, WeirNode node, WeirInput in)
{
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
}

/* --- Many at once ---------------------------------------------------------------------------- */

void
weir_context_reset (WeirContext *self)
{
  put_sources (self);
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ALL });
}

static gboolean
check_same_subtree (const WeirContext *self, WeirNode node, const WeirContext *other,
                    WeirNode other_node, GError **error)
{
  const WeirShape *a = self->layout->nodes[node.i].shape;
  const WeirShape *b = other->layout->nodes[other_node.i].shape;
  g_autofree char *to = NULL, *from = NULL;

  if (memcmp (&a->fingerprint, &b->fingerprint, sizeof a->fingerprint) == 0)
    return TRUE;
  to = weir_layout_dup_path (self->layout, node);
  from = weir_layout_dup_path (other->layout, other_node);
  g_set_error (
      error, WEIR_ERROR, WEIR_ERROR_MISMATCH,
      "The state and parameters of %s (%s) do not fit %s (%s), which is built differently.",
      *from != '\0' ? from : "the other root", b->kind, *to != '\0' ? to : "the root", a->kind);
  return FALSE;
}

static void
copy_value (WeirContext *self, guint32 word, const WeirContext *other, guint32 other_word,
            const WeirVectorDecl *decl)
{
  if (decl->type != NULL)
    take_abstract (self, word, weir_context_abstract_at (other, other->arena + other_word));
  else
    memmove (self->arena + word, other->arena + other_word, decl->size * sizeof (double));
}

/* Copies the states and parameters under a node; without notes. */
static void
copy_subtree (WeirContext *self, guint32 node, const WeirContext *other, guint32 other_node)
{
  const WeirLayout *layout = self->layout, *from = other->layout;
  guint32 n_nodes = weir_layout_subtree_end (layout, node) - node;

  memmove (self->arena + layout->arena.state + layout->nodes[node].state_offset,
           other->arena + from->arena.state + from->nodes[other_node].state_offset,
           layout->nodes[node].n_states * sizeof (double));
  for (guint32 k = 0; k < n_nodes; k++)
    {
      const WeirNodeInfo *a = &layout->nodes[node + k], *b = &from->nodes[other_node + k];

      for (guint g = 0; g < a->shape->groups->len; g++)
        copy_value (self, layout->group_slots[a->first_group + g], other,
                    from->group_slots[b->first_group + g], weir_shape_group (a->shape, g));
      for (guint p = 0; p < a->shape->parameters->len; p++)
        copy_value (self, layout->parameter_slots[a->first_parameter + p], other,
                    from->parameter_slots[b->first_parameter + p],
                    weir_shape_parameter (a->shape, p));
    }
}

gboolean
weir_context_set_state_and_parameters_from (WeirContext *self, WeirNode node,
                                            const WeirContext *other, WeirNode other_node,
                                            GError **error)
{
  if (!check_same_subtree (self, node, other, other_node, error))
    return FALSE;
  copy_subtree (self, node.i, other, other_node.i);
  weir_context_begin_change (self);
  note_part (self, node, WEIR_STATE_XC);
  for (guint32 n = node.i; n < weir_layout_subtree_end (self->layout, node.i); n++)
    {
      const WeirShape *shape = self->layout->nodes[n].shape;

      for (guint g = 0; g < shape->groups->len; g++)
        weir_context_note (self, weir_layout_group_source (self->layout, n, g));
      for (guint p = 0; p < shape->parameters->len; p++)
        weir_context_note (self, weir_layout_parameter_source (self->layout, n, p));
    }
  weir_context_end_change (self);
  return TRUE;
}

gboolean
weir_context_set_time_state_and_parameters_from (WeirContext *self, const WeirContext *other,
                                                 GError **error)
{
  if (!check_same_subtree (self, WEIR_ROOT, other, WEIR_ROOT, error))
    return FALSE;
  copy_subtree (self, 0, other, 0);
  self->arena[WEIR_ARENA_TIME] = self->now = other->arena[WEIR_ARENA_TIME];
  self->arena[WEIR_ARENA_ACCURACY] = other->arena[WEIR_ARENA_ACCURACY];
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ALL });
  return TRUE;
}
