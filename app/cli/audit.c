/* `weir audit`: what every calculation reads against what it declares. */
#include "cli/cli-private.h"

#include "analysis/audit.h"

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
