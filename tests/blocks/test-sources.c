/* Waves and random numbers, as functions of time and in runs. */
#include "run-fixture.h"

static void
test_waves (void)
{
  g_auto (Block) sawtooth = block_new ("Sawtooth", PAIRS ("amplitude", "2", "period", "0.5"), NULL);
  g_auto (Block) triangle = block_new ("Triangle", PAIRS ("delay", "0.25"), NULL);
  g_auto (Block) chirp = block_new (
      "Chirp", PAIRS ("start", "1", "end", "3", "duration", "4", "amplitude", "2"), NULL);

  g_assert_cmpfloat (block_at (&sawtooth, 0), ==, -2);
  g_assert_cmpfloat (block_at (&sawtooth, 0.25), ==, 0);
  g_assert_cmpfloat (block_at (&sawtooth, 1.375), ==, 1);
  g_assert_cmpfloat (block_at (&sawtooth, -0.125), ==, 1);
  block_set_parameter (&sawtooth, "period", 0.1);
  for (guint n = 0; n < 10000; n++) /* every tooth begins at its multiple: no drift */
    g_assert_cmpfloat_with_epsilon (block_at (&sawtooth, n * 0.1), -2, 1e-10);
  g_assert_cmpfloat (block_at (&triangle, 0.25), ==, -1);
  g_assert_cmpfloat (block_at (&triangle, 0.5), ==, 0);
  g_assert_cmpfloat (block_at (&triangle, 0.75), ==, 1);
  g_assert_cmpfloat (block_at (&triangle, 1), ==, 0);
  /* The phase is the integral of 1 + t / 2: 2 pi (t + t^2 / 4). */
  for (double t = 0; t < 4; t += 0.3)
    g_assert_cmpfloat_with_epsilon (block_at (&chirp, t), 2 * sin (2 * G_PI * (t + t * t / 4)),
                                    1e-12);
}

/* The integral over whole periods of a wave is known exactly only if each jump ends a step. */
static void
test_waves_in_runs (void)
{
  Run run = driven ("Sawtooth", PAIRS ("period", "0.3"), "Integrator", NULL, "u");

  advance (&run, 3);
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), 0, 1e-12);
  advance (&run, 3.15); /* the first half of a tooth: -0.3 / 4 */
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"), -0.075, 1e-12);
  run_clear (&run);

  run = driven ("TimeTable", PAIRS ("points", "[0.3, 1.1, 2]", "values", "[1, -2, 0.5]"),
                "Integrator", NULL, "u");
  advance (&run, 3); /* trapezia, and the ends held */
  g_assert_cmpfloat_with_epsilon (value (&run, "Block"),
                                  0.3 * 1 + 0.8 * -0.5 + 0.9 * -0.75 + 1 * 0.5, 1e-12);
  run_clear (&run);
}

/* Means, deviations and correlations of many numbers, within five standard errors; the same in
 * every run and for every order of asking; another seed gives others. */
static void
test_random (gconstpointer type)
{
  const guint n = 20000;
  gboolean is_normal = g_str_equal (type, "GaussianRandom");
  g_auto (Block) block = block_new (type, PAIRS ("seed", "7"), NULL);
  g_auto (Block) again = block_new (type, PAIRS ("seed", "7"), NULL);
  g_auto (Block) other = block_new (type, PAIRS ("seed", "8"), NULL);
  double variance = is_normal ? 1 : 1.0 / 3, fourth = is_normal ? 3 : 1.0 / 5;
  double sum = 0, squares = 0, products = 0, cross = 0, before = 0;

  for (guint i = 0; i < n; i++)
    {
      double y = block_eval (&block, 0)[0], o = block_eval (&other, 0)[0];

      g_assert_true (is_normal ? fabs (y) < 8 : fabs (y) < 1);
      sum += y;
      squares += y * y;
      products += y * before;
      cross += y * o;
      before = y;
      block_update (&block, i);
      block_update (&other, i);
    }
  g_assert_cmpfloat_with_epsilon (sum / n, 0, 5 * sqrt (variance / n));
  g_assert_cmpfloat_with_epsilon (squares / n, variance,
                                  5 * sqrt ((fourth - variance * variance) / n));
  g_assert_cmpfloat_with_epsilon (products / n, 0, 5 * variance / sqrt (n));
  g_assert_cmpfloat_with_epsilon (cross / n, 0, 5 * variance / sqrt (n));
  /* Number n follows from the seed and n alone. */
  block_update (&again, n - 1);
  g_assert_cmpfloat (block_eval (&again, 0)[0], ==, block_eval (&block, 0)[0]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/blocks/sources/waves", test_waves);
  g_test_add_func ("/blocks/sources/waves-in-runs", test_waves_in_runs);
  g_test_add_data_func ("/blocks/sources/random/uniform", "UniformRandom", test_random);
  g_test_add_data_func ("/blocks/sources/random/gaussian", "GaussianRandom", test_random);
  return g_test_run ();
}
