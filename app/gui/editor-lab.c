/* The correctness lab in the editor: verification, which the runner makes, and the studies. */
#include <glib/gi18n-lib.h>

#include "gui/study.h"
#include "lab/lab-panel.h"

#define PROGRESS_MS 200

static void
test_asked_for (WeirEditor *self, guint test, gboolean on)
{
  if (test != WEIR_LAB_VERIFY)
    weir_editor_study (self, test, on);
  else if (on)
    weir_runner_verify (self->runner);
  else
    weir_runner_cancel_verify (self->runner);
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
change_verify_runs (GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_runner_set_verifies_runs (WEIR_EDITOR (data)->runner, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

static void
verifying_changed (WeirEditor *self)
{
  g_clear_handle_id (&self->verify_progress, g_source_remove);
  if (self->lab != NULL && weir_runner_is_verifying (self->runner))
    self->verify_progress = g_timeout_add (PROGRESS_MS, show_progress, self);
  if (self->lab != NULL)
    weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY,
                             weir_runner_is_verifying (self->runner));
}

/* A difference opens the lab: the next steps are there. */
static void
verified (WeirEditor *self, gboolean identical, const char *text)
{
  if (self->lab == NULL)
    return;
  if (text == NULL)
    {
      weir_lab_panel_set_outdated (WEIR_LAB_PANEL (self->lab), WEIR_LAB_VERIFY);
      return;
    }
  weir_lab_panel_set_verified (WEIR_LAB_PANEL (self->lab),
                               weir_runner_get_verify_result (self->runner),
                               weir_runner_get_verify_stack (self->runner, TRUE),
                               weir_runner_get_verify_stack (self->runner, FALSE));
  if (!identical)
    weir_editor_show_page (self, "lab");
}

static void
document_changed (WeirEditor *self, guint aspects)
{
  if (self->lab != NULL && (aspects & ~(guint) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA)) != 0)
    for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
      weir_lab_panel_set_outdated (WEIR_LAB_PANEL (self->lab), (WeirLabTest) i);
}

void
weir_editor_go_to_path (WeirEditor *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ":", 2);
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), parts[0]);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_editor_add_lab (WeirEditor *self)
{
  const GActionEntry entry = { .name = "verify-runs",
                               .state = "false",
                               .change_state = change_verify_runs };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
  g_signal_connect_swapped (self->lab, "test", G_CALLBACK (test_asked_for), self);
  g_signal_connect_swapped (self->lab, "go-to", G_CALLBACK (weir_editor_go_to_path), self);
  g_signal_connect_object (self->runner, "notify::verifying", G_CALLBACK (verifying_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "verified", G_CALLBACK (verified), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

void
weir_editor_remove_lab (WeirEditor *self)
{
  g_clear_handle_id (&self->verify_progress, g_source_remove);
  weir_editor_stop_studies (self);
  if (self->lab == NULL)
    return;
  weir_runner_set_verifies_runs (self->runner, FALSE);
  weir_runner_cancel_verify (self->runner);
  g_signal_handlers_disconnect_by_data (self->lab, self);
  self->lab = NULL;
}
