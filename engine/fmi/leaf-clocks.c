/* Clocks of an FMU of model exchange. See leaf-private.h.
 *
 * A clock ticks in event mode: the FMU is told, computes what the clock clocks, and forgets the
 * tick with its next update. Clocks that are inputs with times of their own tick when the file or
 * the FMU says; triggered ones when the signal at their port reaches the next whole number, as a
 * count and a Boolean do; a clock that is an output is looked at in every event, and counted. What
 * is clocked is told and taken only while one of its clocks ticks, and held in a group of discrete
 * state between.
 */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fmi/abi.h"

static guint
count_clocks (const WeirFmuLeafData *data)
{
  return data->n_timed + data->n_triggers + data->n_clock_outputs;
}

static const WeirFmuLeafClocked *
get_triggers (const WeirFmuLeafData *data)
{
  return weir_fmu_leaf_clocked (data);
}

static const WeirFmuLeafClocked *
get_clock_outputs (const WeirFmuLeafData *data)
{
  return get_triggers (data) + data->n_triggers;
}

static const WeirFmuLeafClocked *
get_inputs (const WeirFmuLeafData *data)
{
  return get_clock_outputs (data) + data->n_clock_outputs;
}

static const WeirFmuLeafClocked *
get_outputs (const WeirFmuLeafData *data)
{
  return get_inputs (data) + data->n_clocked_inputs;
}

/* Of the clocks that are outputs, and of clocked outputs: those that have groups. */
static guint
count_held (const WeirFmuLeafData *data)
{
  return data->n_clock_outputs + data->n_clocked_outputs;
}

static const WeirFmuLeafClocked *
get_held (const WeirFmuLeafData *data, guint i)
{
  return i < data->n_clock_outputs ? &get_clock_outputs (data)[i]
                                   : &get_outputs (data)[i - data->n_clock_outputs];
}

/* --- State ----------------------------------------------------------------------------------- */

void
weir_fmu_ticks_init (WeirFmuTicks *self, const WeirCalc *c, const WeirFmuLeafData *data)
{
  guint n = 0;
  double *value;

  *self = (WeirFmuTicks) { .c = c, .data = data };
  self->active = g_new0 (guint8, count_clocks (data) + 1);
  if (data->n_timed > 0)
    self->timed = g_memdup2 (weir_calc_discrete (c, (WeirGroup) { (guint16) data->ticks }),
                             data->n_timed * WEIR_FMU_TICK_N * sizeof (double));
  for (guint i = 0; i < count_held (data); i++)
    n += get_held (data, i)->value.size;
  value = self->outputs = g_new (double, n + 1);
  for (guint i = 0; i < count_held (data); i++)
    {
      const WeirFmuPlaceOfValue *held = &get_held (data, i)->value;

      memcpy (value, weir_calc_discrete (c, (WeirGroup) { (guint16) held->place }),
              held->size * sizeof *value);
      value += held->size;
    }
}

void
weir_fmu_ticks_clear (WeirFmuTicks *self)
{
  g_clear_pointer (&self->timed, g_free);
  g_clear_pointer (&self->outputs, g_free);
  g_clear_pointer (&self->active, g_free);
}

/* A group is written only if it changes: what shows it stays valid. */
static void
keep (const WeirCalc *c, WeirNextState *next, guint32 group, const double *values, gsize n)
{
  WeirGroup g = { (guint16) group };

  if (memcmp (weir_calc_discrete (c, g), values, n * sizeof *values) != 0)
    memcpy (weir_next_state_discrete (next, g), values, n * sizeof *values);
}

void
weir_fmu_ticks_keep (const WeirFmuTicks *self, WeirNextState *next)
{
  const WeirFmuLeafData *data = self->data;
  const double *value = self->outputs;

  if (data->n_timed > 0)
    keep (self->c, next, data->ticks, self->timed, data->n_timed * WEIR_FMU_TICK_N);
  for (guint i = 0; i < count_held (data); i++)
    {
      const WeirFmuPlaceOfValue *held = &get_held (data, i)->value;

      keep (self->c, next, held->place, value, held->size);
      value += held->size;
    }
}

double
weir_fmu_ticks_find_next (const WeirCalc *c, const WeirFmuLeafData *data, double after)
{
  const double *timed = data->n_timed > 0
                            ? weir_calc_discrete (c, (WeirGroup) { (guint16) data->ticks })
                            : NULL;
  double next = INFINITY;

  for (guint i = 0; i < data->n_timed; i++)
    {
      double time = timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT];

      next = time > after && time < next ? time : next;
    }
  return next;
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
  const WeirFmuLeafClock *clocks = weir_fmu_leaf_clocks (self->data);
  double *tick = self->timed, interval;
  gboolean is_new;

  for (guint i = 0; i < self->data->n_timed; i++, tick += WEIR_FMU_TICK_N)
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
  const WeirFmuLeafClock *clocks = weir_fmu_leaf_clocks (self->data);
  double *tick = self->timed;

  *are_due = FALSE;
  for (guint i = 0; i < self->data->n_timed; i++, tick += WEIR_FMU_TICK_N)
    {
      if (!ask_one (instance, &clocks[i], self->active[i], time, tick, error))
        return FALSE;
      *are_due |= tick[WEIR_FMU_TICK_NEXT] <= time;
    }
  memset (self->active, 0, count_clocks (self->data));
  return TRUE;
}

/* --- Ticks ----------------------------------------------------------------------------------- */

void
weir_fmu_ticks_read_triggers (const WeirCalc *c, const WeirFmuLeafData *data, double *signals)
{
  const WeirFmuLeafClocked *triggers = get_triggers (data);

  for (guint i = 0; i < data->n_triggers; i++)
    signals[i] = floor (weir_calc_input (c, (WeirInput) { (guint16) triggers[i].value.place })[0]);
}

void
weir_fmu_ticks_trigger (WeirFmuTicks *self, const double *latch, const double *signals)
{
  const WeirFmuLeafClocked *triggers = get_triggers (self->data);

  for (guint i = 0; i < self->data->n_triggers; i++)
    if (signals[triggers[i].value.first] > latch[triggers[i].value.first])
      self->active[self->data->n_timed + i] = TRUE;
}

static gboolean
is_clocked_now (const WeirFmuTicks *self, const WeirFmuLeafClocked *clocked)
{
  const guint32 *clocks = weir_fmu_leaf_numbers (self->data) + clocked->clocks;

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
  const WeirFmuLeafData *data = self->data;
  guint n = data->n_timed + data->n_triggers;
  g_autofree guint32 *refs = g_new (guint32, n + 1);
  g_autofree guint8 *values = g_new (guint8, n + 1);
  WeirFmuValues group = { WEIR_FMU_CLOCK, refs, 0, values, 0 };

  for (guint i = 0; i < n; i++)
    if (self->active[i])
      {
        refs[group.n_refs] = i < data->n_timed
                                 ? weir_fmu_leaf_clocks (data)[i].reference
                                 : get_triggers (data)[i - data->n_timed].value.reference;
        values[group.n_refs++] = 1;
      }
  group.n_values = group.n_refs;
  return group.n_refs == 0 || finish (weir_fmu_instance_set (instance, &group, 1, error), error);
}

static gboolean
set_inputs (const WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuLeafClocked *inputs = get_inputs (self->data);

  for (guint i = 0; i < self->data->n_clocked_inputs; i++)
    if (is_clocked_now (self, &inputs[i])
        && !weir_fmu_leaf_set (
            instance, &inputs[i].value, 1,
            weir_calc_input (self->c, (WeirInput) { (guint16) inputs[i].value.place }), error))
      return FALSE;
  return TRUE;
}

/* Those of the FMU, which are counted. */
static gboolean
get_clocks (WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  const WeirFmuLeafData *data = self->data;
  const WeirFmuLeafClocked *clocks = get_clock_outputs (data);
  guint n = data->n_clock_outputs;
  g_autofree guint32 *refs = g_new (guint32, n + 1);
  guint8 *active = self->active + data->n_timed + data->n_triggers;
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
  const WeirFmuLeafClocked *outputs = get_outputs (self->data);
  double *value = self->outputs + self->data->n_clock_outputs;

  for (guint i = 0; i < self->data->n_clocked_outputs; i++)
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
  for (guint i = 0; i < self->data->n_timed; i++)
    if (self->timed[i * WEIR_FMU_TICK_N + WEIR_FMU_TICK_NEXT] <= time)
      self->active[i] = TRUE;
  if (count_clocks (self->data) == 0)
    return TRUE;
  return set_clocks (self, instance, error) && set_inputs (self, instance, error)
         && get_clocks (self, instance, error) && get_values (self, instance, error);
}
