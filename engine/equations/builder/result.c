/* What comes of a text of equations. See result.h. */
#include "equations/builder/result.h"
#include "base/phrase.h"
#include "base/text.h"

#include <string.h>

void
weir_equation_block_free (WeirEquationBlock *block)
{
  if (block == NULL)
    return;
  g_free (block->unknowns);
  g_free (block->lines);
  g_free (block->residuals);
  g_free (block->exponents);
  g_free (block->exponent_rows);
  g_free (block->guess);
  weir_jacobian_free (block->jacobian);
  g_free (block);
}

static void
variable_free (gpointer data)
{
  WeirVariable *variable = data;

  g_free (variable->name);
  g_free (variable->elements);
  g_free (variable->unit);
  g_free (variable->origin);
  g_free (variable->value);
  g_free (variable);
}

static void
event_free (gpointer data)
{
  WeirEvent *event = data;

  g_array_unref (event->assignments);
  g_free (event);
}

static void
assertion_free (gpointer data)
{
  g_free (((WeirAssertion *) data)->message);
  g_free (data);
}

static void
block_free (gpointer data)
{
  weir_equation_block_free (data);
}

WeirEquations *
weir_equations_alloc (void)
{
  WeirEquations *self = g_new0 (WeirEquations, 1);

  self->pool = weir_expr_pool_new ();
  self->variables = g_ptr_array_new_with_free_func (variable_free);
  self->states = g_array_new (FALSE, TRUE, sizeof (WeirState));
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  self->tick_blocks = g_ptr_array_new_with_free_func (block_free);
  self->events = g_ptr_array_new_with_free_func (event_free);
  self->relations = g_array_new (FALSE, FALSE, sizeof (WeirRelation));
  self->delays = g_array_new (FALSE, FALSE, sizeof (WeirDelay));
  self->kinks = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  self->invariants = g_array_new (FALSE, FALSE, sizeof (WeirInvariant));
  self->starts = g_array_new (FALSE, TRUE, sizeof (WeirStart));
  self->assertions = g_ptr_array_new_with_free_func (assertion_free);
  return self;
}

void
weir_equations_free (WeirEquations *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->variables);
  g_array_unref (self->states);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->tick_blocks);
  g_ptr_array_unref (self->events);
  g_array_unref (self->relations);
  g_array_unref (self->delays);
  g_array_unref (self->kinks);
  g_array_unref (self->invariants);
  g_array_unref (self->starts);
  g_ptr_array_unref (self->assertions);
  g_strfreev (self->extended);
  g_strfreev (self->places);
  g_clear_pointer (&self->aliases, g_hash_table_unref);
  weir_expr_pool_free (self->pool);
  g_free (self);
}

/* --- Questions ------------------------------------------------------------------------------- */

const char *
weir_role_get_name (WeirRole role)
{
  static const char *const names[] = {
    "state",     "unknown",  "discrete variable", "input",
    "parameter", "constant", "brownian motion",   "delayed value"
  };

  return names[role];
}

const char *
weir_role_describe (WeirRole role)
{
  static const char *const names[] = {
    N_ ("a state"),     N_ ("an unknown"), N_ ("a discrete variable"), N_ ("an input"),
    N_ ("a parameter"), N_ ("a constant"), N_ ("a brownian motion"),   N_ ("a delayed value")
  };

  return weir_phrase (names[role]);
}

const WeirVariable *
weir_equations_find (const WeirEquations *self, const char *name)
{
  for (guint i = 0; i < self->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (self->variables, i);

      if (strcmp (variable->name, name) == 0)
        return variable;
    }
  return NULL;
}
