/* `weir check`: every problem of every file, model or FMU, one line each. */
#include "cli/cli-private.h"

#include "model/completion/completion.h"

#include <string.h>

/* "units,components"; FALSE after saying what is wrong. */
static gboolean
parse_checks (const char *text, WeirChecks *checks)
{
  static const struct {
    const char *name;
    WeirChecks checks;
  } groups[] = {
    { "components", WEIR_CHECKS_COMPONENTS },
    { "units", WEIR_CHECKS_UNITS },
    { "dependencies", WEIR_CHECKS_DEPENDENCIES },
    { "all", WEIR_CHECKS_ALL },
    { "none", WEIR_CHECKS_NONE },
  };
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  *checks = WEIR_CHECKS_NONE;
  for (guint i = 0; names[i] != NULL; i++)
    {
      guint k = 0;

      while (k < G_N_ELEMENTS (groups) && strcmp (groups[k].name, names[i]) != 0)
        k++;
      if (k == G_N_ELEMENTS (groups))
        {
          weir_cli_complain (
              "--checks: \"%s\" is none of components, units, dependencies, all, none", names[i]);
          return FALSE;
        }
      *checks |= groups[k].checks;
    }
  return TRUE;
}

/* FALSE: it has errors. */
static gboolean
check_model (const char *name, WeirChecks checks)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  g_autoptr (WeirModel) model = weir_cli_read (name, diagnostics);

  if (model != NULL)
    {
      g_autoptr (WeirSystem) system = weir_model_check (model, checks, diagnostics);

      weir_cli_print (diagnostics, name, FALSE);
    }
  return !weir_diagnostics_has_errors (diagnostics);
}

WeirExit
weir_cli_check (int argc, char **argv)
{
  g_autofree char *groups = NULL;
  const GOptionEntry entries[] = {
    { "checks", 0, 0, G_OPTION_ARG_STRING, &groups,
      "What to check beyond errors that leave nothing to run: components, units, dependencies; all "
      "(the default), none",
      "GROUP,..." },
    { 0 },
  };
  WeirChecks checks = WEIR_CHECKS_ALL;
  WeirExit status = WEIR_EXIT_OK;

  if (!weir_cli_parse (&argc, &argv, "FILE...",
                       "Prints each problem as FILE:LINE: severity[CODE]: block path: text, and "
                       "nothing where there is none.\nExit status: 0 no errors, 1 errors.",
                       entries, 1, G_MAXINT))
    return WEIR_EXIT_USAGE;
  if (groups != NULL && !parse_checks (groups, &checks))
    return WEIR_EXIT_USAGE;
  for (int i = 1; i < argc; i++)
    if (weir_cli_is_fmu (argv[i]) ? !weir_cli_check_fmu (argv[i]) : !check_model (argv[i], checks))
      status = WEIR_EXIT_MODEL;
  return status;
}
