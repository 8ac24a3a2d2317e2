/* Elimination in bands and in whole matrices, against closed forms and against each other. */
#include "numerics/band.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../seeds.h"

#define MOST 40

/* --- Against each other ---------------------------------------------------------------------- */

/* Random bands whose diagonals need row exchanges, against the whole matrix and against what the
 * right side was made of. */
static void
test_bands (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (5));

  for (guint k = 0; k < 2000; k++)
    {
      guint n = (guint) g_rand_int_range (rand, 1, MOST + 1);
      WeirBand band = { n, (guint) g_rand_int_range (rand, 0, (gint) n),
                        (guint) g_rand_int_range (rand, 0, (gint) n) };
      WeirBand dense = weir_band_dense (n);
      g_autofree double *a = g_new0 (double, weir_band_get_size (&band));
      double whole[MOST * MOST] = { 0 }, b[MOST] = { 0 }, c[MOST] = { 0 }, x[MOST];
      gboolean is_fine;

      g_assert_cmpuint (weir_band_get_size (&dense), ==, n * n);
      for (guint i = 0; i < n; i++)
        x[i] = g_rand_double_range (rand, -1, 1);
      for (guint i = 0; i < n; i++)
        for (guint j = i - MIN (i, band.lower); j < MIN (n, i + band.upper + 1); j++)
          {
            double value = g_rand_int_range (rand, 0, 4) == 0 ? 0.0
                                                              : g_rand_double_range (rand, -1, 1);

            a[weir_band_get_place (&band, i, j)] = value;
            whole[weir_band_get_place (&dense, i, j)] = value;
            g_assert_cmpuint (weir_band_get_place (&dense, i, j), ==, i * n + j);
            b[i] += value * x[j];
          }
      memcpy (c, b, sizeof b);
      is_fine = weir_band_solve (&band, a, b);
      g_assert_cmpint (is_fine, ==, weir_band_solve (&dense, whole, c));
      for (guint i = 0; i < n && is_fine; i++)
        g_assert_cmpfloat (b[i], ==, c[i]);
    }
}

/* A grid of 12 x 12 nodes in random order: the band found is not much wider than the grid, and
 * every node comes once. */
static void
test_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (6));
  guint name[144], order[144], place[144], first[145] = { 0 }, column[144 * 5], n = 0;
  guint widest = 0;

  for (guint i = 0; i < 144; i++)
    name[i] = i;
  for (guint i = 143; i > 0; i--)
    {
      guint other = (guint) g_rand_int_range (rand, 0, (gint) i + 1), kept = name[i];

      name[i] = name[other];
      name[other] = kept;
    }
  for (guint row = 0; row < 144; row++)
    {
      guint at = 0;

      while (name[at] != row)
        at++;
      column[n++] = row;
      if (at % 12 > 0)
        column[n++] = name[at - 1];
      if (at % 12 < 11)
        column[n++] = name[at + 1];
      if (at >= 12)
        column[n++] = name[at - 12];
      if (at < 132)
        column[n++] = name[at + 12];
      first[row + 1] = n;
    }
  weir_band_order (144, first, column, order);
  memset (place, 0xff, sizeof place);
  for (guint i = 0; i < 144; i++)
    {
      g_assert_cmpuint (order[i], <, 144);
      g_assert_cmpuint (place[order[i]], ==, G_MAXUINT);
      place[order[i]] = i;
    }
  for (guint i = 0; i < 144; i++)
    for (guint j = first[i]; j < first[i + 1]; j++)
      widest = MAX (widest, (guint) ABS ((int) place[i] - (int) place[column[j]]));
  g_assert_cmpuint (widest, <=, 13);
  g_assert_cmpuint (widest, >=, 12); /* less is not possible for a grid of that size */
}

/* --- Hard cases ------------------------------------------------------------------------------ */

static void
test_few (void)
{
  WeirBand none = weir_band_dense (0), one = weir_band_dense (1);
  double a = 4, b = 2;
  guint32 pivot = 9;

  g_assert_cmpuint (weir_band_get_size (&none), ==, 0);
  g_assert_true (weir_band_solve (&none, NULL, NULL));
  g_assert_cmpuint (weir_band_factorise (&none, NULL, NULL, 0, 0), ==, 0);
  weir_band_substitute (&none, NULL, NULL, NULL, 1);
  g_assert_cmpfloat (weir_band_count_work (&none), ==, 0);

  g_assert_true (weir_band_solve (&one, &a, &b));
  g_assert_cmpfloat (b, ==, 0.5);
  b = 2;
  g_assert_cmpuint (weir_band_factorise (&one, &a, &pivot, 0, 0), ==, 1);
  g_assert_cmpuint (pivot, ==, 0);
  weir_band_substitute (&one, &a, &pivot, &b, 1);
  g_assert_cmpfloat (b, ==, 0.5);
  a = 0;
  g_assert_false (weir_band_solve (&one, &a, &b));
}

/* x of row i is the right side's element that the permutation brings there; nothing is rounded. */
static void
test_permutations (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (63));

  for (guint k = 0; k < 200; k++)
    {
      guint n = (guint) g_rand_int_range (random, 1, MOST), to[MOST];
      WeirBand whole = weir_band_dense (n);
      g_autofree double *a = g_new0 (double, (gsize) n *n);
      guint32 pivots[MOST];
      double b[2 * MOST];

      for (guint i = 0; i < n; i++)
        to[i] = i;
      for (guint i = n - 1; i > 0; i--)
        {
          guint other = (guint) g_rand_int_range (random, 0, (gint) i + 1), kept = to[i];

          to[i] = to[other];
          to[other] = kept;
        }
      for (guint i = 0; i < n; i++)
        {
          a[(gsize) i * n + to[i]] = 2;
          b[2 * i] = i;
          b[2 * i + 1] = -3.0 * i;
        }
      g_assert_cmpuint (weir_band_factorise (&whole, a, pivots, 0, 0), ==, n);
      weir_band_substitute (&whole, a, pivots, b, 2);
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpfloat (b[2 * to[i]], ==, i / 2.0);
          g_assert_cmpfloat (b[2 * to[i] + 1], ==, -3.0 * i / 2);
        }
    }
}

/* Wilkinson's matrix, 1 on the diagonal and in the last column, -1 below: exchanges do not help,
 * and the last pivot is 2^(n - 1). Powers of two and their sums round nothing here. */
static void
test_wilkinson (void)
{
  enum { N = 50 };
  WeirBand whole = weir_band_dense (N);
  double a[N * N] = { 0 }, b[N] = { 0 };
  guint32 pivots[N];

  for (guint i = 0; i < N; i++)
    {
      for (guint j = 0; j < i; j++)
        a[i * N + j] = -1;
      a[i * N + i] = a[i * N + N - 1] = 1;
      for (guint j = 0; j < N; j++)
        b[i] += a[i * N + j];
    }
  g_assert_cmpuint (weir_band_factorise (&whole, a, pivots, 0, 0), ==, N);
  g_assert_cmpfloat (a[N * N - 1], ==, ldexp (1, N - 1));
  weir_band_substitute (&whole, a, pivots, b, 1);
  for (guint i = 0; i < N; i++)
    g_assert_cmpfloat (b[i], ==, 1);
}

/* Hilbert's matrix, 1 / (i + j + 1): its determinant for n = 5 is 1 / 266716800000 (Hilbert, Acta
 * Mathematica 18, 1894), its condition for n = 8 is 1.5e10. */
static void
test_hilbert (void)
{
  double five[25], eight[64], b[8] = { 0 }, determinant = 1;
  WeirBand of_five = weir_band_dense (5), of_eight = weir_band_dense (8);
  guint32 pivots[8];

  for (guint i = 0; i < 5; i++)
    for (guint j = 0; j < 5; j++)
      five[i * 5 + j] = 1.0 / (i + j + 1);
  g_assert_cmpuint (weir_band_factorise (&of_five, five, pivots, 0, 0), ==, 5);
  for (guint i = 0; i < 5; i++)
    determinant *= (pivots[i] != i ? -1 : 1) * five[i * 5 + i];
  g_assert_cmpfloat_with_epsilon (determinant * 266716800000, 1, 4.8e5 * DBL_EPSILON);

  for (guint i = 0; i < 8; i++)
    for (guint j = 0; j < 8; j++)
      b[i] += eight[i * 8 + j] = 1.0 / (i + j + 1);
  g_assert_true (weir_band_solve (&of_eight, eight, b));
  for (guint i = 0; i < 8; i++)
    g_assert_cmpfloat_with_epsilon (b[i], 1, 1.5e10 * DBL_EPSILON);
}

/* What does not determine its unknowns is told of, with the column; so is what is no number. */
static void
test_singular (void)
{
  static const double sums[9] = { 1, 2, 3, 4, 5, 6, 5, 7, 9 }; /* the last row: the others' sum */
  static const double empty[9] = { 1, 0, 2, 3, 0, 4, 5, 0, 7 };
  static const double numbers[] = { NAN, INFINITY };
  WeirBand whole = weir_band_dense (3), line = { 3, 1, 1 };
  double a[9], b[3] = { 1, 2, 3 };
  guint32 pivots[3];

  memcpy (a, sums, sizeof a);
  g_assert_false (weir_band_solve (&whole, a, b));
  memcpy (a, sums, sizeof a);
  g_assert_cmpuint (weir_band_factorise (&whole, a, pivots, 0, 1e-12), ==, 2);
  memcpy (a, empty, sizeof a);
  g_assert_cmpuint (weir_band_factorise (&whole, a, pivots, 0, 0), ==, 1);
  memset (a, 0, sizeof a);
  g_assert_cmpuint (weir_band_factorise (&line, a, pivots, 0, 0), ==, 0);
  for (guint k = 0; k < G_N_ELEMENTS (numbers); k++)
    {
      memcpy (a, empty, sizeof a);
      a[0] = a[3] = a[6] = numbers[k];
      g_assert_false (weir_band_solve (&whole, a, b));
    }
}

/* Rows and columns in any units: x + a y = 3 and x - a y = 1, of which one is told in others. */
static void
test_units (void)
{
  WeirBand whole = weir_band_dense (2);

  for (int e = -60; e <= 60; e += 10)
    for (int f = -60; f <= 60; f += 10)
      {
        double unit = pow (10, e), row = pow (10, f);
        double a[4] = { 1, unit, row, -unit * row }, b[2] = { 3, row };

        g_assert_true (weir_band_solve (&whole, a, b));
        g_assert_cmpfloat_with_epsilon (b[0], 2, 1e-15);
        g_assert_cmpfloat_with_epsilon (b[1] * unit, 1, 1e-15);
      }
}

/* In two parts it is the same to the bit as at once where rows are of one size, and two right sides
 * as one after the other. */
static void
test_parts (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (64));

  for (guint k = 0; k < 1000; k++)
    {
      guint n = (guint) g_rand_int_range (random, 1, MOST + 1);
      WeirBand band = { n, (guint) g_rand_int_range (random, 0, (gint) n),
                        (guint) g_rand_int_range (random, 0, (gint) n) };
      gsize size = weir_band_get_size (&band);
      g_autofree double *a = g_new0 (double, size);
      g_autofree double *factors = NULL;
      double b[MOST], once[MOST], both[2 * MOST];
      guint32 pivots[MOST];

      for (guint i = 0; i < n; i++)
        {
          for (guint j = i - MIN (i, band.lower); j < MIN (n, i + band.upper + 1); j++)
            a[weir_band_get_place (&band, i, j)] = g_rand_double_range (random, 1, 2)
                                                   * (g_rand_boolean (random) ? 1 : -1);
          once[i] = b[i] = both[2 * i + 1] = g_rand_double_range (random, -1, 1);
          both[2 * i] = -b[i] / 2;
        }
      factors = g_memdup2 (a, size * sizeof *a);
      if (!weir_band_solve (&band, a, once))
        continue;
      g_assert_cmpuint (weir_band_factorise (&band, factors, pivots, 0, 0), ==, n);
      weir_band_substitute (&band, factors, pivots, b, 1);
      weir_band_substitute (&band, factors, pivots, both, 2);
      g_assert_cmpmem (b, n * sizeof *b, once, n * sizeof *once);
      for (guint i = 0; i < n; i++)
        {
          g_assert_cmpfloat (both[2 * i + 1], ==, b[i]);
          g_assert_cmpfloat (both[2 * i], ==, -b[i] / 2);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/band/dense", test_bands);
  g_test_add_func ("/numerics/band/order", test_order);
  g_test_add_func ("/numerics/band/few", test_few);
  g_test_add_func ("/numerics/band/permutations", test_permutations);
  g_test_add_func ("/numerics/band/wilkinson", test_wilkinson);
  g_test_add_func ("/numerics/band/hilbert", test_hilbert);
  g_test_add_func ("/numerics/band/singular", test_singular);
  g_test_add_func ("/numerics/band/units", test_units);
  g_test_add_func ("/numerics/band/parts", test_parts);
  return g_test_run ();
}
