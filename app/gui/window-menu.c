/* The primary menu: files (recent ones and the examples too), what is shown, help. */
#include <glib/gi18n-lib.h>

#include "config.h"
#include "gui/window-private.h"

#define N_RECENT 10

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return g_strcmp0 (*(char *const *) a, *(char *const *) b);
}

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
  static const char *const folders[] = { WEIR_SOURCE_DATA_DIR, WEIR_DATA_DIR };
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (folders[i], "examples", NULL);
      g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
      g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
      const char *name;

      while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
        if (g_str_has_suffix (name, ".weir"))
          g_ptr_array_add (names, g_strdup (name));
      g_ptr_array_sort (names, compare_names);
      for (guint k = 0; k < names->len; k++)
        {
          g_autoptr (GFile) file
              = g_file_new_build_filename (folder, g_ptr_array_index (names, k), NULL);
          g_autofree char *uri = g_file_get_uri (file);
          g_autofree char *label = dup_label (g_ptr_array_index (names, k));

          append_file (menu, label, uri);
        }
      if (names->len > 0)
        break;
    }
  return menu;
}

static int
compare_visits (gconstpointer a, gconstpointer b)
{
  return g_date_time_compare (gtk_recent_info_get_modified ((GtkRecentInfo *) b),
                              gtk_recent_info_get_modified ((GtkRecentInfo *) a));
}

static void
update_recent (GMenu *menu)
{
  GList *items = gtk_recent_manager_get_items (gtk_recent_manager_get_default ());
  guint n = 0;

  g_menu_remove_all (menu);
  items = g_list_sort (items, compare_visits);
  for (GList *l = items; l != NULL && n < N_RECENT; l = l->next)
    if (g_str_has_suffix (gtk_recent_info_get_uri (l->data), ".weir")
        && gtk_recent_info_exists (l->data))
      {
        g_autofree char *label = dup_label (gtk_recent_info_get_display_name (l->data));

        append_file (menu, label, gtk_recent_info_get_uri (l->data));
        n++;
      }
  g_list_free_full (items, (GDestroyNotify) gtk_recent_info_unref);
}

GMenuModel *
weir_window_menu_new (WeirWindow *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) files = g_menu_new (), view = g_menu_new (), help = g_menu_new ();
  g_autoptr (GMenu) examples = examples_menu_new (), recent = g_menu_new ();

  g_signal_connect_object (gtk_recent_manager_get_default (), "changed",
                           G_CALLBACK (update_recent), recent, G_CONNECT_SWAPPED);
  update_recent (recent);
  g_menu_append (files, _ ("_New Window"), "app.new-window");
  g_menu_append (files, _ ("_Open…"), "win.open");
  g_menu_append_submenu (files, _ ("Open _Recent"), G_MENU_MODEL (recent));
  g_menu_append_submenu (files, _ ("_Examples"), G_MENU_MODEL (examples));
  g_menu_append (files, _ ("_Save"), "win.save");
  g_menu_append (files, _ ("Save _As…"), "win.save-as");
  g_menu_append (view, _ ("_Library and Outline"), "win.show-palette");
  g_menu_append (view, _ ("_Inspector"), "win.show-inspector");
  g_menu_append (view, _ ("_Plots, Cache and Problems"), "win.show-bottom");
  g_menu_append (view, _ ("_Caching"), "win.caching");
  g_menu_append (view, _ ("Chec_k Model"), "win.check");
  g_menu_append (help, _ ("_Keyboard Shortcuts"), "win.show-help-overlay");
  g_menu_append (help, _ ("_About Weir"), "win.about");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (files));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (view));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (help));
  /* The window keeps the menu of recent files up to date as long as it lives. */
  g_object_set_data_full (G_OBJECT (self), "weir-recent", g_object_ref (recent), g_object_unref);
  return G_MENU_MODEL (menu);
}
