/* Room around a widget. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* At either side, and above and below, in pixels. */
void weir_set_margins (GtkWidget *widget, int sides, int ends);

G_END_DECLS
