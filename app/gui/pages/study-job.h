/* A study of the model that is being edited, made in a thread: what it varies and keeps as the text
 * of a study (study/study.h), and what came of it.
 *
 * Thread: *main*, but for the run itself; what came of it may be read from any while somebody holds
 * a reference. Points are there as they come, for who looks (weir_study_job_look()); what they say
 * together once it has ended.
 */
#pragma once

#include <gio/gio.h>

#include "study/search.h"
#include "study/views.h"

G_BEGIN_DECLS

typedef struct _WeirStudyJob WeirStudyJob;

/* @text: of a study. @name: of the file that it would be: what it names is beside that. @model: in
 * place of the study's. */
WeirStudyJob *weir_study_job_new (const char *text, const char *name, WeirModel *model);
/* Where results stay, as those of the command line do; else they are this job's alone, in a file
 * without a name. */
void weir_study_job_set_results (WeirStudyJob *self, const char *path);
/* As it is made, runs that are known are taken. @verified: of those the part that is made again and
 * compared, 0 to 1. */
void weir_study_job_set_caching (WeirStudyJob *self, gboolean uses_cache, double verified);
WeirStudyJob *weir_study_job_ref (WeirStudyJob *self);
void weir_study_job_unref (WeirStudyJob *self);

/* @callback: with weir_study_job_finish(); the task's data is a reference of the job. */
void weir_study_job_run (WeirStudyJob *self, gpointer source, GAsyncReadyCallback callback);
/* FALSE and @error: a sentence. */
gboolean weir_study_job_finish (GAsyncResult *result, GError **error);
void weir_study_job_cancel (WeirStudyJob *self);
/* How far it is. Thread: *any*. */
void weir_study_job_get_progress (WeirStudyJob *self, WeirStudyProgress *progress);

/* --- What came of it -------------------------------------------------------------------------- */

/* From here on there are so many rows as points have ended by now, of a million at most: those
 * that there were stay, others follow them. Study and subject are there once there is one. */
guint weir_study_job_look (WeirStudyJob *self);
/* Rows are in the order of their numbers, and no others follow. */
gboolean weir_study_job_has_ended (const WeirStudyJob *self);

const WeirStudy *weir_study_job_get_study (const WeirStudyJob *self);
const WeirStudySubject *weir_study_job_get_subject (const WeirStudyJob *self);

typedef struct {
  guint64 i;
  WeirPointStatus status;
  char *reason; /* or NULL; in the language of the window */
  const double *values, *figures;
  GBytes
      *signals; /* where the study keeps some: as weir_run_rows_from_bytes() reads them; or NULL */
} WeirStudyRow;

guint weir_study_job_get_n_rows (const WeirStudyJob *self);
const WeirStudyRow *weir_study_job_get_row (const WeirStudyJob *self, guint row);
/* What number the row had as it came. */
guint weir_study_job_get_place (const WeirStudyJob *self, guint row);
/* NULL: there is none, or not yet. */
const WeirStudySummary *weir_study_job_get_summary (const WeirStudyJob *self);
const WeirStudySearch *weir_study_job_get_search (const WeirStudyJob *self);
/* The study's signal @signal of a row, the job's. FALSE: it was not kept, or is too far down. */
gboolean weir_study_job_get_curve (const WeirStudyJob *self, guint row, guint signal,
                                   WeirStudyCurve *curve);
/* The row that a search found; -1: it is none, or found none. */
gint64 weir_study_job_get_best (const WeirStudyJob *self);

/* --- Written down ----------------------------------------------------------------------------- */

/* Writes all points that there are to @path, in a thread; once it has ended. One such at a time.
 * @callback: with weir_study_job_export_finish(). */
void weir_study_job_export (WeirStudyJob *self, const WeirStudyFormat *format, const char *path,
                            gpointer source, GAsyncReadyCallback callback, gpointer data);
/* FALSE and @error: a sentence. */
gboolean weir_study_job_export_finish (GAsyncResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudyJob, weir_study_job_unref)

G_END_DECLS
