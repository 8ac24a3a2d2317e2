/* How the windows look: the colours that widgets draw with, and how large texts are. Thread:
 * *main*. */
#pragma once

#include <gtk/gtk.h>

#include "paint/ground/palette.h"

G_BEGIN_DECLS

/* By the colour scheme and contrast of the windows. (transfer none) */
const WeirPalette *weir_look_get_palette (void);
/* Calls changed (@object), as swapped signals do, whenever that is another palette, as long as
 * there is @object, a GObject. */
void weir_look_follow (gpointer object, GCallback changed);

/* How large texts are, as a factor of their common size: 0.5 or more. Follow the settings'
 * "gtk-xft-dpi" where it is not asked for in every frame. */
double weir_look_get_text_scale (GtkWidget *widget);

/* What paints itself: into @width times @height at the common size of text. */
typedef void (*WeirPaintFunc) (gpointer data, cairo_t *cr, double width, double height,
                               const WeirPalette *palette);

/* Fills @widget with what @paint paints, as large as its texts are, and shows its focus. */
void weir_look_snapshot (GtkWidget *widget, GtkSnapshot *snapshot, WeirPaintFunc paint,
                         gpointer data);

G_END_DECLS
