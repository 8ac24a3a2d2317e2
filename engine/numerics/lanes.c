/* Arithmetic on many vectors at once. See lanes.h; compiled with -O3 so that lanes are vectorised.
 *
 * Eight lanes at a time go through all elements, so that what is kept for each of them (factors,
 * sums) stays in registers or close by.
 */
#include "numerics/lanes.h"

#include <math.h>
#include <string.h>

#include "base/simd.h"

#define AT_ONCE WEIR_LANES_AT_ONCE
#define MAX_TERMS 16
#define SUMS 8 /* of a norm: as vector.c has them */

#define FOREACH_LANE(q) for (gsize q = 0; q < AT_ONCE; q++)

/* The sums of eight vectors at element @at, from @s on. */
WEIR_SIMD_BODY void
add_terms (guint m, double f[][AT_ONCE], const double *const *v, gsize at, double *s)
{
  for (guint j = 0; j < m; j++)
    {
      const double *term = v[j] + at;

      FOREACH_LANE (q) s[q] += f[j][q] * term[q];
    }
}

WEIR_SIMD_BODY void
combine (WeirLaneShape shape, const double *x, guint m, double f[][AT_ONCE], const double *const *v,
         gsize l, double *out)
{
  for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
    {
      double s[AT_ONCE];

      FOREACH_LANE (q) s[q] = x != NULL ? x[at + q] : 0;
      add_terms (m, f, v, at, s);
      FOREACH_LANE (q) out[at + q] = s[q];
    }
}

WEIR_SIMD_BODY void
scale (guint m, const double *c, const double *h, double f[][AT_ONCE])
{
  for (guint j = 0; j < m; j++)
    FOREACH_LANE (q) f[j][q] = h[q] * c[j];
}

WEIR_SIMD_BODY void
weir_lanes_step_body (WeirLaneShape shape, const double *x, guint m, const double *c,
                      const double *h, const double *const *v, double *out)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      double f[MAX_TERMS][AT_ONCE];

      scale (m, c, h + l, f);
      combine (shape, x, m, f, v, l, out);
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
      double f[MAX_TERMS][AT_ONCE];

      for (guint j = 0; j < m; j++)
        FOREACH_LANE (q) f[j][q] = c[j * shape.width + l + q];
      combine (shape, x, m, f, v, l, out);
    }
}

WEIR_SIMD_FORMS (, void, weir_lanes_combine,
                 (WeirLaneShape shape, const double *x, guint m, const double *c,
                  const double *const *v, double *out),
                 (shape, x, m, c, v, out))

/* --- Norms ----------------------------------------------------------------------------------- */

/* Adds element @i of what @e is off by, weighted, to the sums. */
WEIR_SIMD_BODY void
add_square (const double *e, const double *x, const double *y, double relative, double absolute,
            double *s)
{
  FOREACH_LANE (q)
  {
    double a = fabs (x[q]), b = fabs (y[q]);
    double w = 1.0 / (relative * (a > b ? a : b) + absolute);
    double p = e[q] * w;

    s[q] += p * p;
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
weir_lanes_error_norm_body (WeirLaneShape shape, const double *x, const double *y, guint m,
                            const double *c, const double *h, const double *const *v,
                            double relative, double absolute, double *norm)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    {
      double f[MAX_TERMS][AT_ONCE], s[SUMS][AT_ONCE], nothing[AT_ONCE] = { 0 };

      memset (s, 0, sizeof s);
      scale (m, c, h + l, f);
      for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
        {
          double e[AT_ONCE] = { 0 };

          add_terms (m, f, v, at, e);
          add_square (e, x + at, y + at, relative, absolute, s[i % SUMS]);
          FOREACH_LANE (q) nothing[q] += y[at + q] * 0;
        }
      end_norm (shape.n, s, norm + l);
      FOREACH_LANE (q) norm[l + q] += nothing[q];
    }
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
      double s[SUMS][AT_ONCE];

      memset (s, 0, sizeof s);
      for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
        {
          double e[AT_ONCE];

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
weir_lanes_take_body (WeirLaneShape shape, const double *takes, const double *from, double *to)
{
  for (gsize l = 0; l < shape.n_lanes; l += AT_ONCE)
    for (gsize i = 0, at = l; i < shape.n; i++, at += shape.width)
      FOREACH_LANE (q)
      {
        double a = from[at + q], b = to[at + q];

        to[at + q] = takes[l + q] != 0 ? a : b;
      }
}

WEIR_SIMD_FORMS (, void, weir_lanes_take,
                 (WeirLaneShape shape, const double *takes, const double *from, double *to),
                 (shape, takes, from, to))
