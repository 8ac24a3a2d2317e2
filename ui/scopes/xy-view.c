/* WeirXyView. See xy-view.h. */
#include "scopes/xy-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "scopes/plot-menu.h"
#include "scopes/plot-view.h"
#include "widgets/look.h"

struct _WeirXyView {
  GtkWidget parent;
  GtkWidget *area;
  WeirXyPlot *plot;
};

#define STEP 0.01 /* of the run, that a key goes; with Shift ten times that */

enum { SIGNAL_APART, SIGNAL_CURSOR_MOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WeirXyView, weir_xy_view, GTK_TYPE_WIDGET)

WeirXyPlot *
weir_xy_view_get_plot (WeirXyView *self)
{
  g_return_val_if_fail (WEIR_IS_XY_VIEW (self), NULL);

  return self->plot;
}

GtkWidget *
weir_xy_view_get_area (WeirXyView *self)
{
  g_return_val_if_fail (WEIR_IS_XY_VIEW (self), NULL);

  return self->area;
}

static void
describe (WeirXyView *self)
{
  g_autofree char *text = weir_xy_plot_dup_summary (self->plot);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

void
weir_xy_view_update (WeirXyView *self)
{
  g_return_if_fail (WEIR_IS_XY_VIEW (self));

  if (!weir_xy_plot_update (self->plot))
    return;
  describe (self);
  gtk_widget_queue_draw (self->area);
}

void
weir_xy_view_set_cursor (WeirXyView *self, double time)
{
  g_return_if_fail (WEIR_IS_XY_VIEW (self));

  weir_xy_plot_set_cursor (self->plot, time);
  describe (self);
  gtk_widget_queue_draw (self->area);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  double scale = weir_look_get_text_scale (GTK_WIDGET (area));

  cairo_scale (cr, scale, scale);
  weir_xy_plot_draw (((WeirXyView *) data)->plot, cr, width / scale, height / scale,
                     weir_look_get_palette ());
}

static gboolean
key_pressed (G_GNUC_UNUSED GtkEventControllerKey *controller, guint key, G_GNUC_UNUSED guint code,
             GdkModifierType state, WeirXyView *self)
{
  double step = (state & GDK_SHIFT_MASK) != 0 ? 10 * STEP : STEP, time = (double) NAN;

  if (key == GDK_KEY_Left || key == GDK_KEY_Right)
    weir_xy_plot_find_time (self->plot, key == GDK_KEY_Right ? step : -step, &time);
  else if (key != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit (self, signals[SIGNAL_CURSOR_MOVED], 0, time);
  return GDK_EVENT_STOP;
}

static void
toggle_apart (GtkWidget *widget, G_GNUC_UNUSED const char *action,
              G_GNUC_UNUSED GVariant *parameter)
{
  g_signal_emit (widget, signals[SIGNAL_APART], 0);
}

static void
dispose (GObject *object)
{
  WeirXyView *self = WEIR_XY_VIEW (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_pointer (&self->plot, weir_xy_plot_free);
  G_OBJECT_CLASS (weir_xy_view_parent_class)->dispose (object);
}

static void
weir_xy_view_class_init (WeirXyViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_install_action (widget_class, "plot.apart", NULL, toggle_apart);
  weir_plot_menu_bind_apart (widget_class);
  signals[SIGNAL_APART] = g_signal_new ("apart", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CURSOR_MOVED] = g_signal_new ("cursor-moved", G_TYPE_FROM_CLASS (klass),
                                               G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               1, G_TYPE_DOUBLE);
}

static void
weir_xy_view_init (WeirXyView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, NULL);
  gtk_widget_add_css_class (self->area, "weir-plot");
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed), self);
  gtk_widget_add_controller (self->area, keys);
  weir_look_follow (self->area, G_CALLBACK (gtk_widget_queue_draw));
}

GtkWidget *
weir_xy_view_new (const char *title, WeirRecorder *recorder, GMenuModel *menu)
{
  WeirXyView *self = g_object_new (WEIR_TYPE_XY_VIEW, NULL);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new (title);

  self->plot = weir_xy_plot_new (recorder);
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 12);
  gtk_box_append (GTK_BOX (head), label);
  gtk_box_append (GTK_BOX (head), weir_plot_menu_button_new (menu));
  gtk_widget_set_parent (head, GTK_WIDGET (self));
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw, self, NULL);
  gtk_widget_set_hexpand (self->area, TRUE);
  gtk_widget_set_vexpand (self->area, TRUE);
  gtk_widget_set_size_request (self->area, 160, 120);
  gtk_widget_set_parent (self->area, GTK_WIDGET (self));
  weir_plot_menu_attach (self->area, menu);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  return GTK_WIDGET (self);
}
