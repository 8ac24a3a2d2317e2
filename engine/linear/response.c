/* Frequency responses. See state-space.h.
 *
 * A is brought to quasi-triangular form once, so that a frequency costs n^2.
 */
#include "linear/state-space.h"

#include <float.h>
#include <math.h>
#include <string.h>

struct _WeirResponse {
  guint n, m, p; /* of the matrices: with delays and slots */
  guint n_inputs, n_outputs, n_delays, n_slots;
  double period;
  double *delays;
  WeirMatrix *t, *b, *c, *d;
  double complex *matrix, *x, *whole; /* room */
};

WeirResponse *
weir_response_new (const WeirLinear *linear)
{
  WeirResponse *self = g_new0 (WeirResponse, 1);
  g_autoptr (WeirMatrix) a = weir_matrix_dup (linear->a);
  g_autoptr (WeirMatrix) b = weir_matrix_dup (linear->b);
  g_autoptr (WeirMatrix) c = weir_matrix_dup (linear->c);
  g_autoptr (WeirMatrix) q = NULL;
  g_autoptr (WeirMatrix) back = NULL;

  self->n = linear->a->rows;
  self->m = linear->b->columns;
  self->p = linear->c->rows;
  self->n_inputs = linear->n_inputs;
  self->n_outputs = linear->n_outputs;
  self->n_delays = linear->n_delays;
  self->n_slots = linear->n_slots;
  self->period = linear->period;
  self->delays = g_memdup2 (linear->delays, self->n_delays * sizeof (double));
  weir_matrix_balance_states (a, b, c);
  if (!weir_matrix_schur (a, WEIR_SELECT_NONE, &self->t, &q, NULL))
    {
      self->t = weir_matrix_dup (a);
      q = weir_matrix_identity (self->n);
    }
  back = weir_matrix_transpose (q);
  self->b = weir_matrix_times (back, b);
  self->c = weir_matrix_times (c, q);
  self->d = weir_matrix_dup (linear->d);
  self->matrix = g_new (double complex, (gsize) self->n * self->n + 1);
  self->x = g_new (double complex, (gsize) self->n * self->m + 1);
  self->whole = g_new (double complex, (gsize) self->p * self->m + 1);
  return self;
}

void
weir_response_free (WeirResponse *self)
{
  if (self == NULL)
    return;
  weir_matrix_free (self->t);
  weir_matrix_free (self->b);
  weir_matrix_free (self->c);
  weir_matrix_free (self->d);
  g_free (self->delays);
  g_free (self->matrix);
  g_free (self->x);
  g_free (self->whole);
  g_free (self);
}

static inline double
size_of (double complex z)
{
  return fabs (creal (z)) + fabs (cimag (z));
}

static void
swap_rows (double complex *rows, guint width, guint from, guint i, guint j)
{
  for (guint k = from; k < width; k++)
    {
      double complex kept = rows[(gsize) i * width + k];

      rows[(gsize) i * width + k] = rows[(gsize) j * width + k];
      rows[(gsize) j * width + k] = kept;
    }
}

/* Solves @matrix x = @x in place, n by n with @width right-hand sides; below the diagonal only the
 * next entry is not zero (@is_hessenberg), or any. FALSE if singular. */
static gboolean
solve (guint n, double complex *matrix, guint width, double complex *x, gboolean is_hessenberg)
{
  for (guint k = 0; k < n; k++)
    {
      guint last = is_hessenberg ? MIN (k + 2, n) : n, pivot = k;

      for (guint i = k + 1; i < last; i++)
        if (size_of (matrix[(gsize) i * n + k]) > size_of (matrix[(gsize) pivot * n + k]))
          pivot = i;
      if (size_of (matrix[(gsize) pivot * n + k]) == 0)
        return FALSE;
      if (pivot != k)
        {
          swap_rows (matrix, n, k, k, pivot);
          swap_rows (x, width, 0, k, pivot);
        }
      for (guint i = k + 1; i < last; i++)
        {
          double complex factor = matrix[(gsize) i * n + k];

          if (factor == 0)
            continue;
          factor /= matrix[(gsize) k * n + k];
          for (guint j = k + 1; j < n; j++)
            matrix[(gsize) i * n + j] -= factor * matrix[(gsize) k * n + j];
          for (guint j = 0; j < width; j++)
            x[(gsize) i * width + j] -= factor * x[(gsize) k * width + j];
        }
    }
  for (guint k = n; k-- > 0;)
    for (guint j = 0; j < width; j++)
      {
        double complex sum = x[(gsize) k * width + j];

        for (guint i = k + 1; i < n; i++)
          sum -= matrix[(gsize) k * n + i] * x[(gsize) i * width + j];
        x[(gsize) k * width + j] = sum / matrix[(gsize) k * n + k];
      }
  return TRUE;
}

/* C (z - A)^-1 B + D of everything. */
static gboolean
eval_whole (WeirResponse *self, double complex z)
{
  guint n = self->n, m = self->m, p = self->p;

  for (gsize k = 0; k < (gsize) n * n; k++)
    self->matrix[k] = -self->t->v[k];
  for (guint i = 0; i < n; i++)
    self->matrix[(gsize) i * n + i] += z;
  for (gsize k = 0; k < (gsize) n * m; k++)
    self->x[k] = self->b->v[k];
  if (!solve (n, self->matrix, m, self->x, TRUE))
    return FALSE;
  for (guint i = 0; i < p; i++)
    for (guint j = 0; j < m; j++)
      {
        double complex sum = weir_matrix_get (self->d, i, j);

        for (guint k = 0; k < n; k++)
          sum += weir_matrix_get (self->c, i, k) * self->x[(gsize) k * m + j];
        self->whole[(gsize) i * m + j] = sum;
      }
  return TRUE;
}

/* Lets the delays' outputs w = exp (-i omega theta) z in. */
static void
find_late (const WeirResponse *self, double complex s, double complex *late)
{
  for (guint i = 0; i < self->n_delays; i++)
    late[i] = exp (-creal (s) * self->delays[i])
              * (cos (cimag (s) * self->delays[i]) - WEIR_I * sin (cimag (s) * self->delays[i]));
}

static gboolean
close_delays (WeirResponse *self, double complex s)
{
  guint k = self->n_delays, m = self->m, p = self->p, u = m - k, y = p - k;
  g_autofree double complex *loop = g_new (double complex, (gsize) k *k + 1);
  g_autofree double complex *z = g_new (double complex, (gsize) k *u + 1);
  g_autofree double complex *late = g_new (double complex, k + 1);

  find_late (self, s, late);
  for (guint i = 0; i < k; i++)
    {
      for (guint j = 0; j < k; j++)
        loop[i * k + j] = (i == j) - self->whole[(gsize) (y + i) * m + u + j] * late[j];
      for (guint j = 0; j < u; j++)
        z[i * u + j] = self->whole[(gsize) (y + i) * m + j];
    }
  if (!solve (k, loop, u, z, FALSE))
    return FALSE;
  for (guint i = 0; i < y; i++)
    for (guint j = 0; j < u; j++)
      for (guint l = 0; l < k; l++)
        self->whole[(gsize) i * m + j] += self->whole[(gsize) i * m + u + l] * late[l]
                                          * z[l * u + j];
  return TRUE;
}

static double complex
find_z (const WeirResponse *self, double complex s)
{
  double angle = cimag (s) * self->period;

  return self->period > 0 ? exp (creal (s) * self->period) * (cos (angle) + WEIR_I * sin (angle))
                          : s;
}

gboolean
weir_response_eval_at (WeirResponse *self, double complex s, double complex *g)
{
  guint m = self->m, slots = self->n_slots;
  double part = self->period / slots;

  if (!eval_whole (self, find_z (self, s)) || (self->n_delays > 0 && !close_delays (self, s)))
    return FALSE;
  for (guint i = 0; i < self->n_outputs; i++)
    for (guint j = 0; j < self->n_inputs; j++)
      {
        double complex sum = 0;

        for (guint a = 0; a < slots; a++)
          for (guint b = 0; b < slots; b++)
            {
              double angle = cimag (s) * part * ((double) b - (double) a);

              sum += self->whole[(gsize) (a * self->n_outputs + i) * m + b * self->n_inputs + j]
                     * (a == b ? 1 : cos (angle) + WEIR_I * sin (angle));
            }
        g[i * self->n_inputs + j] = sum / slots;
      }
  for (guint i = 0; i < self->n_outputs * self->n_inputs; i++)
    if (!isfinite (creal (g[i])) || !isfinite (cimag (g[i])))
      return FALSE;
  return TRUE;
}

gboolean
weir_response_eval (WeirResponse *self, double omega, double complex *g)
{
  return weir_response_eval_at (self, WEIR_I * omega, g);
}

double complex
weir_response_eval_delays (WeirResponse *self, double complex s)
{
  guint k = self->n_delays, u = self->m - k, y = self->p - k;
  g_autofree double complex *loop = g_new (double complex, (gsize) k *k + 1);
  g_autofree double complex *late = g_new (double complex, k + 1);
  double complex none = 0, product = 1;

  if (!eval_whole (self, find_z (self, s)))
    return (double) NAN;
  find_late (self, s, late);
  for (guint i = 0; i < k; i++)
    for (guint j = 0; j < k; j++)
      loop[i * k + j] = (i == j) - self->whole[(gsize) (y + i) * self->m + u + j] * late[j];
  /* Elimination leaves the determinant on the diagonal, but for its sign. */
  for (guint i = 0; i < k; i++)
    {
      guint pivot = i;

      for (guint r = i + 1; r < k; r++)
        if (size_of (loop[r * k + i]) > size_of (loop[pivot * k + i]))
          pivot = r;
      if (loop[pivot * k + i] == none)
        return 0;
      if (pivot != i)
        {
          swap_rows (loop, k, i, i, pivot);
          product = -product;
        }
      product *= loop[i * k + i];
      for (guint r = i + 1; r < k; r++)
        {
          double complex factor = loop[r * k + i] / loop[i * k + i];

          for (guint c = i; c < k; c++)
            loop[r * k + c] -= factor * loop[i * k + c];
        }
    }
  return product;
}

/* --- Frequencies ----------------------------------------------------------------------------- */

/* A pole or zero as a frequency: natural frequency (rad/s) and damping. 0 where there is none. */
static double
find_natural (const WeirLinear *linear, double complex root, double *damping)
{
  double complex s = linear->period > 0 ? clog (root) / linear->period : root;

  *damping = cabs (s) > 0 ? -creal (s) / cabs (s) : 1;
  return isfinite (cabs (s)) ? cabs (s) : 0;
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* (element-type double complex) (transfer full) */
static GArray *
list_roots (const WeirLinear *linear)
{
  guint n = linear->a->rows;
  GArray *roots = linear->n_inputs * linear->n_outputs == 1 && linear->n_delays == 0
                          && linear->n_slots == 1
                      ? weir_linear_list_zeros (linear)
                      : g_array_new (FALSE, FALSE, sizeof (double complex));
  g_autofree double *re = g_new (double, n + 1);
  g_autofree double *im = g_new (double, n + 1);

  if (weir_linear_get_poles (linear, re, im))
    for (guint i = 0; i < n; i++)
      {
        double complex pole = re[i] + WEIR_I * im[i];

        g_array_append_val (roots, pole);
      }
  return roots;
}

#define DAMPED 0.3     /* less is looked at closely */
#define NEAR_ZERO 1e-9 /* of the largest: a root at the origin, with what rounding makes of it */

GArray *
weir_linear_list_frequencies (const WeirLinear *self, guint n)
{
  static const double offsets[] = { -4, -2, -1, -0.5, -0.2, 0, 0.2, 0.5, 1, 2, 4 };
  GArray *frequencies = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) roots = list_roots (self);
  double low = INFINITY, high = 0, top = INFINITY, largest = 0, damping, natural;

  if (self->period > 0)
    top = G_PI * self->n_slots / self->period;
  for (guint i = 0; i < roots->len; i++)
    largest = fmax (largest,
                    find_natural (self, g_array_index (roots, double complex, i), &damping));
  for (guint i = 0; i < roots->len; i++)
    {
      natural = find_natural (self, g_array_index (roots, double complex, i), &damping);
      if (natural <= NEAR_ZERO * largest)
        continue;
      low = fmin (low, natural);
      high = fmax (high, natural);
    }
  for (guint i = 0; i < self->n_delays; i++)
    {
      low = fmin (low, 1 / self->delays[i]);
      high = fmax (high, G_PI / self->delays[i]);
    }
  if (!(high > 0))
    low = high = isfinite (top) ? top / 10 : 1;
  low = fmin (low, top);
  low = pow (10, floor (log10 (low / 10) + 1e-9));
  high = fmin (pow (10, ceil (log10 (high * 10) - 1e-9)), top);
  for (guint k = 0; k < n; k++)
    {
      double omega = k + 1 == n ? high : low * pow (high / low, (double) k / MAX (1, n - 1));

      g_array_append_val (frequencies, omega);
    }
  for (guint i = 0; i < roots->len; i++)
    {
      natural = find_natural (self, g_array_index (roots, double complex, i), &damping);
      if (!(fabs (damping) < DAMPED) || natural <= NEAR_ZERO * largest)
        continue;
      for (guint k = 0; k < G_N_ELEMENTS (offsets); k++)
        {
          double omega = natural * (1 + offsets[k] * fmax (fabs (damping), 1e-6));

          if (omega > low && omega < high)
            g_array_append_val (frequencies, omega);
        }
    }
  g_array_sort (frequencies, compare);
  return frequencies;
}

/* --- Phases ---------------------------------------------------------------------------------- */

#define ON_AXIS 1e-7 /* relative distance from the axis or circle that is rounding */

/* The argument of i omega - root, without its constant part: continuous in omega but for roots that
 * are on the axis. */
static double
find_argument (const WeirLinear *linear, double complex root, double largest, double omega)
{
  double a = creal (root), b = cimag (root), angle = omega * linear->period;
  double complex turn = cos (angle) + WEIR_I * sin (angle);

  if (linear->period > 0)
    {
      if (fabs (cabs (root) - 1) <= ON_AXIS)
        return (angle >= carg (root) ? 1 : -1) * G_PI / 2 + (angle + carg (root)) / 2;
      return cabs (root) < 1 ? angle + carg (1 - root / turn) : carg (1 - turn / root);
    }
  if (cabs (root) <= NEAR_ZERO * largest)
    return G_PI / 2;
  if (fabs (a) <= ON_AXIS * cabs (root))
    return omega >= b ? G_PI / 2 : -G_PI / 2;
  return a < 0 ? atan2 (omega - b, -a) : -atan2 (omega - b, a);
}

/* Is all that is delayed one signal, in series? */
static gboolean
is_in_series (const WeirLinear *self)
{
  guint n = self->a->rows, k = self->n_delays, last = self->d->columns - 1;
  WeirLinear probe = *self;
  g_autoptr (WeirMatrix) b = NULL;
  g_autoptr (WeirMatrix) c = NULL;
  g_autoptr (WeirMatrix) d = NULL;
  g_autoptr (WeirResponse) response = NULL;
  double complex g[4];
  gboolean is_series = TRUE;

  if (k != 1 || self->n_slots > 1)
    return FALSE;
  b = weir_matrix_dup (self->b);
  c = weir_matrix_dup (self->c);
  d = weir_matrix_dup (self->d);
  probe = (WeirLinear) { .a = self->a,
                         .b = b,
                         .c = c,
                         .d = d,
                         .n_inputs = 2,
                         .n_outputs = 2,
                         .period = self->period,
                         .n_slots = 1 };
  response = weir_response_new (&probe);
  g_assert (n == self->a->rows && last == 1);
  /* No way around the delay, and none back to it. */
  for (double omega = 0.37; omega < 1000; omega *= 31)
    if (weir_response_eval (response, omega, g))
      is_series = is_series && cabs (g[0]) <= 1e-12 * cabs (g[1]) * cabs (g[2]) + DBL_MIN
                  && cabs (g[3]) <= 1e-12;
  return is_series;
}

/* The delay out of the way: w = z. (transfer full), NULL if that is not the same system */
static WeirLinear *
without_delay (const WeirLinear *self)
{
  g_autoptr (WeirMatrix) b1 = weir_matrix_part (self->b, 0, 0, self->b->rows, 1);
  g_autoptr (WeirMatrix) b2 = weir_matrix_part (self->b, 0, 1, self->b->rows, 1);
  g_autoptr (WeirMatrix) c1 = weir_matrix_part (self->c, 0, 0, 1, self->c->columns);
  g_autoptr (WeirMatrix) c2 = weir_matrix_part (self->c, 1, 0, 1, self->c->columns);
  double d12 = weir_matrix_get (self->d, 0, 1), d21 = weir_matrix_get (self->d, 1, 0);
  g_autoptr (WeirMatrix) more_a = weir_matrix_times (b2, c2);
  WeirMatrix *d = weir_matrix_new (1, 1);
  WeirLinear *joined;

  d->v[0] = weir_matrix_get (self->d, 0, 0) + d12 * d21;
  for (guint i = 0; i < b1->rows; i++)
    {
      b1->v[i] += b2->v[i] * d21;
      c1->v[i] += c2->v[i] * d12;
    }
  joined = weir_linear_new (weir_matrix_plus (self->a, 1, more_a), weir_matrix_dup (b1),
                            weir_matrix_dup (c1), d, 0, NULL);
  joined->period = self->period;
  return joined;
}

/* By values alone. */
static void
unwrap (guint n, const double complex *values, double *phases)
{
  double before = 0;

  for (guint i = 0; i < n; i++)
    {
      double phase = carg (values[i]) * 180 / G_PI;

      if (!isfinite (phase))
        phases[i] = (double) NAN;
      else
        before = phases[i] = phase - 360 * round ((phase - before) / 360);
    }
}

void
weir_linear_get_phases (const WeirLinear *self, guint n, const double *frequencies,
                        const double complex *values, double *phases)
{
  gboolean is_series = self->n_delays > 0 && is_in_series (self);
  g_autoptr (WeirLinear) joined = is_series ? without_delay (self) : NULL;
  const WeirLinear *rational = joined != NULL ? joined : self;
  double delay = is_series ? self->delays[0] : 0, largest = 0, damping, base = 0;
  g_autoptr (WeirLinear) least = NULL;
  g_autoptr (GArray) zeros = NULL;
  g_autofree double *re = NULL;
  g_autofree double *im = NULL;
  gboolean has_base = FALSE;

  if (rational->n_delays > 0 || self->n_slots > 1)
    {
      unwrap (n, values, phases);
      return;
    }
  least = weir_linear_reduce (rational);
  zeros = weir_linear_list_zeros (least);
  re = g_new (double, least->a->rows + 1);
  im = g_new (double, least->a->rows + 1);
  if (!weir_linear_get_poles (least, re, im))
    {
      unwrap (n, values, phases);
      return;
    }
  for (guint i = 0; i < least->a->rows; i++)
    largest = fmax (largest, find_natural (least, re[i] + WEIR_I * im[i], &damping));
  for (guint i = 0; i < n; i++)
    {
      double phase = -frequencies[i] * delay;

      for (guint k = 0; k < zeros->len; k++)
        phase += find_argument (least, g_array_index (zeros, double complex, k), largest,
                                frequencies[i]);
      for (guint k = 0; k < least->a->rows; k++)
        phase -= find_argument (least, re[k] + WEIR_I * im[k], largest, frequencies[i]);
      phases[i] = phase * 180 / G_PI;
      if (has_base || !isfinite (cabs (values[i])) || cabs (values[i]) == 0)
        continue;
      /* What is left is the sign of the gain. */
      base = fmod (fabs (round ((carg (values[i]) * 180 / G_PI - phases[i]) / 180)), 2) * -180;
      has_base = TRUE;
    }
  for (guint i = 0; i < n; i++)
    phases[i] += base;
}
