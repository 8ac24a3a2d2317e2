/* Delays of an Equations block, while it runs: reading the past, keeping it, and where it breaks.
 * See equations.h.
 */
#include "blocks/equations/equations.h"

#include <string.h>

static const WeirEquationsPast *
get_past (const WeirEquationsData *data, const WeirPart *part)
{
  return (const WeirEquationsPast *) weir_equations_at (data, data->pasts) + part->past;
}

/* How long ago each value of @part is read: @ago, with room for all. */
static WeirStatus
find_times (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *ago,
            double *work)
{
  const WeirEquationsPast *past = get_past (data, part);
  const guint32 *lines = weir_equations_at (data, part->lines);
  const guint32 *are_known = weir_equations_at (data, part->rows);
  double shortest = past->past.delay / past->past.n_points;

  if (past->is_fixed)
    {
      for (guint i = 0; i < part->n; i++)
        ago[i] = past->past.delay;
      return WEIR_OK;
    }
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL, work);
  weir_program_execute (weir_equations_at (data, part->program), work, ago,
                        work + part->n_operands);
  for (guint i = 0; i < part->n; i++)
    if (ago[i] < 0.0)
      return weir_equations_fail (
          c, data, G_MAXUINT, "Line %u: the time of a delay is %.6g s; nobody knows the future.",
          lines[i], ago[i]);
    else if (ago[i] < shortest && !are_known[i])
      return weir_equations_fail (
          c, data, G_MAXUINT,
          "Line %u: the time of a delay is %.6g s, which is less than a %uth of "
          "the longest time, %.6g s; give a shorter longest time.",
          lines[i], ago[i], past->past.n_points, past->past.delay);
    else if (!(ago[i] <= past->past.delay))
      return weir_equations_fail (c, data, G_MAXUINT,
                                  "Line %u: the time of a delay is %.6g s, which is more than its "
                                  "longest time, %.6g s.",
                                  lines[i], ago[i], past->past.delay);
  return WEIR_OK;
}

/* The values as they are, 0 where that would have to be solved for. @now: with room for all. */
static void
find_now (const WeirCalc *c, const WeirEquationsData *data, const WeirPart *part, double *now,
          double *work)
{
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL, work);
  weir_program_execute (weir_equations_at (data, part->program), work, now,
                        work + part->n_operands);
}

/* Element @i before the start. */
static double
calc_before (const WeirCalc *c, const WeirEquationsData *data, const WeirEquationsPast *past,
             const WeirPart *before, guint i, double then, double *work)
{
  const WeirProgram *program = weir_equations_at (data, before->program);
  const double *first = weir_past_get_first (
      &past->past, weir_calc_discrete (c, (WeirGroup) { (guint16) past->group }));
  double *out = work + 1 + before->n_operands;

  if (((const guint32 *) weir_equations_at (data, before->rows))[i] == 0)
    return first != NULL ? first[i] : ((const double *) weir_equations_at (data, before->guess))[i];
  work[0] = then;
  weir_equations_gather (c, weir_equations_at (data, before->operands), before->n_operands, NULL,
                         work + 1);
  weir_program_execute (program, work, out, out + before->n);
  return out[i];
}

static gsize
get_work_size (const WeirEquationsData *data, const WeirPart *part)
{
  return part->n_operands + weir_program_get_work_size (weir_equations_at (data, part->program));
}

WeirStatus
weir_equations_execute_delayed (const WeirCalc *c, const WeirEquationsData *data,
                                const WeirPart *part, double *own)
{
  const WeirEquationsPast *past = get_past (data, part);
  const WeirPart *before = part + 1, *now = NULL;
  const guint32 *are_known = weir_equations_at (data, part->rows);
  const double *rows = weir_calc_discrete (c, (WeirGroup) { (guint16) past->group });
  double t = weir_calc_time (c);
  gsize n_work = 1 + before->n + get_work_size (data, before);
  double *ago, *present, *work;
  WeirStatus status;

  if (part->kind == WEIR_PART_DELAYED && !past->is_fixed)
    now = part + 2;
  if (!past->is_fixed)
    n_work = MAX (n_work, get_work_size (data, part));
  if (now != NULL)
    n_work = MAX (n_work, get_work_size (data, now));
  ago = weir_equations_get_scratch (c, 2 * part->n + n_work);
  present = ago + part->n;
  work = present + part->n;
  status = find_times (c, data, part, ago, work);
  if (now != NULL && status == WEIR_OK)
    find_now (c, data, now, present, work);
  for (guint i = 0; i < part->n && status == WEIR_OK; i++)
    {
      double then = t - ago[i];
      gboolean is_read;

      if (part->kind == WEIR_PART_NEAREST)
        {
          own[i] = weir_past_get_distance (&past->past, rows, then);
          continue;
        }
      is_read = now != NULL && are_known[i]
                    ? weir_past_read_until (&past->past, rows, t, then, i, 1, &present[i], &own[i])
                    : weir_past_read (&past->past, rows, t, then, i, 1, &own[i]);
      if (!is_read)
        own[i] = calc_before (c, data, past, before, i, then, work);
    }
  return status;
}

WeirStatus
weir_equations_keep (const WeirCalc *c, gint64 is_anew, double *next)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirEquationsPast *pasts = weir_equations_at (data, data->pasts);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirPart *part = weir_equations_at (data, computation->parts);
  const WeirProgram *program = weir_equations_at (data, part->program);
  guint order = 0;
  double *in, *values;

  weir_equations_evaluate (c, weir_equations_at (data, part->operands), part->n_operands);
  in = weir_equations_get_scratch (c, part->n_operands + part->n
                                          + weir_program_get_work_size (program));
  values = in + part->n_operands;
  weir_equations_gather (c, weir_equations_at (data, part->operands), part->n_operands, NULL, in);
  weir_program_execute (program, in, values, values + part->n);
  /* What comes back from any past breaks off what is kept in every other. */
  for (guint i = 0; i < data->n_pasts; i++)
    if (pasts[i].is_fixed)
      {
        guint found = weir_past_get_order (
            &pasts[i].past, weir_calc_discrete (c, (WeirGroup) { (guint16) pasts[i].group }),
            weir_calc_time (c));

        order = found == 0 ? order : order == 0 ? found : MIN (order, found);
      }
  return weir_past_keep (&get_past (data, part)->past, c, values, order, is_anew != 0, next);
}

typedef double (*FindTime) (const WeirPast *past, const double *rows, double after);

static WeirStatus
find_time (const WeirCalc *c, FindTime find, double after, double *time)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirEquationsPast *past = get_past (data, weir_equations_at (data, computation->parts));

  *time = find (&past->past, weir_calc_discrete (c, (WeirGroup) { (guint16) past->group }), after);
  return WEIR_OK;
}

WeirStatus
weir_equations_find_row (const WeirCalc *c, double after, double *time)
{
  const WeirEquationsData *data = weir_calc_data (c);
  const WeirComputation *computation = weir_equations_get_computation (c, data, data->events);
  const WeirEquationsPast *past = get_past (data, weir_equations_at (data, computation->parts));

  *time = weir_past_find_row (&past->past,
                              weir_calc_discrete (c, (WeirGroup) { (guint16) past->group }),
                              weir_calc_accuracy (c), after);
  return WEIR_OK;
}

WeirStatus
weir_equations_find_break (const WeirCalc *c, double after, double *time)
{
  return find_time (c, weir_past_find_break, after, time);
}

WeirStatus
weir_equations_find_short_step (const WeirCalc *c, double after, double *time)
{
  return find_time (c, weir_past_find_short_step, after, time);
}
