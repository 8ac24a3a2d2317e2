/* The command palette: everything that can be done just now, found by typing a part of its name. */
#include <glib/gi18n-lib.h>

#include "canvas/picker.h"
#include "gui/shortcuts.h"
#include "gui/editor-private.h"

typedef struct {
  const char *title, *group, *action, *target, *keys;
  int rating;
} Command;

static int
compare_commands (gconstpointer a, gconstpointer b)
{
  const Command *x = a, *y = b;

  return x->rating != y->rating ? y->rating - x->rating
                                : g_utf8_collate (_ (x->title), _ (y->title));
}

/* Whether an action of the window or the program can be activated. */
static gboolean
is_enabled (WeirEditor *self, const char *action)
{
  if (g_str_has_prefix (action, "win."))
    return g_action_group_get_action_enabled (weir_editor_get_actions (self), action + 4);
  if (g_str_has_prefix (action, "app."))
    return g_action_group_get_action_enabled (
        G_ACTION_GROUP (gtk_window_get_application (weir_editor_get_toplevel (self))), action + 4);
  return TRUE;
}

static void
add_command (GArray *found, const char *text, Command command)
{
  command.rating = weir_choice_rate (text, _ (command.title), _ (command.group));
  if (command.rating > 0)
    g_array_append_val (found, command);
}

static void
find_commands (const char *text, GPtrArray *choices, gpointer data)
{
  WeirEditor *self = data;
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (Command));
  const WeirShortcut *shortcuts;
  guint n;

  shortcuts = weir_shortcuts_get (&n);
  for (guint i = 0; i < n; i++)
    if (shortcuts[i].action != NULL && is_enabled (self, shortcuts[i].action))
      add_command (found, text,
                   (Command) { shortcuts[i].title, shortcuts[i].group, shortcuts[i].action, NULL,
                               shortcuts[i].keys, 0 });
  for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
    {
      const WeirCanvasCommand *command = weir_canvas_get_command (i);

      if (weir_canvas_can (self->canvas, i))
        add_command (found, text,
                     (Command) { command->title, command->group, command->action, command->target,
                                 command->keys, 0 });
    }
  g_array_sort (found, compare_commands);
  for (guint i = 0; i < found->len && i < WEIR_PICKER_MAX_CHOICES; i++)
    {
      const Command *command = &g_array_index (found, Command, i);
      WeirChoice *choice = weir_choices_add (choices, _ (command->title), _ (command->group));

      if (command->keys != NULL)
        {
          g_auto (GStrv) keys = g_strsplit (command->keys, " ", 2);

          choice->keys = g_strdup (keys[0]);
        }
      choice->data = command->action; /* static, as the target is */
      choice->target = command->target;
    }
}

static void
run_command (const WeirChoice *choice, gpointer data)
{
  WeirEditor *self = data;
  GtkWidget *canvas = GTK_WIDGET (self->canvas);

  if (choice == NULL)
    return;
  if (choice->target != NULL)
    gtk_widget_activate_action (canvas, choice->data, "s", choice->target);
  else
    gtk_widget_activate_action (canvas, choice->data, NULL);
}

void
weir_editor_show_commands (WeirEditor *self)
{
  weir_canvas_show_picker (self->canvas, weir_picker_new (_ ("What do you want to do?"),
                                                          find_commands, run_command, self, NULL));
}
