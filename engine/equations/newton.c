/* Dense elimination and Newton's method. See newton.h. */
#include "equations/newton.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define MAX_ITERATIONS 100
#define MAX_HALVINGS 30
#define TOLERANCE 1e-13 /* of a step, relative; the step after it is smaller by its square */

double
weir_dense_find_largest (const double *values, gsize n)
{
  double largest = 0.0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, fabs (values[i]));
  return largest;
}

gboolean
weir_dense_solve (double *a, double *b, guint n)
{
  double largest = weir_dense_find_largest (a, (gsize) n * n);

  for (guint k = 0; k < n; k++)
    {
      guint pivot = k;

      for (guint i = k + 1; i < n; i++)
        if (fabs (a[i * n + k]) > fabs (a[pivot * n + k]))
          pivot = i;
      /* What is left after cancelling terms of that size is rounding. */
      if (!(fabs (a[pivot * n + k]) > n * DBL_EPSILON * largest))
        return FALSE;
      if (pivot != k)
        {
          double swap = b[k];

          b[k] = b[pivot];
          b[pivot] = swap;
          for (guint j = k; j < n; j++)
            {
              swap = a[k * n + j];
              a[k * n + j] = a[pivot * n + j];
              a[pivot * n + j] = swap;
            }
        }
      for (guint i = k + 1; i < n; i++)
        {
          double factor = a[i * n + k] / a[k * n + k];

          if (factor == 0.0)
            continue;
          for (guint j = k + 1; j < n; j++)
            a[i * n + j] -= factor * a[k * n + j];
          b[i] -= factor * b[k];
        }
    }
  for (guint k = n; k-- > 0;)
    {
      for (guint j = k + 1; j < n; j++)
        b[k] -= a[k * n + j] * b[j];
      b[k] /= a[k * n + k];
    }
  return TRUE;
}

gsize
weir_newton_get_work_size (guint n)
{
  return (gsize) n * n + 3 * (gsize) n;
}

static double
norm (const double *values, guint n)
{
  double largest = 0.0;

  for (guint i = 0; i < n; i++)
    {
      if (isnan (values[i]))
        return NAN;
      largest = fmax (largest, fabs (values[i]));
    }
  return largest;
}

WeirNewtonOutcome
weir_newton_solve (WeirResidualFunc residual, gpointer data, guint n, double *x, gboolean is_linear,
                   double *work)
{
  double *jacobian = work, *r = work + (gsize) n * n, *step = r + n, *trial = step + n;

  for (guint k = 0; k < MAX_ITERATIONS; k++)
    {
      double before, scale = 1.0;
      gboolean is_small = TRUE;

      residual (data, x, r, jacobian);
      before = norm (r, n);
      if (!isfinite (before) || !isfinite (norm (jacobian, n * n)))
        return WEIR_NEWTON_NOT_FINITE;
      if (before == 0.0 && !is_linear)
        return WEIR_NEWTON_CONVERGED;
      for (guint i = 0; i < n; i++)
        step[i] = -r[i];
      if (!weir_dense_solve (jacobian, step, n))
        return WEIR_NEWTON_SINGULAR;
      for (guint i = 0; i < n; i++)
        is_small = is_small && fabs (step[i]) <= TOLERANCE * (fabs (x[i]) + 1.0);
      if (is_linear || is_small)
        {
          for (guint i = 0; i < n; i++)
            x[i] += step[i];
          return isfinite (norm (x, n)) ? WEIR_NEWTON_CONVERGED : WEIR_NEWTON_NOT_FINITE;
        }
      for (guint halvings = 0;; halvings++, scale *= 0.5)
        {
          double after;

          if (halvings > MAX_HALVINGS)
            return WEIR_NEWTON_STALLED;
          for (guint i = 0; i < n; i++)
            trial[i] = x[i] + scale * step[i];
          residual (data, trial, r, NULL);
          after = norm (r, n);
          /* Close to the solution rounding decides, and a full step does no harm. */
          if (after < before
              || (isfinite (after) && after <= 1e-9 * (1.0 + before) && scale == 1.0))
            break;
        }
      memcpy (x, trial, n * sizeof (double));
    }
  return WEIR_NEWTON_STALLED;
}

const char *
weir_newton_outcome_to_string (WeirNewtonOutcome outcome)
{
  switch (outcome)
    {
    case WEIR_NEWTON_SINGULAR:
      return "they are dependent there (singular)";
    case WEIR_NEWTON_STALLED:
      return "no step brings them closer";
    case WEIR_NEWTON_NOT_FINITE:
      return "they have no finite value there";
    case WEIR_NEWTON_CONVERGED:
    default:
      return "converged";
    }
}
