/* Random expressions for property tests: every structure that the printer and the programs meet. */
#pragma once

#include "equations/text/syntax.h"

#define N_SYMBOLS 4

static const char *const symbol_names[N_SYMBOLS] = { "x", "y", "z", "p1" };

/* Numbers that are exact in few digits, and some that are not. */
static double
random_number (GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 4))
    {
    case 0:
      return g_rand_int_range (rand, -3, 6);
    case 1:
      return 0.5;
    case 2:
      return g_rand_double_range (rand, -2, 2);
    default:
      return g_rand_double_range (rand, 0.1, 1.5);
    }
}

static WeirExpr
random_leaf (WeirExprPool *pool, GRand *rand)
{
  if (g_rand_int_range (rand, 0, 3) == 0)
    return weir_expr_number (pool, random_number (rand));
  return weir_expr_symbol (pool, symbol_names[g_rand_int_range (rand, 0, N_SYMBOLS)]);
}

/* @ops: the operations to choose from. */
static WeirExpr
random_expression (WeirExprPool *pool, GRand *rand, guint depth, const WeirOp *ops, guint n_ops)
{
  WeirExpr args[3];
  WeirOp op;
  guint n;

  if (depth == 0 || g_rand_int_range (rand, 0, 8) == 0)
    return random_leaf (pool, rand);
  op = ops[g_rand_int_range (rand, 0, (gint32) n_ops)];
  n = op == WEIR_OP_IF ? 3 : op >= WEIR_OP_ADD && op <= WEIR_OP_RANDOM ? 2 : 1;
  for (guint i = 0; i < n; i++)
    args[i] = random_expression (pool, rand, depth - 1, ops, n_ops);
  return weir_expr_make (pool, op, args, n);
}
