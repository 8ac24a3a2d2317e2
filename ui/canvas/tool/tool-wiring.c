/* Drawing wires and moving their ends. See tool.h.
 *
 * One end of the wire stays (the source: a port, or the free end of a wire whose other end is
 * moved), the other follows the pointer. Let go on a port it ends there; let go in empty space, the
 * end of an old wire is left loose, and a new wire offers blocks to add.
 */
#include <math.h>

#include "canvas/tool/tool-private.h"

#define LOOSE_END_PIXELS 9.0

/* The end that stays, as the wire will have it. */
static WeirWireEnd
get_source_end (WeirTool *self)
{
  if (self->source.block == 0)
    return (WeirWireEnd) { 0, NULL, self->source_point, self->source.line };
  return (WeirWireEnd) { self->source.block, self->source_port, { 0, 0 }, 0 };
}

static WeirWireEnd
to_end (WeirToolPort port, WeirPoint at)
{
  if (port.line != 0)
    return (WeirWireEnd) { 0, NULL, port.point, port.line };
  if (port.block == 0)
    return (WeirWireEnd) { 0, NULL, at, 0 };
  return (WeirWireEnd) { port.block, port.port, { 0, 0 }, 0 };
}

/* Why the wire may not end at @port; NULL if it may. (transfer full) */
static char *
refuse (WeirTool *self, WeirToolPort port)
{
  WeirWireEnd source = get_source_end (self);

  if (self->source.is_pin)
    return weir_edit_refuse_line (self->scene, source, to_end (port, port.point), self->rewired);
  if (self->source.is_output)
    return weir_edit_refuse_connection (self->scene, source.block, source.port, port.block,
                                        port.port, self->rewired);
  return weir_edit_refuse_connection (self->scene, port.block, port.port, source.block, source.port,
                                      self->rewired);
}

gboolean
weir_tool_is_legal_target (WeirTool *self, guint32 block, const WeirPortShape *port)
{
  g_autofree char *reason = NULL;

  if (self->state != WEIR_TOOL_WIRING || port->is_pin != self->source.is_pin
      || (!port->is_pin && port->is_output == self->source.is_output))
    return FALSE;
  reason = refuse (
      self, (WeirToolPort) { block, port->name, port->is_output, port->is_pin, 0, port->position });
  return reason == NULL;
}

gboolean
weir_tool_is_legal_line (WeirTool *self, guint32 line)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, line);
  g_autofree char *reason = NULL;

  if (self->state != WEIR_TOOL_WIRING || !self->source.is_pin || shape == NULL || shape->node == 0
      || line == self->rewired || line == self->source.line)
    return FALSE;
  reason = refuse (self, (WeirToolPort) { .is_pin = TRUE, .line = line });
  return reason == NULL;
}

/* --- Beginning ------------------------------------------------------------------------------- */

gboolean
weir_tool_makes_input (WeirTool *self)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, self->target.block);

  return self->state == WEIR_TOOL_WIRING && shape != NULL && !self->target.is_output
         && !self->target.is_pin
         && weir_block_shape_find_port (shape, self->target.port, FALSE) == NULL;
}

/* Where an input will be that the block has not yet. */
static WeirRouteEnd
get_new_end (WeirTool *self, const WeirBlockShape *shape)
{
  const char *input;
  g_autoptr (WeirBlock) grown = weir_edit_grow_block (shape->block, &input);
  g_autoptr (WeirBlockShape) larger = grown != NULL ? weir_block_shape_new (grown) : NULL;
  const WeirPortShape *found = larger != NULL ? weir_block_shape_find_port (larger, input, FALSE)
                                              : NULL;

  return found != NULL ? (WeirRouteEnd) { found->position, found->normal }
                       : (WeirRouteEnd) { self->here, { 0, 0 } };
}

WeirRouteEnd
weir_tool_get_route_end (WeirTool *self, WeirToolPort port)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, port.block);
  const WeirPortShape *found = shape != NULL
                                   ? weir_block_shape_find_port (shape, port.port, port.is_output)
                                   : NULL;

  if (port.line != 0)
    return (WeirRouteEnd) { port.point, { 0, 0 } };
  if (shape != NULL && found == NULL && !port.is_output && !port.is_pin)
    return get_new_end (self, shape);

  return found != NULL ? (WeirRouteEnd) { found->position, found->normal }
                       : (WeirRouteEnd) { self->here, { 0, 0 } };
}

void
weir_tool_route_wire (WeirTool *self)
{
  WeirToolPort source = weir_tool_get_wire_source (self);
  WeirRouteEnd from = { self->source_point, { 0, 0 } }, to = { self->here, { 0, 0 } };
  g_autoptr (GArray) obstacles = g_array_new (FALSE, FALSE, sizeof (WeirRect));
  guint32 blocks[2] = { source.block, self->target.block };

  if (source.block != 0)
    from = weir_tool_get_route_end (self, source);
  if (weir_tool_port_is_set (self->target))
    to = weir_tool_get_route_end (self, self->target);
  for (int i = 0; i < 2; i++)
    {
      const WeirBlockShape *shape = blocks[i] != 0 ? weir_scene_find_block (self->scene, blocks[i])
                                                   : NULL;

      if (shape != NULL)
        g_array_append_val (obstacles, shape->box);
    }
  weir_route (&from, &to, (const WeirPoint *) (gpointer) self->wire_bends->data,
              self->wire_bends->len, (const WeirRect *) (gpointer) obstacles->data, obstacles->len,
              self->wire_points);
}

void
weir_tool_begin_wiring (WeirTool *self, WeirToolPort source)
{
  char *name = g_strdup (source.port);

  g_free (self->source_port);
  self->source_port = name;
  self->source = source;
  self->source.port = NULL;
  if (source.line != 0)
    self->source_point = source.point;
  self->target = (WeirToolPort) { 0 };
  self->rewired = 0;
  self->state = WEIR_TOOL_WIRING;
  g_array_set_size (self->wire_bends, 0);
  weir_tool_route_wire (self);
}

void
weir_tool_begin_rewiring (WeirTool *self, WeirWire *wire, gboolean moves_start)
{
  WeirWireEnd stays = moves_start ? weir_wire_get_to (wire) : weir_wire_get_from (wire);

  self->source_point = stays.point;
  weir_tool_begin_wiring (self,
                          (WeirToolPort) { stays.block, stays.port, !moves_start,
                                           weir_wire_is_line (wire), stays.line, stays.point });
  self->rewired = weir_wire_get_id (wire);
  weir_tool_route_wire (self);
}

static WeirWire *
get_selected_wire (WeirTool *self)
{
  WeirElements what = weir_selection_get_elements (&self->selection);

  return what.n_wires == 1 && what.n_blocks == 0
             ? weir_diagram_find_wire (weir_scene_get_diagram (self->scene), what.wires[0])
             : NULL;
}

static WeirWire *
find_wire_into (WeirTool *self, guint32 block, const char *port)
{
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (self->scene, i)->wire;
      WeirWireEnd to = weir_wire_get_to (wire);

      if (to.block == block && g_strcmp0 (to.port, port) == 0)
        return wire;
    }
  return NULL;
}

/* Which end of the one selected wire is at the pin: 0 its start, 1 its end; -1: none. */
static int
get_selected_end (WeirWire *wire, guint32 block, const char *pin)
{
  WeirWireEnd ends[2];

  if (wire == NULL || !weir_wire_is_line (wire))
    return -1;
  ends[0] = weir_wire_get_from (wire);
  ends[1] = weir_wire_get_to (wire);
  for (int i = 0; i < 2; i++)
    if (ends[i].block == block && g_strcmp0 (ends[i].port, pin) == 0)
      return i;
  return -1;
}

/* Any number of lines end at a pin: one more, but for the selected one. */
static void
begin_line_at (WeirTool *self, guint32 block, const char *pin)
{
  WeirWire *wire = get_selected_wire (self);
  int end = get_selected_end (wire, block, pin);

  if (end >= 0)
    weir_tool_begin_rewiring (self, wire, end == 0);
  else
    weir_tool_begin_wiring (self, (WeirToolPort) { block, pin, TRUE, TRUE, 0, { 0, 0 } });
}

static gboolean
is_pin (WeirTool *self, guint32 block, const char *port)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  const WeirPortShape *found = shape != NULL ? weir_block_shape_find_port (shape, port, FALSE)
                                             : NULL;

  return found != NULL && found->is_pin;
}

void
weir_tool_begin_wiring_at (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  WeirWire *wire = is_output ? get_selected_wire (self) : find_wire_into (self, block, port);
  WeirWireEnd from = wire != NULL ? weir_wire_get_from (wire) : (WeirWireEnd) { 0 };

  if (is_pin (self, block, port))
    {
      begin_line_at (self, block, port);
      return;
    }
  if (wire != NULL && is_output && (from.block != block || g_strcmp0 (from.port, port) != 0))
    wire = NULL;
  if (wire != NULL)
    weir_tool_begin_rewiring (self, wire, is_output);
  else
    weir_tool_begin_wiring (
        self, (WeirToolPort) { .block = block, .port = port, .is_output = is_output });
}

gboolean
weir_tool_begin_loose_end (WeirTool *self, guint32 id, WeirPoint at)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, id);

  for (int end = 0; end < 2 && shape != NULL; end++)
    {
      WeirPoint p = shape->points[end == 0 ? 0 : shape->n_points - 1];

      if (!(end == 0 ? shape->from_connected : shape->to_connected)
          && hypot (at.x - p.x, at.y - p.y) <= LOOSE_END_PIXELS * MAX (self->pixel, 0.5))
        {
          weir_tool_begin_rewiring (self, shape->wire, end == 0);
          return TRUE;
        }
    }
  return FALSE;
}

/* The point of @line nearest to @at, on the grid where the line lets it. */
static WeirToolPort
get_joint (const WeirWireShape *line, WeirPoint at)
{
  WeirPoint snapped = { weir_snap (at.x), weir_snap (at.y) };

  return (WeirToolPort) { 0,
                          NULL,
                          TRUE,
                          TRUE,
                          weir_wire_get_id (line->wire),
                          weir_route_find_nearest (line->points, line->n_points, snapped, NULL) };
}

gboolean
weir_tool_press_branch (WeirTool *self, WeirPoint at)
{
  WeirHit hit;
  const WeirWireShape *wire;
  WeirWireEnd from;

  weir_tool_cancel (self);
  hit = weir_scene_hit (self->scene, at, WEIR_TOOL_HIT_PIXELS * self->pixel);
  if (hit.kind != WEIR_HIT_WIRE)
    return FALSE;
  wire = weir_scene_find_wire (self->scene, hit.id);
  self->here = at;
  if (wire->node != 0)
    {
      weir_tool_begin_wiring (self, get_joint (wire, at));
      return TRUE;
    }
  if (!wire->from_connected)
    return FALSE;
  from = weir_wire_get_from (wire->wire);
  weir_tool_begin_wiring (
      self, (WeirToolPort) { .block = from.block, .port = from.port, .is_output = TRUE });
  return TRUE;
}

/* --- Aiming ---------------------------------------------------------------------------------- */

/* An input more of a block that has no free one. */
static WeirToolPort
find_new_input (WeirTool *self, guint32 block)
{
  const char *input = self->source.is_output && block != self->source.block
                          ? weir_edit_find_new_input (self->scene, block, self->rewired)
                          : NULL;

  return (WeirToolPort) { .block = input != NULL ? block : 0, .port = input };
}

/* The pin of a block that is nearest to @at of those where the line may end. */
static WeirToolPort
find_nearest_pin (WeirTool *self, guint32 block, WeirPoint at)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  WeirToolPort best = { 0 };
  double best_distance = INFINITY;

  for (guint i = shape->n_ports - shape->n_pins; i < shape->n_ports; i++)
    {
      WeirPoint p = shape->ports[i].position;
      double distance = hypot (p.x - at.x, p.y - at.y);

      if (distance >= best_distance || !weir_tool_is_legal_target (self, block, &shape->ports[i]))
        continue;
      best = (WeirToolPort) { block, shape->ports[i].name, FALSE, TRUE, 0, p };
      best_distance = distance;
    }
  return best;
}

/* The same of a physical line: a pin, or a point on a line, or the nearest pin of a block. */
static WeirToolPort
find_line_target (WeirTool *self, WeirPoint at, WeirHit hit)
{
  WeirToolPort none = { 0 };

  if (hit.kind == WEIR_HIT_PORT
      && !(hit.id == self->source.block && g_strcmp0 (hit.port->name, self->source_port) == 0))
    return (WeirToolPort) { hit.id, hit.port->name,    hit.port->is_output, hit.port->is_pin,
                            0,      hit.port->position };
  if (hit.kind == WEIR_HIT_WIRE && hit.id != self->rewired && hit.id != self->source.line)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, hit.id);

      return wire->node != 0 ? get_joint (wire, at) : none;
    }
  hit = weir_scene_hit (self->scene, at, 0);
  return hit.kind == WEIR_HIT_BLOCK && hit.id != self->source.block
             ? find_nearest_pin (self, hit.id, at)
             : none;
}

/* The port that a wire released at @at would end at: a port near by; a block's only free port, or
 * one more; the source of a wire, when an output is looked for. */
static WeirToolPort
find_target (WeirTool *self, WeirPoint at)
{
  WeirToolPort none = { 0 };
  gboolean wants_output = !self->source.is_output;
  WeirHit hit = weir_scene_hit (self->scene, at, WEIR_TOOL_SNAP_PIXELS * self->pixel);
  const WeirBlockShape *shape;

  if (self->source.is_pin || (hit.kind == WEIR_HIT_PORT && hit.port->is_pin))
    return find_line_target (self, at, hit);
  if (hit.kind == WEIR_HIT_PORT
      && !(hit.id == self->source.block && hit.port->is_output == self->source.is_output))
    {
      WeirToolPort more = find_new_input (self, hit.id);

      return more.block != 0 && !hit.port->is_output
                 ? more
                 : (WeirToolPort) { .block = hit.id,
                                    .port = hit.port->name,
                                    .is_output = hit.port->is_output };
    }
  if (hit.kind == WEIR_HIT_WIRE && wants_output && hit.id != self->rewired)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, hit.id);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      return wire->from_connected && wire->node == 0
                 ? (WeirToolPort) { .block = from.block, .port = from.port, .is_output = TRUE }
                 : none;
    }
  hit = weir_scene_hit (self->scene, at, 0);
  if (hit.kind != WEIR_HIT_BLOCK || hit.id == self->source.block)
    return none;
  shape = weir_scene_find_block (self->scene, hit.id);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (weir_tool_is_legal_target (self, hit.id, &shape->ports[i]))
      {
        if (none.block != 0)
          return (WeirToolPort) { 0 }; /* several: the user must aim */
        none = (WeirToolPort) { .block = hit.id,
                                .port = shape->ports[i].name,
                                .is_output = shape->ports[i].is_output };
      }
  return none.block != 0 ? none : find_new_input (self, hit.id);
}

void
weir_tool_aim (WeirTool *self, WeirPoint at)
{
  self->target = find_target (self, at);
  g_clear_pointer (&self->refusal, g_free);
  if (weir_tool_port_is_set (self->target) && !weir_tool_makes_input (self))
    {
      self->refusal = refuse (self, self->target);
      if (self->refusal != NULL)
        self->target = (WeirToolPort) { 0 };
    }
  weir_tool_route_wire (self);
}

/* --- Ending ---------------------------------------------------------------------------------- */

static WeirEdit *
put_wire (WeirTool *self, guint32 id, WeirWireEnd from, WeirWireEnd to, const GArray *bends)
{
  const WeirPoint *points = bends != NULL ? (const WeirPoint *) (gconstpointer) bends->data : NULL;
  guint n = bends != NULL ? bends->len : 0;

  return self->source.is_pin ? weir_edit_line (weir_tool_get_site (self), id, from, to, points, n)
                             : weir_edit_wire (weir_tool_get_site (self), id, from, to, points, n);
}

static WeirEdit *
end_new_wire (WeirTool *self)
{
  g_autoptr (GArray) bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  WeirWireEnd source = get_source_end (self), target = to_end (self->target, self->here);

  for (guint i = 0; i < self->wire_bends->len; i++)
    {
      /* Bends run from output to input, whichever end was drawn first. */
      guint k = self->source.is_output ? i : self->wire_bends->len - 1 - i;

      g_array_append_val (bends, g_array_index (self->wire_bends, WeirPoint, k));
    }
  return put_wire (self, 0, self->source.is_output ? source : target,
                   self->source.is_output ? target : source, bends);
}

static WeirEdit *
end_old_wire (WeirTool *self)
{
  WeirWire *wire = weir_diagram_find_wire (weir_scene_get_diagram (self->scene), self->rewired);
  WeirWireEnd old = self->source.is_output ? weir_wire_get_to (wire) : weir_wire_get_from (wire);
  WeirPoint at = { weir_snap (self->here.x), weir_snap (self->here.y) };
  WeirWireEnd source = get_source_end (self), target = to_end (self->target, at);

  if (old.block == target.block && old.line == target.line && g_strcmp0 (old.port, target.port) == 0
      && old.point.x == target.point.x && old.point.y == target.point.y)
    return NULL;
  return put_wire (self, self->rewired, self->source.is_output ? source : target,
                   self->source.is_output ? target : source, NULL);
}

WeirEdit *
weir_tool_finish_wire (WeirTool *self)
{
  WeirEdit *edit = NULL;

  if (weir_tool_port_is_set (self->target))
    edit = self->rewired == 0 ? end_new_wire (self) : end_old_wire (self);
  else if (self->refusal == NULL
           && weir_scene_hit (self->scene, self->here, 0).kind != WEIR_HIT_BLOCK)
    {
      if (self->rewired != 0)
        edit = end_old_wire (self);
      else
        {
          g_free (self->offer_port);
          self->offer_port = g_strdup (self->source_port);
          self->offer = (WeirToolOffer) { self->source, { 0, 0 }, self->here };
          self->offer.source.port = self->offer_port;
          self->offer.from = self->source.block != 0
                                 ? weir_tool_get_route_end (self, self->offer.source).point
                                 : self->source_point;
        }
    }
  weir_tool_end_gesture (self);
  return edit;
}

/* --- What to draw ---------------------------------------------------------------------------- */

const WeirPoint *
weir_tool_get_wire (WeirTool *self, guint *n_points, gboolean *ends)
{
  *n_points = self->state == WEIR_TOOL_WIRING ? self->wire_points->len : 0;
  *ends = weir_tool_port_is_set (self->target);
  return (const WeirPoint *) (gpointer) self->wire_points->data;
}

WeirToolPort
weir_tool_get_wire_source (WeirTool *self)
{
  WeirToolPort source = self->source;

  source.port = self->source_port;
  return source;
}

WeirToolPort
weir_tool_get_wire_target (WeirTool *self)
{
  return self->target;
}

const char *
weir_tool_get_refusal (WeirTool *self)
{
  return self->refusal;
}

WeirToolOffer
weir_tool_get_offer (WeirTool *self)
{
  return self->offer;
}

guint32
weir_tool_get_rewired (WeirTool *self)
{
  return self->rewired;
}
