/* Drawing a scene: grid, wires, blocks, names, marks.
 *
 * The caller has set up the cairo transformation so that one unit of user space is one diagram
 * unit; nothing outside the clip is drawn, and what would be too small to read is left out or
 * simplified, so that the cost follows what can be seen. Text is set with Pango at a fixed size in
 * diagram units. Thread: *owner* of the cairo context.
 */
#pragma once

#include "paint/drawing/overlay.h"
#include "paint/ground/palette.h"
#include "paint/scene/scene.h"

G_BEGIN_DECLS

/* What is special about a block or wire, by id. */
typedef enum {
  WEIR_MARK_SELECTED = 1 << 0,
  WEIR_MARK_HOVER = 1 << 1,
  WEIR_MARK_HINT = 1 << 2,
  WEIR_MARK_WARNING = 1 << 3,
  WEIR_MARK_ERROR = 1 << 4,
  WEIR_MARK_FOCUS = 1 << 5,     /* keyboard focus */
  WEIR_MARK_BREAK = 1 << 6,     /* runs pause at a value of it */
  WEIR_MARK_BREAK_OFF = 1 << 7, /* they would if a breakpoint were not switched off */
} WeirMarkFlags;

/* Those that a sign at the block's upper right stands for. */
#define WEIR_PROBLEM_MARKS (WEIR_MARK_ERROR | WEIR_MARK_WARNING | WEIR_MARK_HINT)

typedef struct {
  const WeirPalette *palette;
  WeirRect clip; /* what can be seen; an empty one = everything */
  double scale;  /* pixels a unit; decides the level of detail */
  gboolean show_grid;
  gboolean show_background;
  gboolean show_ports; /* unconnected ports; FALSE for a page */
  gboolean hide_wires;
  gboolean show_labels; /* names of blocks, labels of wires */
  guint32 hidden_wire;  /* left out, because it is being drawn anew; 0 = none */
  GHashTable *sizes;    /* id of a wire -> size of its signal, both as pointers; NULL = all 1 */
  GHashTable *marks;    /* id -> WeirMarkFlags by GUINT_TO_POINTER; NULL = none */
  WeirOverlay *overlay; /* NULL = none */
  GHashTable *values;   /* id of a wire -> char *: the value it carries; NULL = none */
} WeirDiagramStyle;

void weir_diagram_style_init (WeirDiagramStyle *style, const WeirPalette *palette);

void weir_diagram_draw (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style);

/* Parts, for overlays. */
void weir_draw_grid (cairo_t *cr, WeirRect area, double scale, const WeirPalette *palette);
typedef enum {
  WEIR_PORT_PLAIN,
  WEIR_PORT_CANDIDATE,
  WEIR_PORT_ILLEGAL,
  WEIR_PORT_TARGET
} WeirPortLook;
void weir_draw_port (cairo_t *cr, const WeirPortShape *port, WeirPortLook look, double scale,
                     const WeirPalette *palette);
/* A wire that is being drawn; dashed while it ends nowhere. */
void weir_draw_loose_wire (cairo_t *cr, const WeirPoint *points, guint n_points, gboolean ends,
                           double scale, const WeirPalette *palette);
/* A text in a rounded box whose top left corner is @position, moved to stay within @area. */
void weir_draw_label (cairo_t *cr, const char *text, WeirPoint position, WeirRect area,
                      double scale, const WeirPalette *palette);

/* Draws only the block @type as it looks by itself, centred in width x height: for the palette. */
void weir_draw_block_icon (cairo_t *cr, const char *type, double width, double height,
                           const WeirPalette *palette);

G_END_DECLS
