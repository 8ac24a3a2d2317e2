/* What there is in a scene: by id, at a point, within an area. */
#include "paint/ground/routing.h"
#include "paint/scene/scene-private.h"
#include "paint/text/typeset.h"

#include <string.h>

/* --- Looking up ------------------------------------------------------------------------------ */

static gboolean
find_index (const GPtrArray *array, guint32 id, guint32 (*get_id) (gconstpointer), guint *index)
{
  guint low = 0, high = array->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      guint32 here = get_id (array->pdata[middle]);

      *index = middle;
      if (here == id)
        return TRUE;
      if (here < id)
        low = middle + 1;
      else
        high = middle;
    }
  return FALSE;
}

static gpointer
find_by_id (const GPtrArray *array, guint32 id, guint32 (*get_id) (gconstpointer))
{
  guint index;

  return find_index (array, id, get_id, &index) ? array->pdata[index] : NULL;
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

WeirWireShape *
weir_wire_shapes_find (const GPtrArray *shapes, guint32 id)
{
  return find_by_id (shapes, id, get_wire_shape_id);
}

const WeirWireShape *
weir_scene_find_wire (WeirScene *self, guint32 id)
{
  return weir_wire_shapes_find (self->wires, id);
}

gboolean
weir_scene_find_wire_index (const WeirScene *self, guint32 id, guint *index)
{
  return find_index (self->wires, id, get_wire_shape_id, index);
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
  WeirPoint size = weir_note_get_size (note);
  const WeirTypeset *text;

  if (weir_note_is_frame (note))
    return (WeirRect) { position.x, position.y, size.x, size.y };
  text = weir_typeset_get (weir_note_get_text (note), WEIR_NOTE_TEXT_SIZE);
  return (WeirRect) { position.x, position.y, weir_typeset_get_width (text),
                      weir_typeset_get_height (text) };
}

static gboolean
is_end (WeirWireEnd end, WeirScenePort key)
{
  return end.block == key.block && g_strcmp0 (end.port, key.port) == 0;
}

typedef struct {
  WeirScenePort key;
  gboolean is_output, found;
} ConnectionSearch;

static gboolean
find_connection (WeirWire *wire, gpointer data)
{
  ConnectionSearch *search = data;

  search->found = is_end (search->is_output ? weir_wire_get_from (wire) : weir_wire_get_to (wire),
                          search->key);
  return !search->found;
}

gboolean
weir_scene_is_connected (WeirScene *self, guint32 block, const char *port, gboolean is_output)
{
  ConnectionSearch search = { { block, port }, is_output, FALSE };

  weir_diagram_foreach_wire_at (self->diagram, block, find_connection, &search);
  return search.found;
}

/* --- At a point, in an area ------------------------------------------------------------------ */

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

guint32
weir_scene_hit_name (WeirScene *self, WeirPoint point)
{
  for (guint i = self->blocks->len; i > 0; i--)
    {
      const WeirBlockShape *shape = self->blocks->pdata[i - 1];

      if (weir_rect_contains (shape->name, point))
        return weir_block_get_id (shape->block);
    }
  return 0;
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
