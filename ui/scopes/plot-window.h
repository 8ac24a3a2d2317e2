/* WeirPlotWindow: a window of one plot, which stays what it was among the others: its cursors,
 * menus and keys, and the actions of the model's window. Its button Σ shows the figures of that
 * plot alone.
 *
 * Property: "shows-figures" (boolean). Thread: *main*.
 */
#pragma once

#include <adwaita.h>

#include "scopes/figures-panel.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PLOT_WINDOW (weir_plot_window_get_type ())
G_DECLARE_FINAL_TYPE (WeirPlotWindow, weir_plot_window, WEIR, PLOT_WINDOW, AdwWindow)

/* @title: of the plot; @model: (nullable) what its model is called. @actions: (nullable) the group
 * "win". @can_measure: it has cursors and figures. */
WeirPlotWindow *weir_plot_window_new (GtkApplication *application, const char *title,
                                      const char *model, GActionGroup *actions,
                                      gboolean can_measure);
/* What it shows; NULL: nothing at present. The former one is let go. */
void weir_plot_window_set_plot (WeirPlotWindow *self, GtkWidget *plot);
GtkWidget *weir_plot_window_get_plot (WeirPlotWindow *self);
/* Hidden, while they are not shown. */
WeirFiguresPanel *weir_plot_window_get_figures (WeirPlotWindow *self);

G_END_DECLS
