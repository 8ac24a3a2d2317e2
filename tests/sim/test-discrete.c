/* The simulator on discrete and hybrid models: which handlers run when, and what they see. */
#include "recorded-run.h"

/* --- Discrete models ------------------------------------------------------------------------- */

static void
test_counter (void)
{
  Run run;

  run_init (&run, counter_new (0.02, 0), NULL, "Sn", FALSE);
  advance (&run, 0.06);
  assert_rows (&run, 4, (double[]) { 0, 0.02, 0.04, 0.06 }, (double[]) { 0, 10, 20, 30 });
  /* Initial, x-plus at 0, then minus and plus; the update due at 0.06 has not been executed. */
  g_assert_cmpstr (run.log->str, ==, "IPMPMPM");
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->discrete_updates, ==, 3);
  g_assert_cmpfloat (weir_context_get_discrete (run.context, WEIR_ROOT, (WeirGroup) { 0 })[0], ==,
                     3);
  /* Going on executes it first. */
  advance (&run, 0.08);
  assert_rows (&run, 5, NULL, (double[]) { 0, 10, 20, 30, 40 });
  run_clear (&run);
}

static void
test_counter_both (void)
{
  static const double times[] = { 0, 0, 0.02, 0.02, 0.04, 0.04, 0.06 };
  static const double values[] = { 0, 10, 10, 20, 20, 30, 30 };
  Run run;

  run_init (&run, counter_new (0.02, 0), NULL, "Sn", TRUE);
  advance (&run, 0.06);
  assert_rows (&run, G_N_ELEMENTS (times), times, values);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    g_assert_cmpint (weir_recorder_is_plus (run.recorder, i), ==, i % 2 == 1);
  run_clear (&run);
}

/* Between events a purely discrete model has no rows; the boundary has one. */
static void
test_counter_final (void)
{
  Run run;

  run_init (&run, counter_new (1, 0.5), NULL, "Sn", FALSE);
  advance (&run, 2);
  assert_rows (&run, 4, (double[]) { 0, 0.5, 1.5, 2 }, (double[]) { 0, 0, 10, 20 });
  g_assert_cmpstr (run.log->str, ==, "IMPMPF");
  run_clear (&run);
}

static void
test_no_state_single_step (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Constant");
  WeirParameter p = weir_leaf_add_parameter (b, "value", (double[]) { 3 }, 1);
  Run run;

  weir_leaf_add_output_window (b, "y", weir_parameter_ticket (b, p));
  run_init (&run, weir_leaf_builder_build (b), NULL, "y", FALSE);
  advance (&run, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->steps, ==, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->rhs_calls, ==, 0);
  g_assert_cmpstr (run.log->str, ==, "IF");
  run_clear (&run);
}

/* Signals that follow time are seen at multiples of the fixed step, without drift. */
static void
test_no_state_follows_time (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Clock");
  Run run;

  weir_leaf_add_output_window (b, "t", WEIR_TIME);
  run_init_with_step (&run, weir_leaf_builder_build (b), NULL, 0.01, "t", FALSE);
  advance (&run, 20);
  g_assert_cmpuint (weir_recorder_get_n_rows (run.recorder), ==, 2001);
  for (guint i = 0; i <= 2000; i++)
    g_assert_cmpfloat (weir_recorder_get_value (run.recorder, 0, i), ==, i * 0.01);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->rhs_calls, ==, 0);
  run_clear (&run);
}

/* An accumulator x_{n+1} = x_n + u_n of a pulse that is 1 at one instant only. */
#define SPIKE_PERIOD 0.125

static WeirStatus
spike_output (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_time (c) == weir_calc_parameter (c, (WeirParameter) { 0 })[0] ? 1 : 0;
  return WEIR_OK;
}

static WeirStatus
accumulate (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0]
            + weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
spike_new (double time)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *leaf = weir_leaf_builder_new ("Spike");
  WeirParameter p = weir_leaf_add_parameter (leaf, "time", &time, 1);
  g_autoptr (WeirSystem) spike = NULL;
  g_autoptr (WeirSystem) sum = NULL;
  WeirGroup x;

  weir_leaf_add_output (leaf, "y", 1, spike_output,
                        WEIR_DEPENDS (WEIR_TIME, weir_parameter_ticket (leaf, p)));
  spike = weir_leaf_builder_build (leaf);
  leaf = weir_leaf_builder_new ("Accumulator");
  weir_leaf_add_input (leaf, "u", 1);
  x = weir_leaf_add_discrete_state (leaf, "x", (double[]) { 0 }, 1);
  weir_leaf_add_periodic_update (leaf, x, SPIKE_PERIOD, 0, accumulate);
  weir_leaf_add_output_window (leaf, "x", weir_group_ticket (leaf, x));
  sum = weir_leaf_builder_build (leaf);
  weir_diagram_builder_add (b, "spike", spike);
  weir_diagram_builder_add (b, "sum", sum);
  weir_diagram_builder_connect_by_name (b, "spike", "y", "sum", "u");
  return weir_diagram_builder_build (b, NULL);
}

static void
test_spike (void)
{
  static const struct {
    double time;
    double expected[6];
  } cases[] = {
    { 0, { 0, 1, 1, 1, 1, 1 } },
    { 3 * SPIKE_PERIOD, { 0, 0, 0, 0, 1, 1 } },
    { 2.7 * SPIKE_PERIOD, { 0, 0, 0, 0, 0, 0 } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run;

      /* A step of fixed methods beyond the stop time: no rows but those of events. */
      run_init_with_step (&run, spike_new (cases[i].time), NULL, 10, "sum.x", FALSE);
      advance (&run, 5 * SPIKE_PERIOD);
      assert_rows (&run, 6, NULL, cases[i].expected);
      run_clear (&run);
    }
}

/* 1 kHz updates and 400 Hz publishes over half a second; 10 Hz over 1 s. */
static WeirStatus
publish_nothing (G_GNUC_UNUSED const WeirCalc *c, G_GNUC_UNUSED gint64 n)
{
  return WEIR_OK;
}

static WeirSystem *
two_rates_new (double update, double publish)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Two rates");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);

  if (update > 0)
    weir_leaf_add_periodic_update (b, x, update, 0, counter_update);
  weir_leaf_add_periodic_publish (b, publish, 0, publish_nothing);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  return weir_leaf_builder_build (b);
}

static void
test_counts (void)
{
  Run run;

  run_init (&run, two_rates_new (1e-3, 2.5e-3), NULL, "x", FALSE);
  advance (&run, 0.5);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->discrete_updates, ==, 500);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->publishes, ==, 201);
  run_clear (&run);

  run_init (&run, two_rates_new (0, 0.1), NULL, "x", FALSE);
  advance (&run, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->publishes, ==, 11);
  run_clear (&run);
}

/* Instants that differ by rounding are one step: 0.1 and 0.3 meet at 0.3, 0.6, ... */
static void
test_one_instant (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) fast = counter_new (0.1, 0);
  g_autoptr (WeirSystem) slow = counter_new (0.3, 0);
  Run run;

  weir_diagram_builder_add (b, "fast", fast);
  weir_diagram_builder_add (b, "slow", slow);
  run_init (&run, weir_diagram_builder_build (b, NULL), NULL, "fast.Sn", FALSE);
  advance (&run, 30);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->steps, ==, 300);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->discrete_updates, ==, 300 + 100);
  run_clear (&run);
}

/* An event at 1e-10, from -1/1024, is met to the bit. */
static void
test_exact_time (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  WeirLeafBuilder *b = weir_leaf_builder_new ("Late");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  gsize row = 0;
  Run run;

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 1 });
  weir_leaf_set_derivatives (b, growth_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  weir_leaf_add_periodic_update (b, x, 1, 1e-10, counter_update);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  run_init (&run, weir_leaf_builder_build (b), info->name, "x", FALSE);
  weir_context_set_time (run.context, -1.0 / 1024);
  advance (&run, 0.5);
  while (weir_recorder_get_time (run.recorder, row) < 1e-10)
    row++;
  g_assert_cmpfloat (weir_recorder_get_time (run.recorder, row), ==, 1e-10);
  g_assert_cmpfloat (weir_recorder_get_value (run.recorder, 0, row), ==, 0);
  g_assert_cmpfloat (weir_recorder_get_value (run.recorder, 0, row + 1), ==, 1);
  run_clear (&run);
}

/* --- What handlers see ------------------------------------------------------------------------ */

typedef struct {
  GString *text;
} Notes;
static Notes notes;

static WeirStatus
note_publish (const WeirCalc *c, gint64 n)
{
  g_string_append_printf (notes.text, "publish %d sees %g at %g; ", (int) n,
                          weir_calc_discrete (c, (WeirGroup) { 0 })[0], weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
note_update (const WeirCalc *c, gint64 n, double *next)
{
  double x = weir_calc_discrete (c, (WeirGroup) { 0 })[0];

  g_string_append_printf (notes.text, "update %d sees %g at %g; ", (int) n, x, weir_calc_time (c));
  next[0] = x + 1;
  return WEIR_OK;
}

static void
test_order (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Notes");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  Run run;

  notes.text = g_string_new (NULL);
  weir_leaf_add_periodic_update (b, x, 1, 0, note_update);
  weir_leaf_add_periodic_publish (b, 1, 0, note_publish);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  run_init (&run, weir_leaf_builder_build (b), NULL, "x", FALSE);
  advance (&run, 2);
  g_assert_cmpstr (notes.text->str, ==,
                   "publish 0 sees 0 at 0; update 0 sees 0 at 0; "
                   "publish 1 sees 1 at 1; update 1 sees 1 at 1; "
                   "publish 2 sees 2 at 2; ");
  g_string_free (notes.text, TRUE);
  run_clear (&run);
}

/* Two counters that copy each other see x-minus both: they swap. */
static WeirStatus
swap_update_a (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, (WeirGroup) { 1 })[0];
  return WEIR_OK;
}

static WeirStatus
swap_update_b (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static void
test_simultaneous_updates (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Swap");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 1 }, 1);
  WeirGroup y = weir_leaf_add_discrete_state (b, "y", (double[]) { 2 }, 1);
  Run run;

  weir_leaf_add_periodic_update (b, x, 1, 0, swap_update_a);
  weir_leaf_add_periodic_update (b, y, 1, 0, swap_update_b);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  run_init (&run, weir_leaf_builder_build (b), NULL, "x", FALSE);
  advance (&run, 3);
  assert_rows (&run, 4, NULL, (double[]) { 1, 2, 1, 2 });
  run_clear (&run);
}

static void
test_two_writers (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Quarrel");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 1 }, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSystem) leaf = NULL;
  Run run;

  weir_leaf_add_periodic_update (b, x, 1, 0.5, counter_update);
  weir_leaf_add_periodic_update (b, x, 3, 1.5, counter_update);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  leaf = weir_leaf_builder_build (b);
  run_init (&run, wrap_new ("both", leaf), NULL, "both.x", FALSE);
  advance (&run, 1.2);
  g_assert_false (weir_simulator_advance_to (run.simulator, 2, &error));
  g_assert_cmpstr (error->message, ==,
                   "both: two events update discrete state group 0 at t = 1.5 s; only one can");
  run_clear (&run);
}

/* A discrete rotation meets the continuous oscillation at the samples. */
static WeirStatus
rotate (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const double *x = weir_calc_discrete (c, (WeirGroup) { 0 });
  double h = 0.025;

  next[0] = x[0] * cos (h) + x[1] * sin (h);
  next[1] = x[1] * cos (h) - x[0] * sin (h);
  return WEIR_OK;
}

static WeirStatus
oscillate (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = -weir_calc_q (c)[0];
  return WEIR_OK;
}

static void
test_sinusoidal_hybrid (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Hybrid");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0, 1 }, 2);
  Run run;

  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 0, 1 });
  weir_leaf_set_derivatives (b, oscillate, WEIR_DEPENDS (WEIR_Q, WEIR_V));
  weir_leaf_add_periodic_update (b, x, 0.025, 0.025, rotate);
  weir_leaf_add_output_window (b, "x", weir_group_ticket (b, x));
  run_init (&run, weir_leaf_builder_build (b), NULL, "x", FALSE);
  for (guint n = 0; n < 400; n++)
    {
      double t = 0.025 + n * 0.025; /* the very time of the event */

      advance (&run, t);
      advance (&run, t); /* executes what is pending: x-plus */
      g_assert_cmpfloat (weir_context_get_time (run.context), ==, t);
      g_assert_cmpfloat_with_epsilon (weir_context_get_state (run.context)[0], sin (t), 1e-7);
      g_assert_cmpfloat_with_epsilon (
          weir_context_get_discrete (run.context, WEIR_ROOT, (WeirGroup) { 0 })[0], sin (t), 1e-12);
    }
  run_clear (&run);
}

/* With period 1 over one second only the update at 0 is executed, with u(0). */
static void
test_update_at_zero (void)
{
  Run run;

  run_init (&run, sampled_loop_new (1), NULL, "hold.y", FALSE);
  weir_context_set_state (run.context, (double[]) { 42 });
  advance (&run, 1);
  g_assert_cmpuint (weir_simulator_get_statistics (run.simulator)->discrete_updates, ==, 1);
  g_assert_cmpfloat (weir_recorder_get_value (run.recorder, 0, 0), ==, 0);
  g_assert_cmpfloat (weir_recorder_get_value (run.recorder, 0, 1), ==, 42);
  run_clear (&run);
}

static void
add_for_solvers (const char *format, GTestDataFunc test)
{
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *path = g_strdup_printf ("/sim/discrete/%s/%s", format, info->name);

      g_test_add_data_func (path, info, test);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/discrete/single-step", test_no_state_single_step);
  g_test_add_func ("/sim/discrete/no-state-follows-time", test_no_state_follows_time);
  g_test_add_func ("/sim/discrete/counter", test_counter);
  g_test_add_func ("/sim/discrete/counter-both", test_counter_both);
  g_test_add_func ("/sim/discrete/counter-final-row", test_counter_final);
  g_test_add_func ("/sim/discrete/sinusoidal-hybrid", test_sinusoidal_hybrid);
  g_test_add_func ("/sim/discrete/update-at-zero", test_update_at_zero);
  g_test_add_func ("/sim/discrete/spike", test_spike);
  g_test_add_func ("/sim/discrete/95-counts", test_counts);
  g_test_add_func ("/sim/discrete/order", test_order);
  add_for_solvers ("exact-time", test_exact_time);
  g_test_add_func ("/sim/discrete/one-instant", test_one_instant);
  g_test_add_func ("/sim/discrete/simultaneous-updates", test_simultaneous_updates);
  g_test_add_func ("/sim/discrete/two-writers", test_two_writers);
  return g_test_run ();
}
