/* Wiring by keyboard: from a port, through the legal targets in reading order. See tool.h. */
#include "canvas/tool/tool-private.h"

static int
compare_reading_order (gconstpointer a, gconstpointer b, gpointer data)
{
  WeirTool *self = data;
  const WeirToolPort *ports[2] = { a, b };
  WeirPoint at[2];

  for (int i = 0; i < 2; i++)
    at[i] = weir_tool_get_route_end (self, *ports[i]).point;
  if (at[0].x != at[1].x)
    return at[0].x < at[1].x ? -1 : 1;
  return at[0].y < at[1].y ? -1 : at[0].y > at[1].y;
}

static void
list_targets (WeirTool *self)
{
  g_array_set_size (self->targets, 0);
  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    {
      const WeirBlockShape *shape = weir_scene_get_block (self->scene, i);
      guint32 id = weir_block_get_id (shape->block);

      for (guint k = 0; k < shape->n_ports; k++)
        if (weir_tool_is_legal_target (self, id, &shape->ports[k]))
          {
            WeirToolPort port = {
              id, shape->ports[k].name,    shape->ports[k].is_output, shape->ports[k].is_pin,
              0,  shape->ports[k].position
            };

            g_array_append_val (self->targets, port);
          }
      if (self->source.is_output && !self->source.is_pin && id != self->source.block)
        {
          WeirToolPort port = { .block = id,
                                .port = weir_edit_find_new_input (self->scene, id, self->rewired) };

          if (port.port != NULL)
            g_array_append_val (self->targets, port);
        }
    }
  g_array_sort_with_data (self->targets, compare_reading_order, self);
}

static void
show_target (WeirTool *self, int index)
{
  self->target_index = index;
  self->target = self->targets->len > 0 ? g_array_index (self->targets, WeirToolPort, (guint) index)
                                        : (WeirToolPort) { 0 };
  if (self->target.block == 0)
    {
      WeirToolPort source = self->source;

      source.port = self->source_port;
      self->here = weir_tool_port_is_set (source) ? weir_tool_get_route_end (self, source).point
                                                  : self->source_point;
      self->here.x += self->source.is_output ? 40 : -40;
    }
  weir_tool_route_wire (self);
}

/* The first offer is the next one to the right of an output at @x, to the left of an input. */
static void
begin_choosing (WeirTool *self, double x)
{
  gboolean is_output = self->source.is_output;
  int nearest = 0;

  self->by_keyboard = TRUE;
  list_targets (self);
  for (guint i = 0; i < self->targets->len; i++)
    {
      WeirPoint at = weir_tool_get_route_end (self, g_array_index (self->targets, WeirToolPort, i))
                         .point;

      if (is_output ? at.x <= x : at.x < x)
        nearest = (int) i + (is_output ? 1 : 0);
    }
  show_target (self, self->targets->len > 0 ? nearest % (int) self->targets->len : 0);
}

gboolean
weir_tool_begin_from_wire (WeirTool *self, guint32 id, gboolean reconnect)
{
  const WeirWireShape *shape = weir_scene_find_wire (self->scene, id);
  WeirWireEnd from;

  if (shape == NULL || (!reconnect && shape->node == 0 && !shape->from_connected))
    return FALSE;
  from = weir_wire_get_from (shape->wire);
  weir_tool_end_gesture (self);
  if (reconnect)
    weir_tool_begin_rewiring (self, shape->wire, !shape->from_connected);
  else if (shape->node != 0)
    weir_tool_begin_wiring (self, (WeirToolPort) { .is_output = TRUE,
                                                   .is_pin = TRUE,
                                                   .line = id,
                                                   .point = weir_scene_get_middle (shape) });
  else
    weir_tool_begin_wiring (
        self, (WeirToolPort) { .block = from.block, .port = from.port, .is_output = TRUE });
  begin_choosing (self, shape->points[self->source.is_output ? 0 : shape->n_points - 1].x);
  return TRUE;
}

gboolean
weir_tool_begin_wire (WeirTool *self, guint32 block, const char *port, gboolean is_output)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, block);
  g_autofree char *name = g_strdup (port);

  const WeirPortShape *found = shape != NULL ? weir_block_shape_find_port (shape, name, is_output)
                                             : NULL;

  if (found == NULL)
    return FALSE;
  weir_tool_end_gesture (self);
  weir_tool_begin_wiring (self, (WeirToolPort) { .block = block,
                                                 .port = name,
                                                 .is_output = is_output || found->is_pin,
                                                 .is_pin = found->is_pin });
  begin_choosing (self, weir_rect_get_center (shape->box).x);
  return TRUE;
}

void
weir_tool_next_target (WeirTool *self, int direction)
{
  int n = (int) self->targets->len;

  if (self->state != WEIR_TOOL_WIRING || !self->by_keyboard || n == 0)
    return;
  show_target (self, (self->target_index + direction + n) % n);
}

void
weir_tool_next_source (WeirTool *self, int direction)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, self->source.block);
  int n, index = 0;

  if (self->state != WEIR_TOOL_WIRING || !self->by_keyboard || shape == NULL)
    return;
  n = (int) shape->n_ports;
  for (int i = 0; i < n; i++)
    if ((shape->ports[i].is_pin || shape->ports[i].is_output == self->source.is_output)
        && g_str_equal (shape->ports[i].name, self->source_port))
      index = i;
  index = (index + direction + n) % n;
  weir_tool_begin_wire (self, self->source.block, shape->ports[index].name,
                        shape->ports[index].is_output);
}

WeirEdit *
weir_tool_accept (WeirTool *self)
{
  if (self->state != WEIR_TOOL_WIRING || !weir_tool_port_is_set (self->target))
    return NULL;
  return weir_tool_finish_wire (self);
}

gboolean
weir_tool_is_by_keyboard (WeirTool *self)
{
  return self->by_keyboard;
}
