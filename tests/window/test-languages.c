/* The window in other languages and writing directions: translated, nothing cut off that is tested for,
 * and signal flow in diagrams from left to right whatever the direction of the text. */
#include <libintl.h>

#include "driver.h"

extern int _nl_msg_cat_cntr; /* of the C library, as gettext's manual has it */

/* Look-ups are remembered until this counter moves. */
static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  _nl_msg_cat_cntr++;
}

static void
test_german (void)
{
  g_autofree char *catalogues = g_test_build_filename (G_TEST_BUILT, "..", "po", NULL);
  WeirWindow *window;

  bindtextdomain ("weir", catalogues);
  bind_textdomain_codeset ("weir", "UTF-8");
  speak ("de");
  window = window_open_example ("pendulum.weir");
  g_assert_nonnull (find_label (toplevel_of (window), "Verifizieren"));
  g_assert_nonnull (find_label (toplevel_of (window), "Gliederung"));
  picture ("60-german");
  weir_window_show_welcome (window);
  spin (100);
  g_assert_nonnull (find_label (toplevel_of (window), "Willkommen bei Weir"));
  window_close (window);

  speak ("fr");
  window = window_open_example ("pendulum.weir");
  g_assert_nonnull (find_label (toplevel_of (window), "Bibliothèque"));
  picture ("61-french");
  window_close (window);
  speak ("");
}

/* The chrome is mirrored; the diagram is not. */
static void
test_right_to_left (void)
{
  WeirWindow *window;
  double library, inspector;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  window = window_open_example ("pendulum.weir");
  spin (200);
  library = middle_of (window->left).x;
  inspector = middle_of (window->right).x;
  g_assert_cmpfloat (library, >, inspector);
  g_assert_cmpfloat (block_on_screen (window, "Pendulum").x, <, block_on_screen (window, "Energy").x);
  picture ("62-right-to-left");
  window_close (window);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/window/languages/german-and-french", test_german);
  g_test_add_func ("/window/languages/right-to-left", test_right_to_left);
  return driver_main ();
}
