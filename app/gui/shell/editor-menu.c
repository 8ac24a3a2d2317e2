/* The primary menu: files (recent ones and the examples too), what is shown, help. Short enough for
 * a small screen: what is needed seldom is in submenus, and all of it in the list of commands. */
#include <glib/gi18n-lib.h>

#include "gui/shell/editor-private.h"

#define N_RECENT 10

static void
append_file (GMenu *menu, const char *label, const char *uri)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (NULL, NULL);

  g_menu_item_set_attribute (item, G_MENU_ATTRIBUTE_LABEL, "s", label);
  g_menu_item_set_action_and_target (item, "win.open-uri", "s", uri);
  g_menu_append_item (menu, item);
}

/* A file name as a menu label: an underscore is no mnemonic. */
static char *
dup_label (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "_", -1);

  return g_strjoinv ("__", parts);
}

/* The examples that come with the program, wherever it runs from. */
static GMenu *
examples_menu_new (void)
{
  g_autoptr (GPtrArray) paths = weir_gui_list_models ("examples");
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (paths, i));
      g_autofree char *uri = g_file_get_uri (file), *name = g_file_get_basename (file);
      g_autofree char *label = dup_label (name);

      append_file (menu, label, uri);
    }
  return menu;
}

static void
update_recent (GMenu *menu)
{
  GList *items = weir_gui_list_recent ();
  guint n = 0;

  g_menu_remove_all (menu);
  for (GList *l = items; l != NULL && n < N_RECENT; l = l->next, n++)
    {
      g_autofree char *label = dup_label (gtk_recent_info_get_display_name (l->data));

      append_file (menu, label, gtk_recent_info_get_uri (l->data));
    }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}

GMenuModel *
weir_editor_menu_new (WeirEditor *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new (), saving = g_menu_new (), pictures = g_menu_new ();
  g_autoptr (GMenu) work = g_menu_new (), shown = g_menu_new (), view = g_menu_new ();
  g_autoptr (GMenu) cache = g_menu_new (), learning = g_menu_new (), help = g_menu_new ();
  g_autoptr (GMenu) examples = examples_menu_new (), recent = g_menu_new (),
                    overlay = g_menu_new ();

  for (guint i = 0; i < WEIR_N_OVERLAYS; i++)
    {
      g_autoptr (GMenuItem)
          item = g_menu_item_new (weir_overlay_mode_get_title ((WeirOverlayMode) i), NULL);

      g_menu_item_set_action_and_target (item, "win.overlay", "s",
                                         weir_overlay_mode_to_nick ((WeirOverlayMode) i));
      g_menu_append_item (overlay, item);
    }
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (update_recent),
                           recent, G_CONNECT_SWAPPED);
  update_recent (recent);
  g_menu_append (files, _ ("New _Tab"), "win.new-tab");
  g_menu_append (files, _ ("_New Window"), "app.new-window");
  g_menu_append (files, _ ("_Open…"), "win.open");
  g_menu_append_submenu (files, _ ("Open _Recent"), G_MENU_MODEL (recent));
  g_menu_append_submenu (files, _ ("_Examples"), G_MENU_MODEL (examples));
  g_menu_append (files, _ ("_Welcome Page"), "win.show-welcome");

  g_menu_append (saving, _ ("_Save"), "win.save");
  g_menu_append (saving, _ ("Save _As…"), "win.save-as");
  g_menu_append (saving, _ ("Save a Cop_y…"), "win.save-copy");
  g_menu_append (pictures, _ ("_Export Picture…"), "win.export");
  g_menu_append (pictures, _ ("_Copy Picture"), "win.copy-picture");
  g_menu_append (pictures, _ ("Export _Results…"), "win.export-results");
  g_menu_append (pictures, _ ("_Print…"), "win.print");
  g_menu_append_submenu (saving, _ ("Expo_rt and Print"), G_MENU_MODEL (pictures));

  g_menu_append (work, _ ("_Find…"), "win.find");
  g_menu_append (work, _ ("All Co_mmands…"), "win.show-commands");
  g_menu_append (work, _ ("Chec_k Model"), "win.check");

  g_menu_append (view, _ ("_Library and Outline"), "win.show-palette");
  g_menu_append (view, _ ("_Inspector"), "win.show-inspector");
  g_menu_append (view, _ ("_Plots, Cache and Problems"), "win.show-bottom");
  g_menu_append (view, _ ("_Timeline"), "win.show-timeline");
  g_menu_append (view, _ ("Prese_nt"), "win.presenter");
  g_menu_append (view, _ ("_Full Screen"), "win.fullscreen");
  g_menu_append (cache, _ ("_Caching"), "win.caching");
  g_menu_append_submenu (cache, _ ("Cache _Overlay"), G_MENU_MODEL (overlay));
  g_menu_append (cache, _ ("_Slow Motion"), "win.slow-motion");
  g_menu_append (learning, _ ("_Quiz"), "win.quiz");
  g_menu_append (learning, _ ("_Record a Lesson…"), "win.lesson-record");
  g_menu_append (learning, _ ("_Edit This Lesson"), "win.lesson-edit");
  g_menu_append_section (cache, NULL, G_MENU_MODEL (learning));
  g_menu_append_submenu (shown, _ ("_View"), G_MENU_MODEL (view));
  g_menu_append_submenu (shown, _ ("Cac_he and Lessons"), G_MENU_MODEL (cache));

  g_menu_append (help, _ ("Pre_ferences"), "win.preferences");
  g_menu_append (help, _ ("_Help"), "win.help");
  g_menu_append (help, _ ("_Keyboard Shortcuts"), "win.show-help-overlay");
  g_menu_append (help, _ ("_About Weir"), "win.about");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (saving));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (work));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (shown));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (help));
  /* The editor keeps the menu of recent files up to date as long as it lives. */
  g_object_set_data_full (G_OBJECT (self), "weir-recent", g_object_ref (recent), g_object_unref);
  return G_MENU_MODEL (menu);
}
