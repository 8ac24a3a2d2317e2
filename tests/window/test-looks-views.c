/* The views of the cache with large text, in other languages, in the dark, from right to left:
 * whatever they say can be read. Pictures are of high contrast where the whole program is
 * (ADW_DEBUG_HIGH_CONTRAST=1).
 */
#include "looks.h"

#include "gui/pages/lesson-page.h"
#include "gui/parts/lab-tests.h"
#include "gui/parts/lesson-guide.h"

#include "cache/runs-panel.h"
#include "cache/slow-bar.h"
#include "lab/lab-panel.h"
#include "lab/timeline-panel.h"
#include "panels/lesson-panel.h"
#include "scopes/plot-card.h"
#include "scopes/plot-window.h"

static const char *look; /* the name of what is looked at, for pictures */

static void
read_window (WeirEditor *editor, const char *what)
{
  g_autofree char *where = g_strdup_printf ("v-%s-%s", look, what);

  spin (200);
  picture (where);
  assert_readable (GTK_WIDGET (toplevel_of (editor)), where);
}

/* How narrow the window may be made: no more than a screen of 1024 x 768 has. */
static void
assert_fits_screen (WeirEditor *editor, const char *what)
{
  int width, height;

  gtk_widget_measure (GTK_WIDGET (toplevel_of (editor)), GTK_ORIENTATION_HORIZONTAL, -1, &width,
                      NULL, NULL, NULL);
  gtk_widget_measure (GTK_WIDGET (toplevel_of (editor)), GTK_ORIENTATION_VERTICAL, -1, &height,
                      NULL, NULL, NULL);
  if (width <= 1024 && height <= 768)
    return;
  g_test_message ("%s, %s: %d x %d is more than a screen of 1024 x 768 has", look, what, width,
                  height);
  g_test_fail ();
}

static void
run_to_end (WeirEditor *editor, guint n)
{
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor)
            && weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL)))
                   == n);
}

static void
activate (WeirEditor *editor, const char *action)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (editor->actions), action));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), action, NULL);
}

/* Breakpoints, a log in the timeline and in slow motion, runs, and the lab. */
static void
look_at_pages (void)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");

  set_setting (editor, "stop-time", "1");
  click_at (block_on_screen (editor, "Pendulum"));
  key ("b");
  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  click_canvas (editor);
  key ("F5");
  wait_for (gtk_widget_get_mapped (editor->bar)
            && weir_session_get_snapshot (session_of (editor))->is_at_break);
  weir_host_show_page (WEIR_HOST (editor), "breakpoints");
  read_window (editor, "breakpoints");
  assert_fits_screen (editor, "breakpoints");
  key ("<Shift>F5");
  wait_for (!weir_runner_is_active (editor->runner));
  weir_document_undo (editor->document);

  weir_host_show_page (WEIR_HOST (editor), "timeline");
  read_window (editor, "timeline-empty");
  assert_fits_screen (editor, "timeline-empty");
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "log",
                                      g_variant_new_boolean (TRUE));
  run_to_end (editor,
              weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL))) + 1);
  wait_for (weir_timeline_panel_get_playback (
                WEIR_TIMELINE_PANEL (part_of (editor, WEIR_TYPE_TIMELINE_PANEL)))
            != NULL);
  for (guint i = 0; i < 12; i++)
    activate (editor, "timeline-next");
  read_window (editor, "timeline");
  assert_fits_screen (editor, "timeline");
  activate (editor, "timeline-slow");
  wait_for (weir_slow_bar_get_motion (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)))
            != NULL);
  weir_slow_bar_go (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)), 3);
  read_window (editor, "slow");
  assert_fits_screen (editor, "slow");
  g_action_group_change_action_state (G_ACTION_GROUP (editor->actions), "slow-motion",
                                      g_variant_new_boolean (FALSE));
  activate (editor, "timeline-close");

  weir_runner_set_caching (editor->runner, FALSE);
  set_setting (editor, "solver", "rk4");
  run_to_end (editor,
              weir_runs_panel_get_n (WEIR_RUNS_PANEL (part_of (editor, WEIR_TYPE_RUNS_PANEL))) + 1);
  weir_host_show_page (WEIR_HOST (editor), "runs");
  read_window (editor, "runs");
  assert_fits_screen (editor, "runs");

  weir_host_show_page (WEIR_HOST (editor), "cache");
  read_window (editor, "cache");
  assert_fits_screen (editor, "cache");
  weir_host_show_page (WEIR_HOST (editor), "lab");
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    gtk_widget_activate (
        weir_lab_panel_get_button (WEIR_LAB_PANEL (part_of (editor, WEIR_TYPE_LAB_PANEL)), i));
  wait_for (weir_runner_get_verify_result (editor->runner) != NULL);
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    wait_for (!weir_lab_tests_is_going_on (part_of (editor, WEIR_TYPE_LAB_TESTS), (WeirLabTest) i));
  read_window (editor, "lab");
  assert_fits_screen (editor, "lab");
  editor->may_close = TRUE;
  editor_close (editor);
}

static WeirEditor *
open_lesson (const char *name, gboolean to_edit)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  if (to_edit)
    weir_lesson_page_edit (part_of (editor, WEIR_TYPE_LESSON_PAGE), file);
  else
    weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  return editor;
}

/* A lesson, presented and not; a question; the editor of lessons. */
static void
look_at_lessons (void)
{
  WeirEditor *editor = open_lesson ("01-push-and-pull.lesson", FALSE);

  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  for (guint i = 0; i < 2; i++)
    {
      wait_for (
          g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-next"));
      activate (editor, "lesson-next");
      spin (100);
    }
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-check"));
  activate (editor, "lesson-check");
  wait_for (g_action_group_get_action_enabled (weir_editor_get_actions (editor), "lesson-watch"));
  read_window (editor, "lesson");
  activate (editor, "lesson-watch");
  wait_for (weir_slow_bar_get_motion (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)))
            != NULL);
  weir_slow_bar_go (WEIR_SLOW_BAR (part_of (editor, WEIR_TYPE_SLOW_BAR)), 1); /* which pauses */
  key ("<Shift>F11");
  wait_for (!gtk_widget_get_mapped (editor->left));
  spin (400);
  key ("Page_Down");
  read_window (editor, "presenter");
  key ("Escape");
  wait_for (gtk_widget_get_mapped (editor->left));
  editor_close (editor);

  editor = window_open_example ("dc-motor.weir");
  activate (editor, "quiz");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  activate (editor, "lesson-check");
  read_window (editor, "quiz");
  editor_close (editor);

  editor = open_lesson ("02-diamond.lesson", TRUE);
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  read_window (editor, "lesson-editor");
  editor_close (editor);
}

/* A plot in a window of its own, over time, with its figures: no wider than the screen. */
static void
look_at_plot_window (WeirEditor *editor)
{
  GtkWidget *card = find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_CARD);
  g_autofree char *where = g_strdup_printf ("v-%s-plot-window", look);
  GtkWidget *window;
  int width, height;

  gtk_widget_activate_action (card, "plot.spectrum", NULL);
  gtk_widget_activate_action (card, "plot.apart", NULL);
  wait_for ((window = find_toplevel (WEIR_TYPE_PLOT_WINDOW)) != NULL);
  gtk_widget_activate_action (window, "plot.figures", NULL);
  wait_for (weir_figures_panel_is_settled (
      WEIR_FIGURES_PANEL (find_of_type (window, WEIR_TYPE_FIGURES_PANEL))));
  focus_window (GTK_WINDOW (window));
  picture (where);
  assert_readable (window, where);
  gtk_widget_measure (window, GTK_ORIENTATION_HORIZONTAL, -1, &width, NULL, NULL, NULL);
  gtk_widget_measure (window, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_assert_cmpint (width, <=, 1024);
  g_assert_cmpint (height, <=, 768);
  focus_window (GTK_WINDOW (toplevel_of (editor)));
  read_window (editor, "plots-apart");
}

/* Cursors in the plots, and figures beside them. */
static void
look_at_figures (void)
{
  static const char *const groups[] = { "cursors", "step", "period" };
  WeirEditor *editor = window_open_example ("pendulum.weir");

  run_to_end (editor, 1);
  weir_host_show_page (WEIR_HOST (editor), "plots");
  activate (editor, "measure");
  activate (editor, "figures");
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      GtkWidget *figures = find_of_type (part_of (editor, WEIR_TYPE_SCOPES),
                                         WEIR_TYPE_FIGURES_PANEL);

      weir_figures_panel_set_group (WEIR_FIGURES_PANEL (figures), groups[i]);
      wait_for (weir_figures_panel_is_settled (WEIR_FIGURES_PANEL (figures)));
      read_window (editor, groups[i]);
    }
  activate (editor, "figures");
  gtk_widget_activate_action (
      find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_PLOT_VIEW), "plot.spectrum",
      NULL);
  wait_for (weir_spectrum_view_is_settled (WEIR_SPECTRUM_VIEW (
      find_of_type (part_of (editor, WEIR_TYPE_SCOPES), WEIR_TYPE_SPECTRUM_VIEW))));
  read_window (editor, "spectrum");
  look_at_plot_window (editor);
  editor_close (editor);
}

static gboolean
is_drop_down (GtkWidget *widget, G_GNUC_UNUSED gconstpointer data)
{
  return GTK_IS_DROP_DOWN (widget);
}

/* Margins beside Bode: no wider than the screen. */
static void
look_at_analysis (void)
{
  WeirEditor *editor = window_open_example ("position-loop.weir");
  GtkWidget *page = part_of (editor, g_type_from_name ("WeirAnalysisPage"));

  weir_host_show_page (WEIR_HOST (editor), "analysis");
  wait_for (find_label (page, dgettext ("weir", "Margins")) != NULL);
  read_window (editor, "analysis");
  /* The widest of what can be looked at. */
  gtk_drop_down_set_selected (GTK_DROP_DOWN (find_widget (page, is_drop_down, NULL)), 2);
  read_window (editor, "analysis-sensitivity");
  /* A tuning to look at, with its targets, and what a controller of states is asked for. */
  click_at (block_on_screen (editor, "Controller"));
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "tune",
                                  g_variant_new_string ("margin-pid"));
  wait_for (
      find_label (page, dgettext ("weir", "_Apply Tuning")) != NULL
      || find_widget (page, has_tooltip, dgettext ("weir", "Crossover that is asked for (rad/s)"))
             != NULL);
  read_window (editor, "analysis-tuning");
  g_action_group_activate_action (G_ACTION_GROUP (editor->actions), "design",
                                  g_variant_new_string ("lqr"));
  wait_for (find_widget (page, has_tooltip, dgettext ("weir", "Weights of the states")) != NULL);
  read_window (editor, "analysis-design");
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (toplevel_of (editor))), <=, 1400);
  editor_close (editor);
}

/* A study with what it found: entries, a table and a chart beside each other. */
static void
look_at_study (void)
{
  WeirEditor *editor = window_open_example ("mass-spring-damper.weir");
  GtkWidget *page = part_of (editor, g_type_from_name ("WeirStudiesPage"));
  GtkWidget *add, *results, *picture;
  GtkDropDown *views;

  weir_host_show_page (WEIR_HOST (editor), "studies");
  wait_for (gtk_widget_get_mapped (page));
  read_window (editor, "study-empty");
  add = GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "add"));
  results = GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "results"));
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Spring")));
  gtk_menu_button_popup (GTK_MENU_BUTTON (add));
  wait_for (find_label (add, "Spring.gain") != NULL);
  gtk_widget_activate (
      gtk_widget_get_ancestor (find_label (add, "Spring.gain"), GTK_TYPE_LIST_BOX_ROW));
  gtk_widget_activate (
      GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "run")));
  wait_for (gtk_widget_get_mapped (results));
  read_window (editor, "study");
  picture = GTK_WIDGET (gtk_widget_get_template_child (page, G_OBJECT_TYPE (page), "picture"));
  views = GTK_DROP_DOWN (find_named (picture, "views"));
  for (guint i = 0; i < g_list_model_get_n_items (gtk_drop_down_get_model (views)); i += 3)
    {
      g_autofree char *name = g_strdup_printf ("study-view-%u", i);

      gtk_drop_down_set_selected (views, i);
      read_window (editor, name);
    }
  assert_fits_screen (editor, "study");
  editor_close (editor);
}

/* A circuit: a part in the inspector, values on its lines, what is told where it has no ground. */
static void
look_at_circuit (void)
{
  WeirEditor *editor = window_open_example ("half-wave-rectifier.weir");

  click_at (block_on_screen (editor, "R1"));
  read_window (editor, "circuit");
  run_to_end (editor, 1);
  click_canvas (editor);
  key ("v");
  wait_for (weir_canvas_get_values (editor->canvas) != NULL
            && g_hash_table_size (weir_canvas_get_values (editor->canvas)) > 0);
  read_window (editor, "circuit-values");
  assert_fits_screen (editor, "circuit-values");
  click_at (block_on_screen (editor, "G"));
  key ("Delete");
  wait_for (weir_diagram_find_block_by_name (root_diagram (editor), "G") == NULL);
  weir_host_show_page (WEIR_HOST (editor), "problems");
  read_window (editor, "circuit-problems");
  assert_fits_screen (editor, "circuit-problems");
  editor->may_close = TRUE;
  editor_close (editor);
}

static void
look_at_views (const char *name)
{
  look = name;
  look_at_circuit ();
  look_at_pages ();
  look_at_figures ();
  look_at_analysis ();
  look_at_study ();
  look_at_lessons ();
}

static void
test_large_text (gconstpointer language)
{
  g_autofree char *name = g_strdup_printf ("200-%s", (const char *) language);

  speak (language);
  set_text_scale (2);
  look_at_views (name);
  set_text_scale (1);
  speak ("");
}

static void
test_dark (void)
{
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                      ADW_COLOR_SCHEME_FORCE_DARK);
  look_at_views ("dark");
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), ADW_COLOR_SCHEME_DEFAULT);
}

static void
test_right_to_left (void)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  look_at_views ("rtl");
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/window/looks-views/large-text/en", "", test_large_text);
  g_test_add_data_func ("/window/looks-views/large-text/de", "de", test_large_text);
  g_test_add_data_func ("/window/looks-views/large-text/fr", "fr", test_large_text);
  g_test_add_func ("/window/looks-views/dark", test_dark);
  g_test_add_func ("/window/looks-views/right-to-left", test_right_to_left);
  return driver_main ();
}
