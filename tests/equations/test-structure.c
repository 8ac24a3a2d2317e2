/* The algorithms on structure and bands, against plainer ones. */
#include "../seeds.h"
#include "numerics/band.h"
#include "equations/structure.h"

#include <math.h>
#include <string.h>

#define MOST 40

/* --- Bands ----------------------------------------------------------------------------------- */

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

/* --- Matching -------------------------------------------------------------------------------- */

/* Equations of up to three unknowns each. */
static void
make_random (GRand *rand, guint n_equations, guint n_unknowns, WeirIncidence *incidence)
{
  weir_incidence_init (incidence, n_unknowns);
  for (guint i = 0; i < n_equations; i++)
    {
      guint n = (guint) g_rand_int_range (rand, 0, 4);

      for (guint j = 0; j < n; j++)
        weir_incidence_add (incidence, (guint) g_rand_int_range (rand, 0, (gint) n_unknowns));
      weir_incidence_end_equation (incidence);
    }
}

static gboolean
contains (const WeirIncidence *incidence, guint equation, guint unknown)
{
  for (guint j = g_array_index (incidence->first, guint, equation);
       j < g_array_index (incidence->first, guint, equation + 1); j++)
    if (g_array_index (incidence->column, guint, j) == unknown)
      return TRUE;
  return FALSE;
}

/* Ford and Fulkerson as it stands in textbooks, recursive. */
static gboolean
find_path (const WeirIncidence *incidence, guint equation, gboolean *seen, guint *equation_of)
{
  for (guint u = 0; u < incidence->n_unknowns; u++)
    {
      if (seen[u] || !contains (incidence, equation, u))
        continue;
      seen[u] = TRUE;
      if (equation_of[u] != WEIR_UNMATCHED
          && !find_path (incidence, equation_of[u], seen, equation_of))
        continue;
      equation_of[u] = equation;
      return TRUE;
    }
  return FALSE;
}

static guint
count_pairs (const WeirIncidence *incidence, guint n_equations)
{
  guint equation_of[MOST], n_pairs = 0;

  memset (equation_of, 0xff, sizeof equation_of);
  for (guint i = 0; i < n_equations; i++)
    {
      gboolean seen[MOST] = { FALSE };

      n_pairs += find_path (incidence, i, seen, equation_of);
    }
  return n_pairs;
}

/* As many pairs as there can be, of the firm ones too; and what is missing then, by going through
 * all equations until nothing changes. */
static void
test_matching (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (7));
  guint n_imperfect = 0;

  for (guint k = 0; k < 3000; k++)
    {
      guint n_equations = (guint) g_rand_int_range (rand, 0, MOST + 1);
      guint n_unknowns = (guint) g_rand_int_range (rand, 1, MOST + 1);
      guint n_firm = (guint) g_rand_int_range (rand, 0, (gint) n_equations + 1), n_kept = 0;
      guint unknown_of[MOST], equation_of[MOST], n_pairs;
      gboolean equations[MOST + 1], unknowns[MOST + 1], lacking[MOST], has_changed = TRUE;
      gboolean is_reached[MOST] = { FALSE };
      WeirIncidence incidence;

      make_random (rand, n_equations, n_unknowns, &incidence);
      n_pairs = weir_incidence_match (&incidence, n_firm, unknown_of, equation_of);
      g_assert_cmpuint (n_pairs, ==, count_pairs (&incidence, n_equations));
      n_imperfect += n_pairs < MIN (n_equations, n_unknowns);
      for (guint i = 0; i < n_equations; i++)
        if (unknown_of[i] != WEIR_UNMATCHED)
          {
            g_assert_true (contains (&incidence, i, unknown_of[i]));
            g_assert_cmpuint (equation_of[unknown_of[i]], ==, i);
            n_kept += i < n_firm;
          }
      g_assert_cmpuint (n_kept, ==, count_pairs (&incidence, n_firm));

      for (guint u = 0; u < n_unknowns; u++)
        lacking[u] = equation_of[u] == WEIR_UNMATCHED;
      while (has_changed)
        {
          has_changed = FALSE;
          for (guint i = 0; i < n_equations; i++)
            for (guint u = 0; u < n_unknowns; u++)
              {
                if (unknown_of[i] == WEIR_UNMATCHED || !lacking[u] || !contains (&incidence, i, u)
                    || (is_reached[i] && lacking[unknown_of[i]]))
                  continue;
                is_reached[i] = lacking[unknown_of[i]] = has_changed = TRUE;
              }
        }
      weir_incidence_find_missing (&incidence, unknown_of, equation_of, equations, unknowns);
      for (guint u = 0; u < n_unknowns; u++)
        g_assert_cmpint (unknowns[u], ==, lacking[u]);
      for (guint i = 0; i < n_equations; i++)
        g_assert_cmpint (equations[i], ==, is_reached[i]);
      weir_incidence_clear (&incidence);
    }
  g_assert_cmpuint (n_imperfect, >, 1000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/equations/structure/bands", test_bands);
  g_test_add_func ("/equations/structure/order", test_order);
  g_test_add_func ("/equations/structure/matching", test_matching);
  return g_test_run ();
}
