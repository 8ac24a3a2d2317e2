/* What a failed run is blamed on, and what is warned of, as data: the block that divides or grows,
 * not a neighbour that follows. */
#include "models.h"
#include "sim/recorder.h"
#include "sim/session.h"

/* A state that grows by @own of itself; x' = input otherwise. */
static WeirStatus
square_xcdot (const WeirCalc *c, double *xdot)
{
  double x = weir_calc_z (c)[0];

  xdot[0] = x * x;
  return WEIR_OK;
}

static WeirStatus
cube_xcdot (const WeirCalc *c, double *xdot)
{
  double u = weir_calc_input (c, (WeirInput) { 0 })[0];

  xdot[0] = u * u * u;
  return WEIR_OK;
}

static WeirStatus
decay_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_z (c)[0];
  return WEIR_OK;
}

/* 1 / (1 - t). */
static WeirStatus
pole_output (const WeirCalc *c, double *y)
{
  y[0] = 1 / (1 - weir_calc_time (c));
  return WEIR_OK;
}

static WeirStatus
integral_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
state_new (WeirCalcFunc xcdot, double x, gboolean has_input)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("State");

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x);
  if (has_input)
    weir_leaf_set_derivatives (
        b, xcdot, WEIR_DEPENDS (weir_input_ticket (b, weir_leaf_add_input (b, "u", 1))));
  else
    weir_leaf_set_derivatives (b, xcdot, WEIR_DEPENDS (WEIR_Z));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* "calm" decays; "follower" grows as the cube of "culprit", whose square it is that feeds it: both
 * end at t = 1, the follower faster. */
static WeirSystem *
growing_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) calm = state_new (decay_xcdot, 1, FALSE);
  g_autoptr (WeirSystem) follower = state_new (cube_xcdot, 0, TRUE);
  g_autoptr (WeirSystem) faulty_entry = state_new (square_xcdot, 1, FALSE);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_diagram_builder_add (b, "calm", calm);
  weir_diagram_builder_add (b, "follower", follower);
  weir_diagram_builder_add (b, "culprit", faulty_entry);
  weir_diagram_builder_connect_by_name (b, "culprit", "y", "follower", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* "calm", and "sum", the integral of "pole". */
static WeirSystem *
dividing_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *pole_builder = weir_leaf_builder_new ("Pole");
  g_autoptr (WeirSystem) calm = state_new (decay_xcdot, 1, FALSE);
  g_autoptr (WeirSystem) sum = state_new (integral_xcdot, 0, TRUE);
  g_autoptr (WeirSystem) pole = NULL;
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_leaf_add_output (pole_builder, "y", 1, pole_output, WEIR_DEPENDS (WEIR_TIME));
  pole = weir_leaf_builder_build (pole_builder);
  weir_diagram_builder_add (b, "calm", calm);
  weir_diagram_builder_add (b, "sum", sum);
  weir_diagram_builder_add (b, "pole", pole);
  weir_diagram_builder_connect_by_name (b, "pole", "y", "sum", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* Runs until t = 2 and gives what it failed for. (transfer full) */
static WeirTrouble *
fail (WeirSystem *system, const char *solver)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  const WeirTrouble *trouble;

  options.step = 1.0 / 128;
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  g_assert_false (weir_simulator_advance_to (simulator, 2, &error));
  g_assert_cmpuint (weir_simulator_get_n_troubles (simulator), ==, 1);
  trouble = weir_simulator_get_trouble (simulator, 0);
  g_test_message ("%s: %s", solver, trouble->text);
  g_assert_cmpstr (trouble->text, ==, error->message);
  g_assert_cmpint (trouble->severity, ==, WEIR_SEVERITY_ERROR);
  g_assert_cmpfloat_with_epsilon (trouble->time, 1, 0.1);
  g_assert_cmpuint (trouble->n_remedies, >, 0);
  return weir_trouble_ref ((WeirTrouble *) trouble);
}

static void
test_growing (gconstpointer data)
{
  g_autoptr (WeirSystem) system = growing_new ();
  g_autoptr (WeirTrouble) trouble = fail (system, data);

  g_assert_cmpint (trouble->kind, ==, WEIR_TROUBLE_RAN_AWAY);
  g_assert_cmpstr (trouble->path, ==, "culprit");
  g_assert_null (trouble->subject); /* its only state, which has no name */
  g_assert_cmpuint (trouble->state, !=, G_MAXUINT);
  g_assert_cmpfloat (fabs (trouble->value), >, 1e3);
}

static void
test_dividing (gconstpointer data)
{
  g_autoptr (WeirSystem) system = dividing_new ();
  g_autoptr (WeirTrouble) trouble = fail (system, data);

  g_assert_cmpstr (trouble->path, ==, "pole");
  g_assert_cmpstr (trouble->subject, ==, "y");
  g_assert_cmpuint (trouble->entry.i, !=, WEIR_NO_INDEX);
}

/* Remedies are settings of a model, with what they would be. */
static void
test_remedies (void)
{
  g_autoptr (WeirSystem) system = growing_new ();
  g_autoptr (WeirTrouble) adaptive = fail (system, "cvode-bdf");
  g_autoptr (WeirTrouble) fixed = fail (system, "rk4");
  g_autofree char *solver = weir_remedy_dup_setting_value (&adaptive->remedies[1]);
  g_autofree char *step = weir_remedy_dup_setting_value (&fixed->remedies[0]);

  g_assert_cmpstr (weir_remedy_get_setting (&adaptive->remedies[0]), ==, "max-step");
  g_assert_cmpstr (weir_remedy_get_setting (&adaptive->remedies[1]), ==, "solver");
  g_assert_cmpstr (solver, ==, "arkode-dirk");
  g_assert_cmpstr (weir_remedy_get_setting (&fixed->remedies[0]), ==, "step");
  g_assert_cmpstr (step, ==, "0.00078125");
}

/* A value that is recorded, 1 / (1 - t) at t = 1, is told once, from where it arose; the run goes
 * on. */
static void
test_recorded (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *pole_builder = weir_leaf_builder_new ("Pole");
  g_autoptr (WeirSystem) pole = NULL, hold = hold_new (0.25), system = NULL;
  const char *const ports[] = { "pole.y", "hold.u", NULL };

  weir_leaf_add_output (pole_builder, "y", 1, pole_output, WEIR_DEPENDS (WEIR_TIME));
  pole = weir_leaf_builder_build (pole_builder);
  weir_diagram_builder_add (b, "hold", hold);
  weir_diagram_builder_add (b, "pole", pole);
  weir_diagram_builder_connect_by_name (b, "pole", "y", "hold", "u");
  system = weir_diagram_builder_build (b, NULL);
  for (guint caching = 0; caching < 2; caching++)
    {
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for (NULL, 1e-6);
      g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);
      g_autoptr (WeirRecorder) recorder = weir_recorder_new (system, ports, FALSE, NULL);
      const WeirTrouble *trouble;

      weir_context_set_caching (context, caching);
      weir_simulator_set_monitor (simulator, weir_recorder_monitor, recorder);
      g_assert_true (weir_simulator_advance_to (simulator, 2, NULL));
      g_assert_cmpuint (weir_simulator_get_n_troubles (simulator), ==, 1);
      trouble = weir_simulator_get_trouble (simulator, 0);
      g_assert_cmpstr (trouble->text, ==, "pole:y became infinite at t = 1 s");
      g_assert_cmpint (trouble->severity, ==, WEIR_SEVERITY_WARNING);
      g_assert_cmpint (trouble->kind, ==, WEIR_TROUBLE_NOT_FINITE);
      g_assert_cmpstr (trouble->path, ==, "pole");
      g_assert_cmpfloat (trouble->time, ==, 1);
      g_assert_true (isinf (trouble->value));
    }
}

/* The window reads it off the snapshot; gone when the run goes back. */
static void
test_session (void)
{
  g_autoptr (WeirSystem) system = growing_new ();
  WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
  g_autoptr (WeirSession) session = weir_session_new (system, &options, 2, 0, NULL, NULL);
  const WeirSnapshot *snapshot;

  weir_session_run (session);
  weir_session_join (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_FAILED);
  snapshot = weir_session_get_snapshot (session);
  g_assert_cmpuint (snapshot->n_troubles, ==, 1);
  g_assert_cmpstr (snapshot->troubles[0]->path, ==, "culprit");
  g_assert_cmpstr (snapshot->troubles[0]->text, ==, weir_session_get_failure (session)->message);
  g_assert_cmpint (weir_session_step_back (session, 3), ==, WEIR_STEP_BACK_DONE);
  while (!weir_session_is_settled (session))
    g_usleep (1000);
  g_assert_cmpuint (weir_session_get_snapshot (session)->n_troubles, ==, 0);
  weir_session_stop (session);
  weir_session_join (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *growing = g_strconcat ("/sim/troubles/growing/", info->name, NULL);
      g_autofree char *dividing = g_strconcat ("/sim/troubles/dividing/", info->name, NULL);

      /* Those of order 1 come over the pole with all finite. */
      if (info->order > 1)
        g_test_add_data_func (growing, info->name, test_growing);
      if (info->is_adaptive)
        g_test_add_data_func (dividing, info->name, test_dividing);
    }
  g_test_add_func ("/sim/troubles/remedies", test_remedies);
  g_test_add_func ("/sim/troubles/recorded", test_recorded);
  g_test_add_func ("/sim/troubles/session", test_session);
  return g_test_run ();
}
