/* The numbering of a whole tree of systems: nodes, entries, sources, ports and state slots.
 *
 * A layout is structure without code: contexts hold a reference to it and never one to a system.
 * Two systems whose layouts have equal fingerprints accept each other's contexts. Paths join names
 * with '.', relative to the root, whose path is "". Immutable, thread *any*.
 */
#pragma once

#include "base/visibility.h"
#include "system/structure/types.h"

WEIR_BEGIN_DECLS

/* A leaf's place in the state vector: q at offset, then v, then z. */
typedef struct {
  WeirNode node;
  guint32 offset, nq, nv, nz;
} WeirStateSlice;

/* An output of a node, or an input. */
typedef struct {
  WeirNode node;
  guint index;
  gboolean is_input;
} WeirPort;

/* What an entry is, and of which node. */
typedef struct {
  WeirNode node;
  WeirEntryKind kind;
  const char *name;         /* "y", "time derivatives", "potential energy", ... */
  guint32 size;             /* doubles; 0 for an abstract value */
  const GVariantType *type; /* of an abstract value, else NULL */
} WeirEntryInfo;

/* The numbering of the whole tree with @root as root; made at the first call. (transfer none) */
WeirLayout *weir_system_get_layout (WeirSystem *root);

/* References; the last one let go frees it. */
WeirLayout *weir_layout_ref (WeirLayout *self);
void weir_layout_unref (WeirLayout *self);

/* The same for equal structures, in every process. */
WeirFingerprint weir_layout_get_fingerprint (const WeirLayout *self);

/* The systems of the tree: the root first, each before what is in it. */
guint weir_layout_get_n_nodes (const WeirLayout *self);
WeirNode weir_layout_get_parent (const WeirLayout *self,
                                 WeirNode node); /* of the root: WEIR_NO_INDEX */
/* As its diagram calls it. (transfer none) */
const char *weir_layout_get_node_name (const WeirLayout *self, WeirNode node);
char *weir_layout_dup_path (const WeirLayout *self, WeirNode node); /* (transfer full) */
/* FALSE if there is no such path; "" is the root. */
gboolean weir_layout_find_node (const WeirLayout *self, const char *path, WeirNode *node);

/* The node that has what a path means, and what that is called there: "y" of "plant.gain.y". What
 * lies in a unit is the unit's, under all of the path that is left. A leaf
 * may have names with dots; these are paths in the diagram that holds it: "R1.i" is in no node R1,
 * but in the leaf of the network that R1 is a part of; what lies in a unit is called by its path in
 * there. @name: (out) the end of @path. FALSE if no
 * part of the path is a node, and no leaf has such a name. */
gboolean weir_layout_find_owner (const WeirLayout *self, const char *path, WeirNode *node,
                                 const char **name);
/* The path of a name of a node: of one with dots, in the diagram around it. (transfer full) */
char *weir_layout_dup_name_path (const WeirLayout *self, WeirNode node, const char *name);

/* The ports, parameters and groups of a node, by name. */
gboolean weir_layout_find_input (const WeirLayout *self, WeirNode node, const char *name,
                                 WeirInput *in);
gboolean weir_layout_find_output (const WeirLayout *self, WeirNode node, const char *name,
                                  WeirOutput *out);
gboolean weir_layout_find_parameter (const WeirLayout *self, WeirNode node, const char *name,
                                     WeirParameter *parameter, guint *size);
gboolean weir_layout_find_group (const WeirLayout *self, WeirNode node, const char *name,
                                 WeirGroup *group, guint *size);
guint weir_layout_get_n_parameters (const WeirLayout *self, WeirNode node); /* of a leaf */
guint weir_layout_get_n_inputs (const WeirLayout *self, WeirNode node);
guint weir_layout_get_n_outputs (const WeirLayout *self, WeirNode node);
const char *weir_layout_get_input_name (const WeirLayout *self, WeirNode node, WeirInput in);
const char *weir_layout_get_output_name (const WeirLayout *self, WeirNode node, WeirOutput out);
guint weir_layout_get_input_size (const WeirLayout *self, WeirNode node, WeirInput in);
guint weir_layout_get_output_size (const WeirLayout *self, WeirNode node, WeirOutput out);
/* The type of an abstract value, whose size is 0; NULL where the value is doubles. */
const GVariantType *weir_layout_get_input_type (const WeirLayout *self, WeirNode node,
                                                WeirInput in);
const GVariantType *weir_layout_get_output_type (const WeirLayout *self, WeirNode node,
                                                 WeirOutput out);
const GVariantType *weir_layout_get_parameter_type (const WeirLayout *self, WeirNode node,
                                                    WeirParameter parameter);
const char *weir_layout_get_parameter_name (const WeirLayout *self, WeirNode node,
                                            WeirParameter parameter);
guint weir_layout_get_parameter_size (const WeirLayout *self, WeirNode node,
                                      WeirParameter parameter);
const GVariantType *weir_layout_get_group_type (const WeirLayout *self, WeirNode node,
                                                WeirGroup group);

/* Is the input neither connected nor given a default, so that only fixing can give it a value? */
gboolean weir_layout_is_input_unconnected (const WeirLayout *self, WeirNode node, WeirInput in);

/* The cache entries of the whole tree, in plan order: each after those it reads. */
guint weir_layout_get_n_entries (const WeirLayout *self);
WeirEntryInfo weir_layout_get_entry (const WeirLayout *self, WeirEntry entry);
/* `path:name`, such as "plant.pendulum:potential energy". (transfer full) */
char *weir_layout_dup_entry_path (const WeirLayout *self, WeirEntry entry);
/* The entry under a ticket of a node: an output's, a cache entry's, xcdot, pe, ... FALSE
 * if none. */
gboolean weir_layout_find_entry (const WeirLayout *self, WeirNode node, WeirTicket ticket,
                                 WeirEntry *entry);
/* The entry whose value the output shows, through nesting; FALSE if it is a window on a source. */
gboolean weir_layout_find_output_entry (const WeirLayout *self, WeirNode node, WeirOutput out,
                                        WeirEntry *entry);

/* The same of what an input sees where nothing fixes it. */
gboolean weir_layout_find_input_entry (const WeirLayout *self, WeirNode node, WeirInput in,
                                       WeirEntry *entry);

/* The entries that an entry reads as declared, once per read; all have lower numbers. A lazy one
 * may read fewer. (transfer none) */
const guint32 *weir_layout_get_reads (const WeirLayout *self, WeirEntry entry, guint *n);
gboolean weir_layout_is_lazy (const WeirLayout *self, WeirEntry entry);

/* Where change events can begin, and what each is called: "time", "plant:q", "gain:parameter k". */
guint weir_layout_get_n_sources (const WeirLayout *self);
char *weir_layout_dup_source_name (const WeirLayout *self, WeirSource source); /* (transfer full) */

/* Does any value in the tree change with time alone? */
gboolean weir_layout_depends_on_time (const WeirLayout *self);

/* The state vector: total length and, in order, the slice of every leaf that has
 * continuous state. */
guint weir_layout_get_n_states (const WeirLayout *self);
/* How large each is, in general (weir_leaf_set_state_nominals()); NULL: 1. */
const double *weir_layout_get_state_nominals (const WeirLayout *self);
/* A leaf that says so at present (weir_leaf_set_nominals_group()): the group, its first state and
 * how many there are. FALSE: there are no more than @i. */
gboolean weir_layout_get_nominals_group (const WeirLayout *self, guint i, WeirNode *node,
                                         WeirGroup *group, guint *first, guint *n);
guint weir_layout_get_n_slices (const WeirLayout *self);
WeirStateSlice weir_layout_get_slice (const WeirLayout *self, guint i);
/* "plant.pendulum.v[0]": whose state @i of the whole vector is; or the name that its leaf has for
 * it, "plant.D(x)"; or, of the only one that a leaf has, the leaf's path. Those with numbers are
 * found as well. (transfer full) */
char *weir_layout_dup_state_name (const WeirLayout *self, guint i);
gboolean weir_layout_find_state (const WeirLayout *self, const char *name, guint *i);

/* Is the element of the entry's value the derivative of a state of its leaf? *@state: which of the
 * whole vector. */
gboolean weir_layout_find_derivative (const WeirLayout *self, WeirEntry entry, guint element,
                                      guint *state);
/* What the leaf calls an element of its entry's value: "y" where several are computed together,
 * else as the entry; and where its author finds it, "line 2", or "". (transfer none) */
const char *weir_layout_get_element_name (const WeirLayout *self, WeirEntry entry, guint element);
const char *weir_layout_get_element_place (const WeirLayout *self, WeirEntry entry, guint element);
/* What people call an element of an entry's value: "ratio:y", "the derivative of plant.v[0]".
 * (transfer full) */
char *weir_layout_dup_value_name (const WeirLayout *self, WeirEntry entry, guint element);

/* An input of a node of the tree. */
typedef struct {
  WeirNode node;
  WeirInput in;
} WeirInputPlace;

/* The inputs of leaves that see the signal at an output, on all levels. @places: (element-type
 * WeirInputPlace) appended to. */
void weir_layout_list_readers (const WeirLayout *self, WeirNode node, WeirOutput out,
                               GArray *places);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirLayout, weir_layout_unref)

WEIR_END_DECLS
