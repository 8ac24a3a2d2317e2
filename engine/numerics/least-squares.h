/* Nonlinear least squares within bounds: x for which the sum of squares of m residuals is smallest.
 *
 * Levenberg's and Marquardt's method as in root.h, for more residuals than unknowns: a step
 * minimises |r + J d|^2 + mu |D d|^2, where D holds the largest norms of the Jacobian's columns. An
 * unknown that lies on a bound which it would leave is held there for a step. J comes from central
 * differences, whose points are asked for together, so that whoever computes them can do so side by
 * side. The same residuals give the same bits. Allocates. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The residuals at @n_points points: @x has them one after the other, n numbers each; @residuals
 * takes m numbers each. @has_value: (out) whether a point has residuals. FALSE: it was stopped. */
typedef gboolean (*WeirResidualsFunc) (gpointer data, guint n_points, const double *x,
                                       double *residuals, gboolean *has_value);

typedef struct {
  guint n, m;
  WeirResidualsFunc evaluate;
  gpointer data;
  const double *lower, *upper; /* n */
  const double *sizes;         /* n: what an unknown is to be taken for where it is smaller */
  double difference;           /* of two points for J: part of the unknown */
  double tolerance;            /* of x, relative */
  guint64 most_points;
} WeirLeastSquares;

typedef enum {
  WEIR_LEAST_SQUARES_FOUND,
  WEIR_LEAST_SQUARES_SPENT,    /* all points that it may ask for */
  WEIR_LEAST_SQUARES_NO_VALUE, /* none at the start, or beside a point that has one */
  WEIR_LEAST_SQUARES_STOPPED,
} WeirLeastSquaresOutcome;

typedef struct {
  WeirLeastSquaresOutcome outcome;
  double sum;        /* of squares; NAN: the start has no value */
  double *residuals; /* m, at the end */
  double *jacobian;  /* column by column: m * n, at the end or the step before it */
  guint64 n_points;  /* asked for */
} WeirLeastSquaresResult;

/* @x: n values: start, then solution; kept within the bounds. */
void weir_least_squares_solve (const WeirLeastSquares *self, double *x,
                               WeirLeastSquaresResult *result);
void weir_least_squares_result_clear (WeirLeastSquaresResult *result);

/* What the columns of a Jacobian tell of the unknowns. @jacobian: m * n, column by column.
 * @covariances: (out) n * n, (J'J)^-1; of unknowns that cannot be told NAN. @tellable: (out) n:
 * whether residuals show an unknown apart from all others. Returns the rank. */
guint weir_least_squares_get_covariances (const double *jacobian, guint m, guint n,
                                          double *covariances, gboolean *tellable);

/* The number below which a part @u of Student's distribution lies, 0 < @u < 1. */
double weir_student_quantile (double u, double degrees);

G_END_DECLS
