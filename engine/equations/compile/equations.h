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

#include "equations/builder/result.h"
#include "equations/builder/surroundings.h"

G_BEGIN_DECLS

/* @around: of a text that is somewhere; or NULL. NULL if there are errors; all of them, and
 * warnings, are reported. (transfer full) */
WeirEquations *weir_equations_new (const char *text, WeirSurroundings *around,
                                   const WeirReport *report);

/* The same of a text whose names are paths, "plant.R1.i": what a network of parts contributes. What
 * stands in such a path and in no name of the language is encoded; the result has it as it was.
 * @around: by encoded paths; or NULL. */
WeirEquations *weir_equations_new_of_parts (const char *text, WeirSurroundings *around,
                                            const WeirReport *report);
char *weir_equations_encode_path (const char *path); /* (transfer full) */
char *weir_equations_decode_path (const char *text); /* (transfer full) */
/* The same of a sentence, which is taken over. (transfer full) */
WeirMessage *weir_equations_decode_message (WeirMessage *message);

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

G_END_DECLS
