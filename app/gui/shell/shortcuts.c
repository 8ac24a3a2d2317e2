/* The table of shortcuts. See shortcuts.h. */
#include "gui/shell/shortcuts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas.h"

/* Those of the canvas are listed by the canvas. */
static const WeirShortcut own[] = {
  { N_ ("General"), N_ ("New model"), "win.new-tab", "<Control>n <Control>t" },
  { N_ ("General"), N_ ("New window"), "app.new-window", "<Control><Shift>n" },
  { N_ ("General"), N_ ("Open"), "win.open", "<Control>o" },
  { N_ ("General"), N_ ("Save"), "win.save", "<Control>s" },
  { N_ ("General"), N_ ("Save as"), "win.save-as", "<Control><Shift>s" },
  { N_ ("General"), N_ ("Save a copy"), "win.save-copy", NULL },
  { N_ ("General"), N_ ("Print"), "win.print", "<Control>p" },
  { N_ ("General"), N_ ("Export as a picture"), "win.export", "<Control>e" },
  { N_ ("General"), N_ ("Export the results as a table"), "win.export-results", NULL },
  { N_ ("General"), N_ ("Copy as a picture"), "win.copy-picture", "<Control><Shift>c" },
  { N_ ("General"), N_ ("Preferences"), "win.preferences", "<Control>comma" },
  { N_ ("General"), N_ ("Close tab"), "win.close-tab", "<Control>w" },
  { N_ ("General"), N_ ("Open the tab closed last"), "win.reopen-tab", "<Control><Shift>t" },
  { N_ ("General"), N_ ("Next tab"), "win.next-tab", "<Control>Tab <Control>Page_Down" },
  { N_ ("General"), N_ ("Previous tab"), "win.previous-tab",
    "<Control><Shift>Tab <Control>Page_Up" },
  { N_ ("General"), N_ ("Move the tab forward"), "win.move-tab-forward",
    "<Control><Shift>Page_Down" },
  { N_ ("General"), N_ ("Move the tab back"), "win.move-tab-back", "<Control><Shift>Page_Up" },
  { N_ ("General"), N_ ("Tab by its number"), NULL, "<Alt>1" },
  { N_ ("General"), N_ ("Move the tab to a new window"), "win.move-to-new-window", NULL },
  { N_ ("General"), N_ ("Close window"), "window.close", "<Control><Shift>w" },
  { N_ ("General"), N_ ("Quit"), "app.quit", "<Control>q" },
  { N_ ("General"), N_ ("Help: of the selected block, or its contents"), "win.help", "F1" },
  { N_ ("General"), N_ ("Welcome page: lessons, examples, templates"), "win.show-welcome",
    "<Alt>Home" },
  { N_ ("General"), N_ ("Keyboard shortcuts"), "win.show-help-overlay", "<Control>question" },
  { N_ ("General"), N_ ("Show or hide library and outline"), "win.show-palette", "F9" },
  { N_ ("General"), N_ ("Show the outline"), "win.show-outline", "<Control><Shift>o" },
  { N_ ("General"), N_ ("Show or hide the inspector"), "win.show-inspector", "<Shift>F9" },
  { N_ ("General"), N_ ("Show or hide plots, cache and problems"), "win.show-bottom",
    "<Control>F9" },
  { N_ ("General"), N_ ("Main menu"), NULL, "F10" },
  { N_ ("General"), N_ ("Context menu"), NULL, "<Shift>F10 Menu" },
  { N_ ("General"), N_ ("Full screen"), "win.fullscreen", "F11" },

  { N_ ("Runs"), N_ ("Run or continue"), "win.run", "F5 <Control>Return" },
  { N_ ("Runs"), N_ ("Pause"), "win.pause", "F6" },
  { N_ ("Runs"), N_ ("One step"), "win.step", "F8" },
  { N_ ("Runs"), N_ ("Several steps"), "win.steps", "<Control>F8" },
  { N_ ("Runs"), N_ ("One step back"), "win.step-back", "F7" },
  { N_ ("Runs"), N_ ("Several steps back"), "win.steps-back", "<Control>F7" },
  { N_ ("Runs"), N_ ("Stop"), "win.stop", "<Shift>F5" },
  { N_ ("Runs"), N_ ("Check the model"), "win.check", "<Control>b" },
  { N_ ("Runs"), N_ ("Verify: cached against uncached"), "win.verify", "<Control><Shift>e" },
  { N_ ("Cache"), N_ ("Switch caching as a whole"), "win.caching", "<Shift>k" },
  { N_ ("General"), N_ ("Present: the diagram alone, large"), "win.presenter", "<Shift>F11" },
  { N_ ("Cache"), N_ ("Quiz: what does a change reach?"), "win.quiz", "<Control><Alt>q" },
  { N_ ("Cache"), N_ ("Record a lesson"), "win.lesson-record", "<Control><Alt>l" },
  { N_ ("Cache"), N_ ("Show or hide slow motion"), "win.slow-motion", "<Control><Shift>m" },
  { N_ ("Cache"), N_ ("Slow motion: play or pause"), "win.slow-play", "<Alt>p" },
  { N_ ("Cache"), N_ ("Slow motion: next beat"), "win.slow-next", "<Alt>period" },
  { N_ ("Cache"), N_ ("Slow motion: beat before"), "win.slow-previous", "<Alt>comma" },
  { N_ ("Cache"), N_ ("Slow motion: faster"), "win.slow-faster", "<Alt>plus" },
  { N_ ("Cache"), N_ ("Slow motion: slower"), "win.slow-slower", "<Alt>minus" },
  { N_ ("Cache"), N_ ("Show the cache table"), "win.show-cache", "<Control><Shift>k" },
  { N_ ("Cache"), N_ ("Show the breakpoints"), "win.show-breakpoints", "<Shift>F12" },
  { N_ ("Cache"), N_ ("Record change events"), "win.record", "<Control><Alt>r" },
  { N_ ("Cache"), N_ ("Show the timeline"), "win.show-timeline", "<Control><Shift>j" },
  { N_ ("Cache"), N_ ("Previous or next recorded event"), NULL, "comma period" },
  { N_ ("Cache"), N_ ("Previous or next that reaches the selection"), NULL,
    "<Shift>comma <Shift>period" },
  { N_ ("Cache"), N_ ("Open a recording"), "win.timeline-open", NULL },
  { N_ ("Cache"), N_ ("Save the recording"), "win.timeline-save", NULL },
  { N_ ("Cache"), N_ ("Close the recording"), "win.timeline-close", NULL },
  { N_ ("Cache"), N_ ("Skip the event and replay"), "win.timeline-skip", NULL },
  { N_ ("Cache"), N_ ("Watch the recording in slow motion"), "win.timeline-slow", NULL },

  { N_ ("Editing"), N_ ("Undo"), "win.undo", "<Control>z" },
  { N_ ("Editing"), N_ ("Redo"), "win.redo", "<Control><Shift>z <Control>y" },
  { N_ ("Editing"), N_ ("Find in all levels"), "win.find", "<Control>f" },
  { N_ ("General"), N_ ("All commands"), "win.show-commands", "<Control><Shift>p" },
  { N_ ("Editing"), N_ ("Search the block library"), "win.search-blocks", "<Control><Shift>f" },
  { N_ ("Editing"), N_ ("Properties"), "win.properties", "<Alt>Return" },

  { N_ ("Search"), N_ ("Choose up or down while typing"), NULL, "Up Down" },
  { N_ ("Search"), N_ ("Go to the next or previous find while typing"), NULL,
    "<Control>g <Control><Shift>g F3 <Shift>F3" },

  { N_ ("Diagram"), N_ ("Next or previous block"), NULL, "Tab <Shift>Tab" },
  { N_ ("Diagram"), N_ ("Follow wires"), NULL, "<Control>Left <Control>Right" },
  { N_ ("Diagram"), N_ ("Move the selection"), NULL, "Left Right Up Down" },
  { N_ ("Outline"), N_ ("Add a block, at a port wired to it"), NULL, "slash" },
  { N_ ("Outline"), N_ ("Connect the block or port"), NULL, "c" },
  { N_ ("Outline"), N_ ("Follow the wire, or go to the diagram"), NULL, "Return" },
  { N_ ("Outline"), N_ ("Move to another level"), NULL, "m" },
  { N_ ("Outline"), N_ ("Rename"), NULL, "F2" },
  { N_ ("Outline"), N_ ("Open or close the row"), NULL, "Right Left" },

  { N_ ("Diagram"), N_ ("Resize the block or frame"), NULL,
    "<Control><Shift>Right <Control><Shift>Down" },
};

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  static const char *const groups[] = { "General", "Runs",   "Editing", "Arranging", "Diagram",
                                        "Outline", "Search", "View",    "Cache",     NULL };
  const WeirShortcut *x = a, *y = b;
  guint i = 0, k = 0;

  while (groups[i] != NULL && strcmp (groups[i], x->group) != 0)
    i++;
  while (groups[k] != NULL && strcmp (groups[k], y->group) != 0)
    k++;
  if (i != k)
    return i < k ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

const WeirShortcut *
weir_shortcuts_get (guint *n)
{
  static GArray *all;

  if (all == NULL)
    {
      all = g_array_new (FALSE, FALSE, sizeof (WeirShortcut));
      g_array_append_vals (all, own, G_N_ELEMENTS (own));
      for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
        {
          const WeirCanvasCommand *command = weir_canvas_get_command (i);
          WeirShortcut shortcut = { command->group, command->title, NULL, command->keys, 0 };

          if (command->keys != NULL)
            g_array_append_val (all, shortcut);
        }
      for (guint i = 0; i < all->len; i++)
        g_array_index (all, WeirShortcut, i).order = i;
      g_array_sort (all, compare_groups);
    }
  *n = all->len;
  return (const WeirShortcut *) (gpointer) all->data;
}

void
weir_shortcuts_apply (GtkApplication *application)
{
  guint n;
  const WeirShortcut *shortcuts = weir_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    if (shortcuts[i].action != NULL && shortcuts[i].keys != NULL)
      {
        g_auto (GStrv) keys = g_strsplit (shortcuts[i].keys, " ", -1);

        gtk_application_set_accels_for_action (application, shortcuts[i].action,
                                               (const char *const *) keys);
      }
}

/* GTK 4.8 fills a shortcuts window from a description only. */
GtkWidget *
weir_shortcuts_window_new (void)
{
  g_autoptr (GString) ui = g_string_new (
      "<interface><object class=\"GtkShortcutsWindow\" id=\"window\"><property name=\"modal\">1"
      "</property><child><object class=\"GtkShortcutsSection\"><property name=\"max-height\">12"
      "</property>");
  g_autoptr (GtkBuilder) builder = NULL;
  const char *group = NULL;
  guint n;
  const WeirShortcut *shortcuts = weir_shortcuts_get (&n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *item = NULL;

      if (shortcuts[i].keys == NULL)
        continue;
      item = g_markup_printf_escaped (
          "<child><object class=\"GtkShortcutsShortcut\"><property name=\"title\">%s</property>"
          "<property name=\"accelerator\">%s</property></object></child>",
          _ (shortcuts[i].title), shortcuts[i].keys);
      if (group == NULL || strcmp (group, shortcuts[i].group) != 0)
        {
          g_autofree char *head = g_markup_printf_escaped (
              "%s<child><object class=\"GtkShortcutsGroup\"><property name=\"title\">%s</property>",
              "", _ (shortcuts[i].group));

          if (group != NULL)
            g_string_append (ui, "</object></child>");
          g_string_append (ui, head);
          group = shortcuts[i].group;
        }
      g_string_append (ui, item);
    }
  g_string_append (ui, "</object></child></object></child></object></interface>");
  builder = gtk_builder_new_from_string (ui->str, (gssize) ui->len);
  return GTK_WIDGET (g_object_ref (gtk_builder_get_object (builder, "window")));
}
