/* Statistics and influences over the points of a study. See summary.h. */
#include "study/summary.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/random.h"
#include "base/status.h"
#include "base/text.h"

#define MOST_RESAMPLES 1000
#define LEAST_RESAMPLES 200
#define RESAMPLED_NUMBERS 2e7 /* of a figure, in all: beyond, there are fewer resamples */
#define STREAM_RESAMPLE (1 << 25)

typedef struct {
  const WeirStudy *study;
  WeirStudySummary *summary;
  guint64 first, n;
  double *figures; /* by figure, then point: NAN where there is none */
  double *values;  /* by point, then parameter; where influences are asked for */
} Table;

static gboolean
take (const WeirPointResult *result, gpointer data)
{
  Table *table = data;
  guint64 at = result->i - table->first;

  table->summary->n_points++;
  if (result->status == WEIR_POINT_FAILED)
    table->summary->n_failed++;
  for (guint f = 0; f < table->summary->n_figures; f++)
    table->figures[f * table->n + at] = result->figures[f];
  if (table->values != NULL)
    memcpy (table->values + at * table->summary->n_parameters, result->values,
            table->summary->n_parameters * sizeof (double));
  return TRUE;
}

/* --- Statistics ------------------------------------------------------------------------------ */

static int
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

double
weir_study_get_quantile (const double *sorted, guint64 n, double part)
{
  double at = part * (double) (n - 1);
  guint64 below = (guint64) at, above = MIN (below + 1, n - 1);

  return sorted[below] + (at - (double) below) * (sorted[above] - sorted[below]);
}

double
weir_study_get_content (guint64 n, gboolean from_least)
{
  double count = (double) n, low = 0, high = 1;

  if (!from_least)
    return n > 0 ? pow (0.05, 1 / count) : 0;
  for (guint i = 0; i < 60 && n > 1; i++)
    {
      double p = (low + high) / 2;

      if (pow (p, count - 1) * (count - (count - 1) * p) < 0.05)
        low = p;
      else
        high = p;
    }
  return low;
}

static guint
count_resamples (double numbers)
{
  return (guint) CLAMP (RESAMPLED_NUMBERS / numbers, LEAST_RESAMPLES, MOST_RESAMPLES);
}

/* How often each of @n is drawn when @n are, with replacement: resample @r of figure @f. */
static void
draw (const WeirStudy *study, guint f, guint r, guint64 n, guint32 *times)
{
  memset (times, 0, n * sizeof *times);
  for (guint64 i = 0; i < n; i++)
    {
      double u = weir_random_uniform (study->seed, r * n + i, STREAM_RESAMPLE + f);

      times[MIN ((guint64) (u * (double) n), n - 1)]++;
    }
}

/* Sorts @values. */
static WeirInterval
get_interval (double *values, guint n)
{
  qsort (values, n, sizeof *values, compare);
  return (WeirInterval) { weir_study_get_quantile (values, n, 0.025),
                          weir_study_get_quantile (values, n, 0.975) };
}

/* The quantile of numbers of which each is there so many @times. */
static double
get_drawn_quantile (const double *sorted, const guint32 *times, guint64 n, double part)
{
  double at = part * (double) (n - 1), below = 0;
  guint64 place = (guint64) at, seen = 0;

  for (guint64 i = 0; i < n; i++)
    {
      if (seen <= place && seen + times[i] > place)
        below = sorted[i];
      if (seen + times[i] > place + 1 || i + 1 == n)
        return below + (at - (double) place) * (sorted[i] - below);
      seen += times[i];
    }
  return NAN;
}

static void
bootstrap (const WeirStudy *study, guint f, const double *sorted, WeirFigureSummary *s)
{
  static const double parts[] = { 0.05, 0.5, 0.95 };
  WeirInterval *ends[] = { &s->of_mean, &s->of_deviation, &s->of_p5, &s->of_median, &s->of_p95 };
  guint n_resamples = count_resamples ((double) s->n);
  g_autofree guint32 *times = g_new (guint32, s->n + 1);
  g_autofree double *found = g_new (double, G_N_ELEMENTS (ends) * n_resamples);

  for (guint r = 0; r < n_resamples; r++)
    {
      double mean = 0, squares = 0;

      draw (study, f, r, s->n, times);
      for (guint64 i = 0; i < s->n; i++)
        mean += times[i] * sorted[i];
      mean /= (double) s->n;
      for (guint64 i = 0; i < s->n; i++)
        squares += times[i] * (sorted[i] - mean) * (sorted[i] - mean);
      found[r] = mean;
      found[n_resamples + r] = sqrt (squares / (double) (s->n - 1));
      for (guint k = 0; k < G_N_ELEMENTS (parts); k++)
        found[(2 + k) * n_resamples + r] = get_drawn_quantile (sorted, times, s->n, parts[k]);
    }
  for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
    *ends[k] = get_interval (found + (gsize) k * n_resamples, n_resamples);
}

static void
summarize (const WeirStudy *study, guint f, const double *values, guint64 n, WeirFigureSummary *s)
{
  const WeirInterval none = { NAN, NAN };
  g_autofree double *sorted = g_new (double, n + 1);
  double sum = 0, squares = 0;

  *s = (WeirFigureSummary) { 0,   0,    NAN,  NAN,  NAN,  NAN,  NAN, NAN,
                             NAN, none, none, none, none, none, NAN, NAN };
  for (guint64 i = 0; i < n; i++)
    if (isfinite (values[i]))
      sorted[s->n++] = values[i];
  if (s->n == 0)
    return;
  qsort (sorted, s->n, sizeof (double), compare);
  for (guint64 i = 0; i < s->n; i++)
    sum += sorted[i];
  s->mean = sum / (double) s->n;
  for (guint64 i = 0; i < s->n; i++)
    squares += (sorted[i] - s->mean) * (sorted[i] - s->mean);
  s->deviation = s->n > 1 ? sqrt (squares / (double) (s->n - 1)) : 0;
  s->least = sorted[0];
  s->most = sorted[s->n - 1];
  s->p5 = weir_study_get_quantile (sorted, s->n, 0.05);
  s->median = weir_study_get_quantile (sorted, s->n, 0.5);
  s->p95 = weir_study_get_quantile (sorted, s->n, 0.95);
  if (study->method != WEIR_POINTS_RANDOM || s->n < 2)
    return;
  bootstrap (study, f, sorted, s);
  s->below_most = weir_study_get_content (s->n, FALSE);
  s->within = weir_study_get_content (s->n, TRUE);
}

/* --- Influences ------------------------------------------------------------------------------ */

/* A. Saltelli et al., "Variance based sensitivity analysis of model output", Comput. Phys. Commun.
 * 181 (2010), table 2, (b) and (f); deviations from the mean of both samples, which the estimator
 * of the first index needs. @times: how often each row counts. */
static void
estimate_indices (const double *y, const guint32 *times, guint64 n_rows, guint n, double *first,
                  double *total)
{
  double mean = 0, variance = 0, count = 0;

  memset (first, 0, n * sizeof *first);
  memset (total, 0, n * sizeof *total);
  for (guint64 r = 0; r < n_rows; r++)
    {
      const double *row = y + r * (n + 2);

      if (times[r] == 0)
        continue;
      mean += times[r] * (row[0] + row[1]);
      count += times[r];
    }
  mean /= 2 * count;
  for (guint64 r = 0; r < n_rows; r++)
    {
      const double *row = y + r * (n + 2);
      double a = row[0] - mean, b = row[1] - mean;

      if (times[r] == 0)
        continue;
      variance += times[r] * (a * a + b * b);
      for (guint k = 0; k < n; k++)
        {
          double mixed = row[2 + k] - mean;

          first[k] += times[r] * b * (mixed - a);
          total[k] += times[r] * (a - mixed) * (a - mixed);
        }
    }
  variance /= 2 * count;
  for (guint k = 0; k < n; k++)
    {
      first[k] = first[k] / count / variance;
      total[k] = total[k] / (2 * count) / variance;
    }
}

/* Of the rows that are whole, some more often than others. */
static void
bootstrap_indices (const WeirStudy *study, guint f, const double *y, const guint32 *whole,
                   guint64 n_rows, WeirInfluence *influences)
{
  guint n = study->parameters->len;
  guint n_resamples = count_resamples ((double) n_rows * (n + 2));
  g_autofree guint32 *times = g_new (guint32, n_rows + 1);
  g_autofree double *estimate = g_new (double, 2 * n);
  g_autofree double *found = g_new (double, (gsize) 2 * n * n_resamples);

  for (guint r = 0; r < n_resamples; r++)
    {
      draw (study, f, r, n_rows, times);
      for (guint64 i = 0; i < n_rows; i++)
        times[i] *= whole[i];
      estimate_indices (y, times, n_rows, n, estimate, estimate + n);
      for (guint k = 0; k < 2 * n; k++)
        found[(gsize) k * n_resamples + r] = estimate[k];
    }
  for (guint k = 0; k < n; k++)
    {
      influences[k].of_first = get_interval (found + (gsize) k * n_resamples, n_resamples);
      influences[k].of_total = get_interval (found + (gsize) (n + k) * n_resamples, n_resamples);
    }
}

/* Rows without all of their figures are left out. */
static void
calc_indices (const WeirStudy *study, guint f, const double *y, guint64 n_rows,
              WeirInfluence *influences)
{
  guint n = study->parameters->len;
  g_autofree double *first = g_new (double, n), *total = g_new (double, n);
  g_autofree guint32 *whole = g_new (guint32, n_rows + 1);

  for (guint64 r = 0; r < n_rows; r++)
    {
      whole[r] = 1;
      for (guint k = 0; k < n + 2; k++)
        whole[r] &= isfinite (y[r * (n + 2) + k]) != 0;
    }
  estimate_indices (y, whole, n_rows, n, first, total);
  for (guint k = 0; k < n; k++)
    {
      influences[k].first = first[k];
      influences[k].total = total[k];
    }
  bootstrap_indices (study, f, y, whole, n_rows, influences);
}

/* How far a step went, in parts of the parameter's range: of one without ends, of four deviations.
 */
static double
calc_scale (const WeirStudyParameter *p)
{
  if (isfinite (p->from) && isfinite (p->to))
    return p->to - p->from;
  return isfinite (p->deviation) ? 4 * p->deviation : 1;
}

/* Elementary effects: of the parameter that changed between two points of a walk. */
static void
calc_walks (const Table *table, const double *y, guint64 n_walks, WeirInfluence *influences)
{
  guint n = table->summary->n_parameters;
  g_autofree double *sum = g_new0 (double, n), *absolute = g_new0 (double, n);
  g_autofree double *squares = g_new0 (double, n);
  g_autofree guint64 *count = g_new0 (guint64, n);

  for (guint64 w = 0; w < n_walks; w++)
    for (guint s = 0; s < n; s++)
      {
        guint64 at = w * (n + 1) + s;
        const double *from = table->values + at * n, *to = from + n;

        for (guint k = 0; k < n; k++)
          {
            double part = (to[k] - from[k])
                          / calc_scale (weir_study_get_parameter (table->study, k));
            double effect = (y[at + 1] - y[at]) / part;

            if (part == 0 || !isfinite (effect))
              continue;
            sum[k] += effect;
            absolute[k] += fabs (effect);
            squares[k] += effect * effect;
            count[k]++;
          }
      }
  for (guint k = 0; k < n; k++)
    {
      double m = (double) count[k], mean = sum[k] / m;

      influences[k].mean = mean;
      influences[k].absolute_mean = absolute[k] / m;
      influences[k].deviation = count[k] > 1
                                    ? sqrt (fmax (squares[k] - m * mean * mean, 0) / (m - 1))
                                    : 0;
    }
}

static void
calc_derivatives (const Table *table, const double *y, WeirInfluence *influences)
{
  guint n = table->summary->n_parameters;

  for (guint k = 0; k < n; k++)
    {
      const double *below = table->values + (1 + 2 * k) * n + k, *above = below + n;

      influences[k].mean = (y[2 + 2 * k] - y[1 + 2 * k]) / (*above - *below);
    }
}

static void
calc_influences (const Table *table)
{
  WeirStudySummary *summary = table->summary;
  guint n = summary->n_parameters;

  for (guint f = 0; f < summary->n_figures; f++)
    {
      const double *y = table->figures + f * table->n;
      WeirInfluence *influences = summary->influences + (gsize) f * n;

      if (table->study->method == WEIR_POINTS_INDICES)
        calc_indices (table->study, f, y, table->n / (n + 2), influences);
      else if (table->study->method == WEIR_POINTS_MORRIS)
        calc_walks (table, y, table->n / (n + 1), influences);
      else
        calc_derivatives (table, y, influences);
    }
}

/* --- Summaries ------------------------------------------------------------------------------- */

static gboolean
has_influences (const WeirStudy *study, guint64 first, guint64 last)
{
  return (study->method == WEIR_POINTS_INDICES || study->method == WEIR_POINTS_MORRIS
          || study->method == WEIR_POINTS_LOCAL)
         && study->parameters->len > 0 && first == 0 && last + 1 == weir_study_get_n_points (study);
}

WeirStudySummary *
weir_study_summary_new (const WeirStudy *study, WeirStudyStore *store, guint64 first, guint64 last,
                        GError **error)
{
  WeirStudySummary *self = g_new0 (WeirStudySummary, 1);
  Table table = { .study = study, .summary = self, .first = first, .n = last + 1 - first };
  gsize columns;
  gboolean ok;

  self->n_figures = study->figures->len;
  self->n_parameters = study->parameters->len;
  self->figures = g_new0 (WeirFigureSummary, self->n_figures + 1);
  columns = self->n_figures + (has_influences (study, first, last) ? self->n_parameters : 0);
  if (!weir_budget_allows (weir_budget_multiply (table.n, columns), sizeof (double),
                           N_ ("A summary of all points"), N_ ("summarise fewer with --points"),
                           error))
    {
      weir_study_summary_free (self);
      return NULL;
    }
  table.figures = g_new (double, table.n * self->n_figures + 1);
  for (gsize i = 0; i < table.n * self->n_figures; i++)
    table.figures[i] = NAN;
  if (has_influences (study, first, last))
    {
      self->influences = g_new0 (WeirInfluence, (gsize) self->n_figures * self->n_parameters + 1);
      table.values = g_new0 (double, table.n * self->n_parameters + 1);
    }
  ok = weir_study_store_foreach (store, first, last, FALSE, take, &table, error);
  for (guint f = 0; ok && f < self->n_figures; f++)
    {
      summarize (study, f, table.figures + f * table.n, table.n, &self->figures[f]);
      self->figures[f].n_missing = self->n_points - self->figures[f].n;
    }
  if (ok && self->influences != NULL)
    calc_influences (&table);
  g_free (table.figures);
  g_free (table.values);
  if (!ok)
    g_clear_pointer (&self, weir_study_summary_free);
  return self;
}

void
weir_study_summary_free (WeirStudySummary *self)
{
  g_free (self->figures);
  g_free (self->influences);
  g_free (self);
}
