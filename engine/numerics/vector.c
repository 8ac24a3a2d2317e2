/* Arithmetic on state vectors. See vector.h; compiled with -O3 so that the loops are vectorised.
 *
 * `ivdep` is right because arrays are either the same or apart: then element i is read before it is
 * written, whatever the width.
 */
#include "numerics/vector.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

#define LANES 8
#define FEW 8     /* doubles: no loop of theirs pays for its beginning and end */
#define BLOCK 256 /* doubles: a block of the result stays in the first-level cache */

static inline double
add_lanes (const double *s)
{
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

WEIR_SIMD_BODY void
weir_vector_linear_sum_body (gsize n, double a, const double *x, double b, const double *y,
                             double *out)
{
#pragma GCC ivdep
  for (gsize i = 0; i < n; i++)
    out[i] = a * x[i] + b * y[i];
}

WEIR_SIMD_FORMS (, void, weir_vector_linear_sum,
                 (gsize n, double a, const double *x, double b, const double *y, double *out),
                 (n, a, x, b, y, out))

/* Of @n elements, which the compiler knows the number of: the sums side by side in registers. One
 * by one: what a right-hand side stored so a moment ago is not there yet for a load of two. */
WEIR_SIMD_BODY void
combine_few (gsize n, const double *x, guint m, const double *c, const double *const *v,
             double *out)
{
  double sum[FEW];

  for (gsize i = 0; i < n; i++)
    sum[i] = x != NULL ? x[i] : 0;
  for (guint j = 0; j < m; j++)
    for (gsize i = 0; i < n; i++)
      {
        double term = v[j][i];

#ifdef __x86_64__
        __asm__("" : "+x"(term)); /* else loads become wide again */
#endif
        sum[i] += c[j] * term;
      }
  for (gsize i = 0; i < n; i++)
    out[i] = sum[i];
}

WEIR_SIMD_BODY void
combine_blocks (gsize n, const double *x, guint m, const double *c, const double *const *v,
                double *out)
{
  double sum[BLOCK];

  for (gsize first = 0; first < n; first += BLOCK)
    {
      gsize length = MIN (BLOCK, n - first);

      if (x != NULL)
        memcpy (sum, x + first, length * sizeof *sum);
      else
        memset (sum, 0, length * sizeof *sum);
      for (guint j = 0; j < m; j++)
        {
          const double *term = v[j] + first;
          double factor = c[j];

          for (gsize i = 0; i < length; i++)
            sum[i] += factor * term[i];
        }
      memcpy (out + first, sum, length * sizeof *sum);
    }
}

WEIR_SIMD_BODY void
weir_vector_combine_body (gsize n, const double *x, guint m, const double *c,
                          const double *const *v, double *out)
{
#define OF(count)                                                                                  \
  case count:                                                                                      \
    combine_few (count, x, m, c, v, out);                                                          \
    break;
  switch (n)
    {
      OF (1)
      OF (2)
      OF (3)
      OF (4)
      OF (5)
      OF (6)
      OF (7)
      OF (FEW)
    default:
      combine_blocks (n, x, m, c, v, out);
    }
#undef OF
}

WEIR_SIMD_FORMS (, void, weir_vector_combine,
                 (gsize n, const double *x, guint m, const double *c, const double *const *v,
                  double *out),
                 (n, x, m, c, v, out))

void
weir_vector_hermite (gsize n, double theta, double h, const double *x0, const double *xdot0,
                     const double *x1, const double *xdot1, double *out)
{
  double s = theta * theta * (3 - 2 * theta);
  const double factors[] = { 1 - s, s, h * theta * (1 - theta) * (1 - theta),
                             -h * theta * theta * (1 - theta) };
  const double *terms[] = { x0, x1, xdot0, xdot1 };

  weir_vector_combine (n, NULL, G_N_ELEMENTS (terms), factors, terms, out);
}

WEIR_SIMD_BODY void
weir_vector_error_weights_body (gsize n, const double *x, const double *y, double relative,
                                double absolute, double *w)
{
#pragma GCC ivdep
  for (gsize i = 0; i < n; i++)
    {
      double a = fabs (x[i]), b = fabs (y[i]);

      w[i] = 1.0 / (relative * (a > b ? a : b) + absolute);
    }
}

WEIR_SIMD_FORMS (, void, weir_vector_error_weights,
                 (gsize n, const double *x, const double *y, double relative, double absolute,
                  double *w),
                 (n, x, y, relative, absolute, w))

WEIR_SIMD_BODY double
weir_vector_weighted_square_sum_body (gsize n, const double *x, const double *w)
{
  double s[LANES] = { 0 };
  gsize whole = n - n % LANES;

  for (gsize i = 0; i < whole; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      {
        double e = x[i + k] * w[i + k];

        s[k] += e * e;
      }
  for (gsize i = whole; i < n; i++)
    s[i - whole] += (x[i] * w[i]) * (x[i] * w[i]);
  return add_lanes (s);
}

WEIR_SIMD_FORMS (return, double, weir_vector_weighted_square_sum,
                       (gsize n, const double *x, const double *w), (n, x, w))

double
weir_vector_wrms_norm (gsize n, const double *x, const double *w)
{
  return n == 0 ? 0.0 : sqrt (weir_vector_weighted_square_sum (n, x, w) / (double) n);
}

WEIR_SIMD_BODY double
weir_vector_dot_body (gsize n, const double *x, const double *y)
{
  double s[LANES] = { 0 };
  gsize whole = n - n % LANES;

  for (gsize i = 0; i < whole; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      s[k] += x[i + k] * y[i + k];
  for (gsize i = whole; i < n; i++)
    s[i - whole] += x[i] * y[i];
  return add_lanes (s);
}

WEIR_SIMD_FORMS (return, double, weir_vector_dot, (gsize n, const double *x, const double *y),
                       (n, x, y))

WEIR_SIMD_BODY double
weir_vector_max_norm_body (gsize n, const double *x)
{
  double s[LANES] = { 0 };
  gsize whole = n - n % LANES;
  double largest = 0;

  for (gsize i = 0; i < whole; i += LANES)
    for (gsize k = 0; k < LANES; k++)
      {
        double a = fabs (x[i + k]);

        s[k] = a > s[k] ? a : s[k];
      }
  for (gsize i = whole; i < n; i++)
    largest = fabs (x[i]) > largest ? fabs (x[i]) : largest;
  for (gsize k = 0; whole > 0 && k < LANES; k++)
    largest = s[k] > largest ? s[k] : largest;
  return largest;
}

WEIR_SIMD_FORMS (return, double, weir_vector_max_norm, (gsize n, const double *x), (n, x))
