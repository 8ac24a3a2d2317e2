/* Verification, which the runner makes, in the editor: the badge in the header bar, and its row of
 * the lab.
 */
#include <glib/gi18n-lib.h>

#include "gui/shell/editor-private.h"

#define PROGRESS_MS 200

static void
show_badge (WeirEditor *self, const char *icon, const char *text, const char *css_class)
{
  static const char *const classes[] = { "success", "error", "dim-label" };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (self->verify_button, classes[i]);
  if (css_class != NULL)
    gtk_widget_add_css_class (self->verify_button, css_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verify_icon), icon);
  gtk_label_set_text (GTK_LABEL (self->verify_text), text);
}

static void
describe_verify (WeirEditor *self)
{
  const char *action = weir_runner_is_verifying (self->runner)
                           ? _ ("Stop Verifying (Ctrl+Shift+E)")
                           : _ ("Verify: Run Cached Against Uncached (Ctrl+Shift+E)");
  g_autofree char *text = self->verify_result == NULL
                              ? g_strdup (action)
                              : g_strconcat (self->verify_result, "\n", action, NULL);

  gtk_widget_set_tooltip_text (self->verify_button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->verify_button),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* How far the lockstep has come, in the header bar: it ends at the first difference. */
static gboolean
show_progress (gpointer data)
{
  WeirEditor *self = data;
  g_autofree char *text = g_strdup_printf (_ ("Identical to %.0f %%"),
                                           100 * weir_runner_get_verify_progress (self->runner));

  gtk_label_set_text (GTK_LABEL (self->verify_text), text);
  weir_lab_panel_set_progress (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY, text);
  return G_SOURCE_CONTINUE;
}

static void
verifying_changed (WeirEditor *self)
{
  gboolean busy = weir_runner_is_verifying (self->runner);

  weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY, busy);
  g_clear_handle_id (&self->verify_progress, g_source_remove);
  if (busy)
    self->verify_progress = g_timeout_add (PROGRESS_MS, show_progress, self);
  gtk_widget_set_visible (self->verify_spinner, busy);
  gtk_widget_set_visible (self->verify_icon, !busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->verify_spinner), busy);
  if (busy)
    {
      g_clear_pointer (&self->verify_result, g_free);
      show_badge (self, "security-medium-symbolic", _ ("Verifying"), NULL);
    }
  else if (self->verify_result == NULL)
    show_badge (self, "security-medium-symbolic", _ ("Verify"), NULL);
  describe_verify (self);
}

/* What was found, in the lab. A difference opens it: the next steps are there. */
static void
show_result (WeirEditor *self, gboolean identical)
{
  weir_lab_panel_set_verified (WEIR_LAB_PANEL (self->lab),
                               weir_runner_get_verify_result (self->runner),
                               weir_runner_get_verify_stack (self->runner, TRUE),
                               weir_runner_get_verify_stack (self->runner, FALSE));
  if (identical)
    return;
  weir_editor_show_page (self, "lab");
  weir_lab_panel_reveal (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY);
}

/* @text is NULL when an edit has made the last result one of an earlier model. */
static void
verified (WeirEditor *self, gboolean identical, const char *text)
{
  g_autofree char *sentence = NULL;

  if (text == NULL)
    {
      sentence = g_strdup_printf (_ ("Before the last change: %s"), self->verify_result);
      show_badge (self, "view-refresh-symbolic", _ ("Out of Date"), NULL);
      weir_lab_panel_set_outdated (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY);
    }
  else
    {
      sentence = g_strdup_printf (_ ("Cached against uncached: %s"), text);
      if (identical)
        {
          show_badge (self, "emblem-ok-symbolic", _ ("Identical"), "success");
          if (!weir_runner_get_verifies_runs (self->runner)
              && !gtk_widget_get_mapped (self->lab)) /* which says the same */
            weir_editor_toast (self, sentence);
        }
      else
        {
          show_badge (self, "dialog-error-symbolic", _ ("Different"), "error");
          weir_editor_set_banner (self, GTK_MESSAGE_ERROR, sentence);
        }
      show_result (self, identical);
    }
  g_free (self->verify_result);
  self->verify_result = g_steal_pointer (&sentence);
  describe_verify (self);
}

static void
change_verify_runs (GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_runner_set_verifies_runs (WEIR_EDITOR (data)->runner, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

void
weir_editor_add_verify (WeirEditor *self)
{
  const GActionEntry entry = { .name = "verify-runs",
                               .state = "false",
                               .change_state = change_verify_runs };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
  g_signal_connect_swapped (self->runner, "notify::verifying", G_CALLBACK (verifying_changed),
                            self);
  g_signal_connect_swapped (self->runner, "verified", G_CALLBACK (verified), self);
  verifying_changed (self);
}

void
weir_editor_remove_verify (WeirEditor *self)
{
  g_clear_handle_id (&self->verify_progress, g_source_remove);
  g_clear_pointer (&self->verify_result, g_free);
  if (self->runner == NULL)
    return;
  weir_runner_set_verifies_runs (self->runner, FALSE);
  weir_runner_cancel_verify (self->runner);
}
