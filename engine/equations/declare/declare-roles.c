/* Roles from use: what D is taken of is a state, what is shifted or assigned is discrete. */
#include "equations/declare/declare.h"
#include "base/text.h"

#include <math.h>

/* What D is taken of becomes a state; what is shifted or assigned, discrete. */
/* What D is taken of in @equations becomes a state; what is shifted, discrete. */
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
              weir_builder_fail (
                  self, "EQ08", equation->line,
                  N_ ("Model: line %d: pre(%s) is the value before an event; it belongs into a "
                      "when."),
                  equation->line, variable->name);
              continue;
            }
          if (op == WEIR_OP_INITIAL)
            continue;
          if (variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_STATE
              && variable->role != WEIR_ROLE_DISCRETE)
            {
              weir_builder_fail (self, "EQ08", equation->line,
                                 N_ ("Model: line %d: %s is %s; it has no derivative and no past."),
                                 equation->line, variable->name,
                                 weir_role_describe (variable->role));
              continue;
            }
          if (op == WEIR_OP_SHIFT)
            {
              double shift = weir_expr_get_number (self->pool,
                                                   weir_expr_get_arg (self->pool, atom, 1));

              if (shift > 0.0 && can_shift)
                weir_builder_fail (
                    self, "EQ08", equation->line,
                    N_ ("Model: line %d: %s(k+%g) is in the future; write %s(k) ~ f(%s(k-1))."),
                    equation->line, variable->name, shift, variable->name, variable->name);
              if (variable->role == WEIR_ROLE_STATE)
                weir_builder_fail (
                    self, "EQ08", equation->line,
                    N_ ("Model: line %d: %s is continuous, by its D, and cannot be discrete too."),
                    equation->line, variable->name);
              variable->role = WEIR_ROLE_DISCRETE;
              variable->has_past = variable->has_past || shift < 0.0;
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

/* An equation in k that is written for a name that is not in k. */
static void
check_ticks (WeirEquationsBuilder *self)
{
  g_autoptr (GHashTable) defined = g_hash_table_new (NULL, NULL); /* set of atoms + 1 */

  for (guint i = 0; i < self->equations->len; i++)
    g_hash_table_add (
        defined,
        GUINT_TO_POINTER (g_array_index (self->equations, WeirScalarEquation, i).left.i + 1));
  for (guint i = 0; i < self->tick_equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (self->tick_equations, WeirScalarEquation,
                                                           i);
      const WeirVariable *variable = weir_builder_find_atom (self, equation->left);

      if (weir_expr_get_op (self->pool, equation->left) == WEIR_OP_SYMBOL && variable != NULL
          && variable->role == WEIR_ROLE_UNKNOWN
          && !g_hash_table_contains (defined, GUINT_TO_POINTER (equation->left.i + 1)))
        weir_builder_fail (
            self, "EQ08", equation->line,
            N_ ("Model: line %d: %s is computed from a value in k, but is not in k itself; "
                "write %s(k) ~ ..., or leave the (k) out on the right, where a name is its "
                "newest value."),
            equation->line, variable->name, variable->name);
    }
}

/* The same for what is delayed. */
static void
find_delayed_roles (WeirEquationsBuilder *self)
{
  g_autoptr (GArray) values = g_array_new (FALSE, TRUE, sizeof (WeirScalarEquation));

  for (guint i = 0; i < self->result->delays->len; i++)
    {
      const WeirDelay *delay = &g_array_index (self->result->delays, WeirDelay, i);
      WeirScalarEquation equation = { .left = delay->value,
                                      .right = delay->time,
                                      .line = delay->line };

      g_array_append_val (values, equation);
    }
  find_roles_in (self, values, FALSE);
}

void
weir_builder_find_roles (WeirEquationsBuilder *self)
{
  find_roles_in (self, self->equations, FALSE);
  find_roles_in (self, self->tick_equations, TRUE);
  find_delayed_roles (self);
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
            weir_builder_fail (
                self, "EQ08", assignment->line,
                N_ ("Model: line %d: %s cannot be assigned to: an equation in k determines it."),
                assignment->line, variable->name);
          else if (variable->role != WEIR_ROLE_STATE && order > 0)
            weir_builder_fail (
                self, "EQ08", assignment->line,
                N_ ("Model: line %d: %s is no state, so its D cannot be assigned to."),
                assignment->line, variable->name);
          else if (variable->role == WEIR_ROLE_STATE && order >= variable->order)
            {
              g_autofree char *name = weir_builder_dup_name (self, assignment->target);

              weir_builder_fail (
                  self, "EQ08", assignment->line,
                  N_ ("Model: line %d: %s cannot be assigned to: an equation determines it."),
                  assignment->line, name);
            }
          else if (variable->role != WEIR_ROLE_STATE && variable->role != WEIR_ROLE_DISCRETE)
            weir_builder_fail (self, "EQ08", assignment->line,
                               N_ ("Model: line %d: %s is %s and cannot be assigned to."),
                               assignment->line, variable->name,
                               weir_role_describe (variable->role));
        }
    }
  weir_builder_check_delays (self);
  check_ticks (self);
  if (self->tick_equations->len > 0 && self->result->period == 0.0 && !self->has_failed)
    weir_builder_fail (
        self, "EQ08", g_array_index (self->tick_equations, WeirScalarEquation, 0).line,
        N_ ("Model: line %d: an equation in k needs a period; add a line such as 'sample 0.1'."),
        g_array_index (self->tick_equations, WeirScalarEquation, 0).line);
}
