/* The command line: everything that Weir does without a window.
 *
 * Problems and results go to standard output, progress and failures to standard error. Exit codes:
 * 0 fine (warnings and hints included); 1 the model has errors, differs or cannot be read; 2 usage;
 * 3 the run failed or its results cannot be written. Thread: *main*.
 */
#pragma once

#include "analysis/analyst.h"
#include "model/tree/model.h"
#include "sim/recorder.h"

G_BEGIN_DECLS

/* Who draws. What that takes to load is several times as much as all the rest. */
typedef struct {
  /* FALSE and @error if no picture can be written there: its suffix is not that of one. */
  gboolean (*check_path) (const char *path, GError **error);
  /* @late: ids of the wires whose values come an instant late, as pointers, or NULL. */
  gboolean (*write_diagram) (WeirDiagram *diagram, GHashTable *late, const char *path,
                             gboolean dark, GError **error);
  gboolean (*write_plot) (WeirRecorder *recorder, const char *path, GError **error);
  /* @picture: "bode", "nyquist", "nichols", "poles", "locus", "step" or "impulse". */
  gboolean (*write_analysis) (const WeirLinearAnswer *answer, const char *picture, const char *path,
                              gboolean dark, GError **error);
} WeirCliPainter;

/* Runs `weir COMMAND ...`, `weir --help` and `weir --version` and returns the exit code. @painter:
 * NULL = nobody here draws. @handled: FALSE, with nothing done, if the arguments are none of these
 * but files to open, or nothing, or if something is to be drawn that nobody here draws. */
int weir_cli_main (int argc, char **argv, const WeirCliPainter *painter, gboolean *handled);

G_END_DECLS
