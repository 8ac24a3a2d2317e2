/* The command palette: everything that can be done, found by typing a part of its name or another
 * word for it. What cannot be done just now is there too, with the reason.
 */
#include <glib/gi18n-lib.h>

#include "canvas/widget/picker.h"
#include "gui/shell/shortcuts.h"
#include "gui/shell/editor-private.h"

typedef struct {
  const char *title, *group, *action, *target, *keys;
  const char *why_not; /* it cannot be done, to be translated; NULL: it can */
  int rating;
} Command;

/* --- Other words ----------------------------------------------------------------------------- */

/* What people type who do not know what it is called here. */
static const struct {
  const char *action, *words;
} synonyms[] = {
  { "canvas.rotate", N_ ("turn spin orientation clockwise") },
  { "canvas.rotate-back", N_ ("turn spin orientation counterclockwise") },
  { "canvas.flip", N_ ("mirror reverse swap left right") },
  { "canvas.flip-vertically", N_ ("mirror reverse swap top bottom") },
  { "canvas.delete", N_ ("remove erase clear") },
  { "canvas.duplicate", N_ ("copy clone repeat") },
  { "canvas.rename", N_ ("name title caption") },
  { "canvas.comment-out", N_ ("disable deactivate switch off") },
  { "canvas.pass-through", N_ ("bypass skip") },
  { "canvas.group", N_ ("group encapsulate create subsystem collapse") },
  { "canvas.expand", N_ ("ungroup unpack dissolve") },
  { "canvas.disconnect", N_ ("unwire detach cut wires") },
  { "canvas.connect", N_ ("wire line draw link") },
  { "canvas.reconnect", N_ ("rewire reroute") },
  { "canvas.tidy", N_ ("arrange auto layout order clean up") },
  { "canvas.straighten", N_ ("route reset bends") },
  { "canvas.match-size", N_ ("resize same size") },
  { "canvas.tint", N_ ("colour paint highlight") },
  { "canvas.quick-insert", N_ ("insert new block create") },
  { "canvas.add-note", N_ ("comment text annotation label") },
  { "canvas.add-frame", N_ ("box area region rectangle") },
  { "canvas.plot-port", N_ ("scope graph chart probe watch") },
  { "canvas.enter", N_ ("open go inside down") },
  { "canvas.leave", N_ ("up parent close") },
  { "canvas.zoom-in", N_ ("larger bigger magnify") },
  { "canvas.zoom-out", N_ ("smaller reduce") },
  { "canvas.zoom-100", N_ ("actual size normal") },
  { "canvas.zoom-fit", N_ ("show whole diagram center overview") },
  { "canvas.show-minimap", N_ ("minimap map navigator") },
  { "canvas.show-values", N_ ("signals numbers display") },
  { "canvas.break-computed", N_ ("breakpoint stop debug") },
  { "canvas.break-out-of-date", N_ ("breakpoint stop debug invalidation") },
  { "canvas.why", N_ ("explain reason stale") },
  { "canvas.graph", N_ ("dependencies tree") },
  { "win.run", N_ ("start simulate play") },
  { "win.pause", N_ ("hold halt") },
  { "win.stop", N_ ("abort cancel end") },
  { "win.step-back", N_ ("rewind previous") },
  { "win.check", N_ ("validate errors problems compile") },
  { "win.verify", N_ ("prove compare test") },
  { "win.preferences", N_ ("settings options configuration") },
  { "win.export", N_ ("image save PNG SVG PDF") },
  { "win.insert-fmu", N_ ("add import functional mock-up unit block") },
  { "win.trust-fmus", N_ ("allow run program binary security") },
  { "win.export-results", N_ ("CSV data save spreadsheet") },
  { "win.export-structure", N_ ("SSP package save co-simulation") },
  { "win.generate-code", N_ ("C source compile controller embedded") },
  { "win.export-fmu", N_ ("functional mock-up unit FMI co-simulation") },
  { "win.properties", N_ ("parameters inspector attributes") },
  { "win.show-palette", N_ ("blocks sidebar panel") },
  { "win.show-inspector", N_ ("parameters properties sidebar panel") },
  { "win.find", N_ ("search locate") },
  { "win.fullscreen", N_ ("maximize") },
  { "win.presenter", N_ ("lecture slides beamer") },
  { "win.show-help-overlay", N_ ("keys hotkeys help") },
  { "win.show-welcome", N_ ("home start tutorial") },
};

static const char *
get_words (const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (synonyms); i++)
    if (g_str_equal (synonyms[i].action, action))
      return _ (synonyms[i].words);
  return "";
}

/* --- Why not --------------------------------------------------------------------------------- */

/* What an action that is off waits for. */
static const struct {
  const char *action, *why_not;
} reasons[] = {
  { "win.undo", N_ ("There is nothing to undo") },
  { "win.redo", N_ ("Nothing was undone") },
  { "win.reload", N_ ("The model has no file yet") },
  { "win.run", N_ ("A run goes on") },
  { "win.step", N_ ("A run goes on: pause it first") },
  { "win.steps", N_ ("A run goes on: pause it first") },
  { "win.pause", N_ ("No run goes on") },
  { "win.stop", N_ ("No run goes on") },
  { "win.timeline-save", N_ ("There is no change log: log a run first") },
  { "win.timeline-close", N_ ("There is no change log: log a run first") },
  { "win.timeline-skip", N_ ("Choose an event of a change log first") },
  { "win.timeline-slow", N_ ("Choose an event of a change log of this model first") },
  { "win.reopen-tab", N_ ("No tab was closed") },
};

static const char *
get_reason (const char *action)
{
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    if (g_str_equal (reasons[i].action, action))
      return reasons[i].why_not;
  return N_ ("Not possible just now");
}

/* --- Finding --------------------------------------------------------------------------------- */

static int
compare_commands (gconstpointer a, gconstpointer b)
{
  const Command *x = a, *y = b;

  if (x->rating != y->rating)
    return y->rating - x->rating;
  if ((x->why_not != NULL) != (y->why_not != NULL))
    return x->why_not != NULL ? 1 : -1;
  return g_utf8_collate (_ (x->title), _ (y->title));
}

/* Whether an action of the window or the program can be activated. */
static gboolean
is_enabled (WeirEditor *self, const char *action)
{
  if (g_str_has_prefix (action, "win."))
    return g_action_group_get_action_enabled (G_ACTION_GROUP (self->actions), action + 4);
  if (g_str_has_prefix (action, "app."))
    return g_action_group_get_action_enabled (
        G_ACTION_GROUP (gtk_window_get_application (weir_host_get_toplevel (WEIR_HOST (self)))),
        action + 4);
  return TRUE;
}

static void
add_command (GArray *found, const char *text, Command command)
{
  g_autofree char *rest = g_strdup_printf ("%s %s", get_words (command.action), _ (command.group));

  command.rating = weir_choice_rate (text, _ (command.title), rest);
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
    if (shortcuts[i].action != NULL)
      add_command (
          found, text,
          (Command) {
              shortcuts[i].title, shortcuts[i].group, shortcuts[i].action, NULL, shortcuts[i].keys,
              is_enabled (self, shortcuts[i].action) ? NULL : get_reason (shortcuts[i].action),
              0 });
  for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
    {
      const WeirCanvasCommand *command = weir_canvas_get_command (i);

      add_command (found, text,
                   (Command) { command->title, command->group, command->action, command->target,
                               command->keys, weir_canvas_why_not (self->canvas, i), 0 });
    }
  g_array_sort (found, compare_commands);
  for (guint i = 0; i < found->len && i < WEIR_MAX_CHOICES; i++)
    {
      const Command *command = &g_array_index (found, Command, i);
      WeirChoice *choice = weir_choices_add (choices, _ (command->title),
                                             command->why_not != NULL ? _ (command->why_not)
                                                                      : _ (command->group));

      choice->is_off = command->why_not != NULL;
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
