/* A drop-down whose button may be narrower than its text, which it then shortens; the list shows
 * all of it. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @strings: (nullable) (transfer full). @label: for a tooltip and assistive technology. */
GtkWidget *weir_choice_new (GtkStringList *strings, const char *label);

G_END_DECLS
