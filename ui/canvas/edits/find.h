/* Finding elements in all levels of a model: blocks by name, type and parameters, labels, notes.
 *
 * Thread: *any*.
 */
#pragma once

#include "canvas/edits/choices.h"
#include "canvas/edits/edits.h"

G_BEGIN_DECLS

/* Adds what answers @text to @choices (WeirChoice), the best first: its path, what it is, its id,
 * and its WeirSelectKind as data (GUINT_TO_POINTER). */
void weir_find_elements (WeirModel *model, const char *text, GPtrArray *choices);

G_END_DECLS
