/* What the files of a scene share.
 *
 * scene.c makes scenes, from the one before where there is one; scene-wires.c
 * has the route of one wire and the blocks that matter to it; scene-apart.c moves wires that lie on
 * one another; scene-junctions.c finds where wires
 * of one output part; scene-hit.c what there is: by id, at a point, in an area.
 */
#pragma once

#include "paint/ground/grid.h"
#include "paint/scene/nodes.h"
#include "paint/scene/scene.h"
#include "paint/scene/shapes.h"

G_BEGIN_DECLS

typedef struct {
  guint32 block;
  const char *port; /* borrowed */
} WeirScenePort;

/* A note that is no frame, or the label of a wire: wires pass beside it. */
typedef struct {
  guint32 id;
  WeirScenePort net; /* of the labelled wire: that and others of its output may pass */
  WeirRect box;      /* about; of a label where the wire was routed */
} WeirSceneText;

/* Where the blocks of some scene are, found by place: those of the scenes after it, too, but for a
 * few. */
typedef struct {
  gatomicrefcount ref_count;
  WeirShapes *blocks;
  WeirGrid *grid; /* of their indices */
} WeirBlockPlaces;

struct _WeirScene {
  gatomicrefcount ref_count;
  WeirDiagram *diagram;
  WeirShapes *blocks;      /* WeirBlockShape */
  WeirShapes *wires;       /* WeirWireShape */
  WeirNodes *nodes;        /* of its lines; NULL: there are none */
  GArray *junctions;       /* WeirPoint, in the order of the first wires of their nets */
  GArray *junction_wires;  /* guint32: those, one for each */
  GArray *texts;           /* WeirSceneText: notes by id, then labels by id of wire */
  guint n_notes;           /* of texts */
  WeirBlockPlaces *places; /* NULL until it is needed */
  GArray *moved;           /* guint32: blocks that are not, or not as they are there */
  WeirRect reach;
};

/* scene-wires.c: what stands in the way of the wires of a scene, found by place. */
typedef struct {
  WeirScene *scene;
  WeirGrid *texts;   /* NULL until it is needed */
  GArray *found;     /* guint: what a search of a grid gives */
  GPtrArray *blocks; /* WeirBlockShape: those found */
} WeirSceneIndex;

void weir_scene_index_init (WeirSceneIndex *self, WeirScene *scene);
void weir_scene_index_clear (WeirSceneIndex *self);
/* The block is not as it was in the scene before, of which the places were taken over. */
void weir_scene_note_moved (WeirScene *self, guint32 block);
void weir_block_places_unref (WeirBlockPlaces *self);
/* Texts have come to the scene. */
void weir_scene_index_add_texts (WeirSceneIndex *self, const WeirSceneText *texts, guint n);

extern const WeirShapeKind weir_wire_shape_kind;

WeirWireShape *weir_wire_shape_ref (WeirWireShape *shape);
void weir_wire_shape_unref (WeirWireShape *shape);
/* All blocks and notes of the scene are there, and all labels but where it has one itself. @old:
 * its shape in the previous scene, or NULL; taken over if nothing that it depends on has changed.
 * (transfer full) */
WeirWireShape *weir_wire_shape_new (WeirSceneIndex *index, WeirWire *wire,
                                    const WeirWireShape *old);

/* The same wire along @points, a copy of which is made; NULL: along its route. (transfer full) */
WeirWireShape *weir_wire_shape_with_points (const WeirWireShape *self, const WeirPoint *points);
/* Whether no block, its name included, nor a text lies in @area that is in the way of wires of
 * @net. */
gboolean weir_scene_index_is_free (WeirSceneIndex *self, WeirRect area, WeirScenePort net);

/* The output that it begins at; block 0: none. Of a line its node, as a port without a name.
 * Borrowed. */
WeirScenePort weir_wire_shape_get_net (const WeirWireShape *shape);
/* Whether it ends on another line. */
gboolean weir_wire_joins_line (WeirWire *wire);
/* Calls @func for each wire of the net, which is not that of no output. */
typedef void (*WeirNetFunc) (guint32 wire, gpointer data);
void weir_scene_foreach_of_net (WeirScene *self, WeirScenePort net, WeirNetFunc func,
                                gpointer data);

/* The label of @shape where it was routed, about. */
WeirSceneText weir_wire_shape_get_label (const WeirWireShape *shape);

/* scene-apart.c: all wires are there; those that were routed along others are moved. @places:
 * GArray of WeirRect, where blocks and texts are not as they were in @previous, which may be NULL;
 * more are added. */
void weir_scene_part_wires (WeirScene *self, WeirSceneIndex *index, WeirScene *previous,
                            GArray *places);

/* scene-junctions.c: all wires are there. Those of nets that are as they were are taken over. */
void weir_scene_find_junctions (WeirScene *self, WeirScene *previous);

G_END_DECLS
