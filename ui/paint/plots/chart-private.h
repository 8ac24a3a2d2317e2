/* A chart's inside: chart.c keeps what is in it and where, chart-draw.c draws it. */
#pragma once

#include "paint/plots/chart.h"

G_BEGIN_DECLS

typedef struct {
  guint panel;
  WeirChartLook look;
  guint color;
  char *name;
  guint n;
  double *x, *y;
  int arrow; /* 1: along the samples, -1: against them, 0: none */
} WeirChartCurve;

typedef struct {
  guint panel;
  WeirChartSign sign;
  guint color;
  double x, y;
  char *text;
  gboolean is_box;
  double ends[2][2]; /* of a box */
  double part;
} WeirChartMark;

typedef struct {
  guint panel, color;
  double opacity;
  guint n;
  double *x, *low, *high;
} WeirChartArea;

/* An axis: its ends are in its own measure, of a logarithmic one powers of ten. */
typedef struct {
  WeirChartAxis kind;
  char *label;
  double given[2]; /* NAN: by what is in the panel */
  double low, high;
} WeirChartScale;

typedef struct {
  WeirChartScale axes[2];
  gboolean shares_x, is_square;
  char **names[2];            /* along an axis, or NULL */
  double scale[2];            /* of boxes; NAN: none is shown */
  double x, y, width, height; /* of its axes, in the last drawing */
} WeirChartPanel;

typedef struct {
  gboolean is_moved;
  double ends[2][2];
} WeirChartView;

struct _WeirChart {
  GArray *panels; /* WeirChartPanel */
  GArray *curves; /* WeirChartCurve */
  GArray *marks;  /* WeirChartMark */
  GArray *areas;  /* WeirChartArea */
  GArray *views;  /* WeirChartView: by panel, what the user chose */
  WeirChartTextFunc text_func;
  gpointer text_data;
  gboolean has_cursor;
  guint cursor, cursor_row; /* curve, or the curves' number and mark; sample */
  gboolean is_laid_out;
  guint n_columns; /* of a matrix; 1: panels stand below each other */
  gboolean shows_box;
  WeirChartBox box;
};

WeirChartPanel *weir_chart_get_panel (const WeirChart *self, guint panel);
WeirChartCurve *weir_chart_get_curve_at (const WeirChart *self, guint curve);
WeirChartMark *weir_chart_get_mark_at (const WeirChart *self, guint mark);
/* A value in the axis's measure; NAN where it has no place on it. */
double weir_chart_measure (const WeirChartScale *axis, double value);
double weir_chart_unmeasure (const WeirChartScale *axis, double measured);
double weir_chart_to_pixel (const WeirChartPanel *panel, int axis, double value);
/* Where the cursor stands. FALSE: there is none. */
gboolean weir_chart_get_cursor_place (const WeirChart *self, guint *panel, double *x, double *y);
/* Ends of all axes, once panels have their size. */
void weir_chart_lay_out (WeirChart *self);

G_END_DECLS
