/* WeirTimelineView. See timeline-view.h. */
#include "lab/timeline-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "lab/timeline-text.h"
#include "widgets/controllers.h"
#include "widgets/look.h"

#define ZOOM_STEP 1.25
#define PAN_SHARE 0.1 /* of what is in view, for one notch */

struct _WeirTimelineView {
  GtkWidget parent;
  WeirTimeline *timeline;
  WeirPlayback *playback;       /* borrowed */
  gsize n;                      /* records */
  double pointer_x;             /* where it draws to, as all that follows */
  double drag_first, drag_last; /* range when a drag began */
  gsize drag_record;            /* where it began */
  gboolean is_choosing, has_moved;
};

G_DEFINE_FINAL_TYPE (WeirTimelineView, weir_timeline_view, GTK_TYPE_WIDGET)

enum { SIGNAL_CURSOR_MOVED, SIGNAL_RANGE_CHANGED, SIGNAL_STEP, SIGNAL_LEAVE, N_SIGNALS };
static guint signals[N_SIGNALS];

WeirTimeline *
weir_timeline_view_get_timeline (WeirTimelineView *self)
{
  g_return_val_if_fail (WEIR_IS_TIMELINE_VIEW (self), NULL);

  return self->timeline;
}

void
weir_timeline_view_describe (WeirTimelineView *self, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text,
                                  -1);
}

/* It is drawn as large as the texts of the window are. */
static double
get_scale (WeirTimelineView *self)
{
  return weir_look_get_text_scale (GTK_WIDGET (self));
}

/* What it draws to needs so much room. */
static void
request_size (WeirTimelineView *self)
{
  double scale = get_scale (self);

  gtk_widget_set_size_request (GTK_WIDGET (self), 270,
                               (int) ceil (scale * weir_timeline_get_height (self->timeline)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_timeline_view_set_playback (WeirTimelineView *self, WeirPlayback *playback)
{
  const WeirLogRecord *records = NULL;
  const WeirLogStep *steps;
  const guint32 *amounts = NULL;
  gsize n_steps;

  g_return_if_fail (WEIR_IS_TIMELINE_VIEW (self));

  self->playback = playback;
  self->n = 0;
  if (playback != NULL)
    {
      records = weir_trace_get_records (weir_playback_get_trace (playback), &self->n);
      amounts = weir_scrubber_get_amounts (weir_playback_get_scrubber (playback));
    }
  weir_timeline_set_records (self->timeline, records, amounts, self->n, weir_playback_get_funcs (),
                             playback);
  if (playback != NULL)
    {
      steps = weir_trace_get_steps (weir_playback_get_trace (playback), &n_steps);
      weir_timeline_set_steps (self->timeline, steps, n_steps);
    }
  request_size (self);
}

void
weir_timeline_view_set_cursor (WeirTimelineView *self, gsize index)
{
  g_return_if_fail (WEIR_IS_TIMELINE_VIEW (self));

  if (index < self->n)
    {
      index = weir_scrubber_get_whole (weir_playback_get_scrubber (self->playback), index);
      weir_timeline_reveal (self->timeline, index);
    }
  weir_timeline_set_cursor (self->timeline, index);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0);
}

/* @step: that it is the range of; NULL: of none. */
static void
choose_range (WeirTimelineView *self, gsize first, gsize end, const WeirLogStep *step)
{
  const WeirLogStep *was_step = weir_timeline_get_step (self->timeline);
  gsize was_first, was_end;

  weir_timeline_get_selection (self->timeline, &was_first, &was_end);
  weir_timeline_set_selection (self->timeline, first, end);
  weir_timeline_get_selection (self->timeline, &first, &end);
  weir_timeline_set_step (self->timeline, step);
  if (first == was_first && end == was_end && step == was_step)
    return;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_RANGE_CHANGED], 0);
}

void
weir_timeline_view_set_range (WeirTimelineView *self, gsize first, gsize end)
{
  g_return_if_fail (WEIR_IS_TIMELINE_VIEW (self));

  choose_range (self, first, end, NULL);
}

/* --- Drawing --------------------------------------------------------------------------------- */

static void
paint (gpointer timeline, cairo_t *cr, double width, double height, const WeirPalette *palette)
{
  weir_timeline_draw (timeline, cr, width, height, palette);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  weir_look_snapshot (widget, snapshot, paint, WEIR_TIMELINE_VIEW (widget)->timeline);
}

/* --- With the pointer ------------------------------------------------------------------------ */

static void
motion (G_GNUC_UNUSED GtkEventControllerMotion *controller, double x, G_GNUC_UNUSED double y,
        WeirTimelineView *self)
{
  self->pointer_x = x / get_scale (self);
}

static void
pan (WeirTimelineView *self, double by)
{
  double first, last;

  weir_timeline_get_range (self->timeline, &first, &last);
  weir_timeline_set_range (self->timeline, first + by, last + by);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
zoom (WeirTimelineView *self, double factor, double at)
{
  weir_timeline_zoom (self->timeline, factor, at);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
scroll (GtkEventControllerScroll *controller, double dx, double dy, WeirTimelineView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  double first, last;

  weir_timeline_get_range (self->timeline, &first, &last);
  if ((state & GDK_SHIFT_MASK) != 0 || fabs (dx) > fabs (dy))
    pan (self, (dx != 0 ? dx : dy) * PAN_SHARE * (last - first));
  else
    zoom (self, pow (ZOOM_STEP, dy), weir_timeline_from_x (self->timeline, self->pointer_x));
  return GDK_EVENT_STOP;
}

static void
drag_begin (GtkGestureDrag *gesture, double x, double y, WeirTimelineView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->is_choosing = (state & GDK_SHIFT_MASK) != 0;
  self->has_moved = FALSE;
  weir_timeline_hit (self->timeline, x / get_scale (self), y / get_scale (self),
                     &self->drag_record);
  weir_timeline_get_range (self->timeline, &self->drag_first, &self->drag_last);
}

static void
choose_to (WeirTimelineView *self, double x, double y)
{
  WeirScrubber *scrubber = weir_playback_get_scrubber (self->playback);
  gsize record;

  weir_timeline_hit (self->timeline, x, y, &record);
  weir_timeline_view_set_range (
      self, MIN (record, self->drag_record),
      weir_scrubber_get_place_after (scrubber, MAX (record, self->drag_record)));
}

static void
drag_update (GtkGestureDrag *gesture, double dx, G_GNUC_UNUSED double dy, WeirTimelineView *self)
{
  double x, y, length = self->drag_last - self->drag_first, scale;

  if (self->n == 0
      || (!self->has_moved && !gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, 0)))
    return;
  self->has_moved = TRUE;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->is_choosing)
    {
      choose_to (self, (x + dx) / get_scale (self), y / get_scale (self));
      return;
    }
  scale = (weir_timeline_from_x (self->timeline, 1) - weir_timeline_from_x (self->timeline, 0))
          / get_scale (self);
  weir_timeline_set_range (self->timeline, self->drag_first - dx * scale,
                           self->drag_first - dx * scale + length);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* All that was written while the step was made. */
static void
choose_step (WeirTimelineView *self, const WeirLogStep *step)
{
  gsize first = MIN (step->first, self->n - 1);

  choose_range (self, first, MAX (step->end, first + 1), step);
}

static void
drag_end (GtkGestureDrag *gesture, double dx, double dy, WeirTimelineView *self)
{
  const WeirLogStep *step;
  double x, y;
  gsize record;

  if (self->has_moved || self->n == 0 || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  x = (x + dx) / get_scale (self);
  y = (y + dy) / get_scale (self);
  step = weir_timeline_hit_step (self->timeline, x, y);
  if (step != NULL)
    choose_step (self, step);
  else if (weir_timeline_hit (self->timeline, x, y, &record))
    weir_timeline_view_set_cursor (self, record);
}

static void
pressed (G_GNUC_UNUSED GtkGestureClick *gesture, int n_press, G_GNUC_UNUSED double x,
         G_GNUC_UNUSED double y, WeirTimelineView *self)
{
  if (n_press == 2)
    {
      weir_timeline_fit (self->timeline);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
}

static char *
describe_reason (const WeirTimelineBox *box)
{
  const char *reason = box->reason == WEIR_LOG_FIRST      ? _ ("computed for the first time")
                       : box->reason == WEIR_LOG_DISABLED ? _ ("computed, as its caching is off")
                                                          : _ ("computed, as it was out of date");

  return g_strdup_printf ("%s\n%s%s%s", box->name, reason, box->has_failed ? _ ("; it failed") : "",
                          box->changed == 0 ? _ ("; it gave the same bytes as before") : "");
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip,
               G_GNUC_UNUSED gpointer data)
{
  WeirTimelineView *self = WEIR_TIMELINE_VIEW (widget);
  double at_x = x / get_scale (self), at_y = y / get_scale (self);
  const WeirTimelineBox *box;
  const WeirLogStep *step;
  g_autofree char *text = NULL;
  gsize index;

  if (keyboard || self->n == 0)
    return FALSE;
  if ((box = weir_timeline_hit_box (self->timeline, at_x, at_y, &index)) != NULL)
    text = describe_reason (box);
  else if ((step = weir_timeline_hit_step (self->timeline, at_x, at_y)) != NULL)
    text = weir_timeline_describe_step (self->playback, step);
  gtk_tooltip_set_text (tooltip, text);
  return text != NULL;
}

/* --- By keyboard ----------------------------------------------------------------------------- */

/* The record before or after the one looked at, as a whole. */
static gsize
get_neighbour (WeirTimelineView *self, int direction)
{
  WeirScrubber *scrubber = weir_playback_get_scrubber (self->playback);
  gsize cursor = weir_timeline_get_cursor (self->timeline);

  if (cursor >= self->n)
    return direction > 0 ? 0 : self->n - 1;
  if (direction > 0)
    return MIN (weir_scrubber_get_place_after (scrubber, cursor), self->n - 1);
  while (cursor > 0 && weir_scrubber_get_whole (scrubber, cursor - 1) == cursor)
    cursor--; /* parts of a joint change */
  return weir_scrubber_get_whole (scrubber, cursor > 0 ? cursor - 1 : 0);
}

static void
go (WeirTimelineView *self, gsize index, gboolean choosing)
{
  gsize first, end, from = weir_timeline_get_cursor (self->timeline);

  index = weir_scrubber_get_whole (weir_playback_get_scrubber (self->playback), index);
  if (choosing && from < self->n)
    {
      /* The end that is not looked at stays. */
      gsize other = from;

      if (weir_timeline_get_selection (self->timeline, &first, &end))
        other = from == first ? end - 1 : first;
      weir_timeline_view_set_range (
          self, MIN (index, other),
          weir_scrubber_get_place_after (weir_playback_get_scrubber (self->playback),
                                         MAX (index, other)));
    }
  weir_timeline_view_set_cursor (self, index);
}

static gboolean
escape (WeirTimelineView *self)
{
  gsize first, end;

  if (weir_timeline_get_selection (self->timeline, &first, &end))
    weir_timeline_view_set_range (self, 0, 0);
  else
    g_signal_emit (self, signals[SIGNAL_LEAVE], 0);
  return GDK_EVENT_STOP;
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirTimelineView *self)
{
  gboolean shift = (state & GDK_SHIFT_MASK) != 0;
  double first, last, at;

  if (self->n == 0 || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return GDK_EVENT_PROPAGATE;
  weir_timeline_get_range (self->timeline, &first, &last);
  at = weir_timeline_get_cursor (self->timeline) < self->n
           ? (double) weir_timeline_get_cursor (self->timeline)
           : (first + last) / 2;
  switch (key)
    {
    case GDK_KEY_comma:
    case GDK_KEY_less:
      g_signal_emit (self, signals[SIGNAL_STEP], 0, -1, shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_period:
    case GDK_KEY_greater:
      g_signal_emit (self, signals[SIGNAL_STEP], 0, 1, shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
      go (self, get_neighbour (self, -1), shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_Right:
      go (self, get_neighbour (self, 1), shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_Home:
      go (self, 0, shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_End:
      go (self, self->n - 1, shift);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
      zoom (self, 1 / ZOOM_STEP, at);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
      zoom (self, ZOOM_STEP, at);
      return GDK_EVENT_STOP;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
      weir_timeline_fit (self->timeline);
      gtk_widget_queue_draw (GTK_WIDGET (self));
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      return escape (self);
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  WeirTimelineView *self = WEIR_TIMELINE_VIEW (object);

  g_clear_pointer (&self->timeline, weir_timeline_free);
  G_OBJECT_CLASS (weir_timeline_view_parent_class)->dispose (object);
}

static void
weir_timeline_view_class_init (WeirTimelineViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  signals[SIGNAL_CURSOR_MOVED] = g_signal_new ("cursor-moved", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                               NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_RANGE_CHANGED] = g_signal_new ("range-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                                NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_STEP] = g_signal_new ("step", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_BOOLEAN);
  signals[SIGNAL_LEAVE] = g_signal_new ("leave", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                        G_TYPE_NONE, 0);
}

static void
weir_timeline_view_init (WeirTimelineView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->timeline = weir_timeline_new ();
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (query_tooltip), NULL);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi",
                           G_CALLBACK (request_size), self, G_CONNECT_SWAPPED);

  weir_view_add_controllers (widget, GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES,
                             &(WeirViewCallbacks) {
                                 .enter = G_CALLBACK (motion),
                                 .motion = G_CALLBACK (motion),
                                 .scroll = G_CALLBACK (scroll),
                                 .key_pressed = G_CALLBACK (key_pressed),
                                 .drag_begin = G_CALLBACK (drag_begin),
                                 .drag_update = G_CALLBACK (drag_update),
                                 .drag_end = G_CALLBACK (drag_end),
                                 .pressed = G_CALLBACK (pressed),
                             });
}

GtkWidget *
weir_timeline_view_new (void)
{
  WeirTimelineView *self = g_object_new (WEIR_TYPE_TIMELINE_VIEW, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline of change events"), -1);
  return GTK_WIDGET (self);
}
