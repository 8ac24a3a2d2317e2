/* Orthogonal routes of wires from port to port.
 *
 * A route leaves its first end along that end's normal and arrives at the other against its normal,
 * goes through hand-made bends in their order, keeps out of the obstacles where it can, and else
 * prefers few corners, then short ways, then ways below rather than above. Every segment is
 * horizontal or vertical; no two following segments lie on one line. The same arguments give the
 * same route. Thread: *any*.
 */
#pragma once

#include "paint/ground/geometry.h"

G_BEGIN_DECLS

#define WEIR_STUB 10.0 /* how far a wire runs straight off a port, and past obstacles */

typedef struct {
  WeirPoint point;
  WeirPoint normal; /* outward; (0, 0) = any direction will do */
} WeirRouteEnd;

/* @obstacles: boxes to go around, those of the end blocks included.
 * @points: GArray of WeirPoint, replaced by the route, ends included; at least two points. */
void weir_route (const WeirRouteEnd *from, const WeirRouteEnd *to, const WeirPoint *bends,
                 guint n_bends, const WeirRect *obstacles, guint n_obstacles, GArray *points);

/* The corners of @points as bends after its segment @segment (0 = the first) was moved sideways by
 * @offset. Segments at a port keep a stub there. @bends: GArray of WeirPoint, replaced. */
void weir_route_move_segment (const WeirPoint *points, guint n_points, guint segment,
                              WeirPoint offset, GArray *bends);

/* The point of a route nearest to @at; @segment: (out) (nullable) where it is. */
WeirPoint weir_route_find_nearest (const WeirPoint *points, guint n_points, WeirPoint at,
                                   guint *segment);
/* Segment of a route nearest to @point within @slack, or -1. */
int weir_route_hit (const WeirPoint *points, guint n_points, WeirPoint point, double slack);

G_END_DECLS
