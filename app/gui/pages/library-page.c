/* WeirLibraryPage: the blocks that there are, to be put on the canvas. Thread: *main*. */
#include "gui/host/page.h"
#include "gui/host/settings.h"
#include "model/tree/file-names.h"
#include "panels/palette-panel.h"

G_DECLARE_FINAL_TYPE (WeirLibraryPage, weir_library_page, WEIR, LIBRARY_PAGE, WeirPage)

struct _WeirLibraryPage {
  WeirPage parent;
  WeirPalettePanel *panel;
  char *folder; /* whose parts are shown; NULL: none's */
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

/* Parts of the folder where the model is; files may be others each time that one looks. */
static void
read_parts (WeirLibraryPage *self)
{
  const char *folder = weir_model_get_folder (weir_document_get_model (self->parent.document));

  g_free (self->folder);
  self->folder = g_strdup (folder);
  weir_palette_panel_read_parts (self->panel, folder);
}

static void
document_changed (WeirLibraryPage *self)
{
  if (g_strcmp0 (self->folder,
                 weir_model_get_folder (weir_document_get_model (self->parent.document)))
      != 0)
    read_parts (self);
}

static void
finalize (GObject *object)
{
  g_free (WEIR_LIBRARY_PAGE (object)->folder);
  G_OBJECT_CLASS (weir_library_page_parent_class)->finalize (object);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "search-blocks", .activate = search_blocks };
  WeirLibraryPage *self = WEIR_LIBRARY_PAGE (object);

  G_OBJECT_CLASS (weir_library_page_parent_class)->constructed (object);
  weir_palette_panel_set_drop_prefix (self->panel, WEIR_CANVAS_DROP_PREFIX);
  weir_page_add_actions (&self->parent, &entry, 1);
  g_signal_connect_object (self->parent.document, "changed", G_CALLBACK (document_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (read_parts), NULL);
  if (weir_settings_get () != NULL)
    g_settings_bind (weir_settings_get (), "folded-groups", self->panel, "folded",
                     G_SETTINGS_BIND_DEFAULT);
}

static void
weir_library_page_class_init (WeirLibraryPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  G_OBJECT_CLASS (klass)->finalize = finalize;
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
