/* Runs: caching switched while one goes on, pause, step and stop, a parameter changed live, a run
 * that goes on unseen, verification. */
#include "driver.h"

static WeirSession *
start_long_run (WeirEditor *editor)
{
  set_setting (editor, "stop-time", "1e7"); /* goes on for longer than the test */
  click_canvas (editor);
  key ("F5");
  wait_for (weir_runner_is_active (editor->runner));
  return session_of (editor);
}

static guint64
get_steps (WeirSession *session)
{
  return weir_session_get_snapshot (session)->statistics.steps;
}

static guint64
get_hits (WeirEditor *editor)
{
  guint64 hits, misses, invalidations;

  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (part_of (editor, WEIR_TYPE_CACHE_PANEL)), &hits,
                               &misses, &invalidations);
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
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (editor);
  GtkWidget *table, *toggle;
  guint64 hits, later;

  picture ("10-running");
  key ("<Control><Shift>k");
  wait_for (get_steps (session) > 1000 && get_hits (editor) > 0
            && gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_CACHE_PANEL)));
  picture ("11-cache");

  /* Off as a whole: from then on no hits. */
  click (find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_SWITCH));
  wait_for (!weir_session_get_snapshot (session)->caching);
  hits = get_hits (editor);
  later = get_steps (session) + 1000;
  wait_for (get_steps (session) > later);
  g_assert_cmpuint (get_hits (editor), ==, hits);
  picture ("12-caching-off");
  key ("<Shift>k");
  wait_for (weir_session_get_snapshot (session)->caching);
  wait_for (get_hits (editor) > hits);

  /* Off for one entry, by the switch in its row. */
  table = find_of_type (part_of (editor, WEIR_TYPE_CACHE_PANEL), GTK_TYPE_COLUMN_VIEW);
  toggle = find_of_type (table, GTK_TYPE_SWITCH);
  click (toggle);
  wait_for (is_any_disabled (session));
  picture ("13-entry-off");
  click (toggle);
  wait_for (!is_any_disabled (session));
  editor_close (editor);
}

static void
test_pause_step_stop (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (editor);
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
  g_assert_true (session == session_of (editor));
  click (find_widget (toplevel_of (editor), has_tooltip, "Stop"));
  wait_for (weir_session_get_state (session) == WEIR_SESSION_STOPPED);

  spin (100); /* the button that had the focus is none any more: keys go to the window */

  /* Step starts a run that pauses at once. */
  key ("F8");
  wait_for (session_of (editor) != session
            && weir_session_get_state (session_of (editor)) == WEIR_SESSION_PAUSED);
  g_assert_cmpuint (get_steps (session_of (editor)), ==, 1);
  editor_close (editor);
}

/* The newest recorded value of a signal. */
static double
get_newest (WeirEditor *editor, guint signal)
{
  WeirRecorder *recorder = weir_session_get_recorder (session_of (editor));
  gsize n = weir_recorder_get_n_rows (recorder);

  return n == 0 ? (double) NAN : weir_recorder_get_value (recorder, signal, n - 1);
}

/* A gain typed into the inspector while the run goes on changes what the scope records. */
static void
test_live_parameter (void)
{
  WeirEditor *editor = editor_open ();
  WeirSession *session;

  drag_from_palette (editor, "Constant", 120, 120);
  drag_from_palette (editor, "Gain", 280, 120);
  drag_from_palette (editor, "Integrator", 420, 220);
  drag_from_palette (editor, "Scope", 560, 120);
  drag (port_on_screen (editor, "Constant", "y", TRUE),
        port_on_screen (editor, "Gain", "u", FALSE));
  drag (port_on_screen (editor, "Gain", "y", TRUE), port_on_screen (editor, "Scope", "in1", FALSE));
  drag (port_on_screen (editor, "Constant", "y", TRUE),
        port_on_screen (editor, "Integrator", "u", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (editor)) == 3);
  set_setting (editor, "max-step", "0.01");
  session = start_long_run (editor);
  wait_for (get_newest (editor, 0) == 1);

  click_at (block_on_screen (editor, "Gain"));
  wait_for (weir_canvas_get_selected_block (editor->canvas) != 0);
  key ("<Alt>Return");
  key ("<Control>a");
  type_text ("2.5");
  key ("Return");
  wait_for (get_newest (editor, 0) == 2.5);
  g_assert_true (session == session_of (editor));
  picture ("15-live-parameter");

  /* Undo is live too. */
  click_canvas (editor);
  key ("<Control>z");
  wait_for (get_newest (editor, 0) == 1);
  editor_close (editor);
}

/* The run goes on while the window is hidden, and its samples are there when it is shown again. */
static void
test_hidden (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirSession *session = start_long_run (editor);
  guint64 steps;
  gsize samples;

  wait_for (get_steps (session) > 100);
  gtk_widget_set_visible (toplevel_of (editor), FALSE);
  spin (100);
  steps = get_steps (session);
  samples = weir_recorder_get_n_rows (weir_session_get_recorder (session));
  wait_for (get_steps (session) > steps + 1000);
  g_assert_cmpuint (weir_recorder_get_n_rows (weir_session_get_recorder (session)), >, samples);
  gtk_window_present (GTK_WINDOW (toplevel_of (editor)));
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))) > samples);
  editor_close (editor);
}

/* A port is chosen on the canvas and joins the plots, in this run and in the next. */
static void
test_plot_port (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))), ==,
                    2);
  click_at (block_on_screen (editor, "Total"));
  wait_for (weir_canvas_get_selected_block (editor->canvas) != 0);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.plot-port", NULL);
  key ("F5");
  wait_for (weir_scopes_get_n_plots (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))) == 3);
  wait_for (run_is_over (editor));
  picture ("16-chosen-port");
  editor_close (editor);
}

static void
test_verify (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  g_autoptr (GFile) pendulum = example_file ("pendulum.weir");
  GtkWidget *badge;

  look_at_cache (editor);
  click (verify_button_of (editor));
  wait_for (find_label (verify_button_of (editor), "Identical") != NULL);
  badge = find_label (verify_button_of (editor), "Identical");
  g_assert_nonnull (
      strstr (gtk_widget_get_tooltip_text (verify_button_of (editor)), "identical, "));
  g_assert_nonnull (
      strstr (gtk_widget_get_tooltip_text (verify_button_of (editor)), " values compared"));
  picture ("17-verified");

  /* An edit makes the result one of an earlier model; undoing it does not bring it back. */
  set_setting (editor, "stop-time", "3");
  wait_for (g_strcmp0 (gtk_label_get_text (GTK_LABEL (badge)), "Out of Date") == 0);
  picture ("18-verify-stale");
  key ("<Control><Shift>e");
  wait_for (g_strcmp0 (gtk_label_get_text (GTK_LABEL (badge)), "Identical") == 0);

  /* A long one is cancelled by the same button. */
  g_assert_true (weir_editor_open (editor, pendulum));
  set_setting (editor, "stop-time", "1e7");
  click (verify_button_of (editor));
  wait_for (weir_runner_is_verifying (editor->runner));
  picture ("19-verifying");
  click (verify_button_of (editor));
  wait_for (!weir_runner_is_verifying (editor->runner));
  editor_close (editor);
}

/* --- Notices of the desktop ------------------------------------------------------------------ */

static guint n_notices;
static char *notice; /* title and text of the last one */

static void
notified (G_GNUC_UNUSED GDBusConnection *connection, G_GNUC_UNUSED const char *sender,
          G_GNUC_UNUSED const char *path, G_GNUC_UNUSED const char *interface, const char *method,
          GVariant *parameters, GDBusMethodInvocation *invocation, G_GNUC_UNUSED gpointer data)
{
  const char *title, *text;

  if (strcmp (method, "Notify") != 0)
    {
      g_dbus_method_invocation_return_value (invocation, NULL);
      return;
    }
  g_variant_get_child (parameters, 3, "&s", &title);
  g_variant_get_child (parameters, 4, "&s", &text);
  g_free (notice);
  notice = g_strdup_printf ("%s: %s", title, text);
  n_notices++;
  g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", n_notices));
}

/* Only what took long and is not looked at is told. This test is the desktop. */
static void
test_notice (void)
{
  static const char xml[] =
      "<node><interface name='org.freedesktop.Notifications'><method name='Notify'>"
      "<arg type='s' direction='in'/><arg type='u' direction='in'/><arg type='s' direction='in'/>"
      "<arg type='s' direction='in'/><arg type='s' direction='in'/>"
      "<arg type='as' direction='in'/><arg type='a{sv}' direction='in'/>"
      "<arg type='i' direction='in'/><arg type='u' direction='out'/></method>"
      "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
      "</interface></node>";
  static const GDBusInterfaceVTable table = { .method_call = notified };
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (xml, NULL);
  guint object = g_dbus_connection_register_object (bus, "/org/freedesktop/Notifications",
                                                    node->interfaces[0], &table, NULL, NULL, NULL);
  guint name = g_bus_own_name_on_connection (bus, "org.freedesktop.Notifications",
                                             G_BUS_NAME_OWNER_FLAGS_NONE, NULL, NULL, NULL, NULL);
  WeirEditor *editor = window_open_example ("pendulum.weir"), *other;

  set_setting (editor, "real-time-rate", "1");
  for (guint i = 0; i < 3; i++)
    {
      gboolean is_long = i > 0, looks = i == 2;

      set_setting (editor, "stop-time", is_long ? "10.2" : "0.1");
      focus_window (weir_host_get_toplevel (WEIR_HOST (editor)));
      gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
      key ("F5");
      if (!looks)
        {
          XSetInputFocus (x_display (), None, RevertToNone, CurrentTime);
          wait_for (!gtk_window_is_active (weir_host_get_toplevel (WEIR_HOST (editor))));
        }
      wait_for (run_is_over (editor));
      spin (200);
      g_assert_cmpuint (n_notices, ==, is_long);
    }
  g_assert_cmpstr (notice, ==, "The Run Has Finished: • pendulum.weir");

  /* What it is activated for shows the tab. */
  other = weir_window_add_beside (editor, weir_editor_new ());
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (other)));
  g_action_group_activate_action (G_ACTION_GROUP (application), "show-tab",
                                  g_variant_new_uint32 (editor->serial));
  wait_for (gtk_widget_get_mapped (GTK_WIDGET (editor)));
  g_bus_unown_name (name);
  g_dbus_connection_unregister_object (bus, object);
  g_clear_pointer (&notice, g_free);
  editor_close (editor);
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
  g_test_add_func ("/window/run/notice", test_notice);
  return driver_main ();
}
