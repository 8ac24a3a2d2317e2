/* The wider library against closed forms: linear systems, controllers, tables, discontinuities,
 * random numbers, detectors. */
#include <glib/gstdio.h>

#include "run-fixture.h"

#define ROUNDING (8 * DBL_EPSILON)
#define SCALAR ((const guint[]) { 1 })
/* Of runs with rtol 1e-9 and atol 1e-12 over a few seconds. */
#define SOLVED 1e-8

/* A source "Source", the block "Block", wired, ready to run. */
static Run
driven (const char *source, const char *const *source_pairs, const char *output, const char *type,
        const char *const *pairs)
{
  Run run = { NULL };

  add (&run, "Source", source, source_pairs);
  add (&run, "Block", type, pairs);
  wire (&run, "Source", output, "Block", "u");
  start (&run, NULL);
  return run;
}

#define UNIT "Constant", PAIRS ("value", "1"), "y"

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
    driven (UNIT, "TransferFunction", PAIRS ("denominator", "[2, 0.8, 8]", "numerator", "[0, 2]")),
    driven (UNIT, "StateSpace", PAIRS ("a", "[0, 1; -4, -0.4]", "b", "[0; 1]", "c", "[1, 0]")),
    driven (UNIT, "SecondOrderLag", PAIRS ("gain", "0.25", "frequency", "2", "damping", "0.1")),
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
                    PAIRS ("numerator", "[2, 3]", "denominator", "[1, 1]", "initial", "0"));

  advance (&run, 0);
  g_assert_cmpfloat (value (&run, "Block"), ==, 2);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 3 - exp (-1.5), SOLVED);
  run_clear (&run);
}

static void
test_lag (void)
{
  Run run = driven (UNIT, "Lag", PAIRS ("gain", "3", "time-constant", "0.5", "initial", "1"));

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
    driven (UNIT, "DiscreteStateSpace", PAIRS ("a", "0.5", "period", "0.1")),
    driven (UNIT, "DiscreteTransferFunction",
            PAIRS ("numerator", "[1]", "denominator", "[1, -0.5]", "period", "0.1")),
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
                        PAIRS ("method", cases[i].method, "gain", "2", "period", "0.25"));

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
  Run parallel = driven (UNIT, "PID", PAIRS ("p", "2", "i", "3", "d", "0.5", "n", "4"));
  Run ideal = driven (UNIT, "PID",
                      PAIRS ("p", "2", "i", "1.5", "d", "0.25", "n", "4", "form", "ideal"));

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
  Run run = driven ("Step", PAIRS ("time", "3", "before", "1", "after", "-1"), "y", "PID",
                    PAIRS ("p", "0", "i", "1", "output", "limited", "lower", "-1", "upper", "1",
                           "tracking", "0.1"));
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
                    PAIRS ("p", "2", "i", "3", "d", "0.5", "n", "4", "period", "0.1"));

  for (guint n = 0; n < 20; n++)
    {
      advance (&run, (n + 0.5) * 0.1);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 + 0.3 * n + 2 * exp (-0.4 * n),
                                      100 * ROUNDING);
    }
  run_clear (&run);
}

/* --- Transport delay ------------------------------------------------------------------------- */

/* A sine, 0.3 s later; before that the initial value. Of points T / 64 apart the cubic's error is
 * (3 / 128) h^4 (2 pi)^4 = 2e-8, a little more where rows are uneven. */
static void
test_delay_smooth (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "Block", "TransportDelay", PAIRS ("delay", "0.3", "initial", "5"));
  add (&run, "Lag", "Lag", NULL);
  wire (&run, "Sine", "y", "Block", "u");
  wire (&run, "Block", "y", "Lag", "u");
  start (&run, solver);
  advance (&run, 0.29);
  g_assert_cmpfloat (value (&run, "Block"), ==, 5);
  for (double t = 0.31; t < 3; t += 0.17)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), sin (2 * G_PI * (t - 0.3)), 3e-8);
    }
  run_clear (&run);
}

/* Jumps of all kinds arrive sharp and on time: the integral of a delayed pulse, whose jumps are
 * known to time, and of a delayed counter, whose jumps are updates, is exact; but for a multistep
 * method, which starts again behind each. */
static void
test_delay_jumps (gconstpointer solver)
{
  gboolean is_multistep = g_str_has_prefix (solver, "cvode") || g_str_equal (solver, "ida");
  double tolerance = is_multistep ? 1e-7 : 1e-9;
  Run run = { NULL };

  add (&run, "Pulse", "Pulse", PAIRS ("period", "0.7", "duty", "50", "amplitude", "2"));
  add (&run, "Count", "Counter", PAIRS ("period", "0.31", "offset", "0.31", "gain", "1"));
  add (&run, "A", "TransportDelay", PAIRS ("delay", "1.1"));
  add (&run, "B", "TransportDelay", PAIRS ("delay", "1.1"));
  add (&run, "IA", "Integrator", NULL);
  add (&run, "IB", "Integrator", NULL);
  wire (&run, "Pulse", "y", "A", "u");
  wire (&run, "Count", "y", "B", "u");
  wire (&run, "A", "y", "IA", "u");
  wire (&run, "B", "y", "IB", "u");
  start (&run, solver);
  advance (&run, 1.1 + 2.0);
  /* Two pulses of 0.35 and, from 1.4 on, 0.35 of the third's: all of it. */
  g_assert_cmpfloat_with_epsilon (value (&run, "IA"), 2 * 3 * 0.35, tolerance);
  /* Sum over n = 1..6 of what is left of 2 s after 0.31 n. */
  g_assert_cmpfloat_with_epsilon (value (&run, "IB"), 6 * 2.0 - 0.31 * 21, tolerance);
  run_clear (&run);
}

/* x' = -x (t - 1) with x = 1 until 0: by the method of steps 1 - t, then 1 - t + (t - 1)^2 / 2,
 * then less (t - 2)^3 / 6, and so on. */
static void
test_delay_loop (gconstpointer solver)
{
  Run run = { NULL };
  guint order = weir_solver_find (solver)->order; /* steps of 1/64 at most */

  add (&run, "X", "Integrator", PAIRS ("initial", "1"));
  add (&run, "Delay", "TransportDelay", PAIRS ("delay", "1", "initial", "1"));
  add (&run, "Minus", "Gain", PAIRS ("gain", "-1"));
  wire (&run, "X", "y", "Delay", "u");
  wire (&run, "Delay", "y", "Minus", "u");
  wire (&run, "Minus", "y", "X", "u");
  start (&run, solver);
  for (double t = 0.5; t <= 4; t += 0.5)
    {
      double x = 1, factor = -1;

      for (guint k = 1; t > k - 1.0; k++, factor /= -(double) k)
        x += factor * pow (t - k + 1, k);
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "X"), x,
                                      order == 1   ? 0.02
                                      : order == 2 ? 5e-5
                                                   : 1e-6);
    }
  run_clear (&run);
}

/* More jumps than there are points are refused with a sentence. */
static void
test_delay_full (void)
{
  Run run = driven ("Counter", PAIRS ("period", "0.01"), "y", "TransportDelay",
                    PAIRS ("delay", "1", "points", "8"));
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_nonnull (strstr (error->message, "Block"));
  g_assert_nonnull (strstr (error->message, "jumps more than 8 times within the delay of 1 s"));
  run_clear (&run);
}

/* --- Sources --------------------------------------------------------------------------------- */

static void
test_waves (void)
{
  g_auto (Block) sawtooth = block_new ("Sawtooth", PAIRS ("amplitude", "2", "period", "0.5"), NULL);
  g_auto (Block) triangle = block_new ("Triangle", PAIRS ("delay", "0.25"), NULL);
  g_auto (Block) chirp = block_new (
      "Chirp", PAIRS ("start", "1", "end", "3", "duration", "4", "amplitude", "2"), NULL);

  g_assert_cmpfloat (block_at (&sawtooth, 0), ==, -2);
  g_assert_cmpfloat (block_at (&sawtooth, 0.25), ==, 0);
  g_assert_cmpfloat (block_at (&sawtooth, 1.375), ==, 1);
  g_assert_cmpfloat (block_at (&sawtooth, -0.125), ==, 1);
  block_set_parameter (&sawtooth, "period", 0.1);
  for (guint n = 0; n < 10000; n++) /* every tooth begins at its multiple: no drift */
    g_assert_cmpfloat_with_epsilon (block_at (&sawtooth, n * 0.1), -2, 1e-10);
  g_assert_cmpfloat (block_at (&triangle, 0.25), ==, -1);
  g_assert_cmpfloat (block_at (&triangle, 0.5), ==, 0);
  g_assert_cmpfloat (block_at (&triangle, 0.75), ==, 1);
  g_assert_cmpfloat (block_at (&triangle, 1), ==, 0);
  /* The phase is the integral of 1 + t / 2: 2 pi (t + t^2 / 4). */
  for (double t = 0; t < 4; t += 0.3)
    g_assert_cmpfloat_with_epsilon (block_at (&chirp, t), 2 * sin (2 * G_PI * (t + t * t / 4)),
                                    1e-12);
}

/* The integral over whole periods of a wave is known exactly only if each jump ends a step. */
static void
test_waves_in_runs (void)
{
  Run run = driven ("Sawtooth", PAIRS ("period", "0.3"), "y", "Integrator", NULL);

  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0, 1e-12);
  advance (&run, 3.15); /* the first half of a tooth: -0.3 / 4 */
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), -0.075, 1e-12);
  run_clear (&run);

  run = driven ("TimeTable", PAIRS ("points", "[0.3, 1.1, 2]", "values", "[1, -2, 0.5]"), "y",
                "Integrator", NULL);
  advance (&run, 3); /* trapezia, and the ends held */
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"),
                                  0.3 * 1 + 0.8 * -0.5 + 0.9 * -0.75 + 1 * 0.5, 1e-12);
  run_clear (&run);
}

/* Means, deviations and correlations of many numbers, within five standard errors; the same in
 * every run and for every order of asking; another seed gives others. */
static void
test_random (gconstpointer type)
{
  const guint n = 20000;
  gboolean is_normal = g_str_equal (type, "GaussianRandom");
  g_auto (Block) block = block_new (type, PAIRS ("seed", "7"), NULL);
  g_auto (Block) again = block_new (type, PAIRS ("seed", "7"), NULL);
  g_auto (Block) other = block_new (type, PAIRS ("seed", "8"), NULL);
  double variance = is_normal ? 1 : 1.0 / 3, fourth = is_normal ? 3 : 1.0 / 5;
  double sum = 0, squares = 0, products = 0, cross = 0, before = 0;

  for (guint i = 0; i < n; i++)
    {
      double y = block_eval (&block, 0)[0], o = block_eval (&other, 0)[0];

      g_assert_true (is_normal ? fabs (y) < 8 : fabs (y) < 1);
      sum += y;
      squares += y * y;
      products += y * before;
      cross += y * o;
      before = y;
      block_update (&block, i);
      block_update (&other, i);
    }
  g_assert_cmpfloat_with_epsilon (sum / n, 0, 5 * sqrt (variance / n));
  g_assert_cmpfloat_with_epsilon (squares / n, variance,
                                  5 * sqrt ((fourth - variance * variance) / n));
  g_assert_cmpfloat_with_epsilon (products / n, 0, 5 * variance / sqrt (n));
  g_assert_cmpfloat_with_epsilon (cross / n, 0, 5 * variance / sqrt (n));
  /* Number n follows from the seed and n alone. */
  block_update (&again, n - 1);
  g_assert_cmpfloat (block_eval (&again, 0)[0], ==, block_eval (&block, 0)[0]);
}

/* --- Functions ------------------------------------------------------------------------------- */

static double
of (Block *block, double u)
{
  block_fix (block, 0, u);
  return block_eval (block, 0)[0];
}

static void
test_functions (void)
{
  static const struct {
    const char *name;
    double u, y;
  } cases[] = {
    { "exp", 1, G_E },       { "log", G_E, 1 },       { "log10", 1000, 3 },
    { "sqrt", 9, 3 },        { "square", -3, 9 },     { "reciprocal", 4, .25 },
    { "sin", G_PI_2, 1 },    { "cos", G_PI, -1 },     { "tan", G_PI_4, 1 },
    { "asin", 1, G_PI_2 },   { "acos", -1, G_PI },    { "atan", 1, G_PI_4 },
    { "sinh", G_LN2, 0.75 }, { "cosh", G_LN2, 1.25 }, { "tanh", G_LN2, 0.6 },
  };
  g_auto (Block) power = block_new ("Power", PAIRS ("exponent", "0.5"), SCALAR);
  g_auto (Block) angle = block_new ("Atan2", NULL, (const guint[]) { 1, 1 });

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("Function", PAIRS ("function", cases[i].name), SCALAR);

      g_assert_cmpfloat_with_epsilon (of (&block, cases[i].u), cases[i].y, ROUNDING);
    }
  g_assert_cmpfloat (of (&power, 2.25), ==, 1.5);
  block_fix (&angle, 1, -1);
  g_assert_cmpfloat_with_epsilon (of (&angle, -1), -0.75 * G_PI, ROUNDING);
}

static void
test_min_max (void)
{
  const guint sizes[] = { 2, 1, 2 };
  g_auto (Block) least = block_new ("MinMax", PAIRS ("inputs", "3"), sizes);
  g_auto (Block)
      greatest = block_new ("MinMax", PAIRS ("inputs", "3", "operation", "maximum"), sizes);
  Block *both[] = { &least, &greatest };

  for (guint i = 0; i < 2; i++)
    {
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 0 },
                              (const double[]) { 1, 5 });
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 1 },
                              (const double[]) { 2 });
      weir_context_fix_input (both[i]->context, WEIR_ROOT, (WeirInput) { 2 },
                              (const double[]) { 3, 4 });
    }
  g_assert_cmpfloat (block_eval (&least, 0)[0], ==, 1);
  g_assert_cmpfloat (block_eval (&least, 0)[1], ==, 2);
  g_assert_cmpfloat (block_eval (&greatest, 0)[0], ==, 3);
  g_assert_cmpfloat (block_eval (&greatest, 0)[1], ==, 5);
}

/* Every row of every truth table of two inputs; what is not 0 is true. */
static void
test_logic (void)
{
  static const struct {
    const char *operation;
    double y[4]; /* of 00, 01, 10, 11 */
  } cases[] = {
    { "and", { 0, 0, 0, 1 } },  { "or", { 0, 1, 1, 1 } },  { "xor", { 0, 1, 1, 0 } },
    { "nand", { 1, 1, 1, 0 } }, { "nor", { 1, 0, 0, 0 } },
  };
  g_auto (Block) inverter = block_new ("Logic", PAIRS ("operation", "not"), SCALAR);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("Logic", PAIRS ("operation", cases[i].operation),
                                        (const guint[]) { 1, 1 });

      for (guint k = 0; k < 4; k++)
        {
          block_fix (&block, 0, k / 2 * -2.5);
          block_fix (&block, 1, k % 2);
          g_assert_cmpfloat (block_eval (&block, 0)[0], ==, cases[i].y[k]);
        }
    }
  g_assert_cmpfloat (of (&inverter, 0), ==, 1);
  g_assert_cmpfloat (of (&inverter, 0.1), ==, 0);
}

/* --- Tables ---------------------------------------------------------------------------------- */

static void
test_tables (void)
{
  const char *const points = "[-1, 0, 2]", *const values = "[1, 3, -1]";
  static const struct {
    const char *interpolation, *extrapolation;
    double u[7], y[7];
  } cases[] = {
    { "linear", "hold", { -2, -1, -0.5, 0, 1, 2, 3 }, { 1, 1, 2, 3, 1, -1, -1 } },
    { "linear", "linear", { -2, -1, -0.5, 0, 1, 2, 3 }, { -1, 1, 2, 3, 1, -1, -3 } },
    { "previous", "hold", { -2, -1, -0.5, 0, 1, 2, 3 }, { 1, 1, 1, 3, 3, -1, -1 } },
  };
  /* Of the straight line 2 u + 1 a smooth table is that line, wherever the points are. */
  g_auto (Block)
      line = block_new ("LookupTable",
                        PAIRS ("points", "[-1, 0.5, 0.75, 4]", "values", "[-1, 2, 2.5, 9]",
                               "interpolation", "smooth", "extrapolation", "linear"),
                        SCALAR);
  g_auto (Block) smooth = block_new (
      "LookupTable",
      PAIRS ("points", "[0, 1, 2, 3]", "values", "[0, 0, 1, 1]", "interpolation", "smooth"),
      SCALAR);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new ("LookupTable",
                                        PAIRS ("points", points, "values", values, "interpolation",
                                               cases[i].interpolation, "extrapolation",
                                               cases[i].extrapolation),
                                        SCALAR);

      for (guint k = 0; k < 7; k++)
        g_assert_cmpfloat (of (&block, cases[i].u[k]), ==, cases[i].y[k]);
    }
  for (double u = -3; u < 6; u += 0.125)
    g_assert_cmpfloat_with_epsilon (of (&line, u), 2 * u + 1, 4 * ROUNDING);
  /* No overshoot: flat, the cubic 3 s^2 - 2 s^3 between slopes of 0, flat. */
  for (double u = 0; u < 3; u += 0.0625)
    {
      double s = CLAMP (u - 1, 0, 1);

      g_assert_cmpfloat_with_epsilon (of (&smooth, u), s * s * (3 - 2 * s), 4 * ROUNDING);
    }
}

/* --- Files ----------------------------------------------------------------------------------- */

/* A file of @text; its name. (transfer full) */
static char *
write_file (const char *text)
{
  g_autoptr (GError) error = NULL;
  char *name;
  int descriptor = g_file_open_tmp ("weir-XXXXXX.csv", &name, &error);

  g_assert_no_error (error);
  g_close (descriptor, NULL);
  g_file_set_contents (name, text, -1, &error);
  g_assert_no_error (error);
  return name;
}

/* A header, both kinds of separators, line ends of two kinds, empty lines. */
static void
test_from_file (void)
{
  static const char *const texts[] = {
    "time,a,b\n0,1,10\n1,3,20\n3,-1,20\n",
    "0; 1; 10\r\n1; 3; 20\r\n\r\n3; -1; 20",
    "0\t1\t10\n1 3 20\n3 -1 20\n\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *name = write_file (texts[i]);
      g_auto (Block) both = block_new ("FromFile", PAIRS ("file", name, "columns", "[2, 1]"), NULL);
      g_auto (Block)
          first = block_new ("FromFile", PAIRS ("file", name, "interpolation", "previous"), NULL);

      weir_context_set_time (both.context, 0.5);
      g_assert_cmpfloat (block_eval (&both, 0)[0], ==, 15);
      g_assert_cmpfloat (block_eval (&both, 0)[1], ==, 2);
      g_assert_cmpfloat (block_at (&first, 2.5), ==, 3);
      g_assert_cmpfloat (block_at (&first, 9), ==, -1);
      g_unlink (name);
    }
}

static void
test_bad_files (void)
{
  static const struct {
    const char *text, *sentence;
  } cases[] = {
    { "0,1\n2,2\n1,3\n",
      ", line 3: the time 1 is not above the one before, 2; times must ascend." },
    { "0,1\nsoon,2\n", ", line 2: not a row of numbers." },
    { "0,1\n1,nan\n", ", line 2: not a row of numbers." },
    { "0\n1\n", ", line 1: column 1 is chosen, but there are 0 after the time." },
    { "time,value\n", ": there is no row of numbers." },
    { "", ": there is no row of numbers." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *name = write_file (cases[i].text);
      g_autofree char *expected = g_strconcat (name, cases[i].sentence, NULL);
      g_autoptr (WeirArguments) arguments = fixture_arguments ("FromFile", PAIRS ("file", name));
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_arguments_get_type (arguments)->build (arguments, NULL, &error));
      g_assert_cmpstr (error->message, ==, expected);
      g_unlink (name);
    }
}

/* The kinks of a table end steps: x' = table (t) over a ramp is integrated exactly. */
static void
test_table_in_run (void)
{
  Run run = { NULL };

  add (&run, "Ramp", "Ramp", NULL);
  add (&run, "Table", "LookupTable",
       PAIRS ("points", "[0.31, 1.17, 2]", "values", "[1, 3, -1]", "interpolation", "previous"));
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Ramp", "y", "Table", "u");
  wire (&run, "Table", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 1.17 + 0.83 * 3 - 1, 1e-11);
  run_clear (&run);
}

/* --- Discontinuities ------------------------------------------------------------------------- */

static void
test_discontinuities (void)
{
  g_auto (Block) zone = block_new ("DeadZone", PAIRS ("start", "-1", "end", "2"), SCALAR);
  g_auto (Block) quantizer = block_new ("Quantizer", PAIRS ("interval", "0.5"), SCALAR);

  g_assert_cmpfloat (of (&zone, -3), ==, -2);
  g_assert_cmpfloat (of (&zone, 1.5), ==, 0);
  g_assert_cmpfloat (of (&zone, 2.5), ==, 0.5);
  g_assert_cmpfloat (of (&quantizer, 0.2), ==, 0);
  g_assert_cmpfloat (of (&quantizer, 0.3), ==, 0.5);
  g_assert_cmpfloat (of (&quantizer, -1.3), ==, -1.5);
}

/* Rounding a ramp to levels of 1/2 from 0 to 3: the area under the stairs, each step located. */
static void
test_quantizer_in_run (void)
{
  Run run = { NULL };

  add (&run, "Ramp", "Ramp", NULL);
  add (&run, "Quantizer", "Quantizer", NULL);
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Ramp", "y", "Quantizer", "u");
  wire (&run, "Quantizer", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 0.5 * (0.5 + 1 + 1.5 + 2 + 2.5 + 3),
                                  1e-11);
  run_clear (&run);
}

/* A step of 2 with rate 1 and time constant T: straight to 2 - T, then with T: at 2 exactly never,
 * but within T exp (-1) a time T later. */
static void
test_rate_limiter (void)
{
  const double tau = 0.1;
  Run run = driven ("Constant", PAIRS ("value", "2"), "y", "RateLimiter",
                    PAIRS ("time-constant", "0.1"));

  advance (&run, 1);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1, SOLVED);
  advance (&run, 2 - tau);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 - tau, SOLVED);
  advance (&run, 2);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 2 - tau * exp (-1.0), SOLVED);
  run_clear (&run);
}

/* --- Detectors ------------------------------------------------------------------------------- */

/* A sine of 1 Hz rises through 1/2 at t = 1/12 of each second and falls through it at 5/12. */
static void
test_hit_crossing (void)
{
  static const struct {
    const char *direction;
    double count, last;
  } cases[] = {
    { "rising", 3, 2 + 1.0 / 12 },
    { "falling", 2, 1 + 5.0 / 12 },
    { "both", 5, 2 + 1.0 / 12 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = driven ("Sine", NULL, "y", "HitCrossing",
                        PAIRS ("level", "0.5", "direction", cases[i].direction));

      advance (&run, 2.25);
      g_assert_cmpfloat (value_of (&run, "Block", 0), ==, cases[i].count);
      g_assert_cmpfloat_with_epsilon (value_of (&run, "Block", 1), cases[i].last, 1e-12);
      run_clear (&run);
    }
}

/* A pulse is true from 0.5 n to 0.5 n + 0.25; sampled every 0.1 it turns true at 0.5, 1.0, ... */
static void
test_edge_detector (void)
{
  Run run = driven ("Pulse", PAIRS ("period", "0.5", "delay", "0.5"), "y", "EdgeDetector", NULL);

  for (guint n = 0; n < 40; n++)
    {
      advance (&run, (n + 0.5) * 0.1);
      g_assert_cmpfloat (value (&run, "Block"), ==, n > 0 && n % 5 == 0 ? 1 : 0);
    }
  run_clear (&run);
}

/* The ramp rises above 1.5 at t = 1.5; what is told is the message. A run whose input is above from
 * the start ends there. */
static void
test_stop (void)
{
  Run run = driven ("Ramp", NULL, "y", "Stop", PAIRS ("level", "1.5", "message", "high enough"));

  advance (&run, 10);
  g_assert_true (weir_simulator_is_terminated (run.simulator));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 1.5, 1e-12);
  g_assert_cmpuint (weir_simulator_get_n_notes (run.simulator), ==, 1);
  g_assert_nonnull (strstr (weir_simulator_get_note (run.simulator, 0), "high enough"));
  run_clear (&run);

  run = driven (UNIT, "Stop", NULL);
  advance (&run, 10);
  g_assert_true (weir_simulator_is_terminated (run.simulator));
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0);
  run_clear (&run);
}

/* The control counts up in steps of 1 and stands on the threshold, 2, exactly from 0.2 to 0.3. */
static void
test_on_the_threshold (void)
{
  static const struct {
    const char *type, *parameter, *text;
    double y[4];
  } cases[] = {
    { "Compare", "relation", ">=", { 0, 0, 1, 1 } },
    { "Compare", "relation", ">", { 0, 0, 0, 1 } },
    { "Compare", "relation", "<", { 1, 1, 0, 0 } },
    { "Compare", "relation", "<=", { 1, 1, 1, 0 } },
    { "Switch", "criterion", ">=", { 5, 5, 4, 4 } },
    { "Switch", "criterion", ">", { 5, 5, 5, 4 } },
    { "Switch", "criterion", "!=", { 4, 4, 5, 4 } },
  };

  for (gsize i = 0; i < 2 * G_N_ELEMENTS (cases); i++)
    {
      gboolean is_falling = i >= G_N_ELEMENTS (cases);
      guint k = i % G_N_ELEMENTS (cases);
      Run run = { NULL };

      add (&run, "Count", "Counter",
           PAIRS ("period", "0.1", "gain", "1", "offset", "0.1", "initial", is_falling ? "3" : "0",
                  "increment", is_falling ? "-1" : "1"));
      add (&run, "Block", cases[k].type,
           PAIRS (cases[k].parameter, cases[k].text, "threshold", "2"));
      add (&run, "Four", "Constant", PAIRS ("value", "4"));
      add (&run, "Five", "Constant", PAIRS ("value", "5"));
      if (g_str_equal (cases[k].type, "Switch"))
        {
          wire (&run, "Count", "y", "Block", "control");
          wire (&run, "Four", "y", "Block", "in1");
          wire (&run, "Five", "y", "Block", "in2");
        }
      else
        wire (&run, "Count", "y", "Block", "u");
      start (&run, NULL);
      for (guint n = 0; n < 4; n++)
        {
          advance (&run, n * 0.1 + 0.05);
          g_test_message ("%s %s, step %u%s", cases[k].type, cases[k].text, n,
                          is_falling ? " down" : "");
          g_assert_cmpfloat (value (&run, "Block"), ==, cases[k].y[is_falling ? 3 - n : n]);
        }
      run_clear (&run);
    }
}

/* A switch between 1 and -2 by a sine of period 1: the integral over a period is -1/2, exactly if
 * no step goes across a crossing. */
static void
test_switch_in_run (void)
{
  Run run = { NULL };

  add (&run, "Sine", "Sine", NULL);
  add (&run, "One", "Constant", PAIRS ("value", "1"));
  add (&run, "Two", "Constant", PAIRS ("value", "-2"));
  add (&run, "Switch", "Switch", PAIRS ("criterion", ">"));
  add (&run, "Integral", "Integrator", NULL);
  wire (&run, "Sine", "y", "Switch", "control");
  wire (&run, "One", "y", "Switch", "in1");
  wire (&run, "Two", "y", "Switch", "in2");
  wire (&run, "Switch", "y", "Integral", "u");
  start (&run, NULL);
  advance (&run, 3.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Integral"), 3 * -0.5 + 0.25, 1e-11);
  run_clear (&run);
}

/* --- Routing --------------------------------------------------------------------------------- */

static void
test_demux (void)
{
  g_auto (Block) block = block_new ("Demux", PAIRS ("sizes", "[2, 1]"), (const guint[]) { 3 });

  weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 },
                          (const double[]) { 1, 2, 3 });
  g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 1);
  g_assert_cmpfloat (block_eval (&block, 0)[1], ==, 2);
  g_assert_cmpfloat (block_eval (&block, 1)[0], ==, 3);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/library/second-order", test_second_order);
  g_test_add_func ("/blocks/library/proper", test_proper);
  g_test_add_func ("/blocks/library/lag", test_lag);
  g_test_add_func ("/blocks/library/discrete-linear", test_discrete_linear);
  g_test_add_func ("/blocks/library/discrete-integrator", test_discrete_integrator);
  g_test_add_func ("/blocks/library/pid", test_pid);
  g_test_add_func ("/blocks/library/limited-pid", test_limited_pid);
  g_test_add_func ("/blocks/library/discrete-pid", test_discrete_pid);
  g_test_add_func ("/blocks/library/waves", test_waves);
  g_test_add_func ("/blocks/library/waves-in-runs", test_waves_in_runs);
  g_test_add_data_func ("/blocks/library/random/uniform", "UniformRandom", test_random);
  g_test_add_data_func ("/blocks/library/random/gaussian", "GaussianRandom", test_random);
  g_test_add_func ("/blocks/library/functions", test_functions);
  g_test_add_func ("/blocks/library/min-max", test_min_max);
  g_test_add_func ("/blocks/library/logic", test_logic);
  g_test_add_func ("/blocks/library/tables", test_tables);
  g_test_add_func ("/blocks/library/from-file", test_from_file);
  g_test_add_func ("/blocks/library/bad-files", test_bad_files);
  g_test_add_func ("/blocks/library/table-in-run", test_table_in_run);
  g_test_add_func ("/blocks/library/discontinuities", test_discontinuities);
  g_test_add_func ("/blocks/library/quantizer-in-run", test_quantizer_in_run);
  g_test_add_func ("/blocks/library/rate-limiter", test_rate_limiter);
  g_test_add_func ("/blocks/library/hit-crossing", test_hit_crossing);
  g_test_add_func ("/blocks/library/edge-detector", test_edge_detector);
  g_test_add_func ("/blocks/library/stop", test_stop);
  g_test_add_func ("/blocks/library/on-the-threshold", test_on_the_threshold);
  g_test_add_func ("/blocks/library/switch-in-run", test_switch_in_run);
  g_test_add_func ("/blocks/library/demux", test_demux);
  g_test_add_func ("/blocks/library/delay/full", test_delay_full);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const char *solver = weir_solver_get (i)->name;
      g_autofree char *smooth = g_strdup_printf ("/blocks/library/delay/smooth/%s", solver);
      g_autofree char *jumps = g_strdup_printf ("/blocks/library/delay/jumps/%s", solver);
      g_autofree char *loop = g_strdup_printf ("/blocks/library/delay/loop/%s", solver);

      g_test_add_data_func (smooth, solver, test_delay_smooth);
      g_test_add_data_func (jumps, solver, test_delay_jumps);
      g_test_add_data_func (loop, solver, test_delay_loop);
    }
  return g_test_run ();
}
