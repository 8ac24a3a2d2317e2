/* A system of equations, made from text: what its names are, which unknown each equation
 * determines, and in which order they are computed.
 *
 * Names get their roles from use: what D is taken of is a state (a derivative of higher order
 * adds states D(x), ...), what is declared is a parameter, constant or input, what an event or
 * an equation in k sets is discrete, and every other name is an unknown that the equations must
 * determine. The result does not depend on the order of the lines.
 *
 * Codes: EQ01 text that cannot be read, EQ02 unknown name, EQ03 too many or too few equations,
 * EQ04 defined twice, EQ05 singular or of higher index, EQ06 units, EQ07 sizes, EQ08 events,
 * EQ10 what is extended is missing, no text of equations, or extends itself, EQ11 1/0 and the like,
 * EQ09 a problem of another kind (optimisation, boundary values, time where there is none), PAR01
 * cyclic parameters, PAR07 a declared name without a value, INI01 no solution at the start, INI02
 * too many or too few conditions at the start, INI03 initial value or guess missing.
 *
 * Thread: made by one thread (*owner*), then *immutable*.
 */
#pragma once

#include "equations/array.h"
#include "numerics/band.h"
#include "equations/simplify.h"
#include "equations/surroundings.h"

G_BEGIN_DECLS

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
                        something - symbol, and it changes where this passes 1 too */
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
  char *message;
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
  guint n_surplus;        /* conditions at the start beyond what is needed, which agree */
} WeirEquations;

/* NULL if there are errors; all of them, and warnings, are reported. (transfer full) */
WeirEquations *weir_equations_new (const char *text, const WeirReport *report);
/* The same of a text that is somewhere. @around: may be NULL. */
WeirEquations *weir_equations_new_within (const char *text, WeirSurroundings *around,
                                          const WeirReport *report);
void weir_equations_free (WeirEquations *self);

/* NULL if there is none. (transfer none) */
const WeirVariable *weir_equations_find (const WeirEquations *self, const char *name);

/* The table of compiled equations for people, one line each with a heading: variable, role, unit,
 * line that determines it, order of computation, group that is solved together. Makes expressions,
 * like the next two. (transfer full) */
char *weir_equations_to_table (const WeirEquations *self);
/* The compiled equations in their order, with explicit values substituted: what the derivatives and
 * outputs are in states, inputs and parameters. (transfer full) */
char *weir_equations_to_full (const WeirEquations *self);
/* The table of values at the start: given, guess, solved, residual, the line that determines it;
 * and whether the conditions are enough, too few or too many. (transfer full) */
char *weir_equations_to_start_table (const WeirEquations *self);
/* left - right of every start, at the values found. (transfer full) */
double *weir_equations_dup_start_residuals (const WeirEquations *self);
/* Equations without time can be solved once and for all. FALSE after reporting each D, t, when, k
 * that these have (EQ09). */
gboolean weir_equations_check_timeless (const WeirEquations *self, const WeirReport *report);

/* Do two texts differ in the numbers of parameters alone, line by line? */
gboolean weir_equations_differ_in_values (const char *a, const char *b);

/* @text with a line that declares @name, as an answer to EQ02. @role: input or parameter.
 * (transfer full) */
char *weir_equations_declare (const char *text, const char *name, WeirRole role);

/* @text with another value for the parameter or constant @name, everything else as it was written.
 * @value: as it is to stand there. "Initial(x)" and "Guess(x)" are the initial condition and the
 * guess of x; where there is none of just that, one is added that wins over others. NULL if the
 * text declares no such name. (transfer full) */
char *weir_equations_assign (const char *text, const char *name, const char *value);

/* @text, which extends others, with a declaration of a parameter or constant (@role) that takes the
 * place of theirs; unit and sizes stay. (transfer full) */
char *weir_equations_redeclare (const char *text, const char *name, WeirRole role,
                                const char *value);

/* @text with a line that wins over what it says of "Initial(x)" or "Guess(x)". NULL if @name is
 * neither. @is_outside: messages say that the line is not of the text. (transfer full) */
char *weir_equations_override (const char *text, const char *name, const char *value,
                               gboolean is_outside);

/* A value that has a name and is no parameter. */
typedef enum {
  WEIR_EQUATION_DISCRETE, /* changes at events and ticks */
  WEIR_EQUATION_INITIAL,  /* hidden: "Initial(x)", "Initial(D(x))" */
} WeirEquationValueKind;

typedef struct {
  char *name;
  WeirEquationValueKind kind;
  guint size;
  double *value; /* NAN: an element for which nothing is given */
  char *unit;    /* or NULL */
} WeirEquationValue;

/* Every discrete variable by name; and the initial values, as a whole for each
 * array, of every state and unknown and of the first derivative of each, of every discrete variable
 * and bound parameter. Makes expressions. (transfer full), of WeirEquationValue */
GArray *weir_equations_list_values (const WeirEquations *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEquations, weir_equations_free)

G_END_DECLS
