/* The editor. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Opens the files named (or a new model) and runs until the last window is closed. */
int weir_gui_main (int argc, char **argv);

/* What windows need of their application beside its actions: accelerators, style, icon.
 * For tests. */
void weir_gui_init (GtkApplication *application);

/* The style sheet, for all windows on the default display, from here on; its colours follow the
 * colour scheme and high contrast. Once in the life of the program. */
void weir_style_apply (void);

G_END_DECLS
