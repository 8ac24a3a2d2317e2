/* Runs that stop at breakpoints, whose list may be edited meanwhile, come out the same to the bit.
 */
#include "background.h"
#include "break-list.h"

static WeirSession *
swing_session_new (WeirSystem *system, const char *solver, double stop_time)
{
  WeirSimulatorOptions options = options_for (solver, 1e-6);
  const char *ports[] = { "swing.theta", "swing.omega", NULL };
  g_autoptr (GError) error = NULL;
  WeirSession *session;

  options.step = 0.01; /* of methods with fixed steps */
  session = weir_session_new (system, &options, stop_time, 0, ports, &error);
  g_assert_no_error (error);
  return session;
}

/* TRUE at a breakpoint, FALSE at the end. */
static gboolean
wait_for_break (WeirSession *session)
{
  for (;;)
    {
      const WeirSnapshot *snapshot = weir_session_get_snapshot (session);

      if (snapshot->is_at_break || snapshot->state > WEIR_SESSION_PAUSED)
        return snapshot->is_at_break;
      g_main_context_iteration (NULL, TRUE);
    }
}

/* Goes on, until it pauses there no more. */
static void
go_on (WeirSession *session)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  guint64 count = snapshot->hit.count;

  weir_session_run (session);
  for (; snapshot->is_at_break && snapshot->hit.count == count;
       snapshot = weir_session_get_snapshot (session))
    g_main_context_iteration (NULL, TRUE);
}

/* RK4 takes four trials a step: with h = 0.01, those of the first are at 0, h/2, h/2 and h. The
 * first one's derivatives are those computed at the start. */
static void
test_run (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = swing_session_new (system, "rk4", 0.1),
                          session = swing_session_new (system, "rk4", 0.1);
  g_autoptr (GArray) list = list_of (WEIR_BREAK_COMPUTED, "swing:time derivatives", NULL);
  g_autoptr (GArray) none = weir_breakpoint_list_new ();
  static const double times[] = { 0, 0.005, 0.005, 0.01, 0.01, 0.015 };
  const WeirSnapshot *snapshot;
  guint serial;

  weir_session_run (plain);
  weir_session_join (plain);

  first (list)->phase = WEIR_LOG_PHASE_TRIAL;
  serial = weir_session_set_breakpoints (session, list, NULL);
  weir_session_run (session);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    {
      g_assert_true (wait_for_break (session));
      snapshot = weir_session_get_snapshot (session);
      g_assert_cmpint (snapshot->state, ==, WEIR_SESSION_PAUSED);
      g_assert_cmpuint (snapshot->break_serial, ==, serial);
      g_assert_cmpuint (snapshot->n_breakpoints, ==, 1);
      g_assert_cmpuint (snapshot->break_counts[0], ==, i + 1);
      g_assert_cmpuint (snapshot->hit.count, ==, i + 1);
      g_assert_cmpfloat_with_epsilon (snapshot->hit.time, times[i], 1e-15);
      g_assert_cmpint (snapshot->hit.phase, ==, WEIR_LOG_PHASE_TRIAL);
      g_assert_false ((snapshot->flags[snapshot->hit.entry.i / 64] >> (snapshot->hit.entry.i % 64))
                      & 1);
      g_assert_true (weir_session_is_settled (session));
      go_on (session);
    }
  /* A step ends the step; an empty list lets the rest pass, though it waits within one. */
  g_assert_true (wait_for_break (session));
  weir_session_set_breakpoints (session, none, NULL);
  weir_session_step (session);
  while (weir_session_get_state (session) != WEIR_SESSION_PAUSED
         || weir_session_get_snapshot (session)->is_at_break)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, 0.02);
  weir_session_run (session);
  g_assert_false (wait_for_break (session));
  weir_session_join (session);
  assert_same_rows (plain, session);
}

/* Parameters set while it waits within a step take effect when the step is over, as in a run that
 * paused between the same steps. */
static void
test_edit_while_waiting (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = swing_session_new (system, "rk4", 0.1),
                          session = swing_session_new (system, "rk4", 0.1);
  g_autoptr (GArray) list = list_of (WEIR_BREAK_COMPUTED, "swing:time derivatives", NULL);
  double g = 5;

  weir_session_step (plain);
  while (weir_session_get_snapshot (plain)->statistics.steps < 1)
    g_main_context_iteration (NULL, TRUE);
  weir_session_set_parameter (plain, "swing", "g", &g, 1);
  weir_session_run (plain);
  weir_session_join (plain);

  first (list)->is_once = TRUE;
  first (list)->phase = WEIR_LOG_PHASE_TRIAL;
  first (list)->skips = 1;
  weir_session_set_breakpoints (session, list, NULL);
  weir_session_run (session);
  g_assert_true (wait_for_break (session));
  weir_session_set_parameter (session, "swing", "g", &g, 1);
  g_assert_false (weir_session_is_settled (session));
  go_on (session);
  g_assert_false (wait_for_break (session));
  weir_session_join (session);
  assert_same_rows (plain, session);
}

/* A parameter's event between two steps pauses there. */
static void
test_edit_event (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = swing_session_new (system, "rk4", 0.1);
  g_autoptr (GArray) list = list_of (WEIR_BREAK_EVENT, "swing.g", NULL);
  g_autofree char *source = NULL;
  const WeirSnapshot *snapshot;
  double g = 5;

  weir_session_set_breakpoints (session, list, NULL);
  weir_session_step (session);
  while (weir_session_get_snapshot (session)->statistics.steps < 1)
    g_main_context_iteration (NULL, TRUE);
  weir_session_set_parameter (session, "swing", "g", &g, 1);
  g_assert_true (wait_for_break (session));
  snapshot = weir_session_get_snapshot (session);
  g_assert_cmpint (snapshot->hit.phase, ==, WEIR_LOG_PHASE_EDIT);
  source = weir_layout_dup_source_name (weir_session_get_layout (session), snapshot->hit.source);
  g_assert_cmpstr (source, ==, "swing:parameter g");
  go_on (session);
  g_assert_false (wait_for_break (session));
}

/* Stopping and finalising do not wait for an answer. */
static void
test_stop_at_break (void)
{
  g_autoptr (WeirSystem) system = swing_new ();

  for (guint i = 0; i < 6; i++)
    {
      WeirSession *session = swing_session_new (system, i % 2 == 0 ? "rk4" : "cvode-bdf", 10);
      g_autoptr (GArray) list = list_of (WEIR_BREAK_EVENT, "", NULL);

      first (list)->skips = i * 3;
      weir_session_set_breakpoints (session, list, NULL);
      weir_session_run (session);
      g_assert_true (wait_for_break (session));
      if (i < 3)
        {
          weir_session_stop (session);
          weir_session_join (session);
          g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_STOPPED);
          g_assert_null (weir_session_get_failure (session));
        }
      g_assert_finalize_object (session);
    }
}

/* A held entry pauses the run before it is computed, and is when the run goes on. */
static void
test_run_held (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = swing_session_new (system, "rk4", 0.05),
                          session = swing_session_new (system, "rk4", 0.05);
  WeirLayout *layout = weir_session_get_layout (session);
  const WeirSnapshot *snapshot;
  WeirEntry entry;
  WeirNode node;

  weir_session_run (plain);
  weir_session_join (plain);
  g_assert_true (weir_layout_find_node (layout, "swing", &node));
  g_assert_true (weir_layout_find_entry (layout, node, WEIR_XCDOT, &entry));
  weir_session_set_entry_held (session, entry.i, TRUE);
  weir_session_run (session);
  for (guint i = 0; i < 3; i++)
    {
      g_assert_true (wait_for_break (session));
      snapshot = weir_session_get_snapshot (session);
      g_assert_cmpuint (snapshot->hit.index, ==, G_MAXUINT);
      g_assert_cmpuint (snapshot->hit.count, ==, i + 1);
      g_assert_cmpuint (snapshot->hit.entry.i, ==, entry.i);
      g_assert_true ((snapshot->held[entry.i / 64] >> (entry.i % 64)) & 1);
      g_assert_true ((snapshot->flags[entry.i / 64] >> (entry.i % 64)) & 1);
      if (i == 2)
        weir_session_set_entry_held (session, entry.i, FALSE);
      go_on (session);
    }
  g_assert_false (wait_for_break (session));
  weir_session_join (session);
  assert_same_rows (plain, session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/break-runs/run", test_run);
  g_test_add_func ("/sim/break-runs/edit-while-waiting", test_edit_while_waiting);
  g_test_add_func ("/sim/break-runs/edit-event", test_edit_event);
  g_test_add_func ("/sim/break-runs/stop", test_stop_at_break);
  g_test_add_func ("/sim/break-runs/run-held", test_run_held);
  return g_test_run ();
}
