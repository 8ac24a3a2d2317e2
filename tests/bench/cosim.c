/* Rows of co-simulation: what a task costs whose unit does nothing, and two heavy units at once. */
#include "bench.h"

#include "../cosim/counters.h"

#define N_CHAINS 4
#define N_UNITS (2 * N_CHAINS)

typedef struct {
  Run run;
  guint64 n; /* communication steps so far, of 1 s */
} Steps;

/* @n_chains chains of @length units. */
static WeirSystem *
chains_new (const CounterData *data, guint n_chains, guint length)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *root;

  for (guint i = 0; i < n_chains * length; i++)
    {
      g_autofree char *name = g_strdup_printf ("U%u", i), *before = g_strdup_printf ("U%u", i - 1);
      g_autoptr (WeirSystem) unit = counter_new (data);

      weir_diagram_builder_add (b, name, unit);
      if (i % length > 0)
        weir_diagram_builder_connect_by_name (b, before, "y", name, "u");
    }
  root = weir_diagram_builder_build (b, &error);
  if (root == NULL)
    g_error ("%s", error->message);
  return root;
}

static void
make_steps (gpointer data, guint64 n)
{
  Steps *self = data;

  for (guint64 i = 0; i < n; i++)
    run_to (&self->run, (double) ++self->n);
}

static void
measure_task (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  static const CounterData idle;
  Steps steps = { .n = 0 };
  BenchVariant variants[] = { { make_steps, &steps, 0, 0, 0 } };

  run_begin (&steps.run, chains_new (&idle, N_CHAINS, N_UNITS / N_CHAINS), 1,
             WEIR_STEP_SCHEDULING_CASCADING_PARALLEL, 2);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value /= 1e3 * N_UNITS;
  result->best_value /= 1e3 * N_UNITS;
  run_end (&steps.run);
}

/* --- Two heavy units ------------------------------------------------------------------------- */

static void
work (G_GNUC_UNUSED gpointer data, double t)
{
  double x = t;

  for (guint i = 0; i < 400000; i++)
    x = x * 0.999 + 1e-3;
  bench_sink = x;
}

static void
measure_speedup (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  static const CounterData heavy = { .in_step = work };
  Steps two = { .n = 0 }, one = { .n = 0 };
  BenchVariant variants[] = { { make_steps, &two, 0, 0, 0 }, { make_steps, &one, 0, 0, 0 } };

  run_begin (&two.run, chains_new (&heavy, 2, 1), 1, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 2);
  run_begin (&one.run, chains_new (&heavy, 2, 1), 1, WEIR_STEP_SCHEDULING_FULL_PARALLEL, 1);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value /= 1e3;
  result->reference /= 1e3;
  result->best_value /= 1e3;
  result->best_reference /= 1e3;
  run_end (&two.run);
  run_end (&one.run);
}

const BenchRow bench_cosim_rows[] = {
  { "cosim-task", "a task of co-simulation whose unit does nothing, on two threads", "us",
    BENCH_VALUE_AT_MOST, 3, measure_task, 0 },
  { "cosim-speedup", "a step of two equal heavy units on two threads; on one", "us",
    BENCH_RATIO_AT_MOST, 0.54, measure_speedup, 0 },
  { NULL },
};
