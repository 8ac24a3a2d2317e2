/* What happens to a leaf, and when: triggers, and the handlers declared for them. See
 * leaf-private.h.
 */
#include "system/structure/leaf-private.h"

#include <math.h>

static void
add_event (WeirLeafBuilder *b, WeirTrigger trigger, WeirAction action, WeirGroup group,
           WeirEventCode code)
{
  WeirEventDecl decl = {
    .trigger = trigger.kind,
    .action = action,
    .group = group,
    .period = trigger.period,
    .offset = trigger.offset,
    .n_points = trigger.n_points,
    .witness = trigger.witness,
    .direction = trigger.direction,
    .leaves_zero = trigger.leaves_zero,
    .n_limits = trigger.n_limits,
  };

  if (trigger.kind == WEIR_TRIGGER_PERIODIC)
    g_assert (isfinite (trigger.period) && trigger.period > 0 && isfinite (trigger.offset)
              && trigger.offset >= 0);
  if (trigger.kind == WEIR_TRIGGER_CROSSING)
    g_assert (trigger.witness.i < b->shape->entries->len);
  code.next_time = trigger.next_time;
  g_assert ((trigger.kind == WEIR_TRIGGER_TIMED) == (code.next_time != NULL));
  g_array_append_val (b->shape->events, decl);
  g_array_append_val (b->event_code, code);
}

WeirTrigger
weir_on_initialization (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_INITIALIZATION };
}

WeirTrigger
weir_every (double period, double offset)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_PERIODIC, .period = period, .offset = offset };
}

WeirTrigger
weir_every_point (double delay, guint n_points)
{
  WeirTrigger trigger = weir_every (delay / n_points, 0);

  trigger.n_points = n_points;
  return trigger;
}

WeirTrigger
weir_on_each_step (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_PER_STEP };
}

WeirTrigger
weir_on_both_sides (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_SIDES };
}

WeirTrigger
weir_at_times (WeirNextTimeFunc next_time)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_TIMED, .next_time = next_time };
}

WeirTrigger
weir_on_crossing (WeirCached witness, WeirDirection direction)
{
  return (
      WeirTrigger) { .kind = WEIR_TRIGGER_CROSSING, .witness = witness, .direction = direction };
}

WeirTrigger
weir_on_change_of_sign (WeirCached witness, WeirDirection direction)
{
  WeirTrigger trigger = weir_on_crossing (witness, direction);

  trigger.leaves_zero = TRUE;
  return trigger;
}

WeirTrigger
weir_at_limits (WeirTrigger trigger, guint n)
{
  trigger.n_limits = n;
  return trigger;
}

WeirTrigger
weir_when_forced (void)
{
  return (WeirTrigger) { .kind = WEIR_TRIGGER_FORCED };
}

void
weir_leaf_add_publish (WeirLeafBuilder *b, WeirTrigger trigger, WeirPublishFunc publish)
{
  add_event (b, trigger, WEIR_ACTION_PUBLISH, (WeirGroup) { 0 },
             (WeirEventCode) { .publish = publish });
}

void
weir_leaf_add_update (WeirLeafBuilder *b, WeirTrigger trigger, WeirGroup group,
                      WeirUpdateFunc update)
{
  g_assert (weir_shape_group (b->shape, group.i)->type == NULL);
  add_event (b, trigger, WEIR_ACTION_DISCRETE_UPDATE, group, (WeirEventCode) { .update = update });
}

void
weir_leaf_add_reset (WeirLeafBuilder *b, WeirTrigger trigger, WeirUpdateFunc reset)
{
  g_assert (b->shape->initial_state != NULL); /* there is a state to reset */
  add_event (b, trigger, WEIR_ACTION_RESET, (WeirGroup) { 0 }, (WeirEventCode) { .update = reset });
}

void
weir_leaf_add_unrestricted_update (WeirLeafBuilder *b, WeirTrigger trigger,
                                   WeirUnrestrictedFunc update)
{
  add_event (b, trigger, WEIR_ACTION_UNRESTRICTED_UPDATE, (WeirGroup) { 0 },
             (WeirEventCode) { .unrestricted = update });
}

void
weir_leaf_add_break (WeirLeafBuilder *b, WeirTrigger trigger)
{
  add_event (b, trigger, WEIR_ACTION_BREAK, (WeirGroup) { 0 }, (WeirEventCode) { .update = NULL });
}

void
weir_leaf_set_phases (WeirLeafBuilder *b, guint n, WeirPhaseFunc phases)
{
  g_assert (b->shape->n_phases == 0 && n > 0 && phases != NULL);

  b->shape->n_phases = n;
  b->phases = phases;
}

void
weir_leaf_add_periodic_update (WeirLeafBuilder *b, WeirGroup group, double period, double offset,
                               WeirUpdateFunc update)
{
  weir_leaf_add_update (b, weir_every (period, offset), group, update);
}

void
weir_leaf_set_unique_update (WeirLeafBuilder *b, double period, double offset, WeirCalcFunc calc,
                             const WeirTicket *depends)
{
  WeirEntryCode code = { .calc = calc };
  guint size = 0;

  for (guint16 g = 0; g < b->shape->groups->len; g++)
    if (weir_shape_group (b->shape, g)->type == NULL)
      {
        size += weir_shape_group (b->shape, g)->size;
        /* No function: the handler is the entry. */
        add_event (b, weir_every (period, offset), WEIR_ACTION_DISCRETE_UPDATE, (WeirGroup) { g },
                   (WeirEventCode) { .update = NULL });
      }
  weir_leaf_add_entry (b, "unique periodic update", WEIR_ENTRY_UPDATE, WEIR_TICKET_XD_UPDATE, size,
                       NULL, code, 0, depends);
}

void
weir_leaf_add_periodic_publish (WeirLeafBuilder *b, double period, double offset,
                                WeirPublishFunc publish)
{
  weir_leaf_add_publish (b, weir_every (period, offset), publish);
}
