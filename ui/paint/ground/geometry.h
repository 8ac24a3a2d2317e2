/* Shapes of blocks on a diagram: boxes, ports and what a point hits.
 *
 * All lengths are diagram units (1 = a pixel at 100 %). Own sizes and port offsets are multiples of
 * the grid, so that ports of snapped blocks line up and wires run straight. A shape is computed
 * from a block alone and never changes: equal block pointers have equal shapes. Thread: *any*.
 */
#pragma once

#include <cairo.h>

#include "blocks/library/registry.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

#define WEIR_GRID 10.0
#define WEIR_PORT_SPACING 20.0
#define WEIR_NAME_HEIGHT 16.0 /* room for a block's name at 100 % */

typedef struct {
  double x, y, width, height;
} WeirRect;

static inline gboolean
weir_rect_contains (WeirRect rect, WeirPoint point)
{
  return point.x >= rect.x && point.x <= rect.x + rect.width && point.y >= rect.y
         && point.y <= rect.y + rect.height;
}

/* Touching does not count. */
static inline gboolean
weir_rect_intersects (WeirRect a, WeirRect b)
{
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static inline WeirRect
weir_rect_union (WeirRect a, WeirRect b)
{
  double x0 = MIN (a.x, b.x), y0 = MIN (a.y, b.y);
  double x1 = MAX (a.x + a.width, b.x + b.width), y1 = MAX (a.y + a.height, b.y + b.height);

  return (WeirRect) { x0, y0, x1 - x0, y1 - y0 };
}

static inline WeirRect
weir_rect_grow (WeirRect rect, double margin)
{
  return (WeirRect) { rect.x - margin, rect.y - margin, rect.width + 2 * margin,
                      rect.height + 2 * margin };
}

WeirRect weir_rect_from_corners (WeirPoint a, WeirPoint b);
WeirPoint weir_rect_get_center (WeirRect rect);
double weir_snap (double value); /* to the nearest grid line */
double weir_point_distance_to_segment (WeirPoint point, WeirPoint a, WeirPoint b);

typedef enum {
  WEIR_OUTLINE_BOX,
  WEIR_OUTLINE_CIRCLE,
  WEIR_OUTLINE_TRIANGLE, /* points at its output */
  WEIR_OUTLINE_PILL,
  WEIR_OUTLINE_SCREEN, /* a box with rounder corners */
  WEIR_OUTLINE_NONE,   /* the symbol of a part stands by itself */
} WeirOutline;

typedef enum {
  WEIR_NAME_BELOW,
  WEIR_NAME_ABOVE,   /* a port looks down */
  WEIR_NAME_BESIDE,  /* ports look up and down: to the lower right */
  WEIR_NAME_RIGHT,   /* the same of a symbol: right of its middle */
  WEIR_NAME_NOWHERE, /* references are told by their symbols */
} WeirNamePlace;

typedef struct {
  char *name;
  gboolean is_output;
  WeirPoint position;       /* on the outline */
  WeirPoint normal;         /* outward: one of (1, 0), (0, 1), (-1, 0), (0, -1) */
  gboolean is_pin;          /* of physical lines; is_output says nothing then */
  const WeirDomain *domain; /* of a pin; NULL: that of what it is joined with */
} WeirPortShape;

/* Ports of an FMU that are connected together: they stand together, behind room for the name. */
typedef struct {
  const char *name; /* there for good */
  WeirPoint name_position, first, last;
  WeirPoint normal;
} WeirTerminalShape;

typedef struct {
  gatomicrefcount ref_count;
  WeirBlock *block;
  const WeirBlockType *type; /* NULL if unknown */
  WeirOutline outline;
  WeirRect box;   /* without name */
  WeirRect reach; /* with name and ports */
  WeirRect name;  /* about where the name is: how wide it is drawn is not known here */
  WeirNamePlace name_place;
  guint n_inputs, n_outputs, n_pins;
  guint n_ports;        /* all of them */
  WeirPortShape *ports; /* inputs, then outputs, then pins */
  GArray *terminals;    /* WeirTerminalShape; NULL: it has none */
} WeirBlockShape;

WeirBlockShape *weir_block_shape_new (WeirBlock *block);
WeirBlockShape *weir_block_shape_ref (WeirBlockShape *self);
void weir_block_shape_unref (WeirBlockShape *self);

/* NULL if there is no such port; pins are found with either @is_output. (transfer none) */
const WeirPortShape *weir_block_shape_find_port (const WeirBlockShape *self, const char *name,
                                                 gboolean is_output);
/* On the body of the block, its outline counting. */
gboolean weir_block_shape_hits (const WeirBlockShape *self, WeirPoint point, double slack);
/* The port nearest to @point within @slack, or NULL. */
const WeirPortShape *weir_block_shape_hit_port (const WeirBlockShape *self, WeirPoint point,
                                                double slack);
/* Size the block has when drawn unrotated. */
WeirPoint weir_block_get_own_size (const WeirBlock *block);
/* Makes user space that of the block as it is before it is flipped and turned: (0, 0) to its own
 * size. */
void weir_block_apply_turn (const WeirBlock *block, cairo_t *cr);
/* Size of its box as it is rotated. */
WeirPoint weir_block_get_turned_size (const WeirBlock *block);

/* The text of a parameter as it holds: the block's own, or the type's default; NULL if unknown. */
const char *weir_block_get_effective_parameter (const WeirBlock *block, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirBlockShape, weir_block_shape_unref)

G_END_DECLS
