/* What a page says while it has nothing to show: a title and how to come to something. Thread:
 * *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @text: (nullable). @below: (nullable) (transfer full): what is under the text. */
GtkWidget *weir_empty_page_new (const char *title, const char *text, GtkWidget *below);

G_END_DECLS
