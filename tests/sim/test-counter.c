/* A counter from beginning to end: x_{n+1} = x_n + 1, y_n = 10 x_n, x_0 = 0 at 50 Hz.
 *
 * The sequence 0 10 20 30 at 0, h, 2 h, 3 h; the update at n h, which gives the
 * value that holds on (n h, (n + 1) h]; and what publishes, updates and the continuous
 * advance see.
 */
#include "models.h"

#define H (1 / 50.)

typedef struct {
  GString *text;
} Log;

static Log seen; /* what the publish handler printed */

/* The step number comes with the event: the example's loop over n prints it. */
static WeirStatus
print_sample (const WeirCalc *c, gint64 n)
{
  char time[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (time, sizeof time, "%g", weir_calc_time (c));
  g_string_append_printf (seen.text, "%d: %g (%s)\n", (int) n,
                          weir_calc_input (c, (WeirInput) { 0 })[0], time);
  return WEIR_OK;
}

/* x_{n+1} = f (n, x_n): writes down the index that it was told. */
static WeirStatus
indexed_update (const WeirCalc *c, gint64 n, double *next)
{
  g_assert_cmpfloat (weir_calc_discrete (c, (WeirGroup) { 0 })[0], ==, (double) n);
  g_assert_cmpfloat (weir_calc_time (c), ==, (double) n * H);
  next[0] = (double) n + 1;
  return WEIR_OK;
}

static WeirStatus
ten_times (const WeirCalc *c, double *y)
{
  y[0] = 10 * weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

/* The example, wired to a logger at its own period, and to an integrator z' = Sn. */
static WeirSystem *
example_new (void)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirLeafBuilder *b = weir_leaf_builder_new ("Example");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  g_autoptr (WeirSystem) example = NULL;
  g_autoptr (WeirSystem) logger = NULL;
  g_autoptr (WeirSystem) plant = plant_new (1);
  g_autoptr (GError) error = NULL;
  WeirSystem *diagram;

  weir_leaf_add_update (b, weir_every (H, 0), x, indexed_update);
  weir_leaf_add_output (b, "Sn", 1, ten_times, WEIR_DEPENDS (weir_group_ticket (b, x)));
  example = weir_leaf_builder_build (b);
  b = weir_leaf_builder_new ("Logger");
  weir_leaf_add_input (b, "u", 1);
  weir_leaf_add_publish (b, weir_every (H, 0), print_sample);
  logger = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "example", example);
  weir_diagram_builder_add (d, "logger", logger);
  weir_diagram_builder_add (d, "plant", plant);
  weir_diagram_builder_connect_by_name (d, "example", "Sn", "logger", "u");
  weir_diagram_builder_connect_by_name (d, "example", "Sn", "plant", "u");
  diagram = weir_diagram_builder_build (d, &error);
  g_assert_no_error (error);
  return diagram;
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulator *simulator;
  WeirNode example;
} Run;

static void
run_init (Run *run)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-9);
  g_autoptr (GError) error = NULL;

  options.step = H / 4;
  seen.text = g_string_new (NULL);
  run->system = example_new ();
  run->context = weir_system_create_context (run->system);
  run->simulator = weir_simulator_new (run->system, run->context, &options, &error);
  g_assert_no_error (error);
  g_assert_true (
      weir_layout_find_node (weir_system_get_layout (run->system), "example", &run->example));
}

static void
run_clear (Run *run)
{
  weir_simulator_free (run->simulator);
  weir_context_free (run->context);
  weir_system_unref (run->system);
  g_string_free (seen.text, TRUE);
}

static double
output (Run *run)
{
  return weir_eval_output (run->system, run->context, run->example, (WeirOutput) { 0 })[0];
}

static void
advance (Run *run, double until)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_simulator_advance_to (run->simulator, until, &error));
  g_assert_no_error (error);
}

static void
test_sequence (void)
{
  Run run;

  run_init (&run);
  advance (&run, 3 * H);
  g_assert_cmpstr (seen.text->str, ==, "0: 0 (0)\n1: 10 (0.02)\n2: 20 (0.04)\n3: 30 (0.06)\n");
  run_clear (&run);
}

/* A probe between two updates, and at one before and after it. */
static void
test_hold (void)
{
  Run run;

  run_init (&run);
  g_assert_true (weir_simulator_initialize (run.simulator, NULL));
  g_assert_cmpfloat (output (&run), ==, 0);
  advance (&run, 0.01);
  g_assert_cmpfloat (output (&run), ==, 10);
  advance (&run, 0.02);
  g_assert_cmpfloat (output (&run), ==, 10); /* x-minus: the update waits for the next step */
  advance (&run, 0.02);
  g_assert_cmpfloat (output (&run), ==, 20); /* x-plus */
  g_assert_cmpfloat (weir_context_get_time (run.context), ==, 0.02);
  advance (&run, 0.03);
  g_assert_cmpfloat (output (&run), ==, 20);
  run_clear (&run);
}

/* Continuous state advances with x-plus: on (n h, (n+1) h] the input is 10 (n + 1), so that
 * x' = -x + 1 - u has the solution c + (x - c) exp (-h) with c = 1 - u. */
static void
test_continuous_sees_plus (void)
{
  double x = 0;
  Run run;

  run_init (&run);
  for (int n = 0; n < 3; n++)
    {
      double c = 1 - 10. * (n + 1);

      advance (&run, (n + 1) * H);
      x = c + (x - c) * exp (-H);
      /* RK4 at h / 4: the local error is (h / 4)^5 / 120 times what there is. */
      g_assert_cmpfloat_with_epsilon (weir_context_get_state (run.context)[0], x, 1e-9);
    }
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/counter/sequence", test_sequence);
  g_test_add_func ("/sim/counter/hold", test_hold);
  g_test_add_func ("/sim/counter/continuous-sees-plus", test_continuous_sees_plus);
  return g_test_run ();
}
