/* Steps that are cut short, by the end of the run, by boundaries and by samples, are as accurate as
 * any: errors follow the tolerance from 1e-3 to 1e-12, with every method that controls its error.
 * An implicit method keeps a matrix made for another step; what it believes of its iteration must
 * not be older than that. */
#include "models.h"

#define LOOSEST 3 /* 1e-3 */
#define TIGHTEST 12
#define MOST 300 /* tolerances: what local errors of a method of order 3 add up to at 1e-12 */

/* x' = -x, y' = -100 (y - cos t) - sin t, (p, v) on a circle: x = exp -t, y = cos t, p = sin t. All
 * closed forms. */
static WeirStatus
linear_xcdot (const WeirCalc *c, double *xdot)
{
  const double *x = weir_calc_z (c);
  double t = weir_calc_time (c);

  xdot[0] = -x[0];
  xdot[1] = -100 * (x[1] - cos (t)) - sin (t);
  xdot[2] = x[3];
  xdot[3] = -x[2];
  return WEIR_OK;
}

static WeirSystem *
linear_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Linear");

  weir_leaf_set_continuous_state (b, 0, 0, 4, (double[]) { 1, 1, 0, 1 });
  weir_leaf_set_derivatives (b, linear_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  return weir_leaf_builder_build (b);
}

/* x' = -x alone: its matrix is exact, so that an iteration seems to converge at once. */
static WeirStatus
decay_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_z (c)[0];
  return WEIR_OK;
}

static WeirSystem *
decay_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Decay");

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 1 });
  weir_leaf_set_derivatives (b, decay_xcdot, WEIR_DEPENDS (WEIR_Z));
  return weir_leaf_builder_build (b);
}

static double
find_error (const double *x, guint n, double t)
{
  const double right[] = { exp (-t), cos (t), sin (t), cos (t) };
  double error = 0;

  for (guint i = 0; i < n; i++)
    error = fmax (error, fabs (x[i] - right[i]));
  return error;
}

/* The largest error at the ends of @n parts of [0, 3], each no multiple of another. */
static double
run (WeirSystem *system, const char *solver, double tolerance, guint n)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (solver, tolerance);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  double largest = 0;

  options.absolute_tolerance = tolerance;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  for (guint i = 1; i <= n; i++)
    {
      double t = 3 * pow ((double) i / n, 1.1);

      weir_simulator_advance_to (simulator, t, &error);
      g_assert_no_error (error);
      largest = fmax (largest,
                      find_error (weir_context_get_state (context),
                                  weir_layout_get_n_states (weir_system_get_layout (system)), t));
    }
  return largest;
}

/* Methods of higher order stay below a hundred tolerances; what is taken for solved and is not gave
 * up to a million. */
static void
test_ladder (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  g_autoptr (WeirSystem) decay = decay_new (), linear = linear_new ();
  WeirSystem *const systems[] = { decay, linear };
  const guint parts[] = { 1, 2, 7, 40 };

  for (guint s = 0; s < G_N_ELEMENTS (systems); s++)
    for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
      for (int digits = LOOSEST; digits <= TIGHTEST; digits++)
        {
          double tolerance = pow (10, -digits);
          double error = run (systems[s], solver->name, tolerance, parts[p]);

          g_test_message ("%s, system %u, %u parts, tolerance %g: off by %.2g = %.3g tolerances",
                          solver->name, s, parts[p], tolerance, error, error / tolerance);
          g_assert_cmpfloat (error, <, MOST * tolerance);
        }
}

/* The Oregonator, stiff, with nonlinear bursts in between: problem OREGO of the test set for
 * initial value problem solvers (Mazzia and Magherini, Bari 2008), whose solution at t = 360 this
 * is. */
static WeirStatus
orego_xcdot (const WeirCalc *c, double *xdot)
{
  const double *y = weir_calc_z (c);

  xdot[0] = 77.27 * (y[1] + y[0] * (1 - 8.375e-6 * y[0] - y[1]));
  xdot[1] = (y[2] - (1 + y[0]) * y[1]) / 77.27;
  xdot[2] = 0.161 * (y[0] - y[2]);
  return WEIR_OK;
}

static void
test_orego (gconstpointer data)
{
  const double right[] = { 1.000814870318523, 1228.178521549917, 132.0554942846706 };
  const guint parts[] = { 1, 977 };

  for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
    for (double tolerance = 1e-5; tolerance > 1e-10; tolerance *= 1e-2)
      {
        WeirLeafBuilder *b = weir_leaf_builder_new ("Orego");
        g_autoptr (WeirSystem) system = NULL;
        g_autoptr (WeirContext) context = NULL;
        WeirSimulatorOptions options = options_for (data, tolerance);
        g_autoptr (WeirSimulator) simulator = NULL;
        g_autoptr (GError) error = NULL;

        weir_leaf_set_continuous_state (b, 0, 0, 3, (double[]) { 1, 2, 3 });
        weir_leaf_set_derivatives (b, orego_xcdot, WEIR_DEPENDS (WEIR_Z));
        system = weir_leaf_builder_build (b);
        context = weir_system_create_context (system);
        simulator = weir_simulator_new (system, context, &options, &error);
        g_assert_no_error (error);
        for (guint i = 1; i <= parts[p]; i++)
          weir_simulator_advance_to (simulator, i < parts[p] ? 360.0 * i / parts[p] : 360, &error);
        g_assert_no_error (error);
        for (guint i = 0; i < 3; i++)
          {
            double off = fabs (weir_context_get_state (context)[i] / right[i] - 1);

            g_test_message ("%s, %u parts, tolerance %g: y[%u] off by %.2g = %.3g tolerances",
                            (const char *) data, parts[p], tolerance, i, off, off / tolerance);
            g_assert_cmpfloat (off, <, MOST * tolerance);
          }
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    if (weir_solver_get (i)->is_adaptive)
      {
        g_autofree char *path = g_strconcat ("/sim/cut-steps/", weir_solver_get (i)->name, NULL);

        g_test_add_data_func (path, weir_solver_get (i), test_ladder);
      }
  g_test_add_data_func ("/sim/cut-steps/orego/auto", "auto", test_orego);
  g_test_add_data_func ("/sim/cut-steps/orego/cvode-bdf", "cvode-bdf", test_orego);
  g_test_add_data_func ("/sim/cut-steps/orego/ida", "ida", test_orego);
  g_test_add_data_func ("/sim/cut-steps/orego/arkode-dirk", "arkode-dirk", test_orego);
  g_test_add_data_func ("/sim/cut-steps/orego/radau", "radau", test_orego);
  return g_test_run ();
}
