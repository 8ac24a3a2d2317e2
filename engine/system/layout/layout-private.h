/* The numbering of a whole tree, as the rest of engine/system reads it.
 *
 * Entries are numbered level by level (an entry's level is above that of every entry it reads),
 * within a level by class, within a class so that operands lie in a row. So the order of numbers is
 * an order of evaluation: whatever set of entries is out of date can be brought up to date in one
 * ascending scan. Values and parameters are stored in that order too. A segment is a maximal run of
 * entries of one class whose results, and as a rule operands, are arithmetic progressions of
 * addresses: one kernel call does any part of it.
 *
 * Sources are numbered after a few joint ones: first those of the whole tree, then node by node
 * (q, v, z, xc of a leaf with state; groups; parameters; inputs).
 */
#pragma once

#include "base/bits.h"
#include "system/layout/layout.h"
#include "system/layout/mask.h"
#include "system/structure/shape-private.h"

G_BEGIN_DECLS

/* Where values are, relative to a base that the evaluation carries. */
typedef enum {
  WEIR_SPACE_ARENA, /* doubles from the start of the context's block */
  WEIR_SPACE_STATE, /* doubles from the start of the state vector in force */
  WEIR_SPACE_TIME,  /* the time in force */
  WEIR_N_SPACES,
} WeirSpace;

typedef struct {
  guint32 offset; /* doubles */
  guint32 space;  /* WeirSpace */
} WeirAddress;

/* Where the value seen at a port comes from. */
typedef enum {
  WEIR_ORIGIN_ENTRY, /* index: the entry */
  WEIR_ORIGIN_TIME,
  WEIR_ORIGIN_COMMON, /* index: the ticket of another value that the tree has once */
  WEIR_ORIGIN_Q,      /* of node */
  WEIR_ORIGIN_V,
  WEIR_ORIGIN_Z,
  WEIR_ORIGIN_XC,
  WEIR_ORIGIN_GROUP,     /* index: group of node */
  WEIR_ORIGIN_PARAMETER, /* index: parameter of node */
  WEIR_ORIGIN_FIXED,     /* index: input of node that nothing drives */
} WeirOriginKind;

typedef struct {
  WeirOriginKind kind;
  guint32 node;
  guint32 index;
} WeirOrigin;

enum {
  WEIR_SOURCE_TIME,
  WEIR_SOURCE_ACCURACY,
  WEIR_SOURCE_STATE,      /* every leaf's q, v, z */
  WEIR_SOURCE_Q,          /* every leaf's q */
  WEIR_SOURCE_VZ,         /* every leaf's v and z */
  WEIR_SOURCE_TIME_Q,     /* time and every leaf's q, as a semi-implicit step changes them */
  WEIR_SOURCE_TIME_STATE, /* time and state, as a solver's trial changes them */
  WEIR_SOURCE_ALL,        /* time, accuracy, states, groups and parameters at once */
  WEIR_N_JOINT_SOURCES,
};

/* "time", "accuracy", "time and q", ...; marked for translation. */
extern const char *const weir_joint_source_names[WEIR_N_JOINT_SOURCES];

/* The source of a ticket that is common to the tree: they stand in the order of their tickets. */
static inline WeirSource
weir_source_of_common (WeirTicket ticket)
{
  G_STATIC_ASSERT (WEIR_SOURCE_STATE == WEIR_TICKET_LAST_COMMON - WEIR_TICKET_TIME + 1);
  return (WeirSource) { ticket.i - WEIR_TICKET_TIME };
}

/* Its word in the arena. */
static inline guint32
weir_word_of_common (guint32 ticket)
{
  return ticket - WEIR_TICKET_TIME;
}

/* An abstract value: its word in the arena, which holds its place in the table, and its type. */
typedef struct {
  guint32 word;
  const GVariantType *type;
  const WeirAbstractKeeping *keeping; /* or NULL */
  gconstpointer data;                 /* of the leaf, for that, */
  guint32 node;                       /* which is this one */
} WeirAbstractSlot;

typedef struct {
  const WeirShape *shape; /* the layout keeps the root shape alive, which keeps this */
  guint32 parent;
  guint32 child;       /* index among the parent's children */
  guint32 first_child; /* place in child_nodes */
  guint32 first_entry; /* place in entry_of_local */
  guint32 first_input;
  guint32 first_output;
  guint32 first_parameter;
  guint32 first_group;
  guint32 first_source; /* of this node's own */
  guint32 state_offset; /* of the subtree; its states are contiguous */
  guint32 n_states;     /* of the subtree */
  guint32 first_event;
} WeirNodeInfo;

/* An algebraic loop (shape-private.h); provisional numbers until the entries have theirs. */
typedef struct {
  guint32 node, entry; /* the leaf and its solution */
  GArray *members;     /* guint32, ascending */
} WeirLoop;

/* Where a value is looked for from. */
typedef struct {
  guint32 node, entry, group;
} WeirStart;

#define WEIR_GATHERED G_MININT32 /* stride */
#define WEIR_MAX_GATHERED 8      /* operands of an entry */

struct _WeirLayout {
  gatomicrefcount ref_count;
  WeirShape *shape;
  char *root_name;

  guint32 n_nodes, n_entries, n_inputs, n_outputs, n_parameters, n_groups, n_states, n_events;
  guint32 n_sources, n_segments, n_levels, n_words; /* words of 64 entries */
  WeirNodeInfo *nodes;
  guint32 *child_nodes;

  guint32 *entry_of_local; /* node.first_entry + local entry -> entry */
  WeirOrigin *inputs;      /* by input of the tree */
  WeirOrigin *outputs;     /* by output of the tree */
  guint32 *parameter_slots, *group_slots, *input_slots; /* arena offsets */
  GArray *required;    /* guint32: inputs that nothing drives and that have no default, read by some
                          entry */
  GArray *slices;      /* WeirStateSlice */
  GArray *loops;       /* WeirLoop: algebraic loops, of the innermost diagrams first */
  GArray *starts;      /* WeirStart, of loops and others */
  double *nominals;    /* of the states; NULL: 1 */
  GArray *nominals_of; /* guint32: nodes that have a group of them */
  GArray *abstract_slots; /* WeirAbstractSlot, by place in a context's table of abstract values */

  guint32 n_plain_entries; /* all, or 0 where some are abstract */

  /* By entry. */
  guint32 *node_of, *local_of;
  const WeirEntryDecl **decls;
  guint32 *value_offset; /* arena */
  guint32 *segment_of;
  guint32 *up_first, *ups; /* the entries it reads, once per read */
  guint32 *operand_first;  /* of kernels */
  WeirAddress *operands;
  guint64 *lazy; /* bits */

  /* By segment: its first entry (one more at the end), and strides: one per operand of its first
   * entry, in doubles, at segment_stride_first; then the stride of results. WEIR_GATHERED: the
   * operand of each entry is wherever its address says. */
  guint32 *segment_first;
  guint32 *stride_first;
  gint32 *strides;

  /* Rows of direct dependents: of source s at s, of entry e at n_sources + e. */
  guint32 *row_first, *rows;
  WeirMasks *masks;

  /* The arena, in 8-byte words. */
  struct {
    guint32 state, groups, parameters, fixed, values, xdot, end_of_values;
    guint32 stale, disabled, fixed_bits;
    guint32 source_last; /* per source: the number of its last event */
    guint32 rewrites; /* per entry: what its serial number counts beside the calculations below */
    /* Counters, which can be cleared. */
    guint32 calc_steps, off_steps, joint_steps; /* per entry, and one more */
    guint32 entry_off, reads;                   /* per entry */
    guint32 segment_ns, segment_timed;          /* per segment */
    guint32 source_events;
    guint32 size;
  } arena;
};

/* The first words of an arena: the values that the tree has once, in the order of their tickets. */
enum {
  WEIR_ARENA_TIME,
  WEIR_ARENA_ACCURACY = WEIR_TICKET_ACCURACY - WEIR_TICKET_TIME,
  WEIR_ARENA_FINGERPRINT_LOW = WEIR_TICKET_LAST_COMMON - WEIR_TICKET_TIME + 1,
  WEIR_ARENA_FINGERPRINT_HIGH,
  WEIR_ARENA_N_EVENTS,
  WEIR_ARENA_CODE, /* which functions computed the values: see evaluator-private.h */
  WEIR_ARENA_HEADER = 8,
};

/* The node after the last one at or under @node: the numbers of a subtree are in a row. */
guint32 weir_layout_subtree_end (const WeirLayout *self, guint32 node);
guint32 weir_layout_child (const WeirLayout *self, guint32 node, guint32 child);
WeirSource weir_layout_state_source (const WeirLayout *self, guint32 node, WeirOriginKind part);
WeirSource weir_layout_group_source (const WeirLayout *self, guint32 node, guint32 group);
WeirSource weir_layout_input_source (const WeirLayout *self, guint32 node, guint32 in);
/* Of a built-in ticket that stands for a value of its own; kind WEIR_ORIGIN_ENTRY for all others.
 */
WeirOrigin weir_origin_of_built_in (guint32 node, guint16 ticket);
/* Which source a number stands for, for people and tests: kind, node and index as an origin. */
WeirOrigin weir_layout_describe_source (const WeirLayout *self, WeirSource source);
WeirAddress weir_layout_address (const WeirLayout *self, WeirOrigin origin);
/* Where input @in of @node gets its value when some inputs are fixed against their wiring. */
WeirOrigin weir_layout_trace_input (const WeirLayout *self, const guint64 *fixed, guint32 node,
                                    guint32 in);

/* Moves on to the input of the diagram around that is wired to input @in of @node. FALSE where none
 * is. Each input on that way may be fixed. */
static inline gboolean
weir_layout_move_out (const WeirLayout *self, guint32 *node, guint32 *in)
{
  const WeirNodeInfo *info = &self->nodes[*node];
  const WeirShape *around;
  WeirWiring wiring;

  if (info->parent == WEIR_NO_INDEX)
    return FALSE;
  around = self->nodes[info->parent].shape;
  wiring = around->wiring[around->first_wiring[info->child] + *in];
  *node = info->parent;
  *in = wiring.port;
  return wiring.child == WEIR_WIRED_PARENT;
}

static inline guint32
weir_node_first_after_state (const WeirNodeInfo *node)
{
  return node->first_source + (node->shape->initial_state != NULL ? 4 : 0);
}

static inline WeirSource
weir_layout_parameter_source (const WeirLayout *self, guint32 node, guint32 parameter)
{
  const WeirNodeInfo *info = &self->nodes[node];

  return (WeirSource) { weir_node_first_after_state (info) + info->shape->groups->len + parameter };
}

static inline const WeirEntryDecl *
weir_layout_decl (const WeirLayout *self, guint32 entry)
{
  return self->decls[entry];
}

/* --- Building one ----------------------------------------------------------------------------- */

/* How a layout is built, step by step, in the order of these functions (layout.c calls them).
 *
 * Before numbering, entries have provisional numbers: nodes in tree order, a node's entries in
 * order of declaration. weir_layout_number() gives the final ones; everything after it uses those.
 */

typedef struct {
  WeirLayout *layout;
  /* By provisional entry. */
  guint32 *node_of, *local_of;
  const WeirEntryDecl **decls;
  guint32 *up_first, *ups;
  guint32 *operand_keys; /* numbering.c */
  guint32 *level;
  guint64 *class_hash; /* high half: the kind (weir_class_kind()); low half: its refinement */
  guint32 *rank;       /* provisional -> final */
} WeirLayoutBuilder;

/* Entries of one kind have equal code and kinds of operand, and are alike in whether the root's
 * derivatives need them. */
static inline guint32
weir_class_kind (guint64 class_hash)
{
  return (guint32) (class_hash >> 32);
}

/* The origin of a primary ticket of a node, with provisional and with final numbers of entries;
 * FALSE for "nothing". */
gboolean weir_layout_origin_of_ticket (const WeirLayout *self, guint32 node, guint16 ticket,
                                       WeirOrigin *origin);
gboolean weir_layout_final_origin (const WeirLayout *self, guint32 node, guint16 ticket,
                                   WeirOrigin *origin);

/* loop-layout.c: the members of each algebraic loop; adds what they read to what its solution
 * reads. Then gives the loops final numbers. */
void weir_layout_find_loops (WeirLayoutBuilder *b);
void weir_layout_renumber_loops (WeirLayout *self);
/* numbering.c: numbers the entries by level and class. */
void weir_layout_number (WeirLayoutBuilder *b);
/* layout-slots.c: gives out the arena; then addresses the operands of kernels. */
void weir_layout_give_slots (WeirLayout *self);
/* segments.c: cuts runs of entries that one kernel call can do. */
void weir_layout_cut_segments (WeirLayoutBuilder *b);
/* layout-rows.c: the dependents of each source and entry, and the inputs that need a value. */
void weir_layout_write_rows (WeirLayout *self);
/* layout-slots.c: the flags and counters at the end of the arena. */
void weir_layout_give_counters (WeirLayout *self);

G_END_DECLS
