/* Rows of large graphs: building 1 000 000 entries, and cloning a context of 100 000.
 *
 * Building runs from the first block added to a context ready to evaluate, each graph in a process
 * of its own, so that its peak memory is its own; that peak counts the program itself too.
 */
#include "bench.h"
#include "diagrams.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/evaluation/checkpoint.h"
#include "system/context/context-private.h"
#include "system/evaluation/eval.h"

#define N_GRAPHS 4

static const char *const names[N_GRAPHS] = { "forest", "series chain", "grid", "random graph" };

typedef struct {
  double seconds, mebibytes;
} Cost;

static double
build (BenchGraphKind kind, guint32 n)
{
  BenchGraph *graph = bench_graph_new (kind, n);
  gint64 start = g_get_monotonic_time ();
  WeirSystem *system = bench_graph_system_new (graph);
  WeirContext *context = weir_system_create_context (system);
  double seconds = (double) (g_get_monotonic_time () - start) * 1e-6;

  if (weir_layout_get_n_entries (weir_context_get_layout (context)) != graph->n)
    g_error ("The %s has %u entries instead of %u.", names[kind],
             weir_layout_get_n_entries (weir_context_get_layout (context)), graph->n);
  return seconds;
}

static Cost
build_apart (BenchGraphKind kind, guint32 n)
{
  Cost cost = { NAN, NAN };
  struct rusage usage;
  int ends[2], status;
  pid_t child;

  if (pipe (ends) != 0 || (child = fork ()) < 0)
    g_error ("No process for building a graph: %s.", g_strerror (errno));
  if (child == 0)
    {
      double seconds = build (kind, n);

      _exit (write (ends[1], &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
    }
  close (ends[1]);
  if (read (ends[0], &cost.seconds, sizeof cost.seconds) != sizeof cost.seconds
      || wait4 (child, &status, 0, &usage) != child || status != 0)
    g_error ("Building the %s failed.", names[kind]);
  close (ends[0]);
  cost.mebibytes = (double) usage.ru_maxrss / 1024;
  return cost;
}

/* The best of three builds of each graph (quick: one), measured once for both rows. */
static const Cost *
get_costs (guint32 n)
{
  static Cost costs[N_GRAPHS];

  for (guint g = 0; g < N_GRAPHS && costs[N_GRAPHS - 1].seconds == 0; g++)
    {
      costs[g] = build_apart (g, n);
      for (guint again = 0; again < (bench_is_quick () ? 0 : 2); again++)
        costs[g].seconds = MIN (costs[g].seconds, build_apart (g, n).seconds);
    }
  return costs;
}

static void
measure_graph (const BenchRow *row, BenchResult *result)
{
  const Cost *costs = get_costs (1000000);
  gboolean memory = row->size != 0;
  g_autoptr (GString) note = g_string_new (NULL);

  for (guint g = 0; g < N_GRAPHS; g++)
    {
      double value = memory ? costs[g].mebibytes : costs[g].seconds;

      result->value = MAX (result->value, value);
      g_string_append_printf (note, "%s%s %.*f", g > 0 ? ", " : "", names[g], memory ? 0 : 2,
                              value);
    }
  result->best_value = result->value;
  result->note = g_string_free (g_steal_pointer (&note), FALSE);
}

/* --- Cloning --------------------------------------------------------------------------------- */

typedef struct {
  WeirContext *context;
  gsize bytes;
  char *from;
} Copy;

static void
run_clone (gpointer data, guint64 n)
{
  Copy *copy = data;

  for (guint64 i = 0; i < n; i++)
    weir_context_free (weir_context_clone (copy->context));
}

/* A block of the same size taken, filled and given back. */
static void
run_copy (gpointer data, guint64 n)
{
  Copy *copy = data;

  for (guint64 i = 0; i < n; i++)
    {
      char *to = aligned_alloc (64, copy->bytes);

      memcpy (to, copy->from, copy->bytes);
      bench_sink = to[i % copy->bytes];
      free (to);
    }
}

static void
measure_clone (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, row->size);
  WeirSystem *system = bench_graph_system_new (graph);
  Copy copy = { .context = weir_system_create_context (system) };
  BenchVariant variants[] = { { run_clone, &copy, 0, 0, 0 }, { run_copy, &copy, 0, 0, 0 } };

  copy.bytes = (gsize) copy.context->layout->arena.size * sizeof (double);
  copy.from = g_malloc (copy.bytes);
  memset (copy.from, 1, copy.bytes);
  bench_compare (variants, 2, result);
  result->note = g_strdup_printf ("%.1f MB", (double) copy.bytes * 1e-6);
  g_free (copy.from);
  weir_context_free (copy.context);
  weir_system_unref (system);
  bench_graph_free (graph);
}

static void
run_save (gpointer data, guint64 n)
{
  Copy *copy = data;

  for (guint64 i = 0; i < n; i++)
    g_bytes_unref (weir_context_save (copy->context));
}

static void
measure_checkpoint (const BenchRow *row, BenchResult *result)
{
  BenchGraph *graph = bench_graph_new (BENCH_FOREST, row->size);
  WeirSystem *system = bench_graph_system_new (graph);
  Copy copy = { .context = weir_system_create_context (system) };
  BenchVariant variants[] = { { run_save, &copy, 0, 0, 0 }, { run_copy, &copy, 0, 0, 0 } };
  g_autoptr (GBytes) saved = weir_context_save (copy.context);

  copy.bytes = g_bytes_get_size (saved);
  copy.from = g_malloc (copy.bytes);
  memset (copy.from, 1, copy.bytes);
  bench_compare (variants, 2, result);
  result->note = g_strdup_printf ("%.1f MB", (double) copy.bytes * 1e-6);
  g_free (copy.from);
  weir_context_free (copy.context);
  weir_system_unref (system);
  bench_graph_free (graph);
}

const BenchRow bench_graph_rows[] = {
  { "graph-1m", "build 1 000 000 entries", "s", BENCH_VALUE_AT_MOST, 1.3, measure_graph, FALSE },
  { "graph-1m-memory", "its peak memory", "MiB", BENCH_VALUE_AT_MOST, 614, measure_graph, TRUE },
  { "clone-100k", "clone a context of 100 000 entries", "ns", BENCH_RATIO_AT_MOST, 2, measure_clone,
    100000 },
  { "checkpoint-100k", "save a context of 100 000 entries", "ns", BENCH_RATIO_AT_MOST, 2,
    measure_checkpoint, 100000 },
  { NULL },
};
