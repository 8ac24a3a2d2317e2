/* WeirChartView. See chart-view.h. */
#include "scopes/chart-view.h"

#include <math.h>

#include "widgets/controllers.h"
#include "widgets/look.h"

#define ZOOM_STEP 1.2

struct _WeirChartView {
  GtkWidget parent;
  WeirChart *chart;
  double pointer_x, pointer_y;
  double dragged_x, dragged_y;      /* so far, of what was panned */
  double least_width, least_height; /* of the chart */
  gboolean grabs, brushes;
  gboolean is_brushing; /* by a box, which the pointer draws */
  gboolean has_anchor;
  WeirChartBox anchor; /* what was chosen last by a key */
};

G_DEFINE_FINAL_TYPE (WeirChartView, weir_chart_view, GTK_TYPE_WIDGET)

static guint grabbed_signal, brushed_signal;

WeirChart *
weir_chart_view_get_chart (WeirChartView *self)
{
  g_return_val_if_fail (WEIR_IS_CHART_VIEW (self), NULL);

  return self->chart;
}

/* The cursor's text is part of the picture, so a screen reader gets it as the description; without
 * a cursor, what there is. */
void
weir_chart_view_changed (WeirChartView *self)
{
  g_autofree char *text = NULL;
  double width, height;

  g_return_if_fail (WEIR_IS_CHART_VIEW (self));

  weir_chart_get_least_size (self->chart, &width, &height);
  if (width != self->least_width || height != self->least_height)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->least_width = width;
  self->least_height = height;
  text = weir_chart_dup_cursor_text (self->chart);
  if (text == NULL)
    text = weir_chart_dup_summary (self->chart);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
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

void
weir_chart_view_set_brushes (WeirChartView *self, gboolean brushes)
{
  g_return_if_fail (WEIR_IS_CHART_VIEW (self));

  self->brushes = brushes;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS,
                                  brushes ? "Space Control+Space Shift+Space Escape" : "", -1);
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
  double scale = weir_look_get_text_scale (widget), width, height;

  weir_chart_get_least_size (WEIR_CHART_VIEW (widget)->chart, &width, &height);
  *minimum = (int) ((orientation == GTK_ORIENTATION_HORIZONTAL ? width : height) * scale);
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
tell_brushed (WeirChartView *self, const WeirChartBox *box, WeirChartBrush how)
{
  g_signal_emit (self, brushed_signal, 0, box, how);
}

static GdkModifierType
get_modifiers (GtkGestureDrag *gesture)
{
  return gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
}

static void
drag_begin (GtkGestureDrag *gesture, double x, double y, WeirChartView *self)
{
  double scale = get_scale (self);

  self->dragged_x = self->dragged_y = 0;
  self->is_brushing = self->brushes && (get_modifiers (gesture) & GDK_CONTROL_MASK) != 0;
  if (self->grabs)
    tell_grabbed (self, x / scale, y / scale);
}

/* What the pointer has drawn so far. */
static gboolean
show_box (WeirChartView *self, double x, double y, double dx, double dy)
{
  double scale = get_scale (self);
  WeirChartBox box;
  gboolean is_in_panel = weir_chart_get_box (self->chart, x / scale, y / scale, (x + dx) / scale,
                                             (y + dy) / scale, &box);

  weir_chart_show_box (self->chart, is_in_panel ? &box : NULL);
  self->dragged_x = dx;
  self->dragged_y = dy;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  return is_in_panel;
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
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy)
      && self->dragged_x == 0 && self->dragged_y == 0)
    return;
  if (self->is_brushing)
    {
      show_box (self, x, y, dx, dy);
      return;
    }
  weir_chart_pan (self->chart, x / scale, y / scale, (dx - self->dragged_x) / scale,
                  (dy - self->dragged_y) / scale);
  self->dragged_x = dx;
  self->dragged_y = dy;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A drag that has not moved is a click. Focus, which may scroll what the chart is in, is taken only
 * where nothing is dragged any more. */
static void
drag_end (GtkGestureDrag *gesture, double dx, double dy, WeirChartView *self)
{
  gboolean adds = (get_modifiers (gesture) & GDK_SHIFT_MASK) != 0;
  double x, y, scale = get_scale (self);
  WeirChartBox box;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!self->brushes || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (self->dragged_x == 0 && self->dragged_y == 0)
    {
      if (weir_chart_point_at (self->chart, x / scale, y / scale)
          && weir_chart_get_cursor_box (self->chart, &box))
        tell_brushed (self, &box,
                      self->is_brushing ? WEIR_CHART_BRUSH_TOGGLE : WEIR_CHART_BRUSH_ONLY);
    }
  else if (self->is_brushing)
    {
      weir_chart_show_box (self->chart, NULL);
      if (weir_chart_get_box (self->chart, x / scale, y / scale, (x + dx) / scale, (y + dy) / scale,
                              &box))
        tell_brushed (self, &box, adds ? WEIR_CHART_BRUSH_ADD : WEIR_CHART_BRUSH_ONLY);
    }
  self->is_brushing = FALSE;
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

/* From what was chosen last so to the cursor. */
static void
brush_span (WeirChartView *self, const WeirChartBox *box, gboolean adds)
{
  WeirChartBox span = self->anchor;

  for (int a = 0; a < 2; a++)
    {
      span.ends[a][0] = MIN (span.ends[a][0], box->ends[a][0]);
      span.ends[a][1] = MAX (span.ends[a][1], box->ends[a][1]);
    }
  tell_brushed (self, &span, adds ? WEIR_CHART_BRUSH_ADD : WEIR_CHART_BRUSH_ONLY);
}

static void
brush_at_cursor (WeirChartView *self, GdkModifierType state)
{
  gboolean adds = (state & GDK_CONTROL_MASK) != 0;
  WeirChartBox box;

  if (!weir_chart_get_cursor_box (self->chart, &box))
    return;
  if ((state & GDK_SHIFT_MASK) != 0 && self->has_anchor && self->anchor.panel == box.panel)
    {
      brush_span (self, &box, adds);
      return;
    }
  self->has_anchor = TRUE;
  self->anchor = box;
  tell_brushed (self, &box, adds ? WEIR_CHART_BRUSH_TOGGLE : WEIR_CHART_BRUSH_ONLY);
}

static gboolean
press_brush_key (WeirChartView *self, guint key, GdkModifierType state)
{
  if (!self->brushes)
    return GDK_EVENT_PROPAGATE;
  if (key == GDK_KEY_space || key == GDK_KEY_KP_Space)
    brush_at_cursor (self, state);
  else if (key == GDK_KEY_Escape)
    tell_brushed (self, NULL, WEIR_CHART_BRUSH_ONLY);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
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
      return press_brush_key (self, key, state);
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
  brushed_signal = g_signal_new ("brushed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_UINT);
}

static void
weir_chart_view_init (WeirChartView *self)
{
  self->chart = weir_chart_new ();
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi",
                           G_CALLBACK (gtk_widget_queue_resize), self, G_CONNECT_SWAPPED);
  weir_view_add_controllers (GTK_WIDGET (self), GTK_EVENT_CONTROLLER_SCROLL_VERTICAL,
                             &(WeirViewCallbacks) {
                                 .motion = G_CALLBACK (motion),
                                 .leave = G_CALLBACK (leave),
                                 .scroll = G_CALLBACK (scroll),
                                 .key_pressed = G_CALLBACK (key_pressed),
                                 .drag_begin = G_CALLBACK (drag_begin),
                                 .drag_update = G_CALLBACK (drag_update),
                                 .drag_end = G_CALLBACK (drag_end),
                                 .pressed = G_CALLBACK (pressed),
                             });
}

GtkWidget *
weir_chart_view_new (void)
{
  return g_object_new (WEIR_TYPE_CHART_VIEW, NULL);
}
