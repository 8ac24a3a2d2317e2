/* Which derivatives can change with which states, read off the dependency graph.
 *
 * Column j lists, ascending, the states i for which xdot_i may depend on x_j, and j itself. The
 * grain is a leaf's q, v or z: a leaf whose derivatives read any of a part counts as reading all of
 * it. Declarations decide, so the pattern is never too small and may be too large. Immutable,
 * thread *any*.
 */
#pragma once

#include "numerics/rows.h"
#include "system/layout/layout.h"

G_BEGIN_DECLS

/* A compressed row for each column. NULL if the pattern has more than @most entries.
 * (transfer full) */
WeirRows *weir_layout_find_sparsity (const WeirLayout *self, gint64 most);

G_END_DECLS
