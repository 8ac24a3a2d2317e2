/* The rules of differentiation: of an operation, from the derivatives of its arguments. */
#include "equations/expressions/operations.h"

#include <math.h>

static WeirExpr
add (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make_2 (pool, WEIR_OP_ADD, a, b);
}

static WeirExpr
subtract (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make_2 (pool, WEIR_OP_SUB, a, b);
}

static WeirExpr
multiply (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make_2 (pool, WEIR_OP_MUL, a, b);
}

static WeirExpr
divide (WeirExprPool *pool, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make_2 (pool, WEIR_OP_DIV, a, b);
}

static WeirExpr
number (WeirExprPool *pool, double value)
{
  return weir_expr_number (pool, value);
}

static WeirExpr
choose (WeirExprPool *pool, WeirExpr condition, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make (pool, WEIR_OP_IF, (WeirExpr[]) { condition, a, b }, 3);
}

static WeirExpr
square (WeirExprPool *pool, WeirExpr a)
{
  return weir_simplify_make_2 (pool, WEIR_OP_POW, a, number (pool, 2.0));
}

/* f'(u) u' for f of one operand; @e is f(u). */
static WeirExpr
derive_function (WeirExprPool *pool, WeirOp op, WeirExpr e, WeirExpr u, WeirExpr du)
{
  WeirExpr one = number (pool, 1.0);

  switch ((int) op)
    {
    case WEIR_OP_NEG:
      return weir_simplify_make_1 (pool, WEIR_OP_NEG, du);
    case WEIR_OP_NO_EVENT:
      return weir_simplify_make_1 (pool, WEIR_OP_NO_EVENT, du);
    case WEIR_OP_ABS:
      return multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_SIGN, u), du);
    case WEIR_OP_SQRT:
      return divide (pool, du, multiply (pool, number (pool, 2.0), e));
    case WEIR_OP_CBRT:
      return divide (pool, du, multiply (pool, number (pool, 3.0), square (pool, e)));
    case WEIR_OP_EXP:
      return multiply (pool, e, du);
    case WEIR_OP_LOG:
      return divide (pool, du, u);
    case WEIR_OP_LOG10:
      return divide (pool, du, multiply (pool, number (pool, G_LN10), u));
    case WEIR_OP_SIN:
      return multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_COS, u), du);
    case WEIR_OP_COS:
      return weir_simplify_make_1 (
          pool, WEIR_OP_NEG, multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_SIN, u), du));
    case WEIR_OP_TAN:
      return multiply (pool, add (pool, one, square (pool, e)), du);
    case WEIR_OP_ASIN:
      return divide (
          pool, du,
          weir_simplify_make_1 (pool, WEIR_OP_SQRT, subtract (pool, one, square (pool, u))));
    case WEIR_OP_ACOS:
      return weir_simplify_make_1 (pool, WEIR_OP_NEG,
                                   derive_function (pool, WEIR_OP_ASIN, e, u, du));
    case WEIR_OP_ATAN:
      return divide (pool, du, add (pool, one, square (pool, u)));
    case WEIR_OP_SINH:
      return multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_COSH, u), du);
    case WEIR_OP_COSH:
      return multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_SINH, u), du);
    case WEIR_OP_TANH:
      return multiply (pool, subtract (pool, one, square (pool, e)), du);
    case WEIR_OP_ASINH:
      return divide (pool, du,
                     weir_simplify_make_1 (pool, WEIR_OP_SQRT, add (pool, square (pool, u), one)));
    case WEIR_OP_ACOSH:
      return divide (
          pool, du,
          weir_simplify_make_1 (pool, WEIR_OP_SQRT, subtract (pool, square (pool, u), one)));
    case WEIR_OP_ATANH:
      return divide (pool, du, subtract (pool, one, square (pool, u)));
    case WEIR_OP_KEEP:
      return multiply (pool, number (pool, WEIR_KEEP_RATE), du);
    case WEIR_OP_ERF:
      /* 2 / sqrt (pi) * exp (-u^2) u' */
      return multiply (pool,
                       multiply (pool, number (pool, M_2_SQRTPI),
                                 weir_simplify_make_1 (
                                     pool, WEIR_OP_EXP,
                                     weir_simplify_make_1 (pool, WEIR_OP_NEG, square (pool, u)))),
                       du);
    default:
      return number (pool, 0.0);
    }
}

/* @term is a factor times @d, and 0 where @d is, even where the factor is infinite. */
static WeirExpr
guard (WeirExprPool *pool, WeirExpr d, WeirExpr term)
{
  WeirExpr zero = number (pool, 0.0);

  if (weir_expr_get_op (pool, d) == WEIR_OP_NUMBER)
    return weir_expr_is_number (pool, d, 0.0) ? zero : term;
  return choose (pool, weir_simplify_make_2 (pool, WEIR_OP_NE, d, zero), term, zero);
}

/* u^v: v u^(v-1) u' + u^v log (u) v' */
static WeirExpr
derive_power (WeirExprPool *pool, WeirExpr e, WeirExpr u, WeirExpr v, WeirExpr du, WeirExpr dv)
{
  WeirExpr lower = weir_simplify_make_2 (pool, WEIR_OP_POW, u,
                                         subtract (pool, v, number (pool, 1.0)));
  WeirExpr by_base = multiply (pool, multiply (pool, v, lower), du);
  WeirExpr by_exponent;

  if (weir_expr_get_op (pool, v) == WEIR_OP_NUMBER)
    return by_base;
  by_exponent = multiply (pool, multiply (pool, e, weir_simplify_make_1 (pool, WEIR_OP_LOG, u)),
                          dv);
  return add (pool, guard (pool, du, by_base), guard (pool, dv, by_exponent));
}

static WeirExpr
derive_pair (WeirExprPool *pool, WeirOp op, WeirExpr e, WeirExpr u, WeirExpr v, WeirExpr du,
             WeirExpr dv)
{
  switch ((int) op)
    {
    case WEIR_OP_ADD:
      return add (pool, du, dv);
    case WEIR_OP_SUB:
      return subtract (pool, du, dv);
    case WEIR_OP_MUL:
      return add (pool, multiply (pool, du, v), multiply (pool, u, dv));
    case WEIR_OP_DIV:
      return divide (pool, subtract (pool, du, multiply (pool, e, dv)), v);
    case WEIR_OP_POW:
      return derive_power (pool, e, u, v, du, dv);
    case WEIR_OP_MIN:
      return choose (pool, weir_simplify_make_2 (pool, WEIR_OP_LT, u, v), du, dv);
    case WEIR_OP_MAX:
      return choose (pool, weir_simplify_make_2 (pool, WEIR_OP_GT, u, v), du, dv);
    case WEIR_OP_ATAN2:
      return divide (pool, subtract (pool, multiply (pool, v, du), multiply (pool, u, dv)),
                     add (pool, square (pool, u), square (pool, v)));
    case WEIR_OP_HYPOT:
      return divide (pool, add (pool, multiply (pool, u, du), multiply (pool, v, dv)), e);
    case WEIR_OP_MOD:
      return subtract (
          pool, du,
          multiply (pool, weir_simplify_make_1 (pool, WEIR_OP_FLOOR, divide (pool, u, v)), dv));
    default:
      return number (pool, 0.0);
    }
}

/* Of a table whose points do not depend on the atom: a table's points are constants of the
 * block. */
static WeirExpr
derive_table (WeirExprPool *pool, WeirExpr e, WeirExpr du)
{
  guint n = weir_expr_get_n_args (pool, e);
  g_autofree WeirExpr *args = g_new (WeirExpr, n);

  for (guint i = 0; i < n; i++)
    args[i] = weir_expr_get_arg (pool, e, i);
  return multiply (pool, weir_expr_make (pool, WEIR_OP_SLOPE, args, n), du);
}

WeirExpr
weir_derive_operation (WeirExprPool *pool, WeirExpr e, const WeirExpr *d)
{
  WeirOp op = weir_expr_get_op (pool, e);
  WeirExpr u = weir_expr_get_arg (pool, e, 0);

  if (op == WEIR_OP_TABLE)
    return derive_table (pool, e, d[0]);
  if (op == WEIR_OP_IF)
    return choose (pool, u, d[1], d[2]);
  switch (weir_expr_get_n_args (pool, e))
    {
    case 1:
      return derive_function (pool, op, e, u, d[0]);
    case 2:
      return derive_pair (pool, op, e, u, weir_expr_get_arg (pool, e, 1), d[0], d[1]);
    default:
      return number (pool, 0.0);
    }
}

gboolean
weir_derive_is_level (WeirOp op)
{
  switch ((int) op)
    {
    case WEIR_OP_NOT:
    case WEIR_OP_SIGN:
    case WEIR_OP_FLOOR:
    case WEIR_OP_CEIL:
    case WEIR_OP_ROUND:
    case WEIR_OP_LT:
    case WEIR_OP_LE:
    case WEIR_OP_GT:
    case WEIR_OP_GE:
    case WEIR_OP_EQ:
    case WEIR_OP_NE:
    case WEIR_OP_AND:
    case WEIR_OP_OR:
    case WEIR_OP_RANDOM:
    case WEIR_OP_SLOPE:
      return TRUE;
    default:
      return FALSE;
    }
}
