/* A study: an analysis of the model in a thread of its own, with the run settings of the document:
 * an audit, the search for culprits, the proof of corrections. One of each kind goes on at a time.
 *
 * Thread: *main*, but for what the thread is given.
 */
#pragma once

#include "gui/editor-private.h"

G_BEGIN_DECLS

/* The thread's data: g_task_get_task_data(). */
typedef struct {
  WeirStudyKind kind;
  WeirModel *model;   /* that is studied */
  WeirSystem *system; /* of it */
  WeirSimulatorOptions options;
  double stop_time; /* s */
  gint cancel;      /* atomic */
} WeirStudy;

/* Starts what @on asks for, or stops what goes on; FALSE where nothing was started. @system: NULL =
 * that of the document as it is, and if it has none, that is told. @finished is called with the
 * editor, which may be gone from the screen by then; it begins with weir_editor_end_study(). */
gboolean weir_editor_study (WeirEditor *self, WeirStudyKind kind, gboolean on, WeirSystem *system,
                            GTaskThreadFunc run, GAsyncReadyCallback finished);
void weir_editor_stop_studies (WeirEditor *self);
/* What @result gives, or NULL after a failure has been told; stopping is none. (transfer full) */
gpointer weir_editor_end_study (WeirEditor *self, GAsyncResult *result);
/* Is the model in the editor still what was studied, but for layout and metadata? */
gboolean weir_editor_is_studied (WeirEditor *self, GAsyncResult *result);

G_END_DECLS
