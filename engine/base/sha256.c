/* SHA-256. See sha256.h. */
#include "base/sha256.h"

#include <string.h>

#include "base/simd.h"

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>
#define HAS_INSTRUCTIONS
#endif

#define N_ROUNDS 64

static const guint32 constants[N_ROUNDS] __attribute__ ((aligned (16))) = {
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline guint32
turn (guint32 x, guint n)
{
  return x >> n | x << (32 - n);
}

static inline guint32
get_word (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* What was h becomes a, and what was d becomes e: nothing else moves, the next round has other
 * names for all. */
#define ROUND(a, b, c, d, e, f, g, h, k)                                                           \
  h += (turn (e, 6) ^ turn (e, 11) ^ turn (e, 25)) + (g ^ (e & (f ^ g))) + constants[k] + w[k];    \
  d += h;                                                                                          \
  h += (turn (a, 2) ^ turn (a, 13) ^ turn (a, 22)) + ((a & b) | (c & (a | b)))

static void
take_blocks_plainly (guint32 *state, const guint8 *bytes, gsize n_blocks)
{
  for (; n_blocks > 0; n_blocks--, bytes += WEIR_SHA256_BLOCK)
    {
      guint32 a = state[0], b = state[1], c = state[2], d = state[3];
      guint32 e = state[4], f = state[5], g = state[6], h = state[7], w[N_ROUNDS];

      for (guint i = 0; i < 16; i++)
        w[i] = get_word (bytes + 4 * i);
      for (guint i = 16; i < N_ROUNDS; i++)
        w[i] = w[i - 16] + w[i - 7] + (turn (w[i - 15], 7) ^ turn (w[i - 15], 18) ^ w[i - 15] >> 3)
               + (turn (w[i - 2], 17) ^ turn (w[i - 2], 19) ^ w[i - 2] >> 10);
      for (guint i = 0; i < N_ROUNDS; i += 8)
        {
          ROUND (a, b, c, d, e, f, g, h, i);
          ROUND (h, a, b, c, d, e, f, g, i + 1);
          ROUND (g, h, a, b, c, d, e, f, i + 2);
          ROUND (f, g, h, a, b, c, d, e, i + 3);
          ROUND (e, f, g, h, a, b, c, d, i + 4);
          ROUND (d, e, f, g, h, a, b, c, i + 5);
          ROUND (c, d, e, f, g, h, a, b, i + 6);
          ROUND (b, c, d, e, f, g, h, a, i + 7);
        }
      state[0] += a;
      state[1] += b;
      state[2] += c;
      state[3] += d;
      state[4] += e;
      state[5] += f;
      state[6] += g;
      state[7] += h;
    }
}

#ifdef HAS_INSTRUCTIONS
/* Two vectors hold the state, as the instructions want it: a, b, e, f and c, d, g, h. Four rounds
 * at a time, for which four words of the message are there already. */
__attribute__ ((target ("sha,sse4.1"))) static void
take_blocks_by_instructions (guint32 *state, const guint8 *bytes, gsize n_blocks)
{
  const __m128i order = _mm_set_epi64x (0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i dcba = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) (const void *) state), 0xb1);
  __m128i hgfe = _mm_shuffle_epi32 (_mm_loadu_si128 ((const __m128i *) (const void *) (state + 4)),
                                    0x1b);
  __m128i abef = _mm_alignr_epi8 (dcba, hgfe, 8), cdgh = _mm_blend_epi16 (hgfe, dcba, 0xf0);

  for (; n_blocks > 0; n_blocks--, bytes += WEIR_SHA256_BLOCK)
    {
      const __m128i abef_before = abef, cdgh_before = cdgh;
      __m128i w[4];

      for (guint i = 0; i < 4; i++)
        w[i] = _mm_shuffle_epi8 (
            _mm_loadu_si128 ((const __m128i *) (const void *) (bytes + 16 * i)), order);
#pragma GCC unroll 16
      for (guint i = 0; i < N_ROUNDS / 4; i++)
        {
          __m128i sum = _mm_add_epi32 (
              w[i % 4], _mm_load_si128 ((const __m128i *) (const void *) (constants + 4 * i)));

          cdgh = _mm_sha256rnds2_epu32 (cdgh, abef, sum);
          abef = _mm_sha256rnds2_epu32 (abef, cdgh, _mm_shuffle_epi32 (sum, 0x0e));
          /* The four words after the next twelve. */
          w[i % 4] = _mm_sha256msg2_epu32 (
              _mm_add_epi32 (_mm_sha256msg1_epu32 (w[i % 4], w[(i + 1) % 4]),
                             _mm_alignr_epi8 (w[(i + 3) % 4], w[(i + 2) % 4], 4)),
              w[(i + 3) % 4]);
        }
      abef = _mm_add_epi32 (abef, abef_before);
      cdgh = _mm_add_epi32 (cdgh, cdgh_before);
    }
  dcba = _mm_shuffle_epi32 (abef, 0x1b); /* a, b, e, f from the lowest on */
  hgfe = _mm_shuffle_epi32 (cdgh, 0xb1); /* g, h, c, d */
  _mm_storeu_si128 ((__m128i *) (void *) state, _mm_blend_epi16 (dcba, hgfe, 0xf0));
  _mm_storeu_si128 ((__m128i *) (void *) (state + 4), _mm_alignr_epi8 (hgfe, dcba, 8));
}
#endif

static void
take_blocks (guint32 *state, const guint8 *bytes, gsize n_blocks)
{
#ifdef HAS_INSTRUCTIONS
  if (weir_simd > WEIR_SIMD_SSE2 && __builtin_cpu_supports ("sha"))
    {
      take_blocks_by_instructions (state, bytes, n_blocks);
      return;
    }
#endif
  take_blocks_plainly (state, bytes, n_blocks);
}

void
weir_sha256_init (WeirSha256 *self)
{
  static const guint32 first[] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

  memcpy (self->state, first, sizeof first);
  self->n_bytes = 0;
}

void
weir_sha256_add (WeirSha256 *self, gconstpointer bytes, gsize n)
{
  const guint8 *at = bytes;
  gsize filled = self->n_bytes % WEIR_SHA256_BLOCK;

  self->n_bytes += n;
  if (filled > 0 || n < WEIR_SHA256_BLOCK)
    {
      gsize taken = MIN (n, WEIR_SHA256_BLOCK - filled);

      if (taken > 0)
        memcpy (self->block + filled, at, taken);
      if (filled + taken < WEIR_SHA256_BLOCK)
        return;
      take_blocks (self->state, self->block, 1);
      at += taken;
      n -= taken;
    }
  take_blocks (self->state, at, n / WEIR_SHA256_BLOCK);
  memcpy (self->block, at + n / WEIR_SHA256_BLOCK * WEIR_SHA256_BLOCK, n % WEIR_SHA256_BLOCK);
}

void
weir_sha256_end (WeirSha256 *self, guint8 *digest)
{
  static const guint8 padding[WEIR_SHA256_BLOCK] = { 0x80 };
  const guint64 n_bits = GUINT64_TO_BE (self->n_bytes * 8);
  gsize filled = self->n_bytes % WEIR_SHA256_BLOCK;

  weir_sha256_add (self, padding,
                   (filled < WEIR_SHA256_BLOCK - sizeof n_bits ? 1 : 2) * WEIR_SHA256_BLOCK
                       - sizeof n_bits - filled);
  weir_sha256_add (self, &n_bits, sizeof n_bits);
  for (guint i = 0; i < G_N_ELEMENTS (self->state); i++)
    {
      guint32 word = GUINT32_TO_BE (self->state[i]);

      memcpy (digest + sizeof word * i, &word, sizeof word);
    }
}
