/* What an instance and its worker share: a list of calls, room for what they take and give, and two
 * words to wait on. Of GLib its names alone: the worker is linked without it.
 *
 * A request is a list of calls, performed in order until one fails. Whatever a call takes or gives
 * stands in the region behind the calls, named by its distance from the region's beginning: the two
 * processes see the region at different addresses. The worker writes what it likes into the region,
 * so the instance keeps distances and sizes of its own, and reads what it finds there once.
 *
 * Each side tells the other by changing a word and waits by watching it: a while without sleeping,
 * if that has been of use lately, then asleep. Who changes the word wakes the other only if that
 * one says that it sleeps, so that a trip between two processes that are awake makes no system
 * call.
 */
#pragma once

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fmi/kinds.h"

/* Kinds of calls. What each takes and gives: `refs`, `values`, ... of the call. */
typedef enum {
  WEIR_FMU_CALL_LOAD,        /* values: path of the library. values2: why not, if it fails */
  WEIR_FMU_CALL_INSTANTIATE, /* refs: name, values: token, values2: resources; each a string, or 0
                              */
  WEIR_FMU_CALL_FREE,
  WEIR_FMU_CALL_ENTER_INITIALIZATION, /* numbers: start, stop, tolerance; flags which of these */
  WEIR_FMU_CALL_EXIT_INITIALIZATION,
  WEIR_FMU_CALL_ENTER_EVENT_MODE,
  WEIR_FMU_CALL_UPDATE_DISCRETE, /* flags of the outcome, numbers[0]: the next event's time */
  WEIR_FMU_CALL_EVALUATE_DISCRETE,
  WEIR_FMU_CALL_ENTER_CONTINUOUS_MODE,
  WEIR_FMU_CALL_COMPLETED_STEP,
  WEIR_FMU_CALL_ENTER_STEP_MODE,
  WEIR_FMU_CALL_ENTER_CONFIGURATION,
  WEIR_FMU_CALL_EXIT_CONFIGURATION,
  WEIR_FMU_CALL_TERMINATE,
  WEIR_FMU_CALL_RESET,
  WEIR_FMU_CALL_SET_TIME,        /* numbers[0] */
  WEIR_FMU_CALL_SET_STATES,      /* values: numbers */
  WEIR_FMU_CALL_GET_STATES,      /* values: room for numbers; so the next three */
  WEIR_FMU_CALL_GET_DERIVATIVES, /* */
  WEIR_FMU_CALL_GET_INDICATORS,
  WEIR_FMU_CALL_GET_NOMINALS,
  WEIR_FMU_CALL_COUNT_STATES, /* handle: how many */
  WEIR_FMU_CALL_COUNT_INDICATORS,
  WEIR_FMU_CALL_GET,           /* refs; values: room for them, chunks if strings or binaries */
  WEIR_FMU_CALL_SET,           /* refs; values */
  WEIR_FMU_CALL_GET_INTERVALS, /* refs of clocks; values: numbers, values2: qualifiers */
  WEIR_FMU_CALL_SET_INTERVALS, /* refs of clocks; values: numbers */
  WEIR_FMU_CALL_GET_SHIFTS,    /* refs of clocks; values: numbers */
  WEIR_FMU_CALL_DO_STEP,       /* numbers: time, step; gives the time reached, and flags */
  WEIR_FMU_CALL_SAVE,          /* handle */
  WEIR_FMU_CALL_RESTORE,       /* handle */
  WEIR_FMU_CALL_FORGET,        /* handle */
  WEIR_FMU_CALL_SERIALIZE,     /* handle; values: bytes */
  WEIR_FMU_CALL_DESERIALIZE,   /* values: bytes; handle */
  WEIR_FMU_CALL_DIFFERENTIATE, /* refs, refs2: unknowns, knowns; values: seed, values2: result */
  WEIR_FMU_N_CALLS
} WeirFmuCallKind;

enum {
  /* arguments */
  WEIR_FMU_FLAG_HAS_STOP = 1 << 0,
  WEIR_FMU_FLAG_HAS_TOLERANCE = 1 << 1,
  WEIR_FMU_FLAG_NO_RETURN = 1 << 2, /* no state from before this point will be set */
  WEIR_FMU_FLAG_DEEP = 1 << 3,      /* load: what the library has itself goes before ours */
  WEIR_FMU_FLAG_STEPS = 1 << 4,     /* co-simulation */
  WEIR_FMU_FLAG_EVENT_MODE_USED = 1 << 5,
  WEIR_FMU_FLAG_EARLY_RETURN_ALLOWED = 1 << 6,
  WEIR_FMU_FLAG_LOGGING = 1 << 7,
  WEIR_FMU_FLAG_VERSION_3 = 1 << 8,
  /* results */
  WEIR_FMU_FLAG_UPDATE_NEEDED = 1 << 16,
  WEIR_FMU_FLAG_TERMINATES = 1 << 17,
  WEIR_FMU_FLAG_NOMINALS_CHANGED = 1 << 18,
  WEIR_FMU_FLAG_STATES_CHANGED = 1 << 19,
  WEIR_FMU_FLAG_HAS_NEXT_TIME = 1 << 20,
  WEIR_FMU_FLAG_EVENT_NEEDED = 1 << 21,
  WEIR_FMU_FLAG_RETURNED_EARLY = 1 << 22,
};

/* Statuses of a call besides those of the standard. */
enum {
  WEIR_FMU_STATUS_MISSING = 16, /* the library has no such function */
  WEIR_FMU_STATUS_NO_ROOM,      /* the result does not fit into the region */
  WEIR_FMU_STATUS_NOT_LOADED,   /* values2 says why */
  WEIR_FMU_STATUS_INCOMPLETE,   /* not loaded: values2 names a function that is not there */
  WEIR_FMU_STATUS_NO_INSTANCE,  /* instantiation gave NULL */
  WEIR_FMU_STATUS_UNSUITED,     /* the version has no such type, or the value does not fit it */
};

typedef struct {
  uint32_t kind, type;
  uint32_t status, flags;
  uint64_t refs, n_refs;
  uint64_t values, n_values;
  uint64_t refs2, n_refs2;
  uint64_t values2, n_values2;
  uint64_t handle;
  double numbers[3];
} WeirFmuCall;

/* A string (with its zero) or a binary. */
typedef struct {
  uint64_t at, size;
} WeirFmuChunk;

#define WEIR_FMU_MAX_CALLS 62 /* header and calls: 8 KiB */

typedef struct {
  uint64_t size;           /* of the region, this header included */
  uint64_t memory_limit;   /* of the worker, bytes; 0: none */
  _Atomic uint32_t closed; /* the worker: what it closed of WEIR_FMU_CLOSED_... */
  _Atomic uint32_t fault;  /* the worker's last words: a signal, and whether the stack ran out */
  _Atomic uint64_t pages;  /* then: how much memory it had, in pages */

  alignas (64) _Atomic uint32_t asked; /* changes with each request */
  _Atomic uint32_t worker_sleeps;
  _Atomic int32_t host_core; /* where the instance asked from; -1: not known */

  alignas (64) _Atomic uint32_t answered; /* follows `asked`, or has WEIR_FMU_STOPPED set */
  _Atomic uint32_t host_sleeps;

  alignas (64) _Atomic uint32_t at; /* the call that is under way */
  uint32_t n_calls;
  uint64_t used; /* the region's end, so far */
  alignas (64) WeirFmuCall calls[WEIR_FMU_MAX_CALLS];
} WeirFmuRegion;

#define WEIR_FMU_STOPPED 0x80000000u    /* in `answered`: look why */
#define WEIR_FMU_STACK_RAN_OUT 0x10000u /* in `fault` */
#define WEIR_FMU_CLOSED_NETWORK 1u      /* no sockets but those of one machine */
#define WEIR_FMU_ALIGN(n) (((n) + 15) & ~(uint64_t) 15)

/* Bytes of an element as it stands in memory; 0: strings and binaries, which are chunks. Booleans
 * and clocks are bytes, an enumeration has 64 bits, in both versions. 2.0 has FLOAT64, INT32,
 * BOOLEAN, STRING and ENUMERATION. */
static inline uint32_t
weir_fmu_type_get_size (WeirFmuType type)
{
  static const uint8_t sizes[WEIR_FMU_N_TYPES] = { 4, 8, 1, 1, 2, 2, 4, 4, 8, 8, 1, 0, 0, 8, 1 };

  return (uint32_t) type < WEIR_FMU_N_TYPES ? sizes[type] : 0;
}

/* --- Waiting --------------------------------------------------------------------------------- */

/* About 100 us: longer than it takes to wake the other side, so that two that have slept once stay
 * awake from then on. */
#define WEIR_FMU_SPINS 2500

/* Waiting awake pays only while both sides have a core. Each time that it was in vain it is left
 * out for twice as many trips. */
typedef struct {
  uint32_t limit; /* pauses; 0: never awake */
  uint32_t left_out, next;
} WeirFmuSpin;

static inline void
weir_fmu_pause (void)
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause ();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static inline void
weir_fmu_wake (_Atomic uint32_t *word)
{
  syscall (SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Changes @word and wakes who sleeps on it. */
static inline void
weir_fmu_tell (_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleeps)
{
  atomic_store (word, value);
  if (atomic_load (sleeps) != 0)
    weir_fmu_wake (word);
}

/* Until @word is no more @old, or @limit has passed, or for no reason. Says whether it slept. */
static inline bool
weir_fmu_await (_Atomic uint32_t *word, uint32_t old, _Atomic uint32_t *sleeps, WeirFmuSpin *spin,
                const struct timespec *limit)
{
  if (spin->left_out > 0)
    spin->left_out--;
  else if (spin->limit > 0)
    {
      for (uint32_t i = 0; i < spin->limit; i++)
        {
          if (atomic_load_explicit (word, memory_order_acquire) != old)
            {
              spin->next = 0;
              return false;
            }
          weir_fmu_pause ();
        }
      spin->next = spin->next < 64 ? 2 * spin->next + 1 : spin->next;
      spin->left_out = spin->next;
    }
  atomic_store (sleeps, 1);
  if (atomic_load (word) == old)
    syscall (SYS_futex, word, FUTEX_WAIT, old, limit, NULL, 0);
  atomic_store (sleeps, 0);
  return true;
}
