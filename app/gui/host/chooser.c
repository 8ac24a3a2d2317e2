/* Asking the user for a file, and whether to save. See chooser.h. */
#include "gui/host/chooser.h"

#include <glib/gi18n-lib.h>

#define KEY "weir-chooser" /* the one that is open, owned by the host */

typedef struct {
  WeirHost *host; /* owns the chooser, and so outlives it */
  void (*answer) (gpointer data, GFile *file);
  gpointer data;
  GDestroyNotify free;
} Asked;

static void
asked_free (gpointer data, G_GNUC_UNUSED GClosure *closure)
{
  Asked *asked = data;

  if (asked->free != NULL)
    asked->free (asked->data);
  g_free (asked);
}

static void
respond (GtkNativeDialog *dialog, int response, gpointer data)
{
  Asked asked = *(const Asked *) data;
  g_autoptr (GtkNativeDialog) kept = g_object_ref (dialog); /* and what it is asked with */
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  g_object_set_data (G_OBJECT (asked.host), KEY, NULL);
  if (file != NULL)
    asked.answer (asked.data, file);
}

void
weir_ask_for_file (WeirHost *host, const WeirFileQuestion *question,
                   void (*answer) (gpointer data, GFile *file), gpointer data, GDestroyNotify free)
{
  g_autoptr (GtkFileChooserNative)
      native = gtk_file_chooser_native_new (question->title, weir_host_get_toplevel (host),
                                            question->action, question->accept, _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (native);
  Asked *asked = g_new (Asked, 1);

  if (question->kind != NULL)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

      gtk_file_filter_set_name (filter, question->kind);
      for (guint i = 0; i < G_N_ELEMENTS (question->suffixes) && question->suffixes[i] != NULL; i++)
        gtk_file_filter_add_suffix (filter, question->suffixes[i]);
      gtk_file_chooser_add_filter (chooser, filter);
    }
  for (const WeirFileFilter *kind = question->kinds; kind != NULL && kind->title != NULL; kind++)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();

      gtk_file_filter_set_name (filter, kind->title);
      for (guint i = 0; kind->suffixes[i] != NULL; i++)
        gtk_file_filter_add_suffix (filter, kind->suffixes[i]);
      gtk_file_chooser_add_filter (chooser, filter);
    }
  if (question->file != NULL)
    gtk_file_chooser_set_file (chooser, question->file, NULL);
  if (question->folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, question->folder, NULL);
  if (question->name != NULL)
    gtk_file_chooser_set_current_name (chooser, question->name);
  *asked = (Asked) { host, answer, data, free };
  g_signal_connect_data (native, "response", G_CALLBACK (respond), asked, asked_free, 0);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (native), TRUE);
  g_object_set_data_full (G_OBJECT (host), KEY, g_object_ref (native), g_object_unref);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (native));
}

GtkWidget *
weir_save_question_new (GtkWindow *parent, const char *heading, const char *discard)
{
  GtkWidget *dialog = adw_message_dialog_new (parent, heading, NULL);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _ ("_Cancel"), "discard",
                                    discard, "save", _ ("_Save"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "save",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "save");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  return dialog;
}
