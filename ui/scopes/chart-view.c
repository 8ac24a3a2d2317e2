/* WeirChartView. See chart-view.h. */
#include "scopes/chart-view.h"

#include <math.h>

#include "widgets/look.h"

#define ZOOM_STEP 1.2
#define LEAST_WIDTH 110. /* pixels */
#define LEAST_HEIGHT 150.

struct _WeirChartView {
  GtkWidget parent;
  WeirChart *chart;
  double pointer_x, pointer_y;
  double dragged_x, dragged_y; /* so far, of what was panned */
  gboolean grabs;
};

G_DEFINE_FINAL_TYPE (WeirChartView, weir_chart_view, GTK_TYPE_WIDGET)

static guint grabbed_signal;

WeirChart *
weir_chart_view_get_chart (WeirChartView *self)
{
  g_return_val_if_fail (WEIR_IS_CHART_VIEW (self), NULL);

  return self->chart;
}

/* The cursor's text is part of the picture, so a screen reader gets it as the description. */
void
weir_chart_view_changed (WeirChartView *self)
{
  g_autofree char *text = NULL;

  g_return_if_fail (WEIR_IS_CHART_VIEW (self));

  text = weir_chart_dup_cursor_text (self->chart);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : "", -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_chart_view_set_title (WeirChartView *self, const char *title)
{
  g_return_if_fail (WEIR_IS_CHART_VIEW (self));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

void
weir_chart_view_set_grabs (WeirChartView *self, gboolean grabs)
{
  g_return_if_fail (WEIR_IS_CHART_VIEW (self));

  self->grabs = grabs;
}

static void
paint (gpointer chart, cairo_t *cr, double width, double height, const WeirPalette *palette)
{
  weir_chart_draw (chart, cr, width, height, palette);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  weir_look_snapshot (widget, snapshot, paint, WEIR_CHART_VIEW (widget)->chart);
}

/* Of less nothing could be read, the larger the texts are the more. */
static void
measure (GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int for_size, int *minimum,
         int *natural, int *minimum_baseline, int *natural_baseline)
{
  double scale = weir_look_get_text_scale (widget);

  *minimum = (int) ((orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : LEAST_HEIGHT)
                    * scale);
  *natural = *minimum;
  *minimum_baseline = *natural_baseline = -1;
}

/* --- Moving around --------------------------------------------------------------------------- */

static double
get_scale (WeirChartView *self)
{
  return weir_look_get_text_scale (GTK_WIDGET (self));
}

static void
motion (G_GNUC_UNUSED GtkEventControllerMotion *controller, double x, double y, WeirChartView *self)
{
  double scale = get_scale (self);

  self->pointer_x = x / scale;
  self->pointer_y = y / scale;
  weir_chart_point_at (self->chart, self->pointer_x, self->pointer_y);
  weir_chart_view_changed (self);
}

static void
leave (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirChartView *self)
{
  weir_chart_clear_cursor (self->chart);
  weir_chart_view_changed (self);
}

static gboolean
scroll (G_GNUC_UNUSED GtkEventControllerScroll *controller, G_GNUC_UNUSED double dx, double dy,
        WeirChartView *self)
{
  weir_chart_zoom (self->chart, self->pointer_x, self->pointer_y, pow (ZOOM_STEP, dy));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return GDK_EVENT_STOP;
}

static void
tell_grabbed (WeirChartView *self, double x, double y)
{
  guint panel;
  double at_x, at_y;

  if (weir_chart_from_position (self->chart, x, y, &panel, &at_x, &at_y))
    g_signal_emit (self, grabbed_signal, 0, at_x, at_y);
}

static void
drag_begin (G_GNUC_UNUSED GtkGestureDrag *gesture, double x, double y, WeirChartView *self)
{
  double scale = get_scale (self);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->dragged_x = self->dragged_y = 0;
  if (self->grabs)
    tell_grabbed (self, x / scale, y / scale);
}

static void
drag_update (GtkGestureDrag *gesture, double dx, double dy, WeirChartView *self)
{
  double x, y, scale = get_scale (self);

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->grabs)
    {
      tell_grabbed (self, (x + dx) / scale, (y + dy) / scale);
      return;
    }
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  weir_chart_pan (self->chart, x / scale, y / scale, (dx - self->dragged_x) / scale,
                  (dy - self->dragged_y) / scale);
  self->dragged_x = dx;
  self->dragged_y = dy;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
fit (WeirChartView *self)
{
  weir_chart_fit (self->chart);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pressed (G_GNUC_UNUSED GtkGestureClick *gesture, int n_press, G_GNUC_UNUSED double x,
         G_GNUC_UNUSED double y, WeirChartView *self)
{
  if (n_press == 2)
    fit (self);
}

static void
zoom_middle (WeirChartView *self, double factor)
{
  double scale = get_scale (self);
  double x = gtk_widget_get_width (GTK_WIDGET (self)) / scale / 2;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) / scale;

  for (double share = .5; share > 0; share -= .2)
    if (weir_chart_zoom (self->chart, x, height * share, factor))
      break;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirChartView *self)
{
  int step = (state & GDK_SHIFT_MASK) != 0 ? 10 : 1;

  switch (key)
    {
    case GDK_KEY_Left:
      weir_chart_move_cursor (self->chart, -step, 0);
      break;
    case GDK_KEY_Right:
      weir_chart_move_cursor (self->chart, step, 0);
      break;
    case GDK_KEY_Up:
      weir_chart_move_cursor (self->chart, 0, -1);
      break;
    case GDK_KEY_Down:
      weir_chart_move_cursor (self->chart, 0, 1);
      break;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom_middle (self, 1 / ZOOM_STEP);
      break;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom_middle (self, ZOOM_STEP);
      break;
    case GDK_KEY_Home:
      fit (self);
      break;
    default:
      return GDK_EVENT_PROPAGATE;
    }
  weir_chart_view_changed (self);
  return GDK_EVENT_STOP;
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirChartView *self = WEIR_CHART_VIEW (object);

  g_clear_pointer (&self->chart, weir_chart_free);
  G_OBJECT_CLASS (weir_chart_view_parent_class)->dispose (object);
}

static void
weir_chart_view_class_init (WeirChartViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-plot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  grabbed_signal = g_signal_new ("grabbed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_controller (WeirChartView *self, gpointer controller)
{
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

static void
weir_chart_view_init (WeirChartView *self)
{
  GtkEventController *controller;
  GtkGesture *gesture;

  self->chart = weir_chart_new ();
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi",
                           G_CALLBACK (gtk_widget_queue_resize), self, G_CONNECT_SWAPPED);
  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "motion", G_CALLBACK (motion), self);
  g_signal_connect (controller, "leave", G_CALLBACK (leave), self);
  add_controller (self, controller);
  controller = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  g_signal_connect (controller, "scroll", G_CALLBACK (scroll), self);
  add_controller (self, controller);
  controller = gtk_event_controller_key_new ();
  g_signal_connect (controller, "key-pressed", G_CALLBACK (key_pressed), self);
  add_controller (self, controller);
  gesture = gtk_gesture_drag_new ();
  g_signal_connect (gesture, "drag-begin", G_CALLBACK (drag_begin), self);
  g_signal_connect (gesture, "drag-update", G_CALLBACK (drag_update), self);
  add_controller (self, gesture);
  gesture = gtk_gesture_click_new ();
  g_signal_connect (gesture, "pressed", G_CALLBACK (pressed), self);
  add_controller (self, gesture);
}

GtkWidget *
weir_chart_view_new (void)
{
  return g_object_new (WEIR_TYPE_CHART_VIEW, NULL);
}
