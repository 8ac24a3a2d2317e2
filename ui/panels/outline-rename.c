/* Asking for another name of the selected block, in a popover at its row. See outline-panel.h. */
#include "panels/outline-panel-private.h"

#include <glib/gi18n-lib.h>

static void
name_entered (GtkEntry *entry, WeirOutlinePanel *self)
{
  g_autofree char *name = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));
  guint32 block = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (entry), "weir-block"));

  gtk_popover_popdown (
      GTK_POPOVER (gtk_widget_get_ancestor (GTK_WIDGET (entry), GTK_TYPE_POPOVER)));
  g_signal_emit_by_name (self, "renamed", block, name);
}

static gboolean
remove_popover (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
popover_closed (GtkWidget *popover, WeirOutlinePanel *self)
{
  weir_outline_panel_focus (self);
  g_idle_add (remove_popover, popover);
}

void
weir_outline_panel_ask_name (WeirOutlinePanel *self)
{
  g_autoptr (WeirOutlineItem) item = weir_outline_panel_dup_selected (self);
  GtkWidget *popover, *entry, *row;
  graphene_rect_t bounds;

  if (item == NULL || weir_outline_item_get_row (item)->kind != WEIR_OUTLINE_BLOCK)
    return;
  popover = gtk_popover_new ();
  entry = gtk_entry_new ();
  gtk_editable_set_text (GTK_EDITABLE (entry),
                         weir_block_get_name (weir_outline_item_get_block (item)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the block"), -1);
  g_object_set_data (G_OBJECT (entry), "weir-block",
                     GUINT_TO_POINTER (weir_outline_item_get_row (item)->id));
  g_signal_connect (entry, "activate", G_CALLBACK (name_entered), self);
  gtk_popover_set_child (GTK_POPOVER (popover), entry);
  gtk_widget_set_parent (popover, GTK_WIDGET (self));
  g_signal_connect (popover, "closed", G_CALLBACK (popover_closed), self);
  row = weir_outline_panel_find_selected_widget (self);
  if (row != NULL && gtk_widget_compute_bounds (row, GTK_WIDGET (self), &bounds))
    gtk_popover_set_pointing_to (GTK_POPOVER (popover),
                                 &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                                   (int) bounds.size.width,
                                                   (int) bounds.size.height });
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_grab_focus (entry);
}
