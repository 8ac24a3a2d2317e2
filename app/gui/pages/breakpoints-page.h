/* WeirBreakpointsPage: breakpoints, set from the canvas, the table of the cache, the page of
 * dependencies and this one; where a run pauses at one, why is said and the view goes there.
 *
 * The list is the document's (run/model-breakpoints.h); all places show that. Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

#define WEIR_TYPE_BREAKPOINTS_PAGE (weir_breakpoints_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirBreakpointsPage, weir_breakpoints_page, WEIR, BREAKPOINTS_PAGE, WeirPage)

/* Sets or removes a breakpoint at a value of the structure that is shown. @n_others: values that it
 * could as well have been at. */
void weir_breakpoints_page_toggle (WeirBreakpointsPage *self, WeirBreakKind kind, WeirEntry entry,
                                   guint n_others);
/* The same where a value of the run is computed. */
void weir_breakpoints_page_switch (WeirBreakpointsPage *self, guint entry, gboolean on);

G_END_DECLS
