/* Contexts: the arena, clones, switches of the whole. What sets sources is in context-sources.c,
 * what concerns one entry in context-values.c. */
#include "native/native.h"
#include "system/context/context-private.h"
#include "system/context/inspection.h"

#include <stdlib.h>
#include <string.h>

/* --- Life ------------------------------------------------------------------------------------ */

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
  self->joint_steps = words + layout->arena.joint_steps;
  self->source_events = words + layout->arena.source_events;
  self->source_last = words + layout->arena.source_last;
  self->rewrites = words + layout->arena.rewrites;
  self->n_events = words + WEIR_ARENA_N_EVENTS;
  self->x = self->arena + layout->arena.state;
  self->now = self->arena[WEIR_ARENA_TIME];
}

#define ALIGNMENT 64 /* bytes */

/* Everything but the contents of the arena, which are zeros if asked for: those of a large one
 * come from the system, which has no memory for them until something is written there. */
static WeirContext *
allocate (WeirLayout *layout, gboolean is_zero)
{
  WeirContext *self = g_new0 (WeirContext, 1);
  gsize bytes = (gsize) layout->arena.size * sizeof (double), room = bytes + ALIGNMENT - 1;

  self->layout = weir_layout_ref (layout);
  self->memory = is_zero ? calloc (1, room) : malloc (room);
  if (self->memory == NULL)
    g_error ("No memory for a context of %" G_GSIZE_FORMAT " bytes.", bytes);
  self->arena = (double *) (((guintptr) self->memory + ALIGNMENT - 1)
                            & ~(guintptr) (ALIGNMENT - 1));
  self->abstract = g_new0 (GVariant *, MAX (layout->abstract_slots->len, 1));
  self->modes = WEIR_MODE_TIMES | (weir_native_is_on () ? 0 : WEIR_MODE_INTERPRETS);
  self->scratch = g_new0 (guint64, MAX (layout->n_words, 1));
  self->need = g_new0 (guint64, MAX (layout->n_words, 1));
  self->calling = g_array_set_size (g_array_new (FALSE, FALSE, sizeof (guint32)), 16);
  self->spare = g_ptr_array_new_with_free_func (g_free);
  self->busy = g_new0 (guint64, MAX (layout->n_words, 1));
  return self;
}

void
weir_context_number_abstract (WeirContext *self)
{
  const GArray *slots = self->layout->abstract_slots;

  for (guint i = 0; i < slots->len; i++)
    ((guint64 *) (void *) self->arena)[g_array_index (slots, WeirAbstractSlot, i).word] = i;
}

WeirContext *
weir_context_new (WeirLayout *layout)
{
  WeirContext *self = allocate (layout, TRUE);
  WeirFingerprint fingerprint = weir_layout_get_fingerprint (layout);

  bind (self);
  weir_context_number_abstract (self);
  memcpy (&self->arena[WEIR_ARENA_FINGERPRINT_LOW], &fingerprint, sizeof fingerprint);
  weir_context_put_defaults (self);
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_layout_decl (layout, e)->starts_disabled)
      weir_context_set_entry_caching (self, (WeirEntry) { e }, FALSE);
  self->n_missing = layout->required->len;
  weir_context_set_mode (self, WEIR_MODE_MISSING, self->n_missing > 0);
  weir_context_set_all_out_of_date (self);
  return self;
}

void
weir_context_free (WeirContext *self)
{
  if (self == NULL)
    return;
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->end (self);
  if (weir_context_is (self, WEIR_MODE_WATCHED))
    self->watcher->end (self);
  for (guint i = 0; i < self->layout->abstract_slots->len; i++)
    g_clear_pointer (&self->abstract[i], g_variant_unref);
  g_free (self->abstract);
  free (self->memory);
  g_free (self->scratch);
  g_free (self->forgotten);
  weir_crew_free (self->crew);
  g_free (self->streams);
  g_free (self->gathered);
  g_free (self->busy);
  g_free (self->need);
  g_ptr_array_unref (self->spare);
  g_array_unref (self->calling);
  g_free (self->held_entries);
  g_free (self->joint);
  weir_message_unref (self->failure);
  weir_layout_unref (self->layout);
  g_free (self);
}

WeirContext *
weir_context_clone (const WeirContext *self)
{
  WeirContext *clone;

  g_return_val_if_fail (self->open_changes == 0, NULL); /* half a change event has no meaning */

  clone = allocate (self->layout, FALSE);
  memcpy (clone->arena, self->arena, (gsize) self->layout->arena.size * sizeof (double));
  for (guint i = 0; i < self->layout->abstract_slots->len; i++)
    if (self->abstract[i] != NULL)
      clone->abstract[i] = g_variant_ref (self->abstract[i]);
  bind (clone);
  clone->modes |= self->modes & WEIR_MODES_OF_CLONES;
  clone->n_disabled = self->n_disabled;
  clone->n_overrides = self->n_overrides;
  clone->n_missing = self->n_missing;
  return clone;
}

void
weir_context_set_cancel (WeirContext *self, const gint *cancel)
{
  self->cancel = cancel;
}

WeirLayout *
weir_context_get_layout (const WeirContext *self)
{
  return self->layout;
}

/* --- Caching --------------------------------------------------------------------------------- */

void
weir_context_set_caching (WeirContext *self, gboolean enabled)
{
  if (weir_context_is (self, WEIR_MODE_LOGGED))
    self->logger->note_caching (self, enabled);
  weir_context_set_mode (self, WEIR_MODE_UNCACHED, !enabled);
}

gboolean
weir_context_get_caching (const WeirContext *self)
{
  return !weir_context_is (self, WEIR_MODE_UNCACHED);
}

void
weir_context_set_forgotten (WeirContext *self, const guint64 *bits)
{
  g_clear_pointer (&self->forgotten, g_free);
  if (bits != NULL)
    self->forgotten = g_memdup2 (bits, self->layout->n_words * sizeof *bits);
  weir_context_set_mode (self, WEIR_MODE_FORGETS, bits != NULL);
}

void
weir_context_set_frozen (WeirContext *self, gboolean frozen)
{
  weir_context_set_mode (self, WEIR_MODE_FROZEN, frozen);
}

gboolean
weir_context_get_frozen (const WeirContext *self)
{
  return weir_context_is (self, WEIR_MODE_FROZEN);
}

void
weir_context_set_pull_only (WeirContext *self, gboolean pull_only)
{
  weir_context_set_mode (self, WEIR_MODE_PULLS, pull_only);
}

void
weir_context_set_interpreted (WeirContext *self, gboolean interpreted)
{
  weir_context_set_mode (self, WEIR_MODE_INTERPRETS, interpreted || !weir_native_is_on ());
}

const guint64 *
weir_context_get_flags (const WeirContext *self, gsize *n_words)
{
  *n_words = self->layout->n_words;
  return self->stale;
}
