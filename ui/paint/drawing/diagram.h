/* Drawing a scene: grid, wires, blocks, names, marks.
 *
 * The caller has set up the cairo transformation so that one unit of user space is one diagram
 * unit; nothing outside the clip is drawn, and what would be too small to read is left out or
 * simplified, so that the cost follows what can be seen. Text is set with Pango at a fixed size in
 * diagram units. Thread: *owner* of the cairo context.
 */
#pragma once

#include "model/tree/analysis-points.h"
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

/* What flows into a part at a pin. */
typedef struct {
  guint32 block;
  const char *pin; /* interned */
  char *text;      /* how much, whatever way */
  int direction;   /* 1: into the part, -1: out of it, 0: neither */
} WeirPinFlow;

/* What physical parts do at the moment. Thread: *owner*; reference-counted. */
typedef struct {
  gatomicrefcount ref_count;
  GArray *flows;      /* of WeirPinFlow */
  GHashTable *powers; /* id of a part -> double *: the power that it takes up, as a share of the
                         greatest of all, from -1 (it gives) to 1 */
} WeirPartFlows;

WeirPartFlows *weir_part_flows_new (void); /* (transfer full) */
WeirPartFlows *weir_part_flows_ref (WeirPartFlows *self);
void weir_part_flows_unref (WeirPartFlows *self);

typedef struct {
  const WeirPalette *palette;
  WeirRect clip; /* what can be seen; an empty one = everything */
  WeirRect view; /* all that can be seen, where the clip is a part of it; else empty */
  double scale;  /* pixels a unit; decides the level of detail */
  gboolean show_grid;
  gboolean show_background;
  gboolean show_ports; /* unconnected ports; FALSE for a page */
  gboolean hide_wires;
  gboolean show_labels; /* names of blocks, labels of wires */
  guint32 hidden_wire;  /* left out, because it is being drawn anew; 0 = none */
  GHashTable *sizes;    /* id of a wire -> size of its signal, both as pointers; NULL = all 1 */
  GHashTable *late;     /* ids of wires whose values come an instant late; NULL = none */
  GHashTable *marks;    /* id -> WeirMarkFlags by GUINT_TO_POINTER; NULL = none */
  WeirOverlay *overlay; /* NULL = none */
  GHashTable *values;   /* id of a wire -> char *: the value it carries; NULL = none */
  const WeirPartFlows *flows; /* or NULL */
} WeirDiagramStyle;

void weir_diagram_style_init (WeirDiagramStyle *style, const WeirPalette *palette);

void weir_diagram_draw (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style);

/* Parts, for overlays. */
typedef enum {
  WEIR_PORT_PLAIN,
  WEIR_PORT_CANDIDATE,
  WEIR_PORT_ILLEGAL,
  WEIR_PORT_TARGET
} WeirPortLook;
/* A pin has the shape and colour of its domain, filled where a line ends at it. */
void weir_draw_pin (cairo_t *cr, const WeirPortShape *pin, const WeirDomain *domain,
                    gboolean is_connected, double scale, const WeirPalette *palette);
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

/* A value as a short text, as wires show it: "1.5", "12; 3; 0.25"; of more than three elements
 * their number and the first of them: "[8] 1; 2; 3; …". Four digits, in the manner of the locale;
 * whole numbers in full up to seven. Thread: *any*. (transfer full) */
char *weir_value_dup_text (const double *values, guint size);

/* --- For those who draw parts of a diagram, or over it ---------------------------------------- */

/* Levels of detail, by pixels a unit: from TEXT on everything; from GLYPH on no text but
 * pictograms; below that plain rectangles, and wires as one stroke. */
#define WEIR_TEXT_SCALE 0.5
#define WEIR_GLYPH_SCALE 0.28

guint weir_style_get_marks (const WeirDiagramStyle *style, guint32 id);
gboolean weir_style_is_visible (const WeirDiagramStyle *style, WeirRect reach);
/* @i, or the next block or wire after it that may be visible; their number if there is none. */
guint weir_style_next_block (const WeirDiagramStyle *style, WeirScene *scene, guint i);
guint weir_style_next_wire (const WeirDiagramStyle *style, WeirScene *scene, guint i);
/* A line of @units; it grows when zoomed out, so that it stays visible. */
double weir_style_get_width (double units, double scale, const WeirPalette *palette);
WeirColor weir_palette_get_problem_color (const WeirPalette *palette, guint marks);
/* @fallback for WEIR_TINT_NONE. */
WeirColor weir_palette_get_tint (const WeirPalette *palette, WeirTint tint, WeirColor fallback);
WeirColor weir_color_mix (WeirColor a, WeirColor b, double share_of_b);

void weir_draw_wires (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style);
void weir_draw_wire_labels (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);
/* diagram-points.c */
void weir_draw_analysis_points (WeirScene *scene, cairo_t *cr, const WeirDiagramStyle *style);
/* diagram-values.c */
void weir_draw_values (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);
/* diagram-flows.c: behind the blocks, and over all. */
void weir_draw_powers (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);
void weir_draw_flows (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);
/* A value in its box, whose upper left corner is at (0, 0) of @box. */
void weir_draw_value (WeirPen *pen, WeirRect box, const char *text);
double weir_value_get_width (WeirPen *pen, const char *text);
#define WEIR_VALUE_HEIGHT 14.0

void weir_draw_blocks (WeirScene *scene, WeirPen *pen, const WeirDiagramStyle *style);

G_END_DECLS
