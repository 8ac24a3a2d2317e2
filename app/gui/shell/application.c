/* The application: one process for all windows, files opened from outside, a few actions. */
#include <glib/gi18n-lib.h>
#include <locale.h>

#include "base/text.h"
#include "config.h"
#include "gui/shell/gui.h"
#include "gui/shell/open-files.h"
#include "gui/host/settings.h"
#include "gui/shell/shortcuts.h"
#include "gui/shell/editor-private.h"
#include "scopes/plot-window.h"
#include "widgets/tooltips.h"

static void
new_window (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_window_present (weir_window_add (weir_window_new (data), weir_editor_new ()));
}

/* Each window asks about its own changes; the last one that closes ends the program. */
static void
quit (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  g_autoptr (GPtrArray) windows = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *l = gtk_application_get_windows (data); l != NULL; l = l->next)
    if (!WEIR_IS_PLOT_WINDOW (l->data)) /* which goes with its model */
      g_ptr_array_add (windows, g_object_ref (l->data));
  weir_window_note_files (data);
  weir_open_files_begin_quit ();
  for (guint i = 0; i < windows->len; i++)
    gtk_window_close (windows->pdata[i]);
}

/* Once in the life of the program, when its first window is there. */
static void
offer_recovery (WeirEditor *editor)
{
  static gboolean is_done;

  if (!is_done)
    weir_editor_offer_recovery (editor);
  is_done = TRUE;
}

static void
activate (GApplication *application)
{
  WeirEditor *editor = weir_window_find_shown (GTK_APPLICATION (application));
  GSettings *settings = weir_settings_get ();
  gboolean welcomes;

  if (editor == NULL)
    {
      g_autoptr (GPtrArray) files = weir_open_files_list ();

      if (files->len > 0)
        {
          g_application_open (application, (GFile **) files->pdata, (int) files->len, "");
          return;
        }
      welcomes = settings == NULL || g_settings_get_boolean (settings, "show-welcome");
      editor = weir_window_add (weir_window_new (GTK_APPLICATION (application)),
                                welcomes ? weir_editor_new_for_welcome () : weir_editor_new ());
      if (welcomes)
        weir_editor_show_welcome (editor);
    }
  weir_window_present (editor);
  offer_recovery (editor);
}

static void
open_files (GApplication *application, GFile **files, int n_files, G_GNUC_UNUSED const char *hint)
{
  WeirEditor *editor = weir_window_find_shown (GTK_APPLICATION (application));

  if (editor == NULL)
    editor = weir_window_add (weir_window_new (GTK_APPLICATION (application)), weir_editor_new ());
  weir_window_present (editor);
  for (int i = 0; i < n_files; i++)
    weir_editor_open_beside (weir_window_get_shown (weir_window_get_of (editor)), files[i]);
  offer_recovery (weir_window_get_shown (weir_window_get_of (editor)));
}

/* The tab that a notice from the desktop is about; it may be gone since. */
static void
show_tab (G_GNUC_UNUSED GSimpleAction *action, GVariant *serial, gpointer data)
{
  g_autoptr (GPtrArray) all = weir_window_list_all (data);

  for (guint i = 0; i < all->len; i++)
    {
      WeirEditor *editor = g_ptr_array_index (all, i);

      if (editor->serial == g_variant_get_uint32 (serial))
        weir_window_present (editor);
    }
}

/* A file that the help names, beside what is open in the window that was used last. */
static void
open_example (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path (g_variant_get_string (value, NULL));

  open_files (data, &file, 1, NULL);
}

/* Of equations, in the help. */
static void
insert_example (G_GNUC_UNUSED GSimpleAction *action, GVariant *value, gpointer data)
{
  WeirEditor *editor = weir_window_find_shown (data);

  if (editor == NULL)
    {
      gdk_display_beep (gdk_display_get_default ());
      return;
    }
  weir_editor_insert_equations (editor, g_variant_get_string (value, NULL));
  weir_window_present (editor);
}

/* The sentences of the engine are in the catalogue of the window. */
static const char *
translate (const char *one, const char *many, gulong n)
{
  return many == NULL ? _ (one) : g_dngettext (GETTEXT_PACKAGE, one, many, n);
}

void
weir_gui_init (GtkApplication *application)
{
  static const GActionEntry entries[] = {
    { .name = "new-window", .activate = new_window },
    { .name = "quit", .activate = quit },
    { .name = "show-tab", .activate = show_tab, .parameter_type = "u" },
    { .name = "open-example", .activate = open_example, .parameter_type = "s" },
    { .name = "insert-example", .activate = insert_example, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (application), entries, G_N_ELEMENTS (entries),
                                   application);
  weir_set_translator (translate);
  weir_shortcuts_apply (application);
  weir_style_apply ();
  weir_tooltips_keep_off_popovers ();
  gtk_window_set_default_icon_name (WEIR_APPLICATION_ID);
}

static void
startup (GtkApplication *application)
{
  g_signal_connect (application, "window-removed", G_CALLBACK (weir_window_note_files), NULL);
  weir_gui_init (application);
  weir_settings_apply ();
}

int
weir_gui_main (int argc, char **argv)
{
  g_autoptr (AdwApplication)
      application = adw_application_new (WEIR_APPLICATION_ID, G_APPLICATION_HANDLES_OPEN);

  bindtextdomain (GETTEXT_PACKAGE, WEIR_LOCALE_DIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
  bindtextdomain (WEIR_HELP_DOMAIN, WEIR_LOCALE_DIR);
  bind_textdomain_codeset (WEIR_HELP_DOMAIN, "UTF-8");
  g_set_application_name ("Weir");
  g_signal_connect (application, "startup", G_CALLBACK (startup), NULL);
  g_signal_connect (application, "activate", G_CALLBACK (activate), NULL);
  g_signal_connect (application, "open", G_CALLBACK (open_files), NULL);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
