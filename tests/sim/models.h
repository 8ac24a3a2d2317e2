/* Leaf systems with known solutions, and reading of reference numbers, for the tests of
 * engine/sim. */
#pragma once

#include <math.h>
#include <string.h>

#include "sim/simulator.h"
#include "system/structure/diagram.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/event.h"
#include "system/evaluation/calc.h"
#include "system/structure/leaf.h"

/* The value and tolerance of a row of tests/data/reference.csv. */
static inline double
reference_get (const char *name, double *tolerance)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "reference.csv", NULL);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) fields = g_strsplit (lines[i], ",", 4);

      if (fields[0] != NULL && g_str_equal (fields[0], name))
        {
          *tolerance = g_ascii_strtod (fields[2], NULL);
          return g_ascii_strtod (fields[1], NULL);
        }
    }
  g_error ("reference.csv has no row \"%s\"", name);
}

#define assert_reference(value, name, tighter)                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    double tolerance_, reference_ = reference_get (name, &tolerance_);                             \
    g_test_message ("%s: %.15g, off by %.2g", name, (value), fabs ((value) -reference_));          \
    g_assert_cmpfloat_with_epsilon ((value), reference_, tolerance_ *(tighter));                   \
  }                                                                                                \
  G_STMT_END

static inline WeirSimulatorOptions
options_for (const char *solver, double tolerance)
{
  WeirSimulatorOptions options;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance * 1e-3;
  return options;
}

/* theta'' = -(g/L) sin theta, from rest; q = theta, v = theta'; g 9.81, L 1. */
static WeirStatus
pendulum_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = -weir_calc_parameter (c, (WeirParameter) { 0 })[0] * sin (weir_calc_q (c)[0]);
  return WEIR_OK;
}

static WeirStatus
pendulum_potential (const WeirCalc *c, double *energy)
{
  energy[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0] * (1 - cos (weir_calc_q (c)[0]));
  return WEIR_OK;
}

static inline WeirSystem *
pendulum_new (double theta)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Pendulum");
  WeirParameter g = weir_leaf_add_parameter (b, "g", (double[]) { 9.81 }, 1);

  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { theta, 0 });
  weir_leaf_set_derivatives (b, pendulum_xcdot,
                             WEIR_DEPENDS (WEIR_Q, WEIR_V, weir_parameter_ticket (b, g)));
  weir_leaf_set_energy (b, (WeirTicket) { WEIR_TICKET_PE }, pendulum_potential,
                        WEIR_DEPENDS (WEIR_Q, weir_parameter_ticket (b, g)));
  weir_leaf_add_output_window (b, "theta", WEIR_Q);
  weir_leaf_add_output_window (b, "omega", WEIR_V);
  return weir_leaf_builder_build (b);
}

/* x' = x cos t, x(0) = 1: x = exp (sin t). */
static WeirStatus
growth_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_z (c)[0] * cos (weir_calc_time (c));
  return WEIR_OK;
}

static inline WeirSystem *
growth_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Growth");

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 1 });
  weir_leaf_set_derivatives (b, growth_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* Robertson's kinetics, very stiff. */
static WeirStatus
robertson_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c);

  xdot[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  xdot[2] = 3e7 * y[1] * y[1];
  xdot[1] = -xdot[0] - xdot[2];
  return WEIR_OK;
}

static inline WeirSystem *
robertson_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Robertson");

  weir_leaf_set_continuous_state (b, 0, 0, 3, (double[]) { 1, 0, 0 });
  weir_leaf_set_derivatives (b, robertson_xcdot, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* x' = sqrt (1 - t): has no value after t = 1. */
static WeirStatus
ending_xcdot (const WeirCalc *c, double *xdot)
{
  double left = 1 - weir_calc_time (c);

  if (left < 0)
    return weir_calc_fail (c, "the root of %g was asked for", left);
  xdot[0] = sqrt (left);
  return WEIR_OK;
}

static inline WeirSystem *
ending_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ending");

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, ending_xcdot, WEIR_DEPENDS (WEIR_TIME));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* The difference equation x_{n+1} = x_n + 1, y_n = 10 x_n. */
static WeirStatus
counter_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_discrete (c, (WeirGroup) { 0 })[0] + 1;
  return WEIR_OK;
}

static WeirStatus
counter_output (const WeirCalc *c, double *y)
{
  y[0] = 10 * weir_calc_discrete (c, (WeirGroup) { 0 })[0];
  return WEIR_OK;
}

static inline WeirSystem *
counter_new (double period, double offset)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Counter");
  WeirGroup x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);

  weir_leaf_add_periodic_update (b, x, period, offset, counter_update);
  weir_leaf_add_output (b, "Sn", 1, counter_output, WEIR_DEPENDS (weir_group_ticket (b, x)));
  return weir_leaf_builder_build (b);
}

/* y = u held from one sample to the next. */
static WeirStatus
hold_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  next[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static inline WeirSystem *
hold_new (double period)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Hold");
  WeirGroup x;

  weir_leaf_add_input (b, "u", 1);
  x = weir_leaf_add_discrete_state (b, "x", (double[]) { 0 }, 1);
  weir_leaf_add_periodic_update (b, x, period, 0, hold_update);
  weir_leaf_add_output_window (b, "y", weir_group_ticket (b, x));
  return weir_leaf_builder_build (b);
}

/* x' = -x + k (1 - u), y = x: the plant and its controller's gain in one. */
static WeirStatus
plant_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_z (c)[0]
            + weir_calc_parameter (c, (WeirParameter) { 0 })[0]
                  * (1 - weir_calc_input (c, (WeirInput) { 0 })[0]);
  return WEIR_OK;
}

static inline WeirSystem *
plant_new (double k)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Plant");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (
      b, plant_xcdot,
      WEIR_DEPENDS (WEIR_Z, weir_input_ticket (b, u), weir_parameter_ticket (b, p)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* The sampled-data loop: plant 1/(s+1), hold of @period, unit step. */
static inline WeirSystem *
sampled_loop_new (double period)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) plant = plant_new (1);
  g_autoptr (WeirSystem) hold = hold_new (period);
  g_autoptr (GError) error = NULL;
  WeirSystem *loop;

  weir_diagram_builder_add (b, "plant", plant);
  weir_diagram_builder_add (b, "hold", hold);
  weir_diagram_builder_connect_by_name (b, "plant", "y", "hold", "u");
  weir_diagram_builder_connect_by_name (b, "hold", "y", "plant", "u");
  loop = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return loop;
}

/* A counter that drives a plant: between counts its output is reused. */
static inline WeirSystem *
driven_new (double period)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) plant = plant_new (1);
  g_autoptr (WeirSystem) counter = counter_new (period, 0);
  g_autoptr (GError) error = NULL;
  WeirSystem *driven;

  weir_diagram_builder_add (b, "counter", counter);
  weir_diagram_builder_add (b, "plant", plant);
  weir_diagram_builder_connect_by_name (b, "counter", "Sn", "plant", "u");
  driven = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return driven;
}

/* @system alone in a diagram under @name. */
static inline WeirSystem *
wrap_new (const char *name, WeirSystem *system)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *diagram;

  weir_diagram_builder_add (b, name, system);
  diagram = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return diagram;
}

/* Runs @system to @until and returns its state (copied) and statistics. */
static inline void
integrate (WeirSystem *system, const WeirSimulatorOptions *options, double until, double *x,
           WeirSimulatorStatistics *statistics)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, options, &error);
  guint n = weir_layout_get_n_states (weir_system_get_layout (system));

  g_assert_no_error (error);
  g_assert_true (weir_simulator_advance_to (simulator, until, &error));
  g_assert_no_error (error);
  g_assert_cmpfloat (weir_context_get_time (context), ==, until);
  memcpy (x, weir_context_get_state (context), n * sizeof *x);
  if (statistics != NULL)
    *statistics = *weir_simulator_get_statistics (simulator);
}
