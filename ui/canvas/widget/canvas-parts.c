/* Ports and wires for assistive technology: ports as children of their block's node, wires as
 * children of the canvas, each with a name that tells its connections and state.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/widget/block-node.h"
#include "canvas/widget/canvas-shown.h"
#include "paint/scene/describe.h"

/* In larger diagrams the outline is the way to read them: so many widgets would slow
 * down editing. */
#define MAX_PARTS 2000

/* --- Ports ----------------------------------------------------------------------------------- */

static void
sync_ports (WeirCanvas *self, const WeirBlockShape *shape, GtkWidget *node, gboolean wanted)
{
  GtkWidget *child = gtk_widget_get_first_child (node);
  guint32 id = weir_block_get_id (shape->block);

  for (guint i = 0; wanted && i < shape->n_ports; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      g_autofree char *connections = port->is_pin ? weir_scene_describe_pin (self->scene, id, port)
                                                  : weir_diagram_describe_port (
                                                      weir_scene_get_diagram (self->scene), id,
                                                      port->name, port->is_output);
      g_autofree char *problems = weir_canvas_dup_port_problems (self, id, port);
      g_autofree char *name = problems != NULL
                                  ? g_strdup_printf ("%s: %s. %s",
                                                     weir_block_get_name (shape->block),
                                                     connections, problems)
                                  : g_strdup_printf ("%s: %s", weir_block_get_name (shape->block),
                                                     connections);

      if (child == NULL)
        {
          child = weir_part_node_new ();
          gtk_widget_set_parent (child, node);
        }
      weir_part_node_set_name (WEIR_PART_NODE (child), name);
      weir_part_node_set_share (WEIR_PART_NODE (child),
                                (port->position.x - shape->box.x) / MAX (shape->box.width, 1),
                                (port->position.y - shape->box.y) / MAX (shape->box.height, 1));
      child = gtk_widget_get_next_sibling (child);
    }
  while (child != NULL)
    {
      GtkWidget *next = gtk_widget_get_next_sibling (child);

      gtk_widget_unparent (child);
      child = next;
    }
}

/* --- Wires ----------------------------------------------------------------------------------- */

static char *
describe_end (WeirCanvas *self, WeirWireEnd end)
{
  const WeirBlockShape *block = weir_scene_find_block (self->scene, end.block);

  return block != NULL ? g_strdup_printf ("%s.%s", weir_block_get_name (block->block), end.port)
                       : g_strdup (_ ("a loose end"));
}

char *
weir_canvas_describe_wire (WeirCanvas *self, WeirWire *wire)
{
  guint size = self->sizes != NULL ? GPOINTER_TO_UINT (
                   g_hash_table_lookup (self->sizes, GUINT_TO_POINTER (weir_wire_get_id (wire))))
                                   : 0;
  gboolean is_line = weir_wire_is_line (wire);
  g_autofree char *from = is_line ? NULL : describe_end (self, weir_wire_get_from (wire));
  g_autofree char *to = is_line ? NULL : describe_end (self, weir_wire_get_to (wire));
  g_autofree char *node = is_line ? weir_scene_describe_node (self->scene, weir_wire_get_id (wire))
                                  : NULL;
  g_autofree char *problems = weir_canvas_dup_problems (self, weir_wire_get_id (wire));
  WeirPointKinds points = weir_wire_get_points (wire, weir_scene_get_diagram (self->scene));
  GString *text = g_string_new (NULL);

  if (is_line && *weir_wire_get_label (wire) != '\0')
    g_string_append_printf (text, _ ("Line %s, %s"), weir_wire_get_label (wire), node);
  else if (is_line)
    g_string_append_printf (text, _ ("Line, %s"), node);
  else if (*weir_wire_get_label (wire) != '\0')
    g_string_append_printf (text, _ ("Wire %s from %s to %s"), weir_wire_get_label (wire), from,
                            to);
  else
    g_string_append_printf (text, _ ("Wire from %s to %s"), from, to);
  if (size > 1)
    g_string_append_printf (text, ngettext (", %u number", ", %u numbers", size), size);
  if (points != 0)
    {
      g_autofree char *said = weir_describe_points (points);

      g_string_append_printf (text, _ (". Linear analysis: %s"), said);
    }
  if (problems != NULL)
    g_string_append_printf (text, ". %s", problems);
  return g_string_free (text, FALSE);
}

void
weir_canvas_sync_parts (WeirCanvas *self)
{
  g_autoptr (GHashTable) old = g_steal_pointer (&self->wire_nodes);
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  guint n_blocks = weir_scene_get_n_blocks (self->scene),
        n_wires = weir_scene_get_n_wires (self->scene);
  gboolean wanted = n_blocks + n_wires <= MAX_PARTS;
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < n_blocks; i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (self->scene, i);
      GtkWidget *node = g_hash_table_lookup (self->nodes,
                                             GUINT_TO_POINTER (weir_block_get_id (shape->block)));

      if (node != NULL)
        sync_ports (self, shape, node, wanted);
    }
  self->wire_nodes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; wanted && i < n_wires; i++)
    {
      WeirWire *wire = weir_scene_get_wire (self->scene, i)->wire;
      gpointer id = GUINT_TO_POINTER (weir_wire_get_id (wire));
      GtkWidget *node = g_hash_table_lookup (old, id);
      g_autofree char *name = weir_canvas_describe_wire (self, wire);

      if (node == NULL)
        {
          node = weir_part_node_new ();
          gtk_widget_set_parent (node, GTK_WIDGET (self));
        }
      else
        g_hash_table_remove (old, id);
      g_hash_table_insert (self->wire_nodes, id, node);
      weir_part_node_set_name (WEIR_PART_NODE (node), name);
      gtk_accessible_update_state (
          GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_STATE_SELECTED,
          weir_selection_contains (selection, WEIR_SELECT_WIRE, GPOINTER_TO_UINT (id)), -1);
    }
  g_hash_table_iter_init (&iter, old);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    gtk_widget_unparent (value);
}

void
weir_canvas_select_parts (WeirCanvas *self)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  GHashTableIter iter;
  gpointer id, node;

  g_hash_table_iter_init (&iter, self->wire_nodes);
  while (g_hash_table_iter_next (&iter, &id, &node))
    gtk_accessible_update_state (
        GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_STATE_SELECTED,
        weir_selection_contains (selection, WEIR_SELECT_WIRE, GPOINTER_TO_UINT (id)), -1);
}

void
weir_canvas_describe_values (WeirCanvas *self, gboolean all)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  GHashTableIter iter;
  gpointer id, node;

  g_hash_table_iter_init (&iter, self->wire_nodes);
  while (g_hash_table_iter_next (&iter, &id, &node))
    {
      const char *value = self->values != NULL ? g_hash_table_lookup (self->values, id) : NULL;
      g_autofree char *text = value != NULL ? g_strdup_printf (_ ("Value: %s"), value) : NULL;

      if (all || text == NULL
          || weir_selection_contains (selection, WEIR_SELECT_WIRE, GPOINTER_TO_UINT (id)))
        weir_part_node_set_description (WEIR_PART_NODE (node), text);
    }
}

void
weir_canvas_allocate_parts (WeirCanvas *self)
{
  GHashTableIter iter;
  gpointer id, node;

  g_hash_table_iter_init (&iter, self->wire_nodes);
  while (g_hash_table_iter_next (&iter, &id, &node))
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, GPOINTER_TO_UINT (id));
      WeirPoint at = weir_viewport_to_pixel (&self->viewport,
                                             (WeirPoint) { wire->reach.x, wire->reach.y });
      GtkAllocation allocation = { (int) floor (CLAMP (at.x, -1e6, 1e6)),
                                   (int) floor (CLAMP (at.y, -1e6, 1e6)),
                                   (int) ceil (MAX (1, wire->reach.width * self->viewport.zoom)),
                                   (int) ceil (MAX (1, wire->reach.height * self->viewport.zoom)) };

      gtk_widget_measure (node, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (node, &allocation, -1);
    }
}
