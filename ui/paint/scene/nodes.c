/* Nodes of physical lines. See nodes.h. */
#include "paint/scene/nodes.h"

#include <string.h>

struct _WeirNodes {
  gatomicrefcount ref_count;
  GArray *lines;   /* WeirLineNode, by id */
  GArray *joiners; /* guint32 */
};

typedef struct {
  guint32 block;
  const char *pin; /* borrowed */
} Pin;

typedef struct {
  WeirNodes *nodes;
  const WeirShapes *blocks;
  GPtrArray *wires; /* WeirWire, borrowed: those of the lines */
  guint *parents;   /* of the sets of lines, by index: a forest */
  GHashTable *at;   /* Pin -> the index of a line that ends there, plus one */
} Building;

static guint
hash_pin (gconstpointer pin)
{
  return ((const Pin *) pin)->block ^ g_str_hash (((const Pin *) pin)->pin);
}

static gboolean
equal_pins (gconstpointer a, gconstpointer b)
{
  const Pin *x = a, *y = b;

  return x->block == y->block && strcmp (x->pin, y->pin) == 0;
}

static WeirLineNode *
get_line (const WeirNodes *self, guint i)
{
  return &g_array_index (self->lines, WeirLineNode, i);
}

/* The index of @line, or the number of lines. */
static guint
find_index (const WeirNodes *self, guint32 line)
{
  guint low = 0, high = self->lines->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (get_line (self, middle)->line < line)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->lines->len && get_line (self, low)->line == line ? low : self->lines->len;
}

/* --- Sets ------------------------------------------------------------------------------------ */

static guint
find_root (Building *self, guint i)
{
  while (self->parents[i] != i)
    i = self->parents[i] = self->parents[self->parents[i]];
  return i;
}

/* The lesser index stays: lines are in order of id. */
static void
join (Building *self, guint a, guint b)
{
  a = find_root (self, a);
  b = find_root (self, b);
  self->parents[MAX (a, b)] = MIN (a, b);
}

static const WeirDomain *
find_domain (Building *self, WeirWireEnd end)
{
  const WeirBlockShape *shape = weir_shapes_lookup (self->blocks, end.block);
  const WeirPortShape *port = shape != NULL ? weir_block_shape_find_port (shape, end.port, FALSE)
                                            : NULL;

  return port != NULL && port->is_pin ? port->domain : NULL;
}

static void
add_end (Building *self, guint i, WeirWireEnd end)
{
  guint target = end.line != 0 ? find_index (self->nodes, end.line) : self->nodes->lines->len;

  if (end.block != 0)
    {
      Pin pin = { end.block, end.port };
      guint other = GPOINTER_TO_UINT (g_hash_table_lookup (self->at, &pin));

      if (other != 0)
        join (self, i, other - 1);
      else
        g_hash_table_insert (self->at, g_memdup2 (&pin, sizeof pin), GUINT_TO_POINTER (i + 1));
      if (get_line (self->nodes, i)->domain == NULL)
        get_line (self->nodes, i)->domain = find_domain (self, end);
    }
  else if (target < self->nodes->lines->len && target != i)
    {
      join (self, i, target);
      get_line (self->nodes, target)->is_joined = TRUE;
      get_line (self->nodes, i)->depth = 1;
    }
}

/* A domain that one of the lines knows is that of all. */
static void
name_nodes (Building *self)
{
  GArray *lines = self->nodes->lines;
  g_autofree guint *last = g_new (guint, lines->len); /* by first line of a node: its last so far */

  for (guint i = 0; i < lines->len; i++)
    {
      guint first = find_root (self, i);
      WeirLineNode *root = get_line (self->nodes, first);

      get_line (self->nodes, i)->node = root->line;
      if (first != i)
        get_line (self->nodes, last[first])->next = get_line (self->nodes, i)->line;
      last[first] = i;
      if (root->domain == NULL)
        root->domain = get_line (self->nodes, i)->domain;
    }
  for (guint i = 0; i < lines->len; i++)
    get_line (self->nodes, i)->domain = get_line (self->nodes, find_root (self, i))->domain;
}

/* --- What ends on what ----------------------------------------------------------------------- */

static guint
get_depth_over (const Building *self, WeirWireEnd end)
{
  guint target = end.line != 0 ? find_index (self->nodes, end.line) : self->nodes->lines->len;

  return target < self->nodes->lines->len ? get_line (self->nodes, target)->depth + 1 : 0;
}

static int
compare_depths (gconstpointer a, gconstpointer b, gpointer data)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  guint deep_x = weir_nodes_find (data, x)->depth, deep_y = weir_nodes_find (data, y)->depth;

  return deep_x != deep_y ? (deep_x < deep_y ? -1 : 1) : x < y ? -1 : x > y;
}

/* In a circle it would go on for ever: it ends after as many rounds as there are such lines. */
static void
order_joiners (Building *self)
{
  WeirNodes *nodes = self->nodes;
  gboolean changed = TRUE;

  for (guint i = 0; i < nodes->lines->len; i++)
    if (get_line (nodes, i)->depth > 0)
      g_array_append_val (nodes->joiners, get_line (nodes, i)->line);
  for (guint round = 0; changed && round < nodes->joiners->len; round++)
    {
      changed = FALSE;
      for (guint k = 0; k < nodes->joiners->len; k++)
        {
          guint i = find_index (nodes, g_array_index (nodes->joiners, guint32, k));
          guint from = get_depth_over (self, weir_wire_get_from (self->wires->pdata[i]));
          guint to = get_depth_over (self, weir_wire_get_to (self->wires->pdata[i]));
          guint depth = MAX (from, to);

          changed |= depth != get_line (nodes, i)->depth;
          get_line (nodes, i)->depth = depth;
        }
    }
  g_array_sort_with_data (nodes->joiners, compare_depths, nodes);
}

/* --- Making ---------------------------------------------------------------------------------- */

static gboolean
add_line (WeirWire *wire, gpointer data)
{
  Building *self = data;
  WeirLineNode line = { .line = weir_wire_get_id (wire) };

  if (!weir_wire_is_line (wire))
    return TRUE;
  g_ptr_array_add (self->wires, wire);
  g_array_append_val (self->nodes->lines, line);
  return TRUE;
}

WeirNodes *
weir_nodes_new (const WeirDiagram *diagram, const WeirShapes *blocks)
{
  WeirNodes *self = g_new (WeirNodes, 1);
  g_autoptr (GPtrArray) wires = g_ptr_array_new ();
  g_autoptr (GHashTable) at = g_hash_table_new_full (hash_pin, equal_pins, g_free, NULL);
  g_autofree guint *parents = NULL;
  Building building = { .nodes = self, .blocks = blocks, .wires = wires, .at = at };

  *self = (WeirNodes) { .lines = g_array_new (FALSE, FALSE, sizeof (WeirLineNode)),
                        .joiners = g_array_new (FALSE, FALSE, sizeof (guint32)) };
  g_atomic_ref_count_init (&self->ref_count);
  weir_diagram_foreach_wire (diagram, add_line, &building);
  if (wires->len == 0)
    {
      weir_nodes_unref (self);
      return NULL;
    }
  building.parents = parents = g_new (guint, wires->len);
  for (guint i = 0; i < wires->len; i++)
    parents[i] = i;
  for (guint i = 0; i < wires->len; i++)
    {
      add_end (&building, i, weir_wire_get_from (wires->pdata[i]));
      add_end (&building, i, weir_wire_get_to (wires->pdata[i]));
    }
  name_nodes (&building);
  order_joiners (&building);
  return self;
}

WeirNodes *
weir_nodes_ref (WeirNodes *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_nodes_unref (WeirNodes *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->lines);
  g_array_unref (self->joiners);
  g_free (self);
}

const WeirLineNode *
weir_nodes_find (const WeirNodes *self, guint32 line)
{
  guint i = self != NULL ? find_index (self, line) : 0;

  return self != NULL && i < self->lines->len ? get_line (self, i) : NULL;
}

guint
weir_nodes_get_n_lines (const WeirNodes *self)
{
  return self != NULL ? self->lines->len : 0;
}

const WeirLineNode *
weir_nodes_get_line (const WeirNodes *self, guint i)
{
  return get_line (self, i);
}

const GArray *
weir_nodes_get_joiners (const WeirNodes *self)
{
  return self->joiners;
}
