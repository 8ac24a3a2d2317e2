/* The window in other languages and writing directions: translated, nothing cut off that is tested
 * for, and signal flow in diagrams from left to right whatever the direction of the text. */
#include <libintl.h>

#include "driver.h"

#include "gui/parts/lesson-guide.h"
#include "base/text.h"
#include "blocks/library/registry.h"
#include "lab/lab-panel.h"
#include "lessons/lesson.h"
#include "panels/outline-panel.h"

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
  look_at_cache (editor);
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
  weir_host_show_page (WEIR_HOST (editor), "lab");
  click (weir_lab_panel_get_button (WEIR_LAB_PANEL (part_of (editor, WEIR_TYPE_LAB_PANEL)),
                                    WEIR_LAB_AUDIT));
  wait_for (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                         "Ausgang y liest Eingang in2, ohne es anzugeben")
            != NULL);
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                                 "Eingang in2 als Voraussetzung angeben für: Ausgang y"));
  g_assert_nonnull (
      find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains, "1 Fehler; 3 Einträge, "));
  g_assert_nonnull (find_widget (part_of (editor, WEIR_TYPE_LAB_PANEL), contains,
                                 "WEIR_DEPENDS (weir_input_ticket (b, in1)"));
  click (weir_lab_panel_get_button (WEIR_LAB_PANEL (part_of (editor, WEIR_TYPE_LAB_PANEL)),
                                    WEIR_LAB_VERIFY));
  wait_for (weir_runner_get_verify_result (editor->runner) != NULL);
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (verify_button_of (editor)),
                            "Total:y gibt nicht alles an, was es liest"));
  spin (100);
  picture ("63-german-lab");
  editor_close (editor);
  speak ("");
}

/* Why a run failed is told so too. */
static void
test_failure (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "runaway.weir", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirEditor *editor;

  load_catalogues ();
  speak ("de");
  editor = editor_open ();
  g_assert_true (weir_editor_open (editor, file));
  click_canvas (editor);
  key ("F5");
  wait_for (weir_runner_get_session (editor->runner) != NULL
            && weir_session_get_state (session_of (editor)) == WEIR_SESSION_FAILED);
  wait_for (gtk_widget_get_mapped (editor->bar_button));
  g_assert_nonnull (
      strstr (gtk_label_get_text (GTK_LABEL (editor->bar_text)), "für die Toleranz zu klein"));
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
  weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  wait_for (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL),
                        "Eine Änderung schiebt, eine Anfrage zieht: Nichts ist berechnet")
            != NULL);
  picture ("64-german-lesson");
  editor_close (editor);
  speak ("");
}

/* gettext gives back the very text that it does not find; "Diode" is the same in each language.
 * Symbols, "P" or "k₁", stay. */
static gboolean
is_known (const char *text)
{
  if (weir_translate (text) != text || g_utf8_strlen (text, -1) <= 2)
    return TRUE;
  g_test_message ("not in the catalogue: %s", text);
  return FALSE;
}

/* Every text of every block type, parts of networks among them, is found just as it is shown. */
static void
test_blocks (gconstpointer language)
{
  gboolean are_known = TRUE;

  load_catalogues ();
  speak (language);
  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const WeirBlockType *type = weir_registry_get_type (i);

      are_known = is_known (type->title) && are_known;
      are_known = is_known (type->category) && are_known;
      are_known = is_known (type->summary) && are_known;
      for (guint k = 0; k < type->n_parameters; k++)
        {
          are_known = is_known (type->parameters[k].label) && are_known;
          if (type->parameters[k].help != NULL)
            are_known = is_known (type->parameters[k].help) && are_known;
        }
    }
  g_assert_true (are_known);
  speak ("");
}

/* --- What is left in English ----------------------------------------------------------------- */

/* No word of German or French. */
static gboolean
has_english (const char *text)
{
  static GRegex *words;

  if (words == NULL)
    words = g_regex_new ("\\b(the|of|and|is|are|not|with|this|that|from|nothing|when|by|it)\\b",
                         G_REGEX_CASELESS | G_REGEX_OPTIMIZE, 0, NULL);
  return g_regex_match (words, text, 0, NULL);
}

/* On the diagram and in the list of problems the user's words stand, and the engine's. */
static gboolean
is_own (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, WEIR_TYPE_PROBLEM_LIST) != NULL
         || gtk_widget_get_ancestor (widget, WEIR_TYPE_OUTLINE_PANEL) != NULL
         || (gtk_widget_get_ancestor (widget, WEIR_TYPE_CANVAS) != NULL
             && gtk_widget_get_ancestor (widget, GTK_TYPE_POPOVER) == NULL);
}

/* What files hold: their names, words of the language of equations, values as they are by default,
 * who made the program. */
static gboolean
is_literal (const char *text)
{
  static const char *const words[] = { "and", "not" };
  static const char *const parts[] = { ".weir",
                                       ".lesson",
                                       "The Weir developers",
                                       "; not ",
                                       "u > 0 and u < 10",
                                       "The condition does not hold",
                                       "differences of relations",
                                       "These outputs depend",
                                       "the run ends here",
                                       " and par",
                                       "i = Is (exp",
                                       ": and." };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_equal (text, words[i]))
      return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strstr (text, parts[i]) != NULL)
      return TRUE;
  return FALSE;
}

static void
look_at_text (GtkWidget *widget, const char *text, const char *where, GHashTable *found)
{
  if (text == NULL || !has_english (text) || is_own (widget) || is_literal (text))
    return;
  if (g_hash_table_add (found, g_strdup (text)))
    g_test_message ("%s: %s", where, text);
}

static void
look_at (GtkWidget *widget, const char *where, GHashTable *found)
{
  look_at_text (widget, gtk_widget_get_tooltip_text (widget), where, found);
  if (GTK_IS_LABEL (widget))
    look_at_text (widget, gtk_label_get_text (GTK_LABEL (widget)), where, found);
  if (GTK_IS_ENTRY (widget))
    look_at_text (widget, gtk_entry_get_placeholder_text (GTK_ENTRY (widget)), where, found);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    look_at (child, where, found);
}

static void
look_at_all (const char *where, GHashTable *found)
{
  g_autoptr (GList) toplevels = gtk_window_list_toplevels ();

  spin (50);
  for (GList *l = toplevels; l != NULL; l = l->next)
    if (gtk_widget_get_mapped (l->data))
      look_at (l->data, where, found);
}

static void
activate (WeirEditor *editor, const char *action)
{
  g_action_group_activate_action (weir_editor_get_actions (editor), action, NULL);
}

static void
look_at_pages (WeirEditor *editor, const char *when, GHashTable *found)
{
  static const char *const pages[] = { "plots",       "cache",    "dependencies", "lab",
                                       "breakpoints", "timeline", "runs",         "problems" };

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      g_autofree char *where = g_strdup_printf ("%s, %s", pages[i], when);

      weir_host_show_page (WEIR_HOST (editor), pages[i]);
      look_at_all (where, found);
    }
}

/* A dialog that an action opens, or its window. */
static void
look_at_dialog (WeirEditor *editor, const char *action, GType type, GHashTable *found)
{
  GtkWidget *dialog;

  activate (editor, action);
  wait_for ((dialog = find_toplevel (type)) != NULL);
  look_at (dialog, action, found);
  gtk_window_destroy (GTK_WINDOW (dialog));
  spin (50);
}

/* Every block type in the inspector. */
static void
look_at_blocks (GHashTable *found)
{
  WeirEditor *editor = editor_open ();

  for (guint i = 0; i < weir_registry_get_n_types (); i++)
    {
      const char *type = weir_registry_get_type (i)->name;

      weir_canvas_add_block (editor->canvas, type);
      spin (5);
      look_at (part_of (editor, WEIR_TYPE_INSPECTOR), type, found);
      weir_document_undo (editor->document);
    }
  editor_close (editor);
}

static void
look_at_lessons (GHashTable *found)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autoptr (GFile) file = g_file_new_build_filename (folder, name, NULL);
      WeirEditor *editor;

      if (!g_str_has_suffix (name, ".lesson"))
        continue;
      editor = editor_open ();
      weir_lesson_guide_open (WEIR_HOST (editor), file);
      wait_for_opening (editor);
      for (guint i = 0; i < 6; i++)
        {
          look_at_all (name, found);
          activate (editor, "lesson-check");
          look_at_all (name, found);
          activate (editor, "lesson-next");
          spin (100);
        }
      editor_close (editor);
    }
}

static void
look_at_editor (GHashTable *found)
{
  WeirEditor *editor = window_open_example ("pendulum.weir");
  GtkWidget *shortcuts;

  look_at_all ("at first", found);
  look_at_pages (editor, "before a run", found);
  activate (editor, "log");
  click_canvas (editor);
  key ("F5");
  wait_for (run_is_over (editor));
  look_at_pages (editor, "after a run", found);
  weir_host_show_page (WEIR_HOST (editor), "timeline");
  key ("period");
  look_at_all ("a moment", found);
  weir_host_show_page (WEIR_HOST (editor), "lab");
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    {
      click (weir_lab_panel_get_button (WEIR_LAB_PANEL (part_of (editor, WEIR_TYPE_LAB_PANEL)), i));
      spin (1500);
    }
  look_at_all ("lab", found);
  weir_canvas_select_block (editor->canvas, weir_block_get_id (find_block (editor, "Pendulum")));
  look_at_all ("a block", found);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.why", NULL);
  look_at_all ("why", found);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.graph", NULL);
  look_at_all ("graph", found);
  gtk_widget_activate_action (GTK_WIDGET (editor->canvas), "canvas.break-computed", NULL);
  look_at_pages (editor, "with a breakpoint", found);
  g_action_group_change_action_state (weir_editor_get_actions (editor), "slow-motion",
                                      g_variant_new_boolean (TRUE));
  spin (800);
  for (guint i = 0; i < 6; i++)
    {
      activate (editor, "slow-next");
      look_at_all ("slow motion", found);
    }
  g_action_group_change_action_state (weir_editor_get_actions (editor), "slow-motion",
                                      g_variant_new_boolean (FALSE));
  activate (editor, "quiz");
  look_at_all ("quiz", found);
  activate (editor, "lesson-close");
  activate (editor, "show-outline");
  look_at_all ("outline", found);
  activate (editor, "show-commands");
  look_at_all ("commands", found);
  key ("Escape");
  activate (editor, "find");
  look_at_all ("find", found);
  key ("Escape");
  look_at_dialog (editor, "preferences", ADW_TYPE_PREFERENCES_WINDOW, found);
  shortcuts = weir_shortcuts_window_new (); /* GTK 4.8 warns when it lays out German ones */
  look_at (shortcuts, "shortcuts", found);
  gtk_window_destroy (GTK_WINDOW (shortcuts));
  look_at_dialog (editor, "about", ADW_TYPE_ABOUT_WINDOW, found);
  drag_from_palette (editor, "Sinus", 300, 100);
  look_at_dialog (editor, "close-tab", ADW_TYPE_MESSAGE_DIALOG, found);
  editor_close (editor);

  editor = editor_open ();
  weir_editor_show_welcome (editor);
  look_at_all ("welcome", found);
  editor_close (editor);
}

/* Walks through the window as a user does; what the interface says is translated. What the engine
 * says of a model stays in English, as do names of values. */
static void
test_nothing_left (gconstpointer language)
{
  g_autoptr (GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  load_catalogues ();
  speak (language);
  look_at_editor (found);
  look_at_blocks (found);
  look_at_lessons (found);
  g_assert_cmpuint (g_hash_table_size (found), ==, 0);
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
  g_test_add_func ("/window/languages/failure", test_failure);
  g_test_add_func ("/window/languages/lessons", test_lessons);
  g_test_add_data_func ("/window/languages/blocks/de", "de", test_blocks);
  g_test_add_data_func ("/window/languages/blocks/fr", "fr", test_blocks);
  g_test_add_data_func ("/window/languages/nothing-left/de", "de", test_nothing_left);
  g_test_add_data_func ("/window/languages/nothing-left/fr", "fr", test_nothing_left);
  g_test_add_func ("/window/languages/right-to-left", test_right_to_left);
  return driver_main ();
}
