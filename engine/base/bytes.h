/* Numbers as bytes of a file, one after the other: little-endian on every machine.
 *
 * Thread: *any*.
 */
#pragma once

#include <glib.h>
#include <string.h>

G_BEGIN_DECLS

/* Each writes or reads at *@at and moves that behind it; that there is room is for the caller to
 * see to. */
static inline void
weir_bytes_put_32 (guint8 **at, guint32 value)
{
  value = GUINT32_TO_LE (value);
  memcpy (*at, &value, sizeof value);
  *at += sizeof value;
}

static inline void
weir_bytes_put_64 (guint8 **at, guint64 value)
{
  value = GUINT64_TO_LE (value);
  memcpy (*at, &value, sizeof value);
  *at += sizeof value;
}

static inline guint32
weir_bytes_take_32 (const guint8 **at)
{
  guint32 value;

  memcpy (&value, *at, sizeof value);
  *at += sizeof value;
  return GUINT32_FROM_LE (value);
}

static inline guint64
weir_bytes_take_64 (const guint8 **at)
{
  guint64 value;

  memcpy (&value, *at, sizeof value);
  *at += sizeof value;
  return GUINT64_FROM_LE (value);
}

/* @n words of 8 bytes, doubles among them. */
static inline void
weir_bytes_put_words (guint8 **at, gconstpointer words, gsize n)
{
  guint8 *to = *at;

  memcpy (to, words, n * 8);
  for (gsize i = 0; G_BYTE_ORDER != G_LITTLE_ENDIAN && i < n; i++)
    {
      guint64 word;

      memcpy (&word, to + i * 8, 8);
      word = GUINT64_TO_LE (word);
      memcpy (to + i * 8, &word, 8);
    }
  *at += n * 8;
}

static inline void
weir_bytes_take_words (const guint8 **at, gpointer words, gsize n)
{
  guint8 *to = words;

  weir_bytes_put_words (&to, *at, n); /* the same exchange */
  *at += n * 8;
}

/* A value in the byte order of files, from that of the machine or back. @value: (transfer full);
 * (transfer full) */
static inline GVariant *
weir_bytes_order_variant (GVariant *value)
{
  GVariant *swapped;

  if (G_BYTE_ORDER == G_LITTLE_ENDIAN)
    return value;
  swapped = g_variant_byteswap (value);
  g_variant_unref (value);
  return swapped;
}

G_END_DECLS
