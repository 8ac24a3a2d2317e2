/* Faults put into the derivatives of a run, call by call: whatever a solver makes of them, the run
 * ends in bounded work with a sentence that names the time, and the reason where the model gave
 * one. Between them the faults provoke those return codes of SUNDIALS that a model can provoke. */
#include "../seeds.h"
#include "models.h"

#define GUARD 5000 /* steps */

typedef enum {
  FAULT_NONE,
  FAULT_ALWAYS,      /* no value from the first call on */
  FAULT_FROM,        /* no value from call FROM on */
  FAULT_NAN,         /* not a number from there on */
  FAULT_FLAKY,       /* no value at every third call */
  FAULT_NOISE,       /* values that have nothing to do with the state */
  FAULT_LOUD,        /* the same, and enormous */
  FAULT_ALTERNATING, /* the sign changes from call to call */
  FAULT_CLIFF,       /* so large beyond x = 1.5 that no step is small enough */
  N_FAULTS
} Fault;

#define FROM 40

static Fault fault;
static guint n_calls;
static GRand *noise;

/* x_0' = cos 20 t, x_1' = 1, x(0) = (0, 1), but for the fault. */
static WeirStatus
faulty_xcdot (const WeirCalc *c, double *xdot)
{
  guint call = n_calls++;

  xdot[0] = cos (20 * weir_calc_time (c));
  xdot[1] = 1;
  switch (fault)
    {
    case FAULT_ALWAYS:
      return weir_calc_fail (c, "the sensor is dead");
    case FAULT_FROM:
      return call >= FROM ? weir_calc_fail (c, "the sensor died") : WEIR_OK;
    case FAULT_NAN:
      xdot[1] = call >= FROM ? NAN : 1;
      return WEIR_OK;
    case FAULT_FLAKY:
      return call % 3 == 2 ? weir_calc_fail (c, "the sensor blinks") : WEIR_OK;
    case FAULT_NOISE:
      xdot[1] = call < FROM ? 1 : g_rand_double_range (noise, -1e6, 1e6);
      return WEIR_OK;
    case FAULT_LOUD:
      xdot[1] = call < FROM ? 1 : g_rand_double_range (noise, -1e200, 1e200);
      return WEIR_OK;
    case FAULT_ALTERNATING:
      xdot[1] = call % 2 == 0 ? 1e3 : -1e3;
      return WEIR_OK;
    case FAULT_CLIFF:
      xdot[1] = weir_calc_z (c)[1] > 1.5 ? -1e30 : 1;
      return WEIR_OK;
    case FAULT_NONE:
    case N_FAULTS:
    default:
      return WEIR_OK;
    }
}

static WeirSystem *
faulty_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Sensor");
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_set_continuous_state (b, 0, 0, 2, (double[]) { 0, 1 });
  weir_leaf_set_derivatives (b, faulty_xcdot, WEIR_DEPENDS (WEIR_TIME, WEIR_Z));
  leaf = weir_leaf_builder_build (b);
  return wrap_new ("sensor", leaf);
}

/* The sentence with which a run ends, or NULL where it gets through. (transfer full) */
static char *
run (const char *solver, Fault with)
{
  g_autoptr (WeirSystem) system = faulty_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 0.01;
  options.max_steps = GUARD;
  options.max_stalled_steps = 100;
  fault = with;
  n_calls = 0;
  noise = g_rand_new_with_seed (get_test_seed (1));
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  weir_simulator_advance_to (simulator, 2, &error);
  g_test_message ("%s, fault %d: %s", solver, with, error != NULL ? error->message : "through");
  g_rand_free (noise);
  g_assert_cmpfloat (weir_context_get_time (context), <=, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_true (isfinite (weir_context_get_state (context)[i]));
  if (error == NULL)
    return NULL;
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, " at t = "));
  return g_strdup (error->message);
}

static void
test_faults (gconstpointer data)
{
  const WeirSolverInfo *solver = data;
  const struct {
    Fault fault;
    const char *reason; /* the model's own */
  } cases[] = { { FAULT_ALWAYS, "the sensor is dead" },
                { FAULT_FROM, "the sensor died" },
                { FAULT_NAN, "the derivative of sensor.z[1] became not a number" } };
  g_autofree char *sound = run (solver->name, FAULT_NONE);

  g_assert_null (sound);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = run (solver->name, cases[i].fault);

      g_assert_nonnull (text);
      if (strstr (text, cases[i].reason) == NULL)
        g_error ("\"%s\" does not contain \"%s\"", text, cases[i].reason);
    }
  for (Fault k = FAULT_FLAKY; k < N_FAULTS; k++)
    g_free (run (solver->name, k));
}

/* Return codes of SUNDIALS by the fault that provokes them. */
static const struct {
  const char *solver;
  Fault fault;
  const char *sentence;
} provoked[] = {
  { "cvode-adams", FAULT_ALWAYS,
    "the derivatives could not be computed at the start of the integration" },
  { "cvode-adams", FAULT_FROM,
    "the corrector iteration does not converge even with the smallest step" },
  { "cvode-bdf", FAULT_FROM, "the derivatives could not be computed however small the step" },
  { "cvode-bdf", FAULT_FLAKY,
    "the corrector iteration does not converge even with the smallest step" },
  { "ida", FAULT_ALWAYS, "the derivatives could not be computed at the start of the integration" },
  { "ida", FAULT_FROM, "the derivatives could not be computed however small the step" },
  { "ida", FAULT_FLAKY, "Newton's iteration does not converge even with the smallest step" },
  { "arkode-dirk", FAULT_ALWAYS, "the derivatives could not be computed" },
  { "arkode-dirk", FAULT_FROM, "the derivatives could not be computed however small the step" },
  { "arkode-dirk", FAULT_LOUD, "Newton's iteration does not converge even with the smallest step" },
};

static void
test_provoked (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (provoked); i++)
    {
      g_autofree char *text = run (provoked[i].solver, provoked[i].fault);

      g_assert_nonnull (text);
      if (!g_str_has_prefix (text, provoked[i].sentence))
        g_error ("%s: \"%s\" does not begin with \"%s\"", provoked[i].solver, text,
                 provoked[i].sentence);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      g_autofree char *path = g_strconcat ("/sim/faults/", weir_solver_get (i)->name, NULL);

      g_test_add_data_func (path, weir_solver_get (i), test_faults);
    }
  g_test_add_func ("/sim/faults/provoked", test_provoked);
  return g_test_run ();
}
