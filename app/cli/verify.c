/* `weir verify`: the same run with and without cache, compared bit for bit. */
#include "cli/cli-private.h"

#include "analysis/bisection.h"
#include "model/completion/completion.h"

static WeirExit
verify (const WeirCliModel *opened, gboolean wants_bisection)
{
  const WeirSimulatorOptions *options = &opened->simulator_options;
  const char *file = opened->file;
  g_autoptr (GError) error = NULL;
  g_autofree char *sentence = NULL;
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
  weir_cli_say ("%s: %" G_GUINT64_FORMAT " hits cached, %" G_GUINT64_FORMAT
                " hits uncached, %" G_GUINT64_FORMAT " steps\n",
                file, result->cached_hits, result->uncached_hits, result->n_steps);
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

WeirExit
weir_cli_verify (int argc, char **argv)
{
  g_auto (WeirRunOptions) options = { 0 };
  g_auto (WeirCliModel) opened = { 0 };
  gboolean wants_bisection = FALSE;
  const GOptionEntry more[] = {
    { "culprits", 0, 0, G_OPTION_ARG_NONE, &wants_bisection,
      "If the runs differ, search for the smallest set of entries to blame", NULL },
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
  return status == WEIR_EXIT_OK ? verify (&opened, wants_bisection) : status;
}
