/* Descriptions of FMUs: their memory, and what is asked of them. See description.h. */
#include "fmi/description-private.h"

#include <math.h>
#include <string.h>

#include "base/sync.h"

#define MAX_NAMED 5 /* variables, in a sentence */

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

WeirFmuDescription *
weir_fmu_description_new (void)
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
  if (!weir_sync_drop (p, &p->ref_count))
    return;
  g_hash_table_unref (p->names);
  g_hash_table_unref (p->references);
  g_hash_table_unref (p->unit_names);
  g_hash_table_unref (p->type_names);
  g_ptr_array_unref (p->blocks);
  g_clear_pointer (&p->texts, g_string_chunk_free);
  g_clear_pointer (&p->base, weir_fmu_description_unref);
  g_free (p);
  g_free (self);
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

/* In 2.0 each of the four kinds of functions counts for itself; enumerations are integers. */
gint64
weir_fmu_get_key (int version, WeirFmuType type, guint32 reference)
{
  gint64 kind = version >= 3 ? 0 : type == WEIR_FMU_ENUMERATION ? WEIR_FMU_INT32 : (gint64) type;

  return kind << 32 | reference;
}

char *
weir_fmu_description_dup_texts (const WeirFmuDescription *self)
{
  g_autoptr (GString) names = g_string_new (NULL);
  guint n = 0;

  for (guint v = 0; v < self->n_variables; v++)
    {
      const WeirFmuVariable *variable = &self->variables[v];

      if ((variable->traits.type == WEIR_FMU_STRING || variable->traits.type == WEIR_FMU_BINARY)
          && (variable->causality == WEIR_FMU_INPUT || variable->causality == WEIR_FMU_OUTPUT)
          && (variable->n_dimensions > 0 || variable->n_clocks > 0) && n++ < MAX_NAMED)
        g_string_append_printf (names, "%s%s", names->len > 0 ? ", " : "", variable->name);
    }
  if (n > MAX_NAMED)
    g_string_append (names, ", …");
  return n > 0 ? g_strdup (names->str) : NULL;
}
