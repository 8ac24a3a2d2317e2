/* The library of an FMU, loaded, and calls of it that are the same for both versions. C alone.
 *
 * One instance. Used by the worker program for calls that arrive in a region (weir_fmu_perform),
 * and by an instance within the program for those too and, without a region, for evaluations: the
 * functions at the end of this header.
 *
 * Thread: one at a time; the FMU may call `log` from threads of its own.
 */
#pragma once

#include <locale.h>

#include "fmi/abi.h"
#include "fmi/wire.h"

typedef struct {
  void *handle;     /* of dlopen() */
  uint32_t version; /* 2 or 3 */
  bool is_stepped;  /* co-simulation */
  WeirFmiComponent component;
  WeirFmi2 fmi2; /* what the library lacks is NULL */
  WeirFmi3 fmi3;
  WeirFmi2Callbacks callbacks; /* as long as the instance */
  void (*log) (void *data, const char *line);
  void *log_data;
  uint32_t arithmetic; /* before it was loaded: what it is brought back to */
  locale_t thread_locale;
  char locale[512]; /* the program's; empty: it has no such short name */
  void *scratch;    /* where arrays of pointers and of other types are made */
  size_t scratch_size;
} WeirFmuLibrary;

/* Performs @calls, of which the first @n in order, until one fails (its status says why), or all
 * are done. @base: the region, of @size bytes, of which @used are taken. @at: the number of the
 * call under way, for those who watch. Returns how many have been done. */
uint32_t weir_fmu_perform (WeirFmuLibrary *self, char *base, uint64_t size, uint64_t *used,
                           WeirFmuCall *calls, uint32_t n, _Atomic uint32_t *at);

/* "fmi2GetReal". Static. */
const char *weir_fmu_call_get_name (uint32_t version, bool is_stepped, WeirFmuCallKind kind,
                                    WeirFmuType type);

/* A status. @flags: version, mode, WEIR_FMU_FLAG_DEEP. @why: (out) as WEIR_FMU_STATUS_NOT_LOADED
 * and WEIR_FMU_STATUS_INCOMPLETE have it. */
uint32_t weir_fmu_library_load (WeirFmuLibrary *self, const char *path, uint32_t flags, char *why,
                                size_t size);
/* A status. */
uint32_t weir_fmu_library_instantiate (WeirFmuLibrary *self, const char *name, const char *token,
                                       const char *resources, uint32_t flags);
/* Of at least @size bytes, until the next; NULL: there is no more. */
void *weir_fmu_library_scratch (WeirFmuLibrary *self, size_t size);

/* Frees the instance, unless @is_lost, and what was loaded. */
void weir_fmu_library_clear (WeirFmuLibrary *self, bool is_lost);

/* --- Evaluation ------------------------------------------------------------------------------ */

/* Of model exchange, whose functions are all there once it is loaded. */

static inline WeirFmiStatus
weir_fmu_library_set_time (WeirFmuLibrary *self, double time)
{
  return self->version == 2 ? self->fmi2.SetTime (self->component, time)
                            : self->fmi3.SetTime (self->component, time);
}

static inline WeirFmiStatus
weir_fmu_library_set_states (WeirFmuLibrary *self, const double *x, size_t n)
{
  return self->version == 2 ? self->fmi2.SetContinuousStates (self->component, x, n)
                            : self->fmi3.SetContinuousStates (self->component, x, n);
}

static inline WeirFmiStatus
weir_fmu_library_get_derivatives (WeirFmuLibrary *self, double *xdot, size_t n)
{
  return self->version == 2 ? self->fmi2.GetDerivatives (self->component, xdot, n)
                            : self->fmi3.GetContinuousStateDerivatives (self->component, xdot, n);
}

static inline WeirFmiStatus
weir_fmu_library_get_indicators (WeirFmuLibrary *self, double *z, size_t n)
{
  return self->version == 2 ? self->fmi2.GetEventIndicators (self->component, z, n)
                            : self->fmi3.GetEventIndicators (self->component, z, n);
}

/* Of FLOAT64, which every library has. */

static inline WeirFmiStatus
weir_fmu_library_get_numbers (WeirFmuLibrary *self, const WeirFmiReference *refs, size_t n,
                              double *values, size_t n_values)
{
  return self->version == 2 ? self->fmi2.GetReal (self->component, refs, n, values)
                            : self->fmi3.GetFloat64 (self->component, refs, n, values, n_values);
}

static inline WeirFmiStatus
weir_fmu_library_set_numbers (WeirFmuLibrary *self, const WeirFmiReference *refs, size_t n,
                              const double *values, size_t n_values)
{
  return self->version == 2 ? self->fmi2.SetReal (self->component, refs, n, values)
                            : self->fmi3.SetFloat64 (self->component, refs, n, values, n_values);
}

/* Of fixed-size types. A status of WEIR_FMU_STATUS_… too. */
uint32_t weir_fmu_library_get (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs,
                               size_t n, void *values, size_t n_values);
uint32_t weir_fmu_library_set (WeirFmuLibrary *self, WeirFmuType type, const WeirFmiReference *refs,
                               size_t n, const void *values, size_t n_values);

/* --- What an FMU may have changed ------------------------------------------------------------ */

/* Rounding, flushing of tiny numbers, exceptions that trap: of the thread. */
static inline uint32_t
weir_fmu_get_arithmetic (void)
{
#if defined(__x86_64__) || defined(__SSE__)
  return __builtin_ia32_stmxcsr () & ~0x3fu; /* without what has happened so far */
#elif defined(__aarch64__)
  return __builtin_aarch64_get_fpcr ();
#else
  return 0;
#endif
}

static inline void
weir_fmu_set_arithmetic (uint32_t state)
{
#if defined(__x86_64__) || defined(__SSE__)
  __builtin_ia32_ldmxcsr (state);
#elif defined(__aarch64__)
  __builtin_aarch64_set_fpcr (state);
#endif
}

/* Whether sums are rounded as they never are here. Unlike reading the thread's arithmetic this does
 * not wait for all that is being computed, which costs as much as a call of a small FMU. */
static inline bool
weir_fmu_rounds_otherwise (void)
{
  static const volatile double little = 0x1p-60;
  double x = little;

  return 1 + x != 1 || 1 - x != 1;
}
