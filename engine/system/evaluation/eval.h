/* Evaluating: requests from outside, answered through the cache.
 *
 * Every function takes the root system and a context that fits it (same fingerprint; checked). Each
 * call is one request. Returned arrays are views of the context, valid until its next change.
 * A WEIR_FAILED result leaves the failed entry out of date; weir_context_get_failure() explains.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "base/visibility.h"
#include "system/context/context.h"
#include "system/structure/system.h"

WEIR_BEGIN_DECLS

/* The value of an entry, or NULL. */
const double *weir_eval_entry (WeirSystem *root, WeirContext *context, WeirEntry entry);

/* The same of an abstract entry. (transfer none), valid until the context's next change. */
GVariant *weir_eval_abstract_entry (WeirSystem *root, WeirContext *context, WeirEntry entry);

/* The value at a port, or NULL. An input that is neither connected, fixed nor defaulted fails. */
const double *weir_eval_output (WeirSystem *root, WeirContext *context, WeirNode node,
                                WeirOutput out);
const double *weir_eval_input (WeirSystem *root, WeirContext *context, WeirNode node, WeirInput in);

/* The same at ports of abstract values. (transfer none), valid until the context's next change. */
GVariant *weir_eval_abstract_output (WeirSystem *root, WeirContext *context, WeirNode node,
                                     WeirOutput out);
GVariant *weir_eval_abstract_input (WeirSystem *root, WeirContext *context, WeirNode node,
                                    WeirInput in);

/* xdot = f(t, x) for any solver: reads the state from the caller's @x, writes @xdot (both n_states
 * values), one change event for time and state. The context's accepted time and state are
 * untouched; nothing computed from the trial vector stays marked valid afterwards. */
WeirStatus weir_eval_rhs (WeirSystem *root, WeirContext *context, double time, const double *x,
                          double *xdot);

/* The values of @n entries at a trial time and state (@x: n_states values), each into its place in
 * @out. Like weir_eval_rhs(), it leaves the accepted time and state as they are. */
WeirStatus weir_eval_entries_at (WeirSystem *root, WeirContext *context, double time,
                                 const double *x, guint n, const WeirEntry *entries,
                                 double *const *out);

/* xcdot at the context's own time and state, n_states values, or NULL. */
const double *weir_eval_derivatives (WeirSystem *root, WeirContext *context);

/* pe, ke, pc or pnc of the tree under @node (J or W). 0 where nothing declares any. */
WeirStatus weir_eval_energy (WeirSystem *root, WeirContext *context, WeirNode node, WeirTicket what,
                             double *value);

/* x_{n+1} of all discrete groups under @node whose leaves declare a unique update, *@size values,
 * or NULL: also where there is none, some update is declared otherwise, or their times differ. */
const double *weir_eval_unique_update (WeirSystem *root, WeirContext *context, WeirNode node,
                                       guint *size);

/* Computes an entry afresh into @out without touching its cached value, flags or counters;
 * its prerequisites go through the cache. */
WeirStatus weir_calc_entry (WeirSystem *root, WeirContext *context, WeirEntry entry, double *out);
/* @out: (transfer full) */
WeirStatus weir_calc_abstract_entry (WeirSystem *root, WeirContext *context, WeirEntry entry,
                                     GVariant **out);

/* A context with default values in which every entry is out of date. (transfer full) */
WeirContext *weir_system_create_context (WeirSystem *root);

WEIR_END_DECLS
