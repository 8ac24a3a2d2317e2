/* Fixes of parts whose text is another by now: at all blocks of the part, on all levels. */
#include "canvas/edits/fixes-private.h"

#include <string.h>

#include "blocks/library/registry.h"
#include "model/tree/file-names.h"
#include "model/tree/part-records.h"

/* The blocks of a type are to be others. */
typedef struct {
  const char *type;
  const char *new_type;          /* or NULL */
  const char *parameter, *value; /* where they do not give it; or NULL */
  GArray *place;                 /* of guint32: of the diagram at hand */
  WeirEdit *edit;
} Changing;

static gboolean
change (WeirBlock *block, gpointer data)
{
  const Changing *c = data;
  g_autoptr (WeirBlock) changed = NULL;
  guint32 id = weir_block_get_id (block);

  if (g_str_equal (weir_block_get_type_name (block), c->type))
    {
      if (c->new_type != NULL)
        changed = weir_block_with_type (block, c->new_type);
      else if (weir_block_get_parameter (block, c->parameter) == NULL)
        changed = weir_block_with_parameter (block, c->parameter, c->value);
      if (changed != NULL)
        weir_patch_set_block (
            c->edit->patch,
            (WeirPlace) { (const guint32 *) (gpointer) c->place->data, c->place->len }, changed);
    }
  if (weir_block_get_diagram (block) != NULL)
    {
      g_array_append_val (c->place, id);
      weir_diagram_foreach_block (weir_block_get_diagram (block), change, data);
      g_array_set_size (c->place, c->place->len - 1);
    }
  return TRUE;
}

static void
change_all (WeirModel *model, Changing *c)
{
  c->place = g_array_new (FALSE, FALSE, sizeof (guint32));
  weir_diagram_foreach_block (weir_model_get_root (model), change, c);
  g_array_unref (c->place);
}

static void
take_part (WeirModel *model, const char *type, WeirEdit *edit)
{
  g_autofree char *name = g_strndup (type, strcspn (type, ":"));
  const char *present = weir_part_name_resolve (name, weir_model_get_folder (model));

  if (strchr (present, ':') == NULL || g_str_equal (present, type))
    return;
  change_all (model, &(Changing) { .type = type, .new_type = present, .edit = edit });
  if (weir_metadata_get_text (weir_model_get_metadata (model), type, weir_key_part) != NULL)
    weir_patch_set_metadata (edit->patch, type, weir_key_part, NULL);
}

static void
keep_values (WeirModel *model, const char *type, const char *parameter, WeirEdit *edit)
{
  const WeirParameterSpec *spec = weir_block_type_find_parameter (weir_registry_find (type),
                                                                  parameter);
  const char *record = weir_metadata_get_text (weir_model_get_metadata (model), type,
                                               weir_key_part);
  g_autofree char *was = spec != NULL && record != NULL
                             ? weir_part_record_dup_default (record, spec)
                             : NULL;

  if (was != NULL)
    change_all (model,
                &(Changing) { .type = type, .parameter = parameter, .value = was, .edit = edit });
}

WeirEdit *
weir_fix_make_of_part (WeirModel *model, const WeirDiagnostic *diagnostic, WeirFix fix)
{
  WeirBlock *block = diagnostic->block != 0 ? weir_model_find_block (model, diagnostic->block, NULL)
                                            : NULL;
  const char *type = block != NULL ? weir_block_get_type_name (block) : diagnostic->subject;
  WeirEdit *edit = weir_edit_new (NULL);

  if (type == NULL || (block == NULL && fix != WEIR_FIX_TAKE_PART))
    return edit;
  if (fix == WEIR_FIX_TAKE_PART)
    take_part (model, type, edit);
  else if (fix == WEIR_FIX_KEEP_VALUES)
    keep_values (model, type, diagnostic->subject, edit);
  else if (weir_metadata_get_text (weir_model_get_metadata (model), type, weir_key_part) != NULL)
    weir_patch_set_metadata (edit->patch, type, weir_key_part, NULL);
  return edit;
}
