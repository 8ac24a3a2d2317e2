/* A button with a picture only: what it does is its tooltip, and its name for screen readers.
 * Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @action: (nullable) what it activates. */
GtkWidget *weir_icon_button_new (const char *icon, const char *action, const char *text);

G_END_DECLS
