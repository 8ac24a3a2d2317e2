/* WeirBlockNode: an invisible child that stands for one block. See block-node.h. */
#include "canvas/block-node.h"

#include <glib/gi18n-lib.h>

#include "canvas/part-node.h"

struct _WeirBlockNode {
  GtkWidget parent_instance;
  guint32 id;
  char *label; /* as last told */
};

G_DEFINE_FINAL_TYPE (WeirBlockNode, weir_block_node, GTK_TYPE_WIDGET)

typedef struct {
  WeirScene *scene;
  guint32 block;
  const WeirPortShape *port;
  GString *others;
} Neighbours;

static gboolean
add_neighbour (WeirWire *wire, gpointer data)
{
  Neighbours *neighbours = data;
  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  WeirWireEnd here = neighbours->port->is_output ? from : to;
  WeirWireEnd there = neighbours->port->is_output ? to : from;
  const WeirBlockShape *other;

  if (here.block != neighbours->block || g_strcmp0 (here.port, neighbours->port->name) != 0)
    return TRUE;
  if (neighbours->others->len > 0)
    g_string_append (neighbours->others, _(" and "));
  other = weir_scene_find_block (neighbours->scene, there.block);
  if (other != NULL)
    g_string_append_printf (neighbours->others, "%s.%s", weir_block_get_name (other->block),
                            there.port);
  else
    g_string_append (neighbours->others, _("a loose end"));
  return TRUE;
}

char *
weir_port_dup_description (WeirScene *scene, const WeirBlockShape *shape, const WeirPortShape *port)
{
  g_autoptr (GString) others = g_string_new (NULL);
  guint32 id = weir_block_get_id (shape->block);
  Neighbours neighbours = { scene, id, port, others };

  weir_diagram_foreach_wire_at (weir_scene_get_diagram (scene), id, add_neighbour, &neighbours);
  if (others->len == 0)
    return g_strdup_printf (port->is_output ? _("output %s not connected") : _("input %s not connected"),
                            port->name);
  return g_strdup_printf (port->is_output ? _("output %s to %s") : _("input %s from %s"), port->name,
                          others->str);
}

char *
weir_block_dup_description (WeirScene *scene, const WeirBlockShape *shape)
{
  GString *text = g_string_new (weir_block_get_name (shape->block));

  if (shape->type != NULL)
    g_string_append_printf (text, ", %s", _(shape->type->title));
  else
    g_string_append_printf (text, _(", unknown type %s"), weir_block_get_type_name (shape->block));
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    {
      g_autofree char *port = weir_port_dup_description (scene, shape, &shape->ports[i]);

      g_string_append_printf (text, ", %s", port);
    }
  return g_string_free (text, FALSE);
}

void
weir_block_node_update (WeirBlockNode *self, WeirScene *scene, const char *problems)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, self->id);
  g_autofree char *description = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (shape != NULL);
  description = weir_block_dup_description (scene, shape);
  label = problems != NULL ? g_strdup_printf ("%s. %s", description, problems)
                           : g_steal_pointer (&description);
  if (g_strcmp0 (label, self->label) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  g_free (self->label);
  self->label = g_steal_pointer (&label);
}

guint32
weir_block_node_get_id (WeirBlockNode *self)
{
  return self->id;
}

/* Its ports are its children. */
static void
size_allocate (GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      double x, y;
      GtkAllocation allocation = { 0, 0, 1, 1 };

      weir_part_node_get_share (WEIR_PART_NODE (child), &x, &y);
      allocation.x = (int) (x * width);
      allocation.y = (int) (y * height);
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (child, &allocation, -1);
    }
}

static void
dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_block_node_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  g_free (WEIR_BLOCK_NODE (object)->label);
  G_OBJECT_CLASS (weir_block_node_parent_class)->finalize (object);
}

static void
weir_block_node_class_init (WeirBlockNodeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
  GTK_WIDGET_CLASS (klass)->size_allocate = size_allocate;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
weir_block_node_init (WeirBlockNode *self)
{
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
weir_block_node_new (guint32 id)
{
  WeirBlockNode *self = g_object_new (WEIR_TYPE_BLOCK_NODE, NULL);

  self->id = id;
  return GTK_WIDGET (self);
}
