/* Solving small dense systems of equations: linear by elimination with row exchanges, nonlinear by
 * Newton's method with exact derivatives and step halving. The same start gives the same bits.
 * Allocates nothing. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Solves A x = b in place: @b becomes x; @a (n x n, row by row) is overwritten. FALSE if
 * singular. */
gboolean weir_dense_solve (double *a, double *b, guint n);

/* The largest magnitude of @n values; those that are no number are passed over. 0 of none. */
double weir_dense_find_largest (const double *values, gsize n);

/* Computes the n residuals, and where @jacobian is not NULL their n x n derivatives. */
typedef void (*WeirResidualFunc) (gpointer data, const double *x, double *residuals,
                                  double *jacobian);

typedef enum {
  WEIR_NEWTON_CONVERGED,
  WEIR_NEWTON_SINGULAR, /* the derivatives are dependent */
  WEIR_NEWTON_STALLED,  /* no step makes the residuals smaller, or too many were needed */
  WEIR_NEWTON_NOT_FINITE,
} WeirNewtonOutcome;

/* @x: start, then solution. @is_linear: one step is exact. @work: weir_newton_get_work_size (n)
 * doubles. */
WeirNewtonOutcome weir_newton_solve (WeirResidualFunc residual, gpointer data, guint n, double *x,
                                     gboolean is_linear, double *work);
gsize weir_newton_get_work_size (guint n);
const char *weir_newton_outcome_to_string (WeirNewtonOutcome outcome);

G_END_DECLS
