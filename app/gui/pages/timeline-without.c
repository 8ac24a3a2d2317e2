/* Repeating the run without the change event that is looked at, in a thread of its own. */
#include <glib/gi18n-lib.h>

#include "gui/pages/timeline-page-private.h"

#define MAX_SKIP_STEPS 500 /* that are followed after the event */

struct _WeirSkipping {
  WeirEditor *editor; /* borrowed; NULL: nobody wants the result any more */
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  GStrv logs;
  WeirTape *tape; /* only compared: whether its result is still wanted */
  GArray *stored; /* WeirStoredRun; or NULL */
  WeirLogRecord event;
  gsize index;
  WeirSkipResult result;
  gint cancel;
};

static void
skipping_free (gpointer data)
{
  WeirSkipping *skipping = data;

  weir_skip_result_clear (&skipping->result);
  g_clear_pointer (&skipping->system, weir_system_unref);
  g_clear_pointer (&skipping->logs, g_strfreev);
  g_clear_pointer (&skipping->stored, weir_stored_runs_free);
  g_free (skipping);
}

static void
skip_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirSkipping *s = data;
  GError *error = NULL;

  if (weir_skip_event (s->system, &s->options, s->stop_time, (const char *const *) s->logs,
                       s->stored, &s->event, MAX_SKIP_STEPS, &s->cancel, &s->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
skip_finished (G_GNUC_UNUSED GObject *object, GAsyncResult *async_result,
               G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (async_result), &error);
  WeirSkipping *s = g_task_get_task_data (G_TASK (async_result));
  WeirEditor *self = s->editor;

  if (self == NULL)
    return;
  self->recorded->skipping = NULL;
  if (weir_timeline_panel_get_tape (weir_editor_get_timeline (self)) == s->tape
      && weir_timeline_panel_get_cursor (weir_editor_get_timeline (self)) == s->index)
    {
      if (done)
        weir_timeline_panel_set_skipped (weir_editor_get_timeline (self), &s->result);
      else
        weir_timeline_panel_describe (weir_editor_get_timeline (self), error->message);
    }
  weir_editor_update_timeline_actions (self);
}

static void
skip (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  WeirTape *tape = weir_timeline_panel_get_tape (weir_editor_get_timeline (self));
  WeirSystem *system = weir_cache_model_wait (self->cache_model)
                           ? weir_cache_model_get_system (self->cache_model)
                           : NULL;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  WeirSkipping *s;
  gsize n;

  if (tape == NULL || !weir_editor_fits_recording (self) || self->recorded->skipping != NULL)
    return;
  if (system == NULL)
    {
      weir_editor_toast (self, _ ("The model has been changed since: run it again."));
      return;
    }
  s = g_new0 (WeirSkipping, 1);
  if (!weir_runner_read_settings (self->runner, &s->options, &s->stop_time, &error))
    {
      weir_editor_toast (self, error->message);
      g_free (s);
      return;
    }
  task = g_task_new (NULL, NULL, skip_finished, NULL);
  s->editor = self;
  s->system = weir_system_ref (system);
  s->logs = weir_runner_dup_logs (self->runner);
  s->tape = tape;
  s->stored = weir_tape_get_stored (tape) != NULL
                  ? weir_stored_runs_copy (weir_tape_get_stored (tape))
                  : NULL;
  s->index = weir_timeline_panel_get_cursor (weir_editor_get_timeline (self));
  s->event = weir_trace_get_records (weir_tape_get_trace (tape), &n)[s->index];
  g_task_set_task_data (task, s, skipping_free);
  self->recorded->skipping = s;
  weir_timeline_panel_set_skipped (weir_editor_get_timeline (self), NULL);
  weir_editor_update_timeline_actions (self);
  g_task_run_in_thread (task, skip_in_thread);
}

void
weir_editor_add_skip (WeirEditor *self)
{
  static const GActionEntry entry = { .name = "timeline-skip", .activate = skip };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
}

void
weir_editor_remove_skip (WeirEditor *self)
{
  if (self->recorded->skipping == NULL)
    return;
  self->recorded->skipping->editor = NULL;
  g_atomic_int_set (&self->recorded->skipping->cancel, 1);
}
