/* Names of recorded signals. See signal-name.h. */
#include "scopes/signal-name.h"

#include <string.h>

#include "blocks/registry.h"

typedef struct {
  guint32 block;
  const char *port;
  WeirWireEnd from; /* found */
} Search;

static gboolean
is_driver (WeirWire *wire, gpointer data)
{
  Search *search = data;
  WeirWireEnd to = weir_wire_get_to (wire);

  if (to.block != search->block || g_strcmp0 (to.port, search->port) != 0)
    return TRUE;
  search->from = weir_wire_get_from (wire);
  return FALSE;
}

/* Updates of these are seldom next to the samples, and between them nothing happens. */
static gboolean
is_discrete (const WeirBlock *block)
{
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));

  return type != NULL && g_str_equal (type->category, "Discrete");
}

/* Names the port that drives @port of the block @scope. */
static void
follow_wire (WeirModel *model, WeirBlock *scope, const char *port, const char *element,
             WeirSignalName *name)
{
  g_autoptr (GArray) place = g_array_new (FALSE, FALSE, sizeof (guint32));
  Search search = { .block = weir_block_get_id (scope), .port = port };
  WeirDiagram *diagram;
  WeirBlock *driver;

  weir_model_find_block (model, search.block, place);
  diagram = weir_model_get_diagram (
      model, (WeirPlace) { (const guint32 *) (gpointer) place->data, place->len });
  weir_diagram_foreach_wire_at (diagram, search.block, is_driver, &search);
  driver = weir_diagram_find_block (diagram, search.from.block);
  if (driver == NULL)
    return;
  g_free (name->name);
  if (g_str_equal (weir_block_get_type_name (driver), "In"))
    name->name = g_strconcat (weir_block_get_name (driver), element, NULL);
  else
    name->name
        = g_strconcat (weir_block_get_name (driver), ".", search.from.port, element, NULL);
  name->is_discrete = is_discrete (driver);
}

WeirSignalName
weir_signal_name_find (WeirModel *model, const char *signal)
{
  WeirSignalName name = { .name = g_strdup (signal) };
  const char *dot = strrchr (signal, '.'), *element = strchr (dot != NULL ? dot : signal, '[');
  g_autofree char *path = dot == NULL ? NULL : g_strndup (signal, (gsize) (dot - signal));
  WeirBlock *block = model == NULL || path == NULL ? NULL : weir_model_find_path (model, path);
  const WeirBlockType *type
      = block == NULL ? NULL : weir_registry_find (weir_block_get_type_name (block));

  if (element == NULL)
    element = signal + strlen (signal);
  if (type != NULL && type->is_sink_log)
    {
      g_autofree char *port = g_strndup (dot + 1, (gsize) (element - dot - 1));

      name.scope = g_steal_pointer (&path);
      follow_wire (model, block, port, element, &name);
    }
  else if (block != NULL)
    name.is_discrete = is_discrete (block);
  return name;
}

void
weir_signal_name_clear (WeirSignalName *self)
{
  g_clear_pointer (&self->scope, g_free);
  g_clear_pointer (&self->name, g_free);
}
