/* A row of the outline: the child of a list item, a tree expander, and what it says. Thread:
 * *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "panels/outline-problems.h"

G_BEGIN_DECLS

GtkWidget *weir_outline_row_new (void);
/* @problems: (nullable). */
void weir_outline_row_show (GtkListItem *list_item, const WeirOutlineProblems *problems);

/* Its expander, and the list that rows are in, can be dragged to and from. */
void weir_outline_add_row_drag (GtkWidget *expander, GtkWidget *panel);
void weir_outline_add_view_drop (GtkWidget *view, GtkWidget *panel);

G_END_DECLS
