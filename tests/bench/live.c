/* The rows of showing a run live: what plots and the views of the cache cost the run's thread.
 *
 * The figure is processor time, not time that passed: of the whole process without what this thread
 * used, while this thread reads every snapshot and goes through all counters as overlay and table
 * do, and through what was recorded as plots do. The reference is the same simulation on this
 * thread, recording the same, with nobody to look and no snapshots.
 */
#include "bench.h"
#include "diagrams.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "sim/session.h"
#include "system/evaluation/eval.h"

#define N_MASSES 2000 /* five blocks each: the views of the cache */
#define N_MASSES_PLOTTED 100
#define N_PORTS 8 /* recorded of those */
#define FRAME_US (G_USEC_PER_SEC / 60)
#define MAX_SAMPLES 15

static double
cpu_ns (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return (double) t.tv_sec * 1e9 + (double) t.tv_nsec;
}

static WeirSystem *
system_new (guint n_masses)
{
  g_autofree double *k = g_new (double, n_masses + 1), *c = g_new (double, n_masses);

  for (guint i = 0; i <= n_masses; i++)
    k[i] = 1 + 0.1 * sin (i);
  for (guint i = 0; i < n_masses; i++)
    c[i] = 0.01;
  return bench_chain_new (n_masses, k, c);
}

/* @n outputs of blocks, evenly over the diagram. (transfer full) */
static char **
list_ports (WeirSystem *system, guint n)
{
  WeirLayout *layout = weir_system_get_layout (system);
  guint n_nodes = weir_layout_get_n_nodes (layout);
  char **ports = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      WeirNode node = { 1 + i * (n_nodes - 1) / n };
      g_autofree char *path = NULL;

      while (weir_layout_get_n_outputs (layout, node) == 0)
        node.i--;
      path = weir_layout_dup_path (layout, node);
      ports[i] = g_strconcat (path, ".",
                              weir_layout_get_output_name (layout, node, (WeirOutput) { 0 }), NULL);
    }
  return ports;
}

static void
init_options (WeirSimulatorOptions *options)
{
  weir_simulator_options_init (options);
  options->solver = "rk4";
  options->step = 1e-3;
}

/* What the views read: every counter, flag and time of the newest snapshot. */
static void
look (WeirSession *session)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  double sum = 0;

  for (guint e = 0; e < snapshot->n_entries; e++)
    {
      const WeirCounters *counters = &snapshot->counters[e];

      sum += (double) (counters->hits + counters->first + counters->stale + counters->disabled
                       + counters->invalidations + ((snapshot->flags[e / 64] >> (e % 64)) & 1));
      sum += (double) snapshot->mean_ns[e];
    }
  bench_sink += sum;
}

/* What plots read: rows that came since the last time. */
static void
look_at_rows (WeirSession *session, gsize *seen)
{
  WeirRecorder *recorder = weir_session_get_recorder (session);
  gsize n = weir_recorder_get_n_rows (recorder);

  for (guint s = 0; s < weir_recorder_get_n_signals (recorder); s++)
    for (gsize row = *seen; row < n; row++)
      bench_sink += weir_recorder_get_value (recorder, s, row);
  *seen = n;
}

static WeirStatus
record (WeirSimulator *simulator, WeirPhase phase, gpointer data)
{
  return weir_recorder_record (data, weir_simulator_get_context (simulator), phase);
}

static double
run_shown (WeirSystem *system, char **ports, double until)
{
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  double process, here;
  gsize seen = 0;

  init_options (&options);
  session = weir_session_new (system, &options, until, 0, (const char *const *) ports, &error);
  if (session == NULL)
    g_error ("%s", error->message);
  process = cpu_ns (CLOCK_PROCESS_CPUTIME_ID);
  here = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  weir_session_run (session);
  while (weir_session_get_state (session) != WEIR_SESSION_FINISHED)
    {
      g_usleep (FRAME_US);
      look (session);
      look_at_rows (session, &seen);
    }
  weir_session_join (session);
  return (cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - process) - (cpu_ns (CLOCK_THREAD_CPUTIME_ID) - here);
}

static double
run_unshown (WeirSystem *system, char **ports, double until)
{
  g_autoptr (WeirContext) context = weir_system_create_context (system);
  g_autoptr (WeirSimulator) simulator = NULL;
  g_autoptr (WeirRecorder) recorder = NULL;
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions options;
  double start;

  init_options (&options);
  simulator = weir_simulator_new (system, context, &options, &error);
  if (simulator == NULL)
    g_error ("%s", error->message);
  recorder = weir_recorder_new (system, (const char *const *) ports, FALSE, &error);
  if (recorder == NULL)
    g_error ("%s", error->message);
  weir_simulator_set_monitor (simulator, record, recorder);
  start = cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  if (!weir_simulator_initialize (simulator, &error)
      || !weir_simulator_advance_to (simulator, until, &error))
    g_error ("%s", error->message);
  bench_sink += weir_context_get_state (context)[0];
  return cpu_ns (CLOCK_THREAD_CPUTIME_ID) - start;
}

static int
compare_numbers (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

static void
measure (guint n_masses, guint n_ports, BenchResult *result)
{
  g_autoptr (WeirSystem) system = system_new (n_masses);
  g_auto (GStrv) ports = list_ports (system, n_ports);
  double shown[MAX_SAMPLES], unshown[MAX_SAMPLES], until = 0.05;
  guint n = bench_is_quick () ? 3 : MAX_SAMPLES;

  /* Long enough for many snapshots. */
  until *= MAX (1, 0.7e9 / run_unshown (system, ports, until));
  for (guint i = 0; i < n; i++)
    {
      shown[i] = run_shown (system, ports, until);
      unshown[i] = run_unshown (system, ports, until);
    }
  qsort (shown, n, sizeof *shown, compare_numbers);
  qsort (unshown, n, sizeof *unshown, compare_numbers);
  result->value = shown[n / 2] / 1e6;
  result->reference = unshown[n / 2] / 1e6;
  result->best_value = shown[0] / 1e6;
  result->best_reference = unshown[0] / 1e6;
  result->note = g_strdup_printf ("%u blocks, %u signals recorded", 5 * n_masses, n_ports);
}

static void
measure_live (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  measure (N_MASSES_PLOTTED, N_PORTS, result);
}

static void
measure_overlay (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  measure (N_MASSES, 0, result);
}

const BenchRow bench_live_rows[] = {
  { "live-overhead", "processor time of a run of 500 blocks that is plotted live", "ms",
    BENCH_RATIO_AT_MOST, 1.05, measure_live, 0 },
  { "overlay-overhead", "processor time of a run of 10 000 blocks whose cache is shown", "ms",
    BENCH_RATIO_AT_MOST, 1.05, measure_overlay, 0 },
  { NULL },
};
