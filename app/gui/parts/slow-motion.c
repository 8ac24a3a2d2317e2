/* Slow motion. See slow-motion.h. */
#include "gui/parts/slow-motion.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "analysis/preview.h"
#include "base/error.h"
#include "cache/slow-bar.h"
#include "gui/parts/cache-views.h"
#include "lab/timeline-panel.h"
#include "model/completion/completion.h"

#define MOST_CHOICES 2000 /* sources listed */
#define MOST_MARKS 200000 /* shown of one preview */
#define MOST_LOGGED 20000 /* marks shown of a log, which is not made ready in a thread */

enum { STEP, RECORDED }; /* choices; what follows are changes */

struct _WeirSlowPart {
  WeirPart parent;
  GtkWidget *bar;
  GArray *sources;     /* WeirSourceInfo, by choice from n_before on; the first choice is a step */
  guint n_before;      /* choices before them: 2 where there is a log to show */
  gboolean is_leading; /* the timeline, to the record of the beat */
  WeirLayout *layout;  /* that they are of; or NULL; only compared */
  guint64 n_events;    /* of the run, when it was previewed; 0 without one */
  guint serial;        /* of the preview under way */
  gboolean is_waiting; /* for the completion of the model that is to be previewed */
  gboolean is_busy, plays; /* a preview is under way, and is to be played */
  GBytes *given;           /* the run to show it of instead of the present one; or NULL */
};

G_DEFINE_FINAL_TYPE (WeirSlowPart, weir_slow_part, WEIR_TYPE_PART)

static WeirSlowBar *
get_bar (WeirSlowPart *self)
{
  return WEIR_SLOW_BAR (self->bar);
}

static gboolean
is_shown (gpointer self)
{
  return gtk_widget_get_visible (((WeirSlowPart *) self)->bar)
         && weir_slow_bar_get_motion (get_bar (self)) != NULL;
}

static gboolean
fill (gpointer self, WeirCacheOverlay *overlay)
{
  return weir_slow_bar_fill (get_bar (self), overlay);
}

static WeirTimelinePanel *
get_timeline (WeirSlowPart *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_TIMELINE_PANEL);
}

/* Is the log that is looked at about the structure that is shown? */
static gboolean
fits_log (WeirSlowPart *self)
{
  WeirTimelinePanel *timeline = get_timeline (self);
  WeirPlayback *playback = timeline != NULL ? weir_timeline_panel_get_playback (timeline) : NULL;
  WeirLayout *layout = playback != NULL ? weir_cache_model_get_layout (self->parent.cache) : NULL;

  return layout != NULL && weir_playback_fits (playback, layout);
}

/* --- Choices --------------------------------------------------------------------------------- */

/* The first is the next step; then time, and whatever else can change. */
static void
list_choices (WeirSlowPart *self, guint chosen)
{
  WeirLayout *layout = weir_cache_model_get_layout (self->parent.cache);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) all = NULL;

  g_array_set_size (self->sources, 0);
  self->layout = layout;
  self->n_before = fits_log (self) ? RECORDED + 1 : RECORDED;
  g_ptr_array_add (names, g_strdup (_ ("One step of the run")));
  if (self->n_before > RECORDED)
    g_ptr_array_add (names, g_strdup (_ ("The change log, from where it is looked at")));
  if (layout != NULL)
    all = weir_layout_list_sources (layout);
  for (guint i = 0; all != NULL && i < all->len && self->sources->len < MOST_CHOICES; i++)
    {
      const WeirSourceInfo *source = &g_array_index (all, WeirSourceInfo, i);
      WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
      g_autofree char *title = NULL;

      if (!weir_source_info_can_preview (source))
        continue;
      title = weir_cache_model_dup_tracker_title (
          self->parent.cache,
          weir_walk_get_tracker ((WeirWalk *) weir_explainer_get_walk (explainer), source->node,
                                 source->ticket));
      /* Translators: something changes in a demonstration, such as "Gain: parameter gain". */
      g_ptr_array_add (names, g_strdup_printf (_ ("A change of %s"), title));
      g_array_append_val (self->sources, *source);
    }
  g_ptr_array_add (names, NULL);
  weir_slow_bar_set_choices (get_bar (self), (const char *const *) names->pdata,
                             chosen < self->n_before + self->sources->len ? chosen : 0);
}

static gboolean
is_of_log (WeirSlowPart *self)
{
  return self->n_before > RECORDED && weir_slow_bar_get_chosen (get_bar (self)) == RECORDED;
}

/* What changes, by choice; NULL: nothing does by itself. */
static const WeirSourceInfo *
get_source (WeirSlowPart *self, guint choice)
{
  guint i = choice - self->n_before;

  return choice >= self->n_before && i < self->sources->len
             ? &g_array_index (self->sources, WeirSourceInfo, i)
             : NULL;
}

/* The first source of a block; 0, which is a step, where it has none. */
static guint
find_choice (WeirSlowPart *self, guint32 block)
{
  WeirNode node;

  if (block == 0 || !weir_cache_model_find_node (self->parent.cache, block, &node))
    return 0;
  for (guint i = 0; i < self->sources->len; i++)
    if (g_array_index (self->sources, WeirSourceInfo, i).node.i == node.i)
      return i + self->n_before;
  return 0;
}

/* Of the selected block. */
static void
choose_selected (WeirSlowPart *self)
{
  list_choices (self, 0);
  list_choices (self, find_choice (self, weir_canvas_get_selected_block (self->parent.canvas)));
}

/* --- Previewing ------------------------------------------------------------------------------ */

typedef struct {
  WeirPreview preview;
  char **recorded_ports;
  gboolean is_step;
  WeirSourceInfo source;
  guint serial;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  g_clear_pointer (&task->preview.root, weir_system_unref);
  g_clear_pointer (&task->preview.run, g_bytes_unref);
  g_strfreev (task->recorded_ports);
  g_free (task);
}

static void
preview_in_thread (GTask *gtask, G_GNUC_UNUSED gpointer source, gpointer data,
                   G_GNUC_UNUSED GCancellable *cancellable)
{
  Task *task = data;
  GError *error = NULL;
  WeirTrace *trace = task->is_step ? weir_preview_step (&task->preview, &error)
                                   : weir_preview_change (&task->preview, &task->source, 1, &error);
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
previewed (GObject *object, GAsyncResult *result, G_GNUC_UNUSED gpointer data)
{
  WeirSlowPart *self = WEIR_SLOW_PART (object);
  g_autoptr (GError) error = NULL;
  WeirSlowMotion *motion = g_task_propagate_pointer (G_TASK (result), &error);
  Task *task = g_task_get_task_data (G_TASK (result));

  if (self->parent.host == NULL || task->serial != self->serial) /* nobody waits for it any more */
    {
      g_clear_pointer (&motion, weir_slow_motion_free);
      return;
    }
  self->is_busy = FALSE;
  if (motion == NULL)
    {
      weir_slow_bar_tell (get_bar (self), weir_error_say (error));
      return;
    }
  weir_slow_bar_set_motion (get_bar (self), motion);
  if (self->plays)
    weir_slow_bar_play_or_pause (get_bar (self));
}

/* The run to copy; NULL for the model as it begins. FALSE where there is a run that cannot be
 * copied now. */
static gboolean
copy_run (WeirSlowPart *self, GBytes **run, GError **error)
{
  WeirSession *session = weir_cache_model_get_session (self->parent.cache);

  *run = NULL;
  self->n_events = 0;
  if (session == NULL || weir_session_get_state (session) == WEIR_SESSION_IDLE
      || weir_session_get_state (session) == WEIR_SESSION_FAILED)
    return TRUE;
  self->n_events = weir_session_get_snapshot (session)->n_events;
  if (self->given != NULL)
    {
      *run = g_bytes_ref (self->given);
      return TRUE;
    }
  *run = weir_session_save (session, error);
  return *run != NULL;
}

/* The range chosen in the log, or all from the event looked at on. */
static void
show_logged (WeirSlowPart *self, gboolean plays)
{
  WeirTimelinePanel *timeline = get_timeline (self);
  WeirPlayback *playback = weir_timeline_panel_get_playback (timeline);
  gsize cursor = weir_timeline_panel_get_cursor (timeline), first, end;
  g_autoptr (GError) error = NULL;
  WeirSlowMotion *motion;

  if (!weir_timeline_panel_get_range (timeline, &first, &end))
    {
      first = cursor != G_MAXSIZE
                  ? weir_scrubber_get_whole (weir_playback_get_scrubber (playback), cursor)
                  : 0;
      end = G_MAXSIZE;
    }
  motion = weir_slow_motion_new (weir_playback_get_trace (playback), first, end, MOST_LOGGED,
                                 &error);
  if (motion == NULL)
    {
      weir_slow_bar_tell (get_bar (self), weir_error_say (error));
      return;
    }
  weir_slow_bar_set_motion (get_bar (self), motion);
  if (plays)
    weir_slow_bar_play_or_pause (get_bar (self));
}

/* Of the completed model. Choices that were listed while it was unknown are those of its blocks
 * now.
 */
static void
begin_preview (gpointer data)
{
  WeirSlowPart *self = data;
  const WeirSourceInfo *source;
  WeirSystem *system;
  g_autoptr (GTask) gtask = NULL;
  g_autoptr (GError) error = NULL;
  Task *task;

  if (self->parent.host == NULL || !self->is_waiting) /* nobody waits for it any more */
    return;
  self->is_waiting = self->is_busy = FALSE;
  if (self->layout == NULL)
    choose_selected (self);
  else if (self->layout != weir_cache_model_get_layout (self->parent.cache))
    list_choices (self, weir_slow_bar_get_chosen (get_bar (self)));
  source = get_source (self, weir_slow_bar_get_chosen (get_bar (self)));
  system = weir_cache_model_get_system (self->parent.cache);
  if (system == NULL)
    {
      weir_slow_bar_tell (get_bar (self), _ ("The model is not complete yet; see Problems."));
      return;
    }
  task = g_new0 (Task, 1);
  task->serial = self->serial;
  task->preview.root = weir_system_ref (system);
  task->recorded_ports = weir_model_dup_recorded_ports (
      weir_document_get_model (self->parent.document));
  task->preview.recorded_ports = (const char *const *) task->recorded_ports;
  task->is_step = source == NULL;
  if (!task->is_step)
    task->source = *source;
  if (!weir_runner_read_settings (self->parent.runner, &task->preview.options,
                                  &task->preview.stop_time, &error)
      || !copy_run (self, &task->preview.run, &error))
    {
      weir_slow_bar_tell (get_bar (self), weir_error_say (error));
      task_free (task);
      return;
    }
  self->is_busy = TRUE;
  weir_slow_bar_tell (get_bar (self), _ ("Preparing the Preview…"));
  gtask = g_task_new (self, NULL, previewed, NULL);
  g_task_set_task_data (gtask, task, task_free);
  g_task_run_in_thread (gtask, preview_in_thread);
}

static void
preview (WeirSlowPart *self, gboolean plays)
{
  self->serial++;
  self->plays = plays;
  self->is_waiting = self->is_busy = FALSE;
  if (is_of_log (self))
    {
      show_logged (self, plays);
      return;
    }
  self->is_waiting = self->is_busy = TRUE;
  weir_slow_bar_tell (get_bar (self), _ ("Preparing the Preview…"));
  weir_document_when_completed (self->parent.document, begin_preview, self);
}

/* What is shown holds no more. */
static void
forget (WeirSlowPart *self)
{
  self->serial++;
  self->is_waiting = self->is_busy = FALSE;
  g_clear_pointer (&self->given, g_bytes_unref);
  weir_slow_bar_tell (get_bar (self), _ ("Press Play, or go on beat by beat."));
}

/* --- Following ------------------------------------------------------------------------------- */

static void
chosen (WeirSlowPart *self)
{
  g_clear_pointer (&self->given, g_bytes_unref);
  preview (self, FALSE);
}

static void
wanted (WeirSlowPart *self)
{
  if (!self->is_busy)
    preview (self, TRUE);
}

static void
structure_changed (WeirSlowPart *self)
{
  if (!gtk_widget_get_visible (self->bar) || self->is_waiting)
    return;
  list_choices (self, weir_slow_bar_get_chosen (get_bar (self)));
  forget (self);
}

/* The run has gone on. */
static void
run_changed (WeirSlowPart *self)
{
  WeirSession *session = weir_cache_model_get_session (self->parent.cache);
  guint64 n_events = session != NULL ? weir_session_get_snapshot (session)->n_events : 0;

  if (gtk_widget_get_visible (self->bar) && weir_slow_bar_get_motion (get_bar (self)) != NULL
      && !is_of_log (self) && n_events != self->n_events)
    forget (self);
}

/* Another beat, or another moment of it: the timeline goes to its record. */
static void
moved (WeirSlowPart *self)
{
  WeirSlowMotion *motion = weir_slow_bar_get_motion (get_bar (self));
  const WeirBeat *beat = motion != NULL ? weir_slow_motion_get_present (motion) : NULL;
  gsize first, end;

  if (beat != NULL && is_of_log (self)
      && !weir_timeline_panel_get_range (get_timeline (self), &first, &end)
      && weir_timeline_panel_get_cursor (get_timeline (self)) != beat->record)
    {
      self->is_leading = TRUE;
      weir_timeline_panel_go_to (get_timeline (self), beat->record);
      self->is_leading = FALSE;
    }
  weir_cache_views_refresh (self->parent.host);
}

void
weir_slow_part_note_moment (WeirSlowPart *self)
{
  guint chosen, before;
  gboolean was_logged;

  if (self->is_leading || !gtk_widget_get_visible (self->bar))
    return;
  chosen = weir_slow_bar_get_chosen (get_bar (self));
  before = self->n_before;
  was_logged = is_of_log (self);
  if ((before > RECORDED) != fits_log (self))
    list_choices (self, was_logged         ? 0
                        : chosen >= before ? chosen + (before > RECORDED ? -1u : 1u)
                                           : chosen);
  if (is_of_log (self))
    show_logged (self, FALSE);
  else if (was_logged)
    forget (self);
}

static void
open_bar (WeirSlowPart *self, gboolean on)
{
  weir_host_set_state (self->parent.host, "slow-motion", g_variant_new_boolean (on));
  gtk_widget_set_visible (self->bar, on);
  if (!on)
    {
      forget (self);
      gtk_widget_grab_focus (GTK_WIDGET (self->parent.canvas));
      weir_cache_views_refresh (self->parent.host);
      return;
    }
  choose_selected (self);
  preview (self, FALSE);
  weir_slow_bar_focus (get_bar (self));
}

/* The choice that a path names; 0 if there is none. */
static guint
find_named (WeirSlowPart *self, const char *source)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->parent.cache);
  WeirNode node;
  WeirTicket ticket;
  guint32 tracker;

  if (explainer == NULL || !weir_explainer_find (explainer, source, &tracker, NULL))
    return 0;
  if (self->layout != weir_cache_model_get_layout (self->parent.cache))
    list_choices (self, 0);
  weir_walk_locate (weir_explainer_get_walk (explainer), tracker, &node, &ticket);
  for (guint i = 0; i < self->sources->len; i++)
    {
      const WeirSourceInfo *info = &g_array_index (self->sources, WeirSourceInfo, i);

      if (info->ticket.i == ticket.i && (info->node.i == node.i || ticket.i == WEIR_TICKET_TIME))
        return i + self->n_before;
    }
  return 0;
}

gboolean
weir_slow_part_can_play (WeirSlowPart *self, const char *source)
{
  return find_named (self, source) > 0;
}

void
weir_slow_part_play (WeirSlowPart *self, const char *source, GBytes *run)
{
  guint choice = find_named (self, source);

  if (choice == 0)
    return;
  if (!gtk_widget_get_visible (self->bar))
    open_bar (self, TRUE);
  list_choices (self, choice);
  g_clear_pointer (&self->given, g_bytes_unref);
  self->given = run != NULL ? g_bytes_ref (run) : NULL;
  preview (self, TRUE);
}

void
weir_slow_part_play_log (WeirSlowPart *self)
{
  if (!gtk_widget_get_visible (self->bar))
    open_bar (self, TRUE);
  list_choices (self, RECORDED);
  g_clear_pointer (&self->given, g_bytes_unref);
  preview (self, TRUE);
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

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const WeirGuestView guest = { is_shown, fill };
  WeirSlowPart *self = WEIR_SLOW_PART (object);
  WeirPart *part = &self->parent;

  G_OBJECT_CLASS (weir_slow_part_parent_class)->constructed (object);
  self->sources = g_array_new (FALSE, FALSE, sizeof (WeirSourceInfo));
  self->bar = weir_slow_bar_new (part->cache);
  gtk_widget_set_visible (self->bar, FALSE);
  weir_host_add_widget (part->host, WEIR_SLOT_ABOVE_CANVAS, self->bar);
  weir_part_add_actions (part, entries, G_N_ELEMENTS (entries));
  for (guint i = 1; i < G_N_ELEMENTS (entries); i++)
    g_object_bind_property (
        self->bar, "visible",
        g_action_map_lookup_action (weir_host_get_actions (part->host), entries[i].name), "enabled",
        G_BINDING_SYNC_CREATE);
  weir_cache_views_set_guest (part->host, &guest, self);
  g_signal_connect_object (self->bar, "chosen", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "wanted", G_CALLBACK (wanted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "moved", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (part->cache, "structure-changed", G_CALLBACK (structure_changed), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (part->cache, "figures-changed", G_CALLBACK (run_changed), self,
                           G_CONNECT_SWAPPED);
}

static void
dispose (GObject *object)
{
  WeirPart *part = WEIR_PART (object);

  if (part->host != NULL)
    weir_cache_views_set_guest (part->host, NULL, NULL);
  G_OBJECT_CLASS (weir_slow_part_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  WeirSlowPart *self = WEIR_SLOW_PART (object);

  g_array_unref (self->sources);
  g_clear_pointer (&self->given, g_bytes_unref);
  G_OBJECT_CLASS (weir_slow_part_parent_class)->finalize (object);
}

static void
weir_slow_part_class_init (WeirSlowPartClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
weir_slow_part_init (G_GNUC_UNUSED WeirSlowPart *self)
{
}
