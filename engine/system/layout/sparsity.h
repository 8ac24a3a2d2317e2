/* Which derivatives can change with which states, read off the dependency graph.
 *
 * Column j lists, ascending, the states i for which xdot_i may depend on x_j, and j itself. The
 * grain is a leaf's q, v or z: a leaf whose derivatives read any of a part counts as reading all of
 * it. Declarations decide, so the pattern is never too small and may be too large. Immutable,
 * thread *any*.
 */
#pragma once

#include "system/layout/layout.h"

G_BEGIN_DECLS

typedef struct {
  guint n;       /* states; rows and columns */
  gint64 *first; /* n + 1: column j is rows[first[j]] .. rows[first[j + 1] - 1] */
  gint64 *rows;
} WeirSparsity;

/* NULL if the pattern has more than @most entries. (transfer full) */
WeirSparsity *weir_layout_find_sparsity (const WeirLayout *self, gint64 most);
void weir_sparsity_free (WeirSparsity *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSparsity, weir_sparsity_free)

G_END_DECLS
