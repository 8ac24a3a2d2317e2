/* A generated model as an FMU of FMI 2.0. */
#include "fmu.h"

#ifdef __GNUC__ /* what is not offered has no use for what it is given */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#ifdef FMI2_FUNCTION_PREFIX
#define JOIN_2(a, b) a##b
#define JOIN(a, b) JOIN_2 (a, b)
#define NAME(name) JOIN (FMI2_FUNCTION_PREFIX, fmi2##name)
#else
#define NAME(name) fmi2##name
#endif

#define DECLARE(kind, result, name, parameters) WEIR_FMU_EXPORT result NAME (name) parameters;
WEIR_FMI2_FUNCTIONS (DECLARE)

/* What is not there, and what does nothing. */
#define MISSING(name, parameters)                                                                  \
  WeirFmiStatus NAME (name) parameters                                                             \
  {                                                                                                \
    return fmu_fail (c, #name " is not offered");                                                  \
  }
#define EMPTY(name, parameters)                                                                    \
  WeirFmiStatus NAME (name) parameters                                                             \
  {                                                                                                \
    return n == 0 ? WEIR_FMI_OK : fmu_fail (c, "no such variable");                                \
  }

const char *
NAME (GetTypesPlatform) (void)
{
  return "default";
}

const char *
NAME (GetVersion) (void)
{
  return "2.0";
}

WeirFmiComponent
NAME (Instantiate) (const char *name, WeirFmi2Type type, const char *guid, const char *resources,
                    const WeirFmi2Callbacks *callbacks, WeirFmi2Boolean visible,
                    WeirFmi2Boolean logging)
{
  Fmu *self = fmu_new (name, guid, logging != 0);

  (void) type;
  (void) resources;
  (void) visible;
  if (self != NULL)
    {
      self->callbacks = callbacks;
      self->environment = callbacks != NULL ? callbacks->environment : NULL;
    }
  return self;
}

void
NAME (FreeInstance) (WeirFmiComponent c)
{
  fmu_free (c);
}

WeirFmiStatus
NAME (SetDebugLogging) (WeirFmiComponent c, WeirFmi2Boolean on, size_t n,
                        const char *const categories[])
{
  return fmu_set_logging (c, on, n, categories);
}

WeirFmiStatus
NAME (SetupExperiment) (WeirFmiComponent c, WeirFmi2Boolean has_tolerance, double tolerance,
                        double start, WeirFmi2Boolean has_stop, double stop)
{
  (void) has_tolerance;
  (void) tolerance;
  (void) has_stop;
  (void) stop;
  fmu_set_time (c, start);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (EnterInitializationMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (ExitInitializationMode) (WeirFmiComponent c)
{
  return fmu_begin (c);
}

WeirFmiStatus
NAME (Terminate) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (Reset) (WeirFmiComponent c)
{
  return fmu_reset (c) ? WEIR_FMI_OK : WEIR_FMI_ERROR;
}

WeirFmiStatus
NAME (GetReal) (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, double values[])
{
  return fmu_get (c, refs, n, values);
}

WeirFmiStatus
NAME (SetReal) (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const double values[])
{
  return fmu_set (c, refs, n, values);
}

EMPTY (GetInteger, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, int values[]))
EMPTY (GetBoolean,
       (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, WeirFmi2Boolean values[]))
EMPTY (GetString,
       (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *values[]))
EMPTY (SetInteger,
       (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const int values[]))
EMPTY (SetBoolean, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,
                    const WeirFmi2Boolean values[]))
EMPTY (SetString,
       (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *const values[]))
EMPTY (SetRealInputDerivatives, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,
                                 const int orders[], const double values[]))
EMPTY (GetRealOutputDerivatives, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,
                                  const int orders[], double values[]))
MISSING (CancelStep, (WeirFmiComponent c))
MISSING (GetIntegerStatus, (WeirFmiComponent c, WeirFmi2StatusKind kind, int *value))
MISSING (GetStringStatus, (WeirFmiComponent c, WeirFmi2StatusKind kind, const char **value))

WeirFmiStatus
NAME (GetStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmiStatus *value)
{
  (void) c;
  (void) kind;
  *value = WEIR_FMI_OK;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (GetRealStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, double *value)
{
  (void) kind;
  *value = ((const Fmu *) c)->model.context.now;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (GetBooleanStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmi2Boolean *value)
{
  (void) kind;
  *value = weir_simulator_has_ended (((const Fmu *) c)->simulator);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (GetDirectionalDerivative) (WeirFmiComponent c, const WeirFmiReference unknowns[],
                                 size_t n_unknowns, const WeirFmiReference knowns[],
                                 size_t n_knowns, const double seed[], double sensitivity[])
{
  return fmu_get_directional (c, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

/* --- States ---------------------------------------------------------------------------------- */

WeirFmiStatus
NAME (GetFMUstate) (WeirFmiComponent c, WeirFmiState *state)
{
  return fmu_get_state (c, state);
}

WeirFmiStatus
NAME (SetFMUstate) (WeirFmiComponent c, WeirFmiState state)
{
  return fmu_set_state (c, state);
}

WeirFmiStatus
NAME (FreeFMUstate) (WeirFmiComponent c, WeirFmiState *state)
{
  (void) c;
  return fmu_free_state (state);
}

WeirFmiStatus
NAME (SerializedFMUstateSize) (WeirFmiComponent c, WeirFmiState state, size_t *size)
{
  (void) c;
  *size = fmu_get_state_size (state);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (SerializeFMUstate) (WeirFmiComponent c, WeirFmiState state, uint8_t bytes[], size_t size)
{
  return fmu_serialize (c, state, bytes, size);
}

WeirFmiStatus
NAME (DeSerializeFMUstate) (WeirFmiComponent c, const uint8_t bytes[], size_t size,
                            WeirFmiState *state)
{
  return fmu_deserialize (c, bytes, size, state);
}

/* --- Model exchange -------------------------------------------------------------------------- */

WeirFmiStatus
NAME (EnterEventMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (NewDiscreteStates) (WeirFmiComponent c, WeirFmi2EventInfo *info)
{
  Fmu *self = c;
  int has_changed = 0;
  double next = 0;

  if (fmu_meet (self, &has_changed, &next) != WEIR_FMI_OK)
    return WEIR_FMI_ERROR;
  *info = (WeirFmi2EventInfo) {
    .terminate_simulation = weir_simulator_has_ended (self->simulator),
    .values_of_continuous_states_changed = has_changed,
    .next_event_time_defined = isfinite (next),
    .next_event_time = next,
  };
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (EnterContinuousTimeMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (CompletedIntegratorStep) (WeirFmiComponent c, WeirFmi2Boolean no_return,
                                WeirFmi2Boolean *enter_event_mode, WeirFmi2Boolean *terminate)
{
  Fmu *self = c;
  int has_updates = 0;

  (void) no_return;
  if (!weir_simulator_complete_step (self->simulator, &has_updates))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  *enter_event_mode = has_updates;
  *terminate = FALSE;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (SetTime) (WeirFmiComponent c, double time)
{
  fmu_set_time (c, time);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (SetContinuousStates) (WeirFmiComponent c, const double x[], size_t n)
{
  return fmu_set_states (c, x, n);
}

WeirFmiStatus
NAME (GetDerivatives) (WeirFmiComponent c, double xdot[], size_t n)
{
  (void) n;
  return fmu_get_derivatives (c, xdot);
}

WeirFmiStatus
NAME (GetEventIndicators) (WeirFmiComponent c, double z[], size_t n)
{
  return n < ((const Fmu *) c)->n_indicators
             ? fmu_fail (c, "there is too little room for the event indicators")
             : fmu_get_indicators (c, z);
}

WeirFmiStatus
NAME (GetContinuousStates) (WeirFmiComponent c, double x[], size_t n)
{
  memcpy (x, ((Fmu *) c)->model.context.state, n * sizeof *x);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (GetNominalsOfContinuousStates) (WeirFmiComponent c, double nominals[], size_t n)
{
  (void) c;
  for (size_t i = 0; i < n; i++)
    nominals[i] = 1;
  return WEIR_FMI_OK;
}

/* --- Co-simulation --------------------------------------------------------------------------- */

WeirFmiStatus
NAME (DoStep) (WeirFmiComponent c, double time, double step, WeirFmi2Boolean no_return)
{
  int is_at_event = 0;

  (void) no_return;
  return fmu_step (c, time + step, &is_at_event);
}
