/* What the canvas can do, as actions, and the keys that do it.
 *
 * Keys are a table of our own rather than key bindings of the class: they must not act while an entry
 * of a popover, which is a child of the canvas, has the focus.
 */
#include <glib/gi18n-lib.h>

#include <string.h>

#include "canvas/canvas-private.h"
#include "model/xml.h"

#define FRAGMENT_TYPE "application/x-weir+xml"

static const guint32 *
get_blocks (WeirCanvas *self, guint *n)
{
  return weir_canvas_get_selected (self, n);
}

/* --- Editing ------------------------------------------------------------------------------------------ */

static void
delete_selection (WeirCanvas *self)
{

  weir_canvas_apply (
    self, weir_edit_delete (weir_canvas_get_site (self), weir_canvas_get_elements (self)), NULL);
}

static void
on_delete (GtkWidget *widget, const char *name, GVariant *parameter)
{
  delete_selection (WEIR_CANVAS (widget));
}

static void
on_duplicate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_apply (self,
                     weir_edit_duplicate (weir_canvas_get_site (self), weir_canvas_get_elements (self),
                                          (WeirPoint) { 2 * WEIR_GRID, 2 * WEIR_GRID }),
                     NULL);
}

static void
turn (GtkWidget *widget, int quarters)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint n;
  const guint32 *blocks = get_blocks (self, &n);
  WeirSite site = weir_canvas_get_site (self);

  weir_canvas_apply (self,
                     quarters == 0 ? weir_edit_flip (site, blocks, n, FALSE)
                                   : weir_edit_rotate (site, blocks, n, quarters),
                     NULL);
}

static void
on_rotate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  turn (widget, 1);
}

static void
on_rotate_back (GtkWidget *widget, const char *name, GVariant *parameter)
{
  turn (widget, -1);
}

static void
on_flip (GtkWidget *widget, const char *name, GVariant *parameter)
{
  turn (widget, 0);
}

static void
on_rename (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint32 block = weir_canvas_get_selected_block (self);

  if (block != 0)
    weir_canvas_show_rename (self, block);
}

/* --- Clipboard ----------------------------------------------------------------------------------------- */

static void
on_copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirElements what = weir_canvas_get_elements (self);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;
  GdkContentProvider *providers[2];
  g_autoptr (GdkContentProvider) both = NULL;

  if (what.n_blocks + what.n_notes == 0)
    return;
  bytes = weir_fragment_write (weir_scene_get_diagram (self->scene), what.blocks, what.n_blocks,
                               what.notes, what.n_notes);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  /* Also as text, so that it can be pasted into a message or an editor. */
  providers[0] = gdk_content_provider_new_for_bytes (FRAGMENT_TYPE, bytes);
  providers[1] = gdk_content_provider_new_typed (G_TYPE_STRING, text);
  both = gdk_content_provider_new_union (providers, 2);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), both);
  self->paste_count = 0;
}

static void
on_cut (GtkWidget *widget, const char *name, GVariant *parameter)
{
  on_copy (widget, name, parameter);
  delete_selection (WEIR_CANVAS (widget));
}

static gboolean
extend_reach (WeirBlock *block, gpointer data)
{
  WeirRect *reach = data;
  WeirPoint at = weir_block_get_position (block), size = weir_block_get_turned_size (block);
  WeirRect box = { at.x, at.y, size.x, size.y };

  *reach = reach->width > 0 ? weir_rect_union (*reach, box) : box;
  return TRUE;
}

/* Pastes at the pointer if it is over the canvas, again and again a step on; else near the middle,
 * where there is room. */
static void
paste_text (WeirCanvas *self, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;
  g_autoptr (WeirDiagram) fragment = weir_fragment_read (bytes, &error);
  WeirRect reach = { 0, 0, 0, 0 };
  WeirPoint at, center;
  double step;

  if (fragment == NULL)
    {
      weir_canvas_say (self, _("What is on the clipboard is not part of a diagram."));
      return;
    }
  weir_diagram_foreach_block (fragment, extend_reach, &reach);
  center = weir_rect_get_center (reach);
  at = weir_canvas_get_paste_point (self);
  if (!self->pointer_inside)
    {
      WeirPoint corner = weir_edit_find_room (self->scene, (WeirPoint) { reach.width, reach.height },
                                              (WeirPoint) { at.x - reach.width / 2,
                                                            at.y - reach.height / 2 });

      at = (WeirPoint) { corner.x + reach.width / 2, corner.y + reach.height / 2 };
      self->paste_count = 0;
    }
  step = 2 * WEIR_GRID * self->paste_count++;
  weir_canvas_apply (self,
                     weir_edit_paste (weir_canvas_get_site (self), fragment,
                                      (WeirPoint) { weir_snap (at.x - center.x) + step,
                                                    weir_snap (at.y - center.y) + step }),
                     NULL);
}

WeirPoint
weir_canvas_get_paste_point (WeirCanvas *self)
{
  WeirRect visible = weir_viewport_get_visible (&self->viewport);
  WeirPoint pointer = weir_viewport_to_diagram (&self->viewport, self->pointer);

  return self->pointer_inside && weir_rect_contains (visible, pointer)
           ? pointer : weir_rect_get_center (visible);
}

static void
on_text_read (GObject *clipboard, GAsyncResult *result, gpointer data)
{
  g_autoptr (WeirCanvas) self = data;
  g_autofree char *text
    = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (clipboard), result, NULL);

  if (text != NULL)
    paste_text (self, text);
  else
    weir_canvas_say (self, _("There is nothing on the clipboard to paste."));
}

static void
on_paste (GtkWidget *widget, const char *name, GVariant *parameter)
{
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_text_read,
                                 g_object_ref (widget));
}

/* --- Selecting -------------------------------------------------------------------------------------------- */

typedef struct {
  const WeirSelection *selection;
  gboolean all;
  GArray *chosen;
} NoteChoice;

static gboolean
choose_note (WeirNote *note, gpointer data)
{
  NoteChoice *choice = data;
  guint32 id = weir_note_get_id (note);

  if (choice->all || !weir_selection_contains (choice->selection, WEIR_SELECT_NOTE, id))
    g_array_append_val (choice->chosen, id);
  return TRUE;
}

static void
select_where (WeirCanvas *self, gboolean all)
{
  WeirSelection *selection = weir_tool_get_selection (self->tool);
  g_autoptr (GArray) blocks = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) wires = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) notes = g_array_new (FALSE, FALSE, sizeof (guint32));
  NoteChoice choice = { selection, all, notes };

  weir_diagram_foreach_note (weir_scene_get_diagram (self->scene), choose_note, &choice);
  for (guint i = 0; i < weir_scene_get_n_blocks (self->scene); i++)
    {
      guint32 id = weir_block_get_id (weir_scene_get_block (self->scene, i)->block);

      if (all || !weir_selection_contains (selection, WEIR_SELECT_BLOCK, id))
        g_array_append_val (blocks, id);
    }
  for (guint i = 0; i < weir_scene_get_n_wires (self->scene); i++)
    {
      guint32 id = weir_wire_get_id (weir_scene_get_wire (self->scene, i)->wire);

      if (all || !weir_selection_contains (selection, WEIR_SELECT_WIRE, id))
        g_array_append_val (wires, id);
    }
  weir_selection_set (selection, blocks, wires, notes);
  weir_canvas_update (self);
}

static void
on_select_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  select_where (WEIR_CANVAS (widget), TRUE);
}

static void
on_select_inverse (GtkWidget *widget, const char *name, GVariant *parameter)
{
  select_where (WEIR_CANVAS (widget), FALSE);
}

static void
on_select_none (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_selection_set_none (weir_tool_get_selection (self->tool));
  weir_canvas_update (self);
}

/* --- Viewing ------------------------------------------------------------------------------------------------ */

static void
on_zoom (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  if (g_str_equal (name, "canvas.zoom-in"))
    weir_viewport_zoom_step (&self->viewport, 1);
  else if (g_str_equal (name, "canvas.zoom-out"))
    weir_viewport_zoom_step (&self->viewport, -1);
  else
    weir_viewport_set_zoom (&self->viewport, 1);
  weir_canvas_view_changed (self);
}

static void
on_zoom_fit (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  WeirRect reach = weir_scene_get_reach (self->scene);

  if (reach.width <= 0)
    return;
  weir_viewport_fit (&self->viewport, reach, 1.5);
  weir_canvas_view_changed (self);
}

static void
on_zoom_selection (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint n;
  const guint32 *ids = get_blocks (self, &n);
  WeirRect reach = { 0, 0, 0, 0 };
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    {
      WeirRect box = weir_scene_find_block (self->scene, ids[i])->reach;

      reach = any ? weir_rect_union (reach, box) : box;
      any = TRUE;
    }
  ids = weir_canvas_get_selected_wires (self, &n);
  for (guint i = 0; i < n; i++)
    {
      WeirRect box = weir_scene_find_wire (self->scene, ids[i])->reach;

      reach = any ? weir_rect_union (reach, box) : box;
      any = TRUE;
    }
  if (!any)
    {
      on_zoom_fit (widget, name, parameter);
      return;
    }
  weir_viewport_fit (&self->viewport, reach, 2);
  weir_canvas_view_changed (self);
}

/* --- Going about ---------------------------------------------------------------------------------------------- */

static void
on_enter (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint32 id = weir_canvas_get_selected_block (self);
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, id);

  if (shape == NULL)
    return;
  if (weir_block_get_diagram (shape->block) != NULL)
    weir_canvas_enter (self, id);
  else
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_ACTIVATE_BLOCK], 0, id);
}

static void
on_leave (GtkWidget *widget, const char *name, GVariant *parameter)
{
  weir_canvas_leave (WEIR_CANVAS (widget));
}

static void
on_quick_insert (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);

  weir_canvas_show_quick_insert (self, weir_canvas_get_paste_point (self));
}

static void
on_plot_port (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  g_autofree char *path = weir_canvas_get_selected_port (self);

  if (path != NULL)
    g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_PLOT_PORT], 0, path);
}

/* Starts wiring by keyboard from a free port of the selected block: outputs first. */
static void
on_connect (GtkWidget *widget, const char *name, GVariant *parameter)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  guint32 id = weir_canvas_get_selected_block (self);
  const WeirBlockShape *shape = weir_scene_find_block (self->scene, id);
  const WeirPortShape *start = NULL;

  for (guint i = 0; shape != NULL && i < shape->n_inputs + shape->n_outputs; i++)
    {
      const WeirPortShape *port = &shape->ports[i];
      gboolean is_free = !weir_scene_is_connected (self->scene, id, port->name, port->is_output);

      if (start == NULL || (is_free && port->is_output && !start->is_output)
          || (is_free && weir_scene_is_connected (self->scene, id, start->name, start->is_output)))
        start = port;
    }
  if (start != NULL)
    weir_tool_begin_wire (self->tool, id, start->name, start->is_output);
  weir_canvas_update (self);
}

/* --- Keys without an action -------------------------------------------------------------------------------------- */

static gboolean
nudge (WeirCanvas *self, WeirPoint direction, double step)
{
  WeirElements what = weir_canvas_get_elements (self);

  if (what.n_blocks + what.n_notes == 0)
    {
      weir_viewport_pan (&self->viewport, -direction.x * 6 * step, -direction.y * 6 * step);
      weir_canvas_view_changed (self);
      return TRUE;
    }
  weir_canvas_apply (self,
                     weir_edit_move (weir_canvas_get_site (self), weir_canvas_get_elements (self),
                                     (WeirPoint) { direction.x * step, direction.y * step }),
                     "nudge");
  return TRUE;
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

static const struct {
  guint keyval; /* lower case */
  GdkModifierType modifiers;
  const char *action;
} shortcuts[] = {
  { GDK_KEY_Delete, 0, "canvas.delete" },
  { GDK_KEY_KP_Delete, 0, "canvas.delete" },
  { GDK_KEY_BackSpace, 0, "canvas.delete" },
  { GDK_KEY_x, GDK_CONTROL_MASK, "canvas.cut" },
  { GDK_KEY_c, GDK_CONTROL_MASK, "canvas.copy" },
  { GDK_KEY_v, GDK_CONTROL_MASK, "canvas.paste" },
  { GDK_KEY_d, GDK_CONTROL_MASK, "canvas.duplicate" },
  { GDK_KEY_a, GDK_CONTROL_MASK, "canvas.select-all" },
  { GDK_KEY_a, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "canvas.select-none" },
  { GDK_KEY_i, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "canvas.select-inverse" },
  { GDK_KEY_Escape, 0, "canvas.select-none" },
  { GDK_KEY_r, GDK_CONTROL_MASK, "canvas.rotate" },
  { GDK_KEY_r, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "canvas.rotate-back" },
  { GDK_KEY_i, GDK_CONTROL_MASK, "canvas.flip" },
  { GDK_KEY_F2, 0, "canvas.rename" },
  { GDK_KEY_Return, 0, "canvas.enter" },
  { GDK_KEY_KP_Enter, 0, "canvas.enter" },
  { GDK_KEY_Up, GDK_ALT_MASK, "canvas.leave" },
  { GDK_KEY_KP_Up, GDK_ALT_MASK, "canvas.leave" },
  { GDK_KEY_plus, GDK_CONTROL_MASK, "canvas.zoom-in" },
  { GDK_KEY_plus, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "canvas.zoom-in" },
  { GDK_KEY_equal, GDK_CONTROL_MASK, "canvas.zoom-in" },
  { GDK_KEY_KP_Add, GDK_CONTROL_MASK, "canvas.zoom-in" },
  { GDK_KEY_minus, GDK_CONTROL_MASK, "canvas.zoom-out" },
  { GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, "canvas.zoom-out" },
  { GDK_KEY_0, GDK_CONTROL_MASK, "canvas.zoom-100" },
  { GDK_KEY_KP_0, GDK_CONTROL_MASK, "canvas.zoom-100" },
  { GDK_KEY_f, 0, "canvas.zoom-selection" },
  { GDK_KEY_apostrophe, GDK_CONTROL_MASK, "canvas.show-grid" },
  { GDK_KEY_slash, 0, "canvas.quick-insert" },
  { GDK_KEY_space, GDK_CONTROL_MASK, "canvas.quick-insert" },
  { GDK_KEY_c, 0, "canvas.connect" },
};

gboolean
weir_canvas_handle_shortcut (WeirCanvas *self, guint keyval, GdkModifierType state)
{
  GdkModifierType modifiers
    = state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK | GDK_SUPER_MASK);
  WeirPoint direction;

  if (get_arrow (keyval, &direction))
    {
      if (modifiers == GDK_CONTROL_MASK)
        return weir_canvas_follow_wire (self, direction);
      if (modifiers == 0)
        return nudge (self, direction, WEIR_GRID);
      if (modifiers == GDK_SHIFT_MASK)
        return nudge (self, direction, 1);
    }
  if (keyval == GDK_KEY_Menu || (keyval == GDK_KEY_F10 && modifiers == GDK_SHIFT_MASK))
    {
      const WeirBlockShape *shape
        = weir_scene_find_block (self->scene, weir_canvas_get_selected_block (self));
      WeirPoint at = { self->viewport.width / 2, self->viewport.height / 2 };

      if (shape != NULL)
        at = weir_viewport_to_pixel (&self->viewport, weir_rect_get_center (shape->box));
      weir_canvas_show_menu (self, at);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (gdk_keyval_to_lower (keyval) == shortcuts[i].keyval && modifiers == shortcuts[i].modifiers)
      return gtk_widget_activate_action (GTK_WIDGET (self), shortcuts[i].action, NULL);
  return FALSE;
}

/* --- All of them --------------------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  GtkWidgetActionActivateFunc activate;
} actions[] = {
  { "canvas.cut", on_cut },
  { "canvas.copy", on_copy },
  { "canvas.paste", on_paste },
  { "canvas.duplicate", on_duplicate },
  { "canvas.delete", on_delete },
  { "canvas.rotate", on_rotate },
  { "canvas.rotate-back", on_rotate_back },
  { "canvas.flip", on_flip },
  { "canvas.rename", on_rename },
  { "canvas.select-all", on_select_all },
  { "canvas.select-none", on_select_none },
  { "canvas.select-inverse", on_select_inverse },
  { "canvas.zoom-in", on_zoom },
  { "canvas.zoom-out", on_zoom },
  { "canvas.zoom-100", on_zoom },
  { "canvas.zoom-fit", on_zoom_fit },
  { "canvas.zoom-selection", on_zoom_selection },
  { "canvas.enter", on_enter },
  { "canvas.leave", on_leave },
  { "canvas.quick-insert", on_quick_insert },
  { "canvas.plot-port", on_plot_port },
  { "canvas.connect", on_connect },
};

void
weir_canvas_class_install_actions (GtkWidgetClass *widget_class)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (widget_class, actions[i].name, NULL, actions[i].activate);
  gtk_widget_class_install_property_action (widget_class, "canvas.show-grid", "show-grid");
  gtk_widget_class_install_property_action (widget_class, "canvas.snap", "snap");
}

void
weir_canvas_update_actions (WeirCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  guint n_blocks, n_wires;
  guint32 one = weir_canvas_get_selected_block (self);
  g_autofree char *port = weir_canvas_get_selected_port (self);
  gboolean has_blocks = weir_scene_get_n_blocks (self->scene) > 0;
  static const char *const of_blocks[]
    = { "canvas.cut", "canvas.copy", "canvas.duplicate", "canvas.rotate", "canvas.rotate-back",
        "canvas.flip" };

  weir_canvas_get_selected (self, &n_blocks);
  weir_canvas_get_selected_wires (self, &n_wires);
  for (guint i = 0; i < G_N_ELEMENTS (of_blocks); i++)
    gtk_widget_action_set_enabled (widget, of_blocks[i], n_blocks > 0);
  gtk_widget_action_set_enabled (widget, "canvas.delete", n_blocks + n_wires > 0);
  gtk_widget_action_set_enabled (widget, "canvas.rename", one != 0);
  gtk_widget_action_set_enabled (widget, "canvas.enter", one != 0);
  gtk_widget_action_set_enabled (widget, "canvas.connect", one != 0);
  gtk_widget_action_set_enabled (widget, "canvas.plot-port", port != NULL);
  gtk_widget_action_set_enabled (widget, "canvas.leave", self->place->len > 0);
  gtk_widget_action_set_enabled (widget, "canvas.zoom-fit", has_blocks);
  gtk_widget_action_set_enabled (widget, "canvas.select-all", has_blocks);
  gtk_widget_action_set_enabled (widget, "canvas.select-inverse", has_blocks);
}
