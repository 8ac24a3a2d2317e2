/* Running programs over numbers: one set of inputs at a time. See program-wide.c for many.
 */
#include "equations/programs/program-private.h"
#include "equations/expressions/simplify.h"

/* Forms of operations that take the result before, @last, from a register. */
#define FOREACH_FORM(X)                                                                            \
  X (WEIR_CODE_ADD_LAST, 2, 1, last + b)                                                           \
  X (WEIR_CODE_SUB_LAST, 2, 1, last - b)                                                           \
  X (WEIR_CODE_FROM_LAST, 2, 1, a - last)                                                          \
  X (WEIR_CODE_MUL_LAST, 2, 1, (last * b))                                                         \
  X (WEIR_CODE_MUL_ADD_LAST, 3, 1, (last * b) + c)                                                 \
  X (WEIR_CODE_MUL_ADD_LAST_C, 3, 1, (a * b) + last)                                               \
  X (WEIR_CODE_MUL_SUB_LAST, 3, 1, (last * b) - c)                                                 \
  X (WEIR_CODE_SUB_MUL_LAST, 3, 1, c - (last * b))                                                 \
  X (WEIR_CODE_SUB_MUL_LAST_C, 3, 1, last - (a * b))

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
#ifndef __clang__
#pragma GCC push_options
#pragma GCC optimize("no-crossjumping") /* which would make all these jumps one again */
#endif

void
weir_program_execute (const WeirProgram *self, const double *in, double *out, double *work)
{
#define LABEL(op, n_operands, cost, expression) [op] = &&at_##op,
  static const void *const labels[] = {
    WEIR_FOREACH_OPERATION (LABEL) FOREACH_FORM (LABEL)[WEIR_OP_TABLE] = &&at_table,
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
#define SCALAR(op, n_operands, cost, expression)                                                   \
  at_##op:                                                                                         \
  {                                                                                                \
    G_GNUC_UNUSED double a = work[i->a], b = work[i->b], c = work[i->c];                           \
    last = (expression);                                                                           \
    NEXT                                                                                           \
  }

  set_inputs (self, in, work);
  goto *labels[i->form];
  WEIR_FOREACH_OPERATION (SCALAR)
  FOREACH_FORM (SCALAR)
at_skip_if_zero:
  i = work[i->a] == 0.0 ? code + i->b : i + 1;
  goto *labels[i->form];
at_skip_unless_zero:
  i = work[i->a] != 0.0 ? code + i->b : i + 1;
  goto *labels[i->form];
at_table:
  {
    WeirOperationTable table = { weir_program_operands (self) + i->b, i->c, NULL, NULL, work, 0 };

    last = weir_table_calc (&table, work[i->a], i->op == WEIR_OP_SLOPE);
    NEXT
  }
at_end:
  for (guint o = 0; o < self->n_outputs; o++)
    out[o] = work[output_slots[o]];
}

#ifndef __clang__
#pragma GCC pop_options
#endif
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

      *a = work[i->a];
      if (weir_instruction_is_jump (i))
        {
          if ((*a == 0.0) == (i->op == WEIR_CODE_SKIP_IF_ZERO))
            i = code + i->b - 1;
          continue;
        }
      *b = is_table ? 0.0 : work[i->b];
      if (is_table)
        {
          WeirOperationTable table = {
            weir_program_operands (self) + i->b, i->c, NULL, NULL, work, 0
          };

          work[i->d] = weir_table_calc (&table, *a, i->op == WEIR_OP_SLOPE);
        }
      else
        work[i->d] = weir_op_calc (i->op, *a, *b, work[i->c]);
      if (isnan (work[i->d]) && !isnan (*a) && !isnan (*b))
        {
          *op = i->op < WEIR_N_OPS ? (WeirOp) i->op : WEIR_OP_MUL;
          return TRUE;
        }
    }
  return FALSE;
}
