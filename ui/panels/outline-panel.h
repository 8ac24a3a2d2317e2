/* WeirOutlinePanel: the model as a tree: every block with its ports and wires, Subsystems with what
 * is in them, and notes: a way to read and to edit all of it by keyboard and screen reader.
 *
 * It follows the document; rows of what stays keep their place and stay open. Several rows can be
 * selected. It changes nothing itself. Thread: *main*.
 *
 * Signals:
 *   "selection-changed" ()                    the user chose other rows
 *   "activated" ()                            Return or a double click on the row
 *   "key" (guint keyval, guint modifiers) -> gboolean   pressed on a row; TRUE: it meant something
 *   "renamed" (guint block, const char *name)
 *   "moved" (guint level)   the selected blocks were dragged to that Subsystem, 0 = the root
 */
#pragma once

#include <gtk/gtk.h>

#include "model/document/document.h"
#include "panels/outline-item.h"

G_BEGIN_DECLS

#define WEIR_TYPE_OUTLINE_PANEL (weir_outline_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirOutlinePanel, weir_outline_panel, WEIR, OUTLINE_PANEL, GtkWidget)

/* What it shows; once, if it was made without. */
void weir_outline_panel_set_document (WeirOutlinePanel *self, WeirDocument *document);

/* Shows what is selected elsewhere, opening what it is in. Emits nothing; does nothing while
 * "selection-changed" is being emitted. */
void weir_outline_panel_select_blocks (WeirOutlinePanel *self, const guint32 *blocks, guint n);
void weir_outline_panel_select_wire (WeirOutlinePanel *self, guint32 wire);

/* Rows get a mark and the sentences of what is wrong with them. NULL: nothing is known. */
void weir_outline_panel_set_diagnostics (WeirOutlinePanel *self, WeirDiagnostics *diagnostics);

/* Ids of the selected blocks. (transfer full) */
GArray *weir_outline_panel_get_blocks (WeirOutlinePanel *self);
/* The selected row, the first of several; FALSE if there is none. */
gboolean weir_outline_panel_get_row (WeirOutlinePanel *self, WeirOutlineRow *row);
/* Where it stands among the rows that can be seen, and going back there (or to the last row). */
guint weir_outline_panel_get_position (WeirOutlinePanel *self);
void weir_outline_panel_set_position (WeirOutlinePanel *self, guint position);

/* Asks for a new name of the selected block; "renamed" tells it. */
void weir_outline_panel_ask_name (WeirOutlinePanel *self);
/* Gives the keyboard to the selected row, or the first. */
void weir_outline_panel_focus (WeirOutlinePanel *self);
/* How many rows can be seen by scrolling, for tests. */
guint weir_outline_panel_get_n_rows (WeirOutlinePanel *self);

G_END_DECLS
