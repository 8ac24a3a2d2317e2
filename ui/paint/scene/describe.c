/* Elements of a diagram in words. See describe.h. */
#include "paint/scene/describe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "system/layout/sources.h"

typedef struct {
  const WeirDiagram *diagram;
  guint32 block;
  const char *port;
  gboolean is_output;
  GString *others;
} Neighbours;

static gboolean
add_neighbour (WeirWire *wire, gpointer data)
{
  Neighbours *neighbours = data;
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  WeirWireEnd here = neighbours->is_output ? from : to;
  WeirWireEnd there = neighbours->is_output ? to : from;
  WeirBlock *other;

  if (here.block != neighbours->block || g_strcmp0 (here.port, neighbours->port) != 0)
    return TRUE;
  if (neighbours->others->len > 0)
    g_string_append (neighbours->others, _ (" and "));
  other = weir_diagram_find_block (neighbours->diagram, there.block);
  if (other != NULL)
    g_string_append_printf (neighbours->others, "%s.%s", weir_block_get_name (other), there.port);
  else
    g_string_append (neighbours->others, _ ("a loose end"));
  return TRUE;
}

/* What a port is wired to: "Sine1.y", or several joined by "and"; NULL if nothing. (transfer full)
 */
static char *
dup_neighbours (const WeirDiagram *self, guint32 block, const char *port, gboolean is_output)
{
  g_autoptr (GString) others = g_string_new (NULL);
  Neighbours neighbours = { self, block, port, is_output, others };

  weir_diagram_foreach_wire_at (self, block, add_neighbour, &neighbours);
  return others->len == 0 ? NULL : g_string_free (g_steal_pointer (&others), FALSE);
}

char *
weir_diagram_describe_port (const WeirDiagram *self, guint32 block, const char *port,
                            gboolean is_output)
{
  g_autofree char *others = dup_neighbours (self, block, port, is_output);

  if (others == NULL)
    return g_strdup_printf (
        is_output ? _ ("output %s not connected") : _ ("input %s not connected"), port);
  return g_strdup_printf (is_output ? _ ("output %s to %s") : _ ("input %s from %s"), port, others);
}

static void
append_ports (GString *text, const WeirDiagram *self, guint32 block, char **ports,
              gboolean is_output)
{
  for (guint i = 0; ports[i] != NULL; i++)
    {
      g_autofree char *port = weir_diagram_describe_port (self, block, ports[i], is_output);

      g_string_append_printf (text, ", %s", port);
    }
}

char *
weir_diagram_describe_block (const WeirDiagram *self, const WeirBlock *block)
{
  GString *text = g_string_new (weir_block_get_name (block));
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_auto (GStrv) inputs = weir_block_dup_inputs (block), outputs = weir_block_dup_outputs (block);

  if (type != NULL)
    g_string_append_printf (text, ", %s", _ (type->title));
  else
    g_string_append_printf (text, _ (", unknown type %s"), weir_block_get_type_name (block));
  append_ports (text, self, weir_block_get_id (block), inputs, FALSE);
  append_ports (text, self, weir_block_get_id (block), outputs, TRUE);
  return g_string_free (text, FALSE);
}

char *
weir_describe_points (WeirPointKinds kinds)
{
  static const struct {
    WeirPointKinds kind;
    const char *words;
  } said[] = {
    { WEIR_POINT_OUTPUT, N_ ("measured") },
    { WEIR_POINT_BREAK, N_ ("opened") },
    { WEIR_POINT_INPUT, N_ ("perturbed") },
    { WEIR_POINT_AFTER, N_ ("measured with the perturbation") },
  };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (said); i++)
    if ((kinds & said[i].kind) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", _ (said[i].words));
  return g_string_free (text, FALSE);
}

char *
weir_describe_path (const char *path)
{
  if (*path != '\0' && *path != ':')
    return g_strdup (path);
  return g_strconcat (_ ("Whole model"), path, NULL);
}

char *
weir_describe_source (const char *name)
{
  const char *colon = strchr (name, ':');
  g_autofree char *text = weir_label_translate (colon != NULL ? colon + 1 : name);
  g_autofree char *path = NULL, *block = NULL;

  if (colon == NULL)
    return g_steal_pointer (&text);
  path = g_strndup (name, (gsize) (colon - name));
  block = weir_describe_path (path);
  return g_strdup_printf ("%s: %s", block, text);
}
