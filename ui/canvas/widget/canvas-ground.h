/* What the files of the canvas stand on; canvas.h is its face.
 *
 * From the ground up: canvas-ground.c has the type, what is shown and what is selected,
 * canvas-view.c the part of it that can be seen, canvas-place.c the document: edits, places,
 * selecting. Above them is what is shown of it (canvas-shown.h), then what pops up (canvas-asks.h),
 * selecting. Above them is what is shown of it (canvas-shown.h), then what pops up (canvas-asks.h),
 * which makes a widget of it all. A file calls only what is below it; what is above follows by
 * being told.
 */
#pragma once

#include <adwaita.h>

#include "canvas/tool/tool.h"
#include "canvas/tool/viewport.h"
#include "canvas/widget/canvas.h"
#include "paint/drawing/diagram.h"
#include "paint/drawing/kept.h"

G_BEGIN_DECLS

/* What happened, for what is above to follow. */
typedef enum {
  WEIR_CANVAS_NEWS_SCENE,       /* the scene is another one */
  WEIR_CANVAS_NEWS_SIZES,       /* sizes of signals were found */
  WEIR_CANVAS_NEWS_VIEW,        /* another part of the diagram is seen */
  WEIR_CANVAS_NEWS_SELECTION,   /* something else is selected */
  WEIR_CANVAS_NEWS_GESTURE,     /* a call of the tool may have changed what it shows */
  WEIR_CANVAS_NEWS_COMMANDS,    /* what can be done may have changed */
  WEIR_CANVAS_NEWS_PROBLEMS,    /* the problems are others */
  WEIR_CANVAS_NEWS_BREAKPOINTS, /* where runs pause has changed */
} WeirCanvasNews;

typedef void (*WeirCanvasTold) (WeirCanvas *self, WeirCanvasNews news);

struct _WeirCanvas {
  GtkWidget parent_instance;
  WeirCanvasTold told;

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
  WeirKept *kept;                  /* the diagram's picture during a gesture, or NULL */
  GHashTable *sizes;               /* id of a wire -> size of its signal */
  GHashTable *late;                /* ids of wires whose values come late */
  GCancellable *sizes_cancellable; /* of the search for them */
  WeirPartFlows *flows;            /* of parts; or NULL */
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
  gboolean is_carried;  /* what is moved, over something beside the canvas that takes it */
  WeirViewport pressed; /* when the primary button was */
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
  guint scroll_tick; /* while dragging near an edge */
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
  WEIR_CANVAS_CARRIED,
  WEIR_CANVAS_N_SIGNALS,
} WeirCanvasSignal;

extern guint weir_canvas_signals[WEIR_CANVAS_N_SIGNALS];

/* --- The ground ------------------------------------------------------------------------------ */

void weir_canvas_tell (WeirCanvas *self, WeirCanvasNews news);
WeirSite weir_canvas_get_site (WeirCanvas *self);
WeirElements
weir_canvas_get_elements (WeirCanvas *self); /* selected; borrowed until that changes */
void weir_canvas_say (WeirCanvas *self, const char *text);
/* What @views has the view of this place under. */
gpointer weir_canvas_get_view_key (WeirCanvas *self);

/* --- The view -------------------------------------------------------------------------------- */

void weir_canvas_ensure_view (WeirCanvas *self);
void weir_canvas_view_changed (WeirCanvas *self);
/* After the canvas has got another size. */
void weir_canvas_follow_size (WeirCanvas *self);
WeirPoint weir_canvas_get_paste_point (WeirCanvas *self); /* diagram units */
void weir_canvas_stop_scrolling (WeirCanvas *self);       /* near an edge, while dragging */
void weir_canvas_stop_coasting (WeirCanvas *self);

/* --- The document ---------------------------------------------------------------------------- */

void weir_canvas_follow_document (WeirCanvas *self); /* from its model on */
/* Applies and frees @edit (nullable); selects what it made. @merge_key: as weir_document_edit().
 * FALSE if the document refused. */
gboolean weir_canvas_apply (WeirCanvas *self, WeirEdit *edit, const char *merge_key);
/* After every call of the tool: tells about the selection, redraws. */
void weir_canvas_update (WeirCanvas *self);
void weir_canvas_enter (WeirCanvas *self, guint32 block);
void weir_canvas_leave (WeirCanvas *self);
void weir_canvas_go_back (WeirCanvas *self, gboolean forward);

/* canvas-input.c (pointer, wheel, keys, drops) and canvas-touch.c (fingers) */
/* The controller that scrolls, for fingers on a touchpad. (transfer none) */
GtkEventController *weir_canvas_add_controllers (WeirCanvas *self);
void weir_canvas_add_touch (WeirCanvas *self, GtkEventController *scroll);
void weir_canvas_move_tool (WeirCanvas *self, WeirToolModifiers modifiers); /* to the pointer */
gboolean weir_canvas_is_finger (GtkGesture *gesture);                       /* on a screen */

G_END_DECLS
