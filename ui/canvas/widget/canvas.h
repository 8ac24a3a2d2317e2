/* WeirCanvas: the widget in which one diagram of a document is seen and edited.
 *
 * It shows the diagram at its *place* (root or a Subsystem) and follows the document: every edit,
 * undo and redo. All its edits go through weir_document_edit(), one undo step each. What it keeps
 * of its own is only the view: place, pan and zoom, selection, problem marks.
 *
 * Actions are named "canvas.…" (activate with gtk_widget_activate_action (canvas, ...), or name
 * them in menus whose widget is inside the canvas; enabled as far as they apply):
 * weir_canvas_get_command() lists them with titles and keys.
 *
 * Signals:
 *   "selection-changed" ()
 *   "place-changed" ()
 *   "activate-block" (guint id)        double click or Return on a block that is no Subsystem
 *   "plot-port" (const char *path)     "Plot this signal" chosen for "plant.theta"
 *   "message" (const char *text)       one sentence for the user (a refused wire): show as a toast
 *   "deleted" (guint n)                so many blocks and notes were deleted by one command
 *   "made" (const char *text)          a note or frame was made, by accident perhaps: offer Undo
 *   "pointed-changed" ()               the pointer is on something else, or Alt was pressed or let
 *                                      go
 *   "view-command" (const char *name)  "why", "graph", "break-computed" or "break-out-of-date": a
 * view of what is selected was asked for, or that runs pause there
 *   "carried" (double x, double y, gboolean lets_go)  what is selected is moved with the pointer
 *                                      there, or let go; NAN: no longer. TRUE: something beside
 *                                      the canvas takes it, and it stays where it is
 *
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/document/document.h"
#include "paint/drawing/diagram.h"
#include "paint/drawing/overlay.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CANVAS (weir_canvas_get_type ())
G_DECLARE_FINAL_TYPE (WeirCanvas, weir_canvas, WEIR, CANVAS, GtkWidget)

/* Drag data of a block type: a string of this prefix and the type's name (G_TYPE_STRING). */
#define WEIR_CANVAS_DROP_PREFIX "weir-block:"

/* Something that the canvas can do: for menus, the command palette, the window of shortcuts. */
typedef struct {
  const char *action; /* "canvas.cut" */
  const char *title;  /* to be translated */
  const char *group;  /* the same */
  const char *keys;   /* accelerators, separated by spaces; NULL = none */
  const char *target; /* the action's string parameter; NULL = it takes none */
} WeirCanvasCommand;

/* Why it cannot be done as things are, to be translated; NULL if it can. */
const char *weir_canvas_why_not (WeirCanvas *self, guint i);
guint weir_canvas_get_n_commands (void);
const WeirCanvasCommand *weir_canvas_get_command (guint i);

/* Properties: "document" (WeirDocument, construct only), "zoom" (double, 1 = 100 %, read only;
 * notifies), "show-grid", "snap", "show-labels", "show-values", "show-minimap",
 * "extend-selection" (booleans; "show-values" notifies),
 * "overlay" (what is shown of the cache: "off", "state", "heat", "cost" or "saved"). */
GtkWidget *weir_canvas_new (WeirDocument *document);

/* Which diagram is shown. Setting a place that does not exist shows the nearest one above it. When
 * the shown Subsystem is removed, the canvas leaves it. Get: ids borrowed until the next change. */
WeirPlace weir_canvas_get_place (WeirCanvas *self);
void weir_canvas_set_place (WeirCanvas *self, WeirPlace place);

/* Ids in ascending order, borrowed until the selection changes. @n: (out). */
const guint32 *weir_canvas_get_selected (WeirCanvas *self, guint *n); /* blocks */
const guint32 *weir_canvas_get_selected_wires (WeirCanvas *self, guint *n);
guint32 weir_canvas_get_selected_block (WeirCanvas *self); /* 0 unless exactly one */
/* The output port that a plot would show: the one chosen, that of the one selected wire, or the
 * first output of the one selected block; its path such as "plant.theta", or NULL. (transfer full)
 */
char *weir_canvas_get_selected_port (WeirCanvas *self);

/* Selects just this block or wire, wherever it is: goes to its place and scrolls it into view. 0 or
 * an unknown id selects nothing. */
void weir_canvas_select_block (WeirCanvas *self, guint32 id);
/* Those of the blocks that lie in the same place as the first one, going there. */
void weir_canvas_select_blocks (WeirCanvas *self, const guint32 *ids, guint n);
void weir_canvas_select_wire (WeirCanvas *self, guint32 id);
void weir_canvas_select_note (WeirCanvas *self, guint32 id);

/* Adds a block of @type near the middle of the view, where there is room, and selects it. Returns
 * its id, or 0 if the type is unknown. */
guint32 weir_canvas_add_block (WeirCanvas *self, const char *type);

/* Whether the file is an FMU, by its name; and a block of it, near the middle of the view, where
 * there is room. FALSE: it cannot be added; a "message" says why. Nothing of it is run. */
gboolean weir_canvas_is_fmu (GFile *file);
gboolean weir_canvas_add_fmu (WeirCanvas *self, GFile *file);
/* Lets the user choose a block to add by typing: near the middle of the view, or wired to the port
 * @port of
 * @block if that is not 0. The popover, borrowed until it is closed. */
GtkWidget *weir_canvas_ask_block (WeirCanvas *self, guint32 block, const char *port,
                                  gboolean is_output);
/* Shows a popover at the top of the canvas, which gets the keyboard back when it closes. */
void weir_canvas_show_picker (WeirCanvas *self, GtkWidget *picker);
/* Lets the user choose an element of any level by typing, and goes there. */
void weir_canvas_show_find (WeirCanvas *self);

/* Problem marks on blocks, ports and wires, with the sentences as tooltips. NULL removes them. */
void weir_canvas_set_diagnostics (WeirCanvas *self, WeirDiagnostics *diagnostics);
/* Blocks with this id and later ones were made just now: that their inputs are open yet is not
 * marked. G_MAXUINT32: none were. */
void weir_canvas_set_first_fresh (WeirCanvas *self, guint32 id);
/* Whether @diagnostic is such an input, and is not shown for now. */
gboolean weir_canvas_is_fresh (WeirCanvas *self, const WeirDiagnostic *diagnostic);
/* Selects what one of them is about and lights up the wires that it runs along. */
void weir_canvas_show_problem (WeirCanvas *self, const WeirDiagnostic *diagnostic);
guint weir_canvas_get_n_lit_wires (WeirCanvas *self);
/* Marks what one of them is about as if the pointer were on it: the block or wire, or the Subsystem
 * of this level that it is in. NULL: nothing any more. */
void weir_canvas_point_at_problem (WeirCanvas *self, const WeirDiagnostic *diagnostic);
guint32 weir_canvas_get_pointed_problem (WeirCanvas *self); /* 0 = none */
/* Titles of what may help against a problem, best first, NULL-terminated; @fixes: (out) their
 * numbers for weir_canvas_fix(). (transfer full) both */
char **weir_canvas_list_fixes (const WeirDiagnostic *diagnostic, guint **fixes);
/* Does it, as one undo step. FALSE if it cannot be done; a "message" has said so. */
gboolean weir_canvas_fix (WeirCanvas *self, const WeirDiagnostic *diagnostic, guint fix);

/* The blocks at which runs pause: id -> char *, sentences that say at which of their values. Those
 * in @off have no breakpoint that is switched on. */
void weir_canvas_set_breakpoints (WeirCanvas *self, GHashTable *sentences, GHashTable *off);

double weir_canvas_get_zoom (WeirCanvas *self);
/* Shows all of the diagram, not larger than @max_zoom. */
void weir_canvas_fit (WeirCanvas *self, double max_zoom);

/* What is drawn of the cache: by whoever knows it, for the mode that "overlay" names and the
 * diagram at the place shown. NULL: nothing. After changing @overlay, queue a redraw. */
void weir_canvas_set_overlay (WeirCanvas *self, WeirOverlay *overlay);
WeirOverlayMode weir_canvas_get_overlay_mode (WeirCanvas *self);

/* The values that wires of the shown diagram carry, drawn on them: id -> char *; NULL: none are
 * known. @is_settled: they will not change at once, so that assistive technology is told all of
 * them, else those of selected wires only. */
void weir_canvas_set_values (WeirCanvas *self, GHashTable *values, gboolean is_settled);
GHashTable *weir_canvas_get_values (WeirCanvas *self); /* or NULL */
/* What physical parts of the shown diagram do, drawn with the values; NULL: nothing is known. */
void weir_canvas_set_flows (WeirCanvas *self, WeirPartFlows *flows);
const WeirPartFlows *weir_canvas_get_flows (WeirCanvas *self); /* or NULL */

/* Wires whose values come an instant late, by the schedule of units: a set of ids as pointers, of
 * all diagrams; NULL: there are none. */
void weir_canvas_set_late_wires (WeirCanvas *self, GHashTable *wires);
GHashTable *weir_canvas_get_late_wires (WeirCanvas *self); /* or NULL */

/* A block, a port of one, or a wire, by its source; block 0 = none. */
typedef struct {
  guint32 block, wire; /* of a wire: its id, and where it comes from */
  const char *port;    /* NULL = the whole block; borrowed until the next change */
  gboolean is_output;
} WeirCanvasSubject;

/* What the pointer is on; @exploring (nullable): whether Alt is held. */
WeirCanvasSubject weir_canvas_get_pointed (WeirCanvas *self, gboolean *exploring);
/* What is to be explained: what is selected (with the port chosen last), else what the pointer is
 * on. */
WeirCanvasSubject weir_canvas_get_subject (WeirCanvas *self);

/* What a hover card says about @subject, as markup; NULL: nothing. (transfer full) */
typedef char *(*WeirCanvasCardFunc) (WeirCanvasSubject subject, gpointer data);
/* Asked for the lower part of hover cards. */
void weir_canvas_set_card_func (WeirCanvas *self, WeirCanvasCardFunc func, gpointer data);

G_END_DECLS
