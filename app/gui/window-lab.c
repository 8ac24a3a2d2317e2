/* The correctness lab in the window: what its three tests found, and the search for the entries to blame, in a
 * thread of its own. Verification runs in the runner, the audit where dependencies are explained.
 */
#include <glib/gi18n-lib.h>

#include "gui/window-private.h"
#include "lab/lab-panel.h"

#define PROGRESS_MS 200

/* --- The search ----------------------------------------------------------------------------------- */

typedef struct {
  WeirModel *model; /* what was searched */
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  gint cancel;
} Search;

static void
search_free (gpointer data)
{
  Search *search = data;

  g_clear_pointer (&search->model, weir_model_unref);
  g_clear_pointer (&search->system, weir_system_unref);
  g_free (search);
}

static void
culprits_free (gpointer data)
{
  weir_culprits_clear (data);
  g_free (data);
}

static void
search_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                  G_GNUC_UNUSED GCancellable *cancellable)
{
  Search *search = data;
  WeirCulprits *result = g_new0 (WeirCulprits, 1);
  GError *error = NULL;

  if (weir_find_culprits (search->system, &search->options, search->stop_time, &search->cancel, result,
                          &error))
    g_task_return_pointer (task, result, culprits_free);
  else
    {
      g_free (result);
      g_task_return_error (task, error);
    }
}

static void
search_finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirWindow *self = WEIR_WINDOW (object);
  g_autoptr (GError) error = NULL;
  WeirCulprits *result = g_task_propagate_pointer (G_TASK (async_result), &error);
  Search *search = g_task_get_task_data (G_TASK (async_result));

  self->search_cancel = NULL;
  if (self->lab != NULL) /* else the window is gone */
    {
      WeirAspects changed = weir_model_compare (search->model, weir_document_get_model (self->document));

      weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_SEARCH, FALSE);
      if (result != NULL && (changed & ~(WeirAspects) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA)) == 0)
        weir_lab_panel_set_culprits (WEIR_LAB_PANEL (self->lab), result);
      else if (result == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        weir_window_toast (self, error->message);
    }
  g_clear_pointer (&result, culprits_free);
}

static void
search (WeirWindow *self, gboolean on)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Search *search;

  if (self->search_cancel != NULL)
    g_atomic_int_set (self->search_cancel, 1);
  if (!on || self->search_cancel != NULL)
    return;
  search = g_new0 (Search, 1);
  search->model = weir_model_ref (weir_document_get_model (self->document));
  search->system = weir_document_complete (self->document, &diagnostics);
  if (search->system == NULL)
    weir_window_toast (self, _ ("The model is not complete yet; see Problems."));
  else if (!weir_runner_read_settings (self->runner, &search->options, &search->stop_time, &error))
    weir_window_toast (self, error->message);
  else
    {
      task = g_task_new (self, NULL, search_finished, NULL);
      g_task_set_task_data (task, search, search_free);
      self->search_cancel = &search->cancel;
      weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_SEARCH, TRUE);
      g_task_run_in_thread (task, search_in_thread);
      return;
    }
  search_free (search);
}

/* --- The proof ------------------------------------------------------------------------------------ */

typedef struct {
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  gint cancel;
} Proof;

static void
proof_free (gpointer data)
{
  Proof *proof = data;

  weir_system_unref (proof->system);
  g_free (proof);
}

static void
confirmation_free (gpointer data)
{
  weir_confirmation_clear (data);
  g_free (data);
}

/* The audit is made anew: of the model as it is by now. */
static void
confirm_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                   G_GNUC_UNUSED GCancellable *cancellable)
{
  Proof *proof = data;
  WeirConfirmation *result = g_new0 (WeirConfirmation, 1);
  g_autoptr (GArray) corrections = NULL;
  WeirAuditResult audit;
  GError *error = NULL;

  if (weir_audit (proof->system, &proof->options, proof->stop_time, &proof->cancel, &audit, &error))
    {
      corrections = weir_list_corrections (proof->system, &audit);
      weir_audit_result_clear (&audit);
    }
  if (corrections != NULL
      && weir_confirm_corrections (proof->system, corrections, &proof->options, proof->stop_time, &proof->cancel,
                                   result, &error))
    {
      g_task_return_pointer (task, result, confirmation_free);
      return;
    }
  g_free (result);
  g_task_return_error (task, error);
}

static void
confirm_finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirWindow *self = WEIR_WINDOW (object);
  g_autoptr (GError) error = NULL;
  WeirConfirmation *result = g_task_propagate_pointer (G_TASK (async_result), &error);

  self->confirm_cancel = NULL;
  if (self->lab != NULL)
    {
      weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_CONFIRM, FALSE);
      if (result != NULL)
        weir_lab_panel_set_confirmed (WEIR_LAB_PANEL (self->lab), result);
      else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        weir_window_toast (self, error->message);
    }
  g_clear_pointer (&result, confirmation_free);
}

static void
confirm (WeirWindow *self, gboolean on)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (WeirSystem) system = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Proof *proof;

  if (self->confirm_cancel != NULL)
    g_atomic_int_set (self->confirm_cancel, 1);
  if (!on || self->confirm_cancel != NULL)
    return;
  system = weir_document_complete (self->document, &diagnostics);
  if (system == NULL)
    {
      weir_window_toast (self, _ ("The model is not complete yet; see Problems."));
      return;
    }
  proof = g_new0 (Proof, 1);
  proof->system = g_steal_pointer (&system);
  if (!weir_runner_read_settings (self->runner, &proof->options, &proof->stop_time, &error))
    {
      weir_window_toast (self, error->message);
      proof_free (proof);
      return;
    }
  task = g_task_new (self, NULL, confirm_finished, NULL);
  g_task_set_task_data (task, proof, proof_free);
  self->confirm_cancel = &proof->cancel;
  weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), WEIR_LAB_CONFIRM, TRUE);
  g_task_run_in_thread (task, confirm_in_thread);
}

/* --- Verification --------------------------------------------------------------------------------- */

static void
verify (WeirWindow *self, gboolean on)
{
  if (on)
    weir_runner_verify (self->runner);
  else
    weir_runner_cancel_verify (self->runner);
}

/* How far the lockstep has come, in the header bar: it ends at the first difference. */
static gboolean
show_progress (gpointer data)
{
  WeirWindow *self = data;
  g_autofree char *text
      = g_strdup_printf (_ ("Identical to %.0f %%"), 100 * weir_runner_get_verify_progress (self->runner));

  gtk_label_set_text (GTK_LABEL (self->verify_text), text);
  return G_SOURCE_CONTINUE;
}

static void
change_verify_runs (GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_runner_set_verifies_runs (WEIR_WINDOW (data)->runner, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

static void
verifying_changed (WeirWindow *self)
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
verified (WeirWindow *self, gboolean identical, const char *text)
{
  if (text == NULL || self->lab == NULL)
    return;
  weir_lab_panel_set_verified (WEIR_LAB_PANEL (self->lab), weir_runner_get_verify_result (self->runner),
                               weir_runner_get_verify_stack (self->runner, TRUE),
                               weir_runner_get_verify_stack (self->runner, FALSE));
  if (!identical)
    weir_window_show_page (self, "lab");
}

static void
document_changed (WeirWindow *self, guint aspects)
{
  if (self->lab != NULL && (aspects & ~(guint) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA)) != 0)
    weir_lab_panel_set_outdated (WEIR_LAB_PANEL (self->lab));
}

/* @path: of a block, or of an entry, "block:what". */
static void
go_to_path (WeirWindow *self, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ":", 2);
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), parts[0]);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- All of it ------------------------------------------------------------------------------------ */

void
weir_window_add_lab (WeirWindow *self)
{
  const GActionEntry entry = { .name = "verify-runs", .state = "false", .change_state = change_verify_runs };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
  g_signal_connect_swapped (self->lab, "verify", G_CALLBACK (verify), self);
  g_signal_connect_swapped (self->lab, "search", G_CALLBACK (search), self);
  g_signal_connect_swapped (self->lab, "audit", G_CALLBACK (weir_window_audit), self);
  g_signal_connect_swapped (self->lab, "confirm", G_CALLBACK (confirm), self);
  g_signal_connect_swapped (self->lab, "go-to", G_CALLBACK (go_to_path), self);
  g_signal_connect_object (self->runner, "notify::verifying", G_CALLBACK (verifying_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "verified", G_CALLBACK (verified), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
}

void
weir_window_remove_lab (WeirWindow *self)
{
  g_clear_handle_id (&self->verify_progress, g_source_remove);
  if (self->search_cancel != NULL)
    g_atomic_int_set (self->search_cancel, 1);
  if (self->confirm_cancel != NULL)
    g_atomic_int_set (self->confirm_cancel, 1);
  if (self->lab == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->lab, self);
  self->lab = NULL;
}
