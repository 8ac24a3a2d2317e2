/* What the files of the outline share: outline-panel.c follows the model and has selection and
 * keys, outline-row.c what a row shows, outline-find.c finds rows, outline-rename.c asks for a
 * name, outline-drag.c drags rows to another level.
 */
#pragma once

#include "panels/outline-panel.h"
#include "panels/outline-problems.h"

G_BEGIN_DECLS

WeirModel *weir_outline_panel_get_model (WeirOutlinePanel *self); /* (transfer none) */

/* What the first selected row is about; NULL: none is. (transfer full) */
WeirOutlineItem *weir_outline_panel_dup_selected (WeirOutlinePanel *self);
/* The widget of that row; NULL while it is out of view. */
GtkWidget *weir_outline_panel_find_selected_widget (WeirOutlinePanel *self);

/* outline-row.c: the child of a list item, a tree expander, and what it says. */
GtkWidget *weir_outline_row_new (void);
/* @problems: (nullable). */
void weir_outline_row_show (GtkListItem *list_item, const WeirOutlineProblems *problems);

/* outline-find.c: in a tree of WeirOutlineItem of @model. NULL: there is none. (transfer full) */
GtkTreeListRow *weir_outline_find_block (GtkTreeListModel *tree, WeirModel *model, guint32 block);
/* At its source, if it has one. */
GtkTreeListRow *weir_outline_find_wire (GtkTreeListModel *tree, WeirModel *model, guint32 wire);

/* outline-drag.c: a row's expander, and the list that they are in. */
void weir_outline_add_row_drag (GtkWidget *expander);
void weir_outline_add_view_drop (GtkWidget *view);

G_END_DECLS
