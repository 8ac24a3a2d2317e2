/* What beside a model decides the bits of a run: the engine's code, the libraries that it calls for
 * numbers, and what the processor makes those choose.
 *
 * The C library takes other code for exp, sin and pow where the processor has fused multiply-add,
 * and that code rounds otherwise now and then. Libraries are told by their build identifiers, which
 * linkers make of their bytes; the engine by the sum of what was compiled of it, which all programs
 * that are linked from it have in common: the command line, the window, workers.
 */
#include "study/environment.h"

#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <string.h>

static void
append_note (const ElfW (Nhdr) * note, GString *text)
{
  const guint8 *bytes = (const guint8 *) (note + 1) + ((note->n_namesz + 3U) & ~3U);

  for (guint i = 0; i < note->n_descsz; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
}

/* The identifier within the notes of an object. */
static void
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
              return;
            }
          at += sizeof note + ((note.n_namesz + 3U) & ~3U) + ((note.n_descsz + 3U) & ~3U);
        }
    }
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static int
look (struct dl_phdr_info *info, G_GNUC_UNUSED size_t size, gpointer data)
{
  static const char *const numerical[] = { "libm.so", "libc.so", "libsundials", "libklu" };
  GPtrArray *found = data;

  for (guint i = 0; i < G_N_ELEMENTS (numerical); i++)
    if (strstr (info->dlpi_name, numerical[i]) != NULL)
      {
        GString *text = g_string_new (numerical[i]);

        append_identifier (info, text);
        g_ptr_array_add (found, g_string_free (text, FALSE));
      }
  return 0;
}

/* Libraries in one order: programs that have others besides load them in another. */
static gpointer
make_code (G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func (g_free);
  GString *text = g_string_new (weir_engine_code);

  dl_iterate_phdr (look, found);
  g_ptr_array_sort (found, compare);
  g_string_append_printf (text, " %s", gnu_get_libc_version ());
  for (guint i = 0; i < found->len; i++)
    g_string_append_printf (text, " %s", (char *) found->pdata[i]);
  return g_string_free (text, FALSE);
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
