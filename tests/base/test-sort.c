/* Sorting by a number against qsort() with the place as the second key: few items and many, keys
 * that differ in any bytes, equal ones, sorted ones. */
#include "../seeds.h"
#include "base/sort.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ITEMS 3000

static int
compare (gconstpointer a, gconstpointer b)
{
  const WeirSortItem *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return GPOINTER_TO_UINT (x->value) < GPOINTER_TO_UINT (y->value) ? -1 : 1;
}

static void
test_random (void)
{
  static const guint64 masks[] = { 0,
                                   1,
                                   0xff00,
                                   G_GUINT64_CONSTANT (0x0f0f000000000003),
                                   G_GUINT64_CONSTANT (0xff00000000000000),
                                   G_MAXUINT32,
                                   G_MAXUINT64 };
  static const guint32 sizes[] = { 0, 1, 2, 31, 32, 33, 34, 100, MAX_ITEMS };
  guint32 seed = get_test_seed (91);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  WeirSortItem items[MAX_ITEMS + 1], expected[MAX_ITEMS + 1], spare[MAX_ITEMS];

  for (guint m = 0; m < G_N_ELEMENTS (masks); m++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      for (guint is_sorted = 0; is_sorted < 2; is_sorted++)
        {
          const WeirSortItem last = { 7, GUINT_TO_POINTER (8) };
          guint32 n = sizes[s];

          for (guint32 i = 0; i < n; i++)
            {
              guint64 key = (guint64) g_rand_int (rand) << 32 | g_rand_int (rand);

              items[i] = (WeirSortItem) { is_sorted ? i / 2 : key & masks[m],
                                          GUINT_TO_POINTER (i) };
            }
          items[n] = last; /* stays */
          memcpy (expected, items, sizeof items);
          qsort (expected, n, sizeof *expected, compare);
          weir_sort_items (items, spare, n);
          for (guint32 i = 0; i <= n; i++)
            if (items[i].key != expected[i].key || items[i].value != expected[i].value)
              g_error ("item %u of %u; seed %u", i, n, seed);
        }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/sort/random", test_random);
  return g_test_run ();
}
