/* What the files of a scene share.
 *
 * scene.c makes scenes, from the one before where there is one, and looks things up; scene-wires.c
 * has the route of one wire and the blocks that matter to it; scene-apart.c moves wires that lie on
 * one another; scene-junctions.c finds where wires
 * of one output part; scene-hit.c what lies at a point or in an area.
 */
#pragma once

#include "paint/grid.h"
#include "paint/scene.h"

G_BEGIN_DECLS

struct _WeirScene {
  gatomicrefcount ref_count;
  WeirDiagram *diagram;
  GPtrArray *blocks; /* WeirBlockShape, by id */
  GPtrArray *wires;  /* WeirWireShape, by id */
  GArray *junctions; /* WeirPoint */
  WeirRect reach;
};

typedef struct {
  guint32 block;
  const char *port; /* borrowed */
} WeirScenePort;

/* scene-wires.c: the blocks of a scene whose wires are being made, found by place. */
typedef struct {
  WeirScene *scene;
  WeirGrid *grid; /* of its blocks; NULL until it is needed */
  GArray *found;  /* guint, blocks: what a search of it gives */
} WeirSceneIndex;

void weir_scene_index_clear (WeirSceneIndex *self);

WeirWireShape *weir_wire_shape_ref (WeirWireShape *shape);
void weir_wire_shape_unref (WeirWireShape *shape);
/* All blocks of the scene are there. @old: its shape in the previous scene, or NULL; taken over if
 * nothing that it depends on has changed. (transfer full) */
WeirWireShape *weir_wire_shape_new (WeirSceneIndex *index, WeirWire *wire,
                                    const WeirWireShape *old);

/* The same wire along @points, a copy of which is made; NULL: along its route. (transfer full) */
WeirWireShape *weir_wire_shape_with_points (const WeirWireShape *self, const WeirPoint *points);
/* Whether no block, its name included, lies in @area. */
gboolean weir_scene_index_is_free (WeirSceneIndex *self, WeirRect area);

/* scene-apart.c: all wires are there; those that were routed along others are moved. */
void weir_scene_part_wires (WeirScene *self, WeirSceneIndex *index);

/* scene-junctions.c: all wires are there. */
void weir_scene_find_junctions (WeirScene *self);

G_END_DECLS
