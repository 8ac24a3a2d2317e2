/* The program as far as it draws: pictures for the command line, and the editor. */
#include <locale.h>
#include <stdio.h>

#include "charts/analysis-chart.h"
#include "cli/cli.h"
#include "config.h"
#if WEIR_HAVE_GUI
#include "gui/shell/gui.h"
#endif
#include "paint/drawing/picture.h"
#include "paint/plots/plot.h"

static gboolean
check_path (const char *path, GError **error)
{
  WeirPictureFormat format;

  return weir_picture_find_format (path, &format, error);
}

static gboolean
write_diagram (WeirDiagram *diagram, GHashTable *late, const char *path, gboolean dark,
               GError **error)
{
  return weir_diagram_write_file (diagram, late, path, weir_palette_find (dark, FALSE), error);
}

int
main (int argc, char **argv)
{
  const WeirCliPainter painter = { check_path, write_diagram, weir_plot_write, weir_answer_write };
  gboolean handled = FALSE;
  int status;

  setlocale (LC_ALL, "");
  status = weir_cli_main (argc, argv, &painter, &handled);
  if (handled)
    return status;
#if WEIR_HAVE_GUI
  return weir_gui_main (argc, argv);
#else
  fputs ("weir: this build has no window; see weir --help for the commands\n", stderr);
  return 2;
#endif
}
