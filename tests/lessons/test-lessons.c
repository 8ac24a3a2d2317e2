/* Lessons: all that are shipped hold, what does not hold is told with its line, files round-trip,
 * bad files are refused in a sentence. */
#include <string.h>

#include "cosim/cosim.h"
#include "lessons/lesson-check.h"
#include "model/completion/completion.h"
#include "model/files/xml.h"

/* --- Checking -------------------------------------------------------------------------------- */

/* Run settings as the lessons' models have them. */
static void
read_settings (WeirModel *model, WeirSimulatorOptions *options, double *stop_time)
{
  weir_simulator_options_init (options);
  g_assert_cmpstr (weir_model_get_setting (model, "solver"), ==, "rk4");
  options->solver = "rk4";
  options->step = g_ascii_strtod (weir_model_get_setting (model, "step"), NULL);
  *stop_time = g_ascii_strtod (weir_model_get_setting (model, "stop-time"), NULL);
  if (weir_model_get_setting (model, "schedule") == NULL)
    return;
  options->communication_step = g_ascii_strtod (
      weir_model_get_setting (model, "communication-step"), NULL);
  g_assert_true (weir_step_scheduling_type_find (weir_model_get_setting (model, "schedule"),
                                                 &options->schedule));
}

static void
check (const WeirLesson *lesson, WeirDiagnostics *diagnostics)
{
  g_autofree char *path = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", lesson->model, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (WeirModel) model = weir_model_read_file (file, diagnostics);
  g_autoptr (WeirSystem) system = NULL;
  WeirSimulatorOptions options;
  double stop_time;

  g_assert_nonnull (model);
  system = weir_model_complete (model, diagnostics);
  g_assert_nonnull (system);
  read_settings (model, &options, &stop_time);
  weir_lesson_check (lesson, model, system, &options, stop_time, diagnostics);
}

static WeirLesson *
read_text (const char *text, WeirDiagnostics *diagnostics)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));

  return weir_lesson_read_bytes (bytes, "test.lesson", diagnostics);
}

static void
test_shipped (gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (data);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);
  g_autoptr (WeirLesson) again = NULL;
  g_autoptr (GBytes) written = NULL;
  g_autoptr (GBytes) rewritten = NULL;

  g_assert_nonnull (lesson);
  g_assert_cmpint (lesson->verify_identical, >=, 0);
  check (lesson, diagnostics);
  for (guint i = 0; i < weir_diagnostics_get_size (diagnostics); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, i);
      g_autofree char *text = weir_diagnostic_to_string (diagnostic);

      g_test_message ("%s", text);
    }
  g_assert_false (weir_diagnostics_has_errors (diagnostics));

  written = weir_lesson_write_bytes (lesson);
  again = weir_lesson_read_bytes (written, "again", diagnostics);
  g_assert_nonnull (again);
  rewritten = weir_lesson_write_bytes (again);
  g_assert_true (g_bytes_equal (written, rewritten));
}

/* Each wrong number, name or result is one diagnostic at its line; nothing else is. */
static void
test_not_met (void)
{
  static const char text[] =
      "<lesson version='1' title='t' model='push-and-pull.weir'>\n"
      "<step title='a'><show block='Nobody'/><begin/>\n"
      "<take steps='1'/>\n"
      "<expect entry='Gain:y' misses='1' hits='1' state='out-of-date'/>\n"
      "<expect entry='Gain:z'/></step>\n"
      "<step title='b'>\n"
      "<set block='Gain' parameter='gain' value='nonsense'/></step>\n"
      "<step title='never reached'><expect entry='Gain:y' misses='17'/></step>\n"
      "<verify identical='false'/>\n"
      "<audit errors='3'/></lesson>";
  static const struct {
    const char *code;
    int line;
    const char *part;
  } expected[] = {
    { "LES02", 2, "no block \"Nobody\"" },
    { "LES02", 4, "hits of Gain:y: 1 expected, 0 counted" },
    { "LES02", 4, "Gain:y is up to date" },
    { "LES02", 5, "no cached value \"Gain:z\"" },
    { "LES03", 7, "nonsense" },
    { "LES02", 9, "identical" },
    { "LES02", 10, "0 errors" },
  };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = read_text (text, diagnostics);

  g_assert_nonnull (lesson);
  check (lesson, diagnostics);
  g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const WeirDiagnostic *diagnostic = weir_diagnostics_get (diagnostics, i);

      g_test_message ("%s", diagnostic->text);
      g_assert_cmpstr (diagnostic->code, ==, expected[i].code);
      g_assert_cmpint (diagnostic->line, ==, expected[i].line);
      g_assert_nonnull (strstr (diagnostic->text, expected[i].part));
    }
}

/* --- Files ----------------------------------------------------------------------------------- */

static void
test_refused (void)
{
#define LESSON(inner) "<lesson version='1' title='t' model='m'>\n" inner "</lesson>"
  static const struct {
    const char *text, *part;
    int line;
  } cases[] = {
    { "", "empty", 1 },
    { "no XML", "", 1 },
    { "<?xml version='1.0'?>\n", "no <lesson>", 2 },
    { "<weir/>", "outermost element must be <lesson>", 1 },
    { LESSON (""), "no step", 2 },
    { LESSON ("<step/>"), "needs the attribute \"title\"", 2 },
    { LESSON ("<step title='a' colour='red'/>"), "no attribute \"colour\"", 2 },
    { LESSON ("<step title='a'>\n<jump/></step>"), "no <jump> in a <step>", 3 },
    { LESSON ("<step title='a'><run until='soon'/></step>"), "\"soon\"", 2 },
    { LESSON ("<step title='a'><run until='-1'/></step>"), "\"-1\"", 2 },
    { LESSON ("<step title='a'><run until='nan'/></step>"), "\"nan\"", 2 },
    { LESSON ("<step title='a'><take steps='1.5'/></step>"), "\"1.5\"", 2 },
    { LESSON ("<step title='a'>\n<take steps='2147483648'/></step>"),
      "steps of <take> must be at most 100000, but are 2147483648", 3 },
    { LESSON ("<step title='a'><caching enabled='maybe'/></step>"), "\"maybe\"", 2 },
    { LESSON ("<step title='a'><expect entry='e' hits='-3'/></step>"), "\"-3\"", 2 },
    { LESSON ("<step title='a'><expect entry='e' state='old'/></step>"), "\"old\"", 2 },
    { LESSON ("words<step title='a'/>"), "text in <lesson>", 2 },
    { "<lesson version='2' title='t' model='m'><step title='a'/></lesson>",
      "it has format version 2, but this program reads versions up to 1", 1 },
    { "<lesson version='7' grade='a'><task/></lesson>",
      "it has format version 7, but this program reads versions up to 1", 1 },
    { "<lesson version='one' title='t' model='m'><step title='a'/></lesson>",
      "must be a whole number from 1, but is \"one\"", 1 },
    { LESSON ("<step title='a'/>") "<lesson version='1' title='t' model='m'/>", "second lesson",
      2 },
    { "<lesson version='1' title='t' model='m'><step title='a'>", "", 1 },
    { "<lesson version='1' title='t' model='&unknown;'/>", "unknown", 1 },
  };
#undef LESSON

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirLesson) lesson = read_text (cases[i].text, diagnostics);
      const WeirDiagnostic *diagnostic;

      g_test_message ("%s", cases[i].text);
      g_assert_null (lesson);
      g_assert_cmpuint (weir_diagnostics_get_size (diagnostics), ==, 1);
      diagnostic = weir_diagnostics_get (diagnostics, 0);
      g_assert_cmpstr (diagnostic->code, ==, "LES01");
      g_assert_cmpstr (diagnostic->file, ==, "test.lesson");
      g_test_message ("%s", diagnostic->text);
      g_assert_cmpint (diagnostic->line, ==, cases[i].line);
      g_assert_nonnull (strstr (diagnostic->text, cases[i].part));
    }
}

/* Lines of a text are one paragraph, an empty line begins another. */
static void
test_text (void)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirLesson) lesson = read_text (
      "<lesson version='1' title='t' model='m'><step title='a'><text>\n  One\n  two &lt;3&gt;.\n\n"
      "  Four.\n</text></step></lesson>",
      diagnostics);

  g_assert_nonnull (lesson);
  g_assert_cmpstr (((WeirLessonStep *) lesson->steps->pdata[0])->text, ==, "One two <3>.\n\nFour.");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_test_init (&argc, &argv, NULL);
  weir_cosim_provide ();
  folder = g_build_filename (g_getenv ("WEIR_DATA"), "lessons", NULL);
  dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, ".lesson"))
      {
        g_autofree char *test = g_strconcat ("/lessons/shipped/", name, NULL);
        char *path = g_build_filename (folder, name, NULL);

        g_ptr_array_add (paths, path);
        g_test_add_data_func (test, path, test_shipped);
      }
  g_assert_cmpuint (paths->len, ==, 14);
  g_test_add_func ("/lessons/not-met", test_not_met);
  g_test_add_func ("/lessons/refused", test_refused);
  g_test_add_func ("/lessons/text", test_text);
  return g_test_run ();
}
