/* Cursors of a plot: the line at the pointer's time, the two to measure with, and the levels that a
 * curve is judged by. See plot.h.
 */
#include "paint/plots/plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define DOT 3.5
#define REACH 6.0 /* pixels, of a pointer to a line */

const char *const weir_cursor_names[WEIR_N_CURSORS] = { "A", "B" };
const char *const weir_value_cursor_names[WEIR_N_CURSORS] = { "Y1", "Y2" };

/* --- Where they are -------------------------------------------------------------------------- */

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

void
weir_plot_set_measuring (WeirPlot *self, guint cursor, double time)
{
  g_return_if_fail (cursor < WEIR_N_CURSORS);

  self->measuring[cursor] = time;
}

double
weir_plot_get_measuring (WeirPlot *self, guint cursor)
{
  g_return_val_if_fail (cursor < WEIR_N_CURSORS, (double) NAN);

  return self->measuring[cursor];
}

static gboolean
is_shown (WeirPlot *self, double time)
{
  return !isnan (time) && time >= self->shown[WEIR_PLOT_TIME].low
         && time <= self->shown[WEIR_PLOT_TIME].high;
}

gboolean
weir_plot_hit_measuring (WeirPlot *self, double x, double y, guint *cursor)
{
  double nearest = REACH;
  gboolean is_hit = FALSE;

  if (y < self->axes_y || y > self->axes_y + self->axes_height)
    return FALSE;
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    if (is_shown (self, self->measuring[i])
        && fabs (weir_plot_get_x (self, self->measuring[i]) - x) <= nearest)
      {
        nearest = fabs (weir_plot_get_x (self, self->measuring[i]) - x);
        *cursor = i;
        is_hit = TRUE;
      }
  return is_hit;
}

void
weir_plot_set_value_cursor (WeirPlot *self, guint cursor, double value)
{
  g_return_if_fail (cursor < WEIR_N_CURSORS);

  self->across[cursor] = value;
}

double
weir_plot_get_value_cursor (WeirPlot *self, guint cursor)
{
  g_return_val_if_fail (cursor < WEIR_N_CURSORS, (double) NAN);

  return self->across[cursor];
}

double
weir_plot_get_value_difference (WeirPlot *self)
{
  return self->across[1] - self->across[0];
}

static gboolean
is_across (WeirPlot *self, guint cursor)
{
  const WeirAxis *axis = &self->shown[WEIR_PLOT_LEFT];

  return self->across[cursor] >= axis->low && self->across[cursor] <= axis->high;
}

gboolean
weir_plot_hit_value_cursor (WeirPlot *self, double x, double y, guint *cursor)
{
  double nearest = REACH;
  gboolean is_hit = FALSE;

  if (x < self->axes_x || x > self->axes_x + self->axes_width)
    return FALSE;
  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    {
      double off = fabs (weir_plot_get_y (self, WEIR_PLOT_LEFT, self->across[i]) - y);

      if (is_across (self, i) && off <= nearest)
        {
          nearest = off;
          *cursor = i;
          is_hit = TRUE;
        }
    }
  return is_hit;
}

/* --- Values ---------------------------------------------------------------------------------- */

gboolean
weir_plot_read (WeirPlot *self, guint index, double time, double *value, gboolean *is_sample)
{
  const WeirCurve *curve = self->curves->pdata[index];
  gsize row;
  double t0, t1, v0, v1;

  if (isnan (time) || curve->n_rows == 0 || time < weir_curve_get_time (curve, 0)
      || time > weir_curve_get_time (curve, curve->n_rows - 1))
    return FALSE;
  row = weir_curve_find_row (curve, time, 0);
  /* Of several rows at this time the last holds: the value after an event. */
  while (row + 1 < curve->n_rows && weir_curve_get_time (curve, row + 1) <= time)
    row++;
  t1 = weir_curve_get_time (curve, row);
  v1 = weir_curve_get_value (curve, row);
  *is_sample = t1 <= time || row == 0;
  if (*is_sample)
    *value = v1;
  else
    {
      t0 = weir_curve_get_time (curve, row - 1);
      v0 = weir_curve_get_value (curve, row - 1);
      *value = curve->style == WEIR_CURVE_STEPS ? v1 : v0 + (v1 - v0) * (time - t0) / (t1 - t0);
    }
  return isfinite (*value);
}

gboolean
weir_plot_get_value_at (WeirPlot *self, guint curve, double time, double *value)
{
  gboolean is_sample;

  return weir_plot_read (self, curve, time, value, &is_sample);
}

/* The time of the sample of @curve next to @time on one side. */
static gboolean
find_neighbour (const WeirCurve *curve, double time, gboolean forward, double *found)
{
  gsize row = weir_curve_find_row (curve, time, 0);

  if (forward)
    while (row < curve->n_rows && weir_curve_get_time (curve, row) <= time)
      row++;
  else if (row-- == 0)
    return FALSE;
  if (row >= curve->n_rows)
    return FALSE;
  *found = weir_curve_get_time (curve, row);
  return TRUE;
}

gboolean
weir_plot_find_sample (WeirPlot *self, double time, int n, double *found)
{
  gboolean forward = n > 0, is_found = FALSE;

  for (guint step = (guint) ABS (n); step > 0; step--)
    {
      double next = forward ? (double) INFINITY : (double) -INFINITY, other;

      for (guint i = 0; i < self->curves->len; i++)
        {
          const WeirCurve *curve = self->curves->pdata[i];

          if (curve->visible && find_neighbour (curve, time, forward, &other))
            next = forward ? MIN (next, other) : MAX (next, other);
        }
      if (isinf (next))
        break;
      *found = time = next;
      is_found = TRUE;
    }
  return is_found;
}

/* --- Levels ---------------------------------------------------------------------------------- */

void
weir_plot_set_levels (WeirPlot *self, guint curve, const double *levels, guint n_strong, guint n)
{
  g_array_set_size (self->levels, 0);
  if (n > 0)
    g_array_append_vals (self->levels, levels, n);
  self->levels_of = curve;
  self->n_strong_levels = n_strong;
}

void
weir_plot_draw_levels (WeirPlot *self, WeirPen *pen)
{
  static const double dashes[2][2] = { { 2, 4 }, { 10, 4 } };
  const WeirCurve *curve;

  if (self->levels_of >= self->curves->len)
    return;
  curve = self->curves->pdata[self->levels_of];
  for (guint i = 0; i < self->levels->len && curve->visible; i++)
    {
      double level = g_array_index (self->levels, double, i);
      double y = floor (weir_plot_get_y (self, curve->axis, level)) + 0.5;
      gboolean is_strong = i < self->n_strong_levels;

      if (!isfinite (level) || isnan (y))
        continue;
      weir_set_source_alpha (pen->cr, pen->palette->curves[curve->look % WEIR_N_CURVE_COLORS],
                             is_strong ? 0.9 : 0.6);
      cairo_set_line_width (pen->cr, 1);
      cairo_set_dash (pen->cr, dashes[is_strong], 2, 0);
      cairo_move_to (pen->cr, self->axes_x, y);
      cairo_line_to (pen->cr, self->axes_x + self->axes_width, y);
      cairo_stroke (pen->cr);
    }
  cairo_set_dash (pen->cr, NULL, 0, 0);
}

/* --- Drawing --------------------------------------------------------------------------------- */

static void
draw_line (WeirPlot *self, WeirPen *pen, double x, WeirColor color)
{
  weir_set_source (pen->cr, color);
  cairo_set_line_width (pen->cr, pen->palette->line_width);
  cairo_move_to (pen->cr, floor (x) + 0.5, self->axes_y);
  cairo_line_to (pen->cr, floor (x) + 0.5, self->axes_y + self->axes_height);
  cairo_stroke (pen->cr);
}

/* At every curve. @marks_samples: those that lie between samples are hollow. */
static void
draw_dots (WeirPlot *self, WeirPen *pen, double x, double time, gboolean marks_samples)
{
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];
      const WeirAxis *axis = weir_plot_get_value_axis (self, curve);
      WeirColor color = pen->palette->curves[curve->look % WEIR_N_CURVE_COLORS];
      gboolean is_sample = TRUE;
      double value;

      if (!curve->visible || !weir_plot_read (self, i, time, &value, &is_sample)
          || value < axis->low || value > axis->high)
        continue;
      is_sample = is_sample || !marks_samples;
      cairo_new_path (pen->cr);
      cairo_arc (pen->cr, x, weir_plot_get_y (self, curve->axis, value), DOT, 0, 2 * G_PI);
      weir_set_source (pen->cr, is_sample ? color : pen->palette->background);
      cairo_fill_preserve (pen->cr);
      weir_set_source (pen->cr, is_sample ? pen->palette->background : color);
      cairo_set_line_width (pen->cr, is_sample ? 1 : 1.6);
      cairo_stroke (pen->cr);
    }
}

/* A label centred at @x, with @y for its upper edge, within the axes. */
static void
draw_label (WeirPlot *self, WeirPen *pen, const char *text, double x, double y, WeirColor color)
{
  double width = weir_pen_get_text_width (pen, text, WEIR_PLOT_LABEL_SIZE) + 8;
  double left = CLAMP (x - width / 2, self->axes_x, self->axes_x + self->axes_width - width);

  cairo_rectangle (pen->cr, left, y, width, 18);
  weir_set_source (pen->cr, color);
  cairo_fill (pen->cr);
  weir_set_source (pen->cr, pen->palette->background);
  weir_pen_text (pen, text, WEIR_PLOT_LABEL_SIZE, left + 4, y + 9, 0, 0.5, 0);
}

static void
draw_measuring (WeirPlot *self, WeirPen *pen, guint cursor)
{
  double time = self->measuring[cursor], x = weir_plot_get_x (self, time);
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  if (!is_shown (self, time))
    return;
  draw_line (self, pen, x, pen->palette->text);
  draw_dots (self, pen, x, time, TRUE);
  number = weir_axis_format_value (time);
  text = g_strdup_printf ("%s  %s", weir_cursor_names[cursor], number);
  draw_label (self, pen, text, x, self->axes_y + self->axes_height + 1, pen->palette->text);
}

/* Its value, and at the second what it is above the first, stand on the line's right end. */
static void
draw_across (WeirPlot *self, WeirPen *pen, guint cursor)
{
  double y = floor (weir_plot_get_y (self, WEIR_PLOT_LEFT, self->across[cursor])) + 0.5;
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  if (!is_across (self, cursor))
    return;
  weir_set_source (pen->cr, pen->palette->text);
  cairo_set_line_width (pen->cr, pen->palette->line_width);
  cairo_move_to (pen->cr, self->axes_x, y);
  cairo_line_to (pen->cr, self->axes_x + self->axes_width, y);
  cairo_stroke (pen->cr);
  number = weir_axis_format_value (self->across[cursor]);
  if (cursor > 0 && !isnan (weir_plot_get_value_difference (self)))
    {
      g_autofree char *difference = weir_axis_format_value (weir_plot_get_value_difference (self));

      text = g_strdup_printf ("%s  %s   ΔY  %s", weir_value_cursor_names[cursor], number,
                              difference);
    }
  else
    text = g_strdup_printf ("%s  %s", weir_value_cursor_names[cursor], number);
  draw_label (self, pen, text, self->axes_x + self->axes_width,
              CLAMP (y - 9, self->axes_y, self->axes_y + self->axes_height - 18),
              pen->palette->text);
}

void
weir_plot_draw_cursors (WeirPlot *self, WeirPen *pen)
{
  double x = weir_plot_get_x (self, self->cursor);
  g_autofree char *number = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < WEIR_N_CURSORS; i++)
    {
      draw_across (self, pen, i);
      draw_measuring (self, pen, i);
    }
  if (!is_shown (self, self->cursor))
    return;
  draw_line (self, pen, x, pen->palette->selection);
  draw_dots (self, pen, x, self->cursor, FALSE);
  number = weir_axis_format_value (self->cursor);
  text = g_strdup_printf (_ ("t = %s"), number);
  /* Below the axes, on the numbers there rather than on a curve. */
  draw_label (self, pen, text, x, self->axes_y + self->axes_height + 1, pen->palette->selection);
}
