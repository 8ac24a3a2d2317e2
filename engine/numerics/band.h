/* Square matrices whose entries lie near the diagonal, and the order that brings them there.
 *
 * Of row i the columns from weir_band_get_first (i) on are kept, weir_band_get_width() of them, row
 * after row: those of the matrix and those that row exchanges fill. A dense matrix is the band that
 * leaves nothing out, kept row by row as ever. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint n;
  guint lower, upper; /* how far entries lie left and right of the diagonal, at most n - 1 */
} WeirBand;

static inline WeirBand
weir_band_dense (guint n)
{
  return (WeirBand) { n, n > 0 ? n - 1 : 0, n > 0 ? n - 1 : 0 };
}

static inline gsize
weir_band_get_width (const WeirBand *self)
{
  return MIN ((gsize) self->n, 2 * (gsize) self->lower + self->upper + 1);
}

static inline gsize
weir_band_get_size (const WeirBand *self)
{
  return self->n * weir_band_get_width (self);
}

static inline gsize
weir_band_get_first (const WeirBand *self, gsize row)
{
  return MIN (row - MIN (row, self->lower), self->n - weir_band_get_width (self));
}

/* Where the entry of @row and @column is kept. */
static inline gsize
weir_band_get_place (const WeirBand *self, gsize row, gsize column)
{
  return row * weir_band_get_width (self) + column - weir_band_get_first (self, row);
}

/* The band of a matrix in compressed rows: entries of row i in columns column[first[i]] ..
 * column[first[i + 1] - 1]. */
WeirBand weir_band_find (guint n, const guint *first, const guint *column);

/* Solves A x = b in place: @b becomes x; @a, weir_band_get_size() numbers, is overwritten. Gaussian
 * elimination with row exchanges. FALSE if singular. Units do not matter: rows are scaled by powers
 * of two first, and a pivot is judged beside its own column. */
gboolean weir_band_solve (const WeirBand *self, double *a, double *b);

/* The same in two parts, with rows as they are, for a matrix that serves several right-hand sides.
 * @a becomes its factors; @pivots: n numbers, the row that came to each place. A pivot is to be
 * larger than @least and than @share of the largest entry in its column, as that has become.
 * Returns n, or the first column without one: the columns before it are factored then. */
guint weir_band_factorise (const WeirBand *self, double *a, guint32 *pivots, double least,
                           double share);
/* @b: n rows of @m numbers; each column is a right-hand side that becomes its solution. */
void weir_band_substitute (const WeirBand *self, const double *a, const guint32 *pivots, double *b,
                           guint m);

/* How many multiplications the elimination takes. */
double weir_band_count_work (const WeirBand *self);
/* How often a matrix may be eliminated in while one solution is sought: @most of a small one, less
 * often a large one, so that what has no solution is given up within seconds. */
guint weir_band_limit_steps (const WeirBand *self, guint most);

/* An order of rows and columns alike in which the entries lie near the diagonal (Cuthill and McKee,
 * reversed; of neighbours the one with fewer comes first, then the lower number): order[new place]
 * is the old one. The matrix is as above. */
void weir_band_order (guint n, const guint *first, const guint *column, guint *order);

G_END_DECLS
