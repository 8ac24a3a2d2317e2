/* Logs of the timeline, of a run and of files: a run is logged while the action "record" is
 * on, and handed over when it pauses or ends; either kind is made ready in a thread of its own.
 */
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "gui/host/chooser.h"
#include "gui/pages/timeline-page-private.h"

#define PROGRESS_MS 100

gboolean
weir_timeline_page_fits (WeirTimelinePage *self)
{
  WeirPlayback *playback = weir_timeline_panel_get_playback (self->panel);
  WeirLayout *layout = playback != NULL ? weir_cache_model_get_layout (self->parent.cache) : NULL;

  return layout != NULL && weir_playback_fits (playback, layout);
}

/* --- Making a log ready ---------------------------------------------------------------------- */

struct _WeirReading {
  WeirTimelinePage *page; /* borrowed; NULL: nobody wants the result any more */
  WeirRunLog *run_log;    /* or NULL: to be read from ... */
  char *path;
  char *title;
  gint cancel, done;
};

static void
reading_free (gpointer data)
{
  WeirReading *reading = data;

  g_clear_pointer (&reading->run_log, weir_run_log_free);
  g_free (reading->path);
  g_free (reading->title);
  g_free (reading);
}

static void
read_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  WeirReading *reading = data;
  g_autoptr (WeirTrace) trace = NULL;
  GError *error = NULL;
  WeirPlayback *playback = NULL;

  if (reading->run_log != NULL)
    trace = weir_trace_new (reading->run_log->log, reading->title);
  else
    trace = weir_trace_load (reading->path, &error);
  if (trace != NULL)
    playback = weir_playback_new (trace, reading->run_log != NULL ? reading->run_log->stored : NULL,
                                  &reading->cancel, &reading->done, &error);
  if (playback != NULL)
    g_task_return_pointer (task, playback, (GDestroyNotify) weir_playback_free);
  else
    g_task_return_error (task, error);
}

void
weir_timeline_page_end_reading (WeirTimelinePage *self)
{
  g_clear_handle_id (&self->progress, g_source_remove);
  if (self->reading != NULL)
    {
      self->reading->page = NULL;
      g_atomic_int_set (&self->reading->cancel, 1);
    }
  self->reading = NULL;
}

static void
take_playback (WeirTimelinePage *self, WeirPlayback *playback, const char *title,
               gboolean is_of_run)
{
  WeirSession *session = weir_cache_model_get_session (self->parent.cache);

  self->is_of_run = is_of_run;
  if (is_of_run && session != NULL)
    weir_playback_set_mean_ns (playback, weir_session_get_snapshot (session)->mean_ns);
  weir_timeline_panel_set_playback (self->panel, playback, title);
  if (!is_of_run && !weir_timeline_page_fits (self))
    {
      g_autofree char *text = g_strdup_printf (
          _ ("“%s” is a change log of another model, which diagram and table do not follow."),
          title);

      weir_host_toast (self->parent.host, text);
    }
}

static void
read_finished (G_GNUC_UNUSED GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirPlayback) playback = g_task_propagate_pointer (G_TASK (result), &error);
  WeirReading *reading = g_task_get_task_data (G_TASK (result));
  WeirTimelinePage *self = reading->page;

  if (self == NULL)
    return;
  weir_timeline_page_end_reading (self);
  weir_timeline_panel_set_progress (self->panel, -1);
  if (playback != NULL)
    take_playback (self, g_steal_pointer (&playback), reading->title, reading->path == NULL);
  else
    {
      g_autofree char *text = reading->path == NULL ? g_strdup (weir_error_say (error))
                                                    : g_strdup_printf ("%s: %s", reading->title,
                                                                       weir_error_say (error));

      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, text);
    }
}

static gboolean
tell_progress (gpointer data)
{
  WeirTimelinePage *self = data;
  WeirReading *reading = self->reading;
  gsize n = 0;

  if (reading->run_log != NULL)
    weir_change_log_get_records (reading->run_log->log, &n);
  weir_timeline_panel_set_progress (
      self->panel, n == 0 ? 0.0 : (double) g_atomic_int_get (&reading->done) / (double) n);
  return G_SOURCE_CONTINUE;
}

/* @run_log: (transfer full) or NULL; then @path. */
static void
read_log (WeirTimelinePage *self, WeirRunLog *run_log, const char *path, const char *title)
{
  WeirReading *reading = g_new0 (WeirReading, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, read_finished, NULL);

  weir_timeline_page_end_reading (self);
  *reading = (WeirReading) {
    .page = self, .run_log = run_log, .path = g_strdup (path), .title = g_strdup (title)
  };
  g_task_set_task_data (task, reading, reading_free);
  self->reading = reading;
  self->progress = g_timeout_add (PROGRESS_MS, tell_progress, self);
  g_task_run_in_thread (task, read_in_thread);
}

void
weir_timeline_page_open (WeirTimelinePage *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);

  weir_host_show_model (self->parent.host);
  weir_host_show_page (self->parent.host, "timeline");
  read_log (self, NULL, path, name);
}

/* --- Logging the run ------------------------------------------------------------------------- */

static gboolean
wants_log (WeirTimelinePage *self)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (
      G_ACTION_GROUP (weir_host_get_actions (self->parent.host)), "record");

  return g_variant_get_boolean (state);
}

static void
start_log (WeirTimelinePage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);

  if (session == NULL)
    return;
  self->capacity = weir_timeline_panel_get_capacity (self->panel);
  self->n_asked = 0;
  weir_session_start_log (session, weir_timeline_panel_get_mode (self->panel), self->capacity);
}

static void
change_log (GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirTimelinePage *self = data;
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  gboolean on = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  if (session != NULL && on && !weir_session_get_snapshot (session)->is_logging)
    start_log (self);
  else if (session != NULL && !on && weir_session_get_snapshot (session)->is_logging)
    weir_session_stop_log (session);
  if (on)
    weir_host_show_page (self->parent.host, "timeline");
}

static void
session_replaced (WeirTimelinePage *self)
{
  self->is_of_run = FALSE;
  weir_timeline_panel_leave (self->panel);
  if (wants_log (self))
    start_log (self);
}

/* What the run says about its log: how much there is, and where it stands still, what
 * it is. */
static void
state_changed (WeirTimelinePage *self)
{
  WeirSession *session = weir_runner_get_session (self->parent.runner);
  WeirRunLog *run_log;
  const WeirSnapshot *snapshot;

  if (session == NULL)
    return;
  snapshot = weir_session_get_snapshot (session);
  weir_timeline_panel_set_log (self->panel, snapshot->n_logged, snapshot->n_given_up,
                               snapshot->is_logging ? self->capacity : 0);
  if (snapshot->is_logging && snapshot->n_logged != self->n_asked
      && weir_session_get_state (session) == WEIR_SESSION_PAUSED)
    {
      self->n_asked = snapshot->n_logged;
      weir_session_request_log (session);
    }
  run_log = weir_session_take_log (session);
  if (run_log != NULL)
    read_log (self, run_log, NULL, _ ("This run"));
}

/* --- Files ----------------------------------------------------------------------------------- */

gboolean
weir_timeline_page_save (WeirTimelinePage *self, GFile *file)
{
  WeirPlayback *playback = weir_timeline_panel_get_playback (self->panel);
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (playback == NULL || path == NULL)
    return FALSE;
  if (!weir_trace_save (weir_playback_get_trace (playback), path, &error))
    {
      weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, weir_error_say (error));
      return FALSE;
    }
  text = g_strdup_printf (_ ("Saved “%s”"), name);
  weir_host_toast (self->parent.host, text);
  return TRUE;
}

static void
open_from (gpointer page, GFile *file)
{
  weir_timeline_page_open (page, file);
}

static void
save_to (gpointer page, GFile *file)
{
  weir_timeline_page_save (page, file);
}

static void
choose_open (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_ask_for_file (WEIR_PAGE (data)->host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                           .title = _ ("Open a Change Log"),
                                           .accept = _ ("_Open") },
                     open_from, data, NULL);
}

static void
choose_save (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_ask_for_file (WEIR_PAGE (data)->host,
                     &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                           .title = _ ("Save the Change Log"),
                                           .accept = _ ("_Save"),
                                           .name = "run.weirlog" },
                     save_to, data, NULL);
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_timeline_page_add_log (WeirTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "record", .state = "false", .change_state = change_log },
    { .name = "timeline-open", .activate = choose_open },
    { .name = "timeline-save", .activate = choose_save },
  };

  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  g_signal_connect_object (self->parent.runner, "notify::session", G_CALLBACK (session_replaced),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (state_changed), self,
                           G_CONNECT_SWAPPED);
}
