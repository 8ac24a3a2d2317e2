/* Extra entries: cached computations that a context carries and its system does not know, such as
 * probes and expressions on wires.
 *
 * An extra entry belongs to a node and depends on tickets of that node; it is invalidated with them
 * and reads through the accessors of calc.h like any computation of the node would. It lies outside
 * of the structure and its fingerprint, is cloned with the context, and is not saved with it.
 *
 * Thread: the context's *owner*.
 */
#pragma once

#include "system/calc.h"
#include "system/context.h"
#include "system/leaf.h"
#include "system/system.h"

G_BEGIN_DECLS

typedef struct {
  guint32 i;
} WeirExtra; /* of one context and its clones */

/* @data: (nullable) what weir_calc_data() gives; a reference is taken. @depends: tickets of @node,
 * a leaf or a diagram; NULL = all its sources. */
WeirExtra weir_context_add_extra (WeirContext *self, WeirNode node, const char *name, guint size,
                                  WeirCalcFunc calc, GBytes *data, const WeirTicket *depends);
guint weir_context_get_n_extras (const WeirContext *self);
const char *weir_context_get_extra_name (const WeirContext *self, WeirExtra extra);
gboolean weir_context_is_extra_up_to_date (const WeirContext *self, WeirExtra extra);
WeirCounters weir_context_get_extra_counters (const WeirContext *self, WeirExtra extra);

/* The value, or NULL and weir_context_get_failure(). */
const double *weir_eval_extra (WeirSystem *root, WeirContext *context, WeirExtra extra);

/* The tickets of a node's items, for @depends. */
WeirTicket weir_layout_get_input_ticket (const WeirLayout *self, WeirNode node, WeirInput in);
WeirTicket weir_layout_get_output_ticket (const WeirLayout *self, WeirNode node, WeirOutput out);
WeirTicket weir_layout_get_parameter_ticket (const WeirLayout *self, WeirNode node,
                                             WeirParameter parameter);
WeirTicket weir_layout_get_group_ticket (const WeirLayout *self, WeirNode node, WeirGroup group);

G_END_DECLS
