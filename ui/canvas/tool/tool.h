/* The gestures of the canvas as a state machine: pointer and keys in, edits out; no toolkit.
 *
 * Points are in diagram units. The owner passes the current site and scene in whenever the document
 * changes, forwards events, and applies the edit that an event returns as one undo step. While a
 * gesture lasts, nothing of the document changes: weir_tool_get_scene() shows what it would become.
 * Gestures: select, rubber band, move with alignment guides, insert into a wire, copy by Ctrl+drag,
 * resize, wire by drag or by clicks, move either end of a wire, branch off a wire, bend a wire,
 * wire two blocks by Ctrl+Shift+click, wire by keyboard. Thread: *owner*.
 */
#pragma once

#include "canvas/edits/edits.h"
#include "canvas/tool/guides.h"
#include "canvas/tool/selection.h"

G_BEGIN_DECLS

typedef struct _WeirTool WeirTool;

typedef enum {
  WEIR_TOOL_IDLE,
  WEIR_TOOL_PRESSED, /* not moved enough to be a drag */
  WEIR_TOOL_BANDING,
  WEIR_TOOL_MOVING,
  WEIR_TOOL_BENDING,
  WEIR_TOOL_RESIZING,
  WEIR_TOOL_WIRING,
} WeirToolState;

typedef enum {
  WEIR_TOOL_EXTEND = 1 << 0, /* Shift: add to the selection, keep to one axis */
  WEIR_TOOL_TOGGLE = 1 << 1, /* Ctrl: toggle in the selection, copy, branch */
  WEIR_TOOL_FREE = 1 << 2,   /* Alt: no snapping */
} WeirToolModifiers;

typedef struct {
  guint32 block;
  const char *port; /* borrowed from the scene */
  gboolean is_output;
  gboolean is_pin; /* or a point of a line: where physical lines end */
  guint32 line;    /* the line on which it is; 0 = it is a port */
  WeirPoint point; /* of that line */
} WeirToolPort;

static inline gboolean
weir_tool_port_is_set (WeirToolPort port)
{
  return port.block != 0 || port.line != 0;
}

/* A wire was let go where nothing is: a block could be added there for it to end at. */
typedef struct {
  WeirToolPort source; /* not set = there is no offer; port valid until the next press */
  WeirPoint from;      /* where it began */
  WeirPoint point;
} WeirToolOffer;

WeirTool *weir_tool_new (void);
void weir_tool_free (WeirTool *self);

/* The site is kept (model by reference, place copied). Ends a gesture whose diagram changed; prunes
 * the selection. */
void weir_tool_set_site (WeirTool *self, WeirSite site, WeirScene *scene);
void weir_tool_set_snap (WeirTool *self, gboolean snap);
/* Diagram units that a pixel is; sizes of targets and drags follow it. */
void weir_tool_set_pixel (WeirTool *self, double units);

/* Events. The edit (nullable, transfer full) is to be applied at once. */
WeirEdit *weir_tool_press (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
void weir_tool_motion (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
WeirEdit *weir_tool_release (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
/* Starts a branch if there is a wire at @at, or a line that ends on the line there. */
gboolean weir_tool_press_branch (WeirTool *self, WeirPoint at);
/* Ends the gesture without an edit. TRUE if there was one. */
gboolean weir_tool_cancel (WeirTool *self);
void weir_tool_leave (WeirTool *self); /* the pointer left */

/* Wiring by keyboard: from a port; next and previous legal target; then accept. */
gboolean weir_tool_begin_wire (WeirTool *self, guint32 block, const char *port, gboolean is_output);
/* From the source of a wire, or, if @reconnect, with an end of the wire: a loose one, else that at
 * the input. FALSE if it cannot be. */
gboolean weir_tool_begin_from_wire (WeirTool *self, guint32 wire, gboolean reconnect);
void weir_tool_next_target (WeirTool *self, int direction);
/* Takes the next (or previous) port of the same block to start from instead. */
void weir_tool_next_source (WeirTool *self, int direction);
WeirEdit *weir_tool_accept (WeirTool *self);

WeirToolState weir_tool_get_state (WeirTool *self);
gboolean weir_tool_is_by_keyboard (WeirTool *self);
WeirSelection *weir_tool_get_selection (WeirTool *self);
/* What to draw: of the gesture's outcome so far, or the scene that was set. */
WeirScene *weir_tool_get_scene (WeirTool *self);
WeirHit weir_tool_get_hover (WeirTool *self); /* in that scene */
gboolean weir_tool_get_band (WeirTool *self, WeirRect *band);
/* While wiring: the route so far, and whether it ends at a legal port. */
const WeirPoint *weir_tool_get_wire (WeirTool *self, guint *n_points, gboolean *ends);
WeirToolPort weir_tool_get_wire_source (WeirTool *self); /* not set = not wiring, or a free end */
WeirToolPort weir_tool_get_wire_target (WeirTool *self); /* not set = none yet */
/* Whether that is an input which its block does not have yet: the edit makes it. */
gboolean weir_tool_makes_input (WeirTool *self);
/* Whether the wire being drawn may end at this port. */
gboolean weir_tool_is_legal_target (WeirTool *self, guint32 block, const WeirPortShape *port);
/* The same of a line, for a physical one. */
gboolean weir_tool_is_legal_line (WeirTool *self, guint32 line);
WeirToolOffer weir_tool_get_offer (WeirTool *self);
/* The wire whose end is being moved, drawn without it, or 0. */
guint32 weir_tool_get_rewired (WeirTool *self);
/* While moving: lines that it lines up on, and the wire that it would part, or 0. */
const WeirGuide *weir_tool_get_guides (WeirTool *self, guint *n);
guint32 weir_tool_get_insert_wire (WeirTool *self);
/* The box whose corners can be dragged: of the one selected block or frame. FALSE if there
 * is none. */
gboolean weir_tool_get_handles (WeirTool *self, WeirRect *box);
int
weir_tool_get_handle (WeirTool *self); /* under the pointer: clockwise from the upper left, or -1 */
/* Why the port under the pointer is refused; NULL if it is not. */
const char *weir_tool_get_refusal (WeirTool *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirTool, weir_tool_free)

G_END_DECLS
