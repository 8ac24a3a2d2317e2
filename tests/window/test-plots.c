/* Plots in the window: curves between the solver's steps, what their menu does, and an earlier run
 * beneath the present one.
 */
#include "driver.h"

#include "gui/pages/plots-page.h"
#include "cache/runs-panel.h"
#include "scopes/plot-view.h"

static GtkWidget *
find_plot_view (WeirEditor *editor)
{
  return find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_VIEW);
}

static WeirPlot *
plot_of (WeirEditor *editor)
{
  return weir_plot_view_get_plot (WEIR_PLOT_VIEW (find_plot_view (editor)));
}

static void
run_to_end (WeirEditor *editor, guint n)
{
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor)
            && weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL)))
                   == n);
  spin (100); /* the plots take in what was recorded last */
}

static double
get_value (WeirPlot *plot, guint curve, double time)
{
  double value;

  g_assert_true (weir_plot_get_value_at (plot, curve, time, &value));
  return value;
}

/* The solver follows a parabola from bounce to bounce in one step: the curve does not. A ball let
 * go at height h with 80 % of its speed kept rises to 0.64 h, at the time below. */
static void
test_between_steps (void)
{
  WeirEditor *editor = window_open_example ("bouncing-ball.weir");
  const double g = 9.81, h = 10, fall = sqrt (2 * h / g);

  run_to_end (editor, 1);
  g_assert_cmpfloat_with_epsilon (get_value (plot_of (editor), 0, fall / 2), h - h / 4, 5e-3);
  g_assert_cmpfloat_with_epsilon (get_value (plot_of (editor), 0, fall * 1.8), 0.64 * h, 5e-3);
  picture ("plots-ball");
  editor_close (editor);
}

/* Ranges of axes and signals that no Scope shows are kept with the model: nothing to undo, nothing
 * unsaved, and there again when it is opened. */
static void
test_looks_kept (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-plots-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "looks.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  double first, last, again_first, again_last;
  const char *text;
  WeirModel *model;
  guint n_signals;

  run_to_end (editor, 1);
  wheel_at (middle_of (find_plot_view (editor)), -3);
  wait_for (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_LEFT));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &first, &last);
  n_signals = weir_recorder_get_n_signals (weir_session_get_recorder (session_of (editor)));
  g_signal_emit_by_name (editor->canvas, "plot-port", "Pendulum.potential");
  g_assert_false (weir_document_get_modified (editor->document));
  g_assert_false (weir_document_can_undo (editor->document));
  g_assert_true (weir_document_save (editor->document, file, NULL));
  editor_close (editor);

  editor = editor_open ();
  g_assert_true (weir_editor_open (editor, file));
  run_to_end (editor, 1);
  g_assert_cmpuint (weir_recorder_get_n_signals (weir_session_get_recorder (session_of (editor))),
                    >, n_signals);
  g_assert_true (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  weir_plot_get_range (plot_of (editor), WEIR_PLOT_TIME, &again_first, &again_last);
  g_assert_cmpfloat (again_first, ==, first);
  g_assert_cmpfloat (again_last, ==, last);

  /* As plots begin: nothing is kept of it. */
  weir_plot_view_fit (WEIR_PLOT_VIEW (find_plot_view (editor)));
  g_assert_false (weir_plot_is_range_fixed (plot_of (editor), WEIR_PLOT_TIME));
  model = weir_document_get_model (editor->document);
  text = weir_model_get_plot (model, "signals");
  if (text != NULL)
    g_assert_cmpstr (text, ==, "Pendulum.potential");
  g_assert_cmpuint (weir_model_get_n_plots (model), ==, text != NULL);
  editor_close (editor);
  g_unlink (path);
  g_rmdir (folder);
}

/* Opens the menu of the plot at the pointer and chooses by mnemonics. */
static void
choose (WeirPoint pointer, const char *first, const char *second)
{
  click_button_at (3, pointer);
  spin (200);
  key (first);
  spin (200);
  if (second != NULL)
    key (second);
  spin (200);
}

static void
test_earlier_run (void)
{
  WeirEditor *editor = window_open_example ("mass-spring-damper.weir");
  g_autofree char *folder = g_dir_make_tmp ("weir-plots-XXXXXX", NULL);
  g_autofree char *table = g_build_filename (folder, "results.csv", NULL);
  g_autofree char *picture_path = g_build_filename (folder, "plot.png", NULL);
  g_autofree char *written = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (table);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *own = NULL;
  const char *rows;
  WeirPoint middle;
  double before;

  run_to_end (editor, 1);
  before = get_value (plot_of (editor), 0, 3);
  set_parameter (editor, "Damper", "gain", "1.6");
  run_to_end (editor, 2);
  g_assert_cmpuint (weir_plot_get_n_curves (plot_of (editor)), ==, 1);

  middle = middle_of (find_plot_view (editor));
  choose (middle, "w", "b");
  wait_for (weir_plot_get_n_curves (plot_of (editor)) == 2);
  g_assert_cmpstr (weir_plot_get_curve_name (plot_of (editor), 1), ==, "Position.y (Run 1)");
  g_assert_cmpfloat (get_value (plot_of (editor), 1, 3), ==, before);
  g_assert_cmpfloat (fabs (get_value (plot_of (editor), 0, 3) - before), >, 0.01);
  point_at (middle);
  picture ("plots-earlier");

  /* It follows the runs. */
  set_parameter (editor, "Damper", "gain", "0.2");
  before = get_value (plot_of (editor), 0, 3);
  run_to_end (editor, 3);
  g_assert_cmpstr (weir_plot_get_curve_name (plot_of (editor), 1), ==, "Position.y (Run 2)");
  g_assert_cmpfloat (get_value (plot_of (editor), 1, 3), ==, before);
  g_assert_nonnull (
      strstr (weir_runs_panel_get_text (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL))),
              "Changed: Damper: gain: 1.6 -> 0.2."));

  /* Another one, from the page of runs. */
  weir_host_show_page (WEIR_HOST (editor), "runs");
  gtk_drop_down_set_selected (
      GTK_DROP_DOWN (find_of_type (part_of (editor, WEIR_TYPE_RUNS_PANEL), GTK_TYPE_DROP_DOWN)), 0);
  spin (100);
  click (find_label (part_of (editor, WEIR_TYPE_RUNS_PANEL), "Plot A"));
  wait_for (g_str_equal (shown_page (editor), "plots"));
  g_assert_cmpstr (weir_plot_get_curve_name (plot_of (editor), 1), ==, "Position.y (Run 1)");

  /* A picture of it, and what was recorded. */
  choose (middle, "s", NULL);
  choose_path (picture_path);
  wait_for (g_file_test (picture_path, G_FILE_TEST_EXISTS));
  g_assert_true (weir_plots_page_export_results (part_of (editor, WEIR_TYPE_PLOTS_PAGE), file));
  g_assert_true (g_file_get_contents (table, &written, NULL, NULL));
  /* The columns are called as in the legend; what is in them is what was recorded. */
  bytes = recorded (editor);
  rows = strchr (written, '\n');
  own = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_assert_true (g_str_has_prefix (written, "time,Position.y\n"));
  g_assert_cmpstr (rows, ==, strchr (own, '\n'));
  g_assert_cmpint (g_unlink (table), ==, 0);
  g_assert_cmpint (g_unlink (picture_path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  editor_close (editor);
}

/* The axes stay where they are when the pointer comes. */
static void
test_cursor (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirPoint middle;
  double x[2], y[2];

  run_to_end (editor, 1);
  weir_plot_to_position (plot_of (editor), 1, 0, &x[0], &y[0]);
  middle = middle_of (find_plot_view (editor));
  point_at (middle);
  wait_for (!isnan (weir_plot_get_cursor (plot_of (editor))));
  spin (100);
  weir_plot_to_position (plot_of (editor), 1, 0, &x[1], &y[1]);
  g_assert_cmpfloat (x[0], ==, x[1]);
  g_assert_cmpfloat (y[0], ==, y[1]);
  editor_close (editor);
}

/* Every signal of a narrow plot has its place in the head; none is scrolled out of it. */
static void
test_narrow_head (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *label;

  run_to_end (editor, 1);
  label = find_label (part_of (editor, WEIR_TYPE_SCOPES),
                      "Total.y"); /* the third of the plot on the right */
  g_assert_nonnull (label);
  g_assert_cmpfloat (on_screen (label, gtk_widget_get_width (label), 0).x, <,
                     on_screen (part_of (editor, WEIR_TYPE_SCOPES),
                                gtk_widget_get_width (part_of (editor, WEIR_TYPE_SCOPES)), 0)
                             .x
                         - 60);
  editor_close (editor);
}

static const char unrecorded_text[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<weir version=\"1\">\n  <diagram>\n"
    "    <block id=\"1\" type=\"Sine\" name=\"Sine\" x=\"0\" y=\"0\"/>\n"
    "    <block id=\"2\" type=\"Integrator\" name=\"Area\" x=\"120\" y=\"0\"/>\n"
    "    <wire id=\"3\" from=\"1.y\" to=\"2.u\"/>\n"
    "  </diagram>\n</weir>\n";

static gboolean
take_source (WeirWire *wire, gpointer source)
{
  *(guint32 *) source = weir_wire_get_from (wire).block;
  return TRUE;
}

/* A run of which there is nothing to see says so; the button adds a Scope at the output that leads
 * nowhere, as one undo step, and runs again. */
static void
test_unrecorded (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  int fd = g_file_open_tmp ("weir-XXXXXX.weir", &path, NULL);
  guint32 source = 0;

  g_assert_true (g_close (fd, NULL));
  g_assert_true (g_file_set_contents (path, unrecorded_text, -1, NULL));
  file = g_file_new_for_path (path);
  g_assert_true (weir_editor_open (editor, file));
  weir_host_show_page (WEIR_HOST (editor), "plots");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (find_label (part_of (editor, WEIR_TYPE_SCOPES), "This Run Records Nothing") != NULL);
  g_assert_null (find_label (part_of (editor, WEIR_TYPE_SCOPES), "A|B")); /* nothing to measure */
  g_assert_nonnull (
      strstr (gtk_label_get_text (GTK_LABEL (editor->status)), "nothing is recorded"));
  picture ("7a-unrecorded");
  picture_dark ("7a-unrecorded-dark");
  click (find_label (part_of (editor, WEIR_TYPE_SCOPES), "Add a Scope and Run"));
  wait_for (weir_scopes_get_n_plots (WEIR_SCOPES (part_of (editor, WEIR_TYPE_SCOPES))) == 1);
  wait_for (run_is_over (editor));
  g_assert_null (strstr (gtk_label_get_text (GTK_LABEL (editor->status)), "nothing is recorded"));
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_SCOPES), "A|B"));
  g_assert_cmpuint (weir_recorder_get_n_signals (weir_session_get_recorder (session_of (editor))),
                    ==, 1);
  g_assert_nonnull (find_block (editor, "Scope"));
  weir_diagram_foreach_wire_at (root_diagram (editor),
                                weir_block_get_id (find_block (editor, "Scope")), take_source,
                                &source);
  g_assert_cmpuint (source, ==, weir_block_get_id (find_block (editor, "Area")));
  picture ("7b-scope-added");
  click_canvas (editor);
  key ("<Control>z");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == 2);
  editor_close (editor);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/plots/between-steps", test_between_steps);
  g_test_add_func ("/window/plots/earlier-run", test_earlier_run);
  g_test_add_func ("/window/plots/cursor", test_cursor);
  g_test_add_func ("/window/plots/narrow-head", test_narrow_head);
  g_test_add_func ("/window/plots/looks-kept", test_looks_kept);
  g_test_add_func ("/window/plots/unrecorded", test_unrecorded);
  return driver_main ();
}
