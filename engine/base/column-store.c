/* Where the chunks of columns lie. See column-store.h. */
#include "base/column-store.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

struct _WeirColumnStore {
  guint64 budget, in_memory; /* bytes */
  gboolean uses_file;
  int fd;      /* of the file; -1: not yet */
  off_t end;   /* of what is taken of it */
  gint state;  /* WeirStoreState; atomic */
  gint number; /* of the error; before the state */
};

#define SHARE 4                     /* of the memory that is free */
#define UNKNOWN_MEMORY (4ull << 30) /* bytes, where the kernel does not tell */

/* What could be had without anything being swapped out. */
static guint64
find_free_memory (void)
{
  FILE *file = fopen ("/proc/meminfo", "re");
  unsigned long long kibibytes = 0;
  char line[256];

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "MemAvailable: %llu kB", &kibibytes) == 1)
      break;
  if (file != NULL)
    fclose (file);
  return kibibytes > 0 ? kibibytes * 1024 : UNKNOWN_MEMORY;
}

WeirColumnStore *
weir_column_store_new (guint64 budget, gboolean uses_file)
{
  WeirColumnStore *self = g_new0 (WeirColumnStore, 1);

  self->fd = -1;
  weir_column_store_set_budget (self, budget, uses_file);
  return self;
}

void
weir_column_store_set_budget (WeirColumnStore *self, guint64 budget, gboolean uses_file)
{
  self->budget = budget > 0 ? budget : find_free_memory () / SHARE;
  self->uses_file = uses_file;
}

void
weir_column_store_free (WeirColumnStore *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

guint64
weir_column_store_get_budget (const WeirColumnStore *self)
{
  return self->budget;
}

WeirStoreState
weir_column_store_get_state (const WeirColumnStore *self)
{
  return (WeirStoreState) g_atomic_int_get (&self->state);
}

int
weir_column_store_get_error (const WeirColumnStore *self)
{
  return g_atomic_int_get (&self->number);
}

char *
weir_column_store_dup_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "weir", NULL);
}

/* --- The file -------------------------------------------------------------------------------- */

/* 0, or an error number. */
static int
open_file (WeirColumnStore *self)
{
  g_autofree char *folder = weir_column_store_dup_folder ();
  g_autofree char *name = g_build_filename (folder, "results-XXXXXX", NULL);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return errno;
  self->fd = g_open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (self->fd >= 0)
    return 0;
  self->fd = g_mkstemp_full (name, O_RDWR | O_CLOEXEC, 0600); /* not every system can do without */
  if (self->fd < 0)
    return errno;
  g_unlink (name);
  return 0;
}

/* The room is on the disk before anything is written: a full disk is met here. */
static gpointer
map_part (WeirColumnStore *self, gsize size, int *number)
{
  gpointer bytes;

  *number = self->fd < 0 ? open_file (self) : 0;
  if (*number == 0)
    *number = posix_fallocate (self->fd, self->end, (off_t) size);
  if (*number != 0)
    return NULL;
  bytes = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd, self->end);
  if (bytes == MAP_FAILED)
    {
      *number = errno;
      return NULL;
    }
  self->end += (off_t) size;
  return bytes;
}

static gsize
round_to_pages (gsize size)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE);

  return (size + page - 1) / page * page;
}

/* --- Chunks ---------------------------------------------------------------------------------- */

gpointer
weir_column_store_take (WeirColumnStore *self, gsize size, gboolean *is_mapped)
{
  *is_mapped = FALSE;
  if (self->in_memory + size > self->budget
      && weir_column_store_get_state (self) != WEIR_STORE_FULL)
    {
      int number = 0;
      gpointer bytes = self->uses_file ? map_part (self, round_to_pages (size), &number) : NULL;

      g_atomic_int_set (&self->number, number);
      g_atomic_int_set (&self->state, bytes != NULL ? WEIR_STORE_IN_FILE : WEIR_STORE_FULL);
      *is_mapped = bytes != NULL;
      if (bytes != NULL)
        return bytes;
    }
  self->in_memory += size;
  return g_malloc (size);
}

void
weir_column_store_give (gpointer bytes, gsize size, gboolean is_mapped)
{
  if (!is_mapped)
    g_free (bytes);
  else
    munmap (bytes, round_to_pages (size));
}
