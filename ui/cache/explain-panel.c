/* WeirExplainPanel. See explain-panel.h. */
#include "cache/explain-panel.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-card.h"
#include "cache/cache-figures.h"
#include "cache/lane-build.h"
#include "cache/lane-view.h"
#include "system/change/explain.h"
#include "system/layout/sources.h"
#include "widgets/pieces.h"
#include "widgets/tooltips.h"

#define UPDATE_US (G_USEC_PER_SEC / 5) /* while running nobody could read faster */
#define LEAST_WAY 120                  /* px that the way of the event keeps beside the tools */

struct _WeirExplainPanel {
  GtkWidget parent;
  GtkWidget *stack; /* "empty" or "shown" */
  GtkWidget *sentence, *crumbs, *crumbs_scrolled;
  GtkWidget *previous, *latest, *copy, *break_here, *composites, *observe, *observe_spinner;
  GtkWidget *graph_stack; /* "graph" or "too-large" */
  GtkWidget *lanes, *too_large;
  WeirCacheModel *model;
  gboolean is_shown; /* there is a subject */
  WeirNode node;     /* whose graph it is */
  gboolean has_entry;
  WeirEntry entry;
  guint64 before;     /* the event shown is the last one before this; G_MAXUINT64 = the newest */
  WeirWhy why;        /* path NULL = none */
  GArray *findings;   /* WeirAuditFinding without their texts, or NULL */
  gint64 last_update; /* us, monotonic */

  /* The subject, to be found again in another structure. */
  guint32 block;
  char *entry_name; /* NULL = the block as a whole */
  gboolean is_lost; /* it is to be looked for */
  guint restore;    /* source that does */
};

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

/* --- The widgets ----------------------------------------------------------------------------- */

static GtkWidget *
tool_new (GtkWidget *row, GtkWidget *tool)
{
  gtk_widget_add_css_class (tool, "flat");
  gtk_widget_set_valign (tool, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), tool);
  return tool;
}

static GtkWidget *
icon_new (GtkWidget *row, const char *icon, const char *text)
{
  return tool_new (row, weir_icon_button_new (icon, NULL, text));
}

static GtkWidget *
sentence_new (void)
{
  GtkWidget *sentence = gtk_label_new (NULL);

  gtk_label_set_wrap (GTK_LABEL (sentence), TRUE);
  gtk_label_set_selectable (GTK_LABEL (sentence), TRUE);
  gtk_widget_set_can_focus (sentence, FALSE);
  gtk_widget_set_hexpand (sentence, TRUE);
  gtk_label_set_xalign (GTK_LABEL (sentence), 0);
  return sentence;
}

static GtkWidget *
tool_row_new (WeirExplainPanel *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);

  self->previous = icon_new (row, "go-previous-symbolic",
                             _ ("Previous cause: the change event before that reached this value"));
  self->latest = icon_new (row, "go-last-symbolic", _ ("Latest cause, as the run goes on"));
  self->copy = icon_new (row, "edit-copy-symbolic",
                         _ ("Copy as text: the sentence and the way of the event"));
  self->break_here = icon_new (
      row, "media-record-symbolic",
      _ ("Break here: runs pause, or do not any more, when this value is put out of date"));
  self->composites = tool_new (row, gtk_toggle_button_new_with_mnemonic (_ ("C_omposites")));
  weir_set_tooltip (self->composites,
                    _ ("Show prerequisites as declared: “all inputs” as one, not each input"));
  self->observe = tool_new (row, gtk_button_new_with_label (_ ("Observe Reads")));
  weir_set_tooltip (self->observe, _ ("Run the model once beside, and see which declared "
                                      "prerequisites its computations really read"));
  self->observe_spinner = gtk_spinner_new ();
  gtk_widget_set_visible (self->observe_spinner, FALSE);
  gtk_box_append (GTK_BOX (row), self->observe_spinner);
  return row;
}

/* In some languages they are wider than the page. */
static GtkWidget *
tools_new (WeirExplainPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), tool_row_new (self));
  gtk_widget_set_hexpand (scrolled, TRUE);
  gtk_widget_set_halign (scrolled, GTK_ALIGN_END);
  return scrolled;
}

static GtkWidget *
why_new (WeirExplainPanel *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  weir_set_margins (box, 12, 3);
  self->crumbs = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class (self->crumbs, "weir-breadcrumb");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->crumbs), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Way of the change event"), -1);
  self->crumbs_scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->crumbs_scrolled), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->crumbs_scrolled), self->crumbs);
  gtk_widget_set_hexpand (self->crumbs_scrolled, TRUE);
  self->sentence = sentence_new ();
  gtk_box_append (GTK_BOX (row), self->crumbs_scrolled);
  gtk_widget_set_size_request (self->crumbs_scrolled, LEAST_WAY, -1);
  gtk_box_append (GTK_BOX (row), tools_new (self));
  gtk_box_append (GTK_BOX (box), self->sentence); /* which beside the tools may have no room */
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static GtkWidget *
graph_new (WeirExplainPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->lanes = weir_lane_view_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->lanes);
  /* The view scrolls to what is chosen in it itself. */
  gtk_viewport_set_scroll_to_focus (
      GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled))), FALSE);
  self->too_large = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->too_large, "dim-label");
  self->graph_stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->graph_stack), scrolled, "graph");
  gtk_stack_add_named (GTK_STACK (self->graph_stack), self->too_large, "too-large");
  gtk_widget_set_vexpand (self->graph_stack, TRUE);
  return self->graph_stack;
}

static GtkWidget *
empty_new (void)
{
  return weir_empty_page_new (
      _ ("Nothing Chosen"),
      _ ("Select a block, a port or a wire and press Shift+W to see why its value is up to date or "
         "out of date, or D to see what depends on what."),
      NULL);
}

static GtkWidget *
build (WeirExplainPanel *self)
{
  GtkWidget *shown = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (shown), why_new (self));
  gtk_box_append (GTK_BOX (shown), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (shown), graph_new (self));
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), empty_new (), "empty");
  gtk_stack_add_named (GTK_STACK (self->stack), shown, "shown");
  return self->stack;
}

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
  g_signal_emit (self, signals[SIGNAL_GO_TO_BLOCK], 0,
                 weir_cache_model_get_block (self->model, node));
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
      weir_set_tooltip (crumb, _ ("Show this block"));
      g_object_set_data (G_OBJECT (crumb), "weir-tracker", GUINT_TO_POINTER (step->tracker));
      g_signal_connect (crumb, "clicked", G_CALLBACK (crumb_clicked), self);
      gtk_box_append (GTK_BOX (self->crumbs), crumb);
    }
}

static void
mark_path (WeirExplainPanel *self)
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

/* An earlier cause stays as long as it is looked at. */
static void
update_why (WeirExplainPanel *self, const WeirSnapshot *snapshot)
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
  mark_path (self);
  g_signal_emit (self, signals[SIGNAL_PATH_CHANGED], 0);
}

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
  mark_path (self);
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
    update_why (self, snapshot);
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
  update_why (self, weir_cache_model_get_snapshot (self->model));
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
previous_clicked (WeirExplainPanel *self)
{
  self->before = self->why.event;
  update_why (self, weir_cache_model_get_snapshot (self->model));
}

static void
latest_clicked (WeirExplainPanel *self)
{
  self->before = G_MAXUINT64;
  update_why (self, weir_cache_model_get_snapshot (self->model));
}

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
  update_why (self, weir_cache_model_get_snapshot (self->model));
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
  gtk_widget_set_parent (build (self), GTK_WIDGET (self));
  g_signal_connect_swapped (self->previous, "clicked", G_CALLBACK (previous_clicked), self);
  g_signal_connect_swapped (self->latest, "clicked", G_CALLBACK (latest_clicked), self);
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
