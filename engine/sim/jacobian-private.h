/* The Jacobian df/dx of a model by coloured differences, and the linear systems of implicit
 * methods.
 *
 * The pattern comes from the dependency graph (system/layout/sparsity.h). Columns that share no row
 * have one colour (colouring.h) and are moved together, so that a Jacobian costs one right-hand
 * side per colour: three for a chain of any length. Its values are kept by columns; M = I - gamma J
 * is written into a matrix whose kind is chosen by size and pattern: dense where the model is small
 * or many entries are there, sparse (KLU) otherwise.
 *
 * Everything is allocated when it is made. Thread: *owner*.
 */
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include "sim/solver-private.h"

G_BEGIN_DECLS

typedef enum {
  WEIR_JACOBIAN_DENSE,
  WEIR_JACOBIAN_SPARSE,
} WeirStateJacobianKind;

typedef struct _WeirJacobian WeirStateJacobian;

/* xdot = f(t, x): 0, positive if there is no value there, negative to give up. */
typedef int (*WeirRhsFunc) (double t, const double *x, double *xdot, gpointer data);

/* NULL and @error if the pattern is too large for memory. @name: the solver's. */
WeirStateJacobian *weir_state_jacobian_new (const char *name, const WeirProblem *problem,
                                            GError **error);
void weir_state_jacobian_free (WeirStateJacobian *self);

WeirStateJacobianKind weir_state_jacobian_get_kind (const WeirStateJacobian *self);
guint weir_state_jacobian_get_n_colours (const WeirStateJacobian *self);
/* df_i/dx_j as last computed; 0 outside the pattern. */
double weir_state_jacobian_get (const WeirStateJacobian *self, guint i, guint j);

/* J at (t, x), where f is @xdot. @weight: error weights; @step: s, about the length of a step; both
 * size the increments. What @rhs returned. */
int weir_state_jacobian_calc (WeirStateJacobian *self, WeirRhsFunc rhs, gpointer data, double t,
                              const double *x, const double *xdot, const double *weight,
                              double step);

/* A matrix for M and a solver for it; NULL if out of memory. */
SUNMatrix weir_state_jacobian_new_matrix (const WeirStateJacobian *self, SUNContext sundials);
SUNLinearSolver weir_state_jacobian_new_linear_solver (const WeirStateJacobian *self, N_Vector x,
                                                       SUNMatrix matrix, SUNContext sundials);
/* @matrix = I - @gamma J */
void weir_state_jacobian_write (const WeirStateJacobian *self, double gamma, SUNMatrix matrix);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirStateJacobian, weir_state_jacobian_free)

G_END_DECLS
