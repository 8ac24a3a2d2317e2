/* Recording on a chosen interval: where its instants lie, how good dense output is there, and that
 * no interval changes a bit of the solution. */
#include "models.h"
#include "sim/recorder.h"

typedef struct {
  WeirRecorder *recorder;
  GArray *phases; /* WeirPhase, of all instants that are samples */
} Log;

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  Log *log = data;

  if (!weir_simulator_is_sample (simulator))
    return WEIR_OK;
  g_array_append_val (log->phases, phase);
  return weir_recorder_record (log->recorder, weir_simulator_get_context (simulator), phase);
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
  Log log;
} Run;

/* Takes over @system. */
static void
run_init (Run *run, WeirSystem *system, const WeirSimulatorOptions *options, const char *port)
{
  const char *ports[] = { port, NULL };
  g_autoptr (GError) error = NULL;

  run->system = system;
  run->context = weir_system_create_context (system);
  run->log.recorder = weir_recorder_new (system, ports, TRUE, &error);
  g_assert_no_error (error);
  run->log.phases = g_array_new (FALSE, FALSE, sizeof (WeirPhase));
  run->simulator = weir_simulator_new (system, run->context, options, &error);
  g_assert_no_error (error);
  weir_simulator_set_monitor (run->simulator, record, &run->log);
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_recorder_unref (run->log.recorder);
  g_array_unref (run->log.phases);
  weir_context_free (run->context);
  weir_system_unref (run->system);
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_simulator_advance_to (run->simulator, until, &error));
  g_assert_no_error (error);
}

/* A triangle wave between 0 and 1 that begins at 0.75 and falls: its slope is a mode. */
static WeirStatus
triangle_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
triangle_edges (const WeirCalc *c, double *w)
{
  w[0] = weir_calc_z (c)[0] * (1 - weir_calc_z (c)[0]);
  return WEIR_OK;
}

static WeirStatus
triangle_turn (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_z (c)[0] < 0.5 ? 1 : -1;
  return WEIR_OK;
}

static WeirSystem *
triangle_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Triangle");
  WeirGroup slope = weir_leaf_add_discrete_state (b, "slope", (double[]) { -1 }, 1);
  WeirCached edges;

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0.75 });
  weir_leaf_set_derivatives (b, triangle_xcdot, WEIR_DEPENDS (weir_group_ticket (b, slope)));
  edges = weir_leaf_add_cache_entry (b, "edges", 1, triangle_edges, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_update (b, weir_on_crossing (edges, WEIR_FALLING), slope, triangle_turn);
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  return weir_leaf_builder_build (b);
}

static double
triangle_at (double t)
{
  double phase = fmod (t + 0.25, 2);

  return fabs (1 - phase);
}

/* --- Where, and how good --------------------------------------------------------------------- */

static double
interval_error (const WeirSolverInfo *info, double step)
{
  /* Order p, and cubic interpolation at best where the step is fixed; exp (sin t) has derivatives
   * of about 10. */
  return info->is_adaptive ? 1e-5 : 10 * pow (step, MIN (info->order, 3));
}

static void
test_values (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  Run run;

  options.step = 0.013;
  options.record_interval = 0.1;
  run_init (&run, growth_new (), &options, "x");
  advance (&run, 3.05);
  g_assert_cmpuint (weir_recorder_get_n_rows (run.log.recorder), ==, 32); /* 0, 0.1, ... 3, 3.05 */
  for (guint i = 0; i < 32; i++)
    {
      double t = i < 31 ? i * 0.1 : 3.05;

      g_assert_cmpfloat (weir_recorder_get_time (run.log.recorder, i), ==, t);
      g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (run.log.recorder, 0, i),
                                      exp (sin (t)), interval_error (info, options.step));
    }
  run_clear (&run);
}

/* Instants that fall on an event are seen before its updates, those between events on the dense
 * output of a step that a crossing cut short. */
static void
test_crossings (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  Run run;

  options.step = 0.17;
  options.record_interval = 0.0625; /* 12 of them end at the first turn, t = 0.75 */
  run_init (&run, triangle_new (), &options, "x");
  advance (&run, 10);
  for (gsize i = 0; i < weir_recorder_get_n_rows (run.log.recorder); i++)
    {
      double t = weir_recorder_get_time (run.log.recorder, i);

      g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (run.log.recorder, 0, i),
                                      triangle_at (t), 1e-9);
    }
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->crossings, ==, 10);
  run_clear (&run);
}

static void
test_discrete (void)
{
  /* Between events nothing changes, and the rows are there all the same; x-plus follows where an
   * update falls on the interval: 0, 0+, 1, 2, 2+, 3, 4 (updates at 0, 0.5, 1.5, ... would not). */
  static const double times[] = { 0, 0, 1, 2, 2, 3, 4 };
  static const double values[] = { 0, 10, 10, 10, 20, 20, 20 };
  WeirSimulatorOptions options = options_for (NULL, 1e-6);
  Run run;

  options.record_interval = 1;
  run_init (&run, counter_new (2, 0), &options, "Sn");
  advance (&run, 4);
  g_assert_cmpuint (weir_recorder_get_n_rows (run.log.recorder), ==, G_N_ELEMENTS (times));
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_assert_cmpfloat (weir_recorder_get_time (run.log.recorder, i), ==, times[i]);
      g_assert_cmpfloat (weir_recorder_get_value (run.log.recorder, 0, i), ==, values[i]);
    }
  run_clear (&run);

  run_init (&run, counter_new (2, 0.5), &options, "Sn"); /* updates at 0.5, 2.5, 4.5 */
  advance (&run, 3.2);
  g_assert_cmpuint (weir_recorder_get_n_rows (run.log.recorder), ==, 5);
  for (guint i = 0; i < 5; i++)
    g_assert_cmpfloat (weir_recorder_get_value (run.log.recorder, 0, i), ==,
                       i == 0  ? 0
                       : i < 3 ? 10
                               : 20);
  g_assert_cmpfloat (weir_recorder_get_time (run.log.recorder, 4), ==, 3.2);
  run_clear (&run);
}

/* A derivative that jumps with time by a timed break: x' = 0 before t = 1, 1000 after. The dense
 * output of the step that ends there knows nothing of what follows. */
static WeirStatus
jump_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_time (c) < 1 ? 0 : 1000;
  return WEIR_OK;
}

static WeirStatus
jump_time (G_GNUC_UNUSED const WeirCalc *c, double after, double *time)
{
  *time = after < 1 ? 1 : (double) INFINITY;
  return WEIR_OK;
}

static void
test_jump (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Jump");
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  Run run;

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, jump_xcdot, WEIR_DEPENDS (WEIR_TIME));
  weir_leaf_add_break (b, weir_at_times (jump_time));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  options.step = 0.3;
  options.record_interval = 0.01;
  run_init (&run, weir_leaf_builder_build (b), &options, "x");
  advance (&run, 1.5);
  for (gsize i = 0; i < weir_recorder_get_n_rows (run.log.recorder); i++)
    {
      double t = weir_recorder_get_time (run.log.recorder, i);

      g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (run.log.recorder, 0, i),
                                      t <= 1 ? 0 : 1000 * (t - 1), t <= 1 ? 1e-12 : 1e-3);
    }
  run_clear (&run);
}

/* --- Within long steps ----------------------------------------------------------------------- */

/* A step longer than the gap is shown within, on its dense output; a crossing that cuts it short
 * included. */
static void
test_within (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  guint n_within = 0;
  double last = 0;
  Run run;

  options.step = 0.17;
  options.record_gap = 0.05;
  run_init (&run, triangle_new (), &options, "x");
  advance (&run, 10);
  for (gsize i = 0; i < weir_recorder_get_n_rows (run.log.recorder); i++)
    {
      double t = weir_recorder_get_time (run.log.recorder, i);

      g_assert_cmpfloat (t, >=, last);
      g_assert_cmpfloat (t - last, <=, (info->is_adaptive ? 0.05 : options.step) + 1e-12);
      g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (run.log.recorder, 0, i),
                                      triangle_at (t), 1e-9);
      n_within += g_array_index (run.log.phases, WeirPhase, i) == WEIR_PHASE_WITHIN;
      last = t;
    }
  g_assert_cmpuint (n_within, >, 0); /* the slope is constant: steps are long */
  run_clear (&run);
}

/* Where a long step begins with a jump, its first row is the value after the jump. */
static void
test_within_jumps (void)
{
  static const struct {
    double time, value;
    WeirPhase phase;
  } rows[] = { { 0, 0, WEIR_PHASE_INITIAL }, { 0, 10, WEIR_PHASE_WITHIN },
               { 1, 10, WEIR_PHASE_WITHIN }, { 2, 10, WEIR_PHASE_MINUS },
               { 2, 20, WEIR_PHASE_WITHIN }, { 3, 20, WEIR_PHASE_WITHIN },
               { 4, 20, WEIR_PHASE_MINUS } };
  WeirSimulatorOptions options = options_for (NULL, 1e-6);
  guint k = 0;
  Run run;

  options.record_gap = 1;
  run_init (&run, counter_new (2, 0), &options, "Sn");
  advance (&run, 4);
  for (guint i = 0; i < run.log.phases->len; i++)
    {
      if (g_array_index (run.log.phases, WeirPhase, i) == WEIR_PHASE_PLUS)
        continue;
      g_assert_cmpuint (k, <, G_N_ELEMENTS (rows));
      g_assert_cmpint (g_array_index (run.log.phases, WeirPhase, i), ==, rows[k].phase);
      g_assert_cmpfloat (weir_recorder_get_time (run.log.recorder, i), ==, rows[k].time);
      g_assert_cmpfloat (weir_recorder_get_value (run.log.recorder, 0, i), ==, rows[k].value);
      k++;
    }
  g_assert_cmpuint (k, ==, G_N_ELEMENTS (rows));
  run_clear (&run);
}

/* Half of what is taken between the steps' ends cannot be computed: those rows are left out, and
 * the run goes on. */
static WeirStatus
fail_between (const WeirCalc *c, double *y)
{
  double t = weir_calc_time (c);

  if (t != floor (t) && t > 5)
    return weir_calc_fail (c, "nothing between whole seconds");
  y[0] = t;
  return WEIR_OK;
}

static void
test_within_failure (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Whole");
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  gsize n;
  Run run;

  weir_leaf_add_output (b, "y", 1, fail_between, WEIR_DEPENDS (WEIR_TIME));
  options.step = 1;
  options.record_gap = 0.5;
  run_init (&run, weir_leaf_builder_build (b), &options, "y");
  advance (&run, 10);
  n = weir_recorder_get_n_rows (run.log.recorder);
  g_assert_cmpuint (n, ==, 16); /* 0, 0.5, ... 5, 6, ... 10 */
  for (gsize i = 0; i < n; i++)
    g_assert_cmpfloat (weir_recorder_get_time (run.log.recorder, i), ==,
                       i <= 10 ? 0.5 * (double) i : (double) i - 5);
  run_clear (&run);
}

/* --- Nothing changes ------------------------------------------------------------------------- */

typedef struct {
  double state[4];
  guint n;
  double time;
  guint64 steps, rejected_steps, jacobians, reinitialisations, crossings, updates;
  guint64 hits, misses, invalidations; /* of all entries; without an interval only */
} Outcome;

static void
add_counters (const WeirContext *context, Outcome *outcome)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (context));
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, n);

  weir_context_read_counters (context, counters);
  for (guint i = 0; i < n; i++)
    {
      outcome->hits += counters[i].hits;
      outcome->misses += counters[i].first + counters[i].stale + counters[i].disabled;
      outcome->invalidations += counters[i].invalidations;
    }
}

static Outcome
run_with (WeirSystem *system, const char *solver, double interval, double gap, gboolean caching)
{
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  Outcome outcome = { 0 };
  const WeirSimulatorStatistics *s;
  Run run;

  options.step = 0.013;
  options.record_interval = interval;
  options.record_gap = gap;
  run_init (&run, weir_system_ref (system), &options, NULL);
  weir_context_set_caching (run.context, caching);
  advance (&run, 2.345);
  outcome.n = weir_layout_get_n_states (weir_system_get_layout (system));
  memcpy (outcome.state, weir_context_get_state (run.context), outcome.n * sizeof (double));
  outcome.time = weir_context_get_time (run.context);
  s = weir_simulator_get_statistics (run.simulator);
  outcome.steps = s->steps;
  outcome.rejected_steps = s->rejected_steps;
  outcome.jacobians = s->jacobians;
  outcome.reinitialisations = s->reinitialisations;
  outcome.crossings = s->crossings;
  outcome.updates = s->discrete_updates + s->resets;
  if (interval == 0)
    add_counters (run.context, &outcome);
  run_clear (&run);
  return outcome;
}

static void
test_neutral (gconstpointer data)
{
  static const double intervals[] = { 1, 0.1, 0.013, 0.0037, 1e-3 };
  const WeirSolverInfo *info = data;
  WeirSystem *systems[] = { pendulum_new (1.5), growth_new (),    sampled_loop_new (0.3),
                            triangle_new (),    driven_new (0.1), robertson_new () };

  for (guint k = 0; k < G_N_ELEMENTS (systems); k++)
    {
      gboolean is_too_stiff = k == 5 && !info->is_adaptive;
      Outcome bare;

      if (is_too_stiff)
        continue;
      for (guint i = 0; i < G_N_ELEMENTS (intervals); i++)
        {
          gboolean caching = i % 2 == 0;
          Outcome with = run_with (systems[k], info->name, 0, intervals[i], caching);

          bare = run_with (systems[k], info->name, 0, 0, caching);
          g_assert_cmpmem (&with, sizeof with, &bare, sizeof bare);
          with = run_with (systems[k], info->name, intervals[i], 0, caching);
          bare.hits = bare.misses = bare.invalidations = 0;
          g_assert_cmpmem (&with, sizeof with, &bare, sizeof bare);
        }
    }
  for (guint k = 0; k < G_N_ELEMENTS (systems); k++)
    weir_system_unref (systems[k]);
}

/* --- Refusals -------------------------------------------------------------------------------- */

static void
test_bad_interval (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);

  options.record_interval = -1;
  g_assert_null (weir_simulator_new (system, context, &options, &error));
  g_assert_cmpstr (error->message, ==,
                   "the interval of recording is -1, but must be 0 or positive");
  g_clear_error (&error);
  options.record_interval = 1e-12;
  options.step = 1e-3;
  weir_context_set_time (context, 1e6);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_false (weir_simulator_advance_to (simulator, 1e6 + 1, &error));
  g_assert_cmpstr (
      error->message, ==,
      "an interval of recording of 1e-12 s is too short to be told apart at t = 1000000 s");
}

static void
add_for_solvers (const char *format, GTestDataFunc test)
{
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *path = g_strdup_printf ("/sim/recording/%s/%s", format, info->name);

      g_test_add_data_func (path, info, test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_for_solvers ("values", test_values);
  add_for_solvers ("crossings", test_crossings);
  g_test_add_func ("/sim/recording/discrete", test_discrete);
  add_for_solvers ("jump", test_jump);
  add_for_solvers ("within", test_within);
  g_test_add_func ("/sim/recording/within-jumps", test_within_jumps);
  g_test_add_func ("/sim/recording/within-failure", test_within_failure);
  add_for_solvers ("neutral", test_neutral);
  g_test_add_func ("/sim/recording/bad-interval", test_bad_interval);
  return g_test_run ();
}
