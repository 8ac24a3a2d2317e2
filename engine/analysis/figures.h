/* The figures that a recorded signal is judged by, as one list: what `weir measure` prints and what
 * the table beside the plots shows.
 *
 * weir_figures_find() has measure.h work all of them out at once. What a signal does not have is
 * NAN, and its group says why. Thread: *any*, finding the measure's *owner*.
 */
#pragma once

#include "analysis/measure.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_FIGURES_RANGE, /* statistics */
  WEIR_FIGURES_STEP,
  WEIR_FIGURES_PERIOD,
  WEIR_N_FIGURE_GROUPS,
} WeirFigureGroup;

typedef enum {
  WEIR_FIGURE_FROM,
  WEIR_FIGURE_TO,
  WEIR_FIGURE_SAMPLES,
  WEIR_FIGURE_GAPS,
  WEIR_FIGURE_MIN,
  WEIR_FIGURE_MAX,
  WEIR_FIGURE_PEAK_TO_PEAK,
  WEIR_FIGURE_MEAN,
  WEIR_FIGURE_MEDIAN,
  WEIR_FIGURE_RMS,
  WEIR_FIGURE_DEVIATION,
  WEIR_FIGURE_INITIAL,
  WEIR_FIGURE_FINAL,
  WEIR_FIGURE_RISE_TIME,
  WEIR_FIGURE_SETTLING_TIME,
  WEIR_FIGURE_TRANSIENT_TIME,
  WEIR_FIGURE_OVERSHOOT,
  WEIR_FIGURE_UNDERSHOOT,
  WEIR_FIGURE_PEAK,
  WEIR_FIGURE_PEAK_TIME,
  WEIR_FIGURE_SETTLING_MIN,
  WEIR_FIGURE_SETTLING_MAX,
  WEIR_FIGURE_BASE,
  WEIR_FIGURE_TOP,
  WEIR_FIGURE_PERIOD,
  WEIR_FIGURE_FREQUENCY,
  WEIR_FIGURE_DUTY,
  WEIR_FIGURE_PERIODS,
  WEIR_FIGURE_CYCLE_MEAN,
  WEIR_FIGURE_CYCLE_RMS,
  WEIR_FIGURE_DISTORTION,
  WEIR_FIGURE_PHASE, /* to another signal; NAN where there is none */
  WEIR_N_FIGURES,
} WeirFigure;

typedef struct {
  const char *key;   /* "rise_time" */
  const char *title; /* translatable: "Rise time" */
  const char *unit;  /* "s", "%", ...; "" of the signal's, or a number */
  WeirFigureGroup group;
} WeirFigureInfo;

const WeirFigureInfo *weir_figure_get_info (WeirFigure figure);

typedef struct {
  double values[WEIR_N_FIGURES];
  WeirStepLevels levels; /* with the y0 and yf that were taken */
  /* Translatable: why figures of the group are NAN; or NULL. */
  const char *why_not[WEIR_N_FIGURE_GROUPS];
  const char *why_no_phase;
} WeirFigures;

/* @reference: (nullable) what the phase is told to. FALSE if the range has no samples: then every
 * group says so. */
gboolean weir_figures_find (const WeirMeasure *measure, WeirTimeRange range,
                            const WeirStepLevels *levels, const WeirMeasure *reference,
                            WeirFigures *figures);

G_END_DECLS
