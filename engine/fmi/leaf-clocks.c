/* Clocks of an FMU of model exchange: what a context keeps of them. See leaf-private.h.
 *
 * Triggered clocks tick when the signal at their port reaches the next whole number, as a count and
 * a Boolean do; ticks, and what clocks that are outputs have counted and clocked outputs are, stand
 * in groups of discrete state.
 */
#include "fmi/leaf-private.h"

#include <math.h>
#include <string.h>

static const double *
read_input (gconstpointer c, guint32 place)
{
  return weir_calc_input (c, (WeirInput) { (guint16) place });
}

void
weir_fmu_ticks_init_leaf (WeirFmuTicks *self, const WeirCalc *c, const WeirFmuLeafData *data)
{
  WeirFmuClocks clocks = weir_fmu_leaf_get_clocks (data);
  double *value;

  weir_fmu_ticks_init (self, &clocks, read_input, c);
  self->c = c;
  self->data = data;
  if (data->n_timed > 0)
    memcpy (self->timed, weir_calc_discrete (c, (WeirGroup) { (guint16) data->ticks }),
            data->n_timed * WEIR_FMU_TICK_N * sizeof (double));
  value = self->outputs;
  for (guint i = 0; i < weir_fmu_clocks_count_held (&clocks); i++)
    {
      const WeirFmuPlaceOfValue *held = &weir_fmu_clocks_get_held (&clocks, i)->value;

      memcpy (value, weir_calc_discrete (c, (WeirGroup) { (guint16) held->place }),
              held->size * sizeof *value);
      value += held->size;
    }
}

gboolean
weir_fmu_ticks_take_nominals (WeirFmuTicks *self, WeirFmuInstance *instance, GError **error)
{
  if (self->data->n_states == 0)
    return TRUE;
  g_free (self->nominals);
  self->nominals = g_new0 (double, self->data->n_states);
  return weir_fmu_instance_get_nominals (instance, self->nominals, error);
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

  if (self->nominals != NULL)
    keep (self->c, next, data->nominals, self->nominals, data->n_states);
  if (data->n_timed > 0)
    keep (self->c, next, data->ticks, self->timed, data->n_timed * WEIR_FMU_TICK_N);
  for (guint i = 0; i < weir_fmu_clocks_count_held (&self->clocks); i++)
    {
      const WeirFmuPlaceOfValue *held = &weir_fmu_clocks_get_held (&self->clocks, i)->value;

      keep (self->c, next, held->place, value, held->size);
      value += held->size;
    }
}

void
weir_fmu_ticks_read_triggers (const WeirCalc *c, const WeirFmuLeafData *data, double *signals)
{
  const WeirFmuLeafClocked *triggers = weir_fmu_leaf_clocked (data);

  for (guint i = 0; i < data->n_triggers; i++)
    signals[i] = floor (weir_calc_input (c, (WeirInput) { (guint16) triggers[i].value.place })[0]);
}
