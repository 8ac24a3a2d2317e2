/* Recordings in the window: making one of a run, opening one, and showing its moments in every view.
 *
 * A recording is made ready in a thread of its own. Where its graph is that of the structure that is shown, the
 * cache model shows the moment or stretch that is looked at in place of the run's newest figures; the diagram, the
 * table and the cards follow from that. The time cursor is one with that of the plots.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "gui/settings.h"
#include "gui/window-private.h"
#include "lab/timeline-panel.h"
#include "lab/timeline-text.h"
#include "lab/timeline-view.h"
#include "scopes/scopes.h"

#define PROGRESS_MS 100
#define MAX_SKIP_STEPS 500 /* that are followed after an event that is left out */

typedef struct _Reading Reading;

struct _WeirWindowTimeline {
  Reading *reading;      /* that goes on; borrowed from its task */
  guint progress;        /* source that tells how far */
  gint *skip_cancel;     /* of the repetition that goes on; borrowed from its task ... */
  WeirWindow **skipping_window; /* ... and where it keeps the window */
  gsize capacity;        /* of the recording that goes on */
  guint64 n_asked;       /* records when it was asked for last, so that a pause asks once */
  WeirLayout *fitted;    /* the layout that was compared last ... */
  gboolean fits;         /* ... and what came of it */
  gboolean is_of_run;    /* the tape is of the newest run */
  char *overlay_before;  /* the canvas's mode before a moment was shown, or NULL */
};

static WeirTimelinePanel *
get_panel (WeirWindow *self)
{
  return WEIR_TIMELINE_PANEL (self->timeline);
}

static GSimpleAction *
get_action (WeirWindow *self, const char *name)
{
  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name));
}

static gboolean
wants_recording (WeirWindow *self)
{
  g_autoptr (GVariant) state = g_action_get_state (G_ACTION (get_action (self, "record")));

  return g_variant_get_boolean (state);
}

/* --- Showing a moment ----------------------------------------------------------------------------------- */

/* Is the recording about the structure that is shown? */
static gboolean
fits (WeirWindow *self)
{
  WeirWindowTimeline *own = self->recorded;
  WeirTape *tape = weir_timeline_panel_get_tape (get_panel (self));
  WeirLayout *layout = tape != NULL ? weir_cache_model_get_layout (self->cache_model) : NULL;

  if (layout == NULL)
    return FALSE;
  if (layout != own->fitted)
    {
      g_clear_pointer (&own->fitted, weir_layout_unref);
      own->fitted = weir_layout_ref (layout);
      own->fits = weir_trace_fits (weir_tape_get_trace (tape), layout);
    }
  return own->fits;
}

static void
forget_fit (WeirWindow *self)
{
  g_clear_pointer (&self->recorded->fitted, weir_layout_unref);
}

/* The canvas shows states while a moment is looked at, unless it shows something else already. */
static void
show_overlay (WeirWindow *self, gboolean on)
{
  WeirWindowTimeline *own = self->recorded;

  if (on && own->overlay_before == NULL && weir_canvas_get_overlay_mode (self->canvas) == WEIR_OVERLAY_OFF)
    {
      g_object_get (self->canvas, "overlay", &own->overlay_before, NULL);
      g_object_set (self->canvas, "overlay", weir_overlay_mode_to_nick (WEIR_OVERLAY_STATE), NULL);
    }
  else if (!on && own->overlay_before != NULL)
    {
      if (weir_canvas_get_overlay_mode (self->canvas) == WEIR_OVERLAY_STATE)
        g_object_set (self->canvas, "overlay", own->overlay_before, NULL);
      g_clear_pointer (&own->overlay_before, g_free);
    }
}

static void
update_actions (WeirWindow *self)
{
  WeirTape *tape = weir_timeline_panel_get_tape (get_panel (self));
  gsize cursor = weir_timeline_panel_get_cursor (get_panel (self)), n, first, end;
  const WeirLogRecord *records
      = tape != NULL ? weir_trace_get_records (weir_tape_get_trace (tape), &n) : NULL;
  gboolean is_event = cursor != G_MAXSIZE
                      && (records[cursor].kind == WEIR_LOG_EVENT || records[cursor].kind == WEIR_LOG_JOINT)
                      && !weir_timeline_panel_get_range (get_panel (self), &first, &end);
  const char *const of_tape[] = { "timeline-previous", "timeline-next", "timeline-previous-reaching",
                                  "timeline-next-reaching", "timeline-save", "timeline-close" };

  for (guint i = 0; i < G_N_ELEMENTS (of_tape); i++)
    g_simple_action_set_enabled (get_action (self, of_tape[i]), tape != NULL);
  g_simple_action_set_enabled (get_action (self, "timeline-skip"),
                               is_event && self->recorded->skip_cancel == NULL && fits (self));
}

static void
show_moment (WeirWindow *self)
{
  WeirTape *tape = weir_timeline_panel_get_tape (get_panel (self));
  gsize cursor = weir_timeline_panel_get_cursor (get_panel (self)), first, end, n;
  gboolean has_range = weir_timeline_panel_get_range (get_panel (self), &first, &end);
  const WeirSnapshot *snapshot = NULL;
  g_autofree char *caption = NULL;
  g_autoptr (GError) error = NULL;
  double time = (double) NAN;

  if (tape != NULL && (has_range || cursor != G_MAXSIZE))
    {
      if (has_range)
        {
          snapshot = weir_tape_show_range (tape, first, end, &error);
          caption = weir_timeline_describe_range (tape, first, end);
        }
      else
        {
          snapshot = weir_tape_show (
              tape, weir_scrubber_get_place_after (weir_tape_get_scrubber (tape), cursor), &error);
          caption = weir_timeline_describe_moment (tape, cursor);
        }
      time = weir_trace_get_records (weir_tape_get_trace (tape), &n)[has_range ? end - 1 : cursor].time;
      if (snapshot == NULL)
        weir_window_toast (self, error->message);
    }
  if (snapshot != NULL && !fits (self))
    snapshot = NULL;
  show_overlay (self, snapshot != NULL);
  weir_cache_model_set_recorded (self->cache_model, snapshot, caption);
  weir_scopes_set_cursor (WEIR_SCOPES (self->scopes), time);
  update_actions (self);
}

static void
structure_changed (WeirWindow *self)
{
  if (self->recorded == NULL)
    return;
  forget_fit (self);
  show_moment (self);
}

/* The pointer on a plot leads the timeline, while a moment of the same run is looked at. */
static void
plot_cursor_moved (WeirWindow *self, double time)
{
  gsize first, end;

  if (!isnan (time) && self->recorded->is_of_run
      && weir_timeline_panel_get_cursor (get_panel (self)) != G_MAXSIZE
      && !weir_timeline_panel_get_range (get_panel (self), &first, &end))
    weir_timeline_panel_go_to_time (get_panel (self), time);
}

static void
go_to_path (WeirWindow *self, const char *path)
{
  WeirBlock *block = weir_model_find_path (weir_document_get_model (self->document), path);

  if (block != NULL)
    weir_canvas_select_block (self->canvas, weir_block_get_id (block));
}

/* --- Making a recording ready ------------------------------------------------------------------------------ */

struct _Reading {
  WeirWindow *window;    /* borrowed; NULL: nobody wants the result any more */
  WeirSessionRecording *recording; /* or NULL: to be read from ... */
  char *path;
  char *title;
  gint cancel, done;
};

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_clear_pointer (&reading->recording, weir_session_recording_free);
  g_free (reading->path);
  g_free (reading->title);
  g_free (reading);
}

static void
read_in_thread (GTask *task, G_GNUC_UNUSED gpointer source, gpointer data,
                G_GNUC_UNUSED GCancellable *cancellable)
{
  Reading *reading = data;
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
end_reading (WeirWindow *self)
{
  g_clear_handle_id (&self->recorded->progress, g_source_remove);
  if (self->recorded->reading != NULL)
    {
      self->recorded->reading->window = NULL;
      g_atomic_int_set (&self->recorded->reading->cancel, 1);
    }
  self->recorded->reading = NULL;
}

static void
take_tape (WeirWindow *self, WeirTape *tape, const char *title, gboolean is_of_run)
{
  WeirSession *session = weir_cache_model_get_session (self->cache_model);

  forget_fit (self);
  self->recorded->is_of_run = is_of_run;
  if (is_of_run && session != NULL)
    weir_tape_set_mean_ns (tape, weir_session_get_snapshot (session)->mean_ns);
  weir_timeline_panel_set_tape (get_panel (self), tape, title);
  if (!is_of_run && !fits (self))
    {
      g_autofree char *text = g_strdup_printf (
          _ ("“%s” is a recording of another model, which diagram and table do not follow."), title);

      weir_window_toast (self, text);
    }
}

static void
read_finished (G_GNUC_UNUSED GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirTape) tape = g_task_propagate_pointer (G_TASK (result), &error);
  Reading *reading = g_task_get_task_data (G_TASK (result));
  WeirWindow *self = reading->window;

  if (self == NULL)
    return;
  end_reading (self);
  weir_timeline_panel_set_progress (get_panel (self), -1);
  if (tape != NULL)
    take_tape (self, g_steal_pointer (&tape), reading->title, reading->path == NULL);
  else
    {
      g_autofree char *text = reading->path == NULL
                                  ? g_strdup (error->message)
                                  : g_strdup_printf ("%s: %s", reading->title, error->message);

      weir_window_set_banner (self, GTK_MESSAGE_ERROR, text);
    }
}

static gboolean
tell_progress (gpointer data)
{
  WeirWindow *self = data;
  Reading *reading = self->recorded->reading;
  gsize n = 0;

  if (reading->recording != NULL)
    weir_change_log_get_records (reading->recording->log, &n);
  weir_timeline_panel_set_progress (
      get_panel (self), n == 0 ? 0.0 : (double) g_atomic_int_get (&reading->done) / (double) n);
  return G_SOURCE_CONTINUE;
}

/* @recording: (transfer full) or NULL; then @path. */
static void
read_recording (WeirWindow *self, WeirSessionRecording *recording, const char *path, const char *title)
{
  Reading *reading = g_new0 (Reading, 1);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, read_finished, NULL);

  end_reading (self);
  *reading = (Reading) { .window = self, .recording = recording, .path = g_strdup (path),
                         .title = g_strdup (title) };
  g_task_set_task_data (task, reading, reading_free);
  self->recorded->reading = reading;
  self->recorded->progress = g_timeout_add (PROGRESS_MS, tell_progress, self);
  g_task_run_in_thread (task, read_in_thread);
}

void
weir_window_open_recording (WeirWindow *self, GFile *file)
{
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file);

  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "editor");
  weir_window_show_page (self, "timeline");
  read_recording (self, NULL, path, name);
}

/* --- Recording the run ---------------------------------------------------------------------------------------- */

static void
start_recording (WeirWindow *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);

  if (session == NULL)
    return;
  self->recorded->capacity = weir_timeline_panel_get_capacity (get_panel (self));
  self->recorded->n_asked = 0;
  weir_session_start_recording (session, weir_timeline_panel_get_mode (get_panel (self)),
                                self->recorded->capacity);
}

static void
change_recording (GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirWindow *self = data;
  WeirSession *session = weir_runner_get_session (self->runner);
  gboolean on = g_variant_get_boolean (value);

  g_simple_action_set_state (action, value);
  if (session != NULL && on && !weir_session_get_snapshot (session)->is_recording)
    start_recording (self);
  else if (session != NULL && !on && weir_session_get_snapshot (session)->is_recording)
    weir_session_stop_recording (session);
  if (on)
    weir_window_show_page (self, "timeline");
}

static void
session_replaced (WeirWindow *self)
{
  if (self->recorded == NULL)
    return;
  self->recorded->is_of_run = FALSE;
  weir_timeline_panel_leave (get_panel (self));
  if (wants_recording (self))
    start_recording (self);
}

/* What the run says about its recording: how much there is, and where it stands still, what it is. */
static void
state_changed (WeirWindow *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  WeirSessionRecording *recording;
  const WeirSnapshot *snapshot;

  if (session == NULL || self->recorded == NULL)
    return;
  snapshot = weir_session_get_snapshot (session);
  weir_timeline_panel_set_recording (get_panel (self), snapshot->n_recorded, snapshot->n_given_up,
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

/* --- Without an event ------------------------------------------------------------------------------------------ */

typedef struct {
  WeirWindow *window; /* borrowed; NULL: nobody wants the result any more */
  WeirSystem *system;
  WeirSimulatorOptions options;
  double stop_time;
  GStrv logs;
  WeirTape *tape;     /* borrowed; that it is of is compared */
  GArray *stored;     /* WeirStoredRun, of the tape, which waits for the end */
  WeirLogRecord event;
  gsize index;
  WeirSkipResult result;
  gint cancel;
} Skipping;

static void
skipping_free (gpointer data)
{
  Skipping *skipping = data;

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
  Skipping *s = data;
  GError *error = NULL;

  if (weir_skip_event (s->system, &s->options, s->stop_time, (const char *const *) s->logs, s->stored, &s->event,
                       MAX_SKIP_STEPS, &s->cancel, &s->result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
skip_finished (G_GNUC_UNUSED GObject *object, GAsyncResult *async_result, G_GNUC_UNUSED gpointer data)
{
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (async_result), &error);
  Skipping *s = g_task_get_task_data (G_TASK (async_result));
  WeirWindow *self = s->window;

  if (self == NULL)
    return;
  self->recorded->skip_cancel = NULL;
  if (weir_timeline_panel_get_tape (get_panel (self)) == s->tape
      && weir_timeline_panel_get_cursor (get_panel (self)) == s->index)
    {
      if (done)
        weir_timeline_panel_set_skipped (get_panel (self), &s->result);
      else
        weir_timeline_panel_describe (get_panel (self), error->message);
    }
  update_actions (self);
}

static void
skip (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirWindow *self = data;
  WeirTape *tape = weir_timeline_panel_get_tape (get_panel (self));
  WeirSystem *system = weir_cache_model_get_system (self->cache_model);
  g_autoptr (GTask) task = NULL;
  g_autoptr (GError) error = NULL;
  Skipping *s;
  gsize n;

  if (tape == NULL || !fits (self) || self->recorded->skip_cancel != NULL)
    return;
  if (system == NULL)
    {
      weir_window_toast (self, _ ("The model has been changed since: run it again."));
      return;
    }
  s = g_new0 (Skipping, 1);
  if (!weir_runner_read_settings (self->runner, &s->options, &s->stop_time, &error))
    {
      weir_window_toast (self, error->message);
      g_free (s);
      return;
    }
  task = g_task_new (NULL, NULL, skip_finished, NULL);
  s->window = self;
  s->system = weir_system_ref (system);
  s->logs = weir_runner_dup_logs (self->runner);
  s->tape = tape;
  s->stored = weir_tape_get_stored (tape) != NULL ? weir_stored_runs_copy (weir_tape_get_stored (tape)) : NULL;
  s->index = weir_timeline_panel_get_cursor (get_panel (self));
  s->event = weir_trace_get_records (weir_tape_get_trace (tape), &n)[s->index];
  g_task_set_task_data (task, s, skipping_free);
  self->recorded->skip_cancel = &s->cancel;
  self->recorded->skipping_window = &s->window;
  weir_timeline_panel_set_skipped (get_panel (self), NULL);
  update_actions (self);
  g_task_run_in_thread (task, skip_in_thread);
}

/* --- Other commands ---------------------------------------------------------------------------------------------- */

/* The entries of the blocks that are selected and of all within them, as bits; NULL: nothing is selected. */
static guint64 *
list_selected_entries (WeirWindow *self)
{
  guint n_ids;
  const guint32 *ids = weir_canvas_get_selected (self->canvas, &n_ids);
  WeirLayout *layout = fits (self) ? weir_cache_model_get_layout (self->cache_model) : NULL;
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  guint n = layout != NULL ? weir_layout_get_n_entries (layout) : 0;
  guint64 *bits;

  for (guint i = 0; i < n_ids && layout != NULL; i++)
    {
      WeirNode node;

      if (weir_cache_model_find_node (self->cache_model, ids[i], &node))
        g_hash_table_add (nodes, GUINT_TO_POINTER (node.i + 1));
    }
  if (g_hash_table_size (nodes) == 0)
    return NULL;
  bits = g_new0 (guint64, n / 64 + 1);
  for (guint32 e = 0; e < n; e++)
    for (guint32 node = weir_layout_get_entry (layout, (WeirEntry) { e }).node.i; node != WEIR_NO_INDEX;
         node = weir_layout_get_parent (layout, (WeirNode) { node }).i)
      if (g_hash_table_contains (nodes, GUINT_TO_POINTER (node + 1)))
        {
          bits[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
          break;
        }
  return bits;
}

static void
step (WeirWindow *self, int direction, gboolean reaching)
{
  g_autofree guint64 *entries = reaching ? list_selected_entries (self) : NULL;

  if (reaching && entries == NULL)
    weir_window_toast (self, _ ("Select a block first: then the next event that reaches it is found."));
  else if (!weir_timeline_panel_step (get_panel (self), direction, entries))
    weir_window_toast (self, direction > 0 ? _ ("There is no later event in the recording.")
                                           : _ ("There is no earlier event in the recording."));
}

static void
previous (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, -1, FALSE);
}

static void
next (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, 1, FALSE);
}

static void
previous_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, -1, TRUE);
}

static void
next_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, 1, TRUE);
}

static void
close_tape (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirWindow *self = data;

  forget_fit (self);
  weir_timeline_panel_set_tape (get_panel (self), NULL, NULL);
}

static void
show_timeline (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirWindow *self = data;

  weir_window_show_page (self, "timeline");
  gtk_widget_grab_focus (weir_timeline_panel_get_view (get_panel (self)));
}

/* --- Files --------------------------------------------------------------------------------------------------------- */

static void
choose (WeirWindow *self, GtkFileChooserAction action, const char *title, const char *accept, GCallback response)
{
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (title, weir_window_get_toplevel (self), action,
                                                               accept, _ ("_Cancel"));

  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  if (action == GTK_FILE_CHOOSER_ACTION_SAVE)
    gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "run.weirlog");
  g_set_object (&self->chooser, chooser);
  g_object_unref (chooser);
  g_signal_connect (chooser, "response", response, self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static GFile *
end_choice (GtkNativeDialog *dialog, int response, WeirWindow *self)
{
  GFile *file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  g_clear_object (&self->chooser);
  return file;
}

static void
open_response (GtkNativeDialog *dialog, int response, WeirWindow *self)
{
  g_autoptr (GFile) file = end_choice (dialog, response, self);

  if (file != NULL)
    weir_window_open_recording (self, file);
}

gboolean
weir_window_save_recording (WeirWindow *self, GFile *file)
{
  WeirTape *tape = weir_timeline_panel_get_tape (get_panel (self));
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file), *text = NULL;
  g_autoptr (GError) error = NULL;

  if (tape == NULL || path == NULL)
    return FALSE;
  if (!weir_trace_save (weir_tape_get_trace (tape), path, &error))
    {
      weir_window_set_banner (self, GTK_MESSAGE_ERROR, error->message);
      return FALSE;
    }
  text = g_strdup_printf (_ ("Saved “%s”"), name);
  weir_window_toast (self, text);
  return TRUE;
}

static void
save_response (GtkNativeDialog *dialog, int response, WeirWindow *self)
{
  g_autoptr (GFile) file = end_choice (dialog, response, self);

  if (file != NULL)
    weir_window_save_recording (self, file);
}

static void
choose_open (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  choose (data, GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Open a Recording"), _ ("_Open"), G_CALLBACK (open_response));
}

static void
choose_save (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  choose (data, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save the Recording"), _ ("_Save"), G_CALLBACK (save_response));
}

/* --- All of it -------------------------------------------------------------------------------------------------------- */

static void
view_stepped (WeirWindow *self, int direction, gboolean reaching)
{
  step (self, direction, reaching);
}

/* The keys of the timeline hold on the canvas too. */
static void
add_canvas_keys (WeirWindow *self)
{
  static const struct {
    guint key;
    GdkModifierType held;
    const char *action;
  } keys[] = { { GDK_KEY_comma, 0, "win.timeline-previous" },
               { GDK_KEY_period, 0, "win.timeline-next" },
               { GDK_KEY_less, GDK_SHIFT_MASK, "win.timeline-previous-reaching" },
               { GDK_KEY_greater, GDK_SHIFT_MASK, "win.timeline-next-reaching" },
               { GDK_KEY_comma, GDK_SHIFT_MASK, "win.timeline-previous-reaching" },
               { GDK_KEY_period, GDK_SHIFT_MASK, "win.timeline-next-reaching" } };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, keys[i].held),
                          gtk_named_action_new (keys[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self->canvas), controller);
}

void
weir_window_add_timeline (WeirWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "record", .state = "false", .change_state = change_recording },
    { .name = "show-timeline", .activate = show_timeline },
    { .name = "timeline-open", .activate = choose_open },
    { .name = "timeline-save", .activate = choose_save },
    { .name = "timeline-close", .activate = close_tape },
    { .name = "timeline-previous", .activate = previous },
    { .name = "timeline-next", .activate = next },
    { .name = "timeline-previous-reaching", .activate = previous_reaching },
    { .name = "timeline-next-reaching", .activate = next_reaching },
    { .name = "timeline-skip", .activate = skip },
  };

  self->recorded = g_new0 (WeirWindowTimeline, 1);
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_swapped (self->timeline, "moment-changed", G_CALLBACK (show_moment), self);
  g_signal_connect_swapped (self->timeline, "go-to", G_CALLBACK (go_to_path), self);
  g_signal_connect_swapped (weir_timeline_panel_get_view (get_panel (self)), "step", G_CALLBACK (view_stepped),
                            self);
  g_signal_connect_swapped (self->scopes, "cursor-moved", G_CALLBACK (plot_cursor_moved), self);
  g_signal_connect_swapped (self->cache_model, "structure-changed", G_CALLBACK (structure_changed), self);
  g_signal_connect_swapped (self->runner, "notify::session", G_CALLBACK (session_replaced), self);
  g_signal_connect_swapped (self->runner, "state-changed", G_CALLBACK (state_changed), self);
  add_canvas_keys (self);
  update_actions (self);
}

void
weir_window_remove_timeline (WeirWindow *self)
{
  if (self->recorded == NULL)
    return;
  end_reading (self);
  if (self->recorded->skip_cancel != NULL)
    {
      g_atomic_int_set (self->recorded->skip_cancel, 1);
      *self->recorded->skipping_window = NULL;
    }
  if (self->cache_model != NULL)
    weir_cache_model_set_recorded (self->cache_model, NULL, NULL);
  g_signal_handlers_disconnect_by_data (weir_timeline_panel_get_view (get_panel (self)), self);
  g_signal_handlers_disconnect_by_data (self->timeline, self);
  g_signal_handlers_disconnect_by_data (self->scopes, self);
  g_clear_pointer (&self->recorded->fitted, weir_layout_unref);
  g_free (self->recorded->overlay_before);
  g_clear_pointer (&self->recorded, g_free);
  self->timeline = NULL;
}
