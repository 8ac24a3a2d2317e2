/* The command line: everything that Weir does without a window.
 *
 * Problems and results go to standard output, progress and failures to standard error. Exit codes:
 * 0 fine (warnings and hints included); 1 the model has errors, differs or cannot be read; 2 usage;
 * 3 the run failed or its results cannot be written. Thread: *main*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Runs `weir COMMAND ...`, `weir --help` and `weir --version` and returns the exit code. @handled:
 * FALSE if the arguments are none of these but files to open, or nothing. */
int weir_cli_main (int argc, char **argv, gboolean *handled);

G_END_DECLS
