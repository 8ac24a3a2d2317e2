/* The canvas: its place in the model, its viewport, and what can be asked about the selection. */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "canvas/widget/canvas-private.h"
#include "widgets/look.h"

#define MAX_PAST 100 /* places to go back to */

/* --- The place ------------------------------------------------------------------------------- */

WeirPlace
weir_canvas_get_place (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), WEIR_PLACE_ROOT);
  return (WeirPlace) { (const guint32 *) (gpointer) self->place->data, self->place->len };
}

static gpointer
get_view_key (WeirCanvas *self)
{
  guint n = self->place->len;

  return GUINT_TO_POINTER (n == 0 ? 0 : g_array_index (self->place, guint32, n - 1));
}

/* Shows the whole diagram, or where its first block would go, if this place was not seen before. */
/* How large text is to be, for which diagrams open larger. */
static double
get_text_scale (WeirCanvas *self)
{
  return CLAMP (weir_look_get_text_scale (GTK_WIDGET (self)), 1, 3);
}

void
weir_canvas_ensure_view (WeirCanvas *self)
{
  const WeirViewport *old;

  if (self->has_view || self->viewport.width <= 0)
    return;
  self->has_view = TRUE;
  self->fit_zoom = 0;
  old = g_hash_table_lookup (self->views, get_view_key (self));
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

/* Without a mark in the history of places. */
static void
set_place_quietly (WeirCanvas *self, WeirPlace place)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  if (place.n_ids > 0)
    g_array_append_vals (ids, place.ids, place.n_ids);
  weir_tool_cancel (self->tool);
  if (self->has_view)
    g_hash_table_insert (self->views, get_view_key (self),
                         g_memdup2 (&self->viewport, sizeof self->viewport));
  g_array_unref (self->place);
  self->place = g_steal_pointer (&ids);
  while (weir_site_get_diagram (weir_canvas_get_site (self)) == NULL)
    g_array_set_size (self->place, self->place->len - 1);
  self->has_view = FALSE;
  weir_canvas_take_model (self);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self)); /* it was about the level before */
  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLACE_CHANGED], 0);
}

void
weir_canvas_set_place (WeirCanvas *self, WeirPlace place)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (place.n_ids == self->place->len
      && (place.n_ids == 0
          || memcmp (place.ids, self->place->data, place.n_ids * sizeof (guint32)) == 0))
    return;
  g_ptr_array_add (self->past, g_array_copy (self->place));
  if (self->past->len > MAX_PAST)
    g_ptr_array_remove_index (self->past, 0);
  g_ptr_array_set_size (self->future, 0);
  set_place_quietly (self, place);
}

/* Places that no longer exist are left out. */
void
weir_canvas_go_back (WeirCanvas *self, gboolean forward)
{
  GPtrArray *from = forward ? self->future : self->past, *to = forward ? self->past : self->future;

  while (from->len > 0)
    {
      g_autoptr (GArray) ids = g_ptr_array_steal_index (from, from->len - 1);
      WeirPlace place = { (const guint32 *) (gpointer) ids->data, ids->len };

      if (weir_model_get_diagram (weir_document_get_model (self->document), place) == NULL)
        continue;
      g_ptr_array_add (to, g_array_copy (self->place));
      set_place_quietly (self, place);
      break;
    }
  weir_canvas_update_actions (self);
}

void
weir_canvas_enter (WeirCanvas *self, guint32 block)
{
  g_autoptr (GArray) ids = g_array_copy (self->place);

  g_array_append_val (ids, block);
  if (weir_model_get_diagram (weir_document_get_model (self->document),
                              (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len })
      != NULL)
    weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
}

void
weir_canvas_leave (WeirCanvas *self)
{
  guint32 left;

  if (self->place->len == 0)
    return;
  left = g_array_index (self->place, guint32, self->place->len - 1);
  weir_canvas_set_place (
      self, (WeirPlace) { (const guint32 *) (gpointer) self->place->data, self->place->len - 1 });
  weir_canvas_select_block (self, left);
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
  weir_canvas_update_minimap (self);
  weir_canvas_update_actions (self);
  g_object_notify (G_OBJECT (self), "zoom");
}

double
weir_canvas_get_zoom (WeirCanvas *self)
{
  g_return_val_if_fail (WEIR_IS_CANVAS (self), 1);
  return self->viewport.zoom;
}

/* --- The selection --------------------------------------------------------------------------- */

static char *
dup_port_path (WeirCanvas *self, guint32 block, const char *port)
{
  g_autofree char *path = weir_model_dup_block_path (weir_document_get_model (self->document),
                                                     block);

  return path != NULL ? g_strdup_printf ("%s.%s", path, port) : NULL;
}

char *
weir_canvas_get_selected_port (WeirCanvas *self)
{
  guint32 id;
  guint n_blocks, n_wires;
  const guint32 *wires;
  const WeirBlockShape *shape;

  g_return_val_if_fail (WEIR_IS_CANVAS (self), NULL);

  weir_canvas_get_selected (self, &n_blocks);
  wires = weir_canvas_get_selected_wires (self, &n_wires);
  if (n_wires == 1 && n_blocks == 0)
    {
      const WeirWireShape *wire = weir_scene_find_wire (self->scene, wires[0]);
      WeirWireEnd from = weir_wire_get_from (wire->wire);

      return wire->from_connected ? dup_port_path (self, from.block, from.port) : NULL;
    }
  id = weir_canvas_get_selected_block (self);
  shape = weir_scene_find_block (self->scene, id);
  if (shape == NULL)
    return NULL;
  if (self->chosen_block == id
      && weir_block_shape_find_port (shape, self->chosen_port, TRUE) != NULL)
    return dup_port_path (self, id, self->chosen_port);
  return shape->n_outputs > 0 ? dup_port_path (self, id, shape->ports[shape->n_inputs].name) : NULL;
}

static void
select_and_reveal (WeirCanvas *self, WeirSelectKind kind, guint32 id, WeirRect reach)
{
  weir_selection_set_one (weir_tool_get_selection (self->tool), kind, id);
  weir_canvas_ensure_view (self);
  if (self->has_view && weir_viewport_reveal (&self->viewport, reach))
    weir_canvas_view_changed (self);
  weir_canvas_update (self);
}

/* Shows the diagram that an element of the model is in. FALSE: there is none; nothing is selected.
 */
static gboolean
go_to_element (WeirCanvas *self, WeirSelectKind kind, guint32 id)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));
  WeirModel *model = weir_document_get_model (self->document);

  weir_tool_cancel (self->tool);
  if (kind == WEIR_SELECT_BLOCK  ? weir_model_find_block (model, id, ids) == NULL
      : kind == WEIR_SELECT_WIRE ? weir_model_find_wire (model, id, ids) == NULL
                                 : weir_model_find_note (model, id, ids) == NULL)
    {
      weir_selection_set_none (weir_tool_get_selection (self->tool));
      weir_canvas_update (self);
      return FALSE;
    }
  weir_canvas_set_place (self, (WeirPlace) { (const guint32 *) (gpointer) ids->data, ids->len });
  return TRUE;
}

void
weir_canvas_select_block (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_BLOCK, id))
    select_and_reveal (self, WEIR_SELECT_BLOCK, id, weir_scene_find_block (self->scene, id)->reach);
}

void
weir_canvas_select_blocks (WeirCanvas *self, const guint32 *ids, guint n)
{
  g_autoptr (GArray) here = g_array_new (FALSE, FALSE, sizeof (guint32));

  g_return_if_fail (WEIR_IS_CANVAS (self));

  weir_canvas_select_block (self, n > 0 ? ids[0] : 0);
  for (guint i = 0; i < n; i++)
    if (weir_scene_find_block (self->scene, ids[i]) != NULL)
      g_array_append_val (here, ids[i]);
  if (here->len < 2)
    return;
  weir_selection_set (weir_tool_get_selection (self->tool), here, NULL, NULL);
  weir_canvas_update (self);
}

void
weir_canvas_select_wire (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_WIRE, id))
    select_and_reveal (self, WEIR_SELECT_WIRE, id, weir_scene_find_wire (self->scene, id)->reach);
}

void
weir_canvas_select_note (WeirCanvas *self, guint32 id)
{
  g_return_if_fail (WEIR_IS_CANVAS (self));

  if (go_to_element (self, WEIR_SELECT_NOTE, id))
    select_and_reveal (self, WEIR_SELECT_NOTE, id,
                       weir_scene_get_note_box (
                           weir_diagram_find_note (weir_scene_get_diagram (self->scene), id)));
}
