/* WeirVerifyPart: verification, which the runner makes: the badge in the header bar, and its row of
 * the lab. Thread: *main*.
 */
#include <glib/gi18n-lib.h>

#include "gui/host/page.h"
#include "gui/host/part.h"
#include "gui/host/settings.h"
#include "lab/lab-panel.h"
#include "widgets/tooltips.h"

#define PROGRESS_MS 200

G_DECLARE_FINAL_TYPE (WeirVerifyPart, weir_verify_part, WEIR, VERIFY_PART, WeirPart)

struct _WeirVerifyPart {
  WeirPart parent;
  GtkWidget *button, *icon, *spinner, *text; /* the badge */
  guint progress;                            /* source that shows how far verification has come */
  char *result;                              /* the last one in a sentence, or NULL */
};

G_DEFINE_FINAL_TYPE (WeirVerifyPart, weir_verify_part, WEIR_TYPE_PART)

static WeirLabPanel *
get_lab (WeirVerifyPart *self)
{
  return weir_host_find (self->parent.host, WEIR_TYPE_LAB_PANEL);
}

static void
show_badge (WeirVerifyPart *self, const char *icon, const char *text, const char *css_class)
{
  static const char *const classes[] = { "success", "error", "dim-label" };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (self->button, classes[i]);
  if (css_class != NULL)
    gtk_widget_add_css_class (self->button, css_class);
  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon);
  gtk_label_set_text (GTK_LABEL (self->text), text);
}

static void
describe_verify (WeirVerifyPart *self)
{
  const char *action = weir_runner_is_verifying (self->parent.runner)
                           ? _ ("Stop Verifying (Ctrl+Shift+E)")
                           : _ ("Verify: Run Cached Against Uncached (Ctrl+Shift+E)");
  g_autofree char *text = self->result == NULL ? g_strdup (action)
                                               : g_strconcat (self->result, "\n", action, NULL);

  weir_set_tooltip (self->button, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

/* In the cache's perspective; elsewhere once it was asked for. */
static void
update_presence (gpointer part)
{
  WeirVerifyPart *self = part;
  gboolean is_asked = self->result != NULL || weir_runner_is_verifying (self->parent.runner);

  gtk_widget_set_visible (self->button, is_asked
                                            || weir_host_get_perspective (self->parent.host)
                                                   == WEIR_PERSPECTIVE_CACHE);
}

/* How far the lockstep has come, in the header bar: it ends at the first difference. */
static gboolean
show_progress (gpointer data)
{
  WeirVerifyPart *self = data;
  g_autofree char *text = g_strdup_printf (
      _ ("Identical to %.0f %%"), 100 * weir_runner_get_verify_progress (self->parent.runner));

  gtk_label_set_text (GTK_LABEL (self->text), text);
  weir_lab_panel_set_progress (get_lab (self), WEIR_LAB_VERIFY, text);
  return G_SOURCE_CONTINUE;
}

static void
verifying_changed (WeirVerifyPart *self)
{
  gboolean busy = weir_runner_is_verifying (self->parent.runner);

  if (get_lab (self) != NULL)
    weir_lab_panel_set_busy (get_lab (self), WEIR_LAB_VERIFY, busy);
  g_clear_handle_id (&self->progress, g_source_remove);
  if (busy)
    self->progress = g_timeout_add (PROGRESS_MS, show_progress, self);
  gtk_widget_set_visible (self->spinner, busy);
  gtk_widget_set_visible (self->icon, !busy);
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
  if (busy)
    {
      g_clear_pointer (&self->result, g_free);
      show_badge (self, "security-medium-symbolic", _ ("Verifying"), NULL);
    }
  else if (self->result == NULL)
    show_badge (self, "security-medium-symbolic", _ ("Verify"), NULL);
  describe_verify (self);
  update_presence (self);
}

/* What was found, in the lab. A difference opens it: the next steps are there. */
static void
show_result (WeirVerifyPart *self, gboolean identical)
{
  weir_lab_panel_set_verified (get_lab (self), weir_runner_get_verify_result (self->parent.runner),
                               weir_runner_get_verify_chain (self->parent.runner, TRUE),
                               weir_runner_get_verify_chain (self->parent.runner, FALSE));
  if (identical)
    return;
  weir_host_show_page (self->parent.host, "lab");
  weir_lab_panel_reveal (get_lab (self), WEIR_LAB_VERIFY);
}

/* @text is NULL when an edit has made the last result one of an earlier model. */
static void
verified (WeirVerifyPart *self, gboolean identical, const char *text)
{
  g_autofree char *sentence = NULL;

  if (text == NULL)
    {
      sentence = g_strdup_printf (_ ("Before the last change: %s"), self->result);
      show_badge (self, "view-refresh-symbolic", _ ("Out of Date"), NULL);
      weir_lab_panel_set_outdated (get_lab (self), WEIR_LAB_VERIFY);
    }
  else
    {
      sentence = g_strdup_printf (_ ("Cached against uncached: %s"), text);
      if (identical)
        {
          show_badge (self, "emblem-ok-symbolic", _ ("Identical"), "success");
          if (!weir_runner_get_verifies_runs (self->parent.runner)
              && (get_lab (self) == NULL
                  || !gtk_widget_get_mapped (GTK_WIDGET (get_lab (self))))) /* says it */
            weir_host_toast (self->parent.host, sentence);
        }
      else
        {
          show_badge (self, "dialog-error-symbolic", _ ("Different"), "error");
          weir_host_set_banner (self->parent.host, GTK_MESSAGE_ERROR, sentence);
        }
      show_result (self, identical);
    }
  g_free (self->result);
  self->result = g_steal_pointer (&sentence);
  describe_verify (self);
}

static void
change_verify_runs (GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_runner_set_verifies_runs (WEIR_PART (data)->runner, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

static void
verify (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  WeirPart *part = data;

  weir_host_enter_typed (part->host);
  if (weir_runner_is_verifying (part->runner))
    weir_runner_cancel_verify (part->runner);
  else
    weir_runner_verify (part->runner);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
make_badge (WeirVerifyPart *self)
{
  g_autoptr (GtkBuilder) builder = weir_template_load ("verify-badge.ui");

  self->button = GTK_WIDGET (gtk_builder_get_object (builder, "button"));
  self->icon = GTK_WIDGET (gtk_builder_get_object (builder, "icon"));
  self->spinner = GTK_WIDGET (gtk_builder_get_object (builder, "spinner"));
  self->text = GTK_WIDGET (gtk_builder_get_object (builder, "text"));
  weir_host_add_widget (self->parent.host, WEIR_SLOT_HEADER, self->button);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "verify", .activate = verify },
    { .name = "verify-runs", .state = "false", .change_state = change_verify_runs },
  };
  WeirVerifyPart *self = WEIR_VERIFY_PART (object);

  G_OBJECT_CLASS (weir_verify_part_parent_class)->constructed (object);
  make_badge (self);
  weir_part_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  g_signal_connect_object (self->parent.runner, "notify::verifying", G_CALLBACK (verifying_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.runner, "verified", G_CALLBACK (verified), self,
                           G_CONNECT_SWAPPED);
  verifying_changed (self);
  weir_host_follow_perspective (self->parent.host, update_presence, self);
}

static void
dispose (GObject *object)
{
  WeirVerifyPart *self = WEIR_VERIFY_PART (object);

  g_clear_handle_id (&self->progress, g_source_remove);
  g_clear_pointer (&self->result, g_free);
  g_signal_handlers_disconnect_by_data (self->parent.runner, self);
  weir_runner_set_verifies_runs (self->parent.runner, FALSE);
  weir_runner_cancel_verify (self->parent.runner);
  G_OBJECT_CLASS (weir_verify_part_parent_class)->dispose (object);
}

static void
weir_verify_part_class_init (WeirVerifyPartClass *klass)
{
  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->dispose = dispose;
}

static void
weir_verify_part_init (G_GNUC_UNUSED WeirVerifyPart *self)
{
}
