/* Junctions: where wires of one output part. A dot is where three or four ways meet. */
#include "paint/scene-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  WeirPoint a, b;
} Segment;

static gboolean
is_within (double value, double a, double b)
{
  return value > MIN (a, b) + 1e-6 && value < MAX (a, b) - 1e-6;
}

/* Bits of the directions in which @segment leaves @p. */
static guint
get_branches (Segment segment, WeirPoint p)
{
  gboolean horizontal = fabs (segment.a.y - segment.b.y) < 1e-6;
  guint bits = 0;

  if (horizontal ? fabs (segment.a.y - p.y) > 1e-6 : fabs (segment.a.x - p.x) > 1e-6)
    return 0;
  for (int end = 0; end < 2; end++)
    {
      WeirPoint here = end == 0 ? segment.a : segment.b, there = end == 0 ? segment.b : segment.a;
      gboolean at_end = fabs (here.x - p.x) < 1e-6 && fabs (here.y - p.y) < 1e-6;
      gboolean inside = horizontal ? is_within (p.x, here.x, there.x)
                                   : is_within (p.y, here.y, there.y);

      if (at_end || inside)
        bits |= horizontal ? (there.x > p.x ? 1u : 2u) : (there.y > p.y ? 4u : 8u);
    }
  return bits;
}

static void
find_junctions_of_net (GPtrArray *net, GArray *junctions)
{
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  guint first = junctions->len;

  for (guint i = 0; i < net->len; i++)
    {
      const WeirWireShape *shape = net->pdata[i];

      for (guint k = 0; k + 1 < shape->n_points; k++)
        {
          Segment segment = { shape->points[k], shape->points[k + 1] };

          g_array_append_val (segments, segment);
        }
    }
  for (guint i = 0; i < net->len; i++)
    {
      const WeirWireShape *shape = net->pdata[i];

      for (guint k = 1; k + 1 < shape->n_points; k++)
        {
          WeirPoint p = shape->points[k];
          guint bits = 0;
          gboolean known = FALSE;

          for (guint s = 0; s < segments->len; s++)
            bits |= get_branches (g_array_index (segments, Segment, s), p);
          for (guint j = first; j < junctions->len && !known; j++)
            {
              WeirPoint q = g_array_index (junctions, WeirPoint, j);

              known = fabs (p.x - q.x) < 1e-6 && fabs (p.y - q.y) < 1e-6;
            }
          if (!known && (bits == 7 || bits == 11 || bits == 13 || bits == 14 || bits == 15))
            g_array_append_val (junctions, p);
        }
    }
}

static guint
hash_port_key (gconstpointer key)
{
  const WeirScenePort *port = key;

  return port->block * 2654435761u ^ g_str_hash (port->port);
}

static gboolean
equal_port_keys (gconstpointer a, gconstpointer b)
{
  const WeirScenePort *first = a, *second = b;

  return first->block == second->block && strcmp (first->port, second->port) == 0;
}

/* A wire among those of one output, the wires of the scene numbered from 1; 0 = none. */
typedef struct {
  WeirScenePort key;
  guint next;
  guint last; /* of the first wire alone */
} NetWire;

/* Nets in the order of their first wires, so that equal diagrams give equal scenes. */
void
weir_scene_find_junctions (WeirScene *self)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (hash_port_key, equal_port_keys);
  g_autofree NetWire *wires = g_new0 (NetWire, self->wires->len + 1);
  g_autoptr (GPtrArray) net = g_ptr_array_new ();

  for (guint i = 1; i <= self->wires->len; i++)
    {
      const WeirWireShape *shape = self->wires->pdata[i - 1];
      WeirWireEnd from = weir_wire_get_from (shape->wire);
      guint first;

      if (!shape->from_connected)
        continue;
      wires[i].key = (WeirScenePort) { from.block, from.port };
      first = GPOINTER_TO_UINT (g_hash_table_lookup (firsts, &wires[i].key));
      if (first == 0)
        {
          g_hash_table_insert (firsts, &wires[i].key, GUINT_TO_POINTER (i));
          wires[i].last = i;
          continue;
        }
      wires[wires[first].last].next = i;
      wires[first].last = i;
    }
  for (guint i = 1; i <= self->wires->len; i++)
    {
      if (wires[i].last == 0 || wires[i].next == 0)
        continue;
      g_ptr_array_set_size (net, 0);
      for (guint k = i; k != 0; k = wires[k].next)
        g_ptr_array_add (net, self->wires->pdata[k - 1]);
      find_junctions_of_net (net, self->junctions);
    }
}
