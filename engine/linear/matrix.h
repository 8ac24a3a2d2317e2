/* Small dense matrices, row by row, and what LAPACK does with them.
 *
 * Functions that give a matrix give a new one. Sizes that do not fit are a caller's mistake.
 * Thread: *any*.
 */
#pragma once

#include <complex.h>
#include <glib.h>

G_BEGIN_DECLS

/* Of a C standard without imaginary numbers: the unit as a double. */
#define WEIR_I ((double complex) _Complex_I)

typedef struct {
  guint rows, columns;
  double v[];
} WeirMatrix;

WeirMatrix *weir_matrix_new (guint rows, guint columns); /* zero */
WeirMatrix *weir_matrix_from (guint rows, guint columns, const double *values);
WeirMatrix *weir_matrix_identity (guint n);
WeirMatrix *weir_matrix_dup (const WeirMatrix *a);

static inline double *
weir_matrix_at (WeirMatrix *a, guint i, guint j)
{
  return &a->v[(gsize) i * a->columns + j];
}

static inline double
weir_matrix_get (const WeirMatrix *a, guint i, guint j)
{
  return a->v[(gsize) i * a->columns + j];
}

/* Rows [i, i + rows) and columns [j, j + columns). */
WeirMatrix *weir_matrix_part (const WeirMatrix *a, guint i, guint j, guint rows, guint columns);
/* Copies @part to where it begins at (@i, @j). */
void weir_matrix_put (WeirMatrix *a, guint i, guint j, const WeirMatrix *part);
WeirMatrix *weir_matrix_transpose (const WeirMatrix *a);
WeirMatrix *weir_matrix_times (const WeirMatrix *a, const WeirMatrix *b);
/* a + factor b */
WeirMatrix *weir_matrix_plus (const WeirMatrix *a, double factor, const WeirMatrix *b);
/* Largest magnitude of an entry; largest sum of magnitudes in a row. */
double weir_matrix_get_max (const WeirMatrix *a);
double weir_matrix_get_row_sum (const WeirMatrix *a);
/* Are all numbers finite? */
gboolean weir_matrix_is_finite (const WeirMatrix *a);

/* Scales states by powers of two until what enters and what leaves each is of one size: the rows of
 * A and B, the columns of A and C. */
void weir_matrix_balance_states (WeirMatrix *a, WeirMatrix *b, WeirMatrix *c);
/* A^-1 B; NULL if A is singular to rounding. */
WeirMatrix *weir_matrix_solve (const WeirMatrix *a, const WeirMatrix *b);
/* exp (A t): Pade's approximant of order 13 with scaling and squaring (Higham, SIAM J. Matrix Anal.
 * 26, 2005). */
WeirMatrix *weir_matrix_exp (const WeirMatrix *a, double t);
/* U S V' = A. @u: rows by rows; @vt: columns by columns; NULL = not wanted. @s: min (rows, columns)
 * falling values. FALSE if the iteration does not end. */
gboolean weir_matrix_svd (const WeirMatrix *a, double *s, WeirMatrix **u, WeirMatrix **vt);
/* n values each, by falling real part. */
gboolean weir_matrix_get_eigenvalues (const WeirMatrix *a, double *re, double *im);
/* Which eigenvalues come first in an ordered decomposition. */
typedef enum {
  WEIR_SELECT_NONE,
  WEIR_SELECT_LEFT,   /* of the imaginary axis */
  WEIR_SELECT_INSIDE, /* the unit circle */
} WeirSelect;

/* A = Q T Q', T upper quasi-triangular; @n_selected (nullable): how many come first. */
gboolean weir_matrix_schur (const WeirMatrix *a, WeirSelect select, WeirMatrix **t, WeirMatrix **q,
                            guint *n_selected);
/* The basis of the selected deflating subspace of A - z B, n by half its columns first: the left
 * half of @q, where A q = B q S. */
gboolean weir_matrix_deflate (const WeirMatrix *a, const WeirMatrix *b, WeirSelect select,
                              WeirMatrix **q, guint *n_selected);
/* T X + sign X S' = C, T and S upper quasi-triangular, C replaced by X. */
gboolean weir_matrix_solve_sylvester (const WeirMatrix *t, const WeirMatrix *s, double sign,
                                      WeirMatrix *c);
/* The largest singular value of a complex matrix, row by row. */
double weir_matrix_get_gain (guint rows, guint columns, const double complex *values);

static inline void
weir_matrix_free (WeirMatrix *a)
{
  g_free (a);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WeirMatrix, weir_matrix_free)

G_END_DECLS
