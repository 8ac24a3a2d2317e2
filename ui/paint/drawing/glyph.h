/* The pictogram of a block: outline and what is inside, from vector data, per type.
 *
 * Pictograms stay upright however the block is turned; only outlines that point somewhere (the
 * triangle of a Gain) turn. Thread: *owner* of the cairo context.
 */
#pragma once

#include "paint/ground/geometry.h"
#include "paint/ground/pen.h"

G_BEGIN_DECLS

/* The path of the outline. */
void weir_outline_path (cairo_t *cr, const WeirBlockShape *shape);
/* What is inside the outline. */
void weir_glyph_draw (WeirPen *pen, const WeirBlockShape *shape);

G_END_DECLS
