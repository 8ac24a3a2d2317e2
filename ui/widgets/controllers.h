/* The controllers of a view that draws itself: pointer, wheel, keys, dragging, clicks. Thread:
 * *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What it is told of, by the signals of GTK's controllers; NULL = not. */
typedef struct {
  GCallback enter, motion, leave, scroll, key_pressed, drag_begin, drag_update, drag_end, pressed;
} WeirViewCallbacks;

/* Adds them to @widget, which is the data of each call. @axes: that scrolling is along. */
void weir_view_add_controllers (GtkWidget *widget, GtkEventControllerScrollFlags axes,
                                const WeirViewCallbacks *callbacks);

G_END_DECLS
