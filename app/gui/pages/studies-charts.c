/* Pictures of what came of a study, and what they show in words, for those who do not see them or
 * want the numbers. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "cache/cache-figures.h"
#include "gui/pages/studies-page-private.h"
#include "paint/plots/axis.h"

#define SAY WEIR_STUDY_SAY
#define COUNT WEIR_STUDY_COUNT
#define MOST_MARKS 5000 /* that are drawn; of more, every so-manieth */
#define N_TIMES 201     /* at which percentiles are taken */
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
  [WEIR_STUDY_MATRIX] = N_ ("Scatter Matrix"),
  [WEIR_STUDY_PARALLEL] = N_ ("Parallel Coordinates"),
  [WEIR_STUDY_CLOUD] = N_ ("Over a Parameter"),
  [WEIR_STUDY_FITTED] = N_ ("Measured and Fitted"),
  [WEIR_STUDY_RESIDUALS] = N_ ("Residuals"),
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
    case WEIR_STUDY_MATRIX:
    case WEIR_STUDY_PARALLEL:
      return study->figures->len + study->parameters->len > 1;
    case WEIR_STUDY_CLOUD:
      return study->figures->len > 0 && study->parameters->len > 0;
    case WEIR_STUDY_FITTED:
    case WEIR_STUDY_RESIDUALS:
      return study->method == WEIR_POINTS_FIT;
    case WEIR_STUDY_HISTOGRAM:
    case WEIR_N_STUDY_VIEWS:
    default:
      return study->figures->len > 0;
    }
}

/* --- Rows ------------------------------------------------------------------------------------ */

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

static guint
get_figure_column (const WeirStudyPicture *self, guint figure)
{
  return weir_study_picture_get_study (self)->parameters->len + figure;
}

static const char *
get_path (const WeirStudyPicture *self, guint parameter)
{
  return weir_study_get_parameter (weir_study_picture_get_study (self), parameter)->path;
}

/* The signal that a figure is of, where it was kept; else the first. */
static guint
find_signal (const WeirStudyPicture *self)
{
  const WeirStudy *study = weir_study_picture_get_study (self);
  const char *port = self->figure < study->figures->len
                         ? weir_study_get_figure (study, self->figure)->port
                         : NULL;

  for (guint i = 0; i < study->signals->len; i++)
    if (g_strcmp0 (weir_study_get_signal (study, i)->port, port) == 0)
      return i;
  return 0;
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
  text = COUNT (1,
                _ ("%s points: mean %s, standard deviation %s; 5 % below %s, half below %s, 95 % "
                   "below %s; least %s, most %s."),
                (double) s->n, s->mean, s->deviation, s->p5, s->median, s->p95, s->least, s->most);
  if (s->n_missing == 0)
    return g_steal_pointer (&text);
  missing = COUNT (1, _ ("%s points do not have it."), (double) s->n_missing);
  return g_strconcat (text, " ", missing, NULL);
}

#define PALE 0.15 /* of a bar, so that what is lit up stands out */

static char *
draw_histogram (const WeirStudyPicture *self, WeirChart *chart)
{
  const char *title = self->figures[self->figure];
  double counts[WEIR_STUDY_MOST_BINS + 1];
  WeirStudyBins bins;

  weir_study_picture_count (self, get_figure_column (self, self->figure), WEIR_STUDY_MOST_BINS,
                            &bins);
  weir_chart_add_panel (chart, title, WEIR_CHART_LINEAR, _ ("Points"), WEIR_CHART_LINEAR, FALSE,
                        FALSE);
  if (bins.n == 0)
    return say_statistics (self);
  for (guint b = 0; b < bins.n; b++)
    {
      g_autofree char *text = weir_study_bins_say (&bins, b);

      counts[b] = bins.counts[b];
      weir_chart_add_box (chart, 0, 0, PALE, bins.edges[b], bins.edges[b + 1], 0, bins.counts[b],
                          text);
      if (bins.lit[b] > 0)
        weir_chart_add_box (chart, 0, 1, (double) NAN, bins.edges[b], bins.edges[b + 1], 0,
                            bins.lit[b], NULL);
    }
  weir_chart_set_range (chart, 0, (double) NAN, (double) NAN, 0, (double) NAN);
  counts[bins.n] = counts[bins.n - 1];
  weir_chart_add_curve (chart, 0, WEIR_CHART_STAIRS, 0, title, bins.n + 1, bins.edges, counts);
  return say_statistics (self);
}

static char *
draw_cloud (const WeirStudyPicture *self, WeirChart *chart)
{
  const guint columns[] = { self->across, get_figure_column (self, self->figure) };
  guint n;
  g_autofree guint *rows = weir_study_picture_dup_rows (self, MOST_MARKS, &n);

  weir_chart_add_panel (chart, get_path (self, self->across), WEIR_CHART_LINEAR,
                        self->figures[self->figure], WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint k = 0; k < n; k++)
    {
      gboolean is_chosen = weir_study_picture_is_chosen (self, rows[k]);
      double x = get_parameter (self, rows[k], self->across);
      double y = get_figure (self, rows[k], self->figure);
      g_autofree char *text = NULL;

      if (!isfinite (x) || !isfinite (y))
        continue;
      text = weir_study_picture_say_point (self, rows[k], 2, columns);
      weir_chart_add_mark (chart, 0, is_chosen ? WEIR_CHART_SQUARE : WEIR_CHART_DOT,
                           is_chosen ? 1 : 0, x, y, text);
    }
  return say_statistics (self);
}

/* --- Over time ------------------------------------------------------------------------------- */

static void
draw_curve (const WeirStudyPicture *self, WeirChart *chart, guint row, WeirChartLook look,
            guint color)
{
  g_autofree char *text = weir_study_say_number (weir_study_job_get_row (self->job, row)->i);
  WeirStudyCurve curve;

  if (weir_study_job_get_curve (self->job, row, find_signal (self), &curve))
    weir_chart_add_curve (chart, 0, look, color, text, (guint) curve.n, curve.times, curve.values);
}

static void
add_time_panel (const WeirStudyPicture *self, WeirChart *chart)
{
  weir_chart_add_panel (
      chart, _ ("Time (s)"), WEIR_CHART_LINEAR,
      weir_study_get_signal (weir_study_picture_get_study (self), find_signal (self))->port,
      WEIR_CHART_LINEAR, FALSE, FALSE);
}

/* Those of all points, paler where some are chosen, which stand before them, or where many are. */
static char *
draw_curves (const WeirStudyPicture *self, WeirChart *chart)
{
  gboolean pales = weir_study_picture_has_chosen (self)
                   || weir_study_picture_get_n (self) > WEIR_STUDY_MOST_SOLID;

  add_time_panel (self, chart);
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (!weir_study_picture_is_chosen (self, i))
      draw_curve (self, chart, i, pales ? WEIR_CHART_PALE : WEIR_CHART_LINE, 0);
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (weir_study_picture_is_chosen (self, i))
      draw_curve (self, chart, i, WEIR_CHART_LINE, 1);
  return COUNT (1, _ ("%s curves."), (double) weir_chart_get_n_curves (chart));
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
  return COUNT (
      1,
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
  guint n = weir_study_picture_get_n (self), n_curves = 0, signal = find_signal (self);
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
    if (weir_study_picture_is_chosen (self, i))
      draw_curve (self, chart, i, WEIR_CHART_LINE, 1);
  return say_percentiles (bands, n_curves);
}

/* --- Sensitivity ----------------------------------------------------------------------------- */

/* The row of point 0, from which others differ where parameters vary alone; 0: it is not there. */
static guint
find_middle (const WeirStudyPicture *self)
{
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (weir_study_job_get_row (self->job, i)->i == 0)
      return i;
  return 0;
}

/* @only_lit: of the points that are. That of the middle is the first. */
static WeirEffect *
calc_effects (const WeirStudyPicture *self, gboolean only_lit, double *middle)
{
  const WeirStudy *study = weir_study_picture_get_study (self);
  guint n = weir_study_picture_get_n (self), first = find_middle (self);
  g_autofree guint64 *numbers = g_new (guint64, n + 1);
  g_autofree const double **values = g_new (const double *, n + 1);
  g_autofree const double **figures = g_new (const double *, n + 1);
  WeirStudyTable table = { 0, numbers, values, figures };
  WeirEffect *effects = g_new (WeirEffect, study->parameters->len + 1);

  for (guint k = 0; k < n; k++)
    {
      guint i = k == 0 ? first : k == first ? 0 : k;
      const WeirStudyRow *row = weir_study_job_get_row (self->job, i);

      if (only_lit && !weir_study_picture_is_chosen (self, i))
        continue;
      numbers[table.n] = row->i;
      values[table.n] = row->values;
      figures[table.n++] = row->figures;
    }
  weir_study_calc_effects (study, &table, weir_study_job_get_summary (self->job), self->figure,
                           middle, effects);
  return effects;
}

/* Does the parameter alone vary in this run? */
static gboolean
is_swing (const WeirStudyPicture *self, guint row, guint middle, guint parameter)
{
  for (guint k = 0; k < weir_study_picture_get_study (self)->parameters->len; k++)
    if (k != parameter && get_parameter (self, row, k) != get_parameter (self, middle, k))
      return FALSE;
  return TRUE;
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
    numbers = weir_study_say_value (effect->high);
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

/* Of the runs that are lit up: where a parameter varies alone, each; of rank correlations what they
 * are among them. */
static void
light_effects (const WeirStudyPicture *self, WeirChart *chart, WeirEffectKind kind,
               const WeirEffect *effects, guint n)
{
  guint first = find_middle (self);
  double middle;
  g_autofree WeirEffect *lit = kind == WEIR_EFFECT_RANK ? calc_effects (self, TRUE, &middle) : NULL;

  for (guint k = 0; k < n; k++)
    for (guint i = 0; kind == WEIR_EFFECT_SWING && i < weir_study_picture_get_n (self); i++)
      if (weir_study_picture_is_chosen (self, i) && is_swing (self, i, first, effects[k].parameter)
          && isfinite (get_figure (self, i, self->figure)))
        {
          g_autofree char *text = weir_study_say_number (weir_study_job_get_row (self->job, i)->i);

          weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 1, get_figure (self, i, self->figure),
                               n - 1 - k, text);
        }
  for (guint j = 0; lit != NULL && j < weir_study_picture_get_study (self)->parameters->len; j++)
    for (guint k = 0; k < n; k++)
      if (lit[j].parameter == effects[k].parameter && isfinite (lit[j].high))
        {
          g_autofree char *numbers = say_effect (self, kind, &lit[j]);
          /* Translators: %s is a parameter and a number. */
          g_autofree char *text = g_strdup_printf (_ ("Of those lit up: %s"), numbers);

          weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 2, lit[j].high, n - 1 - k, text);
        }
}

#define MOST_EFFECTS 20

static char *
draw_sensitivity (const WeirStudyPicture *self, WeirChart *chart)
{
  WeirEffectKind kind = weir_study_get_effect_kind (weir_study_picture_get_study (self));
  guint n = MIN (weir_study_picture_get_study (self)->parameters->len, MOST_EFFECTS);
  double middle = NAN;
  g_autofree WeirEffect *effects = calc_effects (self, FALSE, &middle);
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
  light_effects (self, chart, kind, effects, n);
  weir_chart_set_names (chart, 0, 1, names);
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
  guint n = weir_study_picture_get_n (self), n_values = 0;
  g_autofree double *counts = g_new (double, n + 1), *means = g_new (double, n + 1);
  g_autofree double *low = g_new (double, n + 1), *high = g_new (double, n + 1);
  guint every_lit = 1 + weir_study_picture_count_chosen (self) / MOST_MARKS, n_lit = 0, n_seen = 0;
  double mean = 0, squares = 0;
  char *words;

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
      if (weir_study_picture_is_chosen (self, i) && n_lit++ % every_lit == 0)
        weir_chart_add_mark (chart, 0, WEIR_CHART_SQUARE, 1, n_values + 1, mean, NULL);
      counts[n_values] = n_values + 1;
      means[n_values] = mean;
      low[n_values] = mean - half;
      high[n_values++] = mean + half;
    }
  if (n_values < 2)
    return g_strdup (_ ("Two points at least are needed."));
  words = COUNT (
      1,
      _ ("The mean of %s points is %s; with independent points the true one lies between "
         "%s and %s in 95 of 100 cases."),
      (double) n_values, mean, low[n_values - 1], high[n_values - 1]);
  /* The last is always among those that are drawn. */
  for (guint k = (n_values - 1) % (1 + n_values / MOST_MARKS); k < n_values;
       k += 1 + n_values / MOST_MARKS)
    {
      counts[n_seen] = counts[k];
      means[n_seen] = means[k];
      low[n_seen] = low[k];
      high[n_seen++] = high[k];
    }
  weir_chart_add_area (chart, 0, 0, 0.25, n_seen, counts, low, high);
  weir_chart_add_curve (chart, 0, WEIR_CHART_LINE, 0, _ ("Mean"), n_seen, counts, means);
  return words;
}

/* --- Map ------------------------------------------------------------------------------------- */

static WeirStudyMap *
make_map (const WeirStudyPicture *self)
{
  guint n = weir_study_picture_get_n (self);
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
      g_autofree char *name = g_strdup_printf ("%.3g", level);

      weir_study_map_trace (map, level, x, y);
      if (x->len > 0)
        weir_chart_add_curve (chart, 0, WEIR_CHART_CONTOUR, 0, name, x->len,
                              (const double *) (gconstpointer) x->data,
                              (const double *) (gconstpointer) y->data);
    }
}

static char *
draw_map (const WeirStudyPicture *self, WeirChart *chart)
{
  g_autoptr (WeirStudyMap) map = make_map (self);
  double range = map->most - map->least;
  guint least = G_MAXUINT, most = G_MAXUINT, n_cells = 0, every_lit, n_lit = 0;
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
  every_lit = 1 + weir_study_picture_count_chosen (self) / MOST_MARKS;
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (weir_study_picture_is_chosen (self, i) && n_lit++ % every_lit == 0)
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
  const guint columns[] = { get_figure_column (self, self->figure),
                            get_figure_column (self, self->up) };
  guint n = weir_study_picture_get_n (self), every = 1 + n / MOST_MARKS, n_front;
  guint every_lit = 1 + weir_study_picture_count_chosen (self) / MOST_MARKS, n_lit = 0;
  guint every_front, n_of_front = 0;
  g_autofree double *a = g_new (double, n + 1), *b = g_new (double, n + 1);
  g_autofree gboolean *is_front = g_new (gboolean, n + 1);

  for (guint i = 0; i < n; i++)
    {
      a[i] = get_figure (self, i, self->figure);
      b[i] = get_figure (self, i, self->up);
    }
  n_front = weir_study_find_front (
      n, a, get_factor (weir_study_picture_get_study (self), self->figure), b,
      get_factor (weir_study_picture_get_study (self), self->up), is_front);
  every_front = 1 + n_front / MOST_MARKS;
  weir_chart_add_panel (chart, self->figures[self->figure], WEIR_CHART_LINEAR,
                        self->figures[self->up], WEIR_CHART_LINEAR, FALSE, FALSE);
  for (guint i = 0; i < n; i++)
    {
      gboolean is_drawn = i % every == 0;
      g_autofree char *text = NULL;

      if (is_front[i])
        is_drawn = n_of_front++ % every_front == 0;
      if (weir_study_picture_is_chosen (self, i))
        is_drawn = n_lit++ % every_lit == 0;
      if (!isfinite (a[i]) || !isfinite (b[i]) || !is_drawn)
        continue;
      text = weir_study_picture_say_point (self, i, 2, columns);
      weir_chart_add_mark (chart, 0,
                           weir_study_picture_is_chosen (self, i) ? WEIR_CHART_SQUARE
                           : is_front[i]                          ? WEIR_CHART_DOT
                                                                  : WEIR_CHART_RING,
                           weir_study_picture_is_chosen (self, i) ? 1
                           : is_front[i]                          ? 2
                                                                  : 0,
                           a[i], b[i], text);
    }
  return COUNT (
      2,
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
    case WEIR_STUDY_MATRIX:
      return weir_study_draw_matrix (self, chart);
    case WEIR_STUDY_PARALLEL:
      return weir_study_draw_parallel (self, chart);
    case WEIR_STUDY_CLOUD:
      return draw_cloud (self, chart);
    case WEIR_STUDY_FITTED:
      return weir_study_draw_fit (self, chart);
    case WEIR_STUDY_RESIDUALS:
      return weir_study_draw_residuals (self, chart);
    case WEIR_STUDY_HISTOGRAM:
    case WEIR_N_STUDY_VIEWS:
    default:
      return draw_histogram (self, chart);
    }
}

/* --- What is in a box ------------------------------------------------------------------------- */

static gboolean
is_between (double value, const double ends[2])
{
  return value >= ends[0] && value <= ends[1];
}

static void
find_pairs (const WeirStudyPicture *self, guint x, guint y, const WeirChartBox *box, gboolean *rows)
{
  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (is_between (weir_study_picture_get_number (self, i, x), box->ends[0])
        && is_between (weir_study_picture_get_number (self, i, y), box->ends[1]))
      rows[i] = TRUE;
}

static void
find_curves (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  guint signal = find_signal (self);
  WeirStudyCurve curve;

  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (weir_study_job_get_curve (self->job, i, signal, &curve)
        && weir_study_passes ((guint) curve.n, curve.times, curve.values, box->ends))
      rows[i] = TRUE;
}

/* Runs that a bar of one parameter is made of; other bars are of no single runs. */
static void
find_swings (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  guint n = MIN (weir_study_picture_get_study (self)->parameters->len, MOST_EFFECTS);
  guint first = find_middle (self);
  double middle = NAN;
  g_autofree WeirEffect *effects = NULL;

  if (weir_study_get_effect_kind (weir_study_picture_get_study (self)) != WEIR_EFFECT_SWING)
    return;
  effects = calc_effects (self, FALSE, &middle);
  for (guint k = 0; k < n; k++)
    for (guint i = 0; i < weir_study_picture_get_n (self); i++)
      if (n - 1 - k + 0.35 >= box->ends[1][0] && n - 1 - k - 0.35 <= box->ends[1][1]
          && is_swing (self, i, first, effects[k].parameter)
          && is_between (get_figure (self, i, self->figure), box->ends[0]))
        rows[i] = TRUE;
}

/* The mean was of so many points when this one came. */
static void
find_counted (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  guint n = 0;

  for (guint i = 0; i < weir_study_picture_get_n (self); i++)
    if (isfinite (get_figure (self, i, self->figure)) && is_between (++n, box->ends[0]))
      rows[i] = TRUE;
}

void
weir_study_picture_find (const WeirStudyPicture *self, const WeirChartBox *box, gboolean *rows)
{
  switch (self->view)
    {
    case WEIR_STUDY_OVER_TIME:
    case WEIR_STUDY_PERCENTILES:
      find_curves (self, box, rows);
      break;
    case WEIR_STUDY_SENSITIVITY:
      find_swings (self, box, rows);
      break;
    case WEIR_STUDY_CONVERGENCE:
      find_counted (self, box, rows);
      break;
    case WEIR_STUDY_MAP:
      find_pairs (self, self->across, self->up, box, rows);
      break;
    case WEIR_STUDY_FRONT:
      find_pairs (self, get_figure_column (self, self->figure), get_figure_column (self, self->up),
                  box, rows);
      break;
    case WEIR_STUDY_MATRIX:
      weir_study_find_in_matrix (self, box, rows);
      break;
    case WEIR_STUDY_PARALLEL:
      weir_study_find_in_parallel (self, box, rows);
      break;
    case WEIR_STUDY_CLOUD:
      find_pairs (self, self->across, get_figure_column (self, self->figure), box, rows);
      break;
    case WEIR_STUDY_HISTOGRAM:
    default:
      weir_study_picture_find_bins (self, get_figure_column (self, self->figure),
                                    WEIR_STUDY_MOST_BINS, box->ends[0], rows);
      break;
    }
}
