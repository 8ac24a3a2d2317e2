/* The window in other languages and writing directions: translated, nothing cut off that is tested
 * for, and signal flow in diagrams from left to right whatever the direction of the text. */
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
  WeirEditor *editor;

  bindtextdomain ("weir", catalogues);
  bind_textdomain_codeset ("weir", "UTF-8");
  speak ("de");
  editor = window_open_example ("pendulum.weir");
  g_assert_nonnull (find_label (toplevel_of (editor), "Verifizieren"));
  g_assert_nonnull (find_label (toplevel_of (editor), "Gliederung"));
  picture ("60-german");
  weir_editor_show_welcome (editor);
  spin (100);
  g_assert_nonnull (find_label (toplevel_of (editor), "Willkommen bei Weir"));
  editor_close (editor);

  speak ("fr");
  editor = window_open_example ("pendulum.weir");
  g_assert_nonnull (find_label (toplevel_of (editor), "Bibliothèque"));
  picture ("61-french");
  editor_close (editor);
  speak ("");
}

/* The chrome is mirrored; the diagram is not. */
static void
test_right_to_left (void)
{
  WeirEditor *editor;
  double library, inspector;

  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  editor = window_open_example ("pendulum.weir");
  spin (200);
  library = middle_of (editor->left).x;
  inspector = middle_of (editor->right).x;
  g_assert_cmpfloat (library, >, inspector);
  g_assert_cmpfloat (block_on_screen (editor, "Pendulum").x, <,
                     block_on_screen (editor, "Energy").x);
  picture ("62-right-to-left");
  editor_close (editor);
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
