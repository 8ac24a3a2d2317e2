/* What depends on the state of the document and the run: which actions are on, the status bar, and
 * a word that a run has ended. */
#include <glib/gi18n-lib.h>

#include "base/error.h"
#include "cache/cache-figures.h"
#include "gui/host/settings.h"
#include "gui/shell/editor-private.h"
#include "widgets/tooltips.h"

/* --- What can be done ------------------------------------------------------------------------ */

/* "Undo Move 2 blocks (Ctrl+Z)" */
static void
describe_history (GtkWidget *button, const char *verb, const char *what, const char *keys)
{
  g_autofree char *text = what != NULL ? g_strdup_printf ("%s %s (%s)", verb, what, keys)
                                       : g_strdup_printf ("%s (%s)", verb, keys);

  weir_set_tooltip (button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
set_enabled (WeirEditor *self, const char *name, gboolean enabled)
{
  weir_host_set_enabled (WEIR_HOST (self), name, enabled);
}

void
weir_editor_update_actions (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  gboolean starting = weir_runner_is_starting (self->runner);
  gboolean running = starting
                     || (session != NULL
                         && weir_session_get_state (session) == WEIR_SESSION_RUNNING);

  set_enabled (self, "undo", weir_document_can_undo (self->document));
  set_enabled (self, "redo", weir_document_can_redo (self->document));
  describe_history (self->undo_button, _ ("Undo"), weir_document_get_undo_label (self->document),
                    _ ("Ctrl+Z"));
  describe_history (self->redo_button, _ ("Redo"), weir_document_get_redo_label (self->document),
                    _ ("Ctrl+Shift+Z"));
  set_enabled (self, "reload", weir_document_get_file (self->document) != NULL);
  set_enabled (self, "run", starting || !running);
  set_enabled (self, "pause", running);
  set_enabled (self, "step", starting || !running);
  set_enabled (self, "steps", starting || !running);
  set_enabled (self, "stop", starting || weir_runner_is_active (self->runner));
}

/* --- The state of the run -------------------------------------------------------------------- */

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

/* Who ended the run before its time, and why; or NULL. */
static const WeirTrouble *
find_end (const WeirSnapshot *snapshot, WeirSessionState state)
{
  const WeirTrouble *last = snapshot->n_notes > 0 ? snapshot->notes[snapshot->n_notes - 1] : NULL;

  return state == WEIR_SESSION_FINISHED && last != NULL && last->kind == WEIR_TROUBLE_END ? last
                                                                                          : NULL;
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

/* --- A run that has ended -----------------------------------------------------------------------
 */

/* A word from the desktop when a run that took long has ended and nobody looks: whoever waits for
 * it may be in another program. Activated, it shows the tab that the run is of. */

#define LONG_RUN_US (10 * G_USEC_PER_SEC)

static char *
get_id (WeirEditor *self)
{
  return g_strdup_printf ("run-%u", self->serial);
}

static gboolean
is_looked_at (WeirEditor *self)
{
  GtkWindow *toplevel = weir_host_get_toplevel (WEIR_HOST (self));

  return toplevel != NULL && gtk_window_is_active (toplevel)
         && gtk_widget_get_mapped (GTK_WIDGET (self));
}

/* (transfer full) */
static char *
dup_notice (WeirEditor *self, WeirSession *session)
{
  WeirSessionState state = weir_session_get_state (session);
  const WeirTrouble *end = find_end (weir_session_get_snapshot (session), state);

  if (state == WEIR_SESSION_FAILED)
    return g_strdup (weir_error_say (weir_session_get_failure (session)));
  return end != NULL ? weir_message_translate (end->message) : g_strdup (self->shown_title);
}

static void
tell_running (WeirEditor *self)
{
  GApplication *application = g_application_get_default ();
  WeirSession *session = weir_runner_get_session (self->runner);
  g_autofree char *id = get_id (self);
  g_autoptr (GNotification) notice = NULL;
  g_autofree char *body = NULL;
  gboolean failed;

  if (application == NULL || !g_application_get_is_registered (application))
    return;
  if (self->is_running)
    {
      self->run_began = g_get_monotonic_time ();
      g_application_withdraw_notification (application, id);
      return;
    }
  if (session == NULL || weir_session_get_state (session) == WEIR_SESSION_STOPPED
      || g_get_monotonic_time () - self->run_began < LONG_RUN_US || is_looked_at (self))
    return;
  failed = weir_session_get_state (session) == WEIR_SESSION_FAILED;
  notice = g_notification_new (failed ? _ ("The Run Failed") : _ ("The Run Has Finished"));
  body = dup_notice (self, session);
  g_notification_set_body (notice, body);
  g_notification_set_default_action_and_target (notice, "app.show-tab", "u", self->serial);
  g_application_send_notification (application, id, notice);
}

static void
note_running (WeirEditor *self)
{
  if (self->is_running == weir_runner_is_active (self->runner))
    return;
  self->is_running = !self->is_running;
  if (self->run_toast != NULL)
    adw_toast_dismiss (self->run_toast);
  tell_running (self);
  g_object_notify (G_OBJECT (self), "running");
}

/* --- The bar ------------------------------------------------------------------------------------
 */

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
  const WeirTrouble *end = find_end (snapshot, state);
  g_autofree char *why = end != NULL ? weir_message_translate (end->message) : NULL;
  g_autofree char *tooltip = NULL;

  /* Where there is little room, what ends is cut: the remark matters more than the steps. */
  if (end != NULL)
    {
      g_autofree char *text = g_markup_printf_escaped (
          /* Translators: "Plant.Stop1 at t = 2.5: too hot", perhaps a remark, number of steps. The
           * link leads to the block. */
          _ ("Ended by <a href=\"end\">%s</a>%s · %s"), why, remark, steps);

      tooltip = notice != NULL ? g_strdup_printf ("%s\n%s", why, notice) : g_strdup (why);
      gtk_label_set_markup (GTK_LABEL (self->status), text);
    }
  else
    {
      /* Translators: state, time of stop time, perhaps a remark, number of steps, time left. */
      g_autofree char *text = g_strdup_printf (_ ("%s · t = %.4g of %.4g s%s · %s%s"),
                                               state_text (state), snapshot->time,
                                               snapshot->stop_time, remark, steps, left);

      tooltip = g_strdup (notice);
      gtk_label_set_text (GTK_LABEL (self->status), text);
    }
  weir_set_tooltip (self->status, tooltip);
  gtk_widget_set_visible (self->progress, weir_runner_is_active (self->runner));
  gtk_progress_bar_set_fraction (
      GTK_PROGRESS_BAR (self->progress),
      snapshot->stop_time > 0 ? CLAMP (snapshot->time / snapshot->stop_time, 0, 1) : 1);
}

gboolean
weir_editor_show_end (WeirEditor *self)
{
  WeirSession *session = weir_runner_get_session (self->runner);
  const WeirTrouble *end = session != NULL ? find_end (weir_session_get_snapshot (session),
                                                       weir_session_get_state (session))
                                           : NULL;
  WeirBlock *block = end != NULL ? weir_model_find_path (
                         weir_runner_get_session_model (self->runner), end->path)
                                 : NULL;
  guint32 id = block != NULL ? weir_block_get_id (block) : 0;

  if (id == 0 || weir_model_find_block (weir_document_get_model (self->document), id, NULL) == NULL)
    weir_host_toast (WEIR_HOST (self), _ ("That block is gone from the model."));
  else
    weir_canvas_select_block (self->canvas, id);
  return TRUE;
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
      weir_set_tooltip (self->status, NULL);
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
  weir_set_tooltip (self->status, NULL);
  gtk_widget_set_visible (self->progress, FALSE);
}
