/* WeirMinimap: the whole diagram in small. See minimap.h.
 *
 * The picture of the diagram is kept until the scene changes; panning only moves the frame over it.
 */
#include "canvas/widget/minimap.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MARGIN 6.0
#define WIRES_SCALE 0.04 /* pixels a unit: from farther away wires would only be a haze */

struct _WeirMinimap {
  GtkWidget parent_instance;
  WeirScene *scene;
  const WeirPalette *palette;
  guint problems_hash;
  GHashTable *problems; /* id -> WeirMarkFlags; copied */
  WeirRect visible;     /* diagram units */
  WeirRect area;        /* that fits into the widget */
  double scale;
  WeirOverlay *overlay; /* or NULL */
  cairo_surface_t *picture;
  int picture_scale;
};

enum { MOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WeirMinimap, weir_minimap, GTK_TYPE_WIDGET)

/* The diagram and what is shown of it, as far as that is near: a view far away must not shrink the
 * rest. */
static void
find_area (WeirMinimap *self)
{
  WeirRect reach = weir_scene_get_reach (self->scene);
  double width = WEIR_MINIMAP_WIDTH - 2 * MARGIN, height = WEIR_MINIMAP_HEIGHT - 2 * MARGIN;

  if (reach.width <= 0)
    reach = self->visible;
  self->area = weir_rect_grow (reach, MAX (reach.width, reach.height) * 0.04 + 10);
  self->scale = MIN (width / self->area.width, height / self->area.height);
  self->scale = MIN (self->scale, 0.5);
}

static WeirPoint
to_widget (WeirMinimap *self, WeirPoint p)
{
  WeirPoint middle = weir_rect_get_center (self->area);

  return (WeirPoint) { WEIR_MINIMAP_WIDTH / 2.0 + (p.x - middle.x) * self->scale,
                       WEIR_MINIMAP_HEIGHT / 2.0 + (p.y - middle.y) * self->scale };
}

static WeirPoint
to_diagram (WeirMinimap *self, double x, double y)
{
  WeirPoint middle = weir_rect_get_center (self->area);

  return (WeirPoint) { middle.x + (x - WEIR_MINIMAP_WIDTH / 2.0) / self->scale,
                       middle.y + (y - WEIR_MINIMAP_HEIGHT / 2.0) / self->scale };
}

static void
draw_picture (WeirMinimap *self, int factor)
{
  WeirDiagramStyle style;
  WeirPoint origin = to_widget (self, (WeirPoint) { 0, 0 });
  cairo_t *cr;

  self->picture = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WEIR_MINIMAP_WIDTH * factor,
                                              WEIR_MINIMAP_HEIGHT * factor);
  self->picture_scale = factor;
  cairo_surface_set_device_scale (self->picture, factor, factor);
  cr = cairo_create (self->picture);
  cairo_translate (cr, origin.x, origin.y);
  cairo_scale (cr, self->scale, self->scale);
  weir_diagram_style_init (&style, self->palette);
  style.show_background = style.show_ports = style.show_labels = FALSE;
  style.scale = MIN (self->scale, 0.2); /* plain rectangles: pictograms would be specks */
  style.marks = self->problems;
  style.overlay = self->overlay;
  style.hide_wires = self->scale < WIRES_SCALE;
  weir_diagram_draw (self->scene, cr, &style);
  cairo_destroy (cr);
}

static void
snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WeirMinimap *self = WEIR_MINIMAP (widget);
  WeirPoint a, b;
  cairo_t *cr;

  if (self->scene == NULL)
    return;
  if (self->picture != NULL && self->picture_scale != gtk_widget_get_scale_factor (widget))
    g_clear_pointer (&self->picture, cairo_surface_destroy);
  if (self->picture == NULL)
    draw_picture (self, gtk_widget_get_scale_factor (widget));
  cr = gtk_snapshot_append_cairo (
      snapshot, &GRAPHENE_RECT_INIT (0, 0, WEIR_MINIMAP_WIDTH, WEIR_MINIMAP_HEIGHT));
  cairo_rectangle (cr, 0.5, 0.5, WEIR_MINIMAP_WIDTH - 1, WEIR_MINIMAP_HEIGHT - 1);
  weir_set_source_alpha (cr, self->palette->background, 0.94);
  cairo_fill_preserve (cr);
  weir_set_source (cr, self->palette->grid);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_set_source_surface (cr, self->picture, 0, 0);
  cairo_paint (cr);

  a = to_widget (self, (WeirPoint) { self->visible.x, self->visible.y });
  b = to_widget (self, (WeirPoint) { self->visible.x + self->visible.width,
                                     self->visible.y + self->visible.height });
  a = (WeirPoint) { CLAMP (a.x, 2, WEIR_MINIMAP_WIDTH - 4),
                    CLAMP (a.y, 2, WEIR_MINIMAP_HEIGHT - 4) };
  b = (WeirPoint) { CLAMP (b.x, 4, WEIR_MINIMAP_WIDTH - 2),
                    CLAMP (b.y, 4, WEIR_MINIMAP_HEIGHT - 2) };
  cairo_rectangle (cr, round (a.x) + 0.5, round (a.y) + 0.5, MAX (2, round (b.x - a.x) - 1),
                   MAX (2, round (b.y - a.y) - 1));
  weir_set_source_alpha (cr, self->palette->selection, 0.12);
  cairo_fill_preserve (cr);
  weir_set_source (cr, self->palette->selection);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

void
weir_minimap_update (WeirMinimap *self, WeirScene *scene, const WeirPalette *palette,
                     GHashTable *problems, WeirRect visible)
{
  GHashTableIter iter;
  gpointer id, flags;
  guint hash = 0;

  g_return_if_fail (WEIR_IS_MINIMAP (self));

  if (problems != NULL)
    {
      g_hash_table_iter_init (&iter, problems);
      while (g_hash_table_iter_next (&iter, &id, &flags))
        hash += (GPOINTER_TO_UINT (id) * 31 + GPOINTER_TO_UINT (flags)) * 2654435761u;
    }
  if (scene != self->scene || palette != self->palette || hash != self->problems_hash)
    {
      weir_scene_ref (scene);
      g_clear_pointer (&self->scene, weir_scene_unref);
      self->scene = scene;
      self->palette = palette;
      self->problems_hash = hash;
      g_hash_table_remove_all (self->problems);
      if (problems != NULL)
        {
          g_hash_table_iter_init (&iter, problems);
          while (g_hash_table_iter_next (&iter, &id, &flags))
            g_hash_table_insert (self->problems, id, flags);
        }
      self->visible = visible;
      find_area (self);
      g_clear_pointer (&self->picture, cairo_surface_destroy);
    }
  self->visible = visible;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
weir_minimap_set_overlay (WeirMinimap *self, WeirOverlay *overlay)
{
  g_return_if_fail (WEIR_IS_MINIMAP (self));

  if (overlay != NULL)
    weir_overlay_ref (overlay);
  g_clear_pointer (&self->overlay, weir_overlay_unref);
  self->overlay = overlay;
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- Moving about ---------------------------------------------------------------------------- */

static void
go_to (WeirMinimap *self, double x, double y)
{
  WeirPoint p;

  if (self->scene == NULL)
    return;
  p = to_diagram (self, x, y);
  g_signal_emit (self, signals[MOVED], 0, p.x, p.y);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, WeirMinimap *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  go_to (self, x, y);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, WeirMinimap *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  go_to (self, x + dx, y + dy);
}

/* --- The object ------------------------------------------------------------------------------ */

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
         int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WEIR_MINIMAP_WIDTH
                                                                  : WEIR_MINIMAP_HEIGHT;
  *minimum_baseline = *natural_baseline = -1;
}

static void
finalize (GObject *object)
{
  WeirMinimap *self = WEIR_MINIMAP (object);

  g_clear_pointer (&self->scene, weir_scene_unref);
  g_clear_pointer (&self->picture, cairo_surface_destroy);
  g_clear_pointer (&self->overlay, weir_overlay_unref);
  g_hash_table_unref (self->problems);
  G_OBJECT_CLASS (weir_minimap_parent_class)->finalize (object);
}

static void
weir_minimap_class_init (WeirMinimapClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = finalize;
  widget_class->measure = measure;
  widget_class->snapshot = snapshot;
  signals[MOVED] = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name (widget_class, "minimap");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
weir_minimap_init (WeirMinimap *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->problems = g_hash_table_new (NULL, NULL);
  self->scale = 1;
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "default");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Overview of the diagram"), -1);
}

GtkWidget *
weir_minimap_new (void)
{
  return g_object_new (WEIR_TYPE_MINIMAP, NULL);
}
