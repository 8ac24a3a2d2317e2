/* WeirPalettePanel: the block library, by category, with search. Rows are dragged onto the canvas,
 * or added by a double click or Return.
 *
 * Signal "add-block" (const char *type). Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_PALETTE_PANEL (weir_palette_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirPalettePanel, weir_palette_panel, WEIR, PALETTE_PANEL, GtkWidget)

/* What the dragged text begins with; the type's name follows. */
void weir_palette_panel_set_drop_prefix (WeirPalettePanel *self, const char *drop_prefix);
/* Reads the parts that users have written, those in @folder (NULL: none) included, in a thread, and
 * shows them among the others. */
void weir_palette_panel_read_parts (WeirPalettePanel *self, const char *folder);
/* Puts the keyboard into the search entry. */
void weir_palette_panel_focus_search (WeirPalettePanel *self);

G_END_DECLS
