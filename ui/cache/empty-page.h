/* What a page says while it has nothing to show: a title and how to come to something. Thread:
 * *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* @below: (nullable) (transfer full): a button under the text. */
GtkWidget *weir_empty_page_new (const char *title, const char *text, GtkWidget *below);

G_END_DECLS
