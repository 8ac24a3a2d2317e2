/* Friction that sticks and slides, against closed forms: each with every solver, cached and
 * uncached. A mass of 1 kg: velocity from an integrator, position from another.
 */
#include "run-fixture.h"

/* Of adaptive methods over a few events; methods that keep their step are of first order at
 * worst. */
#define ADAPTIVE 1e-6
#define CUT_SHORT 1e-4 /* of a method that is less exact in steps cut short at events */
#define FIRST_ORDER 0.25

static double
get_tolerance (const WeirSolverInfo *solver)
{
  if (g_str_equal (solver->name, "arkode-dirk"))
    return CUT_SHORT;
  return solver->is_adaptive || g_str_equal (solver->name, "rk4") ? ADAPTIVE : FIRST_ORDER;
}

/* The mass under what @type gives, with @friction; its velocity is put to zero where it sticks if
 * @resets. */
static Run
mass_new (const char *type, const char *const *force, const char *const *friction,
          const char *velocity, gboolean resets)
{
  Run run = { NULL };

  add (&run, "Force", type, force);
  add (&run, "Friction", "Friction", friction);
  add (&run, "Net", "Sum", PAIRS ("signs", "+-"));
  if (resets)
    {
      add (&run, "Start", "Step", PAIRS ("time", "0.1", "before", velocity, "after", "0"));
      add (&run, "v", "LimitedIntegrator", PAIRS ("lower", "-100", "upper", "100"));
      wire (&run, "Start", "y", "v", "start");
      wire (&run, "Friction", "stuck", "v", "reset");
    }
  else
    add (&run, "v", "Integrator", PAIRS ("initial", velocity));
  add (&run, "x", "Integrator", PAIRS (NULL));
  wire (&run, "Force", "y", "Net", "in1");
  wire (&run, "Friction", "y", "Net", "in2");
  wire (&run, "Net", "y", "v", "u");
  wire (&run, "v", "y", "x", "u");
  wire (&run, "v", "y", "Friction", "u");
  return run;
}

static gboolean
is_stuck (Run *run)
{
  return value_of (run, "Friction", 1) != 0;
}

/* Runs to @until twice, cached and not, and compares the states by bytes. */
static void
check_caching (Run (*make) (void), const char *solver, double until)
{
  Run cached = make (), uncached = make ();

  start (&cached, solver);
  start (&uncached, solver);
  weir_context_set_caching (uncached.context, FALSE);
  advance (&cached, until);
  advance (&uncached, until);
  g_assert_cmpmem (
      weir_context_get_state (cached.context),
      weir_layout_get_n_states (weir_system_get_layout (cached.system)) * sizeof (double),
      weir_context_get_state (uncached.context),
      weir_layout_get_n_states (weir_system_get_layout (uncached.system)) * sizeof (double));
  run_clear (&cached);
  run_clear (&uncached);
}

/* 2 m/s against 1 N, drawn on by 0.5 N: at rest at 4 s and 4 m. */
static Run
sliding_new (void)
{
  Run run = mass_new ("Constant", PAIRS ("value", "0.5"),
                      PAIRS ("coulomb", "1", "viscous", "0", "static", "1.2"), "2", FALSE);

  wire (&run, "Force", "y", "Friction", "force");
  return run;
}

static void
test_slides_to_rest (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  double tolerance = get_tolerance (solver);
  Run run = sliding_new ();

  start (&run, solver->name);
  advance (&run, 1);
  g_assert_false (is_stuck (&run));
  g_assert_cmpfloat_with_epsilon (value (&run, "v"), 1.5, tolerance);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 1.75, tolerance);
  advance (&run, 4.2);
  g_assert_true (is_stuck (&run));
  g_assert_cmpfloat (value (&run, "Net"), ==, 0); /* held exactly */
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 4, tolerance);
  advance (&run, 50);
  g_assert_true (is_stuck (&run));
  g_assert_cmpfloat (value (&run, "Net"), ==, 0);
  g_assert_cmpfloat_with_epsilon (value (&run, "v"), 0, 1e-12); /* of locating the stop */
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 4, tolerance);
  run_clear (&run);
  check_caching (sliding_new, solver->name, 6);
}

/* Where the velocity is put to zero as the body sticks, it does not move by one bit. */
static void
test_rests_exactly (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  Run run = mass_new ("Constant", PAIRS ("value", "0.5"),
                      PAIRS ("coulomb", "1", "viscous", "0.25", "static", "1.2"), "2", TRUE);
  double x;

  wire (&run, "Force", "y", "Friction", "force");
  start (&run, solver->name);
  advance (&run, 5);
  g_assert_true (is_stuck (&run));
  g_assert_cmpfloat (value (&run, "v"), ==, 0);
  x = value (&run, "x");
  advance (&run, 500);
  g_assert_cmpfloat (value (&run, "v"), ==, 0);
  g_assert_cmpfloat (value (&run, "x"), ==, x);
  run_clear (&run);
}

/* A force of t/2 N meets static friction 1.5 N at 3 s; then v' = t/2 - 1. */
static Run
drawn_new (void)
{
  Run run = mass_new ("Ramp", PAIRS ("slope", "0.5"),
                      PAIRS ("coulomb", "1", "viscous", "0", "static", "1.5"), "0", FALSE);

  wire (&run, "Force", "y", "Friction", "force");
  return run;
}

static void
test_breaks_away (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  double tolerance = get_tolerance (solver);
  Run run = drawn_new ();

  start (&run, solver->name);
  advance (&run, 3 - 1e-9);
  g_assert_true (is_stuck (&run));
  g_assert_cmpfloat (value (&run, "x"), ==, 0);
  g_assert_cmpfloat (value (&run, "v"), ==, 0);
  advance (&run, 3 + 1e-9);
  g_assert_false (is_stuck (&run));
  advance (&run, 5);
  g_assert_cmpfloat_with_epsilon (value (&run, "v"), 2, tolerance);
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), 98.0 / 12 - 4.5 - 2, tolerance);
  run_clear (&run);
  check_caching (drawn_new, solver->name, 5);
}

/* 8 sin 2t N against 5 N. Moves as 8 sin 2t = 5; with c = cos 2 t0, v = 4 (c - cos 2t) - 5 (t -
 * t0), and comes to rest where that is 0 again, at 1.724542 s, to move the other way half a period
 * after the first time. */
static Run
shaken_new (void)
{
  Run run = mass_new ("Sine", PAIRS ("amplitude", "8", "frequency", "0.3183098861837907"),
                      PAIRS ("coulomb", "5", "viscous", "0"), "0", FALSE);

  wire (&run, "Force", "y", "Friction", "force");
  return run;
}

static double
get_shaken_x (double t0, double t)
{
  double c = cos (2 * t0), past = t - t0;

  return 4 * c * past - 2 * (sin (2 * t) - sin (2 * t0)) - 2.5 * past * past;
}

static void
test_shaken (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  double tolerance = get_tolerance (solver), t0 = asin (5.0 / 8) / 2, stop = 1.724542;
  Run run = shaken_new ();

  /* Newton's method on the closed form of v. */
  for (guint i = 0; i < 20; i++)
    stop -= (4 * (cos (2 * t0) - cos (2 * stop)) - 5 * (stop - t0)) / (8 * sin (2 * stop) - 5);
  start (&run, solver->name);
  advance (&run, t0 - 1e-6);
  g_assert_true (is_stuck (&run));
  advance (&run, t0 + 1e-6);
  g_assert_false (is_stuck (&run));
  advance (&run, 1.5);
  g_assert_false (is_stuck (&run));
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), get_shaken_x (t0, 1.5), tolerance);
  advance (&run, t0 + G_PI / 2 - 1e-3);
  g_assert_true (is_stuck (&run));
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), get_shaken_x (t0, stop), tolerance);
  advance (&run, 4);
  /* There and back, and a part of the way again. */
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), get_shaken_x (t0, 4 - G_PI), 3 * tolerance);
  run_clear (&run);
  check_caching (shaken_new, solver->name, 8);
}

/* Drawn by a spring of 10 N/m whose end moves on at 0.1 m/s; static friction 2 N, Coulomb's 1 N.
 * With A = (Fs - Fc)/k and w = sqrt (k/m), a slip takes 2 (pi - atan (A w/V))/w, the rest between
 * two of them 2 (Fs - Fc)/(k V); the first begins at Fs/(k V) = 2 s, and each leads on by V times
 * the period. */
static Run
stick_slip_new (void)
{
  Run run = mass_new ("Gain", PAIRS ("gain", "10"),
                      PAIRS ("coulomb", "1", "viscous", "0", "static", "2"), "0", FALSE);

  add (&run, "End", "Ramp", PAIRS ("slope", "0.1"));
  add (&run, "Extension", "Sum", PAIRS ("signs", "+-"));
  wire (&run, "End", "y", "Extension", "in1");
  wire (&run, "x", "y", "Extension", "in2");
  wire (&run, "Extension", "y", "Force", "u");
  wire (&run, "Force", "y", "Friction", "force");
  return run;
}

static void
test_stick_slip (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  gboolean is_exact = get_tolerance (solver) < FIRST_ORDER;
  double w = sqrt (10), slip = 2 * (G_PI - atan (0.1 * w / 0.1)) / w, period = slip + 2;
  Run run = stick_slip_new ();

  start (&run, solver->name);
  for (guint n = 0; n < 6; n++)
    {
      double begin = 2 + n * period;

      /* Methods of first order give other slips, and as many. */
      advance (&run, begin - 0.1);
      if (is_exact)
        {
          g_assert_true (is_stuck (&run));
          g_assert_cmpfloat_with_epsilon (value (&run, "x"), 0.1 * n * period,
                                          (n + 1) * 10 * get_tolerance (solver));
        }
      advance (&run, begin + slip / 2);
      if (is_exact)
        {
          g_assert_false (is_stuck (&run));
          /* Half way: the spring has the length of Coulomb's friction plus half of what the slip
           * takes from it, z = Fc/k + A cos a + V/w sin a. */
          g_assert_cmpfloat_with_epsilon (value (&run, "x"),
                                          0.1 * (begin + slip / 2) - 0.1 - 0.1 * cos (w * slip / 2)
                                              - 0.1 / w * sin (w * slip / 2),
                                          (n + 1) * 10 * get_tolerance (solver));
        }
    }
  run_clear (&run);
  check_caching (stick_slip_new, solver->name, 12);
}

/* Moved by something else than the force that it is told of, it slides; static friction is no less
 * than Coulomb's. */
static void
test_moved (void)
{
  g_autoptr (WeirSystem) system = NULL;
  Run run = { NULL };

  add (&run, "Velocity", "Sine", PAIRS ("amplitude", "2", "frequency", "0.15915494309189535"));
  add (&run, "Force", "Constant", PAIRS ("value", "0.5"));
  add (&run, "Friction", "Friction", PAIRS ("coulomb", "1", "static", "0.1", "viscous", "3"));
  wire (&run, "Velocity", "y", "Friction", "u");
  wire (&run, "Force", "y", "Friction", "force");
  start (&run, NULL);
  g_assert_true (is_stuck (&run));
  for (double t = 0.25; t < 12; t += 0.25)
    {
      double v = 2 * sin (t);

      advance (&run, t);
      g_assert_false (is_stuck (&run));
      g_assert_cmpfloat_with_epsilon (value (&run, "Friction"), (v > 0 ? 1 : -1) + 3 * v, 1e-9);
    }
  run_clear (&run);
}

/* Without the force the block tells the direction, and says what is missing where it should hold:
 * a spring of 4 N/m, released at 5 m, comes to rest after ten half periods. */
static void
test_unknown_force (void)
{
  g_autoptr (GError) error = NULL;
  Run run = { NULL };

  add (&run, "Spring", "Gain", PAIRS ("gain", "-4"));
  add (&run, "Friction", "Friction", PAIRS ("coulomb", "1", "viscous", "0"));
  add (&run, "Net", "Sum", PAIRS ("signs", "+-"));
  add (&run, "v", "Integrator", PAIRS (NULL));
  add (&run, "x", "Integrator", PAIRS ("initial", "5"));
  wire (&run, "x", "y", "Spring", "u");
  wire (&run, "Spring", "y", "Net", "in1");
  wire (&run, "Friction", "y", "Net", "in2");
  wire (&run, "Net", "y", "v", "u");
  wire (&run, "v", "y", "x", "u");
  wire (&run, "v", "y", "Friction", "u");
  start (&run, NULL);
  advance (&run, 1.5 * G_PI); /* three half periods: 5 - 3 * 0.5 on the other side */
  g_assert_cmpfloat_with_epsilon (value (&run, "x"), -3.5, ADAPTIVE);
  g_assert_false (weir_simulator_advance_to (run.simulator, 30, &error));
  g_assert_nonnull (strstr (error->message, "Friction: "));
  g_assert_nonnull (strstr (error->message, "to the input \"force\""));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 5 * G_PI, ADAPTIVE);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc func;
  } tests[] = {
    { "slides-to-rest", test_slides_to_rest }, { "rests-exactly", test_rests_exactly },
    { "breaks-away", test_breaks_away },       { "shaken", test_shaken },
    { "stick-slip", test_stick_slip },
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    for (guint k = 0; k < weir_solver_get_n (); k++)
      {
        const WeirSolverInfo *solver = weir_solver_get (k);
        g_autofree char *path = g_strdup_printf ("/blocks/friction/%s/%s", tests[i].name,
                                                 solver->name);

        g_test_add_data_func (path, solver, tests[i].func);
      }
  g_test_add_func ("/blocks/friction/moved", test_moved);
  g_test_add_func ("/blocks/friction/unknown-force", test_unknown_force);
  return g_test_run ();
}
