/* The correctness lab: from a model with one forgotten prerequisite to its name, by the mouse
 * alone. What is shown is compared with what the engine finds when asked directly.
 */
#include "driver.h"

#include "analysis/bisection.h"
#include "numerics/number.h"
#include "lab/lab-panel.h"

static WeirEditor *
open_data (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  g_assert_true (weir_editor_open (editor, file));
  look_at_cache (editor);
  return editor;
}

static WeirLabPanel *
lab_of (WeirEditor *editor)
{
  return WEIR_LAB_PANEL (part_of (editor, WEIR_TYPE_LAB_PANEL));
}

static gboolean
contains (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static void
find_directly (WeirEditor *editor, WeirBisection *result)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = weir_document_complete (editor->document, &diagnostics);
  WeirSimulatorOptions options;
  double stop_time;

  g_assert_true (weir_runner_read_settings (editor->runner, &options, &stop_time, NULL));
  g_assert_true (weir_bisect_caching (system, &options, stop_time, NULL, result, NULL));
}

/* One click names the entry, another what it does not declare, a third proves that it alone is to
 * blame; a fourth selects it. */
static void
test_forgotten (void)
{
  WeirEditor *editor = open_data ("forgotten.weir");
  WeirBisection expected;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *ulps = NULL, *runs = NULL;

  find_directly (editor, &expected);
  click (verify_button_of (editor));
  wait_for (g_str_equal (shown_page (editor), "lab"));
  g_assert_cmpstr (verify_text_of (editor), ==, "Different");
  g_assert_cmpstr (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_VERIFY), ==,
                   "Different: Total:y does not declare all that it reads.");
  spin (100);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL),
                                weir_number_to_text (expected.first.cached, number)));
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL),
                                weir_number_to_text (expected.first.uncached, number)));
  ulps = g_strdup_printf ("%" G_GUINT64_FORMAT " representable numbers", expected.first.n_ulps);
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL), ulps));
  picture ("60-lab-different");

  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_AUDIT));
  wait_for (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                         "output y reads input in2, which it does not declare")
            != NULL);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                                 "declare input in2 as a prerequisite of output y"));

  g_assert_nonnull (
      find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                   "WEIR_DEPENDS (weir_input_ticket (b, in1), weir_input_ticket (b, in2))"));

  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_SEARCH));
  runs = g_strdup_printf (
      "1 of %u entries is to blame. Without caching it the runs are identical (%u runs).",
      expected.n_entries, expected.n_runs);
  wait_for (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL), runs) != NULL);
  spin (100);
  picture ("61-lab-audited");
  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_CONFIRM));
  wait_for (g_str_has_prefix (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_CONFIRM),
                              "Proven: with the corrections the runs are identical, "));
  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_VERIFY));
  wait_for (weir_runner_get_verify_result (editor->runner) != NULL);
  spin (100);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains, "Total:y, for "));
  picture ("65-lab-proven");
  click (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL), "Total:y"));
  wait_for (weir_canvas_get_selected_block (editor->canvas)
            == weir_block_get_id (find_block (editor, "Total")));

  set_setting (editor, "stop-time", "4"); /* what was found is of another model */
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    g_assert_cmpstr (weir_lab_panel_get_text (lab_of (editor), i), ==,
                     "The model has been changed since; test it again.");
  weir_bisection_clear (&expected);
  editor_close (editor);
}

/* Of an honest model all three say so, and a run that goes on beside them comes out the same to the
 * bit. */
static void
test_honest (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autoptr (GBytes) before = NULL, after = NULL;

  set_setting (editor, "stop-time", "3");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  before = recorded (editor);
  gtk_stack_set_visible_child_name (GTK_STACK (editor->bottom_stack), "lab");
  spin (100);
  picture ("62-lab-idle");
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    click (weir_lab_panel_get_button (lab_of (editor), i));
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (g_str_has_prefix (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_VERIFY),
                              "Cached against uncached: identical, "));
  wait_for (g_str_equal (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_SEARCH),
                         "Nobody is to blame: the runs are identical."));
  wait_for (g_str_has_prefix (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_AUDIT),
                              "Declarations hold"));
  g_assert_cmpstr (verify_text_of (editor), ==, "Identical");
  after = recorded (editor);
  g_assert_true (g_bytes_equal (before, after));
  gtk_stack_set_visible_child_name (GTK_STACK (editor->bottom_stack), "lab");
  picture ("63-lab-identical");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  picture ("64-lab-identical-dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
  editor_close (editor);
}

/* Beside every run: started with it, it takes what is done to the run at the same step, waits while
 * the run pauses, and says how far both have come. What the run gives stays the same to the bit. */
static void
test_beside (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  g_autoptr (GBytes) before = NULL, after = NULL;
  const WeirVerifyResult *result;

  set_setting (editor, "stop-time", "3");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  before = recorded (editor);
  weir_host_show_page (WEIR_HOST (editor), "lab");
  spin (100);
  click (find_label (part_of (editor, WEIR_TYPE_LAB_PANEL), "Beside Every Run"));
  wait_for (weir_runner_get_verifies_runs (editor->runner));
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (g_str_equal (verify_text_of (editor), "Identical"));
  after = recorded (editor);
  g_assert_true (g_bytes_equal (before, after));

  weir_runner_run_until (editor->runner, 1);
  wait_for (weir_session_get_state (session_of (editor)) == WEIR_SESSION_PAUSED);
  wait_for (weir_runner_get_verify_progress (editor->runner) >= 0.333);
  set_parameter (editor, "Pendulum", "length", "2");
  g_assert_true (weir_runner_is_verifying (editor->runner));
  wait_for (g_str_equal (weir_lab_panel_get_text (lab_of (editor), WEIR_LAB_VERIFY),
                         "Identical to 33 %"));
  picture ("66-lab-waits");
  weir_runner_run (editor->runner);
  wait_for (run_is_over (editor));
  wait_for (g_str_equal (verify_text_of (editor), "Identical"));
  result = weir_runner_get_verify_result (editor->runner);
  g_assert_true (result->identical);
  g_assert_cmpuint (result->n_steps, ==,
                    weir_session_get_snapshot (session_of (editor))->statistics.steps);

  weir_runner_run_until (editor->runner, 1);
  wait_for (weir_session_get_state (session_of (editor)) == WEIR_SESSION_PAUSED);
  g_assert_true (weir_runner_is_verifying (editor->runner));
  weir_runner_set_verifies_runs (editor->runner, FALSE); /* it waits no more */
  wait_for (!weir_runner_is_verifying (editor->runner));
  editor_close (editor);
}

/* In a low window an answer below what is in view is scrolled to, with what it is an answer to. */
static void
test_scrolls_to_answer (void)
{
  WeirEditor *editor = open_data ("forgotten.weir");
  GtkWidget *answer;
  graphene_rect_t place;

  gtk_paned_set_position (GTK_PANED (editor->bottom_paned), 10000);
  weir_host_show_page (WEIR_HOST (editor), "lab");
  spin (100);
  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_CONFIRM));
  wait_for ((answer = find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains, "Proven: "))
            != NULL);
  spin (200);
  g_assert_true (gtk_widget_compute_bounds (answer, part_of (editor, WEIR_TYPE_LAB_PANEL), &place));
  g_assert_cmpfloat (place.origin.y, >=, 0);
  g_assert_cmpfloat (place.origin.y + place.size.height, <=,
                     gtk_widget_get_height (part_of (editor, WEIR_TYPE_LAB_PANEL)));
  picture ("64-lab-scrolled");

  click (weir_lab_panel_get_button (lab_of (editor), WEIR_LAB_AUDIT));
  wait_for ((answer = find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains, "1 error"))
            != NULL);
  spin (200);
  g_assert_true (gtk_widget_compute_bounds (answer, part_of (editor, WEIR_TYPE_LAB_PANEL), &place));
  g_assert_cmpfloat (place.origin.y, >=, 0);
  g_assert_cmpfloat (place.origin.y + place.size.height, <=,
                     gtk_widget_get_height (part_of (editor, WEIR_TYPE_LAB_PANEL)));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/lab/forgotten-prerequisite", test_forgotten);
  g_test_add_func ("/window/lab/honest", test_honest);
  g_test_add_func ("/window/lab/beside", test_beside);
  g_test_add_func ("/window/lab/scrolls-to-answer", test_scrolls_to_answer);
  return driver_main ();
}
