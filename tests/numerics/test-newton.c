/* Newton's method, against closed forms. */
#include "numerics/newton.h"

#include <float.h>
#include <math.h>

#define MOST 4

static WeirNewtonOutcome
solve (WeirResidualFunc func, guint n, double *x, gboolean is_linear)
{
  WeirNewton newton = { .residual = func, .band = weir_band_dense (n), .is_linear = is_linear };
  double work[MOST * MOST + 6 * MOST];

  g_assert_cmpuint (weir_newton_get_work_size (&newton.band, 0), <=, G_N_ELEMENTS (work));
  return weir_newton_solve (&newton, x, work);
}

static void
calc_nothing (G_GNUC_UNUSED gpointer data, G_GNUC_UNUSED const double *x,
              G_GNUC_UNUSED double *residuals, G_GNUC_UNUSED double *jacobian)
{
}

/* x^2 = 2 */
static void
calc_root (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * x[0] - 2;
  if (jacobian != NULL)
    jacobian[0] = 2 * x[0];
}

/* From beyond 1.39 whole steps lead ever further away. */
static void
calc_atan (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = atan (x[0]);
  if (jacobian != NULL)
    jacobian[0] = 1 / (1 + x[0] * x[0]);
}

/* Rosenbrock's: (1, 1) */
static void
calc_valley (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = 10 * (x[1] - x[0] * x[0]);
  residuals[1] = 1 - x[0];
  if (jacobian == NULL)
    return;
  jacobian[0] = -20 * x[0];
  jacobian[1] = 10;
  jacobian[2] = -1;
  jacobian[3] = 0;
}

/* Unknowns of very different size, each to its own last digits: x^3 = 0.008, y = 1e12. */
static void
calc_sizes (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * x[0] * x[0] - 8e-3;
  residuals[1] = x[1] - 1e12;
  if (jacobian == NULL)
    return;
  jacobian[0] = 3 * x[0] * x[0];
  jacobian[1] = jacobian[2] = 0;
  jacobian[3] = 1;
}

/* x + 1e24 x^3 = 2e-12: 1e-12, from where the first step is far less than 1e-13. */
static void
calc_small (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] + 1e24 * x[0] * x[0] * x[0] - 2e-12;
  if (jacobian != NULL)
    jacobian[0] = 1 + 3e24 * x[0] * x[0];
}

/* x |x| = 0 is a double root: each step is half of the one before, and beside 1 enough is enough.
 */
static void
calc_double (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * fabs (x[0]);
  if (jacobian != NULL)
    jacobian[0] = 2 * fabs (x[0]);
}

/* d / (d^2 + 1)^(1/4), d = x - 10000, as turbulent flow goes with pressure: each whole step leads
 * as far to the other side. */
static void
calc_orifice (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  double d = x[0] - 1e4, s = d * d + 1;

  residuals[0] = d / sqrt (sqrt (s));
  if (jacobian != NULL)
    jacobian[0] = (s - d * d / 2) / (s * sqrt (sqrt (s)));
}

/* 1e9 q |q| = 1e5, and twice that in series: x1 |x1| + x2 |x2| = 2e-4, x1 = x2. */
static void
calc_pipe (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = 1e9 * x[0] * fabs (x[0]) - 1e5;
  if (jacobian != NULL)
    jacobian[0] = 2e9 * fabs (x[0]);
}

static void
calc_pipes (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * fabs (x[0]) + x[1] * fabs (x[1]) - 2e-4;
  residuals[1] = x[0] - x[1];
  if (jacobian == NULL)
    return;
  jacobian[0] = 2 * fabs (x[0]);
  jacobian[1] = 2 * fabs (x[1]);
  jacobian[2] = 1;
  jacobian[3] = -1;
}

static void
calc_pair (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[1] - 3;
  residuals[1] = 2 * x[0] + x[1] - 4;
  if (jacobian == NULL)
    return;
  jacobian[0] = 0;
  jacobian[1] = jacobian[3] = 1;
  jacobian[2] = 2;
}

static void
calc_dependent (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] + x[1] - 1;
  residuals[1] = 2 * (x[0] + x[1]) - 3;
  if (jacobian == NULL)
    return;
  jacobian[0] = jacobian[1] = 1;
  jacobian[2] = jacobian[3] = 2;
}

static void
calc_none (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * x[0] + 1;
  if (jacobian != NULL)
    jacobian[0] = 2 * x[0];
}

static void
calc_log (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = log (x[0]);
  if (jacobian != NULL)
    jacobian[0] = 1 / x[0];
}

static void
test_roots (void)
{
  double one = 1, far = 20, valley[] = { -1.2, 1 }, sizes[] = { 1, 0 };

  g_assert_cmpint (solve (calc_root, 1, &one, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (one, sqrt (2), 2 * DBL_EPSILON);
  g_assert_cmpint (solve (calc_atan, 1, &far, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (far, 0, 1e-13);
  g_assert_cmpint (solve (calc_valley, 2, valley, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (valley[0], 1, 1e-14);
  g_assert_cmpfloat_with_epsilon (valley[1], 1, 1e-14);
  g_assert_cmpint (solve (calc_sizes, 2, sizes, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (sizes[0], 0.2, 1e-15);
  g_assert_cmpfloat (sizes[1], ==, 1e12);
}

/* What is small is solved for to its own last digits too, also from close by. */
static void
test_small (void)
{
  double near = 1.05e-12, far = 1, twice = 1;

  g_assert_cmpint (solve (calc_small, 1, &near, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (near, 1e-12, 1e-26);
  g_assert_cmpint (solve (calc_small, 1, &far, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (far, 1e-12, 1e-26);
  g_assert_cmpint (solve (calc_double, 1, &twice, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (twice, 0, 1e-13);
}

/* Over a root of a root, whose slopes fall off; and from where there is no slope. */
static void
test_flat (void)
{
  double p = 0, q = 0, pair[] = { 0, 0 };

  g_assert_cmpint (solve (calc_orifice, 1, &p, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (p, 1e4, 1e-8);
  g_assert_cmpint (solve (calc_pipe, 1, &q, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (q, 1e-2, 1e-15);
  g_assert_cmpint (solve (calc_pipes, 2, pair, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (pair[0], 1e-2, 1e-15);
  g_assert_cmpfloat_with_epsilon (pair[1], 1e-2, 1e-15);
}

/* i = Is (exp (v/Vt) - 1) through 1 ohm at 1000 V: from 0 the first step would be to exp (38683).
 */
#define DIODE_IS 1e-14
#define DIODE_VT 0.025852

static guint n_calls;

static void
calc_diode (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  double i = DIODE_IS * exp (x[0] / DIODE_VT);

  n_calls++;
  residuals[0] = 1000 - x[0] - (i - DIODE_IS);
  residuals[1] = x[0] / DIODE_VT;
  residuals[2] = -DIODE_IS / DIODE_VT;
  if (jacobian != NULL)
    jacobian[0] = -1 - i / DIODE_VT;
}

/* The current alone makes v = Vt log (1000 / Is), and the 1.01 V that then are missing there, one
 * more step of log. */
static void
test_exponents (void)
{
  const guint32 row = 0;
  WeirNewton newton = {
    .residual = calc_diode, .band = weir_band_dense (1), .n_exponents = 1, .exponent_rows = &row
  };
  double work[16], v = 0, expected = DIODE_VT * log (1000 / DIODE_IS);

  g_assert_cmpuint (weir_newton_get_work_size (&newton.band, 1), <=, G_N_ELEMENTS (work));
  for (guint k = 0; k < 20; k++)
    expected = DIODE_VT * log ((1000 - expected) / DIODE_IS + 1);
  n_calls = 0;
  g_assert_cmpint (weir_newton_solve (&newton, &v, work), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (v, expected, 1e-13);
  g_test_message ("%u residuals", n_calls);
  g_assert_cmpuint (n_calls, <=, 20);
}

/* x^3 - x = 0.4 from the fold at -1 / sqrt (3), where the left branch has just ended. */
static void
calc_fold (G_GNUC_UNUSED gpointer data, const double *x, double *residuals, double *jacobian)
{
  residuals[0] = x[0] * x[0] * x[0] - x[0] - 0.4;
  if (jacobian != NULL)
    jacobian[0] = 3 * x[0] * x[0] - 1;
}

static void
test_leaps (void)
{
  WeirNewton newton = { .residual = calc_fold, .band = weir_band_dense (1) };
  double work[16], x = -0.6;

  g_assert_cmpint (weir_newton_solve (&newton, &x, work), ==, WEIR_NEWTON_STALLED);
  newton.n_leaps = 6;
  x = -0.6;
  g_assert_cmpint (weir_newton_solve (&newton, &x, work), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat_with_epsilon (x, 2 / sqrt (3) * cosh (acosh (0.6 * sqrt (3)) / 3), 1e-13);
}

/* Of linear ones one step is enough, and zero pivots are exchanged away. */
static void
test_linear (void)
{
  double x[] = { 100, -100 }, y[] = { 100, -100 };

  g_assert_cmpint (solve (calc_pair, 2, x, TRUE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat (x[0], ==, 0.5);
  g_assert_cmpfloat (x[1], ==, 3);
  g_assert_cmpint (solve (calc_pair, 2, y, FALSE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpfloat (y[0], ==, 0.5);
  g_assert_cmpfloat (y[1], ==, 3);
  g_assert_cmpint (solve (calc_nothing, 0, NULL, TRUE), ==, WEIR_NEWTON_CONVERGED);
  g_assert_cmpint (solve (calc_nothing, 0, NULL, FALSE), ==, WEIR_NEWTON_CONVERGED);
}

static void
test_failures (void)
{
  double pair[] = { 0, 0 }, x = 1, start = -1, number = NAN, flat = 0;

  g_assert_cmpint (solve (calc_dependent, 2, pair, TRUE), ==, WEIR_NEWTON_SINGULAR);
  g_assert_cmpint (solve (calc_dependent, 2, pair, FALSE), ==, WEIR_NEWTON_SINGULAR);
  g_assert_cmpint (solve (calc_none, 1, &flat, FALSE), ==, WEIR_NEWTON_SINGULAR);
  g_assert_cmpfloat (flat, ==, 0);
  x = 0.7;
  g_assert_cmpint (solve (calc_none, 1, &x, FALSE), ==, WEIR_NEWTON_STALLED);
  g_assert_cmpint (solve (calc_log, 1, &start, FALSE), ==, WEIR_NEWTON_NOT_FINITE);
  g_assert_cmpint (solve (calc_root, 1, &number, FALSE), ==, WEIR_NEWTON_NOT_FINITE);
  for (WeirNewtonOutcome k = WEIR_NEWTON_CONVERGED; k <= WEIR_NEWTON_NOT_FINITE; k++)
    g_assert_nonnull (weir_newton_outcome_to_string (k));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/newton/roots", test_roots);
  g_test_add_func ("/numerics/newton/small", test_small);
  g_test_add_func ("/numerics/newton/flat", test_flat);
  g_test_add_func ("/numerics/newton/exponents", test_exponents);
  g_test_add_func ("/numerics/newton/leaps", test_leaps);
  g_test_add_func ("/numerics/newton/linear", test_linear);
  g_test_add_func ("/numerics/newton/failures", test_failures);
  return g_test_run ();
}
