/* Spectra of a recorded signal: windows, even samples, averaged stretches. See measure.h. */
#include "analysis/measure-private.h"

#include <float.h>
#include <string.h>

#include "numerics/fourier.h"

#define MAX_SAMPLES ((gsize) 1 << 25) /* of a whole range: 1 GiB with all that is computed */

/* w = sum of (-1)^j c_j cos (2 pi j k / n). Flat top: ISO 18431-2, as MATLAB and scipy have it. */
static const struct {
  const char *name;
  double terms[5];
} windows[WEIR_N_WINDOWS] = {
  [WEIR_WINDOW_BOX] = { "box", { 1 } },
  [WEIR_WINDOW_HANN] = { "hann", { 0.5, 0.5 } },
  [WEIR_WINDOW_HAMMING] = { "hamming", { 0.54, 0.46 } },
  [WEIR_WINDOW_BLACKMAN] = { "blackman", { 0.42, 0.5, 0.08 } },
  [WEIR_WINDOW_FLAT_TOP] = { "flat-top",
                             { 0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368 } },
};

const char *
weir_spectrum_window_get_name (WeirSpectrumWindow window)
{
  return windows[window].name;
}

gboolean
weir_spectrum_window_find (const char *name, WeirSpectrumWindow *window)
{
  for (guint i = 0; i < WEIR_N_WINDOWS; i++)
    if (strcmp (windows[i].name, name) == 0)
      {
        *window = (WeirSpectrumWindow) i;
        return TRUE;
      }
  return FALSE;
}

double
weir_spectrum_window_get (WeirSpectrumWindow window, gsize k, gsize n)
{
  const double *terms = windows[window].terms;
  double sum = 0, sign = 1;

  for (guint j = 0; j < G_N_ELEMENTS (windows[window].terms); j++, sign = -sign)
    if (terms[j] != 0)
      sum += sign * terms[j] * cos (2 * G_PI * (double) (j * k % n) / (double) n);
  return sum;
}

static gboolean
is_near_sample (const WeirMeasure *self, double time, double reach)
{
  double found;

  return (weir_measure_snap (self, WEIR_SNAP_SAMPLE, 0, time, TRUE, &found)
          && found - time <= reach)
         || (weir_measure_snap (self, WEIR_SNAP_SAMPLE, 0, time, FALSE, &found)
             && time - found <= reach);
}

#define SAME_TIME 1e-6 /* of the distance of two samples, that one is beside its even time */

/* The signal at @n even times; FALSE at a gap. @is_resampled: (out) some are between samples. */
static gboolean
read_evenly (const WeirMeasure *self, double from, double rate, gsize n, double *values,
             gboolean *is_resampled)
{
  double last = weir_measure_get_time (self, self->n_rows - 1);

  *is_resampled = FALSE;
  for (gsize k = 0; k < n; k++)
    {
      double time = MIN (from + (double) k / rate, last);
      WeirReading reading;

      if (!weir_measure_read (self, time, &reading))
        return FALSE;
      values[k] = reading.value;
      if (!*is_resampled && !reading.is_sample)
        *is_resampled = !is_near_sample (self, time, SAME_TIME / rate);
    }
  return TRUE;
}

static void
subtract_mean (gsize n, double *values)
{
  double sum = 0;

  for (gsize k = 0; k < n; k++)
    sum += values[k];
  for (gsize k = 0; k < n; k++)
    values[k] -= sum / (double) n;
}

/* Adds |X|^2 of a stretch. */
static void
add_powers (const double *values, const double *weights, gsize n, gboolean removes_mean, double *re,
            double *im, double *powers)
{
  memcpy (re, values, n * sizeof *re);
  if (removes_mean)
    subtract_mean (n, re);
  for (gsize k = 0; k < n; k++)
    {
      re[k] *= weights[k];
      im[k] = 0;
    }
  weir_fourier_transform (n, re, im);
  for (gsize k = 0; k <= n / 2; k++)
    powers[k] += re[k] * re[k] + im[k] * im[k];
}

static WeirSpectrum *
spectrum_new (gsize n, double rate)
{
  WeirSpectrum *self = g_new0 (WeirSpectrum, 1);

  self->n = n;
  self->rate = rate;
  self->n_frequencies = n / 2 + 1;
  self->frequencies = g_new0 (double, self->n_frequencies);
  self->amplitudes = g_new0 (double, self->n_frequencies);
  self->densities = g_new0 (double, self->n_frequencies);
  return self;
}

void
weir_spectrum_free (WeirSpectrum *self)
{
  if (self == NULL)
    return;
  g_free (self->frequencies);
  g_free (self->amplitudes);
  g_free (self->densities);
  g_free (self);
}

/* From the sums of powers, which stand in densities. */
static void
scale (WeirSpectrum *self, const double *weights)
{
  double sum = 0, square = 0;

  for (gsize k = 0; k < self->n; k++)
    {
      sum += weights[k];
      square += weights[k] * weights[k];
    }
  for (gsize k = 0; k < self->n_frequencies; k++)
    {
      double power = self->densities[k] / self->n_stretches;
      double twice = k == 0 || 2 * k == self->n ? 1 : 2;

      self->frequencies[k] = (double) k * self->rate / (double) self->n;
      self->amplitudes[k] = twice * sqrt (power) / sum;
      self->densities[k] = twice * power / (self->rate * square);
    }
}

WeirSpectrum *
weir_measure_get_spectrum (const WeirMeasure *self, WeirTimeRange range,
                           const WeirSpectrumOptions *options)
{
  g_autofree double *values = NULL;
  g_autofree double *weights = NULL;
  g_autofree double *re = NULL;
  g_autofree double *im = NULL;
  g_autoptr (WeirSpectrum) spectrum = NULL;
  WeirStatistics all;
  gboolean is_resampled;
  double rate;
  gsize n_all, n;

  if (!weir_measure_get_statistics (self, range, &all) || all.n < 2 || !(all.to > all.from))
    return NULL;
  rate = options->rate > 0 ? options->rate : (double) (all.n - 1) / (all.to - all.from);
  if ((all.to - all.from) * rate > (double) MAX_SAMPLES)
    rate = (double) MAX_SAMPLES / (all.to - all.from);
  n_all = (gsize) floor ((all.to - all.from) * rate * (1 + 4 * DBL_EPSILON)) + 1;
  n = options->n > 0 ? MIN (options->n, n_all) : n_all;
  values = g_new (double, n_all);
  weights = g_new (double, n);
  re = g_new (double, n);
  im = g_new (double, n);
  if (n < 2 || !read_evenly (self, all.from, rate, n_all, values, &is_resampled))
    return NULL;
  for (gsize k = 0; k < n; k++)
    weights[k] = weir_spectrum_window_get (options->window, k, n);
  spectrum = spectrum_new (n, rate);
  spectrum->is_resampled = is_resampled;
  for (gsize begin = 0; begin + n <= n_all; begin += n - n / 2)
    {
      add_powers (values + begin, weights, n, options->removes_mean, re, im, spectrum->densities);
      spectrum->n_stretches++;
    }
  scale (spectrum, weights);
  return g_steal_pointer (&spectrum);
}
