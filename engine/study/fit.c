/* Fitting parameters to measured data. See search.h.
 *
 * Starts go one after another; the points of a Jacobian side by side. Parameters are searched, and
 * their errors worked out, as themselves or as logarithms (study.h).
 */
#include "study/search-private.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/message.h"
#include "base/text.h"
#include "numerics/least-squares.h"

#define CONFIDENCE 0.975 /* of each side */
#define LEAST_SIZE 1e-3  /* of a range: what a parameter near 0 is to be taken for */
#define CLOSE 0.999      /* correlation of parameters that can hardly be told apart */
#define AT_BOUND 1e-6    /* of a range */

typedef struct {
  WeirSearch *search;
  const WeirMeasured *measured;
  guint n, m;
  guint start;
  WeirSearchStart *result;
  double *residuals; /* of the point that is read */
  gboolean has_value;
  double *lower, *upper, *sizes; /* as they are searched */
} Fit;

/* --- Residuals ------------------------------------------------------------------------------- */

static gboolean
take_signals (const WeirPointResult *result, gpointer data)
{
  Fit *fit = data;
  guint n_signals = fit->search->study->signals->len;
  g_autofree const double **columns = g_new (const double *, n_signals + 1);
  WeirRunRows rows;

  if (result->signals != NULL && result->status != WEIR_POINT_FAILED
      && weir_run_rows_from_bytes (&rows, g_bytes_get_data (result->signals, NULL),
                                   g_bytes_get_size (result->signals), columns, n_signals))
    fit->has_value = weir_measured_calc_residuals (fit->measured, &rows, fit->residuals);
  return FALSE;
}

static void
note_point (Fit *fit, guint64 point, const double *values, const double *residuals)
{
  WeirSearchStart *best = fit->result;
  double sum = 0;

  for (guint i = 0; i < fit->m; i++)
    sum += residuals[i] * residuals[i];
  if (best->point >= 0 && sum >= best->value)
    return;
  best->point = (gint64) point;
  best->value = sum;
  memcpy (best->values, values, fit->n * sizeof *values);
}

static gboolean
evaluate (gpointer data, guint n_points, const double *x, double *residuals, gboolean *has_value)
{
  Fit *fit = data;
  WeirSearch *search = fit->search;
  g_autofree WeirChosenPoint *points = g_new (WeirChosenPoint, n_points);
  g_autofree double *values = g_new (double, (gsize) n_points * fit->n);

  for (guint i = 0; i < n_points; i++)
    {
      points[i] = (WeirChosenPoint) { fit->start * search->study->n + fit->result->n_points++,
                                      values + (gsize) i * fit->n };
      for (guint k = 0; k < fit->n; k++)
        values[i * fit->n + k] = weir_study_parameter_from_search (
            weir_study_get_parameter (search->study, k), x[i * fit->n + k]);
    }
  if (!weir_search_run_points (search, points, n_points))
    return FALSE;
  for (guint i = 0; i < n_points; i++)
    {
      fit->has_value = FALSE;
      fit->residuals = residuals + (gsize) i * fit->m;
      if (!weir_study_store_foreach (search->store, points[i].i, points[i].i, TRUE, take_signals,
                                     fit, &search->error))
        return FALSE;
      has_value[i] = fit->has_value;
      if (fit->has_value)
        note_point (fit, points[i].i, points[i].values, fit->residuals);
    }
  return TRUE;
}

/* --- What the fit says ----------------------------------------------------------------------- */

static const char *
get_name (const Fit *fit, guint k)
{
  return weir_study_get_parameter (fit->search->study, k)->name;
}

static void G_GNUC_PRINTF (2, 3) warn (WeirStudySearch *search, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (search->warnings, weir_message_new_valist (format, args));
  va_end (args);
}

static gboolean
is_flat (const Fit *fit, const WeirLeastSquaresResult *found, guint k)
{
  for (guint i = 0; i < fit->m; i++)
    if (found->jacobian[(gsize) k * fit->m + i] != 0)
      return FALSE;
  return TRUE;
}

/* Parameters that no data can give, or only together with others. */
static void
warn_of_mixtures (const Fit *fit, const WeirLeastSquaresResult *found, const gboolean *tellable,
                  WeirStudySearch *search)
{
  g_autoptr (GString) mixed = g_string_new (NULL);
  guint n = 0;

  for (guint k = 0; k < fit->n; k++)
    if (!tellable[k] && is_flat (fit, found, k))
      warn (
          search,
          N_ ("%s cannot be told from these data: what is matched does not depend on it; leave it "
              "out, or measure something else"),
          get_name (fit, k));
    else if (!tellable[k])
      g_string_append_printf (mixed, "%s%s", n++ > 0 ? ", " : "", get_name (fit, k));
  if (n > 0)
    warn (search,
          N_ ("%s cannot be told apart by these data: changing them together changes nothing; fix "
              "one "
              "of them, or measure something else"),
          mixed->str);
}

static void
warn_of_close_ones (const Fit *fit, WeirStudySearch *search)
{
  for (guint a = 0; a < fit->n; a++)
    for (guint b = 0; b < a; b++)
      if (fabs (search->correlations[a * fit->n + b]) > CLOSE)
        warn (search,
              N_ ("%s and %s can hardly be told apart: their correlation is %.5f; fix one of them, "
                  "or "
                  "measure something else"),
              get_name (fit, b), get_name (fit, a), search->correlations[a * fit->n + b]);
}

static void
warn_of_bounds (const Fit *fit, const double *x, WeirStudySearch *search)
{
  for (guint k = 0; k < fit->n; k++)
    {
      double slack = AT_BOUND * (fit->upper[k] - fit->lower[k]);

      if (x[k] <= fit->lower[k] + slack || x[k] >= fit->upper[k] - slack)
        warn (search,
              N_ ("%s lies on the end of its range, %g, so that its error is not to be relied on; "
                  "widen the range"),
              get_name (fit, k),
              x[k] <= fit->lower[k] + slack ? weir_study_get_parameter (fit->search->study, k)->from
                                            : weir_study_get_parameter (fit->search->study, k)->to);
      else if (2 * search->fitted[k].error
               > weir_study_get_parameter (fit->search->study, k)->to
                     - weir_study_get_parameter (fit->search->study, k)->from)
        warn (search, N_ ("%s is hardly known from these data: its error is as large as its range"),
              get_name (fit, k));
    }
}

/* An interval of a logarithm is one of factors. */
static void
set_interval (const Fit *fit, guint k, double x, double error, double reach,
              WeirFittedParameter *fitted)
{
  const WeirStudyParameter *p = weir_study_get_parameter (fit->search->study, k);

  if (p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM)
    *fitted = (WeirFittedParameter) { error * exp (x), exp (x - reach * error),
                                      exp (x + reach * error) };
  else
    *fitted = (WeirFittedParameter) { error, x - reach * error, x + reach * error };
}

static void
describe (const Fit *fit, const WeirLeastSquaresResult *found, const double *x,
          WeirStudySearch *search)
{
  guint n = fit->n;
  g_autofree double *covariances = g_new (double, (gsize) n *n);
  g_autofree gboolean *tellable = g_new0 (gboolean, n);
  double degrees = fit->m - n, reach = weir_student_quantile (CONFIDENCE, degrees);

  search->n_residuals = fit->m;
  search->deviation = sqrt (found->sum / degrees);
  search->residuals = g_memdup2 (found->residuals, fit->m * sizeof (double));
  search->fitted = g_new0 (WeirFittedParameter, n);
  search->correlations = g_new0 (double, (gsize) n *n);
  weir_least_squares_get_covariances (found->jacobian, fit->m, n, covariances, tellable);
  for (guint a = 0; a < n; a++)
    {
      set_interval (fit, a, x[a], search->deviation * sqrt (covariances[a * n + a]), reach,
                    &search->fitted[a]);
      for (guint b = 0; b < n; b++)
        search->correlations[a * n + b] = covariances[a * n + b]
                                          / sqrt (covariances[a * n + a] * covariances[b * n + b]);
    }
  warn_of_mixtures (fit, found, tellable, search);
  warn_of_close_ones (fit, search);
  warn_of_bounds (fit, x, search);
}

/* --- Starts ---------------------------------------------------------------------------------- */

static const char *
get_outcome (WeirLeastSquaresOutcome outcome)
{
  switch (outcome)
    {
    case WEIR_LEAST_SQUARES_FOUND:
      return "found";
    case WEIR_LEAST_SQUARES_SPENT:
      return "spent";
    case WEIR_LEAST_SQUARES_NO_VALUE:
    case WEIR_LEAST_SQUARES_STOPPED:
    default:
      return "no-value";
    }
}

static void
set_ranges (Fit *fit)
{
  for (guint k = 0; k < fit->n; k++)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (fit->search->study, k);

      fit->lower[k] = weir_study_parameter_to_search (p, p->from);
      fit->upper[k] = weir_study_parameter_to_search (p, p->to);
      fit->sizes[k] = p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM
                          ? 1
                          : LEAST_SIZE * (p->to - p->from);
    }
}

/* @best, @best_x: of the start whose sum is least so far. FALSE: it was stopped. */
static gboolean
fit_from (Fit *fit, WeirLeastSquaresResult *best, double *best_x)
{
  const WeirStudy *study = fit->search->study;
  const WeirLeastSquares problem = {
    .n = fit->n,
    .m = fit->m,
    .evaluate = evaluate,
    .data = fit,
    .lower = fit->lower,
    .upper = fit->upper,
    .sizes = fit->sizes,
    .difference = study->step,
    .tolerance = study->tolerance,
    .most_points = study->n,
  };
  g_autofree double *x = g_new (double, fit->n);
  WeirLeastSquaresResult found;

  weir_study_get_point (study, fit->start * study->n, x);
  for (guint k = 0; k < fit->n; k++)
    x[k] = weir_study_parameter_to_search (weir_study_get_parameter (study, k), x[k]);
  weir_least_squares_solve (&problem, x, &found);
  fit->result->outcome = get_outcome (found.outcome);
  if (found.outcome != WEIR_LEAST_SQUARES_STOPPED && isfinite (found.sum)
      && !(found.sum >= best->sum))
    {
      WeirLeastSquaresResult kept = *best;

      *best = found;
      found = kept;
      memcpy (best_x, x, fit->n * sizeof *x);
    }
  weir_least_squares_result_clear (&found);
  return found.outcome != WEIR_LEAST_SQUARES_STOPPED;
}

static gboolean
fit_all (Fit *fit, WeirStudySearch *search)
{
  WeirLeastSquaresResult best = { .sum = NAN };
  g_autofree double *x = g_new (double, fit->n);
  gboolean ok = TRUE;

  for (fit->start = 0; ok && fit->start < search->n_starts; fit->start++)
    {
      fit->result = &search->starts[fit->start];
      ok = fit_from (fit, &best, x);
    }
  if (ok && isfinite (best.sum))
    describe (fit, &best, x, search);
  weir_least_squares_result_clear (&best);
  return ok;
}

gboolean
weir_search_fit (WeirSearch *self, WeirStudySearch *search)
{
  const WeirMeasured *measured = weir_study_subject_get_measured (self->subject);
  Fit fit = { .search = self,
              .measured = measured,
              .n = self->study->parameters->len,
              .m = weir_measured_get_size (measured) };
  gboolean ok;

  if (!weir_budget_allows (weir_budget_multiply (fit.m, 5 * fit.n + 4), sizeof (double),
                           N_ ("A fit to so many values"), N_ ("match fewer of them"),
                           &self->error))
    return FALSE;
  fit.lower = g_new (double, 3 * fit.n);
  fit.upper = fit.lower + fit.n;
  fit.sizes = fit.upper + fit.n;
  set_ranges (&fit);
  ok = fit_all (&fit, search);
  g_free (fit.lower);
  return ok;
}
