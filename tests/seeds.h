/* The seed of a random test. It stands in the test, so that each run of the tests does the same;
 * `tests/run seeds N` gives fresh ones in the environment, to every test that prints its seed here.
 */
#pragma once

#include <glib.h>

/* The numbers of the test that runs, for those that pass no generator about. */
static GRand *test_rand;

/* The seed: @standing, unless another is asked for. Begins test_rand with it. Once in a test. */
static inline guint32
get_test_seed (guint32 standing)
{
  const char *fresh = g_getenv ("WEIR_TEST_SEED");
  guint32 seed = fresh != NULL ? (guint32) g_ascii_strtoull (fresh, NULL, 10) : standing;

  if (test_rand == NULL)
    test_rand = g_rand_new ();
  g_rand_set_seed (test_rand, seed);
  g_test_message ("WEIR_TEST_SEED=%u", seed);
  return seed;
}
