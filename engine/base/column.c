/* Append-only columns; see column.h for what holds.
 *
 * Chunk k begins at element F (2^k - 1) and holds F 2^k, so that the chunk of element i is the
 * position of the highest bit of i / F + 1.
 */
#include "base/column.h"

#include <string.h>

void
weir_column_init (WeirColumn *self, gsize element_size, WeirColumnStore *store)
{
  memset (self, 0, sizeof *self);
  self->element_size = element_size;
  self->store = store;
}

static gsize
get_chunk_size (const WeirColumn *self, guint chunk)
{
  return ((gsize) WEIR_COLUMN_FIRST_CHUNK << chunk) * self->element_size;
}

static guint8 *
take_chunk (WeirColumn *self, guint chunk)
{
  gsize size = get_chunk_size (self, chunk);
  gboolean is_mapped;
  guint8 *bytes;

  if (self->store == NULL)
    return g_malloc (size);
  bytes = weir_column_store_take (self->store, size, &is_mapped);
  self->mapped |= (guint64) is_mapped << chunk;
  return bytes;
}

void
weir_column_clear (WeirColumn *self)
{
  for (guint i = 0; i < WEIR_COLUMN_MAX_CHUNKS; i++)
    if (self->chunks[i] != NULL)
      {
        weir_column_store_give (self->chunks[i], get_chunk_size (self, i), self->mapped >> i & 1);
        self->chunks[i] = NULL;
      }
  self->mapped = 0;
  __atomic_store_n (&self->length, 0, __ATOMIC_RELAXED);
}

void
weir_column_append (WeirColumn *self, gconstpointer element)
{
  gsize i = self->length; /* only the owner writes it */
  guint chunk = g_bit_storage (i / WEIR_COLUMN_FIRST_CHUNK + 1) - 1;
  gsize first = WEIR_COLUMN_FIRST_CHUNK * (((gsize) 1 << chunk) - 1);

  if (self->chunks[chunk] == NULL)
    self->chunks[chunk] = take_chunk (self, chunk);
  if (G_LIKELY (self->element_size == sizeof (double))) /* a store instead of a call */
    memcpy (self->chunks[chunk] + (i - first) * sizeof (double), element, sizeof (double));
  else
    memcpy (self->chunks[chunk] + (i - first) * self->element_size, element, self->element_size);
  __atomic_store_n (&self->length, i + 1, __ATOMIC_RELEASE);
}

void
weir_column_truncate (WeirColumn *self, gsize length)
{
  __atomic_store_n (&self->length, MIN (length, self->length), __ATOMIC_RELEASE);
}

gconstpointer
weir_column_get_chunk (const WeirColumn *self, gsize first, gsize *n)
{
  gsize length = weir_column_get_length (self);
  guint chunk = g_bit_storage (first / WEIR_COLUMN_FIRST_CHUNK + 1) - 1;
  gsize end = WEIR_COLUMN_FIRST_CHUNK * (((gsize) 1 << (chunk + 1)) - 1);

  if (first >= length)
    {
      *n = 0;
      return NULL;
    }
  *n = MIN (end, length) - first;
  return weir_column_at (self, first);
}
