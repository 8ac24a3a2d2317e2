/* The breakpoints of a model: kept with it as metadata, so that they are saved, undone and passed
 * on with the model, and change nothing that a run depends on.
 *
 * Thread: *main*.
 */
#pragma once

#include "model/document/document.h"
#include "sim/breakpoint.h"

G_BEGIN_DECLS

/* WeirBreakpoint; empty where there are none or the text is damaged. (transfer full) */
GArray *weir_model_dup_breakpoints (WeirModel *model);
/* Makes @list the document's, as one undo step; edits in a row are one. @label: of that step. */
void weir_document_set_breakpoints (WeirDocument *document, const GArray *list, const char *label);

G_END_DECLS
