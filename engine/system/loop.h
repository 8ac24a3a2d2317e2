/* Algebraic loops as a run sees them; how they are solved is in loop-private.h.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/context.h"
#include "system/system.h"

G_BEGIN_DECLS

guint weir_layout_get_n_loops (const WeirLayout *self);

/* Moves the place where Newton's method begins to the present solution, for every loop: at the start
 * of a run and at accepted steps. One change event, or none where nothing moved. WEIR_FAILED if a loop
 * has no solution now. */
WeirStatus weir_context_move_loop_starts (WeirSystem *root, WeirContext *context);

G_END_DECLS
