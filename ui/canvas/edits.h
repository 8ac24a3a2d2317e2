/* What an editor does to a diagram, as patches: functions from a model to an edit.
 *
 * Nothing here touches a document or a widget: each function looks at one model and returns the patch
 * with the label of its undo step, or NULL if there is nothing to do. New elements get ids from the
 * model's next id on and names that are free. Thread: *any*.
 */
#pragma once

#include "model/patch.h"
#include "paint/scene.h"

G_BEGIN_DECLS

/* The diagram that is edited. Borrowed. */
typedef struct {
  WeirModel *model;
  WeirPlace place;
} WeirSite;

typedef struct {
  WeirPatch *patch;
  char *label;       /* translated: "Move 2 blocks" */
  GArray *new_blocks; /* guint32: what to select afterwards; NULL = as it was */
} WeirEdit;

void weir_edit_free (WeirEdit *self);

WeirDiagram *weir_site_get_diagram (WeirSite site); /* NULL if there is no such place */

/* Why no wire may run from this output to this input, in one sentence; NULL if it may. Either end may
 * be missing (block 0). @ignore_wire: a wire that is about to be replaced, or 0. (transfer full) */
char *weir_edit_refuse_connection (WeirScene *scene, guint32 from, const char *output, guint32 to,
                                   const char *input, guint32 ignore_wire);

WeirEdit *weir_edit_add_block (WeirSite site, const char *type, WeirPoint position);
WeirEdit *weir_edit_connect (WeirSite site, guint32 from, const char *output, guint32 to,
                             const char *input, const WeirPoint *bends, guint n_bends);
/* Ends wire @id elsewhere, its bends forgotten. */
WeirEdit *weir_edit_reconnect (WeirSite site, guint32 id, guint32 from, const char *output,
                               guint32 to, const char *input);
WeirEdit *weir_edit_set_bends (WeirSite site, guint32 wire, const WeirPoint *bends, guint n_bends);
/* Bends of wires that lie wholly among the blocks move with them. */
WeirEdit *weir_edit_move (WeirSite site, const guint32 *blocks, guint n, WeirPoint offset);
/* Wires at removed blocks go with them. */
WeirEdit *weir_edit_delete (WeirSite site, const guint32 *blocks, guint n_blocks,
                            const guint32 *wires, guint n_wires);
/* Copies blocks, the wires among them and what is inside them. */
WeirEdit *weir_edit_duplicate (WeirSite site, const guint32 *blocks, guint n, WeirPoint offset);
/* The same with all of another diagram (a fragment). */
WeirEdit *weir_edit_paste (WeirSite site, const WeirDiagram *fragment, WeirPoint offset);
/* Turns each block about its middle. @quarters: clockwise. */
WeirEdit *weir_edit_rotate (WeirSite site, const guint32 *blocks, guint n, int quarters);
WeirEdit *weir_edit_flip (WeirSite site, const guint32 *blocks, guint n);
WeirEdit *weir_edit_rename (WeirSite site, guint32 block, const char *name);

/* Where a new block of @size fits, on the grid: @wanted or the nearest free place. */
WeirPoint weir_edit_find_room (WeirScene *scene, WeirPoint size, WeirPoint wanted);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEdit, weir_edit_free)

G_END_DECLS
