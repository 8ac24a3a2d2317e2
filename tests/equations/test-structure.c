/* The algorithms on structure, against plainer ones. */
#include "../seeds.h"
#include "equations/order/structure.h"

#include <math.h>
#include <string.h>

#define MOST 40

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
  g_test_add_func ("/equations/structure/matching", test_matching);
  return g_test_run ();
}
