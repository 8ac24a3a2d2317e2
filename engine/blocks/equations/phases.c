/* The phases of a system of equations: how far the arguments of its sines, cosines and tangents
 * have got, in turns (weir_leaf_set_phases()).
 */
#include <math.h>

#include "blocks/equations/compile-private.h"
#include "blocks/equations/equations.h"

static gboolean
can_turn (WeirCompiler *self, WeirExpr argument)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  gboolean can = FALSE;

  weir_expr_collect_atoms (self->pool, &argument, 1, atoms);
  for (guint i = 0; i < atoms->len && !can; i++)
    {
      const WeirPlace *place = weir_compiler_get_place (self, g_array_index (atoms, WeirExpr, i));
      WeirOperandKind kind = WEIR_OPERAND_CACHED;

      if (!place->is_unknown)
        kind = g_array_index (self->sources, WeirOperandSource, place->source).kind;
      can = kind == WEIR_OPERAND_TIME || kind == WEIR_OPERAND_STATE || kind == WEIR_OPERAND_INPUT
            || kind == WEIR_OPERAND_CACHED;
    }
  return can;
}

/* Everything that is computed between events. Kinks are left out: floor (t) is none but at them,
 * where steps end. */
static void
list_roots (const WeirEquations *equations, GArray *roots)
{
  for (guint i = 0; i < equations->blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (equations->blocks, i);

      if (block->value.i != WEIR_NO_EXPR.i)
        g_array_append_val (roots, block->value);
      else
        g_array_append_vals (roots, block->residuals, block->n);
    }
  for (guint i = 0; i < equations->delays->len; i++)
    g_array_append_val (roots, g_array_index (equations->delays, WeirDelay, i).value);
  for (guint i = 0; i < equations->relations->len; i++)
    g_array_append_val (roots, g_array_index (equations->relations, WeirRelation, i).crossing);
  for (guint i = 0; i < equations->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (equations->events, i);

      if (event->crossing.i != WEIR_NO_EXPR.i)
        g_array_append_val (roots, event->crossing);
    }
}

static WeirStatus
calc_phases (const WeirCalc *c, double *phases)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_at (data, data->phases);
  const WeirPart *part = weir_equations_at (data, computation->parts);
  double *in;

  weir_equations_evaluate (c, weir_equations_at (data, part->operands), part->n_operands);
  in = weir_equations_get_scratch (
      c, part->n_operands + weir_program_get_work_size (weir_equations_at (data, part->program)));
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL, in);
  weir_program_execute (weir_equations_at (data, part->program), in, phases, in + part->n_operands);
  for (guint i = 0; i < part->n; i++)
    phases[i] /= 2 * G_PI;
  return WEIR_OK;
}

void
weir_compiler_make_phases (WeirCompiler *self)
{
  g_autoptr (GArray) roots = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) found = g_hash_table_new (NULL, NULL); /* set of arguments + 1 */
  g_autoptr (GArray) angles = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) lines = g_array_new (FALSE, TRUE, sizeof (guint32));
  g_autoptr (GArray) depends = NULL;
  WeirComputation computation;

  list_roots (self->equations, roots);
  weir_expr_collect (self->pool, (WeirExpr *) roots->data, roots->len, TRUE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr e = g_array_index (order, WeirExpr, i), angle;
      WeirOp op = weir_expr_get_op (self->pool, e);

      if (op != WEIR_OP_SIN && op != WEIR_OP_COS && op != WEIR_OP_TAN)
        continue;
      angle = weir_expr_get_arg (self->pool, e, 0);
      if (can_turn (self, angle) && g_hash_table_add (found, GUINT_TO_POINTER (angle.i + 1)))
        g_array_append_val (angles, angle);
    }
  if (angles->len == 0)
    return;
  g_array_set_size (lines, angles->len);
  computation = weir_compiler_make_simple (self, angles, lines, FALSE, &depends);
  g_array_append_val (self->phase_computations, computation);
  weir_leaf_set_phases (self->builder, angles->len, calc_phases);
}
