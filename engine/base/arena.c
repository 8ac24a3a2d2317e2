/* Memory for many small things. See arena.h. */
#include "base/arena.h"

#include <stddef.h>

#define ALIGNMENT _Alignof(max_align_t)
#define CHUNK 65536 /* bytes; what is larger than a quarter of it has a chunk of its own */

typedef struct _Chunk Chunk;

struct _Chunk {
  Chunk *next;
  max_align_t bytes[];
};

struct _WeirArena {
  Chunk *chunks;
  char *at; /* what is left of the newest of the size above */
  gsize left;
};

WeirArena *
weir_arena_new (void)
{
  return g_new0 (WeirArena, 1);
}

void
weir_arena_free (WeirArena *self)
{
  if (self == NULL)
    return;
  while (self->chunks != NULL)
    {
      Chunk *chunk = self->chunks;

      self->chunks = chunk->next;
      g_free (chunk);
    }
  g_free (self);
}

static char *
add_chunk (WeirArena *self, gsize size)
{
  Chunk *chunk = g_malloc0 (offsetof (Chunk, bytes) + size);

  chunk->next = self->chunks;
  self->chunks = chunk;
  return (char *) chunk->bytes;
}

gpointer
weir_arena_give (WeirArena *self, gsize size)
{
  char *given;

  g_assert (size <= G_MAXSIZE / 2);
  size = (MAX (size, 1) + ALIGNMENT - 1) & ~(gsize) (ALIGNMENT - 1);
  if (size > CHUNK / 4)
    return add_chunk (self, size);
  if (size > self->left)
    {
      self->at = add_chunk (self, CHUNK);
      self->left = CHUNK;
    }
  given = self->at;
  self->at += size;
  self->left -= size;
  return given;
}
