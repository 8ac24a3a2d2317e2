/* The words of FMI's files, as tables. */
#include "fmi/kinds.h"

#include <string.h>

static const char *const types[] = {
  [WEIR_FMU_FLOAT32] = "Float32", [WEIR_FMU_FLOAT64] = "Float64",
  [WEIR_FMU_INT8] = "Int8",       [WEIR_FMU_UINT8] = "UInt8",
  [WEIR_FMU_INT16] = "Int16",     [WEIR_FMU_UINT16] = "UInt16",
  [WEIR_FMU_INT32] = "Int32",     [WEIR_FMU_UINT32] = "UInt32",
  [WEIR_FMU_INT64] = "Int64",     [WEIR_FMU_UINT64] = "UInt64",
  [WEIR_FMU_BOOLEAN] = "Boolean", [WEIR_FMU_STRING] = "String",
  [WEIR_FMU_BINARY] = "Binary",   [WEIR_FMU_ENUMERATION] = "Enumeration",
  [WEIR_FMU_CLOCK] = "Clock",
};
static const char *const causalities[] = {
  [WEIR_FMU_PARAMETER] = "parameter",
  [WEIR_FMU_CALCULATED_PARAMETER] = "calculatedParameter",
  [WEIR_FMU_STRUCTURAL_PARAMETER] = "structuralParameter",
  [WEIR_FMU_INPUT] = "input",
  [WEIR_FMU_OUTPUT] = "output",
  [WEIR_FMU_LOCAL] = "local",
  [WEIR_FMU_INDEPENDENT] = "independent",
};
static const char *const variabilities[] = {
  [WEIR_FMU_CONSTANT] = "constant",     [WEIR_FMU_FIXED] = "fixed",
  [WEIR_FMU_TUNABLE] = "tunable",       [WEIR_FMU_DISCRETE] = "discrete",
  [WEIR_FMU_CONTINUOUS] = "continuous",
};
static const char *const initials[] = {
  [WEIR_FMU_EXACT] = "exact",
  [WEIR_FMU_APPROX] = "approx",
  [WEIR_FMU_CALCULATED] = "calculated",
  [WEIR_FMU_NO_INITIAL] = "none",
};
static const char *const dependency_kinds[] = {
  [WEIR_FMU_DEPENDENT_KIND] = "dependent", [WEIR_FMU_CONSTANT_KIND] = "constant",
  [WEIR_FMU_FIXED_KIND] = "fixed",         [WEIR_FMU_TUNABLE_KIND] = "tunable",
  [WEIR_FMU_DISCRETE_KIND] = "discrete",
};
static const char *const modes[] = {
  [WEIR_FMU_MODEL_EXCHANGE] = "ModelExchange",
  [WEIR_FMU_CO_SIMULATION] = "CoSimulation",
  [WEIR_FMU_SCHEDULED_EXECUTION] = "ScheduledExecution",
};
static const char *const intervals[] = {
  [WEIR_FMU_INTERVAL_CONSTANT] = "constant",     [WEIR_FMU_INTERVAL_FIXED] = "fixed",
  [WEIR_FMU_INTERVAL_CALCULATED] = "calculated", [WEIR_FMU_INTERVAL_TUNABLE] = "tunable",
  [WEIR_FMU_INTERVAL_CHANGING] = "changing",     [WEIR_FMU_INTERVAL_COUNTDOWN] = "countdown",
  [WEIR_FMU_INTERVAL_TRIGGERED] = "triggered",
};

G_STATIC_ASSERT (G_N_ELEMENTS (types) == WEIR_FMU_N_TYPES);
G_STATIC_ASSERT (G_N_ELEMENTS (causalities) == WEIR_FMU_N_CAUSALITIES);
G_STATIC_ASSERT (G_N_ELEMENTS (variabilities) == WEIR_FMU_N_VARIABILITIES);
G_STATIC_ASSERT (G_N_ELEMENTS (initials) == WEIR_FMU_N_INITIALS);
G_STATIC_ASSERT (G_N_ELEMENTS (dependency_kinds) == WEIR_FMU_N_DEPENDENCY_KINDS);
G_STATIC_ASSERT (G_N_ELEMENTS (modes) == WEIR_FMU_N_MODES);
G_STATIC_ASSERT (G_N_ELEMENTS (intervals) == WEIR_FMU_N_INTERVALS);

static int
find (const char *const *names, guint n, const char *name)
{
  for (guint i = 0; i < n; i++)
    if (strcmp (names[i], name) == 0)
      return (int) i;
  return -1;
}

#define DEFINE_NAMES(kind, Type, names, n)                                                         \
  const char *weir_fmu_##kind##_get_name (Type value)                                              \
  {                                                                                                \
    g_return_val_if_fail ((guint) value < G_N_ELEMENTS (names), "");                               \
    return names[value];                                                                           \
  }                                                                                                \
  int weir_fmu_##kind##_find (const char *name)                                                    \
  {                                                                                                \
    return find (names, n, name);                                                                  \
  }

DEFINE_NAMES (causality, WeirFmuCausality, causalities, WEIR_FMU_N_CAUSALITIES)
DEFINE_NAMES (variability, WeirFmuVariability, variabilities, WEIR_FMU_N_VARIABILITIES)
DEFINE_NAMES (initial, WeirFmuInitial, initials, WEIR_FMU_NO_INITIAL) /* which no file says */
DEFINE_NAMES (dependency_kind, WeirFmuDependencyKind, dependency_kinds, WEIR_FMU_N_DEPENDENCY_KINDS)
DEFINE_NAMES (interval, WeirFmuInterval, intervals, WEIR_FMU_N_INTERVALS)

const char *
weir_fmu_type_get_name (WeirFmuType type)
{
  g_return_val_if_fail ((guint) type < WEIR_FMU_N_TYPES, "");
  return types[type];
}

int
weir_fmu_type_find (int version, const char *name)
{
  if (version >= 3)
    return find (types, WEIR_FMU_N_TYPES, name);
  if (strcmp (name, "Real") == 0)
    return WEIR_FMU_FLOAT64;
  if (strcmp (name, "Integer") == 0)
    return WEIR_FMU_INT32;
  if (strcmp (name, "Boolean") == 0 || strcmp (name, "String") == 0
      || strcmp (name, "Enumeration") == 0)
    return find (types, WEIR_FMU_N_TYPES, name);
  return -1;
}

const char *
weir_fmu_mode_get_name (WeirFmuMode mode)
{
  g_return_val_if_fail ((guint) mode < WEIR_FMU_N_MODES, "");
  return modes[mode];
}

gboolean
weir_fmu_type_is_float (WeirFmuType type)
{
  return type == WEIR_FMU_FLOAT32 || type == WEIR_FMU_FLOAT64;
}

gboolean
weir_fmu_type_is_integer (WeirFmuType type)
{
  return type >= WEIR_FMU_INT8 && type <= WEIR_FMU_UINT64;
}

/* --- This machine ---------------------------------------------------------------------------- */

#if defined(__x86_64__)
#define PLATFORM_2 "linux64"
#define PLATFORM_3 "x86_64-linux"
#elif defined(__i386__)
#define PLATFORM_2 "linux32"
#define PLATFORM_3 "x86-linux"
#elif defined(__aarch64__)
#define PLATFORM_2 "aarch64-linux" /* as 3.0 names it: 2.0 knows no other processors */
#define PLATFORM_3 "aarch64-linux"
#elif defined(__arm__)
#define PLATFORM_2 "aarch32-linux"
#define PLATFORM_3 "aarch32-linux"
#else
#define PLATFORM_2 "riscv64-linux"
#define PLATFORM_3 "riscv64-linux"
#endif

const char *
weir_fmu_get_platform (int version)
{
  return version >= 3 ? PLATFORM_3 : PLATFORM_2;
}
