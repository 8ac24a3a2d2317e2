/* The page of studies: a parameter of the selected block is varied, runs are made beside the
 * window, known ones are taken from the cache of runs, and the best point goes to the model as one
 * step that undo takes back.
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
  wait_for (says (editor, "9 points: * 0 failed"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "table")));
  picture ("92-study");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (
                        gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))))),
                    ==, 9);
  click (child_of (editor, "run"));
  wait_for (says (editor, "9 points: 0 computed, 9 from the cache, 0 failed"));

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
  wait_for (says (editor, "* points: * 0 failed")
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/studies/known-runs", test_known_runs);
  g_test_add_func ("/window/studies/best-point", test_best_point);
  g_test_add_func ("/window/studies/stop", test_stop);
  return driver_main ();
}
