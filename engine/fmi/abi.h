/* The binary interface of FMI 2.0 and 3.0: what the library of an FMU exports, and what it is
 * given.
 *
 * Declared from the text of the two standards. Tables of functions are lists of lines
 * F (kind, result, name, parameters), where kind says who must offer the function: each FMU
 * (COMMON), each of model exchange (EXCHANGE) or co-simulation (STEPS), or nobody (OPTIONAL: what
 * calls it says that it is missing). C alone: the worker program, which links nothing else, and the
 * FMUs of the tests include this too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t WeirFmiReference;
typedef void *WeirFmiComponent;
typedef void *WeirFmiState;

/* The same numbers in both versions. */
typedef enum {
  WEIR_FMI_OK,
  WEIR_FMI_WARNING,
  WEIR_FMI_DISCARD,
  WEIR_FMI_ERROR,
  WEIR_FMI_FATAL,
  WEIR_FMI_PENDING, /* 2.0 */
} WeirFmiStatus;

/* --- 2.0 ------------------------------------------------------------------------------------- */

typedef int WeirFmi2Boolean;

typedef enum { WEIR_FMI2_MODEL_EXCHANGE, WEIR_FMI2_CO_SIMULATION } WeirFmi2Type;

typedef enum {
  WEIR_FMI2_DO_STEP_STATUS,
  WEIR_FMI2_PENDING_STATUS,
  WEIR_FMI2_LAST_SUCCESSFUL_TIME,
  WEIR_FMI2_TERMINATED,
} WeirFmi2StatusKind;

typedef struct {
  WeirFmi2Boolean new_discrete_states_needed;
  WeirFmi2Boolean terminate_simulation;
  WeirFmi2Boolean nominals_of_continuous_states_changed;
  WeirFmi2Boolean values_of_continuous_states_changed;
  WeirFmi2Boolean next_event_time_defined;
  double next_event_time;
} WeirFmi2EventInfo;

typedef struct {
  /* @format as of printf(). */
  void (*logger) (void *environment, const char *instance, WeirFmiStatus status,
                  const char *category, const char *format, ...);
  void *(*allocate_memory) (size_t n, size_t size); /* zeroed */
  void (*free_memory) (void *memory);
  void (*step_finished) (void *environment, WeirFmiStatus status);
  void *environment;
} WeirFmi2Callbacks;

#define WEIR_FMI2_FUNCTIONS(F)                                                                     \
  F (OPTIONAL, const char *, GetTypesPlatform, (void) )                                            \
  F (COMMON, const char *, GetVersion, (void) )                                                    \
  F (OPTIONAL, WeirFmiStatus, SetDebugLogging,                                                     \
     (WeirFmiComponent c, WeirFmi2Boolean on, size_t n, const char *const categories[]))           \
  F (COMMON, WeirFmiComponent, Instantiate,                                                        \
     (const char *name, WeirFmi2Type type, const char *guid, const char *resources,                \
      const WeirFmi2Callbacks *callbacks, WeirFmi2Boolean visible, WeirFmi2Boolean logging))       \
  F (COMMON, void, FreeInstance, (WeirFmiComponent c))                                             \
  F (COMMON, WeirFmiStatus, SetupExperiment,                                                       \
     (WeirFmiComponent c, WeirFmi2Boolean has_tolerance, double tolerance, double start,           \
      WeirFmi2Boolean has_stop, double stop))                                                      \
  F (COMMON, WeirFmiStatus, EnterInitializationMode, (WeirFmiComponent c))                         \
  F (COMMON, WeirFmiStatus, ExitInitializationMode, (WeirFmiComponent c))                          \
  F (COMMON, WeirFmiStatus, Terminate, (WeirFmiComponent c))                                       \
  F (OPTIONAL, WeirFmiStatus, Reset, (WeirFmiComponent c))                                         \
  F (COMMON, WeirFmiStatus, GetReal,                                                               \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, double values[]))               \
  F (COMMON, WeirFmiStatus, GetInteger,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, int values[]))                  \
  F (COMMON, WeirFmiStatus, GetBoolean,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, WeirFmi2Boolean values[]))      \
  F (OPTIONAL, WeirFmiStatus, GetString,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *values[]))          \
  F (COMMON, WeirFmiStatus, SetReal,                                                               \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const double values[]))         \
  F (COMMON, WeirFmiStatus, SetInteger,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const int values[]))            \
  F (COMMON, WeirFmiStatus, SetBoolean,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n,                                 \
      const WeirFmi2Boolean values[]))                                                             \
  F (OPTIONAL, WeirFmiStatus, SetString,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *const values[]))    \
  F (OPTIONAL, WeirFmiStatus, GetFMUstate, (WeirFmiComponent c, WeirFmiState * state))             \
  F (OPTIONAL, WeirFmiStatus, SetFMUstate, (WeirFmiComponent c, WeirFmiState state))               \
  F (OPTIONAL, WeirFmiStatus, FreeFMUstate, (WeirFmiComponent c, WeirFmiState * state))            \
  F (OPTIONAL, WeirFmiStatus, SerializedFMUstateSize,                                              \
     (WeirFmiComponent c, WeirFmiState state, size_t * size))                                      \
  F (OPTIONAL, WeirFmiStatus, SerializeFMUstate,                                                   \
     (WeirFmiComponent c, WeirFmiState state, uint8_t bytes[], size_t size))                       \
  F (OPTIONAL, WeirFmiStatus, DeSerializeFMUstate,                                                 \
     (WeirFmiComponent c, const uint8_t bytes[], size_t size, WeirFmiState *state))                \
  F (OPTIONAL, WeirFmiStatus, GetDirectionalDerivative,                                            \
     (WeirFmiComponent c, const WeirFmiReference unknowns[], size_t n_unknowns,                    \
      const WeirFmiReference knowns[], size_t n_knowns, const double seed[],                       \
      double sensitivity[]))                                                                       \
  F (EXCHANGE, WeirFmiStatus, EnterEventMode, (WeirFmiComponent c))                                \
  F (EXCHANGE, WeirFmiStatus, NewDiscreteStates, (WeirFmiComponent c, WeirFmi2EventInfo * info))   \
  F (EXCHANGE, WeirFmiStatus, EnterContinuousTimeMode, (WeirFmiComponent c))                       \
  F (EXCHANGE, WeirFmiStatus, CompletedIntegratorStep,                                             \
     (WeirFmiComponent c, WeirFmi2Boolean no_return, WeirFmi2Boolean * enter_event_mode,           \
      WeirFmi2Boolean * terminate))                                                                \
  F (EXCHANGE, WeirFmiStatus, SetTime, (WeirFmiComponent c, double time))                          \
  F (EXCHANGE, WeirFmiStatus, SetContinuousStates,                                                 \
     (WeirFmiComponent c, const double x[], size_t n))                                             \
  F (EXCHANGE, WeirFmiStatus, GetDerivatives, (WeirFmiComponent c, double xdot[], size_t n))       \
  F (EXCHANGE, WeirFmiStatus, GetEventIndicators, (WeirFmiComponent c, double z[], size_t n))      \
  F (EXCHANGE, WeirFmiStatus, GetContinuousStates, (WeirFmiComponent c, double x[], size_t n))     \
  F (EXCHANGE, WeirFmiStatus, GetNominalsOfContinuousStates,                                       \
     (WeirFmiComponent c, double nominals[], size_t n))                                            \
  F (OPTIONAL, WeirFmiStatus, SetRealInputDerivatives,                                             \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const int orders[],             \
      const double values[]))                                                                      \
  F (OPTIONAL, WeirFmiStatus, GetRealOutputDerivatives,                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const int orders[],             \
      double values[]))                                                                            \
  F (STEPS, WeirFmiStatus, DoStep,                                                                 \
     (WeirFmiComponent c, double time, double step, WeirFmi2Boolean no_return))                    \
  F (OPTIONAL, WeirFmiStatus, CancelStep, (WeirFmiComponent c))                                    \
  F (OPTIONAL, WeirFmiStatus, GetStatus,                                                           \
     (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmiStatus * value))                         \
  F (OPTIONAL, WeirFmiStatus, GetRealStatus,                                                       \
     (WeirFmiComponent c, WeirFmi2StatusKind kind, double *value))                                 \
  F (OPTIONAL, WeirFmiStatus, GetIntegerStatus,                                                    \
     (WeirFmiComponent c, WeirFmi2StatusKind kind, int *value))                                    \
  F (OPTIONAL, WeirFmiStatus, GetBooleanStatus,                                                    \
     (WeirFmiComponent c, WeirFmi2StatusKind kind, WeirFmi2Boolean * value))                       \
  F (OPTIONAL, WeirFmiStatus, GetStringStatus,                                                     \
     (WeirFmiComponent c, WeirFmi2StatusKind kind, const char **value))

/* --- 3.0 ------------------------------------------------------------------------------------- */

typedef enum {
  WEIR_FMI3_INTERVAL_NOT_YET_KNOWN,
  WEIR_FMI3_INTERVAL_UNCHANGED,
  WEIR_FMI3_INTERVAL_CHANGED,
} WeirFmi3IntervalQualifier;

typedef enum {
  WEIR_FMI3_INDEPENDENT,
  WEIR_FMI3_CONSTANT,
  WEIR_FMI3_FIXED,
  WEIR_FMI3_TUNABLE,
  WEIR_FMI3_DISCRETE,
  WEIR_FMI3_DEPENDENT,
} WeirFmi3DependencyKind;

typedef void (*WeirFmi3LogMessage) (void *environment, WeirFmiStatus status, const char *category,
                                    const char *message);
typedef void (*WeirFmi3IntermediateUpdate) (void *environment, double time, bool set_requested,
                                            bool get_allowed, bool step_finished,
                                            bool can_return_early, bool *return_requested,
                                            double *return_time);
typedef void (*WeirFmi3ClockUpdate) (void *environment);
typedef void (*WeirFmi3Lock) (void);

#define WEIR_FMI3_VALUES(F, kind, Type, type)                                                      \
  F (kind, WeirFmiStatus, Get##Type,                                                               \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, type values[],                  \
      size_t n_values))                                                                            \
  F (kind, WeirFmiStatus, Set##Type,                                                               \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const type values[],            \
      size_t n_values))

#define WEIR_FMI3_FUNCTIONS(F)                                                                     \
  F (COMMON, const char *, GetVersion, (void) )                                                    \
  F (OPTIONAL, WeirFmiStatus, SetDebugLogging,                                                     \
     (WeirFmiComponent c, bool on, size_t n, const char *const categories[]))                      \
  F (EXCHANGE, WeirFmiComponent, InstantiateModelExchange,                                         \
     (const char *name, const char *token, const char *resources, bool visible, bool logging,      \
      void *environment, WeirFmi3LogMessage log))                                                  \
  F (STEPS, WeirFmiComponent, InstantiateCoSimulation,                                             \
     (const char *name, const char *token, const char *resources, bool visible, bool logging,      \
      bool event_mode_used, bool early_return_allowed, const WeirFmiReference intermediate[],      \
      size_t n_intermediate, void *environment, WeirFmi3LogMessage log,                            \
      WeirFmi3IntermediateUpdate update))                                                          \
  F (OPTIONAL, WeirFmiComponent, InstantiateScheduledExecution,                                    \
     (const char *name, const char *token, const char *resources, bool visible, bool logging,      \
      void *environment, WeirFmi3LogMessage log, WeirFmi3ClockUpdate update, WeirFmi3Lock lock,    \
      WeirFmi3Lock unlock))                                                                        \
  F (COMMON, void, FreeInstance, (WeirFmiComponent c))                                             \
  F (COMMON, WeirFmiStatus, EnterInitializationMode,                                               \
     (WeirFmiComponent c, bool has_tolerance, double tolerance, double start, bool has_stop,       \
      double stop))                                                                                \
  F (COMMON, WeirFmiStatus, ExitInitializationMode, (WeirFmiComponent c))                          \
  F (OPTIONAL, WeirFmiStatus, EnterEventMode, (WeirFmiComponent c))                                \
  F (COMMON, WeirFmiStatus, Terminate, (WeirFmiComponent c))                                       \
  F (OPTIONAL, WeirFmiStatus, Reset, (WeirFmiComponent c))                                         \
  WEIR_FMI3_VALUES (F, OPTIONAL, Float32, float)                                                   \
  WEIR_FMI3_VALUES (F, COMMON, Float64, double)                                                    \
  WEIR_FMI3_VALUES (F, OPTIONAL, Int8, int8_t)                                                     \
  WEIR_FMI3_VALUES (F, OPTIONAL, UInt8, uint8_t)                                                   \
  WEIR_FMI3_VALUES (F, OPTIONAL, Int16, int16_t)                                                   \
  WEIR_FMI3_VALUES (F, OPTIONAL, UInt16, uint16_t)                                                 \
  WEIR_FMI3_VALUES (F, OPTIONAL, Int32, int32_t)                                                   \
  WEIR_FMI3_VALUES (F, OPTIONAL, UInt32, uint32_t)                                                 \
  WEIR_FMI3_VALUES (F, OPTIONAL, Int64, int64_t)                                                   \
  WEIR_FMI3_VALUES (F, OPTIONAL, UInt64, uint64_t)                                                 \
  WEIR_FMI3_VALUES (F, OPTIONAL, Boolean, bool)                                                    \
  F (OPTIONAL, WeirFmiStatus, GetString,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *values[],           \
      size_t n_values))                                                                            \
  F (OPTIONAL, WeirFmiStatus, SetString,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const char *const values[],     \
      size_t n_values))                                                                            \
  F (OPTIONAL, WeirFmiStatus, GetBinary,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, size_t sizes[],                 \
      const uint8_t *values[], size_t n_values))                                                   \
  F (OPTIONAL, WeirFmiStatus, SetBinary,                                                           \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const size_t sizes[],           \
      const uint8_t *const values[], size_t n_values))                                             \
  F (OPTIONAL, WeirFmiStatus, GetClock,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, bool values[]))                 \
  F (OPTIONAL, WeirFmiStatus, SetClock,                                                            \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const bool values[]))           \
  F (OPTIONAL, WeirFmiStatus, GetNumberOfVariableDependencies,                                     \
     (WeirFmiComponent c, WeirFmiReference ref, size_t * n))                                       \
  F (OPTIONAL, WeirFmiStatus, GetVariableDependencies,                                             \
     (WeirFmiComponent c, WeirFmiReference dependent, size_t dependent_elements[],                 \
      WeirFmiReference independents[], size_t independent_elements[],                              \
      WeirFmi3DependencyKind kinds[], size_t n))                                                   \
  F (OPTIONAL, WeirFmiStatus, GetFMUState, (WeirFmiComponent c, WeirFmiState * state))             \
  F (OPTIONAL, WeirFmiStatus, SetFMUState, (WeirFmiComponent c, WeirFmiState state))               \
  F (OPTIONAL, WeirFmiStatus, FreeFMUState, (WeirFmiComponent c, WeirFmiState * state))            \
  F (OPTIONAL, WeirFmiStatus, SerializedFMUStateSize,                                              \
     (WeirFmiComponent c, WeirFmiState state, size_t * size))                                      \
  F (OPTIONAL, WeirFmiStatus, SerializeFMUState,                                                   \
     (WeirFmiComponent c, WeirFmiState state, uint8_t bytes[], size_t size))                       \
  F (OPTIONAL, WeirFmiStatus, DeserializeFMUState,                                                 \
     (WeirFmiComponent c, const uint8_t bytes[], size_t size, WeirFmiState *state))                \
  F (OPTIONAL, WeirFmiStatus, GetDirectionalDerivative,                                            \
     (WeirFmiComponent c, const WeirFmiReference unknowns[], size_t n_unknowns,                    \
      const WeirFmiReference knowns[], size_t n_knowns, const double seed[], size_t n_seed,        \
      double sensitivity[], size_t n_sensitivity))                                                 \
  F (OPTIONAL, WeirFmiStatus, GetAdjointDerivative,                                                \
     (WeirFmiComponent c, const WeirFmiReference unknowns[], size_t n_unknowns,                    \
      const WeirFmiReference knowns[], size_t n_knowns, const double seed[], size_t n_seed,        \
      double sensitivity[], size_t n_sensitivity))                                                 \
  F (OPTIONAL, WeirFmiStatus, EnterConfigurationMode, (WeirFmiComponent c))                        \
  F (OPTIONAL, WeirFmiStatus, ExitConfigurationMode, (WeirFmiComponent c))                         \
  F (OPTIONAL, WeirFmiStatus, GetIntervalDecimal,                                                  \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, double intervals[],             \
      WeirFmi3IntervalQualifier qualifiers[]))                                                     \
  F (OPTIONAL, WeirFmiStatus, GetIntervalFraction,                                                 \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, uint64_t counters[],            \
      uint64_t resolutions[], WeirFmi3IntervalQualifier qualifiers[]))                             \
  F (OPTIONAL, WeirFmiStatus, GetShiftDecimal,                                                     \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, double shifts[]))               \
  F (OPTIONAL, WeirFmiStatus, GetShiftFraction,                                                    \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, uint64_t counters[],            \
      uint64_t resolutions[]))                                                                     \
  F (OPTIONAL, WeirFmiStatus, SetIntervalDecimal,                                                  \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const double intervals[]))      \
  F (OPTIONAL, WeirFmiStatus, SetIntervalFraction,                                                 \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const uint64_t counters[],      \
      const uint64_t resolutions[]))                                                               \
  F (OPTIONAL, WeirFmiStatus, SetShiftDecimal,                                                     \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const double shifts[]))         \
  F (OPTIONAL, WeirFmiStatus, SetShiftFraction,                                                    \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const uint64_t counters[],      \
      const uint64_t resolutions[]))                                                               \
  F (OPTIONAL, WeirFmiStatus, EvaluateDiscreteStates, (WeirFmiComponent c))                        \
  F (OPTIONAL, WeirFmiStatus, UpdateDiscreteStates,                                                \
     (WeirFmiComponent c, bool *need_update, bool *terminate, bool *nominals_changed,              \
      bool *values_changed, bool *next_event_time_defined, double *next_event_time))               \
  F (EXCHANGE, WeirFmiStatus, EnterContinuousTimeMode, (WeirFmiComponent c))                       \
  F (OPTIONAL, WeirFmiStatus, CompletedIntegratorStep,                                             \
     (WeirFmiComponent c, bool no_return, bool *enter_event_mode, bool *terminate))                \
  F (EXCHANGE, WeirFmiStatus, SetTime, (WeirFmiComponent c, double time))                          \
  F (EXCHANGE, WeirFmiStatus, SetContinuousStates,                                                 \
     (WeirFmiComponent c, const double x[], size_t n))                                             \
  F (EXCHANGE, WeirFmiStatus, GetContinuousStateDerivatives,                                       \
     (WeirFmiComponent c, double xdot[], size_t n))                                                \
  F (EXCHANGE, WeirFmiStatus, GetEventIndicators, (WeirFmiComponent c, double z[], size_t n))      \
  F (EXCHANGE, WeirFmiStatus, GetContinuousStates, (WeirFmiComponent c, double x[], size_t n))     \
  F (EXCHANGE, WeirFmiStatus, GetNominalsOfContinuousStates,                                       \
     (WeirFmiComponent c, double nominals[], size_t n))                                            \
  F (OPTIONAL, WeirFmiStatus, GetNumberOfEventIndicators, (WeirFmiComponent c, size_t * n))        \
  F (OPTIONAL, WeirFmiStatus, GetNumberOfContinuousStates, (WeirFmiComponent c, size_t * n))       \
  F (OPTIONAL, WeirFmiStatus, EnterStepMode, (WeirFmiComponent c))                                 \
  F (OPTIONAL, WeirFmiStatus, GetOutputDerivatives,                                                \
     (WeirFmiComponent c, const WeirFmiReference refs[], size_t n, const int32_t orders[],         \
      double values[], size_t n_values))                                                           \
  F (STEPS, WeirFmiStatus, DoStep,                                                                 \
     (WeirFmiComponent c, double time, double step, bool no_return, bool *event_needed,            \
      bool *terminate, bool *early_return, double *last_time))                                     \
  F (OPTIONAL, WeirFmiStatus, ActivateModelPartition,                                              \
     (WeirFmiComponent c, WeirFmiReference clock, double time))

/* --- Tables of functions --------------------------------------------------------------------- */

#define WEIR_FMI_MEMBER(kind, result, name, parameters) result (*name) parameters;

typedef struct {
  WEIR_FMI2_FUNCTIONS (WEIR_FMI_MEMBER)
} WeirFmi2;

typedef struct {
  WEIR_FMI3_FUNCTIONS (WEIR_FMI_MEMBER)
} WeirFmi3;
