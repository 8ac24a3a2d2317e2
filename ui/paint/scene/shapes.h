/* The shapes of a scene by id, on shelves that it shares with the scenes before and after it.
 *
 * A shelf holds some tens of shapes that follow one another, and knows what they reach. Who changes
 * a shape writes its shelf anew; the others stay one and the same for both scenes. So an edit costs
 * a shelf or two and as many pointers as there are shelves, two scenes are compared by what they do
 * not share, and whoever looks for what is in an area passes over the shelves that are beside it.
 * Thread: *any* for what is not changed any more.
 */
#pragma once

#include "paint/ground/geometry.h"

G_BEGIN_DECLS

/* What shapes on shelves are. */
typedef struct {
  guint32 (*get_id) (gconstpointer shape);
  WeirRect (*get_reach) (gconstpointer shape);
  WeirRect (*get_near) (gconstpointer shape); /* without a width: nothing matters to it; nullable */
  gpointer (*ref) (gpointer shape);
  void (*unref) (gpointer shape);
} WeirShapeKind;

typedef struct _WeirShapes WeirShapes;

WeirShapes *weir_shapes_new (const WeirShapeKind *kind);
/* The same shapes, on the same shelves. (transfer full) */
WeirShapes *weir_shapes_copy (const WeirShapes *self);
void weir_shapes_free (WeirShapes *self);

guint weir_shapes_get_size (const WeirShapes *self);
/* In order of id. (transfer none) */
gpointer weir_shapes_get (const WeirShapes *self, guint i);
/* @index (nullable): where it is. FALSE: it is not there. */
gboolean weir_shapes_find (const WeirShapes *self, guint32 id, guint *index);
/* NULL: it is not there. (transfer none) */
gpointer weir_shapes_lookup (const WeirShapes *self, guint32 id);

/* Adds @shape, or has it stand for the one of its id. @shape: (transfer full). */
void weir_shapes_put (WeirShapes *self, gpointer shape);
void weir_shapes_remove (WeirShapes *self, guint32 id);

/* @i, or the first after it whose shelf reaches into @area; the size if there is none. What it
 * gives may be beside @area: what counts is for the caller to see. */
guint weir_shapes_next (const WeirShapes *self, guint i, WeirRect area);
/* The same by what matters to them. */
guint weir_shapes_next_near (const WeirShapes *self, guint i, WeirRect area);
/* Of all of them; FALSE: there are none. */
gboolean weir_shapes_get_reach (const WeirShapes *self, WeirRect *reach);

/* Calls @func in order of id for what is not one and the same in both; NULL stands for what one
 * does not have. */
typedef void (*WeirShapeChangeFunc) (gpointer before, gpointer after, gpointer data);
void weir_shapes_foreach_change (const WeirShapes *before, const WeirShapes *after,
                                 WeirShapeChangeFunc func, gpointer data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirShapes, weir_shapes_free)

G_END_DECLS
