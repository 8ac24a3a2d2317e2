/* Newton's method. See newton.h. */
#include "numerics/newton.h"
#include "base/text.h"
#include "base/phrase.h"

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "numerics/vector.h"

#define MAX_ITERATIONS 100
#define MAX_HALVINGS 30
#define TOLERANCE 1e-13 /* of a step, relative; the step after it is smaller by its square */

gsize
weir_newton_get_work_size (const WeirBand *band)
{
  return weir_band_get_size (band) + 3 * (gsize) band->n;
}

WeirNewtonOutcome
weir_newton_solve (WeirResidualFunc residual, gpointer data, const WeirBand *band, double *x,
                   gboolean is_linear, double *work)
{
  gsize n = band->n, n_entries = weir_band_get_size (band);
  double *jacobian = work, *r = work + n_entries, *step = r + n, *trial = step + n;
  guint n_steps = weir_band_limit_steps (band, MAX_ITERATIONS);

  for (guint k = 0; k < n_steps; k++)
    {
      double before, scale = 1.0;
      gboolean is_small = TRUE;

      residual (data, x, r, jacobian);
      before = weir_vector_max_norm (n, r);
      if (!weir_all_finite (n, r) || !weir_all_finite (n_entries, jacobian))
        return WEIR_NEWTON_NOT_FINITE;
      if (before == 0.0 && !is_linear)
        return WEIR_NEWTON_CONVERGED;
      for (gsize i = 0; i < n; i++)
        step[i] = -r[i];
      if (!weir_band_solve (band, jacobian, step))
        return WEIR_NEWTON_SINGULAR;
      for (gsize i = 0; i < n; i++)
        is_small = is_small && fabs (step[i]) <= TOLERANCE * (fabs (x[i]) + 1.0);
      if (is_linear || is_small)
        {
          for (gsize i = 0; i < n; i++)
            x[i] += step[i];
          return weir_all_finite (n, x) ? WEIR_NEWTON_CONVERGED : WEIR_NEWTON_NOT_FINITE;
        }
      for (guint halvings = 0;; halvings++, scale *= 0.5)
        {
          double after;

          if (halvings > MAX_HALVINGS)
            return WEIR_NEWTON_STALLED;
          for (gsize i = 0; i < n; i++)
            trial[i] = x[i] + scale * step[i];
          residual (data, trial, r, NULL);
          after = weir_all_finite (n, r) ? weir_vector_max_norm (n, r) : (double) INFINITY;
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
      return weir_phrase (N_ ("they are dependent there (singular)"));
    case WEIR_NEWTON_STALLED:
      return weir_phrase (N_ ("no step brings them closer"));
    case WEIR_NEWTON_NOT_FINITE:
      return weir_phrase (N_ ("they have no finite value there"));
    case WEIR_NEWTON_CONVERGED:
    default:
      return weir_phrase (N_ ("converged"));
    }
}
