/* A drop-down that can be narrow. See choice.h. */
#include "cache/choice.h"

static void
setup (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, gpointer shortens)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (shortens != NULL)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind (G_GNUC_UNUSED GtkListItemFactory *factory, GtkListItem *item, gpointer shortens)
{
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_text (GTK_LABEL (label), text);
  if (shortens != NULL)
    gtk_widget_set_tooltip_text (label, text);
}

static GtkListItemFactory *
factory_new (gboolean shortens)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup), GINT_TO_POINTER (shortens));
  g_signal_connect (factory, "bind", G_CALLBACK (bind), GINT_TO_POINTER (shortens));
  return factory;
}

GtkWidget *
weir_choice_new (GtkStringList *strings, const char *label)
{
  GtkWidget *choice = gtk_drop_down_new (
      strings != NULL ? G_LIST_MODEL (strings) : NULL,
      gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));
  g_autoptr (GtkListItemFactory) button = factory_new (TRUE), list = factory_new (FALSE);

  gtk_drop_down_set_factory (GTK_DROP_DOWN (choice), button);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (choice), list);
  gtk_widget_set_hexpand (choice, TRUE);
  gtk_widget_set_tooltip_text (choice, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return choice;
}
