/* WeirRunsPage: every run that has come to its end is kept there, to be compared with others.
 *
 * Signals: "changed" (): it keeps others, or the present run is another one; "show-earlier"
 * (guint): a run that it keeps is to be seen beside the present one. Thread: *main*.
 */
#pragma once

#include "cache/runs-panel.h"
#include "gui/host/page.h"

G_BEGIN_DECLS

#define WEIR_TYPE_RUNS_PAGE (weir_runs_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirRunsPage, weir_runs_page, WEIR, RUNS_PAGE, WeirPage)

WeirRunsPanel *weir_runs_page_get_panel (WeirRunsPage *self);
/* Of the run that the panel has at @i: from 1 on, in the order in which they were made. */
guint weir_runs_page_get_number (WeirRunsPage *self, guint i);
/* Whether the present run is kept too: as the last one. */
gboolean weir_runs_page_has_present (WeirRunsPage *self);

G_END_DECLS
