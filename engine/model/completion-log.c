/* What a run of a model logs by itself, and which of its blocks break rules on purpose. */
#include "model/completion-private.h"

static gboolean
collect_port (WeirWire *wire, gpointer data)
{
  const char *port = weir_wire_get_to (wire).port;

  if (port != NULL)
    g_hash_table_add (data, (gpointer) port);
  return TRUE;
}

static void
collect_logs (WeirDiagram *whole, const char *prefix, GPtrArray *logs)
{
  g_autoptr (WeirDiagram) diagram = weir_diagram_dup_effective (whole);
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      const WeirBlock *block = value;
      const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

      if (block->mode == WEIR_BLOCK_COMMENTED_OUT)
        continue;
      if (block->diagram != NULL)
        {
          g_autofree char *inner = g_strconcat (prefix, block->name, ".", NULL);

          collect_logs (block->diagram, inner, logs);
        }
      else if (type != NULL && type->is_sink_log)
        {
          g_autoptr (GHashTable) wired = g_hash_table_new (g_str_hash, g_str_equal);
          g_auto (GStrv) inputs = weir_block_dup_inputs (block);

          weir_diagram_foreach_wire_at (diagram, block->id, collect_port, wired);
          for (guint i = 0; inputs[i] != NULL; i++)
            if (g_hash_table_contains (wired, inputs[i]))
              g_ptr_array_add (logs, g_strconcat (prefix, block->name, ".", inputs[i], NULL));
        }
    }
}

char **
weir_model_dup_default_log (WeirModel *model)
{
  GPtrArray *logs = g_ptr_array_new ();
  WeirPMapIter iter;
  gpointer value;

  g_return_val_if_fail (model != NULL, NULL);

  collect_logs (model->root, "", logs);
  weir_pmap_iter_init (&iter, &model->root->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    if (weir_block_is_type (value, WEIR_TYPE_NAME_OUT))
      g_ptr_array_add (logs, g_strdup (weir_block_get_name (value)));
  g_ptr_array_add (logs, NULL);
  return (char **) g_ptr_array_free (logs, FALSE);
}

static void
collect_diagnostic (const WeirDiagram *diagram, const char *prefix, GPtrArray *paths)
{
  WeirPMapIter iter;
  gpointer value;

  weir_pmap_iter_init (&iter, &diagram->blocks);
  while (weir_pmap_iter_next (&iter, NULL, &value))
    {
      const WeirBlock *block = value;
      const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

      if (block->diagram != NULL)
        {
          g_autofree char *inner = g_strconcat (prefix, block->name, ".", NULL);

          collect_diagnostic (block->diagram, inner, paths);
        }
      else if (type != NULL && type->is_diagnostic && block->mode == WEIR_BLOCK_ACTIVE)
        g_ptr_array_add (paths, g_strconcat (prefix, block->name, NULL));
    }
}

char **
weir_model_dup_diagnostic_blocks (WeirModel *model)
{
  GPtrArray *paths = g_ptr_array_new ();

  g_return_val_if_fail (model != NULL, NULL);

  collect_diagnostic (model->root, "", paths);
  g_ptr_array_add (paths, NULL);
  return (char **) g_ptr_array_free (paths, FALSE);
}
