/* Threads: many contexts of one system, each its thread's own; one frozen context read by many.
 * Meant for the thread sanitizer; the values are checked as well.
 */
#include "probe.h"

enum { N_THREADS = 8, N_ROUNDS = 200 };

typedef struct {
  WeirSystem *system;
  WeirContext *context; /* shared and frozen, or NULL */
  WeirEntry stale;      /* of the shared one */
  double offset;
} Job;

/* Masks, layouts and plans are made at first use: all threads begin at once. */
static gpointer
run_own_context (gpointer data)
{
  const Job *job = data;
  g_autoptr (WeirContext) context = weir_system_create_context (job->system);
  WeirNode b = probe_node (context, "inner.b");
  WeirOutput y = { 0 };

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      double q = job->offset + i, u = -job->offset, xdot[9];
      const double *x;

      weir_context_fix_input (context, WEIR_ROOT, (WeirInput) { 0 }, &u);
      weir_context_set_part (context, b, WEIR_STATE_Q, &q);
      weir_context_set_time (context, i);
      g_assert_cmpfloat (weir_eval_output (job->system, context, WEIR_ROOT, y)[0], ==,
                         u + 1 + q + 1);
      x = weir_context_get_state (context);
      g_assert_cmpint (weir_eval_rhs (job->system, context, i + 0.5, x, xdot), ==, WEIR_OK);
      g_assert_cmpfloat (xdot[0], ==, u - 1);
    }
  return NULL;
}

static gpointer
read_shared_context (gpointer data)
{
  const Job *job = data;
  WeirEntry root_xcdot = probe_entry (job->context, "", WEIR_XCDOT);
  WeirOutput y = { 0 };
  double value;

  for (guint i = 0; i < N_ROUNDS; i++)
    {
      g_assert_cmpfloat (weir_eval_output (job->system, job->context, WEIR_ROOT, y)[0], ==, 3);
      g_assert_cmpfloat (weir_eval_entry (job->system, job->context, root_xcdot)[1], ==, -2);
      g_assert_cmpint (weir_eval_energy (job->system, job->context, WEIR_ROOT, WEIR_PE, &value), ==,
                       WEIR_OK);
      g_assert_cmpfloat (value, ==, 15);
      g_assert_null (weir_eval_entry (job->system, job->context, job->stale));
      g_assert_nonnull (strstr (weir_context_get_failure (job->context), "the context is frozen"));
    }
  return NULL;
}

static void
run_threads (GThreadFunc func, const Job *model)
{
  GThread *threads[N_THREADS];
  Job jobs[N_THREADS];

  for (guint i = 0; i < N_THREADS; i++)
    {
      jobs[i] = *model;
      jobs[i].offset = i;
      threads[i] = g_thread_new ("reader", func, &jobs[i]);
    }
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

static void
test_own_contexts (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();

  run_threads (run_own_context, &(Job) { .system = tree });
}

static void
test_shared_frozen_context (void)
{
  g_autoptr (WeirSystem) tree = probe_tree_new ();
  g_autoptr (WeirContext) context = probe_context_new (tree), before = NULL;
  WeirEntry stale = probe_listener (context, "inner.c", WEIR_TICKET_NOTHING);
  const WeirLayout *layout = weir_context_get_layout (context);

  weir_context_mark (context, stale, FALSE);
  weir_context_set_frozen (context, TRUE);
  before = weir_context_clone (context);
  run_threads (read_shared_context, &(Job) { .system = tree, .context = context, .stale = stale });
  /* Nothing was written, counters included. */
  g_assert_cmpmem (context->arena, layout->arena.size * sizeof (double), before->arena,
                   layout->arena.size * sizeof (double));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/system/threads/own-contexts", test_own_contexts);
  g_test_add_func ("/system/threads/shared-frozen-context", test_shared_frozen_context);
  return g_test_run ();
}
