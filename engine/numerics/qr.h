/* Least squares by Householder reflections: x for which |A x - b| is smallest.
 *
 * Nothing is squared, so that what A knows of x is not halved in digits, and a matrix whose columns
 * are dependent does no harm. Thread: *any*.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  guint rows, columns;
  double *a;      /* column by column; becomes R, on the diagonal and above it */
  double *b;      /* rows; becomes Q' b */
  guint32 *order; /* columns, or NULL: as they stand. Else the largest that is left comes next, and
                     order[k] tells which one came to place k */
} WeirQr;

/* Returns how many columns were found to be independent, from the first on: a diagonal entry is to
 * be larger than @share of the first. At most as many as there are rows. */
guint weir_qr_factorise (WeirQr *self, double share);
/* @x: a number for each column, in the order that they had; those after @rank get 0. FALSE if one
 * is not finite. */
gboolean weir_qr_solve (const WeirQr *self, guint rank, double *x);

G_END_DECLS
