/* What charts of a study show: percentiles of its signals over time, how much a figure owes to each
 * parameter, a figure over two parameters with lines of equal value, and which points no other is
 * better than in two figures at once. Numbers that are not finite count as absent. Thread: *any*.
 */
#pragma once

#include "study/summary.h"

G_BEGIN_DECLS

/* --- Over time ------------------------------------------------------------------------------- */

/* A signal of one run; its times do not fall. */
typedef struct {
  gsize n;
  const double *times, *values;
} WeirStudyCurve;

#define WEIR_N_BANDS 5 /* 5, 25, 50, 75 and 95 of a hundred */

/* At @n times, evenly from the first to the last of all curves. */
typedef struct {
  guint n;
  double *times;
  double *levels[WEIR_N_BANDS]; /* NAN where there is no curve */
  guint *counts;                /* of curves there: those of runs that ended early are no more */
} WeirStudyBands;

/* @is_held: values stay until the next; else they go along straight lines. (transfer full) */
WeirStudyBands *weir_study_bands_new (guint n_curves, const WeirStudyCurve *curves,
                                      gboolean is_held, guint n_times);
void weir_study_bands_free (WeirStudyBands *self);

/* --- What a figure owes to parameters -------------------------------------------------------- */

typedef enum {
  WEIR_EFFECT_SWING,  /* the figure's ends where the parameter alone varies */
  WEIR_EFFECT_MORRIS, /* mean absolute elementary effect */
  WEIR_EFFECT_INDEX,  /* Sobol's: @low is the first, @high the total */
  WEIR_EFFECT_RANK,   /* Spearman's rank correlation */
} WeirEffectKind;

typedef struct {
  guint parameter;
  double low, high; /* of a RANK or MORRIS alike; NAN: it cannot be told */
} WeirEffect;

/* The points of a study as its charts see them. */
typedef struct {
  guint64 n;
  const guint64 *numbers;
  const double *const *values, *const *figures; /* by point: one a parameter, one a figure */
} WeirStudyTable;

WeirEffectKind weir_study_get_effect_kind (const WeirStudy *study);
/* Of figure @f, the largest first. @summary: (nullable) its influences are taken for MORRIS and
 * INDEX. @middle: (out) the figure at the middle, of a SWING. @effects: (out) one a parameter. */
void weir_study_calc_effects (const WeirStudy *study, const WeirStudyTable *table,
                              const WeirStudySummary *summary, guint f, double *middle,
                              WeirEffect *effects);

/* Spearman's rank correlation of @n pairs, of which those count that are finite. NAN: it cannot be
 * told. */
double weir_study_calc_rank_correlation (guint64 n, const double *x, const double *y);

/* Do the straight lines from point to point pass through a box, ends included? Of @n points; one
 * that is not finite is a gap. */
gboolean weir_study_passes (guint n, const double *x, const double *y, const double ends[2][2]);

/* --- Over two parameters ---------------------------------------------------------------------- */

/* Means in cells: about each value where there are few, else in even parts. */
typedef struct {
  guint n_x, n_y;
  double *x, *y; /* n + 1 ends of cells */
  double *x_middle, *y_middle;
  double *means; /* row by row: n_x cells of the first y, ...; NAN: no point */
  guint *counts;
  double least, most; /* of the means; NAN: there is none */
} WeirStudyMap;

/* (transfer full) */
WeirStudyMap *weir_study_map_new (guint n, const double *x, const double *y, const double *z);
void weir_study_map_free (WeirStudyMap *self);
/* Where the means are @level, going straight between middles of cells: pieces of a line, a NAN
 * after each. @x, @y: double, appended to. */
void weir_study_map_trace (const WeirStudyMap *self, double level, GArray *x, GArray *y);

/* --- Two figures ------------------------------------------------------------------------------ */

/* @is_front: (out) by point: is no other at least as good in both and better in one? A factor of -1
 * makes the largest the best, 1 the least. How many there are. */
guint weir_study_find_front (guint n, const double *a, double a_factor, const double *b,
                             double b_factor, gboolean *is_front);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudyBands, weir_study_bands_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStudyMap, weir_study_map_free)

G_END_DECLS
