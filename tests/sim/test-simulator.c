/* The simulator's steps, status and misuse. */
#include "recorded-run.h"

/* --- Sampled data ---------------------------------------------------------------------------- */

static void
test_sampled_loop (gconstpointer data)
{
  Run run;

  run_init (&run, sampled_loop_new (0.5), data, "plant.y", FALSE);
  for (guint k = 1; k <= 5; k++)
    {
      g_autofree char *name = g_strdup_printf ("sampled.y(%.1f)", 0.5 * k);

      advance (&run, 0.5 * k);
      g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0.5 * k);
      assert_reference (weir_context_get_state (run.context)[0], name, 1);
    }
  run_clear (&run);
}

/* A multistep solver starts again only where the derivative really jumped. */
static void
test_restarts (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  g_autoptr (WeirSystem) counter = counter_new (0.01, 0);
  Run run;
  guint64 steps;

  /* The counter drives nothing: no restart, and one step per sample or so. */
  weir_diagram_builder_add (b, "swing", swing);
  weir_diagram_builder_add (b, "counter", counter);
  run_init (&run, weir_diagram_builder_build (b, NULL), "cvode-adams", "counter.Sn", FALSE);
  advance (&run, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->reinitialisations, ==, 0);
  steps = weir_simulator_get_statistics (run.simulator)->steps;
  g_test_message ("%u steps for 100 samples", (guint) steps);
  g_assert_cmpuint (steps, <, 300);
  run_clear (&run);

  /* The sampled loop jumps at every sample until it settles. */
  run_init (&run, sampled_loop_new (0.5), "cvode-adams", "plant.y", FALSE);
  advance (&run, 5);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->reinitialisations, ==, 9);
  run_clear (&run);

  /* A one-step method goes from sample to sample. */
  run_init (&run, sampled_loop_new (1e-3), "dormand-prince", "plant.y", FALSE);
  advance (&run, 1);
  steps = weir_simulator_get_statistics (run.simulator)->steps;
  g_assert_cmpuint (steps, <=, 1010);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->reinitialisations, ==, 0);
  run_clear (&run);
}

/* --- Steps ------------------------------------------------------------------------------------ */

static void
test_stretched_step (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  static const struct {
    double until;
    guint steps;
  } cases[] = { { 0.1 + 1e-8, 1 }, { 0.1 - 1e-8, 1 }, { 0.2, 2 }, { 0.15, 2 }, { 1, 10 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for ("rk4", 1e-6);
      g_autoptr (WeirSimulator) simulator = NULL;

      options.step = 0.1;
      simulator = weir_simulator_new (system, context, &options, NULL);
      g_assert_true (weir_simulator_advance_to (simulator, cases[i].until, NULL));
      g_assert_cmpuint (weir_simulator_get_statistics (simulator)->steps, ==, cases[i].steps);
      g_assert_cmpfloat (weir_context_get_time (context), ==, cases[i].until);
    }
}

/* A fixed grid does not drift: point k is at k h. */
static WeirStatus
check_grid (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  guint *k = data;

  g_assert_cmpfloat (weir_context_get_time (weir_simulator_get_context (simulator)), ==, *k * 0.1);
  ++*k;
  return WEIR_OK;
}

static void
test_fixed_grid (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for ("heun", 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  guint k = 0;

  options.step = 0.1;
  simulator = weir_simulator_new (system, context, &options, NULL);
  weir_simulator_set_monitor (simulator, check_grid, &k);
  g_assert_true (weir_simulator_advance_to (simulator, 1000, NULL));
  g_assert_cmpuint (k, ==, 10001);
}

static void
test_max_step (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-2);
  g_autoptr (WeirSimulator) simulator = NULL;

  options.max_step = 0.05;
  options.step = 0.2;
  simulator = weir_simulator_new (system, context, &options, NULL);
  g_assert_true (weir_simulator_advance_to (simulator, 1, NULL));
  g_assert_cmpuint (weir_simulator_get_statistics (simulator)->steps, >=, 20);
}

/* --- Status ----------------------------------------------------------------------------------- */

static WeirStatus
status_of (const WeirCalc *c, gint64 n)
{
  double action = weir_calc_parameter (c, (WeirParameter) { 0 })[0];

  if (n < 2 || action == 0)
    return WEIR_OK;
  return action > 0 ? WEIR_TERMINATE : weir_calc_fail (c, "event %d refuses", (int) n);
}

static WeirStatus
status_publish (const WeirCalc *c, gint64 n)
{
  return status_of (c, n);
}

static WeirStatus
status_update (const WeirCalc *c, gint64 n, double *next)
{
  next[0] = (double) (n + 1);
  return status_of (c, n);
}

static WeirSystem *
status_new (gboolean publishes, double action)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Status");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_add_parameter (b, "action", &action, 1);
  if (publishes)
    weir_leaf_add_periodic_publish (b, 1, 0, status_publish);
  else
    weir_leaf_add_periodic_update (b, x, 1, 0, status_update);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  leaf = weir_leaf_builder_build (b);
  return wrap_new ("handler", leaf);
}

static void
test_status (void)
{
  for (guint publishes = 0; publishes < 2; publishes++)
    for (int action = -1; action <= 1; action++)
      {
        g_autoptr (GError) error = NULL;
        Run run;
        gboolean ok;

        run_init (&run, status_new (publishes != 0, action), NULL, "handler.x", FALSE);
        ok = weir_simulator_advance_to (run.simulator, 5, &error);
        g_assert_cmpint (ok, ==, action >= 0);
        g_assert_cmpfloat (weir_context_get_time (run.context), ==, action == 0 ? 5 : 2);
        g_assert_cmpint (weir_simulator_is_terminated (run.simulator), ==, action > 0);
        if (action < 0)
          {
            g_assert_nonnull (strstr (error->message, "handler"));
            g_assert_nonnull (strstr (error->message, "event 2 refuses"));
            g_assert_nonnull (strstr (error->message, "t = 2"));
          }
        if (action > 0)
          {
            /* Over: nothing moves any more. */
            advance (&run, 9);
            g_assert_cmpfloat (weir_context_get_time (run.context), ==, 2);
          }
        run_clear (&run);
      }
}

static WeirStatus
count_and_stop (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  guint *count = data;

  ++*count;
  return weir_context_get_time (weir_simulator_get_context (simulator)) >= 0.5 ? WEIR_TERMINATE
                                                                               : WEIR_OK;
}

static void
test_monitor (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);
  guint count = 0;

  weir_simulator_set_monitor (simulator, count_and_stop, &count);
  g_assert_true (weir_simulator_advance_to (simulator, 1, NULL));
  g_assert_true (weir_simulator_is_terminated (simulator));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (context), 0.5, 1e-12);
  g_assert_cmpuint (count, ==, weir_simulator_get_statistics (simulator)->steps + 1);
}

/* --- Misuse ----------------------------------------------------------------------------------- */

static void
test_initialize_evaluates_nothing (void)
{
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      g_autoptr (WeirSystem) system = growth_new ();
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for (weir_solver_get (i)->name, 1e-6);
      g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);

      g_assert_true (weir_simulator_initialize (simulator, NULL));
      g_assert_cmpuint (weir_simulator_get_statistics (simulator)->rhs_calls, ==, 0);
      g_assert_cmpfloat (weir_context_get_accuracy (context), ==, 1e-6);
    }
}

static void
test_time_changed (void)
{
  g_autoptr (GError) error = NULL;
  Run run;

  run_init (&run, growth_new (), NULL, "x", FALSE);
  advance (&run, 1);
  g_assert_false (weir_simulator_advance_to (run.simulator, 0.5, &error));
  g_assert_cmpstr (error->message, ==, "the run cannot advance to 0.5 s, it is at t = 1 s");
  g_clear_error (&error);
  g_assert_false (weir_simulator_advance_to (run.simulator, (double) NAN, &error));
  g_assert_cmpstr (error->message, ==, "the run cannot advance to nan s, it is at t = 1 s");
  g_clear_error (&error);
  weir_context_set_time (run.context, 0.25);
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_nonnull (strstr (error->message, "initialise again"));
  g_clear_error (&error);
  g_assert_true (weir_simulator_initialize (run.simulator, &error));
  advance (&run, 2);
  run_clear (&run);
}

/* Splitting a run at a pause, or recording more, changes no bit of the solution. */
static void
test_stepping_is_neutral (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = sampled_loop_new (0.3);
  WeirSimulatorOptions options = options_for (info->name, 1e-6);
  g_autoptr (WeirContext) a = weir_system_create_context (system);
  g_autoptr (WeirContext) b = weir_system_create_context (system);
  g_autoptr (WeirSimulator) straight = weir_simulator_new (system, a, &options, NULL);
  g_autoptr (WeirSimulator) stepped = weir_simulator_new (system, b, &options, NULL);
  gboolean done = FALSE;

  g_assert_true (weir_simulator_advance_to (straight, 2, NULL));
  while (!done)
    {
      double energy;

      g_assert_true (weir_simulator_step (stepped, 2, &done, NULL));
      /* Looking evaluates through the cache, and that must not matter either. */
      weir_eval_energy (system, b, WEIR_ROOT, (WeirTicket) { WEIR_TICKET_KE }, &energy);
      g_assert_nonnull (weir_eval_derivatives (system, b));
    }
  g_assert_cmpmem (weir_context_get_state (a), sizeof (double), weir_context_get_state (b),
                   sizeof (double));
  g_assert_cmpuint (weir_simulator_get_statistics (straight)->steps, ==,
                    weir_simulator_get_statistics (stepped)->steps);
}

/* --- Cancelling ------------------------------------------------------------------------------ */

static void
test_cancel (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (GError) error = NULL;
  gint cancel = 0;
  Run run;

  run_init (&run, growth_new (), info->name, "x", FALSE);
  weir_simulator_set_cancel (run.simulator, &cancel);
  advance (&run, 1);
  cancel = 1;
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpfloat (weir_context_get_time (run.context), <, 1.2);
  run_clear (&run);
}

static void
add_for_solvers (const char *format, GTestDataFunc test)
{
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *path = g_strdup_printf ("/sim/simulator/%s/%s", format, info->name);

      g_test_add_data_func (path, info, test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sim/simulator/sampled-loop/auto", "auto", test_sampled_loop);
  g_test_add_data_func ("/sim/simulator/sampled-loop/adams", "cvode-adams", test_sampled_loop);
  g_test_add_data_func ("/sim/simulator/sampled-loop/bdf", "cvode-bdf", test_sampled_loop);
  g_test_add_func ("/sim/simulator/restarts", test_restarts);
  g_test_add_func ("/sim/simulator/status", test_status);
  g_test_add_func ("/sim/simulator/monitor", test_monitor);
  g_test_add_func ("/sim/simulator/stretched-step", test_stretched_step);
  g_test_add_func ("/sim/simulator/fixed-grid", test_fixed_grid);
  add_for_solvers ("max-step", test_max_step);
  g_test_add_func ("/sim/simulator/initialize-evaluates-nothing",
                   test_initialize_evaluates_nothing);
  g_test_add_func ("/sim/simulator/time-changed", test_time_changed);
  add_for_solvers ("stepping-is-neutral", test_stepping_is_neutral);
  add_for_solvers ("cancel", test_cancel);
  return g_test_run ();
}
