/* Rows of change events: marking what is downstream, and finding what is out of date.
 *
 * The engine and the walk mark the same entries; their number is compared before anything is timed.
 */
#include "bench.h"
#include "diagrams.h"

#include <string.h>

#include "reference/refresh.h"
#include "reference/walk.h"
#include "system/context/inspection.h"
#include "system/evaluation/eval.h"

typedef struct {
  WeirSystem *system;
  WeirContext *context;
  WeirNode node; /* whose first parameter changes */
  double value;
} Change;

static void
run_time (gpointer data, guint64 n)
{
  Change *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      c->value += 1e-6;
      weir_context_set_time (c->context, c->value);
    }
}

static void
run_parameter (gpointer data, guint64 n)
{
  Change *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      c->value += 1e-6;
      weir_context_set_parameter (c->context, c->node, (WeirParameter) { 0 }, &c->value);
    }
}

static void
run_iterative (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    reference_walk_iterate (data);
}

static void
run_recursive (gpointer data, guint64 n)
{
  for (guint64 i = 0; i < n; i++)
    reference_walk_recurse (data);
}

static void
change_init (Change *c, const BenchGraph *graph, guint32 child)
{
  c->system = bench_graph_system_new (graph);
  c->context = weir_system_create_context (c->system);
  c->node = bench_child (child);
  c->value = 1;
}

static void
change_clear (Change *c)
{
  weir_context_free (c->context);
  weir_system_unref (c->system);
}

static guint32
count_out_of_date (const WeirContext *context)
{
  gsize n_words;
  const guint64 *words = weir_context_get_flags (context, &n_words);
  guint32 n = 0;

  for (gsize w = 0; w < n_words; w++)
    n += (guint32) __builtin_popcountll (words[w]);
  return n;
}

/* Brings every entry up to date. */
static void
evaluate_all (const Change *c)
{
  guint n = weir_layout_get_n_entries (weir_system_get_layout (c->system));

  for (guint32 e = 0; e < n; e++)
    if (weir_eval_entry (c->system, c->context, (WeirEntry) { e }) == NULL)
      g_error ("%s", weir_context_get_failure (c->context));
}

static void
check_marked (Change *c, void (*run) (gpointer data, guint64 n), guint32 expected)
{
  evaluate_all (c);
  run (c, 1);
  if (count_out_of_date (c->context) != expected)
    g_error ("An event marked %u entries instead of %u.", count_out_of_date (c->context), expected);
}

static void
compare_with_walks (Change *c, void (*run) (gpointer data, guint64 n), const BenchGraph *graph,
                    BenchResult *result)
{
  Walk *walk = reference_walk_new (graph->n, graph->first, graph->ups, TRUE);
  Walk *lean = reference_walk_new (graph->n, graph->first, graph->ups, FALSE);
  BenchVariant variants[] = { { run, c, 0, 0, 0 },
                              { run_iterative, walk, 0, 0, 0 },
                              { run_recursive, walk, 0, 0, 0 } };
  BenchVariant entries_alone[] = { { run_iterative, lean, 0, 0, 0 },
                                   { run_recursive, lean, 0, 0, 0 } };

  run_iterative (walk, 1);
  check_marked (c, run, reference_walk_take_flags (walk));
  run_recursive (walk, 1);
  check_marked (c, run, reference_walk_take_flags (walk));
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  bench_sample (entries_alone, G_N_ELEMENTS (entries_alone));
  result->note = g_strdup_printf (
      "%s walk; without ports %.0f times faster",
      variants[1].median < variants[2].median ? "iterative" : "recursive",
      MIN (entries_alone[0].median, entries_alone[1].median) / result->value);
  reference_walk_free (walk);
  reference_walk_free (lean);
}

static void
measure_time_event (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, row->size);
  Change c;

  change_init (&c, graph, 0);
  compare_with_walks (&c, run_time, graph, result);
  change_clear (&c);
  bench_graph_free (graph);
}

static void
measure_chain_event (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_SERIES, row->size);
  Change c;

  change_init (&c, graph, 0);
  compare_with_walks (&c, run_parameter, graph, result);
  change_clear (&c);
  bench_graph_free (graph);
}

static void
measure_narrow_event (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, row->size);
  guint32 child = 50 * 1000 + 498; /* in its binary tree of 1 000: the parent of 997 and 998 */
  Change c;
  BenchVariant variant = { run_parameter, &c, 0, 0, 0 };

  change_init (&c, graph, child);
  check_marked (&c, run_parameter, 3);
  bench_compare (&variant, 1, result);
  change_clear (&c);
  bench_graph_free (graph);
}

/* --- Finding and recomputing ----------------------------------------------------------------- */

#define N_GAINS 50000

static void
run_refresh (gpointer data, guint64 n)
{
  Change *c = data;

  for (guint64 i = 0; i < n; i++)
    {
      c->value += 1e-6;
      weir_context_set_parameter (c->context, c->node, (WeirParameter) { 0 }, &c->value);
      if (weir_eval_derivatives (c->system, c->context) == NULL)
        g_error ("%s", weir_context_get_failure (c->context));
    }
}

typedef struct {
  Refresh *refresh;
  double value;
} RefreshData;

static void
run_refresh_reference (gpointer data, guint64 n)
{
  RefreshData *r = data;

  for (guint64 i = 0; i < n; i++)
    {
      r->value += 1e-6;
      reference_refresh (r->refresh, r->value);
    }
}

static void
measure_refresh (const BenchRow *row, BenchResult *result)
{
  gboolean grouped = row->size != 0;
  RefreshData reference = { reference_refresh_new (N_GAINS, grouped), 1 };
  guint32 child;
  Change c = { .system = bench_refresh_new (N_GAINS, grouped, &child), .value = 1 };
  BenchVariant variants[] = { { run_refresh, &c, 0, 0, 0 },
                              { run_refresh_reference, &reference, 0, 0, 0 } };

  c.context = weir_system_create_context (c.system);
  c.node = bench_child (child);
  run_refresh (&c, 3);
  run_refresh_reference (&reference, 3);
  if (memcmp (weir_eval_derivatives (c.system, c.context),
              reference_refresh_get (reference.refresh), N_GAINS * sizeof (double))
      != 0)
    g_error ("The refreshed values differ from their reference.");
  run_parameter (&c, 1);
  if (count_out_of_date (c.context) != 2 * N_GAINS / 100 + 1) /* and the diagram's own xcdot */
    g_error ("An event marked %u entries.", count_out_of_date (c.context));
  bench_compare (variants, 2, result);
  change_clear (&c);
  reference_refresh_free (reference.refresh);
}

const BenchRow bench_event_rows[] = {
  { "event-100", "change of time, 100 entries downstream", "ns", BENCH_FASTER_BY, 50,
    measure_time_event, 100 },
  { "event-1k", "change of time, 1 000 entries downstream", "ns", BENCH_FASTER_BY, 300,
    measure_time_event, 1000 },
  { "event-100k", "change of time, 100 000 entries downstream", "ns", BENCH_FASTER_BY, 1000,
    measure_time_event, 100000 },
  { "event-chain-100k", "change of the first parameter of a series chain", "ns", BENCH_FASTER_BY,
    100, measure_chain_event, 100000 },
  { "event-narrow", "change of a parameter, 3 of 100 000 entries downstream", "ns",
    BENCH_VALUE_AT_MOST, 20, measure_narrow_event, 100000 },
  { "event-refresh", "1 % of 100 000 entries marked, found, recomputed; in runs", "ns",
    BENCH_FASTER_BY, 20, measure_refresh, TRUE },
  { "event-refresh-spread", "the same, every hundredth entry", "ns", BENCH_FASTER_BY, 5,
    measure_refresh, FALSE },
  { NULL },
};
