/* Sobol's sequence of points that fill a cube evenly. Thread: *immutable* once it is made. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WEIR_SOBOL_DIMENSIONS 100 /* at most */

typedef struct {
  guint n;
  guint64 *directions;
} WeirSobol;

void weir_sobol_init (WeirSobol *self, guint n_dimensions);
void weir_sobol_clear (WeirSobol *self);

/* Coordinate @dimension of point @i, in the order of Gray's code; point 0 is 0. With @shift, a
 * random number that is not 0, all points are shifted by its digits, and above 0 and below 1. */
double weir_sobol_get (const WeirSobol *self, guint64 i, guint dimension, guint64 shift);

G_END_DECLS
