/* Rows of the scrubber and the timeline: any of a million logged events, shown.
 *
 * The log is of a chain of masses under steps of four trials, so that each request computes
 * and each event reaches thousands of values. Before anything is timed, places reached at random
 * are compared with a straight replay by bytes.
 */
#include "bench.h"
#include "diagrams.h"

#include <math.h>
#include <string.h>

#include "analysis/scrubber.h"
#include "paint/plots/timeline.h"
#include "system/observation/change-log.h"
#include "system/evaluation/eval.h"

#define N_EVENTS 1000000
#define N_MASSES 1000

static WeirTrace *
log_chain (void)
{
  double k[N_MASSES], c[N_MASSES];
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirContext) context = NULL;
  g_autoptr (WeirChangeLog) log = NULL;
  g_autofree double *x = NULL, *xdot = NULL;
  double time = 0;
  guint32 n;

  for (guint i = 0; i < N_MASSES; i++)
    {
      k[i] = 3 + i % 7 * 0.25;
      c[i] = 0.1 + i % 5 * 0.01;
    }
  system = bench_chain_new (N_MASSES, k, c);
  context = weir_system_create_context (system);
  n = weir_layout_get_n_states (weir_system_get_layout (system));
  x = g_memdup2 (weir_context_get_state (context), n * sizeof *x);
  xdot = g_new0 (double, n);
  x[0] = 1;
  weir_context_start_log (context, WEIR_LOG_MODE_EVENTS, 1u << 21);
  while (weir_context_get_n_events (context) < N_EVENTS)
    {
      weir_context_set_phase (context, WEIR_LOG_PHASE_INTEGRATION);
      for (guint s = 0; s < 4; s++)
        if (weir_eval_rhs (system, context, time + s * 2.5e-5, x, xdot) != WEIR_OK)
          g_error ("%s", weir_context_get_failure (context));
      for (guint32 i = 0; i < n; i++)
        x[i] += 1e-4 * xdot[i];
      time += 1e-4;
      weir_context_set_time_and_state (context, time, x);
      weir_context_set_phase (context, WEIR_LOG_PHASE_MONITOR);
      bench_sink = weir_eval_entry (system, context, (WeirEntry) { 0 })[0];
    }
  log = weir_context_stop_log (context);
  return weir_trace_new (log, "chain");
}

typedef struct {
  WeirTrace *trace;
  WeirScrubber *scrubber;
  WeirCounters *counters;
  GRand *rand;
  gsize n_records;
} Scrub;

static gsize
choose_event (Scrub *s)
{
  gsize from = (gsize) (g_rand_double (s->rand) * (double) s->n_records);
  gsize found = weir_scrubber_find_previous_event (s->scrubber, from + 1, NULL);

  return found == G_MAXSIZE ? 0 : found;
}

static void
show_events (gpointer data, guint64 n)
{
  Scrub *s = data;

  for (guint64 i = 0; i < n; i++)
    {
      if (!weir_scrubber_seek (s->scrubber,
                               weir_scrubber_get_place_after (s->scrubber, choose_event (s)), NULL))
        g_error ("The log cannot be read.");
      weir_scrubber_read_counters (s->scrubber, s->counters);
      bench_sink = (double) s->counters[0].hits;
    }
}

/* Flags at places chosen at random, against a replay that knows nothing of what the
 * scrubber keeps. */
static void
check (Scrub *s)
{
  g_autoptr (WeirReplay) replay = weir_replay_new (s->trace);
  gsize bytes = weir_trace_get_n_entries (s->trace) / 64 * 8;

  for (guint i = 0; i < 20; i++)
    {
      gsize place = weir_scrubber_get_place_after (s->scrubber, choose_event (s));

      if (!weir_scrubber_seek (s->scrubber, place, NULL) || !weir_replay_seek (replay, place, NULL)
          || memcmp (weir_scrubber_get_out_of_date (s->scrubber),
                     weir_replay_get_out_of_date (replay), bytes)
                 != 0)
        g_error ("The scrubber is not where the replay is.");
    }
}

static void
scrub_init (Scrub *s)
{
  s->trace = log_chain ();
  s->scrubber = weir_scrubber_new (s->trace, 0, NULL, NULL, NULL);
  if (s->scrubber == NULL)
    g_error ("The log cannot be read.");
  s->counters = g_new0 (WeirCounters, weir_trace_get_n_entries (s->trace) + 1);
  s->rand = g_rand_new_with_seed (1);
  weir_trace_get_records (s->trace, &s->n_records);
}

static void
scrub_clear (Scrub *s)
{
  weir_scrubber_free (s->scrubber);
  weir_trace_unref (s->trace);
  g_rand_free (s->rand);
  g_free (s->counters);
}

static void
measure_scrub (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Scrub s;
  BenchVariant variant = { show_events, &s, 0, 0, 0 };

  scrub_init (&s);
  check (&s);
  bench_sample (&variant, 1);
  *result = (BenchResult) { variant.median / 1e6, (double) NAN, variant.best / 1e6, (double) NAN,
                            NULL };
  result->note = g_strdup_printf ("%u entries, %" G_GSIZE_FORMAT " records",
                                  weir_trace_get_n_entries (s.trace), s.n_records);
  scrub_clear (&s);
}

/* --- Frames ---------------------------------------------------------------------------------- */

typedef struct {
  WeirTimeline *timeline;
  cairo_t *cr;
  gsize n_records;
} Frame;

static void
draw_frames (gpointer data, guint64 n)
{
  Frame *f = data;

  for (guint64 i = 0; i < n; i++)
    {
      weir_timeline_set_cursor (f->timeline, (gsize) i * 7919 % f->n_records);
      weir_timeline_draw (f->timeline, f->cr, 1400, 300, weir_palette_find (FALSE, FALSE));
    }
  bench_sink = (double) weir_timeline_get_n_marks (f->timeline);
}

static void
measure_frame (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Scrub s;
  Frame f;
  BenchVariant variant = { draw_frames, &f, 0, 0, 0 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 1400, 300);

  scrub_init (&s);
  f = (Frame) { weir_timeline_new (), cairo_create (surface), s.n_records };
  weir_timeline_set_records (f.timeline, weir_trace_get_records (s.trace, &s.n_records),
                             weir_scrubber_get_amounts (s.scrubber), s.n_records, NULL, NULL);
  bench_sample (&variant, 1);
  *result = (BenchResult) { variant.median / 1e6, (double) NAN, variant.best / 1e6, (double) NAN,
                            NULL };
  result->note = g_strdup_printf ("%" G_GSIZE_FORMAT " records in view", s.n_records);
  weir_timeline_free (f.timeline);
  cairo_destroy (f.cr);
  cairo_surface_destroy (surface);
  scrub_clear (&s);
}

const BenchRow bench_scrub_rows[] = {
  { "scrub-1m", "show any of 1 000 000 recorded events of 1 000 masses", "ms", BENCH_VALUE_AT_MOST,
    16, measure_scrub, 0 },
  { "timeline-1m", "a frame of the timeline that shows all of them", "ms", BENCH_VALUE_AT_MOST, 16,
    measure_frame, 0 },
  { NULL },
};
