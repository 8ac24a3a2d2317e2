/* An instance of an FMU: one interface over FMI 2.0 and 3.0, model exchange and co-simulation, in a
 * worker process or in this one.
 *
 * What the FMU is told and gives is the same, to the bit, wherever it runs. In a worker, whatever
 * it does (crash, exit, loop, eat memory, print without end) ends as an error that names the call,
 * the time and the values it was given; each function makes one trip. In this process nothing of
 * that is contained.
 *
 * The instance remembers the time, states and inputs that the FMU holds: an evaluation sets only
 * what differs in its bytes. The `epoch` counts whatever else may change what an evaluation gives:
 * two evaluations of one epoch and the same time, states and inputs give the same. Time is set
 * again before each group of gets, since FMUs of wide-spread tools give stale values otherwise.
 *
 * It runs the binary that it is given: whether that is to be trusted is for the caller to ask.
 *
 * Thread: *owner*, one at a time; what concerns a WeirFmuState's references: *any*.
 */
#pragma once

#include <gio/gio.h>

#include "fmi/kinds.h"

G_BEGIN_DECLS

/* Values of variables of one type. In memory they are what the type's name says; a BOOLEAN or a
 * CLOCK is a guint8 of 0 or 1, an ENUMERATION a gint64; a STRING is a char * (got: transfer full),
 * a BINARY a GBytes * (got: transfer full). 2.0 has FLOAT64, INT32, BOOLEAN, STRING and
 * ENUMERATION. */
typedef struct {
  WeirFmuType type;
  const guint32 *refs;
  guint n_refs;
  gpointer values;
  guint n_values; /* more than n_refs where there are arrays */
} WeirFmuValues;

enum { WEIR_FMU_N_TEXT_TYPES = 2 }; /* strings, binaries */

/* A structural parameter (3.0), a scalar, and its value as it stands in memory. */
typedef struct {
  WeirFmuType type;
  guint32 reference;
  guint64 value;
} WeirFmuStructural;

/* What an instance needs to know. All of it is copied. */
typedef struct {
  const char *folder;             /* where the FMU has been unpacked */
  const char *name;               /* for messages: of the block and the file, "Ball (ball.fmu)" */
  const char *identifier, *token; /* modelIdentifier; guid or instantiationToken */
  guint version;                  /* 2 or 3 */
  WeirFmuMode mode;               /* not scheduled execution */
  guint n_states, n_indicators;
  const char *const *state_names; /* for messages: n_states; nullable */
  const guint32 *inputs;          /* continuous inputs of an evaluation: FLOAT64 */
  guint n_inputs, n_input_values; /* arrays have several values */
  const char *const *input_names; /* for messages: n_inputs; nullable */
  gboolean can_save, can_serialize, can_differentiate;
  gboolean needs_completed_step;                  /* else the call is left out */
  gboolean event_mode_used, early_return_allowed; /* co-simulation of 3.0 */
  WeirFmuValues texts[WEIR_FMU_N_TEXT_TYPES]; /* scalars, given to it before it is initialised */
  guint n_texts;
  const WeirFmuStructural *structure; /* given to it first of all; n_states are with them */
  guint n_structure;
} WeirFmuBinary;

/* Makes @self own all that it names; the folder (nullable until there is one) becomes absolute. */
void weir_fmu_binary_copy (WeirFmuBinary *self, const WeirFmuBinary *other);
/* Of one that owns what it names. */
void weir_fmu_binary_clear (WeirFmuBinary *self);

typedef enum { WEIR_FMU_IN_WORKER, WEIR_FMU_IN_PROCESS } WeirFmuPlace;

typedef struct {
  WeirFmuPlace place;
  double limit;         /* of the worker, seconds for one call; 0: none */
  guint64 memory_limit; /* of the worker, bytes; 0: none */
  gboolean logging;     /* the FMU is asked to say what it does */
} WeirFmuOptions;

/* A worker, a minute, 4 GiB. */
extern const WeirFmuOptions weir_fmu_default_options;

typedef struct _WeirFmuInstance WeirFmuInstance;

typedef enum {
  WEIR_FMU_FAILED, /* with an error; the instance can only be freed, or reset if not lost */
  WEIR_FMU_DONE,
  WEIR_FMU_DISCARDED, /* the FMU asks for other values, or a smaller step */
} WeirFmuOutcome;

/* Loads and instantiates. NULL and @error: WEIR_ERROR_FILE if there is no library that can be
 * loaded, WEIR_ERROR_FAILED. (transfer full) */
WeirFmuInstance *weir_fmu_instance_new (const WeirFmuBinary *binary, const WeirFmuOptions *options,
                                        GError **error);
void weir_fmu_instance_free (WeirFmuInstance *self);

/* @cancel: (nullable) while it is non-zero (atomically, from any thread) a call in a worker that
 * does not end soon is ended, which fails with G_IO_ERROR_CANCELLED. */
void weir_fmu_instance_watch (WeirFmuInstance *self, const gint *cancel);

/* Whether the FMU is gone, or has said that nothing may be called any more. */
gboolean weir_fmu_instance_is_lost (const WeirFmuInstance *self);
guint64 weir_fmu_instance_get_epoch (const WeirFmuInstance *self);
/* The worker's process; 0: there is none. */
int weir_fmu_instance_get_process (const WeirFmuInstance *self);
/* The last lines that it said, at most @n; NULL: none. (transfer full) */
char **weir_fmu_instance_dup_log (WeirFmuInstance *self, guint n);

/* --- Modes ----------------------------------------------------------------------------------- */

/* FALSE and @error: as all functions here that return a gboolean. */

/* @stop: or INFINITY; @tolerance: relative, or 0. */
gboolean weir_fmu_instance_enter_initialization (WeirFmuInstance *self, double start, double stop,
                                                 double tolerance, GError **error);
/* Model exchange is in event mode afterwards; so is a stepped one that uses it. */
gboolean weir_fmu_instance_exit_initialization (WeirFmuInstance *self, GError **error);

typedef struct {
  gboolean is_update_needed; /* once more */
  gboolean terminates, have_nominals_changed, have_states_changed;
  double next_time; /* of the next event; INFINITY: none known */
} WeirFmuUpdate;

gboolean weir_fmu_instance_enter_event_mode (WeirFmuInstance *self, GError **error);
gboolean weir_fmu_instance_update_discrete (WeirFmuInstance *self, WeirFmuUpdate *update,
                                            GError **error);
/* 3.0: what clocked equations give, without a step of the states. */
gboolean weir_fmu_instance_evaluate_discrete (WeirFmuInstance *self, GError **error);
gboolean weir_fmu_instance_enter_continuous_mode (WeirFmuInstance *self, GError **error);
/* At @time and @x, which are set if they differ. @no_return: no earlier state will be set. */
gboolean weir_fmu_instance_complete_step (WeirFmuInstance *self, double time, const double *x,
                                          gboolean no_return, gboolean *event_needed,
                                          gboolean *terminates, GError **error);
/* 3.0, co-simulation: from event mode. */
gboolean weir_fmu_instance_enter_step_mode (WeirFmuInstance *self, GError **error);
/* 3.0: structural parameters are set in between. */
gboolean weir_fmu_instance_enter_configuration (WeirFmuInstance *self, GError **error);
gboolean weir_fmu_instance_exit_configuration (WeirFmuInstance *self, GError **error);
gboolean weir_fmu_instance_terminate (WeirFmuInstance *self, GError **error);
gboolean weir_fmu_instance_reset (WeirFmuInstance *self, GError **error);

/* --- Values ---------------------------------------------------------------------------------- */

/* Ask for at most 16 groups at once, here and below. Strings and binaries that have been got are
 * NULL where the outcome is not WEIR_FMU_DONE. */
WeirFmuOutcome weir_fmu_instance_set (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                                      GError **error);
WeirFmuOutcome weir_fmu_instance_get (WeirFmuInstance *self, const WeirFmuValues *groups, guint n,
                                      GError **error);

typedef struct {
  double time;
  const double *x;              /* n_states; NULL: as they are */
  const double *u;              /* n_input_values; NULL: as they are */
  double *xdot, *z;             /* nullable: not asked for */
  const WeirFmuValues *outputs; /* what else is asked for */
  guint n_outputs;
} WeirFmuEvaluation;

/* Model exchange, in continuous-time mode. In other modes time and states stay what the FMU has,
 * and xdot and z cannot be asked for. */
WeirFmuOutcome weir_fmu_instance_evaluate (WeirFmuInstance *self,
                                           const WeirFmuEvaluation *evaluation, GError **error);

/* Of model exchange: what the FMU has. */
gboolean weir_fmu_instance_get_states (WeirFmuInstance *self, double *x, GError **error);
gboolean weir_fmu_instance_get_nominals (WeirFmuInstance *self, double *nominals, GError **error);
/* 3.0: once structural parameters have been set. */
gboolean weir_fmu_instance_count (WeirFmuInstance *self, guint *n_states, guint *n_indicators,
                                  GError **error);

/* sensitivity = (d unknowns / d knowns) seed, of FLOAT64 scalars (2.0 calls the knowns' v). */
WeirFmuOutcome weir_fmu_instance_differentiate (WeirFmuInstance *self, const guint32 *unknowns,
                                                guint n_unknowns, const guint32 *knowns,
                                                guint n_knowns, const double *seed, guint n_seed,
                                                double *sensitivity, guint n_sensitivity,
                                                GError **error);

/* Clocks of 3.0. @qualifiers: WeirFmi3IntervalQualifier. */
gboolean weir_fmu_instance_get_intervals (WeirFmuInstance *self, const guint32 *clocks, guint n,
                                          double *intervals, guint32 *qualifiers, GError **error);
gboolean weir_fmu_instance_set_intervals (WeirFmuInstance *self, const guint32 *clocks, guint n,
                                          const double *intervals, GError **error);
gboolean weir_fmu_instance_get_shifts (WeirFmuInstance *self, const guint32 *clocks, guint n,
                                       double *shifts, GError **error);

/* --- Steps of co-simulation ------------------------------------------------------------------ */

typedef struct {
  double time, step;
  gboolean no_return;       /* no state from before this point will be set */
  const WeirFmuValues *set; /* before */
  guint n_set;
  const WeirFmuValues *got; /* after, unless the step is discarded */
  guint n_got;
} WeirFmuStep;

typedef struct {
  double last_time; /* the time reached */
  gboolean event_needed, terminates, returned_early;
} WeirFmuStepEnd;

WeirFmuOutcome weir_fmu_instance_do_step (WeirFmuInstance *self, const WeirFmuStep *step,
                                          WeirFmuStepEnd *end, GError **error);

/* --- States of the whole FMU ----------------------------------------------------------------- */

/* Kept by the FMU, valid for this instance alone. Reference-counted; what is let go is freed with
 * the instance's next call; it may outlive the instance, and is then nothing. */
typedef struct _WeirFmuState WeirFmuState;

/* NULL and @error. (transfer full) */
WeirFmuState *weir_fmu_instance_save (WeirFmuInstance *self, GError **error);
/* The mode it was in is the mode it is in. */
gboolean weir_fmu_instance_restore (WeirFmuInstance *self, const WeirFmuState *state,
                                    GError **error);
/* As bytes, which another instance of the same FMU takes, in another process too. NULL and @error.
 * (transfer full) */
GBytes *weir_fmu_instance_serialize (WeirFmuInstance *self, const WeirFmuState *state,
                                     GError **error);
WeirFmuState *weir_fmu_instance_deserialize (WeirFmuInstance *self, GBytes *bytes, GError **error);

WeirFmuState *weir_fmu_state_ref (WeirFmuState *self);
void weir_fmu_state_unref (WeirFmuState *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuInstance, weir_fmu_instance_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirFmuState, weir_fmu_state_unref)

G_END_DECLS
