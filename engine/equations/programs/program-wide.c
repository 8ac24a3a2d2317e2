/* Running programs over rows of 256.
 *
 * A value that is the same for all lanes is computed once (its row has one element); a guarded
 * branch is skipped where no lane takes it, and otherwise computed for all lanes, of which IF keeps
 * the right ones.
 */
#include "equations/programs/program-private.h"
#include "equations/expressions/simplify.h"

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

/* The row of a table, lane by lane. */
static gboolean
look_up_rows (const WeirProgram *self, const WeirProgramWide *wide, const WeirInstruction *i,
              gsize n)
{
  const double *A = wide->rows[i->a];
  double *D = (double *) wide->rows[i->d];
  gboolean is_a = wide->is_vector[i->a], is_any = is_a;
  WeirOperationTable table = {
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

/* An element of a result. @va, @vb, @vc: is the operand a row? Else it is one number for all lanes,
 * @a0, @b0 or @c0. */
#define ELEMENT(l, va, vb, vc, expression)                                                         \
  {                                                                                                \
    G_GNUC_UNUSED double a = va ? A[l] : a0, b = vb ? B[l] : b0, c = vc ? C[l] : c0;               \
    D[l] = (expression);                                                                           \
  }

/* A loop for each case of rows and numbers. A row may be its own operand (a slot that is used
 * again), element by element: no dependence between elements. */
#define LOOP(va, vb, vc, expression)                                                               \
  {                                                                                                \
    _Pragma ("GCC ivdep") for (gsize l = 0; l < n; l++) ELEMENT (l, va, vb, vc, expression)        \
  }
#define LOOP_C(va, vb, expression)                                                                 \
  if (is_c)                                                                                        \
    LOOP (va, vb, TRUE, expression)                                                                \
  else                                                                                             \
    LOOP (va, vb, FALSE, expression)
#define LOOP_B(va, expression)                                                                     \
  if (is_b)                                                                                        \
    {                                                                                              \
      LOOP_C (va, TRUE, expression)                                                                \
    }                                                                                              \
  else                                                                                             \
    {                                                                                              \
      LOOP_C (va, FALSE, expression)                                                               \
    }

#define WIDE_OPERATION(op, n_operands, cost, expression)                                           \
  case op:                                                                                         \
    is_b = n_operands > 1 && is_b;                                                                 \
    is_c = n_operands > 2 && is_c;                                                                 \
    is_any = is_a || is_b || is_c;                                                                 \
    if (!is_any)                                                                                   \
      ELEMENT (0, FALSE, FALSE, FALSE, expression)                                                 \
    else if (cost >= WEIR_COST_DEAR && active != NULL)                                             \
      for (guint j = 0; j < active->n; j++)                                                        \
        ELEMENT (active->lanes[j], is_a, is_b, is_c, expression)                                   \
    else if (is_a)                                                                                 \
      LOOP_B (TRUE, expression)                                                                    \
    else                                                                                           \
      LOOP_B (FALSE, expression)                                                                   \
    break;

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
      gboolean is_a = is_vector[i->a], is_b, is_c, is_any;
      double *D, a0, b0, c0;

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
      /* Read before: their row may be the one that is written. An operation that takes fewer has
       * slot 0 there, or any other: each has an element. */
      a0 = A[0];
      b0 = B[0];
      c0 = C[0];
      switch (i->op)
        {
          WEIR_FOREACH_OPERATION (WIDE_OPERATION)
        default:
          g_assert_not_reached ();
        }
      is_vector[i->d] = (guint8) is_any;
    }
}

void
weir_program_execute_wide (const WeirProgram *self, const WeirProgramColumn *in, double *const *out,
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
