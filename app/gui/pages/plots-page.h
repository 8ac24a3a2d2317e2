/* WeirPlotsPage: the plots; what leaves them: pictures, recorded results as a table; and an earlier
 * run's curves beneath those of the present one.
 *
 * What to compare with is the state of the action compare-run: "" for none, "before" for the run
 * before, whichever that is, the number of a run that the page of runs keeps, or "file" for what
 * was read last. Thread: *main*.
 */
#pragma once

#include "gui/host/page.h"

G_BEGIN_DECLS

#define WEIR_TYPE_PLOTS_PAGE (weir_plots_page_get_type ())
G_DECLARE_FINAL_TYPE (WeirPlotsPage, weir_plots_page, WEIR, PLOTS_PAGE, WeirPage)

/* What was recorded, in the format that the suffix names. */
gboolean weir_plots_page_export_results (WeirPlotsPage *self, GFile *file);

/* Draws what a table of results has beneath the curves of the same names, once it is read. */
void weir_plots_page_compare_with (WeirPlotsPage *self, GFile *file);

G_END_DECLS
