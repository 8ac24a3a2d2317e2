/* The page of the timeline: showing the moments of a log in every view. See timeline-page.h.
 *
 * Where the graph of a log is that of the structure that is shown, the cache model shows the
 * moment or stretch that is looked at in place of the run's newest figures; the diagram, the table
 * and the cards follow from that. The time cursor is one with that of the plots.
 *
 * A run is logged while the action "log" is on, and its log handed over when it pauses or ends;
 * logs of runs and of files are made ready in a thread of their own.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/error.h"
#include "gui/host/chooser.h"
#include "gui/pages/timeline-page.h"
#include "gui/parts/slow-motion.h"
#include "lab/timeline-panel.h"
#include "lab/timeline-text.h"
#include "lab/timeline-view.h"
#include "scopes/scopes.h"

#define PROGRESS_MS 100

typedef struct _WeirReading WeirReading;
typedef struct _WeirRepetition WeirRepetition;

struct _WeirTimelinePage {
  WeirPage parent;
  WeirTimelinePanel *panel;
  GtkEventController *keys;   /* of the whole editor */
  WeirReading *reading;       /* a log that is made ready; borrowed from its task */
  guint progress;             /* source that tells how far */
  WeirRepetition *repetition; /* the one that goes on; borrowed from its task */
  gsize capacity;             /* of the log that goes on */
  guint64 n_asked;            /* records when it was asked for last, so that a pause asks once */
  gboolean is_of_run;         /* the playback is of the newest run */
  char *overlay_before;       /* the canvas's mode before a moment was shown, or NULL */
};

G_DEFINE_FINAL_TYPE (WeirTimelinePage, weir_timeline_page, WEIR_TYPE_PAGE)

/* Is the log about the structure that is shown? */
static gboolean
fits (WeirTimelinePage *self)
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

static void
end_reading (WeirTimelinePage *self)
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
  if (!is_of_run && !fits (self))
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
  end_reading (self);
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

  end_reading (self);
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
      G_ACTION_GROUP (weir_host_get_actions (self->parent.host)), "log");

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

/* --- Its actions -------------------------------------------------------------------------------
 */

static void
add_log (WeirTimelinePage *self)
{
  static const GActionEntry entries[] = {
    { .name = "log", .state = "false", .change_state = change_log },
    { .name = "timeline-open", .activate = choose_open },
    { .name = "timeline-save", .activate = choose_save },
  };

  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  g_signal_connect_object (self->parent.runner, "notify::session", G_CALLBACK (session_replaced),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "state-changed", G_CALLBACK (state_changed), self,
                           G_CONNECT_SWAPPED);
}

/* --- Showing a moment ------------------------------------------------------------------------ */

/* The canvas shows states while a moment is looked at, unless it shows something else already. */
static void
show_overlay (WeirTimelinePage *self, gboolean on)
{
  if (on && self->overlay_before == NULL
      && weir_canvas_get_overlay_mode (self->parent.canvas) == WEIR_OVERLAY_OFF)
    {
      g_object_get (self->parent.canvas, "overlay", &self->overlay_before, NULL);
      g_object_set (self->parent.canvas, "overlay", weir_overlay_mode_to_nick (WEIR_OVERLAY_STATE),
                    NULL);
    }
  else if (!on && self->overlay_before != NULL)
    {
      if (weir_canvas_get_overlay_mode (self->parent.canvas) == WEIR_OVERLAY_STATE)
        g_object_set (self->parent.canvas, "overlay", self->overlay_before, NULL);
      g_clear_pointer (&self->overlay_before, g_free);
    }
}

static void
update_actions (WeirTimelinePage *self)
{
  WeirPlayback *playback = weir_timeline_panel_get_playback (self->panel);
  gsize cursor = weir_timeline_panel_get_cursor (self->panel), n, first, end;
  const WeirLogRecord *records = playback != NULL ? weir_trace_get_records (
                                     weir_playback_get_trace (playback), &n)
                                                  : NULL;
  gboolean is_event = cursor != G_MAXSIZE
                      && (records[cursor].kind == WEIR_LOG_EVENT
                          || records[cursor].kind == WEIR_LOG_JOINT)
                      && !weir_timeline_panel_get_range (self->panel, &first, &end);
  const char *const of_playback[] = {
    "timeline-previous",      "timeline-next", "timeline-previous-reaching",
    "timeline-next-reaching", "timeline-save", "timeline-close"
  };
  gboolean is_fitting = fits (self);

  for (guint i = 0; i < G_N_ELEMENTS (of_playback); i++)
    weir_host_set_enabled (self->parent.host, of_playback[i], playback != NULL);
  weir_host_set_enabled (self->parent.host, "timeline-skip",
                         is_event && self->repetition == NULL && is_fitting);
  weir_host_set_enabled (self->parent.host, "timeline-slow", is_fitting);
}

static void
show_moment (WeirTimelinePage *self)
{
  WeirPlayback *playback = weir_timeline_panel_get_playback (self->panel);
  gsize cursor = weir_timeline_panel_get_cursor (self->panel), first, end, n;
  gboolean has_range = weir_timeline_panel_get_range (self->panel, &first, &end);
  const WeirSnapshot *snapshot = NULL;
  g_autofree char *caption = NULL;
  g_autoptr (GError) error = NULL;
  double time = (double) NAN;
  WeirScopes *scopes = weir_host_find (self->parent.host, WEIR_TYPE_SCOPES);

  if (playback != NULL && (has_range || cursor != G_MAXSIZE))
    {
      if (has_range)
        {
          snapshot = weir_playback_show_range (playback, first, end, &error);
          caption = weir_timeline_describe_range (playback, first, end);
        }
      else
        {
          snapshot = weir_playback_show (
              playback,
              weir_scrubber_get_place_after (weir_playback_get_scrubber (playback), cursor),
              &error);
          caption = weir_timeline_describe_moment (playback, cursor);
        }
      time = weir_trace_get_records (weir_playback_get_trace (playback),
                                     &n)[has_range ? end - 1 : cursor]
                 .time;
      if (snapshot == NULL)
        weir_host_toast (self->parent.host, weir_error_say (error));
    }
  if (snapshot != NULL && !fits (self))
    snapshot = NULL;
  show_overlay (self, snapshot != NULL);
  weir_cache_model_set_logged (self->parent.cache, snapshot, caption);
  if (scopes != NULL)
    weir_scopes_set_cursor (scopes, time);
  update_actions (self);
}

static void
moment_changed (WeirTimelinePage *self)
{
  show_moment (self);
  weir_slow_part_note_moment (weir_host_find (self->parent.host, WEIR_TYPE_SLOW_PART));
}

/* The pointer on a plot leads the timeline, while a moment of the same run is looked at. */
static void
plot_cursor_moved (WeirTimelinePage *self, double time)
{
  gsize first, end;

  if (!isnan (time) && self->is_of_run && weir_timeline_panel_get_cursor (self->panel) != G_MAXSIZE
      && !weir_timeline_panel_get_range (self->panel, &first, &end))
    weir_timeline_panel_go_to_time (self->panel, time);
}

static void
go_to (WeirTimelinePage *self, const char *path)
{
  weir_host_go_to_path (self->parent.host, path);
}

/* --- Other commands -------------------------------------------------------------------------- */

/* The entries of the blocks that are selected and of all within them, as bits; NULL: nothing is
 * selected. */
static guint64 *
list_selected_entries (WeirTimelinePage *self)
{
  guint n_ids;
  const guint32 *ids = weir_canvas_get_selected (self->parent.canvas, &n_ids);
  WeirLayout *layout = fits (self) ? weir_cache_model_get_layout (self->parent.cache) : NULL;
  g_autoptr (GHashTable) nodes = g_hash_table_new (NULL, NULL);
  guint n = layout != NULL ? weir_layout_get_n_entries (layout) : 0;
  guint64 *bits;

  for (guint i = 0; i < n_ids && layout != NULL; i++)
    {
      WeirNode node;

      if (weir_cache_model_find_node (self->parent.cache, ids[i], &node))
        g_hash_table_add (nodes, GUINT_TO_POINTER (node.i + 1));
    }
  if (g_hash_table_size (nodes) == 0)
    return NULL;
  bits = g_new0 (guint64, n / 64 + 1);
  for (guint32 e = 0; e < n; e++)
    for (guint32 node = weir_layout_get_entry (layout, (WeirEntry) { e }).node.i;
         node != WEIR_NO_INDEX; node = weir_layout_get_parent (layout, (WeirNode) { node }).i)
      if (g_hash_table_contains (nodes, GUINT_TO_POINTER (node + 1)))
        {
          bits[e / 64] |= G_GUINT64_CONSTANT (1) << (e % 64);
          break;
        }
  return bits;
}

static void
step (WeirTimelinePage *self, int direction, gboolean reaching)
{
  g_autofree guint64 *entries = reaching ? list_selected_entries (self) : NULL;

  if (reaching && entries == NULL)
    weir_host_toast (self->parent.host,
                     _ ("Select a block first: then the next event that reaches it is found."));
  else if (!weir_timeline_panel_step (self->panel, direction, entries))
    weir_host_toast (self->parent.host, direction > 0
                                            ? _ ("There is no later event in the change log.")
                                            : _ ("There is no earlier event in the change log."));
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
previous_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,
                   gpointer data)
{
  step (data, -1, TRUE);
}

static void
next_reaching (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  step (data, 1, TRUE);
}

static void
watch (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_slow_part_play_log (weir_host_find (WEIR_PAGE (data)->host, WEIR_TYPE_SLOW_PART));
}

static void
close_playback (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirTimelinePage *self = data;

  weir_timeline_panel_set_playback (self->panel, NULL, NULL);
}

static void
show_timeline (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirTimelinePage *self = data;

  weir_host_show_page (self->parent.host, "timeline");
  gtk_widget_grab_focus (weir_timeline_panel_get_view (self->panel));
}

/* --- Repeating the run without the change event that is looked at, in a thread of its own ---- */

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
        weir_timeline_panel_describe (self->panel, weir_error_say (error));
    }
  update_actions (self);
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
  if (playback == NULL || !fits (self) || self->repetition != NULL)
    return;
  if (system == NULL)
    {
      weir_host_toast (self->parent.host, _ ("The model has been changed since: run it again."));
      return;
    }
  s = g_new0 (WeirRepetition, 1);
  if (!weir_runner_read_settings (self->parent.runner, &s->options, &s->stop_time, &error))
    {
      weir_host_toast (self->parent.host, weir_error_say (error));
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
  update_actions (self);
  g_task_run_in_thread (task, repeat_in_thread);
}

static void
repeat_without (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_document_when_completed (WEIR_PAGE (data)->document, repeat_completed, data);
}

static void
end_repetition (WeirTimelinePage *self)
{
  if (self->repetition == NULL)
    return;
  self->repetition->page = NULL;
  g_atomic_int_set (&self->repetition->cancel, 1);
}

/* --- All of it ------------------------------------------------------------------------------- */

static void
view_stepped (WeirTimelinePage *self, int direction, gboolean reaching)
{
  step (self, direction, reaching);
}

/* The keys of the timeline hold everywhere but where they are typed: nobody has to click into it
 * first. Whatever has the keyboard comes first, text for one. */
static void
add_keys (WeirTimelinePage *self)
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
  gtk_shortcut_controller_set_scope (GTK_SHORTCUT_CONTROLLER (controller),
                                     GTK_SHORTCUT_SCOPE_GLOBAL);
  gtk_widget_add_controller (GTK_WIDGET (self->parent.host), controller);
  g_set_object (&self->keys, controller);
}

static void
ready (WeirPage *page)
{
  WeirTimelinePage *self = WEIR_TIMELINE_PAGE (page);
  WeirScopes *scopes = weir_host_find (page->host, WEIR_TYPE_SCOPES);

  if (scopes != NULL)
    g_signal_connect_object (scopes, "cursor-moved", G_CALLBACK (plot_cursor_moved), self,
                             G_CONNECT_SWAPPED);
  update_actions (self);
}

static gboolean
open_log (WeirPage *page, GFile *file)
{
  if (!weir_playback_is_change_log (file))
    return FALSE;
  weir_timeline_page_open (WEIR_TIMELINE_PAGE (page), file);
  return TRUE;
}

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "show-timeline", .activate = show_timeline },
    { .name = "timeline-close", .activate = close_playback },
    { .name = "timeline-slow", .activate = watch },
    { .name = "timeline-skip", .activate = repeat_without },
    { .name = "timeline-previous", .activate = previous },
    { .name = "timeline-next", .activate = next },
    { .name = "timeline-previous-reaching", .activate = previous_reaching },
    { .name = "timeline-next-reaching", .activate = next_reaching },
  };
  WeirTimelinePage *self = WEIR_TIMELINE_PAGE (object);

  G_OBJECT_CLASS (weir_timeline_page_parent_class)->constructed (object);
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  g_signal_connect_object (weir_timeline_panel_get_view (self->panel), "step",
                           G_CALLBACK (view_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.cache, "structure-changed", G_CALLBACK (show_moment), self,
                           G_CONNECT_SWAPPED);
  add_log (self);
  add_keys (self);
}

static void
dispose (GObject *object)
{
  WeirTimelinePage *self = WEIR_TIMELINE_PAGE (object);

  if (self->parent.host != NULL)
    {
      end_reading (self);
      end_repetition (self);
      weir_cache_model_set_logged (self->parent.cache, NULL, NULL);
      gtk_widget_remove_controller (GTK_WIDGET (self->parent.host), self->keys);
      g_clear_object (&self->keys);
    }
  g_clear_pointer (&self->overlay_before, g_free);
  G_OBJECT_CLASS (weir_timeline_page_parent_class)->dispose (object);
}

static void
weir_timeline_page_class_init (WeirTimelinePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  WEIR_PAGE_CLASS (klass)->open = open_log;
  g_type_ensure (WEIR_TYPE_TIMELINE_PANEL);
  weir_set_template (klass, "timeline-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirTimelinePage, panel);
  gtk_widget_class_bind_template_callback (widget_class, moment_changed);
  gtk_widget_class_bind_template_callback (widget_class, go_to);
}

static void
weir_timeline_page_init (WeirTimelinePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
