/* Derivatives at the start of what equations compute: "initial D(y) = 3" where y is no state.
 *
 * Nothing in the model determines D(y), so the equations of y are differentiated: an explicit y ~ f
 * gives D(y) ~ df/dt, and a group that is solved together gives as many equations as it has. What
 * their right sides read of other unknowns' derivatives follows in the same way. Comparisons hold
 * at the start.
 */
#include "equations/equations-private.h"

typedef struct {
  WeirEquationsBuilder *builder;
  GArray *equations, *unknowns;
  GHashTable *block_of;  /* atom + 1 to index of its block + 1 */
  GHashTable *is_done;   /* set of blocks + 1 */
  GHashTable *relations; /* symbol + 1 to value + 1 */
  GArray *queue;         /* of WeirExpr: unknowns whose derivatives are needed */
} Rates;

static WeirExpr
make (const Rates *self, WeirOp op, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make (self->builder->pool, op, (WeirExpr[]) { a, b }, 2);
}

static WeirExpr
replace_relation (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  gpointer found = g_hash_table_lookup (data, GUINT_TO_POINTER (part.i + 1));

  if (found != NULL)
    return (WeirExpr) { GPOINTER_TO_UINT (found) - 1 };
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

/* de/dt in derivatives of atoms; those of unknowns are queued. */
static WeirExpr
differentiate (Rates *self, WeirExpr e, int line)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirExprPool *pool = builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr time = weir_expr_symbol (pool, "t"), sum = weir_expr_number (pool, 0.0);

  e = weir_expr_replace (pool, e, replace_relation, self->relations, NULL);
  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i), term = weir_expr_derive (pool, e, atom);
      const WeirVariable *variable = weir_builder_find_atom (builder, atom);
      gboolean is_time = weir_expr_equal (atom, time);

      if (weir_expr_is_number (pool, term, 0.0)
          || (!is_time && variable != NULL && variable->role != WEIR_ROLE_STATE
              && variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_INPUT))
        continue;
      if (variable != NULL && variable->role == WEIR_ROLE_INPUT)
        weir_builder_fail (
            builder, "INI03", line,
            "Initialization: a derivative at the start depends on that of the input %s, "
            "which line %d reads and nobody knows.",
            variable->name, line);
      if (!is_time)
        {
          WeirExpr rate = weir_expr_make_1 (pool, WEIR_OP_DER, atom);

          if (g_hash_table_contains (self->block_of, GUINT_TO_POINTER (atom.i + 1)))
            g_array_append_val (self->queue, atom);
          term = make (self, WEIR_OP_MUL, term, rate);
        }
      sum = make (self, WEIR_OP_ADD, sum, term);
    }
  return sum;
}

static void
add_equation (Rates *self, WeirExpr left, WeirExpr right, int line)
{
  WeirScalarEquation equation = { .left = left, .right = right, .line = line };

  g_array_append_val (self->equations, equation);
}

static void
add_block (Rates *self, const WeirEquationBlock *block)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirExprPool *pool = builder->pool;

  for (guint i = 0; i < block->n; i++)
    {
      WeirUnknown unknown = { weir_expr_make_1 (pool, WEIR_OP_DER, block->unknowns[i]), 0 };

      g_ptr_array_find (builder->result->variables,
                        weir_builder_find_atom (builder, block->unknowns[i]), &unknown.variable);
      g_array_append_val (self->unknowns, unknown);
      if (block->value.i != WEIR_NO_EXPR.i)
        add_equation (self, unknown.atom, differentiate (self, block->value, block->lines[i]),
                      block->lines[i]);
      else
        add_equation (self, weir_expr_number (pool, 0.0),
                      differentiate (self, block->residuals[i], block->lines[i]), block->lines[i]);
    }
}

/* Unknowns, states' highest derivatives among them, whose derivative @e reads. */
static void
queue_rates (Rates *self, WeirExpr e)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);

      if (weir_expr_get_op (pool, atom) != WEIR_OP_DER)
        continue;
      atom = weir_expr_get_arg (pool, atom, 0);
      if (g_hash_table_contains (self->block_of, GUINT_TO_POINTER (atom.i + 1)))
        g_array_append_val (self->queue, atom);
    }
}

void
weir_builder_add_start_rates (WeirEquationsBuilder *builder, GArray *equations, GArray *unknowns)
{
  g_autoptr (GHashTable) block_of = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) is_done = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) relations = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  Rates self = { builder, equations, unknowns, block_of, is_done, relations, queue };
  const GPtrArray *blocks = builder->result->blocks;

  for (guint i = 0; i < blocks->len; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (blocks, i);

      for (guint j = 0; j < block->n; j++)
        g_hash_table_insert (block_of, GUINT_TO_POINTER (block->unknowns[j].i + 1),
                             GUINT_TO_POINTER (i + 1));
    }
  for (guint i = 0; i < builder->result->relations->len; i++)
    {
      const WeirRelation *relation = &g_array_index (builder->result->relations, WeirRelation, i);

      g_hash_table_insert (relations, GUINT_TO_POINTER (relation->symbol.i + 1),
                           GUINT_TO_POINTER (relation->value.i + 1));
    }
  for (guint i = 0; i < builder->initials->len; i++)
    {
      const WeirScalarEquation *initial = &g_array_index (builder->initials, WeirScalarEquation, i);

      queue_rates (&self, initial->left);
      queue_rates (&self, initial->right);
    }
  for (guint head = 0; head < queue->len; head++)
    {
      WeirExpr atom = g_array_index (queue, WeirExpr, head);
      guint place = GPOINTER_TO_UINT (
          g_hash_table_lookup (block_of, GUINT_TO_POINTER (atom.i + 1)));

      if (g_hash_table_add (is_done, GUINT_TO_POINTER (place)))
        add_block (&self, g_ptr_array_index (blocks, place - 1));
    }
}
