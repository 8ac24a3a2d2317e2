/* A dependency graph in lanes: its parts, its layout, slices. See lanes.h. */
#include "paint/plots/lanes.h"

#include <math.h>
#include <stdlib.h>

#define NODE_HEIGHT 26.0
#define NODE_PITCH 38.0
#define COLUMN_GAP 64.0
#define LANE_PAD 22.0
#define LANE_TITLE 34.0
#define NODE_TEXT 11.0
#define NODE_MIN_WIDTH 84.0
#define NODE_MAX_WIDTH 230.0
#define BADGE_ROOM 20.0

static void
lane_clear (gpointer data)
{
  g_free (((WeirLane *) data)->title);
}

static void
node_clear (gpointer data)
{
  g_free (((WeirLaneNode *) data)->title);
}

WeirLaneGraph *
weir_lane_graph_new (void)
{
  WeirLaneGraph *self = g_new0 (WeirLaneGraph, 1);

  self->lanes = g_array_new (FALSE, TRUE, sizeof (WeirLane));
  self->nodes = g_array_new (FALSE, TRUE, sizeof (WeirLaneNode));
  self->edges = g_array_new (FALSE, TRUE, sizeof (WeirLaneEdge));
  g_array_set_clear_func (self->lanes, lane_clear);
  g_array_set_clear_func (self->nodes, node_clear);
  self->by_key = g_hash_table_new (NULL, NULL);
  self->chosen = WEIR_NO_LANE_NODE;
  return self;
}

void
weir_lane_graph_free (WeirLaneGraph *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->lanes);
  g_array_unref (self->nodes);
  g_array_unref (self->edges);
  g_hash_table_unref (self->by_key);
  g_free (self);
}

guint
weir_lane_graph_add_lane (WeirLaneGraph *self, const char *title)
{
  WeirLane lane = { .title = g_strdup (title) };

  g_array_append_val (self->lanes, lane);
  return self->lanes->len - 1;
}

guint
weir_lane_graph_add_node (WeirLaneGraph *self, guint32 key, guint lane, WeirLaneKind kind,
                          const char *title)
{
  guint known = weir_lane_graph_find (self, key);
  WeirLaneNode node = { .key = key, .lane = lane, .kind = kind };

  if (known != WEIR_NO_LANE_NODE)
    return known;
  node.title = g_strdup (title);
  g_array_append_val (self->nodes, node);
  g_hash_table_insert (self->by_key, GUINT_TO_POINTER (key), GUINT_TO_POINTER (self->nodes->len));
  return self->nodes->len - 1;
}

guint
weir_lane_graph_find (const WeirLaneGraph *self, guint32 key)
{
  guint found = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_key, GUINT_TO_POINTER (key)));

  return found > 0 ? found - 1 : WEIR_NO_LANE_NODE;
}

void
weir_lane_graph_add_edge (WeirLaneGraph *self, guint from, guint to, WeirEdgeKind kind)
{
  WeirLaneEdge edge = { from, to, kind };

  g_return_if_fail (from < self->nodes->len && to < self->nodes->len);
  for (guint i = 0; i < self->edges->len; i++)
    {
      WeirLaneEdge *old = &g_array_index (self->edges, WeirLaneEdge, i);

      if (old->from == from && old->to == to)
        {
          old->kind = kind;
          return;
        }
    }
  g_array_append_val (self->edges, edge);
}

/* --- Layout ---------------------------------------------------------------------------------- */

/* The longest way within the lane; loops end after as many rounds as there are nodes. */
static void
find_columns (WeirLaneGraph *self)
{
  gboolean changed = TRUE;

  for (guint i = 0; i < self->nodes->len; i++)
    weir_lane_graph_node (self, i)->column = 0;
  for (guint round = 0; changed && round < MIN (self->nodes->len, 64); round++)
    {
      changed = FALSE;
      for (guint i = 0; i < self->edges->len; i++)
        {
          const WeirLaneEdge *edge = &g_array_index (self->edges, WeirLaneEdge, i);
          WeirLaneNode *from = weir_lane_graph_node (self, edge->from);
          WeirLaneNode *to = weir_lane_graph_node (self, edge->to);

          if (from->lane != to->lane || edge->from == edge->to || to->column > from->column)
            continue;
          to->column = from->column + 1;
          changed = TRUE;
        }
    }
}

typedef struct {
  guint node;
  double wish; /* height it would like to be at */
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  return x->wish < y->wish ? -1 : x->wish > y->wish ? 1 : (x->node > y->node) - (x->node < y->node);
}

/* The mean height of what a node depends on, which stands to its left already. */
static double
get_wish (const WeirLaneGraph *self, guint node, double fallback)
{
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < self->edges->len; i++)
    {
      const WeirLaneEdge *edge = &g_array_index (self->edges, WeirLaneEdge, i);

      if (edge->to != node || weir_lane_graph_node (self, edge->from)->box.width <= 0)
        continue;
      sum += weir_lane_graph_node (self, edge->from)->box.y;
      n++;
    }
  return n > 0 ? sum / n : fallback;
}

/* Puts the nodes of one column; returns how wide it is. */
static double
place_column (WeirLaneGraph *self, guint lane, guint column, double x)
{
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (Place));
  double width = 0, y = LANE_TITLE + LANE_PAD / 2;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const WeirLaneNode *node = weir_lane_graph_node (self, i);

      if (node->lane == lane && node->column == column)
        {
          Place place = { i, get_wish (self, i, places->len * NODE_PITCH) };

          g_array_append_val (places, place);
        }
    }
  g_array_sort (places, compare_places);
  for (guint i = 0; i < places->len; i++)
    width = MAX (width,
                 -weir_lane_graph_node (self, g_array_index (places, Place, i).node)->box.height);
  for (guint i = 0; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);

      y = MAX (y, lane > 0 || column > 0 ? place->wish : y);
      weir_lane_graph_node (self, place->node)->box = (WeirRect) { x, y, width, NODE_HEIGHT };
      self->height = MAX (self->height, y + NODE_HEIGHT + LANE_PAD);
      y += NODE_PITCH;
    }
  return places->len > 0 ? width : 0;
}

void
weir_lane_graph_lay_out (WeirLaneGraph *self, WeirPen *pen)
{
  double x = 0;

  find_columns (self);
  self->height = LANE_TITLE + LANE_PAD;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      WeirLaneNode *node = weir_lane_graph_node (self, i);
      double width = weir_pen_get_text_width (pen, node->title, NODE_TEXT) + 20
                     + (node->badge != WEIR_BADGE_NONE || node->kind == WEIR_LANE_VALUE ? BADGE_ROOM
                                                                                        : 0);

      /* Until a node has its place, its height keeps the width it wants, negative. */
      node->box = (WeirRect) { 0, 0, 0, -CLAMP (width, NODE_MIN_WIDTH, NODE_MAX_WIDTH) };
    }
  for (guint l = 0; l < self->lanes->len; l++)
    {
      WeirLane *lane = &g_array_index (self->lanes, WeirLane, l);
      double inner = x + LANE_PAD,
             title = weir_pen_get_text_width (pen, lane->title, NODE_TEXT + 1);
      guint n_columns = 0;

      for (guint i = 0; i < self->nodes->len; i++)
        if (weir_lane_graph_node (self, i)->lane == l)
          n_columns = MAX (n_columns, weir_lane_graph_node (self, i)->column + 1);
      for (guint c = 0; c < n_columns; c++)
        inner += place_column (self, l, c, inner) + (c + 1 < n_columns ? COLUMN_GAP : 0);
      lane->x = x;
      lane->width = MAX (inner - x + LANE_PAD, title + 2 * LANE_PAD);
      x += lane->width + (l + 1 < self->lanes->len ? COLUMN_GAP / 2 : 0);
    }
  self->width = x;
}

/* --- Slices ---------------------------------------------------------------------------------- */

/* Sets the distance of everything up to @limit steps that way; gives the largest found. */
static guint
spread (const WeirLaneGraph *self, guint node, gboolean down, guint limit, int *distances)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint));
  guint reach = 0;

  g_array_append_val (queue, node);
  distances[node] = 0;
  for (guint i = 0; i < queue->len; i++)
    {
      guint at = g_array_index (queue, guint, i);
      guint next = (guint) abs (distances[at]) + 1;

      if (next > limit)
        break;
      for (guint e = 0; e < self->edges->len; e++)
        {
          const WeirLaneEdge *edge = &g_array_index (self->edges, WeirLaneEdge, e);
          guint other = down ? edge->to : edge->from;

          if ((down ? edge->from : edge->to) != at || distances[other] != G_MAXINT)
            continue;
          distances[other] = down ? (int) next : -(int) next;
          reach = next;
          g_array_append_val (queue, other);
        }
    }
  return reach;
}

static int *
distances_new (const WeirLaneGraph *self)
{
  int *distances = g_new (int, MAX (self->nodes->len, 1));

  for (guint i = 0; i < self->nodes->len; i++)
    distances[i] = G_MAXINT;
  return distances;
}

guint
weir_lane_graph_get_reach (const WeirLaneGraph *self, guint node, gboolean down)
{
  g_autofree int *distances = distances_new (self);

  return node < self->nodes->len ? spread (self, node, down, G_MAXUINT, distances) : 0;
}

void
weir_lane_graph_choose (WeirLaneGraph *self, guint node, guint up, guint down)
{
  g_autofree int *above = distances_new (self), *below = distances_new (self);

  self->chosen = node < self->nodes->len ? node : WEIR_NO_LANE_NODE;
  self->up = up;
  self->down = down;
  if (self->chosen != WEIR_NO_LANE_NODE)
    {
      spread (self, node, FALSE, up, above);
      spread (self, node, TRUE, down, below);
    }
  for (guint i = 0; i < self->nodes->len; i++)
    weir_lane_graph_node (self, i)->distance = self->chosen == WEIR_NO_LANE_NODE ? 0
                                               : above[i] != G_MAXINT            ? above[i]
                                                                                 : below[i];
}

/* --- Finding --------------------------------------------------------------------------------- */

guint
weir_lane_graph_hit (const WeirLaneGraph *self, double x, double y)
{
  for (guint i = 0; i < self->nodes->len; i++)
    if (weir_rect_contains (weir_rect_grow (weir_lane_graph_node (self, i)->box, 3),
                            (WeirPoint) { x, y }))
      return i;
  return WEIR_NO_LANE_NODE;
}

guint
weir_lane_graph_go (const WeirLaneGraph *self, guint node, int dx, int dy)
{
  const WeirLaneNode *at;
  guint best = WEIR_NO_LANE_NODE;
  double nearest = G_MAXDOUBLE;

  if (node >= self->nodes->len)
    return self->nodes->len > 0 ? 0 : WEIR_NO_LANE_NODE;
  at = weir_lane_graph_node (self, node);
  for (guint i = 0; dy != 0 && i < self->nodes->len; i++)
    {
      const WeirLaneNode *other = weir_lane_graph_node (self, i);
      double way = (other->box.y - at->box.y) * dy;

      if (other->lane != at->lane || other->column != at->column || way <= 0 || way >= nearest)
        continue;
      nearest = way;
      best = i;
    }
  for (guint i = 0; dx != 0 && i < self->edges->len; i++)
    {
      const WeirLaneEdge *edge = &g_array_index (self->edges, WeirLaneEdge, i);
      guint other = dx > 0 ? edge->to : edge->from;
      double way;

      if ((dx > 0 ? edge->from : edge->to) != node)
        continue;
      way = fabs (weir_lane_graph_node (self, other)->box.y - at->box.y);
      if (way >= nearest)
        continue;
      nearest = way;
      best = other;
    }
  return best != WEIR_NO_LANE_NODE ? best : node;
}
