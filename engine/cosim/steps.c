/* Steps of units under way: when they begin and end, waiting for them, and what went wrong in them.
 * See cosim.h.
 */
#include <gio/gio.h>
#include <math.h>

#include "base/error.h"
#include "base/phrase.h"
#include "base/text.h"
#include "cosim/cosim-private.h"
#include "numerics/number.h"
#include "sim/schedule.h"

#define POLL (20 * G_TIME_SPAN_MILLISECOND)
#define PATIENCE (2 * G_TIME_SPAN_SECOND) /* with a unit that was told to stop */
#define MAX_LENGTH ((gint64) 1 << 40)     /* communication steps */

/* --- When ------------------------------------------------------------------------------------ */

void
weir_cosim_set_grid (WeirCosim *self, double start, double step)
{
  self->start = start;
  self->step = step;
  self->most = 1;
  while (2 * (double) self->most * step <= self->longest && self->most < MAX_LENGTH)
    self->most *= 2;
}

double
weir_cosim_get_time (const WeirCosim *self, gint64 k)
{
  return weir_periodic_time (self->step, self->start, k);
}

void
weir_cosim_set_end (WeirCosim *self, WeirParticipant *unit, gint64 k)
{
  unit->ends = k;
  unit->t_end = weir_cosim_get_time (self, k);
}

/* --- Steps under way ------------------------------------------------------------------------- */

static gboolean
is_cancelled (const WeirCosim *self)
{
  return self->cancel != NULL && g_atomic_int_get (self->cancel) != 0;
}

gboolean
weir_cosim_wait_for (WeirCosim *self, WeirParticipant *unit)
{
  gint64 last = 0;

  if (unit->is_abandoned)
    return FALSE;
  for (;;)
    {
      gint64 now = g_get_monotonic_time ();

      if (weir_tasks_wait (self->tasks, unit->i, now + POLL))
        return TRUE;
      if (!is_cancelled (self))
        continue;
      if (last == 0)
        last = now + PATIENCE;
      if (now > last)
        {
          unit->is_abandoned = TRUE;
          return FALSE;
        }
    }
}

gboolean
weir_cosim_settle (WeirCosim *self)
{
  gboolean ok = TRUE;

  for (guint i = 0; i < self->n; i++)
    ok &= weir_cosim_wait_for (self, self->units[i]);
  return ok;
}

/* @failures: owned; NULL as long as there is none. */
static void
add_failure (WeirMessage **failures, guint *n, const WeirParticipant *unit, const char *what)
{
  WeirMessage *failure = weir_message_new ("%s: %s", unit->path, what);

  *failures = *failures != NULL ? weir_message_join (*failures, "; ", failure) : failure;
  ++*n;
}

gboolean
weir_cosim_check (WeirCosim *self, double t, GError **error)
{
  g_autoptr (WeirMessage) failures = NULL;
  gboolean has_failed = FALSE, is_stop = FALSE;
  char time[WEIR_TIME_TEXT_SIZE];
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    has_failed |= self->units[i]->is_abandoned
                  || (!weir_tasks_is_running (self->tasks, i) && self->units[i]->error != NULL);
  if (!has_failed)
    return TRUE;
  weir_cosim_settle (self); /* what else goes wrong belongs to it */
  for (guint k = 0; k <= self->n; k++)
    {
      const WeirParticipant *unit = self->list[k] == WEIR_COSIM_REST ? NULL
                                                                     : self->units[self->list[k]];

      if (unit == NULL)
        continue;
      if (unit->is_abandoned)
        add_failure (
            &failures, &n, unit,
            weir_phrase (N_ ("its step did not end within 2 s of the stop and was abandoned")));
      else if (unit->error != NULL
               && g_error_matches (unit->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        is_stop = TRUE;
      else if (unit->error != NULL)
        add_failure (&failures, &n, unit, weir_error_get_text (unit->error));
    }
  weir_time_to_text (t, (double) NAN, time);
  if (n == 0 && is_stop)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "the run was stopped at t = %s", time);
  else if (n == 1)
    weir_error_set (error, WEIR_ERROR_FAILED, "%s", weir_message_get_text (failures));
  else
    weir_error_set (error, WEIR_ERROR_FAILED, "%u units failed at t = %s: %s", n, time,
                    failures != NULL ? weir_message_get_text (failures) : "");
  return FALSE;
}

void
weir_cosim_start_step (WeirCosim *self, WeirParticipant *unit)
{
  unit->is_late = FALSE;
  weir_tasks_start (self->tasks, unit->i, unit->before, unit->n_before);
}
