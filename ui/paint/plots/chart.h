/* A chart of points that are known as a whole: one or more panels below each other, each with two
 * axes, curves, marks and guides (what is drawn to read them by: circles of equal gain, rays of
 * equal damping).
 *
 * Axes follow curves and marks until a range is given or the user moves them. Of a square panel a
 * unit is as long on either axis. A cursor stands on a sample of a curve or on a mark. Values that
 * are not finite leave gaps. Beneath them lie areas, between two curves, and boxes: bars, or the
 * cells of a map, coloured by a scale. Panels may stand as a matrix too. Thread: *owner*.
 */
#pragma once

#include <cairo.h>

#include "paint/ground/palette.h"

G_BEGIN_DECLS

typedef struct _WeirChart WeirChart;

typedef enum {
  WEIR_CHART_LINEAR,
  WEIR_CHART_LOG,      /* of values above 0 */
  WEIR_CHART_DEGREES,  /* steps of 15, 45, 90, ... */
  WEIR_CHART_DECIBELS, /* steps of 5, 10, 20, ... */
} WeirChartAxis;

typedef enum {
  WEIR_CHART_LINE,
  WEIR_CHART_STAIRS, /* held from one value to the next */
  WEIR_CHART_DASHED,
  WEIR_CHART_FORMER,  /* what it was before: paler */
  WEIR_CHART_PALE,    /* one of many: the paler, the more there are */
  WEIR_CHART_GUIDE,   /* has no say in ranges, no cursor */
  WEIR_CHART_CONTOUR, /* likewise, but plain to see upon boxes */
} WeirChartLook;

typedef enum {
  WEIR_CHART_CROSS, /* a pole */
  WEIR_CHART_RING,  /* a zero */
  WEIR_CHART_DOT,
  WEIR_CHART_SQUARE, /* something measured */
  WEIR_CHART_PLUS,   /* where something is decided, -1 */
  WEIR_CHART_SPECK,  /* a small dot, one of very many */
  WEIR_CHART_UPRIGHT /* a dashed line over the panel's height, at x */
} WeirChartSign;

WeirChart *weir_chart_new (void);
void weir_chart_free (WeirChart *self);
/* No panels; ranges that the user has chosen are kept for as many as there were. */
void weir_chart_clear (WeirChart *self);
/* What is in @other, which is empty then: likewise. */
void weir_chart_take (WeirChart *self, WeirChart *other);

/* Panels with the same axis of x, which @shares_x says, move together. */
guint weir_chart_add_panel (WeirChart *self, const char *x_label, WeirChartAxis x_axis,
                            const char *y_label, WeirChartAxis y_axis, gboolean shares_x,
                            gboolean is_square);
/* Panels stand in rows of @n: those below each other have the axis of x in common, those beside
 * each other that of y, and move together. Labels and numbers stand at the left and at the bottom.
 */
void weir_chart_set_columns (WeirChart *self, guint n);
/* Which a panel begins with, rather than by what is in it; NAN: by that. */
void weir_chart_set_range (WeirChart *self, guint panel, double left, double right, double bottom,
                           double top);
/* @name: of the cursor's text, or at the end of a guide or contour; nullable. @color: of
 * palette->curves. The curve's number. */
guint weir_chart_add_curve (WeirChart *self, guint panel, WeirChartLook look, guint color,
                            const char *name, guint n, const double *x, const double *y);
/* An arrow in the middle of what can be seen of it: along its samples, or against them. */
void weir_chart_set_arrow (WeirChart *self, guint curve, gboolean is_along);
/* The mark's number, after those of curves. @text: at the cursor; nullable. */
void weir_chart_add_mark (WeirChart *self, guint panel, WeirChartSign sign, guint color, double x,
                          double y, const char *text);
/* What lies between two curves over the same @x, so opaque (0 ... 1). */
void weir_chart_add_area (WeirChart *self, guint panel, guint color, double opacity, guint n,
                          const double *x, const double *low, const double *high);
/* A mark that is a filled box: of @color, or by its @part (0 ... 1) of the panel's scale; that is
 * NAN for a bar. The cursor goes from box to box in four directions. */
void weir_chart_add_box (WeirChart *self, guint panel, guint color, double part, double left,
                         double right, double bottom, double top, const char *text);
/* What colours of boxes mean is shown beside the panel: from @low to @high. */
void weir_chart_set_scale (WeirChart *self, guint panel, double low, double high);
/* Names along an axis (0: x) in place of numbers: of 0, 1, ... NULL ends them. Those along x may
 * have a second line. */
void weir_chart_set_names (WeirChart *self, guint panel, guint axis, const char *const *names);

guint weir_chart_get_n_panels (const WeirChart *self);
const char *weir_chart_get_curve_name (const WeirChart *self, guint curve); /* nullable */
/* The samples that are drawn. (transfer none) */
guint weir_chart_get_n_curves (const WeirChart *self);
/* Those and boxes. */
guint weir_chart_get_n_marks (const WeirChart *self);
guint weir_chart_get_curve (const WeirChart *self, guint curve, const double **x, const double **y);

/* --- The cursor ------------------------------------------------------------------------------ */

/* What stands beside it for a sample of a curve. (transfer full) */
typedef char *(*WeirChartTextFunc) (gpointer data, guint curve, guint i, double x, double y);
void weir_chart_set_text_func (WeirChart *self, WeirChartTextFunc func, gpointer data);

/* To what lies nearest to a position of the last drawing; FALSE: nothing is near. */
gboolean weir_chart_point_at (WeirChart *self, double x, double y);
void weir_chart_clear_cursor (WeirChart *self);
/* Along the curve, or (0, by) to another; among boxes to the next one right, or below. FALSE: there
 * is nothing to go to. */
gboolean weir_chart_move_cursor (WeirChart *self, int along, int by);
/* What it says; NULL: there is none. (transfer full) */
char *weir_chart_dup_cursor_text (WeirChart *self);

/* What there is, in sentences for those who see nothing: from what to what the axes of each panel
 * go there, and the texts of the first marks. (transfer full) */
char *weir_chart_dup_summary (const WeirChart *self);

/* Takes it to what is just there, if anything is. */
void weir_chart_put_cursor (WeirChart *self, guint panel, double x, double y);

/* --- Boxes ------------------------------------------------------------------------------------ */

/* A part of a panel: from ends[axis][0] to ends[axis][1], which is no less. */
typedef struct {
  guint panel;
  double ends[2][2];
} WeirChartBox;

/* Between two positions of the last drawing, as far as it is in the panel of the first. FALSE: that
 * is in none. */
gboolean weir_chart_get_box (WeirChart *self, double x, double y, double to_x, double to_y,
                             WeirChartBox *box);
/* What the cursor is on: a box, or a point that is one without extent. FALSE: it is on nothing. */
gboolean weir_chart_get_cursor_box (const WeirChart *self, WeirChartBox *box);
/* Drawn above all, while it is being chosen; NULL: none. */
void weir_chart_show_box (WeirChart *self, const WeirChartBox *box);

/* --- The view --------------------------------------------------------------------------------- */

void weir_chart_fit (WeirChart *self);
/* About a position of the last drawing; FALSE: it is in no panel. @factor < 1 shows less. */
gboolean weir_chart_zoom (WeirChart *self, double x, double y, double factor);
gboolean weir_chart_pan (WeirChart *self, double x, double y, double dx, double dy);
/* Of a position of the last drawing. FALSE: it is in no panel. */
gboolean weir_chart_from_position (WeirChart *self, double x, double y, guint *panel, double *at_x,
                                   double *at_y);

/* Of less nothing could be read. */
void weir_chart_get_least_size (const WeirChart *self, double *width, double *height);
/* Into the rectangle (0, 0, width, height), background included. */
void weir_chart_draw (WeirChart *self, cairo_t *cr, double width, double height,
                      const WeirPalette *palette);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirChart, weir_chart_free)

G_END_DECLS
