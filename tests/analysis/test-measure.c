/* Figures of signals against closed forms on uneven steps, and against scipy 1.17 where said. */
#include <math.h>
#include <string.h>

#include "../seeds.h"
#include "analysis/bound.h"
#include "analysis/measure.h"

/* A signal that is sampled at uneven times. */
typedef struct {
  GArray *times, *values;
} Samples;

static Samples
samples_new (void)
{
  return (Samples) { g_array_new (FALSE, FALSE, sizeof (double)),
                     g_array_new (FALSE, FALSE, sizeof (double)) };
}

static void
samples_clear (Samples *self)
{
  g_array_unref (self->times);
  g_array_unref (self->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Samples, samples_clear)

static void
add (Samples *self, double t, double v)
{
  g_array_append_val (self->times, t);
  g_array_append_val (self->values, v);
}

/* From @from to @to in steps between 0.2 and 1.8 times @step. */
static Samples
sample (double (*f) (double t), double from, double to, double step)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  Samples samples = samples_new ();

  for (double t = from; t < to; t += g_rand_double_range (random, 0.2, 1.8) * step)
    add (&samples, t, f (t));
  add (&samples, to, f (to));
  return samples;
}

static WeirMeasure *
measure (const Samples *samples, WeirBetween between)
{
  return weir_measure_new_for_arrays (samples->times->len, (const double *) samples->times->data,
                                      (const double *) samples->values->data, between);
}

/* --- Statistics ------------------------------------------------------------------------------ */

/* (0, 0), (1, 2), (4, -1): integrals by hand. */
static void
test_by_hand (void)
{
  static const struct {
    WeirBetween between;
    double mean, square, median;
  } cases[] = {
    { WEIR_BETWEEN_LINES, 2.5 / 4, (4.0 / 3 + 3) / 4, 2.0 / 3 },
    { WEIR_BETWEEN_HELD, 6.0 / 4, 12.0 / 4, 2 },
    { WEIR_BETWEEN_HELD_BEFORE, -1.0 / 4, 7.0 / 4, -1 },
  };
  g_auto (Samples) samples = samples_new ();

  add (&samples, 0, 0);
  add (&samples, 1, 2);
  add (&samples, 4, -1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirMeasure) m = measure (&samples, cases[i].between);
      WeirStatistics s;

      g_assert_true (weir_measure_get_statistics (m, WEIR_ALL_TIME, &s));
      g_assert_cmpuint (s.n, ==, 3);
      g_assert_cmpfloat (s.min, ==, -1);
      g_assert_cmpfloat (s.max, ==, 2);
      g_assert_cmpfloat (s.duration, ==, 4);
      g_assert_cmpfloat_with_epsilon (s.mean, cases[i].mean, 1e-15);
      g_assert_cmpfloat_with_epsilon (s.rms, sqrt (cases[i].square), 1e-15);
      g_assert_cmpfloat_with_epsilon (
          s.deviation, sqrt (cases[i].square - cases[i].mean * cases[i].mean), 1e-15);
      /* Lines: below m for m/2 + (m + 1) of 4 s. */
      g_assert_cmpfloat_with_epsilon (weir_measure_get_median (m, WEIR_ALL_TIME), cases[i].median,
                                      1e-14);
    }
}

/* Between cursors that stand on no sample: the integral of the lines, cut. */
static void
test_cut (void)
{
  g_auto (Samples) samples = samples_new ();
  g_autoptr (WeirMeasure) m = NULL;
  WeirStatistics s;
  WeirReading reading;
  double found;

  add (&samples, 0, 0);
  add (&samples, 1, 2);
  add (&samples, 4, -1);
  m = measure (&samples, WEIR_BETWEEN_LINES);
  g_assert_true (weir_measure_get_statistics (m, (WeirTimeRange) { 0.5, 2 }, &s));
  g_assert_cmpuint (s.n, ==, 1);
  g_assert_cmpfloat (s.first, ==, 1);
  g_assert_cmpfloat (s.last, ==, 1);
  g_assert_cmpfloat_with_epsilon (s.mean, (0.75 + 1.5) / 1.5, 1e-15);
  /* Within one piece. */
  g_assert_true (weir_measure_get_statistics (m, (WeirTimeRange) { 2, 3 }, &s));
  g_assert_cmpuint (s.n, ==, 0);
  g_assert_cmpfloat_with_epsilon (s.mean, 0.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (s.rms, sqrt (1.0 / 3), 1e-15);
  /* A point, and beside all samples. */
  g_assert_true (weir_measure_get_statistics (m, (WeirTimeRange) { 2, 2 }, &s));
  g_assert_cmpfloat_with_epsilon (s.mean, 1, 1e-15);
  g_assert_false (weir_measure_get_statistics (m, (WeirTimeRange) { 5, 6 }, &s));
  g_assert_true (weir_measure_read (m, 1, &reading) && reading.is_sample && reading.value == 2);
  g_assert_true (weir_measure_read (m, 2.5, &reading) && !reading.is_sample);
  g_assert_cmpfloat_with_epsilon (reading.value, 0.5, 1e-15);
  g_assert_false (weir_measure_read (m, 4.5, &reading));
  g_assert_true (weir_measure_snap (m, WEIR_SNAP_PEAK, 0, 0.1, TRUE, &found) && found == 1);
  g_assert_false (weir_measure_snap (m, WEIR_SNAP_PEAK, 0, 1, TRUE, &found));
  g_assert_true (weir_measure_snap (m, WEIR_SNAP_SAMPLE, 0, 4, FALSE, &found) && found == 1);
  g_assert_true (weir_measure_snap (m, WEIR_SNAP_CROSSING, 0, 1, TRUE, &found) && found == 3);
  g_assert_true (weir_measure_snap (m, WEIR_SNAP_CROSSING, 1, 4, FALSE, &found) && found == 2);
  g_assert_true (weir_measure_snap (m, WEIR_SNAP_CROSSING, 1, 2, FALSE, &found) && found == 0.5);
}

typedef struct {
  long double duration, sum, square;
  gsize n, n_gaps;
} Plain;

/* Of values less @about. */
static Plain
sum_plainly (const Samples *samples, WeirBetween between, double from, double to, long double about)
{
  Plain plain = { 0 };

  for (guint i = 0; i < samples->times->len; i++)
    {
      double ta = g_array_index (samples->times, double, i), a, b, tb, va, vb;
      long double da, db, length;

      va = g_array_index (samples->values, double, i);
      plain.n += ta >= from && ta <= to;
      plain.n_gaps += ta >= from && ta <= to && isnan (va);
      if (i + 1 == samples->times->len)
        continue;
      tb = g_array_index (samples->times, double, i + 1);
      vb = g_array_index (samples->values, double, i + 1);
      a = between == WEIR_BETWEEN_HELD_BEFORE ? vb : va;
      b = between == WEIR_BETWEEN_HELD ? va : vb;
      if (isnan (a) || isnan (b) || tb <= from || ta >= to)
        continue;
      va = ta < from ? a + (b - a) * (from - ta) / (tb - ta) : a;
      vb = tb > to ? a + (b - a) * (to - ta) / (tb - ta) : b;
      length = (long double) MIN (tb, to) - MAX (ta, from);
      da = va - about;
      db = vb - about;
      plain.duration += length;
      plain.sum += length * (da + db) / 2;
      plain.square += length * (da * da + da * db + db * db) / 3;
    }
  return plain;
}

/* Ranges of many blocks, gaps among them, are what a plain sum over all pieces gives. */
static void
test_blocks (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (5));
  g_auto (Samples) samples = samples_new ();
  double t = 0;

  for (guint i = 0; i < 30000; i++, t += g_rand_double (random))
    add (&samples, t,
         i % 4999 == 4000 || i == 8192 ? (double) NAN : 100 + g_rand_double_range (random, -1, 2));
  for (guint k = 0; k < 3; k++)
    {
      WeirBetween between = (WeirBetween) k;
      g_autoptr (WeirMeasure) m = measure (&samples, between);

      for (guint trial = 0; trial < 40; trial++)
        {
          double from = g_rand_double_range (random, 0, t), to = g_rand_double_range (random, 0, t);
          Plain plain, centred;
          long double mean;
          WeirStatistics s;

          if (trial == 0)
            from = -1, to = t + 1;
          else if (from > to)
            continue;
          plain = sum_plainly (&samples, between, from, to, 0);
          mean = plain.sum / plain.duration;
          centred = sum_plainly (&samples, between, from, to, mean);
          g_assert_true (weir_measure_get_statistics (m, (WeirTimeRange) { from, to }, &s));
          g_assert_cmpuint (s.n, ==, plain.n);
          g_assert_cmpuint (s.n_gaps, ==, plain.n_gaps);
          g_assert_cmpfloat_with_epsilon (s.duration, (double) plain.duration, 1e-9);
          g_assert_cmpfloat_with_epsilon (s.mean, (double) mean, 1e-10);
          g_assert_cmpfloat_with_epsilon (s.deviation,
                                          sqrt ((double) (centred.square / plain.duration)), 1e-9);
        }
    }
}

static double
far_sine (double t)
{
  return 1e9 + sin (2 * G_PI * t);
}

/* A small change of a large value: nothing is lost to squares. */
static void
test_large_mean (void)
{
  g_auto (Samples) samples = sample (far_sine, 0, 5, 1e-4);
  g_autoptr (WeirMeasure) m = measure (&samples, WEIR_BETWEEN_LINES);
  WeirStatistics s;

  g_assert_true (weir_measure_get_statistics (m, WEIR_ALL_TIME, &s));
  g_assert_cmpfloat_with_epsilon (s.deviation, G_SQRT2 / 2, 2e-7);
  g_assert_cmpfloat_with_epsilon (s.mean - 1e9, 0, 2e-6);
}

/* --- Steps ----------------------------------------------------------------------------------- */

/* 4 / (s^2 + 2 s + 4). */
static double
second_order (double t)
{
  return 1 - exp (-t) * (cos (sqrt (3) * t) + sin (sqrt (3) * t) / sqrt (3));
}

/* 2 (1 - s) / ((s + 1) (s + 2)). */
static double
non_minimum (double t)
{
  return 1 - 4 * exp (-t) + 3 * exp (-2 * t);
}

static double
falling (double t)
{
  return 3 - 2 * second_order (t);
}

/* The figures are those of the closed forms (40 digits); lines between samples are off by their
 * step's square. */
static void
test_steps (void)
{
  static const struct {
    double (*f) (double t);
    double initial, final, rise, settling, overshoot, undershoot, peak_time;
  } cases[] = {
    { second_order, 0, 1, 0.8187864737, 4.038174487, 16.30335348, 0, 1.813799364 },
    { falling, 3, 1, 0.8187864737, 4.038174487, 16.30335348, 0, 0 },
    { non_minimum, 0, 1, 2.419939812, 5.294546095, 0, 100.0 / 3, 30 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Samples) samples = sample (cases[i].f, 0, 30, 1e-3);
      g_autoptr (WeirMeasure) m = measure (&samples, WEIR_BETWEEN_LINES);
      WeirStepLevels levels = WEIR_STEP_LEVELS;
      WeirStepFigures s;

      levels.initial = cases[i].initial;
      levels.final = cases[i].final;
      g_assert_true (weir_measure_get_step (m, WEIR_ALL_TIME, &levels, &s));
      g_assert_null (s.why_not);
      g_assert_cmpfloat_with_epsilon (s.rise_time, cases[i].rise, 2e-6);
      g_assert_cmpfloat_with_epsilon (s.settling_time, cases[i].settling, 1e-5);
      g_assert_cmpfloat_with_epsilon (s.overshoot, cases[i].overshoot, 1e-4);
      g_assert_cmpfloat_with_epsilon (s.undershoot, cases[i].undershoot, 1e-4);
      g_assert_cmpfloat_with_epsilon (s.peak_time, cases[i].peak_time, 2e-3);
      /* By default from the first value to the last. */
      g_assert_true (weir_measure_get_step (m, WEIR_ALL_TIME, &WEIR_STEP_LEVELS, &s));
      g_assert_cmpfloat_with_epsilon (s.settling_time, cases[i].settling, 1e-5);
    }
}

/* A signal that has no such figure has a sentence instead. */
static void
test_no_step (void)
{
  g_auto (Samples) samples = sample (second_order, 0, 30, 1e-2);
  g_autoptr (WeirMeasure) m = measure (&samples, WEIR_BETWEEN_LINES);
  g_autoptr (WeirMeasure) constant = weir_measure_new_for_arrays (
      3, (const double[]) { 0, 1, 3 }, (const double[]) { 4, 4, 4 }, WEIR_BETWEEN_LINES);
  WeirStepLevels levels = WEIR_STEP_LEVELS;
  WeirStepFigures s;
  WeirPeriodFigures p;

  g_assert_true (weir_measure_get_step (constant, WEIR_ALL_TIME, &levels, &s));
  g_assert_cmpstr (s.why_not, ==, "the signal is constant");
  g_assert_true (isnan (s.rise_time) && isnan (s.settling_time) && isnan (s.overshoot));
  g_assert_true (weir_measure_get_period (constant, WEIR_ALL_TIME, &p));
  g_assert_cmpstr (p.why_not, ==, "the signal is constant");
  g_assert_true (isnan (p.period) && isnan (p.duty));
  levels.final = 1.1;
  g_assert_true (weir_measure_get_step (m, WEIR_ALL_TIME, &levels, &s));
  g_assert_nonnull (s.why_not);
  g_assert_true (isnan (s.settling_time) && !isnan (s.rise_time));
  levels.final = 2;
  g_assert_true (weir_measure_get_step (m, WEIR_ALL_TIME, &levels, &s));
  g_assert_true (isnan (s.rise_time) && isnan (s.settling_min));
  levels.initial = levels.final = 1;
  g_assert_true (weir_measure_get_step (m, WEIR_ALL_TIME, &levels, &s));
  g_assert_true (isnan (s.overshoot) && s.why_not != NULL);
  g_assert_true (weir_measure_get_period (m, (WeirTimeRange) { 0, 2 }, &p));
  g_assert_cmpstr (p.why_not, ==, "the signal has no whole period in the range");
}

/* Stairs: 0 up to 1 s, then 0.5, 1.2 from 2 s on and 1 from 3 s on. */
static void
test_stairs (void)
{
  static const double times[] = { 0, 1, 2, 3, 5 };
  g_autoptr (WeirMeasure) m = weir_measure_new_for_arrays (
      5, times, (const double[]) { 0, 0.5, 1.2, 1, 1 }, WEIR_BETWEEN_HELD);
  /* The same as a run records it: before each update. */
  g_autoptr (WeirMeasure) recorded = weir_measure_new_for_arrays (
      5, times, (const double[]) { 0, 0, 0.5, 1.2, 1 }, WEIR_BETWEEN_HELD_BEFORE);
  WeirMeasure *both[] = { m, recorded };

  for (guint i = 0; i < 2; i++)
    {
      WeirStepFigures s;
      WeirStatistics all;

      g_assert_true (weir_measure_get_statistics (both[i], WEIR_ALL_TIME, &all));
      g_assert_cmpfloat_with_epsilon (all.mean, 3.7 / 5, 1e-15);
      g_assert_true (weir_measure_get_step (both[i], WEIR_ALL_TIME, &WEIR_STEP_LEVELS, &s));
      g_assert_cmpfloat (s.low_time, ==, 1);
      g_assert_cmpfloat (s.high_time, ==, 2);
      g_assert_cmpfloat (s.settling_time, ==, 3);
      g_assert_cmpfloat_with_epsilon (s.overshoot, 20, 1e-12);
      g_assert_cmpfloat (s.settling_min, ==, 1);
      g_assert_cmpfloat (s.settling_max, ==, 1.2);
    }
}

/* --- What repeats ---------------------------------------------------------------------------- */

static double
get_distortion (const WeirMeasure *m)
{
  WeirPeriodFigures p;

  g_assert_true (weir_measure_get_period (m, WEIR_ALL_TIME, &p));
  return weir_measure_get_distortion (m, &p);
}

static void
get_harmonics (const WeirMeasure *m, WeirHarmonic harmonics[5])
{
  WeirPeriodFigures p;

  g_assert_true (weir_measure_get_period (m, WEIR_ALL_TIME, &p));
  g_assert_true (weir_measure_get_harmonics (m, &p, 5, harmonics));
}

#define OMEGA (2 * G_PI * 1.7)

static double
sine (double t)
{
  return 3 + 2 * sin (OMEGA * t);
}

static double
later_sine (double t)
{
  return 0.1 * sin (OMEGA * t - 40 * G_PI / 180);
}

static double
rich (double t)
{
  return 1 + 2 * sin (OMEGA * t) + 0.5 * cos (3 * OMEGA * t) + 0.1 * sin (5 * OMEGA * t);
}

static void
test_period (void)
{
  g_auto (Samples) a = sample (sine, 0, 10, 1e-4);
  g_auto (Samples) b = sample (later_sine, 0, 10, 1.3e-4);
  g_autoptr (WeirMeasure) m = measure (&a, WEIR_BETWEEN_LINES);
  g_autoptr (WeirMeasure) later = measure (&b, WEIR_BETWEEN_LINES);
  WeirPeriodFigures p;

  g_assert_true (weir_measure_get_period (m, WEIR_ALL_TIME, &p));
  g_assert_null (p.why_not);
  g_assert_cmpuint (p.n_periods, ==, 15); /* 17, but those cut at the ends */
  g_assert_cmpfloat_with_epsilon (p.frequency, 1.7, 1e-6);
  g_assert_cmpfloat_with_epsilon (p.duty, 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (p.cycle_mean, 3, 1e-6);
  g_assert_cmpfloat_with_epsilon (p.cycle_rms, sqrt (11), 1e-6);
  g_assert_cmpfloat_with_epsilon (weir_measure_get_phase (m, later, WEIR_ALL_TIME, NULL), -40,
                                  1e-3);
  g_assert_cmpfloat_with_epsilon (weir_measure_get_phase (later, m, WEIR_ALL_TIME, NULL), 40, 1e-3);
  g_assert_cmpfloat_with_epsilon (get_distortion (m), 0, 2e-4);
}

/* Amplitudes 2, 0.5, 0.1 at 1, 3, 5 times the frequency, over whole periods wherever they begin. */
static void
test_harmonics (void)
{
  g_auto (Samples) a = sample (rich, 0.123, 7, 1e-4);
  g_auto (Samples) fine = sample (rich, 0.123, 7, 1e-5); /* blocks are short beside a period */
  g_auto (Samples) coarse = sample (rich, 0.123, 7, 3e-3);
  g_autoptr (WeirMeasure) m = measure (&a, WEIR_BETWEEN_LINES);
  g_autoptr (WeirMeasure) m_fine = measure (&fine, WEIR_BETWEEN_LINES);
  g_autoptr (WeirMeasure) m_coarse = measure (&coarse, WEIR_BETWEEN_LINES);
  WeirHarmonic h[5];

  get_harmonics (m, h);
  g_assert_cmpfloat_with_epsilon (h[0].amplitude, 2, 1e-5);
  g_assert_cmpfloat_with_epsilon (h[1].amplitude, 0, 1e-5);
  g_assert_cmpfloat_with_epsilon (h[2].amplitude, 0.5, 1e-5);
  g_assert_cmpfloat_with_epsilon (h[4].amplitude, 0.1, 1e-5);
  g_assert_cmpfloat_with_epsilon (get_distortion (m), hypot (0.5, 0.1) / 2, 1e-5);
  get_harmonics (m_fine, h);
  g_assert_cmpfloat_with_epsilon (h[0].amplitude, 2, 1e-7);
  g_assert_cmpfloat_with_epsilon (h[2].amplitude, 0.5, 1e-7);
  g_assert_cmpfloat_with_epsilon (get_distortion (m_fine), hypot (0.5, 0.1) / 2, 1e-7);
  /* Long pieces: lines are lower than a sine by (w dt)^2 / 12 and the spread of steps. */
  get_harmonics (m_coarse, h);
  g_assert_cmpfloat_with_epsilon (h[0].amplitude, 2, 2e-3);
  g_assert_cmpfloat_with_epsilon (h[2].amplitude, 0.5, 3e-3);
}

/* Square and triangle, exactly: sqrt (pi^2 / 8 - 1), sqrt (pi^4 / 96 - 1). */
static void
test_wave_forms (void)
{
  g_auto (Samples) square = samples_new ();
  g_auto (Samples) triangle = samples_new ();
  g_auto (Samples) pulse = samples_new ();
  g_autoptr (WeirMeasure) m_square = NULL;
  g_autoptr (WeirMeasure) m_triangle = NULL;
  g_autoptr (WeirMeasure) m_pulse = NULL;
  WeirPeriodFigures p;

  for (guint k = 0; k < 12; k++)
    {
      add (&square, k, k % 2 == 0 ? -1 : 1);
      add (&triangle, k, k % 2 == 0 ? -1 : 1);
      add (&pulse, 2 * k, 0);
      add (&pulse, 2 * k + 0.6, 5);
    }
  m_square = measure (&square, WEIR_BETWEEN_HELD);
  m_triangle = measure (&triangle, WEIR_BETWEEN_LINES);
  m_pulse = measure (&pulse, WEIR_BETWEEN_HELD);
  g_assert_cmpfloat_with_epsilon (get_distortion (m_square), 0.4834258476, 1e-9);
  g_assert_cmpfloat_with_epsilon (get_distortion (m_triangle), 0.1211529265, 1e-9);
  g_assert_true (weir_measure_get_period (m_triangle, WEIR_ALL_TIME, &p));
  g_assert_cmpfloat (p.period, ==, 2);
  g_assert_true (weir_measure_get_period (m_pulse, WEIR_ALL_TIME, &p));
  g_assert_cmpfloat_with_epsilon (p.period, 2, 1e-14);
  g_assert_cmpfloat_with_epsilon (p.duty, 0.7, 1e-14);
  g_assert_cmpfloat (p.base, ==, 0);
  g_assert_cmpfloat (p.top, ==, 5);
  g_assert_cmpfloat_with_epsilon (p.cycle_mean, 3.5, 1e-14);
}

/* --- Peaks and spectra ----------------------------------------------------------------------- */

static void
add_waves (Samples *samples, double offset)
{
  for (guint k = 0; k < 200; k++)
    add (samples, k / 50.0, sin (0.7 * k) + 0.5 * sin (0.23 * k) + 0.3 * cos (1.9 * k) + offset);
}

/* scipy.signal.find_peaks (y, prominence = 0.8 and 1.6), and of -y. */
static void
test_peaks (void)
{
  static const guint small[] = { 3,   8,   10,  15,  20,  25,  30,  34,  37,  42,  47,
                                 51,  56,  61,  66,  71,  73,  78,  83,  88,  92,  97,
                                 102, 105, 110, 114, 119, 124, 129, 131, 136, 141, 146,
                                 151, 155, 160, 165, 167, 172, 177, 182, 187, 192, 194 };
  g_auto (Samples) samples = samples_new ();
  g_autoptr (WeirMeasure) m = NULL;
  g_autoptr (GArray) peaks = NULL;
  g_autoptr (GArray) high = NULL;

  add_waves (&samples, 0);
  m = measure (&samples, WEIR_BETWEEN_LINES);
  peaks = weir_measure_list_peaks (m, WEIR_ALL_TIME, 0.8);
  g_assert_cmpuint (peaks->len, ==, G_N_ELEMENTS (small));
  for (guint i = 0; i < peaks->len; i++)
    {
      g_assert_cmpfloat (g_array_index (peaks, WeirPeak, i).time, ==, small[i] / 50.0);
      g_assert_true (g_array_index (peaks, WeirPeak, i).is_maximum == (i % 2 == 0));
    }
  high = weir_measure_list_peaks (m, WEIR_ALL_TIME, 1.6);
  g_assert_cmpuint (high->len, ==, G_N_ELEMENTS (small) - 3);
  g_assert_cmpfloat (g_array_index (high, WeirPeak, 0).time, ==, 8 / 50.0);
  g_assert_cmpfloat (g_array_index (high, WeirPeak, high->len - 1).time, ==, 187 / 50.0);
}

/* scipy.signal.periodogram (y, 50, window, detrend = False), and welch. */
static void
test_spectra (void)
{
  static const struct {
    WeirSpectrumWindow window;
    double densities[4]; /* at 0, 7, 22, 60 */
    double amplitude;    /* sqrt (2 * spectrum) at 22 */
  } cases[] = {
    { WEIR_WINDOW_BOX,
      { 0.711284990661, 0.383776943365, 1.49174711845, 0.0841274720525 },
      0.863639716099 },
    { WEIR_WINDOW_HANN,
      { 0.42599869857, 0.29144395181, 1.20308948623, 0.0888714168354 },
      0.949903739686 },
    { WEIR_WINDOW_HAMMING,
      { 0.476556039824, 0.314785363142, 1.28878641085, 0.0919305019211 },
      0.937120951877 },
    { WEIR_WINDOW_BLACKMAN,
      { 0.370413582355, 0.260946376841, 1.06935909348, 0.0826613825193 },
      0.960865155844 },
    { WEIR_WINDOW_FLAT_TOP,
      { 0.16975004343, 0.132670261648, 0.530766902215, 0.047660636086 },
      1.00028046754 },
  };
  static const gsize places[] = { 0, 7, 22, 60 };
  static const gsize even[] = { 0, 1, 7, 19 }, odd[] = { 0, 1, 8 };
  static const double averaged[] = { 0.00264172273381, 0.00429041215694, 0.417462376862,
                                     0.0326391623697 };
  static const double averaged_odd[] = { 0.159692801224, 0.0814143060607, 0.423810474915 };
  g_auto (Samples) samples = samples_new ();
  g_autoptr (WeirMeasure) m = NULL;
  g_autoptr (WeirSpectrum) welch = NULL;
  g_autoptr (WeirSpectrum) welch_odd = NULL;

  add_waves (&samples, 0.4);
  m = measure (&samples, WEIR_BETWEEN_LINES);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirSpectrumOptions options = { .window = cases[i].window };
      g_autoptr (WeirSpectrum) s = weir_measure_get_spectrum (m, WEIR_ALL_TIME, &options);

      g_assert_nonnull (s);
      g_assert_cmpuint (s->n, ==, 200);
      g_assert_cmpfloat_with_epsilon (s->rate, 50, 1e-12);
      for (guint k = 0; k < G_N_ELEMENTS (places); k++)
        g_assert_cmpfloat_with_epsilon (s->densities[places[k]], cases[i].densities[k], 1e-11);
      g_assert_cmpfloat_with_epsilon (s->amplitudes[22], cases[i].amplitude, 1e-11);
    }
  welch = weir_measure_get_spectrum (
      m, WEIR_ALL_TIME,
      &(WeirSpectrumOptions) { .window = WEIR_WINDOW_HANN, .n = 64, .removes_mean = TRUE });
  g_assert_cmpuint (welch->n_stretches, ==, 5);
  for (guint k = 0; k < G_N_ELEMENTS (even); k++)
    g_assert_cmpfloat_with_epsilon (welch->densities[even[k]], averaged[k], 1e-11);
  welch_odd = weir_measure_get_spectrum (
      m, WEIR_ALL_TIME, &(WeirSpectrumOptions) { .window = WEIR_WINDOW_HANN, .n = 75 });
  for (guint k = 0; k < G_N_ELEMENTS (odd); k++)
    g_assert_cmpfloat_with_epsilon (welch_odd->densities[odd[k]], averaged_odd[k], 1e-11);
}

/* --- Bounds ---------------------------------------------------------------------------------- */

static WeirBoundVerdict
check (const WeirMeasure *m, const char *text)
{
  WeirBound bound;
  const char *signal;
  g_autofree char *again = NULL;

  g_assert_true (weir_bound_parse (text, &bound, &signal));
  again = weir_bound_to_text (&bound, signal);
  g_assert_cmpstr (again, ==, text);
  return weir_bound_check (&bound, m);
}

/* A triangle, 0 to 1 to 0 within 2 s, on steps of no one length: where it leaves and how far is
 * read from its straight sides. */
static void
test_bounds (void)
{
  static const double times[] = { 0, 0.3, 0.35, 0.9, 1, 1.4, 2 };
  static const char *const unsound[] = { "upper 1 0 2 2 y",   "upper 0 1 2 y",
                                         "upper 0 inf 1 2 y", "upper 0 1 nan nan y",
                                         "upper 0 1 2 2 ",    "above 0 1 2 2 y" };
  g_auto (Samples) samples = samples_new ();
  g_autoptr (WeirMeasure) m = NULL;
  WeirBoundVerdict verdict;
  WeirBound bound;
  const char *signal;

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    add (&samples, times[i], 1 - fabs (times[i] - 1));
  m = measure (&samples, WEIR_BETWEEN_LINES);
  verdict = check (m, "upper -inf inf 1 1 plant.y of it");
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_KEPT); /* it touches it */
  g_assert_true (isnan (verdict.broken_at));
  g_assert_cmpfloat (verdict.worst, ==, 0);
  g_assert_cmpfloat (verdict.worst_at, ==, 1);
  verdict = check (m, "upper 0 2 0.75 0.75 y");
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_BROKEN);
  g_assert_cmpfloat_with_epsilon (verdict.broken_at, 0.75, 1e-15);
  g_assert_cmpfloat_with_epsilon (verdict.worst, 0.25, 1e-15);
  verdict = check (m, "upper 1.5 2 0.75 0.75 y"); /* later it is below */
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_KEPT);
  g_assert_cmpfloat_with_epsilon (verdict.worst, -0.25, 1e-15);
  verdict = check (m, "upper 0 2 0 2 y"); /* the line through 0 and 2: above at no time */
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_KEPT);
  verdict = check (m, "lower 0.5 2 0.25 1 y"); /* 0.5 (t - 0.5) + 0.25 = 2 - t at 4/3 */
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_BROKEN);
  g_assert_cmpfloat_with_epsilon (verdict.broken_at, 4 / 3., 1e-14);
  g_assert_cmpfloat_with_epsilon (verdict.worst, 1, 1e-15);
  g_assert_cmpfloat (verdict.worst_at, ==, 2);
  verdict = check (m, "upper 1.5 3 0.75 0.75 y"); /* the samples end before */
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_UNSEEN);
  verdict = check (m, "upper 3 4 0.75 0.75 y");
  g_assert_cmpint (verdict.state, ==, WEIR_BOUND_UNSEEN);
  g_assert_true (isnan (verdict.worst));
  for (guint i = 0; i < G_N_ELEMENTS (unsound); i++)
    g_assert_false (weir_bound_parse (unsound[i], &bound, &signal));
}

/* What is held goes beyond a bound at the sample, not on the way to it; a gap is not judged. */
static void
test_bounds_held (void)
{
  g_auto (Samples) samples = samples_new ();
  g_autoptr (WeirMeasure) held = NULL;
  g_autoptr (WeirMeasure) before = NULL;
  g_autoptr (WeirMeasure) gap = NULL;

  add (&samples, 0, 0);
  add (&samples, 1, 2);
  add (&samples, 3, 0);
  held = measure (&samples, WEIR_BETWEEN_HELD);
  before = measure (&samples, WEIR_BETWEEN_HELD_BEFORE);
  g_assert_cmpfloat (check (held, "upper 0 3 1 1 y").broken_at, ==, 1);
  g_assert_cmpfloat (check (before, "upper 0 3 1 1 y").broken_at, ==, 0);
  add (&samples, 4, (double) NAN);
  add (&samples, 5, 0);
  gap = measure (&samples, WEIR_BETWEEN_LINES);
  g_assert_cmpint (check (gap, "upper 0 5 3 3 y").state, ==, WEIR_BOUND_UNSEEN);
  g_assert_cmpint (check (gap, "upper 0 3 3 3 y").state, ==, WEIR_BOUND_KEPT);
  g_assert_cmpint (check (gap, "upper 0 5 1 1 y").state, ==, WEIR_BOUND_BROKEN);
}

/* The step of 4/(s^2 + 2s + 4): overshoot 16.30335348 %, settled within 2 % after 4.038174487 s, at
 * 90 % after 1.062901122 s (closed forms). The same upside down. */
static void
test_envelope (void)
{
  static const struct {
    double rise, settling, overshoot;
    guint n_broken;
  } cases[] = {
    { 1.07, 4.1, 0.17, 0 },
    { 1.07, 4.1, 0.16, 1 },
    { 1.07, 4.0, 0.17, 1 },
    { 1.05, 4.1, 0.17, 1 },
  };

  for (int sign = -1; sign <= 1; sign += 2)
    {
      WeirStepLevels levels = WEIR_STEP_LEVELS;
      g_auto (Samples) samples = samples_new ();
      g_autoptr (WeirMeasure) m = NULL;

      levels.initial = 0;
      levels.final = sign;
      for (int i = 0; i <= 4000; i++)
        {
          double t = i / 400., w = sqrt (3);

          add (&samples, t, sign * (1 - exp (-t) * (cos (w * t) + sin (w * t) / w)));
        }
      m = measure (&samples, WEIR_BETWEEN_LINES);
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          WeirBound bounds[WEIR_N_ENVELOPE_BOUNDS];
          guint n_broken = 0;

          weir_bound_make_envelope (&levels, 0, 10, cases[i].rise, cases[i].settling,
                                    cases[i].overshoot, 0.01, bounds);
          for (guint k = 0; k < WEIR_N_ENVELOPE_BOUNDS; k++)
            {
              g_assert_true (weir_bound_is_sound (&bounds[k]));
              n_broken += weir_bound_check (&bounds[k], m).state == WEIR_BOUND_BROKEN;
            }
          g_assert_cmpuint (n_broken, ==, cases[i].n_broken);
        }
    }
}

/* Parseval: of one stretch without a window the density's integral over frequency is the samples'
 * mean square, whether their number is even or odd. Samples that are not even are read at even
 * times, and that is told. */
static void
test_parseval (void)
{
  for (guint n = 150; n <= 151; n++)
    for (guint is_uneven = 0; is_uneven < 2; is_uneven++)
      {
        g_auto (Samples) samples = samples_new ();
        g_autoptr (WeirMeasure) m = NULL;
        g_autoptr (WeirSpectrum) s = NULL;
        double square = 0, sum = 0;

        for (guint i = 0; i < n; i++)
          {
            double t = i / 50. + (is_uneven && i % 3 == 1 ? 0.004 : 0);
            double y = 0.3 + sin (9 * t) + 0.2 * cos (61 * t * t);

            add (&samples, t, y);
            square += y * y / n;
          }
        m = measure (&samples, WEIR_BETWEEN_LINES);
        s = weir_measure_get_spectrum (m, WEIR_ALL_TIME,
                                       &(WeirSpectrumOptions) { .window = WEIR_WINDOW_BOX });
        g_assert_cmpuint (s->n, ==, n);
        for (gsize k = 0; k < s->n_frequencies; k++)
          sum += s->densities[k] * s->rate / (double) s->n;
        g_assert_cmpint (s->is_resampled, ==, is_uneven);
        if (is_uneven) /* the values that are read are others */
          g_assert_cmpfloat_with_epsilon (sum, square, 0.02);
        else
          g_assert_cmpfloat_with_epsilon (sum, square, 1e-12);
      }
}

/* Coherent gain, equivalent noise bandwidth, scallop loss (dB): Harris, Proc. IEEE 66, 1978. */
static void
test_windows (void)
{
  static const double expected[WEIR_N_WINDOWS][3] = {
    [WEIR_WINDOW_BOX] = { 1, 1, 3.9224 },
    [WEIR_WINDOW_HANN] = { 0.5, 1.5, 1.4236 },
    [WEIR_WINDOW_HAMMING] = { 0.54, 1.36283, 1.7514 },
    [WEIR_WINDOW_BLACKMAN] = { 0.42, 1.72676, 1.0989 },
    [WEIR_WINDOW_FLAT_TOP] = { 0.215579, 3.77025, 0.0098 },
  };
  const gsize n = 4096;

  for (guint i = 0; i < WEIR_N_WINDOWS; i++)
    {
      double sum = 0, square = 0, re = 0, im = 0;
      WeirSpectrumWindow window;

      g_assert_true (weir_spectrum_window_find (
          weir_spectrum_window_get_name ((WeirSpectrumWindow) i), &window));
      for (gsize k = 0; k < n; k++)
        {
          double w = weir_spectrum_window_get (window, k, n);

          sum += w;
          square += w * w;
          re += w * cos (G_PI * (double) k / (double) n);
          im += w * sin (G_PI * (double) k / (double) n);
        }
      g_assert_cmpfloat_with_epsilon (sum / n, expected[i][0], 1e-6);
      g_assert_cmpfloat_with_epsilon (n * square / (sum * sum), expected[i][1], 1e-4);
      g_assert_cmpfloat_with_epsilon (-20 * log10 (hypot (re, im) / sum), expected[i][2], 2e-3);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/measure/by-hand", test_by_hand);
  g_test_add_func ("/analysis/measure/cut", test_cut);
  g_test_add_func ("/analysis/measure/blocks", test_blocks);
  g_test_add_func ("/analysis/measure/large-mean", test_large_mean);
  g_test_add_func ("/analysis/measure/steps", test_steps);
  g_test_add_func ("/analysis/measure/no-step", test_no_step);
  g_test_add_func ("/analysis/measure/stairs", test_stairs);
  g_test_add_func ("/analysis/measure/period", test_period);
  g_test_add_func ("/analysis/measure/harmonics", test_harmonics);
  g_test_add_func ("/analysis/measure/wave-forms", test_wave_forms);
  g_test_add_func ("/analysis/measure/peaks", test_peaks);
  g_test_add_func ("/analysis/measure/spectra", test_spectra);
  g_test_add_func ("/analysis/measure/parseval", test_parseval);
  g_test_add_func ("/analysis/measure/bounds", test_bounds);
  g_test_add_func ("/analysis/measure/bounds-held", test_bounds_held);
  g_test_add_func ("/analysis/measure/envelope", test_envelope);
  g_test_add_func ("/analysis/measure/windows", test_windows);
  return g_test_run ();
}
