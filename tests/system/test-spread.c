/* Large right-hand sides on several threads: the same bits, counters and failures as on one. */
#include <string.h>

#include "base/crew.h"
#include "blocks.h"

#define N_STATES 12000
#define N_BLOCKS 24000
#define N_CALLS 40 /* some of them alone, some with helpers, whatever is faster */

/* Integrators behind gains and sums that read earlier blocks: neighbours as a rule, so that they
 * are streams, or with @is_random any, so that they are gathered. */
static WeirSystem *
large_new (gboolean is_random)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  g_autoptr (WeirSystem) integrator = test_integrator_new (0.5);
  g_autoptr (WeirSystem) gain = test_gain_new (-0.75);
  g_autoptr (WeirSystem) add = test_add_new ();
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *system;

  for (guint i = 0; i < N_STATES + N_BLOCKS; i++)
    {
      g_autofree char *name = g_strdup_printf ("b%u", i);
      gboolean is_gain = i < N_STATES + N_BLOCKS / 2;

      weir_diagram_builder_add (b, name, i < N_STATES ? integrator : is_gain ? gain : add);
    }
  for (guint i = N_STATES; i < N_STATES + N_BLOCKS; i++)
    {
      gboolean is_gain = i < N_STATES + N_BLOCKS / 2;
      guint base = is_gain ? 0 : N_STATES, n = is_gain ? N_STATES : N_BLOCKS / 2;

      for (guint16 k = 0; k < (is_gain ? 1 : 2); k++)
        {
          guint from = is_random ? (guint) g_rand_int_range (rand, 0, (gint) n) : (i + 3 * k) % n;

          weir_diagram_builder_connect (b, (WeirChild) { base + from }, (WeirOutput) { 0 },
                                        (WeirChild) { i }, (WeirInput) { k });
        }
    }
  for (guint i = 0; i < N_STATES; i++)
    weir_diagram_builder_connect (b, (WeirChild) { N_STATES + N_BLOCKS / 2 + i },
                                  (WeirOutput) { 0 }, (WeirChild) { i }, (WeirInput) { 0 });
  system = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return system;
}

typedef struct {
  double xdot[N_CALLS][N_STATES];
  WeirCounters *counters;
  char *failure;
} Result;

static Result *
run (WeirSystem *system, guint n_threads)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  guint n_entries = weir_layout_get_n_entries (weir_system_get_layout (system));
  Result *result = g_new0 (Result, 1);
  g_autofree double *x = g_new (double, N_STATES);

  weir_crew_threads = n_threads;
  for (guint i = 0; i < N_STATES; i++)
    x[i] = 1e-3 * (i * 7919 % 1000);
  for (guint call = 0; call < N_CALLS; call++)
    {
      x[call] += 0.1;
      g_assert_cmpint (weir_eval_rhs (system, context, 0.1 * call, x, result->xdot[call]), ==,
                       WEIR_OK);
    }
  x[17] = INFINITY;
  for (guint call = 0; call < N_CALLS; call++)
    {
      g_autofree double *xdot = g_new (double, N_STATES);

      g_assert_cmpint (weir_eval_rhs (system, context, 0.1 * call, x, xdot), ==, WEIR_FAILED);
      g_free (result->failure);
      result->failure = g_strdup (weir_context_get_failure (context));
    }
  x[17] = 0;
  g_assert_cmpint (weir_eval_rhs (system, context, 0, x, result->xdot[0]), ==, WEIR_OK);
  result->counters = g_new0 (WeirCounters, n_entries);
  weir_context_read_counters (context, result->counters);
  return result;
}

static void
result_free (Result *result)
{
  g_free (result->counters);
  g_free (result->failure);
  g_free (result);
}

static void
test_threads (gconstpointer is_random)
{
  g_autoptr (WeirSystem) system = large_new (GPOINTER_TO_INT (is_random));
  guint n_entries = weir_layout_get_n_entries (weir_system_get_layout (system));
  guint before = weir_crew_threads;
  Result *one = run (system, 1);

  for (guint n_threads = 2; n_threads <= 8; n_threads *= 2)
    {
      Result *more = run (system, n_threads);

      g_assert_cmpmem (one->xdot, sizeof one->xdot, more->xdot, sizeof more->xdot);
      g_assert_cmpmem (one->counters, n_entries * sizeof *one->counters, more->counters,
                       n_entries * sizeof *more->counters);
      g_assert_cmpstr (one->failure, ==, more->failure);
      result_free (more);
    }
  result_free (one);
  weir_crew_threads = before;
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/system/spread/streams", GINT_TO_POINTER (FALSE), test_threads);
  g_test_add_data_func ("/system/spread/gathered", GINT_TO_POINTER (TRUE), test_threads);
  return g_test_run ();
}
