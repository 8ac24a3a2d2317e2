/* Clocks of an FMU: when they tick, what is told and taken while they do. See leaf-private.h.
 *
 * A clock ticks in event mode: the FMU is told, computes what the clock clocks, and forgets the
 * tick with its next update. Clocks that are inputs with times of their own tick when the file or
 * the FMU says; triggered ones when somebody says; a clock that is an output is looked at in every
 * event, and counted. What is clocked is told and taken only while one of its clocks ticks, and
 * held between.
 */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fmi/abi.h"

/* --- Which there are ------------------------------------------------------------------------- */

gboolean
weir_fmu_clock_is_trigger (const WeirFmuVariable *variable)
{
  return variable->traits.type == WEIR_FMU_CLOCK && variable->causality == WEIR_FMU_INPUT
         && variable->traits.clock->interval == WEIR_FMU_INTERVAL_TRIGGERED;
}

gboolean
weir_fmu_clock_is_timed (const WeirFmuVariable *variable)
{
  return variable->traits.type == WEIR_FMU_CLOCK && variable->causality == WEIR_FMU_INPUT
         && !weir_fmu_clock_is_trigger (variable);
}

gboolean
weir_fmu_clock_is_output (const WeirFmuVariable *variable)
{
  return variable->traits.type == WEIR_FMU_CLOCK && variable->causality == WEIR_FMU_OUTPUT;
}

gboolean
weir_fmu_is_clocked (const WeirFmuVariable *variable, WeirFmuCausality causality)
{
  WeirFmuType type = variable->traits.type;

  return type != WEIR_FMU_STRING && type != WEIR_FMU_BINARY && type != WEIR_FMU_CLOCK
         && variable->n_clocks > 0 && variable->causality == causality;
}

static void
add_timed (const WeirFmuVariable *variable, GArray *timed)
{
  const WeirFmuClock *clock = variable->traits.clock;
  WeirFmuLeafClock item = { .period = clock->period,
                            .shift = clock->shift,
                            .resolution = clock->resolution,
                            .period_ticks = clock->period_ticks,
                            .shift_ticks = clock->shift_ticks,
                            .reference = variable->reference,
                            .interval = clock->interval };

  g_array_append_val (timed, item);
}

/* A clock, or what is clocked, with the numbers of its clocks. */
static void
add_clocked (const WeirFmuVariable *variable, guint place, guint first, const guint *clock_of,
             GArray *clocked, GArray *numbers)
{
  WeirFmuLeafClocked item = { .value = { .type = variable->traits.type,
                                         .reference = variable->reference,
                                         .size = (guint32) variable->size,
                                         .place = place,
                                         .first = first },
                              .clocks = numbers->len };

  for (guint i = 0; i < variable->n_clocks; i++)
    if (variable->clocks[i] != WEIR_FMU_NONE && clock_of[variable->clocks[i]] != WEIR_FMU_NONE)
      {
        guint32 clock = clock_of[variable->clocks[i]];

        g_array_append_val (numbers, clock);
        item.n_clocks++;
      }
  g_array_append_val (clocked, item);
}

/* Clocks come before what they clock, and are numbered as they come. */
WeirFmuClocks
weir_fmu_clocks_list (const WeirFmuDescription *d, const guint *places, guint first, GArray *timed,
                      GArray *clocked, GArray *numbers)
{
  g_autofree guint *clock_of = g_new (guint, d->n_variables + 1);
  WeirFmuClocks self = { 0 };
  guint n = 0;

  for (guint v = 0; v < d->n_variables; v++)
    {
      clock_of[v] = WEIR_FMU_NONE;
      if (!weir_fmu_clock_is_timed (&d->variables[v]))
        continue;
      clock_of[v] = n++;
      add_timed (&d->variables[v], timed);
      self.n_timed++;
    }
  for (guint v = 0; v < d->n_variables; v++)
    if (weir_fmu_clock_is_trigger (&d->variables[v]))
      {
        clock_of[v] = n++;
        add_clocked (&d->variables[v], places[v], first + self.n_triggers++, clock_of, clocked,
                     numbers);
      }
  for (guint v = 0; v < d->n_variables; v++)
    if (weir_fmu_clock_is_output (&d->variables[v]))
      {
        clock_of[v] = n++;
        add_clocked (&d->variables[v], places[v], 0, clock_of, clocked, numbers);
        self.n_clock_outputs++;
      }
  for (guint v = 0; v < d->n_variables; v++)
    if (weir_fmu_is_clocked (&d->variables[v], WEIR_FMU_INPUT))
      {
        add_clocked (&d->variables[v], places[v], 0, clock_of, clocked, numbers);
        self.n_clocked_inputs++;
      }
  for (guint v = 0; v < d->n_variables; v++)
    if (weir_fmu_is_clocked (&d->variables[v], WEIR_FMU_OUTPUT))
      {
        add_clocked (&d->variables[v], places[v], 0, clock_of, clocked, numbers);
        self.n_clocked_outputs++;
      }
  return self;
}

guint
weir_fmu_clocks_count (const WeirFmuClocks *self)
{
  return self->n_timed + self->n_triggers + self->n_clock_outputs;
}

static const WeirFmuLeafClocked *
get_clock_outputs (const WeirFmuClocks *self)
{
  return self->clocked + self->n_triggers;
}

static const WeirFmuLeafClocked *
get_inputs (const WeirFmuClocks *self)
{
  return get_clock_outputs (self) + self->n_clock_outputs;
}

static const WeirFmuLeafClocked *
get_outputs (const WeirFmuClocks *self)
{
  return get_inputs (self) + self->n_clocked_inputs;
}

guint
weir_fmu_clocks_count_held (const WeirFmuClocks *self)
{
  return self->n_clock_outputs + self->n_clocked_outputs;
}

const WeirFmuLeafClocked *
weir_fmu_clocks_get_held (const WeirFmuClocks *self, guint i)
{
  return i < self->n_clock_outputs ? &get_clock_outputs (self)[i]
                                   : &get_outputs (self)[i - self->n_clock_outputs];
}

/* --- What is known of them ------------------------------------------------------------------- */

void
weir_fmu_ticks_init (WeirFmuTicks *self, const WeirFmuClocks *clocks, WeirFmuReadInput read_input,
                     gconstpointer whose)
{
  guint n = 0;

  *self = (WeirFmuTicks) { .clocks = *clocks, .read_input = read_input, .whose = whose };
  self->active = g_new0 (guint8, weir_fmu_clocks_count (clocks) + 1);
  self->timed = g_new0 (double, clocks->n_timed *WEIR_FMU_TICK_N + 1);
  for (guint i = 0; i < clocks->n_timed; i++)
    self->timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT] = INFINITY;
  for (guint i = 0; i < weir_fmu_clocks_count_held (clocks); i++)
    n += weir_fmu_clocks_get_held (clocks, i)->value.size;
  self->outputs = g_new0 (double, n + 1);
}

void
weir_fmu_ticks_clear (WeirFmuTicks *self)
{
  g_clear_pointer (&self->timed, g_free);
  g_clear_pointer (&self->outputs, g_free);
  g_clear_pointer (&self->active, g_free);
  g_clear_pointer (&self->nominals, g_free);
}

double
weir_fmu_ticks_find_next (const double *timed, guint n_timed, double after)
{
  double next = INFINITY;

  for (guint i = 0; i < n_timed; i++)
    {
      double time = timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT];

      next = time > after && time < next ? time : next;
    }
  return next;
}

void
weir_fmu_ticks_snap (WeirFmuTicks *self, double time, double within)
{
  for (guint i = 0; i < self->clocks.n_timed; i++)
    {
      double *next = &self->timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT];

      if (fabs (*next - time) <= within)
        *next = time;
    }
}

/* --- When they tick -------------------------------------------------------------------------- */

static gboolean
is_periodic (const WeirFmuLeafClock *clock)
{
  return clock->interval != WEIR_FMU_INTERVAL_CHANGING
         && clock->interval != WEIR_FMU_INTERVAL_COUNTDOWN;
}

/* Counted from the first tick, so that no error grows. */
static void
find_periodic (const WeirFmuLeafClock *clock, double *tick)
{
  guint64 count = (guint64) tick[WEIR_FMU_TICK_COUNT];

  if (tick[WEIR_FMU_TICK_PERIOD] > 0)
    tick[WEIR_FMU_TICK_NEXT] = tick[WEIR_FMU_TICK_ORIGIN]
                               + tick[WEIR_FMU_TICK_COUNT] * tick[WEIR_FMU_TICK_PERIOD];
  else
    tick[WEIR_FMU_TICK_NEXT] = tick[WEIR_FMU_TICK_ORIGIN]
                               + (double) (clock->shift_ticks + count * clock->period_ticks)
                                     / (double) clock->resolution;
}

/* @interval: NAN where the FMU does not know yet; @is_new: it has changed. */
static gboolean
get_interval (WeirFmuInstance *instance, const WeirFmuLeafClock *clock, double *interval,
              gboolean *is_new, GError **error)
{
  guint32 qualifier = WEIR_FMI3_INTERVAL_NOT_YET_KNOWN;

  if (!weir_fmu_instance_get_intervals (instance, &clock->reference, 1, interval, &qualifier,
                                        error))
    return FALSE;
  *is_new = qualifier == WEIR_FMI3_INTERVAL_CHANGED;
  if (qualifier == WEIR_FMI3_INTERVAL_NOT_YET_KNOWN)
    *interval = (double) NAN;
  else if (*is_new
           && !(*interval >= 0 && isfinite (*interval) && (*interval > 0 || !is_periodic (clock))))
    {
      weir_error_set (error, WEIR_ERROR_FAILED,
                      "the FMU says that one of its clocks ticks next after %.9g s", *interval);
      return FALSE;
    }
  return TRUE;
}

static gboolean
begin_periodic (WeirFmuInstance *instance, const WeirFmuLeafClock *clock, double start,
                double *tick, GError **error)
{
  double period = clock->period, shift = isnan (clock->shift) ? 0 : clock->shift;
  gboolean is_new;

  tick[WEIR_FMU_TICK_ORIGIN] = start;
  tick[WEIR_FMU_TICK_COUNT] = 0;
  tick[WEIR_FMU_TICK_PERIOD] = 0;
  if (clock->resolution == 0 || clock->period_ticks == 0)
    {
      if (!(period > 0)
          && (!get_interval (instance, clock, &period, &is_new, error)
              || !weir_fmu_instance_get_shifts (instance, &clock->reference, 1, &shift, error)))
        return FALSE;
      if (!(period > 0))
        {
          weir_error_set (error, WEIR_ERROR_FAILED,
                          "neither the file nor the FMU says how far apart the ticks of one of "
                          "its clocks are");
          return FALSE;
        }
      tick[WEIR_FMU_TICK_ORIGIN] = start + shift;
      tick[WEIR_FMU_TICK_PERIOD] = period;
    }
  find_periodic (clock, tick);
  return TRUE;
}

gboolean
weir_fmu_ticks_begin (WeirFmuTicks *self, WeirFmuInstance *instance, double start, GError **error)
{
  const WeirFmuLeafClock *clocks = self->clocks.timed;
  double *tick = self->timed, interval;
  gboolean is_new;

  for (guint i = 0; i < self->clocks.n_timed; i++, tick += WEIR_FMU_TICK_N)
    if (is_periodic (&clocks[i]))
      {
        if (!begin_periodic (instance, &clocks[i], start, tick, error))
          return FALSE;
      }
    else
      {
        if (!get_interval (instance, &clocks[i], &interval, &is_new, error))
          return FALSE;
        tick[WEIR_FMU_TICK_NEXT] = isnan (interval) ? (double) INFINITY : start + interval;
      }
  return TRUE;
}

/* Of one that has ticked, if @has_ticked: the next. */
static gboolean
ask_one (WeirFmuInstance *instance, const WeirFmuLeafClock *clock, gboolean has_ticked, double time,
         double *tick, GError **error)
{
  gboolean is_tuned = clock->interval == WEIR_FMU_INTERVAL_TUNABLE && isnan (clock->period)
                      && clock->resolution == 0;
  gboolean is_asked = is_tuned || clock->interval == WEIR_FMU_INTERVAL_COUNTDOWN
                      || (clock->interval == WEIR_FMU_INTERVAL_CHANGING && has_ticked);
  gboolean is_new = FALSE;
  double interval;

  if (is_asked && !get_interval (instance, clock, &interval, &is_new, error))
    return FALSE;
  is_new = is_new && !(is_tuned && interval == tick[WEIR_FMU_TICK_PERIOD]);
  if (is_periodic (clock) && is_new) /* from now on */
    {
      tick[WEIR_FMU_TICK_ORIGIN] = time;
      tick[WEIR_FMU_TICK_COUNT] = 1;
      tick[WEIR_FMU_TICK_PERIOD] = interval;
    }
  else if (is_periodic (clock))
    tick[WEIR_FMU_TICK_COUNT] += has_ticked;
  else if (is_new)
    tick[WEIR_FMU_TICK_NEXT] = time + interval;
  else if (has_ticked)
    tick[WEIR_FMU_TICK_NEXT] = INFINITY;
  if (is_periodic (clock))
    find_periodic (clock, tick);
  return TRUE;
}

gboolean
weir_fmu_ticks_ask (WeirFmuTicks *self, WeirFmuInstance *instance, double time, gboolean *are_due,
                    GError **error)
{
  const WeirFmuLeafClock *clocks = self->clocks.timed;
  double *tick = self->timed;

  *are_due = FALSE;
  for (guint i = 0; i < self->clocks.n_timed; i++, tick += WEIR_FMU_TICK_N)
    {
      if (!ask_one (instance, &clocks[i], self->active[i], time, tick, error))
        return FALSE;
      *are_due |= tick[WEIR_FMU_TICK_NEXT] <= time;
    }
  memset (self->active, 0, weir_fmu_clocks_count (&self->clocks));
  return TRUE;
}

/* --- Ticks ----------------------------------------------------------------------------------- */

void
weir_fmu_ticks_trigger (WeirFmuTicks *self, const double *latch, const double *signals)
{
  const WeirFmuLeafClocked *triggers = self->clocks.clocked;

  for (guint i = 0; i < self->clocks.n_triggers; i++)
    if (signals[triggers[i].value.first] > latch[triggers[i].value.first])
      self->active[self->clocks.n_timed + i] = TRUE;
}

static gboolean
is_clocked_now (const WeirFmuTicks *self, const WeirFmuLeafClocked *clocked)
{
  const guint32 *clocks = self->clocks.numbers + clocked->clocks;

  for (guint i = 0; i < clocked->n_clocks; i++)
    if (self->active[clocks[i]])
      return TRUE;
  return FALSE;
}

static gboolean
finish (WeirFmuOutcome outcome, GError **error)
{
  if (outcome == WEIR_FMU_DISCARDED && error != NULL && *error == NULL)
    weir_error_set (error, WEIR_ERROR_FAILED, "the FMU discards the ticks of its clocks");
  return outcome == WEIR_FMU_DONE;
}

/* Those of the importer. */
static gboolean
set_clocks (const WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuClocks *clocks = &self->clocks;
  guint n = clocks->n_timed + clocks->n_triggers;
  g_autofree guint32 *refs = g_new (guint32, n + 1);
  g_autofree guint8 *values = g_new (guint8, n + 1);
  WeirFmuValues group = { WEIR_FMU_CLOCK, refs, 0, values, 0 };

  for (guint i = 0; i < n; i++)
    if (self->active[i])
      {
        refs[group.n_refs] = i < clocks->n_timed
                                 ? clocks->timed[i].reference
                                 : clocks->clocked[i - clocks->n_timed].value.reference;
        values[group.n_refs++] = 1;
      }
  group.n_values = group.n_refs;
  return group.n_refs == 0 || finish (weir_fmu_instance_set (instance, &group, 1, error), error);
}

static gboolean
set_inputs (const WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuLeafClocked *inputs = get_inputs (&self->clocks);

  for (guint i = 0; i < self->clocks.n_clocked_inputs; i++)
    if (is_clocked_now (self, &inputs[i])
        && !weir_fmu_leaf_set (instance, &inputs[i].value, 1,
                               self->read_input (self->whose, inputs[i].value.place), error))
      return FALSE;
  return TRUE;
}

/* Those of the FMU, which are counted. */
static gboolean
get_clocks (WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuLeafClocked *clocks = get_clock_outputs (&self->clocks);
  guint n = self->clocks.n_clock_outputs;
  g_autofree guint32 *refs = g_new (guint32, n + 1);
  guint8 *active = self->active + self->clocks.n_timed + self->clocks.n_triggers;
  WeirFmuValues group = { WEIR_FMU_CLOCK, refs, n, active, n };

  for (guint i = 0; i < n; i++)
    refs[i] = clocks[i].value.reference;
  if (n > 0 && !finish (weir_fmu_instance_get (instance, &group, 1, error), error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    self->outputs[i] += active[i] != 0;
  return TRUE;
}

static gboolean
get_values (WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuLeafClocked *outputs = get_outputs (&self->clocks);
  double *value = self->outputs + self->clocks.n_clock_outputs;

  for (guint i = 0; i < self->clocks.n_clocked_outputs; i++)
    {
      const WeirFmuPlaceOfValue *place = &outputs[i].value;

      if (is_clocked_now (self, &outputs[i])
          && !weir_fmu_leaf_get (instance, place, &place->reference, 1, NULL, value, error))
        return FALSE;
      value += place->size;
    }
  return TRUE;
}

gboolean
weir_fmu_ticks_tell (WeirFmuTicks *self, WeirFmuInstance *instance, double time, GError **error)
{
  for (guint i = 0; i < self->clocks.n_timed; i++)
    if (self->timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT] <= time)
      self->active[i] = TRUE;
  if (weir_fmu_clocks_count (&self->clocks) == 0)
    return TRUE;
  return set_clocks (self, instance, error) && set_inputs (self, instance, error)
         && get_clocks (self, instance, error) && get_values (self, instance, error);
}
