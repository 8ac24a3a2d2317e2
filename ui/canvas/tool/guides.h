/* Alignment guides: where what is being moved lines up with what stays.
 *
 * On each axis by itself, of all lines within reach the nearest wins: ports of one wire come before
 * middles, middles before edges. Thread: *any*.
 */
#pragma once

#include "paint/scene/scene.h"

G_BEGIN_DECLS

/* A line to draw, along an axis. */
typedef struct {
  WeirPoint a, b;
} WeirGuide;

/* Corrects @offset, by which the blocks @moving (a set of ids) and the @notes box, if not empty,
 * are moved, by at most @reach on each axis. @snapped: per axis, whether it was fixed by a guide.
 * @guides: GArray of WeirGuide, replaced. */
WeirPoint weir_guides_snap (WeirScene *scene, GHashTable *moving, WeirRect notes, WeirPoint offset,
                            double reach, gboolean snapped[2], GArray *guides);

G_END_DECLS
