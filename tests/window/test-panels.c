/* Inspector, plots, panes and the shortcuts window. */
#include "driver.h"

#include "panels/outline-panel.h"
#include "scopes/plot-view.h"

#define UNKNOWN_NAME "Parameter gain: there is no 'abc' in Gain, the model's variables."

static void
test_inspector (void)
{
  WeirEditor *editor = editor_open ();

  drag_from_palette (editor, "Gain", 200, 150);
  click_at (block_on_screen (editor, "Gain"));
  wait_for (weir_canvas_get_selected_block (editor->canvas) != 0);
  key ("<Alt>Return");
  key ("<Control>a");
  type_text ("2.5");
  key ("Return");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, "2.5");

  /* What does not parse is said at the field while typing and changes nothing. */
  key ("<Control>a");
  type_text ("abc");
  g_assert_nonnull (find_label (part_of (editor, WEIR_TYPE_INSPECTOR), UNKNOWN_NAME));
  picture ("30-bad-parameter");
  key ("Return");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, "2.5");
  key ("Escape");
  g_assert_null (find_label (part_of (editor, WEIR_TYPE_INSPECTOR), UNKNOWN_NAME));
  click_canvas (editor);
  key ("<Control>z");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, NULL);
  editor_close (editor);
}

static WeirPlotView *
find_plot (WeirEditor *editor)
{
  return WEIR_PLOT_VIEW (find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_VIEW));
}

static void
get_ranges (WeirPlotView *view, double *first, double *last, double *low, double *high)
{
  WeirPlot *plot = weir_plot_view_get_plot (view);

  spin (100);
  weir_plot_get_range (plot, WEIR_PLOT_TIME, first, last);
  weir_plot_get_range (plot, WEIR_PLOT_LEFT, low, high);
}

/* Wheel zooms at the pointer, drag pans, the button fits, the legend hides curves. */
static void
test_plot (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  WeirPlotView *view;
  WeirPlot *plot;
  WeirPoint middle;
  double first, last, low, high, time, value, time_later, x, y;

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  spin (200);
  view = find_plot (editor);
  plot = weir_plot_view_get_plot (view);
  get_ranges (view, &first, &last, &low, &high);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (last, ==, 10);

  weir_plot_to_position (plot, 4, 0, &x, &y);
  middle = on_screen (GTK_WIDGET (view), x, y);
  point_at (middle);
  picture ("31-cursor");
  g_assert_cmpfloat_with_epsilon (weir_plot_get_cursor (plot), 4, 0.1);
  g_assert_true (weir_plot_from_position (plot, floor (x), y, &time, &value));
  wheel_at (middle, -5);
  get_ranges (view, &first, &last, &low, &high);
  g_assert_cmpfloat (last - first, <, 5);
  g_assert_true (weir_plot_from_position (plot, floor (x), y, &time_later, &value));
  g_assert_cmpfloat_with_epsilon (time_later, time, 0.02); /* the point under the pointer stays */

  drag (middle, (WeirPoint) { middle.x + 60, middle.y });
  get_ranges (view, &time, &time_later, &low, &high);
  g_assert_cmpfloat (time, <, first);
  g_assert_cmpfloat_with_epsilon (time_later - time, last - first, 1e-9);
  picture ("32-zoomed");

  click (find_widget (part_of (editor, WEIR_TYPE_SCOPES), has_tooltip, "Fit"));
  get_ranges (view, &first, &last, &low, &high);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (last, ==, 10);

  click (find_label (part_of (editor, WEIR_TYPE_SCOPES), "Pendulum.omega"));
  g_assert_true (weir_plot_get_curve_visible (plot, 0));
  g_assert_false (weir_plot_get_curve_visible (plot, 1));
  picture ("33-hidden-curve");
  click (find_label (part_of (editor, WEIR_TYPE_SCOPES), "Pendulum.omega"));
  g_assert_true (weir_plot_get_curve_visible (plot, 1));
  editor_close (editor);
}

/* F9 and its sisters hide panes; what has focus in a hidden pane gives it up. */
static void
test_panes (void)
{
  WeirEditor *editor = editor_open ();

  key ("<Control><Shift>f");
  key ("F9");
  g_assert_false (gtk_widget_get_mapped (editor->left));
  key ("<Shift>F9");
  g_assert_false (gtk_widget_get_mapped (editor->right));
  key ("<Control>F9");
  g_assert_false (gtk_widget_get_mapped (editor->bottom));
  picture ("34-panes-hidden");
  key ("F9");
  key ("<Shift>F9");
  key ("<Control>F9");
  g_assert_true (gtk_widget_get_mapped (editor->left));
  g_assert_true (gtk_widget_get_mapped (editor->right));
  g_assert_true (gtk_widget_get_mapped (editor->bottom));
  editor_close (editor);
}

/* Into a subsystem by a double click, out by the breadcrumb. */
static void
test_breadcrumb (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  WeirBlock *subsystem = NULL;
  g_autofree guint32 *blocks = NULL;
  const guint32 *selected;
  guint n;

  spin (200);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.select-all", NULL);
  selected = weir_canvas_get_selected (editor->canvas, &n);
  blocks = g_memdup2 (selected, n * sizeof *blocks);
  for (guint i = 0; i < n && subsystem == NULL; i++)
    {
      WeirBlock *block = weir_diagram_find_block (root_diagram (editor), blocks[i]);

      if (weir_block_get_diagram (block) != NULL)
        subsystem = block;
    }
  g_assert_nonnull (subsystem);
  double_click_at (block_on_screen (editor, weir_block_get_name (subsystem)));
  wait_for (weir_canvas_get_place (editor->canvas).n_ids == 1);
  picture ("35-inside");
  click (find_label (editor->breadcrumb, "Model"));
  wait_for (weir_canvas_get_place (editor->canvas).n_ids == 0);
  editor_close (editor);
}

/* The outline shows every level, follows edits, and leads to blocks; the canvas leads to it. */
static void
test_outline (void)
{
  WeirEditor *editor = window_open_example ("nested.weir");
  guint n;

  key ("<Control><Shift>o");
  spin (100);
  n = weir_outline_panel_get_n_rows (
      WEIR_OUTLINE_PANEL (part_of (editor, WEIR_TYPE_OUTLINE_PANEL)));
  g_assert_cmpuint (n, >, weir_diagram_get_n_blocks (root_diagram (editor)));
  picture ("36-outline");
  click (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL),
                     "Velocity")); /* in a Subsystem of a Subsystem */
  wait_for (weir_canvas_get_selected_block (editor->canvas) != 0);
  g_assert_cmpuint (weir_canvas_get_place (editor->canvas).n_ids, ==, 2);

  click (find_label (editor->breadcrumb, "Model"));
  spin (100);
  click_at (block_on_screen (editor, "Reference"));
  wait_for (weir_canvas_get_selected_block (editor->canvas)
            == weir_block_get_id (find_block (editor, "Reference")));
  key ("Delete");
  wait_for (
      weir_outline_panel_get_n_rows (WEIR_OUTLINE_PANEL (part_of (editor, WEIR_TYPE_OUTLINE_PANEL)))
      == n - 1);
  g_assert_null (find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Reference"));
  key ("<Control>z");
  wait_for (
      weir_outline_panel_get_n_rows (WEIR_OUTLINE_PANEL (part_of (editor, WEIR_TYPE_OUTLINE_PANEL)))
      == n);
  g_assert_nonnull (
      find_label (part_of (editor, WEIR_TYPE_OUTLINE_PANEL), "Velocity")); /* still open */
  editor_close (editor);
}

static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirEditor *editor;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_true (adw_style_manager_get_dark (style));
  editor = window_open_example ("nested.weir");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  picture ("40-dark");
  key ("<Control><Shift>k");
  wait_for (g_strcmp0 (shown_page (editor), "cache") == 0);
  picture ("41-dark-cache");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  g_assert_false (adw_style_manager_get_dark (style));
  picture ("42-light-cache");
  editor_close (editor);
}

/* The shortcuts window is made from the same table as the accelerators. */
static void
test_shortcuts (void)
{
  WeirEditor *editor = editor_open ();
  const WeirShortcut *shortcuts;
  GLogLevelFlags fatal;
  GtkWidget *overlay;
  guint n;

  shortcuts = weir_shortcuts_get (&n);
  for (guint i = 0; i < n; i++)
    if (shortcuts[i].action != NULL && shortcuts[i].keys != NULL)
      {
        g_auto (GStrv) expected = g_strsplit (shortcuts[i].keys, " ", -1);
        g_auto (GStrv)
            set = gtk_application_get_accels_for_action (application, shortcuts[i].action);

        g_assert_cmpuint (g_strv_length (set), ==, g_strv_length (expected));
        if (g_str_has_prefix (shortcuts[i].action, "win."))
          g_assert_true (g_action_group_has_action (weir_editor_get_actions (editor),
                                                    shortcuts[i].action + 4));
      }
  /* GTK 4.8 warns of the width of its own page buttons. */
  fatal = g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  key ("<Control>question");
  wait_for ((overlay = find_toplevel (GTK_TYPE_SHORTCUTS_WINDOW)) != NULL);
  picture ("43-shortcuts");
  gtk_window_destroy (GTK_WINDOW (overlay));
  g_log_set_always_fatal (fatal);
  gtk_window_present (GTK_WINDOW (toplevel_of (editor)));
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  key ("F10");
  picture ("44-menu");
  key ("Escape");
  editor_close (editor);
}

/* Whatever can be clicked says what it is: an icon button has a tooltip and a name. */
static gboolean
is_mute (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  GtkWidget *child;

  if (!GTK_IS_BUTTON (widget) || !gtk_widget_get_mapped (widget)
      || gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL)
    return FALSE;
  child = gtk_button_get_child (GTK_BUTTON (widget));
  return GTK_IS_IMAGE (child) && gtk_widget_get_tooltip_text (widget) == NULL
         && gtk_widget_get_ancestor (widget, GTK_TYPE_MENU_BUTTON) == NULL;
}

static gboolean
is_unnamed_entry (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return (GTK_IS_ENTRY (widget) || GTK_IS_SEARCH_ENTRY (widget) || GTK_IS_DROP_DOWN (widget))
         && gtk_widget_get_mapped (widget)
         && !gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget),
                                               GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
test_names (void)
{
  static const char *const pages[] = { "plots", "cache", "problems" };
  WeirEditor *editor = window_open_example ("pendulum.weir");

  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      weir_host_show_page (WEIR_HOST (editor), pages[i]);
      spin (200);
      g_assert_null (find_widget (toplevel_of (editor), is_mute, NULL));
      g_assert_null (find_widget (toplevel_of (editor), is_unnamed_entry, NULL));
    }
  editor_close (editor);
}

/* A small screen: everything can still be reached, nothing asks for more room than there is. */
static void
test_small (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  int minimum_width, minimum_height;

  gtk_widget_measure (toplevel_of (editor), GTK_ORIENTATION_HORIZONTAL, -1, &minimum_width, NULL,
                      NULL, NULL);
  gtk_widget_measure (toplevel_of (editor), GTK_ORIENTATION_VERTICAL, -1, &minimum_height, NULL,
                      NULL, NULL);
  g_test_message ("minimum %d x %d", minimum_width, minimum_height);
  g_assert_cmpint (minimum_width, <=, 800);
  g_assert_cmpint (minimum_height, <=, 600);
  g_assert_true (gtk_widget_get_visible (editor->right));
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 800, 600);
  wait_for (!gtk_widget_get_visible (editor->right)); /* for want of room */
  g_assert_true (gtk_widget_get_visible (editor->left));
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  picture ("45-small");

  /* What is shown by hand stays; what was hidden comes back with the room. */
  key ("<Shift>F9");
  wait_for (gtk_widget_get_visible (editor->right));
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 820, 600);
  spin (200);
  g_assert_true (gtk_widget_get_visible (editor->right));
  key ("<Shift>F9");
  wait_for (!gtk_widget_get_visible (editor->right));
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1200, 800);
  wait_for (gtk_widget_get_visible (editor->right));
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 600, 500);
  wait_for (!gtk_widget_get_visible (editor->right) && !gtk_widget_get_visible (editor->left));
  picture ("45-smallest");
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (editor)), 1200, 800);
  wait_for (gtk_widget_get_visible (editor->right) && gtk_widget_get_visible (editor->left));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/panels/inspector", test_inspector);
  g_test_add_func ("/window/panels/plot", test_plot);
  g_test_add_func ("/window/panels/panes", test_panes);
  g_test_add_func ("/window/panels/breadcrumb", test_breadcrumb);
  g_test_add_func ("/window/panels/outline", test_outline);
  g_test_add_func ("/window/panels/dark", test_dark);
  g_test_add_func ("/window/panels/shortcuts", test_shortcuts);
  g_test_add_func ("/window/panels/names", test_names);
  g_test_add_func ("/window/panels/small", test_small);
  return driver_main ();
}
