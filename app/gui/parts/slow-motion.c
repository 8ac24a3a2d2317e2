/* Slow motion in the editor: what can be shown, rehearsing it in a thread of its own, and the
 * canvas while it is shown.
 *
 * Nothing of the run is touched: a paused run is copied, a standing model begun on the side. What
 * was rehearsed holds until the run goes on or the model is another one; then it is rehearsed anew
 * when somebody plays. Where a recording is looked at, that can be shown instead, from the event
 * chosen in it; the timeline then goes along.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/rehearsal.h"
#include "cache/slow-bar.h"
#include "gui/pages/timeline-page-private.h"
#include "model/completion/completion.h"

#define MOST_CHOICES 2000   /* sources listed */
#define MOST_MARKS 200000   /* shown of one rehearsal */
#define MOST_RECORDED 20000 /* marks shown of a recording, which is not made ready in a thread */

enum { STEP, RECORDED }; /* choices; what follows are changes */

struct _WeirSlow {
  GArray *sources;     /* WeirSourceInfo, by choice from n_before on; the first choice is a step */
  guint n_before;      /* choices before them: 2 where there is a recording to show */
  gboolean is_leading; /* the timeline, to the record of the beat */
  WeirLayout *layout;  /* that they are of; or NULL; only compared */
  guint64 n_events;    /* of the run, when it was rehearsed; 0 without one */
  guint serial;        /* of the rehearsal under way */
  gboolean is_busy, plays; /* a rehearsal is under way, and is to be played */
  GBytes *given;           /* the run to show it of instead of the present one; or NULL */
};

static WeirSlowBar *
get_bar (WeirEditor *self)
{
  return WEIR_SLOW_BAR (self->slow_bar);
}

gboolean
weir_editor_is_slow (WeirEditor *self)
{
  return self->slow != NULL && gtk_widget_get_visible (self->slow_bar)
         && weir_slow_bar_get_motion (get_bar (self)) != NULL;
}

/* --- Choices --------------------------------------------------------------------------------- */

/* The first is the next step; then time, and whatever else can change. */
static void
list_choices (WeirEditor *self, guint chosen)
{
  WeirSlow *slow = self->slow;
  WeirLayout *layout = weir_cache_model_get_layout (self->cache_model);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) all = NULL;

  g_array_set_size (slow->sources, 0);
  slow->layout = layout;
  slow->n_before = weir_editor_fits_recording (self) ? RECORDED + 1 : RECORDED;
  g_ptr_array_add (names, g_strdup (_ ("One step of the run")));
  if (slow->n_before > RECORDED)
    g_ptr_array_add (names, g_strdup (_ ("The recording, from where it is looked at")));
  if (layout != NULL)
    all = weir_layout_list_sources (layout);
  for (guint i = 0; all != NULL && i < all->len && slow->sources->len < MOST_CHOICES; i++)
    {
      const WeirSourceInfo *source = &g_array_index (all, WeirSourceInfo, i);
      WeirExplainer *explainer = weir_cache_model_get_explainer (self->cache_model);
      g_autofree char *title = NULL;

      if (!weir_source_info_can_rehearse (source))
        continue;
      title = weir_cache_model_dup_tracker_title (
          self->cache_model,
          weir_walk_get_tracker ((WeirWalk *) weir_explainer_get_walk (explainer), source->node,
                                 source->ticket));
      /* Translators: something changes in a demonstration, such as "Gain: parameter gain". */
      g_ptr_array_add (names, g_strdup_printf (_ ("A change of %s"), title));
      g_array_append_val (slow->sources, *source);
    }
  g_ptr_array_add (names, NULL);
  weir_slow_bar_set_choices (get_bar (self), (const char *const *) names->pdata,
                             chosen < slow->n_before + slow->sources->len ? chosen : 0);
}

static gboolean
is_of_recording (WeirEditor *self)
{
  return self->slow->n_before > RECORDED && weir_slow_bar_get_chosen (get_bar (self)) == RECORDED;
}

/* What changes, by choice; NULL: nothing does by itself. */
static const WeirSourceInfo *
get_source (WeirEditor *self, guint choice)
{
  guint i = choice - self->slow->n_before;

  return choice >= self->slow->n_before && i < self->slow->sources->len
             ? &g_array_index (self->slow->sources, WeirSourceInfo, i)
             : NULL;
}

/* The first source of a block; 0, which is a step, where it has none. */
static guint
find_choice (WeirEditor *self, guint32 block)
{
  WeirNode node;

  if (block == 0 || !weir_cache_model_find_node (self->cache_model, block, &node))
    return 0;
  for (guint i = 0; i < self->slow->sources->len; i++)
    if (g_array_index (self->slow->sources, WeirSourceInfo, i).node.i == node.i)
      return i + self->slow->n_before;
  return 0;
}

/* --- Rehearsing ------------------------------------------------------------------------------ */

typedef struct {
  WeirRehearsal rehearsal;
  char **logged;
  gboolean is_step;
  WeirSourceInfo source;
  guint serial;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  g_clear_pointer (&task->rehearsal.root, weir_system_unref);
  g_clear_pointer (&task->rehearsal.run, g_bytes_unref);
  g_strfreev (task->logged);
  g_free (task);
}

static void
rehearse_in_thread (GTask *gtask, G_GNUC_UNUSED gpointer source, gpointer data,
                    G_GNUC_UNUSED GCancellable *cancellable)
{
  Task *task = data;
  GError *error = NULL;
  WeirTrace *trace = task->is_step
                         ? weir_rehearse_step (&task->rehearsal, &error)
                         : weir_rehearse_change (&task->rehearsal, &task->source, 1, &error);
  WeirSlowMotion *motion = trace != NULL
                               ? weir_slow_motion_new (trace, 0, G_MAXSIZE, MOST_MARKS, &error)
                               : NULL;

  g_clear_pointer (&trace, weir_trace_unref);
  if (motion != NULL)
    g_task_return_pointer (gtask, motion, (GDestroyNotify) weir_slow_motion_free);
  else
    g_task_return_error (gtask, error);
}

static void
rehearsed (GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirEditor *self = WEIR_EDITOR (object);
  g_autoptr (GError) error = NULL;
  WeirSlowMotion *motion = g_task_propagate_pointer (G_TASK (result), &error);
  Task *task = g_task_get_task_data (G_TASK (result));

  if (self->slow == NULL || task->serial != self->slow->serial) /* nobody waits for it any more */
    {
      g_clear_pointer (&motion, weir_slow_motion_free);
      return;
    }
  self->slow->is_busy = FALSE;
  if (motion == NULL)
    {
      weir_slow_bar_tell (get_bar (self), error->message);
      return;
    }
  weir_slow_bar_set_motion (get_bar (self), motion);
  if (self->slow->plays)
    weir_slow_bar_play_or_pause (get_bar (self));
}

/* The run to copy; NULL for the model as it begins. FALSE where there is a run that cannot be
 * copied now. */
static gboolean
copy_run (WeirEditor *self, GBytes **run, GError **error)
{
  WeirSession *session = weir_cache_model_get_session (self->cache_model);

  *run = NULL;
  self->slow->n_events = 0;
  if (session == NULL || weir_session_get_state (session) == WEIR_SESSION_IDLE
      || weir_session_get_state (session) == WEIR_SESSION_FAILED)
    return TRUE;
  self->slow->n_events = weir_session_get_snapshot (session)->n_events;
  if (self->slow->given != NULL)
    {
      *run = g_bytes_ref (self->slow->given);
      return TRUE;
    }
  *run = weir_session_save (session, error);
  return *run != NULL;
}

/* The range chosen in the recording, or all from the event looked at on. */
static void
show_recorded (WeirEditor *self, gboolean plays)
{
  WeirTimelinePanel *timeline = weir_editor_get_timeline (self);
  WeirTape *tape = weir_timeline_panel_get_tape (timeline);
  gsize cursor = weir_timeline_panel_get_cursor (timeline), first, end;
  g_autoptr (GError) error = NULL;
  WeirSlowMotion *motion;

  if (!weir_timeline_panel_get_range (timeline, &first, &end))
    {
      first = cursor != G_MAXSIZE ? weir_scrubber_get_whole (weir_tape_get_scrubber (tape), cursor)
                                  : 0;
      end = G_MAXSIZE;
    }
  motion = weir_slow_motion_new (weir_tape_get_trace (tape), first, end, MOST_RECORDED, &error);
  if (motion == NULL)
    {
      weir_slow_bar_tell (get_bar (self), error->message);
      return;
    }
  weir_slow_bar_set_motion (get_bar (self), motion);
  if (plays)
    weir_slow_bar_play_or_pause (get_bar (self));
}

static void
rehearse (WeirEditor *self, gboolean plays)
{
  WeirSlow *slow = self->slow;
  const WeirSourceInfo *source = get_source (self, weir_slow_bar_get_chosen (get_bar (self)));
  WeirSystem *system;
  g_autoptr (GTask) gtask = NULL;
  g_autoptr (GError) error = NULL;
  Task *task;

  slow->serial++;
  slow->plays = plays;
  slow->is_busy = FALSE;
  if (is_of_recording (self))
    {
      show_recorded (self, plays);
      return;
    }
  system = weir_cache_model_wait (self->cache_model)
               ? weir_cache_model_get_system (self->cache_model)
               : NULL;
  if (system == NULL)
    {
      weir_slow_bar_tell (get_bar (self), _ ("The model is not complete yet; see Problems."));
      return;
    }
  task = g_new0 (Task, 1);
  task->serial = slow->serial;
  task->rehearsal.root = weir_system_ref (system);
  task->logged = weir_model_dup_default_log (weir_document_get_model (self->document));
  task->rehearsal.logged = (const char *const *) task->logged;
  task->is_step = source == NULL;
  if (!task->is_step)
    task->source = *source;
  if (!weir_runner_read_settings (self->runner, &task->rehearsal.options,
                                  &task->rehearsal.stop_time, &error)
      || !copy_run (self, &task->rehearsal.run, &error))
    {
      weir_slow_bar_tell (get_bar (self), error->message);
      task_free (task);
      return;
    }
  slow->is_busy = TRUE;
  weir_slow_bar_tell (get_bar (self), _ ("Rehearsing…"));
  gtask = g_task_new (self, NULL, rehearsed, NULL);
  g_task_set_task_data (gtask, task, task_free);
  g_task_run_in_thread (gtask, rehearse_in_thread);
}

/* What is shown holds no more. */
static void
forget (WeirEditor *self)
{
  self->slow->serial++;
  self->slow->is_busy = FALSE;
  g_clear_pointer (&self->slow->given, g_bytes_unref);
  weir_slow_bar_tell (get_bar (self), _ ("Press Play, or go on beat by beat."));
}

/* --- Following ------------------------------------------------------------------------------- */

static void
chosen (WeirEditor *self)
{
  g_clear_pointer (&self->slow->given, g_bytes_unref);
  rehearse (self, FALSE);
}

static void
wanted (WeirEditor *self)
{
  if (!self->slow->is_busy)
    rehearse (self, TRUE);
}

static void
structure_changed (WeirEditor *self)
{
  if (!gtk_widget_get_visible (self->slow_bar))
    return;
  list_choices (self, weir_slow_bar_get_chosen (get_bar (self)));
  forget (self);
}

/* The run has gone on. */
static void
run_changed (WeirEditor *self)
{
  WeirSession *session = weir_cache_model_get_session (self->cache_model);
  guint64 n_events = session != NULL ? weir_session_get_snapshot (session)->n_events : 0;

  if (gtk_widget_get_visible (self->slow_bar) && weir_slow_bar_get_motion (get_bar (self)) != NULL
      && !is_of_recording (self) && n_events != self->slow->n_events)
    forget (self);
}

/* Another beat, or another moment of it: the timeline goes to its record. */
static void
moved (WeirEditor *self)
{
  WeirSlowMotion *motion = weir_slow_bar_get_motion (get_bar (self));
  const WeirBeat *beat = motion != NULL ? weir_slow_motion_get_present (motion) : NULL;
  gsize first, end;

  if (beat != NULL && is_of_recording (self)
      && !weir_timeline_panel_get_range (weir_editor_get_timeline (self), &first, &end)
      && weir_timeline_panel_get_cursor (weir_editor_get_timeline (self)) != beat->record)
    {
      self->slow->is_leading = TRUE;
      weir_timeline_panel_go_to (weir_editor_get_timeline (self), beat->record);
      self->slow->is_leading = FALSE;
    }
  weir_editor_refresh_overlay (self);
}

/* Another moment or range of the recording, or another recording. */
static void
moment_changed (WeirEditor *self)
{
  guint chosen, before;
  gboolean was_recorded;

  if (self->slow == NULL || self->slow->is_leading || !gtk_widget_get_visible (self->slow_bar))
    return;
  chosen = weir_slow_bar_get_chosen (get_bar (self));
  before = self->slow->n_before;
  was_recorded = is_of_recording (self);
  if ((before > RECORDED) != weir_editor_fits_recording (self))
    list_choices (self, was_recorded       ? 0
                        : chosen >= before ? chosen + (before > RECORDED ? -1u : 1u)
                                           : chosen);
  if (is_of_recording (self))
    show_recorded (self, FALSE);
  else if (was_recorded)
    forget (self);
}

static void
open_bar (WeirEditor *self, gboolean on)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "slow-motion");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (on));
  gtk_widget_set_visible (self->slow_bar, on);
  if (!on)
    {
      forget (self);
      gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
      weir_editor_refresh_overlay (self);
      return;
    }
  weir_cache_model_wait (self->cache_model);
  list_choices (self, 0);
  list_choices (self, find_choice (self, weir_canvas_get_selected_block (self->canvas)));
  rehearse (self, FALSE);
  weir_slow_bar_focus (get_bar (self));
}

/* The choice that a path names; 0 if there is none. */
static guint
find_named (WeirEditor *self, const char *source)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->cache_model);
  WeirNode node;
  WeirTicket ticket;
  guint32 tracker;

  if (explainer == NULL || !weir_explainer_find (explainer, source, &tracker, NULL))
    return 0;
  if (self->slow->layout != weir_cache_model_get_layout (self->cache_model))
    list_choices (self, 0);
  weir_walk_locate (weir_explainer_get_walk (explainer), tracker, &node, &ticket);
  for (guint i = 0; i < self->slow->sources->len; i++)
    {
      const WeirSourceInfo *info = &g_array_index (self->slow->sources, WeirSourceInfo, i);

      if (info->ticket.i == ticket.i && (info->node.i == node.i || ticket.i == WEIR_TICKET_TIME))
        return i + self->slow->n_before;
    }
  return 0;
}

gboolean
weir_editor_can_watch (WeirEditor *self, const char *source)
{
  return find_named (self, source) > 0;
}

void
weir_editor_watch (WeirEditor *self, const char *source, GBytes *run)
{
  guint choice = find_named (self, source);

  if (choice == 0)
    return;
  if (!gtk_widget_get_visible (self->slow_bar))
    open_bar (self, TRUE);
  list_choices (self, choice);
  g_clear_pointer (&self->slow->given, g_bytes_unref);
  self->slow->given = run != NULL ? g_bytes_ref (run) : NULL;
  rehearse (self, TRUE);
}

void
weir_editor_watch_recorded (WeirEditor *self)
{
  if (!gtk_widget_get_visible (self->slow_bar))
    open_bar (self, TRUE);
  list_choices (self, RECORDED);
  g_clear_pointer (&self->slow->given, g_bytes_unref);
  rehearse (self, TRUE);
}

/* --- Actions --------------------------------------------------------------------------------- */

#define ACTION(name)                                                                               \
  static void name (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value,            \
                    gpointer data)

ACTION (first)
{
  weir_slow_bar_go (get_bar (data), 1);
}

ACTION (previous)
{
  weir_slow_bar_step (get_bar (data), -1);
}

ACTION (play)
{
  weir_slow_bar_play_or_pause (get_bar (data));
}

ACTION (next)
{
  weir_slow_bar_step (get_bar (data), 1);
}

ACTION (last)
{
  weir_slow_bar_go (get_bar (data), G_MAXUINT);
}

ACTION (faster)
{
  weir_slow_bar_change_speed (get_bar (data), 1.5);
}

ACTION (slower)
{
  weir_slow_bar_change_speed (get_bar (data), 1 / 1.5);
}

static void
toggle (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  open_bar (data, g_variant_get_boolean (value));
}

static const GActionEntry entries[] = {
  { .name = "slow-motion", .state = "false", .change_state = toggle },
  { .name = "slow-first", .activate = first },
  { .name = "slow-previous", .activate = previous },
  { .name = "slow-play", .activate = play },
  { .name = "slow-next", .activate = next },
  { .name = "slow-last", .activate = last },
  { .name = "slow-faster", .activate = faster },
  { .name = "slow-slower", .activate = slower },
};

void
weir_editor_add_slow (WeirEditor *self)
{
  self->slow = g_new0 (WeirSlow, 1);
  self->slow->sources = g_array_new (FALSE, FALSE, sizeof (WeirSourceInfo));
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  for (guint i = 1; i < G_N_ELEMENTS (entries); i++)
    g_object_bind_property (
        self->slow_bar, "visible",
        g_action_map_lookup_action (G_ACTION_MAP (self->actions), entries[i].name), "enabled",
        G_BINDING_SYNC_CREATE);
  g_signal_connect_swapped (self->slow_bar, "chosen", G_CALLBACK (chosen), self);
  g_signal_connect_swapped (self->slow_bar, "wanted", G_CALLBACK (wanted), self);
  g_signal_connect_swapped (self->slow_bar, "moved", G_CALLBACK (moved), self);
  g_signal_connect_swapped (self->timeline, "moment-changed", G_CALLBACK (moment_changed), self);
  g_signal_connect_object (self->cache_model, "structure-changed", G_CALLBACK (structure_changed),
                           self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->cache_model, "figures-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
}

void
weir_editor_remove_slow (WeirEditor *self)
{
  if (self->slow == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->slow_bar, self);
  g_array_unref (self->slow->sources);
  g_clear_pointer (&self->slow->given, g_bytes_unref);
  g_clear_pointer (&self->slow, g_free);
}
