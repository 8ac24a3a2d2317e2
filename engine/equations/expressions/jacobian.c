/* Differentiation: forward, one atom at a time, over the distinct parts of an expression.
 *
 * Forward because the derivative of "if" is then an "if" of derivatives: the branch not taken,
 * whose derivative may be infinite, never enters. Only what an atom is in is gone through, so that
 * a row of a Jacobian costs no more than its parts and their nesting.
 */
#include "equations/expressions/operations.h"

#include <string.h>

#include "numerics/rows.h"

/* The parts of an expression, arguments before what they are arguments of. A part is known by its
 * position among them.
 *
 * The sums and differences at the root are taken apart: the derivative of a long sum is that of the
 * few terms that the atom is in.
 */
typedef struct {
  WeirExpr *parts;
  guint n;
  guint *first_arg;  /* of each part, and the end */
  guint *args;       /* positions of its arguments; none of an atom */
  WeirRows users;    /* positions of what each is an argument of */
  gboolean *matters; /* can change the derivative */
  gboolean *is_sum;  /* of the sums at the root */
  int *weight;       /* how often a part is a term of them */
  guint *seen;       /* the walk in which a derivative was last found */
  guint walk;
  WeirExpr *derivative;
  GArray *above; /* of guint, scratch */
} Parts;

static void
add_args (Parts *self, WeirExprPool *pool)
{
  GArray *args = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) position = g_hash_table_new (NULL, NULL); /* part + 1 to position */

  self->first_arg = g_new (guint, self->n + 1);
  for (guint i = 0; i < self->n; i++)
    {
      WeirExpr part = self->parts[i];
      guint n_args = weir_expr_is_atom (pool, part) ? 0 : weir_expr_get_n_args (pool, part);

      self->first_arg[i] = args->len;
      for (guint j = 0; j < n_args; j++)
        {
          WeirExpr arg = weir_expr_get_arg (pool, part, j);
          guint at = GPOINTER_TO_UINT (
              g_hash_table_lookup (position, GUINT_TO_POINTER (arg.i + 1)));

          g_array_append_val (args, at);
        }
      g_hash_table_insert (position, GUINT_TO_POINTER (part.i + 1), GUINT_TO_POINTER (i));
    }
  self->first_arg[self->n] = args->len;
  self->args = (guint *) g_array_free (args, FALSE);
}

/* From the root down, as what follows is. */
static void
find_what_matters (Parts *self, WeirExprPool *pool)
{
  self->matters = g_new0 (gboolean, self->n);
  self->matters[self->n - 1] = TRUE;
  for (guint i = self->n; i-- > 0;)
    {
      WeirOp op = weir_expr_get_op (pool, self->parts[i]);
      guint first = self->first_arg[i], end = self->first_arg[i + 1];

      if (op == WEIR_OP_IF)
        first++;
      else if (op == WEIR_OP_TABLE)
        end = first + 1;
      self->matters[i] = self->matters[i] && !weir_derive_is_level (op);
      for (guint j = first; self->matters[i] && j < end; j++)
        self->matters[self->args[j]] = TRUE;
    }
}

/* What is used by one sum only and is a sum itself belongs to them. */
static void
find_terms (Parts *self, WeirExprPool *pool)
{
  self->is_sum = g_new0 (gboolean, self->n);
  self->weight = g_new0 (int, self->n);
  self->weight[self->n - 1] = 1;
  for (guint i = self->n; i-- > 0;)
    {
      WeirOp op = weir_expr_get_op (pool, self->parts[i]);
      gboolean has_one_user = weir_rows_get_length (&self->users, i) <= 1;

      if (self->weight[i] == 0 || !has_one_user
          || !(op == WEIR_OP_ADD || op == WEIR_OP_SUB || op == WEIR_OP_NEG))
        continue;
      self->is_sum[i] = TRUE;
      for (guint j = self->first_arg[i]; j < self->first_arg[i + 1]; j++)
        {
          gboolean is_last = j + 1 == self->first_arg[i + 1];

          self->weight[self->args[j]] += is_last && op != WEIR_OP_ADD ? -self->weight[i]
                                                                      : self->weight[i];
        }
      self->weight[i] = 0;
    }
}

static void
parts_init (Parts *self, WeirExprPool *pool, WeirExpr e)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (pool, &e, 1, TRUE, order);
  self->n = order->len;
  self->parts = (WeirExpr *) g_array_free (order, FALSE);
  add_args (self, pool);
  weir_rows_transpose (&self->users, self->n, self->n, self->first_arg, self->args);
  find_what_matters (self, pool);
  find_terms (self, pool);
  self->seen = g_new0 (guint, self->n);
  self->walk = 0;
  self->derivative = g_new (WeirExpr, self->n);
  self->above = g_array_new (FALSE, FALSE, sizeof (guint));
}

static void
parts_clear (Parts *self)
{
  g_free (self->parts);
  g_free (self->first_arg);
  g_free (self->args);
  weir_rows_clear (&self->users);
  g_free (self->matters);
  g_free (self->is_sum);
  g_free (self->weight);
  g_free (self->seen);
  g_free (self->derivative);
  g_array_unref (self->above);
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a, right = *(const guint *) b;

  return left < right ? -1 : left > right;
}

/* What the part at @at is in, itself included, but for the sums at the root; ascending. */
static void
find_above (Parts *self, guint at)
{
  self->walk++;
  self->seen[at] = self->walk;
  g_array_set_size (self->above, 0);
  g_array_append_val (self->above, at);
  for (guint i = 0; i < self->above->len; i++)
    {
      guint part = g_array_index (self->above, guint, i);

      for (guint j = self->users.first[part]; j < self->users.first[part + 1]; j++)
        {
          guint user = self->users.items[j];

          if (!self->matters[user] || self->is_sum[user] || self->seen[user] == self->walk)
            continue;
          self->seen[user] = self->walk;
          g_array_append_val (self->above, user);
        }
    }
  if (self->above->len > 2)
    g_array_sort (self->above, compare_numbers);
}

static WeirExpr
derive_at (const Parts *self, WeirExprPool *pool, guint at, WeirExpr zero)
{
  WeirExpr d[3] = { zero, zero, zero };
  gboolean depends = FALSE;

  for (guint j = self->first_arg[at]; j < self->first_arg[at + 1]; j++)
    {
      guint arg = self->args[j], k = j - self->first_arg[at];
      WeirExpr by_arg = self->seen[arg] == self->walk ? self->derivative[arg] : zero;

      depends = depends || !weir_expr_equal (by_arg, zero);
      if (k < G_N_ELEMENTS (d))
        d[k] = by_arg;
    }
  return depends ? weir_derive_operation (pool, self->parts[at], d) : zero;
}

static WeirExpr
make (WeirExprPool *pool, WeirOp op, WeirExpr a, WeirExpr b)
{
  return weir_simplify_make (pool, op, (WeirExpr[]) { a, b }, 2);
}

/* The derivative with respect to the atom at @at. */
static WeirExpr
parts_derive (Parts *self, WeirExprPool *pool, guint at)
{
  WeirExpr zero = weir_expr_number (pool, 0.0), sum = zero;

  if (!self->matters[at])
    return zero;
  find_above (self, at);
  for (guint i = 0; i < self->above->len; i++)
    {
      guint part = g_array_index (self->above, guint, i);
      WeirExpr d = part == at ? weir_expr_number (pool, 1.0) : derive_at (self, pool, part, zero);
      int weight = self->weight[part];

      self->derivative[part] = d;
      if (ABS (weight) > 1)
        d = make (pool, WEIR_OP_MUL, weir_expr_number (pool, ABS (weight)), d);
      if (weight != 0)
        sum = make (pool, weight > 0 ? WEIR_OP_ADD : WEIR_OP_SUB, sum, d);
    }
  return sum;
}

WeirExpr
weir_expr_derive (WeirExprPool *pool, WeirExpr e, WeirExpr atom)
{
  WeirExpr derivative = weir_expr_number (pool, 0.0);
  Parts parts;

  parts_init (&parts, pool, e);
  for (guint i = 0; i < parts.n; i++)
    if (weir_expr_equal (parts.parts[i], atom))
      derivative = parts_derive (&parts, pool, i);
  parts_clear (&parts);
  return derivative;
}

/* --- Jacobian -------------------------------------------------------------------------------- */

/* Where an atom of a row is. */
typedef struct {
  guint column, at;
} Place;

WeirJacobian *
weir_jacobian_new (WeirExprPool *pool, const WeirExpr *values, guint n_values,
                   const WeirExpr *atoms, guint n_atoms)
{
  WeirJacobian *self = g_new0 (WeirJacobian, 1);
  g_autoptr (GHashTable) column_of = g_hash_table_new (NULL, NULL); /* node + 1 to column + 1 */
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GArray) row = g_array_new (FALSE, FALSE, sizeof (Place)); /* its column comes first */

  for (guint i = 0; i < n_atoms; i++)
    g_hash_table_insert (column_of, GUINT_TO_POINTER (atoms[i].i + 1), GUINT_TO_POINTER (i + 1));
  self->n_rows = n_values;
  self->n_columns = n_atoms;
  self->first = g_new0 (guint, n_values + 1);
  for (guint i = 0; i < n_values; i++)
    {
      Parts parts;

      parts_init (&parts, pool, values[i]);
      g_array_set_size (row, 0);
      for (guint j = 0; j < parts.n; j++)
        {
          guint column = GPOINTER_TO_UINT (
              g_hash_table_lookup (column_of, GUINT_TO_POINTER (parts.parts[j].i + 1)));

          if (column > 0)
            {
              Place place = { column - 1, j };

              g_array_append_val (row, place);
            }
        }
      g_array_sort (row, compare_numbers);
      for (guint j = 0; j < row->len; j++)
        {
          Place place = g_array_index (row, Place, j);
          WeirExpr entry = parts_derive (&parts, pool, place.at);

          if (weir_expr_is_number (pool, entry, 0.0))
            continue;
          g_array_append_val (columns, place.column);
          g_array_append_val (entries, entry);
        }
      self->first[i + 1] = columns->len;
      parts_clear (&parts);
    }
  self->column = (guint *) g_array_free (columns, FALSE);
  self->entry = (WeirExpr *) g_array_free (entries, FALSE);
  return self;
}

void
weir_jacobian_free (WeirJacobian *self)
{
  if (self == NULL)
    return;
  g_free (self->first);
  g_free (self->column);
  g_free (self->entry);
  g_free (self);
}
