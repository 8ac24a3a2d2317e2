/* What holds the cache to its promises. `weir verify`: the same run with and without it, compared
 * bit for bit; `weir audit`: what every calculation reads against what it declares; `weir lesson`:
 * lessons walked through, and whether what they say happens. */
#include "cli/cli-private.h"

#include "analysis/bisection.h"
#include "model/completion/completion.h"
#include "analysis/audit.h"
#include "base/text.h"
#include "generate/generate.h"
#include "lessons/lesson-check.h"

static WeirExit
verify (const WeirCliModel *opened, gboolean wants_bisection)
{
  const WeirSimulatorOptions *options = &opened->simulator_options;
  const char *file = opened->file;
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL, *cached_hits = NULL, *uncached_hits = NULL, *steps = NULL;
  g_auto (GStrv) diagnostic = NULL;
  WeirBisection bisection = { 0 };
  WeirVerifyResult *result = &bisection.first;
  gboolean identical;

  if (wants_bisection
          ? !weir_bisect_caching (opened->system, options, opened->stop_time, NULL, &bisection,
                                  &error)
          : !weir_verify (opened->system, options, opened->stop_time, NULL, result, &error))
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  sentence = weir_verify_result_to_string (result);
  weir_cli_say ("%s: %s\n", file, sentence);
  cached_hits = weir_text_group_digits (result->cached_hits);
  uncached_hits = weir_text_group_digits (result->uncached_hits);
  steps = weir_text_group_digits (result->n_steps);
  weir_cli_say ("%s: %s hits cached, %s hits uncached, %s steps\n", file, cached_hits,
                uncached_hits, steps);
  if (wants_bisection && !result->identical)
    {
      g_autofree char *found = weir_bisection_to_string (&bisection);

      weir_cli_say ("%s: %s\n", file, found);
    }
  diagnostic = weir_model_dup_diagnostic_blocks (opened->model);
  if (diagnostic[0] != NULL)
    {
      g_autofree char *names = g_strjoinv (", ", diagnostic);

      weir_cli_say ("%s: blocks of the cache lab, which break rules on purpose: %s\n", file, names);
    }
  identical = result->identical;
  if (wants_bisection)
    weir_bisection_clear (&bisection);
  else
    weir_verify_result_clear (result);
  return identical ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

/* The model against itself as C. */
static WeirExit
verify_generated (const WeirCliModel *opened, const WeirRunOptions *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_auto (GStrv) ports = weir_cli_list_ports (opened->model, opened->system, NULL);
  g_autoptr (GError) error = NULL;
  WeirSimulatorOptions run = opened->simulator_options;
  WeirGenerateVerdict verdict;
  g_autofree char *n_compared = NULL;
  gboolean is_identical;

  if (!weir_run_options_has (options, "solver") && !weir_generate_has_solver (run.solver))
    run.solver = "dormand-prince";
  if (!weir_generate_verify (opened->system, &run, (const char *const *) ports, opened->stop_time,
                             &verdict, diagnostics, &error))
    {
      weir_cli_print (diagnostics, opened->file, FALSE);
      if (error == NULL)
        return WEIR_EXIT_MODEL;
      weir_cli_complain ("%s: %s", opened->file, error->message);
      return WEIR_EXIT_RUN;
    }
  is_identical = verdict.is_identical;
  n_compared = weir_text_group_digits (verdict.n_compared);
  if (is_identical)
    weir_cli_say ("%s: identical as C with %s, %s values compared\n", opened->file, run.solver,
                  n_compared);
  else
    weir_cli_say ("%s: differs as C with %s: %s\n", opened->file, run.solver, verdict.where);
  weir_generate_verdict_clear (&verdict);
  return is_identical ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

WeirExit
weir_cli_verify (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  gboolean wants_bisection = FALSE, wants_generated = FALSE;
  const GOptionEntry more[] = {
    { "culprits", 0, 0, G_OPTION_ARG_NONE, &wants_bisection,
      "If the runs differ, search for the smallest set of entries to blame", NULL },
    { "generated", 0, 0, G_OPTION_ARG_NONE, &wants_generated,
      "Compare with the model as C instead, which a C compiler is needed for", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options, more);
  WeirExit status;

  if (!weir_cli_parse (&argc, &argv, "FILE",
                       "Runs the model twice in lockstep, with and without cache, and compares "
                       "every state and every value bit for bit.\n"
                       "Exit status: 0 identical, 1 different or the model has errors, 3 the run "
                       "failed.",
                       entries, 1, 1))
    return WEIR_EXIT_USAGE;
  status = weir_cli_model_open (&opened, argv[1], &options);
  if (status != WEIR_EXIT_OK)
    return status;
  return wants_generated ? verify_generated (&opened, &options) : verify (&opened, wants_bisection);
}

/* --- Audit ----------------------------------------------------------------------------------- */

static WeirExit
audit (const WeirCliModel *opened)
{
  g_autoptr (WeirDiagnostics) findings = weir_diagnostics_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  WeirAuditResult result;
  gboolean holds;

  if (!weir_audit (opened->system, &opened->simulator_options, opened->stop_time, NULL, &result,
                   &error))
    {
      weir_cli_complain ("%s: %s", opened->file, error->message);
      return WEIR_EXIT_RUN;
    }
  weir_audit_result_list (&result, findings);
  weir_cli_print (findings, opened->file, FALSE);
  sentence = weir_audit_result_to_string (&result);
  weir_cli_say ("%s: %s\n", opened->file, sentence);
  holds = result.n_errors == 0;
  weir_audit_result_clear (&result);
  return holds ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

WeirExit
weir_cli_audit (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options, NULL);
  WeirExit status;

  if (!weir_cli_parse (&argc, &argv, "FILE",
                       "Runs the model, notes what every calculation reads, changes each source at "
                       "several instants\nand looks what changes with it; prints what is read but "
                       "not declared, declared but not read,\nand calculations that keep memory or "
                       "write sources.\n"
                       "Exit status: 0 the declarations hold (hints included), 1 errors, 3 the run "
                       "failed.",
                       entries, 1, 1))
    return WEIR_EXIT_USAGE;
  status = weir_cli_model_open (&opened, argv[1], &options);
  return status == WEIR_EXIT_OK ? audit (&opened) : status;
}

/* --- Lessons --------------------------------------------------------------------------------- */

/* TRUE if the lesson holds. */
static gboolean
check_lesson (const char *path)
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
    all_hold &= check_lesson (argv[i]);
  return all_hold ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}
