/* FMU files that blocks name. See fmu-files.h. */
#include "model/tree/fmu-files.h"

#include <gio/gio.h>
#include <string.h>

#include "base/error.h"
#include "base/sync.h"
#include "equations/expressions/unit.h"
#include "fmi/leaf.h"
#include "model/tree/fmu-starts.h"

#define MAX_EXPONENT 100                    /* of a base unit */
#define MAX_SIZED_BYTES ((gsize) 256 << 20) /* of descriptions of other sizes, which are kept */

/* A package that FMUs lie in, as it was when it was read. */
typedef struct {
  gint64 time, size;
  WeirFmuArchive *archive;
} Package;

static GMutex mutex;
static GHashTable *sources;  /* by path: GPtrArray of WeirFmuSource, the newest last */
static GHashTable *packages; /* by path: Package */
static gsize sized_bytes;    /* of all descriptions of other sizes */

/* As equations write it, of what the file says that it measures: a name alone may mean anything.
 * NULL: nobody knows. For good. */
static const char *
find_unit (const WeirFmuDescription *d, const WeirFmuVariable *variable)
{
  /* kg, m, s, A, K, mol, cd; radians are numbers. */
  static const guint8 places[WEIR_N_BASE_UNITS] = { 1, 0, 2, 3, 4, 5, 6 };
  const char *name = variable->traits.unit;
  guint i = name != NULL ? weir_fmu_description_find_unit (d, name) : WEIR_FMU_NONE;
  const WeirFmuUnit *said = i != WEIR_FMU_NONE ? &d->units[i] : NULL;
  WeirUnit unit = { .factor = 1 }, named;
  g_autofree char *text = NULL;

  if (said == NULL || !said->has_base || !(said->factor > 0)
      || (variable->traits.is_relative && said->offset != 0))
    return NULL;
  for (guint k = 0; k < WEIR_N_BASE_UNITS; k++)
    {
      if (ABS (said->exponents[k]) > MAX_EXPONENT)
        return NULL;
      unit.power[places[k]] = (gint16) (WEIR_UNIT_WHOLE * said->exponents[k]);
    }
  unit.factor = said->factor;
  unit.offset = said->offset;
  if (weir_unit_parse (name, &named, NULL) && weir_unit_equal (&named, &unit))
    return name;
  text = weir_unit_to_string (&unit);
  return weir_unit_parse (text, &named, NULL) && weir_unit_equal (&named, &unit)
             ? g_intern_string (text)
             : NULL;
}

/* What the standard takes where nothing is said: bytes of any kind. */
#define ANY_BYTES "application/octet-stream"

static const char *
find_mime_type (const WeirFmuVariable *variable)
{
  const char *said = variable->traits.mime_type;

  return said != NULL && g_ascii_strcasecmp (said, ANY_BYTES) != 0 ? said : NULL;
}

/* "shaft.heat", of one that is in another. For good. */
static const char *
find_terminal_name (const WeirFmuDescription *d, guint i)
{
  g_autofree char *name = g_strdup (d->terminals[i].name);

  while ((i = d->terminals[i].parent) != WEIR_FMU_NONE)
    {
      char *longer = g_strconcat (d->terminals[i].name, ".", name, NULL);

      g_free (name);
      name = longer;
    }
  return g_intern_string (name);
}

/* By variable, the first terminal that it is in, or NULL. (transfer container) */
static const char **
list_terminals (const WeirFmuDescription *d)
{
  const char **terminals = g_new0 (const char *, d->n_variables + 1);

  for (guint i = 0; i < d->n_terminals; i++)
    for (guint k = 0; k < d->terminals[i].n_members; k++)
      {
        guint v = d->terminals[i].members[k].variable;

        if (v < d->n_variables && terminals[v] == NULL)
          terminals[v] = find_terminal_name (d, i);
      }
  return terminals;
}

static GArray *
list_ports (const WeirFmuDescription *d, WeirFmuCausality causality)
{
  GArray *ports = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));
  g_autofree const char **terminals = list_terminals (d);

  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == causality && weir_fmu_leaf_has_port (d, &d->variables[v]))
      {
        const WeirFmuVariable *variable = &d->variables[v];
        gboolean is_text = weir_fmu_leaf_has_text_port (variable);
        WeirPortSpec port = { .name = variable->name,
                              .size = (guint) variable->size,
                              .unit = find_unit (d, variable),
                              .type = is_text ? weir_fmu_text_get_type (variable->traits.type)
                                              : NULL,
                              .mime_type = is_text ? find_mime_type (variable) : NULL,
                              .terminal = terminals[v] };

        g_array_append_val (ports, port);
      }
  return ports;
}

/* --- FMUs in packages ------------------------------------------------------------------------ */

static void
package_free (gpointer data)
{
  Package *self = data;

  weir_fmu_archive_unref (self->archive);
  g_free (self);
}

/* The package at the path's first @length bytes. (transfer none) */
static WeirFmuArchive *
open_package (const char *path, gsize length, gint64 time, gint64 size, GError **error)
{
  g_autofree char *name = g_strndup (path, length);
  WeirFmuArchive *archive;
  Package *package;

  if (packages == NULL)
    packages = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, package_free);
  package = g_hash_table_lookup (packages, name);
  if (package != NULL && package->time == time && package->size == size)
    return package->archive;
  archive = weir_fmu_archive_open (name, error);
  if (archive == NULL)
    return NULL;
  package = g_new (Package, 1);
  *package = (Package) { time, size, archive };
  g_hash_table_replace (packages, g_steal_pointer (&name), package);
  return archive;
}

/* The archive that is at @name of @package, or in one that is. (transfer full) */
static WeirFmuArchive *
open_within (WeirFmuArchive *package, const char *name, const char *path, GError **error)
{
  g_autoptr (WeirFmuArchive) outer = weir_fmu_archive_ref (package);

  for (const char *end = name; end != NULL;)
    {
      g_autofree char *entry = NULL;
      g_autoptr (GBytes) bytes = NULL;
      guint i;

      end = strchr (end, '/');
      entry = end != NULL ? g_strndup (name, (gsize) (end - name)) : g_strdup (name);
      end = end != NULL ? end + 1 : NULL;
      if (!weir_fmu_archive_find (outer, entry, &i))
        continue;
      bytes = weir_fmu_archive_read (outer, i, error);
      weir_fmu_archive_unref (outer);
      outer = bytes != NULL ? weir_fmu_archive_new (bytes, path, error) : NULL;
      if (outer == NULL || end == NULL)
        return g_steal_pointer (&outer);
      name = end;
    }
  weir_error_set (error, WEIR_ERROR_FILE, "There is no \"%s\" in the package.", name);
  return NULL;
}

/* How long the path of the file is that @path is, or is in: all of it, or up to the end of
 * "PACKAGE.ssp". 0: there is none. @info: (out) (transfer full) of that file. */
static gsize
find_file (const char *path, GFileInfo **info)
{
  gsize length = strlen (path);

  while (length > 0)
    {
      g_autofree char *prefix = g_strndup (path, length);
      g_autoptr (GFile) file = g_file_new_for_path (prefix);
      const char *end;

      *info = g_file_query_info (
          file,
          G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE "," //
          G_FILE_ATTRIBUTE_TIME_MODIFIED "," G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
          G_FILE_QUERY_INFO_NONE, NULL, NULL);
      if (*info != NULL
          && (path[length] == '\0' || g_file_info_get_file_type (*info) == G_FILE_TYPE_REGULAR))
        return length;
      if (*info != NULL)
        {
          g_clear_object (info);
          return 0;
        }
      end = strrchr (prefix, '/');
      length = end != NULL ? (gsize) (end - prefix) : 0;
    }
  return 0;
}

static WeirFmuArchive *
open_archive (const char *path, gsize length, gint64 time, gint64 size, GError **error)
{
  WeirFmuArchive *package;

  if (path[length] == '\0')
    return weir_fmu_archive_open (path, error);
  package = open_package (path, length, time, size, error);
  return package != NULL ? open_within (package, path + length + 1, path, error) : NULL;
}

/* --- Files ----------------------------------------------------------------------------------- */

static void
list_all (WeirFmuSource *self)
{
  self->inputs = list_ports (self->description, WEIR_FMU_INPUT);
  self->outputs = list_ports (self->description, WEIR_FMU_OUTPUT);
  self->parameters = weir_fmu_list_parameters (self->description);
}

static WeirFmuSource *
file_new (const char *path, gsize length, gint64 time, gint64 size)
{
  WeirFmuSource *self = g_new0 (WeirFmuSource, 1);
  g_autoptr (GError) error = NULL;

  self->time = time;
  self->size = size;
  self->diagnostics = weir_diagnostics_new ();
  self->archive = open_archive (path, length, time, size, &error);
  if (self->archive == NULL)
    weir_diagnostics_add (self->diagnostics, WEIR_SEVERITY_ERROR, "FMU01", "", 0, 0, 0, "%s",
                          weir_error_get_text (error));
  else
    self->description = weir_fmu_description_read (self->archive, self->diagnostics);
  self->sized = g_ptr_array_new ();
  if (self->description != NULL)
    list_all (self);
  return self;
}

static char *
dup_path (const char *name, const char *folder)
{
  return g_path_is_absolute (name) || folder == NULL ? g_strdup (name)
                                                     : g_build_filename (folder, name, NULL);
}

const WeirFmuSource *
weir_fmu_source_find (const char *name, const char *folder)
{
  g_autofree char *path = dup_path (name, folder);
  g_autoptr (GFileInfo) info = NULL;
  gsize length = find_file (path, &info);
  GPtrArray *found;
  WeirFmuSource *source = NULL;
  gint64 time, size;

  if (length == 0)
    return NULL;
  time = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED)
             * G_USEC_PER_SEC
         + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  size = g_file_info_get_size (info);
  weir_sync_lock (&mutex);
  if (sources == NULL)
    sources = g_hash_table_new (g_str_hash, g_str_equal);
  found = g_hash_table_lookup (sources, path);
  if (found == NULL)
    {
      found = g_ptr_array_new ();
      g_hash_table_insert (sources, g_strdup (path), found);
    }
  if (found->len > 0)
    source = g_ptr_array_index (found, found->len - 1);
  if (source == NULL || source->time != time || source->size != size)
    {
      source = file_new (path, length, time, size);
      g_ptr_array_add (found, source);
    }
  weir_sync_unlock (&mutex);
  return source;
}

gboolean
weir_fmu_source_is_unit (const WeirFmuSource *self, const WeirArguments *arguments)
{
  enum { AUTO, EXCHANGE, CO_SIMULATION };
  guint mode = weir_arguments_get_choice (arguments, "mode");

  return mode == CO_SIMULATION
         || (mode == AUTO && self != NULL && self->description != NULL
             && !self->description->modes[WEIR_FMU_MODEL_EXCHANGE].is_offered);
}

/* --- Sizes ----------------------------------------------------------------------------------- */

static gboolean
has_structure (const WeirFmuDescription *d)
{
  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == WEIR_FMU_STRUCTURAL_PARAMETER)
      return TRUE;
  return FALSE;
}

/* Those that differ from the file's. FALSE and @error: one has no single value. */
static gboolean
list_sizings (const WeirFmuDescription *d, const GArray *starts, GArray *sizings, GError **error)
{
  for (guint i = 0; i < starts->len; i++)
    {
      const WeirFmuStart *start = &g_array_index (starts, WeirFmuStart, i);
      guint v = weir_fmu_description_find (d, start->variable);
      const WeirFmuVariable *variable = v != WEIR_FMU_NONE ? &d->variables[v] : NULL;
      WeirFmuSizing sizing = { .variable = v };

      if (variable == NULL || variable->causality != WEIR_FMU_STRUCTURAL_PARAMETER)
        continue;
      if (start->n_values != 1)
        {
          weir_error_set (error, WEIR_ERROR_INVALID, "\"%s\" takes one number.", variable->name);
          return FALSE;
        }
      sizing.value = start->values[0];
      for (guint k = 0; k < sizings->len; k++)
        if (g_array_index (sizings, WeirFmuSizing, k).variable == v) /* the last counts */
          g_array_remove_index (sizings, k--);
      if (variable->n_start != 1 || variable->start[0] != sizing.value)
        g_array_append_val (sizings, sizing);
    }
  return TRUE;
}

static gboolean
has_sizes (const WeirFmuSource *self, const WeirFmuDescription *wanted)
{
  for (guint v = 0; v < wanted->n_variables; v++)
    if (wanted->variables[v].causality == WEIR_FMU_STRUCTURAL_PARAMETER
        && wanted->variables[v].start != NULL
        && self->description->variables[v].start[0] != wanted->variables[v].start[0])
      return FALSE;
  return TRUE;
}

static gsize
count_bytes (const WeirFmuDescription *d)
{
  gsize n = d->n_variables * sizeof *d->variables;

  for (guint v = 0; v < d->n_variables; v++)
    n += d->variables[v].n_start * sizeof (double);
  return n;
}

/* Behind the lock. @description: (transfer full). */
static const WeirFmuSource *
find_or_keep (const WeirFmuSource *base, WeirFmuDescription *description, GError **error)
{
  g_autoptr (WeirFmuDescription) owned = description;
  gsize size = count_bytes (description);
  WeirFmuSource *self;

  for (guint i = 0; i < base->sized->len; i++)
    if (has_sizes (base->sized->pdata[i], description))
      return base->sized->pdata[i];
  if (size > MAX_SIZED_BYTES - sized_bytes)
    {
      weir_error_set (error, WEIR_ERROR_INVALID,
                      "FMUs have been given so many different sizes that there is no room for "
                      "more: start Weir anew.");
      return NULL;
    }
  sized_bytes += size;
  self = g_memdup2 (base, sizeof *self);
  self->description = g_steal_pointer (&owned);
  self->sized = NULL;
  list_all (self);
  g_ptr_array_add (base->sized, self);
  return self;
}

const WeirFmuSource *
weir_fmu_source_find_sized (const WeirFmuSource *self, const char *text, GError **error)
{
  g_autoptr (GArray) starts = NULL, sizings = NULL;
  WeirFmuDescription *description;
  const WeirFmuSource *found;

  if (self->description == NULL || text == NULL || *text == '\0'
      || !has_structure (self->description))
    return self;
  starts = weir_fmu_starts_read (text, self->description, NULL);
  sizings = g_array_new (FALSE, FALSE, sizeof (WeirFmuSizing));
  if (starts == NULL) /* which is told when they are taken */
    return self;
  if (!list_sizings (self->description, starts, sizings, error))
    return NULL;
  if (sizings->len == 0)
    return self;
  description = weir_fmu_description_resize (
      self->description, (const WeirFmuSizing *) (gpointer) sizings->data, sizings->len, error);
  if (description == NULL)
    return NULL;
  weir_sync_lock (&mutex);
  found = find_or_keep (self, description, error);
  weir_sync_unlock (&mutex);
  return found;
}
