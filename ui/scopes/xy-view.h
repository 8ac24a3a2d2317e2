/* WeirXyView: the plot of an XY Scope, with its name. Arrows left and right move the point that is
 * marked through the run (Shift: ten times as far), Escape takes it back to the end.
 *
 * Signals: "apart": it is to be in a window of its own, or with the others again; "cursor-moved"
 * (double time): the point is wanted at this time; NAN: at the end. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/plots/xy-plot.h"

G_BEGIN_DECLS

#define WEIR_TYPE_XY_VIEW (weir_xy_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirXyView, weir_xy_view, WEIR, XY_VIEW, GtkWidget)

/* @menu: of the plot. */
GtkWidget *weir_xy_view_new (const char *title, WeirRecorder *recorder, GMenuModel *menu);
WeirXyPlot *weir_xy_view_get_plot (WeirXyView *self);
/* What has the focus. (transfer none) */
GtkWidget *weir_xy_view_get_area (WeirXyView *self);
/* Takes in what was recorded since. */
void weir_xy_view_update (WeirXyView *self);
/* NAN = none. */
void weir_xy_view_set_cursor (WeirXyView *self, double time);

G_END_DECLS
