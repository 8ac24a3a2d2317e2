/* Junctions: where wires of one output part, or lines of one node meet. A dot is where there are
 * three or four ways. */
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

      /* A line may end on another. */
      for (guint k = shape->node != 0 ? 0 : 1; k + (shape->node != 0 ? 0 : 1) < shape->n_points;
           k++)
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

/* A wire among those of one output, the wires that are gone through numbered from 1; 0 = none. */
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

/* Of @shapes, wires by id that are all of some nets. Nets in the order of their first wires, so
 * that equal diagrams give equal scenes. @junctions, @junction_wires: as those of a scene. */
static void
find_junctions_of (const GPtrArray *shapes, GArray *junctions, GArray *junction_wires)
{
  guint bits = MAX (g_bit_storage (shapes->len), 1);
  g_autofree guint *slots = g_new0 (guint, (gsize) 1 << bits);
  g_autofree NetWire *wires = g_new0 (NetWire, shapes->len + 1);
  g_autoptr (GPtrArray) net = g_ptr_array_new ();
  g_autoptr (GArray) segments = g_array_new (FALSE, FALSE, sizeof (Segment));

  for (guint i = 1; i <= shapes->len; i++)
    {
      const WeirWireShape *shape = shapes->pdata[i - 1];
      guint first;

      if (!shape->from_connected && shape->node == 0)
        continue;
      wires[i].key = weir_wire_shape_get_net (shape);
      first = find_first (wires, slots, bits, i);
      if (first == i)
        continue;
      wires[wires[first].last].next = i;
      wires[first].last = i;
    }
  for (guint i = 1; i <= shapes->len; i++)
    {
      guint32 id = weir_wire_get_id (((const WeirWireShape *) shapes->pdata[i - 1])->wire);

      if (wires[i].last == 0 || wires[i].next == 0)
        continue;
      g_ptr_array_set_size (net, 0);
      for (guint k = i; k != 0; k = wires[k].next)
        g_ptr_array_add (net, shapes->pdata[k - 1]);
      find_junctions_of_net (net, segments, junctions);
      while (junction_wires->len < junctions->len)
        g_array_append_val (junction_wires, id);
    }
}

/* --- After an edit --------------------------------------------------------------------------- */

/* Nets that are not as they were. */
typedef struct {
  WeirScene *scene, *previous;
  GHashTable *ports; /* WeirScenePort: those nets */
  GHashTable *gone;  /* ids of wires, as pointers: of those nets as they were */
  GHashTable *come;  /* the same, as they are */
} Renewal;

static void
collect_wire (guint32 wire, gpointer data)
{
  g_hash_table_add (data, GUINT_TO_POINTER (wire));
}

static guint
hash_port (gconstpointer port)
{
  const WeirScenePort *self = port;

  return self->block ^ g_str_hash (self->port != NULL ? self->port : "");
}

static gboolean
equal_ports (gconstpointer a, gconstpointer b)
{
  const WeirScenePort *x = a, *y = b;

  return x->block == y->block && g_strcmp0 (x->port, y->port) == 0;
}

static void
collect_net (Renewal *self, const WeirWireShape *shape)
{
  WeirScenePort *port = g_new (WeirScenePort, 1);

  *port = weir_wire_shape_get_net (shape);
  if (!g_hash_table_add (self->ports, port))
    return;
  weir_scene_foreach_of_net (self->previous, *port, collect_wire, self->gone);
  weir_scene_foreach_of_net (self->scene, *port, collect_wire, self->come);
}

static void
collect_changed (gpointer before, gpointer after, gpointer data)
{
  if (before != NULL)
    collect_net (data, before);
  if (after != NULL)
    collect_net (data, after);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 x = weir_wire_get_id ((*(WeirWireShape *const *) a)->wire);
  guint32 y = weir_wire_get_id ((*(WeirWireShape *const *) b)->wire);

  return x < y ? -1 : x > y;
}

/* The wires of the nets that are to be gone through, by id. (transfer full) */
static GPtrArray *
list_wires (Renewal *self)
{
  GPtrArray *shapes = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->come);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    g_ptr_array_add (shapes, weir_shapes_lookup (self->scene->wires, GPOINTER_TO_UINT (id)));
  g_ptr_array_sort (shapes, compare_ids);
  return shapes;
}

/* Puts what nets that are as they were have among @junctions, by wire. */
static void
merge (Renewal *self, const GArray *junctions, const GArray *junction_wires)
{
  const WeirScene *previous = self->previous;

  for (guint i = 0, k = 0; i < previous->junctions->len || k < junctions->len;)
    {
      guint32 old = i < previous->junctions->len
                        ? g_array_index (previous->junction_wires, guint32, i)
                        : G_MAXUINT32;
      guint32 new = k < junctions->len ? g_array_index (junction_wires, guint32, k) : G_MAXUINT32;
      gboolean is_old = k == junctions->len || (i < previous->junctions->len && old < new);

      if (is_old && g_hash_table_contains (self->gone, GUINT_TO_POINTER (old)))
        {
          i++;
          continue;
        }
      g_array_append_val (
          self->scene->junctions,
          g_array_index (is_old ? previous->junctions : junctions, WeirPoint, is_old ? i : k));
      g_array_append_vals (self->scene->junction_wires, is_old ? &old : &new, 1);
      i += is_old;
      k += !is_old;
    }
}

static void
renew (WeirScene *self, WeirScene *previous)
{
  g_autoptr (GHashTable) ports = g_hash_table_new_full (hash_port, equal_ports, g_free, NULL);
  g_autoptr (GHashTable) gone = g_hash_table_new (NULL, NULL), come = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) junctions = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  g_autoptr (GArray) junction_wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) shapes = NULL;
  Renewal renewal = {
    .scene = self, .previous = previous, .ports = ports, .gone = gone, .come = come
  };

  weir_shapes_foreach_change (previous->wires, self->wires, collect_changed, &renewal);
  shapes = list_wires (&renewal);
  find_junctions_of (shapes, junctions, junction_wires);
  merge (&renewal, junctions, junction_wires);
}

void
weir_scene_find_junctions (WeirScene *self, WeirScene *previous)
{
  g_autoptr (GPtrArray) shapes = NULL;

  if (previous != NULL)
    {
      renew (self, previous);
      return;
    }
  shapes = g_ptr_array_new ();
  for (guint i = 0; i < weir_shapes_get_size (self->wires); i++)
    g_ptr_array_add (shapes, weir_shapes_get (self->wires, i));
  find_junctions_of (shapes, self->junctions, self->junction_wires);
}
