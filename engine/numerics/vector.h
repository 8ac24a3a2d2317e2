/* Arithmetic on state vectors: what explicit Runge-Kutta and the N_Vector operations share.
 *
 * Element-wise results do not depend on how the loops are vectorised; sums run in eight lanes that
 * are combined in one fixed order, so that every build gives the same bits. Arrays may be the same;
 * they never overlap otherwise.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* out = a x + b y */
void weir_vector_linear_sum (gsize n, double a, const double *x, double b, const double *y,
                             double *out);
/* out = x + sum of c[j] v[j], j = 0 .. m - 1, in this order; @x: NULL = 0 */
void weir_vector_combine (gsize n, const double *x, guint m, const double *c,
                          const double *const *v, double *out);
/* The cubic through @x0 with slope @xdot0 and, @h later, @x1 with slope @xdot1, at theta of the
 * way. */
void weir_vector_hermite (gsize n, double theta, double h, const double *x0, const double *xdot0,
                          const double *x1, const double *xdot1, double *out);
/* w = 1 / (relative max (|x|, |y|) + absolute) */
void weir_vector_error_weights (gsize n, const double *x, const double *y, double relative,
                                double absolute, double *w);
/* sqrt (sum of (x w)^2 / n); 0 for n = 0 */
double weir_vector_wrms_norm (gsize n, const double *x, const double *w);
/* sum of x y */
double weir_vector_dot (gsize n, const double *x, const double *y);
/* sum of (x w)^2 */
double weir_vector_weighted_square_sum (gsize n, const double *x, const double *w);
/* largest |x|; NaN is passed over */
double weir_vector_max_norm (gsize n, const double *x);

G_END_DECLS
