/* Values that are known before anything runs: constants, parameters, defaults of inputs.
 *
 * Each is computed after those that it reads; a parameter that reads other parameters is bound, and
 * its value becomes an equation.
 */
#include "equations/declare/declare.h"
#include "base/text.h"
#include "base/phrase.h"

#include <string.h>

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
        weir_builder_set_shape (self, name, value->shape);
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
    g_autoptr (WeirMessage) wanted = weir_shape_describe (*shape);
    g_autoptr (WeirMessage) found = weir_shape_describe (value->shape);

    weir_builder_fail (self, "EQ07", s->line,
                       N_ ("Model: line %d: %s has %s, but its value has %s."), s->line, name,
                       weir_message_get_text (wanted), weir_message_get_text (found));
    return FALSE;
  }
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
      g_autoptr (GPtrArray) names = weir_builder_dup_names (self, s->right);
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
typedef enum {
  READY,
  WAITS, /* for a value that comes later */
  WRONG, /* reported */
} Readiness;

/* May the value of @s be computed now? @is_waiting: the names that have none yet. */
static Readiness
check_reads (WeirEquationsBuilder *self, const WeirStatement *s, GHashTable *is_waiting)
{
  g_autoptr (GPtrArray) names = weir_builder_dup_names (self, s->right);
  const char *name = weir_expr_get_name (self->pool, s->left);
  gboolean is_parameter = s->kind == WEIR_STATEMENT_PARAMETER;
  Readiness result = READY;

  for (guint i = 0; i < names->len; i++)
    {
      const char *read = g_ptr_array_index (names, i);
      const WeirVariable *other = g_hash_table_lookup (self->by_name, read);

      if (result == READY && g_hash_table_contains (is_waiting, read))
        result = WAITS;
      if (other != NULL
          && (other->role == WEIR_ROLE_CONSTANT
              || (other->role == WEIR_ROLE_PARAMETER && is_parameter)))
        continue;
      weir_builder_fail (
          self, "PAR01", s->line,
          other != NULL
              ? N_ ("Model: line %d: the value of %s reads %s, which is no %s.")
              : N_ ("Model: line %d: the value of %s reads %s, which is not declared as %s."),
          s->line, name, read,
          weir_phrase (is_parameter ? N_ ("parameter or constant") : N_ ("constant")));
      result = WRONG;
    }
  return result;
}

/* A parameter computed from others: an equation for each element. */
static void
add_bindings (WeirEquationsBuilder *self, const WeirStatement *s, const WeirArray *value)
{
  const char *name = weir_expr_get_name (self->pool, s->left);

  for (guint i = 0; i < weir_shape_size (value->shape); i++)
    {
      g_autofree char *element = weir_shape_name_element (value->shape, name, i);
      WeirScalarEquation equation = { .left = weir_expr_symbol (self->pool, element),
                                      .right = value->elements[i],
                                      .line = s->line,
                                      .is_binding = TRUE };

      g_array_append_val (self->equations, equation);
    }
}

static double *
dup_numbers (const WeirEquationsBuilder *self, const WeirArray *value)
{
  double *numbers = g_new (double, weir_shape_size (value->shape) + 1);

  for (guint i = 0; i < weir_shape_size (value->shape); i++)
    numbers[i] = weir_expr_get_number (self->pool, value->elements[i]);
  return numbers;
}

/* All that the value of @s reads has one. */
static void
take_value (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirVariable *variable = g_hash_table_lookup (self->by_name, name);
  WeirArray value;

  weir_builder_declare_size (self, s);
  if (!weir_expander_expand (&self->expander, s->right, s->line, &value))
    {
      self->has_failed = TRUE;
      return;
    }
  if (!fit_value (self, s, &value))
    {
      weir_array_clear (&value);
      return;
    }
  for (guint i = 0; i < weir_shape_size (value.shape); i++)
    weir_builder_check_finite (self, value.elements[i], s->line);
  if (s->kind == WEIR_STATEMENT_CONSTANT && !self->has_failed && !is_numeric (self, &value))
    weir_builder_fail (self, "PAR01", s->line, N_ ("Model: line %d: the value of %s is no number."),
                       s->line, name);
  variable->is_bound = !is_numeric (self, &value);
  variable->shape = value.shape;
  if (!variable->is_bound)
    variable->value = dup_numbers (self, &value);
  else if (s->kind == WEIR_STATEMENT_PARAMETER)
    add_bindings (self, s, &value);
  if (s->kind == WEIR_STATEMENT_CONSTANT)
    g_hash_table_insert (self->expander.values, g_strdup (name), g_memdup2 (&value, sizeof value));
  else
    weir_array_clear (&value);
}

/* Values of constants and parameters, each after those it reads. */
void
weir_builder_evaluate_values (WeirEquationsBuilder *self)
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
          Readiness readiness = check_reads (self, s, is_waiting);

          if (readiness == WAITS)
            {
              i++;
              continue;
            }
          has_moved = TRUE;
          g_hash_table_remove (is_waiting, weir_expr_get_name (self->pool, s->left));
          g_ptr_array_remove_index (waiting, i);
          if (readiness == READY)
            take_value (self, s);
        }
    }
  if (waiting->len > 0)
    {
      const WeirStatement *s = g_ptr_array_index (waiting, 0);
      g_autofree char *cycle = describe_cycle (self, waiting, s);

      weir_builder_fail (self, "PAR01", s->line,
                         N_ ("Model: line %d: parameters depend on each other in a cycle: %s."),
                         s->line, cycle);
    }
}

void
weir_builder_add_default (WeirEquationsBuilder *self, const WeirStatement *s)
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
    weir_builder_fail (
        self, "PAR01", s->line,
        N_ ("Model: line %d: the default of %s must be made of numbers and constants."), s->line,
        variable->name);
  else if (fit_value (self, s, &value))
    variable->value = dup_numbers (self, &value);
  weir_array_clear (&value);
}
