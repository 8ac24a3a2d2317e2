/* What there is in a scene: by id, at a point, within an area. */
#include "paint/ground/routing.h"
#include "paint/scene/scene-private.h"
#include "paint/text/typeset.h"

#include <string.h>

/* --- Looking up ------------------------------------------------------------------------------ */

WeirDiagram *
weir_scene_get_diagram (WeirScene *self)
{
  return self->diagram;
}

guint
weir_scene_get_n_blocks (WeirScene *self)
{
  return weir_shapes_get_size (self->blocks);
}

guint
weir_scene_get_n_wires (WeirScene *self)
{
  return weir_shapes_get_size (self->wires);
}

const WeirBlockShape *
weir_scene_get_block (WeirScene *self, guint i)
{
  g_return_val_if_fail (i < weir_shapes_get_size (self->blocks), NULL);
  return weir_shapes_get (self->blocks, i);
}

const WeirWireShape *
weir_scene_get_wire (WeirScene *self, guint i)
{
  g_return_val_if_fail (i < weir_shapes_get_size (self->wires), NULL);
  return weir_shapes_get (self->wires, i);
}

guint
weir_scene_next_block (WeirScene *self, guint i, WeirRect area)
{
  return weir_shapes_next (self->blocks, i, area);
}

guint
weir_scene_next_wire (WeirScene *self, guint i, WeirRect area)
{
  return weir_shapes_next (self->wires, i, area);
}

const WeirBlockShape *
weir_scene_find_block (WeirScene *self, guint32 id)
{
  return weir_shapes_lookup (self->blocks, id);
}

const WeirWireShape *
weir_scene_find_wire (WeirScene *self, guint32 id)
{
  return weir_shapes_lookup (self->wires, id);
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

/* What is drawn last is hit first. */
static WeirHit
hit_block (WeirScene *self, WeirPoint point, WeirRect around, double slack)
{
  guint n = weir_shapes_get_size (self->blocks);
  WeirHit hit = { WEIR_HIT_NOTHING, 0, NULL, 0 };

  for (guint i = weir_shapes_next (self->blocks, 0, around); i < n;
       i = weir_shapes_next (self->blocks, i + 1, around))
    {
      const WeirBlockShape *shape = weir_shapes_get (self->blocks, i);
      const WeirPortShape *port = weir_block_shape_hit_port (shape, point, slack);

      if (port != NULL)
        hit = (WeirHit) { WEIR_HIT_PORT, weir_block_get_id (shape->block), port, 0 };
      else if (hit.kind != WEIR_HIT_PORT && weir_block_shape_hits (shape, point, 0))
        hit = (WeirHit) { WEIR_HIT_BLOCK, weir_block_get_id (shape->block), NULL, 0 };
    }
  return hit;
}

static WeirHit
hit_wire (WeirScene *self, WeirPoint point, WeirRect around, double slack)
{
  guint n = weir_shapes_get_size (self->wires);
  WeirHit hit = { WEIR_HIT_NOTHING, 0, NULL, 0 };

  for (guint i = weir_shapes_next (self->wires, 0, around); i < n;
       i = weir_shapes_next (self->wires, i + 1, around))
    {
      const WeirWireShape *shape = weir_shapes_get (self->wires, i);
      int segment;

      if (!weir_rect_contains (weir_rect_grow (shape->reach, slack), point))
        continue;
      segment = weir_route_hit (shape->points, shape->n_points, point, slack);
      if (segment >= 0)
        hit = (WeirHit) { WEIR_HIT_WIRE, weir_wire_get_id (shape->wire), NULL, (guint) segment };
    }
  return hit;
}

WeirHit
weir_scene_hit (WeirScene *self, WeirPoint point, double slack)
{
  WeirRect around = weir_rect_grow ((WeirRect) { point.x, point.y, 0, 0 }, slack);
  WeirHit hit = hit_block (self, point, around, slack);

  if (hit.kind == WEIR_HIT_NOTHING)
    hit = hit_wire (self, point, around, slack);
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
  WeirRect area = { point.x, point.y, 0, 0 };
  guint n = weir_shapes_get_size (self->blocks);
  guint32 hit = 0;

  for (guint i = weir_shapes_next (self->blocks, 0, area); i < n;
       i = weir_shapes_next (self->blocks, i + 1, area))
    {
      const WeirBlockShape *shape = weir_shapes_get (self->blocks, i);

      if (weir_rect_contains (shape->name, point))
        hit = weir_block_get_id (shape->block);
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
  for (guint i = 0; blocks != NULL && i < weir_shapes_get_size (self->blocks); i++)
    {
      const WeirBlockShape *shape = weir_shapes_get (self->blocks, i);
      guint32 id = weir_block_get_id (shape->block);

      if (is_inside (area, shape->box))
        g_array_append_val (blocks, id);
    }
  for (guint i = 0; wires != NULL && i < weir_shapes_get_size (self->wires); i++)
    {
      const WeirWireShape *shape = weir_shapes_get (self->wires, i);
      guint32 id = weir_wire_get_id (shape->wire);

      if (is_inside (area, weir_rect_grow (shape->reach, -4)))
        g_array_append_val (wires, id);
    }
}
