/* The solvers against closed forms and published numbers. */
#include "models.h"
#include "sim/butcher.h"
#include "sim/nvector.h"
#include "sim/solver-private.h"
#include "sim/vector.h"

/* Runs @system to @until and returns its state (copied) and statistics. */
static void
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

/* --- Tables ---------------------------------------------------------------------------------- */

/* Sums of weights that must equal theta^order / density for every rooted tree up to order 5
 * (Hairer, Norsett & Wanner I, II.2). */
static double
tree_sum (const WeirButcherTable *t, const double *b, guint tree)
{
  double sum = 0;

  for (guint i = 0; i < t->n_stages; i++)
    {
      double c = t->c[i], ac = 0, ac2 = 0, ac3 = 0, aac = 0, aac2 = 0, acac = 0, aaac = 0;

      for (guint j = 0; j < i; j++)
        {
          double d = t->c[j], inner = 0, inner2 = 0, inner3 = 0;

          for (guint k = 0; k < j; k++)
            {
              double innermost = 0;

              for (guint l = 0; l < k; l++)
                innermost += t->a[k][l] * t->c[l];
              inner += t->a[j][k] * t->c[k];
              inner2 += t->a[j][k] * t->c[k] * t->c[k];
              inner3 += t->a[j][k] * innermost;
            }
          ac += t->a[i][j] * d;
          ac2 += t->a[i][j] * d * d;
          ac3 += t->a[i][j] * d * d * d;
          aac += t->a[i][j] * inner;
          aac2 += t->a[i][j] * inner2;
          acac += t->a[i][j] * d * inner;
          aaac += t->a[i][j] * inner3;
        }

      const double terms[] = { 1,   c,       c * c,         ac,         c * c * c, c * ac,
                               ac2, aac,     c * c * c * c, c * c * ac, ac * ac,   c * ac2,
                               ac3, c * aac, acac,          aac2,       aaac };

      sum += b[i] * terms[tree];
    }
  return sum;
}

static const struct {
  guint order;
  double density;
} trees[] = {
  { 1, 1 },  { 2, 2 },  { 3, 3 },  { 3, 6 },  { 4, 4 },  { 4, 8 },  { 4, 12 }, { 4, 24 },  { 5, 5 },
  { 5, 10 }, { 5, 20 }, { 5, 15 }, { 5, 20 }, { 5, 30 }, { 5, 40 }, { 5, 60 }, { 5, 120 },
};

static void
test_order_conditions (void)
{
  for (guint i = 0; i < weir_butcher_get_n (); i++)
    {
      const WeirButcherTable *t = weir_butcher_get (i);
      double embedded[WEIR_BUTCHER_MAX_STAGES];

      for (guint s = 0; s < t->n_stages; s++)
        {
          double row = 0;

          for (guint j = 0; j < s; j++)
            row += t->a[s][j];
          g_assert_cmpfloat_with_epsilon (row, t->c[s], 1e-14);
          embedded[s] = t->b[s] - t->e[s];
          if (t->first_same_as_last)
            g_assert_cmpfloat (t->b[s], ==, t->a[t->n_stages - 1][s]);
        }
      for (guint k = 0; k < G_N_ELEMENTS (trees); k++)
        {
          if (trees[k].order <= t->order)
            g_assert_cmpfloat_with_epsilon (tree_sum (t, t->b, k), 1 / trees[k].density, 1e-14);
          if (trees[k].order <= t->error_order)
            g_assert_cmpfloat_with_epsilon (tree_sum (t, embedded, k), 1 / trees[k].density, 1e-14);
          /* The continuous extension has order 4 at every point of the step. */
          for (double theta = 0.1; t->n_dense > 0 && theta <= 1 && trees[k].order <= 4;
               theta += 0.1)
            {
              double weights[WEIR_BUTCHER_MAX_STAGES];

              for (guint s = 0; s < t->n_stages; s++)
                {
                  weights[s] = 0;
                  for (guint j = 0; j < t->n_dense; j++)
                    weights[s] += t->dense[s][j] * pow (theta, j + 1);
                }
              g_assert_cmpfloat_with_epsilon (
                  tree_sum (t, weights, k), pow (theta, trees[k].order) / trees[k].density, 1e-12);
            }
        }
    }
}

/* --- Row 115: halving the step divides the error by 2^order ---------------------------------- */

static void
test_order (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = growth_new ();
  WeirSimulatorOptions options = options_for (info->name, 1e-6);
  double errors[2];

  for (guint i = 0; i < 2; i++)
    {
      double x;

      options.step = 0.025 / (1 << i);
      integrate (system, &options, 2, &x, NULL);
      errors[i] = fabs (x - exp (sin (2)));
    }
  g_test_message ("errors %.3g and %.3g, ratio %.3g", errors[0], errors[1], errors[0] / errors[1]);
  /* The next term of the error is a step smaller: some 15 % at these steps. */
  g_assert_cmpfloat (errors[0] / errors[1], >, 0.85 * (1 << info->order));
  g_assert_cmpfloat (errors[0] / errors[1], <, 1.15 * (1 << info->order));
}

static WeirStatus
measure_growth (WeirSimulator *simulator, G_GNUC_UNUSED WeirPhase phase, gpointer data)
{
  const WeirContext *context = weir_simulator_get_context (simulator);
  double error = weir_context_get_state (context)[0] - exp (sin (weir_context_get_time (context)));

  *(double *) data = MAX (*(double *) data, fabs (error));
  return WEIR_OK;
}

/* Error-controlled: work and the worst error over two tolerances give the order as a slope. */
/* A method with error control, held to the same steps by the longest one: every error passes. */
static void
test_order_by_longest_step (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = growth_new ();
  double errors[2], expected = 1 << info->order;

  for (guint i = 0; i < 2; i++)
    {
      WeirSimulatorOptions options = options_for (info->name, 1e-2);
      WeirSimulatorStatistics statistics;
      double x;

      options.absolute_tolerance = 1e6;
      options.max_step = (info->order > 4 ? 0.1 : 0.025) / (1 << i);
      integrate (system, &options, 2, &x, &statistics);
      errors[i] = fabs (x - exp (sin (2)));
      /* The first ones may be shorter. */
      g_assert_cmpuint (statistics.steps, <=, (guint64) (2 / options.max_step + 3));
    }
  g_test_message ("errors %.3g and %.3g, ratio %.3g", errors[0], errors[1], errors[0] / errors[1]);
  g_assert_cmpfloat (errors[0] / errors[1], >, 0.75 * expected);
  g_assert_cmpfloat (errors[0] / errors[1], <, 1.35 * expected);
}

/* Methods of variable order: the error of a whole run follows the tolerance, decade by decade, and
 * stays within a factor of it that the growth of exp (sin t) and some hundred steps explain. */
static void
test_tolerance (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = growth_new ();
  double before = INFINITY;

  for (double tolerance = 1e-4; tolerance > 5e-11; tolerance /= 100)
    {
      WeirSimulatorOptions options = options_for (info->name, tolerance);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      g_autoptr (WeirSimulator) simulator = NULL;
      double error = 0;

      simulator = weir_simulator_new (system, context, &options, NULL);
      weir_simulator_set_monitor (simulator, measure_growth, &error);
      g_assert_true (weir_simulator_advance_to (simulator, 20, NULL));
      g_test_message ("tolerance %g: error %.3g, %u steps", tolerance, error,
                      (guint) weir_simulator_get_statistics (simulator)->steps);
      g_assert_cmpfloat (error, <, 200 * tolerance);
      g_assert_cmpfloat (error, <, before / 10);
      before = error;
    }
}

static void
test_work_precision (gconstpointer data)
{
  const WeirSolverInfo *info = data;
  g_autoptr (WeirSystem) system = growth_new ();
  double errors[2], steps[2], slope;

  for (guint i = 0; i < 2; i++)
    {
      WeirSimulatorOptions options = options_for (info->name, i == 0 ? 1e-6 : 1e-9);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);

      errors[i] = 0;
      weir_simulator_set_monitor (simulator, measure_growth, &errors[i]);
      g_assert_true (weir_simulator_advance_to (simulator, 20, NULL));
      steps[i] = (double) weir_simulator_get_statistics (simulator)->steps;
    }
  slope = log (errors[0] / errors[1]) / log (steps[1] / steps[0]);
  g_test_message ("errors %.3g, %.3g in %g, %g steps: slope %.2f", errors[0], errors[1], steps[0],
                  steps[1], slope);
  g_assert_cmpfloat (slope, >, info->order - 0.8);
  g_assert_cmpfloat (slope, <, info->order + 1.2);
}

/* --- Pendulum, research/editor.md 8.5 -------------------------------------------------------- */

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
  g_assert_cmpuint (statistics.steps, <, g_str_equal (data, "arkode-dirk") ? 10000 : 5000);
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

/* --- Dense output, row 116 ------------------------------------------------------------------- */

static void
test_dense_output (gconstpointer data)
{
  const char *name = data;
  g_autoptr (WeirSystem) system = growth_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  WeirSimulatorStatistics statistics = { 0 };
  WeirProblem problem = {
    .root = system,
    .context = context,
    .layout = weir_system_get_layout (system),
    .n = 1,
    .relative_tolerance = 1e-7,
    .absolute_tolerance = 1e-10,
    .step = 0.01,
    .max_step = INFINITY,
    .statistics = &statistics,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirSolver) solver = weir_solver_new (name, &problem, &error);
  double worst_end = 0, worst_inside = 0, x = 1;

  g_assert_no_error (error);
  g_assert_true (weir_solver_restart (solver, 0, &x, &error));
  while (solver->t < 6)
    {
      g_assert_true (weir_solver_step (solver, 6, &error));
      worst_end = MAX (worst_end, fabs (solver->x[0] - exp (sin (solver->t))));
      for (double theta = 0; theta <= 1; theta += 0.25)
        {
          double t = solver->t_previous + theta * (solver->t - solver->t_previous);

          g_assert_true (weir_solver_interpolate (solver, t, &x, &error));
          worst_inside = MAX (worst_inside, fabs (x - exp (sin (t))));
        }
      /* Both ends are met. */
      g_assert_true (weir_solver_interpolate (solver, solver->t, &x, &error));
      g_assert_cmpfloat (x, ==, solver->x[0]);
    }
  g_test_message ("%s: at ends %.3g, inside %.3g", name, worst_end, worst_inside);
  g_assert_cmpfloat (worst_end, >, 0);
  /* Of order p - 1 at least: at these steps never much worse than the tolerance or the ends. */
  g_assert_cmpfloat (worst_inside, <, MAX (1.5 * worst_end, 2e-5));
}

/* --- Row 119: the last stage is the next step's first ---------------------------------------- */

static void
test_first_same_as_last (gconstpointer data)
{
  const char *name = data;
  g_autoptr (WeirSystem) system = growth_new ();
  WeirSimulatorOptions options = options_for (name, 1e-6);
  WeirSimulatorStatistics statistics;
  guint n_stages = weir_butcher_find (name)->n_stages;
  double x;

  integrate (system, &options, 10, &x, &statistics);
  /* One evaluation at the start and one for the first step's size. */
  g_assert_cmpuint (statistics.rhs_calls, ==,
                    2 + (n_stages - 1) * (statistics.steps + statistics.rejected_steps));
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

/* The limiting state by its path: the second of the leaf, its v. */
static void
test_state_names (void)
{
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  g_autoptr (WeirSystem) growth = growth_new ();
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) system = NULL;
  WeirProblem problem = { 0 };
  static const char *const expected[] = { "first.q[0]", "first.v[0]", "second.z[0]", "third.q[0]",
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
      WeirSimulatorOptions options = { bad[i].solver, bad[i].relative, bad[i].absolute, bad[i].step,
                                       bad[i].max_step };
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_simulator_new (system, context, &options, &error));
      g_assert_nonnull (strstr (error->message, bad[i].expected));
    }
}

/* --- Vectors --------------------------------------------------------------------------------- */

static void
test_vectors (void)
{
  SUNContext sundials;
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  g_assert_cmpint (SUNContext_Create (NULL, &sundials), ==, 0);
  for (gsize n = 1; n < 600; n += 1 + n / 3)
    {
      g_autofree double *data = g_new (double, 3 * n);
      double square = 0, largest = 0, dot = 0;
      N_Vector x, y, z, packaged;

      for (gsize i = 0; i < 2 * n; i++)
        data[i] = g_rand_double_range (random, -2, 2);
      for (gsize i = 0; i < n; i++)
        {
          square += data[i] * data[n + i] * data[i] * data[n + i];
          dot += data[i] * data[n + i];
          largest = MAX (largest, fabs (data[i]));
        }
      x = weir_nvector_new (n, data, sundials);
      y = weir_nvector_new (n, data + n, sundials);
      z = weir_nvector_new (n, data + 2 * n, sundials);
      packaged = N_VNew_Serial ((sunindextype) n, sundials);
      /* Sums are ordered differently: equal up to rounding. */
      g_assert_cmpfloat_with_epsilon (N_VWrmsNorm (x, y), sqrt (square / (double) n), 1e-13);
      g_assert_cmpfloat_with_epsilon (N_VDotProd (x, y), dot, 1e-11);
      g_assert_cmpfloat (N_VMaxNorm (x), ==, largest);
      /* Element by element: the very bits of the packaged operations. */
      N_VLinearSum (1.25, x, -0.75, y, z);
      for (gsize i = 0; i < n; i++)
        g_assert_cmpfloat (data[2 * n + i], ==, 1.25 * data[i] + -0.75 * data[n + i]);
      {
        realtype factors[] = { 0.5, -2, 3 };
        N_Vector terms[] = { z, x, y };

        memcpy (N_VGetArrayPointer (packaged), data + 2 * n, n * sizeof (double));
        g_assert_cmpint (N_VLinearCombination (3, factors, terms, z), ==, 0);
        for (gsize i = 0; i < n; i++)
          g_assert_cmpfloat (data[2 * n + i], ==,
                             0.5 * N_VGetArrayPointer (packaged)[i] + -2 * data[i]
                                 + 3 * data[n + i]);
      }
      N_VDestroy (x);
      N_VDestroy (y);
      N_VDestroy (z);
      N_VDestroy (packaged);
    }
  SUNContext_Free (&sundials);
}

/* The norm is the same wherever the vector begins, and a clone keeps the operations. */
static void
test_vector_clone (void)
{
  SUNContext sundials;
  double data[] = { 3, 4 };
  N_Vector x, copy;

  g_assert_cmpint (SUNContext_Create (NULL, &sundials), ==, 0);
  x = weir_nvector_new (2, data, sundials);
  copy = N_VClone (x);
  g_assert_true (copy->ops->nvwrmsnorm == x->ops->nvwrmsnorm);
  g_assert_true (copy->ops->nvlinearcombination == x->ops->nvlinearcombination);
  N_VDestroy (copy);
  N_VDestroy (x);
  SUNContext_Free (&sundials);
  g_assert_false (weir_vector_is_finite (3, (double[]) { 1, NAN, 2 }));
  g_assert_false (weir_vector_is_finite (3, (double[]) { 1, -INFINITY, 2 }));
  g_assert_true (weir_vector_is_finite (3, (double[]) { 1, -1e308, 2 }));
}

int
main (int argc, char **argv)
{
  static const char *const pendulum_solvers[] = { "dormand-prince", "auto", "cvode-adams",
                                                  "cvode-bdf" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/solvers/tables/order-conditions", test_order_conditions);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      g_autofree char *order = g_strdup_printf ("/sim/solvers/row-115-order/%s", info->name);
      g_autofree char *dense = g_strdup_printf ("/sim/solvers/row-116-dense-output/%s", info->name);
      g_autofree char *block = g_strdup_printf ("/sim/solvers/failure/names-block/%s", info->name);
      g_autofree char *fsal = g_strdup_printf ("/sim/solvers/row-119-fsal/%s", info->name);
      g_autofree char *state = g_strdup_printf ("/sim/solvers/failure/names-state/%s", info->name);

      if (!info->is_adaptive)
        g_test_add_data_func (order, info, test_order);
      else if (weir_butcher_find (info->name) != NULL || g_str_equal (info->name, "arkode-dirk")
               || g_str_equal (info->name, "auto"))
        g_test_add_data_func (order, info, test_work_precision);
      if (info->is_adaptive)
        {
          g_autofree char *tolerance = g_strdup_printf ("/sim/solvers/row-115-tolerance/%s",
                                                        info->name);

          g_test_add_data_func (tolerance, info, test_tolerance);
        }
      if (info->is_adaptive && weir_butcher_find (info->name) != NULL)
        {
          g_autofree char *halved = g_strdup_printf (
              "/sim/solvers/row-115-order-by-longest-step/%s", info->name);

          g_test_add_data_func (halved, info, test_order_by_longest_step);
        }
      if (info->is_adaptive && weir_butcher_find (info->name) != NULL)
        g_test_add_data_func (fsal, info->name, test_first_same_as_last);
      {
        g_autofree char *loop = g_strdup_printf ("/sim/solvers/loop/%s", info->name);

        g_test_add_data_func (loop, info, test_loop);
      }
      if (info->order > 1)
        g_test_add_data_func (dense, info->name, test_dense_output);
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
  g_test_add_func ("/sim/solvers/ida/sentences", test_ida_sentences);
  g_test_add_data_func ("/sim/solvers/robertson/dirk", "arkode-dirk", test_robertson);
  g_test_add_func ("/sim/solvers/semi-implicit/invariant", test_semi_implicit_invariant);
  g_test_add_func ("/sim/solvers/row-115-order-of-oscillation/semi-implicit-euler",
                   test_semi_implicit_order);
  g_test_add_func ("/sim/solvers/arkode/sentences", test_arkode_sentences);
  g_test_add_data_func ("/sim/solvers/robertson/auto-switches", "auto", test_robertson);
  g_test_add_func ("/sim/solvers/auto/stays-explicit", test_auto_stays_explicit);
  g_test_add_func ("/sim/solvers/failure/state-names", test_state_names);
  g_test_add_func ("/sim/solvers/failure/cvode-sentences", test_cvode_sentences);
  g_test_add_func ("/sim/solvers/bad-options", test_bad_options);
  g_test_add_func ("/sim/solvers/vectors/operations", test_vectors);
  g_test_add_func ("/sim/solvers/vectors/clone", test_vector_clone);
  return g_test_run ();
}
