/* A generated model as an FMU of FMI 3.0. */
#include "fmu.h"

#ifdef __GNUC__ /* what is not offered has no use for what it is given */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#ifdef FMI3_FUNCTION_PREFIX
#define JOIN_2(a, b) a##b
#define JOIN(a, b) JOIN_2 (a, b)
#define NAME(name) JOIN (FMI3_FUNCTION_PREFIX, fmi3##name)
#else
#define NAME(name) fmi3##name
#endif

#define DECLARE(kind, result, name, parameters) WEIR_FMU_EXPORT result NAME (name) parameters;
WEIR_FMI3_FUNCTIONS (DECLARE)

#define MISSING(name, parameters)                                                                  \
  WeirFmiStatus NAME (name) parameters                                                             \
  {                                                                                                \
    return fmu_fail (c, #name " is not offered");                                                  \
  }
#define EMPTY(name, parameters)                                                                    \
  WeirFmiStatus NAME (name) parameters                                                             \
  {                                                                                                \
    return n == 0 ? WEIR_FMI_OK : fmu_fail (c, "there is no such variable");                       \
  }
#define EMPTY_VALUES(Type, type)                                                                   \
  EMPTY (Get##Type, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, type values[],   \
                     size_t n_values))                                                             \
  EMPTY (Set##Type, (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,                  \
                     const type values[], size_t n_values))
#define REFS WeirFmiComponent c, const WeirFmiReference refs[], size_t n
#define SLOPES                                                                                     \
  (WeirFmiComponent c, const WeirFmiReference unknowns[], size_t n_unknowns,                       \
   const WeirFmiReference knowns[], size_t n_knowns, const double seed[], size_t n_seed,           \
   double sensitivity[], size_t n_sensitivity)

EMPTY_VALUES (Float32, float)
EMPTY_VALUES (Int8, int8_t)
EMPTY_VALUES (UInt8, uint8_t)
EMPTY_VALUES (Int16, int16_t)
EMPTY_VALUES (UInt16, uint16_t)
EMPTY_VALUES (Int32, int32_t)
EMPTY_VALUES (UInt32, uint32_t)
EMPTY_VALUES (Int64, int64_t)
EMPTY_VALUES (UInt64, uint64_t)
EMPTY_VALUES (Boolean, bool)
EMPTY (GetString, (REFS, const char *values[], size_t n_values))
EMPTY (SetString, (REFS, const char *const values[], size_t n_values))
EMPTY (GetBinary, (REFS, size_t sizes[], const uint8_t *values[], size_t n_values))
EMPTY (SetBinary, (REFS, const size_t sizes[], const uint8_t *const values[], size_t n_values))
EMPTY (GetClock, (REFS, bool values[]))
EMPTY (SetClock, (REFS, const bool values[]))
EMPTY (GetIntervalDecimal, (REFS, double intervals[], WeirFmi3IntervalQualifier qualifiers[]))
EMPTY (GetIntervalFraction,
       (REFS, uint64_t counters[], uint64_t resolutions[], WeirFmi3IntervalQualifier qualifiers[]))
EMPTY (GetShiftDecimal, (REFS, double shifts[]))
EMPTY (GetShiftFraction, (REFS, uint64_t counters[], uint64_t resolutions[]))
EMPTY (SetIntervalDecimal, (REFS, const double intervals[]))
EMPTY (SetIntervalFraction, (REFS, const uint64_t counters[], const uint64_t resolutions[]))
EMPTY (SetShiftDecimal, (REFS, const double shifts[]))
EMPTY (SetShiftFraction, (REFS, const uint64_t counters[], const uint64_t resolutions[]))
EMPTY (GetOutputDerivatives, (REFS, const int32_t orders[], double values[], size_t n_values))
MISSING (GetNumberOfVariableDependencies, (WeirFmiComponent c, WeirFmiReference ref, size_t *n))
MISSING (GetVariableDependencies,
         (WeirFmiComponent c, WeirFmiReference dependent, size_t dependent_elements[],
          WeirFmiReference independents[], size_t independent_elements[],
          WeirFmi3DependencyKind kinds[], size_t n))
MISSING (EnterConfigurationMode, (WeirFmiComponent c))
MISSING (ExitConfigurationMode, (WeirFmiComponent c))
MISSING (ActivateModelPartition, (WeirFmiComponent c, WeirFmiReference clock, double time))

const char *
NAME (GetVersion) (void)
{
  return "3.0";
}

WeirFmiStatus
NAME (SetDebugLogging) (WeirFmiComponent c, bool on, size_t n, const char *const categories[])
{
  return fmu_set_logging (c, on, n, categories);
}

static Fmu *
make (const char *name, const char *token, gboolean logs, void *environment, WeirFmi3LogMessage log)
{
  Fmu *self = fmu_new (name, token, logs);

  if (self != NULL)
    {
      self->environment = environment;
      self->log = log;
    }
  return self;
}

WeirFmiComponent
NAME (InstantiateModelExchange) (const char *name, const char *token, const char *resources,
                                 bool visible, bool logging, void *environment,
                                 WeirFmi3LogMessage log)
{
  (void) resources;
  (void) visible;
  return make (name, token, logging, environment, log);
}

WeirFmiComponent
NAME (InstantiateCoSimulation) (const char *name, const char *token, const char *resources,
                                bool visible, bool logging, bool event_mode_used,
                                bool early_return_allowed, const WeirFmiReference intermediate[],
                                size_t n_intermediate, void *environment, WeirFmi3LogMessage log,
                                WeirFmi3IntermediateUpdate update)
{
  Fmu *self = make (name, token, logging, environment, log);

  (void) resources;
  (void) visible;
  (void) intermediate;
  (void) n_intermediate;
  (void) update;
  if (self != NULL)
    {
      self->is_stepped = TRUE;
      self->has_event_mode = event_mode_used;
      self->ends_early = event_mode_used && early_return_allowed;
    }
  return self;
}

WeirFmiComponent
NAME (InstantiateScheduledExecution) (const char *name, const char *token, const char *resources,
                                      bool visible, bool logging, void *environment,
                                      WeirFmi3LogMessage log, WeirFmi3ClockUpdate update,
                                      WeirFmi3Lock lock, WeirFmi3Lock unlock)
{
  (void) name;
  (void) token;
  (void) resources;
  (void) visible;
  (void) logging;
  (void) environment;
  (void) log;
  (void) update;
  (void) lock;
  (void) unlock;
  return NULL;
}

void
NAME (FreeInstance) (WeirFmiComponent c)
{
  fmu_free (c);
}

WeirFmiStatus
NAME (EnterInitializationMode) (WeirFmiComponent c, bool has_tolerance, double tolerance,
                                double start, bool has_stop, double stop)
{
  (void) has_tolerance;
  (void) tolerance;
  (void) has_stop;
  (void) stop;
  fmu_set_time (c, start);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (ExitInitializationMode) (WeirFmiComponent c)
{
  return fmu_begin (c);
}

WeirFmiStatus
NAME (EnterEventMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
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
NAME (GetFloat64) (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, double values[],
                   size_t n_values)
{
  return n_values < n ? fmu_fail (c, "there is too little room for the values")
                      : fmu_get (c, refs, n, values);
}

WeirFmiStatus
NAME (SetFloat64) (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,
                   const double values[], size_t n_values)
{
  return n_values < n ? fmu_fail (c, "there are too few values") : fmu_set (c, refs, n, values);
}

WeirFmiStatus
NAME (GetDirectionalDerivative) SLOPES
{
  return n_seed < n_knowns || n_sensitivity < n_unknowns
             ? fmu_fail (c, "there is too little room for the derivatives")
             : fmu_get_directional (c, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

WeirFmiStatus
NAME (GetAdjointDerivative) SLOPES
{
  return n_seed < n_unknowns || n_sensitivity < n_knowns
             ? fmu_fail (c, "there is too little room for the derivatives")
             : fmu_get_adjoint (c, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}

/* --- States ---------------------------------------------------------------------------------- */

WeirFmiStatus
NAME (GetFMUState) (WeirFmiComponent c, WeirFmiState *state)
{
  return fmu_get_state (c, state);
}

WeirFmiStatus
NAME (SetFMUState) (WeirFmiComponent c, WeirFmiState state)
{
  return fmu_set_state (c, state);
}

WeirFmiStatus
NAME (FreeFMUState) (WeirFmiComponent c, WeirFmiState *state)
{
  (void) c;
  return fmu_free_state (state);
}

WeirFmiStatus
NAME (SerializedFMUStateSize) (WeirFmiComponent c, WeirFmiState state, size_t *size)
{
  (void) c;
  *size = fmu_get_state_size (state);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (SerializeFMUState) (WeirFmiComponent c, WeirFmiState state, uint8_t bytes[], size_t size)
{
  return fmu_serialize (c, state, bytes, size);
}

WeirFmiStatus
NAME (DeserializeFMUState) (WeirFmiComponent c, const uint8_t bytes[], size_t size,
                            WeirFmiState *state)
{
  return fmu_deserialize (c, bytes, size, state);
}

/* --- Model exchange -------------------------------------------------------------------------- */

WeirFmiStatus
NAME (EvaluateDiscreteStates) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (UpdateDiscreteStates) (WeirFmiComponent c, bool *need_update, bool *terminate,
                             bool *nominals_changed, bool *values_changed,
                             bool *next_event_time_defined, double *next_event_time)
{
  Fmu *self = c;
  int has_changed = 0;
  double next = 0;

  if (fmu_meet (self, &has_changed, &next) != WEIR_FMI_OK)
    return WEIR_FMI_ERROR;
  *need_update = false;
  *terminate = weir_simulator_has_ended (self->simulator) != 0;
  *nominals_changed = false;
  *values_changed = has_changed != 0;
  *next_event_time_defined = isfinite (next);
  *next_event_time = next;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (EnterContinuousTimeMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (CompletedIntegratorStep) (WeirFmiComponent c, bool no_return, bool *enter_event_mode,
                                bool *terminate)
{
  Fmu *self = c;
  int has_updates = 0;

  (void) no_return;
  if (!weir_simulator_complete_step (self->simulator, &has_updates))
    return fmu_fail (self, weir_simulator_get_error (self->simulator));
  *enter_event_mode = has_updates != 0;
  *terminate = false;
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
NAME (GetContinuousStateDerivatives) (WeirFmiComponent c, double xdot[], size_t n)
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

WeirFmiStatus
NAME (GetNumberOfEventIndicators) (WeirFmiComponent c, size_t *n)
{
  *n = fmu_count_indicators (((Fmu *) c)->model.context.system);
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (GetNumberOfContinuousStates) (WeirFmiComponent c, size_t *n)
{
  *n = ((Fmu *) c)->model.context.system->n_states;
  return WEIR_FMI_OK;
}

/* --- Co-simulation --------------------------------------------------------------------------- */

WeirFmiStatus
NAME (EnterStepMode) (WeirFmiComponent c)
{
  (void) c;
  return WEIR_FMI_OK;
}

WeirFmiStatus
NAME (DoStep) (WeirFmiComponent c, double time, double step, bool no_return, bool *event_needed,
               bool *terminate, bool *early_return, double *last_time)
{
  Fmu *self = c;
  int is_at_event = 0;
  const double end = time + step;
  WeirFmiStatus status = fmu_step (self, end, &is_at_event);
  const double now = self->model.context.now;

  (void) no_return;
  *event_needed = is_at_event != 0;
  *terminate = weir_simulator_has_ended (self->simulator) != 0;
  /* The same instant may be rounded otherwise by who steps. */
  *early_return = end - now > 64 * DBL_EPSILON * fabs (end);
  *last_time = *early_return ? now : end;
  return status == WEIR_FMI_DISCARD ? WEIR_FMI_OK : status;
}
