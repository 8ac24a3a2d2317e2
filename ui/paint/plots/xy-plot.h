/* One recorded signal over another: the curve of a run in the plane, such as an orbit.
 *
 * Axes follow the curve. A point marks where the run is, or where it was at the time of the cursor
 * that all plots share. Rows where a value is not finite leave a gap. Thread: *owner* (the recorder
 * may grow in another thread).
 */
#pragma once

#include <cairo.h>

#include "paint/ground/palette.h"
#include "sim/recorder.h"

G_BEGIN_DECLS

typedef struct _WeirXyPlot WeirXyPlot;

/* @recorder is kept (ref). */
WeirXyPlot *weir_xy_plot_new (WeirRecorder *recorder);
void weir_xy_plot_free (WeirXyPlot *self);

/* The signals of another run in place of these. @x, @y: their indices there. */
void weir_xy_plot_set_recorder (WeirXyPlot *self, WeirRecorder *recorder, guint x, guint y);
/* What they are of; FALSE before both are known. @recorder: (out) (transfer none) */
gboolean weir_xy_plot_get_signals (WeirXyPlot *self, WeirRecorder **recorder, guint *x, guint *y);
/* Which signals, and what their axes are called. Nothing is drawn before both are known. */
void weir_xy_plot_set_x (WeirXyPlot *self, guint signal, const char *label);
void weir_xy_plot_set_y (WeirXyPlot *self, guint signal, const char *label);

/* Takes in new rows. TRUE if there are any. */
gboolean weir_xy_plot_update (WeirXyPlot *self);
/* NAN = the last row. */
void weir_xy_plot_set_cursor (WeirXyPlot *self, double time);
/* The point that is marked; FALSE if there is none. */
gboolean weir_xy_plot_get_marked (WeirXyPlot *self, double *x, double *y);
/* Of what was taken in: low and high of x, then of y. FALSE without any. */
gboolean weir_xy_plot_get_ranges (WeirXyPlot *self, double ranges[4]);

/* The time that is @share of the run on from the point that is marked, or back, as far as the run
 * goes. FALSE: there is no row. */
gboolean weir_xy_plot_find_time (WeirXyPlot *self, double share, double *time);
/* What is to be seen, in sentences for those who see nothing. (transfer full) */
char *weir_xy_plot_dup_summary (WeirXyPlot *self);

/* Into the rectangle (0, 0, width, height), background included. */
void weir_xy_plot_draw (WeirXyPlot *self, cairo_t *cr, double width, double height,
                        const WeirPalette *palette);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirXyPlot, weir_xy_plot_free)

G_END_DECLS
