/* The program as it is called: the command line, without what it takes to draw; whatever draws or
 * opens a window is another program, which takes this one's place.
 */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <unistd.h>

#include "base/program.h"
#include "cli/cli.h"

int
main (int argc, char **argv)
{
  gboolean handled = FALSE;
  int status;
  g_autofree char *display = NULL;

  setlocale (LC_ALL, "");
  status = weir_cli_main (argc, argv, NULL, &handled);
  if (handled)
    return status;
  display = weir_program_find ("weir-display");
  execv (display, argv);
  fprintf (stderr, "weir: %s, which draws and opens windows, does not start: %s\n", display,
           g_strerror (errno));
  return 2;
}
