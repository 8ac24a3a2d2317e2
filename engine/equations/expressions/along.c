/* Differentiation along a direction: all atoms move at once. See simplify.h.
 *
 * Every distinct part is gone through once, whatever the number of atoms, and what a part moves by
 * is shared by all that it is in.
 */
#include "equations/expressions/operations.h"

typedef struct {
  WeirExprPool *pool;
  WeirExpr zero;
  GHashTable *moves; /* part + 1 to what it moves by + 1; of what does not move nothing */
} Along;

static WeirExpr
get_move (const Along *self, WeirExpr part)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->moves, GUINT_TO_POINTER (part.i + 1)));

  return found > 0 ? (WeirExpr) { found - 1 } : self->zero;
}

static void
set_move (const Along *self, WeirExpr part, WeirExpr move)
{
  g_hash_table_insert (self->moves, GUINT_TO_POINTER (part.i + 1), GUINT_TO_POINTER (move.i + 1));
}

static void
add_move (const Along *self, WeirExpr part)
{
  WeirExpr d[3] = { self->zero, self->zero, self->zero };
  WeirOp op = weir_expr_get_op (self->pool, part);
  guint n = MIN (weir_expr_get_n_args (self->pool, part), G_N_ELEMENTS (d));
  gboolean moves = FALSE;

  if (weir_derive_is_level (op))
    return;
  if (op == WEIR_OP_TABLE)
    n = 1;
  for (guint k = 0; k < n; k++)
    {
      d[k] = get_move (self, weir_expr_get_arg (self->pool, part, k));
      moves = moves || ((op != WEIR_OP_IF || k > 0) && !weir_expr_equal (d[k], self->zero));
    }
  if (moves)
    set_move (self, part, weir_derive_operation (self->pool, part, d));
}

void
weir_expr_derive_along (WeirExprPool *pool, const WeirExpr *values, guint n_values,
                        const WeirExpr *atoms, const WeirExpr *directions, guint n_atoms,
                        WeirExpr *derivatives)
{
  g_autoptr (GHashTable) moves = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  const Along self = { pool, weir_expr_number (pool, 0.0), moves };

  for (guint i = 0; i < n_atoms; i++)
    set_move (&self, atoms[i], directions[i]);
  weir_expr_collect (pool, values, n_values, TRUE, parts);
  for (guint i = 0; i < parts->len; i++)
    {
      WeirExpr part = g_array_index (parts, WeirExpr, i);

      if (!weir_expr_is_atom (pool, part) && weir_expr_get_op (pool, part) != WEIR_OP_NUMBER)
        add_move (&self, part);
    }
  for (guint i = 0; i < n_values; i++)
    derivatives[i] = get_move (&self, values[i]);
}
