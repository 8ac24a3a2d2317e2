/* The kinds of things that a description of an FMU names, and their words in its file.
 *
 * One set for FMI 2.0 and 3.0: what 2.0 calls Real is WEIR_FMU_FLOAT64, its Integer is
 * WEIR_FMU_INT32. Types stand in the order of the standard's tables of functions. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  WEIR_FMU_FLOAT32,
  WEIR_FMU_FLOAT64,
  WEIR_FMU_INT8,
  WEIR_FMU_UINT8,
  WEIR_FMU_INT16,
  WEIR_FMU_UINT16,
  WEIR_FMU_INT32,
  WEIR_FMU_UINT32,
  WEIR_FMU_INT64,
  WEIR_FMU_UINT64,
  WEIR_FMU_BOOLEAN,
  WEIR_FMU_STRING,
  WEIR_FMU_BINARY,
  WEIR_FMU_ENUMERATION, /* called as INT32 in 2.0, as INT64 in 3.0 */
  WEIR_FMU_CLOCK,
  WEIR_FMU_N_TYPES,
} WeirFmuType;

typedef enum {
  WEIR_FMU_PARAMETER,
  WEIR_FMU_CALCULATED_PARAMETER,
  WEIR_FMU_STRUCTURAL_PARAMETER,
  WEIR_FMU_INPUT,
  WEIR_FMU_OUTPUT,
  WEIR_FMU_LOCAL,
  WEIR_FMU_INDEPENDENT,
  WEIR_FMU_N_CAUSALITIES,
} WeirFmuCausality;

typedef enum {
  WEIR_FMU_CONSTANT,
  WEIR_FMU_FIXED,
  WEIR_FMU_TUNABLE,
  WEIR_FMU_DISCRETE,
  WEIR_FMU_CONTINUOUS,
  WEIR_FMU_N_VARIABILITIES,
} WeirFmuVariability;

typedef enum {
  WEIR_FMU_EXACT,
  WEIR_FMU_APPROX,
  WEIR_FMU_CALCULATED,
  WEIR_FMU_NO_INITIAL, /* of inputs and of time */
  WEIR_FMU_N_INITIALS,
} WeirFmuInitial;

/* What an unknown does with a known: when their factor may change. */
typedef enum {
  WEIR_FMU_DEPENDENT_KIND, /* at any time */
  WEIR_FMU_CONSTANT_KIND,  /* never */
  WEIR_FMU_FIXED_KIND,     /* not after initialisation */
  WEIR_FMU_TUNABLE_KIND,   /* with tunable parameters */
  WEIR_FMU_DISCRETE_KIND,  /* at events */
  WEIR_FMU_N_DEPENDENCY_KINDS,
} WeirFmuDependencyKind;

typedef enum {
  WEIR_FMU_MODEL_EXCHANGE,
  WEIR_FMU_CO_SIMULATION,
  WEIR_FMU_SCHEDULED_EXECUTION, /* 3.0 only */
  WEIR_FMU_N_MODES,
} WeirFmuMode;

/* What is said of a clock's ticks: who knows when they come. */
typedef enum {
  WEIR_FMU_INTERVAL_CONSTANT,
  WEIR_FMU_INTERVAL_FIXED,
  WEIR_FMU_INTERVAL_CALCULATED,
  WEIR_FMU_INTERVAL_TUNABLE,
  WEIR_FMU_INTERVAL_CHANGING,
  WEIR_FMU_INTERVAL_COUNTDOWN,
  WEIR_FMU_INTERVAL_TRIGGERED,
  WEIR_FMU_N_INTERVALS,
} WeirFmuInterval;

/* As files of 3.0 have it. Static. */
const char *weir_fmu_type_get_name (WeirFmuType type);
const char *weir_fmu_causality_get_name (WeirFmuCausality causality);
const char *weir_fmu_variability_get_name (WeirFmuVariability variability);
const char *weir_fmu_initial_get_name (WeirFmuInitial initial);
const char *weir_fmu_dependency_kind_get_name (WeirFmuDependencyKind kind);
const char *weir_fmu_mode_get_name (WeirFmuMode mode);
const char *weir_fmu_interval_get_name (WeirFmuInterval interval);

/* The reverse; -1 where there is none of that name. @version: 2 or 3. */
int weir_fmu_type_find (int version, const char *name);
int weir_fmu_causality_find (const char *name);
int weir_fmu_variability_find (const char *name);
int weir_fmu_initial_find (const char *name);
int weir_fmu_dependency_kind_find (const char *name);
int weir_fmu_interval_find (const char *name);

/* Of any width; an enumeration is neither. */
gboolean weir_fmu_type_is_float (WeirFmuType type);
gboolean weir_fmu_type_is_integer (WeirFmuType type);

/* The folder beneath "binaries" that holds the libraries of this machine: "linux64" in 2.0,
 * "x86_64-linux" in 3.0. Static. */
const char *weir_fmu_get_platform (int version);

G_END_DECLS
