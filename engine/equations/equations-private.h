/* Making a system of equations, in steps: names and scalar equations (declare.c), order (order.c,
 * imbalance.c, block.c, tear.c),
 * values at the start (initial.c). Everything here lives during one weir_equations_new().
 */
#pragma once

#include "base/random.h"
#include "equations/equations.h"
#include "equations/structure.h"

G_BEGIN_DECLS

/* A scalar equation. */
typedef struct {
  WeirExpr left, right;
  int line;
  gboolean is_binding; /* of a parameter */
  gboolean is_default; /* added for a state that has no initial value */
  gboolean is_initial; /* a condition at the start */
  gboolean is_override, has_own;
  WeirExpr own; /* of an override that has: the right side that it won over */
} WeirScalarEquation;

/* A scalar unknown of a system to be ordered. */
typedef struct {
  WeirExpr atom;
  guint variable;
} WeirUnknown;

typedef struct {
  WeirExprPool *pool;
  const WeirReport *report;
  WeirEquations *result;
  const WeirSurroundings *around; /* or NULL */
  GPtrArray *statements;          /* of WeirStatement, owned */
  GHashTable *by_name;            /* name to WeirVariable */
  GHashTable *by_atom;            /* symbol + 1 to index of its variable + 1 */
  GHashTable *derived;            /* set of symbols + 1 that stand for delays and relations */
  GHashTable *units;              /* name to WeirUnit, owned; NULL before units are checked */
  WeirExpander expander;

  GArray *equations;      /* of WeirScalarEquation: continuous */
  GArray *tick_equations; /* in k */
  GArray *initials;       /* at the start */
  GArray *guesses;
  GArray *histories; /* before the start */
  GHashTable
      *guessed; /* set of atoms + 1 that have a guess, parameters to be solved for included */
  GArray
      *reduced; /* of WeirScalarEquation: derivatives of constraints, which hold at the start too */
  double noise_step; /* s; 0 = none was given */
  guint64 seed;
  guint64 n_parts;          /* of the scalar equations' right sides */
  GHashTable *declarations; /* name and kind to WeirStatement, borrowed */
  gboolean has_failed;
} WeirEquationsBuilder;

/* Records an error. */
void weir_builder_fail (WeirEquationsBuilder *self, const char *code, int line, const char *format,
                        ...) G_GNUC_PRINTF (4, 5);

/* The variable of an atom: of x, D(x), pre(x), x(k-1). NULL: time, or unknown. */
WeirVariable *weir_builder_find_atom (const WeirEquationsBuilder *self, WeirExpr atom);
/* The symbol of something written as @text. Texts that were cut short may be alike: one that is
 * taken gets @number, which no other has, behind it. */
WeirExpr weir_builder_add_symbol (WeirEquationsBuilder *self, const char *text, guint number);
/* "x[2]", "D(x)" for messages. (transfer full) */
char *weir_builder_dup_name (const WeirEquationsBuilder *self, WeirExpr atom);

/* @own with what it extends in front. Takes @own. (transfer full) */
GPtrArray *weir_builder_extend (WeirEquationsBuilder *self, GPtrArray *own);
/* Adds declarations of what is taken from the surroundings. */
void weir_builder_take_surroundings (WeirEquationsBuilder *self);
/* Notes of names where they were found. */
void weir_builder_note_origins (WeirEquationsBuilder *self);
/* Statements to names and scalar equations. */
void weir_builder_declare (WeirEquationsBuilder *self);
/* Conditions and guesses that win over others take their places, element by element. */
void weir_builder_apply_overrides (WeirEquationsBuilder *self);
/* White noise and jumps to events and discrete variables. */
void weir_builder_lower_noise (WeirEquationsBuilder *self);
/* Delays to symbols that are known at every instant. */
void weir_builder_lower_delays (WeirEquationsBuilder *self);
/* The delay that @symbol stands for; until the next one is added. NULL if it stands for none. */
const WeirDelay *weir_builder_find_delay (const WeirEquationsBuilder *self, WeirExpr symbol);
/* The derivative of what @symbol, a delay by a number of seconds, stands for: the derivative of its
 * value, @rate, as long ago. That is one more delay, whose symbol is put in @rate. */
void weir_builder_derive_delay (WeirEquationsBuilder *self, WeirExpr symbol, WeirExpr *rate);
/* Appends what each delayed value is at the start. */
void weir_builder_add_delayed_starts (const WeirEquationsBuilder *self, GArray *equations);
/* Replaces relations that can change in the course of time, in a copy of @equations and in what the
 * events look at, by symbols; lists them and the kinks. (transfer full) */
GArray *weir_builder_freeze (WeirEquationsBuilder *self, const GArray *equations);
/* Differentiates constraints among states until all unknowns are determined. FALSE if that does not
 * help; then nothing was changed. */
gboolean weir_builder_reduce_index (WeirEquationsBuilder *self, GArray *equations,
                                    const GArray *unknowns);
/* What @atom is by @equation, where that is linear in it. FALSE if it is not, or lacks it. */
gboolean weir_builder_solve_for (WeirExprPool *pool, const WeirScalarEquation *equation,
                                 WeirExpr atom, WeirExpr *value);
/* Scalar equations to blocks. */
void weir_builder_order (WeirEquationsBuilder *self);
/* Of the system at the start: derivatives of unknowns that initial conditions read, and the
 * equations that determine them. */
void weir_builder_add_start_rates (WeirEquationsBuilder *self, GArray *equations, GArray *unknowns);
/* Values at the start. */
void weir_builder_initialise (WeirEquationsBuilder *self);
/* Units of all statements, where any are written: EQ06. Names without a unit get the one that
 * follows from their equations. */
void weir_builder_check_units (WeirEquationsBuilder *self);
/* Of the expander: the numbers of convert(e, unit). */
gboolean weir_builder_convert (gpointer builder, WeirExpr e, const char *unit, int line,
                               double *factor, double *offset);

/* Shared by the last two. */

/* Orders equations and unknowns so that the result does not depend on how they were written. */
void weir_builder_sort_equations (const WeirEquationsBuilder *self, GArray *equations);
void weir_builder_sort_unknowns (const WeirEquationsBuilder *self, GArray *unknowns);
/* Names that are equal but for numbers come in the order of the numbers. */
int weir_name_compare (const char *a, const char *b);

void weir_builder_find_incidence (const WeirEquationsBuilder *self, const GArray *equations,
                                  const GArray *unknowns, WeirIncidence *incidence);
/* Equations that need each other: rows of a system, each matched to an unknown. */
typedef struct {
  const GArray *equations; /* of WeirScalarEquation */
  const GArray *unknowns;  /* of WeirUnknown */
  const guint *unknown_of; /* of each equation */
  const guint *rows;       /* ascending */
  guint n;
} WeirGroup;

/* Appends the blocks that determine the unknowns of a group, or reports that it is singular.
 * @stage: "Model" or "Initialization". */
void weir_builder_add_group (WeirEquationsBuilder *self, const WeirGroup *group, const char *stage,
                             GPtrArray *blocks);
gboolean weir_builder_reads_any (WeirExprPool *pool, WeirExpr e, const WeirExpr *atoms, guint n);
void weir_equation_block_free (WeirEquationBlock *block);
/* Puts equations and unknowns in an order in which the Jacobian is a narrow band, if there is one
 * that is narrower. @matched: the place of the unknown that each equation is matched to. @rows: of
 * the equation at each new place, the old one. */
void weir_equation_block_narrow (WeirEquationBlock *block, const guint *matched, guint *rows);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirEquationBlock, weir_equation_block_free)

/* Says why a matching of @n_pairs leaves equations or unknowns over. */
void weir_builder_report_imbalance (WeirEquationsBuilder *self, const GArray *equations,
                                    const GArray *unknowns, const WeirIncidence *incidence,
                                    const guint *unknown_of, const guint *equation_of,
                                    guint n_pairs);
/* "lines 1 and 3"; "x, y and 7 more". (transfer full) */
char *weir_builder_enumerate_lines (const int *lines, guint n);
char *weir_builder_enumerate_atoms (const WeirEquationsBuilder *self, const WeirExpr *atoms,
                                    guint n);

G_END_DECLS
