/* Relations between what changes in the course of time: x > 1, sign (x).
 *
 * A solver must not meet a jump within a step. So each relation in a continuous equation becomes a
 * symbol whose value is declared state: it holds between events, and changes where the difference
 * of its sides passes 0. The symbol's name is the relation's own text in brackets, so that equal
 * relations are one, tables read as they were written, and nothing depends on the order of the
 * lines. Relations of parameters and discrete variables only cannot change between events and
 * stay as they are; so do those in assignments, assertions and conditions at the start, which are
 * about one instant.
 *
 * So is the whole number that floor, ceil, round and mod make of an expression: it holds until the
 * expression leaves the interval from it to the next.
 *
 * Operations that bend (abs, min, max, a table over time) are listed as kinks: what passes 0 there,
 * so that steps can end there; as they do where an assertion ceases to hold, which might come true
 * again before anybody looks. Those within noEvent are not, and relations there are computed anew
 * each time: what their writer knows to be smooth in all.
 */
#include "equations/order/order.h"

#include <math.h>
#include <string.h>

static gboolean
is_relation (WeirOp op)
{
  return op == WEIR_OP_LT || op == WEIR_OP_LE || op == WEIR_OP_GT || op == WEIR_OP_GE;
}

static gboolean
has_kink (WeirOp op)
{
  return op == WEIR_OP_ABS || op == WEIR_OP_MIN || op == WEIR_OP_MAX || op == WEIR_OP_ATAN2;
}

static gboolean
has_whole (WeirOp op)
{
  return op == WEIR_OP_FLOOR || op == WEIR_OP_CEIL || op == WEIR_OP_ROUND || op == WEIR_OP_MOD;
}

/* Can the value of @e change between events? */
static gboolean
can_vary (WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (self->pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    {
      WeirExpr atom = g_array_index (atoms, WeirExpr, i);
      const WeirVariable *variable = weir_builder_find_atom (self, atom);

      if (variable == NULL)
        {
          /* Time, or the symbol of a relation that was found before: that one changes at events. */
          if (strcmp (weir_expr_get_name (self->pool, atom), "t") == 0)
            return TRUE;
        }
      else if (weir_expr_get_op (self->pool, atom) == WEIR_OP_INITIAL)
        continue;
      else if (variable->role != WEIR_ROLE_PARAMETER && variable->role != WEIR_ROLE_DISCRETE)
        return TRUE;
    }
  return FALSE;
}

/* One extraction. */
typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *symbols; /* relation + 1 to its symbol + 1 */
  GHashTable *kinks;   /* set of what passes 0, + 1 */
} Extraction;

static void
add_kink (Extraction *self, WeirExpr crossing)
{
  if (g_hash_table_add (self->kinks, GUINT_TO_POINTER (crossing.i + 1)))
    g_array_append_val (self->builder->result->kinks, crossing);
}

/* A table over time bends at its points: another passes 0 there, by turns up and down. */
static void
add_corners (Extraction *self, WeirExpr table)
{
  WeirExprPool *pool = self->builder->pool;
  guint n = (weir_expr_get_n_args (pool, table) - 1) / 2, n_new = 2 * n + 1;
  WeirExpr time = weir_expr_get_arg (pool, table, 0);
  g_autofree double *at = g_new (double, n_new);
  g_autofree WeirExpr *operands = g_new (WeirExpr, 2 * n_new + 1);

  if (n < 2 || weir_expr_get_op (pool, time) != WEIR_OP_SYMBOL
      || strcmp (weir_expr_get_name (pool, time), "t") != 0)
    return;
  for (guint i = 0; i < n; i++)
    {
      WeirExpr x = weir_expr_get_arg (pool, table, 1 + i);

      if (weir_expr_get_op (pool, x) != WEIR_OP_NUMBER)
        return;
      at[2 * i + 1] = weir_expr_get_number (pool, x);
    }
  at[0] = at[1] - (at[3] - at[1]);
  at[2 * n] = at[2 * n - 1] + (at[2 * n - 1] - at[2 * n - 3]);
  for (guint i = 1; i < n; i++)
    at[2 * i] = (at[2 * i - 1] + at[2 * i + 1]) / 2;
  operands[0] = time;
  for (guint i = 0; i < n_new; i++)
    {
      operands[1 + i] = weir_expr_number (pool, at[i]);
      operands[1 + n_new + i] = weir_expr_number (pool, i % 4 == 0 ? 1.0 : i % 4 == 2 ? -1.0 : 0.0);
    }
  add_kink (self, weir_expr_make (pool, WEIR_OP_TABLE, operands, 2 * n_new + 1));
}

static WeirExpr extract (Extraction *self, WeirExpr e);

/* The symbol of what is known for @value; WEIR_NO_EXPR: nothing is. */
static WeirExpr
find_symbol (const Extraction *self, WeirExpr value)
{
  gpointer known = g_hash_table_lookup (self->symbols, GUINT_TO_POINTER (value.i + 1));

  return known != NULL ? (WeirExpr) { GPOINTER_TO_UINT (known) - 1 } : WEIR_NO_EXPR;
}

/* Gives @relation a symbol and lists it. */
static WeirExpr
append_relation (Extraction *self, WeirRelation *relation)
{
  GArray *relations = self->builder->result->relations;
  g_autofree char *text = weir_expr_describe (self->builder->pool, relation->value);
  g_autofree char *name = g_strdup_printf ("(%s)", text);

  relation->symbol = weir_builder_add_symbol (self->builder, name, relations->len + 1);
  g_hash_table_insert (self->symbols, GUINT_TO_POINTER (relation->value.i + 1),
                       GUINT_TO_POINTER (relation->symbol.i + 1));
  g_array_append_vals (relations, relation, 1);
  return relation->symbol;
}

/* The symbol of the relation "left op right". Nesting of expressions bounds the recursion. */
static WeirExpr
add_relation (Extraction *self, WeirOp op, WeirExpr left, WeirExpr right)
{
  WeirExprPool *pool = self->builder->pool;
  WeirRelation relation = { .op = op, .value = weir_expr_make_2 (pool, op, left, right) };
  WeirExpr known = find_symbol (self, relation.value);

  if (known.i != WEIR_NO_EXPR.i)
    return known;
  relation.crossing = extract (
      self, weir_simplify_make (pool, WEIR_OP_SUB, (WeirExpr[]) { left, right }, 2));
  return append_relation (self, &relation);
}

/* The symbol of @value, a whole number: that below @e, or at it. */
static WeirExpr
add_whole (Extraction *self, WeirExpr value, WeirExpr e)
{
  WeirExprPool *pool = self->builder->pool;
  WeirRelation relation = { .op = WEIR_OP_FLOOR, .value = value };
  WeirExpr known = find_symbol (self, value);
  WeirRelation *added;
  WeirExpr next;

  if (known.i != WEIR_NO_EXPR.i)
    return known;
  e = extract (self, e);
  known = append_relation (self, &relation);
  next = weir_expr_make_2 (pool, WEIR_OP_ADD, known, weir_expr_number (pool, 1.0));
  added = &g_array_index (self->builder->result->relations, WeirRelation,
                          self->builder->result->relations->len - 1);
  added->crossing = weir_simplify_make (pool, WEIR_OP_SUB, (WeirExpr[]) { e, known }, 2);
  added->beyond = weir_expr_make_2 (pool, WEIR_OP_SUB, e, next);
  return known;
}

/* floor, ceil, round or mod of @part by symbols. */
static WeirExpr
replace_whole (Extraction *self, WeirExpr part)
{
  WeirExprPool *pool = self->builder->pool;
  WeirExpr a = weir_expr_get_arg (pool, part, 0), b, whole;

  switch ((int) weir_expr_get_op (pool, part))
    {
    case WEIR_OP_CEIL:
      a = weir_simplify_make (pool, WEIR_OP_NEG, &a, 1);
      whole = add_whole (self, weir_expr_make_1 (pool, WEIR_OP_FLOOR, a), a);
      return weir_simplify_make (pool, WEIR_OP_NEG, &whole, 1);
    case WEIR_OP_ROUND:
      a = weir_simplify_make (pool, WEIR_OP_ADD, (WeirExpr[]) { a, weir_expr_number (pool, 0.5) },
                              2);
      return add_whole (self, part, a);
    case WEIR_OP_MOD:
      b = weir_expr_get_arg (pool, part, 1);
      whole = weir_simplify_make (pool, WEIR_OP_DIV, (WeirExpr[]) { a, b }, 2);
      whole = add_whole (self, weir_expr_make_1 (pool, WEIR_OP_FLOOR, whole), whole);
      whole = weir_simplify_make (pool, WEIR_OP_MUL, (WeirExpr[]) { extract (self, b), whole }, 2);
      return weir_simplify_make (pool, WEIR_OP_SUB, (WeirExpr[]) { extract (self, a), whole }, 2);
    default:
      return add_whole (self, part, a);
    }
}

static WeirExpr
strip_part (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  if (weir_expr_get_op (pool, part) != WEIR_OP_NO_EVENT)
    return WEIR_NO_EXPR;
  return weir_expr_replace (pool, weir_expr_get_arg (pool, part, 0), strip_part, NULL, NULL);
}

static WeirExpr
replace_relation (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  Extraction *self = data;
  WeirOp op = weir_expr_get_op (pool, part);
  WeirExpr a, b, zero;

  if (weir_expr_is_atom (pool, part))
    return part;
  if (op == WEIR_OP_NO_EVENT)
    return strip_part (pool, part, NULL);
  if (is_relation (op) && can_vary (self->builder, part))
    return add_relation (self, op, weir_expr_get_arg (pool, part, 0),
                         weir_expr_get_arg (pool, part, 1));
  if (op == WEIR_OP_SIGN && can_vary (self->builder, part))
    {
      a = weir_expr_get_arg (pool, part, 0);
      zero = weir_expr_number (pool, 0.0);
      return weir_simplify_make (pool, WEIR_OP_SUB,
                                 (WeirExpr[]) { add_relation (self, WEIR_OP_GT, a, zero),
                                                add_relation (self, WEIR_OP_LT, a, zero) },
                                 2);
    }
  if (has_whole (op) && can_vary (self->builder, part))
    return replace_whole (self, part);
  if (op == WEIR_OP_TABLE)
    add_corners (self, part);
  if (!has_kink (op) || !can_vary (self->builder, part))
    return WEIR_NO_EXPR;

  a = extract (self, weir_expr_get_arg (pool, part, 0));
  if (op == WEIR_OP_MIN || op == WEIR_OP_MAX)
    {
      b = extract (self, weir_expr_get_arg (pool, part, 1));
      add_kink (self, weir_simplify_make (pool, WEIR_OP_SUB, (WeirExpr[]) { a, b }, 2));
      return WEIR_NO_EXPR;
    }
  add_kink (self, a); /* of abs; and where atan2 (a, b) jumps if b is negative */
  return WEIR_NO_EXPR;
}

static gboolean
has_any (const WeirExprPool *pool)
{
  for (guint op = 0; op < WEIR_N_OPS; op++)
    if ((is_relation (op) || op == WEIR_OP_SIGN || has_kink (op) || has_whole (op)
         || op == WEIR_OP_NO_EVENT || op == WEIR_OP_TABLE)
        && weir_expr_pool_has_op (pool, op))
      return TRUE;
  return FALSE;
}

static WeirExpr
extract (Extraction *self, WeirExpr e)
{
  return weir_expr_replace (self->builder->pool, e, replace_relation, self, NULL);
}

GArray *
weir_builder_extract_relations (WeirEquationsBuilder *self, const GArray *equations)
{
  g_autoptr (GHashTable) symbols = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) kinks = g_hash_table_new (NULL, NULL);
  Extraction extraction = { self, symbols, kinks };
  GArray *extracted = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  guint n_kinks;

  if (!has_any (self->pool))
    {
      g_array_append_vals (extracted, equations->data, equations->len);
      return extracted;
    }
  for (guint i = 0; i < equations->len; i++)
    {
      WeirScalarEquation equation = g_array_index (equations, WeirScalarEquation, i);

      equation.left = extract (&extraction, equation.left);
      equation.right = extract (&extraction, equation.right);
      g_array_append_val (extracted, equation);
    }
  n_kinks = self->result->kinks->len;
  for (guint i = 0; i < self->result->events->len; i++)
    {
      WeirEvent *event = g_ptr_array_index (self->result->events, i);

      if (event->crossing.i != WEIR_NO_EXPR.i)
        event->crossing = extract (&extraction, event->crossing);
    }
  g_array_set_size (self->result->kinks, n_kinks); /* a bend in a crossing changes no value */
  for (guint i = 0; i < self->result->assertions->len; i++)
    {
      const WeirAssertion *assertion = g_ptr_array_index (self->result->assertions, i);
      WeirExpr margin;

      if (!can_vary (self, assertion->condition)
          || !weir_expr_find_margin (self->pool, assertion->condition, &margin))
        continue;
      n_kinks = self->result->kinks->len;
      margin = extract (&extraction, margin);
      g_array_set_size (self->result->kinks, n_kinks);
      add_kink (&extraction, margin);
    }
  return extracted;
}
