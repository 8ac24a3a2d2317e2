/* Between continuous and sampled signals: holds, converters, pseudo-random bits and spectra,
 * against closed forms. */
#include "run-fixture.h"

#define ROUNDING (8 * DBL_EPSILON)
#define SCALAR ((const guint[]) { 1 })

/* --- Holds ----------------------------------------------------------------------------------- */

/* Of t^2 sampled at n / 2: in the middle of a period u_n + (u_n - u_{n-1}) / 2, all exact in
 * binary. */
static void
test_first_order_hold (void)
{
  Run run = { NULL };

  add (&run, "Time", "Clock", NULL);
  add (&run, "Square", "Polynomial", PAIRS ("coefficients", "[1, 0, 0]"));
  add (&run, "Hold", "FirstOrderHold", PAIRS ("period", "0.5", "offset", "0.5", "initial", "7"));
  wire (&run, "Time", "y", "Square", "u");
  wire (&run, "Square", "y", "Hold", "u");
  start (&run, NULL);
  advance (&run, 0.25);
  g_assert_cmpfloat (value (&run, "Hold"), ==, 7);
  advance (&run, 0.75);
  g_assert_cmpfloat (value (&run, "Hold"), ==, 0.25);
  for (guint n = 2; n < 12; n++)
    {
      double u = 0.25 * n * n, before = 0.25 * (n - 1) * (n - 1);

      advance (&run, 0.5 * n + 0.25);
      g_assert_cmpfloat (value (&run, "Hold"), ==, u + (u - before) / 2);
    }
  run_clear (&run);
}

/* Of time: when the last step began. */
static void
test_memory (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Time", "Clock", NULL);
  add (&run, "Memory", "Memory", PAIRS ("initial", "-1"));
  add (&run, "X", "Integrator", NULL);
  wire (&run, "Time", "y", "Memory", "u");
  wire (&run, "Memory", "y", "X", "u");
  start (&run, solver);
  g_assert_cmpfloat (value (&run, "Memory"), ==, -1);
  for (double t = 0.3; t < 3; t += 0.3)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Memory"),
                                      t - weir_simulator_get_statistics (run.simulator)->last_step,
                                      64 * ROUNDING);
      g_assert_cmpfloat (value (&run, "Memory"), <, t);
    }
  run_clear (&run);
}

/* 3, 5, 7, 9 and again. */
static void
test_counter_length (void)
{
  g_auto (Block) block = block_new (
      "Counter", PAIRS ("initial", "3", "increment", "2", "gain", "1", "length", "4"), NULL);

  for (gint64 n = 0; n < 20; n++)
    {
      g_assert_cmpfloat (block_eval (&block, 0)[0], ==, 3 + 2 * (double) (n % 4));
      block_update (&block, n);
    }
}

/* Turned over by pulses at 0.1, 0.4, 0.7, ..., reset at 2: on from 0.1 to 0.4, from 0.7 to 1 and
 * from 1.3 to 1.6, from 1.9 to 2; while the reset is true nothing turns it. */
static void
test_toggle (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "Pulse", "Pulse", PAIRS ("period", "0.3", "duty", "50", "delay", "0.1"));
  add (&run, "Reset", "Step", PAIRS ("time", "2"));
  add (&run, "Flip", "FlipFlop", PAIRS ("kind", "toggle"));
  add (&run, "X", "Integrator", NULL);
  wire (&run, "Pulse", "y", "Flip", "set");
  wire (&run, "Reset", "y", "Flip", "reset");
  wire (&run, "Flip", "y", "X", "u");
  start (&run, solver);
  advance (&run, 0.25);
  g_assert_cmpfloat (value (&run, "Flip"), ==, 1);
  advance (&run, 0.5);
  g_assert_cmpfloat (value (&run, "Flip"), ==, 0);
  advance (&run, 3);
  g_assert_cmpfloat (value (&run, "Flip"), ==, 0);
  g_assert_cmpfloat_with_epsilon (value (&run, "X"), 1, 1e-9);
  run_clear (&run);
}

/* --- Converters ------------------------------------------------------------------------------ */

/* Two bits between -1 and 1: steps of 1/2. */
static void
test_converters (void)
{
  static const struct {
    double u, code, level;
  } cases[] = {
    { -2, 0, -1 },       { -1, 0, -1 },   { -0.5078125, 0, -1 }, { -0.5, 1, -0.5 }, { 0, 2, 0 },
    { 0.4921875, 2, 0 }, { 0.5, 3, 0.5 }, { 1, 3, 0.5 },         { 100, 3, 0.5 },
  };
  g_auto (Block) adc = block_new ("ADC", PAIRS ("bits", "2"), SCALAR);
  g_auto (Block) dac = block_new ("DAC", PAIRS ("bits", "2"), SCALAR);

  g_assert_cmpfloat (block_eval (&dac, 0)[0], ==, -1);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      block_fix (&adc, 0, cases[i].u);
      block_update (&adc, i);
      g_assert_cmpfloat (block_eval (&adc, 0)[0], ==, cases[i].code);
      block_fix (&dac, 0, cases[i].code);
      block_update (&dac, i);
      g_assert_cmpfloat (block_eval (&dac, 0)[0], ==, cases[i].level);
    }
  block_fix (&dac, 0, 17);
  block_update (&dac, 0);
  g_assert_cmpfloat (block_eval (&dac, 0)[0], ==, 0.5);
}

/* --- Pseudo-random bits ---------------------------------------------------------------------- */

static Block
prbs_new (guint order, const char *seed)
{
  g_autofree char *text = g_strdup_printf ("%u", order);

  return block_new ("PRBS", PAIRS ("order", text, "seed", seed, "low", "0", "high", "1"), NULL);
}

/* The next @n bits. */
static void
read_bits (Block *block, guint8 *bits, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      bits[i] = block_eval (block, 0)[0] != 0;
      block_update (block, (gint64) i);
    }
}

/* The sequence has the period 2^n - 1 and no shorter one, one high level more than low ones, and as
 * +-1 the autocorrelation -1 everywhere but at 0. */
static void
test_period (void)
{
  for (guint order = 2; order <= 11; order++)
    {
      gsize length = ((gsize) 1 << order) - 1, n_high = 0;
      g_auto (Block) block = prbs_new (order, "12345");
      g_autofree guint8 *bits = g_new (guint8, 2 * length);

      read_bits (&block, bits, 2 * length);
      g_assert_cmpmem (bits, length, bits + length, length);
      for (gsize i = 0; i < length; i++)
        n_high += bits[i];
      g_assert_cmpuint (n_high, ==, (length + 1) / 2);
      for (gsize lag = 1; lag < length; lag++)
        {
          gssize sum = 0;

          for (gsize i = 0; i < length; i++)
            sum += bits[i] == bits[i + lag] ? 1 : -1;
          g_assert_cmpint (sum, ==, -1);
        }
    }
}

/* The shortest recurrence that makes the bits, by Berlekamp and Massey: bit i + its degree is the
 * sum of those that the polynomial names. Returns the polynomial, its degree in @degree. */
static guint64
find_recurrence (const guint8 *bits, guint n, guint *degree)
{
  guint64 c = 1, b = 1;
  guint length = 0, m = 1;

  for (guint i = 0; i < n; i++, m++)
    {
      guint difference = 0;

      for (guint k = 0; k <= length; k++)
        difference ^= (c >> k & 1) & bits[i - k];
      if (difference != 0)
        {
          guint64 before = c;

          c ^= b << m;
          if (2 * length <= i)
            {
              length = i + 1 - length;
              b = before;
              m = 0;
            }
        }
    }
  *degree = length;
  return c;
}

/* x^@power modulo @polynomial, over the field of two elements. */
static guint64
power_of_x (guint64 power, guint64 polynomial, guint degree)
{
  guint64 result = 1, base = 2;

  for (; power > 0; power >>= 1)
    {
      guint64 factors[] = { result, base };

      for (guint k = 0; k < 2; k++)
        {
          guint64 product = 0, shifted = factors[k];

          for (guint i = 0; i < degree; i++)
            {
              if ((base >> i & 1) != 0)
                product ^= shifted;
              shifted <<= 1;
              if ((shifted >> degree & 1) != 0)
                shifted ^= polynomial;
            }
          factors[k] = product;
        }
      if ((power & 1) != 0)
        result = factors[0];
      base = factors[1];
    }
  return result;
}

/* Of the longer ones, whose periods are too long to wait for: the recurrence found in the bits is
 * of a primitive polynomial, one whose root has the order 2^n - 1 and none that divides it. */
static void
test_primitive (void)
{
  for (guint order = 3; order <= 31; order++)
    {
      g_auto (Block) block = prbs_new (order, "1");
      guint64 length = ((guint64) 1 << order) - 1, rest = length, polynomial;
      guint8 bits[128];
      guint degree;

      read_bits (&block, bits, 4 * order);
      polynomial = find_recurrence (bits, 4 * order, &degree);
      g_assert_cmpuint (degree, ==, order);
      g_assert_cmpuint (power_of_x (length, polynomial, degree), ==, 1);
      for (guint64 factor = 2; rest > 1; factor++)
        {
          if (factor * factor > rest)
            factor = rest;
          if (rest % factor != 0)
            continue;
          while (rest % factor == 0)
            rest /= factor;
          g_assert_cmpuint (power_of_x (length / factor, polynomial, degree), !=, 1);
        }
    }
}

/* Another seed begins elsewhere in the sequence; each bit holds for a period. */
static void
test_seed_and_levels (void)
{
  g_auto (Block) first = prbs_new (4, "0");
  g_auto (Block) same = prbs_new (4, "15");
  g_auto (Block) other = prbs_new (4, "5");
  guint8 bits[30], others[15];
  gboolean is_found = FALSE;
  Run run = { NULL };

  read_bits (&first, bits, G_N_ELEMENTS (bits));
  read_bits (&same, others, G_N_ELEMENTS (others));
  g_assert_cmpmem (bits, 15, others, 15);
  read_bits (&other, others, G_N_ELEMENTS (others));
  g_assert_cmpint (memcmp (bits, others, 15), !=, 0);
  for (guint i = 1; i < 15; i++)
    is_found = is_found || memcmp (bits + i, others, 15) == 0;
  g_assert_true (is_found);

  add (&run, "Bits", "PRBS",
       PAIRS ("order", "4", "low", "-3", "high", "5", "period", "0.25", "seed", "0"));
  add (&run, "X", "Integrator", NULL);
  wire (&run, "Bits", "y", "X", "u");
  start (&run, NULL);
  for (guint i = 0; i < 15; i++)
    {
      advance (&run, 0.25 * i + 0.125);
      g_assert_cmpfloat (value (&run, "Bits"), ==, bits[i] != 0 ? 5 : -3);
    }
  advance (&run, 15 * 0.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "X"), (8 * 5 - 7 * 3) * 0.25, 1e-9);
  run_clear (&run);
}

/* --- Spectrum -------------------------------------------------------------------------------- */

enum { FREQUENCY, MAGNITUDE, SPECTRUM };

static void
feed (Block *block, double u)
{
  block_fix (block, 0, u);
  block_update (block, 0);
}

/* One window of 1/2 + 3 sin (2 pi 4 i / 16 + 1) + (-1)^i / 4: exact lines without a window; with
 * one that fades, neighbours of k get half of it, and what is constant spreads to the first line.
 */
static void
test_lines (void)
{
  static const struct {
    const char *window;
    double lines[9];
  } cases[] = {
    { "rectangular", { 0.5, 0, 0, 0, 3, 0, 0, 0, 0.25 } },
    { "hann", { 0.5, 0.5, 0, 1.5, 3, 1.5, 0, 0.25, 0.25 } },
    { "hamming",
      { 0.5, 0.5 * 0.46 / 0.54, 0, 3 * 0.23 / 0.54, 3, 3 * 0.23 / 0.54, 0, 0.25 * 0.46 / 0.54,
        0.25 } },
    { "blackman",
      { 0.5, 0.5 * 0.5 / 0.42, -1, 3 * 0.25 / 0.42, 3, 3 * 0.25 / 0.42, -1, 0.25 * 0.5 / 0.42,
        0.25 } }, /* -1: where two spread to */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Block)
          block = block_new ("Spectrum", PAIRS ("size", "16", "window", cases[i].window), SCALAR);

      for (guint n = 0; n < 16; n++)
        {
          g_assert_cmpfloat (block_eval (&block, SPECTRUM)[4], ==, 0);
          feed (&block, 0.5 + 3 * sin (G_PI / 2 * n + 1) + (n % 2 == 0 ? 0.25 : -0.25));
        }
      for (guint k = 0; k < 9; k++)
        if (cases[i].lines[k] >= 0)
          g_assert_cmpfloat_with_epsilon (block_eval (&block, SPECTRUM)[k], cases[i].lines[k],
                                          1e-14);
    }
}

/* The other outputs go through the lines up and down, one each sample. */
static void
test_sweep (void)
{
  static const char *const sizes[] = { "16", "7" };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint n = (guint) g_ascii_strtoull (sizes[i], NULL, 10);
      g_auto (Block) block = block_new (
          "Spectrum", PAIRS ("size", sizes[i], "period", "0.25", "window", "rectangular"), SCALAR);

      for (guint k = 0; k < n; k++)
        {
          g_assert_cmpfloat (block_eval (&block, FREQUENCY)[0], ==, 0);
          g_assert_cmpfloat (block_eval (&block, MAGNITUDE)[0], ==, 0);
          feed (&block, 1.0 / (1 + k));
        }
      for (guint k = 0; k < 2 * n; k++)
        {
          guint line = MIN (k % n, n - k % n);

          g_assert_cmpfloat_with_epsilon (block_eval (&block, FREQUENCY)[0], line / (0.25 * n),
                                          ROUNDING);
          g_assert_cmpfloat (block_eval (&block, MAGNITUDE)[0], ==,
                             block_eval (&block, SPECTRUM)[line]);
          feed (&block, 1.0 / (1 + k % n));
        }
    }
}

/* Powers 1 and 9 in turn: their mean, then with the weight 1/4; alone the last; in decibels. */
static void
test_averages (void)
{
  g_auto (Block) mean = block_new (
      "Spectrum", PAIRS ("size", "8", "window", "rectangular", "averages", "4"), SCALAR);
  g_auto (Block) alone = block_new (
      "Spectrum", PAIRS ("size", "8", "window", "rectangular", "scale", "decibels"), SCALAR);
  static const double powers[] = { 1, 5, 11 / 3., 5, 4, 5.25 };

  for (guint i = 0; i < G_N_ELEMENTS (powers); i++)
    {
      double amplitude = i % 2 == 0 ? 1 : 3;

      for (guint n = 0; n < 8; n++)
        {
          feed (&mean, amplitude * sin (G_PI / 2 * n));
          feed (&alone, amplitude * sin (G_PI / 2 * n));
        }
      g_assert_cmpfloat_with_epsilon (block_eval (&mean, SPECTRUM)[2], sqrt (powers[i]), 1e-14);
      g_assert_cmpfloat_with_epsilon (block_eval (&alone, SPECTRUM)[2], 20 * log10 (amplitude),
                                      1e-13);
      g_assert_cmpfloat_with_epsilon (block_eval (&alone, SPECTRUM)[4], -240, 1e-9);
    }
}

/* Pseudo-random bits of +-1 over their period N are white: the constant is 1 / N, all other lines
 * 2 sqrt (N + 1) / N. In a run, sampled in the middle of the bits. */
static void
test_white (void)
{
  Run run = { NULL };
  WeirNode node;
  const double *lines;

  add (&run, "Bits", "PRBS", PAIRS ("order", "5", "period", "0.25"));
  add (&run, "Lines", "Spectrum",
       PAIRS ("size", "31", "window", "rectangular", "period", "0.25", "offset", "0.125"));
  wire (&run, "Bits", "y", "Lines", "u");
  start (&run, NULL);
  advance (&run, 31 * 0.25);
  g_assert_true (weir_layout_find_node (weir_system_get_layout (run.system), "Lines", &node));
  lines = weir_eval_output (run.system, run.context, node, (WeirOutput) { SPECTRUM });
  g_assert_cmpfloat_with_epsilon (lines[0], 1 / 31., 1e-14);
  for (guint k = 1; k < 16; k++)
    g_assert_cmpfloat_with_epsilon (lines[k], 2 * sqrt (32) / 31, 1e-14);
  run_clear (&run);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto", "bogacki-shampine", "cvode-bdf", "rk4" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/sampling/first-order-hold", test_first_order_hold);
  for (guint k = 0; k < G_N_ELEMENTS (solvers); k++)
    {
      g_autofree char *path = g_strdup_printf ("/blocks/sampling/memory/%s", solvers[k]);
      g_autofree char *toggle = g_strdup_printf ("/blocks/sampling/toggle/%s", solvers[k]);

      g_test_add_data_func (path, solvers[k], test_memory);
      g_test_add_data_func (toggle, solvers[k], test_toggle);
    }
  g_test_add_func ("/blocks/sampling/counter-length", test_counter_length);
  g_test_add_func ("/blocks/sampling/converters", test_converters);
  g_test_add_func ("/blocks/sampling/prbs/period", test_period);
  g_test_add_func ("/blocks/sampling/prbs/primitive", test_primitive);
  g_test_add_func ("/blocks/sampling/prbs/seed-and-levels", test_seed_and_levels);
  g_test_add_func ("/blocks/sampling/spectrum/lines", test_lines);
  g_test_add_func ("/blocks/sampling/spectrum/sweep", test_sweep);
  g_test_add_func ("/blocks/sampling/spectrum/averages", test_averages);
  g_test_add_func ("/blocks/sampling/spectrum/white", test_white);
  return g_test_run ();
}
