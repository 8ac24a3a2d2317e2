/* What the files of the canvas share.
 *
 * canvas.c keeps what is shown in step with the document; canvas-view.c has the place, the viewport
 * and what can be asked about the selection; canvas-input.c turns events into calls of the tool,
 * canvas-touch.c those of fingers; canvas-actions.c has the actions and their keys,
 * canvas-edit-actions.c, canvas-go-actions.c and canvas-clipboard.c what they do; canvas-keyboard.c
 * moves the focus between blocks; canvas-snapshot.c draws; canvas-overlay.c has what is shown of
 * the cache and hover cards; canvas-problems.c what is wrong; canvas-menu.c, canvas-note.c and
 * canvas-popovers.c have what pops up.
 */
#pragma once

#include <adwaita.h>

#include "canvas/widget/canvas.h"
#include "canvas/widget/minimap.h"
#include "canvas/tool/tool.h"
#include "canvas/tool/viewport.h"
#include "paint/diagram.h"

G_BEGIN_DECLS

struct _WeirCanvas {
  GtkWidget parent_instance;

  WeirDocument *document;
  GArray *place; /* guint32 */
  WeirScene *scene;
  WeirTool *tool;
  WeirViewport viewport;
  WeirViewport chosen; /* as it was when it was last changed but by a change of the canvas's size */
  WeirViewport derived; /* what was made of it for the present size */
  double fit_zoom;      /* the largest zoom of the fit that @chosen is; 0: it is none */
  GHashTable *views;    /* last id of a place -> WeirViewport when it was left */
  const WeirPalette *palette;
  gboolean show_grid, snap, show_labels, show_values;
  gboolean extend_selection;       /* going by keyboard adds to the selection */
  char *find_text;                 /* searched for last, or NULL */
  GtkWidget *minimap;              /* a child */
  guint minimap_corner;            /* index: lower right, lower left, upper right, upper left */
  GHashTable *sizes;               /* id of a wire -> size of its signal */
  GCancellable *sizes_cancellable; /* of the search for them */
  GHashTable *values;              /* id of a wire -> char *, the value it carries; or NULL */
  GPtrArray *past, *future;        /* of GArray of guint32: places that were left */
  gboolean has_view;               /* the viewport was set for this place */

  guint selection_serial; /* that was last told */
  guint32 chosen_block;   /* whose output was chosen last, or 0 */
  char *chosen_port;
  WeirDiagnostics *diagnostics;
  guint32 first_fresh;       /* open inputs of blocks from this id on are no matter yet */
  GHashTable *sentences;     /* id -> what is wrong with it, a line each */
  GHashTable *breaks;        /* id -> char *: at which values of it runs pause */
  GHashTable *breaks_off;    /* ids of those that are switched off */
  const WeirDiagnostic *lit; /* one of them whose wires are lit up, or NULL */
  guint32 pointed_problem;   /* the element of this place that a problem pointed at elsewhere is
                                about, or 0 */

  GHashTable *nodes;      /* id -> WeirBlockNode, a child */
  GHashTable *wire_nodes; /* id -> WeirPartNode, a child */
  WeirPoint pointer;      /* pixels */
  gboolean pointer_inside;
  gboolean dragging;    /* primary button */
  GtkRoot *typing_root; /* whose focus is watched, or NULL; weak */
  gulong typing_handler;
  gboolean is_typing; /* the focus is in a field */
  gint64 typed_at;    /* when it last left one; 0: whatever was typed there is over */
  gboolean panning, space_held, space_used;
  gboolean branching;
  WeirPoint pan_last;
  double pinch_scale;
  WeirPoint pinch_center; /* pixels; of the event before */
  WeirPoint coast_speed;  /* pixels a second; after two fingers let go */
  gint64 coast_time;      /* of the frame before */
  guint coast_tick;
  guint scroll_tick;    /* while dragging near an edge */
  WeirPoint menu_point; /* pixels; where the context menu was asked for */
  guint paste_count;

  WeirOverlayMode overlay_mode;
  WeirOverlay *overlay; /* or NULL */
  gboolean alt_held;
  WeirCanvasCardFunc card_func;
  gpointer card_data;
};

typedef enum {
  WEIR_CANVAS_SELECTION_CHANGED,
  WEIR_CANVAS_PLACE_CHANGED,
  WEIR_CANVAS_ACTIVATE_BLOCK,
  WEIR_CANVAS_PLOT_PORT,
  WEIR_CANVAS_MESSAGE,
  WEIR_CANVAS_DELETED,
  WEIR_CANVAS_MADE,
  WEIR_CANVAS_POINTED_CHANGED,
  WEIR_CANVAS_VIEW_COMMAND,
  WEIR_CANVAS_N_SIGNALS,
} WeirCanvasSignal;

extern guint weir_canvas_signals[WEIR_CANVAS_N_SIGNALS];

/* canvas.c */
WeirSite weir_canvas_get_site (WeirCanvas *self);
WeirElements
weir_canvas_get_elements (WeirCanvas *self); /* selected; borrowed until that changes */
/* Applies and frees @edit (nullable); selects what it made. @merge_key: as weir_document_edit().
 * FALSE if the document refused. */
gboolean weir_canvas_apply (WeirCanvas *self, WeirEdit *edit, const char *merge_key);
/* After every call of the tool: tells about the selection, redraws. */
void weir_canvas_update (WeirCanvas *self);
void weir_canvas_take_model (WeirCanvas *self);
guint32 weir_canvas_insert (WeirCanvas *self, const char *type, WeirPoint center,
                            gboolean find_room);
void weir_canvas_say (WeirCanvas *self, const char *text);

/* canvas-view.c */
void weir_canvas_ensure_view (WeirCanvas *self);
void weir_canvas_view_changed (WeirCanvas *self);
/* After the canvas has got another size. */
void weir_canvas_follow_size (WeirCanvas *self);
void weir_canvas_enter (WeirCanvas *self, guint32 block);
void weir_canvas_leave (WeirCanvas *self);
void weir_canvas_go_back (WeirCanvas *self, gboolean forward);

/* canvas-overlay.c */
void weir_canvas_set_overlay_mode (WeirCanvas *self, WeirOverlayMode mode);
/* After a motion or a key: tells if the pointer is on something else. */
void weir_canvas_note_pointed (WeirCanvas *self, WeirHit before);
void weir_canvas_note_alt (WeirCanvas *self, gboolean held);
void weir_canvas_on_cycle_overlay (GtkWidget *widget, const char *name, GVariant *value);
void weir_canvas_on_clear (GtkWidget *widget, const char *name, GVariant *value);
void weir_canvas_on_view_command (GtkWidget *widget, const char *name, GVariant *value);
gboolean weir_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard,
                                    GtkTooltip *tooltip);

/* canvas-parts.c */
void weir_canvas_sync_parts (WeirCanvas *self);
/* "Wire from Sine.y to Scope.in1, 3 numbers", and what is wrong with it. (transfer full) */
char *weir_canvas_describe_wire (WeirCanvas *self, WeirWire *wire);
void weir_canvas_select_parts (WeirCanvas *self);
void weir_canvas_describe_values (WeirCanvas *self, gboolean all); /* FALSE: of selected wires */
void weir_canvas_allocate_parts (WeirCanvas *self);

/* canvas-problems.c */
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
void weir_canvas_on_fix (GtkWidget *widget, const char *name, GVariant *value);
/* What can be done about the problems of this block or wire; NULL if there is nothing. (transfer
 * full) */
GMenuModel *weir_canvas_make_fix_menu (WeirCanvas *self, guint32 id);

/* canvas-clipboard.c */
WeirPoint weir_canvas_get_paste_point (WeirCanvas *self); /* diagram units */
/* FALSE if the file is no model; a "message" says so. @point: diagram units. */
gboolean weir_canvas_import_file (WeirCanvas *self, GFile *file, WeirPoint point);

/* canvas-input.c */
void weir_canvas_add_controllers (WeirCanvas *self);
void weir_canvas_stop_scrolling (WeirCanvas *self);
void weir_canvas_move_tool (WeirCanvas *self, WeirToolModifiers modifiers); /* to the pointer */

/* canvas-touch.c */
void weir_canvas_add_touch (WeirCanvas *self, GtkEventController *scroll);
/* At a press: targets are as large as what presses. */
void weir_canvas_note_finger (WeirCanvas *self, GtkGesture *gesture);
void weir_canvas_stop_coasting (WeirCanvas *self);

/* canvas-actions.c */
void weir_canvas_class_install_actions (GtkWidgetClass *widget_class);
void weir_canvas_update_actions (WeirCanvas *self);
/* TRUE if the key did something. */
gboolean weir_canvas_handle_shortcut (WeirCanvas *self, guint keyval, GdkModifierType state);

/* canvas-keyboard.c */
gboolean weir_canvas_focus (GtkWidget *widget, GtkDirectionType direction);
gboolean weir_canvas_has_own_focus (WeirCanvas *self);
guint32 weir_canvas_get_focus_block (WeirCanvas *self);      /* 0 = none */
void weir_canvas_focus_block (WeirCanvas *self, guint32 id); /* 0 = the canvas itself */
gboolean weir_canvas_follow_wire (WeirCanvas *self, WeirPoint direction);
void weir_canvas_sync_nodes (WeirCanvas *self);
void weir_canvas_allocate_nodes (WeirCanvas *self);

/* Watches where what is typed in @root goes; NULL: nowhere any more. */
void weir_canvas_watch_typing (WeirCanvas *self, GtkRoot *root);
/* TRUE for a letter that belongs to what was typed into a field just before. */
gboolean weir_canvas_is_typed_on (WeirCanvas *self, guint keyval, GdkModifierType state);
/* The canvas was turned to on purpose. */
void weir_canvas_forget_typing (WeirCanvas *self);

/* canvas-snapshot.c */
void weir_canvas_update_minimap (WeirCanvas *self);
/* Where the overview covers nothing that is worked on; it goes if there is no such place. */
void weir_canvas_place_minimap (WeirCanvas *self);
WeirRect weir_canvas_get_minimap_place (WeirCanvas *self); /* pixels */
void weir_canvas_add_mark (GHashTable *marks, guint32 id, guint flags);
void weir_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* canvas-menu.c */
void weir_canvas_show_menu (WeirCanvas *self, WeirPoint pixel);

/* canvas-note.c */
/* @id: 0 = a new note at @at. */
void weir_canvas_show_note (WeirCanvas *self, guint32 id, WeirPoint at);

/* canvas-popovers.c */
/* A popover that belongs to the canvas while it is up. */
void weir_canvas_pop_up (WeirCanvas *self, GtkWidget *popover, GdkRectangle at);
void weir_canvas_show_rename (WeirCanvas *self, guint32 block);
void weir_canvas_show_label (WeirCanvas *self, guint32 wire);
/* The next (or previous) element that answers what was searched for last. */
void weir_canvas_go_to_found (WeirCanvas *self, int step);
/* Offers blocks that the wire let go in empty space could end at. */
void weir_canvas_show_offer (WeirCanvas *self, WeirToolOffer offer);
/* Offers block types to add with their middle at @point (diagram units). */
void weir_canvas_show_quick_insert (WeirCanvas *self, WeirPoint point);

G_END_DECLS
