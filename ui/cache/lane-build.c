/* Dependency graphs as lanes. See lane-build.h. */
#include "cache/lane-build.h"

#include <glib/gi18n-lib.h>

#include "cache/cache-figures.h"
#include "system/layout/sources.h"

typedef struct {
  WeirCacheModel *model;
  WeirLayout *layout;
  const WeirWalk *walk;
  const GArray *findings; /* WeirAuditFinding, or NULL */
  WeirLaneGraph *graph;
} Building;

gboolean
weir_lane_graph_is_leaf (WeirCacheModel *model, WeirNode node)
{
  return weir_lane_graph_count_blocks (model, node) == 0;
}

guint
weir_lane_graph_count_blocks (WeirCacheModel *model, WeirNode node)
{
  WeirLayout *layout = weir_cache_model_get_layout (model);
  guint n_nodes = layout != NULL ? weir_layout_get_n_nodes (layout) : 0, n = 0;

  for (guint32 k = 1; k < n_nodes; k++)
    if (weir_layout_get_parent (layout, (WeirNode) { k }).i == node.i)
      n++;
  return n;
}

/* Without the block's path, which the lane or the panel names already. */
static char *
dup_short_title (const Building *b, guint32 tracker)
{
  g_autofree char *full = weir_cache_model_dup_tracker_title (b->model, tracker);
  const char *colon = g_strrstr (full, ": ");

  return g_strdup (colon != NULL ? colon + 2 : full);
}

static guint32
tracker_of (const Building *b, WeirNode node, guint16 ticket)
{
  return weir_walk_get_tracker ((WeirWalk *) b->walk, node, (WeirTicket) { ticket });
}

/* --- Edges ----------------------------------------------------------------------------------- */

/* What is known about an entry's reading of a ticket. */
static WeirEdgeKind
judge_edge (const Building *b, WeirEntry entry, WeirNode node, guint16 ticket)
{
  if (b->findings == NULL)
    return WEIR_EDGE_DECLARED;
  for (guint i = 0; i < b->findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (b->findings, WeirAuditFinding, i);

      if (finding->entry.i == entry.i && finding->kind == WEIR_AUDIT_SUPERFLUOUS
          && (finding->ticket.i == ticket
              || weir_layout_stands_for (b->layout, node, finding->ticket,
                                         (WeirTicket) { ticket })))
        return WEIR_EDGE_UNREAD;
    }
  return WEIR_EDGE_READ;
}

/* Reads that an audit found, and nobody declared. */
static void
add_undeclared (Building *b, WeirEntry entry, guint to)
{
  for (guint i = 0; b->findings != NULL && i < b->findings->len; i++)
    {
      const WeirAuditFinding *finding = &g_array_index (b->findings, WeirAuditFinding, i);
      guint from;

      if (finding->entry.i != entry.i || finding->kind != WEIR_AUDIT_UNDECLARED)
        continue;
      from = weir_lane_graph_find (b->graph, tracker_of (b, finding->node, finding->ticket.i));
      if (from != WEIR_NO_LANE_NODE)
        weir_lane_graph_add_edge (b->graph, from, to, WEIR_EDGE_UNDECLARED);
    }
}

static void
add_reads (Building *b, WeirEntry entry, gboolean with_composites)
{
  WeirNode node = weir_layout_get_entry (b->layout, entry).node;
  guint to = weir_lane_graph_find (b->graph, weir_walk_get_entry_tracker (b->walk, entry));
  const guint16 *tickets;
  guint n = with_composites ? weir_layout_get_declared (b->layout, entry, &tickets)
                            : weir_layout_get_primary (b->layout, entry, &tickets);

  if (to == WEIR_NO_LANE_NODE)
    return;
  for (guint i = 0; i < n; i++)
    {
      guint from = weir_lane_graph_find (b->graph, tracker_of (b, node, tickets[i]));

      if (from != WEIR_NO_LANE_NODE && from != to)
        weir_lane_graph_add_edge (b->graph, from, to, judge_edge (b, entry, node, tickets[i]));
    }
  add_undeclared (b, entry, to);
}

/* --- A leaf ---------------------------------------------------------------------------------- */

enum { LANE_SOURCES, LANE_VALUES, LANE_RESULTS };

static guint
add_tracker (Building *b, guint32 tracker, guint lane, WeirLaneKind kind)
{
  g_autofree char *title = dup_short_title (b, tracker);

  return weir_lane_graph_add_node (b->graph, tracker, lane, kind, title);
}

static gboolean
is_read_in (const Building *b, WeirNode node, guint16 ticket)
{
  for (guint32 e = 0; e < weir_layout_get_n_entries (b->layout); e++)
    {
      const guint16 *tickets;
      guint n;

      if (weir_layout_get_entry (b->layout, (WeirEntry) { e }).node.i != node.i)
        continue;
      n = weir_layout_get_primary (b->layout, (WeirEntry) { e }, &tickets);
      for (guint i = 0; i < n; i++)
        if (tickets[i] == ticket)
          return TRUE;
    }
  return FALSE;
}

/* What the whole tree has once only where something depends on them, or reads them undeclared. */
static void
add_sources (Building *b, WeirNode node)
{
  g_autoptr (GArray) sources = weir_layout_list_sources (b->layout);

  for (guint16 common = WEIR_TICKET_TIME; common <= WEIR_TICKET_LAST_COMMON; common++)
    {
      gboolean is_found = is_read_in (b, node, common);

      for (guint k = 0; b->findings != NULL && k < b->findings->len; k++)
        {
          const WeirAuditFinding *finding = &g_array_index (b->findings, WeirAuditFinding, k);

          is_found |= finding->node.i == node.i && finding->ticket.i == common;
        }
      if (is_found)
        add_tracker (b, tracker_of (b, node, common), LANE_SOURCES, WEIR_LANE_SOURCE);
    }
  for (guint i = 0; i < sources->len; i++)
    {
      const WeirSourceInfo *source = &g_array_index (sources, WeirSourceInfo, i);

      if (source->node.i == node.i && !weir_ticket_is_common (source->ticket))
        add_tracker (b, tracker_of (b, node, source->ticket.i), LANE_SOURCES, WEIR_LANE_SOURCE);
    }
}

/* The composites that an entry declares, and what they stand for, through each other. */
static void
add_composites (Building *b, WeirNode node, const GArray *entries)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < entries->len; i++)
    {
      const guint16 *tickets;
      guint n = weir_layout_get_declared (b->layout, g_array_index (entries, WeirEntry, i),
                                          &tickets);

      for (guint k = 0; k < n; k++)
        {
          guint32 tracker = tracker_of (b, node, tickets[k]);

          if (tickets[k] == WEIR_TICKET_NOTHING
              || weir_lane_graph_find (b->graph, tracker) != WEIR_NO_LANE_NODE)
            continue;
          add_tracker (b, tracker, LANE_VALUES, WEIR_LANE_COMPOSITE);
          g_array_append_val (found, tracker);
        }
    }
  for (guint i = 0; i < found->len; i++)
    {
      guint32 tracker = g_array_index (found, guint32, i);
      guint n;
      const guint32 *parts = weir_walk_get_prerequisites (b->walk, tracker, &n);

      for (guint k = 0; k < n; k++)
        {
          WeirNode at;
          WeirTicket ticket;
          guint from = weir_lane_graph_find (b->graph, parts[k]), n_parts;
          WeirEntry entry;

          weir_walk_locate (b->walk, parts[k], &at, &ticket);
          if (at.i != node.i || ticket.i == WEIR_TICKET_END)
            continue;
          /* One that stands for nothing here is left out. */
          weir_walk_get_prerequisites (b->walk, parts[k], &n_parts);
          if (from == WEIR_NO_LANE_NODE && n_parts > 0
              && !weir_walk_get_entry (b->walk, parts[k], &entry))
            {
              from = add_tracker (b, parts[k], LANE_VALUES, WEIR_LANE_COMPOSITE);
              g_array_append_val (found, parts[k]);
            }
          if (from != WEIR_NO_LANE_NODE)
            weir_lane_graph_add_edge (b->graph, from, weir_lane_graph_find (b->graph, tracker),
                                      WEIR_EDGE_DECLARED);
        }
    }
}

/* Is all that the output shows a value computed for it alone, so that they are one to
 * the reader? */
static gboolean
is_own_value (const Building *b, guint32 tracker)
{
  guint n;
  const guint32 *shown = weir_walk_get_prerequisites (b->walk, tracker, &n);
  WeirNode node, at;
  WeirTicket ticket;
  WeirEntry entry;

  weir_walk_locate (b->walk, tracker, &node, &ticket);
  if (n != 1 || !weir_walk_get_entry (b->walk, shown[0], &entry))
    return FALSE;
  weir_walk_locate (b->walk, shown[0], &at, &ticket);
  return at.i == node.i && weir_layout_get_entry (b->layout, entry).kind == WEIR_ENTRY_OUTPUT;
}

/* Outputs that only show what is kept elsewhere: a state, or an entry. */
static void
add_windows (Building *b, WeirNode node)
{
  for (guint i = 0; i < weir_layout_get_n_outputs (b->layout, node); i++)
    {
      guint32 tracker = weir_walk_get_output_tracker (b->walk, node, (WeirOutput) { (guint16) i });
      guint n, window = weir_lane_graph_find (b->graph, tracker);
      const guint32 *shown = weir_walk_get_prerequisites (b->walk, tracker, &n);

      if (is_own_value (b, tracker))
        continue;
      if (window == WEIR_NO_LANE_NODE)
        window = add_tracker (b, tracker, LANE_RESULTS, WEIR_LANE_WINDOW);
      for (guint k = 0; k < n; k++)
        {
          guint from = weir_lane_graph_find (b->graph, shown[k]);

          if (from != WEIR_NO_LANE_NODE)
            weir_lane_graph_add_edge (b->graph, from, window,
                                      b->findings != NULL ? WEIR_EDGE_READ : WEIR_EDGE_DECLARED);
        }
    }
}

static GArray *
list_entries (const Building *b, WeirNode node)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (WeirEntry));

  for (guint32 e = 0; e < weir_layout_get_n_entries (b->layout); e++)
    if (weir_layout_get_entry (b->layout, (WeirEntry) { e }).node.i == node.i)
      g_array_append_val (entries, (WeirEntry) { e });
  return entries;
}

static void
build_leaf (Building *b, WeirNode node, gboolean with_composites)
{
  g_autoptr (GArray) entries = list_entries (b, node);

  weir_lane_graph_add_lane (b->graph, _ ("Sources"));
  weir_lane_graph_add_lane (b->graph, with_composites ? _ ("Composites and Values") : _ ("Values"));
  weir_lane_graph_add_lane (b->graph, _ ("Outputs and Derivatives"));
  add_sources (b, node);
  for (guint i = 0; i < entries->len; i++)
    {
      WeirEntry entry = g_array_index (entries, WeirEntry, i);
      WeirEntryInfo info = weir_layout_get_entry (b->layout, entry);

      /* An output that shows what is computed for it alone is one node with it. */
      weir_lane_graph_add_node (b->graph, weir_walk_get_entry_tracker (b->walk, entry),
                                info.kind == WEIR_ENTRY_CACHE ? LANE_VALUES : LANE_RESULTS,
                                WEIR_LANE_VALUE, info.name);
    }
  if (with_composites)
    add_composites (b, node, entries);
  for (guint i = 0; i < entries->len; i++)
    add_reads (b, g_array_index (entries, WeirEntry, i), with_composites);
  add_windows (b, node);
}

/* --- A diagram ------------------------------------------------------------------------------- */

/* The child of @around that a node is or lies in; FALSE for @around itself and what is outside. */
static gboolean
find_child (const Building *b, WeirNode node, WeirNode around, WeirNode *child)
{
  while (node.i != WEIR_NO_INDEX && node.i != 0)
    {
      WeirNode parent = weir_layout_get_parent (b->layout, node);

      if (parent.i == around.i)
        {
          *child = node;
          return TRUE;
        }
      node = parent;
    }
  return FALSE;
}

/* A block's place in the order of evaluation: that of its first entry. */
static GArray *
list_children (const Building *b, WeirNode node)
{
  GArray *children = g_array_new (FALSE, FALSE, sizeof (WeirNode));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  WeirNode child;

  for (guint32 e = 0; e < weir_layout_get_n_entries (b->layout); e++)
    if (find_child (b, weir_layout_get_entry (b->layout, (WeirEntry) { e }).node, node, &child)
        && g_hash_table_add (seen, GUINT_TO_POINTER (child.i)))
      g_array_append_val (children, child);
  for (guint32 n = 1; n < weir_layout_get_n_nodes (b->layout); n++)
    if (weir_layout_get_parent (b->layout, (WeirNode) { n }).i == node.i
        && g_hash_table_add (seen, GUINT_TO_POINTER (n)))
      {
        child = (WeirNode) { n };
        g_array_append_val (children, child);
      }
  return children;
}

/* Outputs and, of leaves, the other values of a block. */
static void
add_child (Building *b, WeirNode child, guint lane)
{
  g_autoptr (GArray) entries = list_entries (b, child);

  for (guint i = 0; i < weir_layout_get_n_inputs (b->layout, child); i++)
    add_tracker (b, weir_walk_get_input_tracker (b->walk, child, (WeirInput) { (guint16) i }), lane,
                 WEIR_LANE_WINDOW);
  for (guint i = 0; i < entries->len; i++)
    {
      WeirEntry entry = g_array_index (entries, WeirEntry, i);

      weir_lane_graph_add_node (b->graph, weir_walk_get_entry_tracker (b->walk, entry), lane,
                                WEIR_LANE_VALUE, weir_layout_get_entry (b->layout, entry).name);
    }
  for (guint i = 0; i < weir_layout_get_n_outputs (b->layout, child); i++)
    {
      guint32 tracker = weir_walk_get_output_tracker (b->walk, child, (WeirOutput) { (guint16) i });

      if (!is_own_value (b, tracker))
        add_tracker (b, tracker, lane, WEIR_LANE_WINDOW);
    }
}

/* From a node to all others it can reach through trackers that are not shown. */
static void
add_ways (Building *b, guint from)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  guint32 start = weir_lane_graph_node (b->graph, from)->key;

  g_array_append_val (queue, start);
  for (guint i = 0; i < queue->len; i++)
    {
      guint n;
      const guint32 *next = weir_walk_get_subscribers (b->walk, g_array_index (queue, guint32, i),
                                                       &n);

      for (guint k = 0; k < n; k++)
        {
          guint to = weir_lane_graph_find (b->graph, next[k]);

          if (!g_hash_table_add (seen, GUINT_TO_POINTER (next[k])))
            continue;
          if (to == WEIR_NO_LANE_NODE)
            g_array_append_val (queue, next[k]);
          else if (to != from)
            weir_lane_graph_add_edge (b->graph, from, to, WEIR_EDGE_DECLARED);
        }
    }
}

static void
build_diagram (Building *b, WeirNode node)
{
  g_autoptr (GArray) children = list_children (b, node), entries = list_entries (b, node);
  guint lane = weir_lane_graph_add_lane (b->graph, _ ("Outside"));

  add_tracker (b, tracker_of (b, node, WEIR_TICKET_TIME), lane, WEIR_LANE_SOURCE);
  for (guint i = 0; i < weir_layout_get_n_inputs (b->layout, node); i++)
    add_tracker (b, weir_walk_get_input_tracker (b->walk, node, (WeirInput) { (guint16) i }), lane,
                 WEIR_LANE_SOURCE);
  for (guint i = 0; i < children->len; i++)
    {
      WeirNode child = g_array_index (children, WeirNode, i);

      lane = weir_lane_graph_add_lane (b->graph, weir_layout_get_node_name (b->layout, child));
      add_child (b, child, lane);
    }
  lane = weir_lane_graph_add_lane (b->graph, _ ("The diagram"));
  for (guint i = 0; i < entries->len; i++)
    {
      WeirEntry entry = g_array_index (entries, WeirEntry, i);

      weir_lane_graph_add_node (b->graph, weir_walk_get_entry_tracker (b->walk, entry), lane,
                                WEIR_LANE_VALUE, weir_layout_get_entry (b->layout, entry).name);
    }
  for (guint i = 0; i < weir_layout_get_n_outputs (b->layout, node); i++)
    add_tracker (b, weir_walk_get_output_tracker (b->walk, node, (WeirOutput) { (guint16) i }),
                 lane, WEIR_LANE_WINDOW);
  for (guint i = 0; i < b->graph->nodes->len; i++)
    add_ways (b, i);
}

/* --- Both ------------------------------------------------------------------------------------ */

WeirLaneGraph *
weir_lane_graph_build (WeirCacheModel *model, WeirNode node, gboolean with_composites,
                       const GArray *findings)
{
  Building b = {
    .model = model,
    .layout = weir_cache_model_get_layout (model),
    .walk = weir_explainer_get_walk (weir_cache_model_get_explainer (model)),
    .findings = findings,
    .graph = weir_lane_graph_new (),
  };

  if (weir_lane_graph_is_leaf (model, node))
    build_leaf (&b, node, with_composites);
  else
    build_diagram (&b, node);
  return b.graph;
}

void
weir_lane_graph_update (WeirLaneGraph *graph, WeirCacheModel *model, const WeirSnapshot *snapshot)
{
  const WeirWalk *walk = weir_explainer_get_walk (weir_cache_model_get_explainer (model));

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      WeirLaneNode *node = weir_lane_graph_node (graph, i);
      WeirEntry entry;

      if (!weir_walk_get_entry (walk, node->key, &entry))
        continue;
      node->badge = snapshot != NULL ? weir_cache_get_badge (snapshot, entry.i) : WEIR_BADGE_NEVER;
      node->figure[0] = '\0';
      if (snapshot != NULL)
        {
          g_autofree char *hits = weir_cache_format_short (
              (double) snapshot->counters[entry.i].hits);
          g_autofree char *misses = weir_cache_format_short (
              (double) weir_cache_get_misses (&snapshot->counters[entry.i]));

          g_snprintf (node->figure, sizeof node->figure, "%s / %s", hits, misses);
        }
    }
}
