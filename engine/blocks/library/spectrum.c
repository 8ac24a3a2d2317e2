/* Spectrum: the amplitudes of the frequencies in a sampled signal, window by window.
 *
 * Of the N samples of a window, X_k = sum w_n u_n exp (-2 pi i k n / N) is summed up as they come,
 * for k = 0 to N / 2: no burst of work at the window's end, and N is any number, such as the length
 * of a pseudo-random sequence. Amplitudes are scaled so that a sine of amplitude A whose frequency
 * is k / (N period) gives A at k; the powers of several windows are averaged, the first ones by
 * their number, later ones with a fixed weight.
 *
 * One output is the whole spectrum. The other two go through it, up and down once in each window, a
 * frequency and its amplitude at a time: wired to an XY Scope they draw it.
 */
#include "blocks/types/family.h"

#include <string.h>

#define CATEGORY N_ ("Discrete")
#define MAX_SAMPLES 4096
#define LEAST_POWER 1e-24 /* what is less counts as this: -240 dB */

static const WeirInput U = { 0 };
static const WeirGroup PLACE = { 0 }, SUMS = { 1 }, POWER = { 2 };

/* Of PLACE: samples of the window so far, and windows. */
enum { N_SAMPLES, N_WINDOWS };

enum { RECTANGULAR, HANN, HAMMING, BLACKMAN };

static const char *const windows[] = { [RECTANGULAR] = "rectangular",
                                       [HANN] = "hann",
                                       [HAMMING] = "hamming",
                                       [BLACKMAN] = "blackman",
                                       NULL };
/* w_n = a - b cos (2 pi n / N) + c cos (4 pi n / N). */
static const double window_terms[][3] = {
  [RECTANGULAR] = { 1, 0, 0 },
  [HANN] = { 0.5, 0.5, 0 },
  [HAMMING] = { 0.54, 0.46, 0 },
  [BLACKMAN] = { 0.42, 0.5, 0.08 },
};

static const char *const scales[] = { "amplitude", "decibels", NULL };

typedef struct {
  double period;   /* s */
  double averages; /* windows */
  guint32 n, n_bins;
  guint32 is_decibels, filler;
  double numbers[]; /* cos (2 pi k / n), then w_k / sum w, for k from 0 to n - 1 */
} Analysis;

static double
get_cosine (const Analysis *analysis, gsize k)
{
  return analysis->numbers[k % analysis->n];
}

/* cos (x - pi / 2), looked up too where a quarter of the circle is a whole number of steps. */
static double
get_sine (const Analysis *analysis, gsize k)
{
  guint n = analysis->n;

  return n % 4 == 0 ? get_cosine (analysis, k + 3 * (gsize) (n / 4))
                    : sin (2 * G_PI * (double) (k % n) / n);
}

/* The window is complete: its powers go into the average. */
static void
end_window (const Analysis *analysis, double *place, double *sums, double *power)
{
  place[N_SAMPLES] = 0;
  place[N_WINDOWS] += 1;
  for (guint k = 0; k < analysis->n_bins; k++)
    {
      /* Of all others there are two, k and n - k. */
      double twice = k == 0 || 2 * k == analysis->n ? 1 : 2;
      double re = twice * sums[2 * k], im = twice * sums[2 * k + 1];

      power[k] += (re * re + im * im - power[k]) / MIN (place[N_WINDOWS], analysis->averages);
    }
  memset (sums, 0, 2 * (gsize) analysis->n_bins * sizeof *sums);
}

static WeirStatus
spectrum_update (const WeirCalc *c, G_GNUC_UNUSED gint64 n, WeirNextState *next)
{
  const Analysis *analysis = weir_calc_data (c);
  double *place = weir_next_state_discrete (next, PLACE);
  double *sums = weir_next_state_discrete (next, SUMS);
  gsize at = (gsize) place[N_SAMPLES];
  double u = weir_calc_input (c, U)[0] * analysis->numbers[analysis->n + at % analysis->n];

  for (gsize k = 0; k < analysis->n_bins; k++)
    {
      sums[2 * k] += u * get_cosine (analysis, k * at);
      sums[2 * k + 1] -= u * get_sine (analysis, k * at);
    }
  place[N_SAMPLES] += 1;
  if (place[N_SAMPLES] >= analysis->n)
    end_window (analysis, place, sums, weir_next_state_discrete (next, POWER));
  return WEIR_OK;
}

static double
to_scale (const Analysis *analysis, double power)
{
  return analysis->is_decibels ? 10 * log10 (power > LEAST_POWER ? power : LEAST_POWER)
                               : sqrt (power > 0 ? power : 0);
}

static WeirStatus
spectrum_y (const WeirCalc *c, double *y)
{
  const Analysis *analysis = weir_calc_data (c);
  const double *power = weir_calc_discrete (c, POWER);

  for (guint k = 0; k < analysis->n_bins; k++)
    y[k] = to_scale (analysis, power[k]);
  return WEIR_OK;
}

/* Up to the highest frequency and down again; at 0 until there is a spectrum. */
static guint
get_bin (const Analysis *analysis, const double *place)
{
  guint at = place[N_SAMPLES] >= 0 && place[N_SAMPLES] < analysis->n ? (guint) place[N_SAMPLES] : 0;

  return place[N_WINDOWS] >= 1 ? MIN (at, analysis->n - at) : 0;
}

static WeirStatus
spectrum_frequency (const WeirCalc *c, double *frequency)
{
  const Analysis *analysis = weir_calc_data (c);

  *frequency = get_bin (analysis, weir_calc_discrete (c, PLACE)) / (analysis->n * analysis->period);
  return WEIR_OK;
}

static WeirStatus
spectrum_magnitude (const WeirCalc *c, double *magnitude)
{
  const Analysis *analysis = weir_calc_data (c);
  const double *place = weir_calc_discrete (c, PLACE), *power = weir_calc_discrete (c, POWER);

  *magnitude = place[N_WINDOWS] >= 1 ? to_scale (analysis, power[get_bin (analysis, place)]) : 0;
  return WEIR_OK;
}

/* --- Block ----------------------------------------------------------------------------------- */

static const WeirParameterSpec spectrum_parameters[] = {
  {
      .name = "size",
      .label = N_ ("Window length"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "64",
      WEIR_FROM_TO (4, MAX_SAMPLES),
      .help = N_ (
          "How many samples a window has; frequencies are 1 / (length times period) apart."),
  },
  {
      .name = "window",
      .label = N_ ("Window"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "hann",
      .choices = windows,
      .help = N_ (
          "How samples fade at the window's ends; rectangular: not at all, for signals that "
          "repeat after the window."),
  },
  {
      .name = "averages",
      .label = N_ ("Averages"),
      .kind = WEIR_VALUE_INTEGER,
      .default_text = "1",
      WEIR_FROM_TO (1, 1e6),
      .help = N_ ("Over how many windows the power is averaged; 1: the last one alone."),
  },
  {
      .name = "scale",
      .label = N_ ("Scale"),
      .kind = WEIR_VALUE_CHOICE,
      .default_text = "amplitude",
      .choices = scales,
      .help = N_ ("Amplitudes as they are, or 20 times their decimal logarithm."),
  },
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static guint
get_n_bins (const WeirArguments *arguments)
{
  return (guint) weir_arguments_get_integer (arguments, "size") / 2 + 1;
}

static void
spectrum_list_outputs (const WeirArguments *arguments, GArray *ports)
{
  weir_list_port_in (ports, "frequency", 1, "Hz");
  weir_list_port (ports, "magnitude", 1);
  weir_list_port (ports, "spectrum", get_n_bins (arguments));
}

static Analysis *
analysis_new (const WeirArguments *arguments, gsize *bytes)
{
  guint n = (guint) weir_arguments_get_integer (arguments, "size");
  const double *terms = window_terms[weir_arguments_get_choice (arguments, "window")];
  Analysis *analysis;
  double *weights, sum = 0;

  *bytes = sizeof *analysis + 2 * (gsize) n * sizeof (double);
  analysis = g_malloc0 (*bytes);
  analysis->period = weir_arguments_get_number (arguments, "period");
  analysis->averages = (double) weir_arguments_get_integer (arguments, "averages");
  analysis->n = n;
  analysis->n_bins = get_n_bins (arguments);
  analysis->is_decibels = weir_arguments_get_choice (arguments, "scale");
  weights = analysis->numbers + n;
  for (guint k = 0; k < n; k++)
    analysis->numbers[k] = cos (2 * G_PI * k / n);
  for (guint k = 0; k < n; k++)
    {
      weights[k] = terms[0] - terms[1] * get_cosine (analysis, k)
                   + terms[2] * get_cosine (analysis, 2 * (gsize) k);
      sum += weights[k];
    }
  for (guint k = 0; k < n; k++)
    weights[k] /= sum;
  return analysis;
}

static WeirSystem *
spectrum_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  gsize bytes;
  g_autofree Analysis *analysis = NULL;
  g_autofree double *zeros = NULL;
  WeirTicket place, power;
  WeirLeafBuilder *b;

  if (!weir_check_size ("Input u", sizes[0], 1, error))
    return NULL;
  analysis = analysis_new (arguments, &bytes);
  zeros = g_new0 (double, 2 * (gsize) analysis->n_bins);
  b = weir_leaf_builder_new ("Spectrum");
  weir_leaf_add_input (b, "u", 1);
  weir_leaf_set_data (b, analysis, bytes);
  place = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "place", zeros, 2));
  weir_leaf_add_discrete_state (b, "sums", zeros, 2 * analysis->n_bins);
  power = weir_group_ticket (b, weir_leaf_add_discrete_state (b, "power", zeros, analysis->n_bins));
  weir_leaf_add_output (b, "frequency", 1, spectrum_frequency, WEIR_DEPENDS (place));
  weir_leaf_add_output (b, "magnitude", 1, spectrum_magnitude, WEIR_DEPENDS (place, power));
  weir_leaf_add_output (b, "spectrum", analysis->n_bins, spectrum_y, WEIR_DEPENDS (power));
  weir_leaf_add_unrestricted_update (b, weir_every_period (arguments), spectrum_update);
  return weir_leaf_builder_build (b);
}

static const WeirBlockType spectrum_type = {
  .name = "Spectrum",
  .title = N_ ("Spectrum"),
  .category = CATEGORY,
  .summary = N_ ("Samples its input and gives the amplitudes of its frequencies (Fourier)."),
  WEIR_PARAMETERS (spectrum_parameters),
  .list_inputs = weir_list_scalar_u,
  .list_outputs = spectrum_list_outputs,
  .build = spectrum_build,
  WEIR_POSITIONS (WEIR_POSITION (U, "u"), WEIR_POSITION (PLACE, "place"),
                  WEIR_POSITION (SUMS, "sums"), WEIR_POSITION (POWER, "power")),
};

WEIR_FAMILY (spectrum, &spectrum_type);
