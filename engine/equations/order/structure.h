/* The structure of a system of equations: which unknown each equation determines, and in which
 * order.
 *
 * Equations and unknowns are numbers; what matters is which unknowns an equation contains. The
 * results follow from that and from the numbering alone. Thread: *any*.
 */
#pragma once

#include "numerics/rows.h"

G_BEGIN_DECLS

#define WEIR_UNMATCHED G_MAXUINT32

/* The unknowns of equation i: column[first[i]] .. column[first[i + 1] - 1]; preferred ones
 * first. */
typedef struct {
  guint n_equations, n_unknowns;
  GArray *first;  /* of guint; n_equations + 1 */
  GArray *column; /* of guint */
  guint *last_in; /* n_unknowns: the last equation that has it, plus 1 */
} WeirIncidence;

void weir_incidence_init (WeirIncidence *self, guint n_unknowns);
void weir_incidence_clear (WeirIncidence *self);
/* Unknowns of the equation that is being added; a repeated one is taken once. */
void weir_incidence_add (WeirIncidence *self, guint unknown);
void weir_incidence_end_equation (WeirIncidence *self);
/* The equations of each unknown, ascending. (to be cleared) */
void weir_incidence_list_equations (const WeirIncidence *self, WeirRows *equations);

/* A matching with as many pairs as possible: unknown_of[equation] and equation_of[unknown], or
 * WEIR_UNMATCHED. Returns the number of pairs. (Augmenting paths.) The first @n_firm equations
 * come first: the others get no unknown that one of these needs. */
guint weir_incidence_match (const WeirIncidence *self, guint n_firm, guint *unknown_of,
                            guint *equation_of);

/* What cannot be matched and why (Dulmage and Mendelsohn): equations of the part that has too
 * many, and unknowns of the part that has too few equations. Each: an array of flags. */
void weir_incidence_find_surplus (const WeirIncidence *self, const guint *unknown_of,
                                  const guint *equation_of, gboolean *equations,
                                  gboolean *unknowns);
void weir_incidence_find_missing (const WeirIncidence *self, const guint *unknown_of,
                                  const guint *equation_of, gboolean *equations,
                                  gboolean *unknowns);

/* Blocks in the order in which they can be solved (block-lower-triangular; Tarjan's strong
 * components). @unknown_of: a perfect matching of the equations. @order: the equations, block after
 * block, ascending within a block; @block_ends: for each block, where the next begins. */
void weir_incidence_find_blocks (const WeirIncidence *self, const guint *unknown_of,
                                 const guint *equation_of, GArray *order, GArray *block_ends);

/* Which unknowns of a block to solve for by iteration, so that each other one follows from these,
 * one after the other, by an equation that is linear in it (tearing). A greedy choice: the unknown
 * that makes most others follow, then the one in most equations, then the first.
 *
 * @self: n equations of n unknowns. @slopes: for each entry of @self->column the derivative of the
 * equation by the unknown, NAN where that is no number. @is_kept: unknowns that must iterate.
 * @equations,
 * @unknowns: n numbers: first the pairs that follow, in order, then what iterates and the equations
 * that are left for it, both ascending. Returns how many iterate.
 *
 * What follows must not magnify: where an error of what iterates could grow a thousandfold on the
 * way, another unknown iterates. Where more than @most would have to iterate, it is given up: n. */
guint weir_incidence_tear (const WeirIncidence *self, const double *slopes, const gboolean *is_kept,
                           guint most, guint *equations, guint *unknowns);

/* How often each equation must be differentiated so that the highest derivatives are determined
 * (Pantelides). @derivative_of: for each variable the variable that is its derivative, or
 * WEIR_UNMATCHED; the incidence is on variables. @counts: of the equations. FALSE if no number is
 * enough. */
gboolean weir_incidence_find_index (const WeirIncidence *self, const guint *derivative_of,
                                    guint *counts);

G_END_DECLS
