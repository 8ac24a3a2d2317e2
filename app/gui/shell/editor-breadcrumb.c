/* Where the canvas is: the model, and the Subsystems down to the one that is shown. */
#include <glib/gi18n-lib.h>

#include "gui/shell/editor-private.h"

static void
crumb_clicked (GtkButton *button, WeirEditor *self)
{
  guint depth = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-depth"));
  WeirPlace place = weir_canvas_get_place (self->canvas);
  g_autofree guint32 *ids = g_memdup2 (place.ids, place.n_ids * sizeof *ids);

  weir_canvas_set_place (self->canvas, (WeirPlace) { ids, MIN (depth, place.n_ids) });
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
add_crumb (WeirEditor *self, const char *name, guint depth, gboolean is_last)
{
  GtkWidget *button = gtk_button_new_with_label (name);

  gtk_widget_add_css_class (button, "flat");
  if (is_last)
    gtk_widget_add_css_class (button, "heading");
  g_object_set_data (G_OBJECT (button), "weir-depth", GUINT_TO_POINTER (depth));
  g_signal_connect_object (button, "clicked", G_CALLBACK (crumb_clicked), self, 0);
  gtk_box_append (GTK_BOX (self->breadcrumb), button);
}

void
weir_editor_update_breadcrumb (WeirEditor *self)
{
  WeirPlace place = weir_canvas_get_place (self->canvas);
  WeirModel *model = weir_document_get_model (self->document);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->breadcrumb)) != NULL)
    gtk_box_remove (GTK_BOX (self->breadcrumb), child);
  add_crumb (self, _ ("Model"), 0, place.n_ids == 0);
  for (guint i = 0; i < place.n_ids; i++)
    {
      WeirBlock *block = weir_model_find_block (model, place.ids[i], NULL);
      GtkWidget *separator = gtk_label_new ("›");

      gtk_widget_add_css_class (separator, "dim-label");
      gtk_box_append (GTK_BOX (self->breadcrumb), separator);
      add_crumb (self, block != NULL ? weir_block_get_name (block) : "?", i + 1,
                 i + 1 == place.n_ids);
    }
}
