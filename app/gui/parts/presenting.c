/* Presenting: full screen with nothing but the diagram and what is said about it, large enough for
 * the last row, and the keys of a slide remote.
 *
 * Page Down goes on: to the next beat while slow motion has one, to the answer of a question, to
 * the next step of the lesson; Page Up goes back. Escape ends it, and everything lies as before.
 * Keys and clicks are shown (key-display.h).
 */
#include <glib/gi18n-lib.h>

#include "cache/slow-bar.h"
#include "gui/shell/editor-private.h"
#include "panels/lesson-panel.h"

#define TEXT_WIDTH 440 /* pixels, beside the diagram */
#define LARGEST_ZOOM 2.5

struct _WeirPresenting {
  GtkEventController *keys;
  gboolean left, right, bottom; /* were visible */
  gboolean was_fullscreen;
  guint fit; /* source that fits the diagram once the window has its size */
  gulong resized;
};

static gboolean
activate (WeirEditor *self, const char *name)
{
  if (!g_action_group_get_action_enabled (G_ACTION_GROUP (self->actions), name))
    return FALSE;
  g_action_group_activate_action (G_ACTION_GROUP (self->actions), name, NULL);
  return TRUE;
}

static void
go (WeirEditor *self, int by)
{
  WeirSlowBar *bar = WEIR_SLOW_BAR (self->slow_bar);
  WeirSlowMotion *motion = gtk_widget_get_visible (self->slow_bar) ? weir_slow_bar_get_motion (bar)
                                                                   : NULL;

  if (motion != NULL
      && (by > 0 ? weir_slow_motion_get_place (motion) < weir_slow_motion_get_n_beats (motion)
                 : weir_slow_motion_get_place (motion) > 1))
    weir_slow_bar_step (bar, by);
  else if (by > 0)
    {
      if (!activate (self, "lesson-check"))
        activate (self, "lesson-next");
    }
  else
    activate (self, "lesson-back");
}

static gboolean
key_pressed (WeirEditor *self, guint key, G_GNUC_UNUSED guint code,
             G_GNUC_UNUSED GdkModifierType held)
{
  switch (key)
    {
    case GDK_KEY_Page_Down:
    case GDK_KEY_KP_Page_Down:
      go (self, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Page_Up:
    case GDK_KEY_KP_Page_Up:
      go (self, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      weir_editor_present (self, FALSE);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
fit (gpointer data)
{
  WeirEditor *self = data;

  self->presenting->fit = 0;
  weir_canvas_fit (self->canvas, LARGEST_ZOOM);
  return G_SOURCE_REMOVE;
}

static void
fit_soon (WeirEditor *self)
{
  if (self->presenting->fit == 0)
    self->presenting->fit = g_timeout_add (150, fit, self);
}

/* The header bar stands in the window, with those of other tabs. */
static void
set_surroundings_visible (WeirEditor *self, gboolean visible)
{
  GtkWidget *headers = gtk_widget_get_parent (self->header);

  if (headers != NULL)
    gtk_widget_set_visible (headers, visible);
  gtk_widget_set_visible (gtk_widget_get_parent (self->status), visible);
  gtk_widget_set_visible (self->breadcrumb, visible);
}

static void
begin (WeirEditor *self)
{
  WeirPresenting *presenting = self->presenting = g_new0 (WeirPresenting, 1);
  GtkWindow *toplevel = weir_editor_get_toplevel (self);

  presenting->left = gtk_widget_get_visible (self->left);
  presenting->right = gtk_widget_get_visible (self->right);
  presenting->bottom = gtk_widget_get_visible (self->bottom);
  presenting->was_fullscreen = toplevel != NULL && gtk_window_is_fullscreen (toplevel);
  gtk_widget_set_visible (self->left, FALSE);
  gtk_widget_set_visible (self->right, FALSE);
  gtk_widget_set_visible (self->bottom, FALSE);
  set_surroundings_visible (self, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "weir-presenter");
  gtk_widget_set_visible (self->key_display, TRUE);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->stage), GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (self->lesson_panel, TEXT_WIDTH, -1);
  weir_lesson_panel_set_beside (WEIR_LESSON_PANEL (self->lesson_panel), TRUE);
  presenting->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (presenting->keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (presenting->keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), presenting->keys);
  presenting->resized = g_signal_connect_swapped (self->lesson_panel, "notify::visible",
                                                  G_CALLBACK (fit_soon), self);
  if (toplevel != NULL)
    gtk_window_fullscreen (toplevel);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  fit_soon (self);
}

static void
end (WeirEditor *self)
{
  g_autofree WeirPresenting *presenting = g_steal_pointer (&self->presenting);
  GtkWindow *toplevel = weir_editor_get_toplevel (self);

  g_clear_handle_id (&presenting->fit, g_source_remove);
  g_clear_signal_handler (&presenting->resized, self->lesson_panel);
  gtk_widget_remove_controller (GTK_WIDGET (self), presenting->keys);
  gtk_widget_remove_css_class (GTK_WIDGET (self), "weir-presenter");
  gtk_widget_set_visible (self->key_display, FALSE);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->stage), GTK_ORIENTATION_VERTICAL);
  gtk_widget_set_size_request (self->lesson_panel, -1, -1);
  weir_lesson_panel_set_beside (WEIR_LESSON_PANEL (self->lesson_panel), FALSE);
  set_surroundings_visible (self, TRUE);
  gtk_widget_set_visible (self->left, presenting->left);
  gtk_widget_set_visible (self->right, presenting->right);
  gtk_widget_set_visible (self->bottom, presenting->bottom);
  if (toplevel != NULL && !presenting->was_fullscreen)
    gtk_window_unfullscreen (toplevel);
}

void
weir_editor_present (WeirEditor *self, gboolean on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "presenter");

  if (on == (self->presenting != NULL))
    return;
  if (on)
    begin (self);
  else
    end (self);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
}

static void
toggle (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_editor_present (data, g_variant_get_boolean (value));
}

static const GActionEntry entries[] = {
  { .name = "presenter", .state = "false", .change_state = toggle },
};

void
weir_editor_add_present (WeirEditor *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
}

void
weir_editor_remove_present (WeirEditor *self)
{
  if (self->presenting == NULL)
    return;
  g_clear_handle_id (&self->presenting->fit, g_source_remove);
  g_clear_signal_handler (&self->presenting->resized, self->lesson_panel);
  g_clear_pointer (&self->presenting, g_free);
}
