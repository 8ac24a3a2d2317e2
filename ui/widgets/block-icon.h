/* The pictogram of a type of block, as lists have it. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @type: its name, or NULL: nothing yet. Size in pixels. */
GtkWidget *weir_block_icon_new (const char *type, int width, int height);
void weir_block_icon_set_type (GtkWidget *icon, const char *type);

G_END_DECLS
