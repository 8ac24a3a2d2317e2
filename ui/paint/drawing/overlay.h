/* What is known about the cache, drawn over a diagram: a badge, a tint and a figure for every
 * block, the state of its source on every wire, and how far a change spreads.
 *
 * Filled by who knows the cache (ui/cache), drawn with the diagram by weir_diagram_draw(). Three
 * levels of detail: from afar blocks are tinted; at usual zoom they have a badge and a figure;
 * near, every output has its own. Each state has a shape as well as a colour, and wires a dash
 * pattern. Thread: *owner*.
 */
#pragma once

#include "paint/drawing/badge.h"
#include "paint/drawing/glyph.h"
#include "paint/scene/scene.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_OVERLAY_OFF,
  WEIR_OVERLAY_STATE, /* which values may be used as they are */
  WEIR_OVERLAY_HEAT,  /* computations per second, of late */
  WEIR_OVERLAY_COST,  /* time spent computing */
  WEIR_OVERLAY_SAVED, /* time that hits saved */
  WEIR_N_OVERLAYS,
} WeirOverlayMode;

/* What slow motion shows of a block in the present beat. */
typedef enum {
  WEIR_BEAT_SIGN_NONE,
  WEIR_BEAT_SIGN_BOUNCED,  /* an arrow that turns back: has heard before */
  WEIR_BEAT_SIGN_HIT,      /* disc: asked, and up to date */
  WEIR_BEAT_SIGN_ASKED,    /* question mark: asked, and to be computed */
  WEIR_BEAT_SIGN_REACHED,  /* half disc, half hatched: a value is out of date by this change */
  WEIR_BEAT_SIGN_COMPUTED, /* disc within an arc */
  WEIR_BEAT_SIGN_CHANGED,  /* triangle: where the change is */
  WEIR_BEAT_SIGN_FAILED,
  WEIR_N_BEAT_SIGNS,
} WeirBeatSign; /* of several the last one here counts */

typedef enum {
  WEIR_BEAT_STANDS,
  WEIR_BEAT_OUTWARD, /* along wires: a change is pushed */
  WEIR_BEAT_INWARD,  /* against them: a request pulls */
} WeirBeatWay;

#define WEIR_N_RATIOS 18 /* of the ring around a sign: none, then sixteenths of hits */

typedef struct {
  char *name; /* of which there is one for all ports that are called alike */
  gboolean is_output;
  WeirBadge badge; /* of what an output shows */
  int depth;       /* steps from where the emphasis begins; -1 = not part of it */
  gboolean moves;  /* an input: what the beat sends is on the wire that ends here */
  char figure[24]; /* "" = none */
} WeirPortOverlay;

/* In one piece with its ports: drawing a large diagram waits for memory more than it computes. */
typedef struct {
  WeirBadge badge;   /* of all values together */
  double ratio;      /* hits among requests, 0..1; negative = no requests */
  double amount;     /* heat, cost, saved: share of the largest, 0..1 */
  int depth;         /* of the nearest value; -1 = not emphasised */
  WeirBeatSign sign; /* of the beat */
  char figure[24];
  guint n_ports;
  WeirPortOverlay ports[]; /* n_ports */
} WeirBlockOverlay;

typedef struct {
  gatomicrefcount ref_count;
  WeirOverlayMode mode;
  gboolean has_emphasis; /* depths hold: whatever has none recedes */
  char *caption;         /* what is emphasised, in a sentence; NULL = nothing to say */
  char largest[24];      /* the figure of amount 1 */
  gboolean has_beat;     /* slow motion: signs hold */
  WeirBeatWay way;
  double progress;    /* of the beat, 0..1; 1 = it stands still */
  GHashTable *blocks; /* id -> WeirBlockOverlay */
  int device_scale;   /* device pixels a pixel, for sharp signs; 1 at first */

  /* Signs drawn before, kept for the next frame: see overlay-draw.c. */
  cairo_surface_t *signs[WEIR_N_BADGES][WEIR_N_RATIOS];
  double signs_radius; /* pixels; what they were drawn for */
  const WeirPalette *signs_palette;
} WeirOverlay;

WeirOverlay *weir_overlay_new (void);
WeirOverlay *weir_overlay_ref (WeirOverlay *self);
void weir_overlay_unref (WeirOverlay *self);

/* @n_ports: to be named by the caller, with weir_port_overlay_init(). (transfer none) */
WeirBlockOverlay *weir_overlay_add_block (WeirOverlay *self, guint32 id, guint n_ports);
void weir_port_overlay_init (WeirPortOverlay *self, const char *name, gboolean is_output);
WeirBlockOverlay *weir_overlay_find_block (const WeirOverlay *self, guint32 id); /* or NULL */
WeirPortOverlay *weir_block_overlay_find_port (const WeirBlockOverlay *self, const char *name,
                                               gboolean is_output);
/* Nothing emphasised. */
void weir_overlay_clear_emphasis (WeirOverlay *self);
/* No beat. */
void weir_overlay_clear_beat (WeirOverlay *self);

const char *weir_overlay_mode_to_nick (WeirOverlayMode mode); /* "state" */
gboolean weir_overlay_mode_from_nick (const char *nick, WeirOverlayMode *mode);
const char *weir_overlay_mode_get_title (WeirOverlayMode mode); /* translated */

/* Forgets the signs kept. */
void weir_overlay_clear_signs (WeirOverlay *self);

/* --- Drawing --------------------------------------------------------------------------------- */

/* The fill of a block whose own is @fill. */
WeirColor weir_overlay_get_fill (const WeirOverlay *self, guint32 block, WeirColor fill,
                                 double scale, const WeirPalette *palette);
/* Whether a block recedes behind what is emphasised. */
gboolean weir_overlay_is_faded (const WeirOverlay *self, guint32 block);

/* How a wire looks; WEIR_BADGE_NONE: as without overlay. */
typedef struct {
  WeirBadge badge;
  gboolean is_emphasised, is_faded;
} WeirWireOverlay;

WeirWireOverlay weir_overlay_get_wire (const WeirOverlay *self, const WeirWire *wire);
/* The colour and dash pattern of a wire in diagram units, for the current stroke. */
void weir_overlay_set_wire_style (cairo_t *cr, WeirWireOverlay look, double width, double scale,
                                  const WeirPalette *palette);
WeirColor weir_overlay_get_emphasis_color (const WeirPalette *palette);

/* Badges, figures and depths of the blocks that can be seen, in diagram units. */
void weir_overlay_draw_badges (WeirOverlay *self, WeirScene *scene, WeirPen *pen, WeirRect clip);
/* What the beat sends along wires, and its signs at blocks, in diagram units. */
void weir_overlay_draw_beat (const WeirOverlay *self, WeirScene *scene, WeirPen *pen,
                             WeirRect clip);
/* A beat's sign around a point; @progress: of COMPUTED, 0..1. */
void weir_beat_sign_draw (cairo_t *cr, WeirBeatSign sign, double progress, double x, double y,
                          double r, const WeirPalette *palette);
/* In pixels: what the badges or colours mean, and the caption, at the lower left of @area, or above
 * the diagram, which is in @reach. */
void weir_overlay_draw_legend (const WeirOverlay *self, cairo_t *cr, WeirRect area, WeirRect reach,
                               const WeirPalette *palette);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirOverlay, weir_overlay_unref)

G_END_DECLS
