/* The graph of a tidy drawing: nodes and links, loops opened, what hangs together, columns. */
#include "canvas/edits/tidy-private.h"

static void
node_free (gpointer data)
{
  WeirTidyNode *node = data;

  g_clear_pointer (&node->shape, weir_block_shape_unref);
  g_array_unref (node->ins);
  g_array_unref (node->outs);
  g_free (node);
}

void
weir_tidy_init (WeirTidy *self)
{
  *self = (WeirTidy) { .nodes = g_ptr_array_new_with_free_func (node_free) };
}

void
weir_tidy_clear (WeirTidy *self)
{
  g_clear_pointer (&self->nodes, g_ptr_array_unref);
}

static WeirTidyNode *
add_node (WeirTidy *self, WeirBlock *block)
{
  WeirTidyNode *node = g_new0 (WeirTidyNode, 1);

  node->column = -1;
  node->ins = g_array_new (FALSE, FALSE, sizeof (WeirTidyLink));
  node->outs = g_array_new (FALSE, FALSE, sizeof (WeirTidyLink));
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

void
weir_tidy_add_block (WeirTidy *self, WeirBlock *block)
{
  add_node (self, block);
  self->n_blocks = self->nodes->len;
}

static void
link_nodes (const WeirTidy *self, guint from, double from_port, guint to, double to_port,
            double weight)
{
  WeirTidyLink out = { to, from_port, to_port, weight }, in = { from, to_port, from_port, weight };

  g_array_append_val (weir_tidy_get_node (self, from)->outs, out);
  g_array_append_val (weir_tidy_get_node (self, to)->ins, in);
}

typedef struct {
  guint from, to;
  double from_port, to_port;
  gboolean turned; /* to open a loop */
} Edge;

static double
get_port_height (const WeirTidyNode *node, const char *name, gboolean is_output)
{
  const WeirPortShape *port = weir_block_shape_find_port (node->shape, name, is_output);

  return port != NULL ? port->position.y - node->shape->box.y : node->height / 2;
}

static GArray *
list_edges (const WeirTidy *self, GHashTable *index, GPtrArray *wires)
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
      edge.from_port = get_port_height (weir_tidy_get_node (self, edge.from), from.port, TRUE);
      edge.to_port = get_port_height (weir_tidy_get_node (self, edge.to), to.port, FALSE);
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
  const WeirTidy *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  const WeirTidyNode *x = weir_tidy_get_node (self, i), *y = weir_tidy_get_node (self, k);

  if (x->x != y->x)
    return x->x < y->x ? -1 : 1;
  if (x->y != y->y)
    return x->y < y->y ? -1 : 1;
  return i < k ? -1 : i > k;
}

static void
open_loops (const WeirTidy *self, GArray *edges)
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
find_columns (const WeirTidy *self)
{
  g_autoptr (GArray) ready = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autofree guint *left = g_new0 (guint, self->n_blocks + 1);

  for (guint i = 0; i < self->n_blocks; i++)
    {
      left[i] = weir_tidy_get_node (self, i)->ins->len;
      if (left[i] == 0)
        {
          weir_tidy_get_node (self, i)->column = 0;
          g_array_append_val (ready, i);
        }
    }
  for (guint i = 0; i < ready->len; i++)
    {
      const WeirTidyNode *node = weir_tidy_get_node (self, g_array_index (ready, guint, i));

      for (guint k = 0; k < node->outs->len; k++)
        {
          guint to = g_array_index (node->outs, WeirTidyLink, k).other;

          weir_tidy_get_node (self, to)->column = MAX (weir_tidy_get_node (self, to)->column,
                                                       node->column + 1);
          if (--left[to] == 0)
            g_array_append_val (ready, to);
        }
    }
  /* A source belongs right before what it feeds. */
  for (guint i = 0; i < self->n_blocks; i++)
    {
      WeirTidyNode *node = weir_tidy_get_node (self, i);
      int nearest = G_MAXINT;

      for (guint k = 0; k < node->outs->len; k++)
        nearest = MIN (
            nearest,
            weir_tidy_get_node (self, g_array_index (node->outs, WeirTidyLink, k).other)->column);
      if (node->ins->len == 0 && nearest != G_MAXINT)
        node->column = nearest - 1;
    }
}

/* A bare point in every column that an edge skips. */
static void
add_points (WeirTidy *self, const GArray *edges)
{
  for (guint i = 0; i < self->n_blocks; i++)
    {
      g_array_set_size (weir_tidy_get_node (self, i)->ins, 0);
      g_array_set_size (weir_tidy_get_node (self, i)->outs, 0);
    }
  for (guint i = 0; i < edges->len; i++)
    {
      const Edge *edge = &g_array_index (edges, Edge, i);
      int last = weir_tidy_get_node (self, edge->to)->column;
      guint before = edge->from;
      double before_port = edge->from_port, weight = edge->turned ? WEIR_TIDY_SLIGHT : 1;

      for (int column = weir_tidy_get_node (self, edge->from)->column + 1; column < last; column++)
        {
          WeirTidyNode *point = add_node (self, NULL);
          guint id = self->nodes->len - 1;

          point->column = column;
          point->component = weir_tidy_get_node (self, edge->from)->component;
          point->x = G_MAXINT;
          point->y = weir_tidy_get_node (self, edge->from)->y + edge->from_port;
          link_nodes (self, before, before_port, id, 0, weight);
          before = id;
          before_port = 0;
        }
      link_nodes (self, before, before_port, edge->to, edge->to_port, weight);
    }
}

/* --- What hangs together -----------------------------------------------------------------------
 */

int
weir_tidy_compare_heights (gconstpointer a, gconstpointer b, gpointer data)
{
  const WeirTidy *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  double x = weir_tidy_get_node (self, i)->y, y = weir_tidy_get_node (self, k)->y;

  return x < y ? -1 : x > y ? 1 : i < k ? -1 : i > k;
}

/* Numbers what hangs together from 1 on, in the order in which it is read; gives how many there
 * are. */
static guint
find_components (const WeirTidy *self)
{
  g_autoptr (GArray) order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GArray) stack = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;

  for (guint i = 0; i < self->n_blocks; i++)
    g_array_append_val (order, i);
  g_array_sort_with_data (order, weir_tidy_compare_heights, (gpointer) self);
  for (guint i = 0; i < order->len; i++)
    {
      guint start = g_array_index (order, guint, i);

      if (weir_tidy_get_node (self, start)->component != 0)
        continue;
      weir_tidy_get_node (self, start)->component = ++n;
      g_array_append_val (stack, start);
      while (stack->len > 0)
        {
          const WeirTidyNode *node = weir_tidy_get_node (
              self, g_array_index (stack, guint, stack->len - 1));
          const GArray *sides[2] = { node->ins, node->outs };

          g_array_set_size (stack, stack->len - 1);
          for (int side = 0; side < 2; side++)
            for (guint k = 0; k < sides[side]->len; k++)
              {
                guint other = g_array_index (sides[side], WeirTidyLink, k).other;

                if (weir_tidy_get_node (self, other)->component != 0)
                  continue;
                weir_tidy_get_node (self, other)->component = n;
                g_array_append_val (stack, other);
              }
        }
    }
  return n;
}

guint
weir_tidy_link (WeirTidy *self, GHashTable *index, GPtrArray *wires)
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
