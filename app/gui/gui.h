/* The editor. Thread: *main*. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Opens the files named (or a new model) and runs until the last window is closed. */
int weir_gui_main (int argc, char **argv);

G_END_DECLS
