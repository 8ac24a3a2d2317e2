/* Running the programs of an Equations block. See equations-private.h.
 *
 * One function serves every entry of every such leaf: which computation is meant follows from
 * the entry's number. Work space is kept for each thread and grows to what the largest
 * computation needs; after that nothing is allocated.
 */
#include "blocks/equations-private.h"

#include "equations/newton.h"

#include <string.h>

/* --- Work space ------------------------------------------------------------------------------ */

typedef struct {
  double *values;
  gsize size;
} Scratch;

static void
scratch_free (gpointer data)
{
  g_free (((Scratch *) data)->values);
  g_free (data);
}

static GPrivate scratch = G_PRIVATE_INIT (scratch_free);

static double *
get_scratch (gsize size)
{
  Scratch *own = g_private_get (&scratch);

  if (own == NULL)
    {
      own = g_new0 (Scratch, 1);
      g_private_set (&scratch, own);
    }
  if (own->size < size)
    {
      g_free (own->values);
      own->size = MAX (size, 256);
      own->values = g_new (double, own->size);
    }
  return own->values;
}

/* --- Failures -------------------------------------------------------------------------------- */

static inline gconstpointer
at (const WeirEquationsData *data, guint32 offset)
{
  return (const char *) data + offset;
}

/* Lines of other texts are told by their names. */
static WeirStatus G_GNUC_PRINTF (3, 4)
    fail (const WeirCalc *c, const WeirEquationsData *data, const char *format, ...)
{
  g_autofree char *text = NULL;
  g_autofree char *named = NULL;
  g_autofree const char **extended = g_new0 (const char *, data->n_extended + 1);
  const char *path = at (data, data->extended);
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  for (guint i = 0; i < data->n_extended; i++, path += strlen (path) + 1)
    extended[i] = path;
  named = weir_extended_name_lines (extended, text);
  return weir_calc_fail (c, "%s", named);
}

/* --- Operands -------------------------------------------------------------------------------- */

/* Neighbours mostly come from the same place, which is looked up once. */
static void
gather (const WeirCalc *c, const WeirOperand *operands, guint n, const double *own, double *in)
{
  const double *base = NULL;
  guint32 kind = G_MAXUINT32, index = 0;
  double now;

  for (guint i = 0; i < n; i++)
    {
      const WeirOperand *operand = &operands[i];

      if (operand->kind != kind || operand->index != index)
        {
          kind = operand->kind;
          index = operand->index;
          switch ((WeirOperandKind) kind)
            {
            case WEIR_OPERAND_TIME:
              now = weir_calc_time (c);
              base = &now;
              break;
            case WEIR_OPERAND_ACCURACY:
              now = weir_calc_accuracy (c);
              base = &now;
              break;
            case WEIR_OPERAND_STATE:
              base = weir_calc_z (c);
              break;
            case WEIR_OPERAND_INPUT:
              base = weir_calc_input (c, (WeirInput) { (guint16) index });
              break;
            case WEIR_OPERAND_PARAMETER:
              base = weir_calc_parameter (c, (WeirParameter) { (guint16) index });
              break;
            case WEIR_OPERAND_DISCRETE:
              base = weir_calc_discrete (c, (WeirGroup) { (guint16) index });
              break;
            case WEIR_OPERAND_CACHED:
              base = weir_calc_cached (c, (WeirCached) { (guint16) index });
              break;
            case WEIR_OPERAND_OWN:
            default:
              base = own;
              break;
            }
        }
      in[i] = base[operand->element];
    }
}

/* Events declare nothing: what they read may still have to be computed, which needs the scratch
 * itself. To be called before it is taken. */
static void
evaluate_operands (const WeirCalc *c, const WeirOperand *operands, guint n)
{
  for (guint i = 0; i < n; i++)
    if (i > 0 && operands[i].kind == operands[i - 1].kind
        && operands[i].index == operands[i - 1].index)
      continue;
    else if (operands[i].kind == WEIR_OPERAND_INPUT)
      weir_calc_input (c, (WeirInput) { (guint16) operands[i].index });
    else if (operands[i].kind == WEIR_OPERAND_CACHED)
      weir_calc_cached (c, (WeirCached) { (guint16) operands[i].index });
}

/* --- Parts ----------------------------------------------------------------------------------- */

/* Values that are no numbers although everything read is: says where they arise. */
static WeirStatus
check_values (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part,
              const double *in, const double *values, double *work)
{
  const guint32 *lines = at (data, part->lines);
  WeirOp op;
  double a, b;

  for (guint i = 0; i < part->n; i++)
    {
      if (G_LIKELY (!isnan (values[i])))
        continue;
      for (guint j = 0; j < part->n_operands; j++)
        if (isnan (in[j]))
          return WEIR_OK; /* it came from elsewhere */
      if (!weir_program_find_invalid (at (data, part->program), in, work, &op, &a, &b))
        return WEIR_OK;
      if (op >= WEIR_OP_ADD && op <= WEIR_OP_DIV)
        return fail (c, data, "Line %u: %.17g %s %.17g has no value.", lines[i], a,
                     weir_op_get_name (op), b);
      if (op >= WEIR_OP_POW && op <= WEIR_OP_RANDOM)
        return fail (c, data, "Line %u: %s of %.17g and %.17g has no value.", lines[i],
                     op == WEIR_OP_POW ? "the power" : weir_op_get_name (op), a, b);
      return fail (c, data, "Line %u: %s(%.17g) has no value.", lines[i], weir_op_get_name (op), a);
    }
  return WEIR_OK;
}

typedef struct {
  const WeirEquationsData *data;
  const WeirPart *part;
  WeirBand band;
  double *in, *out, *work;
} Residual;

static void
calc_residual (gpointer user_data, const double *x, double *residuals, double *jacobian)
{
  const Residual *self = user_data;
  const WeirPart *part = self->part;
  const WeirProgram *program = at (self->data, part->program);
  const guint32 *rows = at (self->data, part->rows), *columns = at (self->data, part->columns);
  guint n = part->n, n_entries = weir_program_get_n_outputs (program) - n;

  memcpy (self->in, x, n * sizeof (double));
  weir_program_run (program, self->in, self->out, self->work);
  memcpy (residuals, self->out, n * sizeof (double));
  if (jacobian == NULL)
    return;
  memset (jacobian, 0, weir_band_get_size (&self->band) * sizeof (double));
  for (guint i = 0; i < n_entries; i++)
    jacobian[weir_band_get_place (&self->band, rows[i], columns[i])] = self->out[n + i];
}

static WeirStatus
run_solved (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part,
            const WeirProgram *program, double *own)
{
  guint n = part->n;
  gsize n_in = weir_program_get_n_inputs (program), n_out = weir_program_get_n_outputs (program);
  WeirBand band = { n, part->lower, part->upper };
  double *in = get_scratch (n_in + n_out + weir_program_get_work_size (program)
                            + weir_newton_get_work_size (&band));
  Residual residual = { data, part, band, in, in + n_in, in + n_in + n_out };
  double *work = residual.work + weir_program_get_work_size (program);
  WeirNewtonOutcome outcome;
  const guint32 *lines = at (data, part->lines);
  guint worst = 0;

  gather (c, at (data, part->operands), part->n_operands, own, in + n);
  memcpy (own + part->first, at (data, part->guess), n * sizeof (double));
  outcome = weir_newton_solve (calc_residual, &residual, &band, own + part->first,
                               part->is_linear != 0, work);
  if (G_LIKELY (outcome == WEIR_NEWTON_CONVERGED))
    return WEIR_OK;
  calc_residual (&residual, own + part->first, work, NULL);
  for (guint i = 1; i < n; i++)
    if (!(fabs (work[i]) <= fabs (work[worst])))
      worst = i;
  return fail (c, data,
               "The equations for %s (line %u) could not be solved: %s, where the first "
               "unknown is %.6g and line %u is off by %.6g.",
               (const char *) at (data, part->text), lines[0],
               weir_newton_outcome_to_string (outcome), own[part->first], lines[worst],
               work[worst]);
}

/* --- Delays ---------------------------------------------------------------------------------- */

static const WeirEquationsPast *
get_past (const WeirEquationsData *data, const WeirPart *part)
{
  return (const WeirEquationsPast *) at (data, data->pasts) + part->past;
}

/* How long ago each value of @part is read: @ago, with room for all. */
static WeirStatus
find_times (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *ago,
            double *work)
{
  const WeirEquationsPast *past = get_past (data, part);
  const guint32 *lines = at (data, part->lines);
  double shortest = past->past.delay / past->past.n_points;

  if (past->is_fixed)
    {
      for (guint i = 0; i < part->n; i++)
        ago[i] = past->past.delay;
      return WEIR_OK;
    }
  gather (c, at (data, part->operands), part->n_operands, NULL, work);
  weir_program_run (at (data, part->program), work, ago, work + part->n_operands);
  for (guint i = 0; i < part->n; i++)
    if (ago[i] < 0.0)
      return fail (c, data, "Line %u: the time of a delay is %.6g s; nobody knows the future.",
                   lines[i], ago[i]);
    else if (ago[i] < shortest)
      return fail (c, data,
                   "Line %u: the time of a delay is %.6g s, which is less than a %uth of "
                   "the longest time, %.6g s; give a shorter longest time.",
                   lines[i], ago[i], past->past.n_points, past->past.delay);
    else if (!(ago[i] <= past->past.delay))
      return fail (c, data,
                   "Line %u: the time of a delay is %.6g s, which is more than its "
                   "longest time, %.6g s.",
                   lines[i], ago[i], past->past.delay);
  return WEIR_OK;
}

/* Element @i before the start. */
static double
calc_before (const WeirCalc *c, const WeirEquationsData *data, const WeirEquationsPast *past,
             const WeirPart *before, guint i, double then, double *work)
{
  const WeirProgram *program = at (data, before->program);
  const double *first = weir_past_get_first (
      &past->past, weir_calc_discrete (c, (WeirGroup) { (guint16) past->group }));
  double *out = work + 1 + before->n_operands;

  if (((const guint32 *) at (data, before->rows))[i] == 0)
    return first != NULL ? first[i] : ((const double *) at (data, before->guess))[i];
  work[0] = then;
  gather (c, at (data, before->operands), before->n_operands, NULL, work + 1);
  weir_program_run (program, work, out, out + before->n);
  return out[i];
}

static WeirStatus
run_delayed (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *own)
{
  const WeirEquationsPast *past = get_past (data, part);
  const WeirPart *before = part + 1;
  const double *rows = weir_calc_discrete (c, (WeirGroup) { (guint16) past->group });
  double t = weir_calc_time (c);
  gsize n_before = 1 + before->n_operands + before->n
                   + weir_program_get_work_size (at (data, before->program));
  gsize n_times = past->is_fixed
                      ? 0
                      : part->n_operands + weir_program_get_work_size (at (data, part->program));
  double *ago = get_scratch (part->n + MAX (n_before, n_times));
  WeirStatus status = find_times (c, data, part, ago, ago + part->n);

  for (guint i = 0; i < part->n && status == WEIR_OK; i++)
    if (part->kind == WEIR_PART_NEAREST)
      own[i] = weir_past_get_distance (&past->past, rows, t - ago[i]);
    else if (!weir_past_read (&past->past, rows, t, t - ago[i], i, 1, &own[i]))
      own[i] = calc_before (c, data, past, before, i, t - ago[i], ago + part->n);
  return status;
}

WeirStatus
weir_equations_keep (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirEquationsPast *pasts = at (data, data->pasts);
  const WeirComputation *computation = (const WeirComputation *) at (data, data->events)
                                       + weir_calc_get_index (c);
  const WeirPart *part = at (data, computation->parts);
  const WeirProgram *program = at (data, part->program);
  guint order = 0;
  double *in, *values;

  evaluate_operands (c, at (data, part->operands), part->n_operands);
  in = get_scratch (part->n_operands + part->n + weir_program_get_work_size (program));
  values = in + part->n_operands;
  gather (c, at (data, part->operands), part->n_operands, NULL, in);
  weir_program_run (program, in, values, values + part->n);
  /* What comes back from any past breaks off what is kept in every other. */
  for (guint i = 0; i < data->n_pasts; i++)
    if (pasts[i].is_fixed)
      {
        guint found = weir_past_get_order (
            &pasts[i].past, weir_calc_discrete (c, (WeirGroup) { (guint16) pasts[i].group }),
            weir_calc_time (c));

        order = found == 0 ? order : order == 0 ? found : MIN (order, found);
      }
  return weir_past_keep (&get_past (data, part)->past, c, values, order, next);
}

WeirStatus
weir_equations_find_break (const WeirCalc *c, double after, double *time)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = (const WeirComputation *) at (data, data->events)
                                       + weir_calc_get_index (c);
  const WeirEquationsPast *past = get_past (data, at (data, computation->parts));

  *time = weir_past_find_break (
      &past->past, weir_calc_discrete (c, (WeirGroup) { (guint16) past->group }), after);
  return WEIR_OK;
}

/* --- Computations ---------------------------------------------------------------------------- */

static WeirStatus
run_part (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *own)
{
  const WeirProgram *program = at (data, part->program);
  double *in, *work;
  double holds;

  if (part->kind == WEIR_PART_SOLVED)
    return run_solved (c, data, part, program, own);
  if (part->kind == WEIR_PART_DELAYED || part->kind == WEIR_PART_NEAREST)
    return run_delayed (c, data, part, own);
  if (part->kind == WEIR_PART_BEFORE)
    return WEIR_OK; /* done with what is delayed */
  in = get_scratch (part->n_operands + weir_program_get_work_size (program));
  work = in + part->n_operands;
  gather (c, at (data, part->operands), part->n_operands, own, in);
  if (part->kind == WEIR_PART_ASSERTED)
    {
      const guint32 *lines = at (data, part->lines);

      weir_program_run (program, in, &holds, work);
      if (holds != 0.0)
        return WEIR_OK;
      return fail (c, data, "%s (the assertion of line %u does not hold).",
                   (const char *) at (data, part->text), lines[0]);
    }
  weir_program_run (program, in, own + part->first, work);
  return check_values (c, data, part, in, own + part->first, work);
}

static WeirStatus
run (const WeirCalc *c, const WeirEquationsData *data, guint32 computations, double *out)
{
  const WeirComputation *computation = (const WeirComputation *) at (data, computations)
                                       + weir_calc_get_index (c);
  const WeirPart *parts = at (data, computation->parts);

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

  return run (c, data, data->entries, out);
}

WeirStatus
weir_equations_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = (const WeirComputation *) at (data, data->events)
                                       + weir_calc_get_index (c);
  const WeirPart *parts = at (data, computation->parts);

  for (guint i = 0; i < computation->n_parts; i++)
    evaluate_operands (c, at (data, parts[i].operands), parts[i].n_operands);
  return run (c, data, data->events, next);
}

/* --- Events ---------------------------------------------------------------------------------- */

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
  const char *name = at (data, part->text);

  for (; i > 0; i--)
    name += strlen (name) + 1;
  return name;
}

/* Two conditions that come true at one instant may assign the same, if they agree. */
static WeirStatus
check_agreement (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *parts, guint p,
                 guint i, double before, double value)
{
  const WeirOperand *target = (const WeirOperand *) at (data, parts[p].rows) + i;

  for (guint q = 0; q < p; q++)
    {
      const WeirOperand *others = at (data, parts[q].rows);

      if (parts[q].kind == WEIR_PART_PROJECTED
          || (parts[q].first != G_MAXUINT32 && weir_calc_crossing (c, parts[q].first) == 0))
        continue;
      for (guint j = 0; j < parts[q].n; j++)
        if (others[j].kind == target->kind && others[j].index == target->index
            && others[j].element == target->element && before != value)
          return fail (c, data,
                       "Lines %u and %u assign different values to %s at one instant, "
                       "%.17g and %.17g.",
                       ((const guint32 *) at (data, parts[q].lines))[j],
                       ((const guint32 *) at (data, parts[p].lines))[i],
                       get_name (data, &parts[p], i), before, value);
    }
  return WEIR_OK;
}

#define MAX_PROJECTIONS 10

static double
find_largest (const double *values, guint n)
{
  double largest = 0.0;

  for (guint i = 0; i < n; i++)
    largest = fmax (largest, fabs (values[i]));
  return largest;
}

/* Gauss's and Newton's method: x goes by -J' (J J')^-1 r, the shortest step that makes the linear
 * part vanish, as long as that makes r smaller. */
static WeirStatus
project (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *x)
{
  const WeirProgram *program = at (data, part->program);
  guint m = part->n, n_in = weir_program_get_n_inputs (program);
  WeirBand band = { m, part->lower, part->upper };
  guint n = n_in - part->n_operands, n_out = weir_program_get_n_outputs (program);
  const guint32 *first = at (data, part->rows), *columns = at (data, part->columns);
  gsize n_work = weir_program_get_work_size (program);
  double *in, *out, *work, *row, *square, *step, *best;
  double before = INFINITY;

  evaluate_operands (c, at (data, part->operands), part->n_operands);
  in = get_scratch (n_in + n_out + n_work + n + weir_band_get_size (&band) + m + n);
  out = in + n_in;
  work = out + n_out;
  row = work + n_work;
  square = row + n;
  step = square + weir_band_get_size (&band);
  best = step + m;
  gather (c, at (data, part->operands), part->n_operands, NULL, in + n);
  memcpy (best, x, n * sizeof *x);
  for (guint k = 0; k < MAX_PROJECTIONS; k++)
    {
      double now;

      memcpy (in, x, n * sizeof *x);
      weir_program_run (program, in, out, work);
      now = find_largest (out, m);
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
        return fail (c, data,
                     "The constraint of line %u lost rank: the states cannot be kept on "
                     "it.",
                     ((const guint32 *) at (data, part->lines))[0]);
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
  const WeirComputation *computation = (const WeirComputation *) at (data, data->events)
                                       + weir_calc_get_index (c);
  const WeirPart *parts = at (data, computation->parts);
  WeirStatus status = WEIR_OK;

  for (guint p = 0; p < computation->n_parts && status == WEIR_OK; p++)
    {
      const WeirPart *part = &parts[p];
      const WeirProgram *program = at (data, part->program);
      const WeirOperand *targets = at (data, part->rows);
      gsize n_work = weir_program_get_work_size (program);
      double *in, *work, *values;

      if (part->first != G_MAXUINT32 && weir_calc_crossing (c, part->first) == 0)
        continue;
      evaluate_operands (c, at (data, part->operands), part->n_operands);
      in = get_scratch (part->n_operands + n_work + part->n);
      work = in + part->n_operands;
      values = work + n_work;
      if (part->kind == WEIR_PART_PROJECTED)
        {
          status = project (c, data, part, weir_next_state_xc (next));
          continue;
        }
      gather (c, at (data, part->operands), part->n_operands, NULL, in);
      weir_program_run (program, in, values, work);
      status = check_values (c, data, part, in, values, work);
      for (guint i = 0; i < part->n && status == WEIR_OK; i++)
        {
          double *target = get_target (next, &targets[i]);

          status = check_agreement (c, data, parts, p, i, *target, values[i]);
          *target = values[i];
        }
    }
  return status;
}

/* The direction of a crossing tells more than the difference, which may have landed on 0. */
WeirStatus
weir_equations_decide (const WeirCalc *c, G_GNUC_UNUSED gint64 n, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = (const WeirComputation *) at (data, data->events)
                                       + weir_calc_get_index (c);
  const WeirPart *part = at (data, computation->parts);
  const double *difference = weir_calc_cached (c, (WeirCached) { (guint16) part->operands });
  const guint32 *ops = at (data, part->rows);
  gboolean is_start = part->first == 0, is_same = TRUE;

  for (guint i = 0; i < part->n; i++)
    {
      int direction = weir_calc_crossing (c, i);
      gboolean is_or_equal = ops[i] == WEIR_OP_LE || ops[i] == WEIR_OP_GE;
      gboolean is_greater = ops[i] == WEIR_OP_GT || ops[i] == WEIR_OP_GE;
      double side = direction != 0 ? direction : difference[i];
      double mode = next[i];

      if (side != 0.0)
        mode = (side > 0.0) == is_greater;
      else if (is_start)
        mode = is_or_equal;
      is_same = is_same && mode == next[i];
      next[i] = mode;
    }
  return is_same ? WEIR_DID_NOTHING : WEIR_OK;
}
