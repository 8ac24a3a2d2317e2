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

/* --- For the files of pictograms: glyph-outline.c has outlines and the room
 * inside, glyph.c pictures of their own, glyph-curves.c
 * the ones from a table of polylines, glyph-formulas.c the ones that are texts and fractions,
 * glyph-lab.c those of the cache lab. */

/* Where the block's outputs look. */
WeirPoint weir_glyph_get_forward (const WeirBlockShape *shape);
/* The square in the middle of a box, as a fraction of its smaller side, that pictograms fill. */
WeirRect weir_glyph_get_field (const WeirBlockShape *shape, double fraction);

/* Draw the type's pictogram in the current colour; FALSE if it has none of that kind. */
gboolean weir_glyph_draw_curve (WeirPen *pen, const WeirBlockShape *shape);
gboolean weir_glyph_draw_formula (WeirPen *pen, const WeirBlockShape *shape);
gboolean weir_glyph_draw_lab (WeirPen *pen, const WeirBlockShape *shape);
/* What says that the block breaks a rule on purpose. */
void weir_glyph_draw_diagnostic_mark (WeirPen *pen, const WeirBlockShape *shape);

/* Makes the path a screen: what an instrument shows is drawn on it. */
void weir_glyph_draw_screen (WeirPen *pen);
void weir_glyph_stroke_sine (WeirPen *pen, WeirRect field);
/* Are the type's ports told apart by names? */
gboolean weir_glyph_has_port_labels (const WeirBlockShape *shape);
void weir_glyph_draw_port_labels (WeirPen *pen, const WeirBlockShape *shape);
/* A bracket along the ports of each terminal, with its name. */
void weir_glyph_draw_terminals (WeirPen *pen, const WeirBlockShape *shape);
/* The room in the middle of a box between the widest labels of its left and right ports. */
WeirRect weir_glyph_get_field_between_labels (WeirPen *pen, const WeirBlockShape *shape,
                                              double fraction);

G_END_DECLS
