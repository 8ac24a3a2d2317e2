/* Which derivatives can change with which states, read off the dependency graph, element by
 * element.
 *
 * Column j lists, ascending, the states i for which xdot_i may depend on x_j, and j itself.
 * Declarations decide (prerequisites, patterns, operands of kernels), so the pattern is never too
 * small and may be too large. Immutable, thread *any*.
 */
#pragma once

#include "numerics/rows.h"
#include "system/layout/layout.h"

G_BEGIN_DECLS

/* A compressed row for each column. NULL if the pattern has more than @most entries.
 * (transfer full) */
WeirRows *weir_layout_find_sparsity (const WeirLayout *self, gint64 most);

/* The same with algebraic loops open: beside the states stand the signals that loops are cut at,
 * and beside their derivatives what comes back less these (weir_eval_open_loops()). */
WeirRows *weir_layout_find_open_sparsity (const WeirLayout *self, gint64 most);

G_END_DECLS
