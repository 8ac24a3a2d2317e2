/* The last step: values at the start.
 *
 * What must hold at the start are the equations of the model and the initial conditions; unknown
 * are the states and discrete variables too. A state without a condition starts at its guess, or
 * at 0, where that contradicts nothing. The system is ordered like the model's own and solved
 * block by block, with inputs at their defaults. A block that reads an input without default may
 * have no solution yet; then its unknowns keep their guesses.
 */
#include "equations/equations-private.h"

#include "equations/program.h"
#include "equations/search.h"

#include <math.h>
#include <string.h>

#define MAX_NAMED 10   /* unknowns in one message */
#define AGREEMENT 1e-9 /* relative: of conditions that are more than needed */

typedef struct {
  double value;
  gboolean is_doubtful; /* depends on an input that is not known yet */
} Start;

typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *starts;    /* atom + 1 to Start, owned */
  GHashTable *guesses;   /* atom + 1 to double, owned */
  GPtrArray *overridden; /* of WeirScalarEquation: guesses that won over others */
  GArray *surplus;       /* of WeirScalarEquation: conditions beyond what is needed */
  char *surplus_names;   /* what they are about, or NULL */
  int surplus_line;
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

/* --- Evaluation ------------------------------------------------------------------------------ */

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

static void
set_guess (Initialisation *self, WeirExpr atom, double value)
{
  g_hash_table_replace (self->guesses, GUINT_TO_POINTER (atom.i + 1),
                        g_memdup2 (&value, sizeof value));
}

static gboolean
get_guess (const Initialisation *self, WeirExpr atom, double *value)
{
  const double *guess = g_hash_table_lookup (self->guesses, GUINT_TO_POINTER (atom.i + 1));

  *value = guess != NULL ? *guess : 0.0;
  return guess != NULL;
}

/* Names what was sought, from where, and the equation that is worst at @x, where the
 * search ended. */
static void
fail_block (Initialisation *self, const WeirEquationBlock *block, Evaluation *evaluation,
            const double *x, WeirNewtonOutcome outcome)
{
  g_autoptr (GString) from = g_string_new (NULL);
  guint worst = 0;

  for (guint i = 0; i < block->n && i < MAX_NAMED; i++)
    {
      g_autofree char *name = weir_builder_dup_name (self->builder, block->unknowns[i]);
      double guess;

      get_guess (self, block->unknowns[i], &guess);
      g_string_append_printf (from, "%s%s = %g", i > 0 ? ", " : "", name, guess);
    }
  if (block->n > MAX_NAMED)
    g_string_append_printf (from, " and %u more", block->n - MAX_NAMED);
  memcpy (evaluation->in, x, block->n * sizeof (double));
  weir_program_run (evaluation->program, evaluation->in, evaluation->out, evaluation->work);
  for (guint i = 1; i < block->n; i++)
    if (!(fabs (evaluation->out[i]) <= fabs (evaluation->out[worst])))
      worst = i;
  weir_builder_fail (
      self->builder, "INI01", block->lines[worst],
      "Initialization: no solution was found from %s: %s; line %d is off by %g. Give "
      "another guess.",
      from->str, weir_newton_outcome_to_string (outcome), block->lines[worst],
      evaluation->out[worst]);
}

static void
solve_block (Initialisation *self, WeirEquationBlock *block)
{
  guint n = block->n;
  Evaluation evaluation;

  if (block->value.i != WEIR_NO_EXPR.i
      && weir_expr_get_op (self->builder->pool, block->value) == WEIR_OP_NUMBER)
    set_start (self, block->unknowns[0], weir_expr_get_number (self->builder->pool, block->value),
               FALSE);
  else if (block->value.i != WEIR_NO_EXPR.i)
    {
      evaluation_init (&evaluation, self, &block->value, 1, NULL, 0);
      weir_program_run (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      set_start (self, block->unknowns[0], evaluation.out[0], evaluation.is_doubtful);
      evaluation_clear (&evaluation);
    }
  else
    {
      guint n_entries = block->jacobian->first[n];
      g_autofree WeirExpr *outputs = g_new (WeirExpr, n + n_entries + 1);
      g_autofree double *x = g_new (double, n);
      WeirNewtonOutcome outcome;

      memcpy (outputs, block->residuals, n * sizeof (WeirExpr));
      memcpy (outputs + n, block->jacobian->entry, n_entries * sizeof (WeirExpr));
      evaluation_init (&evaluation, self, outputs, n + n_entries, block->unknowns, n);
      evaluation.block = block;
      for (guint i = 0; i < n; i++)
        get_guess (self, block->unknowns[i], &x[i]);
      outcome = weir_search_solve (calc_residual, &evaluation, n, x, block->is_linear);
      if (outcome != WEIR_NEWTON_CONVERGED && !evaluation.is_doubtful)
        {
          fail_block (self, block, &evaluation, x, outcome);
        }
      for (guint i = 0; i < n; i++)
        {
          if (outcome != WEIR_NEWTON_CONVERGED)
            get_guess (self, block->unknowns[i], &x[i]);
          set_start (self, block->unknowns[i], x[i], evaluation.is_doubtful);
        }
      evaluation_clear (&evaluation);
    }
}

/* --- The system at the start ----------------------------------------------------------------- */

static void
set_known (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;

  set_start (self, weir_expr_symbol (builder->pool, "t"), 0.0, FALSE);
  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (builder->result->variables, i);

      if ((variable->role != WEIR_ROLE_PARAMETER || variable->is_bound || variable->is_solved)
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

  for (guint i = 0; i < builder->result->variables->len; i++)
    {
      const WeirVariable *variable = g_ptr_array_index (builder->result->variables, i);

      for (guint j = 0; variable->is_solved && j < variable->size; j++)
        set_guess (self, variable->elements[j], variable->value[j]);
    }
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
      set_guess (self, guess->left, evaluation.out[0]);
      if (guess->has_own)
        g_ptr_array_add (self->overridden, (gpointer) guess);
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

/* At the start Initial (x) is x. */
static WeirExpr
replace_initial (WeirExprPool *pool, WeirExpr part, G_GNUC_UNUSED gpointer data)
{
  if (weir_expr_get_op (pool, part) == WEIR_OP_INITIAL)
    return weir_expr_get_arg (pool, part, 0);
  return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
}

static void
collect_system (const Initialisation *self, GArray *unknowns, GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  const WeirEquations *result = builder->result;

  g_array_append_vals (equations, builder->initials->data, builder->initials->len);
  g_array_append_vals (equations, builder->equations->data, builder->equations->len);
  g_array_append_vals (equations, builder->reduced->data, builder->reduced->len);
  weir_builder_add_delayed_starts (builder, equations);
  for (guint i = 0; i < equations->len; i++)
    {
      WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      equation->left = weir_expr_replace (builder->pool, equation->left, replace_initial, NULL,
                                          NULL);
      equation->right = weir_expr_replace (builder->pool, equation->right, replace_initial, NULL,
                                           NULL);
    }
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

      if (variable->role != WEIR_ROLE_UNKNOWN && variable->role != WEIR_ROLE_DELAYED && !is_discrete
          && !variable->is_bound && !variable->is_solved)
        continue;
      for (guint j = 0; j < variable->size; j++)
        add_unknown (self, variable->elements[j], i, is_discrete, unknowns, equations);
    }
  weir_builder_add_start_rates (builder, equations, unknowns);
}

/* "x, y": what the conditions that are too many are about; @line: the last of them. */
static char *
name_surplus_conditions (const Initialisation *self, const GArray *equations,
                         const GArray *unknowns, const WeirIncidence *incidence,
                         const guint *unknown_of, const guint *equation_of, int *line)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autofree gboolean *rows = g_new0 (gboolean, equations->len + 1);
  g_autofree gboolean *columns = g_new0 (gboolean, unknowns->len + 1);
  GString *names = g_string_new (NULL);

  weir_incidence_find_surplus (incidence, unknown_of, equation_of, rows, columns);
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);
      g_autofree char *name = NULL;

      if (!rows[i] || !equation->is_initial)
        continue;
      name = weir_builder_dup_name (builder, equation->left);
      g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", name);
      *line = MAX (*line, equation->line);
    }
  return g_string_free (names, FALSE);
}

/* Parameters to be solved for that nothing determines. */
static void
report_missing_conditions (const Initialisation *self, const GArray *unknowns,
                           const guint *equation_of)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int line = 0;

  for (guint i = 0; i < unknowns->len; i++)
    {
      const WeirUnknown *unknown = &g_array_index (unknowns, WeirUnknown, i);

      if (equation_of[i] != WEIR_UNMATCHED)
        continue;
      line = ((WeirVariable *) g_ptr_array_index (self->builder->result->variables,
                                                  unknown->variable))
                 ->line;
      g_ptr_array_add (names, weir_builder_dup_name (self->builder, unknown->atom));
    }
  g_ptr_array_add (names, NULL);
  {
    g_autofree char *list = weir_text_enumerate ((const char *const *) names->pdata);

    weir_builder_fail (self->builder, "INI02", line,
                       "Initialization: %u condition%s too few: %s %s not determined.",
                       names->len - 1, names->len == 2 ? "" : "s", list,
                       names->len == 2 ? "is" : "are");
  }
}

static void
note_start (Initialisation *self, WeirExpr atom, guint place, const WeirScalarEquation *equation,
            guint n_together)
{
  WeirStart start = { .atom = atom,
                      .left = equation->left,
                      .right = equation->right,
                      .line = equation->is_default ? 0 : equation->line,
                      .n_together = n_together };

  start.is_given = equation->is_initial && weir_expr_equal (equation->left, atom);
  start.is_guessed = get_guess (self, atom, &start.guess);
  start.has_own = start.is_given && equation->has_own;
  start.own = equation->own;
  for (guint i = 0; i < self->overridden->len; i++)
    {
      const WeirScalarEquation *guess = g_ptr_array_index (self->overridden, i);

      if (!weir_expr_equal (guess->left, atom))
        continue;
      start.has_own_guess = TRUE;
      start.own_guess = guess->own;
    }
  g_array_index (self->builder->result->starts, WeirStart, place) = start;
}

/* A state without a condition starts at its guess or 0; 0 is told, as nobody chose it: once for an
 * array, whose elements follow each other in @equations. */
static void
warn_of_defaults (const Initialisation *self, const GArray *equations)
{
  WeirEquationsBuilder *builder = self->builder;
  g_autoptr (GArray) atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  const WeirVariable *last = NULL;
  guint last_depth = 0;

  for (guint i = 0; i <= equations->len; i++)
    {
      const WeirScalarEquation *equation = i < equations->len
                                               ? &g_array_index (equations, WeirScalarEquation, i)
                                               : NULL;
      const WeirVariable *variable = NULL;
      guint depth = 0;
      double guess;

      if (equation != NULL && (!equation->is_default || get_guess (self, equation->left, &guess)))
        continue;
      if (equation != NULL)
        {
          variable = weir_builder_find_atom (builder, equation->left);
          for (WeirExpr e = equation->left; weir_expr_get_op (builder->pool, e) == WEIR_OP_DER;
               e = weir_expr_get_arg (builder->pool, e, 0))
            depth++;
        }
      if (atoms->len > 0 && (variable != last || depth != last_depth))
        {
          const WeirExpr *first = (const WeirExpr *) atoms->data;
          g_autofree char *names = weir_builder_enumerate_atoms (builder, first, atoms->len);
          g_autofree char *name = weir_builder_dup_name (builder, first[0]);

          weir_report_add (builder->report, WEIR_SEVERITY_WARNING, "INI03", last->line,
                           "Initialization: %s %s no initial value and start%s at 0; write "
                           "'initial %s = ...'.",
                           names, atoms->len == 1 ? "has" : "have", atoms->len == 1 ? "s" : "",
                           name);
          g_array_set_size (atoms, 0);
        }
      if (equation != NULL)
        g_array_append_val (atoms, equation->left);
      last = variable;
      last_depth = depth;
    }
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
  guint n_firm = 0, n_pairs, begin = 0;

  collect_system (self, unknowns, equations);
  weir_builder_sort_equations (builder, equations);
  weir_builder_sort_unknowns (builder, unknowns);
  unknown_of = g_new (guint, equations->len + 1);
  equation_of = g_new (guint, unknowns->len + 1);
  for (guint i = 0; i < equations->len; i++)
    n_firm += !g_array_index (equations, WeirScalarEquation, i).is_default;
  weir_builder_find_incidence (builder, equations, unknowns, &incidence);
  weir_incidence_match (&incidence, n_firm, unknown_of, equation_of);

  /* What contradicts a condition goes: another condition, to be looked at again when the rest is
   * solved, or a default. */
  for (guint i = 0; i < equations->len; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (equations, WeirScalarEquation, i);

      if (unknown_of[i] == WEIR_UNMATCHED)
        {
          if (!equation->is_default)
            g_array_append_val (self->surplus, *equation);
          continue;
        }
      g_array_append_val (kept, *equation);
    }
  warn_of_defaults (self, kept);
  if (self->surplus->len > 0)
    self->surplus_names = name_surplus_conditions (self, equations, unknowns, &incidence,
                                                   unknown_of, equation_of, &self->surplus_line);
  weir_incidence_clear (&incidence);
  weir_builder_find_incidence (builder, kept, unknowns, &incidence);
  n_pairs = weir_incidence_match (&incidence, kept->len, unknown_of, equation_of);
  if (n_pairs < unknowns->len)
    {
      report_missing_conditions (self, unknowns, equation_of);
      weir_incidence_clear (&incidence);
      return;
    }
  weir_incidence_find_blocks (&incidence, unknown_of, equation_of, order, ends);
  weir_incidence_clear (&incidence);
  g_array_set_size (builder->result->starts, unknowns->len);
  for (guint i = 0; i < ends->len; i++)
    {
      guint end = g_array_index (ends, guint, i);
      const guint *rows = &g_array_index (order, guint, begin);
      WeirGroup group = { kept, unknowns, unknown_of, rows, end - begin };

      weir_builder_add_group (builder, &group, "Initialization", blocks);
      for (guint j = 0; j < end - begin; j++)
        note_start (self, g_array_index (unknowns, WeirUnknown, unknown_of[rows[j]]).atom,
                    unknown_of[rows[j]], &g_array_index (kept, WeirScalarEquation, rows[j]),
                    end - begin);
      begin = end;
    }
}

/* Conditions beyond what is needed must agree with what was found from the others. */
static void
check_surplus (Initialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;
  guint n = self->surplus->len;
  g_autoptr (GString) misses = g_string_new (NULL);
  gboolean is_doubtful = FALSE;

  for (guint i = 0; i < n; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (self->surplus, WeirScalarEquation, i);
      WeirExpr sides[2] = { equation->left, equation->right };
      Evaluation evaluation;
      double miss;

      evaluation_init (&evaluation, self, sides, 2, NULL, 0);
      weir_program_run (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      miss = evaluation.out[0] - evaluation.out[1];
      if (!(fabs (miss) <= AGREEMENT * (fabs (evaluation.out[0]) + fabs (evaluation.out[1]))))
        g_string_append_printf (misses, "%s line %d misses by %g",
                                misses->len > 0 ? "," : "; with the others", equation->line, miss);
      is_doubtful = is_doubtful || evaluation.is_doubtful;
      evaluation_clear (&evaluation);
    }
  builder->result->n_surplus = n;
  if (misses->len > 0)
    weir_builder_fail (builder, "INI02", self->surplus_line,
                       "Initialization: %u condition%s too many: %s%s.", n, n == 1 ? "" : "s",
                       self->surplus_names, misses->str);
  else if (n > 0)
    weir_report_add (builder->report, WEIR_SEVERITY_WARNING, "INI02", self->surplus_line,
                     "Initialization: %u condition%s too many: %s; they agree%s.", n,
                     n == 1 ? "" : "s", self->surplus_names,
                     is_doubtful ? " with the inputs at 0" : "");
}

/* --- Results --------------------------------------------------------------------------------- */

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
  for (guint i = 0; i < result->starts->len; i++)
    {
      WeirStart *row = &g_array_index (result->starts, WeirStart, i);
      const Start *start = get_start (self, row->atom);

      row->value = start != NULL ? start->value : 0.0;
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

      if ((variable->value != NULL && !variable->is_solved) || variable->role == WEIR_ROLE_INPUT)
        continue;
      if (variable->value == NULL)
        variable->value = g_new0 (double, variable->size + 1);
      for (guint j = 0; j < variable->size; j++)
        {
          const Start *start = get_start (self, variable->elements[j]);

          variable->value[j] = start != NULL ? start->value : 0.0;
        }
    }
}

/* From then on Initial (x) is a number. */
static WeirExpr
fix_initial (WeirExprPool *pool, WeirExpr part, gpointer data)
{
  const Initialisation *self = data;
  const Start *start;

  if (weir_expr_get_op (pool, part) != WEIR_OP_INITIAL)
    return weir_expr_is_atom (pool, part) ? part : WEIR_NO_EXPR;
  start = get_start (self, weir_expr_get_arg (pool, part, 0));
  return weir_expr_number (pool, start != NULL ? start->value : 0.0);
}

static void
fix (Initialisation *self, WeirExpr *e)
{
  if (e->i != WEIR_NO_EXPR.i)
    *e = weir_expr_replace (self->builder->pool, *e, fix_initial, self, NULL);
}

static void
fix_initials (Initialisation *self)
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

/* Does any equation or condition read Initial (x)? */
static gboolean
reads_initial (WeirExprPool *pool)
{
  for (guint32 i = 0; i < weir_expr_pool_get_size (pool); i++)
    if (weir_expr_get_op (pool, (WeirExpr) { i }) == WEIR_OP_INITIAL)
      return TRUE;
  return FALSE;
}

void
weir_builder_initialise (WeirEquationsBuilder *builder)
{
  Initialisation self = { .builder = builder };
  g_autoptr (GPtrArray)
      blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_equation_block_free);

  self.starts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.guesses = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self.overridden = g_ptr_array_new ();
  self.surplus = g_array_new (FALSE, FALSE, sizeof (WeirScalarEquation));
  set_known (&self);
  evaluate_guesses (&self);
  if (!builder->has_failed)
    order_start (&self, blocks);
  for (guint i = 0; i < blocks->len && !builder->has_failed; i++)
    solve_block (&self, g_ptr_array_index (blocks, i));
  if (!builder->has_failed)
    check_surplus (&self);
  if (!builder->has_failed)
    {
      take_guesses (&self);
      if (reads_initial (builder->pool))
        fix_initials (&self);
      take_starts (&self);
    }
  g_hash_table_unref (self.starts);
  g_hash_table_unref (self.guesses);
  g_ptr_array_unref (self.overridden);
  g_array_unref (self.surplus);
  g_free (self.surplus_names);
}
