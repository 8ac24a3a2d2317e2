/* The points of a study: each from the study and its number alone. See study.h.
 *
 * A method that samples gives each parameter a number u between 0 and 1, which the quantile of its
 * distribution makes a value of. With correlations, u becomes normal first, is mixed by the factor
 * of the correlations' matrix, and becomes u again (a Gaussian copula).
 */
#include "study/study.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "base/random.h"
#include "base/status.h"

/* Streams of random numbers beside those of parameters, which are numbered from 0. */
enum {
  STREAM_SHIFT = 1 << 20,
  STREAM_ORDER = 1 << 21,
  STREAM_WALK = 1 << 22,
};

/* --- Quantiles ------------------------------------------------------------------------------- */

/* Acklam's rational approximation (relative error 1.2e-9), then one step of Halley's method with
 * the complementary error function, which leaves rounding. */
double
weir_normal_quantile (double u)
{
  static const double a[] = { -3.969683028665376e+01, 2.209460984245205e+02,
                              -2.759285104469687e+02, 1.383577518672690e+02,
                              -3.066479806614716e+01, 2.506628277459239e+00 };
  static const double b[] = { -5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                              6.680131188771972e+01, -1.328068155288572e+01 };
  static const double c[] = { -7.784894002430293e-03, -3.223964580411365e-01,
                              -2.400758277161838e+00, -2.549732539343734e+00,
                              4.374664141464968e+00,  2.938163982698783e+00 };
  static const double d[] = { 7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                              3.754408661907416e+00 };
  double tail = MIN (u, 1 - u), x, error, step;

  if (tail < 0.02425)
    {
      double q = sqrt (-2 * log (tail));

      x = (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5])
          / ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1);
    }
  else
    {
      double q = tail - 0.5, r = q * q;

      x = (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q
          / (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1);
    }
  error = 0.5 * erfc (-x / G_SQRT2) - tail;
  step = error * sqrt (2 * G_PI) * exp (x * x / 2);
  x -= step / (1 + x * step / 2);
  return u < 0.5 ? x : -x;
}

static double
calc_triangular (const WeirStudyParameter *p, double u)
{
  double range = p->to - p->from, below = (p->mode - p->from) / range;

  return u < below ? p->from + sqrt (u * range * (p->mode - p->from))
                   : p->to - sqrt ((1 - u) * range * (p->to - p->mode));
}

static double
calc_quantile (const WeirStudyParameter *p, double u)
{
  switch (p->distribution)
    {
    case WEIR_DISTRIBUTION_UNIFORM:
      return p->from + u * (p->to - p->from);
    case WEIR_DISTRIBUTION_LOG_UNIFORM:
      return p->from * pow (p->to / p->from, u);
    case WEIR_DISTRIBUTION_NORMAL:
      return p->mean + p->deviation * weir_normal_quantile (u);
    case WEIR_DISTRIBUTION_LOG_NORMAL:
      return exp (p->mean + p->deviation * weir_normal_quantile (u));
    case WEIR_DISTRIBUTION_TRIANGULAR:
      return calc_triangular (p, u);
    case WEIR_DISTRIBUTION_EXPONENTIAL:
      return -p->mean * log1p (-u);
    case WEIR_DISTRIBUTION_WEIBULL:
      return p->mean * pow (-log1p (-u), 1 / p->deviation);
    case WEIR_N_DISTRIBUTIONS:
    default:
      return NAN;
    }
}

/* --- Values that are counted out ------------------------------------------------------------- */

static guint
count_values (const WeirStudyParameter *p)
{
  return p->values != NULL ? p->n_values : p->n;
}

/* Whole numbers between whole ends stay whole, as numbers of things have to be. */
static double
get_value (const WeirStudyParameter *p, guint i)
{
  double steps = p->n > 1 ? (double) (p->n - 1) : 1;

  if (p->values != NULL)
    return p->values[i];
  if (i > 0 && i == p->n - 1)
    return p->to;
  return p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM
             ? p->from * pow (p->to / p->from, i / steps)
             : p->from + i * (p->to - p->from) / steps;
}

static void
get_grid_point (const WeirStudy *self, guint64 i, double *values)
{
  for (guint k = self->parameters->len; k-- > 0;)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (self, k);
      guint n = count_values (p);

      values[k] = get_value (p, (guint) (i % n));
      i /= n;
    }
}

static void
get_middle (const WeirStudy *self, double *values)
{
  for (guint k = 0; k < self->parameters->len; k++)
    values[k] = weir_study_get_parameter (self, k)->middle;
}

static void
get_single_point (const WeirStudy *self, guint64 i, double *values)
{
  get_middle (self, values);
  if (i-- == 0)
    return;
  for (guint k = 0; k < self->parameters->len; k++)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (self, k);
      guint n = count_values (p);

      if (i < n)
        {
          values[k] = get_value (p, (guint) i);
          return;
        }
      i -= n;
    }
}

static double
calc_local_step (const WeirStudy *self, const WeirStudyParameter *p)
{
  if (isfinite (p->from) && isfinite (p->to))
    return self->step * (p->to - p->from);
  return self->step * (p->middle != 0 ? fabs (p->middle) : 1);
}

static void
get_local_point (const WeirStudy *self, guint64 i, double *values)
{
  guint k = (guint) ((i - 1) / 2);

  get_middle (self, values);
  if (i > 0)
    values[k] += (i % 2 == 1 ? -1 : 1) * calc_local_step (self, weir_study_get_parameter (self, k));
}

/* --- Samples --------------------------------------------------------------------------------- */

/* Number @i of a random order of 0 ... n - 1: a few rounds of a Feistel network over the next power
 * of four, again where that leads outside. */
static guint64
shuffle (guint64 seed, guint64 stream, guint64 n, guint64 i)
{
  guint half = 1;
  guint64 mask;

  while (half < 31 && (G_GUINT64_CONSTANT (1) << (2 * half)) < n)
    half++;
  mask = (G_GUINT64_CONSTANT (1) << half) - 1;
  do
    {
      guint64 left = i >> half, right = i & mask;

      for (guint round = 0; round < 6; round++)
        {
          guint64 next = left
                         ^ (weir_random_mix (weir_random_mix (seed + stream) + right * 8 + round)
                            & mask);

          left = right;
          right = next;
        }
      i = left << half | right;
    }
  while (i >= n);
  return i;
}

static guint64
get_shift (const WeirStudy *self, guint dimension)
{
  return self->is_shifted
             ? weir_random_mix (weir_random_mix (self->seed + STREAM_SHIFT) + dimension + 1) | 1
             : 0;
}

/* Coordinate @k of point @i of the sequence: without a shift its first point, the corner, is left
 * out. */
static double
get_sobol (const WeirStudy *self, guint64 i, guint k)
{
  return weir_sobol_get (&self->sobol, self->is_shifted ? i : i + 1, k, get_shift (self, k));
}

static double
get_part (const WeirStudy *self, guint64 i, guint k)
{
  switch ((int) self->method)
    {
    case WEIR_POINTS_SOBOL:
      return get_sobol (self, i, k);
    case WEIR_POINTS_LATIN_HYPERCUBE:
      return ((double) shuffle (self->seed, STREAM_ORDER + k, self->n, i)
              + weir_random_uniform (self->seed, i, k))
             / (double) self->n;
    default:
      return weir_random_uniform (self->seed, i, k);
    }
}

static void
mix (const WeirStudy *self, double *u)
{
  guint n = self->parameters->len;
  g_autofree double *z = g_new (double, n);

  for (guint k = 0; k < n; k++)
    z[k] = weir_normal_quantile (u[k]);
  for (guint k = 0; k < n; k++)
    {
      double sum = 0;

      for (guint j = 0; j <= k; j++)
        sum += self->mix[k * n + j] * z[j];
      u[k] = CLAMP (0.5 * erfc (-sum / G_SQRT2), 0x1p-60, 1 - 0x1p-53);
    }
}

static void
get_sample (const WeirStudy *self, guint64 i, double *values)
{
  guint n = self->parameters->len;

  for (guint k = 0; k < n; k++)
    values[k] = get_part (self, i, k);
  if (self->mix != NULL)
    mix (self, values);
  for (guint k = 0; k < n; k++)
    values[k] = calc_quantile (weir_study_get_parameter (self, k), values[k]);
}

/* Rows of two samples a and b, and for each parameter the row of a with that column of b (Saltelli
 * 2010): a, b, then those. */
static void
get_index_point (const WeirStudy *self, guint64 i, double *values)
{
  guint n = self->parameters->len;
  guint64 row = i / (n + 2);
  guint which = (guint) (i % (n + 2));

  for (guint k = 0; k < n; k++)
    {
      gboolean is_b = which == 1 || which == k + 2;

      values[k] = calc_quantile (weir_study_get_parameter (self, k),
                                 get_sobol (self, row, is_b ? n + k : k));
    }
}

/* Walks on a grid of levels (Morris 1991): from a random start, each parameter in a random order
 * half the range up or down. Levels are middles of even parts, so that no quantile is infinite
 * where a distribution has no ends. */
static void
get_walk_point (const WeirStudy *self, guint64 i, double *values)
{
  guint n = self->parameters->len, p = self->levels;
  guint64 walk = i / (n + 1);
  guint n_taken = (guint) (i % (n + 1));

  for (guint k = 0; k < n; k++)
    {
      const WeirStudyParameter *parameter = weir_study_get_parameter (self, k);
      double u = weir_random_uniform (self->seed, walk, STREAM_WALK + k);
      guint level = (guint) (u * p);
      guint64 turn = shuffle (weir_random_mix (self->seed + STREAM_WALK) + walk, 0, n, k);
      gboolean has_ends = parameter->distribution == WEIR_DISTRIBUTION_UNIFORM
                          || parameter->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM
                          || parameter->distribution == WEIR_DISTRIBUTION_TRIANGULAR;

      level = MIN (level, p - 1);
      if (turn < n_taken)
        level = level < p / 2 ? level + p / 2 : level - p / 2;
      values[k] = calc_quantile (parameter, has_ends ? (double) level / (double) (p - 1)
                                                     : ((double) level + 0.5) / (double) p);
    }
}

double
weir_study_parameter_to_search (const WeirStudyParameter *p, double value)
{
  return p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM ? log (value) : value;
}

double
weir_study_parameter_from_search (const WeirStudyParameter *p, double x)
{
  return CLAMP (p->distribution == WEIR_DISTRIBUTION_LOG_UNIFORM ? exp (x) : x, p->from, p->to);
}

/* The middles that lie within the ends, then numbers of the seed. */
static void
get_start (const WeirStudy *self, guint64 start, double *values)
{
  for (guint k = 0; k < self->parameters->len; k++)
    {
      const WeirStudyParameter *p = weir_study_get_parameter (self, k);

      values[k] = start > 0 ? calc_quantile (p, weir_random_uniform (self->seed, start, k))
                  : isnan (p->middle) ? calc_quantile (p, 0.5)
                                      : CLAMP (p->middle, p->from, p->to);
    }
}

void
weir_study_get_point (const WeirStudy *self, guint64 i, double *values)
{
  guint n = self->parameters->len;

  g_return_if_fail (i < weir_study_get_n_points (self));

  switch (self->method)
    {
    case WEIR_POINTS_LIST:
      memcpy (values, &g_array_index (self->points, double, i *n), n * sizeof (double));
      break;
    case WEIR_POINTS_GRID:
      get_grid_point (self, i, values);
      break;
    case WEIR_POINTS_ONE_AT_A_TIME:
      get_single_point (self, i, values);
      break;
    case WEIR_POINTS_CORNERS:
      for (guint k = 0; k < n; k++)
        values[k] = (i >> k & 1) != 0 ? weir_study_get_parameter (self, k)->to
                                      : weir_study_get_parameter (self, k)->from;
      break;
    case WEIR_POINTS_LOCAL:
      get_local_point (self, i, values);
      break;
    case WEIR_POINTS_MORRIS:
      get_walk_point (self, i, values);
      break;
    case WEIR_POINTS_INDICES:
      get_index_point (self, i, values);
      break;
    case WEIR_POINTS_OPTIMISE:
    case WEIR_POINTS_FIT:
      get_start (self, i / self->n, values);
      break;
    case WEIR_POINTS_RANDOM:
    case WEIR_POINTS_LATIN_HYPERCUBE:
    case WEIR_POINTS_SOBOL:
    case WEIR_N_POINTS:
    default:
      get_sample (self, i, values);
      break;
    }
}

/* --- How many -------------------------------------------------------------------------------- */

static guint64
multiply (guint64 a, guint64 b)
{
  guint64 product;

  return g_uint64_checked_mul (&product, a, b) ? product : G_MAXUINT64;
}

guint64
weir_study_get_n_points (const WeirStudy *self)
{
  guint n = self->parameters->len;
  guint64 count = self->method == WEIR_POINTS_GRID ? 1 : 0;

  switch (self->method)
    {
    case WEIR_POINTS_LIST:
      return n > 0 ? self->points->len / n : 0;
    case WEIR_POINTS_GRID:
    case WEIR_POINTS_ONE_AT_A_TIME:
      for (guint k = 0; k < n; k++)
        {
          guint values = count_values (weir_study_get_parameter (self, k));

          count = self->method == WEIR_POINTS_GRID ? multiply (count, values) : count + values;
        }
      return self->method == WEIR_POINTS_GRID ? count : count + 1;
    case WEIR_POINTS_CORNERS:
      return n < 40 ? G_GUINT64_CONSTANT (1) << n : G_MAXUINT64;
    case WEIR_POINTS_LOCAL:
      return 2 * (guint64) n + 1;
    case WEIR_POINTS_MORRIS:
      return multiply (self->n, n + 1);
    case WEIR_POINTS_INDICES:
      return multiply (self->n, n + 2);
    case WEIR_POINTS_OPTIMISE:
    case WEIR_POINTS_FIT:
      return multiply (self->n, self->starts);
    case WEIR_POINTS_RANDOM:
    case WEIR_POINTS_LATIN_HYPERCUBE:
    case WEIR_POINTS_SOBOL:
    case WEIR_N_POINTS:
    default:
      return self->n;
    }
}

/* --- Preparing ------------------------------------------------------------------------------- */

/* Cholesky's factor of the correlations. */
static gboolean
factorise (WeirStudy *self, int *line, GError **error)
{
  guint n = self->parameters->len;

  if (self->correlations->len == 0)
    return TRUE;
  self->mix = g_new0 (double, (gsize) n *n);
  for (guint k = 0; k < n; k++)
    self->mix[k * n + k] = 1;
  for (guint i = 0; i < self->correlations->len; i++)
    {
      WeirStudyCorrelation c = g_array_index (self->correlations, WeirStudyCorrelation, i);

      self->mix[MAX (c.a, c.b) * n + MIN (c.a, c.b)] = c.value;
    }
  for (guint j = 0; j < n; j++)
    for (guint i = j; i < n; i++)
      {
        double sum = self->mix[i * n + j];

        for (guint k = 0; k < j; k++)
          sum -= self->mix[i * n + k] * self->mix[j * n + k];
        if (i > j)
          self->mix[i * n + j] = sum / self->mix[j * n + j];
        else if (sum > 1e-12)
          self->mix[i * n + i] = sqrt (sum);
        else
          {
            *line = self->line;
            weir_error_set (
                error, WEIR_ERROR_INVALID,
                "the correlations contradict each other: with those before it, %s cannot "
                "be correlated so; make some of them smaller",
                weir_study_get_parameter (self, i)->name);
            return FALSE;
          }
      }
  return TRUE;
}

gboolean
weir_study_prepare (WeirStudy *self, int *line, GError **error)
{
  guint n = self->parameters->len;
  guint n_dimensions = self->method == WEIR_POINTS_SOBOL     ? n
                       : self->method == WEIR_POINTS_INDICES ? 2 * n
                                                             : 0;
  guint64 n_points = weir_study_get_n_points (self);

  *line = self->line;
  if (n_points == 0 || n_points > WEIR_STUDY_MOST_POINTS)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      n_points == 0 ? N_ ("the study has no points; give it %s")
                                    : N_ ("the study has more than 10^9 points; give it fewer %s"),
                      self->method == WEIR_POINTS_LIST ? weir_phrase (N_ ("elements <point>"))
                      : self->method == WEIR_POINTS_GRID
                              || self->method == WEIR_POINTS_ONE_AT_A_TIME
                              || self->method == WEIR_POINTS_CORNERS
                          ? weir_phrase (N_ ("values or parameters"))
                          : weir_phrase (N_ ("with n")));
      return FALSE;
    }
  if (n_dimensions > WEIR_SOBOL_DIMENSIONS)
    {
      weir_error_set (
          error, WEIR_ERROR_INVALID,
          "Sobol's sequence has %d dimensions here, but %u would be needed; take method "
          "latin-hypercube, or fewer parameters",
          WEIR_SOBOL_DIMENSIONS, n_dimensions);
      return FALSE;
    }
  if (n_dimensions > 0)
    weir_sobol_init (&self->sobol, n_dimensions);
  return factorise (self, line, error);
}
