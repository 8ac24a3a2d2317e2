/* All physical lines of a diagram while some of them go.
 *
 * Where others end on one that goes, these stay one node: one of them takes its place. Where a
 * two-pole goes that was in series, what it joined is joined. Thread: *owner*.
 */
#pragma once

#include "model/tree/patch.h"

G_BEGIN_DECLS

typedef struct _WeirLineWork WeirLineWork;

/* @diagram: borrowed; NULL: one that has none yet. */
WeirLineWork *weir_line_work_new (const WeirDiagram *diagram);
void weir_line_work_free (WeirLineWork *self);

/* In order of id. (transfer full) (element-type WeirWire) */
GPtrArray *weir_line_work_list (WeirLineWork *self);

void weir_line_work_remove (WeirLineWork *self, guint32 line);
void weir_line_work_remove_block (WeirLineWork *self, WeirBlock *block);
/* @line as it will be, new or changed. */
void weir_line_work_set (WeirLineWork *self, WeirWire *line);
/* Takes it out and leaves what ends on it as it is. */
void weir_line_work_take (WeirLineWork *self, guint32 line);
/* What ends on line @id, which there is not, is one node; one that does so alone goes. */
void weir_line_work_merge (WeirLineWork *self, guint32 id);
/* Of the lines at a pin, those go that join it with what it is joined with without them. */
void weir_line_work_prune (WeirLineWork *self, WeirWireEnd pin);
/* Only what joins pins of these blocks stays; pins of them that were one node still are. @blocks: a
 * set of ids, as pointers. */
void weir_line_work_keep_blocks (WeirLineWork *self, GHashTable *blocks);
/* What is not as it is in the diagram. */
void weir_line_work_put (WeirLineWork *self, WeirPatch *patch, WeirPlace place);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLineWork, weir_line_work_free)

G_END_DECLS
