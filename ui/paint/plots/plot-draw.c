/* Drawing plots: axes, curves and cursor. See plot.h.
 *
 * A curve is drawn from its samples while they are few; once several fall into a pixel column, each
 * column is drawn as first, smallest, largest and last value, which covers the same pixels.
 */
#include "paint/plots/plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "paint/drawing/picture.h"

#define TITLE_LINE 15.0 /* height of a line of titles */
#define RIGHT_GAP 18.0  /* between axes on the right, marks included */
#define TITLE_SIZE 13.0
#define SHADOW_ALPHA 0.35
#define MAX_LEGEND_LINES 2
#define MIN_HEIGHT 60.0      /* of the axes, before the legend may take some of it */
#define READOUT_HEIGHT 120.0 /* the same, before what is read out at the cursor may */
#define PIECE 256 /* vertices stroked at once: longer paths take time out of proportion */

/* --- Drawing curves -------------------------------------------------------------------------- */

typedef struct {
  WeirPlot *plot;
  cairo_t *cr;
  gboolean down; /* the pen is on the paper */
  guint n_piece;
  double x, y;
} Pencil;

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

/* A sample of a discrete signal is what the signal was up to then, since the sample before: between
 * those it jumped. */
static void
jump_to (Pencil *pencil, const WeirCurve *curve, double y)
{
  if (curve->style == WEIR_CURVE_STEPS && pencil->down)
    draw_to (pencil, pencil->x, y);
}

static void
draw_samples (WeirPlot *self, const WeirCurve *curve, gsize first, gsize end, Pencil *pencil)
{
  while (first < end)
    {
      gsize n, m;
      const double *times = curve->columns.get_times (curve->data, first, &n);
      const double *values = curve->columns.get_values (curve->data, first, &m);

      n = MIN (MIN (n, m), end - first);
      for (gsize i = 0; i < n; i++)
        {
          double x = weir_plot_get_x (self, times[i]),
                 y = weir_plot_get_y (self, curve->axis, values[i]);

          x = CLAMP (x, self->axes_x - 4 * self->axes_width, self->axes_x + 5 * self->axes_width);
          if (!isfinite (values[i]) || isnan (x) || isnan (y))
            {
              lift (pencil);
              continue;
            }
          jump_to (pencil, curve, y);
          draw_to (pencil, x, y);
        }
      first += n;
    }
}

static gboolean
has_place (double value, gboolean is_log)
{
  return isfinite (value) && (!is_log || value > 0);
}

/* Of a logarithmic axis what is not above 0 is beneath all that is shown. */
static double
get_column_end (WeirPlot *self, const WeirCurve *curve, double value)
{
  double y = weir_plot_get_y (self, curve->axis, value);

  return isnan (y) ? self->axes_y + self->axes_height + PIECE : y;
}

static void
draw_columns (WeirPlot *self, const WeirCurve *curve, gsize first, gsize end, double scale,
              Pencil *pencil)
{
  int n_columns = MAX (1, (int) ceil (self->axes_width * scale));
  gboolean is_log = weir_plot_get_value_axis (self, curve)->is_log;
  const WeirAxis *time = &self->shown[WEIR_PLOT_TIME];

  for (int column = 0; column < n_columns && first < end; column++)
    {
      double until = weir_axis_get_value (time, (column + 1.0) / n_columns);
      gsize next = column == n_columns - 1 ? end
                                           : MIN (weir_curve_find_row (curve, until, first), end);
      double x = self->axes_x + (column + 0.5) / n_columns * self->axes_width;
      WeirSpan span;
      double start, stop, y[2];

      if (next == first)
        continue;
      span = weir_curve_get_span (curve, first, next);
      y[0] = get_column_end (self, curve, span.low);
      y[1] = get_column_end (self, curve, span.high);
      if (weir_span_is_empty (span) || (is_log && span.high <= 0))
        {
          lift (pencil);
          first = next;
          continue;
        }
      start = weir_curve_get_value (curve, first);
      stop = weir_curve_get_value (curve, next - 1);
      if (has_place (start, is_log))
        {
          jump_to (pencil, curve, weir_plot_get_y (self, curve->axis, start));
          draw_to (pencil, x, weir_plot_get_y (self, curve->axis, start));
        }
      /* Nearest extreme first, so that the line does not run up and down twice. */
      if (pencil->down && fabs (y[1] - pencil->y) < fabs (y[0] - pencil->y))
        {
          double other = y[0];

          y[0] = y[1];
          y[1] = other;
        }
      draw_to (pencil, x, y[0]);
      draw_to (pencil, x, y[1]);
      if (has_place (stop, is_log))
        draw_to (pencil, x, weir_plot_get_y (self, curve->axis, stop));
      first = next;
    }
}

/* @is_shadow: faintly. */
static void
draw_curve (WeirPlot *self, const WeirCurve *curve, cairo_t *cr, const WeirPalette *palette,
            gboolean is_shadow)
{
  Pencil pencil = { .plot = self, .cr = cr };
  double scale_x = 1, scale_y = 0;
  gsize first, end;

  if (!curve->visible || curve->n_rows == 0)
    return;
  first = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].low, 0);
  end = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].high, first);
  /* Lines to the neighbours outside; of equal times all. */
  first -= first > 0;
  while (end < curve->n_rows
         && weir_curve_get_time (curve, end) <= self->shown[WEIR_PLOT_TIME].high)
    end++;
  end = MIN (end + 1, curve->n_rows);

  cairo_user_to_device_distance (cr, &scale_x, &scale_y);
  scale_x = MAX (hypot (scale_x, scale_y), 0.25);
  weir_curve_set_look (curve, cr, palette);
  if (is_shadow)
    weir_set_source_alpha (cr, palette->curves[curve->look % WEIR_N_CURVE_COLORS], SHADOW_ALPHA);
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
  cairo_set_dash (cr, NULL, 0, 0);
}

/* --- Drawing the rest ------------------------------------------------------------------------ */

/* What stands at the axes. */
typedef struct {
  GArray *ticks[WEIR_N_PLOT_AXES]; /* WeirTick */
  char *titles[WEIR_N_PLOT_AXES];  /* with the power of ten that is taken out; NULL: none */
} Labels;

static void
labels_clear (Labels *self)
{
  for (guint i = 0; i < WEIR_N_PLOT_AXES; i++)
    {
      g_clear_pointer (&self->ticks[i], g_array_unref);
      g_clear_pointer (&self->titles[i], g_free);
    }
}

/* Of @pixels length. */
static void
list_ticks (WeirPlot *self, WeirPlotAxis axis, double pixels, Labels *labels)
{
  guint most = axis == WEIR_PLOT_TIME ? (guint) CLAMP (pixels / 80, 2, 16)
                                      : (guint) CLAMP (pixels / 40, 2, 12);
  g_autofree char *title = weir_plot_dup_axis_title (self, axis);
  g_autofree char *power = NULL;
  int exponent;

  labels->ticks[axis] = weir_axis_list_ticks (&self->shown[axis], most, &exponent);
  if (exponent == 0)
    {
      labels->titles[axis] = g_steal_pointer (&title);
      return;
    }
  power = weir_axis_format_exponent (exponent);
  labels->titles[axis] = g_strdup_printf ("%s%s× %s", title != NULL ? title : "",
                                          title != NULL ? " " : "", power);
}

static double
get_widest (const GArray *ticks, WeirPen *pen)
{
  double widest = 0;

  for (guint i = 0; i < ticks->len; i++)
    {
      const char *label = g_array_index (ticks, WeirTick, i).label;

      if (label != NULL)
        widest = MAX (widest, weir_pen_get_text_width (pen, label, WEIR_PLOT_LABEL_SIZE));
    }
  return widest;
}

static void
draw_grid_line (WeirPen *pen, const WeirTick *tick, double x0, double y0, double x1, double y1)
{
  weir_set_source_alpha (pen->cr, pen->palette->grid, tick->label != NULL ? 0.6 : 0.3);
  cairo_set_line_width (pen->cr, 1);
  cairo_move_to (pen->cr, x0, y0);
  cairo_line_to (pen->cr, x1, y1);
  cairo_stroke (pen->cr);
}

/* The only curve that is measured by an axis and can be seen; NULL: there are more. */
static const WeirCurve *
find_only_curve (WeirPlot *self, WeirPlotAxis axis)
{
  const WeirCurve *only = NULL;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      if (!curve->visible || curve->axis != axis || weir_curve_is_earlier (curve))
        continue;
      if (only != NULL)
        return NULL;
      only = curve;
    }
  return only;
}

/* Where there are several axes on the right, each axis has the colour of its curve if that is one.
 */
static void
set_axis_color (WeirPlot *self, WeirPen *pen, WeirPlotAxis axis)
{
  const WeirCurve *only = self->has_axis[WEIR_PLOT_RIGHT_2] || self->has_axis[WEIR_PLOT_RIGHT_3]
                              ? find_only_curve (self, axis)
                              : NULL;

  if (only != NULL)
    weir_curve_set_look (only, pen->cr, pen->palette);
  else
    weir_set_source (pen->cr, pen->palette->dim_text);
  cairo_set_dash (pen->cr, NULL, 0, 0);
}

static void
draw_left_axis (WeirPlot *self, WeirPen *pen, const GArray *ticks)
{
  for (guint i = 0; i < ticks->len; i++)
    {
      const WeirTick *tick = &g_array_index (ticks, WeirTick, i);
      double y = floor (weir_plot_get_y (self, WEIR_PLOT_LEFT, tick->value)) + 0.5;

      draw_grid_line (pen, tick, self->axes_x, y, self->axes_x + self->axes_width, y);
      if (tick->label == NULL)
        continue;
      set_axis_color (self, pen, WEIR_PLOT_LEFT);
      weir_pen_text (pen, tick->label, WEIR_PLOT_LABEL_SIZE, self->axes_x - 6, y, 1, 0.5, 0);
    }
}

/* An axis on the right: its own ticks and numbers, no lines through the plot. */
static void
draw_right_axis (WeirPlot *self, WeirPen *pen, WeirPlotAxis axis, const GArray *ticks)
{
  double right = self->axis_x[axis];
  gboolean is_first = right == self->axes_x + self->axes_width; /* the frame is its line */

  if (!is_first)
    {
      weir_set_source (pen->cr, pen->palette->stroke);
      cairo_set_line_width (pen->cr, 1);
      cairo_move_to (pen->cr, floor (right) + 0.5, floor (self->axes_y) + 0.5);
      cairo_line_to (pen->cr, floor (right) + 0.5,
                     floor (self->axes_y) + 0.5 + floor (self->axes_height));
      cairo_stroke (pen->cr);
    }
  for (guint i = 0; i < ticks->len; i++)
    {
      const WeirTick *tick = &g_array_index (ticks, WeirTick, i);
      double y = floor (weir_plot_get_y (self, axis, tick->value)) + 0.5;
      double length = tick->label != NULL ? 5 : 3;

      weir_set_source (pen->cr, pen->palette->stroke);
      cairo_set_line_width (pen->cr, 1);
      cairo_move_to (pen->cr, is_first ? right - length : right, y);
      cairo_line_to (pen->cr, is_first ? right : right + length, y);
      cairo_stroke (pen->cr);
      if (tick->label == NULL)
        continue;
      set_axis_color (self, pen, axis);
      weir_pen_text (pen, tick->label, WEIR_PLOT_LABEL_SIZE, right + 6, y, 0, 0.5, 0);
    }
}

static void
draw_time_axis (WeirPlot *self, WeirPen *pen, const GArray *ticks, double width)
{
  double bottom = self->axes_y + self->axes_height;

  for (guint i = 0; i < ticks->len; i++)
    {
      const WeirTick *tick = &g_array_index (ticks, WeirTick, i);
      double x = floor (weir_plot_get_x (self, tick->value)) + 0.5, half;

      draw_grid_line (pen, tick, x, self->axes_y, x, bottom);
      if (tick->label == NULL)
        continue;
      half = weir_pen_get_text_width (pen, tick->label, WEIR_PLOT_LABEL_SIZE) / 2;
      weir_set_source (pen->cr, pen->palette->dim_text);
      weir_pen_text (pen, tick->label, WEIR_PLOT_LABEL_SIZE, MIN (x, width - half - 2), bottom + 4,
                     0.5, 0, 0);
    }
}

/* Those of the left and the first on the right share one. */
static guint
count_title_lines (const Labels *labels)
{
  guint n_right = 0;

  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    n_right += labels->titles[axis] != NULL;
  return MAX (n_right, labels->titles[WEIR_PLOT_LEFT] != NULL ? 1 : 0);
}

/* Reserves what labels need, widest tick label included. */
static void
lay_out (WeirPlot *self, WeirPen *pen, double width, double height, Labels *labels)
{
  double top = self->title != NULL ? 28 : 12, bottom = 40, right = 14;
  double widths[WEIR_N_PLOT_AXES];
  guint n_right = 0, n_lines;

  self->legend_y = top - 4;
  self->n_legend_lines = 0;
  if (self->show_legend)
    {
      /* A small plot rather shows curves than names. */
      double room = (height - top - bottom - MIN_HEIGHT) / WEIR_PLOT_LEGEND_LINE;

      self->n_legend_lines = weir_plot_count_legend_lines (
          self, pen, width, (guint) CLAMP (room, 0, MAX_LEGEND_LINES));
      /* What is read out has its place above the axes also while there is no cursor; in a low plot
       * it is where the curves leave room. */
      self->legend_is_inside = self->legend_at_cursor
                               && height - top - bottom
                                          - WEIR_PLOT_LEGEND_LINE * self->n_legend_lines
                                      < READOUT_HEIGHT;
      if (!self->legend_is_inside)
        top += WEIR_PLOT_LEGEND_LINE * self->n_legend_lines;
    }
  for (WeirPlotAxis axis = WEIR_PLOT_LEFT; axis < WEIR_N_PLOT_AXES; axis++)
    if (weir_plot_has_axis (self, axis))
      list_ticks (self, axis, height - top - bottom, labels);
  n_lines = count_title_lines (labels);
  if (n_lines > 0)
    top += (self->title == NULL || self->n_legend_lines > 0 ? 10 : 0) + TITLE_LINE * (n_lines - 1);
  self->axes_y = top;
  self->axes_height = MAX (height - top - bottom, 10);
  self->axes_x = ceil (get_widest (labels->ticks[WEIR_PLOT_LEFT], pen)) + 14;
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    if (self->has_axis[axis])
      {
        widths[axis] = ceil (get_widest (labels->ticks[axis], pen));
        right += widths[axis] + (n_right++ > 0 ? RIGHT_GAP : 0);
      }
  self->axes_width = MAX (width - self->axes_x - right, 10);
  right = self->axes_x + self->axes_width;
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    if (self->has_axis[axis])
      {
        self->axis_x[axis] = right;
        right += widths[axis] + RIGHT_GAP;
      }
  list_ticks (self, WEIR_PLOT_TIME, self->axes_width, labels);
}

/* Those of values stand above their axes, each within its half if there are two; of several on the
 * right, that of the outermost is the highest. */
static void
draw_titles (WeirPlot *self, WeirPen *pen, const Labels *labels, double height)
{
  double level = self->axes_y - 3, room;
  gboolean is_shared = FALSE;

  weir_set_source (pen->cr, pen->palette->dim_text);
  weir_pen_text (pen, labels->titles[WEIR_PLOT_TIME], WEIR_PLOT_LABEL_SIZE,
                 self->axes_x + self->axes_width / 2, height - 4, 0.5, 1, self->axes_width);
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    is_shared |= self->has_axis[axis];
  room = self->axes_width / (is_shared ? 2 : 1) - 6;
  if (labels->titles[WEIR_PLOT_LEFT] != NULL)
    {
      set_axis_color (self, pen, WEIR_PLOT_LEFT);
      weir_pen_text (pen, labels->titles[WEIR_PLOT_LEFT], WEIR_PLOT_LABEL_SIZE, self->axes_x, level,
                     0, 1, room);
    }
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    if (labels->titles[axis] != NULL)
      {
        set_axis_color (self, pen, axis);
        weir_pen_text (pen, labels->titles[axis], WEIR_PLOT_LABEL_SIZE, self->axis_x[axis], level,
                       1, 1, room);
        level -= TITLE_LINE;
      }
  if (self->title != NULL)
    {
      weir_set_source (pen->cr, pen->palette->text);
      weir_pen_text (pen, self->title, TITLE_SIZE, self->axes_x + self->axes_width / 2, 6, 0.5, 0,
                     self->axes_width);
    }
}

/* Beneath the curves, at their foot. */
static void
draw_gap_note (WeirPlot *self, WeirPen *pen)
{
  const char *note = weir_plot_get_gap_note (self);

  if (note == NULL)
    return;
  weir_set_source (pen->cr, pen->palette->dim_text);
  weir_pen_text (pen, note, WEIR_PLOT_LABEL_SIZE, self->axes_x + self->axes_width - 6,
                 self->axes_y + self->axes_height - 4, 1, 1, MAX (self->axes_width - 12, 1));
}

void
weir_plot_draw (WeirPlot *self, cairo_t *cr, double width, double height,
                const WeirPalette *palette)
{
  WeirPen pen;
  Labels labels = { 0 };

  self->n_vertices = 0;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  weir_set_source (cr, palette->background);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  weir_pen_init (&pen, cr, palette, 1);
  lay_out (self, &pen, width, height, &labels);

  draw_left_axis (self, &pen, labels.ticks[WEIR_PLOT_LEFT]);
  draw_time_axis (self, &pen, labels.ticks[WEIR_PLOT_TIME], width);
  for (WeirPlotAxis axis = WEIR_PLOT_RIGHT; axis < WEIR_N_PLOT_AXES; axis++)
    if (self->has_axis[axis])
      draw_right_axis (self, &pen, axis, labels.ticks[axis]);
  weir_set_source (cr, palette->stroke);
  cairo_set_line_width (cr, palette->line_width);
  cairo_rectangle (cr, floor (self->axes_x) + 0.5, floor (self->axes_y) + 0.5,
                   floor (self->axes_width), floor (self->axes_height));
  cairo_stroke (cr);
  draw_titles (self, &pen, &labels, height);
  labels_clear (&labels);

  cairo_save (cr);
  cairo_rectangle (cr, self->axes_x, self->axes_y - 1, self->axes_width, self->axes_height + 2);
  cairo_clip (cr);
  draw_gap_note (self, &pen);
  weir_plot_draw_bounds (self, &pen);
  weir_plot_draw_levels (self, &pen);
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      if (curve->shadow != NULL && curve->visible)
        draw_curve (self, curve->shadow, cr, palette, TRUE);
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->curves->len; i++)
      if (weir_curve_is_earlier (self->curves->pdata[i]) == (pass == 0))
        draw_curve (self, self->curves->pdata[i], cr, palette, FALSE);
  cairo_restore (cr);

  weir_plot_draw_verdict (self, &pen);
  weir_plot_draw_cursors (self, &pen);
  if (self->n_legend_lines > 0 && !(self->legend_at_cursor && isnan (self->cursor)))
    weir_plot_draw_legend (self, &pen, width);
  weir_pen_clear (&pen);
  cairo_restore (cr);
}

gboolean
weir_plot_from_position (WeirPlot *self, double x, double y, double *time, double *value)
{
  double u = (x - self->axes_x) / MAX (self->axes_width, 1);
  double v = (y - self->axes_y) / MAX (self->axes_height, 1);

  *time = weir_axis_get_value (&self->shown[WEIR_PLOT_TIME], u);
  *value = weir_axis_get_value (&self->shown[WEIR_PLOT_LEFT], 1 - v);
  return u >= 0 && u <= 1 && v >= 0 && v <= 1;
}

WeirPlotAxis
weir_plot_find_axis (WeirPlot *self, double x, double y)
{
  if (x < self->axes_x)
    return WEIR_PLOT_LEFT;
  for (WeirPlotAxis axis = WEIR_N_PLOT_AXES; axis-- > WEIR_PLOT_RIGHT;)
    if (self->has_axis[axis] && x > self->axis_x[axis])
      return axis;
  return y > self->axes_y + self->axes_height ? WEIR_PLOT_TIME : WEIR_N_PLOT_AXES;
}

/* From (@x, @y) to the straight line between two points. */
static double
calc_distance (double x, double y, const double a[2], const double b[2])
{
  double dx = b[0] - a[0], dy = b[1] - a[1], length = dx * dx + dy * dy;
  double part = length > 0 ? CLAMP (((x - a[0]) * dx + (y - a[1]) * dy) / length, 0, 1) : 0;

  return hypot (x - a[0] - part * dx, y - a[1] - part * dy);
}

/* Of its values a pixel apart, no farther away than @reach: what jumps between them is a line. */
static double
calc_distance_of_curve (WeirPlot *self, guint curve, double x, double y, double reach)
{
  WeirPlotAxis axis = weir_plot_get_curve_axis (self, curve);
  double nearest = (double) INFINITY, before[2], at[2], value;
  gboolean has_before = FALSE;

  for (at[0] = x - reach; at[0] <= x + reach; at[0]++)
    {
      double time = weir_axis_get_value (&self->shown[WEIR_PLOT_TIME],
                                         (at[0] - self->axes_x) / MAX (self->axes_width, 1));
      gboolean has_value = weir_plot_get_value_at (self, curve, time, &value);

      at[1] = has_value ? weir_plot_get_y (self, axis, value) : 0;
      if (has_value)
        nearest = fmin (nearest, calc_distance (x, y, has_before ? before : at, at));
      before[0] = at[0];
      before[1] = at[1];
      has_before = has_value;
    }
  return nearest;
}

gboolean
weir_plot_find_curve (WeirPlot *self, double x, double y, double reach, guint *curve)
{
  double nearest = reach;
  gboolean is_found = FALSE;

  for (guint i = 0; i < weir_plot_get_n_curves (self); i++)
    if (weir_plot_get_curve_visible (self, i) && !weir_plot_is_earlier (self, i))
      {
        double distance = calc_distance_of_curve (self, i, x, y, reach);

        if (distance > nearest)
          continue;
        nearest = distance;
        *curve = i;
        is_found = TRUE;
      }
  return is_found;
}

void
weir_plot_to_position (WeirPlot *self, double time, double value, double *x, double *y)
{
  *x = weir_plot_get_x (self, time);
  *y = weir_plot_get_y (self, WEIR_PLOT_LEFT, value);
}

/* --- Files ----------------------------------------------------------------------------------- */

#define PAGE_WIDTH 960.0
#define PAGE_HEIGHT 540.0

typedef struct {
  WeirPlot *plot;
  const WeirPalette *palette;
} Page;

static void
draw_page (cairo_t *cr, double width, double height, gpointer data)
{
  Page *page = data;

  weir_plot_draw (page->plot, cr, width, height, page->palette);
}

gboolean
weir_plot_write_file (WeirPlot *self, const char *path, double width, double height,
                      const WeirPalette *palette, GError **error)
{
  Page page = { self, palette };

  weir_plot_update (self);
  return weir_picture_write (path, width, height, draw_page, &page, error);
}

gboolean
weir_plot_write (WeirRecorder *recorder, const char *path, GError **error)
{
  g_autoptr (WeirPlot) plot = weir_plot_new ();

  for (guint i = 0; i < weir_recorder_get_n_signals (recorder); i++)
    weir_plot_add_signal (plot, recorder, i, WEIR_CURVE_LINE);
  return weir_plot_write_file (plot, path, PAGE_WIDTH, PAGE_HEIGHT,
                               weir_palette_get (WEIR_PALETTE_LIGHT), error);
}
