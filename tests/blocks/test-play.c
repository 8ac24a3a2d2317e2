/* Backlash and the variable delay: blocks that remember what their input did, against closed forms.
 */
#include "run-fixture.h"

#define SOLVED 1e-8

/* --- Backlash -------------------------------------------------------------------------------- */

/* u = 2 sin (pi t / 2) with a gap of 1: y follows 1/2 below u to the peak at 1, stays until u is
 * below it by 1/2 again, follows above u down to the trough at 3, and so on. */
static double
play (double t)
{
  double phase = fmod (t, 4), u = 2 * sin (G_PI * t / 2);

  if (t < 1)
    return MAX (u - 0.5, 0);
  if (phase >= 1 && phase < 3)
    return MIN (u + 0.5, 1.5);
  return MAX (u - 0.5, -1.5);
}

/* Steps end at the peaks, where the run is advanced to. */
static void
test_loop (gconstpointer solver)
{
  Run run = { NULL };

  add (&run, "U", "Sine", PAIRS ("amplitude", "2", "frequency", "0.25"));
  add (&run, "Block", "Backlash", PAIRS ("gap", "1"));
  wire (&run, "U", "y", "Block", "u");
  start (&run, solver);
  for (double t = 0; t <= 12; t += 0.125)
    {
      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), play (t), 1e-12);
    }
  run_clear (&run);
}

/* Over a period y = b sin + a cos + harmonics, of which the describing function of backlash tells,
 * with k = 1 - gap / amplitude: b / amplitude = 1/2 + (asin k + k sqrt (1 - k^2)) / pi and
 * a / amplitude = -(1 - k^2) / pi. Sides are met within steps; a corner that none ended at would
 * cost much more than the tolerance. */
static void
test_describing_function (gconstpointer solver)
{
  const double amplitude = 2, k = 0.5;
  double real = 0.5 + (asin (k) + k * sqrt (1 - k * k)) / G_PI, imaginary = -(1 - k * k) / G_PI;
  double b = 0, a = 0;
  Run run = { NULL };

  add (&run, "U", "Sine", PAIRS ("amplitude", "2", "frequency", "0.25"));
  add (&run, "Sine", "Sine", PAIRS ("frequency", "0.25"));
  add (&run, "Cosine", "Sine", PAIRS ("frequency", "0.25", "phase", "1.5707963267948966"));
  add (&run, "Block", "Backlash", PAIRS ("gap", "1"));
  add (&run, "By sine", "Product", NULL);
  add (&run, "By cosine", "Product", NULL);
  add (&run, "B", "Integrator", NULL);
  add (&run, "A", "Integrator", NULL);
  wire (&run, "U", "y", "Block", "u");
  wire (&run, "Block", "y", "By sine", "in1");
  wire (&run, "Sine", "y", "By sine", "in2");
  wire (&run, "Block", "y", "By cosine", "in1");
  wire (&run, "Cosine", "y", "By cosine", "in2");
  wire (&run, "By sine", "y", "B", "u");
  wire (&run, "By cosine", "y", "A", "u");
  start (&run, solver);
  for (double t = 1; t <= 9; t += 2)
    {
      advance (&run, t);
      if (t == 5)
        {
          b = value (&run, "B");
          a = value (&run, "A");
        }
    }
  g_assert_cmpfloat_with_epsilon ((value (&run, "B") - b) / 2, amplitude * real, 1e-7);
  g_assert_cmpfloat_with_epsilon ((value (&run, "A") - a) / 2, amplitude * imaginary, 1e-7);
  run_clear (&run);
}

/* A peak between the ends of steps, of 0.07, is met. */
static void
test_peak (void)
{
  Run run = { NULL };

  add (&run, "U", "Sine", PAIRS ("amplitude", "2", "frequency", "0.25"));
  add (&run, "Block", "Backlash", PAIRS ("gap", "1"));
  add (&run, "X", "Integrator", NULL);
  wire (&run, "U", "y", "Block", "u");
  wire (&run, "Block", "y", "X", "u");
  start (&run, "rk4");
  advance (&run, 1.25);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1.5, 1e-14);
  advance (&run, 3.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), -1.5, 1e-14);
  run_clear (&run);
}

/* u = exp (-t / 10) cos t, whose turns no source tells of: they are at k pi - atan (1 / 10), k = 1,
 * 2,
 * ... y rests a half of the gap off the last that it was pushed to, until the next that is farther
 * than the gap. */
static void
test_decay (gconstpointer solver)
{
  double y = 0.8;
  Run run = { NULL };

  add (&run, "U", "Equations",
       PAIRS ("equations", "output y\ninitial x = 1\ninitial v = -0.1\n"
                           "D(x) ~ v\nD(v) ~ -0.2*v - 1.01*x\ny ~ x"));
  add (&run, "Block", "Backlash", PAIRS ("gap", "0.4", "initial", "0"));
  wire (&run, "U", "y", "Block", "u");
  start (&run, solver);
  for (guint k = 1; k <= 8; k++)
    {
      double turn = k * G_PI - atan (0.1), u = exp (-0.1 * turn) * cos (turn);

      y = CLAMP (y, u - 0.2, u + 0.2);
      advance (&run, turn + 0.2);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), y, 1e-7);
    }
  run_clear (&run);
}

/* Where the input stands still nothing moves, wherever in the gap it is. */
static void
test_within_gap (void)
{
  static const struct {
    const char *initial;
    double y;
  } cases[] = { { "0", 2.5 }, { "2.75", 2.75 }, { "3.25", 3.25 }, { "9", 3.5 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      Run run = { NULL };

      add (&run, "U", "Constant", PAIRS ("value", "3"));
      add (&run, "Block", "Backlash", PAIRS ("gap", "1", "initial", cases[i].initial));
      wire (&run, "U", "y", "Block", "u");
      start (&run, NULL);
      advance (&run, 1);
      g_assert_cmpfloat (value (&run, "Block"), ==, cases[i].y);
      run_clear (&run);
    }
}

/* --- Variable delay -------------------------------------------------------------------------- */

static Run
delayed (const char *source, const char *const *source_pairs, const char *delay,
         const char *const *delay_pairs, const char *const *pairs)
{
  Run run = { NULL };

  add (&run, "Source", source, source_pairs);
  add (&run, "Delay", delay, delay_pairs);
  add (&run, "Block", "VariableDelay", pairs);
  add (&run, "Area", "Integrator", NULL);
  wire (&run, "Source", "y", "Block", "u");
  wire (&run, "Delay", "y", "Block", "delay");
  wire (&run, "Block", "y", "Area", "u");
  start (&run, NULL);
  return run;
}

/* Rows are 0.4 / 64 apart: the cubic's error is (3 / 128) h^4 (2 pi)^4 = 6e-8, a little more where
 * rows are uneven. */
static void
test_smooth_delay (void)
{
  Run run = delayed ("Sine", NULL, "Sine",
                     PAIRS ("amplitude", "0.1", "frequency", "0.5", "bias", "0.25"),
                     PAIRS ("minimum", "0.05", "maximum", "0.4", "points", "64"));

  for (double t = 0.5; t < 3; t += 0.1)
    {
      double then = t - 0.25 - 0.1 * sin (G_PI * t);

      advance (&run, t);
      g_assert_cmpfloat_with_epsilon (value (&run, "Block"), sin (2 * G_PI * then), 2e-7);
    }
  run_clear (&run);
}

/* A delay of 0.1 + 0.2 t brings what was at 0.5 at t = 0.75, and what was at the start at 0.125;
 * the area shows that steps end there, but for what the error control lets pass of the trial
 * before. */
static void
test_delayed_jump (void)
{
  Run run = delayed ("Step", PAIRS ("time", "0.5", "before", "3", "after", "1"), "Ramp",
                     PAIRS ("start", "0", "slope", "0.2", "initial", "0.1"),
                     PAIRS ("minimum", "0.05", "maximum", "1", "initial", "-2"));

  advance (&run, 0.7);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 3, 16 * DBL_EPSILON);
  advance (&run, 1.5);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 1, 16 * DBL_EPSILON);
  g_assert_cmpfloat_with_epsilon (value (&run, "Area"), -2 * 0.125 + 3 * 0.625 + 0.75, SOLVED);
  run_clear (&run);
}

/* Beyond the limits the delay is the limit. */
static void
test_limits (void)
{
  Run longest = delayed ("Clock", NULL, "Constant", PAIRS ("value", "5"),
                         PAIRS ("minimum", "0.1", "maximum", "0.5"));
  Run shortest = delayed ("Clock", NULL, "Constant", PAIRS ("value", "-1"),
                          PAIRS ("minimum", "0.1", "maximum", "0.5"));

  advance (&longest, 2);
  g_assert_cmpfloat_with_epsilon (value (&longest, "Block"), 1.5, 1e-12);
  advance (&shortest, 2);
  g_assert_cmpfloat_with_epsilon (value (&shortest, "Block"), 1.9, 1e-12);
  run_clear (&longest);
  run_clear (&shortest);
}

int
main (int argc, char **argv)
{
  static const char *const solvers[] = { "auto", "bogacki-shampine", "cvode-adams", "cvode-bdf" };

  g_test_init (&argc, &argv, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (solvers); k++)
    {
      g_autofree char *loop = g_strdup_printf ("/blocks/play/loop/%s", solvers[k]);
      g_autofree char *describing = g_strdup_printf ("/blocks/play/describing-function/%s",
                                                     solvers[k]);
      g_autofree char *decay = g_strdup_printf ("/blocks/play/decay/%s", solvers[k]);

      g_test_add_data_func (loop, solvers[k], test_loop);
      g_test_add_data_func (describing, solvers[k], test_describing_function);
      g_test_add_data_func (decay, solvers[k], test_decay);
    }
  g_test_add_func ("/blocks/play/peak", test_peak);
  g_test_add_func ("/blocks/play/within-gap", test_within_gap);
  g_test_add_func ("/blocks/play/smooth-delay", test_smooth_delay);
  g_test_add_func ("/blocks/play/delayed-jump", test_delayed_jump);
  g_test_add_func ("/blocks/play/limits", test_limits);
  return g_test_run ();
}
