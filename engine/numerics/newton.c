/* Newton's method. See newton.h. */
#include "numerics/newton.h"
#include "base/text.h"
#include "base/phrase.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "numerics/vector.h"

#define MAX_ITERATIONS 100
#define MAX_HALVINGS 30
#define TOLERANCE 1e-13 /* of a step, relative; the step after it is smaller by its square */

#define N_BEFORE_ROUNDING 8 /* iterations after which it may be rounding that keeps steps large */
#define ROUNDING (16 * DBL_EPSILON)
#define FLOOR 1e-11 /* of a step, relative, where rounding keeps it from getting shorter */
#define SLOW 0.1    /* a step this much of the one before is no shorter */

/* Are the residuals no more than what rounding makes of their terms? Where a row is almost flat
 * (what blocks, leaks or creeps), no step then gets any smaller. */
static gboolean
is_rounding (const WeirBand *band, const double *jacobian, const double *x, const double *r)
{
  for (gsize i = 0; i < band->n; i++)
    {
      gsize low = i > band->lower ? i - band->lower : 0;
      gsize high = MIN ((gsize) band->n - 1, i + band->upper);
      double terms = 0.0;

      for (gsize j = low; j <= high; j++)
        terms += fabs (jacobian[weir_band_get_place (band, (guint) i, (guint) j)] * x[j]);
      if (!(fabs (r[i]) <= ROUNDING * terms))
        return FALSE;
    }
  return TRUE;
}

gsize
weir_newton_get_work_size (const WeirBand *band, guint n_exponents)
{
  return weir_band_get_size (band) + 4 * (gsize) band->n + 5 * (gsize) n_exponents;
}

static double
get_length (gsize n, const double *x, const double *step)
{
  double length = 0.0;

  for (gsize i = 0; i < n; i++)
    length = fmax (length, fabs (step[i]) / (fabs (x[i]) + 1.0));
  return length;
}

/* Would the step after the whole @step be clearly shorter, by the derivatives at @x? Residuals of
 * different kinds (volts, amperes) do not tell what is close; this does, whatever they are scaled
 * by. @next: the residuals there, which are lost. @r, @jacobian: lost. */
static gboolean
is_natural (const WeirNewton *self, const double *x, const double *step, double *next, double *r,
            double *jacobian)
{
  gsize n = self->band.n;

  self->residual (self->data, x, r, jacobian);
  return weir_band_solve (&self->band, jacobian, next) && weir_all_finite (n, next)
         && get_length (n, x, next) < 0.9 * get_length (n, x, step);
}

/* How large each exponent may become at once: as it is, and where it only begins to count. @at: the
 * exponents, then their weights. */
static void
find_bases (const WeirNewton *self, const double *jacobian, const double *at, double *bases)
{
  const WeirBand *band = &self->band;
  gsize width = weir_band_get_width (band);

  for (guint i = 0; i < self->n_exponents; i++)
    {
      double largest = weir_vector_max_norm (width, jacobian + self->exponent_rows[i] * width);
      double begins = log (largest / fabs (at[self->n_exponents + i]));

      bases[i] = isnan (begins) ? at[i] : fmax (at[i], begins);
    }
}

/* The part of a step from exponents @from to @to that lets no exponential become larger than its
 * tangent says at its base: exp (b) <= exp (a) (1 + b - a) (Nagel, SPICE2, 1975, of junctions). */
static double
limit (guint n, const double *from, const double *bases, const double *to)
{
  double share = 1.0;

  for (guint i = 0; i < n; i++)
    {
      double growth = to[i] - bases[i];

      if (growth > 1.0 && isfinite (growth))
        share = fmin (share, (bases[i] + log1p (growth) - from[i]) / (to[i] - from[i]));
    }
  return share;
}

/* Is rounding all that is left? Steps that are short, and no more become shorter, say so. */
static gboolean
is_settled (double length, double last)
{
  return length <= FLOOR && length > SLOW * last;
}

WeirNewtonOutcome
weir_newton_solve (const WeirNewton *self, double *x, double *work)
{
  const WeirBand *band = &self->band;
  gsize n = band->n, m = self->n_exponents, n_entries = weir_band_get_size (band);
  double *jacobian = work, *r = work + n_entries, *step = r + n + 2 * m, *trial = step + n,
         *next = trial + n, *bases = next + n + m, *exponents = bases + m;
  guint n_steps = weir_band_limit_steps (band, MAX_ITERATIONS), n_leaps = self->n_leaps;
  double last = INFINITY;

  for (guint k = 0; k < n_steps; k++)
    {
      double before, length, scale = 1.0;
      gboolean is_small = TRUE, is_limited = FALSE;

      self->residual (self->data, x, r, jacobian);
      memcpy (exponents, r + n, m * sizeof (double));
      find_bases (self, jacobian, r + n, bases);
      before = weir_vector_max_norm (n, r);
      if (!weir_all_finite (n, r) || !weir_all_finite (n_entries, jacobian))
        return WEIR_NEWTON_NOT_FINITE;
      if (before == 0.0 && !self->is_linear)
        return WEIR_NEWTON_CONVERGED;
      if (k >= N_BEFORE_ROUNDING && is_rounding (band, jacobian, x, r))
        return WEIR_NEWTON_CONVERGED;
      for (gsize i = 0; i < n; i++)
        step[i] = -r[i];
      if (!weir_band_solve (band, jacobian, step))
        return WEIR_NEWTON_SINGULAR;
      for (gsize i = 0; i < n; i++)
        is_small = is_small && fabs (step[i]) <= TOLERANCE * (fabs (x[i]) + 1.0);
      length = get_length (n, x, step);
      if (self->is_linear || is_small || is_settled (length, last))
        {
          for (gsize i = 0; i < n; i++)
            x[i] += step[i];
          return weir_all_finite (n, x) ? WEIR_NEWTON_CONVERGED : WEIR_NEWTON_NOT_FINITE;
        }
      last = length;
      for (guint halvings = 0;; halvings++, scale *= 0.5)
        {
          double after, share;

          if (halvings > MAX_HALVINGS && length <= FLOOR)
            return WEIR_NEWTON_CONVERGED;
          if (halvings > MAX_HALVINGS && n_leaps == 0)
            return WEIR_NEWTON_STALLED;
          if (halvings > MAX_HALVINGS)
            scale = fmax (1.0, ldexp (1.0, (int) (self->n_leaps - n_leaps)) / length);
          for (gsize i = 0; i < n; i++)
            trial[i] = x[i] + scale * step[i];
          if (halvings > MAX_HALVINGS)
            {
              n_leaps--;
              k = 0;
              break;
            }
          self->residual (self->data, trial, r, NULL);
          share = halvings == 0 && !is_limited ? limit ((guint) m, exponents, bases, r + n) : 1.0;
          if (share < 1.0)
            {
              is_limited = TRUE;
              for (gsize i = 0; i < n; i++)
                {
                  step[i] *= share;
                  trial[i] = x[i] + step[i];
                }
              self->residual (self->data, trial, r, NULL);
            }
          after = weir_all_finite (n, r) ? weir_vector_max_norm (n, r) : (double) INFINITY;
          /* Close to the solution rounding decides, and a full step does no harm. */
          if (after < before || (is_limited && isfinite (after))
              || (isfinite (after) && after <= 1e-9 * (1.0 + before) && scale == 1.0))
            break;
          if (scale == 1.0 && isfinite (after))
            {
              memcpy (next, r, n * sizeof (double));
              if (is_natural (self, x, step, next, r, jacobian))
                break;
            }
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
