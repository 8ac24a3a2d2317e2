/* What the files of edits share. */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

WeirEdit *weir_edit_new (char *label); /* @label: taken over */
/* NULL for NULL and for an edit without changes, which is freed. */
WeirEdit *weir_edit_finish (WeirEdit *self);
WeirBlock *weir_site_find_block (WeirSite site, guint32 id); /* (transfer none) */
void weir_edit_put_block (WeirEdit *self, WeirSite site, WeirBlock *block);
void weir_edit_put_wire (WeirEdit *self, WeirSite site, WeirWire *wire);

GHashTable *weir_id_set_new (const guint32 *ids, guint n);
gboolean weir_id_set_has (GHashTable *set, guint32 id);

/* The wires at a block, or all of a diagram for 0: GPtrArray of WeirWire, each with a reference. */
GPtrArray *weir_diagram_list_wires (const WeirDiagram *diagram, guint32 block);
GPtrArray *weir_diagram_list_blocks (const WeirDiagram *diagram); /* WeirBlock */
GPtrArray *weir_diagram_list_notes (const WeirDiagram *diagram);  /* WeirNote */
/* The wire that ends at this input, or NULL. (transfer none) */
WeirWire *weir_diagram_find_wire_into (const WeirDiagram *diagram, guint32 block,
                                       const char *input);
/* @wire with bends and free ends moved by @offset. (transfer full) */
WeirWire *weir_wire_shifted (WeirWire *wire, WeirPoint offset);
WeirRect weir_block_get_box (const WeirBlock *block);

G_END_DECLS
