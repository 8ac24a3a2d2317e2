/* Runs held to the clock; never ahead of it, let go on demand, their end foretold. */
#include "background.h"
#include "sim/pacer.h"

static void
test_pacing (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", 0.4, 2, "swing.theta");
  gint64 start = g_get_monotonic_time ();

  weir_session_run (session);
  wait_for_state (session, WEIR_SESSION_FINISHED);
  /* Never ahead of the clock: the last step begins at 0.39 simulated seconds. */
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 190000);
}

/* Held to a clock that hardly moves, then let go: it ends. */
static void
test_rate_changes (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", 10, 1e-9, "swing.theta");

  g_assert_cmpfloat (weir_session_get_snapshot (session)->rate, ==, 1e-9);
  weir_session_run (session);
  wait_for_state (session, WEIR_SESSION_RUNNING);
  weir_session_set_rate (session, 0);
  wait_for_state (session, WEIR_SESSION_FINISHED);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->rate, ==, 0);
  g_assert_cmpfloat (weir_session_get_snapshot (session)->time, ==, 10);
}

/* Held to the clock, 1000 simulated seconds take so many: what is left can be told, once it has
 * been measured, and never too short by much more than the steps are coarse. */
static void
test_remaining (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirSession) session = session_new (system, "rk4", 1000, 1, "swing.theta");
  const WeirSnapshot *snapshot;

  g_assert_cmpfloat (weir_session_get_snapshot (session)->remaining, ==, -1);
  weir_session_run (session);
  while ((snapshot = weir_session_get_snapshot (session))->remaining < 0)
    g_main_context_iteration (NULL, TRUE);
  g_test_message ("%g s left", snapshot->remaining);
  g_assert_cmpfloat (snapshot->remaining, >, 900);
}

/* The clock of a paced run, by a clock of our own. */
static void
test_pacer (void)
{
  WeirPacer pacer = { 0 };

  g_assert_cmpint (weir_pacer_look (&pacer, 5, 1000), ==, 1000); /* no rate: at once */
  weir_pacer_set_rate (&pacer, 2);
  g_assert_cmpint (weir_pacer_look (&pacer, 5, 1000), ==, 1000); /* the clock starts */
  g_assert_cmpint (weir_pacer_look (&pacer, 6, 1500), ==, 501000);
  g_assert_cmpint (weir_pacer_look (&pacer, 6, 900000), ==,
                   501000); /* late by less than a second */
  g_assert_cmpint (weir_pacer_look (&pacer, 6, 2000000), ==, 2000000); /* later: starts again */
  g_assert_cmpint (weir_pacer_look (&pacer, 7, 2000000), ==, 2500000);
  weir_pacer_restart (&pacer);
  g_assert_cmpint (weir_pacer_look (&pacer, 7, 9000000), ==, 9000000);
  weir_pacer_set_rate (&pacer, 1e-300);
  g_assert_cmpint (weir_pacer_look (&pacer, 7, 100), ==, 100);
  g_assert_cmpint (weir_pacer_look (&pacer, 8, 200), ==, G_MAXINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/pacing/clock", test_pacing);
  g_test_add_func ("/sim/pacing/rate-changes", test_rate_changes);
  g_test_add_func ("/sim/pacing/pacer", test_pacer);
  g_test_add_func ("/sim/pacing/remaining", test_remaining);
  return g_test_run ();
}
