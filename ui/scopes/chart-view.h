/* WeirChartView: a chart to look at closely. The pointer reads out values; the wheel zooms at it,
 * drag pans, double click or Home fits; Left and Right move the cursor along a curve (Shift: by
 * ten), Up and Down to another curve or mark.
 *
 * Signal "grabbed" (double x, double y): the chart is dragged, where that is asked for, instead of
 * panned. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/plots/chart.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CHART_VIEW (weir_chart_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirChartView, weir_chart_view, WEIR, CHART_VIEW, GtkWidget)

GtkWidget *weir_chart_view_new (void);
/* What it shows: after changing that, weir_chart_view_changed(). (transfer none) */
WeirChart *weir_chart_view_get_chart (WeirChartView *self);
void weir_chart_view_changed (WeirChartView *self);
/* What assistive technology says of it, but for the cursor. */
void weir_chart_view_set_title (WeirChartView *self, const char *title);
void weir_chart_view_set_grabs (WeirChartView *self, gboolean grabs);

G_END_DECLS
