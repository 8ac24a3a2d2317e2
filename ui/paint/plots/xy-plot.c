/* One signal over another. See xy-plot.h.
 *
 * Rows that fall within a third of a pixel of the last vertex are left out, so that a long run
 * costs a pass over its rows and no more vertices than can be seen.
 */
#include "paint/plots/xy-plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/plots/axis.h"
#include "paint/drawing/glyph.h"

#define LABEL_SIZE 11.0
#define NEAR 0.33 /* pixels */
#define PIECE 256 /* vertices stroked at once */

struct _WeirXyPlot {
  WeirRecorder *recorder;
  guint signals[2];
  gboolean is_known[2];
  char *labels[2];
  gsize first, n_rows;    /* of the last update */
  double low[2], high[2]; /* of all finite rows; low > high: none */
  double shown[2][2];     /* ends of the axes */
  double cursor;
};

/* The rectangle of the axes, and their steps. */
typedef struct {
  double x, y, width, height;
  double steps[2];
  int exponents[2];
} Axes;

WeirXyPlot *
weir_xy_plot_new (WeirRecorder *recorder)
{
  WeirXyPlot *self = g_new0 (WeirXyPlot, 1);

  self->recorder = weir_recorder_ref (recorder);
  self->cursor = NAN;
  for (int i = 0; i < 2; i++)
    {
      self->low[i] = INFINITY;
      self->high[i] = -INFINITY;
      self->shown[i][1] = 1;
    }
  return self;
}

void
weir_xy_plot_free (WeirXyPlot *self)
{
  weir_recorder_unref (self->recorder);
  g_free (self->labels[0]);
  g_free (self->labels[1]);
  g_free (self);
}

static void
set_signal (WeirXyPlot *self, int axis, guint signal, const char *label)
{
  self->signals[axis] = signal;
  self->is_known[axis] = TRUE;
  g_free (self->labels[axis]);
  self->labels[axis] = g_strdup (label);
  self->first = MAX (self->first, weir_recorder_get_first_row (self->recorder, signal));
}

void
weir_xy_plot_set_x (WeirXyPlot *self, guint signal, const char *label)
{
  set_signal (self, 0, signal, label);
}

void
weir_xy_plot_set_y (WeirXyPlot *self, guint signal, const char *label)
{
  set_signal (self, 1, signal, label);
}

static void
forget_rows (WeirXyPlot *self)
{
  self->n_rows = 0;
  self->low[0] = self->low[1] = INFINITY;
  self->high[0] = self->high[1] = -INFINITY;
}

void
weir_xy_plot_set_recorder (WeirXyPlot *self, WeirRecorder *recorder, guint x, guint y)
{
  weir_recorder_ref (recorder);
  weir_recorder_unref (self->recorder);
  self->recorder = recorder;
  self->signals[0] = x;
  self->signals[1] = y;
  self->first = MAX (weir_recorder_get_first_row (recorder, x),
                     weir_recorder_get_first_row (recorder, y));
  forget_rows (self);
}

gboolean
weir_xy_plot_get_signals (WeirXyPlot *self, WeirRecorder **recorder, guint *x, guint *y)
{
  *recorder = self->recorder;
  *x = self->signals[0];
  *y = self->signals[1];
  return self->is_known[0] && self->is_known[1];
}

/* --- Rows ------------------------------------------------------------------------------------ */

/* Calls @visit with each run of rows that lie together; @x and @y have @n values each. */
static void
foreach_piece (WeirXyPlot *self, gsize first, gsize end,
               void (*visit) (WeirXyPlot *self, const double *x, const double *y, gsize n,
                              gpointer data),
               gpointer data)
{
  while (first < end)
    {
      gsize n, m;
      const double *x = weir_recorder_get_values (self->recorder, self->signals[0], first, &n);
      const double *y = weir_recorder_get_values (self->recorder, self->signals[1], first, &m);

      n = MIN (MIN (n, m), end - first);
      visit (self, x, y, n, data);
      first += n;
    }
}

static void
extend_ranges (WeirXyPlot *self, const double *x, const double *y, gsize n, gpointer data)
{
  for (gsize i = 0; i < n; i++)
    if (isfinite (x[i]) && isfinite (y[i]))
      {
        self->low[0] = MIN (self->low[0], x[i]);
        self->high[0] = MAX (self->high[0], x[i]);
        self->low[1] = MIN (self->low[1], y[i]);
        self->high[1] = MAX (self->high[1], y[i]);
      }
}

gboolean
weir_xy_plot_update (WeirXyPlot *self)
{
  gsize n = weir_recorder_get_n_rows (self->recorder), before;

  if (n < self->n_rows) /* the run went back */
    forget_rows (self);
  before = MAX (self->n_rows, self->first);
  if (!self->is_known[0] || !self->is_known[1] || n <= before)
    return FALSE;
  foreach_piece (self, before, n, extend_ranges, NULL);
  self->n_rows = n;
  for (int i = 0; i < 2 && self->low[0] <= self->high[0]; i++)
    {
      self->shown[i][0] = self->low[i];
      self->shown[i][1] = self->high[i];
      weir_axis_round_out (&self->shown[i][0], &self->shown[i][1], 8);
    }
  return TRUE;
}

void
weir_xy_plot_set_cursor (WeirXyPlot *self, double time)
{
  self->cursor = time;
}

gboolean
weir_xy_plot_get_ranges (WeirXyPlot *self, double ranges[4])
{
  if (self->low[0] > self->high[0])
    return FALSE;
  ranges[0] = self->low[0];
  ranges[1] = self->high[0];
  ranges[2] = self->low[1];
  ranges[3] = self->high[1];
  return TRUE;
}

/* The last row at @time or before. */
static gsize
find_row (WeirXyPlot *self, double time)
{
  gsize low = self->first, high = self->n_rows;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (weir_recorder_get_time (self->recorder, middle) <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return MAX (low, self->first + 1) - 1;
}

gboolean
weir_xy_plot_get_marked (WeirXyPlot *self, double *x, double *y)
{
  gsize row;

  if (self->n_rows <= self->first)
    return FALSE;
  row = isnan (self->cursor) ? self->n_rows - 1 : find_row (self, self->cursor);
  *x = weir_recorder_get_value (self->recorder, self->signals[0], row);
  *y = weir_recorder_get_value (self->recorder, self->signals[1], row);
  return isfinite (*x) && isfinite (*y);
}

gboolean
weir_xy_plot_find_time (WeirXyPlot *self, double share, double *time)
{
  double first, last;

  if (self->n_rows <= self->first)
    return FALSE;
  first = weir_recorder_get_time (self->recorder, self->first);
  last = weir_recorder_get_time (self->recorder, self->n_rows - 1);
  *time = CLAMP ((isnan (self->cursor) ? last : self->cursor) + share * (last - first), first,
                 last);
  return TRUE;
}

char *
weir_xy_plot_dup_summary (WeirXyPlot *self)
{
  GString *text = g_string_new (NULL);
  double x, y;

  if (!weir_xy_plot_get_marked (self, &x, &y))
    return g_string_free (text, FALSE);
  if (isnan (self->cursor))
    {
      for (int i = 0; i < 2; i++)
        {
          g_string_append (text, i > 0 ? ". " : "");
          /* Translators: a signal, its least and its greatest value. */
          g_string_append_printf (text, _ ("%s from %.5g to %.5g"),
                                  self->labels[i] != NULL ? self->labels[i]
                                  : i > 0                 ? "y"
                                                          : "x",
                                  self->low[i], self->high[i]);
        }
      g_string_append (text, ". ");
    }
  /* Translators: a time, and the two values of a point. */
  g_string_append_printf (text, _ ("At %g s: %g, %g"),
                          isnan (self->cursor)
                              ? weir_recorder_get_time (self->recorder, self->n_rows - 1)
                              : self->cursor,
                          x, y);
  return g_string_free (text, FALSE);
}

/* --- Drawing --------------------------------------------------------------------------------- */

static double
to_pixel (WeirXyPlot *self, const Axes *axes, int axis, double value)
{
  double share = (value - self->shown[axis][0]) / (self->shown[axis][1] - self->shown[axis][0]);

  return axis == 0 ? axes->x + axes->width * share : axes->y + axes->height * (1 - share);
}

static void
lay_out (WeirXyPlot *self, WeirPen *pen, double width, double height, Axes *axes)
{
  double left = 0;

  axes->y = 22;
  axes->height = MAX (height - axes->y - 42, 10);
  for (int i = 0; i < 2; i++)
    axes->exponents[i] = weir_axis_get_exponent (self->shown[i][0], self->shown[i][1]);
  axes->steps[1] = weir_axis_get_step (self->shown[1][1] - self->shown[1][0],
                                       (guint) CLAMP (axes->height / 40, 2, 12));
  for (double k = ceil (self->shown[1][0] / axes->steps[1] - 1e-6);
       k * axes->steps[1] <= self->shown[1][1] + 1e-6 * axes->steps[1]; k++)
    {
      g_autofree char *label = weir_axis_format (k * axes->steps[1], axes->steps[1],
                                                 axes->exponents[1]);

      left = MAX (left, weir_pen_get_text_width (pen, label, LABEL_SIZE));
    }
  axes->x = left + 16;
  axes->width = MAX (width - axes->x - 14, 10);
  axes->steps[0] = weir_axis_get_step (self->shown[0][1] - self->shown[0][0],
                                       (guint) CLAMP (axes->width / 80, 2, 12));
}

static void
draw_axis (WeirXyPlot *self, WeirPen *pen, const Axes *axes, int axis)
{
  double step = axes->steps[axis], bottom = axes->y + axes->height;

  for (double k = ceil (self->shown[axis][0] / step - 1e-6);
       k * step <= self->shown[axis][1] + 1e-6 * step; k++)
    {
      g_autofree char *label = weir_axis_format (k * step, step, axes->exponents[axis]);
      double at = floor (to_pixel (self, axes, axis, k * step)) + 0.5;

      weir_set_source_alpha (pen->cr, pen->palette->grid, 0.6);
      cairo_set_line_width (pen->cr, 1);
      cairo_move_to (pen->cr, axis == 0 ? at : axes->x, axis == 0 ? axes->y : at);
      cairo_line_to (pen->cr, axis == 0 ? at : axes->x + axes->width, axis == 0 ? bottom : at);
      cairo_stroke (pen->cr);
      weir_set_source (pen->cr, pen->palette->dim_text);
      if (axis == 0)
        weir_pen_text (pen, label, LABEL_SIZE, at, bottom + 4, 0.5, 0, 0);
      else
        weir_pen_text (pen, label, LABEL_SIZE, axes->x - 6, at, 1, 0.5, 0);
    }
}

/* What an axis shows, and the power of ten that was taken out of its numbers. */
static void
draw_label (WeirXyPlot *self, WeirPen *pen, const Axes *axes, int axis, double height)
{
  g_autofree char *power = axes->exponents[axis] != 0
                               ? weir_axis_format_exponent (axes->exponents[axis])
                               : NULL;
  g_autofree char *text = power != NULL ? g_strdup_printf ("%s  × %s", self->labels[axis], power)
                                        : g_strdup (self->labels[axis]);

  weir_set_source (pen->cr, pen->palette->text);
  if (axis == 0)
    weir_pen_text (pen, text, LABEL_SIZE, axes->x + axes->width / 2, height - 4, 0.5, 1,
                   axes->width);
  else
    weir_pen_text (pen, text, LABEL_SIZE, axes->x - 6, 4, 0, 0, axes->width);
}

typedef struct {
  cairo_t *cr;
  const Axes *axes;
  gboolean is_down;
  guint n_piece;
  double x, y;
} Pencil;

static void
draw_rows (WeirXyPlot *self, const double *x, const double *y, gsize n, gpointer data)
{
  Pencil *pencil = data;

  for (gsize i = 0; i < n; i++)
    {
      double px, py;

      if (!isfinite (x[i]) || !isfinite (y[i]))
        {
          cairo_stroke (pencil->cr);
          pencil->is_down = FALSE;
          continue;
        }
      px = to_pixel (self, pencil->axes, 0, x[i]);
      py = to_pixel (self, pencil->axes, 1, y[i]);
      if (pencil->is_down && fabs (px - pencil->x) < NEAR && fabs (py - pencil->y) < NEAR)
        continue;
      if (pencil->is_down)
        cairo_line_to (pencil->cr, px, py);
      else
        cairo_move_to (pencil->cr, px, py);
      pencil->is_down = TRUE;
      pencil->x = px;
      pencil->y = py;
      if (++pencil->n_piece >= PIECE)
        {
          cairo_stroke (pencil->cr);
          cairo_move_to (pencil->cr, px, py);
          pencil->n_piece = 0;
        }
    }
}

static void
draw_mark (WeirXyPlot *self, WeirPen *pen, const Axes *axes)
{
  double x, y;

  if (!weir_xy_plot_get_marked (self, &x, &y))
    return;
  cairo_new_path (pen->cr);
  cairo_arc (pen->cr, to_pixel (self, axes, 0, x), to_pixel (self, axes, 1, y), 4, 0, 2 * G_PI);
  weir_set_source (pen->cr,
                   isnan (self->cursor) ? pen->palette->curves[0] : pen->palette->selection);
  cairo_fill_preserve (pen->cr);
  cairo_set_line_width (pen->cr, 1);
  weir_set_source (pen->cr, pen->palette->background);
  cairo_stroke (pen->cr);
}

void
weir_xy_plot_draw (WeirXyPlot *self, cairo_t *cr, double width, double height,
                   const WeirPalette *palette)
{
  Pencil pencil = { .cr = cr };
  WeirPen pen;
  Axes axes;

  cairo_rectangle (cr, 0, 0, width, height);
  weir_set_source (cr, palette->background);
  cairo_fill (cr);
  if (!self->is_known[0] || !self->is_known[1])
    return;
  weir_pen_init (&pen, cr, palette, 1);
  lay_out (self, &pen, width, height, &axes);
  for (int i = 0; i < 2; i++)
    {
      draw_axis (self, &pen, &axes, i);
      draw_label (self, &pen, &axes, i, height);
    }
  cairo_save (cr);
  cairo_rectangle (cr, axes.x, axes.y, axes.width, axes.height);
  weir_set_source (cr, palette->grid);
  cairo_set_line_width (cr, 1);
  cairo_stroke_preserve (cr);
  cairo_clip (cr);
  weir_set_source (cr, palette->curves[0]);
  cairo_set_line_width (cr, 1.5 * palette->line_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  pencil.axes = &axes;
  if (self->n_rows > self->first)
    foreach_piece (self, self->first, self->n_rows, draw_rows, &pencil);
  cairo_stroke (cr);
  cairo_restore (cr);
  draw_mark (self, &pen, &axes);
  weir_pen_clear (&pen);
}
