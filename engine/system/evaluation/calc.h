/* What a computation sees: the accessors of one leaf's values during one call.
 *
 * A WeirCalc is valid within the call only. Returned arrays are const views: of the arena, or of
 * the solver's trial vector while it tries a step. While somebody observes (observe.h), as the
 * audit does, each accessor notes the ticket that it reads, and a handle that the block does not
 * have, or of another kind of value, fails the call; otherwise such a handle is the caller's
 * mistake. An input without a value fails the call always. A calculation never evaluates or changes
 * its own context by other ways: that fails it too.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/leaf.h"

WEIR_BEGIN_DECLS

double weir_calc_time (const WeirCalc *c);     /* s */
double weir_calc_accuracy (const WeirCalc *c); /* relative; 0 = not set */
/* The leaf's own q, v and z, of the sizes it declared. */
const double *weir_calc_q (const WeirCalc *c);
const double *weir_calc_v (const WeirCalc *c);
const double *weir_calc_z (const WeirCalc *c);
const double *weir_calc_xc (const WeirCalc *c); /* q, v, z of this leaf, contiguous */
/* The value under a handle of the leaf, of the size it was declared with. */
const double *weir_calc_discrete (const WeirCalc *c, WeirGroup group);
const double *weir_calc_parameter (const WeirCalc *c, WeirParameter parameter);
const double *weir_calc_input (const WeirCalc *c, WeirInput in);
const double *weir_calc_cached (const WeirCalc *c, WeirCached entry);
/* Abstract values (transfer none). */
GVariant *weir_calc_abstract_state (const WeirCalc *c, WeirGroup state);
GVariant *weir_calc_abstract_parameter (const WeirCalc *c, WeirParameter parameter);
GVariant *weir_calc_abstract_input (const WeirCalc *c, WeirInput in);
GVariant *weir_calc_abstract_cached (const WeirCalc *c, WeirCached entry);
guint weir_calc_input_size (const WeirCalc *c, WeirInput in);
guint weir_calc_parameter_size (const WeirCalc *c, WeirParameter parameter);

/* Which computation this is: of an entry its number among those that its leaf declared, of an event
 * handler its number among the leaf's events, both from 0 in the order of declaration. For leaves
 * that share one function among many computations. */
guint weir_calc_get_index (const WeirCalc *c);

/* Structure constants given to weir_leaf_set_data(). */
gconstpointer weir_calc_data (const WeirCalc *c);

/* weir_context_set_cancel(), for computations that may take long; NULL: nobody cancels. */
const gint *weir_calc_get_cancel (const WeirCalc *c);

/* For lazy computations: TRUE if input @in is ready to read. If FALSE, return WEIR_PENDING at once;
 * the engine brings the value up to date and calls again. */
gboolean weir_calc_demand (const WeirCalc *c, WeirInput in);

/* In an unrestricted update: what is asked for is a writable copy of x-minus and counts as written.
 */
double *weir_next_state_xc (WeirNextState *self);
double *weir_next_state_discrete (WeirNextState *self, WeirGroup group);
/* @value: of the state's type. (floating reference taken) */
void weir_next_state_set_abstract (WeirNextState *self, WeirGroup group, GVariant *value);

/* Records why no value can be given; the engine adds block, entry, time and inputs.
 * Returns WEIR_FAILED, so that `return weir_calc_fail (c, "...")` reads well. */
WeirStatus weir_calc_fail (const WeirCalc *c, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* The same of one element of what is computed, where messages are to name that. */
WeirStatus weir_calc_fail_element (const WeirCalc *c, guint element, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* In a handler of a crossing: how element @k of the witness crossed zero: -1 falling, 1 rising, 0
 * not. */
int weir_calc_crossing (const WeirCalc *c, guint k);
/* In a handler: something that people should know about the run, such as a ball that came to rest;
 * also the reason to give with WEIR_TERMINATE. The last one counts. */
void weir_calc_note (const WeirCalc *c, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* The same of something that should not be, such as an assertion that does not hold. */
void weir_calc_warn (const WeirCalc *c, const char *format, ...) G_GNUC_PRINTF (2, 3);

WEIR_END_DECLS
