/* Patterns and slopes of Equations blocks: against what random texts say, against central
 * differences, and in stiff runs with published solutions. */
#include "../blocks/block-fixture.h"
#include "../seeds.h"
#include "numerics/rows.h"
#include "sim/sundials-private.h"
#include "sim/simulator.h"
#include "system/layout/sparsity.h"
#include "system/structure/diagram.h"

#define N_RANDOM 9

typedef struct {
  WeirSimulatorStatistics statistics;
  WeirProblem problem;
  WeirContext *context;
  WeirStateJacobian *jacobian;
  guint n;
} Fixture;

static int
call_rhs (double t, const double *x, double *xdot, gpointer data)
{
  return weir_problem_rhs (data, t, x, xdot) == WEIR_OK ? 0 : 1;
}

static void
fixture_init (Fixture *f, WeirSystem *system)
{
  g_autoptr (GError) error = NULL;

  *f = (Fixture) { .context = weir_system_create_context (system) };
  f->n = weir_layout_get_n_states (weir_system_get_layout (system));
  f->problem = (WeirProblem) {
    .root = system,
    .context = f->context,
    .layout = weir_system_get_layout (system),
    .n = f->n,
    .relative_tolerance = 1e-6,
    .absolute_tolerance = 1e-9,
    .max_step = INFINITY,
    .statistics = &f->statistics,
  };
  f->jacobian = weir_state_jacobian_new ("test", &f->problem, FALSE, &error);
  g_assert_no_error (error);
}

static void
fixture_clear (Fixture *f)
{
  weir_state_jacobian_free (f->jacobian);
  weir_context_free (f->context);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* The Jacobian at @x against central differences of second order with steps of 1e-6: right to about
 * 1e-9 times third derivatives, which are about 1. Returns the right-hand sides it took. */
static guint64
check_values (Fixture *f, const double *x, double tolerance)
{
  g_autofree double *xdot = g_new (double, f->n), *weight = g_new (double, f->n),
                    *moved = g_memdup2 (x, f->n * sizeof *x), *plus = g_new (double, f->n),
                    *minus = g_new (double, f->n);
  guint64 calls;

  for (guint i = 0; i < f->n; i++)
    weight[i] = 1e6;
  g_assert_cmpint (call_rhs (0, x, xdot, &f->problem), ==, 0);
  calls = f->statistics.rhs_calls;
  g_assert_cmpint (
      weir_state_jacobian_calc (f->jacobian, call_rhs, &f->problem, 0, x, xdot, weight, 1), ==, 0);
  calls = f->statistics.rhs_calls - calls;
  for (guint j = 0; j < f->n; j++)
    {
      moved[j] = x[j] + 1e-6;
      g_assert_cmpint (call_rhs (0, moved, plus, &f->problem), ==, 0);
      moved[j] = x[j] - 1e-6;
      g_assert_cmpint (call_rhs (0, moved, minus, &f->problem), ==, 0);
      moved[j] = x[j];
      for (guint i = 0; i < f->n; i++)
        {
          double expected = (plus[i] - minus[i]) / 2e-6;

          g_assert_cmpfloat_with_epsilon (weir_state_jacobian_get (f->jacobian, i, j), expected,
                                          tolerance * (1 + fabs (expected)));
        }
    }
  return calls;
}

/* --- Random texts ---------------------------------------------------------------------------- */

/* A term in one or two of the names known so far; adds what they depend on to @depends. */
static void
add_term (GRand *random, GString *text, const guint32 *sets, guint n_values, guint32 *depends)
{
  static const char *const forms[] = {
    "sin(%s)*%s",
    "0.5*%s*%s",
    "exp(-%s^2) + %s",
    "tanh(%s - %s)",
    "atan2(%s, 3 + %s^2)",
    "sqrt(1 + %s^2)/(2 + cos(%s))",
    /* a branch that the test's values do not change */
    "(if t > 1e6 then 0 else %s)*%s",
  };
  char names[2][16];

  for (guint k = 0; k < 2; k++)
    {
      guint i = (guint) g_rand_int_range (random, 0, (gint32) (N_RANDOM + n_values));

      if (i < N_RANDOM)
        g_snprintf (names[k], sizeof names[k], "x%u", i);
      else
        g_snprintf (names[k], sizeof names[k], "a%u", i - N_RANDOM);
      *depends |= i < N_RANDOM ? 1u << i : sets[i - N_RANDOM];
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_string_append_printf (text, forms[g_rand_int_range (random, 0, G_N_ELEMENTS (forms))], names[0],
                          names[1]);
#pragma GCC diagnostic pop
}

/* @rows: what the derivatives depend on. (transfer full) */
static char *
make_text (GRand *random, gboolean has_loop, guint32 *rows)
{
  GString *text = g_string_new ("output x0\n");
  guint32 sets[16] = { 0 };
  guint n_values = (guint) g_rand_int_range (random, 0, 8);

  for (guint i = 0; i < n_values; i++)
    {
      g_string_append_printf (text, "a%u ~ ", i);
      add_term (random, text, sets, i, &sets[i]);
      if (has_loop && i == 2) /* an equation that is not solved for its unknown */
        g_string_append_printf (text, " - 0.1*a%u^3", i);
      g_string_append_c (text, '\n');
    }
  for (guint i = 0; i < N_RANDOM; i++)
    {
      rows[i] = 0;
      g_string_append_printf (text, "initial x%u = 0\nD(x%u) ~ ", i, i);
      add_term (random, text, sets, n_values, &rows[i]);
      g_string_append (text, " - ");
      add_term (random, text, sets, n_values, &rows[i]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* What changes with a state is in its column. */
static void
check_moves (Fixture *f, GRand *random, const WeirRows *pattern, const double *x)
{
  double moved[N_RANDOM], before[N_RANDOM], after[N_RANDOM];

  memcpy (moved, x, sizeof moved);
  g_assert_cmpint (call_rhs (0, x, before, &f->problem), ==, 0);
  for (guint j = 0; j < N_RANDOM; j++)
    for (guint k = 0; k < 3; k++)
      {
        moved[j] = g_rand_double_range (random, -0.8, 0.8);
        g_assert_cmpint (call_rhs (0, moved, after, &f->problem), ==, 0);
        moved[j] = x[j];
        for (guint i = 0; i < N_RANDOM; i++)
          {
            gboolean is_there = FALSE;

            for (guint32 l = pattern->first[j]; l < pattern->first[j + 1]; l++)
              is_there |= pattern->items[l] == i;
            g_assert_true (is_there || memcmp (&before[i], &after[i], sizeof before[i]) == 0);
          }
      }
}

static void
test_random (void)
{
  guint seed = get_test_seed (17);
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint round = 0; round < 150; round++)
    {
      guint32 rows[N_RANDOM];
      gboolean has_loop = round % 3 == 2;
      g_autofree char *text = make_text (random, has_loop, rows);
      g_autoptr (WeirSystem) system = fixture_build ("Equations", PAIRS ("equations", text), NULL);
      g_autoptr (WeirRows)
          pattern = weir_layout_find_sparsity (weir_system_get_layout (system), 1000);
      double x[N_RANDOM];
      g_auto (Fixture) f = { 0 };

      g_test_message ("%s", text);
      /* No more than what the text says ... */
      for (guint j = 0; j < N_RANDOM; j++)
        for (guint32 k = pattern->first[j]; k < pattern->first[j + 1]; k++)
          g_assert_true (pattern->items[k] == j || (rows[pattern->items[k]] >> j & 1) != 0);
      fixture_init (&f, system);
      for (guint i = 0; i < N_RANDOM; i++) /* an increment is in proportion: none is tiny */
        x[i] = g_rand_double_range (random, 0.2, 0.8) * (g_rand_boolean (random) ? 1 : -1);
      /* ... and no less than what moves. */
      check_moves (&f, random, pattern, x);
      /* What is solved is right to about 1e-13, a difference of it over 1e-8 to less than 1e-4. */
      if (check_values (&f, x, has_loop ? 1e-4 : 1e-7) > 0)
        g_assert_true (has_loop); /* all is differentiated but what is solved */
    }
}

/* --- Through diagrams ------------------------------------------------------------------------ */

/* x' = -x + tanh (u), y = x^2 + u, in a ring of three, one of them behind a Gain where @has_gain:
 * that has no slopes. */
static WeirSystem *
ring_new (gboolean has_gain)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) leaf = fixture_build (
      "Equations",
      PAIRS ("equations", "input u\noutput y\nD(x) ~ -x + tanh(s)\ns ~ u^2 + x\ny ~ x^2 + sin(x)\n"
                          "initial x = 0.3"),
      SCALAR);
  g_autoptr (WeirSystem) gain = fixture_build ("Gain", PAIRS ("k", "2"), SCALAR);
  g_autoptr (GError) error = NULL;
  WeirSystem *ring;
  WeirChild leaves[3], last;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("leaf%u", i);

      leaves[i] = weir_diagram_builder_add (b, name, leaf);
    }
  last = leaves[2];
  if (has_gain)
    {
      last = weir_diagram_builder_add (b, "gain", gain);
      weir_diagram_builder_connect (b, leaves[2], (WeirOutput) { 0 }, last, (WeirInput) { 0 });
    }
  weir_diagram_builder_connect (b, last, (WeirOutput) { 0 }, leaves[0], (WeirInput) { 0 });
  for (guint i = 1; i < 3; i++)
    weir_diagram_builder_connect (b, leaves[i - 1], (WeirOutput) { 0 }, leaves[i],
                                  (WeirInput) { 0 });
  ring = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return ring;
}

static void
test_diagrams (void)
{
  static const double x[] = { 0.3, -0.4, 0.7 };

  for (guint has_gain = 0; has_gain < 2; has_gain++)
    {
      g_autoptr (WeirSystem) ring = ring_new (has_gain != 0);
      g_auto (Fixture) f = { 0 };
      WeirNode node;
      const double fixed = 0.2;

      fixture_init (&f, ring);
      g_assert_cmpuint (check_values (&f, x, 1e-6), ==,
                        weir_state_jacobian_get_n_differences (f.jacobian));
      g_assert_cmpuint (weir_state_jacobian_get_n_differences (f.jacobian) > 0, ==, has_gain);
      /* Fixed against its wire, an input changes with no state. */
      g_assert_true (weir_layout_find_node (f.problem.layout, "leaf1", &node));
      weir_context_fix_input (f.context, node, (WeirInput) { 0 }, &fixed);
      check_values (&f, x, 1e-6);
      g_assert_cmpfloat (weir_state_jacobian_get (f.jacobian, 1, 0), ==, 0);
    }
}

/* Where a slope is infinite although the value is not, differences take its place. */
static void
test_no_slope (void)
{
  g_autoptr (WeirSystem) system = fixture_build (
      "Equations",
      PAIRS ("equations", "output x\nD(x) ~ -sqrt(abs(x))*y\nD(y) ~ -y\ninitial x = 0\n"
                          "initial y = 1"),
      NULL);
  g_auto (Fixture) f = { 0 };
  double x[] = { 0, 1 }, xdot[2], weight[] = { 1e6, 1e6 };

  fixture_init (&f, system);
  g_assert_cmpint (call_rhs (0, x, xdot, &f.problem), ==, 0);
  f.statistics.rhs_calls = 0;
  g_assert_cmpint (
      weir_state_jacobian_calc (f.jacobian, call_rhs, &f.problem, 0, x, xdot, weight, 1), ==, 0);
  g_assert_cmpuint (f.statistics.rhs_calls, >, 0);
  for (guint i = 0; i < 4; i++)
    g_assert_true (isfinite (weir_state_jacobian_get (f.jacobian, i / 2, i % 2)));
}

/* --- Runs ------------------------------------------------------------------------------------ */

static WeirContext *
run (WeirSystem *system, const char *solver, double tolerance, double until, gboolean is_cached,
     WeirSimulatorStatistics *statistics)
{
  WeirContext *context = weir_system_create_context (system);
  WeirSimulatorOptions options;
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (GError) error = NULL;

  weir_simulator_options_init (&options);
  options.solver = solver;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance * 1e-4;
  weir_context_set_caching (context, is_cached);
  simulator = weir_simulator_new (system, context, &options, &error);
  g_assert_no_error (error);
  g_assert_true (weir_simulator_advance_to (simulator, until, &error));
  g_assert_no_error (error);
  if (statistics != NULL)
    *statistics = *weir_simulator_get_statistics (simulator);
  return context;
}

/* Solutions: Mazzia & Magherini, Test Set for IVP Solvers 2.4 (ROBER at 40 as in Hairer & Wanner,
 * Solving ODEs II, IV.10), given there to 14 digits or more. */
static const struct {
  const char *name, *text;
  double until;
  struct {
    const char *state;
    double value;
  } solution[8];
} problems[] = {
  { "robertson",
    "output a\nD(a) ~ -0.04*a + 1e4*b*c\nD(b) ~ 0.04*a - 1e4*b*c - 3e7*b^2\nD(c) ~ 3e7*b^2\n"
    "initial a = 1\ninitial b = 0\ninitial c = 0",
    40,
    { { "a", 0.7158270688 }, { "b", 0.9185534765e-5 }, { "c", 0.2841637457 } } },
  { "orego",
    "output a\nconstant s = 77.27, q = 8.375e-6, w = 0.161\nD(a) ~ s*(b - a*b + a - q*a^2)\n"
    "D(b) ~ (-b - a*b + c)/s\nD(c) ~ w*(a - c)\ninitial a = 1\ninitial b = 2\ninitial c = 3",
    360,
    { { "a", 0.1000814870318523e1 },
      { "b", 0.1228178521549917e4 },
      { "c", 0.1320554942846706e3 } } },
  { "hires",
    "output a\nD(a) ~ -1.71*a + 0.43*b + 8.32*c + 0.0007\nD(b) ~ 1.71*a - 8.75*b\n"
    "D(c) ~ -10.03*c + 0.43*d + 0.035*f\nD(d) ~ 8.32*b + 1.71*c - 1.12*d\n"
    "D(f) ~ -1.745*f + 0.43*g + 0.43*h\nD(g) ~ -280*g*k + 0.69*d + 1.71*f - 0.43*g + 0.69*h\n"
    "D(h) ~ 280*g*k - 1.81*h\nD(k) ~ -280*g*k + 1.81*h\ninitial a = 1\ninitial b = 0\n"
    "initial c = 0\ninitial d = 0\ninitial f = 0\ninitial g = 0\ninitial h = 0\n"
    "initial k = 0.0057",
    321.8122,
    { { "a", 0.7371312573325668e-3 },
      { "b", 0.1442485726316185e-3 },
      { "c", 0.5888729740967575e-4 },
      { "d", 0.1175651343283149e-2 },
      { "f", 0.2386356198831331e-2 },
      { "g", 0.6238968252742796e-2 },
      { "h", 0.2849998395185769e-2 },
      { "k", 0.2850001604814231e-2 } } },
};

static void
test_stiff (void)
{
  static const char *const solvers[] = { "cvode-bdf", "ida", "arkode-dirk", "auto" };

  for (guint p = 0; p < G_N_ELEMENTS (problems); p++)
    for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
      {
        g_autoptr (WeirSystem)
            system = fixture_build ("Equations", PAIRS ("equations", problems[p].text), NULL);
        WeirSimulatorStatistics statistics;
        g_autoptr (WeirContext)
            cached = run (system, solvers[s], 1e-8, problems[p].until, TRUE, &statistics);
        g_autoptr (WeirContext)
            uncached = run (system, solvers[s], 1e-8, problems[p].until, FALSE, NULL);
        guint n = weir_layout_get_n_states (weir_system_get_layout (system));

        g_test_message ("%s, %s: %" G_GUINT64_FORMAT " steps, %" G_GUINT64_FORMAT " Jacobians",
                        problems[p].name, solvers[s], statistics.steps, statistics.jacobians);
        g_assert_cmpmem (weir_context_get_state (cached), n * sizeof (double),
                         weir_context_get_state (uncached), n * sizeof (double));
        for (guint i = 0; i < n; i++)
          {
            guint at;

            g_assert_true (weir_layout_find_state (weir_system_get_layout (system),
                                                   problems[p].solution[i].state, &at));
            /* Errors of a run are some hundred tolerances. */
            g_assert_cmpfloat_with_epsilon (weir_context_get_state (cached)[at],
                                            problems[p].solution[i].value,
                                            1e-5 * fabs (problems[p].solution[i].value));
          }
      }
}

#define N_CELLS 1000

/* Reaction and diffusion: u_i' = 1e4 (u_i-1 - 2 u_i + u_i+1) + u_i - u_i^3 between 1 and 0. */
static WeirSystem *
chain_new (void)
{
  g_autoptr (GString) text = g_string_new ("output u0\n");

  for (guint i = 0; i < N_CELLS; i++)
    {
      g_autofree char *left = i > 0 ? g_strdup_printf ("u%u", i - 1) : g_strdup ("1");
      g_autofree char *right = i + 1 < N_CELLS ? g_strdup_printf ("u%u", i + 1) : g_strdup ("0");

      g_string_append_printf (text,
                              "initial u%u = 0\nD(u%u) ~ 1e4*(%s - 2*u%u + %s) + u%u - u%u^3\n", i,
                              i, left, i, right, i, i);
    }
  return fixture_build ("Equations", PAIRS ("equations", text->str), NULL);
}

/* The same of one block a cell. */
static WeirSystem *
cells_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) cell = fixture_build (
      "Equations",
      PAIRS ("equations",
             "input l, r\noutput u\ninitial u = 0\nD(u) ~ 1e4*(l - 2*u + r) + u - u^3"),
      ((const guint[]) { 1, 1 }));
  g_autoptr (WeirSystem) one = fixture_build ("Constant", PAIRS ("value", "1"), NULL);
  g_autoptr (WeirSystem) zero = fixture_build ("Constant", PAIRS ("value", "0"), NULL);
  g_autoptr (GError) error = NULL;
  WeirChild first = weir_diagram_builder_add (b, "one", one);
  WeirChild last = weir_diagram_builder_add (b, "zero", zero);
  WeirSystem *cells;
  WeirInput left, right;

  g_assert_true (weir_system_find_input (cell, "l", &left));
  g_assert_true (weir_system_find_input (cell, "r", &right));
  for (guint i = 0; i < N_CELLS; i++)
    {
      g_autofree char *name = g_strdup_printf ("cell%u", i);

      weir_diagram_builder_add (b, name, cell);
    }
  for (guint i = 0; i < N_CELLS; i++)
    {
      WeirChild at = { 2 + i }, before = i > 0 ? (WeirChild) { 1 + i } : first,
                after = i + 1 < N_CELLS ? (WeirChild) { 3 + i } : last;

      weir_diagram_builder_connect (b, before, (WeirOutput) { 0 }, at, left);
      weir_diagram_builder_connect (b, after, (WeirOutput) { 0 }, at, right);
    }
  cells = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return cells;
}

static void
test_chain (void)
{
  g_autoptr (WeirSystem) one = chain_new ();
  g_autoptr (WeirSystem) many = cells_new ();
  static const char *const solvers[] = { "cvode-bdf", "ida" };

  for (guint s = 0; s < G_N_ELEMENTS (solvers); s++)
    {
      WeirSimulatorStatistics of_one, of_many;
      g_autoptr (WeirContext) a = run (one, solvers[s], 1e-7, 1, TRUE, &of_one);
      g_autoptr (WeirContext) b = run (many, solvers[s], 1e-7, 1, TRUE, &of_many);

      for (guint i = 0; i < N_CELLS; i++)
        {
          g_autofree char *in_one = g_strdup_printf ("u%u", i);
          g_autofree char *in_many = g_strdup_printf ("cell%u.u", i);
          guint j, k;

          g_assert_true (weir_layout_find_state (weir_system_get_layout (one), in_one, &j));
          g_assert_true (weir_layout_find_state (weir_system_get_layout (many), in_many, &k));
          g_assert_cmpfloat_with_epsilon (weir_context_get_state (a)[j],
                                          weir_context_get_state (b)[k], 1e-5);
        }
      /* Jacobians take no right-hand sides: those that there are belong to steps. */
      g_assert_cmpuint (of_one.jacobians, >, 0);
      g_assert_cmpuint (of_one.rhs_calls, <, 3 * (of_one.steps + of_one.rejected_steps) + 10);
      g_assert_cmpuint (of_many.rhs_calls, <, 3 * (of_many.steps + of_many.rejected_steps) + 10);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/slopes/random", test_random);
  g_test_add_func ("/sim/slopes/diagrams", test_diagrams);
  g_test_add_func ("/sim/slopes/no-slope", test_no_slope);
  g_test_add_func ("/sim/slopes/stiff", test_stiff);
  g_test_add_func ("/sim/slopes/chain", test_chain);
  return g_test_run ();
}
