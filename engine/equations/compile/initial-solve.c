/* Values at the start, block by block: what is known, what is guessed, and the search for the
 * rest. */
#include "equations/compile/initial-private.h"
#include "base/phrase.h"
#include "base/text.h"
#include "numerics/search.h"

#include <math.h>
#include <string.h>

#define MAX_NAMED 10   /* unknowns in one message */
#define AGREEMENT 1e-9 /* relative: of conditions that are more than needed */

void
weir_initialisation_set_start (WeirInitialisation *self, WeirExpr atom, double value, int line,
                               gboolean is_doubtful)
{
  WeirStartValue *start = g_new (WeirStartValue, 1);

  *start = (WeirStartValue) { value, line, is_doubtful };
  g_hash_table_replace (self->starts, GUINT_TO_POINTER (atom.i + 1), start);
}

const WeirStartValue *
weir_initialisation_get_start (const WeirInitialisation *self, WeirExpr atom)
{
  return g_hash_table_lookup (self->starts, GUINT_TO_POINTER (atom.i + 1));
}

void
weir_initialisation_set_guess (WeirInitialisation *self, WeirExpr atom, double value)
{
  g_hash_table_replace (self->guesses, GUINT_TO_POINTER (atom.i + 1),
                        g_memdup2 (&value, sizeof value));
}

gboolean
weir_initialisation_get_guess (const WeirInitialisation *self, WeirExpr atom, double *value)
{
  const double *guess = g_hash_table_lookup (self->guesses, GUINT_TO_POINTER (atom.i + 1));

  *value = guess != NULL ? *guess : 0.0;
  return guess != NULL;
}

void
weir_evaluation_init (WeirEvaluation *self, WeirInitialisation *initialisation,
                      const WeirExpr *outputs, guint n_outputs, const WeirExpr *unknowns,
                      guint n_unknowns)
{
  WeirExprPool *pool = initialisation->builder->pool;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  g_autoptr (GHashTable) is_unknown = g_hash_table_new (NULL, NULL);

  memset (self, 0, sizeof *self);
  self->n_unknowns = n_unknowns;
  self->atoms = g_array_new (FALSE, FALSE, sizeof (WeirExpr));
  if (n_unknowns > 0)
    g_array_append_vals (self->atoms, unknowns, n_unknowns);
  weir_expr_collect_atoms (pool, outputs, n_outputs, found);
  for (guint i = 0; i < n_unknowns; i++)
    g_hash_table_add (is_unknown, GUINT_TO_POINTER (unknowns[i].i + 1));
  for (guint i = 0; i < found->len; i++)
    {
      WeirExpr atom = g_array_index (found, WeirExpr, i);

      if (!g_hash_table_contains (is_unknown, GUINT_TO_POINTER (atom.i + 1)))
        g_array_append_val (self->atoms, atom);
    }
  self->program = weir_program_new (pool, outputs, n_outputs, (WeirExpr *) self->atoms->data,
                                    self->atoms->len);
  self->in = g_new0 (double, self->atoms->len + 1);
  self->out = g_new0 (double, n_outputs + 1);
  self->work = g_new0 (double, weir_program_get_work_size (self->program));
  for (guint i = n_unknowns; i < self->atoms->len; i++)
    {
      const WeirStartValue *start = weir_initialisation_get_start (
          initialisation, g_array_index (self->atoms, WeirExpr, i));

      self->is_missing = self->is_missing || start == NULL;
      self->is_doubtful = self->is_doubtful || start == NULL || start->is_doubtful;
      self->in[i] = start != NULL ? start->value : 0.0;
    }
}

void
weir_evaluation_clear (WeirEvaluation *self)
{
  g_free (self->program);
  g_array_unref (self->atoms);
  g_free (self->in);
  g_free (self->work);
  g_free (self->out);
}

/* The outputs are the residuals, then the entries of the Jacobian, then the exponents. */
static void
calc_residual (gpointer data, const double *x, double *residuals, double *jacobian)
{
  WeirEvaluation *self = data;
  const WeirJacobian *shape = self->block->jacobian;
  const WeirBand *band = &self->block->band;
  guint n = self->n_unknowns;

  memcpy (self->in, x, n * sizeof (double));
  weir_program_execute (self->program, self->in, self->out, self->work);
  memcpy (residuals, self->out, n * sizeof (double));
  memcpy (residuals + n, self->out + n + shape->first[n],
          2 * self->block->n_exponents * sizeof (double));
  if (jacobian == NULL)
    return;
  memset (jacobian, 0, weir_band_get_size (band) * sizeof (double));
  for (guint i = 0; i < n; i++)
    for (guint j = shape->first[i]; j < shape->first[i + 1]; j++)
      jacobian[weir_band_get_place (band, i, shape->column[j])] = self->out[n + j];
}

/* Names what was sought, from where, and the equation that is worst at @x, where the
 * search ended. */
static void
fail_block (WeirInitialisation *self, const WeirEquationBlock *block, WeirEvaluation *evaluation,
            const double *x, WeirNewtonOutcome outcome)
{
  g_autoptr (GString) from = g_string_new (NULL);
  g_autoptr (WeirMessage) start = NULL;
  guint worst = 0;

  for (guint i = 0; i < block->n && i < MAX_NAMED; i++)
    {
      g_autofree char *name = weir_builder_dup_name (self->builder, block->unknowns[i]);
      double guess;

      weir_initialisation_get_guess (self, block->unknowns[i], &guess);
      g_string_append_printf (from, "%s%s = %g", i > 0 ? ", " : "", name, guess);
    }
  start = block->n > MAX_NAMED
              ? weir_message_new (N_ ("%s and %u more"), from->str, block->n - MAX_NAMED)
              : weir_message_new_literal (from->str);
  memcpy (evaluation->in, x, block->n * sizeof (double));
  weir_program_execute (evaluation->program, evaluation->in, evaluation->out, evaluation->work);
  for (guint i = 1; i < block->n; i++)
    if (!(fabs (evaluation->out[i]) <= fabs (evaluation->out[worst])))
      worst = i;
  weir_builder_fail (
      self->builder, "INI01", block->lines[worst],
      block->is_linear
          ? N_ ("Initialization: no solution was found from %s: %s; line %d is off by %g. They are "
                "linear, so that no guess helps; change a parameter or an equation.")
          : N_ ("Initialization: no solution was found from %s: %s; line %d is off by %g. Give "
                "another guess."),
      weir_message_get_text (start), weir_newton_outcome_to_string (outcome), block->lines[worst],
      evaluation->out[worst]);
}

void
weir_initialisation_solve_block (WeirInitialisation *self, WeirEquationBlock *block)
{
  guint n = block->n;
  WeirEvaluation evaluation;

  if (block->value.i != WEIR_NO_EXPR.i
      && weir_expr_get_op (self->builder->pool, block->value) == WEIR_OP_NUMBER)
    weir_initialisation_set_start (self, block->unknowns[0],
                                   weir_expr_get_number (self->builder->pool, block->value),
                                   block->lines[0], FALSE);
  else if (block->value.i != WEIR_NO_EXPR.i)
    {
      weir_evaluation_init (&evaluation, self, &block->value, 1, NULL, 0);
      weir_program_execute (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      weir_initialisation_set_start (self, block->unknowns[0], evaluation.out[0], block->lines[0],
                                     evaluation.is_doubtful);
      weir_evaluation_clear (&evaluation);
    }
  else
    {
      guint n_entries = block->jacobian->first[n],
            n_outputs = n + n_entries + 2 * block->n_exponents;
      g_autofree WeirExpr *outputs = g_new (WeirExpr, n_outputs + 1);
      g_autofree double *x = g_new (double, n);
      WeirNewtonOutcome outcome;
      WeirNewton newton;

      memcpy (outputs, block->residuals, n * sizeof (WeirExpr));
      memcpy (outputs + n, block->jacobian->entry, n_entries * sizeof (WeirExpr));
      if (block->n_exponents > 0)
        memcpy (outputs + n + n_entries, block->exponents,
                2 * block->n_exponents * sizeof (WeirExpr));
      weir_evaluation_init (&evaluation, self, outputs, n_outputs, block->unknowns, n);
      evaluation.block = block;
      for (guint i = 0; i < n; i++)
        weir_initialisation_get_guess (self, block->unknowns[i], &x[i]);
      newton = (WeirNewton) { .residual = calc_residual,
                              .data = &evaluation,
                              .band = block->band,
                              .n_exponents = block->n_exponents,
                              .exponent_rows = block->exponent_rows,
                              .is_linear = block->is_linear };
      outcome = weir_search_solve (&newton, x);
      if (outcome != WEIR_NEWTON_CONVERGED && !evaluation.is_doubtful)
        {
          fail_block (self, block, &evaluation, x, outcome);
        }
      for (guint i = 0; i < n; i++)
        {
          if (outcome != WEIR_NEWTON_CONVERGED)
            weir_initialisation_get_guess (self, block->unknowns[i], &x[i]);
          weir_initialisation_set_start (self, block->unknowns[i], x[i], block->lines[i],
                                         evaluation.is_doubtful);
        }
      weir_evaluation_clear (&evaluation);
    }
}

/* Another condition that gives a value to just what @equation gives one to, or NULL. */
static const WeirScalarEquation *
find_twin (const WeirInitialisation *self, const WeirScalarEquation *equation)
{
  const GArray *initials = self->builder->initials;

  if (!equation->is_initial || !weir_expr_is_atom (self->builder->pool, equation->left))
    return NULL;
  for (guint i = 0; i < initials->len; i++)
    {
      const WeirScalarEquation *other = &g_array_index (initials, WeirScalarEquation, i);

      if (weir_expr_equal (other->left, equation->left) && other->line != equation->line)
        return other;
    }
  return NULL;
}

static void
report_twins (WeirInitialisation *self, const WeirScalarEquation *a, const WeirScalarEquation *b,
              double miss)
{
  g_autofree char *name = weir_builder_dup_name (self->builder, b->left);
  int first = MIN (a->line, b->line), second = MAX (a->line, b->line);

  if (miss != 0.0)
    weir_builder_fail (
        self->builder, "INI02", second,
        N_ ("Initialization: 1 condition too many: %s has two initial values, in line %d "
            "and in line %d; take one away."),
        name, first, second);
  else
    weir_report_add (
        self->builder->report, WEIR_SEVERITY_WARNING, "INI02", second,
        N_ ("Initialization: 1 condition too many: %s has its initial value twice, in line "
            "%d and in line %d; they agree."),
        name, first, second);
}

/* "with the others line 3 misses by 1, line 4 misses by 2" */
static void
add_miss (WeirMessage **misses, int line, double by)
{
  if (*misses == NULL)
    *misses = weir_message_new (N_ ("with the others line %d misses by %g"), line, by);
  else
    *misses = weir_message_join (*misses, ", ",
                                 weir_message_new (N_ ("line %d misses by %g"), line, by));
}

void
weir_initialisation_check_surplus (WeirInitialisation *self)
{
  WeirEquationsBuilder *builder = self->builder;
  guint n = self->surplus->len;
  g_autoptr (WeirMessage) misses = NULL;
  gboolean is_doubtful = FALSE;
  guint n_misses = 0, n_twins = 0;

  for (guint i = 0; i < n; i++)
    {
      const WeirScalarEquation *equation = &g_array_index (self->surplus, WeirScalarEquation, i);
      WeirExpr sides[2] = { equation->left, equation->right };
      const WeirScalarEquation *twin;
      WeirEvaluation evaluation;
      double miss;

      weir_evaluation_init (&evaluation, self, sides, 2, NULL, 0);
      weir_program_execute (evaluation.program, evaluation.in, evaluation.out, evaluation.work);
      miss = evaluation.out[0] - evaluation.out[1];
      if (fabs (miss) <= AGREEMENT * (fabs (evaluation.out[0]) + fabs (evaluation.out[1])))
        miss = 0.0;
      else if (n_misses++ < MAX_NAMED)
        add_miss (&misses, equation->line, miss);
      twin = find_twin (self, equation);
      if (twin != NULL)
        report_twins (self, twin, equation, miss);
      n_twins += twin != NULL;
      is_doubtful = is_doubtful || evaluation.is_doubtful;
      weir_evaluation_clear (&evaluation);
    }
  builder->result->n_surplus = n;
  if (n_twins == n)
    return;
  if (misses != NULL && self->parameter != NULL)
    misses = weir_message_join (
        misses, "; ",
        weir_message_new (self->parameter->is_bound
                              ? N_ ("%s is computed from other parameters in line %d, so take its "
                                    "initial value away")
                              : N_ ("%s is a parameter, which has its value from line %d, so take "
                                    "its initial value away"),
                          self->parameter->name, self->parameter->line));
  if (misses != NULL)
    weir_builder_fail (builder, "INI02", self->surplus_line,
                       n == 1 ? N_ ("Initialization: %u condition too many: %s; %s.")
                              : N_ ("Initialization: %u conditions too many: %s; %s."),
                       n, weir_message_get_text (self->surplus_names),
                       weir_message_get_text (misses));
  else if (n > 0)
    weir_report_add (
        builder->report, WEIR_SEVERITY_WARNING, "INI02", self->surplus_line,
        n == 1 ? N_ ("Initialization: %u condition too many: %s; %s.")
               : N_ ("Initialization: %u conditions too many: %s; %s."),
        n, weir_message_get_text (self->surplus_names),
        weir_phrase (is_doubtful ? N_ ("they agree with the inputs at 0") : N_ ("they agree")));
}
