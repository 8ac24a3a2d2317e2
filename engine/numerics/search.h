/* Finding a solution from far away, at the start of a run or of equations without time: KINSOL's
 * Newton iteration with a line search, then Newton's method of newton.h, which ends where rounding
 * does. What it finds is what a run finds again from there. Allocates. Thread: *any*.
 */
#pragma once

#include "numerics/newton.h"

G_BEGIN_DECLS

/* @x: n values: start, then solution; unchanged where none is found but for the last place of the
 * search. */
WeirNewtonOutcome weir_search_solve (const WeirNewton *newton, double *x);

G_END_DECLS
