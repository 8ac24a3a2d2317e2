/* Running programs over rows of 256.
 *
 * A value that is the same for all lanes is computed once (its row has one element); a guarded
 * branch is skipped where no lane takes it, and otherwise computed for all lanes, of which IF keeps
 * the right ones.
 */
#include "equations/operations-private.h"
#include "equations/simplify.h"

#include <string.h>

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

/* The row of an IF; is it one of many elements? */
static inline __attribute__ ((always_inline)) gboolean
choose_rows (double *D, const double *A, const double *B, const double *C, gboolean is_a,
             gboolean is_b, gboolean is_c, gsize n)
{
  gboolean is_first = A[0] != 0.0, is_vector = is_a || (is_first ? is_b : is_c);

  if (is_a)
    choose_lanes (D, A, B, C, is_b, is_c, n);
  else
    memmove (D, is_first ? B : C, (is_vector ? n : 1) * sizeof (double));
  return is_vector;
}

/* The row of a product and a sum. */
static inline __attribute__ ((always_inline)) gboolean
multiply_rows (guint op, double *D, const double *A, const double *B, const double *C,
               gboolean is_a, gboolean is_b, gboolean is_c, gsize n)
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
  if (op == WEIR_CODE_MUL_ADD)
    WIDE_3 (a * b + c);
  else if (op == WEIR_CODE_MUL_SUB)
    WIDE_3 (a * b - c);
  else
    WIDE_3 (c - a * b);
  return is_any;
}

/* The row of a table, lane by lane. */
static gboolean
look_up_rows (const WeirProgram *self, const WeirProgramWide *wide, const WeirInstruction *i,
              gsize n)
{
  const double *A = wide->rows[i->a];
  double *D = (double *) wide->rows[i->d];
  gboolean is_a = wide->is_vector[i->a], is_any = is_a;
  WeirTable table = {
    weir_program_operands (self) + i->b, i->c, wide->rows, wide->is_vector, NULL, 0
  };

  for (guint j = 0; j < 2 * i->c; j++)
    is_any = is_any || wide->is_vector[table.operands[j]];
  for (gsize l = 0; l < (is_any ? n : 1); l++)
    {
      table.lane = l;
      D[l] = weir_table_calc (&table, A[is_a ? l : 0], i->op == WEIR_OP_SLOPE);
    }
  return is_any;
}

/* Simple operations, for each of which operands are rows and which are one for all lanes. */
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
          is_vector[i->d] = (guint8) look_up_rows (self, wide, i, n);
          continue;
        }
      B = rows[i->b];
      C = rows[i->c];
      is_b = is_vector[i->b];
      is_c = is_vector[i->c];
      switch (i->op)
        {
          WEIR_FOREACH_OPERATION (WIDE_1, WIDE_2, DEAR_1, DEAR_2)
        case WEIR_OP_IF:
          is_vector[i->d] = (guint8) choose_rows (D, A, B, C, is_a, is_b, is_c, n);
          break;
        case WEIR_CODE_MUL_ADD:
        case WEIR_CODE_MUL_SUB:
        case WEIR_CODE_SUB_MUL:
          is_vector[i->d] = (guint8) multiply_rows (i->op, D, A, B, C, is_a, is_b, is_c, n);
          break;
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
