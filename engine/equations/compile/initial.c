/* The last step: values at the start.
 *
 * What must hold at the start are the equations of the model and the initial conditions; unknown
 * are the states and discrete variables too. A state without a condition starts at its guess, or
 * at 0, where that contradicts nothing. The system is ordered like the model's own and solved
 * block by block, with inputs at their defaults. A block that reads an input without default may
 * have no solution yet; then its unknowns keep their guesses.
 */
#include "equations/compile/initial-private.h"

#include "base/text.h"

#include <math.h>

static void
set_known (WeirInitialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  weir_initialisation_set_start (self, weir_expr_symbol (builder->pool, "t"), 0.0, 0, FALSE);
  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (builder->result->variables, i);

      if ((variable->role != WEIR_ROLE_PARAMETER || variable->is_bound || variable->is_solved)
          && variable->role != WEIR_ROLE_INPUT)
        continue;
      for (guint j = 0; j < variable->size; j++)
        weir_initialisation_set_start (self, variable->elements[j],
                                       variable->value != NULL ? variable->value[j] : 0.0, 0,
                                       variable->value == NULL);
    }
}

/* Guesses are made of numbers, constants and parameters. */
static void
evaluate_guesses (WeirInitialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (builder->result->variables, i);

      for (guint j = 0; variable->is_solved && j < variable->size; j++)
        weir_initialisation_set_guess (self, variable->elements[j], variable->value[j]);
    }
  for (guint i = 0; i < builder->guesses->len; i++)
    {
      const WeirScalarEquation *guess = &g_array_index (builder->guesses, WeirScalarEquation, i);
      WeirEvaluation evaluation;
      const WeirVariable *variable = weir_builder_find_atom (builder, guess->left);

      if (!weir_expr_is_atom (builder->pool, guess->left) || variable == NULL)
        {
          weir_builder_fail (
              builder, "INI03", guess->line,
              N_ ("Initialization: line %d: a guess is of a variable, as in guess y = 1."),
              guess->line);
          continue;
        }
      weir_evaluation_init (&evaluation, self, &guess->right, 1, NULL, 0);
      weir_program_execute (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      if (evaluation.is_missing)
        weir_builder_fail (builder, "INI03", guess->line,
                           N_ ("Initialization: line %d: the guess of %s must be made of numbers, "
                               "constants and parameters."),
                           guess->line, variable->name);
      weir_initialisation_set_guess (self, guess->left, evaluation.out[0]);
      if (guess->has_own)
        g_ptr_array_add (self->overridden, (gpointer) guess);
      weir_evaluation_clear (&evaluation);
    }
}

/* Elements of a variable that are sought without a guess. */
typedef struct {
  GArray *atoms; /* of WeirExpr */
  int line;      /* of the equation that determines the first */
} Unguessed;

static void
note_unguessed (const WeirEquationsBuilder *builder, WeirExpr atom, int line,
                GHashTable *of_variable)
{
  WeirVariable *variable = weir_builder_find_atom (builder, atom);
  Unguessed *mine = g_hash_table_lookup (of_variable, variable);

  if (mine == NULL)
    {
      mine = g_new (Unguessed, 1);
      mine->atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
      mine->line = line;
      g_hash_table_insert (of_variable, variable, mine);
    }
  g_array_append_val (mine->atoms, atom);
}

/* Takes @unguessed. */
static void
report_unguessed (const WeirEquationsBuilder *builder, Unguessed *unguessed)
{
  const WeirExpr *atoms = (const WeirExpr *) unguessed->atoms->data;
  guint n = unguessed->atoms->len;
  g_autoptr (WeirMessage) names = weir_builder_enumerate_atoms (builder, atoms, n);
  g_autofree char *first = weir_builder_dup_name (builder, atoms[0]);

  weir_report_add (
      builder->report, WEIR_SEVERITY_WARNING, "INI03", unguessed->line,
      n == 1 ? N_ ("Initialization: there is no guess for %s, which line %d determines; it is "
                   "sought from 0. Write 'guess %s = ...'.")
             : N_ ("Initialization: there is no guess for %s, which line %d determines; they are "
                   "sought from 0. Write 'guess %s = ...'."),
      weir_message_get_text (names), unguessed->line, first);
  g_array_unref (unguessed->atoms);
  g_free (unguessed);
}

/* A nonlinear block starts each solution from the values at the start. */
static void
take_guesses (WeirInitialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GHashTable) unguessed = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < builder->result->blocks->len; i++)
    {
      WeirEquationBlock *block = g_ptr_array_index (builder->result->blocks, i);

      for (guint j = 0; block->guess != NULL && j < block->n; j++)
        {
          const WeirStartValue *start = weir_initialisation_get_start (self, block->unknowns[j]);
          double guess;

          if (!weir_initialisation_get_guess (self, block->unknowns[j], &guess)
              && !block->is_linear)
            note_unguessed (builder, block->unknowns[j], block->lines[0], unguessed);
          block->guess[j] = start != NULL && isfinite (start->value) ? start->value : guess;
        }
    }
  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      Unguessed *mine = g_hash_table_lookup (unguessed,
                                             g_ptr_array_index (builder->result->variables, i));

      if (mine != NULL)
        report_unguessed (builder, mine);
    }
}

static void
take_starts (WeirInitialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirEquations *result = builder->result;

  for (guint i = 0; i < result->states->len; i++)
    {
      WeirState *state = &g_array_index (result->states, WeirState, i);
      const WeirVariable *variable = g_ptr_array_index (result->variables, state->variable);
      const WeirStartValue *start = weir_initialisation_get_start (self, state->atom);
      g_autofree char *name = weir_builder_dup_name (builder, state->atom);

      state->initial = start != NULL ? start->value : 0.0;
      if (!isfinite (state->initial))
        weir_builder_fail (builder, "INI01", start->line,
                           N_ ("Initialization: the initial value of %s is %g by line %d; start "
                               "elsewhere, or write 'initial %s = ...'."),
                           name, isnan (state->initial) ? (double) NAN : state->initial,
                           start->line, name);
      else if (start != NULL && start->is_doubtful)
        weir_report_add (
            builder->report, WEIR_SEVERITY_WARNING, "INI03", variable->line,
            N_ ("Initialization: the initial value of %s depends on an input, which is "
                "taken as 0."),
            name);
    }
  for (guint i = 0; i < result->starts->len; i++)
    {
      WeirStart *row = &g_array_index (result->starts, WeirStart, i);
      const WeirStartValue *start = weir_initialisation_get_start (self, row->atom);

      row->value = start != NULL ? start->value : 0.0;
    }
  for (guint i = 0; i < result->relations->len; i++)
    {
      WeirRelation *relation = &g_array_index (result->relations, WeirRelation, i);
      WeirEvaluation evaluation;

      weir_evaluation_init (&evaluation, self, &relation->value, 1, NULL, 0);
      weir_program_execute (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      relation->initial = evaluation.out[0];
      weir_evaluation_clear (&evaluation);
    }
  for (guint i = 0; i < result->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (result->variables, i);

      if ((variable->value != NULL && !variable->is_solved) || variable->role == WEIR_ROLE_INPUT)
        continue;
      if (variable->value == NULL)
        variable->value = g_new0 (double, variable->size + 1);
      for (guint j = 0; j < variable->size; j++)
        {
          const WeirStartValue *start = weir_initialisation_get_start (self, variable->elements[j]);

          variable->value[j] = start != NULL ? start->value : 0.0;
        }
    }
}

/* From then on Initial (x) is a number. */
static WeirExpr
fix_initial (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const WeirInitialisation *self = data;
  const WeirStartValue *start;

  if (weir_expr_get_op (pool, part) != WEIR_OP_INITIAL)
    return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
  start = weir_initialisation_get_start (self, weir_expr_get_arg (pool, part, 0));
  return weir_expr_number (pool, start != NULL ? start->value : 0.0);
}

static void
fix (WeirInitialisation *self, WeirExpr *e)
{
  if (e->i != WEIR_NO_EXPR.i)
    *e = weir_expr_replace (self->builder->pool, *e, fix_initial, self, NULL);
}

static void
fix_initials (WeirInitialisation *self)
{
  WeirEquations *result = self->builder->result;
  GPtrArray *parts[] = { result->blocks, result->tick_blocks };

  for (guint p = 0; p < G_N_ELEMENTS (parts); p++)
    for (guint i = 0; i < parts[p]->len; i++)
      {
        WeirEquationBlock *block = g_ptr_array_index (parts[p], i);

        fix (self, &block->value);
        for (guint j = 0; block->residuals != NULL && j < block->n; j++)
          fix (self, &block->residuals[j]);
        for (guint j = 0; block->jacobian != NULL && j < block->jacobian->first[block->n]; j++)
          fix (self, &block->jacobian->entry[j]);
      }
  for (guint i = 0; i < result->events->len; i++)
    {
      WeirEvent *event = g_ptr_array_index (result->events, i);

      fix (self, &event->crossing);
      for (guint j = 0; j < event->assignments->len; j++)
        fix (self, &g_array_index (event->assignments, WeirAssignment, j).value);
    }
  for (guint i = 0; i < result->relations->len; i++)
    {
      fix (self, &g_array_index (result->relations, WeirRelation, i).value);
      fix (self, &g_array_index (result->relations, WeirRelation, i).crossing);
    }
  for (guint i = 0; i < result->delays->len; i++)
    {
      WeirDelay *delay = &g_array_index (result->delays, WeirDelay, i);

      fix (self, &delay->value);
      fix (self, &delay->time);
      fix (self, &delay->history);
    }
  for (guint i = 0; i < result->kinks->len; i++)
    fix (self, &g_array_index (result->kinks, WeirExpr, i));
  for (guint i = 0; i < result->assertions->len; i++)
    fix (self, &((WeirAssertion *) g_ptr_array_index (result->assertions, i))->condition);
}

void
weir_builder_initialise (WeirEquationsBuilder *builder)
{
  WeirInitialisation self = { .builder = builder };
  g_autoptr (GPtrArray)
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_equation_block_free);

  self.starts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.guesses = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.overridden = g_ptr_array_new ();
  self.surplus = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  set_known (&self);
  evaluate_guesses (&self);
  if (!builder->has_failed)
    weir_initialisation_order (&self, blocks);
  for (guint i = 0; i < blocks->len && !builder->has_failed; i++)
    weir_initialisation_solve_block (&self, g_ptr_array_index (blocks, i));
  if (!builder->has_failed)
    weir_initialisation_check_surplus (&self);
  if (!builder->has_failed)
    {
      take_guesses (&self);
      if (weir_expr_pool_has_op (builder->pool, WEIR_OP_INITIAL))
        fix_initials (&self);
      take_starts (&self);
    }
  g_hash_table_unref (self.starts);
  g_hash_table_unref (self.guesses);
  g_ptr_array_unref (self.overridden);
  g_array_unref (self.surplus);
  weir_message_unref (self.surplus_names);
}
