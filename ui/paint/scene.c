/* The geometry of one diagram. See scene.h.
 *
 * A route depends on its wire, on its end blocks and on the blocks in the area around them. A hash of
 * those pointers is kept with the route: blocks are immutable and the previous scene holds them, so
 * equal pointers mean equal geometry and the route is taken over. Where an edit changed a few blocks
 * only, even that is not looked at: a route away from all of them stays.
 */
#include "paint/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "paint/routing.h"

#define CELL 200.0       /* of the index of blocks by place */
#define ROUTE_MARGIN 60.0 /* how far around its ends a wire looks for obstacles */

struct _WeirScene {
  gatomicrefcount ref_count;
  WeirDiagram *diagram;
  GPtrArray *blocks; /* WeirBlockShape, by id */
  GPtrArray *wires;  /* WeirWireShape, by id */
  GArray *junctions;
  WeirRect reach;
};

static WeirWireShape *
wire_shape_ref (WeirWireShape *shape)
{
  g_atomic_ref_count_inc (&shape->ref_count);
  return shape;
}

static void
wire_shape_unref (WeirWireShape *shape)
{
  if (!g_atomic_ref_count_dec (&shape->ref_count))
    return;
  weir_wire_unref (shape->wire);
  g_free (shape->points);
  g_free (shape);
}

WeirScene *
weir_scene_ref (WeirScene *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
weir_scene_unref (WeirScene *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_diagram_unref (self->diagram);
  g_ptr_array_unref (self->blocks);
  g_ptr_array_unref (self->wires);
  g_array_unref (self->junctions);
  g_free (self);
}

/* --- Looking up ------------------------------------------------------------------------------- */

static gpointer
find_by_id (const GPtrArray *array, guint32 id, guint32 (*get_id) (gconstpointer))
{
  guint low = 0, high = array->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      guint32 here = get_id (array->pdata[middle]);

      if (here == id)
        return array->pdata[middle];
      if (here < id)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

static guint32
get_block_shape_id (gconstpointer shape)
{
  return weir_block_get_id (((const WeirBlockShape *) shape)->block);
}

static guint32
get_wire_shape_id (gconstpointer shape)
{
  return weir_wire_get_id (((const WeirWireShape *) shape)->wire);
}

WeirDiagram *
weir_scene_get_diagram (WeirScene *self)
{
  return self->diagram;
}

guint
weir_scene_get_n_blocks (WeirScene *self)
{
  return self->blocks->len;
}

guint
weir_scene_get_n_wires (WeirScene *self)
{
  return self->wires->len;
}

const WeirBlockShape *
weir_scene_get_block (WeirScene *self, guint i)
{
  g_return_val_if_fail (i < self->blocks->len, NULL);
  return self->blocks->pdata[i];
}

const WeirWireShape *
weir_scene_get_wire (WeirScene *self, guint i)
{
  g_return_val_if_fail (i < self->wires->len, NULL);
  return self->wires->pdata[i];
}

const WeirBlockShape *
weir_scene_find_block (WeirScene *self, guint32 id)
{
  return find_by_id (self->blocks, id, get_block_shape_id);
}

const WeirWireShape *
weir_scene_find_wire (WeirScene *self, guint32 id)
{
  return find_by_id (self->wires, id, get_wire_shape_id);
}

const WeirPoint *
weir_scene_get_junctions (WeirScene *self, guint *n)
{
  *n = self->junctions->len;
  return (const WeirPoint *) (gpointer) self->junctions->data;
}

WeirRect
weir_scene_get_reach (WeirScene *self)
{
  return self->reach;
}

WeirRect
weir_scene_get_note_box (WeirNote *note)
{
  WeirPoint position = weir_note_get_position (note);
  g_auto (GStrv) lines = g_strsplit (weir_note_get_text (note), "\n", -1);
  WeirPoint size = weir_note_get_size (note);
  glong widest = 0;

  if (weir_note_is_frame (note))
    return (WeirRect) { position.x, position.y, size.x, size.y };
  for (guint i = 0; lines[i] != NULL; i++)
    widest = MAX (widest, g_utf8_strlen (lines[i], -1));
  return (WeirRect) { position.x, position.y, 7.0 * (double) widest,
                      18.0 * MAX (1, g_strv_length (lines)) };
}

typedef struct {
  guint32 block;
  const char *port; /* borrowed */
} PortKey;

static gboolean
is_end (WeirWireEnd end, PortKey key)
{
  return end.block == key.block && g_strcmp0 (end.port, key.port) == 0;
}

typedef struct {
  PortKey key;
  gboolean is_output, found;
} ConnectionSearch;

static gboolean
find_connection (WeirWire *wire, gpointer data)
{
  ConnectionSearch *search = data;

  search->found
    = is_end (search->is_output ? weir_wire_get_from (wire) : weir_wire_get_to (wire), search->key);
  return !search->found;
}

gboolean
weir_scene_is_connected (WeirScene *self, guint32 block, const char *port, gboolean is_output)
{
  ConnectionSearch search = { { block, port }, is_output, FALSE };

  weir_diagram_foreach_wire_at (self->diagram, block, find_connection, &search);
  return search.found;
}

/* --- An index of blocks by place --------------------------------------------------------------- */

static gpointer
pack_cell (int x, int y)
{
  return GUINT_TO_POINTER (((guint) (x & 0xffff) << 16) | (guint) (y & 0xffff));
}

static int
get_cell (double coordinate)
{
  return (int) floor (CLAMP (coordinate, -6e6, 6e6) / CELL);
}

static void
index_add (GHashTable *cells, WeirBlockShape *shape)
{
  for (int x = get_cell (shape->box.x); x <= get_cell (shape->box.x + shape->box.width); x++)
    for (int y = get_cell (shape->box.y); y <= get_cell (shape->box.y + shape->box.height); y++)
      {
        GPtrArray *cell = g_hash_table_lookup (cells, pack_cell (x, y));

        if (cell == NULL)
          {
            cell = g_ptr_array_new ();
            g_hash_table_insert (cells, pack_cell (x, y), cell);
          }
        g_ptr_array_add (cell, shape);
      }
}

#define MAX_CELLS 256 /* beyond that a wire is so long that only its ends' areas are looked at */

static void
collect_cells (GHashTable *cells, WeirRect area, GPtrArray *found)
{
  for (int x = get_cell (area.x); x <= get_cell (area.x + area.width); x++)
    for (int y = get_cell (area.y); y <= get_cell (area.y + area.height); y++)
      {
        GPtrArray *cell = g_hash_table_lookup (cells, pack_cell (x, y));

        for (guint i = 0; cell != NULL && i < cell->len; i++)
          {
            WeirBlockShape *shape = cell->pdata[i];

            if (weir_rect_intersects (shape->box, area)
                && !g_ptr_array_find (found, shape, NULL))
              g_ptr_array_add (found, shape);
          }
      }
}

/* --- Wires ------------------------------------------------------------------------------------- */

static WeirRouteEnd
resolve_end (WeirScene *self, WeirWireEnd end, gboolean is_output, WeirBlockShape **shape,
             gboolean *connected)
{
  WeirRouteEnd resolved = { end.point, { 0, 0 } };
  const WeirPortShape *port;

  *connected = FALSE;
  *shape = (WeirBlockShape *) weir_scene_find_block (self, end.block);
  if (*shape == NULL)
    return resolved;
  port = weir_block_shape_find_port (*shape, end.port, is_output);
  if (port == NULL)
    {
      /* The block has no such port (any more): hang beside it, where it can be seen. */
      WeirRect box = (*shape)->box;

      resolved.point = (WeirPoint) { is_output ? box.x + box.width + WEIR_STUB : box.x - WEIR_STUB,
                                     box.y + box.height + WEIR_STUB };
      return resolved;
    }
  *connected = TRUE;
  return (WeirRouteEnd) { port->position, port->normal };
}

/* The box that wires keep out of: with the name where there is one below or above. */
static WeirRect
get_obstacle (const WeirBlockShape *shape)
{
  WeirRect box = shape->box;

  if (shape->name_place == WEIR_NAME_ABOVE)
    box.y -= WEIR_NAME_HEIGHT;
  if (shape->name_place != WEIR_NAME_BESIDE)
    box.height += WEIR_NAME_HEIGHT;
  return box;
}

static guint
mix (guint hash, gconstpointer pointer)
{
  return (hash ^ g_direct_hash (pointer)) * 16777619u + (hash >> 15);
}

#define MAX_CHANGES 32 /* beyond that every route is looked at */
#define MAX_SCANS 32   /* of all blocks, for a route each; for more an index is made */

/* A block that is not as it was in the previous scene. */
typedef struct {
  guint32 id;
  WeirRect before, after; /* its boxes; without a size where there is none */
} BlockChange;

typedef struct {
  WeirScene *scene, *previous;
  guint next;         /* in the previous scene: what comes before has been dealt with */
  GArray *changes;    /* BlockChange */
  guint n_scans;
  GHashTable *cells;  /* of the index; NULL until that is worth its making */
} Building;

static gboolean
is_away_from_changes (const Building *building, const WeirWireShape *old)
{
  guint32 from = weir_wire_get_from (old->wire).block, to = weir_wire_get_to (old->wire).block;

  for (guint i = 0; i < building->changes->len; i++)
    {
      const BlockChange *change = &g_array_index (building->changes, BlockChange, i);

      if (change->id == from || change->id == to
          || (old->near.width > 0
              && ((change->before.width > 0 && weir_rect_intersects (change->before, old->near))
                  || (change->after.width > 0 && weir_rect_intersects (change->after, old->near)))))
        return FALSE;
    }
  return TRUE;
}

static GHashTable *
get_cells (Building *building)
{
  const GPtrArray *blocks = building->scene->blocks;

  if (building->cells != NULL)
    return building->cells;
  building->cells = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
  for (guint i = 0; i < blocks->len; i++)
    index_add (building->cells, blocks->pdata[i]);
  return building->cells;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint32 first = get_block_shape_id (*(const gconstpointer *) a);
  guint32 second = get_block_shape_id (*(const gconstpointer *) b);

  return first < second ? -1 : first > second;
}

/* Appends the blocks in @area that are not in @near, in order of id. */
static void
collect_near (Building *building, WeirRect area, GPtrArray *near)
{
  const GPtrArray *blocks = building->scene->blocks;
  guint first = near->len;

  if (building->n_scans++ >= MAX_SCANS)
    {
      collect_cells (get_cells (building), area, near);
      qsort (near->pdata + first, near->len - first, sizeof (gpointer), compare_ids);
      return;
    }
  for (guint i = 0; i < blocks->len; i++)
    {
      WeirBlockShape *shape = blocks->pdata[i];

      if (weir_rect_intersects (shape->box, area) && shape != (first > 0 ? near->pdata[0] : NULL)
          && shape != (first > 1 ? near->pdata[1] : NULL))
        g_ptr_array_add (near, shape);
    }
}

/* @old: its shape in the previous scene, or NULL. */
static WeirWireShape *
make_wire_shape (Building *building, WeirWire *wire, const WeirWireShape *old)
{
  g_autoptr (GPtrArray) near = g_ptr_array_new ();
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) obstacles = NULL;
  WeirBlockShape *from_shape, *to_shape;
  gboolean from_connected, to_connected;
  WeirRouteEnd from, to;
  const WeirPoint *bends;
  WeirWireShape *shape;
  WeirRect area;
  guint n_bends, fingerprint = 2166136261u;

  from = resolve_end (building->scene, weir_wire_get_from (wire), TRUE, &from_shape, &from_connected);
  to = resolve_end (building->scene, weir_wire_get_to (wire), FALSE, &to_shape, &to_connected);
  bends = weir_wire_get_bends (wire, &n_bends);

  if (from_connected)
    g_ptr_array_add (near, from_shape);
  if (to_connected && to_shape != from_shape)
    g_ptr_array_add (near, to_shape);
  area = weir_rect_grow (weir_rect_from_corners (from.point, to.point), ROUTE_MARGIN);
  if (n_bends == 0 && area.width / CELL * (area.height / CELL) < MAX_CELLS)
    collect_near (building, area, near);
  else
    area = (WeirRect) { 0, 0, 0, 0 };
  fingerprint = mix (fingerprint, from_shape);
  fingerprint = mix (fingerprint, to_shape);
  for (guint i = 0; i < near->len; i++)
    fingerprint = mix (fingerprint, near->pdata[i]);

  if (old != NULL && old->wire == wire && old->fingerprint == fingerprint)
    return wire_shape_ref ((WeirWireShape *) old);

  obstacles = g_array_new (FALSE, FALSE, sizeof (WeirRect));
  for (guint i = 0; i < near->len; i++)
    {
      WeirRect box = get_obstacle (near->pdata[i]);

      g_array_append_val (obstacles, box);
    }
  points = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  weir_route (&from, &to, bends, n_bends, (const WeirRect *) (gpointer) obstacles->data,
              obstacles->len, points);

  shape = g_new0 (WeirWireShape, 1);
  g_atomic_ref_count_init (&shape->ref_count);
  shape->wire = weir_wire_ref (wire);
  shape->from_connected = from_connected;
  shape->to_connected = to_connected;
  shape->fingerprint = fingerprint;
  shape->near = area;
  shape->n_points = points->len;
  shape->points = (WeirPoint *) (gpointer) g_array_free (g_steal_pointer (&points), FALSE);
  shape->reach = weir_rect_from_corners (shape->points[0], shape->points[0]);
  for (guint i = 1; i < shape->n_points; i++)
    shape->reach = weir_rect_union (
      shape->reach, weir_rect_from_corners (shape->points[i - 1], shape->points[i]));
  shape->reach = weir_rect_grow (shape->reach, 4);
  return shape;
}

/* --- Junctions: where wires of one output part ------------------------------------------------- */

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
  const PortKey *port = key;

  return port->block * 2654435761u ^ g_str_hash (port->port);
}

static gboolean
equal_port_keys (gconstpointer a, gconstpointer b)
{
  const PortKey *first = a, *second = b;

  return first->block == second->block && strcmp (first->port, second->port) == 0;
}

/* A wire among those of one output, the wires of the scene numbered from 1; 0 = none. */
typedef struct {
  PortKey key;
  guint next;
  guint last; /* of the first wire alone */
} NetWire;

/* Nets in the order of their first wires, so that equal diagrams give equal scenes. */
static void
find_junctions (WeirScene *self)
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
      wires[i].key = (PortKey) { from.block, from.port };
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

/* --- Making ------------------------------------------------------------------------------------ */

static void
note_change (Building *building, guint32 id, const WeirBlockShape *before, const WeirBlockShape *after)
{
  const WeirRect none = { 0, 0, 0, 0 };
  BlockChange change = { id, before != NULL ? before->box : none, after != NULL ? after->box : none };

  g_array_append_val (building->changes, change);
}

static gboolean
add_block (WeirBlock *block, gpointer data)
{
  g_ptr_array_add (((Building *) data)->scene->blocks, weir_block_shape_new (block));
  return TRUE;
}

static gboolean
add_wire (WeirWire *wire, gpointer data)
{
  Building *building = data;

  g_ptr_array_add (building->scene->wires, make_wire_shape (building, wire, NULL));
  return TRUE;
}

/* Takes over the shapes of the previous scene up to the first whose id is at least @id, or to the end. */
static void
take_over_blocks (Building *building, guint64 id)
{
  const GPtrArray *from = building->previous->blocks;

  for (; building->next < from->len; building->next++)
    {
      WeirBlockShape *shape = from->pdata[building->next];

      if (id != G_MAXUINT64 && weir_block_get_id (shape->block) >= id)
        return;
      g_ptr_array_add (building->scene->blocks, weir_block_shape_ref (shape));
    }
}

static gboolean
change_block (guint32 id, WeirBlock *before, WeirBlock *after, gpointer data)
{
  Building *building = data;
  WeirBlockShape *shape = after != NULL ? weir_block_shape_new (after) : NULL;

  take_over_blocks (building, id);
  note_change (building, id, before != NULL ? building->previous->blocks->pdata[building->next++] : NULL,
               shape);
  if (shape != NULL)
    g_ptr_array_add (building->scene->blocks, shape);
  return TRUE;
}

static void
take_over_wires (Building *building, guint64 id)
{
  const GPtrArray *from = building->previous->wires;

  for (; building->next < from->len; building->next++)
    {
      WeirWireShape *shape = from->pdata[building->next];

      if (id != G_MAXUINT64 && weir_wire_get_id (shape->wire) >= id)
        return;
      if (building->changes->len <= MAX_CHANGES && is_away_from_changes (building, shape))
        shape = wire_shape_ref (shape);
      else
        shape = make_wire_shape (building, shape->wire, shape);
      g_ptr_array_add (building->scene->wires, shape);
    }
}

static gboolean
change_wire (guint32 id, WeirWire *before, WeirWire *after, gpointer data)
{
  Building *building = data;

  take_over_wires (building, id);
  if (before != NULL)
    building->next++;
  if (after != NULL)
    add_wire (after, building);
  return TRUE;
}

static void
build_from_previous (Building *building)
{
  WeirDiagram *before = building->previous->diagram, *after = building->scene->diagram;

  weir_diagram_foreach_block_change (before, after, change_block, building);
  take_over_blocks (building, G_MAXUINT64);
  building->next = 0;
  weir_diagram_foreach_wire_change (before, after, change_wire, building);
  take_over_wires (building, G_MAXUINT64);
}

static void
extend (WeirScene *self, WeirRect rect, gboolean *any)
{
  self->reach = *any ? weir_rect_union (self->reach, rect) : rect;
  *any = TRUE;
}

typedef struct {
  WeirScene *scene;
  gboolean *any;
} NoteReach;

static gboolean
extend_by_note (WeirNote *note, gpointer data)
{
  NoteReach *reach = data;

  extend (reach->scene, weir_scene_get_note_box (note), reach->any);
  return TRUE;
}

WeirScene *
weir_scene_new (WeirDiagram *diagram, WeirScene *previous)
{
  WeirScene *self = g_new0 (WeirScene, 1);
  Building building = { .scene = self, .previous = previous };
  gboolean any = FALSE;

  g_atomic_ref_count_init (&self->ref_count);
  self->diagram = weir_diagram_ref (diagram);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) weir_block_shape_unref);
  self->wires = g_ptr_array_new_with_free_func ((GDestroyNotify) wire_shape_unref);
  self->junctions = g_array_new (FALSE, FALSE, sizeof (WeirPoint));

  building.changes = g_array_new (FALSE, FALSE, sizeof (BlockChange));
  if (previous != NULL)
    build_from_previous (&building);
  else
    {
      weir_diagram_foreach_block (diagram, add_block, &building);
      weir_diagram_foreach_wire (diagram, add_wire, &building);
    }
  find_junctions (self);
  g_array_unref (building.changes);
  g_clear_pointer (&building.cells, g_hash_table_unref);

  for (guint i = 0; i < self->blocks->len; i++)
    extend (self, ((WeirBlockShape *) self->blocks->pdata[i])->reach, &any);
  for (guint i = 0; i < self->wires->len; i++)
    extend (self, ((WeirWireShape *) self->wires->pdata[i])->reach, &any);
  weir_diagram_foreach_note (diagram, extend_by_note, &(NoteReach) { self, &any });
  return self;
}

/* --- Hits -------------------------------------------------------------------------------------- */

typedef struct {
  WeirPoint point;
  double slack;
  guint32 id; /* of the note drawn last that is hit */
  gboolean is_frame;
} NoteHit;

static gboolean
hit_note (WeirNote *note, gpointer data)
{
  NoteHit *hit = data;
  WeirRect box = weir_scene_get_note_box (note);
  gboolean is_frame = weir_note_is_frame (note);

  if (!weir_rect_contains (weir_rect_grow (box, is_frame ? hit->slack : 2), hit->point))
    return TRUE;
  if (is_frame)
    {
      WeirRect inside = weir_rect_grow (box, -hit->slack);

      inside.height -= WEIR_FRAME_TITLE_HEIGHT - hit->slack;
      inside.y += WEIR_FRAME_TITLE_HEIGHT - hit->slack;
      if (weir_rect_contains (inside, hit->point) || (hit->id != 0 && !hit->is_frame))
        return TRUE;
    }
  hit->id = weir_note_get_id (note);
  hit->is_frame = is_frame;
  return TRUE;
}

WeirHit
weir_scene_hit (WeirScene *self, WeirPoint point, double slack)
{
  WeirHit hit = { WEIR_HIT_NOTHING, 0, NULL, 0 };

  for (guint i = self->blocks->len; i > 0; i--)
    {
      const WeirBlockShape *shape = self->blocks->pdata[i - 1];
      const WeirPortShape *port = weir_block_shape_hit_port (shape, point, slack);

      if (port != NULL)
        return (WeirHit) { WEIR_HIT_PORT, weir_block_get_id (shape->block), port, 0 };
      if (hit.kind == WEIR_HIT_NOTHING && weir_block_shape_hits (shape, point, 0))
        hit = (WeirHit) { WEIR_HIT_BLOCK, weir_block_get_id (shape->block), NULL, 0 };
    }
  for (guint i = self->wires->len; i > 0 && hit.kind == WEIR_HIT_NOTHING; i--)
    {
      const WeirWireShape *shape = self->wires->pdata[i - 1];
      int segment;

      if (!weir_rect_contains (weir_rect_grow (shape->reach, slack), point))
        continue;
      segment = weir_route_hit (shape->points, shape->n_points, point, slack);
      if (segment >= 0)
        hit = (WeirHit) { WEIR_HIT_WIRE, weir_wire_get_id (shape->wire), NULL, (guint) segment };
    }
  if (hit.kind == WEIR_HIT_NOTHING)
    {
      NoteHit note = { point, slack, 0, FALSE };

      weir_diagram_foreach_note (self->diagram, hit_note, &note);
      if (note.id != 0)
        hit = (WeirHit) { WEIR_HIT_NOTE, note.id, NULL, 0 };
    }
  return hit;
}

static gboolean
is_inside (WeirRect area, WeirRect rect)
{
  return rect.x >= area.x && rect.y >= area.y && rect.x + rect.width <= area.x + area.width
         && rect.y + rect.height <= area.y + area.height;
}

typedef struct {
  WeirRect area;
  GArray *ids;
} NoteSearch;

static gboolean
find_note_in_area (WeirNote *note, gpointer data)
{
  NoteSearch *search = data;
  guint32 id = weir_note_get_id (note);

  if (is_inside (search->area, weir_scene_get_note_box (note)))
    g_array_append_val (search->ids, id);
  return TRUE;
}

void
weir_scene_find_in_area (WeirScene *self, WeirRect area, GArray *blocks, GArray *wires,
                         GArray *notes)
{
  if (notes != NULL)
    weir_diagram_foreach_note (self->diagram, find_note_in_area, &(NoteSearch) { area, notes });
  for (guint i = 0; blocks != NULL && i < self->blocks->len; i++)
    {
      const WeirBlockShape *shape = self->blocks->pdata[i];
      guint32 id = weir_block_get_id (shape->block);

      if (is_inside (area, shape->box))
        g_array_append_val (blocks, id);
    }
  for (guint i = 0; wires != NULL && i < self->wires->len; i++)
    {
      const WeirWireShape *shape = self->wires->pdata[i];
      guint32 id = weir_wire_get_id (shape->wire);

      if (is_inside (area, weir_rect_grow (shape->reach, -4)))
        g_array_append_val (wires, id);
    }
}
