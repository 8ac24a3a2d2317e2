/* The order of the solvers: conditions on the tables, errors that fall as step and tolerance do,
 * dense output, the stage that two steps share. */
#include "models.h"
#include "sim/butcher.h"
#include "sim/solver-private.h"

/* --- Tables ---------------------------------------------------------------------------------- */

/* Sums of weights that must equal theta^order / density for every rooted tree up to order 5
 * (Hairer, Norsett & Wanner I, II.2). */
static double
tree_sum (const WeirButcherTable *t, const double *b, guint tree)
{
  double sum = 0;

  for (guint i = 0; i < t->n_stages + t->n_dense_stages; i++)
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
      guint n_stages = t->n_stages + t->n_dense_stages;
      double embedded[WEIR_BUTCHER_MAX_STAGES], low[WEIR_BUTCHER_MAX_STAGES];
      double largest = 1; /* coefficient, on which rounding depends */

      for (guint s = 0; s < n_stages; s++)
        {
          double row = 0;

          for (guint j = 0; j < s; j++)
            {
              row += t->a[s][j];
              largest = MAX (largest, fabs (t->a[s][j]));
            }
          g_assert_cmpfloat_with_epsilon (row, t->c[s], 1e-14 * largest);
          embedded[s] = t->b[s] - t->e[s];
          low[s] = t->b[s] - t->e_low[s];
          if (t->first_same_as_last)
            g_assert_cmpfloat (t->b[s], ==, t->a[t->n_stages - 1][s]);
        }
      for (guint k = 0; k < G_N_ELEMENTS (trees); k++)
        {
          if (trees[k].order <= t->order)
            g_assert_cmpfloat_with_epsilon (tree_sum (t, t->b, k), 1 / trees[k].density,
                                            1e-14 * largest);
          if (trees[k].order <= t->error_order)
            g_assert_cmpfloat_with_epsilon (tree_sum (t, embedded, k), 1 / trees[k].density,
                                            1e-14 * largest);
          /* The lower of two estimates is of order 3 (Hairer, Norsett & Wanner, II.10). */
          if (t->e_low[0] != 0 && trees[k].order <= 3)
            g_assert_cmpfloat_with_epsilon (tree_sum (t, low, k), 1 / trees[k].density,
                                            1e-14 * largest);
          /* The continuous extension has order 4, or the method's, at every point of the step; that
           * of order 8 has 7. */
          for (double theta = 0.1; t->n_dense > 0 && theta <= 1
                                   && trees[k].order <= (t->order > 5 ? 5 : MIN (4, t->order));
               theta += 0.1)
            {
              double weights[WEIR_BUTCHER_MAX_STAGES];

              for (guint s = 0; s < n_stages; s++)
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

/* --- Halving the step divides the error by 2^order -------------------------------------------- */

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
      options.max_step = (info->order > 5 ? 0.2 : info->order > 4 ? 0.1 : 0.025) / (1 << i);
      integrate (system, &options, 2, &x, &statistics);
      errors[i] = fabs (x - exp (sin (2)));
      /* The first ones may be shorter. */
      g_assert_cmpuint (statistics.steps, <=, (guint64) (2 / options.max_step + 5));
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

/* --- Dense output ----------------------------------------------------------------------------- */

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

/* --- The last stage is the next step's first -------------------------------------------------- */

static void
test_first_same_as_last (gconstpointer data)
{
  const char *name = data;
  g_autoptr (WeirSystem) system = growth_new ();
  WeirSimulatorOptions options = options_for (name, 1e-6);
  WeirSimulatorStatistics statistics;
  const WeirButcherTable *table = weir_butcher_find (name);
  double x;

  integrate (system, &options, 10, &x, &statistics);
  /* One evaluation at the start and one for the first step's size. Stages of the continuous
   * extension belong to accepted steps. */
  g_assert_cmpuint (statistics.rhs_calls, ==,
                    2 + (table->n_stages - 1) * (statistics.steps + statistics.rejected_steps)
                        + table->n_dense_stages * statistics.steps);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/order/tables", test_order_conditions);
  for (guint i = 0; i < weir_solver_get_n (); i++)
    {
      const WeirSolverInfo *info = weir_solver_get (i);
      gboolean has_table = weir_butcher_find (info->name) != NULL;
      g_autofree char *order = g_strdup_printf ("/sim/order/row-115/%s", info->name);
      g_autofree char *tolerance = g_strdup_printf ("/sim/order/tolerance/%s", info->name);
      g_autofree char *halved = g_strdup_printf ("/sim/order/longest-step/%s", info->name);
      g_autofree char *dense = g_strdup_printf ("/sim/order/dense-output/%s", info->name);
      g_autofree char *fsal = g_strdup_printf ("/sim/order/fsal/%s", info->name);

      if (!info->is_adaptive)
        g_test_add_data_func (order, info, test_order);
      else if ((has_table && info->order <= 5) /* so few steps of order 8 tell no slope */
               || g_str_equal (info->name, "arkode-dirk") || g_str_equal (info->name, "auto"))
        g_test_add_data_func (order, info, test_work_precision);
      if (info->is_adaptive)
        g_test_add_data_func (tolerance, info, test_tolerance);
      if (info->is_adaptive && (has_table || g_str_equal (info->name, "radau")))
        g_test_add_data_func (halved, info, test_order_by_longest_step);
      if (info->is_adaptive && has_table)
        g_test_add_data_func (fsal, info->name, test_first_same_as_last);
      if (info->order > 1)
        g_test_add_data_func (dense, info->name, test_dense_output);
    }
  return g_test_run ();
}
