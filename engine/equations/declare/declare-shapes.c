/* Sizes that are not declared follow from values, from the largest index used, and from equations
 * that set a whole name, until nothing more follows.
 */
#include "equations/declare/declare.h"
#include "base/text.h"

#include <string.h>

/* Is the size of this name still open? */
void
weir_builder_declare_size (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirShape shape = { s->n_sizes, { 1, 1 } };
  const WeirVariable *variable;
  const WeirShape *known;

  if (s->n_sizes == 0)
    return;
  for (guint i = 0; i < s->n_sizes; i++)
    {
      gint64 size;
      g_autoptr (WeirMessage) what = weir_message_new (N_ ("the size of %s"), name);

      if (!weir_expander_find_integer (&self->expander, s->sizes[i], s->line,
                                       weir_message_get_text (what), 1, &size))
        {
          self->has_failed = TRUE;
          return;
        }
      if (size > WEIR_ARRAY_MAX_SIZE)
        {
          weir_builder_fail (self, "EQ07", s->line,
                             N_ ("Model: line %d: the size of %s is more than %d."), s->line, name,
                             WEIR_ARRAY_MAX_SIZE);
          return;
        }
      shape.dims[i] = (guint) size;
    }
  variable = g_hash_table_lookup (self->by_name, name);
  known = variable != NULL
                  && (variable->role == WEIR_ROLE_PARAMETER || variable->role == WEIR_ROLE_CONSTANT)
                  && (variable->value != NULL || variable->is_bound)
              ? &variable->shape
              : g_hash_table_lookup (self->expander.shapes, name);
  if ((guint64) shape.dims[0] * shape.dims[1] > WEIR_ARRAY_MAX_SIZE)
    weir_builder_fail (self, "EQ07", s->line, N_ ("Model: line %d: %s has more than %d elements."),
                       s->line, name, WEIR_ARRAY_MAX_SIZE);
  else if (known != NULL && !weir_shape_equal (*known, shape))
    {
      g_autoptr (WeirMessage) a = weir_shape_describe (*known);
      g_autoptr (WeirMessage) b = weir_shape_describe (shape);

      weir_builder_fail (
          self, "EQ07", s->line,
          N_ ("Model: line %d: %s is declared with %s here, but with %s in another line."), s->line,
          name, weir_message_get_text (b), weir_message_get_text (a));
    }
  else
    weir_builder_set_shape (self, name, shape);
}

static gboolean
is_open (const WeirEquationsBuilder *self, const char *name)
{
  const WeirVariable *variable = g_hash_table_lookup (self->by_name, name);

  if (strcmp (name, "t") == 0 || g_hash_table_contains (self->expander.shapes, name)
      || g_hash_table_contains (self->expander.values, name))
    return FALSE;
  return variable == NULL || variable->role == WEIR_ROLE_UNKNOWN;
}

/* A name that is indexed has at least the largest index as its size. */
static void
note_indices (WeirEquationsBuilder *self, const WeirStatementInstance *instance, WeirExpr e,
              GHashTable *largest)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  if (e.i == WEIR_NO_EXPR.i)
    return;
  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);
      WeirExpr array;
      const char *name;
      WeirShape *shape;
      guint n;

      if (weir_expr_get_op (self->pool, part) != WEIR_OP_INDEX)
        continue;
      array = weir_expr_get_arg (self->pool, part, 0);
      if (weir_expr_get_op (self->pool, array) != WEIR_OP_SYMBOL)
        continue;
      name = weir_expr_get_name (self->pool, array);
      if (!is_open (self, name))
        continue;
      n = weir_expr_get_n_args (self->pool, part) - 1;
      shape = g_hash_table_lookup (largest, name);
      if (shape == NULL)
        {
          shape = g_new0 (WeirShape, 1);
          shape->n_dims = n;
          shape->dims[0] = shape->dims[1] = 1;
          g_hash_table_insert (largest, g_strdup (name), shape);
        }
      for (guint d = 0; d < n; d++)
        {
          WeirArray index;

          if (!weir_expander_expand (&self->expander, weir_expr_get_arg (self->pool, part, d + 1),
                                     instance->statement->line, &index))
            {
              self->has_failed = TRUE;
              return;
            }
          for (guint j = 0; j < weir_shape_size (index.shape); j++)
            if (weir_expr_get_op (self->pool, index.elements[j]) == WEIR_OP_NUMBER)
              {
                double value = weir_expr_get_number (self->pool, index.elements[j]);

                if (value >= 1.0 && value <= WEIR_ARRAY_MAX_SIZE)
                  shape->dims[d] = MAX (shape->dims[d], (guint) value);
              }
          weir_array_clear (&index);
        }
    }
}

/* The name that an equation sets as a whole: x, D(x), x(k). NULL if none. */
static const char *
get_set_name (const WeirEquationsBuilder *self, WeirExpr left)
{
  while (weir_expr_get_op (self->pool, left) == WEIR_OP_DER
         || weir_expr_get_op (self->pool, left) == WEIR_OP_SHIFT)
    left = weir_expr_get_arg (self->pool, left, 0);
  return weir_expr_get_op (self->pool, left) == WEIR_OP_SYMBOL
             ? weir_expr_get_name (self->pool, left)
             : NULL;
}

static gboolean
reads_open_name (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GPtrArray) names = weir_builder_dup_names (self, e);

  for (guint i = 0; i < names->len; i++)
    if (is_open (self, names->pdata[i]))
      return TRUE;
  return FALSE;
}

/* Could this be anything but a scalar? */
static gboolean
may_be_array (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);
      const char *name;

      switch ((int) weir_expr_get_op (self->pool, part))
        {
        case WEIR_OP_ROW:
        case WEIR_OP_ROWS:
        case WEIR_OP_ZEROS:
        case WEIR_OP_ONES:
        case WEIR_OP_IDENTITY:
          return TRUE;
        case WEIR_OP_SYMBOL:
          name = weir_expr_get_name (self->pool, part);
          if (g_hash_table_contains (self->expander.shapes, name)
              || g_hash_table_contains (self->expander.values, name))
            return TRUE;
          break;
        default:
          break;
        }
    }
  return FALSE;
}

/* In `... A*x ...` with a matrix A an x of open size is a vector. */
static gboolean
infer_factors (WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  gboolean has_found = FALSE;

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i), factor;
      const WeirArray *value;
      const WeirShape *shape = NULL;

      if (weir_expr_get_op (self->pool, part) != WEIR_OP_MUL)
        continue;
      factor = weir_expr_get_arg (self->pool, part, 1);
      part = weir_expr_get_arg (self->pool, part, 0);
      if (weir_expr_get_op (self->pool, part) != WEIR_OP_SYMBOL
          || weir_expr_get_op (self->pool, factor) != WEIR_OP_SYMBOL
          || !is_open (self, weir_expr_get_name (self->pool, factor)))
        continue;
      value = g_hash_table_lookup (self->expander.values, weir_expr_get_name (self->pool, part));
      shape = value != NULL ? &value->shape
                            : g_hash_table_lookup (self->expander.shapes,
                                                   weir_expr_get_name (self->pool, part));
      if (shape == NULL || shape->n_dims != 2)
        continue;
      weir_builder_set_shape (self, weir_expr_get_name (self->pool, factor),
                              (WeirShape) { 1, { shape->dims[1], 1 } });
      has_found = TRUE;
    }
  return has_found;
}

/* TRUE if a size was found. */
static gboolean
infer_from (WeirEquationsBuilder *self, const WeirStatement *s, gboolean is_forced)
{
  gboolean has_found;
  const char *set;
  WeirArray value;

  if (s->kind != WEIR_STATEMENT_EQUATION && s->kind != WEIR_STATEMENT_INITIAL
      && s->kind != WEIR_STATEMENT_GUESS && s->kind != WEIR_STATEMENT_HISTORY)
    return FALSE;
  if (!may_be_array (self, s->right))
    return FALSE;
  has_found = infer_factors (self, s->right);
  set = get_set_name (self, s->left);
  if (set == NULL || !is_open (self, set) || (!is_forced && reads_open_name (self, s->right)))
    return has_found;
  if (!weir_expander_expand (&self->expander, s->right, s->line, &value))
    {
      self->has_failed = TRUE;
      return has_found;
    }
  if (value.shape.n_dims > 0)
    {
      weir_builder_set_shape (self, set, value.shape);
      has_found = TRUE;
    }
  weir_array_clear (&value);
  return has_found;
}

void
weir_builder_infer_shapes (WeirEquationsBuilder *self, const GArray *instances)
{
  g_autoptr (GHashTable) largest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, shape;

  for (guint i = 0; i < instances->len; i++)
    {
      const WeirStatementInstance *instance = &g_array_index (instances, WeirStatementInstance, i);
      const WeirStatement *s = instance->statement;

      weir_builder_bind_instance (self, instance);
      note_indices (self, instance, s->left, largest);
      note_indices (self, instance, s->right, largest);
      for (guint j = 0; s->body != NULL && j < s->body->len; j++)
        {
          const WeirStatement *inner = g_ptr_array_index (s->body, j);

          note_indices (self, instance, inner->left, largest);
          note_indices (self, instance, inner->right, largest);
        }
      weir_builder_unbind_instance (self, instance);
    }
  g_hash_table_iter_init (&iter, largest);
  while (g_hash_table_iter_next (&iter, &name, &shape))
    {
      const WeirShape *found = shape;

      if ((guint64) found->dims[0] * found->dims[1] > WEIR_ARRAY_MAX_SIZE)
        weir_builder_fail (
            self, "EQ07", 0,
            N_ ("%s has %u x %u elements by its indices; an array has at most %d elements."),
            (const char *) name, found->dims[0], found->dims[1], WEIR_ARRAY_MAX_SIZE);
      else
        weir_builder_set_shape (self, name, *found);
    }
  if (self->has_failed)
    return;

  /* First what follows for certain; where that ends, names that are still open are taken as
   * scalars, one equation at a time. */
  for (gboolean is_forced = FALSE, has_found = TRUE; has_found || !is_forced;)
    {
      is_forced = !has_found;
      has_found = FALSE;
      for (guint i = 0; i < instances->len && !(is_forced && has_found); i++)
        {
          const WeirStatementInstance *instance = &g_array_index (instances, WeirStatementInstance,
                                                                  i);

          if (instance->n_bindings == 0)
            has_found = infer_from (self, instance->statement, is_forced) || has_found;
        }
      if (self->has_failed)
        return;
    }
}
