/* The editor of one breakpoint: a form in a popover.
 *
 * Every change is told at once; what makes no sense for the model shown is said below the field it
 * is about, and kept all the same. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "cache/cache-model.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

#define WEIR_TYPE_BREAK_EDITOR (weir_break_editor_get_type ())
G_DECLARE_FINAL_TYPE (WeirBreakEditor, weir_break_editor, WEIR, BREAK_EDITOR, GtkWidget)

/* Signal "edited" (): weir_break_editor_get() is another one. */
GtkWidget *weir_break_editor_new (WeirCacheModel *model);
void weir_break_editor_set (WeirBreakEditor *self, const WeirBreakpoint *breakpoint);
const WeirBreakpoint *weir_break_editor_get (WeirBreakEditor *self); /* (transfer none) */

G_END_DECLS
