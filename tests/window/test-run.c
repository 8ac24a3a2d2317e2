/* Runs: caching switched while one goes on, pause, step and stop, a parameter changed live, a run that
 * goes on unseen, verification. */
#include "driver.h"

static WeirSession *
start_long_run (WeirWindow *window)
{
  set_setting (window, "stop-time", "1e7"); /* goes on for longer than the test */
  click_canvas (window);
  key ("F5");
  wait_for (weir_runner_is_active (window->runner));
  return session_of (window);
}

static guint64
get_steps (WeirSession *session)
{
  return weir_session_get_snapshot (session)->statistics.steps;
}

static guint64
get_hits (WeirWindow *window)
{
  guint64 hits, misses, invalidations;

  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits, &misses, &invalidations);
  return hits;
}

static gboolean
is_any_disabled (WeirSession *session)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);

  for (guint i = 0; i < (snapshot->n_entries + 63) / 64; i++)
    if (snapshot->disabled[i] != 0)
      return TRUE;
  return FALSE;
}

static void
test_live_caching (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (window);
  GtkWidget *table, *toggle;
  guint64 hits, later;

  picture ("10-running");
  key ("<Control><Shift>k");
  wait_for (get_steps (session) > 1000 && get_hits (window) > 0 && gtk_widget_get_mapped (window->cache));
  picture ("11-cache");

  /* Off as a whole: from then on no hits. */
  click (find_of_type (window->cache, GTK_TYPE_SWITCH));
  wait_for (!weir_session_get_snapshot (session)->caching);
  hits = get_hits (window);
  later = get_steps (session) + 1000;
  wait_for (get_steps (session) > later);
  g_assert_cmpuint (get_hits (window), ==, hits);
  picture ("12-caching-off");
  key ("<Shift>k");
  wait_for (weir_session_get_snapshot (session)->caching);
  wait_for (get_hits (window) > hits);

  /* Off for one entry, by the switch in its row. */
  table = find_of_type (window->cache, GTK_TYPE_COLUMN_VIEW);
  toggle = find_of_type (table, GTK_TYPE_SWITCH);
  click (toggle);
  wait_for (is_any_disabled (session));
  picture ("13-entry-off");
  click (toggle);
  wait_for (!is_any_disabled (session));
  window_close (window);
}

static void
test_pause_step_stop (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (window);
  guint64 steps;

  wait_for (get_steps (session) > 0);
  key ("F6");
  wait_for (weir_session_get_state (session) == WEIR_SESSION_PAUSED);
  spin (100);
  steps = get_steps (session);
  picture ("14-paused");
  key ("F8");
  wait_for (get_steps (session) == steps + 1);
  wait_for (weir_session_get_state (session) == WEIR_SESSION_PAUSED);
  key ("F5");
  wait_for (get_steps (session) > steps + 100);
  g_assert_true (session == session_of (window));
  click (find_widget (toplevel_of (window), has_tooltip, "Stop"));
  wait_for (weir_session_get_state (session) == WEIR_SESSION_STOPPED);

  spin (100); /* the button that had the focus is none any more: keys go to the window */

  /* Step starts a run that pauses at once. */
  key ("F8");
  wait_for (session_of (window) != session
            && weir_session_get_state (session_of (window)) == WEIR_SESSION_PAUSED);
  g_assert_cmpuint (get_steps (session_of (window)), ==, 1);
  window_close (window);
}

/* The newest recorded value of a signal. */
static double
get_newest (WeirWindow *window, guint signal)
{
  WeirRecorder *recorder = weir_session_get_recorder (session_of (window));
  gsize n = weir_recorder_get_n_rows (recorder);

  return n == 0 ? (double) NAN : weir_recorder_get_value (recorder, signal, n - 1);
}

/* A gain typed into the inspector while the run goes on changes what the scope records. */
static void
test_live_parameter (void)
{
  WeirWindow *window = window_open ();
  WeirSession *session;

  drag_from_palette (window, "Constant", 120, 120);
  drag_from_palette (window, "Gain", 280, 120);
  drag_from_palette (window, "Integrator", 420, 220);
  drag_from_palette (window, "Scope", 560, 120);
  drag (port_on_screen (window, "Constant", "y", TRUE), port_on_screen (window, "Gain", "u", FALSE));
  drag (port_on_screen (window, "Gain", "y", TRUE), port_on_screen (window, "Scope", "in1", FALSE));
  drag (port_on_screen (window, "Constant", "y", TRUE),
        port_on_screen (window, "Integrator", "u", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 3);
  set_setting (window, "max-step", "0.01");
  session = start_long_run (window);
  wait_for (get_newest (window, 0) == 1);

  click_at (block_on_screen (window, "Gain"));
  wait_for (weir_canvas_get_selected_block (window->canvas) != 0);
  key ("<Alt>Return");
  key ("<Control>a");
  type_text ("2.5");
  key ("Return");
  wait_for (get_newest (window, 0) == 2.5);
  g_assert_true (session == session_of (window));
  picture ("15-live-parameter");

  /* Undo is live too. */
  click_canvas (window);
  key ("<Control>z");
  wait_for (get_newest (window, 0) == 1);
  window_close (window);
}

/* The run goes on while the window is hidden, and its samples are there when it is shown again. */
static void
test_hidden (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (window);
  guint64 steps;
  gsize samples;

  wait_for (get_steps (session) > 100);
  gtk_widget_set_visible (toplevel_of (window), FALSE);
  spin (100);
  steps = get_steps (session);
  samples = weir_recorder_get_n_rows (weir_session_get_recorder (session));
  wait_for (get_steps (session) > steps + 1000);
  g_assert_cmpuint (weir_recorder_get_n_rows (weir_session_get_recorder (session)), >, samples);
  gtk_window_present (GTK_WINDOW (toplevel_of (window)));
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (window->scopes)) > samples);
  window_close (window);
}

/* A port is chosen on the canvas and joins the plots, in this run and in the next. */
static void
test_plot_port (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");

  click_canvas (window);
  key ("F5");
  wait_for (run_is_over (window));
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (window->scopes)), ==, 2);
  click_at (block_on_screen (window, "Total"));
  wait_for (weir_canvas_get_selected_block (window->canvas) != 0);
  gtk_widget_activate_action (GTK_WIDGET (window->canvas), "canvas.plot-port", NULL);
  key ("F5");
  wait_for (weir_scopes_get_n_plots (WEIR_SCOPES (window->scopes)) == 3);
  wait_for (run_is_over (window));
  picture ("16-chosen-port");
  window_close (window);
}

static void
test_verify (void)
{
  WeirWindow *window = window_open_example ("nested.weir");
  g_autoptr (GFile) pendulum = example_file ("pendulum.weir");
  GtkWidget *badge;

  click (window->verify_button);
  wait_for (find_label (window->verify_button, "Identical") != NULL);
  badge = find_label (window->verify_button, "Identical");
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (window->verify_button), "identical, "));
  g_assert_nonnull (
      strstr (gtk_widget_get_tooltip_text (window->verify_button), " values compared"));
  picture ("17-verified");

  /* An edit makes the result one of an earlier model; undoing it does not bring it back. */
  set_setting (window, "stop-time", "3");
  wait_for (g_strcmp0 (gtk_label_get_text (GTK_LABEL (badge)), "Out of Date") == 0);
  picture ("18-verify-stale");
  key ("<Control><Shift>e");
  wait_for (g_strcmp0 (gtk_label_get_text (GTK_LABEL (badge)), "Identical") == 0);

  /* A long one is cancelled by the same button. */
  g_assert_true (weir_window_open (window, pendulum));
  set_setting (window, "stop-time", "1e7");
  click (window->verify_button);
  wait_for (weir_runner_is_verifying (window->runner));
  picture ("19-verifying");
  click (window->verify_button);
  wait_for (!weir_runner_is_verifying (window->runner));
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/run/live-caching", test_live_caching);
  g_test_add_func ("/window/run/pause-step-stop", test_pause_step_stop);
  g_test_add_func ("/window/run/live-parameter", test_live_parameter);
  g_test_add_func ("/window/run/hidden", test_hidden);
  g_test_add_func ("/window/run/plot-port", test_plot_port);
  g_test_add_func ("/window/run/verify", test_verify);
  return driver_main ();
}
