/* Many runs of one system that differ in their values: parameters, starts, fixed inputs.
 *
 * Each member is a context of the same layout that is run from its own time to one stop time with
 * the same options. What a member gives (its rows, its final context, its statistics, why it
 * failed) is what a WeirSimulator gives for that context alone, bit for bit: whichever members run
 * beside it, in whichever order, on however many threads.
 *
 * With explicit Runge-Kutta methods and auto, members of models whose only events are jumps at
 * times that leaves know beforehand (sources) are advanced together in lanes (sim/lanes.h), each
 * with its own steps; all others one after another on the program's threads.
 * weir_ensemble_get_reason() tells which, and why. A member that auto would go on with by an
 * implicit method is run anew by itself.
 *
 * Memory is bounded by how many members are under way, never by how many there are: they are made
 * when their turn comes and handed over when they have ended.
 *
 * Thread: *owner*, but for what says otherwise.
 */
#pragma once

#include <gio/gio.h>

#include "sim/simulator.h"

G_BEGIN_DECLS

typedef struct _WeirEnsemble WeirEnsemble;

/* How the members are run; weir_ensemble_options_init() sets the defaults. */
typedef struct {
  WeirSimulatorOptions run; /* of each member. A record interval gives all members the same rows;
                               with a record gap they run one after another */
  double stop_time;         /* s */
  guint threads;            /* 0 = as many as the machine has processors. Alters no bit */
  gboolean is_separate;     /* one member after another on each thread, as a reference */
  gboolean has_common_step; /* members that are advanced together take the shortest step that any of
                               them has to take: somewhat faster, but what a member gives then
                               depends on which others there are. Never for results that are kept
                               or compared */
  double memory;            /* MiB, of the rows of one member; beyond, it fails. 0 = 64 */
  const gint *cancel;       /* non-zero (atomically, from any thread) stops the run; NULL = never */
} WeirEnsembleOptions;

void weir_ensemble_options_init (WeirEnsembleOptions *options);

/* What has become of a member. All of it is borrowed until the callback returns. */
typedef struct {
  gsize member;
  const GError *error;    /* why it could not be run to its end; NULL: it was */
  gboolean is_terminated; /* a handler of the model ended it before the stop time */
  WeirContext *context;   /* as it ended: time, state, and whatever value is asked for */
  const WeirSimulatorStatistics *statistics;
  gsize n_rows; /* those that a recorder has, without x-plus rows; of a failed member, so far. 0
                   where nothing is recorded */
  const double *times;         /* s */
  const double *const *values; /* by signal, then row */
} WeirEnsembleResult;

/* Gives @context, a copy of that of the start, the values of a member: parameters, state, inputs,
 * time. FALSE and @error: the member fails with that. Called once for each member. Thread: *any*,
 * several at once. */
typedef gboolean (*WeirEnsemblePrepareFunc) (gsize member, WeirContext *context, gpointer data,
                                             GError **error);
/* A member has ended; one call at a time, in no particular order. Thread: *any*. */
typedef void (*WeirEnsembleEndFunc) (const WeirEnsembleResult *result, gpointer data);

/* @start: what members begin with where nothing else is said; copied. @ports: paths of what is
 * recorded, as for a recorder; ends in NULL, and an empty list gives times alone; NULL = nothing.
 * NULL and @error for options that make no sense, or a port that does not exist. */
WeirEnsemble *weir_ensemble_new (WeirSystem *root, const WeirContext *start,
                                 const WeirEnsembleOptions *options, const char *const *ports,
                                 GError **error);
void weir_ensemble_free (WeirEnsemble *self);

/* Why members run one after another; NULL: they are advanced together. (transfer none) */
const char *weir_ensemble_get_reason (const WeirEnsemble *self);

/* Runs members 0 .. @n - 1, each to its end. FALSE and @error (G_IO_ERROR_CANCELLED): it was
 * stopped, and members that had not ended were dropped without a call of @end. Failed members are
 * no failure of the whole. May be called again. */
gboolean weir_ensemble_run (WeirEnsemble *self, gsize n, WeirEnsemblePrepareFunc prepare,
                            WeirEnsembleEndFunc end, gpointer data, GError **error);
/* How many members of the present run have ended. Thread: *any*. */
gsize weir_ensemble_get_n_ended (const WeirEnsemble *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEnsemble, weir_ensemble_free)

G_END_DECLS
