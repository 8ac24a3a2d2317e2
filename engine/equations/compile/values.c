/* Values of a system of equations that have names and are no parameters. See equations.h. */
#include "equations/compile/equations.h"

#include <math.h>

static void
named_value_clear (gpointer data)
{
  WeirEquationValue *self = data;

  g_free (self->name);
  g_free (self->value);
  g_free (self->unit);
}

static void
add (GArray *values, char *name, WeirEquationValueKind kind, const WeirVariable *variable,
     double *value, const char *unit)
{
  WeirEquationValue named = { name, kind, variable->size, value, g_strdup (unit) };

  g_array_append_val (values, named);
}

/* What is given for the @order-th derivative of each element at the start. (transfer full) */
static double *
dup_given (const WeirEquations *self, GHashTable *starts, const WeirVariable *variable, guint order)
{
  double *given = g_new (double, variable->size + 1);

  for (guint i = 0; i < variable->size; i++)
    {
      WeirExpr atom = variable->elements[i];
      const WeirStart *start;

      if (order > 0)
        atom = weir_expr_make_1 (self->pool, WEIR_OP_DER, atom);
      start = g_hash_table_lookup (starts, GUINT_TO_POINTER (atom.i + 1));
      given[i] = start != NULL && start->is_given ? start->value : (double) NAN;
    }
  return given;
}

GArray *
weir_equations_list_values (const WeirEquations *self)
{
  GArray *values = g_array_new (FALSE, FALSE, sizeof (WeirEquationValue));
  g_autoptr (GHashTable) starts = g_hash_table_new (NULL, NULL); /* atom + 1 to WeirStart */

  g_array_set_clear_func (values, named_value_clear);
  for (guint i = 0; i < self->starts->len; i++)
    {
      WeirStart *start = &g_array_index (self->starts, WeirStart, i);

      g_hash_table_insert (starts, GUINT_TO_POINTER (start->atom.i + 1), start);
    }
  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);
      gboolean is_computed = variable->role == WEIR_ROLE_STATE
                             || variable->role == WEIR_ROLE_UNKNOWN;

      if (variable->is_hidden)
        continue;
      if (variable->role == WEIR_ROLE_DISCRETE)
        add (values, g_strdup (variable->name), WEIR_EQUATION_DISCRETE, variable,
             g_memdup2 (variable->value, variable->size * sizeof (double)), variable->unit);
      if (is_computed || variable->role == WEIR_ROLE_DISCRETE || variable->is_bound)
        add (values, g_strdup_printf ("Initial(%s)", variable->name), WEIR_EQUATION_INITIAL,
             variable, dup_given (self, starts, variable, 0), variable->unit);
      if (is_computed)
        add (values, g_strdup_printf ("Initial(D(%s))", variable->name), WEIR_EQUATION_INITIAL,
             variable, dup_given (self, starts, variable, 1), NULL);
    }
  return values;
}
