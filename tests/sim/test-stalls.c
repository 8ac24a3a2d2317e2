/* Runs that would creep for ever end with a report that names the state, and runs that only go
 * slowly do not. The limit of all steps, which is the tests' own guard, is never met. */
#include "models.h"

#define GUARD 400000 /* steps */

/* x' = sqrt (1 - x^2), x = sin t until t = pi/2, where the two roots meet: there the model has no
 * value, as where an equation has a solution of multiplicity that no iteration finds to all digits.
 */
static WeirStatus
fold_xcdot (const WeirCalc *c, double *xdot)
{
  double x = weir_calc_z (c)[0], square = 1 - x * x;

  if (square < 1e-14)
    return weir_calc_fail (c, "the root of %g was asked for", square);
  xdot[0] = sqrt (square);
  return WEIR_OK;
}

/* x' = -1 above 0 and 1 below, and no event tells of it. */
static WeirStatus
slide_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_z (c)[0] > 0 ? -1 : 1;
  return WEIR_OK;
}

/* Stiff: x' = -1e6 (x - cos t). Steps of explicit methods are short from end to end. */
static WeirStatus
stiff_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -1e6 * (weir_calc_z (c)[0] - cos (weir_calc_time (c)));
  return WEIR_OK;
}

static WeirSystem *
leaf_new (WeirCalcFunc xcdot, double x)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Leaf");
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x);
  weir_leaf_set_derivatives (b, xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  leaf = weir_leaf_builder_build (b);
  return wrap_new ("leaf", leaf);
}

/* What the run says if it fails, or NULL. *@time: where it ends. (transfer full) */
static char *
run (WeirSystem *root, const char *solver, double stop, guint max_stalled, double *time)
{
  g_autoptr (WeirContext) context = weir_system_create_context (root);
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.max_steps = GUARD;
  options.max_stalled_steps = max_stalled;
  simulator = weir_simulator_new (root, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, stop, &error);
  *time = weir_context_get_time (context);
  g_test_message ("%s: t = %.17g, %" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT " rejected: %s",
                  solver, *time, weir_simulator_get_statistics (simulator)->steps,
                  weir_simulator_get_statistics (simulator)->rejected_steps,
                  error != NULL ? error->message : "done");
  g_assert_cmpuint (weir_simulator_get_statistics (simulator)->steps, <, GUARD);
  return error != NULL ? g_strdup (error->message) : NULL;
}

static void
test_fold (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  g_autoptr (WeirSystem) root = leaf_new (fold_xcdot, 0);
  double time;
  g_autofree char *text = run (root, solver->name, 2, 1000, &time);

  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "leaf"));
  g_assert_nonnull (strstr (text, "the root of"));
  g_assert_cmpfloat_with_epsilon (time, G_PI_2, solver->is_adaptive ? 1e-2 : 3e-2);
}

/* Implicit methods either fail at the jump at every second trial, or creep along it with steps that
 * are so short that none fails. (Explicit ones get on.) */
static void
test_slide (gconstpointer data)
{
  g_autoptr (WeirSystem) root = leaf_new (slide_xcdot, 1);
  double time;
  g_autofree char *text = run (root, data, 3, 100, &time);

  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, "the run stalls"));
  g_assert_nonnull (strstr (text, "the state that limits it is leaf"));
  g_assert_cmpfloat_with_epsilon (time, 1, 1e-5);
}

/* Slow is not stalled: about 0.1 / (3.3e-6) steps of Dormand-Prince, held by stability. */
static void
test_slow (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  g_autoptr (WeirSystem) root = leaf_new (stiff_xcdot, 2);
  double time;
  g_autofree char *text = run (root, solver->name, 0.1, 1000, &time);

  g_assert_null (text);
  g_assert_cmpfloat (time, ==, 0.1);
}

/* The sentence says how far the last steps got, and the limit can be set. */
static void
test_sentence (void)
{
  g_autoptr (WeirSystem) root = leaf_new (fold_xcdot, 0);
  double time, longer;
  g_autofree char *text = run (root, "dormand-prince", 2, 200, &time);
  g_autofree char *later = run (root, "dormand-prince", 2, 5000, &longer);

  g_assert_nonnull (strstr (text, "the run stalls: its last 200 steps got it only "));
  g_assert_nonnull (strstr (later, "the run stalls: its last 5000 steps got it only "));
  g_assert_nonnull (strstr (text, "the state that limits it is leaf: leaf:"));
  g_assert_cmpfloat (time, <, longer);
}

static void
add (const char *name, const char *solver, gconstpointer data, GTestDataFunc test)
{
  g_autofree char *path = g_strdup_printf ("/sim/stalls/%s/%s", name, solver);

  g_test_add_data_func (path, data, test);
}

int
main (int argc, char **argv)
{
  static const char *const sliding[] = { "cvode-bdf", "ida", "arkode-dirk" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *solver = weir_solver_get (i);

      add ("fold", solver->name, solver, test_fold);
      if (solver->is_adaptive)
        add ("slow", solver->name, solver, test_slow);
    }
  for (guint i = 0; i < G_N_ELEMENTS (sliding); i++)
    add ("slide", sliding[i], sliding[i], test_slide);
  g_test_add_func ("/sim/stalls/sentence", test_sentence);
  return g_test_run ();
}
