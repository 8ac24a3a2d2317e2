/* Solving systems of equations: linear by elimination with row exchanges, nonlinear by
 * Newton's method with exact derivatives and step halving. The same start gives the same bits.
 * Allocates nothing. Thread: *any*.
 */
#pragma once

#include "numerics/band.h"

G_BEGIN_DECLS

/* Computes the n residuals, and where @jacobian is not NULL their derivatives, as the band that the
 * caller solves with keeps them. */
typedef void (*WeirResidualFunc) (gpointer data, const double *x, double *residuals,
                                  double *jacobian);

typedef enum {
  WEIR_NEWTON_CONVERGED,
  WEIR_NEWTON_SINGULAR, /* the derivatives are dependent */
  WEIR_NEWTON_STALLED,  /* no step makes the residuals smaller, or too many were needed */
  WEIR_NEWTON_NOT_FINITE,
} WeirNewtonOutcome;

/* @band: where the derivatives are. @x: start, then solution. @is_linear: one step is exact. @work:
 * weir_newton_get_work_size (band) doubles. */
WeirNewtonOutcome weir_newton_solve (WeirResidualFunc residual, gpointer data, const WeirBand *band,
                                     double *x, gboolean is_linear, double *work);
gsize weir_newton_get_work_size (const WeirBand *band);
const char *weir_newton_outcome_to_string (WeirNewtonOutcome outcome);

G_END_DECLS
