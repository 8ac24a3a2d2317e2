/* WeirLibraryPage: the blocks that there are, to be put on the canvas. Thread: *main*. */
#include "gui/host/page.h"
#include "gui/host/settings.h"
#include "panels/palette-panel.h"

G_DECLARE_FINAL_TYPE (WeirLibraryPage, weir_library_page, WEIR, LIBRARY_PAGE, WeirPage)

struct _WeirLibraryPage {
  WeirPage parent;
  WeirPalettePanel *panel;
};

G_DEFINE_FINAL_TYPE (WeirLibraryPage, weir_library_page, WEIR_TYPE_PAGE)

static void
add_block (WeirLibraryPage *self, const char *type)
{
  weir_canvas_add_block (self->parent.canvas, type);
  gtk_widget_grab_focus (GTK_WIDGET (self->parent.canvas));
}

static void
search_blocks (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_host_show_page (WEIR_PAGE (data)->host, "library");
  weir_palette_panel_focus_search (WEIR_LIBRARY_PAGE (data)->panel);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "search-blocks", .activate = search_blocks };
  WeirLibraryPage *self = WEIR_LIBRARY_PAGE (object);

  G_OBJECT_CLASS (weir_library_page_parent_class)->constructed (object);
  weir_palette_panel_set_drop_prefix (self->panel, WEIR_CANVAS_DROP_PREFIX);
  weir_page_add_actions (&self->parent, &entry, 1);
  if (weir_settings_get () != NULL)
    g_settings_bind (weir_settings_get (), "folded-groups", self->panel, "folded",
                     G_SETTINGS_BIND_DEFAULT);
}

static void
weir_library_page_class_init (WeirLibraryPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  g_type_ensure (WEIR_TYPE_PALETTE_PANEL);
  weir_set_template (klass, "library-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirLibraryPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, add_block);
}

static void
weir_library_page_init (WeirLibraryPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
