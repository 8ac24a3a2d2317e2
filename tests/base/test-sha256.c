/* Digests against the examples of FIPS 180-4 and against GLib's, with and without the machine's own
 * instructions: in pieces of any length, around the ends of blocks. */
#include "../seeds.h"
#include "base/sha256.h"
#include "base/simd.h"

#include <string.h>

#define MAX_BYTES 700

static void
end (WeirSha256 *sum, char text[2 * WEIR_SHA256_SIZE + 1])
{
  guint8 digest[WEIR_SHA256_SIZE];

  weir_sha256_end (sum, digest);
  for (guint i = 0; i < WEIR_SHA256_SIZE; i++)
    g_snprintf (text + 2 * i, 3, "%02x", digest[i]);
}

static void
test_examples (void)
{
  /* FIPS 180-4's examples; a million letters is the long one. */
  static const struct {
    const char *text;
    guint times;
    const char *digest;
  } cases[] = {
    { "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
    { "aaaaaaaaaa", 100000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      WeirSha256 sum;
      char text[2 * WEIR_SHA256_SIZE + 1];

      weir_sha256_init (&sum);
      for (guint k = 0; k < cases[i].times; k++)
        weir_sha256_add (&sum, cases[i].text, strlen (cases[i].text));
      end (&sum, text);
      g_assert_cmpstr (text, ==, cases[i].digest);
    }
}

static void
test_pieces (void)
{
  guint32 seed = get_test_seed (256);
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  guint8 bytes[MAX_BYTES];

  for (guint i = 0; i < MAX_BYTES; i++)
    bytes[i] = (guint8) g_rand_int_range (rand, 0, 256);
  for (guint n = 0; n <= MAX_BYTES; n++)
    {
      g_autofree char *expected = g_compute_checksum_for_data (G_CHECKSUM_SHA256, bytes, n);
      WeirSha256 sum;
      char text[2 * WEIR_SHA256_SIZE + 1];

      weir_sha256_init (&sum);
      for (guint at = 0, piece; at < n; at += piece)
        {
          piece = (guint) g_rand_int_range (rand, 0, (gint32) (n - at) + 1);
          weir_sha256_add (&sum, bytes + at, piece);
        }
      end (&sum, text);
      if (!g_str_equal (text, expected))
        g_error ("%u bytes: %s instead of %s; seed %u", n, text, expected, seed);
    }
}

static void
test_plainly (void)
{
  weir_simd = WEIR_SIMD_SSE2;
  test_examples ();
  test_pieces ();
  weir_simd = weir_simd_get_best ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/sha256/examples", test_examples);
  g_test_add_func ("/base/sha256/pieces", test_pieces);
  g_test_add_func ("/base/sha256/plainly", test_plainly);
  return g_test_run ();
}
