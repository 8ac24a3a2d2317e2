/* The geometry of one diagram: a shape for every block, a route for every wire, junctions.
 *
 * A scene is computed from a diagram and shares with the scene before it whatever cannot have
 * changed, so that an edit of one block costs one shape and the routes near it. Elements keep the
 * diagram's order, which is the order of drawing; what is drawn last is hit first. Immutable,
 * reference-counted, thread *any*.
 */
#pragma once

#include "model/tree/derived.h"
#include "paint/ground/geometry.h"

G_BEGIN_DECLS

#define WEIR_NOTE_TEXT_SIZE 12.0
#define WEIR_FRAME_TITLE_HEIGHT 22.0

typedef struct {
  gatomicrefcount ref_count;
  WeirWire *wire;
  WeirPoint *points;
  guint n_points;
  WeirPoint *routed; /* what they were before they were moved out of the way of other wires;
                        n_points; NULL: they were not */
  WeirRect reach;
  gboolean from_connected, to_connected; /* FALSE: a free or dangling end */
  guint32 node;             /* of a physical line: its node; 0: it is the wire of a signal */
  const WeirDomain *domain; /* of that node; NULL: not known, or a signal's */
  gboolean is_joined;       /* other lines end on it */
  guint64 fingerprint;      /* of all shapes that the route depends on */
  WeirRect near; /* blocks here matter to the route, besides its ends; without a width: none do */
} WeirWireShape;

typedef struct _WeirScene WeirScene;

/* @previous: of an earlier version of the diagram, or NULL. (transfer full) */
WeirScene *weir_scene_new (WeirDiagram *diagram, WeirScene *previous);
/* The scene of a model's root. */
extern WeirDerivedKind weir_derived_scene;
WeirScene *weir_scene_ref (WeirScene *self);
void weir_scene_unref (WeirScene *self);

/* Calls @func for where blocks and wires, names and labels included, are not what they were, before
 * and after.
 * FALSE: notes are others, or all may be. */
typedef void (*WeirSceneChangeFunc) (WeirRect reach, gpointer data);
gboolean weir_scene_foreach_change (WeirScene *before, WeirScene *after, WeirSceneChangeFunc func,
                                    gpointer data);

WeirDiagram *weir_scene_get_diagram (WeirScene *self); /* (transfer none) */
guint weir_scene_get_n_blocks (WeirScene *self);
guint weir_scene_get_n_wires (WeirScene *self);
const WeirBlockShape *weir_scene_get_block (WeirScene *self, guint i);
const WeirWireShape *weir_scene_get_wire (WeirScene *self, guint i);
/* @i, or the next block or wire after it that may reach into @area; their number if there is none:
 * what is far from there is passed over. */
guint weir_scene_next_block (WeirScene *self, guint i, WeirRect area);
guint weir_scene_next_wire (WeirScene *self, guint i, WeirRect area);
const WeirBlockShape *weir_scene_find_block (WeirScene *self, guint32 id); /* NULL if absent */
const WeirWireShape *weir_scene_find_wire (WeirScene *self, guint32 id);
/* @wires: (out) (nullable) for each the id of a wire that meets others there. */
const WeirPoint *weir_scene_get_junctions (WeirScene *self, guint *n, const guint32 **wires);
/* Whether they are of one signal, or of one node. */
gboolean weir_wire_shape_is_same_net (const WeirWireShape *self, const WeirWireShape *other);
/* What is known of the node that lines at this pin are of; NULL: none ends there. */
const WeirWireShape *weir_scene_find_line_at (WeirScene *self, guint32 block, const char *pin);
/* The domain of a pin, or of the node that it is of; NULL: neither says. */
const WeirDomain *weir_scene_find_domain (WeirScene *self, guint32 block, const char *pin);
/* A note's text box; of a frame, all of it. */
WeirRect weir_scene_get_note_box (WeirNote *note);

/* Where a label of @width is on a wire that goes along @points: over its longest level piece, else
 * beside its longest upright one. */
WeirRect weir_scene_place_label (const WeirPoint *points, guint n_points, double width);

/* All that is drawn of it: its label may be on any of its pieces. */
WeirRect weir_wire_shape_get_reach (const WeirWireShape *self);

/* Calls @func for each wire with a label, in order of id. */
typedef void (*WeirLabelFunc) (const WeirWireShape *shape, gpointer data);
void weir_scene_foreach_label (WeirScene *self, WeirLabelFunc func, gpointer data);

/* On its longest piece. */
WeirPoint weir_scene_get_middle (const WeirWireShape *wire);

/* Of everything, names included; an empty rectangle at the origin if there is nothing. */
WeirRect weir_scene_get_reach (WeirScene *self);
/* Whether a wire ends at this port. */
gboolean weir_scene_is_connected (WeirScene *self, guint32 block, const char *port,
                                  gboolean is_output);

typedef enum {
  WEIR_HIT_NOTHING,
  WEIR_HIT_BLOCK,
  WEIR_HIT_PORT,
  WEIR_HIT_WIRE,
  WEIR_HIT_NOTE,
} WeirHitKind;

typedef struct {
  WeirHitKind kind;
  guint32 id;                /* of the block, wire or note */
  const WeirPortShape *port; /* of a port; borrowed from the scene */
  guint segment;             /* of a wire */
} WeirHit;

/* Ports come before blocks, blocks before wires, wires before notes; a frame is hit on its border
 * and its title. @slack: diagram units around thin things. */
WeirHit weir_scene_hit (WeirScene *self, WeirPoint point, double slack);

/* The block whose name is at @point, or 0. */
guint32 weir_scene_hit_name (WeirScene *self, WeirPoint point);

/* Ids of the blocks whose box lies in @area, and of the wires and notes that do: appended to
 * GArrays of guint32; each may be NULL. */
void weir_scene_find_in_area (WeirScene *self, WeirRect area, GArray *blocks, GArray *wires,
                              GArray *notes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirScene, weir_scene_unref)

G_END_DECLS
