/* FMU files that blocks name. See fmu-files.h. */
#include "model/tree/fmu-files.h"

#include <gio/gio.h>

#include "base/sync.h"
#include "fmi/leaf.h"

static GMutex mutex;
static GHashTable *sources; /* by path: GPtrArray of WeirFmuSource, the newest last */

static GArray *
list_ports (const WeirFmuDescription *d, WeirFmuCausality causality)
{
  GArray *ports = g_array_new (FALSE, FALSE, sizeof (WeirPortSpec));

  for (guint v = 0; v < d->n_variables; v++)
    if (d->variables[v].causality == causality && weir_fmu_leaf_has (d, &d->variables[v]))
      {
        WeirPortSpec port = { d->variables[v].name, (guint) d->variables[v].size, NULL };

        g_array_append_val (ports, port);
      }
  return ports;
}

static WeirFmuSource *
file_new (const char *path, gint64 time, gint64 size)
{
  WeirFmuSource *self = g_new0 (WeirFmuSource, 1);
  g_autoptr (GError) error = NULL;

  self->time = time;
  self->size = size;
  self->diagnostics = weir_diagnostics_new ();
  self->archive = weir_fmu_archive_open (path, &error);
  if (self->archive == NULL)
    weir_diagnostics_add (self->diagnostics, WEIR_SEVERITY_ERROR, "FMU01", "", 0, 0, 0, "%s",
                          error->message);
  else
    self->description = weir_fmu_description_read (self->archive, self->diagnostics);
  if (self->description != NULL)
    {
      self->inputs = list_ports (self->description, WEIR_FMU_INPUT);
      self->outputs = list_ports (self->description, WEIR_FMU_OUTPUT);
    }
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
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info = g_file_query_info (file,
                                                  G_FILE_ATTRIBUTE_STANDARD_SIZE
                                                  "," G_FILE_ATTRIBUTE_TIME_MODIFIED "," //
                                                  G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC,
                                                  G_FILE_QUERY_INFO_NONE, NULL, NULL);
  GPtrArray *found;
  WeirFmuSource *source = NULL;
  gint64 time, size;

  if (info == NULL)
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
      source = file_new (path, time, size);
      g_ptr_array_add (found, source);
    }
  weir_sync_unlock (&mutex);
  return source;
}
