/* The style sheet of the windows. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For all windows on the default display, from here on; its colours follow the colour scheme and
 * high contrast. Once in the life of the program. */
void weir_style_apply (void);

G_END_DECLS
