/* Elements of a diagram in words. See describe.h. */
#include "paint/scene/describe.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "blocks/library/registry.h"
#include "paint/scene/scene-private.h"
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
  gboolean is_line = weir_wire_is_line (wire); /* either end may be here */
  gboolean begins_here = is_line ? from.block == neighbours->block
                                       && g_strcmp0 (from.port, neighbours->port) == 0
                                 : neighbours->is_output;
  WeirWireEnd here = begins_here ? from : to, there = begins_here ? to : from;
  WeirBlock *other;

  if (here.block != neighbours->block || g_strcmp0 (here.port, neighbours->port) != 0)
    return TRUE;
  if (neighbours->others->len > 0)
    g_string_append (neighbours->others, _ (" and "));
  other = weir_diagram_find_block (neighbours->diagram, there.block);
  if (other != NULL)
    g_string_append_printf (neighbours->others, "%s.%s", weir_block_get_name (other), there.port);
  else
    g_string_append (neighbours->others, there.line != 0 ? _ ("a line") : _ ("a loose end"));
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

static gboolean
is_pin (const WeirDiagram *self, guint32 block, const char *port)
{
  WeirBlock *found = weir_diagram_find_block (self, block);
  g_autoptr (GArray) pins = found != NULL ? weir_block_list_pins (found) : NULL;

  for (guint i = 0; pins != NULL && i < pins->len; i++)
    if (g_str_equal (g_array_index (pins, WeirPinSpec, i).name, port))
      return TRUE;
  return FALSE;
}

/* "torque", or "torque of terminal shaft". (transfer full) */
static char *
dup_in_terminal (const WeirDiagram *self, guint32 block, const char *port, gboolean is_output)
{
  WeirBlock *found = weir_diagram_find_block (self, block);
  WeirPortSpec spec;

  if (found == NULL || !weir_block_find_port (found, port, is_output, &spec)
      || spec.terminal == NULL)
    return g_strdup (port);
  return g_strdup_printf (_ ("%s of terminal %s"), port, spec.terminal);
}

char *
weir_diagram_describe_port (const WeirDiagram *self, guint32 block, const char *port,
                            gboolean is_output)
{
  g_autofree char *others = dup_neighbours (self, block, port, is_output);
  g_autofree char *named = dup_in_terminal (self, block, port, is_output);

  if (is_pin (self, block, port))
    return others == NULL ? g_strdup_printf (_ ("pin %s not connected"), port)
                          : g_strdup_printf (_ ("pin %s to %s"), port, others);
  if (others == NULL)
    return g_strdup_printf (
        is_output ? _ ("output %s not connected") : _ ("input %s not connected"), named);
  return g_strdup_printf (is_output ? _ ("output %s to %s") : _ ("input %s from %s"), named,
                          others);
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

static char **
dup_pins (const WeirBlock *block)
{
  g_autoptr (GArray) pins = weir_block_list_pins (block);
  GStrvBuilder *names = g_strv_builder_new ();
  char **list;

  for (guint i = 0; i < pins->len; i++)
    g_strv_builder_add (names, g_array_index (pins, WeirPinSpec, i).name);
  list = g_strv_builder_end (names);
  g_strv_builder_unref (names);
  return list;
}

char *
weir_diagram_describe_block (const WeirDiagram *self, const WeirBlock *block)
{
  GString *text = g_string_new (weir_block_get_name (block));
  const WeirBlockType *type = weir_registry_find (weir_block_get_type_name (block));
  g_auto (GStrv) inputs = weir_block_dup_inputs (block), outputs = weir_block_dup_outputs (block);
  g_auto (GStrv) pins = dup_pins (block);

  if (type != NULL)
    g_string_append_printf (text, ", %s", _ (type->title));
  else
    g_string_append_printf (text, _ (", unknown type %s"), weir_block_get_type_name (block));
  append_ports (text, self, weir_block_get_id (block), inputs, FALSE);
  append_ports (text, self, weir_block_get_id (block), outputs, TRUE);
  append_ports (text, self, weir_block_get_id (block), pins, FALSE);
  return g_string_free (text, FALSE);
}

/* --- Nodes ----------------------------------------------------------------------------------- */

/* "R1.n", once. */
static void
add_pin (GString *text, GHashTable *seen, const WeirScene *self, WeirWireEnd end)
{
  WeirBlock *block = end.block != 0 ? weir_diagram_find_block (self->diagram, end.block) : NULL;
  char *name;

  if (block == NULL)
    return;
  name = g_strdup_printf ("%s.%s", weir_block_get_name (block), end.port);
  if (g_hash_table_contains (seen, name))
    {
      g_free (name);
      return;
    }
  if (text->len > 0)
    g_string_append (text, ", ");
  g_string_append (text, name);
  g_hash_table_add (seen, name);
}

char *
weir_scene_describe_node (WeirScene *self, guint32 line)
{
  const WeirLineNode *node = weir_nodes_find (self->nodes, line);
  g_autoptr (GString) pins = g_string_new (NULL);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (node = node != NULL ? weir_nodes_find (self->nodes, node->node) : NULL; node != NULL;
       node = node->next != 0 ? weir_nodes_find (self->nodes, node->next) : NULL)
    {
      WeirWire *wire = weir_diagram_find_wire (self->diagram, node->line);

      add_pin (pins, seen, self, weir_wire_get_from (wire));
      add_pin (pins, seen, self, weir_wire_get_to (wire));
    }
  return pins->len == 0 ? g_strdup (_ ("node without pins"))
                        : g_strdup_printf (_ ("node of %s"), pins->str);
}

char *
weir_scene_describe_pin (WeirScene *self, guint32 block, const WeirPortShape *pin)
{
  const WeirWireShape *line = weir_scene_find_line_at (self, block, pin->name);
  const WeirDomain *domain = weir_scene_find_domain (self, block, pin->name);
  g_autofree char *node = line != NULL
                              ? weir_scene_describe_node (self, weir_wire_get_id (line->wire))
                              : g_strdup (_ ("not connected"));

  return domain != NULL ? g_strdup_printf (_ ("pin %s, %s, %s"), pin->name, _ (domain->name), node)
                        : g_strdup_printf (_ ("pin %s, %s"), pin->name, node);
}

/* --- Paths and sources ----------------------------------------------------------------------- */

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
