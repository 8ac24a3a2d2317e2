/* The part of the diagram that is seen: chosen, kept as the canvas changes its size, moved. */
#include <math.h>

#include "canvas/widget/canvas-ground.h"
#include "widgets/look.h"

/* How large text is to be, for which diagrams open larger. */
static double
get_text_scale (WeirCanvas *self)
{
  return CLAMP (weir_look_get_text_scale (GTK_WIDGET (self)), 1, 3);
}

/* Shows the whole diagram, or where its first block would go, if this place was not seen before. */
void
weir_canvas_ensure_view (WeirCanvas *self)
{
  const WeirViewport *old;

  if (self->has_view || self->viewport.width <= 0)
    return;
  self->has_view = TRUE;
  self->fit_zoom = 0;
  old = g_hash_table_lookup (self->views, weir_canvas_get_view_key (self));
  if (old != NULL)
    {
      self->viewport.zoom = old->zoom;
      self->viewport.offset = old->offset;
    }
  else if (weir_scene_get_reach (self->scene).width > 0)
    {
      self->fit_zoom = get_text_scale (self);
      weir_viewport_fit (&self->viewport, weir_scene_get_reach (self->scene), self->fit_zoom);
    }
  else
    {
      self->viewport.zoom = get_text_scale (self);
      weir_viewport_center_on (&self->viewport, (WeirPoint) { 0, 0 });
    }
  self->chosen = self->derived = self->viewport;
}

/* --- The view -------------------------------------------------------------------------------- */

static gboolean
is_within (WeirRect area, WeirRect rect)
{
  return rect.x >= area.x && rect.y >= area.y && rect.x + rect.width <= area.x + area.width
         && rect.y + rect.height <= area.y + area.height;
}

/* Around the selected blocks; FALSE if there are none. */
static gboolean
get_selected_reach (WeirCanvas *self, WeirRect *reach)
{
  guint n;
  const guint32 *ids = weir_canvas_get_selected (self, &n);

  for (guint i = 0; i < n; i++)
    {
      WeirRect box = weir_scene_find_block (self->scene, ids[i])->reach;

      *reach = i > 0 ? weir_rect_union (*reach, box) : box;
    }
  return n > 0;
}

/* What was seen stays in view, and comes back as it was with the size: the view follows from the
 * one that was chosen, not from that of the size before. A fit is made anew; else the middle stays,
 * all of the diagram is seen if it was, or the selection. */
void
weir_canvas_follow_size (WeirCanvas *self)
{
  WeirViewport *view = &self->viewport;
  WeirRect before = weir_viewport_get_visible (&self->chosen), selected;
  WeirRect reach = weir_scene_get_reach (self->scene);

  if (view->width < 1 || view->height < 1 || self->chosen.width < 1)
    return;
  if (self->fit_zoom > 0 && reach.width > 0)
    weir_viewport_fit (view, reach, self->fit_zoom);
  else
    {
      view->zoom = self->chosen.zoom;
      view->offset.x = self->chosen.offset.x + round ((view->width - self->chosen.width) / 2);
      view->offset.y = self->chosen.offset.y + round ((view->height - self->chosen.height) / 2);
      if (reach.width > 0 && is_within (before, reach))
        {
          if (reach.width * view->zoom > view->width || reach.height * view->zoom > view->height)
            weir_viewport_fit (view, reach, view->zoom);
          else
            weir_viewport_reveal (view, reach);
        }
      else if (get_selected_reach (self, &selected) && is_within (before, selected))
        weir_viewport_reveal (view, selected);
    }
  self->derived = *view;
}

void
weir_canvas_view_changed (WeirCanvas *self)
{
  weir_canvas_ensure_view (self);
  if (self->viewport.zoom != self->derived.zoom || self->viewport.offset.x != self->derived.offset.x
      || self->viewport.offset.y != self->derived.offset.y)
    {
      self->chosen = self->derived = self->viewport;
      self->fit_zoom = 0;
    }
  weir_tool_set_pixel (self->tool, 1 / self->viewport.zoom);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  weir_canvas_tell (self, WEIR_CANVAS_NEWS_VIEW);
  g_object_notify (G_OBJECT (self), "zoom");
}

double
weir_canvas_get_zoom (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), 1);
  return self->viewport.zoom;
}

/* --- The selection --------------------------------------------------------------------------- */

void
weir_canvas_fit (WeirCanvas *self, double max_zoom)
{
  WeirRect reach = weir_scene_get_reach (self->scene);

  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (reach.width <= 0)
    return;
  weir_viewport_fit (&self->viewport, reach, max_zoom);
  weir_canvas_view_changed (self);
  self->fit_zoom = max_zoom;
}

WeirPoint
weir_canvas_get_paste_point (WeirCanvas *self)
{
  WeirRect visible = weir_viewport_get_visible (&self->viewport);
  WeirPoint pointer = weir_viewport_to_diagram (&self->viewport, self->pointer);

  return self->pointer_inside && weir_rect_contains (visible, pointer)
             ? pointer
             : weir_rect_get_center (visible);
}

/* --- Moving by itself ------------------------------------------------------------------------ */

void
weir_canvas_stop_scrolling (WeirCanvas *self)
{
  if (self->scroll_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->scroll_tick);
  self->scroll_tick = 0;
}

void
weir_canvas_stop_coasting (WeirCanvas *self)
{
  if (self->coast_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->coast_tick);
  self->coast_tick = 0;
}
