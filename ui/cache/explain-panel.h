/* WeirExplainPanel: why a value is as it is, and what depends on what.
 *
 * Above, in a sentence and as a row of trackers, the way of the last change event that reached the
 * value, and of the ones before; below, the dependency graph of its block. It follows the run.
 *
 * Signals: "path-changed" (): the way shown is another one; "go-to-block" (guint id);
 * "pointed-tracker" (guint tracker, or WEIR_NO_INDEX); "observe" (gboolean on): an audit is asked
 * for, or not wanted any more; "break-here" (): runs are to pause at the value explained, or not
 * any more. Thread: *main*.
 */
#pragma once

#include <gtk/gtk.h>

#include "analysis/audit.h"
#include "cache/cache-model.h"

G_BEGIN_DECLS

#define WEIR_TYPE_EXPLAIN_PANEL (weir_explain_panel_get_type ())
G_DECLARE_FINAL_TYPE (WeirExplainPanel, weir_explain_panel, WEIR, EXPLAIN_PANEL, GtkWidget)

/* What it shows; once, if it was made without. */
void weir_explain_panel_set_model (WeirExplainPanel *self, WeirCacheModel *model);

/* Explains an entry: the last event first. */
void weir_explain_panel_show_entry (WeirExplainPanel *self, WeirEntry entry);
/* Shows a block's graph (0: that of the whole model) and explains the value of it that needs it
 * most. */
void weir_explain_panel_show_block (WeirExplainPanel *self, guint32 block);
/* The entry that is explained; FALSE if none is. */
gboolean weir_explain_panel_get_entry (WeirExplainPanel *self, WeirEntry *entry);

/* The way of the event shown, from what changed to the value: WeirStepTaken. (transfer none), or
 * NULL. */
const GArray *weir_explain_panel_get_path (WeirExplainPanel *self);
/* Number of the event shown; 0 = none. */
guint64 weir_explain_panel_get_event (WeirExplainPanel *self);
/* What is shown, as "Copy as Text" gives it. (transfer full) */
char *weir_explain_panel_to_text (WeirExplainPanel *self);

/* What an audit of the structure shown has found: WeirAuditFinding, copied as far as needed. NULL:
 * nothing is known. */
void weir_explain_panel_set_findings (WeirExplainPanel *self, const GArray *findings);
void weir_explain_panel_set_observing (WeirExplainPanel *self, gboolean observing);

G_END_DECLS
