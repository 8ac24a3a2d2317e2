/* A path that is cut at a dot. See path-label.h. Each form is a label, the longest first; one of
 * them is seen. */
#include "scopes/path-label.h"

#include <string.h>

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
