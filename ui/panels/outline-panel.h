/* WeirOutlinePanel: every block of the model as a tree, Subsystems with what is in them: a way to see and to
 * reach all of it by keyboard and screen reader.
 *
 * It follows the document; rows of blocks that stay keep their place and stay open. Signal "go-to"
 * (guint block): the user chose the row of this block. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/document.h"

G_BEGIN_DECLS

#define WEIR_TYPE_OUTLINE_PANEL (weir_outline_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirOutlinePanel, weir_outline_panel, WEIR, OUTLINE_PANEL, GtkWidget)

GtkWidget *weir_outline_panel_new (WeirDocument *document);
/* Shows which block is selected elsewhere; 0: none. Does not emit "go-to". */
void weir_outline_panel_set_selected (WeirOutlinePanel *self, guint32 block);
/* How many rows can be seen by scrolling, for tests. */
guint weir_outline_panel_get_n_rows (WeirOutlinePanel *self);

G_END_DECLS
