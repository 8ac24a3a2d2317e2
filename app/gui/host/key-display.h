/* WeirKeyDisplay: the keys that are pressed and where the pointer clicks, for those who look on. It
 * lies over the whole window and takes no events; while it is shown, it listens to all of its
 * window's.
 *
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_KEY_DISPLAY (weir_key_display_get_type ())
G_DECLARE_FINAL_TYPE (WeirKeyDisplay, weir_key_display, WEIR, KEY_DISPLAY, GtkWidget)

GtkWidget *weir_key_display_new (void);
/* "Ctrl+Shift+M", "Page Down × 3", "Right Click"; "" while nothing is shown. */
const char *weir_key_display_get_text (WeirKeyDisplay *self);
/* Whether a click is shown, and where: in the widget's coordinates. */
gboolean weir_key_display_get_click (WeirKeyDisplay *self, graphene_point_t *at);

G_END_DECLS
