/* WeirBreakPanel: the breakpoints of a model, one row each, with a switch, how often each was met,
 * and an editor.
 *
 * It shows the list it is given and tells when the user wants another one; who owns the list keeps
 * it. The row of the breakpoint at which the run is paused is marked.
 *
 * Signals: "edited" (): the user changed the list; "go-to" (guint index): a row was activated.
 * Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "cache/cache-model.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

#define WEIR_TYPE_BREAK_PANEL (weir_break_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirBreakPanel, weir_break_panel, WEIR, BREAK_PANEL, GtkWidget)

/* What it shows; once, if it was made without. */
void weir_break_panel_set_model (WeirBreakPanel *self, WeirCacheModel *model);

/* @list: WeirBreakpoint, copied. No signal. */
void weir_break_panel_set_list (WeirBreakPanel *self, const GArray *list);
/* As the user has edited it. (transfer none) */
const GArray *weir_break_panel_get_list (WeirBreakPanel *self);
/* Counts and mark, from the newest snapshot; @serial: of the list that the session has. */
void weir_break_panel_update (WeirBreakPanel *self, const WeirSnapshot *snapshot, guint serial);
/* Opens the editor of a row. */
void weir_break_panel_edit (WeirBreakPanel *self, guint index);

G_END_DECLS
