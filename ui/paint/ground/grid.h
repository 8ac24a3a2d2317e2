/* Boxes found by place: a grid of cells over the plane, each with the items that touch it.
 *
 * Made for a scene that is made anew while something is dragged: two allocations however many the
 * items are, and cells so wide that all items together touch few of them, however large some are.
 * Thread: *owner*.
 */
#pragma once

#include "paint/ground/geometry.h"

G_BEGIN_DECLS

typedef struct _WeirGrid WeirGrid;

/* For @n_items, numbered from 0; @squares: the sums of the squares of their widths and heights.
 * Cells are of @least at least. */
WeirGrid *weir_grid_new (guint n_items, WeirPoint squares, WeirPoint least);
void weir_grid_free (WeirGrid *self);

/* @item is in @area from here on, too: it is found where it was before, as well. */
void weir_grid_put (WeirGrid *self, guint item, WeirRect area);

/* @found: GArray of guint, replaced by the items whose cells @area touches, each once. They may be
 * beside it: what counts is for the caller to see. */
void weir_grid_find (const WeirGrid *self, WeirRect area, GArray *found);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirGrid, weir_grid_free)

G_END_DECLS
