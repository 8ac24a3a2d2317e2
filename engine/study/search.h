/* Searching points: optimisation and fitting. See study.h for what a study says of them.
 *
 * Each start has n numbers of points of its own, start s those from s n on, and what it asks for is
 * a function of what it was given before: a search repeats itself to the bit, whatever the number
 * of threads. Every point is run as those of other studies are, through the store of results and
 * the cache of runs; so a search that was interrupted asks for the same points again, finds them
 * there, and goes on. Points that a search did not need have no results.
 *
 * Thread: *owner*.
 */
#pragma once

#include "base/message.h"
#include "study/run.h"

G_BEGIN_DECLS

/* What became of a start. */
typedef struct {
  guint64 n_points;    /* that it asked for */
  gint64 point;        /* the best of them; -1: none has a value */
  double *values;      /* its parameters */
  double value;        /* its objective, or sum of squares */
  double excess;       /* by how much it exceeds its constraints in all; 0: it keeps within them */
  const char *outcome; /* why it ended: "found", "spent", "no-value"; static */
} WeirSearchStart;

/* What a fit says of a parameter. */
typedef struct {
  double error;     /* standard error; NAN: it cannot be told */
  double low, high; /* of the confidence interval, 95 % */
} WeirFittedParameter;

typedef struct {
  guint n_starts, n_parameters;
  WeirSearchStart *starts;
  guint best; /* start; n_starts: none has a value */

  /* Of a fit that has a best start; else NULL. */
  guint n_residuals;
  double
      deviation; /* of residuals, with as many degrees of freedom as there are beyond parameters */
  WeirFittedParameter *fitted;
  double *correlations; /* n_parameters squared */
  double *residuals;    /* by sample of the measured data, in parts of their deviations */
  GPtrArray *warnings;  /* WeirMessage: what cannot be told, what lies on a bound */
} WeirStudySearch;

/* NULL and @error as weir_study_run(). @options: its points are not looked at. @progress: (out) of
 * all points so far; n is the most that may be. (transfer full) */
WeirStudySearch *weir_study_search (const WeirStudy *study, const WeirStudySubject *subject,
                                    WeirStudyStore *store, const WeirStudyRunOptions *options,
                                    WeirStudyProgress *progress, GError **error);
void weir_study_search_free (WeirStudySearch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudySearch, weir_study_search_free)

G_END_DECLS
