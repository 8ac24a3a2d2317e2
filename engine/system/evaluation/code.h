/* Who computes what, for those who write a model down as a program: the function behind each entry
 * and event of a tree, and where each value that it reads is. All as declared, nothing fixed.
 * Thread: *any*; everything is the root's, which is immutable.
 */
#pragma once

#include "system/evaluation/event.h"
#include "system/evaluation/phase.h"
#include "system/layout/layout.h"
#include "system/structure/kernel.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_PLACE_ENTRY, /* index: the entry */
  WEIR_PLACE_TIME,
  WEIR_PLACE_ACCURACY,
  WEIR_PLACE_STATE,     /* index: in the whole state */
  WEIR_PLACE_GROUP,     /* index: group of node */
  WEIR_PLACE_PARAMETER, /* index: parameter of node */
  WEIR_PLACE_INPUT,     /* index: input of node, that nothing drives */
} WeirPlaceKind;

typedef struct {
  WeirPlaceKind kind;
  guint32 node, index;
  guint32 n; /* of a state: numbers */
} WeirCodePlace;

/* An entry. One of the functions is set, or none: of a diagram's own entries, which lie where those
 * of its children do, and of loops. */
typedef struct {
  WeirNode node;
  guint local; /* its number among those of the leaf */
  WeirEntryKind kind;
  guint32 size;
  gboolean is_abstract, is_lazy;
  gboolean is_slopes;   /* only for solvers that want a Jacobian */
  gboolean is_solution; /* of an algebraic loop ... */
  gboolean is_part;     /* ... or the part of it that is one output */
  WeirCalcFunc calc;
  WeirKernel kernel;
  guint64 variant;
  guint n_operands; /* of a kernel */
} WeirEntryCodeInfo;

WeirEntryCodeInfo weir_code_get_entry (WeirSystem *root, WeirEntry entry);
/* Operand @k of a kernel; @broadcast: it is one value for all elements. */
WeirCodePlace weir_code_get_operand (WeirSystem *root, WeirEntry entry, guint k,
                                     gboolean *broadcast);

/* Appends where what an entry reads, beside other entries, is: WeirCodePlace. Of a loop's solution
 * what its members read. */
void weir_code_list_sources (WeirSystem *root, WeirEntry entry, GArray *places);

/* Of a leaf. */
typedef struct {
  const char *kind;
  gboolean is_diagram, is_loop, is_unit;
  guint n_inputs, n_parameters, n_groups, n_entries, n_phases;
  guint32 state, nq, nv, nz; /* where its state is in the whole */
  gconstpointer data;
  gsize data_size;
  WeirPhaseFunc phases;
} WeirLeafCode;

WeirLeafCode weir_code_get_leaf (WeirSystem *root, WeirNode node);
guint32 weir_code_get_group_size (WeirSystem *root, WeirNode node, guint group);
const char *weir_code_get_group_name (WeirSystem *root, WeirNode node, guint group);
gboolean weir_code_is_group_abstract (WeirSystem *root, WeirNode node, guint group);
WeirEntry weir_code_get_leaf_entry (WeirSystem *root, WeirNode node, guint local);
/* Where the value of an input, or of an output, is. */
WeirCodePlace weir_code_get_input (WeirSystem *root, WeirNode node, WeirInput in);
WeirCodePlace weir_code_get_output (WeirSystem *root, WeirNode node, WeirOutput out);
/* The value of an input that nothing drives; NULL = it must be given. */
const double *weir_code_get_default (WeirSystem *root, WeirNode node, guint in);

/* The functions of an event, as its trigger and action ask. */
typedef struct {
  WeirUpdateFunc update; /* NULL of a discrete update: a part of the leaf's unique one */
  WeirPublishFunc publish;
  WeirUnrestrictedFunc unrestricted;
  WeirNextTimeFunc next_time;
  guint local; /* its number among those of the leaf */
} WeirEventCodeInfo;

WeirEventCodeInfo weir_code_get_event (WeirSystem *root, guint i);

/* An algebraic loop: its leaf, the entry of its solution, and those that each try computes. */
typedef struct {
  WeirNode node;
  WeirEntry solution;
  const guint32 *members;
  guint n_members;
  gboolean has_guess;
} WeirLoopCode;

guint weir_code_get_n_loops (WeirSystem *root);
WeirLoopCode weir_code_get_loop (WeirSystem *root, guint i);

/* What is looked for, and the group from which: solutions of loops, and others. */
typedef struct {
  WeirNode node;
  WeirEntry entry;
  WeirGroup group;
} WeirStartCode;

guint weir_code_get_n_starts (WeirSystem *root);
WeirStartCode weir_code_get_start (WeirSystem *root, guint i);

G_END_DECLS
