/* `weir audit`: what every calculation reads against what it declares. */
#include "cli/cli-private.h"

#include "analysis/audit.h"

static WeirExit
audit (const char *file, const WeirRunOptions *options)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirDiagnostics) findings = weir_diagnostics_new ();
  g_autoptr (WeirModel) read = weir_cli_read (file, diagnostics);
  g_autoptr (WeirModel) model = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
  WeirSimulatorOptions simulator_options;
  WeirAuditResult result;
  double stop_time;
  gboolean holds;

  if (read == NULL)
    return WEIR_EXIT_MODEL;
  model = weir_run_options_apply (options, read);
  if (model == NULL)
    return WEIR_EXIT_USAGE;
  system = weir_cli_complete (model, file);
  if (system == NULL)
    return WEIR_EXIT_MODEL;
  if (!weir_run_options_resolve (options, model, &simulator_options, &stop_time, NULL))
    return WEIR_EXIT_USAGE;

  if (!weir_audit (system, &simulator_options, stop_time, NULL, &result, &error))
    {
      weir_cli_complain ("%s: %s", file, error->message);
      return WEIR_EXIT_RUN;
    }
  weir_audit_result_list (&result, findings);
  weir_cli_print (findings, file, FALSE);
  sentence = weir_audit_result_to_string (&result);
  g_print ("%s: %s\n", file, sentence);
  holds = result.n_errors == 0;
  weir_audit_result_clear (&result);
  return holds ? WEIR_EXIT_OK : WEIR_EXIT_MODEL;
}

WeirExit
weir_cli_audit (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  g_autofree GOptionEntry *entries = weir_run_options_get_entries (&options, NULL);

  if (!weir_cli_parse (&argc, &argv, "FILE",
                       "Runs the model, notes what every calculation reads, changes each source at "
                       "several instants and looks what changes with it; prints what is read but "
                       "not declared, declared but not read, and calculations that keep memory or "
                       "write sources.\n"
                       "Exit status: 0 the declarations hold (hints included), 1 errors, 3 the run "
                       "failed.",
                       entries, 1, 1))
    return WEIR_EXIT_USAGE;
  return audit (argv[1], &options);
}
