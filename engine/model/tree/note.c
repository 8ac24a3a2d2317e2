/* Notes and frames, and the colours that elements are given. */
#include "model/tree/model-private.h"
#include "base/sync.h"

static const char *const tint_names[WEIR_N_TINTS] = { "none",  "red",  "orange", "yellow",
                                                      "green", "blue", "purple", "grey" };

struct _WeirNote {
  gatomicrefcount ref_count;
  guint32 id;
  WeirTint tint;
  WeirPoint position, size;
  GRefString *text;
};

const char *
weir_tint_get_name (WeirTint tint)
{
  g_return_val_if_fail (tint < WEIR_N_TINTS, NULL);

  return tint_names[tint];
}

WeirTint
weir_tint_find (const char *name)
{
  for (int i = 0; name != NULL && i < WEIR_N_TINTS; i++)
    if (g_str_equal (tint_names[i], name))
      return (WeirTint) i;
  return WEIR_TINT_NONE;
}

WeirNote *
weir_note_new (guint32 id, WeirPoint position, const char *text)
{
  WeirNote *self;

  g_return_val_if_fail (text != NULL, NULL);

  self = g_new0 (WeirNote, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->id = id;
  self->position = position;
  self->text = g_ref_string_new (text);
  return self;
}

WeirNote *
weir_note_ref (WeirNote *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_note_unref (WeirNote *self)
{
  g_return_if_fail (self != NULL);

  if (!weir_sync_drop (self, &self->ref_count))
    return;
  g_ref_string_release (self->text);
  g_free (self);
}

guint32
weir_note_get_id (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->id;
}

WeirPoint
weir_note_get_position (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, ((WeirPoint) { 0, 0 }));

  return self->position;
}

const char *
weir_note_get_text (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

WeirPoint
weir_note_get_size (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, ((WeirPoint) { 0, 0 }));

  return self->size;
}

WeirTint
weir_note_get_tint (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, WEIR_TINT_NONE);

  return self->tint;
}

gboolean
weir_note_is_frame (const WeirNote *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->size.x > 0 && self->size.y > 0;
}

/* A copy that nobody else sees yet. The count is left alone: other threads may be changing it. */
static WeirNote *
note_copy (const WeirNote *self)
{
  WeirNote *copy = g_new (WeirNote, 1);

  *copy = (WeirNote) { .id = self->id,
                       .tint = self->tint,
                       .position = self->position,
                       .size = self->size,
                       .text = self->text };
  g_atomic_ref_count_init (&copy->ref_count);
  g_ref_string_acquire (copy->text);
  return copy;
}

WeirNote *
weir_note_with_id (const WeirNote *self, guint32 id)
{
  WeirNote *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = note_copy (self);
  copy->id = id;
  return copy;
}

WeirNote *
weir_note_with_position (const WeirNote *self, WeirPoint position)
{
  WeirNote *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = note_copy (self);
  copy->position = position;
  return copy;
}

WeirNote *
weir_note_with_size (const WeirNote *self, WeirPoint size)
{
  WeirNote *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = note_copy (self);
  copy->size = size;
  return copy;
}

WeirNote *
weir_note_with_text (const WeirNote *self, const char *text)
{
  WeirNote *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (text != NULL, NULL);

  copy = note_copy (self);
  g_ref_string_release (copy->text);
  copy->text = g_ref_string_new (text);
  return copy;
}

WeirNote *
weir_note_with_tint (const WeirNote *self, WeirTint tint)
{
  WeirNote *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (tint < WEIR_N_TINTS, NULL);

  copy = note_copy (self);
  copy->tint = tint;
  return copy;
}
