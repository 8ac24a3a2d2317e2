/* The solvers against closed forms and published numbers, and what they say when they fail. */
#include "models.h"
#include "sim/solver-private.h"
#include "sim/step-control.h"

/* --- Step control ---------------------------------------------------------------------------- */

/* 1e-8 is what power.h promises: the first terms that its series leave out are 2.1e-9 (2 / ln
 * 2 s^11 / 11 at s = (root of 2 - 1) / (root of 2 + 1)) and 5.2e-9 ((ln 2 / 2)^8 / 8!). */
static void
test_powers (void)
{
  for (int k = -1000; k <= 1000; k++)
    for (guint i = 0; i < 64; i++)
      {
        double x = ldexp (1 + i / 64.0, k), y = k + i / 64.0 - 1;

        g_assert_cmpfloat_with_epsilon (weir_log2 (x), log2 (x), 1e-8);
        if (fabs (y) <= 1000)
          g_assert_cmpfloat_with_epsilon (weir_exp2 (y) / exp2 (y), 1, 1e-8);
      }
  g_assert_cmpfloat (weir_log2 (1), ==, 0);
  g_assert_cmpfloat (weir_exp2 (0), ==, 1);
}

/* Hairer, Norsett & Wanner II.4, (4.13), by the mathematics library's powers. */
static void
test_step_control (void)
{
  static const double norms[] = { 0, 1e-12, 1e-5, 1e-3, 0.1, 0.5, 1 };
  const WeirButcherTable *table = weir_butcher_find ("dormand-prince");
  const double exponent = 0.2 - 0.75 * WEIR_BETA;
  WeirStepLength trial = { .h = 0.125 };
  WeirStepControl control;
  double before = 1e-4;

  weir_step_control_init (&control, table);
  for (guint i = 0; i < G_N_ELEMENTS (norms); i++)
    {
      double factor = WEIR_SAFETY * pow (before, WEIR_BETA) / pow (MAX (norms[i], 1e-10), exponent);

      weir_step_control_accept (&control, &trial, norms[i], FALSE);
      g_assert_cmpfloat_with_epsilon (control.h / trial.h,
                                      CLAMP (factor, WEIR_MIN_FACTOR, WEIR_MAX_FACTOR), 1e-7);
      before = MAX (norms[i], 1e-4);
    }
  weir_step_control_reject (&control, &trial, 7);
  g_assert_cmpfloat_with_epsilon (control.h / trial.h, WEIR_SAFETY / pow (7, exponent), 1e-8);
  weir_step_control_reject (&control, &trial, G_MAXDOUBLE);
  g_assert_cmpfloat (control.h / trial.h, ==, WEIR_MIN_FACTOR);
  weir_step_control_reject (&control, &trial, NAN);
  g_assert_cmpfloat (control.h / trial.h, ==, WEIR_MIN_FACTOR);
}

/* --- Pendulum -------------------------------------------------------------------------------- */

static void
test_pendulum (gconstpointer data)
{
  const char *name = data;
  gboolean is_explicit = g_str_equal (name, "dormand-prince") || g_str_equal (name, "auto");
  /* 1e-6 relative at rtol 1e-9 through CVODE, 1e-7 with Dormand-Prince at 1e-10. */
  double tighter = is_explicit ? 0.1 : 1, tolerance = is_explicit ? 1e-10 : 1e-9;
  g_autoptr (WeirSystem) system = pendulum_new (G_PI_2);
  WeirSimulatorOptions options = options_for (name, tolerance);
  double x[2], period = 2.36784194757624, zeros[2];

  integrate (system, &options, 1, x, NULL);
  assert_reference (x[0], "pendulum.theta(1)", tighter);
  assert_reference (x[1], "pendulum.omega(1)", tighter);
  integrate (system, &options, 10, x, NULL);
  assert_reference (x[0], "pendulum.theta(10)", tighter);
  assert_reference (x[1], "pendulum.omega(10)", tighter);

  /* theta crosses zero a quarter period after the release: one Newton step from near there. */
  for (guint i = 0; i < 2; i++)
    {
      double near = (i == 0 ? 0.25 : 1.25) * period + 1e-5;

      integrate (system, &options, near, x, NULL);
      zeros[i] = near - x[0] / x[1];
    }
  assert_reference (zeros[1] - zeros[0], "pendulum.period(90deg)", tighter);
}

/* --- Stiff ----------------------------------------------------------------------------------- */

static void
test_robertson (gconstpointer data)
{
  g_autoptr (WeirSystem) system = robertson_new ();
  WeirSimulatorOptions options = options_for (data, 1e-8);
  WeirSimulatorStatistics statistics;
  double y[3];

  options.absolute_tolerance = 1e-14;
  integrate (system, &options, 40, y, &statistics);
  assert_reference (y[0], "robertson.y1(40)", 1);
  assert_reference (y[1], "robertson.y2(40)", 1);
  assert_reference (y[2], "robertson.y3(40)", 1);
  g_assert_cmpfloat_with_epsilon (y[0] + y[1] + y[2], 1, 1e-12);
  g_assert_cmpuint (statistics.jacobians, >, 0);
  /* An explicit method needs some 10^5 steps; a stiff problem lowers the order of DIRK. */
  g_assert_cmpuint (statistics.steps, <, g_str_equal (data, "arkode-dirk") ? 20000 : 5000);
}

/* q' = v, v' = -w^2 q, w = 2, from q = 1 at rest. */
static WeirStatus
spring_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_v (c)[0];
  xdot[1] = -4 * weir_calc_q (c)[0];
  return WEIR_OK;
}

static WeirSystem *
spring_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Spring");

  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 1, 0 });
  weir_leaf_set_derivatives (b, spring_xcdot, WEIR_DEPENDS (WEIR_Q, WEIR_V));
  return weir_leaf_builder_build (b);
}

/* v^2 + w^2 q^2 - h w^2 q v stays what it is for ever. */
static void
test_semi_implicit_invariant (void)
{
  g_autoptr (WeirSystem) system = spring_new ();
  WeirSimulatorOptions options = options_for ("semi-implicit-euler", 1e-6);
  WeirSimulatorStatistics statistics;
  double x[2];

  options.step = 0.01;
  for (double until = 1; until < 2000; until *= 3)
    {
      integrate (system, &options, until, x, &statistics);
      g_assert_cmpfloat_with_epsilon (
          x[1] * x[1] + 4 * x[0] * x[0] - options.step * 4 * x[0] * x[1], 4, 1e-10);
      /* Two a step; none beyond. */
      g_assert_cmpuint (statistics.rhs_calls, ==, 2 * statistics.steps);
    }
}

static void
test_semi_implicit_order (void)
{
  g_autoptr (WeirSystem) system = spring_new ();
  double errors[2];

  for (guint i = 0; i < 2; i++)
    {
      WeirSimulatorOptions options = options_for ("semi-implicit-euler", 1e-6);
      double x[2];

      options.step = 0.001 / (1 << i);
      integrate (system, &options, 1, x, NULL);
      errors[i] = hypot (x[0] - cos (2), x[1] + 2 * sin (2));
    }
  g_test_message ("errors %.3g and %.3g", errors[0], errors[1]);
  g_assert_cmpfloat (errors[0] / errors[1], >, 1.9);
  g_assert_cmpfloat (errors[0] / errors[1], <, 2.1);
}

static void
test_auto_stays_explicit (void)
{
  g_autoptr (WeirSystem) system = pendulum_new (3);
  double x[2];

  for (double tolerance = 1e-2; tolerance > 1e-11; tolerance /= 10)
    {
      WeirSimulatorOptions options = options_for ("auto", tolerance);
      WeirSimulatorStatistics statistics;

      integrate (system, &options, 100, x, &statistics);
      g_assert_cmpuint (statistics.jacobians, ==, 0);
      g_assert_cmpuint (statistics.reinitialisations, ==, 0);
    }
}

/* --- Failures -------------------------------------------------------------------------------- */

static void
test_failure_names_block (gconstpointer data)
{
  g_autoptr (WeirSystem) ending = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", ending);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorOptions options = options_for (data, 1e-6);
  g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_false (weir_simulator_advance_to (simulator, 2, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, WEIR_ERROR, WEIR_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "tank"));
  g_assert_nonnull (strstr (error->message, "the root of"));
  g_assert_nonnull (strstr (error->message, "t = "));
  /* The accepted state stands, close to the wall; Euler looks only at the beginning of a step. */
  g_assert_cmpfloat (weir_context_get_time (context), <=, 1.01);
  g_assert_cmpfloat (weir_context_get_time (context), >, 0.9);
}

/* Blows up at t = 1: the step shrinks without end, and the sentence names the state. */
static WeirStatus
explosion_xcdot (const WeirCalc *c, double *xdot)
{
  double x = weir_calc_v (c)[0];

  xdot[0] = 0;
  xdot[1] = x * x;
  return WEIR_OK;
}

static void
test_failure_names_state (gconstpointer data)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Explosion");
  g_autoptr (WeirSystem) leaf = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirSimulator) simulator = NULL;
  WeirSimulatorOptions options = options_for (data, 1e-6);
  g_autoptr (GError) error = NULL;

  weir_leaf_set_continuous_state (b, 1, 1, 0, (double[]) { 1, 1 });
  weir_leaf_set_derivatives (b, explosion_xcdot, WEIR_DEPENDS (WEIR_V));
  leaf = weir_leaf_builder_build (b);
  system = wrap_new ("star", leaf);
  context = weir_system_create_context (system);
  simulator = weir_simulator_new (system, context, &options, NULL);
  g_assert_false (weir_simulator_advance_to (simulator, 2, &error));
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "star.v[0]"));
  g_assert_nonnull (strstr (error->message, "t = "));
  g_assert_cmpfloat_with_epsilon (weir_context_get_time (context), 1, 1e-3);
}

/* The limiting state by its path: the second of the leaf, its v. An only one is called as its leaf
 * is. */
static void
test_state_names (void)
{
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  g_autoptr (WeirSystem) growth = growth_new ();
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) system = NULL;
  WeirProblem problem = { 0 };
  static const char *const expected[] = { "first.q[0]", "first.v[0]", "second", "third.q[0]",
                                          "third.v[0]" };
  static const double errors[] = { 0, 1, -3, NAN, 5 }, weights[] = { 1, 5, 1, 1, 1 };

  weir_diagram_builder_add (b, "first", swing);
  weir_diagram_builder_add (b, "second", growth);
  weir_diagram_builder_add (b, "third", swing);
  system = weir_diagram_builder_build (b, NULL);
  problem.layout = weir_system_get_layout (system);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *name = weir_layout_dup_state_name (problem.layout, i);

      g_assert_cmpstr (name, ==, expected[i]);
    }
  problem.n = 3;
  g_assert_cmpuint (weir_problem_find_limiting_state (&problem, errors, weights), ==, 1);
  problem.n = 5;
  g_assert_cmpuint (weir_problem_find_limiting_state (&problem, errors, weights), ==, 3);
}

static WeirStatus
loop_calc (const WeirCalc *c, double *y)
{
  double x = weir_calc_input (c, (WeirInput) { 0 })[0],
         w = weir_calc_input (c, (WeirInput) { 1 })[0];

  y[0] = x - 0.5 * w;
  return WEIR_OK;
}

static WeirStatus
decay_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = -weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* w = x - w / 2 is w = 2 x / 3, so x' = -w gives x = exp (-2 t / 3). */
static WeirSystem *
looped_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  WeirLeafBuilder *f = weir_leaf_builder_new ("Loop"), *d = weir_leaf_builder_new ("Decay");
  WeirInput x = weir_leaf_add_input (f, "x", 1), w = weir_leaf_add_input (f, "w", 1);
  WeirInput u = weir_leaf_add_input (d, "u", 1);
  g_autoptr (WeirSystem) loop = NULL;
  g_autoptr (WeirSystem) decay = NULL;
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_leaf_add_output (f, "w", 1, loop_calc,
                        WEIR_DEPENDS (weir_input_ticket (f, x), weir_input_ticket (f, w)));
  weir_leaf_set_continuous_state (d, 0, 0, 1, (double[]) { 1 });
  weir_leaf_set_derivatives (d, decay_xcdot, WEIR_DEPENDS (weir_input_ticket (d, u)));
  weir_leaf_add_output_window (d, "x", WEIR_Z);
  loop = weir_leaf_builder_build (f);
  decay = weir_leaf_builder_build (d);
  weir_diagram_builder_set_solves_loops (b, TRUE);
  weir_diagram_builder_add (b, "loop", loop);
  weir_diagram_builder_add (b, "decay", decay);
  weir_diagram_builder_connect_by_name (b, "decay", "x", "loop", "x");
  weir_diagram_builder_connect_by_name (b, "loop", "w", "loop", "w");
  weir_diagram_builder_connect_by_name (b, "loop", "w", "decay", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* Every solver runs a model with an algebraic loop; IDA integrates its signal. */
static void
test_loop (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = looped_new ();
  WeirSimulatorOptions options = options_for (info->name, 1e-8);
  double x, h = options.step = 1e-3;

  integrate (system, &options, 3, &x, NULL);
  /* A method of order p with step h, on a decay of rate 2/3: error below (h 2/3)^p. */
  g_assert_cmpfloat_with_epsilon (x, exp (-2),
                                  info->is_adaptive ? 1e-6 : pow (h, info->order) + 1e-13);
}

/* Every return code has its own sentence. */
static void
test_ida_sentences (void)
{
  static const int codes[] = { -1,  -2,  -3,  -4,  -5,  -6,  -7,  -8,  -9,  -10, -11, -12, -13,
                               -14, -15, -16, -20, -21, -22, -23, -24, -25, -26, -27, -28, -29 };
  const char *unknown = weir_ida_explain (-99);
  guint n_unknown = 0;

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    {
      g_test_message ("%d: %s", codes[i], weir_ida_explain (codes[i]));
      n_unknown += g_str_equal (weir_ida_explain (codes[i]), unknown);
    }
  g_assert_cmpuint (n_unknown, ==, 0);
}

/* Every return code has its own sentence. */
static void
test_arkode_sentences (void)
{
  static const int codes[] = {
    -1,  -2,  -3,  -4,  -5,  -6,  -7,  -8,  -9,  -10, -11, -12, -19, -20,
    -21, -22, -23, -24, -25, -26, -27, -28, -29, -30, -31, -32, -40, -42
  };
  const char *unknown = weir_arkode_explain (-99);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    g_assert_cmpstr (weir_arkode_explain (codes[i]), !=, unknown);
}

static void
test_cvode_sentences (void)
{
  static const int codes[] = { -1,  -2,  -3,  -4,  -5,  -6,  -7,  -8,  -9,  -10,
                               -11, -12, -13, -14, -15, -16, -20, -21, -22, -23,
                               -24, -25, -26, -27, -28, -29, -30, -31, -32 };
  const char *unknown = weir_cvode_explain (-99);

  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    g_assert_cmpstr (weir_cvode_explain (codes[i]), !=, unknown);
}

static void
test_bad_options (void)
{
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const struct {
    const char *solver;
    double relative, absolute, step, max_step;
    const char *expected;
  } bad[] = {
    { "ode45", 1e-6, 1e-9, 0, 0, "no solver called \"ode45\"; there are auto, dormand-prince" },
    { NULL, 0, 1e-9, 0, 0, "the relative tolerance is 0, but must be positive" },
    { NULL, 2, 1e-9, 0, 0, "the relative tolerance is 2, but must be below 1" },
    { NULL, 1e-6, -1, 0, 0, "the absolute tolerance is -1, but must be positive" },
    { NULL, 1e-6, 1e-9, NAN, 0, "the step is nan" },
    { NULL, 1e-6, 1e-9, 0, -1, "the longest step is -1, but must be 0 or positive" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      WeirSimulatorOptions options;
      g_autoptr (GError) error = NULL;

      weir_simulator_options_init (&options);
      options.solver = bad[i].solver;
      options.relative_tolerance = bad[i].relative;
      options.absolute_tolerance = bad[i].absolute;
      options.step = bad[i].step;
      options.max_step = bad[i].max_step;
      g_assert_null (weir_simulator_new (system, context, &options, &error));
      g_assert_nonnull (strstr (error->message, bad[i].expected));
    }
}

int
main (int argc, char **argv)
{
  static const char *const pendulum_solvers[] = { "dormand-prince", "auto", "cvode-adams",
                                                  "cvode-bdf" };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *block = g_strdup_printf ("/sim/solvers/failure/names-block/%s", info->name);
      g_autofree char *state = g_strdup_printf ("/sim/solvers/failure/names-state/%s", info->name);
      g_autofree char *loop = g_strdup_printf ("/sim/solvers/loop/%s", info->name);

      g_test_add_data_func (loop, info, test_loop);
      g_test_add_data_func (block, info->name, test_failure_names_block);
      if (info->is_adaptive)
        g_test_add_data_func (state, info->name, test_failure_names_state);
    }
  for (guint i = 0; i < G_N_ELEMENTS (pendulum_solvers); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sim/solvers/pendulum/%s", pendulum_solvers[i]);

      g_test_add_data_func (path, pendulum_solvers[i], test_pendulum);
    }
  g_test_add_data_func ("/sim/solvers/robertson/bdf", "cvode-bdf", test_robertson);
  g_test_add_data_func ("/sim/solvers/robertson/ida", "ida", test_robertson);
  g_test_add_func ("/sim/solvers/step-control/powers", test_powers);
  g_test_add_func ("/sim/solvers/step-control/lengths", test_step_control);
  g_test_add_func ("/sim/solvers/ida/sentences", test_ida_sentences);
  g_test_add_data_func ("/sim/solvers/robertson/dirk", "arkode-dirk", test_robertson);
  g_test_add_func ("/sim/solvers/semi-implicit/invariant", test_semi_implicit_invariant);
  g_test_add_func ("/sim/solvers/order-of-oscillation/semi-implicit-euler",
                   test_semi_implicit_order);
  g_test_add_func ("/sim/solvers/arkode/sentences", test_arkode_sentences);
  g_test_add_data_func ("/sim/solvers/robertson/auto-switches", "auto", test_robertson);
  g_test_add_func ("/sim/solvers/auto/stays-explicit", test_auto_stays_explicit);
  g_test_add_func ("/sim/solvers/failure/state-names", test_state_names);
  g_test_add_func ("/sim/solvers/failure/cvode-sentences", test_cvode_sentences);
  g_test_add_func ("/sim/solvers/bad-options", test_bad_options);
  return g_test_run ();
}
