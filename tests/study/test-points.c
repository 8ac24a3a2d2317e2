/* Studies as files, and their points: numbers that are published or follow from closed forms, and
 * that each point follows from the study and its number alone.
 */
#include <math.h>
#include <string.h>

#include "study/study.h"

static WeirStudy *
read_text (const char *text, char **complaint)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirStudy *study = weir_study_read_bytes (bytes, "a.weirstudy", diagnostics);

  g_assert_true ((study == NULL) == weir_diagnostics_has_errors (diagnostics));
  if (complaint != NULL && study == NULL)
    *complaint = weir_diagnostic_to_string (weir_diagnostics_get (diagnostics, 0));
  return study;
}

#define STUDY(points) "<study version='1' model='m.weir' seed='5'>\n" points "\n" KEEP "</study>"
#define KEEP "<keep><figure name='f' what='final' of='a.y'/></keep>"

static WeirStudy *
read_points (const char *points)
{
  g_autofree char *text = g_strdup_printf (STUDY ("%s"), points);
  g_autofree char *complaint = NULL;
  WeirStudy *study = read_text (text, &complaint);

  if (study == NULL)
    g_error ("%s", complaint);
  return study;
}

static void
assert_near (double value, double expected, double tolerance)
{
  g_assert_cmpfloat_with_epsilon (value, expected, tolerance);
}

/* --- Designs --------------------------------------------------------------------------------- */

static void
test_grid (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='grid'><parameter path='a.k' from='1' to='3' n='3'/>"
                           "<parameter path='a.c' values='5 7'/></points>");
  const double expected[][2] = { { 1, 5 }, { 1, 7 }, { 2, 5 }, { 2, 7 }, { 3, 5 }, { 3, 7 } };

  g_assert_cmpuint (weir_study_get_n_points (study), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      double values[2];

      weir_study_get_point (study, i, values);
      g_assert_cmpmem (values, sizeof values, expected[i], sizeof expected[i]);
    }
}

/* Whole numbers are whole ones, and tenths what is written so. */
static void
test_grid_of_whole_numbers (void)
{
  g_autoptr (WeirStudy)
      whole = read_points ("<points method='grid'><parameter path='a.seed' from='1' to='2000' "
                           "n='2000'/></points>");
  g_autoptr (WeirStudy)
      tenths = read_points ("<points method='grid'><parameter path='a.k' from='0' to='1' "
                            "n='11'/></points>");
  double value;

  for (guint i = 0; i < 2000; i++)
    {
      weir_study_get_point (whole, i, &value);
      g_assert_cmpfloat (value, ==, i + 1);
    }
  for (guint i = 0; i < 11; i++)
    {
      weir_study_get_point (tenths, i, &value);
      g_assert_cmpfloat (value, ==, i / 10.0);
    }
}

static void
test_single (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='one-at-a-time'>"
                           "<parameter path='a.k' from='1' to='100' n='3' middle='9' "
                           "distribution='log-uniform'/>"
                           "<parameter path='a.c' values='5 7' middle='6'/></points>");
  const double expected[][2] = { { 9, 6 }, { 1, 6 }, { 10, 6 }, { 100, 6 }, { 9, 5 }, { 9, 7 } };

  g_assert_cmpuint (weir_study_get_n_points (study), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      double values[2];

      weir_study_get_point (study, i, values);
      assert_near (values[0], expected[i][0], 1e-13);
      g_assert_cmpfloat (values[1], ==, expected[i][1]);
    }
}

static void
test_corners (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='corners'><parameter path='a.k' from='1' to='2'/>"
                           "<parameter path='a.c' from='3' to='4'/></points>");
  double values[2];

  g_assert_cmpuint (weir_study_get_n_points (study), ==, 4);
  weir_study_get_point (study, 2, values);
  g_assert_cmpfloat (values[0], ==, 1);
  g_assert_cmpfloat (values[1], ==, 4);
}

/* Points 1 to 4 in five dimensions: Joe and Kuo's own program (direction numbers new-joe-kuo-6). */
static void
test_sobol (void)
{
  g_autoptr (WeirStudy) study = read_points (
      "<points method='sobol' n='4' shift='none'>"
      "<parameter path='a.a' from='0' to='1'/><parameter path='a.b' from='0' to='1'/>"
      "<parameter path='a.c' from='0' to='1'/><parameter path='a.d' from='0' to='1'/>"
      "<parameter path='a.e' from='0' to='1'/></points>");
  const double expected[4][5] = { { .5, .5, .5, .5, .5 },
                                  { .75, .25, .25, .25, .75 },
                                  { .25, .75, .75, .75, .25 },
                                  { .375, .375, .625, .875, .375 } };

  for (guint i = 0; i < 4; i++)
    {
      double values[5];

      weir_study_get_point (study, i, values);
      g_assert_cmpmem (values, sizeof values, expected[i], sizeof expected[i]);
    }
}

/* Of 2^10 points each interval of length 2^-10 has one, in every dimension, shifted too. */
static void
test_sobol_is_even (void)
{
  g_autoptr (GString) text = g_string_new ("<points method='sobol' n='1024'>");
  g_autoptr (WeirStudy) study = NULL;

  for (guint k = 0; k < WEIR_SOBOL_DIMENSIONS; k++)
    g_string_append_printf (text, "<parameter path='a.p%u' from='0' to='1'/>", k);
  g_string_append (text, "</points>");
  study = read_points (text->str);
  for (guint k = 0; k < WEIR_SOBOL_DIMENSIONS; k++)
    {
      gboolean has[1024] = { FALSE };

      for (guint i = 0; i < 1024; i++)
        {
          double values[WEIR_SOBOL_DIMENSIONS];
          guint at;

          weir_study_get_point (study, i, values);
          at = (guint) (values[k] * 1024);
          g_assert_false (has[at]);
          has[at] = TRUE;
        }
    }
}

static void
test_latin_hypercube (void)
{
  g_autoptr (WeirStudy) study = read_points ("<points method='latin-hypercube' n='777'>"
                                             "<parameter path='a.k' from='0' to='777'/>"
                                             "<parameter path='a.c' from='0' to='777'/></points>");
  guint same = 0;
  gboolean has[2][777] = { { FALSE } };

  for (guint i = 0; i < 777; i++)
    {
      double values[2];

      weir_study_get_point (study, i, values);
      same += (guint) values[0] == (guint) values[1];
      for (guint k = 0; k < 2; k++)
        {
          g_assert_false (has[k][(guint) values[k]]);
          has[k][(guint) values[k]] = TRUE;
        }
    }
  g_assert_cmpuint (same, <, 10);
}

/* Walks: each parameter changes once, by half the levels, and stays within its range. */
static void
test_morris (void)
{
  g_autoptr (WeirStudy) study = read_points ("<points method='morris' n='20'>"
                                             "<parameter path='a.k' from='0' to='3'/>"
                                             "<parameter path='a.c' from='0' to='3'/>"
                                             "<parameter path='a.d' from='0' to='3'/></points>");

  g_assert_cmpuint (weir_study_get_n_points (study), ==, 80);
  for (guint w = 0; w < 20; w++)
    {
      guint changed = 0;

      for (guint s = 0; s < 3; s++)
        {
          double a[3], b[3];
          guint n = 0;

          weir_study_get_point (study, 4 * w + s, a);
          weir_study_get_point (study, 4 * w + s + 1, b);
          for (guint k = 0; k < 3; k++)
            if (a[k] != b[k])
              {
                n++;
                changed |= 1U << k;
                assert_near (fabs (a[k] - b[k]), 2, 1e-14);
              }
          g_assert_cmpuint (n, ==, 1);
        }
      g_assert_cmpuint (changed, ==, 7);
    }
}

/* --- Distributions --------------------------------------------------------------------------- */

/* Phi^-1 by mpmath with 30 digits. */
static void
test_quantile (void)
{
  static const double table[][2] = {
    { 0.5, 0 },
    { 0.975, 1.9599639845400542 },
    { 0.025, -1.9599639845400542 },
    { 0.9, 1.2815515655446004 },
    { 0.999, 3.0902323061678132 },
    { 1e-10, -6.361340902404056 },
    { 1e-3, -3.0902323061678132 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    assert_near (weir_normal_quantile (table[i][0]), table[i][1], 4e-14);
}

typedef struct {
  double mean, deviation;
} Moments;

static Moments
calc_moments (const WeirStudy *study, guint k)
{
  guint64 n = weir_study_get_n_points (study);
  double values[4], sum = 0, squares = 0;

  for (guint64 i = 0; i < n; i++)
    {
      weir_study_get_point (study, i, values);
      sum += values[k];
      squares += values[k] * values[k];
    }
  sum /= (double) n;
  return (Moments) { sum, sqrt (squares / (double) n - sum * sum) };
}

/* Means and deviations in closed form; the tolerance is what 2^14 evenly laid points leave. */
static void
test_distributions (void)
{
  static const struct {
    const char *attributes;
    double mean, deviation;
  } table[] = {
    { "from='2' to='5'", 3.5, 0.8660254038 }, /* (b - a) / sqrt 12 */
    { "distribution='normal' mean='3' deviation='2'", 3, 2 },
    { "distribution='log-normal' mean='0' deviation='0.25'", 1.0317434075, 0.2620190721 },
    { "distribution='triangular' from='0' to='3' mode='1'", 4.0 / 3, 0.6236095645 },
    { "distribution='exponential' mean='2'", 2, 2 },
    { "distribution='log-uniform' from='1' to='2.718281828459045'", 1.7182818285, 0.4919 },
    { "distribution='weibull' mean='1' deviation='2'", 0.8862269255, 0.4632513753 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *text = g_strdup_printf (
          "<points method='sobol' n='16384'><parameter path='a.k' %s/></points>",
          table[i].attributes);
      g_autoptr (WeirStudy) study = read_points (text);
      Moments moments = calc_moments (study, 0);

      assert_near (moments.mean, table[i].mean, 1e-3);
      assert_near (moments.deviation, table[i].deviation, 5e-3);
    }
}

/* a ~ N(1, .1), b ~ N(2, .3), correlation 1/2: the mean of ab is 2.015, its variance .191125. */
static void
test_correlation (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='sobol' n='65536'>"
                           "<parameter path='x.a' distribution='normal' mean='1' deviation='.1'/>"
                           "<parameter path='x.b' distribution='normal' mean='2' deviation='.3'/>"
                           "<correlation of='a' with='b' value='0.5'/></points>");
  double sum = 0, squares = 0, values[2];

  for (guint64 i = 0; i < 65536; i++)
    {
      weir_study_get_point (study, i, values);
      sum += values[0] * values[1];
      squares += values[0] * values[1] * values[0] * values[1];
    }
  sum /= 65536;
  assert_near (sum, 2.015, 1e-4);
  assert_near (squares / 65536 - sum * sum, 0.191125, 1e-3);
}

/* The seed alters random points, and no other study's point does. */
static void
test_alone (void)
{
  g_autoptr (WeirStudy) few = read_points ("<points method='random' n='10'>"
                                           "<parameter path='a.k' from='0' to='1'/></points>");
  g_autoptr (WeirStudy) many = read_points ("<points method='random' n='1000000000'>"
                                            "<parameter path='a.k' from='0' to='1'/></points>");

  for (guint i = 0; i < 10; i++)
    {
      double a, b, c;

      weir_study_get_point (few, i, &a);
      weir_study_get_point (many, 999999999 - i, &c);
      weir_study_get_point (many, i, &b);
      g_assert_cmpfloat (a, ==, b);
      g_assert_cmpfloat (a, !=, c);
    }
}

/* --- Files ----------------------------------------------------------------------------------- */

static void
test_round_trip (void)
{
  g_autoptr (WeirStudy) study = NULL, again = NULL, copy = NULL;
  g_autoptr (GBytes) once = NULL, twice = NULL, copied = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  study = read_text ("<?xml version='1.0'?><study version='1' model='m&amp;.weir' seed='9'>"
                     "<title>A &lt; B</title><setting name='stop-time' value='3'/>"
                     "<points method='list'><parameter path='a.k' name='k1'/>"
                     "<parameter path='b.k[2]'/><point values='1 0.1'/><point values='-2, 3e300'/>"
                     "</points><keep><signal port='a.y'/>"
                     "<figure name='f' what='settling-time' of='a.y' band='0.05' from='1'/>"
                     "<figure name='g' is='2*f + k_2'/></keep></study>",
                     NULL);
  g_assert_nonnull (study);
  g_assert_cmpstr (weir_study_get_parameter (study, 1)->name, ==, "k_2");
  once = weir_study_write_bytes (study);
  again = weir_study_read_bytes (once, "again", diagnostics);
  g_assert_nonnull (again);
  twice = weir_study_write_bytes (again);
  g_assert_true (g_bytes_equal (once, twice));
  copy = weir_study_copy (study);
  weir_study_remove_parameter (study, 0);
  weir_study_remove_figure (study, 0);
  weir_study_keep_signals (study, FALSE);
  copied = weir_study_write_bytes (copy);
  g_assert_true (g_bytes_equal (once, copied));
}

/* What is wrong, with its line. */
static void
test_refusals (void)
{
  static const char *const table[][2] = {
    { "<a/>", "*:1: error[STU01]*begins with <a>*" },
    { "<study version='1'/>", "*needs the attribute \"model\"*" },
    { "<study version='2' model='m'/>", "*format version 2*reads version 1*" },
    { "<study version='1' model='m'>\n<x/></study>", "*:2: error*no <x> in <study>*" },
    { "<study version='1' model='m'/>", "*no element <points>*" },
    { "<study version='1' model='m'><points method='random' n='1'/></study>", "*keeps nothing*" },
    { STUDY ("<points method='most'/>"), "*:2:*\"most\"*one of list, grid*" },
    { STUDY ("<points method='list'/>"), "*STU02*no points; give it elements <point>*" },
    { STUDY ("<points method='random' n='0'/>"), "*no points*with n*" },
    { STUDY ("<points method='random'/>"), "*random needs the attribute \"n\"*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='2'/></points>"),
      "*a.k needs the attribute \"to\"*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='2' to='1'/></points>"),
      "*from 2 to 1*larger*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='x' to='1'/></points>"),
      "*from of <parameter> must be a number, but is \"x\"*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='nan' to='1'/></points>"),
      "*must be a number*" },
    { STUDY ("<points method='grid'><parameter path='a.k' from='2' to='1'/></points>"),
      "*how many values*" },
    { STUDY ("<points method='grid'><parameter path='a' from='0' to='1' n='2000000000'/>"
             "<parameter path='b' from='0' to='1' n='2000000000'/></points>"),
      "*more than 10^9 points*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='0' to='1'/>"
             "<parameter path='b.k' from='0' to='1'/></points>"),
      "*\"k\" is given twice*" },
    { STUDY ("<points method='list'><parameter path='a.k'/><point values='1 2'/></points>"),
      "*each of the 1 parameters*has 2*" },
    { STUDY ("<points method='random' n='9'><parameter path='a.k' from='0' to='1'/>"
             "<correlation of='k' with='c' value='0'/></points>"),
      "*called \"c\"*" },
    { STUDY ("<points method='random' n='9'><parameter path='x.a' from='0' to='1'/>"
             "<parameter path='x.b' from='0' to='1'/><parameter path='x.c' from='0' to='1'/>"
             "<correlation of='a' with='b' value='0.9'/>"
             "<correlation of='b' with='c' value='0.9'/>"
             "<correlation of='a' with='c' value='-0.9'/></points>"),
      "*contradict each other*" },
    { "<study version='1' model='m'><points method='random' n='1'/><keep>"
      "<figure name='f' what='most' of='a'/></keep></study>",
      "*\"most\"*maximum*" },
    { "<study version='1' model='m'><points method='random' n='1'/><keep>"
      "<figure name='f' of='a'/></keep></study>",
      "*either what and of*or is*" },
    { "<study version='1' model='m'><points method='random' n='1'/><keep>"
      "<figure name='2' is='1'/></keep></study>",
      "*cannot be a name*" },
    { "<!DOCTYPE a [<!ENTITY b 'c'>]><study/>", "*XML03*" },
    { "study", "*XML01*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *complaint = NULL;

      g_assert_null (read_text (table[i][0], &complaint));
      if (!g_pattern_match_simple (table[i][1], complaint))
        g_error ("%s\n does not match %s", complaint, table[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/study/points/grid", test_grid);
  g_test_add_func ("/study/points/grid-of-whole-numbers", test_grid_of_whole_numbers);
  g_test_add_func ("/study/points/one-at-a-time", test_single);
  g_test_add_func ("/study/points/corners", test_corners);
  g_test_add_func ("/study/points/sobol", test_sobol);
  g_test_add_func ("/study/points/sobol-is-even", test_sobol_is_even);
  g_test_add_func ("/study/points/latin-hypercube", test_latin_hypercube);
  g_test_add_func ("/study/points/morris", test_morris);
  g_test_add_func ("/study/points/quantile", test_quantile);
  g_test_add_func ("/study/points/distributions", test_distributions);
  g_test_add_func ("/study/points/correlation", test_correlation);
  g_test_add_func ("/study/points/alone", test_alone);
  g_test_add_func ("/study/file/round-trip", test_round_trip);
  g_test_add_func ("/study/file/refusals", test_refusals);
  return g_test_run ();
}
