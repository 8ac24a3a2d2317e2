/* The window in other languages and writing directions: translated, nothing cut off that is tested
 * for, and signal flow in diagrams from left to right whatever the direction of the text. */
#include <libintl.h>

#include "driver.h"

#include "base/text.h"
#include "lab/lab-panel.h"
#include "lessons/lesson.h"

extern int _nl_msg_cat_cntr; /* of the C library, as gettext's manual has it */

/* Look-ups are remembered until this counter moves. */
static void
speak (const char *language)
{
  g_setenv ("LANGUAGE", language, TRUE);
  _nl_msg_cat_cntr++;
}

/* From here on the catalogues of this build are used. */
static void
load_catalogues (void)
{
  g_autofree char *catalogues = g_test_build_filename (G_TEST_BUILT, "..", "po", NULL);

  bindtextdomain ("weir", catalogues);
  bind_textdomain_codeset ("weir", "UTF-8");
  textdomain ("weir");
}

static void
test_german (void)
{
  WeirEditor *editor;

  load_catalogues ();
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

static gboolean
contains (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

/* What the engine found is told in the language of the window; names of values stay. */
static void
test_findings (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "forgotten.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirEditor *editor;

  load_catalogues ();
  speak ("de");
  editor = editor_open ();
  g_assert_true (weir_editor_open (editor, file));
  weir_editor_show_page (editor, "lab");
  click (weir_lab_panel_get_button (WEIR_LAB_PANEL (editor->lab), WEIR_LAB_AUDIT));
  wait_for (find_widget (editor->lab, contains, "Ausgang y liest Eingang in2, ohne es anzugeben")
            != NULL);
  g_assert_nonnull (
      find_widget (editor->lab, contains, "Eingang in2 als Voraussetzung angeben für: Ausgang y"));
  g_assert_nonnull (find_widget (editor->lab, contains, "1 Fehler; 3 Einträge, "));
  g_assert_nonnull (
      find_widget (editor->lab, contains, "WEIR_DEPENDS (weir_input_ticket (b, in1)"));
  click (weir_lab_panel_get_button (WEIR_LAB_PANEL (editor->lab), WEIR_LAB_VERIFY));
  wait_for (weir_runner_get_verify_result (editor->runner) != NULL);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (editor->verify_button),
                            "Total:y gibt nicht alles an, was es liest"));
  spin (100);
  picture ("63-german-lab");
  editor_close (editor);
  speak ("");
}

static void
assert_translated (const char *text)
{
  g_assert_cmpstr (weir_translate (text), !=, text);
}

/* Every text of every lesson is found in the catalogues just as it is read from its file. */
static void
test_lessons (void)
{
  static const char *const languages[] = { "de", "fr" };
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", NULL);
  g_autofree char *first = g_build_filename (folder, "01-push-and-pull.lesson", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (first);
  WeirEditor *editor;
  guint n = 0;

  load_catalogues ();
  for (guint i = 0; i < G_N_ELEMENTS (languages); i++)
    {
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

      speak (languages[i]);
      for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
        {
          g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
          g_autoptr (GFile) other = g_file_new_build_filename (folder, name, NULL);
          g_autoptr (WeirLesson) lesson = g_str_has_suffix (name, ".lesson")
                                              ? weir_lesson_read_file (other, diagnostics)
                                              : NULL;

          if (lesson == NULL)
            continue;
          assert_translated (lesson->title);
          for (guint k = 0; k < lesson->steps->len; k++)
            {
              const WeirLessonStep *step = lesson->steps->pdata[k];

              assert_translated (step->title);
              assert_translated (step->text);
            }
          n++;
        }
    }
  g_assert_cmpuint (n, >=, 20);

  speak ("de");
  editor = editor_open ();
  weir_editor_open_lesson (editor, file);
  wait_for (find_label (editor->lesson_panel,
                        "Eine Änderung schiebt, eine Anfrage zieht: Nichts ist berechnet")
            != NULL);
  picture ("64-german-lesson");
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
  g_test_add_func ("/window/languages/findings", test_findings);
  g_test_add_func ("/window/languages/lessons", test_lessons);
  g_test_add_func ("/window/languages/right-to-left", test_right_to_left);
  return driver_main ();
}
