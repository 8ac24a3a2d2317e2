/* The page of dependencies. See dependencies-page.h. */
#include "gui/pages/dependencies-page.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-card.h"
#include "cache/explain-panel.h"
#include "gui/parts/cache-views.h"
#include "gui/parts/lab-tests.h"

struct _WeirDependenciesPage {
  WeirPage parent;
  WeirExplainPanel *panel;
  gboolean is_following_panel; /* the canvas selects what was asked for here */
  gboolean is_why;             /* what was asked for last: why a value is as it is, else a graph */
};

G_DEFINE_FINAL_TYPE (WeirDependenciesPage, weir_dependencies_page, WEIR_TYPE_PAGE)

/* The way is on the canvas as long as the panel is looked at. */
static void
path_changed (WeirDependenciesPage *self)
{
  const GArray *path = weir_page_is_shown (&self->parent)
                           ? weir_explain_panel_get_path (self->panel)
                           : NULL;

  weir_cache_views_emphasize (self->parent.host,
                              path != NULL ? g_array_copy ((GArray *) path) : NULL);
}

static void
go_to_block (WeirDependenciesPage *self, guint block)
{
  self->is_following_panel = TRUE;
  if (block != 0)
    weir_canvas_select_block (self->parent.canvas, block);
  self->is_following_panel = FALSE;
}

static void
tracker_pointed (WeirDependenciesPage *self, guint tracker)
{
  weir_cache_views_explore_tracker (self->parent.host, tracker);
}

#define GRAPH_HEIGHT 330 /* pixels, for a graph to be of use */

static void
show_page (WeirDependenciesPage *self)
{
  weir_host_show_page (self->parent.host, "dependencies");
  weir_host_ask_room (self->parent.host, WEIR_DOCK_BOTTOM, GRAPH_HEIGHT);
  path_changed (self);
}

/* What is selected or pointed at: of a block its graph and the value that needs it most. */
static void
show_asked (gpointer data)
{
  WeirDependenciesPage *self = data;
  WeirCanvasSubject subject;
  WeirPlace place;
  WeirEntry entry;

  if (self->parent.host == NULL)
    return;
  if (!weir_cache_model_ensure (self->parent.cache))
    {
      weir_host_toast (self->parent.host, _ ("The model is not complete yet; see Problems."));
      return;
    }
  subject = weir_canvas_get_subject (self->parent.canvas);
  place = weir_canvas_get_place (self->parent.canvas);
  if (subject.block == 0)
    weir_explain_panel_show_block (self->panel, place.n_ids > 0 ? place.ids[place.n_ids - 1] : 0);
  else if (self->is_why
           && weir_cache_find_port_entry (self->parent.cache, subject.block, subject.port,
                                          subject.is_output, &entry))
    weir_explain_panel_show_entry (self->panel, entry);
  else
    weir_explain_panel_show_block (self->panel, subject.block);
  show_page (self);
}

static void
view_asked_for (WeirDependenciesPage *self, const char *name)
{
  if (g_str_equal (name, "clear"))
    weir_cache_views_emphasize (self->parent.host, NULL);
  self->is_why = g_str_equal (name, "why");
  if (!self->is_why && !g_str_equal (name, "graph"))
    return;
  if (weir_cache_model_ensure (self->parent.cache))
    show_asked (self);
  else
    weir_document_when_completed (self->parent.document, show_asked, self);
}

void
weir_dependencies_page_show_entry (WeirDependenciesPage *self, WeirEntry entry)
{
  weir_explain_panel_show_entry (self->panel, entry);
  show_page (self);
}

void
weir_dependencies_page_go_to_entry (WeirDependenciesPage *self, WeirEntry entry)
{
  WeirLayout *layout = weir_cache_model_get_layout (self->parent.cache);

  if (layout == NULL || entry.i >= weir_layout_get_n_entries (layout))
    return;
  weir_explain_panel_show_entry (self->panel, entry);
  go_to_block (self, weir_cache_model_get_block (self->parent.cache,
                                                 weir_layout_get_entry (layout, entry).node));
}

/* While the panel is looked at it shows what is selected. */
static void
selection_changed (WeirDependenciesPage *self)
{
  guint32 block = weir_canvas_get_selected_block (self->parent.canvas);

  if (block != 0 && !self->is_following_panel && weir_page_is_shown (&self->parent))
    weir_explain_panel_show_block (self->panel, block);
}

/* Which declared reads are real is what the audit tells. */
static void
observe (WeirDependenciesPage *self, gboolean on)
{
  WeirLabTests *tests = weir_host_find (self->parent.host, WEIR_TYPE_LAB_TESTS);

  weir_lab_tests_switch (tests, WEIR_LAB_AUDIT, on);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
constructed (GObject *object)
{
  WeirDependenciesPage *self = WEIR_DEPENDENCIES_PAGE (object);

  G_OBJECT_CLASS (weir_dependencies_page_parent_class)->constructed (object);
  weir_explain_panel_set_model (self->panel, self->parent.cache);
  g_signal_connect_object (self->parent.canvas, "view-command", G_CALLBACK (view_asked_for), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->parent.canvas, "selection-changed", G_CALLBACK (selection_changed),
                           self, G_CONNECT_SWAPPED);
}

static void
ready (WeirPage *page)
{
  g_signal_connect_object (gtk_widget_get_parent (GTK_WIDGET (page)), "notify::visible-child",
                           G_CALLBACK (path_changed), page, G_CONNECT_SWAPPED);
}

static void
weir_dependencies_page_class_init (WeirDependenciesPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->constructed = constructed;
  WEIR_PAGE_CLASS (klass)->ready = ready;
  g_type_ensure (WEIR_TYPE_EXPLAIN_PANEL);
  weir_set_template (klass, "dependencies-page.ui");
  gtk_widget_class_bind_template_child (widget_class, WeirDependenciesPage, panel);
  gtk_widget_class_bind_template_callback (widget_class, path_changed);
  gtk_widget_class_bind_template_callback (widget_class, go_to_block);
  gtk_widget_class_bind_template_callback (widget_class, tracker_pointed);
  gtk_widget_class_bind_template_callback (widget_class, observe);
}

static void
weir_dependencies_page_init (WeirDependenciesPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
