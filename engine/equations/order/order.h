/* The second step: which unknown each equation determines, in which order they are computed
 * (order.c), what is differentiated for that (index.c), what is solved together (block.c,
 * narrow.c), and what is wrong where that does not come out even (imbalance.c).
 */
#pragma once

#include "equations/builder/builder.h"
#include "equations/order/structure.h"

G_BEGIN_DECLS

/* Scalar equations to blocks. */
void weir_builder_order (WeirEquationsBuilder *self);
void weir_builder_find_incidence (const WeirEquationsBuilder *self, const GArray *equations,
                                  const GArray *unknowns, WeirIncidence *incidence);
/* What @atom is by @equation, where that is linear in it. FALSE if it is not, or lacks it. */
gboolean weir_builder_solve_for (WeirExprPool *pool, const WeirScalarEquation *equation,
                                 WeirExpr atom, WeirExpr *value);

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

/* --- Within the step -------------------------------------------------------------------------- */

/* Replaces relations that can change in the course of time, in a copy of @equations and in what the
 * events look at, by symbols; lists them and the kinks. (transfer full) */
GArray *weir_builder_extract_relations (WeirEquationsBuilder *self, const GArray *equations);
/* Puts (symbol times w) for keep (w) in @equations, where there is any: then TRUE. */
gboolean weir_builder_mark_kept (WeirEquationsBuilder *self, GArray *equations);
/* Once all is ordered: what makes the states jump where something begins to be kept. @equations: as
 * they were marked. */
void weir_builder_add_restarts (WeirEquationsBuilder *self, const GArray *equations);
/* The Jacobian of residuals that are there, and what follows from it. */
void weir_equation_block_differentiate (WeirExprPool *pool, WeirEquationBlock *block);
/* One of @n unknowns that has nothing else yet. (transfer full) */
WeirEquationBlock *weir_equation_block_new (guint n);
/* Differentiates constraints among states until all unknowns are determined. FALSE if that does not
 * help; then nothing was changed. */
gboolean weir_builder_reduce_index (WeirEquationsBuilder *self, GArray *equations,
                                    const GArray *unknowns);
/* Puts equations and unknowns in an order in which the Jacobian is a narrow band, if there is one
 * that is narrower. @matched: the place of the unknown that each equation is matched to. @rows: of
 * the equation at each new place, the old one. */
void weir_equation_block_narrow (WeirEquationBlock *block, const guint *matched, guint *rows);
/* Says why a matching of @n_pairs leaves equations or unknowns over. */
void weir_builder_report_imbalance (WeirEquationsBuilder *self, const GArray *equations,
                                    const GArray *unknowns, const WeirIncidence *incidence,
                                    const guint *unknown_of, const guint *equation_of,
                                    guint n_pairs);

G_END_DECLS
