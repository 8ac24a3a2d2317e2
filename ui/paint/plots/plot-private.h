/* What the files of a plot share: its curves and ranges, which plot.c keeps, and where its axes
 * were drawn, which plot-draw.c sets.
 */
#pragma once

#include "paint/ground/geometry.h"
#include "paint/drawing/glyph.h"
#include "paint/plots/plot.h"
#include "paint/plots/pyramid.h"

G_BEGIN_DECLS

#define WEIR_PLOT_LABEL_SIZE 11.0
#define WEIR_PLOT_LEGEND_LINE 17.0 /* height of a line of the legend */

typedef struct _WeirCurve WeirCurve;
struct _WeirCurve {
  char *name, *unit; /* unit: NULL: not known */
  WeirCurveStyle style;
  WeirPlotColumns columns;
  gpointer data;
  GDestroyNotify destroy;
  WeirPyramid *pyramid;
  gsize n_rows; /* as of the last update */
  gboolean visible;
  WeirPlotAxis axis; /* that it is measured by */
  guint look;        /* which colour and dashes */
  guint earlier_of;  /* index of the curve whose earlier run it is; G_MAXUINT: of none */
  WeirCurve *shadow; /* what it was, drawn beneath it; or NULL */
};

struct _WeirPlot {
  GPtrArray *curves;
  char *title;
  char *axis_titles[WEIR_N_PLOT_AXES]; /* NULL: by what is measured there */
  gboolean show_legend, legend_at_cursor;
  gboolean legend_is_inside;       /* the axes; as of the last drawing */
  double set[WEIR_N_PLOT_AXES][2]; /* first >= last: follow */
  double expected[2], span;
  double cursor;
  double measuring[WEIR_N_CURSORS]; /* NAN: none */
  double across[WEIR_N_CURSORS];    /* values; NAN: none */
  GArray *levels;                   /* double: of `levels_of` */
  guint levels_of, n_strong_levels; /* the first of them stand out */
  GArray *bounds;                   /* WeirPlotBound */
  char *verdict;
  WeirAxis shown[WEIR_N_PLOT_AXES];               /* logarithmic: as set */
  gboolean has_gaps[WEIR_N_PLOT_AXES];            /* samples without a place on it can be seen */
  gboolean has_axis[WEIR_N_PLOT_AXES];            /* a curve that is measured by it can be seen */
  gboolean changed;                               /* since the last update */
  double axes_x, axes_y, axes_width, axes_height; /* of the last drawing */
  double axis_x[WEIR_N_PLOT_AXES];                /* of those on the right: where their lines are */
  double legend_y;
  WeirRect readout; /* of the last drawing: where the legend was */
  guint n_legend_lines;
  gsize n_vertices;
};

double weir_curve_get_time (const WeirCurve *curve, gsize row);
double weir_curve_get_value (const WeirCurve *curve, gsize row);
/* The first row in [low, n_rows) at @time or later. */
gsize weir_curve_find_row (const WeirCurve *curve, double time, gsize low);
WeirSpan weir_curve_get_span (const WeirCurve *curve, gsize first, gsize end);

gboolean weir_curve_is_earlier (const WeirCurve *curve);
/* Sets colour and dashes: those that tell curves of one colour apart, short ones for an earlier
 * run. */
void weir_curve_set_look (const WeirCurve *curve, cairo_t *cr, const WeirPalette *palette);

/* Where a time is drawn; NAN: nowhere. */
static inline double
weir_plot_get_x (const WeirPlot *self, double time)
{
  return self->axes_x + self->axes_width * weir_axis_get_share (&self->shown[WEIR_PLOT_TIME], time);
}

/* Where a value is drawn, measured by an axis; NAN: nowhere. Far outside the axes nothing is seen,
 * but coordinates must stay within what cairo can take. */
static inline double
weir_plot_get_y (const WeirPlot *self, WeirPlotAxis axis, double value)
{
  double share = weir_axis_get_share (&self->shown[axis], value);
  double y = self->axes_y + self->axes_height * (1 - share);

  return CLAMP (y, self->axes_y - 8 * self->axes_height, self->axes_y + 9 * self->axes_height);
}

static inline const WeirAxis *
weir_plot_get_value_axis (const WeirPlot *self, const WeirCurve *curve)
{
  return &self->shown[curve->axis];
}

/* The line of the pointer's time and those of the cursors to measure with; beneath the curves, the
 * levels that one is judged by. */
void weir_plot_draw_cursors (WeirPlot *self, WeirPen *pen);
void weir_plot_draw_levels (WeirPlot *self, WeirPen *pen);

/* Bounds beneath the curves, what is said of them above all; the values that an axis is to show. */
void weir_plot_draw_bounds (WeirPlot *self, WeirPen *pen);
void weir_plot_draw_verdict (WeirPlot *self, WeirPen *pen);
WeirSpan weir_plot_get_bounds_span (WeirPlot *self, WeirPlotAxis axis);

/* How many lines, at most @max, the legend takes with a value at every name: the same wherever the
 * cursor is. */
guint weir_plot_count_legend_lines (WeirPlot *self, WeirPen *pen, double width, guint max);
/* Where the legend was drawn last. */
WeirRect weir_plot_get_readout (WeirPlot *self);
/* Draws the legend into the lines that layout has reserved above the axes. */
void weir_plot_draw_legend (WeirPlot *self, WeirPen *pen, double width);

G_END_DECLS
