/* Why the value that is looked at is as it is, in the panel of dependencies: a sentence, and the
 * way that the change event came. An earlier cause stays as long as it is looked at.
 */
#include "cache/explain-panel-private.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-card.h"
#include "cache/lane-view.h"
#include "system/change/explain.h"

/* --- The way --------------------------------------------------------------------------------- */

static void
crumb_clicked (GtkButton *button, WeirExplainPanel *self)
{
  guint32 tracker = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "weir-tracker"));
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->model);
  WeirNode node;
  WeirTicket ticket;

  if (explainer == NULL
      || tracker >= weir_walk_get_n_trackers (weir_explainer_get_walk (explainer)))
    return;
  weir_walk_locate (weir_explainer_get_walk (explainer), tracker, &node, &ticket);
  g_signal_emit_by_name (self, "go-to-block", weir_cache_model_get_block (self->model, node));
}

static void
fill_crumbs (WeirExplainPanel *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->crumbs)) != NULL)
    gtk_box_remove (GTK_BOX (self->crumbs), child);
  gtk_widget_set_visible (self->crumbs_scrolled, self->why.path != NULL && self->why.path->len > 0);
  for (guint i = 0; self->why.path != NULL && i < self->why.path->len; i++)
    {
      const WeirStepTaken *step = &g_array_index (self->why.path, WeirStepTaken, i);
      g_autofree char *title = weir_cache_model_dup_tracker_title (self->model, step->tracker);
      GtkWidget *crumb = gtk_button_new_with_label (title);

      if (i > 0)
        gtk_box_append (GTK_BOX (self->crumbs), gtk_label_new ("→"));
      gtk_widget_add_css_class (crumb, "weir-crumb");
      gtk_widget_set_tooltip_text (crumb, _ ("Show this block"));
      g_object_set_data (G_OBJECT (crumb), "weir-tracker", GUINT_TO_POINTER (step->tracker));
      g_signal_connect (crumb, "clicked", G_CALLBACK (crumb_clicked), self);
      gtk_box_append (GTK_BOX (self->crumbs), crumb);
    }
}

void
weir_explain_panel_mark_path (WeirExplainPanel *self)
{
  WeirLaneGraph *graph = weir_lane_view_get_graph (WEIR_LANE_VIEW (self->lanes));

  if (graph == NULL)
    return;
  for (guint i = 0; i < graph->nodes->len; i++)
    weir_lane_graph_node (graph, i)->is_on_path = FALSE;
  for (guint i = 0; self->why.path != NULL && i < self->why.path->len; i++)
    {
      guint node = weir_lane_graph_find (graph,
                                         g_array_index (self->why.path, WeirStepTaken, i).tracker);

      if (node != WEIR_NO_LANE_NODE)
        weir_lane_graph_node (graph, node)->is_on_path = TRUE;
    }
  weir_lane_view_refresh (WEIR_LANE_VIEW (self->lanes));
}

static gboolean
is_same_path (const GArray *a, const GArray *b)
{
  if (a == NULL || b == NULL || a->len != b->len)
    return a == b;
  for (guint i = 0; i < a->len; i++)
    if (g_array_index (a, WeirStepTaken, i).tracker != g_array_index (b, WeirStepTaken, i).tracker)
      return FALSE;
  return TRUE;
}

void
weir_explain_panel_update_why (WeirExplainPanel *self, const WeirSnapshot *snapshot)
{
  WeirExplainer *explainer = weir_cache_model_get_explainer (self->model);
  const WeirFlags *flags = weir_cache_model_get_flags (self->model, snapshot);
  GArray *old = g_steal_pointer (&self->why.path);
  g_autofree char *sentence = NULL;
  gboolean is_other;

  if (self->has_entry)
    {
      WeirWhy earlier;

      self->why = weir_explain_why_before (explainer, self->entry, flags, self->before);
      sentence = weir_cache_describe_why (self->model, self->entry, &self->why);
      earlier = weir_explain_why_before (explainer, self->entry, flags, self->why.event);
      gtk_widget_set_sensitive (self->previous, self->why.event > 0 && earlier.event > 0);
      weir_why_clear (&earlier);
    }
  else
    {
      g_autofree char *title = weir_cache_model_dup_node_title (self->model, self->node);

      sentence = g_strdup_printf (_ ("%s: choose a value in the graph to see why it is as it is."),
                                  title);
      gtk_widget_set_sensitive (self->previous, FALSE);
    }
  gtk_widget_set_sensitive (self->latest, self->before != G_MAXUINT64);
  gtk_label_set_text (GTK_LABEL (self->sentence), sentence);
  is_other = !is_same_path (old, self->why.path);
  g_clear_pointer (&old, g_array_unref);
  if (!is_other)
    return;
  fill_crumbs (self);
  weir_explain_panel_mark_path (self);
  g_signal_emit_by_name (self, "path-changed");
}

/* --- Events ---------------------------------------------------------------------------------- */

static void
previous_clicked (WeirExplainPanel *self)
{
  self->before = self->why.event;
  weir_explain_panel_update_why (self, weir_cache_model_get_snapshot (self->model));
}

static void
latest_clicked (WeirExplainPanel *self)
{
  self->before = G_MAXUINT64;
  weir_explain_panel_update_why (self, weir_cache_model_get_snapshot (self->model));
}

void
weir_explain_panel_connect_why (WeirExplainPanel *self)
{
  g_signal_connect_swapped (self->previous, "clicked", G_CALLBACK (previous_clicked), self);
  g_signal_connect_swapped (self->latest, "clicked", G_CALLBACK (latest_clicked), self);
}
