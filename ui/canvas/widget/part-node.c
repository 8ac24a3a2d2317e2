/* WeirPartNode. See part-node.h. */
#include "canvas/widget/part-node.h"

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

const char *
weir_part_node_get_name (WeirPartNode *self)
{
  return self->name;
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
finalize (GObject *object)
{
  g_free (WEIR_PART_NODE (object)->name);
  g_free (WEIR_PART_NODE (object)->description);
  G_OBJECT_CLASS (weir_part_node_parent_class)->finalize (object);
}

static void
weir_part_node_class_init (WeirPartNodeClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = finalize;
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
