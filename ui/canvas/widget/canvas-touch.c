/* Fingers, on a screen or a touchpad: two of them pan and zoom together, at the point between them;
 * what was thrown goes on for a moment; a long press opens the menu. One finger on a screen does
 * what the primary button does, with larger targets.
 */
#include <math.h>

#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-ground.h"

#define DRAG 4.0         /* a second: how fast coasting slows down */
#define LEAST_SPEED 12.0 /* pixels a second; slower is standing still */

/* --- Two fingers ----------------------------------------------------------------------------- */

/* What is being dragged stays under the pointer. */
static void
follow (WeirCanvas *self)
{
  weir_canvas_view_changed (self);
  if (weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE && !weir_tool_is_by_keyboard (self->tool))
    weir_canvas_move_tool (self, 0);
}

/* Between the fingers. */
static WeirPoint
get_center (GtkGesture *gesture, WeirPoint fallback)
{
  WeirPoint center = fallback;

  if (gtk_gesture_is_recognized (gesture))
    gtk_gesture_get_bounding_box_center (gesture, &center.x, &center.y);
  return center;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, WeirCanvas *self)
{
  WeirToolState state = weir_tool_get_state (self->tool);

  weir_canvas_stop_coasting (self);
  self->pinch_scale = 1;
  self->pinch_center = get_center (gesture, self->pointer);
  /* The first finger was no press: it only came down before the second. */
  if (weir_canvas_is_finger (gesture) && (state == WEIR_TOOL_PRESSED || state == WEIR_TOOL_BANDING))
    {
      weir_tool_cancel (self->tool);
      self->dragging = FALSE;
      weir_canvas_update (self);
    }
}

static void
on_pinch_moved (GtkGesture *gesture, GdkEventSequence *sequence, WeirCanvas *self)
{
  WeirPoint center = get_center (gesture, self->pinch_center);

  if (center.x == self->pinch_center.x && center.y == self->pinch_center.y)
    return;
  weir_viewport_pan (&self->viewport, center.x - self->pinch_center.x,
                     center.y - self->pinch_center.y);
  self->pinch_center = center;
  follow (self);
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, WeirCanvas *self)
{
  weir_viewport_zoom_at (&self->viewport, self->pinch_center, scale / self->pinch_scale);
  self->pinch_scale = scale;
  follow (self);
}

/* --- Coasting -------------------------------------------------------------------------------- */

static gboolean
on_coast_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  gint64 time = gdk_frame_clock_get_frame_time (clock);
  double seconds = self->coast_time == 0 ? 0 : (double) (time - self->coast_time) / G_USEC_PER_SEC;
  double slower = exp (-DRAG * seconds);

  /* The way of a speed that falls exponentially. */
  weir_viewport_pan (&self->viewport, -self->coast_speed.x * (1 - slower) / DRAG,
                     -self->coast_speed.y * (1 - slower) / DRAG);
  self->coast_time = time;
  self->coast_speed.x *= slower;
  self->coast_speed.y *= slower;
  follow (self);
  if (hypot (self->coast_speed.x, self->coast_speed.y) >= LEAST_SPEED)
    return G_SOURCE_CONTINUE;
  self->coast_tick = 0;
  return G_SOURCE_REMOVE;
}

/* Who wants no motion gets none. */
static void
on_decelerate (GtkEventControllerScroll *scroll, double vx, double vy, WeirCanvas *self)
{
  weir_canvas_stop_coasting (self);
  if (!adw_get_enable_animations (GTK_WIDGET (self)) || hypot (vx, vy) < LEAST_SPEED)
    return;
  self->coast_speed = (WeirPoint) { vx, vy };
  self->coast_time = 0;
  self->coast_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_coast_tick, NULL, NULL);
}

/* --- A long press ---------------------------------------------------------------------------- */

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, WeirCanvas *self)
{
  weir_tool_cancel (self->tool);
  self->dragging = FALSE;
  weir_canvas_show_menu (self, (WeirPoint) { x, y });
}

void
weir_canvas_add_touch (WeirCanvas *self, GtkEventController *scroll)
{
  GtkEventController *c = GTK_EVENT_CONTROLLER (gtk_gesture_zoom_new ());

  g_signal_connect (scroll, "decelerate", G_CALLBACK (on_decelerate), self);

  gtk_event_controller_set_static_name (c, "pinch");
  gtk_widget_add_controller (GTK_WIDGET (self), c);
  g_signal_connect (c, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (c, "update", G_CALLBACK (on_pinch_moved), self);
  g_signal_connect (c, "scale-changed", G_CALLBACK (on_pinch), self);

  c = GTK_EVENT_CONTROLLER (gtk_gesture_long_press_new ());
  gtk_event_controller_set_static_name (c, "long-press");
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (c), TRUE);
  gtk_widget_add_controller (GTK_WIDGET (self), c);
  g_signal_connect (c, "pressed", G_CALLBACK (on_long_press), self);
}
