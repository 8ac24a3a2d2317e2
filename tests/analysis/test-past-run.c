/* Two runs side by side: counters by name, and what was recorded bit by bit. */
#include "../sim/models.h"

#include "analysis/past-run.h"

static WeirPastRun *
run_new (WeirSystem *system, const char *port, const char *other, double g, gboolean caching,
         double stop_time)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  const char *ports[] = { port, other, NULL };
  g_autoptr (WeirSession) session = NULL;
  g_autoptr (GError) error = NULL;

  options.step = 0.01;
  session = weir_session_new (system, &options, stop_time, 0, ports, &error);
  g_assert_no_error (error);
  weir_session_set_caching (session, caching);
  if (g > 0)
    weir_session_set_parameter (session, "swing", "g", &g, 1);
  weir_session_run (session);
  weir_session_join (session);
  return weir_past_run_new (session, "a run");
}

static WeirSystem *
swing_new (void)
{
  g_autoptr (WeirSystem) leaf = pendulum_new (1);

  return wrap_new ("swing", leaf);
}

/* Cached and uncached: the same bits; no hits without caching. */
static void
test_caching (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirPastRun) a = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 1);
  g_autoptr (WeirPastRun) b = run_new (system, "swing.theta", "swing.omega", 0, FALSE, 1);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);
  g_autoptr (GArray) rows = weir_past_run_compare_counters (a, b);
  g_autofree char *csv = weir_run_rows_to_csv (rows);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_true (found.is_identical);
  g_assert_null (found.first.signal);
  g_assert_null (found.common.signal);
  g_assert_cmpuint (found.n_between, ==, 0);
  g_assert_cmpuint (found.n_signals, ==, 2);
  g_assert_cmpuint (found.n_rows[0], ==, 101); /* the start and 100 steps of 0.01 s */
  g_assert_cmpuint (found.n_compared, ==, 3 * 101);
  g_assert_cmpuint (rows->len, ==, weir_layout_get_n_entries (weir_system_get_layout (system)));
  for (guint i = 0; i < rows->len; i++)
    {
      const WeirRunRow *row = &g_array_index (rows, WeirRunRow, i);

      g_assert_true (row->is_in[0] && row->is_in[1]);
      g_assert_cmpuint (row->counters[1].hits, ==, 0);
      g_assert_cmpuint (row->counters[1].first + row->counters[1].stale, ==, 0);
    }
  g_assert_cmpuint (g_strv_length (lines), ==,
                    rows->len + 2); /* a title, and nothing after the last */
  g_assert_true (g_str_has_prefix (lines[0], "entry,hits_a,hits_b,"));
}

/* With another gravity the first step already differs: in omega, for theta's first difference is of
 * third order and may hide in rounding, but comes first in the row if it shows. */
static void
test_different (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirPastRun) a = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 1);
  g_autoptr (WeirPastRun) b = run_new (system, "swing.omega", "swing.theta", 9.8, TRUE, 1);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);

  g_assert_false (found.is_identical);
  g_assert_cmpuint (found.n_common, ==, 101);
  g_assert_cmpuint (found.n_between, ==, 0);
  g_assert_cmpfloat (found.first.time, ==, 0.01);
  g_assert_true (g_str_equal (found.first.signal, "swing.theta")
                 || g_str_equal (found.first.signal, "swing.omega"));
  g_assert_cmpfloat (found.first.values[0], !=, found.first.values[1]);
  g_assert_cmpuint (found.n_ulps, >, 0);
  g_assert_cmpfloat (fabs (found.common.values[0] - found.common.values[1]), >,
                     fabs (found.first.values[0] - found.first.values[1]));
}

/* A run cut short is the same as far as it goes; signals that one alone has are counted. */
static void
test_parts (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirPastRun) a = run_new (system, "swing.theta", NULL, 0, TRUE, 1);
  g_autoptr (WeirPastRun) b = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 0.5);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);
  g_autoptr (GArray) rows = NULL;
  guint n_both = 0;

  g_assert_false (found.is_identical);
  g_assert_null (found.first.signal);
  g_assert_cmpuint (found.n_common, ==, 51);
  g_assert_cmpuint (found.n_between, ==, 0);
  g_assert_cmpuint (found.n_rows[0], ==, 101);
  g_assert_cmpuint (found.n_rows[1], ==, 51);
  g_assert_cmpuint (found.n_signals, ==, 1);
  g_assert_cmpuint (found.n_only[0], ==, 0);
  g_assert_cmpuint (found.n_only[1], ==, 1);
  rows = weir_past_run_compare_counters (a, b);
  for (guint i = 0; i < rows->len; i++)
    n_both += g_array_index (rows, WeirRunRow, i).is_in[0]
              && g_array_index (rows, WeirRunRow, i).is_in[1];
  g_assert_cmpuint (n_both, ==, rows->len);
}

/* --- Other steps ----------------------------------------------------------------------------- */

static WeirStatus
square_y (const WeirCalc *c, double *y)
{
  double t = weir_calc_time (c);

  y[0] = weir_calc_parameter (c, (WeirParameter) { 0 })[0] * t * t;
  return WEIR_OK;
}

static WeirStatus
no_xcdot (G_GNUC_UNUSED const WeirCalc *c, double *xdot)
{
  xdot[0] = 0;
  return WEIR_OK;
}

/* y = k t^2, beside a state that stays. */
static WeirSystem *
square_new (void)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Square");
  WeirParameter k = weir_leaf_add_parameter (b, "k", (double[]) { 1 }, 1);
  g_autoptr (WeirSystem) leaf = NULL;

  weir_leaf_add_output (b, "y", 1, square_y,
                        WEIR_DEPENDS (WEIR_TIME, weir_parameter_ticket (b, k)));
  weir_leaf_set_continuous_state (b, 0, 0, 1, (double[]) { 0 });
  weir_leaf_set_derivatives (b, no_xcdot, WEIR_DEPENDS (WEIR_NOTHING));
  leaf = weir_leaf_builder_build (b);
  return wrap_new ("square", leaf);
}

static WeirPastRun *
run_square (WeirSystem *system, double step, double k)
{
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (WeirSession) session = NULL;

  options.step = step;
  session = weir_session_new (system, &options, 1, 0, (const char *[]) { "square.y", NULL }, NULL);
  weir_session_set_parameter (session, "square", "k", &k, 1);
  weir_session_run (session);
  weir_session_join (session);
  return weir_past_run_new (session, "a run");
}

/* Steps of 1/4 and 1/8 s have five instants in common. Between, A's straight lines lie above the
 * parabola by k h^2/4 in their middle, h = 1/4: by 1/64, in each of the four. */
static void
test_other_steps (void)
{
  g_autoptr (WeirSystem) system = square_new ();
  g_autoptr (WeirPastRun) a = run_square (system, 0.25, 1);
  g_autoptr (WeirPastRun) b = run_square (system, 0.125, 1);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);

  g_assert_false (found.is_identical);
  g_assert_null (found.first.signal);
  g_assert_null (found.common.signal);
  g_assert_cmpuint (found.n_rows[0], ==, 5);
  g_assert_cmpuint (found.n_rows[1], ==, 9);
  g_assert_cmpuint (found.n_common, ==, 5);
  g_assert_cmpuint (found.n_compared, ==, 2 * 5);
  g_assert_cmpuint (found.n_between, ==, 4);
  g_assert_cmpstr (found.between.signal, ==, "square.y");
  g_assert_cmpfloat (found.between.time, ==, 0.125);
  g_assert_cmpfloat (found.between.values[0], ==, 1.0 / 32);
  g_assert_cmpfloat (found.between.values[1], ==, 1.0 / 64);
}

/* The same the other way round, and another k: at common instants the difference is t^2, at most 1;
 * between, B's lines are of 2 t^2: 2 t^2 + 2 h^2/4 - t^2, at most at 7/8. */
static void
test_other_steps_and_values (void)
{
  g_autoptr (WeirSystem) system = square_new ();
  g_autoptr (WeirPastRun) a = run_square (system, 0.125, 1);
  g_autoptr (WeirPastRun) b = run_square (system, 0.25, 2);
  WeirRunDifference found = weir_past_run_compare_recorded (a, b);

  g_assert_false (found.is_identical);
  g_assert_cmpuint (found.n_between, ==, 4);
  g_assert_cmpstr (found.first.signal, ==, "square.y");
  g_assert_cmpfloat (found.first.time, ==, 0.25);
  g_assert_cmpuint (found.n_ulps, ==, G_GUINT64_CONSTANT (1) << 52); /* a factor of two */
  g_assert_cmpfloat (found.common.time, ==, 1);
  g_assert_cmpfloat (found.common.values[0], ==, 1);
  g_assert_cmpfloat (found.common.values[1], ==, 2);
  g_assert_cmpfloat (found.between.time, ==, 0.875);
  g_assert_cmpfloat (found.between.values[0], ==, 49.0 / 64);
  g_assert_cmpfloat (found.between.values[1], ==, 98.0 / 64 + 1.0 / 32);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/past-run/caching", test_caching);
  g_test_add_func ("/analysis/past-run/different", test_different);
  g_test_add_func ("/analysis/past-run/parts", test_parts);
  g_test_add_func ("/analysis/past-run/other-steps", test_other_steps);
  g_test_add_func ("/analysis/past-run/other-steps-and-values", test_other_steps_and_values);
  return g_test_run ();
}
