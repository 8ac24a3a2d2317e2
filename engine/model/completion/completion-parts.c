/* Completion, the texts of parts: whether they are what they were when the model was saved.
 *
 * A model computes with the text that it brings along, where a part is not built in, and with the
 * part as it is, where it is built in. That either is no longer what it was is told once for each
 * part, at the first block of it.
 */
#include "model/completion/completion-private.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "blocks/parts/user-parts.h"
#include "model/tree/part-records.h"

/* The blocks of one part. */
typedef struct {
  const WeirPartType *part;
  GPtrArray *blocks; /* of WeirBlock, borrowed; as found */
} Use;

typedef struct {
  WeirModel *model;
  WeirDiagnostics *diagnostics;
  GHashTable *uses;   /* WeirPartType to Use */
  GPtrArray *order;   /* of Use, owned */
  GPtrArray *foreign; /* of WeirBlock, borrowed: of parts not built in, or of no known type */
} Looking;

static void
use_free (gpointer data)
{
  g_ptr_array_unref (((Use *) data)->blocks);
  g_free (data);
}

static gboolean
look_at (WeirBlock *block, gpointer data)
{
  Looking *looking = data;
  const WeirBlockType *type = weir_registry_find (block->content->type);
  Use *use = type != NULL && type->part != NULL ? g_hash_table_lookup (looking->uses, type->part)
                                                : NULL;

  if (type == NULL || strchr (type->name, ':') != NULL)
    g_ptr_array_add (looking->foreign, block);
  if (type != NULL && type->part != NULL && use == NULL)
    {
      use = g_new0 (Use, 1);
      use->part = type->part;
      use->blocks = g_ptr_array_new ();
      g_hash_table_insert (looking->uses, (gpointer) type->part, use);
      g_ptr_array_add (looking->order, use);
    }
  if (use != NULL)
    g_ptr_array_add (use->blocks, block);
  if (block->diagram != NULL)
    weir_diagram_foreach_block (block->diagram, look_at, looking);
  return TRUE;
}

static void G_GNUC_PRINTF (4, 5)
    tell (const Looking *looking, const WeirBlock *block, const char *code, const char *format, ...)
{
  g_autofree char *path = weir_model_dup_block_path (looking->model, block->id);
  va_list args;

  va_start (args, format);
  weir_diagnostics_add_message (looking->diagnostics, WEIR_SEVERITY_WARNING, code,
                                path != NULL ? path : "", block->id, 0, block->line,
                                weir_message_new_valist (format, args));
  va_end (args);
}

static void
check_file (const Looking *looking, const Use *use)
{
  const WeirPartType *present = weir_user_parts_find_present (use->part->name,
                                                              looking->model->head.folder);

  if (present != NULL && present != use->part)
    tell (looking, g_ptr_array_index (use->blocks, 0), "PRT01",
          N_ ("The file of the part %s has changed; the model goes on with the text that it was "
              "drawn with."),
          use->part->name);
}

static void
check_default (const Looking *looking, const Use *use, const WeirParameterSpec *spec,
               const char *record)
{
  g_autofree char *was = weir_part_record_dup_default (record, spec);
  const WeirBlock *first = NULL;
  guint n = 0;

  for (guint i = 0; was != NULL && i < use->blocks->len; i++)
    {
      const WeirBlock *block = g_ptr_array_index (use->blocks, i);

      if (weir_block_get_parameter (block, spec->name) != NULL)
        continue;
      first = n++ == 0 ? block : first;
    }
  if (n == 0)
    return;
  tell (looking, first, "PRT02",
        N_ ("'%s' is not given and is %s, the default of the part %s; when the model was saved, it "
            "was %s. Blocks of which this holds: %u."),
        spec->name, spec->default_text, use->part->name, was, n);
  weir_diagnostics_set_subject (looking->diagnostics, spec->name);
}

static void
check_built_in (const Looking *looking, const Use *use)
{
  const char *record = weir_metadata_get_text (looking->model->head.metadata, use->part->type.name,
                                               weir_key_part);

  if (record == NULL)
    return;
  if (weir_part_record_is_other (record, use->part))
    tell (looking, g_ptr_array_index (use->blocks, 0), "PRT03",
          N_ ("The built-in part %s has changed since the model was saved: its pins, its "
              "parameters or its equations."),
          use->part->name);
  for (guint i = 0; i < use->part->parameters->len; i++)
    check_default (looking, use, &g_array_index (use->part->parameters, WeirParameterSpec, i),
                   record);
}

/* "Fuse" of "Fuse:9f86d081884c7d65". */
static gboolean
is_of_part (const WeirBlock *block, const char *const *names)
{
  const char *type = block->content->type;
  g_autofree char *name = g_strndup (type, strcspn (type, ":"));

  return g_strv_contains (names, name);
}

/* At each block of a part that the file seems to hold; where there is none, without a place. */
static void
report_file (const GError *problem, const char *const *names, gpointer data)
{
  const Looking *looking = data;
  guint n = 0;

  for (guint i = 0; i < looking->foreign->len; i++)
    if (is_of_part (looking->foreign->pdata[i], names))
      {
        tell (looking, looking->foreign->pdata[i], "PRT04", "%s", weir_error_get_text (problem));
        n++;
      }
  if (n == 0)
    weir_diagnostics_add (looking->diagnostics, WEIR_SEVERITY_WARNING, "PRT04", "", 0, 0, 0, "%s",
                          weir_error_get_text (problem));
}

/* Texts in the model that were not understood: they are kept, and saved again. */
static void
check_texts (const Looking *looking)
{
  const WeirMetadata *metadata = looking->model->head.metadata;

  for (guint i = 0; i < weir_metadata_get_size (metadata); i++)
    {
      WeirMetadataItem item = weir_metadata_get_item (metadata, i);
      g_autoptr (GError) error = NULL;

      if (strcmp (item.name, weir_key_part.name) == 0 && strchr (item.of, ':') != NULL
          && weir_user_parts_add (item.text, &error) == NULL)
        {
          weir_diagnostics_add (looking->diagnostics, WEIR_SEVERITY_ERROR, "PRT05", "", 0, 0, 0,
                                N_ ("The text of a part in the model is kept, but not understood: "
                                    "%s"),
                                weir_error_get_text (error));
          weir_diagnostics_set_subject (looking->diagnostics, item.of);
        }
    }
}

void
weir_model_check_parts (WeirModel *model, WeirDiagnostics *diagnostics)
{
  g_autoptr (GHashTable) uses = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) order = g_ptr_array_new_with_free_func (use_free);
  g_autoptr (GPtrArray) foreign = g_ptr_array_new ();
  Looking looking = { model, diagnostics, uses, order, foreign };

  weir_diagram_foreach_block (model->root, look_at, &looking);
  for (guint i = 0; i < order->len; i++)
    {
      const Use *use = g_ptr_array_index (order, i);

      if (strchr (use->part->type.name, ':') != NULL)
        check_file (&looking, use);
      else
        check_built_in (&looking, use);
    }
  if (foreign->len > 0)
    weir_user_parts_visit_problems (model->head.folder, report_file, &looking);
  check_texts (&looking);
}
