/* Counting allocations: a program that includes this has its own malloc and kin, which count and
 * pass on to the C library's. Under a sanitizer, which brings its own, there is nothing to count;
 * tests say so.
 *
 * For programs of one thread.
 */
#pragma once

#include <glib.h>
#include <stdlib.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define COUNTS 0
#else
#define COUNTS 1
#endif

static guint64 n_allocations;

#if COUNTS
void *__libc_malloc (size_t size);
void *__libc_calloc (size_t n, size_t size);
void *__libc_realloc (void *memory, size_t size);

void *
malloc (size_t size)
{
  n_allocations++;
  return __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  n_allocations++;
  return __libc_calloc (n, size);
}

void *
realloc (void *memory, size_t size)
{
  n_allocations++;
  return __libc_realloc (memory, size);
}
#endif

G_GNUC_UNUSED static gboolean
can_count (void)
{
  guint64 before = n_allocations;
  void *volatile memory = malloc (10);

  free (memory);
  return n_allocations > before; /* not so under valgrind */
}
