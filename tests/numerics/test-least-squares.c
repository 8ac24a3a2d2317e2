/* Levenberg's and Marquardt's method and what it says of the unknowns, against certified numbers.
 */
#include "numerics/least-squares.h"

#include <math.h>
#include <string.h>

static gboolean
has_values (guint n_points, gboolean *has_value)
{
  for (guint i = 0; i < n_points; i++)
    has_value[i] = TRUE;
  return TRUE;
}

/* Misra1a of NIST's Statistical Reference Datasets: y = b1 (1 - exp (-b2 x)). */
#define N_MISRA 14

static gboolean
calc_misra (G_GNUC_UNUSED gpointer data, guint n_points, const double *b, double *r,
            gboolean *has_value)
{
  static const double rows[N_MISRA][2] = {
    { 10.07, 77.6 },  { 14.73, 114.9 }, { 17.94, 141.1 }, { 23.93, 190.8 }, { 29.61, 239.9 },
    { 35.18, 289.0 }, { 40.02, 332.8 }, { 44.82, 378.4 }, { 50.76, 434.8 }, { 55.05, 477.3 },
    { 61.01, 536.8 }, { 66.40, 593.1 }, { 75.47, 689.1 }, { 81.78, 760.0 },
  };

  for (guint p = 0; p < n_points; p++)
    for (guint i = 0; i < N_MISRA; i++)
      r[p * N_MISRA + i] = b[2 * p] * (1 - exp (-b[2 * p + 1] * rows[i][1])) - rows[i][0];
  return has_values (n_points, has_value);
}

static WeirLeastSquares
get_misra (void)
{
  static const double lower[] = { 1, 1e-6 }, upper[] = { 1000, 1e-2 }, sizes[] = { 1, 1e-6 };

  return (WeirLeastSquares) { .n = 2,
                              .m = N_MISRA,
                              .evaluate = calc_misra,
                              .lower = lower,
                              .upper = upper,
                              .sizes = sizes,
                              .difference = 1e-5,
                              .tolerance = 1e-10,
                              .most_points = 1000 };
}

/* Parameters, standard deviations and the sum of squares as NIST certifies them, from both of its
 * starts. */
static void
test_misra (void)
{
  static const double starts[2][2] = { { 500, 0.0001 }, { 250, 0.0005 } };
  WeirLeastSquares problem = get_misra ();

  for (guint i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      double b[] = { starts[i][0], starts[i][1] }, covariances[4], s;
      gboolean tellable[2];
      WeirLeastSquaresResult found;

      weir_least_squares_solve (&problem, b, &found);
      g_assert_cmpint (found.outcome, ==, WEIR_LEAST_SQUARES_FOUND);
      g_assert_cmpfloat_with_epsilon (b[0], 2.3894212918e+02, 1e-6);
      g_assert_cmpfloat_with_epsilon (b[1], 5.5015643181e-04, 1e-12);
      g_assert_cmpfloat_with_epsilon (found.sum, 1.2455138894e-01, 1e-11);
      g_assert_cmpuint (
          weir_least_squares_get_covariances (found.jacobian, N_MISRA, 2, covariances, tellable),
          ==, 2);
      g_assert_true (tellable[0] && tellable[1]);
      s = sqrt (found.sum / (N_MISRA - 2));
      g_assert_cmpfloat_with_epsilon (s, 1.0187876330e-01, 1e-10);
      g_assert_cmpfloat_with_epsilon (s * sqrt (covariances[0]), 2.7070075241, 1e-5);
      g_assert_cmpfloat_with_epsilon (s * sqrt (covariances[3]), 7.2668688436e-06, 1e-10);
      weir_least_squares_result_clear (&found);
    }
}

static void
test_spent (void)
{
  WeirLeastSquares problem = get_misra ();
  double b[] = { 500, 0.0001 };
  WeirLeastSquaresResult found;

  problem.most_points = 12;
  weir_least_squares_solve (&problem, b, &found);
  g_assert_cmpint (found.outcome, ==, WEIR_LEAST_SQUARES_SPENT);
  g_assert_cmpuint (found.n_points, <=, 12);
  g_assert_true (isfinite (found.sum));
  weir_least_squares_result_clear (&found);
}

/* (x - 3)^2 + (y + 1)^2 + (x - y - 5)^2 with x from 0 to 2 and y from -10 to 0: x lies on its
 * bound, y = -2 is between -1 and -3. */
static gboolean
calc_plane (G_GNUC_UNUSED gpointer data, guint n_points, const double *x, double *r,
            gboolean *has_value)
{
  for (guint p = 0; p < n_points; p++)
    {
      r[3 * p] = x[2 * p] - 3;
      r[3 * p + 1] = x[2 * p + 1] + 1;
      r[3 * p + 2] = x[2 * p] - x[2 * p + 1] - 5;
    }
  return has_values (n_points, has_value);
}

static void
test_bounds (void)
{
  const double lower[] = { 0, -10 }, upper[] = { 2, 0 }, sizes[] = { 1, 1 };
  const WeirLeastSquares problem = { .n = 2,
                                     .m = 3,
                                     .evaluate = calc_plane,
                                     .lower = lower,
                                     .upper = upper,
                                     .sizes = sizes,
                                     .difference = 1e-4,
                                     .tolerance = 1e-10,
                                     .most_points = 200 };
  double x[] = { 0, 0 };
  WeirLeastSquaresResult found;

  weir_least_squares_solve (&problem, x, &found);
  g_assert_cmpint (found.outcome, ==, WEIR_LEAST_SQUARES_FOUND);
  g_assert_cmpfloat (x[0], ==, 2);
  g_assert_cmpfloat_with_epsilon (x[1], -2, 1e-8);
  weir_least_squares_result_clear (&found);
}

/* Of three columns the last is twice the first: neither is known, the second is, as it would be
 * alone with one of them. */
static void
test_dependent (void)
{
  const double j[] = { 1, 1, 0, 0, 0, 1, 1, 2, 2, 2, 0, 0 };
  double covariances[9];
  gboolean tellable[3];

  g_assert_cmpuint (weir_least_squares_get_covariances (j, 4, 3, covariances, tellable), ==, 2);
  g_assert_false (tellable[0]);
  g_assert_true (tellable[1]);
  g_assert_false (tellable[2]);
  g_assert_true (isnan (covariances[0]) && isnan (covariances[8]));
  /* (J'J)^-1 of {{2, 1}, {1, 6}}. */
  g_assert_cmpfloat_with_epsilon (covariances[4], 2.0 / 11, 1e-14);
}

/* scipy.stats.t.ppf; with one degree of freedom it is tan (pi (u - 1/2)). */
static void
test_student (void)
{
  static const double table[][3] = {
    { 0.975, 1, 12.706204736174705 },  { 0.9, 1, 3.0776835371752527 },
    { 0.975, 2, 4.302652729749462 },   { 0.975, 5, 2.570581835636314 },
    { 0.975, 10, 2.228138851986274 },  { 0.995, 30, 2.7499956535672254 },
    { 0.975, 1e6, 1.959966356814107 }, { 0.025, 10, -2.228138851986274 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpfloat_with_epsilon (weir_student_quantile (table[i][0], table[i][1]), table[i][2],
                                    1e-9 * fabs (table[i][2]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/least-squares/misra", test_misra);
  g_test_add_func ("/numerics/least-squares/spent", test_spent);
  g_test_add_func ("/numerics/least-squares/bounds", test_bounds);
  g_test_add_func ("/numerics/least-squares/dependent", test_dependent);
  g_test_add_func ("/numerics/least-squares/student", test_student);
  return g_test_run ();
}
