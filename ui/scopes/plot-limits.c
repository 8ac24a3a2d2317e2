/* Typed limits of axes. See plot-limits.h. */
#include "scopes/plot-limits.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "scopes/plot-menu.h"

#define N_LIMITS 4 /* of time, then of values */

typedef struct {
  WeirPlotView *view; /* lives as long as the popover */
  GtkWidget *popover, *entries[N_LIMITS], *problem;
} Limits;

/* FALSE: they make no sense. Both empty: 0, 0. */
static gboolean
read_pair (const Limits *self, guint first, double pair[2])
{
  gboolean is_empty[2];

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *text = g_strstrip (
          g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entries[first + i]))));
      char *end;

      is_empty[i] = *text == '\0';
      pair[i] = is_empty[i] ? 0 : g_ascii_strtod (text, &end);
      if (!is_empty[i] && (end == text || *end != '\0' || !isfinite (pair[i])))
        return FALSE;
    }
  return is_empty[0] == is_empty[1] && (is_empty[0] || pair[0] < pair[1]);
}

static void
entered (Limits *self)
{
  double time[2], value[2];
  gboolean is_sound = read_pair (self, 0, time) && read_pair (self, 2, value);

  gtk_widget_set_visible (self->problem, !is_sound);
  if (!is_sound)
    return;
  weir_plot_view_set_ranges (self->view, time, value);
  gtk_popover_popdown (GTK_POPOVER (self->popover));
}

static void
show_pair (Limits *self, guint first, gboolean is_fixed, double low, double high)
{
  const double pair[2] = { low, high };

  for (guint i = 0; i < 2 && is_fixed; i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      gtk_editable_set_text (GTK_EDITABLE (self->entries[first + i]),
                             g_ascii_formatd (text, sizeof text, "%.9g", pair[i]));
    }
}

static void
add_fields (Limits *self, GtkGrid *grid)
{
  static const char *const names[N_LIMITS] = { N_ ("Time from (s)"), N_ ("Time to (s)"),
                                               N_ ("Values from"), N_ ("Values to") };

  for (guint i = 0; i < N_LIMITS; i++)
    {
      GtkWidget *label = gtk_label_new (_ (names[i]));

      self->entries[i] = gtk_entry_new ();
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_editable_set_width_chars (GTK_EDITABLE (self->entries[i]), 10);
      gtk_entry_set_placeholder_text (GTK_ENTRY (self->entries[i]), _ ("as the data"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->entries[i]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _ (names[i]), -1);
      g_signal_connect_swapped (self->entries[i], "activate", G_CALLBACK (entered), self);
      gtk_grid_attach (grid, label, 0, (int) i, 1, 1);
      gtk_grid_attach (grid, self->entries[i], 1, (int) i, 1, 1);
    }
}

void
weir_plot_limits_ask (GtkWidget *parent, WeirPlotView *view)
{
  Limits *self = g_new0 (Limits, 1);
  GtkWidget *grid = gtk_grid_new (), *apply = gtk_button_new_with_mnemonic (_ ("_Apply"));
  WeirPlot *plot = weir_plot_view_get_plot (view);
  double low, high;

  self->view = view;
  self->popover = gtk_popover_new ();
  gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  add_fields (self, GTK_GRID (grid));
  weir_plot_get_time_range (plot, &low, &high);
  show_pair (self, 0, weir_plot_is_time_range_fixed (plot), low, high);
  weir_plot_get_value_range (plot, &low, &high);
  show_pair (self, 2, weir_plot_is_value_range_fixed (plot), low, high);
  self->problem = gtk_label_new (
      _ ("Type a number and a larger one, or leave both empty to follow the data."));
  gtk_label_set_wrap (GTK_LABEL (self->problem), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (self->problem), 30);
  gtk_label_set_xalign (GTK_LABEL (self->problem), 0);
  gtk_widget_add_css_class (self->problem, "error");
  gtk_widget_set_visible (self->problem, FALSE);
  gtk_grid_attach (GTK_GRID (grid), self->problem, 0, N_LIMITS, 2, 1);
  gtk_grid_attach (GTK_GRID (grid), apply, 0, N_LIMITS + 1, 2, 1);
  g_signal_connect_swapped (apply, "clicked", G_CALLBACK (entered), self);
  g_object_set_data_full (G_OBJECT (self->popover), "weir-limits", self, g_free);
  gtk_popover_set_child (GTK_POPOVER (self->popover), grid);
  gtk_widget_set_parent (self->popover, parent);
  weir_popover_unparent_when_closed (self->popover);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}
