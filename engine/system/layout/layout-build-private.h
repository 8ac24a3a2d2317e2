/* How a layout is built, step by step, in the order of these functions (layout.c calls them).
 *
 * Before numbering, entries have provisional numbers: nodes in tree order, a node's entries in
 * order of declaration. weir_layout_number() gives the final ones; everything after it uses those.
 */
#pragma once

#include "system/layout/layout-private.h"

G_BEGIN_DECLS

typedef struct {
  WeirLayout *layout;
  /* By provisional entry. */
  guint32 *node_of, *local_of;
  const WeirEntryDecl **decls;
  guint32 *up_first, *ups;
  guint32 *operand_keys; /* numbering.c */
  guint32 *level;
  guint64 *class_hash; /* high half: the kind (weir_class_kind()); low half: its refinement */
  guint32 *rank;       /* provisional -> final */
} WeirLayoutBuilder;

/* Entries of one kind have equal code and kinds of operand, and are alike in whether the root's
 * derivatives need them. */
static inline guint32
weir_class_kind (guint64 class_hash)
{
  return (guint32) (class_hash >> 32);
}

/* The origin of a primary ticket of a node, with provisional and with final numbers of entries;
 * FALSE for "nothing". */
gboolean weir_layout_origin_of_ticket (const WeirLayout *self, guint32 node, guint16 ticket,
                                       WeirOrigin *origin);
gboolean weir_layout_final_origin (const WeirLayout *self, guint32 node, guint16 ticket,
                                   WeirOrigin *origin);

/* loop-layout.c: the members of each algebraic loop; adds what they read to what its solution
 * reads. Then gives the loops final numbers. */
void weir_layout_find_loops (WeirLayoutBuilder *b);
void weir_layout_renumber_loops (WeirLayout *self);
/* numbering.c: numbers the entries by level and class. */
void weir_layout_number (WeirLayoutBuilder *b);
/* layout-slots.c: gives out the arena; then addresses the operands of kernels. */
void weir_layout_give_slots (WeirLayout *self);
/* segments.c: cuts runs of entries that one kernel call can do. */
void weir_layout_cut_segments (WeirLayoutBuilder *b);
/* layout-rows.c: the dependents of each source and entry, and the inputs that need a value. */
void weir_layout_write_rows (WeirLayout *self);
/* layout-slots.c: the flags and counters at the end of the arena. */
void weir_layout_give_counters (WeirLayout *self);

G_END_DECLS
