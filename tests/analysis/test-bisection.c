/* The search for the smallest set of entries to blame, against guilty ones planted at random. */
#include <float.h>
#include <gio/gio.h>
#include <math.h>

#include "../seeds.h"
#include "analysis/bisection.h"
#include "analysis/moment.h"

#include "../sim/models.h"

#define N_STRANDS 8
#define LENGTH 25 /* of a strand */

typedef enum { HEAD, HONEST, GUILTY, REMEMBERS } Kind;

static WeirStatus
head_y (const WeirCalc *c, double *y)
{
  *y = weir_calc_time (c);
  return WEIR_OK;
}

static WeirStatus
link_y (const WeirCalc *c, double *y)
{
  *y = weir_calc_parameter (c, (WeirParameter) { 0 })[0]
       + 0.5 * weir_calc_input (c, (WeirInput) { 0 })[0];
  return WEIR_OK;
}

static WeirStatus
remembering_y (const WeirCalc *c, double *y)
{
  static gint count;

  *y = weir_calc_input (c, (WeirInput) { 0 })[0] + g_atomic_int_add (&count, 1);
  return WEIR_OK;
}

static WeirSystem *
link_new (Kind kind)
{
  WeirLeafBuilder *b = weir_leaf_builder_new ("Link");
  WeirTicket k = weir_parameter_ticket (b,
                                        weir_leaf_add_parameter (b, "k", (double[]) { 0.25 }, 1));

  if (kind == HEAD)
    weir_leaf_add_output (b, "y", 1, head_y, WEIR_DEPENDS (WEIR_TIME));
  else
    {
      WeirTicket u = weir_input_ticket (b, weir_leaf_add_input (b, "u", 1));

      if (kind == GUILTY)
        weir_leaf_add_output (b, "y", 1, link_y, WEIR_DEPENDS (k));
      else
        weir_leaf_add_output (b, "y", 1, kind == HONEST ? link_y : remembering_y,
                              WEIR_DEPENDS (k, u));
    }
  return weir_leaf_builder_build (b);
}

/* Strands of links, each fed by its head. @kinds: by link, strand by strand. */
static WeirSystem *
strands_new (const Kind *kinds)
{
  WeirDiagramBuilder *b = weir_diagram_builder_new ();
  g_autoptr (GError) error = NULL;
  WeirSystem *diagram;

  for (guint i = 0; i < N_STRANDS * LENGTH; i++)
    {
      g_autoptr (WeirSystem) leaf = link_new (kinds[i]);
      g_autofree char *name = g_strdup_printf ("link%u", i),
                      *before = g_strdup_printf ("link%u", i - 1);

      weir_diagram_builder_add (b, name, leaf);
      if (i % LENGTH > 0)
        weir_diagram_builder_connect_by_name (b, before, "y", name, "u");
    }
  diagram = weir_diagram_builder_build (b, &error);
  g_assert_no_error (error);
  return diagram;
}

static void
make_honest (Kind *kinds)
{
  for (guint i = 0; i < N_STRANDS * LENGTH; i++)
    kinds[i] = i % LENGTH == 0 ? HEAD : HONEST;
}

static void
find (const Kind *kinds, WeirBisection *result)
{
  g_autoptr (WeirSystem) system = strands_new (kinds);
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (GError) error = NULL;

  options.step = 0.1;
  g_assert_true (weir_bisect_caching (system, &options, 0.3, NULL, result, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (result->n_entries, ==, 200);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

/* Two of 200, in different strands: exactly those, in at most 20 runs. */
static void
test_two (void)
{
  get_test_seed (68);
  for (guint trial = 0; trial < 12; trial++)
    {
      Kind kinds[N_STRANDS * LENGTH];
      guint strand = (guint) g_rand_int_range (test_rand, 0, N_STRANDS);
      guint other = (strand + (guint) g_rand_int_range (test_rand, 1, N_STRANDS)) % N_STRANDS;
      guint at[2] = { strand * LENGTH + (guint) g_rand_int_range (test_rand, 1, LENGTH),
                      other * LENGTH + (guint) g_rand_int_range (test_rand, 1, LENGTH) };
      g_autofree char *first = g_strdup_printf ("link%u:y", at[0]);
      g_autofree char *second = g_strdup_printf ("link%u:y", at[1]);
      const char *expected[2] = { first, second };
      WeirBisection result;

      make_honest (kinds);
      kinds[at[0]] = kinds[at[1]] = GUILTY;
      find (kinds, &result);
      g_test_message ("%s and %s: %u runs", first, second, result.n_runs);
      g_assert_false (result.first.identical);
      g_assert_true (result.is_explained);
      g_assert_cmpuint (result.entries->len, ==, 2);
      g_assert_cmpuint (g_array_index (result.entries, WeirEntry, 0).i, <,
                        g_array_index (result.entries, WeirEntry, 1).i);
      g_ptr_array_sort (result.paths, compare_texts);
      qsort (expected, 2, sizeof *expected, compare_texts);
      for (guint i = 0; i < 2; i++)
        g_assert_cmpstr (g_ptr_array_index (result.paths, i), ==, expected[i]);
      g_assert_cmpuint (result.n_runs, <=, 20);
      weir_bisection_clear (&result);
    }
}

/* One that feeds another of the same strand: the second does not declare that it reads
 * the first. */
static void
test_one_behind_another (void)
{
  Kind kinds[N_STRANDS * LENGTH];
  WeirBisection result;

  make_honest (kinds);
  kinds[7] = kinds[19] = GUILTY;
  find (kinds, &result);
  g_assert_cmpuint (result.entries->len, ==, 2);
  g_ptr_array_sort (result.paths, compare_texts);
  g_assert_cmpstr (g_ptr_array_index (result.paths, 0), ==, "link19:y");
  g_assert_cmpstr (g_ptr_array_index (result.paths, 1), ==, "link7:y");
  g_assert_cmpuint (result.n_runs, <=, 20);
  weir_bisection_clear (&result);
}

/* One alone, in a sentence. */
static void
test_text (void)
{
  Kind kinds[N_STRANDS * LENGTH];
  WeirBisection result;
  g_autofree char *text = NULL, *expected = NULL;

  make_honest (kinds);
  kinds[7] = GUILTY;
  find (kinds, &result);
  text = weir_bisection_to_string (&result);
  expected = g_strdup_printf (
      "1 of 200 entries is to blame: link7:y; without caching it the runs are identical (%u runs)",
      result.n_runs);
  g_assert_cmpstr (text, ==, expected);
  g_assert_cmpuint (result.n_runs, <=,
                    11); /* as it is, uncached, 8 halvings of 200, and the proof */
  weir_bisection_clear (&result);
}

static void
test_honest (void)
{
  Kind kinds[N_STRANDS * LENGTH];
  WeirBisection result;
  g_autofree char *text = NULL;

  make_honest (kinds);
  find (kinds, &result);
  g_assert_true (result.first.identical);
  g_assert_true (result.is_explained);
  g_assert_cmpuint (result.entries->len, ==, 0);
  g_assert_cmpuint (result.n_runs, ==, 1);
  text = weir_bisection_to_string (&result);
  g_assert_true (g_str_has_prefix (text, "identical, "));
  weir_bisection_clear (&result);
}

/* A memory of its own gives other values however little is cached. */
static void
test_memory (void)
{
  Kind kinds[N_STRANDS * LENGTH];
  WeirBisection result;
  g_autofree char *text = NULL;

  make_honest (kinds);
  kinds[30] = REMEMBERS;
  find (kinds, &result);
  g_assert_false (result.first.identical);
  g_assert_false (result.is_explained);
  g_assert_cmpuint (result.entries->len, ==, 0);
  g_assert_cmpuint (result.n_runs, ==, 2);
  text = weir_bisection_to_string (&result);
  g_assert_cmpstr (
      text, ==,
      "the runs differ even with none of the 200 entries cached: a calculation keeps memory of "
      "its own");
  weir_bisection_clear (&result);
}

static void
test_cancel (void)
{
  Kind kinds[N_STRANDS * LENGTH];
  g_autoptr (WeirSystem) system = NULL;
  WeirSimulatorOptions options = options_for ("rk4", 1e-6);
  g_autoptr (GError) error = NULL;
  WeirBisection result;
  gint cancel = 1;

  make_honest (kinds);
  system = strands_new (kinds);
  g_assert_false (weir_bisect_caching (system, &options, 0.3, &cancel, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Neighbouring doubles are 1 apart, on either side of zero too. */
static void
test_ulps (void)
{
  g_assert_cmpuint (weir_ulp_distance (1, 1 + DBL_EPSILON), ==, 1);
  g_assert_cmpuint (weir_ulp_distance (1 + DBL_EPSILON, 1), ==, 1);
  g_assert_cmpuint (weir_ulp_distance (1, 2), ==, G_GUINT64_CONSTANT (1) << 52);
  g_assert_cmpuint (weir_ulp_distance (0.0, -0.0), ==, 0);
  g_assert_cmpuint (weir_ulp_distance (nextafter (0, -1), nextafter (0, 1)), ==, 2);
  g_assert_cmpuint (weir_ulp_distance (-DBL_MAX, -INFINITY), ==, 1);
  g_assert_cmpuint (weir_ulp_distance (-INFINITY, INFINITY), ==,
                    2 * G_GUINT64_CONSTANT (0x7ff0000000000000));
  g_assert_cmpuint (weir_ulp_distance (1, NAN), ==, G_MAXUINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/bisection/two-of-200", test_two);
  g_test_add_func ("/analysis/bisection/one-behind-another", test_one_behind_another);
  g_test_add_func ("/analysis/bisection/text", test_text);
  g_test_add_func ("/analysis/bisection/honest", test_honest);
  g_test_add_func ("/analysis/bisection/memory", test_memory);
  g_test_add_func ("/analysis/bisection/cancel", test_cancel);
  g_test_add_func ("/analysis/bisection/ulps", test_ulps);
  return g_test_run ();
}
