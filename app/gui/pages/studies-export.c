/* The points of a study as a file for other programs: CSV or HDF5, by the ending of its name,
 * written in a thread. See studies-page-private.h.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "gui/host/chooser.h"
#include "gui/host/export.h"
#include "gui/pages/studies-page-private.h"

void
weir_studies_export_update (WeirStudiesPage *self)
{
  weir_host_set_enabled (self->parent.host, "study-export",
                         self->done != NULL && self->job == NULL && !self->is_exporting);
}

typedef struct {
  WeirStudiesPage *page;
  char *name;
} Writing;

static void
written (G_GNUC_UNUSED GObject *source, GAsyncResult *result, gpointer data)
{
  Writing *writing = data;
  g_autoptr (WeirStudiesPage) self = writing->page;
  g_autofree char *name = writing->name;
  g_autoptr (GError) error = NULL;
  gboolean is_written = weir_study_job_export_finish (result, &error);

  g_free (writing);
  self->is_exporting = FALSE;
  if (self->parent.host == NULL)
    return;
  weir_export_tell (self->parent.host, name, is_written, error);
  weir_studies_export_update (self);
}

static void
export_to (gpointer page, GFile *file)
{
  WeirStudiesPage *self = page;
  g_autofree char *name = g_file_get_basename (file), *path = g_file_get_path (file);
  const WeirStudyFormat *format = weir_study_format_find (name);
  Writing *writing;

  if (self->done == NULL || self->job != NULL || self->is_exporting)
    return;
  if (path == NULL || (format == NULL && strchr (name, '.') != NULL))
    {
      g_autofree const char **suffixes = weir_study_formats_list_suffixes ();
      g_autofree char *endings = weir_text_list_endings (suffixes, ", ");
      g_autofree char *text = path == NULL
                                  ? g_strdup_printf (_ ("“%s” is in no folder of this computer."),
                                                     name)
                                  : g_strdup_printf (_ ("“%s”: results are written as %s."), name,
                                                     endings);

      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, text);
      return;
    }
  writing = g_new (Writing, 1);
  *writing = (Writing) { g_object_ref (self), g_steal_pointer (&name) };
  self->is_exporting = TRUE;
  weir_studies_export_update (self);
  weir_study_job_export (self->done, format != NULL ? format : &weir_study_formats[0], path, self,
                         written, writing);
}

static void
choose (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirStudiesPage *self = data;
  WeirFileFilter kinds[WEIR_N_STUDY_FORMATS + 1] = { 0 };
  g_autoptr (GFile) folder = self->file != NULL ? g_file_get_parent (self->file) : NULL;
  g_autofree char *stem = weir_host_dup_stem (self->parent.host);
  g_autofree char *name = g_strdup_printf ("%s.%s", stem, weir_study_formats[0].suffixes[0]);

  for (guint i = 0; i < WEIR_N_STUDY_FORMATS; i++)
    kinds[i] = (WeirFileFilter) { _ (weir_study_formats[i].title), weir_study_formats[i].suffixes };
  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Export the Study"),
                                           .accept = _ ("_Export"),
                                           .kinds = kinds,
                                           .folder = folder,
                                           .name = name },
                     export_to, self, NULL);
}

void
weir_studies_export_init (WeirStudiesPage *self)
{
  static const GActionEntry entry = { .name = "study-export", .activate = choose };

  weir_page_add_actions (&self->parent, &entry, 1);
  weir_studies_export_update (self);
}
