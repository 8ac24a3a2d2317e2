/* Bits in words against an array of truth values: each has its place, and no other is touched. */
#include "../seeds.h"
#include "base/bits.h"

#define MAX_BITS 200

typedef struct {
  guint64 bits[MAX_BITS / 64 + 2]; /* one word more than there may be, which nobody touches */
  gboolean expected[MAX_BITS];
  guint32 n;
} Set;

static const guint32 sizes[] = { 1, 2, 63, 64, 65, 127, 128, 129, MAX_BITS };

static void
set_init (Set *self, guint32 n)
{
  *self = (Set) { .n = n };
  self->bits[weir_bits_n_words (n)] = G_GUINT64_CONSTANT (0x5a5a5a5a5a5a5a5a);
}

static void
assert_as_expected (const Set *self)
{
  for (guint32 i = 0; i < self->n; i++)
    g_assert_cmpint (weir_bit (self->bits, i), ==, self->expected[i]);
  for (guint32 i = self->n; i < weir_bits_n_words (self->n) * 64; i++)
    g_assert_false (weir_bit (self->bits, i));
  g_assert_cmphex (self->bits[weir_bits_n_words (self->n)], ==,
                   G_GUINT64_CONSTANT (0x5a5a5a5a5a5a5a5a));
}

static void
test_words (void)
{
  static const struct {
    gsize n, n_words;
  } cases[] = { { 0, 0 }, { 1, 1 }, { 64, 1 }, { 65, 2 }, { 128, 2 }, { 129, 3 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpuint (weir_bits_n_words (cases[i].n), ==, cases[i].n_words);
  /* The lowest bit is the first. */
  {
    guint64 words[2] = { 0 };

    weir_bit_set (words, 3);
    weir_bit_set (words, 64);
    g_assert_cmphex (words[0], ==, 8);
    g_assert_cmphex (words[1], ==, 1);
  }
}

static void
test_random (void)
{
  guint32 seed = get_test_seed (33);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      Set set;

      set_init (&set, sizes[s]);
      for (guint k = 0; k < 1000; k++)
        {
          guint32 i = (guint32) g_rand_int_range (rand, 0, (gint32) sizes[s]);
          gint action = g_rand_int_range (rand, 0, 4);

          set.expected[i] = action == 0 || action == 2;
          if (action == 0)
            weir_bit_set (set.bits, i);
          else if (action == 1)
            weir_bit_clear (set.bits, i);
          else
            weir_bit_put (set.bits, i, action == 2);
        }
      assert_as_expected (&set);
    }
}

static void
test_all (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      Set set;

      set_init (&set, sizes[s]);
      weir_bits_set_all (set.bits, sizes[s]);
      for (guint32 i = 0; i < sizes[s]; i++)
        set.expected[i] = TRUE;
      assert_as_expected (&set);

      for (gsize w = 0; w < weir_bits_n_words (sizes[s]); w++)
        set.bits[w] = G_MAXUINT64;
      weir_bits_clear_tail (set.bits, sizes[s]);
      assert_as_expected (&set);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/bits/words", test_words);
  g_test_add_func ("/base/bits/random", test_random);
  g_test_add_func ("/base/bits/all", test_all);
  return g_test_run ();
}
