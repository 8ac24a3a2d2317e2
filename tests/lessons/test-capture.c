/* Lessons are recorded and edited: what is done to a run becomes a lesson that holds when it is
 * checked, and its file comes back to the byte. */
#include <glib/gstdio.h>
#include <string.h>

#include "lessons/lesson-check.h"
#include "lessons/lesson-capture.h"
#include "model/completion/completion.h"
#include "model/tree/patch.h"
#include "model/files/xml.h"

static GBytes *
read_again (const WeirLesson *lesson, WeirLesson **again)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GBytes) bytes = weir_lesson_write_bytes (lesson);

  *again = weir_lesson_read_bytes (bytes, "test", diagnostics);
  g_assert_nonnull (*again);
  return weir_lesson_write_bytes (*again);
}

static void
check_round_trip (const WeirLesson *lesson)
{
  g_autoptr (GBytes) written = weir_lesson_write_bytes (lesson);
  g_autoptr (WeirLesson) again = NULL;
  g_autoptr (GBytes) rewritten = read_again (lesson, &again);

  g_assert_true (g_bytes_equal (written, rewritten));
}

/* --- Recording ------------------------------------------------------------------------------- */

typedef struct {
  WeirModel *model;
  WeirSystem *system;
  WeirSession *session;
  WeirSimulatorOptions options;
  WeirLesson *lesson;
  WeirLessonCapture *capture;
} Subject;

static void
begin (Subject *s)
{
  g_auto (GStrv) recorded_ports = weir_model_dup_recorded_ports (s->model);

  g_clear_object (&s->session);
  s->session = weir_session_new (s->system, &s->options, 1, 0, (const char *const *) recorded_ports,
                                 NULL);
  g_assert_nonnull (s->session);
  weir_lesson_capture_note_begin (s->capture);
}

static void
settle (Subject *s, gboolean by_steps)
{
  while (!weir_session_is_settled (s->session))
    g_main_context_iteration (NULL, FALSE);
  weir_lesson_capture_note_settled (s->capture, weir_session_get_layout (s->session),
                                    weir_session_get_snapshot (s->session), by_steps);
}

static void
set_gain (Subject *s, const char *value, const double number)
{
  WeirBlock *gain = weir_model_find_path (s->model, "Gain");
  g_autoptr (WeirBlock) changed = weir_block_with_parameter (gain, "gain", value);
  g_autoptr (WeirPatch) patch = weir_patch_new ();
  WeirModel *after;

  weir_patch_set_block (patch, WEIR_PLACE_ROOT, changed);
  after = weir_model_apply (s->model, patch, NULL, NULL);
  g_assert_true (weir_lesson_capture_note_model (s->capture, after, FALSE, NULL));
  weir_session_set_parameter (s->session, "Gain", "gain", &number, 1);
  settle (s, FALSE);
  weir_model_unref (s->model);
  s->model = after;
}

static void
expect (Subject *s, const char *path)
{
  WeirEntry entry;

  g_assert_true (weir_lesson_find_entry (weir_session_get_layout (s->session), path, &entry));
  weir_lesson_capture_expect (s->capture, weir_session_get_layout (s->session),
                              weir_session_get_snapshot (s->session), entry);
}

static void
subject_init (Subject *s)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", "push-and-pull.weir",
                                            NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  s->model = weir_model_read_file (file, diagnostics);
  s->system = weir_model_complete (s->model, diagnostics);
  g_assert_nonnull (s->system);
  weir_simulator_options_init (&s->options);
  s->options.solver = "rk4";
  s->options.step = 0.1;
  s->lesson = weir_lesson_new ("Recorded", "push-and-pull.weir");
  weir_lesson_add_step (s->lesson, "First", "What a <step> is & does.");
  s->capture = weir_lesson_capture_new (s->lesson, s->model);
}

static void
subject_clear (Subject *s)
{
  g_clear_object (&s->session);
  weir_lesson_capture_free (s->capture);
  weir_lesson_free (s->lesson);
  weir_system_unref (s->system);
  weir_model_unref (s->model);
}

static WeirLessonAction *
get_action (const Subject *s, guint step, guint i)
{
  const WeirLessonStep *of = s->lesson->steps->pdata[step];

  g_assert_cmpuint (i, <, of->actions->len);
  return &g_array_index (of->actions, WeirLessonAction, i);
}

/* A run in three steps with a change, a value not cached and caching off: the lesson that comes of
 * it holds. */
static void
test_record (void)
{
  Subject s = { 0 };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) first = NULL;
  WeirEntry gain;

  subject_init (&s);
  first = weir_model_ref (s.model);
  begin (&s);
  for (guint i = 0; i < 3; i++)
    {
      weir_session_step (s.session);
      settle (&s, TRUE);
    }
  expect (&s, "Gain:y");
  weir_lesson_add_step (s.lesson, "Second", "");
  weir_lesson_step_set_asked (s.lesson->steps->pdata[1], "Gain.gain");
  set_gain (&s, "4", 4);
  set_gain (&s, "5", 5);
  expect (&s, "Gain:y");
  expect (&s, "Tank:time derivatives");
  weir_lesson_add_step (s.lesson, "Third", "");
  g_assert_true (weir_lesson_find_entry (weir_session_get_layout (s.session), "Gain:y", &gain));
  weir_session_set_entry_caching (s.session, gain.i, FALSE);
  settle (&s, FALSE);
  weir_session_set_caching (s.session, FALSE);
  settle (&s, FALSE);
  weir_session_run_until (s.session, 0.7);
  settle (&s, FALSE);
  weir_session_run (s.session);
  settle (&s, FALSE);
  expect (&s, "Gain:y");

  g_assert_cmpint (get_action (&s, 0, 0)->kind, ==, WEIR_LESSON_BEGIN);
  g_assert_cmpint (get_action (&s, 0, 1)->kind, ==, WEIR_LESSON_TAKE);
  g_assert_cmpuint (get_action (&s, 0, 1)->n, ==, 3);
  g_assert_cmpint (get_action (&s, 1, 0)->kind, ==, WEIR_LESSON_SET);
  g_assert_cmpstr (get_action (&s, 1, 0)->value, ==, "4");
  g_assert_cmpstr (get_action (&s, 1, 1)->value, ==, "5");
  g_assert_cmpint (get_action (&s, 2, 0)->kind, ==, WEIR_LESSON_ENTRY_CACHING);
  g_assert_cmpstr (get_action (&s, 2, 0)->entry, ==, "Gain:y");
  g_assert_false (get_action (&s, 2, 0)->enabled);
  g_assert_cmpint (get_action (&s, 2, 1)->kind, ==, WEIR_LESSON_CACHING);
  g_assert_cmpint (get_action (&s, 2, 2)->kind, ==, WEIR_LESSON_RUN);
  g_assert_cmpfloat (get_action (&s, 2, 2)->time, ==, 1);
  g_assert_cmpuint (((WeirLessonStep *) s.lesson->steps->pdata[2])->actions->len, ==, 3);

  s.lesson->verify_identical = 1;
  weir_lesson_check (s.lesson, first, s.system, &s.options, 1, diagnostics);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    g_test_message ("%s", weir_diagnostics_get (diagnostics, i)->text);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  check_round_trip (s.lesson);
  subject_clear (&s);
}

/* What a lesson cannot repeat is refused, and the next change is compared with the model as it then
 * is. */
static void
test_refused (void)
{
  Subject s = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPatch) patch = weir_patch_new (), other = weir_patch_new ();
  g_autoptr (WeirModel) removed = NULL, changed = NULL;
  g_autoptr (WeirBlock) block = NULL;

  subject_init (&s);
  block = weir_block_with_parameter (weir_model_find_path (s.model, "Gain"), "gain", "9");
  weir_patch_set_block (other, WEIR_PLACE_ROOT, block);
  changed = weir_model_apply (s.model, other, NULL, NULL);
  g_assert_false (weir_lesson_capture_note_model (s.capture, changed, TRUE, &error));
  g_assert_nonnull (strstr (error->message, "pause the run"));
  g_clear_error (&error);

  g_clear_pointer (&block, weir_block_unref);
  block = weir_block_with_name (weir_model_find_path (changed, "Scope"), "Other");
  weir_patch_set_block (patch, WEIR_PLACE_ROOT, block);
  removed = weir_model_apply (changed, patch, NULL, &error);
  g_assert_no_error (error);
  g_assert_false (weir_lesson_capture_note_model (s.capture, removed, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "nothing else"));
  g_assert_cmpuint (((WeirLessonStep *) s.lesson->steps->pdata[0])->actions->len, ==, 0);
  subject_clear (&s);
}

/* --- Editing --------------------------------------------------------------------------------- */

static void
test_edit (void)
{
  g_autoptr (WeirLesson) lesson = weir_lesson_new ("A \"title\" & more", "m.weir"), copy = NULL;
  WeirLessonExpectation expectation;
  WeirLessonStep *step;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *title = g_strdup_printf ("%u", i);

      weir_lesson_add_step (lesson, title, "");
    }
  weir_lesson_move_step (lesson, 0, 2);
  weir_lesson_remove_step (lesson, 3);
  g_assert_cmpuint (lesson->steps->len, ==, 3);
  g_assert_cmpstr (((WeirLessonStep *) lesson->steps->pdata[0])->title, ==, "1");
  g_assert_cmpstr (((WeirLessonStep *) lesson->steps->pdata[1])->title, ==, "2");
  g_assert_cmpstr (((WeirLessonStep *) lesson->steps->pdata[2])->title, ==, "0");

  step = lesson->steps->pdata[1];
  weir_lesson_step_set_title (step, "<new>");
  weir_lesson_step_set_text (step, "  one\ntwo \n\n\n three\n");
  g_assert_cmpstr (step->text, ==, "one two\n\nthree");
  weir_lesson_step_set_asked (step, "time");
  g_ptr_array_add (step->shown, g_strdup ("A.B"));
  weir_lesson_expectation_init (&expectation, "A:y");
  expectation.counts[WEIR_LESSON_HITS] = 3;
  weir_lesson_step_expect (step, &expectation);
  expectation.counts[WEIR_LESSON_HITS] = 4;
  weir_lesson_step_expect (step, &expectation);
  g_free (expectation.entry);
  g_assert_cmpuint (step->expectations->len, ==, 1);
  g_assert_cmpint (
      g_array_index (step->expectations, WeirLessonExpectation, 0).counts[WEIR_LESSON_HITS], ==, 4);
  weir_lesson_step_add_action (step, &(WeirLessonAction) { .kind = WEIR_LESSON_RUN, .time = 0.1 });
  weir_lesson_step_add_action (step, &(WeirLessonAction) { .kind = WEIR_LESSON_RUN, .time = 0.3 });
  g_assert_cmpuint (step->actions->len, ==, 1);
  check_round_trip (lesson);

  copy = weir_lesson_copy (lesson);
  weir_lesson_set_title (lesson, "another");
  {
    g_autoptr (GBytes) a = weir_lesson_write_bytes (lesson), b = weir_lesson_write_bytes (copy);

    g_assert_false (g_bytes_equal (a, b));
    weir_lesson_set_title (copy, "another");
  }
  {
    g_autoptr (GBytes) a = weir_lesson_write_bytes (lesson), b = weir_lesson_write_bytes (copy);

    g_assert_true (g_bytes_equal (a, b));
  }
}

/* Files come back to the byte: those shipped, and one written. */
static void
test_files (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", NULL);
  g_autofree char *scratch = g_dir_make_tmp ("weir-lesson-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (scratch, "copy.lesson", NULL);
  g_autofree char *nowhere = g_build_filename (scratch, "no", "such", "folder.lesson", NULL);
  g_autoptr (GFile) copy = g_file_new_for_path (path), refused = g_file_new_for_path (nowhere);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GError) error = NULL;
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".lesson"))
      {
        g_autofree char *from = g_build_filename (folder, name, NULL), *before = NULL,
                        *after = NULL;
        g_autoptr (GFile) file = g_file_new_for_path (from);
        g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
        g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);

        g_test_message ("%s", name);
        g_assert_true (weir_lesson_write_file (lesson, copy, &error));
        g_assert_true (g_file_get_contents (from, &before, NULL, NULL));
        g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
        g_assert_cmpstr (before, ==, after);
        g_assert_false (weir_lesson_write_file (lesson, refused, &error));
        g_assert_nonnull (strstr (error->message, "folder.lesson"));
        g_clear_error (&error);
        n++;
      }
  g_assert_cmpuint (n, ==, 14);
  g_unlink (path);
  g_rmdir (scratch);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lessons/capture/record", test_record);
  g_test_add_func ("/lessons/capture/refused", test_refused);
  g_test_add_func ("/lessons/capture/edit", test_edit);
  g_test_add_func ("/lessons/capture/files", test_files);
  return g_test_run ();
}
