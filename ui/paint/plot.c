/* Line plots. See plot.h.
 *
 * A curve is drawn from its samples while they are few; once several fall into a pixel column, each
 * column is drawn as first, smallest, largest and last value, which covers the same pixels. Ranges of
 * rows are found by bisection in the time column, extremes in the pyramid.
 */
#include "paint/plot.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/axis.h"
#include "paint/glyph.h"
#include "paint/pyramid.h"

#define LABEL_SIZE 11.0
#define TITLE_SIZE 13.0
#define PIECE 256 /* vertices stroked at once: longer paths take time out of proportion */
#define LEGEND_HEIGHT 18.0

typedef struct {
  char *name;
  WeirCurveStyle style;
  WeirPlotColumns columns;
  gpointer data;
  GDestroyNotify destroy;
  WeirPyramid *pyramid;
  gsize n_rows; /* as of the last update */
  gboolean visible;
} Curve;

struct _WeirPlot {
  GPtrArray *curves;
  char *title, *x_label, *y_label;
  gboolean show_legend;
  double time[2], value[2];       /* as set; first >= last: follow */
  double expected[2], span;
  double cursor;
  double shown_time[2], shown_value[2];
  gboolean changed; /* since the last update */
  double axes_x, axes_y, axes_width, axes_height; /* of the last drawing */
  gsize n_vertices;
};

/* --- Columns ------------------------------------------------------------------------------------- */

typedef struct {
  WeirRecorder *recorder;
  guint signal;
  gsize first;
} Signal;

static gsize
signal_get_n_rows (gpointer data)
{
  Signal *signal = data;
  gsize n = weir_recorder_get_n_rows (signal->recorder);

  return n > signal->first ? n - signal->first : 0;
}

static const double *
signal_get_times (gpointer data, gsize first, gsize *n)
{
  Signal *signal = data;

  return weir_recorder_get_times (signal->recorder, signal->first + first, n);
}

static const double *
signal_get_values (gpointer data, gsize first, gsize *n)
{
  Signal *signal = data;

  return weir_recorder_get_values (signal->recorder, signal->signal, signal->first + first, n);
}

static void
signal_free (gpointer data)
{
  Signal *signal = data;

  weir_recorder_unref (signal->recorder);
  g_free (signal);
}

static double
get_time (const Curve *curve, gsize row)
{
  gsize n;

  return *curve->columns.get_times (curve->data, row, &n);
}

static double
get_value (const Curve *curve, gsize row)
{
  gsize n;

  return *curve->columns.get_values (curve->data, row, &n);
}

/* The first row in [low, n_rows) at @time or later. */
static gsize
find_row (const Curve *curve, double time, gsize low)
{
  gsize high = curve->n_rows;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (get_time (curve, middle) < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static WeirSpan
get_span (const Curve *curve, gsize first, gsize end)
{
  return weir_pyramid_get_span (curve->pyramid, curve->columns.get_values, curve->data, first, end);
}

/* --- Making -------------------------------------------------------------------------------------- */

static void
curve_free (gpointer data)
{
  Curve *curve = data;

  if (curve->destroy != NULL)
    curve->destroy (curve->data);
  weir_pyramid_free (curve->pyramid);
  g_free (curve->name);
  g_free (curve);
}

WeirPlot *
weir_plot_new (void)
{
  WeirPlot *self = g_new0 (WeirPlot, 1);

  self->curves = g_ptr_array_new_with_free_func (curve_free);
  self->x_label = g_strdup (_("Time (s)"));
  self->show_legend = TRUE;
  self->cursor = NAN;
  self->shown_time[1] = self->shown_value[1] = 1;
  self->changed = TRUE;
  return self;
}

void
weir_plot_free (WeirPlot *self)
{
  g_ptr_array_unref (self->curves);
  g_free (self->title);
  g_free (self->x_label);
  g_free (self->y_label);
  g_free (self);
}

guint
weir_plot_add_columns (WeirPlot *self, const char *name, WeirCurveStyle style,
                       const WeirPlotColumns *columns, gpointer data, GDestroyNotify destroy)
{
  Curve *curve = g_new0 (Curve, 1);

  *curve = (Curve) { g_strdup (name), style, *columns, data, destroy, weir_pyramid_new (), 0, TRUE };
  g_ptr_array_add (self->curves, curve);
  self->changed = TRUE;
  return self->curves->len - 1;
}

guint
weir_plot_add_signal (WeirPlot *self, WeirRecorder *recorder, guint signal, WeirCurveStyle style)
{
  static const WeirPlotColumns columns
    = { signal_get_n_rows, signal_get_times, signal_get_values };
  Signal *data = g_new (Signal, 1);

  *data = (Signal) { weir_recorder_ref (recorder), signal,
                     weir_recorder_get_first_row (recorder, signal) };
  return weir_plot_add_columns (self, weir_recorder_get_signal_name (recorder, signal), style,
                                &columns, data, signal_free);
}

void
weir_plot_clear (WeirPlot *self)
{
  g_ptr_array_set_size (self->curves, 0);
  self->changed = TRUE;
}

guint
weir_plot_get_n_curves (WeirPlot *self)
{
  return self->curves->len;
}

static Curve *
get_curve (WeirPlot *self, guint curve)
{
  g_return_val_if_fail (curve < self->curves->len, NULL);
  return self->curves->pdata[curve];
}

const char *
weir_plot_get_curve_name (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->name;
}

void
weir_plot_set_curve_visible (WeirPlot *self, guint curve, gboolean visible)
{
  get_curve (self, curve)->visible = visible;
  self->changed = TRUE;
}

gboolean
weir_plot_get_curve_visible (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->visible;
}

static void
set_text (WeirPlot *self, char **text, const char *to)
{
  g_free (*text);
  *text = g_strdup (to);
  self->changed = TRUE;
}

void
weir_plot_set_curve_name (WeirPlot *self, guint curve, const char *name)
{
  set_text (self, &get_curve (self, curve)->name, name);
}

void
weir_plot_set_title (WeirPlot *self, const char *title)
{
  set_text (self, &self->title, title);
}

void
weir_plot_set_x_label (WeirPlot *self, const char *label)
{
  set_text (self, &self->x_label, label);
}

void
weir_plot_set_y_label (WeirPlot *self, const char *label)
{
  set_text (self, &self->y_label, label);
}

void
weir_plot_set_show_legend (WeirPlot *self, gboolean show)
{
  self->show_legend = show;
  self->changed = TRUE;
}

/* --- Ranges ---------------------------------------------------------------------------------------- */

static void
set_pair (WeirPlot *self, double *pair, double first, double last)
{
  if (pair[0] == first && pair[1] == last)
    return;
  pair[0] = first;
  pair[1] = last;
  self->changed = TRUE;
}

void
weir_plot_set_time_range (WeirPlot *self, double first, double last)
{
  set_pair (self, self->time, first, last);
}

void
weir_plot_set_value_range (WeirPlot *self, double low, double high)
{
  set_pair (self, self->value, low, high);
}

void
weir_plot_set_span (WeirPlot *self, double span)
{
  self->span = span;
  self->changed = TRUE;
}

void
weir_plot_set_expected_range (WeirPlot *self, double first, double last)
{
  set_pair (self, self->expected, first, last);
}

static void
follow_time (WeirPlot *self)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  if (self->time[0] < self->time[1])
    {
      self->shown_time[0] = self->time[0];
      self->shown_time[1] = self->time[1];
      return;
    }
  for (guint i = 0; i < self->curves->len; i++)
    {
      const Curve *curve = self->curves->pdata[i];

      if (curve->visible && curve->n_rows > 0)
        span = weir_span_union (
          span, (WeirSpan) { get_time (curve, 0), get_time (curve, curve->n_rows - 1) });
    }
  if (self->expected[0] < self->expected[1])
    span = weir_span_union (span, (WeirSpan) { self->expected[0], self->expected[1] });
  if (weir_span_is_empty (span))
    span = (WeirSpan) { 0, 1 };
  if (self->span > 0)
    {
      /* The window moves with the newest sample, not with the time that is yet to come. */
      double newest = span.low;

      for (guint i = 0; i < self->curves->len; i++)
        {
          const Curve *curve = self->curves->pdata[i];

          if (curve->visible && curve->n_rows > 0)
            newest = MAX (newest, get_time (curve, curve->n_rows - 1));
        }
      span.high = MAX (newest, span.low + self->span);
      span.low = span.high - self->span;
    }
  if (span.high <= span.low)
    span.high = span.low + 1;
  self->shown_time[0] = span.low;
  self->shown_time[1] = span.high;
}

static void
follow_values (WeirPlot *self)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  if (self->value[0] < self->value[1])
    {
      self->shown_value[0] = self->value[0];
      self->shown_value[1] = self->value[1];
      return;
    }
  for (guint i = 0; i < self->curves->len; i++)
    {
      const Curve *curve = self->curves->pdata[i];
      gsize first, end;

      if (!curve->visible || curve->n_rows == 0)
        continue;
      /* One sample more on each side: the line to it can be seen. */
      first = find_row (curve, self->shown_time[0], 0);
      end = find_row (curve, self->shown_time[1], first);
      first -= first > 0;
      end = MIN (end + 1, curve->n_rows);
      span = weir_span_union (span, get_span (curve, first, end));
    }
  if (weir_span_is_empty (span))
    span = (WeirSpan) { 0, 1 };
  weir_axis_round_out (&span.low, &span.high, 8);
  self->shown_value[0] = span.low;
  self->shown_value[1] = span.high;
}

gboolean
weir_plot_update (WeirPlot *self)
{
  gboolean changed = self->changed;

  for (guint i = 0; i < self->curves->len; i++)
    {
      Curve *curve = self->curves->pdata[i];
      gsize n = curve->columns.get_n_rows (curve->data);

      if (n == curve->n_rows)
        continue;
      curve->n_rows = n;
      weir_pyramid_extend (curve->pyramid, curve->columns.get_values, curve->data, n);
      changed = TRUE;
    }
  if (changed)
    {
      follow_time (self);
      follow_values (self);
    }
  self->changed = FALSE;
  return changed;
}

void
weir_plot_get_time_range (WeirPlot *self, double *first, double *last)
{
  *first = self->shown_time[0];
  *last = self->shown_time[1];
}

void
weir_plot_get_value_range (WeirPlot *self, double *low, double *high)
{
  *low = self->shown_value[0];
  *high = self->shown_value[1];
}

/* --- The cursor -------------------------------------------------------------------------------------- */

void
weir_plot_set_cursor (WeirPlot *self, double time)
{
  self->cursor = time;
}

double
weir_plot_get_cursor (WeirPlot *self)
{
  return self->cursor;
}

gboolean
weir_plot_get_value_at (WeirPlot *self, guint index, double time, double *value)
{
  const Curve *curve = get_curve (self, index);
  gsize row;
  double t0, t1, v0, v1;

  if (isnan (time) || curve->n_rows == 0 || time < get_time (curve, 0)
      || time > get_time (curve, curve->n_rows - 1))
    return FALSE;
  row = find_row (curve, time, 0);
  /* Of several rows at this time the last holds: the value after an event. */
  while (row + 1 < curve->n_rows && get_time (curve, row + 1) <= time)
    row++;
  t1 = get_time (curve, row);
  v1 = get_value (curve, row);
  if (t1 <= time || row == 0)
    *value = v1;
  else
    {
      t0 = get_time (curve, row - 1);
      v0 = get_value (curve, row - 1);
      *value = curve->style == WEIR_CURVE_STEPS ? v0 : v0 + (v1 - v0) * (time - t0) / (t1 - t0);
    }
  return isfinite (*value);
}

/* --- Drawing curves ------------------------------------------------------------------------------------ */

typedef struct {
  WeirPlot *plot;
  cairo_t *cr;
  gboolean down; /* the pen is on the paper */
  guint n_piece;
  double x, y;
} Pencil;

static double
to_x (WeirPlot *self, double time)
{
  return self->axes_x
         + self->axes_width * (time - self->shown_time[0])
             / (self->shown_time[1] - self->shown_time[0]);
}

static double
to_y (WeirPlot *self, double value)
{
  double y = self->axes_y
             + self->axes_height * (self->shown_value[1] - value)
                 / (self->shown_value[1] - self->shown_value[0]);

  /* Far outside the axes nothing is seen, but coordinates must stay within what cairo can take. */
  return CLAMP (y, self->axes_y - 8 * self->axes_height, self->axes_y + 9 * self->axes_height);
}

static void
draw_to (Pencil *pencil, double x, double y)
{
  if (pencil->down && fabs (x - pencil->x) < 1e-3 && fabs (y - pencil->y) < 1e-3)
    return;
  if (!pencil->down)
    cairo_move_to (pencil->cr, x, y);
  else
    cairo_line_to (pencil->cr, x, y);
  pencil->down = TRUE;
  pencil->x = x;
  pencil->y = y;
  pencil->plot->n_vertices++;
  if (++pencil->n_piece >= PIECE)
    {
      cairo_stroke (pencil->cr);
      cairo_move_to (pencil->cr, x, y);
      pencil->n_piece = 0;
    }
}

static void
lift (Pencil *pencil)
{
  /* A single sample between gaps is a dot. */
  if (pencil->down && pencil->n_piece == 1)
    cairo_line_to (pencil->cr, pencil->x + 0.01, pencil->y);
  cairo_stroke (pencil->cr);
  pencil->down = FALSE;
  pencil->n_piece = 0;
}

static void
draw_samples (WeirPlot *self, const Curve *curve, gsize first, gsize end, Pencil *pencil)
{
  while (first < end)
    {
      gsize n, m;
      const double *times = curve->columns.get_times (curve->data, first, &n);
      const double *values = curve->columns.get_values (curve->data, first, &m);

      n = MIN (MIN (n, m), end - first);
      for (gsize i = 0; i < n; i++)
        {
          double x = to_x (self, times[i]);

          x = CLAMP (x, self->axes_x - 4 * self->axes_width, self->axes_x + 5 * self->axes_width);
          if (!isfinite (values[i]))
            {
              if (curve->style == WEIR_CURVE_STEPS && pencil->down)
                draw_to (pencil, x, pencil->y);
              lift (pencil);
              continue;
            }
          if (curve->style == WEIR_CURVE_STEPS && pencil->down)
            draw_to (pencil, x, pencil->y);
          draw_to (pencil, x, to_y (self, values[i]));
        }
      first += n;
    }
}

static void
draw_columns (WeirPlot *self, const Curve *curve, gsize first, gsize end, double scale,
              Pencil *pencil)
{
  int n_columns = MAX (1, (int) ceil (self->axes_width * scale));
  double duration = self->shown_time[1] - self->shown_time[0];

  for (int column = 0; column < n_columns && first < end; column++)
    {
      double until = self->shown_time[0] + duration * (column + 1) / n_columns;
      gsize next = column == n_columns - 1 ? end : MIN (find_row (curve, until, first), end);
      double x = self->axes_x + (column + 0.5) / n_columns * self->axes_width;
      WeirSpan span;
      double start, stop, y[2];

      if (next == first)
        continue;
      span = get_span (curve, first, next);
      if (weir_span_is_empty (span))
        {
          lift (pencil);
          first = next;
          continue;
        }
      start = get_value (curve, first);
      stop = get_value (curve, next - 1);
      if (curve->style == WEIR_CURVE_STEPS && pencil->down)
        draw_to (pencil, x, pencil->y);
      else if (isfinite (start))
        draw_to (pencil, x, to_y (self, start));
      y[0] = to_y (self, span.low);
      y[1] = to_y (self, span.high);
      /* Nearest extreme first, so that the line does not run up and down twice. */
      if (pencil->down && fabs (y[1] - pencil->y) < fabs (y[0] - pencil->y))
        {
          double other = y[0];

          y[0] = y[1];
          y[1] = other;
        }
      draw_to (pencil, x, y[0]);
      draw_to (pencil, x, y[1]);
      if (isfinite (stop))
        draw_to (pencil, x, to_y (self, stop));
      first = next;
    }
}

static void
set_dash (cairo_t *cr, guint curve)
{
  static const double dashes[3][4] = { { 8, 4, 8, 4 }, { 2, 3, 2, 3 }, { 8, 3, 2, 3 } };

  /* Beyond the number of colours, lines differ by dashes. */
  if (curve < WEIR_N_CURVE_COLORS)
    cairo_set_dash (cr, NULL, 0, 0);
  else
    cairo_set_dash (cr, dashes[(curve / WEIR_N_CURVE_COLORS - 1) % 3], 4, 0);
}

static void
draw_curve (WeirPlot *self, guint index, cairo_t *cr, const WeirPalette *palette)
{
  const Curve *curve = self->curves->pdata[index];
  Pencil pencil = { .plot = self, .cr = cr };
  double scale_x = 1, scale_y = 0;
  gsize first, end;

  if (!curve->visible || curve->n_rows == 0)
    return;
  first = find_row (curve, self->shown_time[0], 0);
  end = find_row (curve, self->shown_time[1], first);
  /* Lines to the neighbours outside; of equal times all. */
  first -= first > 0;
  while (end < curve->n_rows && get_time (curve, end) <= self->shown_time[1])
    end++;
  end = MIN (end + 1, curve->n_rows);

  cairo_user_to_device_distance (cr, &scale_x, &scale_y);
  scale_x = MAX (hypot (scale_x, scale_y), 0.25);
  weir_set_source (cr, palette->curves[index % WEIR_N_CURVE_COLORS]);
  set_dash (cr, index);
  if (end - first > 3 * self->axes_width * scale_x)
    {
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_FAST);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_BEVEL);
      cairo_set_line_width (cr, 1.2 * palette->line_width);
      draw_columns (self, curve, first, end, scale_x, &pencil);
    }
  else
    {
      cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
      cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
      cairo_set_line_width (cr, 1.6 * palette->line_width);
      draw_samples (self, curve, first, end, &pencil);
    }
  lift (&pencil);
  set_dash (cr, 0);
}

/* --- Drawing the rest ------------------------------------------------------------------------------------- */

static void
draw_y_axis (WeirPlot *self, WeirPen *pen, double step, int exponent)
{
  for (double k = ceil (self->shown_value[0] / step - 1e-6);
       k * step <= self->shown_value[1] + 1e-6 * step; k++)
    {
      double y = floor (to_y (self, k * step)) + 0.5;
      g_autofree char *label = weir_axis_format (k * step, step, exponent);

      weir_set_source_alpha (pen->cr, pen->palette->grid, 0.6);
      cairo_set_line_width (pen->cr, 1);
      cairo_move_to (pen->cr, self->axes_x, y);
      cairo_line_to (pen->cr, self->axes_x + self->axes_width, y);
      cairo_stroke (pen->cr);
      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, label, LABEL_SIZE, self->axes_x - 6, y, 1, 0.5, 0);
    }
}

static void
draw_x_axis (WeirPlot *self, WeirPen *pen, double step, int exponent, double width)
{
  double bottom = self->axes_y + self->axes_height;

  for (double k = ceil (self->shown_time[0] / step - 1e-6);
       k * step <= self->shown_time[1] + 1e-6 * step; k++)
    {
      double x = floor (to_x (self, k * step)) + 0.5;
      g_autofree char *label = weir_axis_format (k * step, step, exponent);
      double half = weir_pen_get_text_width (pen, label, LABEL_SIZE) / 2;

      weir_set_source_alpha (pen->cr, pen->palette->grid, 0.6);
      cairo_set_line_width (pen->cr, 1);
      cairo_move_to (pen->cr, x, self->axes_y);
      cairo_line_to (pen->cr, x, bottom);
      cairo_stroke (pen->cr);
      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, label, LABEL_SIZE, MIN (x, width - half - 2), bottom + 4, 0.5, 0, 0);
    }
}

static guint
count_visible (const WeirPlot *self)
{
  guint n = 0;

  for (guint i = 0; i < self->curves->len; i++)
    n += ((const Curve *) self->curves->pdata[i])->visible;
  return n;
}

/* The text of a curve in the legend: its name, and its value where the cursor is. */
static char *
dup_legend_text (WeirPlot *self, guint i)
{
  const Curve *curve = self->curves->pdata[i];
  g_autofree char *number = NULL;
  double value;

  if (!weir_plot_get_value_at (self, i, self->cursor, &value))
    return g_strdup (curve->name);
  number = weir_axis_format_value (value);
  return g_strdup_printf ("%s = %s", curve->name, number);
}

/* In a strip of its own above the axes, from @x on, so that it never covers a curve. */
static void
draw_legend (WeirPlot *self, WeirPen *pen, double x)
{
  double middle = self->axes_y - LEGEND_HEIGHT / 2 - 1;
  double right = self->axes_x + self->axes_width;
  guint left = count_visible (self);

  for (guint i = 0; i < self->curves->len; i++)
    {
      const Curve *curve = self->curves->pdata[i];
      g_autofree char *text = NULL;
      double width;

      if (!curve->visible)
        continue;
      text = dup_legend_text (self, i);
      width = weir_pen_get_text_width (pen, text, LABEL_SIZE);
      if (x > self->axes_x + 60 && x + 24 + width > right - (left > 1 ? 70 : 0))
        break;
      weir_set_source (pen->cr, pen->palette->curves[i % WEIR_N_CURVE_COLORS]);
      cairo_set_line_width (pen->cr, 2.4);
      set_dash (pen->cr, i);
      cairo_move_to (pen->cr, x, middle);
      cairo_line_to (pen->cr, x + 18, middle);
      cairo_stroke (pen->cr);
      set_dash (pen->cr, 0);
      weir_set_source (pen->cr, pen->palette->text);
      weir_pen_text (pen, text, LABEL_SIZE, x + 23, middle, 0, 0.5, MAX (right - x - 23, 1));
      x += 23 + width + 14;
      left--;
    }
  if (left > 0)
    {
      g_autofree char *more = g_strdup_printf (ngettext ("and %u more", "and %u more", left), left);

      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, more, LABEL_SIZE, x, middle, 0, 0.5, 0);
    }
}

static void
draw_cursor (WeirPlot *self, WeirPen *pen)
{
  double x = to_x (self, self->cursor);
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  if (isnan (self->cursor) || self->cursor < self->shown_time[0]
      || self->cursor > self->shown_time[1])
    return;
  weir_set_source (pen->cr, pen->palette->selection);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, floor (x) + 0.5, self->axes_y);
  cairo_line_to (pen->cr, floor (x) + 0.5, self->axes_y + self->axes_height);
  cairo_stroke (pen->cr);
  for (guint i = 0; i < self->curves->len; i++)
    {
      double value;

      if (!weir_plot_get_curve_visible (self, i)
          || !weir_plot_get_value_at (self, i, self->cursor, &value)
          || value < self->shown_value[0] || value > self->shown_value[1])
        continue;
      cairo_arc (pen->cr, x, to_y (self, value), 3.5, 0, 2 * G_PI);
      weir_set_source (pen->cr, pen->palette->curves[i % WEIR_N_CURVE_COLORS]);
      cairo_fill_preserve (pen->cr);
      weir_set_source (pen->cr, pen->palette->background);
      cairo_stroke (pen->cr);
    }
  number = weir_axis_format_value (self->cursor);
  text = g_strdup_printf (_("t = %s"), number);
  {
    double width = weir_pen_get_text_width (pen, text, LABEL_SIZE) + 8;
    double left = CLAMP (x - width / 2, self->axes_x, self->axes_x + self->axes_width - width);

    cairo_rectangle (pen->cr, left, self->axes_y + self->axes_height - 18, width, 18);
    weir_set_source (pen->cr, pen->palette->selection);
    cairo_fill (pen->cr);
    weir_set_source (pen->cr, pen->palette->background);
    weir_pen_text (pen, text, LABEL_SIZE, left + 4, self->axes_y + self->axes_height - 9, 0, 0.5, 0);
  }
}

/* Reserves what labels need, widest tick label included; returns the steps of the ticks. */
static void
lay_out (WeirPlot *self, WeirPen *pen, double width, double height, double *x_step, double *y_step,
         int *exponents)
{
  double top = self->title != NULL ? 28 : 12, bottom = self->x_label != NULL ? 40 : 24;
  double left = 0;

  exponents[0] = weir_axis_get_exponent (self->shown_time[0], self->shown_time[1]);
  exponents[1] = weir_axis_get_exponent (self->shown_value[0], self->shown_value[1]);
  if (self->show_legend && count_visible (self) > 0)
    top += LEGEND_HEIGHT;
  else if (exponents[1] != 0 && self->title == NULL)
    top += 10;
  self->axes_y = top;
  self->axes_height = MAX (height - top - bottom, 10);
  *y_step = weir_axis_get_step (self->shown_value[1] - self->shown_value[0],
                                (guint) CLAMP (self->axes_height / 40, 2, 12));
  for (double k = ceil (self->shown_value[0] / *y_step - 1e-6);
       k * *y_step <= self->shown_value[1] + 1e-6 * *y_step; k++)
    {
      g_autofree char *label = weir_axis_format (k * *y_step, *y_step, exponents[1]);

      left = MAX (left, weir_pen_get_text_width (pen, label, LABEL_SIZE));
    }
  self->axes_x = ceil (left) + 14 + (self->y_label != NULL ? 18 : 0);
  self->axes_width = MAX (width - self->axes_x - 14, 10);
  *x_step = weir_axis_get_step (self->shown_time[1] - self->shown_time[0],
                                (guint) CLAMP (self->axes_width / 80, 2, 16));
}

void
weir_plot_draw (WeirPlot *self, cairo_t *cr, double width, double height,
                const WeirPalette *palette)
{
  WeirPen pen;
  double x_step, y_step;
  int exponents[2];

  self->n_vertices = 0;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  weir_set_source (cr, palette->background);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  weir_pen_init (&pen, cr, palette, 1);
  lay_out (self, &pen, width, height, &x_step, &y_step, exponents);

  draw_y_axis (self, &pen, y_step, exponents[1]);
  draw_x_axis (self, &pen, x_step, exponents[0], width);
  weir_set_source (cr, palette->stroke);
  cairo_set_line_width (cr, palette->line_width);
  cairo_rectangle (cr, floor (self->axes_x) + 0.5, floor (self->axes_y) + 0.5,
                   floor (self->axes_width), floor (self->axes_height));
  cairo_stroke (cr);

  weir_set_source (cr, palette->dim_text);
  if (self->x_label != NULL)
    {
      g_autofree char *power = weir_axis_format_exponent (exponents[0]);
      g_autofree char *label = exponents[0] == 0 ? g_strdup (self->x_label)
                                                 : g_strdup_printf ("%s × %s", self->x_label, power);

      weir_pen_text (&pen, label, LABEL_SIZE, self->axes_x + self->axes_width / 2, height - 4, 0.5,
                     1, 0);
    }
  if (exponents[1] != 0)
    {
      g_autofree char *power = weir_axis_format_exponent (exponents[1]);
      g_autofree char *label = g_strdup_printf ("× %s", power);

      weir_pen_text (&pen, label, LABEL_SIZE, self->axes_x, self->axes_y - 3, 0, 1, 0);
    }
  if (self->y_label != NULL)
    {
      cairo_save (cr);
      cairo_translate (cr, 4, self->axes_y + self->axes_height / 2);
      cairo_rotate (cr, -G_PI_2);
      weir_pen_text (&pen, self->y_label, LABEL_SIZE, 0, 0, 0.5, 0, self->axes_height);
      cairo_restore (cr);
    }
  if (self->title != NULL)
    {
      weir_set_source (cr, palette->text);
      weir_pen_text (&pen, self->title, TITLE_SIZE, self->axes_x + self->axes_width / 2, 6, 0.5, 0,
                     self->axes_width);
    }

  cairo_save (cr);
  cairo_rectangle (cr, self->axes_x, self->axes_y - 1, self->axes_width, self->axes_height + 2);
  cairo_clip (cr);
  for (guint i = 0; i < self->curves->len; i++)
    draw_curve (self, i, cr, palette);
  cairo_restore (cr);

  draw_cursor (self, &pen);
  if (self->show_legend)
    draw_legend (self, &pen, self->axes_x + (exponents[1] != 0 ? 44 : 0));
  weir_pen_clear (&pen);
  cairo_restore (cr);
}

gboolean
weir_plot_from_position (WeirPlot *self, double x, double y, double *time, double *value)
{
  double u = (x - self->axes_x) / MAX (self->axes_width, 1);
  double v = (y - self->axes_y) / MAX (self->axes_height, 1);

  *time = self->shown_time[0] + u * (self->shown_time[1] - self->shown_time[0]);
  *value = self->shown_value[1] - v * (self->shown_value[1] - self->shown_value[0]);
  return u >= 0 && u <= 1 && v >= 0 && v <= 1;
}

void
weir_plot_to_position (WeirPlot *self, double time, double value, double *x, double *y)
{
  *x = to_x (self, time);
  *y = to_y (self, value);
}

gsize
weir_plot_get_n_vertices (WeirPlot *self)
{
  return self->n_vertices;
}
