/* Line plots: curves and ranges. See plot.h; drawing is in plot-draw.c and plot-legend.c.
 *
 * Ranges of rows are found by bisection in the time column, extremes in the pyramid.
 */
#include "paint/plots/plot-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* --- Columns --------------------------------------------------------------------------------- */

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

double
weir_curve_get_time (const WeirCurve *curve, gsize row)
{
  gsize n;

  return *curve->columns.get_times (curve->data, row, &n);
}

double
weir_curve_get_value (const WeirCurve *curve, gsize row)
{
  gsize n;

  return *curve->columns.get_values (curve->data, row, &n);
}

/* The first row in [low, n_rows) at @time or later. */
gsize
weir_curve_find_row (const WeirCurve *curve, double time, gsize low)
{
  gsize high = curve->n_rows;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (weir_curve_get_time (curve, middle) < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

WeirSpan
weir_curve_get_span (const WeirCurve *curve, gsize first, gsize end)
{
  return weir_pyramid_get_span (curve->pyramid, curve->columns.get_values, curve->data, first, end);
}

/* --- Making ---------------------------------------------------------------------------------- */

static void
curve_free (gpointer data)
{
  WeirCurve *curve = data;

  if (curve == NULL)
    return;
  if (curve->destroy != NULL)
    curve->destroy (curve->data);
  curve_free (curve->shadow);
  weir_pyramid_free (curve->pyramid);
  g_free (curve->name);
  g_free (curve->unit);
  g_free (curve);
}

WeirPlot *
weir_plot_new (void)
{
  WeirPlot *self = g_new0 (WeirPlot, 1);

  self->curves = g_ptr_array_new_with_free_func (curve_free);
  self->show_legend = TRUE;
  self->cursor = self->measuring[0] = self->measuring[1] = NAN;
  self->across[0] = self->across[1] = NAN;
  self->levels = g_array_new (FALSE, FALSE, sizeof (double));
  self->bounds = g_array_new (FALSE, FALSE, sizeof (WeirPlotBound));
  for (guint i = 0; i < WEIR_N_PLOT_AXES; i++)
    self->shown[i] = (WeirAxis) { 0, 1, FALSE };
  self->changed = TRUE;
  return self;
}

void
weir_plot_free (WeirPlot *self)
{
  g_ptr_array_unref (self->curves);
  g_array_unref (self->levels);
  g_array_unref (self->bounds);
  g_free (self->verdict);
  g_free (self->title);
  for (guint i = 0; i < WEIR_N_PLOT_AXES; i++)
    g_free (self->axis_titles[i]);
  g_free (self);
}

gboolean
weir_curve_is_earlier (const WeirCurve *curve)
{
  return curve->earlier_of != G_MAXUINT;
}

static guint
count_looks (WeirPlot *self)
{
  guint n = 0;

  for (guint i = 0; i < self->curves->len; i++)
    n += !weir_curve_is_earlier (self->curves->pdata[i]);
  return n;
}

guint
weir_plot_add_columns (WeirPlot *self, const char *name, WeirCurveStyle style,
                       const WeirPlotColumns *columns, gpointer data, GDestroyNotify destroy)
{
  WeirCurve *curve = g_new0 (WeirCurve, 1);

  *curve = (WeirCurve) {
    .name = g_strdup (name),
    .style = style,
    .columns = *columns,
    .data = data,
    .destroy = destroy,
    .pyramid = weir_pyramid_new (),
    .visible = TRUE,
    .axis = WEIR_PLOT_LEFT,
    .look = count_looks (self),
    .earlier_of = G_MAXUINT,
  };
  g_ptr_array_add (self->curves, curve);
  self->changed = TRUE;
  return self->curves->len - 1;
}

static const WeirPlotColumns signal_columns = { signal_get_n_rows, signal_get_times,
                                                signal_get_values };

static Signal *
signal_new (WeirRecorder *recorder, guint signal)
{
  Signal *data = g_new (Signal, 1);

  *data = (Signal) { weir_recorder_ref (recorder), signal,
                     weir_recorder_get_first_row (recorder, signal) };
  return data;
}

guint
weir_plot_add_signal (WeirPlot *self, WeirRecorder *recorder, guint signal, WeirCurveStyle style)
{
  return weir_plot_add_columns (self, weir_recorder_get_signal_name (recorder, signal), style,
                                &signal_columns, signal_new (recorder, signal), signal_free);
}

guint
weir_plot_get_n_curves (WeirPlot *self)
{
  return self->curves->len;
}

static WeirCurve *
get_curve (WeirPlot *self, guint curve)
{
  g_return_val_if_fail (curve < self->curves->len, NULL);
  return self->curves->pdata[curve];
}

void
weir_plot_set_signal (WeirPlot *self, guint index, WeirRecorder *recorder, guint signal,
                      gboolean keeps_shadow)
{
  WeirCurve *curve = get_curve (self, index), *before = g_new (WeirCurve, 1);

  *before = *curve;
  before->name = before->unit = NULL;
  before->shadow = NULL;
  curve->columns = signal_columns;
  curve->data = signal_new (recorder, signal);
  curve->destroy = signal_free;
  curve->pyramid = weir_pyramid_new ();
  curve->n_rows = 0;
  if (keeps_shadow && curve->shadow == NULL)
    curve->shadow = before;
  else
    curve_free (before);
  self->changed = TRUE;
}

void
weir_plot_drop_shadows (WeirPlot *self)
{
  for (guint i = 0; i < self->curves->len; i++)
    {
      WeirCurve *curve = self->curves->pdata[i];

      self->changed = self->changed || curve->shadow != NULL;
      g_clear_pointer (&curve->shadow, curve_free);
    }
}

gboolean
weir_plot_has_shadows (WeirPlot *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->curves->len; i++)
    any |= ((WeirCurve *) self->curves->pdata[i])->shadow != NULL;
  return any;
}

guint
weir_plot_add_earlier (WeirPlot *self, guint index, WeirRecorder *recorder, guint signal,
                       const char *name)
{
  const WeirCurve *now = get_curve (self, index);
  guint added = weir_plot_add_signal (self, recorder, signal, now->style);
  WeirCurve *curve = get_curve (self, added);

  curve->look = now->look;
  curve->earlier_of = index;
  curve->visible = now->visible;
  curve->axis = now->axis;
  weir_plot_set_curve_name (self, added, name);
  return added;
}

gboolean
weir_plot_get_signal (WeirPlot *self, guint index, WeirRecorder **recorder, guint *signal)
{
  const WeirCurve *curve = get_curve (self, index);

  if (curve->destroy != signal_free)
    return FALSE;
  *recorder = ((Signal *) curve->data)->recorder;
  *signal = ((Signal *) curve->data)->signal;
  return TRUE;
}

WeirCurveStyle
weir_plot_get_curve_style (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->style;
}

gboolean
weir_plot_is_earlier (WeirPlot *self, guint curve)
{
  return weir_curve_is_earlier (get_curve (self, curve));
}

guint
weir_plot_get_curve_color (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->look % WEIR_N_CURVE_COLORS;
}

static void
set_text (WeirPlot *self, char **text, const char *to)
{
  g_free (*text);
  *text = g_strdup (to);
  self->changed = TRUE;
}

const char *
weir_plot_get_curve_name (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->name;
}

void
weir_plot_set_curve_name (WeirPlot *self, guint curve, const char *name)
{
  set_text (self, &get_curve (self, curve)->name, name);
}

void
weir_plot_set_curve_unit (WeirPlot *self, guint curve, const char *unit)
{
  set_text (self, &get_curve (self, curve)->unit, unit);
}

const char *
weir_plot_get_curve_unit (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->unit;
}

void
weir_plot_set_curve_visible (WeirPlot *self, guint curve, gboolean visible)
{
  for (guint i = 0; i < self->curves->len; i++)
    if (i == curve || get_curve (self, i)->earlier_of == curve)
      get_curve (self, i)->visible = visible;
  self->changed = TRUE;
}

gboolean
weir_plot_get_curve_visible (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->visible;
}

void
weir_plot_set_title (WeirPlot *self, const char *title)
{
  set_text (self, &self->title, title);
}

void
weir_plot_set_show_legend (WeirPlot *self, gboolean show)
{
  self->show_legend = show;
  self->changed = TRUE;
}

void
weir_plot_set_legend_at_cursor (WeirPlot *self, gboolean at_cursor)
{
  self->legend_at_cursor = at_cursor;
  self->changed = TRUE;
}

/* --- Ranges ---------------------------------------------------------------------------------- */

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
weir_plot_set_range (WeirPlot *self, WeirPlotAxis axis, double low, double high)
{
  set_pair (self, self->set[axis], low, high);
}

gboolean
weir_plot_is_range_fixed (WeirPlot *self, WeirPlotAxis axis)
{
  return self->set[axis][0] < self->set[axis][1];
}

void
weir_plot_get_range (WeirPlot *self, WeirPlotAxis axis, double *low, double *high)
{
  *low = self->shown[axis].low;
  *high = self->shown[axis].high;
}

const WeirAxis *
weir_plot_get_axis (WeirPlot *self, WeirPlotAxis axis)
{
  return &self->shown[axis];
}

void
weir_plot_set_log (WeirPlot *self, WeirPlotAxis axis, gboolean is_log)
{
  if (self->shown[axis].is_log == is_log)
    return;
  self->shown[axis] = is_log ? (WeirAxis) { 0.1, 1, TRUE } : (WeirAxis) { 0, 1, FALSE };
  self->changed = TRUE;
}

gboolean
weir_plot_is_log (WeirPlot *self, WeirPlotAxis axis)
{
  return self->shown[axis].is_log;
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

/* FALSE: it follows what there is. */
static gboolean
take_set_range (WeirPlot *self, WeirPlotAxis axis)
{
  WeirAxis *shown = &self->shown[axis];

  if (!weir_plot_is_range_fixed (self, axis) || (shown->is_log && self->set[axis][0] <= 0))
    return FALSE;
  shown->low = self->set[axis][0];
  shown->high = self->set[axis][1];
  return TRUE;
}

/* @least: the smallest value above 0 that is worth showing; not finite: there is none. */
static WeirSpan
make_logarithmic (WeirSpan span, double least)
{
  if (!(span.high > 0))
    return (WeirSpan) { 0.1, 1 };
  if (!isfinite (least))
    least = span.high / 1000;
  return (WeirSpan) { MAX (MAX (span.low, least), span.high * 1e-12), span.high };
}

/* Of the samples that can be seen. */
static double
get_newest_time (WeirPlot *self, double newest)
{
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      if (curve->visible && curve->n_rows > 0)
        newest = MAX (newest, weir_curve_get_time (curve, curve->n_rows - 1));
    }
  return newest;
}

/* The first time above 0. */
static double
get_least_time (WeirPlot *self)
{
  double least = (double) INFINITY;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];
      gsize row = weir_curve_find_row (curve, nextafter (0, 1), 0);

      if (curve->visible && row < curve->n_rows)
        least = MIN (least, weir_curve_get_time (curve, row));
    }
  return least;
}

static void
follow_time (WeirPlot *self)
{
  WeirSpan span = WEIR_SPAN_EMPTY;

  if (take_set_range (self, WEIR_PLOT_TIME))
    return;
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      if (curve->visible && curve->n_rows > 0)
        {
          double first = weir_curve_get_time (curve, 0);
          double last = weir_curve_get_time (curve, curve->n_rows - 1);

          span = weir_span_union (span, (WeirSpan) { first, last });
        }
    }
  if (self->expected[0] < self->expected[1])
    span = weir_span_union (span, (WeirSpan) { self->expected[0], self->expected[1] });
  if (weir_span_is_empty (span))
    span = (WeirSpan) { 0, 1 };
  if (self->span > 0)
    {
      /* The window moves with the newest sample, not with the time that is yet to come. */
      span.high = MAX (get_newest_time (self, span.low), span.low + self->span);
      span.low = span.high - self->span;
    }
  if (self->shown[WEIR_PLOT_TIME].is_log)
    span = make_logarithmic (span, get_least_time (self));
  if (span.high <= span.low)
    span.high = span.low + 1;
  self->shown[WEIR_PLOT_TIME].low = span.low;
  self->shown[WEIR_PLOT_TIME].high = span.high;
}

#define N_BLOCKS 1024 /* of samples that are looked at for the smallest value above 0 */
#define BLOCK_ROWS 32 /* of a block that goes through 0 */

/* About the smallest value above 0 of rows [first, end): of a block that goes through 0 a few rows
 * stand for all, as there is no smallest one to be seen where a curve comes down to 0. */
static double
find_least_above_zero (const WeirCurve *curve, gsize first, gsize end)
{
  gsize size = MAX ((end - first) / N_BLOCKS, BLOCK_ROWS);
  double least = (double) INFINITY;

  for (; first < end; first += size)
    {
      gsize stop = MIN (first + size, end);
      WeirSpan span = weir_curve_get_span (curve, first, stop);

      if (weir_span_is_empty (span) || span.high <= 0 || span.low >= least)
        continue;
      if (span.low > 0)
        least = span.low;
      else
        for (gsize row = first; row < stop; row += MAX (size / BLOCK_ROWS, 1))
          {
            double value = weir_curve_get_value (curve, row);

            if (value > 0 && value < least)
              least = value;
          }
    }
  return least;
}

/* Of the curves of one axis; FALSE if none can be seen. */
static gboolean
find_values (WeirPlot *self, WeirPlotAxis axis, WeirSpan *all)
{
  WeirSpan span = WEIR_SPAN_EMPTY;
  double least = (double) INFINITY;
  gboolean any = FALSE;

  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];
      gsize first, end;

      if (!curve->visible || curve->axis != axis)
        continue;
      any = TRUE;
      if (curve->n_rows == 0)
        continue;
      /* One sample more on each side: the line to it can be seen. */
      first = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].low, 0);
      end = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].high, first);
      first -= first > 0;
      end = MIN (end + 1, curve->n_rows);
      span = weir_span_union (span, weir_curve_get_span (curve, first, end));
      if (self->shown[axis].is_log)
        least = MIN (least, find_least_above_zero (curve, first, end));
    }
  span = weir_span_union (span, weir_plot_get_bounds_span (self, axis));
  self->has_gaps[axis] = self->shown[axis].is_log && !weir_span_is_empty (span) && span.low <= 0;
  if (weir_span_is_empty (span))
    span = (WeirSpan) { 0, 1 };
  if (self->shown[axis].is_log)
    {
      span = make_logarithmic (span, least);
      weir_axis_round_out_log (&span.low, &span.high);
    }
  else
    weir_axis_round_out (&span.low, &span.high, 8);
  *all = span;
  return any;
}

static void
follow_values (WeirPlot *self)
{
  for (WeirPlotAxis axis = WEIR_PLOT_LEFT; axis < WEIR_N_PLOT_AXES; axis++)
    {
      WeirSpan span;

      self->has_axis[axis] = find_values (self, axis, &span) || axis == WEIR_PLOT_LEFT;
      if (take_set_range (self, axis))
        continue;
      self->shown[axis].low = span.low;
      self->shown[axis].high = span.high;
    }
}

gboolean
weir_plot_update (WeirPlot *self)
{
  gboolean changed = self->changed;

  for (guint i = 0; i < self->curves->len; i++)
    {
      WeirCurve *curve = self->curves->pdata[i];
      gsize n = curve->columns.get_n_rows (curve->data);

      if (n == curve->n_rows)
        continue;
      if (n < curve->n_rows) /* the run went back */
        {
          weir_pyramid_free (curve->pyramid);
          curve->pyramid = weir_pyramid_new ();
        }
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
weir_plot_set_curve_axis (WeirPlot *self, guint curve, WeirPlotAxis axis)
{
  for (guint i = 0; i < self->curves->len; i++)
    if (i == curve || get_curve (self, i)->earlier_of == curve)
      get_curve (self, i)->axis = axis;
  self->changed = TRUE;
}

WeirPlotAxis
weir_plot_get_curve_axis (WeirPlot *self, guint curve)
{
  return get_curve (self, curve)->axis;
}

gboolean
weir_plot_has_axis (WeirPlot *self, WeirPlotAxis axis)
{
  return axis <= WEIR_PLOT_LEFT || self->has_axis[axis];
}

/* --- Titles of axes -------------------------------------------------------------------------- */

void
weir_plot_set_axis_title (WeirPlot *self, WeirPlotAxis axis, const char *title)
{
  set_text (self, &self->axis_titles[axis], title != NULL && *title != '\0' ? title : NULL);
}

const char *
weir_plot_get_axis_title (WeirPlot *self, WeirPlotAxis axis)
{
  return self->axis_titles[axis];
}

char *
weir_plot_dup_axis_title (WeirPlot *self, WeirPlotAxis axis)
{
  const WeirCurve *first = NULL;
  gboolean is_alone = TRUE;

  if (self->axis_titles[axis] != NULL)
    return g_strdup (self->axis_titles[axis]);
  if (axis == WEIR_PLOT_TIME)
    return g_strdup (_ ("Time (s)"));
  for (guint i = 0; i < self->curves->len; i++)
    {
      const WeirCurve *curve = self->curves->pdata[i];

      if (!curve->visible || curve->axis != axis || weir_curve_is_earlier (curve))
        continue;
      if (curve->unit == NULL || (first != NULL && !g_str_equal (curve->unit, first->unit)))
        return NULL;
      is_alone = first == NULL;
      first = curve;
    }
  if (first == NULL)
    return NULL;
  return is_alone ? g_strdup_printf ("%s (%s)", first->name, first->unit) : g_strdup (first->unit);
}

const char *
weir_plot_get_gap_note (WeirPlot *self)
{
  for (guint i = 0; i < WEIR_N_PLOT_AXES; i++)
    if (self->has_gaps[i])
      return _ ("Values that are not above 0 have no place on a logarithmic axis.");
  return NULL;
}

gsize
weir_plot_get_n_vertices (WeirPlot *self)
{
  return self->n_vertices;
}

/* --- How and where a curve is drawn ---------------------------------------------------------- */

void
weir_curve_set_look (const WeirCurve *curve, cairo_t *cr, const WeirPalette *palette)
{
  static const double dashes[3][4] = { { 8, 4, 8, 4 }, { 2, 3, 2, 3 }, { 8, 3, 2, 3 } };
  static const double earlier[2] = { 4, 4 };

  weir_set_source (cr, palette->curves[curve->look % WEIR_N_CURVE_COLORS]);
  if (weir_curve_is_earlier (curve))
    cairo_set_dash (cr, earlier, 2, 0);
  else if (curve->look < WEIR_N_CURVE_COLORS)
    cairo_set_dash (cr, NULL, 0, 0);
  else /* beyond the number of colours, lines differ by dashes */
    cairo_set_dash (cr, dashes[(curve->look / WEIR_N_CURVE_COLORS - 1) % 3], 4, 0);
}

/* --- In words -------------------------------------------------------------------------------- */

static void
append_curve (WeirPlot *self, GString *text, guint i)
{
  const WeirCurve *curve = self->curves->pdata[i];
  const char *unit = weir_plot_get_curve_unit (self, i);
  gsize first = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].low, 0);
  gsize end = weir_curve_find_row (curve, self->shown[WEIR_PLOT_TIME].high, first);
  WeirSpan span;

  end = MIN (end + 1, curve->n_rows);
  if (first >= end)
    return;
  span = weir_curve_get_span (curve, first, end);
  if (weir_span_is_empty (span))
    return;
  g_string_append (text, ". ");
  /* Translators: a signal, its least and its greatest value, the last one, and its unit. */
  g_string_append_printf (text, _ ("%s from %.5g to %.5g, in the end %.5g%s%s"),
                          weir_plot_get_curve_name (self, i), span.low, span.high,
                          weir_curve_get_value (curve, end - 1), unit != NULL ? " " : "",
                          unit != NULL ? unit : "");
}

char *
weir_plot_dup_summary (WeirPlot *self)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _ ("Time from %.5g to %.5g s"), self->shown[WEIR_PLOT_TIME].low,
                          self->shown[WEIR_PLOT_TIME].high);
  for (guint i = 0; i < self->curves->len; i++)
    if (((const WeirCurve *) self->curves->pdata[i])->visible)
      append_curve (self, text, i);
  return g_string_free (text, FALSE);
}
