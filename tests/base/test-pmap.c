/* The persistent map against a reference that keeps whole copies, over random edits. */
#include "../seeds.h"
#include "base/pmap.h"

#include <string.h>

/* --- Counted values: an int that counts its references --------------------------------------- */

static int n_values;

static gpointer
value_ref (gpointer value)
{
  g_atomic_int_inc ((int *) value);
  g_atomic_int_inc (&n_values);
  return value;
}

static void
value_unref (gpointer value)
{
  g_atomic_int_add ((int *) value, -1);
  g_atomic_int_add (&n_values, -1);
}

static const WeirPMapValues counted = { value_ref, value_unref };
static const WeirPMapValues plain = { NULL, NULL };

static void
assert_equals_reference (const WeirPMap *map, gpointer const *reference, guint n_keys)
{
  WeirPMapIter iter;
  guint64 key, next = 0;
  gpointer value;
  guint n = 0;

  g_assert_true (weir_pmap_is_consistent (map));
  weir_pmap_iter_init (&iter, map);
  while (weir_pmap_iter_next (&iter, &key, &value))
    {
      for (; next < key; next++)
        g_assert_null (reference[next]);
      g_assert_true (value == reference[key]);
      g_assert_true (weir_pmap_lookup (map, key) == value);
      next = key + 1;
      n++;
    }
  for (; next < n_keys; next++)
    {
      g_assert_null (reference[next]);
      g_assert_false (weir_pmap_contains (map, next));
    }
  g_assert_cmpuint (n, ==, map->n_entries);
}

typedef struct {
  gpointer *a, *b;
  guint64 next;
  guint n_keys;
} ExpectedDiff;

static gboolean
check_difference (guint64 key, gboolean in_a, gpointer a, gboolean in_b, gpointer b, gpointer data)
{
  ExpectedDiff *expected = data;

  for (; expected->next < key; expected->next++)
    g_assert_true (expected->a[expected->next] == expected->b[expected->next]);
  g_assert_true (expected->a[key] == a);
  g_assert_true (expected->b[key] == b);
  g_assert_true (a != b);
  g_assert_cmpint (in_a, ==, a != NULL);
  g_assert_cmpint (in_b, ==, b != NULL);
  expected->next = key + 1;
  return TRUE;
}

/* The map of what @reference holds, built at once. */
static void
build_from_reference (WeirPMap *map, gpointer const *reference, guint n_keys)
{
  g_autofree WeirSortItem *items = g_new (WeirSortItem, n_keys);
  guint n = 0;

  for (guint key = 0; key < n_keys; key++)
    if (reference[key] != NULL)
      items[n++] = (WeirSortItem) { key, reference[key] };
  weir_pmap_init_sorted (map, &counted, items, n);
}

static void
test_random_edits (void)
{
  enum { N_KEYS = 300, N_VERSIONS = 40, N_EDITS = 20000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (31));
  int values[50] = { 0 };
  WeirPMap versions[N_VERSIONS];
  gpointer reference[N_VERSIONS][N_KEYS];

  memset (reference, 0, sizeof reference);
  for (guint i = 0; i < N_VERSIONS; i++)
    weir_pmap_init (&versions[i], &counted);

  for (guint edit = 0; edit < N_EDITS; edit++)
    {
      guint v = (guint) g_rand_int_range (rand, 0, N_VERSIONS);
      guint64 key = (guint64) g_rand_int_range (rand, 0, N_KEYS);

      switch (g_rand_int_range (rand, 0, 20))
        {
        case 0: /* a copy of another version */
          {
            guint w = (guint) g_rand_int_range (rand, 0, N_VERSIONS);

            if (w == v)
              break;
            weir_pmap_clear (&versions[v]);
            weir_pmap_init_copy (&versions[v], &versions[w]);
            memcpy (reference[v], reference[w], sizeof reference[v]);
            break;
          }
        case 1: /* the same, of nodes that share their memory */
          weir_pmap_clear (&versions[v]);
          build_from_reference (&versions[v], reference[v], N_KEYS);
          break;
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
        case 7:
          g_assert_cmpint (weir_pmap_remove (&versions[v], key), ==, reference[v][key] != NULL);
          reference[v][key] = NULL;
          break;
        default:
          reference[v][key] = &values[g_rand_int_range (rand, 0, G_N_ELEMENTS (values))];
          weir_pmap_set (&versions[v], key, reference[v][key]);
        }
      if (edit % 97 == 0)
        for (guint i = 0; i < N_VERSIONS; i++)
          assert_equals_reference (&versions[i], reference[i], N_KEYS);
      if (edit % 31 == 0)
        {
          guint w = (guint) g_rand_int_range (rand, 0, N_VERSIONS);
          ExpectedDiff expected = { reference[v], reference[w], 0, N_KEYS };

          weir_pmap_diff (&versions[v], &versions[w], check_difference, &expected);
          for (; expected.next < N_KEYS; expected.next++)
            g_assert_true (expected.a[expected.next] == expected.b[expected.next]);
        }
    }
  for (guint i = 0; i < N_VERSIONS; i++)
    weir_pmap_clear (&versions[i]);
  g_assert_cmpint (n_values, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    g_assert_cmpint (values[i], ==, 0);
}

static void
test_range (void)
{
  WeirPMap map;
  WeirPMapIter iter;
  guint64 key;

  weir_pmap_init (&map, &plain);
  weir_pmap_set (&map, 0, NULL);
  weir_pmap_set (&map, G_MAXUINT64, NULL);
  for (guint64 k = 10; k <= 1000; k += 10)
    weir_pmap_set (&map, k, NULL);
  g_assert_true (weir_pmap_is_consistent (&map));
  g_assert_cmpuint (map.n_entries, ==, 102);

  for (guint64 first = 0; first <= 1000; first++)
    {
      guint64 expected = first == 0 ? 0 : (first + 9) / 10 * 10;

      weir_pmap_iter_init_from (&iter, &map, first);
      g_assert_true (weir_pmap_iter_next (&iter, &key, NULL));
      g_assert_cmpuint (key, ==, expected);
    }
  weir_pmap_iter_init_from (&iter, &map, 1001);
  g_assert_true (weir_pmap_iter_next (&iter, &key, NULL));
  g_assert_cmpuint (key, ==, G_MAXUINT64);
  g_assert_false (weir_pmap_iter_next (&iter, &key, NULL));
  weir_pmap_clear (&map);
}

static void
test_sorted (void)
{
  WeirSortItem items[1000];

  for (guint i = 0; i < G_N_ELEMENTS (items); i++)
    items[i] = (WeirSortItem) { 3 * (guint64) i, NULL };
  for (guint n = 0; n <= G_N_ELEMENTS (items); n += n < 20 ? 1 : 49)
    {
      WeirPMap map;

      weir_pmap_init_sorted (&map, &plain, items, n);
      g_assert_true (weir_pmap_is_consistent (&map));
      g_assert_cmpuint (map.n_entries, ==, n);
      for (guint i = 0; i < n; i++)
        g_assert_true (weir_pmap_contains (&map, items[i].key));
      weir_pmap_clear (&map);
    }
}

/* An AVL tree of n nodes is at most 1.4405 log2 (n + 2) high (Knuth, The Art of Computer
 * Programming 6.2.3, theorem A): that many nodes are new after an edit, and twice as many with
 * rotations. */
static void
test_sharing (void)
{
  enum { N = 10000 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (get_test_seed (32));
  int values[2] = { 0 };
  WeirPMap map;
  guint most = 0;

  weir_pmap_init (&map, &counted);
  for (guint i = 0; i < N; i++)
    weir_pmap_set (&map, g_rand_int (rand), &values[0]);
  for (guint i = 0; i < 1000; i++)
    {
      WeirPMapIter iter;
      WeirPMap before;
      guint64 key;

      weir_pmap_init_copy (&before, &map);
      g_assert_cmpuint (weir_pmap_count_unshared (&map, &before), ==, 0);
      weir_pmap_iter_init_from (&iter, &map, g_rand_int (rand) / 2);
      g_assert_true (weir_pmap_iter_next (&iter, &key, NULL));
      weir_pmap_set (&map, key, i % 2 == 0 ? &values[1] : &values[0]);
      most = MAX (most, weir_pmap_count_unshared (&map, &before));
      weir_pmap_clear (&before);
    }
  g_test_message ("at most %u of %u nodes new, %" G_GSIZE_FORMAT " bytes", most, map.n_entries,
                  most * weir_pmap_get_node_size ());
  g_assert_cmpuint (most, <=, 19);
  weir_pmap_clear (&map);
}

static gboolean
count_difference (G_GNUC_UNUSED guint64 key, G_GNUC_UNUSED gboolean in_a, G_GNUC_UNUSED gpointer a,
                  G_GNUC_UNUSED gboolean in_b, G_GNUC_UNUSED gpointer b, gpointer data)
{
  ++*(guint *) data;
  return *(guint *) data < 3;
}

static void
test_diff_stops (void)
{
  WeirPMap a, b;
  guint n = 0;

  weir_pmap_init (&a, &plain);
  weir_pmap_init (&b, &plain);
  for (guint64 k = 0; k < 100; k++)
    weir_pmap_set (&a, k, NULL);
  weir_pmap_diff (&a, &b, count_difference, &n);
  g_assert_cmpuint (n, ==, 3);
  weir_pmap_clear (&a);
}

/* Threads that copy, change and drop versions of one map: for ThreadSanitizer and valgrind. */
static gpointer
edit_copies (gpointer data)
{
  const WeirPMap *shared = data;
  int value = 0;

  for (guint round = 0; round < 200; round++)
    {
      WeirPMap map;

      weir_pmap_init_copy (&map, shared);
      for (guint64 k = 0; k < 20; k++)
        weir_pmap_set (&map, k * 7, &value);
      weir_pmap_remove (&map, round);
      g_assert_true (weir_pmap_is_consistent (&map));
      weir_pmap_clear (&map);
    }
  g_assert_cmpint (value, ==, 0);
  return NULL;
}

static void
test_threads (void)
{
  GThread *threads[4];
  int value = 0;
  WeirPMap map;

  weir_pmap_init (&map, &counted);
  for (guint64 k = 0; k < 500; k++)
    weir_pmap_set (&map, k, &value);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new (NULL, edit_copies, &map);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (value, ==, 500);
  weir_pmap_clear (&map);
  g_assert_cmpint (value, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/pmap/random-edits", test_random_edits);
  g_test_add_func ("/base/pmap/range", test_range);
  g_test_add_func ("/base/pmap/sorted", test_sorted);
  g_test_add_func ("/base/pmap/sharing", test_sharing);
  g_test_add_func ("/base/pmap/diff-stops", test_diff_stops);
  g_test_add_func ("/base/pmap/threads", test_threads);
  return g_test_run ();
}
