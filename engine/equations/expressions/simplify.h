/* Symbolic simplification and differentiation.
 *
 * Simplifying keeps the value wherever the original has one: constants are folded with the very
 * operations that programs use, zeros and ones vanish, like terms are collected. It does not
 * keep every bit (2*(3*x) becomes 6*x), and 0*x is 0 even where x is infinite.
 * Thread: *owner* of the pool.
 */
#pragma once

#include "equations/expressions/expression.h"

G_BEGIN_DECLS

/* A node as weir_expr_make() makes it, simplified; @args are taken to be simple already. */
WeirExpr weir_simplify_make (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args);
WeirExpr weir_simplify_make_1 (WeirExprPool *pool, WeirOp op, WeirExpr a);
WeirExpr weir_simplify_make_2 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b);

/* What is positive where @condition, made of comparisons by size and of and, or, not, holds, and
 * passes zero where that changes: of "a and b" the smaller margin, of "a or b" the larger. FALSE:
 * it is made of something else. */
gboolean weir_expr_find_margin (WeirExprPool *pool, WeirExpr condition, WeirExpr *margin);
/* @difference on the side of @sign where it is 0, and no other than it is elsewhere: a comparison
 * that holds where its sides are equal has not become true as they part. */
WeirExpr weir_expr_put_beside_zero (WeirExprPool *pool, WeirExpr difference, double sign);

/* The operation on numbers. @op: scalar, not TABLE or SLOPE, or one that only programs have;
 * operands it does not take are ignored. */
double weir_op_calc (guint op, double a, double b, double c);

/* The partial derivative of @e, of scalar operations, by @atom: exact, simplified. Other atoms
 * are constants. Of abs, min, max, if and table at their kinks: the derivative of the piece that
 * gives the value; of sign, floor, ceil, round and comparisons: 0. */
WeirExpr weir_expr_derive (WeirExprPool *pool, WeirExpr e, WeirExpr atom);

/* What each of @values moves by where atom k moves by @directions[k], as exact as the above. Other
 * atoms are constants. */
void weir_expr_derive_along (WeirExprPool *pool, const WeirExpr *values, guint n_values,
                             const WeirExpr *atoms, const WeirExpr *directions, guint n_atoms,
                             WeirExpr *derivatives);

/* A matrix in compressed rows: entries of row i are first[i] .. first[i + 1] - 1. */
typedef struct {
  guint n_rows, n_columns;
  guint *first;
  guint *column;   /* ascending within a row */
  WeirExpr *entry; /* never 0 as a number */
} WeirJacobian;

/* The derivatives of @values by @atoms, those that are not always 0. (transfer full) */
WeirJacobian *weir_jacobian_new (WeirExprPool *pool, const WeirExpr *values, guint n_values,
                                 const WeirExpr *atoms, guint n_atoms);
void weir_jacobian_free (WeirJacobian *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirJacobian, weir_jacobian_free)

G_END_DECLS
