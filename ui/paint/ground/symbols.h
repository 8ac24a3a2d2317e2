/* Textbook symbols of physical parts, and what tells the domains of their pins apart.
 *
 * A symbol is a text of pen strokes in the part's own frame (not flipped, not turned; (0, 0) to its
 * size), so that a new one is a line in a table: M x y and L x y move and draw, Z closes the path,
 * C x y r is a circle, F x y r a disc, A x y r a b an arc from angle a to b in degrees clockwise
 * from the right, B the same counterclockwise, R x y w h a box, S fills what was drawn so far, T x
 * y WORD is a text that stays upright. Its leads end where the pins are. Thread: *any*.
 */
#pragma once

#include "blocks/types/block-type.h"
#include "model/tree/model.h"
#include "paint/ground/palette.h"
#include "paint/ground/pen.h"

G_BEGIN_DECLS

typedef struct {
  const char *type;
  double width, height; /* multiples of the grid; their difference of twice the grid, so that a
                           quarter turn about the middle stays on it */
  const char *strokes;
} WeirSymbol;

/* Of a block with what it is besides by its options; NULL if its type has none. */
const WeirSymbol *weir_symbol_find (const WeirBlock *block);
/* Whether it only says that something is zero or stands still: it needs no name. */
gboolean weir_symbol_is_reference (const char *type);
/* User space is the part's own frame; strokes are drawn in the current colour. */
void weir_symbol_draw (WeirPen *pen, const WeirSymbol *self);

/* The colour of lines and pins of a domain; NULL: one that is not known yet. */
WeirColor weir_domain_get_color (const WeirDomain *domain, const WeirPalette *palette);
/* The outline of a pin around (0, 0), within about @radius: a shape for each domain, told apart
 * without colour. */
void weir_domain_pin_path (cairo_t *cr, const WeirDomain *domain, double radius);

G_END_DECLS
