/* The route of one wire and what it depends on.
 *
 * A route depends on its wire, on its end blocks and on the blocks and texts in the area around
 * them. A hash of them is kept with the route, of blocks by their pointers: they are immutable and
 * the previous scene holds them, so equal pointers mean equal geometry and the route is taken over.
 */
#include "paint/scene/scene-private.h"

#include <math.h>
#include <stdlib.h>

#include "paint/ground/routing.h"

#define CELL 200.0        /* of the index of blocks by place */
#define ROUTE_MARGIN 60.0 /* how far around its ends a wire looks for obstacles */
#define NAME_REACH 60.0   /* how far beside its block a name may be */

WeirWireShape *
weir_wire_shape_ref (WeirWireShape *shape)
{
  g_atomic_ref_count_inc (&shape->ref_count);
  return shape;
}

void
weir_wire_shape_unref (WeirWireShape *shape)
{
  if (!g_atomic_ref_count_dec (&shape->ref_count))
    return;
  weir_wire_unref (shape->wire);
  g_free (shape->points);
  g_free (shape->routed);
  g_free (shape);
}

static guint32
get_id (gconstpointer shape)
{
  return weir_wire_get_id (((const WeirWireShape *) shape)->wire);
}

static WeirRect
get_reach (gconstpointer shape)
{
  return ((const WeirWireShape *) shape)->reach;
}

static WeirRect
get_near (gconstpointer shape)
{
  return ((const WeirWireShape *) shape)->near;
}

const WeirShapeKind weir_wire_shape_kind = {
  .get_id = get_id,
  .get_reach = get_reach,
  .get_near = get_near,
  .ref = (gpointer (*) (gpointer)) weir_wire_shape_ref,
  .unref = (void (*) (gpointer)) weir_wire_shape_unref,
};

#define MAX_AREA (256 * CELL * CELL) /* a longer wire is routed by its ends alone */

/* --- Wires ----------------------------------------------------------------------------------- */

gboolean
weir_wire_joins_line (WeirWire *wire)
{
  return weir_wire_get_from (wire).line != 0 || weir_wire_get_to (wire).line != 0;
}

/* The line that line @wire may end on where it says @line: one that does not end on it in turn. */
static const WeirWireShape *
find_joined (WeirScene *self, WeirWire *wire, guint32 line)
{
  const WeirLineNode *here = weir_nodes_find (self->nodes, weir_wire_get_id (wire));
  const WeirLineNode *there = line != 0 ? weir_nodes_find (self->nodes, line) : NULL;

  return here != NULL && there != NULL && there->depth < here->depth
             ? weir_shapes_lookup (self->wires, line)
             : NULL;
}

/* On a line: at a right angle to it, towards @other. */
static WeirRouteEnd
resolve_joint (const WeirWireShape *line, WeirPoint at, WeirPoint other)
{
  guint k;
  WeirPoint point = weir_route_find_nearest (line->points, line->n_points, at, &k);
  gboolean is_level = line->points[k].y == line->points[k + 1].y;
  double away = is_level ? other.y - point.y : other.x - point.x;
  double way = away > 0 ? 1 : away < 0 ? -1 : 0;

  return (WeirRouteEnd) { point, { is_level ? 0 : way, is_level ? way : 0 } };
}

static WeirRouteEnd
resolve_end (WeirScene *self, WeirWireEnd end, gboolean is_output, WeirBlockShape **shape,
             gboolean *connected)
{
  WeirRouteEnd resolved = { end.point, { 0, 0 } };
  const WeirPortShape *port;

  *connected = FALSE;
  *shape = weir_shapes_lookup (self->blocks, end.block);
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

#define NAME_SLACK 6.0 /* routes pass a name closer than a block */

/* The boxes that wires keep out of: the block with its name below or above it, and the name itself
 * where it is wider than that or beside the block. Returns how many. */
static guint
get_obstacles (const WeirBlockShape *shape, WeirRect obstacles[2])
{
  gboolean is_beside = shape->name_place == WEIR_NAME_BESIDE
                       || shape->name_place == WEIR_NAME_RIGHT;
  WeirRect name = shape->name;

  obstacles[0] = shape->box;
  if (shape->name_place == WEIR_NAME_NOWHERE)
    return 1;
  if (shape->name_place == WEIR_NAME_ABOVE)
    obstacles[0].y -= WEIR_NAME_HEIGHT;
  if (!is_beside)
    obstacles[0].height += WEIR_NAME_HEIGHT;
  name.x += NAME_SLACK;
  name.width -= 2 * NAME_SLACK;
  if (is_beside)
    {
      name.y += NAME_SLACK;
      name.height -= 2 * NAME_SLACK;
    }
  if (name.width <= 0
      || (name.x >= obstacles[0].x && name.x + name.width <= obstacles[0].x + obstacles[0].width
          && !is_beside))
    return 1;
  obstacles[1] = name;
  return 2;
}

static guint64
mix_bits (guint64 hash, guint64 bits)
{
  hash = (hash ^ bits) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static guint64
mix (guint64 hash, gconstpointer pointer)
{
  return mix_bits (hash, (guint64) (gsize) pointer);
}

static guint64
mix_box (guint64 hash, WeirRect box)
{
  const double sides[4] = { box.x, box.y, box.width, box.height };

  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      guint64 bits;

      memcpy (&bits, &sides[i], sizeof bits);
      hash = mix_bits (hash, bits);
    }
  return hash;
}

static WeirRect
get_block_box (const WeirScene *scene, guint i)
{
  return ((const WeirBlockShape *) weir_shapes_get (scene->blocks, i))->box;
}

static WeirRect
get_text_box (const WeirScene *scene, guint i)
{
  return g_array_index (scene->texts, WeirSceneText, i).box;
}

static WeirGrid *
make_grid (const WeirScene *scene, guint n, WeirRect (*get_box) (const WeirScene *scene, guint i))
{
  WeirPoint squares = { 0, 0 };
  WeirGrid *grid;

  for (guint i = 0; i < n; i++)
    {
      WeirRect box = get_box (scene, i);

      squares.x += box.width * box.width;
      squares.y += box.height * box.height;
    }
  grid = weir_grid_new (n, squares, (WeirPoint) { CELL, CELL });
  for (guint i = 0; i < n; i++)
    weir_grid_put (grid, i, get_box (scene, i));
  return grid;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint first = *(const guint *) a, second = *(const guint *) b;

  return first < second ? -1 : first > second;
}

/* --- Blocks by place ------------------------------------------------------------------------- */

#define MAX_MOVED 64 /* of a scene; beyond that the places are found anew */

void
weir_block_places_unref (WeirBlockPlaces *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  weir_shapes_free (self->blocks);
  weir_grid_free (self->grid);
  g_free (self);
}

static gboolean
has_moved (const WeirScene *self, guint32 block)
{
  const guint32 *moved = (const guint32 *) (gconstpointer) self->moved->data;

  for (guint i = 0; i < self->moved->len; i++)
    if (moved[i] == block)
      return TRUE;
  return FALSE;
}

void
weir_scene_note_moved (WeirScene *self, guint32 block)
{
  if (self->places == NULL || has_moved (self, block))
    return;
  g_array_append_val (self->moved, block);
  if (self->moved->len <= MAX_MOVED)
    return;
  g_array_set_size (self->moved, 0);
  g_clear_pointer (&self->places, weir_block_places_unref);
}

static void
make_places (WeirScene *self)
{
  self->places = g_new (WeirBlockPlaces, 1);
  g_atomic_ref_count_init (&self->places->ref_count);
  self->places->blocks = weir_shapes_copy (self->blocks);
  self->places->grid = make_grid (self, weir_shapes_get_size (self->blocks), get_block_box);
}

/* Puts the blocks that may be in @area into self->blocks. */
static void
find_blocks (WeirSceneIndex *self, WeirRect area)
{
  WeirScene *scene = self->scene;

  if (scene->places == NULL)
    make_places (scene);
  weir_grid_find (scene->places->grid, area, self->found);
  g_ptr_array_set_size (self->blocks, 0);
  for (guint i = 0; i < self->found->len; i++)
    {
      WeirBlockShape *shape = weir_shapes_get (scene->places->blocks,
                                               g_array_index (self->found, guint, i));

      if (scene->moved->len == 0 || !has_moved (scene, weir_block_get_id (shape->block)))
        g_ptr_array_add (self->blocks, shape);
    }
  for (guint i = 0; i < scene->moved->len; i++)
    {
      WeirBlockShape *shape = weir_shapes_lookup (scene->blocks,
                                                  g_array_index (scene->moved, guint32, i));

      if (shape != NULL)
        g_ptr_array_add (self->blocks, shape);
    }
}

static int
compare_blocks (gconstpointer a, gconstpointer b)
{
  guint32 first = weir_block_get_id ((*(WeirBlockShape *const *) a)->block);
  guint32 second = weir_block_get_id ((*(WeirBlockShape *const *) b)->block);

  return first < second ? -1 : first > second;
}

/* Appends the blocks in @area that are not the first @n_known of @near, in order of id. */
static void
collect_near (WeirSceneIndex *self, WeirRect area, guint n_known, GPtrArray *near)
{
  find_blocks (self, area);
  g_ptr_array_sort (self->blocks, compare_blocks);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      WeirBlockShape *shape = self->blocks->pdata[i];

      if (weir_rect_intersects (shape->box, area) && (n_known < 1 || shape != near->pdata[0])
          && (n_known < 2 || shape != near->pdata[1]))
        g_ptr_array_add (near, shape);
    }
}

/* --- Texts by place -------------------------------------------------------------------------- */

static void
find_texts (WeirSceneIndex *self, WeirRect area)
{
  guint n = self->scene->texts->len;

  g_array_set_size (self->found, 0);
  if (n == 0)
    return;
  if (self->texts == NULL)
    self->texts = make_grid (self->scene, n, get_text_box);
  weir_grid_find (self->texts, area, self->found);
}

/* The box of text @i that wires of @net keep out of; FALSE if they need not. */
static gboolean
get_text_obstacle (WeirSceneIndex *self, guint i, WeirScenePort net, WeirRect *box)
{
  const WeirSceneText *text = &g_array_index (self->scene->texts, WeirSceneText, i);

  *box = weir_rect_grow (text->box, -NAME_SLACK);
  return box->width > 0 && box->height > 0
         && (text->net.block == 0 || text->net.block != net.block
             || g_strcmp0 (text->net.port, net.port) != 0);
}

/* Appends what is in @area of the texts that wires of @net keep off, in their order. */
static void
collect_texts (WeirSceneIndex *self, WeirRect area, WeirScenePort net, GArray *boxes)
{
  find_texts (self, area);
  g_array_sort (self->found, compare_numbers);
  for (guint i = 0; i < self->found->len; i++)
    {
      WeirRect box;

      if (get_text_obstacle (self, g_array_index (self->found, guint, i), net, &box)
          && weir_rect_intersects (box, area))
        g_array_append_val (boxes, box);
    }
}

/* --- Shapes ---------------------------------------------------------------------------------- */

static void
find_reach (WeirWireShape *shape)
{
  shape->reach = weir_rect_from_corners (shape->points[0], shape->points[0]);
  for (guint i = 1; i < shape->n_points; i++)
    shape->reach = weir_rect_union (
        shape->reach, weir_rect_from_corners (shape->points[i - 1], shape->points[i]));
  shape->reach = weir_rect_grow (shape->reach, 4);
}

static WeirScenePort
get_net (WeirWire *wire, guint32 node)
{
  WeirWireEnd from = weir_wire_get_from (wire);

  return weir_wire_is_line (wire) ? (WeirScenePort) { node, "" }
                                  : (WeirScenePort) { from.block, from.port };
}

static gboolean
is_of (const WeirWireShape *shape, const WeirLineNode *node)
{
  return node == NULL ? shape->node == 0
                      : shape->node == node->node && shape->domain == node->domain
                            && shape->is_joined == node->is_joined;
}

WeirWireShape *
weir_wire_shape_new (WeirSceneIndex *self, WeirWire *wire, const WeirWireShape *old)
{
  g_autoptr (GPtrArray) near = g_ptr_array_new ();
  g_autoptr (GArray) points = NULL;
  g_autoptr (GArray) obstacles = g_array_new (FALSE, FALSE, sizeof (WeirRect));
  WeirWireEnd source = weir_wire_get_from (wire), target = weir_wire_get_to (wire);
  const WeirLineNode *node = weir_nodes_find (self->scene->nodes, weir_wire_get_id (wire));
  WeirScenePort net = get_net (wire, node != NULL ? node->node : 0);
  const WeirWireShape *joined[2];
  WeirBlockShape *from_shape, *to_shape;
  gboolean from_connected, to_connected;
  WeirRouteEnd from, to;
  const WeirPoint *bends;
  WeirWireShape *shape;
  WeirRect area;
  guint64 fingerprint = 0;
  guint n_bends;

  from = resolve_end (self->scene, source, TRUE, &from_shape, &from_connected);
  to = resolve_end (self->scene, target, FALSE, &to_shape, &to_connected);
  bends = weir_wire_get_bends (wire, &n_bends);
  joined[0] = find_joined (self->scene, wire, source.line);
  joined[1] = find_joined (self->scene, wire, target.line);
  if (joined[0] != NULL)
    from = resolve_joint (joined[0], from.point, n_bends > 0 ? bends[0] : to.point);
  if (joined[1] != NULL)
    to = resolve_joint (joined[1], to.point, n_bends > 0 ? bends[n_bends - 1] : from.point);
  from_connected |= joined[0] != NULL;
  to_connected |= joined[1] != NULL;

  if (from_connected && from_shape != NULL)
    g_ptr_array_add (near, from_shape);
  if (to_connected && to_shape != NULL && to_shape != from_shape)
    g_ptr_array_add (near, to_shape);
  area = weir_rect_grow (weir_rect_from_corners (from.point, to.point), ROUTE_MARGIN);
  if (n_bends == 0 && area.width * area.height < MAX_AREA)
    {
      collect_near (self, area, near->len, near);
      collect_texts (self, area, net, obstacles);
    }
  else
    area = (WeirRect) { 0, 0, 0, 0 };
  fingerprint = mix (fingerprint, from_shape);
  fingerprint = mix (fingerprint, to_shape);
  for (guint i = 0; node != NULL && i < 2; i++)
    fingerprint = mix (fingerprint, joined[i]);
  for (guint i = 0; i < near->len; i++)
    fingerprint = mix (fingerprint, near->pdata[i]);
  for (guint i = 0; i < obstacles->len; i++)
    fingerprint = mix_box (fingerprint, g_array_index (obstacles, WeirRect, i));

  if (old != NULL && old->wire == wire && old->fingerprint == fingerprint && is_of (old, node))
    return weir_wire_shape_ref ((WeirWireShape *) old);

  for (guint i = near->len; i > 0; i--) /* those of the ends come first */
    {
      WeirRect boxes[2];

      g_array_prepend_vals (obstacles, boxes, get_obstacles (near->pdata[i - 1], boxes));
    }
  points = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  weir_route (&from, &to, bends, n_bends, (const WeirRect *) (gpointer) obstacles->data,
              obstacles->len, points);

  shape = g_new0 (WeirWireShape, 1);
  g_atomic_ref_count_init (&shape->ref_count);
  shape->wire = weir_wire_ref (wire);
  if (node != NULL)
    {
      shape->node = node->node;
      shape->domain = node->domain;
      shape->is_joined = node->is_joined;
    }
  shape->from_connected = from_connected;
  shape->to_connected = to_connected;
  shape->fingerprint = fingerprint;
  shape->near = area;
  shape->n_points = points->len;
  shape->points = (WeirPoint *) (gpointer) g_array_free (g_steal_pointer (&points), FALSE);
  find_reach (shape);
  return shape;
}

WeirWireShape *
weir_wire_shape_with_points (const WeirWireShape *self, const WeirPoint *points)
{
  WeirWireShape *shape = g_memdup2 (self, sizeof *self);
  const WeirPoint *routed = self->routed != NULL ? self->routed : self->points;
  gsize size = self->n_points * sizeof *points;

  g_atomic_ref_count_init (&shape->ref_count);
  weir_wire_ref (shape->wire);
  shape->points = g_memdup2 (points != NULL ? points : routed, size);
  shape->routed = points != NULL ? g_memdup2 (routed, size) : NULL;
  find_reach (shape);
  return shape;
}

WeirScenePort
weir_wire_shape_get_net (const WeirWireShape *self)
{
  return get_net (self->wire, self->node);
}

gboolean
weir_wire_shape_is_same_net (const WeirWireShape *self, const WeirWireShape *other)
{
  WeirScenePort a = weir_wire_shape_get_net (self), b = weir_wire_shape_get_net (other);

  return self == other || (a.block != 0 && a.block == b.block && g_strcmp0 (a.port, b.port) == 0);
}

typedef struct {
  WeirScenePort net;
  WeirNetFunc func;
  gpointer data;
} NetSearch;

static gboolean
call_for_net (WeirWire *wire, gpointer data)
{
  const NetSearch *search = data;
  WeirWireEnd from = weir_wire_get_from (wire);

  if (from.block == search->net.block && g_strcmp0 (from.port, search->net.port) == 0)
    search->func (weir_wire_get_id (wire), search->data);
  return TRUE;
}

void
weir_scene_foreach_of_net (WeirScene *self, WeirScenePort net, WeirNetFunc func, gpointer data)
{
  const WeirLineNode *line = weir_nodes_find (self->nodes, net.block);

  if (net.port == NULL || net.port[0] != '\0')
    weir_diagram_foreach_wire_at (self->diagram, net.block, call_for_net,
                                  &(NetSearch) { net, func, data });
  else if (line != NULL && line->node == net.block)
    for (; line != NULL; line = line->next != 0 ? weir_nodes_find (self->nodes, line->next) : NULL)
      func (line->line, data);
}

/* --- Labels ---------------------------------------------------------------------------------- */

#define LABEL_LETTER 5.8   /* width of a letter, on the average */
#define WIDEST_LETTER 10.0 /* the same, at most */
#define LABEL_HEIGHT 17.0  /* above the wire */

WeirRect
weir_scene_place_label (const WeirPoint *points, guint n_points, double width)
{
  double best = -1;
  WeirPoint at = points[0];
  gboolean beside = FALSE;

  for (guint i = 0; i + 1 < n_points; i++)
    {
      WeirPoint a = points[i], b = points[i + 1];
      double length = fabs (b.x - a.x) + fabs (b.y - a.y);
      double worth = a.y == b.y ? length + (length >= width ? 1e6 : 0) : length;

      if (worth <= best)
        continue;
      best = worth;
      beside = a.y != b.y;
      at = (WeirPoint) { (a.x + b.x) / 2, (a.y + b.y) / 2 };
    }
  return beside ? (WeirRect) { at.x + 4, at.y - 7, width, 14 }
                : (WeirRect) { at.x - width / 2, at.y - 17, width, 14 };
}

WeirRect
weir_wire_shape_get_reach (const WeirWireShape *self)
{
  glong n_letters = g_utf8_strlen (weir_wire_get_label (self->wire), -1);

  return n_letters > 0 ? weir_rect_grow (self->reach, LABEL_HEIGHT + WIDEST_LETTER * n_letters)
                       : self->reach;
}

WeirSceneText
weir_wire_shape_get_label (const WeirWireShape *self)
{
  double width = LABEL_LETTER * g_utf8_strlen (weir_wire_get_label (self->wire), -1);

  return (WeirSceneText) {
    .id = weir_wire_get_id (self->wire),
    .net = weir_wire_shape_get_net (self),
    .box = weir_scene_place_label (self->routed != NULL ? self->routed : self->points,
                                   self->n_points, width),
  };
}

/* --- The index ------------------------------------------------------------------------------- */

void
weir_scene_index_init (WeirSceneIndex *self, WeirScene *scene)
{
  *self = (WeirSceneIndex) { .scene = scene,
                             .found = g_array_new (FALSE, FALSE, sizeof (guint)),
                             .blocks = g_ptr_array_new () };
}

void
weir_scene_index_clear (WeirSceneIndex *self)
{
  g_clear_pointer (&self->texts, weir_grid_free);
  g_array_unref (self->found);
  g_ptr_array_unref (self->blocks);
}

void
weir_scene_index_add_texts (WeirSceneIndex *self, const WeirSceneText *texts, guint n)
{
  g_array_append_vals (self->scene->texts, texts, n);
  g_clear_pointer (&self->texts, weir_grid_free);
}

/* Asked for every place that a wire might go to: nothing is allocated for it. */
gboolean
weir_scene_index_is_free (WeirSceneIndex *self, WeirRect area, WeirScenePort net)
{
  WeirRect around = { area.x - NAME_REACH, area.y - WEIR_NAME_HEIGHT, area.width + 2 * NAME_REACH,
                      area.height + 2 * WEIR_NAME_HEIGHT };

  find_blocks (self, around);
  for (guint i = 0; i < self->blocks->len; i++)
    {
      const WeirBlockShape *shape = self->blocks->pdata[i];
      WeirRect boxes[2];
      guint n = weir_rect_intersects (shape->box, around) ? get_obstacles (shape, boxes) : 0;

      for (guint k = 0; k < n; k++)
        if (weir_rect_intersects (boxes[k], area))
          return FALSE;
    }
  find_texts (self, area);
  for (guint i = 0; i < self->found->len; i++)
    {
      WeirRect box;

      if (get_text_obstacle (self, g_array_index (self->found, guint, i), net, &box)
          && weir_rect_intersects (box, area))
        return FALSE;
    }
  return TRUE;
}
