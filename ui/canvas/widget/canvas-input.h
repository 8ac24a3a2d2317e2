/* Pointer, wheel, keys, drops (canvas-input.c) and fingers (canvas-touch.c). */
#pragma once

#include "canvas/widget/canvas-ground.h"

G_BEGIN_DECLS

/* The controller that scrolls, for fingers on a touchpad. (transfer none) */
GtkEventController *weir_canvas_add_controllers (WeirCanvas *self);
void weir_canvas_add_touch (WeirCanvas *self, GtkEventController *scroll);
void weir_canvas_move_tool (WeirCanvas *self, WeirToolModifiers modifiers); /* to the pointer */
gboolean weir_canvas_is_finger (GtkGesture *gesture);                       /* on a screen */

G_END_DECLS
