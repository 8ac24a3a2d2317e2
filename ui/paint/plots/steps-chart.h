/* Steps of units side by side: a lane for each thread, in it the steps that it made, by wall time;
 * those of the critical path have a thicker outline. Thread: *any*.
 */
#pragma once

#include "paint/ground/palette.h"

G_BEGIN_DECLS

typedef struct {
  char *name;        /* of the unit */
  guint thread;      /* 0: the run's own */
  double begin, end; /* us, from any instant */
  gboolean is_critical;
} WeirStepBar;

/* The height that it asks for, in pixels. */
double weir_steps_chart_get_height (const WeirStepBar *bars, guint n);
void weir_steps_chart_draw (const WeirStepBar *bars, guint n, cairo_t *cr, double width,
                            double height, const WeirPalette *palette);
/* The step at a point of a drawing that is @width wide; @n: there is none. */
guint weir_steps_chart_hit (const WeirStepBar *bars, guint n, double width, double x, double y);

G_END_DECLS
