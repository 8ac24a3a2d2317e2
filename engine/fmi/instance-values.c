/* Values of an instance: set, got, evaluated and stepped. See instance.h. */
#include "fmi/instance-private.h"

#include <math.h>
#include <string.h>

#include "base/status.h"

#define MAX_GROUPS 16

/* --- Groups ---------------------------------------------------------------------------------- */

static gboolean
is_chunked (WeirFmuType type)
{
  return type == WEIR_FMU_STRING || type == WEIR_FMU_BINARY;
}

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

static void
add_sets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      WeirFmuCall *call = add_group (self, WEIR_FMU_CALL_SET, &groups[i]);

      if (is_chunked (groups[i].type))
        put_chunks (self, call, &groups[i]);
      else
        call->values = weir_fmu_trip_put (
            self, groups[i].values, groups[i].n_values * weir_fmu_type_get_size (groups[i].type));
    }
}

/* @places: where the values will be, one for each group. */
static void
add_gets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, guint64 *places)
{
  for (guint i = 0; i < n; i++)
    {
      WeirFmuCall *call = add_group (self, WEIR_FMU_CALL_GET, &groups[i]);
      gsize size = is_chunked (groups[i].type) ? sizeof (WeirFmuChunk)
                                               : weir_fmu_type_get_size (groups[i].type);

      places[i] = call->values = weir_fmu_trip_take (self, groups[i].n_values * size);
    }
}

static void
clear_chunked (const WeirFmuValues *groups, guint n)
{
  for (guint i = 0; i < n; i++)
    if (is_chunked (groups[i].type))
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

static WeirFmuOutcome
fetch (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, const guint64 *places,
       GError **error)
{
  gboolean is_sound = TRUE;

  for (guint i = 0; i < n; i++)
    if (is_chunked (groups[i].type))
      is_sound &= fetch_chunks (self, &groups[i], places[i]);
    else
      memcpy (groups[i].values, weir_fmu_trip_at (self, places[i]),
              groups[i].n_values * weir_fmu_type_get_size (groups[i].type));
  if (is_sound)
    return WEIR_FMU_DONE;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < groups[i].n_values && is_chunked (groups[i].type); k++)
      if (groups[i].type == WEIR_FMU_STRING)
        g_free (((char **) groups[i].values)[k]);
      else
        g_bytes_unref (((GBytes **) groups[i].values)[k]);
  clear_chunked (groups, n);
  g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
               "%s: the FMU has overwritten what its worker answers with.", self->binary.name);
  return WEIR_FMU_FAILED;
}

WeirFmuOutcome
weir_fmu_instance_set (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, GError **error)
{
  WeirFmuOutcome outcome;

  g_return_val_if_fail (n <= MAX_GROUPS, WEIR_FMU_FAILED);
  weir_fmu_instance_note_change (self);
  self->knows_inputs = FALSE; /* they may be among these */
  weir_fmu_trip_begin (self);
  add_sets (self, groups, n);
  self->set = groups;
  self->n_set = n;
  outcome = weir_fmu_trip_go (self, error);
  self->n_set = 0;
  return outcome;
}

WeirFmuOutcome
weir_fmu_instance_get (WeirFmuInstance *self, const WeirFmuValues *groups, guint n, GError **error)
{
  guint64 places[MAX_GROUPS];
  WeirFmuOutcome outcome;

  g_return_val_if_fail (n <= MAX_GROUPS, WEIR_FMU_FAILED);
  clear_chunked (groups, n);
  weir_fmu_trip_begin (self);
  if (self->phase == WEIR_FMU_IN_TIME)
    weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_TIME)->numbers[0] = self->time;
  add_gets (self, groups, n, places);
  outcome = weir_fmu_trip_go (self, error);
  return outcome == WEIR_FMU_DONE ? fetch (self, groups, n, places, error) : outcome;
}

/* --- Evaluation ------------------------------------------------------------------------------ */

/* Which of the inputs are to be set. */
typedef struct {
  guint from, n, n_refs;
} Range;

static G_ALWAYS_INLINE inline gboolean
are_equal (const double *a, const double *b, guint n)
{
  guint64 difference = 0;

  for (guint i = 0; i < n; i++)
    {
      guint64 left, right;

      memcpy (&left, &a[i], sizeof left);
      memcpy (&right, &b[i], sizeof right);
      difference |= left ^ right;
    }
  return difference == 0;
}

/* From the first that differs to the last; where there are arrays, all or none. */
static G_ALWAYS_INLINE inline Range
find_range (const WeirFmuInstance *self, const double *u)
{
  const WeirFmuBinary *binary = &self->binary;
  Range range = { 0, binary->n_input_values, binary->n_inputs };

  if (u == NULL || (self->knows_inputs && are_equal (u, self->u, range.n)))
    return (Range) { 0, 0, 0 };
  if (!self->knows_inputs || binary->n_inputs != binary->n_input_values)
    return range;
  while (are_equal (&u[range.from], &self->u[range.from], 1))
    range.from++;
  while (are_equal (&u[range.n - 1], &self->u[range.n - 1], 1))
    range.n--;
  range.n -= range.from;
  range.n_refs = range.n;
  return range;
}

typedef struct {
  gboolean in_time, sets_states;
  Range inputs;
} Changes;

/* What is told, from here on; known once it has been taken. */
static G_ALWAYS_INLINE inline Changes
note_changes (WeirFmuInstance *self, const WeirFmuEvaluation *e)
{
  guint n_states = self->binary.n_states;
  Changes changes = { .in_time = self->phase == WEIR_FMU_IN_TIME };

  changes.sets_states = changes.in_time && e->x != NULL && n_states > 0
                        && !(self->knows_states && are_equal (e->x, self->x, n_states));
  changes.inputs = find_range (self, e->u);
  if (changes.in_time)
    self->time = e->time;
  if (changes.sets_states)
    for (guint i = 0; i < n_states; i++)
      self->x[i] = e->x[i];
  for (guint i = changes.inputs.from; i < changes.inputs.from + changes.inputs.n; i++)
    self->u[i] = e->u[i];
  return changes;
}

static inline void
note_taken (WeirFmuInstance *self, const WeirFmuEvaluation *e, const Changes *changes)
{
  self->knows_states |= changes->sets_states;
  self->knows_inputs |= e->u != NULL;
}

/* Straight calls; the same as evaluate_there() makes. */
static WeirFmuOutcome
evaluate_here (WeirFmuInstance *self, const WeirFmuEvaluation *e, GError **error)
{
  WeirFmuLibrary *library = &self->library;
  const WeirFmuBinary *binary = &self->binary;
  guint32 status;
  Changes changes = note_changes (self, e);
  WeirFmuCallKind kind = WEIR_FMU_CALL_SET_TIME;
  WeirFmuType type = WEIR_FMU_FLOAT64;

#define PERFORM(which, call)                                                                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    kind = (which);                                                                                \
    status = (call);                                                                               \
    if (G_UNLIKELY (status > WEIR_FMI_WARNING))                                                    \
      goto failed;                                                                                 \
  }                                                                                                \
  G_STMT_END
  if (changes.in_time)
    PERFORM (WEIR_FMU_CALL_SET_TIME, weir_fmu_library_set_time (library, e->time));
  if (changes.sets_states)
    PERFORM (WEIR_FMU_CALL_SET_STATES,
             weir_fmu_library_set_states (library, e->x, binary->n_states));
  if (changes.inputs.n > 0)
    PERFORM (WEIR_FMU_CALL_SET,
             weir_fmu_library_set_numbers (library, &binary->inputs[changes.inputs.from],
                                           changes.inputs.n_refs, &e->u[changes.inputs.from],
                                           changes.inputs.n));
  note_taken (self, e, &changes);
  if (e->xdot != NULL)
    PERFORM (WEIR_FMU_CALL_GET_DERIVATIVES,
             weir_fmu_library_get_derivatives (library, e->xdot, binary->n_states));
  if (e->z != NULL)
    {
      if (e->xdot != NULL && changes.in_time)
        PERFORM (WEIR_FMU_CALL_SET_TIME, weir_fmu_library_set_time (library, e->time));
      PERFORM (WEIR_FMU_CALL_GET_INDICATORS,
               weir_fmu_library_get_indicators (library, e->z, binary->n_indicators));
    }
  for (guint i = 0; i < e->n_outputs; i++)
    {
      const WeirFmuValues *group = &e->outputs[i];

      if ((e->xdot != NULL || e->z != NULL || i > 0) && changes.in_time)
        PERFORM (WEIR_FMU_CALL_SET_TIME, weir_fmu_library_set_time (library, e->time));
      type = group->type;
      if (type == WEIR_FMU_FLOAT64)
        PERFORM (WEIR_FMU_CALL_GET,
                 weir_fmu_library_get_numbers (library, group->refs, group->n_refs, group->values,
                                               group->n_values));
      else
        PERFORM (WEIR_FMU_CALL_GET, weir_fmu_library_get (library, type, group->refs, group->n_refs,
                                                          group->values, group->n_values));
    }
#undef PERFORM
  /* Reading it costs as much as a call of a small FMU: once, and not before too. */
  if (G_UNLIKELY (weir_fmu_get_arithmetic () != self->arithmetic))
    weir_fmu_set_arithmetic (self->arithmetic);
  return WEIR_FMU_DONE;

failed:
  weir_fmu_set_arithmetic (self->arithmetic);
  self->knows_states = self->knows_inputs = FALSE; /* it may have stopped at a setter */
  return weir_fmu_instance_fail (self, kind, type, status, NULL, error);
}

/* Each group of gets has its time. */
static void
add_time (WeirFmuInstance *self, gboolean in_time)
{
  if (in_time)
    weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_TIME)->numbers[0] = self->time;
}

static guint64
add_room (WeirFmuInstance *self, WeirFmuCallKind kind, guint n)
{
  WeirFmuCall *call = weir_fmu_trip_add (self, kind);

  call->n_values = n;
  return call->values = weir_fmu_trip_take (self, n * sizeof (double));
}

/* One trip. */
static WeirFmuOutcome
evaluate_there (WeirFmuInstance *self, const WeirFmuEvaluation *e, GError **error)
{
  const WeirFmuBinary *binary = &self->binary;
  Changes changes = note_changes (self, e);
  guint64 xdot = 0, z = 0, places[MAX_GROUPS];
  WeirFmuOutcome outcome;

  clear_chunked (e->outputs, e->n_outputs);
  weir_fmu_trip_begin (self);
  add_time (self, changes.in_time);
  if (changes.sets_states)
    {
      WeirFmuCall *call = weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_STATES);

      call->values = weir_fmu_trip_put (self, self->x, binary->n_states * sizeof *self->x);
      call->n_values = binary->n_states;
    }
  if (changes.inputs.n > 0)
    add_sets (self,
              &(WeirFmuValues) { WEIR_FMU_FLOAT64, &binary->inputs[changes.inputs.from],
                                 changes.inputs.n_refs, &self->u[changes.inputs.from],
                                 changes.inputs.n },
              1);
  if (e->xdot != NULL)
    xdot = add_room (self, WEIR_FMU_CALL_GET_DERIVATIVES, binary->n_states);
  if (e->z != NULL)
    {
      add_time (self, changes.in_time && e->xdot != NULL);
      z = add_room (self, WEIR_FMU_CALL_GET_INDICATORS, binary->n_indicators);
    }
  for (guint i = 0; i < e->n_outputs; i++)
    {
      add_time (self, changes.in_time && (e->xdot != NULL || e->z != NULL || i > 0));
      add_gets (self, &e->outputs[i], 1, &places[i]);
    }
  outcome = weir_fmu_trip_go (self, error);
  if (outcome != WEIR_FMU_DONE)
    {
      self->knows_states = self->knows_inputs = FALSE; /* it may have stopped at a setter */
      return outcome;
    }
  note_taken (self, e, &changes);
  if (e->xdot != NULL)
    memcpy (e->xdot, weir_fmu_trip_at (self, xdot), binary->n_states * sizeof *e->xdot);
  if (e->z != NULL)
    memcpy (e->z, weir_fmu_trip_at (self, z), binary->n_indicators * sizeof *e->z);
  return e->n_outputs > 0 ? fetch (self, e->outputs, e->n_outputs, places, error) : WEIR_FMU_DONE;
}

static gboolean
has_chunks (const WeirFmuEvaluation *e)
{
  for (guint i = 0; i < e->n_outputs; i++)
    if (is_chunked (e->outputs[i].type))
      return TRUE;
  return FALSE;
}

WeirFmuOutcome
weir_fmu_instance_evaluate (WeirFmuInstance *self, const WeirFmuEvaluation *e, GError **error)
{
  g_return_val_if_fail (e->n_outputs <= MAX_GROUPS, WEIR_FMU_FAILED);
  g_return_val_if_fail (self->phase == WEIR_FMU_IN_TIME || (e->xdot == NULL && e->z == NULL),
                        WEIR_FMU_FAILED);
  if (self->process == NULL && self->lost == NULL && !g_atomic_int_get (&self->is_cancelled)
      && !has_chunks (e))
    return evaluate_here (self, e, error);
  return evaluate_there (self, e, error);
}

gboolean
weir_fmu_instance_complete_step (WeirFmuInstance *self, double time, const double *x,
                                 gboolean no_return, gboolean *event_needed, gboolean *terminates,
                                 GError **error)
{
  WeirFmuEvaluation here = { .time = time, .x = x };
  WeirFmuCall *call;
  Changes changes;

  *event_needed = *terminates = FALSE;
  if (!self->binary.needs_completed_step)
    return TRUE;
  changes = note_changes (self, &here);
  weir_fmu_trip_begin (self);
  add_time (self, changes.in_time);
  if (changes.sets_states)
    {
      call = weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_STATES);
      call->values = weir_fmu_trip_put (self, self->x, self->binary.n_states * sizeof *self->x);
      call->n_values = self->binary.n_states;
    }
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_COMPLETED_STEP);
  call->flags = no_return ? WEIR_FMU_FLAG_NO_RETURN : 0;
  weir_fmu_instance_note_change (self);
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  *event_needed = (call->flags & WEIR_FMU_FLAG_EVENT_NEEDED) != 0;
  *terminates = (call->flags & WEIR_FMU_FLAG_TERMINATES) != 0;
  return TRUE;
}

/* --- Lists of numbers ------------------------------------------------------------------------ */

static gboolean
get_numbers (WeirFmuInstance *self, WeirFmuCallKind kind, double *values, guint n, GError **error)
{
  guint64 place;

  weir_fmu_trip_begin (self);
  place = add_room (self, kind, n);
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
      g_set_error (error, WEIR_ERROR, WEIR_ERROR_FAILED,
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
  add_time (self, self->phase == WEIR_FMU_IN_TIME);
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
  guint64 places[MAX_GROUPS];
  WeirFmuOutcome outcome;
  WeirFmuCall *call;

  g_return_val_if_fail (step->n_set <= MAX_GROUPS && step->n_got <= MAX_GROUPS, WEIR_FMU_FAILED);
  weir_fmu_instance_note_change (self);
  self->time = step->time;
  if (step->n_set > 0)
    self->knows_inputs = FALSE;
  clear_chunked (step->got, step->n_got);
  weir_fmu_trip_begin (self);
  add_sets (self, step->set, step->n_set);
  call = weir_fmu_trip_add (self, WEIR_FMU_CALL_DO_STEP);
  call->numbers[0] = end->last_time = step->time;
  call->numbers[1] = step->step;
  call->flags = step->no_return ? WEIR_FMU_FLAG_NO_RETURN : 0;
  add_gets (self, step->got, step->n_got, places);
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
  return outcome == WEIR_FMU_DONE ? fetch (self, step->got, step->n_got, places, error) : outcome;
}

static WeirFmuCall *
add_derivatives (WeirFmuInstance *self, WeirFmuCallKind kind, const guint32 *refs, guint n,
                 const gint32 *orders)
{
  WeirFmuCall *call;

  weir_fmu_trip_begin (self);
  call = weir_fmu_trip_add (self, kind);
  call->refs = weir_fmu_trip_put (self, refs, n * sizeof *refs);
  call->n_refs = n;
  call->values2 = weir_fmu_trip_put (self, orders, n * sizeof *orders);
  return call;
}

gboolean
weir_fmu_instance_set_input_derivatives (WeirFmuInstance *self, const guint32 *refs, guint n,
                                         const gint32 *orders, const double *values, GError **error)
{
  WeirFmuCall *call = add_derivatives (self, WEIR_FMU_CALL_SET_INPUT_DERIVATIVES, refs, n, orders);

  call->values = weir_fmu_trip_put (self, values, n * sizeof *values);
  weir_fmu_instance_note_change (self);
  return weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error);
}

gboolean
weir_fmu_instance_get_output_derivatives (WeirFmuInstance *self, const guint32 *refs, guint n,
                                          const gint32 *orders, double *values, guint n_values,
                                          GError **error)
{
  WeirFmuCall *call = add_derivatives (self, WEIR_FMU_CALL_GET_OUTPUT_DERIVATIVES, refs, n, orders);
  guint64 place = weir_fmu_trip_take (self, n_values * sizeof *values);

  call->values = place;
  call->n_values = n_values;
  if (!weir_fmu_trip_is_done (self, weir_fmu_trip_go (self, error), error))
    return FALSE;
  memcpy (values, weir_fmu_trip_at (self, place), n_values * sizeof *values);
  return TRUE;
}
