/* The pattern of the Jacobian, its colours and its values, against a model whose Jacobian
 * is known. */
#include "../seeds.h"
#include "models.h"
#include "numerics/rows.h"
#include "sim/sundials-private.h"
#include "sim/solver-private.h"
#include "system/layout/sparsity.h"

/* A cell of a rod: x' = k (left - 2 x + right). */
static WeirStatus
cell_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0]
            * (weir_calc_input (c, (WeirInput) { 0 })[0] - 2 * weir_calc_z (c)[0]
               + weir_calc_input (c, (WeirInput) { 1 })[0]);
  return WEIR_OK;
}

static WeirSystem *
cell_new (double k, double start)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Cell");
  WeirInput left = weir_leaf_add_input (b, "left", 1), right = weir_leaf_add_input (b, "right", 1);
  WeirParameter p = weir_leaf_add_parameter (b, "k", &k, 1);

  weir_leaf_set_continuous_state (b, 0, 0, 1, &start);
  weir_leaf_set_derivatives (b, cell_xcdot,
                             WEIR_DEPENDS (WEIR_Z, weir_input_ticket (b, left),
                                           weir_input_ticket (b, right),
                                           weir_parameter_ticket (b, p)));
  weir_leaf_add_output_window (b, "x", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* A rod of cell0, cell1, ..., its ends inputs, or a ring. */
static WeirSystem *
rod_new (guint n, gboolean is_ring, double k)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *rod;

  for (guint i = 0; i < n; i++)
    {
      /* The slowest of the rod's modes. */
      g_autoptr (WeirSystem) cell = cell_new (k, sin (G_PI * (i + 1.0) / (n + 1.0)));
      g_autofree char *name = g_strdup_printf ("cell%u", i);

      weir_diagram_builder_add (b, name, cell);
    }
  if (!is_ring)
    {
      weir_diagram_builder_connect_input (b, weir_diagram_builder_add_input (b, "a", 1),
                                          (WeirChild) { 0 }, (WeirInput) { 0 });
      weir_diagram_builder_connect_input (b, weir_diagram_builder_add_input (b, "b", 1),
                                          (WeirChild) { n - 1 }, (WeirInput) { 1 });
    }
  for (guint i = 0; i < n; i++)
    {
      if (i > 0 || is_ring)
        weir_diagram_builder_connect (b, (WeirChild) { (i + n - 1) % n }, (WeirOutput) { 0 },
                                      (WeirChild) { i }, (WeirInput) { 0 });
      if (i + 1 < n || is_ring)
        weir_diagram_builder_connect (b, (WeirChild) { (i + 1) % n }, (WeirOutput) { 0 },
                                      (WeirChild) { i }, (WeirInput) { 1 });
    }
  rod = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return rod;
}

static void
fix_ends (WeirContext *context, gboolean is_ring)
{
  double zero = 0;

  if (is_ring)
    return;
  weir_context_fix_input (context, (WeirNode) { 0 }, (WeirInput) { 0 }, &zero);
  weir_context_fix_input (context, (WeirNode) { 0 }, (WeirInput) { 1 }, &zero);
}

static gboolean
is_neighbour (guint i, guint j, guint n, gboolean is_ring)
{
  guint apart = i > j ? i - j : j - i;

  return apart <= 1 || (is_ring && apart == n - 1);
}

static void
test_pattern (void)
{
  for (guint is_ring = 0; is_ring < 2; is_ring++)
    {
      g_autoptr (WeirSystem) rod = rod_new (12, is_ring, 1);
      WeirLayout *layout = weir_system_get_layout (rod);
      g_autoptr (WeirRows) pattern = weir_layout_find_sparsity (layout, 1000);

      g_assert_cmpuint (pattern->n, ==, 12);
      for (guint j = 0; j < 12; j++)
        {
          guint32 k = pattern->first[j];

          for (guint i = 0; i < 12; i++)
            if (is_neighbour (i, j, 12, is_ring))
              {
                g_assert_cmpint (pattern->items[k], ==, i);
                k++;
              }
          g_assert_cmpuint (k, ==, pattern->first[j + 1]);
        }
      g_assert_null (weir_layout_find_sparsity (layout, pattern->first[12] - 1));
    }
}

/* A pendulum: its xcdot reads q and v, so all four entries are there. Something that reads no state
 * of its own has just its diagonal. */
static void
test_pattern_of_leaves (void)
{
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  g_autoptr (WeirSystem) ending = ending_new ();
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) both = NULL;
  g_autoptr (WeirRows) pattern = NULL;
  static const guint32 first[] = { 0, 1, 3, 5 }, rows[] = { 0, 1, 2, 1, 2 };

  weir_diagram_builder_add (b, "ending", ending);
  weir_diagram_builder_add (b, "swing", swing);
  both = weir_diagram_builder_build (b, NULL);
  pattern = weir_layout_find_sparsity (weir_system_get_layout (both), 100);
  g_assert_cmpmem (pattern->first, sizeof first, first, sizeof first);
  g_assert_cmpmem (pattern->items, sizeof rows, rows, sizeof rows);
}

static void
check_colours (const WeirRows *pattern, const guint32 *colours, guint n_colours)
{
  g_autofree guint32 *row_of_colour = g_new (guint32, MAX (n_colours, 1) * pattern->n);

  memset (row_of_colour, 0, MAX (n_colours, 1) * pattern->n * sizeof *row_of_colour);
  for (guint j = 0; j < pattern->n; j++)
    {
      g_assert_cmpuint (colours[j], <, n_colours);
      for (guint32 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
        {
          guint32 *taken = &row_of_colour[colours[j] * pattern->n + pattern->items[k]];

          g_assert_cmpuint (*taken, ==, 0);
          *taken = 1;
        }
    }
}

static void
test_colours (void)
{
  guint seed = get_test_seed (45);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint round = 0; round < 50; round++)
    {
      guint n = (guint) g_rand_int_range (random, 1, 60);
      double share = g_rand_double (random) * g_rand_double (random);
      g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_autofree guint32 *colours = g_new (guint32, n);
      g_autofree guint32 *first = g_new0 (guint32, n + 2);
      WeirRows pattern = { .n = n, .first = first };

      for (guint j = 0; j < n; j++)
        {
          for (guint32 i = 0; i < n; i++)
            if (i == j || g_rand_double (random) < share)
              g_array_append_val (rows, i);
          first[j + 1] = rows->len;
        }
      pattern.items = (guint32 *) (gpointer) rows->data;
      check_colours (&pattern, colours, weir_colour_columns (&pattern, colours));
    }
  for (guint is_ring = 0; is_ring < 2; is_ring++)
    {
      g_autoptr (WeirSystem) rod = rod_new (300, is_ring, 1);
      g_autoptr (WeirRows) pattern = weir_layout_find_sparsity (weir_system_get_layout (rod), 1000);
      guint32 colours[300];

      g_assert_cmpuint (weir_colour_columns (pattern, colours), ==, 3); /* 300 = 3 x 100 */
      check_colours (pattern, colours, 3);
    }
}

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirSimulatorStatistics statistics;
  WeirProblem problem;
} Fixture;

static void
fixture_init (Fixture *f, WeirSystem *system)
{
  f->system = system;
  f->context = weir_system_create_context (system);
  f->statistics = (WeirSimulatorStatistics) { 0 };
  f->problem = (WeirProblem) {
    .root = system,
    .context = f->context,
    .layout = weir_system_get_layout (system),
    .n = weir_layout_get_n_states (weir_system_get_layout (system)),
    .relative_tolerance = 1e-6,
    .absolute_tolerance = 1e-9,
    .max_step = INFINITY,
    .statistics = &f->statistics,
  };
}

static int
call_rhs (double t, const double *x, double *xdot, gpointer data)
{
  return weir_problem_rhs (data, t, x, xdot) == WEIR_OK ? 0 : 1;
}

/* Every kind of matrix: J of the rod is k (1, -2, 1), M = I - gamma J. */
static void
test_values (void)
{
  static const struct {
    guint n;
    gboolean is_ring;
    WeirStateJacobianKind kind;
  } cases[] = {
    { 10, FALSE, WEIR_JACOBIAN_DENSE },
    { 100, FALSE, WEIR_JACOBIAN_SPARSE },
    { 100, TRUE, WEIR_JACOBIAN_SPARSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = cases[i].n;
      g_autoptr (WeirSystem) rod = rod_new (n, cases[i].is_ring, 2.5);
      g_autofree double *xdot = g_new (double, n), *weight = g_new (double, n),
                        *b = g_new (double, n), *x = g_new (double, n);
      g_autoptr (WeirStateJacobian) jacobian = NULL;
      g_autoptr (GError) error = NULL;
      const double gamma = 0.3;
      SUNContext sundials;
      SUNMatrix matrix;
      SUNLinearSolver solver;
      N_Vector vb, vx;
      Fixture f;

      fixture_init (&f, rod);
      fix_ends (f.context, cases[i].is_ring);
      jacobian = weir_state_jacobian_new ("test", &f.problem, FALSE, &error);
      g_assert_no_error (error);
      g_assert_cmpint (weir_state_jacobian_get_kind (jacobian), ==, cases[i].kind);
      for (guint k = 0; k < n; k++)
        weight[k] = 1e6;
      g_assert_cmpint (call_rhs (0, weir_context_get_state (f.context), xdot, &f.problem), ==, 0);
      f.statistics.rhs_calls = 0;
      g_assert_cmpint (weir_state_jacobian_calc (jacobian, call_rhs, &f.problem, 0,
                                                 weir_context_get_state (f.context), xdot, weight,
                                                 1),
                       ==, 0);
      g_assert_cmpuint (f.statistics.rhs_calls, ==, weir_state_jacobian_get_n_colours (jacobian));
      for (guint r = 0; r < n; r++)
        for (guint c = 0; c < n; c++)
          {
            double expected = r == c ? -5 : is_neighbour (r, c, n, cases[i].is_ring) ? 2.5 : 0;

            g_assert_cmpfloat_with_epsilon (weir_state_jacobian_get (jacobian, r, c), expected,
                                            1e-5);
          }

      /* M x = b solved twice, for factors replace the matrix in place. */
      g_assert_cmpint (SUNContext_Create (NULL, &sundials), ==, 0);
      vx = weir_nvector_new (n, x, sundials);
      vb = weir_nvector_new (n, b, sundials);
      matrix = weir_state_jacobian_new_matrix (jacobian, sundials);
      solver = weir_state_jacobian_new_linear_solver (jacobian, vx, matrix, sundials);
      g_assert_cmpint (SUNLinSolInitialize (solver), ==, 0);
      for (guint round = 0; round < 2; round++)
        {
          for (guint k = 0; k < n; k++)
            b[k] = sin (k + round);
          weir_state_jacobian_write (jacobian, 1, -gamma, matrix);
          g_assert_cmpint (SUNLinSolSetup (solver, matrix), ==, 0);
          g_assert_cmpint (SUNLinSolSolve (solver, matrix, vx, vb, 0), ==, 0);
          for (guint r = 0; r < n; r++)
            {
              double sum = x[r];

              for (guint c = 0; c < n; c++)
                sum -= gamma * weir_state_jacobian_get (jacobian, r, c) * x[c];
              g_assert_cmpfloat_with_epsilon (sum, sin (r + round), 1e-12);
            }
        }
      SUNLinSolFree (solver);
      SUNMatDestroy (matrix);
      N_VDestroy (vx);
      N_VDestroy (vb);
      SUNContext_Free (&sundials);
      weir_context_free (f.context);
    }
}

/* A stiff rod on each kind of matrix: its first mode decays as exp (-4 k sin^2 (pi / 2 (n + 1)) t).
 * @most_calls: of the right-hand side, a step. */
static void
assert_rod_decays (guint n, const char *solver, guint most_calls)
{
  double k = (n + 1.0) * (n + 1.0), s = sin (G_PI / (2 * (n + 1.0)));
  g_autoptr (WeirSystem) rod = rod_new (n, FALSE, k);
  g_autoptr (WeirContext) context = weir_system_create_context (rod);
  WeirSimulatorOptions options = options_for (solver, 1e-7);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;
  const WeirSimulatorStatistics *statistics;
  double decay = exp (-4 * k * s * s * 0.1);

  fix_ends (context, FALSE);
  simulator = weir_simulator_new (rod, context, &options, &error);
  g_assert_no_error (error);
  g_assert_true (weir_simulator_advance_to (simulator, 0.1, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (weir_context_get_state (context)[i],
                                    decay * sin (G_PI * (i + 1.0) / (n + 1.0)), 1e-6);
  statistics = weir_simulator_get_statistics (simulator);
  /* Three colours: three right-hand sides a Jacobian, however long the rod. */
  g_assert_cmpuint (statistics->rhs_calls, <,
                    3 * statistics->jacobians
                        + most_calls * (statistics->steps + statistics->rejected_steps) + 10);
}

static void
test_rod (gconstpointer data)
{
  assert_rod_decays (GPOINTER_TO_UINT (data), "cvode-bdf", 3); /* about two */
  /* The system is linear and its Jacobian exact: two iterations of three, and the beginning. */
  assert_rod_decays (GPOINTER_TO_UINT (data), "radau", 10);
}

static WeirStatus
wide_xcdot (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  memset (xdot, 0, 3400 * sizeof *xdot);
  return WEIR_OK;
}

/* Two leaves of 3400 states each, all of which depend on all of their leaf: 2 * 3400^2 entries are
 * fewer than may be, but six times as many numbers of 8 bytes are 1.03 GiB. Solvers without a
 * Jacobian run it. */
static void
test_budget (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Wide");
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autofree double *zeros = g_new0 (double, 3400);
  g_autoptr (WeirSystem) leaf = NULL, system = NULL;
  static const char *const solvers[] = { "cvode-bdf", "cvode-adams" };

  weir_leaf_set_continuous_state (b, 0, 0, 3400, zeros);
  weir_leaf_set_derivatives (b, wide_xcdot, WEIR_DEPENDS (WEIR_Z));
  leaf = weir_leaf_builder_build (b);
  weir_diagram_builder_add (d, "a", leaf);
  weir_diagram_builder_add (d, "b", leaf);
  system = weir_diagram_builder_build (d, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    {
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirSimulatorOptions options = options_for (solvers[i], 1e-6);
      g_autoptr (WeirSimulator) simulator = NULL;
      g_autoptr (GError) error = NULL;
      gboolean ok;

      simulator = weir_simulator_new (system, context, &options, &error);
      ok = simulator != NULL && weir_simulator_initialize (simulator, &error);
      if (i == 1)
        {
          g_assert_no_error (error);
          g_assert_true (ok);
          continue;
        }
      g_assert_false (ok);
      g_assert_error (error, WEIR_ERROR, WEIR_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==,
                       "The Jacobian that cvode-bdf keeps of 6800 states would need 1.03 GiB of "
                       "memory, but 1 GiB is the limit; choose cvode-adams or dormand-prince.");
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/jacobian/pattern", test_pattern);
  g_test_add_func ("/sim/jacobian/pattern/leaves", test_pattern_of_leaves);
  g_test_add_func ("/sim/jacobian/colours", test_colours);
  g_test_add_func ("/sim/jacobian/values", test_values);
  g_test_add_func ("/sim/jacobian/budget", test_budget);
  g_test_add_data_func ("/sim/jacobian/rod/dense", GUINT_TO_POINTER (20), test_rod);
  g_test_add_data_func ("/sim/jacobian/rod/sparse", GUINT_TO_POINTER (400), test_rod);
  return g_test_run ();
}
