/* A part of a physical network: a text with pins, parameters and equations (data/parts).
 *
 * A part is read once, to a template: what it contributes to the equations of its network is its
 * lines, with its own names put behind the path of the block, and with the potentials and flows of
 * its pins put in. A file holds parts one after the other:
 *
 *     group "Electrical"
 *     part Resistor "Resistor" R          # the type, its title, how blocks of it are called
 *       help "..."                        # a sentence
 *       pin p: electrical left
 *       pin n: electrical right
 *       through i: p -> n                 # what flows in at p and out at n
 *       across v: p - n                   # the potential at p less that at n
 *       parameter R = 1000 "ohm"          # Resistance: what it is.
 *       v ~ R*i
 *
 * A file may declare domains of its own, before the parts that have pins of them: a name, the
 * potential and the flow, each with its unit:
 *
 *     domain acoustic: p "Pa", q "m^3/s"
 *
 * `reference p` makes the potential at p zero, `equal a b` those at a and b one. `start x0 = 0` is
 * a number that shapes the start, and `constant n = 2` one that shapes the equations, or, as
 * `constant times = [0, 1]`, a list: neither changes while a run goes on. A parameter may have a
 * least value: `parameter R >= 0 = 1000`, `parameter R > 0 = 1000`. Behind its unit stands what it
 * is called where it surrounds the block: `parameter g = 9.80665 "m/s^2" outer gravity` is the
 * value of gravity that a Subsystem around the block or the model gives, unless the block says
 * another. `carries a rho` says that rho is of what flows through the pin a: all parts that it
 * fills have the same. `input u` and `output y` are signals. Every other line is one of the
 * equation language, in which p.v and p.i are the potential at pin p and what flows into it.
 *
 * `option heated` is yes or no, no by itself, and `count n = 3` a whole number from 1 on; they
 * stand before what they shape. `if heated: LINE` and `if not heated: LINE` are there or not, and
 * `for k in 1:n: LINE` once for each number: `pin p[k]: electrical left` declares the pins p1, p2
 * and p3. `sum(i)` and `sum(p.i)` are those of all elements.
 *
 * An Equations block is a part too where its text declares pins: `pin p: electrical`, and what else
 * only parts have. What an option and a count are to these are constants of the text there.
 *
 * Thread: *any*, immutable.
 */
#pragma once

#include "blocks/types/block-type.h"
#include "equations/expressions/report.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_PIECE_LITERAL,
  WEIR_PIECE_OWN,       /* a name of the part's own: a variable, a parameter, a signal, a through */
  WEIR_PIECE_POTENTIAL, /* at a pin */
  WEIR_PIECE_RATE,      /* the derivative of the potential at a pin */
  WEIR_PIECE_FLOW,      /* into a pin */
  WEIR_PIECE_ACROSS,    /* the difference of an across, where nothing keeps it as a value */
  WEIR_PIECE_VALUE,     /* the number of a parameter that is no value of the equations */
} WeirPieceKind;

typedef struct {
  WeirPieceKind kind;
  const char *text; /* LITERAL, OWN */
  guint index;      /* of the pin, the across or the parameter */
} WeirPiece;

/* What flows from one pin to another, or into a part by a single one. */
typedef struct {
  const char *name;
  guint from, to;   /* pins; WEIR_NO_PIN = none */
  gboolean is_kept; /* it is differentiated */
} WeirThrough;

typedef struct {
  const char *name;
  guint from, to;
  gboolean is_kept; /* it is differentiated: a value of its own */
} WeirAcross;

#define WEIR_NO_PIN G_MAXUINT

/* What a part does between two pins, or between one and the reference, whatever else there is: this
 * tells which networks make no sense. `fixes p n`, `drives p`, `stores p n v0`, `joins p n`; and
 * what it must have in common with others, `carries a rho`. */
typedef enum {
  WEIR_ROLE_FIXES,   /* the difference of potentials is given */
  WEIR_ROLE_DRIVES,  /* the flow is given; that of a sensor is zero */
  WEIR_ROLE_STORES,  /* the difference of potentials is a state */
  WEIR_ROLE_JOINS,   /* the difference vanishes at times, without any resistance */
  WEIR_ROLE_CARRIES, /* a parameter is of the fluid at the pin @from */
} WeirPartRoleKind;

typedef struct {
  WeirPartRoleKind kind;
  guint from, to;    /* pins; @to may be WEIR_NO_PIN */
  const char *start; /* STORES, CARRIES: the parameter; NULL: @value */
  const char *name;  /* of that */
  double value;
} WeirPartRole;

typedef struct {
  const char *name, *unit;
} WeirPartName;

struct _WeirPartType {
  WeirBlockType type;
  const char *name;   /* as the text calls it; that of the type has the digest besides where the
                         part is not built in */
  const char *text;   /* of it alone, with its group and the domains it needs */
  const char *digest; /* of what it computes, but for titles, help and defaults; 16 digits */
  const char *prefix; /* of the names of blocks: "R" */
  guint reference;    /* pin; or WEIR_NO_PIN */
  guint equal[2];     /* pins with one potential; or WEIR_NO_PIN */
  GArray *pins;       /* of WeirPinSpec */
  GArray *throughs;   /* of WeirThrough */
  GArray *acrosses;   /* of WeirAcross */
  GArray *roles;      /* of WeirPartRole */
  GArray *parameters; /* of WeirParameterSpec */
  GArray *inputs;     /* of WeirPartName */
  GArray *outputs;
  GArray *variables;
  GPtrArray *lines;   /* of GArray of WeirPiece */
  GPtrArray *absent;  /* of const char: pins that it has not got, but would have otherwise */
  gboolean is_shaped; /* what it has depends on options and counts; this is it by default */
  gboolean declares;  /* its lines declare its parameters and signals */
  char *problem;      /* why its options and counts make no sense; NULL: they do */
};

/* The part that a block with these arguments is; NULL: it is none. (transfer none), of them */
const WeirPartType *weir_arguments_get_part (const WeirArguments *self);

/* The parts of a text, in its order. @file: as messages name it, or NULL. NULL and @error, with the
 * line, if it cannot be read. (transfer full), of WeirPartType, owned by whoever keeps
 * them for good */
GPtrArray *weir_parts_parse (const char *text, const char *file, GError **error);

/* Does a text of equations declare a pin? */
gboolean weir_equations_have_pins (const char *text);

/* What the value of a constant or a parameter is; FALSE: there is none of that name. */
typedef gboolean (*WeirFindNumberFunc) (const char *name, double *number, gpointer data);

/* The part that a text of equations makes of its block, with the lines that could be read; what is
 * wrong with others is reported (EQ01). @rest: (out) (transfer full) the text without what only
 * parts have, with the same lines. (transfer full) */
WeirPartType *weir_part_type_new_of_equations (const char *text, WeirFindNumberFunc find,
                                               gpointer data, const WeirReport *report,
                                               char **rest);

/* Of one that nobody has seen. */
void weir_part_type_free (WeirPartType *self);

/* What a text like 'acoustic: p "Pa", q "m^3/s"' declares; NULL if it is not written so. (transfer
 * none) */
const WeirDomain *weir_domain_parse (const char *text);
/* What that declares again. (transfer full) */
char *weir_domain_dup_text (const WeirDomain *self);
#define WEIR_DOMAIN_DECLARED "declared" /* what a Pin block's domain is by its declaration */
/* What a Pin block insists on; NULL: nothing. (transfer none) */
const WeirDomain *weir_arguments_get_domain (const WeirArguments *self);

/* The domain that a text declares: equal declarations are one domain. (transfer none) */
const WeirDomain *weir_domain_declare (const WeirDomain *domain);

/* Those that are built in. (transfer none) */
const GPtrArray *weir_parts_list (void);

/* The names of what can be looked at of a part, what it is there for first: what lies across it,
 * its variables, what flows through it, the potentials at its pins. (transfer full), of char */
GPtrArray *weir_part_type_list_values (const WeirPartType *self);

/* Does an array of WeirPartName have the name? */
gboolean weir_part_names_have (const GArray *names, const char *name);

G_END_DECLS
