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

typedef struct {
  TheModel model;
  WeirSimulator *simulator;
  gboolean is_exchange, has_begun;
  double *values; /* recorded */
  void *environment;
  const WeirFmi2Callbacks *callbacks; /* of 2.0 */
  WeirFmi3LogMessage log;             /* of 3.0 */
  char name[64];
} Fmu;

static inline guint
fmu_count_indicators (WeirSystem *system)
{
  guint n = 0;

  for (guint i = 0; i < system->n_events; i++)
    if (weir_event_is_first_of_witness (system, i))
      n += system->events[i].n_witnesses;
  return n;
}

static inline WeirFmiStatus
fmu_fail (const Fmu *self, const char *text)
{
  if (self->log != NULL)
    self->log (self->environment, WEIR_FMI_ERROR, "logStatusError", text);
  else if (self->callbacks != NULL && self->callbacks->logger != NULL)
    self->callbacks->logger (self->environment, self->name, WEIR_FMI_ERROR, "logStatusError", "%s",
                             text);
  return WEIR_FMI_ERROR;
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
  free (self);
}

static inline int
fmu_reset (Fmu *self)
{
  the_model_init (&self->model);
  weir_simulator_destroy (self->simulator);
  self->has_begun = FALSE;
  self->simulator = weir_simulator_make (&self->model.context, &the_model_settings, NULL, NULL);
  return self->simulator != NULL;
}

static inline Fmu *
fmu_new (const char *name, gboolean is_exchange)
{
  Fmu *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->is_exchange = is_exchange;
  (void) snprintf (self->name, sizeof self->name, "%s", name != NULL ? name : "");
  the_model_init (&self->model);
  self->values = calloc (self->model.context.system->n_columns + 1u, sizeof (double));
  if (self->values != NULL && fmu_reset (self))
    return self;
  fmu_free (self);
  return NULL;
}

static inline WeirFmiStatus
fmu_begin (Fmu *self)
{
  if (!weir_simulator_begin (self->simulator))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  self->has_begun = TRUE;
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_get_indicators (Fmu *self, double *z, size_t n)
{
  WeirContext *context = &self->model.context;
  WeirSystem *system = context->system;
  WeirStatus status = system->witness (context, context->now, context->state);
  size_t at = 0;

  for (guint i = 0; i < system->n_events && status == WEIR_OK; i++)
    for (guint k = 0;
         weir_event_is_first_of_witness (system, i) && k < system->events[i].n_witnesses; k++)
      if (at < n)
        z[at++] = context->row[system->events[i].witness.i + k];
  return fmu_check (self, status);
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
          if (!has_derivatives
              && system->derivatives (context, context->now, context->state, context->xdot)
                     != WEIR_OK)
            return fmu_fail (self, context->failure);
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
          double z[64];
          size_t k = ref - 2 * n_states - n_columns - system->n_row - 1;

          if (k >= sizeof z / sizeof z[0] || fmu_get_indicators (self, z, k + 1) != WEIR_FMI_OK)
            return fmu_fail (self, "there is no such variable");
          values[i] = z[k];
        }
    }
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_set (Fmu *self, const WeirFmiReference *refs, size_t n, const double *values)
{
  WeirContext *context = &self->model.context;
  WeirSystem *system = context->system;
  const size_t first = 2u * (size_t) system->n_states + system->n_columns + 1;

  for (size_t i = 0; i < n; i++)
    if (refs[i] >= 1 && refs[i] <= system->n_states)
      context->state[refs[i] - 1] = values[i];
    else if (refs[i] >= first && refs[i] < first + system->n_row)
      context->row[refs[i] - first] = values[i];
    else
      return fmu_fail (self, "the variable cannot be set");
  context->n_changes++;
  context->values_set = 0;
  return WEIR_FMI_OK;
}

static inline WeirFmiStatus
fmu_step (Fmu *self, double to)
{
  if (!weir_simulator_advance (self->simulator, to))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  return weir_simulator_has_ended (self->simulator) ? WEIR_FMI_DISCARD : WEIR_FMI_OK;
}

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

static inline WeirFmiStatus
fmu_get_derivatives (Fmu *self, double *xdot)
{
  WeirContext *context = &self->model.context;

  return fmu_check (self,
                    context->system->derivatives (context, context->now, context->state, xdot));
}

#endif
