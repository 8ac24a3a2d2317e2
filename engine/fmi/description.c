/* Descriptions of FMUs: their memory, and what is asked of them. See description.h. */
#include "fmi/description-private.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

#define TERMINALS_FILE "terminalsAndIcons/terminalsAndIcons.xml"

/* --- Memory ---------------------------------------------------------------------------------- */

gpointer
weir_fmu_keep (WeirFmuReading *r, gconstpointer data, gsize size)
{
  gpointer copy = g_malloc (MAX (size, 1));

  if (size > 0)
    memcpy (copy, data, size);
  g_ptr_array_add (r->d->private->blocks, copy);
  return copy;
}

gpointer
weir_fmu_keep_array (WeirFmuReading *r, GArray *array, guint *n)
{
  gpointer data;

  *n = array->len;
  data = g_array_free (array, FALSE);
  g_ptr_array_add (r->d->private->blocks, data); /* g_free() lets NULL pass */
  return data;
}

const char *
weir_fmu_keep_text (WeirFmuReading *r, const char *text)
{
  return text != NULL ? g_string_chunk_insert_const (r->d->private->texts, text) : NULL;
}

static WeirFmuDescription *
description_new (void)
{
  WeirFmuDescription *self = g_new0 (WeirFmuDescription, 1);
  WeirFmuDescriptionPrivate *p = g_new0 (WeirFmuDescriptionPrivate, 1);

  g_atomic_ref_count_init (&p->ref_count);
  p->texts = g_string_chunk_new (16384);
  p->blocks = g_ptr_array_new_with_free_func (g_free);
  p->names = g_hash_table_new (g_str_hash, g_str_equal);
  p->references = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  p->unit_names = g_hash_table_new (g_str_hash, g_str_equal);
  p->type_names = g_hash_table_new (g_str_hash, g_str_equal);
  self->private = p;
  self->name = self->token = self->version_text = "";
  self->time = WEIR_FMU_NONE;
  self->experiment = (WeirFmuExperiment) { NAN, NAN, NAN, NAN };
  for (guint i = 0; i < WEIR_FMU_N_MODES; i++)
    {
      self->modes[i].fixed_step = NAN;
      self->modes[i].identifier = "";
    }
  return self;
}

WeirFmuDescription *
weir_fmu_description_ref (WeirFmuDescription *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->private->ref_count);
  return self;
}

void
weir_fmu_description_unref (WeirFmuDescription *self)
{
  WeirFmuDescriptionPrivate *p;

  g_return_if_fail (self != NULL);

  p = self->private;
  if (!g_atomic_ref_count_dec (&p->ref_count))
    return;
  g_hash_table_unref (p->names);
  g_hash_table_unref (p->references);
  g_hash_table_unref (p->unit_names);
  g_hash_table_unref (p->type_names);
  g_ptr_array_unref (p->blocks);
  g_string_chunk_free (p->texts);
  g_free (p);
  g_free (self);
}

/* --- Reading --------------------------------------------------------------------------------- */

static void
reading_init (WeirFmuReading *r, WeirDiagnostics *diagnostics)
{
  *r = (WeirFmuReading) { .d = description_new (), .diagnostics = diagnostics };
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

/* --- Libraries ------------------------------------------------------------------------------- */

char *
weir_fmu_description_dup_library (const WeirFmuDescription *self, WeirFmuMode mode)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail ((guint) mode < WEIR_FMU_N_MODES, NULL);

  return g_strdup_printf ("binaries/%s/%s.so", weir_fmu_get_platform (self->version),
                          self->modes[mode].identifier);
}

static void
check_library (const WeirFmuDescription *self, WeirFmuMode mode, const WeirFmuArchive *archive,
               WeirDiagnostics *diagnostics)
{
  g_autofree char *library = weir_fmu_description_dup_library (self, mode);
  g_autoptr (GPtrArray) platforms = weir_fmu_archive_list_folders (archive, "binaries");
  const char *mode_name = weir_fmu_mode_get_name (mode);

  if (weir_fmu_archive_find (archive, library, NULL))
    return;
  if (platforms->len == 0)
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "FMU19", mode_name, 0, 0, 0,
                          "The FMU holds no libraries, and cannot be run: it needs %s.", library);
  else if (g_ptr_array_find_with_equal_func (platforms, weir_fmu_get_platform (self->version),
                                             g_str_equal, NULL))
    weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "FMU19", mode_name, 0, 0, 0,
                          "The FMU has a folder for this machine, but %s is not in it.", library);
  else
    {
      g_autofree char *present = NULL;

      g_ptr_array_add (platforms, NULL);
      present = g_strjoinv (", ", (char **) platforms->pdata);
      weir_diagnostics_add (diagnostics, WEIR_SEVERITY_WARNING, "FMU19", mode_name, 0, 0, 0,
                            "The FMU has libraries for %s, but this machine needs %s.", present,
                            library);
    }
}

void
weir_fmu_description_check_libraries (const WeirFmuDescription *self, const WeirFmuArchive *archive,
                                      WeirDiagnostics *diagnostics)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (archive != NULL);

  for (guint i = 0; i < WEIR_FMU_N_MODES; i++)
    if (self->modes[i].is_offered)
      check_library (self, (WeirFmuMode) i, archive, diagnostics);
}

/* --- Finding --------------------------------------------------------------------------------- */

static guint
find (GHashTable *names, const char *name)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (names, name)) - 1; /* none: WEIR_FMU_NONE */
}

guint
weir_fmu_description_find (const WeirFmuDescription *self, const char *name)
{
  return find (self->private->names, name);
}

guint
weir_fmu_description_find_unit (const WeirFmuDescription *self, const char *name)
{
  return find (self->private->unit_names, name);
}

guint
weir_fmu_description_find_type (const WeirFmuDescription *self, const char *name)
{
  return find (self->private->type_names, name);
}

/* In 2.0 each of the four kinds of functions counts for itself; enumerations are integers. */
gint64
weir_fmu_get_key (int version, WeirFmuType type, guint32 reference)
{
  gint64 kind = version >= 3 ? 0 : type == WEIR_FMU_ENUMERATION ? WEIR_FMU_INT32 : (gint64) type;

  return kind << 32 | reference;
}

guint
weir_fmu_description_find_reference (const WeirFmuDescription *self, WeirFmuType type,
                                     guint32 reference)
{
  gint64 key = weir_fmu_get_key (self->version, type, reference);

  return GPOINTER_TO_UINT (g_hash_table_lookup (self->private->references, &key)) - 1;
}
