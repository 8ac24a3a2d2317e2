/* What a signal is called: an input is known by the port that drives it. */
#include <string.h>

#include "model/completion.h"

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
