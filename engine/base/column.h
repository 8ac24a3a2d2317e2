/* Append-only columns that one thread fills while others read.
 *
 * Elements lie in chunks that double in size and never move; a fixed directory of chunks covers any
 * length, so that appending needs no lock and reading no copy. An element is visible once the
 * length that includes it is published (release), which happens after the element is written; a
 * reader (acquire) may use every element below the length it has read, for as long as the column
 * lives.
 *
 * Thread: appending *owner*; reading *any*.
 */
#pragma once

#include "base/column-store.h"

G_BEGIN_DECLS

#define WEIR_COLUMN_FIRST_CHUNK 1024 /* elements; chunk k holds this << k */
#define WEIR_COLUMN_MAX_CHUNKS 40

typedef struct {
  gsize element_size;     /* bytes */
  gsize length;           /* published; atomic */
  WeirColumnStore *store; /* of the chunks; NULL: memory without bound */
  guint64 mapped;         /* bit k: chunk k lies in the store's file */
  guint8 *chunks[WEIR_COLUMN_MAX_CHUNKS];
} WeirColumn;

/* @element_size: bytes. Nothing is allocated until the first element comes. @store: nullable; must
 * outlive the column. */
void weir_column_init (WeirColumn *self, gsize element_size, WeirColumnStore *store);
/* Frees the chunks; nobody may be reading. */
void weir_column_clear (WeirColumn *self);

/* Copies one element and publishes it. Allocates only where a chunk begins. */
void weir_column_append (WeirColumn *self, gconstpointer element);

/* Forgets the elements from @length on. Only while no other thread appends or reads. */
void weir_column_truncate (WeirColumn *self, gsize length);

/* The elements from @first on that lie in one chunk: @n is set to how many, 0 at the end. */
gconstpointer weir_column_get_chunk (const WeirColumn *self, gsize first, gsize *n);

static inline gsize
weir_column_get_length (const WeirColumn *self)
{
  return __atomic_load_n (&self->length, __ATOMIC_ACQUIRE);
}

/* @i: below a published length. */
static inline gconstpointer
weir_column_at (const WeirColumn *self, gsize i)
{
  guint chunk = g_bit_storage (i / WEIR_COLUMN_FIRST_CHUNK + 1) - 1;
  gsize first = WEIR_COLUMN_FIRST_CHUNK * (((gsize) 1 << chunk) - 1);

  return self->chunks[chunk] + (i - first) * self->element_size;
}

G_END_DECLS
