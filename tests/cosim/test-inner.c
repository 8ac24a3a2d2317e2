/* Systems as units: each has a simulator of its own. */
#include <math.h>

#include "counters.h"
#include "cosim/inner.h"
#include "sim/recorder.h"
#include "system/layout/units.h"
#include "system/structure/unit-maker.h"

#define FULL WEIR_STEP_SCHEDULING_FULL_PARALLEL
#define CASCADING WEIR_STEP_SCHEDULING_CASCADING_PARALLEL

static WeirStatus
calc_input (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
calc_negative (const WeirCalc *c, double *y)
{
  y[0] = -weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
update_count (const WeirCalc *c, gint64 n, double *next)
{
  next[0] = weir_calc_input (c, (WeirInput) { 0 })[0] + 1;
  return WEIR_OK;
}

/* A diagram of one leaf, whose ports are the diagram's. */
static WeirSystem *
around (WeirSystem *leaf)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirChild child = weir_diagram_builder_add (b, "leaf", leaf);
  WeirInput in = weir_diagram_builder_add_input (b, "u", 1);

  weir_diagram_builder_connect_input (b, in, child, (WeirInput) { 0 });
  weir_diagram_builder_add_output (b, "y", child, (WeirOutput) { 0 });
  weir_system_unref (leaf);
  return weir_diagram_builder_build (b, NULL);
}

static WeirSystem *
unit_of (WeirSystem *system, const char *solver)
{
  WeirSimulatorOptions options;
  GError *error = NULL;
  WeirSystem *unit;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.step = 0.01;
  unit = weir_inner_unit_new (system, &options, 1, 0, &error);
  g_assert_no_error (error);
  weir_system_unref (system);
  return unit;
}

static WeirSystem *
integrator_new (double initial)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Integrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &initial);
  weir_leaf_set_derivatives (b, calc_input, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_XC);
  return around (weir_leaf_builder_build (b));
}

static WeirSystem *
negative_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Negative");
  WeirInput u = weir_leaf_add_input (b, "u", 1);

  weir_leaf_add_output (b, "y", 1, calc_negative, WEIR_DEPENDS (weir_input_ticket (b, u)));
  return weir_leaf_builder_build (b);
}

/* a' = -b, b' = a, from 1 and 0; each in a unit. */
static WeirSystem *
oscillator_new (const char *solver)
{
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) a = unit_of (integrator_new (1), solver);
  g_autoptr (WeirSystem) b = unit_of (integrator_new (0), solver);
  g_autoptr (WeirSystem) negative = negative_new ();

  weir_diagram_builder_add (d, "A", a);
  weir_diagram_builder_add (d, "B", b);
  weir_diagram_builder_add (d, "N", negative);
  weir_diagram_builder_connect_by_name (d, "B", "y", "N", "u");
  weir_diagram_builder_connect_by_name (d, "N", "y", "A", "u");
  weir_diagram_builder_connect_by_name (d, "A", "y", "B", "u");
  return weir_diagram_builder_build (d, NULL);
}

/* With held inputs the integrators are exact, so that full parallel is Euler's explicit method and
 * cascading the semi-implicit one, whose steps are known; both are of first order against cos t. */
static void
test_oscillator (void)
{
  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    {
      double errors[2];

      for (guint c = 0; c < 2; c++)
        {
          double h = c == 0 ? 0.0625 : 0.03125, a = 1, b = 0;
          Run run;

          run_begin (&run, oscillator_new ("dormand-prince"), h, type, 2);
          for (guint k = 1; (double) k * h <= 8; k++)
            {
              double a_next = a - h * b;

              b += h * (type == FULL ? a : a_next);
              a = a_next;
              run_to (&run, k * h);
              g_assert_cmpfloat_with_epsilon (run_get (&run, "A"), a, 1e-12);
              g_assert_cmpfloat_with_epsilon (run_get (&run, "B"), b, 1e-12);
            }
          errors[c] = fabs (run_get (&run, "A") - cos (8)) + fabs (run_get (&run, "B") - sin (8));
          run_end (&run);
        }
      g_assert_cmpfloat (errors[0] / errors[1], >, 1.8);
      g_assert_cmpfloat (errors[0] / errors[1], <, 2.5);
    }
}

/* Threads and caches, of the model and of its units, make no difference; nor does going on from a
 * saved run, at an instant or between two. */
static void
test_same_bits (void)
{
  for (WeirStepSchedulingType type = FULL; type <= WEIR_STEP_SCHEDULING_ITERATED; type++)
    for (guint way = 0; way < 4; way++)
      {
        g_autoptr (GBytes) saved = NULL;
        GError *error = NULL;
        Run a, b;

        run_begin (&a, oscillator_new ("dormand-prince"), 0.25, type, 1);
        run_begin (&b, oscillator_new ("dormand-prince"), 0.25, type, 1 + way);
        weir_context_set_caching (b.context, way % 2 == 0);
        if (way >= 2)
          {
            run_to (&a, way == 2 ? 1 : 1.1);
            saved = weir_simulator_save (a.simulator, &error);
            g_assert_no_error (error);
            weir_simulator_load (b.simulator, saved, &error);
            g_assert_no_error (error);
          }
        for (double t = 1.25; t <= 4; t += 0.25)
          {
            double x, y;

            run_to (&a, t);
            run_to (&b, t);
            x = run_get (&a, "A");
            y = run_get (&b, "A");
            g_assert_cmpmem (&x, sizeof x, &y, sizeof y);
          }
        run_end (&a);
        run_end (&b);
      }
}

static WeirSystem *
sampled_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sampled");
  WeirGroup y;

  weir_leaf_add_input (b, "u", 1);
  y = weir_leaf_add_discrete_state (b, "x", &(double) { 0 }, 1);
  weir_leaf_add_periodic_update (b, y, 1, 0, update_count);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, y));
  return around (weir_leaf_builder_build (b));
}

/* S1 counts itself up, S2 reads S1: sampled once a step, with the inputs of where the step begins,
 * as counters that step. */
static void
test_sampled (void)
{
  for (WeirStepSchedulingType type = FULL; type <= CASCADING; type++)
    {
      WeirDiagramBuilder *b = weir_diagram_builder_new ();
      g_autoptr (WeirSystem) first = unit_of (sampled_new (), NULL);
      g_autoptr (WeirSystem) second = unit_of (sampled_new (), NULL);
      Run run;

      weir_diagram_builder_add (b, "S1", first);
      weir_diagram_builder_add (b, "S2", second);
      weir_diagram_builder_connect_by_name (b, "S1", "y", "S1", "u");
      weir_diagram_builder_connect_by_name (b, "S1", "y", "S2", "u");
      run_begin (&run, weir_diagram_builder_build (b, NULL), 1, type, 2);
      for (guint k = 1; k < 10; k++)
        {
          run_to (&run, k);
          g_assert_cmpfloat (run_get (&run, "S1"), ==, k);
          g_assert_cmpfloat (run_get (&run, "S2"), ==, type == FULL ? k : k + 1);
        }
      run_end (&run);
    }
}

static WeirStatus
calc_gain (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0]
         * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* Parameters within are the unit's, by their paths, and stay when a run starts anew; ports within
 * that somebody asks for can be seen and recorded. */
static void
test_within (void)
{
  static const char *const ports[] = { "leaf.u", "leaf.y", "leaf.nothing", NULL };
  static const char *const recorded[] = { "G.leaf.u", "G.y", NULL };
  WeirUnitRequest request = {
    .relative_tolerance = 1e-6, .absolute_tolerance = 1e-9, .n_steps = 1, .ports = ports
  };
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  WeirLeafBuilder *b = weir_leaf_builder_new ("Gain");
  g_autoptr (WeirSystem) sampled = unit_of (sampled_new (), NULL);
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirSystem) unit = NULL;
  g_autoptr (WeirRecorder) recorder = NULL;
  GError *error = NULL;
  const char *within;
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter k = weir_leaf_add_parameter (b, "k", &(double) { 2 }, 1);
  WeirNode node;
  Run run;

  weir_leaf_add_output (b, "y", 1, calc_gain,
                        WEIR_DEPENDS (weir_input_ticket (b, u), weir_parameter_ticket (b, k)));
  system = around (weir_leaf_builder_build (b));
  weir_cosim_provide ();
  unit = weir_unit_make (system, &request, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (weir_system_get_n_outputs (unit), ==, 3);
  weir_diagram_builder_add (d, "S", sampled);
  weir_diagram_builder_add (d, "G", unit);
  weir_diagram_builder_connect_by_name (d, "S", "y", "S", "u");
  weir_diagram_builder_connect_by_name (d, "S", "y", "G", "u");
  run_begin (&run, weir_diagram_builder_build (d, NULL), 1, CASCADING, 1);
  g_assert_true (
      weir_layout_find_outer_node (weir_system_get_layout (run.root), "G.leaf", &node, &within));
  g_assert_cmpstr (within, ==, "leaf");
  g_assert_false (weir_layout_find_node (weir_system_get_layout (run.root), "G.leaf", &node));
  g_assert_true (
      weir_layout_find_parameter (weir_system_get_layout (run.root), node, "leaf.k", &k, NULL));
  recorder = weir_recorder_new (run.root, recorded, FALSE, &error);
  g_assert_no_error (error);
  weir_simulator_set_monitor (run.simulator, weir_recorder_monitor, recorder);
  run_to (&run, 3);
  g_assert_cmpfloat (run_get (&run, "G"), ==, 6);
  weir_context_set_parameter (run.context, node, k, &(double) { 5 });
  run_to (&run, 4);
  g_assert_cmpfloat (run_get (&run, "G"), ==, 20);
  g_assert_cmpfloat (weir_recorder_get_value (recorder, 0, weir_recorder_get_n_rows (recorder) - 1),
                     ==, 4);
  weir_simulator_initialize (run.simulator, &error);
  g_assert_no_error (error);
  run_to (&run, 5);
  g_assert_cmpfloat (run_get (&run, "G"), ==, 5); /* S counts from 0 again */
  run_end (&run);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cosim/inner/oscillator", test_oscillator);
  g_test_add_func ("/cosim/inner/same-bits", test_same_bits);
  g_test_add_func ("/cosim/inner/sampled", test_sampled);
  g_test_add_func ("/cosim/inner/within", test_within);
  return g_test_run ();
}
