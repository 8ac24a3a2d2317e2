/* WeirPlotView. See plot-view.h. */
#include "scopes/plot-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "scopes/plot-seeker.h"
#include "widgets/controllers.h"
#include "widgets/look.h"

#define ZOOM_STEP 1.2
#define MANY_SAMPLES 10 /* that a cursor goes with Shift */

#define CURVE_REACH 12.0 /* pixels: a click so near to a curve is on it */
#define MIN_BOX 8.0      /* pixels: a box that is lower or narrower says nothing about that axis */
#define MAX_BEFORE 32

/* As they are set: the first not below the second: it follows the data. */
typedef struct {
  double axes[WEIR_N_PLOT_AXES][2];
} Ranges;

typedef enum { DRAG_PANS, DRAG_CURSOR, DRAG_ACROSS, DRAG_BOX } Drag;

struct _WeirPlotView {
  GtkWidget parent;
  WeirPlot *plot;
  double pointer_x, pointer_y;
  WeirAxis drag_axes[WEIR_N_PLOT_AXES]; /* when a drag began */
  Drag drag;
  graphene_rect_t box; /* of such a drag; of no size: none */
  GArray *before;      /* Ranges that were shown, the last one last */
  gboolean is_panning, asks;
  gboolean is_wheeling;  /* what the wheel does is gone back over at once */
  guint dragged;         /* cursor to measure with; WEIR_N_CURSORS: none */
  guint active;          /* the one of them that keys move */
  guint active_across;   /* the same of those at values, */
  gboolean moves_across; /* which arrows up and down move */
  guint sought;          /* the curve whose peaks and crossings keys go to */
  WeirPlotSeeker *seeker;
};

G_DEFINE_FINAL_TYPE (WeirPlotView, weir_plot_view, GTK_TYPE_WIDGET)

enum {
  SIGNAL_CURSOR_MOVED,
  SIGNAL_MEASURING_MOVED,
  SIGNAL_ACROSS_MOVED,
  SIGNAL_AXES_CHANGED,
  SIGNAL_CURVE_CHOSEN,
  SIGNAL_ASKING_ENDED,
  N_SIGNALS,
};
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

/* "Cursor A at 1.5 s, Gain.y = 3 (interpolated)"; @cursor: NULL: the pointer's. */
static void
append_readout (WeirPlotView *self, GString *text, const char *cursor, double time)
{
  if (isnan (time))
    return;
  if (text->len > 0)
    g_string_append (text, ". ");
  if (cursor == NULL)
    g_string_append_printf (text, _ ("At %g s"), time);
  else /* Translators: "A" or "B", and a time */
    g_string_append_printf (text, _ ("Cursor %s at %g s"), cursor, time);
  for (guint i = 0; i < weir_plot_get_n_curves (self->plot); i++)
    {
      gboolean is_sample;
      double value;

      if (!weir_plot_get_curve_visible (self->plot, i)
          || !weir_plot_read (self->plot, i, time, &value, &is_sample))
        continue;
      g_string_append_printf (text, ", %s = %g", weir_plot_get_curve_name (self->plot, i), value);
      if (weir_plot_get_curve_unit (self->plot, i) != NULL)
        g_string_append_printf (text, " %s", weir_plot_get_curve_unit (self->plot, i));
      if (!is_sample)
        g_string_append_printf (text, " (%s)", _ ("interpolated"));
    }
}

/* Which axes are not what a listener would take them for. */
static void
append_axes (WeirPlotView *self, GString *text)
{
  static const char *const names[WEIR_N_PLOT_AXES] = {
    N_ ("Time is logarithmic"), N_ ("Values are logarithmic"),
    N_ ("Values on the right are logarithmic"), N_ ("Values second on the right are logarithmic"),
    N_ ("Values third on the right are logarithmic")
  };
  const char *note = weir_plot_get_gap_note (self->plot);

  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    if (weir_plot_is_log (self->plot, axis) && weir_plot_has_axis (self->plot, axis))
      g_string_append_printf (text, "%s%s", text->len > 0 ? ". " : "", _ (names[axis]));
  if (note != NULL)
    g_string_append_printf (text, ". %s", note);
}

/* "Cursor Y1 at 1, cursor Y2 at 3, difference 2" */
static void
append_across (WeirPlotView *self, GString *text)
{
  double difference = weir_plot_get_value_difference (self->plot);

  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    if (!isnan (weir_plot_get_value_cursor (self->plot, i)))
      {
        g_string_append (text, text->len > 0 ? ". " : "");
        /* Translators: "Y1" or "Y2", and a value */
        g_string_append_printf (text, _ ("Cursor %s at %g"), weir_value_cursor_names[i],
                                weir_plot_get_value_cursor (self->plot, i));
      }
  if (!isnan (difference))
    g_string_append_printf (text, _ (", difference %g"), difference);
}

static gboolean is_measuring (WeirPlotView *self);
static gboolean is_across (WeirPlotView *self);

/* The readout is part of the picture, so a screen reader gets it as the description; without any
 * cursor, what is to be seen. */
static void
describe_cursor (WeirPlotView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_axes (self, text);
  if (weir_plot_get_verdict (self->plot) != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? ". " : "",
                            weir_plot_get_verdict (self->plot));
  append_readout (self, text, NULL, weir_plot_get_cursor (self->plot));
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    append_readout (self, text, weir_cursor_names[i], weir_plot_get_measuring (self->plot, i));
  append_across (self, text);
  if (isnan (weir_plot_get_cursor (self->plot)) && !is_measuring (self) && !is_across (self))
    {
      g_autofree char *summary = weir_plot_dup_summary (self->plot);

      g_string_append_printf (text, "%s%s", text->len > 0 ? ". " : "", summary);
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

void
weir_plot_view_describe (WeirPlotView *self)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  describe_cursor (self);
}

void
weir_plot_view_set_measuring (WeirPlotView *self, guint cursor, double time)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_measuring (self->plot, cursor, time);
  self->active = cursor;
  describe_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
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
tell_axes (WeirPlotView *self)
{
  g_signal_emit (self, signals[SIGNAL_AXES_CHANGED], 0);
}

static void
set_ranges (WeirPlotView *self, const Ranges *ranges)
{
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    weir_plot_set_range (self->plot, axis, ranges->axes[axis][0], ranges->axes[axis][1]);
  show_ranges (self);
  tell_axes (self);
}

/* Before the user changes them. */
static void
remember_ranges (WeirPlotView *self)
{
  Ranges ranges = { 0 };

  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    if (weir_plot_is_range_fixed (self->plot, axis))
      weir_plot_get_range (self->plot, axis, &ranges.axes[axis][0], &ranges.axes[axis][1]);
  if (self->before->len >= MAX_BEFORE)
    g_array_remove_index (self->before, 0);
  g_array_append_val (self->before, ranges);
}

static void
go_back (WeirPlotView *self)
{
  Ranges ranges;

  if (self->before->len == 0)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  ranges = g_array_index (self->before, Ranges, self->before->len - 1);
  g_array_set_size (self->before, self->before->len - 1);
  set_ranges (self, &ranges);
}

WeirPlotAxisLook
weir_plot_view_get_axis_look (WeirPlotView *self, WeirPlotAxis axis)
{
  WeirPlotAxisLook look = { .is_log = weir_plot_is_log (self->plot, axis),
                            .title = weir_plot_get_axis_title (self->plot, axis) };

  if (weir_plot_is_range_fixed (self->plot, axis))
    weir_plot_get_range (self->plot, axis, &look.limits[0], &look.limits[1]);
  return look;
}

void
weir_plot_view_set_axis_looks (WeirPlotView *self, const WeirPlotAxisLook looks[WEIR_N_PLOT_AXES])
{
  Ranges ranges;

  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  remember_ranges (self);
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    {
      g_autofree char *title = g_strdup (looks[axis].title); /* may be the plot's own */

      weir_plot_set_log (self->plot, axis, looks[axis].is_log);
      weir_plot_set_axis_title (self->plot, axis, title);
      ranges.axes[axis][0] = looks[axis].limits[0];
      ranges.axes[axis][1] = looks[axis].limits[1];
    }
  set_ranges (self, &ranges);
  describe_cursor (self);
}

void
weir_plot_view_fit (WeirPlotView *self)
{
  const Ranges following = { 0 };

  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  remember_ranges (self);
  set_ranges (self, &following);
}

void
weir_plot_view_set_log (WeirPlotView *self, WeirPlotAxis axis, gboolean is_log)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_log (self->plot, axis, is_log);
  show_ranges (self);
  describe_cursor (self);
  tell_axes (self);
}

void
weir_plot_view_set_curve_visible (WeirPlotView *self, guint curve, gboolean visible)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_curve_visible (self->plot, curve, visible);
  show_ranges (self);
}

void
weir_plot_view_set_curve_axis (WeirPlotView *self, guint curve, WeirPlotAxis axis)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_curve_axis (self->plot, curve, axis);
  show_ranges (self);
}

void
weir_plot_view_set_bounds (WeirPlotView *self, const WeirPlotBound *bounds, guint n,
                           const char *verdict)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  weir_plot_set_bounds (self->plot, bounds, n, verdict);
  show_ranges (self);
  describe_cursor (self);
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
  WeirPlotView *self = WEIR_PLOT_VIEW (widget);
  const WeirColor *color = &weir_look_get_palette ()->selection;
  const GdkRGBA edge = { (float) color->r, (float) color->g, (float) color->b, 1 };
  const GdkRGBA inside = { edge.red, edge.green, edge.blue, 0.15f };

  weir_look_snapshot (widget, snapshot, paint, self->plot);
  if (self->box.size.width <= 0 && self->box.size.height <= 0)
    return;
  gtk_snapshot_append_color (snapshot, &inside, &self->box);
  gtk_snapshot_append_border (snapshot,
                              &GSK_ROUNDED_RECT_INIT (self->box.origin.x, self->box.origin.y,
                                                      self->box.size.width, self->box.size.height),
                              (const float[4]) { 1, 1, 1, 1 },
                              (const GdkRGBA[4]) { edge, edge, edge, edge });
}

/* --- Cursors to measure with ----------------------------------------------------------------- */

static gboolean
is_measuring (WeirPlotView *self)
{
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    if (!isnan (weir_plot_get_measuring (self->plot, i)))
      return TRUE;
  return FALSE;
}

static gboolean
hit_measuring (WeirPlotView *self, double x, double y, guint *cursor)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (self));

  return weir_plot_hit_measuring (self->plot, x / scale, y / scale, cursor);
}

static void
move_measuring (WeirPlotView *self, guint cursor, double time, gboolean is_held)
{
  g_signal_emit (self, signals[SIGNAL_MEASURING_MOVED], 0, cursor, time, is_held);
}

/* Where it begins: at a third of what is shown, or two thirds. */
static double
get_first_place (WeirPlotView *self, guint cursor)
{
  double first, last;

  weir_plot_get_range (self->plot, WEIR_PLOT_TIME, &first, &last);
  return first + (last - first) * (cursor + 1) / (WEIR_N_CURSORS + 1);
}

/* Keys move this one now. */
static void
activate_measuring (WeirPlotView *self, guint cursor)
{
  double time = weir_plot_get_measuring (self->plot, cursor);

  if (isnan (time))
    time = weir_plot_get_cursor (self->plot);
  move_measuring (self, cursor, isnan (time) ? get_first_place (self, cursor) : time, FALSE);
}

static void
step_measuring (WeirPlotView *self, int n_samples)
{
  double time = weir_plot_get_measuring (self->plot, self->active), found;

  if (isnan (time))
    activate_measuring (self, self->active);
  else if (weir_plot_find_sample (self->plot, time, n_samples, &found))
    move_measuring (self, self->active, found, FALSE);
}

/* The curve that keys seek on: as it is, the next one (@by 1), or the one before (@by -1); one that
 * can be seen. FALSE: none can. */
static gboolean
find_sought (WeirPlotView *self, int by)
{
  guint n = weir_plot_get_n_curves (self->plot), step = by < 0 ? n - 1 : 1;
  guint i = n > 0 ? self->sought % n : 0;

  if (by != 0 && n > 0)
    i = (i + step) % n;
  for (guint k = 0; k < n; k++, i = (i + step) % n)
    if (weir_plot_get_curve_visible (self->plot, i))
      {
        self->sought = i;
        return TRUE;
      }
  return FALSE;
}

static gboolean
say_sought (gpointer data, WeirSnap snap, gboolean forward, WeirSought *sought)
{
  WeirPlotView *self = data;
  double time = weir_plot_get_measuring (self->plot, self->active);

  *sought = (WeirSought) {
    .snap = snap,
    .forward = forward,
    .time = isnan (time) ? get_first_place (self, self->active) : time,
  };
  if (!find_sought (self, 0)
      || !weir_plot_get_signal (self->plot, self->sought, &sought->recorder, &sought->signal))
    return FALSE;
  sought->between = weir_plot_get_curve_style (self->plot, self->sought) == WEIR_CURVE_STEPS
                        ? WEIR_BETWEEN_HELD_BEFORE
                        : WEIR_BETWEEN_LINES;
  weir_plot_get_range (self->plot, WEIR_PLOT_TIME, &sought->range.from, &sought->range.to);
  return TRUE;
}

static void
sought_found (gpointer data, double time)
{
  WeirPlotView *self = data;

  if (isnan (time))
    gtk_widget_error_bell (GTK_WIDGET (self));
  else
    move_measuring (self, self->active, time, FALSE);
}

gboolean
weir_plot_view_is_seeking (WeirPlotView *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_VIEW (self), FALSE);

  return weir_plot_seeker_is_seeking (self->seeker);
}

static void
end_measuring (WeirPlotView *self)
{
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    move_measuring (self, i, (double) NAN, FALSE);
}

/* --- Cursors at values ------------------------------------------------------------------------ */

static gboolean
is_across (WeirPlotView *self)
{
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    if (!isnan (weir_plot_get_value_cursor (self->plot, i)))
      return TRUE;
  return FALSE;
}

/* Keys move it from now on. @is_held: it may go on at once. */
static void
move_across (WeirPlotView *self, guint cursor, double value, gboolean is_held)
{
  weir_plot_set_value_cursor (self->plot, cursor, value);
  self->active_across = cursor;
  self->moves_across = !isnan (value);
  describe_cursor (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!is_held)
    g_signal_emit (self, signals[SIGNAL_ACROSS_MOVED], 0);
}

/* Where it is; or a third of what is shown up, or two thirds. */
static void
activate_across (WeirPlotView *self, guint cursor)
{
  const WeirAxis *axis = weir_plot_get_axis (self->plot, WEIR_PLOT_LEFT);
  double value = weir_plot_get_value_cursor (self->plot, cursor);

  move_across (self, cursor,
               isnan (value) ? weir_axis_get_value (axis, (cursor + 1.) / (WEIR_N_CURSORS + 1))
                             : value,
               FALSE);
}

static void
step_across (WeirPlotView *self, double by)
{
  const WeirAxis *axis = weir_plot_get_axis (self->plot, WEIR_PLOT_LEFT);
  double value = weir_plot_get_value_cursor (self->plot, self->active_across);
  double share = weir_axis_get_share (axis, value) + by;

  move_across (self, self->active_across, weir_axis_get_value (axis, CLAMP (share, 0, 1)), FALSE);
}

static void
end_across (WeirPlotView *self)
{
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    move_across (self, i, (double) NAN, FALSE);
}

void
weir_plot_view_toggle_value_cursors (WeirPlotView *self)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  if (is_across (self))
    end_across (self);
  else
    for (guint i = WEIR_N_CURSORS; i-- > 0;)
      activate_across (self, i);
}

static gboolean
hit_across (WeirPlotView *self, double x, double y, guint *cursor)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (self));

  return weir_plot_hit_value_cursor (self->plot, x / scale, y / scale, cursor);
}

static void
drag_across (WeirPlotView *self, double x, double y)
{
  const WeirAxis *axis = weir_plot_get_axis (self->plot, WEIR_PLOT_LEFT);
  double time, value;

  from_position (self, x, y, &time, &value);
  move_across (self, self->dragged, CLAMP (value, axis->low, axis->high), TRUE);
}

/* FALSE: the key means something else here. */
static gboolean
press_across_key (WeirPlotView *self, guint key, GdkModifierType state)
{
  double by = (state & GDK_SHIFT_MASK) != 0 ? 0.1 : 0.01;

  if (key == GDK_KEY_1 || key == GDK_KEY_KP_1 || key == GDK_KEY_2 || key == GDK_KEY_KP_2)
    {
      activate_across (self, key == GDK_KEY_2 || key == GDK_KEY_KP_2);
      return TRUE;
    }
  if (!self->moves_across || !is_across (self))
    return FALSE;
  if (key == GDK_KEY_Up || key == GDK_KEY_Down)
    {
      step_across (self, key == GDK_KEY_Up ? by : -by);
      return TRUE;
    }
  return FALSE;
}

/* FALSE: the key means something else here. */
static gboolean
press_measuring_key (WeirPlotView *self, guint key, GdkModifierType state)
{
  int n = (state & GDK_SHIFT_MASK) != 0 ? MANY_SAMPLES : 1;

  if (press_across_key (self, key, state))
    return TRUE;
  if (key == GDK_KEY_a || key == GDK_KEY_b)
    {
      self->moves_across = FALSE;
      activate_measuring (self, key - GDK_KEY_a);
      return TRUE;
    }
  if (key == GDK_KEY_Escape && is_across (self))
    {
      end_across (self);
      end_measuring (self);
      return TRUE;
    }
  if (!is_measuring (self))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      step_measuring (self, key == GDK_KEY_Right ? n : -n);
      return TRUE;
    case GDK_KEY_p:
    case GDK_KEY_P:
      weir_plot_seeker_seek (self->seeker, WEIR_SNAP_PEAK, key == GDK_KEY_p);
      return TRUE;
    case GDK_KEY_x:
    case GDK_KEY_X:
      weir_plot_seeker_seek (self->seeker, WEIR_SNAP_CROSSING, key == GDK_KEY_x);
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      find_sought (self, key == GDK_KEY_Down ? 1 : -1);
      return TRUE;
    case GDK_KEY_Escape:
      end_measuring (self);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- Asking for a curve ---------------------------------------------------------------------- */

void
weir_plot_view_set_asks (WeirPlotView *self, gboolean asks)
{
  g_return_if_fail (WEIR_IS_PLOT_VIEW (self));

  self->asks = asks;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), asks ? "crosshair" : NULL);
}

static void
choose_curve (WeirPlotView *self, double x, double y)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (self));
  guint curve;

  if (weir_plot_find_curve (self->plot, x / scale, y / scale, CURVE_REACH, &curve))
    g_signal_emit (self, signals[SIGNAL_CURVE_CHOSEN], 0, (int) curve, x, y);
  else
    gtk_widget_error_bell (GTK_WIDGET (self));
}

/* FALSE: the key means something else here. */
static gboolean
press_asking_key (WeirPlotView *self, guint key)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (self->asks && (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter))
    g_signal_emit (self, signals[SIGNAL_CURVE_CHOSEN], 0, -1, gtk_widget_get_width (widget) / 2.0,
                   gtk_widget_get_height (widget) / 2.0);
  else if (self->asks && key == GDK_KEY_Escape)
    g_signal_emit (self, signals[SIGNAL_ASKING_ENDED], 0);
  else
    return FALSE;
  return TRUE;
}

/* --- Moving around --------------------------------------------------------------------------- */

static void
show_grip (WeirPlotView *self, double x, double y)
{
  gboolean is_dragged = self->dragged < WEIR_N_CURSORS;
  const char *grip = NULL;
  guint cursor;

  if (is_dragged)
    grip = self->drag == DRAG_ACROSS ? "ns-resize" : "ew-resize";
  else if (hit_measuring (self, x, y, &cursor))
    grip = "ew-resize";
  else if (hit_across (self, x, y, &cursor))
    grip = "ns-resize";
  else if (self->asks)
    grip = "crosshair";
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), grip);
}

static void
motion (G_GNUC_UNUSED GtkEventControllerMotion *controller, double x, double y, WeirPlotView *self)
{
  double time, value;

  if (x != self->pointer_x || y != self->pointer_y)
    self->is_wheeling = FALSE;
  self->pointer_x = x;
  self->pointer_y = y;
  show_grip (self, x, y);
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0,
                 from_position (self, x, y, &time, &value) ? time : (double) NAN);
}

static void
leave (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirPlotView *self)
{
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, (double) NAN);
}

/* About the value at @share of the axis. */
static void
zoom_axis (WeirPlotView *self, WeirPlotAxis axis, double factor, double share)
{
  const WeirAxis *shown = weir_plot_get_axis (self->plot, axis);

  weir_plot_set_range (self->plot, axis, weir_axis_get_value (shown, share - share * factor),
                       weir_axis_get_value (shown, share + (1 - share) * factor));
}

static void
zoom_time (WeirPlotView *self, double factor, double at)
{
  const WeirAxis *time = weir_plot_get_axis (self->plot, WEIR_PLOT_TIME);

  zoom_axis (self, WEIR_PLOT_TIME, factor, weir_axis_get_share (time, at));
  show_ranges (self);
  tell_axes (self);
}

/* Of @only, or of all axes of values if that is none of them. */
static void
zoom_values (WeirPlotView *self, WeirPlotAxis only, double factor, double at)
{
  double share = weir_axis_get_share (weir_plot_get_axis (self->plot, WEIR_PLOT_LEFT), at);
  gboolean is_one = only >= WEIR_PLOT_LEFT && only < WEIR_N_PLOT_AXES;

  for (WeirPlotAxis axis = WEIR_PLOT_LEFT; axis < WEIR_N_PLOT_AXES; axis++)
    if (is_one ? axis == only : weir_plot_has_axis (self->plot, axis))
      zoom_axis (self, axis, factor, share);
  show_ranges (self);
  tell_axes (self);
}

static gboolean
scroll (GtkEventControllerScroll *controller, double dx, double dy, WeirPlotView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  double scale = weir_look_get_text_scale (GTK_WIDGET (self)), time, value;
  double factor = pow (ZOOM_STEP, (state & GDK_SHIFT_MASK) != 0 && dy == 0 ? dx : dy);
  WeirPlotAxis axis = weir_plot_find_axis (self->plot, self->pointer_x / scale,
                                           self->pointer_y / scale);

  from_position (self, self->pointer_x, self->pointer_y, &time, &value);
  if (!self->is_wheeling)
    remember_ranges (self);
  self->is_wheeling = TRUE;
  if ((state & GDK_SHIFT_MASK) != 0 || (axis >= WEIR_PLOT_LEFT && axis < WEIR_N_PLOT_AXES))
    zoom_values (self, axis, factor, value);
  else
    zoom_time (self, factor, time);
  return GDK_EVENT_STOP;
}

static void
drag_begin (GtkGestureDrag *gesture, double x, double y, WeirPlotView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (hit_measuring (self, x, y, &self->dragged))
    self->drag = DRAG_CURSOR;
  else if (hit_across (self, x, y, &self->dragged))
    self->drag = DRAG_ACROSS;
  else
    {
      self->dragged = WEIR_N_CURSORS;
      self->drag = (state & GDK_CONTROL_MASK) != 0 ? DRAG_BOX : DRAG_PANS;
    }
  self->is_wheeling = FALSE;
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    self->drag_axes[axis] = *weir_plot_get_axis (self->plot, axis);
}

/* With Ctrl to the sample nearest to the pointer. */
static void
drag_measuring (WeirPlotView *self, GtkGestureDrag *gesture, double x, double y)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (gesture));
  double first, last, time, value, before, after;

  from_position (self, x, y, &time, &value);
  weir_plot_get_range (self->plot, WEIR_PLOT_TIME, &first, &last);
  time = CLAMP (time, first, last);
  if ((state & GDK_CONTROL_MASK) != 0)
    {
      gboolean has_before = weir_plot_find_sample (self->plot, time, -1, &before);
      gboolean has_after = weir_plot_find_sample (self->plot, time, 1, &after);

      if (has_before || has_after)
        time = !has_after || (has_before && time - before < after - time) ? before : after;
    }
  move_measuring (self, self->dragged, time, TRUE);
}

/* What is in the box is what is shown. */
static void
zoom_to_box (WeirPlotView *self)
{
  const graphene_rect_t box = self->box;
  double time[2], value[2];

  self->box = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  from_position (self, (double) box.origin.x, (double) (box.origin.y + box.size.height), &time[0],
                 &value[0]);
  from_position (self, (double) (box.origin.x + box.size.width), (double) box.origin.y, &time[1],
                 &value[1]);
  if ((double) box.size.width < MIN_BOX && (double) box.size.height < MIN_BOX)
    return;
  remember_ranges (self);
  if ((double) box.size.width >= MIN_BOX)
    weir_plot_set_range (self->plot, WEIR_PLOT_TIME, time[0], time[1]);
  if ((double) box.size.height >= MIN_BOX)
    {
      const WeirAxis *left = weir_plot_get_axis (self->plot, WEIR_PLOT_LEFT);
      double shares[2] = { weir_axis_get_share (left, value[0]),
                           weir_axis_get_share (left, value[1]) };

      weir_plot_set_range (self->plot, WEIR_PLOT_LEFT, value[0], value[1]);
      for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
        if (weir_plot_has_axis (self->plot, axis))
          {
            const WeirAxis *right = weir_plot_get_axis (self->plot, axis);

            weir_plot_set_range (self->plot, axis, weir_axis_get_value (right, shares[0]),
                                 weir_axis_get_value (right, shares[1]));
          }
    }
  show_ranges (self);
  tell_axes (self);
}

/* From one time and value at the pointer to another. */
static void
pan (WeirPlotView *self, double t0, double v0, double t1, double v1)
{
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    {
      const WeirAxis *moved = weir_plot_get_axis (
          self->plot, axis == WEIR_PLOT_TIME ? WEIR_PLOT_TIME : WEIR_PLOT_LEFT);
      const WeirAxis *began = &self->drag_axes[axis];
      double share = axis == WEIR_PLOT_TIME
                         ? weir_axis_get_share (moved, t1) - weir_axis_get_share (moved, t0)
                         : weir_axis_get_share (moved, v1) - weir_axis_get_share (moved, v0);

      if (weir_plot_has_axis (self->plot, axis))
        weir_plot_set_range (self->plot, axis, weir_axis_get_value (began, -share),
                             weir_axis_get_value (began, 1 - share));
    }
}

static void
drag_update (GtkGestureDrag *gesture, double dx, double dy, WeirPlotView *self)
{
  double x, y, t0, t1, v0, v1;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->drag == DRAG_CURSOR)
    {
      drag_measuring (self, gesture, x + dx, y + dy);
      return;
    }
  if (self->drag == DRAG_ACROSS)
    {
      drag_across (self, x + dx, y + dy);
      return;
    }
  if (self->drag == DRAG_BOX)
    {
      self->box = GRAPHENE_RECT_INIT ((float) MIN (x, x + dx), (float) MIN (y, y + dy),
                                      (float) fabs (dx), (float) fabs (dy));
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return;
    }
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    return;
  if (!self->is_panning)
    remember_ranges (self);
  self->is_panning = TRUE;
  /* Panning keeps the scale, so that distances are the same in the ranges that are shown. */
  from_position (self, x, y, &t0, &v0);
  from_position (self, x + dx, y + dy, &t1, &v1);
  pan (self, t0, v0, t1, v1);
  show_ranges (self);
}

static void
drag_end (GtkGestureDrag *gesture, double dx, double dy, WeirPlotView *self)
{
  guint dragged = self->dragged;
  double x, y;

  self->dragged = WEIR_N_CURSORS;
  self->is_panning = FALSE;
  if (self->drag == DRAG_CURSOR)
    move_measuring (self, dragged, weir_plot_get_measuring (self->plot, dragged), FALSE);
  else if (self->drag == DRAG_ACROSS)
    move_across (self, dragged, weir_plot_get_value_cursor (self->plot, dragged), FALSE);
  else if (self->drag == DRAG_BOX)
    zoom_to_box (self);
  else if (self->drag == DRAG_PANS
           && gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, (int) dy))
    tell_axes (self);
  else if (self->drag == DRAG_PANS && self->asks
           && gtk_gesture_drag_get_start_point (gesture, &x, &y))
    choose_curve (self, x, y);
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

  weir_plot_get_range (self->plot, WEIR_PLOT_TIME, &first, &last);
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

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) == 0
      && (press_asking_key (self, key) || press_measuring_key (self, key, state)))
    return GDK_EVENT_STOP;
  weir_plot_get_range (self->plot, WEIR_PLOT_TIME, &first, &last);
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
      remember_ranges (self);
      zoom_time (self, 1 / ZOOM_STEP, middle);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      remember_ranges (self);
      zoom_time (self, ZOOM_STEP, middle);
      return GDK_EVENT_STOP;
    case GDK_KEY_l:
    case GDK_KEY_L:
      gtk_widget_activate_action (GTK_WIDGET (self),
                                  key == GDK_KEY_l ? "plot.log-values" : "plot.log-time", NULL);
      return GDK_EVENT_STOP;
    case GDK_KEY_BackSpace:
      go_back (self);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if ((state & GDK_SHIFT_MASK) != 0)
        return GDK_EVENT_PROPAGATE;
      gtk_widget_activate_action (GTK_WIDGET (self), "plot.large", NULL);
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

  g_clear_pointer (&self->seeker, weir_plot_seeker_free);
  g_clear_pointer (&self->plot, weir_plot_free);
  g_clear_pointer (&self->before, g_array_unref);
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
  signals[SIGNAL_MEASURING_MOVED] = g_signal_new (
      "measuring-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  signals[SIGNAL_ACROSS_MOVED] = g_signal_new ("across-moved", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
  signals[SIGNAL_AXES_CHANGED] = g_signal_new ("axes-changed", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
  signals[SIGNAL_CURVE_CHOSEN] = g_signal_new ("curve-chosen", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               3, G_TYPE_INT, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  signals[SIGNAL_ASKING_ENDED] = g_signal_new ("asking-ended", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               0);
}

static void
weir_plot_view_init (WeirPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->plot = weir_plot_new ();
  self->seeker = weir_plot_seeker_new (say_sought, sought_found, self);
  self->dragged = WEIR_N_CURSORS;
  self->before = g_array_new (FALSE, FALSE, sizeof (Ranges));
  /* Names are in the head of the plot; the legend inside it only reads out values. */
  weir_plot_set_legend_at_cursor (self->plot, TRUE);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_size_request (widget, 280, 140);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));

  weir_view_add_controllers (widget, GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES,
                             &(WeirViewCallbacks) {
                                 .enter = G_CALLBACK (motion),
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
weir_plot_view_new (const char *title)
{
  WeirPlotView *self = g_object_new (WEIR_TYPE_PLOT_VIEW, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  return GTK_WIDGET (self);
}
