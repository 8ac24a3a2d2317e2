/* The overlay of the diagram on the canvas, filled from the cache model: one figure set per block
 * in view, a Subsystem standing for everything within it.
 *
 * Which entries belong to which block is found once per diagram; a new snapshot then costs one pass
 * over the counters. Thread: *main*.
 */
#pragma once

#include "cache/cache-model.h"
#include "paint/drawing/overlay.h"

G_BEGIN_DECLS

typedef struct _WeirCacheOverlay WeirCacheOverlay;

WeirCacheOverlay *weir_cache_overlay_new (WeirCacheModel *model);
void weir_cache_overlay_free (WeirCacheOverlay *self);

/* Shows the blocks of @diagram; costs nothing if it is the one shown. When the model's structure
 * changes, a new overlay is to be made. */
void weir_cache_overlay_set_diagram (WeirCacheOverlay *self, WeirDiagram *diagram);
void weir_cache_overlay_set_mode (WeirCacheOverlay *self, WeirOverlayMode mode);
/* Takes over the newest figures. @now: us, monotonic; heat is measured by it. */
void weir_cache_overlay_update (WeirCacheOverlay *self, gint64 now);

/* Emphasises the blocks and wires that the trackers of @steps (WeirStepTaken) belong to; the depth
 * of a step is what is shown. NULL: nothing any more. @caption: (nullable). */
void weir_cache_overlay_emphasize (WeirCacheOverlay *self, const GArray *steps,
                                   const char *caption);

/* Badges as of another moment than that of the newest figures, which are left out: bits by entry,
 * 64 a word. */
void weir_cache_overlay_show_moment (WeirCacheOverlay *self, const guint64 *out_of_date,
                                     const guint64 *disabled, const guint64 *known);
/* What a beat of slow motion does to a tracker: a sign at its block; of an input, its wire is under
 * way. */
void weir_cache_overlay_mark_beat (WeirCacheOverlay *self, guint32 tracker, WeirBeatSign sign);

/* (transfer none) */
WeirOverlay *weir_cache_overlay_get (WeirCacheOverlay *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirCacheOverlay, weir_cache_overlay_free)

G_END_DECLS
