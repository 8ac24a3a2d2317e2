/* The pictures of the README, light and dark: the states they show are reached by real events each
 * time the tests run; data/screenshots/renew writes them.
 */
#include "driver.h"

static void
take (WeirEditor *editor, const char *name, gboolean dark)
{
  g_autofree char *full = g_strconcat ("readme-", name, dark ? "-dark" : "", NULL);

  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (editor->title),
                                 "~/Models"); /* wherever it lies */
  point_at ((WeirPoint) { 1390, 990 });       /* no tooltip in the picture */
  picture (full);
}

static gboolean
is_verified (WeirEditor *editor)
{
  return !weir_runner_is_verifying (editor->runner)
         && !g_str_equal (verify_text_of (editor), "Verify");
}

static guint
count_problems (WeirEditor *editor)
{
  return weir_problem_list_get_n_rows (
      WEIR_PROBLEM_LIST (part_of (editor, WEIR_TYPE_PROBLEM_LIST)));
}

static void
test_pictures (gconstpointer data)
{
  gboolean dark = GPOINTER_TO_INT (data);
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirEditor *editor;

  adw_style_manager_set_color_scheme (style, dark ? ADW_COLOR_SCHEME_FORCE_DARK
                                                  : ADW_COLOR_SCHEME_FORCE_LIGHT);
  editor = window_open_example ("pendulum.weir");
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Pendulum")));
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  key ("F5");
  wait_for (run_is_over (editor));
  take (editor, "window", dark);

  key ("<Control><Shift>e");
  wait_for (is_verified (editor));
  key ("<Control><Shift>k");
  wait_for (g_str_equal (shown_page (editor), "cache"));
  spin (4500); /* the toast has gone */
  take (editor, "cache", dark);

  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Total")));
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  key ("Delete");
  weir_host_show_page (WEIR_HOST (editor), "problems");
  wait_for (count_problems (editor) > 0);
  take (editor, "problems", dark);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/window/pictures/light", GINT_TO_POINTER (FALSE), test_pictures);
  g_test_add_data_func ("/window/pictures/dark", GINT_TO_POINTER (TRUE), test_pictures);
  return driver_main ();
}
