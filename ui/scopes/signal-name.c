/* Names of recorded signals. See signal-name.h. */
#include "scopes/signal-name.h"

#include <string.h>

#include "blocks/library/registry.h"
#include "model/completion/completion.h"

/* The block that a port path "plant.sum.y[2]" is at; NULL if there is none. */
static WeirBlock *
find_block (WeirModel *model, const char *port_path)
{
  const char *dot = strrchr (port_path, '.');
  g_autofree char *path = dot == NULL ? NULL : g_strndup (port_path, (gsize) (dot - port_path));

  return path == NULL ? NULL : weir_model_find_path (model, path);
}

WeirSignalName
weir_signal_name_find (WeirModel *model, const char *signal)
{
  WeirSignalName name = { .xy_axis = -1 };
  WeirBlock *block = model == NULL ? NULL : find_block (model, signal);
  const WeirBlockType *type = block == NULL ? NULL
                                            : weir_registry_find (weir_block_get_type_name (block));

  name.name = block == NULL ? g_strdup (signal) : weir_model_dup_signal_name (model, signal);
  if (type != NULL && type->is_recorded_sink)
    {
      name.scope = weir_model_dup_block_path (model, weir_block_get_id (block));
      if (g_str_equal (type->name, "XYScope"))
        name.xy_axis = g_str_has_suffix (signal, ".y");
    }
  name.is_discrete = model != NULL && weir_model_is_signal_held (model, signal);
  return name;
}

void
weir_signal_name_clear (WeirSignalName *self)
{
  g_clear_pointer (&self->scope, g_free);
  g_clear_pointer (&self->name, g_free);
}

/* --- A label that is cut at a dot ------------------------------------------------------------ */

/* Each form is a label, the longest first; one of them is seen. */
struct _WeirPathLabel {
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (WeirPathLabel, weir_path_label, GTK_TYPE_WIDGET)

static void
measure (GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int for_size, int *minimum,
         int *natural, int *minimum_baseline, int *natural_baseline)
{
  GtkWidget *longest = gtk_widget_get_first_child (widget);
  GtkWidget *shortest = gtk_widget_get_last_child (widget);

  gtk_widget_measure (longest, orientation, -1, NULL, natural, NULL, NULL);
  gtk_widget_measure (shortest, orientation, -1, minimum, NULL, NULL, NULL);
  *natural = MAX (*natural, *minimum);
  *minimum_baseline = *natural_baseline = -1;
}

static void
size_allocate (GtkWidget *widget, int width, int height, G_GNUC_UNUSED int baseline)
{
  gboolean is_found = FALSE;

  for (GtkWidget *label = gtk_widget_get_first_child (widget); label != NULL;
       label = gtk_widget_get_next_sibling (label))
    {
      int natural;
      gboolean is_seen;

      gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
      is_seen = !is_found && (natural <= width || gtk_widget_get_next_sibling (label) == NULL);
      gtk_widget_set_child_visible (label, is_seen);
      if (is_seen)
        gtk_widget_allocate (label, width, height, -1, NULL);
      is_found |= is_seen;
    }
}

static void
dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (weir_path_label_parent_class)->dispose (object);
}

static void
weir_path_label_class_init (WeirPathLabelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
}

static void
weir_path_label_init (G_GNUC_UNUSED WeirPathLabel *self)
{
}

GtkWidget *
weir_path_label_new (const char *path, int least)
{
  GtkWidget *self = g_object_new (WEIR_TYPE_PATH_LABEL, NULL), *label = NULL;
  int n;

  for (const char *part = path; part != NULL;)
    {
      const char *dot = strchr (part, '.');
      g_autofree char *text = g_strconcat (part == path ? "" : "…", part, NULL);

      label = gtk_label_new (text);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_widget_add_css_class (label, "caption");
      gtk_widget_set_parent (label, self);
      part = dot != NULL && g_utf8_strlen (part, -1) > least ? dot + 1 : NULL;
    }
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  n = (int) g_utf8_strlen (gtk_label_get_text (GTK_LABEL (label)), -1);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN (n, least));
  return self;
}
