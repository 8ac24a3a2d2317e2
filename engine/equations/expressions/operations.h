/* What each operation computes: one definition for folding constants, the interpreter over numbers
 * and the one over rows, so that all give the same bits: simple ones as expressions, tables as
 * functions. Comparisons and logic give 1 or 0; any number but 0 is true. And what its derivative
 * is (derive.c).
 */
#pragma once

#include <math.h>

#include "base/random.h"
#include "equations/expressions/simplify.h"

G_BEGIN_DECLS

/* Operations that only programs have, beside the scalar WeirOp. */
enum {
  WEIR_CODE_MUL_ADD = WEIR_N_OPS, /* a * b + c, rounded twice */
  WEIR_CODE_MUL_SUB,              /* a * b - c */
  WEIR_CODE_SUB_MUL,              /* c - a * b */
  WEIR_CODE_SKIP_IF_ZERO,         /* a: condition; b: instruction to go to */
  WEIR_CODE_SKIP_UNLESS_ZERO,

  /* Forms of an operation of which operand a (or, _C, c; in FROM_LAST b) is the result of the
   * instruction before: a scalar run has it in a register. */
  WEIR_CODE_ADD_LAST,
  WEIR_CODE_SUB_LAST,
  WEIR_CODE_FROM_LAST,
  WEIR_CODE_MUL_LAST,
  WEIR_CODE_MUL_ADD_LAST,
  WEIR_CODE_MUL_ADD_LAST_C,
  WEIR_CODE_MUL_SUB_LAST,
  WEIR_CODE_SUB_MUL_LAST,
  WEIR_CODE_SUB_MUL_LAST_C,
  WEIR_CODE_END, /* behind the last instruction */
};

#define WEIR_POWER_LIMIT 16 /* whole exponents up to this are products */

static inline double
weir_calc_sign (double a)
{
  return a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a;
}

/* Not a number stays not a number. */
static inline double
weir_calc_min (double a, double b)
{
  return a < b || a != a ? a : b;
}

static inline double
weir_calc_max (double a, double b)
{
  return a > b || a != a ? a : b;
}

/* The remainder with the sign of b. */
static inline double
weir_calc_mod (double a, double b)
{
  return a - b * floor (a / b);
}

/* Of what is no whole number from 0 to 2^53 the part below is cut off. */
static inline double
weir_calc_random (double seed, double n)
{
  if (!(fabs (seed) <= 0x1p53 && fabs (n) <= 0x1p53))
    return NAN;
  return weir_random_uniform ((guint64) (gint64) seed, (guint64) (gint64) n, 0);
}

/* a^n by squaring, from the highest bit of n down. */
static inline double
weir_calc_whole_power (double a, guint n)
{
  double power = a;
  guint bit = 1;

  while (bit * 2 <= n)
    bit *= 2;
  for (bit /= 2; bit > 0; bit /= 2)
    {
      power *= power;
      if ((n & bit) != 0)
        power *= a;
    }
  return power;
}

static inline double
weir_calc_pow (double a, double b)
{
  double whole = floor (b);

  if (whole == b && b != 0.0 && b <= WEIR_POWER_LIMIT && b >= -WEIR_POWER_LIMIT)
    return b > 0.0 ? weir_calc_whole_power (a, (guint) b)
                   : 1.0 / weir_calc_whole_power (a, (guint) -b);
  if (b == 0.5)
    return sqrt (a);
  return pow (a, b);
}

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
  X (WEIR_OP_KEEP, 1, 1, 100.0 * a)                                                                \
  X (WEIR_OP_NO_EVENT, 1, 1, a)                                                                    \
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
} WeirOperationTable;

static inline double
weir_table_get (const WeirOperationTable *self, guint i)
{
  guint32 slot = self->operands[i];

  if (self->rows == NULL)
    return self->work[slot];
  return self->rows[slot][self->is_vector[slot] ? self->lane : 0];
}

/* The first point right of u, from 0 to n. */
static inline guint
weir_table_find (const WeirOperationTable *self, double u)
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
weir_table_calc (const WeirOperationTable *self, double u, gboolean is_slope)
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

/* The derivative of the operation @e from the derivatives @d of its first three arguments (0 for
 * those that it does not have). */
WeirExpr weir_derive_operation (WeirExprPool *pool, WeirExpr e, const WeirExpr *d);
/* Its value is level, piece by piece: the derivative is 0 wherever there is one. */
gboolean weir_derive_is_level (WeirOp op);

G_END_DECLS
