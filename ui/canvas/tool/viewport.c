/* Which part of a diagram a view shows. See viewport.h. */
#include "canvas/tool/viewport.h"

#include <math.h>

#define FIT_MARGIN 32.0    /* pixels */
#define REVEAL_MARGIN 24.0 /* pixels */

void
weir_viewport_init (WeirViewport *self)
{
  *self = (WeirViewport) { .zoom = 1 };
}

WeirPoint
weir_viewport_to_diagram (const WeirViewport *self, WeirPoint pixel)
{
  return (WeirPoint) { (pixel.x - self->offset.x) / self->zoom,
                       (pixel.y - self->offset.y) / self->zoom };
}

WeirPoint
weir_viewport_to_pixel (const WeirViewport *self, WeirPoint point)
{
  return (WeirPoint) { point.x * self->zoom + self->offset.x,
                       point.y * self->zoom + self->offset.y };
}

WeirRect
weir_viewport_get_visible (const WeirViewport *self)
{
  WeirPoint origin = weir_viewport_to_diagram (self, (WeirPoint) { 0, 0 });

  return (WeirRect) { origin.x, origin.y, self->width / self->zoom, self->height / self->zoom };
}

void
weir_viewport_pan (WeirViewport *self, double dx, double dy)
{
  self->offset.x += dx;
  self->offset.y += dy;
}

void
weir_viewport_zoom_at (WeirViewport *self, WeirPoint pixel, double factor)
{
  WeirPoint fixed = weir_viewport_to_diagram (self, pixel);

  self->zoom = CLAMP (self->zoom * factor, WEIR_ZOOM_MIN, WEIR_ZOOM_MAX);
  self->offset = (WeirPoint) { pixel.x - fixed.x * self->zoom, pixel.y - fixed.y * self->zoom };
}

void
weir_viewport_set_zoom (WeirViewport *self, double zoom)
{
  weir_viewport_zoom_at (self, (WeirPoint) { self->width / 2, self->height / 2 },
                         zoom / self->zoom);
}

void
weir_viewport_zoom_step (WeirViewport *self, int direction)
{
  static const double figures[] = { 0.05, 0.1,  0.15, 0.25, 0.33, 0.5, 0.67, 0.8,
                                    1,    1.25, 1.5,  2,    3,    4,   6,    8 };
  double best = direction > 0 ? WEIR_ZOOM_MAX : WEIR_ZOOM_MIN;

  for (guint i = 0; i < G_N_ELEMENTS (figures); i++)
    if (direction > 0 ? figures[i] > self->zoom * 1.01 && figures[i] < best
                      : figures[i] < self->zoom * 0.99 && figures[i] > best)
      best = figures[i];
  weir_viewport_set_zoom (self, best);
}

void
weir_viewport_fit (WeirViewport *self, WeirRect area, double max_zoom)
{
  double width = MAX (self->width - 2 * FIT_MARGIN, 1);
  double height = MAX (self->height - 2 * FIT_MARGIN, 1);
  double zoom = MIN (width / MAX (area.width, 1), height / MAX (area.height, 1));

  self->zoom = CLAMP (MIN (zoom, max_zoom), WEIR_ZOOM_MIN, WEIR_ZOOM_MAX);
  weir_viewport_center_on (self, weir_rect_get_center (area));
}

void
weir_viewport_center_on (WeirViewport *self, WeirPoint point)
{
  /* Whole pixels, so that lines on the grid stay sharp. */
  self->offset.x = round (self->width / 2 - point.x * self->zoom);
  self->offset.y = round (self->height / 2 - point.y * self->zoom);
}

/* How far a range must move to lie within [0, length]; its start wins if it is too long. */
static double
get_shift (double start, double end, double length)
{
  double shift = 0;

  if (end > length - REVEAL_MARGIN)
    shift = length - REVEAL_MARGIN - end;
  if (start + shift < REVEAL_MARGIN)
    shift = REVEAL_MARGIN - start;
  return round (shift);
}

gboolean
weir_viewport_reveal (WeirViewport *self, WeirRect area)
{
  WeirPoint a = weir_viewport_to_pixel (self, (WeirPoint) { area.x, area.y });
  WeirPoint b = weir_viewport_to_pixel (self,
                                        (WeirPoint) { area.x + area.width, area.y + area.height });
  double dx = 0, dy = 0;

  if (a.x < 0 || b.x > self->width)
    dx = get_shift (a.x, b.x, self->width);
  if (a.y < 0 || b.y > self->height)
    dy = get_shift (a.y, b.y, self->height);
  weir_viewport_pan (self, dx, dy);
  return dx != 0 || dy != 0;
}
