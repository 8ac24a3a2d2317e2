/* What is shown of a diagram, on the canvas and to assistive technology: problems, parts, blocks
 * and the focus, the overview, the cache.
 */
#pragma once

#include "canvas/widget/canvas-ground.h"

G_BEGIN_DECLS

/* canvas-problems.c */
void weir_canvas_add_mark (GHashTable *marks, guint32 id, guint flags);
/* The sentences of the problems of a block or wire, a line each; NULL if there are none. */
char *weir_canvas_dup_problems (WeirCanvas *self, guint32 id);
char *weir_canvas_dup_port_problems (WeirCanvas *self, guint32 block, const WeirPortShape *port);
void weir_canvas_add_problem_marks (WeirCanvas *self, GHashTable *marks);
void weir_canvas_add_break_marks (WeirCanvas *self, GHashTable *marks);
/* What assistive technology and tooltips are to say of a block besides what it is: its problems,
 * its breakpoints, a line each; NULL if there is nothing. */
char *weir_canvas_dup_remarks (WeirCanvas *self, guint32 id);
void weir_canvas_draw_lit (WeirCanvas *self, cairo_t *cr); /* under the diagram's signs */
void weir_canvas_draw_problems (WeirCanvas *self, cairo_t *cr, WeirRect visible);
/* What can be done about the problems of this block or wire; NULL if there is nothing. (transfer
 * full) */
GMenuModel *weir_canvas_make_fix_menu (WeirCanvas *self, guint32 id);

/* canvas-parts.c */
void weir_canvas_sync_parts (WeirCanvas *self);
/* "Wire from Sine.y to Scope.in1, 3 numbers", and what is wrong with it. (transfer full) */
char *weir_canvas_describe_wire (WeirCanvas *self, WeirWire *wire);
void weir_canvas_select_parts (WeirCanvas *self);
void weir_canvas_describe_values (WeirCanvas *self, gboolean all); /* FALSE: of selected wires */
void weir_canvas_allocate_parts (WeirCanvas *self);

/* canvas-keyboard.c */
gboolean weir_canvas_focus (GtkWidget *widget, GtkDirectionType direction);
gboolean weir_canvas_has_own_focus (WeirCanvas *self);
guint32 weir_canvas_get_focus_block (WeirCanvas *self);      /* 0 = none */
void weir_canvas_focus_block (WeirCanvas *self, guint32 id); /* 0 = the canvas itself */
gboolean weir_canvas_follow_wire (WeirCanvas *self, WeirPoint direction);
void weir_canvas_sync_nodes (WeirCanvas *self);
void weir_canvas_select_nodes (WeirCanvas *self);
void weir_canvas_allocate_nodes (WeirCanvas *self);

/* Watches where what is typed in @root goes; NULL: nowhere any more. */
void weir_canvas_follow_typing (WeirCanvas *self, GtkRoot *root);
/* TRUE for a letter that belongs to what was typed into a field just before. */
gboolean weir_canvas_is_typed_on (WeirCanvas *self, guint keyval, GdkModifierType state);
/* The canvas was turned to on purpose. */
void weir_canvas_forget_typing (WeirCanvas *self);

/* canvas-overview.c */
void weir_canvas_update_minimap (WeirCanvas *self);
/* Where the overview covers nothing that is worked on; it goes if there is no such place. */
void weir_canvas_place_minimap (WeirCanvas *self);
WeirRect weir_canvas_get_minimap_place (WeirCanvas *self); /* pixels */
void weir_canvas_allocate_minimap (WeirCanvas *self);

/* canvas-snapshot.c */
void weir_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* canvas-overlay.c */
void weir_canvas_set_overlay_mode (WeirCanvas *self, WeirOverlayMode mode);
/* After a motion or a key: tells if the pointer is on something else. */
void weir_canvas_note_pointed (WeirCanvas *self, WeirHit before);
void weir_canvas_note_alt (WeirCanvas *self, gboolean held);
gboolean weir_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                    GtkTooltip *tooltip);

G_END_DECLS
