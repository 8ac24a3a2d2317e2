/* How a window lies from one time to the next: its size and its panes.
 *
 * Kept in GSettings. The program also runs where its schema is not installed; it then starts with the
 * defaults and keeps nothing. What is kept is that of the window closed last.
 */
#include "config.h"
#include "gui/window-private.h"

/* NULL if the schema is not installed. (transfer full) */
static GSettings *
settings_new (void)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema
      = source == NULL ? NULL
                       : g_settings_schema_source_lookup (source, WEIR_APPLICATION_ID, TRUE);

  /* One of an earlier version lacks keys. */
  if (schema == NULL || !g_settings_schema_has_key (schema, "canvas-height"))
    return NULL;
  return g_settings_new_full (schema, NULL, NULL);
}

void
weir_window_restore_layout (WeirWindow *self)
{
  g_autoptr (GSettings) settings = settings_new ();
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
  g_object_set (self->canvas, "show-grid", g_settings_get_boolean (settings, "show-grid"), NULL);
}

void
weir_window_store_layout (WeirWindow *self)
{
  g_autoptr (GSettings) settings = settings_new ();
  gboolean show_grid;
  int width, height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_get (self->canvas, "show-grid", &show_grid, NULL);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
  g_settings_set_boolean (settings, "show-palette", gtk_widget_get_visible (self->left));
  g_settings_set_boolean (settings, "show-inspector", gtk_widget_get_visible (self->right));
  g_settings_set_boolean (settings, "show-bottom", gtk_widget_get_visible (self->bottom));
  g_settings_set_boolean (settings, "show-grid", show_grid);
  g_settings_set_int (settings, "palette-width",
                      gtk_paned_get_position (GTK_PANED (self->left_paned)));
  g_settings_set_int (settings, "inspector-left",
                      gtk_paned_get_position (GTK_PANED (self->right_paned)));
  g_settings_set_int (settings, "canvas-height",
                      gtk_paned_get_position (GTK_PANED (self->bottom_paned)));
}
