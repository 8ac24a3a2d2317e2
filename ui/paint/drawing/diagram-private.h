/* What the files of drawing a diagram share.
 *
 * diagram.c has the order of drawing, the grid, notes and frames; diagram-wires.c wires with their
 * hops, labels and junctions; diagram-values.c the values they carry; diagram-blocks.c blocks with
 * ports, names and marks; diagram-style.c what all of them go by.
 */
#pragma once

#include "paint/drawing/diagram.h"
#include "paint/drawing/glyph.h"

G_BEGIN_DECLS

/* Levels of detail, by pixels a unit: from TEXT on everything; from GLYPH on no text but
 * pictograms; below that plain rectangles, and wires as one stroke. */
#define WEIR_TEXT_SCALE 0.5
#define WEIR_GLYPH_SCALE 0.28

guint weir_style_get_marks (const WeirDiagramStyle *style, guint32 id);
gboolean weir_style_is_visible (const WeirDiagramStyle *style, WeirRect reach);
/* A line of @units; it grows when zoomed out, so that it stays visible. */
double weir_style_get_width (double units, double scale, const WeirPalette *palette);
WeirColor weir_palette_get_problem_color (const WeirPalette *palette, guint marks);
/* @fallback for WEIR_TINT_NONE. */
WeirColor weir_palette_get_tint (const WeirPalette *palette, WeirTint tint, WeirColor fallback);
WeirColor weir_color_mix (WeirColor a, WeirColor b, double share_of_b);
void weir_rounded_path (cairo_t *cr, WeirRect rect, double radius);

void weir_draw_wires (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style);
void weir_draw_wire_labels (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);
/* diagram-values.c */
void weir_draw_values (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);

void weir_draw_blocks (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);

G_END_DECLS
