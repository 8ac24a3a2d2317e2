/* Vector operations, by themselves and as SUNDIALS calls them. */
#include <math.h>

#include "../seeds.h"
#include "base/finite.h"
#include "base/simd.h"
#include "models.h"
#include "sim/sundials-private.h"
#include "numerics/lanes.h"
#include "numerics/power.h"
#include "numerics/vector.h"

static void
test_vectors (void)
{
  SUNContext sundials;
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (7));

  g_assert_cmpint (SUNContext_Create (NULL, &sundials), ==, 0);
  for (gsize n = 1; n < 600; n += 1 + n / 3)
    {
      g_autofree double *data = g_new (double, 3 * n);
      double square = 0, largest = 0, dot = 0;
      N_Vector x, y, z, packaged;

      for (gsize i = 0; i < 2 * n; i++)
        data[i] = g_rand_double_range (random, -2, 2);
      for (gsize i = 0; i < n; i++)
        {
          square += data[i] * data[n + i] * data[i] * data[n + i];
          dot += data[i] * data[n + i];
          largest = MAX (largest, fabs (data[i]));
        }
      x = weir_nvector_new (n, data, sundials);
      y = weir_nvector_new (n, data + n, sundials);
      z = weir_nvector_new (n, data + 2 * n, sundials);
      packaged = N_VNew_Serial ((sunindextype) n, sundials);
      /* Sums are ordered differently: equal up to rounding. */
      g_assert_cmpfloat_with_epsilon (N_VWrmsNorm (x, y), sqrt (square / (double) n), 1e-13);
      g_assert_cmpfloat_with_epsilon (N_VDotProd (x, y), dot, 1e-11);
      g_assert_cmpfloat (N_VMaxNorm (x), ==, largest);
      /* Element by element: the very bits of the packaged operations. */
      N_VLinearSum (1.25, x, -0.75, y, z);
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat (data[2 * n + i], ==, 1.25 * data[i] + -0.75 * data[n + i]);
      {
        realtype factors[] = { 0.5, -2, 3 };
        N_Vector terms[] = { z, x, y };

        memcpy (N_VGetArrayPointer (packaged), data + 2 * n, n * sizeof (double));
        g_assert_cmpint (N_VLinearCombination (3, factors, terms, z), ==, 0);
        for (gsize i = 0; i < n; i++)
          g_assert_cmpfloat (data[2 * n + i], ==,
                             0.5 * N_VGetArrayPointer (packaged)[i] + -2 * data[i]
                                 + 3 * data[n + i]);
      }
      N_VDestroy (x);
      N_VDestroy (y);
      N_VDestroy (z);
      N_VDestroy (packaged);
    }
  SUNContext_Free (&sundials);
}

/* All operations on n numbers, results one after another. */
static gsize
operate (gsize n, const double *x, const double *y, double *out)
{
  const double *terms[] = { x, y, x, y, y, x, y };
  const double factors[] = { 0.5, -2, 3, 1e-3, 0.1, 7, -1.25 };
  double *next = out;

  weir_vector_linear_sum (n, 1.25, x, -0.75, y, next);
  for (guint m = 0; m <= G_N_ELEMENTS (terms); m++)
    {
      weir_vector_combine (n, NULL, m, factors, terms, next += n);
      weir_vector_combine (n, x, m, factors, terms, next += n);
    }
  memcpy (next += n, x, n * sizeof *x); /* into an operand */
  weir_vector_combine (n, next, 1, factors, (const double *const[]) { next }, next);
  weir_vector_error_weights (n, x, y, 1e-6, 1e-9, next += n);
  next += n;
  *next++ = weir_vector_dot (n, x, y);
  *next++ = weir_vector_weighted_square_sum (n, x, y);
  *next++ = weir_vector_wrms_norm (n, x, y);
  *next++ = weir_vector_max_norm (n, x);
  return (gsize) (next - out);
}

/* Every kind of vector instructions gives the same bits; of results that are not numbers, that they
 * are none. */
static void
test_vector_forms (void)
{
  static const double special[] = { 0.0,       -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1030, INFINITY,
                                    -INFINITY, NAN,  1e300,     -1e300,     1e-300 };
  static double x[300], y[300], out[2][20 * 300 + 4];
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (17));

  for (gsize n = 0; n <= G_N_ELEMENTS (x); n += n < 71 ? 1 : 57)
    for (guint trial = 0; trial < 6; trial++)
      {
        gsize n_results;

        for (gsize i = 0; i < 2 * n; i++)
          (i < n ? x : y)[i % MAX (n, 1)] =
              trial > 1 && g_rand_int_range (random, 0, 6) == 0
                  ? special[g_rand_int_range (random, 0, trial > 3 ? 5 : G_N_ELEMENTS (special))]
                  : g_rand_double_range (random, -2, 2);
        weir_simd = WEIR_SIMD_SSE2;
        n_results = operate (n, x, y, out[0]);
        weir_simd = weir_simd_get_best ();
        g_assert_cmpuint (operate (n, x, y, out[1]), ==, n_results);
        for (gsize i = 0; i < n_results; i++)
          g_assert_true (memcmp (&out[0][i], &out[1][i], sizeof (double)) == 0
                         || (isnan (out[0][i]) && isnan (out[1][i])));
      }
}

/* Of many members at once each as of one, whatever the instructions. */
static void
test_powers (void)
{
  enum { N = 3 * WEIR_LANES_AT_ONCE };
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (32));

  for (guint trial = 0; trial < 2000; trial++)
    {
      double x[N] __attribute__ ((aligned (64))), y[N] __attribute__ ((aligned (64)));
      double found[N] __attribute__ ((aligned (64)));
      double a = g_rand_double_range (random, -1, 1), b = g_rand_double_range (random, -0.5, 0.5);

      for (guint l = 0; l < N; l++)
        {
          x[l] = pow (10, g_rand_double_range (random, -10, 10));
          y[l] = trial % 2 == 0 ? x[l] : pow (10, g_rand_double_range (random, -10, 10));
        }
      weir_simd = trial % 4 < 2 ? WEIR_SIMD_SSE2 : weir_simd_get_best ();
      weir_lanes_multiply_powers ((WeirLaneShape) { 1, N, N }, x, a, y, b, found);
      weir_simd = weir_simd_get_best ();
      for (guint l = 0; l < N; l++)
        {
          double alone = weir_product_of_powers (x[l], a, y[l], b);

          g_assert_cmpmem (&found[l], sizeof alone, &alone, sizeof alone);
          g_assert_cmpfloat_with_epsilon (alone / (pow (x[l], a) * pow (y[l], b)), 1, 3e-8);
        }
    }
}

/* The norm is the same wherever the vector begins, and a clone keeps the operations. */
static void
test_vector_clone (void)
{
  SUNContext sundials;
  double data[] = { 3, 4 };
  N_Vector x, copy;

  g_assert_cmpint (SUNContext_Create (NULL, &sundials), ==, 0);
  x = weir_nvector_new (2, data, sundials);
  copy = N_VClone (x);
  g_assert_true (copy->ops->nvwrmsnorm == x->ops->nvwrmsnorm);
  g_assert_true (copy->ops->nvlinearcombination == x->ops->nvlinearcombination);
  N_VDestroy (copy);
  N_VDestroy (x);
  SUNContext_Free (&sundials);
}

static void
test_finite (void)
{
  const double bad[] = { NAN, -NAN, INFINITY, -INFINITY };
  double x[40];

  for (gsize n = 0; n < G_N_ELEMENTS (x); n++)
    for (gsize place = 0; place <= n; place++)
      for (guint k = 0; k < G_N_ELEMENTS (bad); k++)
        {
          for (gsize i = 0; i < n; i++)
            x[i] = i % 2 == 0 ? G_MAXDOUBLE : -G_MAXDOUBLE;
          if (place < n)
            x[place] = bad[k];
          g_assert_cmpint (weir_all_finite (n, x), ==, place == n);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/vectors/operations", test_vectors);
  g_test_add_func ("/sim/vectors/forms", test_vector_forms);
  g_test_add_func ("/sim/vectors/powers", test_powers);
  g_test_add_func ("/sim/vectors/clone", test_vector_clone);
  g_test_add_func ("/sim/vectors/finite", test_finite);
  return g_test_run ();
}
