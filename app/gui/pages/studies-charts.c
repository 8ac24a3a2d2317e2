/* Pictures of what came of a study, and what they show in words, for those who do not see them or
 * want the numbers. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"

#define MOST_MARKS 5000 /* that are drawn; of more, every so-manieth */
#define MOST_BINS 50
#define N_TIMES 201 /* at which percentiles are taken */
#define N_CONTOURS 5
#define CONFIDENCE 1.959963984540054 /* deviations within which 95 of 100 lie */

static const char *const titles[] = {
  [WEIR_STUDY_HISTOGRAM] = N_ ("Histogram"),
  [WEIR_STUDY_OVER_TIME] = N_ ("Over Time"),
  [WEIR_STUDY_PERCENTILES] = N_ ("Percentiles over Time"),
  [WEIR_STUDY_SENSITIVITY] = N_ ("Sensitivity"),
  [WEIR_STUDY_CONVERGENCE] = N_ ("Convergence of the Mean"),
  [WEIR_STUDY_MAP] = N_ ("Map over Two Parameters"),
  [WEIR_STUDY_FRONT] = N_ ("Figure against Figure"),
  [WEIR_STUDY_CLOUD] = N_ ("Over a Parameter"),
};

const char *
weir_study_view_get_title (WeirStudyView view)
{
  return _ (titles[view]);
}

gboolean
weir_study_view_is_of (WeirStudyView view, const WeirStudy *study)
{
  switch (view)
    {
    case WEIR_STUDY_OVER_TIME:
    case WEIR_STUDY_PERCENTILES:
      return study->signals->len > 0;
    case WEIR_STUDY_SENSITIVITY:
      return study->figures->len > 0 && study->parameters->len > 0 && !weir_study_is_search (study);
    case WEIR_STUDY_CONVERGENCE:
      return study->figures->len > 0
             && (study->method == WEIR_POINTS_RANDOM || study->method == WEIR_POINTS_SOBOL
                 || study->method == WEIR_POINTS_LATIN_HYPERCUBE);
    case WEIR_STUDY_MAP:
      return study->figures->len > 0 && study->parameters->len > 1;
    case WEIR_STUDY_FRONT:
      return study->figures->len > 1;
    case WEIR_STUDY_CLOUD:
      return study->figures->len > 0 && study->parameters->len > 0;
    case WEIR_STUDY_HISTOGRAM:
    default:
      return study->figures->len > 0;
    }
}

/* --- Rows ------------------------------------------------------------------------------------ */

static const WeirStudy *
get_study (const WeirStudyPicture *self)
{
  return weir_study_job_get_study (self->job);
}

static guint
get_n (const WeirStudyPicture *self)
{
  return weir_study_job_get_n_rows (self->job);
}

static double
get_figure (const WeirStudyPicture *self, guint row, guint figure)
{
  return weir_study_job_get_row (self->job, row)->figures[figure];
}

static double
get_parameter (const WeirStudyPicture *self, guint row, guint parameter)
{
  return weir_study_job_get_row (self->job, row)->values[parameter];
}

static const char *
get_path (const WeirStudyPicture *self, guint parameter)
{
  return weir_study_get_parameter (get_study (self), parameter)->path;
}

static gboolean
is_chosen (const WeirStudyPicture *self, guint row)
{
  return self->chosen != NULL && self->chosen[row];
}

/* The signal that a figure is of, where it was kept; else the first. */
static guint
find_signal (const WeirStudyPicture *self)
{
  const WeirStudy *study = get_study (self);
  const char *port = self->figure < study->figures->len
                         ? weir_study_get_figure (study, self->figure)->port
                         : NULL;

  for (guint i = 0; i < study->signals->len; i++)
    if (g_strcmp0 (weir_study_get_signal (study, i)->port, port) == 0)
      return i;
  return 0;
}

/* --- Words ----------------------------------------------------------------------------------- */

static char *
dup_number (double value)
{
  return isnan (value) ? g_strdup ("–") : weir_axis_format_value (value);
}

/* @format: with a %s for each of the numbers, which NAN does not end. */
static char *
say (const char *format, guint n, const double *numbers)
{
  GString *text = g_string_new (format);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *number = dup_number (numbers[i]);

      g_string_replace (text, "%s", number, 1);
    }
  return g_string_free (text, FALSE);
}

#define SAY(format, ...)                                                                           \
  say (format, sizeof ((double[]) { __VA_ARGS__ }) / sizeof (double), (double[]) { __VA_ARGS__ })

static char *
dup_point_text (guint64 point)
{
  g_autofree char *number = weir_cache_format_count (point);

  /* Translators: %s is the number of a point. */
  return g_strdup_printf (_ ("Point %s"), number);
}

/* --- One figure ------------------------------------------------------------------------------ */

static char *
say_statistics (const WeirStudyPicture *self)
{
  const WeirStudySummary *summary = weir_study_job_get_summary (self->job);
  const WeirFigureSummary *s;
  g_autofree char *text = NULL, *missing = NULL;

  if (summary == NULL)
    return g_strdup ("");
  s = &summary->figures[self->figure];
  /* Translators: statistics of a figure over all points of a study. */
  text = SAY (_ ("%s points: mean %s, standard deviation %s; 5 % below %s, half below %s, 95 % "
                 "below %s; least %s, most %s."),
              (double) s->n, s->mean, s->deviation, s->p5, s->median, s->p95, s->least, s->most);
  if (s->n_missing == 0)
    return g_steal_pointer (&text);
  missing = SAY (_ ("%s points do not have it."), (double) s->n_missing);
  return g_strconcat (text, " ", missing, NULL);
}

static char *
draw_histogram (const WeirStudyPicture *self, WeirChart *chart)
{
  guint n = get_n (self), n_bins, n_values = 0;
  double least = (double) INFINITY, most = -(double) INFINITY;
  double edges[MOST_BINS + 1], counts[MOST_BINS + 1] = { 0 }, lit[MOST_BINS] = { 0 };
  const char *title = self->figures[self->figure];

  for (guint i = 0; i < n; i++)
    {
      double value = get_figure (self, i, self->figure);

      if (!isfinite (value))
        continue;
      least = fmin (least, value);
      most = fmax (most, value);
      n_values++;
    }
  weir_chart_add_panel (chart, title, WEIR_CHART_LINEAR, _ ("Points"), WEIR_CHART_LINEAR, FALSE,
                        FALSE);
  if (n_values == 0)
    return say_statistics (self);
  n_bins = CLAMP ((guint) ceil (sqrt (n_values)), 1, MOST_BINS);
  if (!(most > least))
    most = least + (least != 0 ? fabs (least) * 1e-6 : 1);
  for (guint b = 0; b <= n_bins; b++)
    edges[b] = least + (most - least) * b / n_bins;
  for (guint i = 0; i < n; i++)
    {
      double value = get_figure (self, i, self->figure);
      guint bin;

      if (!isfinite (value))
        continue;
      bin = MIN ((guint) ((value - least) / (most - least) * n_bins), n_bins - 1);
      counts[bin]++;
      lit[bin] += is_chosen (self, i);
    }
  for (guint b = 0; b < n_bins; b++)
    if (lit[b] > 0)
      weir_chart_add_box (chart, 0, 1, (double) NAN, edges[b], edges[b + 1], 0, lit[b], NULL);
  weir_chart_set_range (chart, 0, (double) NAN, (double) NAN, 0, (double) NAN);
  counts[n_bins] = counts[n_bins - 1];
  weir_chart_add_curve (chart, 0, WEIR_CHART_STAIRS, 0, title, n_bins + 1, edges, counts);
  return say_statistics (self);
}

static char *
draw_cloud (const WeirStudyPicture *self, WeirChart *chart)
{
  guint n = get_n (self), every = 1 + n / MOST_MARKS;

  weir_chart_add_panel (chart, get_path (self, self->across), WEIR_CHART_LINEAR,
                        self->figures[self->figure], WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    {
      const WeirStudyRow *row = weir_study_job_get_row (self->job, i);
      g_autofree char *text = NULL;

      if (!isfinite (row->figures[self->figure]) || (i % every != 0 && !is_chosen (self, i)))
        continue;
      text = dup_point_text (row->i);
      weir_chart_add_mark (chart, 0, is_chosen (self, i) ? WEIR_CHART_SQUARE : WEIR_CHART_DOT,
                           is_chosen (self, i) ? 1 : 0, row->values[self->across],
                           row->figures[self->figure], text);
    }
  return say_statistics (self);
}

/* --- Over time ------------------------------------------------------------------------------- */

static gboolean
has_chosen (const WeirStudyPicture *self)
{
  for (guint i = 0; i < get_n (self); i++)
    if (is_chosen (self, i))
      return TRUE;
  return FALSE;
}

static void
draw_curve (const WeirStudyPicture *self, WeirChart *chart, guint row, WeirChartLook look,
            guint color)
{
  g_autofree char *text = dup_point_text (weir_study_job_get_row (self->job, row)->i);
  WeirStudyCurve curve;

  if (weir_study_job_get_curve (self->job, row, find_signal (self), &curve))
    weir_chart_add_curve (chart, 0, look, color, text, (guint) curve.n, curve.times, curve.values);
}

static void
add_time_panel (const WeirStudyPicture *self, WeirChart *chart)
{
  weir_chart_add_panel (chart, _ ("Time (s)"), WEIR_CHART_LINEAR,
                        weir_study_get_signal (get_study (self), find_signal (self))->port,
                        WEIR_CHART_LINEAR, FALSE, FALSE);
}

/* Those of all points, paler where some are chosen, which stand before them. */
static char *
draw_curves (const WeirStudyPicture *self, WeirChart *chart)
{
  gboolean pales = has_chosen (self);

  add_time_panel (self, chart);
  for (guint i = 0; i < get_n (self); i++)
    if (!is_chosen (self, i))
      draw_curve (self, chart, i, pales ? WEIR_CHART_FORMER : WEIR_CHART_LINE, 0);
  for (guint i = 0; i < get_n (self); i++)
    if (is_chosen (self, i))
      draw_curve (self, chart, i, WEIR_CHART_LINE, 1);
  return SAY (_ ("%s curves."), (double) weir_chart_get_n_curves (chart));
}

/* At the end, and where the runs lie furthest apart. */
static char *
say_percentiles (const WeirStudyBands *bands, guint n_curves)
{
  guint last = bands->n - 1, widest = 0;
  double width = -1;

  for (guint k = 0; k < bands->n; k++)
    if (bands->levels[4][k] - bands->levels[0][k] > width)
      {
        width = bands->levels[4][k] - bands->levels[0][k];
        widest = k;
      }
  /* Translators: the first is how many runs there are. */
  return SAY (
      _ ("%s runs. At the end, at %s s, 5 % of them are below %s, half below %s, 95 % below "
         "%s. Furthest apart they are at %s s: from %s to %s."),
      (double) n_curves, bands->times[last], bands->levels[0][last], bands->levels[2][last],
      bands->levels[4][last], bands->times[widest], bands->levels[0][widest],
      bands->levels[4][widest]);
}

static char *
draw_percentiles (const WeirStudyPicture *self, WeirChart *chart)
{
  static const double opacities[] = { 0.16, 0.30 };
  guint n = get_n (self), n_curves = 0, signal = find_signal (self);
  g_autofree WeirStudyCurve *curves = g_new (WeirStudyCurve, n + 1);
  g_autoptr (WeirStudyBands) bands = NULL;

  add_time_panel (self, chart);
  for (guint i = 0; i < n; i++)
    n_curves += weir_study_job_get_curve (self->job, i, signal, &curves[n_curves]);
  bands = weir_study_bands_new (
      n_curves, curves,
      weir_study_subject_is_signal_held (weir_study_job_get_subject (self->job), signal), N_TIMES);
  if (bands->n == 0)
    return g_strdup (_ ("No curves were kept."));
  for (guint b = 0; b < 2; b++)
    weir_chart_add_area (chart, 0, 0, opacities[b], bands->n, bands->times, bands->levels[b],
                         bands->levels[WEIR_N_BANDS - 1 - b]);
  weir_chart_add_curve (chart, 0, WEIR_CHART_DASHED, 0, _ ("5 %"), bands->n, bands->times,
                        bands->levels[0]);
  weir_chart_add_curve (chart, 0, WEIR_CHART_DASHED, 0, _ ("95 %"), bands->n, bands->times,
                        bands->levels[4]);
  weir_chart_add_curve (chart, 0, WEIR_CHART_LINE, 0, _ ("Median"), bands->n, bands->times,
                        bands->levels[2]);
  for (guint i = 0; i < n; i++)
    if (is_chosen (self, i))
      draw_curve (self, chart, i, WEIR_CHART_LINE, 1);
  return say_percentiles (bands, n_curves);
}

/* --- Sensitivity ----------------------------------------------------------------------------- */

static WeirEffect *
calc_effects (const WeirStudyPicture *self, double *middle)
{
  const WeirStudy *study = get_study (self);
  guint n = get_n (self);
  g_autofree guint64 *numbers = g_new (guint64, n + 1);
  g_autofree const double **values = g_new (const double *, n + 1);
  g_autofree const double **figures = g_new (const double *, n + 1);
  const WeirStudyTable table = { n, numbers, values, figures };
  WeirEffect *effects = g_new (WeirEffect, study->parameters->len + 1);

  for (guint i = 0; i < n; i++)
    {
      const WeirStudyRow *row = weir_study_job_get_row (self->job, i);

      numbers[i] = row->i;
      values[i] = row->values;
      figures[i] = row->figures;
    }
  weir_study_calc_effects (study, &table, weir_study_job_get_summary (self->job), self->figure,
                           middle, effects);
  return effects;
}

static const char *
get_effect_title (WeirEffectKind kind)
{
  switch (kind)
    {
    case WEIR_EFFECT_MORRIS:
      return _ ("Mean absolute effect");
    case WEIR_EFFECT_INDEX:
      return _ ("Part of the variance: alone, and with others");
    case WEIR_EFFECT_RANK:
      return _ ("Rank correlation");
    case WEIR_EFFECT_SWING:
    default:
      return NULL;
    }
}

/* "Spring.gain: -0.93" */
static char *
say_effect (const WeirStudyPicture *self, WeirEffectKind kind, const WeirEffect *effect)
{
  g_autofree char *numbers = NULL;

  if (isnan (effect->high))
    numbers = g_strdup (_ ("cannot be told"));
  else if (kind == WEIR_EFFECT_SWING)
    numbers = SAY (_ ("from %s to %s"), effect->low, effect->high);
  else if (kind == WEIR_EFFECT_INDEX)
    numbers = SAY (_ ("%s alone, %s with others"), effect->low, effect->high);
  else
    numbers = dup_number (effect->high);
  return g_strdup_printf ("%s: %s", get_path (self, effect->parameter), numbers);
}

/* A swing is a bar about the figure at the middle, anything else one from nought; of Sobol's
 * indices the total is the whole bar and the first a darker one within. */
static void
draw_effect (WeirChart *chart, WeirEffectKind kind, const WeirEffect *effect, double middle,
             double y, const char *text)
{
  if (isnan (effect->high))
    return;
  if (kind == WEIR_EFFECT_SWING)
    {
      double from = isfinite (middle) ? middle : effect->low;

      weir_chart_add_box (chart, 0, 0, (double) NAN, effect->low, from, y - 0.35, y + 0.35, text);
      weir_chart_add_box (chart, 0, 1, (double) NAN, from, effect->high, y - 0.35, y + 0.35, text);
      return;
    }
  weir_chart_add_box (chart, 0, kind == WEIR_EFFECT_RANK && effect->high < 0 ? 1 : 0,
                      kind == WEIR_EFFECT_INDEX ? 0.4 : (double) NAN, fmin (0, effect->high),
                      fmax (0, effect->high), y - 0.35, y + 0.35, text);
  if (kind == WEIR_EFFECT_INDEX)
    weir_chart_add_box (chart, 0, 0, (double) NAN, fmin (0, effect->low), fmax (0, effect->low),
                        y - 0.2, y + 0.2, NULL);
}

#define MOST_EFFECTS 20

static char *
draw_sensitivity (const WeirStudyPicture *self, WeirChart *chart)
{
  WeirEffectKind kind = weir_study_get_effect_kind (get_study (self));
  guint n = MIN (get_study (self)->parameters->len, MOST_EFFECTS);
  double middle = NAN;
  g_autofree WeirEffect *effects = calc_effects (self, &middle);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  const char *title = get_effect_title (kind);
  GString *words = g_string_new (title != NULL ? title : self->figures[self->figure]);

  weir_chart_add_panel (chart, words->str, WEIR_CHART_LINEAR, self->figures[self->figure],
                        WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint k = 0; k < n; k++)
    {
      g_autofree char *text = say_effect (self, kind, &effects[k]);

      names[n - 1 - k] = get_path (self, effects[k].parameter);
      draw_effect (chart, kind, &effects[k], middle, n - 1 - k, text);
      g_string_append_printf (words, "\n%s", text);
    }
  weir_chart_set_names (chart, 0, names);
  weir_chart_set_range (chart, 0, (double) NAN, (double) NAN, -0.6, n - 0.4);
  if (kind == WEIR_EFFECT_RANK)
    weir_chart_set_range (chart, 0, -1, 1, -0.6, n - 0.4);
  return g_string_free (words, FALSE);
}

/* --- Convergence ----------------------------------------------------------------------------- */

/* The mean of the first points, with the interval in which it lies in 95 of 100 cases if points are
 * independent. */
static char *
draw_convergence (const WeirStudyPicture *self, WeirChart *chart)
{
  guint n = get_n (self), n_values = 0;
  g_autofree double *counts = g_new (double, n + 1), *means = g_new (double, n + 1);
  g_autofree double *low = g_new (double, n + 1), *high = g_new (double, n + 1);
  double mean = 0, squares = 0;

  weir_chart_add_panel (chart, _ ("Points"), WEIR_CHART_LINEAR, self->figures[self->figure],
                        WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    {
      double value = get_figure (self, i, self->figure), before = mean, half;

      if (!isfinite (value))
        continue;
      mean += (value - mean) / (n_values + 1);
      squares += (value - before) * (value - mean);
      half = n_values > 0 ? CONFIDENCE * sqrt (squares / n_values / (n_values + 1)) : (double) NAN;
      counts[n_values] = n_values + 1;
      means[n_values] = mean;
      low[n_values] = mean - half;
      high[n_values++] = mean + half;
    }
  if (n_values < 2)
    return g_strdup (_ ("Two points at least are needed."));
  weir_chart_add_area (chart, 0, 0, 0.25, n_values, counts, low, high);
  weir_chart_add_curve (chart, 0, WEIR_CHART_LINE, 0, _ ("Mean"), n_values, counts, means);
  return SAY (
      _ ("The mean of %s points is %s; with independent points the true one lies between %s "
         "and %s in 95 of 100 cases."),
      (double) n_values, mean, low[n_values - 1], high[n_values - 1]);
}

/* --- Map ------------------------------------------------------------------------------------- */

static WeirStudyMap *
make_map (const WeirStudyPicture *self)
{
  guint n = get_n (self);
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);
  g_autofree double *z = g_new (double, n + 1);

  for (guint i = 0; i < n; i++)
    {
      x[i] = get_parameter (self, i, self->across);
      y[i] = get_parameter (self, i, self->up);
      z[i] = get_figure (self, i, self->figure);
    }
  return weir_study_map_new (n, x, y, z);
}

static char *
say_cell (const WeirStudyMap *map, guint cell)
{
  /* Translators: the mean of a figure, and the values of the two parameters there. */
  return SAY (_ ("%s at %s, %s"), map->means[cell], map->x_middle[cell % map->n_x],
              map->y_middle[cell / map->n_x]);
}

static void
draw_contours (const WeirStudyMap *map, WeirChart *chart)
{
  for (guint c = 0; c < N_CONTOURS && map->most > map->least; c++)
    {
      g_autoptr (GArray) x = g_array_new (FALSE, FALSE, sizeof (double));
      g_autoptr (GArray) y = g_array_new (FALSE, FALSE, sizeof (double));
      double level = map->least + (map->most - map->least) * (c + 1) / (N_CONTOURS + 1);

      weir_study_map_trace (map, level, x, y);
      if (x->len > 0)
        weir_chart_add_curve (chart, 0, WEIR_CHART_GUIDE, 0, NULL, x->len,
                              (const double *) (gconstpointer) x->data,
                              (const double *) (gconstpointer) y->data);
    }
}

static char *
draw_map (const WeirStudyPicture *self, WeirChart *chart)
{
  g_autoptr (WeirStudyMap) map = make_map (self);
  double range = map->most - map->least;
  guint least = G_MAXUINT, most = G_MAXUINT, n_cells = 0;
  g_autofree char *lowest = NULL, *highest = NULL;

  weir_chart_add_panel (chart, get_path (self, self->across), WEIR_CHART_LINEAR,
                        get_path (self, self->up), WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint c = 0; c < map->n_x * map->n_y; c++)
    {
      guint i = c % map->n_x, j = c / map->n_x;
      g_autofree char *text = NULL;

      if (!isfinite (map->means[c]))
        continue;
      n_cells++;
      text = say_cell (map, c);
      weir_chart_add_box (chart, 0, 0, range > 0 ? (map->means[c] - map->least) / range : 0.5,
                          map->x[i], map->x[i + 1], map->y[j], map->y[j + 1], text);
      if (least == G_MAXUINT || map->means[c] < map->means[least])
        least = c;
      if (most == G_MAXUINT || map->means[c] > map->means[most])
        most = c;
    }
  if (n_cells == 0)
    return g_strdup (_ ("No point has the figure."));
  weir_chart_set_range (chart, 0, map->x[0], map->x[map->n_x], map->y[0], map->y[map->n_y]);
  weir_chart_set_scale (chart, 0, map->least, map->most);
  draw_contours (map, chart);
  for (guint i = 0; i < get_n (self); i++)
    if (is_chosen (self, i))
      weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 1, get_parameter (self, i, self->across),
                           get_parameter (self, i, self->up), NULL);
  lowest = say_cell (map, least);
  highest = say_cell (map, most);
  /* Translators: of a map; each is a value and where it is. */
  return g_strdup_printf (_ ("Least %s; most %s."), lowest, highest);
}

/* --- Figure against figure ------------------------------------------------------------------- */

/* 1: the least is the best. */
static double
get_factor (const WeirStudy *study, guint figure)
{
  return study->objective.figure != NULL && study->objective.place == figure
                 && study->objective.is_largest
             ? -1
             : 1;
}

static char *
draw_front (const WeirStudyPicture *self, WeirChart *chart)
{
  guint n = get_n (self), every = 1 + n / MOST_MARKS, n_front;
  g_autofree double *a = g_new (double, n + 1), *b = g_new (double, n + 1);
  g_autofree gboolean *is_front = g_new (gboolean, n + 1);

  for (guint i = 0; i < n; i++)
    {
      a[i] = get_figure (self, i, self->figure);
      b[i] = get_figure (self, i, self->up);
    }
  n_front = weir_study_find_front (n, a, get_factor (get_study (self), self->figure), b,
                                   get_factor (get_study (self), self->up), is_front);
  weir_chart_add_panel (chart, self->figures[self->figure], WEIR_CHART_LINEAR,
                        self->figures[self->up], WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = NULL;

      if (!isfinite (a[i]) || !isfinite (b[i])
          || (i % every != 0 && !is_front[i] && !is_chosen (self, i)))
        continue;
      text = dup_point_text (weir_study_job_get_row (self->job, i)->i);
      weir_chart_add_mark (chart, 0,
                           is_chosen (self, i) ? WEIR_CHART_SQUARE
                           : is_front[i]       ? WEIR_CHART_DOT
                                               : WEIR_CHART_RING,
                           is_chosen (self, i) ? 1
                           : is_front[i]       ? 2
                                               : 0,
                           a[i], b[i], text);
    }
  return SAY (
      _ ("Of %s points %s are on the front: filled; no other is as good in both figures and "
         "better in one, if little is good."),
      (double) n, (double) n_front);
}

char *
weir_study_picture_draw (const WeirStudyPicture *self, WeirChart *chart)
{
  switch (self->view)
    {
    case WEIR_STUDY_OVER_TIME:
      return draw_curves (self, chart);
    case WEIR_STUDY_PERCENTILES:
      return draw_percentiles (self, chart);
    case WEIR_STUDY_SENSITIVITY:
      return draw_sensitivity (self, chart);
    case WEIR_STUDY_CONVERGENCE:
      return draw_convergence (self, chart);
    case WEIR_STUDY_MAP:
      return draw_map (self, chart);
    case WEIR_STUDY_FRONT:
      return draw_front (self, chart);
    case WEIR_STUDY_CLOUD:
      return draw_cloud (self, chart);
    case WEIR_STUDY_HISTOGRAM:
    default:
      return draw_histogram (self, chart);
    }
}
