/* How a run of WeirRunner starts: a thread completes the model and makes the session, the runner
 * takes it. See runner.h.
 *
 * What is wanted is one model, the document's when the run was asked for, and one thing that is to
 * be done with its session. At most one thread makes a session; the newest model counts, so that
 * what it made of an earlier one is thrown away.
 */
#include "run/runner-private.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "model/completion/completion.h"
#include "model/tree/settings.h"

/* The data of its task. */
typedef struct {
  GWeakRef runner; /* it may be gone meanwhile */
  WeirModel *model;

  /* What the thread finds. */
  WeirCompletion *completion;
  WeirSession *session; /* NULL: the model cannot run */
  GError *error;        /* why not, unless the completion says it */
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_weak_ref_clear (&making->runner);
  weir_model_unref (making->model);
  g_clear_pointer (&making->completion, weir_completion_unref);
  g_clear_object (&making->session);
  g_clear_error (&making->error);
  g_free (making);
}

/* --- In the thread --------------------------------------------------------------------------- */

static void
make_session (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
              G_GNUC_UNUSED GCancellable *cancellable)
{
  Making *making = data;
  WeirSimulatorOptions options;
  WeirSystem *system;
  double stop_time;

  making->completion = weir_model_get_derived (making->model, &weir_derived_completion);
  system = weir_completion_get_system (making->completion);
  if (system != NULL
      && weir_runner_read_model_settings (making->model, &options, &stop_time, &making->error))
    {
      g_auto (GStrv) logs = weir_model_dup_recorded_ports (making->model);

      weir_simulator_options_set_for_plots (&options, stop_time);
      making->session = weir_session_new (
          system, &options, stop_time,
          weir_model_get_setting_number (making->model, "real-time-rate"),
          (const char *const *) logs, &making->error);
    }
  g_task_return_boolean (task, TRUE);
}

/* --- What becomes of it ---------------------------------------------------------------------- */

static void made (GObject *source, GAsyncResult *result, gpointer data);

static void
begin_making (WeirRunner *self)
{
  Making *making = g_new0 (Making, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, made, NULL);

  g_weak_ref_init (&making->runner, self);
  making->model = weir_model_ref (self->wanted);
  weir_model_prepare_completion (making->model);
  self->is_making = TRUE;
  g_task_set_task_data (task, making, making_free);
  g_task_run_in_thread (task, make_session);
}

static void
take_session (WeirRunner *self, Making *making)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  WeirModel *model = weir_document_get_model (self->document);

  weir_document_show_completion (self->document, making->completion, NULL, &diagnostics);
  g_signal_emit_by_name (self, "problems", diagnostics);
  if (making->session == NULL)
    weir_runner_tell (self, making->error != NULL ? weir_error_say (making->error)
                                                  : _ ("The model cannot run yet; see Problems."));
  else
    {
      weir_runner_set_session (self, making->session, making->model);
      if (model != making->model)
        weir_runner_follow (self, weir_model_compare (making->model, model));
    }
  if (self->wanted != making->model) /* given up, or overtaken, by who heard of it */
    return;
  if (making->session != NULL)
    weir_runner_steer (self, self->start);
  weir_runner_cancel_start (self);
}

static void
made (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  Making *making = g_task_get_task_data (G_TASK (result));
  g_autoptr (WeirRunner) self = g_weak_ref_get (&making->runner);

  if (self != NULL && self->document != NULL)
    {
      self->is_making = FALSE;
      weir_document_keep_completion (self->document, making->model);
      if (self->wanted == making->model)
        take_session (self, making);
      else if (self->wanted != NULL)
        begin_making (self);
    }
  g_clear_object (&making->session); /* here, whichever thread lets go of the task last */
}

void
weir_runner_start (WeirRunner *self, WeirStart start)
{
  const WeirAspects harmless = WEIR_ASPECTS_OF_LOOKS;
  WeirModel *model = weir_document_get_model (self->document);

  self->start = start;
  if (self->wanted != NULL && (weir_model_compare (self->wanted, model) & ~harmless) == 0)
    return;
  if (self->session != NULL)
    weir_session_stop (self->session);
  g_clear_pointer (&self->wanted, weir_model_unref);
  self->wanted = weir_model_ref (model);
  if (!self->is_making)
    begin_making (self);
  weir_runner_note_state (self);
}

void
weir_runner_cancel_start (WeirRunner *self)
{
  if (self->wanted == NULL)
    return;
  g_clear_pointer (&self->wanted, weir_model_unref);
  weir_runner_note_state (self);
}
