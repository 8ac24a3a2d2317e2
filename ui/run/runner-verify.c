/* Verification in WeirRunner: the model, or a run with all that is done to it, cached against
 * uncached in a thread of its own. At most one goes on; a run that begins meanwhile stops it and is
 * verified in its place. See runner.h.
 */
#include "run/runner-private.h"

#include <glib/gi18n-lib.h>

#include "analysis/lockstep.h"
#include "analysis/request-chain.h"
#include "base/error.h"
#include "model/completion/completion.h"
#include "sim/journal.h"

/* The data of its task. */
struct _WeirVerification {
  WeirModel *model;
  WeirSystem *system;         /* NULL: the model is to be completed, ... */
  WeirCompletion *completion; /* ... which gave this */
  WeirSimulatorOptions options;
  double stop_time;
  WeirJournal *journal; /* of the run that is followed, or NULL */
  gint cancel, progress;
  char *chains[2]; /* found with a difference */
};

/* --- In the thread --------------------------------------------------------------------------- */

static void
verification_free (gpointer data)
{
  WeirVerification *verification = data;

  weir_model_unref (verification->model);
  g_clear_pointer (&verification->system, weir_system_unref);
  g_clear_pointer (&verification->completion, weir_completion_unref);
  g_clear_pointer (&verification->journal, weir_journal_unref);
  g_free (verification->chains[0]);
  g_free (verification->chains[1]);
  g_free (verification);
}

static void
result_free (gpointer data)
{
  weir_verify_result_clear (data);
  g_free (data);
}

static void
find_chains (WeirVerification *self, const WeirVerifyResult *result)
{
  WeirDifferenceChains chains;
  WeirLayout *layout = weir_system_get_layout (self->system);

  if (!weir_find_difference_chains (self->system, &self->options, self->stop_time, self->journal,
                                    result, &self->cancel, &chains, NULL))
    return;
  self->chains[0] = weir_request_chain_to_string (&chains.uncached, layout);
  self->chains[1] = weir_request_chain_to_string (&chains.cached, layout);
  weir_difference_chains_clear (&chains);
}

/* FALSE without an error: the completion says why. */
static gboolean
complete (WeirVerification *self)
{
  WeirSystem *system;

  if (self->system != NULL)
    return TRUE;
  self->completion = weir_model_get_derived (self->model, &weir_derived_completion);
  system = weir_completion_get_system (self->completion);
  self->system = system != NULL ? weir_system_ref (system) : NULL;
  return system != NULL;
}

static void
verify_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                  G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirVerification *verification = data;
  WeirVerifyResult *result = g_new0 (WeirVerifyResult, 1);
  GError *error = NULL;

  if (complete (verification)
      && weir_runner_read_model_settings (verification->model, &verification->options,
                                          &verification->stop_time, &error)
      && weir_verify_beside (verification->system, &verification->options, verification->stop_time,
                             verification->journal, &verification->cancel, &verification->progress,
                             result, &error))
    {
      if (!result->identical)
        find_chains (verification, result);
      g_task_return_pointer (task, result, result_free);
      return;
    }
  g_free (result);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, NULL, NULL);
}

/* --- What was found -------------------------------------------------------------------------- */

static void
clear_result (WeirRunner *self)
{
  g_clear_pointer (&self->result, result_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->chains); i++)
    g_clear_pointer (&self->chains[i], g_free);
}

static void
tell_outdated (WeirRunner *self)
{
  self->is_result_told = FALSE;
  g_signal_emit_by_name (self, "verified", FALSE, NULL);
}

/* @result: (transfer full). */
static void
take_result (WeirRunner *self, WeirVerifyResult *result, WeirVerification *verification)
{
  g_autofree char *text = weir_verify_result_to_string (result);

  clear_result (self);
  self->result = result;
  for (guint i = 0; i < G_N_ELEMENTS (self->chains); i++)
    self->chains[i] = g_steal_pointer (&verification->chains[i]);
  self->is_result_told = TRUE;
  g_signal_emit_by_name (self, "verified", result->identical, text);
  if (self->edited_meanwhile)
    tell_outdated (self);
}

static void
verify_finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirRunner *self = WEIR_RUNNER (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  WeirVerification *verification = g_task_get_task_data (G_TASK (async_result));
  WeirVerifyResult *result = g_task_propagate_pointer (G_TASK (async_result), &error);

  self->verification = NULL;
  g_object_notify (object, "verifying");
  if (verification->completion != NULL && self->document != NULL)
    {
      weir_document_keep_completion (self->document, verification->model);
      weir_document_show_completion (self->document, verification->completion, NULL, &diagnostics);
      g_signal_emit_by_name (self, "problems", diagnostics);
    }
  if (result != NULL)
    take_result (self, result, verification);
  else if (error == NULL)
    weir_runner_tell (self, _ ("The model cannot run yet; see Problems."));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    weir_runner_tell (self, weir_error_say (error));
  if (self->verifies_again && self->session != NULL)
    weir_runner_verify_beside (self);
}

const WeirVerifyResult *
weir_runner_get_verify_result (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);
  return self->result;
}

const char *
weir_runner_get_verify_chain (WeirRunner *self, gboolean cached)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);
  return self->chains[cached ? 1 : 0];
}

/* --- Beginning and ending -------------------------------------------------------------------- */

/* Of a run of @system, which @model completes to; NULL: it is to. @journal: (nullable) of the run
 * to follow. */
static void
begin (WeirRunner *self, WeirModel *model, WeirSystem *system, WeirJournal *journal)
{
  g_autoptr (GTask) task = NULL;
  WeirVerification *verification = g_new0 (WeirVerification, 1);

  verification->model = weir_model_ref (model);
  verification->system = system != NULL ? weir_system_ref (system) : NULL;
  verification->journal = journal != NULL ? weir_journal_ref (journal) : NULL;
  task = g_task_new (self, NULL, verify_finished, NULL);
  g_task_set_task_data (task, verification, verification_free);
  self->verification = verification;
  self->is_following = journal != NULL;
  self->edited_meanwhile = self->is_following && weir_runner_has_other_structure (self);
  clear_result (self);
  g_task_run_in_thread (task, verify_in_thread);
  g_object_notify (G_OBJECT (self), "verifying");
}

void
weir_runner_verify (WeirRunner *self)
{
  WeirModel *model;

  g_return_if_fail (WEIR_IS_RUNNER (self));

  if (self->verification != NULL)
    return;
  model = weir_document_get_model (self->document);
  weir_model_prepare_completion (model);
  begin (self, model, NULL, NULL);
}

void
weir_runner_cancel_verify (WeirRunner *self)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  if (self->verification != NULL)
    g_atomic_int_set (&self->verification->cancel, 1);
}

void
weir_runner_verify_beside (WeirRunner *self)
{
  if (!self->verifies_runs)
    return;
  self->verifies_again = self->verification != NULL;
  if (self->verifies_again)
    weir_runner_cancel_verify (self);
  else
    begin (self, self->started, weir_session_get_system (self->session),
           weir_session_get_journal (self->session));
}

void
weir_runner_outdate_verification (WeirRunner *self)
{
  gboolean is_repeated = self->is_following && weir_runner_is_active (self)
                         && !weir_runner_has_other_structure (self);

  if (!is_repeated)
    self->edited_meanwhile = TRUE;
  if (self->is_result_told)
    tell_outdated (self);
}

void
weir_runner_remove_verification (WeirRunner *self)
{
  self->verifies_again = FALSE;
  weir_runner_cancel_verify (self);
  clear_result (self);
}

/* --- Settings and progress ------------------------------------------------------------------- */

void
weir_runner_set_verifies_runs (WeirRunner *self, gboolean verifies)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  self->verifies_runs = verifies;
  self->verifies_again = FALSE;
  if (weir_runner_is_active (self))
    weir_runner_verify_beside (self);
  if (!verifies && self->is_following)
    weir_runner_cancel_verify (self);
}

gboolean
weir_runner_get_verifies_runs (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);
  return self->verifies_runs;
}

double
weir_runner_get_verify_progress (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), 0);
  return self->verification != NULL ? g_atomic_int_get (&self->verification->progress) / 1000.0 : 0;
}

gboolean
weir_runner_is_verifying (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), FALSE);
  return self->verification != NULL;
}
