/* How a window lies from one time to the next: its size and its panes.
 *
 * Kept in GSettings (settings.h). What is kept is that of the window closed last.
 */
#include "gui/settings.h"
#include "gui/window-private.h"

void
weir_window_restore_layout (WeirWindow *self)
{
  GSettings *settings = weir_settings_get ();
  int width, height;

  if (settings == NULL)
    {
      gtk_window_set_default_size (GTK_WINDOW (self), 1280, 860);
      return;
    }
  g_settings_get (settings, "window-size", "(ii)", &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  gtk_widget_set_visible (self->left, g_settings_get_boolean (settings, "show-palette"));
  gtk_widget_set_visible (self->right, g_settings_get_boolean (settings, "show-inspector"));
  gtk_widget_set_visible (self->bottom, g_settings_get_boolean (settings, "show-bottom"));
  gtk_paned_set_position (GTK_PANED (self->left_paned),
                          g_settings_get_int (settings, "palette-width"));
  gtk_paned_set_position (GTK_PANED (self->right_paned),
                          g_settings_get_int (settings, "inspector-left"));
  gtk_paned_set_position (GTK_PANED (self->bottom_paned),
                          g_settings_get_int (settings, "canvas-height"));
  g_settings_bind (settings, "show-grid", self->canvas, "show-grid", G_SETTINGS_BIND_DEFAULT);
}

void
weir_window_store_layout (WeirWindow *self)
{
  GSettings *settings = weir_settings_get ();
  int width, height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings, "show-palette", gtk_widget_get_visible (self->left));
  g_settings_set_boolean (settings, "show-inspector", gtk_widget_get_visible (self->right));
  g_settings_set_boolean (settings, "show-bottom", gtk_widget_get_visible (self->bottom));
  g_settings_set_int (settings, "palette-width",
                      gtk_paned_get_position (GTK_PANED (self->left_paned)));
  g_settings_set_int (settings, "inspector-left",
                      gtk_paned_get_position (GTK_PANED (self->right_paned)));
  g_settings_set_int (settings, "canvas-height",
                      gtk_paned_get_position (GTK_PANED (self->bottom_paned)));
}
