/* What comes of a run beside its numbers: events of one time together, statuses of several leaves,
 * limits of steps, how closely crossings are located, clones and threads. */
#include "models.h"
#include "sim/butcher.h"
#include "numerics/vector.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
} Run;

/* Takes over @system. */
static void
run_init (Run *run, WeirSystem *system, const WeirSimulatorOptions *options)
{
  g_autoptr (GError) error = NULL;

  run->system = system;
  run->context = weir_system_create_context (system);
  run->simulator = weir_simulator_new (system, run->context, options, &error);
  g_assert_no_error (error);
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  weir_simulator_advance_to (run->simulator, until, &error);
  g_assert_no_error (error);
}

static const WeirGroup X = { 0 };

/* --- Events of one time in one collection ----------------------------------------------------- */

/* Swaps with its neighbour: both read x-minus. */
static WeirSystem *
two_holds_new (double period_a, double offset_a, double period_b, double offset_b)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *leaves[2] = { weir_leaf_builder_new ("A"), weir_leaf_builder_new ("B") };
  const double periods[] = { period_a, period_b }, offsets[] = { offset_a, offset_b };
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WeirSystem) leaf = NULL;
      WeirGroup x;

      weir_leaf_add_input (leaves[i], "u", 1);
      x = weir_leaf_add_discrete_state (leaves[i], "x", (double[]) { i + 1 }, 1);
      weir_leaf_add_update (leaves[i], weir_every (periods[i], offsets[i]), x, hold_update);
      weir_leaf_add_output_window (leaves[i], "y", weir_group_ticket (leaves[i], x));
      leaf = weir_leaf_builder_build (leaves[i]);
      weir_diagram_builder_add (b, i == 0 ? "a" : "b", leaf);
    }
  weir_diagram_builder_connect_by_name (b, "a", "y", "b", "u");
  weir_diagram_builder_connect_by_name (b, "b", "y", "a", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

static void
assert_pair (Run *run, double a, double b)
{
  g_assert_cmpfloat (weir_context_get_discrete (run->context, (WeirNode) { 1 }, X)[0], ==, a);
  g_assert_cmpfloat (weir_context_get_discrete (run->context, (WeirNode) { 2 }, X)[0], ==, b);
}

static void
test_same_time (void)
{
  WeirSimulatorOptions options = options_for (NULL, 1e-6);
  Run run;

  /* 0.1 * 3 is not 0.3 in doubles, but it is the same instant: they swap. */
  run_init (&run, two_holds_new (0.1, 0.1, 0.3, 0.3), &options);
  advance (&run, 0.25);
  assert_pair (&run, 2, 2); /* a took b's value at 0.1 and 0.2 */
  run_clear (&run);
  g_assert_cmpfloat (0.1 + 2 * 0.1, !=, 0.3);
  run_init (&run, two_holds_new (0.2, 0.3, 0.3, 0.1 + 0.2), &options);
  advance (&run, 0.4);
  assert_pair (&run, 2, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->steps, ==, 2);
  run_clear (&run);
  /* At different times the second sees what the first did. */
  run_init (&run, two_holds_new (1, 0.3, 1, 0.3001), &options);
  advance (&run, 0.4);
  assert_pair (&run, 2, 2);
  run_clear (&run);
}

/* --- Statuses of several leaves --------------------------------------------------------------- */

static GString *called;

static WeirStatus
handle (const WeirCalc *c)
{
  double what = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  g_string_append_c (called, what < 0 ? 'f' : what > 0 ? 't' : 'o');
  if (what < 0)
    return weir_calc_fail (c, "it refuses");
  return what > 0 ? WEIR_TERMINATE : WEIR_OK;
}

static WeirStatus
handle_publish (const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  return handle (c);
}

static WeirStatus
handle_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = 1;
  return handle (c);
}

static WeirStatus
handle_unrestricted (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  weir_next_state_discrete (next, X)[0] = 1;
  return handle (c);
}

/* A leaf each that fails (-1), ends the run (1) or does neither (0), in this order. */
static WeirSystem *
statuses_new (WeirTrigger trigger, WeirAction action, guint n, const int *what)
{
  static const char *const names[] = { "first", "second", "third" };
  WeirDiagramBuilder *b = weir_diagram_builder_new ();

  for (guint i = 0; i < n; i++)
    {
      WeirLeafBuilder *l = weir_leaf_builder_new ("Leaf");
      g_autoptr (WeirSystem) leaf = NULL;
      WeirGroup x = weir_leaf_add_discrete_state (l, "x", (double[]) { 0 }, 1);
      double number = what[i];

      weir_leaf_add_parameter (l, "what", &number, 1);
      if (action == WEIR_ACTION_PUBLISH)
        weir_leaf_add_publish (l, trigger, handle_publish);
      else if (action == WEIR_ACTION_DISCRETE_UPDATE)
        weir_leaf_add_update (l, trigger, x, handle_update);
      else
        weir_leaf_add_unrestricted_update (l, trigger, handle_unrestricted);
      leaf = weir_leaf_builder_build (l);
      weir_diagram_builder_add (b, names[i], leaf);
    }
  return weir_diagram_builder_build (b, NULL);
}

static const WeirAction actions[] = { WEIR_ACTION_PUBLISH, WEIR_ACTION_DISCRETE_UPDATE,
                                      WEIR_ACTION_UNRESTRICTED_UPDATE };

/* A failure beats an end and is told with its block; publishes all run, updates stop at the failure
 * and leave every state as it was; after an end the others of the instant still run. */
static void
test_severity (void)
{
  static const struct {
    int what[3];
    const char *publishes, *updates; /* what was called */
    const char *blame;
    gboolean terminates;
  } cases[] = {
    { { 0, 0, 0 }, "ooo", "ooo", NULL, FALSE },
    { { 1, 0, 0 }, "too", "too", NULL, TRUE },
    { { 0, -1, 1 }, "oft", "of", "second: ", FALSE },
    { { 1, -1, -1 }, "tff", "tf", "second: ", FALSE },
    { { -1, -1, 1 }, "fft", "f", "first: ", FALSE },
  };

  for (guint k = 0; k < G_N_ELEMENTS (actions); k++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
      {
        gboolean is_update = actions[k] != WEIR_ACTION_PUBLISH;
        WeirSimulatorOptions options = options_for (NULL, 1e-6);
        g_autoptr (GError) error = NULL;
        gboolean ok;
        Run run;

        called = g_string_new (NULL);
        run_init (&run, statuses_new (weir_every (10, 0.5), actions[k], 3, cases[i].what),
                  &options);
        ok = weir_simulator_advance_to (run.simulator, 2, &error);
        g_assert_cmpint (ok, ==, cases[i].blame == NULL);
        g_assert_cmpstr (called->str, ==, is_update ? cases[i].updates : cases[i].publishes);
        if (cases[i].blame != NULL)
          {
            g_assert_true (g_str_has_prefix (error->message, cases[i].blame));
            g_assert_nonnull (strstr (error->message, "t = 0.5"));
            g_assert_nonnull (strstr (error->message, "it refuses"));
          }
        else
          g_assert_cmpint (weir_simulator_is_terminated (run.simulator), ==, cases[i].terminates);
        g_assert_cmpfloat (weir_context_get_time (run.context), ==,
                           ok && !cases[i].terminates ? 2 : 0.5);
        for (guint32 j = 1; j <= 3; j++)
          g_assert_cmpfloat (weir_context_get_discrete (run.context, (WeirNode) { j }, X)[0], ==,
                             is_update && ok);
        run_clear (&run);
        g_string_free (called, TRUE);
      }
}

/* The same at initialisation: the run does not begin. */
static void
test_initialize (void)
{
  for (guint k = 0; k < G_N_ELEMENTS (actions); k++)
    for (int what = -1; what <= 1; what++)
      {
        WeirSimulatorOptions options = options_for (NULL, 1e-6);
        g_autoptr (GError) error = NULL;
        gboolean ok;
        Run run;

        called = g_string_new (NULL);
        run_init (&run, statuses_new (weir_on_initialization (), actions[k], 1, &what), &options);
        ok = weir_simulator_initialize (run.simulator, &error);
        g_assert_cmpint (ok, ==, what >= 0);
        g_assert_cmpint (weir_simulator_is_terminated (run.simulator), ==, what > 0);
        if (!ok)
          {
            g_assert_true (g_str_has_prefix (error->message, "first: "));
            g_assert_nonnull (strstr (error->message, "it refuses"));
          }
        else
          {
            advance (&run, 1);
            g_assert_cmpfloat (weir_context_get_time (run.context), ==, what > 0 ? 0 : 1);
            g_assert_cmpuint (called->len, ==, 1);
          }
        run_clear (&run);
        g_string_free (called, TRUE);
      }
}

/* --- A result that does not fit the state ----------------------------------------------------- */

static WeirStatus
misfit (G_GNUC_UNUSED const WeirCalc *c, gint64 n, WeirNextState *next)
{
  weir_next_state_discrete (next, X)[0] = (double) n + 1;
  weir_next_state_set_abstract (next, (WeirGroup) { 1 },
                                n < 2 ? g_variant_new_int32 ((gint32) n)
                                      : g_variant_new_string ("two"));
  return WEIR_OK;
}

static void
test_invalid_update (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Leaf");
  WeirSimulatorOptions options = options_for (NULL, 1e-6);
  g_autoptr (WeirSystem) leaf = NULL;
  g_autoptr (GError) error = NULL;
  Run run;

  weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  weir_leaf_add_abstract_state (b, "count", g_variant_new_int32 (-1));
  weir_leaf_add_unrestricted_update (b, weir_every (1, 0), misfit);
  leaf = weir_leaf_builder_build (b);
  run_init (&run, wrap_new ("leaf", leaf), &options);
  g_assert_false (weir_simulator_advance_to (run.simulator, 5, &error));
  g_assert_cmpstr (
      error->message, ==,
      "leaf: the update at t = 2 s gives the abstract state 1 a value of type s, but it is of "
      "type i");
  /* Nothing of that update was applied. */
  g_assert_cmpfloat (weir_context_get_discrete (run.context, (WeirNode) { 1 }, X)[0], ==, 2);
  g_assert_cmpint (g_variant_get_int32 (weir_context_get_abstract_state (
                       run.context, (WeirNode) { 1 }, (WeirGroup) { 1 })),
                   ==, 1);
  run_clear (&run);
}

/* --- A monitor that fails --------------------------------------------------------------------- */

static WeirStatus
fail_after_three (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase,
                  G_GNUC_UNUSED gpointer data)
{
  return weir_simulator_get_statistics (simulator)->steps < 3 ? WEIR_OK : WEIR_FAILED;
}

static void
test_monitor_fails (void)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (GError) error = NULL;
  Run run;

  options.step = 0.25;
  run_init (&run, growth_new (), &options);
  weir_simulator_set_monitor (run.simulator, fail_after_three, NULL);
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_cmpstr (error->message, ==, "the monitor of the run failed");
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0.75);
  run_clear (&run);
}

/* --- Limits leave the ideal step alone -------------------------------------------------------- */

static WeirStatus
nothing (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  return WEIR_OK;
}

static guint64
count_steps (double period)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *clock = weir_leaf_builder_new ("Clock");
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_autoptr (WeirSystem) growth = growth_new (), ticking = NULL;
  guint64 steps;
  Run run;

  if (period > 0)
    weir_leaf_add_publish (clock, weir_every (period, 0), nothing);
  ticking = weir_leaf_builder_build (clock);
  weir_diagram_builder_add (b, "growth", growth);
  weir_diagram_builder_add (b, "clock", ticking);
  run_init (&run, weir_diagram_builder_build (b, NULL), &options);
  advance (&run, 20);
  steps = weir_simulator_get_statistics (run.simulator)->steps;
  run_clear (&run);
  return steps;
}

/* An event cuts one step in two; were the next ones to grow from the rest, there would be many
 * more. */
static void
test_artificial_limit (void)
{
  guint64 free = count_steps (0), limited = count_steps (1.9);

  g_test_message ("%u steps, %u with 10 events between", (guint) free, (guint) limited);
  g_assert_cmpuint (free, >, 30);
  g_assert_cmpuint (limited, <=, free + 2 * 10);
}

/* --- How closely a crossing is located -------------------------------------------------------- */

static GArray *times;

static WeirStatus
one (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  xdot[0] = 1;
  return WEIR_OK;
}

static WeirStatus
past_a_third (const WeirCalc *c, double *w)
{
  w[0] = 3 * weir_calc_z (c)[0] - 1;
  return WEIR_OK;
}

static WeirStatus
note_time (const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  double t = weir_calc_time (c);

  g_array_append_val (times, t);
  return WEIR_OK;
}

/* When z = t is found to pass a third. */
static double
locate (const char *solver, double step, double tolerance)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ramp");
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  WeirCached w;
  double found;
  Run run;

  times = g_array_new (FALSE, FALSE, sizeof (double));
  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, one, WEIR_DEPENDS (WEIR_NOTHING));
  w = weir_leaf_add_cache_entry (b, "w", 1, past_a_third, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_publish (b, weir_on_crossing (w, WEIR_RISING), note_time);
  options.step = step;
  options.max_step = 0.5;
  options.event_tolerance = tolerance;
  run_init (&run, weir_leaf_builder_build (b), &options);
  advance (&run, 1);
  g_assert_cmpuint (times->len, ==, 1);
  found = g_array_index (times, double, 0);
  run_clear (&run);
  g_array_unref (times);
  return found;
}

/* A tolerance of a whole step and more asks for no locating: the event comes within its step. */
static void
test_no_isolation (void)
{
  double found = locate ("rk4", 0.25, 100);

  g_assert_cmpfloat (found, >=, 1.0 / 3);
  g_assert_cmpfloat (found, <=, 0.5);
}

/* The event is never before the crossing, never later than the tolerance. */
static void
test_isolation (gconstpointer data)
{
  for (double tolerance = 1e-1; tolerance > 1e-13; tolerance /= 10)
    {
      double late = locate (data, 0.25, tolerance) - 1.0 / 3;

      g_assert_cmpfloat (late, >=, -1e-15); /* a third is rounded itself */
      g_assert_cmpfloat (late, <=, tolerance + 1e-15);
    }
}

/* --- Steps that leave the model's domain ------------------------------------------------------ */

/* z' = -1000 z in a tank that has no value below empty: z = exp (-1000 t) has one for ever, the
 * stages of steps that are too long do not. */
static WeirStatus
draining_xcdot (const WeirCalc *c, double *xdot)
{
  double z = weir_calc_z (c)[0];

  if (z < 0 && weir_calc_parameter (c, (WeirParameter) { 0 })[0] != 0)
    return weir_calc_fail (c, "there is a level of %g", z);
  xdot[0] = -1000 * sqrt (z) * sqrt (z); /* else not a number */
  return WEIR_OK;
}

static void
test_shrinks (gconstpointer data)
{
  for (int says_so = 0; says_so < 2; says_so++)
    {
      WeirLeafBuilder *b = weir_leaf_builder_new ("Tank");
      WeirSimulatorOptions options = options_for (data, 1e-2);
      double number = says_so;
      WeirParameter p;
      Run run;

      options.absolute_tolerance = 1e-2;
      p = weir_leaf_add_parameter (b, "says so", &number, 1);
      weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 1 });
      weir_leaf_set_derivatives (b, draining_xcdot,
                                 WEIR_DEPENDS (WEIR_Z, weir_parameter_ticket (b, p)));
      run_init (&run, weir_leaf_builder_build (b), &options);
      advance (&run, 0.02);
      g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->rejected_steps, >, 0);
      g_assert_cmpfloat_with_epsilon (weir_context_get_state (run.context)[0], 0, 2e-2);
      run_clear (&run);
    }
}

static void
test_norm (void)
{
  const double weights[] = { 1, 1, 1 };

  g_assert_true (isnan (weir_vector_wrms_norm (3, (double[]) { 1, NAN, 2 }, weights)));
  g_assert_true (isinf (weir_vector_wrms_norm (3, (double[]) { 1, -INFINITY, 2 }, weights)));
  g_assert_cmpfloat (weir_vector_wrms_norm (3, (double[]) { 3, 0, 0 }, weights), ==, sqrt (3));
}

/* --- A clone goes on as the original does ----------------------------------------------------- */

static void
test_clone (gconstpointer data)
{
  const char *solver = data;
  WeirSimulatorOptions options = options_for (solver, 1e-9);
  g_autoptr (WeirContext) clone = NULL;
  g_autoptr (WeirSimulator) other = NULL;
  const WeirSolverInfo *info = weir_solver_find (solver);
  Run run;

  options.step = 0.03125; /* a binary fraction: the grid is the same from wherever it begins */
  run_init (&run, growth_new (), &options);
  advance (&run, 1);
  clone = weir_context_clone (run.context);
  other = weir_simulator_new (run.system, clone, &options, NULL);
  advance (&run, 2);
  g_assert_true (weir_simulator_advance_to (other, 2, NULL));
  if (info->is_adaptive)
    g_assert_cmpfloat_with_epsilon (weir_context_get_state (clone)[0],
                                    weir_context_get_state (run.context)[0], 1e-6);
  else
    g_assert_cmpfloat (weir_context_get_state (clone)[0], ==,
                       weir_context_get_state (run.context)[0]);
  run_clear (&run);
}

/* --- Runs in several threads ------------------------------------------------------------------ */

static gpointer
run_in_thread (gpointer data)
{
  WeirSystem *system = data;
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for ("cvode-bdf", 1e-8);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);

  g_assert_true (weir_simulator_advance_to (simulator, 5, NULL));
  return g_memdup2 (weir_context_get_state (context), sizeof (double));
}

static void
test_parallel_runs (void)
{
  g_autoptr (WeirSystem) system = sampled_loop_new (0.3);
  g_autofree double *alone = run_in_thread (system);
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("run", run_in_thread, system);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      g_autofree double *together = g_thread_join (threads[i]);

      g_assert_cmpmem (together, sizeof (double), alone, sizeof (double));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/outcomes/same-time", test_same_time);
  g_test_add_func ("/sim/outcomes/severity", test_severity);
  g_test_add_func ("/sim/outcomes/invalid-update", test_invalid_update);
  g_test_add_func ("/sim/outcomes/initialize", test_initialize);
  g_test_add_func ("/sim/outcomes/monitor-fails", test_monitor_fails);
  g_test_add_func ("/sim/outcomes/artificial-limit", test_artificial_limit);
  g_test_add_func ("/sim/outcomes/no-isolation", test_no_isolation);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *isolation = g_strdup_printf ("/sim/outcomes/row-%s-isolation/%s",
                                                    info->is_adaptive ? "102" : "103", info->name);
      g_autofree char *shrinks = g_strdup_printf ("/sim/outcomes/shrinks/%s", info->name);
      g_autofree char *clone = g_strdup_printf ("/sim/outcomes/clone/%s", info->name);

      g_test_add_data_func (isolation, info->name, test_isolation);
      if (weir_butcher_find (info->name) != NULL && info->is_adaptive)
        g_test_add_data_func (shrinks, info->name, test_shrinks);
      g_test_add_data_func (clone, info->name, test_clone);
    }
  g_test_add_func ("/sim/outcomes/norm", test_norm);
  g_test_add_func ("/sim/outcomes/parallel-runs", test_parallel_runs);
  return g_test_run ();
}
