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

/* A choice of the form, or of the picture. */
static GtkDropDown *
choice_of (WeirEditor *editor, const char *name)
{
  return GTK_DROP_DOWN (g_str_equal (name, "methods")
                            ? child_of (editor, name)
                            : find_named (child_of (editor, "picture"), name));
}

static void
choose (WeirEditor *editor, const char *name, guint choice)
{
  gtk_drop_down_set_selected (choice_of (editor, name), choice);
}

/* "picture", or "beside" it. */
static WeirChartView *
view_of (WeirEditor *editor, const char *name)
{
  return WEIR_CHART_VIEW (find_of_type (child_of (editor, name), WEIR_TYPE_CHART_VIEW));
}

static WeirChart *
chart_of (WeirEditor *editor, const char *name)
{
  return weir_chart_view_get_chart (view_of (editor, name));
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
  g_assert_cmpuint (weir_chart_get_n_curves (chart_of (editor, "picture")), ==, 9);
  picture ("92-study-curves");
  choose (editor, "views", 0);
  g_assert_cmpuint (weir_chart_get_curve (chart_of (editor, "picture"), 0, &x, &y), ==, 4);
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
  GtkDropDown *choice = choice_of (editor, name);
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
  chart = chart_of (editor, "picture");
  picture ("94-study-map");
  g_assert_cmpuint (weir_chart_get_n_marks (chart), ==, 12);
  g_assert_true (
      g_pattern_match_simple ("Least * at 5, 0.6; most * at 2, 0.3.", get_words (editor)));
  gtk_widget_grab_focus (GTK_WIDGET (view_of (editor, "picture")));
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

/* --- Lighting up ------------------------------------------------------------------------------ */

static gboolean
is_lit (WeirEditor *editor, guint point)
{
  return gtk_selection_model_is_selected (
      gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))), point);
}

static guint
count_lit (WeirEditor *editor)
{
  guint n = 0;

  for (guint i = 0; i < 12; i++)
    n += is_lit (editor, i);
  return n;
}

/* Where values are on the screen: the chart has no way to tell, but where it says what is at each
 * position. */
static WeirPoint
place_of (WeirEditor *editor, guint panel, double x, double y)
{
  GtkWidget *view = GTK_WIDGET (view_of (editor, "picture"));
  double nearest = (double) INFINITY, scale[2] = { 0, 0 };
  WeirPoint found = { 0, 0 };

  for (guint pass = 0; pass < 2; pass++)
    for (int px = 0; px < gtk_widget_get_width (view); px += 1)
      for (int py = 0; py < gtk_widget_get_height (view); py += 1)
        {
          guint p;
          double at_x, at_y, distance;

          if (!weir_chart_from_position (chart_of (editor, "picture"), px, py, &p, &at_x, &at_y)
              || p != panel)
            continue;
          if (pass == 0)
            {
              scale[0] = fmax (scale[0], fabs (at_x - x));
              scale[1] = fmax (scale[1], fabs (at_y - y));
              continue;
            }
          distance = hypot ((at_x - x) / scale[0], (at_y - y) / scale[1]);
          if (distance < nearest)
            {
              nearest = distance;
              found = on_screen (view, px, py);
            }
        }
  g_assert_true (isfinite (nearest));
  return found;
}

static void
hold (guint symbol, gboolean down)
{
  XTestFakeKeyEvent (x_display (), XKeysymToKeycode (x_display (), symbol), down, CurrentTime);
  settle ();
}

/* Draws a box with the pointer. */
static void
brush (WeirEditor *editor, guint panel, double left, double right, double bottom, double top,
       gboolean adds)
{
  WeirPoint from = place_of (editor, panel, left, bottom);
  WeirPoint to = place_of (editor, panel, right, top);

  hold (GDK_KEY_Control_L, TRUE);
  if (adds)
    hold (GDK_KEY_Shift_L, TRUE);
  drag (from, to);
  if (adds)
    hold (GDK_KEY_Shift_L, FALSE);
  hold (GDK_KEY_Control_L, FALSE);
}

static WeirEditor *
open_runs (void)
{
  g_autoptr (GFile) study = write_study ();
  WeirEditor *editor = open_study (study);

  click (child_of (editor, "run"));
  wait_for (says (editor, "12 points: * 0 failed*"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "table")));
  return editor;
}

/* Points 3 to 5 have k = 3, points 0, 3, 6 and 9 d = 0.3. A box in the scatter matrix, one that is
 * added, and what each says; all pictures have the same lit up. */
static void
test_brush (void)
{
  WeirEditor *editor = open_runs ();
  WeirChart *chart = chart_of (editor, "picture");

  choose_titled (editor, "views", "Scatter Matrix");
  click (child_of (editor, "two"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "beside")));
  spin (200);
  g_assert_cmpuint (weir_chart_get_n_panels (chart), ==, 25);
  g_assert_nonnull (strstr (get_words (editor), "Spring.gain"));
  g_assert_cmpuint (count_lit (editor), ==, 0);
  picture ("95-study-matrix");
  brush (editor, 1 * 5 + 0, 2.6, 3.4, 0.25, 0.65, FALSE); /* d over k */
  g_assert_cmpuint (count_lit (editor), ==, 3);
  g_assert_true (is_lit (editor, 3) && is_lit (editor, 4) && is_lit (editor, 5));
  g_assert_nonnull (strstr (get_words (editor), "3 of 12 points are lit up."));
  g_assert_nonnull (strstr (get_words (editor), "Damper.gain: from 0.3 to 0.6"));
  brush (editor, 1 * 5 + 0, 1.9, 5.1, 0.25, 0.35, TRUE);
  g_assert_cmpuint (count_lit (editor), ==, 6);
  picture_dark ("95-study-matrix-lit");
  g_assert_cmpuint (weir_chart_get_n_curves (chart_of (editor, "beside")), ==, 12);

  choose_titled (editor, "views", "Parallel Coordinates");
  spin (100);
  g_assert_cmpuint (weir_chart_get_n_curves (chart), ==, 12);
  g_assert_cmpuint (count_lit (editor), ==, 6);
  picture ("95-study-parallel");
  brush (editor, 0, -0.1, 0.1, -0.03, 0.1, FALSE); /* the least k */
  g_assert_cmpuint (count_lit (editor), ==, 3);
  g_assert_true (is_lit (editor, 0) && is_lit (editor, 1) && is_lit (editor, 2));
  picture_dark ("95-study-parallel-lit");

  /* Curves that come above 0.6 somewhere are those of the two softer springs. */
  choose_titled (editor, "views", "Over Time");
  spin (100);
  brush (editor, 0, 0.5, 3.5, 0.62, 0.7, FALSE);
  picture ("95-study-curves-lit");
  for (guint i = 0; i < 12; i++)
    if (is_lit (editor, i))
      g_assert_cmpuint (i, <, 6);
  g_assert_cmpuint (count_lit (editor), >, 0);
  key ("Escape");
  g_assert_cmpuint (count_lit (editor), ==, 0);
  editor_close (editor);
}

/* The same without a pointer: from point to point, one, one more, all between two; a bar of the
 * histogram is all its points. */
static void
test_brush_by_keys (void)
{
  WeirEditor *editor = open_runs ();
  WeirChart *chart = chart_of (editor, "picture");
  g_autofree char *text = NULL;
  const double *x, *y;
  guint n;

  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  choose_titled (editor, "views", "Over a Parameter");
  gtk_widget_grab_focus (GTK_WIDGET (view_of (editor, "picture")));
  key ("Down");
  text = weir_chart_dup_cursor_text (chart);
  g_assert_true (g_str_has_prefix (text, "Point 0: Spring.gain 2, "));
  key ("space");
  g_assert_cmpuint (count_lit (editor), ==, 1);
  g_assert_true (is_lit (editor, 0));
  key ("Down");
  key ("<Control>space");
  g_assert_cmpuint (count_lit (editor), ==, 2);
  key ("<Control>space");
  g_assert_cmpuint (count_lit (editor), ==, 1);
  key ("Escape");
  g_assert_cmpuint (count_lit (editor), ==, 0);

  choose_titled (editor, "views", "Map over Two Parameters");
  key ("Down"); /* the first cell: k = 2, d = 0.3 */
  key ("space");
  g_assert_true (is_lit (editor, 0));
  key ("Right");
  key ("Up");
  key ("<Shift>space"); /* and from there to k = 3, d = 0.4 */
  picture ("95-study-map-lit");
  g_assert_cmpuint (count_lit (editor), ==, 4);
  g_assert_true (is_lit (editor, 0) && is_lit (editor, 1) && is_lit (editor, 3)
                 && is_lit (editor, 4));

  choose_titled (editor, "views", "Histogram");
  g_assert_cmpuint (weir_chart_get_curve (chart, 0, &x, &y), >, 2);
  n = (guint) y[0];
  key ("Down"); /* the line around, then the first bar */
  key ("Down");
  key ("space");
  g_assert_cmpuint (count_lit (editor), ==, n);
  picture ("95-study-histogram-lit");
  choose_titled (editor, "views", "Scatter Matrix");
  picture ("95-study-matrix-small");
  choose_titled (editor, "views", "Parallel Coordinates");
  picture_dark ("95-study-parallel-small");
  editor_close (editor);
}

/* What the run has recorded of a port, at the end. */
static double
get_last (WeirRecorder *recorder, const char *name)
{
  for (guint i = 0; i < weir_recorder_get_n_signals (recorder); i++)
    if (g_str_has_prefix (weir_recorder_get_signal_name (recorder, i), name))
      return weir_recorder_get_value (recorder, i, weir_recorder_get_n_rows (recorder) - 1);
  g_error ("%s is not recorded", name);
}

/* A point as a run of its own: it has the point's values and the study's settings, comes to the
 * same bits, and its state can be looked into. The model of the study stays as it is. */
static void
test_open_point (void)
{
  WeirEditor *editor = open_runs (), *there;
  WeirWindow *window = weir_window_get_of (editor);
  const double *x, *y;
  WeirRunner *runner;
  WeirRecorder *results;
  guint n;

  g_assert_false (gtk_widget_get_sensitive (child_of (editor, "open")));
  gtk_selection_model_select_item (
      gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))), 8, TRUE);
  choose_titled (editor, "views", "Over Time");
  n = weir_chart_get_curve (chart_of (editor, "picture"), 11, &x, &y); /* that of the point */
  click (child_of (editor, "open"));
  there = weir_window_get_shown (window);
  g_assert_true (there != editor);
  g_assert_cmpstr (weir_block_get_parameter (find_block (there, "Spring"), "gain"), ==, "4");
  g_assert_cmpstr (weir_block_get_parameter (find_block (there, "Damper"), "gain"), ==, "0.6");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Damper"), "gain"), ==, "0.4");
  g_assert_cmpstr (weir_model_get_title (weir_document_get_model (there->document)), ==,
                   "Mass, spring, damper, point 8");
  runner = weir_host_get_runner (WEIR_HOST (there));
  wait_for (weir_runner_get_session (runner) != NULL
            && weir_session_get_state (weir_runner_get_session (runner)) == WEIR_SESSION_FINISHED);
  results = weir_runner_get_results (runner);
  g_assert_cmpfloat (x[n - 1], ==, 4);
  g_assert_cmpfloat (weir_recorder_get_time (results, weir_recorder_get_n_rows (results) - 1), ==,
                     4);
  g_assert_cmpfloat (get_last (results, "Scope"), ==, y[n - 1]);
  picture ("95-study-point");
  weir_host_set_perspective (WEIR_HOST (there), WEIR_PERSPECTIVE_CACHE);
  weir_host_show_page (WEIR_HOST (there), "cache");
  picture ("95-study-point-cache");
  weir_window_present (editor);
  editor_close (editor);
}

static gboolean
can_export (WeirEditor *editor)
{
  return g_action_group_get_action_enabled (weir_editor_get_actions (editor), "study-export");
}

/* Exports to the file @name beside @study, which is typed. (transfer full) */
static char *
export_as (WeirEditor *editor, GFile *study, const char *name)
{
  g_autoptr (GFile) folder = g_file_get_parent (study);
  char *path = g_build_filename (g_file_peek_path (folder), name, NULL);

  weir_host_activate (WEIR_HOST (editor), "study-export");
  choose_path (path);
  wait_for (find_toplevel (GTK_TYPE_FILE_CHOOSER_DIALOG) == NULL && can_export (editor));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  return path;
}

/* What the command line writes of the study to a file of that name, to the byte. */
static void
assert_as_by_command (GFile *study, const char *name, const char *exported)
{
  g_autoptr (GFile) folder = g_file_get_parent (study);
  g_autofree char *path = g_build_filename (g_file_peek_path (folder), name, NULL);
  g_autofree char *expected = NULL, *found = NULL;
  gsize n_expected, n_found;
  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDERR_SILENCE | G_SUBPROCESS_FLAGS_STDOUT_SILENCE, NULL,
      g_getenv ("WEIR_PROGRAM"), "study", g_file_peek_path (study), "--out", path, NULL);

  g_assert_true (g_subprocess_wait_check (process, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &expected, &n_expected, NULL));
  g_assert_true (g_file_get_contents (exported, &found, &n_found, NULL));
  g_assert_cmpuint (n_expected, >, 100);
  g_assert_cmpmem (found, n_found, expected, n_expected);
}

/* Points leave the window as CSV and HDF5, those of a file of results and those of a study that is
 * in no file; what cannot be written is told. */
static void
test_export (void)
{
  g_autoptr (GFile) study = write_study ();
  g_autofree char *results = dup_results_path (study);
  WeirEditor *editor = open_study (study);
  GtkWidget *top = GTK_WIDGET (toplevel_of (editor));

  g_assert_false (can_export (editor));
  click (child_of (editor, "run"));
  wait_for (says (editor, "12 points: * 0 failed*"));
  g_assert_true (can_export (editor));
  {
    g_autofree char *table = export_as (editor, study, "a.csv");
    g_autofree char *file = export_as (editor, study, "a.h5");

    assert_as_by_command (study, "c.csv", table);
    assert_as_by_command (study, "c.h5", file);
  }
  {
    g_autofree char *wrong = export_as (editor, study, "a.mat");

    g_assert_false (g_file_test (wrong, G_FILE_TEST_EXISTS));
    wait_for (find_label (top, "“a.mat”: results are written as .csv, .h5, .hdf5.") != NULL);
    picture ("96-study-export");
  }
  g_assert_cmpint (g_remove (results), ==, 0);
  {
    g_autofree char *late = export_as (editor, study, "late.csv");
    g_autofree char *told = g_strdup_printf ("%s cannot be read: there is no such file", results);

    g_assert_false (g_file_test (late, G_FILE_TEST_EXISTS));
    picture ("96-study-export-late");
    wait_for (find_label (top, told) != NULL);
  }
  editor_close (editor);
}

/* The same of a study that is in no file, and neither are its results. */
static void
test_export_draft (void)
{
  g_autoptr (GFile) study = write_study ();
  WeirEditor *editor = open_spring ();
  g_autofree char *file = NULL, *text = NULL;
  g_auto (GStrv) lines = NULL;

  vary (editor, "Spring", "Spring.gain");
  choose (editor, "methods", 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 9);
  click (child_of (editor, "run"));
  wait_for (says (editor, "9 points: * 0 failed*"));
  file = export_as (editor, study, "draft"); /* without an ending: a table */
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  lines = g_strsplit (g_strstrip (text), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 10);
  g_assert_true (g_str_has_prefix (lines[0], "point,status,"));
  g_assert_true (g_str_has_prefix (lines[9], "8,done,"));
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
  g_test_add_func ("/window/studies/brush", test_brush);
  g_test_add_func ("/window/studies/brush-by-keys", test_brush_by_keys);
  g_test_add_func ("/window/studies/open-point", test_open_point);
  g_test_add_func ("/window/studies/saved", test_saved);
  g_test_add_func ("/window/studies/export", test_export);
  g_test_add_func ("/window/studies/export-draft", test_export_draft);
  return driver_main ();
}
