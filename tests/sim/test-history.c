/* Runs that are taken back, and values that are watched: neither may alter what a run computes. */
#include "background.h"

static void
wait_until_settled (WeirSession *session)
{
  while (!weir_session_is_settled (session)
         || weir_session_get_state (session) == WEIR_SESSION_RUNNING)
    g_main_context_iteration (NULL, TRUE);
}

static void
step (WeirSession *session, guint n)
{
  weir_session_steps (session, n);
  wait_until_settled (session);
}

static void
step_back (WeirSession *session, guint n)
{
  g_assert_cmpint (weir_session_step_back (session, n), ==, WEIR_STEP_BACK_DONE);
  wait_until_settled (session);
}

static guint64
get_steps (WeirSession *session)
{
  return weir_session_get_snapshot (session)->statistics.steps;
}

static double
get_time (WeirSession *session)
{
  return weir_session_get_snapshot (session)->time;
}

/* --- Back ------------------------------------------------------------------------------------ */

/* The step before is the very one, and going on from there gives the run that never went back. */
static void
test_back (gconstpointer solver)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = session_new (system, solver, 3, 0, "swing.theta");
  g_autoptr (WeirSession) session = session_new (system, solver, 3, 0, "swing.theta");
  double time;

  step (session, 5);
  g_assert_cmpuint (get_steps (session), ==, 5);
  g_assert_cmpuint (get_n_rows (session), ==, 6);
  time = get_time (session);
  step (session, 1);
  step_back (session, 1);
  g_assert_cmpuint (get_steps (session), ==, 5);
  g_assert_cmpfloat (get_time (session), ==, time);
  g_assert_cmpuint (get_n_rows (session), ==, 6);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_PAUSED);
  step_back (session, 3);
  g_assert_cmpuint (get_steps (session), ==, 2);

  weir_session_run (session);
  wait_until_settled (session);
  weir_session_run (plain);
  wait_until_settled (plain);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_FINISHED);
  assert_same_rows (plain, session);
}

/* From the end, across moments that were kept: the thread had ended. */
static void
test_back_from_the_end (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = session_new (system, "rk4", 10, 0, "swing.theta");
  g_autoptr (WeirSession) session = session_new (system, "rk4", 10, 0, "swing.theta");
  guint64 steps;

  weir_session_run (session);
  wait_until_settled (session);
  steps = get_steps (session);
  g_assert_cmpuint (steps, >, 900); /* of 0.01 s */
  for (guint64 left = steps; left > 300; left -= 100)
    {
      step_back (session, 100);
      g_assert_cmpuint (get_steps (session), ==, left - 100);
      g_assert_cmpuint (get_n_rows (session), ==, left - 100 + 1);
    }
  weir_session_run (session);
  wait_until_settled (session);
  weir_session_run (plain);
  wait_until_settled (plain);
  assert_same_rows (plain, session);
}

static void
test_nothing_before (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "dormand-prince", 1e9, 0, "swing.theta");

  g_assert_cmpint (weir_session_step_back (session, 1), ==, WEIR_STEP_BACK_AT_START);
  step (session, 2);
  step_back (session, 5); /* to the start */
  g_assert_cmpuint (get_steps (session), ==, 0);
  g_assert_cmpfloat (get_time (session), ==, 0);
  g_assert_cmpuint (get_n_rows (session), ==, 1);
  g_assert_cmpint (weir_session_step_back (session, 1), ==, WEIR_STEP_BACK_AT_START);
  weir_session_run (session);
  g_assert_cmpint (weir_session_step_back (session, 1), ==, WEIR_STEP_BACK_BUSY);
}

/* What was set since stays set, as the editor shows it; until then the run is as it was. */
static void
test_parameters_stay (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", 10, 0, "swing.theta");
  g_autoptr (WeirSession) plain = session_new (system, "rk4", 10, 0, "swing.theta");
  const double gravity = 3;

  weir_session_run_until (session, 1);
  wait_until_settled (session);
  weir_session_set_parameter (session, "swing", "g", &gravity, 1);
  step (session, 20);
  step_back (session, 30); /* before the change */
  weir_session_run (session);
  wait_until_settled (session);

  /* The same, changed then by hand. */
  weir_session_run_until (plain, 1);
  wait_until_settled (plain);
  step_back (plain, 10);
  weir_session_set_parameter (plain, "swing", "g", &gravity, 1);
  weir_session_run (plain);
  wait_until_settled (plain);
  assert_same_rows (plain, session);
}

/* The step that failed counts: before it the run can be looked at, and fails anew. */
static void
test_back_from_failure (void)
{
  g_autoptr (WeirSystem) leaf = ending_new ();
  g_autoptr (WeirSystem) system = wrap_new ("tank", leaf);
  g_autoptr (WeirSession) session = session_new (system, "dormand-prince", 2, 0, "tank.x");
  g_autofree char *why = NULL;
  guint64 steps;
  double time;

  weir_session_run (session);
  wait_until_settled (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_FAILED);
  why = g_strdup (weir_session_get_failure (session)->message);
  steps = get_steps (session);
  step_back (session, 1);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_PAUSED);
  g_assert_null (weir_session_get_failure (session));
  g_assert_cmpuint (get_steps (session), ==, steps);
  time = get_time (session);
  step_back (session, 1);
  g_assert_cmpuint (get_steps (session), ==, steps - 1);
  g_assert_cmpfloat (get_time (session), <, time);
  weir_session_run (session);
  wait_until_settled (session);
  g_assert_cmpint (weir_session_get_state (session), ==, WEIR_SESSION_FAILED);
  g_assert_cmpstr (weir_session_get_failure (session)->message, ==, why);
}

/* A method that remembers steps begins anew, within its tolerance: 1e-8 a step. The pendulum is
 * regular, so that errors add up and no more: 1e-5 after a few hundred steps is ample. */
static void
test_multistep (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = session_new (system, "cvode-adams", 3, 0, "swing.theta");
  g_autoptr (WeirSession) session = session_new (system, "cvode-adams", 3, 0, "swing.theta");
  WeirRecorder *x = weir_session_get_recorder (plain), *y = weir_session_get_recorder (session);

  weir_session_run_until (session, 1);
  wait_until_settled (session);
  step_back (session, 3);
  g_assert_cmpfloat (get_time (session), <, 1);
  weir_session_run (session);
  wait_until_settled (session);
  weir_session_run (plain);
  wait_until_settled (plain);
  g_assert_cmpfloat_with_epsilon (weir_recorder_get_value (x, 0, get_n_rows (plain) - 1),
                                  weir_recorder_get_value (y, 0, get_n_rows (session) - 1), 1e-5);
  for (gsize i = 1; i < get_n_rows (session); i++)
    g_assert_cmpfloat (weir_recorder_get_time (y, i), >, weir_recorder_get_time (y, i - 1));
}

/* --- Values ---------------------------------------------------------------------------------- */

static guint64
sum_counters (const WeirSnapshot *snapshot)
{
  guint64 sum = 0;

  for (guint i = 0; i < snapshot->n_entries; i++)
    sum += snapshot->counters[i].hits + snapshot->counters[i].first + snapshot->counters[i].stale
           + snapshot->counters[i].disabled + snapshot->counters[i].invalidations;
  return sum;
}

static WeirShownPort
find_output (WeirSession *session, const char *block, const char *name)
{
  WeirShownPort port = { 0 };
  WeirOutput out;

  g_assert_true (weir_layout_find_node (weir_session_get_layout (session), block, &port.node));
  g_assert_true (
      weir_layout_find_output (weir_session_get_layout (session), port.node, name, &out));
  port.index = out.i;
  return port;
}

static void
test_values (gconstpointer caching)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) plain = session_new (system, "dormand-prince", 3, 0, "swing.theta");
  g_autoptr (WeirSession) watched = session_new (system, "dormand-prince", 3, 0, "swing.theta");
  WeirShownPort ports[] = { find_output (watched, "swing", "omega"),
                            find_output (watched, "swing", "theta") };
  const WeirSnapshot *snapshot;
  WeirSession *both[] = { plain, watched };
  guint serial = weir_session_set_shown (watched, ports, 2);
  gsize last;

  snapshot = weir_session_get_snapshot (watched);
  g_assert_cmpuint (snapshot->shown_serial, ==, serial);
  g_assert_cmpuint (snapshot->n_shown, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      weir_session_set_caching (both[i], GPOINTER_TO_INT (caching));
      step (both[i], 10);
    }
  snapshot = weir_session_get_snapshot (watched);
  last = get_n_rows (watched) - 1;
  g_assert_true (snapshot->has_value[0] && snapshot->has_value[1]);
  g_assert_cmpfloat (snapshot->values[1], ==,
                     weir_recorder_get_value (weir_session_get_recorder (watched), 0, last));
  g_assert_cmpfloat (snapshot->values_time, ==, snapshot->time);
  g_assert_cmpuint (sum_counters (weir_session_get_snapshot (plain)), ==,
                    sum_counters (weir_session_get_snapshot (watched)));
  for (guint i = 0; i < 2; i++)
    {
      weir_session_run (both[i]);
      wait_until_settled (both[i]);
    }
  assert_same_rows (plain, watched);
  g_assert_cmpuint (sum_counters (weir_session_get_snapshot (plain)), ==,
                    sum_counters (weir_session_get_snapshot (watched)));

  /* Of a run that has ended, too. */
  serial = weir_session_set_shown (plain, ports + 1, 1);
  snapshot = weir_session_get_snapshot (plain);
  last = get_n_rows (plain) - 1;
  g_assert_cmpuint (snapshot->shown_serial, ==, serial);
  g_assert_cmpuint (snapshot->n_shown, ==, 1);
  g_assert_cmpint (snapshot->state, ==, WEIR_SESSION_FINISHED);
  g_assert_cmpfloat (snapshot->values[0], ==,
                     weir_recorder_get_value (weir_session_get_recorder (plain), 0, last));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/sim/history/back/dormand-prince", "dormand-prince", test_back);
  g_test_add_data_func ("/sim/history/back/runge-kutta-4", "rk4", test_back);
  g_test_add_func ("/sim/history/back-from-the-end", test_back_from_the_end);
  g_test_add_func ("/sim/history/back-from-failure", test_back_from_failure);
  g_test_add_func ("/sim/history/multistep", test_multistep);
  g_test_add_func ("/sim/history/nothing-before", test_nothing_before);
  g_test_add_func ("/sim/history/parameters-stay", test_parameters_stay);
  g_test_add_data_func ("/sim/history/values/cached", GINT_TO_POINTER (TRUE), test_values);
  g_test_add_data_func ("/sim/history/values/uncached", GINT_TO_POINTER (FALSE), test_values);
  return g_test_run ();
}
