/* How a window lies from one time to the next: its size and its panes.
 *
 * Kept in GSettings (settings.h). What is kept is that of the window closed last. The tabs of a
 * window lie alike: the tab that comes to be shown takes over how the one before it lay. Where a
 * window is too narrow for them, the panes at the sides are hidden until it is wider.
 */
#include "gui/host/settings.h"
#include "gui/shell/editor-private.h"
#include "widgets/reveal.h"

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
  for (guint i = 0; i < G_N_ELEMENTS (self->is_folded); i++)
    {
      self->is_folded[i] = other->is_folded[i];
      self->is_narrow[i] = other->is_narrow[i];
    }
  for (guint i = 0; i < G_N_ELEMENTS (paneds); i++)
    gtk_paned_set_position (GTK_PANED (paneds[i][0]),
                            gtk_paned_get_position (GTK_PANED (paneds[i][1])));
}

/* --- Docks ----------------------------------------------------------------------------------- */

GtkWidget *
weir_editor_get_dock (WeirEditor *self, WeirDock dock)
{
  GtkWidget *const docks[WEIR_N_DOCKS] = { [WEIR_DOCK_LEFT] = self->left,
                                           [WEIR_DOCK_RIGHT] = self->right,
                                           [WEIR_DOCK_BOTTOM] = self->bottom };

  return docks[dock];
}

void
weir_editor_reveal_tab (WeirEditor *self)
{
  GtkStack *stack = GTK_STACK (self->bottom_stack);
  g_autoptr (GtkSelectionModel) pages = gtk_stack_get_pages (stack);
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (self->switcher));
  GtkWidget *button = gtk_widget_get_first_child (gtk_viewport_get_child (GTK_VIEWPORT (viewport)));

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (pages)) && button != NULL; i++)
    {
      g_autoptr (GObject) page = g_list_model_get_item (G_LIST_MODEL (pages), i);

      if (gtk_stack_page_get_child (GTK_STACK_PAGE (page)) == gtk_stack_get_visible_child (stack))
        weir_reveal (self->switcher, button, 0);
      button = gtk_widget_get_next_sibling (button);
    }
}

void
weir_editor_ask_room (WeirEditor *self, WeirDock dock, int size)
{
  int height = gtk_widget_get_height (self->bottom_paned);
  int position = gtk_paned_get_position (GTK_PANED (self->bottom_paned));

  switch (dock)
    {
    case WEIR_DOCK_LEFT:
      if (gtk_paned_get_position (GTK_PANED (self->left_paned)) < size)
        gtk_paned_set_position (GTK_PANED (self->left_paned), size);
      break;
    case WEIR_DOCK_BOTTOM:
      if (height - position < size && height > 2 * size) /* the canvas keeps as much */
        gtk_paned_set_position (GTK_PANED (self->bottom_paned), height - size);
      break;
    case WEIR_DOCK_RIGHT:
    case WEIR_N_DOCKS:
    default:
      g_return_if_reached ();
    }
}

void
weir_editor_set_bare (WeirEditor *self, gboolean bare)
{
  GtkWidget *headers = gtk_widget_get_parent (self->header); /* in the window, with other tabs' */

  if (bare == self->is_bare)
    return;
  self->is_bare = bare;
  for (guint i = 0; i < WEIR_N_DOCKS; i++)
    {
      GtkWidget *dock = weir_editor_get_dock (self, (WeirDock) i);

      if (bare)
        self->was_visible[i] = gtk_widget_get_visible (dock);
      gtk_widget_set_visible (dock, !bare && self->was_visible[i]);
    }
  if (headers != NULL)
    gtk_widget_set_visible (headers, !bare);
  gtk_widget_set_visible (self->status_bar, !bare);
  gtk_widget_set_visible (self->breadcrumb, !bare);
  if (bare)
    gtk_widget_add_css_class (GTK_WIDGET (self), "weir-presenter");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "weir-presenter");
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->stage),
                                  bare ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

/* --- Little room ----------------------------------------------------------------------------- */

/* Below this width there is no room for the left pane; and for the right one. Of large text, more.
 */
#define LEFT_WIDTH 720
#define RIGHT_WIDTH 880

static gboolean
fold (gpointer data)
{
  WeirEditor *self = data;
  GtkWidget *panes[] = { self->left, self->right };
  const int needed[] = { LEFT_WIDTH, RIGHT_WIDTH };

  self->fold_soon = 0;
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      gboolean is_narrow = self->width < needed[i];

      /* One that was shown by hand since stays. */
      if (is_narrow && !self->is_narrow[i] && gtk_widget_get_visible (panes[i]))
        {
          self->is_folded[i] = TRUE;
          gtk_widget_set_visible (panes[i], FALSE);
        }
      else if (!is_narrow && self->is_folded[i])
        {
          self->is_folded[i] = FALSE;
          gtk_widget_set_visible (panes[i], TRUE);
        }
      self->is_narrow[i] = is_narrow;
    }
  return G_SOURCE_REMOVE;
}

void
weir_editor_note_width (WeirEditor *self, int width)
{
  if (width == self->width || self->left == NULL)
    return;
  self->width = width;
  if (self->fold_soon == 0) /* not while sizes are being given */
    self->fold_soon = g_idle_add (fold, self);
}

void
weir_editor_store_layout (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();
  GtkWindow *toplevel = weir_host_get_toplevel (WEIR_HOST (self));
  int width, height;

  if (settings == NULL)
    return;
  gtk_window_get_default_size (toplevel, &width, &height);
  g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", gtk_window_is_maximized (toplevel));
  g_settings_set_boolean (settings, "show-palette",
                          gtk_widget_get_visible (self->left) || self->is_folded[0]);
  g_settings_set_boolean (settings, "show-inspector",
                          gtk_widget_get_visible (self->right) || self->is_folded[1]);
  g_settings_set_boolean (settings, "show-bottom", gtk_widget_get_visible (self->bottom));
  g_settings_set_int (settings, "palette-width",
                      gtk_paned_get_position (GTK_PANED (self->left_paned)));
  g_settings_set_int (settings, "inspector-left",
                      gtk_paned_get_position (GTK_PANED (self->right_paned)));
  g_settings_set_int (settings, "canvas-height",
                      gtk_paned_get_position (GTK_PANED (self->bottom_paned)));
}
