/* Pointer, scrolling, keys and drops, turned into calls of the tool and the viewport.
 *
 * Pressing the primary button starts a gesture of the tool, or pans while Space is held; the middle
 * button pans; the secondary button opens the menu, or branches off a wire when dragged from one.
 * The wheel works during all of them. What fingers do besides is in canvas-touch.c.
 */
#include <math.h>

#include "canvas/widget/canvas-actions.h"
#include "canvas/widget/canvas-asks.h"
#include "canvas/widget/canvas-ground.h"
#include "canvas/widget/canvas-shown.h"

#define WHEEL_PIXELS 64.0 /* of a notch */
#define FINGER_PIXELS                                                                              \
  3.0 /* a finger hits what a pointer would hit with pixels so much larger: 44 across a port */
#define EDGE 28.0       /* pixels: dragging within these scrolls */
#define EDGE_SPEED 12.0 /* pixels a frame at most */
#define BRANCH_PIXELS 5.0

static WeirToolModifiers
to_modifiers (GdkModifierType state)
{
  return (state & GDK_SHIFT_MASK ? WEIR_TOOL_EXTEND : 0)
         | (state & GDK_CONTROL_MASK ? WEIR_TOOL_TOGGLE : 0)
         | (state & GDK_ALT_MASK ? WEIR_TOOL_FREE : 0);
}

static WeirToolModifiers
get_modifiers (gpointer controller)
{
  return to_modifiers (
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller)));
}

static WeirPoint
to_diagram (WeirCanvas *self, WeirPoint pixel)
{
  return weir_viewport_to_diagram (&self->viewport, pixel);
}

static void
set_cursor (WeirCanvas *self)
{
  WeirHit hover = weir_tool_get_hover (self->tool);
  int handle = weir_tool_get_handle (self->tool);
  const char *name = NULL;

  if (self->panning)
    name = "grabbing";
  else if (self->space_held)
    name = "grab";
  else
    switch (weir_tool_get_state (self->tool))
      {
      case WEIR_TOOL_MOVING:
        name = self->is_carried ? "copy" : "grabbing";
        break;
      case WEIR_TOOL_WIRING:
        name = weir_tool_get_refusal (self->tool) != NULL ? "not-allowed" : "crosshair";
        break;
      case WEIR_TOOL_IDLE:
        if (hover.kind == WEIR_HIT_PORT)
          name = "crosshair";
        else if (handle >= 0)
          name = handle % 2 == 0 ? "nwse-resize" : "nesw-resize";
        break;
      case WEIR_TOOL_RESIZING:
        name = handle % 2 == 0 ? "nwse-resize" : "nesw-resize";
        break;
      case WEIR_TOOL_PRESSED:
      case WEIR_TOOL_BANDING:
      case WEIR_TOOL_BENDING:
      default:
        break;
      }
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), name);
}

/* The edit of a gesture that ended; or what it offers. */
static void
take_outcome (WeirCanvas *self, WeirEdit *edit)
{
  WeirToolOffer offer = weir_tool_get_offer (self->tool);

  weir_canvas_apply (self, edit, NULL);
  if (weir_tool_port_is_set (offer.source))
    weir_canvas_show_offer (self, offer);
}

void
weir_canvas_move_tool (WeirCanvas *self, WeirToolModifiers modifiers)
{
  weir_tool_motion (self->tool, to_diagram (self, self->pointer), modifiers);
  weir_canvas_update (self);
  set_cursor (self);
}

/* --- Panning and scrolling near the edge ----------------------------------------------------- */

static void
begin_pan (WeirCanvas *self, double x, double y)
{
  self->panning = TRUE;
  self->space_used = TRUE;
  self->pan_last = (WeirPoint) { x, y };
  set_cursor (self);
}

static void
pan_to (WeirCanvas *self, double x, double y)
{
  weir_viewport_pan (&self->viewport, x - self->pan_last.x, y - self->pan_last.y);
  self->pan_last = (WeirPoint) { x, y };
  weir_canvas_view_changed (self);
}

static double
get_edge_speed (double position, double length)
{
  double speed = 0;

  if (position < EDGE)
    speed = (EDGE - position) / EDGE;
  else if (position > length - EDGE)
    speed = -(position - (length - EDGE)) / EDGE;
  return CLAMP (speed, -1, 1) * EDGE_SPEED;
}

static gboolean
on_edge_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  WeirCanvas *self = WEIR_CANVAS (widget);
  double dx = get_edge_speed (self->pointer.x, self->viewport.width);
  double dy = get_edge_speed (self->pointer.y, self->viewport.height);
  WeirToolState state = weir_tool_get_state (self->tool);

  if (!self->dragging || self->is_carried || (dx == 0 && dy == 0) || state == WEIR_TOOL_IDLE
      || state == WEIR_TOOL_PRESSED)
    {
      self->scroll_tick = 0;
      return G_SOURCE_REMOVE;
    }
  weir_viewport_pan (&self->viewport, dx, dy);
  weir_canvas_view_changed (self);
  weir_canvas_move_tool (self, 0);
  return G_SOURCE_CONTINUE;
}

static void
scroll_near_edge (WeirCanvas *self)
{
  if (self->scroll_tick == 0
      && (get_edge_speed (self->pointer.x, self->viewport.width) != 0
          || get_edge_speed (self->pointer.y, self->viewport.height) != 0))
    self->scroll_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_edge_tick, NULL, NULL);
}

/* --- Onto something beside the canvas --------------------------------------------------------- */

static gboolean
tell_carried (WeirCanvas *self, double x, double y, gboolean lets_go)
{
  gboolean is_taken = FALSE;

  g_signal_emit (self, weir_canvas_signals[WEIR_CANVAS_CARRIED], 0, x, y, lets_go, &is_taken);
  return is_taken;
}

/* Does something take what is moved, where the pointer is? */
static gboolean
carry (WeirCanvas *self, gboolean lets_go)
{
  return weir_tool_get_state (self->tool) == WEIR_TOOL_MOVING
         && tell_carried (self, self->pointer.x, self->pointer.y, lets_go);
}

static void
stop_carrying (WeirCanvas *self)
{
  if (self->is_carried)
    tell_carried (self, (double) NAN, (double) NAN, FALSE);
  self->is_carried = FALSE;
}

/* --- Primary button -------------------------------------------------------------------------- */

/* A click on an output chooses what a plot would show. */
static void
note_chosen_port (WeirCanvas *self, WeirPoint at)
{
  WeirHit hit = weir_scene_hit (self->scene, at, 6 / self->viewport.zoom);

  if (hit.kind != WEIR_HIT_PORT || !hit.port->is_output)
    return;
  g_free (self->chosen_port);
  self->chosen_port = g_strdup (hit.port->name);
  self->chosen_block = hit.id;
}

gboolean
weir_canvas_is_finger (GtkGesture *gesture)
{
  GdkDevice *device = gtk_gesture_get_device (gesture);

  return device != NULL && gdk_device_get_source (device) == GDK_SOURCE_TOUCHSCREEN;
}

/* At a press: targets are as large as what presses. */
static void
note_finger (WeirCanvas *self, GtkGesture *gesture)
{
  weir_tool_set_pixel (self->tool,
                       (weir_canvas_is_finger (gesture) ? FINGER_PIXELS : 1) / self->viewport.zoom);
}

static void
focus_at (WeirCanvas *self, WeirPoint at)
{
  WeirHit hit = weir_scene_hit (self->scene, at, 6 / self->viewport.zoom);

  weir_canvas_focus_block (self,
                           hit.kind == WEIR_HIT_BLOCK || hit.kind == WEIR_HIT_PORT ? hit.id : 0);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, WeirCanvas *self)
{
  WeirPoint at;

  weir_canvas_stop_coasting (self);
  note_finger (self, GTK_GESTURE (gesture));
  self->pointer = (WeirPoint) { x, y };
  at = to_diagram (self, self->pointer);
  if (self->space_held)
    {
      begin_pan (self, x, y);
      return;
    }
  focus_at (self, at);
  weir_canvas_forget_typing (self);
  self->dragging = TRUE;
  self->pressed = self->viewport;
  if (weir_tool_get_state (self->tool) == WEIR_TOOL_IDLE)
    note_chosen_port (self, at);
  weir_canvas_apply (self, weir_tool_press (self->tool, at, get_modifiers (gesture)), NULL);
  weir_canvas_update (self);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->pointer = (WeirPoint) { x + dx, y + dy };
  if (self->panning)
    {
      pan_to (self, x + dx, y + dy);
      return;
    }
  if (!self->dragging)
    return;
  self->is_carried = carry (self, FALSE);
  weir_canvas_move_tool (self, get_modifiers (gesture));
  if (!self->is_carried)
    scroll_near_edge (self);
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  double x, y;

  if (self->panning)
    {
      self->panning = FALSE;
      set_cursor (self);
      return;
    }
  if (!self->dragging)
    return;
  self->dragging = FALSE;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->pointer = (WeirPoint) { x + dx, y + dy };
  self->is_carried = FALSE;
  if (carry (self, TRUE))
    {
      weir_tool_cancel (self->tool);
      self->viewport = self->pressed; /* it scrolled while the pointer went over the edge */
      weir_canvas_view_changed (self);
    }
  else
    take_outcome (self, weir_tool_release (self->tool, to_diagram (self, self->pointer),
                                           get_modifiers (gesture)));
  weir_canvas_update (self);
  set_cursor (self);
}

static void
on_drag_cancel (GtkGesture *gesture, GdkEventSequence *sequence, WeirCanvas *self)
{
  self->dragging = self->panning = FALSE;
  stop_carrying (self);
  weir_tool_cancel (self->tool);
  weir_canvas_update (self);
}

/* A double click edits a name, labels a wire, opens a block. At the release: by then the drag
 * gesture has seen both presses and takes no more focus. */
static void
on_clicked (GtkGestureClick *gesture, int n_press, double x, double y, WeirCanvas *self)
{
  WeirPoint at = to_diagram (self, (WeirPoint) { x, y });
  WeirHit hit;
  guint32 named;

  if (n_press != 2 || self->space_held)
    return;
  weir_tool_cancel (self->tool);
  self->dragging = FALSE;
  hit = weir_scene_hit (self->scene, at, 6 / self->viewport.zoom);
  named = hit.kind == WEIR_HIT_NOTHING || hit.kind == WEIR_HIT_NOTE
              ? weir_scene_hit_name (self->scene, at)
              : 0;
  if (named != 0 && self->show_labels)
    {
      weir_selection_set_one (weir_tool_get_selection (self->tool), WEIR_SELECT_BLOCK, named);
      weir_canvas_update (self);
      weir_canvas_show_rename (self, named);
    }
  else if (hit.kind == WEIR_HIT_NOTHING)
    weir_canvas_show_quick_insert (self, at);
  else if (hit.kind != WEIR_HIT_PORT)
    {
      weir_selection_set_one (weir_tool_get_selection (self->tool),
                              hit.kind == WEIR_HIT_BLOCK  ? WEIR_SELECT_BLOCK
                              : hit.kind == WEIR_HIT_WIRE ? WEIR_SELECT_WIRE
                                                          : WEIR_SELECT_NOTE,
                              hit.id);
      weir_canvas_update (self);
      gtk_widget_activate_action (GTK_WIDGET (self), "canvas.enter", NULL);
    }
  weir_canvas_update (self);
}

/* --- Middle and secondary button ------------------------------------------------------------- */

static void
on_middle_begin (GtkGestureDrag *gesture, double x, double y, WeirCanvas *self)
{
  begin_pan (self, x, y);
}

static void
on_middle_update (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  pan_to (self, x + dx, y + dy);
}

static void
on_middle_end (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  self->panning = FALSE;
  set_cursor (self);
}

static void
on_secondary_update (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->pointer = (WeirPoint) { x + dx, y + dy };
  if (!self->branching && hypot (dx, dy) >= BRANCH_PIXELS)
    self->branching = weir_tool_press_branch (self->tool, to_diagram (self, (WeirPoint) { x, y }));
  if (self->branching)
    weir_canvas_move_tool (self, get_modifiers (gesture));
}

static void
on_secondary_end (GtkGestureDrag *gesture, double dx, double dy, WeirCanvas *self)
{
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->branching)
    {
      self->branching = FALSE;
      take_outcome (self, weir_tool_release (self->tool, to_diagram (self, self->pointer),
                                             get_modifiers (gesture)));
      set_cursor (self);
    }
  else if (weir_tool_cancel (self->tool))
    weir_canvas_update (self);
  else
    {
      weir_canvas_show_menu (self, (WeirPoint) { x, y });
    }
}

/* --- Motion and scrolling -------------------------------------------------------------------- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WeirCanvas *self)
{
  WeirToolState state = weir_tool_get_state (self->tool);

  self->pointer_inside = TRUE;
  if (self->dragging || self->panning || self->branching
      || (self->pointer.x == x && self->pointer.y == y))
    return;
  self->pointer = (WeirPoint) { x, y };
  if (state == WEIR_TOOL_IDLE)
    {
      WeirHit before = weir_tool_get_hover (self->tool), after;

      weir_tool_motion (self->tool, to_diagram (self, self->pointer), 0);
      after = weir_tool_get_hover (self->tool);
      set_cursor (self);
      if (before.kind != after.kind || before.id != after.id || before.port != after.port)
        gtk_widget_queue_draw (GTK_WIDGET (self));
      weir_canvas_note_alt (
          self, (gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller))
                 & GDK_ALT_MASK)
                    != 0);
      weir_canvas_note_pointed (self, before);
    }
  else if (!weir_tool_is_by_keyboard (self->tool))
    weir_canvas_move_tool (self, get_modifiers (controller));
}

static void
on_leave (GtkEventControllerMotion *controller, WeirCanvas *self)
{
  WeirHit before = weir_tool_get_hover (self->tool);

  self->pointer_inside = FALSE;
  weir_tool_leave (self->tool);
  weir_canvas_note_pointed (self, before);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, WeirCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (
      GTK_EVENT_CONTROLLER (controller));
  gboolean is_wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  weir_canvas_stop_coasting (self);
  if (state & GDK_CONTROL_MASK)
    weir_viewport_zoom_at (&self->viewport, self->pointer,
                           is_wheel ? pow (WEIR_ZOOM_STEP, -dy) : exp (-dy / 200));
  else
    {
      double unit = is_wheel ? WHEEL_PIXELS : 1;

      if ((state & GDK_SHIFT_MASK) && dx == 0)
        {
          dx = dy;
          dy = 0;
        }
      weir_viewport_pan (&self->viewport, -dx * unit, -dy * unit);
    }
  weir_canvas_view_changed (self);
  /* What is being dragged stays under the pointer. */
  if (weir_tool_get_state (self->tool) != WEIR_TOOL_IDLE && !weir_tool_is_by_keyboard (self->tool))
    weir_canvas_move_tool (self, to_modifiers (state & ~(guint) GDK_CONTROL_MASK));
  return GDK_EVENT_STOP;
}

/* --- Keys ------------------------------------------------------------------------------------ */

static gboolean
wiring_key (WeirCanvas *self, guint keyval, GdkModifierType state)
{
  int step = keyval == GDK_KEY_ISO_Left_Tab || (state & GDK_SHIFT_MASK) ? -1 : 1;

  switch (keyval)
    {
    case GDK_KEY_Tab:
    case GDK_KEY_KP_Tab:
    case GDK_KEY_ISO_Left_Tab:
    case GDK_KEY_Right:
      weir_tool_next_target (self->tool, step);
      break;
    case GDK_KEY_Left:
      weir_tool_next_target (self->tool, -1);
      break;
    case GDK_KEY_c:
    case GDK_KEY_C:
      weir_tool_next_source (self->tool, step);
      break;
    case GDK_KEY_Down:
      weir_tool_next_source (self->tool, 1);
      break;
    case GDK_KEY_Up:
      weir_tool_next_source (self->tool, -1);
      break;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      weir_canvas_apply (self, weir_tool_accept (self->tool), NULL);
      break;
    case GDK_KEY_Escape:
      weir_tool_cancel (self->tool);
      break;
    default:
      return FALSE;
    }
  weir_canvas_update (self);
  return TRUE;
}

static gboolean
on_key_pressed (GtkEventControllerKey *controller, guint keyval, guint keycode,
                GdkModifierType state, WeirCanvas *self)
{
  if (keyval == GDK_KEY_Alt_L || keyval == GDK_KEY_Alt_R)
    weir_canvas_note_alt (self, TRUE);
  if (!weir_canvas_has_own_focus (self))
    return GDK_EVENT_PROPAGATE;
  if (weir_tool_get_state (self->tool) == WEIR_TOOL_WIRING && weir_tool_is_by_keyboard (self->tool)
      && wiring_key (self, keyval, state))
    return GDK_EVENT_STOP;
  if (keyval == GDK_KEY_space
      && !(state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK | GDK_SUPER_MASK)))
    {
      if (!self->space_held)
        {
          self->space_held = TRUE;
          self->space_used = FALSE;
          set_cursor (self);
        }
      return GDK_EVENT_STOP;
    }
  if (keyval == GDK_KEY_Escape && weir_tool_cancel (self->tool))
    {
      self->dragging = self->branching = FALSE;
      stop_carrying (self);
      weir_canvas_update (self);
      set_cursor (self);
      return GDK_EVENT_STOP;
    }
  if (weir_canvas_is_typed_on (self, keyval, state))
    return GDK_EVENT_STOP;
  return weir_canvas_handle_shortcut (self, keyval, state);
}

static void
on_key_released (GtkEventControllerKey *controller, guint keyval, guint keycode,
                 GdkModifierType state, WeirCanvas *self)
{
  if (keyval == GDK_KEY_Alt_L || keyval == GDK_KEY_Alt_R)
    weir_canvas_note_alt (self, FALSE);
  if (keyval != GDK_KEY_space || !self->space_held)
    return;
  self->space_held = FALSE;
  /* A tap that panned nothing shows everything. */
  if (!self->space_used)
    gtk_widget_activate_action (GTK_WIDGET (self), "canvas.zoom-fit", NULL);
  set_cursor (self);
}

static void
on_focus_changed (GtkEventControllerFocus *controller, WeirCanvas *self)
{
  self->space_held = FALSE;
  weir_canvas_note_alt (self, FALSE);
  weir_document_end_merge (self->document);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- Drops ----------------------------------------------------------------------------------- */

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, WeirCanvas *self)
{
  const char *text = g_value_get_string (value);

  if (text == NULL || !g_str_has_prefix (text, WEIR_CANVAS_DROP_PREFIX))
    return FALSE;
  return weir_canvas_insert (self, text + strlen (WEIR_CANVAS_DROP_PREFIX),
                             to_diagram (self, (WeirPoint) { x, y }), FALSE)
         != 0;
}

/* Files become part of a diagram that has something in it; else the window opens them. */
static gboolean
accept_files (GtkDropTarget *target, GdkDrop *drop, WeirCanvas *self)
{
  return weir_scene_get_n_blocks (self->scene) > 0
         && (gdk_content_formats_contain_gtype (gdk_drop_get_formats (drop), GDK_TYPE_FILE_LIST)
             || gdk_content_formats_contain_mime_type (gdk_drop_get_formats (drop),
                                                       "text/uri-list"));
}

/* Studies are no part of a diagram. */
static gboolean
open_study (WeirCanvas *self, GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);

  return g_str_has_suffix (uri, ".weirstudy")
         && gtk_widget_activate_action (GTK_WIDGET (self), "win.open-uri", "s", uri);
}

static gboolean
on_files_dropped (GtkDropTarget *target, const GValue *value, double x, double y, WeirCanvas *self)
{
  WeirPoint at = to_diagram (self, (WeirPoint) { x, y });
  gboolean done = FALSE;

  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    {
      done |= open_study (self, l->data) || weir_canvas_import_file (self, l->data, at);
      at.x += 4 * WEIR_GRID;
      at.y += 4 * WEIR_GRID;
    }
  return done;
}

/* --- All of them ----------------------------------------------------------------------------- */

static GtkGesture *
add_drag (WeirCanvas *self, guint button, const char *name)
{
  GtkGesture *gesture = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (gesture), button);
  gtk_event_controller_set_static_name (GTK_EVENT_CONTROLLER (gesture), name);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (gesture));
  return gesture;
}

static gpointer
add_controller (WeirCanvas *self, gpointer controller, const char *name)
{
  gtk_event_controller_set_static_name (controller, name);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
  return controller;
}

GtkEventController *
weir_canvas_add_controllers (WeirCanvas *self)
{
  gpointer c, scroll;

  c = add_drag (self, GDK_BUTTON_PRIMARY, "primary");
  g_signal_connect (c, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (c, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (c, "drag-end", G_CALLBACK (on_drag_end), self);
  g_signal_connect (c, "cancel", G_CALLBACK (on_drag_cancel), self);

  c = add_drag (self, GDK_BUTTON_MIDDLE, "middle");
  g_signal_connect (c, "drag-begin", G_CALLBACK (on_middle_begin), self);
  g_signal_connect (c, "drag-update", G_CALLBACK (on_middle_update), self);
  g_signal_connect (c, "drag-end", G_CALLBACK (on_middle_end), self);

  c = add_drag (self, GDK_BUTTON_SECONDARY, "secondary");
  g_signal_connect (c, "drag-update", G_CALLBACK (on_secondary_update), self);
  g_signal_connect (c, "drag-end", G_CALLBACK (on_secondary_end), self);

  c = add_controller (self, gtk_gesture_click_new (), "click");
  g_signal_connect (c, "released", G_CALLBACK (on_clicked), self);

  c = add_controller (self, gtk_event_controller_motion_new (), "motion");
  g_signal_connect (c, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (c, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (c, "leave", G_CALLBACK (on_leave), self);

  c = add_controller (self,
                      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES
                                                       | GTK_EVENT_CONTROLLER_SCROLL_KINETIC),
                      "scroll");
  g_signal_connect (c, "scroll", G_CALLBACK (on_scroll), self);
  scroll = c;

  /* Before the block nodes: Tab means something else while wiring. */
  c = add_controller (self, gtk_event_controller_key_new (), "keys");
  gtk_event_controller_set_propagation_phase (c, GTK_PHASE_CAPTURE);
  g_signal_connect (c, "key-pressed", G_CALLBACK (on_key_pressed), self);
  g_signal_connect (c, "key-released", G_CALLBACK (on_key_released), self);

  c = add_controller (self, gtk_event_controller_focus_new (), "focus");
  g_signal_connect (c, "enter", G_CALLBACK (on_focus_changed), self);
  g_signal_connect (c, "leave", G_CALLBACK (on_focus_changed), self);

  c = add_controller (self, gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY), "drop");
  g_signal_connect (c, "drop", G_CALLBACK (on_drop), self);
  c = add_controller (self, gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY),
                      "drop-files");
  g_signal_connect (c, "accept", G_CALLBACK (accept_files), self);
  g_signal_connect (c, "drop", G_CALLBACK (on_files_dropped), self);
  return scroll;
}
