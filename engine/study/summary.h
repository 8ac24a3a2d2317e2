/* What the points of a study say together: statistics of each figure, and what it depends on where
 * the points were laid out for that. Points without the figure are left out and counted.
 * Thread: *any*.
 */
#pragma once

#include "study/store.h"

G_BEGIN_DECLS

/* Between which ends a number lies, that another sample would have given, in 95 of 100 cases: by
 * the bootstrap (B. Efron, "Bootstrap methods", Ann. Statist. 7 (1979)), its percentiles. The same
 * study gives the same ends. NAN where points are no independent sample. */
typedef struct {
  double low, high;
} WeirInterval;

typedef struct {
  guint64 n, n_missing;                /* points with the figure, and without */
  double mean, deviation;              /* of the sample: n - 1 */
  double least, p5, median, p95, most; /* between values along straight lines */
  WeirInterval of_mean, of_deviation, of_p5, of_median, of_p95; /* RANDOM */
  double below_most, within; /* RANDOM: what part of all cases lies below @most, and from @least to
                                @most, in 95 of 100 such studies (weir_study_get_content()) */
} WeirFigureSummary;

/* What a figure owes to a parameter; by the method of the study. */
typedef struct {
  double first, total; /* INDICES: parts of the variance, by Saltelli's and Jansen's estimators */
  WeirInterval of_first, of_total;
  double mean, absolute_mean, deviation; /* MORRIS: of what half the range changes, by the step in
                                            parts of the range; LOCAL: mean is the derivative */
} WeirInfluence;

typedef struct {
  guint n_figures, n_parameters;
  guint64 n_points, n_failed;
  WeirFigureSummary *figures;
  WeirInfluence *influences; /* by figure, then parameter; NULL: the method gives none */
} WeirStudySummary;

/* Of points @first ... @last that have results. NULL and @error. (transfer full) */
WeirStudySummary *weir_study_summary_new (const WeirStudy *study, WeirStudyStore *store,
                                          guint64 first, guint64 last, GError **error);
void weir_study_summary_free (WeirStudySummary *self);

/* The part of a distribution, whichever it is, that lies below the largest of @n numbers drawn from
 * it, or between the least and the largest, with 95 % confidence: the p of p^n = 0.05, or of
 * n p^(n-1) - (n-1) p^n = 0.05 (S. S. Wilks, Ann. Math. Statist. 12 (1941)). */
double weir_study_get_content (guint64 n, gboolean from_least);

/* Between the numbers beside it along straight lines. @sorted: @n > 0 of them. */
double weir_study_get_quantile (const double *sorted, guint64 n, double part);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudySummary, weir_study_summary_free)

G_END_DECLS
