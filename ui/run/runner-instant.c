/* Instant results in WeirRunner: while no run goes on and the last one took little time, an edit of
 * values repeats the whole run in a thread. See runner.h.
 *
 * What is wanted is the document's newest model; at most one thread runs, and what was wanted
 * meanwhile follows once it has ended. Nothing of it is a run to anyone else: there is no session,
 * so no counter, no list of runs and no verification hears of it.
 */
#include "run/runner-private.h"

#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "base/status.h"
#include "library/whole-run.h"
#include "model/completion/completion.h"

/* The data of its task. */
struct _WeirInstantRun {
  GWeakRef runner; /* it may be gone meanwhile */
  WeirModel *model;
  GStrv ports;
  gint cancel;
  guint timeout;

  /* What the thread finds. */
  WeirRecorder *recorder; /* NULL: the model cannot run */
  GError *error;          /* why not, or why it ended early */
  double took;            /* s */
};

static void
run_free (gpointer data)
{
  WeirInstantRun *run = data;

  g_weak_ref_clear (&run->runner);
  weir_model_unref (run->model);
  g_strfreev (run->ports);
  g_clear_pointer (&run->recorder, weir_recorder_unref);
  g_clear_error (&run->error);
  g_free (run);
}

/* --- Whether there is one -------------------------------------------------------------------- */

static gboolean has_same_parts (const WeirDiagram *before, const WeirDiagram *after);

/* Is it the same block with other values? */
static gboolean
is_same_part (G_GNUC_UNUSED guint32 id, WeirBlock *before, WeirBlock *after, gpointer is_same)
{
  *(gboolean *) is_same = before != NULL && after != NULL
                          && g_str_equal (weir_block_get_type_name (before),
                                          weir_block_get_type_name (after))
                          && (weir_block_get_diagram (before) == NULL)
                                 == (weir_block_get_diagram (after) == NULL)
                          && (weir_block_get_diagram (before) == NULL
                              || has_same_parts (weir_block_get_diagram (before),
                                                 weir_block_get_diagram (after)));
  return *(gboolean *) is_same;
}

static gboolean
is_same_wire (G_GNUC_UNUSED guint32 id, WeirWire *before, WeirWire *after, gpointer is_same)
{
  *(gboolean *) is_same = before != NULL && after != NULL;
  return *(gboolean *) is_same;
}

static gboolean
has_same_parts (const WeirDiagram *before, const WeirDiagram *after)
{
  gboolean is_same = TRUE;

  weir_diagram_foreach_block_change (before, after, is_same_part, &is_same);
  if (is_same)
    weir_diagram_foreach_wire_change (before, after, is_same_wire, &is_same);
  return is_same;
}

/* Does it differ from what is shown in values, and in nothing that is built or set? */
static gboolean
differs_in_values (WeirRunner *self, WeirModel *model)
{
  const WeirAspects of_values = WEIR_ASPECT_PARAMETERS | WEIR_ASPECT_VALUES | WEIR_ASPECT_STRUCTURE;
  WeirModel *shown = self->instant_model != NULL ? self->instant_model : self->started;

  return (weir_model_compare (shown, model) & of_values) != 0
         && (weir_model_compare (self->started, model)
             & ~(of_values | WEIR_ASPECTS_OF_LOOKS | WEIR_ASPECT_NAMES | WEIR_ASPECT_POINTS))
                == 0
         && has_same_parts (weir_model_get_root (self->started), weir_model_get_root (model));
}

static double
get_last_took (WeirRunner *self)
{
  WeirSimulatorTimes times;

  if (self->instant_took >= 0)
    return self->instant_took;
  times = weir_session_get_snapshot (self->session)->times;
  return times.solver + times.crossings + times.events + times.monitor;
}

static gboolean
is_possible (WeirRunner *self)
{
  return self->is_instant && self->session != NULL && self->wanted == NULL
         && weir_session_get_state (self->session) == WEIR_SESSION_FINISHED
         && get_last_took (self) < self->instant_limit
         && !weir_model_has_foreign_programs (weir_document_get_model (self->document));
}

/* --- The run --------------------------------------------------------------------------------- */

static void
run_whole (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
           G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirInstantRun *run = data;
  gint64 begin = g_get_monotonic_time ();

  run->recorder = weir_model_run_whole (run->model, (const char *const *) run->ports, &run->cancel,
                                        &run->error);
  run->took = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;
  g_task_return_boolean (task, TRUE);
}

/* Other values may make a run long: it is given up. */
static gboolean
give_up (gpointer data)
{
  WeirInstantRun *run = data;

  run->timeout = 0;
  g_atomic_int_set (&run->cancel, 1);
  return G_SOURCE_REMOVE;
}

static void ran (GObject *source, GAsyncResult *result, gpointer data);

static void
begin_run (WeirRunner *self)
{
  WeirInstantRun *run = g_new0 (WeirInstantRun, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, ran, NULL);

  g_weak_ref_init (&run->runner, self);
  run->model = g_steal_pointer (&self->instant_wanted);
  run->ports = weir_runner_dup_logs (self);
  run->timeout = g_timeout_add ((guint) (1000 * self->instant_limit), give_up, run);
  weir_model_prepare_completion (run->model);
  self->instant_run = run;
  g_task_set_task_data (task, run, run_free);
  g_task_run_in_thread (task, run_whole);
}

static void
tell_end (WeirRunner *self, const WeirInstantRun *run)
{
  g_autofree char *text = NULL;

  if (g_error_matches (run->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    text = g_strdup (_ ("With these values a run takes long: the curves no longer follow at once. "
                        "Run the model (F5)."));
  else if (run->recorder != NULL)
    text = g_strdup (weir_error_say (run->error));
  if (text != NULL)
    weir_runner_tell (self, text);
}

static void
ran (G_GNUC_UNUSED GObject *source, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirInstantRun *run = g_task_get_task_data (G_TASK (result));
  g_autoptr (WeirRunner) self = g_weak_ref_get (&run->runner);
  gboolean is_cancelled = g_error_matches (run->error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  gboolean had_failed;

  g_clear_handle_id (&run->timeout, g_source_remove);
  if (self == NULL || self->document == NULL || self->instant_run != run)
    return;
  self->instant_run = NULL;
  weir_document_keep_completion (self->document, run->model);
  if (!is_possible (self)) /* a run was asked for */
    return;
  self->instant_took = is_cancelled ? self->instant_limit : run->took;
  had_failed = self->instant_failed;
  self->instant_failed = run->error != NULL;
  if (run->recorder != NULL && !is_cancelled)
    {
      g_clear_pointer (&self->instant_results, weir_recorder_unref);
      g_clear_pointer (&self->instant_model, weir_model_unref);
      self->instant_results = weir_recorder_ref (run->recorder);
      self->instant_model = weir_model_ref (run->model);
      weir_runner_tell_results (self);
    }
  if (self->instant_failed && !had_failed) /* once, not with each step of a drag */
    tell_end (self, run);
  if (self->instant_wanted != NULL && is_possible (self))
    begin_run (self);
}

void
weir_runner_follow_instantly (WeirRunner *self)
{
  WeirModel *model = weir_document_get_model (self->document);

  if (!is_possible (self) || !differs_in_values (self, model))
    return;
  g_clear_pointer (&self->instant_wanted, weir_model_unref);
  self->instant_wanted = weir_model_ref (model);
  if (self->instant_run == NULL)
    begin_run (self);
}

void
weir_runner_drop_instant (WeirRunner *self)
{
  if (self->instant_run != NULL)
    g_atomic_int_set (&self->instant_run->cancel, 1);
  self->instant_run = NULL;
  self->instant_failed = FALSE;
  self->instant_took = -1;
  g_clear_pointer (&self->instant_wanted, weir_model_unref);
  g_clear_pointer (&self->instant_model, weir_model_unref);
  g_clear_pointer (&self->instant_results, weir_recorder_unref);
}

/* --- For others ------------------------------------------------------------------------------ */

void
weir_runner_set_instant (WeirRunner *self, gboolean is_instant)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  self->is_instant = is_instant;
}

void
weir_runner_set_instant_limit (WeirRunner *self, double seconds)
{
  g_return_if_fail (WEIR_IS_RUNNER (self));

  self->instant_limit = seconds;
}

WeirRecorder *
weir_runner_get_results (WeirRunner *self)
{
  g_return_val_if_fail (WEIR_IS_RUNNER (self), NULL);

  return self->instant_results != NULL ? self->instant_results
         : self->session != NULL       ? weir_session_get_recorder (self->session)
                                       : NULL;
}
