/* What a user reads when a run cannot be made, or cannot go on: the block, the signal or the state,
 * the time and the reason, whatever the solver. */
#include "models.h"

#include "base/error.h"
#include "shout.h"

static void
assert_contains (const char *text, const char *part)
{
  if (strstr (text, part) == NULL)
    g_error ("\"%s\" does not contain \"%s\"", text, part);
}

/* Runs until t = 2 and returns the sentence of the failure. @shouted: part of it in another
 * language. (transfer full) */
static char *
fail (WeirSystem *system, WeirContext *context, const char *solver, guint64 *steps,
      const char *shouted)
{
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 0.01;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  g_assert_false (weir_simulator_advance_to (simulator, 2, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_test_message ("%s: %s", solver, error->message);
  weir_set_translator (shout);
  assert_contains (weir_error_say (error), shouted);
  weir_set_translator (NULL);
  if (steps != NULL)
    *steps = weir_simulator_get_statistics (simulator)->steps;
  return g_strdup (error->message);
}

/* --- No value at the start ------------------------------------------------------------------- */

static WeirStatus
dry_xcdot (const WeirCalc *c, G_GNUC_UNUSED double *xdot)
{
  return weir_calc_fail (c, "there is no water");
}

static void
test_at_start (gconstpointer data)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Pump");
  g_autoptr (WeirSystem) leaf = NULL, system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autofree char *sentence = NULL;
  guint64 steps;

  weir_leaf_set_continuous_state (b, 0, 0, 2, (double[]) { 0, 1 });
  weir_leaf_set_derivatives (b, dry_xcdot, WEIR_DEPENDS (WEIR_Z));
  leaf = weir_leaf_builder_build (b);
  system = wrap_new ("pump", leaf);
  context = weir_system_create_context (system);
  sentence = fail (system, context, data, &steps,
                   "CANNOT BE COMPUTED AT T = 0 s: THERE IS NO WATER");
  assert_contains (sentence, "derivatives c");
  assert_contains (sentence, " at t = 0 s: pump:");
  assert_contains (sentence, "there is no water");
  g_assert_cmpuint (steps, ==, 0);
  g_assert_cmpfloat (weir_context_get_time (context), ==, 0);
}

/* --- The first NaN --------------------------------------------------------------------------- */

static WeirStatus
ratio_output (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 0 })[0] / weir_calc_input (c, (WeirInput) { 1 })[0];
  return WEIR_OK;
}

static WeirStatus
ramp_output (const WeirCalc *c, double *y)
{
  y[0] = MAX (weir_calc_time (c) - 1, 0);
  return WEIR_OK;
}

/* ratio = ramp / ramp, which is 0 / 0 until t = 1; what it drives is not to blame. */
static WeirSystem *
not_a_number_new (void)
{
  WeirLeafBuilder *ramp = weir_leaf_builder_new ("Ramp"), *ratio = weir_leaf_builder_new ("Ratio");
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) ramp_leaf = NULL, ratio_leaf = NULL, plant = plant_new (1);
  g_autoptr (GError) error = NULL;
  WeirInput num, den;
  WeirSystem *system;

  weir_leaf_add_output (ramp, "y", 1, ramp_output, WEIR_DEPENDS (WEIR_TIME));
  ramp_leaf = weir_leaf_builder_build (ramp);
  num = weir_leaf_add_input (ratio, "num", 1);
  den = weir_leaf_add_input (ratio, "den", 1);
  weir_leaf_add_output (
      ratio, "y", 1, ratio_output,
      WEIR_DEPENDS (weir_input_ticket (ratio, num), weir_input_ticket (ratio, den)));
  ratio_leaf = weir_leaf_builder_build (ratio);
  weir_diagram_builder_add (b, "ramp", ramp_leaf);
  weir_diagram_builder_add (b, "ratio", ratio_leaf);
  weir_diagram_builder_add (b, "plant", plant);
  weir_diagram_builder_connect_by_name (b, "ramp", "y", "ratio", "num");
  weir_diagram_builder_connect_by_name (b, "ramp", "y", "ratio", "den");
  weir_diagram_builder_connect_by_name (b, "ratio", "y", "plant", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

static void
test_not_a_number (gconstpointer data)
{
  g_autoptr (WeirSystem) system = not_a_number_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autofree char *sentence = fail (
      system, context, data, NULL,
      "ratio:y BECAME NOT A NUMBER AT T = 0 s (INPUTS: num = 0, den = 0)");

  assert_contains (sentence, "ratio:y became not a number at t = 0 s (inputs: num = 0, den = 0)");
}

/* --- A wall within the run ------------------------------------------------------------------- */

/* The last accepted state stands, and the run can be started anew from where the user puts it. */
static void
test_wall (gconstpointer data)
{
  g_autoptr (WeirSystem) leaf = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", leaf);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autofree char *sentence = fail (system, context, data, NULL, ": THE ROOT OF -");
  WeirSimulatorOptions options = options_for (data, 1e-6);
  g_autoptr (WeirSimulator) again = NULL;
  g_autoptr (GError) error = NULL;
  double t = weir_context_get_time (context), x = weir_context_get_state (context)[0];

  assert_contains (sentence, " at t = ");
  assert_contains (sentence, ": tank:");
  assert_contains (sentence, "the root of -");
  /* x = 2/3 (1 - (1 - t)^1.5); Euler's error is about step / 2. */
  g_assert_cmpfloat_with_epsilon (x, (1 - pow (MAX (1 - t, 0), 1.5)) * 2 / 3, 0.01);
  weir_context_set_time (context, 0);
  weir_context_set_state (context, (double[]) { 0 });
  again = weir_simulator_new (system, context, &options, NULL);
  g_assert_true (weir_simulator_advance_to (again, 0.5, &error));
  g_assert_no_error (error);
}

/* --- A recorded signal fails ----------------------------------------------------------------- */

static WeirStatus
root_output (const WeirCalc *c, double *y)
{
  double left = 0.333 - weir_calc_time (c);

  if (left < 0)
    return weir_calc_fail (c, "the root of %g was asked for", left);
  y[0] = sqrt (left);
  return WEIR_OK;
}

static WeirStatus
look (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  WeirNode node = { 0 };

  if (!weir_simulator_is_sample (simulator))
    return WEIR_OK;
  return weir_eval_output (data, weir_simulator_get_context (simulator), node, (WeirOutput) { 0 })
                 != NULL
             ? WEIR_OK
             : WEIR_FAILED;
}

/* The step during which it fails has been made: the context is at its end, consistent. */
static void
test_sample (gconstpointer data)
{
  const WeirSolverInfo *info = weir_solver_find (data);
  WeirLeafBuilder *b = weir_leaf_builder_new ("Leaf");
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  WeirSimulatorOptions options = options_for (data, 1e-8);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 1 });
  weir_leaf_set_derivatives (b, growth_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  weir_leaf_add_output (b, "y", 1, root_output, WEIR_DEPENDS (WEIR_TIME));
  system = weir_leaf_builder_build (b);
  context = weir_system_create_context (system);
  options.step = 0.1;
  options.record_interval = 0.01;
  simulator = weir_simulator_new (system, context, &options, NULL);
  weir_simulator_set_monitor (simulator, look, system);
  g_assert_false (weir_simulator_advance_to (simulator, 1, &error));
  assert_contains (error->message, "y cannot be computed at t = 0.34");
  assert_contains (error->message, "the root of -0.007");
  g_assert_cmpfloat (weir_context_get_time (context), >=, 0.34);
  g_assert_cmpfloat_with_epsilon (weir_context_get_state (context)[0],
                                  exp (sin (weir_context_get_time (context))),
                                  info->is_adaptive ? 1e-5 : 0.1);
}

/* --- Refused before the run ------------------------------------------------------------------ */

static WeirStatus
large_xcdot (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  xdot[0] = 0;
  return WEIR_OK;
}

static char *
refuse (WeirSystem *system, const WeirSimulatorOptions *options)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (GError) error = NULL;

  g_assert_null (weir_simulator_new (system, context, options, &error));
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
  return g_strdup (error->message);
}

static void
test_too_large (gconstpointer data)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Large");
  guint n = 5001;
  g_autofree double *zeros = g_new0 (double, n);
  g_autoptr (WeirSystem) system = NULL;
  WeirSimulatorOptions options = options_for (data, 1e-6);
  g_autofree char *sentence = NULL;

  weir_leaf_set_continuous_state (b, 0, 0, n, zeros);
  weir_leaf_set_derivatives (b, large_xcdot, WEIR_DEPENDS (WEIR_Z));
  system = weir_leaf_builder_build (b);
  sentence = refuse (system, &options);
  g_test_message ("%s", sentence);
  assert_contains (sentence, data);
  assert_contains (sentence, "5001");
  assert_contains (sentence, "; choose ");
}

static void
test_tolerance (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  WeirSimulatorOptions options = options_for ("cvode-bdf", 1e-16);
  g_autofree char *sentence = refuse (system, &options);

  g_assert_cmpstr (
      sentence, ==,
      "the relative tolerance is 1e-16, but numbers have no more than 16 digits; it must "
      "be at least 1e-14");
}

int
main (int argc, char **argv)
{
  static const char *const implicit[] = { "cvode-bdf", "arkode-dirk", "ida" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const char *name = weir_solver_get (i)->name;
      const struct {
        const char *path;
        GTestDataFunc test;
      } tests[] = { { "at-start", test_at_start },
                    { "not-a-number", test_not_a_number },
                    { "wall", test_wall },
                    { "sample", test_sample } };

      for (guint k = 0; k < G_N_ELEMENTS (tests); k++)
        {
          g_autofree char *path = g_strdup_printf ("/sim/failures/%s/%s", tests[k].path, name);

          g_test_add_data_func (path, name, tests[k].test);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (implicit); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/failures/too-large/%s", implicit[i]);

      g_test_add_data_func (path, implicit[i], test_too_large);
    }
  g_test_add_func ("/sim/failures/tolerance", test_tolerance);
  return g_test_run ();
}
