/* After a crash: says what was kept, and opens it on request. Nothing is removed unasked. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/shell/editor-private.h"

/* What is open already, from the last time or because it was kept twice, comes back in its tab. */
static void
recover_all (WeirEditor *self, GPtrArray *found)
{
  GtkApplication *application = gtk_window_get_application (
      weir_host_get_toplevel (WEIR_HOST (self)));

  for (guint i = 0; i < found->len; i++)
    {
      WeirRecovery *recovery = g_ptr_array_index (found, i);
      WeirEditor *editor = recovery->origin != NULL
                               ? weir_window_find_file (application, recovery->origin, NULL)
                               : NULL;

      if (editor == NULL)
        editor = weir_editor_is_pristine (self) ? self : weir_window_add_beside (self);
      else
        weir_window_present (editor);
      weir_editor_recover (editor, recovery);
    }
}

static void
respond (AdwMessageDialog *dialog, const char *response, WeirEditor *self)
{
  GPtrArray *found = g_object_get_data (G_OBJECT (dialog), "weir-found");

  if (strcmp (response, "recover") == 0)
    recover_all (self, found);
  else if (strcmp (response, "discard") == 0)
    g_ptr_array_foreach (found, (GFunc) (void (*) (void)) weir_recovery_discard, NULL);
}

/* "pendulum.weir, kept at 14:03" */
static void
append_line (GString *text, const WeirRecovery *recovery)
{
  g_autofree char *name = recovery->origin != NULL ? g_file_get_basename (recovery->origin)
                                                   : g_strdup (_ ("A model without a file"));
  g_autofree char *time = g_date_time_format (recovery->time, "%x %X");

  g_string_append_printf (text, "\n• %s, %s", name, time);
}

void
weir_editor_offer_recovery (WeirEditor *self)
{
  g_autoptr (GPtrArray) found = weir_recovery_list ();
  g_autoptr (GString) body = NULL;
  GtkWidget *dialog;

  if (found->len == 0)
    return;
  body = g_string_new (
      ngettext ("Weir ended unexpectedly. The changes of one model were kept:",
                "Weir ended unexpectedly. The changes of these models were kept:", found->len));
  for (guint i = 0; i < found->len; i++)
    append_line (body, g_ptr_array_index (found, i));
  dialog = adw_message_dialog_new (weir_host_get_toplevel (WEIR_HOST (self)),
                                   _ ("Recover Unsaved Changes?"), body->str);
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "later", _ ("_Not Now"), "discard",
                                    _ ("_Discard"), "recover", _ ("_Recover"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard",
                                              ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "recover",
                                              ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "recover");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "later");
  g_object_set_data_full (G_OBJECT (dialog), "weir-found", g_steal_pointer (&found),
                          (GDestroyNotify) g_ptr_array_unref);
  g_signal_connect_object (dialog, "response", G_CALLBACK (respond), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
