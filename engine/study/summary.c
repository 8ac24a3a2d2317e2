/* Statistics and influences over the points of a study. See summary.h. */
#include "study/summary.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/status.h"

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

static double
get_quantile (const double *sorted, guint64 n, double part)
{
  double at = part * (double) (n - 1);
  guint64 below = (guint64) at, above = MIN (below + 1, n - 1);

  return sorted[below] + (at - (double) below) * (sorted[above] - sorted[below]);
}

static void
summarize (const double *values, guint64 n, WeirFigureSummary *s)
{
  g_autofree double *sorted = g_new (double, n + 1);
  double sum = 0, squares = 0;

  *s = (WeirFigureSummary) { 0, 0, NAN, NAN, NAN, NAN, NAN, NAN, NAN };
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
  s->p5 = get_quantile (sorted, s->n, 0.05);
  s->median = get_quantile (sorted, s->n, 0.5);
  s->p95 = get_quantile (sorted, s->n, 0.95);
}

/* --- Influences ------------------------------------------------------------------------------ */

/* A. Saltelli et al., "Variance based sensitivity analysis of model output", Comput. Phys. Commun.
 * 181 (2010), table 2, (b) and (f); deviations from the mean of both samples, which the estimator
 * of the first index needs. Rows without all of their figures are left out. */
static void
calc_indices (const double *y, guint64 n_rows, guint n, WeirInfluence *influences)
{
  double mean = 0, variance = 0;
  guint64 n_whole = 0;
  g_autofree double *first = g_new0 (double, n), *total = g_new0 (double, n);
  g_autofree gboolean *is_whole = g_new0 (gboolean, n_rows + 1);

  for (guint64 r = 0; r < n_rows; r++)
    {
      const double *row = y + r * (n + 2);

      is_whole[r] = TRUE;
      for (guint k = 0; k < n + 2; k++)
        is_whole[r] &= isfinite (row[k]) != 0;
      if (!is_whole[r])
        continue;
      mean += row[0] + row[1];
      n_whole++;
    }
  mean /= 2 * (double) n_whole;
  for (guint64 r = 0; r < n_rows; r++)
    {
      const double *row = y + r * (n + 2);
      double a = row[0] - mean, b = row[1] - mean;

      if (!is_whole[r])
        continue;
      variance += a * a + b * b;
      for (guint k = 0; k < n; k++)
        {
          double mixed = row[2 + k] - mean;

          first[k] += b * (mixed - a);
          total[k] += (a - mixed) * (a - mixed);
        }
    }
  variance /= 2 * (double) n_whole;
  for (guint k = 0; k < n; k++)
    {
      influences[k].first = first[k] / (double) n_whole / variance;
      influences[k].total = total[k] / (2 * (double) n_whole) / variance;
    }
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
        calc_indices (y, table->n / (n + 2), n, influences);
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
                           "A summary of all points", "summarise fewer with --points", error))
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
      summarize (table.figures + f * table.n, table.n, &self->figures[f]);
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
