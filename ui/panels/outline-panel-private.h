/* What the files of the outline share: outline-panel.c follows the model and has the keys,
 * outline-selection.c says and sets which rows are selected, outline-row.c has what a row shows and
 * what is done to it. */
#pragma once

#include "panels/outline-panel.h"
#include "panels/outline-problems.h"

G_BEGIN_DECLS

#define WEIR_OUTLINE_N_OPENED 500 /* rows that are open at first at most */

struct _WeirOutlinePanel {
  GtkWidget parent;
  WeirDocument *document;
  gulong changed_handler;
  GListStore *roots;
  GtkTreeListModel *tree;
  GtkMultiSelection *selection;
  gulong selected_handler;
  GtkWidget *view, *hint;
  GHashTable *bound;             /* GtkListItem that show a row; borrowed */
  WeirOutlineProblems *problems; /* or NULL */
  gboolean is_emitting;
};

/* outline-selection.c */
WeirModel *weir_outline_panel_get_model (WeirOutlinePanel *self); /* (transfer none) */

/* What the first selected row is about; NULL: none is. (transfer full) */
WeirOutlineItem *weir_outline_panel_dup_selected (WeirOutlinePanel *self);
/* The widget of that row; NULL while it is out of view. */
GtkWidget *weir_outline_panel_find_selected_widget (WeirOutlinePanel *self);

/* outline-row.c: the child of a list item, a tree expander, and what it says. */
GtkWidget *weir_outline_row_new (void);
/* @problems: (nullable). */
void weir_outline_row_show (GtkListItem *list_item, const WeirOutlineProblems *problems);

/* Its expander, and the list that rows are in, can be dragged to and from. */
void weir_outline_add_row_drag (GtkWidget *expander, GtkWidget *panel);
void weir_outline_add_view_drop (GtkWidget *view, GtkWidget *panel);

G_END_DECLS
