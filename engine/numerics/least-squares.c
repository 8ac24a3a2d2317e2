/* Levenberg's and Marquardt's method, and what the data say of the solution. See least-squares.h.
 */
#include "numerics/least-squares.h"

#include <math.h>
#include <string.h>

#include "numerics/qr.h"
#include "numerics/vector.h"

#define FIRST_MU 1e-3
#define LAST_MU 1e16
#define LEAST_GAIN 1e-10 /* of the sum of squares, for which a step is worth while */
/* Columns whose independent part is smaller than this share are one direction: differences of runs
 * are no more exact. */
#define RANK_SHARE 1e-5

typedef struct {
  const WeirLeastSquares *problem;
  WeirLeastSquaresResult *result;
  guint n, m;
  double *x, *tried, *tried_residuals;
  double *scale, *step;
  gboolean *is_held;
  double *points, *values; /* of the differences: 2 n * n, 2 n * m */
  gboolean *has_value;     /* 2 n */
  double *a, *b;           /* of the damped system: (m + n) * n, m + n */
} Search;

static double
get_size (const Search *s, guint k)
{
  return fmax (fabs (s->x[k]), s->problem->sizes[k]);
}

static gboolean
evaluate (Search *s, guint n_points, const double *x, double *residuals, gboolean *has_value)
{
  WeirLeastSquaresResult *result = s->result;

  if (result->n_points + n_points > s->problem->most_points)
    {
      result->outcome = WEIR_LEAST_SQUARES_SPENT;
      return FALSE;
    }
  result->n_points += n_points;
  if (!s->problem->evaluate (s->problem->data, n_points, x, residuals, has_value))
    {
      result->outcome = WEIR_LEAST_SQUARES_STOPPED;
      return FALSE;
    }
  for (guint i = 0; i < n_points; i++)
    has_value[i] = has_value[i]
                   && isfinite (weir_vector_dot (s->m, residuals + (gsize) i * s->m,
                                                 residuals + (gsize) i * s->m));
  return TRUE;
}

/* --- The Jacobian ---------------------------------------------------------------------------- */

static gboolean
calc_column (const Search *s, guint k)
{
  const double *below = s->values + (gsize) 2 * k * s->m, *above = below + s->m;
  double from = s->points[(gsize) 2 * k * s->n + k], to = s->points[(gsize) (2 * k + 1) * s->n + k];
  double *column = s->result->jacobian + (gsize) k * s->m, norm = 0;

  if (!s->has_value[2 * k])
    {
      below = s->result->residuals;
      from = s->x[k];
    }
  if (!s->has_value[2 * k + 1])
    {
      above = s->result->residuals;
      to = s->x[k];
    }
  if (!(to > from))
    return FALSE;
  for (guint i = 0; i < s->m; i++)
    {
      column[i] = (above[i] - below[i]) / (to - from);
      norm = hypot (norm, column[i]);
    }
  s->scale[k] = fmax (s->scale[k], norm);
  return isfinite (norm) != 0;
}

static gboolean
calc_jacobian (Search *s)
{
  for (guint k = 0; k < s->n; k++)
    {
      double *below = s->points + (gsize) 2 * k * s->n, *above = below + s->n;
      double h = s->problem->difference * get_size (s, k);

      memcpy (below, s->x, s->n * sizeof *below);
      memcpy (above, s->x, s->n * sizeof *above);
      below[k] = fmax (s->x[k] - h, s->problem->lower[k]);
      above[k] = fmin (s->x[k] + h, s->problem->upper[k]);
    }
  if (!evaluate (s, 2 * s->n, s->points, s->values, s->has_value))
    return FALSE;
  for (guint k = 0; k < s->n; k++)
    if (!calc_column (s, k))
      {
        s->result->outcome = WEIR_LEAST_SQUARES_NO_VALUE;
        return FALSE;
      }
  return TRUE;
}

/* --- Steps ----------------------------------------------------------------------------------- */

/* Those that are on a bound, beyond which the sum would go on shrinking. */
static void
hold_unknowns (Search *s)
{
  for (guint k = 0; k < s->n; k++)
    {
      const double *column = s->result->jacobian + (gsize) k * s->m;
      double slope = 0;

      for (guint i = 0; i < s->m; i++)
        slope += column[i] * s->result->residuals[i];
      s->is_held[k] = (s->x[k] <= s->problem->lower[k] && slope > 0)
                      || (s->x[k] >= s->problem->upper[k] && slope < 0);
    }
}

/* The least squares of (J; sqrt (mu) D) step = (-r; 0) over the unknowns that are not held. */
static gboolean
find_step (Search *s, double mu)
{
  WeirQr qr = { s->m + s->n, s->n, s->a, s->b, NULL };

  for (guint k = 0; k < s->n; k++)
    {
      double *column = s->a + (gsize) k * qr.rows;

      if (s->is_held[k])
        memset (column, 0, qr.rows * sizeof *column);
      else
        {
          memcpy (column, s->result->jacobian + (gsize) k * s->m, s->m * sizeof *column);
          memset (column + s->m, 0, s->n * sizeof *column);
        }
      /* A column of noughts is an unknown that nothing shows: it stays. */
      column[s->m + k] = s->is_held[k] || !(s->scale[k] > 0) ? 1 : sqrt (mu) * s->scale[k];
    }
  for (guint i = 0; i < s->m; i++)
    s->b[i] = -s->result->residuals[i];
  memset (s->b + s->m, 0, s->n * sizeof *s->b);
  return weir_qr_factorise (&qr, 0) == s->n && weir_qr_solve (&qr, s->n, s->step);
}

/* Makes the step one within the bounds. Returns by how much the linear model says that the sum
 * shrinks. @is_short: (out) whether it is below the tolerance. */
static double
take_bounds (Search *s, gboolean *is_short)
{
  double left = 0;

  *is_short = TRUE;
  for (guint k = 0; k < s->n; k++)
    {
      s->tried[k] = CLAMP (s->x[k] + s->step[k], s->problem->lower[k], s->problem->upper[k]);
      s->step[k] = s->tried[k] - s->x[k];
      if (fabs (s->step[k]) > s->problem->tolerance * get_size (s, k))
        *is_short = FALSE;
    }
  for (guint i = 0; i < s->m; i++)
    {
      double r = s->result->residuals[i];

      for (guint k = 0; k < s->n; k++)
        r += s->result->jacobian[(gsize) k * s->m + i] * s->step[k];
      left += r * r;
    }
  return s->result->sum - left;
}

typedef enum {
  STEP_GOES_ON,
  STEP_IS_LAST,
  STEP_IS_STOPPED,
} Step;

static Step
make_step (Search *s, double *mu)
{
  double growth = 2;

  hold_unknowns (s);
  for (; *mu < LAST_MU; *mu *= growth, growth *= 2)
    {
      gboolean is_short, has_value;
      double foretold, sum, ratio;

      if (!find_step (s, *mu))
        continue;
      foretold = take_bounds (s, &is_short);
      if (!(foretold > 0) && is_short)
        return STEP_IS_LAST;
      if (!evaluate (s, 1, s->tried, s->tried_residuals, &has_value))
        return STEP_IS_STOPPED;
      sum = has_value ? weir_vector_dot (s->m, s->tried_residuals, s->tried_residuals)
                      : (double) INFINITY;
      ratio = (s->result->sum - sum) / foretold;
      is_short |= foretold <= LEAST_GAIN * s->result->sum;
      if (sum < s->result->sum && (ratio > 1e-4 || is_short))
        {
          memcpy (s->x, s->tried, s->n * sizeof *s->x);
          memcpy (s->result->residuals, s->tried_residuals, s->m * sizeof *s->tried_residuals);
          s->result->sum = sum;
          *mu *= fmax (1.0 / 3, 1 - pow (2 * fmin (ratio, 1) - 1, 3));
          return is_short || sum == 0 ? STEP_IS_LAST : STEP_GOES_ON;
        }
      if (is_short)
        return STEP_IS_LAST;
    }
  return STEP_IS_LAST;
}

static void
search (Search *s)
{
  double mu = FIRST_MU;
  gboolean has_value;
  Step step;

  if (!evaluate (s, 1, s->x, s->result->residuals, &has_value))
    return;
  if (!has_value)
    {
      s->result->outcome = WEIR_LEAST_SQUARES_NO_VALUE;
      return;
    }
  s->result->sum = weir_vector_dot (s->m, s->result->residuals, s->result->residuals);
  do
    {
      if (!calc_jacobian (s))
        return;
      step = make_step (s, &mu);
    }
  while (step == STEP_GOES_ON);
  if (step == STEP_IS_LAST)
    s->result->outcome = WEIR_LEAST_SQUARES_FOUND;
}

void
weir_least_squares_solve (const WeirLeastSquares *self, double *x, WeirLeastSquaresResult *result)
{
  gsize n = self->n, m = self->m;
  Search s = { self, result, self->n, self->m, x };
  double *room = g_new0 (double, 3 * n + m + 2 * n * n + 2 * n * m + (m + n) * (n + 1));

  *result = (WeirLeastSquaresResult) { .sum = NAN };
  result->residuals = g_new0 (double, m);
  result->jacobian = g_new0 (double, m *n);
  s.tried = room;
  s.scale = s.tried + n;
  s.step = s.scale + n;
  s.tried_residuals = s.step + n;
  s.points = s.tried_residuals + m;
  s.values = s.points + 2 * n * n;
  s.a = s.values + 2 * n * m;
  s.b = s.a + (m + n) * n;
  s.is_held = g_new0 (gboolean, 3 * n);
  s.has_value = s.is_held + n;
  for (guint k = 0; k < self->n; k++)
    x[k] = CLAMP (x[k], self->lower[k], self->upper[k]);
  search (&s);
  g_free (s.is_held);
  g_free (room);
}

void
weir_least_squares_result_clear (WeirLeastSquaresResult *result)
{
  g_clear_pointer (&result->residuals, g_free);
  g_clear_pointer (&result->jacobian, g_free);
}

/* --- What the data tell ---------------------------------------------------------------------- */

/* Columns after the rank are mixtures of those before it. One that has a share in such a mixture
 * cannot be told apart. */
static void
mark_mixtures (const WeirQr *qr, guint rank, gboolean *tellable)
{
  g_autofree double *mixture = g_new (double, rank + 1);

  for (guint j = rank; j < qr->columns; j++)
    {
      tellable[qr->order[j]] = FALSE;
      for (guint k = rank; k-- > 0;)
        {
          mixture[k] = qr->a[(gsize) j * qr->rows + k];
          for (guint l = k + 1; l < rank; l++)
            mixture[k] -= qr->a[(gsize) l * qr->rows + k] * mixture[l];
          mixture[k] /= qr->a[(gsize) k * qr->rows + k];
          if (fabs (mixture[k]) > sqrt (RANK_SHARE))
            tellable[qr->order[k]] = FALSE;
        }
    }
}

/* (R'R)^-1 of the first @rank columns, which had been divided by @norms. */
static void
invert (const WeirQr *qr, guint rank, const double *norms, double *covariances)
{
  guint n = qr->columns;
  g_autofree double *inverse = g_new0 (double, (gsize) n *n + 1); /* R^-1, row by row */

  for (guint j = 0; j < rank; j++)
    for (guint i = j + 1; i-- > 0;)
      {
        double sum = i == j ? 1 : 0;

        for (guint k = i + 1; k <= j; k++)
          sum -= qr->a[(gsize) k * qr->rows + i] * inverse[(gsize) k * n + j];
        inverse[(gsize) i * n + j] = sum / qr->a[(gsize) i * qr->rows + i];
      }
  for (guint i = 0; i < rank; i++)
    for (guint j = 0; j < rank; j++)
      {
        guint a = qr->order[i], b = qr->order[j];
        double sum = 0;

        for (guint k = MAX (i, j); k < rank; k++)
          sum += inverse[(gsize) i * n + k] * inverse[(gsize) j * n + k];
        covariances[(gsize) a * n + b] = sum / norms[a] / norms[b];
      }
}

guint
weir_least_squares_get_covariances (const double *jacobian, guint m, guint n, double *covariances,
                                    gboolean *tellable)
{
  g_autofree double *a = g_new (double, (gsize) m *n + 1), *b = g_new0 (double, m + 1);
  g_autofree double *norms = g_new0 (double, n + 1);
  g_autofree guint32 *order = g_new (guint32, n + 1);
  WeirQr qr = { m, n, a, b, order };
  guint rank;

  for (guint k = 0; k < n; k++)
    {
      for (guint i = 0; i < m; i++)
        norms[k] = hypot (norms[k], jacobian[(gsize) k * m + i]);
      for (guint i = 0; i < m; i++)
        a[(gsize) k * m + i] = norms[k] > 0 ? jacobian[(gsize) k * m + i] / norms[k] : 0;
      tellable[k] = TRUE;
    }
  for (gsize i = 0; i < (gsize) n * n; i++)
    covariances[i] = NAN;
  rank = weir_qr_factorise (&qr, RANK_SHARE);
  mark_mixtures (&qr, rank, tellable);
  invert (&qr, rank, norms, covariances);
  for (gsize i = 0; i < (gsize) n * n; i++)
    if (!tellable[i / n] || !tellable[i % n])
      covariances[i] = NAN;
  return rank;
}

/* --- Student's distribution ------------------------------------------------------------------ */

/* The continued fraction of the incomplete beta function, by Lentz's method (W. Press et al.,
 * Numerical Recipes, 6.4). */
static double
calc_beta_fraction (double a, double b, double x)
{
  double c = 1, d = 1 / fmax (1 - (a + b) * x / (a + 1), 1e-300), h = d;

  for (int i = 1; i <= 1000; i++)
    {
      double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
      double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
      double change;

      d = 1 / (1 + even * d);
      c = 1 + even / c;
      h *= d * c;
      d = 1 / (1 + odd * d);
      c = 1 + odd / c;
      change = d * c;
      h *= change;
      if (fabs (change - 1) < 1e-15)
        break;
    }
  return h;
}

/* How much of the distribution lies above t >= 0. */
static double
calc_student_tail (double t, double degrees)
{
  double a = degrees / 2, b = 0.5, x = degrees / (degrees + t * t);
  double front = exp (lgamma (a + b) - lgamma (a) - lgamma (b) + a * log (x) + b * log1p (-x));

  if (x < (a + 1) / (a + b + 2))
    return front * calc_beta_fraction (a, b, x) / a / 2;
  return (1 - front * calc_beta_fraction (b, a, 1 - x) / b) / 2;
}

double
weir_student_quantile (double u, double degrees)
{
  double tail = fmin (u, 1 - u), below = 0, above = 1;

  while (calc_student_tail (above, degrees) > tail && above < 1e300)
    above *= 2;
  for (int i = 0; i < 200 && above - below > 1e-15 * above; i++)
    {
      double middle = below + (above - below) / 2;

      *(calc_student_tail (middle, degrees) > tail ? &below : &above) = middle;
    }
  return u < 0.5 ? -above : above;
}
