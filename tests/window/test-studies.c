/* The page of studies: a parameter of the selected block is varied, runs are made beside the
 * window, known ones are taken from the cache of runs, and the best point goes to the model as one
 * step that undo takes back. Files of studies are those of the command line, which is another
 * program: runs that it made are known here.
 */
#include "driver.h"

#include <sqlite3.h>

#include "cache/cache-figures.h"
#include "scopes/chart-view.h"
#include "scopes/plot-card.h"
#include "widgets/reveal.h"

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

/* Results that came just now are being scrolled to. */
static gboolean
is_still (WeirEditor *editor)
{
  return g_object_get_data (G_OBJECT (child_of (editor, "all")), "weir-reveal") == NULL;
}

static void
click_on (WeirEditor *editor, const char *name)
{
  weir_reveal (child_of (editor, "all"), child_of (editor, name), 0);
  wait_for (is_still (editor));
  settle ();
  click (child_of (editor, name));
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
  wait_for (gtk_widget_get_mapped (page_of (editor))
            && gtk_widget_get_width (page_of (editor)) > 0);
  return editor;
}

static void
make_small (WeirEditor *editor)
{
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1024, 768);
  wait_for (gtk_widget_get_width (GTK_WIDGET (toplevel_of (editor))) <= 1024);
  settle ();
}

/* Twice the same: the second time no run is made. What is asked for and missing is said. */
static void
test_known_runs (void)
{
  WeirEditor *editor = open_spring ();
  const double *x, *y;

  click_on (editor, "run");
  wait_for (says (editor, "Select a block*"));
  vary (editor, "Spring", "Spring.gain");
  choose (editor, "methods", 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 9);
  click_on (editor, "run");
  wait_for (says (editor, "9 points: * 0 failed*"));
  wait_for (gtk_widget_get_mapped (child_of (editor, "table")));
  picture ("92-study");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (
                        gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table"))))),
                    ==, 9);
  click_on (editor, "run");
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
  click_on (editor, "run");
  wait_for (says (editor, "*“x” is no number*"));
  key ("<Control>a");
  type_text ("3");
  choose (editor, "methods", 3);
  click_on (editor, "run");
  wait_for (says (editor, "* points: * 0 failed*")
            && gtk_widget_get_sensitive (child_of (editor, "apply")));
  picture ("93-study-best");
  click_on (editor, "apply");
  wait_for (!g_str_equal (spring_of (editor), "4"));
  g_assert_cmpstr (spring_of (editor), ==, "6");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Damper"), "gain"), ==, "0.6");
  weir_document_undo (editor->document);
  g_assert_cmpstr (spring_of (editor), ==, "4");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Damper"), "gain"), ==, "0.4");
  g_assert_false (weir_document_can_undo (editor->document));
  editor_close (editor);
}

static gboolean
is_enabled (WeirEditor *editor, const char *action)
{
  return g_action_group_get_action_enabled (weir_editor_get_actions (editor), action);
}

/* What the cache of runs knows is told, and why it does not know the rest: a value that nothing
 * kept depends on makes no run, one that decides it makes all of them. Switched off it gives
 * nothing; verified, runs are made again. */
static void
test_cache_told (void)
{
  WeirEditor *editor = open_spring ();

  vary (editor, "Damper", "Damper.gain");
  choose (editor, "methods", 0);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 200);
  click_on (editor, "run");
  wait_for (
      says (editor, "200 points: 200 computed, 0 from the cache, 0 failed*200 points are new.*"));
  set_parameter (editor, "Spring", "gain", "4.5");
  click_on (editor, "run");
  wait_for (says (editor, "200 points: 200 computed, 0 from the cache*200 were not known: other "
                          "values in the model, Spring*gain*"));
  set_setting (editor, "stop-time", "14");
  click_on (editor, "run");
  wait_for (
      says (editor, "200 points: 200 computed*200 were not known: run settings are others.*"));
  weir_document_undo (editor->document);
  click_on (editor, "run");
  wait_for (says (editor, "200 points: 0 computed, 200 from the cache*"));
  weir_host_activate (WEIR_HOST (editor), "study-verify");
  wait_for (says (editor, "200 points: *known runs were made again, 0 differ*"));
  weir_host_activate (WEIR_HOST (editor), "study-cache");
  g_assert_false (is_enabled (editor, "study-verify"));
  click_on (editor, "run");
  wait_for (says (editor, "200 points: 200 computed, 0 from the cache, 0 failed"));
  editor->may_close = TRUE;
  editor_close (editor);
}

static guint
count_points (WeirEditor *editor)
{
  return g_list_model_get_n_items (
      G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table")))));
}

/* Points are seen while others are run, and how long that takes; what is lit up stays so, and so
 * does the kind of picture. A long study can be stopped: what it has is there. */
static void
test_stop (void)
{
  WeirEditor *editor = open_spring ();
  GtkSelectionModel *selection;
  const double *x, *y;
  guint n;

  vary (editor, "Spring", "Spring.gain");
  set_setting (editor, "relative-tolerance", "1e-12");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 100000);
  click_on (editor, "run");
  wait_for (gtk_widget_get_mapped (child_of (editor, "progress")));
  wait_for (count_points (editor) > 20 && says (editor, "* of * points, at most * left"));
  g_assert_true (gtk_widget_get_mapped (child_of (editor, "table")));
  selection = gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table")));
  choose_titled (editor, "views", "Convergence of the Mean");
  gtk_selection_model_select_item (selection, 7, TRUE);
  n = count_points (editor);
  wait_for (count_points (editor) > n);
  g_assert_cmpuint (weir_chart_get_curve (chart_of (editor, "picture"), 0, &x, &y), >, n);
  g_assert_true (gtk_selection_model_is_selected (selection, 7));
  picture ("93-study-live");
  g_assert_true (gtk_widget_get_mapped (child_of (editor, "progress")));
  click_on (editor, "run");
  wait_for (!gtk_widget_get_mapped (child_of (editor, "progress")));
  g_assert_true (says (editor, "* points: *"));
  g_assert_cmpuint (count_points (editor), >, n);
  g_assert_cmpuint (gtk_drop_down_get_selected (choice_of (editor, "views")), >, 0);
  {
    g_autoptr (GtkBitset) lit = gtk_selection_model_get_selection (selection);

    g_assert_cmpuint (gtk_bitset_get_size (lit), ==, 1);
  }
  editor->may_close = TRUE;
  editor_close (editor);
}

/* --- Out of the diagram and the plots --------------------------------------------------------- */

static gboolean
varies (WeirEditor *editor, const char *path)
{
  return find_label (child_of (editor, "variations"), path) != NULL;
}

/* Takes the last edit of the study back, and makes it again. */
static void
assert_one_edit (WeirEditor *editor, const char *path)
{
  g_assert_true (varies (editor, path));
  key ("<Control><Alt>z");
  wait_for (!varies (editor, path));
  key ("<Control><Alt><Shift>z");
  wait_for (varies (editor, path));
  g_assert_false (is_enabled (editor, "study-redo"));
}

/* A place of the page with nothing on it that takes a press. */
static WeirPoint
free_place (WeirEditor *editor)
{
  GtkWidget *page = page_of (editor);

  return on_screen (page, gtk_widget_get_width (page) * 0.8, gtk_widget_get_height (page) * 0.5);
}

/* A block with one number is varied at once; of one with several the number is asked for. The model
 * stays as it is, and blocks are moved within the canvas as ever. */
static void
test_drag_block (void)
{
  WeirEditor *editor = open_spring ();
  WeirPoint before = block_on_screen (editor, "Spring");

  g_assert_false (is_enabled (editor, "study-undo"));
  drag (before, free_place (editor));
  wait_for (varies (editor, "Spring.gain"));
  g_assert_true (says (editor, "Spring.gain is varied."));
  g_assert_false (weir_document_can_undo (editor->document));
  g_assert_cmpfloat (block_on_screen (editor, "Spring").x, ==, before.x);
  assert_one_edit (editor, "Spring.gain");
  drag (before, free_place (editor));
  wait_for (says (editor, "Spring.gain is varied already."));

  drag (block_on_screen (editor, "Force"), free_place (editor));
  wait_for (find_label (child_of (editor, "add"), "Force.time") != NULL);
  picture ("97-study-drag");
  key ("Down"); /* to the second one */
  gtk_widget_activate (gtk_widget_get_ancestor (find_label (child_of (editor, "add"), "Force.time"),
                                                GTK_TYPE_LIST_BOX_ROW));
  wait_for (varies (editor, "Force.time"));
  g_assert_false (weir_document_can_undo (editor->document));

  drag (before, (WeirPoint) { before.x + 40, before.y });
  g_assert_true (weir_document_can_undo (editor->document));
  editor->may_close = TRUE;
  editor_close (editor);
}

static gboolean
is_caption (GtkWidget *widget, gconstpointer text)
{
  return has_label (widget, text) && gtk_widget_has_css_class (widget, "caption-heading");
}

/* Of a field of the inspector; NULL: there is none. */
static GtkWidget *
caption_of (WeirEditor *editor, const char *text)
{
  return find_widget (part_of (editor, WEIR_TYPE_INSPECTOR), is_caption, text);
}

/* A row of the inspector by its caption, and by the menu of its entry, which keys open. */
static void
test_vary_from_inspector (void)
{
  WeirEditor *editor = open_spring ();
  GtkWidget *entry, *item;

  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Spring")));
  wait_for (caption_of (editor, "Gain") != NULL);
  drag (middle_of (caption_of (editor, "Gain")), free_place (editor));
  wait_for (varies (editor, "Spring.gain"));
  assert_one_edit (editor, "Spring.gain");

  weir_host_show_page (WEIR_HOST (editor), "plots");
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Damper")));
  wait_for (caption_of (editor, "Gain") != NULL);
  entry = gtk_widget_get_next_sibling (gtk_widget_get_parent (caption_of (editor, "Gain")));
  g_assert_true (GTK_IS_ENTRY (entry));
  gtk_widget_grab_focus (entry);
  key ("<Shift>F10");
  wait_for ((item = find_label (entry, "Vary in Study")) != NULL);
  picture ("97-study-inspector");
  key ("v");
  wait_for (gtk_widget_get_mapped (page_of (editor)) && varies (editor, "Damper.gain"));
  assert_one_edit (editor, "Damper.gain");
  g_assert_false (weir_document_can_undo (editor->document));
  picture ("97-study-varied");
  editor_close (editor);
}

static WeirPlotView *
plot_of (WeirEditor *editor)
{
  return weir_plot_card_get_view (
      WEIR_PLOT_CARD (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_CARD)));
}

/* Where its first curve is at a time. */
static WeirPoint
curve_on_screen (WeirEditor *editor, double time)
{
  WeirPlot *plot = weir_plot_view_get_plot (plot_of (editor));
  double value, x, y;

  g_assert_true (weir_plot_get_value_at (plot, 0, time, &value));
  weir_plot_to_position (plot, time, value, &x, &y);
  return on_screen (GTK_WIDGET (plot_of (editor)), x, y);
}

static guint
count_figures (WeirEditor *editor)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (child_of (editor, "figures")); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    n += GTK_IS_DROP_DOWN (child);
  return n / 2; /* kind and signal */
}

static gboolean
asks (WeirEditor *editor)
{
  g_autoptr (GVariant)
      state = g_action_group_get_action_state (weir_editor_get_actions (editor), "study-ask");

  return g_variant_get_boolean (state);
}

static void
choose_label (WeirEditor *editor, const char *text)
{
  GtkWidget *label;

  wait_for ((label = find_label (part_of (editor, WEIR_TYPE_SCOPES), text)) != NULL);
  gtk_widget_activate (gtk_widget_get_ancestor (label, g_type_from_name ("GtkModelButton")));
}

static gboolean
is_cross (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return gtk_widget_has_css_class (widget, "close") && gtk_widget_get_mapped (widget);
}

/* Asked for on the page, a curve is clicked and its figure chosen; the same by the menu of the
 * plot, and by keys. Each is one edit. */
static void
test_figure_from_plot (void)
{
  WeirEditor *editor = open_spring ();
  GtkWidget *view;

  weir_host_activate (WEIR_HOST (editor), "study-ask");
  g_assert_true (says (editor, "Run the model*") && !asks (editor));
  weir_host_activate (WEIR_HOST (editor), "run");
  wait_for (run_is_over (editor));
  weir_host_show_page (WEIR_HOST (editor), "studies");
  wait_for (gtk_widget_get_mapped (page_of (editor)) && count_figures (editor) == 1);

  weir_host_activate (WEIR_HOST (editor), "study-ask");
  wait_for (asks (editor) && g_str_equal (shown_page (editor), "plots")
            && gtk_widget_get_mapped (GTK_WIDGET (plot_of (editor))));
  view = GTK_WIDGET (plot_of (editor));
  wait_for (gtk_widget_has_focus (view) && gtk_widget_get_width (view) > 0);
  settle ();
  click_at (curve_on_screen (editor, 2));
  wait_for (find_label (gtk_widget_get_parent (view), "Overshoot") != NULL);
  picture ("97-study-curve");
  choose_label (editor, "Overshoot");
  wait_for (count_figures (editor) == 2 && gtk_widget_get_mapped (page_of (editor)));
  g_assert_false (asks (editor));
  g_assert_true (says (editor, "Overshoot of * is kept."));
  picture ("97-study-figures");
  key ("<Control><Alt>z");
  wait_for (count_figures (editor) == 1);
  key ("<Control><Alt><Shift>z");
  wait_for (count_figures (editor) == 2);

  weir_host_activate (WEIR_HOST (editor), "study-ask");
  wait_for (asks (editor) && gtk_widget_get_mapped (view) && gtk_widget_has_focus (view));
  key ("Escape");
  wait_for (!asks (editor) && gtk_widget_get_mapped (page_of (editor)));

  /* The cross of the bar that says so ends it too. */
  weir_host_activate (WEIR_HOST (editor), "study-ask");
  wait_for (asks (editor) && gtk_widget_get_mapped (view) && gtk_widget_has_focus (view));
  click (find_widget (find_of_type (GTK_WIDGET (editor), GTK_TYPE_INFO_BAR), is_cross, NULL));
  wait_for (!asks (editor) && gtk_widget_get_mapped (page_of (editor)));

  weir_host_activate (WEIR_HOST (editor), "study-ask");
  wait_for (asks (editor) && gtk_widget_get_mapped (view) && gtk_widget_has_focus (view));
  key ("Return"); /* the curves, then the figures of the first, then the second of those */
  wait_for (find_of_type (gtk_widget_get_parent (view), GTK_TYPE_POPOVER_MENU) != NULL);
  key ("Return");
  wait_for (find_label (gtk_widget_get_parent (view), "Minimum") != NULL);
  settle ();
  key ("Down");
  key ("Down");
  key ("Return");
  wait_for (count_figures (editor) == 3);
  g_assert_true (says (editor, "* of * is kept."));
  g_assert_false (asks (editor));

  /* Also without being asked for. */
  weir_host_show_page (WEIR_HOST (editor), "plots");
  wait_for (gtk_widget_get_mapped (view));
  gtk_widget_grab_focus (view);
  key ("<Shift>F10");
  wait_for (find_label (gtk_widget_get_parent (view), "Use in Study") != NULL);
  picture ("97-study-plot-menu");
  key ("Escape");
  editor_close (editor);
}

/* --- Points before they are run --------------------------------------------------------------- */

static WeirChart *
previewed (WeirEditor *editor)
{
  return weir_chart_view_get_chart (
      WEIR_CHART_VIEW (find_of_type (child_of (editor, "preview"), WEIR_TYPE_CHART_VIEW)));
}

static guint
count_listed (WeirEditor *editor)
{
  GtkWidget *table = find_of_type (child_of (editor, "preview"), GTK_TYPE_COLUMN_VIEW);

  return g_list_model_get_n_items (
      G_LIST_MODEL (gtk_column_view_get_model (GTK_COLUMN_VIEW (table))));
}

static gboolean
previews (WeirEditor *editor, const char *text)
{
  return find_label (child_of (editor, "preview"), text) != NULL;
}

/* How many points each way of laying them out has, of two parameters. */
static void
test_preview (void)
{
  static const struct {
    const char *method, *text;
    guint n_drawn, n_listed;
  } table[] = {
    { "Grid", "Points: 121. The first 100 are listed.", 121, 100 },
    { "Latin Hypercube", "Points: 100.", 100, 100 },
    { "Sobol's Sequence", "Points: 100.", 100, 100 },
    { "Find the Least", "The search begins at 1 points; others follow from what these give.", 1,
      1 },
    { "Random", "Points: 100.", 100, 100 },
    { "One at a Time", "Points: 23.", 23, 23 },
    { "All Corners", "Points: 4.", 4, 4 },
    { "Derivatives at the Middle", "Points: 5.", 5, 5 },
    { "Morris's Walks", "Points: 300. The first 100 are listed.", 300, 100 },
    { "Sobol's Indices", "Points: 400. The first 100 are listed.", 400, 100 },
  };
  WeirEditor *editor = open_spring ();
  GtkWidget *toggle = child_of (editor, "previews");
  g_autofree char *all = weir_cache_format_count (1000000), *drawn = weir_cache_format_count (5000);
  g_autofree char *million = g_strdup_printf (
      "Points: %s. %s of them are drawn, the first 100 are listed.", all, drawn);

  make_small (editor);
  click (toggle);
  wait_for (previews (editor, "Select a block and press Vary to choose what is varied."));
  vary (editor, "Spring", "Spring.gain");
  wait_for (previews (editor, "Points: 100."));
  g_assert_cmpuint (weir_chart_get_n_marks (previewed (editor)), ==, 100);
  vary (editor, "Damper", "Damper.gain");
  wait_for (find_label (child_of (editor, "preview"), "Damper.gain") != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      choose_titled (editor, "methods", table[i].method);
      wait_for (previews (editor, table[i].text));
      g_assert_cmpuint (weir_chart_get_n_marks (previewed (editor)), ==, table[i].n_drawn);
      g_assert_cmpuint (count_listed (editor), ==, table[i].n_listed);
    }
  picture ("98-study-preview-indices");
  choose_titled (editor, "methods", "Random");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 1000000);
  wait_for (previews (editor, million));
  g_assert_cmpuint (weir_chart_get_n_marks (previewed (editor)), ==, 5000);
  g_assert_cmpuint (count_listed (editor), ==, 100);
  picture ("98-study-preview");
  picture_dark ("98-study-preview-dark");

  /* What is typed is seen; what makes no sense is said. */
  choose_titled (editor, "methods", "All Corners");
  wait_for (previews (editor, "Points: 4."));
  gtk_editable_set_text (
      GTK_EDITABLE (find_of_type (child_of (editor, "variations"), GTK_TYPE_ENTRY)), "3");
  wait_for (find_label (child_of (editor, "preview"), "3") != NULL);
  choose_titled (editor, "methods", "Grid");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), 1000000);
  wait_for (
      !gtk_widget_get_mapped (find_named (child_of (editor, "preview"), "weir-study-points")));
  picture ("98-study-preview-none");
  key ("<Control><Alt>z");
  wait_for (previews (editor, "Points: 121. The first 100 are listed."));
  click (toggle);
  wait_for (!gtk_widget_get_mapped (child_of (editor, "preview")));
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

static void
copy_example (const char *folder, const char *name)
{
  g_autofree char *from = g_build_filename (g_getenv ("WEIR_DATA"), "examples", name, NULL);
  g_autofree char *to = g_build_filename (folder, name, NULL);
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (from, &text, &length, NULL));
  g_assert_true (g_file_set_contents (to, text, (gssize) length, NULL));
}

/* A folder of its own with the models, what was measured of one, and a study. (transfer full) */
static GFile *
write_study_text (const char *text)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-studies-XXXXXX", NULL);
  g_autofree char *study = g_build_filename (folder, "both.weirstudy", NULL);

  copy_example (folder, "mass-spring-damper.weir");
  copy_example (folder, "dc-motor.weir");
  copy_example (folder, "motor-measured.csv");
  g_assert_true (g_file_set_contents (study, text, -1, NULL));
  return g_file_new_for_path (study);
}

static GFile *
write_study (void)
{
  return write_study_text (study_text);
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
  click_on (editor, "run");
  wait_for (says (editor, "12 points: 0 computed, 12 from the cache, 0 failed*"));
  g_assert_cmpint (g_remove (results), ==, 0);
  click_on (editor, "run");
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

/* The softest and least damped spring goes furthest; each picture says what it shows, and lights up
 * what is selected. */
static void
test_pictures (void)
{
  g_autoptr (GFile) study = write_study ();
  WeirEditor *editor = open_study (study);
  WeirChart *chart;

  click_on (editor, "run");
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

/* Of files: points that are listed, and the starts of a fit. */
static void
test_preview_files (void)
{
  g_autoptr (GFile) listed = write_study_text (
      "<study version='1' model='mass-spring-damper.weir'><points method='list'>"
      "<parameter path='Spring.gain' name='k'/><parameter path='Damper.gain' name='d'/>"
      "<point values='2 0.3'/><point values='3 0.5'/><point values='7 0.4'/></points>"
      "<keep><figure name='top' what='maximum' of='Position.y'/></keep></study>");
  g_autoptr (GFile) fit = write_study_text (
      "<study version='1' model='dc-motor.weir' seed='1'><points method='fit' starts='3'>"
      "<parameter path='Motor.Coil.denominator[2]' name='resistance' from='0.1' to='10'/>"
      "<measured file='motor-measured.csv'/><match port='Motor.speed' column='speed'/></points>"
      "</study>");
  WeirEditor *editor = open_study (listed);

  click_on (editor, "previews");
  wait_for (previews (editor, "Points: 3."));
  g_assert_cmpuint (weir_chart_get_n_marks (previewed (editor)), ==, 3);
  g_assert_cmpuint (count_listed (editor), ==, 3);
  wait_for (find_label (child_of (editor, "preview"), "7") != NULL
            && find_label (child_of (editor, "preview"), "0.5") != NULL);
  picture ("98-study-preview-listed");
  editor_close (editor);

  editor = open_study (fit);
  click_on (editor, "previews");
  wait_for (
      previews (editor, "The search begins at 3 points; others follow from what these give."));
  g_assert_cmpuint (weir_chart_get_n_marks (previewed (editor)), ==, 3);
  g_assert_cmpuint (count_listed (editor), ==, 3);
  wait_for (find_label (child_of (editor, "preview"), "1") != NULL); /* what the model has */
  picture ("98-study-preview-fit");
  editor_close (editor);
}

/* --- Kinds of studies ------------------------------------------------------------------------- */

#define SPRING_STUDY(points, keep)                                                                 \
  "<study version='1' model='mass-spring-damper.weir' seed='3'>"                                   \
  "<setting name='stop-time' value='6'/>" points "<keep>" keep "</keep></study>"
#define SPRING_PARAMETERS                                                                          \
  "<parameter path='Spring.gain' name='k' from='2' to='5' n='5'/>"                                 \
  "<parameter path='Damper.gain' name='d' from='0.3' to='0.6' n='5'/>"                             \
  "<parameter path='1/m.gain' name='m' from='0.9' to='1.1' n='5'/>"
#define SPRING_FIGURES                                                                             \
  "<signal port='Position.y'/>"                                                                    \
  "<figure name='top' what='maximum' of='Position.y'/>"                                            \
  "<figure name='settling' what='overshoot' of='Position.y'/>"                                     \
  "<figure name='cost' is='top*10 + k'/>"

/* A study of each kind that there is: what its first picture says, and a picture of each view. */
static void
test_kinds (void)
{
  static const struct {
    const char *name, *text, *words;
  } kinds[] = {
    { "sweep",
      SPRING_STUDY ("<points method='grid'>"
                    "<parameter path='Spring.gain' name='k' from='2' to='5' n='13'/>"
                    "<parameter path='Damper.gain' name='d' from='0.3' to='0.6' n='11'/></points>",
                    SPRING_FIGURES),
      "Least *; most * at 2, 0.3." },
    { "monte-carlo",
      SPRING_STUDY ("<points method='random' n='300'>"
                    "<parameter path='Spring.gain' name='k' distribution='normal' mean='4' "
                    "deviation='0.3'/>"
                    "<parameter path='Damper.gain' name='d' from='0.3' to='0.6'/>"
                    "<correlation of='k' with='d' value='0.6'/></points>",
                    SPRING_FIGURES),
      "300 points: mean *" },
    { "sensitivity",
      SPRING_STUDY ("<points method='one-at-a-time'>" SPRING_PARAMETERS "</points>",
                    SPRING_FIGURES),
      "Maximum of *\nSpring.gain: from *" },
    { "local",
      SPRING_STUDY ("<points method='local'><parameter path='Spring.gain' name='k'/>"
                    "<parameter path='Damper.gain' name='d'/></points>",
                    SPRING_FIGURES),
      "Maximum of *\nSpring.gain: from *" },
    { "morris",
      SPRING_STUDY ("<points method='morris' n='30'>" SPRING_PARAMETERS "</points>",
                    SPRING_FIGURES),
      "Mean absolute effect\nSpring.gain: *" },
    { "sobol",
      SPRING_STUDY ("<points method='indices' n='128'>" SPRING_PARAMETERS "</points>",
                    SPRING_FIGURES),
      "Part of the variance: alone, and with others\nSpring.gain: * alone, * with others*" },
    { "optimisation",
      SPRING_STUDY ("<points method='optimise' n='200' starts='2'>" SPRING_PARAMETERS
                    "<objective figure='top'/><constraint figure='settling' to='80'/></points>",
                    SPRING_FIGURES),
      "Maximum of * is * at point *\nIt keeps within all constraints.\nFound from start * of 2.*" },
    { "worst-case",
      SPRING_STUDY ("<points method='corners'>" SPRING_PARAMETERS "</points>", SPRING_FIGURES),
      "8 points: mean *" },
    { "fit",
      "<study version='1' model='dc-motor.weir'><points method='fit'>"
      "<parameter path='Motor.Coil.denominator[2]' name='resistance' from='0.1' to='10'/>"
      "<parameter path='Motor.Rotor.denominator[1]' name='inertia' from='0.001' to='0.1' "
      "distribution='log-uniform'/>"
      "<measured file='motor-measured.csv'/>"
      "<match port='Motor.Coil.y' column='current' deviation='2'/>"
      "<match port='Motor.speed' column='speed' deviation='0.005'/></points>"
      "<keep><figure name='overshoot' what='overshoot' of='Motor.speed'/></keep></study>",
      "Motor.Coil.denominator*: *, standard error *; in 95 of 100 cases from * to "
      "*\nMotor.Rotor.denominator*: *\nWhat is left has*\nThe strongest correlation*" },
    { "fit-warned",
      "<study version='1' model='dc-motor.weir'><points method='fit'>"
      "<parameter path='Motor.Coil.denominator[2]' name='resistance' from='0.1' to='0.2'/>"
      "<measured file='motor-measured.csv'/>"
      "<match port='Motor.speed' column='speed' deviation='0.005'/></points>"
      "<keep><figure name='overshoot' what='overshoot' of='Motor.speed'/></keep></study>",
      "resistance lies on the end of its range, 0.2, so that its error is not to be relied on; "
      "widen the range*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GFile) study = write_study_text (kinds[i].text);
      WeirEditor *editor = open_study (study);
      GListModel *views;

      make_small (editor);
      click_on (editor, "run");
      wait_for (says (editor, "* points: * 0 failed*"));
      if (!g_pattern_match_simple (kinds[i].words, get_words (editor)))
        g_error ("%s: %s", kinds[i].name, get_words (editor));
      views = gtk_drop_down_get_model (choice_of (editor, "views"));
      for (guint v = 0; v < g_list_model_get_n_items (views); v++)
        {
          g_autofree char *name = g_strdup_printf ("99-study-%s-%u", kinds[i].name, v);

          choose (editor, "views", v);
          picture (name);
          g_assert_cmpstr (get_words (editor), !=, "");
        }
      editor_close (editor);
    }
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

  click_on (editor, "run");
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
  click_on (editor, "two");
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

  make_small (editor);
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
  click_on (editor, "open");
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
  click_on (editor, "run");
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
  click_on (editor, "run");
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

/* Of a model that records nothing no figure can be kept, which is said where one is asked for. */
static void
test_nothing_recorded (void)
{
  WeirEditor *editor = editor_open ();

  weir_host_show_page (WEIR_HOST (editor), "studies");
  wait_for (gtk_widget_get_mapped (page_of (editor))
            && gtk_widget_get_width (page_of (editor)) > 0);
  click_on (editor, "add_figure");
  wait_for (says (editor, "Connect a signal to a Scope*"));
  click_on (editor, "run");
  settle ();
  g_assert_false (gtk_widget_get_mapped (child_of (editor, "progress")));
  editor_close (editor);
}

/* Which point failed first is said, and why, whether it failed now or before. What a file says is
 * no format of anything. */
static void
test_failed_told (void)
{
  static const char text[] =
      "<study version='1' model='mass-spring-damper.weir'><points method='list'>"
      "<parameter path='Spring.gain' name='spring'/><point values='4'/><point values='-1e300'/>"
      "<point values='5'/></points><keep><figure name='peak' what='maximum' of='Position.y'/>"
      "</keep></study>";
  g_autoptr (GFile) study = write_study_text (text);
  g_autofree char *results = dup_results_path (study);
  WeirEditor *editor = open_study (study);
  sqlite3 *database;

  click_on (editor, "run");
  wait_for (says (editor, "3 points: 3 computed, 0 from the cache, 1 failed. Point 1 failed: *"));
  click_on (editor, "run");
  wait_for (says (editor, "3 points: 0 computed, 3 from the cache, 1 failed. Point 1 failed: *"));
  g_assert_cmpint (sqlite3_open (results, &database), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (database,
                                 "UPDATE points SET reason = '%s %n %99$s' WHERE status = 1", NULL,
                                 NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_close (database);
  click_on (editor, "run");
  wait_for (says (editor, "*Point 1 failed: %s %n %99$s.*"));
  editor->may_close = TRUE;
  editor_close (editor);
}

/* Runs that need not repeat themselves are made each time, and why is said. */
static void
test_uncached_told (void)
{
  static const char text[] =
      "<study version='1' model='vehicle-units.weir'><setting name='stop-time' value='0.1'/>"
      "<points method='list'><parameter path='Controller.Law.k' name='k'/><point values='1'/>"
      "<point values='2'/></points><keep><figure name='twice' is='2*k'/>"
      "<figure name='last' what='final' of='Controller.pedal'/></keep></study>";
  g_autoptr (GFile) study = write_study_text (text);
  g_autoptr (GFile) folder = g_file_get_parent (study);
  WeirEditor *editor;

  copy_example (g_file_peek_path (folder), "vehicle-units.weir");
  editor = open_study (study);
  click_on (editor, "run");
  wait_for (says (editor, "2 points: 2 computed, 0 from the cache, 0 failed. Runs are not cached: "
                          "the model has units of co-simulation."));
  editor->may_close = TRUE;
  editor_close (editor);
}

/* --- Very many points ------------------------------------------------------------------------- */

#define N_MANY 30000
#define SAID_MANY "30\u202f000"
#define MOST_DRAWN 11000 /* marks: some thousand that are lit up, and as many others */

/* x' = -k x from 1 for a second. */
static const char decay[] =
    "<weir version='1'><settings><setting name='solver' value='rk4'/><setting name='step' "
    "value='0.1'/><setting name='stop-time' value='1'/></settings><diagram>"
    "<block id='1' type='Integrator' name='I' x='300' y='0'><parameter name='initial' value='1'/>"
    "</block><block id='2' type='Gain' name='K' x='100' y='0'><parameter name='gain' "
    "value='-1'/></block><block id='5' type='Scope' name='Scope' x='400' y='0'/>"
    "<wire id='3' from='1.y' to='2.u'/><wire id='4' from='2.y' to='1.u'/>"
    "<wire id='6' from='1.y' to='5.in1'/></diagram></weir>";

static gboolean
is_drawn (WeirEditor *editor)
{
  return gtk_widget_get_opacity (GTK_WIDGET (view_of (editor, "picture"))) == 1;
}

/* The number of the point that stands first in the table. */
static gboolean
is_first (WeirEditor *editor, const char *number)
{
  GtkWidget *cell = find_label (child_of (editor, "table"), number);

  return cell != NULL && gtk_widget_get_mapped (cell);
}

static void
sort_by (WeirEditor *editor, guint column, GtkSortType order)
{
  GtkColumnView *table = GTK_COLUMN_VIEW (child_of (editor, "table"));
  g_autoptr (GtkColumnViewColumn)
      by = g_list_model_get_item (gtk_column_view_get_columns (table), column);

  gtk_column_view_sort_by_column (table, NULL, order);
  gtk_column_view_sort_by_column (table, by, order);
}

/* Of very many points pictures are drawn and the table is put in order beside the window. What is
 * drawn is bounded, whatever is lit up; the numbers in words are of all of them. */
static void
test_many (void)
{
  static const char *const views[] = {
    "Sensitivity",          "Over a Parameter",        "Scatter Matrix",
    "Parallel Coordinates", "Convergence of the Mean", "Histogram"
  };
  WeirEditor *editor = editor_open_text (decay, NULL);
  GtkSelectionModel *selection;

  weir_host_show_page (WEIR_HOST (editor), "studies");
  wait_for (gtk_widget_get_mapped (page_of (editor))
            && gtk_widget_get_width (page_of (editor)) > 0);
  vary (editor, "K", "K.gain");
  choose_titled (editor, "methods", "Random");
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (child_of (editor, "points")), N_MANY);
  click_on (editor, "run");
  wait_for (says (editor, SAID_MANY " points: * 0 failed*"));
  selection = gtk_column_view_get_model (GTK_COLUMN_VIEW (child_of (editor, "table")));
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      choose_titled (editor, "views", views[i]);
      wait_for (is_drawn (editor));
      g_assert_cmpuint (weir_chart_get_n_marks (chart_of (editor, "picture")), <, MOST_DRAWN);
    }
  wait_for (g_str_has_prefix (get_words (editor), SAID_MANY " points: mean "));
  gtk_selection_model_select_all (selection);
  wait_for (strstr (get_words (editor), SAID_MANY " of " SAID_MANY " points are lit up.") != NULL);
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      choose_titled (editor, "views", views[i]);
      wait_for (is_drawn (editor));
      g_assert_cmpuint (weir_chart_get_n_marks (chart_of (editor, "picture")), <, MOST_DRAWN);
    }
  /* What was asked for last is seen, not what took longer. */
  choose_titled (editor, "views", "Scatter Matrix");
  spin (5);
  choose_titled (editor, "views", "Histogram");
  wait_for (is_drawn (editor));
  g_assert_cmpuint (weir_chart_get_n_panels (chart_of (editor, "picture")), ==, 1);
  picture ("93-study-many");
  gtk_selection_model_unselect_all (selection);
  wait_for (strstr (get_words (editor), "lit up") == NULL);
  gtk_selection_model_select_item (selection, 7, TRUE);
  g_assert_true (gtk_selection_model_is_selected (selection, 7));
  g_assert_false (gtk_selection_model_is_selected (selection, 8));
  wait_for (strstr (get_words (editor), "1 of " SAID_MANY " points are lit up.") != NULL);
  sort_by (editor, 0, GTK_SORT_DESCENDING);
  wait_for (is_first (editor, "29999"));
  g_assert_true (gtk_selection_model_is_selected (selection, N_MANY - 8));
  g_assert_false (gtk_selection_model_is_selected (selection, 7));
  sort_by (editor, 0, GTK_SORT_ASCENDING);
  wait_for (is_first (editor, "0"));
  wait_for (gtk_selection_model_is_selected (selection, 7));
  editor->may_close = TRUE;
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/studies/known-runs", test_known_runs);
  g_test_add_func ("/window/studies/cache-told", test_cache_told);
  g_test_add_func ("/window/studies/best-point", test_best_point);
  g_test_add_func ("/window/studies/stop", test_stop);
  g_test_add_func ("/window/studies/drag-block", test_drag_block);
  g_test_add_func ("/window/studies/vary-from-inspector", test_vary_from_inspector);
  g_test_add_func ("/window/studies/figure-from-plot", test_figure_from_plot);
  g_test_add_func ("/window/studies/failed-told", test_failed_told);
  g_test_add_func ("/window/studies/uncached-told", test_uncached_told);
  g_test_add_func ("/window/studies/nothing-recorded", test_nothing_recorded);
  g_test_add_func ("/window/studies/many", test_many);
  g_test_add_func ("/window/studies/preview", test_preview);
  g_test_add_func ("/window/studies/preview-files", test_preview_files);
  g_test_add_func ("/window/studies/shared", test_shared);
  g_test_add_func ("/window/studies/pictures", test_pictures);
  g_test_add_func ("/window/studies/kinds", test_kinds);
  g_test_add_func ("/window/studies/brush", test_brush);
  g_test_add_func ("/window/studies/brush-by-keys", test_brush_by_keys);
  g_test_add_func ("/window/studies/open-point", test_open_point);
  g_test_add_func ("/window/studies/saved", test_saved);
  g_test_add_func ("/window/studies/export", test_export);
  g_test_add_func ("/window/studies/export-draft", test_export_draft);
  return driver_main ();
}
