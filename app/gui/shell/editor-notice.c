/* A word from the desktop when a run that took long has ended and nobody looks: whoever waits for
 * it may be in another program. Activated, it shows the tab that the run is of.
 */
#include <glib/gi18n-lib.h>

#include "gui/shell/editor-private.h"

#define LONG_RUN_US (10 * G_USEC_PER_SEC)

static char *
get_id (WeirEditor *self)
{
  return g_strdup_printf ("run-%u", self->serial);
}

static gboolean
is_looked_at (WeirEditor *self)
{
  GtkWindow *toplevel = weir_editor_get_toplevel (self);

  return toplevel != NULL && gtk_window_is_active (toplevel)
         && gtk_widget_get_mapped (GTK_WIDGET (self));
}

void
weir_editor_note_running (WeirEditor *self)
{
  GApplication *application = g_application_get_default ();
  WeirSession *session = weir_runner_get_session (self->runner);
  g_autofree char *id = get_id (self);
  g_autoptr (GNotification) notice = NULL;
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
  g_notification_set_body (notice, failed ? weir_session_get_failure (session) : self->shown_title);
  g_notification_set_default_action_and_target (notice, "app.show-tab", "u", self->serial);
  g_application_send_notification (application, id, notice);
}
