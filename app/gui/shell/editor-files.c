/* Opening, saving, and not losing anything. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/error.h"
#include "gui/shell/open-files.h"
#include "gui/host/chooser.h"
#include "gui/shell/editor-private.h"
#include "gui/host/page.h"
#include "model/files/xml.h"

/* --- Opening --------------------------------------------------------------------------------- */

/* Now rather than when the program ends, which may never be told. */
static void
remember (WeirEditor *self, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  gtk_recent_manager_add_item (gtk_recent_manager_get_default (), uri);
  weir_window_note_files (gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (self))));
}

/* What could not be read is listed; nothing here has changed. */
static void
show_refused (WeirEditor *self, GFile *file, WeirDiagnostics *diagnostics)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *text = g_strdup_printf (
      _ ("“%s” was not opened; its problems are listed below. Nothing here has changed."), name);

  gtk_stack_set_visible_child_name (GTK_STACK (self->content), "editor");
  g_clear_handle_id (&self->check, g_source_remove);
  weir_host_tell_problems (WEIR_HOST (self), diagnostics, TRUE);
  weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_ERROR, text);
}

/* Everything of the new model in view. */
static void
show_model (WeirEditor *self)
{
  gtk_stack_set_visible_child_name (GTK_STACK (self->content), "editor");
  weir_canvas_set_place (self->canvas, WEIR_PLACE_ROOT);
  gtk_widget_activate_action (GTK_WIDGET (self->canvas), "canvas.zoom-fit", NULL);
}

static void
opened (WeirEditor *self, GFile *file)
{
  remember (self, file);
  weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO, NULL);
  show_model (self);
}

gboolean
weir_editor_open (WeirEditor *self, GFile *file)
{
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  g_return_val_if_fail (WEIR_IS_EDITOR (self), FALSE);

  weir_editor_make_pages (self);
  weir_editor_cancel_opening (self);
  if (!weir_document_load (self->document, file, diagnostics))
    {
      show_refused (self, file, diagnostics);
      return FALSE;
    }
  opened (self, file);
  return TRUE;
}

/* --- Opening beside the main thread ---------------------------------------------------------- */

#define PROGRESS_MS                                                                                \
  150 /* before a file that takes long tells how far it is, and between tellings */

struct _WeirOpening {
  WeirEditor *editor; /* NULL once it has no use for the file any more */
  GFile *file;
  void (*taken) (WeirEditor *editor, GFile *file); /* what follows where it was read */
  WeirHostThen then;                               /* what follows in any case; or NULL */
  gpointer data;                                   /* of that */
  GDestroyNotify free;                             /* of that; nullable */
  GCancellable *cancellable;
  gint progress; /* atomic: thousandths that are read */
  guint timer;
};

typedef struct _WeirOpening WeirOpening;

/* Meanwhile nothing is edited here: it would be lost. */
static void
set_editable (WeirEditor *self, gboolean editable)
{
  gtk_widget_set_sensitive (GTK_WIDGET (self->canvas), editable);
  gtk_widget_set_sensitive (self->right, editable);
}

static gboolean
tell_progress (gpointer data)
{
  WeirOpening *opening = data;
  g_autofree char *name = g_file_get_basename (opening->file);
  g_autofree char *text = g_strdup_printf (_ ("Opening “%s”: %d %%"), name,
                                           g_atomic_int_get (&opening->progress) / 10);

  gtk_stack_set_visible_child_name (GTK_STACK (opening->editor->content), "editor");
  set_editable (opening->editor, FALSE);
  weir_host_set_offer (WEIR_HOST (opening->editor), GTK_MESSAGE_INFO, text, _ ("_Cancel"),
                       "win.cancel-opening");
  return G_SOURCE_CONTINUE;
}

/* The editor goes its own way. */
static void
leave_opening (WeirOpening *opening)
{
  g_clear_handle_id (&opening->timer, g_source_remove);
  set_editable (opening->editor, TRUE);
  opening->editor->opening = NULL;
  opening->editor = NULL;
}

static void
opening_ended (GObject *document, GAsyncResult *result, gpointer data)
{
  WeirOpening *opening = data;
  WeirEditor *editor = opening->editor;
  g_autoptr (WeirDiagnostics) diagnostics = weir_diagnostics_new ();

  if (editor != NULL)
    {
      gboolean is_read = weir_document_load_finish (WEIR_DOCUMENT (document), result, diagnostics);

      leave_opening (opening);
      weir_host_set_banner (WEIR_HOST (editor), GTK_MESSAGE_INFO, NULL);
      if (is_read)
        opening->taken (editor, opening->file);
      else if (weir_diagnostics_get_size (diagnostics) > 0)
        show_refused (editor, opening->file, diagnostics);
      if (opening->then != NULL)
        opening->then (WEIR_HOST (editor), is_read, opening->data);
    }
  if (opening->free != NULL)
    opening->free (opening->data);
  g_object_unref (opening->file);
  g_object_unref (opening->cancellable);
  g_free (opening);
}

/* The newest counts. */
static WeirOpening *
begin_opening (WeirEditor *self, GFile *file, void (*taken) (WeirEditor *self, GFile *file))
{
  WeirOpening *opening = g_new0 (WeirOpening, 1);

  weir_editor_make_pages (self);
  weir_editor_cancel_opening (self);
  opening->editor = self;
  opening->file = g_object_ref (file);
  opening->taken = taken;
  opening->cancellable = g_cancellable_new ();
  opening->timer = g_timeout_add (PROGRESS_MS, tell_progress, opening);
  self->opening = opening;
  return opening;
}

static void
open_in_thread (WeirEditor *self, GFile *file, WeirHostThen then, gpointer data,
                GDestroyNotify free_data)
{
  WeirOpening *opening = begin_opening (self, file, opened);

  opening->then = then;
  opening->data = data;
  opening->free = free_data;
  weir_document_load_async (self->document, file, opening->cancellable, &opening->progress,
                            opening_ended, opening);
}

GFile *
weir_editor_get_opening (WeirEditor *self)
{
  return self->opening != NULL ? self->opening->file : NULL;
}

void
weir_editor_cancel_opening (WeirEditor *self)
{
  if (self->opening == NULL)
    return;
  g_cancellable_cancel (self->opening->cancellable);
  if (self->canvas != NULL)
    weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO, NULL);
  leave_opening (self->opening);
}

static void
reloaded (WeirEditor *self, G_GNUC_UNUSED GFile *file)
{
  weir_host_toast (WEIR_HOST (self), _ ("Reloaded; Undo gives back what was here"));
}

void
weir_editor_reload (WeirEditor *self)
{
  GFile *file = weir_document_get_file (self->document);
  WeirOpening *opening;

  if (file == NULL)
    return;
  opening = begin_opening (self, file, reloaded);
  weir_document_reload_async (self->document, _ ("Reload"), opening->cancellable,
                              &opening->progress, opening_ended, opening);
}

static void
began_from_template (WeirEditor *self, G_GNUC_UNUSED GFile *file)
{
  weir_host_end_building (WEIR_HOST (self));
  show_model (self);
}

static void
open_template_here (WeirEditor *self, GFile *file, WeirHostThen then, gpointer data,
                    GDestroyNotify free_data)
{
  WeirOpening *opening = begin_opening (self, file, began_from_template);

  opening->then = then;
  opening->data = data;
  opening->free = free_data;
  weir_document_load_template_async (self->document, file, opening->cancellable, &opening->progress,
                                     opening_ended, opening);
}

/* A tab that is being made for a template. */
typedef struct {
  GWeakRef beside;      /* the tab beside which it comes */
  WeirEditor *editor;   /* its own */
  gboolean is_attached; /* it is a tab of the window, not shown yet */
  GFile *file;
  WeirHostThen then;
  gpointer data;
  GDestroyNotify free;
} Coming;

static void
coming_free (gpointer data)
{
  Coming *coming = data;

  if (coming->free != NULL)
    coming->free (coming->data);
  g_weak_ref_clear (&coming->beside);
  g_object_unref (coming->editor);
  g_object_unref (coming->file);
  g_free (coming);
}

/* A page at a time, then its tab, then what is shown: the window is not kept waiting for all of
 * them. */
static gboolean
make_coming (gpointer data)
{
  Coming *coming = data;
  g_autoptr (WeirEditor) beside = g_weak_ref_get (&coming->beside);

  if (beside == NULL || gtk_widget_get_root (GTK_WIDGET (beside)) == NULL) /* closed meanwhile */
    return G_SOURCE_REMOVE;
  if (weir_editor_make_next_page (coming->editor))
    return G_SOURCE_CONTINUE;
  if (!coming->editor->has_pages)
    {
      weir_editor_make_pages (coming->editor);
      return G_SOURCE_CONTINUE;
    }
  if (!coming->is_attached)
    {
      weir_window_attach_beside (beside, coming->editor);
      coming->is_attached = TRUE;
      return G_SOURCE_CONTINUE;
    }
  if (gtk_widget_get_root (GTK_WIDGET (coming->editor)) == NULL) /* closed again */
    return G_SOURCE_REMOVE;
  weir_window_present (coming->editor);
  gtk_widget_grab_focus (GTK_WIDGET (coming->editor->canvas));
  open_template_here (coming->editor, coming->file, coming->then, coming->data,
                      g_steal_pointer (&coming->free));
  return G_SOURCE_REMOVE;
}

void
weir_editor_open_template (WeirEditor *self, GFile *file, WeirHostThen then, gpointer data,
                           GDestroyNotify free_data)
{
  Coming *coming;

  if (weir_editor_is_pristine (self))
    {
      open_template_here (self, file, then, data, free_data);
      return;
    }
  coming = g_new0 (Coming, 1);
  g_weak_ref_init (&coming->beside, self);
  coming->editor = g_object_ref_sink (weir_editor_new_without_pages ());
  coming->file = g_object_ref (file);
  coming->then = then;
  coming->data = data;
  coming->free = free_data;
  g_idle_add_full (GDK_PRIORITY_REDRAW, make_coming, coming, coming_free);
}

WeirEditor *
weir_editor_open_model (WeirEditor *self, WeirModel *model)
{
  WeirEditor *there = weir_window_add_beside (self, weir_editor_new ());

  weir_document_begin (there->document, model);
  began_from_template (there, NULL);
  return there;
}

static void
recovered (WeirEditor *self, G_GNUC_UNUSED GFile *file)
{
  weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_INFO,
                        _ ("These changes were recovered and are not saved yet. Undo shows "
                           "the model as it was saved."));
  show_model (self);
}

void
weir_editor_recover (WeirEditor *self, WeirRecovery *recovery, WeirHostThen then, gpointer data,
                     GDestroyNotify free_data)
{
  WeirOpening *opening = begin_opening (self, recovery->kept, recovered);

  opening->then = then;
  opening->data = data;
  opening->free = free_data;
  weir_document_recover_async (self->document, recovery, _ ("Recovery"), opening->cancellable,
                               &opening->progress, opening_ended, opening);
}

void
weir_editor_open_beside (WeirEditor *self, GFile *file)
{
  WeirEditor *there;

  weir_editor_make_pages (self);
  for (guint i = 0; i < self->pages->len; i++)
    if (WEIR_PAGE_GET_CLASS (self->pages->pdata[i])->open != NULL
        && WEIR_PAGE_GET_CLASS (self->pages->pdata[i])->open (self->pages->pdata[i], file))
      return;
  there = weir_window_find_file (
      gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (self))), file, NULL);

  if (there != NULL)
    {
      if (weir_editor_get_opening (there) == NULL)
        remember (self, file);
      weir_window_present (there);
    }
  else
    open_in_thread (
        weir_editor_is_pristine (self) ? self : weir_window_add_beside (self, weir_editor_new ()),
        file, NULL, NULL, NULL);
}

/* Where the file is open already, as it is saved. FALSE: it is nowhere. */
static gboolean
go_to_open (WeirEditor *self, GFile *file, WeirHostThen then, gpointer data)
{
  WeirEditor *there = weir_window_find_file (
      gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (self))), file, NULL);

  if (there == NULL || there->opening != NULL || weir_document_get_modified (there->document))
    return FALSE;
  weir_window_present (there);
  if (then != NULL)
    then (WEIR_HOST (there), TRUE, data);
  return TRUE;
}

void
weir_editor_open_for (WeirEditor *self, GFile *file, gboolean as_template, WeirHostThen then,
                      gpointer data, GDestroyNotify free_data)
{
  if (as_template)
    {
      weir_editor_open_template (self, file, then, data, free_data);
      return;
    }
  if (go_to_open (self, file, then, data))
    {
      if (free_data != NULL)
        free_data (data);
      return;
    }
  if (!weir_editor_is_pristine (self))
    {
      self = weir_window_add_beside (self, weir_editor_new ());
      weir_window_present (self);
    }
  open_in_thread (self, file, then, data, free_data);
}

static void
open_chosen (gpointer data, GFile *file)
{
  weir_editor_open_beside (data, file);
}

void
weir_editor_choose_file (WeirEditor *self)
{
  static const char *const structures[] = { "ssp", "ssd", "xml", NULL };
  static const char *const studies[] = { "weirstudy", NULL };
  const WeirFileFilter kinds[] = { { _ ("Systems of FMUs: SSP, OSP"), structures },
                                   { _ ("Studies"), studies },
                                   { NULL, NULL } };

  weir_ask_for_file (WEIR_HOST (self),
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                           .title = _ ("Open Model"),
                                           .accept = _ ("_Open"),
                                           .kind = _ ("Weir models"),
                                           .suffixes = { "weir" },
                                           .kinds = kinds },
                     open_chosen, self, NULL);
}

/* --- Saving ---------------------------------------------------------------------------------- */

typedef void (*Then) (WeirEditor *self);

static void
tell_not_saved (WeirEditor *self, const char *why)
{
  GtkWidget *dialog = adw_message_dialog_new (weir_host_get_toplevel (WEIR_HOST (self)),
                                              _ ("The Model Is Not Saved"), why);

  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "close", _ ("_Close"));
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
write_to (WeirEditor *self, GFile *file, Then then)
{
  g_autoptr (GError) error = NULL;
  GtkWindow *toplevel = weir_host_get_toplevel (WEIR_HOST (self));

  if (weir_window_find_file (gtk_window_get_application (toplevel), file, self) != NULL)
    {
      g_autofree char *name = g_file_get_basename (file);
      g_autofree char *text = g_strdup_printf (
          _ ("“%s” is open in another tab. Close that tab, or save under another name."), name);

      tell_not_saved (self, text);
    }
  else if (weir_document_save (self->document, file, &error))
    {
      remember (self, file);
      weir_editor_note_saved (self);
      weir_host_toast (WEIR_HOST (self), _ ("Saved"));
      if (then != NULL)
        then (self);
    }
  else
    tell_not_saved (self, weir_error_say (error));
}

static void
replace_response (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response, WeirEditor *self)
{
  if (strcmp (response, "replace") == 0)
    write_to (self, weir_document_get_file (self->document), self->then);
}

/* Another program's changes are not replaced unasked. */
static void
save_to (WeirEditor *self, GFile *file, Then then)
{
  GFile *own = weir_document_get_file (self->document);
  GtkWidget *dialog;
  g_autofree char *name = NULL;

  if (own == NULL || !g_file_equal (own, file) || !weir_document_is_file_changed (self->document))
    {
      write_to (self, file, then);
      return;
    }
  name = g_file_get_basename (file);
  dialog = adw_message_dialog_new (weir_host_get_toplevel (WEIR_HOST (self)),
                                   _ ("Replace the Changed File?"), NULL);
  adw_message_dialog_format_body (ADW_MESSAGE_DIALOG (dialog),
                                  _ ("Another program has changed “%s” since it was opened here. "
                                     "Saving replaces those changes."),
                                  name);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "replace",
                                    _ ("_Replace"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "replace",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  self->then = then;
  g_signal_connect_object (dialog, "response", G_CALLBACK (replace_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* A name typed without a suffix gets ours, unless a file is there that nobody was asked about. */
static GFile *
with_suffix (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  g_autofree char *longer = g_strconcat (name, ".weir", NULL);
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GFile) other = folder == NULL ? NULL : g_file_get_child (folder, longer);

  if (strchr (name, '.') != NULL || other == NULL || g_file_query_exists (other, NULL)
      || g_file_query_exists (file, NULL))
    return g_object_ref (file);
  return g_steal_pointer (&other);
}

static void
save_as (gpointer data, GFile *file)
{
  WeirEditor *self = data;
  g_autoptr (GFile) target = with_suffix (file);

  save_to (self, target, self->then);
}

static void
save_copy_as (gpointer data, GFile *file)
{
  WeirEditor *self = data;
  g_autoptr (GFile) target = with_suffix (file);

  weir_editor_save_copy_to (self, target);
}

gboolean
weir_editor_save_copy_to (WeirEditor *self, GFile *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_file_get_basename (file), *text = NULL;

  if (!weir_model_write_file (weir_document_get_model (self->document), file, &error))
    {
      text = g_strdup_printf (_ ("The copy was not saved: %s"), weir_error_say (error));
      weir_host_set_banner (WEIR_HOST (self), GTK_MESSAGE_ERROR, text);
      return FALSE;
    }
  text = g_strdup_printf (_ ("Copy saved as %s"), name);
  weir_host_toast (WEIR_HOST (self), text);
  return TRUE;
}

void
weir_editor_save_copy (WeirEditor *self)
{
  g_autofree char *title = NULL, *name = NULL;

  g_object_get (self->document, "title", &title, NULL);
  name = g_strdup_printf (_ ("%s (copy).weir"), title);
  weir_ask_for_file (WEIR_HOST (self),
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save a Copy"),
                                           .accept = _ ("_Save"),
                                           .kind = _ ("Weir models"),
                                           .suffixes = { "weir" },
                                           .name = name },
                     save_copy_as, self, NULL);
}

void
weir_editor_save (WeirEditor *self, gboolean as, Then then)
{
  GFile *file = weir_document_get_file (self->document);

  if (file != NULL && !as)
    {
      save_to (self, file, then);
      return;
    }
  self->then = then;
  weir_ask_for_file (WEIR_HOST (self),
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save Model"),
                                           .accept = _ ("_Save"),
                                           .kind = _ ("Weir models"),
                                           .suffixes = { "weir" },
                                           .file = file,
                                           .name = file == NULL ? _ ("Untitled.weir") : NULL },
                     save_as, self, NULL);
}

/* --- Closing --------------------------------------------------------------------------------- */

static gboolean
go_on (gpointer data)
{
  WeirEditor *self = data;

  self->then (self);
  return G_SOURCE_REMOVE;
}

static gboolean
save_and_go_on (gpointer data)
{
  WeirEditor *self = data;

  weir_editor_save (self, FALSE, self->then);
  return G_SOURCE_REMOVE;
}

/* What follows may destroy the window and the dialog with it, so it waits until the dialog is
 * through. */
static void
loss_response (G_GNUC_UNUSED AdwMessageDialog *dialog, const char *response, WeirEditor *self)
{
  if (strcmp (response, "discard") == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, go_on, g_object_ref (self), g_object_unref);
  else if (strcmp (response, "save") == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, save_and_go_on, g_object_ref (self), g_object_unref);
}

/* A page with something of its own that is not saved, or NULL. */
static WeirPage *
find_unsaved (WeirEditor *self)
{
  for (guint i = 0; i < self->pages->len; i++)
    {
      WeirPage *page = self->pages->pdata[i];

      if (WEIR_PAGE_GET_CLASS (page)->has_unsaved != NULL
          && WEIR_PAGE_GET_CLASS (page)->has_unsaved (page))
        return page;
    }
  return NULL;
}

gboolean
weir_editor_has_unsaved (WeirEditor *self)
{
  weir_host_enter_typed (WEIR_HOST (self)); /* it would be lost too */
  weir_document_look_at_file (self->document);
  return weir_document_get_modified (self->document) || find_unsaved (self) != NULL;
}

gboolean
weir_editor_confirm_loss (WeirEditor *self, Then then)
{
  GtkWidget *dialog;
  g_autofree char *title = weir_editor_dup_name (self);
  WeirPage *page = find_unsaved (self);

  if (page != NULL)
    {
      self->then = then;
      WEIR_PAGE_GET_CLASS (page)->ask_about_loss (page);
      return FALSE;
    }
  if (!weir_editor_has_unsaved (self))
    return TRUE;
  dialog = weir_save_question_new (weir_host_get_toplevel (WEIR_HOST (self)), _ ("Save Changes?"),
                                   _ ("_Discard"));
  adw_message_dialog_format_body (
      ADW_MESSAGE_DIALOG (dialog),
      weir_document_is_file_gone (self->document)
          ? _ ("“%s” is no longer where it was saved. Without saving it "
               "again the model is lost.")
          : _ ("“%s” has changes that are not saved. Without saving "
               "they are lost."),
      title);
  self->then = then;
  g_signal_connect_object (dialog, "response", G_CALLBACK (loss_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return FALSE;
}
