/* Performing the calls of a request. See library.h and wire.h.
 *
 * Whatever happens in an FMU, the thread's arithmetic, its locale and the program's are afterwards
 * as they were before its library was loaded.
 */
#include "fmi/library.h"

#include <locale.h>
#include <string.h>

typedef struct {
  WeirFmuLibrary *library;
  char *base;
  uint64_t size;
  uint64_t *used;
} Request;

/* Calls of what the library may lack. */
#define CALL_2(name, arguments)                                                                    \
  (self->fmi2.name != NULL ? (uint32_t) self->fmi2.name arguments : WEIR_FMU_STATUS_MISSING)
#define CALL_3(name, arguments)                                                                    \
  (self->fmi3.name != NULL ? (uint32_t) self->fmi3.name arguments : WEIR_FMU_STATUS_MISSING)
#define CALL_BOTH(name_2, name_3, arguments)                                                       \
  (self->version == 2 ? CALL_2 (name_2, arguments) : CALL_3 (name_3, arguments))
#define CALL_THREE(name, arguments)                                                                \
  (self->version == 3 ? CALL_3 (name, arguments) : WEIR_FMU_STATUS_MISSING)

static void *
at (const Request *request, uint64_t distance)
{
  return distance != 0 ? request->base + distance : NULL;
}

/* Room for a result; 0: there is none. */
static uint64_t
take (const Request *request, uint64_t n)
{
  uint64_t from = WEIR_FMU_ALIGN (*request->used);

  if (from > request->size || n > request->size - from)
    return 0;
  *request->used = from + n;
  return from;
}

/* --- Strings and binaries -------------------------------------------------------------------- */

/* What was got, into the region. */
static uint32_t
put_chunks (const Request *request, WeirFmuCall *call, const uint8_t *const *texts,
            const size_t *sizes)
{
  WeirFmuChunk *chunks = at (request, call->values);

  for (uint64_t i = 0; i < call->n_values; i++)
    {
      const void *text = texts[i] != NULL ? (const void *) texts[i] : "";
      uint64_t size = sizes != NULL ? (texts[i] != NULL ? sizes[i] : 0) : strlen (text) + 1;
      uint64_t from = take (request, size);

      if (from == 0)
        return WEIR_FMU_STATUS_NO_ROOM;
      memcpy (request->base + from, text, size);
      chunks[i] = (WeirFmuChunk) { from, size };
    }
  return WEIR_FMI_OK;
}

static uint32_t
perform_chunks (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  const WeirFmiReference *refs = at (request, call->refs);
  const WeirFmuChunk *chunks = at (request, call->values);
  uint64_t n = call->n_values;
  const uint8_t **texts = weir_fmu_library_scratch (self, (n + 1) * 2 * sizeof *texts);
  size_t *sizes = (size_t *) (texts + n + 1);
  bool is_string = call->type == WEIR_FMU_STRING;
  uint32_t status;

  if (texts == NULL)
    return WEIR_FMU_STATUS_NO_ROOM;
  for (uint64_t i = 0; i < n; i++)
    {
      texts[i] = call->kind == WEIR_FMU_CALL_SET ? at (request, chunks[i].at) : NULL;
      sizes[i] = call->kind == WEIR_FMU_CALL_SET ? chunks[i].size : 0;
    }
  if (call->kind == WEIR_FMU_CALL_SET)
    {
      if (!is_string)
        return CALL_THREE (SetBinary, (self->component, refs, call->n_refs, sizes, texts, n));
      return self->version == 2
                 ? CALL_2 (SetString,
                           (self->component, refs, call->n_refs, (const char *const *) texts))
                 : CALL_3 (SetString,
                           (self->component, refs, call->n_refs, (const char *const *) texts, n));
    }
  if (!is_string)
    status = CALL_THREE (GetBinary, (self->component, refs, call->n_refs, sizes, texts, n));
  else if (self->version == 2)
    status = CALL_2 (GetString, (self->component, refs, call->n_refs, (const char **) texts));
  else
    status = CALL_3 (GetString, (self->component, refs, call->n_refs, (const char **) texts, n));
  if (status <= WEIR_FMI_WARNING)
    {
      uint32_t fits = put_chunks (request, call, texts, is_string ? NULL : sizes);

      status = fits != WEIR_FMI_OK ? fits : status;
    }
  return status;
}

/* --- Calls of several results ---------------------------------------------------------------- */

static uint32_t
perform_load (const Request *request, WeirFmuCall *call)
{
  char why[2000];
  uint32_t status = weir_fmu_library_load (request->library, at (request, call->values),
                                           call->flags, why, sizeof why);

  if (status == WEIR_FMI_OK)
    return status;
  call->n_values2 = strlen (why) + 1;
  call->values2 = take (request, call->n_values2);
  if (call->values2 != 0)
    memcpy (request->base + call->values2, why, call->n_values2);
  return status;
}

static uint32_t
perform_enter_initialization (WeirFmuLibrary *self, const WeirFmuCall *call)
{
  bool has_stop = (call->flags & WEIR_FMU_FLAG_HAS_STOP) != 0;
  bool has_tolerance = (call->flags & WEIR_FMU_FLAG_HAS_TOLERANCE) != 0;
  double start = call->numbers[0], stop = call->numbers[1], tolerance = call->numbers[2];
  uint32_t status;

  if (self->version == 3)
    return CALL_3 (EnterInitializationMode,
                   (self->component, has_tolerance, tolerance, start, has_stop, stop));
  status = CALL_2 (SetupExperiment,
                   (self->component, has_tolerance, tolerance, start, has_stop, stop));
  return status <= WEIR_FMI_WARNING ? CALL_2 (EnterInitializationMode, (self->component)) : status;
}

static uint32_t
flag (bool is_set, uint32_t value)
{
  return is_set ? value : 0;
}

static uint32_t
perform_update_discrete (WeirFmuLibrary *self, WeirFmuCall *call)
{
  WeirFmi2EventInfo info = { 0 };
  bool needed = false, ends = false, nominals = false, states = false, has_next = false;
  double next = 0;
  uint32_t status;

  if (self->version == 2)
    {
      status = CALL_2 (NewDiscreteStates, (self->component, &info));
      needed = info.new_discrete_states_needed != 0;
      ends = info.terminate_simulation != 0;
      nominals = info.nominals_of_continuous_states_changed != 0;
      states = info.values_of_continuous_states_changed != 0;
      has_next = info.next_event_time_defined != 0;
      next = info.next_event_time;
    }
  else
    status = CALL_3 (UpdateDiscreteStates,
                     (self->component, &needed, &ends, &nominals, &states, &has_next, &next));
  call->flags = flag (needed, WEIR_FMU_FLAG_UPDATE_NEEDED) | flag (ends, WEIR_FMU_FLAG_TERMINATES)
                | flag (nominals, WEIR_FMU_FLAG_NOMINALS_CHANGED)
                | flag (states, WEIR_FMU_FLAG_STATES_CHANGED)
                | flag (has_next, WEIR_FMU_FLAG_HAS_NEXT_TIME);
  call->numbers[0] = next;
  return status;
}

static uint32_t
perform_completed_step (WeirFmuLibrary *self, WeirFmuCall *call)
{
  bool no_return = (call->flags & WEIR_FMU_FLAG_NO_RETURN) != 0, event = false, ends = false;
  WeirFmi2Boolean event_2 = 0, ends_2 = 0;
  uint32_t status;

  if (self->version == 2)
    {
      status = CALL_2 (CompletedIntegratorStep, (self->component, no_return, &event_2, &ends_2));
      event = event_2 != 0;
      ends = ends_2 != 0;
    }
  else
    status = CALL_3 (CompletedIntegratorStep, (self->component, no_return, &event, &ends));
  call->flags = flag (event, WEIR_FMU_FLAG_EVENT_NEEDED) | flag (ends, WEIR_FMU_FLAG_TERMINATES);
  return status;
}

static uint32_t
perform_do_step (WeirFmuLibrary *self, WeirFmuCall *call)
{
  double time = call->numbers[0], step = call->numbers[1], last = time;
  bool no_return = (call->flags & WEIR_FMU_FLAG_NO_RETURN) != 0;
  bool event = false, ends = false, early = false;
  uint32_t status;

  if (self->version == 3)
    status = CALL_3 (DoStep,
                     (self->component, time, step, no_return, &event, &ends, &early, &last));
  else
    {
      WeirFmi2Boolean ends_2 = 0;

      status = CALL_2 (DoStep, (self->component, time, step, no_return));
      if (status <= WEIR_FMI_WARNING)
        last = time + step;
      else if (status == WEIR_FMI_DISCARD)
        {
          if (CALL_2 (GetRealStatus, (self->component, WEIR_FMI2_LAST_SUCCESSFUL_TIME, &last))
              > WEIR_FMI_WARNING)
            last = time;
          if (CALL_2 (GetBooleanStatus, (self->component, WEIR_FMI2_TERMINATED, &ends_2))
              <= WEIR_FMI_WARNING)
            ends = ends_2 != 0;
        }
    }
  call->flags = flag (event, WEIR_FMU_FLAG_EVENT_NEEDED) | flag (ends, WEIR_FMU_FLAG_TERMINATES)
                | flag (early, WEIR_FMU_FLAG_RETURNED_EARLY);
  call->numbers[0] = last;
  return status;
}

static uint32_t
perform_serialize (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  WeirFmiState state = (WeirFmiState) (uintptr_t) call->handle;
  size_t size = 0;
  uint32_t status = CALL_BOTH (SerializedFMUstateSize, SerializedFMUStateSize,
                               (self->component, state, &size));

  if (status > WEIR_FMI_WARNING)
    return status;
  call->n_values = size;
  call->values = take (request, size);
  if (call->values == 0)
    return WEIR_FMU_STATUS_NO_ROOM;
  return CALL_BOTH (SerializeFMUstate, SerializeFMUState,
                    (self->component, state, at (request, call->values), size));
}

static uint32_t
perform_state (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  WeirFmiState state = (WeirFmiState) (uintptr_t) call->handle;
  uint32_t status;

  switch ((int) call->kind)
    {
    case WEIR_FMU_CALL_SAVE:
      state = NULL;
      status = CALL_BOTH (GetFMUstate, GetFMUState, (self->component, &state));
      break;
    case WEIR_FMU_CALL_RESTORE:
      return CALL_BOTH (SetFMUstate, SetFMUState, (self->component, state));
    case WEIR_FMU_CALL_FORGET:
      CALL_BOTH (FreeFMUstate, FreeFMUState, (self->component, &state));
      return WEIR_FMI_OK; /* nobody asked for it */
    default:
      state = NULL;
      status = CALL_BOTH (DeSerializeFMUstate, DeserializeFMUState,
                          (self->component, at (request, call->values), call->n_values, &state));
    }
  call->handle = (uintptr_t) state;
  return status;
}

static uint32_t
perform_derivatives (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  const WeirFmiReference *refs = at (request, call->refs);
  void *values = at (request, call->values), *values2 = at (request, call->values2);

  return self->version == 2
             ? CALL_2 (GetDirectionalDerivative,
                       (self->component, refs, call->n_refs, at (request, call->refs2),
                        call->n_refs2, values, values2))
             : CALL_3 (GetDirectionalDerivative,
                       (self->component, refs, call->n_refs, at (request, call->refs2),
                        call->n_refs2, values, call->n_values, values2, call->n_values2));
}

static uint32_t
perform_count (WeirFmuLibrary *self, WeirFmuCall *call)
{
  size_t n = 0;
  uint32_t status = call->kind == WEIR_FMU_CALL_COUNT_STATES
                        ? CALL_THREE (GetNumberOfContinuousStates, (self->component, &n))
                        : CALL_THREE (GetNumberOfEventIndicators, (self->component, &n));

  call->handle = n;
  return status;
}

static uint32_t
perform_values (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  const WeirFmiReference *refs = at (request, call->refs);
  void *values = at (request, call->values);

  if (call->type == WEIR_FMU_STRING || call->type == WEIR_FMU_BINARY)
    return perform_chunks (request, call);
  return call->kind == WEIR_FMU_CALL_GET
             ? weir_fmu_library_get (self, call->type, refs, call->n_refs, values, call->n_values)
             : weir_fmu_library_set (self, call->type, refs, call->n_refs, values, call->n_values);
}

/* --- All of them ----------------------------------------------------------------------------- */

static uint32_t
perform_one (const Request *request, WeirFmuCall *call)
{
  WeirFmuLibrary *self = request->library;
  const WeirFmiReference *refs = at (request, call->refs);
  void *values = at (request, call->values);
  size_t n = call->n_values;

  if (call->kind != WEIR_FMU_CALL_LOAD && call->kind != WEIR_FMU_CALL_INSTANTIATE
      && self->component == NULL)
    return WEIR_FMU_STATUS_NO_INSTANCE;
  switch ((WeirFmuCallKind) call->kind)
    {
    case WEIR_FMU_CALL_LOAD:
      return perform_load (request, call);
    case WEIR_FMU_CALL_INSTANTIATE:
      return weir_fmu_library_instantiate (self, at (request, call->refs), values,
                                           at (request, call->values2), call->flags);
    case WEIR_FMU_CALL_FREE:
      weir_fmu_library_clear (self, false);
      return WEIR_FMI_OK;
    case WEIR_FMU_CALL_ENTER_INITIALIZATION:
      return perform_enter_initialization (self, call);
    case WEIR_FMU_CALL_EXIT_INITIALIZATION:
      return CALL_BOTH (ExitInitializationMode, ExitInitializationMode, (self->component));
    case WEIR_FMU_CALL_ENTER_EVENT_MODE:
      return CALL_BOTH (EnterEventMode, EnterEventMode, (self->component));
    case WEIR_FMU_CALL_UPDATE_DISCRETE:
      return perform_update_discrete (self, call);
    case WEIR_FMU_CALL_EVALUATE_DISCRETE:
      return CALL_THREE (EvaluateDiscreteStates, (self->component));
    case WEIR_FMU_CALL_ENTER_CONTINUOUS_MODE:
      return CALL_BOTH (EnterContinuousTimeMode, EnterContinuousTimeMode, (self->component));
    case WEIR_FMU_CALL_COMPLETED_STEP:
      return perform_completed_step (self, call);
    case WEIR_FMU_CALL_ENTER_STEP_MODE:
      return CALL_THREE (EnterStepMode, (self->component));
    case WEIR_FMU_CALL_ENTER_CONFIGURATION:
      return CALL_THREE (EnterConfigurationMode, (self->component));
    case WEIR_FMU_CALL_EXIT_CONFIGURATION:
      return CALL_THREE (ExitConfigurationMode, (self->component));
    case WEIR_FMU_CALL_TERMINATE:
      return CALL_BOTH (Terminate, Terminate, (self->component));
    case WEIR_FMU_CALL_RESET:
      return CALL_BOTH (Reset, Reset, (self->component));
    case WEIR_FMU_CALL_SET_TIME:
      return CALL_BOTH (SetTime, SetTime, (self->component, call->numbers[0]));
    case WEIR_FMU_CALL_SET_STATES:
      return CALL_BOTH (SetContinuousStates, SetContinuousStates, (self->component, values, n));
    case WEIR_FMU_CALL_GET_STATES:
      return CALL_BOTH (GetContinuousStates, GetContinuousStates, (self->component, values, n));
    case WEIR_FMU_CALL_GET_DERIVATIVES:
      return CALL_BOTH (GetDerivatives, GetContinuousStateDerivatives,
                        (self->component, values, n));
    case WEIR_FMU_CALL_GET_INDICATORS:
      return CALL_BOTH (GetEventIndicators, GetEventIndicators, (self->component, values, n));
    case WEIR_FMU_CALL_GET_NOMINALS:
      return CALL_BOTH (GetNominalsOfContinuousStates, GetNominalsOfContinuousStates,
                        (self->component, values, n));
    case WEIR_FMU_CALL_COUNT_STATES:
    case WEIR_FMU_CALL_COUNT_INDICATORS:
      return perform_count (self, call);
    case WEIR_FMU_CALL_GET:
    case WEIR_FMU_CALL_SET:
      return perform_values (request, call);
    case WEIR_FMU_CALL_GET_INTERVALS:
      return CALL_THREE (GetIntervalDecimal, (self->component, refs, call->n_refs, values,
                                              at (request, call->values2)));
    case WEIR_FMU_CALL_SET_INTERVALS:
      return CALL_THREE (SetIntervalDecimal, (self->component, refs, call->n_refs, values));
    case WEIR_FMU_CALL_GET_SHIFTS:
      return CALL_THREE (GetShiftDecimal, (self->component, refs, call->n_refs, values));
    case WEIR_FMU_CALL_DO_STEP:
      return perform_do_step (self, call);
    case WEIR_FMU_CALL_SAVE:
    case WEIR_FMU_CALL_RESTORE:
    case WEIR_FMU_CALL_FORGET:
    case WEIR_FMU_CALL_DESERIALIZE:
      return perform_state (request, call);
    case WEIR_FMU_CALL_SERIALIZE:
      return perform_serialize (request, call);
    case WEIR_FMU_CALL_DIFFERENTIATE:
      return perform_derivatives (request, call);
    case WEIR_FMU_N_CALLS:
    default:
      return WEIR_FMU_STATUS_MISSING;
    }
}

/* --- What an FMU may have changed ------------------------------------------------------------ */

static void
note_circumstances (WeirFmuLibrary *self)
{
  const char *names = setlocale (LC_ALL, NULL);
  size_t n = names != NULL ? strlen (names) + 1 : 0;

  self->arithmetic = weir_fmu_get_arithmetic ();
  self->thread_locale = uselocale ((locale_t) 0);
  if (n > 0 && n <= sizeof self->locale)
    memcpy (self->locale, names, n);
}

static void
restore_locale (WeirFmuLibrary *self)
{
  if (uselocale ((locale_t) 0) != self->thread_locale)
    uselocale (self->thread_locale);
  if (self->locale[0] != 0 && strcmp (setlocale (LC_ALL, NULL), self->locale) != 0)
    setlocale (LC_ALL, self->locale);
}

uint32_t
weir_fmu_perform (WeirFmuLibrary *self, char *base, uint64_t size, uint64_t *used,
                  WeirFmuCall *calls, uint32_t n, _Atomic uint32_t *under_way)
{
  Request request = { self, base, size, used };
  uint32_t done = 0;

  if (self->handle == NULL)
    note_circumstances (self);
  while (done < n)
    {
      WeirFmuCall *call = &calls[done];

      atomic_store_explicit (under_way, done, memory_order_relaxed);
      call->status = perform_one (&request, call);
      if (weir_fmu_get_arithmetic () != self->arithmetic)
        weir_fmu_set_arithmetic (self->arithmetic);
      if (call->status > WEIR_FMI_WARNING)
        break;
      done++;
    }
  restore_locale (self);
  return done;
}
