/* The values of sources, read and changed by place instead of by kind (sources.h). Changing goes
 * through the setters of context.h: one change event each.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/layout/sources.h"

G_BEGIN_DECLS

/* The value under a ticket of a node now, @size doubles, evaluating nothing: a source, or an entry
 * as it stands; of an input, what drives it. NULL for composites and abstract values. */
const double *weir_context_get_ticket_value (const WeirContext *self, WeirNode node,
                                             WeirTicket ticket, guint *size);
/* The same of an abstract value (transfer none); NULL if it is none or was never computed. */
GVariant *weir_context_get_ticket_variant (const WeirContext *self, WeirNode node,
                                           WeirTicket ticket);

/* Changes a source; an input becomes fixed. @value: its size. */
void weir_context_set_source (WeirContext *self, const WeirSourceInfo *source, const double *value);
/* FALSE if @value has another type than the source. */
gboolean weir_context_set_source_variant (WeirContext *self, const WeirSourceInfo *source,
                                          GVariant *value);

/* What differs between two contexts of one structure: the name of the first source, else of the
 * first entry up to date in both, whose bytes differ; NULL if none. (transfer full) */
char *weir_context_dup_first_difference (const WeirContext *a, const WeirContext *b);

G_END_DECLS
