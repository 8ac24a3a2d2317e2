/* Tidying up: blocks in columns along the flow of their signals.
 *
 * The steps are those of Sugiyama's layered drawing. Loops are opened where a search from the
 * sources comes back; a block's column is the longest way to it; wires that skip columns get a bare
 * point in each; the order within the columns is improved by medians, sweeping to and fro; heights
 * follow the ports, so that as many wires as can run straight, by least squares that keep order and
 * gaps. Groups of blocks that nothing connects come one below the other. The same diagram gives the
 * same layout.
 *
 * A node is a block, or a bare point of a wire that skips a column. Thread: *main*.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "canvas/edits/edits.h"

#define ROW_GAP 40.0 /* room for names too */
#define SLIGHT 0.05  /* weight of what gives way: wires back, bare points */
#define N_SWEEPS 12
#define PORT_SCALE 1e4 /* more than any block is high */
#define COLUMN_GAP 60.0
#define POINT_GAP 20.0  /* beside the bare points of long wires */
#define LANE_WIDTH 10.0 /* more between columns for each wire that bends there, up to MAX_LANES */
#define MAX_LANES 8
#define NEARLY 50.0 /* straight is preferred up to here */

typedef struct {
  WeirBlockShape *shape; /* owned; NULL: a bare point of a wire */
  int column;            /* -1 while unknown */
  double x, y, width, height;
  double wanted;
  GArray *ins, *outs; /* of Link */
  guint component;    /* from 1 */
} Node;

/* From the view of one end. */
typedef struct {
  guint other;
  double here, there; /* heights of the ports within their nodes */
  double weight;      /* how much it matters that it is straight */
} Link;

typedef struct {
  GPtrArray *nodes;   /* of Node, those of blocks first */
  GPtrArray *columns; /* of GArray of guint, nodes from above */
  guint n_blocks;
} Drawing;

static Node *
get_node (const Drawing *self, guint i)
{
  return self->nodes->pdata[i];
}

/* --- The graph: nodes and links, loops opened, what hangs together, columns
 * ----------------------- */

static void
node_free (gpointer data)
{
  Node *node = data;

  g_clear_pointer (&node->shape, weir_block_shape_unref);
  g_array_unref (node->ins);
  g_array_unref (node->outs);
  g_free (node);
}

static void
drawing_init (Drawing *self)
{
  *self = (Drawing) { .nodes = g_ptr_array_new_with_free_func (node_free) };
}

static void
drawing_clear (Drawing *self)
{
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
}

static Node *
add_node (Drawing *self, WeirBlock *block)
{
  Node *node = g_new0 (Node, 1);

  node->column = -1;
  node->ins = g_array_new (FALSE, FALSE, sizeof (Link));
  node->outs = g_array_new (FALSE, FALSE, sizeof (Link));
  if (block != NULL)
    {
      node->shape = weir_block_shape_new (block);
      node->width = node->shape->box.width;
      node->height = node->shape->box.height;
      node->x = node->shape->box.x;
      node->y = node->shape->box.y;
    }
  g_ptr_array_add (self->nodes, node);
  return node;
}

static void
add_block (Drawing *self, WeirBlock *block)
{
  add_node (self, block);
  self->n_blocks = self->nodes->len;
}

static void
link_nodes (const Drawing *self, guint from, double from_port, guint to, double to_port,
            double weight)
{
  Link out = { to, from_port, to_port, weight }, in = { from, to_port, from_port, weight };

  g_array_append_val (get_node (self, from)->outs, out);
  g_array_append_val (get_node (self, to)->ins, in);
}

typedef struct {
  guint from, to;
  double from_port, to_port;
  gboolean turned; /* to open a loop */
} Edge;

static double
get_port_height (const Node *node, const char *name, gboolean is_output)
{
  const WeirPortShape *port = weir_block_shape_find_port (node->shape, name, is_output);

  return port != NULL ? port->position.y - node->shape->box.y : node->height / 2;
}

static GArray *
list_edges (const Drawing *self, GHashTable *index, GPtrArray *wires)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (Edge));

  for (guint i = 0; i < wires->len; i++)
    {
      WeirWireEnd from = weir_wire_get_from (wires->pdata[i]),
                  to = weir_wire_get_to (wires->pdata[i]);
      gpointer a, b;
      Edge edge;

      if (!g_hash_table_lookup_extended (index, GUINT_TO_POINTER (from.block), NULL, &a)
          || !g_hash_table_lookup_extended (index, GUINT_TO_POINTER (to.block), NULL, &b) || a == b)
        continue;
      edge = (Edge) { GPOINTER_TO_UINT (a), GPOINTER_TO_UINT (b), 0, 0, FALSE };
      edge.from_port = get_port_height (get_node (self, edge.from), from.port, TRUE);
      edge.to_port = get_port_height (get_node (self, edge.to), to.port, FALSE);
      g_array_append_val (edges, edge);
    }
  return edges;
}

/* Follows @edges from @start without recursion; an edge back to an open node is turned round. */
static void
open_loops_from (guint start, GArray *edges, GPtrArray *of_node, guint8 *marks)
{
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *next = g_new0 (guint, of_node->len);

  marks[start] = 1;
  g_array_append_val (stack, start);
  while (stack->len > 0)
    {
      guint here = g_array_index (stack, guint, stack->len - 1);
      GArray *outs = of_node->pdata[here];
      Edge *edge;

      if (next[here] == outs->len)
        {
          marks[here] = 2;
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      edge = &g_array_index (edges, Edge, g_array_index (outs, guint, next[here]++));
      if (marks[edge->to] == 1)
        *edge = (Edge) { edge->to, edge->from, edge->to_port, edge->from_port, TRUE };
      else if (marks[edge->to] == 0)
        {
          marks[edge->to] = 1;
          g_array_append_val (stack, edge->to);
        }
    }
}

static int
compare_node_x (gconstpointer a, gconstpointer b, gpointer data)
{
  const Drawing *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  const Node *x = get_node (self, i), *y = get_node (self, k);

  if (x->x != y->x)
    return x->x < y->x ? -1 : 1;
  if (x->y != y->y)
    return x->y < y->y ? -1 : 1;
  return i < k ? -1 : i > k;
}

static void
open_loops (const Drawing *self, GArray *edges)
{
  g_autoptr (GPtrArray) of_node = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint8 *marks = g_new0 (guint8, self->n_blocks + 1);
  g_autofree guint8 *has_in = g_new0 (guint8, self->n_blocks + 1);

  for (guint i = 0; i < self->n_blocks; i++)
    {
      g_ptr_array_add (of_node, g_array_new (FALSE, FALSE, sizeof (guint)));
      g_array_append_val (order, i);
    }
  for (guint i = 0; i < edges->len; i++)
    {
      const Edge *edge = &g_array_index (edges, Edge, i);

      g_array_append_val ((GArray *) of_node->pdata[edge->from], i);
      has_in[edge->to] = TRUE;
    }
  g_array_sort_with_data (order, compare_node_x, (gpointer) self);
  /* Sources first: then a loop is closed by what comes back to it, not by what leads into it. */
  for (int pass = 0; pass < 2; pass++)
    for (guint i = 0; i < order->len; i++)
      {
        guint start = g_array_index (order, guint, i);

        if (marks[start] == 0 && (pass == 1 || !has_in[start]))
          open_loops_from (start, edges, of_node, marks);
      }
}

/* --- Columns --------------------------------------------------------------------------------- */

/* The longest way from the sources, by counting down what is left to come in. */
static void
find_columns (const Drawing *self)
{
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *left = g_new0 (guint, self->n_blocks + 1);

  for (guint i = 0; i < self->n_blocks; i++)
    {
      left[i] = get_node (self, i)->ins->len;
      if (left[i] == 0)
        {
          get_node (self, i)->column = 0;
          g_array_append_val (ready, i);
        }
    }
  for (guint i = 0; i < ready->len; i++)
    {
      const Node *node = get_node (self, g_array_index (ready, guint, i));

      for (guint k = 0; k < node->outs->len; k++)
        {
          guint to = g_array_index (node->outs, Link, k).other;

          get_node (self, to)->column = MAX (get_node (self, to)->column, node->column + 1);
          if (--left[to] == 0)
            g_array_append_val (ready, to);
        }
    }
  /* A source belongs right before what it feeds. */
  for (guint i = 0; i < self->n_blocks; i++)
    {
      Node *node = get_node (self, i);
      int nearest = G_MAXINT;

      for (guint k = 0; k < node->outs->len; k++)
        nearest = MIN (nearest, get_node (self, g_array_index (node->outs, Link, k).other)->column);
      if (node->ins->len == 0 && nearest != G_MAXINT)
        node->column = nearest - 1;
    }
}

/* A bare point in every column that an edge skips. */
static void
add_points (Drawing *self, const GArray *edges)
{
  for (guint i = 0; i < self->n_blocks; i++)
    {
      g_array_set_size (get_node (self, i)->ins, 0);
      g_array_set_size (get_node (self, i)->outs, 0);
    }
  for (guint i = 0; i < edges->len; i++)
    {
      const Edge *edge = &g_array_index (edges, Edge, i);
      int last = get_node (self, edge->to)->column;
      guint before = edge->from;
      double before_port = edge->from_port, weight = edge->turned ? SLIGHT : 1;

      for (int column = get_node (self, edge->from)->column + 1; column < last; column++)
        {
          Node *point = add_node (self, NULL);
          guint id = self->nodes->len - 1;

          point->column = column;
          point->component = get_node (self, edge->from)->component;
          point->x = G_MAXINT;
          point->y = get_node (self, edge->from)->y + edge->from_port;
          link_nodes (self, before, before_port, id, 0, weight);
          before = id;
          before_port = 0;
        }
      link_nodes (self, before, before_port, edge->to, edge->to_port, weight);
    }
}

/* --- What hangs together -----------------------------------------------------------------------
 */

static int
compare_heights (gconstpointer a, gconstpointer b, gpointer data)
{
  const Drawing *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  double x = get_node (self, i)->y, y = get_node (self, k)->y;

  return x < y ? -1 : x > y ? 1 : i < k ? -1 : i > k;
}

/* Numbers what hangs together from 1 on, in the order in which it is read; gives how many there
 * are. */
static guint
find_components (const Drawing *self)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;

  for (guint i = 0; i < self->n_blocks; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, compare_heights, (gpointer) self);
  for (guint i = 0; i < order->len; i++)
    {
      guint start = g_array_index (order, guint, i);

      if (get_node (self, start)->component != 0)
        continue;
      get_node (self, start)->component = ++n;
      g_array_append_val (stack, start);
      while (stack->len > 0)
        {
          const Node *node = get_node (self, g_array_index (stack, guint, stack->len - 1));
          const GArray *sides[2] = { node->ins, node->outs };

          g_array_set_size (stack, stack->len - 1);
          for (int side = 0; side < 2; side++)
            for (guint k = 0; k < sides[side]->len; k++)
              {
                guint other = g_array_index (sides[side], Link, k).other;

                if (get_node (self, other)->component != 0)
                  continue;
                get_node (self, other)->component = n;
                g_array_append_val (stack, other);
              }
        }
    }
  return n;
}

static guint
link_blocks (Drawing *self, GHashTable *index, GPtrArray *wires)
{
  g_autoptr (GArray) edges = list_edges (self, index, wires);
  guint n;

  open_loops (self, edges);
  for (guint i = 0; i < edges->len; i++)
    {
      const Edge *edge = &g_array_index (edges, Edge, i);

      link_nodes (self, edge->from, edge->from_port, edge->to, edge->to_port, 1);
    }
  n = find_components (self);
  find_columns (self);
  add_points (self, edges);
  return n;
}

/* --- The order within the columns: medians, sweeping; the best order met is kept
 * ------------------ */

static int
compare_wanted (gconstpointer a, gconstpointer b, gpointer data)
{
  const Drawing *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  double x = get_node (self, i)->wanted, y = get_node (self, k)->wanted;

  return x < y ? -1 : x > y ? 1 : i < k ? -1 : i > k;
}

static void
sort_column (const Drawing *self, GArray *column, gboolean by_ins)
{
  for (guint i = 0; i < column->len; i++)
    {
      Node *node = get_node (self, g_array_index (column, guint, i));
      const GArray *links = by_ins ? node->ins : node->outs;
      double sum = 0;

      for (guint k = 0; k < links->len; k++)
        {
          const Link *link = &g_array_index (links, Link, k);

          sum += get_node (self, link->other)->y + link->there / PORT_SCALE;
        }
      node->wanted = links->len > 0 ? sum / links->len : node->y;
    }
  g_array_sort_with_data (column, compare_wanted, (gpointer) self);
  /* Until heights are known, y is the place in the column. */
  for (guint i = 0; i < column->len; i++)
    get_node (self, g_array_index (column, guint, i))->y = i;
}

/* Where the end of a link lies while y is the place in the column: ports of one node come in their
 * order. */
static double
get_end (const Node *node, double port)
{
  return node->y + port / PORT_SCALE;
}

/* Crossings of the edges between a column and the one before it. */
static guint
count_crossings_before (const Drawing *self, const GArray *column)
{
  typedef struct {
    double from, to;
  } Ends;
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (Ends));
  guint n = 0;

  for (guint i = 0; i < column->len; i++)
    {
      const Node *node = get_node (self, g_array_index (column, guint, i));

      for (guint k = 0; k < node->ins->len; k++)
        {
          const Link *link = &g_array_index (node->ins, Link, k);
          Ends ends = { get_end (get_node (self, link->other), link->there),
                        get_end (node, link->here) };

          g_array_append_val (edges, ends);
        }
    }
  for (guint i = 0; i < edges->len; i++)
    for (guint k = 0; k < i; k++)
      {
        const Ends *a = &g_array_index (edges, Ends, i), *b = &g_array_index (edges, Ends, k);

        n += (a->from - b->from) * (a->to - b->to) < 0;
      }
  return n;
}

static guint
count_crossings (const Drawing *self)
{
  guint n = 0;

  for (guint c = 0; c < self->columns->len; c++)
    n += count_crossings_before (self, self->columns->pdata[c]);
  return n;
}

static void
order_columns (const Drawing *self)
{
  guint n = self->columns->len, best = G_MAXUINT;
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);

  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      g_array_sort_with_data (column, compare_heights, (gpointer) self);
    }
  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      for (guint i = 0; i < column->len; i++)
        get_node (self, g_array_index (column, guint, i))->y = i;
    }
  for (guint sweep = 0; sweep <= N_SWEEPS && best > 0; sweep++)
    {
      guint crossings = count_crossings (self);

      if (crossings < best)
        {
          best = crossings;
          g_ptr_array_set_size (kept, 0);
          for (guint c = 0; c < n; c++)
            g_ptr_array_add (kept, g_array_copy (self->columns->pdata[c]));
        }
      for (guint c = 0; c < n; c++)
        sort_column (self, self->columns->pdata[sweep % 2 == 0 ? c : n - 1 - c], sweep % 2 == 0);
    }
  for (guint c = 0; c < n; c++)
    {
      GArray *column = self->columns->pdata[c];

      g_array_set_size (column, 0);
      g_array_append_vals (column, ((GArray *) kept->pdata[c])->data,
                           ((GArray *) kept->pdata[c])->len);
    }
}

/* --- Places
 * --------------------------------------------------------------------------------------- */

/* Heights follow the ports, so that as many wires as can run straight; columns are as wide as their
 * widest node and further apart where wires bend. */

static double
get_gap (const Node *above, const Node *below)
{
  return above->shape != NULL && below->shape != NULL ? ROW_GAP : POINT_GAP;
}

/* Places the column's nodes as near as can be to what they want, keeping order and gaps: with the
 * gaps taken out this is isotonic regression, done by pooling neighbours that would overlap. */
static void
place_column (const Drawing *self, const GArray *column)
{
  typedef struct {
    double sum, weight;
    guint n;
  } Pool;
  g_autoptr (GArray) pools = g_array_new (FALSE, FALSE, sizeof (Pool));
  g_autofree double *shift = g_new0 (double, column->len + 1);
  guint k = 0;

  for (guint i = 0; i < column->len; i++)
    {
      const Node *node = get_node (self, g_array_index (column, guint, i));
      double weight = node->shape != NULL ? 1 + node->ins->len + node->outs->len : SLIGHT;
      Pool pool;

      if (i > 0)
        {
          const Node *above = get_node (self, g_array_index (column, guint, i - 1));

          shift[i] = shift[i - 1] + above->height + get_gap (above, node);
        }
      pool = (Pool) { (node->wanted - shift[i]) * weight, weight, 1 };
      g_array_append_val (pools, pool);
      while (pools->len > 1)
        {
          Pool *last = &g_array_index (pools, Pool, pools->len - 1);
          Pool *before = &g_array_index (pools, Pool, pools->len - 2);

          if (before->sum / before->weight <= last->sum / last->weight)
            break;
          before->sum += last->sum;
          before->weight += last->weight;
          before->n += last->n;
          g_array_set_size (pools, pools->len - 1);
        }
    }
  for (guint p = 0; p < pools->len; p++)
    {
      const Pool *pool = &g_array_index (pools, Pool, p);

      for (guint i = 0; i < pool->n; i++, k++)
        get_node (self, g_array_index (column, guint, k))->y = pool->sum / pool->weight + shift[k];
    }
}

static void
want_straight (const Drawing *self, const GArray *column, gboolean ins, gboolean outs)
{
  for (guint i = 0; i < column->len; i++)
    {
      Node *node = get_node (self, g_array_index (column, guint, i));
      const GArray *sides[2] = { ins ? node->ins : NULL, outs ? node->outs : NULL };
      double sum = 0, weight = 0;

      for (int side = 0; side < 2; side++)
        for (guint k = 0; sides[side] != NULL && k < sides[side]->len; k++)
          {
            const Link *link = &g_array_index (sides[side], Link, k);

            sum += link->weight * (get_node (self, link->other)->y + link->there - link->here);
            weight += link->weight;
          }
      node->wanted = weight > 0 ? sum / weight : node->y;
    }
}

/* Straight from one of the wires that come in if that is near; else on the grid. */
static double
get_final_height (const Drawing *self, const Node *node)
{
  double best = weir_snap (node->y), least = NEARLY;

  for (guint k = 0; k < node->ins->len; k++)
    {
      const Link *link = &g_array_index (node->ins, Link, k);
      double y = get_node (self, link->other)->y + link->there - link->here;

      if (link->weight < 1 || fabs (y - node->y) >= least)
        continue;
      least = fabs (y - node->y);
      best = y;
    }
  return best;
}

static void
find_heights (const Drawing *self)
{
  guint n = self->columns->len;

  for (guint c = 0; c < n; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double y = 0;

      for (guint i = 0; i < column->len; i++)
        {
          Node *node = get_node (self, g_array_index (column, guint, i));

          node->y = y;
          y += node->height + ROW_GAP;
        }
    }
  for (guint sweep = 0; sweep < N_SWEEPS; sweep++)
    for (guint c = 0; c < n; c++)
      {
        guint k = sweep % 2 == 0 ? c : n - 1 - c;

        want_straight (self, self->columns->pdata[k], sweep % 2 == 0 || sweep + 2 >= N_SWEEPS,
                       sweep % 2 == 1 || sweep + 2 >= N_SWEEPS);
        place_column (self, self->columns->pdata[k]);
      }
  /* On the grid, by the ports: those of one wire then lie on one line if they did before. */
  for (guint c = 0; c < n; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double least = -INFINITY;

      for (guint i = 0; i < column->len; i++)
        {
          Node *node = get_node (self, g_array_index (column, guint, i));
          const Node *below = i + 1 < column->len
                                  ? get_node (self, g_array_index (column, guint, i + 1))
                                  : NULL;

          node->y = MAX (get_final_height (self, node), least);
          if (below != NULL)
            least = node->y + node->height + MAX (get_gap (node, below) - 2 * WEIR_GRID, POINT_GAP);
        }
    }
}

static void
find_x (const Drawing *self)
{
  double x = 0;

  for (guint c = 0; c < self->columns->len; c++)
    {
      const GArray *column = self->columns->pdata[c];
      double widest = 0;
      guint n_lanes = 0;

      for (guint i = 0; i < column->len; i++)
        {
          const Node *node = get_node (self, g_array_index (column, guint, i));

          widest = MAX (widest, node->width);
          for (guint k = 0; k < node->outs->len; k++)
            {
              const Link *link = &g_array_index (node->outs, Link, k);

              n_lanes += node->y + link->here != get_node (self, link->other)->y + link->there;
            }
        }
      for (guint i = 0; i < column->len; i++)
        {
          Node *node = get_node (self, g_array_index (column, guint, i));

          node->x = x + weir_snap ((widest - node->width) / 2);
        }
      x += weir_snap (widest) + COLUMN_GAP + LANE_WIDTH * MIN (n_lanes, MAX_LANES);
    }
}

static void
place_nodes (const Drawing *self)
{
  find_heights (self);
  find_x (self);
}

/* --- All of it
 * ------------------------------------------------------------------------------------ */

/* Lays out the nodes of one component; gives its box. */
static WeirRect
lay_out_component (const Drawing *all, guint component)
{
  Drawing own = { all->nodes, g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref),
                  all->n_blocks };
  WeirRect box = { 0, 0, 0, 0 };
  gboolean any = FALSE;
  int least = G_MAXINT;

  for (guint i = 0; i < all->nodes->len; i++)
    if (get_node (all, i)->component == component)
      least = MIN (least, get_node (all, i)->column);
  for (guint i = 0; i < all->nodes->len; i++)
    if (get_node (all, i)->component == component)
      {
        guint column = (guint) (get_node (all, i)->column - least);

        while (own.columns->len <= column)
          g_ptr_array_add (own.columns, g_array_new (FALSE, FALSE, sizeof (guint)));
        g_array_append_val ((GArray *) own.columns->pdata[column], i);
      }
  order_columns (&own);
  place_nodes (&own);
  for (guint i = 0; i < all->nodes->len; i++)
    {
      const Node *node = get_node (all, i);
      WeirRect rect = { node->x, node->y, node->width, node->height };

      if (node->component != component || (node->shape == NULL && node->width > 0))
        continue;
      box = any ? weir_rect_union (box, rect) : rect;
      any = TRUE;
    }
  g_ptr_array_unref (own.columns);
  return box;
}

static void
lay_out (Drawing *self, GHashTable *index, GPtrArray *wires)
{
  WeirPoint corner = { INFINITY, INFINITY };
  double y;
  guint n;

  for (guint i = 0; i < self->n_blocks; i++)
    {
      corner.x = MIN (corner.x, get_node (self, i)->x);
      corner.y = MIN (corner.y, get_node (self, i)->y);
    }
  y = weir_snap (corner.y);
  n = link_blocks (self, index, wires);
  for (guint component = 1; component <= n; component++)
    {
      WeirRect box = lay_out_component (self, component);
      WeirPoint offset = { weir_snap (corner.x) - box.x, y - box.y };

      for (guint i = 0; i < self->nodes->len; i++)
        if (get_node (self, i)->component == component)
          {
            get_node (self, i)->x += offset.x;
            get_node (self, i)->y += offset.y;
          }
      y = weir_snap (y + box.height + ROW_GAP);
    }
}

WeirEdit *
weir_edit_tidy (WeirSite site, const guint32 *blocks, guint n)
{
  WeirDiagram *diagram = weir_site_get_diagram (site);
  g_autoptr (GHashTable) chosen = weir_id_set_new (blocks, n);
  g_autoptr (GHashTable) index = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) wires = NULL;
  Drawing tidy;
  WeirEdit *edit;

  if (diagram == NULL)
    return NULL;
  edit = weir_edit_new (g_strdup (_ ("Tidy up")));
  all = weir_diagram_list_blocks (diagram);
  wires = weir_diagram_list_wires (diagram, 0);
  drawing_init (&tidy);
  for (guint i = 0; i < all->len; i++)
    {
      guint32 id = weir_block_get_id (all->pdata[i]);

      if (n > 0 && !weir_id_set_has (chosen, id))
        continue;
      add_block (&tidy, all->pdata[i]);
      g_hash_table_insert (index, GUINT_TO_POINTER (id), GUINT_TO_POINTER (tidy.nodes->len - 1));
    }
  lay_out (&tidy, index, wires);
  for (guint i = 0; i < tidy.n_blocks; i++)
    {
      const Node *node = get_node (&tidy, i);
      g_autoptr (WeirBlock)
          moved = weir_block_with_position (node->shape->block, (WeirPoint) { node->x, node->y });

      if (node->x != node->shape->box.x || node->y != node->shape->box.y)
        weir_edit_put_block (edit, site, moved);
    }
  for (guint i = 0; i < wires->len; i++)
    {
      guint32 from = weir_wire_get_from (wires->pdata[i]).block;
      guint32 to = weir_wire_get_to (wires->pdata[i]).block;
      g_autoptr (WeirWire) straight = NULL;
      guint n_bends;

      weir_wire_get_bends (wires->pdata[i], &n_bends);
      if (n_bends == 0 || !g_hash_table_contains (index, GUINT_TO_POINTER (from))
          || !g_hash_table_contains (index, GUINT_TO_POINTER (to)))
        continue;
      straight = weir_wire_with_bends (wires->pdata[i], NULL, 0);
      weir_edit_put_wire (edit, site, straight);
    }
  drawing_clear (&tidy);
  return weir_edit_finish (edit);
}
