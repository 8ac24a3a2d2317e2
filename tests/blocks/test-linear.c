/* Linear systems, continuous and discrete, and controllers against closed forms. */
#include "run-fixture.h"

/* --- Linear systems -------------------------------------------------------------------------- */

/* 1 / (s^2 + 2 z w s + w^2) of a unit step. */
static double
oscillation (double t, double w, double z)
{
  double wd = w * sqrt (1 - z * z);

  return (1 - exp (-z * w * t) * (cos (wd * t) + z * w / wd * sin (wd * t))) / (w * w);
}

static void
test_second_order (void)
{
  /* m 1, c 0.4, k 4 as four blocks say it. */
  Run forms[] = {
    driven (UNIT, "TransferFunction", PAIRS ("denominator", "[2, 0.8, 8]", "numerator", "[0, 2]"),
            "u"),
    driven (UNIT, "StateSpace", PAIRS ("a", "[0, 1; -4, -0.4]", "b", "[0; 1]", "c", "[1, 0]"), "u"),
    driven (UNIT, "SecondOrderLag", PAIRS ("gain", "0.25", "frequency", "2", "damping", "0.1"),
            "u"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      for (double t = 0.5; t < 5; t += 0.5)
        {
          advance (&forms[i], t);
          g_assert_cmpfloat_with_epsilon (value (&forms[i], "Block"), oscillation (t, 2, 0.1),
                                          SOLVED);
        }
      run_clear (&forms[i]);
    }
}

/* (2 s + 3) / (s + 1) = 2 + 1 / (s + 1): a step gives 3 - exp (-t), 2 of it at once. */
static void
test_proper (void)
{
  Run run = driven (UNIT, "TransferFunction",
                    PAIRS ("numerator", "[2, 3]", "denominator", "[1, 1]", "initial", "0"), "u");

  advance (&run, 0);
  g_assert_cmpfloat (value (&run, "Block"), ==, 2);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 3 - exp (-1.5), SOLVED);
  run_clear (&run);
}

static void
test_lag (void)
{
  Run run = driven (UNIT, "Lag", PAIRS ("gain", "3", "time-constant", "0.5", "initial", "1"), "u");

  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 3 - 2 * exp (-2.0), SOLVED);
  run_clear (&run);
}

/* x_{n+1} = x_n / 2 + 1 from 0 is 2 (1 - 2^-n), exact in binary; after the instant of update n
 * - 1. */
static void
test_discrete_linear (void)
{
  Run forms[] = {
    driven (UNIT, "DiscreteStateSpace", PAIRS ("a", "0.5", "period", "0.1"), "u"),
    driven (UNIT, "DiscreteTransferFunction",
            PAIRS ("numerator", "[1]", "denominator", "[1, -0.5]", "period", "0.1"), "u"),
  };

  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      for (guint n = 1; n < 30; n++)
        {
          advance (&forms[i], (n - 0.5) * 0.1);
          g_assert_cmpfloat (value (&forms[i], "Block"), ==, 2 * (1 - pow (2, -(double) n)));
        }
      run_clear (&forms[i]);
    }
}

/* Sums of 1 times T = 0.25 with gain 2, exact in binary. */
static void
test_discrete_integrator (void)
{
  static const struct {
    const char *method;
    double at_once;
  } cases[] = { { "forward", 0 }, { "backward", 0.5 }, { "trapezoidal", 0.25 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = driven (UNIT, "DiscreteIntegrator",
                        PAIRS ("method", cases[i].method, "gain", "2", "period", "0.25"), "u");

      for (guint n = 1; n < 20; n++)
        {
          advance (&run, (n - 0.5) * 0.25);
          g_assert_cmpfloat (value (&run, "Block"), ==, n * 0.5 + cases[i].at_once);
        }
      run_clear (&run);
    }
}

/* --- Controllers ----------------------------------------------------------------------------- */

/* Of a constant error e: P e + I e t + D N e exp (-N t). */
static void
test_pid (void)
{
  Run parallel = driven (UNIT, "PID", PAIRS ("p", "2", "i", "3", "d", "0.5", "n", "4"), "u");
  Run ideal = driven (UNIT, "PID",
                      PAIRS ("p", "2", "i", "1.5", "d", "0.25", "n", "4", "form", "ideal"), "u");

  for (double t = 0.25; t < 3; t += 0.25)
    {
      double expected = 2 + 3 * t + 2 * exp (-4 * t);

      advance (&parallel, t);
      advance (&ideal, t);
      g_assert_cmpfloat_with_epsilon (value (&parallel, "Block"), expected, SOLVED);
      g_assert_cmpfloat_with_epsilon (value (&ideal, "Block"), expected, SOLVED);
    }
  run_clear (&parallel);
  run_clear (&ideal);
}

/* An error of 1 for a second, then -1. With a limit at 1 and no winding up the integral goes no
 * further than to where P e + I meets the limit and what the tracking lets through: with P = 0, I =
 * 1 and tracking time T the demand v follows v' = e + (sat (v) - v) / T. */
static void
test_limited_pid (void)
{
  const double tau = 0.1;
  Run run = driven ("Step", PAIRS ("time", "3", "before", "1", "after", "-1"), "PID",
                    PAIRS ("p", "0", "i", "1", "output", "limited", "lower", "-1", "upper", "1",
                           "tracking", "0.1"),
                    "u");
  /* Above the limit from t = 1 on: v = 1 + T (1 - exp (-(t - 1) / T)); back at it when
   * -T + (v0 + T) exp (-s / T) = 0 for v0 = v - 1. */
  double v0 = tau * (1 - exp (-2 / tau)), back = tau * log ((v0 + tau) / tau);

  advance (&run, 0.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.5, SOLVED);
  advance (&run, 2.9);
  g_assert_cmpfloat (value (&run, "Block"), ==, 1);
  advance (&run, 3 + 0.9 * back);
  g_assert_cmpfloat (value (&run, "Block"), ==, 1);
  advance (&run, 3 + back + 0.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0.25, 1e-7);
  run_clear (&run);
}

/* The sums of the sampled form: P e + I T n e + D N e exp (-N T n), exact solution of
 * the filter. */
static void
test_discrete_pid (void)
{
  Run run = driven (UNIT, "DiscretePID",
                    PAIRS ("p", "2", "i", "3", "d", "0.5", "n", "4", "period", "0.1"), "u");

  for (guint n = 0; n < 20; n++)
    {
      advance (&run, (n + 0.5) * 0.1);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 + 0.3 * n + 2 * exp (-0.4 * n),
                                      100 * ROUNDING);
    }
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/linear/second-order", test_second_order);
  g_test_add_func ("/blocks/linear/proper", test_proper);
  g_test_add_func ("/blocks/linear/lag", test_lag);
  g_test_add_func ("/blocks/linear/discrete-linear", test_discrete_linear);
  g_test_add_func ("/blocks/linear/discrete-integrator", test_discrete_integrator);
  g_test_add_func ("/blocks/linear/pid", test_pid);
  g_test_add_func ("/blocks/linear/limited-pid", test_limited_pid);
  g_test_add_func ("/blocks/linear/discrete-pid", test_discrete_pid);
  return g_test_run ();
}
