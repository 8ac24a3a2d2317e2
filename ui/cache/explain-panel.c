/* WeirExplainPanel. See explain-panel.h. */
#include "cache/explain-panel-private.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-card.h"
#include "cache/cache-figures.h"
#include "cache/lane-build.h"
#include "cache/lane-view.h"
#include "system/layout/sources.h"

#define UPDATE_US (G_USEC_PER_SEC / 5) /* while running nobody could read faster */

G_DEFINE_FINAL_TYPE (WeirExplainPanel, weir_explain_panel, GTK_TYPE_WIDGET)

enum {
  SIGNAL_PATH_CHANGED,
  SIGNAL_GO_TO_BLOCK,
  SIGNAL_POINTED_TRACKER,
  SIGNAL_OBSERVE,
  SIGNAL_BREAK_HERE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

/* --- The graph ------------------------------------------------------------------------------- */

static void
update_graph (WeirExplainPanel *self, const WeirSnapshot *snapshot)
{
  WeirLaneGraph *graph = weir_lane_view_get_graph (WEIR_LANE_VIEW (self->lanes));

  if (graph == NULL)
    return;
  weir_lane_graph_update (graph, self->model, snapshot);
  weir_lane_view_refresh (WEIR_LANE_VIEW (self->lanes));
}

static void
build_graph (WeirExplainPanel *self)
{
  guint n_blocks = weir_lane_graph_count_blocks (self->model, self->node);
  WeirLaneGraph *graph = NULL;

  if (n_blocks <= WEIR_MAX_LANES)
    {
      graph = weir_lane_graph_build (
          self->model, self->node,
          gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->composites)), self->findings);
      weir_lane_graph_update (graph, self->model, weir_cache_model_get_snapshot (self->model));
    }
  else
    {
      g_autofree char *text = g_strdup_printf (
          _ ("%u blocks are too many for one graph: choose one of them."), n_blocks);

      gtk_label_set_text (GTK_LABEL (self->too_large), text);
    }
  gtk_widget_set_sensitive (self->composites, n_blocks == 0);
  gtk_stack_set_visible_child_name (GTK_STACK (self->graph_stack),
                                    graph != NULL ? "graph" : "too-large");
  weir_lane_view_set_graph (WEIR_LANE_VIEW (self->lanes), graph);
  weir_explain_panel_mark_path (self);
}

static gboolean
is_running (WeirExplainPanel *self)
{
  WeirSession *session = weir_cache_model_get_session (self->model);

  return session != NULL && weir_session_get_state (session) == WEIR_SESSION_RUNNING;
}

static void
figures_changed (WeirExplainPanel *self)
{
  const WeirSnapshot *snapshot;
  gint64 now = g_get_monotonic_time ();

  if (!self->is_shown || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || weir_cache_model_get_layout (self->model) == NULL
      || (now - self->last_update < UPDATE_US && is_running (self)))
    return;
  self->last_update = now;
  snapshot = weir_cache_model_get_snapshot (self->model);
  update_graph (self, snapshot);
  if (self->before == G_MAXUINT64) /* an earlier cause stays as long as it is looked at */
    weir_explain_panel_update_why (self, snapshot);
}

static void
show_empty (WeirExplainPanel *self)
{
  self->is_shown = self->has_entry = FALSE;
  weir_lane_view_set_graph (WEIR_LANE_VIEW (self->lanes), NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
  if (self->why.path == NULL)
    return;
  weir_why_clear (&self->why);
  g_signal_emit (self, signals[SIGNAL_PATH_CHANGED], 0);
}

static void
note_entry (WeirExplainPanel *self)
{
  g_free (self->entry_name);
  self->entry_name =
      self->has_entry ? g_strdup (
          weir_layout_get_entry (weir_cache_model_get_layout (self->model), self->entry).name)
                      : NULL;
}

static void
show (WeirExplainPanel *self)
{
  self->is_shown = TRUE;
  self->is_lost = FALSE;
  self->before = G_MAXUINT64;
  self->block = weir_cache_model_get_block (self->model, self->node);
  note_entry (self);
  build_graph (self);
  weir_explain_panel_update_why (self, weir_cache_model_get_snapshot (self->model));
  weir_lane_view_choose (
      WEIR_LANE_VIEW (self->lanes),
      self->has_entry ? weir_walk_get_entry_tracker (
          weir_explainer_get_walk (weir_cache_model_get_explainer (self->model)), self->entry)
                      : WEIR_NO_INDEX);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "shown");
}

/* --- The subject ----------------------------------------------------------------------------- */

void
weir_explain_panel_show_entry (WeirExplainPanel *self, WeirEntry entry)
{
  WeirLayout *layout;

  g_return_if_fail (WEIR_IS_EXPLAIN_PANEL (self));

  layout = weir_cache_model_get_layout (self->model);
  if (layout == NULL || entry.i >= weir_layout_get_n_entries (layout))
    {
      show_empty (self);
      return;
    }
  self->has_entry = TRUE;
  self->entry = entry;
  self->node = weir_layout_get_entry (layout, entry).node;
  show (self);
}

/* Out of date before fresh before never computed, outputs before others. */
static gboolean
find_entry (WeirExplainPanel *self, WeirLayout *layout, WeirNode node, WeirEntry *entry)
{
  const WeirSnapshot *snapshot = weir_cache_model_get_snapshot (self->model);
  int best = -1;

  for (guint32 e = 0; e < weir_layout_get_n_entries (layout); e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { e });
      WeirBadge badge = snapshot != NULL ? weir_cache_get_badge (snapshot, e) : WEIR_BADGE_NEVER;
      int rank = (badge == WEIR_BADGE_STALE   ? 4
                  : badge != WEIR_BADGE_NEVER ? 2
                                              : 0)
                 + (info.kind == WEIR_ENTRY_OUTPUT ? 1 : 0);

      if (info.node.i != node.i || rank <= best)
        continue;
      best = rank;
      entry->i = e;
    }
  return best >= 0;
}

void
weir_explain_panel_show_block (WeirExplainPanel *self, guint32 block)
{
  WeirLayout *layout;

  g_return_if_fail (WEIR_IS_EXPLAIN_PANEL (self));

  layout = weir_cache_model_get_layout (self->model);
  if (layout == NULL || !weir_cache_model_find_node (self->model, block, &self->node))
    {
      show_empty (self);
      return;
    }
  self->has_entry = weir_lane_graph_is_leaf (self->model, self->node)
                    && find_entry (self, layout, self->node, &self->entry);
  show (self);
}

gboolean
weir_explain_panel_get_entry (WeirExplainPanel *self, WeirEntry *entry)
{
  g_return_val_if_fail (WEIR_IS_EXPLAIN_PANEL (self), FALSE);
  *entry = self->entry;
  return self->has_entry;
}

const GArray *
weir_explain_panel_get_path (WeirExplainPanel *self)
{
  g_return_val_if_fail (WEIR_IS_EXPLAIN_PANEL (self), NULL);
  return self->why.path != NULL && self->why.path->len > 0 ? self->why.path : NULL;
}

guint64
weir_explain_panel_get_event (WeirExplainPanel *self)
{
  g_return_val_if_fail (WEIR_IS_EXPLAIN_PANEL (self), 0);
  return self->why.path != NULL ? self->why.event : 0;
}

char *
weir_explain_panel_to_text (WeirExplainPanel *self)
{
  GString *text;

  g_return_val_if_fail (WEIR_IS_EXPLAIN_PANEL (self), NULL);

  text = g_string_new (gtk_label_get_text (GTK_LABEL (self->sentence)));
  for (guint i = 0; self->why.path != NULL && i < self->why.path->len; i++)
    {
      g_autofree char *title = weir_cache_model_dup_tracker_title (
          self->model, g_array_index (self->why.path, WeirStepTaken, i).tracker);

      g_string_append_printf (text, "%s%s", i == 0 ? "\n" : " → ", title);
    }
  return g_string_free (text, FALSE);
}

/* --- What an audit found --------------------------------------------------------------------- */

void
weir_explain_panel_set_findings (WeirExplainPanel *self, const GArray *findings)
{
  g_return_if_fail (WEIR_IS_EXPLAIN_PANEL (self));

  g_clear_pointer (&self->findings, g_array_unref);
  if (findings != NULL)
    {
      self->findings = g_array_new (FALSE, FALSE, sizeof (WeirAuditFinding));
      for (guint i = 0; i < findings->len; i++)
        {
          const WeirAuditFinding *found = &g_array_index (findings, WeirAuditFinding, i);
          WeirAuditFinding kept = {
            .kind = found->kind, .entry = found->entry, .node = found->node, .ticket = found->ticket
          };

          g_array_append_val (self->findings, kept);
        }
    }
  if (self->is_shown && weir_cache_model_get_layout (self->model) != NULL)
    build_graph (self);
}

void
weir_explain_panel_set_observing (WeirExplainPanel *self, gboolean observing)
{
  g_return_if_fail (WEIR_IS_EXPLAIN_PANEL (self));

  gtk_widget_set_visible (self->observe_spinner, observing);
  gtk_spinner_set_spinning (GTK_SPINNER (self->observe_spinner), observing);
  gtk_button_set_label (GTK_BUTTON (self->observe),
                        observing ? _ ("Stop Observing") : _ ("Observe Reads"));
}

/* --- Events ---------------------------------------------------------------------------------- */

static void
composites_toggled (WeirExplainPanel *self)
{
  if (self->is_shown && weir_cache_model_get_layout (self->model) != NULL)
    build_graph (self);
}

static void
observe_clicked (WeirExplainPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_OBSERVE], 0,
                 !gtk_spinner_get_spinning (GTK_SPINNER (self->observe_spinner)));
}

static void
copy_clicked (WeirExplainPanel *self)
{
  g_autofree char *text = weir_explain_panel_to_text (self);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static void
break_clicked (WeirExplainPanel *self)
{
  g_signal_emit (self, signals[SIGNAL_BREAK_HERE], 0);
}

/* A node was chosen: its value is explained, the graph stays. */
static void
node_chosen (WeirExplainPanel *self, guint key)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (self->model));
  WeirEntry entry;

  if (key == WEIR_NO_INDEX || !weir_walk_get_entry (walk, key, &entry))
    return;
  self->has_entry = TRUE;
  self->entry = entry;
  self->before = G_MAXUINT64;
  note_entry (self);
  weir_explain_panel_update_why (self, weir_cache_model_get_snapshot (self->model));
}

static void
node_pointed (WeirExplainPanel *self, guint key)
{
  g_signal_emit (self, signals[SIGNAL_POINTED_TRACKER], 0, key);
}

static void
node_activated (WeirExplainPanel *self, guint key)
{
  WeirNode node;
  WeirTicket ticket;

  weir_walk_locate (weir_explainer_get_walk (weir_cache_model_get_explainer (self->model)), key,
                    &node, &ticket);
  g_signal_emit (self, signals[SIGNAL_GO_TO_BLOCK], 0,
                 weir_cache_model_get_block (self->model, node));
}

/* Finds the subject in the structure as it is now. */
static gboolean
restore (gpointer data)
{
  WeirExplainPanel *self = data;
  WeirLayout *layout = weir_cache_model_get_layout (self->model);
  WeirNode node;

  self->restore = 0;
  if (!self->is_lost || layout == NULL
      || !weir_cache_model_find_node (self->model, self->block, &node))
    return G_SOURCE_REMOVE;
  for (guint32 e = 0; self->entry_name != NULL && e < weir_layout_get_n_entries (layout); e++)
    {
      WeirEntryInfo info = weir_layout_get_entry (layout, (WeirEntry) { e });

      if (info.node.i != node.i || !g_str_equal (info.name, self->entry_name))
        continue;
      weir_explain_panel_show_entry (self, (WeirEntry) { e });
      return G_SOURCE_REMOVE;
    }
  weir_explain_panel_show_block (self, self->block);
  return G_SOURCE_REMOVE;
}

static void
structure_changed (WeirExplainPanel *self)
{
  gboolean was_shown = self->is_shown || self->is_lost;

  self->is_shown = FALSE;
  weir_explain_panel_set_findings (self, NULL);
  show_empty (self);
  self->is_lost = was_shown;
  if (self->is_lost && self->restore == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->restore = g_idle_add (restore, self);
}

/* --- Life ------------------------------------------------------------------------------------ */

static void
map (GtkWidget *widget)
{
  WeirExplainPanel *self = WEIR_EXPLAIN_PANEL (widget);

  GTK_WIDGET_CLASS (weir_explain_panel_parent_class)->map (widget);
  if (self->is_lost && self->restore == 0)
    self->restore = g_idle_add (restore, self);
  figures_changed (self);
}

static void
dispose (GObject *object)
{
  WeirExplainPanel *self = WEIR_EXPLAIN_PANEL (object);
  GtkWidget *child;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_handle_id (&self->restore, g_source_remove);
  g_clear_pointer (&self->entry_name, g_free);
  weir_why_clear (&self->why);
  g_clear_pointer (&self->findings, g_array_unref);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (weir_explain_panel_parent_class)->dispose (object);
}

static void
weir_explain_panel_class_init (WeirExplainPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  widget_class->map = map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "weir-explain");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  signals[SIGNAL_PATH_CHANGED] = g_signal_new ("path-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                               NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_GO_TO_BLOCK] = g_signal_new ("go-to-block", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                              NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_POINTED_TRACKER] = g_signal_new ("pointed-tracker", type, G_SIGNAL_RUN_LAST, 0,
                                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_OBSERVE] = g_signal_new ("observe", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                          G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
  signals[SIGNAL_BREAK_HERE] = g_signal_new ("break-here", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                             NULL, G_TYPE_NONE, 0);
}

static void
weir_explain_panel_init (WeirExplainPanel *self)
{
  self->before = G_MAXUINT64;
  gtk_widget_set_parent (weir_explain_panel_build (self), GTK_WIDGET (self));
  weir_explain_panel_connect_why (self);
  g_signal_connect_swapped (self->copy, "clicked", G_CALLBACK (copy_clicked), self);
  g_signal_connect_swapped (self->break_here, "clicked", G_CALLBACK (break_clicked), self);
  g_signal_connect_swapped (self->observe, "clicked", G_CALLBACK (observe_clicked), self);
  g_signal_connect_swapped (self->composites, "toggled", G_CALLBACK (composites_toggled), self);
  g_signal_connect_swapped (self->lanes, "chosen", G_CALLBACK (node_chosen), self);
  g_signal_connect_swapped (self->lanes, "pointed", G_CALLBACK (node_pointed), self);
  g_signal_connect_swapped (self->lanes, "activated", G_CALLBACK (node_activated), self);
}

void
weir_explain_panel_set_model (WeirExplainPanel *self, WeirCacheModel *model)
{
  g_return_if_fail (WEIR_IS_EXPLAIN_PANEL (self) && self->model == NULL);

  self->model = g_object_ref (model);
  g_signal_connect_swapped (model, "structure-changed", G_CALLBACK (structure_changed), self);
  g_signal_connect_swapped (model, "figures-changed", G_CALLBACK (figures_changed), self);
}
