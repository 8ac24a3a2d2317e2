/* What there is in a scene: by id, at a point, within an area. */
#include "paint/ground/routing.h"
#include "paint/scene/scene-private.h"
#include "paint/text/typeset.h"

#include <math.h>
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
weir_scene_get_junctions (WeirScene *self, guint *n, const guint32 **wires)
{
  *n = self->junctions->len;
  if (wires != NULL)
    *wires = (const guint32 *) (gpointer) self->junction_wires->data;
  return (const WeirPoint *) (gpointer) self->junctions->data;
}

WeirPoint
weir_scene_get_middle (const WeirWireShape *wire)
{
  double longest = -1;
  WeirPoint middle = wire->points[0];

  for (guint k = 0; k + 1 < wire->n_points; k++)
    {
      WeirPoint a = wire->points[k], b = wire->points[k + 1];

      if (hypot (b.x - a.x, b.y - a.y) <= longest)
        continue;
      longest = hypot (b.x - a.x, b.y - a.y);
      middle = (WeirPoint) { (a.x + b.x) / 2, (a.y + b.y) / 2 };
    }
  return middle;
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
  gboolean is_output;
  WeirWire *found;
} ConnectionSearch;

static gboolean
find_connection (WeirWire *wire, gpointer data)
{
  ConnectionSearch *search = data;

  WeirWireEnd from = weir_wire_get_from (wire), to = weir_wire_get_to (wire);
  gboolean any = weir_wire_is_line (wire); /* from and to are equals */

  if (((any || search->is_output) && is_end (from, search->key))
      || ((any || !search->is_output) && is_end (to, search->key)))
    search->found = wire;
  return search->found == NULL;
}

gboolean
weir_scene_is_connected (WeirScene *self, guint32 block, const char *port, gboolean is_output)
{
  ConnectionSearch search = { { block, port }, is_output, NULL };

  weir_diagram_foreach_wire_at (self->diagram, block, find_connection, &search);
  return search.found != NULL;
}

const WeirWireShape *
weir_scene_find_line_at (WeirScene *self, guint32 block, const char *pin)
{
  ConnectionSearch search = { { block, pin }, FALSE, NULL };

  weir_diagram_foreach_wire_at (self->diagram, block, find_connection, &search);
  return search.found != NULL && weir_wire_is_line (search.found)
             ? weir_scene_find_wire (self, weir_wire_get_id (search.found))
             : NULL;
}

const WeirDomain *
weir_scene_find_domain (WeirScene *self, guint32 block, const char *pin)
{
  const WeirBlockShape *shape = weir_scene_find_block (self, block);
  const WeirPortShape *port = shape != NULL ? weir_block_shape_find_port (shape, pin, FALSE) : NULL;
  const WeirWireShape *line = port != NULL && port->is_pin && port->domain == NULL
                                  ? weir_scene_find_line_at (self, block, pin)
                                  : NULL;

  return port == NULL ? NULL : line != NULL ? line->domain : port->domain;
}

void
weir_scene_foreach_label (WeirScene *self, WeirLabelFunc func, gpointer data)
{
  for (guint i = self->n_notes; i < self->texts->len; i++)
    {
      guint32 id = g_array_index (self->texts, WeirSceneText, i).id;

      func (weir_scene_find_wire (self, id), data);
    }
}

/* --- Compared with another ------------------------------------------------------------------- */

typedef struct {
  WeirSceneChangeFunc func;
  gpointer data;
} ChangeSearch;

static void
tell_block (gpointer before, gpointer after, gpointer data)
{
  const ChangeSearch *search = data;

  if (before != NULL)
    search->func (((const WeirBlockShape *) before)->reach, search->data);
  if (after != NULL)
    search->func (((const WeirBlockShape *) after)->reach, search->data);
}

static void
tell_wire (gpointer before, gpointer after, gpointer data)
{
  const ChangeSearch *search = data;

  if (before != NULL)
    search->func (weir_wire_shape_get_reach (before), search->data);
  if (after != NULL)
    search->func (weir_wire_shape_get_reach (after), search->data);
}

static gboolean
collect_note (WeirNote *note, gpointer notes)
{
  g_ptr_array_add (notes, note);
  return TRUE;
}

static gboolean
have_same_notes (WeirScene *a, WeirScene *b)
{
  g_autoptr (GPtrArray) x = g_ptr_array_new (), y = g_ptr_array_new ();

  weir_diagram_foreach_note (a->diagram, collect_note, x);
  weir_diagram_foreach_note (b->diagram, collect_note, y);
  return x->len == y->len
         && (x->len == 0 || memcmp (x->pdata, y->pdata, x->len * sizeof *x->pdata) == 0);
}

gboolean
weir_scene_foreach_change (WeirScene *before, WeirScene *after, WeirSceneChangeFunc func,
                           gpointer data)
{
  ChangeSearch search = { func, data };

  if (!have_same_notes (before, after))
    return FALSE;
  weir_shapes_foreach_change (before->blocks, after->blocks, tell_block, &search);
  weir_shapes_foreach_change (before->wires, after->wires, tell_wire, &search);
  return TRUE;
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
