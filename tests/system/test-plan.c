/* The plan of the derivatives: right-hand sides by plan equal those by pull bit for bit, with equal
 * flags and counters, whether or not derivatives go straight to the solver's vector. */
#include <string.h>

#include "../seeds.h"
#include "base/simd.h"
#include "blocks.h"
#include "system/context/inspection.h"
#include "system/observation/change-log.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"
#include "system/observation/watch.h"

/* x' = u, by a calculation that is no kernel. */
static WeirStatus
slow_xcdot (const WeirCalc *c, double *xdot)
{
  xdot[0] = weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirSystem *
slow_integrator_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("SlowIntegrator");
  WeirInput u = weir_leaf_add_input (b, "u", 1);
  double x0 = 0;

  weir_leaf_set_continuous_state (b, 0, 0, 1, &x0);
  weir_leaf_set_derivatives (b, slow_xcdot, WEIR_DEPENDS (weir_input_ticket (b, u)));
  weir_leaf_add_output_window (b, "y", WEIR_Z);
  return weir_leaf_builder_build (b);
}

/* x' = 2 y, y' = x + s, z' = @constant ? 5 : 3 x; slow: y's block has no kernel. */
static WeirSystem *
model_new (gboolean constant, gboolean slow)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) integrator = test_integrator_new (0);
  g_autoptr (WeirSystem) other = slow ? slow_integrator_new () : weir_system_ref (integrator);
  g_autoptr (WeirSystem) two = test_gain_new (2), three = test_gain_new (3);
  g_autoptr (WeirSystem) add = test_add_new (), sine = test_sine_new (),
                         five = test_constant_new (5);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  weir_diagram_builder_add (b, "x", integrator);
  weir_diagram_builder_add (b, "y", other);
  weir_diagram_builder_add (b, "z", integrator);
  weir_diagram_builder_add (b, "two", two);
  weir_diagram_builder_add (b, "three", three);
  weir_diagram_builder_add (b, "add", add);
  weir_diagram_builder_add (b, "s", sine);
  weir_diagram_builder_add (b, "five", five);
  weir_diagram_builder_connect_by_name (b, "y", "y", "two", "u");
  weir_diagram_builder_connect_by_name (b, "two", "y", "x", "u");
  weir_diagram_builder_connect_by_name (b, "x", "y", "add", "u0");
  weir_diagram_builder_connect_by_name (b, "s", "y", "add", "u1");
  weir_diagram_builder_connect_by_name (b, "add", "y", "y", "u");
  weir_diagram_builder_connect_by_name (b, "x", "y", "three", "u");
  weir_diagram_builder_connect_by_name (b, constant ? "five" : "three", "y", "z", "u");
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

static void
assert_equal_contexts (const WeirContext *a, const WeirContext *b)
{
  guint n = weir_layout_get_n_entries (weir_context_get_layout (a));
  g_autofree WeirCounters *x = g_new (WeirCounters, n), *y = g_new (WeirCounters, n);

  weir_context_read_counters (a, x);
  weir_context_read_counters (b, y);
  for (guint32 e = 0; e < n; e++)
    {
      g_assert_cmpmem (&x[e], sizeof x[e], &y[e], sizeof y[e]);
      g_assert_cmpint (weir_context_is_up_to_date (a, (WeirEntry) { e }), ==,
                       weir_context_is_up_to_date (b, (WeirEntry) { e }));
      if (weir_context_is_up_to_date (a, (WeirEntry) { e }))
        g_assert_cmpmem (weir_context_peek (a, (WeirEntry) { e }), sizeof (double),
                         weir_context_peek (b, (WeirEntry) { e }), sizeof (double));
    }
}

static void
test_plan_equals_pull (gconstpointer data)
{
  guint kind = GPOINTER_TO_UINT (data);
  g_autoptr (WeirSystem) system = model_new ((kind & 1) != 0, (kind & 2) != 0);
  g_autoptr (WeirContext) plan = weir_system_create_context (system);
  g_autoptr (WeirContext) pull = weir_system_create_context (system);
  double x[3] = { 0.5, -0.25, 2 }, by_plan[3], by_pull[3];

  weir_context_set_pull_only (pull, TRUE);
  for (guint i = 0; i < 700; i++) /* enough for some to be timed */
    {
      const double *own;

      x[i % 3] += 0.125;
      g_assert_cmpint (weir_eval_rhs (system, plan, i * 0.5, x, by_plan), ==, WEIR_OK);
      g_assert_cmpint (weir_eval_rhs (system, pull, i * 0.5, x, by_pull), ==, WEIR_OK);
      g_assert_cmpmem (by_plan, sizeof by_plan, by_pull, sizeof by_pull);
      g_assert_cmpfloat (by_plan[0], ==, 2 * x[1]);
      g_assert_cmpfloat (by_plan[2], ==, (kind & 1) != 0 ? 5 : 3 * x[0]);
      assert_equal_contexts (plan, pull);

      /* The context's own derivatives are those of its own state. */
      own = weir_eval_derivatives (system, plan);
      weir_eval_derivatives (system, pull);
      g_assert_cmpfloat (own[0], ==, 0);
      g_assert_cmpfloat (own[2], ==, (kind & 1) != 0 ? 5 : 0);
      assert_equal_contexts (plan, pull);
    }

  /* A vector that serves as both. */
  g_assert_cmpint (weir_eval_rhs (system, plan, 1, x, by_plan), ==, WEIR_OK);
  g_assert_cmpint (weir_eval_rhs (system, plan, 1, x, x), ==, WEIR_OK);
  g_assert_cmpmem (x, sizeof x, by_plan, sizeof by_plan);
}

/* @n integrators, each fed with 2 x_i + 3 x_j + sin t by gains and sums that are wired at random:
 * hardly any operand lies in a row. The random numbers are those of @seed. */
static WeirSystem *
scattered_new (guint n, guint32 seed)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) integrator = test_integrator_new (0);
  g_autoptr (WeirSystem) two = test_gain_new (2), three = test_gain_new (3);
  g_autoptr (WeirSystem) add = test_add_new (), sine = test_sine_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (GError) error = NULL;
  WeirSystem *systems[] = { integrator, two, three, add, add };
  enum { X, TWO, THREE, PARTS, SUM, N_BLOCKS };
  WeirSystem *system;
  WeirChild s;

  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < N_BLOCKS; k++)
      {
        g_autofree char *name = g_strdup_printf ("b%u-%u", k, i);

        weir_diagram_builder_add (b, name, systems[k]);
      }
  s = weir_diagram_builder_add (b, "s", sine);
#define BLOCK(i, k) ((WeirChild) { (i) *N_BLOCKS + (k) })
#define ANY (guint32) g_rand_int_range (rand, 0, (gint32) n)
#define WIRE(from, to, in)                                                                         \
  weir_diagram_builder_connect (b, from, (WeirOutput) { 0 }, to, (WeirInput) { in })
  for (guint i = 0; i < n; i++)
    {
      WIRE (BLOCK (ANY, X), BLOCK (i, TWO), 0);
      WIRE (BLOCK (ANY, X), BLOCK (i, THREE), 0);
      WIRE (BLOCK (ANY, TWO), BLOCK (i, PARTS), 0);
      WIRE (BLOCK (ANY, THREE), BLOCK (i, PARTS), 1);
      WIRE (BLOCK (ANY, PARTS), BLOCK (i, SUM), 0);
      WIRE (s, BLOCK (i, SUM), 1);
      WIRE (BLOCK (ANY, SUM), BLOCK (i, X), 0);
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* Operands that are gathered for a stage together, at the limit of a stage's size, and call by
 * call: the same as by pull, in other state vectors, while logging, and by an equal system whose
 * plan is another. */
static void
test_scattered (gconstpointer data)
{
  guint n = GPOINTER_TO_UINT (data);
  guint32 seed = get_test_seed (42);
  g_autoptr (WeirSystem) system = scattered_new (n, seed), equal = scattered_new (n, seed);
  g_autoptr (WeirContext) plan = weir_system_create_context (system);
  g_autoptr (WeirContext) pull = weir_system_create_context (system);
  g_autofree double *vectors = g_new (double, 4 * n);

  weir_context_set_pull_only (pull, TRUE);
  for (guint i = 0; i < 12; i++)
    {
      double *x = vectors + (i % 2) * n, *by_plan = vectors + 2 * n, *by_pull = vectors + 3 * n;

      for (guint k = 0; k < n; k++)
        x[k] = sin (k + 1.0 + i);
      if (i == 8)
        {
          weir_context_start_log (plan, WEIR_LOG_MODE_ALL, 0);
          weir_context_start_log (pull, WEIR_LOG_MODE_ALL, 0);
        }
      g_assert_cmpint (weir_eval_rhs (i % 4 == 3 ? equal : system, plan, i / 2, x, by_plan), ==,
                       WEIR_OK);
      g_assert_cmpint (weir_eval_rhs (system, pull, i / 2, x, by_pull), ==, WEIR_OK);
      g_assert_cmpmem (by_plan, n * sizeof *x, by_pull, n * sizeof *x);
      assert_equal_contexts (plan, pull);
    }
}

static void
test_not_finite (void)
{
  g_autoptr (WeirSystem) system = model_new (FALSE, FALSE);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const double bad[] = { NAN, INFINITY, -INFINITY };
  const double good[] = { -0.0, 1e308, -1e308, 5e-324 };
  double xdot[3];

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      double x[3] = { good[i] / 3, good[i] / 2, 0 };

      g_assert_cmpint (weir_eval_rhs (system, context, 1, x, xdot), ==, WEIR_OK);
    }
  for (guint i = 0; i < 3 * G_N_ELEMENTS (bad); i++)
    {
      double x[3] = { 1, 1, 1 };

      x[0] = bad[i / 3];
      weir_eval_rhs (system, context, 0, (double[3]) { 1, 1, 1 }, xdot);
      g_assert_cmpint (weir_eval_rhs (system, context, i, x, xdot), ==, WEIR_FAILED);
      g_assert_true (g_str_has_prefix (weir_context_get_failure (context), "the state "));
      g_assert_nonnull (strstr (weir_context_get_failure (context), "became"));
    }
}

/* Derivatives that copy what gains give: p_i' = (2 + i) p_i; or p_i' = v_i, v_i' = (2 + i) p_i,
 * whose classes alternate in the state vector; or p_i' = (2 + i) p_i, v_i' = p_i + (2 + i) p_i,
 * where something else reads the gain too. */
typedef enum { COPIES_IN_A_ROW, COPIES_ALTERNATING, COPIES_SHARED } Copies;

static WeirSystem *
copies_new (guint n, Copies kind)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) integrator = test_integrator_new (0);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *p = g_strdup_printf ("p%u", i), *v = g_strdup_printf ("v%u", i);
      g_autofree char *k = g_strdup_printf ("k%u", i), *a = g_strdup_printf ("a%u", i);
      g_autoptr (WeirSystem) gain = test_gain_new (2 + i), add = test_add_new ();

      weir_diagram_builder_add (b, p, integrator);
      if (kind != COPIES_IN_A_ROW)
        weir_diagram_builder_add (b, v, integrator);
      weir_diagram_builder_add (b, k, gain);
      weir_diagram_builder_connect_by_name (b, p, "y", k, "u");
      weir_diagram_builder_connect_by_name (b, k, "y", kind == COPIES_ALTERNATING ? v : p, "u");
      if (kind == COPIES_ALTERNATING)
        weir_diagram_builder_connect_by_name (b, v, "y", p, "u");
      if (kind != COPIES_SHARED)
        continue;
      weir_diagram_builder_add (b, a, add);
      weir_diagram_builder_connect_by_name (b, p, "y", a, "u0");
      weir_diagram_builder_connect_by_name (b, k, "y", a, "u1");
      weir_diagram_builder_connect_by_name (b, a, "y", v, "u");
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* What gains give goes to the solver's vector without being kept where nothing else reads it: no
 * later request takes what was kept before, and a failure still finds its cause. */
static void
test_copies (gconstpointer data)
{
  Copies kind = (Copies) GPOINTER_TO_INT (data);
  static const guint sizes[] = { 1, 2, 7, 8, 9, 100, 301, 1999 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      guint n = sizes[s], n_states = kind == COPIES_IN_A_ROW ? n : 2 * n;
      g_autoptr (WeirSystem) system = copies_new (n, kind);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      WeirLayout *layout = weir_system_get_layout (system);
      guint n_entries = weir_layout_get_n_entries (layout);
      g_autofree double *x = g_new0 (double, n_states), *xdot = g_new0 (double, n_states);
      g_autofree WeirCounters *counters = g_new (WeirCounters, n_entries);
      g_autofree char *cause = g_strdup_printf ("k%u:y became infinite", n - 1);
      const double *accepted;

      for (guint i = 0; i < n_states; i++)
        x[i] = 0.1 * i + 1;
      for (guint turn = 0; turn < 3; turn++)
        {
          weir_context_set_pull_only (context, turn == 2);
          g_assert_cmpint (weir_eval_rhs (system, context, turn, x, xdot), ==, WEIR_OK);
          for (guint i = 0; i < n; i++)
            switch (kind)
              {
              case COPIES_IN_A_ROW:
                g_assert_cmpfloat (xdot[i], ==, (2 + i) * x[i]);
                break;
              case COPIES_ALTERNATING:
                g_assert_cmpfloat (xdot[2 * i], ==, x[2 * i + 1]);
                g_assert_cmpfloat (xdot[2 * i + 1], ==, (2 + i) * x[2 * i]);
                break;
              case COPIES_SHARED:
              default:
                g_assert_cmpfloat (xdot[2 * i], ==, (2 + i) * x[2 * i]);
                g_assert_cmpfloat (xdot[2 * i + 1], ==, x[2 * i] + (2 + i) * x[2 * i]);
                break;
              }
          /* The accepted state is 0. */
          accepted = weir_eval_derivatives (system, context);
          for (guint i = 0; i < n_states; i++)
            g_assert_cmpfloat (accepted[i], ==, 0);
          for (guint e = 0; e < n_entries; e++)
            if (weir_layout_get_entry (layout, (WeirEntry) { e }).size == 1)
              g_assert_cmpfloat (weir_eval_entry (system, context, (WeirEntry) { e })[0], ==, 0);
        }
      weir_context_read_counters (context, counters);
      for (guint e = 0; e < n_entries; e++)
        g_assert_cmpuint (counters[e].first + counters[e].stale, ==, 6);
      weir_context_set_pull_only (context, FALSE);
      x[kind == COPIES_IN_A_ROW ? n_states - 1 : n_states - 2] = G_MAXDOUBLE;
      g_assert_cmpint (weir_eval_rhs (system, context, 9, x, xdot), ==, WEIR_FAILED);
      g_assert_nonnull (strstr (weir_context_get_failure (context), cause));
    }
}

/* Each derivative is looked at wherever it lies among the pairs: of those that alternate, one
 * follows from each state. */
static void
test_pairs_not_finite (void)
{
  enum { N = 2 * 21 };
  g_autoptr (WeirSystem) system = copies_new (N / 2, COPIES_ALTERNATING);
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  const double bad[] = { NAN, INFINITY, -INFINITY };
  const WeirSimd before = weir_simd, forms[] = { WEIR_SIMD_SSE2, before };
  double x[N], xdot[N + 4];

  g_assert_true (weir_system_get_evaluator (system)->looks_at_pairs);
  for (guint i = 0; i < N; i++)
    x[i] = 1;
  for (guint i = 0; i < 4 * N; i++)
    for (guint k = 0; k < G_N_ELEMENTS (bad) * G_N_ELEMENTS (forms); k++)
      {
        weir_simd = forms[k % 2];
        x[i / 4] = bad[k / 2];
        g_assert_cmpint (weir_eval_rhs (system, context, i, x, xdot + i % 4), ==, WEIR_FAILED);
        x[i / 4] = 1;
        g_assert_cmpint (weir_eval_rhs (system, context, i, x, xdot + i % 4), ==, WEIR_OK);
      }
  weir_simd = before;
}

/* The common case equals the full way, which a watched context always takes: values, flags and
 * counters, whatever is switched off. */
static void
test_common_case (void)
{
  g_autoptr (WeirSystem) system = model_new (FALSE, TRUE);
  g_autoptr (WeirContext) a = weir_system_create_context (system);
  g_autoptr (WeirContext) b = weir_system_create_context (system);
  WeirContext *both[] = { a, b };
  guint n = weir_layout_get_n_entries (weir_system_get_layout (system));
  const WeirWatcher nobody = { 0 };

  weir_context_set_watcher (b, &nobody, NULL);
  for (guint i = 0; i < 400; i++)
    {
      WeirEntry entry = { (i * 7) % n }, other = { (i * 5) % n };

      for (guint c = 0; c < 2; c++)
        {
          if (i % 11 == 0)
            weir_context_set_time (both[c], i);
          if (i % 50 == 20)
            weir_context_set_caching (both[c], !weir_context_get_caching (both[c]));
          if (i % 30 == 10)
            weir_context_set_entry_caching (both[c], other,
                                            !weir_context_get_entry_caching (both[c], other));
        }
      g_assert_cmpmem (weir_eval_entry (system, a, entry), sizeof (double),
                       weir_eval_entry (system, b, entry), sizeof (double));
      assert_equal_contexts (a, b);
    }
  weir_context_set_frozen (a, TRUE);
  weir_context_clear_counters (a);
  weir_eval_entry (system, a, (WeirEntry) { 0 });
  {
    g_autofree WeirCounters *counters = g_new (WeirCounters, n);

    weir_context_read_counters (a, counters);
    g_assert_cmpuint (counters[0].hits, ==, 0); /* a frozen context counts nothing */
  }
}

static WeirStatus
hidden_calc (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_time (c) + weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

/* A read that was not declared computes a kernel's value before its turn: the plan does not do so
 * again. */
static void
test_undeclared (void)
{
  WeirLeafBuilder *leaf = weir_leaf_builder_new ("Hidden");
  WeirDiagramBuilder *d = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) hidden = NULL, system = NULL, gain = test_gain_new (2),
                         sine = test_sine_new ();
  g_autoptr (WeirSystem) integrator = test_integrator_new (0);
  g_autoptr (WeirContext) plan = NULL, pull = NULL;
  double x[2] = { 0, 0 }, a[2], b[2];

  weir_leaf_add_input (leaf, "u", 1);
  weir_leaf_add_output (leaf, "y", 1, hidden_calc, WEIR_DEPENDS (WEIR_TIME));
  hidden = weir_leaf_builder_build (leaf);
  weir_diagram_builder_add (d, "sine", sine);
  weir_diagram_builder_add (d, "one", gain);
  weir_diagram_builder_add (d, "two", gain);
  weir_diagram_builder_add (d, "hidden", hidden);
  weir_diagram_builder_add (d, "p", integrator);
  weir_diagram_builder_add (d, "q", integrator);
  weir_diagram_builder_connect_by_name (d, "sine", "y", "one", "u");
  weir_diagram_builder_connect_by_name (d, "one", "y", "two", "u");
  weir_diagram_builder_connect_by_name (d, "two", "y", "hidden", "u");
  weir_diagram_builder_connect_by_name (d, "two", "y", "p", "u");
  weir_diagram_builder_connect_by_name (d, "hidden", "y", "q", "u");
  system = weir_diagram_builder_build (d, NULL);
  g_assert_nonnull (system);
  plan = weir_system_create_context (system);
  pull = weir_system_create_context (system);
  weir_context_set_pull_only (pull, TRUE);
  for (guint i = 1; i <= 5; i++)
    {
      g_assert_cmpint (weir_eval_rhs (system, plan, i, x, a), ==, WEIR_OK);
      g_assert_cmpint (weir_eval_rhs (system, pull, i, x, b), ==, WEIR_OK);
      g_assert_cmpmem (a, sizeof a, b, sizeof b);
      g_assert_cmpfloat (a[0], ==, 4 * sin (i));
      assert_equal_contexts (plan, pull);
    }
}

/* x_i' = k_i c: @n gains that read one constant. */
static WeirSystem *
fan_new (guint n)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) integrator = test_integrator_new (0), gain = test_gain_new (2);
  g_autoptr (WeirSystem) constant = test_constant_new (3);
  WeirChild c = weir_diagram_builder_add (b, "c", constant);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *k = g_strdup_printf ("k%u", i), *x = g_strdup_printf ("x%u", i);
      WeirChild by = weir_diagram_builder_add (b, k, gain);
      WeirChild to = weir_diagram_builder_add (b, x, integrator);

      weir_diagram_builder_connect (b, c, (WeirOutput) { 0 }, by, (WeirInput) { 0 });
      weir_diagram_builder_connect (b, by, (WeirOutput) { 0 }, to, (WeirInput) { 0 });
    }
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

/* Changes parameters of blocks here and there, now and then of many in a row. */
static void
change_some (GRand *rand, guint how_many, WeirContext *const contexts[2])
{
  WeirLayout *layout = weir_context_get_layout (contexts[0]);
  guint n = weir_layout_get_n_nodes (layout), node = 0;

  for (guint i = 0; i < how_many; i++)
    {
      double value = g_rand_double_range (rand, -2, 2);

      node = g_rand_int_range (rand, 0, 5) == 0 ? (node + 1) % n
                                                : (guint) g_rand_int_range (rand, 0, (gint) n);
      for (guint k = 0; k < 2 && weir_layout_get_n_parameters (layout, (WeirNode) { node }) > 0;
           k++)
        weir_context_set_parameter (contexts[k], (WeirNode) { node }, (WeirParameter) { 0 },
                                    &value);
    }
}

/* Entries of large steps that are out of date here and there: the same as one by one, which they
 * are computed while all is logged. */
static void
test_here_and_there (gconstpointer data)
{
  guint kind = GPOINTER_TO_UINT (data), n_states;
  guint32 seed = get_test_seed (45);
  g_autoptr (WeirSystem) system = kind == 0   ? scattered_new (700, seed)
                                  : kind == 4 ? fan_new (2000)
                                              : copies_new (700, (Copies) (kind - 1));
  g_autoptr (WeirContext) together = weir_system_create_context (system);
  g_autoptr (WeirContext) one_by_one = weir_system_create_context (system);
  WeirContext *const contexts[2] = { together, one_by_one };
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autofree double *x = NULL;

  n_states = weir_layout_get_n_states (weir_context_get_layout (together));
  x = g_new (double, n_states);
  for (guint i = 0; i < n_states; i++)
    x[i] = g_rand_double_range (rand, -2, 2);
  weir_context_start_log (one_by_one, WEIR_LOG_MODE_ALL, 0);
  for (guint k = 0; k < 2; k++)
    weir_context_set_state (contexts[k], x);
  for (guint i = 0; i < 40; i++)
    {
      const double *a, *b;

      change_some (rand, i % 4 == 0 ? 1 : i % 4 == 1 ? 400 : 30, contexts);
      a = weir_eval_derivatives (system, together);
      b = weir_eval_derivatives (system, one_by_one);
      g_assert_cmpmem (a, n_states * sizeof *a, b, n_states * sizeof *b);
      assert_equal_contexts (together, one_by_one);
    }
}

int
main (int argc, char **argv)
{
  static const guint sizes[] = {
    1, 7, 300, 1024, 1025, 2500
  }; /* a stage gathers 2048 values at most */

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/system/plan/equals-pull/kernels", GUINT_TO_POINTER (0),
                        test_plan_equals_pull);
  g_test_add_data_func ("/system/plan/equals-pull/constant-derivative", GUINT_TO_POINTER (1),
                        test_plan_equals_pull);
  g_test_add_data_func ("/system/plan/equals-pull/no-kernel", GUINT_TO_POINTER (2),
                        test_plan_equals_pull);
  g_test_add_data_func ("/system/plan/equals-pull/neither", GUINT_TO_POINTER (3),
                        test_plan_equals_pull);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/system/plan/scattered/%u", sizes[i]);

      g_test_add_data_func (path, GUINT_TO_POINTER (sizes[i]), test_scattered);
    }
  g_test_add_func ("/system/plan/not-finite", test_not_finite);
  g_test_add_func ("/system/plan/pairs-not-finite", test_pairs_not_finite);
  g_test_add_data_func ("/system/plan/copies/in-a-row", GINT_TO_POINTER (COPIES_IN_A_ROW),
                        test_copies);
  g_test_add_data_func ("/system/plan/copies/alternating", GINT_TO_POINTER (COPIES_ALTERNATING),
                        test_copies);
  g_test_add_data_func ("/system/plan/copies/shared", GINT_TO_POINTER (COPIES_SHARED), test_copies);
  g_test_add_func ("/system/plan/common-case", test_common_case);
  g_test_add_func ("/system/plan/undeclared", test_undeclared);
  g_test_add_data_func ("/system/plan/here-and-there/scattered", GUINT_TO_POINTER (0),
                        test_here_and_there);
  g_test_add_data_func ("/system/plan/here-and-there/in-a-row", GUINT_TO_POINTER (1),
                        test_here_and_there);
  g_test_add_data_func ("/system/plan/here-and-there/alternating", GUINT_TO_POINTER (2),
                        test_here_and_there);
  g_test_add_data_func ("/system/plan/here-and-there/shared", GUINT_TO_POINTER (3),
                        test_here_and_there);
  g_test_add_data_func ("/system/plan/here-and-there/fan", GUINT_TO_POINTER (4),
                        test_here_and_there);
  return g_test_run ();
}
