/* What the parts of an instance share: its trips, and what is said of those that fail. */
#pragma once

#include "fmi/instance.h"
#include "fmi/library.h"
#include "fmi/process.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_FMU_CREATED,
  WEIR_FMU_INITIALIZING,
  WEIR_FMU_AT_EVENT,
  WEIR_FMU_IN_TIME, /* continuous */
  WEIR_FMU_STEPPING,
  WEIR_FMU_CONFIGURING,
  WEIR_FMU_TERMINATED,
} WeirFmuPhase;

typedef struct _WeirFmuGraves WeirFmuGraves;

struct _WeirFmuInstance {
  WeirFmuBinary binary; /* its strings and lists are owned */
  WeirFmuOptions options;
  WeirFmuLog *log;
  WeirFmuProcess *process; /* NULL: the library is loaded here */
  WeirFmuLibrary library;
  WeirFmuRegion *region; /* the process's, or owned */

  WeirFmuPhase phase, phase_before; /* before configuration */
  guint64 epoch;
  gboolean is_instantiated;
  GError *lost; /* why nothing can be called any more */

  /* What the FMU was told last; what it is known to hold. */
  double time;
  double *x, *u;
  gboolean knows_states, knows_inputs;
  const WeirFmuValues *set; /* borrowed, during a trip: for messages */
  guint n_set;

  /* The trip that is being made. */
  guint n_calls;
  guint64 used;
  gboolean is_full;

  WeirFmuGraves *graves; /* of states */
};

/* A list of calls is begun, and performed. Calls are zeroed; distances are 0 where there is no room
 * left, which the performance tells of. */
void weir_fmu_trip_begin (WeirFmuInstance *self);
WeirFmuCall *weir_fmu_trip_add (WeirFmuInstance *self, WeirFmuCallKind kind);
guint64 weir_fmu_trip_take (WeirFmuInstance *self, gsize size);
guint64 weir_fmu_trip_put (WeirFmuInstance *self, gconstpointer bytes, gsize size);
WeirFmuOutcome weir_fmu_trip_go (WeirFmuInstance *self, GError **error);
/* Where what was put or taken lies. */
static inline gpointer
weir_fmu_trip_at (WeirFmuInstance *self, guint64 distance)
{
  return (char *) self->region + distance;
}
/* @size bytes at a distance that came from the worker; NULL: they are not in the region. */
gconstpointer weir_fmu_trip_check (WeirFmuInstance *self, guint64 distance, guint64 size);
/* A call without arguments, alone; a discarded one is an error too. */
gboolean weir_fmu_trip_call (WeirFmuInstance *self, WeirFmuCallKind kind, GError **error);
/* A discarded call as an error. */
gboolean weir_fmu_trip_is_done (WeirFmuInstance *self, WeirFmuOutcome outcome, GError **error);

#define WEIR_FMU_MAX_GROUPS 16

/* Strings and binaries, which are owned one by one. */
static inline gboolean
weir_fmu_type_is_chunked (WeirFmuType type)
{
  return type == WEIR_FMU_STRING || type == WEIR_FMU_BINARY;
}

void weir_fmu_values_clear_chunked (const WeirFmuValues *groups, guint n);
void weir_fmu_trip_add_sets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n);
/* @places: where the values will be, one for each group. */
void weir_fmu_trip_add_gets (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                             guint64 *places);
/* The time that was told last, again; if at all. */
void weir_fmu_trip_add_time (WeirFmuInstance *self, gboolean in_time);
/* A call that gives @n numbers. Where they will be. */
guint64 weir_fmu_trip_add_numbers (WeirFmuInstance *self, WeirFmuCallKind kind, guint n);
/* After the trip: what was got, to where the caller wants it. */
WeirFmuOutcome weir_fmu_trip_fetch (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                                    const guint64 *places, GError **error);

/* The FMU's values may be others from here on. */
void weir_fmu_instance_note_change (WeirFmuInstance *self);

/* What a call's status means. @why: of a library that was not loaded. */
WeirFmuOutcome weir_fmu_instance_fail (WeirFmuInstance *self, WeirFmuCallKind kind,
                                       WeirFmuType type, guint32 status, const char *why,
                                       GError **error);
/* A worker that did not answer. */
WeirFmuOutcome weir_fmu_instance_lose (WeirFmuInstance *self, WeirFmuAnswer answer, GError **error);

WeirFmuGraves *weir_fmu_graves_new (void);
/* There is a state of that handle; it is let go. */
void weir_fmu_graves_add (WeirFmuGraves *graves, gpointer handle);
void weir_fmu_graves_bury (WeirFmuGraves *graves, gpointer handle);
/* Nothing is buried any more; @self: all states are freed, those that live too. */
void weir_fmu_graves_close (WeirFmuGraves *graves, WeirFmuInstance *self);

G_END_DECLS
