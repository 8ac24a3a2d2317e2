/* The page of studies: a parameter of the selected block is varied, runs are made beside the
 * window, known ones are taken from the cache of runs, and the best point goes to the model as one
 * step that undo takes back. Files of studies are those of the command line, which is another
 * program: runs that it made are known here.
 */
#include "driver.h"

#include "scopes/chart-view.h"

static GtkWidget *
page_of (WeirEditor *editor)
{
  return part_of (editor, g_type_from_name ("WeirStudiesPage"));
}

static GtkWidget *
child_of (WeirEditor *editor, const char *name)
{
  GtkWidget *page = page_of (editor);
  GObject *child = gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), name);

  g_assert_nonnull (child);
  return GTK_WIDGET (child);
}

static void
choose (WeirEditor *editor, const char *name, guint choice)
{
  gtk_drop_down_set_selected (GTK_DROP_DOWN (child_of (editor, name)), choice);
}

static gboolean
says (WeirEditor *editor, const char *pattern)
{
  return g_pattern_match_simple (pattern,
                                 gtk_label_get_text (GTK_LABEL (child_of (editor, "status"))));
}

/* Opens the list of the selected block's numbers and takes the one called @path. */
static void
vary (WeirEditor *editor, const char *block, const char *path)
{
  GtkWidget *add = child_of (editor, "add");

  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, block)));
  gtk_menu_button_popup (GTK_MENU_BUTTON (add));
  wait_for (find_label (add, path) != NULL && gtk_widget_get_mapped (find_label (add, path)));
  gtk_widget_activate (gtk_widget_get_ancestor (find_label (add, path), GTK_TYPE_LIST_BOX_ROW));
  wait_for (find_label (child_of (editor, "variations"), path) != NULL);
}

static const char *
spring_of (WeirEditor *editor)
{
  return weir_block_get_parameter (find_block (editor, "Spring"), "gain");
}

static WeirEditor *
open_spring (void)
{
  WeirEditor *editor = window_open_example ("mass-spring-damper.weir");

  weir_host_show_page (WEIR_HOST (editor), "studies");
  wait_for (gtk_widget_get_mapped (page_of (editor)));
  return editor;
}

/* Twice the same: the second time no run is made. What is asked for and missing is said. */
static void
test_known_runs (void)
{
  WeirEditor *editor = open_spring ();
  const double *x, *y;

  click (child_of (editor, "run"));
  wait_for (says (editor, "Select a block*"));
  vary (editor, "Spring", "Spring.gain");
  choose (editor, "methods", 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 9);
  click (child_of (editor, "run"));
  wait_for (says (editor, "9 points: * 0 failed*"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "table")));
  picture ("92-study");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (
                        gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))))),
                    ==, 9);
  click (child_of (editor, "run"));
  wait_for (says (editor, "9 points: 0 computed, 9 from the cache, 0 failed*"));

  /* Every point's curve, from t = 0 on; of 9 points three bins, in which they all are. */
  choose (editor, "views", 1);
  g_assert_cmpuint (weir_chart_get_n_curves (
                        weir_chart_view_get_chart (WEIR_CHART_VIEW (child_of (editor, "chart")))),
                    ==, 9);
  picture ("92-study-curves");
  choose (editor, "views", 0);
  g_assert_cmpuint (
      weir_chart_get_curve (
          weir_chart_view_get_chart (WEIR_CHART_VIEW (child_of (editor, "chart"))), 0, &x, &y),
      ==, 4);
  g_assert_cmpfloat (y[0] + y[1] + y[2], ==, 9);
  editor_close (editor);
}

/* The harder the spring, the less far it gives: (1 + overshoot) / k falls with k. The end of the
 * range is the best point; given to the model it is one step. */
static void
test_best_point (void)
{
  WeirEditor *editor = open_spring ();

  vary (editor, "Spring", "Spring.gain");
  vary (editor, "Damper", "Damper.gain");
  click (find_of_type (child_of (editor, "variations"), GTK_TYPE_ENTRY));
  key ("<Control>a");
  type_text ("x");
  click (child_of (editor, "run"));
  wait_for (says (editor, "*“x” is no number*"));
  key ("<Control>a");
  type_text ("3");
  choose (editor, "methods", 3);
  click (child_of (editor, "run"));
  wait_for (says (editor, "* points: * 0 failed*")
            && gtk_widget_get_sensitive (child_of (editor, "apply")));
  picture ("93-study-best");
  click (child_of (editor, "apply"));
  wait_for (!g_str_equal (spring_of (editor), "4"));
  g_assert_cmpstr (spring_of (editor), ==, "6");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Damper"), "gain"), ==, "0.6");
  weir_document_undo (editor->document);
  g_assert_cmpstr (spring_of (editor), ==, "4");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Damper"), "gain"), ==, "0.4");
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

/* What the engine says is shown, and a long study can be stopped: what it has is there. */
static void
test_stop (void)
{
  WeirEditor *editor = open_spring ();

  vary (editor, "Spring", "Spring.gain");
  set_setting (editor, "relative-tolerance", "1e-12");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 100000);
  click (child_of (editor, "run"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "progress")));
  click (child_of (editor, "run"));
  wait_for (!gtk_widget_get_mapped (child_of (editor, "progress")));
  g_assert_true (says (editor, "* points: *"));
  editor->may_close = TRUE;
  editor_close (editor);
}

/* --- Files ----------------------------------------------------------------------------------- */

/* y'' = u - d y' - k y from rest, u = 1 from t = 0 on. */
static const char study_text[] =
    "<study version='1' model='mass-spring-damper.weir' seed='3'>"
    "<title>Both</title><setting name='stop-time' value='4'/>"
    "<points method='grid'><parameter path='Spring.gain' name='k' from='2' to='5' n='4'/>"
    "<parameter path='Damper.gain' name='d' values='0.3 0.4 0.6'/></points>"
    "<keep><signal port='Position.y'/>"
    "<figure name='top' what='maximum' of='Position.y'/>"
    "<figure name='end' what='final' of='Position.y'/>"
    "<figure name='both' is='top + k'/></keep></study>";

/* A folder of its own with the model and a study of it. (transfer full) */
static GFile *
write_study (void)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-studies-XXXXXX", NULL);
  g_autofree char *from = g_build_filename (g_getenv ("WEIR_DATA"), "examples",
                                            "mass-spring-damper.weir", NULL);
  g_autofree char *to = g_build_filename (folder, "mass-spring-damper.weir", NULL);
  g_autofree char *study = g_build_filename (folder, "both.weirstudy", NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &text, &length, NULL));
  g_assert_true (g_file_set_contents (to, text, (gssize) length, NULL));
  g_assert_true (g_file_set_contents (study, study_text, -1, NULL));
  return g_file_new_for_path (study);
}

static char *
dup_results_path (GFile *study)
{
  g_autoptr (GFile) folder = g_file_get_parent (study);

  return g_build_filename (g_file_peek_path (folder), "both.results", NULL);
}

/* What the command line says of the study. (transfer full) */
static char *
run_command (GFile *study)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDERR_PIPE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE, &error,
      g_getenv ("WEIR_PROGRAM"), "study", g_file_peek_path (study), NULL);
  char *said = NULL;

  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &said, &error));
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return said;
}

static WeirEditor *
open_study (GFile *study)
{
  WeirEditor *editor = editor_open ();

  weir_editor_open_beside (editor, study);
  wait_for (page_of (editor) != NULL && gtk_widget_get_mapped (page_of (editor))
            && gtk_widget_get_mapped (child_of (editor, "name")));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (child_of (editor, "name"))), ==,
                   "both.weirstudy");
  return editor;
}

/* Results of the command line are those of the window. Without them its runs are known all the
 * same, although it is another program. */
static void
test_shared (void)
{
  g_autoptr (GFile) study = write_study ();
  g_autofree char *results = dup_results_path (study), *first = run_command (study), *then = NULL;
  WeirEditor *editor = open_study (study);

  g_assert_true (says (editor, "Both"));
  click (child_of (editor, "run"));
  wait_for (says (editor, "12 points: 0 computed, 12 from the cache, 0 failed*"));
  g_assert_cmpint (g_remove (results), ==, 0);
  click (child_of (editor, "run"));
  wait_for (says (editor, "") || !gtk_widget_get_mapped (child_of (editor, "progress")));
  wait_for (says (editor, "12 points: 0 computed, 12 from the cache, 0 failed*"));
  g_assert_true (g_file_test (results, G_FILE_TEST_EXISTS));
  then = run_command (study);
  g_assert_nonnull (strstr (then, " 0 computed"));
  editor_close (editor);
}

static const char *
get_words (WeirEditor *editor)
{
  return gtk_label_get_text (GTK_LABEL (child_of (editor, "words")));
}

static void
choose_titled (WeirEditor *editor, const char *name, const char *title)
{
  GtkDropDown *choice = GTK_DROP_DOWN (child_of (editor, name));
  GListModel *list = gtk_drop_down_get_model (choice);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++)
    {
      g_autoptr (GtkStringObject) string = g_list_model_get_item (list, i);

      if (g_str_equal (gtk_string_object_get_string (string), title))
        {
          gtk_drop_down_set_selected (choice, i);
          return;
        }
    }
  g_error ("%s offers no %s", name, title);
}

/* The softest and least damped spring goes furthest; each picture says what it shows, and lights up
 * what is selected. */
static void
test_pictures (void)
{
  g_autoptr (GFile) study = write_study ();
  WeirEditor *editor = open_study (study);
  WeirChart *chart;

  click (child_of (editor, "run"));
  wait_for (says (editor, "12 points: * 0 failed*"));
  chart = weir_chart_view_get_chart (WEIR_CHART_VIEW (child_of (editor, "chart")));
  picture ("94-study-map");
  g_assert_cmpuint (weir_chart_get_n_marks (chart), ==, 12);
  g_assert_true (
      g_pattern_match_simple ("Least * at 5, 0.6; most * at 2, 0.3.", get_words (editor)));
  gtk_widget_grab_focus (child_of (editor, "chart"));
  key ("Down");
  g_assert_true (weir_chart_dup_cursor_text (chart) != NULL);
  choose_titled (editor, "views", "Percentiles over Time");
  gtk_selection_model_select_item (
      gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))), 3, TRUE);
  gtk_selection_model_select_item (
      gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))), 4, FALSE);
  picture ("94-study-percentiles");
  g_assert_cmpuint (weir_chart_get_n_curves (chart), ==, 5);
  g_assert_true (g_pattern_match_simple ("12 runs. At the end, at 4 s,*", get_words (editor)));
  g_assert_false (gtk_widget_get_sensitive (child_of (editor, "apply")));
  choose_titled (editor, "views", "Sensitivity");
  picture ("94-study-sensitivity");
  g_assert_cmpuint (weir_chart_get_n_marks (chart), ==, 2);
  g_assert_true (g_pattern_match_simple ("Rank correlation\nSpring.gain: -0.9*\nDamper.gain: -0.*",
                                         get_words (editor)));
  choose_titled (editor, "views", "Figure against Figure");
  choose_titled (editor, "up", "both");
  picture ("94-study-front");
  g_assert_true (g_pattern_match_simple ("Of 12 points * are on the front*", get_words (editor)));
  choose_titled (editor, "views", "Histogram");
  picture_dark ("94-study-histogram");
  g_assert_true (g_pattern_match_simple ("12 points: mean *", get_words (editor)));
  editor_close (editor);
}

/* What was changed is saved; what the form does not show stays. */
static void
test_saved (void)
{
  g_autoptr (GFile) study = write_study ();
  WeirEditor *editor = open_study (study);
  GtkWidget *entry = find_of_type (child_of (editor, "variations"), GTK_TYPE_ENTRY);
  g_autofree char *text = NULL, *said = NULL;

  gtk_editable_set_text (GTK_EDITABLE (entry), "x");
  weir_host_activate (WEIR_HOST (editor), "study-save");
  g_assert_true (says (editor, "*“x” is no number*"));
  gtk_editable_set_text (GTK_EDITABLE (entry), "3");
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (child_of (editor, "name"))), ==,
                   "both.weirstudy (changed)");
  g_assert_true (weir_editor_has_unsaved (editor));
  weir_host_activate (WEIR_HOST (editor), "study-save");
  g_assert_false (weir_editor_has_unsaved (editor));
  g_assert_true (g_file_get_contents (g_file_peek_path (study), &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "from=\"3\" to=\"5\" n=\"4\""));
  g_assert_nonnull (strstr (text, "model=\"mass-spring-damper.weir\" seed=\"3\""));
  g_assert_nonnull (strstr (text, "values=\"0.3 0.4 0.6\""));
  g_assert_nonnull (strstr (text, "is=\"top + k\""));
  said = run_command (study);
  g_assert_nonnull (strstr (said, "12 points"));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/studies/known-runs", test_known_runs);
  g_test_add_func ("/window/studies/best-point", test_best_point);
  g_test_add_func ("/window/studies/stop", test_stop);
  g_test_add_func ("/window/studies/shared", test_shared);
  g_test_add_func ("/window/studies/pictures", test_pictures);
  g_test_add_func ("/window/studies/saved", test_saved);
  return driver_main ();
}
