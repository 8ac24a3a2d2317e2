/* A lesson is recorded, edited, checked, saved and walked through with real keys and clicks. */
#include "driver.h"

#include "gui/pages/lesson-page.h"
#include "gui/parts/lesson-guide.h"
#include "lessons/lesson.h"
#include "panels/lesson-editor.h"
#include "panels/lesson-panel.h"

static char *folder; /* scratch */

static GFile *
scratch_file (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_new_for_path (path);
}

static WeirEditor *
open_copy (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", "push-and-pull.weir",
                                            NULL);
  g_autoptr (GFile) original = g_file_new_for_path (path), file = scratch_file ("pull.weir");

  g_assert_true (g_file_copy (original, file, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
  g_assert_true (weir_editor_open (editor, file));
  spin (100);
  return editor;
}

static gboolean
shows_text (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && strstr (gtk_label_get_text (GTK_LABEL (widget)), text) != NULL;
}

static gboolean
editor_says (WeirEditor *editor, const char *text)
{
  return find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), shows_text, text) != NULL;
}

/* The button may be below what can be seen. */
static void
press (WeirEditor *editor, const char *label)
{
  GtkWidget *text = find_label (part_of (editor, WEIR_TYPE_LESSON_EDITOR), label), *button;

  g_assert_nonnull (text);
  button = gtk_widget_get_ancestor (text, GTK_TYPE_BUTTON);
  gtk_widget_grab_focus (button);
  spin (150);
  click (button);
  spin (50);
}

static void
step_once (WeirEditor *editor)
{
  guint64 before = weir_runner_get_session (editor->runner) != NULL
                       ? weir_session_get_snapshot (weir_runner_get_session (editor->runner))
                             ->statistics.steps
                       : 0;

  key ("F8");
  wait_for (weir_runner_get_session (editor->runner) != NULL);
  wait_for (weir_session_is_settled (weir_runner_get_session (editor->runner)));
  wait_for (weir_session_get_snapshot (weir_runner_get_session (editor->runner))->statistics.steps
            > before);
  spin (100);
}

static void
type_into (GtkWidget *entry, const char *text)
{
  gtk_widget_grab_focus (entry);
  spin (100);
  key ("<Control>a");
  type_text (text);
}

static gboolean
has_placeholder (GtkWidget *widget, gconstpointer text)
{
  return GTK_IS_ENTRY (widget) && gtk_widget_get_mapped (widget)
         && g_strcmp0 (gtk_entry_get_placeholder_text (GTK_ENTRY (widget)), text) == 0;
}

/* Changes the gain in the inspector, as a user does. */
static void
set_gain (WeirEditor *editor, const char *value)
{
  GtkWidget *entry;

  click_at (block_on_screen (editor, "Gain"));
  spin (150);
  key ("<Alt>Return");
  spin (150);
  entry = gtk_window_get_focus (GTK_WINDOW (toplevel_of (editor)));
  g_assert_true (GTK_IS_TEXT (entry));
  key ("<Control>a");
  type_text (value);
  key ("Return");
  wait_for (g_strcmp0 (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), value) == 0);
  spin (100);
}

static void
test_record (void)
{
  WeirEditor *editor = open_copy ();
  g_autoptr (GFile) file = scratch_file ("pull.lesson");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = NULL;
  const WeirLessonStep *first, *second;

  key ("<Control><Alt>l");
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  type_into (find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_placeholder,
                          "Title of the lesson"),
             "My lesson");
  type_into (
      find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_placeholder, "Title of the step"),
      "Two steps");
  type_into (find_of_type (part_of (editor, WEIR_TYPE_LESSON_EDITOR), GTK_TYPE_TEXT_VIEW),
             "The gain is computed once.");
  gtk_widget_grab_focus (GTK_WIDGET (editor->canvas));
  step_once (editor);
  step_once (editor);
  wait_for (editor_says (editor, "Take 2 steps of the solver"));
  click_at (block_on_screen (editor, "Gain"));
  press (editor, "Expect");
  wait_for (editor_says (editor, "Gain:y: hits"));
  press (editor, "Show");
  g_assert_true (editor_says (editor, "Show Gain"));
  picture ("90-record");

  press (editor, "New Step");
  set_gain (editor, "7");
  wait_for (editor_says (editor, "Set Gain.gain to 7"));
  press (editor, "Ask");
  wait_for (editor_says (editor, "Ask what a change of Gain.gain reaches"));
  click_at (block_on_screen (editor, "Gain"));
  press (editor, "Expect");
  wait_for (editor_says (editor, "out of date"));
  press (editor, "Check");
  picture ("91-record-checked");
  wait_for (editor_says (editor, "Everything happens as the lesson says"));

  /* The third step goes again, and so does what it would have expected. */
  press (editor, "New Step");
  g_assert_cmpuint (weir_lesson_editor_get_chosen (
                        WEIR_LESSON_EDITOR (part_of (editor, WEIR_TYPE_LESSON_EDITOR))),
                    ==, 2);
  click (find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_tooltip, "Delete the Step"));

  weir_lesson_page_save (part_of (editor, WEIR_TYPE_LESSON_PAGE), file);
  wait_for (editor_says (editor, "Everything happens as the lesson says"));
  lesson = weir_lesson_read_file (file, diagnostics);
  g_assert_nonnull (lesson);
  g_assert_cmpstr (lesson->title, ==, "My lesson");
  g_assert_cmpstr (lesson->model, ==, "pull.weir");
  g_assert_cmpuint (lesson->steps->len, ==, 2);
  first = lesson->steps->pdata[0];
  second = lesson->steps->pdata[1];
  g_assert_cmpstr (first->title, ==, "Two steps");
  g_assert_cmpstr (first->text, ==, "The gain is computed once.");
  g_assert_cmpstr (first->shown->pdata[0], ==, "Gain");
  g_assert_cmpuint (first->actions->len, ==, 2); /* begin, take */
  g_assert_cmpuint (g_array_index (first->actions, WeirLessonAction, 1).n, ==, 2);
  g_assert_cmpint (
      g_array_index (first->expectations, WeirLessonExpectation, 0).counts[WEIR_LESSON_MISSES], ==,
      1);
  g_assert_cmpstr (second->asked, ==, "Gain.gain");
  g_assert_cmpstr (g_array_index (second->actions, WeirLessonAction, 0).value, ==, "7");

  /* Closed, the model is as in its file: nothing to save. */
  g_action_group_activate_action (weir_editor_get_actions (editor), "lesson-editor-close", NULL);
  spin (100);
  g_assert_false (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, "3");
  g_assert_false (weir_document_get_modified (editor->document));
  editor_close (editor);

  /* And it can be walked through. */
  editor = editor_open ();
  weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  wait_for (find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), shows_text, "✓ Gain:y") != NULL);
  g_assert_null (find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), shows_text, "✗"));
  picture ("92-recorded-lesson");
  editor_close (editor);
}

/* A lesson that does not hold says so where it is edited, with the numbers; what cannot be recorded
 * is refused. */
static void
test_edit (void)
{
  WeirEditor *editor = editor_open ();
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", "02-diamond.lesson",
                                            NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  WeirLessonEditor *script = WEIR_LESSON_EDITOR (part_of (editor, WEIR_TYPE_LESSON_EDITOR));

  weir_lesson_page_edit (part_of (editor, WEIR_TYPE_LESSON_PAGE), file);
  wait_for_opening (editor);
  wait_for (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  press (editor, "Check");
  wait_for (editor_says (editor, "Everything happens as the lesson says"));

  /* Without its step in between, the last one's numbers are others. */
  weir_lesson_editor_choose (script, 1);
  spin (50);
  g_assert_true (editor_says (editor, "Wave:y: hits 4, computed 4"));
  click (find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_tooltip, "Delete the Step"));
  press (editor, "Check");
  wait_for (editor_says (editor, "hits of Wave:y: 4 expected, 0 counted"));
  picture ("93-edit-not-held");

  /* Steps change places. */
  weir_lesson_editor_choose (script, 1);
  spin (50);
  click (find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_tooltip, "Move the Step Up"));
  g_assert_cmpuint (weir_lesson_editor_get_chosen (script), ==, 0);
  g_assert_true (editor_says (editor, "1. Without the cache"));

  /* Recording refuses what is no parameter. */
  g_action_group_change_action_state (weir_editor_get_actions (editor), "lesson-capturing",
                                      g_variant_new_boolean (TRUE));
  click_at (block_on_screen (editor, "Area"));
  key ("Delete");
  wait_for (editor_says (editor, "nothing else"));
  weir_document_undo (editor->document);

  /* Closing the tab asks, since it was edited; so does closing the editor. */
  g_action_group_activate_action (weir_editor_get_actions (editor), "close-tab", NULL);
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  g_assert_nonnull (find_label (find_toplevel (ADW_TYPE_MESSAGE_DIALOG), "Save the Lesson?"));
  gtk_window_close (GTK_WINDOW (find_toplevel (ADW_TYPE_MESSAGE_DIALOG)));
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) == NULL);
  g_assert_true (gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  click (find_widget (part_of (editor, WEIR_TYPE_LESSON_EDITOR), has_tooltip,
                      "Close the Lesson Editor"));
  wait_for (find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_toplevel (ADW_TYPE_MESSAGE_DIALOG)),
                               "discard");
  wait_for (!gtk_stack_page_get_visible (tab_of (editor, WEIR_TYPE_LESSON_EDITOR)));
  editor_close (editor);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("weir-record-XXXXXX", NULL);
  g_assert_nonnull (folder);
  g_test_add_func ("/window/record/record", test_record);
  g_test_add_func ("/window/record/edit", test_edit);
  status = driver_main ();
  {
    g_autofree char *model = g_build_filename (folder, "pull.weir", NULL);
    g_autofree char *lesson = g_build_filename (folder, "pull.lesson", NULL);

    g_unlink (model);
    g_unlink (lesson);
    g_rmdir (folder);
  }
  return status;
}
