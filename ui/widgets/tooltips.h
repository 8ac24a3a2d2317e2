/* Tooltips stay off menus and other popovers. Thread: *main*. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* From now on, in all windows: a popover that opens takes away the tooltip of what it hangs from,
 * and none comes over it while it is up. */
void weir_tooltips_keep_off_popovers (void);

G_END_DECLS
