/* Compressed rows, against lists that are searched. */
#include "numerics/rows.h"

#include "../seeds.h"

#define MOST 40

static void
test_none (void)
{
  g_auto (WeirRows) rows = { 0 };
  g_auto (WeirRows) turned = { 0 };

  weir_rows_group (&rows, 0, NULL, 0);
  g_assert_cmpuint (weir_rows_get_n_items (&rows), ==, 0);
  weir_rows_transpose (&turned, 3, 0, rows.first, rows.items);
  for (guint r = 0; r < 3; r++)
    g_assert_cmpuint (weir_rows_get_length (&turned, r), ==, 0);
  weir_rows_free (NULL);
}

/* Items stay in the order in which they were put, and rows may be empty, the first and the last one
 * too. */
static void
test_order (void)
{
  static const guint32 row[] = { 3, 1, 3, 1, 1 }, item[] = { 7, 9, 7, 2, 0 };
  static const guint32 first[] = { 0, 0, 3, 3, 5, 5 }, items[] = { 9, 2, 0, 7, 7 };
  g_auto (WeirRows) rows = { 0 };

  weir_rows_init (&rows, 5);
  for (guint k = 0; k < G_N_ELEMENTS (row); k++)
    weir_rows_count (&rows, row[k]);
  weir_rows_make_room (&rows);
  g_assert_cmpuint (weir_rows_get_n_items (&rows), ==, 5);
  for (guint k = 0; k < G_N_ELEMENTS (row); k++)
    weir_rows_put (&rows, row[k], item[k]);
  g_assert_cmpmem (rows.first, sizeof first, first, sizeof first);
  g_assert_cmpmem (rows.items, sizeof items, items, sizeof items);
  g_assert_cmpuint (weir_rows_get_n_items (&rows), ==, 5);
}

/* What is kept elsewhere goes where the items would. */
static void
test_take (void)
{
  static const guint32 row[] = { 1, 0, 1 };
  char letters[4] = "...";
  g_auto (WeirRows) rows = { 0 };

  weir_rows_init (&rows, 2);
  for (guint k = 0; k < 3; k++)
    weir_rows_count (&rows, row[k]);
  weir_rows_add_up (&rows);
  for (guint k = 0; k < 3; k++)
    letters[weir_rows_take (&rows, row[k])] = (char) ('a' + k);
  g_assert_cmpstr (letters, ==, "bac");
  g_assert_null (rows.items);
}

/* Turned round twice, ascending rows are what they were; and grouping is turning rows of one item.
 */
static void
test_transpose (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (get_test_seed (61));

  for (guint k = 0; k < 300; k++)
    {
      guint n = (guint) g_rand_int_range (random, 0, MOST);
      guint n_columns = (guint) g_rand_int_range (random, 1, MOST);
      guint32 first[MOST + 1] = { 0 }, items[MOST * MOST], one[MOST + 1];
      g_auto (WeirRows) turned = { 0 };
      g_auto (WeirRows) back = { 0 };
      g_auto (WeirRows) grouped = { 0 };
      g_auto (WeirRows) single = { 0 };
      guint32 n_items = 0;

      for (guint i = 0; i < n; i++)
        {
          for (guint j = 0; j < n_columns; j++)
            if (g_rand_boolean (random))
              items[n_items++] = j;
          first[i + 1] = n_items;
        }
      weir_rows_transpose (&turned, n_columns, n, first, items);
      g_assert_cmpuint (turned.n, ==, n_columns);
      g_assert_cmpuint (weir_rows_get_n_items (&turned), ==, n_items);
      for (guint j = 0; j < n_columns; j++)
        for (guint32 l = turned.first[j]; l < turned.first[j + 1]; l++)
          g_assert_true (l == turned.first[j] || turned.items[l - 1] < turned.items[l]);
      weir_rows_transpose (&back, n, n_columns, turned.first, turned.items);
      g_assert_cmpmem (back.first, (n + 1) * sizeof *first, first, (n + 1) * sizeof *first);
      g_assert_cmpmem (back.items, n_items * sizeof *items, items, n_items * sizeof *items);

      for (guint i = 0; i <= n; i++)
        one[i] = i;
      for (guint i = 0; i < n; i++)
        items[i] = (guint32) g_rand_int_range (random, 0, (gint) n_columns);
      weir_rows_group (&grouped, n_columns, items, n);
      weir_rows_transpose (&single, n_columns, n, one, items);
      g_assert_cmpmem (grouped.first, (n_columns + 1) * sizeof *first, single.first,
                       (n_columns + 1) * sizeof *first);
      g_assert_cmpmem (grouped.items, n * sizeof *items, single.items, n * sizeof *items);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/numerics/rows/none", test_none);
  g_test_add_func ("/numerics/rows/order", test_order);
  g_test_add_func ("/numerics/rows/take", test_take);
  g_test_add_func ("/numerics/rows/transpose", test_transpose);
  return g_test_run ();
}
