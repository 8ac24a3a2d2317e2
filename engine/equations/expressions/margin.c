/* Margins of conditions. See simplify.h. */
#include "equations/expressions/simplify.h"

/* The least there is: added to anything else than 0 that is no denormal number it changes nothing.
 */
#define LEAST 4.9406564584124654e-324

WeirExpr
weir_expr_put_beside_zero (WeirExprPool *pool, WeirExpr difference, double sign)
{
  WeirExpr sides[2] = { difference, weir_expr_number (pool, sign * LEAST) };

  return weir_expr_make (pool, WEIR_OP_ADD, sides, 2); /* simplified it would join other numbers */
}

/* The comparison that holds where @op does not. */
static WeirOp
get_opposite (WeirOp op)
{
  return op == WEIR_OP_LT   ? WEIR_OP_GE
         : op == WEIR_OP_GE ? WEIR_OP_LT
         : op == WEIR_OP_GT ? WEIR_OP_LE
                            : WEIR_OP_GT;
}

/* Nesting of expressions bounds the recursion. */
static gboolean
find_margin (WeirExprPool *pool, WeirExpr condition, gboolean is_negated, WeirExpr *margin)
{
  WeirOp op = weir_expr_get_op (pool, condition);
  WeirExpr sides[2];
  gboolean is_less;

  switch ((int) op)
    {
    case WEIR_OP_LT:
    case WEIR_OP_LE:
    case WEIR_OP_GT:
    case WEIR_OP_GE:
      if (is_negated)
        op = get_opposite (op);
      is_less = op == WEIR_OP_LT || op == WEIR_OP_LE;
      sides[0] = weir_expr_get_arg (pool, condition, is_less ? 1 : 0);
      sides[1] = weir_expr_get_arg (pool, condition, is_less ? 0 : 1);
      *margin = weir_simplify_make (pool, WEIR_OP_SUB, sides, 2);
      if (op == WEIR_OP_LE || op == WEIR_OP_GE)
        *margin = weir_expr_put_beside_zero (pool, *margin, 1.0);
      return TRUE;
    case WEIR_OP_AND:
    case WEIR_OP_OR:
      for (guint i = 0; i < 2; i++)
        if (!find_margin (pool, weir_expr_get_arg (pool, condition, i), is_negated, &sides[i]))
          return FALSE;
      *margin = weir_simplify_make (
          pool, (op == WEIR_OP_AND) != (is_negated != FALSE) ? WEIR_OP_MIN : WEIR_OP_MAX, sides, 2);
      return TRUE;
    case WEIR_OP_NOT:
      return find_margin (pool, weir_expr_get_arg (pool, condition, 0), !is_negated, margin);
    default:
      return FALSE;
    }
}

gboolean
weir_expr_find_margin (WeirExprPool *pool, WeirExpr condition, WeirExpr *margin)
{
  return find_margin (pool, condition, FALSE, margin);
}
