/* Names of files as seen from folders. See file-names.h. */
#include "model/tree/file-names.h"

#include <string.h>

#include "model/tree/derived.h"
#include "model/tree/model-private.h"

/* --- Names ----------------------------------------------------------------------------------- */

/* How many bytes of two absolute paths without dots are folders that both lie in. */
static gsize
get_shared_length (const char *a, const char *b)
{
  gsize shared = 0, i;

  for (i = 0; a[i] != '\0' && a[i] == b[i]; i++)
    if (a[i] == '/')
      shared = i + 1;
  return b[i] == '\0' && a[i] == '/' ? i + 1 : shared;
}

/* (transfer full) */
static char *
relate (const char *path, const char *folder)
{
  gsize shared = get_shared_length (path, folder);
  g_autoptr (GString) name = NULL;

  if (shared <= 1)
    return g_strdup (path);
  name = g_string_new (NULL);
  if (shared <= strlen (folder))
    {
      g_string_append (name, "../");
      for (const char *c = folder + shared; *c != '\0'; c++)
        if (*c == '/')
          g_string_append (name, "../");
    }
  g_string_append (name, path + shared);
  return g_strdup (name->str);
}

char *
weir_file_name_move (const char *name, const char *from, const char *to)
{
  g_autofree char *path = NULL, *folder = NULL;

  if (*name == '\0' || g_path_is_absolute (name))
    return g_strdup (name);
  path = g_canonicalize_filename (name, from);
  if (to == NULL)
    return g_steal_pointer (&path);
  folder = g_canonicalize_filename (to, NULL);
  return relate (path, folder);
}

char *
weir_file_name_shorten (const char *name, const char *folder)
{
  g_autofree char *path = NULL, *canonical = NULL;
  gsize length;

  if (folder == NULL || !g_path_is_absolute (name))
    return g_strdup (name);
  path = g_canonicalize_filename (name, NULL);
  canonical = g_canonicalize_filename (folder, NULL);
  length = strlen (canonical);
  return g_str_has_prefix (path, canonical) && path[length] == '/' ? g_strdup (path + length + 1)
                                                                   : g_strdup (name);
}

char *
weir_file_dup_folder (GFile *file)
{
  g_autoptr (GFile) parent = file != NULL ? g_file_get_parent (file) : NULL;

  return parent != NULL ? g_file_get_path (parent) : NULL;
}

/* --- Diagrams -------------------------------------------------------------------------------- */

typedef struct {
  const char *from, *to;
  gboolean is_shortened; /* or moved */
  WeirDiagram *result;   /* NULL while nothing has changed */
} Renaming;

static WeirDiagram *rename_in_diagram (const WeirDiagram *self, const Renaming *renaming);

static char *
dup_new_name (const Renaming *self, const char *name)
{
  return self->is_shortened ? weir_file_name_shorten (name, self->to)
                            : weir_file_name_move (name, self->from, self->to);
}

/* NULL: as it is. (transfer full) */
static WeirBlock *
rename_in_block (const WeirBlock *self, const Renaming *renaming)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (self));
  WeirBlock *result = NULL;

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    {
      const WeirParameterSpec *spec = &type->parameters[i];
      const char *name = spec->is_file ? weir_block_get_parameter (self, spec->name) : NULL;
      g_autofree char *renamed = name != NULL ? dup_new_name (renaming, name) : NULL;
      WeirBlock *with;

      if (name == NULL || strcmp (name, renamed) == 0)
        continue;
      with = weir_block_with_parameter (result != NULL ? result : self, spec->name, renamed);
      g_clear_pointer (&result, weir_block_unref);
      result = with;
    }
  if (self->diagram != NULL)
    {
      g_autoptr (WeirDiagram) inner = rename_in_diagram (self->diagram, renaming);

      if (inner != NULL)
        {
          WeirBlock *with = weir_block_with_diagram (result != NULL ? result : self, inner);

          g_clear_pointer (&result, weir_block_unref);
          result = with;
        }
    }
  return result;
}

static gboolean
rename_one (WeirBlock *block, gpointer data)
{
  Renaming *renaming = data;
  g_autoptr (WeirBlock) renamed = rename_in_block (block, renaming);

  if (renamed == NULL)
    return TRUE;
  weir_diagram_drop (renaming->result, WEIR_ELEMENT_BLOCK, weir_block_get_id (block));
  weir_diagram_put_block (renaming->result, renamed);
  return TRUE;
}

/* Does a block of it, or within, name a file? Most models have none, and are not copied. */
static gboolean
look_for_names (WeirBlock *block, gpointer found)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  for (guint i = 0; type != NULL && i < type->n_parameters; i++)
    if (type->parameters[i].is_file)
      *(gboolean *) found = TRUE;
  if (block->diagram != NULL)
    weir_diagram_foreach_block (block->diagram, look_for_names, found);
  return !*(gboolean *) found;
}

/* NULL: as it is. (transfer full) */
static WeirDiagram *
rename_in_diagram (const WeirDiagram *self, const Renaming *renaming)
{
  gboolean is_any = FALSE;
  Renaming inner = *renaming;

  weir_diagram_foreach_block (self, look_for_names, &is_any);
  if (!is_any)
    return NULL;
  inner.result = weir_diagram_copy (self);
  weir_diagram_foreach_block (self, rename_one, &inner);
  return inner.result;
}

static WeirDiagram *
rename_all (WeirDiagram *self, const Renaming *renaming)
{
  WeirDiagram *result = rename_in_diagram (self, renaming);

  return result != NULL ? result : weir_diagram_ref (self);
}

WeirDiagram *
weir_diagram_lengthen_file_names (WeirDiagram *self, const char *folder)
{
  g_return_val_if_fail (self != NULL, NULL);

  return rename_all (self, &(Renaming) { .from = folder });
}

WeirDiagram *
weir_diagram_shorten_file_names (WeirDiagram *self, const char *folder)
{
  g_return_val_if_fail (self != NULL, NULL);

  return rename_all (self, &(Renaming) { .to = folder, .is_shortened = TRUE });
}

/* --- Models ---------------------------------------------------------------------------------- */

const char *
weir_model_get_folder (const WeirModel *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->head.folder;
}

/* @root in place of that of @model, in @folder. (transfer full) */
static WeirModel *
make_in_folder (WeirModel *model, WeirDiagram *root, const char *folder)
{
  WeirHead head = weir_head_copy (&model->head);
  WeirModel *result;

  g_clear_pointer (&head.folder, g_ref_string_release);
  head.folder = folder != NULL ? g_ref_string_new (folder) : NULL;
  weir_diagram_read_fmus (root, folder);
  result = weir_model_new_for_root (root, &head);
  result->next_id = model->next_id;
  weir_head_clear (&head);
  return result;
}

WeirModel *
weir_model_move (WeirModel *model, const char *folder)
{
  Renaming renaming = { .from = model->head.folder, .to = folder };
  g_autoptr (WeirDiagram) root = NULL;
  WeirModel *result;

  g_return_val_if_fail (model != NULL, NULL);

  if (g_strcmp0 (model->head.folder, folder) == 0)
    return weir_model_ref (model);
  root = rename_in_diagram (model->root, &renaming);
  result = make_in_folder (model, root != NULL ? root : model->root, folder);
  weir_model_hand_on_derived (model, result, weir_model_compare (model, result));
  return result;
}

WeirModel *
weir_model_settle (WeirModel *model, const char *folder)
{
  g_return_val_if_fail (model != NULL, NULL);

  return g_strcmp0 (model->head.folder, folder) == 0 ? weir_model_ref (model)
                                                     : make_in_folder (model, model->root, folder);
}
