/* Which part of a diagram a view shows: zoom and offset, apart from any widget.
 *
 * A plain value. Widget coordinates are pixels from the view's top left; diagram coordinates are
 * units. Zooming keeps the point under the pointer. Thread: *owner*.
 */
#pragma once

#include "paint/ground/geometry.h"

G_BEGIN_DECLS

#define WEIR_ZOOM_MIN 0.05
#define WEIR_ZOOM_MAX 8.0
#define WEIR_ZOOM_STEP 1.25 /* of a key press or a wheel notch */

typedef struct {
  double zoom;          /* pixels a unit */
  WeirPoint offset;     /* where the diagram's origin is, in pixels */
  double width, height; /* pixels */
} WeirViewport;

void weir_viewport_init (WeirViewport *self);
WeirPoint weir_viewport_to_diagram (const WeirViewport *self, WeirPoint pixel);
WeirPoint weir_viewport_to_pixel (const WeirViewport *self, WeirPoint point);
WeirRect weir_viewport_get_visible (const WeirViewport *self); /* diagram units */

void weir_viewport_pan (WeirViewport *self, double dx, double dy); /* pixels */
void weir_viewport_zoom_at (WeirViewport *self, WeirPoint pixel, double factor);
/* The next round figure (..., 80 %, 100 %, 125 %, ...) in this direction, about the middle. */
void weir_viewport_zoom_step (WeirViewport *self, int direction);
void weir_viewport_set_zoom (WeirViewport *self, double zoom); /* about the middle */

/* Shows all of @area, in the middle, at most at @max_zoom. */
void weir_viewport_fit (WeirViewport *self, WeirRect area, double max_zoom);
void weir_viewport_center_on (WeirViewport *self, WeirPoint point);
/* The least pan that brings @area into view with some room around it. TRUE if it panned. */
gboolean weir_viewport_reveal (WeirViewport *self, WeirRect area);

G_END_DECLS
