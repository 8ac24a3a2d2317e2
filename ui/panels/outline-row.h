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

G_END_DECLS
