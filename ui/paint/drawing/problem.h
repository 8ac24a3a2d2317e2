/* The marks of problems on blocks, ports and wires, and a loop lit up: a shape for each severity
 * besides its colour: a square for an error, a triangle for a warning, a disc for a hint.
 *
 * @marks: WeirMarkFlags, of which the worst problem counts; @scale: pixels a unit, as marks do not
 * get smaller than can be seen. Thread: *owner* of the cairo context.
 */
#pragma once

#include "paint/drawing/diagram.h"

G_BEGIN_DECLS

/* The filled sign with "!" or "i" in it. */
void weir_draw_problem_sign (cairo_t *cr, WeirPoint at, double radius, guint marks,
                             const WeirPalette *palette);
/* The outline of the sign around a port. */
void weir_draw_port_problem (cairo_t *cr, const WeirPortShape *port, guint marks, double scale,
                             const WeirPalette *palette);
/* The sign in the middle of the longest segment of a wire. */
void weir_draw_wire_problem (cairo_t *cr, const WeirWireShape *wire, guint marks, double scale,
                             const WeirPalette *palette);
/* A band along a wire with arrow heads in the direction of its signal. */
void weir_draw_lit_wire (cairo_t *cr, const WeirWireShape *wire, double scale,
                         const WeirPalette *palette);

G_END_DECLS
