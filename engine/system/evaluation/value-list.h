/* The values of a list of ports or entries, read together again and again: what a recorder, a
 * search for zero crossings or a table of values does.
 *
 * Where each value comes from is found once, when the list is made. A reading then checks the
 * context once, brings what the list needs up to date at one go and copies the values. Flags,
 * counters, logs and failures are to the last those of one request a value, in the list's order.
 *
 * Immutable, thread *any*; reading belongs to the context's *owner*.
 */
#pragma once

#include "system/context/context.h"
#include "system/layout/layout.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

typedef struct _WeirValueList WeirValueList;

/* The values at @ports, or of @entries; they may occur more than once. One that does not exist, or
 * is no array of numbers, fails where it is read. (transfer full) */
WeirValueList *weir_value_list_new (WeirSystem *root, const WeirPort *ports, guint n_ports);
WeirValueList *weir_value_list_new_of_entries (WeirSystem *root, const WeirEntry *entries,
                                               guint n_entries);
void weir_value_list_free (WeirValueList *self);

/* How many doubles a reading gives. */
gsize weir_value_list_get_n_values (const WeirValueList *self);

/* Evaluates all of the list, in a context that fits its system, into @values
 * (weir_value_list_get_n_values()), one port or entry after the other. WEIR_FAILED: as
 * weir_eval_entry(), at the first that fails; those behind it were not asked for. */
WeirStatus weir_eval_list (const WeirValueList *self, WeirContext *context, double *values);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirValueList, weir_value_list_free)

WEIR_END_DECLS
