/* The table of shortcuts. See shortcuts.h. */
#include "gui/shortcuts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static const WeirShortcut shortcuts[] = {
  { N_ ("General"), N_ ("New window"), "app.new-window", "<Control>n <Control><Shift>n" },
  { N_ ("General"), N_ ("Open"), "win.open", "<Control>o" },
  { N_ ("General"), N_ ("Save"), "win.save", "<Control>s" },
  { N_ ("General"), N_ ("Save as"), "win.save-as", "<Control><Shift>s" },
  { N_ ("General"), N_ ("Print"), "win.print", "<Control>p" },
  { N_ ("General"), N_ ("Export as a picture"), "win.export", "<Control>e" },
  { N_ ("General"), N_ ("Copy as a picture"), "win.copy-picture", "<Control><Shift>c" },
  { N_ ("General"), N_ ("Preferences"), "win.preferences", "<Control>comma" },
  { N_ ("General"), N_ ("Close window"), "window.close", "<Control>w" },
  { N_ ("General"), N_ ("Quit"), "app.quit", "<Control>q" },
  { N_ ("General"), N_ ("Keyboard shortcuts"), "win.show-help-overlay", "<Control>question" },
  { N_ ("General"), N_ ("Show or hide library and outline"), "win.show-palette", "F9" },
  { N_ ("General"), N_ ("Show the outline"), "win.show-outline", "<Control><Shift>o" },
  { N_ ("General"), N_ ("Show or hide the inspector"), "win.show-inspector", "<Shift>F9" },
  { N_ ("General"), N_ ("Show or hide plots, cache and problems"), "win.show-bottom",
    "<Control>F9" },
  { N_ ("General"), N_ ("Full screen"), "win.fullscreen", "F11" },

  { N_ ("Runs"), N_ ("Run or continue"), "win.run", "F5 <Control>Return" },
  { N_ ("Runs"), N_ ("Pause"), "win.pause", "F6" },
  { N_ ("Runs"), N_ ("One step"), "win.step", "F8" },
  { N_ ("Runs"), N_ ("Stop"), "win.stop", "<Shift>F5" },
  { N_ ("Runs"), N_ ("Check the model"), "win.check", "<Control>b" },
  { N_ ("Runs"), N_ ("Verify: cached against uncached"), "win.verify", "<Control><Shift>e" },
  { N_ ("Runs"), N_ ("Switch caching as a whole"), "win.caching", "<Shift>k" },
  { N_ ("Runs"), N_ ("Show the cache table"), "win.show-cache", "<Control><Shift>k" },

  { N_ ("Editing"), N_ ("Undo"), "win.undo", "<Control>z" },
  { N_ ("Editing"), N_ ("Redo"), "win.redo", "<Control><Shift>z <Control>y" },
  { N_ ("Editing"), N_ ("Search the block library"), "win.search-blocks", "<Control>f" },
  { N_ ("Editing"), N_ ("Cut, copy, paste"), NULL, "<Control>x <Control>c <Control>v" },
  { N_ ("Editing"), N_ ("Duplicate"), NULL, "<Control>d" },
  { N_ ("Editing"), N_ ("Delete"), NULL, "Delete BackSpace" },
  { N_ ("Editing"), N_ ("Rename"), NULL, "F2" },
  { N_ ("Editing"), N_ ("Rotate"), NULL, "<Control>r" },
  { N_ ("Editing"), N_ ("Flip"), NULL, "<Control>i" },
  { N_ ("Editing"), N_ ("Properties"), "win.properties", "<Alt>Return" },

  { N_ ("Diagram"), N_ ("Add a block by name"), NULL, "slash <Control>space" },
  { N_ ("Diagram"), N_ ("Wire by keyboard: start at the selected block"), NULL, "c" },
  { N_ ("Diagram"), N_ ("Select all"), NULL, "<Control>a" },
  { N_ ("Diagram"), N_ ("Select nothing"), NULL, "<Control><Shift>a Escape" },
  { N_ ("Diagram"), N_ ("Next or previous block"), NULL, "Tab <Shift>Tab" },
  { N_ ("Diagram"), N_ ("Follow wires"), NULL, "<Control>Left <Control>Right" },
  { N_ ("Diagram"), N_ ("Move the selection"), NULL, "Left Right Up Down" },
  { N_ ("Diagram"), N_ ("Enter a subsystem"), NULL, "Return" },
  { N_ ("Diagram"), N_ ("Leave a subsystem"), NULL, "<Alt>Up" },
  { N_ ("Diagram"), N_ ("Zoom in, out, 100 %"), NULL, "<Control>plus <Control>minus <Control>0" },
  { N_ ("Diagram"), N_ ("Fit everything"), NULL, "space" },
  { N_ ("Diagram"), N_ ("Fit the selection"), NULL, "f" },
};

const WeirShortcut *
weir_shortcuts_get (guint *n)
{
  *n = G_N_ELEMENTS (shortcuts);
  return shortcuts;
}

void
weir_shortcuts_apply (GtkApplication *application)
{
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (shortcuts[i].action != NULL)
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

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      g_autofree char *item = g_markup_printf_escaped (
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
