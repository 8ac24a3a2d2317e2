/* Pictures as files and as bytes: what a function draws, as PNG, SVG or PDF.
 *
 * The same drawing gives the same bytes each time. A PNG has two pixels a point, so that text is
 * sharp. Thread: *owner* of what is drawn.
 */
#pragma once

#include <cairo.h>

#include "base/status.h"
#include "model/tree/model.h"
#include "paint/ground/palette.h"

G_BEGIN_DECLS

typedef enum { WEIR_PICTURE_PNG, WEIR_PICTURE_SVG, WEIR_PICTURE_PDF } WeirPictureFormat;

/* By the suffix of @path, in either case. FALSE and @error if it is none of the three. */
gboolean weir_picture_find_format (const char *path, WeirPictureFormat *format, GError **error);

/* Draws within (0, 0, width, height), in points. */
typedef void (*WeirPictureFunc) (cairo_t *cr, double width, double height, gpointer data);

GBytes *weir_picture_to_bytes (WeirPictureFormat format, double width, double height,
                               WeirPictureFunc draw, gpointer data, GError **error);
/* The format is that of the suffix. The file is replaced whole or not at all. */
gboolean weir_picture_write (const char *path, double width, double height, WeirPictureFunc draw,
                             gpointer data, GError **error);

/* One diagram of a model on the palette's background with a margin around it: what an export, the
 * clipboard and `weir render` give. @late: ids of the wires whose values come an instant late, as
 * pointers, or NULL. */
GBytes *weir_diagram_to_bytes (WeirDiagram *diagram, GHashTable *late, WeirPictureFormat format,
                               const WeirPalette *palette, GError **error);
gboolean weir_diagram_write_file (WeirDiagram *diagram, GHashTable *late, const char *path,
                                  const WeirPalette *palette, GError **error);
/* The same, scaled down to fit into @width x @height and centred there: for pages and previews. */
void weir_diagram_draw_fitted (WeirDiagram *diagram, GHashTable *late, cairo_t *cr, double width,
                               double height, const WeirPalette *palette);

G_END_DECLS
