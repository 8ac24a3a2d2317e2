/* `weir lesson`: walks through lessons and checks that what they say happens. */
#include "cli/cli-private.h"

#include "lessons/lesson-check.h"

/* TRUE if the lesson holds. */
static gboolean
check (const char *path)
{
  g_auto (WeirRunOptions) run_options = { 0 };
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (GFile) file = g_file_new_for_commandline_arg (path);
  g_autoptr (WeirLesson) lesson = weir_lesson_read_file (file, diagnostics);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) model_file = NULL;
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autofree char *model_path = NULL;
  WeirSimulatorOptions options;
  double stop_time;

  if (lesson == NULL)
    {
      weir_cli_print (diagnostics, path, TRUE);
      return FALSE;
    }
  model_file = g_file_resolve_relative_path (folder, lesson->model);
  model_path = g_file_get_path (model_file);
  model = weir_cli_read (model_path, diagnostics);
  system = model != NULL ? weir_cli_complete (model, model_path) : NULL;
  if (system == NULL || !weir_run_options_resolve (&run_options, model, &options, &stop_time, NULL))
    return FALSE;
  weir_lesson_check (lesson, model, system, &options, stop_time, diagnostics);
  weir_cli_print (diagnostics, path, TRUE);
  if (weir_diagnostics_has_errors (diagnostics))
    return FALSE;
  g_print ("%s: \"%s\": %u steps, everything as it says\n", path, lesson->title,
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
