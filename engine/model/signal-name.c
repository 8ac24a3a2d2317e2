/* What a signal is called: by the output that drives it, not by an input that it reaches.
 *
 * Tracing goes one wire back and stays in its diagram: at the border of a Subsystem a signal takes
 * the name of the port there, which says more inside it than a name from outside would.
 */
#include "model/model.h"

#include <string.h>

typedef struct {
  guint32 block;
  const char *port;
  const WeirWire *wire;
} Search;

static gboolean
find_wire (WeirWire *wire, gpointer data)
{
  Search *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block != search->block || g_strcmp0 (to.port, search->port) != 0)
    return TRUE;
  search->wire = wire;
  return FALSE;
}

static gboolean
has_output (const WeirBlock *block, const char *port)
{
  g_auto (GStrv) outputs = weir_block_dup_outputs (block);

  return g_strv_contains ((const char *const *) outputs, port);
}

char *
weir_model_dup_signal_name (const WeirModel *self, const char *path)
{
  const char *dot, *bracket;
  g_autofree char *block_path = NULL;
  g_autofree char *port = NULL;
  g_autoptr (GArray) place = NULL;
  g_autofree char *driver_path = NULL;
  WeirDiagram *diagram;
  const WeirBlock *block, *driver;
  Search search = { 0 };
  WeirWireEnd from;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (path != NULL, NULL);

  dot = strrchr (path, '.');
  if (dot == NULL)
    return g_strdup (path);
  bracket = strchr (dot, '[');
  if (bracket == NULL)
    bracket = dot + strlen (dot);
  block_path = g_strndup (path, (gsize) (dot - path));
  port = g_strndup (dot + 1, (gsize) (bracket - dot - 1));
  block = weir_model_find_path (self, block_path);
  /* Of an output and an input of one name a path means the output. */
  if (block == NULL || has_output (block, port))
    return g_strdup (path);

  place = g_array_new (FALSE, FALSE, sizeof (guint32));
  weir_model_find_block (self, weir_block_get_id (block), place);
  diagram = weir_model_get_diagram (
      self, (WeirPlace) { (const guint32 *) (gconstpointer) place->data, place->len });
  search.block = weir_block_get_id (block);
  search.port = port;
  weir_diagram_foreach_wire_at (diagram, search.block, find_wire, &search);
  if (search.wire == NULL)
    return g_strdup (path);
  from = weir_wire_get_from (search.wire);
  driver = weir_diagram_find_block (diagram, from.block);
  if (driver == NULL || from.port == NULL)
    return g_strdup (path);
  driver_path = weir_model_dup_block_path (self, from.block);
  /* An In block is the input of its Subsystem, and is called like it. */
  if (strcmp (weir_block_get_type_name (driver), "In") == 0)
    return g_strconcat (driver_path, bracket, NULL);
  return g_strconcat (driver_path, ".", from.port, bracket, NULL);
}
