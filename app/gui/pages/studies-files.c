/* Files of studies in the window: the same that `weir study` runs. See studies-page-private.h.
 *
 * A study leads to its model: opened from anywhere it is shown where that model is. While the draft
 * is what its file says, results are those of the file beside it, which the command line shares.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "gui/host/chooser.h"
#include "gui/pages/studies-page-private.h"
#include "model/tree/file-names.h"
#include "widgets/tooltips.h"

#define SUFFIX ".weirstudy"

static char *
dup_folder (GFile *file)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);

  return folder != NULL ? g_file_get_path (folder) : NULL;
}

/* --- What it is called ------------------------------------------------------------------------ */

static gboolean
is_changed (WeirStudiesPage *self)
{
  g_autoptr (GBytes) bytes = NULL;

  if (self->file == NULL)
    return FALSE;
  weir_studies_form_enter (self, FALSE);
  bytes = weir_study_write_bytes (self->draft);
  return !g_bytes_equal (bytes, self->saved);
}

void
weir_studies_files_update_name (WeirStudiesPage *self)
{
  g_autofree char *name = self->file != NULL ? g_file_get_basename (self->file) : NULL;
  /* Translators: %s is the name of a file. */
  g_autofree char *text = name != NULL && is_changed (self)
                              ? g_strdup_printf (_ ("%s (changed)"), name)
                              : g_strdup (name);

  gtk_widget_set_visible (GTK_WIDGET (self->name), text != NULL);
  gtk_label_set_text (self->name, text != NULL ? text : "");
  weir_set_tooltip (GTK_WIDGET (self->name), self->draft->title);
}

static void
take_file (WeirStudiesPage *self, GFile *file)
{
  g_set_object (&self->file, file);
  g_clear_pointer (&self->saved, g_bytes_unref);
  if (file != NULL)
    self->saved = weir_study_write_bytes (self->draft);
  weir_studies_files_update_name (self);
}

/* --- Saving ----------------------------------------------------------------------------------- */

/* The names in the draft as they are seen from the folder of @file. FALSE: the model has no file.
 */
static gboolean
move_names (WeirStudiesPage *self, GFile *file)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autofree char *model_folder = model != NULL ? dup_folder (model) : NULL;
  g_autofree char *name = model != NULL ? g_file_get_basename (model) : NULL;
  g_autofree char *to = dup_folder (file);
  g_autofree char *from = self->file != NULL ? dup_folder (self->file) : NULL;

  if (model_folder == NULL || to == NULL)
    return FALSE;
  g_free (self->draft->model);
  self->draft->model = weir_file_name_move (name, model_folder, to);
  if (self->draft->measured != NULL && from != NULL)
    {
      char *measured = weir_file_name_move (self->draft->measured, from, to);

      g_free (self->draft->measured);
      self->draft->measured = measured;
    }
  return TRUE;
}

/* FALSE: it has been told why not. */
static gboolean
save_to (WeirStudiesPage *self, GFile *file)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file), *told = NULL;

  if (!weir_studies_form_enter (self, TRUE))
    return FALSE;
  if (!move_names (self, file))
    {
      weir_studies_page_say (self, _ ("Save the model first: a study names its model's file."));
      return FALSE;
    }
  bytes = weir_study_write_bytes (self->draft);
  if (!weir_file_write_to (file, bytes, &error))
    {
      weir_studies_page_say (self, weir_error_say (error));
      return FALSE;
    }
  take_file (self, file);
  told = g_strdup_printf (_ ("Saved as “%s”"), name);
  weir_host_toast (self->parent.host, told);
  return TRUE;
}

static void
file_chosen (gpointer page, GFile *file)
{
  WeirStudiesPage *self = page;
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autofree char *whole = g_strconcat (name, SUFFIX, NULL);
  g_autoptr (GFile) named = g_str_has_suffix (name, SUFFIX) ? g_object_ref (file)
                                                            : g_file_get_child (folder, whole);

  save_to (self, named);
}

/* Beside the model, named like it. */
static void
save_as (WeirStudiesPage *self)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autoptr (GFile) folder = model != NULL ? g_file_get_parent (model) : NULL;
  g_autofree char *stem = weir_host_dup_stem (self->parent.host);
  g_autofree char *name = g_strconcat (stem, SUFFIX, NULL);

  if (!weir_studies_form_enter (self, TRUE))
    return;
  if (model == NULL)
    {
      weir_studies_page_say (self, _ ("Save the model first: a study names its model's file."));
      return;
    }
  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save Study"),
                                           .accept = _ ("_Save"),
                                           .kind = _ ("Studies"),
                                           .suffixes = { "weirstudy" },
                                           .file = self->file,
                                           .folder = folder,
                                           .name = self->file == NULL ? name : NULL },
                     file_chosen, self, NULL);
}

static void
save (WeirStudiesPage *self)
{
  if (self->file != NULL)
    save_to (self, self->file);
  else
    save_as (self);
}

/* --- What would be lost ----------------------------------------------------------------------- */

gboolean
weir_studies_files_has_unsaved (WeirPage *page)
{
  return is_changed (WEIR_STUDIES_PAGE (page));
}

/* What was to be done once nothing is lost by it. */
typedef struct {
  WeirStudiesPage *page;
  void (*then) (WeirStudiesPage *self, gpointer data);
  gpointer data;
  GDestroyNotify free;
} Question;

static void
question_free (gpointer data, G_GNUC_UNUSED GClosure *closure)
{
  Question *question = data;

  if (question->free != NULL)
    question->free (question->data);
  g_object_unref (question->page);
  g_free (question);
}

static gboolean
go_on (gpointer page)
{
  if (WEIR_PAGE (page)->host != NULL)
    weir_host_loss_settled (WEIR_PAGE (page)->host);
  return G_SOURCE_REMOVE;
}

static void
answered (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response, gpointer data)
{
  Question *question = data;
  WeirStudiesPage *self = question->page;

  if (self->parent.host == NULL || strcmp (response, "cancel") == 0
      || (strcmp (response, "save") == 0 && !save_to (self, self->file)))
    return;
  if (strcmp (response, "discard") == 0)
    take_file (self, NULL);
  question->then (self, question->data);
}

/* @free: (nullable) of @data. */
static void
ask (WeirStudiesPage *self, void (*then) (WeirStudiesPage *self, gpointer data), gpointer data,
     GDestroyNotify free)
{
  Question *question = g_new (Question, 1);
  g_autofree char *name = g_file_get_basename (self->file);
  GtkWidget *dialog = weir_save_question_new (weir_host_get_toplevel (self->parent.host),
                                              _ ("Save the Study?"), _ ("_Discard"));

  *question = (Question) { g_object_ref (self), then, data, free };
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  _ ("“%s” has changes that are not saved. Without saving "
                                     "they are lost."),
                                  name);
  g_signal_connect_data (dialog, "response", G_CALLBACK (answered), question, question_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
settle (WeirStudiesPage *self, G_GNUC_UNUSED gpointer data)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, go_on, g_object_ref (self), g_object_unref);
}

void
weir_studies_files_ask_about_loss (WeirPage *page)
{
  ask (WEIR_STUDIES_PAGE (page), settle, NULL, NULL);
}

/* --- Opening ---------------------------------------------------------------------------------- */

/* NULL: it has been told why. */
static WeirStudy *
read_study (WeirHost *host, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();
  WeirStudy *study = path != NULL ? weir_study_read_file (path, diagnostics) : NULL;
  g_autofree char *text = NULL;

  if (study != NULL)
    return study;
  if (weir_diagnostics_get_size (diagnostics) > 0)
    {
      const WeirDiagnostic *d = weir_diagnostics_get (diagnostics, 0);
      g_autofree char *line = d->line > 0 ? g_strdup_printf (":%d", d->line) : g_strdup ("");

      text = g_strdup_printf ("%s%s: %s", name, line, d->text);
    }
  else
    text = g_strdup_printf (_ ("“%s” is in no folder of this computer."), name);
  weir_host_set_banner (host, GTK_MESSAGE_ERROR, text);
  return NULL;
}

/* Where its model is shown. */
static void
show_study (WeirHost *host, GFile *file)
{
  WeirStudiesPage *self = weir_host_find (host, WEIR_TYPE_STUDIES_PAGE);
  WeirStudy *study = self != NULL ? read_study (host, file) : NULL;

  if (study == NULL)
    return;
  g_set_object (&self->file, file);
  weir_studies_form_set_draft (self, study);
  weir_studies_history_clear (self);
  weir_studies_page_preview (self);
  take_file (self, file);
  weir_host_show_model (host);
  weir_host_set_perspective (host, WEIR_PERSPECTIVE_MODEL);
  weir_host_show_page (host, "studies");
  weir_studies_page_say (self, study->title != NULL ? study->title : "");
}

static void
show_here (WeirStudiesPage *self, gpointer file)
{
  show_study (self->parent.host, file);
}

static void
model_opened (WeirHost *host, gboolean is_opened, gpointer file)
{
  if (is_opened)
    show_study (host, file);
}

static gboolean
is_same_file (GFile *a, GFile *b)
{
  return a != NULL && g_file_equal (a, b);
}

gboolean
weir_studies_files_open (WeirPage *page, GFile *file)
{
  WeirStudiesPage *self = WEIR_STUDIES_PAGE (page);
  g_autofree char *name = g_file_get_basename (file);
  g_autoptr (WeirStudy) study = NULL;
  g_autoptr (GFile) folder = NULL, model = NULL;

  if (name == NULL || !g_str_has_suffix (name, SUFFIX))
    return FALSE;
  study = read_study (page->host, file);
  if (study == NULL)
    return TRUE;
  folder = g_file_get_parent (file);
  model = g_path_is_absolute (study->model) ? g_file_new_for_path (study->model)
                                            : g_file_resolve_relative_path (folder, study->model);
  if (!is_same_file (weir_document_get_file (page->document), model))
    weir_host_open (page->host, model, FALSE, model_opened, g_object_ref (file), g_object_unref);
  else if (is_changed (self))
    ask (self, show_here, g_object_ref (file), g_object_unref);
  else
    show_study (page->host, file);
  return TRUE;
}

static void
open_chosen (gpointer page, GFile *file)
{
  weir_studies_files_open (page, file);
}

static void
choose_file (WeirStudiesPage *self)
{
  GFile *model = weir_document_get_file (self->parent.document);
  g_autoptr (GFile) folder = model != NULL ? g_file_get_parent (model) : NULL;

  weir_ask_for_file (self->parent.host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                           .title = _ ("Open Study"),
                                           .accept = _ ("_Open"),
                                           .kind = _ ("Studies"),
                                           .suffixes = { "weirstudy" },
                                           .folder = folder },
                     open_chosen, self, NULL);
}

static void
begin_anew (WeirStudiesPage *self, G_GNUC_UNUSED gpointer data)
{
  take_file (self, NULL);
  weir_studies_form_set_draft (self, weir_study_new ());
  weir_studies_history_clear (self);
  weir_studies_page_preview (self);
  weir_studies_form_offer_ports (self);
  weir_studies_page_say (self, _ ("Select a block and press Vary to choose what is varied."));
}

static void
new_study (WeirStudiesPage *self)
{
  if (is_changed (self))
    ask (self, begin_anew, NULL, NULL);
  else
    begin_anew (self, NULL);
}

/* --- Actions ---------------------------------------------------------------------------------- */

#define ACTION(name, call)                                                                         \
  static void name (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,            \
                    gpointer data)                                                                 \
  {                                                                                                \
    call (data);                                                                                   \
  }

ACTION (on_new, new_study)
ACTION (on_open, choose_file)
ACTION (on_save, save)
ACTION (on_save_as, save_as)

void
weir_studies_files_init (WeirStudiesPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "study-new", .activate = on_new },
    { .name = "study-open", .activate = on_open },
    { .name = "study-save", .activate = on_save },
    { .name = "study-save-as", .activate = on_save_as },
  };

  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  weir_studies_files_update_name (self);
}
