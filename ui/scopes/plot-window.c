/* WeirPlotWindow. See plot-window.h. */
#include "scopes/plot-window.h"

#include <glib/gi18n-lib.h>

#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define WIDTH 760 /* px, at first */
#define HEIGHT 480
#define TABLE_WIDTH 300

struct _WeirPlotWindow {
  AdwWindow parent;
  GtkWidget *title, *place; /* of the plot */
  GtkWidget *figures;
};

G_DEFINE_FINAL_TYPE (WeirPlotWindow, weir_plot_window, ADW_TYPE_WINDOW)

enum { PROPERTY_SHOWS_FIGURES = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

void
weir_plot_window_set_plot (WeirPlotWindow *self, GtkWidget *plot)
{
  g_return_if_fail (WEIR_IS_PLOT_WINDOW (self));

  adw_bin_set_child (
      ADW_BIN (self->place),
      plot != NULL
          ? plot
          : weir_empty_page_new (_ ("Nothing to Plot Yet"),
                                 _ ("There is nothing to plot yet: run the model (F5)."), NULL));
}

GtkWidget *
weir_plot_window_get_plot (WeirPlotWindow *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_WINDOW (self), NULL);

  return adw_bin_get_child (ADW_BIN (self->place));
}

WeirFiguresPanel *
weir_plot_window_get_figures (WeirPlotWindow *self)
{
  g_return_val_if_fail (WEIR_IS_PLOT_WINDOW (self), NULL);

  return WEIR_FIGURES_PANEL (self->figures);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
close_window (GtkWidget *widget, G_GNUC_UNUSED const char *action, G_GNUC_UNUSED GVariant *value)
{
  gtk_window_close (GTK_WINDOW (widget));
}

static void
toggle_fullscreen (GtkWidget *widget, G_GNUC_UNUSED const char *action,
                   G_GNUC_UNUSED GVariant *value)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (widget)))
    gtk_window_unfullscreen (GTK_WINDOW (widget));
  else
    gtk_window_fullscreen (GTK_WINDOW (widget));
}

static void
get_property (GObject *object, G_GNUC_UNUSED guint id, GValue *value,
              G_GNUC_UNUSED GParamSpec *spec)
{
  g_value_set_boolean (value, gtk_widget_get_visible (WEIR_PLOT_WINDOW (object)->figures));
}

static void
set_property (GObject *object, G_GNUC_UNUSED guint id, const GValue *value, GParamSpec *spec)
{
  WeirPlotWindow *self = WEIR_PLOT_WINDOW (object);

  if (g_value_get_boolean (value) == gtk_widget_get_visible (self->figures))
    return;
  gtk_widget_set_visible (self->figures, g_value_get_boolean (value));
  g_object_notify_by_pspec (object, spec);
}

static void
weir_plot_window_class_init (WeirPlotWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->get_property = get_property;
  G_OBJECT_CLASS (klass)->set_property = set_property;
  properties[PROPERTY_SHOWS_FIGURES] = g_param_spec_boolean (
      "shows-figures", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  gtk_widget_class_install_property_action (widget_class, "plot.figures", "shows-figures");
  /* Their keys mean this window, not the model's. */
  gtk_widget_class_install_action (widget_class, "win.close-tab", NULL, close_window);
  gtk_widget_class_install_action (widget_class, "win.fullscreen", NULL, toggle_fullscreen);
}

static void
weir_plot_window_init (WeirPlotWindow *self)
{
  self->title = adw_window_title_new (NULL, NULL);
  self->place = adw_bin_new ();
  self->figures = weir_figures_panel_new ();
}

static GtkWidget *
tool_new (const char *text, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (text);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  weir_set_tooltip (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}

static GtkWidget *
header_new (WeirPlotWindow *self, gboolean can_measure)
{
  GtkWidget *header = adw_header_bar_new ();

  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), self->title);
  if (can_measure)
    {
      adw_header_bar_pack_start (
          ADW_HEADER_BAR (header),
          tool_new ("A|B", "win.measure", _ ("Cursors to Measure With (A, B)")));
      adw_header_bar_pack_start (ADW_HEADER_BAR (header),
                                 tool_new ("Σ", "plot.figures", _ ("Table of Figures")));
    }
  return header;
}

WeirPlotWindow *
weir_plot_window_new (GtkApplication *application, const char *title, const char *model,
                      GActionGroup *actions, gboolean can_measure)
{
  WeirPlotWindow *self = g_object_new (WEIR_TYPE_PLOT_WINDOW, "application", application, "title",
                                       title, "default-width", WIDTH, "default-height", HEIGHT,
                                       NULL);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  gtk_widget_insert_action_group (GTK_WIDGET (self), "win", actions);
  adw_window_title_set_title (ADW_WINDOW_TITLE (self->title), title);
  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (self->title), model != NULL ? model : "");
  gtk_paned_set_start_child (GTK_PANED (paned), self->place);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_size_request (self->figures, TABLE_WIDTH, -1);
  gtk_widget_set_visible (self->figures, FALSE);
  gtk_paned_set_end_child (GTK_PANED (paned), self->figures);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (content), header_new (self, can_measure));
  gtk_box_append (GTK_BOX (content), paned);
  adw_window_set_content (ADW_WINDOW (self), content);
  weir_plot_window_set_plot (self, NULL);
  return self;
}
