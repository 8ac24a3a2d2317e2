/* Units that are switched off for a while. See cosim.h.
 *
 * Whoever reads one sees what it gave last. One that is ignored goes on making its steps; one that
 * is off makes none, and begins anew when it comes back, with the inputs of that instant: it knows
 * nothing of the time between.
 */
#include <string.h>

#include "cosim/cosim-private.h"
#include "sim/schedule.h"

void
weir_cosim_set_activity (WeirCosim *self, guint i, WeirUnitActivity activity)
{
  g_return_if_fail (i < self->n && activity <= WEIR_UNIT_OFF);

  if (weir_cosim_get_activity (self, i) != activity)
    weir_context_set_parameter (self->context, self->units[i]->info.node,
                                self->units[i]->info.activity, &(double) { activity });
}

WeirUnitActivity
weir_cosim_get_activity (const WeirCosim *self, guint i)
{
  double value;

  g_return_val_if_fail (i < self->n, WEIR_UNIT_ON);

  value = *weir_context_get_parameter (self->context, self->units[i]->info.node,
                                       self->units[i]->info.activity);
  return value >= WEIR_UNIT_OFF       ? WEIR_UNIT_OFF
         : value >= WEIR_UNIT_IGNORED ? WEIR_UNIT_IGNORED
                                      : WEIR_UNIT_ON;
}

void
weir_cosim_plan_activity (WeirCosim *self, guint i, double from, double until,
                          WeirUnitActivity activity)
{
  WeirAbsence absence = { i, from, until, activity };

  g_return_if_fail (i < self->n && activity <= WEIR_UNIT_OFF);

  g_array_append_val (self->absences, absence);
}

static gboolean
is_reached (double t, double instant)
{
  return t >= instant || weir_is_same_instant (t, instant);
}

void
weir_cosim_choose_activity (WeirCosim *self, WeirParticipant *unit, double t)
{
  unit->active = weir_cosim_get_activity (self, unit->i);
  for (guint a = 0; a < self->absences->len; a++)
    {
      const WeirAbsence *absence = &g_array_index (self->absences, WeirAbsence, a);

      if (absence->unit == unit->i && is_reached (t, absence->from)
          && !is_reached (t, absence->until))
        unit->active = absence->activity;
    }
  unit->begins_anew = unit->was_off && unit->active != WEIR_UNIT_OFF;
  unit->was_off = unit->active == WEIR_UNIT_OFF;
}

gboolean
weir_participant_come_back (WeirParticipant *self, GError **error)
{
  g_autofree double *y = g_new (double, self->info.n_y + 1);

  weir_participant_tell_abstract (self);
  return self->info.kind->unit_class->initialize (self->instance, self->t, self->u, y, error);
}

void
weir_participant_hold_outputs (WeirParticipant *self)
{
  memcpy (self->y_new, self->y, self->info.n_y * sizeof *self->y);
  weir_participant_copy_abstract (self, self->abstract_y_new, self->abstract_y);
}
