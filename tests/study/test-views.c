/* What charts of studies show, against numbers that follow by hand: percentiles of straight lines,
 * rank correlations (those of scipy.stats.spearmanr), means in cells, lines of equal value, points
 * that no other beats. Studies that are changed in place keep what was not touched.
 */
#include <math.h>
#include <string.h>

#include "study/views.h"

/* --- Over time ------------------------------------------------------------------------------- */

/* Of y = i t, i = 0 ... 4, the first ending at 0.4: at 0.5 there are 0.5, 1, 1.5 and 2. */
static void
test_percentiles (void)
{
  static const double times[] = { 0, 1 }, early[] = { 0, 0.4 };
  static const double values[5][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 4 } };
  WeirStudyCurve curves[5];
  g_autoptr (WeirStudyBands) bands = NULL;

  for (guint i = 0; i < 5; i++)
    curves[i] = (WeirStudyCurve) { 2, i == 0 ? early : times, values[i] };
  bands = weir_study_bands_new (5, curves, FALSE, 5);
  g_assert_cmpuint (bands->n, ==, 5);
  g_assert_cmpfloat (bands->times[2], ==, 0.5);
  g_assert_cmpuint (bands->counts[1], ==, 5);
  g_assert_cmpfloat_with_epsilon (bands->levels[2][1], 0.5, 1e-15);
  g_assert_cmpfloat_with_epsilon (bands->levels[0][1], 0.05, 1e-15);
  g_assert_cmpuint (bands->counts[2], ==, 4);
  g_assert_cmpfloat_with_epsilon (bands->levels[0][2], 0.575, 1e-15);
  g_assert_cmpfloat_with_epsilon (bands->levels[2][2], 1.25, 1e-15);
  g_assert_cmpfloat_with_epsilon (bands->levels[4][4], 3.85, 1e-15);
}

/* Held values stay; where a time is there twice the later row holds. */
static void
test_held (void)
{
  static const double times[] = { 0, 1, 1, 2 }, values[] = { 5, 5, 7, 9 };
  const WeirStudyCurve curve = { 4, times, values };
  g_autoptr (WeirStudyBands) held = weir_study_bands_new (1, &curve, TRUE, 5);
  g_autoptr (WeirStudyBands) lines = weir_study_bands_new (1, &curve, FALSE, 5);
  g_autoptr (WeirStudyBands) none = weir_study_bands_new (0, &curve, FALSE, 5);

  g_assert_cmpfloat (held->levels[2][1], ==, 5);
  g_assert_cmpfloat (held->levels[2][2], ==, 7);
  g_assert_cmpfloat (held->levels[2][3], ==, 7);
  g_assert_cmpfloat (lines->levels[2][3], ==, 8);
  g_assert_cmpuint (none->n, ==, 0);
}

/* --- Sensitivity ----------------------------------------------------------------------------- */

static WeirStudy *
read_points (const char *points)
{
  g_autofree char *text = g_strdup_printf (
      "<study version='1' model='m.weir' seed='5'>%s<keep><figure name='f' what='final' of='a.y'/>"
      "</keep></study>",
      points);
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirStudy *study = weir_study_read_bytes (bytes, "a.weirstudy", diagnostics);

  g_assert_nonnull (study);
  return study;
}

/* y = a - 10 b + 0 c: b swings by 10, a by 2, c not at all. */
static void
test_swings (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='one-at-a-time'>"
                           "<parameter path='m.a' from='1' to='3' n='3' middle='2'/>"
                           "<parameter path='m.b' from='0' to='1' n='2' middle='0.5'/>"
                           "<parameter path='m.c' from='0' to='1' n='2' middle='0.5'/></points>");
  guint64 numbers[8];
  double values[8][3], figures[8], middle;
  const double *of_values[8], *of_figures[8];
  const WeirStudyTable table = { 8, numbers, of_values, of_figures };
  WeirEffect effects[3];

  g_assert_cmpuint (weir_study_get_n_points (study), ==, 8);
  for (guint i = 0; i < 8; i++)
    {
      weir_study_get_point (study, i, values[i]);
      numbers[i] = i;
      figures[i] = values[i][0] - 10 * values[i][1];
      of_values[i] = values[i];
      of_figures[i] = &figures[i];
    }
  weir_study_calc_effects (study, &table, NULL, 0, &middle, effects);
  g_assert_cmpfloat (middle, ==, -3);
  g_assert_cmpuint (effects[0].parameter, ==, 1);
  g_assert_cmpfloat (effects[0].low, ==, -8);
  g_assert_cmpfloat (effects[0].high, ==, 2);
  g_assert_cmpuint (effects[1].parameter, ==, 0);
  g_assert_cmpfloat (effects[1].low, ==, -4);
  g_assert_cmpfloat (effects[1].high, ==, -2);
  g_assert_cmpfloat (effects[2].low, ==, effects[2].high);
}

/* Without ties 1 - 6 sum d^2 / (n (n^2 - 1)) = 0.8; with one 4.5 / sqrt (5 * 4.5). A point without
 * its figure is left out. */
static void
test_ranks (void)
{
  g_autoptr (WeirStudy) study = read_points ("<points method='random' n='5'>"
                                             "<parameter path='m.a' from='0' to='1'/></points>");
  static const guint64 numbers[] = { 0, 1, 2, 3, 4 };
  static const double x[] = { 1, 20, 300, 4000, 50000 };
  static const double plain[] = { 2, 1, 4, 3, 5 }, tied[] = { 1, 1, 2, 3, NAN };
  const double *values[5], *figures[5];
  const WeirStudyTable table = { 5, numbers, values, figures };
  WeirEffect effect;
  double middle;

  for (guint i = 0; i < 5; i++)
    {
      values[i] = &x[i];
      figures[i] = &plain[i];
    }
  weir_study_calc_effects (study, &table, NULL, 0, &middle, &effect);
  g_assert_cmpfloat_with_epsilon (effect.high, 0.8, 1e-15);
  for (guint i = 0; i < 5; i++)
    figures[i] = &tied[i];
  weir_study_calc_effects (study, &table, NULL, 0, &middle, &effect);
  g_assert_cmpfloat_with_epsilon (effect.high, 0.9486832980505138, 1e-15);
}

/* --- Maps ------------------------------------------------------------------------------------ */

static void
test_map (void)
{
  static const double x[] = { 1, 2, 4, 1, 2, 4, 4 }, y[] = { 0, 0, 0, 10, 10, 10, 10 };
  static const double z[] = { 1, 2, 3, 4, NAN, 6, 8 };
  g_autoptr (WeirStudyMap) map = weir_study_map_new (7, x, y, z);

  g_assert_cmpuint (map->n_x, ==, 3);
  g_assert_cmpuint (map->n_y, ==, 2);
  g_assert_cmpfloat (map->x[0], ==, 0.5);
  g_assert_cmpfloat (map->x[1], ==, 1.5);
  g_assert_cmpfloat (map->x[2], ==, 3);
  g_assert_cmpfloat (map->x[3], ==, 5);
  g_assert_cmpfloat (map->means[0], ==, 1);
  g_assert_true (isnan (map->means[4]));
  g_assert_cmpfloat (map->means[5], ==, 7);
  g_assert_cmpuint (map->counts[5], ==, 2);
  g_assert_cmpfloat (map->least, ==, 1);
  g_assert_cmpfloat (map->most, ==, 7);
}

/* Of z = x + 2 y the line z = level; each piece lies on it. Of a saddle four sides are crossed: two
 * pieces that do not cross each other. */
static void
test_contours (void)
{
  double x[100], y[100], z[100];
  g_autoptr (GArray) at_x = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) at_y = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (WeirStudyMap) map = NULL, saddle = NULL;
  static const double sx[] = { 0, 1, 0, 1 }, sy[] = { 0, 0, 1, 1 }, sz[] = { 1, -1, -1, 2 };

  for (guint i = 0; i < 100; i++)
    {
      x[i] = i % 10;
      y[i] = i / 10;
      z[i] = x[i] + 2 * y[i];
    }
  map = weir_study_map_new (100, x, y, z);
  weir_study_map_trace (map, 8.5, at_x, at_y);
  g_assert_cmpuint (at_x->len, ==, 3 * 13);
  for (guint i = 0; i < at_x->len; i++)
    if (i % 3 != 2)
      g_assert_cmpfloat_with_epsilon (
          g_array_index (at_x, double, i) + 2 * g_array_index (at_y, double, i), 8.5, 1e-12);
    else
      g_assert_true (isnan (g_array_index (at_x, double, i)));

  /* The mean, 0.25, is above 0: (0, 0) and (1, 1) belong together, each piece cuts off another
   * corner. */
  g_array_set_size (at_x, 0);
  g_array_set_size (at_y, 0);
  saddle = weir_study_map_new (4, sx, sy, sz);
  weir_study_map_trace (saddle, 0, at_x, at_y);
  g_assert_cmpuint (at_x->len, ==, 6);
  for (guint piece = 0; piece < 2; piece++)
    {
      const double *px = &g_array_index (at_x, double, 3 * piece),
                   *py = &g_array_index (at_y, double, 3 * piece);
      gboolean is_right = px[0] + px[1] > 1;

      g_assert_true (is_right ? py[0] + py[1] < 1 : py[0] + py[1] > 1);
    }
}

/* Where values hardly repeat, in even parts. */
static void
test_scattered_map (void)
{
  double x[400], y[400], z[400];
  g_autoptr (WeirStudyMap) map = NULL;
  guint n = 0;

  for (guint i = 0; i < 400; i++)
    {
      x[i] = fmod (i * 0.618033988749895, 1);
      y[i] = i / 399.;
      z[i] = 3;
    }
  map = weir_study_map_new (400, x, y, z);
  g_assert_cmpuint (map->n_x, ==, 10);
  g_assert_cmpfloat (map->y[map->n_y], ==, 1);
  for (guint c = 0; c < map->n_x * map->n_y; c++)
    n += map->counts[c];
  g_assert_cmpuint (n, ==, 400);
  g_assert_cmpfloat (map->most, ==, 3);
}

/* --- Fronts ---------------------------------------------------------------------------------- */

static void
test_front (void)
{
  static const double a[] = { 1, 2, 3, 4, 2, 0, 4 }, b[] = { 5, 3, 4, 1, 3, NAN, 2 };
  static const gboolean least[] = { TRUE, TRUE, FALSE, TRUE, TRUE, FALSE, FALSE };
  static const gboolean largest[] = { TRUE, FALSE, TRUE, FALSE, FALSE, FALSE, TRUE };
  gboolean is_front[7];

  g_assert_cmpuint (weir_study_find_front (7, a, 1, b, 1, is_front), ==, 4);
  g_assert_cmpmem (is_front, sizeof is_front, least, sizeof least);
  g_assert_cmpuint (weir_study_find_front (7, a, -1, b, -1, is_front), ==, 3);
  g_assert_cmpmem (is_front, sizeof is_front, largest, sizeof largest);
}

/* --- Studies that are changed ---------------------------------------------------------------- */

static WeirStudy *
read_again (const WeirStudy *study)
{
  g_autoptr (GBytes) bytes = weir_study_write_bytes (study), again = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirStudy *read = weir_study_read_bytes (bytes, "a.weirstudy", diagnostics);

  g_assert_nonnull (read);
  again = weir_study_write_bytes (read);
  g_assert_true (g_bytes_equal (bytes, again));
  return read;
}

static void
test_built (void)
{
  g_autoptr (WeirStudy) study = weir_study_new (), read = NULL;

  study->model = g_strdup ("m.weir");
  weir_study_add_parameter (study, "K.gain", 1, 3);
  weir_study_add_parameter (study, "Other-K.gain", 1, 3);
  weir_study_add_parameter (study, "F.denominator[2]", 1, 3);
  g_assert_cmpstr (weir_study_get_parameter (study, 1)->name, ==, "gain_2");
  weir_study_add_figure (study, WEIR_FIGURE_RISE_TIME, "K.y");
  weir_study_add_figure (study, WEIR_FIGURE_RISE_TIME, "F.y");
  g_assert_cmpstr (weir_study_get_figure (study, 1)->name, ==, "rise_time_2");
  weir_study_keep_signals (study, TRUE);
  for (WeirPointsMethod method = WEIR_POINTS_GRID; method < WEIR_POINTS_OPTIMISE; method++)
    {
      weir_study_set_method (study, method);
      if (weir_study_is_counted (study))
        weir_study_set_count (study, 6);
      g_clear_pointer (&read, weir_study_free);
      read = read_again (study);
      g_assert_cmpint ((int) read->method, ==, (int) method);
      g_assert_cmpuint (read->signals->len, ==, 2);
      if (weir_study_is_counted (study))
        g_assert_cmpuint (weir_study_get_count (read), ==, 6);
    }
  weir_study_set_method (study, WEIR_POINTS_OPTIMISE);
  weir_study_set_objective (study, 1, TRUE);
  g_clear_pointer (&read, weir_study_free);
  read = read_again (study);
  g_assert_true (read->objective.is_largest);
  weir_study_set_method (study, WEIR_POINTS_RANDOM); /* which has no goal */
  g_clear_pointer (&read, weir_study_free);
  read = read_again (study);
  g_assert_null (read->objective.figure);
  weir_study_remove_figure (study, 1);
  g_assert_null (study->objective.figure);
}

/* What is taken away takes along what names it, and nothing else. */
static void
test_removed (void)
{
  g_autoptr (WeirStudy)
      study = read_points ("<points method='random' n='9'><parameter path='m.a' from='0' to='1'/>"
                           "<parameter path='m.b' distribution='normal' mean='1' deviation='2'/>"
                           "<parameter path='m.c' distribution='triangular' from='0' to='2' "
                           "mode='1'/><correlation of='a' with='b' value='0.5'/>"
                           "<correlation of='b' with='c' value='0.25'/></points>");
  g_autoptr (WeirStudy) read = NULL;

  weir_study_remove_parameter (study, 0);
  read = read_again (study);
  g_assert_cmpuint (read->parameters->len, ==, 2);
  g_assert_cmpuint (read->correlations->len, ==, 1);
  g_assert_cmpfloat (g_array_index (read->correlations, WeirStudyCorrelation, 0).value, ==, 0.25);
  g_assert_cmpfloat (weir_study_get_parameter (read, 0)->deviation, ==, 2);
  g_assert_cmpfloat (weir_study_get_parameter (read, 1)->mode, ==, 1);
  g_assert_cmpuint (read->seed, ==, 5);
}

/* --- Lines through boxes ---------------------------------------------------------------------- */

/* From (0, 0) up to (1, 1), down to (2, 0), and after a gap along y = 3. */
static void
test_passes (void)
{
  static const double x[] = { 0, 1, 2, 3, 4, 5 }, y[] = { 0, 1, 0, (double) NAN, 3, 3 };
  static const struct {
    double ends[2][2];
    gboolean passes;
  } table[] = {
    { { { 0.4, 0.6 }, { 0.4, 0.6 } }, TRUE },     /* across */
    { { { 0.4, 0.6 }, { 0.7, 0.9 } }, FALSE },    /* above */
    { { { 0.25, 0.75 }, { 0.74, 0.9 } }, TRUE },  /* by a corner */
    { { { 0.25, 0.75 }, { 0.76, 0.9 } }, FALSE }, /* by it */
    { { { 0.9, 1.1 }, { 0.95, 2 } }, TRUE },      /* the top */
    { { { 1, 1 }, { 1, 1 } }, TRUE },             /* a point, without extent */
    { { { 2, 2 }, { 1, 1 } }, FALSE },
    { { { 2.5, 3.5 }, { -9, 9 } }, FALSE }, /* the gap */
    { { { 4.5, 4.5 }, { 2, 4 } }, TRUE },   /* between points */
    { { { 4.2, 4.8 }, { 3, 3 } }, TRUE },   /* along it */
    { { { 6, 7 }, { 0, 4 } }, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    g_assert_cmpint (weir_study_passes (6, x, y, table[i].ends), ==, table[i].passes);
}

/* Ranks 1 2 3 4 5 and 2 1 4 3 5: 1 - 6 * 4 / (5 * 24) = 0.8. */
static void
test_rank_correlation (void)
{
  static const double x[] = { 10, 20, 30, (double) NAN, 40, 50 };
  static const double y[] = { 2, 1, 40, 7, 30, 50 }, same[] = { 1, 1, 1, 1, 1, 1 };

  g_assert_cmpfloat_with_epsilon (weir_study_calc_rank_correlation (6, x, y), 0.8, 1e-15);
  g_assert_true (isnan (weir_study_calc_rank_correlation (6, x, same)));
  g_assert_true (isnan (weir_study_calc_rank_correlation (2, x, y)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/study/views/percentiles", test_percentiles);
  g_test_add_func ("/study/views/held", test_held);
  g_test_add_func ("/study/views/swings", test_swings);
  g_test_add_func ("/study/views/ranks", test_ranks);
  g_test_add_func ("/study/views/map", test_map);
  g_test_add_func ("/study/views/scattered-map", test_scattered_map);
  g_test_add_func ("/study/views/contours", test_contours);
  g_test_add_func ("/study/views/front", test_front);
  g_test_add_func ("/study/changed/built", test_built);
  g_test_add_func ("/study/changed/removed", test_removed);
  g_test_add_func ("/study/views/passes", test_passes);
  g_test_add_func ("/study/views/rank-correlation", test_rank_correlation);
  return g_test_run ();
}
