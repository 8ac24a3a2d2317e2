/* WeirRunsPanel: two runs side by side: their counters by entry, with differences and ratios, and
 * whether what they recorded is the same to the bit.
 *
 * What differs between their models is said too. It keeps the last runs it was given. Signals:
 * "go-to" (text: path of an entry); "show-earlier" (guint: which run): the user wants to see run A
 * in the plots. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/past-run.h"
#include "model/tree/model.h"

G_BEGIN_DECLS

#define WEIR_TYPE_RUNS_PANEL (weir_runs_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirRunsPanel, weir_runs_panel, WEIR, RUNS_PANEL, GtkWidget)

/* The newest run, of @model; it is shown as B, the one before as A. (transfer none) */
void weir_runs_panel_add (WeirRunsPanel *self, WeirPastRun *run, WeirModel *model);
/* The newest is not over after all: it goes until it is added again. */
void weir_runs_panel_drop_newest (WeirRunsPanel *self);
guint weir_runs_panel_get_n (WeirRunsPanel *self);
/* The oldest is 0. (transfer none) */
WeirPastRun *weir_runs_panel_get_run (WeirRunsPanel *self, guint i);
/* What was found about what the two recorded, as shown. */
const char *weir_runs_panel_get_text (WeirRunsPanel *self);
/* The rows as they are sorted; NULL with fewer than two runs. (transfer full) */
char *weir_runs_panel_to_csv (WeirRunsPanel *self);

G_END_DECLS
