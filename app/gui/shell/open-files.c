/* The files that were open. See open-files.h. */
#include "gui/shell/open-files.h"

#include "gui/host/settings.h"

#define MAX_CLOSED 20

static gboolean is_quitting;
static GQueue closed = G_QUEUE_INIT; /* GFile, the last one first */

void
weir_open_files_note_closed (GFile *file)
{
  g_queue_push_head (&closed, g_object_ref (file));
  while (g_queue_get_length (&closed) > MAX_CLOSED)
    g_object_unref (g_queue_pop_tail (&closed));
}

GFile *
weir_open_files_take_closed (void)
{
  return g_queue_pop_head (&closed);
}

void
weir_open_files_store (GPtrArray *files)
{
  g_autoptr (GStrvBuilder) uris = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  if (weir_settings_get () == NULL || is_quitting)
    return;
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *uri = g_file_get_uri (g_ptr_array_index (files, i));

      g_strv_builder_add (uris, uri);
    }
  list = g_strv_builder_end (uris);
  g_settings_set_strv (weir_settings_get (), "open-files", (const char *const *) list);
}

void
weir_open_files_begin_quit (void)
{
  is_quitting = TRUE;
}

GPtrArray *
weir_open_files_list (void)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_object_unref);
  g_auto (GStrv) uris = NULL;

  if (weir_settings_get () == NULL
      || !g_settings_get_boolean (weir_settings_get (), "reopen-files"))
    return files;
  uris = g_settings_get_strv (weir_settings_get (), "open-files");
  for (guint i = 0; uris[i] != NULL; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_uri (uris[i]);

      if (g_file_query_exists (file, NULL))
        g_ptr_array_add (files, g_steal_pointer (&file));
    }
  return files;
}
