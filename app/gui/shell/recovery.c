/* After a crash: says what was kept, and opens it on request. Nothing is removed unasked. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "gui/shell/editor-private.h"

/* What comes back, one after the other. */
typedef struct {
  GPtrArray *found; /* WeirRecovery */
  guint next;
} Recovering;

static void
recovering_free (gpointer data)
{
  g_ptr_array_unref (((Recovering *) data)->found);
  g_free (data);
}

/* What is open already, from the last time or because it was kept twice, comes back in its tab:
 * hence not all at once. A tab that is closed meanwhile leaves the rest for the next start. */
static void
recover_next (WeirHost *host, G_GNUC_UNUSED gboolean is_recovered, gpointer data)
{
  WeirEditor *self = WEIR_EDITOR (host), *editor;
  GtkApplication *application = gtk_window_get_application (weir_host_get_toplevel (host));
  const Recovering *before = data;
  Recovering *rest;
  WeirRecovery *recovery;

  if (before->next == before->found->len)
    return;
  recovery = before->found->pdata[before->next];
  editor = recovery->origin != NULL ? weir_window_find_file (application, recovery->origin, NULL)
                                    : NULL;
  if (editor == NULL)
    editor = weir_editor_is_pristine (self) ? self
                                            : weir_window_add_beside (self, weir_editor_new ());
  else
    weir_window_present (editor);
  rest = g_new (Recovering, 1);
  *rest = (Recovering) { g_ptr_array_ref (before->found), before->next + 1 };
  weir_editor_recover (editor, recovery, recover_next, rest, recovering_free);
}

static void
respond (AdwMessageDialog *dialog, const char *response, WeirEditor *self)
{
  GPtrArray *found = g_object_get_data (G_OBJECT (dialog), "weir-found");

  if (strcmp (response, "recover") == 0)
    {
      Recovering all = { found, 0 };

      recover_next (WEIR_HOST (self), TRUE, &all);
    }
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
