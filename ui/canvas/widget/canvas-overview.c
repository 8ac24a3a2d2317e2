/* The overview in a corner of the canvas: where it goes, what it shows. */
#include "canvas/widget/canvas-shown.h"
#include "canvas/widget/minimap.h"

#define MINIMAP_INSET 10.0
#define GESTURE_REACH 40.0 /* pixels around the pointer that a gesture needs free */
#define MAX_WORKED_ON 64   /* selected elements that are looked at */

static WeirRect
get_corner (WeirCanvas *self, guint corner)
{
  double right = self->viewport.width - WEIR_MINIMAP_WIDTH - MINIMAP_INSET;
  double bottom = self->viewport.height - WEIR_MINIMAP_HEIGHT - MINIMAP_INSET;

  return (WeirRect) { corner % 2 == 0 ? right : MINIMAP_INSET, corner < 2 ? bottom : MINIMAP_INSET,
                      WEIR_MINIMAP_WIDTH, WEIR_MINIMAP_HEIGHT };
}

WeirRect
weir_canvas_get_minimap_place (WeirCanvas *self)
{
  return get_corner (self, self->minimap_corner);
}

/* Whether something selected, or a gesture, is in @area (pixels). */
static gboolean
is_worked_on (WeirCanvas *self, WeirRect area)
{
  WeirToolState state = weir_tool_get_state (self->tool);
  WeirElements what = weir_canvas_get_elements (self);
  WeirPoint from = weir_viewport_to_diagram (&self->viewport, (WeirPoint) { area.x, area.y });
  WeirRect covered = { from.x, from.y, area.width / self->viewport.zoom,
                       area.height / self->viewport.zoom };

  if (state != WEIR_TOOL_IDLE && state != WEIR_TOOL_PRESSED
      && weir_rect_contains (weir_rect_grow (area, GESTURE_REACH), self->pointer))
    return TRUE;
  for (guint i = 0; i < MIN (what.n_blocks, MAX_WORKED_ON); i++)
    {
      const WeirBlockShape *shape = weir_scene_find_block (self->scene, what.blocks[i]);

      if (shape != NULL && weir_rect_intersects (shape->reach, covered))
        return TRUE;
    }
  for (guint i = 0; i < MIN (what.n_wires, MAX_WORKED_ON); i++)
    {
      const WeirWireShape *shape = weir_scene_find_wire (self->scene, what.wires[i]);

      for (guint k = 0; shape != NULL && k + 1 < shape->n_points; k++)
        if (weir_rect_intersects (
                weir_rect_grow (weir_rect_from_corners (shape->points[k], shape->points[k + 1]), 4),
                covered))
          return TRUE;
    }
  for (guint i = 0; i < MIN (what.n_notes, MAX_WORKED_ON); i++)
    {
      WeirNote *note = weir_diagram_find_note (weir_scene_get_diagram (self->scene), what.notes[i]);

      if (note != NULL && !weir_note_is_frame (note)
          && weir_rect_intersects (weir_scene_get_note_box (note), covered))
        return TRUE;
    }
  return FALSE;
}

void
weir_canvas_place_minimap (WeirCanvas *self)
{
  WeirRect visible, reach;
  gboolean shown;
  guint corner = 0;

  if (self->scene == NULL || !gtk_widget_get_visible (self->minimap))
    return;
  visible = weir_viewport_get_visible (&self->viewport);
  reach = weir_scene_get_reach (self->scene);
  /* While everything can be seen it would only be in the way, as on a small canvas. */
  shown = reach.width > 0 && self->viewport.width >= 2.5 * WEIR_MINIMAP_WIDTH
          && self->viewport.height >= 2 * WEIR_MINIMAP_HEIGHT
          && (reach.x < visible.x || reach.y < visible.y
              || reach.x + reach.width > visible.x + visible.width
              || reach.y + reach.height > visible.y + visible.height);
  while (shown && corner < 4 && is_worked_on (self, get_corner (self, corner)))
    corner++;
  shown = shown && corner < 4;
  if (shown && corner != self->minimap_corner)
    {
      self->minimap_corner = corner;
      gtk_widget_queue_allocate (GTK_WIDGET (self));
    }
  if (gtk_widget_get_child_visible (self->minimap) != shown)
    {
      gtk_widget_set_child_visible (self->minimap, shown);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
}

void
weir_canvas_update_minimap (WeirCanvas *self)
{
  g_autoptr (GHashTable) problems = NULL;

  if (self->scene == NULL || !gtk_widget_get_visible (self->minimap))
    return;
  weir_canvas_place_minimap (self);
  problems = g_hash_table_new (NULL, NULL);
  weir_canvas_add_problem_marks (self, problems);
  weir_minimap_update (WEIR_MINIMAP (self->minimap), self->scene, self->palette, problems,
                       weir_viewport_get_visible (&self->viewport));
}

void
weir_canvas_allocate_minimap (WeirCanvas *self)
{
  WeirRect place = weir_canvas_get_minimap_place (self);
  GtkAllocation corner = { (int) place.x, (int) place.y, WEIR_MINIMAP_WIDTH, WEIR_MINIMAP_HEIGHT };

  if (!gtk_widget_get_visible (self->minimap))
    return;
  gtk_widget_measure (self->minimap, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->minimap, &corner, -1);
}
