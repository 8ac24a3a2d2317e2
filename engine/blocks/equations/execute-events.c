/* Events of an Equations block, while it runs: values assigned, states put back onto their
 * constraints, relations decided. See equations.h.
 */
#include "blocks/equations/equations.h"

#include "numerics/newton.h"

#include <math.h>
#include <string.h>

#include "numerics/vector.h"

static double *
get_target (WeirNextState *next, const WeirOperand *target)
{
  double *base = target->kind == WEIR_OPERAND_STATE
                     ? weir_next_state_xc (next)
                     : weir_next_state_discrete (next, (WeirGroup) { (guint16) target->index });

  return base + target->element;
}

static const char *
get_name (const WeirEquationsData *data, const WeirPart *part, guint i)
{
  const char *name = weir_equations_at (data, part->text);

  for (; i > 0; i--)
    name += strlen (name) + 1;
  return name;
}

/* Two conditions that come true at one instant may assign the same, if they agree. */
static WeirStatus
check_agreement (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *parts, guint p,
                 guint i, double before, double value)
{
  const WeirOperand *target = (const WeirOperand *) weir_equations_at (data, parts[p].rows) + i;

  for (guint q = 0; q < p; q++)
    {
      const WeirOperand *others = weir_equations_at (data, parts[q].rows);

      if (parts[q].kind == WEIR_PART_PROJECTED
          || (parts[q].first != G_MAXUINT32 && weir_calc_crossing (c, parts[q].first) == 0))
        continue;
      for (guint j = 0; j < parts[q].n; j++)
        if (others[j].kind == target->kind && others[j].index == target->index
            && others[j].element == target->element && before != value)
          return weir_equations_fail (
              c, data, G_MAXUINT,
              "Lines %u and %u assign different values to %s at one instant, "
              "%.17g and %.17g.",
              ((const guint32 *) weir_equations_at (data, parts[q].lines))[j],
              ((const guint32 *) weir_equations_at (data, parts[p].lines))[i],
              get_name (data, &parts[p], i), before, value);
    }
  return WEIR_OK;
}

#define MAX_PROJECTIONS 10

/* Gauss's and Newton's method: x goes by -J' (J J')^-1 r, the shortest step that makes the linear
 * part vanish, as long as that makes r smaller. */
static WeirStatus
project (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *x)
{
  const WeirProgram *program = weir_equations_at (data, part->program);
  guint m = part->n, n_in = weir_program_get_n_inputs (program);
  WeirBand band = { m, part->lower, part->upper };
  guint n = n_in - part->n_operands, n_out = weir_program_get_n_outputs (program);
  const guint32 *first = weir_equations_at (data, part->rows),
                *columns = weir_equations_at (data, part->columns);
  gsize n_work = weir_program_get_work_size (program);
  double *in, *out, *work, *row, *square, *step, *best;
  double before = INFINITY;

  weir_equations_evaluate (c, weir_equations_at (data, part->operands), part->n_operands);
  in = weir_equations_get_scratch (c,
                                   n_in + n_out + n_work + n + weir_band_get_size (&band) + m + n);
  out = in + n_in;
  work = out + n_out;
  row = work + n_work;
  square = row + n;
  step = square + weir_band_get_size (&band);
  best = step + m;
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL,
                         in + n);
  memcpy (best, x, n * sizeof *x);
  for (guint k = 0; k < MAX_PROJECTIONS; k++)
    {
      double now;

      memcpy (in, x, n * sizeof *x);
      weir_program_execute (program, in, out, work);
      now = weir_vector_max_norm (m, out);
      if (!(now < before))
        break;
      before = now;
      memcpy (best, x, n * sizeof *x);
      memset (square, 0, weir_band_get_size (&band) * sizeof *square);
      memset (row, 0, n * sizeof *row);
      for (guint i = 0; i < m; i++)
        {
          for (guint l = first[i]; l < first[i + 1]; l++)
            row[columns[l]] = out[m + l];
          for (guint j = i - MIN (i, band.lower); j < MIN (m, i + band.upper + 1); j++)
            {
              double sum = 0.0;

              for (guint l = first[j]; l < first[j + 1]; l++)
                sum += row[columns[l]] * out[m + l];
              square[weir_band_get_place (&band, i, j)] = sum;
            }
          for (guint l = first[i]; l < first[i + 1]; l++)
            row[columns[l]] = 0.0;
        }
      memcpy (step, out, m * sizeof *step);
      if (!weir_band_solve (&band, square, step))
        return weir_equations_fail (
            c, data, G_MAXUINT,
            "The constraints of line %u exclude or repeat each other: the states cannot be kept on "
            "them.",
            ((const guint32 *) weir_equations_at (data, part->lines))[0]);
      for (guint i = 0; i < m; i++)
        for (guint l = first[i]; l < first[i + 1]; l++)
          x[columns[l]] -= out[m + l] * step[i];
    }
  memcpy (x, best, n * sizeof *x);
  return WEIR_OK;
}

WeirStatus
weir_equations_assign_values (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirPart *parts = weir_equations_at (data, computation->parts);
  WeirStatus status = WEIR_OK;

  for (guint p = 0; p < computation->n_parts && status == WEIR_OK; p++)
    {
      const WeirPart *part = &parts[p];
      const WeirProgram *program = weir_equations_at (data, part->program);
      const WeirOperand *targets = weir_equations_at (data, part->rows);
      gsize n_work = weir_program_get_work_size (program);
      double *in, *work, *values;

      if (part->first != G_MAXUINT32 && weir_calc_crossing (c, part->first) == 0)
        continue;
      weir_equations_evaluate (c, weir_equations_at (data, part->operands), part->n_operands);
      in = weir_equations_get_scratch (c, part->n_operands + n_work + part->n);
      work = in + part->n_operands;
      values = work + n_work;
      if (part->kind == WEIR_PART_PROJECTED)
        {
          status = project (c, data, part, weir_next_state_xc (next));
          continue;
        }
      weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL,
                             in);
      weir_program_execute (program, in, values, work);
      status = weir_equations_check_values (c, data, part, in, values, work);
      for (guint i = 0; i < part->n && status == WEIR_OK; i++)
        {
          double *target = get_target (next, &targets[i]);

          status = check_agreement (c, data, parts, p, i, *target, values[i]);
          *target = values[i];
        }
    }
  return status;
}

/* How far the whole number below something is from @difference ago, which is what that lies above
 * the present one; @beyond: the next. At the start what lies on the next one may stay below it. */
static double
step_to_whole (double difference, double beyond, gboolean is_start)
{
  if (!(difference >= 0.0)) /* below, or not a number */
    return floor (difference);
  if (beyond > 0.0 || (beyond == 0.0 && !is_start))
    return 1.0 + floor (beyond);
  return 0.0;
}

/* The direction of a crossing tells more than the difference, which rounding may have on its other
 * side; but what has landed on 0 is equal. */
WeirStatus
weir_equations_decide (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirPart *part = weir_equations_at (data, computation->parts);
  const double *difference = weir_calc_cached (c, (WeirCached) { (guint16) part->operands });
  const guint32 *ops = weir_equations_at (data, part->rows);
  const double *beyond = difference + part->n; /* of each whole number */
  gboolean is_start = part->first == 0, is_same = TRUE;

  for (guint i = 0; i < part->n; i++)
    {
      int direction = weir_calc_crossing (c, i);
      gboolean is_or_equal = ops[i] == WEIR_OP_LE || ops[i] == WEIR_OP_GE;
      gboolean is_greater = ops[i] == WEIR_OP_GT || ops[i] == WEIR_OP_GE;
      double side = direction != 0 && difference[i] != 0.0 ? direction : difference[i];
      double mode = next[i];

      if (ops[i] == WEIR_OP_FLOOR)
        mode += step_to_whole (difference[i], *beyond++, is_start);
      else if (side != 0.0)
        mode = (side > 0.0) == is_greater;
      else if (is_start || direction != 0)
        mode = is_or_equal;
      is_same = is_same && mode == next[i];
      next[i] = mode;
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}
