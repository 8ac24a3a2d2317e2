/* Zero crossings: found on the way, located, handled in order; bouncing and chattering. */
#include "models.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

static GArray *times;      /* of the handlers' calls */
static GArray *directions; /* int: that they were told */

/* Takes over @system. */
static void
run_init_with (Run *run, WeirSystem *system, const WeirSimulatorOptions *options)
{
  g_autoptr (GError) error = NULL;

  times = g_array_new (FALSE, FALSE, sizeof (double));
  directions = g_array_new (FALSE, FALSE, sizeof (int));
  run->system = system;
  run->context = weir_system_create_context (system);
  run->simulator = weir_simulator_new (system, run->context, options, &error);
  g_assert_no_error (error);
}

static void
run_init (Run *run, WeirSystem *system, const char *solver)
{
  WeirSimulatorOptions options = options_for (solver, 1e-10);

  options.step = 0.3;
  run_init_with (run, system, &options);
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
  g_array_unref (times);
  g_array_unref (directions);
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

static void
assert_times (guint n, const double *expected, double tolerance)
{
  g_assert_cmpuint (times->len, ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (g_array_index (times, double, i), expected[i], tolerance);
}

static WeirStatus
note_crossing (const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  double t = weir_calc_time (c);
  int direction = weir_calc_crossing (c, 0);

  g_array_append_val (times, t);
  g_array_append_val (directions, direction);
  return WEIR_OK;
}

/* z' = 1 from z0; the witness is any function of z. */
static WeirStatus
one (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  xdot[0] = 1;
  return WEIR_OK;
}

static WeirSystem *
ramp_new (double z0, WeirCalcFunc witness, guint n, WeirDirection direction)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ramp");
  WeirCached w;

  weir_leaf_set_continuous_state (b, 0, 0, 1, &z0);
  weir_leaf_set_derivatives (b, one, WEIR_DEPENDS (WEIR_NOTHING));
  weir_leaf_add_output_window (b, "z", WEIR_Z);
  w = weir_leaf_add_cache_entry (b, "w", n, witness, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_publish (b, weir_on_crossing (w, direction), note_crossing);
  return weir_leaf_builder_build (b);
}

static WeirStatus
wave (const WeirCalc *c, double *w)
{
  w[0] = sin (weir_calc_z (c)[0]);
  return WEIR_OK;
}

/* Every direction of sin t over [0.5, 10], for every solver, and for a wide
 * tolerance. */
static void
test_directions (gconstpointer data)
{
  static const struct {
    WeirDirection direction;
    guint n;
    double times[3];
  } cases[] = {
    { WEIR_CROSSES, 3, { G_PI - 0.5, 2 * G_PI - 0.5, 3 * G_PI - 0.5 } },
    { WEIR_FALLING, 2, { G_PI - 0.5, 3 * G_PI - 0.5 } },
    { WEIR_RISING, 1, { 2 * G_PI - 0.5 } },
  };
  static const double tolerances[] = { 0, 1e-3 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (tolerances); k++)
      {
        WeirSimulatorOptions options = options_for (data, 1e-10);
        Run run;

        options.step = 0.3;
        options.max_step = 1; /* two crossings in one step of a linear problem would be lost */
        options.event_tolerance = tolerances[k];
        run_init_with (&run, ramp_new (0.5, wave, 1, cases[i].direction), &options);
        advance (&run, 9.5);
        /* The solution is linear: any method's dense output is exact but for rounding. */
        assert_times (cases[i].n, cases[i].times, MAX (tolerances[k], 1e-11));
        for (guint j = 0; j < times->len; j++)
          {
            gboolean falls = fabs (cos (g_array_index (times, double, j) + 0.5) + 1) < 0.1;

            g_assert_cmpint (g_array_index (directions, int, j), ==, falls ? -1 : 1);
          }
        run_clear (&run);
      }
}

/* A witness that is zero at the start does not trigger by leaving zero; landing does. */
static WeirStatus
distance (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_z (c)[0];
  return WEIR_OK;
}

static WeirStatus
until_one (const WeirCalc *c, double *w)
{
  w[0] = MAX (1 - weir_calc_z (c)[0], 0);
  return WEIR_OK;
}

static void
test_zero (void)
{
  Run run;

  run_init (&run, ramp_new (0, distance, 1, WEIR_CROSSES), "dormand-prince");
  advance (&run, 3);
  assert_times (0, NULL, 0);
  run_clear (&run);
  run_init (&run, ramp_new (0, until_one, 1, WEIR_CROSSES), "dormand-prince");
  advance (&run, 3);
  assert_times (1, (double[]) { 1 }, 1e-12);
  run_clear (&run);
}

/* Several in one step, equal ones together, in the order of time. */
static WeirStatus
several (const WeirCalc *c, double *w)
{
  double z = weir_calc_z (c)[0];

  w[0] = z - 2;
  w[1] = z - 1;
  w[2] = 1 - z;
  return WEIR_OK;
}

static GString *crossed;

static WeirStatus
note_several (const WeirCalc *c, gint64 n)
{
  g_string_append_printf (crossed, "%d: %d %d %d; ", (int) n, weir_calc_crossing (c, 0),
                          weir_calc_crossing (c, 1), weir_calc_crossing (c, 2));
  return note_crossing (c, n);
}

static void
test_several (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Several");
  WeirSimulatorOptions options = options_for ("euler", 1e-6);
  WeirCached w;
  Run run;

  options.step = 10; /* all of them in one step */
  crossed = g_string_new (NULL);
  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, one, WEIR_DEPENDS (WEIR_NOTHING));
  w = weir_leaf_add_cache_entry (b, "w", 3, several, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_publish (b, weir_on_crossing (w, WEIR_CROSSES), note_several);
  run_init_with (&run, weir_leaf_builder_build (b), &options);
  advance (&run, 3);
  assert_times (2, (double[]) { 1, 2 }, 1e-12);
  g_assert_cmpstr (crossed->str, ==, "0: 0 1 -1; 1: 1 0 0; ");
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->crossings, ==, 2);
  g_string_free (crossed, TRUE);
  run_clear (&run);
}

/* Crossings at 0.25, 0.5, 0.75 and a period of 0.5: the period is exact, and the crossing
 * of that instant is at it. */
static WeirStatus
thirds (const WeirCalc *c, double *w)
{
  double z = weir_calc_z (c)[0];

  w[0] = (z - 0.25) * (z - 0.5) * (z - 0.75);
  return WEIR_OK;
}

static WeirStatus
exact_publish (const WeirCalc *c, gint64 n)
{
  g_assert_cmpfloat (weir_calc_time (c), ==, 0.5 * (double) n);
  return WEIR_OK;
}

static void
test_with_periodic (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Both");
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-9);
  WeirCached w;
  Run run;

  options.max_step = 0.1;
  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, one, WEIR_DEPENDS (WEIR_NOTHING));
  w = weir_leaf_add_cache_entry (b, "w", 1, thirds, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_publish (b, weir_on_crossing (w, WEIR_CROSSES), note_crossing);
  weir_leaf_add_publish (b, weir_every (0.5, 0), exact_publish);
  run_init_with (&run, weir_leaf_builder_build (b), &options);
  advance (&run, 1);
  assert_times (3, (double[]) { 0.25, 0.5, 0.75 }, 1e-12);
  g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 1), ==, 3);
  run_clear (&run);
}

/* In a child, handled there only. */
static void
test_in_diagram (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) early = ramp_new (-1, distance, 1, WEIR_RISING);
  g_autoptr (WeirSystem) late = ramp_new (-2, distance, 1, WEIR_RISING);
  Run run;

  weir_diagram_builder_add (d, "late", late);
  weir_diagram_builder_add (d, "early", early);
  run_init (&run, weir_diagram_builder_build (d, NULL), "dormand-prince");
  advance (&run, 1.5);
  assert_times (1, (double[]) { 1 }, 1e-12);
  g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 0), ==, 0);
  g_assert_cmpuint (weir_simulator_get_event_count (run.simulator, 1), ==, 1);
  advance (&run, 3);
  assert_times (2, (double[]) { 1, 2 }, 1e-12);
  run_clear (&run);
}

/* Free fall from 1 m, restitution 0.5, without a clamp and with; impacts at
 * t1 = sqrt (2 / 9.81), then after flights of t1, t1 / 2, t1 / 4 ... Nothing fires twice at an
 * impact. */
static WeirStatus
fall (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = -9.81;
  return WEIR_OK;
}

static WeirStatus
height (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_q (c)[0];
  return WEIR_OK;
}

static WeirStatus
bounce (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *x)
{
  double t = weir_calc_time (c);

  g_array_append_val (times, t);
  if (weir_calc_parameter (c, (WeirParameter) { 0 })[0] != 0)
    x[0] = 0;
  x[1] = -0.5 * x[1];
  return WEIR_OK;
}

static WeirSystem *
ball_new (double clamps)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ball");
  WeirCached w;

  weir_leaf_add_parameter (b, "clamps", &clamps, 1);
  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 1, 0 });
  weir_leaf_set_derivatives (b, fall, WEIR_DEPENDS (WEIR_V));
  w = weir_leaf_add_cache_entry (b, "height", 1, height, WEIR_DEPENDS (WEIR_Q));
  weir_leaf_add_reset (b, weir_on_crossing (w, WEIR_FALLING), bounce);
  return weir_leaf_builder_build (b);
}

static void
test_no_double_fire (gconstpointer data)
{
  for (guint clamps = 0; clamps < 2; clamps++)
    {
      double t1 = sqrt (2 / 9.81), expected[6] = { t1 };
      Run run;

      for (guint i = 1; i < 6; i++)
        expected[i] = expected[i - 1] + t1 * 2 / pow (2, i);
      run_init (&run, ball_new (clamps), data);
      advance (&run, 0.5 * (expected[4] + expected[5]));
      /* BDF at 1e-6 was measured to be off by 1.2e-7; the tolerance here is 1e-10. */
      assert_times (5, expected, 1e-7);
      run_clear (&run);
    }
}

/* Without a state of rest the run ends with a report, in bounded time, and the ball never falls
 * through the floor. */
static void
test_zeno_report (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSystem) ball = ball_new (1);
  Run run;

  run_init (&run, wrap_new ("ball", ball), "dormand-prince");
  g_assert_false (weir_simulator_advance_to (run.simulator, 10, &error));
  g_assert_true (g_str_has_prefix (error->message, "ball: "));
  g_assert_nonnull (strstr (error->message, " zero crossings (ball:height) within "));
  g_assert_nonnull (strstr (error->message, "(Zeno)"));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (run.context), 3 * sqrt (2 / 9.81), 1e-7);
  g_assert_cmpfloat (weir_context_get_state (run.context)[0], >, -1e-9);
  run_clear (&run);
}

/* Events that follow from each other at one instant, without end: each of two flips the other. */
static WeirStatus
show (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
see (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
flip (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = -weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static void
test_iteration_cap (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Flipper");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 1 }, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSystem) leaf = NULL;
  WeirSimulatorOptions options = options_for (NULL, 1e-6);
  WeirCached w;
  Run run;

  weir_leaf_add_output (b, "y", 1, show, WEIR_DEPENDS (weir_group_ticket (b, x)));
  w = weir_leaf_add_cache_entry (b, "w", 1, see, WEIR_DEPENDS (weir_group_ticket (b, x)));
  weir_leaf_add_update (b, weir_every (1, 0.5), x, flip);
  weir_leaf_add_update (b, weir_on_crossing (w, WEIR_CROSSES), x, flip);
  leaf = weir_leaf_builder_build (b);
  options.max_event_iterations = 20;
  run_init_with (&run, wrap_new ("flipper", leaf), &options);
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_cmpstr (
      error->message, ==,
      "flipper: events follow from each other without end at t = 0.5 s; 21 rounds were "
      "tried");
  run_clear (&run);
}

/* A witness that is not a number is an error, not a crossing lost. */
static WeirStatus
broken (const WeirCalc *c, double *w)
{
  w[0] = sqrt (0.5 - weir_calc_z (c)[0]);
  return WEIR_OK;
}

static void
test_not_a_number (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSystem) leaf = ramp_new (0, broken, 1, WEIR_CROSSES);
  Run run;

  run_init (&run, wrap_new ("leaf", leaf), "rk4");
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_true (g_str_has_prefix (error->message, "leaf:w became not a number at t = "));
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "dormand-prince", "bogacki-shampine", "rk4",
                                         "heun",           "cvode-adams",      "cvode-bdf",
                                         "auto",           "dop853",           "radau" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autofree char *directions_path = g_strdup_printf ("/sim/crossings/103-105-directions/%s",
                                                          solvers[i]);
      g_autofree char *fire_path = g_strdup_printf ("/sim/crossings/no-double-fire/%s", solvers[i]);

      g_test_add_data_func (directions_path, solvers[i], test_directions);
      g_test_add_data_func (fire_path, solvers[i], test_no_double_fire);
    }
  g_test_add_func ("/sim/crossings/zero", test_zero);
  g_test_add_func ("/sim/crossings/several", test_several);
  g_test_add_func ("/sim/crossings/with-periodic", test_with_periodic);
  g_test_add_func ("/sim/crossings/in-diagram", test_in_diagram);
  g_test_add_func ("/sim/crossings/zeno-report", test_zeno_report);
  g_test_add_func ("/sim/crossings/iteration-cap", test_iteration_cap);
  g_test_add_func ("/sim/crossings/not-a-number", test_not_a_number);
  return g_test_run ();
}
