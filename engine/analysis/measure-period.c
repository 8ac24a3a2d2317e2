/* What repeats in a signal: levels, period, phase, harmonics; and its peaks. See measure.h. */
#include "analysis/measure-private.h"

#include <string.h>

#include "base/text.h"

/* --- Levels ---------------------------------------------------------------------------------- */

#define N_BINS 256
#define MODE 3.0 /* a mode has so many times the time of an average bin */
/* Of more pieces some are looked at: a mode is where much time is spent. */
#define MAX_PIECES ((gsize) 1 << 16)

typedef struct {
  double min, scale;
  double times[N_BINS]; /* s */
  double duration;      /* s, of all bins */
} Histogram;

static inline guint
find_bin (const Histogram *self, double value)
{
  return (guint) MIN ((value - self->min) * self->scale, N_BINS - 1);
}

static inline __attribute__ ((always_inline)) gboolean
add_to_bin (gpointer data, double ta, double va, double tb, double vb)
{
  Histogram *self = data;

  self->times[find_bin (self, va / 2 + vb / 2)] += tb - ta;
  self->duration += tb - ta;
  return TRUE;
}

static void
fill_histogram (Histogram *self, const WeirMeasure *measure, const WeirMeasureRows *rows)
{
  gsize stride = (rows->last - rows->first) / MAX_PIECES + 1;

  if (stride == 1)
    weir_measure_walk (measure, rows, NULL, add_to_bin, self);
  else
    for (gsize row = rows->first; row < rows->last; row += stride)
      weir_measure_walk_rows (measure, row, row + 1, TRUE, rows, add_to_bin, self);
}

/* The middle of the fullest bin from @begin up to @end; @otherwise if that is no mode. */
static double
find_mode (const Histogram *self, guint begin, guint end, double otherwise)
{
  guint fullest = begin;

  for (guint i = begin; i < end; i++)
    if (self->times[i] > self->times[fullest])
      fullest = i;
  return self->times[fullest] > MODE * self->duration / N_BINS
             ? self->min + (fullest + 0.5) / self->scale
             : otherwise;
}

static void
find_levels (const WeirMeasure *self, const WeirMeasureRows *rows, const WeirStatistics *all,
             double *base, double *top)
{
  Histogram *histogram = g_new0 (Histogram, 1);

  *base = all->min;
  *top = all->max;
  histogram->min = all->min;
  histogram->scale = N_BINS / all->peak_to_peak;
  if (all->duration > 0 && isfinite (histogram->scale))
    {
      fill_histogram (histogram, self, rows);
      *base = find_mode (histogram, 0, N_BINS / 2, all->min);
      *top = find_mode (histogram, N_BINS / 2, N_BINS, all->max);
      /* What stands in the outermost bins stands at the ends. */
      if (*base - all->min <= 1 / histogram->scale)
        *base = all->min;
      if (all->max - *top <= 1 / histogram->scale)
        *top = all->max;
    }
  g_free (histogram);
}

/* --- Crossings of the middle ----------------------------------------------------------------- */

typedef struct {
  double middle, low, high;
  enum { UNKNOWN, IS_LOW, IS_HIGH } state;
  gboolean was_above; /* the middle, at the end of the piece before */
  gboolean is_begun;
  double crossing;          /* s: the last one towards the other side */
  GArray *rising, *falling; /* double, s */
} Crossings;

static inline __attribute__ ((always_inline)) void
cross (Crossings *self, double value, double time, gboolean is_above)
{
  if (is_above != self->was_above)
    self->crossing = time;
  self->was_above = is_above;
  if (value >= self->high && self->state != IS_HIGH)
    {
      if (self->state == IS_LOW)
        g_array_append_val (self->rising, self->crossing);
      self->state = IS_HIGH;
    }
  else if (value <= self->low && self->state != IS_LOW)
    {
      if (self->state == IS_HIGH)
        g_array_append_val (self->falling, self->crossing);
      self->state = IS_LOW;
    }
}

static inline __attribute__ ((always_inline)) gboolean
look_for_crossing (gpointer data, double ta, double va, double tb, double vb)
{
  Crossings *self = data;
  gboolean is_above = va >= self->middle, ends_above = vb >= self->middle;

  if (!self->is_begun)
    self->was_above = is_above;
  self->is_begun = TRUE;
  if (self->state == IS_HIGH && va > self->middle && vb > self->middle && self->was_above)
    return TRUE;
  cross (self, va, ta, is_above);
  cross (self, vb, ends_above != is_above ? weir_piece_reach (self->middle, ta, va, tb, vb) : tb,
         ends_above);
  return TRUE;
}

static gboolean
has_no_crossing (gpointer data, const WeirMeasureSums *block)
{
  const Crossings *self = data;

  if (isnan (block->first))
    return TRUE;
  return self->was_above ? block->min > self->middle && self->state == IS_HIGH
                         : block->max < self->middle && self->state == IS_LOW;
}

static void
crossings_clear (Crossings *self)
{
  g_clear_pointer (&self->rising, g_array_unref);
  g_clear_pointer (&self->falling, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Crossings, crossings_clear)

#define HYSTERESIS 0.1 /* of top - base, on each side of the middle */

static void
find_crossings (const WeirMeasure *self, const WeirMeasureRows *rows, double base, double top,
                Crossings *crossings)
{
  crossings->middle = base + (top - base) / 2;
  crossings->low = crossings->middle - HYSTERESIS * (top - base);
  crossings->high = crossings->middle + HYSTERESIS * (top - base);
  crossings->rising = g_array_new (FALSE, FALSE, sizeof (double));
  crossings->falling = g_array_new (FALSE, FALSE, sizeof (double));
  weir_measure_walk (self, rows, has_no_crossing, look_for_crossing, crossings);
}

static double
get_time (const GArray *times, guint i)
{
  return g_array_index (times, double, i);
}

/* Seconds above the middle, from the first rising crossing to the last. */
static double
sum_time_above (const Crossings *self)
{
  double sum = 0;

  for (guint k = 0, f = 0; k + 1 < self->rising->len; k++)
    {
      while (f < self->falling->len && get_time (self->falling, f) < get_time (self->rising, k))
        f++;
      if (f < self->falling->len)
        sum += get_time (self->falling, f) - get_time (self->rising, k);
    }
  return sum;
}

/* @crossings: zero beforehand; cleared by the caller. */
static gboolean
find_period (const WeirMeasure *self, WeirTimeRange range, WeirPeriodFigures *figures,
             Crossings *crossings)
{
  WeirStatistics all, cycles;
  WeirMeasureRows rows;
  guint n;

  *figures = (WeirPeriodFigures) { 0 };
  figures->period = figures->frequency = figures->duty = (double) NAN;
  figures->from = figures->to = figures->cycle_mean = figures->cycle_rms = (double) NAN;
  if (!weir_measure_get_statistics (self, range, &all)
      || !weir_measure_find_rows (self, range, &rows))
    return FALSE;
  figures->base = all.min;
  figures->top = all.max;
  if (all.peak_to_peak == 0)
    {
      figures->why_not = N_ ("the signal is constant");
      return TRUE;
    }
  find_levels (self, &rows, &all, &figures->base, &figures->top);
  find_crossings (self, &rows, figures->base, figures->top, crossings);
  n = crossings->rising->len;
  if (n < 2)
    {
      figures->why_not = N_ ("the signal has no whole period in the range");
      return TRUE;
    }
  figures->n_periods = n - 1;
  figures->from = get_time (crossings->rising, 0);
  figures->to = get_time (crossings->rising, n - 1);
  figures->period = (figures->to - figures->from) / (n - 1);
  figures->frequency = 1 / figures->period;
  figures->duty = sum_time_above (crossings) / (figures->to - figures->from);
  weir_measure_get_statistics (self, (WeirTimeRange) { figures->from, figures->to }, &cycles);
  figures->cycle_mean = cycles.mean;
  figures->cycle_rms = cycles.rms;
  return TRUE;
}

gboolean
weir_measure_get_period (const WeirMeasure *self, WeirTimeRange range, WeirPeriodFigures *figures)
{
  g_auto (Crossings) crossings = { 0 };

  return find_period (self, range, figures, &crossings);
}

/* --- Phase ----------------------------------------------------------------------------------- */

#define SAME_PERIOD 0.01 /* two periods differ by less than this part */

/* @why_not: (out) */
static double
find_phase (const WeirMeasure *self, const WeirMeasure *other, WeirTimeRange range,
            const char **why_not)
{
  g_auto (Crossings) crossings = { 0 };
  g_auto (Crossings) others = { 0 };
  WeirPeriodFigures figures, other_figures;
  double period, cosine = 0, sine = 0, phase;

  *why_not = N_ ("one of the two signals has no samples in the range");
  if (!find_period (self, range, &figures, &crossings)
      || !find_period (other, range, &other_figures, &others))
    return (double) NAN;
  *why_not = figures.why_not != NULL ? figures.why_not : other_figures.why_not;
  if (*why_not != NULL)
    return (double) NAN;
  period = figures.period;
  *why_not = N_ ("the two signals have different periods");
  if (fabs (other_figures.period - period) > SAME_PERIOD * period)
    return (double) NAN;
  *why_not = NULL;
  for (guint a = 0, b = 0; a < crossings.rising->len; a++)
    {
      double ta = get_time (crossings.rising, a), angle;

      while (b < others.rising->len && get_time (others.rising, b) < ta - period / 2)
        b++;
      if (b == others.rising->len || get_time (others.rising, b) > ta + period)
        continue;
      angle = -2 * G_PI * (get_time (others.rising, b) - ta) / period;
      cosine += cos (angle);
      sine += sin (angle);
    }
  phase = atan2 (sine, cosine) * 180 / G_PI;
  return phase <= -180 ? 180 : phase;
}

double
weir_measure_get_phase (const WeirMeasure *self, const WeirMeasure *other, WeirTimeRange range,
                        const char **why_not)
{
  const char *why;
  double phase = find_phase (self, other, range, &why);

  if (why_not != NULL)
    *why_not = why;
  return phase;
}

/* --- Harmonics ------------------------------------------------------------------------------- */

/* The integral of y exp (-i w (t - t0)). Pieces that are short beside a period are summed by
 * Simpson's rule, with factors from a short series about a near time, each group turned once;
 * others by the closed form. */
typedef struct {
  double omega, start;
  double re, im;
  double centre;                 /* of the group, s */
  double group_re, group_im;     /* about the centre */
  double last, last_re, last_im; /* the factor at the end of the piece before */
} Fourier;

#define SHORT 0.002 /* rad of a piece: Simpson's rule is off by 1e-14 */
#define NEAR 0.02   /* rad about a centre: the series is off by 1e-13 */

static inline void
find_near (double x, double *re, double *im)
{
  double square = x * x;

  *re = 1 - square * (0.5 - square / 24);
  *im = -x * (1 - square * (1.0 / 6 - square / 120));
}

static void
end_group (Fourier *self)
{
  double angle = self->omega * (self->centre - self->start);
  double c = cos (angle) / 6, s = -sin (angle) / 6; /* Simpson's sixth */

  self->re += self->group_re * c - self->group_im * s;
  self->im += self->group_re * s + self->group_im * c;
  self->group_re = self->group_im = 0;
}

static void
begin_group (Fourier *self, double ta)
{
  if (!isnan (self->centre))
    end_group (self);
  self->centre = ta + 0.9 * NEAR / self->omega;
  self->last = (double) NAN;
}

/* (sin x - x cos x) / x^2 and sin x / x. */
static void
find_closed (double x, double *first, double *second)
{
  *second = x == 0 ? 1 : sin (x) / x;
  *first = x < 0.1 ? x / 3 * (1 - x * x / 10 * (1 - x * x / 28 * (1 - x * x / 54)))
                   : (sin (x) - x * cos (x)) / (x * x);
}

static void
add_long_piece (Fourier *self, double ta, double va, double tb, double vb)
{
  double middle = va / 2 + vb / 2, half = (tb - ta) / 2, c, s, even, odd, first, second;
  double angle = self->omega * (ta + half - self->start);

  find_closed (self->omega * half, &first, &second);
  even = middle * 2 * half * second;
  odd = -(vb - va) * half * first; /* times i */
  c = cos (angle);
  s = -sin (angle);
  self->re += even * c - odd * s;
  self->im += even * s + odd * c;
}

static inline __attribute__ ((always_inline)) gboolean
add_fourier (gpointer data, double ta, double va, double tb, double vb)
{
  Fourier *self = data;
  double dt = tb - ta, middle, re, im, middle_re, middle_im;

  if (self->omega * dt > SHORT)
    {
      add_long_piece (self, ta, va, tb, vb);
      return TRUE;
    }
  if (!(self->omega * (tb - self->centre) <= NEAR))
    begin_group (self, ta);
  if (self->last != ta)
    find_near (self->omega * (ta - self->centre), &self->last_re, &self->last_im);
  find_near (self->omega * (ta + dt / 2 - self->centre), &middle_re, &middle_im);
  find_near (self->omega * (tb - self->centre), &re, &im);
  middle = 2 * (va + vb);
  self->group_re += dt * (va * self->last_re + middle * middle_re + vb * re);
  self->group_im += dt * (va * self->last_im + middle * middle_im + vb * im);
  self->last = tb;
  self->last_re = re;
  self->last_im = im;
  return TRUE;
}

#define SMALL 0.05 /* rad from a block's centre to its ends */

/* The series up to the second power has a block's moments; the third and fourth are what they are
 * of a straight line, which is the rest of the error where the signal is smooth. */
static gboolean
add_fourier_block (gpointer data, const WeirMeasureSums *block)
{
  Fourier *self = data;
  double w = self->omega, h = block->half, x = w * h, even, odd, angle, c, s;
  double sine = 1 - x * x / 6 * (1 - x * x / 20);

  if (block->n_gaps > 0 || isnan (block->first) || !(x <= SMALL))
    return FALSE;
  even = block->mean * 2 * h * sine - w * w / 2 * block->moments[1] * (1 - x * x / 20);
  odd = -w * block->moments[0] * (1 - x * x / 10); /* times i */
  angle = w * (block->centre - self->start);
  c = cos (angle);
  s = -sin (angle);
  self->re += even * c - odd * s;
  self->im += even * s + odd * c;
  return TRUE;
}

/* Whole periods from @from to @to. */
static WeirHarmonic
find_harmonic (const WeirMeasure *self, const WeirPeriodFigures *figures, guint k)
{
  Fourier fourier = { .omega = 2 * G_PI * k / figures->period,
                      .start = figures->from,
                      .centre = (double) NAN,
                      .last = (double) NAN };
  double factor = 2 / (figures->to - figures->from);
  WeirMeasureRows rows;
  WeirTimeRange range = { figures->from, figures->to };

  if (!weir_measure_find_rows (self, range, &rows))
    return (WeirHarmonic) { (double) NAN, (double) NAN };
  weir_measure_walk (self, &rows, add_fourier_block, add_fourier, &fourier);
  if (!isnan (fourier.centre))
    end_group (&fourier);
  return (WeirHarmonic) { factor * hypot (fourier.re, fourier.im),
                          atan2 (fourier.im, fourier.re) * 180 / G_PI };
}

gboolean
weir_measure_get_harmonics (const WeirMeasure *self, const WeirPeriodFigures *period, guint n,
                            WeirHarmonic *harmonics)
{
  if (isnan (period->period))
    return FALSE;
  for (guint k = 0; k < n; k++)
    harmonics[k] = find_harmonic (self, period, k + 1);
  return TRUE;
}

double
weir_measure_get_distortion (const WeirMeasure *self, const WeirPeriodFigures *period)
{
  WeirStatistics cycles;
  double amplitude, power;

  if (isnan (period->period)
      || !weir_measure_get_statistics (self, (WeirTimeRange) { period->from, period->to }, &cycles))
    return (double) NAN;
  amplitude = find_harmonic (self, period, 1).amplitude;
  /* Parseval: what the first harmonic and the mean do not have is in the others. */
  power = 2 * cycles.deviation * cycles.deviation - amplitude * amplitude;
  return sqrt (fmax (0, power)) / amplitude;
}

/* --- Peaks ----------------------------------------------------------------------------------- */

typedef struct {
  double swing;
  gboolean wants_max, wants_min;
  WeirPeak highest,
      lowest; /* since the last peak; time NAN: somewhere in the block from there on */
  double highest_from, lowest_from;
  gboolean is_begun;
  GArray *peaks;
  const WeirMeasure *measure;
} Peaks;

/* What is highest at the very start has not been risen to. */
static void
take_peak (Peaks *self, WeirPeak peak, double from)
{
  if (isnan (peak.time))
    peak.time = weir_measure_find_reach (self->measure, (WeirTimeRange) { from, INFINITY },
                                         peak.value, peak.is_maximum);
  if (self->is_begun)
    g_array_append_val (self->peaks, peak);
  self->is_begun = TRUE;
  self->wants_max = !peak.is_maximum;
  self->wants_min = peak.is_maximum;
}

static inline __attribute__ ((always_inline)) void
look_at_sample (Peaks *self, double t, double v)
{
  if (v > self->highest.value)
    self->highest = (WeirPeak) { t, v, TRUE };
  if (v < self->lowest.value)
    self->lowest = (WeirPeak) { t, v, FALSE };
  if (self->wants_max && v <= self->highest.value - self->swing)
    {
      take_peak (self, self->highest, self->highest_from);
      self->lowest = (WeirPeak) { t, v, FALSE };
    }
  else if (self->wants_min && v >= self->lowest.value + self->swing)
    {
      take_peak (self, self->lowest, self->lowest_from);
      self->highest = (WeirPeak) { t, v, TRUE };
    }
}

static inline __attribute__ ((always_inline)) gboolean
look_for_peak (gpointer data, double ta, double va, double tb, double vb)
{
  look_at_sample (data, ta, va);
  look_at_sample (data, tb, vb);
  return TRUE;
}

/* A block in which no turn can be seen; what is highest or lowest may yet be in it. */
static gboolean
has_no_turn (gpointer data, const WeirMeasureSums *block)
{
  Peaks *self = data;
  double highest = MAX (self->highest.value, block->max);
  double lowest = MIN (self->lowest.value, block->min);

  if (isnan (block->first))
    return TRUE;
  if ((self->wants_max && block->min <= highest - self->swing)
      || (self->wants_min && block->max >= lowest + self->swing))
    return FALSE;
  if (block->max > self->highest.value)
    {
      self->highest = (WeirPeak) { (double) NAN, block->max, TRUE };
      self->highest_from = block->centre - block->half;
    }
  if (block->min < self->lowest.value)
    {
      self->lowest = (WeirPeak) { (double) NAN, block->min, FALSE };
      self->lowest_from = block->centre - block->half;
    }
  return TRUE;
}

GArray *
weir_measure_list_peaks (const WeirMeasure *self, WeirTimeRange range, double swing)
{
  Peaks peaks = { .swing = swing,
                  .wants_max = TRUE,
                  .wants_min = TRUE,
                  .highest = { 0, -INFINITY, TRUE },
                  .lowest = { 0, INFINITY, FALSE },
                  .peaks = g_array_new (FALSE, FALSE, sizeof (WeirPeak)),
                  .measure = self };
  WeirMeasureRows rows;

  if (swing > 0 && weir_measure_find_rows (self, range, &rows))
    weir_measure_walk (self, &rows, has_no_turn, look_for_peak, &peaks);
  return peaks.peaks;
}
