/* Making patches: lists of changes, each with the place that it is about. See patch-apply.c for
 * what becomes of them. */
#include "model/tree/model-private.h"

#include <string.h>

static void
change_clear (gpointer data)
{
  WeirChange *change = data;

  if (change->element != NULL)
    switch (change->element_kind)
      {
      case WEIR_ELEMENT_BLOCK:
        weir_block_unref (change->element);
        break;
      case WEIR_ELEMENT_WIRE:
        weir_wire_unref (change->element);
        break;
      case WEIR_ELEMENT_NOTE:
        weir_note_unref (change->element);
        break;
      default:
        g_assert_not_reached ();
      }
  g_free (change->place_ids);
  g_free (change->name);
  g_free (change->text);
  g_free (change->of);
}

WeirPatch *
weir_patch_new (void)
{
  WeirPatch *self = g_new (WeirPatch, 1);

  self->changes = g_array_new (FALSE, TRUE, sizeof (WeirChange));
  g_array_set_clear_func (self->changes, change_clear);
  return self;
}

void
weir_patch_free (WeirPatch *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->changes);
  g_free (self);
}

gboolean
weir_patch_is_empty (const WeirPatch *self)
{
  g_return_val_if_fail (self != NULL, TRUE);

  return self->changes->len == 0;
}

/* @element: taken over. */
static void
add_element_change (WeirPatch *self, WeirElementKind kind, WeirPlace place, guint32 id,
                    gpointer element)
{
  WeirChange change = { .kind = element != NULL ? WEIR_CHANGE_SET : WEIR_CHANGE_REMOVE,
                        .element_kind = kind,
                        .place_ids = g_memdup2 (place.ids, place.n_ids * sizeof (guint32)),
                        .n_place_ids = place.n_ids,
                        .id = id,
                        .element = element };

  g_array_append_val (self->changes, change);
}

void
weir_patch_set_block (WeirPatch *self, WeirPlace place, WeirBlock *block)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (block != NULL);

  add_element_change (self, WEIR_ELEMENT_BLOCK, place, block->id, weir_block_ref (block));
}

void
weir_patch_set_wire (WeirPatch *self, WeirPlace place, WeirWire *wire)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (wire != NULL);

  add_element_change (self, WEIR_ELEMENT_WIRE, place, weir_wire_get_id (wire),
                      weir_wire_ref (wire));
}

void
weir_patch_set_note (WeirPatch *self, WeirPlace place, WeirNote *note)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (note != NULL);

  add_element_change (self, WEIR_ELEMENT_NOTE, place, weir_note_get_id (note),
                      weir_note_ref (note));
}

void
weir_patch_remove_block (WeirPatch *self, WeirPlace place, guint32 id)
{
  g_return_if_fail (self != NULL);

  add_element_change (self, WEIR_ELEMENT_BLOCK, place, id, NULL);
}

void
weir_patch_remove_wire (WeirPatch *self, WeirPlace place, guint32 id)
{
  g_return_if_fail (self != NULL);

  add_element_change (self, WEIR_ELEMENT_WIRE, place, id, NULL);
}

void
weir_patch_remove_note (WeirPatch *self, WeirPlace place, guint32 id)
{
  g_return_if_fail (self != NULL);

  add_element_change (self, WEIR_ELEMENT_NOTE, place, id, NULL);
}

static void
add_pair_change (WeirPatch *self, WeirChangeKind kind, const char *name, const char *text)
{
  WeirChange change = { .kind = kind };

  g_return_if_fail (self != NULL);
  g_return_if_fail (name != NULL);

  change.name = g_strdup (name);
  change.text = g_strdup (text);
  g_array_append_val (self->changes, change);
}

void
weir_patch_set_setting (WeirPatch *self, const char *name, const char *text)
{
  add_pair_change (self, WEIR_CHANGE_SETTING, name, text);
}

void
weir_patch_set_title (WeirPatch *self, const char *title)
{
  WeirChange change = { .kind = WEIR_CHANGE_TITLE, .text = g_strdup (title) };

  g_return_if_fail (self != NULL);

  g_array_append_val (self->changes, change);
}

void
weir_patch_set_metadata (WeirPatch *self, const char *of, WeirMetadataKey key, const char *text)
{
  WeirChange change = { .kind = WEIR_CHANGE_METADATA,
                        .name = g_strdup (key.name),
                        .text = g_strdup (text),
                        .of = g_strdup (of),
                        .type = key.type };

  g_return_if_fail (self != NULL);
  g_return_if_fail (key.name != NULL);

  g_array_append_val (self->changes, change);
}

void
weir_patch_set_variable (WeirPatch *self, const char *name, const char *text)
{
  add_pair_change (self, WEIR_CHANGE_VARIABLE, name, text);
}

void
weir_patch_set_assertion (WeirPatch *self, const char *sentence, const char *reason)
{
  add_pair_change (self, WEIR_CHANGE_ASSERTION, sentence, reason);
}

void
weir_patch_set_plot (WeirPatch *self, const char *name, const char *text)
{
  add_pair_change (self, WEIR_CHANGE_PLOT, name, text);
}

typedef struct {
  WeirPatch *patch;
  WeirPlace place;
  guint32 block;
  gboolean at_start, at_end; /* which ends of wires are at it; of lines either may be */
  const char *old_name, *new_name;
} Rename;

static gboolean
rename_end (const Rename *rename, WeirWireEnd *end)
{
  if (end->block != rename->block || strcmp (end->port, rename->old_name) != 0)
    return FALSE;
  end->port = rename->new_name;
  return TRUE;
}

static gboolean
re_end_wire (WeirWire *wire, gpointer data)
{
  const Rename *rename = data;
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  gboolean at_start = rename->at_start && rename_end (rename, &from);
  gboolean at_end = rename->at_end && rename_end (rename, &to);
  g_autoptr (WeirWire) changed = NULL;

  if (!at_start && !at_end)
    return TRUE;
  changed = weir_wire_with_ends (wire, from, to);
  weir_patch_set_wire (rename->patch, rename->place, changed);
  return TRUE;
}

gboolean
weir_patch_rename_block (WeirPatch *self, const WeirModel *model, WeirPlace place, guint32 id,
                         const char *name)
{
  const WeirDiagram *diagram;
  const WeirBlock *block;
  g_autoptr (WeirBlock) renamed = NULL;
  gboolean is_in, is_out, is_pin;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (model != NULL, FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  diagram = weir_model_get_diagram (model, place);
  block = diagram != NULL ? weir_diagram_find_block (diagram, id) : NULL;
  if (block == NULL)
    return FALSE;
  renamed = weir_block_with_name (block, name);
  weir_patch_set_block (self, place, renamed);

  is_in = weir_block_is_type (block, WEIR_TYPE_NAME_IN);
  is_out = weir_block_is_type (block, WEIR_TYPE_NAME_OUT);
  is_pin = weir_block_is_type (block, WEIR_TYPE_NAME_PIN);
  if (place.n_ids > 0 && (is_in || is_out || is_pin))
    {
      WeirPlace outside = { place.ids, place.n_ids - 1 };
      Rename rename = { .patch = self,
                        .place = outside,
                        .block = place.ids[place.n_ids - 1],
                        .at_start = is_out || is_pin,
                        .at_end = is_in || is_pin,
                        .old_name = block->name,
                        .new_name = name };

      weir_diagram_foreach_wire_at (weir_model_get_diagram (model, outside), rename.block,
                                    re_end_wire, &rename);
    }
  return TRUE;
}
