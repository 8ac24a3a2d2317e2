/* What the parts of the last step share: the equations that hold at the start and their order
 * (initial-order.c), solving them (initial-solve.c), what comes of it (initial.c).
 */
#pragma once

#include "equations/order/order.h"
#include "equations/programs/program.h"

G_BEGIN_DECLS

typedef struct {
  double value;
  int line;             /* of the equation that it comes from, or 0 */
  gboolean is_doubtful; /* depends on an input that is not known yet */
} WeirStartValue;

typedef struct {
  WeirEquationsBuilder *builder;
  GHashTable *starts;         /* atom + 1 to WeirStartValue, owned */
  GHashTable *guesses;        /* atom + 1 to double, owned */
  GPtrArray *overridden;      /* of WeirScalarEquation: guesses that won over others */
  GArray *surplus;            /* of WeirScalarEquation: conditions beyond what is needed */
  WeirMessage *surplus_names; /* what they are about, or NULL */
  int surplus_line;
  const WeirVariable *parameter; /* that one of the conditions that are too many is about */
} WeirInitialisation;

/* Outputs computed from atoms: the first @n_unknowns inputs are unknowns, the others known. */
typedef struct {
  WeirProgram *program;
  GArray *atoms;
  double *in;
  double *work;
  double *out;
  guint n_unknowns;
  const WeirEquationBlock *block;
  gboolean is_doubtful;
  gboolean is_missing; /* an atom has no value */
} WeirEvaluation;

void weir_initialisation_set_start (WeirInitialisation *self, WeirExpr atom, double value, int line,
                                    gboolean is_doubtful);
/* NULL: not known yet. */
const WeirStartValue *weir_initialisation_get_start (const WeirInitialisation *self, WeirExpr atom);
void weir_initialisation_set_guess (WeirInitialisation *self, WeirExpr atom, double value);
/* FALSE: there is none, and @value is 0. */
gboolean weir_initialisation_get_guess (const WeirInitialisation *self, WeirExpr atom,
                                        double *value);

/* @outputs from the values at the start that are known and @unknowns, which are set in "in". */
void weir_evaluation_init (WeirEvaluation *self, WeirInitialisation *initialisation,
                           const WeirExpr *outputs, guint n_outputs, const WeirExpr *unknowns,
                           guint n_unknowns);
void weir_evaluation_clear (WeirEvaluation *self);

/* Appends the blocks of the system at the start, in the order in which they can be solved. */
void weir_initialisation_order (WeirInitialisation *self, GPtrArray *blocks);
void weir_initialisation_solve_block (WeirInitialisation *self, WeirEquationBlock *block);
/* Conditions beyond what is needed must agree with what was found from the others. */
void weir_initialisation_check_surplus (WeirInitialisation *self);

/* Of the system at the start: derivatives of unknowns that initial conditions read, and the
 * equations that determine them. */
void weir_builder_add_start_rates (WeirEquationsBuilder *self, GArray *equations, GArray *unknowns);
/* Values at the start. */
void weir_builder_initialise (WeirEquationsBuilder *self);

G_END_DECLS
