/* The invisible children of the canvas. See block-node.h. */
#include "canvas/widget/block-node.h"

#include "paint/scene/describe.h"

/* --- Ports and wires ------------------------------------------------------------------------- */

struct _WeirPartNode {
  GtkWidget parent_instance;
  char *name, *description; /* as last told */
  double x, y;
};

G_DEFINE_FINAL_TYPE (WeirPartNode, weir_part_node, GTK_TYPE_WIDGET)

void
weir_part_node_set_name (WeirPartNode *self, const char *name)
{
  if (g_strcmp0 (name, self->name) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_free (self->name);
  self->name = g_strdup (name);
}

void
weir_part_node_set_description (WeirPartNode *self, const char *description)
{
  if (g_strcmp0 (description, self->description) == 0)
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
  g_free (self->description);
  self->description = g_strdup (description);
}

void
weir_part_node_set_share (WeirPartNode *self, double x, double y)
{
  self->x = x;
  self->y = y;
}

void
weir_part_node_get_share (WeirPartNode *self, double *x, double *y)
{
  *x = self->x;
  *y = self->y;
}

static void
part_finalize (GObject *object)
{
  g_free (WEIR_PART_NODE (object)->name);
  g_free (WEIR_PART_NODE (object)->description);
  G_OBJECT_CLASS (weir_part_node_parent_class)->finalize (object);
}

static void
weir_part_node_class_init (WeirPartNodeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = part_finalize;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
weir_part_node_init (WeirPartNode *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

GtkWidget *
weir_part_node_new (void)
{
  return g_object_new (WEIR_TYPE_PART_NODE, NULL);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

struct _WeirBlockNode {
  GtkWidget parent_instance;
  guint32 id;
  char *label; /* as last told */
};

G_DEFINE_FINAL_TYPE (WeirBlockNode, weir_block_node, GTK_TYPE_WIDGET)

void
weir_block_node_update (WeirBlockNode *self, WeirScene *scene, const char *problems)
{
  const WeirBlockShape *shape = weir_scene_find_block (scene, self->id);
  g_autofree char *description = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (shape != NULL);
  description = weir_diagram_describe_block (weir_scene_get_diagram (scene), shape->block);
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
