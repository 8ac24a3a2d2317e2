/* WeirInspectorPage: the parameters of what is selected. Thread: *main*. */
#include "gui/parts/cache-views.h"
#include "gui/host/page.h"
#include "panels/inspector.h"

G_DECLARE_FINAL_TYPE (WeirInspectorPage, weir_inspector_page, WEIR, INSPECTOR_PAGE, WeirPage)

struct _WeirInspectorPage {
  WeirPage parent;
  WeirInspector *panel;
};

G_DEFINE_FINAL_TYPE (WeirInspectorPage, weir_inspector_page, WEIR_TYPE_PAGE)

static void
selection_changed (WeirInspectorPage *self)
{
  guint n;
  const guint32 *blocks = weir_canvas_get_selected (self->parent.canvas, &n);

  weir_inspector_set_selected (self->panel, blocks, n);
}

static void
parameter_pointed (WeirInspectorPage *self, guint block, const char *parameter)
{
  weir_cache_views_point_at_parameter (self->parent.host, block, parameter);
}

static void
enter_typed (WeirPage *page)
{
  weir_inspector_enter (WEIR_INSPECTOR_PAGE (page)->panel);
}

static void
properties (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_host_show_page (WEIR_PAGE (data)->host, "inspector");
  weir_inspector_focus_first (WEIR_INSPECTOR_PAGE (data)->panel);
}

static void
constructed (GObject *object)
{
  static const GActionEntry entry = { .name = "properties", .activate = properties };
  WeirInspectorPage *self = WEIR_INSPECTOR_PAGE (object);

  G_OBJECT_CLASS (weir_inspector_page_parent_class)->constructed (object);
  weir_inspector_set_document (self->panel, self->parent.document);
  weir_page_add_actions (&self->parent, &entry, 1);
  g_signal_connect_object (self->parent.canvas, "selection-changed", G_CALLBACK (selection_changed),
                           self, G_CONNECT_SWAPPED);
}

static void
weir_inspector_page_class_init (WeirInspectorPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  WEIR_PAGE_CLASS (klass)->enter_typed = enter_typed;
  g_type_ensure (WEIR_TYPE_INSPECTOR);
  weir_set_template (klass, "inspector-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirInspectorPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, parameter_pointed);
}

static void
weir_inspector_page_init (WeirInspectorPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
