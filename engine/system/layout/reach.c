/* What a run depends on. See reach.h. */
#include "system/layout/reach.h"

#include <string.h>

#include "system/layout/layout-private.h"

/* The leaf that a value comes from; WEIR_NO_INDEX: of none, as time. */
static guint32
get_leaf_of (const WeirLayout *self, WeirOrigin origin)
{
  switch (origin.kind)
    {
    case WEIR_ORIGIN_ENTRY:
      return self->node_of[origin.index];
    case WEIR_ORIGIN_TIME:
    case WEIR_ORIGIN_COMMON:
      return WEIR_NO_INDEX;
    case WEIR_ORIGIN_Q:
    case WEIR_ORIGIN_V:
    case WEIR_ORIGIN_Z:
    case WEIR_ORIGIN_XC:
    case WEIR_ORIGIN_GROUP:
    case WEIR_ORIGIN_PARAMETER:
    case WEIR_ORIGIN_FIXED:
    default:
      return origin.node;
    }
}

/* What is no vector of doubles is not recorded, so that its leaf cannot be left out of the run. */
static gboolean
has_abstract_values (const WeirShape *shape)
{
  for (guint i = 0; i < shape->inputs->len; i++)
    if (weir_shape_input (shape, i)->type != NULL)
      return TRUE;
  for (guint i = 0; i < shape->outputs->len; i++)
    if (weir_shape_output (shape, i)->type != NULL)
      return TRUE;
  return FALSE;
}

/* A port is found by its name, an output first. */
static gboolean
has_names_twice (const WeirShape *shape)
{
  for (guint i = 0; i < shape->inputs->len; i++)
    for (guint o = 0; o < shape->outputs->len; o++)
      if (strcmp (weir_shape_input (shape, i)->name, weir_shape_output (shape, o)->name) == 0)
        return TRUE;
  return FALSE;
}

/* Does it take part in a run by itself? */
static gboolean
moves (const WeirShape *shape)
{
  return shape->initial_state != NULL || shape->groups->len > 0 || shape->events->len > 0
         || shape->n_phases > 0 || shape->is_unit || shape->is_loop || has_abstract_values (shape)
         || has_names_twice (shape);
}

static WeirOrigin
get_input_origin (const WeirLayout *self, guint32 node, guint input)
{
  return self->inputs[self->nodes[node].first_input + input];
}

/* Marks @node and all that it sees, unless that is marked already. */
static void
mark (const WeirLayout *self, WeirReach *reach, guint32 node, WeirReach as, GArray *pending)
{
  g_array_set_size (pending, 0);
  g_array_append_val (pending, node);
  while (pending->len > 0)
    {
      guint32 next = g_array_index (pending, guint32, pending->len - 1);

      g_array_set_size (pending, pending->len - 1);
      if (next == WEIR_NO_INDEX || self->nodes[next].shape->is_diagram
          || reach[next] != WEIR_REACH_NONE)
        continue;
      reach[next] = as;
      for (guint i = 0; i < self->nodes[next].shape->inputs->len; i++)
        {
          guint32 leaf = get_leaf_of (self, get_input_origin (self, next, i));

          g_array_append_val (pending, leaf);
        }
    }
}

static WeirOrigin
get_port_origin (const WeirLayout *self, const WeirPort *port)
{
  const WeirNodeInfo *node = &self->nodes[port->node.i];

  return port->is_input ? self->inputs[node->first_input + port->index]
                        : self->outputs[node->first_output + port->index];
}

WeirReach *
weir_layout_calc_reach (const WeirLayout *self, const WeirPort *ports, guint n_ports)
{
  WeirReach *reach = g_new0 (WeirReach, self->n_nodes);
  g_autoptr (GArray) pending = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 n = 0; n < self->n_nodes; n++)
    if (!self->nodes[n].shape->is_diagram && moves (self->nodes[n].shape))
      mark (self, reach, n, WEIR_REACH_RUN, pending);
  for (guint i = 0; i < n_ports; i++)
    mark (self, reach, get_leaf_of (self, get_port_origin (self, &ports[i])), WEIR_REACH_AFTER,
          pending);
  return reach;
}

gboolean
weir_layout_is_port_after (const WeirLayout *self, const WeirReach *reach, const WeirPort *port)
{
  guint32 leaf = get_leaf_of (self, get_port_origin (self, port));

  return leaf != WEIR_NO_INDEX && reach[leaf] == WEIR_REACH_AFTER;
}

gboolean
weir_layout_is_input_undriven (const WeirLayout *self, WeirNode node, WeirInput in)
{
  return get_input_origin (self, node.i, in.i).kind == WEIR_ORIGIN_FIXED;
}

GArray *
weir_layout_list_edges (const WeirLayout *self, const WeirReach *reach)
{
  GArray *edges = g_array_new (FALSE, FALSE, sizeof (WeirEdge));

  for (guint32 n = 0; n < self->n_nodes; n++)
    for (guint i = 0; reach[n] == WEIR_REACH_AFTER && i < self->nodes[n].shape->inputs->len; i++)
      {
        WeirOrigin origin = get_input_origin (self, n, i);
        guint32 leaf = get_leaf_of (self, origin);
        WeirEdge edge = { { { n }, { (guint16) i } },
                          weir_shape_input (self->nodes[n].shape, i)->size,
                          edges->len };

        if (leaf == WEIR_NO_INDEX || reach[leaf] != WEIR_REACH_RUN)
          continue;
        for (guint k = 0; k < edges->len && edge.same_as == edges->len; k++)
          {
            WeirInputPlace other = g_array_index (edges, WeirEdge, k).place;
            WeirOrigin from = get_input_origin (self, other.node.i, other.in.i);

            if (from.kind == origin.kind && from.node == origin.node && from.index == origin.index)
              edge.same_as = k;
          }
        g_array_append_val (edges, edge);
      }
  return edges;
}

/* --- Meaning --------------------------------------------------------------------------------- */

static void
digest_number (GChecksum *checksum, guint64 number)
{
  guint64 bytes = GUINT64_TO_LE (number);

  g_checksum_update (checksum, (const guchar *) &bytes, sizeof bytes);
}

/* With its end, so that two in a row are not another two. */
static void
digest_path (const WeirLayout *self, guint32 node, GChecksum *checksum)
{
  g_autofree char *path = weir_layout_dup_path (self, (WeirNode) { node });

  g_checksum_update (checksum, (const guchar *) path, (gssize) strlen (path) + 1);
}

/* Numbers of entries depend on all of the tree: what is told is the leaf and its own number. */
static void
digest_origin (const WeirLayout *self, WeirOrigin origin, GChecksum *checksum)
{
  guint32 leaf = get_leaf_of (self, origin);

  digest_number (checksum, origin.kind);
  digest_number (checksum,
                 origin.kind == WEIR_ORIGIN_ENTRY ? self->local_of[origin.index] : origin.index);
  if (leaf != WEIR_NO_INDEX)
    digest_path (self, leaf, checksum);
}

void
weir_layout_digest_leaf (const WeirLayout *self, WeirNode node, GChecksum *checksum)
{
  const WeirShape *shape = self->nodes[node.i].shape;

  digest_path (self, node.i, checksum);
  digest_number (checksum, shape->fingerprint.low);
  digest_number (checksum, shape->fingerprint.high);
  digest_number (checksum, shape->inputs->len);
  for (guint i = 0; i < shape->inputs->len; i++)
    digest_origin (self, get_input_origin (self, node.i, i), checksum);
}
