/* What a run tells about itself: steps, what limits them, events by block, where time went. */
#include "models.h"
#include "sim/session.h"
#include "sim/stopwatch.h"

static WeirSimulator *
run (WeirSystem *system, WeirContext *context, const WeirSimulatorOptions *options, double until)
{
  g_autoptr (GError) error = NULL;
  WeirSimulator *simulator = weir_simulator_new (system, context, options, &error);

  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, until, &error);
  g_assert_no_error (error);
  return simulator;
}

/* z0' = -z0, z1' = 1000 cos (1000 t): the second keeps the steps short. */
static WeirStatus
two_speeds_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_z (c)[0];
  xdot[1] = 1000 * cos (1000 * weir_calc_time (c));
  return WEIR_OK;
}

static WeirSystem *
two_speeds_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("TwoSpeeds");
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_set_continuous_state (b, 0, 0, 2, (double[]) { 1, 0 });
  weir_leaf_set_derivatives (b, two_speeds_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  leaf = weir_leaf_builder_build (b);
  return wrap_new ("speeds", leaf);
}

static void
test_limiting_state (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = two_speeds_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autofree char *name = NULL;
  guint limiting;

  options.step = 1e-4;
  simulator = run (system, context, &options, 0.1);
  limiting = weir_simulator_find_limiting_state (simulator);
  if (!info->is_adaptive)
    {
      g_assert_cmpuint (limiting, ==, G_MAXUINT);
      return;
    }
  g_assert_cmpuint (limiting, ==, 1);
  name = weir_simulator_dup_state_name (simulator, limiting);
  g_assert_cmpstr (name, ==, "speeds.z[1]");
}

/* A limit of steps says who needed them. */
static void
test_step_limit (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = two_speeds_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 1e-4;
  options.max_steps = 50;
  simulator = weir_simulator_new (system, context, &options, NULL);
  g_assert_false (weir_simulator_advance_to (simulator, 1, &error));
  g_assert_true (g_str_has_prefix (error->message,
                                   "the run took its 50 steps, the limit that was set, at t = "));
  g_assert_cmpint (g_str_has_suffix (error->message, "; the state that limits it is speeds.z[1]"),
                   ==, info->is_adaptive);
  g_assert_cmpuint (weir_simulator_get_statistics (simulator)->steps, ==, 50);
}

static void
test_lengths (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  const WeirSimulatorStatistics *s;

  options.step = 0.25;
  simulator = run (system, context, &options, 1.125);
  s = weir_simulator_get_statistics (simulator);
  g_assert_cmpuint (s->steps, ==, 5);
  g_assert_cmpfloat (s->longest_step, ==, 0.25);
  g_assert_cmpfloat (s->shortest_step, ==, 0.125);
  g_assert_cmpfloat (s->last_step, ==, 0.125);
  g_assert_true (weir_simulator_initialize (simulator, NULL));
  g_assert_cmpfloat (s->longest_step, ==, 0);
}

/* Time goes where something was done, and nowhere else. */
static void
test_times (void)
{
  g_autoptr (WeirSystem) smooth = growth_new ();
  g_autoptr (WeirSystem) loop = sampled_loop_new (0.1);
  g_autoptr (WeirContext) a = weir_system_create_context (smooth);
  g_autoptr (WeirContext) b = weir_system_create_context (loop);
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_autoptr (WeirSimulator) without = run (smooth, a, &options, 1), with = NULL;
  WeirSimulatorTimes times = weir_simulator_get_times (without);

  g_assert_cmpfloat (times.solver, >, 0);
  g_assert_cmpfloat (times.rhs, >, 0);
  g_assert_cmpfloat (times.jacobians, ==, 0);
  g_assert_cmpfloat (times.crossings, ==, 0);
  g_assert_cmpfloat (times.events, ==, 0);
  g_assert_cmpfloat (times.monitor, ==, 0);
  options.solver = "cvode-bdf";
  with = run (loop, b, &options, 1);
  times = weir_simulator_get_times (with);
  g_assert_cmpfloat (times.jacobians, >, 0);
  g_assert_cmpfloat (times.events, >, 0);
}

/* All of the first, which stand for themselves, then one in sixteen, which stand for the others,
 * but for one that was interrupted. */
static void
test_stopwatch (void)
{
  WeirStopwatch watch = { 0 };
  guint n_looked = 0;

  for (guint i = 0; i < WEIR_STOPWATCH_FIRST + 160; i++)
    n_looked += weir_stopwatch_begin (&watch) != 0;
  g_assert_cmpuint (n_looked, ==, WEIR_STOPWATCH_FIRST + 10);
  watch = (WeirStopwatch) {
    .n = WEIR_STOPWATCH_FIRST + 160, .n_samples = 2, .ns = 1000, .ns_alone = 7000000
  };
  g_assert_cmpfloat_with_epsilon (weir_stopwatch_get_total (&watch), 7e-3 + 160 * 500e-9, 1e-15);
  watch = (WeirStopwatch) { .n = 80, .n_samples = 1, .ns = 10000000, .ns_alone = 640000000 };
  weir_stopwatch_end (&watch, weir_stopwatch_now () - 3600 * (gint64) 1000000000);
  g_assert_cmpuint (watch.n_samples, ==, 1);
  g_assert_cmpint (watch.ns, ==, 10000000);
  g_assert_cmpint (watch.ns_alone, >=, 3600 * (gint64) 1000000000);
}

/* By event, as the system lists them. */
static void
test_snapshot (void)
{
  g_autoptr (WeirSystem) system = driven_new (0.1);
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_autoptr (WeirSession) session = weir_session_new (system, &options, 1, 0, NULL, NULL);
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);

  g_assert_cmpuint (snapshot->n_events_declared, ==, 1);
  g_assert_cmpuint (snapshot->event_counts[0], ==, 0);
  g_assert_cmpuint (snapshot->limiting_state, ==, G_MAXUINT);
  weir_session_run (session);
  weir_session_join (session);
  snapshot = weir_session_get_snapshot (session);
  g_assert_cmpuint (snapshot->event_counts[0], ==, 10); /* 0, 0.1, ... 0.9 */
  g_assert_cmpuint (snapshot->limiting_state, ==, 0);
  g_assert_cmpfloat (snapshot->times.rhs, >, 0);
  g_assert_cmpfloat (snapshot->statistics.longest_step, <=, 0.1 * (1 + 1e-12));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *state = g_strdup_printf ("/sim/statistics/limiting-state/%s", info->name);
      g_autofree char *limit = g_strdup_printf ("/sim/statistics/step-limit/%s", info->name);

      g_test_add_data_func (state, info, test_limiting_state);
      g_test_add_data_func (limit, info, test_step_limit);
    }
  g_test_add_func ("/sim/statistics/lengths", test_lengths);
  g_test_add_func ("/sim/statistics/times", test_times);
  g_test_add_func ("/sim/statistics/stopwatch", test_stopwatch);
  g_test_add_func ("/sim/statistics/snapshot", test_snapshot);
  return g_test_run ();
}
