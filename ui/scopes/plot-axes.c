/* The axes of a plot, typed. See plot-axes.h. */
#include "scopes/plot-axes.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "scopes/plot-menu.h"
#include "widgets/pieces.h"

#define MOST_HEIGHT 420 /* px: more is scrolled */

typedef struct {
  GtkWidget *limits[2], *is_log, *title; /* NULL: the plot has no such axis */
} Fields;

typedef struct {
  WeirPlotView *view; /* lives as long as the popover */
  GtkWidget *popover, *problem;
  Fields fields[WEIR_N_PLOT_AXES];
} Axes;

/* NULL: the limits are sound; else what is wrong. Both empty: 0, 0. */
static const char *
read_limits (const Fields *fields, gboolean is_log, double limits[2])
{
  gboolean is_empty[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strstrip (
          g_strdup (gtk_editable_get_text (GTK_EDITABLE (fields->limits[i]))));
      char *end;

      is_empty[i] = *text == '\0';
      limits[i] = is_empty[i] ? 0 : g_ascii_strtod (text, &end);
      if (!is_empty[i] && (end == text || *end != '\0' || !isfinite (limits[i])))
        return _ ("Type a number and a larger one, or leave both empty to follow the data.");
    }
  if (is_empty[0] != is_empty[1] || (!is_empty[0] && limits[0] >= limits[1]))
    return _ ("Type a number and a larger one, or leave both empty to follow the data.");
  return is_log && !is_empty[0] && limits[0] <= 0 ? _ ("Limits of a logarithmic axis are above 0.")
                                                  : NULL;
}

static void
entered (Axes *self)
{
  WeirPlotAxisLook looks[WEIR_N_PLOT_AXES] = { 0 };

  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++)
    {
      const Fields *fields = &self->fields[axis];
      const char *problem;

      if (fields->title == NULL)
        {
          looks[axis] = weir_plot_view_get_axis_look (self->view, axis);
          continue;
        }
      looks[axis].is_log = gtk_check_button_get_active (GTK_CHECK_BUTTON (fields->is_log));
      looks[axis].title = gtk_editable_get_text (GTK_EDITABLE (fields->title));
      problem = read_limits (fields, looks[axis].is_log, looks[axis].limits);
      if (problem != NULL)
        {
          gtk_label_set_text (GTK_LABEL (self->problem), problem);
          gtk_widget_set_visible (self->problem, TRUE);
          gtk_widget_grab_focus (fields->limits[0]);
          return;
        }
    }
  weir_plot_view_set_axis_looks (self->view, looks);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static GtkWidget *
entry_new (Axes *self, const char *placeholder, const char *axis, const char *what)
{
  GtkWidget *entry = gtk_entry_new ();
  /* Translators: an axis, and what of it: "Time: from" */
  g_autofree char *name = g_strdup_printf (_ ("%s: %s"), axis, what);

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 8);
  gtk_widget_set_hexpand (entry, TRUE);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped (entry, "activate", G_CALLBACK (entered), self);
  return entry;
}

static void
attach (GtkGrid *grid, const char *name, GtkWidget *field, int row)
{
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, field, 1, row, 1, 1);
}

/* Three rows and a heading. */
static void
add_axis (Axes *self, GtkGrid *grid, WeirPlotAxis axis, int row)
{
  static const char *const names[WEIR_N_PLOT_AXES] = { N_ ("Time"), N_ ("Values"),
                                                       N_ ("Values on the Right"),
                                                       N_ ("Values Second on the Right"),
                                                       N_ ("Values Third on the Right") };
  static const char *const ends[2] = { N_ ("From"), N_ ("To") };
  WeirPlot *plot = weir_plot_view_get_plot (self->view);
  WeirPlotAxisLook look = weir_plot_view_get_axis_look (self->view, axis);
  g_autofree char *shown = NULL;
  Fields *fields = &self->fields[axis];
  GtkWidget *heading = gtk_label_new (_ (names[axis]));

  gtk_label_set_xalign (GTK_LABEL (heading), 0);
  gtk_widget_add_css_class (heading, "heading");
  gtk_grid_attach (grid, heading, 0, row, 1, 1);
  fields->is_log = gtk_check_button_new_with_label (_ ("Logarithmic"));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (fields->is_log), look.is_log);
  gtk_accessible_update_property (GTK_ACCESSIBLE (fields->is_log),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, _ (names[axis]), -1);
  gtk_grid_attach (grid, fields->is_log, 1, row, 1, 1);
  for (guint i = 0; i < 2; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      fields->limits[i] = entry_new (self, _ ("as the data"), _ (names[axis]), _ (ends[i]));
      if (look.limits[0] < look.limits[1])
        gtk_editable_set_text (GTK_EDITABLE (fields->limits[i]),
                               g_ascii_formatd (text, sizeof text, "%.9g", look.limits[i]));
      attach (grid, _ (ends[i]), fields->limits[i], row + 1 + (int) i);
    }
  shown = look.title == NULL ? weir_plot_dup_axis_title (plot, axis) : NULL;
  fields->title = entry_new (self, shown, _ (names[axis]), _ ("Title"));
  gtk_editable_set_text (GTK_EDITABLE (fields->title), look.title != NULL ? look.title : "");
  attach (grid, _ ("Title"), fields->title, row + 3);
}

void
weir_plot_axes_ask (GtkWidget *parent, WeirPlotView *view)
{
  Axes *self = g_new0 (Axes, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *grid = gtk_grid_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *apply = gtk_button_new_with_mnemonic (_ ("_Apply"));
  int row = 0;

  self->view = view;
  self->popover = gtk_popover_new ();
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  for (WeirPlotAxis axis = 0; axis < WEIR_N_PLOT_AXES; axis++, row += 4)
    if (weir_plot_has_axis (weir_plot_view_get_plot (view), axis))
      add_axis (self, GTK_GRID (grid), axis, row);
  weir_set_margins (grid, 3, 3);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), grid);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), MOST_HEIGHT);
  self->problem = weir_problem_label_new (30);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), self->problem);
  gtk_box_append (GTK_BOX (box), apply);
  g_signal_connect_swapped (apply, "clicked", G_CALLBACK (entered), self);
  g_object_set_data_full (G_OBJECT (self->popover), "weir-axes", self, g_free);
  gtk_popover_set_child (GTK_POPOVER (self->popover), box);
  gtk_widget_set_parent (self->popover, parent);
  weir_popover_unparent_when_closed (self->popover);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}
