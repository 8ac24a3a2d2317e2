/* The outputs of units at the start of a run.
 *
 * A unit begins once all is known that its first outputs depend on. Where that goes round, the
 * outputs of those units are sought together, by Newton's method from what they show beforehand:
 * each trial begins the units anew. Abstract values among them are as the units gave them last,
 * until they come back the same.
 */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "base/error.h"
#include "cosim/cosim-private.h"
#include "numerics/newton.h"

#define MAX_ROUNDS 20 /* of abstract values */

/* Does some output of the unit at the start depend on value @in? */
static gboolean
starts_with (const WeirParticipant *unit, guint in)
{
  const WeirUnitKind *kind = unit->info.kind;

  for (guint o = 0; o < unit->info.n_y + unit->info.n_abstract_y; o++)
    if (kind->unit_class->starts_with (kind->data, in, o))
      return TRUE;
  return FALSE;
}

/* Do the first outputs of unit @b depend on those of @a? */
static gboolean
starts_after (const WeirCosim *self, guint a, guint b)
{
  const WeirParticipant *unit = self->units[b];
  const WeirUnitKind *kind = unit->info.kind;

  if (kind->unit_class->starts_with == NULL || !weir_bit (unit->units, a))
    return FALSE;
  for (guint k = 0; k < unit->info.n_inputs; k++)
    {
      const WeirInputPort *port = &unit->ports[k];
      guint first = port->offset + (port->is_abstract ? unit->info.n_u : 0);

      for (guint e = 0; weir_bit (port->units, a) && e < MAX (port->size, 1); e++)
        if (starts_with (unit, first + e))
          return TRUE;
    }
  return FALSE;
}

/* Begins the unit with what its inputs show. */
static gboolean
begin_unit (WeirParticipant *unit, double *y, GError **error)
{
  gboolean ok;

  for (guint k = 0; k < unit->info.n_inputs; k++)
    unit->ports[k].kind = WEIR_PORT_AT_INSTANT;
  ok = weir_participant_take_given (unit, error);
  if (ok)
    weir_participant_tell_abstract (unit);
  ok = ok
       && unit->info.kind->unit_class->initialize (unit->instance, unit->cosim->start, unit->u, y,
                                                   error)
       && weir_participant_get_abstract (unit, unit->abstract_y, error);
  unit->n_known = 0; /* the first step notes it again */
  return ok;
}

/* @changed: (out) (nullable) its abstract outputs were others. */
static gboolean
start_unit (WeirParticipant *unit, gboolean *changed, GError **error)
{
  if (!begin_unit (unit, unit->y, error))
    {
      weir_error_prefix (error, unit->path);
      return FALSE;
    }
  memcpy (unit->y_new, unit->y, unit->info.n_y * sizeof *unit->y);
  if (changed != NULL)
    *changed |= !weir_participant_is_abstract_same (unit, unit->abstract_y_new, unit->abstract_y);
  weir_participant_copy_abstract (unit, unit->abstract_y_new, unit->abstract_y);
  weir_participant_write (unit, unit->y, unit->abstract_y);
  return TRUE;
}

/* --- Where it goes round --------------------------------------------------------------------- */

typedef struct {
  WeirCosim *cosim;
  const guint *units;
  guint n_units, n; /* n: outputs */
  double *y, *moved;
  GError *error;
} Loop;

static void
put_outputs (Loop *loop, const double *x)
{
  for (guint i = 0; i < loop->n_units; i++)
    {
      WeirParticipant *unit = loop->cosim->units[loop->units[i]];

      weir_participant_write (unit, x, NULL);
      x += unit->info.n_y;
    }
}

/* What the units give where they show @x. */
static void
give_outputs (Loop *loop, const double *x, double *y)
{
  put_outputs (loop, x);
  for (guint i = 0; i < loop->n_units; i++)
    {
      WeirParticipant *unit = loop->cosim->units[loop->units[i]];

      if (loop->error == NULL && !begin_unit (unit, y, &loop->error))
        weir_error_prefix (&loop->error, unit->path);
      y += unit->info.n_y;
    }
}

static void
calc_residuals (gpointer data, const double *x, double *residuals, double *jacobian)
{
  Loop *loop = data;

  give_outputs (loop, x, loop->y);
  for (guint i = 0; i < loop->n; i++)
    residuals[i] = loop->error != NULL ? (double) NAN : loop->y[i] - x[i];
  if (jacobian == NULL)
    return;
  memcpy (loop->moved, x, loop->n * sizeof *x);
  for (guint j = 0; j < loop->n; j++)
    {
      g_autofree double *y = g_new (double, loop->n);
      double h = 0x1p-26 * MAX (fabs (x[j]), 1);

      loop->moved[j] = x[j] + h;
      h = loop->moved[j] - x[j];
      give_outputs (loop, loop->moved, y);
      loop->moved[j] = x[j];
      for (guint i = 0; i < loop->n; i++)
        jacobian[i * loop->n + j] = (y[i] - loop->y[i]) / h - (i == j);
    }
}

/* The numbers that fit, with abstract values as they are. */
static gboolean
find_numbers (Loop *loop, const char *names)
{
  WeirNewton newton = { .residual = calc_residuals, .data = loop };
  g_autofree double *x = g_new (double, loop->n);
  g_autofree double *work = NULL;
  WeirNewtonOutcome outcome;

  newton.band = weir_band_dense (loop->n);
  work = g_new (double, weir_newton_get_work_size (&newton.band, 0));
  for (guint i = 0, at = 0; i < loop->n_units; i++)
    {
      const WeirParticipant *unit = loop->cosim->units[loop->units[i]];

      memcpy (x + at, unit->y, unit->info.n_y * sizeof *x);
      at += unit->info.n_y;
    }
  outcome = weir_newton_solve (&newton, x, work);
  if (loop->error == NULL && outcome != WEIR_NEWTON_CONVERGED)
    weir_error_set (
        &loop->error, WEIR_ERROR_FAILED,
        "the outputs of the units %s depend on each other at the start, and no values fit "
        "(%s)",
        names, weir_newton_outcome_to_string (outcome));
  if (loop->error == NULL)
    put_outputs (loop, x);
  return loop->error == NULL;
}

static gboolean
start_together (WeirCosim *self, const guint *units, guint n_units, GError **error)
{
  Loop loop = { .cosim = self, .units = units, .n_units = n_units };
  g_autoptr (GString) names = g_string_new (NULL);
  gboolean changed = TRUE, ok = TRUE;

  for (guint i = 0; i < n_units; i++)
    {
      loop.n += self->units[units[i]]->info.n_y;
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", self->units[units[i]]->path);
    }
  loop.y = g_new (double, loop.n + 1);
  loop.moved = g_new (double, loop.n + 1);
  for (guint round = 0; ok && changed; round++)
    {
      changed = FALSE;
      if (round == MAX_ROUNDS)
        weir_error_set (&loop.error, WEIR_ERROR_FAILED,
                        "the outputs of the units %s depend on each other at the start, and their "
                        "texts or bytes never settle",
                        names->str);
      ok = round < MAX_ROUNDS && (loop.n == 0 || find_numbers (&loop, names->str));
      for (guint i = 0; i < n_units && ok; i++)
        ok = start_unit (self->units[units[i]], &changed, &loop.error);
    }
  if (!ok)
    g_propagate_error (error, loop.error);
  g_free (loop.y);
  g_free (loop.moved);
  return ok;
}

/* --- In order -------------------------------------------------------------------------------- */

/* Of those not done, are there some that depend on none of the others that are not? */
static gboolean
is_ready (const WeirCosim *self, const gboolean *is_done, guint b)
{
  for (guint a = 0; a < self->n; a++)
    if (!is_done[a] && starts_after (self, a, b))
      return FALSE;
  return TRUE;
}

/* The units that @from depends on, by @reach, and that depend on it. */
static guint
find_round (const WeirCosim *self, const guint8 *reach, guint from, guint *units)
{
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    if (i == from || (reach[from * self->n + i] && reach[i * self->n + from]))
      units[n++] = i;
  return n;
}

/* A round that depends on nothing but itself. */
static guint
find_first_round (const WeirCosim *self, const gboolean *is_done, guint *units)
{
  g_autofree guint8 *reach = g_new0 (guint8, (gsize) self->n * self->n);
  guint best = G_MAXUINT, least = G_MAXUINT;

  for (guint a = 0; a < self->n; a++)
    for (guint b = 0; b < self->n; b++)
      reach[b * self->n + a] = !is_done[a] && !is_done[b] && starts_after (self, a, b);
  for (guint m = 0; m < self->n; m++)
    for (guint b = 0; b < self->n; b++)
      for (guint a = 0; a < self->n && reach[b * self->n + m]; a++)
        reach[b * self->n + a] |= reach[m * self->n + a];
  for (guint b = 0; b < self->n; b++)
    {
      guint n = 0;

      for (guint a = 0; a < self->n; a++)
        n += reach[b * self->n + a];
      if (!is_done[b] && n < least)
        {
          least = n;
          best = b;
        }
    }
  return find_round (self, reach, best, units);
}

gboolean
weir_cosim_start (WeirCosim *self, GError **error)
{
  g_autofree gboolean *is_done = g_new0 (gboolean, self->n);
  g_autofree guint *units = g_new (guint, self->n);
  guint n_done = 0;

  self->is_planned = FALSE; /* every input shows what is */
  for (guint i = 0; i < self->n; i++)
    {
      WeirParticipant *unit = self->units[i];

      if (!weir_participant_make (unit, error))
        return FALSE;
      if (!weir_participant_take_parameters (unit, TRUE, error))
        {
          weir_error_prefix (error, unit->path);
          return FALSE;
        }
      memset (unit->y, 0, unit->info.n_y * sizeof *unit->y);
      for (guint k = 0; k < unit->info.n_abstract_y; k++)
        weir_abstract_set (&unit->abstract_y_new[k], NULL);
    }
  while (n_done < self->n)
    {
      gboolean any = FALSE;

      for (guint i = 0; i < self->n; i++)
        if (!is_done[i] && is_ready (self, is_done, i))
          {
            if (!start_unit (self->units[i], NULL, error))
              return FALSE;
            is_done[i] = any = TRUE;
            n_done++;
          }
      if (!any)
        {
          guint n = find_first_round (self, is_done, units);

          if (!start_together (self, units, n, error))
            return FALSE;
          for (guint k = 0; k < n; k++)
            is_done[units[k]] = TRUE;
          n_done += n;
        }
    }
  return TRUE;
}
