/* Descriptions from archives and files: what is read, resolved and checked, in this order. See
 * description.h. */
#include "fmi/description-private.h"

#include "base/error.h"

#define TERMINALS_FILE "terminalsAndIcons/terminalsAndIcons.xml"

static void
reading_init (WeirFmuReading *r, WeirDiagnostics *diagnostics)
{
  *r = (WeirFmuReading) { .d = weir_fmu_description_new (), .diagnostics = diagnostics };
  r->places = g_byte_array_new ();
  r->variables = g_array_new (FALSE, FALSE, sizeof (WeirFmuVariable));
  r->units = g_array_new (FALSE, FALSE, sizeof (WeirFmuUnit));
  r->types = g_array_new (FALSE, FALSE, sizeof (WeirFmuDeclaredType));
  r->categories = g_array_new (FALSE, FALSE, sizeof (WeirFmuLogCategory));
  for (guint i = 0; i < WEIR_FMU_N_UNKNOWNS; i++)
    r->unknowns[i] = g_array_new (FALSE, FALSE, sizeof (WeirFmuUnknown));
  r->dimensions = g_array_new (FALSE, FALSE, sizeof (WeirFmuDimension));
  r->aliases = g_array_new (FALSE, FALSE, sizeof (WeirFmuAlias));
  r->items = g_array_new (FALSE, FALSE, sizeof (WeirFmuItem));
  r->display_units = g_array_new (FALSE, FALSE, sizeof (WeirFmuDisplayUnit));
  r->texts = g_array_new (FALSE, FALSE, sizeof (WeirFmuText));
  r->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  r->doubles = g_array_new (FALSE, FALSE, sizeof (double));
  r->kinds = g_byte_array_new ();
  r->facts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* Hands the lists over to the description. */
static void
reading_finish (WeirFmuReading *r)
{
  WeirFmuDescription *d = r->d;

  d->variables = weir_fmu_keep_array (r, r->variables, &d->n_variables);
  d->units = weir_fmu_keep_array (r, r->units, &d->n_units);
  d->types = weir_fmu_keep_array (r, r->types, &d->n_types);
  d->log_categories = weir_fmu_keep_array (r, r->categories, &d->n_log_categories);
  for (guint i = 0; i < WEIR_FMU_N_UNKNOWNS; i++)
    d->unknowns[i] = weir_fmu_keep_array (r, r->unknowns[i], &d->n_unknowns[i]);
  g_byte_array_unref (r->places);
  g_array_unref (r->dimensions);
  g_array_unref (r->aliases);
  g_array_unref (r->items);
  g_array_unref (r->display_units);
  g_array_unref (r->texts);
  g_array_unref (r->numbers);
  g_array_unref (r->doubles);
  g_byte_array_unref (r->kinds);
  g_hash_table_unref (r->facts);
}

WeirFmuDescription *
weir_fmu_description_read_bytes (GBytes *bytes, GBytes *terminals, const char *name,
                                 WeirDiagnostics *diagnostics)
{
  guint n_errors;
  WeirFmuReading r;
  gboolean is_read;

  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  n_errors = weir_diagnostics_get_n_errors (diagnostics);
  reading_init (&r, diagnostics);
  is_read = weir_fmu_read_elements (&r, bytes);
  if (is_read)
    {
      weir_fmu_resolve (&r);
      weir_fmu_check_variables (&r);
      weir_fmu_check_structure (&r);
    }
  reading_finish (&r);
  weir_diagnostics_set_file (diagnostics, name);
  if (is_read && terminals != NULL)
    {
      g_autofree char *folder = g_path_get_dirname (name);
      g_autofree char *file = g_build_filename (folder, TERMINALS_FILE, NULL);

      weir_fmu_read_terminals (&r, terminals);
      weir_diagnostics_set_file (diagnostics, file);
    }
  if (weir_diagnostics_get_n_errors (diagnostics) > n_errors)
    g_clear_pointer (&r.d, weir_fmu_description_unref);
  return r.d;
}

/* The file of the archive where the description should be, in a folder of its own. */
static const char *
find_wrapped (const WeirFmuArchive *archive)
{
  for (guint i = 0; i < weir_fmu_archive_get_n_files (archive); i++)
    {
      const char *file = weir_fmu_archive_get_file (archive, i);

      if (g_str_has_suffix (file, "/" WEIR_FMU_DESCRIPTION_FILE))
        return file;
    }
  return NULL;
}

/* NULL after saying why. */
static GBytes *
read_file (WeirFmuArchive *archive, guint i, WeirDiagnostics *diagnostics)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = NULL;

  if (weir_fmu_archive_get_file_size (archive, i) > WEIR_FMU_MAX_DESCRIPTION)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "XML05", NULL, 0, 0, 0,
                          "%s is larger than %zu MiB.", weir_fmu_archive_get_file (archive, i),
                          WEIR_FMU_MAX_DESCRIPTION / (1024 * 1024));
  else if ((bytes = weir_fmu_archive_read (archive, i, &error)) == NULL)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU01", NULL, 0, 0, 0, "%s",
                          weir_error_get_text (error));
  return bytes;
}

WeirFmuDescription *
weir_fmu_description_read (WeirFmuArchive *archive, WeirDiagnostics *diagnostics)
{
  g_autoptr (GBytes) bytes = NULL, terminals = NULL;
  g_autofree char *name = NULL;
  guint i;

  g_return_val_if_fail (archive != NULL, NULL);
  g_return_val_if_fail (diagnostics != NULL, NULL);

  if (!weir_fmu_archive_find (archive, WEIR_FMU_DESCRIPTION_FILE, &i))
    {
      const char *wrapped = find_wrapped (archive);

      if (wrapped != NULL)
        weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU02", NULL, 0, 0, 0,
                              "The FMU has its description as %s, but it must be outermost: "
                              "pack what is in that folder, not the folder.",
                              wrapped);
      else
        weir_diagnostics_add (diagnostics, WEIR_SEVERITY_ERROR, "FMU02", NULL, 0, 0, 0,
                              "The archive is no FMU: it has no %s.", WEIR_FMU_DESCRIPTION_FILE);
      return NULL;
    }
  bytes = read_file (archive, i, diagnostics);
  if (bytes == NULL)
    return NULL;
  if (weir_fmu_archive_find (archive, TERMINALS_FILE, &i))
    {
      terminals = read_file (archive, i, diagnostics);
      if (terminals == NULL)
        return NULL;
    }
  name = g_strconcat (weir_fmu_archive_get_name (archive), "/", WEIR_FMU_DESCRIPTION_FILE, NULL);
  return weir_fmu_description_read_bytes (bytes, terminals, name, diagnostics);
}
