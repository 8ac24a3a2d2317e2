/* Inspector, plots, panes and the shortcuts window. */
#include "driver.h"

#include "panels/outline-panel.h"
#include "scopes/plot-view.h"

#define UNKNOWN_NAME "Parameter gain: there is no 'abc' in Gain, the model's variables."

static void
test_inspector (void)
{
  WeirWindow *window = window_open ();

  drag_from_palette (window, "Gain", 200, 150);
  click_at (block_on_screen (window, "Gain"));
  wait_for (weir_canvas_get_selected_block (window->canvas) != 0);
  key ("<Alt>Return");
  key ("<Control>a");
  type_text ("2.5");
  key ("Return");
  g_assert_cmpstr (weir_block_get_parameter (find_block (window, "Gain"), "gain"), ==, "2.5");

  /* What does not parse is said at the field while typing and changes nothing. */
  key ("<Control>a");
  type_text ("abc");
  g_assert_nonnull (find_label (window->inspector, UNKNOWN_NAME));
  picture ("30-bad-parameter");
  key ("Return");
  g_assert_cmpstr (weir_block_get_parameter (find_block (window, "Gain"), "gain"), ==, "2.5");
  key ("Escape");
  g_assert_null (find_label (window->inspector, UNKNOWN_NAME));
  click_canvas (window);
  key ("<Control>z");
  g_assert_cmpstr (weir_block_get_parameter (find_block (window, "Gain"), "gain"), ==, NULL);
  window_close (window);
}

static WeirPlotView *
find_plot (WeirWindow *window)
{
  return WEIR_PLOT_VIEW (find_of_type (window->scopes, WEIR_TYPE_PLOT_VIEW));
}

static void
get_ranges (WeirPlotView *view, double *first, double *last, double *low, double *high)
{
  WeirPlot *plot = weir_plot_view_get_plot (view);

  spin (100);
  weir_plot_get_time_range (plot, first, last);
  weir_plot_get_value_range (plot, low, high);
}

/* Wheel zooms at the pointer, drag pans, the button fits, the legend hides curves. */
static void
test_plot (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");
  WeirPlotView *view;
  WeirPlot *plot;
  WeirPoint middle;
  double first, last, low, high, time, value, time_later, x, y;

  click_canvas (window);
  key ("F5");
  wait_for (run_is_over (window));
  spin (200);
  view = find_plot (window);
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

  click (find_widget (window->scopes, has_tooltip, "Fit"));
  get_ranges (view, &first, &last, &low, &high);
  g_assert_cmpfloat (first, ==, 0);
  g_assert_cmpfloat (last, ==, 10);

  click (find_label (window->scopes, "Pendulum.omega"));
  g_assert_true (weir_plot_get_curve_visible (plot, 0));
  g_assert_false (weir_plot_get_curve_visible (plot, 1));
  picture ("33-hidden-curve");
  click (find_label (window->scopes, "Pendulum.omega"));
  g_assert_true (weir_plot_get_curve_visible (plot, 1));
  window_close (window);
}

/* F9 and its sisters hide panes; what has focus in a hidden pane gives it up. */
static void
test_panes (void)
{
  WeirWindow *window = window_open ();

  key ("<Control><Shift>f");
  key ("F9");
  g_assert_false (gtk_widget_get_mapped (window->left));
  key ("<Shift>F9");
  g_assert_false (gtk_widget_get_mapped (window->right));
  key ("<Control>F9");
  g_assert_false (gtk_widget_get_mapped (window->bottom));
  picture ("34-panes-hidden");
  key ("F9");
  key ("<Shift>F9");
  key ("<Control>F9");
  g_assert_true (gtk_widget_get_mapped (window->left));
  g_assert_true (gtk_widget_get_mapped (window->right));
  g_assert_true (gtk_widget_get_mapped (window->bottom));
  window_close (window);
}

/* Into a subsystem by a double click, out by the breadcrumb. */
static void
test_breadcrumb (void)
{
  WeirWindow *window = window_open_example ("nested.weir");
  WeirBlock *subsystem = NULL;
  g_autofree guint32 *blocks = NULL;
  const guint32 *selected;
  guint n;

  spin (200);
  gtk_widget_activate_action (GTK_WIDGET (window->canvas), "canvas.select-all", NULL);
  selected = weir_canvas_get_selected (window->canvas, &n);
  blocks = g_memdup2 (selected, n * sizeof *blocks);
  for (guint i = 0; i < n && subsystem == NULL; i++)
    {
      WeirBlock *block = weir_diagram_find_block (root_diagram (window), blocks[i]);

      if (weir_block_get_diagram (block) != NULL)
        subsystem = block;
    }
  g_assert_nonnull (subsystem);
  double_click_at (block_on_screen (window, weir_block_get_name (subsystem)));
  wait_for (weir_canvas_get_place (window->canvas).n_ids == 1);
  picture ("35-inside");
  click (find_label (window->breadcrumb, "Model"));
  wait_for (weir_canvas_get_place (window->canvas).n_ids == 0);
  window_close (window);
}

/* The outline shows every level, follows edits, and leads to blocks; the canvas leads to it. */
static void
test_outline (void)
{
  WeirWindow *window = window_open_example ("nested.weir");
  guint n;

  key ("<Control><Shift>o");
  spin (100);
  n = weir_outline_panel_get_n_rows (WEIR_OUTLINE_PANEL (window->outline));
  g_assert_cmpuint (n, >, weir_diagram_get_n_blocks (root_diagram (window)));
  picture ("36-outline");
  click (find_label (window->outline, "Velocity")); /* in a Subsystem of a Subsystem */
  wait_for (weir_canvas_get_selected_block (window->canvas) != 0);
  g_assert_cmpuint (weir_canvas_get_place (window->canvas).n_ids, ==, 2);

  click (find_label (window->breadcrumb, "Model"));
  spin (100);
  click_at (block_on_screen (window, "Reference"));
  wait_for (weir_canvas_get_selected_block (window->canvas)
            == weir_block_get_id (find_block (window, "Reference")));
  key ("Delete");
  wait_for (weir_outline_panel_get_n_rows (WEIR_OUTLINE_PANEL (window->outline)) == n - 1);
  g_assert_null (find_label (window->outline, "Reference"));
  key ("<Control>z");
  wait_for (weir_outline_panel_get_n_rows (WEIR_OUTLINE_PANEL (window->outline)) == n);
  g_assert_nonnull (find_label (window->outline, "Velocity")); /* still open */
  window_close (window);
}

static void
test_dark (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirWindow *window;

  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_FORCE_DARK);
  g_assert_true (adw_style_manager_get_dark (style));
  window = window_open_example ("nested.weir");
  click_canvas (window);
  key ("F5");
  wait_for (run_is_over (window));
  picture ("40-dark");
  key ("<Control><Shift>k");
  wait_for (g_strcmp0 (shown_page (window), "cache") == 0);
  picture ("41-dark-cache");
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  g_assert_false (adw_style_manager_get_dark (style));
  picture ("42-light-cache");
  window_close (window);
}

/* The shortcuts window is made from the same table as the accelerators. */
static void
test_shortcuts (void)
{
  WeirWindow *window = window_open ();
  const WeirShortcut *shortcuts;
  GLogLevelFlags fatal;
  GtkWidget *overlay;
  guint n;

  shortcuts = weir_shortcuts_get (&n);
  for (guint i = 0; i < n; i++)
    if (shortcuts[i].action != NULL && shortcuts[i].keys != NULL)
      {
        g_auto (GStrv) expected = g_strsplit (shortcuts[i].keys, " ", -1);
        g_auto (GStrv) set
            = gtk_application_get_accels_for_action (application, shortcuts[i].action);

        g_assert_cmpuint (g_strv_length (set), ==, g_strv_length (expected));
        if (g_str_has_prefix (shortcuts[i].action, "win."))
          g_assert_true (g_action_group_has_action (weir_window_get_actions (window), shortcuts[i].action + 4));
      }
  /* GTK 4.8 warns of the width of its own page buttons. */
  fatal = g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  key ("<Control>question");
  wait_for ((overlay = find_toplevel (GTK_TYPE_SHORTCUTS_WINDOW)) != NULL);
  picture ("43-shortcuts");
  gtk_window_destroy (GTK_WINDOW (overlay));
  g_log_set_always_fatal (fatal);
  gtk_window_present (GTK_WINDOW (toplevel_of (window)));
  focus_window (GTK_WINDOW (toplevel_of (window)));
  key ("F10");
  picture ("44-menu");
  key ("Escape");
  window_close (window);
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
  WeirWindow *window = window_open_example ("pendulum.weir");

  click_canvas (window);
  key ("F5");
  wait_for (run_is_over (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      weir_window_show_page (window, pages[i]);
      spin (200);
      g_assert_null (find_widget (toplevel_of (window), is_mute, NULL));
      g_assert_null (find_widget (toplevel_of (window), is_unnamed_entry, NULL));
    }
  window_close (window);
}

/* A small screen: everything can still be reached, nothing asks for more room than there is. */
static void
test_small (void)
{
  WeirWindow *window = window_open_example ("pendulum.weir");
  int minimum_width, minimum_height;

  gtk_widget_measure (toplevel_of (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum_width, NULL,
                      NULL, NULL);
  gtk_widget_measure (toplevel_of (window), GTK_ORIENTATION_VERTICAL, -1, &minimum_height, NULL, NULL,
                      NULL);
  g_test_message ("minimum %d x %d", minimum_width, minimum_height);
  g_assert_cmpint (minimum_width, <=, 800);
  g_assert_cmpint (minimum_height, <=, 600);
  gtk_window_set_default_size (GTK_WINDOW (toplevel_of (window)), 800, 600);
  click_canvas (window);
  key ("F5");
  wait_for (run_is_over (window));
  picture ("45-small");
  window_close (window);
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
