/* When periodic events fall. */
#include "sim/simulator-private.h"

typedef struct {
  const char *what;
  double period, offset, t;
  gint64 at, after; /* expected indices */
} Case;

static const Case cases[] = {
  { "offset has not arrived yet", 0.25, 2, 1.9, 0, 0 },
  { "exactly at the offset", 0.25, 2, 2, 0, 1 },
  { "offset is in the past", 0.25, 2, 2.1, 1, 1 },
  { "exactly on an update", 0.25, 2, 2.5, 2, 3 },
  { "long before", 0.25, 2, -1e9, 0, 0 },
  { "zero", 0.02, 0, 0, 0, 1 },
  { "a hair below zero", 0.02, 0, -1e-300, 0, 0 },
};

static void
test_find (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case *c = &cases[i];

      g_test_message ("%s", c->what);
      g_assert_cmpint (weir_periodic_find (c->period, c->offset, c->t, FALSE), ==, c->at);
      g_assert_cmpint (weir_periodic_find (c->period, c->offset, c->t, TRUE), ==, c->after);
    }
}

/* The products land a hair below the decimal number; the next event is a whole period later. */
static void
test_rounding (void)
{
  g_assert_cmpfloat (0.015 * 11, <, 0.165);
  g_assert_cmpint (weir_periodic_find (0.015, 0, 0.015 * 11, TRUE), ==, 12);
  g_assert_cmpint (weir_periodic_find (0.015, 0, 0.165, TRUE), ==, 12);
  g_assert_cmpfloat_with_epsilon (weir_periodic_time (0.015, 0, 12), 0.18, 1e-15);
  g_assert_cmpfloat (0.0025 * 977, <=, 2.4425);
  g_assert_cmpint (weir_periodic_find (0.0025, 0, 0.0025 * 977, TRUE), ==, 978);
  g_assert_cmpint (weir_periodic_find (0.0025, 0, 2.4425, TRUE), ==, 978);
}

/* For any event of any series: its own time finds it, and strictly later finds the next. */
static void
test_every_index (void)
{
  static const double periods[] = { 0.1, 0.015, 0.0025, 1.0 / 3, 1e-3, 7, 1e-7 };
  static const double offsets[] = { 0, 0.3, 1e-3, 12.7 };

  for (guint p = 0; p < G_N_ELEMENTS (periods); p++)
    for (guint o = 0; o < G_N_ELEMENTS (offsets); o++)
      for (gint64 n = 0; n < 20000; n += 1 + n / 50)
        {
          double t = weir_periodic_time (periods[p], offsets[o], n);

          g_assert_cmpint (weir_periodic_find (periods[p], offsets[o], t, FALSE), ==, n);
          g_assert_cmpint (weir_periodic_find (periods[p], offsets[o], t, TRUE), ==, n + 1);
        }
}

static void
test_same_instant (void)
{
  g_assert_cmpfloat (0.1 * 3, !=, 0.3);
  g_assert_true (weir_is_same_instant (0.1 * 3, 0.3));
  g_assert_true (weir_is_same_instant (0, 0));
  g_assert_false (weir_is_same_instant (0, 1e-300));
  g_assert_false (weir_is_same_instant (1, 1 + 1e-14));
  g_assert_false (weir_is_same_instant (1, INFINITY));
  for (gint64 n = 1; n < 100000; n++)
    g_assert_true (
        weir_is_same_instant (weir_periodic_time (0.1, 0, 3 * n), weir_periodic_time (0.3, 0, n)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sim/schedule/78-next-after", test_find);
  g_test_add_func ("/sim/schedule/80-rounding", test_rounding);
  g_test_add_func ("/sim/schedule/every-index", test_every_index);
  g_test_add_func ("/sim/schedule/same-instant", test_same_instant);
  return g_test_run ();
}
