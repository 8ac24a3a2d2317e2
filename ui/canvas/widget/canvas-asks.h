/* What pops up on the canvas and asks: names, labels, notes, blocks to add, the menu. */
#pragma once

#include "canvas/widget/canvas-ground.h"

G_BEGIN_DECLS

/* canvas-popovers.c */
/* A popover that belongs to the canvas while it is up. */
void weir_canvas_pop_up (WeirCanvas *self, GtkWidget *popover, GdkRectangle at);
void weir_canvas_show_rename (WeirCanvas *self, guint32 block);
void weir_canvas_show_label (WeirCanvas *self, guint32 wire);
/* The next (or previous) element that answers what was searched for last. */
void weir_canvas_go_to_found (WeirCanvas *self, int step);

/* canvas-insert.c */
/* With its middle at @center, or near it where there is room; 0: there is no such type. */
guint32 weir_canvas_insert (WeirCanvas *self, const char *type, WeirPoint center,
                            gboolean find_room);
/* Offers blocks that the wire let go in empty space could end at. */
void weir_canvas_show_offer (WeirCanvas *self, WeirToolOffer offer);
/* Offers block types to add with their middle at @point (diagram units). */
void weir_canvas_show_quick_insert (WeirCanvas *self, WeirPoint point);

/* canvas-note.c */
/* @id: 0 = a new note at @at. */
void weir_canvas_show_note (WeirCanvas *self, guint32 id, WeirPoint at);

/* canvas-menu.c */
void weir_canvas_show_menu (WeirCanvas *self, WeirPoint pixel);

G_END_DECLS
