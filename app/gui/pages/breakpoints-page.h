/* WeirBreakpointsPage: breakpoints, set from the canvas, the table of the cache, the page of
 * dependencies and this one; where a run pauses at one, why is said and the view goes there.
 *
 * The list is the document's (run/runner.h); all places show that. Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

#define WEIR_TYPE_BREAKPOINTS_PAGE (weir_breakpoints_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirBreakpointsPage, weir_breakpoints_page, WEIR, BREAKPOINTS_PAGE, WeirPage)

/* Sets or removes a breakpoint where a value of the run is computed. */
void weir_breakpoints_page_switch (WeirBreakpointsPage *self, guint entry, gboolean on);

G_END_DECLS
