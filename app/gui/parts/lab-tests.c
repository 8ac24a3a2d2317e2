/* The tests of the lab. See lab-tests.h. */
#include "gui/parts/lab-tests.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cache/explain-panel.h"
#include "model/completion/completion.h"

struct _WeirLabTests {
  WeirPart parent;
  gint *going_on[WEIR_N_LAB_TESTS]; /* switches that stop those that do */
};

G_DEFINE_FINAL_TYPE (WeirLabTests, weir_lab_tests, WEIR_TYPE_PART)

/* The data of a task. */
typedef struct {
  WeirLabTest test;
  WeirModel *model;           /* that is tested */
  WeirCompletion *completion; /* of it, once the thread has it */
  WeirSystem *system;         /* of that, borrowed; NULL with errors */
  WeirSimulatorOptions options;
  double stop_time; /* s */
  gint cancel;      /* atomic */
} Test;

static void
test_free (gpointer data)
{
  Test *tested = data;

  weir_model_unref (tested->model);
  g_clear_pointer (&tested->completion, weir_completion_unref);
  g_free (tested);
}

/* --- What they find -------------------------------------------------------------------------- */

/* In the thread. FALSE: @result has nothing to clear. */
typedef gboolean (*FindFunc) (Test *tested, gpointer result, GError **error);

static gboolean
find_bisection (Test *tested, gpointer result, GError **error)
{
  return weir_bisect_caching (tested->system, &tested->options, tested->stop_time, &tested->cancel,
                              result, error);
}

static gboolean
audit (Test *tested, gpointer result, GError **error)
{
  return weir_audit (tested->system, &tested->options, tested->stop_time, &tested->cancel, result,
                     error);
}

/* The audit is made anew: of the model as it is by now. */
static gboolean
confirm (Test *tested, gpointer result, GError **error)
{
  g_autoptr (GArray) corrections = NULL;
  WeirAuditResult found;

  if (!audit (tested, &found, error))
    return FALSE;
  corrections = weir_list_corrections (tested->system, &found);
  weir_audit_result_clear (&found);
  return weir_confirm_corrections (tested->system, corrections, &tested->options, tested->stop_time,
                                   &tested->cancel, result, error);
}

static void
bisection_free (gpointer result)
{
  weir_bisection_clear (result);
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

static WeirLabPanel *
get_lab (WeirLabTests *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_LAB_PANEL);
}

static WeirExplainPanel *
get_explain (WeirLabTests *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_EXPLAIN_PANEL);
}

static void
show_bisection (WeirLabTests *self, G_GNUC_UNUSED const Test *tested, gconstpointer result)
{
  weir_lab_panel_set_bisection (get_lab (self), result);
}

/* Does the panel of dependencies show the entries of that system? */
static gboolean
is_explained (WeirLabTests *self, WeirSystem *system)
{
  WeirLayout *shown = weir_cache_model_get_layout (self->parent.cache);
  WeirFingerprint a, b = weir_layout_get_fingerprint (weir_system_get_layout (system));

  if (shown == NULL)
    return FALSE;
  a = weir_layout_get_fingerprint (shown);
  return a.low == b.low && a.high == b.high;
}

static void
show_audit (WeirLabTests *self, const Test *tested, gconstpointer data)
{
  const WeirAuditResult *result = data;
  g_autoptr (GArray) corrections = weir_list_corrections (tested->system, result);
  g_autofree char *text = weir_audit_result_to_string (result);

  if (is_explained (self, tested->system))
    weir_explain_panel_set_findings (get_explain (self), result->findings);
  weir_lab_panel_set_audited (get_lab (self), result, corrections);
  if (!gtk_widget_get_mapped (GTK_WIDGET (get_lab (self)))) /* which says the same */
    weir_host_toast (self->parent.host, text);
}

static void
show_confirmation (WeirLabTests *self, G_GNUC_UNUSED const Test *tested, gconstpointer result)
{
  weir_lab_panel_set_confirmed (get_lab (self), result);
}

static const struct {
  gsize size; /* of a result */
  FindFunc find;
  GDestroyNotify free;
  void (*show) (WeirLabTests *self, const Test *tested, gconstpointer result);
} kinds[WEIR_N_LAB_TESTS] = {
  [WEIR_LAB_SEARCH] = { sizeof (WeirBisection), find_bisection, bisection_free, show_bisection },
  [WEIR_LAB_AUDIT] = { sizeof (WeirAuditResult), audit, audit_free, show_audit },
  [WEIR_LAB_CONFIRM] = { sizeof (WeirConfirmation), confirm, confirmation_free, show_confirmation },
};

/* --- Beginning and ending -------------------------------------------------------------------- */

static void
find_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  Test *tested = data;
  gpointer result = g_malloc0 (kinds[tested->test].size);
  GError *error = NULL;

  tested->completion = weir_model_get_derived (tested->model, &weir_derived_completion);
  tested->system = weir_completion_get_system (tested->completion);
  if (tested->system == NULL)
    g_set_error_literal (&error, WEIR_ERROR, WEIR_ERROR_INVALID,
                         _ ("The model is not complete yet; see Problems."));
  if (error == NULL && kinds[tested->test].find (tested, result, &error))
    g_task_return_pointer (task, result, kinds[tested->test].free);
  else
    {
      g_free (result);
      g_task_return_error (task, error);
    }
}

static void
set_busy (WeirLabTests *self, WeirLabTest test, gboolean busy)
{
  weir_lab_panel_set_busy (get_lab (self), test, busy);
  if (test == WEIR_LAB_AUDIT)
    weir_explain_panel_set_observing (get_explain (self), busy);
}

/* Is the model in the editor still what was tested? */
static gboolean
is_current (WeirLabTests *self, const Test *tested)
{
  WeirAspects changed = weir_model_compare (tested->model,
                                            weir_document_get_model (self->parent.document));

  return (changed & ~(WeirAspects) WEIR_ASPECTS_OF_LOOKS) == 0;
}

static void
finished (GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  WeirLabTests *self = WEIR_LAB_TESTS (object);
  const Test *tested = g_task_get_task_data (G_TASK (async_result));
  g_autoptr (GError) error = NULL;
  gpointer result = g_task_propagate_pointer (G_TASK (async_result), &error);

  self->going_on[tested->test] = NULL;
  weir_document_keep_completion (self->parent.document, tested->model);
  if (self->parent.host != NULL) /* else the editor is gone */
    {
      set_busy (self, tested->test, FALSE);
      if (result == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        weir_host_toast (self->parent.host, weir_error_say (error));
      else if (result != NULL && is_current (self, tested))
        kinds[tested->test].show (self, tested, result);
    }
  if (result != NULL)
    kinds[tested->test].free (result);
}

void
weir_lab_tests_switch (WeirLabTests *self, WeirLabTest test, gboolean on)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Test *tested;

  g_return_if_fail (kinds[test].find != NULL);

  if (self->going_on[test] != NULL)
    g_atomic_int_set (self->going_on[test], 1);
  if (!on || self->going_on[test] != NULL)
    return;
  tested = g_new0 (Test, 1);
  tested->test = test;
  tested->model = weir_model_ref (weir_document_get_model (self->parent.document));
  if (!weir_runner_read_settings (self->parent.runner, &tested->options, &tested->stop_time,
                                  &error))
    weir_host_toast (self->parent.host, weir_error_say (error));
  else
    {
      weir_model_prepare_completion (tested->model);
      task = g_task_new (self, NULL, finished, NULL);
      g_task_set_task_data (task, tested, test_free);
      self->going_on[test] = &tested->cancel;
      set_busy (self, test, TRUE);
      g_task_run_in_thread (task, find_in_thread);
      return;
    }
  test_free (tested);
}

gboolean
weir_lab_tests_is_going_on (WeirLabTests *self, WeirLabTest test)
{
  return self->going_on[test] != NULL;
}

static void
dispose (GObject *object)
{
  WeirLabTests *self = WEIR_LAB_TESTS (object);

  for (guint i = 0; i < WEIR_N_LAB_TESTS; i++)
    if (self->going_on[i] != NULL)
      g_atomic_int_set (self->going_on[i], 1);
  G_OBJECT_CLASS (weir_lab_tests_parent_class)->dispose (object);
}

static void
weir_lab_tests_class_init (WeirLabTestsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_lab_tests_init (G_GNUC_UNUSED WeirLabTests *self)
{
}
