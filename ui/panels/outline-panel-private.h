/* What the files of the outline share: outline-panel.c has rows, selection and keys, outline-drag.c
 * rows that are dragged to another level. */
#pragma once

#include "panels/outline-panel.h"

G_BEGIN_DECLS

WeirModel *weir_outline_panel_get_model (WeirOutlinePanel *self); /* (transfer none) */

/* outline-drag.c: a row's expander, and the list that they are in. */
void weir_outline_add_row_drag (GtkWidget *expander);
void weir_outline_add_view_drop (GtkWidget *view);

G_END_DECLS
