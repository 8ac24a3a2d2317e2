/* Junctions: where wires of one output part. A dot is where three or four ways meet. */
#include "paint/scene/scene-private.h"

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

/* @segments: room for those of the net. */
static void
find_junctions_of_net (GPtrArray *net, GArray *segments, GArray *junctions)
{
  guint first = junctions->len;

  g_array_set_size (segments, 0);
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

/* A wire among those of one output, the wires of the scene numbered from 1; 0 = none. */
typedef struct {
  WeirScenePort key;
  guint next;
  guint last;  /* of the first wire alone */
  guint other; /* of the first wire alone: that of another output in the same slot */
} NetWire;

/* The first wire of the output that @wire begins at, which may be itself. @slots: where to look,
 * 2^@bits of them. */
static guint
find_first (NetWire *wires, guint *slots, guint bits, guint wire)
{
  WeirScenePort key = wires[wire].key;
  guint *slot = &slots[(key.block * 2654435761u) >> (32 - bits)];

  for (guint i = *slot; i != 0; i = wires[i].other)
    if (wires[i].key.block == key.block && strcmp (wires[i].key.port, key.port) == 0)
      return i;
  wires[wire].other = *slot;
  wires[wire].last = wire;
  *slot = wire;
  return wire;
}

/* Nets in the order of their first wires, so that equal diagrams give equal scenes. Done anew for
 * every picture of a block being dragged, hence no table of strings. */
void
weir_scene_find_junctions (WeirScene *self)
{
  guint bits = MAX (g_bit_storage (self->wires->len), 1);
  g_autofree guint *slots = g_new0 (guint, (gsize) 1 << bits);
  g_autofree NetWire *wires = g_new0 (NetWire, self->wires->len + 1);
  g_autoptr (GPtrArray) net = g_ptr_array_new ();
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (Segment));

  for (guint i = 1; i <= self->wires->len; i++)
    {
      const WeirWireShape *shape = self->wires->pdata[i - 1];
      WeirWireEnd from = weir_wire_get_from (shape->wire);
      guint first;

      if (!shape->from_connected)
        continue;
      wires[i].key = (WeirScenePort) { from.block, from.port };
      first = find_first (wires, slots, bits, i);
      if (first == i)
        continue;
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
      find_junctions_of_net (net, segments, self->junctions);
    }
}
