/* Files as earlier versions of the program wrote them, a folder for each version: every one loads.
 * The folder `later` has files of a version that there is not yet: each is refused with one
 * sentence that names its version and the newest one known. What is in these folders is never
 * written anew.
 */
#include <string.h>

#include "analysis/trace.h"
#include "lessons/lesson.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

static const char *const versions[] = { "0.1" };

static char *
dup_path (const char *folder, const char *name)
{
  return g_test_build_filename (G_TEST_DIST, "data", "corpus", folder, name, NULL);
}

static WeirModel *
read_model (const char *folder, const char *name, WeirDiagnostics *diagnostics)
{
  g_autofree char *path = dup_path (folder, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return weir_model_read_file (file, diagnostics);
}

/* Calls @look with the name of each file in the folder that ends in @suffix; how many. */
static guint
for_each (const char *folder, const char *suffix,
          void (*look) (const char *folder, const char *name))
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "data", "corpus", folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, suffix))
      {
        g_test_message ("%s/%s", folder, name);
        look (folder, name);
        n++;
      }
  return n;
}

/* --- Models ---------------------------------------------------------------------------------- */

/* It is read, all of its types and parameters are known, and writing loses nothing. */
static void
look_at_model (const char *folder, const char *name)
{
  static const char *const lost[] = {
    "NET07", "NET08", "PAR02", "PAR03", "UNI01", "SET01", "MET01"
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = read_model (folder, name, diagnostics);
  g_autoptr (WeirModel) again = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (GBytes) bytes = NULL;

  g_assert_nonnull (model);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  bytes = weir_model_write_bytes (model);
  again = weir_model_read_bytes (bytes, name, diagnostics);
  g_assert_nonnull (again);
  g_assert_true (weir_model_equal (model, again));
  system = weir_model_complete (model, diagnostics);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    for (guint k = 0; k < G_N_ELEMENTS (lost); k++)
      if (strcmp (weir_diagnostics_get (diagnostics, i)->code, lost[k]) == 0)
        g_error ("%s: %s", weir_diagnostics_get (diagnostics, i)->path,
                 weir_diagnostics_get (diagnostics, i)->text);
}

static void
test_models (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    g_assert_cmpuint (for_each (versions[i], ".weir", look_at_model), >=, 2);
}

/* What each element meant when the file was written. */
static void
test_elements (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = read_model ("0.1", "elements.weir", diagnostics);
  WeirBlock *gain = weir_model_find_path (model, "plant.gain");
  WeirDiagram *root = weir_model_get_root (model);
  gboolean flag = FALSE;
  guint n_bends;

  g_assert_cmpstr (weir_model_get_title (model), ==, "Every kind of element & attribute");
  g_assert_cmpstr (weir_metadata_get_text (weir_model_get_metadata (model), "", weir_key_author),
                   ==, "A. N. Other");
  g_assert_cmpstr (weir_model_get_setting (model, "stop-time"), ==, "4");
  g_assert_cmpstr (weir_model_get_variable (model, "half"), ==, "g/2");
  g_assert_cmpuint (weir_model_get_n_assertions (model), ==, 1);
  g_assert_cmpuint (weir_model_get_n_plots (model), ==, 0);
  g_assert_cmpint (weir_block_get_rotation (gain), ==, WEIR_ROTATION_90);
  g_assert_true (weir_block_get_flipped (gain));
  g_assert_true (weir_metadata_get_boolean (weir_block_get_metadata (gain), "gain",
                                            (WeirMetadataKey) { "promoted", WEIR_METADATA_BOOLEAN },
                                            &flag));
  g_assert_true (flag);
  g_assert_cmpint (weir_block_get_mode (weir_model_find_path (model, "aside")), ==,
                   WEIR_BLOCK_PASSED_THROUGH);
  g_assert_cmpint (weir_block_get_mode (weir_model_find_path (model, "off")), ==,
                   WEIR_BLOCK_COMMENTED_OUT);
  g_assert_cmpint (weir_block_get_tint (weir_model_find_path (model, "scope")), ==,
                   WEIR_TINT_GREEN);
  g_assert_cmpstr (weir_wire_get_label (weir_diagram_find_wire (root, 14)), ==, "force");
  weir_wire_get_bends (weir_diagram_find_wire (root, 15), &n_bends);
  g_assert_cmpuint (n_bends, ==, 2);
  g_assert_cmpuint (weir_wire_get_to (weir_diagram_find_wire (root, 18)).block, ==, 0);
  g_assert_cmpstr (weir_note_get_text (weir_diagram_find_note (root, 19)), ==,
                   "Free text,\nof two lines <here>");
  g_assert_true (weir_note_is_frame (weir_diagram_find_note (root, 20)));
}

/* --- Lessons --------------------------------------------------------------------------------- */

static WeirLesson *
read_lesson (const char *folder, const char *name, WeirDiagnostics *diagnostics)
{
  g_autofree char *path = dup_path (folder, name);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return weir_lesson_read_file (file, diagnostics);
}

static void
look_at_lesson (const char *folder, const char *name)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirLesson *lesson = read_lesson (folder, name, diagnostics), *again;
  g_autoptr (GBytes) bytes = NULL, rewritten = NULL;

  g_assert_nonnull (lesson);
  bytes = weir_lesson_write_bytes (lesson);
  again = weir_lesson_read_bytes (bytes, name, diagnostics);
  g_assert_nonnull (again);
  rewritten = weir_lesson_write_bytes (again);
  g_assert_true (g_bytes_equal (bytes, rewritten));
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 0);
  weir_lesson_free (lesson);
  weir_lesson_free (again);
}

static void
test_lessons (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirLesson *lesson = read_lesson ("0.1", "elements.lesson", diagnostics);
  const WeirLessonStep *step = lesson->steps->pdata[0];

  g_assert_cmpuint (lesson->steps->len, ==, 2);
  g_assert_cmpstr (step->text, ==, "One paragraph, over two lines.\n\nAnd another.");
  g_assert_cmpuint (step->shown->len, ==, 2);
  g_assert_cmpstr (step->asked, ==, "plant.k");
  g_assert_cmpuint (step->actions->len, ==, 6);
  g_assert_cmpuint (step->expectations->len, ==, 2);
  g_assert_cmpint (lesson->verify_identical, ==, FALSE);
  g_assert_cmpstr (lesson->faulty_entry, ==, "plant.gain:y");
  g_assert_cmpint (lesson->audit_errors, ==, 1);
  weir_lesson_free (lesson);
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    g_assert_cmpuint (for_each (versions[i], ".lesson", look_at_lesson), >=, 1);
}

/* --- Change logs ----------------------------------------------------------------------------- */

static void
look_at_log (const char *folder, const char *name)
{
  g_autofree char *path = dup_path (folder, name);
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) written = NULL;
  WeirTrace *trace = weir_trace_load (path, &error);
  gsize size;

  g_assert_no_error (error);
  g_assert_nonnull (trace);
  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  written = weir_trace_write (trace);
  g_assert_cmpmem (g_bytes_get_data (written, NULL), g_bytes_get_size (written), bytes, size);
  weir_trace_unref (trace);
}

static void
test_change_logs (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (versions); i++)
    g_assert_cmpuint (for_each (versions[i], ".weirlog", look_at_log), >=, 2);
}

/* --- What is not there yet ------------------------------------------------------------------- */

static void
check_refusal (const char *said, const char *version)
{
  g_autofree char *expected = g_strdup_printf (
      "has format version %s, but this program reads versions up to ", version);

  g_test_message ("%s", said);
  g_assert_nonnull (strstr (said, expected));
  g_assert_true (g_ascii_isdigit (strstr (said, expected)[strlen (expected)]));
}

static void
test_later (void)
{
  g_autoptr (WeirDiagnostics) of_model = weir_diagnostics_new ();
  g_autoptr (WeirDiagnostics) of_lesson = weir_diagnostics_new ();
  g_autofree char *path = dup_path ("later", "log.weirlog");
  g_autoptr (GError) error = NULL;

  g_assert_null (read_model ("later", "model.weir", of_model));
  g_assert_cmpuint (weir_diagnostics_get_size (of_model), ==, 1);
  g_assert_cmpstr (weir_diagnostics_get (of_model, 0)->code, ==, "XML06");
  check_refusal (weir_diagnostics_get (of_model, 0)->text, "99");
  g_assert_null (read_lesson ("later", "lesson.lesson", of_lesson));
  g_assert_cmpuint (weir_diagnostics_get_size (of_lesson), ==, 1);
  check_refusal (weir_diagnostics_get (of_lesson, 0)->text, "99");
  g_assert_null (weir_trace_load (path, &error));
  g_assert_nonnull (error);
  check_refusal (error->message, "99");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/data/corpus/models", test_models);
  g_test_add_func ("/data/corpus/elements", test_elements);
  g_test_add_func ("/data/corpus/lessons", test_lessons);
  g_test_add_func ("/data/corpus/change-logs", test_change_logs);
  g_test_add_func ("/data/corpus/later", test_later);
  return g_test_run ();
}
