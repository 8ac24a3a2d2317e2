/* Operations: names, numbers of arguments, and the nearest name to a misspelled one. */
#include "equations/expressions/expression.h"

#include <string.h>

typedef struct {
  const char *name;
  guint8 min_args, max_args; /* 0 = not written as a function */
  gboolean is_scalar;
} Operation;

#define SCALAR_1(text)                                                                             \
  {                                                                                                \
    text, 1, 1, TRUE                                                                               \
  }
#define SCALAR_2(text)                                                                             \
  {                                                                                                \
    text, 2, 2, TRUE                                                                               \
  }
#define INFIX(text)                                                                                \
  {                                                                                                \
    text, 0, 0, TRUE                                                                               \
  }

static const Operation operations[WEIR_N_OPS] = {
  [WEIR_OP_NUMBER] = { "number", 0, 0, FALSE },
  [WEIR_OP_SYMBOL] = { "name", 0, 0, FALSE },
  [WEIR_OP_TEXT] = { "text", 0, 0, FALSE },
  [WEIR_OP_NEG] = INFIX ("-"),
  [WEIR_OP_NOT] = INFIX ("not"),
  [WEIR_OP_ABS] = SCALAR_1 ("abs"),
  [WEIR_OP_SIGN] = SCALAR_1 ("sign"),
  [WEIR_OP_SQRT] = SCALAR_1 ("sqrt"),
  [WEIR_OP_CBRT] = SCALAR_1 ("cbrt"),
  [WEIR_OP_EXP] = SCALAR_1 ("exp"),
  [WEIR_OP_LOG] = SCALAR_1 ("log"),
  [WEIR_OP_LOG10] = SCALAR_1 ("log10"),
  [WEIR_OP_SIN] = SCALAR_1 ("sin"),
  [WEIR_OP_COS] = SCALAR_1 ("cos"),
  [WEIR_OP_TAN] = SCALAR_1 ("tan"),
  [WEIR_OP_ASIN] = SCALAR_1 ("asin"),
  [WEIR_OP_ACOS] = SCALAR_1 ("acos"),
  [WEIR_OP_ATAN] = SCALAR_1 ("atan"),
  [WEIR_OP_SINH] = SCALAR_1 ("sinh"),
  [WEIR_OP_COSH] = SCALAR_1 ("cosh"),
  [WEIR_OP_TANH] = SCALAR_1 ("tanh"),
  [WEIR_OP_ASINH] = SCALAR_1 ("asinh"),
  [WEIR_OP_ACOSH] = SCALAR_1 ("acosh"),
  [WEIR_OP_ATANH] = SCALAR_1 ("atanh"),
  [WEIR_OP_ERF] = SCALAR_1 ("erf"),
  [WEIR_OP_FLOOR] = SCALAR_1 ("floor"),
  [WEIR_OP_CEIL] = SCALAR_1 ("ceil"),
  [WEIR_OP_ROUND] = SCALAR_1 ("round"),
  [WEIR_OP_KEEP] = SCALAR_1 ("keep"),
  [WEIR_OP_NO_EVENT] = SCALAR_1 ("noEvent"),
  [WEIR_OP_ADD] = INFIX ("+"),
  [WEIR_OP_SUB] = INFIX ("-"),
  [WEIR_OP_MUL] = INFIX ("*"),
  [WEIR_OP_DIV] = INFIX ("/"),
  [WEIR_OP_POW] = INFIX ("^"),
  [WEIR_OP_LT] = INFIX ("<"),
  [WEIR_OP_LE] = INFIX ("<="),
  [WEIR_OP_GT] = INFIX (">"),
  [WEIR_OP_GE] = INFIX (">="),
  [WEIR_OP_EQ] = INFIX ("=="),
  [WEIR_OP_NE] = INFIX ("!="),
  [WEIR_OP_AND] = INFIX ("and"),
  [WEIR_OP_OR] = INFIX ("or"),
  [WEIR_OP_MIN] = { "min", 1, 255, TRUE },
  [WEIR_OP_MAX] = { "max", 1, 255, TRUE },
  [WEIR_OP_ATAN2] = SCALAR_2 ("atan2"),
  [WEIR_OP_HYPOT] = SCALAR_2 ("hypot"),
  [WEIR_OP_MOD] = SCALAR_2 ("mod"),
  [WEIR_OP_RANDOM] = SCALAR_2 ("random"),
  [WEIR_OP_IF] = INFIX ("if"),
  [WEIR_OP_TABLE] = { "table", 0, 0, TRUE },
  [WEIR_OP_SLOPE] = { "slope", 0, 0, TRUE },
  [WEIR_OP_DER] = { "D", 1, 1, FALSE },
  [WEIR_OP_PRE] = { "pre", 1, 1, FALSE },
  [WEIR_OP_INITIAL] = { "Initial", 1, 1, FALSE },
  [WEIR_OP_SHIFT] = { "shift", 0, 0, FALSE },
  [WEIR_OP_DELAY] = { "delay", 2, 3, FALSE },
  [WEIR_OP_RISING] = { "rising", 1, 1, FALSE },
  [WEIR_OP_FALLING] = { "falling", 1, 1, FALSE },
  [WEIR_OP_EVERY] = { "every", 1, 2, FALSE },
  [WEIR_OP_JUMP] = { "jump", 1, 1, FALSE },
  [WEIR_OP_QUANTITY] = { "quantity", 0, 0, FALSE },
  [WEIR_OP_CONVERT] = { "convert", 2, 2, FALSE },
  [WEIR_OP_ROW] = { "row", 0, 0, FALSE },
  [WEIR_OP_ROWS] = { "rows", 0, 0, FALSE },
  [WEIR_OP_INDEX] = { "index", 0, 0, FALSE },
  [WEIR_OP_RANGE] = { "range", 0, 0, FALSE },
  [WEIR_OP_TRANSPOSE] = { "transpose", 1, 1, FALSE },
  [WEIR_OP_ELEMENT_MUL] = { ".*", 0, 0, FALSE },
  [WEIR_OP_ELEMENT_DIV] = { "./", 0, 0, FALSE },
  [WEIR_OP_ELEMENT_POW] = { ".^", 0, 0, FALSE },
  [WEIR_OP_SUM] = { "sum", 1, 1, FALSE },
  [WEIR_OP_PRODUCT] = { "product", 1, 1, FALSE },
  [WEIR_OP_DOT] = { "dot", 2, 2, FALSE },
  [WEIR_OP_CROSS] = { "cross", 2, 2, FALSE },
  [WEIR_OP_NORM] = { "norm", 1, 1, FALSE },
  [WEIR_OP_ZEROS] = { "zeros", 1, 2, FALSE },
  [WEIR_OP_ONES] = { "ones", 1, 2, FALSE },
  [WEIR_OP_IDENTITY] = { "identity", 1, 1, FALSE },
  [WEIR_OP_INTERPOLATE] = { "table", 3, 3, FALSE },
  [WEIR_OP_INTERPOLATE_SLOPE] = { "slope", 3, 3, FALSE },
  [WEIR_OP_INVALID] = { "?", 0, 0, FALSE },
};

const char *
weir_op_get_name (WeirOp op)
{
  return operations[op].name;
}

gboolean
weir_op_find_function (const char *name, WeirOp *op, guint *min_args, guint *max_args)
{
  if (strcmp (name, "der") == 0)
    name = "D";
  for (guint i = 0; i < WEIR_N_OPS; i++)
    if (operations[i].max_args > 0 && strcmp (operations[i].name, name) == 0)
      {
        *op = (WeirOp) i;
        *min_args = operations[i].min_args;
        *max_args = operations[i].max_args;
        return TRUE;
      }
  return FALSE;
}

gboolean
weir_op_is_scalar (WeirOp op)
{
  return operations[op].is_scalar;
}

/* Optimal string alignment over three rows; names longer than a row differ entirely. */
guint
weir_text_distance (const char *a, const char *b)
{
  enum { LONGEST = 63 };
  gsize n = strlen (a), m = strlen (b);
  guint rows[3][LONGEST + 1];

  if (n > LONGEST || m > LONGEST)
    return (guint) MAX (n, m);
  for (guint j = 0; j <= m; j++)
    rows[0][j] = j;
  for (guint i = 1; i <= n; i++)
    {
      guint *row = rows[i % 3];
      const guint *above = rows[(i + 2) % 3], *above_that = rows[(i + 1) % 3];

      row[0] = i;
      for (guint j = 1; j <= m; j++)
        {
          row[j] = MIN (MIN (above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            row[j] = MIN (row[j], above_that[j - 2] + 1);
        }
    }
  return rows[n % 3][m];
}

const char *
weir_op_find_nearest_function (const char *name)
{
  const char *nearest = NULL;
  guint best = strlen (name) > 3 ? 3 : 2; /* farther is another word */

  for (guint i = 0; i < WEIR_N_OPS; i++)
    {
      guint distance;

      if (operations[i].max_args == 0)
        continue;
      distance = weir_text_distance (name, operations[i].name);
      if (distance < best)
        {
          best = distance;
          nearest = operations[i].name;
        }
    }
  return nearest;
}
