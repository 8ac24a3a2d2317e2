/* The chain rule along the dependency graph: the Jacobian from the slopes that leaves declare.
 *
 * Between the states and the derivatives of a leaf may stand entries of other leaves. Where all of
 * them have slopes (weir_leaf_set_slopes()) the rows of that leaf's derivatives are *known*: sums
 * of products of slopes, row by row in the order of evaluation. The others are left to differences.
 * Rows that are known are those of the wiring: what passes an input that is fixed against it is
 * not.
 *
 * The plan is immutable, thread *any*; the values in it belong to one thread (*owner*).
 */
#pragma once

#include "system/context/context.h"
#include "system/layout/layout.h"
#include "numerics/rows.h"

G_BEGIN_DECLS

typedef struct _WeirChain WeirChain;

/* @pattern: weir_layout_find_sparsity(). NULL if no row is known. (transfer full) */
WeirChain *weir_chain_new (WeirLayout *layout, const WeirRows *pattern);
void weir_chain_free (WeirChain *self);

/* Are the derivatives of state @i known? */
gboolean weir_chain_knows_row (const WeirChain *self, guint32 i);

/* The entries whose values are the slopes, and where these go (weir_eval_entries_at()). */
guint weir_chain_get_slopes (const WeirChain *self, const WeirEntry **entries,
                             double *const **values);

/* Does the wiring hold in @context, where inputs may be fixed? */
gboolean weir_chain_holds (const WeirChain *self, const WeirContext *context);

/* Once the slopes are there: writes the known rows into @values, which lie like the pattern's
 * items. FALSE if one of them is no finite number. */
gboolean weir_chain_calc (WeirChain *self, double *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirChain, weir_chain_free)

G_END_DECLS
