/* WeirNarrow: a bin that asks for the least width of its child, however low it is going to be.
 *
 * Panes ask for the width at the height they have; text that wraps answers with the width at which
 * it needs no more lines than fit, which with large texts is wider than the window. It scrolls or
 * shortens instead. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define WEIR_TYPE_NARROW (weir_narrow_get_type ())
G_DECLARE_FINAL_TYPE (WeirNarrow, weir_narrow, WEIR, NARROW, GtkWidget)

G_END_DECLS
