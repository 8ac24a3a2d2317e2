/* Line plots of recorded signals on a cairo surface: axes, grid, curves, legend, cursor.
 *
 * A plot reads append-only columns and keeps, per curve, a min/max pyramid that grows with them, so
 * that drawing costs a few vertices per pixel column however many samples there are. Nothing is
 * copied but the pyramid. weir_plot_update() takes in what was published since the last call;
 * drawing shows what the last update saw, so that axes and curves always agree. Values that are not
 * finite leave a gap. Thread: *owner* (the columns may grow in another thread).
 */
#pragma once

#include <cairo.h>
#include <gio/gio.h>

#include "paint/ground/palette.h"
#include "paint/plots/axis.h"
#include "sim/recorder.h"

G_BEGIN_DECLS

typedef struct _WeirPlot WeirPlot;

typedef enum {
  WEIR_CURVE_LINE,  /* straight from sample to sample */
  WEIR_CURVE_STEPS, /* held since the sample before: discrete signals, whose samples are taken
                       before events */
} WeirCurveStyle;

typedef enum {
  WEIR_PLOT_TIME,
  WEIR_PLOT_LEFT,  /* values, on the left */
  WEIR_PLOT_RIGHT, /* of the curves that are measured there: for other units and sizes */
  WEIR_PLOT_RIGHT_2,
  WEIR_PLOT_RIGHT_3, /* each to the right of the one before */
  WEIR_N_PLOT_AXES,
} WeirPlotAxis;

/* Append-only columns to plot: times never decrease. @n_rows: how many there are; the other two
 * give rows from @first on that lie together, setting @n to how many. */
typedef struct {
  gsize (*get_n_rows) (gpointer data);
  const double *(*get_times) (gpointer data, gsize first, gsize *n);
  const double *(*get_values) (gpointer data, gsize first, gsize *n);
} WeirPlotColumns;

WeirPlot *weir_plot_new (void);
void weir_plot_free (WeirPlot *self);

/* Adds a curve and returns its index; its colour follows from the index. @recorder is
 * kept (ref). */
guint weir_plot_add_signal (WeirPlot *self, WeirRecorder *recorder, guint signal,
                            WeirCurveStyle style);
/* The same from any columns. @destroy (nullable) frees @data. */
guint weir_plot_add_columns (WeirPlot *self, const char *name, WeirCurveStyle style,
                             const WeirPlotColumns *columns, gpointer data, GDestroyNotify destroy);
/* Makes it the curve of another run's signal. @keeps_shadow: what it was when this began stays as a
 * faint shadow, until weir_plot_drop_shadows(). */
void weir_plot_set_signal (WeirPlot *self, guint curve, WeirRecorder *recorder, guint signal,
                           gboolean keeps_shadow);
void weir_plot_drop_shadows (WeirPlot *self);
gboolean weir_plot_has_shadows (WeirPlot *self);
/* Adds what @curve was in an earlier run, named @name: of its colour, shown, hidden and measured as
 * it is, beneath all others. */
guint weir_plot_add_earlier (WeirPlot *self, guint curve, WeirRecorder *recorder, guint signal,
                             const char *name);
guint weir_plot_get_n_curves (WeirPlot *self);
/* What a curve is of; FALSE if it is no recorded signal. @recorder: (out) (transfer none) */
gboolean weir_plot_get_signal (WeirPlot *self, guint curve, WeirRecorder **recorder, guint *signal);
WeirCurveStyle weir_plot_get_curve_style (WeirPlot *self, guint curve);
gboolean weir_plot_is_earlier (WeirPlot *self, guint curve);
/* Its place in palette->curves. */
guint weir_plot_get_curve_color (WeirPlot *self, guint curve);
const char *weir_plot_get_curve_name (WeirPlot *self, guint curve);
void weir_plot_set_curve_name (WeirPlot *self, guint curve, const char *name);
void weir_plot_set_curve_visible (WeirPlot *self, guint curve, gboolean visible);
gboolean weir_plot_get_curve_visible (WeirPlot *self, guint curve);
/* "m"; NULL: none is known. */
void weir_plot_set_curve_unit (WeirPlot *self, guint curve, const char *unit);
const char *weir_plot_get_curve_unit (WeirPlot *self, guint curve);
/* By which axis of values it is measured; that on the left by default. */
void weir_plot_set_curve_axis (WeirPlot *self, guint curve, WeirPlotAxis axis);
WeirPlotAxis weir_plot_get_curve_axis (WeirPlot *self, guint curve);
/* Those on the right are there while a curve that can be seen is measured by them. */
gboolean weir_plot_has_axis (WeirPlot *self, WeirPlotAxis axis);

void weir_plot_set_title (WeirPlot *self, const char *title);   /* NULL = none */
void weir_plot_set_show_legend (WeirPlot *self, gboolean show); /* default TRUE */
/* The legend only reads out values, while there is a cursor: above the axes, or, in a low plot,
 * within them where the curves leave room. Default FALSE. */
void weir_plot_set_legend_at_cursor (WeirPlot *self, gboolean at_cursor);

/* Takes in new rows. TRUE if anything changed, so that it is worth drawing again. */
gboolean weir_plot_update (WeirPlot *self);

/* Axes: low < high fixes the range, anything else (0, 0) makes it follow the data. While the time
 * range follows and a span > 0 is set, only the last @span seconds are shown. A logarithmic axis
 * also follows while the range that is set is not above 0; what is at most 0 is a gap there. */
void weir_plot_set_range (WeirPlot *self, WeirPlotAxis axis, double low, double high);
gboolean weir_plot_is_range_fixed (WeirPlot *self, WeirPlotAxis axis); /* FALSE: it follows */
void weir_plot_get_range (WeirPlot *self, WeirPlotAxis axis, double *low, double *high);
void weir_plot_set_log (WeirPlot *self, WeirPlotAxis axis, gboolean is_log);
gboolean weir_plot_is_log (WeirPlot *self, WeirPlotAxis axis);
/* As shown. (transfer none) */
const WeirAxis *weir_plot_get_axis (WeirPlot *self, WeirPlotAxis axis);
/* NULL or "": the name and unit of the one curve there, or the unit of all; of time "Time (s)". */
void weir_plot_set_axis_title (WeirPlot *self, WeirPlotAxis axis, const char *title);
const char *weir_plot_get_axis_title (WeirPlot *self, WeirPlotAxis axis); /* as set */
char *weir_plot_dup_axis_title (WeirPlot *self, WeirPlotAxis axis);       /* as shown; NULL: none */
/* A sentence where samples that can be seen have no place on a logarithmic axis; else NULL. */
const char *weir_plot_get_gap_note (WeirPlot *self);
void weir_plot_set_span (WeirPlot *self, double span);
/* Where following starts: the time range is at least this (a run from 0 to its stop time). */
void weir_plot_set_expected_range (WeirPlot *self, double first, double last);

/* A vertical line at @time with a readout of all curves; NAN = none. */
void weir_plot_set_cursor (WeirPlot *self, double time);
double weir_plot_get_cursor (WeirPlot *self);
/* Value of a curve at a time, interpolated as it is drawn. FALSE outside its samples or in
 * a gap. */
gboolean weir_plot_get_value_at (WeirPlot *self, guint curve, double time, double *value);
/* The same. @is_sample: (out) FALSE: it was interpolated. */
gboolean weir_plot_read (WeirPlot *self, guint curve, double time, double *value,
                         gboolean *is_sample);

/* The cursors to measure with, A and B: each a line at a time, with a dot at every curve that is
 * hollow where the value there is interpolated. NAN = none. */
#define WEIR_N_CURSORS 2
extern const char *const weir_cursor_names[WEIR_N_CURSORS]; /* "A", "B" */
void weir_plot_set_measuring (WeirPlot *self, guint cursor, double time);
double weir_plot_get_measuring (WeirPlot *self, guint cursor);
/* The one whose line is near a position in the last drawing; FALSE if there is none. */
gboolean weir_plot_hit_measuring (WeirPlot *self, double x, double y, guint *cursor);
/* The time of the @n-th sample after @time of any curve that can be seen, or before it for @n < 0;
 * of the last one if there are fewer. FALSE if there is none. */
gboolean weir_plot_find_sample (WeirPlot *self, double time, int n, double *found);

/* Two more to measure with, Y1 and Y2: each a line across at a value of the axis on the left, that
 * of a plot alone. NAN = none. */
extern const char *const weir_value_cursor_names[WEIR_N_CURSORS];
void weir_plot_set_value_cursor (WeirPlot *self, guint cursor, double value);
double weir_plot_get_value_cursor (WeirPlot *self, guint cursor);
/* Y2 - Y1; NAN unless there are both. */
double weir_plot_get_value_difference (WeirPlot *self);
gboolean weir_plot_hit_value_cursor (WeirPlot *self, double x, double y, guint *cursor);

/* Values that @curve is judged by, as lines across: the first @n_strong of @n stand out. NULL, 0 =
 * none. One curve at a time has them. */
void weir_plot_set_levels (WeirPlot *self, guint curve, const double *levels, guint n_strong,
                           guint n);

/* A line that a curve is not to go beyond: above it, or below. Straight; a time may be infinite,
 * then both values are the same. */
typedef struct {
  guint curve;
  gboolean is_upper, is_broken;
  double from, to, values[2];
} WeirPlotBound;

/* @verdict: (nullable): what is to be said of them, in the plot too. */
void weir_plot_set_bounds (WeirPlot *self, const WeirPlotBound *bounds, guint n,
                           const char *verdict);
guint weir_plot_get_n_bounds (WeirPlot *self);
const char *weir_plot_get_verdict (WeirPlot *self);

/* Draws into the rectangle (0, 0, width, height), background included. The legend, with the values
 * at the cursor, has a strip above the axes; these stay where they are wherever the cursor is. */
void weir_plot_draw (WeirPlot *self, cairo_t *cr, double width, double height,
                     const WeirPalette *palette);
/* Positions within the last drawing; FALSE outside its axes (times and values are given anyway). */
gboolean weir_plot_from_position (WeirPlot *self, double x, double y, double *time, double *value);
/* The curve that is nearest to a position of the last drawing, of those that can be seen and are of
 * this run; FALSE: none is so near. @reach: pixels. */
gboolean weir_plot_find_curve (WeirPlot *self, double x, double y, double reach, guint *curve);
/* The axis at whose numbers a position of the last drawing is; WEIR_N_PLOT_AXES: at the curves. */
WeirPlotAxis weir_plot_find_axis (WeirPlot *self, double x, double y);
void weir_plot_to_position (WeirPlot *self, double time, double value, double *x, double *y);

/* What is to be seen, in sentences for those who see nothing: the times, and of every curve from
 * what to what it goes there. (transfer full) */
char *weir_plot_dup_summary (WeirPlot *self);

/* How many vertices the last drawing of the curves took; for tests and measurements. */
gsize weir_plot_get_n_vertices (WeirPlot *self);

/* Writes every signal of @recorder as one plot on white. The suffix decides: .png, .svg, .pdf. */
gboolean weir_plot_write (WeirRecorder *recorder, const char *path, GError **error);
/* Writes this plot. @width, @height: pixels (PNG) or points. */
gboolean weir_plot_write_file (WeirPlot *self, const char *path, double width, double height,
                               const WeirPalette *palette, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirPlot, weir_plot_free)

G_END_DECLS
