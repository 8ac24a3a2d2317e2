/* All lessons are walked through with the pointer: every promise is kept, predictions are
 * judged, going back shows the same again. */
#include "driver.h"

#include "gui/parts/lesson-guide.h"
#include "lessons/lesson.h"
#include "panels/lesson-panel.h"

static GFile *
lesson_file (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", name, NULL);

  return g_file_new_for_path (path);
}

typedef struct {
  guint n_met, n_not;
} Lines;

static gboolean
count_line (GtkWidget *widget, gconstpointer data)
{
  Lines *lines = (Lines *) data;

  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget))
    {
      lines->n_met += g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), "✓");
      if (g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), "✗"))
        {
          g_test_message ("%s", gtk_label_get_text (GTK_LABEL (widget)));
          lines->n_not++;
        }
    }
  return FALSE;
}

static Lines
count_lines (WeirEditor *editor)
{
  Lines lines = { 0, 0 };

  find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), count_line, &lines);
  return lines;
}

static gboolean
is_action_enabled (WeirEditor *editor, const char *name)
{
  return g_action_group_get_action_enabled (weir_editor_get_actions (editor), name);
}

/* No line is cut off by the panel's edge. */
static gboolean
is_cut (GtkWidget *widget, gconstpointer panel)
{
  double x, y;

  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget)
         && (!gtk_widget_translate_coordinates (widget, (GtkWidget *) panel, 0,
                                                gtk_widget_get_height (widget), &x, &y)
             || y > gtk_widget_get_height ((GtkWidget *) panel));
}

/* Waits for the results of the step, and counts them: as many as it promises, all kept. */
static void
check_step (WeirEditor *editor, const WeirLessonStep *step, guint n_told)
{
  wait_for (count_lines (editor).n_met + count_lines (editor).n_not
            >= step->expectations->len + n_told);
  spin (50);
  g_assert_cmpuint (count_lines (editor).n_met, ==, step->expectations->len + n_told);
  g_assert_cmpuint (count_lines (editor).n_not, ==, 0);
  wait_for (find_widget (part_of (editor, WEIR_TYPE_LESSON_PANEL), is_cut,
                         part_of (editor, WEIR_TYPE_LESSON_PANEL))
            == NULL);
}

/* Closes the window as its user would: it is gone without a question. */
static void
close_for_good (WeirEditor *editor)
{
  gpointer gone = editor;

  g_object_add_weak_pointer (G_OBJECT (editor), &gone);
  gtk_window_close (GTK_WINDOW (toplevel_of (editor)));
  wait_for (gone == NULL);
}

static void
walk (const char *name)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = lesson_file (name);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);

  g_assert_nonnull (lesson);
  weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  spin (200);
  g_assert_true (gtk_widget_get_mapped (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  g_assert_cmpint (weir_host_get_perspective (WEIR_HOST (editor)), ==, WEIR_PERSPECTIVE_CACHE);
  /* It is a model without a file, known by its title. */
  g_assert_cmpstr (weir_model_get_title (weir_document_get_model (editor->document)), !=, "");
  g_assert_cmpstr (adw_window_title_get_subtitle (ADW_WINDOW_TITLE (editor->title)), ==,
                   weir_model_get_title (weir_document_get_model (editor->document)));
  for (guint i = 0; i < lesson->steps->len; i++)
    {
      const WeirLessonStep *step = lesson->steps->pdata[i];
      g_autofree char *shown = g_strdup_printf ("70-lesson-%.2s-%u", name, i + 1);
      guint n_told = 0;

      g_test_message ("%s, step %u", name, i + 1);
      if (step->asked != NULL)
        {
          const guint32 *ids;
          guint n;

          g_assert_false (is_action_enabled (editor, "lesson-next"));
          g_assert_cmpuint (count_lines (editor).n_met, ==, 0);
          /* A wrong guess, whose answer tells what is right; then nobody can guess again. */
          wait_for (is_action_enabled (editor, "lesson-check"));
          click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Check"));
          wait_for (count_lines (editor).n_met + count_lines (editor).n_not > 0);
          ids = weir_canvas_get_selected (editor->canvas, &n);
          g_assert_true (ids == NULL || n == 0);
          n_told = count_lines (editor).n_not;
          g_assert_cmpuint (n_told, <=, 1);
          wait_for (count_lines (editor).n_met >= step->expectations->len);
          g_assert_cmpuint (count_lines (editor).n_not, ==, n_told);
        }
      else
        check_step (editor, step, 0);
      picture (shown);
      if (i + 1 < lesson->steps->len)
        {
          wait_for (is_action_enabled (editor, "lesson-next"));
          click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Next"));
          spin (50);
        }
    }
  g_assert_false (is_action_enabled (editor, "lesson-next"));
  /* Whatever the lesson changed was nobody's edit. */
  g_assert_false (weir_document_get_modified (editor->document));
  g_assert_false (weir_document_can_undo (editor->document));
  close_for_good (editor);
}

static void
test_walk (gconstpointer name)
{
  walk (name);
}

static void
next (WeirEditor *editor)
{
  wait_for (is_action_enabled (editor, "lesson-next"));
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Next"));
  spin (50);
}

/* The right answer, by pointing at blocks; then back, where everything is as it was. */
static void
test_prediction (void)
{
  WeirEditor *editor = editor_open ();
  g_autoptr (GFile) file = lesson_file ("01-push-and-pull.lesson");
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);

  weir_lesson_guide_open (WEIR_HOST (editor), file);
  wait_for_opening (editor);
  spin (200);
  check_step (editor, lesson->steps->pdata[0], 0);
  next (editor);
  check_step (editor, lesson->steps->pdata[1], 0);
  next (editor);
  wait_for (is_action_enabled (editor, "lesson-check"));
  click_at (block_on_screen (editor, "Gain"));
  weir_canvas_select_blocks (editor->canvas,
                             (guint32[]) { weir_block_get_id (find_block (editor, "Gain")),
                                           weir_block_get_id (find_block (editor, "Tank")) },
                             2);
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Check"));
  check_step (editor, lesson->steps->pdata[2], 1);
  picture ("71-lesson-right");
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, "5");

  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Back"));
  check_step (editor, lesson->steps->pdata[1], 0);
  g_assert_cmpstr (weir_block_get_parameter (find_block (editor, "Gain"), "gain"), ==, "3");
  click (find_label (part_of (editor, WEIR_TYPE_LESSON_PANEL), "Back"));
  check_step (editor, lesson->steps->pdata[0], 0);
  g_assert_false (is_action_enabled (editor, "lesson-back"));
  g_action_group_activate_action (weir_editor_get_actions (editor), "lesson-close", NULL);
  g_assert_false (gtk_widget_get_visible (part_of (editor, WEIR_TYPE_LESSON_PANEL)));
  g_assert_false (weir_lesson_guide_is_leading (part_of (editor, WEIR_TYPE_LESSON_GUIDE)));
  close_for_good (editor);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = {
    "01-push-and-pull.lesson",
    "02-diamond.lesson",
    "03-time-or-state.lesson",
    "04-parameter-edit.lesson",
    "05-forgotten-prerequisite.lesson",
    "06-declaring-too-much.lesson",
    "07-stages.lesson",
    "08-switched-off.lesson",
    "09-algebraic-loop.lesson",
    "10-between-samples.lesson",
    "11-parallel-or-cascade.lesson",
    "12-what-an-fmu-declares.lesson",
    "13-from-a-circuit-to-its-equations.lesson",
    "14-a-switch-opens.lesson",
  };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/window/lessons/", names[i], NULL);

      g_test_add_data_func (path, names[i], test_walk);
    }
  g_test_add_func ("/window/lessons/prediction", test_prediction);
  return driver_main ();
}
