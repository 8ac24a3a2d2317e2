/* WeirRunsPanel: two runs side by side: their counters by entry, with differences and ratios, and
 * whether what they recorded is the same to the bit.
 *
 * It keeps the last runs it was given. Signal: "go-to" (text: path of an entry). Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/run-record.h"

G_BEGIN_DECLS

#define WEIR_TYPE_RUNS_PANEL (weir_runs_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirRunsPanel, weir_runs_panel, WEIR, RUNS_PANEL, GtkWidget)

GtkWidget *weir_runs_panel_new (void);
/* The newest run; it is shown as B, the one before as A. (transfer none) */
void weir_runs_panel_add (WeirRunsPanel *self, WeirRunRecord *run);
/* The newest is not over after all: it goes until it is added again. */
void weir_runs_panel_drop_newest (WeirRunsPanel *self);
guint weir_runs_panel_get_n (WeirRunsPanel *self);
/* What was found about what the two recorded, as shown. */
const char *weir_runs_panel_get_text (WeirRunsPanel *self);
/* The rows as they are sorted; NULL with fewer than two runs. (transfer full) */
char *weir_runs_panel_to_csv (WeirRunsPanel *self);

G_END_DECLS
