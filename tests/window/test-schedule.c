/* The page of the schedule: it is there while the model has units, and its buttons are edits of the
 * model that undo takes back.
 */
#include "looks.h"
#include "model/tree/unit-settings.h"

static GtkWidget *
page_of (WeirEditor *editor)
{
  return part_of (editor, g_type_from_name ("WeirSchedulePage"));
}

static const char *
place_of (WeirEditor *editor, const char *name)
{
  const WeirBlock *block = weir_model_find_path (weir_document_get_model (editor->document), name);

  return weir_block_get_unit_setting (block, "place");
}

/* The first button is where the handle of the left pane was, which is hidden here. */
static void
test_order (void)
{
  WeirEditor *editor = window_open_example ("five-simulators.weir");

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  picture ("90-schedule");
  g_assert_cmpstr (place_of (editor, "S4"), ==, "4");
  click (find_label (page_of (editor), "Fewest Late"));
  wait_for (g_str_equal (place_of (editor, "S4"), "1"));
  g_assert_cmpstr (place_of (editor, "S5"), ==, "2");
  g_assert_cmpstr (place_of (editor, "S3"), ==, "5");
  weir_document_undo (editor->document);
  g_assert_cmpstr (place_of (editor, "S4"), ==, "4");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  click (find_label (page_of (editor), "Compare Schedules"));
  wait_for (find_label (page_of (editor), "the same") != NULL); /* S4 reads nothing */
  picture ("91-schedule-compared");
  editor_close (editor);
}

/* Wires whose values come an instant late. */
static guint
count_late (WeirEditor *editor)
{
  GHashTable *late = weir_canvas_get_late_wires (editor->canvas);

  return late != NULL ? g_hash_table_size (late) : 0;
}

static gboolean
is_late (WeirEditor *editor, guint wire)
{
  GHashTable *late = weir_canvas_get_late_wires (editor->canvas);

  return late != NULL && g_hash_table_contains (late, GUINT_TO_POINTER (wire));
}

/* 56 and 57 lead from S5 back to S1 and S2; in full parallel all six between units are late, and
 * where they agree within each step none. */
static void
test_late_wires (void)
{
  WeirEditor *editor = window_open_example ("five-simulators.weir");

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (count_late (editor) == 2);
  g_assert_true (is_late (editor, 56) && is_late (editor, 57));
  picture ("92-late-wires");
  set_setting (editor, "schedule", "full");
  wait_for (count_late (editor) == 6);
  g_assert_true (is_late (editor, 52) && is_late (editor, 55) && !is_late (editor, 58));
  picture_dark ("92-late-wires-full-dark");
  set_setting (editor, "schedule", "iterated");
  wait_for (count_late (editor) == 0);
  editor_close (editor);
}

/* --- Who takes part -------------------------------------------------------------------------- */

static gboolean
has_paused (WeirEditor *editor, double time)
{
  WeirSession *session = weir_runner_get_session (editor->runner);

  return !weir_runner_is_starting (editor->runner) && session != NULL
         && weir_session_get_state (session) == WEIR_SESSION_PAUSED
         && weir_session_get_snapshot (session)->time == time;
}

static void
run_on (WeirEditor *editor, double time)
{
  weir_runner_run_until (editor->runner, time);
  wait_for (has_paused (editor, time));
}

static void
expect (WeirEditor *editor, const double *expected)
{
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *signal = g_strdup_printf ("Scope.in%u", i + 1);

      g_assert_cmpfloat (last_value (editor, signal), ==, expected[i]);
    }
}

static void
switch_unit (WeirEditor *editor, const char *name, WeirUnitActivity activity)
{
  g_autofree char *tooltip = g_strdup_printf ("Whether %s takes part", name);

  gtk_drop_down_set_selected (GTK_DROP_DOWN (find_widget (page_of (editor), has_tooltip, tooltip)),
                              activity);
  wait_for (weir_block_get_unit_activity (find_block (editor, name)) == activity);
}

/* Each unit makes one of the sum of its inputs, in a cascade, of which wires from S5 come late. Up
 * to 3 that is the table of the model; from 3 to 5 S3 is off, and gives 33. */
static void
test_switching (void)
{
  WeirEditor *editor = window_open_example ("five-simulators.weir");

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  g_assert_null (find_label (page_of (editor), "Run’s own thread"));
  run_on (editor, 3);
  expect (editor, (double[]) { 16, 16, 33, 1, 35 });
  switch_unit (editor, "S3", WEIR_UNIT_OFF);
  g_assert_false (weir_runner_is_outdated (editor->runner)); /* the run has taken it over */
  run_on (editor, 4);
  expect (editor, (double[]) { 36, 36, 33, 1, 35 });
  picture ("92-schedule-off");
  picture_dark ("93-schedule-off-dark");
  run_on (editor, 5);
  expect (editor, (double[]) { 36, 36, 33, 1, 35 });
  weir_document_undo (editor->document);
  g_assert_cmpuint (weir_block_get_unit_activity (find_block (editor, "S3")), ==, WEIR_UNIT_ON);
  run_on (editor, 6);
  expect (editor, (double[]) { 36, 36, 73, 1, 75 });
  /* Ignored, it goes on giving 73. */
  switch_unit (editor, "S3", WEIR_UNIT_IGNORED);
  run_on (editor, 7);
  expect (editor, (double[]) { 76, 76, 73, 1, 75 });
  /* Back at 5: what is switched stays as it is, so that S3 gives nothing new from there on. */
  weir_runner_step_back (editor->runner, 2);
  wait_for (has_paused (editor, 5));
  run_on (editor, 6);
  expect (editor, (double[]) { 36, 36, 33, 1, 35 });
  editor_close (editor);
}

/* --- What steps take ------------------------------------------------------------------------- */

static gboolean
has_part (GtkWidget *widget, gconstpointer part)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), part) != NULL;
}

static void
test_measures (void)
{
  WeirEditor *editor = window_open_example ("five-simulators.weir");
  GtkWidget *steps;

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  wait_for (find_label (page_of (editor), "Late from") != NULL);
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  wait_for (find_widget (page_of (editor), has_part, "critical path takes") != NULL);
  g_assert_nonnull (find_widget (page_of (editor), has_part, ", critical"));
  steps = find_of_type (page_of (editor), g_type_from_name ("WeirScheduleSteps"));
  for (guint i = 1; i <= 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("S%u, ", i);
      g_autofree char *text = gtk_test_accessible_check_property (
          GTK_ACCESSIBLE (steps), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "");

      g_assert_nonnull (text); /* which is what it is in place of "" */
      g_assert_nonnull (strstr (text, name));
    }
  picture ("94-schedule-steps");
  editor_close (editor);
}

/* --- Looks ----------------------------------------------------------------------------------- */

static void
look_at_page (const char *name)
{
  g_autofree char *small = g_strconcat (name, "-small", NULL);
  WeirEditor *editor = window_open_example ("vehicle-units.weir");

  weir_host_show_page (WEIR_HOST (editor), "schedule");
  weir_runner_run_until (editor->runner, 1);
  wait_for (has_paused (editor, 1));
  wait_for (find_widget (page_of (editor), has_part, "→") != NULL);
  picture_dark (name);
  assert_readable (GTK_WIDGET (toplevel_of (editor)), name);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (toplevel_of (editor))), <=, 1400);
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  spin (300);
  picture (small);
  assert_readable (GTK_WIDGET (toplevel_of (editor)), small);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (toplevel_of (editor))), <=, 1024);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (toplevel_of (editor))), <=, 768);
  editor_close (editor);
}

static void
test_looks (void)
{
  look_at_page ("97-schedule");
  speak ("de");
  set_text_scale (2);
  look_at_page ("95-schedule-200-de");
  set_text_scale (1);
  speak ("");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  look_at_page ("96-schedule-rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/schedule/order", test_order);
  g_test_add_func ("/window/schedule/late-wires", test_late_wires);
  g_test_add_func ("/window/schedule/switching", test_switching);
  g_test_add_func ("/window/schedule/measures", test_measures);
  g_test_add_func ("/window/schedule/looks", test_looks);
  return driver_main ();
}
