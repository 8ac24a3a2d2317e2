/* What the operations of a program compute, for folding constants, the interpreter over numbers and
 * the one over rows: simple ones as expressions, tables as functions.
 */
#pragma once

#include "equations/calc-private.h"
#include "equations/program-private.h"

G_BEGIN_DECLS

/* Every operation of numbers: X (code, how many operands it takes, its cost, expression of operands
 * a, b, c). The cost is counted in additions. */
#define WEIR_FOREACH_OPERATION(X)                                                                  \
  X (WEIR_OP_NEG, 1, 1, -a)                                                                        \
  X (WEIR_OP_NOT, 1, 1, a != 0.0 ? 0.0 : 1.0)                                                      \
  X (WEIR_OP_ABS, 1, 1, __builtin_fabs (a))                                                        \
  X (WEIR_OP_SIGN, 1, 1, weir_calc_sign (a))                                                       \
  X (WEIR_OP_SQRT, 1, 4, __builtin_sqrt (a))                                                       \
  X (WEIR_OP_CBRT, 1, 30, cbrt (a))                                                                \
  X (WEIR_OP_EXP, 1, 30, exp (a))                                                                  \
  X (WEIR_OP_LOG, 1, 30, log (a))                                                                  \
  X (WEIR_OP_LOG10, 1, 30, log10 (a))                                                              \
  X (WEIR_OP_SIN, 1, 30, sin (a))                                                                  \
  X (WEIR_OP_COS, 1, 30, cos (a))                                                                  \
  X (WEIR_OP_TAN, 1, 30, tan (a))                                                                  \
  X (WEIR_OP_ASIN, 1, 30, asin (a))                                                                \
  X (WEIR_OP_ACOS, 1, 30, acos (a))                                                                \
  X (WEIR_OP_ATAN, 1, 30, atan (a))                                                                \
  X (WEIR_OP_SINH, 1, 30, sinh (a))                                                                \
  X (WEIR_OP_COSH, 1, 30, cosh (a))                                                                \
  X (WEIR_OP_TANH, 1, 30, tanh (a))                                                                \
  X (WEIR_OP_ASINH, 1, 30, asinh (a))                                                              \
  X (WEIR_OP_ACOSH, 1, 30, acosh (a))                                                              \
  X (WEIR_OP_ATANH, 1, 30, atanh (a))                                                              \
  X (WEIR_OP_ERF, 1, 30, erf (a))                                                                  \
  X (WEIR_OP_FLOOR, 1, 1, floor (a))                                                               \
  X (WEIR_OP_CEIL, 1, 1, ceil (a))                                                                 \
  X (WEIR_OP_ROUND, 1, 1, round (a))                                                               \
  X (WEIR_OP_ADD, 2, 1, a + b)                                                                     \
  X (WEIR_OP_SUB, 2, 1, a - b)                                                                     \
  X (WEIR_OP_MUL, 2, 1, (a * b))                                                                   \
  X (WEIR_OP_DIV, 2, 4, a / b)                                                                     \
  X (WEIR_OP_POW, 2, 30, weir_calc_pow (a, b))                                                     \
  X (WEIR_OP_LT, 2, 1, a < b ? 1.0 : 0.0)                                                          \
  X (WEIR_OP_LE, 2, 1, a <= b ? 1.0 : 0.0)                                                         \
  X (WEIR_OP_GT, 2, 1, a > b ? 1.0 : 0.0)                                                          \
  X (WEIR_OP_GE, 2, 1, a >= b ? 1.0 : 0.0)                                                         \
  X (WEIR_OP_EQ, 2, 1, a == b ? 1.0 : 0.0)                                                         \
  X (WEIR_OP_NE, 2, 1, a != b ? 1.0 : 0.0)                                                         \
  X (WEIR_OP_AND, 2, 1, (a != 0.0) & (b != 0.0) ? 1.0 : 0.0)                                       \
  X (WEIR_OP_OR, 2, 1, (a != 0.0) | (b != 0.0) ? 1.0 : 0.0)                                        \
  X (WEIR_OP_MIN, 2, 1, weir_calc_min (a, b))                                                      \
  X (WEIR_OP_MAX, 2, 1, weir_calc_max (a, b))                                                      \
  X (WEIR_OP_ATAN2, 2, 30, atan2 (a, b))                                                           \
  X (WEIR_OP_HYPOT, 2, 30, hypot (a, b))                                                           \
  X (WEIR_OP_MOD, 2, 1, weir_calc_mod (a, b))                                                      \
  X (WEIR_OP_RANDOM, 2, 1, weir_calc_random (a, b))                                                \
  X (WEIR_OP_IF, 3, 1, a != 0.0 ? b : c)                                                           \
  X (WEIR_CODE_MUL_ADD, 3, 1, (a * b) + c)                                                         \
  X (WEIR_CODE_MUL_SUB, 3, 1, (a * b) - c)                                                         \
  X (WEIR_CODE_SUB_MUL, 3, 1, c - (a * b))

/* A jump that is mispredicted costs about as many additions: what is as dear is computed only where
 * it is needed. */
#define WEIR_COST_DEAR 12

/* A point's coordinate: of lane @lane where its row has many. */
typedef struct {
  const guint32 *operands; /* x slots, then y slots */
  guint n;
  const double *const *rows; /* NULL: @work holds one number for each slot */
  const guint8 *is_vector;
  const double *work;
  gsize lane;
} WeirTable;

static inline double
weir_table_get (const WeirTable *self, guint i)
{
  guint32 slot = self->operands[i];

  if (self->rows == NULL)
    return self->work[slot];
  return self->rows[slot][self->is_vector[slot] ? self->lane : 0];
}

/* The first point right of u, from 0 to n. */
static inline guint
weir_table_find (const WeirTable *self, double u)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (weir_table_get (self, middle) <= u)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* @is_slope: the derivative, that of the piece to the right at a point. */
static inline double
weir_table_calc (const WeirTable *self, double u, gboolean is_slope)
{
  guint right, n = self->n;
  double x0, y0, slope;

  if (isnan (u))
    return u;
  right = weir_table_find (self, u);
  if (right == 0 || right == n)
    return is_slope ? 0.0 : weir_table_get (self, n + (right == 0 ? 0 : n - 1));
  x0 = weir_table_get (self, right - 1);
  y0 = weir_table_get (self, n + right - 1);
  slope = (weir_table_get (self, n + right) - y0) / (weir_table_get (self, right) - x0);
  return is_slope ? slope : y0 + slope * (u - x0);
}

G_END_DECLS
