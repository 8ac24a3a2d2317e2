/* Runs in the background whose change events are logged: all of them, or a part. */
#include "background.h"

static guint64
count_events (const WeirChangeLog *log)
{
  gsize n;
  const WeirLogRecord *records = weir_change_log_get_records (log, &n);
  guint64 n_events = 0;

  for (gsize i = 0; i < n; i++)
    n_events += records[i].kind == WEIR_LOG_EVENT || records[i].kind == WEIR_LOG_JOINT;
  return n_events;
}

/* From before the run to its end: every event is there, what is stored can be continued, and the
 * run is the one that nobody logged. */
static void
test_log (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "dormand-prince", 2000, 0, "swing.theta");
  g_autoptr (WeirSession) plain = session_new (system, "dormand-prince", 2000, 0, "swing.theta");
  g_autoptr (WeirRunLog) run_log = NULL;
  const WeirSnapshot *snapshot;
  guint64 last = 0;
  gsize n;

  g_assert_null (weir_session_take_log (session));
  weir_session_start_log (session, WEIR_LOG_MODE_EVENTS, 1 << 20);
  g_assert_true (weir_session_get_snapshot (session)->is_logging);
  weir_session_run (session);
  weir_session_run (plain);
  wait_for_state (session, WEIR_SESSION_FINISHED);
  wait_for_state (plain, WEIR_SESSION_FINISHED);
  weir_session_join (session);
  weir_session_join (plain);
  run_log = weir_session_take_log (session);
  g_assert_nonnull (run_log);
  g_assert_null (weir_session_take_log (session));
  snapshot = weir_session_get_snapshot (session);
  g_assert_cmpuint (count_events (run_log->log), ==, snapshot->n_events);
  weir_change_log_get_records (run_log->log, &n);
  g_assert_cmpuint (weir_change_log_get_n_lost (run_log->log), ==, 0);
  assert_same_rows (session, plain);

  g_assert_cmpuint (run_log->stored->len, >, 8);
  g_assert_cmpuint (run_log->stored->len, <=, 32);
  for (guint i = 0; i < run_log->stored->len; i++)
    {
      WeirStoredRun stored = g_array_index (run_log->stored, WeirStoredRun, i);
      WeirSimulatorOptions options = options_for ("dormand-prince", 1e-6);
      g_autoptr (WeirContext) context = weir_system_create_context (system);
      g_autoptr (WeirSimulator) simulator = weir_simulator_new (system, context, &options, NULL);

      g_assert_true (i == 0 || stored.n_events > last);
      last = stored.n_events;
      g_assert_true ((i == 0) == (stored.context != NULL));
      if (stored.run == NULL)
        continue;
      g_assert_true (weir_simulator_load (simulator, stored.run, NULL));
      g_assert_cmpuint (weir_context_get_n_events (context), ==, stored.n_events);
      g_assert_cmpfloat (weir_context_get_time (context), ==, stored.time);
      if (i % 8 != 7)
        continue;
      g_assert_true (weir_simulator_advance_to (simulator, 2000, NULL));
      n = weir_recorder_get_n_rows (weir_session_get_recorder (plain));
      g_assert_cmpfloat (weir_context_get_state (context)[0], ==,
                         weir_recorder_get_value (weir_session_get_recorder (plain), 0, n - 1));
    }
}

/* In the middle of a run: on, asked for, off; a small ring tells how much was given up. */
static void
test_log_part (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", ENDLESS, 0, "swing.theta");
  WeirRunLog *run_log;
  gsize n;

  weir_session_run (session);
  wait_for_time (session, 1);
  weir_session_start_log (session, WEIR_LOG_MODE_ALL, 64);
  while (weir_session_get_snapshot (session)->n_logged <= 64)
    g_main_context_iteration (NULL, TRUE);
  weir_session_request_log (session);
  while ((run_log = weir_session_take_log (session)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  weir_change_log_get_records (run_log->log, &n);
  g_assert_cmpuint (n, <=, 64);
  g_assert_cmpuint (weir_change_log_get_n_lost (run_log->log), >, 0);
  g_assert_cmpint (weir_change_log_get_mode (run_log->log), ==, WEIR_LOG_MODE_ALL);
  g_assert_cmpuint (run_log->stored->len, >, 0);
  weir_run_log_free (run_log);

  weir_session_pause (session);
  wait_for_state (session, WEIR_SESSION_PAUSED);
  g_assert_cmpuint (weir_session_get_snapshot (session)->n_given_up, ==,
                    weir_session_get_snapshot (session)->n_logged - 64);
  weir_session_stop_log (session);
  while ((run_log = weir_session_take_log (session)) == NULL)
    g_main_context_iteration (NULL, TRUE);
  weir_run_log_free (run_log);
  while (!weir_session_is_settled (session))
    g_main_context_iteration (NULL, TRUE);
  g_assert_false (weir_session_get_snapshot (session)->is_logging);
  weir_session_stop (session);
  weir_session_join (session);
  g_assert_null (weir_session_take_log (session));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/session-log/whole", test_log);
  g_test_add_func ("/sim/session-log/part", test_log_part);
  return g_test_run ();
}
