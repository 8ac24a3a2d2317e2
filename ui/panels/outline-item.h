/* WeirOutlineItem: a row of the outline: a block, one of its ports with the wire at it, or a note.
 *
 * The rows of a level are its blocks and then its notes; those within a block are its ports, an
 * output once for each wire that leaves it, and then, in a Subsystem, the rows of the level inside.
 * What a block holds is listed when it is asked for, and kept up to date from then on. Thread:
 * *main*.
 */
#pragma once

#include <gio/gio.h>

#include "model/tree/model.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_OUTLINE_BLOCK,
  WEIR_OUTLINE_PORT,
  WEIR_OUTLINE_NOTE,
} WeirOutlineKind;

/* What a row is about. Borrowed. */
typedef struct {
  WeirOutlineKind kind;
  guint32 id;   /* of the block, of the block that has the port, or of the note */
  guint32 wire; /* at the port; 0 = none */
  const char *port;
  gboolean is_output;
} WeirOutlineRow;

#define WEIR_TYPE_OUTLINE_ITEM (weir_outline_item_get_type ())
G_DECLARE_FINAL_TYPE (WeirOutlineItem, weir_outline_item, WEIR, OUTLINE_ITEM, GObject)

const WeirOutlineRow *weir_outline_item_get_row (WeirOutlineItem *self);
/* The block of the row, or the one that has the port; NULL for a note. (transfer none) */
WeirBlock *weir_outline_item_get_block (WeirOutlineItem *self);

/* "Gain1", "u ← Sine1.y", the first line of a note. (transfer full) */
char *weir_outline_item_dup_title (WeirOutlineItem *self);
/* For screen readers: what it is and what it is wired to. (transfer full) */
char *weir_outline_item_dup_description (WeirOutlineItem *self);

/* WeirOutlineItem of what the row holds; NULL if it can hold nothing. (transfer none) */
GListStore *weir_outline_item_get_children (WeirOutlineItem *self);

/* The block as it is in @model, where edits that change no row came in between. TRUE if it is
 * another than before. */
gboolean weir_outline_item_follow (WeirOutlineItem *self, WeirModel *model);
/* Makes @store the rows of a level. Rows of what stays keep their place, and what is known inside
 * them. */
void weir_outline_update_level (GListStore *store, WeirDiagram *diagram);

G_END_DECLS
