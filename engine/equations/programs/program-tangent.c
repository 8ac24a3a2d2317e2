/* How the outputs of a program move with its inputs: its instructions are read back as expressions,
 * which are differentiated and compiled. See program.h.
 */
#include "equations/programs/program-private.h"

#define COUNT(op, n_operands, cost, expression) [op] = n_operands,
static const guint8 counts[] = { WEIR_FOREACH_OPERATION (COUNT) };
#undef COUNT

static WeirExpr
make_product (WeirExprPool *pool, const WeirExpr *slots, const WeirInstruction *i)
{
  return weir_expr_make_2 (pool, WEIR_OP_MUL, slots[i->a], slots[i->b]);
}

static WeirExpr
make_table (WeirExprPool *pool, const WeirProgram *self, const WeirExpr *slots,
            const WeirInstruction *i)
{
  const guint32 *operands = weir_program_operands (self) + i->b;
  g_autofree WeirExpr *args = g_new (WeirExpr, 2 * (gsize) i->c + 1);

  args[0] = slots[i->a];
  for (guint32 k = 0; k < 2 * i->c; k++)
    args[k + 1] = slots[operands[k]];
  return weir_expr_make (pool, i->op, args, 2 * i->c + 1);
}

static WeirExpr
read_instruction (WeirExprPool *pool, const WeirProgram *self, const WeirExpr *slots,
                  const WeirInstruction *i)
{
  switch ((int) i->op)
    {
    case WEIR_OP_TABLE:
    case WEIR_OP_SLOPE:
      return make_table (pool, self, slots, i);
    case WEIR_CODE_MUL_ADD:
      return weir_expr_make_2 (pool, WEIR_OP_ADD, make_product (pool, slots, i), slots[i->c]);
    case WEIR_CODE_MUL_SUB:
      return weir_expr_make_2 (pool, WEIR_OP_SUB, make_product (pool, slots, i), slots[i->c]);
    case WEIR_CODE_SUB_MUL:
      return weir_expr_make_2 (pool, WEIR_OP_SUB, slots[i->c], make_product (pool, slots, i));
    default:
      return weir_expr_make (pool, i->op, (WeirExpr[]) { slots[i->a], slots[i->b], slots[i->c] },
                             counts[i->op]);
    }
}

/* What jumps leave out is read by nothing but the choice that does not take it, so that in an
 * expression they say nothing. */
static void
read_code (WeirExprPool *pool, const WeirProgram *self, WeirExpr *slots)
{
  for (const WeirInstruction *i = weir_program_code (self); i->op != WEIR_CODE_END; i++)
    if (!weir_instruction_is_jump (i))
      slots[i->d] = read_instruction (pool, self, slots, i);
}

WeirProgram *
weir_program_new_tangent (const WeirProgram *self, guint n_outputs)
{
  g_autoptr (WeirExprPool) pool = weir_expr_pool_new ();
  guint32 n_in = self->n_inputs, first = self->n_constants;
  g_autofree WeirExpr *slots = g_new0 (WeirExpr, self->n_slots + 1);
  g_autofree WeirExpr *inputs = g_new (WeirExpr, 2 * (gsize) n_in + 1);
  g_autofree WeirExpr *values = g_new (WeirExpr, n_outputs + 1);
  g_autofree WeirExpr *moves = g_new (WeirExpr, n_outputs + 1);

  for (guint32 i = 0; i < first; i++)
    slots[i] = weir_expr_number (pool, weir_program_constants (self)[i]);
  for (guint32 i = 0; i < 2 * n_in; i++)
    {
      g_autofree char *name = g_strdup_printf ("%c%u", i < n_in ? 'x' : 'd', i % MAX (n_in, 1));

      inputs[i] = weir_expr_symbol (pool, name);
      if (i < n_in)
        slots[first + i] = inputs[i];
    }
  read_code (pool, self, slots);
  for (guint i = 0; i < n_outputs; i++)
    values[i] = slots[weir_program_output_slots (self)[i]];
  weir_expr_derive_along (pool, values, n_outputs, inputs, inputs + n_in, n_in, moves);
  return weir_program_new (pool, moves, n_outputs, inputs, 2 * n_in);
}
