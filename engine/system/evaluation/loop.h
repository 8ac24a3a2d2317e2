/* What is looked for, as a run sees it: where the searches of algebraic loops and other leaves
 * begin (weir_leaf_set_start()), and the loops themselves; how they are solved is in
 * shape-private.h.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

guint weir_layout_get_n_loops (const WeirLayout *self);
guint weir_layout_get_n_starts (const WeirLayout *self);

/* Moves the places where searches begin to the present solutions: at the start of a run and at
 * accepted steps. One change event, or none where nothing moved. WEIR_FAILED if something has no
 * solution now. */
WeirStatus weir_context_move_starts (WeirSystem *root, WeirContext *context);

/* The signals that loops are cut at, all together. */
guint weir_layout_get_n_loop_unknowns (const WeirLayout *self);
/* Where Newton's method begins: all of them, loop by loop. */
void weir_context_get_loop_starts (const WeirContext *context, double *z);

/* weir_eval_rhs() with the loops open: their signals are @z instead of a solution; @r: (out) what
 * comes back less @z, 0 at a solution. */
WeirStatus weir_eval_open_loops (WeirSystem *root, WeirContext *context, double time,
                                 const double *x, const double *z, double *xdot, double *r);

G_END_DECLS
