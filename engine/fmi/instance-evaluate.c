/* Evaluations: of what a point gives, only what differs is set. See instance.h.
 *
 * There are two ways, straight calls in this process and a list of calls for a worker, which make
 * the same calls in the same order.
 */
#include "fmi/instance-private.h"

#include <string.h>

/* Which of the inputs are to be set. */
typedef struct {
  guint from, n, n_refs;
} Range;

static G_ALWAYS_INLINE inline gboolean
differ (double a, double b)
{
  guint64 left, right;

  memcpy (&left, &a, sizeof left);
  memcpy (&right, &b, sizeof right);
  return left != right;
}

/* Notes @x. Whether it is to be set. */
static G_ALWAYS_INLINE inline gboolean
take_states (WeirFmuInstance *self, const double *x)
{
  guint n = x != NULL ? self->binary.n_states : 0;
  gboolean is_other = !self->knows_states && n > 0;

  for (guint i = 0; i < n; i++)
    {
      is_other |= differ (x[i], self->x[i]);
      self->x[i] = x[i];
    }
  return is_other;
}

/* Notes @u. From the first that differs to the last; where there are arrays, all or none. */
static G_ALWAYS_INLINE inline Range
take_inputs (WeirFmuInstance *self, const double *u)
{
  const WeirFmuBinary *binary = &self->binary;
  guint n = u != NULL ? binary->n_input_values : 0, from = n, to = 0;

  for (guint i = 0; i < n; i++)
    if (differ (u[i], self->u[i]) || !self->knows_inputs)
      {
        self->u[i] = u[i];
        from = MIN (from, i);
        to = i + 1;
      }
  if (from >= to)
    return (Range) { 0, 0, 0 };
  if (G_UNLIKELY (binary->n_inputs != n))
    return (Range) { 0, n, binary->n_inputs };
  return (Range) { from, to - from, to - from };
}

typedef struct {
  gboolean in_time, sets_states;
  Range inputs;
} Changes;

/* What is told, from here on; known once it has been taken. */
static G_ALWAYS_INLINE inline Changes
note_changes (WeirFmuInstance *self, const WeirFmuEvaluation *e)
{
  Changes changes = { .in_time = self->phase == WEIR_FMU_IN_TIME };

  if (changes.in_time)
    {
      self->time = e->time;
      changes.sets_states = take_states (self, e->x);
    }
  changes.inputs = take_inputs (self, e->u);
  return changes;
}

static G_ALWAYS_INLINE inline void
note_taken (WeirFmuInstance *self, const WeirFmuEvaluation *e, const Changes *changes)
{
  if (changes->sets_states)
    self->knows_states = TRUE;
  if (e->u != NULL)
    self->knows_inputs = TRUE;
}

/* Straight calls; the same as evaluate_there() makes. Of what an FMU may change of the thread, its
 * rounding is looked at each time, the rest with the next trip. */
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
  if (G_UNLIKELY (weir_fmu_rounds_otherwise ()))
    weir_fmu_set_arithmetic (library->arithmetic);
  return WEIR_FMU_DONE;

failed:
  weir_fmu_set_arithmetic (library->arithmetic);
  self->knows_states = self->knows_inputs = FALSE; /* it may have stopped at a setter */
  return weir_fmu_instance_fail (self, kind, type, status, NULL, error);
}

/* One trip. Apart from the straight calls, which then need few registers. */
static G_NO_INLINE WeirFmuOutcome
evaluate_there (WeirFmuInstance *self, const WeirFmuEvaluation *e, GError **error)
{
  const WeirFmuBinary *binary = &self->binary;
  Changes changes = note_changes (self, e);
  guint64 xdot = 0, z = 0, places[WEIR_FMU_MAX_GROUPS];
  WeirFmuOutcome outcome;

  weir_fmu_values_clear_chunked (e->outputs, e->n_outputs);
  weir_fmu_trip_begin (self);
  weir_fmu_trip_add_time (self, changes.in_time);
  if (changes.sets_states)
    {
      WeirFmuCall *call = weir_fmu_trip_add (self, WEIR_FMU_CALL_SET_STATES);

      call->values = weir_fmu_trip_put (self, self->x, binary->n_states * sizeof *self->x);
      call->n_values = binary->n_states;
    }
  if (changes.inputs.n > 0)
    weir_fmu_trip_add_sets (
        self,
        &(WeirFmuValues) { WEIR_FMU_FLOAT64, &binary->inputs[changes.inputs.from],
                           changes.inputs.n_refs, &self->u[changes.inputs.from], changes.inputs.n },
        1);
  if (e->xdot != NULL)
    xdot = weir_fmu_trip_add_numbers (self, WEIR_FMU_CALL_GET_DERIVATIVES, binary->n_states);
  if (e->z != NULL)
    {
      weir_fmu_trip_add_time (self, changes.in_time && e->xdot != NULL);
      z = weir_fmu_trip_add_numbers (self, WEIR_FMU_CALL_GET_INDICATORS, binary->n_indicators);
    }
  for (guint i = 0; i < e->n_outputs; i++)
    {
      weir_fmu_trip_add_time (self, changes.in_time && (e->xdot != NULL || e->z != NULL || i > 0));
      weir_fmu_trip_add_gets (self, &e->outputs[i], 1, &places[i]);
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
  return e->n_outputs > 0 ? weir_fmu_trip_fetch (self, e->outputs, e->n_outputs, places, error)
                          : WEIR_FMU_DONE;
}

static gboolean
has_chunks (const WeirFmuEvaluation *e)
{
  for (guint i = 0; i < e->n_outputs; i++)
    if (weir_fmu_type_is_chunked (e->outputs[i].type))
      return TRUE;
  return FALSE;
}

WeirFmuOutcome
weir_fmu_instance_evaluate (WeirFmuInstance *self, const WeirFmuEvaluation *e, GError **error)
{
  g_return_val_if_fail (e->n_outputs <= WEIR_FMU_MAX_GROUPS, WEIR_FMU_FAILED);
  g_return_val_if_fail (self->phase == WEIR_FMU_IN_TIME || (e->xdot == NULL && e->z == NULL),
                        WEIR_FMU_FAILED);
  if (self->process == NULL && self->lost == NULL && !has_chunks (e))
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
  weir_fmu_trip_add_time (self, changes.in_time);
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
