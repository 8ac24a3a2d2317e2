/* Long right-hand sides in tiles: the same bits, flags, counters and failures as by pull, with
 * every vector instruction set, in chains whose parts read their neighbours. */
#include <string.h>

#include "../seeds.h"
#include "base/simd.h"
#include "blocks.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"
#include "system/evaluation/evaluator-private.h"

typedef enum {
  V_FIRST = 1,    /* velocities stand before positions, so that pairs are the other way round */
  OF_SUMS = 2,    /* positions' derivatives are sums too */
  OF_ONE = 4,     /* all read what is computed of the first mass */
  BACKWARDS = 8,  /* declared from the last to the first */
  OF_TIME = 16,   /* something depends on time alone */
  SCATTERED = 32, /* neighbours are anywhere: no tiles */
} Features;

/* y = 0.75 t */
static WeirSystem *
ramp_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Ramp");
  double slope = 0.75;
  WeirParameter p = weir_leaf_add_parameter (b, "slope", &slope, 1);

  weir_leaf_add_output_kernel (b, "y", 1, test_gain_kernel, 0,
                               WEIR_DEPENDS (weir_parameter_ticket (b, p), WEIR_TIME));
  return weir_leaf_builder_build (b);
}

/* p_i' = v_i [+ k p_i], v_i' = k p_(i-1) + k p_(i+reach) + c v_i [+ k p_0 + ...]; at the ends those
 * beyond are the last. */
static WeirSystem *
chain_new (guint n, guint reach, Features features)
{
  enum { P, V, K, C, ENDS, ALL, FORCE, SPEED, N_BLOCKS };
  g_autoptr (WeirSystem) integrator = test_integrator_new (0), add = test_add_new ();
  g_autoptr (WeirSystem) ramp = ramp_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autofree guint *place = g_new (guint, n);
  g_autoptr (GError) error = NULL;
  WeirSystem *system;
  WeirChild common;

  for (guint at = 0; at < n; at++)
    {
      guint i = (features & BACKWARDS) != 0 ? n - 1 - at : at;

      place[i] = at;
      for (guint k = 0; k < N_BLOCKS; k++)
        {
          guint kind = (features & V_FIRST) != 0 && k < 2 ? 1 - k : k;
          g_autofree char *name = g_strdup_printf ("%c%u", "pvkcaefs"[kind], i);
          g_autoptr (WeirSystem) gain = test_gain_new (kind == K ? 0.5 + i % 7 : -0.1 * (i % 5));

          weir_diagram_builder_add (b, name, kind < K ? integrator : kind < ENDS ? gain : add);
        }
    }
  common = weir_diagram_builder_add (b, "common", ramp);
#define BLOCK(i, k)                                                                                \
  ((WeirChild) { place[i] * N_BLOCKS + ((features & V_FIRST) != 0 && (k) < 2 ? 1 - (k) : (k)) })
#define WIRE(from, to, in)                                                                         \
  weir_diagram_builder_connect (b, from, (WeirOutput) { 0 }, to, (WeirInput) { in })
  for (guint i = 0; i < n; i++)
    {
      guint left = i > 0 ? i - 1 : 0, right = MIN (i + reach, n - 1);

      if ((features & SCATTERED) != 0)
        right = (guint) g_rand_int_range (rand, 0, (gint) n);
      WIRE (BLOCK (i, P), BLOCK (i, K), 0);
      WIRE (BLOCK (i, V), BLOCK (i, C), 0);
      WIRE (BLOCK (left, K), BLOCK (i, ENDS), 0);
      WIRE (BLOCK (right, K), BLOCK (i, ENDS), 1);
      WIRE (BLOCK (i, C), BLOCK (i, ALL), 0);
      WIRE ((features & OF_TIME) != 0  ? common
            : (features & OF_ONE) != 0 ? BLOCK (0, K)
                                       : BLOCK (i, K),
            BLOCK (i, ALL), 1);
      WIRE (BLOCK (i, ENDS), BLOCK (i, FORCE), 0);
      WIRE (BLOCK (i, ALL), BLOCK (i, FORCE), 1);
      WIRE (BLOCK (i, V), BLOCK (i, SPEED), 0);
      WIRE (BLOCK (i, K), BLOCK (i, SPEED), 1);
      WIRE ((features & OF_SUMS) != 0 ? BLOCK (i, SPEED) : BLOCK (i, V), BLOCK (i, P), 0);
      WIRE (BLOCK (i, FORCE), BLOCK (i, V), 0);
    }
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
    }
}

/* What of the plan goes to no derivatives lies in the arena, of the trial too. */
static void
assert_equal_values (const WeirEvaluator *evaluator, const WeirContext *a, const WeirContext *b)
{
  const WeirLayout *layout = evaluator->layout;
  g_autofree guint64 *kept = g_memdup2 (evaluator->plan, layout->n_words * sizeof *kept);

  for (guint i = 0; i < evaluator->direct_calls->len; i++)
    {
      const WeirPlanCall *call = &g_array_index (evaluator->direct_calls, WeirPlanCall, i);

      for (guint32 e = call->first; call->is_derivative && e < call->first + call->n; e++)
        weir_bit_clear (kept, e);
    }
  for (guint32 e = 0; e < layout->n_entries; e++)
    if (weir_bit (kept, e) && layout->value_offset[e] < layout->arena.xdot)
      g_assert_cmpmem (a->arena + layout->value_offset[e], sizeof (double),
                       b->arena + layout->value_offset[e], sizeof (double));
}

static gboolean
has_tiles (WeirSystem *system)
{
  const WeirEvaluator *evaluator = weir_system_get_evaluator (system);

  return evaluator->direct_calls->len > evaluator->plan_calls->len;
}

static void
check (guint n, guint reach, Features features, GRand *rand)
{
  g_autoptr (WeirSystem) system = chain_new (n, reach, features);
  g_autoptr (WeirContext) tiled = weir_system_create_context (system);
  g_autoptr (WeirContext) pull = weir_system_create_context (system);
  g_autofree double *vectors = g_new (double, 6 * n + 8);
  WeirSimd before = weir_simd;

  weir_context_set_pull_only (pull, TRUE);
  for (guint turn = 0; turn < 8; turn++)
    {
      /* Vectors begin anywhere within those of the machine. */
      double *x = vectors + turn % 4, *by_tiles = x + 2 * n, *by_pull = by_tiles + 2 * n + 1;
      guint bad = turn >= 5 ? (guint) g_rand_int_range (rand, 0, (gint) (2 * n)) : 2 * n;
      WeirStatus expected;

      weir_simd = turn % 2 == 0 ? before : WEIR_SIMD_SSE2;
      for (guint i = 0; i < 2 * n; i++)
        x[i] = g_rand_double_range (rand, -2, 2);
      if (bad < 2 * n)
        x[bad] = turn % 3 == 0 ? (double) NAN : turn % 3 == 1 ? (double) INFINITY : G_MAXDOUBLE;
      expected = weir_eval_rhs (system, pull, turn / 2, x, by_pull);
      g_assert_cmpint (weir_eval_rhs (system, tiled, turn / 2, x, by_tiles), ==, expected);
      if (expected == WEIR_OK)
        g_assert_cmpmem (by_tiles, 2 * n * sizeof *x, by_pull, 2 * n * sizeof *x);
      else
        g_assert_cmpstr (weir_context_get_failure (tiled), ==, weir_context_get_failure (pull));
      if (expected == WEIR_OK)
        {
          assert_equal_contexts (tiled, pull);
          assert_equal_values (weir_system_get_evaluator (system), tiled, pull);
        }
      if (turn % 4 == 1) /* the accepted state is 0: nothing of the trial is left */
        {
          const double *own = weir_eval_derivatives (system, tiled);

          weir_eval_derivatives (system, pull);
          for (guint i = 0; i < 2 * n && (features & OF_TIME) == 0; i++)
            g_assert_cmpfloat (own[i], ==, 0);
          assert_equal_contexts (tiled, pull);
        }
    }
  weir_simd = before;
  if (n >= 900 && reach == 1) /* further away, more is gathered at the ends */
    g_assert_cmpint (has_tiles (system), ==, (features & SCATTERED) == 0);
}

static void
test_chain (gconstpointer data)
{
  Features features = (Features) GPOINTER_TO_INT (data);
  static const guint sizes[] = { 20, 903 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (21));

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint reach = 1; reach <= 5; reach += 4)
      check (sizes[i], reach, features, rand);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint features = 0; features < 36; features++)
    {
      g_autofree char *path = g_strdup_printf ("/system/tiles/%u", features);

      g_test_add_data_func (path, GUINT_TO_POINTER (features), test_chain);
    }
  return g_test_run ();
}
