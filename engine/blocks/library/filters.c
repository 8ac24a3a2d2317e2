/* Filters after Butterworth and Chebyshev: low-pass, high-pass, band-pass and band-stop, in
 * continuous time and, by the bilinear transform, in steps.
 *
 * All begin with a low-pass of n poles with its edge at 1 rad/s. Butterworth's lie on the unit
 * circle: exp (i pi (2 k + n + 1) / (2 n)); there the magnitude at the edge is 1 / sqrt 2.
 * Chebyshev's (of the first kind) lie on an ellipse; the magnitude ripples between 1 and
 * 1 / sqrt (1 + e^2), and has the latter at the edge. Substitutions for s make the other responses
 * of it, and z = (1 + s T / 2) / (1 - s T / 2) the sampled form, whose edges are exact because they
 * are warped beforehand.
 */
#include "blocks/library/sections.h"

#include <complex.h>
#include <string.h>

#include "base/error.h"

#ifndef CMPLX /* glibc's header has it for gcc only */
#define CMPLX(real, imaginary) __builtin_complex ((double) (real), (double) (imaginary))
#endif

#define CATEGORY N_ ("Continuous")
#define CATEGORY_DISCRETE N_ ("Discrete")

enum { LOW_PASS, HIGH_PASS, BAND_PASS, BAND_STOP };
enum { BUTTERWORTH, CHEBYSHEV };

static const char *const responses[] = {
  [LOW_PASS] = "lowpass",
  [HIGH_PASS] = "highpass",
  [BAND_PASS] = "bandpass",
  [BAND_STOP] = "bandstop",
  NULL,
};
static const char *const designs[] = {
  [BUTTERWORTH] = "butterworth", [CHEBYSHEV] = "chebyshev", NULL
};

typedef struct {
  guint response, design, order;
  double ripple;    /* of Chebyshev's: e */
  double period;    /* s; 0 = continuous */
  double center;    /* rad/s: the edge, or the geometric mean of both */
  double bandwidth; /* rad/s */
} Design;

/* Of both conjugates, the one above the real axis; rounding leaves a real root real. */
static void
add_root (GArray *roots, double complex at)
{
  WeirFilterRoot root = { creal (at), fabs (cimag (at)) };

  g_array_append_val (roots, root);
}

static double complex
get_prototype_pole (const Design *design, guint k)
{
  double angle = G_PI * (2 * k + 1) / (2.0 * design->order), spread;
  gboolean is_real = 2 * k + 1 == design->order;

  if (design->design == BUTTERWORTH)
    return CMPLX (-sin (angle), is_real ? 0.0 : cos (angle));
  spread = asinh (1 / design->ripple) / design->order;
  return CMPLX (-sinh (spread) * sin (angle), is_real ? 0.0 : cosh (spread) * cos (angle));
}

/* The two roots of s^2 - @sum s + @product. */
static void
solve_quadratic (double complex sum, double product, double complex roots[2])
{
  double complex root;

  /* Of a real polynomial they are real or conjugates to the last bit. */
  if (cimag (sum) == 0)
    {
      double half = creal (sum) / 2, rest = half * half - product;

      roots[0] = rest < 0 ? CMPLX (half, sqrt (-rest)) : CMPLX (half - sqrt (rest), 0.0);
      roots[1] = rest < 0 ? CMPLX (half, -sqrt (-rest)) : CMPLX (half + sqrt (rest), 0.0);
      return;
    }
  root = csqrt (sum * sum / 4 - product);
  roots[0] = sum / 2 + root;
  roots[1] = sum / 2 - root;
}

/* Of prototype pole @p; a real one makes two real ones or one pair. */
static void
add_band_poles (const Design *design, double complex p, GArray *poles)
{
  double complex sum = design->response == BAND_PASS ? design->bandwidth * p
                                                     : design->bandwidth / p;
  double complex roots[2];

  solve_quadratic (sum, design->center * design->center, roots);
  add_root (poles, roots[0]);
  if (cimag (p) != 0 || cimag (roots[0]) == 0)
    add_root (poles, roots[1]);
}

/* Of a continuous filter. */
static void
list_roots (const Design *design, GArray *zeros, GArray *poles)
{
  for (guint k = 0; 2 * k + 1 <= design->order; k++)
    {
      double complex p = get_prototype_pole (design, k);

      if (design->response == LOW_PASS)
        add_root (poles, design->center * p);
      else if (design->response == HIGH_PASS)
        add_root (poles, design->center / p);
      else
        add_band_poles (design, p, poles);
    }
  for (guint k = 0; k < design->order && design->response != LOW_PASS; k++)
    add_root (zeros, design->response == BAND_STOP ? CMPLX (0.0, design->center) : 0.0);
}

static double complex
to_z (const Design *design, double complex s)
{
  double complex half = s * (design->period / 2);

  return (1 + half) / (1 - half);
}

/* The roots in z; zeros at infinity come to -1. */
static void
sample_roots (const Design *design, GArray *zeros, GArray *poles)
{
  GArray *lists[] = { zeros, poles };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint k = 0; k < lists[i]->len; k++)
      {
        WeirFilterRoot *root = &g_array_index (lists[i], WeirFilterRoot, k);
        double complex z = to_z (design, CMPLX (root->re, root->im));

        *root = (WeirFilterRoot) { creal (z), root->im > 0 ? fabs (cimag (z)) : 0 };
      }
  while (weir_roots_count (zeros) < weir_roots_count (poles))
    add_root (zeros, -1);
}

/* Multiplies *@value by the distance of @at from all roots, or divides. */
static double complex
get_distance (const WeirFilterRoot *root, double complex at)
{
  double complex half = CMPLX (root->re, root->im);

  return root->im > 0 ? (at - half) * (at - conj (half)) : at - root->re;
}

/* By what the product over all roots is multiplied so that the filter lets pass what it should: at
 * 0, at infinity (z: at -1), or in the middle of the band. */
static double
get_factor (const Design *design, const GArray *zeros, const GArray *poles)
{
  gboolean is_discrete = design->period > 0;
  gboolean has_dip = design->design == CHEBYSHEV && design->order % 2 == 0;
  double passed = has_dip ? 1 / sqrt (1 + design->ripple * design->ripple) : 1;
  double complex at = 0, value = 1;

  if (design->response == HIGH_PASS && !is_discrete)
    return passed; /* as many zeros as poles */
  if (design->response == BAND_PASS)
    at = CMPLX (0.0, design->center);
  if (is_discrete)
    at = design->response == HIGH_PASS ? -1 : to_z (design, at);
  /* In turn, so that many large factors do not overflow. */
  for (guint i = 0; i < MAX (zeros->len, poles->len); i++)
    {
      if (i < zeros->len)
        value *= get_distance (&g_array_index (zeros, WeirFilterRoot, i), at);
      if (i < poles->len)
        value /= get_distance (&g_array_index (poles, WeirFilterRoot, i), at);
    }
  return passed / creal (value);
}

/* --- Blocks ---------------------------------------------------------------------------------- */

/* The edge in rad/s, in the sampled form as what the bilinear transform brings to where it should
 * be. */
static double
get_edge (const Design *design, double frequency)
{
  return design->period > 0 ? 2 / design->period * tan (G_PI * frequency * design->period)
                            : 2 * G_PI * frequency;
}

static gboolean
check_edges (const Design *design, const double *edges, guint n, GError **error)
{
  guint needed = design->response >= BAND_PASS ? 2 : 1;

  if (n != needed)
    weir_error_set (error, WEIR_ERROR_MISMATCH,
                    needed == 1 ? N_ ("A %s filter has 1 edge, but %u are given.")
                    : n == 1    ? N_ ("A %s filter has 2 edges, but %u is given.")
                                : N_ ("A %s filter has 2 edges, but %u are given."),
                    responses[design->response], n);
  else if (n == 2 && !(edges[0] < edges[1]))
    weir_error_set (error, WEIR_ERROR_INVALID,
                    "The lower edge %g Hz is not below the upper edge %g Hz.", edges[0], edges[1]);
  else if (design->period > 0 && edges[n - 1] * design->period >= 0.5)
    weir_error_set (error, WEIR_ERROR_INVALID,
                    "The edge %g Hz is not below half of the sampling frequency, %g Hz.",
                    edges[n - 1], 0.5 / design->period);
  else
    return TRUE;
  return FALSE;
}

static WeirSystem *
filter_build (const WeirArguments *arguments, const guint *sizes, GError **error)
{
  double period = weir_arguments_is_sampled (arguments)
                      ? weir_arguments_get_number (arguments, "period")
                      : 0;
  guint n;
  const double *edges = weir_arguments_get_vector (arguments, "edges", &n);
  double decibels = weir_arguments_get_number (arguments, "ripple");
  Design design = { .response = weir_arguments_get_choice (arguments, "response"),
                    .design = weir_arguments_get_choice (arguments, "design"),
                    .order = (guint) weir_arguments_get_integer (arguments, "order"),
                    .ripple = sqrt (expm1 (decibels * G_LN10 / 10)),
                    .period = period };
  g_autoptr (GArray) zeros = g_array_new (FALSE, FALSE, sizeof (WeirFilterRoot));
  g_autoptr (GArray) poles = g_array_new (FALSE, FALSE, sizeof (WeirFilterRoot));
  WeirZeroPole zero_pole;

  if (!check_edges (&design, edges, n, error))
    return NULL;
  design.center = get_edge (&design, edges[0]);
  if (n == 2)
    {
      double upper = get_edge (&design, edges[1]);

      design.bandwidth = upper - design.center;
      design.center = sqrt (design.center * upper);
    }
  list_roots (&design, zeros, poles);
  if (period > 0)
    sample_roots (&design, zeros, poles);
  zero_pole = (WeirZeroPole) { zeros, poles, get_factor (&design, zeros, poles) };
  return weir_sections_build (arguments, &zero_pole, sizes[0], error);
}

#define FILTER_PARAMETERS                                                                          \
  {                                                                                                \
    .name = "response",                                                                            \
    .label = N_ ("Response"),                                                                      \
    .kind = WEIR_VALUE_CHOICE,                                                                     \
    .default_text = "lowpass",                                                                     \
    .choices = responses,                                                                          \
    .help = N_ ("What passes: below the edge, above it, between two edges, or all but that."),     \
  },                                                                                               \
      {                                                                                            \
        .name = "design",                                                                          \
        .label = N_ ("Design"),                                                                    \
        .kind = WEIR_VALUE_CHOICE,                                                                 \
        .default_text = "butterworth",                                                             \
        .choices = designs,                                                                        \
        .help = N_ ("Flat where it passes, or steeper with a ripple."),                            \
      },                                                                                           \
      {                                                                                            \
        .name = "order",                                                                           \
        .label = N_ ("Order"),                                                                     \
        .kind = WEIR_VALUE_INTEGER,                                                                \
        .default_text = "2",                                                                       \
        WEIR_FROM_TO (1, 12),                                                                      \
        .help = N_ ("Each more makes it steeper by 20 dB per decade at every edge."),              \
      },                                                                                           \
      {                                                                                            \
        .name = "edges",                                                                           \
        .label = N_ ("Edges"),                                                                     \
        .kind = WEIR_VALUE_VECTOR,                                                                 \
        .default_text = "1",                                                                       \
        WEIR_MORE_THAN (0),                                                                        \
        .unit = "Hz",                                                                              \
        .help = N_ ("Where it begins to hold back; of a band both: [1, 2]."),                      \
      },                                                                                           \
      {                                                                                            \
        .name = "ripple",                                                                          \
        .label = N_ ("Ripple"),                                                                    \
        .kind = WEIR_VALUE_NUMBER,                                                                 \
        .default_text = "1",                                                                       \
        WEIR_FROM_TO (0.001, 20),                                                                  \
        .help = N_ ("Of the Chebyshev design: how far it dips where it passes, in decibels."),     \
      },                                                                                           \
      WEIR_TUNABLE_NUMBER ("gain", N_ ("Gain"), "1", N_ ("What passes is multiplied by this."),    \
                           WEIR_ANY)

static const WeirParameterSpec filter_parameters[] = { FILTER_PARAMETERS };
static const WeirParameterSpec discrete_filter_parameters[] = {
  FILTER_PARAMETERS,
  WEIR_PERIOD ("0.1"),
  WEIR_OFFSET,
};

static const WeirBlockType filter_type = {
  .name = "Filter",
  .title = N_ ("Filter"),
  .category = CATEGORY,
  .summary = N_ ("Lets a range of frequencies pass, after Butterworth or Chebyshev."),
  WEIR_PARAMETERS (filter_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = filter_build,
  .positions = weir_sections_positions,
};

static const WeirBlockType discrete_filter_type = {
  .name = "DiscreteFilter",
  .title = N_ ("Discrete Filter"),
  .category = CATEGORY_DISCRETE,
  .summary = N_ (
      "Lets a range of frequencies of a sampled signal pass, after Butterworth or Chebyshev."),
  .is_sequence = TRUE,
  WEIR_PARAMETERS (discrete_filter_parameters),
  .list_inputs = weir_list_u,
  .list_outputs = weir_list_y,
  .build = filter_build,
  .positions = weir_sections_sampled_positions,
};

WEIR_FAMILY (filters, &filter_type, &discrete_filter_type);
