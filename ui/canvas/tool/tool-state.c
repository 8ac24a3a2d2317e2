/* The tool as it is between two events: made, cancelled, what it has to be drawn. See tool.h. */
#include "canvas/tool/tool-private.h"

const WeirHit weir_no_hit = { WEIR_HIT_NOTHING, 0, NULL, 0 };

WeirTool *
weir_tool_new (void)
{
  WeirTool *self = g_new0 (WeirTool, 1);

  self->place_ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->snap = TRUE;
  self->pixel = 1;
  self->hover_handle = self->pressed_handle = -1;
  weir_selection_init (&self->selection);
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    self->band_base[kind] = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->guides = g_array_new (FALSE, FALSE, sizeof (WeirGuide));
  self->wire_bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  self->wire_points = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  self->targets = g_array_new (FALSE, FALSE, sizeof (WeirToolPort));
  return self;
}

void
weir_tool_end_gesture (WeirTool *self)
{
  self->state = WEIR_TOOL_IDLE;
  g_clear_pointer (&self->edit, weir_edit_free);
  g_clear_pointer (&self->preview, weir_scene_unref);
  g_clear_pointer (&self->pressed_port, g_free);
  g_clear_pointer (&self->source_port, g_free);
  g_clear_pointer (&self->refusal, g_free);
  self->source = self->target = (WeirToolPort) { 0 };
  self->rewired = self->insert_wire = 0;
  self->by_click = self->by_keyboard = FALSE;
  self->pressed_kind = WEIR_HIT_NOTHING;
  self->pressed_handle = -1;
  g_array_set_size (self->guides, 0);
  g_array_set_size (self->wire_bends, 0);
  g_array_set_size (self->wire_points, 0);
  g_array_set_size (self->targets, 0);
}

void
weir_tool_free (WeirTool *self)
{
  weir_tool_end_gesture (self);
  g_clear_pointer (&self->model, weir_model_unref);
  g_clear_pointer (&self->scene, weir_scene_unref);
  g_array_unref (self->place_ids);
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    g_array_unref (self->band_base[kind]);
  g_array_unref (self->guides);
  g_array_unref (self->wire_bends);
  g_array_unref (self->wire_points);
  g_array_unref (self->targets);
  g_free (self->offer_port);
  weir_selection_clear_memory (&self->selection);
  g_free (self);
}

gboolean
weir_tool_cancel (WeirTool *self)
{
  gboolean active = self->state != WEIR_TOOL_IDLE;

  if (self->state == WEIR_TOOL_BANDING)
    weir_selection_set (&self->selection, self->band_base[WEIR_SELECT_BLOCK],
                        self->band_base[WEIR_SELECT_WIRE], self->band_base[WEIR_SELECT_NOTE]);
  weir_tool_end_gesture (self);
  return active;
}

WeirSite
weir_tool_get_site (WeirTool *self)
{
  return (WeirSite) {
    self->model, { (const guint32 *) (gpointer) self->place_ids->data, self->place_ids->len }
  };
}

/* --- What to draw ---------------------------------------------------------------------------- */

WeirToolState
weir_tool_get_state (WeirTool *self)
{
  return self->state;
}

WeirSelection *
weir_tool_get_selection (WeirTool *self)
{
  return &self->selection;
}

WeirScene *
weir_tool_get_scene (WeirTool *self)
{
  return self->preview != NULL ? self->preview : self->scene;
}

WeirHit
weir_tool_get_hover (WeirTool *self)
{
  return self->state == WEIR_TOOL_IDLE ? self->hover : weir_no_hit;
}

int
weir_tool_get_handle (WeirTool *self)
{
  return self->state == WEIR_TOOL_RESIZING ? self->pressed_handle
         : self->state == WEIR_TOOL_IDLE   ? self->hover_handle
                                           : -1;
}

gboolean
weir_tool_get_band (WeirTool *self, WeirRect *band)
{
  *band = weir_rect_from_corners (self->start, self->here);
  return self->state == WEIR_TOOL_BANDING;
}

const WeirGuide *
weir_tool_get_guides (WeirTool *self, guint *n)
{
  *n = self->guides->len;
  return (const WeirGuide *) (gpointer) self->guides->data;
}

guint32
weir_tool_get_insert_wire (WeirTool *self)
{
  return self->insert_wire;
}
