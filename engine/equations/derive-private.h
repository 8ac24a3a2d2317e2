/* Rules of differentiation (derive.c), used by jacobian.c. */
#pragma once

#include "equations/simplify.h"

G_BEGIN_DECLS

/* The derivative of the operation @e from the derivatives @d of its first three arguments (0 for
 * those that it does not have). */
WeirExpr weir_derive_operation (WeirExprPool *pool, WeirExpr e, const WeirExpr *d);
/* Its value is level, piece by piece: the derivative is 0 wherever there is one. */
gboolean weir_derive_is_level (WeirOp op);

G_END_DECLS
