/* `weir check`: every problem of every file, one line each. */
#include "cli/cli-private.h"

#include "model/completion.h"

WeirExit
weir_cli_check (int argc, char **argv)
{
  WeirExit status = WEIR_EXIT_OK;

  if (!weir_cli_parse (&argc, &argv, "FILE...",
                       "Prints each problem as FILE:LINE: severity[CODE]: block path: text, and "
                       "nothing where there is none.\nExit status: 0 no errors, 1 errors.",
                       NULL, 1, G_MAXINT))
    return WEIR_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    {
      g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
      g_autoptr (WeirModel) model = weir_cli_read (argv[i], diagnostics);
      g_autoptr (WeirSystem) system = NULL;

      if (model != NULL)
        {
          g_autoptr (GFile) place = g_file_new_for_commandline_arg (argv[i]);

          system = weir_model_complete_beside (model, place, diagnostics);
          weir_cli_print (diagnostics, argv[i], FALSE);
        }
      if (weir_diagnostics_has_errors (diagnostics))
        status = WEIR_EXIT_MODEL;
    }
  return status;
}
