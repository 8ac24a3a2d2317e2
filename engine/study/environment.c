/* What beside a model decides the bits of a run: the engine's code, the libraries that it calls for
 * numbers, and what the processor makes those choose.
 *
 * The C library takes other code for exp, sin and pow where the processor has fused multiply-add,
 * and that code rounds otherwise now and then. Code is told by its build identifier, which the
 * linker makes of its bytes.
 */
#include "study/environment.h"

#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

#include <glib/gstdio.h>

typedef struct {
  GString *text;
  gboolean found_own;
} Search;

static void
append_note (const ElfW (Nhdr) * note, GString *text)
{
  const guint8 *bytes = (const guint8 *) (note + 1) + ((note->n_namesz + 3U) & ~3U);

  for (guint i = 0; i < note->n_descsz; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
}

/* The identifier within the notes of an object. */
static gboolean
append_identifier (const struct dl_phdr_info *info, GString *text)
{
  for (guint i = 0; i < info->dlpi_phnum; i++)
    {
      const guint8 *at = (const guint8 *) (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
      const guint8 *end = at + info->dlpi_phdr[i].p_memsz;

      if (info->dlpi_phdr[i].p_type != PT_NOTE)
        continue;
      while (at + sizeof (ElfW (Nhdr)) <= end)
        {
          ElfW (Nhdr) note;

          memcpy (&note, at, sizeof note);
          if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4)
            {
              append_note ((const ElfW (Nhdr) *) (gconstpointer) at, text);
              return TRUE;
            }
          at += sizeof note + ((note.n_namesz + 3U) & ~3U) + ((note.n_descsz + 3U) & ~3U);
        }
    }
  return FALSE;
}

static gboolean
holds (const struct dl_phdr_info *info, gconstpointer address)
{
  for (guint i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD
        && (ElfW (Addr)) address - info->dlpi_addr - info->dlpi_phdr[i].p_vaddr
               < info->dlpi_phdr[i].p_memsz)
      return TRUE;
  return FALSE;
}

static int
look (struct dl_phdr_info *info, G_GNUC_UNUSED size_t size, gpointer data)
{
  static const char *const numerical[] = { "libm.so", "libc.so", "libsundials", "libklu" };
  Search *search = data;
  gboolean is_own = holds (info, numerical), is_wanted = is_own;

  for (guint i = 0; i < G_N_ELEMENTS (numerical); i++)
    is_wanted |= strstr (info->dlpi_name, numerical[i]) != NULL;
  if (!is_wanted)
    return 0;
  g_string_append_c (search->text, ' ');
  search->found_own |= append_identifier (info, search->text) && is_own;
  return 0;
}

/* Without an identifier a program is told by when its file was made. */
static void
append_file (GString *text)
{
  GStatBuf info;

  if (g_stat ("/proc/self/exe", &info) == 0)
    g_string_append_printf (text, " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT,
                            (gint64) info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000)
                                + info.st_mtim.tv_nsec,
                            (gint64) info.st_size);
}

static gpointer
make_code (G_GNUC_UNUSED gpointer data)
{
  Search search = { g_string_new (gnu_get_libc_version ()), FALSE };

  dl_iterate_phdr (look, &search);
  if (!search.found_own)
    append_file (search.text);
  return g_string_free (search.text, FALSE);
}

const char *
weir_environment_get_code (void)
{
  static GOnce once = G_ONCE_INIT;

  return g_once (&once, make_code, NULL);
}

const char *
weir_environment_get_processor (void)
{
#if defined(__x86_64__)
  gboolean has_fma = __builtin_cpu_supports ("fma") && __builtin_cpu_supports ("avx2");

  return has_fma ? "x86-64 with fused multiply-add" : "x86-64";
#else
  return "another processor";
#endif
}
