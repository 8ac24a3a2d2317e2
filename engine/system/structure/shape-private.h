/* What the files of engine/system share about structure: shapes and systems, how diagrams are
 * built, algebraic loops.
 *
 * A WeirShape is a system's declarations without any code: ports, parameters, state, tickets,
 * entries with their prerequisites, and for a diagram its children and wires. Layouts (and through
 * them contexts) refer to shapes only. A WeirSystem is a shape plus functions and child systems.
 *
 * Invariants: tickets below WEIR_N_BUILT_IN_TICKETS are built in, the others follow in order of
 * declaration; a prerequisite is declared before its entry, so a leaf's own entries are acyclic and
 * ordered. Both are immutable after the builder has ended.
 */
#pragma once

#include "numerics/rows.h"
#include "system/structure/diagram.h"
#include "system/structure/keeping.h"
#include "system/structure/kernel.h"
#include "system/structure/leaf.h"
#include "system/structure/listing.h"
#include "system/structure/system.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_ITEM_BUILT_IN,
  WEIR_ITEM_INPUT,
  WEIR_ITEM_OUTPUT,
  WEIR_ITEM_PARAMETER,
  WEIR_ITEM_GROUP,
  WEIR_ITEM_ENTRY,
} WeirItemKind;

typedef struct {
  WeirItemKind kind;
  guint16 index; /* of the input, output, ...; of a built-in: the entry under it, or G_MAXUINT16 */
} WeirItem;

typedef struct {
  char *name;
  guint32 size; /* 0 for an abstract value */
  guint16 ticket;
  double *value; /* default or initial value, size doubles; NULL for an input without default */
  GVariantType *type;                 /* of an abstract value; NULL for doubles */
  GVariant *abstract;                 /* its default or initial value */
  const WeirAbstractKeeping *keeping; /* of a group; NULL: it is saved as it is */
} WeirVectorDecl;

typedef struct {
  char *name;
  guint32 size; /* 0 for an abstract value */
  GVariantType *type;
  guint16 ticket;
  guint16 shown; /* leaf: the ticket whose value the port shows */
  double *guess; /* leaf: where a loop through it begins, size values; NULL = nobody said */
  guint32 child; /* diagram: the child and its output */
  guint16 child_output;
} WeirOutputDecl;

/* Which elements of what an entry reads its elements depend on (weir_leaf_set_pattern()).
 * Immutable. */
typedef struct {
  gatomicrefcount ref_count;
  guint n_by;
  guint16 *by;       /* primary tickets */
  guint32 *by_first; /* their first columns; n_by + 1 */
  WeirRows rows;     /* of columns, by element of the entry */
} WeirPattern;

WeirPattern *weir_pattern_new (GArray *by, const guint32 *sizes, guint32 n_rows,
                               const guint32 *first, const guint32 *columns);
WeirPattern *weir_pattern_ref (WeirPattern *self);
void weir_pattern_unref (WeirPattern *self);

typedef struct {
  char *name;
  WeirEntryKind kind;
  guint16 ticket;
  /* What people call its elements, and where they find them; one for each, NULL-terminated, or
   * NULL. */
  char **element_names, **element_places;
  guint32 size;       /* 0 for an abstract value */
  GVariantType *type; /* of an abstract value */
  guint64 variant;
  /* Once the shape is sealed: */
  guint kind_hash, name_hash; /* of the kind of block and the name */
  gboolean has_parameters;    /* among what it reads */
  gboolean is_kernel, is_lazy, starts_disabled;
  guint16 *depends; /* tickets as declared, in order; of a kernel: its operands */
  guint n_depends;
  gboolean *broadcast;  /* of a kernel: the operand has one value for all elements */
  WeirPattern *pattern; /* or NULL: every element depends on all that is read */
  gboolean has_slopes;  /* the shape's slopes have those of its pattern, from ... */
  guint32 first_slope;  /* ... here */
  guint16 *primary;     /* the same without composites: time, accuracy, q, v, z, groups, parameters,
                           inputs and entries, each once */
  guint n_primary;
} WeirEntryDecl;

typedef struct {
  WeirTriggerKind trigger;
  WeirAction action;
  WeirGroup group;
  double period, offset;
  guint n_points;
  WeirCached witness;
  WeirDirection direction;
  gboolean leaves_zero;
  guint rank;
  guint n_limits;
} WeirEventDecl;

/* A value that is looked for, and where: both by their place in the leaf. */
typedef struct {
  guint32 entry, group;
} WeirStartDecl;

/* What drives an input of a diagram's child. */
typedef struct {
  guint32 child; /* the driving sibling, or one of the following */
  guint16 port;  /* its output, or the diagram's own input */
} WeirWiring;
#define WEIR_WIRED_NOTHING G_MAXUINT32
#define WEIR_WIRED_PARENT (G_MAXUINT32 - 1)

typedef struct _WeirShape WeirShape;
struct _WeirShape {
  gatomicrefcount ref_count;
  char *kind;
  gboolean is_diagram;
  gboolean is_loop;       /* a leaf that solves an algebraic loop */
  gboolean is_unit;       /* a leaf that makes its own steps: unit.h */
  gboolean has_own_names; /* names with dots are in it, not in the diagram around it */
  guint unit_n_steps;
  int unit_place;
  WeirParameter unit_activity;
  WeirFingerprint fingerprint;

  GArray *items;       /* WeirItem, by ticket */
  GArray *inputs;      /* WeirVectorDecl */
  GArray *outputs;     /* WeirOutputDecl */
  GHashTable *aliases; /* other names of outputs to theirs, owned; NULL = none */
  GArray *parameters;  /* WeirVectorDecl */
  GArray *groups;      /* WeirVectorDecl */
  GArray *entries;     /* WeirEntryDecl */
  GArray *events;      /* WeirEventDecl */
  GArray *starts;      /* WeirStartDecl */
  guint32 n_phases;    /* of a leaf */
  guint32 slopes;      /* of a leaf: the entry of its slopes; G_MAXUINT32 = none */
  guint32 nq, nv, nz;  /* of a leaf */
  double *initial_state;
  char **state_names;     /* one for each, NULL-terminated; or NULL */
  double *state_nominals; /* one for each; NULL: 1 */
  guint32 nominals_group; /* that has them at present; G_MAXUINT32 = none */
  gpointer data;
  gsize data_size;

  /* Of a diagram. */
  WeirShape **children;
  char **child_names;
  guint32 n_children;
  guint32 *first_wiring; /* by child: its inputs' place in wiring */
  WeirWiring *wiring;

  guint8 *feedthrough; /* [output * n_inputs + input] */
};

typedef struct {
  WeirCalcFunc calc;
  WeirKernel kernel;
  WeirAbstractFunc abstract;
} WeirEntryCode; /* one of them is set */

typedef struct {
  WeirUpdateFunc update; /* or reset */
  WeirPublishFunc publish;
  WeirUnrestrictedFunc unrestricted;
  WeirNextTimeFunc next_time;
} WeirEventCode;

/* What a higher room makes of a system as a root, at its first use, and keeps with it. */
typedef struct {
  gpointer value; /* atomic; NULL until it is made */
  GDestroyNotify free;
} WeirRootPart;

struct _WeirSystem {
  gatomicrefcount ref_count;
  WeirShape *shape;
  GArray *code;         /* WeirEntryCode, by local entry; none is set of a loop's leaf */
  GArray *event_code;   /* WeirEventCode, by local event */
  WeirPhaseFunc phases; /* NULL: it has none */
  WeirListFunc list;    /* NULL: its calculations cannot be listed */
  WeirUnitKind unit;    /* of a unit */
  GDestroyNotify unit_destroy;
  WeirSystem **children;
  GMutex root_mutex; /* making the following */
  WeirRootPart layout, evaluator;
  WeirRootPart native; /* of a leaf: the code of its calculations (calc-native.h) */
};

/* Makes a part that is not there yet; @make is called at most once. */
gpointer weir_system_make_root_part (WeirSystem *self, WeirRootPart *part,
                                     gpointer (*make) (WeirSystem *self), GDestroyNotify free);

static inline gpointer
weir_system_get_root_part (WeirSystem *self, WeirRootPart *part,
                           gpointer (*make) (WeirSystem *self), GDestroyNotify free)
{
  gpointer value = g_atomic_pointer_get (&part->value);

  return G_LIKELY (value != NULL) ? value : weir_system_make_root_part (self, part, make, free);
}

WeirShape *weir_shape_new (const char *kind, gboolean is_diagram);
WeirShape *weir_shape_ref (WeirShape *self);
void weir_shape_unref (WeirShape *self);
/* Gives the next ticket to an item. */
guint16 weir_shape_add_item (WeirShape *self, WeirItemKind kind, guint index);
/* The entry under a ticket; -1 if none. */
int weir_shape_find_entry (const WeirShape *self, guint16 ticket);
/* Names of the built-in tickets: "t", "accuracy", "q", ... */
const char *weir_built_in_ticket_name (guint16 ticket);
/* "u_0", "y_1", "cache energy", ... (transfer full) */
char *weir_shape_dup_ticket_name (const WeirShape *self, guint16 ticket);
/* "potential energy" and so on. */
const char *weir_energy_name (guint16 ticket);
/* What a leaf's tickets stand for: no composites, each once. guint16; (transfer full) */
GArray *weir_shape_list_primary (const WeirShape *self, const guint16 *tickets, guint n);
/* Sets the feedthrough table and the fingerprint; the last act of a builder. */
void weir_shape_seal (WeirShape *self);

/* The trackers that a tracker subscribes to, by ticket, for composites: ends
 * with WEIR_TICKET_END. */
const guint16 *weir_composite_prerequisites (guint16 ticket);

WeirSystem *weir_system_new (WeirShape *shape); /* takes the reference */

static inline const WeirVectorDecl *
weir_shape_input (const WeirShape *self, guint i)
{
  return &g_array_index (self->inputs, WeirVectorDecl, i);
}

static inline const WeirOutputDecl *
weir_shape_output (const WeirShape *self, guint i)
{
  return &g_array_index (self->outputs, WeirOutputDecl, i);
}

static inline const WeirVectorDecl *
weir_shape_parameter (const WeirShape *self, guint i)
{
  return &g_array_index (self->parameters, WeirVectorDecl, i);
}

static inline const WeirVectorDecl *
weir_shape_group (const WeirShape *self, guint i)
{
  return &g_array_index (self->groups, WeirVectorDecl, i);
}

static inline gboolean
weir_vector_has_value (const WeirVectorDecl *decl)
{
  return decl->value != NULL || decl->abstract != NULL;
}

/* Words in the arena: an abstract value's one says where it is in the context's table. */
static inline guint32
weir_words (guint32 size, const GVariantType *type)
{
  return type != NULL ? 1 : size;
}

static inline WeirEntryDecl *
weir_shape_entry (const WeirShape *self, guint i)
{
  return &g_array_index (self->entries, WeirEntryDecl, i);
}

static inline WeirItem
weir_shape_item (const WeirShape *self, guint16 ticket)
{
  return g_array_index (self->items, WeirItem, ticket);
}

/* --- The diagram builder: itself, and the search over its wires ------------------------------- */

/* A wire between children that the builder has, whose ports are not checked yet. */
typedef struct {
  WeirChild from, to;
  WeirOutput out;
  WeirInput in;
} WeirPendingWire;

/* So many are looked at together: what the first needs of its ends is on its way from memory while
 * the others come. */
#define WEIR_N_PENDING_WIRES 16

struct _WeirDiagramBuilder {
  WeirShape *shape;
  GPtrArray *systems;                            /* WeirSystem */
  GPtrArray *names;                              /* char * */
  GHashTable *by_name;                           /* name -> child + 1; NULL: nobody has asked */
  GHashTable *port_names[2];                     /* sets, of the shape's own: outputs, inputs */
  GArray *first_wiring;                          /* guint32 by child */
  GArray *wiring;                                /* WeirWiring */
  WeirPendingWire pending[WEIR_N_PENDING_WIRES]; /* not looked at yet */
  guint n_pending;
  gboolean solves_loops;
  GError *error;        /* the first problem */
  guint n_before_error; /* children that were there when it was noted */
};

/* Before anything else looks at the wires, or notes a problem. */
void weir_diagram_builder_take_wires (WeirDiagramBuilder *b);
/* Notes the first problem; later ones are dropped. */
void weir_diagram_builder_note_problem (WeirDiagramBuilder *b, const char *format, ...)
    G_GNUC_PRINTF (2, 3);

/* Children by name, plus 1. */
GHashTable *weir_diagram_builder_get_by_name (WeirDiagramBuilder *b);

static inline const WeirShape *
weir_diagram_builder_shape (const WeirDiagramBuilder *b, guint32 child)
{
  return ((WeirSystem *) g_ptr_array_index (b->systems, child))->shape;
}

static inline const char *
weir_diagram_builder_name (const WeirDiagramBuilder *b, guint32 child)
{
  return g_ptr_array_index (b->names, child);
}

static inline WeirWiring *
weir_diagram_builder_wiring (const WeirDiagramBuilder *b, guint32 child, guint in)
{
  return &g_array_index (b->wiring, WeirWiring,
                         g_array_index (b->first_wiring, guint32, child) + in);
}

/* diagram-search.c: fills the shape's table of feedthrough, which has its size and is zero.
 * Algebraic loops are noted as a problem, or cut by leaves that solve them, which become the last
 * children. */
void weir_diagram_builder_search (WeirDiagramBuilder *b);

/* --- Algebraic loops -------------------------------------------------------------------------- */

/* Outputs that depend on each other at one instant.
 *
 * The builder of a diagram cuts the wires that close loops and puts a leaf there: its inputs u are
 * what the cut wires carried, its outputs y feed what they fed, and its entry "solution" is the z
 * for which u (z) = z. To compute it is to try: z is put in place, the members of the loop, which
 * are the entries between y and u, are computed from it, and Newton's method corrects it by what
 * comes back.
 *
 * The solution's prerequisites are what the members read from outside the loop, and the leaf's
 * discrete state "start", where the iteration begins: at first the guesses that outputs declare
 * (leaf.h), 0 without. So it is a function of its prerequisites like any other entry, and caching
 * changes nothing. The start moves to the solution at accepted steps only. */

/* Matrices, and rows of doubles beside theirs, that solving for the unknowns takes. */
#define WEIR_LOOP_MATRICES 3
#define WEIR_LOOP_ROWS 9

/* What the leaf keeps as bytes: this or something else, then the path of the loop, then the names
 * of its signals. */
#define WEIR_LOOP_HAS_GUESS 'g'

/* leaf.c: of a leaf whose entries have no code. */
WeirLeafBuilder *weir_leaf_builder_new_for_loop (void);

G_END_DECLS
