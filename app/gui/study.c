/* Studies in the background. See study.h. */
#include "gui/study.h"

#include <glib/gi18n-lib.h>

static void
study_free (gpointer data)
{
  WeirStudy *study = data;

  weir_model_unref (study->model);
  g_clear_pointer (&study->system, weir_system_unref);
  g_free (study);
}

gboolean
weir_editor_study (WeirEditor *self, WeirStudyKind kind, gboolean on, WeirSystem *system,
                   GTaskThreadFunc run, GAsyncReadyCallback finished)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  WeirStudy *study;

  if (self->studies[kind] != NULL)
    g_atomic_int_set (self->studies[kind], 1);
  if (!on || self->studies[kind] != NULL)
    return FALSE;
  study = g_new0 (WeirStudy, 1);
  study->kind = kind;
  study->model = weir_model_ref (weir_document_get_model (self->document));
  study->system = system != NULL ? weir_system_ref (system)
                                 : weir_document_complete (self->document, &diagnostics);
  if (study->system == NULL)
    weir_editor_toast (self, _ ("The model is not complete yet; see Problems."));
  else if (!weir_runner_read_settings (self->runner, &study->options, &study->stop_time, &error))
    weir_editor_toast (self, error->message);
  else
    {
      task = g_task_new (self, NULL, finished, NULL);
      g_task_set_task_data (task, study, study_free);
      self->studies[kind] = &study->cancel;
      g_task_run_in_thread (task, run);
      return TRUE;
    }
  study_free (study);
  return FALSE;
}

void
weir_editor_stop_studies (WeirEditor *self)
{
  for (guint i = 0; i < WEIR_N_STUDIES; i++)
    if (self->studies[i] != NULL)
      g_atomic_int_set (self->studies[i], 1);
}

gpointer
weir_editor_end_study (WeirEditor *self, GAsyncResult *result)
{
  const WeirStudy *study = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gpointer found = g_task_propagate_pointer (G_TASK (result), &error);

  self->studies[study->kind] = NULL;
  if (found == NULL && self->lab != NULL
      && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    weir_editor_toast (self, error->message);
  return found;
}

gboolean
weir_editor_is_studied (WeirEditor *self, GAsyncResult *result)
{
  const WeirStudy *study = g_task_get_task_data (G_TASK (result));
  WeirAspects changed = weir_model_compare (study->model, weir_document_get_model (self->document));

  return (changed & ~(WeirAspects) (WEIR_ASPECT_LAYOUT | WEIR_ASPECT_METADATA)) == 0;
}
