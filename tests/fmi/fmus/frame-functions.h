/* The functions of the standard over a model. See frame.h. */

#ifndef STATES
#define STATES(m) (m)->x
#endif
#ifndef SLOPES
#define SLOPES(m) (m)->xdot
#endif
#ifndef INDICATORS
#define INDICATORS(m) STATES (m)
#endif
#ifndef NOMINAL
#define NOMINAL(m, i) ((void) (m), (double) ((i) + 1))
#endif
#ifndef COUNT_STATES
#define COUNT_STATES(m) N_STATES
#endif
#ifndef IS_STRUCTURAL
#define IS_STRUCTURAL(ref) false /* a parameter that gives sizes; and whether it is taken: */
#define TAKES_STRUCTURE(m) false
#endif
#ifndef IS_FIXED
#define IS_FIXED(ref) false /* a parameter that is set before a run alone, */
#endif
#ifndef IS_TUNABLE
#define IS_TUNABLE(ref) false /* or at events too */
#endif
#ifndef HAS_EVENT
#define HAS_EVENT(m) false /* is an event due that no indicator tells of? */
#endif

typedef struct {
  Model model;
  char name[TEXT_BYTES];
#if FMI_VERSION == 2
  const WeirFmi2Callbacks *callbacks;
  bool has_ended; /* of the last step */
  double reached;
#else
  void *environment;
  WeirFmi3LogMessage log;
#endif
} Instance;

#define EXPORT __attribute__ ((visibility ("default")))
#define FAIL(condition)                                                                            \
  if (condition)                                                                                   \
  return WEIR_FMI_ERROR

static double *
get_states (Model *m)
{
  return STATES (m);
}

static double *
get_derivatives (Model *m)
{
  return SLOPES (m);
}

static double *
get_indicators (Model *m)
{
  return INDICATORS (m);
}

static Instance *speaker; /* of the last call: the tests' FMUs run one at a time */

static void
say (const char *category, const char *format, ...)
{
  char text[300];
  va_list arguments;

  va_start (arguments, format);
  vsnprintf (text, sizeof text, format, arguments);
  va_end (arguments);
#if FMI_VERSION == 2
  speaker->callbacks->logger (speaker->callbacks->environment, speaker->name, WEIR_FMI_ERROR,
                              category, "%s", text);
#else
  if (speaker->log != NULL)
    speaker->log (speaker->environment, WEIR_FMI_ERROR, category, text);
#endif
}

static Model *
enter (WeirFmiComponent c)
{
  speaker = c;
  return &speaker->model;
}

static WeirFmiStatus
refresh (Model *m)
{
  WeirFmiStatus status = WEIR_FMI_OK;

  if (m->frame.must_calculate)
    {
      status = calculate (m);
      m->frame.must_calculate = status > WEIR_FMI_WARNING;
    }
  return status;
}

static Instance *
instantiate (const char *name, const char *token, bool is_stepped, bool uses_events)
{
  Instance *instance;

  if (token == NULL || strcmp (token, TOKEN) != 0)
    return NULL;
  instance = calloc (1, sizeof *instance);
  snprintf (instance->name, sizeof instance->name, "%s", name);
  set_start (&instance->model);
  instance->model.frame.is_stepped = is_stepped;
  instance->model.frame.uses_events = uses_events;
  instance->model.frame.must_calculate = true;
  speaker = instance;
  return instance;
}

static WeirFmiStatus
change_mode (WeirFmiComponent c, Mode from, Mode to)
{
  Model *m = enter (c);

  FAIL (m->frame.mode != from);
  m->frame.mode = to;
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
reset (WeirFmiComponent c)
{
  Model *m = enter (c);
  Frame frame = m->frame;

  memset (m, 0, sizeof *m);
  set_start (m);
  m->frame.is_stepped = frame.is_stepped;
  m->frame.uses_events = frame.uses_events;
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
leave_initialization (WeirFmiComponent c)
{
  Model *m = enter (c);
  WeirFmi2EventInfo info = { 0 };
  Mode mode = !m->frame.is_stepped || m->frame.uses_events ? EVENT : STEPPING;

  FAIL (m->frame.mode != INITIALIZING);
  m->frame.mode = mode;
  m->frame.must_calculate = true;
  return mode == STEPPING ? update (m, &info) : WEIR_FMI_OK;
}

/* One step of Euler's method, to @end, and the event that it meets, if any. */
static WeirFmiStatus
do_inner_step (Model *m, double end, double step, bool *is_event, bool *terminate)
{
  double before[N_INDICATORS + 1] = { 0 }, *x = get_states (m);
  WeirFmiStatus status = refresh (m);
  WeirFmi2EventInfo info = { 0 };

  if (status > WEIR_FMI_WARNING)
    return status;
  memcpy (before, get_indicators (m), N_INDICATORS * sizeof *before);
  for (int k = 0; k < (int) COUNT_STATES (m); k++)
    x[k] += step * get_derivatives (m)[k];
  m->frame.time = end;
  m->frame.must_calculate = true;
  status = refresh (m);
  if (status > WEIR_FMI_WARNING)
    return status;
  *is_event = HAS_EVENT (m);
  for (int k = 0; k < N_INDICATORS; k++)
    *is_event |= (before[k] > 0) != (get_indicators (m)[k] > 0);
  if (*is_event && !m->frame.uses_events)
    {
      status = update (m, &info);
      m->frame.must_calculate = true;
      *terminate = info.terminate_simulation != 0;
    }
  return status;
}

/* In steps of INNER_STEP, the last of what is left, or as a model that defines ADVANCE does. Who
 * uses events is given them: the step ends there. */
static WeirFmiStatus
do_step (Model *m, double time, double step, bool *is_event, bool *terminate, double *last)
{
  double ratio = step / INNER_STEP * (1 + 1e-12);
  long n = (long) ratio;
  bool has_rest = ratio - (double) n > 1e-6;

  FAIL (m->frame.mode != STEPPING || !(step > 0));
  *terminate = *is_event = false;
  *last = time;
#ifdef ADVANCE
  *last = time + step;
  m->frame.must_calculate = true;
  return ADVANCE (m, *last);
#endif
  for (long i = 0; i < n + has_rest && !*terminate && !(*is_event && m->frame.uses_events); i++)
    {
      double end = i < n ? time + (double) (i + 1) * INNER_STEP : time + step;
      WeirFmiStatus status = do_inner_step (m, end, i < n ? INNER_STEP : end - *last, is_event,
                                            terminate);

      if (status > WEIR_FMI_WARNING)
        return status;
      *last = m->frame.time;
    }
  *is_event = *is_event && m->frame.uses_events;
  return WEIR_FMI_OK;
}

/* --- Values of one type, one after the other -------------------------------------------------- */

static WeirFmiStatus
get (WeirFmiComponent c, Type type, size_t size, const uint32_t *refs, size_t n, void *values)
{
  Model *m = enter (c);
  WeirFmiStatus status = refresh (m);

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != type);
      memcpy (values, place.at, place.n * size);
      values = (char *) values + place.n * size;
    }
  return status;
}

/* Whether the standard lets one set it. */
static bool
may_set (const Model *m, uint32_t ref)
{
  Mode mode = m->frame.mode;

  (void) ref;
  if (IS_STRUCTURAL (ref) || mode == CONFIGURING)
    return IS_STRUCTURAL (ref) && mode == CONFIGURING;
  if (IS_FIXED (ref))
    return mode == CREATED || mode == INITIALIZING;
  return !IS_TUNABLE (ref) || (mode != CONTINUOUS && !(mode == STEPPING && m->frame.uses_events));
}

static WeirFmiStatus
set (WeirFmiComponent c, Type type, size_t size, const uint32_t *refs, size_t n, const void *values)
{
  Model *m = enter (c);

  for (size_t i = 0; i < n; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != type || !may_set (m, refs[i]));
      memcpy (place.at, values, place.n * size);
      values = (const char *) values + place.n * size;
    }
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
get_text (WeirFmiComponent c, const uint32_t *refs, size_t n, const char **values)
{
  Model *m = enter (c);
  WeirFmiStatus status = refresh (m);

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != STRING);
      values[i] = place.at;
    }
  return status;
}

static WeirFmiStatus
set_text (WeirFmiComponent c, const uint32_t *refs, size_t n, const char *const *values)
{
  Model *m = enter (c);

  for (size_t i = 0; i < n; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != STRING || strlen (values[i]) >= TEXT_BYTES
            || !may_set (m, refs[i]));
      strcpy (place.at, values[i]);
    }
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}

static WeirFmiStatus
differentiate_all (Model *m, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                   size_t n_knowns, const double *seed, double *sensitivity)
{
  WeirFmiStatus status = refresh (m);

  for (size_t i = 0; i < n_unknowns && status <= WEIR_FMI_WARNING; i++)
    {
      sensitivity[i] = 0;
      for (size_t k = 0; k < n_knowns; k++)
        {
          double factor = 0;

          FAIL (!differentiate (m, unknowns[i], knowns[k], &factor));
          sensitivity[i] += factor * seed[k];
        }
    }
  return status;
}

static WeirFmiStatus
get_list (WeirFmiComponent c, double *(*list) (Model *m), size_t n_has, double *values, size_t n)
{
  Model *m = enter (c);
  WeirFmiStatus status = refresh (m);

  FAIL (n != n_has);
  if (status <= WEIR_FMI_WARNING && n > 0)
    memcpy (values, list (m), n * sizeof *values);
  return status;
}

/* --- What both versions call by names of their own -------------------------------------------- */

#if FMI_VERSION == 2
#define FMI(name) EXPORT WeirFmiStatus fmi2##name
typedef WeirFmi2Boolean Boolean;
#define SAVE fmi2GetFMUstate
#define RESTORE fmi2SetFMUstate
#define FORGET fmi2FreeFMUstate
#define SIZE fmi2SerializedFMUstateSize
#define SERIALIZE fmi2SerializeFMUstate
#define DESERIALIZE fmi2DeSerializeFMUstate
#define DERIVATIVES fmi2GetDerivatives
#else
#define FMI(name) EXPORT WeirFmiStatus fmi3##name
typedef bool Boolean;
#define SAVE fmi3GetFMUState
#define RESTORE fmi3SetFMUState
#define FORGET fmi3FreeFMUState
#define SIZE fmi3SerializedFMUStateSize
#define SERIALIZE fmi3SerializeFMUState
#define DESERIALIZE fmi3DeserializeFMUState
#define DERIVATIVES fmi3GetContinuousStateDerivatives
#endif

FMI (SetDebugLogging) (WeirFmiComponent c, Boolean on, size_t n, const char *const categories[])
{
  return WEIR_FMI_OK;
}
FMI (ExitInitializationMode) (WeirFmiComponent c)
{
  return leave_initialization (c);
}
FMI (Terminate) (WeirFmiComponent c)
{
  enter (c)->frame.mode = TERMINATED;
  return WEIR_FMI_OK;
}
FMI (Reset) (WeirFmiComponent c)
{
  return reset (c);
}
FMI (EnterEventMode) (WeirFmiComponent c)
{
  return change_mode (c, enter (c)->frame.is_stepped ? STEPPING : CONTINUOUS, EVENT);
}
FMI (EnterContinuousTimeMode) (WeirFmiComponent c)
{
  return change_mode (c, EVENT, CONTINUOUS);
}
FMI (CompletedIntegratorStep)
(WeirFmiComponent c, Boolean no_return, Boolean *event, Boolean *terminate)
{
  *event = *terminate = 0;
  return enter (c)->frame.mode == CONTINUOUS ? WEIR_FMI_OK : WEIR_FMI_ERROR;
}
FMI (SetTime) (WeirFmiComponent c, double time)
{
  Model *m = enter (c);

  FAIL (m->frame.mode != CONTINUOUS);
  m->frame.time = time;
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}
FMI (SetContinuousStates) (WeirFmiComponent c, const double x[], size_t n)
{
  Model *m = enter (c);

  FAIL (m->frame.mode != CONTINUOUS || n != COUNT_STATES (m));
  memcpy (get_states (m), x, n * sizeof *x);
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}
FMI (GetContinuousStates) (WeirFmiComponent c, double x[], size_t n)
{
  return get_list (c, get_states, COUNT_STATES (enter (c)), x, n);
}
EXPORT WeirFmiStatus
DERIVATIVES (WeirFmiComponent c, double xdot[], size_t n)
{
  return get_list (c, get_derivatives, COUNT_STATES (enter (c)), xdot, n);
}
FMI (GetEventIndicators) (WeirFmiComponent c, double z[], size_t n)
{
  return get_list (c, get_indicators, N_INDICATORS, z, n);
}
FMI (GetNominalsOfContinuousStates) (WeirFmiComponent c, double nominals[], size_t n)
{
  Model *m = enter (c);

  for (size_t i = 0; i < n; i++)
    nominals[i] = NOMINAL (m, i);
  return n == COUNT_STATES (m) ? WEIR_FMI_OK : WEIR_FMI_ERROR;
}
FMI (GetString)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const char *values[]
#if FMI_VERSION == 3
 ,
 size_t n_values
#endif
)
{
  return get_text (c, refs, n, values);
}
FMI (SetString)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const char *const values[]
#if FMI_VERSION == 3
 ,
 size_t n_values
#endif
)
{
  return set_text (c, refs, n, values);
}

/* Of a state, all but what the model says that it forgets. */
#ifndef FORGETS
#define FORGETS(m, old)
#endif

EXPORT WeirFmiStatus
SAVE (WeirFmiComponent c, WeirFmiState *state)
{
  Model *copy = malloc (sizeof *copy);

  memcpy (copy, enter (c), sizeof *copy);
  free (*state);
  *state = copy;
  return WEIR_FMI_OK;
}
EXPORT WeirFmiStatus
RESTORE (WeirFmiComponent c, WeirFmiState state)
{
  Model *m = enter (c), old = *m;

  memcpy (m, state, sizeof *m);
  (void) old;
  FORGETS (m, &old);
  return WEIR_FMI_OK;
}
EXPORT WeirFmiStatus
FORGET (WeirFmiComponent c, WeirFmiState *state)
{
  free (*state);
  *state = NULL;
  return WEIR_FMI_OK;
}
EXPORT WeirFmiStatus
SIZE (WeirFmiComponent c, WeirFmiState state, size_t *size)
{
  *size = sizeof (Model);
  return WEIR_FMI_OK;
}
EXPORT WeirFmiStatus
SERIALIZE (WeirFmiComponent c, WeirFmiState state, uint8_t bytes[], size_t size)
{
  FAIL (size != sizeof (Model));
  memcpy (bytes, state, size);
  return WEIR_FMI_OK;
}
EXPORT WeirFmiStatus
DESERIALIZE (WeirFmiComponent c, const uint8_t bytes[], size_t size, WeirFmiState *state)
{
  FAIL (size != sizeof (Model));
  *state = malloc (size);
  memcpy (*state, bytes, size);
  return WEIR_FMI_OK;
}

/* --- 2.0 ------------------------------------------------------------------------------------- */

#if FMI_VERSION == 2

EXPORT const char *
fmi2GetTypesPlatform (void)
{
  return "default";
}
EXPORT const char *
fmi2GetVersion (void)
{
  return "2.0";
}
EXPORT WeirFmiComponent
fmi2Instantiate (const char *name, WeirFmi2Type type, const char *guid, const char *resources,
                 const WeirFmi2Callbacks *callbacks, WeirFmi2Boolean visible,
                 WeirFmi2Boolean logging)
{
  Instance *instance = instantiate (name, guid, type == WEIR_FMI2_CO_SIMULATION, false);

  if (instance != NULL)
    instance->callbacks = callbacks;
  return instance;
}
EXPORT void
fmi2FreeInstance (WeirFmiComponent c)
{
  free (c);
}
FMI (SetupExperiment)
(WeirFmiComponent c, int has_tolerance, double tolerance, double start, int has_stop, double stop)
{
  enter (c)->frame.time = start;
  return WEIR_FMI_OK;
}
FMI (EnterInitializationMode) (WeirFmiComponent c)
{
  return change_mode (c, CREATED, INITIALIZING);
}
FMI (GetReal) (WeirFmiComponent c, const uint32_t refs[], size_t n, double values[])
{
  return get (c, F64, sizeof *values, refs, n, values);
}
FMI (SetReal) (WeirFmiComponent c, const uint32_t refs[], size_t n, const double values[])
{
  return set (c, F64, sizeof *values, refs, n, values);
}
/* An enumeration is kept as 3.0 has it. */
FMI (GetInteger) (WeirFmiComponent c, const uint32_t refs[], size_t n, int values[])
{
  WeirFmiStatus status = WEIR_FMI_OK;

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      Place place = find (enter (c), refs[i]);
      int64_t wide = 0;

      if (place.type != I64)
        status = get (c, I32, sizeof *values, &refs[i], 1, &values[i]);
      else
        {
          status = get (c, I64, sizeof wide, &refs[i], 1, &wide);
          values[i] = (int) wide;
        }
    }
  return status;
}
FMI (SetInteger) (WeirFmiComponent c, const uint32_t refs[], size_t n, const int values[])
{
  WeirFmiStatus status = WEIR_FMI_OK;

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      Place place = find (enter (c), refs[i]);
      int64_t wide = values[i];

      status = place.type != I64 ? set (c, I32, sizeof *values, &refs[i], 1, &values[i])
                                 : set (c, I64, sizeof wide, &refs[i], 1, &wide);
    }
  return status;
}
FMI (GetBoolean) (WeirFmiComponent c, const uint32_t refs[], size_t n, int values[])
{
  WeirFmiStatus status = WEIR_FMI_OK;

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      bool value = false;

      status = get (c, BOOL, sizeof value, &refs[i], 1, &value);
      values[i] = value;
    }
  return status;
}
FMI (SetBoolean) (WeirFmiComponent c, const uint32_t refs[], size_t n, const int values[])
{
  WeirFmiStatus status = WEIR_FMI_OK;

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    status = set (c, BOOL, sizeof (bool), &refs[i], 1, &(bool) { values[i] != 0 });
  return status;
}
FMI (GetDirectionalDerivative)
(WeirFmiComponent c, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[],
 size_t n_knowns, const double seed[], double sensitivity[])
{
  return differentiate_all (enter (c), unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}
FMI (NewDiscreteStates) (WeirFmiComponent c, WeirFmi2EventInfo *info)
{
  Model *m = enter (c);

  FAIL (m->frame.mode != EVENT);
  memset (info, 0, sizeof *info);
  m->frame.must_calculate = true;
  return update (m, info);
}
FMI (DoStep) (WeirFmiComponent c, double time, double step, WeirFmi2Boolean no_return)
{
  Instance *instance = c;
  bool is_event;
  WeirFmiStatus status = do_step (enter (c), time, step, &is_event, &instance->has_ended,
                                  &instance->reached);

  return status == WEIR_FMI_OK && instance->has_ended ? WEIR_FMI_DISCARD : status;
}
FMI (CancelStep) (WeirFmiComponent c)
{
  return WEIR_FMI_ERROR;
}
FMI (SetRealInputDerivatives)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const int orders[], const double values[])
{
  return WEIR_FMI_ERROR;
}
FMI (GetRealOutputDerivatives)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const int orders[], double values[])
{
  return WEIR_FMI_ERROR;
}
FMI (GetStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmiStatus *value)
{
  return WEIR_FMI_DISCARD;
}
FMI (GetRealStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, double *value)
{
  *value = ((Instance *) c)->reached;
  return kind == WEIR_FMI2_LAST_SUCCESSFUL_TIME ? WEIR_FMI_OK : WEIR_FMI_DISCARD;
}
FMI (GetIntegerStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, int *value)
{
  return WEIR_FMI_DISCARD;
}
FMI (GetBooleanStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmi2Boolean *value)
{
  *value = ((Instance *) c)->has_ended;
  return kind == WEIR_FMI2_TERMINATED ? WEIR_FMI_OK : WEIR_FMI_DISCARD;
}
FMI (GetStringStatus) (WeirFmiComponent c, WeirFmi2StatusKind kind, const char **value)
{
  return WEIR_FMI_DISCARD;
}

/* --- 3.0 ------------------------------------------------------------------------------------- */

#else

#ifndef INTERVAL
#define INTERVAL(m, ref) 0 /* of a clock that says when it ticks next; 0: none */
#endif
#ifndef QUALIFIER
#define QUALIFIER(m, ref, interval)                                                                \
  ((interval) > 0 ? WEIR_FMI3_INTERVAL_CHANGED : WEIR_FMI3_INTERVAL_NOT_YET_KNOWN)
#endif

EXPORT const char *
fmi3GetVersion (void)
{
  return "3.0";
}
EXPORT WeirFmiComponent
fmi3InstantiateModelExchange (const char *name, const char *token, const char *resources,
                              bool visible, bool logging, void *environment, WeirFmi3LogMessage log)
{
  Instance *instance = instantiate (name, token, false, false);

  if (instance != NULL)
    {
      instance->environment = environment;
      instance->log = log;
    }
  return instance;
}
EXPORT WeirFmiComponent
fmi3InstantiateCoSimulation (const char *name, const char *token, const char *resources,
                             bool visible, bool logging, bool event_mode_used,
                             bool early_return_allowed, const uint32_t intermediate[],
                             size_t n_intermediate, void *environment, WeirFmi3LogMessage log,
                             WeirFmi3IntermediateUpdate intermediate_update)
{
  Instance *instance = instantiate (name, token, true, event_mode_used);

  if (instance != NULL)
    {
      instance->environment = environment;
      instance->log = log;
    }
  return instance;
}
EXPORT WeirFmiComponent
fmi3InstantiateScheduledExecution (const char *name, const char *token, const char *resources,
                                   bool visible, bool logging, void *environment,
                                   WeirFmi3LogMessage log, WeirFmi3ClockUpdate clock_update,
                                   WeirFmi3Lock lock, WeirFmi3Lock unlock)
{
  return NULL;
}
EXPORT void
fmi3FreeInstance (WeirFmiComponent c)
{
  free (c);
}
FMI (EnterInitializationMode)
(WeirFmiComponent c, bool has_tolerance, double tolerance, double start, bool has_stop, double stop)
{
  enter (c)->frame.time = start;
  return change_mode (c, CREATED, INITIALIZING);
}

#define VALUES_OF(Name, type, code)                                                                \
  FMI (Get##Name)                                                                                  \
  (WeirFmiComponent c, const uint32_t refs[], size_t n, type values[], size_t n_values)            \
  {                                                                                                \
    return get (c, code, sizeof *values, refs, n, values);                                         \
  }                                                                                                \
  FMI (Set##Name)                                                                                  \
  (WeirFmiComponent c, const uint32_t refs[], size_t n, const type values[], size_t n_values)      \
  {                                                                                                \
    return set (c, code, sizeof *values, refs, n, values);                                         \
  }
VALUES_OF (Float32, float, F32)
VALUES_OF (Float64, double, F64)
VALUES_OF (Int8, int8_t, I8)
VALUES_OF (UInt8, uint8_t, U8)
VALUES_OF (Int16, int16_t, I16)
VALUES_OF (UInt16, uint16_t, U16)
VALUES_OF (Int32, int32_t, I32)
VALUES_OF (UInt32, uint32_t, U32)
VALUES_OF (Int64, int64_t, I64)
VALUES_OF (UInt64, uint64_t, U64)
VALUES_OF (Boolean, bool, BOOL)

FMI (GetBinary)
(WeirFmiComponent c, const uint32_t refs[], size_t n, size_t sizes[], const uint8_t *values[],
 size_t n_values)
{
  Model *m = enter (c);
  WeirFmiStatus status = refresh (m);

  for (size_t i = 0; i < n && status <= WEIR_FMI_WARNING; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != BINARY);
      sizes[i] = ((Binary *) place.at)->n;
      values[i] = ((Binary *) place.at)->bytes;
    }
  return status;
}
FMI (SetBinary)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const size_t sizes[],
 const uint8_t *const values[], size_t n_values)
{
  Model *m = enter (c);

  for (size_t i = 0; i < n; i++)
    {
      Place place = find (m, refs[i]);

      FAIL (place.at == NULL || place.type != BINARY || sizes[i] > TEXT_BYTES);
      ((Binary *) place.at)->n = sizes[i];
      if (sizes[i] > 0)
        memcpy (((Binary *) place.at)->bytes, values[i], sizes[i]);
    }
  m->frame.must_calculate = true;
  return WEIR_FMI_OK;
}
FMI (GetClock) (WeirFmiComponent c, const uint32_t refs[], size_t n, bool values[])
{
  return get (c, CLOCK, sizeof *values, refs, n, values);
}
FMI (SetClock) (WeirFmiComponent c, const uint32_t refs[], size_t n, const bool values[])
{
  return set (c, CLOCK, sizeof *values, refs, n, values);
}
FMI (GetNumberOfVariableDependencies) (WeirFmiComponent c, uint32_t ref, size_t *n)
{
  return WEIR_FMI_ERROR;
}
FMI (GetVariableDependencies)
(WeirFmiComponent c, uint32_t dependent, size_t elements[], uint32_t independents[],
 size_t independent_elements[], WeirFmi3DependencyKind kinds[], size_t n)
{
  return WEIR_FMI_ERROR;
}
FMI (GetDirectionalDerivative)
(WeirFmiComponent c, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[],
 size_t n_knowns, const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity)
{
  return differentiate_all (enter (c), unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity);
}
FMI (GetAdjointDerivative)
(WeirFmiComponent c, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[],
 size_t n_knowns, const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity)
{
  return WEIR_FMI_ERROR;
}
FMI (EnterConfigurationMode) (WeirFmiComponent c)
{
  return IS_STRUCTURAL (1) ? change_mode (c, CREATED, CONFIGURING) : WEIR_FMI_ERROR;
}
FMI (ExitConfigurationMode) (WeirFmiComponent c)
{
  return TAKES_STRUCTURE (enter (c)) ? change_mode (c, CONFIGURING, CREATED) : WEIR_FMI_ERROR;
}
FMI (GetIntervalDecimal)
(WeirFmiComponent c, const uint32_t refs[], size_t n, double intervals[],
 WeirFmi3IntervalQualifier qualifiers[])
{
  Model *m = enter (c);

  for (size_t i = 0; i < n; i++)
    {
      intervals[i] = INTERVAL (m, refs[i]);
      qualifiers[i] = QUALIFIER (m, refs[i], intervals[i]);
    }
  (void) m;
  return WEIR_FMI_OK;
}
FMI (GetIntervalFraction)
(WeirFmiComponent c, const uint32_t refs[], size_t n, uint64_t counters[], uint64_t resolutions[],
 WeirFmi3IntervalQualifier qualifiers[])
{
  return WEIR_FMI_ERROR;
}
FMI (GetShiftDecimal) (WeirFmiComponent c, const uint32_t refs[], size_t n, double shifts[])
{
  for (size_t i = 0; i < n; i++)
    shifts[i] = 0.125;
  return WEIR_FMI_OK;
}
FMI (GetShiftFraction)
(WeirFmiComponent c, const uint32_t refs[], size_t n, uint64_t counters[], uint64_t resolutions[])
{
  return WEIR_FMI_ERROR;
}
FMI (SetIntervalDecimal)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const double intervals[])
{
  return WEIR_FMI_ERROR;
}
FMI (SetIntervalFraction)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const uint64_t counters[],
 const uint64_t resolutions[])
{
  return WEIR_FMI_ERROR;
}
FMI (SetShiftDecimal) (WeirFmiComponent c, const uint32_t refs[], size_t n, const double shifts[])
{
  return WEIR_FMI_ERROR;
}
FMI (SetShiftFraction)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const uint64_t counters[],
 const uint64_t resolutions[])
{
  return WEIR_FMI_ERROR;
}
FMI (EvaluateDiscreteStates) (WeirFmiComponent c)
{
  Model *m = enter (c);

  m->frame.must_calculate = true;
  return refresh (m);
}
FMI (UpdateDiscreteStates)
(WeirFmiComponent c, bool *need_update, bool *terminate, bool *nominals_changed,
 bool *values_changed, bool *next_event_time_defined, double *next_event_time)
{
  Model *m = enter (c);
  WeirFmi2EventInfo info = { 0 };
  WeirFmiStatus status;

  FAIL (m->frame.mode != EVENT);
  m->frame.must_calculate = true;
  status = update (m, &info);
  *need_update = info.new_discrete_states_needed != 0;
  *terminate = info.terminate_simulation != 0;
  *nominals_changed = info.nominals_of_continuous_states_changed != 0;
  *values_changed = info.values_of_continuous_states_changed != 0;
  *next_event_time_defined = info.next_event_time_defined != 0;
  *next_event_time = info.next_event_time;
  return status;
}
FMI (GetNumberOfEventIndicators) (WeirFmiComponent c, size_t *n)
{
  *n = N_INDICATORS;
  return WEIR_FMI_OK;
}
FMI (GetNumberOfContinuousStates) (WeirFmiComponent c, size_t *n)
{
  *n = COUNT_STATES (enter (c));
  return WEIR_FMI_OK;
}
FMI (EnterStepMode) (WeirFmiComponent c)
{
  return change_mode (c, EVENT, STEPPING);
}
FMI (GetOutputDerivatives)
(WeirFmiComponent c, const uint32_t refs[], size_t n, const int32_t orders[], double values[],
 size_t n_values)
{
  return WEIR_FMI_ERROR;
}
FMI (DoStep)
(WeirFmiComponent c, double time, double step, bool no_return, bool *event_needed, bool *terminate,
 bool *early_return, double *last_time)
{
  WeirFmiStatus status = do_step (enter (c), time, step, event_needed, terminate, last_time);

  *early_return = *last_time < time + step * (1 - 1e-9);
  return status;
}
FMI (ActivateModelPartition) (WeirFmiComponent c, uint32_t clock, double time)
{
  return WEIR_FMI_ERROR;
}

#endif
