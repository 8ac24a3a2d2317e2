/* `weir lesson`: walks through lessons and checks that what they say happens. */
#include "cli/cli-private.h"

#include "lessons/lesson-check.h"

/* TRUE if the lesson holds. */
static gboolean
check (const char *path)
{
  const WeirRunOptions run_options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) model_file = NULL;
  g_autofree char *model_path = NULL;

  if (lesson == NULL)
    {
      weir_cli_print (diagnostics, path, FALSE);
      return FALSE;
    }
  model_file = g_file_resolve_relative_path (folder, lesson->model);
  model_path = g_file_get_path (model_file);
  if (weir_cli_model_open (&opened, model_path, &run_options) != WEIR_EXIT_OK)
    return FALSE;
  weir_lesson_check (lesson, opened.model, opened.system, &opened.simulator_options,
                     opened.stop_time, diagnostics);
  weir_cli_print (diagnostics, path, FALSE);
  if (weir_diagnostics_has_errors (diagnostics))
    return FALSE;
  weir_cli_say ("%s: \"%s\": %u steps, everything as it says\n", path, lesson->title,
                lesson->steps->len);
  return TRUE;
}

WeirExit
weir_cli_lesson (int argc, char **argv)
{
  gboolean all_hold = TRUE;

  if (!weir_cli_parse (
          &argc, &argv, "FILE...",
          "Walks through lessons: does what each step says, and compares the counters of the "
          "cache, the\ncomparison of cached with uncached, and the audit with what the lesson "
          "promises.\n"
          "Exit status: 0 all as they say, 1 not.",
          NULL, 1, G_MAXINT))
    return WEIR_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    all_hold &= check (argv[i]);
  return all_hold ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}
