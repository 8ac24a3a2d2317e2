/* Recordings of a run, and of files: a run is recorded while the action "record" is on, and handed
 * over when it pauses or ends; either kind is made ready in a thread of its own.
 */
#include <glib/gi18n-lib.h>

#include "gui/host/chooser.h"
#include "gui/pages/timeline-page-private.h"

#define PROGRESS_MS 100

/* --- Making a recording ready ---------------------------------------------------------------- */

struct _WeirReading {
  WeirEditor *editor;              /* borrowed; NULL: nobody wants the result any more */
  WeirSessionRecording *recording; /* or NULL: to be read from ... */
  char *path;
  char *title;
  gint cancel, done;
};

static void
reading_free (gpointer data)
{
  WeirReading *reading = data;

  g_clear_pointer (&reading->recording, weir_session_recording_free);
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
  WeirTape *tape = NULL;

  if (reading->recording != NULL)
    trace = weir_trace_new (reading->recording->log, reading->title);
  else
    trace = weir_trace_load (reading->path, &error);
  if (trace != NULL)
    tape = weir_tape_new (trace, reading->recording != NULL ? reading->recording->stored : NULL,
                          &reading->cancel, &reading->done, &error);
  if (tape != NULL)
    g_task_return_pointer (task, tape, (GDestroyNotify) weir_tape_free);
  else
    g_task_return_error (task, error);
}

static void
end_reading (WeirEditor *self)
{
  g_clear_handle_id (&self->recorded->progress, g_source_remove);
  if (self->recorded->reading != NULL)
    {
      self->recorded->reading->editor = NULL;
      g_atomic_int_set (&self->recorded->reading->cancel, 1);
    }
  self->recorded->reading = NULL;
}

static void
take_tape (WeirEditor *self, WeirTape *tape, const char *title, gboolean is_of_run)
{
  WeirSession *session = weir_cache_model_get_session (self->cache_model);

  weir_editor_forget_fit (self);
  self->recorded->is_of_run = is_of_run;
  if (is_of_run && session != NULL)
    weir_tape_set_mean_ns (tape, weir_session_get_snapshot (session)->mean_ns);
  weir_timeline_panel_set_tape (weir_editor_get_timeline (self), tape, title);
  if (!is_of_run && !weir_editor_fits_recording (self))
    {
      g_autofree char *text = g_strdup_printf (
          _ ("“%s” is a recording of another model, which diagram and table do not follow."),
          title);

      weir_editor_toast (self, text);
    }
}

static void
read_finished (G_GNUC_UNUSED GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTape) tape = g_task_propagate_pointer (G_TASK (result), &error);
  WeirReading *reading = g_task_get_task_data (G_TASK (result));
  WeirEditor *self = reading->editor;

  if (self == NULL)
    return;
  end_reading (self);
  weir_timeline_panel_set_progress (weir_editor_get_timeline (self), -1);
  if (tape != NULL)
    take_tape (self, g_steal_pointer (&tape), reading->title, reading->path == NULL);
  else
    {
      g_autofree char *text = reading->path == NULL
                                  ? g_strdup (error->message)
                                  : g_strdup_printf ("%s: %s", reading->title, error->message);

      weir_editor_set_banner (self, GTK_MESSAGE_ERROR, text);
    }
}

static gboolean
tell_progress (gpointer data)
{
  WeirEditor *self = data;
  WeirReading *reading = self->recorded->reading;
  gsize n = 0;

  if (reading->recording != NULL)
    weir_change_log_get_records (reading->recording->log, &n);
  weir_timeline_panel_set_progress (
      weir_editor_get_timeline (self),
      n == 0 ? 0.0 : (double) g_atomic_int_get (&reading->done) / (double) n);
  return G_SOURCE_CONTINUE;
}

/* @recording: (transfer full) or NULL; then @path. */
static void
read_recording (WeirEditor *self, WeirSessionRecording *recording, const char *path,
                const char *title)
{
  WeirReading *reading = g_new0 (WeirReading, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, read_finished, NULL);

  end_reading (self);
  *reading = (WeirReading) {
    .editor = self, .recording = recording, .path = g_strdup (path), .title = g_strdup (title)
  };
  g_task_set_task_data (task, reading, reading_free);
  self->recorded->reading = reading;
  self->recorded->progress = g_timeout_add (PROGRESS_MS, tell_progress, self);
  g_task_run_in_thread (task, read_in_thread);
}

void
weir_editor_open_recording (WeirEditor *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);

  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "editor");
  weir_editor_show_page (self, "timeline");
  read_recording (self, NULL, path, name);
}

/* --- Recording the run ----------------------------------------------------------------------- */

static gboolean
wants_recording (WeirEditor *self)
{
  g_autoptr (GVariant)
      state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "record");

  return g_variant_get_boolean (state);
}

static void
start_recording (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);

  if (session == NULL)
    return;
  self->recorded->capacity = weir_timeline_panel_get_capacity (weir_editor_get_timeline (self));
  self->recorded->n_asked = 0;
  weir_session_start_recording (session,
                                weir_timeline_panel_get_mode (weir_editor_get_timeline (self)),
                                self->recorded->capacity);
}

static void
change_recording (GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirEditor *self = data;
  WeirSession *session = weir_runner_get_session (self->runner);
  gboolean on = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  if (session != NULL && on && !weir_session_get_snapshot (session)->is_recording)
    start_recording (self);
  else if (session != NULL && !on && weir_session_get_snapshot (session)->is_recording)
    weir_session_stop_recording (session);
  if (on)
    weir_editor_show_page (self, "timeline");
}

static void
session_replaced (WeirEditor *self)
{
  if (self->recorded == NULL)
    return;
  self->recorded->is_of_run = FALSE;
  weir_timeline_panel_leave (weir_editor_get_timeline (self));
  if (wants_recording (self))
    start_recording (self);
}

/* What the run says about its recording: how much there is, and where it stands still, what
 * it is. */
static void
state_changed (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  WeirSessionRecording *recording;
  const WeirSnapshot *snapshot;

  if (session == NULL || self->recorded == NULL)
    return;
  snapshot = weir_session_get_snapshot (session);
  weir_timeline_panel_set_recording (weir_editor_get_timeline (self), snapshot->n_recorded,
                                     snapshot->n_given_up,
                                     snapshot->is_recording ? self->recorded->capacity : 0);
  if (snapshot->is_recording && snapshot->n_recorded != self->recorded->n_asked
      && weir_session_get_state (session) == WEIR_SESSION_PAUSED)
    {
      self->recorded->n_asked = snapshot->n_recorded;
      weir_session_request_recording (session);
    }
  recording = weir_session_take_recording (session);
  if (recording != NULL)
    read_recording (self, recording, NULL, _ ("This run"));
}

/* --- Files ----------------------------------------------------------------------------------- */

gboolean
weir_editor_save_recording (WeirEditor *self, GFile *file)
{
  WeirTape *tape = weir_timeline_panel_get_tape (weir_editor_get_timeline (self));
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (tape == NULL || path == NULL)
    return FALSE;
  if (!weir_trace_save (weir_tape_get_trace (tape), path, &error))
    {
      weir_editor_set_banner (self, GTK_MESSAGE_ERROR, error->message);
      return FALSE;
    }
  text = g_strdup_printf (_ ("Saved “%s”"), name);
  weir_editor_toast (self, text);
  return TRUE;
}

static void
save_to (WeirEditor *self, GFile *file)
{
  weir_editor_save_recording (self, file);
}

static void
choose_open (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_ask_for_file (data,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_OPEN,
                                                  .title = _ ("Open a Recording"),
                                                  .accept = _ ("_Open") },
                            weir_editor_open_recording);
}

static void
choose_save (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_ask_for_file (data,
                            &(WeirFileQuestion) { .action = GTK_FILE_CHOOSER_ACTION_SAVE,
                                                  .title = _ ("Save the Recording"),
                                                  .accept = _ ("_Save"),
                                                  .name = "run.weirlog" },
                            save_to);
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_editor_add_recording (WeirEditor *self)
{
  static const GActionEntry entries[] = {
    { .name = "record", .state = "false", .change_state = change_recording },
    { .name = "timeline-open", .activate = choose_open },
    { .name = "timeline-save", .activate = choose_save },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  g_signal_connect_swapped (self->runner, "notify::session", G_CALLBACK (session_replaced), self);
  g_signal_connect_swapped (self->runner, "state-changed", G_CALLBACK (state_changed), self);
}

void
weir_editor_remove_recording (WeirEditor *self)
{
  end_reading (self);
}
