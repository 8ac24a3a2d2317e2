/* The pictures of the README, light and dark: the states they show are reached by real events each time the
 * tests run; data/screenshots/renew writes them.
 */
#include "driver.h"

static void
take (WeirWindow *window, const char *name, gboolean dark)
{
  g_autofree char *full = g_strconcat ("readme-", name, dark ? "-dark" : "", NULL);

  adw_window_title_set_subtitle (ADW_WINDOW_TITLE (window->title), "~/Models"); /* wherever it lies */
  point_at ((WeirPoint) { 1390, 990 }); /* no tooltip in the picture */
  picture (full);
}

static gboolean
is_verified (WeirWindow *window)
{
  return !weir_runner_is_verifying (window->runner) && window->verify_result != NULL;
}

static guint
count_problems (WeirWindow *window)
{
  return weir_problem_list_get_n_rows (WEIR_PROBLEM_LIST (window->problems));
}

static void
test_pictures (gconstpointer data)
{
  gboolean dark = GPOINTER_TO_INT (data);
  AdwStyleManager *style = adw_style_manager_get_default ();
  WeirWindow *window;

  adw_style_manager_set_color_scheme (style, dark ? ADW_COLOR_SCHEME_FORCE_DARK : ADW_COLOR_SCHEME_FORCE_LIGHT);
  window = window_open_example ("pendulum.weir");
  weir_canvas_select_block (window->canvas, weir_block_get_id (find_block (window, "Pendulum")));
  gtk_widget_grab_focus (GTK_WIDGET (window->canvas));
  key ("F5");
  wait_for (run_is_over (window));
  take (window, "window", dark);

  key ("<Control><Shift>e");
  wait_for (is_verified (window));
  key ("<Control><Shift>k");
  wait_for (g_str_equal (shown_page (window), "cache"));
  spin (4500); /* the toast has gone */
  take (window, "cache", dark);

  weir_canvas_select_block (window->canvas, weir_block_get_id (find_block (window, "Total")));
  gtk_widget_grab_focus (GTK_WIDGET (window->canvas));
  key ("Delete");
  weir_window_show_page (window, "problems");
  wait_for (count_problems (window) > 0);
  take (window, "problems", dark);
  adw_style_manager_set_color_scheme (style, ADW_COLOR_SCHEME_DEFAULT);
  window_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/window/pictures/light", GINT_TO_POINTER (FALSE), test_pictures);
  g_test_add_data_func ("/window/pictures/dark", GINT_TO_POINTER (TRUE), test_pictures);
  return driver_main ();
}
