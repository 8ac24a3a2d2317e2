/* What a saved model says of its parts. See part-records.h. */
#include "model/tree/part-records.h"

#include <string.h>

#include "blocks/parts/user-parts.h"
#include "model/tree/model-private.h"

/* --- Records --------------------------------------------------------------------------------- */

/* "9f86d081884c7d65 C=1e-3 v0=0". (transfer full) */
static char *
dup_record (const WeirPartType *part)
{
  GString *record = g_string_new (part->digest);

  for (guint i = 0; i < part->parameters->len; i++)
    {
      const WeirParameterSpec *spec = &g_array_index (part->parameters, WeirParameterSpec, i);

      g_string_append_printf (record, " %s=%s", spec->name, spec->default_text);
    }
  return g_string_free (record, FALSE);
}

gboolean
weir_part_record_is_other (const char *record, const WeirPartType *part)
{
  gsize length = strcspn (record, " ");

  return strlen (part->digest) != length || strncmp (record, part->digest, length) != 0;
}

char *
weir_part_record_dup_default (const char *record, const WeirParameterSpec *spec)
{
  g_auto (GStrv) words = g_strsplit (record, " ", -1);
  gsize length = strlen (spec->name);

  for (guint i = 1; words[0] != NULL && words[i] != NULL; i++)
    if (strncmp (words[i], spec->name, length) == 0 && words[i][length] == '=')
      return strcmp (words[i] + length + 1, spec->default_text) != 0
                 ? g_strdup (words[i] + length + 1)
                 : NULL;
  return NULL;
}

/* --- Writing --------------------------------------------------------------------------------- */

static gboolean
add_record (WeirBlock *block, gpointer data)
{
  WeirMetadata **metadata = data;
  const WeirBlockType *type = weir_registry_find (block->content->type);

  if (type != NULL && type->part != NULL
      && weir_metadata_get_text (*metadata, type->name, weir_key_part) == NULL)
    {
      gboolean is_built_in = strchr (type->name, ':') == NULL;
      g_autofree char *text = is_built_in ? dup_record (type->part) : g_strdup (type->part->text);
      WeirMetadata *longer = weir_metadata_with (*metadata, type->name, weir_key_part, text);

      weir_metadata_unref (*metadata);
      *metadata = longer;
    }
  if (block->diagram != NULL)
    weir_diagram_foreach_block (block->diagram, add_record, metadata);
  return TRUE;
}

WeirMetadata *
weir_part_records_add (WeirMetadata *metadata, const WeirDiagram *diagram)
{
  WeirMetadata *all = weir_metadata_ref (metadata);

  weir_diagram_foreach_block (diagram, add_record, &all);
  return all;
}

/* --- Reading --------------------------------------------------------------------------------- */

gboolean
weir_part_record_take (const char *of, const char *text, const char **type)
{
  const WeirBlockType *known = weir_registry_find (of);
  g_autofree char *record = NULL;
  const WeirPartType *part;

  *type = of;
  if (strchr (of, ':') != NULL)
    {
      part = weir_user_parts_add (text, NULL);
      if (part != NULL)
        *type = part->type.name;
      return part != NULL;
    }
  if (known == NULL || known->part == NULL)
    return FALSE;
  record = dup_record (known->part);
  return strcmp (record, text) == 0;
}

const char *
weir_part_name_resolve (const char *type, const char *folder)
{
  const WeirPartType *part = weir_registry_find (type) == NULL
                                 ? weir_user_parts_find_present (type, folder)
                                 : NULL;

  return part != NULL ? part->type.name : type;
}
