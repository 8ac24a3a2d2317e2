/* A system: the structure of a computation, without any values.
 *
 * Immutable once built, reference-counted, shared by any thread. Values live in a WeirContext
 * (context.h); evaluating needs both (eval.h). The first use of a system as a root numbers its
 * whole tree (layout.h), the first evaluation prepares its plan; both are kept with the system.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/types.h"

WEIR_BEGIN_DECLS

/* References; the last one let go frees it, and lets its children go. */
WeirSystem *weir_system_ref (WeirSystem *self);
void weir_system_unref (WeirSystem *self);

/* The kind of block that a leaf was declared as, for people. Static while the system is. */
const char *weir_system_get_kind (const WeirSystem *self);
/* Or a leaf. */
gboolean weir_system_is_diagram (const WeirSystem *self);

/* Its ports, from 0 in the order in which they were added: how many, their names, and how many
 * doubles each has (0: an abstract value). (transfer none) */
guint weir_system_get_n_inputs (const WeirSystem *self);
guint weir_system_get_n_outputs (const WeirSystem *self);
const char *weir_system_get_input_name (const WeirSystem *self, WeirInput in);
const char *weir_system_get_output_name (const WeirSystem *self, WeirOutput out);
guint weir_system_get_input_size (const WeirSystem *self, WeirInput in);
guint weir_system_get_output_size (const WeirSystem *self, WeirOutput out);

/* FALSE if there is no port of that name. */
gboolean weir_system_find_input (const WeirSystem *self, const char *name, WeirInput *in);
gboolean weir_system_find_output (const WeirSystem *self, const char *name, WeirOutput *out);

/* What a diagram is made of, in the order in which it was added; of a leaf 0. @name: (out)
 * (nullable) as the diagram calls it. (transfer none) */
guint weir_system_get_n_children (const WeirSystem *self);
WeirSystem *weir_system_get_child (const WeirSystem *self, guint i, const char **name);

/* Of a leaf: the numbers that a context keeps for it, those of its state, parameters and entries,
 * and as many as its table of feedthrough takes.
 */
guint64 weir_system_get_n_numbers (const WeirSystem *self);

/* Does output @out depend on input @in through declared prerequisites? Thread: any. */
gboolean weir_system_has_direct_feedthrough (const WeirSystem *self, WeirInput in, WeirOutput out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirSystem, weir_system_unref)

WEIR_END_DECLS
