/* One step of differentiation, for derive.c and jacobian.c. */
#pragma once

#include "equations/simplify.h"

G_BEGIN_DECLS

/* The derivative of the operation @e, no atom, whose operands have the derivatives @d: of the first
 * three, 0 where there are fewer. */
WeirExpr weir_derive_operation (WeirExprPool *pool, WeirExpr e, const WeirExpr *d);

G_END_DECLS
