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
    return (WeirWireEnd) { 0, NULL, self->source_point };
  return (WeirWireEnd) { self->source.block, self->source_port, { 0, 0 } };
}

static WeirWireEnd
to_end (WeirToolPort port, WeirPoint at)
{
  if (port.block == 0)
    return (WeirWireEnd) { 0, NULL, at };
  return (WeirWireEnd) { port.block, port.port, { 0, 0 } };
}

/* Why the wire may not end at @port; NULL if it may. (transfer full) */
static char *
refuse (WeirTool *self, WeirToolPort port)
{
  WeirWireEnd source = get_source_end (self);

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

  if (self->state != WEIR_TOOL_WIRING || port->is_output == self->source.is_output)
    return FALSE;
  reason = refuse (self, (WeirToolPort) { block, port->name, port->is_output });
  return reason == NULL;
}

/* --- Beginning ------------------------------------------------------------------------------- */

gboolean
weir_tool_makes_input (WeirTool *self)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, self->target.block);

  return self->state == WEIR_TOOL_WIRING && shape != NULL && !self->target.is_output
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

  if (shape != NULL && found == NULL && !port.is_output)
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
  if (self->target.block != 0)
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
weir_tool_begin_wiring (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  char *name = g_strdup (port);

  g_free (self->source_port);
  self->source_port = name;
  self->source = (WeirToolPort) { block, NULL, is_output };
  self->target = (WeirToolPort) { 0, NULL, FALSE };
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
  weir_tool_begin_wiring (self, stays.block, stays.port, !moves_start);
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

void
weir_tool_begin_wiring_at (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  WeirWire *wire = is_output ? get_selected_wire (self) : find_wire_into (self, block, port);
  WeirWireEnd from = wire != NULL ? weir_wire_get_from (wire) : (WeirWireEnd) { 0, NULL, { 0, 0 } };

  if (wire != NULL && is_output && (from.block != block || g_strcmp0 (from.port, port) != 0))
    wire = NULL;
  if (wire != NULL)
    weir_tool_begin_rewiring (self, wire, is_output);
  else
    weir_tool_begin_wiring (self, block, port, is_output);
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
  if (!wire->from_connected)
    return FALSE;
  from = weir_wire_get_from (wire->wire);
  self->here = at;
  weir_tool_begin_wiring (self, from.block, from.port, TRUE);
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

  return (WeirToolPort) { input != NULL ? block : 0, input, FALSE };
}

/* The port that a wire released at @at would end at: a port near by; a block's only free port, or
 * one more; the source of a wire, when an output is looked for. */
static WeirToolPort
find_target (WeirTool *self, WeirPoint at)
{
  WeirToolPort none = { 0, NULL, FALSE };
  gboolean wants_output = !self->source.is_output;
  WeirHit hit = weir_scene_hit (self->scene, at, WEIR_TOOL_SNAP_PIXELS * self->pixel);
  const WeirBlockShape *shape;

  if (hit.kind == WEIR_HIT_PORT
      && !(hit.id == self->source.block && hit.port->is_output == self->source.is_output))
    {
      WeirToolPort more = find_new_input (self, hit.id);

      return more.block != 0 && !hit.port->is_output
                 ? more
                 : (WeirToolPort) { hit.id, hit.port->name, hit.port->is_output };
    }
  if (hit.kind == WEIR_HIT_WIRE && wants_output && hit.id != self->rewired)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, hit.id);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      return wire->from_connected ? (WeirToolPort) { from.block, from.port, TRUE } : none;
    }
  hit = weir_scene_hit (self->scene, at, 0);
  if (hit.kind != WEIR_HIT_BLOCK || hit.id == self->source.block)
    return none;
  shape = weir_scene_find_block (self->scene, hit.id);
  for (guint i = 0; i < shape->n_inputs + shape->n_outputs; i++)
    if (weir_tool_is_legal_target (self, hit.id, &shape->ports[i]))
      {
        if (none.block != 0)
          return (WeirToolPort) { 0, NULL, FALSE }; /* several: the user must aim */
        none = (WeirToolPort) { hit.id, shape->ports[i].name, shape->ports[i].is_output };
      }
  return none.block != 0 ? none : find_new_input (self, hit.id);
}

void
weir_tool_aim (WeirTool *self, WeirPoint at)
{
  self->target = find_target (self, at);
  g_clear_pointer (&self->refusal, g_free);
  if (self->target.block != 0 && !weir_tool_makes_input (self))
    {
      self->refusal = refuse (self, self->target);
      if (self->refusal != NULL)
        self->target = (WeirToolPort) { 0, NULL, FALSE };
    }
  weir_tool_route_wire (self);
}

/* --- Ending ---------------------------------------------------------------------------------- */

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
  return weir_edit_wire (weir_tool_get_site (self), 0, self->source.is_output ? source : target,
                         self->source.is_output ? target : source,
                         (const WeirPoint *) (gpointer) bends->data, bends->len);
}

static WeirEdit *
end_old_wire (WeirTool *self)
{
  WeirWire *wire = weir_diagram_find_wire (weir_scene_get_diagram (self->scene), self->rewired);
  WeirWireEnd old = self->source.is_output ? weir_wire_get_to (wire) : weir_wire_get_from (wire);
  WeirPoint at = { weir_snap (self->here.x), weir_snap (self->here.y) };
  WeirWireEnd source = get_source_end (self), target = to_end (self->target, at);

  if (old.block == target.block && g_strcmp0 (old.port, target.port) == 0
      && old.point.x == target.point.x && old.point.y == target.point.y)
    return NULL;
  return weir_edit_wire (weir_tool_get_site (self), self->rewired,
                         self->source.is_output ? source : target,
                         self->source.is_output ? target : source, NULL, 0);
}

WeirEdit *
weir_tool_finish_wire (WeirTool *self)
{
  WeirEdit *edit = NULL;

  if (self->target.block != 0)
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
          self->offer = (WeirToolOffer) {
            { self->source.block, self->offer_port, self->source.is_output }, self->here
          };
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
  *ends = self->target.block != 0;
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
