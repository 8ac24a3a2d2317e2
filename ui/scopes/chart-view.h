/* WeirChartView: a chart to look at closely. The pointer reads out values; the wheel zooms at it,
 * drag pans, double click or Home fits; Left and Right move the cursor along a curve (Shift: by
 * ten), Up and Down to another curve or mark.
 *
 * Where what is drawn can be chosen (weir_chart_view_set_brushes()), a click or Space chooses what
 * the cursor is on, Ctrl+drag what is in a box, Shift+Space all from the last thing chosen so to
 * the cursor; with Ctrl (of a box with Shift) that is added, or taken away again; Escape chooses
 * nothing.
 *
 * Signals: "grabbed" (double x, double y): the chart is dragged, where that is asked for, instead
 * of panned; "brushed" (const WeirChartBox *box, WeirChartBrush how): what is in @box is chosen;
 * NULL: nothing is. Thread: *main*.
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

typedef enum {
  WEIR_CHART_BRUSH_ONLY,   /* and nothing else */
  WEIR_CHART_BRUSH_ADD,    /* to what was chosen */
  WEIR_CHART_BRUSH_TOGGLE, /* the same, or taken away where all of it was chosen */
} WeirChartBrush;

void weir_chart_view_set_brushes (WeirChartView *self, gboolean brushes);

G_END_DECLS
