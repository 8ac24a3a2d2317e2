/* The arithmetic of vector.h on many vectors at once: element i of lane l is at [i * width + l].
 *
 * Each lane gets the bits that vector.h gives for its vector alone. @width is a multiple of 8,
 * arrays are 64-byte aligned; lanes up to the next multiple of 8 after @n_lanes are computed too.
 * Arrays are the same or apart.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_LANES_AT_ONCE 8

/* How many there are of what, in each of these. */
typedef struct {
  gsize n; /* elements */
  gsize width, n_lanes;
} WeirLaneShape;

/* out = x + sum of (h c[j]) v[j], j = 0 .. m - 1; @h: a row. */
void weir_lanes_step (WeirLaneShape shape, const double *x, guint m, const double *c,
                      const double *h, const double *const *v, double *out);
/* out = x + sum of c[j] v[j]; @c: m rows; @x: NULL = 0 */
void weir_lanes_combine (WeirLaneShape shape, const double *x, guint m, const double *c,
                         const double *const *v, double *out);
/* norm = the weighted norm of the sum of (h c[j]) v[j], weighted by @x and @y as by
 * weir_vector_error_weights(); NaN also where @y is not finite. */
void weir_lanes_error_norm (WeirLaneShape shape, const double *x, const double *y, guint m,
                            const double *c, const double *h, const double *const *v,
                            double relative, double absolute, double *norm);
/* norm = the norm of a - b, weighted by @x and @y in the same way */
void weir_lanes_distance (WeirLaneShape shape, const double *a, const double *b, const double *x,
                          const double *y, double relative, double absolute, double *norm);
/* sum = 0 where all of @x is finite, else NaN */
void weir_lanes_test_finite (WeirLaneShape shape, const double *x, double *sum);
/* sum = t + c h, but no later than @last; rows */
void weir_lanes_times (WeirLaneShape shape, const double *t, double c, const double *h,
                       const double *last, double *sum);
/* product = x^a y^b by weir_product_of_powers(); rows */
void weir_lanes_multiply_powers (WeirLaneShape shape, const double *x, double a, const double *y,
                                 double b, double *product);
/* to = from where @takes is not 0; a row */
void weir_lanes_take (WeirLaneShape shape, const double *takes, const double *from, double *to);

G_END_DECLS
