/* What changes a recording while a run goes on: ports added, rows taken back. Who looks on asks for
 * a port, the run takes it up. See recorder.h.
 */
#pragma once

#include "sim/recorder.h"

G_BEGIN_DECLS

/* A port that is added: prepared by one thread, taken up by the run's. */
typedef struct _WeirRecorderPort WeirRecorderPort;

/* The port that is recorded, or will be, under this very path; NULL if none. Thread: any. */
WeirRecorderPort *weir_recorder_find_port (WeirRecorder *self, const char *path);
/* Lists the port's signals; they have no rows yet. The recorder owns the result. Thread: any. */
WeirRecorderPort *weir_recorder_prepare_port (WeirRecorder *self, const char *path, GError **error);
guint weir_recorder_port_get_first_signal (const WeirRecorderPort *port);
/* Forgets the rows from @n_rows on. Only while no other thread appends or reads. */
void weir_recorder_truncate (WeirRecorder *self, gsize n_rows);
/* Records the port from the next row on. Once per port. Thread: owner. */
void weir_recorder_take_up_port (WeirRecorder *self, WeirRecorderPort *port);

G_END_DECLS
