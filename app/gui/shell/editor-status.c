/* The status bar: the state of the run, and how far it has come. */
#include <glib/gi18n-lib.h>

#include "cache/cache-figures.h"
#include "gui/shell/editor-private.h"

static const char *
state_text (WeirSessionState state)
{
  switch (state)
    {
    case WEIR_SESSION_RUNNING:
      return _ ("Running");
    case WEIR_SESSION_PAUSED:
      return _ ("Paused");
    case WEIR_SESSION_FINISHED:
      return _ ("Finished");
    case WEIR_SESSION_STOPPED:
      return _ ("Stopped");
    case WEIR_SESSION_FAILED:
      return _ ("Failed");
    case WEIR_SESSION_IDLE:
    default:
      return _ ("Ready");
    }
}

/* " · 12 s left", where that is known and worth telling. (transfer full) */
static char *
remaining_text (const WeirSnapshot *snapshot, WeirSessionState state)
{
  double left = snapshot->remaining;

  if (state != WEIR_SESSION_RUNNING || left < 1)
    return g_strdup ("");
  return left < 120 ? g_strdup_printf (_ (" · %.0f s left"), left)
                    : g_strdup_printf (_ (" · %.0f min left"), left / 60);
}

/* The remark on how a run is recorded; the tooltip has the sentence. */
static const char *
room_text (WeirRoom room)
{
  switch (room)
    {
    case WEIR_ROOM_NOTHING_RECORDED:
      return _ (" · nothing is recorded");
    case WEIR_ROOM_IN_FILE:
      return _ (" · results in a file");
    case WEIR_ROOM_THINNED:
      return _ (" · fewer results are kept");
    case WEIR_ROOM_ENOUGH:
    default:
      return "";
    }
}

static void
note_running (WeirEditor *self)
{
  if (self->is_running == weir_runner_is_active (self->runner))
    return;
  self->is_running = !self->is_running;
  if (self->run_toast != NULL)
    adw_toast_dismiss (self->run_toast);
  weir_editor_note_running (self);
  g_object_notify (G_OBJECT (self), "running");
}

static void
describe (WeirEditor *self, WeirSession *session)
{
  const WeirSnapshot *snapshot = weir_session_get_snapshot (session);
  WeirSessionState state = weir_session_get_state (session);
  g_autofree char *count = weir_cache_format_count (snapshot->statistics.steps);
  g_autofree char *steps = g_strdup_printf (
      ngettext ("%s step", "%s steps", (gulong) snapshot->statistics.steps), count);
  g_autofree char *left = remaining_text (snapshot, state);
  WeirRecorder *recorder = weir_session_get_recorder (session);
  g_autofree char *notice = state != WEIR_SESSION_IDLE ? weir_recorder_dup_notice (recorder) : NULL;
  const char *remark = weir_runner_is_outdated (self->runner)
                           ? _ (" · of the model before the last edits")
                       : notice != NULL ? room_text (weir_recorder_get_room (recorder))
                                        : "";
  /* Where there is little room, what ends is cut: the remark matters more than the steps.
   * Translators: state, time of stop time, perhaps a remark, number of steps, time left. */
  g_autofree char *text = g_strdup_printf (_ ("%s · t = %.4g of %.4g s%s · %s%s"),
                                           state_text (state), snapshot->time, snapshot->stop_time,
                                           remark, steps, left);

  gtk_label_set_text (GTK_LABEL (self->status), text);
  gtk_widget_set_tooltip_text (self->status, notice);
  gtk_widget_set_visible (self->progress, weir_runner_is_active (self->runner));
  gtk_progress_bar_set_fraction (
      GTK_PROGRESS_BAR (self->progress),
      snapshot->stop_time > 0 ? CLAMP (snapshot->time / snapshot->stop_time, 0, 1) : 1);
}

void
weir_editor_update_status (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);

  weir_editor_update_actions (self);
  note_running (self);
  if (weir_runner_is_starting (self->runner))
    {
      gtk_label_set_text (GTK_LABEL (self->status), _ ("Preparing the run…"));
      gtk_widget_set_tooltip_text (self->status, NULL);
      gtk_widget_set_visible (self->progress, TRUE);
      gtk_progress_bar_pulse (GTK_PROGRESS_BAR (self->progress));
      return;
    }
  if (session != NULL)
    {
      describe (self, session);
      return;
    }
  gtk_label_set_text (GTK_LABEL (self->status), _ ("Ready"));
  gtk_widget_set_tooltip_text (self->status, NULL);
  gtk_widget_set_visible (self->progress, FALSE);
}
