/* Figures of a recorded signal: statistics weighted by time, what a step response is judged by,
 * period and phase, distortion, peaks, spectra.
 *
 * Steps of a run vary, so that nothing here counts samples: a mean is an integral over the time
 * between them, along straight lines or stairs. Every function takes a range of time, whose ends
 * may lie between samples: what a plot shows, what two cursors enclose. A figure that a signal does
 * not have (the rise time of one that does not rise) is NAN, and a sentence says why; it is never
 * 0.
 *
 * A WeirMeasure keeps the sums of each few thousand samples, so that a range costs what its ends
 * cost, however much lies between them; weir_measure_update() takes in what was recorded since.
 * Samples that are not finite are gaps: the time beside them counts for nothing.
 *
 * Definitions: IEEE 181 (levels by histogram, period, duty), and for steps those of the common
 * tools for control: workings are beside each field. Thread: *owner* (columns may grow in another).
 */
#pragma once

#include "sim/recorder.h"

G_BEGIN_DECLS

/* Append-only columns: times never decrease. @get_n_rows: how many there are; the other two give
 * rows from @first on that lie together, setting @n to how many. */
typedef struct {
  gsize (*get_n_rows) (gpointer data);
  const double *(*get_times) (gpointer data, gsize first, gsize *n);
  const double *(*get_values) (gpointer data, gsize first, gsize *n);
} WeirSampleColumns;

/* What a signal is between two samples. */
typedef enum {
  WEIR_BETWEEN_LINES,       /* a straight line */
  WEIR_BETWEEN_HELD,        /* the former of the two */
  WEIR_BETWEEN_HELD_BEFORE, /* the latter: a run's samples of a discrete signal are taken before
                               each event */
} WeirBetween;

typedef struct _WeirMeasure WeirMeasure;

/* @destroy (nullable) frees @data. (transfer full) */
WeirMeasure *weir_measure_new (const WeirSampleColumns *columns, WeirBetween between, gpointer data,
                               GDestroyNotify destroy);
/* A recorded signal; the recorder is kept (ref). (transfer full) */
WeirMeasure *weir_measure_new_for_signal (WeirRecorder *recorder, guint signal,
                                          WeirBetween between);
/* @n samples that stay where they are. (transfer full) */
WeirMeasure *weir_measure_new_for_arrays (gsize n, const double *times, const double *values,
                                          WeirBetween between);
void weir_measure_free (WeirMeasure *self);
/* Takes in the rows that are there by now. */
void weir_measure_update (WeirMeasure *self);

/* Seconds; -INFINITY and INFINITY: as far as there are samples. */
typedef struct {
  double from, to;
} WeirTimeRange;

#define WEIR_ALL_TIME ((WeirTimeRange) { -INFINITY, INFINITY })

/* --- A value --------------------------------------------------------------------------------- */

typedef struct {
  double value;
  gboolean is_sample; /* FALSE: it was interpolated */
} WeirReading;

/* At @time; of two samples at the same time the latter. FALSE outside of all samples and in gaps.
 */
gboolean weir_measure_read (const WeirMeasure *self, double time, WeirReading *reading);

/* What a cursor may jump to. */
typedef enum {
  WEIR_SNAP_SAMPLE,
  WEIR_SNAP_PEAK,     /* a sample above or below both its neighbours */
  WEIR_SNAP_CROSSING, /* of @level */
} WeirSnap;

/* The first such time after @time, or before it. FALSE if there is none. */
gboolean weir_measure_snap (const WeirMeasure *self, WeirSnap snap, double level, double time,
                            gboolean forward, double *found);

/* --- Statistics ------------------------------------------------------------------------------ */

typedef struct {
  double from, to;     /* s: what of the range has samples */
  gsize n;             /* samples in it */
  gsize n_gaps;        /* of them not finite */
  double duration;     /* s, without gaps: T */
  double first, last;  /* values at both ends */
  double min, max;     /* of samples, and of the values at both ends */
  double peak_to_peak; /* max - min */
  double mean;         /* (integral of y) / T; the value itself where T is 0 */
  double rms;          /* sqrt ((integral of y^2) / T) */
  double deviation;    /* sqrt ((integral of (y - mean)^2) / T) */
} WeirStatistics;

/* FALSE if no sample lies in the range and none on both sides of it. */
gboolean weir_measure_get_statistics (const WeirMeasure *self, WeirTimeRange range,
                                      WeirStatistics *statistics);
/* The value that the signal is below for half of the time, and above for the other. */
double weir_measure_get_median (const WeirMeasure *self, WeirTimeRange range);

/* --- A step ---------------------------------------------------------------------------------- */

/* How a step is judged. NAN in @initial and @final: the first and last value of the range; it is
 * what the fields of the result say in the end. */
typedef struct {
  double initial, final; /* y0, yf; D = yf - y0 */
  double low, high;      /* parts of D between which it rises: 0.1, 0.9 */
  double band;           /* part of |D| that it is to stay within: 0.02 */
} WeirStepLevels;

#define WEIR_STEP_LEVELS ((WeirStepLevels) { (double) NAN, (double) NAN, 0.1, 0.9, 0.02 })

typedef struct {
  WeirStepLevels levels;      /* with y0 and yf */
  double low_time, high_time; /* s: first reach of y0 + low D, of y0 + high D */
  double rise_time;           /* s: from the one to the other */
  double settling_time;       /* s from the range's start: the last |y - yf| > band |D| */
  double transient_time;      /* s from there: the last |y - yf| > band max |y - yf| */
  double overshoot,
      undershoot;         /* %: 100 max (0, max (y - yf) / D), 100 max (0, max (y0 - y) / D) */
  double peak, peak_time; /* max |y|, and when (s) */
  double settling_min, settling_max; /* after the rise */
  const char *why_not;               /* translatable: why figures are NAN; or NULL */
} WeirStepFigures;

/* The step is at the range's start. FALSE if the range has no samples. */
gboolean weir_measure_get_step (const WeirMeasure *self, WeirTimeRange range,
                                const WeirStepLevels *levels, WeirStepFigures *figures);

/* --- What repeats ---------------------------------------------------------------------------- */

typedef struct {
  double top, base; /* the levels where it is most: modes of the histogram; of a signal that
                       has none, its largest and smallest value */
  double period;    /* s: mean distance of rising crossings of (top + base) / 2; a tenth of
                       top - base on both sides has to be passed in between */
  double frequency; /* Hz: 1 / period */
  double duty;      /* part of the time that it is above: whole periods */
  guint n_periods;  /* whole ones */
  double from, to;  /* s: where they begin and end */
  double cycle_mean, cycle_rms; /* over whole periods */
  const char *why_not;          /* translatable: why figures are NAN; or NULL */
} WeirPeriodFigures;

gboolean weir_measure_get_period (const WeirMeasure *self, WeirTimeRange range,
                                  WeirPeriodFigures *figures);
/* Degrees by which @other goes ahead of @self: -360 (tb - ta) / T in (-180, 180], the mean over all
 * periods. NAN and @why_not (nullable) if one has no period, or another. */
double weir_measure_get_phase (const WeirMeasure *self, const WeirMeasure *other,
                               WeirTimeRange range, const char **why_not);

/* Amplitude and phase (degrees, of a cosine from the first period's start on) of harmonic @k over
 * whole periods: exact integrals along lines or stairs. */
typedef struct {
  double amplitude, phase;
} WeirHarmonic;

/* @n of them, from the first on. FALSE if @period has none. */
gboolean weir_measure_get_harmonics (const WeirMeasure *self, const WeirPeriodFigures *period,
                                     guint n, WeirHarmonic *harmonics);
/* sqrt (sum of A_k^2, k > 1) / A_1, of all harmonics that there are. NAN if there is no period. */
double weir_measure_get_distortion (const WeirMeasure *self, const WeirPeriodFigures *period);

/* --- Peaks ----------------------------------------------------------------------------------- */

typedef struct {
  double time, value;
  gboolean is_maximum;
} WeirPeak;

/* Maxima and minima by turns that stand at least @swing above (below) what is on both sides, before
 * it gets higher (lower) again; the first of equal samples. (element-type WeirPeak) (transfer full)
 */
GArray *weir_measure_list_peaks (const WeirMeasure *self, WeirTimeRange range, double swing);

/* --- Spectra --------------------------------------------------------------------------------- */

typedef enum {
  WEIR_WINDOW_BOX,
  WEIR_WINDOW_HANN,
  WEIR_WINDOW_HAMMING,
  WEIR_WINDOW_BLACKMAN,
  WEIR_WINDOW_FLAT_TOP,
  WEIR_N_WINDOWS,
} WeirSpectrumWindow;

const char *weir_spectrum_window_get_name (WeirSpectrumWindow window); /* "hann" */
gboolean weir_spectrum_window_find (const char *name, WeirSpectrumWindow *window);
/* The factor of sample @k of @n: periodic. */
double weir_spectrum_window_get (WeirSpectrumWindow window, gsize k, gsize n);

typedef struct {
  WeirSpectrumWindow window;
  gsize n;               /* samples of a stretch; 0: one stretch, as many as the signal has in it */
  double rate;           /* fs, Hz; 0: as many samples as were recorded in the range */
  gboolean removes_mean; /* of each stretch, before */
} WeirSpectrumOptions;

/* The signal is read at even times, n to a stretch, whole stretches that overlap by half (Welch).
 * Amplitude 2 |X| / sum w, power density 2 |X|^2 / (fs sum w^2), DC and Nyquist not doubled, so
 * that the integral of the density is the mean square. */
typedef struct {
  gsize n;               /* samples of a stretch */
  guint n_stretches;     /* whose powers were averaged */
  double rate;           /* fs, Hz */
  gboolean is_resampled; /* samples do not lie at these times: values between them were taken */
  gsize n_frequencies;   /* n / 2 + 1, at k fs / n */
  double *frequencies;   /* Hz */
  double *amplitudes;    /* of the signal's unit */
  double *densities;     /* of its square per Hz */
} WeirSpectrum;

/* NULL if the range has fewer than two samples, or a gap. (transfer full) */
WeirSpectrum *weir_measure_get_spectrum (const WeirMeasure *self, WeirTimeRange range,
                                         const WeirSpectrumOptions *options);
void weir_spectrum_free (WeirSpectrum *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMeasure, weir_measure_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSpectrum, weir_spectrum_free)

G_END_DECLS
