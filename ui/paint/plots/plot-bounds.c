/* Bounds in a plot: lines that curves are not to go beyond, shaded on that side, and whether they
 * are kept. See plot.h.
 */
#include <math.h>

#include "paint/plots/plot-private.h"

#define SHADE 9.0  /* pixels beyond a bound that are shaded */
#define N_PARTS 48 /* of a bound that is not straight in logarithmic axes */
#define MARGIN 6.0 /* of the verdict, from the axes */

void
weir_plot_set_bounds (WeirPlot *self, const WeirPlotBound *bounds, guint n, const char *verdict)
{
  g_array_set_size (self->bounds, 0);
  if (n > 0)
    g_array_append_vals (self->bounds, bounds, n);
  g_free (self->verdict);
  self->verdict = g_strdup (verdict);
  self->changed = TRUE;
}

const char *
weir_plot_get_verdict (WeirPlot *self)
{
  return self->verdict;
}

guint
weir_plot_get_n_bounds (WeirPlot *self)
{
  return self->bounds->len;
}

/* As far as its time is shown. FALSE: not at all, or its curve is hidden. */
static gboolean
find_ends (WeirPlot *self, const WeirPlotBound *bound, double ends[2])
{
  const WeirAxis *time = &self->shown[WEIR_PLOT_TIME];
  const WeirCurve *curve = bound->curve < self->curves->len ? self->curves->pdata[bound->curve]
                                                            : NULL;

  ends[0] = MAX (bound->from, time->low);
  ends[1] = MIN (bound->to, time->high);
  return curve != NULL && curve->visible && ends[0] < ends[1];
}

static double
get_value (const WeirPlotBound *bound, double time)
{
  return bound->values[0] == bound->values[1]
             ? bound->values[0]
             : bound->values[0]
                   + (bound->values[1] - bound->values[0]) * (time - bound->from)
                         / (bound->to - bound->from);
}

WeirSpan
weir_plot_get_bounds_span (WeirPlot *self, WeirPlotAxis axis)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  for (guint i = 0; i < self->bounds->len; i++)
    {
      const WeirPlotBound *bound = &g_array_index (self->bounds, WeirPlotBound, i);
      double ends[2];

      if (!find_ends (self, bound, ends)
          || weir_plot_get_value_axis (self, self->curves->pdata[bound->curve])
                 != &self->shown[axis])
        continue;
      for (guint k = 0; k < 2; k++)
        {
          double value = get_value (bound, ends[k]);

          if (!self->shown[axis].is_log || value > 0)
            span = weir_span_union (span, (WeirSpan) { value, value });
        }
    }
  return span;
}

/* Its line, moved by @by pixels, from the left or back again; what has no place there lies at the
 * foot. */
static void
trace (WeirPlot *self, cairo_t *cr, const WeirPlotBound *bound, const double ends[2], double by,
       gboolean back)
{
  const WeirAxis *time = &self->shown[WEIR_PLOT_TIME];
  const WeirCurve *curve = self->curves->pdata[bound->curve];
  double first = weir_axis_get_share (time, ends[0]), last = weir_axis_get_share (time, ends[1]);

  for (int i = 0; i <= N_PARTS; i++)
    {
      double share = first + (last - first) * (back ? N_PARTS - i : i) / N_PARTS;
      double at = weir_axis_get_value (time, share);
      double y = weir_plot_get_y (self, curve->axis, get_value (bound, at));

      cairo_line_to (cr, self->axes_x + share * self->axes_width,
                     (isnan (y) ? self->axes_y + self->axes_height : y) + by);
    }
}

void
weir_plot_draw_bounds (WeirPlot *self, WeirPen *pen)
{
  for (guint i = 0; i < self->bounds->len; i++)
    {
      const WeirPlotBound *bound = &g_array_index (self->bounds, WeirPlotBound, i);
      WeirColor color = bound->is_broken ? pen->palette->error : pen->palette->dim_text;
      double ends[2];

      if (!find_ends (self, bound, ends))
        continue;
      cairo_new_path (pen->cr);
      trace (self, pen->cr, bound, ends, 0, FALSE);
      trace (self, pen->cr, bound, ends, bound->is_upper ? -SHADE : SHADE, TRUE);
      cairo_close_path (pen->cr);
      weir_set_source_alpha (pen->cr, color, 0.25);
      cairo_fill (pen->cr);
      trace (self, pen->cr, bound, ends, 0, FALSE);
      weir_set_source (pen->cr, color);
      cairo_set_line_width (pen->cr, (bound->is_broken ? 2 : 1.2) * pen->palette->line_width);
      cairo_stroke (pen->cr);
    }
}

/* In the corner, on the curves. */
void
weir_plot_draw_verdict (WeirPlot *self, WeirPen *pen)
{
  gboolean is_broken = FALSE;
  double width;

  if (self->verdict == NULL)
    return;
  for (guint i = 0; i < self->bounds->len; i++)
    is_broken |= g_array_index (self->bounds, WeirPlotBound, i).is_broken;
  width = MIN (weir_pen_get_text_width (pen, self->verdict, WEIR_PLOT_LABEL_SIZE) + 8,
               self->axes_width - 2 * MARGIN);
  if (width <= 8)
    return;
  cairo_rectangle (pen->cr, self->axes_x + self->axes_width - MARGIN - width, self->axes_y + MARGIN,
                   width, 18);
  weir_set_source_alpha (pen->cr, pen->palette->background, 0.85);
  cairo_fill (pen->cr);
  weir_set_source (pen->cr, is_broken ? pen->palette->error : pen->palette->text);
  weir_pen_text (pen, self->verdict, WEIR_PLOT_LABEL_SIZE,
                 self->axes_x + self->axes_width - MARGIN - 4, self->axes_y + MARGIN + 9, 1, 0.5,
                 width - 8);
}
