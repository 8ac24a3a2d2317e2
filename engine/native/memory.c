/* Where code lies, and whether there is any. See native.h.
 *
 * It is written to pages of its own, which then become executable and can be written no more. Some
 * systems refuse that of memory that was once writable; there the pages are of a file without a
 * name, mapped once to be written, and then to be run. What refuses both is not asked again.
 */
#include "native/native-private.h"

#include <stdlib.h>
#include <string.h>

#include <sys/mman.h>
#include <unistd.h>

struct _WeirNativeCode {
  void *pages;
  gsize n_mapped, size;
};

static gint is_off, is_refused;

/* Before anything computes. */
__attribute__ ((constructor)) static void
choose (void)
{
  const char *name = getenv ("WEIR_NATIVE");

  is_off = name != NULL && (strcmp (name, "no") == 0 || strcmp (name, "0") == 0);
}

gboolean
weir_native_is_on (void)
{
  return WEIR_NATIVE_POSSIBLE && !g_atomic_int_get (&is_off);
}

void
weir_native_set_on (gboolean on)
{
  g_atomic_int_set (&is_off, !on);
}

gboolean
weir_native_is_refused (void)
{
  return g_atomic_int_get (&is_refused);
}

/* Pages of the process alone, written and then executable. */
static void *
map_private (const guint8 *bytes, gsize n, gsize n_mapped)
{
  void *pages = mmap (NULL, n_mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pages == MAP_FAILED)
    return NULL;
  memcpy (pages, bytes, n);
  if (mprotect (pages, n_mapped, PROT_READ | PROT_EXEC) == 0)
    return pages;
  munmap (pages, n_mapped);
  return NULL;
}

static void *
map_twice (const guint8 *bytes, gsize n, gsize n_mapped)
{
  int file = memfd_create ("weir-native", MFD_CLOEXEC);
  void *pages = MAP_FAILED;

  if (file < 0)
    return NULL;
  if (ftruncate (file, (off_t) n_mapped) == 0)
    pages = mmap (NULL, n_mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (pages != MAP_FAILED)
    {
      memcpy (pages, bytes, n);
      munmap (pages, n_mapped);
      pages = mmap (NULL, n_mapped, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0);
    }
  close (file);
  return pages != MAP_FAILED ? pages : NULL;
}

WeirNativeCode *
weir_native_code_new (const guint8 *bytes, gsize n)
{
  gsize page = (gsize) sysconf (_SC_PAGESIZE), n_mapped = (n + page - 1) / page * page;
  WeirNativeCode *self;
  void *pages;

  if (weir_native_is_refused ())
    return NULL;
  pages = map_private (bytes, n, n_mapped);
  if (pages == NULL)
    pages = map_twice (bytes, n, n_mapped);
  if (pages == NULL)
    {
      g_atomic_int_set (&is_refused, TRUE);
      return NULL;
    }
  self = g_new (WeirNativeCode, 1);
  *self = (WeirNativeCode) { pages, n_mapped, n };
  return self;
}

void
weir_native_code_free (WeirNativeCode *self)
{
  if (self == NULL)
    return;
  munmap (self->pages, self->n_mapped);
  g_free (self);
}

WeirNativeFunc
weir_native_code_get_func_at (const WeirNativeCode *self, gsize at)
{
  const char *code = (const char *) self->pages + at;
  WeirNativeFunc func;

  memcpy (&func, &code, sizeof func); /* C knows no cast of data to code */
  return func;
}

WeirNativeFunc
weir_native_code_get_func (const WeirNativeCode *self)
{
  return weir_native_code_get_func_at (self, 0);
}

WeirNativeUsual
weir_native_code_get_usual (const WeirNativeCode *self)
{
  WeirNativeUsual func;

  memcpy (&func, &self->pages, sizeof func);
  return func;
}

gsize
weir_native_code_get_size (const WeirNativeCode *self)
{
  return self->size;
}
