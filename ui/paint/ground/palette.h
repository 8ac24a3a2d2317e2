/* The colours that everything drawn by Weir is made of: light, dark and two high-contrast sets.
 *
 * A palette is a constant table; drawing functions take one as an argument and know no other
 * colours, so that the same diagram or plot can be drawn for a dark window and a white page. Curve
 * colours keep their order in all sets: curve 2 is orange on white and on black. Thread: *any*.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  double r, g, b, a;
} WeirColor;

typedef enum {
  WEIR_PALETTE_LIGHT,
  WEIR_PALETTE_DARK,
  WEIR_PALETTE_HIGH_CONTRAST,
  WEIR_PALETTE_HIGH_CONTRAST_DARK,
  WEIR_N_PALETTES,
} WeirPaletteKind;

#define WEIR_N_CURVE_COLORS 10
#define WEIR_N_STATE_COLORS 7

typedef struct {
  WeirColor background; /* of diagram and plot */
  WeirColor grid;       /* dots of the diagram, lines of the plot */
  WeirColor text;       /* names, labels */
  WeirColor dim_text;   /* port names, tick labels, notes */
  WeirColor fill;       /* of a block */
  WeirColor stroke;     /* block outlines, axes */
  WeirColor glyph;      /* pictograms */
  WeirColor wire;       /* wires and their junctions */
  WeirColor port;       /* unconnected ports */
  WeirColor hover;      /* what the pointer is on */
  WeirColor selection;  /* outlines of what is selected, rubber band */
  WeirColor candidate;  /* ports that a wire may end at */
  WeirColor illegal;    /* ports that it may not */
  WeirColor error;
  WeirColor warning;
  WeirColor hint;
  WeirColor on_mark; /* the sign within a problem mark */
  WeirColor curves[WEIR_N_CURVE_COLORS];
  WeirColor
      states[WEIR_N_STATE_COLORS]; /* of cache entries, in the order of WeirBadge from NEVER on */
  double line_width;               /* factor: 1, more in high contrast */
  double kept; /* of what recedes, more than otherwise: 0, more in high contrast */
} WeirPalette;

const WeirPalette *weir_palette_get (WeirPaletteKind kind);
const WeirPalette *weir_palette_find (gboolean dark, gboolean high_contrast);

void weir_set_source (cairo_t *cr, WeirColor color);
/* The same colour with its alpha multiplied. */
void weir_set_source_alpha (cairo_t *cr, WeirColor color, double alpha);

G_END_DECLS
