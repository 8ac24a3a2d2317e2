/* Linear systems by zeros and poles, filters after Butterworth and Chebyshev, filters that remember
 * samples: against partial fractions and the closed forms of their magnitudes. */
#include <complex.h>

#include "run-fixture.h"

#define ROUNDING (8 * DBL_EPSILON)
/* Of runs with rtol 1e-9 and atol 1e-12 over a few seconds. */
#define SOLVED 1e-8
#define MAX_STATES 32

/* A unit step at t = 0 into the block "Block". */
static Run
stepped (const char *type, const char *const *pairs)
{
  Run run = { NULL };

  add (&run, "Source", "Constant", PAIRS ("value", "1"));
  add (&run, "Block", type, pairs);
  wire (&run, "Source", "y", "Block", "u");
  start (&run, NULL);
  return run;
}

/* --- Zeros and poles ------------------------------------------------------------------------- */

/* Responses to a unit step, by partial fractions of H (s) / s. */
static double
third_order (double t)
{
  /* 5 (s + 2) / ((s + 1) (s^2 + 2 s + 5)) */
  return 2 - exp (-t) * (1.25 + 0.75 * cos (2 * t) + sin (2 * t));
}

static double
notch (double t)
{
  /* 3 (s^2 + 1) / ((s + 1) (s + 2)) */
  return 1.5 - 6 * exp (-t) + 7.5 * exp (-2 * t);
}

static double
twelve_poles (double t)
{
  /* 12! / ((s + 1) (s + 2) ... (s + 12)) */
  return pow (1 - exp (-t), 12);
}

static double
integrators (double t)
{
  /* (s + 1) / s^2 */
  return t + t * t / 2;
}

static void
test_partial_fractions (void)
{
  static const struct {
    const char *zeros, *poles, *gain;
    double (*response) (double t);
  } cases[] = {
    { "[-2]", "[-1, -1+2i, -1-2i]", "5", third_order },
    { "-2", "[-1 + 2j, -1, -1 - 2j]", "5", third_order },
    { "[i, -i]", "[-1, -2]", "3", notch },
    { "[-1i, 1i]", "[-2, -1]", "3", notch },
    { "[]", "[-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12]", "479001600", twelve_poles },
    { "[-1]", "[0, 0]", "1", integrators },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = stepped ("ZeroPoleGain", PAIRS ("zeros", cases[i].zeros, "poles", cases[i].poles,
                                                "gain", cases[i].gain));

      for (double t = 0; t <= 4; t += 0.25)
        {
          advance (&run, t);
          g_assert_cmpfloat_with_epsilon (value (&run, "Block"), cases[i].response (t), SOLVED);
        }
      run_clear (&run);
    }
}

/* y_n = y_{n-2} / 4 + u_{n-1} and its sign changed, of two elements, exact in binary. */
static void
test_discrete_roots (void)
{
  static const struct {
    const char *poles;
    double square;
  } cases[] = { { "[0.5, -0.5]", 0.25 }, { "[0.5i, -0.5i]", -0.25 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const guint sizes[] = { 2 };
      g_auto (Block) block = block_new ("DiscreteZeroPoleGain",
                                        PAIRS ("zeros", "0", "poles", cases[i].poles), sizes);
      double before[2] = { 0, 0 }, last[2] = { 0, 0 };

      for (gint64 n = 0; n < 40; n++)
        {
          double u[2] = { (double) (n % 3), n == 0 ? 1 : 0 };

          weir_context_fix_input (block.context, WEIR_ROOT, (WeirInput) { 0 }, u);
          for (guint k = 0; k < 2; k++)
            {
              double next = cases[i].square * before[k] + u[k];

              g_assert_cmpfloat (block_eval (&block, 0)[k], ==, last[k]);
              before[k] = last[k];
              last[k] = next;
            }
          block_update (&block, n);
        }
    }
}

static void
test_bad_roots (void)
{
  static const struct {
    const char *zeros, *poles, *sentence;
  } cases[] = {
    { "[]", "[]", "There is no pole, but one at least is needed; for a factor take a Gain." },
    { "[-1, -2]", "[-1]", "There are 2 zeros, but only 1 poles; such a block would look ahead." },
    { "[]", "[-1+2i]", "The pole -1+2i has no conjugate -1-2i; complex ones come in pairs." },
    { "[i, i, -i]", "[-1, -2, -3]",
      "The zero 0+1i has no conjugate 0-1i; complex ones come in pairs." },
    { "[1, 2", "[-1]",
      "Parameter zeros: \"[1, 2\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "[1 2]",
      "Parameter poles: \"[1 2]\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "-1,-2",
      "Parameter poles: \"-1,-2\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "[1,]",
      "Parameter poles: \"[1,]\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "[nan]",
      "Parameter poles: \"[nan]\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "[1e999]",
      "Parameter poles: \"[1e999]\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
    { "[]", "[2i+1]",
      "Parameter poles: \"[2i+1]\" is not a list of numbers such as [-1, -2+3i, -2-3i]." },
  };
  const guint sizes[] = { 1 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments) arguments = fixture_arguments (
          "ZeroPoleGain", PAIRS ("zeros", cases[i].zeros, "poles", cases[i].poles));
      g_autoptr (GError) error = NULL;

      g_assert_null (weir_arguments_get_type (arguments)->build (arguments, sizes, &error));
      g_assert_cmpstr (error->message, ==, cases[i].sentence);
    }
}

/* --- Frequency responses --------------------------------------------------------------------- */

/* The derivatives, or the next state, at the state @x. */
static void
get_rates (Block *block, gboolean is_discrete, const double *x, guint n, double *rates)
{
  if (is_discrete)
    {
      weir_context_set_discrete (block->context, WEIR_ROOT, (WeirGroup) { 0 }, x);
      block_update (block, 0);
      memcpy (rates, weir_context_get_discrete (block->context, WEIR_ROOT, (WeirGroup) { 0 }),
              n * sizeof *rates);
      weir_context_set_discrete (block->context, WEIR_ROOT, (WeirGroup) { 0 }, x);
      return;
    }
  weir_context_set_state (block->context, x);
  memcpy (rates, weir_eval_derivatives (block->system, block->context), n * sizeof *rates);
}

/* C (s I - A)^-1 B + D of a block of one input and output, of which A, B, C and D are found by unit
 * states and a unit input; by elimination with pivots. @s: s or z. */
static double complex
respond (Block *block, gboolean is_discrete, guint n, double complex s)
{
  double complex m[MAX_STATES][MAX_STATES + 1], x[MAX_STATES], sum = 0;
  double c[MAX_STATES], column[MAX_STATES];

  for (guint k = 0; k <= n; k++)
    {
      double unit[MAX_STATES] = { 0 };

      if (k < n)
        unit[k] = 1;
      block_fix (block, 0, k < n ? 0 : 1);
      get_rates (block, is_discrete, unit, n, column);
      for (guint i = 0; i < n; i++)
        m[i][k] = k == n ? column[i] : (i == k ? s : 0) - column[i];
      if (k < n)
        c[k] = block_eval (block, 0)[0];
      else
        sum = block_eval (block, 0)[0];
    }
  for (guint k = 0; k < n; k++)
    {
      guint pivot = k;

      for (guint i = k; i < n; i++)
        if (cabs (m[i][k]) > cabs (m[pivot][k]))
          pivot = i;
      for (guint j = 0; j <= n; j++)
        {
          double complex swap = m[k][j];

          m[k][j] = m[pivot][j];
          m[pivot][j] = swap;
        }
      for (guint i = k + 1; i < n; i++)
        {
          double complex factor = m[i][k] / m[k][k];

          for (guint j = k; j <= n; j++)
            m[i][j] -= factor * m[k][j];
        }
    }
  for (guint k = n; k-- > 0;)
    {
      x[k] = m[k][n];
      for (guint j = k + 1; j < n; j++)
        x[k] -= m[k][j] * x[j];
      x[k] /= m[k][k];
      sum += c[k] * x[k];
    }
  return sum;
}

/* The frequency of the low-pass with its edge at 1 that behaves the same at @f, of edges @f1 and
 * @f2 (Hz), all three brought from the circle to the axis if there is a @period. */
static double
to_low_pass (const char *response, double f, double f1, double f2, double period)
{
  double w = period > 0 ? tan (G_PI * f * period) : f;
  double w1 = period > 0 ? tan (G_PI * f1 * period) : f1;
  double w2 = period > 0 ? tan (G_PI * f2 * period) : f2;

  if (g_str_equal (response, "lowpass"))
    return w / w1;
  if (g_str_equal (response, "highpass"))
    return w1 / w;
  if (g_str_equal (response, "bandpass"))
    return (w * w - w1 * w2) / ((w2 - w1) * w);
  return (w2 - w1) * w / (w * w - w1 * w2);
}

/* Chebyshev's polynomial T_n. */
static double
chebyshev (guint n, double x)
{
  double before = 1, value = x;

  for (guint k = 1; k < n; k++)
    {
      double next = 2 * x * value - before;

      before = value;
      value = next;
    }
  return n == 0 ? 1 : value;
}

/* |H|^2 = 1 / (1 + w^2n) and 1 / (1 + e^2 T_n^2 (w)), at the edges, in the pass band, beyond. */
static void
test_magnitudes (void)
{
  static const char *const responses[] = { "lowpass", "highpass", "bandpass", "bandstop" };
  static const char *const designs[] = { "butterworth", "chebyshev" };
  const double frequencies[] = { 2, 5, 0.5, 1, 1.7, 3, 3.16, 4, 7, 9.5 }, period = 0.05;
  const double e2 = pow (10, 0.05) - 1; /* of 0.5 dB */

  for (guint r = 0; r < G_N_ELEMENTS (responses); r++)
    for (guint d = 0; d < G_N_ELEMENTS (designs); d++)
      for (guint order = 1; order <= 8; order++)
        for (guint discrete = 0; discrete < 2; discrete++)
          {
            g_autofree char *order_text = g_strdup_printf ("%u", order);
            guint n = r >= 2 ? 2 * order : order;
            g_auto (Block) block = block_new (
                discrete ? "DiscreteFilter" : "Filter",
                discrete
                    ? PAIRS ("response", responses[r], "design", designs[d], "order", order_text,
                             "edges", r >= 2 ? "[2, 5]" : "2", "ripple", "0.5", "period", "0.05")
                    : PAIRS ("response", responses[r], "design", designs[d], "order", order_text,
                             "edges", r >= 2 ? "[2, 5]" : "2", "ripple", "0.5"),
                (const guint[]) { 1 });

            for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++)
              {
                double f = frequencies[i], w = 2 * G_PI * f;
                double x = to_low_pass (responses[r], f, 2, 5, discrete ? period : 0);
                double rise = d == 0 ? pow (x, 2.0 * order)
                                     : e2 * chebyshev (order, x) * chebyshev (order, x);
                double complex s = discrete ? cexp (CMPLX (0, w * period)) : CMPLX (0, w);
                double magnitude = cabs (respond (&block, discrete, n, s));

                g_assert_cmpfloat_with_epsilon (magnitude * magnitude, 1 / (1 + rise), 1e-9);
              }
          }
}

/* Each element of a vector has a filter of its own, the same to the bit as that of a number. */
static void
test_elements (void)
{
  const char *const *pairs = PAIRS ("zeros", "[-2, i, -i]", "poles", "[-1+2i, -1-2i, -3]");
  const double x[] = { 0.3, -1.7, 2.5, 11, 0.125, -3 }, u[] = { 0.7, -0.2 };
  g_auto (Block) both = block_new ("ZeroPoleGain", pairs, (const guint[]) { 2 });

  weir_context_set_state (both.context, x);
  weir_context_fix_input (both.context, WEIR_ROOT, (WeirInput) { 0 }, u);
  for (guint i = 0; i < 2; i++)
    {
      g_auto (Block) one = block_new ("ZeroPoleGain", pairs, (const guint[]) { 1 });

      weir_context_set_state (one.context, x + 3 * i);
      block_fix (&one, 0, u[i]);
      g_assert_cmpfloat (block_eval (&both, 0)[i], ==, block_eval (&one, 0)[0]);
      g_assert_cmpmem (weir_eval_derivatives (both.system, both.context) + 3 * i,
                       3 * sizeof (double), weir_eval_derivatives (one.system, one.context),
                       3 * sizeof (double));
    }
}

/* Of second order after Butterworth with its edge at w: 1 - exp (-a) (cos a + sin a), a = w t /
 * sqrt 2. So the poles are the stable ones. */
static void
test_filter_step (void)
{
  Run run = stepped ("Filter", PAIRS ("edges", "0.5", "gain", "2"));

  for (double t = 0; t <= 3; t += 0.25)
    {
      double a = G_PI * t / sqrt (2);

      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"),
                                      2 * (1 - exp (-a) * (cos (a) + sin (a))), SOLVED);
    }
  run_clear (&run);
}

/* The response to a step ends at what a constant is multiplied by: 1 or 0 as the response says,
 * 1 / sqrt (1 + e^2) of a Chebyshev filter of even order. */
static void
test_filter_ends (void)
{
  static const struct {
    const char *response, *design;
    double end;
  } cases[] = {
    { "lowpass", "butterworth", 1 },
    { "highpass", "butterworth", 0 },
    { "bandpass", "butterworth", 0 },
    { "bandstop", "butterworth", 1 },
    { "lowpass", "chebyshev", 0.9440608762859234 /* 10^(-0.5 / 20) */ },
    { "bandstop", "chebyshev", 0.9440608762859234 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block) block = block_new (
          "DiscreteFilter",
          PAIRS ("response", cases[i].response, "design", cases[i].design, "order", "4", "edges",
                 i >= 5 || (i >= 2 && i <= 3) ? "[2, 5]" : "2", "ripple", "0.5", "period", "0.05"),
          (const guint[]) { 1 });

      block_fix (&block, 0, 1);
      for (gint64 n = 0; n < 2000; n++)
        block_update (&block, n);
      g_assert_cmpfloat_with_epsilon (block_eval (&block, 0)[0], cases[i].end, 1e-9);
    }
}

static void
test_bad_filters (void)
{
  static const struct {
    const char *response, *edges, *sentence;
  } cases[] = {
    { "bandpass", "1", "A bandpass filter has 2 edges, but 1 is given." },
    { "lowpass", "[1, 2]", "A lowpass filter has 1 edge, but 2 are given." },
    { "bandstop", "[2, 2]", "The lower edge 2 Hz is not below the upper edge 2 Hz." },
    { "lowpass", "5", "The edge 5 Hz is not below half of the sampling frequency, 5 Hz." },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (WeirArguments) arguments = fixture_arguments (
          "DiscreteFilter", PAIRS ("response", cases[i].response, "edges", cases[i].edges));
      g_autoptr (GError) error = NULL;

      g_assert_null (
          weir_arguments_get_type (arguments)->build (arguments, (const guint[]) { 1 }, &error));
      g_assert_cmpstr (error->message, ==, cases[i].sentence);
    }
}

/* --- Filters that remember samples ----------------------------------------------------------- */

/* 1 u_n + 2 u_{n-1} - 4 u_{n-2} of two signals, with 3 and 5 before the first. */
static void
test_fir (void)
{
  g_auto (Block) fir = block_new ("FIR", PAIRS ("taps", "[1, 2, -4]", "initial", "[3, 5]"),
                                  (const guint[]) { 2 });
  g_auto (Block) taps = block_new ("TappedDelay", PAIRS ("length", "3", "initial", "[3, 5]"),
                                   (const guint[]) { 2 });
  double before[2][2] = { { 3, 5 }, { 3, 5 } }; /* u_{n-1}, u_{n-2} */

  for (gint64 n = 0; n < 20; n++)
    {
      double u[2] = { (double) (n * n), (double) (7 - n) };

      weir_context_fix_input (fir.context, WEIR_ROOT, (WeirInput) { 0 }, u);
      weir_context_fix_input (taps.context, WEIR_ROOT, (WeirInput) { 0 }, u);
      for (guint k = 0; k < 2; k++)
        g_assert_cmpfloat (block_eval (&fir, 0)[k], ==, u[k] + 2 * before[0][k] - 4 * before[1][k]);
      block_update (&fir, n);
      block_update (&taps, n);
      for (guint k = 0; k < 2; k++)
        {
          g_assert_cmpfloat (block_eval (&taps, 0)[k], ==, u[k]);
          g_assert_cmpfloat (block_eval (&taps, 0)[2 + k], ==, before[0][k]);
          g_assert_cmpfloat (block_eval (&taps, 0)[4 + k], ==, before[1][k]);
          before[1][k] = before[0][k];
          before[0][k] = u[k];
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/filters/partial-fractions", test_partial_fractions);
  g_test_add_func ("/blocks/filters/discrete-roots", test_discrete_roots);
  g_test_add_func ("/blocks/filters/bad-roots", test_bad_roots);
  g_test_add_func ("/blocks/filters/magnitudes", test_magnitudes);
  g_test_add_func ("/blocks/filters/elements", test_elements);
  g_test_add_func ("/blocks/filters/step", test_filter_step);
  g_test_add_func ("/blocks/filters/ends", test_filter_ends);
  g_test_add_func ("/blocks/filters/bad-filters", test_bad_filters);
  g_test_add_func ("/blocks/filters/fir", test_fir);
  return g_test_run ();
}
