/* Arithmetic on many vectors at once. See lanes.h; compiled with -O3 so that lanes are vectorised.
 *
 * Eight lanes at a time go through all elements, so that what is kept for each of them (factors,
 * sums) stays in registers or close by.
 */
#include "numerics/lanes.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"
#include "numerics/power.h"

#define AT_ONCE WEIR_LANES_AT_ONCE
#define MAX_TERMS 16
#define SUMS 8 /* of a norm: as vector.c has them */

/* Eight lanes are two of these, which stay in registers where an array would not. */
typedef double Four __attribute__ ((vector_size (32), may_alias));

typedef gint64 FourBits __attribute__ ((vector_size (32), may_alias));

#define FOUR(p) (*(Four *) (void *) (p))
#define CONST_FOUR(p) (*(const Four *) (const void *) (p))
#define FOREACH_LANE(q) for (gsize q = 0; q < AT_ONCE; q++)

/* @s0, @s1: += the sums of eight vectors at element @at */
#define ADD_TERMS(m, f, v, at, s0, s1)                                                             \
  for (guint j = 0; j < (m); j++)                                                                  \
    {                                                                                              \
      const double *term = (v)[j] + (at);                                                          \
                                                                                                   \
      s0 += (f)[j][0] * CONST_FOUR (term);                                                         \
      s1 += (f)[j][1] * CONST_FOUR (term + 4);                                                     \
    }

WEIR_SIMD_BODY void
combine (WeirLaneShape shape, const double *x, guint m, Four f[][2], const double *const *v,
         gsize l, double *out)
{
  for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
    {
      Four s0 = { 0 }, s1 = { 0 };

      if (x != NULL)
        {
          s0 = CONST_FOUR (x + at);
          s1 = CONST_FOUR (x + at + 4);
        }
      ADD_TERMS (m, f, v, at, s0, s1)
      FOUR (out + at) = s0;
      FOUR (out + at + 4) = s1;
    }
}

WEIR_SIMD_BODY void
scale (guint m, const double *c, const double *h, Four f[][2])
{
  for (guint j = 0; j < m; j++)
    {
      f[j][0] = CONST_FOUR (h) * c[j];
      f[j][1] = CONST_FOUR (h + 4) * c[j];
    }
}

WEIR_SIMD_BODY void
step_of (WeirLaneShape shape, const double *x, guint m, const double *c, const double *h,
         const double *const *v, double *out)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      Four f[MAX_TERMS][2];

      scale (m, c, h + l, f);
      combine (shape, x, m, f, v, l, out);
    }
}

/* A few terms are computed without loops over them, their factors in registers. */
WEIR_SIMD_BODY void
weir_lanes_step_body (WeirLaneShape shape, const double *x, guint m, const double *c,
                      const double *h, const double *const *v, double *out)
{
  switch (m)
    {
    case 1:
      step_of (shape, x, 1, c, h, v, out);
      break;
    case 2:
      step_of (shape, x, 2, c, h, v, out);
      break;
    case 3:
      step_of (shape, x, 3, c, h, v, out);
      break;
    case 4:
      step_of (shape, x, 4, c, h, v, out);
      break;
    case 5:
      step_of (shape, x, 5, c, h, v, out);
      break;
    case 6:
      step_of (shape, x, 6, c, h, v, out);
      break;
    default:
      step_of (shape, x, m, c, h, v, out);
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_step,
                 (WeirLaneShape shape, const double *x, guint m, const double *c, const double *h,
                  const double *const *v, double *out),
                 (shape, x, m, c, h, v, out))

WEIR_SIMD_BODY void
weir_lanes_combine_body (WeirLaneShape shape, const double *x, guint m, const double *c,
                         const double *const *v, double *out)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      Four f[MAX_TERMS][2];

      for (guint j = 0; j < m; j++)
        {
          f[j][0] = CONST_FOUR (c + j * shape.width + l);
          f[j][1] = CONST_FOUR (c + j * shape.width + l + 4);
        }
      combine (shape, x, m, f, v, l, out);
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_combine,
                 (WeirLaneShape shape, const double *x, guint m, const double *c,
                  const double *const *v, double *out),
                 (shape, x, m, c, v, out))

/* --- Norms ----------------------------------------------------------------------------------- */

/* Adds what @e is off by, weighted, to the sums. */
WEIR_SIMD_BODY void
add_square (const double *e, const double *x, const double *y, double relative, double absolute,
            double *s)
{
  const FourBits all_but_sign = { G_MAXINT64, G_MAXINT64, G_MAXINT64, G_MAXINT64 };

  for (guint q = 0; q < AT_ONCE; q += 4)
    {
      Four a = (Four) ((FourBits) CONST_FOUR (x + q) & all_but_sign);
      Four b = (Four) ((FourBits) CONST_FOUR (y + q) & all_but_sign);
      FourBits is_larger = a > b;
      Four larger = (Four) (((FourBits) a & is_larger) | ((FourBits) b & ~is_larger));
      Four p = CONST_FOUR (e + q) * (1.0 / (relative * larger + absolute));

      FOUR (s + q) += p * p;
    }
}

WEIR_SIMD_BODY void
end_norm (gsize n, double s[][AT_ONCE], double *norm)
{
  FOREACH_LANE (q)
  norm[q] = sqrt (
      (((s[0][q] + s[4][q]) + (s[2][q] + s[6][q])) + ((s[1][q] + s[5][q]) + (s[3][q] + s[7][q])))
      / (double) n);
}

WEIR_SIMD_BODY void
error_norm_of (WeirLaneShape shape, const double *x, const double *y, guint m, const double *c,
               const double *h, const double *const *v, double relative, double absolute,
               double *norm)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      Four f[MAX_TERMS][2];
      double s[SUMS][AT_ONCE] __attribute__ ((aligned (32))), nothing[AT_ONCE] = { 0 };

      memset (s, 0, sizeof s);
      scale (m, c, h + l, f);
      for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
        {
          Four e0 = { 0 }, e1 = { 0 };
          double e[AT_ONCE] __attribute__ ((aligned (32)));

          ADD_TERMS (m, f, v, at, e0, e1)
          FOUR (e) = e0;
          FOUR (e + 4) = e1;
          add_square (e, x + at, y + at, relative, absolute, s[i % SUMS]);
          FOREACH_LANE (q) nothing[q] += y[at + q] * 0;
        }
      end_norm (shape.n, s, norm + l);
      FOREACH_LANE (q) norm[l + q] += nothing[q];
    }
}

/* That of Dormand and Prince has seven terms. */
WEIR_SIMD_BODY void
weir_lanes_error_norm_body (WeirLaneShape shape, const double *x, const double *y, guint m,
                            const double *c, const double *h, const double *const *v,
                            double relative, double absolute, double *norm)
{
  if (m == 7)
    error_norm_of (shape, x, y, 7, c, h, v, relative, absolute, norm);
  else
    error_norm_of (shape, x, y, m, c, h, v, relative, absolute, norm);
}

WEIR_SIMD_FORMS (, void, weir_lanes_error_norm,
                 (WeirLaneShape shape, const double *x, const double *y, guint m, const double *c,
                  const double *h, const double *const *v, double relative, double absolute,
                  double *norm),
                 (shape, x, y, m, c, h, v, relative, absolute, norm))

WEIR_SIMD_BODY void
weir_lanes_distance_body (WeirLaneShape shape, const double *a, const double *b, const double *x,
                          const double *y, double relative, double absolute, double *norm)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      double s[SUMS][AT_ONCE] __attribute__ ((aligned (32)));

      memset (s, 0, sizeof s);
      for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
        {
          double e[AT_ONCE] __attribute__ ((aligned (32)));

          FOREACH_LANE (q) e[q] = 1 * a[at + q] + -1 * b[at + q];
          add_square (e, x + at, y + at, relative, absolute, s[i % SUMS]);
        }
      end_norm (shape.n, s, norm + l);
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_distance,
                 (WeirLaneShape shape, const double *a, const double *b, const double *x,
                  const double *y, double relative, double absolute, double *norm),
                 (shape, a, b, x, y, relative, absolute, norm))

/* --- Lanes by themselves --------------------------------------------------------------------- */

WEIR_SIMD_BODY void
weir_lanes_test_finite_body (WeirLaneShape shape, const double *x, double *sum)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      double s[AT_ONCE] = { 0 };

      for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
        FOREACH_LANE (q) s[q] += x[at + q] * 0;
      FOREACH_LANE (q) sum[l + q] = s[q];
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_test_finite,
                 (WeirLaneShape shape, const double *x, double *sum), (shape, x, sum))

WEIR_SIMD_BODY void
weir_lanes_times_body (WeirLaneShape shape, const double *t, double c, const double *h,
                       const double *last, double *sum)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    FOREACH_LANE (q)
    {
      double at = t[l + q] + c * h[l + q];

      sum[l + q] = MIN (at, last[l + q]);
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_times,
                 (WeirLaneShape shape, const double *t, double c, const double *h,
                  const double *last, double *sum),
                 (shape, t, c, h, last, sum))

WEIR_SIMD_BODY void
weir_lanes_multiply_powers_body (WeirLaneShape shape, const double *x, double a, const double *y,
                                 double b, double *product)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    FOREACH_LANE (q)
  product[l + q] = weir_product_of_powers (x[l + q], a, y[l + q], b);
}

WEIR_SIMD_FORMS (, void, weir_lanes_multiply_powers,
                 (WeirLaneShape shape, const double *x, double a, const double *y, double b,
                  double *product),
                 (shape, x, a, y, b, product))

WEIR_SIMD_BODY void
weir_lanes_take_body (WeirLaneShape shape, const double *takes, const double *from, double *to)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
      for (guint q = 0; q < AT_ONCE; q += 4)
        {
          FourBits is_taken = CONST_FOUR (takes + l + q) != 0;
          FourBits a = (FourBits) CONST_FOUR (from + at + q), b = (FourBits) FOUR (to + at + q);

          FOUR (to + at + q) = (Four) ((a & is_taken) | (b & ~is_taken));
        }
}

WEIR_SIMD_FORMS (, void, weir_lanes_take,
                 (WeirLaneShape shape, const double *takes, const double *from, double *to),
                 (shape, takes, from, to))
