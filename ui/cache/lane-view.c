/* WeirLaneView. See lane-view.h. */
#include "cache/lane-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "system/structure/types.h"
#include "widgets/look.h"

#define MARGIN 12.0
#define LEGEND_HEIGHT 28.0
#define ZOOM_STEP 1.2

struct _WeirLaneView {
  GtkWidget parent;
  WeirLaneGraph *graph; /* or NULL */
  double zoom;
  guint pointed; /* node */
};

G_DEFINE_FINAL_TYPE (WeirLaneView, weir_lane_view, GTK_TYPE_WIDGET)

enum { SIGNAL_CHOSEN, SIGNAL_POINTED, SIGNAL_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
lay_out (WeirLaneView *self)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, 1, 1);
  cairo_t *cr = cairo_create (surface);
  WeirPen pen;

  weir_pen_init (&pen, cr, weir_look_get_palette (), 1);
  weir_lane_graph_lay_out (self->graph, &pen);
  weir_pen_clear (&pen);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* --- What is chosen -------------------------------------------------------------------------- */

/* "potential energy, fresh. Depends on q, parameters. Read by output potential." */
static void
describe (WeirLaneView *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const WeirLaneNode *node;

  if (self->graph != NULL && self->graph->chosen != WEIR_NO_LANE_NODE)
    {
      node = weir_lane_graph_node (self->graph, self->graph->chosen);
      g_string_append (text, node->title);
      if (node->badge != WEIR_BADGE_NONE)
        g_string_append_printf (text, ", %s", weir_badge_get_name (node->badge));
      for (int down = 0; down < 2; down++)
        {
          guint n = 0;

          for (guint i = 0; i < self->graph->edges->len; i++)
            {
              const WeirLaneEdge *edge = &g_array_index (self->graph->edges, WeirLaneEdge, i);

              if ((down ? edge->from : edge->to) != self->graph->chosen)
                continue;
              g_string_append_printf (
                  text, "%s%s",
                  n++ > 0 ? ", "
                  : down  ? _ (". Leads to ")
                          : _ (". Depends on "),
                  weir_lane_graph_node (self->graph, down ? edge->to : edge->from)->title);
            }
        }
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text->str, -1);
}

/* Brings what is chosen into view. */
static void
reveal_chosen (WeirLaneView *self)
{
  GtkWidget *scrolled = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  WeirRect box;

  if (scrolled == NULL || self->graph->chosen == WEIR_NO_LANE_NODE)
    return;
  box = weir_rect_grow (weir_lane_graph_node (self->graph, self->graph->chosen)->box, 16);
  gtk_adjustment_clamp_page (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                             MARGIN + box.x * self->zoom,
                             MARGIN + (box.x + box.width) * self->zoom);
  gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scrolled)),
                             MARGIN + box.y * self->zoom,
                             MARGIN + (box.y + box.height) * self->zoom);
}

static void
choose (WeirLaneView *self, guint node, guint up, guint down)
{
  guint before = self->graph->chosen;

  weir_lane_graph_choose (self->graph, node, up, down);
  describe (self);
  reveal_chosen (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (before != self->graph->chosen)
    g_signal_emit (self, signals[SIGNAL_CHOSEN], 0,
                   node == WEIR_NO_LANE_NODE ? WEIR_NO_INDEX
                                             : weir_lane_graph_node (self->graph, node)->key);
}

/* More levels of the slice, or fewer. */
static void
reveal (WeirLaneView *self, gboolean downstream, int more)
{
  WeirLaneGraph *graph = self->graph;
  guint *steps = downstream ? &graph->down : &graph->up;
  guint reach;

  if (graph->chosen == WEIR_NO_LANE_NODE)
    return;
  reach = weir_lane_graph_get_reach (graph, graph->chosen, downstream);
  if ((more < 0 && *steps == 0) || (more > 0 && *steps >= reach))
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  choose (self, graph->chosen, graph->up + (downstream ? 0 : (guint) more),
          graph->down + (downstream ? (guint) more : 0));
}

void
weir_lane_view_choose (WeirLaneView *self, guint32 key)
{
  guint node;

  g_return_if_fail (WEIR_IS_LANE_VIEW (self));

  if (self->graph == NULL)
    return;
  node = key == WEIR_NO_INDEX ? WEIR_NO_LANE_NODE : weir_lane_graph_find (self->graph, key);
  weir_lane_graph_choose (self->graph, node, 1, 1);
  describe (self);
  reveal_chosen (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- The graph ------------------------------------------------------------------------------- */

void
weir_lane_view_set_graph (WeirLaneView *self, WeirLaneGraph *graph)
{
  g_return_if_fail (WEIR_IS_LANE_VIEW (self));

  g_clear_pointer (&self->graph, weir_lane_graph_free);
  self->graph = graph;
  self->pointed = WEIR_NO_LANE_NODE;
  if (graph != NULL)
    lay_out (self);
  describe (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

WeirLaneGraph *
weir_lane_view_get_graph (WeirLaneView *self)
{
  g_return_val_if_fail (WEIR_IS_LANE_VIEW (self), NULL);
  return self->graph;
}

void
weir_lane_view_refresh (WeirLaneView *self)
{
  g_return_if_fail (WEIR_IS_LANE_VIEW (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_zoom (WeirLaneView *self, double zoom)
{
  self->zoom = CLAMP (zoom, 0.3, 3);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- Events ---------------------------------------------------------------------------------- */

static guint
node_at (WeirLaneView *self, double x, double y)
{
  return self->graph == NULL ? WEIR_NO_LANE_NODE
                             : weir_lane_graph_hit (self->graph, (x - MARGIN) / self->zoom,
                                                    (y - MARGIN) / self->zoom);
}

static void
on_pressed (G_GNUC_UNUSED GtkGestureClick *gesture, int n_press, double x, double y,
            WeirLaneView *self)
{
  guint node = node_at (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->graph == NULL)
    return;
  if (n_press == 1 && node != self->graph->chosen)
    choose (self, node, 1, 1);
  else if (n_press == 2 && node != WEIR_NO_LANE_NODE)
    g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0,
                   weir_lane_graph_node (self->graph, node)->key);
}

static void
set_pointed (WeirLaneView *self, guint node)
{
  if (self->pointed == node)
    return;
  self->pointed = node;
  g_signal_emit (self, signals[SIGNAL_POINTED], 0,
                 node == WEIR_NO_LANE_NODE ? WEIR_NO_INDEX
                                           : weir_lane_graph_node (self->graph, node)->key);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (G_GNUC_UNUSED GtkEventControllerMotion *controller, double x, double y,
           WeirLaneView *self)
{
  set_pointed (self, node_at (self, x, y));
}

static void
on_leave (G_GNUC_UNUSED GtkEventControllerMotion *controller, WeirLaneView *self)
{
  set_pointed (self, WEIR_NO_LANE_NODE);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, G_GNUC_UNUSED double dx, double dy,
           WeirLaneView *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));

  if (!(state & GDK_CONTROL_MASK))
    return GDK_EVENT_PROPAGATE;
  set_zoom (self, self->zoom * pow (ZOOM_STEP, -dy));
  return GDK_EVENT_STOP;
}

static gboolean
on_key (G_GNUC_UNUSED GtkEventControllerKey *controller, guint keyval, G_GNUC_UNUSED guint keycode,
        GdkModifierType state, WeirLaneView *self)
{
  static const struct {
    guint keyval;
    int dx, dy;
  } arrows[] = {
    { GDK_KEY_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 }, { GDK_KEY_Up, 0, -1 }, { GDK_KEY_Down, 0, 1 }
  };

  if (self->graph == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)))
    return GDK_EVENT_PROPAGATE;
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    if (keyval == arrows[i].keyval)
      {
        choose (self,
                weir_lane_graph_go (self->graph, self->graph->chosen, arrows[i].dx, arrows[i].dy),
                1, 1);
        return GDK_EVENT_STOP;
      }
  switch (keyval)
    {
    case GDK_KEY_bracketright:
      reveal (self, TRUE, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_bracketleft:
      reveal (self, FALSE, 1);
      return GDK_EVENT_STOP;
    case GDK_KEY_braceright:
      reveal (self, TRUE, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_braceleft:
      reveal (self, FALSE, -1);
      return GDK_EVENT_STOP;
    case GDK_KEY_plus:
    case GDK_KEY_equal:
      set_zoom (self, self->zoom * ZOOM_STEP);
      return GDK_EVENT_STOP;
    case GDK_KEY_minus:
      set_zoom (self, self->zoom / ZOOM_STEP);
      return GDK_EVENT_STOP;
    case GDK_KEY_Escape:
      if (self->graph->chosen == WEIR_NO_LANE_NODE)
        return GDK_EVENT_PROPAGATE;
      choose (self, WEIR_NO_LANE_NODE, 0, 0);
      return GDK_EVENT_STOP;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (self->graph->chosen == WEIR_NO_LANE_NODE)
        return GDK_EVENT_PROPAGATE;
      g_signal_emit (self, signals[SIGNAL_ACTIVATED], 0,
                     weir_lane_graph_node (self->graph, self->graph->chosen)->key);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* --- Drawing --------------------------------------------------------------------------------- */

static void
measure (GtkWidget *widget, GtkOrientation orientation, G_GNUC_UNUSED int for_size, int *minimum,
         int *natural, int *minimum_baseline, int *natural_baseline)
{
  WeirLaneView *self = WEIR_LANE_VIEW (widget);
  double size = 0;

  if (self->graph != NULL)
    size = orientation == GTK_ORIENTATION_HORIZONTAL
               ? self->graph->width * self->zoom + 2 * MARGIN
               : self->graph->height * self->zoom + 2 * MARGIN + LEGEND_HEIGHT;
  *minimum = *natural = (int) ceil (size);
  *minimum_baseline = *natural_baseline = -1;
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WeirLaneView *self = WEIR_LANE_VIEW (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const WeirPalette *palette = weir_look_get_palette ();
  cairo_t *cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  WeirPen pen;

  weir_set_source (cr, palette->background);
  cairo_paint (cr);
  if (self->graph != NULL)
    {
      weir_pen_init (&pen, cr, palette, self->zoom);
      cairo_save (cr);
      cairo_translate (cr, MARGIN, MARGIN);
      cairo_scale (cr, self->zoom, self->zoom);
      weir_lane_graph_draw (self->graph, &pen,
                            self->pointed != WEIR_NO_LANE_NODE ? self->pointed
                            : gtk_widget_has_focus (widget)    ? self->graph->chosen
                                                               : WEIR_NO_LANE_NODE);
      cairo_restore (cr);
      weir_lane_graph_draw_legend (
          &pen, MARGIN + 4, MARGIN + self->graph->height * self->zoom + LEGEND_HEIGHT / 2 + 4);
      weir_pen_clear (&pen);
    }
  cairo_destroy (cr);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
finalize (GObject *object)
{
  g_clear_pointer (&WEIR_LANE_VIEW (object)->graph, weir_lane_graph_free);
  G_OBJECT_CLASS (weir_lane_view_parent_class)->finalize (object);
}

static guint
signal_new (GType type, const char *name)
{
  return g_signal_new (name, type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                       G_TYPE_UINT);
}

static void
weir_lane_view_class_init (WeirLaneViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  gtk_widget_class_set_css_name (widget_class, "weir-lanes");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_CHOSEN] = signal_new (G_TYPE_FROM_CLASS (klass), "chosen");
  signals[SIGNAL_POINTED] = signal_new (G_TYPE_FROM_CLASS (klass), "pointed");
  signals[SIGNAL_ACTIVATED] = signal_new (G_TYPE_FROM_CLASS (klass), "activated");
}

static void
weir_lane_view_init (WeirLaneView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->zoom = 1;
  self->pointed = WEIR_NO_LANE_NODE;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  weir_look_follow (self, G_CALLBACK (gtk_widget_queue_draw));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Dependency graph"), -1);
}

GtkWidget *
weir_lane_view_new (void)
{
  return g_object_new (WEIR_TYPE_LANE_VIEW, NULL);
}
