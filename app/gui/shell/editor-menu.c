/* The primary menu, as far as it is no fixed list (editor.ui): recent files, examples, what the
 * canvas can show of the cache. */
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
static void
fill_examples (GMenu *menu)
{
  g_autoptr (GPtrArray) paths = weir_gui_list_models ("examples");

  for (guint i = 0; i < paths->len; i++)
    {
      g_autoptr (GFile) file = g_file_new_for_path (g_ptr_array_index (paths, i));
      g_autofree char *uri = g_file_get_uri (file), *name = g_file_get_basename (file);
      g_autofree char *label = dup_label (name);

      append_file (menu, label, uri);
    }
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

void
weir_editor_fill_menus (WeirEditor *self)
{
  for (guint i = 0; i < WEIR_N_OVERLAYS; i++)
    {
      g_autoptr (GMenuItem)
          item = g_menu_item_new (weir_overlay_mode_get_title ((WeirOverlayMode) i), NULL);

      g_menu_item_set_action_and_target (item, "win.overlay", "s",
                                         weir_overlay_mode_to_nick ((WeirOverlayMode) i));
      g_menu_append_item (self->overlay_menu, item);
    }
  fill_examples (self->examples_menu);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (update_recent),
                           self->recent_menu, G_CONNECT_SWAPPED);
  update_recent (self->recent_menu);
}
