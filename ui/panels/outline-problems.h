/* What is wrong with what a row of the outline is about.
 *
 * A block has its own problems and, a Subsystem, how many there are inside it; a port those of its
 * wire and those that name it. Thread: *owner*.
 */
#pragma once

#include "base/diagnostic.h"
#include "panels/outline-item.h"

G_BEGIN_DECLS

typedef struct _WeirOutlineProblems WeirOutlineProblems;

/* @model: that the problems were found in. */
WeirOutlineProblems *weir_outline_problems_new (WeirDiagnostics *diagnostics, WeirModel *model);
void weir_outline_problems_free (WeirOutlineProblems *self);

/* The sentences about a row, one a line, and the worst severity among them; NULL if all is well.
 * (transfer full) */
char *weir_outline_problems_describe (const WeirOutlineProblems *self, const WeirOutlineRow *row,
                                      WeirSeverity *severity);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirOutlineProblems, weir_outline_problems_free)

G_END_DECLS
