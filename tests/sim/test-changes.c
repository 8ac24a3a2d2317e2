/* What is set in the context between two calls takes effect from there on, whole, with every
 * solver: the change events tell the run of it. */
#include "models.h"

static const WeirInput U = { 0 };
static const WeirParameter K = { 0 }, PAIR = { 1 };
static const WeirGroup D = { 0 };

/* x' = k (1 + pair[1]) + u + d, so that between changes x grows evenly, and each method gives the
 * exact x. v' = x and q' = v as well, for the parts of the state. */
static WeirStatus
even_xcdot (const WeirCalc *c, double *xdot)
{
  double rate = weir_calc_parameter (c, K)[0] * (1 + weir_calc_parameter (c, PAIR)[1])
                + weir_calc_input (c, U)[0] + weir_calc_discrete (c, D)[0];

  xdot[0] = rate;
  xdot[1] = rate;
  xdot[2] = rate;
  return WEIR_OK;
}

static WeirSystem *
even_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Even");
  WeirTicket k, pair, u, d;

  u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));
  weir_leaf_set_input_default (b, U, (double[]) { 0 });
  k = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "k", (double[]) { 1 }, 1));
  pair = weir_parameter_ticket (b, weir_leaf_add_parameter (b, "pair", (double[]) { 0, 0 }, 2));
  d = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "d", (double[]) { 0 }, 1));
  weir_leaf_set_continuous_state (b, 1, 1, 1, (double[]) { 0, 0, 0 });
  weir_leaf_set_derivatives (b, even_xcdot, WEIR_DEPENDS (k, pair, u, d));
  return weir_leaf_builder_build (b);
}

/* --- What is set ----------------------------------------------------------------------------- */

static void
set_nothing (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_caching (context, FALSE);
}

static void
set_parameter (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_parameter (context, WEIR_ROOT, K, (double[]) { 2 });
}

static void
change_pair (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_change_parameter (context, WEIR_ROOT, PAIR)[1] = 1;
}

static void
fix_input (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_fix_input (context, WEIR_ROOT, U, (double[]) { 1 });
}

static void
set_group (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_discrete (context, WEIR_ROOT, D, (double[]) { 1 });
}

static void
set_state (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_state (context, (double[]) { 11, 11, 11 });
}

static void
change_state (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_change_state (context, WEIR_ROOT)[0] = 11;
}

static void
set_q (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_part (context, WEIR_ROOT, WEIR_STATE_Q, (double[]) { 11 });
}

static void
set_v_and_z (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_set_v_and_z (context, WEIR_ROOT, (double[]) { 11 }, (double[]) { 11 });
}

static void
set_jointly (WeirContext *context, G_GNUC_UNUSED WeirSystem *system)
{
  weir_context_begin_change (context);
  weir_context_set_parameter (context, WEIR_ROOT, K, (double[]) { 2 });
  weir_context_set_state (context, (double[]) { 11, 11, 11 });
  weir_context_end_change (context);
}

/* Somebody looks at derivatives elsewhere, which leaves things as they are. */
static void
try_out (WeirContext *context, WeirSystem *system)
{
  double xdot[3];

  g_assert_cmpint (weir_eval_rhs (system, context, 7, (double[]) { 5, 6, 7 }, xdot), ==, WEIR_OK);
}

static const struct {
  const char *name;
  void (*set) (WeirContext *context, WeirSystem *system);
  double q, v; /* at t = 2; the rate is 1 until t = 1 */
  gboolean is_neutral;
} changes[] = {
  { "nothing", set_nothing, 2, 2, TRUE },
  { "trial", try_out, 2, 2, TRUE },
  { "parameter", set_parameter, 3, 3, FALSE },
  { "element of a parameter", change_pair, 3, 3, FALSE },
  { "input", fix_input, 3, 3, FALSE },
  { "discrete group", set_group, 3, 3, FALSE },
  { "state", set_state, 12, 12, FALSE },
  { "element of the state", change_state, 12, 2, FALSE },
  { "q", set_q, 12, 2, FALSE },
  { "v and z", set_v_and_z, 2, 12, FALSE },
  { "parameter and state", set_jointly, 13, 13, FALSE },
};

static void
test_changes (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = even_new ();

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for (info->name, 1e-8);
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      const double *x = weir_context_get_state (context);
      guint64 restarts;

      options.step = 0.1;
      simulator = weir_simulator_new (system, context, &options, &error);
      g_assert_no_error (error);
      weir_simulator_advance_to (simulator, 1, &error);
      g_assert_no_error (error);
      restarts = weir_simulator_get_statistics (simulator)->reinitialisations;
      changes[i].set (context, system);
      weir_simulator_advance_to (simulator, 2, &error);
      g_assert_no_error (error);
      g_test_message ("%s, %s: q = %.12g, v = %.12g", info->name, changes[i].name, x[0], x[1]);
      g_assert_cmpfloat_with_epsilon (x[0], changes[i].q, 1e-9);
      g_assert_cmpfloat_with_epsilon (x[1], changes[i].v, 1e-9);
      if (changes[i].is_neutral)
        g_assert_cmpuint (weir_simulator_get_statistics (simulator)->reinitialisations, ==,
                          restarts);
    }
}

/* An input that is no longer fixed has its default again. */
static void
test_unfixed (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = even_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 0.1;
  weir_context_fix_input (context, WEIR_ROOT, U, (double[]) { 4 });
  simulator = weir_simulator_new (system, context, &options, &error);
  weir_simulator_advance_to (simulator, 1, &error);
  weir_context_unfix_input (context, WEIR_ROOT, U);
  weir_simulator_advance_to (simulator, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (weir_context_get_state (context)[0], 6, 1e-9);
}

/* Events are elsewhere then: the run is told to begin anew. */
static void
test_time (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = even_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (weir_simulator_advance_to (simulator, 1, NULL));
  weir_context_set_time (context, 0.5);
  g_assert_false (weir_simulator_advance_to (simulator, 2, &error));
  g_assert_cmpstr (error->message, ==,
                   "the time was changed from 1 s to 0.5 s during the run; initialise again");
  g_assert_true (weir_simulator_initialize (simulator, NULL));
  g_assert_true (weir_simulator_advance_to (simulator, 2, NULL));
  g_assert_cmpfloat_with_epsilon (weir_context_get_state (context)[0], 2.5, 1e-9);
}

/* What is changed is saved as such. */
static void
test_saved (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = even_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GBytes) saved = NULL;

  options.step = 0.1;
  simulator = weir_simulator_new (system, context, &options, NULL);
  g_assert_true (weir_simulator_advance_to (simulator, 1, NULL));
  set_parameter (context, system);
  saved = weir_simulator_save (simulator, NULL);
  g_assert_nonnull (saved);
  g_assert_true (weir_simulator_advance_to (simulator, 1.5, NULL));
  g_assert_true (weir_simulator_load (simulator, saved, NULL));
  g_assert_true (weir_simulator_advance_to (simulator, 2, NULL));
  g_assert_cmpfloat_with_epsilon (weir_context_get_state (context)[0], 3, 1e-9);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    GTestDataFunc test;
  } tests[] = { { "set", test_changes },
                { "unfixed", test_unfixed },
                { "time", test_time },
                { "saved", test_saved } };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    for (guint k = 0; k < weir_solver_get_n (); k++)
      {
        g_autofree char *path = g_strdup_printf ("/sim/changes/%s/%s", tests[i].name,
                                                 weir_solver_get (k)->name);

        g_test_add_data_func (path, weir_solver_get (k), tests[i].test);
      }
  return g_test_run ();
}
