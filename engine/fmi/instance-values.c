/* Values of an instance: set, got, stepped, and lists of numbers. See instance.h. */
#include "fmi/instance-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* --- Groups ---------------------------------------------------------------------------------- */

static WeirFmuCall *
add_group (WeirFmuInstance *self, WeirFmuCallKind kind, const WeirFmuValues *group)
{
  WeirFmuCall *call = weir_fmu_trip_add (self, kind);

  call->type = group->type;
  call->refs = weir_fmu_trip_put (self, group->refs, group->n_refs * sizeof *group->refs);
  call->n_refs = group->n_refs;
  call->n_values = group->n_values;
  return call;
}

static void
put_chunks (WeirFmuInstance *self, WeirFmuCall *call, const WeirFmuValues *group)
{
  g_autofree WeirFmuChunk *chunks = g_new0 (WeirFmuChunk, group->n_values + 1);

  for (guint i = 0; i < group->n_values; i++)
    {
      gsize size = 0;
      gconstpointer bytes;

      if (group->type == WEIR_FMU_STRING)
        {
          bytes = ((char *const *) group->values)[i];
          bytes = bytes != NULL ? bytes : "";
          size = strlen (bytes) + 1;
        }
      else
        {
          GBytes *binary = ((GBytes *const *) group->values)[i];

          bytes = binary != NULL ? g_bytes_get_data (binary, &size) : NULL;
        }
      chunks[i].size = size;
      chunks[i].at = weir_fmu_trip_put (self, bytes, size);
    }
  call->values = weir_fmu_trip_put (self, chunks, group->n_values * sizeof *chunks);
}

void
weir_fmu_trip_add_sets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      WeirFmuCall *call = add_group (self, WEIR_FMU_CALL_SET, &groups[i]);

      if (weir_fmu_type_is_chunked (groups[i].type))
        put_chunks (self, call, &groups[i]);
      else
        call->values = weir_fmu_trip_put (
            self, groups[i].values, groups[i].n_values * weir_fmu_type_get_size (groups[i].type));
    }
}

/* @places: where the values will be, one for each group. */
void
weir_fmu_trip_add_gets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                        guint64 *places)
{
  for (guint i = 0; i < n; i++)
    {
      WeirFmuCall *call = add_group (self, WEIR_FMU_CALL_GET, &groups[i]);
      gsize size = weir_fmu_type_is_chunked (groups[i].type)
                       ? sizeof (WeirFmuChunk)
                       : weir_fmu_type_get_size (groups[i].type);

      places[i] = call->values = weir_fmu_trip_take (self, groups[i].n_values * size);
    }
}

/* Each group of gets has its time. */
void
weir_fmu_trip_add_time (WeirFmuInstance *self, gboolean in_time)
{
  if (in_time)
    weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_TIME)->numbers[0] = self->time;
}

guint64
weir_fmu_trip_add_numbers (WeirFmuInstance *self, WeirFmuCallKind kind, guint n)
{
  WeirFmuCall *call = weir_fmu_trip_add (self, kind);

  call->n_values = n;
  return call->values = weir_fmu_trip_take (self, n * sizeof (double));
}

void
weir_fmu_values_clear_chunked (const WeirFmuValues *groups, guint n)
{
  for (guint i = 0; i < n; i++)
    if (weir_fmu_type_is_chunked (groups[i].type))
      memset (groups[i].values, 0, groups[i].n_values * sizeof (gpointer));
}

/* What the worker says of its strings is looked at once, and need not be true. */
static gboolean
fetch_chunks (WeirFmuInstance *self, const WeirFmuValues *group, guint64 place)
{
  const WeirFmuChunk *chunks = weir_fmu_trip_at (self, place);
  gboolean is_sound = TRUE;

  for (guint i = 0; i < group->n_values; i++)
    {
      WeirFmuChunk chunk = chunks[i];
      const char *bytes = weir_fmu_trip_check (self, chunk.at, chunk.size);

      is_sound &= bytes != NULL;
      if (group->type == WEIR_FMU_BINARY)
        ((GBytes **) group->values)[i] = g_bytes_new (bytes, bytes != NULL ? chunk.size : 0);
      else
        ((char **) group->values)[i] = g_strndup (bytes != NULL ? bytes : "",
                                                  bytes != NULL ? chunk.size : 0);
    }
  return is_sound;
}

WeirFmuOutcome
weir_fmu_trip_fetch (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                     const guint64 *places, GError **error)
{
  gboolean is_sound = TRUE;

  for (guint i = 0; i < n; i++)
    if (weir_fmu_type_is_chunked (groups[i].type))
      is_sound &= fetch_chunks (self, &groups[i], places[i]);
    else
      memcpy (groups[i].values, weir_fmu_trip_at (self, places[i]),
              groups[i].n_values * weir_fmu_type_get_size (groups[i].type));
  if (is_sound)
    return WEIR_FMU_DONE;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < groups[i].n_values && weir_fmu_type_is_chunked (groups[i].type); k++)
      if (groups[i].type == WEIR_FMU_STRING)
        g_free (((char **) groups[i].values)[k]);
      else
        g_bytes_unref (((GBytes **) groups[i].values)[k]);
  weir_fmu_values_clear_chunked (groups, n);
  weir_error_set (error, WEIR_ERROR_FAILED,
                  "%s: the FMU has overwritten what its worker answers with.", self->binary.name);
  return WEIR_FMU_FAILED;
}

WeirFmuOutcome
weir_fmu_instance_set (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, GError **error)
{
  WeirFmuOutcome outcome;

  g_return_val_if_fail (n <= WEIR_FMU_MAX_GROUPS, WEIR_FMU_FAILED);
  weir_fmu_instance_note_change (self);
  self->knows_inputs = FALSE; /* they may be among these */
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add_sets (self, groups, n);
  self->set = groups;
  self->n_set = n;
  outcome = weir_fmu_trip_go (self, error);
  self->n_set = 0;
  return outcome;
}

WeirFmuOutcome
weir_fmu_instance_get (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, GError **error)
{
  guint64 places[WEIR_FMU_MAX_GROUPS];
  WeirFmuOutcome outcome;

  g_return_val_if_fail (n <= WEIR_FMU_MAX_GROUPS, WEIR_FMU_FAILED);
  weir_fmu_values_clear_chunked (groups, n);
  weir_fmu_trip_begin (self);
  if (self->phase == WEIR_FMU_IN_TIME)
    weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_TIME)->numbers[0] = self->time;
  weir_fmu_trip_add_gets (self, groups, n, places);
  outcome = weir_fmu_trip_go (self, error);
  return outcome == WEIR_FMU_DONE ? weir_fmu_trip_fetch (self, groups, n, places, error) : outcome;
}

/* --- Lists of numbers ------------------------------------------------------------------------ */

static gboolean
get_numbers (WeirFmuInstance *self, WeirFmuCallKind kind, double *values, guint n, GError **error)
{
  guint64 place;

  weir_fmu_trip_begin (self);
  place = weir_fmu_trip_add_numbers (self, kind, n);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  memcpy (values, weir_fmu_trip_at (self, place), n * sizeof *values);
  return TRUE;
}

gboolean
weir_fmu_instance_get_states (WeirFmuInstance *self, double *x, GError **error)
{
  guint n = self->binary.n_states;

  if (!get_numbers (self, WEIR_FMU_CALL_GET_STATES, x, n, error))
    return FALSE;
  memcpy (self->x, x, n * sizeof *x);
  self->knows_states = TRUE;
  return TRUE;
}

gboolean
weir_fmu_instance_get_nominals (WeirFmuInstance *self, double *nominals, GError **error)
{
  return get_numbers (self, WEIR_FMU_CALL_GET_NOMINALS, nominals, self->binary.n_states, error);
}

gboolean
weir_fmu_instance_count (WeirFmuInstance *self, guint *n_states, guint *n_indicators,
                         GError **error)
{
  WeirFmuCall *states, *indicators;
  WeirFmuBinary *binary = &self->binary;

  weir_fmu_trip_begin (self);
  states = weir_fmu_trip_add (self, WEIR_FMU_CALL_COUNT_STATES);
  indicators = weir_fmu_trip_add (self, WEIR_FMU_CALL_COUNT_INDICATORS);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  *n_states = (guint) states->handle;
  *n_indicators = (guint) indicators->handle;
  if (*n_states > WEIR_FMU_REGION_BYTES / 64 || *n_indicators > WEIR_FMU_REGION_BYTES / 64)
    {
      weir_error_set (
          error, WEIR_ERROR_FAILED,
          "%s: the FMU says that it has %u states and %u event indicators, which is more "
          "than can be exchanged with it.",
          binary->name, *n_states, *n_indicators);
      return FALSE;
    }
  if (*n_states != binary->n_states)
    {
      g_free (self->x);
      self->x = g_new0 (double, *n_states + 1);
      self->knows_states = FALSE;
      /* Names of elements are others. */
      g_strfreev ((char **) binary->state_names);
      binary->state_names = NULL;
    }
  binary->n_states = *n_states;
  binary->n_indicators = *n_indicators;
  return TRUE;
}

WeirFmuOutcome
weir_fmu_instance_differentiate (WeirFmuInstance *self, const guint32 *unknowns, guint n_unknowns,
                                 const guint32 *knowns, guint n_knowns, const double *seed,
                                 guint n_seed, double *sensitivity, guint n_sensitivity,
                                 GError **error)
{
  WeirFmuOutcome outcome;
  WeirFmuCall *call;
  guint64 place;

  weir_fmu_trip_begin (self);
  weir_fmu_trip_add_time (self, self->phase == WEIR_FMU_IN_TIME);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_DIFFERENTIATE);
  call->refs = weir_fmu_trip_put (self, unknowns, n_unknowns * sizeof *unknowns);
  call->n_refs = n_unknowns;
  call->refs2 = weir_fmu_trip_put (self, knowns, n_knowns * sizeof *knowns);
  call->n_refs2 = n_knowns;
  call->values = weir_fmu_trip_put (self, seed, n_seed * sizeof *seed);
  call->n_values = n_seed;
  place = call->values2 = weir_fmu_trip_take (self, n_sensitivity * sizeof *sensitivity);
  call->n_values2 = n_sensitivity;
  outcome = weir_fmu_trip_go (self, error);
  if (outcome == WEIR_FMU_DONE)
    memcpy (sensitivity, weir_fmu_trip_at (self, place), n_sensitivity * sizeof *sensitivity);
  return outcome;
}

/* --- Clocks ---------------------------------------------------------------------------------- */

static WeirFmuCall *
add_clocks (WeirFmuInstance *self, WeirFmuCallKind kind, const guint32 *clocks, guint n)
{
  WeirFmuCall *call;

  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, kind);
  call->type = WEIR_FMU_CLOCK;
  call->refs = weir_fmu_trip_put (self, clocks, n * sizeof *clocks);
  call->n_refs = call->n_values = n;
  return call;
}

gboolean
weir_fmu_instance_get_intervals (WeirFmuInstance *self, const guint32 *clocks, guint n,
                                 double *intervals, guint32 *qualifiers, GError **error)
{
  WeirFmuCall *call = add_clocks (self, WEIR_FMU_CALL_GET_INTERVALS, clocks, n);
  guint64 place = weir_fmu_trip_take (self, n * sizeof *intervals);
  guint64 place2 = weir_fmu_trip_take (self, n * sizeof *qualifiers);

  call->values = place;
  call->values2 = place2;
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  memcpy (intervals, weir_fmu_trip_at (self, place), n * sizeof *intervals);
  memcpy (qualifiers, weir_fmu_trip_at (self, place2), n * sizeof *qualifiers);
  return TRUE;
}

gboolean
weir_fmu_instance_set_intervals (WeirFmuInstance *self, const guint32 *clocks, guint n,
                                 const double *intervals, GError **error)
{
  WeirFmuCall *call = add_clocks (self, WEIR_FMU_CALL_SET_INTERVALS, clocks, n);

  call->values = weir_fmu_trip_put (self, intervals, n * sizeof *intervals);
  weir_fmu_instance_note_change (self);
  return weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error);
}

gboolean
weir_fmu_instance_get_shifts (WeirFmuInstance *self, const guint32 *clocks, guint n, double *shifts,
                              GError **error)
{
  WeirFmuCall *call = add_clocks (self, WEIR_FMU_CALL_GET_SHIFTS, clocks, n);
  guint64 place = weir_fmu_trip_take (self, n * sizeof *shifts);

  call->values = place;
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  memcpy (shifts, weir_fmu_trip_at (self, place), n * sizeof *shifts);
  return TRUE;
}

/* --- Steps ----------------------------------------------------------------------------------- */

WeirFmuOutcome
weir_fmu_instance_do_step (WeirFmuInstance *self, const WeirFmuStep *step, WeirFmuStepEnd *end,
                           GError **error)
{
  guint64 places[WEIR_FMU_MAX_GROUPS];
  WeirFmuOutcome outcome;
  WeirFmuCall *call;

  g_return_val_if_fail (step->n_set <= WEIR_FMU_MAX_GROUPS && step->n_got <= WEIR_FMU_MAX_GROUPS,
                        WEIR_FMU_FAILED);
  weir_fmu_instance_note_change (self);
  self->time = step->time;
  if (step->n_set > 0)
    self->knows_inputs = FALSE;
  weir_fmu_values_clear_chunked (step->got, step->n_got);
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add_sets (self, step->set, step->n_set);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_DO_STEP);
  call->numbers[0] = end->last_time = step->time;
  call->numbers[1] = step->step;
  call->flags = step->no_return ? WEIR_FMU_FLAG_NO_RETURN : 0;
  weir_fmu_trip_add_gets (self, step->got, step->n_got, places);
  self->set = step->set;
  self->n_set = step->n_set;
  outcome = weir_fmu_trip_go (self, error);
  self->n_set = 0;
  if (outcome == WEIR_FMU_FAILED)
    return outcome;
  end->last_time = call->numbers[0];
  end->event_needed = (call->flags & WEIR_FMU_FLAG_EVENT_NEEDED) != 0;
  end->terminates = (call->flags & WEIR_FMU_FLAG_TERMINATES) != 0;
  end->returned_early = (call->flags & WEIR_FMU_FLAG_RETURNED_EARLY) != 0;
  return outcome == WEIR_FMU_DONE
             ? weir_fmu_trip_fetch (self, step->got, step->n_got, places, error)
             : outcome;
}
