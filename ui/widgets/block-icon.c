/* Pictograms of blocks. See block-icon.h. */
#include "widgets/block-icon.h"

#include "paint/drawing/diagram.h"
#include "widgets/look.h"

static void
draw (GtkDrawingArea *icon, cairo_t *cr, int width, int height, G_GNUC_UNUSED gpointer data)
{
  const char *type = g_object_get_data (G_OBJECT (icon), "weir-type");

  if (type != NULL)
    weir_draw_block_icon (cr, type, width, height, weir_look_get_palette ());
}

void
weir_block_icon_set_type (GtkWidget *icon, const char *type)
{
  g_object_set_data_full (G_OBJECT (icon), "weir-type", g_strdup (type), g_free);
  gtk_widget_queue_draw (icon);
}

GtkWidget *
weir_block_icon_new (const char *type, int width, int height)
{
  GtkWidget *icon = gtk_drawing_area_new ();

  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (icon), width);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (icon), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (icon), draw, NULL, NULL);
  weir_look_follow (icon, G_CALLBACK (gtk_widget_queue_draw));
  weir_block_icon_set_type (icon, type);
  return icon;
}
