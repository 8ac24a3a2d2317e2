/* The results of a study: one SQLite file, in which a point is a row.
 *
 *   study (name TEXT PRIMARY KEY, value TEXT)       format, columns, the study's text
 *   points (i INTEGER PRIMARY KEY, status INTEGER, reason TEXT, key BLOB, processor INTEGER,
 *           "values" BLOB, figures BLOB, signals BLOB)
 *   processors (id INTEGER PRIMARY KEY, name TEXT)  of what class those were that computed points
 *
 * A reason is as weir_message_store() has it: in English up to a separator, if there is one. Values
 * and figures are doubles, little-endian, in the order of "columns"; signals are rows as
 * weir_run_rows_to_bytes() has them. What is written between begin and commit is there whole or not
 * at all, whatever kills the process (a write-ahead log). A row holds while its key is that of its
 * point. One writer at a time. Thread: *owner*.
 */
#pragma once

#include "base/message.h"
#include "study/study.h"

G_BEGIN_DECLS

typedef struct _WeirStudyStore WeirStudyStore;

typedef enum {
  WEIR_POINT_DONE,
  WEIR_POINT_FAILED,
  WEIR_POINT_ENDED, /* the model ended the run before the stop time */
} WeirPointStatus;

typedef struct {
  guint64 i;
  WeirPointStatus status;
  const WeirMessage *reason; /* of a failed point; or NULL */
  const guint8 *key;         /* WEIR_RUN_KEY_SIZE bytes */
  const double *values;      /* one a parameter */
  const double *figures;     /* one each; of a failed point NAN */
  GBytes *signals;           /* or NULL */
} WeirPointResult;

/* Opens the file of results at @path, or makes it; "": one without a name, which goes with it. One
 * whose columns are others is emptied, and
 * @note (out) (nullable) says so. NULL and @error: a sentence. (transfer full) */
WeirStudyStore *weir_study_store_new (const char *path, const WeirStudy *study, char **note,
                                      GError **error);
/* Opens one that is there and has the columns of @study, to look into it. (transfer full) */
WeirStudyStore *weir_study_store_open (const char *path, const WeirStudy *study, GError **error);
void weir_study_store_free (WeirStudyStore *self);

/* FALSE and @error: what was written since the last commit is gone, all before is there. */
gboolean weir_study_store_begin (WeirStudyStore *self, GError **error);
gboolean weir_study_store_put (WeirStudyStore *self, const WeirPointResult *result, GError **error);
gboolean weir_study_store_commit (WeirStudyStore *self, GError **error);

/* Between these, looking costs less: the file is locked once. */
void weir_study_store_begin_looking (WeirStudyStore *self);
void weir_study_store_end_looking (WeirStudyStore *self);
/* Is there a result of point @i under this key, with these values? Other values may have the same
 * key, where nothing that is kept depends on them. */
gboolean weir_study_store_has (WeirStudyStore *self, guint64 i, const guint8 *key,
                               const double *values);
/* Forgets points @first ... @last. */
gboolean weir_study_store_drop (WeirStudyStore *self, guint64 first, guint64 last, GError **error);

/* --- Attempts ---------------------------------------------------------------------------------
 *
 * Where others compute, what they are at is noted beforehand: a point that ended whoever computed
 * it is found so. A note holds while its key is that of its point. */

/* FALSE and @error; else it is in the file. */
gboolean weir_study_store_note_attempts (WeirStudyStore *self, guint n, const guint64 *points,
                                         const guint8 *const *keys, GError **error);
guint weir_study_store_get_n_attempts (WeirStudyStore *self, guint64 i, const guint8 *key);
/* Between begin and commit: the point has a result. */
gboolean weir_study_store_end_attempt (WeirStudyStore *self, guint64 i, GError **error);
/* Of all points, and the failures with @reason too. */
gboolean weir_study_store_forget_attempts (WeirStudyStore *self, const WeirMessage *reason,
                                           GError **error);
/* Results that are put from here on are of a processor of this class. */
void weir_study_store_set_processor (WeirStudyStore *self, const char *name);

/* Points @first ... @last that there are, in order. FALSE from @func ends it. What it is shown is
 * borrowed until it returns. */
typedef gboolean (*WeirPointFunc) (const WeirPointResult *result, gpointer data);
gboolean weir_study_store_foreach (WeirStudyStore *self, guint64 first, guint64 last,
                                   gboolean with_signals, WeirPointFunc func, gpointer data,
                                   GError **error);
/* How many classes of processors have computed points. */
guint weir_study_store_get_n_processors (WeirStudyStore *self);

/* Takes over the points of the file of results @path. @n_taken: how many; @n_other: those that both
 * have under one key with other bytes, which stay as they are here. */
gboolean weir_study_store_merge (WeirStudyStore *self, const char *path, guint64 *n_taken,
                                 guint64 *n_other, GError **error);

const WeirStudy *weir_study_store_get_study (const WeirStudyStore *self);
/* The same with what was kept over time, as an HDF5 file (store-hdf5.c); without reasons. @fd: of a
 * file that is empty, not of a pipe. */
gboolean weir_study_store_write_hdf5 (WeirStudyStore *self, guint64 first, guint64 last, int fd,
                                      GError **error);
/* A table: point, status, parameters, figures, reason. */
gboolean weir_study_store_write_csv (WeirStudyStore *self, guint64 first, guint64 last, int fd,
                                     GError **error);

/* What results are written as; the first is that of streams, whose names say nothing. Static. */
typedef struct {
  const char *title;           /* for people, translatable */
  const char *const *suffixes; /* "csv"; ends in NULL, the usual one first */
  gboolean (*write) (WeirStudyStore *self, guint64 first, guint64 last, int fd, GError **error);
} WeirStudyFormat;

#define WEIR_N_STUDY_FORMATS 2

extern const WeirStudyFormat weir_study_formats[WEIR_N_STUDY_FORMATS];

/* By the ending of @path; NULL if there is none such. */
const WeirStudyFormat *weir_study_format_find (const char *path);
/* Endings of all; ends in NULL. (transfer container) */
const char **weir_study_formats_list_suffixes (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudyStore, weir_study_store_free)

G_END_DECLS
