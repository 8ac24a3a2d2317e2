/* Delays in equations: solutions by the method of steps, histories, jumps, times that change. */
#include "equations-fixture.h"

static const char *const solvers[] = { "dormand-prince", "cvode-bdf" };

/* x' = -x(t - 1), x = 1 before: on [k - 1, k] a polynomial of degree k,
 * x = sum over j <= t + 1 of (-1)^j (t - (j - 1))^j / j! (by the method of steps). */
static double
step_solution (double t)
{
  double x = 0.0, factorial = 1.0;

  for (int j = 0; j <= (int) floor (t) + 1; j++)
    {
      factorial *= j > 0 ? j : 1;
      x += (j % 2 == 0 ? 1.0 : -1.0) * pow (t - (j - 1), j) / factorial;
    }
  return x;
}

/* As long as the past is cubic, up to t = 3, it is read to rounding, and Dormand and Prince's
 * method of the fifth order is exact up to t = 4: no step or cubic straddles an instant at which a
 * derivative jumps. After that the error is that of cubics over 1/64 s: (1/64)^4/4!/16 = 1.6e-10 of
 * the fourth derivative, which is 1 at most, a step. */
static void
test_steps (void)
{
  static const char *const texts[] = {
    "D(x) ~ -delay(x, 1)\ninitial x = 1",
    "D(x) ~ -delay(delay(x, 0.25), 0.75)\ninitial x = 1",
    "constant T = 2\nD(x) ~ -delay(2*x + 1, T/2)/2 + 0.5\ninitial x = 1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
      {
        g_auto (Run) run = run_new (texts[i], solvers[s]);

        for (double t = 0.25; t <= 6.0; t += 0.25)
          {
            advance (&run, t);
            g_assert_cmpfloat_with_epsilon (value (&run, "x"), step_solution (t),
                                            s > 0    ? 1e-6
                                            : t <= 4 ? 4e-15
                                                     : 3e-9);
          }
      }
}

/* x' = e x(t - 1) with x = exp (t) before: x = exp (t) ever after, without a break. */
static void
test_history (void)
{
  g_auto (Run) run = run_new ("D(x) ~ exp(r)*delay(x, 1)\nparameter r = 1\nhistory x = exp(r*t)",
                              "dormand-prince");

  for (double t = 0.5; t <= 4.0; t += 0.5)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "x") / exp (t), 1.0, 1e-8);
    }
}

/* The history may jump at the start: x' = -x(t - 1), x = 0 before and 1 at the start. So x = 1 up
 * to t = 1, then 2 - t up to t = 2. */
static void
test_jump_at_start (void)
{
  g_auto (Run)
      run = run_new ("D(x) ~ -delay(x, 1)\ninitial x = 1\nhistory x = 0", "dormand-prince");

  advance (&run, 1.0);
  g_assert_cmpfloat (value (&run, "x"), ==, 1.0);
  advance (&run, 1.75);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 0.25, 1e-15);
}

/* A jump at an instant that nobody knows in advance comes back to the instant: q = (t - 0.3)+, so
 * that x = (t - 0.8)+ + 2 (t - 0.55)+ to rounding; and a condition on what is delayed is met when
 * it is true. */
static void
test_jump (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      g_auto (Run) run = run_new ("D(u) ~ 1\ninitial u = 0\ns ~ if u > 0.3 then 1 else 0\n"
                                  "z ~ delay(s, 0.5) + 2*delay(s, 0.25)\nD(x) ~ z\ninitial x = 0\n"
                                  "initial n = 0\nwhen delay(u, 0.5) > 0.4: n := t\ny ~ n",
                                  solvers[s]);
      double tolerance = s > 0 ? 1e-7 : 1e-12;

      advance (&run, 0.6);
      g_assert_cmpfloat_with_epsilon (value (&run, "x"), 0.1, tolerance);
      g_assert_cmpfloat (value (&run, "z"), ==, 2.0);
      advance (&run, 1.5);
      g_assert_cmpfloat_with_epsilon (value (&run, "x"), 0.7 + 2 * 0.95, tolerance);
      g_assert_cmpfloat_with_epsilon (value (&run, "y"), 0.9, s > 0 ? 1e-6 : 1e-9);
    }
}

/* A time that changes: sin (t - T(t)) once it is in the past of the run. Jumps are met there too: a
 * unit step at 1 is seen where t - (0.5 + t/4) = 1, at t = 2. */
static void
test_changing_time (void)
{
  g_auto (Run) run = run_new ("y ~ delay(sin(t), 0.5 + 0.3*sin(3*t), 1)\n"
                              "s ~ if t > 1 then 1 else 0\nD(q) ~ delay(s, 0.5 + t/4, 2)\n"
                              "initial q = 0",
                              "dormand-prince");

  for (double t = 1.0; t <= 4.0; t += 0.25)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "y"), sin (t - 0.5 - 0.3 * sin (3 * t)), 2e-9);
    }
  g_assert_cmpfloat_with_epsilon (value (&run, "q"), 2.0, 1e-9);
}

/* y' = -y(t/2), the pantograph equation, whose time ago is 0 at the start: by its power series, the
 * sum of (-1)^n t^n / (2^(n (n - 1)/2) n!). */
static double
calc_pantograph (double t)
{
  double term = 1.0, sum = 1.0;

  for (int n = 1; n < 40; n++)
    {
      term *= -t / n / pow (2.0, n - 1);
      sum += term;
    }
  return sum;
}

static void
test_vanishing_time (void)
{
  static const struct {
    const char *solver;
    double tolerance; /* of the interpolation; fixed steps of 0.07 s, shortened to 3/64 s: theirs */
  } cases[] = { { "dormand-prince", 1e-6 },
                { "cvode-adams", 1e-6 },
                { "cvode-bdf", 1e-6 },
                { "ida", 1e-6 },
                { "rk4", 1e-6 },
                { "heun", 2e-3 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Run) run = run_new (
          "D(y) ~ -delay(y, t/2, 3)\ninitial y = 1\nhistory y = 1\noutput y", cases[i].solver);

      for (double t = 0.25; t <= 4.0; t += 0.25)
        {
          advance (&run, t);
          g_assert_cmpfloat_with_epsilon (value (&run, "y"), calc_pantograph (t),
                                          cases[i].tolerance);
        }
    }
}

static void
test_reports (void)
{
  static const char *const cases[][2] = {
    { "y ~ delay(t, 1.5 - t, 2)", " s; nobody knows the future." },
    { "z ~ 2*t\ny ~ delay(z, 1.5 - t, 2)",
      " s, which is less than a 64th of the longest time, 2 s; give a shorter longest time." },
    { "D(x) ~ 1\ninitial x = 0.5\ny ~ delay(t, x, 1)",
      " s, which is more than its longest time, 1 s." },
    { "D(x) ~ -1\ninitial x = 0.5\ny ~ delay(t, (if x > 0.2 then 1 else -1)*0.5, 1)",
      "Line 3: the time of a delay is -0.5 s; nobody knows the future." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_auto (Run) run = run_new (cases[i][0], "dormand-prince");

      g_assert_false (weir_simulator_advance_to (run.simulator, 2.0, &error));
      g_assert_nonnull (strstr (error->message, "Line "));
      if (strstr (error->message, cases[i][1]) == NULL)
        g_error ("%s", error->message);
    }
}

/* What was before the start is there for the events of the start: without a history, cos (0). */
static void
test_events_of_start (void)
{
  g_auto (Run) run = run_new ("y ~ delay(cos(t), 1)\ninitial n = 0\nwhen every(2): n := y + 1\n"
                              "output y, n",
                              "dormand-prince");

  advance (&run, 0.5);
  g_assert_cmpfloat (value (&run, "y"), ==, 1);
  g_assert_cmpfloat (value (&run, "n"), ==, 2);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/equations-delay/steps", test_steps);
  g_test_add_func ("/blocks/equations-delay/history", test_history);
  g_test_add_func ("/blocks/equations-delay/jump-at-start", test_jump_at_start);
  g_test_add_func ("/blocks/equations-delay/jump", test_jump);
  g_test_add_func ("/blocks/equations-delay/changing-time", test_changing_time);
  g_test_add_func ("/blocks/equations-delay/vanishing-time", test_vanishing_time);
  g_test_add_func ("/blocks/equations-delay/events-of-start", test_events_of_start);
  g_test_add_func ("/blocks/equations-delay/reports", test_reports);
  return g_test_run ();
}
