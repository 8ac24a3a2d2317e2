/* Running programs: one interpreter over numbers, one over rows of 256.
 *
 * Both take what an operation computes from calc-private.h. In a wide run a value that is the
 * same for all lanes is computed once (its row has one element); a guarded branch is skipped
 * where no lane takes it, and otherwise computed for all lanes, of which IF keeps the right
 * ones.
 */
#include "equations/program-private.h"

#include "equations/calc-private.h"
#include "equations/simplify.h"

#include <string.h>

/* Every simple operation: X1 (code, expression of a), X2 (of a and b); Y1, Y2: the same of dear
 * ones, which are computed only for lanes that need them. */
#define FOREACH_OPERATION(X1, X2, Y1, Y2)                                                          \
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

/* Operations of three operands, and forms that take the result before from a register. */
#define FOREACH_FUSED(X)                                                                           \
  X (WEIR_OP_IF, work[i->a] != 0.0 ? work[i->b] : work[i->c])                                      \
  X (WEIR_CODE_MUL_ADD, work[i->a] * work[i->b] + work[i->c])                                      \
  X (WEIR_CODE_MUL_SUB, work[i->a] * work[i->b] - work[i->c])                                      \
  X (WEIR_CODE_SUB_MUL, work[i->c] - work[i->a] * work[i->b])                                      \
  X (WEIR_CODE_ADD_LAST, last + work[i->b])                                                        \
  X (WEIR_CODE_SUB_LAST, last - work[i->b])                                                        \
  X (WEIR_CODE_FROM_LAST, work[i->a] - last)                                                       \
  X (WEIR_CODE_MUL_LAST, last *work[i->b])                                                         \
  X (WEIR_CODE_MUL_ADD_LAST, last *work[i->b] + work[i->c])                                        \
  X (WEIR_CODE_MUL_ADD_LAST_C, work[i->a] * work[i->b] + last)                                     \
  X (WEIR_CODE_MUL_SUB_LAST, last *work[i->b] - work[i->c])                                        \
  X (WEIR_CODE_SUB_MUL_LAST, work[i->c] - last * work[i->b])                                       \
  X (WEIR_CODE_SUB_MUL_LAST_C, last - work[i->a] * work[i->b])

/* --- Tables ---------------------------------------------------------------------------------- */

/* A point's coordinate: of lane @lane where its row has many. */
typedef struct {
  const guint32 *operands; /* x slots, then y slots */
  guint n;
  const double *const *rows; /* NULL: @work holds one number for each slot */
  const guint8 *is_vector;
  const double *work;
  gsize lane;
} Table;

static double
table_get (const Table *self, guint i)
{
  guint32 slot = self->operands[i];

  if (self->rows == NULL)
    return self->work[slot];
  return self->rows[slot][self->is_vector[slot] ? self->lane : 0];
}

/* The first point right of u, from 0 to n. */
static guint
table_find (const Table *self, double u)
{
  guint low = 0, high = self->n;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (table_get (self, middle) <= u)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* @is_slope: the derivative, that of the piece to the right at a point. */
static double
table_calc (const Table *self, double u, gboolean is_slope)
{
  guint right, n = self->n;
  double x0, y0, slope;

  if (isnan (u))
    return u;
  right = table_find (self, u);
  if (right == 0 || right == n)
    return is_slope ? 0.0 : table_get (self, n + (right == 0 ? 0 : n - 1));
  x0 = table_get (self, right - 1);
  y0 = table_get (self, n + right - 1);
  slope = (table_get (self, n + right) - y0) / (table_get (self, right) - x0);
  return is_slope ? slope : y0 + slope * (u - x0);
}

/* --- One set of inputs ----------------------------------------------------------------------- */

static inline void
set_inputs (const WeirProgram *self, const double *in, double *work)
{
  const double *constants = weir_program_constants (self);

  /* Mostly few: a call costs more than the loops. */
  for (guint i = 0; i < self->n_constants; i++)
    work[i] = constants[i];
  work += self->n_constants;
  for (guint i = 0; i < self->n_inputs; i++)
    work[i] = in[i];
}

/* Each operation ends with the jump to the next one: a processor foresees many such jumps better
 * than one that all share. That labels have addresses is an extension of C that gcc and clang
 * have. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

void
weir_program_run (const WeirProgram *self, const double *in, double *out, double *work)
{
#define LABEL(op, expression) [op] = &&at_##op,
  static const void *const labels[] = {
    FOREACH_OPERATION (LABEL, LABEL, LABEL, LABEL)
        FOREACH_FUSED (LABEL)[WEIR_OP_TABLE] = &&at_table,
    [WEIR_OP_SLOPE] = &&at_table,
    [WEIR_CODE_SKIP_IF_ZERO] = &&at_skip_if_zero,
    [WEIR_CODE_SKIP_UNLESS_ZERO] = &&at_skip_unless_zero,
    [WEIR_CODE_END] = &&at_end,
  };
  const WeirInstruction *code = weir_program_code (self);
  const WeirInstruction *i = code;
  const guint32 *output_slots = weir_program_output_slots (self);
  double last = 0.0;

#define NEXT                                                                                       \
  work[i->d] = last;                                                                               \
  i++;                                                                                             \
  goto *labels[i->form];
#define SCALAR_1(op, expression)                                                                   \
  at_##op:                                                                                         \
  {                                                                                                \
    double a = work[i->a];                                                                         \
    last = (expression);                                                                           \
    NEXT                                                                                           \
  }
#define SCALAR_2(op, expression)                                                                   \
  at_##op:                                                                                         \
  {                                                                                                \
    double a = work[i->a], b = work[i->b];                                                         \
    last = (expression);                                                                           \
    NEXT                                                                                           \
  }
#define SCALAR_FUSED(op, expression)                                                               \
  at_##op : last = (expression);                                                                   \
  NEXT

  set_inputs (self, in, work);
  goto *labels[i->form];
  FOREACH_OPERATION (SCALAR_1, SCALAR_2, SCALAR_1, SCALAR_2)
  FOREACH_FUSED (SCALAR_FUSED)
at_skip_if_zero:
  i = work[i->a] == 0.0 ? code + i->b : i + 1;
  goto *labels[i->form];
at_skip_unless_zero:
  i = work[i->a] != 0.0 ? code + i->b : i + 1;
  goto *labels[i->form];
at_table:
  {
    Table table = { weir_program_operands (self) + i->b, i->c, NULL, NULL, work, 0 };

    last = table_calc (&table, work[i->a], i->op == WEIR_OP_SLOPE);
    NEXT
  }
at_end:
  for (guint o = 0; o < self->n_outputs; o++)
    out[o] = work[output_slots[o]];
}

#pragma GCC diagnostic pop

gboolean
weir_program_find_invalid (const WeirProgram *self, const double *in, double *work, WeirOp *op,
                           double *a, double *b)
{
  const WeirInstruction *code = weir_program_code (self);

  set_inputs (self, in, work);
  for (const WeirInstruction *i = code; i->op != WEIR_CODE_END; i++)
    {
      gboolean is_table = i->op == WEIR_OP_TABLE || i->op == WEIR_OP_SLOPE;
      double product;

      *a = work[i->a];
      if (i->op == WEIR_CODE_SKIP_IF_ZERO || i->op == WEIR_CODE_SKIP_UNLESS_ZERO)
        {
          if ((*a == 0.0) == (i->op == WEIR_CODE_SKIP_IF_ZERO))
            i = code + i->b - 1;
          continue;
        }
      *b = is_table ? 0.0 : work[i->b];
      if (is_table)
        {
          Table table = { weir_program_operands (self) + i->b, i->c, NULL, NULL, work, 0 };

          work[i->d] = table_calc (&table, *a, i->op == WEIR_OP_SLOPE);
        }
      else if (i->op < WEIR_N_OPS)
        work[i->d] = weir_op_calc ((WeirOp) i->op, *a, *b, work[i->c]);
      else
        {
          product = *a * *b;
          work[i->d] = i->op == WEIR_CODE_MUL_ADD   ? product + work[i->c]
                       : i->op == WEIR_CODE_MUL_SUB ? product - work[i->c]
                                                    : work[i->c] - product;
        }
      if (isnan (work[i->d]) && !isnan (*a) && !isnan (*b))
        {
          *op = i->op < WEIR_N_OPS ? (WeirOp) i->op : WEIR_OP_MUL;
          return TRUE;
        }
    }
  return FALSE;
}

/* --- Many sets of inputs --------------------------------------------------------------------- */

struct _WeirProgramWide {
  guint n_slots;
  const double **rows; /* of a slot */
  guint8 *is_vector;   /* has a slot's row an element for each lane, or one for all? */
  double *temporaries; /* WEIR_PROGRAM_WIDTH of each temporary slot, 64-byte aligned */
  double *storage;     /* owned */
};

WeirProgramWide *
weir_program_wide_new (const WeirProgram *self)
{
  WeirProgramWide *wide = g_new0 (WeirProgramWide, 1);
  guint first = self->n_constants + self->n_inputs;

  wide->n_slots = self->n_slots;
  wide->rows = g_new0 (const double *, self->n_slots + 1);
  wide->is_vector = g_new0 (guint8, self->n_slots + 1);
  wide->storage = g_new0 (double, (gsize) (self->n_slots - first + 1) * WEIR_PROGRAM_WIDTH + 8);
  wide->temporaries = (double *) (((guintptr) wide->storage + 63) & ~(guintptr) 63);
  for (guint i = first; i < self->n_slots; i++)
    wide->rows[i] = wide->temporaries + (gsize) (i - first) * WEIR_PROGRAM_WIDTH;
  return wide;
}

void
weir_program_wide_free (WeirProgramWide *wide)
{
  if (wide == NULL)
    return;
  g_free (wide->rows);
  g_free (wide->is_vector);
  g_free (wide->storage);
  g_free (wide);
}

/* A row may be its own operand (a slot that is used again), element by element: no dependence
 * between elements. */
#define LANES(statement) _Pragma ("GCC ivdep") for (gsize l = 0; l < n; l++) statement

/* The lanes that a guarded branch is computed for, while some are not: dear operations look at
 * it, for the others all lanes cost less than choosing. */
typedef struct {
  const WeirInstruction *end; /* of the branch */
  guint n;
  guint8 lanes[WEIR_PROGRAM_WIDTH];
} Active;

#define MAX_ACTIVE 8 /* deeper branches are computed for the lanes of the branch around */

/* Is it not 0? By its bits but the sign, which is quicker than a comparison that minds NaN. */
static inline gboolean
is_true (const double *value)
{
  guint64 bits;

  memcpy (&bits, value, sizeof bits);
  return bits << 1 != 0;
}

/* Of the lanes of @around (NULL: the first @n), those where @row is true or, if not @wanted,
 * false. */
static inline guint
choose_active (Active *self, const Active *around, const double *row, gsize n, gboolean wanted)
{
  guint n_chosen = 0;

  if (around == NULL)
    for (guint lane = 0; lane < n; lane++)
      {
        self->lanes[n_chosen] = (guint8) lane;
        n_chosen += is_true (&row[lane]) == wanted;
      }
  else
    for (guint i = 0; i < around->n; i++)
      {
        self->lanes[n_chosen] = around->lanes[i];
        n_chosen += is_true (&row[around->lanes[i]]) == wanted;
      }
  self->n = n_chosen;
  return n_chosen;
}

#define SOME_LANES(statement)                                                                      \
  for (guint j = 0; j < active->n; j++)                                                            \
    {                                                                                              \
      guint l = active->lanes[j];                                                                  \
      statement                                                                                    \
    }

/* d = a * b + c and the like; @a is a row where @b is. */
#define WIDE_3(expression)                                                                         \
  do                                                                                               \
    {                                                                                              \
      if (is_a && is_b && is_c)                                                                    \
        LANES ({                                                                                   \
          double a = A[l];                                                                         \
          double b = B[l];                                                                         \
          double c = C[l];                                                                         \
          D[l] = (expression);                                                                     \
        })                                                                                         \
      else if (is_a && is_b)                                                                       \
        {                                                                                          \
          double c = C[0];                                                                         \
          LANES ({                                                                                 \
            double a = A[l];                                                                       \
            double b = B[l];                                                                       \
            D[l] = (expression);                                                                   \
          })                                                                                       \
        }                                                                                          \
      else if (is_a && is_c)                                                                       \
        {                                                                                          \
          double b = B[0];                                                                         \
          LANES ({                                                                                 \
            double a = A[l];                                                                       \
            double c = C[l];                                                                       \
            D[l] = (expression);                                                                   \
          })                                                                                       \
        }                                                                                          \
      else if (is_a)                                                                               \
        {                                                                                          \
          double b = B[0], c = C[0];                                                               \
          LANES ({                                                                                 \
            double a = A[l];                                                                       \
            D[l] = (expression);                                                                   \
          })                                                                                       \
        }                                                                                          \
      else if (is_c)                                                                               \
        {                                                                                          \
          double a = A[0], b = B[0];                                                               \
          LANES ({                                                                                 \
            double c = C[l];                                                                       \
            D[l] = (expression);                                                                   \
          })                                                                                       \
        }                                                                                          \
      else                                                                                         \
        {                                                                                          \
          double a = A[0], b = B[0], c = C[0];                                                     \
          D[0] = (expression);                                                                     \
        }                                                                                          \
    }                                                                                              \
  while (0)

/* What is one for all lanes is read first: its row may be the one that is written. */
static inline __attribute__ ((always_inline)) void
choose_lanes (double *D, const double *A, const double *B, const double *C, gboolean is_b,
              gboolean is_c, gsize n)
{
  double b0 = B[0], c0 = C[0];

  if (is_b && is_c)
    LANES ({
      double b = B[l];
      double c = C[l];
      D[l] = A[l] != 0.0 ? b : c;
    })
  else if (is_b)
    LANES ({
      double b = B[l];
      D[l] = A[l] != 0.0 ? b : c0;
    })
  else if (is_c)
    LANES ({
      double c = C[l];
      D[l] = A[l] != 0.0 ? b0 : c;
    })
  else
    LANES (D[l] = A[l] != 0.0 ? b0 : c0;)
}

/* Twice the width where the processor has it: the same operations in the same order, so the same
 * bits. What chooses runs before the thread sanitizer has begun, so not under that. */
#ifdef __SANITIZE_THREAD__
#define WIDE
#else
#define WIDE __attribute__ ((target_clones ("avx2", "default")))
#endif

WIDE static void
run_rows (const WeirProgram *self, WeirProgramWide *wide, gsize n)
{
  const WeirInstruction *code = weir_program_code (self);
  const WeirInstruction *end = code + self->n_instructions;
  const double **rows = wide->rows;
  guint8 *is_vector = wide->is_vector;
  Active stack[MAX_ACTIVE + 1];
  guint depth = 0;
  const Active *active = NULL; /* all lanes */

  for (const WeirInstruction *i = code; i < end; i++)
    {
      const double *A = rows[i->a], *B, *C;
      gboolean is_a = is_vector[i->a], is_b, is_c;
      double *D;

      while (depth > 0 && i >= stack[depth - 1].end)
        active = --depth > 0 ? &stack[depth - 1] : NULL;
      if (i->op >= WEIR_CODE_SKIP_IF_ZERO)
        {
          gboolean wanted = i->op == WEIR_CODE_SKIP_IF_ZERO;
          guint n_around = active != NULL ? active->n : (guint) n;
          guint n_chosen = is_a ? choose_active (&stack[depth], active, A, n, wanted)
                                : ((A[0] != 0.0) == wanted ? n_around : 0);

          if (n_chosen == 0)
            i = code + i->b - 1;
          else if (n_chosen < n_around && depth < MAX_ACTIVE)
            {
              stack[depth].end = code + i->b;
              active = &stack[depth++];
            }
          continue;
        }
      D = (double *) rows[i->d];
      if (i->op == WEIR_OP_TABLE || i->op == WEIR_OP_SLOPE)
        {
          Table table = { weir_program_operands (self) + i->b, i->c, rows, is_vector, NULL, 0 };
          gboolean is_any = is_a;

          for (guint j = 0; j < 2 * i->c; j++)
            is_any = is_any || is_vector[table.operands[j]];
          for (gsize l = 0; l < (is_any ? n : 1); l++)
            {
              table.lane = l;
              D[l] = table_calc (&table, A[is_a ? l : 0], i->op == WEIR_OP_SLOPE);
            }
          is_vector[i->d] = is_any;
          continue;
        }
      B = rows[i->b];
      C = rows[i->c];
      is_b = is_vector[i->b];
      is_c = is_vector[i->c];
      switch (i->op)
        {
#define WIDE_1(op, expression)                                                                     \
  case op:                                                                                         \
    if (is_a)                                                                                      \
      LANES ({                                                                                     \
        double a = A[l];                                                                           \
        D[l] = (expression);                                                                       \
      })                                                                                           \
    else                                                                                           \
      {                                                                                            \
        double a = A[0];                                                                           \
        D[0] = (expression);                                                                       \
      }                                                                                            \
    is_vector[i->d] = (guint8) is_a;                                                               \
    break;
#define WIDE_2(op, expression)                                                                     \
  case op:                                                                                         \
    if (is_a && is_b)                                                                              \
      LANES ({                                                                                     \
        double a = A[l];                                                                           \
        double b = B[l];                                                                           \
        D[l] = (expression);                                                                       \
      })                                                                                           \
    else if (is_a)                                                                                 \
      {                                                                                            \
        double b = B[0];                                                                           \
        LANES ({                                                                                   \
          double a = A[l];                                                                         \
          D[l] = (expression);                                                                     \
        })                                                                                         \
      }                                                                                            \
    else if (is_b)                                                                                 \
      {                                                                                            \
        double a = A[0];                                                                           \
        LANES ({                                                                                   \
          double b = B[l];                                                                         \
          D[l] = (expression);                                                                     \
        })                                                                                         \
      }                                                                                            \
    else                                                                                           \
      {                                                                                            \
        double a = A[0], b = B[0];                                                                 \
        D[0] = (expression);                                                                       \
      }                                                                                            \
    is_vector[i->d] = (guint8) (is_a || is_b);                                                     \
    break;
#define DEAR_1(op, expression)                                                                     \
  case op:                                                                                         \
    if (is_a && active != NULL)                                                                    \
      SOME_LANES (double a = A[l]; D[l] = (expression);)                                           \
    else if (is_a)                                                                                 \
      LANES ({                                                                                     \
        double a = A[l];                                                                           \
        D[l] = (expression);                                                                       \
      })                                                                                           \
    else                                                                                           \
      {                                                                                            \
        double a = A[0];                                                                           \
        D[0] = (expression);                                                                       \
      }                                                                                            \
    is_vector[i->d] = (guint8) is_a;                                                               \
    break;
#define DEAR_2(op, expression)                                                                     \
  case op:                                                                                         \
    {                                                                                              \
      double a0 = A[0], b0 = B[0];                                                                 \
      if ((is_a || is_b) && active != NULL)                                                        \
        SOME_LANES (double a = is_a ? A[l] : a0; double b = is_b ? B[l] : b0;                      \
                    D[l] = (expression);)                                                          \
      else if (is_a || is_b)                                                                       \
        LANES ({                                                                                   \
          double a = is_a ? A[l] : a0;                                                             \
          double b = is_b ? B[l] : b0;                                                             \
          D[l] = (expression);                                                                     \
        })                                                                                         \
      else                                                                                         \
        {                                                                                          \
          double a = a0, b = b0;                                                                   \
          D[0] = (expression);                                                                     \
        }                                                                                          \
      is_vector[i->d] = (guint8) (is_a || is_b);                                                   \
      break;                                                                                       \
    }
          FOREACH_OPERATION (WIDE_1, WIDE_2, DEAR_1, DEAR_2)
        case WEIR_OP_IF:
          if (is_a)
            {
              choose_lanes (D, A, B, C, is_b, is_c, n);
              is_vector[i->d] = TRUE;
            }
          else
            {
              gboolean is_first = A[0] != 0.0;

              is_vector[i->d] = (guint8) (is_first ? is_b : is_c);
              memmove (D, is_first ? B : C, (is_vector[i->d] ? n : 1) * sizeof (double));
            }
          break;
        case WEIR_CODE_MUL_ADD:
        case WEIR_CODE_MUL_SUB:
        case WEIR_CODE_SUB_MUL:
          {
            gboolean is_any = is_a || is_b || is_c;

            if (!is_a && is_b)
              {
                const double *row = A;

                A = B;
                B = row;
                is_a = TRUE;
                is_b = FALSE;
              }
            if (i->op == WEIR_CODE_MUL_ADD)
              WIDE_3 (a * b + c);
            else if (i->op == WEIR_CODE_MUL_SUB)
              WIDE_3 (a * b - c);
            else
              WIDE_3 (c - a * b);
            is_vector[i->d] = (guint8) is_any;
            break;
          }
        default:
          g_assert_not_reached ();
        }
    }
}

void
weir_program_run_wide (const WeirProgram *self, const WeirProgramColumn *in, double *const *out,
                       gsize n, WeirProgramWide *wide)
{
  const double *constants = weir_program_constants (self);
  const guint32 *output_slots = weir_program_output_slots (self);
  guint first_input = self->n_constants;

  g_return_if_fail (wide->n_slots == self->n_slots);

  for (guint i = 0; i < self->n_constants; i++)
    wide->rows[i] = constants + i;
  for (gsize start = 0; start < n; start += WEIR_PROGRAM_WIDTH)
    {
      gsize width = MIN (n - start, WEIR_PROGRAM_WIDTH);

      for (guint i = 0; i < self->n_inputs; i++)
        {
          wide->rows[first_input + i] = in[i].base + (in[i].is_vector ? start : 0);
          wide->is_vector[first_input + i] = (guint8) (in[i].is_vector != FALSE);
        }
      run_rows (self, wide, width);
      for (guint i = 0; i < self->n_outputs; i++)
        {
          guint32 slot = output_slots[i];

          if (wide->is_vector[slot])
            memcpy (out[i] + start, wide->rows[slot], width * sizeof (double));
          else
            for (gsize l = 0; l < width; l++)
              out[i][start + l] = wide->rows[slot][0];
        }
    }
}
