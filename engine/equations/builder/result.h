/* A system of equations as it was made from text: names, states, blocks in their order, events,
 * values at the start. equations.h makes it.
 *
 * Thread: made by one thread (*owner*), then *immutable*.
 */
#pragma once

#include "equations/builder/array.h"
#include "equations/expressions/simplify.h"
#include "numerics/band.h"

G_BEGIN_DECLS

/* The name of the run's accuracy in expressions; no text can spell it. */
#define WEIR_ACCURACY_SYMBOL "(accuracy)"

typedef enum {
  WEIR_ROLE_STATE,    /* D(x) is determined */
  WEIR_ROLE_UNKNOWN,  /* x is determined */
  WEIR_ROLE_DISCRETE, /* x changes at events and ticks only */
  WEIR_ROLE_INPUT,
  WEIR_ROLE_PARAMETER, /* a number, or bound: computed from other parameters */
  WEIR_ROLE_CONSTANT,  /* a number that stands in the expressions */
  WEIR_ROLE_BROWNIAN,
  WEIR_ROLE_DELAYED, /* what something was some time ago */
} WeirRole;

const char *weir_role_get_name (WeirRole role);
/* "a parameter", "an input"; translated in sentences (base/phrase.h). */
const char *weir_role_describe (WeirRole role);

/* A name, with all its elements. */
typedef struct {
  char *name;
  WeirRole role;
  WeirShape shape;
  guint size;         /* elements */
  WeirExpr *elements; /* their symbols */
  int line;           /* where it is declared or first used */
  gboolean is_output;
  gboolean is_bound;  /* a parameter that others determine */
  gboolean is_hidden; /* made by the language itself; no port shows it */
  gboolean is_solved; /* a parameter that the conditions at the start determine */
  guint order;        /* of a state: how often D is taken of it */
  guint depth;        /* of a discrete variable in k: how many past values are read */
  gboolean has_past;  /* of one in k: x(k-1) or one before is read */
  char *unit;         /* or NULL */
  char *origin;       /* where its value was found outside of the text, "plant.k"; or NULL */
  double *value; /* of the elements: value of a free parameter or constant, default of an input,
                          value of anything else at the start. NULL = an input without default */
} WeirVariable;

/* One state, in the order of the state vector. */
typedef struct {
  WeirExpr atom; /* x, D(x), ... */
  WeirExpr rate; /* what its derivative is called: D(x), D(D(x)), ... */
  guint variable, element, order;
  double initial;
} WeirState;

/* Equations that are solved together: one unknown and its value, or several at once. */
typedef struct {
  guint n;
  WeirExpr *unknowns; /* atoms */
  int *lines;         /* of the equations */
  WeirExpr value;     /* of the one unknown; WEIR_NO_EXPR: the residuals are to vanish */
  WeirExpr *residuals;
  WeirJacobian *jacobian; /* of the residuals by the unknowns */
  WeirBand band;          /* where its entries are */
  gboolean is_linear;     /* the Jacobian does not depend on the unknowns */
  guint n_exponents;   /* of the residuals' exponentials, where they are linear in the unknowns */
  WeirExpr *exponents; /* they, then their weights (numerics/newton.h) */
  guint32 *exponent_rows; /* of which residual each is */
  double *guess;          /* where the solution is sought first */
  guint n_group; /* unknowns of the group that this was torn out of; 0 = it is the whole group */
  guint place;   /* 0: what iterates for the group; else which of those that follow from it */
} WeirEquationBlock;

typedef enum {
  WEIR_EVENT_RISING, /* expression becomes positive: it passes or leaves 0 upwards */
  WEIR_EVENT_FALLING,
  WEIR_EVENT_EITHER, /* passes 0; leaving it does not count */
  WEIR_EVENT_PERIODIC,
  WEIR_EVENT_JUMP, /* at random; only until it is made of the others */
} WeirEventKind;

typedef struct {
  WeirExpr target; /* the symbol of a discrete variable or a state */
  WeirExpr value;
  int line;
} WeirAssignment;

typedef struct {
  WeirEventKind kind;
  WeirExpr crossing;     /* what passes 0 */
  double period, offset; /* of a periodic one, s */
  GArray *assignments;   /* of WeirAssignment, each after those whose new values it reads */
  int line;
} WeirEvent;

/* A relation that holds between events as declared state, 1 or 0; or the whole number that
 * something lies above. */
typedef struct {
  WeirExpr symbol; /* stands for it in the blocks; named like its text */
  WeirExpr value;  /* "left op right", as it was written; floor (something), or as it was written */
  WeirExpr crossing; /* left - right: where this passes 0 the relation changes. Of a whole number:
                        something - symbol */
  WeirExpr beyond;   /* of a whole number: something - (symbol + 1), whose sign is exact where that
                        of the other less 1 is rounded away; it changes where this passes 0 too */
  WeirOp op;         /* LT, LE, GT or GE; FLOOR: a whole number */
  double initial;
} WeirRelation;

/* delay (value, time): what @value was @time ago. */
typedef struct {
  WeirExpr symbol;  /* stands for it everywhere; named like its text */
  WeirExpr written; /* the delay (value, time) itself */
  WeirExpr value;
  WeirExpr time;    /* s */
  double longest;   /* s; of a number, that number */
  WeirExpr history; /* of "t": before the start; WEIR_NO_EXPR: what @value was then */
  guint variable;   /* that it is */
  int line;
} WeirDelay;

/* Vanishes at all times, by the equations; kept so against drift. */
typedef struct {
  WeirExpr residual;
  int line;
} WeirInvariant;

typedef struct {
  WeirExpr condition; /* must hold */
  char *message;      /* NULL: that the rate of a jump is not negative */
  int line;
} WeirAssertion;

/* How a value at the start came about. */
typedef struct {
  WeirExpr atom;        /* x, D(x), ... */
  WeirExpr left, right; /* of the equation or condition that determines it */
  int line;             /* of that; 0 = its default */
  guint n_together;     /* solved with so many, itself included */
  gboolean is_given;    /* by "initial atom = right" */
  gboolean has_own, has_own_guess;
  WeirExpr own, own_guess; /* what an override won over, where there was anything */
  gboolean is_guessed;
  double guess, value;
} WeirStart;

typedef struct {
  WeirExprPool *pool;
  GPtrArray *variables;   /* of WeirVariable, in the order of declaration or name */
  GArray *states;         /* of WeirState, ordered by name */
  GPtrArray *blocks;      /* of WeirEquationBlock, in the order of computation */
  GPtrArray *tick_blocks; /* the same for what equations in k determine: unknowns x(k) */
  double period, offset;  /* of the ticks; 0 = there are none */
  GPtrArray *events;      /* of WeirEvent */
  GArray *relations;      /* of WeirRelation */
  GArray *delays;         /* of WeirDelay, by name */
  GArray *kinks;          /* of WeirExpr: what passes 0 where a value has a jump or a bend */
  GArray *invariants;     /* of WeirInvariant: constraints among states */
  GPtrArray *assertions;  /* of WeirAssertion */
  GArray *starts;         /* of WeirStart, by name */
  char **extended;        /* paths of the texts that this one extends, NULL-terminated, or NULL */
  char **places;          /* what each line is of, where that tells more than its number, from line
                             1, NULL-terminated; or NULL */
  gboolean has_restarts;  /* events read WEIR_ACCURACY_SYMBOL */
  guint n_surplus;        /* conditions at the start beyond what is needed, which agree */
  GHashTable *aliases;    /* other names of variables to theirs, owned; NULL = none */
} WeirEquations;

/* Empty, to be filled. (transfer full) */
WeirEquations *weir_equations_alloc (void);
void weir_equations_free (WeirEquations *self);
void weir_equation_block_free (WeirEquationBlock *block);

/* NULL if there is none. (transfer none) */
const WeirVariable *weir_equations_find (const WeirEquations *self, const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEquations, weir_equations_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEquationBlock, weir_equation_block_free)

G_END_DECLS
