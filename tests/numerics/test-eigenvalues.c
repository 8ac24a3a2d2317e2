/* Eigenvalues of matrices for which they are known. */
#include <complex.h>
#include <math.h>

#include "numerics/eigenvalues.h"

#define J ((double complex) I)

static void
assert_eigenvalues (guint n, const double *matrix, const double complex *expected, double tolerance)
{
  g_autofree double *copy = g_memdup2 (matrix, (gsize) n * n * sizeof *copy);
  g_autofree double *re = g_new0 (double, n);
  g_autofree double *im = g_new0 (double, n);
  g_autofree gboolean *taken = g_new0 (gboolean, n);

  g_assert_true (weir_find_eigenvalues (n, copy, re, im));
  for (guint i = 0; i < n; i++)
    {
      guint best = n;

      for (guint k = 0; k < n; k++)
        if (!taken[k]
            && (best == n
                || cabs (expected[k] - re[i] - J * im[i])
                       < cabs (expected[best] - re[i] - J * im[i])))
          best = k;
      taken[best] = TRUE;
      g_assert_cmpfloat (cabs (expected[best] - re[i] - J * im[i]), <=, tolerance);
      g_assert_true (i == 0 || re[i] <= re[i - 1]);
    }
}

static void
test_eigenvalues (void)
{
  enum { CHAIN = 40 };
  static const double companion[] = { 10, -35, 50, -24, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
  static const double complex one_to_four[] = { 1, 2, 3, 4 };
  static const double turn[] = { 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0 };
  static const double complex unit_roots[] = { 1, -1, J, -J };
  static const double badly_scaled[] = { 1, 1e12, 0, 1e-12, 2, 1e9, 0, 1e-9, 3 };
  static const double undamped[] = { 0, 0, 1, 0, 0, 0, 0, 1, -1, 0, 0, 0.2, 0, -1, -0.2, 0 };
  double slow = sqrt (1.01) - 0.1, fast = sqrt (1.01) + 0.1;
  const double complex swings[] = { slow * J, -slow * J, fast * J, -fast * J };
  const double complex scaled[] = { 2 - sqrt (3), 2, 2 + sqrt (3) };
  g_autofree double *chain = g_new0 (double, (gsize) CHAIN *CHAIN);
  double complex expected[CHAIN];
  double re, im;

  assert_eigenvalues (4, companion, one_to_four, 1e-11); /* (x - 1) (x - 2) (x - 3) (x - 4) */
  assert_eigenvalues (4, turn, unit_roots, 1e-14);
  assert_eigenvalues (3, badly_scaled, scaled, 1e-13);
  assert_eigenvalues (4, undamped, swings, 1e-14);
  for (guint i = 0; i < CHAIN; i++) /* the second difference */
    {
      chain[i * CHAIN + i] = -2;
      if (i > 0)
        chain[i * CHAIN + i - 1] = chain[(i - 1) * CHAIN + i] = 1;
      expected[i] = -2 + 2 * cos (G_PI * (i + 1) / (CHAIN + 1));
    }
  assert_eigenvalues (CHAIN, chain, expected, 1e-13);
  g_assert_true (weir_find_eigenvalues (0, NULL, &re, &im));
  g_assert_false (weir_find_eigenvalues (1, (double[]) { NAN }, &re, &im));
}

/* Wilkinson's W21+: 10, 9, ..., 0, ..., 10 on the diagonal between ones. The two largest are
 * 10.746194182903322 and 10.746194182903393 (Wilkinson, The Algebraic Eigenvalue Problem, 1965,
 * p. 309), and all sum to the trace. */
static void
test_wilkinson (void)
{
  enum { N = 21 };
  double a[N * N] = { 0 }, re[N], im[N], sum = 0;

  for (guint i = 0; i < N; i++)
    {
      a[i * N + i] = fabs (10.0 - i);
      if (i > 0)
        a[i * N + i - 1] = a[(i - 1) * N + i] = 1;
    }
  g_assert_true (weir_find_eigenvalues (N, a, re, im));
  g_assert_cmpfloat_with_epsilon (re[0], 10.746194182903393, 1e-13);
  g_assert_cmpfloat_with_epsilon (re[1], 10.746194182903322, 1e-13);
  for (guint i = 0; i < N; i++)
    {
      g_assert_cmpfloat (im[i], ==, 0);
      sum += re[i];
    }
  g_assert_cmpfloat_with_epsilon (sum, 110, 1e-12);
}

/* A triple eigenvalue with one eigenvector: a third of the digits can be had. */
static void
test_defective (void)
{
  double a[] = { 2, 1, 0, 0, 2, 1, 1e-15, 0, 2 }, re[3], im[3];

  g_assert_true (weir_find_eigenvalues (3, a, re, im));
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (hypot (re[i] - 2, im[i]), <=, 2e-5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/eigenvalues/known", test_eigenvalues);
  g_test_add_func ("/numerics/eigenvalues/wilkinson", test_wilkinson);
  g_test_add_func ("/numerics/eigenvalues/defective", test_defective);
  return g_test_run ();
}
