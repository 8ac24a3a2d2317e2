/* See controllers.h. */
#include "widgets/controllers.h"

static void
follow (GtkWidget *widget, gpointer controller, const char *signal, GCallback callback)
{
  if (callback != NULL)
    g_signal_connect (controller, signal, callback, widget);
}

void
weir_view_add_controllers (GtkWidget *widget, GtkEventControllerScrollFlags axes,
                           const WeirViewCallbacks *callbacks)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (axes);
  GtkEventController *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  follow (widget, motion, "enter", callbacks->enter);
  follow (widget, motion, "motion", callbacks->motion);
  follow (widget, motion, "leave", callbacks->leave);
  follow (widget, scroll, "scroll", callbacks->scroll);
  follow (widget, key, "key-pressed", callbacks->key_pressed);
  follow (widget, drag, "drag-begin", callbacks->drag_begin);
  follow (widget, drag, "drag-update", callbacks->drag_update);
  follow (widget, drag, "drag-end", callbacks->drag_end);
  follow (widget, click, "pressed", callbacks->pressed);
  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, key);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}
