/* Rows of ensembles: 256 runs of Van der Pol from other starts, advanced together and one after
 * another, and by two threads. Before anything is timed the final states of both are compared by
 * their bytes.
 */
#include "bench.h"
#include "diagrams.h"

#include <string.h>

#include "ensemble/ensemble.h"
#include "system/evaluation/eval.h"

#define N 256
#define STOP 10.0 /* s */

typedef struct {
  WeirSystem *system;
  WeirContext *start;
  WeirEnsemble *ensemble;
  double last[N][2];
} Runs;

static gboolean
prepare (gsize member, WeirContext *context, G_GNUC_UNUSED gpointer data,
         G_GNUC_UNUSED GError **error)
{
  double x[] = { 0.5 + (double) member * 0.01, 0 };

  weir_context_set_state (context, x);
  return TRUE;
}

static void
take (const WeirEnsembleResult *result, gpointer data)
{
  Runs *runs = data;

  if (result->error != NULL)
    g_error ("%s", result->error->message);
  memcpy (runs->last[result->member], weir_context_get_state (result->context),
          sizeof runs->last[0]);
}

static void
run (gpointer data, guint64 n)
{
  Runs *runs = data;
  g_autoptr (GError) error = NULL;

  for (guint64 i = 0; i < n; i++)
    if (!weir_ensemble_run (runs->ensemble, N, prepare, take, runs, &error))
      g_error ("%s", error->message);
  bench_sink = runs->last[N - 1][0];
}

static void
runs_init (Runs *runs, const char *solver, guint threads, gboolean is_separate)
{
  g_autoptr (GError) error = NULL;
  WeirEnsembleOptions options;

  runs->system = bench_van_der_pol_new (1);
  runs->start = weir_system_create_context (runs->system);
  weir_ensemble_options_init (&options);
  options.run.solver = solver;
  options.run.step = 0.01;
  options.stop_time = STOP;
  options.threads = threads;
  options.is_separate = is_separate;
  runs->ensemble = weir_ensemble_new (runs->system, runs->start, &options, NULL, &error);
  if (runs->ensemble == NULL)
    g_error ("%s", error->message);
  if (!is_separate && weir_ensemble_get_reason (runs->ensemble) != NULL)
    g_error ("%s", weir_ensemble_get_reason (runs->ensemble));
}

static void
runs_clear (Runs *runs)
{
  weir_ensemble_free (runs->ensemble);
  weir_context_free (runs->start);
  weir_system_unref (runs->system);
}

static void
compare (const char *solver, guint threads, gboolean is_separate, double per_member,
         BenchResult *result)
{
  g_autofree Runs *together = g_new0 (Runs, 1);
  g_autofree Runs *others = g_new0 (Runs, 1);
  BenchVariant variants[] = { { .run = run, .data = together }, { .run = run, .data = others } };

  runs_init (together, solver, threads, FALSE);
  runs_init (others, solver, 1, is_separate);
  run (together, 1);
  run (others, 1);
  if (memcmp (together->last, others->last, sizeof together->last) != 0)
    g_error ("Final states differ.");
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value *= per_member;
  result->reference *= per_member;
  result->best_value *= per_member;
  result->best_reference *= per_member;
  runs_clear (together);
  runs_clear (others);
}

static void
measure_own_steps (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  compare ("dormand-prince", 1, TRUE, 1e-3 / N, result);
}

static void
measure_rk4 (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  compare ("rk4", 1, TRUE, 1e-3 / N, result);
}

static void
measure_threads (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  compare ("rk4", 2, FALSE, 1e-3 / N, result);
}

const BenchRow bench_ensemble_rows[] = {
  { "ensemble-256", "a member of 256 runs with own steps; one after another", "us",
    BENCH_RATIO_AT_MOST, 1.0 / 6, measure_own_steps, 0 },
  { "ensemble-256-rk4", "the same with Runge-Kutta 4", "us", BENCH_RATIO_AT_MOST, 1.0 / 12,
    measure_rk4, 0 },
  { "ensemble-threads", "the same by two threads; by one", "us", BENCH_FASTER_BY, 1.9,
    measure_threads, 0 },
  { .name = NULL },
};
