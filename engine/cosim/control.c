/* How long steps of units are. See cosim.h.
 *
 * What a unit gives at the end of a step is compared with what those that read it have supposed
 * until then: of order p of that supposition (held 0, line 1, parabola 2) the difference grows with
 * the step's length to the power p + 1. Steps are powers of two of the communication step and begin
 * at multiples of their length, so that units of several lengths meet.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "cosim/cosim-private.h"

#define SHARE 0.8 /* of the tolerance, that the next step is to have */

/* --- What is allowed ------------------------------------------------------------------------- */

gboolean
weir_cosim_can_control (const WeirCosim *self, GError **error)
{
  if (self->most == 1 || self->type != WEIR_STEP_SCHEDULING_ITERATED)
    return TRUE;
  weir_error_set (
      error, WEIR_ERROR_INVALID,
      "the iterated schedule repeats steps until units agree, and does not control their "
      "length: take another schedule, or let communication steps not grow");
  return FALSE;
}

gint64
weir_cosim_choose_length (const WeirCosim *self, const WeirParticipant *unit, gint64 k)
{
  const WeirUnitClass *class = unit->info.kind->unit_class;
  gint64 n = unit->info.n_steps, length = self->length;

  if ((class->abilities & WEIR_UNIT_VARIABLE_STEP) == 0)
    length = 1;
  while (length > 1 && k % (n * length) != 0)
    length /= 2;
  return n * length;
}

/* --- What was supposed ----------------------------------------------------------------------- */

/* How many times as long a step could have been; above 2: as far as that goes. */
static double
calc_ratio (const WeirCosim *self, double supposed, double found, guint order)
{
  double size = fmax (1, fmax (fabs (supposed), fabs (found)));
  double excess = fabs (found - supposed) / (self->communication_tolerance * size);

  if (!(excess > 0))
    return 4;
  return fmin (4, pow (SHARE / excess, 1.0 / (order + 1)));
}

/* Below 1 only what is beyond the tolerance is: the rest is left to the next step. */
static gboolean
is_beyond (double ratio, guint order)
{
  return ratio < pow (SHARE, 1.0 / (order + 1));
}

/* The least order with which readers go on from output @group of @unit; -1: there are none. */
static gint8
find_order (const WeirCosim *self, const WeirParticipant *unit, guint group)
{
  gint order = unit->fed->len > 0 ? 0 : G_MAXINT8;

  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < self->units[i]->info.n_inputs; k++)
      {
        const WeirInputPort *port = &self->units[i]->ports[k];

        for (guint f = 0; f < port->feeds->len; f++)
          {
            const WeirFeed *feed = &g_array_index (port->feeds, WeirFeed, f);

            if (feed->kind == WEIR_FEED_UNIT && feed->node.i == unit->info.node.i
                && feed->group.i == group)
              order = MIN (order, (gint) port->use.order);
          }
      }
  return order < G_MAXINT8 ? (gint8) order : -1;
}

void
weir_participant_init_control (WeirParticipant *self)
{
  self->past = g_new0 (double, 2 * self->info.n_y + 1);
  self->supposed = g_new0 (double, self->info.n_u + 1);
  self->orders = g_new (gint8, self->info.n_outputs + 1);
  for (guint k = 0; k < self->info.n_outputs; k++)
    self->orders[k] = find_order (self->cosim, self, k);
}

/* Value @e of the outputs at instant @k, as the values before lead to it. @order: (inout) what
 * there are values for. */
static double
extrapolate (const WeirParticipant *unit, guint e, gint64 k, guint *order)
{
  guint n = unit->info.n_y;
  double y[] = { unit->y[e], unit->past[e], unit->past[n + e] }, value = 0;

  *order = MIN (*order, unit->n_past - 1);
  for (guint i = 0; i <= *order; i++)
    {
      double factor = 1;

      for (guint j = 0; j <= *order; j++)
        if (j != i)
          factor *= (double) (k - unit->past_at[j])
                    / (double) (unit->past_at[i] - unit->past_at[j]);
      value += factor * y[i];
    }
  return value;
}

/* How many times as long its step to instant @k could have been, by its outputs. */
static double
judge_outputs (const WeirCosim *self, const WeirParticipant *unit, gint64 k, gboolean *is_too_long)
{
  double least = 4;

  for (guint o = 0, at = 0; o < unit->info.n_outputs; o++)
    {
      guint size = weir_layout_get_output_size (self->layout, unit->info.node,
                                                (WeirOutput) { (guint16) o });

      for (guint e = at; unit->orders[o] >= 0 && e < at + size; e++)
        {
          guint order = (guint) unit->orders[o];
          double supposed = extrapolate (unit, e, k, &order);
          double ratio = calc_ratio (self, supposed, unit->y_new[e], order);

          *is_too_long |= is_beyond (ratio, order);
          least = fmin (least, ratio);
        }
      at += size;
    }
  return least;
}

/* The power of two that is next below @length times @ratio, at most twice @length. */
static gint64
scale (const WeirCosim *self, gint64 length, double ratio)
{
  gint64 next = ratio >= 2 ? 2 * length : length;

  for (double wanted = (double) length * ratio; next > 1 && (double) next > wanted;)
    next /= 2;
  return CLAMP (next, 1, self->most);
}

/* A step whose error is within the tolerance, if not within its share, keeps its length. */
static gint64
find_next (const WeirCosim *self, const WeirParticipant *unit, double ratio, gboolean is_too_long)
{
  gint64 length = (unit->ends - unit->begins) / unit->info.n_steps;

  return scale (self, length, is_too_long ? ratio : fmax (ratio, 1));
}

/* --- Steps that have ended ------------------------------------------------------------------- */

void
weir_cosim_judge_steps (WeirCosim *self, gint64 k)
{
  gint64 next = self->most;
  gboolean is_any = FALSE;

  for (guint i = 0; i < self->n; i++)
    {
      const WeirParticipant *unit = self->units[i];
      double length = self->step * (double) (unit->ends - unit->begins);
      gboolean is_too_long = FALSE;

      if (unit->ends != k)
        continue;
      self->statistics.longest = fmax (self->statistics.longest, length);
      if (!(self->statistics.shortest > 0) || length < self->statistics.shortest)
        self->statistics.shortest = length;
      is_any = TRUE;
      if (self->most > 1)
        {
          double ratio = judge_outputs (self, unit, k, &is_too_long);

          next = MIN (next, find_next (self, unit, ratio, is_too_long));
        }
    }
  if (!is_any)
    return;
  self->statistics.steps++;
  self->length = next;
}

void
weir_participant_note_past (WeirParticipant *self, gint64 k)
{
  double h = self->t_end - self->t;
  guint n = self->info.n_y, n_u = self->info.n_u;

  if (self->cosim->most == 1)
    return;
  memmove (self->past + n, self->past, n * sizeof *self->past);
  memcpy (self->past, self->y, n * sizeof *self->past);
  memmove (self->past_at + 1, self->past_at, 2 * sizeof *self->past_at);
  self->past_at[0] = k;
  self->n_past = MIN (self->n_past + 1, 3);
  for (guint i = 0; i < n_u; i++)
    self->supposed[i] = self->u[i]
                        + (self->is_shaped ? self->slopes[i] * h + self->slopes[n_u + i] * (h * h)
                                           : 0);
}

void
weir_cosim_judge_inputs (WeirCosim *self, const WeirParticipant *unit)
{
  gint64 length = (unit->past_at[0] - unit->past_at[1]) / unit->info.n_steps;

  for (guint k = 0; k < unit->info.n_inputs && self->most > 1 && unit->n_past > 1; k++)
    {
      const WeirInputPort *port = &unit->ports[k];

      if (!port->from_rest || port->kind != WEIR_PORT_AT_INSTANT)
        continue;
      for (guint e = port->offset; e < port->offset + port->size; e++)
        {
          double ratio = calc_ratio (self, unit->supposed[e], unit->u[e], port->use.order);

          if (!is_beyond (ratio, port->use.order))
            ratio = fmax (ratio, 1);
          self->length = MIN (self->length, scale (self, length, ratio));
        }
    }
}

/* --- Steps that are made again --------------------------------------------------------------- */

/* Do all units begin here, end together, and come back to the same bits? */
static gboolean
can_go_back (const WeirCosim *self, gint64 k)
{
  const guint needed = WEIR_UNIT_RESTORES | WEIR_UNIT_REPEATS_BITS | WEIR_UNIT_VARIABLE_STEP;

  for (guint i = 0; i < self->n; i++)
    {
      const WeirParticipant *unit = self->units[i];

      if (unit->begins != k || unit->ends != self->units[0]->ends || unit->is_late
          || unit->ends == k + unit->info.n_steps
          || (unit->info.kind->unit_class->abilities & needed) != needed)
        return FALSE;
    }
  return self->n > 0;
}

/* As they are where their steps begin. */
static gboolean
save_all (WeirCosim *self, GBytes **saved, GError **error)
{
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      saved[i] = unit->info.kind->unit_class->save (unit->instance, error);
      if (saved[i] == NULL)
        {
          weir_error_prefix (error, unit->path);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
start_all (WeirCosim *self, double t, GError **error)
{
  for (guint p = 0; p <= self->n; p++)
    if (self->list[p] != WEIR_COSIM_REST)
      weir_cosim_start_step (self, self->units[self->list[p]]);
  weir_cosim_settle (self);
  return weir_cosim_check (self, t, error);
}

/* The length that the steps under way, which have ended, should have had; theirs if that is well.
 */
static gint64
judge_all (const WeirCosim *self)
{
  gint64 next = self->most;
  gboolean is_too_long = FALSE;

  for (guint i = 0; i < self->n; i++)
    {
      gboolean is_own = FALSE;
      double ratio = judge_outputs (self, self->units[i], self->units[i]->ends, &is_own);

      is_too_long |= is_own;
      next = MIN (next, find_next (self, self->units[i], ratio, is_own));
    }
  return is_too_long ? next : G_MAXINT64;
}

/* All from instant @k on again, @length steps of theirs long. */
static gboolean
make_again (WeirCosim *self, gint64 k, GBytes **saved, gint64 length, GError **error)
{
  gboolean ok;

  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      unit->started = g_bytes_ref (saved[i]);
      unit->has_stepped = FALSE;
      weir_cosim_set_end (self, unit, k + unit->info.n_steps * length);
    }
  ok = start_all (self, self->units[0]->t, error);
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&self->units[i]->started, g_bytes_unref);
  return ok;
}

gboolean
weir_cosim_try_steps (WeirCosim *self, gint64 k, gboolean *is_done, GError **error)
{
  g_autofree GBytes **saved = NULL;
  gint64 length;
  gboolean ok;

  *is_done = self->most > 1 && can_go_back (self, k);
  if (!*is_done)
    return TRUE;
  saved = g_new0 (GBytes *, self->n);
  length = (self->units[0]->ends - k) / self->units[0]->info.n_steps;
  ok = save_all (self, saved, error) && start_all (self, self->units[0]->t, error);
  while (ok && length > 1 && judge_all (self) < length)
    {
      length = judge_all (self);
      self->statistics.rejected++;
      ok = make_again (self, k, saved, length, error);
    }
  for (guint i = 0; i < self->n; i++)
    g_clear_pointer (&saved[i], g_bytes_unref);
  return ok;
}
