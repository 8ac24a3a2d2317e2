/* Loading the library of an FMU, its values, and the names of its functions. See library.h. */
#include "fmi/library.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Names ----------------------------------------------------------------------------------- */

static const struct {
  const char *two, *three;
} names[WEIR_FMU_N_CALLS] = {
  [WEIR_FMU_CALL_LOAD] = { "dlopen", "dlopen" },
  [WEIR_FMU_CALL_INSTANTIATE] = { "fmi2Instantiate", "fmi3InstantiateModelExchange" },
  [WEIR_FMU_CALL_FREE] = { "fmi2FreeInstance", "fmi3FreeInstance" },
  [WEIR_FMU_CALL_ENTER_INITIALIZATION] = { "fmi2EnterInitializationMode",
                                           "fmi3EnterInitializationMode" },
  [WEIR_FMU_CALL_EXIT_INITIALIZATION] = { "fmi2ExitInitializationMode",
                                          "fmi3ExitInitializationMode" },
  [WEIR_FMU_CALL_ENTER_EVENT_MODE] = { "fmi2EnterEventMode", "fmi3EnterEventMode" },
  [WEIR_FMU_CALL_UPDATE_DISCRETE] = { "fmi2NewDiscreteStates", "fmi3UpdateDiscreteStates" },
  [WEIR_FMU_CALL_EVALUATE_DISCRETE] = { NULL, "fmi3EvaluateDiscreteStates" },
  [WEIR_FMU_CALL_ENTER_CONTINUOUS_MODE] = { "fmi2EnterContinuousTimeMode",
                                            "fmi3EnterContinuousTimeMode" },
  [WEIR_FMU_CALL_COMPLETED_STEP] = { "fmi2CompletedIntegratorStep", "fmi3CompletedIntegratorStep" },
  [WEIR_FMU_CALL_ENTER_STEP_MODE] = { NULL, "fmi3EnterStepMode" },
  [WEIR_FMU_CALL_ENTER_CONFIGURATION] = { NULL, "fmi3EnterConfigurationMode" },
  [WEIR_FMU_CALL_EXIT_CONFIGURATION] = { NULL, "fmi3ExitConfigurationMode" },
  [WEIR_FMU_CALL_TERMINATE] = { "fmi2Terminate", "fmi3Terminate" },
  [WEIR_FMU_CALL_RESET] = { "fmi2Reset", "fmi3Reset" },
  [WEIR_FMU_CALL_SET_TIME] = { "fmi2SetTime", "fmi3SetTime" },
  [WEIR_FMU_CALL_SET_STATES] = { "fmi2SetContinuousStates", "fmi3SetContinuousStates" },
  [WEIR_FMU_CALL_GET_STATES] = { "fmi2GetContinuousStates", "fmi3GetContinuousStates" },
  [WEIR_FMU_CALL_GET_DERIVATIVES] = { "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives" },
  [WEIR_FMU_CALL_GET_INDICATORS] = { "fmi2GetEventIndicators", "fmi3GetEventIndicators" },
  [WEIR_FMU_CALL_GET_NOMINALS] = { "fmi2GetNominalsOfContinuousStates",
                                   "fmi3GetNominalsOfContinuousStates" },
  [WEIR_FMU_CALL_COUNT_STATES] = { NULL, "fmi3GetNumberOfContinuousStates" },
  [WEIR_FMU_CALL_COUNT_INDICATORS] = { NULL, "fmi3GetNumberOfEventIndicators" },
  [WEIR_FMU_CALL_GET] = { NULL, NULL }, /* by type */
  [WEIR_FMU_CALL_SET] = { NULL, NULL },
  [WEIR_FMU_CALL_GET_INTERVALS] = { NULL, "fmi3GetIntervalDecimal" },
  [WEIR_FMU_CALL_SET_INTERVALS] = { NULL, "fmi3SetIntervalDecimal" },
  [WEIR_FMU_CALL_GET_SHIFTS] = { NULL, "fmi3GetShiftDecimal" },
  [WEIR_FMU_CALL_DO_STEP] = { "fmi2DoStep", "fmi3DoStep" },
  [WEIR_FMU_CALL_SAVE] = { "fmi2GetFMUstate", "fmi3GetFMUState" },
  [WEIR_FMU_CALL_RESTORE] = { "fmi2SetFMUstate", "fmi3SetFMUState" },
  [WEIR_FMU_CALL_FORGET] = { "fmi2FreeFMUstate", "fmi3FreeFMUState" },
  [WEIR_FMU_CALL_SERIALIZE] = { "fmi2SerializeFMUstate", "fmi3SerializeFMUState" },
  [WEIR_FMU_CALL_DESERIALIZE] = { "fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState" },
  [WEIR_FMU_CALL_DIFFERENTIATE] = { "fmi2GetDirectionalDerivative",
                                    "fmi3GetDirectionalDerivative" },
};

/* Getters and setters; 2.0 lacks most. */
static const struct {
  const char *names[2][2]; /* [version - 2][is a setter] */
} value_names[WEIR_FMU_N_TYPES] = {
#define VALUES_OF(Type, two)                                                                       \
  {                                                                                                \
    {                                                                                              \
      { two ("Get"), two ("Set") },                                                                \
      {                                                                                            \
        "fmi3Get" #Type, "fmi3Set" #Type                                                           \
      }                                                                                            \
    }                                                                                              \
  }
#define NO_TWO(verb) NULL
#define REAL_TWO(verb) "fmi2" verb "Real"
#define INTEGER_TWO(verb) "fmi2" verb "Integer"
#define BOOLEAN_TWO(verb) "fmi2" verb "Boolean"
#define STRING_TWO(verb) "fmi2" verb "String"
  [WEIR_FMU_FLOAT32] = VALUES_OF (Float32, NO_TWO),
  [WEIR_FMU_FLOAT64] = VALUES_OF (Float64, REAL_TWO),
  [WEIR_FMU_INT8] = VALUES_OF (Int8, NO_TWO),
  [WEIR_FMU_UINT8] = VALUES_OF (UInt8, NO_TWO),
  [WEIR_FMU_INT16] = VALUES_OF (Int16, NO_TWO),
  [WEIR_FMU_UINT16] = VALUES_OF (UInt16, NO_TWO),
  [WEIR_FMU_INT32] = VALUES_OF (Int32, INTEGER_TWO),
  [WEIR_FMU_UINT32] = VALUES_OF (UInt32, NO_TWO),
  [WEIR_FMU_INT64] = VALUES_OF (Int64, NO_TWO),
  [WEIR_FMU_UINT64] = VALUES_OF (UInt64, NO_TWO),
  [WEIR_FMU_BOOLEAN] = VALUES_OF (Boolean, BOOLEAN_TWO),
  [WEIR_FMU_STRING] = VALUES_OF (String, STRING_TWO),
  [WEIR_FMU_BINARY] = VALUES_OF (Binary, NO_TWO),
  [WEIR_FMU_ENUMERATION] = VALUES_OF (Int64, INTEGER_TWO),
  [WEIR_FMU_CLOCK] = VALUES_OF (Clock, NO_TWO),
};

const char *
weir_fmu_call_get_name (uint32_t version, bool is_stepped, WeirFmuCallKind kind, WeirFmuType type)
{
  const char *name;

  if ((uint32_t) kind >= WEIR_FMU_N_CALLS || (uint32_t) type >= WEIR_FMU_N_TYPES)
    return "a function";
  if (kind == WEIR_FMU_CALL_GET || kind == WEIR_FMU_CALL_SET)
    name = value_names[type].names[version != 2][kind == WEIR_FMU_CALL_SET];
  else if (kind == WEIR_FMU_CALL_INSTANTIATE && version == 3 && is_stepped)
    name = "fmi3InstantiateCoSimulation";
  else
    name = version == 2 ? names[kind].two : names[kind].three;
  return name != NULL ? name : "a function";
}

/* --- Messages of the FMU --------------------------------------------------------------------- */

static void
pass_line (WeirFmuLibrary *self, WeirFmiStatus status, const char *category, const char *message)
{
  static const char *const statuses[] = { "ok", "warning", "discard", "error", "fatal", "pending" };
  char line[1200];

  snprintf (line, sizeof line, "%s: %.200s: %.900s",
            (unsigned) status < sizeof statuses / sizeof *statuses ? statuses[status] : "status",
            category != NULL ? category : "", message != NULL ? message : "");
  if (self->log != NULL)
    self->log (self->log_data, line);
}

__attribute__ ((format (printf, 5, 6))) static void
log_of_2 (void *environment, const char *instance, WeirFmiStatus status, const char *category,
          const char *format, ...)
{
  char message[1000] = "";
  va_list arguments;

  (void) instance;
  if (environment == NULL || format == NULL)
    return; /* some give back nothing of what they were given */
  va_start (arguments, format);
  vsnprintf (message, sizeof message, format, arguments);
  va_end (arguments);
  pass_line (environment, status, category, message);
}

static void
log_of_3 (void *environment, WeirFmiStatus status, const char *category, const char *message)
{
  if (environment != NULL)
    pass_line (environment, status, category, message);
}

/* --- Loading --------------------------------------------------------------------------------- */

static void
look_up (WeirFmuLibrary *self, const char *name, bool is_needed, void *member, const char **missing)
{
  void *symbol = dlsym (self->handle, name);

  if (symbol == NULL && is_needed && *missing == NULL)
    *missing = name;
  memcpy (member, &symbol, sizeof symbol);
}

/* NULL, or what must be there and is not. */
static const char *
look_up_all (WeirFmuLibrary *self)
{
  const bool is_of_COMMON = true, is_of_OPTIONAL = false;
  const bool is_of_EXCHANGE = !self->is_stepped, is_of_STEPS = self->is_stepped;
  const char *missing = NULL;

#define LOOK_UP_2(kind, result, name, parameters)                                                  \
  look_up (self, "fmi2" #name, is_of_##kind, &self->fmi2.name, &missing);
#define LOOK_UP_3(kind, result, name, parameters)                                                  \
  look_up (self, "fmi3" #name, is_of_##kind, &self->fmi3.name, &missing);
  if (self->version == 2)
    {
      WEIR_FMI2_FUNCTIONS (LOOK_UP_2)
    }
  else
    {
      WEIR_FMI3_FUNCTIONS (LOOK_UP_3)
    }
  return missing;
}

uint32_t
weir_fmu_library_load (WeirFmuLibrary *self, const char *path, uint32_t flags, char *why,
                       size_t size)
{
  const char *missing;
  int mode = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE; /* threads of its own may outlive it */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* which refuse that */
  if (flags & WEIR_FMU_FLAG_DEEP)
    mode |= RTLD_DEEPBIND;
#endif
  self->version = flags & WEIR_FMU_FLAG_VERSION_3 ? 3 : 2;
  self->is_stepped = (flags & WEIR_FMU_FLAG_STEPS) != 0;
  self->handle = dlopen (path, mode);
  if (self->handle == NULL)
    {
      const char *text = dlerror ();

      snprintf (why, size, "%s", text != NULL ? text : path);
      return WEIR_FMU_STATUS_NOT_LOADED;
    }
  missing = look_up_all (self);
  if (missing == NULL)
    return WEIR_FMI_OK;
  snprintf (why, size, "%s", missing);
  return WEIR_FMU_STATUS_INCOMPLETE;
}

uint32_t
weir_fmu_library_instantiate (WeirFmuLibrary *self, const char *name, const char *token,
                              const char *resources, uint32_t flags)
{
  bool logs = (flags & WEIR_FMU_FLAG_LOGGING) != 0;

  if (self->version == 2)
    {
      self->callbacks = (WeirFmi2Callbacks) { log_of_2, calloc, free, NULL, self };
      self->component = self->fmi2.Instantiate (
          name, self->is_stepped ? WEIR_FMI2_CO_SIMULATION : WEIR_FMI2_MODEL_EXCHANGE, token,
          resources, &self->callbacks, 0, logs);
    }
  else if (self->is_stepped)
    self->component = self->fmi3.InstantiateCoSimulation (
        name, token, resources, false, logs, (flags & WEIR_FMU_FLAG_EVENT_MODE_USED) != 0,
        (flags & WEIR_FMU_FLAG_EARLY_RETURN_ALLOWED) != 0, NULL, 0, self, log_of_3, NULL);
  else
    self->component = self->fmi3.InstantiateModelExchange (name, token, resources, false, logs,
                                                           self, log_of_3);
  return self->component != NULL ? WEIR_FMI_OK : WEIR_FMU_STATUS_NO_INSTANCE;
}

void
weir_fmu_library_clear (WeirFmuLibrary *self, bool is_lost)
{
  if (self->component != NULL && !is_lost)
    {
      if (self->version == 2)
        self->fmi2.FreeInstance (self->component);
      else
        self->fmi3.FreeInstance (self->component);
    }
  self->component = NULL;
  if (self->handle != NULL)
    dlclose (self->handle);
  self->handle = NULL;
  free (self->scratch);
  self->scratch = NULL;
  self->scratch_size = 0;
}

/* --- Values ---------------------------------------------------------------------------------- */

void *
weir_fmu_library_scratch (WeirFmuLibrary *self, size_t size)
{
  if (size > self->scratch_size)
    {
      void *larger = realloc (self->scratch, size);

      if (larger == NULL)
        return NULL;
      self->scratch = larger;
      self->scratch_size = size;
    }
  return self->scratch;
}

static uint32_t
get_of_2 (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs, size_t n,
          void *values)
{
  int *whole;
  uint32_t status;

  if (type == WEIR_FMU_FLOAT64)
    return self->fmi2.GetReal (self->component, refs, n, values);
  if (type == WEIR_FMU_INT32)
    return self->fmi2.GetInteger (self->component, refs, n, values);
  if (type != WEIR_FMU_BOOLEAN && type != WEIR_FMU_ENUMERATION)
    return WEIR_FMU_STATUS_UNSUITED;
  whole = weir_fmu_library_scratch (self, (n + 1) * sizeof *whole);
  if (whole == NULL)
    return WEIR_FMU_STATUS_NO_ROOM;
  status = type == WEIR_FMU_BOOLEAN ? self->fmi2.GetBoolean (self->component, refs, n, whole)
                                    : self->fmi2.GetInteger (self->component, refs, n, whole);
  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    if (type == WEIR_FMU_BOOLEAN)
      ((bool *) values)[i] = whole[i] != 0;
    else
      ((int64_t *) values)[i] = whole[i];
  return status;
}

static uint32_t
set_of_2 (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs, size_t n,
          const void *values)
{
  int *whole;

  if (type == WEIR_FMU_FLOAT64)
    return self->fmi2.SetReal (self->component, refs, n, values);
  if (type == WEIR_FMU_INT32)
    return self->fmi2.SetInteger (self->component, refs, n, values);
  if (type != WEIR_FMU_BOOLEAN && type != WEIR_FMU_ENUMERATION)
    return WEIR_FMU_STATUS_UNSUITED;
  whole = weir_fmu_library_scratch (self, (n + 1) * sizeof *whole);
  if (whole == NULL)
    return WEIR_FMU_STATUS_NO_ROOM;
  for (size_t i = 0; i < n; i++)
    if (type == WEIR_FMU_BOOLEAN)
      whole[i] = ((const bool *) values)[i];
    else
      {
        int64_t value = ((const int64_t *) values)[i];

        if (value < INT_MIN || value > INT_MAX)
          return WEIR_FMU_STATUS_UNSUITED;
        whole[i] = (int) value;
      }
  return type == WEIR_FMU_BOOLEAN ? self->fmi2.SetBoolean (self->component, refs, n, whole)
                                  : self->fmi2.SetInteger (self->component, refs, n, whole);
}

#define CASES_OF_3(verb)                                                                           \
  case WEIR_FMU_FLOAT32:                                                                           \
    return VALUES_OF_3 (verb##Float32);                                                            \
  case WEIR_FMU_FLOAT64:                                                                           \
    return VALUES_OF_3 (verb##Float64);                                                            \
  case WEIR_FMU_INT8:                                                                              \
    return VALUES_OF_3 (verb##Int8);                                                               \
  case WEIR_FMU_UINT8:                                                                             \
    return VALUES_OF_3 (verb##UInt8);                                                              \
  case WEIR_FMU_INT16:                                                                             \
    return VALUES_OF_3 (verb##Int16);                                                              \
  case WEIR_FMU_UINT16:                                                                            \
    return VALUES_OF_3 (verb##UInt16);                                                             \
  case WEIR_FMU_INT32:                                                                             \
    return VALUES_OF_3 (verb##Int32);                                                              \
  case WEIR_FMU_UINT32:                                                                            \
    return VALUES_OF_3 (verb##UInt32);                                                             \
  case WEIR_FMU_INT64:                                                                             \
  case WEIR_FMU_ENUMERATION:                                                                       \
    return VALUES_OF_3 (verb##Int64);                                                              \
  case WEIR_FMU_UINT64:                                                                            \
    return VALUES_OF_3 (verb##UInt64);                                                             \
  case WEIR_FMU_BOOLEAN:                                                                           \
    return VALUES_OF_3 (verb##Boolean);                                                            \
  case WEIR_FMU_CLOCK:                                                                             \
    return self->fmi3.verb##Clock != NULL                                                          \
               ? (uint32_t) self->fmi3.verb##Clock (self->component, refs, n, values)              \
               : WEIR_FMU_STATUS_MISSING;                                                          \
  case WEIR_FMU_STRING:                                                                            \
  case WEIR_FMU_BINARY:                                                                            \
  case WEIR_FMU_N_TYPES:                                                                           \
  default:                                                                                         \
    return WEIR_FMU_STATUS_UNSUITED;

#define VALUES_OF_3(name)                                                                          \
  self->fmi3.name != NULL                                                                          \
      ? (uint32_t) self->fmi3.name (self->component, refs, n, values, n_values)                    \
      : WEIR_FMU_STATUS_MISSING

uint32_t
weir_fmu_library_get (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs,
                      size_t n, void *values, size_t n_values)
{
  if (self->version == 2)
    return get_of_2 (self, type, refs, n, values);
  switch (type)
    {
      CASES_OF_3 (Get)
    }
}

uint32_t
weir_fmu_library_set (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs,
                      size_t n, const void *values, size_t n_values)
{
  if (self->version == 2)
    return set_of_2 (self, type, refs, n, values);
  switch (type)
    {
      CASES_OF_3 (Set)
    }
}
