/* Figures of a long curve. The reference sums values and squares of the same samples by trapezia,
 * once, with nothing else.
 */
#include "bench.h"

#include <math.h>

#include "analysis/measure.h"

#define N_SAMPLES 10000000

typedef struct {
  double *times, *values;
} Curve;

/* A decaying oscillation of some fifty periods about 1 at uneven times. */
static void
curve_init (Curve *self)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  double t = 0;

  self->times = g_new (double, N_SAMPLES);
  self->values = g_new (double, N_SAMPLES);
  for (guint i = 0; i < N_SAMPLES; i++, t += g_rand_double_range (random, 0.5e-6, 1.5e-6))
    {
      self->times[i] = t;
      self->values[i] = 1 - exp (-0.1 * t) * cos (2 * G_PI * 5 * t);
    }
}

/* All figures of the command line, from nothing kept on. */
static void
find_figures (gpointer data, guint64 n)
{
  const Curve *curve = data;

  while (n-- > 0)
    {
      g_autoptr (WeirMeasure) measure = weir_measure_new_for_arrays (
          N_SAMPLES, curve->times, curve->values, WEIR_BETWEEN_LINES);
      g_autoptr (GArray) peaks = NULL;
      WeirStatistics statistics;
      WeirStepFigures step;
      WeirPeriodFigures period;

      weir_measure_get_statistics (measure, WEIR_ALL_TIME, &statistics);
      weir_measure_get_step (measure, WEIR_ALL_TIME, &WEIR_STEP_LEVELS, &step);
      weir_measure_get_period (measure, WEIR_ALL_TIME, &period);
      peaks = weir_measure_list_peaks (measure, WEIR_ALL_TIME, 0.1);
      bench_sink = statistics.mean + step.rise_time + period.period + peaks->len
                   + weir_measure_get_distortion (measure, &period);
    }
}

static void
sum_up (gpointer data, guint64 n)
{
  const Curve *curve = data;

  while (n-- > 0)
    {
      double sum = 0, square = 0;

      for (guint i = 1; i < N_SAMPLES; i++)
        {
          double dt = curve->times[i] - curve->times[i - 1];

          sum += dt * (curve->values[i] + curve->values[i - 1]);
          square += dt
                    * (curve->values[i] * curve->values[i]
                       + curve->values[i - 1] * curve->values[i - 1]);
        }
      bench_sink = sum + square;
    }
}

static void
measure_figures (G_GNUC_UNUSED const BenchRow *row, BenchResult *result)
{
  Curve curve;
  BenchVariant variants[] = { { .run = find_figures, .data = &curve },
                              { .run = sum_up, .data = &curve } };

  curve_init (&curve);
  bench_compare (variants, G_N_ELEMENTS (variants), result);
  result->value /= 1e6;
  result->best_value /= 1e6;
  result->reference /= 1e6;
  result->best_reference /= 1e6;
  g_free (curve.times);
  g_free (curve.values);
}

const BenchRow bench_measure_rows[] = {
  { "measure-10m", "all figures of a curve of 10 000 000 samples", "ms", BENCH_VALUE_AT_MOST, 50,
    measure_figures, 0 },
  { NULL },
};
