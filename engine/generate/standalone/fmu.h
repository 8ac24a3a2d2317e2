/* An instance of a generated model as an FMU: what both versions of the standard share.
 *
 * References: 0 is time; then the states, their derivatives, what is recorded, the row of the
 * instance, and what may cross zero.
 */
#ifndef WEIR_FMU_H
#define WEIR_FMU_H

#include "fmi-abi.h"
#include "the_model.h"

#include <stdlib.h>

#if defined _WIN32
#define WEIR_FMU_EXPORT __declspec(dllexport)
#elif defined __GNUC__
#define WEIR_FMU_EXPORT __attribute__ ((visibility ("default")))
#else
#define WEIR_FMU_EXPORT
#endif

#define FMU_TOKEN "THE_TOKEN"

typedef struct {
  TheModel model;
  WeirSimulator *simulator;
  double *values;     /* recorded */
  double *indicators; /* what may cross zero */
  size_t n_indicators;
#ifdef THE_MODEL_HAS_TANGENTS
  TheModel along; /* a direction, and what moves along it */
  double *moves;  /* what is recorded */
#endif
  gboolean is_stepped;                 /* co-simulation of 3.0 ... */
  gboolean has_event_mode, ends_early; /* ... with these, at events */
  gboolean logs_events;
  guint64 n_events; /* so far */
  void *environment;
  const WeirFmi2Callbacks *callbacks; /* of 2.0 */
  WeirFmi3LogMessage log;             /* of 3.0 */
  char name[64];
} Fmu;

/* A state of the whole: this, then the bytes of the run. */
typedef struct {
  char token[sizeof FMU_TOKEN];
  guint64 n_bytes;
} FmuState;

static inline guint
fmu_count_indicators (WeirSystem *system)
{
  guint n = 0;

  for (guint i = 0; i < system->n_events; i++)
    if (weir_event_is_first_of_witness (system, i))
      n += system->events[i].n_witnesses;
  return n;
}

static inline void
fmu_log (const Fmu *self, WeirFmiStatus status, const char *category, const char *text)
{
  if (self->log != NULL)
    self->log (self->environment, status, category, text);
  else if (self->callbacks != NULL && self->callbacks->logger != NULL)
    self->callbacks->logger (self->environment, self->name, status, category, "%s", text);
}

static inline WeirFmiStatus
fmu_fail (const Fmu *self, const char *text)
{
  fmu_log (self, WEIR_FMI_ERROR, "logStatusError", text);
  return WEIR_FMI_ERROR;
}

/* Errors are always told; of events whoever asks for that, by category or as for all of them. */
static inline WeirFmiStatus
fmu_set_logging (Fmu *self, gboolean is_on, size_t n, const char *const *categories)
{
  gboolean is_named = n == 0;

  for (size_t i = 0; i < n; i++)
    is_named |= strcmp (categories[i], "logEvents") == 0 || strcmp (categories[i], "logAll") == 0;
  if (is_named)
    self->logs_events = is_on;
  return WEIR_FMI_OK;
}

static inline void
fmu_log_events (Fmu *self)
{
  guint64 n = weir_simulator_count_events (self->simulator);
  char text[96];

  if (self->logs_events && n > self->n_events)
    {
      (void) snprintf (text, sizeof text, "%lu events until t = %.9g s",
                       (unsigned long) (n - self->n_events), self->model.context.now);
      fmu_log (self, WEIR_FMI_OK, "logEvents", text);
    }
  self->n_events = n;
}

static inline WeirFmiStatus
fmu_check (const Fmu *self, WeirStatus status)
{
  return status == WEIR_OK ? WEIR_FMI_OK : fmu_fail (self, self->model.context.failure);
}

static inline void
fmu_free (Fmu *self)
{
  if (self == NULL)
    return;
  weir_simulator_destroy (self->simulator);
  free (self->values);
  free (self->indicators);
#ifdef THE_MODEL_HAS_TANGENTS
  free (self->moves);
#endif
  free (self);
}

static inline int
fmu_reset (Fmu *self)
{
  the_model_init (&self->model);
  weir_simulator_destroy (self->simulator);
  self->n_events = 0;
  self->simulator = weir_simulator_make (&self->model.context, &the_model_settings, NULL, NULL);
  return self->simulator != NULL;
}

/* @token: NULL or of another FMU: none. */
static inline Fmu *
fmu_new (const char *name, const char *token, gboolean logs)
{
  Fmu *self = token != NULL && strcmp (token, FMU_TOKEN) == 0 ? calloc (1, sizeof *self) : NULL;

  if (self == NULL)
    return NULL;
  self->logs_events = logs;
  (void) snprintf (self->name, sizeof self->name, "%s", name != NULL ? name : "");
  the_model_init (&self->model);
  self->values = calloc (self->model.context.system->n_columns + 1u, sizeof (double));
  self->n_indicators = fmu_count_indicators (self->model.context.system);
  self->indicators = calloc (self->n_indicators + 1, sizeof (double));
#ifdef THE_MODEL_HAS_TANGENTS
  the_model_init (&self->along);
  self->moves = calloc (self->model.context.system->n_columns + 1u, sizeof (double));
  if (self->moves == NULL)
    {
      fmu_free (self);
      return NULL;
    }
#endif
  if (self->values != NULL && self->indicators != NULL && fmu_reset (self))
    return self;
  fmu_free (self);
  return NULL;
}

static inline WeirFmiStatus
fmu_begin (Fmu *self)
{
  if (!weir_simulator_begin (self->simulator))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  fmu_log_events (self);
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_get_indicators (Fmu *self, double *z)
{
  return weir_simulator_get_indicators (self->simulator, z)
             ? WEIR_FMI_OK
             : fmu_fail (self, weir_simulator_get_error (self->simulator));
}

static inline WeirFmiStatus
fmu_get_derivatives (Fmu *self, double *xdot)
{
  WeirContext *context = &self->model.context;

  return fmu_check (
      self, context->system->derivatives (context, weir_simulator_get_time_seen (self->simulator),
                                          context->state, xdot));
}

static inline WeirFmiStatus
fmu_get (Fmu *self, const WeirFmiReference *refs, size_t n, double *values)
{
  WeirContext *context = &self->model.context;
  WeirSystem *system = context->system;
  const size_t n_states = system->n_states, n_columns = system->n_columns;
  gboolean has_columns = FALSE, has_derivatives = FALSE;

  for (size_t i = 0; i < n; i++)
    {
      size_t ref = refs[i];

      if (ref == 0)
        values[i] = context->now;
      else if (ref <= n_states)
        values[i] = context->state[ref - 1];
      else if (ref <= 2 * n_states)
        {
          if (!has_derivatives && fmu_get_derivatives (self, context->xdot) != WEIR_FMI_OK)
            return WEIR_FMI_ERROR;
          has_derivatives = TRUE;
          values[i] = context->xdot[ref - n_states - 1];
        }
      else if (ref <= 2 * n_states + n_columns)
        {
          if (!has_columns && system->record (context, self->values) != WEIR_OK)
            return fmu_fail (self, context->failure);
          has_columns = TRUE;
          has_derivatives = FALSE;
          values[i] = self->values[ref - 2 * n_states - 1];
        }
      else if (ref <= 2 * n_states + n_columns + system->n_row)
        values[i] = context->row[ref - 2 * n_states - n_columns - 1];
      else
        {
          size_t k = ref - 2 * n_states - n_columns - system->n_row - 1;

          if (k >= self->n_indicators)
            return fmu_fail (self, "there is no such variable");
          if (fmu_get_indicators (self, self->indicators) != WEIR_FMI_OK)
            return WEIR_FMI_ERROR;
          values[i] = self->indicators[k];
          has_columns = has_derivatives = FALSE;
        }
    }
  return WEIR_FMI_OK;
}

/* What is set to the value that it has is not set: integration goes on. */
static inline WeirFmiStatus
fmu_set (Fmu *self, const WeirFmiReference *refs, size_t n, const double *values)
{
  WeirContext *context = &self->model.context;
  WeirSystem *system = context->system;
  const size_t first = 2u * (size_t) system->n_states + system->n_columns + 1;

  for (size_t i = 0; i < n; i++)
    {
      double *place = NULL;

      if (refs[i] >= 1 && refs[i] <= system->n_states)
        place = &context->state[refs[i] - 1];
      else if (refs[i] >= first && refs[i] < first + system->n_row)
        place = &context->row[refs[i] - first];
      else
        return fmu_fail (self, "the variable cannot be set");
      if (memcmp (place, &values[i], sizeof *place) == 0)
        continue;
      *place = values[i];
      context->n_changes++;
      context->values_set = 0;
    }
  return WEIR_FMI_OK;
}

/* To @to, or to an event before it, if the step may end there. */
static inline WeirFmiStatus
fmu_step (Fmu *self, double to, int *is_at_event)
{
  int ok = 0;

  *is_at_event = FALSE;
  if (self->has_event_mode)
    ok = weir_simulator_advance_to_event (self->simulator, to, self->ends_early, is_at_event);
  else
    ok = weir_simulator_advance (self->simulator, to);
  if (!ok)
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  fmu_log_events (self);
  return weir_simulator_has_ended (self->simulator) ? WEIR_FMI_DISCARD : WEIR_FMI_OK;
}

/* The events of this instant. */
static inline WeirFmiStatus
fmu_meet (Fmu *self, int *has_changed, double *next)
{
  if (!(self->is_stepped ? weir_simulator_execute (self->simulator, has_changed, next)
                         : weir_simulator_meet (self->simulator, has_changed, next)))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  fmu_log_events (self);
  return WEIR_FMI_OK;
}

/* --- Directions ------------------------------------------------------------------------------ */

#ifdef THE_MODEL_HAS_TANGENTS

/* One of what can be moved; @dt: of time. */
static inline WeirFmiStatus
fmu_move (Fmu *self, WeirFmiReference ref, double by, double *dt)
{
  WeirContext *along = &self->along.context;
  const size_t n_states = along->system->n_states;
  const size_t first = 2 * n_states + along->system->n_columns + 1;

  if (ref == 0)
    *dt = by;
  else if (ref <= n_states)
    along->state[ref - 1] = by;
  else if (ref >= first && ref < first + THE_MODEL_N_SET)
    along->row[ref - first] = by;
  else
    return fmu_fail (self, "nothing is differentiated by that variable");
  return WEIR_FMI_OK;
}

/* What one moves by along the direction there. @is_seen: the derivatives are those that are seen at
 * the time that they see. */
static inline WeirFmiStatus
fmu_get_move (Fmu *self, WeirFmiReference ref, double *move)
{
  const WeirContext *along = &self->along.context;
  const size_t n_states = along->system->n_states, n_columns = along->system->n_columns;

  if (ref >= 1 && ref <= n_states)
    *move = along->state[ref - 1];
  else if (ref > n_states && ref <= 2 * n_states)
    *move = along->xdot[ref - n_states - 1];
  else if (ref > 2 * n_states && ref <= 2 * n_states + n_columns)
    *move = self->moves[ref - 2 * n_states - 1];
  else
    return fmu_fail (self, "that variable is not differentiated");
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_get_directional (Fmu *self, const WeirFmiReference *unknowns, size_t n_unknowns,
                     const WeirFmiReference *knowns, size_t n_knowns, const double *seed,
                     double *sensitivity)
{
  WeirContext *along = &self->along.context;
  double dt = 0, t = weir_simulator_get_time_seen (self->simulator);

  memset (along->row, 0, along->system->n_row * sizeof (double));
  memset (along->state, 0, along->system->n_states * sizeof (double));
  for (size_t i = 0; i < n_knowns; i++)
    if (fmu_move (self, knowns[i], seed[i], &dt) != WEIR_FMI_OK)
      return WEIR_FMI_ERROR;
  if (the_model_tangents (&self->model, t, &self->along, dt, self->moves) != 0)
    return fmu_fail (self, self->model.context.failure);
  for (size_t i = 0; i < n_unknowns; i++)
    if (fmu_get_move (self, unknowns[i], &sensitivity[i]) != WEIR_FMI_OK)
      return WEIR_FMI_ERROR;
  return WEIR_FMI_OK;
}

/* By each of the knowns, weighed with the seeds of the unknowns. */
static inline WeirFmiStatus
fmu_get_adjoint (Fmu *self, const WeirFmiReference *unknowns, size_t n_unknowns,
                 const WeirFmiReference *knowns, size_t n_knowns, const double *seed,
                 double *sensitivity)
{
  const double one = 1;

  for (size_t i = 0; i < n_knowns; i++)
    {
      double move = 0;

      if (fmu_get_directional (self, NULL, 0, &knowns[i], 1, &one, NULL) != WEIR_FMI_OK)
        return WEIR_FMI_ERROR;
      sensitivity[i] = 0;
      for (size_t k = 0; k < n_unknowns; k++)
        {
          if (fmu_get_move (self, unknowns[k], &move) != WEIR_FMI_OK)
            return WEIR_FMI_ERROR;
          sensitivity[i] += seed[k] * move;
        }
    }
  return WEIR_FMI_OK;
}

#else

static inline WeirFmiStatus
fmu_get_directional (Fmu *self, const WeirFmiReference *unknowns, size_t n_unknowns,
                     const WeirFmiReference *knowns, size_t n_knowns, const double *seed,
                     double *sensitivity)
{
  (void) unknowns;
  (void) n_unknowns;
  (void) knowns;
  (void) n_knowns;
  (void) seed;
  (void) sensitivity;
  return fmu_fail (self, "the derivatives of some of the model's blocks are not known exactly");
}

#define fmu_get_adjoint fmu_get_directional

#endif

/* --- States of the whole --------------------------------------------------------------------- */

static inline WeirFmiStatus
fmu_get_state (Fmu *self, WeirFmiState *state)
{
  FmuState *kept = *state;
  size_t n = weir_simulator_get_state_size (self->simulator);

  if (kept == NULL && (kept = calloc (1, sizeof *kept + n)) == NULL)
    return fmu_fail (self, "there is no memory for a state");
  memcpy (kept->token, FMU_TOKEN, sizeof kept->token);
  kept->n_bytes = n;
  weir_simulator_get_state (self->simulator, kept + 1);
  *state = kept;
  return WEIR_FMI_OK;
}

static inline gboolean
fmu_state_fits (Fmu *self, const FmuState *state)
{
  return memcmp (state->token, FMU_TOKEN, sizeof state->token) == 0
         && state->n_bytes == weir_simulator_get_state_size (self->simulator);
}

static inline WeirFmiStatus
fmu_set_state (Fmu *self, WeirFmiState state)
{
  if (state == NULL || !fmu_state_fits (self, state))
    return fmu_fail (self, "the state is none of this model");
  weir_simulator_set_state (self->simulator, (const FmuState *) state + 1);
  self->n_events = weir_simulator_count_events (self->simulator);
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_free_state (WeirFmiState *state)
{
  if (state != NULL)
    {
      free (*state);
      *state = NULL;
    }
  return WEIR_FMI_OK;
}

static inline size_t
fmu_get_state_size (const FmuState *state)
{
  return sizeof *state + (size_t) state->n_bytes;
}

static inline WeirFmiStatus
fmu_serialize (const Fmu *self, WeirFmiState state, uint8_t *bytes, size_t n)
{
  if (state == NULL || n < fmu_get_state_size (state))
    return fmu_fail (self, "there is too little room for the state");
  memcpy (bytes, state, fmu_get_state_size (state));
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_deserialize (Fmu *self, const uint8_t *bytes, size_t n, WeirFmiState *state)
{
  FmuState head;
  void *kept = NULL;

  if (n >= sizeof head)
    memcpy (&head, bytes, sizeof head);
  if (n < sizeof head || !fmu_state_fits (self, &head) || n < fmu_get_state_size (&head))
    return fmu_fail (self, "the bytes are no state of this model");
  if ((kept = malloc (n)) == NULL)
    return fmu_fail (self, "there is no memory for a state");
  memcpy (kept, bytes, n);
  if (*state != NULL)
    free (*state);
  *state = kept;
  return WEIR_FMI_OK;
}

/* --- Model exchange -------------------------------------------------------------------------- */

static inline void
fmu_set_time (Fmu *self, double time)
{
  self->model.context.now = time;
  self->model.context.values_set = 0;
}

static inline WeirFmiStatus
fmu_set_states (Fmu *self, const double *x, size_t n)
{
  if (n != self->model.context.system->n_states)
    return fmu_fail (self, "the number of states is another");
  memcpy (self->model.context.state, x, n * sizeof *x);
  self->model.context.values_set = 0;
  return WEIR_FMI_OK;
}

#endif
