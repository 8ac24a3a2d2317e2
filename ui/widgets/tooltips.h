/* Tooltips, which are set without delay, and stay off menus and other popovers. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As gtk_widget_set_tooltip_text(), which asks the X server each time where the pointer is and
 * waits for the answer; here only where the tooltip is another one and the widget can be pointed
 * at.
 * @text: (nullable) */
void weir_set_tooltip (GtkWidget *widget, const char *text);

/* From now on, in all windows: a popover that opens takes away the tooltip of what it hangs from,
 * and none comes over it while it is up. */
void weir_tooltips_keep_off_popovers (void);

G_END_DECLS
