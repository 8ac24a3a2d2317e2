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
#define SURE 1e-9       /* of a step, beside the unknown alone: the square of this is rounding */
#define SHORTER 0.9     /* a step this much of the one before leads on, as towards a root of many */

#define N_BEFORE_ROUNDING 8 /* iterations after which it may be rounding that keeps steps large */
#define ROUNDING (16 * DBL_EPSILON)
#define FLOOR 1e-11   /* of a step, relative, where rounding keeps it from getting shorter */
#define SLOW 0.1      /* a step this much of the one before is no shorter */
#define ENOUGH 0.25   /* of what the tangent says of how much smaller residuals get */
#define SAME 1e-6     /* relative, of solutions */
#define NOTHING 1e-14 /* beside the largest */
#define BESIDE 1e-3   /* how far, beside an unknown and 1, a point is from one with no tangent */

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
  return weir_band_get_size (band) + 7 * (gsize) band->n + 5 * (gsize) n_exponents;
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

/* The natural logarithm to within a sixteenth, which does to judge where exponents matter: the same
 * bits everywhere, and no function of the mathematics library. */
static double
estimate_log (double x)
{
  const double ln_2 = 0.6931471805599453;
  guint64 bits;

  if (!(x > 0.0 && isfinite (x)))
    return x == 0.0 ? -(double) INFINITY : x;
  memcpy (&bits, &x, sizeof bits);
  return ln_2 * ((double) bits / (double) (G_GUINT64_CONSTANT (1) << 52) - 1023.0);
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
      double begins = estimate_log (largest / fabs (at[self->n_exponents + i]));

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
        share = fmin (share,
                      (bases[i] + estimate_log (1.0 + growth) - from[i]) / (to[i] - from[i]));
    }
  return share;
}

/* Is rounding all that is left? Steps that are short, and no more become shorter, say so. */
static gboolean
is_settled (double length, double last)
{
  return length <= FLOOR && length > SLOW * last;
}

/* A search under way: where it is, what is there, and the next step. */
typedef struct {
  const WeirNewton *newton;
  double *x, *jacobian, *r, *step, *trial, *next;
  double *bases, *exponents;
  double *last;          /* the step before */
  double before, length; /* of the residuals at x, of the step */
  double leap;           /* how long the next leap is */
  guint n_leaps;         /* that are left */
} Search;

static void
place_trial (const Search *self, double scale)
{
  for (gsize i = 0; i < self->newton->band.n; i++)
    self->trial[i] = self->x[i] + scale * self->step[i];
}

/* Makes the step that short that no exponential grows too large, and finds the residuals anew. */
static gboolean
limit_step (const Search *self)
{
  gsize n = self->newton->band.n;
  double share = limit (self->newton->n_exponents, self->exponents, self->bases, self->r + n);

  if (!(share < 1.0))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    self->step[i] *= share;
  place_trial (self, 1.0);
  self->newton->residual (self->newton->data, self->trial, self->r, NULL);
  return TRUE;
}

/* Puts into trial where to go on from: where the residuals are clearly smaller, or the next step
 * would be shorter; else where they are smaller at all. To be content with that at once would leap
 * to and fro over the zero of a root, where each whole step leads as far to the other side. FALSE:
 * nowhere along the step. */
static gboolean
follow_step (const Search *self)
{
  const WeirNewton *newton = self->newton;
  gsize n = newton->band.n;
  gboolean is_limited = FALSE;
  double scale = 1.0, smaller = 0.0;

  for (guint halvings = 0; halvings <= MAX_HALVINGS; halvings++, scale *= 0.5)
    {
      double after;

      place_trial (self, scale);
      newton->residual (newton->data, self->trial, self->r, NULL);
      if (halvings == 0)
        is_limited = limit_step (self);
      after = weir_all_finite (n, self->r) ? weir_vector_max_norm (n, self->r) : (double) INFINITY;
      if (after <= (1.0 - ENOUGH * scale) * self->before || (is_limited && isfinite (after)))
        return TRUE;
      if (after < self->before && smaller == 0.0)
        smaller = scale;
      if (scale < 1.0 || !isfinite (after))
        continue;
      /* Close to the solution rounding decides, and a full step does no harm. */
      if (after <= 1e-9 * (1.0 + self->before))
        return TRUE;
      memcpy (self->next, self->r, n * sizeof (double));
      if (is_natural (newton, self->x, self->step, self->next, self->r, self->jacobian))
        return TRUE;
    }
  place_trial (self, smaller);
  return smaller > 0.0;
}

/* Each leap is twice as long as the one before, and no shorter than the step. */
static gboolean
leap (Search *self)
{
  if (self->n_leaps == 0)
    return FALSE;
  self->n_leaps--;
  place_trial (self, fmax (1.0, self->leap / self->length));
  self->leap *= 2.0;
  return TRUE;
}

/* Beside 1 the step is nothing; is it so too beside unknowns that are small themselves, as currents
 * of 1e-12 A are beside volts? Where it is not, those go on as long as their steps get shorter. */
static gboolean
is_exact (const Search *self)
{
  for (gsize i = 0; i < self->newton->band.n; i++)
    {
      double size = fabs (self->step[i]);

      if (size > SURE * fabs (self->x[i] + self->step[i]) && size <= SHORTER * fabs (self->last[i]))
        return FALSE;
    }
  return TRUE;
}

/* What a Newton step is, and whether it ends the search: then @outcome. */
static gboolean
find_step (Search *self, guint n_steps_before, double last, WeirNewtonOutcome *outcome)
{
  const WeirNewton *newton = self->newton;
  const WeirBand *band = &newton->band;
  gsize n = band->n;
  gboolean is_near = last <= TOLERANCE, is_enough;

  newton->residual (newton->data, self->x, self->r, self->jacobian);
  memcpy (self->exponents, self->r + n, newton->n_exponents * sizeof (double));
  find_bases (newton, self->jacobian, self->r + n, self->bases);
  self->before = weir_vector_max_norm (n, self->r);
  *outcome = WEIR_NEWTON_NOT_FINITE;
  if (!weir_all_finite (n, self->r) || !weir_all_finite (weir_band_get_size (band), self->jacobian))
    return TRUE;
  *outcome = WEIR_NEWTON_CONVERGED;
  if ((self->before == 0.0 && !newton->is_linear)
      || ((is_near || n_steps_before >= N_BEFORE_ROUNDING)
          && is_rounding (band, self->jacobian, self->x, self->r)))
    return TRUE;
  memcpy (self->last, self->step, n * sizeof (double));
  for (gsize i = 0; i < n; i++)
    self->step[i] = -self->r[i];
  *outcome = WEIR_NEWTON_SINGULAR;
  if (!weir_band_solve (band, self->jacobian, self->step))
    return TRUE;
  self->length = get_length (n, self->x, self->step);
  is_enough = (self->length <= TOLERANCE || is_settled (self->length, last)) && is_exact (self);
  if (!newton->is_linear && !is_enough)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    self->x[i] += self->step[i];
  *outcome = weir_all_finite (n, self->x) ? WEIR_NEWTON_CONVERGED : WEIR_NEWTON_NOT_FINITE;
  return TRUE;
}

/* From x, which is moved to the solution, or to where it was given up. */
static WeirNewtonOutcome
search (Search *self)
{
  gsize n = self->newton->band.n;
  guint n_steps = weir_band_limit_steps (&self->newton->band, MAX_ITERATIONS);
  double last = INFINITY;

  for (gsize i = 0; i < n; i++)
    self->step[i] = INFINITY;
  for (guint k = 0; k < n_steps; k++, last = self->length)
    {
      WeirNewtonOutcome outcome;

      if (find_step (self, k, last, &outcome))
        return outcome;
      if (!follow_step (self))
        {
          if (self->length <= FLOOR)
            return WEIR_NEWTON_CONVERGED;
          if (!leap (self))
            return WEIR_NEWTON_STALLED;
          k = 0;
        }
      memcpy (self->x, self->trial, n * sizeof (double));
    }
  return last <= TOLERANCE ? WEIR_NEWTON_CONVERGED : WEIR_NEWTON_STALLED;
}

/* From beside the start, each unknown moved by another amount, @side 1 or -1. */
static gboolean
search_beside (Search *self, const double *start, double side)
{
  double share = 0.0;

  for (gsize i = 0; i < self->newton->band.n; i++)
    {
      share += 0.6180339887498949;
      share -= share >= 1.0 ? 1.0 : 0.0;
      self->x[i] = start[i] + side * BESIDE * (1.0 + share) * (1.0 + fabs (start[i]));
    }
  return search (self) == WEIR_NEWTON_CONVERGED;
}

static gboolean
are_same (gsize n, const double *x, const double *y)
{
  double nothing = NOTHING * weir_vector_max_norm (n, x);

  for (gsize i = 0; i < n; i++)
    if (!(fabs (x[i] - y[i]) <= SAME * fabs (x[i]) + nothing))
      return FALSE;
  return TRUE;
}

WeirNewtonOutcome
weir_newton_solve (const WeirNewton *self, double *x, double *work)
{
  gsize n = self->band.n, m = self->n_exponents, n_entries = weir_band_get_size (&self->band);
  double *r = work + n_entries, *step = r + n + 2 * m, *bases = step + 3 * n + m;
  double *start = bases + 2 * m + n, *below = start + n;
  Search from = { .newton = self,
                  .x = x,
                  .jacobian = work,
                  .r = r,
                  .step = step,
                  .trial = step + n,
                  .next = step + 2 * n,
                  .bases = bases,
                  .exponents = bases + m,
                  .last = bases + 2 * m,
                  .leap = 1.0,
                  .n_leaps = self->n_leaps };
  WeirNewtonOutcome outcome;

  if (n == 0)
    return WEIR_NEWTON_CONVERGED;
  memcpy (start, x, n * sizeof (double));
  outcome = search (&from);
  if (outcome != WEIR_NEWTON_SINGULAR || self->is_linear
      || memcmp (start, x, n * sizeof (double)) != 0)
    return outcome;
  /* Where the derivatives vanish at the start itself, as those of q |q| do at 0, they need not
   * beside it. What has a solution to either side, as y^2 = 1, leaves it to a guess. */
  if (search_beside (&from, start, -1.0))
    {
      memcpy (below, x, n * sizeof (double));
      if (search_beside (&from, start, 1.0) && are_same (n, x, below))
        return WEIR_NEWTON_CONVERGED;
    }
  memcpy (x, start, n * sizeof (double));
  return outcome;
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
