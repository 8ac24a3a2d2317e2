/* Repeating the run of the timeline without the change event that is looked at, in a thread of its
 * own. */
#include <glib/gi18n-lib.h>

#include "gui/pages/timeline-page-private.h"

#define MAX_STEPS 500 /* that are followed after the event */

struct _WeirRepetition {
  WeirTimelinePage *page; /* borrowed; NULL: nobody wants the result any more */
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  GStrv logs;
  WeirPlayback *playback; /* only compared: whether its result is still wanted */
  GArray *stored;         /* WeirStoredRun; or NULL */
  WeirLogRecord event;
  gsize index;
  WeirEventEffect result;
  gint cancel;
};

static void
repetition_free (gpointer data)
{
  WeirRepetition *repetition = data;

  weir_event_effect_clear (&repetition->result);
  g_clear_pointer (&repetition->system, weir_system_unref);
  g_clear_pointer (&repetition->logs, g_strfreev);
  g_clear_pointer (&repetition->stored, weir_stored_runs_free);
  g_free (repetition);
}

static void
repeat_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                  G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirRepetition *s = data;
  GError *error = NULL;

  if (weir_find_event_effect (s->system, &s->options, s->stop_time, (const char *const *) s->logs,
                              s->stored, &s->event, MAX_STEPS, &s->cancel, &s->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
finished (G_GNUC_UNUSED GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (async_result), &error);
  WeirRepetition *s = g_task_get_task_data (G_TASK (async_result));
  WeirTimelinePage *self = s->page;

  if (self == NULL)
    return;
  self->repetition = NULL;
  if (weir_timeline_panel_get_playback (self->panel) == s->playback
      && weir_timeline_panel_get_cursor (self->panel) == s->index)
    {
      if (done)
        weir_timeline_panel_set_effect (self->panel, &s->result);
      else
        weir_timeline_panel_describe (self->panel, error->message);
    }
  weir_timeline_page_update_actions (self);
}

static void
repeat_completed (gpointer data)
{
  WeirTimelinePage *self = data;
  WeirPlayback *playback;
  WeirSystem *system;
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  WeirRepetition *s;
  gsize n;

  if (self->parent.host == NULL)
    return;
  playback = weir_timeline_panel_get_playback (self->panel);
  system = weir_cache_model_get_system (self->parent.cache);
  if (playback == NULL || !weir_timeline_page_fits (self) || self->repetition != NULL)
    return;
  if (system == NULL)
    {
      weir_host_toast (self->parent.host, _ ("The model has been changed since: run it again."));
      return;
    }
  s = g_new0 (WeirRepetition, 1);
  if (!weir_runner_read_settings (self->parent.runner, &s->options, &s->stop_time, &error))
    {
      weir_host_toast (self->parent.host, error->message);
      g_free (s);
      return;
    }
  task = g_task_new (NULL, NULL, finished, NULL);
  s->page = self;
  s->system = weir_system_ref (system);
  s->logs = weir_runner_dup_logs (self->parent.runner);
  s->playback = playback;
  s->stored = weir_playback_get_stored (playback) != NULL
                  ? weir_stored_runs_copy (weir_playback_get_stored (playback))
                  : NULL;
  s->index = weir_timeline_panel_get_cursor (self->panel);
  s->event = weir_trace_get_records (weir_playback_get_trace (playback), &n)[s->index];
  g_task_set_task_data (task, s, repetition_free);
  self->repetition = s;
  weir_timeline_panel_set_effect (self->panel, NULL);
  weir_timeline_page_update_actions (self);
  g_task_run_in_thread (task, repeat_in_thread);
}

static void
repeat_without (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_document_when_completed (WEIR_PAGE (data)->document, repeat_completed, data);
}

void
weir_timeline_page_add_repetition (WeirTimelinePage *self)
{
  static const GActionEntry entry = { .name = "timeline-skip", .activate = repeat_without };

  weir_page_add_actions (&self->parent, &entry, 1);
}

void
weir_timeline_page_end_repetition (WeirTimelinePage *self)
{
  if (self->repetition == NULL)
    return;
  self->repetition->page = NULL;
  g_atomic_int_set (&self->repetition->cancel, 1);
}
