/* What begins to hold at an event while it does not yet: a contact that joins charged capacitors, a
 * clutch that joins shafts of different speeds.
 *
 * Such a constraint is written D(w) + keep(w) ~ 0, in a branch. The factor k of keep (w) = k w says
 * how fast w goes to zero; the faster, the more of what happens meanwhile is the force that holds
 * the constraint, and with k without end that is an impulse: no source and no loss has time to do
 * anything, and what is stored moves from one store to the other as charge, flux and momentum are
 * kept. As all this is linear in the impulse, the jump of the states is just the derivative of
 * their rates by k: D(w) changes by -w for one more of k.
 *
 * So the equations are differentiated by k, block after block, to as many more blocks whose
 * unknowns are these derivatives; nobody asks for them but the event that adds them to the states,
 * where a w that is kept is farther from zero than the run is accurate. A run may begin with such a
 * constraint: then it jumps at once, as soon as the relations are decided.
 */
#include "equations/order/order.h"

typedef struct {
  WeirEquationsBuilder *builder;
  WeirExpr factor;      /* k */
  GHashTable *impulses; /* atom + 1 to its derivative by k, + 1; 0 of all others */
} Restart;

/* --- The factor ------------------------------------------------------------------------------ */

static WeirExpr
get_factor (const WeirEquationsBuilder *self)
{
  return weir_expr_symbol (self->pool, "(keep)"); /* no text can spell it */
}

static WeirExpr
mark (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const WeirExpr *factor = data;

  if (weir_expr_get_op (pool, part) == WEIR_OP_KEEP)
    return weir_simplify_make_2 (pool, WEIR_OP_MUL, *factor, weir_expr_get_arg (pool, part, 0));
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

gboolean
weir_builder_mark_kept (WeirEquationsBuilder *self, GArray *equations)
{
  WeirExpr factor;

  if (!weir_expr_pool_has_op (self->pool, WEIR_OP_KEEP))
    return FALSE;
  factor = get_factor (self);
  for (guint i = 0; i < equations->len; i++)
    {
      WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      equation->left = weir_expr_replace (self->pool, equation->left, mark, &factor, NULL);
      equation->right = weir_expr_replace (self->pool, equation->right, mark, &factor, NULL);
    }
  return TRUE;
}

static WeirExpr
fix (const Restart *self, WeirExpr e)
{
  g_autoptr (GHashTable) value = g_hash_table_new (NULL, NULL);
  WeirExpr rate = weir_expr_number (self->builder->pool, WEIR_KEEP_RATE);

  if (e.i == WEIR_NO_EXPR.i)
    return e;
  g_hash_table_insert (value, GUINT_TO_POINTER (self->factor.i + 1), GUINT_TO_POINTER (rate.i + 1));
  return weir_expr_replace (self->builder->pool, e, weir_expr_look_up, value, weir_simplify_make);
}

/* From here on the factor is a number. */
static void
fix_factor (const Restart *self)
{
  WeirEquations *result = self->builder->result;

  for (guint i = 0; i < result->blocks->len; i++)
    {
      WeirEquationBlock *block = g_ptr_array_index (result->blocks, i);

      block->value = fix (self, block->value);
      for (guint j = 0; block->residuals != NULL && j < block->n; j++)
        block->residuals[j] = fix (self, block->residuals[j]);
      for (guint j = 0; block->jacobian != NULL && j < block->jacobian->first[block->n]; j++)
        block->jacobian->entry[j] = fix (self, block->jacobian->entry[j]);
    }
  for (guint i = 0; i < result->invariants->len; i++)
    {
      WeirInvariant *invariant = &g_array_index (result->invariants, WeirInvariant, i);

      invariant->residual = fix (self, invariant->residual);
    }
}

/* --- Impulses -------------------------------------------------------------------------------- */

static WeirExpr
get_impulse (const Restart *self, WeirExpr atom)
{
  gpointer found = g_hash_table_lookup (self->impulses, GUINT_TO_POINTER (atom.i + 1));

  return found != NULL ? (WeirExpr) { GPOINTER_TO_UINT (found) - 1 } : WEIR_NO_EXPR;
}

/* The derivative of @e by the factor, its own and by way of what has an impulse. */
static WeirExpr
derive (const Restart *self, WeirExpr e)
{
  WeirExprPool *pool = self->builder->pool;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  WeirExpr sum = weir_expr_number (pool, 0.0);

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i), impulse = get_impulse (self, atom);

      if (weir_expr_equal (atom, self->factor))
        impulse = weir_expr_number (pool, 1.0);
      if (impulse.i != WEIR_NO_EXPR.i)
        sum = weir_simplify_make_2 (
            pool, WEIR_OP_ADD, sum,
            weir_simplify_make_2 (pool, WEIR_OP_MUL, weir_expr_derive (pool, e, atom), impulse));
    }
  return sum;
}

static WeirExpr
add_impulse (const Restart *self, WeirExpr atom)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autofree char *name = weir_expr_describe (builder->pool, atom);
  g_autofree char *text = g_strdup_printf ("impulse of %s", name);
  WeirExpr impulse = weir_builder_add_symbol (builder, text,
                                              g_hash_table_size (self->impulses) + 1);

  g_hash_table_insert (self->impulses, GUINT_TO_POINTER (atom.i + 1),
                       GUINT_TO_POINTER (impulse.i + 1));
  return impulse;
}

/* What an explicit block makes of the impulses of what it reads. */
static void
add_explicit (const Restart *self, const WeirEquationBlock *block)
{
  WeirExpr value = derive (self, block->value);
  WeirEquationBlock *own;

  if (weir_expr_is_number (self->builder->pool, value, 0.0))
    return;
  own = weir_equation_block_new (1);
  own->unknowns[0] = add_impulse (self, block->unknowns[0]);
  own->lines[0] = block->lines[0];
  own->value = value;
  g_ptr_array_add (self->builder->result->blocks, own);
}

/* The same of one that is solved: linear, with the matrix that its last step has. */
static void
add_solved (const Restart *self, const WeirEquationBlock *block)
{
  WeirExprPool *pool = self->builder->pool;
  const WeirJacobian *jacobian = block->jacobian;
  g_autofree WeirExpr *residuals = g_new (WeirExpr, block->n);
  gboolean has_any = FALSE;
  WeirEquationBlock *own;

  for (guint i = 0; i < block->n; i++)
    {
      residuals[i] = derive (self, block->residuals[i]);
      has_any = has_any || !weir_expr_is_number (pool, residuals[i], 0.0);
    }
  if (!has_any)
    return;
  own = weir_equation_block_new (block->n);
  for (guint i = 0; i < block->n; i++)
    {
      own->unknowns[i] = add_impulse (self, block->unknowns[i]);
      own->lines[i] = block->lines[i];
    }
  for (guint i = 0; i < block->n; i++)
    for (guint j = jacobian->first[i]; j < jacobian->first[i + 1]; j++)
      residuals[i] = weir_simplify_make_2 (
          pool, WEIR_OP_ADD, residuals[i],
          weir_simplify_make_2 (pool, WEIR_OP_MUL, jacobian->entry[j],
                                own->unknowns[jacobian->column[j]]));
  own->residuals = g_steal_pointer (&residuals);
  weir_equation_block_differentiate (pool, own);
  g_ptr_array_add (self->builder->result->blocks, own);
}

/* --- The event ------------------------------------------------------------------------------- */

/* Positive while all that is kept is as near to zero as the run is accurate. */
static WeirExpr
make_margin (const Restart *self, const GArray *equations, int *line)
{
  WeirExprPool *pool = self->builder->pool;
  WeirExpr most = weir_expr_number (pool, 0.0);

  *line = 0;
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirExpr off = weir_expr_derive (
          pool, weir_simplify_make_2 (pool, WEIR_OP_SUB, equation->left, equation->right),
          self->factor);

      if (weir_expr_is_number (pool, off, 0.0))
        continue;
      *line = *line == 0 ? equation->line : *line;
      most = weir_simplify_make_2 (pool, WEIR_OP_MAX, most,
                                   weir_simplify_make_1 (pool, WEIR_OP_ABS, off));
    }
  return weir_simplify_make_2 (pool, WEIR_OP_SUB,
                               weir_simplify_make_2 (pool, WEIR_OP_MAX,
                                                     weir_expr_symbol (pool, WEIR_ACCURACY_SYMBOL),
                                                     weir_expr_number (pool, 1e-12)),
                               most);
}

/* False before the start and true from it on, like any relation: whatever is off from the outset
 * falls below zero as this one is decided, with the others. */
static WeirExpr
add_begun (const Restart *self)
{
  WeirExprPool *pool = self->builder->pool;
  GArray *relations = self->builder->result->relations;
  WeirRelation begun = { .op = WEIR_OP_GT,
                         .value = weir_expr_number (pool, 0.0),
                         .crossing = weir_expr_number (pool, 1.0) };

  /* No text can spell it. */
  begun.symbol = weir_builder_add_symbol (self->builder, "(begun)", relations->len + 1);
  g_array_append_val (relations, begun);
  return begun.symbol;
}

static void
add_event (const Restart *self, const GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirEquations *result = builder->result;
  WeirEvent *event = g_new0 (WeirEvent, 1);

  event->kind = WEIR_EVENT_FALLING;
  event->crossing = weir_simplify_make (builder->pool, WEIR_OP_IF,
                                        (WeirExpr[]) { add_begun (self),
                                                       make_margin (self, equations, &event->line),
                                                       weir_expr_number (builder->pool, 1.0) },
                                        3);
  event->assignments = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));
  for (guint i = 0; i < result->states->len; i++)
    {
      const WeirState *state = &g_array_index (result->states, WeirState, i);
      WeirExpr impulse = get_impulse (self, state->rate);
      WeirAssignment assignment = { .target = state->atom, .line = event->line };

      if (impulse.i == WEIR_NO_EXPR.i)
        continue;
      assignment.value = weir_simplify_make_2 (
          builder->pool, WEIR_OP_ADD, weir_expr_make_1 (builder->pool, WEIR_OP_PRE, state->atom),
          impulse);
      g_array_append_val (event->assignments, assignment);
    }
  g_ptr_array_add (result->events, event);
  result->has_restarts = TRUE;
}

void
weir_builder_add_restarts (WeirEquationsBuilder *self, const GArray *equations)
{
  g_autoptr (GHashTable) impulses = g_hash_table_new (NULL, NULL);
  Restart restart = { self, get_factor (self), impulses };
  guint n = self->result->blocks->len;

  for (guint i = 0; i < n; i++)
    {
      const WeirEquationBlock *block = g_ptr_array_index (self->result->blocks, i);

      if (block->value.i != WEIR_NO_EXPR.i)
        add_explicit (&restart, block);
      else
        add_solved (&restart, block);
    }
  add_event (&restart, equations);
  fix_factor (&restart);
}
