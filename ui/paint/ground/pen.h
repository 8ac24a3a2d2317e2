/* What drawing carries around: where to, in which colours, how large, and a layout for its texts.
 *
 * Thread: *owner* of the cairo context.
 */
#pragma once

#include <pango/pangocairo.h>

#include "paint/ground/geometry.h"
#include "paint/ground/palette.h"

G_BEGIN_DECLS

#define WEIR_FONT "Sans"
#define WEIR_NAME_SIZE 11.0
#define WEIR_PORT_LABEL_SIZE 9.0

typedef struct _WeirPenTexts WeirPenTexts;

/* What drawing a diagram carries around. */
typedef struct {
  cairo_t *cr;
  const WeirPalette *palette;
  double scale;
  WeirPenTexts *texts; /* of the thread, at the scale of @cr when the pen was made */
  PangoLayout *layout; /* for what sets texts itself */
} WeirPen;

void weir_pen_init (WeirPen *pen, cairo_t *cr, const WeirPalette *palette, double scale);
void weir_pen_clear (WeirPen *pen);

/* Sets @text, at most @width wide (0 = any), so that the point (@x, @y) lies at the fraction
 * (@align_x, @align_y) of its box. In the current colour. */
void weir_pen_text (WeirPen *pen, const char *text, double size, double x, double y, double align_x,
                    double align_y, double width);
double weir_pen_get_text_width (WeirPen *pen, const char *text, double size);
/* The path of a rectangle with round corners. */
void weir_rounded_path (cairo_t *cr, WeirRect rect, double radius);
void weir_circle_path (cairo_t *cr, double x, double y, double radius);

G_END_DECLS
