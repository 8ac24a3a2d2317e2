/* What the parts of making a leaf from equations share: where values lie (places.c),
 * which are kept together (groups.c), how they are computed (programs.c),
 * events (events.c), and the whole (compile.c). Everything here lives during
 * one weir_equations_build().
 */
#pragma once

#include "blocks/equations/equations.h"

G_BEGIN_DECLS

/* What the leaf keeps and computes without a name in the text. No name of the language has a blank,
 * so that none of these is ever taken. */
#define WEIR_NAME_RELATIONS "relations held"
#define WEIR_NAME_TICKS "values in k"
#define WEIR_NAME_PAST "past %u"
#define WEIR_NAME_DELAYED "delayed %u"
#define WEIR_NAME_BREAKS "breaks %u"
#define WEIR_NAME_VALUES "values %u"
#define WEIR_NAME_START "start of values %u"
#define WEIR_NAME_CONDITIONS "conditions of when"
#define WEIR_NAME_PASSAGES "passages of when"
#define WEIR_NAME_DIFFERENCES "differences of relations"
#define WEIR_NAME_KINKS "kinks of values"

/* A source of the leaf: time, state, an input, a parameter, a discrete group. */
typedef struct {
  WeirOperandKind kind;
  guint32 index;
  WeirTicket ticket;
} WeirOperandSource;

/* Where an atom's value lies. */
typedef struct {
  gboolean is_unknown;  /* @block determines it; else @source */
  guint32 block, place; /* place among the block's unknowns */
  guint32 source, element;
} WeirPlace;

typedef struct {
  const WeirEquations *equations;
  WeirExprPool *pool;
  WeirLeafBuilder *builder;
  GArray *sources;
  GHashTable *places;   /* atom + 1 to WeirPlace, owned */
  GHashTable *names;    /* symbol of an element + 1 to "x" or "x[0]", owned */
  guint n_words;        /* of a set of sources */
  guint64 *sets;        /* of each block */
  gboolean *is_needed;  /* by the derivatives */
  gboolean *is_read;    /* by another block, an output or an event */
  gboolean *is_rate;    /* computed with the derivatives */
  guint32 *group_of;    /* of a block; G_MAXUINT32 = none */
  guint32 *first_of;    /* of a block: its place in the group's entry */
  GPtrArray *groups;    /* of WeirValueGroup */
  WeirGroup ticks;      /* the discrete group of the variables in k */
  WeirGroup modes;      /* that of the relations */
  GArray *pasts;        /* of WeirEquationsPast */
  GPtrArray *delays_of; /* of each past: GArray of guint, the delays */
  GByteArray *data;
  GArray *entry_computations, *event_computations; /* of WeirComputation */
  GArray *phase_computations;                      /* of WeirComputation; one at most */
  GArray *slopes_of; /* of WeirTicket: computations that have slopes */
  GArray *slopes;    /* of WeirExpr: theirs, one after the other */
} WeirCompiler;

/* Unknowns that share a cache entry. */
typedef struct {
  const guint64 *sources; /* a set; of its first block */
  gboolean is_needed;
  guint n_sources;
  guint first_block;
  GArray *blocks; /* of guint32, ascending */
  guint size;
  WeirCached entry;
  gboolean is_made; /* there is the entry */
} WeirValueGroup;

/* A computation that is being made. */
typedef struct {
  WeirCompiler *compiler;
  GArray *parts;       /* of WeirPart */
  GHashTable *tickets; /* set of tickets + 1 */
  GArray *depends;     /* of WeirTicket, as first met */
  guint32 group;       /* whose values it computes; G_MAXUINT32 = none */
  GHashTable *inlined; /* atom + 1 to its expression's node + 1, within the current part */
} WeirMaking;

/* --- Data: each returns the offset, a multiple of 8 ------------------------------------------ */

guint32 weir_compiler_append_data (WeirCompiler *self, gconstpointer bytes, gsize size);
guint32 weir_compiler_append_array (WeirCompiler *self, const GArray *array);
guint32 weir_compiler_append_text (WeirCompiler *self, const char *text);

/* --- Places ---------------------------------------------------------------------------------- */

const WeirEquationBlock *weir_compiler_get_block (const WeirCompiler *self, guint i);
const WeirPlace *weir_compiler_get_place (const WeirCompiler *self, WeirExpr atom);
guint32 weir_compiler_add_source (WeirCompiler *self, WeirOperandKind kind, guint32 index,
                                  WeirTicket ticket);
void weir_compiler_place_atom (WeirCompiler *self, WeirExpr atom, guint32 source, guint32 element);
/* Is this determined by an equation in k? */
gboolean weir_is_tick_variable (const WeirVariable *variable);

/* What the elements of all variables are called. First of all. */
void weir_compiler_find_names (WeirCompiler *self);
/* What people call the value of an atom, or NULL where it has no name. (transfer full) */
char *weir_compiler_dup_name (const WeirCompiler *self, WeirExpr atom);
/* Messages call the elements of a value by the atoms that they are the values of, where @atoms is
 * given, and tell their lines; 0: of none. */
void weir_compiler_name_elements (WeirCompiler *self, WeirTicket ticket, const WeirExpr *atoms,
                                  const guint32 *lines, guint n);

/* Inputs, free parameters, and discrete variables that events set. */
void weir_compiler_declare_ports (WeirCompiler *self);
void weir_compiler_declare_ticks (WeirCompiler *self);
void weir_compiler_declare_states (WeirCompiler *self);
void weir_compiler_place_unknowns (WeirCompiler *self);

/* --- Groups, in this order ------------------------------------------------------------------- */

void weir_compiler_find_dependencies (WeirCompiler *self);
void weir_compiler_find_needed (WeirCompiler *self);
void weir_compiler_find_groups (WeirCompiler *self);
void weir_value_group_free (gpointer group);

/* --- Computations ---------------------------------------------------------------------------- */

void weir_making_init (WeirMaking *self, WeirCompiler *compiler, guint32 group);
/* Ends the list of tickets and hands the parts over. Frees all but the list. */
WeirComputation weir_making_end (WeirMaking *self);
void weir_making_add_ticket (WeirMaking *self, WeirTicket ticket);
/* @unknowns: atoms that come first among the program's inputs and have no operand. */
void weir_making_set_program (WeirMaking *self, WeirPart *part, const WeirExpr *outputs,
                              guint n_outputs, const WeirExpr *unknowns, guint n_unknowns);
void weir_making_add_explicit (WeirMaking *self, const GArray *values, const GArray *lines,
                               guint first);
/* A WeirExprReplaceFunc of a WeirMaking: what stands for atoms that it has computed. */
WeirExpr weir_making_get_inlined (WeirExprPool *pool, WeirExpr part, gpointer data);
/* Expressions as one program. (transfer full) in @depends */
WeirComputation weir_compiler_make_simple (WeirCompiler *self, const GArray *values,
                                           const GArray *lines, gboolean is_asserting,
                                           GArray **depends);

/* The cache entry of a group. */
void weir_compiler_make_group (WeirCompiler *self, guint32 index);
/* Is what @variable shows just one state, discrete group or cache entry? */
gboolean weir_compiler_is_whole_group (const WeirCompiler *self, const WeirVariable *variable,
                                       WeirTicket *ticket);

/* --- Slopes ---------------------------------------------------------------------------------- */

/* Declares which elements of its prerequisites the values of a computation depend on. @depends: as
 * declared. */
void weir_compiler_find_pattern (WeirCompiler *self, WeirTicket ticket, const WeirExpr *values,
                                 guint n, const WeirTicket *depends);
/* The same of a group, once it has its entry. */
void weir_compiler_find_group_pattern (WeirCompiler *self, guint32 index,
                                       const WeirTicket *depends);
/* After all values: the slopes of those patterns. */
void weir_compiler_make_slopes (WeirCompiler *self);

/* --- Delays ---------------------------------------------------------------------------------- */

/* The pasts, and the cache entries of what is read from them. */
void weir_compiler_declare_delays (WeirCompiler *self);
/* After all values: what keeps the pasts. */
void weir_compiler_make_delays (WeirCompiler *self);

/* --- Invariants ------------------------------------------------------------------------------ */

/* The first element of the witness: where the states have drifted off the invariants. Appends it to
 * @crossings and its line to @lines, and the part that moves them back; nothing where there are no
 * invariants. */
void weir_making_add_projection (WeirMaking *making, GArray *crossings, GArray *lines);

/* --- Phases ---------------------------------------------------------------------------------- */

/* Of the sines and the like whose arguments change in the course of time. After all values. */
void weir_compiler_make_phases (WeirCompiler *self);

/* --- Events ---------------------------------------------------------------------------------- */

/* The discrete state of the relations. */
void weir_compiler_declare_modes (WeirCompiler *self);
/* After all values: ticks, events, relations. */
void weir_compiler_make_events (WeirCompiler *self);

G_END_DECLS
