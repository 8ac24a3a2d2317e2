/* The recorded signals of a run: append-only columns of time and values.
 *
 * The run's thread appends a row at initialisation, at publish instants (x-minus), after accepted
 * steps and at the end; with `both`, also at x-plus. Each recorded signal has its own time column
 * only through a shared row index: all signals recorded from the start have a value in every row;
 * one added later starts at its first row. Chunks never move: a reader may keep reading published
 * rows while the run appends. Where a run goes back, the rows from there on are taken away: the
 * number of rows falls.
 *
 * Thread: appending *owner*; reading *any*, up to the published length.
 */
#pragma once

#include <gio/gio.h>

#include "base/visibility.h"
#include "sim/simulator.h"

WEIR_BEGIN_DECLS

typedef struct _WeirRecorder WeirRecorder;

/* @ports: NULL-terminated port paths ("plant.theta"): outputs, or inputs of a block. NULL and
 * @error names the first that does not exist. */
WeirRecorder *weir_recorder_new (WeirSystem *root, const char *const *ports, gboolean both,
                                 GError **error);
WeirRecorder *weir_recorder_ref (WeirRecorder *self);
void weir_recorder_unref (WeirRecorder *self);

/* Beyond so many @mebibytes of memory, or a quarter of what is free (0, the default), rows go to a
 * file in the user's cache folder, or, with @thins and where there can be no file, later rows are
 * kept more and more rarely. Before the first row. */
void weir_recorder_set_budget (WeirRecorder *self, double mebibytes, gboolean thins);

/* What there is to say of how a run is recorded. */
typedef enum {
  WEIR_ROOM_ENOUGH,
  WEIR_ROOM_NOTHING_RECORDED, /* there is no signal to record */
  WEIR_ROOM_IN_FILE,
  WEIR_ROOM_THINNED,
} WeirRoom;

WeirRoom weir_recorder_get_room (WeirRecorder *self); /* thread any */
/* The same as a sentence; NULL if there is enough. Thread: any. (transfer full) */
char *weir_recorder_dup_notice (WeirRecorder *self);

/* Appends a row from the context if @phase is one that is recorded. Thread: owner. */
WeirStatus weir_recorder_record (WeirRecorder *self, WeirContext *context, WeirPhase phase);
/* When a run has ended: what it ended with is kept, however rarely rows are. Thread: owner. */
void weir_recorder_end (WeirRecorder *self, WeirContext *context);
/* A monitor that appends a row wherever weir_simulator_is_sample(). @recorder: a WeirRecorder. */
WeirStatus weir_recorder_monitor (WeirSimulator *simulator, WeirPhase phase, gpointer recorder);

guint
weir_recorder_get_n_signals (WeirRecorder *self); /* a vector port gives one signal an element */
const char *weir_recorder_get_signal_name (WeirRecorder *self,
                                           guint signal); /* "plant.theta", "mux.y[2]" */
/* Which signal is called @name; FALSE: none is, and @signal is their number. Thread any. */
gboolean weir_recorder_find_signal (WeirRecorder *self, const char *name, guint *signal);
gsize weir_recorder_get_n_rows (WeirRecorder *self); /* published; thread any */
/* The first row that has a value of the signal. Thread any. */
gsize weir_recorder_get_first_row (WeirRecorder *self, guint signal);
/* Of a published row: its time (s), and the value of a signal. Thread any. */
double weir_recorder_get_time (WeirRecorder *self, gsize row);
double weir_recorder_get_value (WeirRecorder *self, guint signal, gsize row);
/* Rows [first, first + n) that lie in one chunk, for fast reading: n is set to how many. */
const double *weir_recorder_get_times (WeirRecorder *self, gsize first, gsize *n);
const double *weir_recorder_get_values (WeirRecorder *self, guint signal, gsize first, gsize *n);
gboolean weir_recorder_is_plus (WeirRecorder *self, gsize row); /* an x-plus row */
gboolean weir_recorder_has_both (WeirRecorder *self); /* are there such rows beside the others? */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRecorder, weir_recorder_unref)

WEIR_END_DECLS
