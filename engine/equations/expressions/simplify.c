/* Simplification, one node at a time from the leaves up. See simplify.h. */
#include "equations/expressions/simplify.h"

#include "equations/expressions/operations.h"

double
weir_op_calc (guint op, double a, double b, double c)
{
#define CALC(op, n_operands, cost, expression)                                                     \
  case op:                                                                                         \
    return (expression);
  switch (op)
    {
      WEIR_FOREACH_OPERATION (CALC)
    default:
      g_return_val_if_reached (NAN);
    }
#undef CALC
}

/* --- Shorthands ------------------------------------------------------------------------------ */

WeirExpr
weir_simplify_make_1 (WeirExprPool *pool, WeirOp op, WeirExpr a)
{
  return weir_simplify_make (pool, op, &a, 1);
}

WeirExpr
weir_simplify_make_2 (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make (pool, op, (WeirExpr[]) { a, b }, 2);
}

static gboolean
is_op (const WeirExprPool *pool, WeirExpr e, WeirOp op)
{
  return weir_expr_get_op (pool, e) == op;
}

static gboolean
is_number (const WeirExprPool *pool, WeirExpr e)
{
  return is_op (pool, e, WEIR_OP_NUMBER);
}

static WeirExpr
arg (const WeirExprPool *pool, WeirExpr e, guint i)
{
  return weir_expr_get_arg (pool, e, i);
}

static gboolean
is_whole (const WeirExprPool *pool, WeirExpr e)
{
  return is_number (pool, e)
         && weir_expr_get_number (pool, e) == floor (weir_expr_get_number (pool, e));
}

/* --- Sums ------------------------------------------------------------------------------------ */

/* e = factor * term */
static WeirExpr
split_term (const WeirExprPool *pool, WeirExpr e, double *factor)
{
  if (is_op (pool, e, WEIR_OP_NEG))
    {
      WeirExpr term = split_term (pool, arg (pool, e, 0), factor);

      *factor = -*factor;
      return term;
    }
  if (is_op (pool, e, WEIR_OP_MUL) && is_number (pool, arg (pool, e, 0)))
    {
      *factor = weir_expr_get_number (pool, arg (pool, e, 0));
      return arg (pool, e, 1);
    }
  *factor = 1.0;
  return e;
}

static WeirExpr
make_sum (WeirExprPool *pool, WeirExpr a, WeirExpr b, gboolean is_difference)
{
  WeirOp op = is_difference ? WEIR_OP_SUB : WEIR_OP_ADD;
  double factor_a, factor_b;
  WeirExpr term;

  if (weir_expr_is_number (pool, b, 0.0))
    return a;
  if (weir_expr_is_number (pool, a, 0.0))
    return is_difference ? weir_simplify_make_1 (pool, WEIR_OP_NEG, b) : b;
  term = split_term (pool, a, &factor_a);
  if (!is_number (pool, term) && weir_expr_equal (term, split_term (pool, b, &factor_b)))
    {
      double factor = is_difference ? factor_a - factor_b : factor_a + factor_b;

      return weir_simplify_make_2 (pool, WEIR_OP_MUL, weir_expr_number (pool, factor), term);
    }
  if (is_op (pool, b, WEIR_OP_NEG))
    return make_sum (pool, a, arg (pool, b, 0), !is_difference);
  if (is_op (pool, a, WEIR_OP_NEG) && !is_difference)
    return make_sum (pool, b, arg (pool, a, 0), TRUE);
  return weir_expr_make_2 (pool, op, a, b);
}

/* --- Products -------------------------------------------------------------------------------- */

static WeirExpr
make_product (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  double number;

  if (is_number (pool, b))
    {
      WeirExpr swap = a;

      a = b;
      b = swap;
    }
  if (is_number (pool, a))
    {
      number = weir_expr_get_number (pool, a);
      if (number == 0.0)
        return weir_expr_number (pool, 0.0);
      if (number == 1.0)
        return b;
      if (number == -1.0)
        return weir_simplify_make_1 (pool, WEIR_OP_NEG, b);
      if (is_op (pool, b, WEIR_OP_NEG))
        return make_product (pool, weir_expr_number (pool, -number), arg (pool, b, 0));
      if (is_op (pool, b, WEIR_OP_MUL) && is_number (pool, arg (pool, b, 0)))
        {
          number *= weir_expr_get_number (pool, arg (pool, b, 0));
          return make_product (pool, weir_expr_number (pool, number), arg (pool, b, 1));
        }
      return weir_expr_make_2 (pool, WEIR_OP_MUL, a, b);
    }
  if (is_op (pool, a, WEIR_OP_NEG))
    return weir_simplify_make_1 (pool, WEIR_OP_NEG, make_product (pool, arg (pool, a, 0), b));
  if (is_op (pool, b, WEIR_OP_NEG))
    return weir_simplify_make_1 (pool, WEIR_OP_NEG, make_product (pool, a, arg (pool, b, 0)));
  if (is_op (pool, b, WEIR_OP_DIV) && weir_expr_is_number (pool, arg (pool, b, 0), 1.0))
    return weir_simplify_make_2 (pool, WEIR_OP_DIV, a, arg (pool, b, 1));
  return weir_expr_make_2 (pool, WEIR_OP_MUL, a, b);
}

static WeirExpr
make_quotient (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  if (weir_expr_is_number (pool, a, 0.0) && !weir_expr_is_number (pool, b, 0.0))
    return weir_expr_number (pool, 0.0);
  if (weir_expr_is_number (pool, b, 1.0))
    return a;
  if (weir_expr_is_number (pool, b, -1.0))
    return weir_simplify_make_1 (pool, WEIR_OP_NEG, a);
  if (is_op (pool, a, WEIR_OP_NEG))
    return weir_simplify_make_1 (pool, WEIR_OP_NEG, make_quotient (pool, arg (pool, a, 0), b));
  if (is_op (pool, b, WEIR_OP_NEG))
    return weir_simplify_make_1 (pool, WEIR_OP_NEG, make_quotient (pool, a, arg (pool, b, 0)));
  if (is_number (pool, b) && weir_expr_get_number (pool, b) < 0.0)
    return weir_simplify_make_1 (
        pool, WEIR_OP_NEG,
        make_quotient (pool, a, weir_expr_number (pool, -weir_expr_get_number (pool, b))));
  return weir_expr_make_2 (pool, WEIR_OP_DIV, a, b);
}

static WeirExpr
make_power (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  if (weir_expr_is_number (pool, b, 0.0) || weir_expr_is_number (pool, a, 1.0))
    return weir_expr_number (pool, 1.0);
  if (weir_expr_is_number (pool, b, 1.0))
    return a;
  if (is_op (pool, a, WEIR_OP_POW) && is_whole (pool, b) && is_whole (pool, arg (pool, a, 1)))
    {
      double power = weir_expr_get_number (pool, b) * weir_expr_get_number (pool, arg (pool, a, 1));

      return make_power (pool, arg (pool, a, 0), weir_expr_number (pool, power));
    }
  return weir_expr_make_2 (pool, WEIR_OP_POW, a, b);
}

/* --- The rest -------------------------------------------------------------------------------- */

static WeirExpr
make_negative (WeirExprPool *pool, WeirExpr a)
{
  if (is_op (pool, a, WEIR_OP_NEG))
    return arg (pool, a, 0);
  if (is_op (pool, a, WEIR_OP_SUB))
    return make_sum (pool, arg (pool, a, 1), arg (pool, a, 0), TRUE);
  if (is_op (pool, a, WEIR_OP_MUL) && is_number (pool, arg (pool, a, 0)))
    return make_product (pool,
                         weir_expr_number (pool, -weir_expr_get_number (pool, arg (pool, a, 0))),
                         arg (pool, a, 1));
  return weir_expr_make_1 (pool, WEIR_OP_NEG, a);
}

static WeirExpr
make_choice (WeirExprPool *pool, const WeirExpr *args)
{
  if (is_number (pool, args[0]))
    return weir_expr_get_number (pool, args[0]) != 0.0 ? args[1] : args[2];
  if (weir_expr_equal (args[1], args[2]))
    return args[1];
  if (is_op (pool, args[0], WEIR_OP_NOT))
    return weir_expr_make_3 (pool, WEIR_OP_IF, arg (pool, args[0], 0), args[2], args[1]);
  return weir_expr_make (pool, WEIR_OP_IF, args, 3);
}

/* and, or with a known side; @absorbing: the value that decides. */
static WeirExpr
make_logic (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b)
{
  gboolean absorbing = op == WEIR_OP_OR;

  for (guint i = 0; i < 2; i++)
    {
      WeirExpr known = i == 0 ? a : b;

      if (is_number (pool, known) && (weir_expr_get_number (pool, known) != 0.0) == absorbing)
        return weir_expr_number (pool, absorbing ? 1.0 : 0.0);
    }
  return weir_expr_make_2 (pool, op, a, b);
}

/* The value of an operation on numbers. What has no value is kept, so that a domain error shows
 * where it arises. */
static gboolean
fold (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args, WeirExpr *result)
{
  double values[3] = { 0.0, 0.0, 0.0 };
  gboolean are_finite = TRUE;
  double value;

  if (!weir_op_is_scalar (op) || n_args > 3 || op == WEIR_OP_IF)
    return FALSE;
  for (guint i = 0; i < n_args; i++)
    {
      if (!is_number (pool, args[i]))
        return FALSE;
      values[i] = weir_expr_get_number (pool, args[i]);
      are_finite = are_finite && isfinite (values[i]);
    }
  value = weir_op_calc (op, values[0], values[1], values[2]);
  /* Where it arises it is to be told as it was written. */
  if (isnan (value) || (are_finite && !isfinite (value)))
    return FALSE;
  *result = weir_expr_number (pool, value);
  return TRUE;
}

WeirExpr
weir_simplify_make (WeirExprPool *pool, WeirOp op, const WeirExpr *args, guint n_args)
{
  WeirExpr result;

  if (fold (pool, op, args, n_args, &result))
    return result;
  switch ((int) op)
    {
    case WEIR_OP_NEG:
      return make_negative (pool, args[0]);
    case WEIR_OP_ADD:
    case WEIR_OP_SUB:
      return make_sum (pool, args[0], args[1], op == WEIR_OP_SUB);
    case WEIR_OP_MUL:
      return make_product (pool, args[0], args[1]);
    case WEIR_OP_DIV:
      return make_quotient (pool, args[0], args[1]);
    case WEIR_OP_POW:
      return make_power (pool, args[0], args[1]);
    case WEIR_OP_IF:
      return make_choice (pool, args);
    case WEIR_OP_AND:
    case WEIR_OP_OR:
      return make_logic (pool, op, args[0], args[1]);
    case WEIR_OP_ABS:
      if (is_op (pool, args[0], WEIR_OP_NEG))
        return weir_simplify_make_1 (pool, op, arg (pool, args[0], 0));
      return is_op (pool, args[0], WEIR_OP_ABS) ? args[0] : weir_expr_make (pool, op, args, 1);
    case WEIR_OP_MIN:
    case WEIR_OP_MAX:
      return weir_expr_equal (args[0], args[1]) ? args[0] : weir_expr_make (pool, op, args, 2);
    default:
      return weir_expr_make (pool, op, args, n_args);
    }
}
