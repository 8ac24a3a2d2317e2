/* The eigenvalues of a real matrix: balancing by powers of two, Householder reflections to
 * Hessenberg form, and the QR algorithm with Francis' double shifts (Golub & Van Loan, Matrix
 * Computations, 7.4 and 7.5), so that complex ones come in exact conjugate pairs.
 *
 * Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @a: n by n, row by row; used up. @re, @im: n values each, by falling real part, of a pair the one
 * with the positive imaginary part first. FALSE if an entry is not finite or the iteration does not
 * end. */
gboolean weir_find_eigenvalues (guint n, double *a, double *re, double *im);

G_END_DECLS
