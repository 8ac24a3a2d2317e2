/* Running a study: its points in chunks, by threads, with the cache; results go to the store.
 *
 * What a point gives is a function of the study and the model alone: neither threads, nor which
 * points are run in one go, nor what the cache holds, nor where it was interrupted alters a bit. A
 * point that fails is a result. What has a result under its present key is not run again, so that
 * the same call goes on where one was interrupted, and a model or a study that was edited meanwhile
 * has run again only what the edit reaches.
 *
 * Thread: *owner*; the progress function is called from any, one call at a time.
 */
#pragma once

#include "study/cache.h"
#include "study/store.h"
#include "study/subject.h"

G_BEGIN_DECLS

typedef struct {
  guint64 n, n_ended;              /* points: asked for; of them done with */
  guint64 n_kept;                  /* had a result already */
  guint64 n_computed;              /* runs */
  guint64 n_cached;                /* hits: taken as they were */
  guint64 n_worked_out;            /* hits of which figures or signals were worked out anew */
  guint64 n_failed;                /* of those done now */
  guint64 n_verified, n_differing; /* hits that were computed again; of them with other bytes */
  gint64 first_differing;          /* a point; -1 = none */
  /* Points that the cache did not know, by the part in which the run of the same point that it did
   * know differs; the last: it knew none. */
  guint64 n_missed[WEIR_N_RUN_PARTS + 1];
  char changed[200];    /* which values of the model differ, as far as there is room */
  double seconds;       /* so far */
  double seconds_saved; /* that the hits took when they were computed */
} WeirStudyProgress;

/* How long the rest takes at most, in seconds, if it goes on as so far; NAN: it cannot be told. */
double weir_study_progress_get_left (const WeirStudyProgress *self);

typedef void (*WeirStudyProgressFunc) (const WeirStudyProgress *progress, gpointer data);

/* A point that is not the study's own (search.h). */
typedef struct {
  guint64 i;
  const double *values;
} WeirChosenPoint;

/* A run that was made: what a cache would be given of it. */
typedef void (*WeirStudyKeepFunc) (const WeirRunKey *key, const WeirCachedRun *run, gpointer data);

/* A point that has no result, is not in the cache, and could be run. */
typedef struct {
  guint64 i;
  guint8 key[WEIR_RUN_KEY_SIZE]; /* of its result */
} WeirMissingPoint;

typedef struct {
  guint threads;                  /* 0 = as many as there are processors */
  guint64 first, last;            /* points; or places in @chosen */
  const WeirChosenPoint *chosen;  /* NULL: the study's own */
  WeirRunCache *cache;            /* (nullable) */
  gboolean pins;                  /* runs of this study are not given up */
  double verified_share;          /* of the hits that is computed again and compared */
  guint64 chunk;                  /* points taken at a time; 0 = about half a second */
  gboolean is_separate;           /* runs are made one by one, as a reference */
  WeirStudyKeepFunc keep;         /* called with each run that is made, one at a time; or NULL */
  GArray *missing;                /* WeirMissingPoint: (nullable) no run is made; what would be made
                                     is appended, in no order */
  WeirPointFunc ended;            /* called with each point that is done with, one at a time, in no
                                     order; or NULL; what it returns is not looked at */
  const gint *cancel;             /* non-zero (atomically, from any thread) ends it; NULL = never */
  WeirStudyProgressFunc progress; /* about ten times a second, and at the end; or NULL */
  gpointer data;
} WeirStudyRunOptions;

/* All points of @study. */
void weir_study_run_options_init (WeirStudyRunOptions *options, const WeirStudy *study);

/* FALSE and @error: it was cancelled (G_IO_ERROR_CANCELLED), or results cannot be written; what was
 * written before is there. @progress: (out) how far it came. */
gboolean weir_study_run (const WeirStudy *study, const WeirStudySubject *subject,
                         WeirStudyStore *store, const WeirStudyRunOptions *options,
                         WeirStudyProgress *progress, GError **error);

G_END_DECLS
