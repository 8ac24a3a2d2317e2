/* What the operations of a program compute, for the interpreter over numbers and the one over rows:
 * simple ones as expressions, tables as functions.
 */
#pragma once

#include "equations/calc-private.h"
#include "equations/program-private.h"

G_BEGIN_DECLS

/* Every simple operation: X1 (code, expression of a), X2 (of a and b); Y1, Y2: the same of dear
 * ones, which are computed only for lanes that need them. */
#define WEIR_FOREACH_OPERATION(X1, X2, Y1, Y2)                                                     \
  X1 (WEIR_OP_NEG, -a)                                                                             \
  X1 (WEIR_OP_NOT, a != 0.0 ? 0.0 : 1.0)                                                           \
  X1 (WEIR_OP_ABS, __builtin_fabs (a))                                                             \
  X1 (WEIR_OP_SIGN, weir_calc_sign (a))                                                            \
  X1 (WEIR_OP_SQRT, __builtin_sqrt (a))                                                            \
  Y1 (WEIR_OP_CBRT, cbrt (a))                                                                      \
  Y1 (WEIR_OP_EXP, exp (a))                                                                        \
  Y1 (WEIR_OP_LOG, log (a))                                                                        \
  Y1 (WEIR_OP_LOG10, log10 (a))                                                                    \
  Y1 (WEIR_OP_SIN, sin (a))                                                                        \
  Y1 (WEIR_OP_COS, cos (a))                                                                        \
  Y1 (WEIR_OP_TAN, tan (a))                                                                        \
  Y1 (WEIR_OP_ASIN, asin (a))                                                                      \
  Y1 (WEIR_OP_ACOS, acos (a))                                                                      \
  Y1 (WEIR_OP_ATAN, atan (a))                                                                      \
  Y1 (WEIR_OP_SINH, sinh (a))                                                                      \
  Y1 (WEIR_OP_COSH, cosh (a))                                                                      \
  Y1 (WEIR_OP_TANH, tanh (a))                                                                      \
  Y1 (WEIR_OP_ASINH, asinh (a))                                                                    \
  Y1 (WEIR_OP_ACOSH, acosh (a))                                                                    \
  Y1 (WEIR_OP_ATANH, atanh (a))                                                                    \
  Y1 (WEIR_OP_ERF, erf (a))                                                                        \
  X1 (WEIR_OP_FLOOR, floor (a))                                                                    \
  X1 (WEIR_OP_CEIL, ceil (a))                                                                      \
  X1 (WEIR_OP_ROUND, round (a))                                                                    \
  X2 (WEIR_OP_ADD, a + b)                                                                          \
  X2 (WEIR_OP_SUB, a - b)                                                                          \
  X2 (WEIR_OP_MUL, a *b)                                                                           \
  X2 (WEIR_OP_DIV, a / b)                                                                          \
  Y2 (WEIR_OP_POW, weir_calc_pow (a, b))                                                           \
  X2 (WEIR_OP_LT, a < b ? 1.0 : 0.0)                                                               \
  X2 (WEIR_OP_LE, a <= b ? 1.0 : 0.0)                                                              \
  X2 (WEIR_OP_GT, a > b ? 1.0 : 0.0)                                                               \
  X2 (WEIR_OP_GE, a >= b ? 1.0 : 0.0)                                                              \
  X2 (WEIR_OP_EQ, a == b ? 1.0 : 0.0)                                                              \
  X2 (WEIR_OP_NE, a != b ? 1.0 : 0.0)                                                              \
  X2 (WEIR_OP_AND, (a != 0.0) & (b != 0.0) ? 1.0 : 0.0)                                            \
  X2 (WEIR_OP_OR, (a != 0.0) | (b != 0.0) ? 1.0 : 0.0)                                             \
  X2 (WEIR_OP_MIN, weir_calc_min (a, b))                                                           \
  X2 (WEIR_OP_MAX, weir_calc_max (a, b))                                                           \
  Y2 (WEIR_OP_ATAN2, atan2 (a, b))                                                                 \
  Y2 (WEIR_OP_HYPOT, hypot (a, b))                                                                 \
  X2 (WEIR_OP_MOD, weir_calc_mod (a, b))                                                           \
  X2 (WEIR_OP_RANDOM, weir_calc_random (a, b))

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
