/* Lyapunov's equation and what follows from it; the largest gain. See state-space.h. */
#include "linear/state-space.h"

#include <float.h>
#include <math.h>

/* --- Sampled systems as continuous ones ------------------------------------------------------ */

/* z = (1 + s) / (1 - s): norms over all frequencies and Hankel's values stay. NULL if A has an
 * eigenvalue -1. (transfer full) */
static WeirLinear *
map_to_continuous (const WeirLinear *self)
{
  guint n = self->a->rows;
  g_autoptr (WeirMatrix) one = weir_matrix_identity (n);
  g_autoptr (WeirMatrix) sum = weir_matrix_plus (self->a, 1, one);
  g_autoptr (WeirMatrix) difference = weir_matrix_plus (self->a, -1, one);
  g_autoptr (WeirMatrix) a = weir_matrix_solve (sum, difference);
  g_autoptr (WeirMatrix) b = weir_matrix_solve (sum, self->b);
  g_autoptr (WeirMatrix) inverse = weir_matrix_solve (sum, one);
  g_autoptr (WeirMatrix) c = NULL;
  g_autoptr (WeirMatrix) passed = NULL;
  WeirMatrix *d;

  if (a == NULL || b == NULL || inverse == NULL)
    return NULL;
  c = weir_matrix_times (self->c, inverse);
  passed = weir_matrix_times (self->c, b);
  d = weir_matrix_plus (self->d, -1, passed);
  for (gsize k = 0; k < (gsize) n * b->columns; k++)
    b->v[k] *= G_SQRT2;
  for (gsize k = 0; k < (gsize) c->rows * n; k++)
    c->v[k] *= G_SQRT2;
  return weir_linear_new (g_steal_pointer (&a), g_steal_pointer (&b), g_steal_pointer (&c), d, 0,
                          NULL);
}

static gboolean
is_stable (const WeirLinear *self)
{
  g_autofree double *re = g_new (double, self->a->rows + 1);
  g_autofree double *im = g_new (double, self->a->rows + 1);

  if (!weir_linear_get_poles (self, re, im))
    return FALSE;
  for (guint i = 0; i < self->a->rows; i++)
    if (self->period > 0 ? hypot (re[i], im[i]) >= 1 : re[i] >= 0)
      return FALSE;
  return TRUE;
}

/* --- Lyapunov -------------------------------------------------------------------------------- */

static WeirMatrix *
solve_continuous (const WeirMatrix *a, const WeirMatrix *q)
{
  g_autoptr (WeirMatrix) t = NULL;
  g_autoptr (WeirMatrix) u = NULL;
  g_autoptr (WeirMatrix) back = NULL;
  g_autoptr (WeirMatrix) left = NULL;
  g_autoptr (WeirMatrix) x = NULL;
  g_autoptr (WeirMatrix) half = NULL;

  if (!weir_matrix_schur (a, WEIR_SELECT_NONE, &t, &u, NULL))
    return NULL;
  back = weir_matrix_transpose (u);
  left = weir_matrix_times (back, q);
  x = weir_matrix_times (left, u);
  for (gsize k = 0; k < (gsize) x->rows * x->columns; k++)
    x->v[k] = -x->v[k];
  if (!weir_matrix_solve_sylvester (t, t, 1, x) || !weir_matrix_is_finite (x))
    return NULL;
  half = weir_matrix_times (u, x);
  return weir_matrix_times (half, back);
}

WeirMatrix *
weir_solve_lyapunov (const WeirMatrix *a, const WeirMatrix *q, gboolean in_steps)
{
  guint n = a->rows;
  g_autoptr (WeirMatrix) one = weir_matrix_identity (n);
  g_autoptr (WeirMatrix) sum = NULL;
  g_autoptr (WeirMatrix) difference = NULL;
  g_autoptr (WeirMatrix) mapped = NULL;
  g_autoptr (WeirMatrix) first = NULL;
  g_autoptr (WeirMatrix) turned = NULL;
  g_autoptr (WeirMatrix) forced = NULL;

  if (!in_steps)
    return solve_continuous (a, q);
  /* With F = (A + 1)^-1 (A - 1): F P + P F' + 2 (A + 1)^-1 Q (A' + 1)^-1 = 0. */
  sum = weir_matrix_plus (a, 1, one);
  difference = weir_matrix_plus (a, -1, one);
  mapped = weir_matrix_solve (sum, difference);
  first = weir_matrix_solve (sum, q);
  if (mapped == NULL || first == NULL)
    return NULL;
  turned = weir_matrix_transpose (first);
  forced = weir_matrix_solve (sum, turned);
  if (forced == NULL)
    return NULL;
  for (gsize k = 0; k < (gsize) n * n; k++)
    forced->v[k] *= 2;
  return solve_continuous (mapped, forced);
}

/* C'C and BB' without delays. */
static WeirMatrix *
square (const WeirMatrix *a, gboolean from_left)
{
  g_autoptr (WeirMatrix) turned = weir_matrix_transpose (a);

  return from_left ? weir_matrix_times (turned, a) : weir_matrix_times (a, turned);
}

WeirNormOutcome
weir_linear_get_h2 (const WeirLinear *self, double *norm)
{
  g_autoptr (WeirMatrix) q = NULL;
  g_autoptr (WeirMatrix) p = NULL;
  g_autoptr (WeirMatrix) half = NULL;
  double sum = 0;

  *norm = INFINITY;
  if (self->n_delays > 0 || self->n_slots > 1)
    return WEIR_NORM_NOT_FOUND;
  if (!is_stable (self))
    return WEIR_NORM_UNSTABLE;
  if (self->period == 0 && weir_matrix_get_max (self->d) > 0)
    return WEIR_NORM_NOT_FOUND;
  q = square (self->b, FALSE);
  p = weir_solve_lyapunov (self->a, q, self->period > 0);
  if (p == NULL)
    return WEIR_NORM_NOT_FOUND;
  half = weir_matrix_times (self->c, p);
  for (guint i = 0; i < self->c->rows; i++)
    {
      for (guint j = 0; j < self->a->rows; j++)
        sum += weir_matrix_get (half, i, j) * weir_matrix_get (self->c, i, j);
      for (guint j = 0; j < self->d->columns; j++)
        sum += weir_matrix_get (self->d, i, j) * weir_matrix_get (self->d, i, j);
    }
  *norm = sqrt (fmax (0, sum));
  return WEIR_NORM_FOUND;
}

WeirNormOutcome
weir_linear_get_hankel (const WeirLinear *self, double *values)
{
  guint n = self->a->rows;
  gboolean in_steps = self->period > 0;
  g_autoptr (WeirMatrix) at = weir_matrix_transpose (self->a);
  g_autoptr (WeirMatrix) forced = square (self->b, FALSE);
  g_autoptr (WeirMatrix) seen = square (self->c, TRUE);
  g_autoptr (WeirMatrix) p = NULL;
  g_autoptr (WeirMatrix) q = NULL;
  g_autoptr (WeirMatrix) product = NULL;
  g_autofree double *im = g_new (double, n + 1);

  if (self->n_delays > 0 || self->n_slots > 1)
    return WEIR_NORM_NOT_FOUND;
  if (!is_stable (self))
    return WEIR_NORM_UNSTABLE;
  p = weir_solve_lyapunov (self->a, forced, in_steps);
  q = weir_solve_lyapunov (at, seen, in_steps);
  if (p == NULL || q == NULL)
    return WEIR_NORM_NOT_FOUND;
  product = weir_matrix_times (p, q);
  if (!weir_matrix_get_eigenvalues (product, values, im))
    return WEIR_NORM_NOT_FOUND;
  for (guint i = 0; i < n; i++)
    values[i] = sqrt (fmax (0, values[i]));
  return WEIR_NORM_FOUND;
}

/* --- The largest gain ------------------------------------------------------------------------ */

static double
get_gain (WeirResponse *response, const WeirLinear *self, double omega)
{
  guint p = self->n_outputs, m = self->n_inputs;
  g_autofree double complex *g = g_new (double complex, (gsize) p *m + 1);

  return weir_response_eval (response, omega, g) ? weir_matrix_get_gain (p, m, g)
                                                 : (double) INFINITY;
}

/* The frequencies at which a gain is exactly @level: imaginary eigenvalues of a Hamiltonian matrix.
 * (element-type double) (transfer full); NULL: they cannot be found. */
static GArray *
list_at_level (const WeirLinear *self, double level)
{
  guint n = self->a->rows, m = self->b->columns, p = self->c->rows;
  g_autoptr (WeirMatrix) r = weir_matrix_new (m, m);
  g_autoptr (WeirMatrix) dt = weir_matrix_transpose (self->d);
  g_autoptr (WeirMatrix) dd = weir_matrix_times (dt, self->d);
  g_autoptr (WeirMatrix) bt = weir_matrix_transpose (self->b);
  g_autoptr (WeirMatrix) ct = weir_matrix_transpose (self->c);
  g_autoptr (WeirMatrix) rhs = NULL; /* R^-1 [D'C, B'] */
  g_autoptr (WeirMatrix) right = weir_matrix_new (m, 2 * n);
  g_autoptr (WeirMatrix) dc = weir_matrix_times (dt, self->c);
  g_autoptr (WeirMatrix) h = weir_matrix_new (2 * n, 2 * n);
  g_autoptr (WeirMatrix) by_b = NULL;
  g_autoptr (WeirMatrix) by_d = NULL;
  g_autoptr (WeirMatrix) seen = weir_matrix_times (ct, self->c);
  g_autoptr (WeirMatrix) through = NULL;
  g_autofree double *re = g_new (double, 2 * (gsize) n + 1);
  g_autofree double *im = g_new (double, 2 * (gsize) n + 1);
  GArray *found;
  double size;

  for (guint i = 0; i < m; i++)
    for (guint j = 0; j < m; j++)
      *weir_matrix_at (r, i, j) = (i == j ? level * level : 0) - weir_matrix_get (dd, i, j);
  weir_matrix_put (right, 0, 0, dc);
  weir_matrix_put (right, 0, n, bt);
  rhs = weir_matrix_solve (r, right);
  if (rhs == NULL || p == 0)
    return NULL;
  by_b = weir_matrix_times (self->b, rhs);
  by_d = weir_matrix_times (self->d, rhs);
  through = weir_matrix_times (ct, by_d);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        *weir_matrix_at (h, i, j) = weir_matrix_get (self->a, i, j) + weir_matrix_get (by_b, i, j);
        *weir_matrix_at (h, i, n + j) = weir_matrix_get (by_b, i, n + j);
        *weir_matrix_at (h, n + i, j) = -weir_matrix_get (seen, i, j)
                                        - weir_matrix_get (through, i, j);
        *weir_matrix_at (h, n + i, n + j) = -weir_matrix_get (self->a, j, i)
                                            - weir_matrix_get (through, i, n + j);
      }
  if (!weir_matrix_get_eigenvalues (h, re, im))
    return NULL;
  found = g_array_new (FALSE, FALSE, sizeof (double));
  size = weir_matrix_get_row_sum (h);
  for (guint i = 0; i < 2 * n; i++)
    if (fabs (re[i]) <= 1e-8 * hypot (re[i], im[i]) + 1e-13 * size && im[i] >= 0)
      g_array_append_val (found, im[i]);
  return found;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

#define GOLDEN 0.6180339887498949

/* Polishes a largest gain between @a and @b. */
static void
polish (WeirResponse *response, const WeirLinear *self, double a, double b, double *gain,
        double *omega)
{
  for (guint i = 0; i < 80 && b - a > 1e-12 * b; i++)
    {
      double c = b - GOLDEN * (b - a), d = a + GOLDEN * (b - a);

      if (get_gain (response, self, c) > get_gain (response, self, d))
        b = d;
      else
        a = c;
    }
  if (get_gain (response, self, a + (b - a) / 2) >= *gain)
    {
      *omega = a + (b - a) / 2;
      *gain = get_gain (response, self, *omega);
    }
}

/* From a grid, polished about its largest. */
static void
search_grid (WeirResponse *response, const WeirLinear *self, double *gain, double *omega)
{
  g_autoptr (GArray) points = weir_linear_list_frequencies (self, 400);
  guint at = 0;

  *omega = 0;
  *gain = get_gain (response, self, 0);
  for (guint i = 0; i < points->len; i++)
    {
      double value = get_gain (response, self, g_array_index (points, double, i));

      if (value > *gain)
        {
          *gain = value;
          at = i + 1;
        }
    }
  if (at == 0)
    return;
  *omega = g_array_index (points, double, at - 1);
  polish (response, self, at > 1 ? g_array_index (points, double, at - 2) : 0,
          g_array_index (points, double, MIN (at, points->len - 1)), gain, omega);
}

#define TOLERANCE 1e-12
#define MOST_ROUNDS 30

WeirNormOutcome
weir_linear_get_peak_gain (const WeirLinear *self, double *gain, double *omega)
{
  g_autoptr (WeirLinear) mapped = NULL;
  g_autoptr (WeirResponse) response = weir_response_new (self);
  guint n_unstable = 0;

  *gain = INFINITY;
  *omega = (double) NAN;
  if (self->n_delays > 0 ? !weir_linear_count_unstable (self, &n_unstable) : FALSE)
    return WEIR_NORM_NOT_FOUND;
  if (self->n_delays > 0 ? n_unstable > 0 : !is_stable (self))
    return WEIR_NORM_UNSTABLE;
  search_grid (response, self, gain, omega);
  if (self->n_delays > 0 || self->n_slots > 1)
    return WEIR_NORM_FOUND;
  mapped = self->period > 0 ? map_to_continuous (self) : weir_linear_dup (self);
  if (mapped == NULL)
    return WEIR_NORM_FOUND;
  for (guint k = 0; k < MOST_ROUNDS; k++)
    {
      g_autoptr (GArray) at = list_at_level (mapped, *gain * (1 + TOLERANCE));
      gboolean is_better = FALSE;

      if (at == NULL || at->len < 2)
        break;
      g_array_sort (at, compare);
      for (guint i = 0; i + 1 < at->len; i++)
        {
          double middle = g_array_index (at, double, i) / 2 + g_array_index (at, double, i + 1) / 2;
          double where = self->period > 0 ? 2 * atan (middle) / self->period : middle;
          double value = get_gain (response, self, where);

          if (value > *gain * (1 + TOLERANCE))
            {
              *gain = value;
              *omega = where;
              is_better = TRUE;
            }
        }
      if (!is_better)
        break;
      polish (response, self, *omega * 0.999, *omega * 1.001, gain, omega);
    }
  return WEIR_NORM_FOUND;
}
