/* The Equations block: text to a leaf system.
 *
 * The system's values are computed by programs that lie, flat, in the leaf's data (execute.c);
 * which programs there are, what each reads and what it therefore depends on is decided once
 * (compile.c).
 */
#pragma once

#include "blocks/equations/build.h"
#include "blocks/types/family.h"
#include "equations/compile/equations.h"
#include "equations/programs/program.h"
#include "numerics/newton.h"
#include "system/structure/listing.h"

G_BEGIN_DECLS

/* Where an operand of a program comes from. */
typedef enum {
  WEIR_OPERAND_TIME,
  WEIR_OPERAND_ACCURACY,
  WEIR_OPERAND_STATE,
  WEIR_OPERAND_INPUT,
  WEIR_OPERAND_PARAMETER,
  WEIR_OPERAND_DISCRETE,
  WEIR_OPERAND_CACHED,
  WEIR_OPERAND_OWN, /* computed before by the same computation */
} WeirOperandKind;

typedef struct {
  guint32 kind;
  guint32 index; /* of the input, parameter, group or cache entry */
  guint32 element;
} WeirOperand;

typedef enum {
  WEIR_PART_EXPLICIT,  /* the outputs are the values */
  WEIR_PART_SOLVED,    /* the outputs are residuals, then entries of the Jacobian, then exponents */
  WEIR_PART_ASSERTED,  /* the output must not be 0 */
  WEIR_PART_ASSIGNED,  /* the outputs go to states and discrete variables, where the event is met */
  WEIR_PART_PROJECTED, /* the outputs are invariants, then entries of their Jacobian by the states:
                          these are moved as little as makes the invariants vanish */
  WEIR_PART_DECIDED,   /* relations: what is said by the signs of a cached value */
  WEIR_PART_DELAYED, /* the outputs are the times ago, if they change, at which a past is read; the
                        next parts are BEFORE and, if they change, NOW */
  WEIR_PART_BEFORE, /* only there: the outputs are what was before the start, at the time that comes
                       first among the inputs; rows: of guint32: is there a history? */
  WEIR_PART_NOW,    /* behind that: the outputs are the values now, where nothing need be solved for
                       them; rows of DELAYED and NEAREST: of guint32: is that so? */
  WEIR_PART_NEAREST, /* the same times: how far what is read is from the nearest break of a past */
  WEIR_PART_KEPT,    /* the outputs are added to a past */
  WEIR_PART_SLOPES,  /* the outputs are derivatives; one that is no number is not known */
} WeirPartKind;

/* One step of a computation. All offsets are bytes from the start of the data. */
typedef struct {
  guint32 kind;
  guint32 program;
  guint32 operands; /* of WeirOperand, one for each input of the program; a solved part's unknowns
                       come first and have none */
  guint32 n_operands;
  /* DECIDED: the cache entry of the differences */
  guint32 first;         /* where its values go in the computation's result; of EXPLICIT and SOLVED.
                    ASSIGNED: the element of the witness; G_MAXUINT32 = always. DECIDED: 0 at the
                    start */
  guint32 n;             /* values */
  guint32 lines;         /* of guint32: the lines of the text, one for each value */
  guint32 rows, columns; /* SOLVED: of guint32: place of each Jacobian entry. ASSIGNED: rows: of
                            WeirOperand: the targets. DECIDED: rows: of guint32: the WeirOps */
  guint32 guess;         /* SOLVED: of double. BEFORE: of double: the values at the start */
  guint32 start;       /* SOLVED: the discrete group in which the search begins, as the entry lies;
                          G_MAXUINT32: at the guess */
  guint32 n_exponents; /* SOLVED: they and their weights are the last of the outputs */
  guint32 exponent_rows; /* SOLVED: of guint32 */
  guint32 lower, upper;  /* SOLVED: the band of the Jacobian. PROJECTED: that of it times its
                            transpose */
  guint32 past;          /* DELAYED, NEAREST, KEPT: its number */
  guint32 is_linear;
  guint32 text; /* ASSERTED: the message, 0: of a jump; SOLVED: "x and y", then the names of the
                            unknowns (of many the first), the last is empty;
                            ASSIGNED: those of the targets, one after the other */
} WeirPart;

typedef struct {
  guint32 parts; /* of WeirPart */
  guint32 n_parts;
} WeirComputation;

/* Values that are delayed together. */
typedef struct {
  WeirPast past;
  guint32 group;    /* the discrete group that keeps it */
  guint32 is_fixed; /* all are read just past.delay ago */
} WeirEquationsPast;

/* The data of the leaf: this, then what its offsets name. */
typedef struct {
  guint32 entries; /* of WeirComputation, one for each entry in the order of declaration */
  guint32 n_entries;
  guint32 events; /* the same for the leaf's events */
  guint32 n_events;
  guint32 pasts; /* of WeirEquationsPast */
  guint32 n_pasts;
  guint32 extended; /* the paths of the texts that are extended, one after the other */
  guint32 n_extended;
  guint32 places; /* of guint32: the text of what each line is of, from line 1 */
  guint32 n_places;
  guint32 phases; /* of WeirComputation, one, where the leaf has phases */
  guint32 filler;
} WeirEquationsData;

WeirStatus weir_equations_calc (const WeirCalc *c, double *out);
WeirStatus weir_equations_assign_values (const WeirCalc *c, gint64 n, WeirNextState *next);
WeirStatus weir_equations_decide (const WeirCalc *c, gint64 n, double *next);
WeirStatus weir_equations_update (const WeirCalc *c, gint64 n, double *next);
WeirStatus weir_equations_keep (const WeirCalc *c, gint64 n, double *past);
WeirStatus weir_equations_find_short_step (const WeirCalc *c, double after, double *time);
WeirStatus weir_equations_find_row (const WeirCalc *c, double after, double *time);
WeirStatus weir_equations_find_break (const WeirCalc *c, double after, double *time);

/* The variables that are output ports, in order. (transfer container) */
GPtrArray *weir_equations_list_outputs (const WeirEquations *equations);

/* --- Block types made of equations ----------------------------------------------------------- */

/* equations.c: what all of them do. */
void weir_equations_list_inputs (const WeirArguments *arguments, GArray *ports);
void weir_equations_list_outputs_of (const WeirArguments *arguments, GArray *ports);
WeirSystem *weir_equations_build_block (const WeirArguments *arguments, const guint *sizes,
                                        GError **error);
void weir_equations_check_block (const WeirArguments *arguments, WeirDiagnostics *diagnostics,
                                 const char *path, guint32 block, int line);
/* Of types whose texts may take names from around them. */
char **weir_equations_list_open_names (const WeirArguments *arguments);
void weir_equations_visit_values (const WeirArguments *arguments, WeirNamedValueFunc visit,
                                  gpointer data);
char *weir_equations_describe_block (const WeirArguments *arguments, WeirDescription what);

/* --- Running --------------------------------------------------------------------------------- */

/* What the files share that run the programs of an Equations block: execute.c its values,
 * execute-delays.c its past, execute-events.c what happens to it. Thread: *owner*.
 */

/* What the leaf's data hold at an offset. */
static inline gconstpointer
weir_equations_at (const WeirEquationsData *data, guint32 offset)
{
  return (const char *) data + offset;
}

/* Of the computations there, the one that is under way. */
static inline const WeirComputation *
weir_equations_get_computation (const WeirCalc *c, const WeirEquationsData *data,
                                guint32 computations)
{
  return (const WeirComputation *) weir_equations_at (data, computations) + weir_calc_get_index (c);
}

/* Room for @size values, this thread's own; what it held is lost. */
double *weir_equations_get_scratch (const WeirCalc *c, gsize size);

/* As weir_calc_fail_element(); G_MAXUINT: none in particular. Lines of other texts are told by
 * their names. */
WeirStatus weir_equations_fail (const WeirCalc *c, const WeirEquationsData *data, guint element,
                                const char *format, ...) G_GNUC_PRINTF (4, 5);
/* An assertion does not hold. */
WeirStatus weir_equations_fail_asserted (const WeirCalc *c, const WeirEquationsData *data,
                                         const WeirPart *part);
/* Unknowns that are not found from @first, the first of them, on: the equation of number @worst is
 * off by @off there. @holds: which is nothing. */
WeirStatus weir_equations_fail_unsolved (const WeirCalc *c, const WeirEquationsData *data,
                                         const WeirPart *part, WeirNewtonOutcome outcome,
                                         double first, guint worst, double off, gboolean holds);
/* Of a network whose equations are dependent at the moment: the parts, in words of who draws them.
 */
WeirStatus weir_equations_fail_undetermined (const WeirCalc *c, const WeirEquationsData *data,
                                             const WeirPart *part);

/* Reads operands. @own: the results of the computation so far, or NULL. */
void weir_equations_gather (const WeirCalc *c, const WeirOperand *operands, guint n,
                            const double *own, double *in);
/* Events declare nothing: what they read may still have to be computed, which needs the scratch
 * itself. To be called before it is taken. */
void weir_equations_evaluate (const WeirCalc *c, const WeirOperand *operands, guint n);
/* native.c: runs @part, whose values go to @own behind its first, as code made at run time. FALSE:
 * there is none, or it gave what is not finite and the program is to say why. */
gboolean weir_equations_run_native (const WeirCalc *c, const WeirEquationsData *data,
                                    const WeirPart *part, double *own);
/* WeirListFunc of the leaf's entries. */
gboolean weir_equations_list (WeirListing *listing);
/* The same of what is solved: code that gives its program's outputs from its inputs; NULL: none. */
typedef void (*WeirEquationsSolved) (const double *in, const double *out, const double *nothing,
                                     const double *nothing_too, const double *const *bases);
WeirEquationsSolved weir_equations_find_native (const WeirCalc *c, const WeirEquationsData *data,
                                                const WeirPart *part);
/* Values that are no numbers although everything read is: says where they arise. */
WeirStatus weir_equations_check_values (const WeirCalc *c, const WeirEquationsData *data,
                                        const WeirPart *part, const double *in,
                                        const double *values, double *work);

/* The values of the delayed @part and of what is before the start, which follows it, into @own. */
WeirStatus weir_equations_execute_delayed (const WeirCalc *c, const WeirEquationsData *data,
                                           const WeirPart *part, double *own);

G_END_DECLS
