/* The whole program in a real window: every event is a real pointer or key event sent to the X server;
 * what they did is read from the program's own objects.
 *
 * With WEIR_PICTURES=DIRECTORY a picture of each state is written there, for looking at.
 */
#include <gdk/x11/gdkx.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "cache/cache-panel.h"
#include "canvas/canvas-private.h"
#include "gui/shortcuts.h"
#include "gui/window-private.h"
#include "panels/problem-list.h"
#include "scopes/scopes.h"

#define PATIENCE_US (20 * G_USEC_PER_SEC) /* before a wait is given up as failed */

static GtkApplication *application;

/* --- Waiting ------------------------------------------------------------------------------------- */

static void
spin (guint milliseconds)
{
  gint64 until = g_get_monotonic_time () + milliseconds * 1000;

  while (g_get_monotonic_time () < until)
    if (!g_main_context_iteration (NULL, FALSE))
      g_usleep (1000);
}

#define wait_for(condition)                                                                       \
  G_STMT_START                                                                                    \
  {                                                                                               \
    gint64 wait_until = g_get_monotonic_time () + PATIENCE_US;                                    \
    while (!(condition) && g_get_monotonic_time () < wait_until)                                  \
      if (!g_main_context_iteration (NULL, FALSE))                                                \
        g_usleep (1000);                                                                          \
    g_assert_true (condition);                                                                    \
  }                                                                                               \
  G_STMT_END

static void
subprocess_done (GObject *object, GAsyncResult *result, gpointer data)
{
  g_assert_true (g_subprocess_wait_check_finish (G_SUBPROCESS (object), result, NULL));
  *(gboolean *) data = TRUE;
}

static void G_GNUC_PRINTF (1, 2)
command (const char *format, ...)
{
  va_list arguments;
  g_autofree char *line = NULL;
  g_auto (GStrv) argv = NULL;
  g_autoptr (GSubprocess) subprocess = NULL;
  gboolean done = FALSE;

  va_start (arguments, format);
  line = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_assert_true (g_shell_parse_argv (line, NULL, &argv, NULL));
  subprocess = g_subprocess_newv ((const char *const *) argv, G_SUBPROCESS_FLAGS_NONE, NULL);
  g_assert_nonnull (subprocess);
  g_subprocess_wait_check_async (subprocess, NULL, subprocess_done, &done);
  wait_for (done);
  spin (60);
}

/* --- Acting -------------------------------------------------------------------------------------- */

static void
picture (const char *name)
{
  const char *folder = g_getenv ("WEIR_PICTURES");

  spin (150);
  if (folder != NULL)
    command ("import -window root %s/%s.png", folder, name);
}

/* Where a point of a widget is on the screen. Without a window manager the surface is at 0, 0. */
static WeirPoint
on_screen (GtkWidget *widget, double x, double y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  double dx, dy, wx, wy;

  gtk_native_get_surface_transform (native, &dx, &dy);
  g_assert_true (gtk_widget_translate_coordinates (widget, GTK_WIDGET (native), x, y, &wx, &wy));
  return (WeirPoint) { wx + dx, wy + dy };
}

static WeirPoint
middle_of (GtkWidget *widget)
{
  g_assert_true (gtk_widget_get_mapped (widget));
  return on_screen (widget, gtk_widget_get_width (widget) / 2.0,
                    gtk_widget_get_height (widget) / 2.0);
}

static void
click_at (WeirPoint point)
{
  command ("xdotool mousemove --sync %d %d click 1", (int) point.x, (int) point.y);
}

static void
click (GtkWidget *widget)
{
  click_at (middle_of (widget));
}

static void
key (const char *name)
{
  command ("xdotool key --clearmodifiers %s", name);
}

static void
drag (WeirPoint from, WeirPoint to)
{
  command ("xdotool mousemove --sync %d %d mousedown 1 sleep 0.05 mousemove --sync %d %d sleep 0.05 "
           "mousemove --sync %d %d sleep 0.05 mousemove --sync %d %d sleep 0.05 mouseup 1",
           (int) from.x, (int) from.y, (int) (from.x + (to.x - from.x) / 4 + 3),
           (int) (from.y + (to.y - from.y) / 4), (int) ((from.x + to.x) / 2),
           (int) ((from.y + to.y) / 2), (int) to.x, (int) to.y);
}

static WeirWindow *
window_open (void)
{
  WeirWindow *window = weir_window_new (application);

  gtk_window_present (GTK_WINDOW (window));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (window));
  command ("xdotool windowfocus --sync %lu",
           gdk_x11_surface_get_xid (GDK_SURFACE (gtk_native_get_surface (GTK_NATIVE (window)))));
  spin (200);
  return window;
}

static void
window_close (WeirWindow *window)
{
  gtk_window_destroy (GTK_WINDOW (window));
  spin (50);
}

/* --- Looking ------------------------------------------------------------------------------------- */

static GtkWidget *
find_widget (GtkWidget *root, gboolean (*matches) (GtkWidget *widget, gconstpointer data),
             gconstpointer data)
{
  if (matches (root, data))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, matches, data);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_label (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), text) == 0;
}

static gboolean
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(const GType *) type) && gtk_widget_get_mapped (widget);
}

static GtkWidget *
find_of_type (GtkWidget *root, GType type)
{
  GtkWidget *found = find_widget (root, has_type, &type);

  g_assert_nonnull (found);
  return found;
}

static WeirDiagram *
root_diagram (WeirWindow *window)
{
  return weir_model_get_root (weir_document_get_model (window->document));
}

static WeirPoint
port_on_screen (WeirWindow *window, const char *block, const char *port, gboolean is_output)
{
  WeirBlock *found = weir_diagram_find_block_by_name (root_diagram (window), block);
  const WeirBlockShape *shape;

  g_assert_nonnull (found);
  shape = weir_scene_find_block (window->canvas->scene, weir_block_get_id (found));
  g_assert_nonnull (shape);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (shape->ports[i].is_output == is_output && g_str_equal (shape->ports[i].name, port))
      {
        WeirPoint pixel = weir_viewport_to_pixel (&window->canvas->viewport, shape->ports[i].position);

        return on_screen (GTK_WIDGET (window->canvas), pixel.x, pixel.y);
      }
  g_assert_not_reached ();
}

static WeirPoint
block_on_screen (WeirWindow *window, const char *block)
{
  WeirBlock *found = weir_diagram_find_block_by_name (root_diagram (window), block);
  WeirPoint pixel = weir_viewport_to_pixel (
      &window->canvas->viewport,
      weir_rect_get_center (
          weir_scene_find_block (window->canvas->scene, weir_block_get_id (found))->box));

  return on_screen (GTK_WIDGET (window->canvas), pixel.x, pixel.y);
}

static gboolean
run_is_over (WeirWindow *window)
{
  WeirSession *session = weir_runner_get_session (window->runner);

  return session != NULL && weir_session_get_state (session) == WEIR_SESSION_FINISHED;
}

static GBytes *
recorded (WeirWindow *window)
{
  g_autoptr (GOutputStream) stream = g_memory_output_stream_new_resizable ();

  g_assert_true (weir_recorder_write_csv (
      weir_session_get_recorder (weir_runner_get_session (window->runner)), stream, NULL));
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (stream));
}

/* Adds a block by typing its name into the palette's search and dragging the row onto the canvas. */
static void
drag_from_palette (WeirWindow *window, const char *title, double x, double y)
{
  guint before = weir_diagram_get_n_blocks (root_diagram (window));
  GtkWidget *row;

  key ("ctrl+f");
  command ("xdotool type --delay 20 '%s'", title);
  spin (300); /* the search entry waits for a pause in typing */
  row = find_widget (window->palette, has_label, title);
  g_assert_nonnull (row);
  drag (middle_of (row), on_screen (GTK_WIDGET (window->canvas), x, y));
  wait_for (weir_diagram_get_n_blocks (root_diagram (window)) == before + 1);
  key ("ctrl+f");
  key ("ctrl+a");
  key ("BackSpace");
  click_at (on_screen (GTK_WIDGET (window->canvas), 20, 20)); /* back to the canvas */
}

/* --- The story of issue's first lines ------------------------------------------------------------- */

static void
test_build_run_save (void)
{
  WeirWindow *window = window_open (), *other;
  g_autoptr (WeirModel) built = NULL;
  g_autoptr (GBytes) cached = NULL;
  g_autoptr (GBytes) uncached = NULL;
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "built.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  guint64 hits, misses, invalidations, hits_before;
  guint edits = 0;

  picture ("01-empty");
  drag_from_palette (window, "Sine", 150, 120);
  drag_from_palette (window, "Sum", 320, 120);
  drag_from_palette (window, "Scope", 500, 120);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 3);
  /* The sum reads the sine twice at each time: the second read is a hit. */
  drag (port_on_screen (window, "Sine", "y", TRUE), port_on_screen (window, "Sum", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 1);
  drag (port_on_screen (window, "Sine", "y", TRUE), port_on_screen (window, "Sum", "in2", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 2);
  drag (port_on_screen (window, "Sum", "y", TRUE), port_on_screen (window, "Scope", "in1", FALSE));
  wait_for (weir_diagram_get_n_wires (root_diagram (window)) == 3);
  picture ("02-wired");

  /* Run: samples reach the plot, hits reach the table. */
  key ("F5");
  wait_for (run_is_over (window));
  wait_for (weir_scopes_get_n_samples (WEIR_SCOPES (window->scopes)) > 10);
  g_assert_cmpuint (weir_scopes_get_n_plots (WEIR_SCOPES (window->scopes)), ==, 1);
  picture ("03-run");
  cached = recorded (window);
  click (find_widget (window->bottom, has_label, "Cache"));
  wait_for (g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (window->stack)), "cache") == 0);
  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits, &misses, &invalidations);
  g_assert_cmpuint (hits, >, 0);
  g_assert_cmpuint (misses, >, 0);
  g_assert_cmpuint (invalidations, >, 0);
  picture ("04-cache");

  /* Caching off: hits stop, results stay equal to the bit. */
  click (find_of_type (window->cache, GTK_TYPE_SWITCH));
  wait_for (!weir_runner_get_caching (window->runner));
  key ("F5");
  wait_for (run_is_over (window));
  wait_for (!weir_session_get_snapshot (weir_runner_get_session (window->runner))->caching);
  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits_before, &misses,
                               &invalidations);
  g_assert_cmpuint (hits_before, ==, 0);
  g_assert_cmpuint (misses, >, 0);
  uncached = recorded (window);
  g_assert_cmpmem (g_bytes_get_data (cached, NULL), g_bytes_get_size (cached),
                   g_bytes_get_data (uncached, NULL), g_bytes_get_size (uncached));
  picture ("05-uncached");

  /* Verify says so too. */
  key ("ctrl+shift+e");
  wait_for (gtk_widget_get_visible (window->bar));
  g_assert_nonnull (strstr (gtk_label_get_text (GTK_LABEL (window->bar_text)), "identical"));
  picture ("06-verified");

  /* Undo everything, redo everything. */
  built = weir_model_ref (weir_document_get_model (window->document));
  click_at (on_screen (GTK_WIDGET (window->canvas), 20, 20));
  while (weir_document_can_undo (window->document))
    {
      key ("ctrl+z");
      g_assert_cmpuint (++edits, <, 100);
    }
  g_assert_cmpuint (edits, >=, 5);
  g_assert_cmpuint (weir_diagram_get_n_blocks (root_diagram (window)), ==, 0);
  g_assert_cmpuint (weir_diagram_get_n_wires (root_diagram (window)), ==, 0);
  while (weir_document_can_redo (window->document))
    key ("ctrl+shift+z");
  g_assert_true (weir_model_equal (weir_document_get_model (window->document), built));

  /* Save and reopen. The file chooser is GTK's own; the model goes through the window's own path. */
  g_assert_true (weir_document_save (window->document, file, NULL));
  key ("ctrl+s");
  g_assert_false (weir_document_get_modified (window->document));
  other = window_open ();
  g_assert_true (weir_window_open (other, file));
  g_assert_true (weir_model_equal (weir_document_get_model (other->document), built));
  window_close (other);
  window_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_live_caching_and_parameters (void)
{
  WeirWindow *window = window_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples",
                                                 "pendulum.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  guint64 hits, misses, invalidations, later;
  WeirSession *session;

  g_assert_true (weir_window_open (window, file));
  weir_patch_set_setting (patch, "stop-time", "1e7"); /* goes on for longer than the test */
  g_assert_true (weir_document_edit (window->document, patch, "Run Longer", NULL, NULL));
  click_at (on_screen (GTK_WIDGET (window->canvas), 20, 20));
  key ("F5");
  picture ("10-running");
  wait_for (weir_runner_is_active (window->runner));
  session = weir_runner_get_session (window->runner);
  key ("ctrl+shift+k");
  wait_for (weir_session_get_snapshot (session)->statistics.steps > 1000);

  /* Caching off and on while it runs. */
  click (find_of_type (window->cache, GTK_TYPE_SWITCH));
  wait_for (!weir_session_get_snapshot (session)->caching);
  weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits, &misses, &invalidations);
  later = weir_session_get_snapshot (session)->statistics.steps + 1000;
  wait_for (weir_session_get_snapshot (session)->statistics.steps > later);
  {
    guint64 hits_later;

    weir_cache_panel_get_totals (WEIR_CACHE_PANEL (window->cache), &hits_later, &misses,
                                 &invalidations);
    g_assert_cmpuint (hits_later, ==, hits);
  }
  picture ("11-caching-off");
  click (find_of_type (window->cache, GTK_TYPE_SWITCH));
  wait_for (weir_session_get_snapshot (session)->caching);

  key ("F6");
  wait_for (weir_session_get_state (session) == WEIR_SESSION_PAUSED);
  later = weir_session_get_snapshot (session)->statistics.steps;
  key ("F8");
  wait_for (weir_session_get_snapshot (session)->statistics.steps == later + 1);
  wait_for (weir_session_get_state (session) == WEIR_SESSION_PAUSED);
  key ("shift+F5");
  wait_for (weir_session_get_state (session) == WEIR_SESSION_STOPPED);
  window_close (window);
}

static void
test_bad_file (void)
{
  static const char text[]
      = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n"
        "    <block id=\"1\" type=\"Gain\" name=\"Gain\" x=\"100\" y=\"100\"/>\n"
        "    <block id=\"2\" type=\"Mystery\" name=\"Odd\" x=\"300\" y=\"100\"/>\n"
        "  </diagram>\n</weir>\n";
  WeirWindow *window = window_open ();
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "bad.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirModel *before;
  WeirBlock *odd;
  GtkWidget *row;

  /* Not XML: refused whole, the document stays. */
  g_assert_true (g_file_set_contents (path, "this is no model", -1, NULL));
  before = weir_document_get_model (window->document);
  g_assert_false (weir_window_open (window, file));
  g_assert_true (weir_document_get_model (window->document) == before);
  g_assert_cmpuint (weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (window->problems)), ==, 1);
  picture ("20-not-xml");

  /* An unknown block and an unconnected input: opened, listed, not runnable; a row selects its block. */
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_assert_true (weir_window_open (window, file));
  click_at (on_screen (GTK_WIDGET (window->canvas), 10, 10));
  key ("F5");
  wait_for (weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (window->problems)) == 2);
  g_assert_false (weir_runner_is_active (window->runner));
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (window->stack)), ==, "problems");
  picture ("21-problems");
  row = find_widget (window->problems, has_label, "Odd, line 5");
  g_assert_nonnull (row);
  click (row);
  odd = weir_diagram_find_block_by_name (root_diagram (window), "Odd");
  wait_for (weir_canvas_get_selected_block (window->canvas) == weir_block_get_id (odd));
  picture ("22-selected");
  window_close (window);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_inspector (void)
{
  WeirWindow *window = window_open ();
  WeirBlock *gain;

  drag_from_palette (window, "Gain", 200, 150);
  click_at (block_on_screen (window, "Gain"));
  wait_for (weir_canvas_get_selected_block (window->canvas) != 0);
  key ("alt+Return");
  key ("ctrl+a");
  command ("xdotool type --delay 20 '2.5'");
  key ("Return");
  gain = weir_diagram_find_block_by_name (root_diagram (window), "Gain");
  g_assert_cmpstr (weir_block_get_parameter (gain, "gain"), ==, "2.5");

  /* What does not parse is said at the field and changes nothing. */
  key ("ctrl+a");
  command ("xdotool type --delay 20 'abc'");
  picture ("30-bad-parameter");
  key ("Return");
  gain = weir_diagram_find_block_by_name (root_diagram (window), "Gain");
  g_assert_cmpstr (weir_block_get_parameter (gain, "gain"), ==, "2.5");
  key ("Escape");
  click_at (on_screen (GTK_WIDGET (window->canvas), 20, 20));
  key ("ctrl+z");
  gain = weir_diagram_find_block_by_name (root_diagram (window), "Gain");
  g_assert_cmpstr (weir_block_get_parameter (gain, "gain"), ==, NULL);
  window_close (window);
}

static void
test_dark (void)
{
  WeirWindow *window = window_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples",
                                                 "pendulum.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_true (weir_window_open (window, file));
  click_at (on_screen (GTK_WIDGET (window->canvas), 20, 20));
  key ("F5");
  wait_for (run_is_over (window));
  picture ("40-dark");
  key ("ctrl+shift+k");
  picture ("41-dark-cache");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  picture ("42-light-cache");
  window_close (window);
}

/* The shortcuts window is made from the same table as the accelerators. */
static void
test_shortcuts (void)
{
  WeirWindow *window = window_open ();
  const WeirShortcut *shortcuts;
  GtkWidget *overlay;
  guint n;

  shortcuts = weir_shortcuts_get (&n);
  for (guint i = 0; i < n; i++)
    if (shortcuts[i].action != NULL)
      {
        g_auto (GStrv) expected = g_strsplit (shortcuts[i].keys, " ", -1);
        g_auto (GStrv) set
            = gtk_application_get_accels_for_action (application, shortcuts[i].action);

        g_assert_cmpuint (g_strv_length (set), ==, g_strv_length (expected));
        if (g_str_has_prefix (shortcuts[i].action, "win."))
          g_assert_true (g_action_group_has_action (G_ACTION_GROUP (window), shortcuts[i].action + 4));
      }
  overlay = weir_shortcuts_window_new ();
  g_assert_true (GTK_IS_SHORTCUTS_WINDOW (overlay));
  gtk_window_destroy (GTK_WINDOW (overlay));
  window_close (window);
}

static int result;

static void
activate (G_GNUC_UNUSED GApplication *app, G_GNUC_UNUSED gpointer data)
{
  weir_shortcuts_apply (application);
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, "gtk-cursor-blink",
                FALSE, NULL);
  result = g_test_run ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/build-run-save", test_build_run_save);
  g_test_add_func ("/window/live-caching", test_live_caching_and_parameters);
  g_test_add_func ("/window/bad-file", test_bad_file);
  g_test_add_func ("/window/inspector", test_inspector);
  g_test_add_func ("/window/dark", test_dark);
  g_test_add_func ("/window/shortcuts", test_shortcuts);

  application = GTK_APPLICATION (
      adw_application_new ("org.weirsim.Weir.Test", G_APPLICATION_NON_UNIQUE));
  g_signal_connect (application, "activate", G_CALLBACK (activate), NULL);
  g_application_run (G_APPLICATION (application), 0, NULL);
  g_object_unref (application);
  return result;
}
