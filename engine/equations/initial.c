/* The last step: values at the start.
 *
 * What must hold at the start are the equations of the model and the initial conditions; unknown
 * are the states and discrete variables too. A state without a condition starts at its guess, or
 * at 0, where that contradicts nothing. The system is ordered like the model's own and solved
 * block by block, with inputs at their defaults. A block that reads an input without default may
 * have no solution yet; then its unknowns keep their guesses.
 */
#include "equations/equations-private.h"

#include "equations/newton.h"
#include "equations/program.h"

#include <math.h>
#include <string.h>

typedef struct {
  double value;
  gboolean is_doubtful; /* depends on an input that is not known yet */
} Start;

typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *starts;  /* atom + 1 to Start, owned */
  GHashTable *guesses; /* atom + 1 to double, owned */
} Initialisation;

static void
set_start (Initialisation *self, WeirExpr atom, double value, gboolean is_doubtful)
{
  Start *start = g_new (Start, 1);

  *start = (Start) { value, is_doubtful };
  g_hash_table_replace (self->starts, GUINT_TO_POINTER (atom.i + 1), start);
}

static const Start *
get_start (const Initialisation *self, WeirExpr atom)
{
  return g_hash_table_lookup (self->starts, GUINT_TO_POINTER (atom.i + 1));
}

/* --- Evaluation ------------------------------------------------------------------------------- */

/* Outputs computed from atoms: the first @n_unknowns inputs are unknowns, the others known. */
typedef struct {
  WeirProgram *program;
  GArray *atoms;
  double *in;
  double *work;
  double *out;
  guint n_unknowns;
  const WeirEquationBlock *block;
  gboolean is_doubtful;
  gboolean is_missing; /* an atom has no value */
} Evaluation;

static void
evaluation_init (Evaluation *self, Initialisation *initialisation, const WeirExpr *outputs,
                 guint n_outputs, const WeirExpr *unknowns, guint n_unknowns)
{
  WeirExprPool *pool = initialisation->builder->pool;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (WeirExpr));

  memset (self, 0, sizeof *self);
  self->n_unknowns = n_unknowns;
  self->atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  if (n_unknowns > 0)
    g_array_append_vals (self->atoms, unknowns, n_unknowns);
  weir_expr_collect_atoms (pool, outputs, n_outputs, found);
  for (guint i = 0; i < found->len; i++)
    {
      WeirExpr atom = g_array_index (found, WeirExpr, i);
      gboolean is_unknown = FALSE;

      for (guint j = 0; j < n_unknowns; j++)
        is_unknown = is_unknown || weir_expr_equal (atom, unknowns[j]);
      if (!is_unknown)
        g_array_append_val (self->atoms, atom);
    }
  self->program = weir_program_new (pool, outputs, n_outputs, (WeirExpr *) self->atoms->data,
                                    self->atoms->len);
  self->in = g_new0 (double, self->atoms->len + 1);
  self->out = g_new0 (double, n_outputs + 1);
  self->work = g_new0 (double, weir_program_get_work_size (self->program));
  for (guint i = n_unknowns; i < self->atoms->len; i++)
    {
      const Start *start = get_start (initialisation, g_array_index (self->atoms, WeirExpr, i));

      self->is_missing = self->is_missing || start == NULL;
      self->is_doubtful = self->is_doubtful || start == NULL || start->is_doubtful;
      self->in[i] = start != NULL ? start->value : 0.0;
    }
}

static void
evaluation_clear (Evaluation *self)
{
  g_free (self->program);
  g_array_unref (self->atoms);
  g_free (self->in);
  g_free (self->work);
  g_free (self->out);
}

/* The outputs are the residuals, then the entries of the Jacobian. */
static void
calc_residual (gpointer data, const double *x, double *residuals, double *jacobian)
{
  Evaluation *self = data;
  const WeirJacobian *shape = self->block->jacobian;
  guint n = self->n_unknowns;

  memcpy (self->in, x, n * sizeof (double));
  weir_program_run (self->program, self->in, self->out, self->work);
  memcpy (residuals, self->out, n * sizeof (double));
  if (jacobian == NULL)
    return;
  memset (jacobian, 0, (gsize) n * n * sizeof (double));
  for (guint i = 0; i < n; i++)
    for (guint j = shape->first[i]; j < shape->first[i + 1]; j++)
      jacobian[i * n + shape->column[j]] = self->out[n + j];
}

static gboolean
get_guess (const Initialisation *self, WeirExpr atom, double *value)
{
  const double *guess = g_hash_table_lookup (self->guesses, GUINT_TO_POINTER (atom.i + 1));

  *value = guess != NULL ? *guess : 0.0;
  return guess != NULL;
}

static void
solve_block (Initialisation *self, WeirEquationBlock *block)
{
  WeirEquationsBuilder *builder = self->builder;
  guint n = block->n;
  Evaluation evaluation;

  if (block->value.i != WEIR_NO_EXPR.i)
    {
      evaluation_init (&evaluation, self, &block->value, 1, NULL, 0);
      weir_program_run (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      set_start (self, block->unknowns[0], evaluation.out[0], evaluation.is_doubtful);
    }
  else
    {
      guint n_entries = block->jacobian->first[n];
      g_autofree WeirExpr *outputs = g_new (WeirExpr, n + n_entries + 1);
      g_autofree double *work = g_new (double, weir_newton_get_work_size (n));
      g_autofree double *x = g_new (double, n);
      WeirNewtonOutcome outcome;

      memcpy (outputs, block->residuals, n * sizeof (WeirExpr));
      memcpy (outputs + n, block->jacobian->entry, n_entries * sizeof (WeirExpr));
      evaluation_init (&evaluation, self, outputs, n + n_entries, block->unknowns, n);
      evaluation.block = block;
      for (guint i = 0; i < n; i++)
        get_guess (self, block->unknowns[i], &x[i]);
      outcome = weir_newton_solve (calc_residual, &evaluation, n, x, block->is_linear, work);
      if (outcome != WEIR_NEWTON_CONVERGED && !evaluation.is_doubtful)
        {
          g_autofree char *name = weir_builder_dup_name (builder, block->unknowns[0]);
          double guess;

          get_guess (self, block->unknowns[0], &guess);
          weir_builder_fail (
              builder, "INI01", block->lines[0],
              "Initialization: no solution for %s%s was found from %s = %g (line %d): "
              "%s; give another guess.",
              name, n > 1 ? " and what depends on it" : "", name, guess, block->lines[0],
              weir_newton_outcome_to_string (outcome));
        }
      for (guint i = 0; i < n; i++)
        {
          if (outcome != WEIR_NEWTON_CONVERGED)
            get_guess (self, block->unknowns[i], &x[i]);
          set_start (self, block->unknowns[i], x[i], evaluation.is_doubtful);
        }
    }
  evaluation_clear (&evaluation);
}

/* --- The system at the start ------------------------------------------------------------------ */

static void
set_known (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  set_start (self, weir_expr_symbol (builder->pool, "t"), 0.0, FALSE);
  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (builder->result->variables, i);

      if ((variable->role != WEIR_ROLE_PARAMETER || variable->is_bound)
          && variable->role != WEIR_ROLE_INPUT)
        continue;
      for (guint j = 0; j < variable->size; j++)
        set_start (self, variable->elements[j], variable->value != NULL ? variable->value[j] : 0.0,
                   variable->value == NULL);
    }
}

/* Guesses are made of numbers, constants and parameters. */
static void
evaluate_guesses (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  for (guint i = 0; i < builder->guesses->len; i++)
    {
      const WeirScalarEquation *guess = &g_array_index (builder->guesses, WeirScalarEquation, i);
      Evaluation evaluation;
      const WeirVariable *variable = weir_builder_find_atom (builder, guess->left);

      if (!weir_expr_is_atom (builder->pool, guess->left) || variable == NULL)
        {
          weir_builder_fail (
              builder, "INI03", guess->line,
              "Initialization: line %d: a guess is of a variable, as in guess y = 1.", guess->line);
          continue;
        }
      evaluation_init (&evaluation, self, &guess->right, 1, NULL, 0);
      weir_program_run (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      if (evaluation.is_missing)
        weir_builder_fail (builder, "INI03", guess->line,
                           "Initialization: line %d: the guess of %s must be made of numbers, "
                           "constants and parameters.",
                           guess->line, variable->name);
      g_hash_table_replace (self->guesses, GUINT_TO_POINTER (guess->left.i + 1),
                            g_memdup2 (&evaluation.out[0], sizeof (double)));
      evaluation_clear (&evaluation);
    }
}

static void
add_unknown (const Initialisation *self, WeirExpr atom, guint variable, gboolean has_default,
             GArray *unknowns, GArray *equations)
{
  WeirUnknown unknown = { atom, variable };
  WeirScalarEquation start = { .left = atom, .is_default = TRUE };
  double guess;

  g_array_append_val (unknowns, unknown);
  if (!has_default)
    return;
  get_guess (self, atom, &guess);
  start.right = weir_expr_number (self->builder->pool, guess);
  g_array_append_val (equations, start);
}

static void
collect_system (const Initialisation *self, GArray *unknowns, GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  const WeirEquations *result = builder->result;

  g_array_append_vals (equations, builder->initials->data, builder->initials->len);
  g_array_append_vals (equations, builder->equations->data, builder->equations->len);
  for (guint i = 0; i < result->states->len; i++)
    {
      const WeirState *state = &g_array_index (result->states, WeirState, i);
      const WeirVariable *variable = g_ptr_array_index (result->variables, state->variable);

      add_unknown (self, state->atom, state->variable, TRUE, unknowns, equations);
      if (state->order == variable->order - 1)
        add_unknown (self, state->rate, state->variable, FALSE, unknowns, equations);
    }
  for (guint i = 0; i < result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (result->variables, i);
      gboolean is_discrete = variable->role == WEIR_ROLE_DISCRETE;

      if (variable->role != WEIR_ROLE_UNKNOWN && !is_discrete && !variable->is_bound)
        continue;
      for (guint j = 0; j < variable->size; j++)
        add_unknown (self, variable->elements[j], i, is_discrete, unknowns, equations);
    }
}

/* "x, y": what the conditions that are too many are about. */
static void
report_surplus_conditions (const Initialisation *self, const GArray *equations,
                           const GArray *unknowns, const WeirIncidence *incidence,
                           const guint *unknown_of, const guint *equation_of)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autofree gboolean *rows = g_new0 (gboolean, equations->len + 1);
  g_autofree gboolean *columns = g_new0 (gboolean, unknowns->len + 1);
  g_autoptr (GString) names = g_string_new (NULL);
  guint n_surplus = 0;
  int line = 0;

  weir_incidence_find_surplus (incidence, unknown_of, equation_of, rows, columns);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      gboolean is_condition = FALSE;

      if (!rows[i] || equation->is_default)
        continue;
      n_surplus += unknown_of[i] == WEIR_UNMATCHED;
      for (guint j = 0; j < builder->initials->len; j++)
        {
          const WeirScalarEquation *condition = &g_array_index (builder->initials,
                                                                WeirScalarEquation, j);

          is_condition = is_condition
                         || (condition->line == equation->line
                             && weir_expr_equal (condition->left, equation->left)
                             && weir_expr_equal (condition->right, equation->right));
        }
      if (!is_condition)
        continue;
      {
        g_autofree char *name = weir_builder_dup_name (builder, equation->left);

        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
        line = MAX (line, equation->line);
      }
    }
  weir_builder_fail (builder, "INI02", line, "Initialization: %u condition%s too many: %s.",
                     n_surplus, n_surplus == 1 ? "" : "s", names->str);
}

static void
order_start (Initialisation *self, GPtrArray *blocks)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GArray) unknowns = g_array_new (FALSE, FALSE, sizeof (WeirUnknown));
  g_autoptr (GArray) equations = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  g_autoptr (GArray) kept = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) ends = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *unknown_of = NULL;
  g_autofree guint *equation_of = NULL;
  WeirIncidence incidence;
  guint n_firm = 0, begin = 0;
  gboolean is_surplus = FALSE;

  collect_system (self, unknowns, equations);
  weir_builder_sort_equations (builder, equations);
  weir_builder_sort_unknowns (builder, unknowns);
  unknown_of = g_new (guint, equations->len + 1);
  equation_of = g_new (guint, unknowns->len + 1);
  for (guint i = 0; i < equations->len; i++)
    n_firm += !g_array_index (equations, WeirScalarEquation, i).is_default;
  weir_builder_find_incidence (builder, equations, unknowns, &incidence);
  weir_incidence_match (&incidence, n_firm, unknown_of, equation_of);
  for (guint i = 0; i < n_firm; i++)
    is_surplus = is_surplus || unknown_of[i] == WEIR_UNMATCHED;
  if (is_surplus)
    {
      report_surplus_conditions (self, equations, unknowns, &incidence, unknown_of, equation_of);
      weir_incidence_clear (&incidence);
      return;
    }

  /* Defaults that contradict a condition go. */
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      const WeirVariable *variable;
      double guess;

      if (unknown_of[i] == WEIR_UNMATCHED)
        continue;
      g_array_append_val (kept, *equation);
      if (!equation->is_default || get_guess (self, equation->left, &guess))
        continue;
      variable = weir_builder_find_atom (builder, equation->left);
      {
        g_autofree char *name = weir_builder_dup_name (builder, equation->left);

        weir_report_add (builder->report, WEIR_SEVERITY_WARNING, "INI03", variable->line,
                         "Initialization: %s has no initial value and starts at 0; write 'initial "
                         "%s = ...'.",
                         name, name);
      }
    }
  weir_incidence_clear (&incidence);
  weir_builder_find_incidence (builder, kept, unknowns, &incidence);
  weir_incidence_match (&incidence, kept->len, unknown_of, equation_of);
  weir_incidence_find_blocks (&incidence, unknown_of, equation_of, order, ends);
  weir_incidence_clear (&incidence);
  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      WeirEquationBlock *block = weir_builder_make_block (builder, kept, unknowns, unknown_of,
                                                          &g_array_index (order, guint, begin),
                                                          end - begin, "Initialization");

      if (block != NULL)
        g_ptr_array_add (blocks, block);
      begin = end;
    }
}

/* --- Results ---------------------------------------------------------------------------------- */

/* A nonlinear block starts each solution from the values at the start. */
static void
take_guesses (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  for (guint i = 0; i < builder->result->blocks->len; i++)
    {
      WeirEquationBlock *block = g_ptr_array_index (builder->result->blocks, i);

      for (guint j = 0; block->guess != NULL && j < block->n; j++)
        {
          const Start *start = get_start (self, block->unknowns[j]);
          double guess;

          if (!get_guess (self, block->unknowns[j], &guess) && !block->is_linear)
            {
              g_autofree char *name = weir_builder_dup_name (builder, block->unknowns[j]);

              weir_report_add (
                  builder->report, WEIR_SEVERITY_WARNING, "INI03", block->lines[0],
                  "Initialization: there is no guess for %s, which line %d determines; "
                  "it is sought from 0. Write 'guess %s = ...'.",
                  name, block->lines[0], name);
            }
          block->guess[j] = start != NULL && isfinite (start->value) ? start->value : guess;
        }
    }
}

static void
take_starts (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;
  WeirEquations *result = builder->result;

  for (guint i = 0; i < result->states->len; i++)
    {
      WeirState *state = &g_array_index (result->states, WeirState, i);
      const WeirVariable *variable = g_ptr_array_index (result->variables, state->variable);
      const Start *start = get_start (self, state->atom);
      g_autofree char *name = weir_builder_dup_name (builder, state->atom);

      state->initial = start != NULL ? start->value : 0.0;
      if (!isfinite (state->initial))
        weir_builder_fail (builder, "INI01", variable->line,
                           "Initialization: the initial value of %s is %g.", name, state->initial);
      else if (start != NULL && start->is_doubtful)
        weir_report_add (builder->report, WEIR_SEVERITY_WARNING, "INI03", variable->line,
                         "Initialization: the initial value of %s depends on an input, which is "
                         "taken as 0.",
                         name);
    }
  for (guint i = 0; i < result->relations->len; i++)
    {
      WeirRelation *relation = &g_array_index (result->relations, WeirRelation, i);
      Evaluation evaluation;

      evaluation_init (&evaluation, self, &relation->value, 1, NULL, 0);
      weir_program_run (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      relation->initial = evaluation.out[0];
      evaluation_clear (&evaluation);
    }
  for (guint i = 0; i < result->variables->len; i++)
    {
      WeirVariable *variable = g_ptr_array_index (result->variables, i);

      if (variable->value != NULL || variable->role == WEIR_ROLE_INPUT)
        continue;
      variable->value = g_new0 (double, variable->size + 1);
      for (guint j = 0; j < variable->size; j++)
        {
          const Start *start = get_start (self, variable->elements[j]);

          variable->value[j] = start != NULL ? start->value : 0.0;
        }
    }
}

void
weir_builder_initialise (WeirEquationsBuilder *builder)
{
  Initialisation self = { .builder = builder };
  g_autoptr (GPtrArray)
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_equation_block_free);

  self.starts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.guesses = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  set_known (&self);
  evaluate_guesses (&self);
  if (!builder->has_failed)
    order_start (&self, blocks);
  for (guint i = 0; i < blocks->len && !builder->has_failed; i++)
    solve_block (&self, g_ptr_array_index (blocks, i));
  if (!builder->has_failed)
    {
      take_guesses (&self);
      take_starts (&self);
    }
  g_hash_table_unref (self.starts);
  g_hash_table_unref (self.guesses);
}
