/* The cache of runs: what was recorded of a run, and what was kept of it, under the key of all that
 * it follows from (subject.h). One SQLite file in the user's cache folder, for all studies.
 *
 * A *hit* is a run with the same key, which needs no computing. If all that is kept has the same
 * key too, its figures are taken; else they are worked out anew from what was recorded.
 *
 * Beyond its size the cache gives up what is worth least: each run has a rank, the cost in seconds
 * per byte of computing it again above the rank of what was given up last when it was used
 * (GreedyDual-Size: Cao and Irani, 1997). Runs that are *pinned* are not given up. Damage is as
 * good as absence. Thread: *owner*.
 *
 * Each run keeps what its key was made of, so that a *miss* can be told: in which part the run of
 * the same point that was there before differs, or that there was none.
 */
#pragma once

#include "study/store.h"
#include "study/subject.h"

G_BEGIN_DECLS

typedef struct _WeirRunCache WeirRunCache;

/* @path: NULL = runs.db in the user's cache folder. @mebibytes: 0 = 1024. NULL and @error.
 * (transfer full) */
WeirRunCache *weir_run_cache_new (const char *path, double mebibytes, GError **error);
void weir_run_cache_free (WeirRunCache *self);

typedef struct {
  WeirPointStatus status;
  WeirMessage *reason; /* or NULL */
  double seconds;      /* that computing it took */
  gboolean is_sinking; /* its rank is lower than that of a run put now: tell that it was used */
  gboolean is_whole;   /* @figures are those of the whole key */
  double *figures;     /* @n_figures of them; set where is_whole */
  GBytes *rows;        /* what was recorded; NULL where it was not asked for, or failed */
} WeirCachedRun;

/* Between these, looking costs less: the file is locked once. */
void weir_run_cache_begin_looking (WeirRunCache *self);
void weir_run_cache_end_looking (WeirRunCache *self);
/* FALSE: there is none. @with_rows: in any case, else only where the whole key is another one. */
gboolean weir_run_cache_find (WeirRunCache *self, const WeirRunKey *key, guint n_figures,
                              gboolean with_rows, WeirCachedRun *run);
void weir_cached_run_clear (WeirCachedRun *run);

/* What the keys of runs that are put and missed from here on are made of
 * (weir_study_subject_get_parts()), and whether those are pinned that are put or found from here
 * on.
 */
void weir_run_cache_set_parts (WeirRunCache *self, const char *parts);
void weir_run_cache_set_pins (WeirRunCache *self, gboolean pins);
/* The part in which the run of this point that was known differs from the one looked for; N: none
 * was known, or it was given up. @values: (out) (nullable) (transfer none) which values do. */
WeirRunPart weir_run_cache_explain (WeirRunCache *self, const WeirRunKey *key, const char **values);

/* Between these, what is put and used becomes one change of the file. */
gboolean weir_run_cache_begin (WeirRunCache *self, GError **error);
gboolean weir_run_cache_put (WeirRunCache *self, const WeirRunKey *key, const WeirCachedRun *run,
                             guint n_figures, GError **error);
/* The run was of use. */
void weir_run_cache_use (WeirRunCache *self, const WeirRunKey *key);
void weir_run_cache_remove (WeirRunCache *self, const WeirRunKey *key);
/* Gives up what is too much, then commits. */
gboolean weir_run_cache_commit (WeirRunCache *self, GError **error);

/* All that are pinned can be given up again. FALSE and @error. */
gboolean weir_run_cache_unpin (WeirRunCache *self, GError **error);
guint64 weir_run_cache_get_n_pinned (WeirRunCache *self);
/* Bytes of the runs that it holds. */
guint64 weir_run_cache_get_size (const WeirRunCache *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirRunCache, weir_run_cache_free)

G_END_DECLS
