/* The gestures of the canvas as a state machine. See tool.h.
 *
 * A press only notes what is under it. Motion beyond a few pixels turns it into a gesture, chosen
 * by what was pressed and the modifiers then; release without motion is a click. A gesture's
 * outcome is recomputed from its start at every motion, never accumulated.
 */
#include <math.h>

#include "canvas/tool/tool-private.h"

void
weir_tool_set_site (WeirTool *self, WeirSite site, WeirScene *scene)
{
  WeirModel *model = weir_model_ref (site.model);
  WeirDiagram *old = self->scene != NULL ? weir_scene_get_diagram (self->scene) : NULL;
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (site.place.n_ids > 0)
    g_array_append_vals (ids, site.place.ids, site.place.n_ids);
  if (weir_scene_get_diagram (scene) != old)
    {
      weir_tool_end_gesture (self);
      self->hover = weir_no_hit;
    }
  g_clear_pointer (&self->model, weir_model_unref);
  self->model = model;
  g_array_unref (self->place_ids);
  self->place_ids = g_steal_pointer (&ids);
  weir_scene_ref (scene);
  g_clear_pointer (&self->scene, weir_scene_unref);
  self->scene = scene;
  /* Borrowed names of ports belong to the scene. */
  if (self->state == WEIR_TOOL_IDLE)
    self->hover = weir_no_hit;
  self->hover_handle = -1;
  weir_selection_prune (&self->selection, weir_scene_get_diagram (scene));
}

void
weir_tool_set_snap (WeirTool *self, gboolean snap)
{
  self->snap = snap;
}

void
weir_tool_set_pixel (WeirTool *self, double units)
{
  self->pixel = units;
}

/* --- Banding --------------------------------------------------------------------------------- */

static void
begin_band (WeirTool *self)
{
  gboolean additive = (self->start_modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE)) != 0;

  self->state = WEIR_TOOL_BANDING;
  for (int kind = 0; kind < WEIR_N_SELECT_KINDS; kind++)
    {
      guint n;
      const guint32 *ids = weir_selection_get (&self->selection, (WeirSelectKind) kind, &n);

      g_array_set_size (self->band_base[kind], 0);
      if (additive && n > 0)
        g_array_append_vals (self->band_base[kind], ids, n);
    }
}

static void
band_to (WeirTool *self, WeirPoint at)
{
  g_autoptr (GArray) blocks = g_array_copy (self->band_base[WEIR_SELECT_BLOCK]);
  g_autoptr (GArray) wires = g_array_copy (self->band_base[WEIR_SELECT_WIRE]);
  g_autoptr (GArray) notes = g_array_copy (self->band_base[WEIR_SELECT_NOTE]);

  weir_scene_find_in_area (self->scene, weir_rect_from_corners (self->start, at), blocks, wires,
                           notes);
  weir_selection_set (&self->selection, blocks, wires, notes);
}

/* --- Pressing -------------------------------------------------------------------------------- */

static WeirSelectKind
get_select_kind (WeirHitKind kind)
{
  return kind == WEIR_HIT_WIRE   ? WEIR_SELECT_WIRE
         : kind == WEIR_HIT_NOTE ? WEIR_SELECT_NOTE
                                 : WEIR_SELECT_BLOCK;
}

/* Wiring by clicks: a port ends it, empty space adds a bend. */
static WeirEdit *
press_while_wiring (WeirTool *self, WeirPoint at)
{
  weir_tool_aim (self, at);
  if (weir_tool_port_is_set (self->target))
    return weir_tool_finish_wire (self);
  if (self->refusal == NULL && self->by_click && self->rewired == 0)
    {
      WeirPoint bend = { weir_snap (at.x), weir_snap (at.y) };

      g_array_append_val (self->wire_bends, bend);
      weir_tool_route_wire (self);
    }
  return NULL;
}

static guint32
get_block_alone (WeirTool *self)
{
  WeirElements what = weir_selection_get_elements (&self->selection);

  return what.n_blocks == 1 ? what.blocks[0] : 0;
}

WeirEdit *
weir_tool_press (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirHit hit;
  gboolean additive = (modifiers & (WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE)) != 0;
  int handle;

  g_return_val_if_fail (self->scene != NULL, NULL);

  self->here = at;
  self->offer.source = (WeirToolPort) { 0 };
  if (self->state == WEIR_TOOL_WIRING)
    return press_while_wiring (self, at);

  weir_tool_end_gesture (self);
  handle = additive ? -1 : weir_tool_hit_handle (self, at);
  hit = weir_scene_hit (self->scene, at, WEIR_TOOL_HIT_PIXELS * self->pixel);
  self->state = WEIR_TOOL_PRESSED;
  self->start = at;
  self->start_modifiers = modifiers;
  self->was_alone = get_block_alone (self);
  self->pressed_kind = hit.kind;
  self->pressed_id = hit.id;
  self->pressed_segment = hit.segment;
  if (handle >= 0 && hit.kind != WEIR_HIT_PORT)
    {
      WeirElements what = weir_selection_get_elements (&self->selection);

      self->pressed_handle = handle;
      self->pressed_kind = what.n_blocks > 0 ? WEIR_HIT_BLOCK : WEIR_HIT_NOTE;
      self->pressed_id = what.n_blocks > 0 ? what.blocks[0] : what.notes[0];
      self->was_selected = TRUE;
      return NULL;
    }
  if (hit.kind == WEIR_HIT_PORT)
    {
      self->pressed_port = g_strdup (hit.port->name);
      self->pressed_is_output = hit.port->is_output;
    }
  self->was_selected = hit.kind != WEIR_HIT_NOTHING
                       && weir_selection_contains (&self->selection, get_select_kind (hit.kind),
                                                   hit.id);
  /* What is not selected is selected at the press, so that it can be seen and dragged. */
  if (hit.kind != WEIR_HIT_NOTHING && hit.kind != WEIR_HIT_PORT && !self->was_selected)
    {
      if (additive)
        weir_selection_add (&self->selection, get_select_kind (hit.kind), hit.id);
      else
        weir_selection_set_one (&self->selection, get_select_kind (hit.kind), hit.id);
    }
  return NULL;
}

/* --- Dragging -------------------------------------------------------------------------------- */

static void
begin_wire_drag (WeirTool *self)
{
  if (self->start_modifiers & WEIR_TOOL_TOGGLE)
    {
      if (!self->was_selected)
        weir_selection_remove (&self->selection, WEIR_SELECT_WIRE, self->pressed_id);
      if (!weir_tool_press_branch (self, self->start))
        weir_tool_end_gesture (self);
    }
  else if (!weir_tool_begin_loose_end (self, self->pressed_id, self->start))
    self->state = WEIR_TOOL_BENDING;
}

/* The press has become a drag: which gesture is it? */
static void
begin_drag (WeirTool *self)
{
  if (self->pressed_handle >= 0)
    {
      self->state = WEIR_TOOL_RESIZING;
      return;
    }
  switch (self->pressed_kind)
    {
    case WEIR_HIT_PORT:
      {
        g_autofree char *port = g_strdup (self->pressed_port);

        weir_tool_begin_wiring_at (self, self->pressed_id, port, self->pressed_is_output);
      }
      break;
    case WEIR_HIT_BLOCK:
    case WEIR_HIT_NOTE:
      self->state = WEIR_TOOL_MOVING;
      break;
    case WEIR_HIT_WIRE:
      begin_wire_drag (self);
      break;
    case WEIR_HIT_NOTHING:
    default:
      begin_band (self);
      break;
    }
}

void
weir_tool_motion (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  g_return_if_fail (self->scene != NULL);

  self->here = at;
  if (self->state == WEIR_TOOL_PRESSED
      && hypot (at.x - self->start.x, at.y - self->start.y) >= WEIR_TOOL_DRAG_PIXELS * self->pixel)
    begin_drag (self);
  switch (self->state)
    {
    case WEIR_TOOL_IDLE:
      self->hover = weir_scene_hit (self->scene, at, WEIR_TOOL_HIT_PIXELS * self->pixel);
      self->hover_handle = self->hover.kind != WEIR_HIT_PORT ? weir_tool_hit_handle (self, at) : -1;
      break;
    case WEIR_TOOL_BANDING:
      band_to (self, at);
      break;
    case WEIR_TOOL_MOVING:
      weir_tool_move_to (self, at, modifiers);
      break;
    case WEIR_TOOL_BENDING:
      weir_tool_bend_to (self, at, modifiers);
      break;
    case WEIR_TOOL_RESIZING:
      weir_tool_resize_to (self, at, modifiers);
      break;
    case WEIR_TOOL_WIRING:
      self->by_keyboard = FALSE;
      weir_tool_aim (self, at);
      break;
    case WEIR_TOOL_PRESSED:
    default:
      break;
    }
}

/* --- Releasing ------------------------------------------------------------------------------- */

/* A press and release in one place. */
static WeirEdit *
click (WeirTool *self)
{
  WeirToolModifiers modifiers = self->start_modifiers;
  WeirSelectKind kind = get_select_kind (self->pressed_kind);
  WeirToolModifiers both = WEIR_TOOL_EXTEND | WEIR_TOOL_TOGGLE;

  switch (self->pressed_kind)
    {
    case WEIR_HIT_BLOCK:
      if ((modifiers & both) == both && self->was_alone != 0 && self->was_alone != self->pressed_id)
        {
          WeirEdit *edit = weir_edit_connect_blocks (weir_tool_get_site (self), self->scene,
                                                     self->was_alone, self->pressed_id);

          /* The target is where the next connection starts. */
          weir_selection_set_one (&self->selection, WEIR_SELECT_BLOCK, self->pressed_id);
          weir_tool_end_gesture (self);
          return edit;
        }
      G_GNUC_FALLTHROUGH;
    case WEIR_HIT_WIRE:
    case WEIR_HIT_NOTE:
      if (!self->was_selected)
        break; /* selected at the press */
      if (modifiers & both)
        weir_selection_remove (&self->selection, kind, self->pressed_id);
      else
        weir_selection_set_one (&self->selection, kind, self->pressed_id);
      break;
    case WEIR_HIT_PORT:
      {
        g_autofree char *port = g_steal_pointer (&self->pressed_port);

        weir_selection_set_one (&self->selection, WEIR_SELECT_BLOCK, self->pressed_id);
        weir_tool_begin_wiring_at (self, self->pressed_id, port, self->pressed_is_output);
        self->by_click = TRUE;
      }
      return NULL;
    case WEIR_HIT_NOTHING:
    default:
      if (!(modifiers & both))
        weir_selection_set_none (&self->selection);
      break;
    }
  weir_tool_end_gesture (self);
  return NULL;
}

WeirEdit *
weir_tool_release (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirEdit *edit = NULL;

  if (self->state == WEIR_TOOL_WIRING && (self->by_click || self->by_keyboard))
    return NULL; /* goes on until a click on a port, Return or Escape */
  weir_tool_motion (self, at, modifiers);
  switch (self->state)
    {
    case WEIR_TOOL_PRESSED:
      edit = click (self);
      break;
    case WEIR_TOOL_MOVING:
    case WEIR_TOOL_BENDING:
    case WEIR_TOOL_RESIZING:
      edit = g_steal_pointer (&self->edit);
      weir_tool_end_gesture (self);
      break;
    case WEIR_TOOL_WIRING:
      edit = weir_tool_finish_wire (self);
      break;
    case WEIR_TOOL_BANDING:
    case WEIR_TOOL_IDLE:
    default:
      weir_tool_end_gesture (self);
      break;
    }
  return edit;
}

void
weir_tool_leave (WeirTool *self)
{
  self->hover = weir_no_hit;
  self->hover_handle = -1;
}
