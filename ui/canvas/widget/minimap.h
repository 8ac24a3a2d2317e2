/* WeirMinimap: the whole diagram in small, with the part that the canvas shows.
 *
 * A click or drag moves that part. Groups, problems and the overlay of the cache can be
 * told, names cannot; from far away wires are left out. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/drawing/diagram.h"

G_BEGIN_DECLS

#define WEIR_TYPE_MINIMAP (weir_minimap_get_type ())
G_DECLARE_FINAL_TYPE (WeirMinimap, weir_minimap, WEIR, MINIMAP, GtkWidget)

#define WEIR_MINIMAP_WIDTH 176
#define WEIR_MINIMAP_HEIGHT 120

/* Signal "moved" (double x, double y): the canvas is to show this point of the diagram in its
 * middle. */
GtkWidget *weir_minimap_new (void);

/* What is shown. @marks: as WeirDiagramStyle has them, or NULL; read during the call only. */
void weir_minimap_update (WeirMinimap *self, WeirScene *scene, const WeirPalette *palette,
                          GHashTable *problems, WeirRect visible);
/* After every change of it: blocks are tinted as in the diagram. NULL = none. Kept (ref). */
void weir_minimap_set_overlay (WeirMinimap *self, WeirOverlay *overlay);

G_END_DECLS
