/* The archive of an FMU: description, sources, and a library where there is a compiler. See
 * generate.h. */
#include "generate/generate-private.h"

#include <glib/gstdio.h>

#include "base/file.h"
#include "base/text.h"
#include "fmi/archive.h"

/* --- Sources --------------------------------------------------------------------------------- */

/* The same for the same model: of its names, structure and sources. */
static char *
dup_token (const WeirGenerated *files)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  const char *hex;

  for (guint i = 0; i < weir_generated_get_n_files (files); i++)
    g_checksum_update (sum, (const guchar *) weir_generated_get_text (files, i), -1);
  hex = g_checksum_get_string (sum);
  return g_strdup_printf ("{%.8s-%.4s-%.4s-%.4s-%.12s}", hex, hex + 8, hex + 12, hex + 16,
                          hex + 20);
}

static gboolean
is_of_fmu (const char *name)
{
  return strcmp (name, "main.c") != 0 && strcmp (name, "Makefile") != 0;
}

/* What a library is made of. */
static WeirGenerated *
list_sources (WeirGenerator *self, const WeirGenerated *files, const char *token, guint version)
{
  WeirGenerated *sources = g_new0 (WeirGenerated, 1);
  g_autofree char *shared = weir_generator_dup_named (self, weir_standalone_fmu_h);

  sources->names = g_ptr_array_new_with_free_func (g_free);
  sources->texts = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < weir_generated_get_n_files (files); i++)
    if (is_of_fmu (weir_generated_get_name (files, i)))
      {
        g_ptr_array_add (sources->names, g_strdup (weir_generated_get_name (files, i)));
        g_ptr_array_add (sources->texts, g_strdup (weir_generated_get_text (files, i)));
      }
  g_ptr_array_add (sources->names, g_strdup ("fmi-abi.h"));
  g_ptr_array_add (sources->texts, g_strdup (weir_standalone_fmi_abi_h));
  g_ptr_array_add (sources->names, g_strdup ("fmu.h"));
  g_ptr_array_add (sources->texts, weir_generate_dup_replaced (shared, "THE_TOKEN", token));
  g_ptr_array_add (sources->names, g_strdup (version == 2 ? "fmi2.c" : "fmi3.c"));
  g_ptr_array_add (sources->texts,
                   g_strdup (version == 2 ? weir_standalone_fmi2_c : weir_standalone_fmi3_c));
  return sources;
}

/* As elements of a description; @words: with spaces between, for a compiler. */
static char *
dup_source_elements (const WeirGenerated *sources, const char *element, GString *words)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < weir_generated_get_n_files (sources); i++)
    {
      const char *name = weir_generated_get_name (sources, i);

      if (!g_str_has_suffix (name, ".c"))
        continue;
      g_string_append_printf (text, "      <%s name=\"%s\"/>\n", element, name);
      if (words != NULL)
        g_string_append_printf (words, " %s", name);
    }
  return g_string_free (text, FALSE);
}

static char *
dup_build_description (const WeirGenerator *self, const WeirGenerated *sources)
{
  g_autofree char *elements = dup_source_elements (sources, "SourceFile", NULL);

  return g_strdup_printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<fmiBuildDescription fmiVersion=\"3.0\">\n"
                          "  <BuildConfiguration modelIdentifier=\"%s\">\n"
                          "    <SourceFileSet language=\"C11\" compilerOptions=\"%s\">\n%s"
                          "    </SourceFileSet>\n    <Library name=\"m\"/>\n"
                          "  </BuildConfiguration>\n</fmiBuildDescription>\n",
                          self->lower, WEIR_GENERATE_EXACT, elements);
}

/* --- The library ----------------------------------------------------------------------------- */

/* NULL and @note where there is no compiler, or it does not take the sources. */
static GBytes *
make_library (const WeirGenerated *sources, char **note, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("weir-XXXXXX", error);
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *elements = dup_source_elements (sources, "File", words);
  const char *flags = g_getenv ("CFLAGS");
  g_autofree char *command = g_strdup_printf (
      "%s " WEIR_GENERATE_EXACT " %s -fPIC -shared -fvisibility=hidden -Wl,-Bsymbolic -o "
      "library.so%s -lm",
      weir_generate_get_compiler (), flags != NULL ? flags : "-O2", words->str);
  g_autofree char *complaint = NULL, *path = NULL;
  g_autoptr (GError) why = NULL;
  GBytes *library = NULL;
  int status = 0;

  if (folder == NULL || !weir_generated_write (sources, folder, error))
    return NULL;
  path = g_build_filename (folder, "library.so", NULL);
  if (!weir_generate_spawn (folder, command, NULL, &complaint, &status, &why))
    *note = g_strdup_printf (
        _ ("there is no library in it: the C compiler \"%s\" cannot be started"),
        weir_generate_get_compiler ());
  else if (status != 0 || (library = weir_file_read (path, WEIR_FILE_FMU, NULL)) == NULL)
    *note = g_strdup_printf (
        _ ("there is no library in it: the C compiler \"%s\" does not take the "
           "sources: %.*s"),
        weir_generate_get_compiler (), 500, complaint);
  weir_generate_remove_folder (folder);
  return library;
}

/* --- The archive ----------------------------------------------------------------------------- */

static void
add (GArray *files, const char *name, GBytes *bytes)
{
  WeirFmuFile file = { g_strdup (name), bytes };

  g_array_append_val (files, file);
}

static void
add_text (GArray *files, const char *name, const char *text)
{
  add (files, name, g_bytes_new (text, strlen (text)));
}

static void
file_clear (gpointer data)
{
  WeirFmuFile *file = data;

  g_free ((char *) file->name);
  g_bytes_unref (file->bytes);
}

static GBytes *
pack (WeirGenerator *self, const WeirGenerated *files, GHashTable *units, guint version,
      double stop_time, char **note, GError **error)
{
  g_autofree char *token = dup_token (files);
  g_autoptr (WeirGenerated) sources = list_sources (self, files, token, version);
  g_autofree char *elements = dup_source_elements (sources, "File", NULL);
  g_autofree char *description = weir_generator_dup_description (self, units, token, version,
                                                                 elements, stop_time);
  g_autofree char *build = dup_build_description (self, sources);
  g_autofree char *terminals = weir_generator_dup_terminals (self);
  g_autofree char *library_name = g_strdup_printf (
      "binaries/%s/%s.so", version == 2 ? "linux64" : "x86_64-linux", self->lower);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (WeirFmuFile));
  GBytes *library = make_library (sources, note, error);

  if (library == NULL && *note == NULL)
    return NULL;
  g_array_set_clear_func (all, file_clear);
  add_text (all, "modelDescription.xml", description);
  for (guint i = 0; i < weir_generated_get_n_files (sources); i++)
    {
      g_autofree char *name = g_strconcat ("sources/", weir_generated_get_name (sources, i), NULL);

      add_text (all, name, weir_generated_get_text (sources, i));
    }
  if (version == 3)
    add_text (all, "sources/buildDescription.xml", build);
  if (version == 3 && terminals != NULL)
    add_text (all, "terminalsAndIcons/terminalsAndIcons.xml", terminals);
  if (library != NULL)
    add (all, library_name, library);
  return weir_fmu_archive_write ((const WeirFmuFile *) (gpointer) all->data, all->len, error);
}

gboolean
weir_generate_fmu (WeirSystem *root, const char *prefix, const WeirSimulatorOptions *options,
                   const char *const *ports, GHashTable *units, guint version, double stop_time,
                   const char *path, char **note, WeirDiagnostics *diagnostics, GError **error)
{
  g_auto (WeirGenerator) self = { 0 };
  g_autoptr (WeirGenerated) files = NULL;
  g_autoptr (GBytes) bytes = NULL;
  WeirSimulatorOptions run = *options;

  *note = NULL;
  if (run.step <= 0) /* that of the whole run, not of the first part of it */
    run.step = MIN (0.01, stop_time / 100);
  if (!weir_generator_begin (&self, root, prefix, &run, ports, diagnostics))
    return FALSE;
  self.has_tangents = weir_generator_find_tangents (&self);
  files = weir_generator_write_files (&self);
  if (self.has_failed)
    return FALSE;
  bytes = pack (&self, files, units, version, stop_time, note, error);
  return bytes != NULL && weir_file_write (path, bytes, 0666, error);
}
