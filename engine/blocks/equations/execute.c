/* Running the programs of an Equations block. See equations.h.
 *
 * One function serves every entry of every such leaf: which computation is meant follows from
 * the entry's number.
 */
#include "blocks/equations/equations.h"

#include "numerics/newton.h"

#include <string.h>

#define HELD 1e-9    /* what an equation may be off by that holds but for rounding */
#define MOST_LEAPS 6 /* of one search */

/* --- Parts ----------------------------------------------------------------------------------- */

typedef struct {
  const WeirEquationsData *data;
  const WeirPart *part;
  WeirBand band;
  WeirEquationsSolved run; /* NULL: as a program */
  double *in, *out, *work;
} Residual;

static void
calc_residual (gpointer user_data, const double *x, double *residuals, double *jacobian)
{
  const Residual *self = user_data;
  const WeirPart *part = self->part;
  const WeirProgram *program = weir_equations_at (self->data, part->program);
  const guint32 *rows = weir_equations_at (self->data, part->rows),
                *columns = weir_equations_at (self->data, part->columns);
  guint n = part->n, n_entries = weir_program_get_n_outputs (program) - n - 2 * part->n_exponents;

  memcpy (self->in, x, n * sizeof (double));
  if (self->run != NULL)
    self->run (self->in, self->out, NULL, NULL, NULL);
  else
    weir_program_execute (program, self->in, self->out, self->work);
  memcpy (residuals, self->out, n * sizeof (double));
  memcpy (residuals + n, self->out + n + n_entries, 2 * part->n_exponents * sizeof (double));
  if (jacobian == NULL)
    return;
  memset (jacobian, 0, weir_band_get_size (&self->band) * sizeof (double));
  for (guint i = 0; i < n_entries; i++)
    jacobian[weir_band_get_place (&self->band, rows[i], columns[i])] = self->out[n + i];
}

static gboolean
solve_from (Residual *self, const double *start, guint n_leaps, double *x, double *work,
            WeirNewtonOutcome *outcome)
{
  const WeirPart *part = self->part;
  WeirNewton newton = { .residual = calc_residual,
                        .data = self,
                        .band = self->band,
                        .n_exponents = part->n_exponents,
                        .exponent_rows = weir_equations_at (self->data, part->exponent_rows),
                        .is_linear = part->is_linear != 0,
                        .n_leaps = n_leaps };

  memcpy (x, start, part->n * sizeof (double));
  *outcome = weir_newton_solve (&newton, x, work);
  return *outcome == WEIR_NEWTON_CONVERGED;
}

/* From the solution of the last step, so that what has several is followed; from the guess; and
 * where the one that was followed ends, wherever that leads to. */
static WeirNewtonOutcome
look_for_solution (const WeirCalc *c, Residual *self, double *x, double *work)
{
  const WeirPart *part = self->part;
  const double *guess = weir_equations_at (self->data, part->guess);
  const double *start = part->is_linear
                            ? guess
                            : weir_calc_discrete (c, (WeirGroup) { (guint16) part->start })
                                  + part->first;
  WeirNewtonOutcome outcome;

  if (solve_from (self, start, 0, x, work, &outcome) || part->is_linear)
    return outcome;
  if (memcmp (start, guess, part->n * sizeof (double)) != 0
      && solve_from (self, guess, 0, x, work, &outcome))
    return outcome;
  if (outcome == WEIR_NEWTON_STALLED)
    (void) solve_from (self, start, MOST_LEAPS, x, work, &outcome);
  return outcome;
}

static WeirStatus
run_solved (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part,
            const WeirProgram *program, double *own)
{
  guint n = part->n;
  gsize n_in = weir_program_get_n_inputs (program), n_out = weir_program_get_n_outputs (program);
  WeirBand band = { n, part->lower, part->upper };
  double *in = weir_equations_get_scratch (
      c, n_in + n_out + weir_program_get_work_size (program)
             + weir_newton_get_work_size (&band, part->n_exponents));
  Residual residual = {
    data, part, band, weir_equations_find_native (c, data, part), in, in + n_in, in + n_in + n_out
  };
  double *work = residual.work + weir_program_get_work_size (program);
  WeirNewtonOutcome outcome;
  guint worst = 0;

  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, own,
                         in + n);
  outcome = look_for_solution (c, &residual, own + part->first, work);
  if (G_LIKELY (outcome == WEIR_NEWTON_CONVERGED))
    return WEIR_OK;
  calc_residual (&residual, own + part->first, work, NULL);
  for (guint i = 1; i < n; i++)
    if (!(fabs (work[i]) <= fabs (work[worst])))
      worst = i;
  if (data->n_places > 0
      && (outcome == WEIR_NEWTON_SINGULAR
          || (outcome == WEIR_NEWTON_STALLED && fabs (work[worst]) < HELD)))
    return weir_equations_fail_undetermined (c, data, part);
  return weir_equations_fail_unsolved (c, data, part, outcome, own[part->first], worst, work[worst],
                                       fabs (work[worst]) < HELD);
}

/* --- Computations ---------------------------------------------------------------------------- */

static WeirStatus
run_part (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *own)
{
  const WeirProgram *program;
  double *in, *work;
  double holds;

  if (weir_equations_run_native (c, data, part, own))
    return WEIR_OK;
  program = weir_equations_at (data, part->program);
  if (part->kind == WEIR_PART_SOLVED)
    return run_solved (c, data, part, program, own);
  if (part->kind == WEIR_PART_DELAYED || part->kind == WEIR_PART_NEAREST)
    return weir_equations_execute_delayed (c, data, part, own);
  if (part->kind == WEIR_PART_BEFORE || part->kind == WEIR_PART_NOW)
    return WEIR_OK; /* done with what is delayed */
  in = weir_equations_get_scratch (c, part->n_operands + weir_program_get_work_size (program));
  work = in + part->n_operands;
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, own, in);
  if (part->kind == WEIR_PART_ASSERTED)
    {
      weir_program_execute (program, in, &holds, work);
      return holds != 0.0 ? WEIR_OK : weir_equations_fail_asserted (c, data, part);
    }
  /* Where code has run, this gives the same again, for saying what is no number and why. */
  weir_program_execute (program, in, own + part->first, work);
  if (part->kind == WEIR_PART_SLOPES)
    return WEIR_OK;
  return weir_equations_check_values (c, data, part, in, own + part->first, work);
}

static WeirStatus
execute (const WeirCalc *c, const WeirEquationsData *data, guint32 computations, double *out)
{
  const WeirComputation *computation = weir_equations_get_computation (c, data, computations);
  const WeirPart *parts = weir_equations_at (data, computation->parts);

  for (guint i = 0; i < computation->n_parts; i++)
    {
      WeirStatus status = run_part (c, data, &parts[i], out);

      if (status != WEIR_OK)
        return status;
    }
  return WEIR_OK;
}

WeirStatus
weir_equations_calc (const WeirCalc *c, double *out)
{
  const WeirEquationsData *data = weir_calc_data (c);

  return execute (c, data, data->entries, out);
}

WeirStatus
weir_equations_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirPart *parts = weir_equations_at (data, computation->parts);

  for (guint i = 0; i < computation->n_parts; i++)
    weir_equations_evaluate (c, weir_equations_at (data, parts[i].operands), parts[i].n_operands);
  return execute (c, data, data->events, next);
}
