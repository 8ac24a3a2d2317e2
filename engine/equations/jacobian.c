/* Many expressions differentiated by many atoms.
 *
 * Forward like derive.c, but all atoms at once: every part has a list of the atoms that it depends
 * on and of its derivatives by them. A sum takes over the list of its first operand where nothing
 * else needs it, so that a sum of a thousand terms takes a thousand steps.
 */
#include "equations/derive-private.h"

typedef struct {
  guint column;
  WeirExpr value;
} Derivative;

typedef struct {
  WeirExprPool *pool;
  GHashTable *column_of; /* atom + 1 to column + 1 */
  GArray *parts;         /* of WeirExpr, operands first */
  GHashTable *position;  /* part + 1 to position */
  GPtrArray *lists;      /* of GArray of Derivative, by column; NULL = none (any more) */
  GArray *n_uses;        /* of guint: by parts that are still to come */
} Differentiation;

static guint
get_position (const Differentiation *self, WeirExpr part)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (self->position, GUINT_TO_POINTER (part.i + 1)));
}

/* Where @column is or belongs. */
static guint
find_place (const GArray *list, guint column)
{
  guint begin = 0, end = list->len;

  while (begin < end)
    {
      guint middle = begin + (end - begin) / 2;

      if (g_array_index (list, Derivative, middle).column < column)
        begin = middle + 1;
      else
        end = middle;
    }
  return begin;
}

static gboolean
is_at (const GArray *list, guint place, guint column)
{
  return list != NULL && place < list->len
         && g_array_index (list, Derivative, place).column == column;
}

static void
set (Differentiation *self, GArray *list, guint place, guint column, WeirExpr value)
{
  Derivative derivative = { column, value };
  gboolean is_there = is_at (list, place, column);

  if (weir_expr_is_number (self->pool, value, 0.0))
    {
      if (is_there)
        g_array_remove_index (list, place);
    }
  else if (is_there)
    g_array_index (list, Derivative, place) = derivative;
  else
    g_array_insert_val (list, place, derivative);
}

/* Takes @left. */
static GArray *
add_lists (Differentiation *self, WeirOp op, GArray *left, const GArray *right)
{
  WeirExpr d[2];

  for (guint i = 0; right != NULL && i < right->len; i++)
    {
      guint column = g_array_index (right, Derivative, i).column;
      guint place = find_place (left, column);

      d[0] = is_at (left, place, column) ? g_array_index (left, Derivative, place).value
                                         : weir_expr_number (self->pool, 0.0);
      d[1] = g_array_index (right, Derivative, i).value;
      set (self, left, place, column, weir_simplify_make (self->pool, op, d, 2));
    }
  return left;
}

/* The derivatives of any operation, from those of its operands. */
static GArray *
combine_lists (Differentiation *self, WeirExpr e, GArray *const *lists, guint n)
{
  GArray *combined = g_array_new (FALSE, FALSE, sizeof (Derivative));
  guint next[3] = { 0, 0, 0 };

  n = MIN (n, G_N_ELEMENTS (next));
  for (;;)
    {
      guint column = G_MAXUINT;
      WeirExpr d[3];

      for (guint i = 0; i < n; i++)
        if (lists[i] != NULL && next[i] < lists[i]->len)
          column = MIN (column, g_array_index (lists[i], Derivative, next[i]).column);
      if (column == G_MAXUINT)
        return combined;
      for (guint i = 0; i < G_N_ELEMENTS (d); i++)
        if (i < n && is_at (lists[i], next[i], column))
          d[i] = g_array_index (lists[i], Derivative, next[i]++).value;
        else
          d[i] = weir_expr_number (self->pool, 0.0);
      set (self, combined, combined->len, column, weir_derive_operation (self->pool, e, d));
    }
}

static void
release (Differentiation *self, guint position)
{
  if (--g_array_index (self->n_uses, guint, position) == 0)
    g_clear_pointer (&g_ptr_array_index (self->lists, position), g_array_unref);
}

static void
differentiate_part (Differentiation *self, guint position)
{
  WeirExpr e = g_array_index (self->parts, WeirExpr, position);
  guint n = weir_expr_is_atom (self->pool, e) ? 0 : weir_expr_get_n_args (self->pool, e);
  WeirOp op = weir_expr_get_op (self->pool, e);
  guint column = GPOINTER_TO_UINT (
      g_hash_table_lookup (self->column_of, GUINT_TO_POINTER (e.i + 1)));
  g_autofree guint *args = g_new (guint, n + 1);
  g_autofree GArray **lists = g_new (GArray *, n + 1);
  GArray *list = NULL;

  for (guint i = 0; i < n; i++)
    {
      args[i] = get_position (self, weir_expr_get_arg (self->pool, e, i));
      lists[i] = g_ptr_array_index (self->lists, args[i]);
    }
  if (column > 0)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Derivative));
      set (self, list, 0, column - 1, weir_expr_number (self->pool, 1.0));
    }
  else if ((op == WEIR_OP_ADD || op == WEIR_OP_SUB) && n == 2 && lists[0] != NULL
           && args[0] != args[1])
    {
      if (g_array_index (self->n_uses, guint, args[0]) == 1)
        list = add_lists (self, op, g_steal_pointer (&g_ptr_array_index (self->lists, args[0])),
                          lists[1]);
      else
        list = add_lists (self, op, g_array_copy (lists[0]), lists[1]);
    }
  else
    list = combine_lists (self, e, lists, n);
  for (guint i = 0; i < n; i++)
    release (self, args[i]);
  g_ptr_array_index (self->lists, position) = list;
}

/* Every derivative of @e that is not 0, by column. (transfer full) */
static GArray *
differentiate (Differentiation *self, WeirExpr e)
{
  g_array_set_size (self->parts, 0);
  weir_expr_collect (self->pool, &e, 1, TRUE, self->parts);
  g_hash_table_remove_all (self->position);
  g_array_set_size (self->n_uses, 0);
  g_array_set_size (self->n_uses, self->parts->len);
  g_ptr_array_set_size (self->lists, 0);
  g_ptr_array_set_size (self->lists, (gint) self->parts->len);
  for (guint i = 0; i < self->parts->len; i++)
    {
      WeirExpr part = g_array_index (self->parts, WeirExpr, i);
      guint n = weir_expr_is_atom (self->pool, part) ? 0 : weir_expr_get_n_args (self->pool, part);

      g_hash_table_insert (self->position, GUINT_TO_POINTER (part.i + 1), GUINT_TO_POINTER (i));
      for (guint j = 0; j < n; j++)
        g_array_index (self->n_uses, guint,
                       get_position (self, weir_expr_get_arg (self->pool, part, j)))++;
    }
  for (guint i = 0; i < self->parts->len; i++)
    differentiate_part (self, i);
  return g_steal_pointer (&g_ptr_array_index (self->lists, self->parts->len - 1));
}

static void
free_list (gpointer list)
{
  if (list != NULL)
    g_array_unref (list);
}

WeirJacobian *
weir_jacobian_new (WeirExprPool *pool, const WeirExpr *values, guint n_values,
                   const WeirExpr *atoms, guint n_atoms)
{
  WeirJacobian *self = g_new0 (WeirJacobian, 1);
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (guint));
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  Differentiation differentiation = {
    .pool = pool,
    .column_of = g_hash_table_new (NULL, NULL),
    .parts = g_array_new (FALSE, FALSE, sizeof (WeirExpr)),
    .position = g_hash_table_new (NULL, NULL),
    .lists = g_ptr_array_new_with_free_func (free_list),
    .n_uses = g_array_new (FALSE, TRUE, sizeof (guint)),
  };

  for (guint i = 0; i < n_atoms; i++)
    g_hash_table_insert (differentiation.column_of, GUINT_TO_POINTER (atoms[i].i + 1),
                         GUINT_TO_POINTER (i + 1));
  self->n_rows = n_values;
  self->n_columns = n_atoms;
  self->first = g_new0 (guint, n_values + 1);
  for (guint i = 0; i < n_values; i++)
    {
      g_autoptr (GArray) row = differentiate (&differentiation, values[i]);

      for (guint j = 0; j < row->len; j++)
        {
          const Derivative *derivative = &g_array_index (row, Derivative, j);

          g_array_append_val (columns, derivative->column);
          g_array_append_val (entries, derivative->value);
        }
      self->first[i + 1] = columns->len;
    }
  self->column = (guint *) g_array_free (columns, FALSE);
  self->entry = (WeirExpr *) g_array_free (entries, FALSE);
  g_hash_table_unref (differentiation.column_of);
  g_array_unref (differentiation.parts);
  g_hash_table_unref (differentiation.position);
  g_ptr_array_unref (differentiation.lists);
  g_array_unref (differentiation.n_uses);
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
