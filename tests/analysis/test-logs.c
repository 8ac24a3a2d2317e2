/* A run of every model that Weir brings along, logged from its beginning: what the scrubber
 * counts to the end is what the run counted, flags and last events too, and a run that nobody
 * records gives the same bits.
 */
#include <math.h>
#include <string.h>

#include "analysis/scrubber.h"
#include "cosim/cosim.h"
#include "model/completion/completion.h"
#include "model/tree/model.h"
#include "model/tree/settings.h"
#include "model/files/xml.h"
#include "sim/session.h"

#define STEPS 400 /* at most, of each run */

static WeirSession *
run (WeirSystem *system, const WeirSimulatorOptions *options, double stop_time,
     const char *const *logs, gboolean logged, WeirLogMode mode)
{
  g_autoptr (GError) error = NULL;
  WeirSession *session = weir_session_new (system, options, stop_time, 0, logs, &error);

  g_assert_no_error (error);
  if (logged)
    weir_session_start_log (session, mode, 1u << 20);
  weir_session_run (session);
  weir_session_join (session);
  return session;
}

static void
check_counters (const WeirSnapshot *live, WeirScrubber *scrubber, gsize n)
{
  g_autofree WeirCounters *counters = g_new0 (WeirCounters, live->n_entries + 1);
  g_autoptr (GError) error = NULL;

  weir_scrubber_seek (scrubber, n, &error);
  g_assert_no_error (error);
  weir_scrubber_read_counters (scrubber, counters);
  for (guint e = 0; e < live->n_entries; e++)
    {
      g_assert_cmpuint (counters[e].first, ==, live->counters[e].first);
      g_assert_cmpuint (counters[e].stale, ==, live->counters[e].stale);
      g_assert_cmpuint (counters[e].disabled, ==, live->counters[e].disabled);
      g_assert_cmpuint (counters[e].invalidations, ==, live->counters[e].invalidations);
      g_assert_cmpuint (counters[e].hits, ==, live->counters[e].hits);
    }
  g_assert_cmpmem (weir_scrubber_get_out_of_date (scrubber), (live->n_entries + 63) / 64 * 8,
                   live->flags, (live->n_entries + 63) / 64 * 8);
  g_assert_cmpmem (weir_scrubber_get_source_events (scrubber), live->n_sources * 8,
                   live->source_last, live->n_sources * 8);
  g_assert_cmpuint (weir_scrubber_get_n_events (scrubber), ==, live->n_events);
}

static void
check_same_run (WeirSession *a, WeirSession *b)
{
  WeirRecorder *x = weir_session_get_recorder (a), *y = weir_session_get_recorder (b);
  gsize n = weir_recorder_get_n_rows (x);

  g_assert_cmpuint (weir_recorder_get_n_rows (y), ==, n);
  for (guint s = 0; s < weir_recorder_get_n_signals (x); s++)
    for (gsize i = weir_recorder_get_first_row (x, s); i < n; i++)
      {
        double p = weir_recorder_get_value (x, s, i), q = weir_recorder_get_value (y, s, i);

        g_assert_cmpmem (&p, sizeof p, &q, sizeof q);
      }
}

static void
check (const char *path, WeirLogMode mode)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (WeirSession) session = NULL, plain = NULL;
  g_autoptr (WeirRunLog) run_log = NULL;
  g_autoptr (WeirTrace) trace = NULL;
  g_autoptr (WeirScrubber) scrubber = NULL;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) logs = NULL;
  WeirSimulatorOptions options;
  double stop_time;
  gsize n;

  g_test_message ("%s", path);
  g_assert_nonnull (model);
  system = weir_model_complete (model, diagnostics);
  if (system == NULL) /* what the program brings along to show what is wrong with it */
    return;
  weir_simulator_options_init (&options);
  options.max_steps =
      STEPS; /* the run may end in a failure that says so; what was logged until then counts */
  stop_time = weir_model_get_setting_number (model, "stop-time");
  logs = weir_model_dup_recorded_ports (model);
  session = run (system, &options, stop_time, (const char *const *) logs, TRUE, mode);
  plain = run (system, &options, stop_time, (const char *const *) logs, FALSE, mode);
  check_same_run (session, plain);
  run_log = weir_session_take_log (session);
  g_assert_nonnull (run_log);
  g_assert_cmpuint (weir_change_log_get_n_lost (run_log->log), ==, 0);
  trace = weir_trace_new (run_log->log, NULL);
  weir_trace_get_records (trace, &n);
  scrubber = weir_scrubber_new (trace, 0, NULL, NULL, &error);
  g_assert_no_error (error);
  check_counters (weir_session_get_snapshot (session), scrubber, n);
}

static void
check_folder (const char *kind, WeirLogMode mode)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), kind, NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".weir"))
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        check (path, mode);
        n++;
      }
  g_assert_cmpuint (n, >, 5);
}

static void
test_examples (void)
{
  check_folder ("examples", WEIR_LOG_MODE_EVENTS);
}

static void
test_examples_whole (void)
{
  check_folder ("examples", WEIR_LOG_MODE_ALL);
}

static void
test_lessons (void)
{
  check_folder ("lessons", WEIR_LOG_MODE_EVENTS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  weir_cosim_provide ();
  g_test_add_func ("/analysis/logs/examples", test_examples);
  g_test_add_func ("/analysis/logs/examples/whole", test_examples_whole);
  g_test_add_func ("/analysis/logs/lessons", test_lessons);
  return g_test_run ();
}
