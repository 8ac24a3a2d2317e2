/* What a run of a model logs by itself, what the signals in it are called, and which blocks break
 * rules on purpose. */
#include "model/completion/completion-private.h"

#include <string.h>

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
      else if (type != NULL && type->is_recorded_sink)
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
weir_model_dup_recorded_ports (WeirModel *model)
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

/* --- Names: an input is known by the port that drives it -------------------------------------- */

typedef struct {
  guint32 block;
  const char *port;
  WeirWireEnd from; /* out; block 0: nothing drives it */
} Search;

static gboolean
find_driver (WeirWire *wire, gpointer data)
{
  Search *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block != search->block || g_strcmp0 (to.port, search->port) != 0)
    return TRUE;
  search->from = weir_wire_get_from (wire);
  return FALSE;
}

static gboolean
has_output (const WeirBlock *block, const char *port)
{
  g_auto (GStrv) outputs = weir_block_dup_outputs (block);

  return g_strv_contains ((const char *const *) outputs, port);
}

char *
weir_model_dup_signal_name (WeirModel *model, const char *path)
{
  const char *bracket = strchr (path, '[');
  g_autofree char *port_path = bracket != NULL ? g_strndup (path, (gsize) (bracket - path))
                                               : g_strdup (path);
  char *dot = strrchr (port_path, '.');
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree char *driver = NULL;
  WeirDiagram *diagram;
  WeirBlock *block;
  Search search = { 0 };

  if (dot == NULL)
    return g_strdup (path);
  *dot = '\0';
  block = weir_model_find_path (model, port_path);
  /* Where an output and an input have one name, a path means the output. */
  if (block == NULL || has_output (block, dot + 1)
      || weir_model_find_block (model, weir_block_get_id (block), ids) == NULL)
    return g_strdup (path);
  diagram = weir_model_get_diagram (
      model, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
  search.block = weir_block_get_id (block);
  search.port = dot + 1;
  weir_diagram_foreach_wire_at (diagram, search.block, find_driver, &search);
  block = search.from.block == 0 ? NULL : weir_diagram_find_block (diagram, search.from.block);
  if (block == NULL)
    return g_strdup (path);
  driver = weir_model_dup_block_path (model, search.from.block);
  if (g_str_equal (weir_block_get_type_name (block), "In")) /* the Subsystem's own input */
    return g_strconcat (driver, bracket, NULL);
  return g_strconcat (driver, ".", search.from.port, bracket, NULL);
}

/* Updates of discrete blocks are seldom next to the samples, and between them nothing happens. */
gboolean
weir_model_is_signal_held (WeirModel *model, const char *path)
{
  g_autofree char *name = weir_model_dup_signal_name (model, path);
  char *dot = strrchr (name, '.');
  const WeirBlockType *type;
  WeirBlock *block;

  if (dot == NULL)
    return FALSE;
  *dot = '\0';
  block = weir_model_find_path (model, name);
  type = block == NULL ? NULL : weir_registry_find (weir_block_get_type_name (block));
  return type != NULL && g_str_equal (type->category, "Discrete");
}
