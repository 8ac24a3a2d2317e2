/* Two runs side by side: counters by name, and what was recorded bit by bit. */
#include "../sim/models.h"

#include "analysis/run-record.h"

static WeirRunRecord *
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
  return weir_run_record_new (session, "a run");
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
  g_autoptr (WeirRunRecord) a = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 1);
  g_autoptr (WeirRunRecord) b = run_new (system, "swing.theta", "swing.omega", 0, FALSE, 1);
  WeirRunDifference found = weir_run_compare_recorded (a, b);
  g_autoptr (GArray) rows = weir_run_compare_counters (a, b);
  g_autofree char *csv = weir_run_rows_to_csv (rows);
  g_auto (GStrv) lines = g_strsplit (csv, "\r\n", -1);

  g_assert_true (found.is_identical);
  g_assert_false (found.has_difference);
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
  g_autoptr (WeirRunRecord) a = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 1);
  g_autoptr (WeirRunRecord) b = run_new (system, "swing.omega", "swing.theta", 9.8, TRUE, 1);
  WeirRunDifference found = weir_run_compare_recorded (a, b);

  g_assert_false (found.is_identical);
  g_assert_true (found.has_difference);
  g_assert_cmpuint (found.row, ==, 1);
  g_assert_cmpfloat (found.time, ==, 0.01);
  g_assert_true (g_str_equal (found.signal, "swing.theta")
                 || g_str_equal (found.signal, "swing.omega"));
  g_assert_cmpfloat (found.values[0], !=, found.values[1]);
  g_assert_cmpuint (found.n_ulps, >, 0);
}

/* A run cut short is the same as far as it goes; signals that one alone has are counted. */
static void
test_parts (void)
{
  g_autoptr (WeirSystem) system = swing_new ();
  g_autoptr (WeirRunRecord) a = run_new (system, "swing.theta", NULL, 0, TRUE, 1);
  g_autoptr (WeirRunRecord) b = run_new (system, "swing.theta", "swing.omega", 0, TRUE, 0.5);
  WeirRunDifference found = weir_run_compare_recorded (a, b);
  g_autoptr (GArray) rows = NULL;
  guint n_both = 0;

  g_assert_false (found.is_identical);
  g_assert_false (found.has_difference);
  g_assert_cmpuint (found.n_rows[0], ==, 101);
  g_assert_cmpuint (found.n_rows[1], ==, 51);
  g_assert_cmpuint (found.n_signals, ==, 1);
  g_assert_cmpuint (found.n_only[0], ==, 0);
  g_assert_cmpuint (found.n_only[1], ==, 1);
  rows = weir_run_compare_counters (a, b);
  for (guint i = 0; i < rows->len; i++)
    n_both += g_array_index (rows, WeirRunRow, i).is_in[0]
              && g_array_index (rows, WeirRunRow, i).is_in[1];
  g_assert_cmpuint (n_both, ==, rows->len);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/run-record/caching", test_caching);
  g_test_add_func ("/analysis/run-record/different", test_different);
  g_test_add_func ("/analysis/run-record/parts", test_parts);
  return g_test_run ();
}
