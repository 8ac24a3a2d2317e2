/* WeirPlotView: one plot to look at closely: wheel zooms time at the pointer (Shift, or on an axis
 * of values: values), drag pans, Ctrl+drag zooms to a box, Backspace goes back to what was shown
 * before, Return shows it alone or with the others, double click or Home fits, arrow keys move the
 * cursor. Cursors to measure with are dragged by their lines (Ctrl: from sample to sample), and
 * moved by keys: A and B choose one, arrows go from sample to sample (Shift: ten), P to the next
 * peak and X to the next crossing of the middle (Shift: the one before) of the curve that Up and
 * Down choose, Escape takes both away; L makes values logarithmic, Shift+L time. Thread: *main*.
 *
 * While it asks for a curve (weir_plot_view_set_asks()), a click chooses the one that it is on;
 * Return asks which one.
 *
 * Signals: "curve-chosen" (int curve, double x, double y): it is asked for, and was chosen there;
 * below 0: any may be meant; "asking-ended": Escape was pressed instead; "cursor-moved" (double
 * time): the pointer is at this time; NAN when it left; "measuring-moved" (uint cursor, double
 * time, boolean is_held): a cursor to measure with is to be there, NAN: nowhere; it may go on while
 * it is held; "across-moved": a cursor at a value is elsewhere; "axes-changed": the user looks at
 * another range of an axis, or has it otherwise.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/plots/plot.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PLOT_VIEW (weir_plot_view_get_type ())
G_DECLARE_FINAL_TYPE (WeirPlotView, weir_plot_view, WEIR, PLOT_VIEW, GtkWidget)

/* @title: read out; the head of the plot shows it. */
GtkWidget *weir_plot_view_new (const char *title);
/* (transfer none) */
WeirPlot *weir_plot_view_get_plot (WeirPlotView *self);
/* Takes in new samples and redraws if there are any. TRUE if there were. */
gboolean weir_plot_view_update (WeirPlotView *self);
/* A screen reader is to get what there is now; while samples come that would be too often. */
void weir_plot_view_describe (WeirPlotView *self);
void weir_plot_view_set_cursor (WeirPlotView *self, double time);
/* NAN: nowhere. It is the one that keys move from now on. */
void weir_plot_view_set_measuring (WeirPlotView *self, guint cursor, double time);
/* An axis as a user wants it. */
typedef struct {
  double limits[2]; /* the first not below the second: it follows the data */
  gboolean is_log;
  const char *title; /* NULL, "": as it comes */
} WeirPlotAxisLook;

WeirPlotAxisLook weir_plot_view_get_axis_look (WeirPlotView *self, WeirPlotAxis axis);
void weir_plot_view_set_axis_looks (WeirPlotView *self,
                                    const WeirPlotAxisLook looks[WEIR_N_PLOT_AXES]);
void weir_plot_view_set_log (WeirPlotView *self, WeirPlotAxis axis, gboolean is_log);
/* All ranges follow the data again. */
void weir_plot_view_fit (WeirPlotView *self);
void weir_plot_view_set_curve_axis (WeirPlotView *self, guint curve, WeirPlotAxis axis);
void weir_plot_view_set_curve_visible (WeirPlotView *self, guint curve, gboolean visible);
/* As weir_plot_set_bounds(). */
void weir_plot_view_set_bounds (WeirPlotView *self, const WeirPlotBound *bounds, guint n,
                                const char *verdict);
void weir_plot_view_set_asks (WeirPlotView *self, gboolean asks);
/* Both cursors at values, a third and two thirds up; or none, if there were any. */
void weir_plot_view_toggle_value_cursors (WeirPlotView *self);
/* Is a peak or crossing that a key asked for yet to be found? */
gboolean weir_plot_view_is_seeking (WeirPlotView *self);

G_END_DECLS
