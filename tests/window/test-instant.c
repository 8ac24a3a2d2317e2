/* Instant results: while no run goes on, curves follow values that are dragged or typed, and
 * nothing of it is a run.
 */
#include "driver.h"

#include <glib/gstdio.h>

#include "cache/runs-panel.h"
#include "scopes/plot-view.h"

#define AT 3.0 /* s, where curves are compared */

static WeirPlot *
plot_of (WeirEditor *editor)
{
  return weir_plot_view_get_plot (
      WEIR_PLOT_VIEW (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_VIEW)));
}

static guint
count_runs (WeirEditor *editor)
{
  return weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL)));
}

static double
get_gain (WeirEditor *editor, const char *block)
{
  return g_ascii_strtod (weir_block_get_parameter (find_block (editor, block), "gain"), NULL);
}

/* The step of 1 / (s^2 + c s + k) at AT: the mass of the example is 1. */
static double
get_exact (WeirEditor *editor)
{
  double k = get_gain (editor, "Spring"), c = get_gain (editor, "Damper");
  double decay = c / 2, wd = sqrt (k - decay * decay);

  return (1 - exp (-decay * AT) * (cos (wd * AT) + decay / wd * sin (wd * AT))) / k;
}

/* Lines between samples that are 0.03 s apart are off by less than 1e-3. */
static gboolean
follows (WeirEditor *editor)
{
  double value;

  return weir_plot_get_value_at (plot_of (editor), 0, AT, &value)
         && fabs (value - get_exact (editor)) < 1e-3;
}

static WeirEditor *
open_and_run (void)
{
  WeirEditor *editor = window_open_example ("mass-spring-damper.weir");

  weir_runner_set_instant_limit (editor->runner, 1000); /* however busy the machine is */
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor) && count_runs (editor) == 1);
  wait_for (follows (editor));
  return editor;
}

static gboolean
is_slider (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_SCALE (widget) && gtk_widget_get_mapped (widget);
}

static void
test_slider (void)
{
  WeirEditor *editor = open_and_run ();
  WeirSession *session = session_of (editor);
  WeirRecorder *recorded_first = weir_session_get_recorder (session);
  guint64 n_steps = weir_session_get_snapshot (session)->statistics.steps;
  double k = get_gain (editor, "Spring"), width;
  GtkWidget *slider;
  WeirPoint at;

  click_at (block_on_screen (editor, "Spring"));
  slider = find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_slider, NULL);
  g_assert_nonnull (slider);
  at = middle_of (slider);
  width = gtk_widget_get_width (slider);
  point_at (at);
  press_button (1, TRUE);
  for (int i = 1; i <= 6; i++)
    point_at ((WeirPoint) { at.x - width * 0.05 * i, at.y });
  wait_for (get_gain (editor, "Spring") < k - 0.5);
  wait_for (follows (editor));
  g_assert_true (weir_plot_has_shadows (plot_of (editor)));
  picture ("instant-slider");
  picture_dark ("instant-slider-dark");
  press_button (1, FALSE);
  wait_for (!weir_plot_has_shadows (plot_of (editor)));
  wait_for (follows (editor));

  /* No run, no counter: the session is the same, with the same figures. */
  g_assert_true (session_of (editor) == session);
  g_assert_true (weir_session_get_recorder (session) == recorded_first);
  g_assert_cmpuint (weir_session_get_snapshot (session)->statistics.steps, ==, n_steps);
  g_assert_cmpuint (count_runs (editor), ==, 1);
  g_assert_true (weir_runner_get_results (editor->runner) != recorded_first);

  /* One undo step, which is followed too. */
  weir_document_undo (editor->document);
  g_assert_cmpfloat (get_gain (editor, "Spring"), ==, k);
  wait_for (follows (editor));
  g_assert_false (weir_document_can_undo (editor->document));

  /* A run is a run again. */
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor) && count_runs (editor) == 2);
  g_assert_true (weir_runner_get_results (editor->runner)
                 == weir_session_get_recorder (session_of (editor)));
  editor_close (editor);
}

/* Typed values are followed; edits of the diagram are not, nor is anything once it is switched off.
 */
static void
test_switch (void)
{
  WeirEditor *editor = open_and_run ();
  guint n_blocks = weir_diagram_get_n_blocks (root_diagram (editor));
  WeirRecorder *results;

  set_parameter (editor, "Damper", "gain", "1.6");
  wait_for (follows (editor));
  g_assert_false (weir_plot_has_shadows (plot_of (editor)));
  results = weir_runner_get_results (editor->runner);
  click_at (block_on_screen (editor, "Force"));
  key ("Delete");
  wait_for (weir_diagram_get_n_blocks (root_diagram (editor)) == n_blocks - 1);
  spin (100);
  g_assert_true (weir_runner_get_results (editor->runner) == results);
  weir_document_undo (editor->document);

  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "instant-results",
                                      g_variant_new_boolean (FALSE));
  set_parameter (editor, "Damper", "gain", "0.2");
  spin (200);
  g_assert_false (follows (editor));
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "instant-results",
                                      g_variant_new_boolean (TRUE));
  set_parameter (editor, "Damper", "gain", "0.3");
  wait_for (follows (editor));
  g_assert_cmpuint (count_runs (editor), ==, 1);
  editor_close (editor);
}

/* A run that took long is not repeated for each value. */
static void
test_long (void)
{
  WeirEditor *editor = open_and_run ();
  WeirRecorder *results = weir_runner_get_results (editor->runner);

  weir_runner_set_instant_limit (editor->runner, 0);
  set_parameter (editor, "Damper", "gain", "1.6");
  spin (200);
  g_assert_true (weir_runner_get_results (editor->runner) == results);
  editor_close (editor);
}

/* Time through a table, so that its curve is the table's; NAN: there is none yet. */
static double
get_tabled (WeirEditor *editor, double at)
{
  double value;

  return weir_plot_get_value_at (plot_of (editor), 0, at, &value) ? value : (double) NAN;
}

/* A point of a table that is moved is followed between its neighbours, by straight lines. */
static void
test_table (void)
{
  static const char text[] =
      "<?xml version=\"1.0\"?><weir version=\"1\"><settings><setting name=\"max-step\" "
      "value=\"0.25\"/><setting name=\"stop-time\" value=\"4\"/></settings><diagram>"
      "<block id=\"1\" type=\"Clock\" name=\"T\" x=\"40\" y=\"80\"/>"
      "<block id=\"2\" type=\"LookupTable\" name=\"Table\" x=\"150\" y=\"80\">"
      "<parameter name=\"points\" value=\"[0, 1, 2, 4]\"/>"
      "<parameter name=\"values\" value=\"[0, 1, 0, 1]\"/></block>"
      "<block id=\"3\" type=\"Scope\" name=\"Scope\" x=\"260\" y=\"80\"/>"
      "<wire id=\"91\" from=\"1.y\" to=\"2.u\"/><wire id=\"92\" from=\"2.y\" to=\"3.in1\"/>"
      "</diagram></weir>";
  g_autoptr (GFile) file = NULL;
  WeirEditor *editor = editor_open_text (text, &file);

  weir_runner_set_instant_limit (editor->runner, 1000);
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor) && count_runs (editor) == 1);
  wait_for (fabs (get_tabled (editor, 3) - 0.5) < 1e-9);
  set_parameter (editor, "Table", "values", "[0, 1, 3, 1]");
  wait_for (fabs (get_tabled (editor, 3) - 2) < 1e-9);
  g_assert_cmpfloat_with_epsilon (get_tabled (editor, 1.5), 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_tabled (editor, 0.5), 0.5, 1e-9);
  set_parameter (editor, "Table", "points", "[0, 1, 2.5, 4]");
  wait_for (fabs (get_tabled (editor, 2) - 7. / 3) < 1e-9);
  g_assert_cmpuint (count_runs (editor), ==, 1);
  editor_close (editor);
  g_file_delete (file, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/instant/slider", test_slider);
  g_test_add_func ("/window/instant/switch", test_switch);
  g_test_add_func ("/window/instant/long", test_long);
  g_test_add_func ("/window/instant/table", test_table);
  return driver_main ();
}
