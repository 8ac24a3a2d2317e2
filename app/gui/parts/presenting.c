/* WeirPresenting: full screen with nothing but the diagram and what is said about it, large enough
 * for the last row, and the keys of a slide remote.
 *
 * Page Down goes on: to the next beat while slow motion has one, to the answer of a question, to
 * the next step of the lesson; Page Up goes back. Escape ends it, and everything lies as before.
 * Keys and clicks are shown (key-display.h). Thread: *main*.
 */
#include "cache/slow-bar.h"
#include "gui/host/key-display.h"
#include "gui/host/part.h"
#include "panels/lesson-panel.h"

#define TEXT_WIDTH 440 /* pixels, beside the diagram */
#define LARGEST_ZOOM 2.5

G_DECLARE_FINAL_TYPE (WeirPresenting, weir_presenting, WEIR, PRESENTING, WeirPart)

struct _WeirPresenting {
  WeirPart parent;
  GtkWidget *key_display;
  GtkWidget *text; /* the lesson panel; borrowed; NULL: there is none, or nobody presents */
  GtkEventController *keys; /* NULL while nobody presents; borrowed */
  gboolean was_fullscreen;
  guint fit; /* source that fits the diagram once the window has its size */
  gulong resized;
};

G_DEFINE_FINAL_TYPE (WeirPresenting, weir_presenting, WEIR_TYPE_PART)

static void present (WeirPresenting *self, gboolean on);

static gboolean
activate (WeirPresenting *self, const char *name)
{
  GActionGroup *actions = G_ACTION_GROUP (weir_host_get_actions (self->parent.host));

  if (!g_action_group_get_action_enabled (actions, name))
    return FALSE;
  weir_host_activate (self->parent.host, name);
  return TRUE;
}

static void
go (WeirPresenting *self, int by)
{
  WeirSlowBar *bar = weir_host_find (self->parent.host, WEIR_TYPE_SLOW_BAR);
  WeirSlowMotion *motion = bar != NULL && gtk_widget_get_visible (GTK_WIDGET (bar))
                               ? weir_slow_bar_get_motion (bar)
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
key_pressed (WeirPresenting *self, guint key, G_GNUC_UNUSED guint code,
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
      present (self, FALSE);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static gboolean
fit (gpointer data)
{
  WeirPresenting *self = data;

  self->fit = 0;
  weir_canvas_fit (self->parent.canvas, LARGEST_ZOOM);
  return G_SOURCE_REMOVE;
}

static void
fit_soon (WeirPresenting *self)
{
  if (self->fit == 0)
    self->fit = g_timeout_add (150, fit, self);
}

static void
begin (WeirPresenting *self)
{
  WeirHost *host = self->parent.host;
  GtkWindow *toplevel = weir_host_get_toplevel (host);

  self->was_fullscreen = toplevel != NULL && gtk_window_is_fullscreen (toplevel);
  weir_host_set_bare (host, TRUE);
  gtk_widget_set_visible (self->key_display, TRUE);
  self->text = weir_host_find (host, WEIR_TYPE_LESSON_PANEL);
  if (self->text != NULL)
    {
      gtk_widget_set_size_request (self->text, TEXT_WIDTH, -1);
      weir_lesson_panel_set_beside (WEIR_LESSON_PANEL (self->text), TRUE);
      self->resized = g_signal_connect_swapped (self->text, "notify::visible",
                                                G_CALLBACK (fit_soon), self);
    }
  self->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (self->keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (self->keys, "key-pressed", G_CALLBACK (key_pressed), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (host), self->keys);
  if (toplevel != NULL)
    gtk_window_fullscreen (toplevel);
  gtk_widget_grab_focus (GTK_WIDGET (self->parent.canvas));
  fit_soon (self);
}

static void
end (WeirPresenting *self)
{
  WeirHost *host = self->parent.host;
  GtkWindow *toplevel = weir_host_get_toplevel (host);

  g_clear_handle_id (&self->fit, g_source_remove);
  gtk_widget_remove_controller (GTK_WIDGET (host), self->keys);
  self->keys = NULL;
  gtk_widget_set_visible (self->key_display, FALSE);
  if (self->text != NULL)
    {
      g_clear_signal_handler (&self->resized, self->text);
      gtk_widget_set_size_request (self->text, -1, -1);
      weir_lesson_panel_set_beside (WEIR_LESSON_PANEL (self->text), FALSE);
    }
  self->text = NULL;
  weir_host_set_bare (host, FALSE);
  if (toplevel != NULL && !self->was_fullscreen)
    gtk_window_unfullscreen (toplevel);
}

static void
present (WeirPresenting *self, gboolean on)
{
  if (on == (self->keys != NULL))
    return;
  if (on)
    begin (self);
  else
    end (self);
  weir_host_set_state (self->parent.host, "presenter", g_variant_new_boolean (on));
}

static void
toggle (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  present (data, g_variant_get_boolean (value));
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "presenter",
                                      .state = "false",
                                      .change_state = toggle };
  WeirPresenting *self = WEIR_PRESENTING (object);

  G_OBJECT_CLASS (weir_presenting_parent_class)->constructed (object);
  weir_part_add_actions (&self->parent, &entry, 1);
  self->key_display = weir_key_display_new ();
  gtk_widget_set_visible (self->key_display, FALSE);
  weir_host_add_widget (self->parent.host, WEIR_SLOT_OVER_ALL, self->key_display);
}

static void
dispose (GObject *object)
{
  WeirPresenting *self = WEIR_PRESENTING (object);

  g_clear_handle_id (&self->fit, g_source_remove);
  if (self->text != NULL)
    g_clear_signal_handler (&self->resized, self->text);
  self->text = NULL;
  G_OBJECT_CLASS (weir_presenting_parent_class)->dispose (object);
}

static void
weir_presenting_class_init (WeirPresentingClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_presenting_init (G_GNUC_UNUSED WeirPresenting *self)
{
}
