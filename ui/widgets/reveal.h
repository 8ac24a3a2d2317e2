/* Scrolling to a widget that has only just been shown, or changed its size. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Brings @target, which is within @scrolled, into view with @margin pixels around it; of what is
 * larger than the view, its beginning. Later, once it is laid out; the last call counts. */
void weir_reveal (GtkWidget *scrolled, GtkWidget *target, int margin);

G_END_DECLS
