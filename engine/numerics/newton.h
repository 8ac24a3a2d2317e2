/* Solving systems of equations: linear by elimination with row exchanges, nonlinear by
 * Newton's method with exact derivatives and step halving. The same start gives the same bits.
 * Allocates nothing. Thread: *any*.
 */
#pragma once

#include "numerics/band.h"

G_BEGIN_DECLS

/* Computes the n residuals, behind them the exponents and their weights, and where @jacobian is not
 * NULL the derivatives of the residuals, as the band that the caller solves with keeps them. */
typedef void (*WeirResidualFunc) (gpointer data, const double *x, double *residuals,
                                  double *jacobian);

typedef enum {
  WEIR_NEWTON_CONVERGED,
  WEIR_NEWTON_SINGULAR, /* the derivatives are dependent */
  WEIR_NEWTON_STALLED,  /* no step makes the residuals smaller, or too many were needed */
  WEIR_NEWTON_NOT_FINITE,
} WeirNewtonOutcome;

typedef struct {
  WeirResidualFunc residual;
  gpointer data;
  WeirBand band;     /* where the derivatives are */
  guint n_exponents; /* of exponentials: no step makes one of these larger than its tangent says,
                        so that Newton's method neither overflows nor has to come back from far.
                        An exponent a counts from where w exp (a) is as large as the slopes of a
                        residual; w is its weight */
  const guint32 *exponent_rows; /* which residual; of each */
  gboolean is_linear;           /* one step is exact */
  guint n_leaps; /* how often, where no part of a step makes the residuals smaller, it may be
                    made all the same, and as long as what moves, twice that, ...: away from
                    where they are smallest and not zero, to wherever that leads */
} WeirNewton;

/* @x: start, then solution. @work: weir_newton_get_work_size() doubles. */
WeirNewtonOutcome weir_newton_solve (const WeirNewton *self, double *x, double *work);
gsize weir_newton_get_work_size (const WeirBand *band, guint n_exponents);
const char *weir_newton_outcome_to_string (WeirNewtonOutcome outcome);

G_END_DECLS
