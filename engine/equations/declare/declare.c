/* The first step: names with sizes and roles, constants, and equations of scalars.
 *
 * Here: which names there are, and in which order they stand. What is declared comes in that order,
 * the rest by name, so that nothing depends on the order of the equations.
 */
#include "equations/declare/declare.h"

#include "base/text.h"
#include "equations/expressions/unit.h"

#include <stdlib.h>
#include <string.h>

static WeirRole
role_of (WeirStatementKind kind)
{
  return kind == WEIR_STATEMENT_PARAMETER  ? WEIR_ROLE_PARAMETER
         : kind == WEIR_STATEMENT_CONSTANT ? WEIR_ROLE_CONSTANT
         : kind == WEIR_STATEMENT_INPUT    ? WEIR_ROLE_INPUT
         : kind == WEIR_STATEMENT_BROWNIAN ? WEIR_ROLE_BROWNIAN
                                           : WEIR_ROLE_UNKNOWN;
}

/* Is there no other before that says anything with the same word of the same name? A name that is
 * an output once more, without size and unit, is just that. @first: that other. */
static gboolean
is_first_declaration (const WeirEquationsBuilder *self, const WeirStatement *s,
                      const WeirStatement **first)
{
  gboolean is_bare = s->kind == WEIR_STATEMENT_OUTPUT && s->n_sizes == 0
                     && s->unit.i == WEIR_NO_EXPR.i;
  gpointer key = GUINT_TO_POINTER (s->left.i * WEIR_N_STATEMENTS + s->kind + 1);

  *first = is_bare ? NULL : g_hash_table_lookup (self->declarations, key);
  if (*first == NULL && !is_bare)
    g_hash_table_insert (self->declarations, key, (gpointer) s);
  return *first == NULL;
}

static void
declare_name (WeirEquationsBuilder *self, const WeirStatement *s)
{
  const char *name = weir_expr_get_name (self->pool, s->left);
  WeirRole role = role_of (s->kind);
  WeirVariable *known = g_hash_table_lookup (self->by_name, name);
  const WeirStatement *first = NULL;
  WeirVariable *variable;

  if (!self->has_paths && strchr (name, '.') != NULL)
    {
      weir_builder_fail (self, "EQ02", s->line,
                         N_ ("Model: line %d: the name %s has a dot; names here have none."),
                         s->line, name);
      return;
    }
  /* `output y` and `variable y` may add to each other; roles may not, nor two of one kind. */
  if ((known != NULL && role != WEIR_ROLE_UNKNOWN && known->role != WEIR_ROLE_UNKNOWN)
      || !is_first_declaration (self, s, &first))
    {
      int other = first != NULL ? first->line : known->line;

      if (other == s->line)
        weir_builder_fail (self, "EQ04", s->line, N_ ("Model: %s is defined twice in line %d."),
                           name, s->line);
      else
        weir_builder_fail (self, "EQ04", s->line,
                           N_ ("Model: %s is defined twice: in line %d and in line %d."), name,
                           MIN (other, s->line), MAX (other, s->line));
      return;
    }
  variable = weir_builder_find_or_add (self, name, role, s->line);
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

/* Every name of the equations that nothing declares is a variable. */
static void
add_used_names (WeirEquationsBuilder *self, const GArray *instances)
{
  for (guint i = 0; i < instances->len; i++)
    {
      const WeirStatementInstance *instance = &g_array_index (instances, WeirStatementInstance, i);
      const WeirStatement *s = instance->statement;
      guint n_bodies = s->body != NULL ? s->body->len : 0;

      for (guint j = 0; j < 2 * (n_bodies + 1); j++)
        {
          const WeirStatement *inner = j < 2 ? s : g_ptr_array_index (s->body, j / 2 - 1);
          WeirExpr e = j % 2 == 0 ? inner->left : inner->right;
          g_autoptr (GPtrArray) names = NULL;

          if (e.i == WEIR_NO_EXPR.i)
            continue;
          names = weir_builder_dup_names (self, e);
          for (guint k = 0; k < names->len; k++)
            {
              const char *name = g_ptr_array_index (names, k);
              gboolean is_loop = FALSE;

              for (guint b = 0; b < instance->n_bindings; b++)
                is_loop = is_loop || strcmp (instance->bindings[b].name, name) == 0;
              if (!is_loop && strcmp (name, "t") != 0)
                weir_builder_find_or_add (self, name, WEIR_ROLE_UNKNOWN, inner->line);
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

static void
instance_clear (gpointer data)
{
  g_free (((WeirStatementInstance *) data)->bindings);
}

/* What is wrong with a line of a loop is told for the first value of the loop, not for each. */
static void
expand_instances (WeirEquationsBuilder *self, const GArray *instances)
{
  g_autoptr (GHashTable) reported = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < instances->len; i++)
    {
      const WeirStatementInstance *instance = &g_array_index (instances, WeirStatementInstance, i);
      guint n_before = weir_diagnostics_get_size (self->report->diagnostics);

      if (g_hash_table_contains (reported, instance->statement))
        continue;
      weir_builder_bind_instance (self, instance);
      if (instance->statement->kind == WEIR_STATEMENT_WHEN)
        weir_builder_add_event (self, instance->statement);
      else
        weir_builder_expand_statement (self, instance->statement);
      weir_builder_unbind_instance (self, instance);
      if (weir_diagnostics_get_size (self->report->diagnostics) > n_before)
        g_hash_table_add (reported, (gpointer) instance->statement);
    }
}

void
weir_builder_declare (WeirEquationsBuilder *self)
{
  g_autoptr (GArray) instances = g_array_new (FALSE, FALSE, sizeof (WeirStatementInstance));
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
    weir_builder_evaluate_values (self);
  if (self->has_failed)
    return;
  for (guint i = 0; i < self->statements->len; i++)
    {
      const WeirStatement *s = g_ptr_array_index (self->statements, i);

      if ((s->kind >= WEIR_STATEMENT_INPUT && s->kind <= WEIR_STATEMENT_VARIABLE)
          || s->kind == WEIR_STATEMENT_BROWNIAN)
        {
          weir_builder_declare_size (self, s);
          weir_builder_add_default (self, s);
        }
    }
  weir_builder_unroll (self, self->statements, NULL, instances);
  if (self->has_failed)
    return;
  weir_builder_infer_shapes (self, instances);
  if (self->has_failed)
    return;
  n_declared = self->result->variables->len;
  add_used_names (self, instances);
  make_elements (self, n_declared);
  expand_instances (self, instances);
  if (!self->has_failed)
    weir_builder_check_events (self);
  if (!self->has_failed)
    weir_builder_lower_delays (self);
  if (!self->has_failed)
    weir_builder_lower_noise (self);
  if (!self->has_failed)
    weir_builder_find_roles (self);
}
