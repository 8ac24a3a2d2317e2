/* The keys of the canvas: those of its actions, and those that move, resize or lead on. */
#include <math.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-shown.h"
#include "paint/ground/routing.h"

/* --- Keys without an action ------------------------------------------------------------------ */

/* Of a wire: its middle piece goes sideways. */
static void
nudge_wire (WeirCanvas *self, guint32 id, WeirPoint direction, double step)
{
  const WeirWireShape *wire = weir_scene_find_wire (self->scene, id);
  g_autoptr (GArray) bends = g_array_new (FALSE, FALSE, sizeof (WeirPoint));
  guint best = G_MAXUINT;

  for (guint i = 0; i + 1 < wire->n_points; i++)
    {
      gboolean upright = wire->points[i].x == wire->points[i + 1].x;
      double middle = (wire->n_points - 2) / 2.0;

      if ((direction.x != 0) == upright
          && (best == G_MAXUINT || fabs (i - middle) < fabs (best - middle)))
        best = i;
    }
  if (best == G_MAXUINT)
    return;
  weir_route_move_segment (wire->points, wire->n_points, best,
                           (WeirPoint) { direction.x * step, direction.y * step }, bends);
  weir_canvas_apply (self,
                     weir_edit_set_bends (weir_canvas_get_site (self), id,
                                          (const WeirPoint *) (gpointer) bends->data, bends->len),
                     "nudge");
}

static void
nudge (WeirCanvas *self, WeirPoint direction, double step)
{
  WeirElements what = weir_canvas_get_elements (self);

  if (what.n_blocks + what.n_notes == 0 && what.n_wires == 1)
    nudge_wire (self, what.wires[0], direction, step);
  else if (what.n_blocks + what.n_notes == 0)
    {
      weir_viewport_pan (&self->viewport, -direction.x * 6 * step, -direction.y * 6 * step);
      weir_canvas_view_changed (self);
    }
  else
    weir_canvas_apply (self,
                       weir_edit_move (weir_canvas_get_site (self), what,
                                       (WeirPoint) { direction.x * step, direction.y * step }),
                       "nudge");
}

/* The lower right corner of the one selected block or frame. */
static void
resize (WeirCanvas *self, WeirPoint direction)
{
  WeirElements what = weir_canvas_get_elements (self);
  double step = 2 * WEIR_GRID;
  WeirRect box;

  if (!weir_tool_get_handles (self->tool, &box))
    return;
  box.width = MAX (step, box.width + direction.x * step);
  box.height = MAX (step, box.height + direction.y * step);
  weir_canvas_apply (self,
                     weir_edit_resize (weir_canvas_get_site (self),
                                       what.n_blocks > 0 ? what.blocks[0] : what.notes[0], box),
                     "resize");
}

static gboolean
get_arrow (guint keyval, WeirPoint *direction)
{
  switch (keyval)
    {
    case GDK_KEY_Left:
    case GDK_KEY_KP_Left:
      *direction = (WeirPoint) { -1, 0 };
      return TRUE;
    case GDK_KEY_Right:
    case GDK_KEY_KP_Right:
      *direction = (WeirPoint) { 1, 0 };
      return TRUE;
    case GDK_KEY_Up:
    case GDK_KEY_KP_Up:
      *direction = (WeirPoint) { 0, -1 };
      return TRUE;
    case GDK_KEY_Down:
    case GDK_KEY_KP_Down:
      *direction = (WeirPoint) { 0, 1 };
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- Keys of actions ------------------------------------------------------------------------- */

typedef struct {
  guint keyval; /* lower case */
  GdkModifierType modifiers;
  guint command;
} Key;

/* The keys of the table, parsed once. */
static const GArray *
get_keys (void)
{
  static GArray *keys;

  if (keys != NULL)
    return keys;
  keys = g_array_new (FALSE, FALSE, sizeof (Key));
  for (guint i = 0; i < weir_canvas_get_n_commands (); i++)
    {
      const char *named = weir_canvas_get_command (i)->keys;
      g_auto (GStrv) all = g_strsplit (named != NULL ? named : "", " ", -1);

      for (guint k = 0; all[k] != NULL; k++)
        {
          Key key = { 0, 0, i };

          if (!gtk_accelerator_parse (all[k], &key.keyval, &key.modifiers))
            continue;
          key.keyval = gdk_keyval_to_lower (key.keyval);
          g_array_append_val (keys, key);
        }
    }
  return keys;
}

static gboolean
activate (WeirCanvas *self, const WeirCanvasCommand *command)
{
  return command->target != NULL
             ? gtk_widget_activate_action (GTK_WIDGET (self), command->action, "s", command->target)
             : gtk_widget_activate_action (GTK_WIDGET (self), command->action, NULL);
}

static WeirPoint
get_menu_point (WeirCanvas *self)
{
  const WeirBlockShape *shape = weir_scene_find_block (self->scene,
                                                       weir_canvas_get_selected_block (self));

  return shape != NULL ? weir_viewport_to_pixel (&self->viewport, weir_rect_get_center (shape->box))
                       : (WeirPoint) { self->viewport.width / 2, self->viewport.height / 2 };
}

gboolean
weir_canvas_handle_shortcut (WeirCanvas *self, guint keyval, GdkModifierType state)
{
  GdkModifierType modifiers = state
                              & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);
  const GArray *keys = get_keys ();
  WeirPoint direction;

  if (get_arrow (keyval, &direction))
    {
      if (modifiers == GDK_CONTROL_MASK)
        return weir_canvas_follow_wire (self, direction);
      if (modifiers == 0 || modifiers == GDK_SHIFT_MASK)
        {
          nudge (self, direction, modifiers == 0 ? WEIR_GRID : 1);
          return TRUE;
        }
      if (modifiers == (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
        {
          resize (self, direction);
          return TRUE;
        }
    }
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && modifiers == GDK_SHIFT_MASK))
    {
      weir_canvas_show_menu (self, get_menu_point (self));
      return TRUE;
    }
  for (guint i = 0; i < keys->len; i++)
    {
      const Key *key = &g_array_index (keys, Key, i);

      if (gdk_keyval_to_lower (keyval) == key->keyval && modifiers == key->modifiers
          && activate (self, weir_canvas_get_command (key->command)))
        return TRUE;
    }
  return FALSE;
}
