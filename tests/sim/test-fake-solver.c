/* A solver that calls at random times and vectors and rejects half of what it tried.
 *
 * After each call, every entry that is marked as up to date holds exactly what a fresh calculation
 * gives, whatever was tried before.
 */
#include "../seeds.h"
#include "system/context/inspection.h"
#include "models.h"

#define N_CALLS 3000

/* y = [sum of the inputs, time]: a vector output over everything. */
static WeirStatus
mix_output (const WeirCalc *c, double *y)
{
  y[0] = weir_calc_input (c, (WeirInput) { 0 })[0] + 2 * weir_calc_input (c, (WeirInput) { 1 })[0];
  y[1] = sin (weir_calc_time (c)) + weir_calc_cached (c, (WeirCached) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
mix_square (const WeirCalc *c, double *y)
{
  double u = weir_calc_input (c, (WeirInput) { 0 })[0];

  y[0] = u * u;
  return WEIR_OK;
}

static WeirSystem *
mix_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Mix");
  WeirInput u0 = weir_leaf_add_input (b, "u0", 1), u1 = weir_leaf_add_input (b, "u1", 1);
  WeirCached square = weir_leaf_add_cache_entry (b, "square", 1, mix_square,
                                                 WEIR_DEPENDS (weir_input_ticket (b, u0)));

  weir_leaf_add_output (b, "y", 2, mix_output,
                        WEIR_DEPENDS (WEIR_TIME, weir_input_ticket (b, u0),
                                      weir_input_ticket (b, u1), weir_cached_ticket (b, square)));
  return weir_leaf_builder_build (b);
}

/* Depends on time alone, so that it may stay valid through trials at the present time. */
static WeirStatus
wave_output (const WeirCalc *c, double *y)
{
  y[0] = sin (weir_calc_time (c));
  return WEIR_OK;
}

static WeirSystem *
wave_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Wave");

  weir_leaf_add_output (b, "y", 1, wave_output, WEIR_DEPENDS (WEIR_TIME));
  return weir_leaf_builder_build (b);
}

/* Two pendulums, a sampled loop, sources of each kind and mixers of them, nested. */
static WeirSystem *
model_new (void)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (WeirSystem) loop = sampled_loop_new (0.1);
  g_autoptr (WeirSystem) swing = pendulum_new (1);
  g_autoptr (WeirSystem) growth = growth_new ();
  g_autoptr (WeirSystem) counter = counter_new (0.25, 0);
  g_autoptr (WeirSystem) plant = plant_new (3);
  g_autoptr (WeirSystem) mix = mix_new ();
  g_autoptr (WeirSystem) wave = wave_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *inner;

  weir_diagram_builder_add (b, "loop", loop);
  weir_diagram_builder_add (b, "left", swing);
  weir_diagram_builder_add (b, "right", swing);
  weir_diagram_builder_add (b, "growth", growth);
  weir_diagram_builder_add (b, "counter", counter);
  weir_diagram_builder_add (b, "plant", plant);
  weir_diagram_builder_add (b, "mix", mix);
  weir_diagram_builder_add (b, "wave", wave);
  weir_diagram_builder_add (b, "still", mix); /* reads the counter and the time, no state */
  weir_diagram_builder_connect_by_name (b, "counter", "Sn", "still", "u0");
  weir_diagram_builder_connect_by_name (b, "wave", "y", "still", "u1");
  weir_diagram_builder_connect_by_name (b, "left", "theta", "mix", "u0");
  weir_diagram_builder_connect_by_name (b, "counter", "Sn", "mix", "u1");
  weir_diagram_builder_connect_by_name (b, "counter", "Sn", "plant", "u");
  inner = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  {
    g_autoptr (WeirSystem) owned = inner;

    return wrap_new ("inner", owned);
  }
}

/* Compares every valid entry with a fresh calculation; returns how many were valid. */
static guint
check_valid_entries (WeirSystem *system, WeirContext *context)
{
  WeirLayout *layout = weir_system_get_layout (system);
  guint n_entries = weir_layout_get_n_entries (layout), n_valid = 0;
  gsize n_words;
  g_autofree guint64 *flags = g_memdup2 (weir_context_get_flags (context, &n_words),
                                         (n_entries + 63) / 64 * 8);

  for (guint e = 0; e < n_entries; e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { e });
      g_autofree double *fresh = g_new0 (double, info.size);

      if ((flags[e / 64] >> (e % 64)) & 1)
        continue;
      n_valid++;
      g_assert_cmpint (weir_calc_entry (system, context, (WeirEntry) { e }, fresh), ==, WEIR_OK);
      g_assert_cmpmem (weir_context_peek (context, (WeirEntry) { e }), info.size * sizeof (double),
                       fresh, info.size * sizeof (double));
    }
  return n_valid;
}

static void
test_random_calls (gconstpointer data)
{
  gboolean pull_only = GPOINTER_TO_INT (data);
  g_autoptr (WeirSystem) system = model_new ();
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  guint n = weir_layout_get_n_states (weir_system_get_layout (system));
  guint n_entries = weir_layout_get_n_entries (weir_system_get_layout (system));
  g_autofree double *x = g_new0 (double, n);
  g_autofree double *xdot = g_new0 (double, n);
  g_autofree double *fresh = g_new0 (double, n);
  g_autofree double *accepted = g_new0 (double, n);
  guint n_valid = 0, n_accepted = 0;

  get_test_seed (62);
  weir_context_set_pull_only (context, pull_only);
  for (guint i = 0; i < N_CALLS; i++)
    {
      /* Some calls change only the time, some only the state, some nothing. */
      double now = weir_context_get_time (context);
      double t = g_rand_boolean (test_rand) ? now
                                            : now + g_rand_double_range (test_rand, -0.1, 0.2);
      gboolean keeps_state = g_rand_int_range (test_rand, 0, 4) == 0;
      g_autoptr (WeirContext) reference = NULL;

      for (guint k = 0; k < n; k++)
        x[k] = keeps_state ? weir_context_get_state (context)[k]
                           : g_rand_double_range (test_rand, -3, 3);
      /* Leave some entries valid beforehand. */
      for (guint k = 0; k < 12; k++)
        weir_eval_entry (
            system, context,
            (WeirEntry) { (guint32) g_rand_int_range (test_rand, 0, (gint32) n_entries) });
      memcpy (accepted, weir_context_get_state (context), n * sizeof *x);

      g_assert_cmpint (weir_eval_rhs (system, context, t, x, xdot), ==, WEIR_OK);
      g_assert_cmpfloat (weir_context_get_time (context), ==, now);
      g_assert_cmpmem (weir_context_get_state (context), n * sizeof *x, accepted, n * sizeof *x);
      n_valid += check_valid_entries (system, context);

      /* The same from a context that never saw anything else. */
      if (i % 50 == 0)
        {
          reference = weir_context_clone (context);
          weir_context_set_caching (reference, FALSE);
          g_assert_cmpint (weir_eval_rhs (system, reference, t, x, fresh), ==, WEIR_OK);
          g_assert_cmpmem (xdot, n * sizeof *x, fresh, n * sizeof *x);
        }
      if (g_rand_boolean (test_rand))
        {
          n_accepted++;
          weir_context_set_time_and_state (context, t, x);
          n_valid += check_valid_entries (system, context);
        }
      if (i % 7 == 0)
        {
          WeirNode counter;
          double value = g_rand_double_range (test_rand, 0, 9);

          g_assert_true (
              weir_layout_find_node (weir_system_get_layout (system), "inner.counter", &counter));
          weir_context_set_discrete (context, counter, (WeirGroup) { 0 }, &value);
          n_valid += check_valid_entries (system, context);
        }
    }
  g_test_message ("%u calls, %u accepted, %u valid entries checked", N_CALLS, n_accepted, n_valid);
  /* The check must have had something to check. */
  g_assert_cmpuint (n_valid, >, 3 * N_CALLS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sim/fake-solver/plan", GINT_TO_POINTER (FALSE), test_random_calls);
  g_test_add_data_func ("/sim/fake-solver/pull", GINT_TO_POINTER (TRUE), test_random_calls);
  return g_test_run ();
}
