/* Steps that are repeated until units agree: what each sees of the others at the end of the step is
 * what these give there.
 *
 * The unknowns are those outputs that some unit of the round reads. A sweep brings every unit back
 * to where the step began and lets it step with the unknowns as they are supposed to be; what comes
 * out is compared with that. The next supposition is Anderson's: that mixture of the last ones,
 * with what came of them, whose differences cancel best, by least squares. For units that are
 * linear it is exact after as many sweeps as there are unknowns, whether or not plain repetition
 * would converge. All is computed on the owner's thread from what sweeps gave, so that threads make
 * no difference.
 *
 * Abstract values are taken as they come out, until they come out the same.
 *
 * The rest of the model takes no part: it has advanced with the outputs of the instant.
 */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "cosim/cosim-private.h"
#include "numerics/number.h"
#include "numerics/qr.h"
#include "sim/schedule.h"

#define MAX_SWEEPS 60
#define MAX_DEPTH 12 /* sweeps that are mixed */
#define LEAST_SHARE 1e-10

struct _WeirIteration {
  guint *units; /* that step, in the order of the list */
  guint n_units;
  double **at, **from; /* by unknown: in y_trial, in y_new */
  guint n;             /* unknowns */
  guint max;           /* for which there is room */
  double *x, *f;       /* supposed; what came, less that */
  double *last_x, *last_f;
  double *dx, *df; /* differences from sweep to sweep, MAX_DEPTH columns of n */
  double *a, *b;   /* scratch of least squares */
  guint depth;
};

void
weir_iteration_free (WeirIteration *self)
{
  if (self == NULL)
    return;
  g_free (self->units);
  g_free (self->at);
  g_free (self->from);
  g_free (self->x);
  g_free (self);
}

/* One block of memory for all numbers. */
static WeirIteration *
iteration_new (const WeirCosim *cosim)
{
  WeirIteration *self = g_new0 (WeirIteration, 1);
  gsize n;

  for (guint i = 0; i < cosim->n; i++)
    self->max += cosim->units[i]->info.n_y;
  n = self->max;
  self->units = g_new (guint, cosim->n);
  self->at = g_new (double *, n);
  self->from = g_new (double *, n);
  self->x = g_new (double, n *(5 + 3 * MAX_DEPTH) + 1);
  self->f = self->x + n;
  self->last_x = self->f + n;
  self->last_f = self->last_x + n;
  self->b = self->last_f + n;
  self->dx = self->b + n;
  self->df = self->dx + n * MAX_DEPTH;
  self->a = self->df + n * MAX_DEPTH;
  return self;
}

/* --- What is unknown ------------------------------------------------------------------------- */

/* Is group @group of @unit read by a unit of the round, as it is at the end of the step? */
static gboolean
is_read (const WeirCosim *cosim, const WeirParticipant *unit, guint group)
{
  const WeirIteration *self = cosim->iteration;

  for (guint i = 0; i < self->n_units; i++)
    {
      const WeirParticipant *reader = cosim->units[self->units[i]];

      for (guint k = 0; k < reader->info.n_inputs; k++)
        for (guint f = 0;
             reader->ports[k].kind != WEIR_PORT_AT_INSTANT && f < reader->ports[k].feeds->len; f++)
          {
            const WeirFeed *feed = &g_array_index (reader->ports[k].feeds, WeirFeed, f);

            if (feed->kind == WEIR_FEED_UNIT && feed->node.i == unit->info.node.i
                && feed->group.i == group)
              return TRUE;
          }
    }
  return FALSE;
}

static void
list_unknowns (WeirCosim *cosim)
{
  WeirIteration *self = cosim->iteration;

  self->n = 0;
  for (guint i = 0; i < self->n_units; i++)
    {
      WeirParticipant *unit = cosim->units[self->units[i]];

      for (guint o = 0, at = 0; o < unit->info.n_outputs; o++)
        {
          guint size = weir_layout_get_output_size (cosim->layout, unit->info.node,
                                                    (WeirOutput) { (guint16) o });

          for (guint e = 0; e < size && is_read (cosim, unit, o); e++)
            {
              self->at[self->n] = unit->y_trial + at + e;
              self->from[self->n++] = unit->y_new + at + e;
            }
          at += size;
        }
    }
}

/* Those whose steps end at instant @k, each as it was where its step began. */
static gboolean
prepare (WeirCosim *cosim, gint64 k, GError **error)
{
  WeirIteration *self = cosim->iteration;

  self->n_units = 0;
  for (guint p = 0; p <= cosim->n; p++)
    if (cosim->list[p] != WEIR_COSIM_REST && cosim->units[cosim->list[p]]->ends == k)
      self->units[self->n_units++] = cosim->list[p];
  for (guint i = 0; i < cosim->n; i++)
    memcpy (cosim->units[i]->y_trial, cosim->units[i]->y,
            cosim->units[i]->info.n_y * sizeof (double));
  for (guint i = 0; i < cosim->n; i++)
    weir_participant_copy_abstract (cosim->units[i], cosim->units[i]->abstract_y_trial,
                                    cosim->units[i]->abstract_y);
  for (guint i = 0; i < self->n_units; i++)
    {
      WeirParticipant *unit = cosim->units[self->units[i]];

      weir_participant_take_arrived (unit);
      unit->is_late = FALSE;
      g_clear_pointer (&unit->started, g_bytes_unref);
      unit->started = unit->info.kind->unit_class->save (unit->instance, error);
      if (unit->started == NULL)
        {
          weir_error_prefix (error, unit->path);
          return FALSE;
        }
    }
  for (guint l = cosim->late->len; l-- > 0;)
    if (cosim->units[g_array_index (cosim->late, guint, l)]->ends == k)
      g_array_remove_index (cosim->late, l);
  list_unknowns (cosim);
  return TRUE;
}

/* --- Sweeps ---------------------------------------------------------------------------------- */

static gboolean
sweep (WeirCosim *cosim, double t, GError **error)
{
  const WeirIteration *self = cosim->iteration;

  for (guint i = 0; i < self->n_units; i++)
    weir_cosim_start_step (cosim, cosim->units[self->units[i]]);
  for (guint i = 0; i < self->n_units; i++)
    weir_cosim_wait_for (cosim, cosim->units[self->units[i]]);
  return weir_cosim_check (cosim, t, error);
}

/* What is allowed of a difference is 1. */
static double
get_weight (const WeirCosim *cosim, guint j)
{
  const WeirIteration *self = cosim->iteration;

  return 1
         / (cosim->absolute_tolerance
            + cosim->relative_tolerance * fmax (fabs (self->x[j]), fabs (self->x[j] + self->f[j])));
}

/* The next supposition: x + f less what the differences explain. */
static gboolean
mix (WeirCosim *cosim)
{
  WeirIteration *self = cosim->iteration;
  guint n = self->n, m = self->depth;
  double gamma[MAX_DEPTH];
  WeirQr qr = { .rows = n, .columns = m, .a = self->a, .b = self->b };

  for (guint j = 0; j < n; j++)
    {
      double weight = get_weight (cosim, j);

      self->b[j] = weight * self->f[j];
      for (guint c = 0; c < m; c++)
        self->a[c * n + j] = weight * self->df[c * n + j];
    }
  if (m > 0 && !weir_qr_solve (&qr, weir_qr_factorise (&qr, LEAST_SHARE), gamma))
    return FALSE;
  memcpy (self->last_x, self->x, n * sizeof (double));
  memcpy (self->last_f, self->f, n * sizeof (double));
  for (guint j = 0; j < n; j++)
    {
      self->x[j] += self->f[j];
      for (guint c = 0; c < m; c++)
        self->x[j] -= gamma[c] * (self->dx[c * n + j] + self->df[c * n + j]);
    }
  return TRUE;
}

/* The newest difference comes first, so that older ones are left out where they add nothing. */
static void
note_difference (WeirIteration *self)
{
  guint n = self->n, kept = MIN (MIN (self->depth, MAX_DEPTH - 1), n - 1);

  memmove (self->dx + n, self->dx, (gsize) kept * n * sizeof (double));
  memmove (self->df + n, self->df, (gsize) kept * n * sizeof (double));
  for (guint j = 0; j < n; j++)
    {
      self->dx[j] = self->x[j] - self->last_x[j];
      self->df[j] = self->f[j] - self->last_f[j];
    }
  self->depth = kept + 1;
}

/* How many times what is allowed the greatest difference is. @worst: whose it is. */
static double
look (WeirCosim *cosim, guint *worst)
{
  WeirIteration *self = cosim->iteration;
  double greatest = 0;

  *worst = 0;
  for (guint j = 0; j < self->n; j++)
    {
      double excess;

      self->f[j] = *self->from[j] - self->x[j];
      excess = fabs (self->f[j]) * get_weight (cosim, j);
      if (!(excess <= greatest))
        {
          greatest = excess;
          *worst = j;
        }
    }
  return greatest;
}

/* Supposes of abstract outputs what came; NULL: it was the same, else one of whom it was not. */
static const WeirParticipant *
take_abstract (WeirCosim *cosim)
{
  const WeirIteration *self = cosim->iteration;
  const WeirParticipant *other = NULL;

  for (guint i = 0; i < self->n_units; i++)
    {
      const WeirParticipant *unit = cosim->units[self->units[i]];

      if (weir_participant_is_abstract_same (unit, unit->abstract_y_trial, unit->abstract_y_new))
        continue;
      weir_participant_copy_abstract (unit, unit->abstract_y_trial, unit->abstract_y_new);
      other = unit;
    }
  return other;
}

/* @restless: whose abstract outputs were others at last; NULL: it is a number. */
static gboolean
fail (const WeirCosim *cosim, const WeirParticipant *restless, guint worst, double t,
      GError **error)
{
  const WeirIteration *self = cosim->iteration;
  char time[WEIR_TIME_TEXT_SIZE];

  if (restless != NULL)
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "%s: the units do not agree on its texts or bytes at t = %s after %d "
                      "repetitions of the step",
                      restless->path, weir_time_to_text (t, (double) NAN, time), MAX_SWEEPS);
      return FALSE;
    }

  for (guint i = 0; i < self->n_units; i++)
    {
      const WeirParticipant *unit = cosim->units[self->units[i]];
      gsize at = (gsize) (self->from[worst] - unit->y_new);
      guint o = 0;

      if (self->from[worst] < unit->y_new || at >= unit->info.n_y)
        continue;
      for (; at >= weir_layout_get_output_size (cosim->layout, unit->info.node,
                                                (WeirOutput) { (guint16) o });
           o++)
        at -= weir_layout_get_output_size (cosim->layout, unit->info.node,
                                           (WeirOutput) { (guint16) o });
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "%s: the units do not agree on its output %s at t = %s after %d repetitions of the "
          "step; it still changes by %g; a shorter communication step may help",
          unit->path,
          weir_layout_get_output_name (cosim->layout, unit->info.node,
                                       (WeirOutput) { (guint16) o }),
          weir_time_to_text (t, (double) NAN, time), MAX_SWEEPS, self->f[worst]);
      return FALSE;
    }
  g_return_val_if_reached (FALSE);
}

/* Of a run that goes on, what the step began with is of no use. */
static void
forget_starts (WeirCosim *cosim)
{
  for (guint i = 0; i < cosim->n; i++)
    g_clear_pointer (&cosim->units[i]->started, g_bytes_unref);
}

gboolean
weir_cosim_iterate (WeirCosim *cosim, gint64 k, GError **error)
{
  double t = weir_periodic_time (cosim->step, cosim->start, k);
  const WeirParticipant *restless = NULL;
  gboolean is_close;
  WeirIteration *self;
  guint worst;

  if (cosim->iteration == NULL)
    cosim->iteration = iteration_new (cosim);
  self = cosim->iteration;
  if (!prepare (cosim, k, error))
    return FALSE;
  for (guint j = 0; j < self->n; j++)
    self->x[j] = *self->at[j];
  self->depth = 0;
  for (guint s = 0; s < MAX_SWEEPS; s++)
    {
      if (!sweep (cosim, t, error))
        return FALSE;
      restless = take_abstract (cosim);
      is_close = look (cosim, &worst) <= 1;
      if (is_close && restless == NULL)
        {
          forget_starts (cosim);
          return TRUE;
        }
      if (is_close)
        continue;
      if (s > 0)
        note_difference (self);
      if (!mix (cosim))
        break;
      for (guint j = 0; j < self->n; j++)
        *self->at[j] = self->x[j];
    }
  return fail (cosim, restless, worst, t, error);
}
