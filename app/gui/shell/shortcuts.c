/* The table of shortcuts. See shortcuts.h. */
#include "gui/shell/shortcuts.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "canvas/widget/canvas.h"

/* Those of the canvas are listed by the canvas. */
static const WeirShortcut own[] = {
  { N_ ("General"), N_ ("New Model"), "win.new-tab", "<Control>n <Control>t" },
  { N_ ("General"), N_ ("New Window"), "app.new-window", "<Control><Shift>n" },
  { N_ ("General"), N_ ("Open"), "win.open", "<Control>o" },
  { N_ ("General"), N_ ("Save"), "win.save", "<Control>s" },
  { N_ ("General"), N_ ("Save As"), "win.save-as", "<Control><Shift>s" },
  { N_ ("General"), N_ ("Save a Copy"), "win.save-copy", NULL },
  { N_ ("General"), N_ ("Insert an FMU"), "win.insert-fmu", NULL },
  { N_ ("General"), N_ ("Trust the FMUs of the Model"), "win.trust-fmus", NULL },
  { N_ ("General"), N_ ("Print"), "win.print", "<Control>p" },
  { N_ ("General"), N_ ("Export as a Picture"), "win.export", "<Control>e" },
  { N_ ("General"), N_ ("Export the Results as a Table"), "win.export-results", NULL },
  { N_ ("General"), N_ ("Export as a System of FMUs"), "win.export-structure", NULL },
  { N_ ("General"), N_ ("Generate Code"), "win.generate-code", NULL },
  { N_ ("General"), N_ ("Export as FMU"), "win.export-fmu", NULL },
  { N_ ("General"), N_ ("Copy as a Picture"), "win.copy-picture", "<Control><Shift>c" },
  { N_ ("General"), N_ ("Preferences"), "win.preferences", "<Control>comma" },
  { N_ ("General"), N_ ("Close Tab"), "win.close-tab", "<Control>w" },
  { N_ ("General"), N_ ("Open the Tab Closed Last"), "win.reopen-tab", "<Control><Shift>t" },
  { N_ ("General"), N_ ("Next Tab"), "win.next-tab", "<Control>Tab <Control>Page_Down" },
  { N_ ("General"), N_ ("Previous Tab"), "win.previous-tab",
    "<Control><Shift>Tab <Control>Page_Up" },
  { N_ ("General"), N_ ("Move the Tab Forward"), "win.move-tab-forward",
    "<Control><Shift>Page_Down" },
  { N_ ("General"), N_ ("Move the Tab Back"), "win.move-tab-back", "<Control><Shift>Page_Up" },
  { N_ ("General"), N_ ("Tab by Its Number"), NULL, "<Alt>1" },
  { N_ ("General"), N_ ("Move the Tab to a New Window"), "win.move-to-new-window", NULL },
  { N_ ("General"), N_ ("Close Window"), "window.close", "<Control><Shift>w" },
  { N_ ("General"), N_ ("Quit"), "app.quit", "<Control>q" },
  { N_ ("General"), N_ ("Help: of the Selected Block, or Its Contents"), "win.help", "F1" },
  { N_ ("General"), N_ ("Welcome Page: Lessons, Examples, Templates"), "win.show-welcome",
    "<Alt>Home" },
  { N_ ("General"), N_ ("Keyboard Shortcuts"), "win.show-help-overlay", "<Control>question" },
  { N_ ("General"), N_ ("Show or Hide Library and Outline"), "win.show-palette", "F9" },
  { N_ ("General"), N_ ("Show the Outline"), "win.show-outline", "<Control><Shift>o" },
  { N_ ("General"), N_ ("Show or Hide the Inspector"), "win.show-inspector", "<Shift>F9" },
  { N_ ("General"), N_ ("Show or Hide Plots, Cache and Problems"), "win.show-bottom",
    "<Control>F9" },
  { N_ ("General"), N_ ("Perspective: Model"), "win.model-perspective", "<Control><Alt>1" },
  { N_ ("General"), N_ ("Perspective: Cache"), "win.cache-perspective", "<Control><Alt>2" },
  { N_ ("General"), N_ ("Perspective: Analysis"), "win.analysis-perspective", "<Control><Alt>3" },
  { N_ ("General"), N_ ("Main Menu"), NULL, "F10" },
  { N_ ("General"), N_ ("Context Menu"), NULL, "<Shift>F10 Menu" },
  { N_ ("General"), N_ ("Full Screen"), "win.fullscreen", "F11" },

  { N_ ("Runs"), N_ ("Run or Continue"), "win.run", "F5 <Control>Return" },
  { N_ ("Runs"), N_ ("Pause"), "win.pause", "F6" },
  { N_ ("Runs"), N_ ("One Step"), "win.step", "F8" },
  { N_ ("Runs"), N_ ("Several Steps"), "win.steps", "<Control>F8" },
  { N_ ("Runs"), N_ ("One Step Back"), "win.step-back", "F7" },
  { N_ ("Runs"), N_ ("Several Steps Back"), "win.steps-back", "<Control>F7" },
  { N_ ("Runs"), N_ ("Stop"), "win.stop", "<Shift>F5" },
  { N_ ("Runs"), N_ ("Check the Model"), "win.check", "<Control>b" },
  { N_ ("Runs"), N_ ("Verify: Cached Against Uncached"), "win.verify", "<Control><Shift>e" },
  { N_ ("Runs"), N_ ("Instant Results: Curves Follow Values"), "win.instant-results", NULL },
  { N_ ("Runs"), N_ ("New Study"), "win.study-new", NULL },
  { N_ ("Runs"), N_ ("Open a Study"), "win.study-open", NULL },
  { N_ ("Runs"), N_ ("Save the Study"), "win.study-save", NULL },
  { N_ ("Runs"), N_ ("Save the Study under Another Name"), "win.study-save-as", NULL },
  { N_ ("Runs"), N_ ("Study: Take Known Runs from the Cache"), "win.study-cache", NULL },
  { N_ ("Runs"), N_ ("Study: Verify Known Runs"), "win.study-verify", NULL },
  { N_ ("Runs"), N_ ("Study: Undo a Change of It"), "win.study-undo", "<Control><Alt>z" },
  { N_ ("Runs"), N_ ("Study: Redo a Change of It"), "win.study-redo", "<Control><Alt><Shift>z" },
  { N_ ("Runs"), N_ ("Study: Choose a Curve in a Plot"), "win.study-ask", NULL },
  { N_ ("View"), N_ ("Cursors to Measure With (A, B)"), "win.measure", "<Control><Alt>m" },
  { N_ ("View"), N_ ("Table of Figures"), "win.figures", "<Control><Alt>f" },
  { N_ ("Plots"), N_ ("Choose a Cursor, Put It There"), NULL, "a b" },
  { N_ ("Plots"), N_ ("Cursor to the Sample Before or After (Shift: Ten)"), NULL, "Left Right" },
  { N_ ("Plots"), N_ ("Cursor to the Next Peak, or the One Before"), NULL, "p <Shift>p" },
  { N_ ("Plots"), N_ ("Cursor to the Next Crossing of the Middle, or the One Before"), NULL,
    "x <Shift>x" },
  { N_ ("Plots"), N_ ("Choose a Cursor at a Value, Put It There"), NULL, "1 2" },
  { N_ ("Plots"),
    N_ ("Curve of Those Peaks and Crossings, or Value of the Cursor Chosen Last (Shift: Far)"),
    NULL, "Up Down" },
  { N_ ("Plots"), N_ ("Take the Cursors Away"), NULL, "Escape" },
  { N_ ("Plots"), N_ ("Zoom In or Out, Fit Everything"), NULL, "plus minus Home" },
  { N_ ("Plots"), N_ ("Logarithmic Values, Logarithmic Time"), NULL, "l <Shift>l" },
  { N_ ("Plots"), N_ ("Spectrum, or Over Time"), NULL, "s" },
  { N_ ("Plots"), N_ ("Back to What Was Shown Before"), NULL, "BackSpace" },
  { N_ ("Plots"), N_ ("One Plot Alone, or With the Others"), NULL, "Return" },
  { N_ ("Plots"), N_ ("A Plot in a Window of Its Own, or Back"), NULL, "<Shift>Return" },
  { N_ ("View"), N_ ("Compare With a File of Results"), "win.compare-file", NULL },
  { N_ ("View"), N_ ("The Same Time in All Plots"), "win.link-time", NULL },
  { N_ ("Cache"), N_ ("Switch Caching as a Whole"), "win.caching", "<Shift>k" },
  { N_ ("General"), N_ ("Present: the Diagram Alone, Large"), "win.presenter", "<Shift>F11" },
  { N_ ("Cache"), N_ ("Quiz: What Does a Change Reach?"), "win.quiz", "<Control><Alt>q" },
  { N_ ("Cache"), N_ ("Capture a Lesson"), "win.lesson-capture", "<Control><Alt>l" },
  { N_ ("Cache"), N_ ("Show or Hide Slow Motion"), "win.slow-motion", "<Control><Shift>m" },
  { N_ ("Cache"), N_ ("Slow Motion: Play or Pause"), "win.slow-play", "<Alt>p" },
  { N_ ("Cache"), N_ ("Slow Motion: Next Beat"), "win.slow-next", "<Alt>period" },
  { N_ ("Cache"), N_ ("Slow Motion: Beat Before"), "win.slow-previous", "<Alt>comma" },
  { N_ ("Cache"), N_ ("Slow Motion: Faster"), "win.slow-faster", "<Alt>plus" },
  { N_ ("Cache"), N_ ("Slow Motion: Slower"), "win.slow-slower", "<Alt>minus" },
  { N_ ("Cache"), N_ ("Show the Cache Table"), "win.show-cache", "<Control><Shift>k" },
  { N_ ("Cache"), N_ ("Show the Breakpoints"), "win.show-breakpoints", "<Shift>F12" },
  { N_ ("Cache"), N_ ("Log Change Events"), "win.log", "<Control><Alt>r" },
  { N_ ("Cache"), N_ ("Show the Timeline"), "win.show-timeline", "<Control><Shift>j" },
  { N_ ("Cache"), N_ ("Previous or Next Logged Event"), NULL, "comma period" },
  { N_ ("Cache"), N_ ("Previous or Next That Reaches the Selection"), NULL,
    "<Shift>comma <Shift>period" },
  { N_ ("Cache"), N_ ("Open a Change Log"), "win.timeline-open", NULL },
  { N_ ("Cache"), N_ ("Save the Change Log"), "win.timeline-save", NULL },
  { N_ ("Cache"), N_ ("Close the Change Log"), "win.timeline-close", NULL },
  { N_ ("Cache"), N_ ("Skip the Event and Replay"), "win.timeline-skip", NULL },
  { N_ ("Cache"), N_ ("Play the Change Log in Slow Motion"), "win.timeline-slow", NULL },

  { N_ ("Editing"), N_ ("Undo"), "win.undo", "<Control>z" },
  { N_ ("Editing"), N_ ("Redo"), "win.redo", "<Control><Shift>z <Control>y" },
  { N_ ("Editing"), N_ ("Find in All Levels"), "win.find", "<Control>f" },
  { N_ ("General"), N_ ("All Commands"), "win.show-commands", "<Control><Shift>p" },
  { N_ ("Editing"), N_ ("Search the Block Library"), "win.search-blocks", "<Control><Shift>f" },
  { N_ ("Editing"), N_ ("Properties"), "win.properties", "<Alt>Return" },

  { N_ ("Search"), N_ ("Choose Up or Down While Typing"), NULL, "Up Down" },
  { N_ ("Search"), N_ ("Go to the Next or Previous Find While Typing"), NULL,
    "<Control>g <Control><Shift>g F3 <Shift>F3" },

  { N_ ("Diagram"), N_ ("Next or Previous Block"), NULL, "Tab <Shift>Tab" },
  { N_ ("Diagram"), N_ ("Follow Wires"), NULL, "<Control>Left <Control>Right" },
  { N_ ("Diagram"), N_ ("Move the Selection"), NULL, "Left Right Up Down" },
  { N_ ("Outline"), N_ ("Add a Block, at a Port Wired to It"), NULL, "slash" },
  { N_ ("Outline"), N_ ("Connect the Block or Port"), NULL, "c" },
  { N_ ("Outline"), N_ ("Follow the Wire, or Go to the Diagram"), NULL, "Return" },
  { N_ ("Outline"), N_ ("Move to Another Level"), NULL, "m" },
  { N_ ("Outline"), N_ ("Rename"), NULL, "F2" },
  { N_ ("Outline"), N_ ("Open or Close the Row"), NULL, "Right Left" },

  { N_ ("Diagram"), N_ ("Resize the Block or Frame"), NULL,
    "<Control><Shift>Right <Control><Shift>Down" },
};

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  static const char *const groups[] = { "General", "Runs",    "Editing", "Arranging",
                                        "Diagram", "Outline", "Search",  "View",
                                        "Plots",   "Cache",   NULL };
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
