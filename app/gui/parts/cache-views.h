/* WeirCacheViews: what the canvas shows of the cache, and what hovering reveals.
 *
 * The cache model follows document and run; from it the canvas gets its overlay and its cards. What
 * is emphasised is what a change would reach while something is explored (Alt over the canvas, a
 * parameter in the inspector), else the path that is being explained. Thread: *main*.
 */
#pragma once

#include "cache/cache-overlay.h"
#include "gui/host/part.h"
#include "paint/drawing/overlay.h"

G_BEGIN_DECLS

#define WEIR_TYPE_CACHE_VIEWS (weir_cache_views_get_type ())
G_DECLARE_FINAL_TYPE (WeirCacheViews, weir_cache_views, WEIR, CACHE_VIEWS, WeirPart)

/* What is shown instead of the cache as it is, such as slow motion. */
typedef struct {
  gboolean (*is_shown) (gpointer data);
  /* FALSE: there is nothing to show just now. */
  gboolean (*fill) (gpointer data, WeirCacheOverlay *overlay);
} WeirGuestView;

/* @guest: static; weir_cache_views_refresh() when what it shows has changed. NULL: none any more.
 */
void weir_cache_views_set_guest (WeirHost *host, const WeirGuestView *guest, gpointer data);

/* Emphasises the WeirStepTaken of an explanation on the canvas until the next one; NULL = nothing.
 * @steps: (transfer full). */
void weir_cache_views_emphasize (WeirHost *host, GArray *steps);
/* Shows what a change of a tracker would reach; WEIR_NO_INDEX: nothing any more. */
void weir_cache_views_explore_tracker (WeirHost *host, guint32 tracker);
/* The pointer is on a parameter of @block; NULL: on none. What a change of it would reach is shown
 * once it rests, where that is asked for. */
void weir_cache_views_point_at_parameter (WeirHost *host, guint32 block, const char *parameter);
/* Everything anew: the diagram, the mode, what is emphasised. */
void weir_cache_views_refresh (WeirHost *host);

gboolean weir_cache_views_is_emphasized (WeirHost *host);
gboolean weir_cache_views_is_exploring (WeirHost *host);
/* NULL while nothing is shown. (transfer none) */
WeirOverlay *weir_cache_views_get_overlay (WeirHost *host);

G_END_DECLS
