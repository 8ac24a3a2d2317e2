/* WeirCachePage: the table of all values that are kept, and the summary of it in the status bar.
 * What is selected in the table and on the canvas is the same.
 */
#include <glib/gi18n-lib.h>

#include "cache/cache-panel.h"
#include "cache/live-strip.h"
#include "gui/pages/breakpoints-page.h"
#include "gui/pages/dependencies-page.h"
#include "gui/host/export.h"
#include "gui/host/settings.h"

G_DECLARE_FINAL_TYPE (WeirCachePage, weir_cache_page, WEIR, CACHE_PAGE, WeirPage)

struct _WeirCachePage {
  WeirPage parent;
  WeirCachePanel *panel;
  GtkWidget *strip;           /* in the status bar */
  gboolean is_following_rows; /* the canvas selects what was selected in the table */
};

G_DEFINE_FINAL_TYPE (WeirCachePage, weir_cache_page, WEIR_TYPE_PAGE)

/* --- Selection ------------------------------------------------------------------------------- */

static void
rows_selected (WeirCachePage *self)
{
  g_autoptr (GArray) blocks = weir_cache_panel_list_selected_blocks (self->panel);

  self->is_following_rows = TRUE;
  if (blocks->len > 0)
    weir_canvas_select_blocks (self->parent.canvas, (const guint32 *) (gpointer) blocks->data,
                               blocks->len);
  self->is_following_rows = FALSE;
}

static void
canvas_selected (WeirCachePage *self)
{
  guint n;
  const guint32 *ids = weir_canvas_get_selected (self->parent.canvas, &n);

  if (!self->is_following_rows)
    weir_cache_panel_select_blocks (self->panel, ids, n);
}

/* --- What it does ---------------------------------------------------------------------------- */

static void
caching_switched (WeirCachePage *self, gboolean enabled)
{
  weir_runner_set_caching (self->parent.runner, enabled);
}

static void
break_switched (WeirCachePage *self, guint entry, gboolean on)
{
  WeirBreakpointsPage *page = weir_host_find (self->parent.host, WEIR_TYPE_BREAKPOINTS_PAGE);

  weir_breakpoints_page_switch (page, entry, on);
}

static void
entry_asked_for (WeirCachePage *self, guint entry)
{
  WeirDependenciesPage *page = weir_host_find (self->parent.host, WEIR_TYPE_DEPENDENCIES_PAGE);

  if (weir_cache_model_get_session (self->parent.cache) != NULL)
    weir_dependencies_page_show_entry (page, (WeirEntry) { entry });
}

static char *
dup_table (gpointer page)
{
  return weir_cache_panel_to_csv (WEIR_CACHE_PAGE (page)->panel);
}

static void
export_cache (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_export_choose_table (WEIR_PAGE (data)->host, _ ("Export the Cache Table"), "cache.csv",
                            dup_table, data);
}

static void
show_cache (G_GNUC_UNUSED GSimpleAction *action, G_GNUC_UNUSED GVariant *value, gpointer data)
{
  weir_host_show_page (WEIR_PAGE (data)->host, "cache");
}

static void
update_strip (gpointer page)
{
  gtk_widget_set_visible (WEIR_CACHE_PAGE (page)->strip,
                          weir_host_get_perspective (WEIR_PAGE (page)->host)
                              == WEIR_PERSPECTIVE_CACHE);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  static const GActionEntry entries[] = {
    { .name = "export-cache", .activate = export_cache },
    { .name = "show-cache", .activate = show_cache },
  };
  WeirCachePage *self = WEIR_CACHE_PAGE (object);

  G_OBJECT_CLASS (weir_cache_page_parent_class)->constructed (object);
  weir_cache_panel_set_model (self->panel, self->parent.cache);
  weir_page_add_actions (&self->parent, entries, G_N_ELEMENTS (entries));
  self->strip = weir_live_strip_new (self->parent.cache, "win.show-cache");
  weir_host_add_widget (self->parent.host, WEIR_SLOT_STATUS, self->strip);
  g_signal_connect_object (self->parent.canvas, "selection-changed", G_CALLBACK (canvas_selected),
                           self, G_CONNECT_SWAPPED);
  weir_host_follow_perspective (self->parent.host, update_strip, self);
}

static void
weir_cache_page_class_init (WeirCachePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  g_type_ensure (WEIR_TYPE_CACHE_PANEL);
  weir_set_template (klass, "cache-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirCachePage, panel);
  gtk_widget_class_bind_template_callback (widget_class, rows_selected);
  gtk_widget_class_bind_template_callback (widget_class, caching_switched);
  gtk_widget_class_bind_template_callback (widget_class, break_switched);
  gtk_widget_class_bind_template_callback (widget_class, entry_asked_for);
}

static void
weir_cache_page_init (WeirCachePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
