/* Studies in the background. See study.h. */
#include "gui/parts/lab-tests.h"

#include <glib/gi18n-lib.h>

#include "cache/explain-panel.h"

/* The data of its task. */
typedef struct {
  WeirLabTest test;
  WeirModel *model;   /* that is studied */
  WeirSystem *system; /* of it */
  WeirSimulatorOptions options;
  double stop_time; /* s */
  gint cancel;      /* atomic */
} Study;

static void
study_free (gpointer data)
{
  Study *study = data;

  weir_model_unref (study->model);
  g_clear_pointer (&study->system, weir_system_unref);
  g_free (study);
}

/* --- What they find -------------------------------------------------------------------------- */

/* In the thread. FALSE: @result has nothing to clear. */
typedef gboolean (*FindFunc) (Study *study, gpointer result, GError **error);

static gboolean
find_culprits (Study *study, gpointer result, GError **error)
{
  return weir_find_culprits (study->system, &study->options, study->stop_time, &study->cancel,
                             result, error);
}

static gboolean
audit (Study *study, gpointer result, GError **error)
{
  return weir_audit (study->system, &study->options, study->stop_time, &study->cancel, result,
                     error);
}

/* The audit is made anew: of the model as it is by now. */
static gboolean
confirm (Study *study, gpointer result, GError **error)
{
  g_autoptr (GArray) corrections = NULL;
  WeirAuditResult found;

  if (!audit (study, &found, error))
    return FALSE;
  corrections = weir_list_corrections (study->system, &found);
  weir_audit_result_clear (&found);
  return weir_confirm_corrections (study->system, corrections, &study->options, study->stop_time,
                                   &study->cancel, result, error);
}

static void
culprits_free (gpointer result)
{
  weir_culprits_clear (result);
  g_free (result);
}

static void
audit_free (gpointer result)
{
  weir_audit_result_clear (result);
  g_free (result);
}

static void
confirmation_free (gpointer result)
{
  weir_confirmation_clear (result);
  g_free (result);
}

/* --- Showing it ------------------------------------------------------------------------------ */

static void
show_culprits (WeirEditor *self, G_GNUC_UNUSED const Study *study, gconstpointer result)
{
  weir_lab_panel_set_culprits (WEIR_LAB_PANEL (self->lab), result);
}

/* Does the panel of dependencies show the entries of that system? */
static gboolean
is_explained (WeirEditor *self, WeirSystem *system)
{
  WeirLayout *shown = weir_cache_model_get_layout (self->cache_model);
  WeirFingerprint a, b = weir_layout_get_fingerprint (weir_system_get_layout (system));

  if (shown == NULL)
    return FALSE;
  a = weir_layout_get_fingerprint (shown);
  return a.low == b.low && a.high == b.high;
}

static void
show_audit (WeirEditor *self, const Study *study, gconstpointer data)
{
  const WeirAuditResult *result = data;
  g_autoptr (GArray) corrections = weir_list_corrections (study->system, result);
  g_autofree char *text = weir_audit_result_to_string (result);

  if (is_explained (self, study->system))
    weir_explain_panel_set_findings (WEIR_EXPLAIN_PANEL (self->explain), result->findings);
  weir_lab_panel_set_audited (WEIR_LAB_PANEL (self->lab), result, corrections);
  if (!gtk_widget_get_mapped (self->lab)) /* which says the same */
    weir_editor_toast (self, text);
}

static void
show_confirmation (WeirEditor *self, G_GNUC_UNUSED const Study *study, gconstpointer result)
{
  weir_lab_panel_set_confirmed (WEIR_LAB_PANEL (self->lab), result);
}

static const struct {
  gsize size; /* of a result */
  FindFunc find;
  GDestroyNotify free;
  void (*show) (WeirEditor *self, const Study *study, gconstpointer result);
} kinds[WEIR_N_LAB_TESTS] = {
  [WEIR_LAB_SEARCH] = { sizeof (WeirCulprits), find_culprits, culprits_free, show_culprits },
  [WEIR_LAB_AUDIT] = { sizeof (WeirAuditResult), audit, audit_free, show_audit },
  [WEIR_LAB_CONFIRM] = { sizeof (WeirConfirmation), confirm, confirmation_free, show_confirmation },
};

/* --- Beginning and ending -------------------------------------------------------------------- */

static void
find_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  Study *study = data;
  gpointer result = g_malloc0 (kinds[study->test].size);
  GError *error = NULL;

  if (kinds[study->test].find (study, result, &error))
    g_task_return_pointer (task, result, kinds[study->test].free);
  else
    {
      g_free (result);
      g_task_return_error (task, error);
    }
}

static void
set_busy (WeirEditor *self, WeirLabTest test, gboolean busy)
{
  weir_lab_panel_set_busy (WEIR_LAB_PANEL (self->lab), test, busy);
  if (test == WEIR_LAB_AUDIT)
    weir_explain_panel_set_observing (WEIR_EXPLAIN_PANEL (self->explain), busy);
}

/* Is the model in the editor still what was studied? */
static gboolean
is_current (WeirEditor *self, const Study *study)
{
  WeirAspects changed = weir_model_compare (study->model, weir_document_get_model (self->document));

  return (changed & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) == 0;
}

static void
finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirEditor *self = WEIR_EDITOR (object);
  const Study *study = g_task_get_task_data (G_TASK (async_result));
  g_autoptr (GError) error = NULL;
  gpointer result = g_task_propagate_pointer (G_TASK (async_result), &error);

  self->studies[study->test] = NULL;
  if (self->lab != NULL && self->explain != NULL) /* else the editor is gone */
    {
      set_busy (self, study->test, FALSE);
      if (result == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        weir_editor_toast (self, error->message);
      else if (result != NULL && is_current (self, study))
        kinds[study->test].show (self, study, result);
    }
  if (result != NULL)
    kinds[study->test].free (result);
}

void
weir_editor_study (WeirEditor *self, WeirLabTest test, gboolean on)
{
  g_autoptr (WeirDiagnostics) diagnostics = NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Study *study;

  g_return_if_fail (kinds[test].find != NULL);

  if (self->studies[test] != NULL)
    g_atomic_int_set (self->studies[test], 1);
  if (!on || self->studies[test] != NULL)
    return;
  study = g_new0 (Study, 1);
  study->test = test;
  study->model = weir_model_ref (weir_document_get_model (self->document));
  study->system = weir_document_complete (self->document, &diagnostics);
  if (study->system == NULL)
    weir_editor_toast (self, _ ("The model is not complete yet; see Problems."));
  else if (!weir_runner_read_settings (self->runner, &study->options, &study->stop_time, &error))
    weir_editor_toast (self, error->message);
  else
    {
      task = g_task_new (self, NULL, finished, NULL);
      g_task_set_task_data (task, study, study_free);
      self->studies[test] = &study->cancel;
      set_busy (self, test, TRUE);
      g_task_run_in_thread (task, find_in_thread);
      return;
    }
  study_free (study);
}

void
weir_editor_stop_studies (WeirEditor *self)
{
  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    if (self->studies[i] != NULL)
      g_atomic_int_set (self->studies[i], 1);
}
