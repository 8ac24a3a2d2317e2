/* How a window lies from one time to the next: its size and its panes.
 *
 * Kept in GSettings (settings.h). What is kept is that of the window closed last. The tabs of a
 * window lie alike: the tab that comes to be shown takes over how the one before it lay.
 */
#include "gui/settings.h"
#include "gui/editor-private.h"

void
weir_window_restore_size (WeirWindow *self)
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
}

void
weir_editor_restore_layout (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();

  if (settings == NULL)
    return;
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
weir_editor_adopt_layout (WeirEditor *self, WeirEditor *other)
{
  GtkWidget *const panes[][2] = { { self->left, other->left },
                                  { self->right, other->right },
                                  { self->bottom, other->bottom } };
  GtkWidget *const paneds[][2] = { { self->left_paned, other->left_paned },
                                   { self->right_paned, other->right_paned },
                                   { self->bottom_paned, other->bottom_paned } };

  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    gtk_widget_set_visible (panes[i][0], gtk_widget_get_visible (panes[i][1]));
  for (guint i = 0; i < G_N_ELEMENTS (paneds); i++)
    gtk_paned_set_position (GTK_PANED (paneds[i][0]),
                            gtk_paned_get_position (GTK_PANED (paneds[i][1])));
}

void
weir_editor_store_layout (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();
  GtkWindow *toplevel = weir_editor_get_toplevel (self);
  int width, height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (toplevel, &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (toplevel));
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
