/* The first step: names with sizes and roles, constants, and equations of scalars.
 *
 * Loops are unrolled into lists of statements with the values of their variables. Sizes that are
 * not declared follow from values, from the largest index used, and from equations that set a
 * whole name, until nothing more follows.
 */
#include "equations/equations-private.h"

#include "equations/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STATEMENTS 200000 /* after unrolling loops; also scalar equations */

/* A statement as it is met: with the values of the loops around it. */
typedef struct {
  const WeirStatement *statement;
  guint n_bindings;
  struct {
    const char *name;
    double value;
  } * bindings;
} Instance;

static void
instance_clear (gpointer data)
{
  g_free (((Instance *) data)->bindings);
}

/* --- Names ------------------------------------------------------------------------------------ */

static WeirVariable *
find_or_add (WeirEquationsBuilder *self, const char *name, WeirRole role, int line)
{
  WeirVariable *variable = g_hash_table_lookup (self->by_name, name);

  if (variable != NULL)
    return variable;
  variable = g_new0 (WeirVariable, 1);
  variable->name = g_strdup (name);
  variable->role = role;
  variable->line = line;
  g_ptr_array_add (self->result->variables, variable);
  g_hash_table_insert (self->by_name, variable->name, variable);
  return variable;
}

static void
set_shape (WeirEquationsBuilder *self, const char *name, WeirShape shape)
{
  WeirShape *copy = g_memdup2 (&shape, sizeof shape);

  g_hash_table_insert (self->expander.shapes, g_strdup (name), copy);
}

static WeirRole
role_of (WeirStatementKind kind)
{
  return kind == WEIR_STATEMENT_PARAMETER  ? WEIR_ROLE_PARAMETER
         : kind == WEIR_STATEMENT_CONSTANT ? WEIR_ROLE_CONSTANT
         : kind == WEIR_STATEMENT_INPUT    ? WEIR_ROLE_INPUT
         : kind == WEIR_STATEMENT_BROWNIAN ? WEIR_ROLE_BROWNIAN
                                           : WEIR_ROLE_UNKNOWN;
}

static void
declare_name (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirRole role = role_of (s->kind);
  WeirVariable *known = g_hash_table_lookup (self->by_name, name);
  WeirVariable *variable;

  if (strchr (name, '.') != NULL)
    {
      weir_builder_fail (self, "EQ02", s->line,
                         "Line %d: the name %s has a dot; names here have none.", s->line, name);
      return;
    }
  /* `output y` and `variable y` may add to each other; roles may not. */
  if (known != NULL && role != WEIR_ROLE_UNKNOWN && known->role != WEIR_ROLE_UNKNOWN)
    {
      weir_builder_fail (self, "EQ04", s->line, "%s is defined twice: in line %d and in line %d.",
                         name, MIN (known->line, s->line), MAX (known->line, s->line));
      return;
    }
  variable = find_or_add (self, name, role, s->line);
  if (role != WEIR_ROLE_UNKNOWN)
    {
      variable->role = role;
      variable->line = s->line;
    }
  variable->is_output = variable->is_output || s->kind == WEIR_STATEMENT_OUTPUT;
  if (s->unit.i != WEIR_NO_EXPR.i)
    {
      g_free (variable->unit);
      variable->unit = g_strdup (weir_expr_get_name (self->pool, s->unit));
    }
}

static void
declare_size (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirShape shape = { s->n_sizes, { 1, 1 } };

  if (s->n_sizes == 0)
    return;
  for (guint i = 0; i < s->n_sizes; i++)
    {
      gint64 size;
      g_autofree char *what = g_strdup_printf ("the size of %s", name);

      if (!weir_expander_find_integer (&self->expander, s->sizes[i], s->line, what, 1, &size))
        {
          self->has_failed = TRUE;
          return;
        }
      if (size > WEIR_ARRAY_MAX_SIZE)
        {
          weir_builder_fail (self, "EQ07", s->line, "Line %d: the size of %s is more than %d.",
                             s->line, name, WEIR_ARRAY_MAX_SIZE);
          return;
        }
      shape.dims[i] = (guint) size;
    }
  if ((guint64) shape.dims[0] * shape.dims[1] > WEIR_ARRAY_MAX_SIZE)
    weir_builder_fail (self, "EQ07", s->line, "Line %d: %s has more than %d elements.", s->line,
                       name, WEIR_ARRAY_MAX_SIZE);
  else
    set_shape (self, name, shape);
}

/* --- Constants -------------------------------------------------------------------------------- */

static gboolean
is_numeric (const WeirEquationsBuilder *self, const WeirArray *array)
{
  for (guint i = 0; i < weir_shape_size (array->shape); i++)
    if (weir_expr_get_op (self->pool, array->elements[i]) != WEIR_OP_NUMBER)
      return FALSE;
  return TRUE;
}

/* Spreads a scalar value over a declared array; FALSE after a problem. */
static gboolean
fit_value (WeirEquationsBuilder *self, const WeirStatement *s, WeirArray *value)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  const WeirShape *shape = g_hash_table_lookup (self->expander.shapes, name);

  if (shape == NULL)
    {
      if (value->shape.n_dims > 0)
        set_shape (self, name, value->shape);
      return TRUE;
    }
  if (weir_shape_equal (*shape, value->shape))
    return TRUE;
  if (value->shape.n_dims == 0)
    {
      WeirExpr one = value->elements[0];
      guint n = weir_shape_size (*shape);

      value->shape = *shape;
      value->elements = g_renew (WeirExpr, value->elements, n + 1);
      for (guint i = 0; i < n; i++)
        value->elements[i] = one;
      return TRUE;
    }
  {
    g_autofree char *wanted = weir_shape_describe (*shape);
    g_autofree char *found = weir_shape_describe (value->shape);

    weir_builder_fail (self, "EQ07", s->line, "Line %d: %s has %s, but its value has %s.", s->line,
                       name, wanted, found);
    return FALSE;
  }
}

/* The names that an expression reads, in the order of their parts. */
static GPtrArray *
dup_names (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  GPtrArray *names = g_ptr_array_new ();

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    {
      WeirExpr part = g_array_index (order, WeirExpr, i);

      if (weir_expr_get_op (self->pool, part) == WEIR_OP_SYMBOL)
        g_ptr_array_add (names, (gpointer) weir_expr_get_name (self->pool, part));
    }
  return names;
}

/* "a -> b -> a": each reads the next. Starts at @s, which depends on itself or on such. */
static char *
describe_cycle (const WeirEquationsBuilder *self, const GPtrArray *waiting, const WeirStatement *s)
{
  g_autoptr (GPtrArray) path = g_ptr_array_new ();
  GString *text = g_string_new (NULL);
  guint from = 0;

  while (!g_ptr_array_find (path, s, &from))
    {
      g_autoptr (GPtrArray) names = dup_names (self, s->right);
      const WeirStatement *next = NULL;

      g_ptr_array_add (path, (gpointer) s);
      for (guint i = 0; next == NULL && i < waiting->len; i++)
        {
          const WeirStatement *other = g_ptr_array_index (waiting, i);
          const char *name = weir_expr_get_name (self->pool, other->left);

          for (guint j = 0; next == NULL && j < names->len; j++)
            if (strcmp (names->pdata[j], name) == 0)
              next = other;
        }
      if (next == NULL)
        break;
      s = next;
    }
  for (guint i = from; i < path->len; i++)
    {
      const WeirStatement *step = g_ptr_array_index (path, i);

      g_string_append_printf (text, "%s -> ", weir_expr_get_name (self->pool, step->left));
    }
  g_string_append (text, weir_expr_get_name (self->pool, s->left));
  return g_string_free (text, FALSE);
}

/* Values of constants and parameters, each after those it reads. */
static void
evaluate_values (WeirEquationsBuilder *self)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  g_autoptr (GHashTable) is_waiting = g_hash_table_new (g_str_hash, g_str_equal);
  gboolean has_moved = TRUE;

  for (guint i = 0; i < self->statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (self->statements, i);

      if (s->kind != WEIR_STATEMENT_CONSTANT && s->kind != WEIR_STATEMENT_PARAMETER)
        continue;
      g_ptr_array_add (waiting, (gpointer) s);
      g_hash_table_add (is_waiting, (gpointer) weir_expr_get_name (self->pool, s->left));
    }
  while (has_moved && waiting->len > 0)
    {
      has_moved = FALSE;
      for (guint i = 0; i < waiting->len;)
        {
          const WeirStatement *s = g_ptr_array_index (waiting, i);
          const char *name = weir_expr_get_name (self->pool, s->left);
          g_autoptr (GPtrArray) names = dup_names (self, s->right);
          WeirVariable *variable = g_hash_table_lookup (self->by_name, name);
          gboolean is_ready = TRUE;
          WeirArray value;

          for (guint j = 0; j < names->len; j++)
            {
              const char *read = g_ptr_array_index (names, j);
              const WeirVariable *other = g_hash_table_lookup (self->by_name, read);

              is_ready = is_ready && !g_hash_table_contains (is_waiting, read);
              if (other != NULL
                  && (other->role == WEIR_ROLE_CONSTANT
                      || (other->role == WEIR_ROLE_PARAMETER
                          && s->kind == WEIR_STATEMENT_PARAMETER)))
                continue;
              weir_builder_fail (
                  self, "PAR01", s->line,
                  other != NULL ? "Line %d: the value of %s reads %s, which is no %s."
                                : "Line %d: the value of %s reads %s, which is not declared as %s.",
                  s->line, name, read,
                  s->kind == WEIR_STATEMENT_PARAMETER ? "parameter or constant" : "constant");
              variable = NULL;
            }
          if (!is_ready && variable != NULL)
            {
              i++;
              continue;
            }
          has_moved = TRUE;
          g_hash_table_remove (is_waiting, name);
          g_ptr_array_remove_index (waiting, i);
          if (variable == NULL)
            continue;
          declare_size (self, s);
          if (!weir_expander_expand (&self->expander, s->right, s->line, &value))
            {
              self->has_failed = TRUE;
              continue;
            }
          if (!fit_value (self, s, &value))
            {
              weir_array_clear (&value);
              continue;
            }
          if (s->kind == WEIR_STATEMENT_CONSTANT && !is_numeric (self, &value))
            weir_builder_fail (self, "PAR01", s->line, "Line %d: the value of %s is no number.",
                               s->line, name);
          variable->is_bound = !is_numeric (self, &value);
          variable->shape = value.shape;
          if (!variable->is_bound)
            {
              variable->value = g_new (double, weir_shape_size (value.shape) + 1);
              for (guint j = 0; j < weir_shape_size (value.shape); j++)
                variable->value[j] = weir_expr_get_number (self->pool, value.elements[j]);
            }
          if (s->kind == WEIR_STATEMENT_CONSTANT)
            g_hash_table_insert (self->expander.values, g_strdup (name),
                                 g_memdup2 (&value, sizeof value));
          else
            {
              if (variable->is_bound)
                for (guint j = 0; j < weir_shape_size (value.shape); j++)
                  {
                    g_autofree char *element = weir_shape_name_element (value.shape, name, j);
                    WeirScalarEquation equation = { .left = weir_expr_symbol (self->pool, element),
                                                    .right = value.elements[j],
                                                    .line = s->line,
                                                    .is_binding = TRUE };

                    g_array_append_val (self->equations, equation);
                  }
              weir_array_clear (&value);
            }
        }
    }
  if (waiting->len > 0)
    {
      const WeirStatement *s = g_ptr_array_index (waiting, 0);
      g_autofree char *cycle = describe_cycle (self, waiting, s);

      weir_builder_fail (self, "PAR01", s->line,
                         "Line %d: parameters depend on each other in a cycle: %s.", s->line,
                         cycle);
    }
}

/* --- Loops ------------------------------------------------------------------------------------ */

static void
bind (WeirEquationsBuilder *self, const char *name, double value)
{
  WeirArray *array = g_new0 (WeirArray, 1);

  array->elements = g_new (WeirExpr, 1);
  array->is_borrowed = FALSE;
  array->shape.dims[0] = array->shape.dims[1] = 1;
  array->elements[0] = weir_expr_number (self->pool, value);
  g_hash_table_insert (self->expander.values, g_strdup (name), array);
}

static void
bind_instance (WeirEquationsBuilder *self, const Instance *instance)
{
  for (guint i = 0; i < instance->n_bindings; i++)
    bind (self, instance->bindings[i].name, instance->bindings[i].value);
}

static void
unbind_instance (WeirEquationsBuilder *self, const Instance *instance)
{
  for (guint i = 0; i < instance->n_bindings; i++)
    g_hash_table_remove (self->expander.values, instance->bindings[i].name);
}

/* @outer: the instance of the loop around, or NULL. The nesting of loops bounds the recursion. */
static void
unroll (WeirEquationsBuilder *self, const GPtrArray *statements, const Instance *outer,
        GArray *instances)
{
  for (guint i = 0; i < statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (statements, i);
      Instance instance = { .statement = s };
      const char *name;
      gint64 from, to;

      if (instances->len > MAX_STATEMENTS || self->has_failed)
        return;
      if (outer != NULL)
        {
          instance.n_bindings = outer->n_bindings;
          instance.bindings = g_memdup2 (outer->bindings,
                                         outer->n_bindings * sizeof *outer->bindings);
        }
      if (s->kind != WEIR_STATEMENT_FOR)
        {
          g_array_append_val (instances, instance);
          continue;
        }
      name = weir_expr_get_name (self->pool, s->left);
      if (g_hash_table_contains (self->by_name, name)
          || g_hash_table_contains (self->expander.values, name))
        {
          weir_builder_fail (self, "EQ04", s->line,
                             "Line %d: the loop's name %s is already used; choose another.",
                             s->line, name);
          g_free (instance.bindings);
          continue;
        }
      if (weir_expander_find_integer (&self->expander, weir_expr_get_arg (self->pool, s->right, 0),
                                      s->line, "the start of a loop", G_MININT32, &from)
          && weir_expander_find_integer (&self->expander,
                                         weir_expr_get_arg (self->pool, s->right, 1), s->line,
                                         "the end of a loop", G_MININT32, &to))
        {
          instance.n_bindings++;
          instance.bindings = g_realloc_n (instance.bindings, instance.n_bindings,
                                           sizeof *instance.bindings);
          instance.bindings[instance.n_bindings - 1].name = name;
          for (gint64 value = from; value <= to && instances->len <= MAX_STATEMENTS; value++)
            {
              instance.bindings[instance.n_bindings - 1].value = (double) value;
              bind (self, name, (double) value);
              unroll (self, s->body, &instance, instances);
              g_hash_table_remove (self->expander.values, name);
            }
          if (instances->len > MAX_STATEMENTS && !self->has_failed)
            weir_builder_fail (self, "EQ07", s->line, "Line %d: the loops make more than %d lines.",
                               s->line, MAX_STATEMENTS);
        }
      else
        self->has_failed = TRUE;
      g_free (instance.bindings);
    }
}

/* --- Sizes from use --------------------------------------------------------------------------- */

/* Is the size of this name still open? */
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
note_indices (WeirEquationsBuilder *self, const Instance *instance, WeirExpr e, GHashTable *largest)
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
  g_autoptr (GPtrArray) names = dup_names (self, e);

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

      switch (weir_expr_get_op (self->pool, part))
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
      set_shape (self, weir_expr_get_name (self->pool, factor),
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
      && s->kind != WEIR_STATEMENT_GUESS)
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
      set_shape (self, set, value.shape);
      has_found = TRUE;
    }
  weir_array_clear (&value);
  return has_found;
}

static void
infer_shapes (WeirEquationsBuilder *self, const GArray *instances)
{
  g_autoptr (GHashTable) largest = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer name, shape;

  for (guint i = 0; i < instances->len; i++)
    {
      const Instance *instance = &g_array_index (instances, Instance, i);
      const WeirStatement *s = instance->statement;

      bind_instance (self, instance);
      note_indices (self, instance, s->left, largest);
      note_indices (self, instance, s->right, largest);
      for (guint j = 0; s->body != NULL && j < s->body->len; j++)
        {
          const WeirStatement *inner = g_ptr_array_index (s->body, j);

          note_indices (self, instance, inner->left, largest);
          note_indices (self, instance, inner->right, largest);
        }
      unbind_instance (self, instance);
    }
  g_hash_table_iter_init (&iter, largest);
  while (g_hash_table_iter_next (&iter, &name, &shape))
    set_shape (self, name, *(const WeirShape *) shape);

  /* First what follows for certain; where that ends, names that are still open are taken as
   * scalars, one equation at a time. */
  for (gboolean is_forced = FALSE, has_found = TRUE; has_found || !is_forced;)
    {
      is_forced = !has_found;
      has_found = FALSE;
      for (guint i = 0; i < instances->len && !(is_forced && has_found); i++)
        {
          const Instance *instance = &g_array_index (instances, Instance, i);

          if (instance->n_bindings == 0)
            has_found = infer_from (self, instance->statement, is_forced) || has_found;
        }
      if (self->has_failed)
        return;
    }
}

/* --- Scalar equations ------------------------------------------------------------------------- */

/* Does @e hold x(k) or the like? */
static gboolean
has_shift (const WeirEquationsBuilder *self, WeirExpr e)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect (self->pool, &e, 1, FALSE, order);
  for (guint i = 0; i < order->len; i++)
    if (weir_expr_get_op (self->pool, g_array_index (order, WeirExpr, i)) == WEIR_OP_SHIFT)
      return TRUE;
  return FALSE;
}

static void
add_equations (WeirEquationsBuilder *self, const WeirStatement *s, GArray *equations)
{
  WeirArray left = { 0 }, right = { 0 };

  if (!weir_expander_expand (&self->expander, s->left, s->line, &left)
      || !weir_expander_expand (&self->expander, s->right, s->line, &right))
    {
      self->has_failed = TRUE;
      weir_array_clear (&left);
      return;
    }
  if (left.shape.n_dims > 0 && right.shape.n_dims > 0
      && !weir_shape_equal (left.shape, right.shape))
    {
      g_autofree char *a = weir_shape_describe (left.shape);
      g_autofree char *b = weir_shape_describe (right.shape);

      weir_builder_fail (self, "EQ07", s->line,
                         "Line %d: the left side has %s, but the right side has %s.", s->line, a,
                         b);
    }
  else if (left.shape.n_dims == 0 && right.shape.n_dims > 0
           && weir_expr_get_op (self->pool, left.elements[0]) != WEIR_OP_NUMBER)
    {
      g_autofree char *a = weir_expr_to_string (self->pool, s->left);
      g_autofree char *b = weir_shape_describe (right.shape);

      weir_builder_fail (self, "EQ07", s->line,
                         "Line %d: %s is a scalar, but the right side has %s.", s->line, a, b);
    }
  else
    {
      guint n = MAX (weir_shape_size (left.shape), weir_shape_size (right.shape));

      if (equations->len + n > MAX_STATEMENTS)
        {
          weir_builder_fail (self, "EQ07", s->line,
                             "Line %d: this makes more than %d equations; use several blocks.",
                             s->line, MAX_STATEMENTS);
          n = 0;
        }
      for (guint i = 0; i < n; i++)
        {
          WeirScalarEquation equation = { .left = left.elements[left.shape.n_dims == 0 ? 0 : i],
                                          .right = right.elements[right.shape.n_dims == 0 ? 0 : i],
                                          .line = s->line };

          g_array_append_val (equations, equation);
        }
    }
  weir_array_clear (&left);
  weir_array_clear (&right);
}

static gboolean
expand_scalar (WeirEquationsBuilder *self, WeirExpr e, int line, const char *what, WeirExpr *result)
{
  WeirArray value;

  if (!weir_expander_expand (&self->expander, e, line, &value))
    {
      self->has_failed = TRUE;
      return FALSE;
    }
  *result = value.elements[0];
  if (value.shape.n_dims > 0)
    weir_builder_fail (self, "EQ07", line, "Line %d: %s must be a scalar.", line, what);
  weir_array_clear (&value);
  return !self->has_failed;
}

/* A time that is known now. */
static gboolean
find_time (WeirEquationsBuilder *self, WeirExpr e, int line, const char *what, gboolean can_be_zero,
           double *result)
{
  WeirExpr value;

  if (!expand_scalar (self, e, line, what, &value))
    return FALSE;
  if (weir_expr_get_op (self->pool, value) == WEIR_OP_NUMBER)
    {
      *result = weir_expr_get_number (self->pool, value);
      if (isfinite (*result) && (*result > 0.0 || (can_be_zero && *result == 0.0)))
        return TRUE;
    }
  weir_builder_fail (self, "EQ08", line,
                     "Line %d: %s must be a time in seconds, %s 0, made of numbers and constants.",
                     line, what, can_be_zero ? "at least" : "more than");
  return FALSE;
}

static void
add_sample (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirEquations *result = self->result;

  if (result->period > 0.0)
    {
      weir_builder_fail (self, "EQ04", s->line, "Line %d: there is another sample before.",
                         s->line);
      return;
    }
  if (find_time (self, s->left, s->line, "the period", FALSE, &result->period)
      && s->right.i != WEIR_NO_EXPR.i)
    find_time (self, s->right, s->line, "the offset", TRUE, &result->offset);
}

static void
fail_condition (WeirEquationsBuilder *self, int line)
{
  weir_builder_fail (self, "EQ08", line,
                     "Line %d: the condition of when must be a comparison, rising(e), "
                     "falling(e) or every(period).",
                     line);
}

/* What is positive where the condition holds: of "a and b" the smaller margin, of "a or b" the
 * larger. Nesting of expressions bounds the recursion. */
static gboolean
find_margin (WeirEquationsBuilder *self, WeirExpr condition, int line, WeirExpr *margin)
{
  WeirOp op = weir_expr_get_op (self->pool, condition);
  WeirExpr sides[2];

  switch (op)
    {
    case WEIR_OP_LT:
    case WEIR_OP_LE:
    case WEIR_OP_GT:
    case WEIR_OP_GE:
      sides[0] = weir_expr_get_arg (self->pool, condition,
                                    op == WEIR_OP_LT || op == WEIR_OP_LE ? 1 : 0);
      sides[1] = weir_expr_get_arg (self->pool, condition,
                                    op == WEIR_OP_LT || op == WEIR_OP_LE ? 0 : 1);
      *margin = weir_simplify_make (self->pool, WEIR_OP_SUB, sides, 2);
      return TRUE;
    case WEIR_OP_AND:
    case WEIR_OP_OR:
      if (!find_margin (self, weir_expr_get_arg (self->pool, condition, 0), line, &sides[0])
          || !find_margin (self, weir_expr_get_arg (self->pool, condition, 1), line, &sides[1]))
        return FALSE;
      *margin = weir_simplify_make (self->pool, op == WEIR_OP_AND ? WEIR_OP_MIN : WEIR_OP_MAX,
                                    sides, 2);
      return TRUE;
    case WEIR_OP_NOT:
      if (!find_margin (self, weir_expr_get_arg (self->pool, condition, 0), line, &sides[0]))
        return FALSE;
      *margin = weir_simplify_make (self->pool, WEIR_OP_NEG, sides, 1);
      return TRUE;
    default:
      fail_condition (self, line);
      return FALSE;
    }
}

/* Turns a condition into what passes 0, and how. */
static gboolean
find_crossing (WeirEquationsBuilder *self, WeirExpr condition, int line, WeirEvent *event)
{
  WeirOp op = weir_expr_get_op (self->pool, condition);
  WeirExpr left, right;

  if (op == WEIR_OP_EVERY)
    {
      event->kind = WEIR_EVENT_PERIODIC;
      return find_time (self, weir_expr_get_arg (self->pool, condition, 0), line, "the period",
                        FALSE, &event->period)
             && (weir_expr_get_n_args (self->pool, condition) < 2
                 || find_time (self, weir_expr_get_arg (self->pool, condition, 1), line,
                               "the offset", TRUE, &event->offset));
    }
  if (op == WEIR_OP_JUMP)
    {
      event->kind = WEIR_EVENT_JUMP;
      return expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line, "the rate",
                            &event->crossing);
    }
  if (op == WEIR_OP_RISING || op == WEIR_OP_FALLING)
    {
      event->kind = op == WEIR_OP_RISING ? WEIR_EVENT_RISING : WEIR_EVENT_FALLING;
      return expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line,
                            "the condition", &event->crossing);
    }
  if (op != WEIR_OP_LT && op != WEIR_OP_LE && op != WEIR_OP_GT && op != WEIR_OP_GE
      && op != WEIR_OP_EQ && op != WEIR_OP_AND && op != WEIR_OP_OR && op != WEIR_OP_NOT)
    {
      fail_condition (self, line);
      return FALSE;
    }
  if (op == WEIR_OP_AND || op == WEIR_OP_OR || op == WEIR_OP_NOT)
    {
      WeirExpr expanded;

      event->kind = WEIR_EVENT_RISING;
      return expand_scalar (self, condition, line, "the condition", &expanded)
             && find_margin (self, expanded, line, &event->crossing);
    }
  event->kind = op == WEIR_OP_EQ                       ? WEIR_EVENT_EITHER
                : op == WEIR_OP_LT || op == WEIR_OP_LE ? WEIR_EVENT_FALLING
                                                       : WEIR_EVENT_RISING;
  if (!expand_scalar (self, weir_expr_get_arg (self->pool, condition, 0), line, "the condition",
                      &left)
      || !expand_scalar (self, weir_expr_get_arg (self->pool, condition, 1), line, "the condition",
                         &right))
    return FALSE;
  event->crossing = weir_simplify_make (self->pool, WEIR_OP_SUB, (WeirExpr[]) { left, right }, 2);
  return TRUE;
}

static gboolean
contains (WeirExprPool *pool, WeirExpr e, WeirExpr atom)
{
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  weir_expr_collect_atoms (pool, &e, 1, atoms);
  for (guint i = 0; i < atoms->len; i++)
    if (weir_expr_equal (g_array_index (atoms, WeirExpr, i), atom))
      return TRUE;
  return FALSE;
}

static void
add_assignments (WeirEquationsBuilder *self, const WeirStatement *s, WeirEvent *event)
{
  g_autoptr (GArray) equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));

  add_equations (self, s, equations);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      WeirAssignment assignment = { equation->left, equation->right, s->line };
      WeirOp op = weir_expr_get_op (self->pool, equation->left);
      g_autofree char *name = weir_expr_to_string (self->pool, equation->left);

      if (op != WEIR_OP_SYMBOL && op != WEIR_OP_DER)
        weir_builder_fail (self, "EQ08", s->line,
                           "Line %d: only a variable can be assigned to, not %s.", s->line, name);
      else if (contains (self->pool, equation->right, equation->left))
        weir_builder_fail (self, "EQ08", s->line,
                           "Line %d: %s is on both sides of an assignment; did you mean pre(%s)?",
                           s->line, name, name);
      else
        g_array_append_val (event->assignments, assignment);
    }
}

static void
add_event (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirEvent *event = g_new0 (WeirEvent, 1);

  event->line = s->line;
  event->crossing = WEIR_NO_EXPR;
  event->assignments = g_array_new (FALSE, FALSE, sizeof (WeirAssignment));
  g_ptr_array_add (self->result->events, event);
  find_crossing (self, s->left, s->line, event);
  for (guint i = 0; s->body != NULL && i < s->body->len; i++)
    {
      const WeirStatement *inner = g_ptr_array_index (s->body, i);

      if (inner->kind == WEIR_STATEMENT_ASSIGN)
        add_assignments (self, inner, event);
    }
}

static void
add_assertion (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirAssertion *assertion = g_new0 (WeirAssertion, 1);

  assertion->line = s->line;
  assertion->message = g_strdup (weir_expr_get_name (self->pool, s->right));
  g_ptr_array_add (self->result->assertions, assertion);
  if (!expand_scalar (self, s->left, s->line, "the condition", &assertion->condition))
    assertion->condition = weir_expr_number (self->pool, 1.0);
}

static void
add_default (WeirEquationsBuilder *self, const WeirStatement *s)
{
  WeirVariable *variable = g_hash_table_lookup (self->by_name,
                                                weir_expr_get_name (self->pool, s->left));
  WeirArray value;

  if (variable == NULL || s->right.i == WEIR_NO_EXPR.i || variable->role != WEIR_ROLE_INPUT)
    return;
  if (!weir_expander_expand (&self->expander, s->right, s->line, &value))
    {
      self->has_failed = TRUE;
      return;
    }
  if (!is_numeric (self, &value))
    weir_builder_fail (self, "PAR01", s->line,
                       "Line %d: the default of %s must be made of numbers and constants.", s->line,
                       variable->name);
  else if (fit_value (self, s, &value))
    {
      variable->value = g_new (double, weir_shape_size (value.shape) + 1);
      for (guint i = 0; i < weir_shape_size (value.shape); i++)
        variable->value[i] = weir_expr_get_number (self->pool, value.elements[i]);
    }
  weir_array_clear (&value);
}

static void
add_noise (WeirEquationsBuilder *self, const WeirStatement *s)
{
  gint64 seed;

  if (self->noise_step > 0.0)
    {
      weir_builder_fail (self, "EQ04", s->line, "Line %d: there is another noise before.", s->line);
      return;
    }
  if (!find_time (self, s->left, s->line, "the step", FALSE, &self->noise_step)
      || s->right.i == WEIR_NO_EXPR.i)
    return;
  if (weir_expander_find_integer (&self->expander, s->right, s->line, "the seed", 0, &seed))
    self->seed = (guint64) seed;
  else
    self->has_failed = TRUE;
}

/* A parameter that the conditions at the start determine; its own value is the guess. */
static void
add_solved (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirVariable *variable = g_hash_table_lookup (self->by_name, name);

  if (variable != NULL && variable->role == WEIR_ROLE_PARAMETER && !variable->is_bound)
    variable->is_solved = TRUE;
  else
    weir_builder_fail (self, "INI03", s->line,
                       "Initialization: line %d: solve %s needs a parameter with a value to start "
                       "from, as in parameter %s = 1%s.",
                       s->line, name, name,
                       variable != NULL && variable->is_bound ? "; this one is computed from others"
                                                              : "");
}

static void
expand_statement (WeirEquationsBuilder *self, const WeirStatement *s)
{
  guint n_before;

  switch (s->kind)
    {
    case WEIR_STATEMENT_EQUATION:
      add_equations (self, s,
                     has_shift (self, s->left) || has_shift (self, s->right) ? self->tick_equations
                                                                             : self->equations);
      break;
    case WEIR_STATEMENT_INITIAL:
      n_before = self->initials->len;
      add_equations (self, s, self->initials);
      for (guint i = n_before; i < self->initials->len; i++)
        g_array_index (self->initials, WeirScalarEquation, i).is_initial = TRUE;
      break;
    case WEIR_STATEMENT_GUESS:
      add_equations (self, s, self->guesses);
      break;
    case WEIR_STATEMENT_SAMPLE:
      add_sample (self, s);
      break;
    case WEIR_STATEMENT_WHEN:
      add_event (self, s);
      break;
    case WEIR_STATEMENT_ASSERT:
      add_assertion (self, s);
      break;
    case WEIR_STATEMENT_SOLVE:
      add_solved (self, s);
      break;
    case WEIR_STATEMENT_NOISE:
      add_noise (self, s);
      break;
    default:
      break;
    }
}

/* --- Roles ------------------------------------------------------------------------------------ */

/* Every name of the equations that nothing declares is a variable. */
static void
add_used_names (WeirEquationsBuilder *self, const GArray *instances)
{
  for (guint i = 0; i < instances->len; i++)
    {
      const Instance *instance = &g_array_index (instances, Instance, i);
      const WeirStatement *s = instance->statement;
      guint n_bodies = s->body != NULL ? s->body->len : 0;

      for (guint j = 0; j < 2 * (n_bodies + 1); j++)
        {
          const WeirStatement *inner = j < 2 ? s : g_ptr_array_index (s->body, j / 2 - 1);
          WeirExpr e = j % 2 == 0 ? inner->left : inner->right;
          g_autoptr (GPtrArray) names = NULL;

          if (e.i == WEIR_NO_EXPR.i)
            continue;
          names = dup_names (self, e);
          for (guint k = 0; k < names->len; k++)
            {
              const char *name = g_ptr_array_index (names, k);
              gboolean is_loop = FALSE;

              for (guint b = 0; b < instance->n_bindings; b++)
                is_loop = is_loop || strcmp (instance->bindings[b].name, name) == 0;
              if (!is_loop && strcmp (name, "t") != 0)
                find_or_add (self, name, WEIR_ROLE_UNKNOWN, inner->line);
            }
        }
    }
}

static int
compare_variables (gconstpointer a, gconstpointer b)
{
  const WeirVariable *left = *(WeirVariable *const *) a, *right = *(WeirVariable *const *) b;

  return weir_name_compare (left->name, right->name);
}

/* @n_declared: these stay in front. What is declared comes in that order, the rest by name: neither
 * depends on the order of equations. */
static void
make_elements (WeirEquationsBuilder *self, guint n_declared)
{
  GPtrArray *variables = self->result->variables;

  if (variables->len > n_declared)
    qsort (variables->pdata + n_declared, variables->len - n_declared, sizeof (gpointer),
           compare_variables);
  for (guint i = 0; i < self->result->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (self->result->variables, i);
      const WeirShape *shape = g_hash_table_lookup (self->expander.shapes, variable->name);
      const WeirUnit *unit = g_hash_table_lookup (self->units, variable->name);

      if (variable->unit == NULL && unit != NULL)
        variable->unit = weir_unit_to_string (unit);
      if (shape != NULL)
        variable->shape = *shape;
      if (variable->shape.n_dims == 0)
        variable->shape.dims[0] = variable->shape.dims[1] = 1;
      variable->size = weir_shape_size (variable->shape);
      variable->elements = g_new (WeirExpr, variable->size + 1);
      for (guint j = 0; j < variable->size; j++)
        {
          g_autofree char *name = weir_shape_name_element (variable->shape, variable->name, j);

          variable->elements[j] = weir_expr_symbol (self->pool, name);
          g_hash_table_insert (self->by_atom, GUINT_TO_POINTER (variable->elements[j].i + 1),
                               GUINT_TO_POINTER (i + 1));
        }
    }
}

/* What D is taken of becomes a state; what is shifted or assigned, discrete. */
static void
find_roles_in (WeirEquationsBuilder *self, const GArray *equations, gboolean can_shift)
{
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      WeirExpr sides[2] = { equation->left, equation->right };

      weir_expr_collect_atoms (self->pool, sides, 2, atoms);
      for (guint j = 0; j < atoms->len; j++)
        {
          WeirExpr atom = g_array_index (atoms, WeirExpr, j);
          WeirVariable *variable = weir_builder_find_atom (self, atom);
          WeirOp op = weir_expr_get_op (self->pool, atom);
          guint order = 0;

          if (variable == NULL || op == WEIR_OP_SYMBOL)
            continue;
          if (op == WEIR_OP_PRE)
            {
              weir_builder_fail (self, "EQ08", equation->line,
                                 "Line %d: pre(%s) is the value before an event; it belongs into a "
                                 "when.",
                                 equation->line, variable->name);
              continue;
            }
          if (op == WEIR_OP_INITIAL)
            continue;
          if (op == WEIR_OP_DELAY)
            {
              weir_builder_fail (self, "EQ08", equation->line,
                                 "Line %d: delay keeps a past, which an Equations block does not; "
                                 "lead %s out through an output and back in through a Transport "
                                 "Delay block.",
                                 equation->line, variable->name);
              continue;
            }
          if (variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_STATE
              && variable->role != WEIR_ROLE_DISCRETE)
            {
              weir_builder_fail (self, "EQ08", equation->line,
                                 "Line %d: %s is %s %s; it has no derivative and no past.",
                                 equation->line, variable->name,
                                 variable->role == WEIR_ROLE_INPUT ? "an" : "a",
                                 weir_role_get_name (variable->role));
              continue;
            }
          if (op == WEIR_OP_SHIFT)
            {
              double shift = weir_expr_get_number (self->pool,
                                                   weir_expr_get_arg (self->pool, atom, 1));

              if (shift > 0.0 && can_shift)
                weir_builder_fail (self, "EQ08", equation->line,
                                   "Line %d: %s(k+%g) is in the future; write %s(k) ~ f(%s(k-1)).",
                                   equation->line, variable->name, shift, variable->name,
                                   variable->name);
              if (variable->role == WEIR_ROLE_STATE)
                weir_builder_fail (
                    self, "EQ08", equation->line,
                    "Line %d: %s is continuous, by its D, and cannot be discrete too.",
                    equation->line, variable->name);
              variable->role = WEIR_ROLE_DISCRETE;
              variable->depth = MAX (variable->depth, MAX (1, (guint) fmax (-shift, 0.0)));
              continue;
            }
          for (WeirExpr e = atom; weir_expr_get_op (self->pool, e) == WEIR_OP_DER;
               e = weir_expr_get_arg (self->pool, e, 0))
            order++;
          variable->role = WEIR_ROLE_STATE;
          variable->order = MAX (variable->order, order);
        }
    }
}

static void
find_roles (WeirEquationsBuilder *self)
{
  find_roles_in (self, self->equations, FALSE);
  find_roles_in (self, self->tick_equations, TRUE);
  for (guint i = 0; i < self->result->events->len; i++)
    {
      const WeirEvent *event = g_ptr_array_index (self->result->events, i);

      for (guint j = 0; j < event->assignments->len; j++)
        {
          const WeirAssignment *assignment = &g_array_index (event->assignments, WeirAssignment, j);
          WeirVariable *variable = weir_builder_find_atom (self, assignment->target);

          guint order = 0;

          if (variable == NULL)
            continue;
          for (WeirExpr e = assignment->target; weir_expr_get_op (self->pool, e) == WEIR_OP_DER;
               e = weir_expr_get_arg (self->pool, e, 0))
            order++;
          if (variable->role == WEIR_ROLE_UNKNOWN && order == 0)
            variable->role = WEIR_ROLE_DISCRETE;
          else if (variable->role == WEIR_ROLE_DISCRETE && variable->depth > 0)
            weir_builder_fail (self, "EQ08", assignment->line,
                               "Line %d: %s cannot be assigned to: an equation in k determines it.",
                               assignment->line, variable->name);
          else if (variable->role != WEIR_ROLE_STATE && order > 0)
            weir_builder_fail (self, "EQ08", assignment->line,
                               "Line %d: %s is no state, so its D cannot be assigned to.",
                               assignment->line, variable->name);
          else if (variable->role == WEIR_ROLE_STATE && order >= variable->order)
            {
              g_autofree char *name = weir_builder_dup_name (self, assignment->target);

              weir_builder_fail (self, "EQ08", assignment->line,
                                 "Line %d: %s cannot be assigned to: an equation determines it.",
                                 assignment->line, name);
            }
          else if (variable->role != WEIR_ROLE_STATE && variable->role != WEIR_ROLE_DISCRETE)
            weir_builder_fail (self, "EQ08", assignment->line,
                               "Line %d: %s is %s %s and cannot be assigned to.", assignment->line,
                               variable->name, variable->role == WEIR_ROLE_INPUT ? "an" : "a",
                               weir_role_get_name (variable->role));
        }
    }
  if (self->tick_equations->len > 0 && self->result->period == 0.0 && !self->has_failed)
    weir_builder_fail (self, "EQ08",
                       g_array_index (self->tick_equations, WeirScalarEquation, 0).line,
                       "Line %d: an equation in k needs a period; add a line such as 'sample 0.1'.",
                       g_array_index (self->tick_equations, WeirScalarEquation, 0).line);
}

void
weir_builder_declare (WeirEquationsBuilder *self)
{
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (Instance));
  guint n_declared;

  g_array_set_clear_func (instances, instance_clear);
  self->expander.values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weir_array_free);
  self->expander.shapes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->expander.arrays = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, weir_array_free);
  for (guint i = 0; i < self->statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (self->statements, i);

      if (s->kind >= WEIR_STATEMENT_PARAMETER && s->kind <= WEIR_STATEMENT_BROWNIAN)
        declare_name (self, s);
    }
  if (!self->has_failed)
    weir_builder_check_units (self);
  if (!self->has_failed)
    evaluate_values (self);
  if (self->has_failed)
    return;
  for (guint i = 0; i < self->statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (self->statements, i);

      if ((s->kind >= WEIR_STATEMENT_INPUT && s->kind <= WEIR_STATEMENT_VARIABLE)
          || s->kind == WEIR_STATEMENT_BROWNIAN)
        {
          declare_size (self, s);
          add_default (self, s);
        }
    }
  unroll (self, self->statements, NULL, instances);
  if (self->has_failed)
    return;
  infer_shapes (self, instances);
  if (self->has_failed)
    return;
  n_declared = self->result->variables->len;
  add_used_names (self, instances);
  make_elements (self, n_declared);
  for (guint i = 0; i < instances->len; i++)
    {
      const Instance *instance = &g_array_index (instances, Instance, i);

      bind_instance (self, instance);
      expand_statement (self, instance->statement);
      unbind_instance (self, instance);
    }
  if (!self->has_failed)
    weir_builder_lower_noise (self);
  if (!self->has_failed)
    find_roles (self);
}
