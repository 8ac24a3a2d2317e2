/* An image of a diagram that is kept from frame to frame while something is dragged: only where
 * the scene is not what it was is it drawn anew.
 *
 * What comes out is what weir_diagram_draw() would have drawn. Thread: *owner*.
 */
#pragma once

#include "paint/drawing/diagram.h"

G_BEGIN_DECLS

typedef struct _WeirKept WeirKept;

WeirKept *weir_kept_new (void);
void weir_kept_free (WeirKept *self);

/* Whether pictures in @style can be kept: values and the cache's state change without the scene,
 * and from afar wires are drawn many at once. */
gboolean weir_kept_can (const WeirDiagramStyle *style);
/* Draws @scene onto @cr, whose user space is pixels of a window, the origin of the diagram at
 * @offset. @style: its clip is the whole window, width x height; @device_scale: of its pixels. */
void weir_kept_draw (WeirKept *self, cairo_t *cr, WeirScene *scene, const WeirDiagramStyle *style,
                     WeirPoint offset, int width, int height, int device_scale);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirKept, weir_kept_free)

G_END_DECLS
