/* A set of selected blocks, wires and notes of one diagram.
 *
 * Ids ascend. The serial grows with every real change, so that an owner can tell whether anything
 * happened. Thread: *owner*.
 */
#pragma once

#include "canvas/edits/edits.h"

G_BEGIN_DECLS

typedef struct {
  GArray *ids[WEIR_N_SELECT_KINDS]; /* guint32, ascending */
  guint serial;
} WeirSelection;

void weir_selection_init (WeirSelection *self);
void weir_selection_clear_memory (WeirSelection *self);

gboolean weir_selection_contains (const WeirSelection *self, WeirSelectKind kind, guint32 id);
const guint32 *weir_selection_get (const WeirSelection *self, WeirSelectKind kind, guint *n);

/* Everything, borrowed until the selection changes. */
WeirElements weir_selection_get_elements (const WeirSelection *self);

void weir_selection_set_none (WeirSelection *self);
void weir_selection_set_one (WeirSelection *self, WeirSelectKind kind, guint32 id);
void weir_selection_add (WeirSelection *self, WeirSelectKind kind, guint32 id);
void weir_selection_remove (WeirSelection *self, WeirSelectKind kind, guint32 id);
/* Replaces everything. Arrays of guint32 in any order, each may be NULL. */
void weir_selection_set (WeirSelection *self, const GArray *blocks, const GArray *wires,
                         const GArray *notes);
/* Drops what @diagram (nullable) does not have. */
void weir_selection_prune (WeirSelection *self, const WeirDiagram *diagram);

G_END_DECLS
