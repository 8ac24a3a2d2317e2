/* The actions of an editor. Each does one thing by calling document, runner or canvas. */
#include <glib/gi18n-lib.h>

#include "config.h"
#include "gui/shell/help-window.h"
#include "gui/shell/open-files.h"
#include "gui/host/settings.h"
#include "gui/shell/shortcuts.h"
#include "gui/shell/editor-private.h"

typedef GSimpleAction Action;
#define ACTION(name)                                                                               \
  static void name (G_GNUC_UNUSED Action *action, G_GNUC_UNUSED GVariant *value, gpointer data)

ACTION (open_file)
{
  weir_editor_choose_file (data);
}

/* What is typed but not entered yet is meant too. */
static const char *const perspectives[WEIR_N_PERSPECTIVES] = {
  [WEIR_PERSPECTIVE_MODEL] = "model-perspective",
  [WEIR_PERSPECTIVE_CACHE] = "cache-perspective",
  [WEIR_PERSPECTIVE_ANALYSIS] = "analysis-perspective",
};

static void
enter_typed (WeirEditor *self)
{
  weir_host_enter_typed (WEIR_HOST (self));
}

ACTION (save)
{
  enter_typed (data);
  weir_editor_save (data, FALSE, NULL);
}

ACTION (save_as)
{
  enter_typed (data);
  weir_editor_save (data, TRUE, NULL);
}

/* Where there is nothing yet but the welcome page, the model begins here. */
ACTION (new_tab)
{
  WeirEditor *self = data;

  if (weir_editor_is_welcome (self) && weir_editor_is_pristine (self))
    g_action_group_activate_action (G_ACTION_GROUP (self->actions), "new-here", NULL);
  else
    weir_window_add_beside (self, weir_editor_new ());
}

ACTION (close_tab)
{
  weir_window_close_tab (data);
}

ACTION (reopen_tab)
{
  g_autoptr (GFile) file = weir_open_files_take_closed ();

  if (file != NULL)
    weir_editor_open_beside (data, file);
  else
    weir_host_toast (WEIR_HOST (data),
                     _ ("No tab with a file was closed that could be opened again."));
}

ACTION (move_to_new_window)
{
  weir_window_move_to_new (data);
}

ACTION (next_tab)
{
  weir_window_show_next (data, 1);
}

ACTION (previous_tab)
{
  weir_window_show_next (data, -1);
}

ACTION (move_tab_forward)
{
  weir_window_reorder (data, 1);
}

ACTION (move_tab_back)
{
  weir_window_reorder (data, -1);
}

ACTION (new_here)
{
  WeirEditor *self = data;

  gtk_stack_set_visible_child_name (GTK_STACK (self->content), "editor");
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

ACTION (show_welcome)
{
  weir_editor_show_welcome (data);
}

ACTION (reload)
{
  weir_editor_reload (data);
}

ACTION (export_picture)
{
  weir_editor_choose_export (data);
}

ACTION (copy_picture)
{
  weir_editor_copy_picture (data);
}

ACTION (print)
{
  weir_editor_print (data);
}

ACTION (preferences)
{
  GtkWidget *window = weir_preferences_new ();

  gtk_window_set_transient_for (GTK_WINDOW (window), weir_host_get_toplevel (WEIR_HOST (data)));
  gtk_window_present (GTK_WINDOW (window));
}

ACTION (undo)
{
  weir_document_undo (WEIR_EDITOR (data)->document);
}

ACTION (redo)
{
  weir_document_redo (WEIR_EDITOR (data)->document);
}

ACTION (run)
{
  WeirEditor *self = data;

  enter_typed (data);
  weir_runner_run (self->runner);
}

ACTION (pause_run)
{
  weir_runner_pause (WEIR_EDITOR (data)->runner);
}

ACTION (step)
{
  WeirEditor *self = data;

  enter_typed (data);
  weir_runner_step (self->runner);
}

ACTION (steps)
{
  WeirEditor *self = data;

  enter_typed (data);
  weir_runner_steps (self->runner, weir_settings_get_steps_at_once ());
}

ACTION (step_back)
{
  weir_runner_step_back (WEIR_EDITOR (data)->runner, 1);
}

ACTION (steps_back)
{
  weir_runner_step_back (WEIR_EDITOR (data)->runner, weir_settings_get_steps_at_once ());
}

ACTION (stop)
{
  weir_runner_stop (WEIR_EDITOR (data)->runner);
}

ACTION (cancel_opening)
{
  weir_editor_cancel_opening (data);
}

ACTION (find)
{
  weir_canvas_show_find (WEIR_EDITOR (data)->canvas);
}

ACTION (show_commands)
{
  weir_editor_show_commands (data);
}

ACTION (help)
{
  weir_editor_show_help (data);
}

static void
help_page (G_GNUC_UNUSED Action *action, GVariant *value, gpointer data)
{
  weir_help_window_present (gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (data))),
                            g_variant_get_string (value, NULL));
}

ACTION (show_help_overlay)
{
  GtkWidget *shortcuts = weir_shortcuts_window_new ();

  gtk_window_set_transient_for (GTK_WINDOW (shortcuts), weir_host_get_toplevel (WEIR_HOST (data)));
  gtk_window_present (GTK_WINDOW (shortcuts));
}

ACTION (about)
{
  static const char *const developers[] = { "The Weir developers", NULL };

  adw_show_about_window (weir_host_get_toplevel (WEIR_HOST (data)), "application-name", "Weir",
                         "application-icon", WEIR_APPLICATION_ID, "version", WEIR_VERSION,
                         "developers", developers, "license-type", GTK_LICENSE_LGPL_2_1, "comments",
                         _ ("Wire block diagrams, run them, and see what the cache does."), NULL);
}

ACTION (toggle_fullscreen)
{
  GtkWindow *toplevel = weir_host_get_toplevel (WEIR_HOST (data));

  if (gtk_window_is_fullscreen (toplevel))
    gtk_window_unfullscreen (toplevel);
  else
    gtk_window_fullscreen (toplevel);
}

static void
open_uri (G_GNUC_UNUSED Action *action, GVariant *value, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (value, NULL));

  weir_editor_open_beside (data, file);
}

static void
open_template (G_GNUC_UNUSED Action *action, GVariant *value, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (value, NULL));

  weir_editor_open_template (data, file, NULL, NULL, NULL);
}

static void
change_caching (GSimpleAction *action, GVariant *value, gpointer data)
{
  weir_runner_set_caching (WEIR_EDITOR (data)->runner, g_variant_get_boolean (value));
  g_simple_action_set_state (action, value);
}

/* One of them is always on. */
static void
change_perspective (GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    if (g_str_equal (g_action_get_name (G_ACTION (action)), perspectives[i]))
      weir_host_set_perspective (data, (WeirPerspective) i);
}

static void
perspective_changed (gpointer data)
{
  for (guint i = 0; i < WEIR_N_PERSPECTIVES; i++)
    weir_host_set_state (
        data, perspectives[i],
        g_variant_new_boolean (weir_host_get_perspective (data) == (WeirPerspective) i));
}

static void
save_copy (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_editor_save_copy (data);
}

static const GActionEntry entries[] = {
  { .name = "open", .activate = open_file },
  { .name = "cancel-opening", .activate = cancel_opening },
  { .name = "save", .activate = save },
  { .name = "save-as", .activate = save_as },
  { .name = "save-copy", .activate = save_copy },
  { .name = "new-here", .activate = new_here },
  { .name = "show-welcome", .activate = show_welcome },
  { .name = "reload", .activate = reload },
  { .name = "export", .activate = export_picture },
  { .name = "copy-picture", .activate = copy_picture },
  { .name = "print", .activate = print },
  { .name = "preferences", .activate = preferences },
  { .name = "open-template", .activate = open_template, .parameter_type = "s" },
  { .name = "new-tab", .activate = new_tab },
  { .name = "close-tab", .activate = close_tab },
  { .name = "reopen-tab", .activate = reopen_tab },
  { .name = "move-to-new-window", .activate = move_to_new_window },
  { .name = "next-tab", .activate = next_tab },
  { .name = "previous-tab", .activate = previous_tab },
  { .name = "move-tab-forward", .activate = move_tab_forward },
  { .name = "move-tab-back", .activate = move_tab_back },
  { .name = "undo", .activate = undo },
  { .name = "redo", .activate = redo },
  { .name = "run", .activate = run },
  { .name = "pause", .activate = pause_run },
  { .name = "step", .activate = step },
  { .name = "steps", .activate = steps },
  { .name = "step-back", .activate = step_back },
  { .name = "steps-back", .activate = steps_back },
  { .name = "stop", .activate = stop },
  { .name = "find", .activate = find },
  { .name = "show-commands", .activate = show_commands },
  { .name = "help", .activate = help },
  { .name = "help-page", .activate = help_page, .parameter_type = "s" },
  { .name = "show-help-overlay", .activate = show_help_overlay },
  { .name = "about", .activate = about },
  { .name = "fullscreen", .activate = toggle_fullscreen },
  { .name = "open-uri", .activate = open_uri, .parameter_type = "s" },
  { .name = "caching", .state = "true", .change_state = change_caching },
  { .name = "model-perspective", .state = "true", .change_state = change_perspective },
  { .name = "cache-perspective", .state = "false", .change_state = change_perspective },
  { .name = "analysis-perspective", .state = "false", .change_state = change_perspective },
};

static void
caching_changed (WeirEditor *self)
{
  weir_host_set_state (WEIR_HOST (self), "caching",
                       g_variant_new_boolean (weir_runner_get_caching (self->runner)));
}

void
weir_editor_add_actions (WeirEditor *self)
{
  const struct {
    const char *name;
    GtkWidget *widget;
  } panes[] = { { "show-palette", self->left },
                { "show-inspector", self->right },
                { "show-bottom", self->bottom } };

  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  for (guint i = 0; i < G_N_ELEMENTS (panes); i++)
    {
      g_autoptr (GPropertyAction)
          action = g_property_action_new (panes[i].name, panes[i].widget, "visible");

      g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
    }
  {
    g_autoptr (GPropertyAction) action = g_property_action_new ("overlay", self->canvas, "overlay");

    g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
  }
  weir_host_follow_perspective (WEIR_HOST (self), perspective_changed, self);
  g_signal_connect_object (self->runner, "notify::caching", G_CALLBACK (caching_changed), self,
                           G_CONNECT_SWAPPED);
}
