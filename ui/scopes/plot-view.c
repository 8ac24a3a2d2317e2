/* WeirPlotView. See plot-view.h. */
#include "scopes/plot-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/look.h"

#define ZOOM_STEP 1.2

struct _WeirPlotView {
  GtkWidget parent;
  WeirPlot *plot;
  double pointer_x, pointer_y;
  double drag_first, drag_last, drag_low, drag_high; /* ranges when a drag began */
};

G_DEFINE_FINAL_TYPE (WeirPlotView, weir_plot_view, GTK_TYPE_WIDGET)

enum { SIGNAL_CURSOR_MOVED, SIGNAL_RANGES_CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

WeirPlot *
weir_plot_view_get_plot (WeirPlotView *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_VIEW (self), NULL);

  return self->plot;
}

gboolean
weir_plot_view_update (WeirPlotView *self)
{
  gboolean changed;

  g_return_val_if_fail (WEIR_IS_PLOT_VIEW (self), FALSE);

  changed = weir_plot_update (self->plot);
  if (changed)
    gtk_widget_queue_draw (GTK_WIDGET (self));
  return changed;
}

/* The readout is part of the picture, so a screen reader gets it as the description. */
static void
describe_cursor (WeirPlotView *self)
{
  double time = weir_plot_get_cursor (self->plot), value;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!isnan (time))
    {
      g_string_append_printf (text, _ ("At %g s"), time);
      for (guint i = 0; i < weir_plot_get_n_curves (self->plot); i++)
        if (weir_plot_get_value_at (self->plot, i, time, &value))
          g_string_append_printf (text, ", %s = %g", weir_plot_get_curve_name (self->plot, i),
                                  value);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

void
weir_plot_view_set_cursor (WeirPlotView *self, double time)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_cursor (self->plot, time);
  describe_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is drawn is what the last update saw, new ranges included. */
static void
show_ranges (WeirPlotView *self)
{
  weir_plot_update (self->plot);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
tell_ranges (WeirPlotView *self)
{
  g_signal_emit (self, signals[SIGNAL_RANGES_CHANGED], 0);
}

void
weir_plot_view_fit (WeirPlotView *self)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_time_range (self->plot, 0, 0);
  weir_plot_set_value_range (self->plot, 0, 0);
  show_ranges (self);
  tell_ranges (self);
}

void
weir_plot_view_set_curve_visible (WeirPlotView *self, guint curve, gboolean visible)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_curve_visible (self->plot, curve, visible);
  show_ranges (self);
}

void
weir_plot_view_set_curve_right (WeirPlotView *self, guint curve, gboolean right)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_curve_right (self->plot, curve, right);
  show_ranges (self);
}

/* --- Drawing --------------------------------------------------------------------------------- */

/* It is drawn as large as the texts of the window are. */
static gboolean
from_position (WeirPlotView *self, double x, double y, double *time, double *value)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (self));

  return weir_plot_from_position (self->plot, x / scale, y / scale, time, value);
}

static void
paint (gpointer plot, cairo_t *cr, double width, double height, const WeirPalette *palette)
{
  weir_plot_draw (plot, cr, width, height, palette);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  weir_look_snapshot (widget, snapshot, paint, WEIR_PLOT_VIEW (widget)->plot);
}

/* --- Moving around --------------------------------------------------------------------------- */

static void
motion (G_GNUC_UNUSED GtkEventControllerMotion *controller, double x, double y, WeirPlotView *self)
{
  double time, value;

  self->pointer_x = x;
  self->pointer_y = y;
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0,
                 from_position (self, x, y, &time, &value) ? time : (double) NAN);
}

static void
leave (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirPlotView *self)
{
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, (double) NAN);
}

static void
zoom_time (WeirPlotView *self, double factor, double at)
{
  double first, last;

  weir_plot_get_time_range (self->plot, &first, &last);
  weir_plot_set_time_range (self->plot, at + (first - at) * factor, at + (last - at) * factor);
  show_ranges (self);
  tell_ranges (self);
}

static void
zoom_values (WeirPlotView *self, double factor, double at)
{
  double low, high;

  weir_plot_get_value_range (self->plot, &low, &high);
  weir_plot_set_value_range (self->plot, at + (low - at) * factor, at + (high - at) * factor);
  show_ranges (self);
  tell_ranges (self);
}

static gboolean
scroll (GtkEventControllerScroll *controller, double dx, double dy, WeirPlotView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  double time, value;
  double factor = pow (ZOOM_STEP, (state & GDK_SHIFT_MASK) != 0 && dy == 0 ? dx : dy);

  from_position (self, self->pointer_x, self->pointer_y, &time, &value);
  if ((state & GDK_SHIFT_MASK) != 0)
    zoom_values (self, factor, value);
  else
    zoom_time (self, factor, time);
  return GDK_EVENT_STOP;
}

static void
drag_begin (G_GNUC_UNUSED GtkGestureDrag *gesture, G_GNUC_UNUSED double x, G_GNUC_UNUSED double y,
            WeirPlotView *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  weir_plot_get_time_range (self->plot, &self->drag_first, &self->drag_last);
  weir_plot_get_value_range (self->plot, &self->drag_low, &self->drag_high);
}

static void
drag_update (GtkGestureDrag *gesture, double dx, double dy, WeirPlotView *self)
{
  double x, y, t0, t1, v0, v1;

  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  /* Panning keeps the scale, so that distances are the same in the ranges that are shown. */
  from_position (self, x, y, &t0, &v0);
  from_position (self, x + dx, y + dy, &t1, &v1);
  weir_plot_set_time_range (self->plot, self->drag_first - (t1 - t0), self->drag_last - (t1 - t0));
  weir_plot_set_value_range (self->plot, self->drag_low - (v1 - v0), self->drag_high - (v1 - v0));
  show_ranges (self);
}

static void
drag_end (G_GNUC_UNUSED GtkGestureDrag *gesture, double dx, double dy, WeirPlotView *self)
{
  if (gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    tell_ranges (self);
}

static void
pressed (G_GNUC_UNUSED GtkGestureClick *gesture, int n_press, G_GNUC_UNUSED double x,
         G_GNUC_UNUSED double y, WeirPlotView *self)
{
  if (n_press == 2)
    weir_plot_view_fit (self);
}

static void
move_cursor (WeirPlotView *self, double by)
{
  double first, last, time = weir_plot_get_cursor (self->plot);

  weir_plot_get_time_range (self->plot, &first, &last);
  if (isnan (time))
    time = (first + last) / 2;
  else
    time = CLAMP (time + by * (last - first), first, last);
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, time);
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirPlotView *self)
{
  double first, last, middle, step = (state & GDK_SHIFT_MASK) != 0 ? 0.1 : 0.01;

  weir_plot_get_time_range (self->plot, &first, &last);
  middle = isnan (weir_plot_get_cursor (self->plot)) ? (first + last) / 2
                                                     : weir_plot_get_cursor (self->plot);
  switch (key)
    {
    case GDK_KEY_Left:
      move_cursor (self, -step);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
      move_cursor (self, step);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom_time (self, 1 / ZOOM_STEP, middle);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom_time (self, ZOOM_STEP, middle);
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
      weir_plot_view_fit (self);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirPlotView *self = WEIR_PLOT_VIEW (object);

  g_clear_pointer (&self->plot, weir_plot_free);
  G_OBJECT_CLASS (weir_plot_view_parent_class)->dispose (object);
}

static void
weir_plot_view_class_init (WeirPlotViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SIGNAL_CURSOR_MOVED] = g_signal_new ("cursor-moved", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               1, G_TYPE_DOUBLE);
  signals[SIGNAL_RANGES_CHANGED] = g_signal_new ("ranges-changed", G_TYPE_FROM_CLASS (klass),
                                                 G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                                 G_TYPE_NONE, 0);
}

static void
weir_plot_view_init (WeirPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *controller;
  GtkGesture *gesture;

  self->plot = weir_plot_new ();
  /* Names are in the head of the plot; the legend inside it only reads out values. */
  weir_plot_set_legend_at_cursor (self->plot, TRUE);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_size_request (widget, 280, 140);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));

  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "enter", G_CALLBACK (motion), self);
  g_signal_connect (controller, "motion", G_CALLBACK (motion), self);
  g_signal_connect (controller, "leave", G_CALLBACK (leave), self);
  gtk_widget_add_controller (widget, controller);

  controller = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect (controller, "scroll", G_CALLBACK (scroll), self);
  gtk_widget_add_controller (widget, controller);

  controller = gtk_event_controller_key_new ();
  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (widget, controller);

  gesture = gtk_gesture_drag_new ();
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (drag_update), self);
  g_signal_connect (gesture, "drag-end", G_CALLBACK (drag_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));

  gesture = gtk_gesture_click_new ();
  g_signal_connect (gesture, "pressed", G_CALLBACK (pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (gesture));
}

GtkWidget *
weir_plot_view_new (const char *title)
{
  WeirPlotView *self = g_object_new (WEIR_TYPE_PLOT_VIEW, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return GTK_WIDGET (self);
}
