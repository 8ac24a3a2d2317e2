/* Contexts: the arena, its setters and their change events, clones, caching switches. */
#include "system/context-private.h"

#include <stdlib.h>
#include <string.h>

#include "system/eval.h"

/* --- Life -------------------------------------------------------------------------------------- */

static void
bind (WeirContext *self)
{
  const WeirLayout *layout = self->layout;
  guint64 *words = (guint64 *) (void *) self->arena;

  self->stale = words + layout->arena.stale;
  self->disabled = words + layout->arena.disabled;
  self->fixed = words + layout->arena.fixed_bits;
  self->calc_steps = words + layout->arena.calc_steps;
  self->off_steps = words + layout->arena.off_steps;
  self->entry_off = words + layout->arena.entry_off;
  self->reads = words + layout->arena.reads;
  self->segment_ns = words + layout->arena.segment_ns;
  self->segment_timed = words + layout->arena.segment_timed;
  self->source_events = words + layout->arena.source_events;
  self->n_events = words + WEIR_ARENA_N_EVENTS;
  self->x = self->arena + layout->arena.state;
  self->now = self->arena[WEIR_ARENA_TIME];
}

/* Keeps the inline part of evaluation to what it can answer: with caching off, for an entry or as a
 * whole, and in a frozen context, every request is a call. */
static void
present_front (WeirContext *self)
{
  const WeirLayout *layout = self->layout;
  gboolean is_usual = self->caching && !self->frozen && self->n_disabled == 0;

  if (!is_usual && self->ones == NULL)
    {
      self->ones = g_new (guint64, MAX (layout->n_words, 1));
      memset (self->ones, 0xff, layout->n_words * sizeof (guint64));
    }
  self->front = (WeirContextFront) {
    .layout = layout,
    .arena = self->arena,
    .word_offset = layout->word_offset,
    .must_ask = is_usual ? self->stale : self->ones,
    .reads = self->reads,
  };
}

/* Everything but the contents of the arena. */
static WeirContext *
allocate (WeirLayout *layout)
{
  WeirContext *self = g_new0 (WeirContext, 1);
  gsize bytes = (gsize) layout->arena.size * sizeof (double);

  self->layout = weir_layout_ref (layout);
  self->arena = aligned_alloc (64, bytes);
  if (self->arena == NULL)
    g_error ("No memory for a context of %" G_GSIZE_FORMAT " bytes.", bytes);
  self->abstract = g_new0 (GVariant *, MAX (layout->abstract_words->len, 1));
  self->caching = TRUE;
  self->scratch = g_new0 (guint64, MAX (layout->n_words, 1));
  self->need = g_new0 (guint64, MAX (layout->n_words, 1));
  self->busy = g_new0 (guint64, MAX (layout->n_words, 1));
  return self;
}

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

static void
put_defaults (WeirContext *self)
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

/* The words of abstract values never change: each holds its place in the table. */
static void
number_abstract (WeirContext *self)
{
  const GArray *words = self->layout->abstract_words;

  for (guint i = 0; i < words->len; i++)
    ((guint64 *) (void *) self->arena)[g_array_index (words, guint32, i)] = i;
}

WeirContext *
weir_context_new (WeirLayout *layout)
{
  WeirContext *self = allocate (layout);
  WeirFingerprint fingerprint = weir_layout_get_fingerprint (layout);

  memset (self->arena, 0, (gsize) layout->arena.size * sizeof (double));
  bind (self);
  number_abstract (self);
  memcpy (&self->arena[WEIR_ARENA_FINGERPRINT_LOW], &fingerprint, sizeof fingerprint);
  put_defaults (self);
  for (guint32 n = 0; n < layout->n_nodes; n++)
    for (guint i = 0; i < layout->nodes[n].shape->inputs->len; i++)
      put_input_default (self, n, i);
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_layout_decl (layout, e)->starts_disabled)
      weir_context_set_entry_caching (self, (WeirEntry) { e }, FALSE);
  self->n_missing = layout->required->len;
  weir_context_set_all_out_of_date (self);
  present_front (self);
  return self;
}

void
weir_context_free (WeirContext *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->layout->abstract_words->len; i++)
    g_clear_pointer (&self->abstract[i], g_variant_unref);
  g_free (self->abstract);
  free (self->arena);
  g_free (self->scratch);
  g_free (self->ones);
  g_free (self->streams);
  g_free (self->busy);
  g_free (self->need);
  g_free (self->failure);
  weir_layout_unref (self->layout);
  g_free (self);
}

WeirContext *
weir_context_clone (const WeirContext *self)
{
  WeirContext *clone = allocate (self->layout);

  memcpy (clone->arena, self->arena, (gsize) self->layout->arena.size * sizeof (double));
  for (guint i = 0; i < self->layout->abstract_words->len; i++)
    if (self->abstract[i] != NULL)
      clone->abstract[i] = g_variant_ref (self->abstract[i]);
  bind (clone);
  clone->caching = self->caching;
  clone->frozen = self->frozen;
  clone->pull_only = self->pull_only;
  clone->n_disabled = self->n_disabled;
  clone->n_overrides = self->n_overrides;
  clone->n_missing = self->n_missing;
  present_front (clone);
  return clone;
}

WeirLayout *
weir_context_get_layout (const WeirContext *self)
{
  return self->layout;
}

void
weir_context_set_failure (WeirContext *self, const char *format, ...)
{
  va_list arguments;

  g_free (self->failure);
  va_start (arguments, format);
  self->failure = g_strdup_vprintf (format, arguments);
  va_end (arguments);
}

const char *
weir_context_get_failure (const WeirContext *self)
{
  return self->failure;
}

/* --- Sources ----------------------------------------------------------------------------------- */

void
weir_context_note (WeirContext *self, WeirSource source)
{
  (*self->n_events)++;
  self->source_events[source.i]++;
  weir_masks_mark (self->layout->masks, source.i, self->stale, self->scratch);
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
  weir_context_note (self,
                     (WeirSource) { same_time ? WEIR_SOURCE_STATE : WEIR_SOURCE_TIME_STATE });
}

void
weir_context_set_leaf_state (WeirContext *self, WeirNode node, const double *x)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];

  g_return_if_fail (info->shape->initial_state != NULL);

  memmove (self->arena + self->layout->arena.state + info->state_offset, x,
           info->n_states * sizeof *x);
  weir_context_note (self, weir_layout_state_source (self->layout, node.i, WEIR_ORIGIN_XC));
}

const double *
weir_context_get_discrete (const WeirContext *self, WeirNode node, WeirGroup group)
{
  return self->arena
         + self->layout->group_slots[self->layout->nodes[node.i].first_group + group.i];
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
         + self->layout
               ->parameter_slots[self->layout->nodes[node.i].first_parameter + parameter.i];
}

void
weir_context_set_parameter (WeirContext *self, WeirNode node, WeirParameter parameter,
                            const double *value)
{
  const WeirNodeInfo *info = &self->layout->nodes[node.i];
  double *slot
      = self->arena + self->layout->parameter_slots[info->first_parameter + parameter.i];
  gsize size = weir_shape_parameter (info->shape, parameter.i)->size;

  if (size == 1)
    {
      if (same_bytes (slot, value, 1))
        return;
      *slot = *value;
    }
  else
    memmove (slot, value, size * sizeof *value);
  weir_context_note (self, weir_layout_parameter_source (self->layout, node.i, parameter.i));
}

/* --- Abstract values --------------------------------------------------------------------------- */

static gboolean
check_type (const WeirContext *self, WeirNode node, const char *what, const WeirVectorDecl *decl,
            GVariant *value, GError **error)
{
  g_autofree char *path = NULL, *expected = NULL;

  if (decl->type != NULL && g_variant_is_of_type (value, decl->type))
    return TRUE;
  path = weir_layout_dup_path (self->layout, node);
  expected = decl->type == NULL ? g_strdup_printf ("%u numbers", decl->size)
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

  if (!check_type (self, node, "abstract state", weir_shape_group (info->shape, state.i), value, error))
    return FALSE;
  take_abstract (self, self->layout->group_slots[info->first_group + state.i], value);
  weir_context_note (self, weir_layout_group_source (self->layout, node.i, state.i));
  return TRUE;
}

GVariant *
weir_context_get_abstract_parameter (const WeirContext *self, WeirNode node, WeirParameter parameter)
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

/* --- Fixed inputs ------------------------------------------------------------------------------ */

static gboolean
is_wired (const WeirContext *self, WeirNode node, WeirInput in)
{
  WeirOrigin origin
      = self->layout->inputs[self->layout->nodes[node.i].first_input + in.i];

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
weir_context_reset (WeirContext *self)
{
  put_defaults (self);
  weir_context_note (self, (WeirSource) { WEIR_SOURCE_ALL });
}

/* --- Caching ----------------------------------------------------------------------------------- */

void
weir_context_set_caching (WeirContext *self, gboolean enabled)
{
  self->caching = enabled;
  present_front (self);
}

gboolean
weir_context_get_caching (const WeirContext *self)
{
  return self->caching;
}

void
weir_context_set_entry_caching (WeirContext *self, WeirEntry entry, gboolean enabled)
{
  if (weir_context_get_entry_caching (self, entry) == enabled)
    return;
  if (enabled)
    {
      weir_bit_clear (self->disabled, entry.i);
      self->n_disabled--;
    }
  else
    {
      weir_bit_set (self->disabled, entry.i);
      self->n_disabled++;
    }
  present_front (self);
}

gboolean
weir_context_get_entry_caching (const WeirContext *self, WeirEntry entry)
{
  return !weir_bit (self->disabled, entry.i);
}

void
weir_context_set_all_out_of_date (WeirContext *self)
{
  const WeirLayout *layout = self->layout;

  if (layout->n_words == 0)
    return;
  memset (self->stale, 0xff, layout->n_words * sizeof (guint64));
  if (layout->n_entries % 64 != 0) /* no entries there: their bits stay clear */
    self->stale[layout->n_words - 1] = (G_GUINT64_CONSTANT (1) << (layout->n_entries % 64)) - 1;
}

gboolean
weir_context_is_up_to_date (const WeirContext *self, WeirEntry entry)
{
  return !weir_bit (self->stale, entry.i);
}

void
weir_context_set_frozen (WeirContext *self, gboolean frozen)
{
  self->frozen = frozen;
  present_front (self);
}

void
weir_context_set_pull_only (WeirContext *self, gboolean pull_only)
{
  self->pull_only = pull_only;
}

const double *
weir_context_peek (const WeirContext *self, WeirEntry entry)
{
  return self->arena + self->layout->value_offset[entry.i];
}

GVariant *
weir_context_peek_abstract (const WeirContext *self, WeirEntry entry)
{
  return weir_context_abstract_at (self, weir_context_peek (self, entry));
}

const guint64 *
weir_context_get_flags (const WeirContext *self, gsize *n_words)
{
  *n_words = self->layout->n_words;
  return self->stale;
}
