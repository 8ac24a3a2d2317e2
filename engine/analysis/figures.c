/* The list of figures. See figures.h. */
#include "analysis/figures.h"

#include <math.h>

#include "base/text.h"

static const WeirFigureInfo infos[WEIR_N_FIGURES] = {
  [WEIR_FIGURE_FROM] = { "from", N_ ("Start of the range"), "s", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_TO] = { "to", N_ ("End of the range"), "s", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_SAMPLES] = { "samples", N_ ("Samples"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_GAPS] = { "gaps", N_ ("Gaps"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_MIN] = { "min", N_ ("Minimum"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_MAX] = { "max", N_ ("Maximum"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_PEAK_TO_PEAK] = { "peak_to_peak", N_ ("Peak to peak"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_MEAN] = { "mean", N_ ("Mean"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_MEDIAN] = { "median", N_ ("Median"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_RMS] = { "rms", N_ ("RMS"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_DEVIATION] = { "deviation", N_ ("Standard deviation"), "", WEIR_FIGURES_RANGE },
  [WEIR_FIGURE_INITIAL] = { "initial", N_ ("Initial value y0"), "", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_FINAL] = { "final", N_ ("Final value yf"), "", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_RISE_TIME] = { "rise_time", N_ ("Rise time"), "s", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_SETTLING_TIME] = { "settling_time", N_ ("Settling time"), "s", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_TRANSIENT_TIME] = { "transient_time", N_ ("Transient time"), "s",
                                   WEIR_FIGURES_STEP },
  [WEIR_FIGURE_OVERSHOOT] = { "overshoot", N_ ("Overshoot"), "%", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_UNDERSHOOT] = { "undershoot", N_ ("Undershoot"), "%", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_PEAK] = { "peak", N_ ("Peak"), "", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_PEAK_TIME] = { "peak_time", N_ ("Time of the peak"), "s", WEIR_FIGURES_STEP },
  [WEIR_FIGURE_SETTLING_MIN] = { "settling_min", N_ ("Minimum after the rise"), "",
                                 WEIR_FIGURES_STEP },
  [WEIR_FIGURE_SETTLING_MAX] = { "settling_max", N_ ("Maximum after the rise"), "",
                                 WEIR_FIGURES_STEP },
  [WEIR_FIGURE_BASE] = { "base", N_ ("Base"), "", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_TOP] = { "top", N_ ("Top"), "", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_PERIOD] = { "period", N_ ("Period"), "s", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_FREQUENCY] = { "frequency", N_ ("Frequency"), "Hz", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_DUTY] = { "duty", N_ ("Duty"), "", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_PERIODS] = { "periods", N_ ("Whole periods"), "", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_CYCLE_MEAN] = { "cycle_mean", N_ ("Mean of whole periods"), "",
                               WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_CYCLE_RMS] = { "cycle_rms", N_ ("RMS of whole periods"), "", WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_DISTORTION] = { "distortion", N_ ("Harmonic distortion (THD)"), "",
                               WEIR_FIGURES_PERIOD },
  [WEIR_FIGURE_PHASE] = { "phase", N_ ("Phase to the first signal"), "°", WEIR_FIGURES_PERIOD },
};

const WeirFigureInfo *
weir_figure_get_info (WeirFigure figure)
{
  g_return_val_if_fail (figure < WEIR_N_FIGURES, NULL);

  return &infos[figure];
}

static gboolean
tell_empty (WeirFigures *figures)
{
  for (guint i = 0; i < WEIR_N_FIGURES; i++)
    figures->values[i] = (double) NAN;
  for (guint i = 0; i < WEIR_N_FIGURE_GROUPS; i++)
    figures->why_not[i] = N_ ("there are no samples in the range");
  figures->why_no_phase = figures->why_not[WEIR_FIGURES_PERIOD];
  return FALSE;
}

gboolean
weir_figures_find (const WeirMeasure *measure, WeirTimeRange range, const WeirStepLevels *levels,
                   const WeirMeasure *reference, WeirFigures *figures)
{
  WeirStatistics s;
  WeirStepFigures step;
  WeirPeriodFigures period;
  double *values = figures->values;

  *figures = (WeirFigures) { .levels = *levels };
  if (!weir_measure_get_statistics (measure, range, &s)
      || !weir_measure_get_step (measure, range, levels, &step)
      || !weir_measure_get_period (measure, range, &period))
    return tell_empty (figures);
  values[WEIR_FIGURE_FROM] = s.from;
  values[WEIR_FIGURE_TO] = s.to;
  values[WEIR_FIGURE_SAMPLES] = (double) s.n;
  values[WEIR_FIGURE_GAPS] = (double) s.n_gaps;
  values[WEIR_FIGURE_MIN] = s.min;
  values[WEIR_FIGURE_MAX] = s.max;
  values[WEIR_FIGURE_PEAK_TO_PEAK] = s.peak_to_peak;
  values[WEIR_FIGURE_MEAN] = s.mean;
  values[WEIR_FIGURE_MEDIAN] = weir_measure_get_median (measure, range);
  values[WEIR_FIGURE_RMS] = s.rms;
  values[WEIR_FIGURE_DEVIATION] = s.deviation;
  values[WEIR_FIGURE_INITIAL] = step.levels.initial;
  values[WEIR_FIGURE_FINAL] = step.levels.final;
  values[WEIR_FIGURE_RISE_TIME] = step.rise_time;
  values[WEIR_FIGURE_SETTLING_TIME] = step.settling_time;
  values[WEIR_FIGURE_TRANSIENT_TIME] = step.transient_time;
  values[WEIR_FIGURE_OVERSHOOT] = step.overshoot;
  values[WEIR_FIGURE_UNDERSHOOT] = step.undershoot;
  values[WEIR_FIGURE_PEAK] = step.peak;
  values[WEIR_FIGURE_PEAK_TIME] = step.peak_time;
  values[WEIR_FIGURE_SETTLING_MIN] = step.settling_min;
  values[WEIR_FIGURE_SETTLING_MAX] = step.settling_max;
  values[WEIR_FIGURE_BASE] = period.base;
  values[WEIR_FIGURE_TOP] = period.top;
  values[WEIR_FIGURE_PERIOD] = period.period;
  values[WEIR_FIGURE_FREQUENCY] = period.frequency;
  values[WEIR_FIGURE_DUTY] = period.duty;
  values[WEIR_FIGURE_PERIODS] = period.n_periods;
  values[WEIR_FIGURE_CYCLE_MEAN] = period.cycle_mean;
  values[WEIR_FIGURE_CYCLE_RMS] = period.cycle_rms;
  values[WEIR_FIGURE_DISTORTION] = weir_measure_get_distortion (measure, &period);
  values[WEIR_FIGURE_PHASE] = reference != NULL ? weir_measure_get_phase (reference, measure, range,
                                                                          &figures->why_no_phase)
                                                : (double) NAN;
  figures->levels = step.levels;
  figures->why_not[WEIR_FIGURES_STEP] = step.why_not;
  figures->why_not[WEIR_FIGURES_PERIOD] = period.why_not;
  return TRUE;
}
