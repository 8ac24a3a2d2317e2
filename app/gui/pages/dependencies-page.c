/* Why a value is as it is: the panel of dependencies in the editor, and what it shows on the
 * canvas. */
#include <glib/gi18n-lib.h>

#include "cache/cache-card.h"
#include "cache/cache-panel.h"
#include "cache/explain-panel.h"
#include "gui/parts/lab-tests.h"

static gboolean
is_page_shown (WeirEditor *self)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (GTK_STACK (self->stack)), "dependencies")
         == 0;
}

/* The way is on the canvas as long as the panel is looked at. */
static void
path_changed (WeirEditor *self)
{
  const GArray *path = is_page_shown (self)
                           ? weir_explain_panel_get_path (WEIR_EXPLAIN_PANEL (self->explain))
                           : NULL;

  weir_editor_emphasize (self, path != NULL ? g_array_copy ((GArray *) path) : NULL);
}

static void
go_to_block (WeirEditor *self, guint block)
{
  self->is_following_panel = TRUE;
  if (block != 0)
    weir_canvas_select_block (self->canvas, block);
  self->is_following_panel = FALSE;
}

static void
tracker_pointed (WeirEditor *self, guint tracker)
{
  weir_editor_explore_tracker (self, tracker);
}

#define GRAPH_HEIGHT 330 /* pixels, for a graph to be of use */

static void
show_page (WeirEditor *self)
{
  GtkPaned *paned = GTK_PANED (self->bottom_paned);
  int height = gtk_widget_get_height (self->bottom_paned);

  weir_editor_show_page (self, "dependencies");
  if (height - gtk_paned_get_position (paned) < GRAPH_HEIGHT && height > 2 * GRAPH_HEIGHT)
    gtk_paned_set_position (paned, height - GRAPH_HEIGHT);
  path_changed (self);
}

/* What is selected or pointed at: of a block its graph and the value that needs it most. */
static void
view_asked_for (WeirEditor *self, const char *name)
{
  WeirCanvasSubject subject = weir_canvas_get_subject (self->canvas);
  WeirPlace place = weir_canvas_get_place (self->canvas);
  guint32 around = place.n_ids > 0 ? place.ids[place.n_ids - 1] : 0;
  WeirExplainPanel *panel = WEIR_EXPLAIN_PANEL (self->explain);
  WeirEntry entry;

  if (g_str_equal (name, "clear"))
    weir_editor_emphasize (self, NULL);
  if (!g_str_equal (name, "why") && !g_str_equal (name, "graph"))
    return;
  if (!weir_cache_model_ensure (self->cache_model))
    {
      weir_editor_toast (self, _ ("The model is not complete yet; see Problems."));
      return;
    }
  if (subject.block == 0)
    weir_explain_panel_show_block (panel, around);
  else if (g_str_equal (name, "why")
           && weir_cache_find_port_entry (self->cache_model, subject.block, subject.port,
                                          subject.is_output, &entry))
    weir_explain_panel_show_entry (panel, entry);
  else
    weir_explain_panel_show_block (panel, subject.block);
  show_page (self);
}

static void
entry_asked_for (WeirEditor *self, guint entry)
{
  if (weir_cache_model_get_session (self->cache_model) == NULL)
    return;
  weir_explain_panel_show_entry (WEIR_EXPLAIN_PANEL (self->explain), (WeirEntry) { entry });
  show_page (self);
}

/* While the panel is looked at it shows what is selected. */
static void
selection_changed (WeirEditor *self)
{
  guint32 block = weir_canvas_get_selected_block (self->canvas);

  if (block != 0 && !self->is_following_panel && is_page_shown (self))
    weir_explain_panel_show_block (WEIR_EXPLAIN_PANEL (self->explain), block);
}

/* Which declared reads are real is what the audit tells. */
static void
observe (WeirEditor *self, gboolean on)
{
  weir_editor_study (self, WEIR_LAB_AUDIT, on);
}

/* --- All of it ------------------------------------------------------------------------------- */

void
weir_editor_add_explain (WeirEditor *self)
{
  g_signal_connect_swapped (self->explain, "path-changed", G_CALLBACK (path_changed), self);
  g_signal_connect_swapped (self->explain, "go-to-block", G_CALLBACK (go_to_block), self);
  g_signal_connect_swapped (self->explain, "pointed-tracker", G_CALLBACK (tracker_pointed), self);
  g_signal_connect_swapped (self->explain, "observe", G_CALLBACK (observe), self);
  g_signal_connect_object (self->stack, "notify::visible-child", G_CALLBACK (path_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_swapped (self->canvas, "view-command", G_CALLBACK (view_asked_for), self);
  g_signal_connect_swapped (self->canvas, "selection-changed", G_CALLBACK (selection_changed),
                            self);
  g_signal_connect_swapped (self->cache, "explain-entry", G_CALLBACK (entry_asked_for), self);
}

void
weir_editor_remove_explain (WeirEditor *self)
{
  if (self->explain != NULL)
    g_signal_handlers_disconnect_by_data (self->explain, self);
  if (self->cache != NULL)
    g_signal_handlers_disconnect_by_data (self->cache, self);
  self->explain = self->cache = NULL;
}
