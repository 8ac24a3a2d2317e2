/* Sets of small numbers as bits, 64 a word, the lowest first. Who holds them knows how many there
 * are. Thread: as the words.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* The words that @n bits take. */
static inline gsize
weir_bits_n_words (gsize n)
{
  return (n + 63) / 64;
}

static inline gboolean
weir_bit (const guint64 *bits, guint32 i)
{
  return (bits[i / 64] >> (i % 64)) & 1;
}

static inline void
weir_bit_set (guint64 *bits, guint32 i)
{
  bits[i / 64] |= G_GUINT64_CONSTANT (1) << (i % 64);
}

static inline void
weir_bit_clear (guint64 *bits, guint32 i)
{
  bits[i / 64] &= ~(G_GUINT64_CONSTANT (1) << (i % 64));
}

static inline void
weir_bit_put (guint64 *bits, guint32 i, gboolean value)
{
  if (value)
    weir_bit_set (bits, i);
  else
    weir_bit_clear (bits, i);
}

/* Clears what the last word of @n bits has beyond them. */
static inline void
weir_bits_clear_tail (guint64 *bits, guint32 n)
{
  if (n % 64 != 0)
    bits[n / 64] &= (G_GUINT64_CONSTANT (1) << (n % 64)) - 1;
}

/* Sets the first @n bits and clears the rest of their last word. */
static inline void
weir_bits_set_all (guint64 *bits, guint32 n)
{
  memset (bits, 0xff, weir_bits_n_words (n) * sizeof *bits);
  weir_bits_clear_tail (bits, n);
}

G_END_DECLS
