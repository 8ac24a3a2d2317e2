/* The program: the command line answers what it can, the editor opens for the rest. */
#include <locale.h>
#include <stdio.h>

#include "cli/cli.h"
#include "config.h"
#if WEIR_HAVE_GUI
#include "gui/shell/gui.h"
#endif

int
main (int argc, char **argv)
{
  gboolean handled = FALSE;
  int status;

  setlocale (LC_ALL, "");
  status = weir_cli_main (argc, argv, &handled);
  if (handled)
    return status;
#if WEIR_HAVE_GUI
  return weir_gui_main (argc, argv);
#else
  fputs ("weir: this build has no window; see weir --help for the commands\n", stderr);
  return 2;
#endif
}
