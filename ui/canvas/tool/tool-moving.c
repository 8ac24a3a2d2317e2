/* Gestures that change where things are: moving, bending, resizing. See tool.h. */
#include <math.h>

#include "canvas/tool/tool-private.h"

/* The offset of the pointer, kept to one axis by Shift. */
static WeirPoint
get_offset (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirPoint offset = { at.x - self->start.x, at.y - self->start.y };

  if (modifiers & WEIR_TOOL_EXTEND)
    {
      if (fabs (offset.x) > fabs (offset.y))
        offset.y = 0;
      else
        offset.x = 0;
    }
  return offset;
}

static gboolean
is_snapping (WeirTool *self, WeirToolModifiers modifiers)
{
  return self->snap && !(modifiers & WEIR_TOOL_FREE);
}

/* What was grabbed comes to lie on the grid. An axis that does not move stays. */
static double
snap_axis (double offset, double reference)
{
  return offset != 0 ? weir_snap (reference + offset) - reference : 0;
}

/* Shows what the document would look like after self->edit. */
static void
show_edit (WeirTool *self)
{
  g_autoptr (WeirModel) model = NULL;
  WeirScene *preview = NULL;

  if (self->edit != NULL)
    model = weir_model_apply (self->model, self->edit->patch, NULL, NULL);
  if (model != NULL)
    {
      WeirDiagram *diagram = weir_model_get_diagram (model, weir_tool_get_site (self).place);

      preview = weir_scene_new (diagram, self->preview != NULL ? self->preview : self->scene);
    }
  g_clear_pointer (&self->preview, weir_scene_unref);
  self->preview = preview;
}

/* --- Moving ---------------------------------------------------------------------------------- */

static WeirRect
get_notes_box (WeirTool *self)
{
  WeirElements what = weir_selection_get_elements (&self->selection);
  WeirRect box = { 0, 0, 0, 0 };

  for (guint i = 0; i < what.n_notes; i++)
    {
      WeirRect one = weir_scene_get_note_box (
          weir_diagram_find_note (weir_scene_get_diagram (self->scene), what.notes[i]));

      box = i > 0 ? weir_rect_union (box, one) : one;
    }
  return box;
}

static WeirPoint
get_grabbed_corner (WeirTool *self)
{
  const WeirBlockShape *block = weir_scene_find_block (self->scene, self->pressed_id);
  WeirNote *note = weir_diagram_find_note (weir_scene_get_diagram (self->scene), self->pressed_id);

  return block != NULL  ? (WeirPoint) { block->box.x, block->box.y }
         : note != NULL ? weir_note_get_position (note)
                        : (WeirPoint) { 0, 0 };
}

/* Guides first, then the grid, each axis by itself. */
static WeirPoint
snap_move (WeirTool *self, WeirElements what, WeirPoint offset)
{
  g_autoptr (GHashTable) moving = g_hash_table_new (NULL, NULL);
  WeirPoint corner = get_grabbed_corner (self), guided;
  gboolean snapped[2];

  for (guint i = 0; i < what.n_blocks; i++)
    g_hash_table_add (moving, GUINT_TO_POINTER (what.blocks[i]));
  guided = weir_guides_snap (self->scene, moving, get_notes_box (self), offset,
                             WEIR_TOOL_GUIDE_PIXELS * self->pixel, snapped, self->guides);
  /* An axis that does not move stays. */
  if (offset.x != 0)
    offset.x = snapped[0] ? guided.x : snap_axis (offset.x, corner.x);
  if (offset.y != 0)
    offset.y = snapped[1] ? guided.y : snap_axis (offset.y, corner.y);
  return offset;
}

/* A single block moved onto a wire goes into it. */
static WeirEdit *
insert_into_wire (WeirTool *self, guint32 id, WeirPoint offset)
{
  WeirBlock *block = weir_diagram_find_block (weir_scene_get_diagram (self->scene), id);
  WeirPoint at = weir_block_get_position (block), straighten;
  g_autoptr (WeirBlock)
      moved = weir_block_with_position (block, (WeirPoint) { at.x + offset.x, at.y + offset.y });
  g_autoptr (WeirBlock) straight = NULL;

  self->insert_wire = weir_edit_find_wire_under (self->scene, moved, &straighten);
  if (self->insert_wire == 0)
    return NULL;
  straight = weir_block_with_position (
      block, (WeirPoint) { at.x + offset.x + straighten.x, at.y + offset.y + straighten.y });
  g_array_set_size (self->guides, 0);
  return weir_edit_insert_into_wire (weir_tool_get_site (self), self->scene, self->insert_wire,
                                     straight);
}

void
weir_tool_move_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  WeirElements what = weir_selection_get_elements (&self->selection);
  WeirPoint offset = get_offset (self, at, modifiers);

  g_array_set_size (self->guides, 0);
  self->insert_wire = 0;
  if (is_snapping (self, modifiers))
    offset = snap_move (self, what, offset);
  g_clear_pointer (&self->edit, weir_edit_free);
  if (self->start_modifiers & WEIR_TOOL_TOGGLE)
    {
      if (offset.x != 0 || offset.y != 0)
        self->edit = weir_edit_duplicate (weir_tool_get_site (self), what, offset);
    }
  else
    {
      if (what.n_blocks == 1 && what.n_notes == 0 && !(modifiers & WEIR_TOOL_FREE))
        self->edit = insert_into_wire (self, what.blocks[0], offset);
      if (self->edit == NULL)
        self->edit = weir_edit_move (weir_tool_get_site (self), what, offset);
    }
  show_edit (self);
}

/* --- Bending --------------------------------------------------------------------------------- */

void
weir_tool_bend_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  const WeirWireShape *wire = weir_scene_find_wire (self->scene, self->pressed_id);
  g_autoptr (GArray) bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  WeirPoint reference = wire->points[self->pressed_segment];
  WeirPoint offset = get_offset (self, at, 0);

  if (is_snapping (self, modifiers))
    {
      offset.x = snap_axis (offset.x, reference.x);
      offset.y = snap_axis (offset.y, reference.y);
    }
  weir_route_move_segment (wire->points, wire->n_points, self->pressed_segment, offset, bends);
  g_clear_pointer (&self->edit, weir_edit_free);
  self->edit = weir_edit_set_bends (weir_tool_get_site (self), self->pressed_id,
                                    (const WeirPoint *) (gpointer) bends->data, bends->len);
  show_edit (self);
}

/* --- Resizing -------------------------------------------------------------------------------- */

static gboolean
get_box (WeirTool *self, WeirScene *scene, WeirRect *box)
{
  WeirElements what = weir_selection_get_elements (&self->selection);

  if (what.n_blocks + what.n_notes != 1 || what.n_wires > 0)
    return FALSE;
  if (what.n_blocks == 1)
    {
      const WeirBlockShape *shape = weir_scene_find_block (scene, what.blocks[0]);

      if (shape == NULL)
        return FALSE;
      *box = shape->box;
    }
  else
    {
      WeirNote *note = weir_diagram_find_note (weir_scene_get_diagram (scene), what.notes[0]);

      if (note == NULL || !weir_note_is_frame (note))
        return FALSE;
      *box = weir_scene_get_note_box (note);
    }
  return TRUE;
}

gboolean
weir_tool_get_handles (WeirTool *self, WeirRect *box)
{
  return get_box (self, weir_tool_get_scene (self), box);
}

static WeirPoint
get_corner (WeirRect box, int i)
{
  return (WeirPoint) { box.x + (i == 1 || i == 2 ? box.width : 0),
                       box.y + (i >= 2 ? box.height : 0) };
}

int
weir_tool_hit_handle (WeirTool *self, WeirPoint at)
{
  WeirRect box;

  if (!weir_tool_get_handles (self, &box))
    return -1;
  for (int i = 0; i < 4; i++)
    {
      WeirPoint corner = get_corner (box, i);

      if (hypot (at.x - corner.x, at.y - corner.y) <= WEIR_TOOL_HIT_PIXELS * self->pixel)
        return i;
    }
  return -1;
}

void
weir_tool_resize_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers)
{
  double step = 2 * WEIR_GRID;
  WeirRect box, result;
  WeirPoint moved, fixed;

  g_clear_pointer (&self->edit, weir_edit_free);
  g_clear_pointer (&self->preview, weir_scene_unref);
  if (!get_box (self, self->scene, &box))
    return;
  moved = get_corner (box, self->pressed_handle);
  fixed = get_corner (box, (self->pressed_handle + 2) % 4);
  moved.x += at.x - self->start.x;
  moved.y += at.y - self->start.y;
  /* Whole steps from the corner that stays, and never through it. */
  result.width = MAX (step, round (fabs (moved.x - fixed.x) / step) * step);
  result.height = MAX (step, round (fabs (moved.y - fixed.y) / step) * step);
  if ((moved.x < fixed.x) != (get_corner (box, self->pressed_handle).x < fixed.x))
    result.width = step;
  if ((moved.y < fixed.y) != (get_corner (box, self->pressed_handle).y < fixed.y))
    result.height = step;
  result.x = get_corner (box, self->pressed_handle).x < fixed.x ? fixed.x - result.width : fixed.x;
  result.y = get_corner (box, self->pressed_handle).y < fixed.y ? fixed.y - result.height : fixed.y;
  self->edit = weir_edit_resize (weir_tool_get_site (self), self->pressed_id, result);
  show_edit (self);
}
