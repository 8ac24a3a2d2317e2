/* How a window lies from one time to the next: its size and its panes.
 *
 * Kept in GSettings (settings.h). What is kept is that of the window closed last. The tabs of a
 * window lie alike: the tab that comes to be shown takes over how the one before it lay; each has a
 * perspective of its own, and of each perspective is known how it lies. Where a
 * window is too narrow for them, the panes at the sides are hidden until it is wider.
 */
#include <string.h>

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

/* --- Perspectives ---------------------------------------------------------------------------- */

/* As the settings call them. */
static const char *const perspectives[WEIR_N_PERSPECTIVES] = { "model", "cache", "analysis" };
static const char *const shown_keys[WEIR_N_DOCKS] = { [WEIR_DOCK_LEFT] = "show-palette",
                                                      [WEIR_DOCK_RIGHT] = "show-inspector",
                                                      [WEIR_DOCK_BOTTOM] = "show-bottom" };

static void
clear_layout (WeirEditorLayout *self)
{
  g_clear_pointer (&self->page, g_free);
  g_clear_pointer (&self->overlay, g_free);
}

void
weir_editor_clear_layouts (WeirEditor *self)
{
  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    clear_layout (&self->layouts[i]);
}

/* Is it there, though there may be no room for it just now? */
static gboolean
is_dock_shown (WeirEditor *self, WeirDock dock)
{
  if (self->is_bare)
    return self->was_visible[dock];
  return gtk_widget_get_visible (weir_editor_get_dock (self, dock))
         || (dock == WEIR_DOCK_LEFT && self->is_folded[0])
         || (dock == WEIR_DOCK_RIGHT && self->is_folded[1]);
}

/* Notes how it lies now. */
static void
keep_layout (WeirEditor *self)
{
  WeirEditorLayout *layout = &self->layouts[self->perspective];

  clear_layout (layout);
  for (guint i = 0; i < WEIR_N_DOCKS; i++)
    layout->is_shown[i] = is_dock_shown (self, (WeirDock) i);
  layout->canvas_height = gtk_paned_get_position (GTK_PANED (self->bottom_paned));
  layout->page = g_strdup (weir_host_get_shown_page (WEIR_HOST (self)));
  g_object_get (self->canvas, "overlay", &layout->overlay, NULL);
}

static void
show_dock (WeirEditor *self, WeirDock dock, gboolean is_shown)
{
  guint side = dock == WEIR_DOCK_RIGHT;
  gboolean is_narrow = dock != WEIR_DOCK_BOTTOM && self->is_narrow[side];

  if (is_shown == is_dock_shown (self, dock))
    return;
  if (self->is_bare)
    self->was_visible[dock] = is_shown;
  else
    gtk_widget_set_visible (weir_editor_get_dock (self, dock), is_shown && !is_narrow);
  if (dock != WEIR_DOCK_BOTTOM)
    self->is_folded[side] = is_shown && is_narrow;
}

static void
apply_layout (WeirEditor *self)
{
  const WeirEditorLayout *layout = &self->layouts[self->perspective];
  GtkStack *stack = GTK_STACK (self->bottom_stack);
  GtkWidget *page = gtk_stack_get_child_by_name (stack, layout->page);

  for (guint i = 0; i < WEIR_N_DOCKS; i++)
    show_dock (self, (WeirDock) i, layout->is_shown[i]);
  gtk_paned_set_position (GTK_PANED (self->bottom_paned), layout->canvas_height);
  weir_editor_update_pages (self);
  if (page != NULL && gtk_stack_page_get_visible (gtk_stack_get_page (stack, page)))
    gtk_stack_set_visible_child (stack, page);
  g_object_set (self->canvas, "overlay", layout->overlay, NULL);
}

void
weir_editor_set_perspective (WeirEditor *self, WeirPerspective perspective)
{
  keep_layout (self);
  self->perspective = perspective;
  apply_layout (self);
}

static void
read_layout (WeirEditorLayout *self, GSettings *settings)
{
  for (guint i = 0; i < WEIR_N_DOCKS; i++)
    self->is_shown[i] = g_settings_get_boolean (settings, shown_keys[i]);
  self->canvas_height = g_settings_get_int (settings, "canvas-height");
  self->page = g_settings_get_string (settings, "page");
  self->overlay = g_settings_get_string (settings, "overlay");
}

static void
write_layout (const WeirEditorLayout *self, GSettings *settings)
{
  for (guint i = 0; i < WEIR_N_DOCKS; i++)
    g_settings_set_boolean (settings, shown_keys[i], self->is_shown[i]);
  g_settings_set_int (settings, "canvas-height", self->canvas_height);
  g_settings_set_string (settings, "page", self->page);
  g_settings_set_string (settings, "overlay", self->overlay);
}

/* --- Handles --------------------------------------------------------------------------------- */

/* A pane that is hidden leaves the handle beside it where it was, unseen: it is to take no clicks
 * from what is shown there. */
static void
let_through (GtkWidget *paned)
{
  gboolean has_handle = gtk_widget_get_visible (gtk_paned_get_start_child (GTK_PANED (paned)))
                        && gtk_widget_get_visible (gtk_paned_get_end_child (GTK_PANED (paned)));
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (paned);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_GESTURE (controller))
        gtk_event_controller_set_propagation_phase (controller, has_handle ? GTK_PHASE_CAPTURE
                                                                           : GTK_PHASE_NONE);
    }
}

static void
follow_handle (GtkWidget *paned)
{
  GtkWidget *children[] = { gtk_paned_get_start_child (GTK_PANED (paned)),
                            gtk_paned_get_end_child (GTK_PANED (paned)) };

  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    g_signal_connect_object (children[i], "notify::visible", G_CALLBACK (let_through), paned,
                             G_CONNECT_SWAPPED);
  let_through (paned);
}

void
weir_editor_follow_handles (WeirEditor *self)
{
  follow_handle (self->left_paned);
  follow_handle (self->right_paned);
  follow_handle (self->bottom_paned);
}

/* --- From one run of the program to the next ------------------------------------------------- */

/* A paned counts from its left end, and how long it is shows when it is first seen: windows grow
 * before. */
static void
place_inspector (WeirEditor *self)
{
  int width = gtk_widget_get_width (self->right_paned);

  if (self->inspector_width == 0 || width == 0)
    return;
  gtk_paned_set_position (GTK_PANED (self->right_paned), MAX (width - self->inspector_width, 0));
  self->inspector_width = 0;
}

static void
set_inspector_width (WeirEditor *self, int width)
{
  self->inspector_width = width;
  place_inspector (self);
}

/* 0: nobody can tell, as it is not shown. */
static int
get_inspector_width (const WeirEditor *self)
{
  if (self->inspector_width != 0 || !gtk_widget_get_visible (self->right))
    return self->inspector_width;
  return gtk_widget_get_width (self->right_paned)
         - gtk_paned_get_position (GTK_PANED (self->right_paned));
}

void
weir_editor_restore_layout (WeirEditor *self)
{
  GSettings *settings = weir_settings_get ();

  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    {
      self->perspective = (WeirPerspective) i;
      keep_layout (self); /* as it comes */
      if (settings != NULL)
        {
          g_autoptr (GSettings) child = g_settings_get_child (settings, perspectives[i]);

          clear_layout (&self->layouts[i]);
          read_layout (&self->layouts[i], child);
        }
    }
  self->perspective = WEIR_PERSPECTIVE_MODEL;
  g_signal_connect_object (self->right_paned, "notify::max-position", G_CALLBACK (place_inspector),
                           self, G_CONNECT_SWAPPED);
  if (settings != NULL)
    {
      gtk_paned_set_position (GTK_PANED (self->left_paned),
                              g_settings_get_int (settings, "palette-width"));
      set_inspector_width (self, g_settings_get_int (settings, "inspector-width"));
      g_settings_bind (settings, "show-grid", self->canvas, "show-grid", G_SETTINGS_BIND_DEFAULT);
    }
  apply_layout (self);
  if (settings != NULL)
    weir_host_set_perspective (WEIR_HOST (self),
                               (WeirPerspective) g_settings_get_enum (settings, "perspective"));
}

void
weir_editor_adopt_layout (WeirEditor *self, WeirEditor *other)
{
  WeirPerspective perspective = self->perspective;

  gtk_paned_set_position (GTK_PANED (self->left_paned),
                          gtk_paned_get_position (GTK_PANED (other->left_paned)));
  if (get_inspector_width (other) > 0)
    set_inspector_width (self, get_inspector_width (other));
  for (guint i = 0; i < G_N_ELEMENTS (self->is_narrow); i++)
    self->is_narrow[i] = other->is_narrow[i];
  keep_layout (self);
  keep_layout (other);
  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    {
      WeirEditorLayout *own = &self->layouts[i];

      memcpy (own->is_shown, other->layouts[i].is_shown, sizeof own->is_shown);
      own->canvas_height = other->layouts[i].canvas_height;
    }
  self->perspective = perspective;
  apply_layout (self);
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
      size = MIN (size, height / 2); /* the canvas keeps as much */
      if (height - position < size)
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
#define LEFT_WIDTH 760
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
  gtk_widget_set_visible (self->perspectives, !self->is_narrow[1]); /* they are in the menu, too */
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
  g_settings_set_int (settings, "palette-width",
                      gtk_paned_get_position (GTK_PANED (self->left_paned)));
  if (get_inspector_width (self) > 0)
    g_settings_set_int (settings, "inspector-width", get_inspector_width (self));
  g_settings_set_enum (settings, "perspective", (int) self->perspective);
  keep_layout (self);
  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    {
      g_autoptr (GSettings) child = g_settings_get_child (settings, perspectives[i]);

      write_layout (&self->layouts[i], child);
    }
}
