/* What of a scene lies at a point, and what within an area. */
#include "paint/ground/routing.h"
#include "paint/scene/scene-private.h"

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
