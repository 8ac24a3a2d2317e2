/* The canvas by keyboard: one focusable node a block, and ways to get from one to another.
 *
 * Tab goes through the blocks in reading order and then out of the canvas; Ctrl with an arrow goes
 * along a wire. A block that gets the focus is selected.
 */
#include <math.h>

#include "canvas/widget/block-node.h"
#include "canvas/widget/canvas-shown.h"

/* Diagrams with more blocks than this have no nodes: Tab would be of no use among them, and the
 * widgets would cost more than the drawing. */
#define MAX_NODES 5000

#define ROW_HEIGHT 80.0 /* blocks whose middles lie in one row are read from left to right */

void
weir_canvas_sync_nodes (WeirCanvas *self)
{
  g_autoptr (GHashTable) old = g_steal_pointer (&self->nodes);
  GHashTableIter iter;
  gpointer key, value;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  guint n = weir_scene_get_n_blocks (self->scene);
  gboolean lost_focus = FALSE;

  self->nodes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < n && n <= MAX_NODES; i++)
    {
      guint32 id = weir_block_get_id (weir_scene_get_block (self->scene, i)->block);
      GtkWidget *node = g_hash_table_lookup (old, GUINT_TO_POINTER (id));
      g_autofree char *remarks = weir_canvas_dup_remarks (self, id);

      if (node == NULL)
        {
          node = weir_block_node_new (id);
          gtk_widget_set_parent (node, GTK_WIDGET (self));
        }
      else
        g_hash_table_remove (old, GUINT_TO_POINTER (id));
      g_hash_table_insert (self->nodes, GUINT_TO_POINTER (id), node);
      weir_block_node_update (WEIR_BLOCK_NODE (node), self->scene, remarks);
    }
  g_hash_table_iter_init (&iter, old);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      lost_focus |= root != NULL && gtk_root_get_focus (root) == value;
      if (lost_focus)
        gtk_widget_grab_focus (GTK_WIDGET (self));
      gtk_widget_unparent (value);
    }
  weir_canvas_sync_parts (self);
}

void
weir_canvas_select_nodes (WeirCanvas *self)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  GHashTableIter iter;
  gpointer id, node;

  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, &id, &node))
    gtk_accessible_update_state (
        GTK_ACCESSIBLE (node), GTK_ACCESSIBLE_STATE_SELECTED,
        weir_selection_contains (selection, WEIR_SELECT_BLOCK, GPOINTER_TO_UINT (id)), -1);
  weir_canvas_select_parts (self);
}

void
weir_canvas_allocate_nodes (WeirCanvas *self)
{
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->nodes);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const WeirBlockShape *shape = weir_scene_find_block (self->scene, GPOINTER_TO_UINT (key));
      WeirPoint at = weir_viewport_to_pixel (&self->viewport,
                                             (WeirPoint) { shape->box.x, shape->box.y });
      GtkAllocation allocation = { (int) floor (CLAMP (at.x, -1e6, 1e6)),
                                   (int) floor (CLAMP (at.y, -1e6, 1e6)),
                                   (int) ceil (shape->box.width * self->viewport.zoom),
                                   (int) ceil (shape->box.height * self->viewport.zoom) };

      gtk_widget_measure (value, GTK_ORIENTATION_HORIZONTAL, -1, NULL, NULL, NULL, NULL);
      gtk_widget_size_allocate (value, &allocation, -1);
    }
  weir_canvas_allocate_parts (self);
}

/* --- Focus ----------------------------------------------------------------------------------- */

static GtkWidget *
get_focus (WeirCanvas *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

gboolean
weir_canvas_has_own_focus (WeirCanvas *self)
{
  GtkWidget *focus = get_focus (self);

  return focus == GTK_WIDGET (self) || weir_canvas_get_focus_block (self) != 0;
}

guint32
weir_canvas_get_focus_block (WeirCanvas *self)
{
  GtkWidget *focus = get_focus (self);

  return focus != NULL && WEIR_IS_BLOCK_NODE (focus)
                 && gtk_widget_get_parent (focus) == GTK_WIDGET (self)
             ? weir_block_node_get_id (WEIR_BLOCK_NODE (focus))
             : 0;
}

void
weir_canvas_focus_block (WeirCanvas *self, guint32 id)
{
  GtkWidget *node = g_hash_table_lookup (self->nodes, GUINT_TO_POINTER (id));

  gtk_widget_grab_focus (node != NULL ? node : GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
go_to_block (WeirCanvas *self, guint32 id)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, id);

  weir_canvas_focus_block (self, id);
  if (self->extend_selection)
    weir_selection_add (weir_tool_get_selection (self->tool), WEIR_SELECT_BLOCK, id);
  else
    weir_selection_set_one (weir_tool_get_selection (self->tool), WEIR_SELECT_BLOCK, id);
  if (weir_viewport_reveal (&self->viewport, shape->reach))
    weir_canvas_view_changed (self);
  weir_canvas_update (self);
}

static int
compare_reading_order (gconstpointer a, gconstpointer b)
{
  const WeirBlockShape *x = *(const WeirBlockShape *const *) a;
  const WeirBlockShape *y = *(const WeirBlockShape *const *) b;
  WeirPoint p = weir_rect_get_center (x->box), q = weir_rect_get_center (y->box);
  double row_p = floor (p.y / ROW_HEIGHT), row_q = floor (q.y / ROW_HEIGHT);

  if (row_p != row_q)
    return row_p < row_q ? -1 : 1;
  if (p.x != q.x)
    return p.x < q.x ? -1 : 1;
  return p.y < q.y ? -1 : p.y > q.y;
}

static gboolean
move_focus (GtkWidget *widget, GtkDirectionType direction)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  g_autoptr (GPtrArray) order = g_ptr_array_new ();
  guint32 here = weir_canvas_get_focus_block (self);
  gboolean inside = weir_canvas_has_own_focus (self);
  int index = -1, step = direction == GTK_DIR_TAB_BACKWARD ? -1 : 1, next;

  if (direction != GTK_DIR_TAB_FORWARD && direction != GTK_DIR_TAB_BACKWARD)
    {
      if (inside)
        return FALSE;
      return gtk_widget_grab_focus (widget);
    }
  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    g_ptr_array_add (order, (gpointer) weir_scene_get_block (self->scene, i));
  g_ptr_array_sort (order, compare_reading_order);
  for (guint i = 0; i < order->len; i++)
    if (weir_block_get_id (((WeirBlockShape *) order->pdata[i])->block) == here)
      index = (int) i;
  if (order->len == 0 || g_hash_table_size (self->nodes) == 0)
    return inside ? FALSE : gtk_widget_grab_focus (widget);
  /* Forward: the canvas itself, then its blocks; backward: the same from the end. */
  if (!inside)
    {
      if (step > 0)
        return gtk_widget_grab_focus (widget);
      next = (int) order->len - 1;
    }
  else
    next = index + step;
  if (next == -1 && step < 0 && index == 0)
    return gtk_widget_grab_focus (widget);
  if (next < 0 || next >= (int) order->len)
    return FALSE;
  go_to_block (self, weir_block_get_id (((WeirBlockShape *) order->pdata[next])->block));
  return TRUE;
}

gboolean
weir_canvas_focus (GtkWidget *widget, GtkDirectionType direction)
{
  gboolean moved = move_focus (widget, direction);

  weir_canvas_forget_typing (WEIR_CANVAS (widget));
  return moved;
}

/* --- Along wires ----------------------------------------------------------------------------- */

gboolean
weir_canvas_follow_wire (WeirCanvas *self, WeirPoint direction)
{
  guint32 here = weir_canvas_get_focus_block (self), best = 0;
  const WeirBlockShape *shape;
  double best_score = 0.2; /* cosine: what lies nearly across is not in this direction */

  if (here == 0)
    here = weir_canvas_get_selected_block (self);
  shape = weir_scene_find_block (self->scene, here);
  if (shape == NULL)
    return FALSE;
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      WeirWire *wire = weir_scene_get_wire (self->scene, i)->wire;
      guint32 from = weir_wire_get_from (wire).block, to = weir_wire_get_to (wire).block;
      guint32 other = from == here ? to : to == here ? from : 0;
      const WeirBlockShape *there = weir_scene_find_block (self->scene, other);
      WeirPoint a, b;
      double length, score;

      if (there == NULL || other == here)
        continue;
      a = weir_rect_get_center (shape->box);
      b = weir_rect_get_center (there->box);
      length = hypot (b.x - a.x, b.y - a.y);
      score = ((b.x - a.x) * direction.x + (b.y - a.y) * direction.y) / MAX (length, 1);
      /* Along the flow: an output to the right counts before an input that comes from there. */
      if ((direction.x > 0 && from == here) || (direction.x < 0 && to == here))
        score += 0.1;
      if (score > best_score)
        {
          best_score = score;
          best = other;
        }
    }
  if (best == 0)
    return FALSE;
  go_to_block (self, best);
  return TRUE;
}

/* --- After typing ---------------------------------------------------------------------------- */

#define TYPING_PAUSE_US (600 * 1000) /* after which typing is over */

static void
focus_moved (WeirCanvas *self)
{
  GtkWidget *focus = gtk_root_get_focus (self->typing_root);
  gboolean is_typing = focus != NULL && (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus));

  if (self->is_typing && !is_typing)
    self->typed_at = g_get_monotonic_time ();
  self->is_typing = is_typing;
}

void
weir_canvas_follow_typing (WeirCanvas *self, GtkRoot *root)
{
  if (self->typing_root != NULL)
    g_clear_signal_handler (&self->typing_handler, self->typing_root);
  g_set_weak_pointer (&self->typing_root, root);
  self->is_typing = FALSE;
  self->typed_at = 0;
  if (self->typing_root != NULL)
    self->typing_handler = g_signal_connect_swapped (self->typing_root, "notify::focus-widget",
                                                     G_CALLBACK (focus_moved), self);
}

gboolean
weir_canvas_is_typed_on (WeirCanvas *self, guint keyval, GdkModifierType state)
{
  gint64 now = g_get_monotonic_time ();
  gunichar letter = gdk_keyval_to_unicode (keyval);

  if (now - self->typed_at > TYPING_PAUSE_US || !g_unichar_isalnum (letter)
      || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    {
      self->typed_at = 0;
      return FALSE;
    }
  self->typed_at = now;
  return TRUE;
}

void
weir_canvas_forget_typing (WeirCanvas *self)
{
  self->typed_at = 0;
}
