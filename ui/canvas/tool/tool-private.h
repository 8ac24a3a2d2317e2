/* What the files of the tool share.
 *
 * tool-state.c has what is between events; tool.c has the events and which gesture they begin;
 * tool-moving.c moves, bends and resizes; tool-wiring.c draws wires and moves their ends;
 * tool-keyboard.c wires without a pointer.
 */
#pragma once

#include "canvas/tool/guides.h"
#include "canvas/tool/tool.h"
#include "paint/ground/routing.h"

G_BEGIN_DECLS

#define WEIR_TOOL_DRAG_PIXELS 4.0
#define WEIR_TOOL_HIT_PIXELS 6.0
#define WEIR_TOOL_SNAP_PIXELS 14.0 /* while wiring, ports reach further */
#define WEIR_TOOL_GUIDE_PIXELS 6.0

struct _WeirTool {
  WeirModel *model;
  GArray *place_ids;
  WeirScene *scene;
  gboolean snap;
  double pixel;
  WeirSelection selection;

  WeirToolState state;
  WeirPoint start, here;
  WeirToolModifiers start_modifiers;
  WeirHit hover;
  int hover_handle; /* corner of the one selected box under the pointer, or -1 */

  /* what was pressed */
  WeirHitKind pressed_kind;
  guint32 pressed_id;
  guint pressed_segment;
  char *pressed_port;
  gboolean pressed_is_output;
  gboolean was_selected;
  guint32 was_alone; /* the block that alone was selected before, or 0 */
  int pressed_handle;

  /* banding */
  GArray *band_base[WEIR_N_SELECT_KINDS];

  /* moving, bending and resizing */
  WeirEdit *edit;
  WeirScene *preview;
  GArray *guides;      /* WeirGuide */
  guint32 insert_wire; /* that what is moved would part, or 0 */

  /* wiring */
  WeirToolPort source; /* the end that stays; port owned: source_port; not set: a free end */
  char *source_port;
  WeirPoint source_point; /* of a free end */
  WeirToolPort target;    /* port borrowed from the scene */
  guint32 rewired;        /* wire whose other end is being moved, or 0 */
  gboolean by_click, by_keyboard;
  GArray *wire_bends, *wire_points;
  char *refusal;
  GArray *targets; /* WeirToolPort: legal ones in reading order, by keyboard */
  int target_index;
  WeirToolOffer offer;
  char *offer_port;
};

/* tool-state.c */
extern const WeirHit weir_no_hit;
WeirSite weir_tool_get_site (WeirTool *self);
void weir_tool_end_gesture (WeirTool *self);

/* tool-moving.c */
void weir_tool_move_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
void weir_tool_bend_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
void weir_tool_resize_to (WeirTool *self, WeirPoint at, WeirToolModifiers modifiers);
/* The corner under @at of the one selected block or frame: 0 to 3 clockwise from the upper left;
 * -1. */
int weir_tool_hit_handle (WeirTool *self, WeirPoint at);

/* tool-wiring.c */
/* From a port. From a wired input, or the start of the one selected wire, it takes that
 * end along. */
void weir_tool_begin_wiring_at (WeirTool *self, guint32 block, const char *port,
                                gboolean is_output);
/* Takes a loose end of @wire along if there is one at @at. */
gboolean weir_tool_begin_loose_end (WeirTool *self, guint32 wire, WeirPoint at);
void weir_tool_begin_wiring (WeirTool *self, WeirToolPort source);
/* Takes one end of a wire along: its start, or its end. */
void weir_tool_begin_rewiring (WeirTool *self, WeirWire *wire, gboolean moves_start);
void weir_tool_aim (WeirTool *self, WeirPoint at);
void weir_tool_route_wire (WeirTool *self);
WeirRouteEnd weir_tool_get_route_end (WeirTool *self, WeirToolPort port);
/* Ends the gesture: with a connection if there is a target, else loose or with an offer. */
WeirEdit *weir_tool_finish_wire (WeirTool *self);

G_END_DECLS
