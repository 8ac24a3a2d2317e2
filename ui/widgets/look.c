/* How the windows look. See look.h. */
#include "widgets/look.h"

#include <adwaita.h>

#define COMMON_DPI 96
#define MIN_TEXT_SCALE 0.5

const WeirPalette *
weir_look_get_palette (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  return weir_palette_find (adw_style_manager_get_dark (style),
                            adw_style_manager_get_high_contrast (style));
}

void
weir_look_follow (gpointer object, GCallback changed)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_signal_connect_object (style, "notify::dark", changed, object, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", changed, object, G_CONNECT_SWAPPED);
}

double
weir_look_get_text_scale (GtkWidget *widget)
{
  int dpi = -1; /* in 1024ths */

  g_object_get (gtk_widget_get_settings (widget), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? MAX (dpi / 1024.0 / COMMON_DPI, MIN_TEXT_SCALE) : 1;
}

void
weir_look_snapshot (GtkWidget *widget, GtkSnapshot *snapshot, WeirPaintFunc paint, gpointer data)
{
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double scale = weir_look_get_text_scale (widget);
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));

  cairo_scale (cr, scale, scale);
  paint (data, cr, width / scale, height / scale, weir_look_get_palette ());
  cairo_destroy (cr);
  if (gtk_widget_has_visible_focus (widget))
    gtk_snapshot_render_focus (snapshot, gtk_widget_get_style_context (widget), 0, 0, width,
                               height);
}
